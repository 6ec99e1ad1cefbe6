package generic

import (
	"errors"
	"testing"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// broken are texts that no database takes, with the message and the piece of
// the text that the error's span covers.
var broken = []struct {
	dialect   sqltree.Dialect
	sql, want string
	at        string
}{
	{sqltree.SQLite, "SELECT a FROM", "expected a table, found the end of the text (line 1, column 14)", ""},
	{sqltree.SQLite, "SELECT a FROM t WHERE", "expected an expression, found the end of the text (line 1, column 22)", ""},
	{sqltree.SQLite, "SELECT a FROM t WHERE a =", "expected an expression, found the end of the text (line 1, column 26)", ""},
	{sqltree.SQLite, "SELECT a,, b FROM t", "expected an expression, found \",\" (line 1, column 10)", ","},
	{sqltree.SQLite, "SELECT a, FROM t", "expected an expression, found \"FROM\" (line 1, column 11)", "FROM"},
	{sqltree.SQLite, "SELECT FROM t", "expected an expression, found \"FROM\" (line 1, column 8)", "FROM"},
	{sqltree.SQLite, "SELECT (a + b FROM t", "bracket \"(\" is never closed (line 1, column 8)", "("},
	{sqltree.SQLite, "SELECT a + b) FROM t", "bracket \")\" closes nothing (line 1, column 13)", ")"},
	{sqltree.SQLite, "SELECT 'abc FROM t", "string is never closed (line 1, column 8)", "'"},
	{sqltree.SQLite, "SELECT \"abc FROM t", "quoted name is never closed (line 1, column 8)", "\""},
	{sqltree.SQLite, "SELECT [abc FROM t", "quoted name is never closed (line 1, column 8)", "["},
	{sqltree.SQLite, "SELECT a b c FROM t", "expected the end of the statement, found \"c\" (line 1, column 12)", "c"},
	{sqltree.SQLite, "SELECT a FROM t x y", "expected the end of the statement, found \"y\" (line 1, column 19)", "y"},
	{sqltree.SQLite, "SELECT a FROM t WHERE a = 1 b = 2", "expected the end of the statement, found \"b\" (line 1, column 29)", "b"},
	{sqltree.SQLite, "SELECT a FROM t GROUP a", "expected BY, found \"a\" (line 1, column 23)", "a"},
	{sqltree.SQLite, "SELECT a FROM t ORDER a", "expected BY, found \"a\" (line 1, column 23)", "a"},
	{sqltree.SQLite, "SELECT a FROM t WHERE a BETWEEN 1", "expected AND, found the end of the text (line 1, column 34)", ""},
	{sqltree.SQLite, "SELECT a FROM t WHERE a IN", "expected an expression, found the end of the text (line 1, column 27)", ""},
	{sqltree.SQLite, "SELECT a FROM t WHERE a IN (1, 2", "bracket \"(\" is never closed (line 1, column 28)", "("},
	{sqltree.SQLite, "SELECT a FROM t WHERE a LIKE", "expected an expression, found the end of the text (line 1, column 29)", ""},
	{sqltree.SQLite, "SELECT CASE WHEN a THEN 1 FROM t", "expected WHEN, ELSE or END, found \"FROM\" (line 1, column 27)", "FROM"},
	{sqltree.SQLite, "SELECT CASE a END FROM t", "expected WHEN, found \"END\" (line 1, column 15)", "END"},
	{sqltree.SQLite, "SELECT a FROM t WHERE a = 1 WHERE b = 2", "there is a second WHERE clause (line 1, column 29)", "WHERE"},
	{sqltree.SQLite, "SELECT a FROM t HAVING a > 1 WHERE b = 2", "clause WHERE stands behind HAVING (line 1, column 30)", "WHERE"},
	{sqltree.SQLite, "SELECT a FROM t LIMIT 1 ORDER BY a", "clause ORDER BY stands behind LIMIT (line 1, column 25)", "ORDER"},
	{sqltree.SQLite, "SELECT a FROM t JOIN", "expected a table, found the end of the text (line 1, column 21)", ""},
	{sqltree.SQLite, "SELECT a FROM t JOIN u ON", "expected an expression, found the end of the text (line 1, column 26)", ""},
	{sqltree.SQLite, "SELECT a FROM t u ON t.a = u.a", "expected the end of the statement, found \"ON\" (line 1, column 19)", "ON"},
	{sqltree.SQLite, "SELECT a FROM t LEFT JOIN ON t.a = 1", "expected a table, found \"ON\" (line 1, column 27)", "ON"},
	{sqltree.SQLite, "SELECT a.  FROM t", "expected a name, found \"FROM\" (line 1, column 12)", "FROM"},
	{sqltree.SQLite, "SELECT .a FROM t", "expected an expression, found \".\" (line 1, column 8)", "."},
	{sqltree.SQLite, "SELECT a FROM t UNION", "expected SELECT, VALUES or a query in parentheses, found the end of the text (line 1, column 22)", ""},
	{sqltree.SQLite, "SELECT a FROM t UNION ALL WHERE a", "expected SELECT, VALUES or a query in parentheses, found \"WHERE\" (line 1, column 27)", "WHERE"},
	{sqltree.SQLite, "SELECT * * FROM t", "expected the end of the statement, found \"*\" (line 1, column 10)", "*"},
	{sqltree.SQLite, "SELECT a AS FROM t", "expected an alias, found \"FROM\" (line 1, column 13)", "FROM"},
	{sqltree.SQLite, "SELECT CAST(a AS) FROM t", "expected a type, found \")\" (line 1, column 17)", ")"},
	{sqltree.SQLite, "SELECT CAST(a INTEGER) FROM t", "expected AS, found \"INTEGER\" (line 1, column 15)", "INTEGER"},
	{sqltree.SQLite, "SELECT f(a b) FROM t", "expected \",\" or \")\", found \"b\" (line 1, column 12)", "b"},
	{sqltree.SQLite, "SELECT f(a, ) FROM t", "expected an expression, found \")\" (line 1, column 13)", ")"},
	{sqltree.SQLite, "SELECT f(a FROM t", "bracket \"(\" is never closed (line 1, column 9)", "("},
	{sqltree.SQLite, "SELEC a FROM t", "expected a statement, found \"SELEC\" (line 1, column 1)", "SELEC"},
	{sqltree.SQLite, "FROM t", "expected a statement, found \"FROM\" (line 1, column 1)", "FROM"},
	{sqltree.SQLite, "SELECT 1abc", "number \"1abc\" is followed by letters (line 1, column 8)", "1abc"},
	{sqltree.SQLite, "SELECT a FROM t;;) SELECT 1", "bracket \")\" closes nothing (line 1, column 18)", ")"},
	{sqltree.SQLite, "SELECT 1; SELECT (2; SELECT 3", "bracket \"(\" is never closed (line 1, column 18)", "("},
	{sqltree.SQLite, "SELECT a FROM t WHERE NOT", "expected an expression, found the end of the text (line 1, column 26)", ""},
	{sqltree.SQLite, "SELECT a FROM t WHERE a AND", "expected an expression, found the end of the text (line 1, column 28)", ""},
	{sqltree.SQLite, "SELECT a FROM t WHERE AND a", "expected an expression, found \"AND\" (line 1, column 23)", "AND"},
	{sqltree.SQLite, "SELECT a FROM t WHERE a IS", "expected an expression, found the end of the text (line 1, column 27)", ""},
	{sqltree.SQLite, "SELECT a # b FROM t", "unexpected character \"#\" (line 1, column 10)", "#"},
	{sqltree.SQLite, "SELECT sum(a) OVER (PARTITION a) FROM t", "expected BY, found \"a\" (line 1, column 31)", "a"},
	{sqltree.SQLite, "SELECT sum(a) OVER (ORDER BY a ROWS BETWEEN 1 PRECEDING) FROM t", "expected AND, found \")\" (line 1, column 56)", ")"},
	{sqltree.SQLite, "SELECT sum(a) OVER (ROWS 1) FROM t", "expected PRECEDING or FOLLOWING, found \")\" (line 1, column 27)", ")"},
	{sqltree.SQLite, "SELECT a FROM (SELECT b FROM t", "bracket \"(\" is never closed (line 1, column 15)", "("},
	{sqltree.SQLite, "SELECT a FROM (SELECT b FROM) x", "expected a table, found \")\" (line 1, column 29)", ")"},
	{sqltree.SQLite, "WITH x AS SELECT 1 SELECT * FROM x", "expected \"(\", found \"SELECT\" (line 1, column 11)", "SELECT"},
	{sqltree.SQLite, "WITH x (SELECT 1) SELECT * FROM x", "expected \")\", found \"1\" (line 1, column 16)", "1"},
	{sqltree.SQLite, "WITH x AS (SELECT 1)", "expected SELECT, VALUES or a query in parentheses, found the end of the text (line 1, column 21)", ""},
	{sqltree.SQLite, "INSERT INTO t (a, b VALUES (1, 2)", "bracket \"(\" is never closed (line 1, column 15)", "("},
	{sqltree.SQLite, "INSERT INTO t (a, b)", "expected VALUES or SELECT, found the end of the text (line 1, column 21)", ""},
	{sqltree.SQLite, "INSERT INTO (a) VALUES (1)", "expected a table, found \"(\" (line 1, column 13)", "("},
	{sqltree.SQLite, "INSERT INTO t VALUES 1, 2", "expected \"(\", found \"1\" (line 1, column 22)", "1"},
	{sqltree.SQLite, "INSERT INTO t VALUES (1, 2", "bracket \"(\" is never closed (line 1, column 22)", "("},
	{sqltree.SQLite, "INSERT INTO t VALUES (1) ON CONFLICT UPDATE", "expected DO, found \"UPDATE\" (line 1, column 38)", "UPDATE"},
	{sqltree.SQLite, "UPDATE t a = 1", "expected SET, found \"=\" (line 1, column 12)", "="},
	{sqltree.SQLite, "UPDATE t SET a 1", "expected \"=\", found \"1\" (line 1, column 16)", "1"},
	{sqltree.SQLite, "UPDATE t SET a = WHERE b", "expected an expression, found \"WHERE\" (line 1, column 18)", "WHERE"},
	{sqltree.SQLite, "UPDATE SET a = 1", "expected a table, found \"SET\" (line 1, column 8)", "SET"},
	{sqltree.SQLite, "DELETE t WHERE", "expected an expression, found the end of the text (line 1, column 15)", ""},
	{sqltree.SQLite, "DELETE FROM WHERE a = 1", "expected a table, found \"WHERE\" (line 1, column 13)", "WHERE"},
	{sqltree.SQLite, "CREATE TABLE t", "expected \"(\" or AS, found the end of the text (line 1, column 15)", ""},
	{sqltree.SQLite, "CREATE TABLE t (a INT, b)c)", "bracket \")\" closes nothing (line 1, column 27)", ")"},
	{sqltree.SQLite, "CREATE TABLE t (a INT b TEXT", "bracket \"(\" is never closed (line 1, column 16)", "("},
	{sqltree.SQLite, "CREATE TABLE t (a INT, )", "expected a column or constraint, found \")\" (line 1, column 24)", ")"},
	{sqltree.SQLite, "CREATE TABLE (a INT)", "expected a name, found \"(\" (line 1, column 14)", "("},
	{sqltree.SQLite, "CREATE TABLE t (a INT PRIMARY)", "expected KEY, found \")\" (line 1, column 30)", ")"},
	{sqltree.SQLite, "CREATE TABLE t (FOREIGN KEY a REFERENCES u)", "expected \"(\", found \"REFERENCES\" (line 1, column 31)", "REFERENCES"},
	{sqltree.SQLite, "CREATE VIEW v SELECT 1", "expected AS, found the end of the text (line 1, column 23)", ""},
	{sqltree.SQLite, "CREATE VIEW v AS", "expected SELECT, VALUES or a query in parentheses, found the end of the text (line 1, column 17)", ""},
	{sqltree.SQLite, "CREATE INDEX i t (a)", "expected ON, found \"t\" (line 1, column 16)", "t"},
	{sqltree.SQLite, "CREATE INDEX i ON t", "expected \"(\", found the end of the text (line 1, column 20)", ""},
	{sqltree.SQLite, "DROP TABLE", "expected a name, found the end of the text (line 1, column 11)", ""},
	{sqltree.SQLite, "DROP", "expected a kind of object, found the end of the text (line 1, column 5)", ""},
	{sqltree.SQLite, "CREATE", "expected a kind of object, found the end of the text (line 1, column 7)", ""},
	{sqltree.SQLite, "ALTER TABLE t ADD", "expected a name, found the end of the text (line 1, column 18)", ""},
	{sqltree.SQLite, "ALTER TABLE t RENAME a b", "expected TO, found \"b\" (line 1, column 24)", "b"},
	{sqltree.SQLite, "EXPLAIN", "expected a table or a query, found the end of the text (line 1, column 8)", ""},
	{sqltree.SQLite, "VALUES", "expected \"(\", found the end of the text (line 1, column 7)", ""},
	{sqltree.SQLite, "VALUES (1), ", "expected \"(\", found the end of the text (line 1, column 12)", ""},
	{sqltree.SQLite, ")", "bracket \")\" closes nothing (line 1, column 1)", ")"},
	{sqltree.DuckDB, "SELECT a FROM t /* open /* twice */", "comment is never closed (line 1, column 17)", "/*"},
	{sqltree.DuckDB, "SELECT [1, 2", "bracket \"[\" is never closed (line 1, column 8)", "["},
	{sqltree.DuckDB, "SELECT [1, 2)", "bracket \")\" closes \"[\" (line 1, column 13)", ")"},
	{sqltree.DuckDB, "SELECT {'a': } FROM t", "expected an expression, found \"}\" (line 1, column 14)", "}"},
	{sqltree.DuckDB, "SELECT {'a' 1} FROM t", "expected \":\", found \"1\" (line 1, column 13)", "1"},
	{sqltree.DuckDB, "SELECT $$abc FROM t", "string $$ is never closed (line 1, column 8)", "$$"},
	{sqltree.DuckDB, "SELECT a:: FROM t", "expected a type, found \"FROM\" (line 1, column 12)", "FROM"},
	{sqltree.DuckDB, "SELECT a[1 FROM t", "bracket \"[\" is never closed (line 1, column 9)", "["},
	{sqltree.DuckDB, "SELECT a[1 2] FROM t", "expected \"]\", found \"2\" (line 1, column 12)", "2"},
	{sqltree.DuckDB, "SELECT list_transform(a, x ->) FROM t", "expected an expression, found \")\" (line 1, column 30)", ")"},
	{sqltree.DuckDB, "SELECT * EXCLUDE FROM t", "expected a column, found \"FROM\" (line 1, column 18)", "FROM"},
	{sqltree.DuckDB, "SELECT * REPLACE (a) FROM t", "expected AS, found \")\" (line 1, column 20)", ")"},
	{sqltree.DuckDB, "MERGE INTO t USING s WHEN MATCHED THEN DELETE", "expected ON, found \"WHEN\" (line 1, column 22)", "WHEN"},
	{sqltree.DuckDB, "MERGE INTO t USING s ON t.a = s.a", "expected WHEN, found the end of the text (line 1, column 34)", ""},
	{sqltree.DuckDB, "MERGE INTO t USING s ON t.a = s.a WHEN MATCHED THEN", "expected UPDATE, INSERT, DELETE or DO NOTHING, found the end of the text (line 1, column 52)", ""},
	{sqltree.DuckDB, "COPY (SELECT 1 TO 'x'", "bracket \"(\" is never closed (line 1, column 6)", "("},
	{sqltree.BigQuery, "SELECT \"\"\"abc FROM t", "string is never closed (line 1, column 8)", "\"\"\""},
	{sqltree.BigQuery, "SELECT ARRAY<INT64 [1]", "expected \">\", found the end of the text (line 1, column 23)", ""},
	{sqltree.BigQuery, "SELECT a FROM t |>", "expected a pipe operator, found the end of the text (line 1, column 19)", ""},
	{sqltree.BigQuery, "SELECT a FROM t |> WHERE", "expected an expression, found the end of the text (line 1, column 25)", ""},
	{sqltree.BigQuery, "SELECT 'it''s", "string is never closed (line 1, column 12)", "'"},
	{sqltree.Snowflake, "SELECT a: FROM t", "expected a name, found \"FROM\" (line 1, column 11)", "FROM"},
	{sqltree.Snowflake, "SELECT a FROM t QUALIFY", "expected an expression, found the end of the text (line 1, column 24)", ""},
	{sqltree.ClickHouse, "SELECT a FROM t ARRAY JOIN", "expected an expression, found the end of the text (line 1, column 27)", ""},
	{sqltree.ClickHouse, "SELECT a ? b FROM t", "expected \":\", found \"FROM\" (line 1, column 14)", "FROM"},
	{sqltree.ClickHouse, "WITH 1 SELECT a", "expected AS, found \"SELECT\" (line 1, column 8)", "SELECT"},
	{sqltree.ClickHouse, "SELECT quantile(0.5)(a FROM t", "bracket \"(\" is never closed (line 1, column 21)", "("},
	{sqltree.ClickHouse, "ALTER TABLE t UPDATE a = 1", "expected WHERE, found the end of the text (line 1, column 27)", ""},
	{sqltree.Generic, "SELECT {{ a FROM t", "template tag is never closed (line 1, column 8)", "{{"},
	{sqltree.Generic, "SELECT ${a FROM t", "placeholder is never closed (line 1, column 8)", "${"},
	{sqltree.Generic, "SELECT `a FROM t", "quoted name is never closed (line 1, column 8)", "`"},
	{sqltree.Generic, "SELECT a FROM t\nWHERE b = 'x'\n  AND", "expected an expression, found the end of the text (line 3, column 6)", ""},
	{sqltree.Generic, "SELECT é, FROM t", "expected an expression, found \"FROM\" (line 1, column 12)", "FROM"},
	{sqltree.Generic, "SELECT a FROM t FETCH FIRST 5", "expected ROW or ROWS, found the end of the text (line 1, column 30)", ""},
	{sqltree.MySQL, "SELECT a FROM t LIMIT 1,", "expected an expression, found the end of the text (line 1, column 25)", ""},
	{sqltree.MySQL, "DELETE a, b WHERE c", "expected the end of the statement, found \",\" (line 1, column 9)", ","},
	{sqltree.MySQL, "INSERT INTO t SET a", "expected \"=\", found the end of the text (line 1, column 20)", ""},
	{sqltree.MySQL, "SELECT a FROM t ON DUPLICATE KEY UPDATE a = 1", "expected the end of the statement, found \"ON\" (line 1, column 17)", "ON"},
	{sqltree.DuckDB, "SELECT 'a\x00b'", "text has a NUL byte (line 1, column 10)", "\x00"},
	{sqltree.DuckDB, "SELECT 'é', '\xff'", "text is not valid UTF-8 (line 1, column 15)", "\xff"},
}

func TestParse_Broken(t *testing.T) {
	for _, c := range broken {
		_, err := Parse(c.dialect, c.sql)
		if err == nil {
			t.Errorf("%s: Parse(%q) has no error, want %s", c.dialect, c.sql, c.want)
			continue
		}
		var e *sqltree.SyntaxError
		if !errors.As(err, &e) {
			t.Errorf("%s: Parse(%q) = %T", c.dialect, c.sql, err)
			continue
		}
		if got := e.Error(); got != c.want {
			t.Errorf("%s: Parse(%q) = %s, want %s", c.dialect, c.sql, got, c.want)
		}
		if got := c.sql[e.Start:e.End]; got != c.at {
			t.Errorf("%s: Parse(%q) points at %q, want %q", c.dialect, c.sql, got, c.at)
		}
	}
}
