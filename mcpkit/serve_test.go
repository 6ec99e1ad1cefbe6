package mcpkit

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// patience bounds waits for what must come; reaching it fails a test.
const patience = 10 * time.Second

type holdArgs struct {
	Key string `json:"key,omitempty" jsonschema:"names the call"`
}

type holdResult struct {
	Key string `json:"key" jsonschema:"the name of the call"`
}

// holder makes tools whose calls a test holds and lets go.
type holder struct {
	begun   chan string   // a call has begun
	ended   chan error    // a call has ended, with the error of its context
	release chan struct{} // closed to let them end
}

func newHolder() *holder {
	return &holder{begun: make(chan string, 100), ended: make(chan error, 100), release: make(chan struct{})}
}

// server has the tools hold, which minds its context, stubborn, which does not,
// and commit, which is uninterruptible and does not.
func (h *holder) server(opts *Options) *Server {
	s := New(Info{Name: "test", Version: "1"}, opts)
	add := func(name string, uninterruptible, minds bool) {
		Add(s, Tool[holdArgs, holdResult]{
			Name: name, Description: "Holds.", Uninterruptible: uninterruptible,
			Handle: func(ctx context.Context, in holdArgs) (holdResult, error) {
				h.begun <- in.Key
				done := ctx.Done()
				if !minds {
					done = nil
				}
				select {
				case <-h.release:
				case <-done:
				}
				h.ended <- ctx.Err()
				return holdResult(in), ctx.Err()
			},
		})
	}
	add("hold", false, true)
	add("stubborn", false, false)
	add("commit", true, false)
	return s
}

// await fails the test when ch does not deliver in time.
func await[T any](t *testing.T, what string, ch <-chan T) T {
	t.Helper()
	select {
	case v := <-ch:
		return v
	case <-time.After(patience):
		t.Fatalf("%s did not come", what)
	}
	panic("unreachable")
}

// pipes is the client's end of a Stdio transport.
type pipes struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *io.PipeReader
	sc   *bufio.Scanner
	over chan error // the result of Serve
}

// serveOver runs the server on a Stdio transport over pipes and does the handshake.
func serveOver(t *testing.T, ctx context.Context, s *Server, hurry chan os.Signal) *pipes {
	t.Helper()
	p := serveBare(t, ctx, s, hurry)
	p.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	p.line(`"id":0,"result"`)
	return p
}

// serveBare is serveOver without the handshake.
func serveBare(t *testing.T, ctx context.Context, s *Server, hurry chan os.Signal) *pipes {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	p := &pipes{t: t, in: inW, out: outR, sc: bufio.NewScanner(outR), over: make(chan error, 1)}
	go func() {
		p.over <- serve(ctx, s, &Stdio{In: inR, Out: outW}, hurry)
		outW.Close()
	}()
	t.Cleanup(func() { inW.Close(); outR.Close() })
	return p
}

func (p *pipes) send(line string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Fatal(err)
	}
}

func (p *pipes) call(id int, tool string) {
	p.t.Helper()
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{"key":"%d"}}}`, id, tool, id))
}

// line takes the next line, which must contain part.
func (p *pipes) line(part string) {
	p.t.Helper()
	if !p.sc.Scan() {
		p.t.Fatalf("the stream ended, want a line with %s", part)
	}
	if !strings.Contains(p.sc.Text(), part) {
		p.t.Fatalf("got %s, want a line with %s", p.sc.Text(), part)
	}
}

// awaitRefusal returns when the server takes no more requests. The end of a
// context takes effect a moment later; a request until then is served.
func (p *pipes) awaitRefusal() {
	p.t.Helper()
	for {
		p.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
		if p.line(`"id":2,`); strings.Contains(p.sc.Text(), "shutting down") {
			return
		}
	}
}

// end checks that Serve returned without an error and nothing more was written.
func (p *pipes) end() {
	p.t.Helper()
	if p.sc.Scan() {
		p.t.Errorf("left in the stream: %s", p.sc.Text())
	}
	if err := await(p.t, "the end of Serve", p.over); err != nil {
		p.t.Errorf("Serve: %v", err)
	}
}

func TestServe_EndOfContextFinishesRunningCalls(t *testing.T) {
	h := newHolder()
	ctx, stop := context.WithCancel(t.Context())
	p := serveOver(t, ctx, h.server(nil), nil)
	p.call(1, "hold")
	await(t, "the call", h.begun)
	stop()
	p.awaitRefusal()
	p.send(`{"jsonrpc":"2.0","id":3,"method":"ping"}`)
	p.line(`"id":3,"error":{"code":-32603`) // once refused, always refused
	close(h.release)
	if err := await(t, "the end of the call", h.ended); err != nil {
		t.Errorf("the call was cancelled: %v", err)
	}
	p.line(`"id":1,"result"`)
	p.end()
}

// On a clock that stands still while anybody works, the end of the context
// takes no time at all: nothing polls and nothing waits.
func TestServe_CancellationEndsTheContextAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHolder()
		p := serveOver(t, t.Context(), h.server(nil), nil)
		p.call(1, "hold")
		await(t, "the call", h.begun)
		begin := time.Now()
		p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
		if err := await(t, "the end of the call", h.ended); err == nil {
			t.Error("the call was not cancelled")
		}
		if d := time.Since(begin); d > 0 {
			t.Errorf("the context ended after %v", d)
		}
		p.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
		p.line(`"id":2,"result"`) // and not the answer to 1
		p.in.Close()
		p.end()
	})
}

func TestServe_DrainIsBounded(t *testing.T) {
	h := newHolder()
	ctx, stop := context.WithCancel(t.Context())
	p := serveOver(t, ctx, h.server(&Options{Limits: Limits{Drain: 50 * time.Millisecond}}), nil)
	p.call(1, "hold")
	await(t, "the call", h.begun)
	stop()
	p.line(`"id":1,"error":{"code":-32603`)
	if err := await(t, "the end of the call", h.ended); err == nil {
		t.Error("the call was not cancelled")
	}
	p.end()
}

func TestServe_ReturnsInSpiteOfAStubbornHandler(t *testing.T) {
	h := newHolder()
	p := serveOver(t, t.Context(), h.server(&Options{Limits: Limits{Drain: 50 * time.Millisecond}}), nil)
	p.call(1, "stubborn")
	await(t, "the call", h.begun)
	begin := time.Now()
	p.in.Close()
	p.line(`"id":1,"error":{"code":-32603`)
	p.end()
	if d := time.Since(begin); d < 50*time.Millisecond+farewell {
		t.Errorf("ended after %v, before the handler's time was over", d)
	}
	close(h.release)
	await(t, "the end of the call", h.ended)
}

func TestServe_UninterruptibleCallOutlastsTheDrain(t *testing.T) {
	h := newHolder()
	p := serveOver(t, t.Context(), h.server(&Options{Limits: Limits{Drain: 20 * time.Millisecond}}), nil)
	p.call(1, "commit")
	p.call(2, "hold")
	await(t, "the call", h.begun)
	await(t, "the call", h.begun)
	p.in.Close()
	p.line(`"id":2,"error":{"code":-32603`)
	await(t, "the end of the other call", h.ended)
	close(h.release)
	if err := await(t, "the end of the call", h.ended); err != nil {
		t.Errorf("the call was cancelled: %v", err)
	}
	p.line(`"id":1,"result"`)
	p.end()
}

func TestServe_SecondSignalHastens(t *testing.T) {
	h := newHolder()
	ctx, stop := context.WithCancel(t.Context())
	hurry := make(chan os.Signal)
	p := serveOver(t, ctx, h.server(&Options{Limits: Limits{Drain: time.Hour}}), hurry)
	p.call(1, "hold")
	await(t, "the call", h.begun)
	stop()
	p.awaitRefusal()
	hurry <- os.Interrupt
	p.line(`"id":1,"error":{"code":-32603`)
	p.end()
}

func TestServe_BrokenOutputIsAnError(t *testing.T) {
	s := newHolder().server(nil)
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	cause := errors.New("unplugged")
	outR.CloseWithError(cause)
	over := make(chan error, 1)
	go func() { over <- Serve(t.Context(), s, &Stdio{In: inR, Out: outW}) }()
	fmt.Fprintln(inW, `{"jsonrpc":"2.0","id":0,"method":"ping"}`)
	if err := await(t, "the end of Serve", over); !errors.Is(err, cause) {
		t.Errorf("Serve: %v, want %v", err, cause)
	}
	inW.Close()
}

func TestServe_ClientThatNeverReads(t *testing.T) {
	s := newHolder().server(&Options{Limits: Limits{Drain: 20 * time.Millisecond}})
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	over := make(chan error, 1)
	go func() { over <- Serve(t.Context(), s, &Stdio{In: inR, Out: outW}) }()
	fmt.Fprintln(inW, `{"jsonrpc":"2.0","id":0,"method":"ping"}`)
	inW.Close()
	if err := await(t, "the end of Serve", over); err == nil || !strings.Contains(err.Error(), "does not read") {
		t.Errorf("Serve: %v, want that the client does not read", err)
	}
	outR.Close()
}

func TestServe_ForeignTransport(t *testing.T) {
	h := newHolder()
	s := h.server(&Options{Limits: Limits{Drain: 50 * time.Millisecond}})
	ctx, stop := context.WithCancel(t.Context())
	ours, theirs := mcp.NewInMemoryTransports()
	over := make(chan error, 1)
	go func() { over <- Serve(ctx, s, ours) }()
	client := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	go session.CallTool(t.Context(), &mcp.CallToolParams{Name: "stubborn"})
	await(t, "the call", h.begun)
	stop()
	if err := await(t, "the end of Serve", over); !errors.Is(err, errHandlersRunning) {
		t.Errorf("Serve: %v, want %v", err, errHandlersRunning)
	}
	close(h.release)
	session.Close()
}

func TestServe_ForeignTransportClosedByTheClient(t *testing.T) {
	s := newHolder().server(nil)
	ours, theirs := mcp.NewInMemoryTransports()
	over := make(chan error, 1)
	go func() { over <- Serve(t.Context(), s, ours) }()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, nil).Connect(t.Context(), theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	session.Close()
	if err := await(t, "the end of Serve", over); err != nil {
		t.Errorf("Serve: %v", err)
	}
}

func TestServe_TransportThatDoesNotConnect(t *testing.T) {
	cause := errors.New("no carrier")
	if err := Serve(t.Context(), newHolder().server(nil), failingTransport{cause}); !errors.Is(err, cause) {
		t.Errorf("Serve: %v, want %v", err, cause)
	}
}

type failingTransport struct{ err error }

func (f failingTransport) Connect(context.Context) (mcp.Connection, error) { return nil, f.err }

// The transport keeps its promises under the SDK's own Run as well.
func TestStdio_UnderTheSDKsOwnRun(t *testing.T) {
	s := newHolder().server(nil)
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	over := make(chan error, 1)
	go func() {
		over <- s.SDK().Run(t.Context(), &Stdio{In: inR, Out: outW})
	}()
	go func() {
		fmt.Fprintln(inW, "nonsense")
		fmt.Fprintln(inW, `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`)
		inW.Close()
	}()
	sc := bufio.NewScanner(outR)
	sc.Scan()
	sc.Scan()
	if got, want := sc.Text(), `{"jsonrpc":"2.0","id":9007199254740993,"result":{}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if err := await(t, "the end of Run", over); err != nil {
		t.Errorf("Run: %v", err)
	}
}

func TestStdio_LineLimitOfTheServer(t *testing.T) {
	p := serveOver(t, t.Context(), newHolder().server(&Options{Limits: Limits{Line: 200}}), nil)
	p.send(strings.Repeat("x", 201))
	p.line("the line has 201 bytes; the most is 200")
	p.in.Close()
	p.end()
}

func TestRun_UnknownTransport(t *testing.T) {
	err := Run(t.Context(), newHolder().server(nil), RunOptions{Transport: "pigeon"})
	if err == nil || !strings.Contains(err.Error(), `"pigeon"`) {
		t.Errorf("Run: %v", err)
	}
}
