package parse

import (
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// params lists the placeholders of a script as they are written.
func params(s *sqltree.Script) string {
	var out []string
	sqltree.Inspect(s, func(n sqltree.Node) bool {
		if p, ok := n.(*sqltree.Param); ok {
			out = append(out, s.Text[p.Start:p.End])
		}
		return true
	})
	return strings.Join(out, " ")
}

func TestParse_Postgres(t *testing.T) {
	for _, c := range []struct{ name, sql, params, err string }{
		{name: "own parameters", sql: "SELECT a FROM t WHERE b = $1 AND c ? 'k'", params: "$1"},
		{name: "question marks", sql: "SELECT a FROM t WHERE b = ? AND c=? AND d ? 'k' LIMIT ?", params: "? ? ?"},
		{name: "names behind a colon", sql: "UPDATE t SET a = :a WHERE b::int = :b", params: ":a :b"},
		{name: "names behind an at sign", sql: "SELECT a FROM t WHERE b = @b AND c=@c AND d @> e", params: "@b @c"},
		{name: "absolute value of a number", sql: "SELECT @ -5, @ a FROM t"},
		{name: "percent", sql: "SELECT a FROM t WHERE b = %s AND c=%s AND d = %(d)s AND e % 2 = 1", params: "%s %s %(d)s"},
		{name: "braces", sql: "SELECT a FROM t WHERE b = {b} AND c = ${c}", params: "{b} ${c}"},
		{name: "a template", sql: "SELECT a FROM {{ ref('t') }} WHERE b = 1"},
		{name: "refused by the grammar", sql: "SELECT a FROM t QUALIFY b = 1", err: `syntax error at or near "b" (line 1, column 25)`},
		{name: "another dialect's syntax", sql: "SELECT TOP 5 a FROM t", err: `syntax error at or near "5" (line 1, column 12)`},
		{name: "broken beside a placeholder", sql: "SELECT a FROM t WHERE b = ? AND", err: `syntax error at or near "AND" (line 1, column 29)`},
		{name: "nothing", sql: " -- x"},
		{name: "a NUL byte", sql: "SELECT ?\x00", err: "text has a NUL byte (line 1, column 9)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := Parse(sqltree.Postgres, c.sql)
			if c.err != "" {
				if err == nil || err.Error() != c.err {
					t.Fatalf("Parse(%q): %v, want %s", c.sql, err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatalf("Parse(%q): %v", c.sql, err)
			}
			if got := params(s); got != c.params {
				t.Errorf("Parse(%q) has the parameters %q, want %q", c.sql, got, c.params)
			}
		})
	}
}

func TestParse_OtherDialects(t *testing.T) {
	for d, sql := range map[sqltree.Dialect]string{
		sqltree.SQLite:     "SELECT [a b] FROM t WHERE c GLOB 'x*'",
		sqltree.DuckDB:     "FROM t SELECT * EXCLUDE (a)",
		sqltree.Snowflake:  "SELECT a:b::int FROM t QUALIFY row_number() OVER (ORDER BY c) = 1",
		sqltree.BigQuery:   "SELECT * EXCEPT (a) FROM `p.d.t`",
		sqltree.ClickHouse: "SELECT a FROM t FINAL PREWHERE b LIMIT 1 BY c",
		sqltree.Generic:    "SELECT TOP 5 [a] FROM [t]",
	} {
		s, err := Parse(d, sql)
		if err != nil || len(s.Statements) != 1 || s.Dialect != d || s.Text != sql {
			t.Errorf("Parse(%s, %q) = %+v, %v", d, sql, s, err)
		}
	}
}
