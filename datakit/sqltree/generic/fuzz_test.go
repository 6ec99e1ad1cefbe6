package generic

import (
	"errors"
	"testing"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/internal/treetest"
)

var dialects = []sqltree.Dialect{
	sqltree.Postgres, sqltree.MySQL, sqltree.MariaDB, sqltree.SQLite, sqltree.DuckDB, sqltree.Snowflake, sqltree.BigQuery,
	sqltree.ClickHouse, sqltree.Generic,
}

// FuzzParse holds for any text: no panic, an error with a place inside of it or a
// tree whose spans lie inside it, and a resolver that takes the tree.
func FuzzParse(f *testing.F) {
	for d, list := range corpus(f) {
		for i, x := range dialects {
			if x == d {
				for _, s := range list {
					f.Add(uint8(i), s)
				}
			}
		}
	}
	for _, c := range broken {
		f.Add(uint8(8), c.sql)
	}
	f.Fuzz(func(t *testing.T, dialect uint8, text string) {
		d := dialects[int(dialect)%len(dialects)]
		var s *sqltree.Script
		var err error
		treetest.Timely(t, text, func() { s, err = Parse(d, text) })
		if err != nil {
			var e *sqltree.SyntaxError
			if !errors.As(err, &e) || e.Start < 0 || e.End > len(text) || e.Start > e.End || e.Message == "" {
				t.Fatalf("%s: %#v", d, err)
			}
			return
		}
		for _, p := range treetest.Problems(s, spelled(d)) {
			t.Errorf("%s: %s", d, p)
		}
		for _, n := range s.Notes {
			if n.Start < 0 || n.End > len(text) || n.Start > n.End || n.Message == "" {
				t.Errorf("%s: note %+v", d, n)
			}
		}
		for _, st := range s.Statements {
			sqltree.Resolve(st, d, closed{})
		}
	})
}
