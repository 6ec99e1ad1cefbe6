package mcpkit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// addNoop adds tools that do nothing.
func addNoop(s *Server, names ...string) {
	for _, name := range names {
		Add(s, Tool[struct{}, struct{}]{Name: name, Title: "T", Description: "Does nothing.", Meta: map[string]any{"a/b": 1},
			Hints:  Hints{ReadOnly: true},
			Handle: func(context.Context, struct{}) (struct{}, error) { return struct{}{}, nil }})
	}
}

const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

func listNames(tb testing.TB, r reply) []string {
	tb.Helper()
	var list struct{ Tools []struct{ Name string } }
	if r.Error != nil {
		tb.Fatalf("tools/list: %+v", r.Error)
	}
	if err := json.Unmarshal(r.Result, &list); err != nil {
		tb.Fatal(err)
	}
	var names []string
	for _, t := range list.Tools {
		names = append(names, t.Name)
	}
	return names
}

func TestInitialize_NegotiatesTheRevision(t *testing.T) {
	for asked, want := range map[string]string{
		`"2024-11-05"`: "2024-11-05", `"2025-03-26"`: "2025-03-26", `"2025-06-18"`: "2025-06-18", `"2025-11-25"`: "2025-11-25",
		`"1999-01-01"`: "2025-11-25", `"2099-01-01"`: "2025-11-25", `"2026-07-28"`: "2025-11-25", `""`: "2025-11-25", `null`: "2025-11-25",
	} {
		c := dial(t, New(Info{Name: "test", Version: "1"}, nil))
		r := c.request("initialize", `{"protocolVersion":`+asked+`,"capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
		var got struct{ ProtocolVersion string }
		if r.Error != nil || json.Unmarshal(r.Result, &got) != nil || got.ProtocolVersion != want {
			t.Errorf("asked for %s: got %q, %+v, want %s", asked, got.ProtocolVersion, r.Error, want)
		}
	}
	c := dial(t, New(Info{Name: "test", Version: "1"}, nil))
	if r := c.request("initialize", `{"capabilities":{}}`); r.Error != nil || !strings.Contains(string(r.Result), `"2025-11-25"`) {
		t.Errorf("without a version: %s %+v", r.Result, r.Error)
	}
}

func TestInitialize_TellsWhoTheServerIsAndWhatItCan(t *testing.T) {
	s := New(Info{Name: "test", Title: "Test", Version: "1", Instructions: "Use it."}, nil)
	addNoop(s, "a")
	r := dial(t, s).request("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
	want := `{"capabilities":{"tools":{}},"instructions":"Use it.","protocolVersion":"2025-06-18","serverInfo":{"name":"test","title":"Test","version":"1"}}`
	if string(r.Result) != want {
		t.Errorf("result = %s\nwant     %s", r.Result, want)
	}
}

func TestInitialize_SecondOneIsAnInvalidRequest(t *testing.T) {
	c := connect(t, New(Info{Name: "test"}, nil))
	r := c.request("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
	if r.Error == nil || r.Error.Code != -32600 {
		t.Errorf("answer = %+v", r)
	}
}

func TestPing_BeforeInitialize(t *testing.T) {
	if r := dial(t, New(Info{Name: "test"}, nil)).request("ping", `{}`); r.Error != nil || string(r.Result) != `{}` {
		t.Errorf("answer = %+v", r)
	}
}

func TestModern_DiscoverListAndCallWithoutHandshake(t *testing.T) {
	s := New(Info{Name: "test", Version: "1"}, &Options{ListTTL: 90 * time.Second})
	addNoop(s, "b", "a")
	c := dial(t, s)
	r := c.request("server/discover", `{`+modernMeta+`}`)
	if r.Error != nil {
		t.Fatalf("discover: %+v", r.Error)
	}
	contains(t, string(r.Result), `"supportedVersions":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"]`, `"tools":{}`)
	r = c.request("tools/list", `{`+modernMeta+`}`)
	contains(t, string(r.Result), `"ttlMs":90000`, `"cacheScope":"public"`, `"resultType":"complete"`)
	if got := fmt.Sprint(listNames(t, r)); got != "[b a]" {
		t.Errorf("tools = %s", got)
	}
	r = c.request("tools/call", `{"name":"a",`+modernMeta+`}`)
	if r.Error != nil || parseAnswer(t, r.Result).IsError {
		t.Errorf("call: %+v", r)
	}
}

func TestModern_UnknownVersionIsRefusedWithItsCode(t *testing.T) {
	c := dial(t, New(Info{Name: "test"}, nil))
	r := c.request("tools/list", `{`+strings.Replace(modernMeta, "2026-07-28", "2027-01-01", 1)+`}`)
	if r.Error == nil || r.Error.Code != -32022 || !strings.Contains(string(r.Error.Data), `"2026-07-28"`) {
		t.Errorf("answer = %+v", r.Error)
	}
}

func TestOptions_ProtocolVersionsNarrow(t *testing.T) {
	c := dial(t, New(Info{Name: "test"}, &Options{ProtocolVersions: []string{"2025-03-26", "2024-11-05"}}))
	r := c.request("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
	contains(t, string(r.Result), `"protocolVersion":"2025-03-26"`)
	defer func() {
		if recover() == nil {
			t.Error("a version that nobody knows was taken")
		}
	}()
	New(Info{Name: "test"}, &Options{ProtocolVersions: []string{"1"}})
}

func TestToolsList_IsInRegistrationOrderAndTheSameBytesEveryTime(t *testing.T) {
	names := []string{"load", "zeta", "alpha", "query", "beta"}
	var first string
	for range 3 {
		s := New(Info{Name: "test"}, nil)
		addNoop(s, names...)
		c := connect(t, s)
		r := c.request("tools/list", `{}`)
		if got := fmt.Sprint(listNames(t, r)); got != fmt.Sprint(names) {
			t.Fatalf("tools = %s", got)
		}
		again := c.request("tools/list", `{}`)
		if first == "" {
			first = string(r.Result)
		}
		if string(r.Result) != first || string(again.Result) != first {
			t.Fatalf("the list changed:\n%s\n%s\n%s", first, r.Result, again.Result)
		}
	}
	want := `{"_meta":{"a/b":1},"annotations":{"destructiveHint":false,"idempotentHint":false,"openWorldHint":false,"readOnlyHint":true},` +
		`"description":"Does nothing.","inputSchema":{"type":"object","properties":{},"additionalProperties":false},"name":"load",` +
		`"outputSchema":{"type":"object","properties":{},"additionalProperties":false},"title":"T"}`
	var list struct{ Tools []json.RawMessage }
	if err := json.Unmarshal([]byte(first), &list); err != nil {
		t.Fatal(err)
	}
	var a, b any
	if json.Unmarshal(list.Tools[0], &a) != nil || json.Unmarshal([]byte(want), &b) != nil || fmt.Sprint(a) != fmt.Sprint(b) {
		t.Errorf("tool = %s\nwant   %s", list.Tools[0], want)
	}
}

func TestToolsList_WithoutOutputSchemas(t *testing.T) {
	s := New(Info{Name: "test"}, &Options{NoOutputSchemas: true})
	addNoop(s, "a")
	later := New(Info{Name: "test"}, nil)
	addNoop(later, "a")
	later.omitOutputSchemas()
	for _, s := range []*Server{s, later} {
		if r := connect(t, s).request("tools/list", `{}`); strings.Contains(string(r.Result), "outputSchema") {
			t.Errorf("list = %s", r.Result)
		}
		if s.Tools()[0].OutputSchema != nil {
			t.Error("Tools gives an output schema")
		}
	}
}

func TestUnknownTool_IsAProtocolErrorThatNamesTheNearest(t *testing.T) {
	s := New(Info{Name: "test"}, &Options{Visible: func(_ context.Context, tool string) bool { return tool != "secret_query" }})
	addNoop(s, "query", "sql", "load_file", "secret_query", "list_tables")
	s.SDK().AddTool(&mcp.Tool{Name: "plain", Description: "By the SDK.", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{}, nil
		})
	c := connect(t, s)
	for name, want := range map[string]string{
		"quary":         "Unknown tool: quary. Did you mean query?",
		"QUERY":         "Unknown tool: QUERY. Did you mean query?",
		"list_tabels":   "Unknown tool: list_tabels. Did you mean list_tables?",
		"delete_all":    "Unknown tool: delete_all",
		"secret_query":  "Unknown tool: secret_query",
		"secret_quary":  "Unknown tool: secret_quary",
		`a\u0000\u202e`: "Unknown tool: a",
	} {
		r := c.request("tools/call", `{"name":"`+name+`","arguments":{}}`)
		if r.Error == nil || r.Error.Code != -32602 || r.Error.Message != want {
			t.Errorf("%s: %+v, want %q", name, r.Error, want)
		}
	}
	if r := c.request("tools/call", `{"arguments":{}}`); r.Error == nil || r.Error.Code != -32602 {
		t.Errorf("a call without a name: %+v", r.Error)
	}
	if r := c.request("tools/call", `{"name":"plain","arguments":{}}`); r.Error != nil {
		t.Errorf("a tool of the SDK: %+v", r.Error)
	}
	if got := fmt.Sprint(listNames(t, c.request("tools/list", `{}`))); got != "[query sql load_file list_tables plain]" {
		t.Errorf("tools = %s", got)
	}
}

func TestCall_ArgumentsThatAreNoObjectAreAProtocolError(t *testing.T) {
	c := connect(t, echoServer(Refuse, nil))
	for _, args := range []string{`[]`, `"{}"`, `5`, `true`} {
		r := c.request("tools/call", `{"name":"query","arguments":`+args+`}`)
		if r.Error == nil || r.Error.Code != -32602 || r.Error.Message != "arguments must be an object" {
			t.Errorf("arguments %s: %+v %s", args, r.Error, r.Result)
		}
	}
	for _, params := range []string{`{"name":"query"}`, `{"name":"query","arguments":null}`, `{"name":"query","arguments":{}}`} {
		if a := parseAnswer(t, c.request("tools/call", params).Result); a.text(t) != "query needs the argument 'table'; give it as text" {
			t.Errorf("params %s: %+v", params, a)
		}
	}
}

func TestVisible_ListCanChangeAndSaysSo(t *testing.T) {
	var all atomic.Bool
	s := New(Info{Name: "test", Version: "1"}, &Options{Visible: func(_ context.Context, tool string) bool { return tool != "extra" || all.Load() }})
	addNoop(s, "base", "extra")
	c := dial(t, s)
	r := c.request("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
	contains(t, string(r.Result), `"tools":{"listChanged":true}`)
	c.notify("notifications/initialized", `{}`)
	if got := fmt.Sprint(listNames(t, c.request("tools/list", `{}`))); got != "[base]" {
		t.Errorf("tools = %s", got)
	}
	all.Store(true)
	s.ToolsChanged()
	if r := c.read(); r.Method != "notifications/tools/list_changed" {
		t.Errorf("notification = %+v", r)
	}
	if got := fmt.Sprint(listNames(t, c.request("tools/list", `{}`))); got != "[base extra]" {
		t.Errorf("tools = %s", got)
	}
	if got := len(s.Tools()); got != 2 {
		t.Errorf("Tools gives %d tools", got)
	}
	r = c.request("tools/list", `{`+modernMeta+`}`)
	contains(t, string(r.Result), `"cacheScope":"private"`)
}

func TestOptions_SDKOptionsDeclareCapabilities(t *testing.T) {
	s := New(Info{Name: "test", Version: "1"}, &Options{SDKOptions: func(o *mcp.ServerOptions) { o.Capabilities.Resources = &mcp.ResourceCapabilities{} }})
	addNoop(s, "a")
	s.SDK().AddResource(&mcp.Resource{URI: "test://a", Name: "a"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return nil, errors.New("disk on fire")
	})
	c := dial(t, s)
	r := c.request("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
	contains(t, string(r.Result), `"capabilities":{"resources":{},"tools":{}}`)
	r = c.request("resources/read", `{"uri":"test://a"}`)
	if r.Error == nil || r.Error.Code != -32603 || strings.Contains(r.Error.Message, "fire") {
		t.Errorf("answer = %+v", r.Error)
	}
}

func TestMiddleware_SeesRequestsAndItsPanicsAreContained(t *testing.T) {
	logger, log := logTo()
	var methods []string
	middleware := func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			methods = append(methods, method)
			if Request(ctx) != req {
				t.Error("Request gives another request")
			}
			switch method {
			case "prompts/list":
				panic("in the middleware")
			case "resources/list":
				return nil, errors.New("token=hunter2")
			case "resources/templates/list":
				return nil, Errorf(Denied, "not for you")
			}
			return next(ctx, method, req)
		}
	}
	s := New(Info{Name: "test"}, &Options{Logger: logger, Middleware: []mcp.Middleware{middleware}})
	c := connect(t, s)
	r := c.request("prompts/list", `{}`)
	if r.Error == nil || r.Error.Code != -32603 || strings.Contains(r.Error.Message, "middleware") {
		t.Errorf("panic: %+v", r.Error)
	}
	r = c.request("resources/list", `{}`)
	if r.Error == nil || r.Error.Code != -32603 || strings.Contains(r.Error.Message, "hunter2") {
		t.Errorf("error: %+v", r.Error)
	}
	r = c.request("resources/templates/list", `{}`)
	if r.Error == nil || r.Error.Code != -32602 || r.Error.Message != "not for you" {
		t.Errorf("error: %+v", r.Error)
	}
	r = c.request("no/such/method", `{}`)
	if r.Error == nil || r.Error.Code != -32601 {
		t.Errorf("unknown method: %+v", r.Error)
	}
	contains(t, log.String(), "in the middleware", "hunter2", "server_test.go")
	contains(t, fmt.Sprint(methods), "initialize", "prompts/list")
}

func TestTraceKeysReachTheLog(t *testing.T) {
	logger, log := logTo()
	s := New(Info{Name: "test"}, &Options{Logger: logger})
	addNoop(s, "a")
	connect(t, s).request("tools/call", `{"name":"a","arguments":{},"_meta":{"traceparent":"00-abc-def-01","tracestate":"x=1\u202e","baggage":5}}`)
	contains(t, log.String(), `"tool":"a","traceparent":"00-abc-def-01","tracestate":"x=1"`)
	if strings.Contains(log.String(), "baggage") {
		t.Errorf("a trace key that is no string was logged: %s", log)
	}
}

func TestLog_IsQuietAboveDebug(t *testing.T) {
	logger, log := logTo()
	s := New(Info{Name: "test"}, &Options{Logger: logger})
	warner(s)
	connect(t, s).call("warn", raised)
	for line := range strings.Lines(log.String()) {
		if strings.Contains(line, "warning") && !strings.Contains(line, `"level":"DEBUG"`) {
			t.Errorf("logged %s", line)
		}
	}
	contains(t, log.String(), `"category":"slow"`)
}

func TestReceivedAt(t *testing.T) {
	now := time.Unix(1000, 0)
	for header, want := range map[string]time.Time{
		"999500000000":        time.Unix(999, 500_000_000),
		"":                    now,
		"yesterday":           now,
		"1000000000001":       now, // the future
		"-1":                  now.Add(-1000*time.Second - 1),
		"-900000000000000000": now, // long ago
	} {
		req := &mcp.CallToolRequest{Extra: &mcp.RequestExtra{Header: map[string][]string{receivedHeader: {header}}}}
		if got := receivedAt(req, now); !got.Equal(want) {
			t.Errorf("%q: %v, want %v", header, got, want)
		}
	}
	if got := receivedAt(&mcp.CallToolRequest{}, now); !got.Equal(now) {
		t.Errorf("without a header: %v", got)
	}
}

func TestProgress_IsSilentWithoutAToken(t *testing.T) {
	s := New(Info{Name: "test"}, nil)
	Add(s, Tool[struct{}, struct{}]{Name: "work", Description: "Works.", Handle: func(ctx context.Context, _ struct{}) (struct{}, error) {
		Progress(ctx, 1, 2, "half")
		return struct{}{}, nil
	}})
	c := connect(t, s)
	if c.call("work", `{}`); len(c.seen) != 0 {
		t.Errorf("notifications: %s", c.seen)
	}
	Progress(context.Background(), 1, 2, "outside of a call") // must not panic
}

// TestProgress_IsMonotoneAndAtMostTenASecond runs a second of work in the time
// of a fake clock.
func TestProgress_IsMonotoneAndAtMostTenASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Info{Name: "test"}, nil)
		Add(s, Tool[struct{}, struct{}]{Name: "work", Description: "Works.", Handle: func(ctx context.Context, _ struct{}) (struct{}, error) {
			for i := range 1000 {
				Progress(ctx, float64(i), 1000, "working")
				Progress(ctx, float64(i/2), 1000, "going back")
				time.Sleep(time.Millisecond)
			}
			return struct{}{}, nil
		}})
		c := connect(t, s)
		r := c.request("tools/call", `{"name":"work","arguments":{},"_meta":{"progressToken":"p"}}`)
		if r.Error != nil {
			t.Fatalf("%+v", r.Error)
		}
		if n := len(c.seen); n != 10 {
			t.Errorf("%d notifications in a second", n)
		}
		last := -1.0
		for _, raw := range c.seen {
			var n struct {
				Method string
				Params struct {
					ProgressToken   string
					Progress, Total float64
					Message         string
				}
			}
			if err := json.Unmarshal(raw, &n); err != nil {
				t.Fatal(err)
			}
			if n.Method != "notifications/progress" || n.Params.ProgressToken != "p" || n.Params.Progress <= last || n.Params.Message != "working" || n.Params.Total != 1000 {
				t.Errorf("notification = %s after %v", raw, last)
			}
			last = n.Params.Progress
		}
	})
}

func TestErrorf(t *testing.T) {
	cause := errors.New("cause")
	e := Errorf(NotFound, "no table %q: %w", Untrusted("a\x00b"), cause)
	if e.Error() != `no table "ab": cause` || !errors.Is(e, cause) || e.Kind != NotFound || e.code() != "not_found" {
		t.Errorf("%+v", e)
	}
	if got := (&Error{Fix: "do this"}).Error(); got != "do this" {
		t.Errorf("an error without a message says %q", got)
	}
	if got := (&Error{}).code(); got != "internal" {
		t.Errorf("an error without a kind is %q", got)
	}
	bad := New(Info{Name: "test"}, nil).errorResult(context.Background(), "t", &Error{Kind: Denied, Message: "m", Data: map[string]any{"f": func() {}}})
	if m, _ := json.Marshal(bad.Meta); string(m) != `{"test/error":{"code":"denied"}}` {
		t.Errorf("data without a JSON form: %s", m)
	}
}
