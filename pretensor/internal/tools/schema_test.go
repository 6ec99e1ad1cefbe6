package tools

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph/fill"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

func TestSchema(t *testing.T) {
	w := serve(t, nil, shop(t))
	for args, want := range map[string]string{
		`{"database":"shop","label":" incluster "}`: ``,
		`{"database":"Shop","label":"in_cluster"}`: `{"nodes":[],"edges":[{"type":"IN_CLUSTER","from":"SchemaTable","to":"Cluster","description":"The table belongs to the cluster",` +
			`"properties":[],"count":12}]}`,
		`{"database":"shop","label":" ENTITY "}`: `{"nodes":[{"label":"Entity","description":"A thing of the business that tables stand for","properties":[` +
			`{"name":"node_id","type":"STRING"},{"name":"connection_name","type":"STRING"},{"name":"database","type":"STRING"},{"name":"name","type":"STRING"},` +
			`{"name":"description","type":"STRING"},{"name":"source","type":"STRING"}],"count":10}],"edges":[]}`,
	} {
		if want == "" {
			if f := w.bad("schema", args); f.Code != labelNotFound || len(f.Candidates) == 0 || f.Candidates[0] != "IN_CLUSTER" {
				t.Errorf("%s: %+v", args, f)
			}
			continue
		}
		if got := w.good("schema", args, nil); got != want {
			t.Errorf("%s\n got %s\nwant %s", args, got, want)
		}
	}
	w.refusals("schema", map[string]string{
		`{}`:                  `{"error":"schema needs the argument 'database'.","code":"invalid_argument","hint":"give it as text","candidates":["shop"]}`,
		`{"database":"shpo"}`: `{"error":"No connection named 'shpo'.","code":"unknown_database","hint":"Call list_databases for the full list.","candidates":["shop"]}`,
		`{"database":"shop","label":"SchemaTabel"}`: `{"error":"There is no label or edge type 'SchemaTabel'.","code":"label_not_found",` +
			`"hint":"Call schema without label for all of them.","candidates":["SchemaTable"]}`,
		`{"database":"shop","label":"x\u202e\u0007'\""}`: `{"error":"There is no label or edge type 'x'\"'.","code":"label_not_found","hint":"Call schema without label for all of them."}`,
		`{"database":"shop","labels":"Entity"}`:          `{"error":"schema has no argument 'labels'.","code":"invalid_argument","hint":"did you mean 'label'?","candidates":["label"]}`,
	})
}

// Without a label everything is there in the graph's order, also what is empty. An
// empty label is none.
func TestSchema_Whole(t *testing.T) {
	vectors := shop(t)
	vectors.Vectors = catalog.Vectors{Model: "m", Dim: 3, Tables: make([][]float32, len(vectors.Tables))}
	bare := &catalog.Data{Connection: "bare", Dialect: "sqlite", BuiltAt: today.Add(-9 * 24 * time.Hour), Generation: "g"}
	w := serve(t, nil, vectors, bare)
	for _, label := range []string{``, `,"label":""`, `,"label":null`, `,"label":"  "`} {
		var r schemaResult
		text := w.good("schema", `{"database":"shop"`+label+`}`, &r)
		if len(r.Nodes) != len(graph.Labels(0)) || len(r.Edges) != len(graph.EdgeTypes()) || r.Warning != "" {
			t.Fatalf("%d labels and %d edge types, %s", len(r.Nodes), len(r.Edges), r.Warning)
		}
		for i, l := range graph.Labels(0) {
			if r.Nodes[i].Label != l.Name {
				t.Errorf("label %d is %s", i, r.Nodes[i].Label)
			}
		}
		for i, e := range graph.EdgeTypes() {
			if got := r.Edges[i]; got.Type != e.Name || got.From != e.From || got.To != e.To {
				t.Errorf("edge type %d is %+v", i, got)
			}
		}
		if !strings.Contains(text, `{"name":"embedding","type":"FLOAT[3]"}`) {
			t.Error("the vectors are no property")
		}
	}
	var r schemaResult
	text := w.good("schema", `{"database":"bare"}`, &r)
	for _, n := range r.Nodes {
		if n.Count != 0 && n.Label != graph.GraphMeta {
			t.Errorf("%d of %s in an empty graph", n.Count, n.Label)
		}
	}
	if strings.Contains(text, "embedding") || r.Warning != "Index is 9 days old (limit 7). Run: pretensor reindex --database bare" {
		t.Errorf("%s", text)
	}
}

// The counts are those of the graph that is made of the same catalog.
func TestSchema_Counts(t *testing.T) {
	everything := shop(t)
	everything.Lineage = append(everything.Lineage,
		model.Lineage{FromSchema: "public", FromTable: "orders", ToSchema: "public", ToTable: "orders", Type: model.LineageTrigger},
		model.Lineage{FromSchema: "old", FromTable: "orders", ToSchema: "public", ToTable: "orders", Type: model.LineageTrigger})
	everything.Tables[0].Columns = append(everything.Tables[0].Columns, model.Column{Name: "whole"}, model.Column{Name: "part", Parent: "whole"})
	everything.Joins = append(everything.Joins,
		catalog.Join{From: 0, To: 1, FromColumn: "a", ToColumn: "x", Source: "usage", Group: 7}, catalog.Join{From: 0, To: 1, FromColumn: "b", ToColumn: "y", Source: "usage", Group: 7})
	everything.Paths = []catalog.Path{{From: 0, To: 1, Edges: []int{0}}}
	everything.Metrics = []catalog.Metric{{Name: "m", Uses: []catalog.MetricUse{{Table: 0}, {Table: 1}}}}
	everything.Consumers = []catalog.Consumer{{ID: "1", Uses: []catalog.Use{{Table: 0, Op: "read"}, {Table: 0, Op: "write"}}}, {ID: "2"}}
	for name, data := range map[string]*catalog.Data{
		"everything": everything,
		"lite":       indexed(t, "lite", sqltree.SQLite, "main", "create table a (id integer primary key, b_id references b); create table b (id integer primary key);"),
		"bare":       {Connection: "bare"},
	} {
		c := catalog.New(*data, 1)
		want := map[string]int{}
		for _, b := range fill.Catalog(c, "test") {
			for range b.Rows {
				want[b.Name]++
			}
		}
		got := database{Catalog: c}.counts()
		for _, l := range graph.Labels(0) {
			if got[l.Name] != want[l.Name] {
				t.Errorf("%s: %d nodes of %s, the graph has %d", name, got[l.Name], l.Name, want[l.Name])
			}
		}
		for _, e := range graph.EdgeTypes() {
			if got[e.Name] != want[e.Name] {
				t.Errorf("%s: %d edges of %s, the graph has %d", name, got[e.Name], e.Name, want[e.Name])
			}
		}
		if b, _ := json.Marshal(got); name == "everything" && strings.Count(string(b), ":0") > 0 {
			t.Errorf("nothing is counted of some: %s", b)
		}
	}
}
