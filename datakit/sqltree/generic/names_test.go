package generic

import (
	"testing"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// bound are statements over the tables of TestParse_NamesBind in which every
// name is known: by a table, an alias, a lambda, a table function.
var bound = []struct {
	dialect sqltree.Dialect
	sql     string
}{
	{sqltree.Snowflake, "SELECT t.v:a.b::int AS x, f.value:name::string, f.index FROM t, LATERAL FLATTEN(input => t.v:items) f WHERE x > 1"},
	{sqltree.Snowflake, "SELECT id, sum(a) AS s FROM t GROUP BY ALL HAVING s > 1 ORDER BY s"},
	{sqltree.Snowflake, "SELECT * EXCLUDE (a) RENAME (b AS bb) FROM t QUALIFY row_number() OVER (PARTITION BY id ORDER BY ts) = 1"},
	{sqltree.Snowflake, "SELECT TRANSFORM(arr, q -> q + a) FROM t"},
	{sqltree.Snowflake, "SELECT DATEADD(day, 1, ts), DATE_TRUNC(month, ts), month FROM t"},
	{sqltree.Snowflake, "SELECT v.$1, v.column2 FROM (VALUES (1, 2)) v"},
	{sqltree.Snowflake, "SELECT * FROM t PIVOT (sum(a) FOR b IN (1, 2)) p ORDER BY p.x"},
	{sqltree.Snowflake, "SELECT LEVEL, id FROM t START WITH id = 1 CONNECT BY PRIOR id = a"},
	{sqltree.Snowflake, "MERGE INTO t USING u ON t.id = u.t_id WHEN MATCHED THEN UPDATE SET t.a = u.x, b = u.y WHEN NOT MATCHED THEN INSERT (id, a) VALUES (u.t_id, u.x)"},
	{sqltree.BigQuery, "SELECT x, o, t.id FROM t, UNNEST(t.arr) AS x WITH OFFSET AS o WHERE x > 1 ORDER BY o"},
	{sqltree.BigQuery, "SELECT t.v.f.g, i.name FROM t, t.arr AS i"},
	{sqltree.BigQuery, "SELECT * EXCEPT (a), ARRAY(SELECT z FROM UNNEST(arr) AS z WHERE z > b) FROM t"},
	{sqltree.BigQuery, "SELECT DATE_TRUNC(ts, MONTH) AS m, DATE_DIFF(ts, ts, DAY) FROM t GROUP BY m"},
	{sqltree.BigQuery, "FROM t AS o |> JOIN u ON o.id = u.t_id |> WHERE u.x > 1 AND o.a = 2 |> AGGREGATE SUM(o.a) AS s GROUP BY u.y |> WHERE s > 1 |> EXTEND s * 2 AS d |> ORDER BY d |> SELECT y, d"},
	{sqltree.BigQuery, "FROM t |> EXTEND a + b AS c |> WHERE c > 1 AND t.a = 3 |> SET c = c + 1 |> DROP b |> RENAME a AS aa |> SELECT aa, c |> AS q |> WHERE q.aa = 1"},
	{sqltree.BigQuery, "SELECT STRUCT(a AS q, b AS r).q, [STRUCT(1 AS z)][OFFSET(0)].z FROM t"},
	{sqltree.ClickHouse, "WITH 1 AS one, (SELECT max(a) FROM t) AS m SELECT a + one AS s, s * 2, m FROM t WHERE s > m"},
	{sqltree.ClickHouse, "SELECT id, e, arr FROM t ARRAY JOIN arr AS e WHERE e > 1"},
	{sqltree.ClickHouse, "SELECT id, arr FROM t ARRAY JOIN arr"},
	{sqltree.ClickHouse, "SELECT arrayMap((p, q) -> p + q + a, arr, arr), (a AS w) + w FROM t"},
	{sqltree.ClickHouse, "SELECT a FROM t ANY LEFT JOIN u USING id WHERE x = 1"},
	{sqltree.ClickHouse, "SELECT sum(a) AS a1, a1 / count() FROM t GROUP BY b WITH TOTALS HAVING a1 > 1 LIMIT 1 BY b"},
	{sqltree.ClickHouse, "SELECT * EXCEPT (a), COLUMNS('x') FROM t"},
	{sqltree.DuckDB, "FROM t SELECT q: a + 1, r: q * 2 WHERE q > 1 GROUP BY ALL ORDER BY ALL"},
	{sqltree.DuckDB, "SELECT list_transform(l, x -> x + a), [y * b FOR y IN l IF y > a], name.upper() FROM t"},
	{sqltree.DuckDB, "SELECT t.v.f, v.f.g, COLUMNS(c -> c LIKE 'a'), s['k'] FROM t, (SELECT 1 AS s)"},
	{sqltree.DuckDB, "SELECT * FROM t ASOF JOIN u ON t.id = u.t_id AND t.ts >= u.ts"},
	{sqltree.DuckDB, "SELECT k, v2 FROM t, read_csv('x', header = true) AS r(k, v2)"},
	{sqltree.DuckDB, "SELECT unnest(l) AS e, e + 1 FROM t"},
	{sqltree.DuckDB, "SELECT a FROM t UNION ALL BY NAME SELECT x AS a, y AS z FROM u ORDER BY z"},
	{sqltree.DuckDB, "SELECT e FROM t, UNNEST(t.l) AS w(e)"},
	{sqltree.DuckDB, "SELECT i FROM range(5) r(i)"},
	{sqltree.DuckDB, "SELECT range FROM range(5)"},
	{sqltree.DuckDB, "INSERT INTO t (id) SELECT id FROM u ON CONFLICT (id) DO UPDATE SET a = excluded.a WHERE t.b < excluded.b RETURNING id"},
	{sqltree.SQLite, "SELECT t.id, j.value FROM t, json_each(t.v) j WHERE t.id IN u AND j.key = 'x'"},
	{sqltree.SQLite, "SELECT rowid, a AS z FROM t WHERE z > 1 ORDER BY z"},
	{sqltree.SQLite, "UPDATE t SET a = u.x FROM u WHERE u.t_id = t.id RETURNING t.a"},
	{sqltree.SQLite, "CREATE INDEX i ON t (a, lower(name)) WHERE b > 1"},
	{sqltree.Generic, "SELECT TOP 5 [id], t.a FROM [t] CROSS APPLY (SELECT x FROM u WHERE u.t_id = t.id) q WHERE q.x = 1 AND t.id = q.x(+)"},
	{sqltree.Generic, "SELECT a, e FROM t LATERAL VIEW explode(arr) q AS e"},
	{sqltree.MySQL, "SELECT t.id FROM t JOIN u JOIN (SELECT 1 AS w) z ON t.id = u.t_id AND z.w = 1"},
	{sqltree.MySQL, "DELETE t FROM t JOIN u ON t.id = u.t_id WHERE u.x = 1"},
	{sqltree.MySQL, "INSERT INTO t (id) VALUES (1) AS n ON DUPLICATE KEY UPDATE a = n.id"},
}

// TestParse_NamesBind resolves the trees: where a construct names a value, what
// follows has to find it, and nothing is taken for a column that is none.
func TestParse_NamesBind(t *testing.T) {
	for _, c := range bound {
		schema := sqltree.NewSchema(c.dialect, "main")
		ddl, err := Parse(c.dialect, `CREATE TABLE t (id INT, a INT, b INT, v INT, arr INT, l INT, ts INT, name INT, month INT, sales INT);
			CREATE TABLE u (id INT, t_id INT, x INT, y INT, ts INT, k INT)`)
		if err != nil {
			t.Fatal(err)
		}
		schema.Add(ddl)
		s, err := Parse(c.dialect, c.sql)
		if err != nil {
			t.Errorf("%s: Parse(%q): %v", c.dialect, c.sql, err)
			continue
		}
		r := sqltree.Resolve(s.Statements[0], c.dialect, schema)
		if len(r.Tables)+len(r.Columns) == 0 {
			t.Errorf("%s: %q uses nothing", c.dialect, c.sql)
		}
		for _, u := range r.Tables {
			if u.Status == sqltree.Unknown {
				t.Errorf("%s: unknown relation %q in %q", c.dialect, c.sql[u.Start:u.End], c.sql)
			}
		}
		for _, u := range r.Columns {
			if u.Status == sqltree.Unknown || u.Status == sqltree.Ambiguous {
				t.Errorf("%s: unknown column %q in %q", c.dialect, c.sql[u.Start:u.End], c.sql)
			}
		}
	}
}

// TestParse_UnknownNames is its twin: a wrong name is found at its place.
func TestParse_UnknownNames(t *testing.T) {
	for _, c := range []struct {
		dialect  sqltree.Dialect
		sql, bad string
	}{
		{sqltree.Snowflake, "SELECT vv:a.b FROM t", "vv"},
		{sqltree.Snowflake, "SELECT a FROM t QUALIFY row_number() OVER (ORDER BY bb) = 1", "bb"},
		{sqltree.Snowflake, "SELECT * FROM tt, LATERAL FLATTEN(input => t.v) f", "tt"},
		{sqltree.BigQuery, "SELECT x FROM t, UNNEST(t.arrr) AS x", "t.arrr"},
		{sqltree.BigQuery, "FROM t |> WHERE aa > 1 |> SELECT b", "aa"},
		{sqltree.BigQuery, "FROM t |> AGGREGATE SUM(a) AS s GROUP BY b |> SELECT id", "id"},
		{sqltree.ClickHouse, "SELECT arrayMap(x -> x + aa, arr) FROM t", "aa"},
		{sqltree.ClickHouse, "SELECT a FROM t PREWHERE bb = 1", "bb"},
		{sqltree.ClickHouse, "ALTER TABLE t UPDATE a = 1 WHERE bb = 2", "bb"},
		{sqltree.ClickHouse, "SELECT a FROM t WHERE id IN uu", "uu"},
		{sqltree.DuckDB, "FROM t SELECT list_transform(ll, x -> x + a)", "ll"},
		{sqltree.DuckDB, "SELECT namee.upper() FROM t", "namee"},
		{sqltree.DuckDB, "SELECT {'k': aa} FROM t", "aa"},
		{sqltree.DuckDB, "SELECT [y * bb FOR y IN l] FROM t", "bb"},
		{sqltree.SQLite, "SELECT a FROM t WHERE a IN (SELECT xx FROM u)", "xx"},
		{sqltree.SQLite, "CREATE INDEX i ON t (aa)", "aa"},
		{sqltree.Generic, "SELECT [aa] FROM [t]", "[aa]"},
		{sqltree.MySQL, "INSERT INTO t (a) VALUES (1) ON DUPLICATE KEY UPDATE bb = 1", "bb"},
	} {
		schema := sqltree.NewSchema(c.dialect, "main")
		ddl, err := Parse(c.dialect, "CREATE TABLE t (id INT, a INT, b INT, v INT, arr INT, l INT, name INT); CREATE TABLE u (id INT, x INT)")
		if err != nil {
			t.Fatal(err)
		}
		schema.Add(ddl)
		s, err := Parse(c.dialect, c.sql)
		if err != nil {
			t.Errorf("%s: Parse(%q): %v", c.dialect, c.sql, err)
			continue
		}
		r := sqltree.Resolve(s.Statements[0], c.dialect, schema)
		var found []string
		for _, u := range r.Tables {
			if u.Status == sqltree.Unknown {
				found = append(found, c.sql[u.Start:u.End])
			}
		}
		for _, u := range r.Columns {
			if u.Status == sqltree.Unknown {
				found = append(found, c.sql[u.Start:u.End])
			}
		}
		if len(found) != 1 || found[0] != c.bad {
			t.Errorf("%s: %q has the unknown names %q, want %q", c.dialect, c.sql, found, c.bad)
		}
	}
}
