package catalog

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/paths"
)

// Edges over the same columns are one path, the best of them: a key that is declared
// twice, also when its columns are listed in another order, a guess beside a key and
// one in both directions. Two edges over different columns are two, and a key to a
// table without a primary key that names no columns of it is none.
func TestPaths_RepeatedEdges(t *testing.T) {
	key := func(name string, from, to []string) model.ForeignKey {
		return model.ForeignKey{Name: name, Columns: from, RefTable: "b", RefColumns: to}
	}
	guess := func(name string, from, to int, a, b string, confidence float64) Join {
		return Join{From: from, To: to, FromColumn: a, ToColumn: b, Confidence: confidence, Reasoning: name}
	}
	a := table("", "a", "x", "y", "z")
	a.ForeignKeys = []model.ForeignKey{
		key("1", []string{"x", "y"}, []string{"p", "q"}), key("2", []string{"y", "x"}, []string{"q", "p"}),
		key("no target columns", []string{"x"}, nil), key("3", []string{"z", "y"}, []string{"p", "q"}), key("4", []string{"x", "y"}, []string{"q", "p"}),
		key("5", []string{"x"}, []string{"p"}),
	}
	c := New(Data{
		Tables: []model.Table{a, table("", "b", "p", "q")}, Facts: make([]Facts, 2),
		Joins: []Join{
			guess("as the key", 0, 1, "x", "p", 0.9), guess("as the key, from the other side", 1, 0, "p", "x", 0.9),
			guess("6", 0, 1, "y", "q", 0.4), guess("7", 1, 0, "q", "y", 0.8), guess("8", 0, 1, "z", "q", 0.8), guess("9", 1, 0, "q", "z", 0.8),
			guess("10", 1, 1, "p", "q", 0.8), guess("11", 1, 1, "q", "p", 0.8),
		},
	}, 0)
	over := func(from, to int) []string {
		r, err := c.Paths().Search(context.Background(), from, to, 10, paths.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, p := range r.Paths {
			e := c.Edge(p.Steps[0].Edge)
			names = append(names, e.Constraint+e.Reasoning)
		}
		return names
	}
	if diff := cmp.Diff([]string{"5", "1", "4", "3", "7", "8"}, over(0, 1)); diff != "" {
		t.Errorf("paths between two tables, -want +got\n%s", diff)
	}
	if diff := cmp.Diff([]string{"10"}, over(1, 1)); diff != "" {
		t.Errorf("paths from a table to itself, -want +got\n%s", diff)
	}
}
