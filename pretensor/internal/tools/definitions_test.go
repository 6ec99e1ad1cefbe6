package tools

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/mcpkit/mcptest"
)

// budget is what the definitions may cost every conversation, in bytes of JSON
// without the output schemas.
const budget = 14 << 10

func definitions(only func(string) bool) *mcpkit.Server {
	sv := &Service{}
	server := mcpkit.New(mcpkit.Info{Name: "pretensor", Version: "test"}, sv.Options(0))
	Register(server, sv, only)
	return server
}

func TestDefinitions(t *testing.T) {
	mcptest.Snapshot(t, definitions(nil).SDK(), "../../testdata/tools", budget)
}

// The names and their order, the arguments with their types, defaults and ranges, and
// the hints are promises of the product page; they are repeated here so that an
// updated snapshot cannot change them unseen. An argument is written as its type, a
// ! if it is required, its default and its range or its values.
func TestDefinitions_PagePromises(t *testing.T) {
	type promise struct {
		Name      string
		Arguments map[string]string
		OpenWorld bool
	}
	want := []promise{
		{Name: "list_databases", Arguments: map[string]string{}},
		{Name: "schema", Arguments: map[string]string{"database": "string!", "label": "string"}},
		{Name: "query", Arguments: map[string]string{"q": "string!", "db": "string", "limit": "integer =10 1..50"}},
		{Name: "semantic_search", Arguments: map[string]string{"query": "string!", "k": "integer =10 1..50", "database": "string", "cluster": "string"}},
		{Name: "context", Arguments: map[string]string{
			"table": "string!", "db": "string", "detail": "string =standard summary|standard|full", "include_similar": "boolean =false", "similar_k": "integer =5 1..50",
		}},
		{Name: "cypher", Arguments: map[string]string{"query": "string!", "database": "string!", "timeout_seconds": "number =5 0.1..120"}},
		{Name: "traverse", Arguments: map[string]string{
			"from_table": "string!", "to_table": "string!", "database": "string!", "to_database": "string", "max_depth": "integer =4 1..8", "top_k": "integer =3 1..10",
			"edge_types": "array of string fk|inferred", "max_inferred_hops": "integer =2 0..8",
		}},
		{Name: "impact", Arguments: map[string]string{"table": "string!", "database": "string!", "column": "string", "max_depth": "integer =3 1..8"}},
		{Name: "consumers", Arguments: map[string]string{"table": "string!", "database": "string!", "op": "string read|write", "min_confidence": "number =0.6 0..1"}},
		{Name: "detect_changes", Arguments: map[string]string{"database": "string!"}, OpenWorld: true},
		{Name: "compile_metric", Arguments: map[string]string{"semantic_yaml": "string!", "metric": "string!", "database": "string!"}},
		{Name: "validate_sql", Arguments: map[string]string{"sql": "string!", "database": "string!", "dialect": "string =postgres"}},
	}
	var got []promise
	var names []string
	for _, tool := range definitions(nil).Tools() {
		var in jsonschema.Schema
		if err := json.Unmarshal(tool.InputSchema.(json.RawMessage), &in); err != nil {
			t.Fatal(err)
		}
		p := promise{Name: tool.Name, Arguments: map[string]string{}, OpenWorld: *tool.Annotations.OpenWorldHint}
		for name, s := range in.Properties {
			p.Arguments[name] = shape(s, slices.Contains(in.Required, name))
		}
		if a := tool.Annotations; !a.ReadOnlyHint || *a.DestructiveHint || !a.IdempotentHint {
			t.Errorf("%s: read only %v, destructive %v, idempotent %v", tool.Name, a.ReadOnlyHint, *a.DestructiveHint, a.IdempotentHint)
		}
		if tool.Title == "" || tool.OutputSchema == nil {
			t.Errorf("%s has no title or no output schema", tool.Name)
		}
		got, names = append(got, p), append(names, tool.Name)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tools, -page +server\n%s", diff)
	}
	if diff := cmp.Diff(names, Names); diff != "" {
		t.Errorf("Names, -server +Names\n%s", diff)
	}
}

// shape writes an argument in short.
func shape(s *jsonschema.Schema, required bool) string {
	text := s.Type
	if required {
		text += "!"
	}
	if s.Items != nil {
		text += " of " + shape(s.Items, false)
	}
	if s.Default != nil {
		text += " =" + strings.Trim(string(s.Default), `"`)
	}
	if s.Minimum != nil || s.Maximum != nil {
		text += fmt.Sprintf(" %v..%v", *s.Minimum, *s.Maximum)
	}
	for i, v := range s.Enum {
		text += map[bool]string{true: " ", false: "|"}[i == 0] + fmt.Sprint(v)
	}
	return text
}

// What the page says a result holds is in its schema.
func TestDefinitions_Results(t *testing.T) {
	want := map[string]string{
		"list_databases":  "databases",
		"schema":          "nodes edges",
		"query":           "query db results rerank",
		"semantic_search": "mode query database cluster results hint reason",
		"context":         "columns relationships lineage_in lineage_out role role_confidence cluster referring_tables referenced_tables similar_tables similar_reason",
		"cypher":          "rows warning",
		"traverse":        "from to database paths used_precomputed warning tie_break",
		"impact":          "target database impact total_affected",
		"consumers":       "consumers",
		"detect_changes":  "database last_indexed checked_at changes graph_impact affected_join_paths affected_metrics summary recommendation up_to_date",
		"compile_metric":  "sql validation dependencies",
		"validate_sql":    "valid missing_tables missing_columns invalid_joins suggestions",
	}
	for _, tool := range definitions(nil).Tools() {
		var out jsonschema.Schema
		if err := json.Unmarshal(tool.OutputSchema.(json.RawMessage), &out); err != nil {
			t.Fatal(err)
		}
		for _, name := range strings.Fields(want[tool.Name]) {
			if out.Properties[name] == nil {
				t.Errorf("%s has no %s in %v", tool.Name, name, slices.Sorted(maps.Keys(out.Properties)))
			}
		}
		delete(want, tool.Name)
	}
	for name := range want {
		t.Errorf("there is no tool %s", name)
	}
}

// Tools can be left out, and keep their order.
func TestDefinitions_Only(t *testing.T) {
	var names []string
	for _, tool := range definitions(func(name string) bool { return name == "validate_sql" || name == "schema" }).Tools() {
		names = append(names, tool.Name)
	}
	if !slices.Equal(names, []string{"schema", "validate_sql"}) {
		t.Errorf("tools %v", names)
	}
}
