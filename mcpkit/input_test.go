package mcpkit

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// asking is a server with a tool that wants an answer before it works.
func asking() *Server {
	type args struct {
		Name string `json:"name" jsonschema:"whom to greet"`
	}
	type result struct {
		Text string `json:"text" jsonschema:"the greeting"`
	}
	s := New(Info{Name: "test"}, nil)
	Add(s, Tool[args, result]{Name: "greet", Description: "Greets.", Handle: func(ctx context.Context, in args) (result, error) {
		Warn(ctx, Warning{Category: "slow", Message: "it was slow"})
		p := Request(ctx).(*mcp.CallToolRequest).Params
		if r, ok := p.InputResponses["sure"].(*mcp.ElicitResult); ok {
			return result{in.Name + " " + r.Action + " " + p.RequestState}, nil
		}
		return result{}, &InputRequired{State: "s1", Requests: mcp.InputRequestMap{"sure": &mcp.ElicitParams{
			Message: "sure?", RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}},
		}}}
	}})
	return s
}

const modernElicits = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`

// In the stateless revision the client gets the request as the answer, and
// nothing with it, and calls again.
func TestInputRequired_Modern(t *testing.T) {
	c := dial(t, asking())
	r := c.request("tools/call", `{"name":"greet","arguments":{"name":"Ada"},`+modernElicits+`}`)
	got := string(r.Result)
	for _, want := range []string{`"resultType":"input_required"`, `"inputRequests":{"sure":{"method":"elicitation/create"`, `"requestState":"s1"`} {
		if !strings.Contains(got, want) {
			t.Errorf("result = %s, want %s in it", got, want)
		}
	}
	if strings.Contains(got, "slow") || strings.Contains(got, `"isError"`) || strings.Contains(got, "structuredContent") {
		t.Errorf("something goes with the requests: %s", got)
	}
	r = c.request("tools/call", `{"name":"greet","arguments":{"name":"Ada"},"inputResponses":{"sure":{"action":"accept"}},"requestState":"s1",`+modernElicits+`}`)
	if got := string(r.Result); !strings.Contains(got, `"text":"Ada accept s1"`) || !strings.Contains(got, "slow") {
		t.Errorf("result = %s", got)
	}
}

// A client of an older revision is asked while it waits, over the server's own
// transport too, whose ids are not the SDK's.
func TestInputRequired_Legacy(t *testing.T) {
	p := serveBare(t, t.Context(), asking(), nil)
	p.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}`)
	p.line(`"id":1`)
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	p.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"greet","arguments":{"name":"Ada"}}}`)
	p.line(`"method":"elicitation/create"`)
	var ask reply
	if err := json.Unmarshal(p.sc.Bytes(), &ask); err != nil {
		t.Fatal(err)
	}
	p.send(`{"jsonrpc":"2.0","id":` + string(ask.ID) + `,"result":{"action":"accept","content":{}}}`)
	p.line(`"text":"Ada accept s1"`)
	p.in.Close()
	p.end()
}
