package tools

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/mcpkit/mcptest"
)

// budget is what the definitions may cost every conversation, in bytes of JSON
// without the output schemas.
const budget = 9 << 10

func TestDefinitions(t *testing.T) {
	_, server := newService(t, nil, settings{})
	mcptest.Snapshot(t, server.SDK(), "../../testdata/tools", budget)
}

// The names and their order, which arguments are required, and the hints are
// promises of the product page; they are repeated here so that an updated
// snapshot cannot change them unseen.
func TestDefinitions_PagePromises(t *testing.T) {
	_, server := newService(t, nil, settings{})
	type promise struct {
		Name               string
		Arguments          map[string]bool // required?
		ReadOnly, Destroys bool
	}
	var got []promise
	for _, tool := range server.Tools() {
		var in jsonschema.Schema
		if err := json.Unmarshal(tool.InputSchema.(json.RawMessage), &in); err != nil {
			t.Fatal(err)
		}
		p := promise{Name: tool.Name, Arguments: map[string]bool{}, ReadOnly: tool.Annotations.ReadOnlyHint, Destroys: *tool.Annotations.DestructiveHint}
		for name := range in.Properties {
			p.Arguments[name] = false
		}
		for _, name := range in.Required {
			p.Arguments[name] = true
		}
		if !tool.Annotations.IdempotentHint || *tool.Annotations.OpenWorldHint {
			t.Errorf("%s: idempotent %v, open world %v; want true, false", tool.Name, tool.Annotations.IdempotentHint, *tool.Annotations.OpenWorldHint)
		}
		if tool.Title == "" || tool.OutputSchema == nil {
			t.Errorf("%s has no title or no output schema", tool.Name)
		}
		got = append(got, p)
	}
	want := []promise{
		{Name: "load_file", Arguments: map[string]bool{"path": true, "name": false, "types": false}},
		{Name: "list_tables", Arguments: map[string]bool{}, ReadOnly: true},
		{Name: "describe_table", Arguments: map[string]bool{"table": true}, ReadOnly: true},
		{Name: "query", Arguments: map[string]bool{"table": true, "filter": false, "aggregates": false, "group_by": false, "sort": false, "limit": false}, ReadOnly: true},
		{Name: "sql", Arguments: map[string]bool{"query": true}, ReadOnly: true},
		{Name: "search_similar", Arguments: map[string]bool{"table": true, "like": false, "vector": false, "k": false, "filter": false}, ReadOnly: true},
		{Name: "add_column", Arguments: map[string]bool{"table": true, "name": true, "expression": true}},
		{Name: "drop_table", Arguments: map[string]bool{"table": true}, Destroys: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tools (-page +server):\n%s", diff)
	}
}

func TestDefinitions_NoOutputSchemas(t *testing.T) {
	sv, _ := newService(t, nil, settings{})
	server := mcpkit.New(mcpkit.Info{Name: "vectro", Version: "test"}, &mcpkit.Options{NoOutputSchemas: true})
	Register(server, sv)
	ours, theirs := mcp.NewInMemoryTransports()
	there, err := server.SDK().Connect(t.Context(), theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	here, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), ours, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer there.Wait()
	defer here.Close()
	list, err := here.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Tools) != 8 {
		t.Errorf("%d tools, want 8", len(list.Tools))
	}
	for _, tool := range list.Tools {
		if tool.OutputSchema != nil {
			t.Errorf("%s has an output schema", tool.Name)
		}
	}
}
