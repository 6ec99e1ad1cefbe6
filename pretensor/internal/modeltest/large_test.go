package modeltest

import (
	"reflect"
	"testing"

	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// TestLarge checks that the generated database has the size that is asked for and
// holds together.
func TestLarge(t *testing.T) {
	db := Large(1000, 20_000)
	if !reflect.DeepEqual(db, Large(1000, 20_000)) {
		t.Error("two databases of one size differ")
	}
	byName := map[string]*model.Table{}
	columns, keys, views, most := 0, 0, 0, map[string]int{}
	for i := range db.Tables {
		table := &db.Tables[i]
		if byName[table.QualifiedName()] != nil {
			t.Errorf("two tables %s", table.QualifiedName())
		}
		byName[table.QualifiedName()] = table
		columns += len(table.Columns)
		if table.IsView() {
			views++
		}
	}
	for i := range db.Tables {
		table := &db.Tables[i]
		names := map[string]bool{}
		for _, c := range table.Columns {
			if names[c.Name] {
				t.Errorf("two columns %s.%s", table.QualifiedName(), c.Name)
			}
			names[c.Name] = true
		}
		for _, k := range table.ForeignKeys {
			keys++
			to := byName[model.Qualify(k.RefSchema, k.RefTable)]
			if to == nil || to.Column(k.RefColumns[0]) == nil || table.Column(k.Columns[0]) == nil {
				t.Errorf("key %s of %s leads nowhere", k.Name, table.QualifiedName())
				continue
			}
			most[to.QualifiedName()]++
		}
	}
	largest := 0
	for _, n := range most {
		largest = max(largest, n)
	}
	if len(db.Tables) != 1000 || views != 100 || columns != 20_000 || keys < 1300 || keys > 1600 || largest < 20 {
		t.Errorf("%d tables, %d views, %d columns, %d keys, at most %d to one table", len(db.Tables), views, columns, keys, largest)
	}
}
