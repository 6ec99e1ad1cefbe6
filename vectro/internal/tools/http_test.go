package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/mcpkit"
)

// web is the server over HTTP.
type web struct {
	t    *testing.T
	sv   *Service
	url  string
	http *http.Client
}

const token = "a-token-for-this-test"

func serve(t *testing.T, f files, s settings) *web {
	t.Helper()
	sv, server := newService(t, f, s)
	ctx, stop := context.WithCancel(context.Background())
	addr := make(chan net.Addr, 1)
	over := make(chan error, 1)
	go func() {
		over <- mcpkit.Run(ctx, server, mcpkit.RunOptions{Transport: "http", HTTP: mcpkit.HTTPOptions{
			Addr: "127.0.0.1:0", Token: token, Listening: func(a net.Addr) { addr <- a },
		}})
	}()
	w := &web{t: t, sv: sv, http: &http.Client{Transport: &http.Transport{}}}
	w.url = fmt.Sprintf("http://%s/mcp", wait(t, "the address", addr))
	t.Cleanup(func() {
		stop()
		w.http.CloseIdleConnections()
		if err := wait(t, "the end of the server", over); err != nil {
			t.Error(err)
		}
	})
	return w
}

// do sends a request and returns status, body and headers.
func (w *web) do(method, body string, headers map[string]string) (int, string, http.Header) {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), method, w.url, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Authorization", "Bearer "+token)
	for k, v := range headers {
		req.Header.Set(k, v)
	}
	res, err := w.http.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return res.StatusCode, string(data), res.Header
}

// session does the handshake and returns the headers that belong to the session.
func (w *web) session() map[string]string {
	w.t.Helper()
	status, body, header := w.do("POST", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, nil)
	id := header.Get("Mcp-Session-Id")
	if status != 200 || id == "" {
		w.t.Fatalf("initialize: %d %s", status, body)
	}
	h := map[string]string{"Mcp-Session-Id": id, "Mcp-Protocol-Version": "2025-06-18"}
	if status, body, _ := w.do("POST", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, h); status != 202 {
		w.t.Fatalf("initialized: %d %s", status, body)
	}
	return h
}

// call calls a tool, in a session, or without one when h is nil, and returns the
// text of the answer without its time.
func (w *web) call(h map[string]string, tool, args string) string {
	w.t.Helper()
	meta := ""
	if h == nil {
		h = map[string]string{"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool}
		meta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	}
	status, body, _ := w.do("POST", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+args+meta+`}}`, h)
	for line := range strings.Lines(body) {
		line = strings.TrimPrefix(line, "data: ")
		var answer struct {
			Result struct {
				Content []struct{ Text string }
				IsError bool
			}
		}
		if json.Unmarshal([]byte(line), &answer) != nil || len(answer.Result.Content) == 0 {
			continue
		}
		text := answer.Result.Content[0].Text
		if answer.Result.IsError {
			return text
		}
		return withoutMS(w.t, text)
	}
	w.t.Fatalf("%s: %d %s", tool, status, body)
	return ""
}

// Every session has tables of its own; they are freed when it ends. Requests
// without a session share the tables of their user.
func TestHTTP_TablesBelongToTheirSession(t *testing.T) {
	w := serve(t, files{"a.csv": "n\n1\n", "b.csv": "n\n1\n2\n"}, settings{})
	expect := func(h map[string]string, tool, args, want string) {
		t.Helper()
		if got := w.call(h, tool, args); got != want {
			t.Errorf("%s %s\n got %s\nwant %s", tool, args, got, want)
		}
	}
	table := func(source string, rows int) string {
		return fmt.Sprintf(`{"tables":[{"table":"t","source":%q,"rows":%d,"columns":{"n":"number"}}]}`, source, rows)
	}
	const none = `{"tables":[]}`
	one, two := w.session(), w.session()
	w.call(one, "load_file", `{"path":"a.csv","name":"t"}`)
	expect(two, "list_tables", `{}`, none)
	expect(nil, "list_tables", `{}`, none)
	w.call(two, "load_file", `{"path":"b.csv","name":"t"}`)
	expect(one, "list_tables", `{}`, table("a.csv", 1))
	expect(two, "list_tables", `{}`, table("b.csv", 2))
	expect(two, "drop_table", `{"table":"t"}`, `{"dropped":"t"}`)
	expect(one, "query", `{"table":"t","limit":0}`, `{"matching_rows":1,"returned":0,"rows":[]}`)
	expect(two, "query", `{"table":"t","limit":0}`, "No table is loaded yet; load_file loads one.")

	w.call(nil, "load_file", `{"path":"b.csv","name":"t"}`)
	expect(nil, "list_tables", `{}`, table("b.csv", 2))
	expect(two, "list_tables", `{}`, none)
	expect(one, "list_tables", `{}`, table("a.csv", 1))
	expect(nil, "drop_table", `{"table":"t"}`, `{"dropped":"t"}`)

	if w.sv.Engines.opts.Budget.Used() == 0 {
		t.Fatal("the table of the first session takes no memory")
	}
	if status, body, _ := w.do("DELETE", "", one); status/100 != 2 {
		t.Fatalf("ending the session: %d %s", status, body)
	}
	eventually(t, "the session's memory returns", func() bool { return w.sv.Engines.opts.Budget.Used() == 0 })
	expect(two, "list_tables", `{}`, none)
}

// A load that is running when its session ends leaves nothing behind.
func TestEngines_CloseDuringALoad(t *testing.T) {
	sv, _ := newService(t, files{"a.csv": "n\n1\n"}, settings{})
	e := sv.Engines.For(t.Context())
	e.Close()
	if err := sv.Preload(t.Context(), "a.csv", ""); err != nil {
		t.Fatal(err)
	}
	if n := sv.Engines.opts.Budget.Used(); n != 0 || len(e.Tables()) != 0 {
		t.Errorf("%d bytes, tables %v after Close", n, e.Tables())
	}
}
