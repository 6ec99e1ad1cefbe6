package parse

import (
	"errors"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/internal/treetest"
)

var dialects = []sqltree.Dialect{
	sqltree.Postgres, sqltree.MySQL, sqltree.MariaDB, sqltree.SQLite, sqltree.DuckDB, sqltree.Snowflake, sqltree.BigQuery,
	sqltree.ClickHouse, sqltree.Generic,
}

// growths are texts that grow by a part that is written again and again: head,
// the part n times, middle, the closing part n times.
var growths = []struct{ name, head, part, middle, closing string }{
	{"subscripts", "SELECT a", "[1]", "", ""},
	{"slices", "SELECT a", "[1:2]", "", ""},
	{"fields", "SELECT (e)", ".a", "", ""},
	{"fields of a parameter", "SELECT $1", ".a", "", ""},
	{"fields and subscripts", "SELECT (e)", ".a[1]", "", ""},
	{"names", "SELECT a", ".a", "", ""},
	{"paths", "SELECT a", ":a", "", ""},
	{"methods", "SELECT a", ".f()", "", ""},
	{"casts", "SELECT a", "::int", "", ""},
	{"COLLATE", "SELECT a", ` COLLATE "C"`, "", ""},
	{"AT TIME ZONE", "SELECT a", " AT TIME ZONE b", "", ""},
	{"IS NULL", "SELECT a", " IS NULL", "", ""},
	{"plus", "SELECT a", "+a", "", ""},
	{"plus keyword", "SELECT a", "+a.and", "", ""},
	{"plus VALUES", "SELECT values", "+values", "", ""},
	{"concatenation", "SELECT a", "||'a'", "", ""},
	{"comparison", "SELECT a", " < a", "", ""},
	{"power", "SELECT a", "^a", "", ""},
	{"minus", "SELECT ", "- ", "a", ""},
	{"NOT", "SELECT ", "NOT ", "a", ""},
	{"AND", "SELECT a", " AND a", "", ""},
	{"AND in OR", "SELECT a", " AND a OR a", "", ""},
	{"LIKE", "SELECT a", " LIKE a", "", ""},
	{"BETWEEN", "SELECT a", " BETWEEN a AND a", "", ""},
	{"lambdas", "SELECT f(", "x -> ", "a)", ""},
	{"LAMBDA", "SELECT f(", "LAMBDA x : ", "a)", ""},
	{"calls of calls", "SELECT f", "(a)", "", ""},
	{"FILTER", "SELECT f(a)", " FILTER (WHERE a)", "", ""},
	{"OVER", "SELECT f(a)", " OVER ()", "", ""},
	{"conditional operator", "SELECT ", "a ? a : ", "a", ""},
	{"strings", "SELECT 'a'", " 'a'", "", ""},
	{"dates", "SELECT ", "DATE ", "'a'", ""},
	{"intervals", "SELECT ", "INTERVAL ", "a DAY", ""},
	{"parentheses", "SELECT ", "(", "a", ")"},
	{"arrays", "SELECT ", "[", "a", "]"},
	{"braces", "SELECT ", "{'a': ", "a", "}"},
	{"calls", "SELECT ", "f(", "a", ")"},
	{"CASE", "SELECT ", "CASE WHEN a THEN ", "a", " END"},
	{"CASE behind CASE", "SELECT ", "CASE ", "a", " WHEN a THEN a END"},
	{"CASE with a name", "SELECT ", "CASE a.end WHEN a THEN ", "a", " END"},
	{"scalar subqueries", "", "SELECT (", "SELECT a", ")"},
	{"EXISTS", "", "SELECT a FROM t WHERE EXISTS (", "SELECT a", ")"},
	{"derived tables", "", "SELECT a FROM (", "SELECT a", ") t"},
	{"WITH", "", "WITH a AS (", "SELECT 1", ") SELECT 1"},
	{"UNION", "SELECT a", " UNION SELECT a", "", ""},
	{"UNION of parentheses", "", "(", "SELECT a", " UNION SELECT a)"},
	{"joins", "SELECT a FROM t", " JOIN t ON a", "", ""},
	{"joins with late conditions", "SELECT a FROM t", " JOIN t", "", " ON a"},
	{"joins in parentheses", "SELECT a FROM ", "(", "t", " JOIN t ON a)"},
	{"outer joins of ODBC", "SELECT a FROM ", "{ OJ ", "t", " }"},
	{"comma joins", "SELECT a FROM (t", ", t", ")", ""},
	{"ARRAY JOIN", "SELECT a FROM t", " ARRAY JOIN a AS b", "", ""},
	{"array joins", "SELECT a FROM t ARRAY JOIN a AS b", ", a AS b", "", ""},
	{"LATERAL VIEW", "SELECT a FROM t", " LATERAL VIEW explode(a) b AS c", "", ""},
	{"PIVOT", "SELECT a FROM t", " PIVOT (sum(a) FOR b IN (1))", "", ""},
	{"TABLESAMPLE", "SELECT a FROM t", " TABLESAMPLE (1)", "", ""},
	{"aliases first", "SELECT a FROM ", "a: ", "t", ""},
	{"aliased items", "SELECT ", "a: ", "t", ""},
	{"pipes", "FROM t", " |> WHERE a", "", ""},
	{"piped unions", "FROM t", " |> UNION ALL (SELECT a)", "", ""},
	{"EXPLAIN", "", "EXPLAIN ", "SELECT a", ""},
	{"DESCRIBE", "", "DESCRIBE ", "SELECT a", ""},
	{"PREPARE", "", "PREPARE a AS ", "SELECT a", ""},
	{"FROM FROM", "", "FROM ", "t", ""},
	{"BEGIN", "", "BEGIN ", "SELECT a;", " END;"},
	{"IF", "", "IF a THEN ", "SELECT a;", " END IF;"},
	{"triggers", "", "CREATE TRIGGER a DELETE ON t BEGIN ", "SELECT a;", " END;"},
	{"functions", "", "CREATE FUNCTION f() RETURNS int ", "RETURN a", ""},
	{"schemas", "CREATE SCHEMA s", " CREATE TABLE t (a int)", "", ""},
	{"angles", "SELECT CAST(a AS ", "ARRAY<", "INT64", ">)"},
	{"angles of structures", "SELECT CAST(a AS ", "STRUCT<a ", "INT64", ">)"},
	{"types in parentheses", "CREATE TABLE t (a ", "Nullable(", "Int8", "))"},
	{"dimensions", "CREATE TABLE t (a int", "[]", ")", ""},
	{"ON CONFLICT", "INSERT INTO t VALUES (1)", " ON CONFLICT (a) DO UPDATE SET a = 1", "", ""},
	{"ELSEIF", "IF a THEN SELECT a;", " ELSEIF a THEN SELECT a;", " END IF", ""},
	{"targets", "UPDATE t SET ", "(", "a", ") = 1"},
	{"assignments", "SELECT ", "@a := ", "1", ""},
	{"set assignments", "SET ", "a = ", "1", ""},
	{"DEFAULT", "CREATE TABLE t (a int", " DEFAULT 1", ")", ""},
	{"quantifiers", "SELECT ", "a = ANY ", "(a)", ""},
}

// grown returns a growth of n parts.
func grown(i, n int) string {
	g := growths[i]
	return g.head + strings.Repeat(g.part, n) + g.middle + strings.Repeat(g.closing, n)
}

// TestParse_DepthIsBounded grows trees in every way that a tree grows: none is
// deeper than recursion over trees counts on, and what is refused has a place.
func TestParse_DepthIsBounded(t *testing.T) {
	for _, d := range dialects {
		accepted := 0
		for i, g := range growths {
			if _, err := Parse(d, grown(i, 20)); err != nil {
				continue // not in this dialect
			}
			accepted++
			text := grown(i, 2600)
			s, err := Parse(d, text)
			if err != nil {
				var e *sqltree.SyntaxError
				if !errors.As(err, &e) || e.Start < 0 || e.End > len(text) || e.Start > e.End {
					t.Errorf("%s, %s: %#v", d, g.name, err)
				}
			} else if depth := treetest.Depth(s); depth > sqltree.MaxDepth {
				t.Errorf("%s, %s: a tree of %d levels", d, g.name, depth)
			}
		}
		// The twin: few of a kind are no mistake.
		if accepted < 30 {
			t.Errorf("%s takes %d of the growths, want 30 at least", d, accepted)
		}
	}
}
