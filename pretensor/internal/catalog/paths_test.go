package catalog

import (
	"context"
	"testing"

	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/paths"
)

// A key that is declared twice gives one path, also when its columns are listed in
// another order; two keys over different columns give two, and one to a table without
// a primary key that names no columns of it gives none.
func TestPaths_RepeatedKeys(t *testing.T) {
	key := func(name string, from, to []string) model.ForeignKey {
		return model.ForeignKey{Name: name, Columns: from, RefTable: "b", RefColumns: to}
	}
	a := table("", "a", "x", "y", "z")
	a.ForeignKeys = []model.ForeignKey{
		key("1", []string{"x", "y"}, []string{"p", "q"}), key("2", []string{"y", "x"}, []string{"q", "p"}),
		key("no target columns", []string{"x"}, nil), key("3", []string{"z", "y"}, []string{"p", "q"}), key("4", []string{"x", "y"}, []string{"q", "p"}),
	}
	c := New(Data{Tables: []model.Table{a, table("", "b", "p", "q")}, Facts: make([]Facts, 2)}, 0)
	r, err := c.Paths().Search(context.Background(), 0, 1, 10, paths.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range r.Paths {
		got = append(got, c.Edge(p.Steps[0].Edge).Constraint)
	}
	if len(got) != 3 || got[0] != "1" || got[1] != "4" || got[2] != "3" {
		t.Errorf("paths over the keys %q, want 1, 4 and 3", got)
	}
}
