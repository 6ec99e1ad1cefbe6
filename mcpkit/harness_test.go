package mcpkit

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// client talks raw JSON-RPC to a server over the SDK's own line transport, so
// that tests see the bytes and not what a client library makes of them.
type client struct {
	tb  testing.TB
	in  io.WriteCloser
	dec *json.Decoder

	mu   sync.Mutex
	next int
	seen []json.RawMessage // notifications
}

type reply struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

// toolAnswer is the answer of a tools/call.
type toolAnswer struct {
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	Structured json.RawMessage            `json:"structuredContent"`
	IsError    bool                       `json:"isError"`
	Meta       map[string]json.RawMessage `json:"_meta"`
}

func (a toolAnswer) text(tb testing.TB) string {
	tb.Helper()
	if len(a.Content) == 0 {
		tb.Fatal("the answer has no text block")
	}
	return a.Content[0].Text
}

// dial connects a client without a handshake.
func dial(tb testing.TB, s *Server) *client {
	tb.Helper()
	s.checkResults = true
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.sdk.Run(ctx, &mcp.IOTransport{Reader: inR, Writer: outW})
		outW.Close()
	}()
	tb.Cleanup(func() {
		inW.Close()
		go io.Copy(io.Discard, outR)
		cancel()
		<-done
		outR.Close()
	})
	return &client{tb: tb, in: inW, dec: json.NewDecoder(outR)}
}

// connect connects a client of the given initialize revision.
func connect(tb testing.TB, s *Server) *client {
	tb.Helper()
	c := dial(tb, s)
	r := c.request("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
	if r.Error != nil {
		tb.Fatalf("initialize: %+v", r.Error)
	}
	c.notify("notifications/initialized", `{}`)
	return c
}

func (c *client) send(line string) {
	c.tb.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.tb.Fatal(err)
	}
}

func (c *client) notify(method, params string) {
	c.send(`{"jsonrpc":"2.0","method":"` + method + `","params":` + params + `}`)
}

// start sends a request and returns its id.
func (c *client) start(method, params string) string {
	c.mu.Lock()
	c.next++
	id, _ := json.Marshal(c.next)
	c.mu.Unlock()
	c.send(`{"jsonrpc":"2.0","id":` + string(id) + `,"method":"` + method + `","params":` + params + `}`)
	return string(id)
}

// read returns the next message.
func (c *client) read() reply {
	c.tb.Helper()
	var raw json.RawMessage
	if err := c.dec.Decode(&raw); err != nil {
		c.tb.Fatalf("reading an answer: %v", err)
	}
	var r reply
	if err := json.Unmarshal(raw, &r); err != nil {
		c.tb.Fatalf("reading %s: %v", raw, err)
	}
	return r
}

// await returns the answer to a request; what comes before is kept in seen.
func (c *client) await(id string) reply {
	c.tb.Helper()
	for {
		r := c.read()
		if r.Method == "" && string(r.ID) == id {
			return r
		}
		msg, _ := json.Marshal(r)
		c.seen = append(c.seen, msg)
	}
}

func (c *client) request(method, params string) reply {
	c.tb.Helper()
	return c.await(c.start(method, params))
}

// call calls a tool and returns its answer.
func (c *client) call(tool, args string) toolAnswer {
	c.tb.Helper()
	r := c.request("tools/call", `{"name":"`+tool+`","arguments":`+args+`}`)
	if r.Error != nil {
		c.tb.Fatalf("%s(%s): protocol error %d %s", tool, args, r.Error.Code, r.Error.Message)
	}
	return parseAnswer(c.tb, r.Result)
}

func parseAnswer(tb testing.TB, result json.RawMessage) toolAnswer {
	tb.Helper()
	var a toolAnswer
	if err := json.Unmarshal(result, &a); err != nil {
		tb.Fatalf("reading %s: %v", result, err)
	}
	return a
}

// logTo is a logger whose lines a test reads.
func logTo() (*slog.Logger, *lockedBuffer) {
	buf := &lockedBuffer{}
	return slog.New(slog.NewJSONHandler(buf, &slog.HandlerOptions{Level: slog.LevelDebug})), buf
}

type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// compact removes the white space of readable JSON in a test.
func compact(tb testing.TB, text string) string {
	tb.Helper()
	var buf bytes.Buffer
	if err := json.Compact(&buf, []byte(text)); err != nil {
		tb.Fatalf("%v in %s", err, text)
	}
	return buf.String()
}

// mustPanic runs f and returns what it panicked with.
func mustPanic(tb testing.TB, f func()) (message string) {
	tb.Helper()
	defer func() {
		p := recover()
		if p == nil {
			tb.Fatal("no panic")
		}
		message, _ = p.(string)
	}()
	f()
	return ""
}

func contains(tb testing.TB, text string, parts ...string) {
	tb.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			tb.Errorf("%q does not contain %q", text, p)
		}
	}
}
