package fill

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// odd is a catalog with something of everything, and names that need care.
func odd() *catalog.Catalog {
	one := int64(1)
	d := catalog.Data{
		Connection: "eu::shop", Database: "d", Dialect: "postgresql", Generation: "g",
		Tables: []model.Table{
			{Schema: "s", Name: "a::b", Type: model.BaseTable, Rows: &one, Columns: []model.Column{
				{Name: "id", Ordinal: 1, Type: "int"}, {Name: "x", Ordinal: 2, Type: "struct"}, {Name: "y", Ordinal: 2, Type: "int", Parent: "x"},
			}, PrimaryKey: &model.Key{Columns: []string{"id"}}, Partition: &model.Partition{Key: []string{"id"}, Count: 2},
				Grants: []model.Grant{{Grantee: "PUBLIC", Privilege: "SELECT"}}, Usage: &model.Usage{SeqScans: 1}},
			{Schema: "s", Name: "c", Type: model.BaseTable, Columns: []model.Column{{Name: "a_id", Ordinal: 1, Type: "int"}}, ForeignKeys: []model.ForeignKey{
				{Name: "k", Columns: []string{"a_id"}, RefSchema: "s", RefTable: "a::b", RefColumns: []string{"id"}},
			}},
			{Schema: "s", Name: "e", Type: model.View, Columns: []model.Column{{Name: "a_id", Ordinal: 1, Type: "int"}}},
		},
		Facts:    []catalog.Facts{{Role: "fact", Tags: []string{"t"}}, {}, {}},
		Joins:    []catalog.Join{{From: 2, To: 1, FromColumn: "a_id", ToColumn: "a_id", Source: "heuristic", Confidence: 0.5}},
		Lineage:  []model.Lineage{{FromSchema: "s", FromTable: "c", ToSchema: "s", ToTable: "e", Type: model.LineageView, Source: "catalog", Confidence: 1}},
		Clusters: []catalog.Cluster{{Number: 1, Tables: []int{0, 1}, Stale: true}},
		Entities: []catalog.Entity{{Name: "C", Source: "heuristic", Tables: []int{1}}},
		Paths: []catalog.Path{
			{From: 0, To: 1, Edges: []int{0}, Cost: 1, Promoted: true}, {From: 0, To: 2, Edges: []int{0, 1}, Cost: 3.7, Ambiguous: true, Stale: true},
		},
		Vectors:   catalog.Vectors{Model: "m", Dim: 2, Tables: [][]float32{{1, 2}, nil, {3, 4}}},
		Metrics:   []catalog.Metric{{Name: "m", Uses: []catalog.MetricUse{{Table: 1}}, Errors: []string{"e"}}},
		Consumers: []catalog.Consumer{{ID: "x", Kind: "dbt_exposure", Uses: []catalog.Use{{Table: 2, Op: "read"}}}},
	}
	return catalog.New(d, 0)
}

// TestCatalog_FitsTheSchema: every label and edge type comes once, in the schema's
// order, with properties that it has, and every row is as wide.
func TestCatalog_FitsTheSchema(t *testing.T) {
	var names []string
	for _, b := range Catalog(odd(), "v") {
		names = append(names, b.Name)
		var properties []graph.Property
		columns := b.Columns
		label, edge := graph.Find(b.Name, 2)
		switch {
		case label != nil:
			properties = label.Properties
		case edge != nil:
			properties, columns = edge.Properties, columns[2:]
		default:
			t.Fatalf("no label or edge type %s", b.Name)
		}
		for _, c := range columns {
			if !slices.ContainsFunc(properties, func(p graph.Property) bool { return p.Name == c }) {
				t.Errorf("%s has no property %s", b.Name, c)
			}
		}
		n := 0
		for row := range b.Rows {
			n++
			if len(row) != len(b.Columns) {
				t.Errorf("a row of %s has %d values, want %d", b.Name, len(row), len(b.Columns))
			}
		}
		again := 0
		for range b.Rows {
			again++
		}
		if n == 0 || n != again {
			t.Errorf("%s has %d rows, then %d", b.Name, n, again)
		}
		for range b.Rows {
			break // it must be possible to stop
		}
	}
	var want []string
	for _, l := range graph.Labels(2) {
		want = append(want, l.Name)
	}
	for _, e := range graph.EdgeTypes() {
		want = append(want, e.Name)
	}
	for _, none := range []string{graph.Metric, graph.Dimension, graph.BusinessRule, graph.MetricDependsOn, graph.DimensionLevel, graph.RuleAppliesTo, graph.SameEntity} {
		want = slices.DeleteFunc(want, func(n string) bool { return n == none }) // nothing makes them
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("batches, -want +got\n%s", diff)
	}
}

// rows are some columns of a batch, printed.
func rows(t *testing.T, c *catalog.Catalog, name string, columns ...string) []string {
	t.Helper()
	var out []string
	for _, b := range Catalog(c, "v") {
		if b.Name != name {
			continue
		}
		for row := range b.Rows {
			var values []any
			for _, c := range columns {
				i := slices.Index(b.Columns, c)
				if i < 0 {
					t.Fatalf("%s has no column %s", name, c)
				}
				values = append(values, row[i])
			}
			out = append(out, strings.TrimSuffix(fmt.Sprintln(values...), "\n"))
		}
	}
	return out
}

func TestCatalog_Rows(t *testing.T) {
	for _, test := range []struct {
		name    string
		columns []string
		want    []string
	}{
		{graph.SchemaTable, []string{graph.Key, "has_external_consumers", "embedding", "grants_json"}, []string{
			`eu%3A%3Ashop::s::a%3A%3Ab false [1 2] [{"grantee":"PUBLIC","privilege":"SELECT"}]`, "eu%3A%3Ashop::s::c false [] <nil>", "eu%3A%3Ashop::s::e true [3 4] <nil>",
		}},
		{graph.HasSubcolumn, []string{"from", "to"}, []string{"eu%3A%3Ashop::s::a%3A%3Ab::x eu%3A%3Ashop::s::a%3A%3Ab::x.y"}},
		{graph.Cluster, []string{graph.Key, "stale"}, []string{"eu%3A%3Ashop::cluster::1 true"}},
		{graph.JoinPath, []string{"from_table_id", "depth", "confidence", "cost", "ambiguous", "semantic_label", "stale"}, []string{
			"eu%3A%3Ashop::s::a%3A%3Ab 1 1 1 false fk_chain_promoted false", "eu%3A%3Ashop::s::c 1 1 1 false fk_chain_promoted false",
			"eu%3A%3Ashop::s::a%3A%3Ab 2 0.5 3.7 true a::b → e (2 hops) true", "eu%3A%3Ashop::s::e 2 0.5 3.7 true e → a::b (2 hops) true",
		}},
		{graph.MetricTemplate, []string{graph.Key, "tables_used_json", "validation_errors_json", "validated"}, []string{`eu%3A%3Ashop::d::metric::m ["s.c"] ["e"] false`}},
		{graph.Consumes, []string{"edge_id", "source"}, []string{"x->eu%3A%3Ashop::s::e:read dbt"}},
		{graph.InferredJoin, []string{"edge_id"}, []string{"heuristic:eu%3A%3Ashop:s.e.a_id->s.c.a_id"}},
	} {
		got := rows(t, odd(), test.name, test.columns...)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s, -want +got\n%s", test.name, diff)
		}
	}
}

// Fields of structs and columns whose names look like paths to them are apart, and so
// are tables that have one qualified name.
func TestCatalog_NamesWithDots(t *testing.T) {
	c := catalog.New(catalog.Data{Connection: "c", Dialect: "duckdb", Tables: []model.Table{
		{Schema: "s", Name: "t", Columns: []model.Column{
			{Name: "a"}, {Name: "b", Parent: "a"}, {Name: "c", Parent: "a.b"}, {Name: "b.c", Parent: "a"}, {Name: "a.b"}, {Name: "c", Parent: "a.b"},
		}},
		{Schema: "s", Name: "u.v", Type: model.View}, {Schema: "s.u", Name: "v", Type: model.View},
	}, Facts: make([]catalog.Facts, 3), Lineage: []model.Lineage{
		{FromSchema: "s", FromTable: "t", ToSchema: "s", ToTable: "u.v"}, {FromSchema: "s", FromTable: "t", ToSchema: "s.u", ToTable: "v"},
	}}, 0)
	for _, test := range []struct {
		name    string
		columns []string
		want    []string
	}{
		{graph.SchemaColumn, []string{graph.Key, "parent_column_id"}, []string{
			"c::s::t::a <nil>", "c::s::t::a::b c::s::t::a", "c::s::t::a::b.c c::s::t::a::b", "c::s::t::a.b.c c::s::t::a", "c::s::t::a.b <nil>",
			"c::s::t::a.b::c c::s::t::a.b",
		}},
		{graph.HasSubcolumn, []string{"from", "to"}, []string{
			"c::s::t::a c::s::t::a::b", "c::s::t::a::b c::s::t::a::b.c", "c::s::t::a c::s::t::a.b.c", "c::s::t::a.b c::s::t::a.b::c",
		}},
		{graph.Lineage, []string{"from", "to"}, []string{"c::s::t c::s::u.v", "c::s::t c::s.u::v"}},
	} {
		if diff := cmp.Diff(test.want, rows(t, c, test.name, test.columns...)); diff != "" {
			t.Errorf("%s, -want +got\n%s", test.name, diff)
		}
	}
}
