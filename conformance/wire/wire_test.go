package wire

import (
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/mcpkit/mcptest"
)

func TestCheck(t *testing.T) {
	const (
		all    = "2024-11-05 2025-03-26 2025-06-18 2025-11-25 2026-07-28"
		legacy = "2024-11-05 2025-03-26 2025-06-18 2025-11-25"
		modern = "2026-07-28"
	)
	tests := []struct {
		name     string
		versions string
		server   bool
		method   string
		raw      string
		want     string // part of the error; empty for a valid message
	}{
		{"call", legacy, false, "tools/call", `{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"name":"x","arguments":{}}}`, ""},
		{"call without metadata", modern, false, "tools/call", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}`, "CallToolRequest"},
		{"call with metadata", modern, false, "tools/call", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`, ""},
		{"call without a name", all, false, "tools/call", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{}}}`, "CallToolRequest"},
		{"id neither text nor integer", all, false, "tools/list", `{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}`, "JSONRPCRequest"},
		{"unknown method", all, false, "tools/lost", `{"jsonrpc":"2.0","id":1,"method":"tools/lost"}`, `with the method "tools/lost"`},
		{"ping", legacy, false, "ping", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, ""},
		{"ping is gone", modern, false, "ping", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "no ClientRequest"},
		{"initialized", legacy, false, "notifications/initialized", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, ""},
		{"cancelled", all, false, "notifications/cancelled", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, ""},
		{"a server's notification from the client", all, false, "notifications/tools/list_changed", `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`, "no ClientNotification"},
		{"list changed", all, true, "notifications/tools/list_changed", `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`, ""},
		{"progress", all, true, "notifications/progress", `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":0.5}}`, ""},
		{"progress without token", all, true, "notifications/progress", `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":0.5}}`, "ProgressNotification"},

		{"result", legacy, true, "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"x"}],"structuredContent":{"a":1}}}`, ""},
		{"result without resultType", modern, true, "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`, "resultType"},
		{"modern result", modern, true, "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"content":[],"resultType":"complete"}}`, ""},
		{"result without content", all, true, "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}`, "content"},
		{"content null", all, true, "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"content":null,"resultType":"complete"}}`, "content"},
		{"content of no kind", all, true, "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"txt"}],"resultType":"complete"}}`, "content"},
		{"isError as text", all, true, "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"content":[],"isError":"true","resultType":"complete"}}`, "isError"},
		{"structured content no object", "2025-06-18 2025-11-25", true, "tools/call", `{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":[]}}`, "structuredContent"},
		{"tools null", all, true, "tools/list", `{"jsonrpc":"2.0","id":1,"result":{"tools":null,"resultType":"complete","ttlMs":0,"cacheScope":"public"}}`, "tools"},
		{"tool without schema", all, true, "tools/list", `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"x"}],"resultType":"complete","ttlMs":0,"cacheScope":"public"}}`, "inputSchema"},
		{"tools", all, true, "tools/list", `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"x","inputSchema":{"type":"object"}}],"resultType":"complete","ttlMs":0,"cacheScope":"public"}}`, ""},
		{"tools without ttl", modern, true, "tools/list", `{"jsonrpc":"2.0","id":1,"result":{"tools":[],"resultType":"complete"}}`, "ttlMs"},
		{"ping answered", legacy, true, "ping", `{"jsonrpc":"2.0","id":1,"result":{}}`, ""},
		{"result no object", all, true, "tools/call", `{"jsonrpc":"2.0","id":1,"result":[]}`, "Response"},

		{"error", all, true, "", `{"jsonrpc":"2.0","id":"a","error":{"code":-32602,"message":"x"}}`, ""},
		{"error without message", all, true, "", `{"jsonrpc":"2.0","id":"a","error":{"code":-32602}}`, "message"},
		{"error code as text", all, true, "", `{"jsonrpc":"2.0","id":"a","error":{"code":"x","message":"x"}}`, "code"},
		{"id null of a parse error", all, true, "", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}`, ""},
		{"id null of another error", all, true, "", `{"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"x"}}`, "id null"},
		{"wrong jsonrpc", all, true, "", `{"jsonrpc":"1.0","id":1,"error":{"code":-32602,"message":"x"}}`, "jsonrpc"},
		{"nothing", all, true, "", `{"jsonrpc":"2.0","id":1}`, "neither"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for version := range strings.FieldsSeq(tt.versions) {
				err := Check(mcptest.Message{Version: version, FromServer: tt.server, Method: tt.method, Raw: []byte(tt.raw)})
				if tt.want == "" && err != nil {
					t.Errorf("%s: Check() = %v, want nil", version, err)
				}
				if tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
					t.Errorf("%s: Check() = %v, want an error with %q", version, err, tt.want)
				}
			}
		})
	}
}

// A version nobody knows is judged by the newest of its era.
func TestCheck_UnknownVersion(t *testing.T) {
	result := []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`)
	if err := Check(mcptest.Message{Version: "1999-01-01", FromServer: true, Method: "tools/call", Raw: result}); err != nil {
		t.Errorf("older than all: %v", err)
	}
	if err := Check(mcptest.Message{Version: "2099-01-01", FromServer: true, Method: "tools/call", Raw: result}); err == nil {
		t.Error("newer than all: nil, want an error for the missing resultType")
	}
}
