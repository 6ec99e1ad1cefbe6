package metric

import (
	"testing"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/parse"
)

// A condition that is accepted stays inside its parentheses: what follows it is
// read as it would be without it.
func FuzzCondition(f *testing.F) {
	for _, text := range []string{
		"a > 0", "a = 'x' or b in (1, 2)", "a) or (b", "a; b", "a -- b", "a /* b", "a # b", "a limit 1", "exists (select 1 from t)", "a = $$x$$", "'a\\' or 1=1 --'",
		"a is null", "not a", "x between 1 and 2", `"a" = 1`, "`a` = 1", "[a] = 1", "a::int = 1", "a ->> 'x' = 'y'", "{{ a }}", "a > 0 /*! or 1 */",
	} {
		f.Add(text)
	}
	dialects := []sqltree.Dialect{sqltree.Postgres, sqltree.MySQL, sqltree.MariaDB, sqltree.SQLite, sqltree.DuckDB}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 500 {
			return
		}
		for _, d := range dialects {
			c, err := parseCondition(d, text)
			if err != nil {
				continue
			}
			if got := c.rewrite(func(*sqltree.Column) string { return "" }); got != text {
				t.Fatalf("%s: %q became %q", d, text, got)
			}
			for _, col := range c.columns {
				if col.Start < c.from || col.End-c.from > len(text) {
					t.Fatalf("%s: %q has a column at %v", d, text, col.Span)
				}
			}
			whole, err := where(d, probe+"("+text+") AND (1 = 0)")
			if err != nil {
				t.Fatalf("%s: %q is accepted alone, and before another: %v", d, text, err)
			}
			and, ok := whole.(*sqltree.Op)
			if !ok || and.Name != "AND" {
				t.Fatalf("%s: %q reaches out of its parentheses: %T", d, text, whole)
			}
			if _, err := parse.Parse(d, "SELECT 1 FROM t WHERE ("+text+")\nGROUP BY 1"); err != nil {
				t.Fatalf("%s: %q: %v", d, text, err)
			}
		}
	})
}
