package wire

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds waits for what must come; reaching it fails a test.
const patience = 10 * time.Second

// peer is the client's end of a connection to an SDK server with a few tools.
type peer struct {
	t       *testing.T
	conn    *Conn
	session *mcp.ServerSession
	in      *io.PipeWriter
	lines   chan string
	over    chan struct{} // closed when the session has ended

	started chan string   // a tool called "hold" has begun, by its key
	ended   chan error    // and ended with this cause
	release chan struct{} // lets "hold" finish
}

// dial starts a server over a Conn. edit may change the configuration.
func dial(t *testing.T, edit func(*Config)) *peer {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	p := &peer{
		t: t, in: inW, lines: make(chan string, 10_000), over: make(chan struct{}),
		started: make(chan string, 2000), ended: make(chan error, 2000), release: make(chan struct{}),
	}
	cfg := Config{In: inR, Out: outW, Line: 1 << 20, Drain: patience, Logger: slog.New(slog.DiscardHandler)}
	if edit != nil {
		edit(&cfg)
	}
	go func() {
		defer close(p.lines)
		sc := bufio.NewScanner(outR)
		sc.Buffer(nil, 64<<20)
		for sc.Scan() {
			p.lines <- sc.Text()
		}
	}()
	server := p.server()
	session, err := server.Connect(t.Context(), transport{func() *Conn {
		p.conn = New(cfg)
		return p.conn
	}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p.session = session
	go func() {
		defer close(p.over)
		session.Wait()
		p.conn.Close()
		p.conn.Flush(context.Background())
		outW.Close()
	}()
	t.Cleanup(func() {
		inW.Close()
		outR.Close()
		p.finish()
		p.wait("end of the session", p.over)
		for range p.lines {
		}
	})
	return p
}

type transport struct{ connect func() *Conn }

func (t transport) Connect(context.Context) (mcp.Connection, error) { return t.connect(), nil }

// server has the tools echo (answers its arguments), hold (runs until it is
// released or cancelled), ask (asks the user something), report (sends
// progress), plain (fails with an error of no code).
func (p *peer) server() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{ListChanged: true}},
	})
	object := json.RawMessage(`{"type":"object"}`)
	text := func(s string) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}, nil
	}
	add := func(name string, h mcp.ToolHandler) {
		server.AddTool(&mcp.Tool{Name: name, Description: name, InputSchema: object}, h)
	}
	add("echo", func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return text(string(req.Params.Arguments))
	})
	add("hold", func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		p.started <- string(req.Params.Arguments)
		select {
		case <-p.release:
			p.ended <- nil
			return text("held")
		case <-ctx.Done():
			p.ended <- context.Cause(ctx)
			return text("cancelled")
		}
	})
	add("stubborn", func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		p.started <- string(req.Params.Arguments)
		<-p.release
		p.ended <- nil
		return text("done")
	})
	add("ask", func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		p.started <- "ask"
		res, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Go on?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`)})
		if err != nil {
			return text("error: " + err.Error())
		}
		return text("the user chose to " + res.Action)
	})
	add("report", func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		note := &mcp.ProgressNotificationParams{ProgressToken: req.Params.GetProgressToken(), Progress: 1}
		if err := req.Session.NotifyProgress(ctx, note); err != nil {
			return nil, err
		}
		p.started <- "report"
		<-p.release
		if err := req.Session.NotifyProgress(context.WithoutCancel(ctx), note); err != nil {
			return nil, err
		}
		return text("reported")
	})
	add("plain", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, errors.New("plain failure")
	})
	add("binary", func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{}, StructuredContent: json.RawMessage("{\"a\":\"\xff\"}")}, nil
	})
	return server
}

func (p *peer) send(lines ...string) {
	p.t.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(p.in, line+"\n"); err != nil {
			p.t.Fatalf("sending %.80q: %v", line, err)
		}
	}
}

// recv returns the next line from the server.
func (p *peer) recv() string {
	p.t.Helper()
	select {
	case line, ok := <-p.lines:
		if !ok {
			p.t.Fatal("the connection ended, want a line")
		}
		return line
	case <-time.After(patience):
		p.t.Fatal("no line came")
	}
	return ""
}

// want receives a line and compares it as JSON text.
func (p *peer) want(line string) {
	p.t.Helper()
	if got := p.recv(); got != line {
		p.t.Fatalf("got  %.300s\nwant %.300s", got, line)
	}
}

// wantError receives an error and checks its id, code and a part of its message.
func (p *peer) wantError(id string, code int, part string) {
	p.t.Helper()
	line := p.recv()
	var m struct {
		ID    json.RawMessage
		Error *struct {
			Code    int
			Message string
		}
	}
	if err := json.Unmarshal([]byte(line), &m); err != nil || m.Error == nil {
		p.t.Fatalf("got %.200s, want an error", line)
	}
	if string(m.ID) != id || m.Error.Code != code || !strings.Contains(m.Error.Message, part) {
		p.t.Fatalf("got id %s, code %d, %q; want id %s, code %d, …%s…", m.ID, m.Error.Code, m.Error.Message, id, code, part)
	}
}

// wantEnd checks that the session ends and nothing more comes.
func (p *peer) wantEnd() {
	p.t.Helper()
	p.wait("end of the session", p.over)
	if line, ok := <-p.lines; ok {
		p.t.Fatalf("got %s, want nothing more", line)
	}
}

func (p *peer) wait(what string, ch <-chan struct{}) {
	p.t.Helper()
	select {
	case <-ch:
	case <-time.After(patience):
		p.t.Fatalf("no %s", what)
	}
}

func (p *peer) begun() string {
	p.t.Helper()
	select {
	case key := <-p.started:
		return key
	case <-time.After(patience):
		p.t.Fatal("the call did not start")
	}
	return ""
}

// finish lets every held call end.
func (p *peer) finish() {
	select {
	case <-p.release:
	default:
		close(p.release)
	}
}

// initialize does the handshake of a protocol version.
func (p *peer) initialize(version string) {
	p.t.Helper()
	p.send(handshake(version)...)
	if line := p.recv(); !strings.Contains(line, `"protocolVersion":"`+version+`"`) {
		p.t.Fatalf("initialize answered %s", line)
	}
}

func handshake(version string) []string {
	return []string{
		`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
	}
}

func ping(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}` }
func pong(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"result":{}}` }
func toolCall(id, tool, args string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + args + `}}`
}
func toolText(id, text string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[{"type":"text","text":` + string(quote(text)) + `}]}}`
}

func TestConn_BadLinesAreAnsweredAndTheNextGoodOneToo(t *testing.T) {
	deep := strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
	for _, tt := range []struct {
		name, line string
		id         string
		code       int
		part       string
	}{
		{"malformed", `{"jsonrpc":"2.0","id":5,`, "null", -32700, "parse error"},
		{"no JSON", `hello`, "null", -32700, "parse error"},
		{"two values", `{} {}`, "null", -32700, "parse error"},
		{"NUL", "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}\x00", "null", -32700, "parse error"},
		{"invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"p\xffing\"}", "null", -32700, "UTF-8"},
		{"cut UTF-8", "\"\xe2\x82\"", "null", -32700, "UTF-8"},
		{"oversize", `{"jsonrpc":"2.0","id":5,"method":"ping","params":{"a":"` + strings.Repeat("x", 1<<20) + `"}}`, "null", -32700, "the most is 1048576"},
		{"scalar", `5`, "null", -32600, "object"},
		{"string", `"ping"`, "null", -32600, "object"},
		{"null", `null`, "null", -32600, "object"},
		{"empty object", `{}`, "null", -32600, "jsonrpc"},
		{"no version", `{"id":7,"method":"ping"}`, "7", -32600, "jsonrpc"},
		{"wrong version", `{"jsonrpc":"1.0","id":"a","method":"ping"}`, `"a"`, -32600, "jsonrpc"},
		{"version is a number", `{"jsonrpc":2.0,"id":"a","method":"ping"}`, `"a"`, -32600, "jsonrpc"},
		{"id is null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, "null", -32600, "id"},
		{"id is an array", `{"jsonrpc":"2.0","id":[1],"method":"ping"}`, "null", -32600, "id"},
		{"id is true", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, "null", -32600, "id"},
		{"no method", `{"jsonrpc":"2.0","id":7}`, "7", -32600, "method"},
		{"method is a number", `{"jsonrpc":"2.0","id":7,"method":1}`, "7", -32600, "method"},
		{"params is a string", `{"jsonrpc":"2.0","id":7,"method":"ping","params":"x"}`, "7", -32600, "params"},
		{"params is a number", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":1}`, "7", -32600, "params"},
		{"params is an array", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[1]}`, "7", -32602, "params"},
		{"params is null", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":null}`, "7", -32602, "params"},
		{"params is missing", `{"jsonrpc":"2.0","id":7,"method":"tools/call"}`, "7", -32602, "params"},
		{"name is a number", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":1}}`, "7", -32602, `invalid params: "name" must be of type string`},
		{"duplicate id", `{"jsonrpc":"2.0","id":7,"id":8,"method":"ping"}`, "null", -32600, `"id" is given twice`},
		{"duplicate method", `{"jsonrpc":"2.0","id":7,"method":"ping","\u006dethod":"tools/list"}`, "7", -32600, `"method" is given twice`},
		{"10k nesting", `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":` + deep + `}}`, "7", -32600, "10002 levels"},
		{"empty method", `{"jsonrpc":"2.0","id":7,"method":""}`, "7", -32601, ""},
		{"unknown method", `{"jsonrpc":"2.0","id":7,"method":"no/such"}`, "7", -32601, "no/such"},
		{"second initialize", handshake("2025-06-18")[0], `"init"`, -32600, "initialize"},
		{"plain error of a handler", toolCall("7", "plain", "{}"), "7", -32603, "plain failure"},
		{"empty batch", `[]`, "null", -32600, "batch"},
		{"batch in a version without", `[` + ping("1") + `]`, "null", -32600, "batch"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := dial(t, nil)
			p.initialize("2025-06-18")
			p.send(tt.line)
			p.wantError(tt.id, tt.code, tt.part)
			p.send(ping(`"after"`))
			p.want(pong(`"after"`))
		})
	}
}

func TestConn_WhatNobodyCanAnswerIsPassedOver(t *testing.T) {
	for _, tt := range []struct{ name, line string }{
		{"blank", ""}, {"spaces", " \t "}, {"CR", "\r"},
		{"unknown notification", `{"jsonrpc":"2.0","method":"notifications/no_such"}`},
		{"notification with bad params", `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":"x"}}`},
		{"notification without its params", `{"jsonrpc":"2.0","method":"notifications/progress"}`},
		{"cancellation of nothing", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`},
		{"cancellation without an id", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}`},
		{"cancellation without params", `{"jsonrpc":"2.0","method":"notifications/cancelled"}`},
		{"cancellation of an object", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{"a":1}}}`},
		{"response to nothing", `{"jsonrpc":"2.0","id":1,"result":{}}`},
		{"error without an id", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}`},
		{"error of a wrong shape", `{"jsonrpc":"2.0","id":1,"error":[]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := dial(t, nil)
			p.initialize("2025-06-18")
			p.send(tt.line, ping("1"))
			p.want(pong("1"))
		})
	}
}

func TestConn_CRLFAndBOM(t *testing.T) {
	p := dial(t, nil)
	p.send("\xef\xbb\xbf" + ping("1") + "\r")
	p.want(pong("1"))
	p.send(ping("2") + "\r")
	p.want(pong("2"))
}

func TestConn_IDsComeBackAsWritten(t *testing.T) {
	p := dial(t, nil)
	for _, id := range []string{
		"0", "-1", "1.0", "1e3", "9007199254740993", "18446744073709551615", "123456789012345678901234567890",
		`""`, `"a"`, `"caf\u00e9"`, `"café"`, `"\ud800"`, `"a\/b"`, `"` + strings.Repeat("x", 1000) + `"`, `"1"`, "1",
	} {
		p.send(ping(id))
		p.want(pong(id))
	}
}

func TestConn_FractionIsNoID(t *testing.T) {
	p := dial(t, nil)
	for _, id := range []string{"1.5", "-0.1", "1e-1", "1e400"} {
		p.send(ping(id))
		p.wantError("null", -32600, "a string or a whole number, got "+id)
	}
	p.send(ping("2"))
	p.want(pong("2"))
}

func TestConn_SameIDTwiceAtOnceIsRefused(t *testing.T) {
	p := dial(t, nil)
	p.initialize("2025-06-18")
	p.send(toolCall(`"é"`, "hold", "{}"))
	p.begun()
	p.send(ping(`"\u00e9"`))
	p.wantError(`"\u00e9"`, -32600, "under way")
	p.finish()
	p.want(toolText(`"é"`, "held"))
	p.send(ping(`"é"`))
	p.want(pong(`"é"`))
}

func TestConn_RequestBeforeInitialize(t *testing.T) {
	p := dial(t, nil)
	p.send(toolCall("1", "echo", "{}"))
	p.wantError("1", -32600, "initialization")
	p.initialize("2025-06-18")
}

func TestConn_RefusalsDoNotRepeatTheMessage(t *testing.T) {
	p := dial(t, nil)
	p.initialize("2025-06-18")
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":1,"arguments":{"a":"` + strings.Repeat("x", 100_000) + `"}}}`)
	if line := p.recv(); strings.Contains(line, "xxx") || strings.Contains(line, "*mcp") {
		t.Errorf("got %.300s", line)
	}
	p.send(`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("é", 100_000) + `"}`)
	if line := p.recv(); len(line) > 1000 || !strings.Contains(line, "…") {
		t.Errorf("the refusal has %d bytes", len(line))
	}
}

func TestConn_InvalidUTF8OfAHandlerDoesNotReachTheClient(t *testing.T) {
	p := dial(t, nil)
	p.initialize("2025-06-18")
	p.send(toolCall("1", "binary", "{}"))
	p.want(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"a":"` + "\uFFFD" + `"}}}`)
}

func TestConn_Batch(t *testing.T) {
	start := func(t *testing.T) *peer {
		p := dial(t, nil)
		p.initialize("2025-03-26")
		return p
	}
	t.Run("answers come as one array in the order of the requests", func(t *testing.T) {
		p := start(t)
		p.send(`[`+toolCall("1", "hold", "{}")+`,`+ping(`2.0`)+`,{"jsonrpc":"2.0","method":"notifications/x"},5,`+ping("1")+`]`, ping("3"))
		p.want(pong("3")) // so the batch has been taken in whole
		p.begun()
		p.finish()
		p.want(`[` + toolText("1", "held") + `,` + pong("2.0") +
			`,{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a message is a JSON object"}}` +
			`,{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"a request with this id is still under way"}}]`)
	})
	t.Run("notifications alone have no answer", func(t *testing.T) {
		p := start(t)
		p.send(`[{"jsonrpc":"2.0","method":"notifications/x"}]`, ping("1"))
		p.want(pong("1"))
	})
	t.Run("a cancelled request is left out", func(t *testing.T) {
		p := start(t)
		p.send(`[` + toolCall("1", "hold", "{}") + `,` + ping("2") + `]`)
		p.begun()
		p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
		p.want(`[` + pong("2") + `]`)
	})
	t.Run("all cancelled, no answer", func(t *testing.T) {
		p := start(t)
		p.send(`[` + toolCall("1", "hold", "{}") + `]`)
		p.begun()
		p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, ping("2"))
		p.want(pong("2"))
	})
	t.Run("right behind initialize", func(t *testing.T) {
		p := dial(t, nil)
		p.send(append(handshake("2025-03-26"), `[`+ping("1")+`]`)...)
		p.recv()
		p.want(`[` + pong("1") + `]`)
	})
	t.Run("finished by the end of the input", func(t *testing.T) {
		p := start(t)
		p.send(`[` + toolCall("1", "echo", "{}") + `,` + ping("2") + `]`)
		p.in.Close()
		p.want(`[` + toolText("1", "{}") + `,` + pong("2") + `]`)
		p.wantEnd()
	})
	for _, version := range []string{"2024-11-05", "2025-06-18", "2025-11-25"} {
		t.Run("refused in "+version, func(t *testing.T) {
			p := dial(t, nil)
			p.initialize(version)
			p.send(`[` + ping("1") + `]`)
			p.wantError("null", -32600, "batches")
		})
	}
}

func TestConn_CancelledCallIsNotAnswered(t *testing.T) {
	p := dial(t, nil)
	p.initialize("2025-06-18")
	best := patience // of several, because the machine may be busy
	for _, id := range []string{"9007199254740993", `"café"`, "1", "2", "3"} {
		p.send(toolCall(id, "hold", "{}"))
		p.begun()
		start := time.Now()
		p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"reason":"r","requestId":` + strings.ReplaceAll(id, "é", `\u00e9`) + `}}`)
		select {
		case err := <-p.ended:
			if err == nil {
				t.Fatal("the call ended by itself")
			}
		case <-time.After(patience):
			t.Fatal("the context did not end")
		}
		best = min(best, time.Since(start))
		p.send(ping(id)) // the id is free again, and the next answer is this one
		p.want(pong(id))
	}
	if best > 50*time.Millisecond {
		t.Errorf("the context ended after %v at best, want 50ms", best)
	}
}

func TestConn_InitializeCannotBeCancelled(t *testing.T) {
	p := dial(t, nil)
	p.send(handshake("2025-06-18")[0], `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"init"}}`)
	if line := p.recv(); !strings.Contains(line, `"id":"init","result"`) {
		t.Errorf("got %s, want the result of initialize", line)
	}
}

func TestConn_ProgressTokensComeBackAsWritten(t *testing.T) {
	for _, token := range []string{"9007199254740993", "1.50", `"t\u00e9"`, "7"} {
		p := dial(t, nil)
		p.initialize("2025-06-18")
		p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"progressToken": ` + token + ` },"name":"report"}}`)
		p.want(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + token + `,"progress":1}}`)
		p.finish()
		p.want(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + token + `,"progress":1}}`)
		p.want(toolText("1", "reported"))
	}
}

func TestConn_NoProgressAfterCancellation(t *testing.T) {
	p := dial(t, nil)
	p.initialize("2025-06-18")
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"progressToken":1},"name":"report"}}`)
	p.begun()
	p.recv()
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, ping("2"))
	p.want(pong("2"))
	p.finish()
	p.send(ping("3"))
	p.want(pong("3"))
}

func TestConn_ServerRequests(t *testing.T) {
	p := dial(t, nil)
	p.initialize("2025-06-18")
	p.send(toolCall("1", "ask", "{}"))
	var ask struct {
		ID     json.RawMessage
		Method string
	}
	if err := json.Unmarshal([]byte(p.recv()), &ask); err != nil || ask.Method != "elicitation/create" {
		t.Fatalf("got %+v, %v", ask, err)
	}
	p.send(`{"jsonrpc":"2.0","id":"other","result":{}}`, `{"jsonrpc":"2.0","id":`+string(ask.ID)+`,"result":{"action":"decline"}}`)
	p.want(toolText("1", "the user chose to decline"))
}

func TestConn_EndOfInputAnswersEverythingAccepted(t *testing.T) {
	p := dial(t, nil)
	p.send(handshake("2025-06-18")...)
	const n = 300
	for i := range n {
		p.send(toolCall(fmt.Sprint(i), "echo", "{}"))
	}
	p.in.Close()
	p.recv()
	seen := map[string]bool{}
	for range n {
		seen[p.recv()] = true
	}
	if len(seen) != n {
		t.Errorf("%d different answers, want %d", len(seen), n)
	}
	p.wantEnd()
}

func TestConn_EndOfInputWaitsForARunningCall(t *testing.T) {
	p := dial(t, nil)
	p.initialize("2025-06-18")
	p.send(toolCall("1", "hold", "{}"))
	p.begun()
	p.in.Close()
	select {
	case err := <-p.ended:
		t.Fatalf("the call ended at the end of the input: %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	p.finish()
	p.want(toolText("1", "held"))
	p.wantEnd()
}

func TestConn_LastLineWithoutLineFeed(t *testing.T) {
	p := dial(t, nil)
	io.WriteString(p.in, ping("1"))
	p.in.Close()
	p.want(pong("1"))
	p.wantEnd()
}

func TestConn_UnfinishedAfterDrain(t *testing.T) {
	p := dial(t, func(c *Config) { c.Drain = 50 * time.Millisecond })
	p.initialize("2025-06-18")
	p.send(toolCall("1", "hold", "{}"))
	p.begun()
	p.in.Close()
	p.wantError("1", -32603, "before the request was finished")
	if err := <-p.ended; err == nil {
		t.Error("the handler's context did not end")
	}
	p.wantEnd()
}

func TestConn_AwaitedToolOutlastsTheDrain(t *testing.T) {
	p := dial(t, func(c *Config) {
		c.Drain = 50 * time.Millisecond
		c.Await = func(tool string) bool { return tool == "stubborn" }
	})
	p.initialize("2025-06-18")
	p.send(toolCall("1", "stubborn", "{}"), toolCall("2", "hold", "{}"), toolCall("3", "stubborn", "{}"))
	p.begun()
	p.begun()
	p.begun()
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`)
	p.in.Close()
	p.wantError("2", -32603, "before the request was finished")
	select {
	case <-p.conn.Released():
		t.Fatal("the connection ended before the awaited call")
	case <-time.After(100 * time.Millisecond):
	}
	p.finish()
	p.want(toolText("1", "done"))
	p.wantEnd()
}

func TestConn_StopRefusesNewRequestsAndFinishesTheOld(t *testing.T) {
	p := dial(t, nil)
	p.initialize("2025-06-18")
	p.send(toolCall("1", "hold", "{}"))
	p.begun()
	p.conn.Stop()
	p.send(ping("2"))
	p.wantError("2", -32603, "shutting down")
	p.finish()
	p.want(toolText("1", "held"))
	p.wantEnd()
}

func TestConn_CancellationDuringStop(t *testing.T) {
	p := dial(t, nil)
	p.initialize("2025-06-18")
	p.send(toolCall("1", "hold", "{}"))
	p.begun()
	p.conn.Stop()
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	p.wantEnd()
}

func TestConn_StopDuringDrainHastens(t *testing.T) {
	p := dial(t, func(c *Config) { c.Drain = time.Hour })
	p.initialize("2025-06-18")
	p.send(toolCall("1", "hold", "{}"))
	p.begun()
	p.in.Close()
	for draining := false; !draining; { // until the reader has seen the end
		p.conn.mu.Lock()
		draining = p.conn.draining
		p.conn.mu.Unlock()
	}
	start := time.Now()
	p.conn.Stop()
	p.wantError("1", -32603, "before the request was finished")
	if d := time.Since(start); d < hastened {
		t.Errorf("given up after %v, want %v", d, hastened)
	}
	p.wantEnd()
}

func TestConn_StopOfAnIdleConnectionEndsIt(t *testing.T) {
	p := dial(t, nil)
	p.initialize("2025-06-18")
	p.conn.Stop()
	p.wantEnd()
}

const modern = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

func TestConn_ListenEndsWithTheInput(t *testing.T) {
	p := dial(t, nil)
	p.send(`{"jsonrpc":"2.0","id":9007199254740993,"method":"subscriptions/listen","params":{` + modern + `,"notifications":{"toolsListChanged":true}}}`)
	if line := p.recv(); !strings.Contains(line, `"io.modelcontextprotocol/subscriptionId":9007199254740993`) {
		t.Errorf("acknowledgement %s lacks the id as written", line)
	}
	p.in.Close()
	if line := p.recv(); !strings.HasPrefix(line, `{"jsonrpc":"2.0","id":9007199254740993,"result":`) ||
		!strings.Contains(line, `"io.modelcontextprotocol/subscriptionId":9007199254740993`) {
		t.Errorf("the listen ended with %s", line)
	}
	p.wantEnd()
}

func TestConn_CancelledListenIsNotAnswered(t *testing.T) {
	p := dial(t, nil)
	p.send(`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{` + modern + `,"notifications":{"toolsListChanged":true}}}`)
	p.recv()
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	p.in.Close()
	p.wantEnd()
}

func TestConn_ServerRequestEndsWithTheInput(t *testing.T) {
	p := dial(t, func(c *Config) { c.Drain = time.Hour })
	p.initialize("2025-06-18")
	p.send(toolCall("1", "ask", "{}"))
	p.recv()
	p.in.Close()
	if line := p.recv(); !strings.Contains(line, "the client has closed its side") {
		t.Errorf("got %s", line)
	}
	p.wantEnd()
}

func TestConn_ManyRequestsAtOnceAreHeldBack(t *testing.T) {
	p := dial(t, nil)
	p.initialize("2025-06-18")
	const n = maxPending + 500
	go func() {
		for i := range n {
			io.WriteString(p.in, toolCall(fmt.Sprint(i), "hold", "{}")+"\n")
		}
		p.in.Close()
	}()
	for range maxPending {
		p.begun()
	}
	p.conn.mu.Lock()
	pending := len(p.conn.calls)
	p.conn.mu.Unlock()
	if pending > maxPending {
		t.Errorf("%d requests under way, want at most %d", pending, maxPending)
	}
	p.finish()
	for range n {
		if line := p.recv(); !strings.Contains(line, "held") {
			t.Fatalf("got %s", line)
		}
	}
	p.wantEnd()
}

func TestConn_LargeRequestsAtOnceAreHeldBack(t *testing.T) {
	const most, size, fit, n = 95_000, 10_000, 10, 15
	p := dial(t, func(c *Config) { c.held = most })
	p.initialize("2025-06-18")
	args := `{"a":"` + strings.Repeat("x", size) + `"}`
	go func() {
		for i := range n {
			io.WriteString(p.in, toolCall(fmt.Sprint(i), "hold", args)+"\n")
		}
		p.in.Close()
	}()
	for range fit {
		p.begun()
	}
	p.conn.mu.Lock()
	pending, held := len(p.conn.calls), p.conn.held
	p.conn.mu.Unlock()
	if pending != fit || held < most || held > most+2*size {
		t.Errorf("%d requests of %d bytes under way, want %d of just over %d", pending, held, fit, most)
	}
	p.finish()
	for range n {
		if line := p.recv(); !strings.Contains(line, "held") {
			t.Fatalf("got %.200s", line)
		}
	}
	p.wantEnd()
	p.conn.mu.Lock()
	defer p.conn.mu.Unlock()
	if p.conn.held != 0 {
		t.Errorf("%d bytes are held at the end", p.conn.held)
	}
}

// A client that has filled the connection with calls that do not end must still
// be able to cancel them, and the end of the input must still be noticed.
func TestConn_FullOfCallsThatDoNotEnd(t *testing.T) {
	p := dial(t, func(c *Config) { c.stall, c.Drain = 20*time.Millisecond, 20*time.Millisecond })
	p.initialize("2025-06-18")
	for i := range maxPending {
		p.send(toolCall(fmt.Sprint(i), "hold", "{}"))
	}
	for range maxPending {
		p.begun()
	}
	p.send(toolCall("7000", "hold", "{}"), toolCall("7001", "hold", "{}"))
	p.wantError("7000", -32603, "1024 requests are under way")
	p.wantError("7001", -32603, "1024 requests are under way")
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`)
	if err := <-p.ended; err == nil {
		t.Error("the call was not cancelled")
	}
	for { // the room is there once the SDK has taken note of the end
		p.send(ping("7002"))
		line := p.recv()
		if line == pong("7002") {
			break
		}
		if !strings.Contains(line, "1024 requests are under way") {
			t.Fatalf("got %s", line)
		}
	}
	p.in.Close()
	for range maxPending - 1 {
		if line := p.recv(); !strings.Contains(line, "-32603") {
			t.Fatalf("got %s", line)
		}
	}
	p.wantEnd()
}

// Work that is awaited must come to its end although the client asked for
// progress and reads nothing.
func TestConn_ProgressDoesNotWaitForAClientThatDoesNotRead(t *testing.T) {
	out := &lockedWriter{}
	p := dial(t, func(c *Config) { out.w, c.Out = c.Out, out })
	p.initialize("2025-06-18")
	p.send(toolCall("1", "hold", "{}"))
	p.begun() // so the answers before it are written in full
	out.mu.Lock()
	defer out.mu.Unlock()
	p.conn.out.put(make([]byte, maxQueued+1), false)
	p.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"_meta":{"progressToken":1},"name":"report"}}`)
	if got := p.begun(); got != "report" { // after its first progress
		t.Errorf("begun %q", got)
	}
}

// lockedWriter writes while nobody else holds the lock.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}

// A client that sends a lot before it reads anything must not lock up the
// connection, and the answers must all come.
func TestConn_ClientThatReadsLate(t *testing.T) {
	gate := make(chan struct{})
	var out *gatedWriter
	p := dial(t, func(c *Config) {
		out = &gatedWriter{w: c.Out, gate: gate}
		c.Out = out
	})
	p.send(handshake("2025-06-18")...)
	for i := range 5000 {
		if i%2 == 0 {
			p.send("nonsense")
		} else {
			p.send(toolCall(fmt.Sprint(i), "echo", `{"a":1}`))
		}
	}
	p.in.Close()
	close(gate)
	p.recv()
	for range 5000 {
		p.recv()
	}
	p.wantEnd()
}

type gatedWriter struct {
	w    io.Writer
	gate chan struct{}
}

func (g *gatedWriter) Write(b []byte) (int, error) {
	<-g.gate
	return g.w.Write(b)
}

func TestConn_BrokenOutputEndsTheConnection(t *testing.T) {
	gate := make(chan struct{})
	p := dial(t, func(c *Config) {
		c.Out = brokenWriter{gate}
		c.Await = func(tool string) bool { return tool == "stubborn" }
	})
	p.send(handshake("2025-06-18")...)
	p.send(toolCall("1", "hold", "{}"), toolCall("2", "stubborn", "{}"))
	p.begun()
	p.begun()
	close(gate)
	if err := <-p.ended; err == nil {
		t.Error("the call was not cancelled")
	}
	select {
	case <-p.conn.Released():
		t.Fatal("the connection ended before the awaited call")
	case <-time.After(50 * time.Millisecond):
	}
	p.finish()
	p.wait("end of the session", p.over)
	if err := p.conn.Err(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Err() = %v, want the cause", err)
	}
}

type brokenWriter struct{ gate chan struct{} }

func (b brokenWriter) Write([]byte) (int, error) {
	<-b.gate
	return 0, os.ErrClosed
}

func TestWriter_NoLockIsHeldWhileAWriteBlocks(t *testing.T) {
	gate := make(chan struct{})
	var buf bytes.Buffer
	w := newWriter(&gatedWriter{w: &buf, gate: gate}, func(err error) { t.Error(err) })
	var wg sync.WaitGroup
	for i := range 100 { // returns only if nothing waits for the blocked write
		wg.Go(func() { w.put(fmt.Append(nil, i), true) })
	}
	wg.Wait()
	close(gate)
	w.finish()
	<-w.done
	if n := bytes.Count(buf.Bytes(), []byte("\n")); n != 100 {
		t.Errorf("%d lines written, want 100", n)
	}
}

func TestWriter_WaitsWhenALotIsQueued(t *testing.T) {
	gate := make(chan struct{})
	w := newWriter(&gatedWriter{w: io.Discard, gate: gate}, func(err error) { t.Error(err) })
	w.put(make([]byte, maxQueued+1), false)
	waited := make(chan struct{})
	go func() {
		w.put([]byte("x"), true)
		close(waited)
	}()
	select {
	case <-waited:
		t.Error("did not wait")
	case <-time.After(50 * time.Millisecond):
	}
	close(gate)
	<-waited
	w.finish()
	<-w.done
}

func TestWriter_NobodyWaitsAfterTheEnd(t *testing.T) {
	gate := make(chan struct{})
	w := newWriter(&gatedWriter{w: io.Discard, gate: gate}, func(err error) { t.Error(err) })
	w.put(make([]byte, maxQueued+1), false)
	waited := make(chan struct{})
	go func() {
		w.waitForRoom()
		close(waited)
	}()
	w.finish()
	select {
	case <-waited:
	case <-time.After(patience):
		t.Error("still waiting")
	}
	close(gate)
	<-w.done
}

// FuzzConn sends anything at all, then a good request, which must be answered,
// and every line that comes must be a message.
func FuzzConn(f *testing.F) {
	for _, s := range []string{
		"nonsense", "[]", "[1]\n{}\n", "\xff\xfe", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, handshake("2025-03-26")[0] + "\n[" + ping("1") + "]",
		handshake("2025-06-18")[0] + "\n" + toolCall("1", "echo", "null") + "\n" + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{` + modern + `,"notifications":{"toolsListChanged":true}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{` + modern + `,"name":"echo","arguments":[]}}`,
		`{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt"},"argument":null}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if bytes.Contains(data, []byte("hold")) || bytes.Contains(data, []byte("stubborn")) || bytes.Contains(data, []byte("report")) {
			return // tools that wait for the test
		}
		p := dial(t, nil)
		go func() { // the answers may come before all is sent
			p.in.Write(data)
			io.WriteString(p.in, "\n"+ping(`"the good one"`)+"\n")
		}()
		for {
			line := p.recv()
			if !json.Valid([]byte(line)) {
				t.Fatalf("%q is no JSON", line)
			}
			if line == pong(`"the good one"`) {
				return
			}
		}
	})
}
