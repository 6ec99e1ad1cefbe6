package model

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestColumnFacts(t *testing.T) {
	table := Table{
		PrimaryKey: &Key{Columns: []string{"a", "b"}},
		Uniques:    []Key{{Columns: []string{"c"}}},
		ForeignKeys: []ForeignKey{
			{Columns: []string{"a", "b"}, RefTable: "x", RefColumns: []string{"p", "q"}},
			{Columns: []string{"b"}, RefTable: "y", RefColumns: []string{"r"}},
		},
		Indexes: []Index{
			{Name: "first", Columns: []string{"d", "(lower(e))"}, Unique: true},
			{Name: "second", Columns: []string{"d"}, Unique: true, Partial: true},
			{Name: "third", Columns: []string{"f"}, Unique: true},
		},
		Checks: []Check{{Expr: "b > 0", Columns: []string{"b"}}, {Expr: "b < c", Columns: []string{"b", "c"}}},
	}
	want := map[string]ColumnFacts{
		"a":          {Primary: true, Foreign: true, Refers: &table.ForeignKeys[0]},
		"b":          {Primary: true, Foreign: true, Refers: &table.ForeignKeys[0], At: 1, Checks: []string{"b > 0", "b < c"}},
		"c":          {Unique: true, Checks: []string{"b < c"}},
		"d":          {Index: &table.Indexes[0]},
		"(lower(e))": {Index: &table.Indexes[0]},
		"f":          {Unique: true, Index: &table.Indexes[2]},
	}
	if diff := cmp.Diff(want, table.ColumnFacts()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for name, f := range table.ColumnFacts() {
		if f.Unique != table.IsKey([]string{name}) {
			t.Errorf("%s: unique %v", name, f.Unique)
		}
	}
	if got := (&Table{}).ColumnFacts(); len(got) != 0 {
		t.Errorf("facts of nothing: %v", got)
	}
}
