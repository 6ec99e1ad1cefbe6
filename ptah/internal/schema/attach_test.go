package schema

import (
	"slices"
	"testing"
)

func TestColumnsOf(t *testing.T) {
	table := func(name string, columns ...string) *Table {
		t := &Table{Name: Name{Name: name}}
		for _, c := range columns {
			t.Columns = append(t.Columns, &Column{Name: c})
		}
		return t
	}
	a, b := table("a", "x", "y"), table("b", "z")
	child := table("child", "y", "own")
	child.Inherits = []Name{a.Name, {Schema: "public", Name: "b"}, {Name: "elsewhere"}}
	part := table("part")
	part.Partition = &Partition{Of: child.Name}
	loop := table("loop", "q")
	loop.Inherits = []Name{loop.Name}
	db := &Database{Tables: []*Table{a, b, child, part, loop}}
	same := func(s string) string { return s }
	tables := db.TablesByName("public", same)
	for _, test := range []struct {
		table *Table
		want  []string
	}{
		{a, []string{"x", "y"}},
		{child, []string{"x", "y", "z", "own"}},
		{part, []string{"x", "y", "z", "own"}},
		{loop, []string{"q"}},
	} {
		var got []string
		for _, c := range ColumnsOf(test.table, tables, "public", same) {
			got = append(got, c.Name)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s has %v, want %v", test.table.Name, got, test.want)
		}
	}
}
