package wire

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxPending is how many requests may be under way before the reader
	// waits: a client that pipelines without end must not cost memory
	// without end.
	maxPending = 1024

	// maxHeld is how many bytes of params those requests may have before the
	// reader waits: 1024 of the longest lines would be 16 GiB.
	maxHeld = 64 << 20

	// maxStall is how long the reader waits without any request coming to its
	// end. It then refuses requests rather than wait on: behind them may be
	// the cancellations that would make room, or the end of the input.
	maxStall = 5 * time.Second

	// hastened is what remains of the drain once somebody is in a hurry.
	hastened = time.Second
)

// Config describes a connection.
type Config struct {
	In  io.Reader
	Out io.Writer

	// Line is the longest message line in bytes.
	Line int
	// Drain is how long accepted requests may take once the input has ended
	// or the server stops. What is unfinished then is answered with an error.
	Drain time.Duration
	// Extra is what goes with every request besides its params; it is given
	// the time at which the line was read. Nil means nothing.
	Extra func(received time.Time) any
	// Await reports whether calls of a tool are waited for beyond Drain. Nil
	// means none is.
	Await func(tool string) bool

	Logger *slog.Logger

	stall time.Duration // in place of maxStall, for tests
	held  int           // in place of maxHeld, for tests
}

// Conn is one connection to a client. Create it with [New]; it is safe for
// concurrent use.
type Conn struct {
	cfg Config
	out *writer

	lineRead time.Time            // when the current line came; of the reading goroutine
	incoming chan jsonrpc.Message // read by the SDK
	released chan struct{}        // closed when the SDK may see the end of the input
	closed   chan struct{}        // closed by Close

	mu        sync.Mutex
	room      sync.Cond               // signalled when a call ends
	last      uint64                  // the last internal number given out
	calls     map[string]*call        // by internal id, until the SDK has answered
	byID      map[string]*call        // by the client's id, until answered or cancelled
	tokens    map[string]*call        // by internal progress token
	asked     map[jsonrpc.ID]struct{} // the server's own requests that await an answer
	handshake chan struct{}           // closed when the initialize under way is answered; nil before
	version   string                  // negotiated by initialize
	held      int                     // bytes of the params in calls
	stalled   bool                    // no request has ended for maxStall
	awaited   int                     // requests whose answer keeps the connection open
	draining  bool
	ended     bool // the input has ended
	deadline  time.Time
	overdue   *time.Timer
	err       error // why the connection broke; nil for a regular end
}

var _ mcp.Connection = (*Conn)(nil)

// call is a request of the client that the SDK works on.
type call struct {
	internal string
	id       []byte // as the client wrote it
	method   string
	token    []byte // the progress token as the client wrote it
	tokenKey string // the one the SDK knows
	await    bool   // waited for beyond the drain, and when cancelled
	dropped  bool   // cancelled or given up: its answer is not written
	batch    *batch
	slot     int // its place in the batch
	size     int // bytes of its params
}

// batch gathers the answers to one array of messages.
type batch struct {
	answers [][]byte // in the order of the requests; nil while open or dropped
	open    int
}

// New starts a connection. It reads from cfg.In at once, from a goroutine that
// ends with the input; if In is an [io.Closer], Close closes it.
func New(cfg Config) *Conn {
	c := &Conn{
		cfg:      cfg,
		incoming: make(chan jsonrpc.Message, 64),
		released: make(chan struct{}),
		closed:   make(chan struct{}),
		calls:    map[string]*call{},
		byID:     map[string]*call{},
		tokens:   map[string]*call{},
		asked:    map[jsonrpc.ID]struct{}{},
	}
	c.room.L = &c.mu
	c.out = newWriter(cfg.Out, c.broke)
	go c.readLines()
	return c
}

// SessionID implements [mcp.Connection]; a pair of streams is one session.
func (c *Conn) SessionID() string { return "" }

// Read implements [mcp.Connection]. It returns the end of the input only when
// nothing accepted is left to answer, because the SDK cancels all work then.
func (c *Conn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-c.incoming:
		return m, nil
	case <-c.released:
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.err != nil {
			return nil, c.err
		}
		return nil, io.EOF
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Released is closed when nothing accepted is left to answer after the end of
// the input, a stop or a broken output.
func (c *Conn) Released() <-chan struct{} { return c.released }

// Err says why the connection broke, nil if it did not.
func (c *Conn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Close implements [mcp.Connection]. It returns at once, since the SDK calls it
// with a lock held; what is queued is still written. See [Conn.Flush].
func (c *Conn) Close() error {
	c.mu.Lock()
	select {
	case <-c.closed:
		c.mu.Unlock()
		return nil
	default:
	}
	close(c.closed)
	if c.overdue != nil {
		c.overdue.Stop()
	}
	c.room.Broadcast()
	c.mu.Unlock()
	c.out.finish()
	if in, ok := c.cfg.In.(io.Closer); ok {
		return in.Close()
	}
	return nil
}

// Flush waits until everything is written, the output is broken, or ctx ends.
// It is meant for after Close.
func (c *Conn) Flush(ctx context.Context) error {
	select {
	case <-c.out.done:
		return c.Err()
	default:
	}
	select {
	case <-c.out.done:
		return c.Err()
	case <-ctx.Done():
		return fmt.Errorf("the client does not read its answers: %w", ctx.Err())
	}
}

// Stop refuses new requests and ends the connection as if the input had ended,
// once what was accepted is answered or Drain has passed. Answers of the client
// and its cancellations still come through. If the connection is draining
// already, Stop leaves it one second at most.
func (c *Conn) Stop() {
	c.mu.Lock()
	hurry := c.draining
	if at := time.Now().Add(hastened); hurry && c.awaited > 0 && at.Before(c.deadline) {
		c.deadline = at
		c.overdue.Reset(hastened)
	}
	c.mu.Unlock()
	if !hurry {
		c.drain(false)
	}
}

// drain begins the end. input says that the input has ended, too.
func (c *Conn) drain(input bool) {
	c.mu.Lock()
	if !c.draining {
		c.draining = true
		c.deadline = time.Now().Add(c.cfg.Drain)
		c.overdue = time.AfterFunc(c.cfg.Drain, c.giveUp)
	}
	var forward []jsonrpc.Message
	for _, k := range c.calls {
		if k.method == methodListen && !k.dropped {
			// A listen never ends by itself. Cancelled like this it returns
			// its result, which is its answer.
			forward = append(forward, cancelMessage(k.internal))
		}
	}
	if input && !c.ended {
		c.ended = true
		for id := range c.asked {
			forward = append(forward, &jsonrpc.Response{ID: id, Error: &jsonrpc.Error{
				Code: jsonrpc.CodeInternalError, Message: "the client has closed its side"}})
		}
		clear(c.asked)
	}
	c.room.Broadcast()
	c.releaseIfIdle()
	c.mu.Unlock()
	for _, m := range forward {
		c.forward(m)
	}
}

// giveUp answers what is unfinished when the drain is over, and cancels it.
func (c *Conn) giveUp() {
	c.mu.Lock()
	var forward []jsonrpc.Message
	unfinished := 0
	for _, k := range c.calls {
		if k.await || k.dropped {
			continue
		}
		unfinished++
		c.answer(k, appendError(nil, k.id, &jsonrpc.Error{
			Code: jsonrpc.CodeInternalError, Message: "the server stopped before the request was finished"}))
		c.drop(k)
		forward = append(forward, cancelMessage(k.internal))
	}
	c.releaseIfIdle()
	c.mu.Unlock()
	if unfinished > 0 {
		c.cfg.Logger.Warn("requests unfinished at the end", "count", unfinished)
	}
	for _, m := range forward {
		c.forward(m)
	}
}

// broke ends the connection because the output is broken: nothing can be
// answered any more, so everything that may be interrupted is, at once.
func (c *Conn) broke(err error) {
	c.mu.Lock()
	if c.err == nil {
		c.err = fmt.Errorf("writing to the client: %w", err)
	}
	c.mu.Unlock()
	c.drain(true)
	c.giveUp()
}

// releaseIfIdle lets the SDK see the end when nothing is awaited. mu is held.
func (c *Conn) releaseIfIdle() {
	if !c.draining || c.awaited > 0 {
		return
	}
	select {
	case <-c.released:
	default:
		c.overdue.Stop()
		close(c.released)
	}
}

// forward hands a message to the SDK.
func (c *Conn) forward(m jsonrpc.Message) {
	select {
	case c.incoming <- m:
	case <-c.released:
	case <-c.closed:
	}
}

// readLines is the reading goroutine.
func (c *Conn) readLines() {
	lines := newLineReader(c.cfg.In, c.cfg.Line)
	for {
		line, length, err := lines.next()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				c.cfg.Logger.Debug("reading from the client", "error", err)
			}
			c.drain(true)
			return
		}
		select {
		case <-c.closed:
			return
		default:
		}
		c.lineRead = time.Now()
		if line == nil {
			c.refuse(&fault{code: jsonrpc.CodeParseError, text: fmt.Sprintf(
				"the line has %d bytes; the most is %d", length, c.cfg.Line)})
			continue
		}
		if len(bytes.Trim(line, " \t\r\n")) > 0 {
			c.accept(line)
		}
	}
}

// accept takes one line.
func (c *Conn) accept(line []byte) {
	doc, err := scan(line)
	if err != nil {
		c.refuse(unreadable(err))
		return
	}
	if doc.kind == '[' {
		c.acceptBatch(line, doc)
		return
	}
	m, bad := parse(line, doc)
	if bad == nil {
		bad = c.dispatch(m, nil, 0)
	}
	if bad != nil {
		c.refuse(bad)
	}
}

// acceptBatch takes an array of messages, which only one protocol version has.
func (c *Conn) acceptBatch(line []byte, doc document) {
	c.mu.Lock()
	handshake := c.handshake
	c.mu.Unlock()
	if handshake != nil {
		// A client may send on without waiting for the answer that settles
		// the version.
		select {
		case <-handshake:
		case <-c.closed:
			return
		}
	}
	c.mu.Lock()
	version := c.version
	c.mu.Unlock()
	if version != batchVersion {
		c.refuse(&fault{code: jsonrpc.CodeInvalidRequest, text: "batches belong to protocol version " + batchVersion + " alone; send one message a line"})
		return
	}
	if len(doc.elements) == 0 {
		c.refuse(&fault{code: jsonrpc.CodeInvalidRequest, text: "the batch is empty"})
		return
	}
	// Held open by one until the last message is in, or the first answer
	// could complete it.
	b := &batch{answers: make([][]byte, len(doc.elements)), open: 1}
	for i, e := range doc.elements {
		data := e.of(line)
		inner, _ := scan(data) // part of a scanned line
		m, bad := parse(data, inner)
		if bad == nil {
			bad = c.dispatch(m, b, i)
		}
		if bad != nil {
			c.mu.Lock()
			b.answers[i] = bad.answer()
			c.mu.Unlock()
		}
	}
	c.mu.Lock()
	c.settle(b)
	c.mu.Unlock()
}

// refuse answers a line that is no message.
func (c *Conn) refuse(f *fault) {
	c.cfg.Logger.Debug("message refused", "code", f.code, "reason", f.text)
	c.out.put(f.answer(), true)
}

func (f *fault) answer() []byte {
	return appendError(nil, f.id, &jsonrpc.Error{Code: f.code, Message: f.text})
}

// dispatch hands a message to the SDK, or says why it cannot.
func (c *Conn) dispatch(m message, b *batch, slot int) *fault {
	switch {
	case m.response:
		c.dispatchResponse(m)
		return nil
	case m.id == nil:
		c.dispatchNotification(m)
		return nil
	}
	k := &call{id: m.id, method: m.method, batch: b, slot: slot, size: len(m.params)}
	token, hasToken := span{}, false
	if m.params != nil {
		doc, _ := scan(m.params) // part of a scanned line
		if m.method == methodCallTool && c.cfg.Await != nil {
			if name, ok := doc.find(m.params, "name"); ok && m.params[name.start] == '"' {
				k.await = c.cfg.Await(text(name.of(m.params)))
			}
		}
		token, hasToken = progressToken(m.params, doc)
	}

	c.mu.Lock()
	if !c.awaitRoom() {
		text := fmt.Sprintf("%d requests are under way already; wait for an answer, or cancel some", len(c.calls))
		c.mu.Unlock()
		return &fault{code: jsonrpc.CodeInternalError, text: text, id: m.id}
	}
	if c.draining || c.isClosed() {
		c.mu.Unlock()
		return &fault{code: jsonrpc.CodeInternalError, text: "the server is shutting down", id: m.id}
	}
	if c.byID[idKey(m.id)] != nil {
		c.mu.Unlock()
		return &fault{code: jsonrpc.CodeInvalidRequest, text: "a request with this id is still under way", id: m.id}
	}
	k.internal = c.number('q')
	params := m.params
	if hasToken {
		k.token, k.tokenKey = token.of(params), c.number('p')
		c.tokens[k.tokenKey] = k
		params = splice(params, token, `"`+k.tokenKey+`"`)
	}
	if m.method == methodInitialize && c.handshake == nil {
		c.handshake = make(chan struct{})
	}
	c.calls[k.internal] = k
	c.held += k.size
	c.byID[idKey(m.id)] = k
	c.awaited++
	if b != nil {
		b.open++
	}
	c.mu.Unlock()

	id, _ := jsonrpc.MakeID(k.internal) // a string is always good
	req := &jsonrpc.Request{ID: id, Method: m.method, Params: params}
	if c.cfg.Extra != nil {
		req.Extra = c.cfg.Extra(c.lineRead)
	}
	c.forward(req)
	return nil
}

// awaitRoom waits until one more request may be under way, and reports false
// when that does not come about. mu is held.
func (c *Conn) awaitRoom() bool {
	// Answers to the server's own requests come behind the requests of the
	// client, so the reader must not wait while one is outstanding.
	full := func() bool {
		return (len(c.calls) >= maxPending || c.held >= cmp.Or(c.cfg.held, maxHeld)) && len(c.asked) == 0 && !c.draining && !c.isClosed()
	}
	if !full() || c.stalled {
		return !full()
	}
	expired := false
	timer := time.AfterFunc(cmp.Or(c.cfg.stall, maxStall), func() {
		c.mu.Lock()
		expired = true
		c.mu.Unlock()
		c.room.Broadcast()
	})
	defer timer.Stop()
	for full() && !expired {
		c.room.Wait()
	}
	c.stalled = full()
	return !c.stalled
}

func (c *Conn) isClosed() bool {
	select {
	case <-c.closed:
		return true
	default:
		return false
	}
}

// number returns a new internal id or token. mu is held.
func (c *Conn) number(kind byte) string {
	c.last++
	return string(strconv.AppendUint([]byte{kind}, c.last, 36))
}

// progressToken finds params._meta.progressToken.
func progressToken(params []byte, doc document) (span, bool) {
	meta, ok := doc.find(params, "_meta")
	if !ok || params[meta.start] != '{' {
		return span{}, false
	}
	inner, _ := scan(meta.of(params)) // part of a scanned line
	token, ok := inner.find(meta.of(params), "progressToken")
	if !ok || !isID(token.of(meta.of(params))) {
		return span{}, false
	}
	return span{meta.start + token.start, meta.start + token.end}, true
}

// dispatchResponse hands on the client's answer to a request of the server.
func (c *Conn) dispatchResponse(m message) {
	if m.id == nil {
		c.cfg.Logger.Debug("response without an id passed over")
		return
	}
	id, err := sdkID(m.id)
	if err != nil {
		return
	}
	c.mu.Lock()
	_, known := c.asked[id]
	delete(c.asked, id)
	c.mu.Unlock()
	if !known {
		c.cfg.Logger.Debug("response to no request passed over", "id", cut(string(m.id)))
		return
	}
	r := &jsonrpc.Response{ID: id, Result: m.result}
	if m.err != nil {
		r.Error = decodeError(m.err)
	}
	c.forward(r)
}

// dispatchNotification hands on a notification. A cancellation is translated,
// and takes effect here for the answer: whatever the SDK still produces for
// that request is not written.
func (c *Conn) dispatchNotification(m message) {
	params := m.params
	if m.method == notifyCancelled {
		doc, err := scan(params)
		at, ok := doc.find(params, "requestId")
		if err != nil || !ok || !isID(at.of(params)) {
			c.cfg.Logger.Debug("cancellation without a request id passed over")
			return
		}
		c.mu.Lock()
		k := c.byID[idKey(at.of(params))]
		if k == nil || k.method == methodInitialize { // which must not be cancelled
			c.mu.Unlock()
			return
		}
		c.drop(k)
		c.mu.Unlock()
		params = splice(params, at, `"`+k.internal+`"`)
	}
	c.forward(&jsonrpc.Request{Method: m.method, Params: params})
}

// cancelMessage is a cancellation in the SDK's terms.
func cancelMessage(internal string) jsonrpc.Message {
	return &jsonrpc.Request{Method: notifyCancelled, Params: []byte(`{"requestId":"` + internal + `"}`)}
}

// drop forgets the answer of a call. mu is held.
func (c *Conn) drop(k *call) {
	if k.dropped {
		return
	}
	k.dropped = true
	c.forget(k)
	if k.batch != nil {
		c.settle(k.batch)
	}
	if !k.await {
		c.awaited--
		c.releaseIfIdle()
	}
}

// forget makes the id and token of a call free again. mu is held.
func (c *Conn) forget(k *call) {
	if c.byID[idKey(k.id)] == k {
		delete(c.byID, idKey(k.id))
	}
	delete(c.tokens, k.tokenKey)
}

// answer writes the answer of a call, or puts it into its batch. mu is held,
// so it only queues.
func (c *Conn) answer(k *call, line []byte) {
	if k.batch == nil {
		c.out.put(line, false)
		return
	}
	k.batch.answers[k.slot] = line
}

// settle counts one message of a batch as done and writes the batch when it was
// the last. mu is held.
func (c *Conn) settle(b *batch) {
	if b.open--; b.open > 0 {
		return
	}
	var line []byte
	for _, a := range b.answers {
		if a == nil {
			continue // a notification, or cancelled
		}
		if line == nil {
			line = append(line, '[')
		} else {
			line = append(line, ',')
		}
		line = append(line, a...)
	}
	if line != nil {
		c.out.put(append(line, ']'), false)
	}
}

// Write implements [mcp.Connection]. It queues the message and waits only while
// a lot is queued. A broken output is no error for an answer: the connection
// ends by itself then, in order.
func (c *Conn) Write(ctx context.Context, msg jsonrpc.Message) error {
	switch msg := msg.(type) {
	case *jsonrpc.Response:
		c.writeResponse(msg)
		c.out.waitForRoom()
		return nil
	case *jsonrpc.Request:
		return c.writeRequest(msg)
	}
	return fmt.Errorf("writing a message of type %T", msg)
}

func (c *Conn) writeResponse(r *jsonrpc.Response) {
	internal, _ := r.ID.Raw().(string)
	c.mu.Lock()
	k := c.calls[internal]
	c.mu.Unlock()
	if k == nil {
		c.cfg.Logger.Debug("answer to no request passed over")
		return
	}
	// Encoded without the lock: a result may be large.
	var line []byte
	if r.Error != nil {
		line = appendError(nil, k.id, wireError(r.Error, k.method))
	} else {
		result := r.Result
		if !utf8.Valid(result) {
			result = bytes.ToValidUTF8(result, []byte("\uFFFD"))
		}
		if k.method == methodListen {
			result = c.restoreSubscription(result)
		}
		line = appendResult(make([]byte, 0, len(result)+len(k.id)+40), k.id, result)
	}

	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.calls, internal)
	c.held -= k.size
	c.stalled = false
	c.room.Signal()
	if k.method == methodInitialize && c.handshake != nil {
		c.settleVersion(r)
	}
	switch {
	case !k.dropped:
		c.answer(k, line)
		c.forget(k)
		if k.batch != nil {
			c.settle(k.batch)
		}
		c.awaited--
	case k.await:
		c.awaited--
	}
	c.releaseIfIdle()
}

// settleVersion notes what initialize has negotiated. mu is held.
func (c *Conn) settleVersion(r *jsonrpc.Response) {
	if r.Error == nil {
		doc, _ := scan(r.Result)
		if v, ok := doc.find(r.Result, "protocolVersion"); ok && r.Result[v.start] == '"' {
			c.version = text(v.of(r.Result))
		}
	}
	select {
	case <-c.handshake:
	default:
		close(c.handshake)
	}
	if c.version == "" {
		c.handshake = nil // the next initialize is the first again
	}
}

func (c *Conn) writeRequest(r *jsonrpc.Request) error {
	params := []byte(r.Params)
	if !utf8.Valid(params) {
		params = bytes.ToValidUTF8(params, []byte("\uFFFD"))
	}
	if r.Method == notifyProgress {
		var ok bool
		if params, ok = c.restoreToken(params); !ok {
			return nil // its request has ended or was cancelled
		}
		if c.out.full() {
			// Progress can be missed. Work that cannot stop half way must not
			// wait for a client that does not read.
			return nil
		}
	}
	var line []byte
	if id := r.ID; id.IsValid() {
		c.mu.Lock()
		ended := c.ended
		if !ended {
			c.asked[id] = struct{}{}
			c.room.Broadcast()
		}
		c.mu.Unlock()
		if ended {
			return fmt.Errorf("%w: the client has closed its side", mcp.ErrConnectionClosed)
		}
		line = fmt.Appendf(line, `{"jsonrpc":"2.0","id":%v,"method":%s`, id.Raw(), quote(r.Method))
	} else {
		params = c.restoreSubscription(params)
		line = fmt.Appendf(line, `{"jsonrpc":"2.0","method":%s`, quote(r.Method))
	}
	if len(params) > 0 {
		line = append(line, `,"params":`...)
		line = append(line, params...)
	}
	c.out.put(append(line, '}'), true)
	return nil
}

// restoreToken puts the client's own progress token back. It reports false when
// the request it belongs to is over, after which no progress may be sent.
func (c *Conn) restoreToken(params []byte) ([]byte, bool) {
	doc, err := scan(params)
	at, ok := doc.find(params, "progressToken")
	if err != nil || !ok || params[at.start] != '"' {
		return nil, false
	}
	c.mu.Lock()
	k := c.tokens[text(at.of(params))]
	c.mu.Unlock()
	if k == nil {
		return nil, false
	}
	return splice(params, at, string(k.token)), true
}

// restoreSubscription puts the client's own id back where _meta names the
// subscription that a message belongs to.
func (c *Conn) restoreSubscription(data []byte) []byte {
	if !bytes.Contains(data, []byte(subscriptionKey)) {
		return data
	}
	doc, err := scan(data)
	meta, ok := doc.find(data, "_meta")
	if err != nil || !ok {
		return data
	}
	inner, _ := scan(meta.of(data))
	at, ok := inner.find(meta.of(data), subscriptionKey)
	if !ok || data[meta.start+at.start] != '"' {
		return data
	}
	at = span{meta.start + at.start, meta.start + at.end}
	c.mu.Lock()
	k := c.calls[text(at.of(data))]
	c.mu.Unlock()
	if k == nil {
		return data
	}
	return splice(data, at, string(k.id))
}
