package generic

import (
	"testing"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/internal/treetest"
)

// constructs has one case for each construct that only some dialects have: lines
// of treetest that the tree must have, in this order. A line ends with the text
// that the node spans. What all dialects have is held against PostgreSQL's own
// grammar in package parse.
var constructs = []struct {
	dialect sqltree.Dialect
	sql     string
	want    []string
}{
	// Names and strings.
	{sqltree.SQLite, "SELECT [a b], \"c\"\"d\", `e` FROM [t u] AS 'x'", []string{
		"Column [a b]", "Ident{Name:a b Quoted} [a b]", `Ident{Name:c"d Quoted} "c""d"`, "Ident{Name:e Quoted} `e`", "Ident{Name:t u Quoted} [t u]", "Ident{Name:x Quoted} 'x'"}},
	{sqltree.MySQL, "SELECT \"s\", 'a\\'b', `c``d`, 'e' 'f' FROM t # x", []string{
		`Literal{Kind:3 Value:s} "s"`, `Literal{Kind:3 Value:a'b} 'a\'b'`, "Ident{Name:c`d Quoted} `c``d`", "Literal{Kind:3 Value:ef} 'e' 'f'"}},
	{sqltree.BigQuery, "SELECT \"\"\"a \"b\" \\n\"\"\", r'\\d', b'x' FROM `p-q.d.t`, p-q.d.t2 x", []string{
		"Literal{Kind:3 Value:a \"b\" \n} \"\"\"a \"b\" \\n\"\"\"", `Literal{Kind:3 Value:\d} r'\d'`, "Literal{Kind:4 Value:x} b'x'",
		"Name `p-q.d.t`", "Ident{Name:p-q Quoted} p-q", "Ident{Name:d Quoted} d", "Ident{Name:t Quoted} t", "Name p-q.d.t2", "Ident{Name:p-q} p-q", "Ident{Name:t2} t2"}},
	{sqltree.Generic, "SELECT TOP 5 [Order ID], a[1], [1, 2] FROM [dbo].[t]", []string{
		"Ident{Name:Order ID Quoted} [Order ID]", "Op{Name:[]} a[1]", "Op{Name:ARRAY} [1, 2]", "Name [dbo].[t]"}},
	{sqltree.DuckDB, "SELECT $$a'b$$, $x$ $$ $x$, E'\\'', 'it''s' FROM t", []string{
		"Literal{Kind:3 Value:a'b} $$a'b$$", "Literal{Kind:3 Value: $$ } $x$ $$ $x$", `Literal{Kind:3 Value:'} E'\''`, "Literal{Kind:3 Value:it's} 'it''s'"}},
	{sqltree.Postgres, `SELECT U&"d!0061" UESCAPE '!', U&'\0061' FROM t WHERE a = ?`, []string{`Ident{Name:da Quoted} U&"d!0061" UESCAPE '!'`, `Literal{Kind:3 Value:a} U&'\0061'`, "Param ?"}},

	// Placeholders.
	{sqltree.Postgres, "SELECT 1 FROM t WHERE a=? AND b = @p AND c <> :x AND d = $1 AND e = %s AND f=%(g)s AND h = {i} AND j ? 'k' AND l ?| m AND n <@ o", []string{
		"Param ?", "Param{Name:p} @p", "Param{Name:x} :x", "Param{Name:1} $1", "Param %s", "Param{Name:g} %(g)s", "Param{Name:i} {i}", "Op{Name:?} j ? 'k'", "Op{Name:?|} l ?| m", "Op{Name:<@} n <@ o"}},
	{sqltree.SQLite, "SELECT ?1, :a, @b, $c", []string{"Param{Name:1} ?1", "Param{Name:a} :a", "Param{Name:b} @b", "Param{Name:c} $c"}},
	{sqltree.ClickHouse, "SELECT {p:Array(UInt8)} FROM {t:Identifier}", []string{"Param{Name:p} {p:Array(UInt8)}", "Opaque {t:Identifier}"}},
	{sqltree.Generic, "SELECT [x y], [[d]] FROM [a]]b] AS t", []string{
		"Ident{Name:x y Quoted} [x y]", "Ident{Name:d Quoted} [d]", "Ident{Name:a]b Quoted} [a]]b]"}},
	{sqltree.Generic, "SELECT {{ a }}, {{ b }}.c, ${d} FROM {{ ref('m') }} AS m, s.t_{{ env }} x WHERE m.a = 1", []string{
		"Unchecked {{ a }}", "Unchecked {{ b }}.c", "Param{Name:d} ${d}", "Opaque {{ ref('m') }} AS m", "Ident{Name:m} m", "Opaque s.t_{{ env }} x", "Column m.a"}},

	// Values.
	{sqltree.Snowflake, "SELECT src:customer[0].name::varchar(10) AS n, v:\"A b\" FROM t", []string{
		"Cast src:customer[0].name::varchar(10)", "Op{Name:.} src:customer[0].name", "Op{Name:[]} src:customer[0]", "Op{Name::} src:customer", "Column src", "TypeName{Args:[10]} varchar(10)", "Ident{Name:n} n", `Op{Name::} v:"A b"`}},
	{sqltree.DuckDB, "SELECT {'k': v, w: {'x': 1}}, MAP {'a': b}, l[1:2], l[:n], [1, y], (s).f, (s).*", []string{
		"Op{Name:STRUCT} {'k': v, w: {'x': 1}}", "Column v", "Op{Name:STRUCT} {'x': 1}", "Op{Name:STRUCT} MAP {'a': b}", "Op{Name:[:]} l[1:2]", "Op{Name:[:]} l[:n]", "Op{Name:ARRAY} [1, y]", "Op{Name:.} (s).f", "Op{Name:.*} (s).*"}},
	{sqltree.DuckDB, "SELECT list_transform(l, x -> x + z), f(lambda a, b: a), j -> '$.a', [y * 2 FOR y IN l IF y > 1]", []string{
		"Lambda x -> x + z", "Ident{Name:x} x", "Op{Name:+} x + z", "Lambda lambda a, b: a", "Op{Name:->} j -> '$.a'", "Op{Name:ARRAY} [y * 2 FOR y IN l IF y > 1]", "Ident{Name:y} y", "Op{Name:*} y * 2", "Column l", "Op{Name:>} y > 1"}},
	{sqltree.DuckDB, "SELECT name.upper().trim(), t.a.replace('x', b), main.f(c)", []string{
		"Func name.upper().trim()", "Name trim", "Func name.upper()", "Name upper", "Column name", "Func t.a.replace('x', b)", "Column t.a", "Column b", "Func main.f(c)", "Name main.f"}},
	{sqltree.DuckDB, "SELECT try_cast(a AS STRUCT(x INT, y VARCHAR)[]), b::DECIMAL(10, 2)", []string{
		"Cast try_cast(a AS STRUCT(x INT, y VARCHAR)[])", "TypeName{Args:[x INT y VARCHAR] Array:1} STRUCT(x INT, y VARCHAR)[]", "TypeName{Args:[10 2]} DECIMAL(10, 2)"}},
	{sqltree.BigQuery, "SELECT DATE_TRUNC(d, MONTH), DATE_DIFF(a, b, DAY), ARRAY<STRUCT<x INT64>>[1], STRUCT(c AS month), SAFE_CAST(e AS INT64), DATE_ADD(f, INTERVAL g DAY), month FROM t", []string{
		"Column d", "Literal{Kind:4 Value:MONTH} MONTH", "Literal{Kind:4 Value:DAY} DAY", "Op{Name:ARRAY} ARRAY<STRUCT<x INT64>>[1]", "Op{Name:STRUCT} STRUCT(c AS month)", "Column c",
		"Cast SAFE_CAST(e AS INT64)", "Op{Name:INTERVAL} INTERVAL g DAY", "Column g", "Column month"}},
	{sqltree.Snowflake, "SELECT DATEADD(day, n, d), DATEDIFF(month, month, e), DATE_PART(year, f)", []string{"Literal{Kind:4 Value:day} day", "Column n", "Literal{Kind:4 Value:month} month", "Column month", "Literal{Kind:4 Value:year} year", "Column f"}},
	{sqltree.MySQL, "SELECT a DIV b, INTERVAL c DAY + d, MATCH (e, f) AGAINST (g IN BOOLEAN MODE), CONVERT(h, UNSIGNED), i <=> j, BINARY k", []string{
		"Op{Name:DIV} a DIV b", "Op{Name:INTERVAL} INTERVAL c DAY", "Func MATCH (e, f) AGAINST (g IN BOOLEAN MODE)", "Column g", "Cast CONVERT(h, UNSIGNED)", "Op{Name:<=>} i <=> j", "Op{Name:BINARY} BINARY k"}},
	{sqltree.ClickHouse, "SELECT quantile(0.9)(x), c ? 1 : y, t.1, (a AS b) + b, f(d AS e), arrayMap((k, v) -> k + v, m), q.r.:Int64", []string{
		"Func quantile(0.9)(x)", "Literal{Kind:2 Value:0.9} 0.9", "Column x", "Op{Name:CASE} c ? 1 : y", "Op{Name:.} t.1", "Named a AS b", "Named d AS e", "Lambda (k, v) -> k + v", "Cast q.r.:Int64"}},
	{sqltree.SQLite, "SELECT a IS NOT b, c GLOB 'x', d MATCH 'y', e ->> '$.f', g == h, i NOT NULL FROM t WHERE j IN u AND (k, l) IN (VALUES (1, 2))", []string{
		"Op{Name:IS NOT} a IS NOT b", "Op{Name:GLOB} c GLOB 'x'", "Op{Name:MATCH} d MATCH 'y'", "Op{Name:->>} e ->> '$.f'", "Op{Name:==} g == h", "Op{Name:IS NOT NULL} i NOT NULL",
		"Subquery{Kind:IN} j IN u", "TableRef u", "Subquery{Kind:IN} (k, l) IN (VALUES (1, 2))", "Op{Name:ROW} (k, l)", "Values VALUES (1, 2)"}},
	{sqltree.Snowflake, "SELECT a LIKE ANY ('x', b), count(DISTINCT c, d), lag(e) IGNORE NULLS OVER (ORDER BY f), listagg(g, ',') WITHIN GROUP (ORDER BY h)", []string{
		"Op{Name:LIKE ANY} a LIKE ANY ('x', b)", "Func{Distinct Aggregate} count(DISTINCT c, d)", "Func lag(e) IGNORE NULLS OVER (ORDER BY f)", "OrderItem f", "Func{Aggregate} listagg(g, ',') WITHIN GROUP (ORDER BY h)", "OrderItem h"}},
	{sqltree.Generic, "SELECT max(a) KEEP (DENSE_RANK FIRST ORDER BY b), xmlelement(NAME c, d), json_object('e' VALUE f ABSENT ON NULL), position('g' IN h)", []string{
		"Func{Aggregate} max(a) KEEP (DENSE_RANK FIRST ORDER BY b)", "OrderItem b", "Func xmlelement(NAME c, d)", "Column d", "Column f", "Func position('g' IN h)", "Column h"}},

	{sqltree.DuckDB, "SELECT 4! + 1, xor(a, b), * NOT LIKE 'x%', * EXCLUDE (t.c, d), user FROM t", []string{
		"Op{Name:+} 4! + 1", "Op{Name:!} 4!", "Func xor(a, b)", "Star * NOT LIKE 'x%'", "Literal{Kind:3 Value:x%} 'x%'", "Star * EXCLUDE (t.c, d)", "Ident{Name:c} c", "Ident{Name:d} d", "Literal{Kind:4 Value:USER} user"}},
	{sqltree.MySQL, "SELECT a SOUNDS LIKE 'x' AS s, MATCH b, t.c AGAINST ('y') > 0, _latin1 0xE4, INTERVAL (d) + 2 DAY + e, INTERVAL(f, 1) FROM t", []string{
		"Op{Name:SOUNDS LIKE} a SOUNDS LIKE 'x'", "Func MATCH b, t.c AGAINST ('y')", "Column b", "Column t.c", "Literal{Kind:4 Value:0xE4} _latin1 0xE4", "Op{Name:INTERVAL} INTERVAL (d) + 2 DAY", "Column e", "Func INTERVAL(f, 1)"}},
	{sqltree.MySQL, "SELECT a end, b AS $c, d $e$ FROM t ilike WHERE CASE WHEN f THEN g END", []string{"SelectItem a end", "Ident{Name:$c} $c", "Ident{Name:$e$} $e$", "TableRef t ilike", "Op{Name:CASE} CASE WHEN f THEN g END"}},
	{sqltree.MySQL, "SELECT SQL_CACHE a escape, CAST(b AS INTERVAL DAY_SECOND(3)) FROM t", []string{"SelectItem a escape", "Ident{Name:escape} escape", "TypeName INTERVAL DAY_SECOND(3)"}},
	{sqltree.MariaDB, "WITH RECURSIVE c AS (SELECT 1 AS n) CYCLE n RESTRICT SELECT a FROM t PROCEDURE ANALYSE(1)", []string{"CTE c AS (SELECT 1 AS n) CYCLE n RESTRICT", "TableRef t"}},
	{sqltree.MariaDB, "SELECT PREVIOUS VALUE FOR s FROM t LIMIT 5 ROWS EXAMINED 9 LOCK IN SHARE MODE NOWAIT", []string{"Op{Name:PREVIOUS VALUE FOR} PREVIOUS VALUE FOR s", "Literal{Kind:2 Value:5} 5"}},
	{sqltree.SQLite, "SELECT qualify, t.fetch, xor(a), 1 for, 2 desc, 3 window, CASE WHEN b THEN c END end FROM (t, lateral ON d) ilike", []string{
		"Column qualify", "Column t.fetch", "Func xor(a)", "Ident{Name:for} for", "Ident{Name:desc} desc", "Ident{Name:window} window", "Op{Name:CASE} CASE WHEN b THEN c END", "Ident{Name:end} end",
		"Join{Kind:INNER} (t, lateral ON d) ilike", "TableRef lateral", "Column d"}},
	{sqltree.BigQuery, "SELECT WITH(x AS a, x + 1), RANGE<DATE> '[a, b)' FROM t", []string{"Lambda WITH(x AS a, x + 1)", "Ident{Name:x} x", "Op{Name:WITH} WITH(x AS a, x + 1)", "Column a", "Op{Name:+} x + 1", "Literal{Kind:4 Value:[a, b)} RANGE<DATE> '[a, b)'"}},

	// Select lists.
	{sqltree.Snowflake, "SELECT * EXCLUDE (a) REPLACE (b + 1 AS b) RENAME (c AS d), t.* EXCLUDE e FROM t", []string{
		"Star * EXCLUDE (a) REPLACE (b + 1 AS b) RENAME (c AS d)", "Ident{Name:a} a", "SelectItem b + 1 AS b", "SelectItem c AS d", "Column c", "Ident{Name:d} d", "Star t.* EXCLUDE e", "Ident{Name:e} e"}},
	{sqltree.DuckDB, "SELECT a: b, COLUMNS('re'), COLUMNS(c -> c LIKE 'x'), max(COLUMNS(* EXCLUDE d)) FROM x: t", []string{
		"SelectItem a: b", "Column b", "Ident{Name:a} a", "Star COLUMNS('re')", "Literal{Kind:3 Value:re} 're'", "Star COLUMNS(c -> c LIKE 'x')", "Lambda c -> c LIKE 'x'", "Star COLUMNS(* EXCLUDE d)", "Ident{Name:d} d", "TableRef x: t", "Ident{Name:x} x"}},
	{sqltree.ClickHouse, "SELECT * EXCEPT a, COLUMNS('b') APPLY(sum) FROM t", []string{"Star * EXCEPT a", "Ident{Name:a} a", "Star COLUMNS('b') APPLY(sum)"}},
	{sqltree.BigQuery, "SELECT AS STRUCT * EXCEPT (a), b, FROM t", []string{"Star * EXCEPT (a)", "SelectItem b", "TableRef t"}},

	// FROM.
	{sqltree.DuckDB, "FROM t AS x WHERE a GROUP BY ALL ORDER BY ALL LIMIT 10%", []string{"Select{GroupAll} FROM t AS x WHERE a GROUP BY ALL", "Star x", "TableRef t AS x", "OrderItem{All} ALL", "Literal{Kind:2 Value:10} 10"}},
	{sqltree.DuckDB, "SELECT 1 FROM a ASOF LEFT JOIN b USING (k) POSITIONAL JOIN c ANTI JOIN d ON c.x = d.x", []string{
		"Join{Kind:ANTI} a ASOF LEFT JOIN b USING (k) POSITIONAL JOIN c ANTI JOIN d ON c.x = d.x", "Join{Kind:POSITIONAL} a ASOF LEFT JOIN b USING (k) POSITIONAL JOIN c", "Join{Kind:ASOF} a ASOF LEFT JOIN b USING (k)", "Ident{Name:k} k"}},
	{sqltree.DuckDB, "SELECT 1 FROM 'f.csv' c, read_csv('g.csv', header = true) AS r (x, y), (VALUES (1)) v (z), t TABLESAMPLE 10%", []string{
		"Opaque 'f.csv' c", "TableFunc read_csv('g.csv', header = true) AS r (x, y)", "Func{ArgNames:[ header]} read_csv('g.csv', header = true)", "Ident{Name:y} y", "Derived (VALUES (1)) v (z)", "Ident{Name:z} z", "TableRef t TABLESAMPLE 10%"}},
	{sqltree.Snowflake, "SELECT 1 FROM t, LATERAL FLATTEN(input => t.v:items) f, TABLE(g(t.a)) h, @stage/a.csv (FILE_FORMAT => 'x') s, t2 AT (OFFSET => -60) u", []string{
		"TableFunc{Lateral} LATERAL FLATTEN(input => t.v:items) f", "Func{ArgNames:[input]} FLATTEN(input => t.v:items)", "Op{Name::} t.v:items", "Ident{Name:f} f", "TableFunc TABLE(g(t.a)) h", "Column t.a", "Opaque @stage/a.csv (FILE_FORMAT => 'x') s", "TableRef t2 AT (OFFSET => -60) u"}},
	{sqltree.Snowflake, "SELECT 1 FROM t PIVOT (sum(a) FOR b IN ('x')) AS p JOIN u MATCH_RECOGNIZE (PATTERN (x+) DEFINE x AS y > 1) m ON p.a = m.a", []string{
		"Opaque t PIVOT (sum(a) FOR b IN ('x')) AS p", "TableRef t", "Ident{Name:p} p", "Opaque u MATCH_RECOGNIZE (PATTERN (x+) DEFINE x AS y > 1) m", "TableRef u", "Op{Name:=} p.a = m.a"}},
	{sqltree.BigQuery, "SELECT 1 FROM t, UNNEST(t.arr) AS x WITH OFFSET AS o, t.items i, u FOR SYSTEM_TIME AS OF ts AS v WHERE a IN UNNEST(@ids)", []string{
		"TableFunc{Ordinality} UNNEST(t.arr) AS x WITH OFFSET AS o", "Column t.arr", "Ident{Name:x} x", "Ident{Name:o} o", "TableRef t.items i", "TableRef u FOR SYSTEM_TIME AS OF ts AS v", "Ident{Name:v} v", "Op{Name:IN} a IN UNNEST(@ids)", "Func UNNEST(@ids)"}},
	{sqltree.ClickHouse, "SELECT 1 FROM t FINAL SAMPLE 1/10 ARRAY JOIN arr AS x, b PREWHERE p WHERE k GLOBAL IN u ORDER BY c LIMIT 2 BY d LIMIT 5 SETTINGS e = 1 FORMAT JSON", []string{
		"Join{Kind:ARRAY} t FINAL SAMPLE 1/10 ARRAY JOIN arr AS x", "TableRef t FINAL SAMPLE 1/10", "TableFunc arr AS x", "Column arr", "Ident{Name:x} x", "Subquery{Kind:IN} k GLOBAL IN u", "TableRef u", "Column p", "Column b", "OrderItem c", "Literal{Kind:2 Value:2} 2", "Column d", "Literal{Kind:2 Value:5} 5"}},
	{sqltree.ClickHouse, "SELECT 1 FROM a GLOBAL ANY LEFT JOIN b USING x, y LEFT SEMI JOIN c ON a.z = c.z", []string{"Join{Kind:SEMI} a GLOBAL ANY LEFT JOIN b USING x, y LEFT SEMI JOIN c ON a.z = c.z", "Join{Kind:LEFT} a GLOBAL ANY LEFT JOIN b USING x, y", "Ident{Name:x} x", "Ident{Name:y} y"}},
	{sqltree.Generic, "SELECT 1 FROM a CROSS APPLY (SELECT a.x) b OUTER APPLY f(a.y) c JOIN d WITH (NOLOCK) ON a.i = d.i(+)", []string{
		"Join{Kind:LEFT} a CROSS APPLY (SELECT a.x) b OUTER APPLY f(a.y) c", "Join{Kind:CROSS} a CROSS APPLY (SELECT a.x) b", "Derived{Lateral} (SELECT a.x) b", "TableFunc f(a.y) c", "TableRef d WITH (NOLOCK)", "Column d.i"}},
	{sqltree.Generic, "SELECT 1 FROM a JOIN b JOIN c ON b.x = c.x ON a.y = b.y JOIN d", []string{
		"Join{Kind:INNER} a JOIN b JOIN c ON b.x = c.x ON a.y = b.y JOIN d", "Join{Kind:INNER} a JOIN b JOIN c ON b.x = c.x ON a.y = b.y", "TableRef a", "Join{Kind:INNER} b JOIN c ON b.x = c.x", "Op{Name:=} a.y = b.y", "TableRef d"}},
	{sqltree.MySQL, "SELECT 1 FROM a JOIN b JOIN c ON a.x = c.x STRAIGHT_JOIN d USE INDEX (i) e", []string{
		"Join{Kind:INNER} a JOIN b JOIN c ON a.x = c.x", "Join{Kind:INNER} a JOIN b", "Op{Name:=} a.x = c.x", "TableRef d USE INDEX (i) e"}},
	{sqltree.Generic, "SELECT 1 FROM t LATERAL VIEW explode(arr) e AS x", []string{"Join{Kind:CROSS} t LATERAL VIEW explode(arr) e AS x", "TableFunc{Lateral} LATERAL VIEW explode(arr) e AS x", "Column arr", "Ident{Name:e} e", "Ident{Name:x} x"}},

	{sqltree.SQLite, "SELECT 1 FROM a, b ON a.x = b.x, c USING (y) JOIN d", []string{
		"Join{Kind:INNER} a, b ON a.x = b.x, c USING (y) JOIN d", "Join{Kind:INNER} a, b ON a.x = b.x, c USING (y)", "Join{Kind:INNER} a, b ON a.x = b.x", "Op{Name:=} a.x = b.x", "TableRef c", "Ident{Name:y} y", "TableRef d"}},
	{sqltree.MySQL, "SELECT 1 FROM { OJ a LEFT OUTER JOIN b ON a.x = b.x } WHERE c", []string{"Join{Kind:LEFT} a LEFT OUTER JOIN b ON a.x = b.x", "Column c"}},
	{sqltree.MySQL, "SELECT a INTO OUTFILE 'f' CHARACTER SET utf8 FIELDS TERMINATED BY ',' LINES STARTING BY 'x' FROM t WHERE b", []string{"SelectItem a", "TableRef t", "Column b"}},
	{sqltree.MySQL, "SELECT 1 FROM t WHERE (a, b) IN (VALUES ROW(1, 2)) UNION (VALUES ROW(3))", []string{"Subquery{Kind:IN} (a, b) IN (VALUES ROW(1, 2))", "Values VALUES ROW(1, 2)", "Values VALUES ROW(3)"}},
	{sqltree.MySQL, "INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a = (VALUES(a) + b)", []string{"Op{Name:+} VALUES(a) + b", "Func VALUES(a)"}},
	{sqltree.BigQuery, "SELECT 1 FROM t AS h, h.tags AS g WITH OFFSET p", []string{"TableFunc{Ordinality} h.tags AS g WITH OFFSET p", "Column h.tags", "Ident{Name:g} g", "Ident{Name:p} p"}},
	{sqltree.BigQuery, "SELECT AS VALUE STRUCT(a AS x, b) FROM t", []string{"SelectItem a AS x", "SelectItem b"}},
	{sqltree.Snowflake, "SELECT 1 FROM IDENTIFIER('s.t') x, t CHANGES (INFORMATION => DEFAULT) AT (OFFSET => -9) END (OFFSET => -6) y", []string{
		"TableRef IDENTIFIER('s.t') x", "Name s.t", "Ident{Name:x} x", "TableRef t CHANGES (INFORMATION => DEFAULT) AT (OFFSET => -9) END (OFFSET => -6) y"}},
	{sqltree.ClickHouse, "SELECT a FROM values('a UInt8, b Array(String)', (1, [])) v, url('x', TSV, 'c String')", []string{
		"TableFunc values('a UInt8, b Array(String)', (1, [])) v", "Ident{Name:a} a", "Ident{Name:b} b", "Literal{Kind:4 Value:TSV} TSV", "Ident{Name:c} c"}},
	{sqltree.DuckDB, "SELECT 1 FROM histogram(s.t, a + 1, bin_count := 8) h, query_table('u') x, query_table(['v', 'w'])", []string{
		"TableFunc histogram(s.t, a + 1, bin_count := 8) h", "Subquery{Kind:SCALAR} s.t, a + 1", "Op{Name:+} a + 1", "TableRef s.t", "TableRef query_table('u') x", "Name u", "TableFunc query_table(['v', 'w'])"}},

	// Relations made of others.
	{sqltree.DuckDB, "PIVOT t ON a || b IN (SELECT c FROM u) USING sum(d) AS s GROUP BY e ORDER BY e", []string{
		"Opaque PIVOT t ON a || b IN (SELECT c FROM u) USING sum(d) AS s GROUP BY e", "TableRef t", "Op{Name:||} a || b", "Subquery{Kind:SCALAR} (SELECT c FROM u)", "Func sum(d)", "Column e", "OrderItem e"}},
	{sqltree.DuckDB, "FROM (PIVOT_WIDER t ON a USING sum(b)), (PIVOT_LONGER u ON COLUMNS('x') INTO NAME n VALUE v)", []string{
		"Opaque PIVOT_WIDER t ON a USING sum(b)", "Column a", "Func sum(b)", "Opaque PIVOT_LONGER u ON COLUMNS('x') INTO NAME n VALUE v", "TableRef u", "Star COLUMNS('x')"}},
	{sqltree.DuckDB, "UNPIVOT t ON (a, b) AS x, (c, d) INTO NAME n VALUE v, w", []string{
		"Star (a, b) AS x, (c, d)", "Ident{Name:a} a", "Ident{Name:d} d", "Ident{Name:n} n", "Op{Name:UNPIVOT} (a, b) AS x, (c, d)", "Column a", "Column c", "Ident{Name:v} v", "Column d", "Ident{Name:w} w", "TableRef t"}},
	{sqltree.Snowflake, "SELECT 1 FROM t PIVOT (sum(a) AS s FOR b IN ('x', 'y')) p, u UNPIVOT INCLUDE NULLS (v FOR n IN (c AS 'd', e)) q", []string{
		"Opaque t PIVOT (sum(a) AS s FOR b IN ('x', 'y')) p", "Func sum(a)", "Column b", "Ident{Name:p} p", "Derived u UNPIVOT INCLUDE NULLS (v FOR n IN (c AS 'd', e)) q",
		"Star (c AS 'd', e)", "Ident{Name:c} c", "Ident{Name:e} e", "Ident{Name:n} n", "Column c", "Column e", "Ident{Name:v} v", "TableRef u", "Ident{Name:q} q"}},
	{sqltree.DuckDB, "FROM t PIVOT (sum(a) FOR b IN (1) c IN (2) GROUP BY d)", []string{"Func sum(a)", "Column b", "Column c", "Column d"}},
	{sqltree.Snowflake, "SELECT 1 FROM t MATCH_RECOGNIZE (PARTITION BY a ORDER BY b DESC MEASURES x.c AS d PATTERN (^ x{1,2} y $) DEFINE x AS c > 1) m", []string{
		"Opaque t MATCH_RECOGNIZE (PARTITION BY a ORDER BY b DESC MEASURES x.c AS d PATTERN (^ x{1,2} y $) DEFINE x AS c > 1) m", "Column a", "Column b", "Ident{Name:m} m"}},
	{sqltree.BigQuery, "FROM t |> PIVOT (sum(a) FOR b IN (1)) |> UNPIVOT (v FOR n IN (c))", []string{"Column c", "Func sum(a)", "Column b"}},

	// Queries.
	{sqltree.DuckDB, "SELECT a FROM t UNION ALL BY NAME SELECT b FROM u INTERSECT SELECT c", []string{
		"SetOp{Op:UNION All ByName} SELECT a FROM t UNION ALL BY NAME SELECT b FROM u INTERSECT SELECT c", "SetOp{Op:INTERSECT} SELECT b FROM u INTERSECT SELECT c"}},
	{sqltree.Snowflake, "SELECT a FROM t MINUS SELECT b FROM u", []string{"SetOp{Op:EXCEPT} SELECT a FROM t MINUS SELECT b FROM u", "TableRef t", "TableRef u"}},
	{sqltree.ClickHouse, "SELECT a FROM t ORDER BY a LIMIT 1 UNION ALL SELECT b", []string{"SetOp{Op:UNION All} SELECT a FROM t ORDER BY a LIMIT 1 UNION ALL SELECT b", "Query SELECT a FROM t ORDER BY a LIMIT 1", "OrderItem a", "Select SELECT b"}},
	{sqltree.ClickHouse, "WITH 1 + a AS one, ids AS (SELECT 2) SELECT 1 WHERE k IN ids AND q IN one", []string{
		"CTE 1 + a AS one", "Ident{Name:one} one", "Op{Name:+} 1 + a", "CTE ids AS (SELECT 2)", "Subquery{Kind:IN} k IN ids", "TableRef ids", "Op{Name:IN} q IN one", "Column one"}},
	{sqltree.BigQuery, "FROM t |> WHERE a > 1 |> AGGREGATE SUM(b) AS s GROUP BY c |> WHERE s > 2 |> SELECT c", []string{
		"Derived FROM t |> WHERE a > 1 |> AGGREGATE SUM(b) AS s GROUP BY c", "SelectItem c", "SelectItem SUM(b) AS s", "TableRef t", "Op{Name:>} a > 1", "Column c", "Op{Name:>} s > 2"}},
	{sqltree.Snowflake, "SELECT 1 FROM t START WITH a = 1 CONNECT BY PRIOR b = c QUALIFY row_number() OVER (ORDER BY d) = 1", []string{
		"Op{Name:=} row_number() OVER (ORDER BY d) = 1", "Op{Name:=} a = 1", "Op{Name:=} PRIOR b = c", "Op{Name:PRIOR} PRIOR b"}},
	{sqltree.DuckDB, "SELECT 1 FROM t GROUP BY ROLLUP (a, b), GROUPING SETS ((c, d), e, ())", []string{
		"Op{Name:ROLLUP} ROLLUP (a, b)", "Op{Name:GROUPING SETS} GROUPING SETS ((c, d), e, ())", "Op{Name:ROW} (c, d)", "Column e", "Op{Name:ROW} ()"}},

	// Statements.
	{sqltree.MySQL, "INSERT INTO t SET a = 1, b = DEFAULT ON DUPLICATE KEY UPDATE a = VALUES(a)", []string{"Assignment a = 1", "Assignment b = DEFAULT", "Conflict ON DUPLICATE KEY UPDATE a = VALUES(a)", "Func VALUES(a)"}},
	{sqltree.MySQL, "INSERT INTO t VALUES (1) AS n ON DUPLICATE KEY UPDATE a = n.a", []string{"Conflict{Excluded:n} ON DUPLICATE KEY UPDATE a = n.a", "Column n.a"}},
	{sqltree.MySQL, "DELETE a, b.* FROM t AS a JOIN s.b ON a.x = b.x", []string{"Name a", "Name b.*", "Join{Kind:INNER} t AS a JOIN s.b ON a.x = b.x"}},
	{sqltree.SQLite, "INSERT OR IGNORE INTO t AS x (a) SELECT 1 WHERE true ON CONFLICT (a) WHERE b DO UPDATE SET c = excluded.c WHERE d RETURNING e", []string{
		"TableRef t AS x", "Ident{Name:a} a", "Query SELECT 1 WHERE true", "Conflict{Excluded:excluded} ON CONFLICT (a) WHERE b DO UPDATE SET c = excluded.c WHERE d", "Column a", "Column b", "Column excluded.c", "Column d", "SelectItem e"}},
	{sqltree.ClickHouse, "ALTER TABLE t UPDATE a = b WHERE c", []string{"Update ALTER TABLE t UPDATE a = b WHERE c", "TableRef t", "Assignment a = b", "Column c"}},
	{sqltree.ClickHouse, "INSERT INTO t (a, n.b) FORMAT CSV\n1,\"x", []string{"TableRef t", "Ident{Name:a} a", "Ident{Name:n.b} n.b"}},
	{sqltree.DuckDB, "MERGE INTO t USING s ON t.a = s.a WHEN MATCHED AND s.d THEN DELETE WHEN NOT MATCHED BY SOURCE THEN UPDATE SET b = 1 WHEN NOT MATCHED THEN INSERT (a) VALUES (s.a)", []string{
		"TableRef t", "TableRef s", "MergeWhen{Matched} WHEN MATCHED AND s.d THEN DELETE", "MergeWhen{BySource} WHEN NOT MATCHED BY SOURCE THEN UPDATE SET b = 1", "MergeWhen WHEN NOT MATCHED THEN INSERT (a) VALUES (s.a)"}},
	{sqltree.Snowflake, "COPY INTO t FROM (SELECT $1 FROM @st/p)", []string{"Other{Kind:COPY Writes} COPY INTO t FROM (SELECT $1 FROM @st/p)", "Name t", "Name t", "Query SELECT $1 FROM @st/p", "Opaque @st/p"}},
	{sqltree.DuckDB, "DESCRIBE SELECT a FROM t", []string{"Explain DESCRIBE SELECT a FROM t", "Column a"}},

	// Tables and views.
	{sqltree.SQLite, "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, b UNSIGNED BIG INT(8), c, d AS (id + 1) STORED, e TEXT REFERENCES u (x) ON DELETE SET NULL) WITHOUT ROWID, STRICT", []string{
		"ColumnDef id INTEGER PRIMARY KEY AUTOINCREMENT", "Constraint{Kind:PRIMARY KEY} PRIMARY KEY AUTOINCREMENT", "Constraint{Kind:IDENTITY} AUTOINCREMENT", "TypeName{Args:[8]} UNSIGNED BIG INT(8)", "ColumnDef c",
		"Constraint{Kind:GENERATED Always Stored} AS (id + 1) STORED", "Constraint{Kind:FOREIGN KEY OnDelete:SET NULL} REFERENCES u (x) ON DELETE SET NULL", "Option{Key:WITHOUT ROWID} WITHOUT ROWID", "Option{Key:STRICT} STRICT"}},
	{sqltree.MySQL, "CREATE TABLE t (a INT(11) UNSIGNED AUTO_INCREMENT COMMENT 'it''s', b TIMESTAMP DEFAULT NOW() ON UPDATE NOW(), KEY k (b, c(10) DESC), FULLTEXT KEY (d)) ENGINE=InnoDB DEFAULT CHARSET=utf8", []string{
		"ColumnDef{Comment:it's HasComment} a INT(11) UNSIGNED AUTO_INCREMENT COMMENT 'it''s'", "TypeName{Args:[11]} INT(11) UNSIGNED", "Constraint{Kind:IDENTITY} AUTO_INCREMENT", "Constraint{Kind:DEFAULT} DEFAULT NOW()",
		"Constraint{Kind:ON UPDATE} ON UPDATE NOW()", "CreateIndex KEY k (b, c(10) DESC)", "IndexKey{Desc Length:10} c(10) DESC", "CreateIndex{Kind:FULLTEXT} FULLTEXT KEY (d)", "Option{Key:ENGINE Value:InnoDB} ENGINE=InnoDB", "Option{Key:DEFAULT CHARSET Value:utf8} DEFAULT CHARSET=utf8"}},
	{sqltree.ClickHouse, "CREATE TABLE t (id UInt64 DEFAULT 1 CODEC(ZSTD), n.x Array(String), m UInt8 MATERIALIZED id, INDEX i n TYPE minmax GRANULARITY 2) ENGINE = MergeTree(a) PARTITION BY toYYYYMM(d) ORDER BY (id, d) SETTINGS x = 1", []string{
		"ColumnDef id UInt64 DEFAULT 1 CODEC(ZSTD)", "Constraint{Kind:DEFAULT} DEFAULT 1", "Ident{Name:n.x} n.x", "TypeName{Args:[String]} Array(String)", "Constraint{Kind:GENERATED Always Stored} MATERIALIZED id",
		"CreateIndex{Method:minmax} INDEX i n TYPE minmax GRANULARITY 2", "Option{Key:ENGINE Value:MergeTree(a)} ENGINE = MergeTree(a)", "Option{Key:ORDER BY Value:(id, d)} ORDER BY (id, d)", "Option{Key:SETTINGS Value:x = 1} SETTINGS x = 1"}},
	{sqltree.BigQuery, "CREATE OR REPLACE TABLE d.t (a STRUCT<b ARRAY<INT64>> OPTIONS (x = 1)) PARTITION BY DATE(c) CLUSTER BY a AS SELECT 1", []string{
		"TypeName{Args:[b ARRAY<INT64>]} STRUCT<b ARRAY<INT64>>", "Option{Key:OR REPLACE} OR REPLACE", "Option{Key:CLUSTER BY Value:a} CLUSTER BY a"}},
	{sqltree.ClickHouse, "CREATE MATERIALIZED VIEW v TO s.t AS SELECT a FROM u", []string{"CreateView{Materialized} CREATE MATERIALIZED VIEW v TO s.t AS SELECT a FROM u", "Name s.t", "TableRef u"}},
	{sqltree.DuckDB, "CREATE MACRO f(a, b := 5) AS a + b", []string{"CreateFunction CREATE MACRO f(a, b := 5) AS a + b", "Parameter a", "Parameter b := 5", "Op{Name:+} a + b"}},
	{sqltree.SQLite, "CREATE TRIGGER g AFTER UPDATE OF a ON t WHEN NEW.a > 1 BEGIN UPDATE u SET b = 1; SELECT CASE WHEN 1 THEN 2 END; END", []string{
		"CreateTrigger{Timing:AFTER Events:[UPDATE]} CREATE TRIGGER g AFTER UPDATE OF a ON t WHEN NEW.a > 1 BEGIN UPDATE u SET b = 1; SELECT CASE WHEN 1 THEN 2 END; END", "Ident{Name:a} a", "Name t", "Op{Name:>} NEW.a > 1"}},
}

func TestParse_Constructs(t *testing.T) {
	for _, c := range constructs {
		s, err := Parse(c.dialect, c.sql)
		if err != nil {
			t.Errorf("%s: Parse(%q): %v", c.dialect, c.sql, err)
			continue
		}
		if m := treetest.Missing(s, c.want); m != "" {
			t.Errorf("%s: Parse(%q) has no\n%s\nat its place in\n%s", c.dialect, c.sql, m, treetest.Dump(s))
		}
		for _, p := range treetest.Problems(s, spelled(c.dialect)) {
			t.Errorf("%s: Parse(%q): %s", c.dialect, c.sql, p)
		}
	}
}
