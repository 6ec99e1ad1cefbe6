package mcptest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The metadata keys of the stateless versions.
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaClient       = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaServer       = "io.modelcontextprotocol/serverInfo"
)

// clientInfo is how the runner introduces itself.
const clientInfo = `{"name":"mcptest","version":"1"}`

// initializeID is the id of the runner's own initialize request; it stays out
// of the way of ids in transcripts.
const initializeID = "mcptest:initialize"

// A Message is one line of traffic, as a [Check] sees it.
type Message struct {
	Version    string // the protocol version that it belongs to
	FromServer bool
	Method     string // its own method, or that of the request it answers; empty when unknown
	Raw        []byte
}

// A Check judges the traffic of a replay beyond what a transcript wants, such
// as against the protocol's schema. It sees every message of the server. Of
// the client's it sees those meant to be valid: notifications and requests
// that got a result, unless the transcript says offwire.
type Check func(Message) error

// An Outcome is what a replay found.
type Outcome struct {
	Era     Era
	Elapsed time.Duration
	// Problems says what is wrong, one text for each thing; empty means that
	// the replay passed.
	Problems []string

	broken  []string // the problems that no recording can cure
	answers []reply  // what the server said, without what belongs to the era
}

// Replay runs every transcript (*.txtar) of a folder against the server, each
// in its eras, as subtests. With -update it rewrites "want" instead, using the
// lines of vary.txt in the same folder as defaults for "vary".
func Replay(t *testing.T, s Server, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no transcript (*.txtar) in %s", dir)
	}
	update := Updating(t)
	defaults, err := LoadVaries(filepath.Join(dir, "vary.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			tr, err := Load(file)
			if err != nil {
				t.Fatal(err)
			}
			var outcomes []Outcome
			for _, era := range tr.Eras() {
				o := tr.Replay(t.Context(), s, era, nil)
				outcomes = append(outcomes, o)
				for _, p := range o.Problems {
					if !update {
						t.Errorf("%s: %s", era, p)
					}
				}
			}
			if update {
				if err := tr.Record(outcomes, defaults); err != nil {
					t.Fatal(err)
				}
				if err := tr.Save(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// Replay starts the server, sends the lines of the transcript in one era and
// compares the answers. The check may be nil. The server is killed when ctx
// ends or the transcript's timeout has passed.
func (t *Transcript) Replay(ctx context.Context, s Server, era Era, check Check) Outcome {
	began := time.Now()
	r := &replay{t: t, era: era, version: cmp.Or(era.Version, LegacyVersion)}
	if err := r.run(ctx, s); err != nil {
		r.broken = append(r.broken, err.Error())
	}
	r.judge(check)
	answers := r.answers() // may find problems
	o := Outcome{Era: era, answers: answers, broken: r.broken, Problems: slices.Clone(r.broken)}
	if len(r.broken) > 0 && r.stderr != "" {
		o.Problems = append(o.Problems, "stderr ends with:\n"+r.stderr)
	}
	if t.want == nil && !slices.ContainsFunc(t.archive.Files, isWant) {
		o.Problems = append(o.Problems, `the transcript has no section "want"; record it`)
	} else {
		o.Problems = append(o.Problems, compareAll(t.want, o.answers, t.varies)...)
	}
	o.Elapsed = time.Since(began)
	return o
}

// replay is the state of one run.
type replay struct {
	t       *Transcript
	era     Era
	version string // the negotiated one
	p       *process
	sent    []*sentLine
	got     []*answer
	server  *node // the server's identity, from the first modern result
	broken  []string
	stderr  string
}

// sentLine is a line of the client.
type sentLine struct {
	name    string // for people: "line 3"
	raw     []byte
	method  string
	version string
	notify  bool // a notification: nothing answers it
	waits   bool // an answer is to come
	keys    []string
	batch   bool
	answer  *node
}

// answer is a line of the server.
type answer struct {
	message *node
	to      *sentLine // what it answers; nil for notifications and strays
}

func (r *replay) problem(format string, args ...any) {
	r.broken = append(r.broken, fmt.Sprintf(format, args...))
}

// run is the conversation, up to the end of the process. Its error says why
// the conversation broke off.
func (r *replay) run(ctx context.Context, s Server) error {
	dir, err := os.MkdirTemp("", "mcptest-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // what the system keeps is no fault of the server
	if err := r.t.layDown(dir); err != nil {
		return err
	}
	limit := cmp.Or(r.t.start.timeout, defaultTimeout)
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	expand := func(words []string) []string {
		out := make([]string, len(words))
		for i, w := range words {
			out[i] = strings.ReplaceAll(w, "${DIR}", dir)
		}
		return out
	}
	r.p, err = start(ctx, s, dir, expand(r.t.start.args), expand(r.t.start.env))
	if err != nil {
		return err
	}
	defer func() {
		r.p.kill()
		r.stderr = r.p.stderr.String()
	}()
	if r.era.Version != "" && !Modern(r.era.Version) {
		if err := r.initialize(ctx); err != nil {
			return err
		}
	}
	if err := r.talk(ctx); err != nil {
		return err
	}
	if err := r.p.stdin.Close(); err != nil && !r.t.start.close {
		return fmt.Errorf("closing stdin: %w", err)
	}
	for { // whatever still comes
		err := r.read(ctx)
		if errors.Is(err, errStdoutClosed) {
			break
		}
		if err != nil {
			return fmt.Errorf("after stdin was closed: %w", r.late(err, limit))
		}
	}
	for _, l := range r.sent {
		if l.waits && l.answer == nil {
			r.problem("no answer to %s", l.name)
		}
	}
	code, err := r.p.wait(exitGrace)
	if err != nil {
		return err
	}
	if code != r.t.start.exit {
		r.problem("exit code %d, want %d", code, r.t.start.exit)
	}
	return nil
}

// talk sends the lines and waits for their answers: after each line, or with
// "pipeline" after the last.
func (r *replay) talk(ctx context.Context) error {
	cancelled := r.t.cancellations()
	for i, line := range r.t.send {
		if Modern(r.era.Version) {
			line = withMeta(line, r.era.Version)
		}
		l := r.describe(line)
		l.name = fmt.Sprintf("line %d of send: %s", i+1, clip(string(line)))
		if r.isCancelled(i, l, cancelled) {
			l.waits = false
		}
		if err := r.post(l); err != nil {
			return err
		}
		last := i == len(r.t.send)-1
		if r.t.start.close && last {
			return nil // stdin is closed while the last answer is on its way
		}
		if r.t.start.pipeline && !last {
			continue
		}
		if err := r.await(ctx); err != nil {
			return err
		}
	}
	return nil
}

// cancellations returns for each id the lines that cancel it.
func (t *Transcript) cancellations() map[string][]int {
	lines := map[string][]int{}
	for i, line := range t.send {
		if n, err := parseJSON(line); err == nil && n.get("method").isString("notifications/cancelled") {
			if id := n.get("params", "requestId"); id != nil {
				lines[scalarKey(id)] = append(lines[scalarKey(id)], i)
			}
		}
	}
	return lines
}

// isCancelled reports whether the next line, or with "pipeline" any later one,
// cancels the request of line i: then no answer may come, and one that does is
// found to be not wanted.
func (r *replay) isCancelled(i int, l *sentLine, cancelled map[string][]int) bool {
	return slices.ContainsFunc(l.keys, func(key string) bool {
		return slices.ContainsFunc(cancelled[key], func(by int) bool {
			return by == i+1 || by > i && r.t.start.pipeline
		})
	})
}

func (r *replay) post(l *sentLine) error {
	r.sent = append(r.sent, l)
	if err := r.p.send(l.raw); err != nil {
		return fmt.Errorf("sending %s: %w", l.name, err)
	}
	return nil
}

// await reads until nothing sent so far waits for an answer.
func (r *replay) await(ctx context.Context) error {
	for {
		i := slices.IndexFunc(r.sent, func(l *sentLine) bool { return l.waits && l.answer == nil })
		if i < 0 {
			return nil
		}
		if err := r.read(ctx); err != nil {
			return fmt.Errorf("no answer to %s: %w", r.sent[i].name, r.late(err, cmp.Or(r.t.start.timeout, defaultTimeout)))
		}
	}
}

func (r *replay) late(err error, limit time.Duration) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("nothing within %v", limit)
	}
	return err
}

// read takes one line of the server. A line that is no JSON-RPC is a problem,
// but does not end the conversation.
func (r *replay) read(ctx context.Context) error {
	line, err := r.p.next(ctx)
	if err != nil {
		return err
	}
	n, err := parseAnswer(line)
	if err != nil {
		r.problem("stdout holds something else than messages: %v: %q", err, clip(string(line)))
		return nil
	}
	a := &answer{message: n}
	r.got = append(r.got, a)
	if n.get("method") != nil {
		return nil
	}
	key := answerKey(n)
	for _, l := range r.sent {
		if l.answer == nil && !l.notify && (slices.Contains(l.keys, key) || l.batch && n.kind == kindArray) {
			l.answer, a.to = n, l
			break
		}
	}
	if a.to != nil && a.to.method == "initialize" {
		if v := n.get("result", "protocolVersion"); v != nil && v.kind == kindString {
			r.version, a.to.version = v.text, v.text
		}
	}
	return nil
}

// parseAnswer reads a line of the server: a message, or an array of them.
func parseAnswer(line []byte) (*node, error) {
	n, err := parseJSON(line)
	if err != nil {
		return nil, err
	}
	messages := []*node{n}
	if n.kind == kindArray {
		messages = n.items
	}
	for _, m := range messages {
		if m.kind != kindObject || !m.get("jsonrpc").isString("2.0") {
			return nil, errors.New(`no object with "jsonrpc":"2.0"`)
		}
	}
	return n, nil
}

// describe finds out what a line of the client asks for.
func (r *replay) describe(line []byte) *sentLine {
	l := &sentLine{raw: line, version: r.version}
	n, err := parseJSON(line)
	switch {
	case err != nil:
		l.waits, l.keys = strings.TrimSpace(string(line)) != "", []string{"null"}
	case n.kind == kindArray:
		l.batch, l.keys = true, []string{"null"}
		for _, item := range n.items {
			if id := item.get("id"); id != nil {
				l.keys = append(l.keys, scalarKey(id))
			}
		}
		l.waits = len(n.items) == 0 || len(l.keys) > 1
	case n.kind != kindObject:
		l.waits, l.keys = true, []string{"null"}
	default:
		if m := n.get("method"); m != nil && m.kind == kindString {
			l.method = m.text
		}
		if v := n.get("params", "_meta", metaVersion); v != nil && v.kind == kindString {
			l.version = v.text
		}
		id := n.get("id")
		l.notify = id == nil && l.method != "" && n.get("jsonrpc").isString("2.0")
		isResponse := l.method == "" && id != nil && (n.get("result") != nil || n.get("error") != nil)
		l.waits = !l.notify && !isResponse
		if id != nil && (id.kind == kindString || id.kind == kindNumber) {
			l.keys = append(l.keys, scalarKey(id))
		}
		if len(l.keys) == 0 || l.method == "" || !n.get("jsonrpc").isString("2.0") || !isID(id) {
			l.keys = append(l.keys, "null") // may be refused before its id is read
		}
	}
	return l
}

// isID reports whether the protocol allows the value as the id of a request.
func isID(id *node) bool {
	return id.kind == kindString || id.kind == kindNumber && !strings.ContainsAny(id.raw, ".eE")
}

// scalarKey names an id: two ids have the same key when they are the same
// exact JSON.
func scalarKey(id *node) string {
	if id.kind == kindString {
		return strconv.Quote(id.text)
	}
	return id.String()
}

// answerKey names what a message of the server belongs to: the id of the
// request, the ids of a batch, or, for notifications and requests, nothing.
func answerKey(n *node) string {
	if n.kind == kindArray {
		keys := make([]string, len(n.items))
		for i, item := range n.items {
			keys[i] = answerKey(item)
		}
		slices.Sort(keys)
		return "[" + strings.Join(keys, ",") + "]"
	}
	if n.get("method") != nil {
		return "message"
	}
	if id := n.get("id"); id != nil {
		return scalarKey(id)
	}
	return "null" // newer revisions may leave the id of an error out
}

// initialize does the handshake of the older versions.
func (r *replay) initialize(ctx context.Context) error {
	request := fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":%s}}`,
		initializeID, r.era.Version, clientInfo)
	l := r.describe([]byte(request))
	l.name = "initialize"
	if err := r.post(l); err != nil {
		return err
	}
	if err := r.await(ctx); err != nil {
		return err
	}
	if !l.answer.get("result", "protocolVersion").isString(r.era.Version) {
		return fmt.Errorf("initialize with version %s was answered %s", r.era.Version, show(l.answer))
	}
	done := r.describe([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
	done.name = "initialized"
	return r.post(done)
}

// withMeta adds the metadata of a stateless version to a request. A line that
// is no well-formed request goes out as it is.
func withMeta(line []byte, version string) []byte {
	n, err := parseJSON(line)
	if err != nil || n.kind != kindObject || n.get("id") == nil || n.get("method") == nil {
		return line
	}
	params := n.get("params")
	if params == nil {
		params = &node{kind: kindObject}
		n.set("params", params)
	}
	if params.kind != kindObject {
		return line
	}
	meta := params.get("_meta")
	if meta == nil {
		meta = &node{kind: kindObject}
		params.set("_meta", meta)
	}
	if meta.kind != kindObject {
		return line
	}
	meta.set(metaVersion, stringNode(version))
	meta.set(metaClient, mustParse(clientInfo))
	meta.set(metaCapabilities, mustParse("{}"))
	return []byte(n.String())
}

// cacheable are the methods whose modern results say how long they keep.
var cacheable = []string{
	"server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list", "resources/read",
}

// neutral returns a result of the modern era as the older one would have
// written it. What the era adds is checked here, strictly, and nothing else is
// taken away: a field the era does not call for stays, to be found unwanted.
func (r *replay) neutral(a *answer) reply {
	result := a.message.get("result")
	if result == nil || result.kind != kindObject {
		return reply{message: a.message}
	}
	n := a.message.clone()
	result = n.get("result")
	name := "the answer with id " + answerKey(n)
	if result.get("resultType").isString("complete") {
		result.remove("resultType")
	} else {
		r.problem(`%s: resultType has to be "complete" in %s`, name, r.version)
	}
	caches := a.to != nil && slices.Contains(cacheable, a.to.method)
	if caches {
		ttl, scope := result.get("ttlMs"), result.get("cacheScope")
		if ttl == nil || ttl.kind != kindNumber || strings.ContainsAny(ttl.raw, "-.eE") {
			r.problem("%s: ttlMs has to be a whole number of milliseconds in %s", name, r.version)
		}
		if !scope.isString("public") && !scope.isString("private") {
			r.problem(`%s: cacheScope has to be "public" or "private" in %s`, name, r.version)
		}
	}
	if meta := result.get("_meta"); meta != nil && meta.get(metaServer) != nil {
		r.identity(name, meta.get(metaServer))
		meta.remove(metaServer)
		if len(meta.members) == 0 {
			result.remove("_meta")
		}
	}
	return reply{message: n, caches: caches}
}

// identity checks that the server says who it is in the same way every time.
func (r *replay) identity(name string, info *node) {
	for _, field := range []string{"name", "version"} {
		if v := info.get(field); v == nil || v.kind != kindString || v.text == "" {
			r.problem("%s: %s has no %s: %s", name, metaServer, field, show(info))
		}
	}
	if r.server == nil {
		r.server = info
	}
	if !equal(r.server, info) {
		r.problem("%s: %s changed from %s to %s", name, metaServer, show(r.server), show(info))
	}
}

// judge hands the traffic to the check.
func (r *replay) judge(check Check) {
	if check == nil {
		return
	}
	report := func(m Message) {
		if err := check(m); err != nil {
			r.problem("not valid in %s: %v\n\t%s", m.Version, err, clip(string(m.Raw)))
		}
	}
	for _, l := range r.sent {
		if !l.batch && (l.notify || l.answer.get("result") != nil) && !r.t.start.offwire {
			report(Message{Version: l.version, Method: l.method, Raw: l.raw})
		}
	}
	for _, a := range r.got {
		messages := []*node{a.message}
		if a.message.kind == kindArray {
			messages = a.message.items
		}
		for _, n := range messages {
			m := Message{Version: r.version, FromServer: true, Raw: []byte(n.String())}
			if method := n.get("method"); method != nil && method.kind == kindString {
				m.Method = method.text
			} else if a.to != nil {
				m.Method, m.Version = r.methodOf(a.to, n), a.to.version
			}
			report(m)
		}
	}
}

// methodOf finds the request in a batch that the answer n belongs to.
func (r *replay) methodOf(l *sentLine, n *node) string {
	if !l.batch {
		return l.method
	}
	batch, err := parseJSON(l.raw)
	if err != nil {
		return ""
	}
	for _, item := range batch.items {
		if id, m := item.get("id"), item.get("method"); id != nil && m != nil && scalarKey(id) == answerKey(n) {
			return m.text
		}
	}
	return ""
}

// A reply is a message of the server, ready for comparison.
type reply struct {
	message *node
	// caches marks a result that the stateless era gave ttlMs and cacheScope.
	// Whether the older era gives them as well is the server's choice.
	caches bool
}

// against returns the reply as it has to be compared with a wanted message:
// without the fields for caching when that has none.
func (r reply) against(want *node) *node {
	if !r.caches || want.get("result", "ttlMs") != nil || want.get("result", "cacheScope") != nil {
		return r.message
	}
	n := r.message.clone()
	n.get("result").remove("ttlMs")
	n.get("result").remove("cacheScope")
	return n
}

// answers returns what the server said to the lines of the transcript, in the
// order of the requests; notifications and strays follow.
func (r *replay) answers() []reply {
	pick := func(a *answer) reply {
		if Modern(r.era.Version) {
			return r.neutral(a)
		}
		return reply{message: a.message}
	}
	var out []reply
	for _, l := range r.sent {
		for _, a := range r.got {
			if a.to == l && scalarKey(stringNode(initializeID)) != answerKey(a.message) {
				out = append(out, pick(a))
			}
		}
	}
	for _, a := range r.got {
		if a.to == nil {
			out = append(out, pick(a))
		}
	}
	return out
}

// compareAll matches answers by id, several with the same id in order, and
// returns how they differ.
func compareAll(want []*node, got []reply, varies []Vary) []string {
	var problems []string
	left := slices.Clone(got)
	for _, w := range want {
		key := answerKey(w)
		i := slices.IndexFunc(left, func(g reply) bool { return answerKey(g.message) == key })
		if i < 0 {
			problems = append(problems, fmt.Sprintf("no answer with id %s, want %s", key, show(w)))
			continue
		}
		if diffs := compare(w, left[i].against(w), varies); len(diffs) > 0 {
			problems = append(problems, fmt.Sprintf("the answer with id %s differs:\n\t%s\ngot %s",
				key, strings.Join(diffs, "\n\t"), show(left[i].message)))
		}
		left = slices.Delete(left, i, i+1)
	}
	for _, g := range left {
		problems = append(problems, fmt.Sprintf("not wanted, id %s: %s", answerKey(g.message), show(g.message)))
	}
	return problems
}
