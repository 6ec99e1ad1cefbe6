package sqlsrc

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// A name is looked at a few times, however long its list becomes.
func TestLookup_Grows(t *testing.T) {
	const members = 2_000
	looks := 0
	l := lookup[schema.Column]{name: func(c *schema.Column) string { looks++; return c.Name }}
	var list []*schema.Column
	table := &schema.Table{}
	for i := range members {
		name := fmt.Sprint("c", i)
		if l.find(table, list, name, anyOf) != nil {
			t.Fatalf("%s is there before it is added", name)
		}
		list = append(list, &schema.Column{Name: name})
		if got := l.find(table, list, name, anyOf); got != list[i] {
			t.Fatalf("%s is %v", name, got)
		}
	}
	if most := 4*members + 2*short*short; looks > most {
		t.Errorf("%d looks at names, want at most %d", looks, most)
	}
	last := list[members-1]
	list[0], list[members-1] = last, list[0]
	for i, c := range list {
		if l.find(table, list, c.Name, anyOf) != c {
			t.Errorf("%s, now at %d, is not found", c.Name, i)
		}
	}
	if list = list[1:]; l.find(table, list, last.Name, anyOf) != nil {
		t.Error("what was taken away is found")
	}
}

// What statements do to the columns of a long table is seen by those behind them.
func TestParse_ChangesOfLongTables(t *testing.T) {
	var create strings.Builder
	create.WriteString("CREATE TABLE t (id int PRIMARY KEY")
	for i := range 2 * short {
		fmt.Fprintf(&create, ", c%d int", i)
	}
	create.WriteString(");\n")
	for _, c := range []struct {
		statements string
		rule       finding.Rule
	}{
		{"ALTER TABLE t ADD COLUMN c3 int;", "TBL002"},
		{"ALTER TABLE t ADD COLUMN c99 int; ALTER TABLE t ADD COLUMN c99 int;", "TBL002"},
		{"ALTER TABLE t RENAME COLUMN c3 TO x; ALTER TABLE t ADD COLUMN c3 int;", ""},
		{"ALTER TABLE t RENAME COLUMN c3 TO x; ALTER TABLE t ADD COLUMN x int;", "TBL002"},
		{"ALTER TABLE t DROP COLUMN c3; ALTER TABLE t ADD COLUMN c3 int;", ""},
		{"ALTER TABLE t DROP COLUMN c3; ALTER TABLE t ADD COLUMN y int; ALTER TABLE t ADD COLUMN y int;", "TBL002"},
	} {
		for _, d := range []dialect.Dialect{dialect.Postgres, dialect.MySQL, dialect.SQLite} {
			var rep finding.Report
			Parse(context.Background(), create.String()+c.statements, "a.sql", d, &rep)
			problems := rep.Problems()
			if (c.rule != "") != (len(problems) == 1) || c.rule != "" && problems[0].Rule != c.rule {
				t.Errorf("%s: %s: %v, want %q", d, c.statements, problems, c.rule)
			}
		}
	}
	for _, statements := range []string{
		"ALTER TABLE t CHANGE c3 x int; ALTER TABLE t ADD COLUMN c3 int;",
		"ALTER TABLE t MODIFY c3 bigint FIRST; ALTER TABLE t RENAME COLUMN c3 TO x; ALTER TABLE t RENAME COLUMN c4 TO c3;",
		"ALTER TABLE t ADD UNIQUE u (c1); ALTER TABLE t RENAME INDEX u TO v; ALTER TABLE t ADD UNIQUE u (c2); ALTER TABLE t DROP INDEX v;",
	} {
		var rep finding.Report
		Parse(context.Background(), create.String()+statements, "a.sql", dialect.MySQL, &rep)
		if rep.Failed() {
			t.Errorf("%s: %v", statements, rep.Problems())
		}
	}
}
