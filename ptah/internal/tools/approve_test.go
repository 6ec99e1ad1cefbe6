package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/ptah/internal/approval"
	"github.com/quartet-mcp/quartet/ptah/internal/config"
	"github.com/quartet-mcp/quartet/ptah/internal/dburl"
	"github.com/quartet-mcp/quartet/ptah/internal/policy"
)

// guarded is a server with a tool that needs a person's consent to inspect a database.
func guarded(t *testing.T, timeout time.Duration) *mcpkit.Server {
	t.Helper()
	p, err := policy.New(nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	u, err := dburl.Parse("postgres://reader:hunter2@127.0.0.1:5432/shop")
	if err != nil {
		t.Fatal(err)
	}
	approver := NewApprover(p, timeout)
	type args struct {
		Target string `json:"target" jsonschema:"the database"`
		And    string `json:"and,omitempty" jsonschema:"another one"`
	}
	type result struct {
		Consent string `json:"consent" jsonschema:"how it was allowed"`
	}
	s := mcpkit.New(mcpkit.Info{Name: "test"}, (&Service{}).Options())
	mcpkit.Add(s, mcpkit.Tool[args, result]{Name: "inspect", Description: "Inspects.", Handle: func(ctx context.Context, in args) (result, error) {
		questions := []approval.Question{approval.Inspection(config.Database{Name: in.Target, Class: policy.Dev, URL: u})}
		if in.And != "" {
			questions = append(questions, approval.Inspection(config.Database{Name: in.And, Class: policy.Dev, URL: u}))
		}
		permit, err := approver.Authorise(ctx, questions...)
		if err != nil {
			return result{}, explain(err)
		}
		return result{string(permit.Consent)}, nil
	}})
	return s
}

// session connects a client of a revision; ask answers its questions, nil means that it
// shows none.
func session(t *testing.T, s *mcpkit.Server, revision string, ask func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error)) *mcp.ClientSession {
	t.Helper()
	near, far := mcp.NewInMemoryTransports()
	served, err := s.SDK().Connect(t.Context(), near, nil)
	if err != nil {
		t.Fatal(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{ElicitationHandler: ask})
	c, err := client.Connect(t.Context(), far, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Close()
		_ = served.Wait()
	})
	return c
}

func inspect(t *testing.T, c *mcp.ClientSession, target string) string {
	t.Helper()
	res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "inspect", Arguments: map[string]any{"target": target}})
	if err != nil {
		t.Fatal(err)
	}
	text, ok := res.Content[0].(*mcp.TextContent)
	if !ok {
		t.Fatalf("content = %#v", res.Content)
	}
	return text.Text
}

var revisions = []string{"2024-11-05", "2025-06-18", "2025-11-25", "2026-07-28"}

func TestApprover_EveryRevision(t *testing.T) {
	accept := func(decision any) *mcp.ElicitResult {
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": decision}}
	}
	for _, revision := range revisions {
		t.Run(revision, func(t *testing.T) {
			var next *mcp.ElicitResult
			var seen []*mcp.ElicitParams
			c := session(t, guarded(t, time.Minute), revision, func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				seen = append(seen, r.Params)
				return next, nil
			})
			steps := []struct {
				answer *mcp.ElicitResult
				target string
				want   string
				asked  int
			}{
				{accept("allow once"), "shop", `{"consent":"allow once"}`, 1},
				{accept("deny"), "shop", "approval_refused: ", 1},
				{&mcp.ElicitResult{Action: "decline"}, "shop", "approval_refused: ", 1},
				{&mcp.ElicitResult{Action: "cancel"}, "shop", "approval_refused: ", 1},
				{&mcp.ElicitResult{Action: "decline", Content: map[string]any{"decision": "allow once"}}, "shop", "approval_refused: ", 1},
				{accept("allow for this session"), "shop", `{"consent":"allow for this session"}`, 1},
				{accept("deny"), "shop", `{"consent":"allow for this session"}`, 0},
				{accept("deny"), "other", "approval_refused: ", 1},
			}
			for i, step := range steps {
				next, seen = step.answer, nil
				got := inspect(t, c, step.target)
				if !strings.HasPrefix(got, step.want) {
					t.Errorf("step %d: %s, want %s", i, got, step.want)
				}
				if len(seen) != step.asked {
					t.Errorf("step %d: asked %d times, want %d", i, len(seen), step.asked)
				}
				for _, p := range seen {
					schema, _ := json.Marshal(p.RequestedSchema)
					if p.Mode != "form" || !strings.Contains(p.Message, "Target: "+step.target) || strings.Contains(p.Message, "hunter2") ||
						!strings.Contains(string(schema), `"enum":["deny","allow once","allow for this session"]`) || !strings.Contains(string(schema), `"default":"deny"`) {
						t.Errorf("step %d: asked %+v with %s", i, p, schema)
					}
				}
			}
		})
	}
}

// What needs consent to several things is one question.
func TestApprover_Several(t *testing.T) {
	for _, revision := range revisions {
		asked := 0
		c := session(t, guarded(t, time.Minute), revision, func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			asked++
			if !strings.Contains(r.Params.Message, "Target: shop") || !strings.Contains(r.Params.Message, "Target: ledger") {
				t.Errorf("%s: asked %q", revision, r.Params.Message)
			}
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": "allow once"}}, nil
		})
		res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "inspect", Arguments: map[string]any{"target": "shop", "and": "ledger"}})
		if err != nil || res.IsError || asked != 1 {
			t.Errorf("%s: %+v, error %v, asked %d times", revision, res, err, asked)
		}
	}
}

func TestApprover_NobodyCanBeAsked(t *testing.T) {
	for _, revision := range revisions {
		if got := inspect(t, session(t, guarded(t, time.Minute), revision, nil), "shop"); !strings.HasPrefix(got, "approval_unavailable: ") {
			t.Errorf("%s: %s", revision, got)
		}
	}
}

func TestApprover_Timeout(t *testing.T) {
	c := session(t, guarded(t, 50*time.Millisecond), "2025-11-25", func(ctx context.Context, _ *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	if got := inspect(t, c, "shop"); !strings.HasPrefix(got, "approval_refused: nobody answered within 50ms") {
		t.Error(got)
	}
}

// A decision that comes without its question, or with that of another call, is none.
func TestApprover_ForgedDecision(t *testing.T) {
	near, far := mcp.NewInMemoryTransports()
	s := guarded(t, time.Minute)
	if _, err := s.SDK().Connect(t.Context(), near, nil); err != nil {
		t.Fatal(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return nil, fmt.Errorf("not asked")
		},
	})
	c, err := client.Connect(t.Context(), far, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	yes := mcp.InputResponseMap{approvalKey: &mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": "allow for this session"}}}
	call := func(target, state string, responses mcp.InputResponseMap) *mcp.CallToolResult {
		t.Helper()
		res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "inspect", Arguments: map[string]any{"target": target}, RequestState: state, InputResponses: responses})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	refused := func(what string, res *mcp.CallToolResult) {
		t.Helper()
		if text, ok := res.Content[0].(*mcp.TextContent); !ok || !strings.HasPrefix(text.Text, "approval_refused: ") {
			t.Errorf("%s: %+v", what, res.Content[0])
		}
	}
	refused("without a question", call("shop", "", yes))
	asked := call("shop", "", nil)
	if !asked.NeedsInput() || asked.RequestState == "" || len(asked.InputRequests) != 1 {
		t.Fatalf("answer = %+v", asked)
	}
	refused("for another target", call("ledger", asked.RequestState, yes))
	refused("of a question that is gone", call("shop", asked.RequestState, yes))
	asked = call("shop", "", nil)
	if res := call("shop", asked.RequestState, yes); res.IsError {
		t.Errorf("the right decision: %+v", res.Content[0])
	}
	if res := call("shop", "", nil); res.IsError || res.NeedsInput() {
		t.Errorf("after a consent for the session: %+v", res)
	}
}
