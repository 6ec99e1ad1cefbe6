package generic

import (
	"runtime"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

func TestParse_TooManyTokens(t *testing.T) {
	_, err := Parse(sqltree.DuckDB, "SELECT 1"+strings.Repeat(",1", MaxTokens/2))
	want := "statement has more than 2000000 tokens (line 1, column 2000007)"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	// The twins: a statement of 1 MB is taken, and what counts is one statement.
	if _, err := Parse(sqltree.DuckDB, "INSERT INTO t VALUES (1)"+strings.Repeat(",(1)", 1<<18)); err != nil {
		t.Errorf("an INSERT of 1 MB: %v", err)
	}
	if l := lex(rulesOf(sqltree.DuckDB), strings.Repeat("a b c;", MaxTokens/3)); l.err != nil {
		t.Errorf("many statements: %v", l.err)
	}
}

// allocated returns how many bytes a function allocates.
func allocated(f func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}

// TestParse_Linear holds that strings side by side, which are one, and
// statements with template tags cost what they are long.
func TestParse_Linear(t *testing.T) {
	for _, c := range []struct {
		name    string
		dialect sqltree.Dialect
		make    func(n int) string
	}{
		{"strings in MySQL", sqltree.MySQL, func(n int) string { return "SELECT 'aaaaaaaa'" + strings.Repeat(" 'aaaaaaaa'", n) }},
		{"strings in BigQuery", sqltree.BigQuery, func(n int) string { return "SELECT 'aaaaaaaa'" + strings.Repeat(" 'aaaaaaaa'", n) }},
		{"strings on lines", sqltree.SQLite, func(n int) string { return "SELECT 'aaaaaaaa'" + strings.Repeat("\n'aaaaaaaa'", n) }},
		{"nested columns", sqltree.ClickHouse, func(n int) string {
			return "CREATE TABLE t (a" + strings.Repeat(".aaaaaaa", n) + " Int8) ENGINE = Memory"
		}},
		{"templates", sqltree.Generic, func(n int) string { return strings.Repeat("SELECT {{ a }} FROM WHERE;\n", n) }},
	} {
		bytes := func(n int) float64 {
			text := c.make(n)
			return allocated(func() {
				if _, err := Parse(c.dialect, text); err != nil {
					t.Errorf("%s: %v", c.name, err)
				}
			})
		}
		if small, large := bytes(2000), bytes(8000); large > 8*small {
			t.Errorf("%s: %.0f bytes, and %.0f for a text four times as long", c.name, small, large)
		}
	}
}

// TestTemplate_FindsTags holds that a statement depends on the tags in it and
// directly beside it, and on no others.
func TestTemplate_FindsTags(t *testing.T) {
	text := strings.Repeat("SELECT {{ a }} FROM WHERE; SELECT 1; {% if a %} SELECT FROM;\n", 100)
	s, err := Parse(sqltree.Generic, text)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[bool]int{}
	for _, st := range s.Statements {
		o, ok := st.(*sqltree.Other)
		kinds[ok && o.Kind == "TEMPLATE"]++
	}
	if kinds[true] != 200 || kinds[false] != 100 {
		t.Errorf("%d statements depend on tags and %d do not, want 200 and 100", kinds[true], kinds[false])
	}
	if _, err := Parse(sqltree.Generic, text+"SELECT 1; SELECT FROM WHERE; SELECT 1"); err == nil {
		t.Error("a broken statement without tags is taken")
	}
}

// TestParse_MySQLFullJoin: MySQL has no such join, and FULL is an alias there.
func TestParse_MySQLFullJoin(t *testing.T) {
	for _, d := range []sqltree.Dialect{sqltree.MySQL, sqltree.MariaDB, sqltree.Postgres} {
		s, err := Parse(d, "SELECT 1 FROM emp FULL JOIN dept ON emp.a = dept.a")
		if err != nil {
			t.Fatal(err)
		}
		j := s.Statements[0].(*sqltree.Query).Body.(*sqltree.Select).From[0].(*sqltree.Join)
		alias := j.Left.(*sqltree.TableRef).Alias.Name
		if mysql := d != sqltree.Postgres; mysql != (alias != nil && alias.Name == "FULL") || mysql != (j.Kind == sqltree.InnerJoin) {
			t.Errorf("%s: a %s join of a table with the alias %v", d, j.Kind, alias)
		}
	}
	for _, sql := range []string{"SELECT 1 FROM a x FULL JOIN b ON a", "SELECT 1 FROM a FULL OUTER JOIN b ON a", "SELECT 1 FROM a NATURAL FULL JOIN b"} {
		if _, err := Parse(sqltree.MySQL, sql); err == nil {
			t.Errorf("Parse(%q) is no error", sql)
		}
		if _, err := Parse(sqltree.DuckDB, sql); err != nil {
			t.Error(err)
		}
	}
}
