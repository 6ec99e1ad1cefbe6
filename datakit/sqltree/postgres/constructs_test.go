package postgres

import (
	"testing"

	"github.com/quartet-mcp/quartet/datakit/sqltree/internal/treetest"
)

// constructs has one case for each construct: lines of treetest that the tree
// must have, in this order. A line ends with the text that the node spans.
var constructs = []struct {
	name, sql string
	want      []string
}{
	// Select lists and names.
	{"select list", `SELECT a, t.b AS x, s.t.c y, t.*, * FROM s.t`, []string{
		`Query SELECT a, t.b AS x, s.t.c y, t.*, * FROM s.t`, `Select SELECT a, t.b AS x, s.t.c y, t.*, * FROM s.t`,
		`SelectItem a`, `Column a`, `SelectItem t.b AS x`, `Column t.b`, `Ident{Name:b} b`, `Ident{Name:x} x`,
		`SelectItem s.t.c y`, `Column s.t.c`, `Star t.*`, `Ident{Name:t} t`, `Star *`, `TableRef s.t`, `Name s.t`}},
	{"quoted names", `SELECT "A b"."c""d" AS "É", U&"d\0061t\+000061" FROM "A b"`, []string{
		`Ident{Name:A b Quoted} "A b"`, `Ident{Name:c"d Quoted} "c""d"`, `Ident{Name:É Quoted} "É"`,
		`Ident{Name:data Quoted} U&"d\0061t\+000061"`, `TableRef "A b"`}},
	{"unicode escape of its own", `SELECT U&"d!0061ta" UESCAPE '!'`, []string{`Ident{Name:data Quoted} U&"d!0061ta" UESCAPE '!'`}},
	{"spaces and comments in a name", "SELECT a /* x */ . -- y\n b FROM t", []string{`Column a /* x */ . -- y b`, `Ident{Name:b} b`}},
	{"keyword as alias and column", `SELECT t.select, 1 AS from, a name FROM t`, []string{`Column t.select`, `Ident{Name:from} from`, `Ident{Name:name} name`}},
	{"no select list", `SELECT FROM t`, []string{`Select SELECT FROM t`, `TableRef t`}},
	{"distinct", `SELECT DISTINCT a FROM t`, []string{`Select{Distinct} SELECT DISTINCT a FROM t`}},
	{"distinct on", `SELECT DISTINCT ON (a, (b)) c FROM t`, []string{`Select{Distinct} SELECT DISTINCT ON (a, (b)) c FROM t`, `Column a`, `Column b`, `SelectItem c`}},
	{"select all", `SELECT ALL a FROM t`, []string{`Select SELECT ALL a FROM t`}},
	{"parentheses", `((SELECT ((a)) AS x, (a + b) * c FROM t))`, []string{
		`Query ((SELECT ((a)) AS x, (a + b) * c FROM t))`, `Select SELECT ((a)) AS x, (a + b) * c FROM t`, `SelectItem ((a)) AS x`, `Column a`,
		`SelectItem (a + b) * c`, `Op{Name:*} (a + b) * c`, `Op{Name:+} a + b`}},
	{"trailing semicolon and space", "  SELECT 1 ; -- end", []string{`Query SELECT 1`}},

	// FROM.
	{"comma list and alias", `SELECT 1 FROM a, b AS x, c y (p, q)`, []string{`TableRef a`, `TableRef b AS x`, `Ident{Name:x} x`, `TableRef c y (p, q)`, `Ident{Name:y} y`, `Ident{Name:q} q`}},
	{"only and star", `SELECT 1 FROM ONLY a x, ONLY (b) y, c * z`, []string{`TableRef{Only} ONLY a x`, `TableRef{Only} ONLY (b) y`, `TableRef c * z`}},
	{"joins", `SELECT 1 FROM a JOIN b ON a.x = b.x LEFT OUTER JOIN c USING (y, z) AS u NATURAL FULL JOIN d CROSS JOIN e`, []string{
		`Join{Kind:CROSS} a JOIN b ON a.x = b.x LEFT OUTER JOIN c USING (y, z) AS u NATURAL FULL JOIN d CROSS JOIN e`,
		`Join{Kind:FULL Natural} a JOIN b ON a.x = b.x LEFT OUTER JOIN c USING (y, z) AS u NATURAL FULL JOIN d`,
		`Join{Kind:LEFT} a JOIN b ON a.x = b.x LEFT OUTER JOIN c USING (y, z) AS u`, `Join{Kind:INNER} a JOIN b ON a.x = b.x`,
		`Op{Name:=} a.x = b.x`, `Ident{Name:y} y`, `Ident{Name:z} z`, `Ident{Name:u} u`}},
	{"right join, nested", `SELECT 1 FROM a RIGHT JOIN (b JOIN c ON true) ON a.x = b.x`, []string{`Join{Kind:RIGHT} a RIGHT JOIN (b JOIN c ON true) ON a.x = b.x`, `Join{Kind:INNER} (b JOIN c ON true)`}},
	{"alias of a join", `SELECT j.x FROM (a JOIN b USING (id)) AS j (x, y)`, []string{`Join{Kind:INNER} (a JOIN b USING (id)) AS j (x, y)`, `Ident{Name:id} id`, `Ident{Name:j} j`, `Ident{Name:x} x`}},
	{"joins in parentheses twice", `SELECT 1 FROM (((a JOIN b ON true)) JOIN c ON false)`, []string{`Join{Kind:INNER} (((a JOIN b ON true)) JOIN c ON false)`, `Join{Kind:INNER} ((a JOIN b ON true))`}},
	{"derived", `SELECT 1 FROM (SELECT a FROM t) AS d (x), LATERAL (SELECT d.x) l, ((VALUES (1, 2))) v`, []string{
		`Derived (SELECT a FROM t) AS d (x)`, `Query SELECT a FROM t`, `Ident{Name:d} d`, `Derived{Lateral} LATERAL (SELECT d.x) l`, `Query SELECT d.x`, `Derived ((VALUES (1, 2))) v`, `Values VALUES (1, 2)`}},
	{"derived first in a join in parentheses", `SELECT 1 FROM ((SELECT 1) a JOIN (SELECT 2) b ON true)`, []string{`Join{Kind:INNER} ((SELECT 1) a JOIN (SELECT 2) b ON true)`, `Derived (SELECT 1) a`, `Derived (SELECT 2) b`}},
	{"derived without alias", `SELECT 1 FROM (SELECT 2) JOIN ((SELECT 3) UNION SELECT 4) ON true`, []string{`Derived (SELECT 2)`, `Derived ((SELECT 3) UNION SELECT 4)`, `SetOp{Op:UNION} (SELECT 3) UNION SELECT 4`}},
	{"functions", `SELECT 1 FROM generate_series(1, 2) WITH ORDINALITY AS g (n, i), LATERAL unnest(g.n) u`, []string{
		`TableFunc{Ordinality} generate_series(1, 2) WITH ORDINALITY AS g (n, i)`, `Func generate_series(1, 2)`, `Ident{Name:i} i`, `TableFunc{Lateral} LATERAL unnest(g.n) u`}},
	{"column definitions", `SELECT 1 FROM f(1) AS t (a int, "B" numeric(10, 2)), g() AS (x text)`, []string{
		`TableFunc f(1) AS t (a int, "B" numeric(10, 2))`, `Ident{Name:a} a`, `Ident{Name:B Quoted} "B"`, `Ident{Name:t} t`, `TableFunc g() AS (x text)`, `Ident{Name:x} x`}},
	{"rows from", `SELECT 1 FROM ROWS FROM (f(1), g(2)) WITH ORDINALITY AS r (a, b, n)`, []string{`TableFunc{Ordinality} ROWS FROM (f(1), g(2)) WITH ORDINALITY AS r (a, b, n)`, `Func f(1)`, `Func g(2)`, `Ident{Name:n} n`}},
	{"table sample", `SELECT 1 FROM t AS x TABLESAMPLE system (10) REPEATABLE (1) WHERE x.a = 1`, []string{`TableRef t AS x TABLESAMPLE system (10) REPEATABLE (1)`, `Op{Name:=} x.a = 1`}},
	{"json_table", `SELECT 1 FROM t, JSON_TABLE (t.doc, '$' PASSING t.p AS p COLUMNS (id FOR ORDINALITY, a int PATH '$.a' DEFAULT t.d ON EMPTY, NESTED PATH '$.b' COLUMNS (c text))) AS j`, []string{
		`TableFunc JSON_TABLE (t.doc, '$' PASSING t.p AS p COLUMNS (id FOR ORDINALITY, a int PATH '$.a' DEFAULT t.d ON EMPTY, NESTED PATH '$.b' COLUMNS (c text))) AS j`,
		`Column t.doc`, `Column t.p`, `Column t.d`, `Ident{Name:id} id`, `Ident{Name:a} a`, `Ident{Name:c} c`, `Ident{Name:j} j`}},
	{"xmltable", `SELECT 1 FROM XMLTABLE(XMLNAMESPACES('u' AS u), '/r' PASSING t.doc COLUMNS a int PATH 'x' DEFAULT t.d NOT NULL, n FOR ORDINALITY) AS x`, []string{
		`Func XMLTABLE(XMLNAMESPACES('u' AS u), '/r' PASSING t.doc COLUMNS a int PATH 'x' DEFAULT t.d NOT NULL, n FOR ORDINALITY)`, `Column t.doc`, `Column t.d`, `Ident{Name:a} a`, `Ident{Name:n} n`, `Ident{Name:x} x`}},

	// Around the body.
	{"where, group, having", `SELECT a, count(*) FROM t WHERE (b > 1) GROUP BY a HAVING count(*) > 2`, []string{
		`Func{Star Aggregate} count(*)`, `Op{Name:>} b > 1`, `Column a`, `Op{Name:>} count(*) > 2`}},
	{"grouping sets", `SELECT 1 FROM t GROUP BY DISTINCT a, ROLLUP (b, (c, d)), CUBE (e), GROUPING SETS ((f), (), (g, h))`, []string{
		`Column a`, `Op{Name:ROLLUP} ROLLUP (b, (c, d))`, `Op{Name:ROW} (c, d)`, `Op{Name:CUBE} CUBE (e)`, `Op{Name:GROUPING SETS} GROUPING SETS ((f), (), (g, h))`, `Column f`, `Op{Name:ROW} ()`, `Op{Name:ROW} (g, h)`}},
	{"order by", `SELECT a FROM t ORDER BY a DESC NULLS LAST, b USING <, (c) ASC`, []string{`OrderItem{Desc} a DESC NULLS LAST`, `OrderItem b USING <`, `OrderItem (c) ASC`}},
	{"limit and offset", `SELECT a FROM t LIMIT 10 OFFSET $1`, []string{`Literal{Kind:2 Value:10} 10`, `Param{Name:1} $1`}},
	{"offset before limit", `SELECT a FROM t ORDER BY a OFFSET 5 ROWS FETCH NEXT (x + 1) ROWS WITH TIES`, []string{`Query SELECT a FROM t ORDER BY a OFFSET 5 ROWS FETCH NEXT (x + 1) ROWS WITH TIES`, `Literal{Kind:2 Value:5} 5`, `Op{Name:+} x + 1`}},
	{"fetch first row", `SELECT a FROM t FETCH FIRST ROW ONLY`, []string{`Query SELECT a FROM t FETCH FIRST ROW ONLY`}},
	{"limit all", `SELECT a FROM t LIMIT ALL`, []string{`Query SELECT a FROM t LIMIT ALL`, `Literal{Value:all} ALL`}},
	{"for update", `SELECT a FROM t, u FOR UPDATE OF t, u NOWAIT FOR KEY SHARE SKIP LOCKED`, []string{`Query SELECT a FROM t, u FOR UPDATE OF t, u NOWAIT FOR KEY SHARE SKIP LOCKED`, `Name t`, `Name u`}},
	{"lock before limit", `SELECT a FROM t FOR NO KEY UPDATE LIMIT 1`, []string{`Query SELECT a FROM t FOR NO KEY UPDATE LIMIT 1`, `Literal{Kind:2 Value:1} 1`}},
	{"select into", `SELECT a INTO TEMP TABLE s.n FROM t`, []string{`TableRef t`, `Name s.n`}},
	{"windows", `SELECT sum(a) OVER w, rank() OVER (w ORDER BY b), lag(a) OVER (PARTITION BY c, d ORDER BY e DESC ROWS BETWEEN 1 PRECEDING AND x FOLLOWING) FROM t WINDOW w AS (PARTITION BY f), v AS (w)`, []string{
		`Func sum(a) OVER w`, `WindowDef w`, `Func rank() OVER (w ORDER BY b)`, `WindowDef (w ORDER BY b)`, `Ident{Name:w} w`, `OrderItem b`,
		`WindowDef (PARTITION BY c, d ORDER BY e DESC ROWS BETWEEN 1 PRECEDING AND x FOLLOWING)`, `Column c`, `Column d`, `OrderItem{Desc} e DESC`, `Column x`,
		`WindowDef w AS (PARTITION BY f)`, `Ident{Name:w} w`, `Column f`, `WindowDef v AS (w)`}},
	{"set operations", `SELECT 1 UNION ALL SELECT 2 INTERSECT SELECT 3 EXCEPT DISTINCT SELECT 4 ORDER BY 1 LIMIT 1`, []string{
		`SetOp{Op:EXCEPT} SELECT 1 UNION ALL SELECT 2 INTERSECT SELECT 3 EXCEPT DISTINCT SELECT 4`, `SetOp{Op:UNION All} SELECT 1 UNION ALL SELECT 2 INTERSECT SELECT 3`, `SetOp{Op:INTERSECT} SELECT 2 INTERSECT SELECT 3`, `Select SELECT 4`, `OrderItem 1`}},
	{"set operations in parentheses", `(SELECT 1 ORDER BY 1 LIMIT 2) UNION ((SELECT 3) EXCEPT SELECT 4)`, []string{
		`SetOp{Op:UNION} (SELECT 1 ORDER BY 1 LIMIT 2) UNION ((SELECT 3) EXCEPT SELECT 4)`, `Query (SELECT 1 ORDER BY 1 LIMIT 2)`, `SetOp{Op:EXCEPT} (SELECT 3) EXCEPT SELECT 4`}},
	{"values", `VALUES (1, 'a'), (2, DEFAULT) ORDER BY 1`, []string{`Query VALUES (1, 'a'), (2, DEFAULT) ORDER BY 1`, `Values VALUES (1, 'a'), (2, DEFAULT)`, `Literal{Kind:3 Value:a} 'a'`, `Literal{Kind:4 Value:DEFAULT} DEFAULT`}},
	{"table", `TABLE ONLY s.t`, []string{`Query TABLE ONLY s.t`, `Select TABLE ONLY s.t`, `Star TABLE`, `TableRef{Only} ONLY s.t`}},
	{"with", `WITH a AS (SELECT 1), b (x, y) AS MATERIALIZED (SELECT 2, 3), c AS NOT MATERIALIZED (TABLE a) SELECT * FROM b`, []string{
		`With WITH a AS (SELECT 1), b (x, y) AS MATERIALIZED (SELECT 2, 3), c AS NOT MATERIALIZED (TABLE a)`, `CTE a AS (SELECT 1)`, `Query SELECT 1`, `CTE b (x, y) AS MATERIALIZED (SELECT 2, 3)`, `Ident{Name:y} y`, `CTE c AS NOT MATERIALIZED (TABLE a)`, `Select SELECT * FROM b`}},
	{"with recursive, search, cycle", `WITH RECURSIVE r AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM r) SEARCH BREADTH FIRST BY x SET ord CYCLE x SET cyc TO 'y' DEFAULT 'n' USING path SELECT * FROM r`, []string{
		`With{Recursive} WITH RECURSIVE r AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM r) SEARCH BREADTH FIRST BY x SET ord CYCLE x SET cyc TO 'y' DEFAULT 'n' USING path`,
		`SetOp{Op:UNION All} SELECT 1 AS x UNION ALL SELECT x + 1 FROM r`, `Ident{Name:ord} ord`, `Ident{Name:cyc} cyc`, `Ident{Name:path} path`}},
	{"data-modifying with", `WITH d AS (DELETE FROM t WHERE a RETURNING b), u AS (UPDATE t SET a = 1 RETURNING *), i AS (INSERT INTO t SELECT 1 RETURNING c) SELECT * FROM d`, []string{
		`CTE d AS (DELETE FROM t WHERE a RETURNING b)`, `Delete DELETE FROM t WHERE a RETURNING b`, `Update UPDATE t SET a = 1 RETURNING *`, `Insert INSERT INTO t SELECT 1 RETURNING c`}},
	{"with named as keywords", `WITH recursive AS (SELECT 1), search AS (SELECT 2) SELECT * FROM recursive`, []string{`With WITH recursive AS (SELECT 1), search AS (SELECT 2)`, `Ident{Name:recursive} recursive`, `Ident{Name:search} search`}},
	{"with in parentheses", `(WITH a AS (SELECT 1) SELECT * FROM a) UNION SELECT 2`, []string{`Query (WITH a AS (SELECT 1) SELECT * FROM a)`, `With WITH a AS (SELECT 1)`, `Select SELECT 2`}},

	// Expressions.
	{"literals", `SELECT 1, -2.5, .5e3, 0x1F, 'it''s', E'a\n', $x$q$x$, B'01', X'1F', N'n', TRUE, false, NULL, U&'\0061'`, []string{
		`Literal{Kind:2 Value:1} 1`, `Literal{Kind:2 Value:-2.5} -2.5`, `Literal{Kind:2 Value:.5e3} .5e3`, `Literal{Kind:2 Value:0x1F} 0x1F`, `Literal{Kind:3 Value:it's} 'it''s'`,
		"Literal{Kind:3 Value:a\n} E'a\\n'", `Literal{Kind:3 Value:q} $x$q$x$`, `Literal{Kind:4 Value:b01} B'01'`, `Literal{Kind:4 Value:x1F} X'1F'`, `Literal{Kind:3 Value:n} N'n'`,
		`Literal{Kind:1 Value:true} TRUE`, `Literal{Kind:1 Value:false} false`, `Literal{Value:null} NULL`, `Literal{Kind:3 Value:a} U&'\0061'`}},
	{"minus and parentheses", `SELECT - (5), - - 5, -a, +1, -'2', - (NULL)`, []string{`Literal{Kind:2 Value:-5} - (5)`, `Literal{Kind:2 Value:5} - - 5`, `Op{Name:-} -a`, `Op{Name:+} +1`, `Op{Name:-} -'2'`, `Literal{Kind:3 Value:2} '2'`, `Op{Name:-} - (NULL)`, `Literal{Value:null} NULL`}},
	{"string over two lines", "SELECT 'a'\n 'b', c", []string{`Literal{Kind:3 Value:ab} 'a' 'b'`, `Column c`}},
	{"typed literals", `SELECT DATE '2020-01-01', INTERVAL '1' DAY TO SECOND(3), timestamp(3) with time zone 'x', point '(1,2)', interval(2) '1'`, []string{
		`Literal{Kind:4 Value:2020-01-01} DATE '2020-01-01'`, `Literal{Kind:4 Value:1} INTERVAL '1' DAY TO SECOND(3)`, `Literal{Kind:4 Value:x} timestamp(3) with time zone 'x'`, `Literal{Kind:4 Value:(1,2)} point '(1,2)'`, `Literal{Kind:4 Value:1} interval(2) '1'`}},
	{"current values", `SELECT CURRENT_DATE, current_timestamp(3), USER, CURRENT_ROLE`, []string{`Literal{Kind:4 Value:CURRENT_DATE} CURRENT_DATE`, `Literal{Kind:4 Value:CURRENT_TIMESTAMP} current_timestamp(3)`, `Literal{Kind:4 Value:USER} USER`}},
	{"casts", `SELECT a::int, CAST(b AS numeric(10, 2)[]), c::s."T"[3][], d::double precision, e::timestamp(3) with time zone, f::interval year to month, g::character varying(3), (h + 1)::text::bit varying`, []string{
		`Cast a::int`, `TypeName int`, `Cast CAST(b AS numeric(10, 2)[])`, `TypeName{Args:[10 2] Array:1} numeric(10, 2)[]`, `TypeName{Array:2} s."T"[3][]`, `Name s."T"`,
		`Ident{Name:double precision} double precision`, `TypeName{Args:[3]} timestamp(3) with time zone`, `Ident{Name:timestamp with time zone} timestamp(3) with time zone`,
		`Ident{Name:interval year to month} interval year to month`, `TypeName{Args:[3]} character varying(3)`, `Cast (h + 1)::text::bit varying`, `Cast (h + 1)::text`}},
	{"operators", `SELECT a || b, c -> 'x' ->> 'y', d @> e, f OPERATOR(pg_catalog.+) g, @ h, i != j`, []string{
		`Op{Name:||} a || b`, `Op{Name:->>} c -> 'x' ->> 'y'`, `Op{Name:->} c -> 'x'`, `Op{Name:@>} d @> e`, `Op{Name:+} f OPERATOR(pg_catalog.+) g`, `Op{Name:@} @ h`, `Op{Name:<>} i != j`}},
	{"boolean", `SELECT a AND b AND (c OR NOT d) AND NOT (e)`, []string{`Op{Name:AND} a AND b AND (c OR NOT d) AND NOT (e)`, `Op{Name:OR} c OR NOT d`, `Op{Name:NOT} NOT d`, `Op{Name:NOT} NOT (e)`}},
	{"flat and", `SELECT ((a AND b) AND c) OR d`, []string{`Op{Name:OR} ((a AND b) AND c) OR d`, `Op{Name:AND} (a AND b) AND c`, `Column a`, `Column b`, `Column c`}},
	{"tests", `SELECT a IS NULL, b IS NOT NULL, c ISNULL, d IS TRUE, e IS NOT UNKNOWN, f IS DISTINCT FROM g, h IS NOT DISTINCT FROM i, j IS DOCUMENT, k IS NOT NORMALIZED, l IS NOT JSON OBJECT WITH UNIQUE KEYS`, []string{
		`Op{Name:IS NULL} a IS NULL`, `Op{Name:IS NOT NULL} b IS NOT NULL`, `Op{Name:IS NULL} c ISNULL`, `Op{Name:IS TRUE} d IS TRUE`, `Op{Name:IS NOT UNKNOWN} e IS NOT UNKNOWN`, `Op{Name:IS DISTINCT FROM} f IS DISTINCT FROM g`,
		`Op{Name:IS NOT DISTINCT FROM} h IS NOT DISTINCT FROM i`, `Op{Name:IS DOCUMENT} j IS DOCUMENT`, `Op{Name:IS NOT NORMALIZED} k IS NOT NORMALIZED`, `Op{Name:IS NOT JSON} l IS NOT JSON OBJECT WITH UNIQUE KEYS`}},
	{"in, between, like", `SELECT a IN (1, 2), b NOT IN (3), c BETWEEN 1 AND 2, d NOT BETWEEN SYMMETRIC e AND f, g LIKE 'x' ESCAPE '!', h NOT ILIKE i, j SIMILAR TO 'k'`, []string{
		`Op{Name:IN} a IN (1, 2)`, `Op{Name:NOT IN} b NOT IN (3)`, `Op{Name:BETWEEN} c BETWEEN 1 AND 2`, `Op{Name:NOT BETWEEN} d NOT BETWEEN SYMMETRIC e AND f`, `Op{Name:LIKE} g LIKE 'x' ESCAPE '!'`, `Literal{Kind:3 Value:!} '!'`,
		`Op{Name:NOT ILIKE} h NOT ILIKE i`, `Op{Name:SIMILAR TO} j SIMILAR TO 'k'`}},
	{"any and all of an array", `SELECT a = ANY (b), c <> ALL (ARRAY[1, 2]), d LIKE ANY (e)`, []string{`Op{Name:= ANY} a = ANY (b)`, `Op{Name:<> ALL} c <> ALL (ARRAY[1, 2])`, `Op{Name:ARRAY} ARRAY[1, 2]`, `Op{Name:~~ ANY} d LIKE ANY (e)`}},
	{"subqueries", `SELECT (SELECT 1), EXISTS (SELECT 2), a IN (SELECT 3), b NOT IN ((SELECT 4)), c = ANY (SELECT 5), d < ALL (SELECT 6), ARRAY(SELECT 7), NOT EXISTS (SELECT 8), (SELECT 9 LIMIT 1)::text`, []string{
		`Subquery{Kind:SCALAR} (SELECT 1)`, `Query SELECT 1`, `Subquery{Kind:EXISTS} EXISTS (SELECT 2)`, `Subquery{Kind:IN} a IN (SELECT 3)`, `Column a`, `Subquery{Kind:IN} b NOT IN ((SELECT 4))`, `Subquery{Kind:IN} c = ANY (SELECT 5)`,
		`Subquery{Kind:IN} d < ALL (SELECT 6)`, `Subquery{Kind:ARRAY} ARRAY(SELECT 7)`, `Op{Name:NOT} NOT EXISTS (SELECT 8)`, `Cast (SELECT 9 LIMIT 1)::text`}},
	{"rows", `SELECT (a, b) = (1, 2), ROW(c, d) < ROW(1, 2), (e, f) IN (SELECT 1, 2), ROW(), (g, h) OVERLAPS (i, j)`, []string{
		`Op{Name:=} (a, b) = (1, 2)`, `Op{Name:ROW} (a, b)`, `Op{Name:<} ROW(c, d) < ROW(1, 2)`, `Op{Name:ROW} ROW(c, d)`, `Subquery{Kind:IN} (e, f) IN (SELECT 1, 2)`, `Op{Name:ROW} ROW()`, `Op{Name:OVERLAPS} (g, h) OVERLAPS (i, j)`}},
	{"arrays, subscripts, fields", `SELECT ARRAY[[1, 2], [a, b]], c[1], d[2:e], f[:], (g).h, (i.j).*, (k(1)).l[m]`, []string{
		`Op{Name:ARRAY} ARRAY[[1, 2], [a, b]]`, `Op{Name:ARRAY} [1, 2]`, `Op{Name:[]} c[1]`, `Op{Name:[:]} d[2:e]`, `Column e`, `Op{Name:[:]} f[:]`, `Op{Name:.} (g).h`, `Column g`, `Literal{Kind:4 Value:h} h`,
		`Op{Name:.*} (i.j).*`, `Op{Name:[]} (k(1)).l[m]`, `Op{Name:.} (k(1)).l`, `Func k(1)`, `Column m`}},
	{"case", `SELECT CASE a WHEN 1 THEN b ELSE c END, CASE WHEN d THEN e END`, []string{`Op{Name:CASE} CASE a WHEN 1 THEN b ELSE c END`, `Column a`, `Column c`, `Op{Name:CASE} CASE WHEN d THEN e END`}},
	{"calls", `SELECT f(), s.g(a, VARIADIC b), h(x => 1, y := c), count(DISTINCT d), array_agg(e ORDER BY f DESC), sum(g) FILTER (WHERE h > 1) OVER (), percentile_cont(0.5) WITHIN GROUP (ORDER BY i), count(ALL j)`, []string{
		`Func f()`, `Func s.g(a, VARIADIC b)`, `Name s.g`, `Func{ArgNames:[x y]} h(x => 1, y := c)`, `Column c`, `Func{Distinct Aggregate} count(DISTINCT d)`, `Func{Aggregate} array_agg(e ORDER BY f DESC)`, `OrderItem{Desc} f DESC`,
		`Func{Aggregate} sum(g) FILTER (WHERE h > 1) OVER ()`, `Op{Name:>} h > 1`, `WindowDef ()`, `Func{Aggregate} percentile_cont(0.5) WITHIN GROUP (ORDER BY i)`, `OrderItem i`, `Func count(ALL j)`}},
	{"calls with a syntax", `SELECT EXTRACT(year FROM a), TRIM(BOTH 'x' FROM b), SUBSTRING(c FROM 1 FOR 2), POSITION('d' IN e), OVERLAY(f PLACING g FROM 1), f AT TIME ZONE 'UTC', g COLLATE "C", NORMALIZE(h, NFC), COLLATION FOR (i), TREAT(j AS int), SUBSTRING(k FOR 2)`, []string{
		`Func EXTRACT(year FROM a)`, `Ident{Name:extract} EXTRACT`, `Literal{Kind:3 Value:year} year`, `Column a`, `Ident{Name:btrim} TRIM`, `Literal{Kind:3 Value:x} 'x'`, `Column b`, `Func SUBSTRING(c FROM 1 FOR 2)`, `Func POSITION('d' IN e)`, `Column e`,
		`Func OVERLAY(f PLACING g FROM 1)`, `Op{Name:AT TIME ZONE} f AT TIME ZONE 'UTC'`, `Column f`, `Op{Name:COLLATE} g COLLATE "C"`, `Func NORMALIZE(h, NFC)`, `Column i`, `Cast TREAT(j AS int)`, `Func SUBSTRING(k FOR 2)`, `Column k`}},
	{"greatest and its kin", `SELECT COALESCE(a, 1), GREATEST(b, 2), LEAST(c), NULLIF(d, e), GROUPING(f)`, []string{`Func COALESCE(a, 1)`, `Func GREATEST(b, 2)`, `Func LEAST(c)`, `Func NULLIF(d, e)`, `Column e`, `Func GROUPING(f)`}},
	{"json", `SELECT JSON_OBJECT('a': b, 'c' VALUE d RETURNING jsonb), JSON_ARRAY(e, f NULL ON NULL), JSON_ARRAY(SELECT g), JSON_OBJECTAGG(h: i) FILTER (WHERE j), JSON_ARRAYAGG(k ORDER BY l), JSON_VALUE(m, '$.x' PASSING n AS p DEFAULT o ON ERROR), JSON_EXISTS(q, '$'), JSON_SCALAR(r), JSON_SERIALIZE(s), JSON(t)`, []string{
		`Func JSON_OBJECT('a': b, 'c' VALUE d RETURNING jsonb)`, `Column b`, `Column d`, `Func JSON_ARRAY(e, f NULL ON NULL)`, `Subquery{Kind:ARRAY} SELECT g`, `Func{Aggregate} JSON_OBJECTAGG(h: i) FILTER (WHERE j)`, `Column j`,
		`Func{Aggregate} JSON_ARRAYAGG(k ORDER BY l)`, `OrderItem l`, `Func JSON_VALUE(m, '$.x' PASSING n AS p DEFAULT o ON ERROR)`, `Column n`, `Column o`, `Func JSON_EXISTS(q, '$')`, `Column r`, `Column s`, `Column t`}},
	{"xml", `SELECT XMLELEMENT(NAME foo, XMLATTRIBUTES(a AS b), c), XMLFOREST(d AS e), XMLPARSE(DOCUMENT f), XMLSERIALIZE(CONTENT g AS text), XMLEXISTS('x' PASSING h), XMLCONCAT(i, j)`, []string{
		`Func XMLELEMENT(NAME foo, XMLATTRIBUTES(a AS b), c)`, `Column a`, `Column c`, `Func XMLFOREST(d AS e)`, `Column f`, `Column g`, `Column h`, `Func XMLCONCAT(i, j)`}},
	{"whole row", `SELECT t, row_to_json(t), (t) IS NULL FROM t`, []string{`Column t`, `Func row_to_json(t)`, `Column t`, `Op{Name:IS NULL} (t) IS NULL`}},

	// Changes.
	{"insert", `INSERT INTO s.t AS x (a, "B", c[1]) OVERRIDING SYSTEM VALUE VALUES (1, DEFAULT, 2) RETURNING x.a AS r, *`, []string{
		`Insert INSERT INTO s.t AS x (a, "B", c[1]) OVERRIDING SYSTEM VALUE VALUES (1, DEFAULT, 2) RETURNING x.a AS r, *`, `TableRef s.t AS x`, `Ident{Name:a} a`, `Ident{Name:B Quoted} "B"`, `Ident{Name:c} c`,
		`Query VALUES (1, DEFAULT, 2)`, `SelectItem x.a AS r`, `Star *`}},
	{"insert select and with", `WITH w AS (SELECT 1) INSERT INTO t WITH v AS (SELECT 2) (SELECT * FROM w, v)`, []string{`With WITH w AS (SELECT 1)`, `TableRef t`, `Query WITH v AS (SELECT 2) (SELECT * FROM w, v)`, `Select SELECT * FROM w, v`}},
	{"insert default values", `INSERT INTO t DEFAULT VALUES`, []string{`Insert INSERT INTO t DEFAULT VALUES`}},
	{"on conflict", `INSERT INTO t (a) VALUES (1) ON CONFLICT (a, lower(b) COLLATE "C") WHERE c > 0 DO UPDATE SET a = excluded.a, (b, c) = ROW(1, 2), d = DEFAULT WHERE t.a > 1`, []string{
		`Conflict{Excluded:excluded} ON CONFLICT (a, lower(b) COLLATE "C") WHERE c > 0 DO UPDATE SET a = excluded.a, (b, c) = ROW(1, 2), d = DEFAULT WHERE t.a > 1`, `Column a`, `Func lower(b)`, `Op{Name:>} c > 0`,
		`Assignment a = excluded.a`, `Column excluded.a`, `Assignment (b, c) = ROW(1, 2)`, `Column b`, `Column c`, `Op{Name:ROW} ROW(1, 2)`, `Assignment d = DEFAULT`, `Op{Name:>} t.a > 1`}},
	{"on conflict do nothing", `INSERT INTO t VALUES (1) ON CONFLICT ON CONSTRAINT k DO NOTHING RETURNING a`, []string{`Conflict ON CONFLICT ON CONSTRAINT k DO NOTHING`, `Ident{Name:k} k`, `SelectItem a`}},
	{"update", `UPDATE ONLY s.t AS x SET a = x.b + 1, (c, d) = (SELECT 1, 2), e[1] = 3, f.g = 4 FROM u JOIN v USING (k) WHERE x.k = u.k RETURNING x.*`, []string{
		`Update UPDATE ONLY s.t AS x SET a = x.b + 1, (c, d) = (SELECT 1, 2), e[1] = 3, f.g = 4 FROM u JOIN v USING (k) WHERE x.k = u.k RETURNING x.*`, `TableRef{Only} ONLY s.t AS x`, `Assignment a = x.b + 1`, `Column a`, `Op{Name:+} x.b + 1`,
		`Assignment (c, d) = (SELECT 1, 2)`, `Column c`, `Column d`, `Subquery{Kind:SCALAR} (SELECT 1, 2)`, `Assignment e[1] = 3`, `Column e`, `Assignment f.g = 4`, `Column f`, `Join{Kind:INNER} u JOIN v USING (k)`, `Op{Name:=} x.k = u.k`, `Star x.*`}},
	{"update where current of", `UPDATE t SET a = 1 WHERE CURRENT OF c`, []string{`Op{Name:CURRENT OF} CURRENT OF c`}},
	{"delete", `DELETE FROM t AS x USING u, (SELECT 1) d WHERE x.a = u.a RETURNING x.a`, []string{`Delete DELETE FROM t AS x USING u, (SELECT 1) d WHERE x.a = u.a RETURNING x.a`, `TableRef t AS x`, `TableRef u`, `Derived (SELECT 1) d`, `Op{Name:=} x.a = u.a`, `SelectItem x.a`}},
	{"merge", `WITH w AS (SELECT 1) MERGE INTO t AS x USING s ON x.a = s.a WHEN MATCHED AND s.b THEN UPDATE SET c = s.c WHEN NOT MATCHED THEN INSERT (a, c) VALUES (s.a, 1) WHEN NOT MATCHED BY SOURCE THEN DELETE WHEN MATCHED THEN DO NOTHING RETURNING merge_action(), x.a`, []string{
		`TableRef t AS x`, `TableRef s`, `Op{Name:=} x.a = s.a`, `MergeWhen{Matched} WHEN MATCHED AND s.b THEN UPDATE SET c = s.c`, `Column s.b`, `Assignment c = s.c`, `MergeWhen WHEN NOT MATCHED THEN INSERT (a, c) VALUES (s.a, 1)`, `Ident{Name:c} c`, `Column s.a`,
		`MergeWhen{BySource} WHEN NOT MATCHED BY SOURCE THEN DELETE`, `MergeWhen{Matched} WHEN MATCHED THEN DO NOTHING`, `Func merge_action()`, `SelectItem x.a`}},

	// Tables.
	{"create table", `CREATE TEMP TABLE IF NOT EXISTS s.t (a int CONSTRAINT nn NOT NULL DEFAULT 1 + 2 COLLATE "C" PRIMARY KEY, "B" numeric(10, 2)[] UNIQUE NULLS NOT DISTINCT, c text CHECK (c <> '') NO INHERIT NULL, d int REFERENCES u (x) MATCH FULL ON DELETE SET NULL ON UPDATE NO ACTION DEFERRABLE INITIALLY DEFERRED)`, []string{
		`CreateTable{IfNotExists Temporary} CREATE TEMP TABLE IF NOT EXISTS s.t (a int CONSTRAINT nn NOT NULL DEFAULT 1 + 2 COLLATE "C" PRIMARY KEY, "B" numeric(10, 2)[] UNIQUE NULLS NOT DISTINCT, c text CHECK (c <> '') NO INHERIT NULL, d int REFERENCES u (x) MATCH FULL ON DELETE SET NULL ON UPDATE NO ACTION DEFERRABLE INITIALLY DEFERRED)`,
		`Name s.t`, `ColumnDef a int CONSTRAINT nn NOT NULL DEFAULT 1 + 2 COLLATE "C" PRIMARY KEY`, `TypeName int`, `Name "C"`, `Constraint{Kind:NOT NULL} CONSTRAINT nn NOT NULL`, `Ident{Name:nn} nn`, `Constraint{Kind:DEFAULT} DEFAULT 1 + 2`, `Op{Name:+} 1 + 2`, `Constraint{Kind:PRIMARY KEY} PRIMARY KEY`,
		`ColumnDef "B" numeric(10, 2)[] UNIQUE NULLS NOT DISTINCT`, `Constraint{Kind:UNIQUE} UNIQUE NULLS NOT DISTINCT`, `Option{Key:NULLS Value:NOT DISTINCT} NULLS NOT DISTINCT`, `Constraint{Kind:CHECK NoInherit} CHECK (c <> '') NO INHERIT`, `Constraint{Kind:NULL} NULL`,
		`Constraint{Kind:FOREIGN KEY OnDelete:SET NULL OnUpdate:NO ACTION Match:FULL Deferrable Deferred} REFERENCES u (x) MATCH FULL ON DELETE SET NULL ON UPDATE NO ACTION DEFERRABLE INITIALLY DEFERRED`, `Name u`, `Ident{Name:x} x`}},
	{"generated and identity", `CREATE TABLE t (a int GENERATED ALWAYS AS IDENTITY (START WITH 10 INCREMENT BY 5), b int GENERATED BY DEFAULT AS IDENTITY, c int GENERATED ALWAYS AS (a * 2) STORED)`, []string{
		`Constraint{Kind:IDENTITY Always} GENERATED ALWAYS AS IDENTITY (START WITH 10 INCREMENT BY 5)`, `Option{Key:START Value:10} START WITH 10`, `Option{Key:INCREMENT BY Value:5} INCREMENT BY 5`, `Constraint{Kind:IDENTITY} GENERATED BY DEFAULT AS IDENTITY`,
		`Constraint{Kind:GENERATED Always Stored} GENERATED ALWAYS AS (a * 2) STORED`, `Op{Name:*} a * 2`}},
	{"table constraints", `CREATE TABLE t (a int, b int, CONSTRAINT pk PRIMARY KEY (a, b) INCLUDE (c) WITH (fillfactor = 70) USING INDEX TABLESPACE x, UNIQUE (b), FOREIGN KEY (a, b) REFERENCES s.u ON DELETE CASCADE NOT VALID, CONSTRAINT ck CHECK (a > b), EXCLUDE USING gist (a WITH =, lower(b) text_ops WITH OPERATOR(pg_catalog.&&)) WHERE (a > 1))`, []string{
		`Constraint{Kind:PRIMARY KEY} CONSTRAINT pk PRIMARY KEY (a, b) INCLUDE (c) WITH (fillfactor = 70) USING INDEX TABLESPACE x`, `Ident{Name:pk} pk`, `Ident{Name:b} b`, `Ident{Name:c} c`, `Option{Key:fillfactor Value:70} fillfactor = 70`, `Option{Key:USING INDEX TABLESPACE Value:x} USING INDEX TABLESPACE x`,
		`Constraint{Kind:UNIQUE} UNIQUE (b)`, `Constraint{Kind:FOREIGN KEY OnDelete:CASCADE NotValid} FOREIGN KEY (a, b) REFERENCES s.u ON DELETE CASCADE NOT VALID`, `Name s.u`, `Constraint{Kind:CHECK} CONSTRAINT ck CHECK (a > b)`,
		`Constraint{Kind:EXCLUDE Method:gist} EXCLUDE USING gist (a WITH =, lower(b) text_ops WITH OPERATOR(pg_catalog.&&)) WHERE (a > 1)`, `IndexKey{With:=} a WITH =`, `IndexKey{With:OPERATOR(pg_catalog.&&)} lower(b) text_ops WITH OPERATOR(pg_catalog.&&)`, `Name text_ops`, `Op{Name:>} a > 1`}},
	{"inherits, like, partitions", `CREATE UNLOGGED TABLE t (LIKE u INCLUDING ALL, a int STORAGE external COMPRESSION pglz) INHERITS (p, s.q) PARTITION BY RANGE (a, lower(b) COLLATE "C") USING heap WITH (fillfactor = 70, toast.autovacuum_enabled = false) TABLESPACE x`, []string{
		`ColumnDef{Storage:EXTERNAL Compression:pglz} a int STORAGE external COMPRESSION pglz`, `Name u`, `Name p`, `Name s.q`, `Option{Key:UNLOGGED} UNLOGGED`, `Option{Key:USING Value:heap} USING heap`, `Option{Key:fillfactor Value:70} fillfactor = 70`, `Option{Key:toast.autovacuum_enabled Value:false} toast.autovacuum_enabled = false`, `Option{Key:TABLESPACE Value:x} TABLESPACE x`}},
	{"partition of", `CREATE TABLE p PARTITION OF s.t (a DEFAULT 3, CONSTRAINT c CHECK (a > 1)) FOR VALUES FROM (1, MINVALUE) TO (2, MAXVALUE) PARTITION BY LIST (b)`, []string{`ColumnDef a DEFAULT 3`, `Constraint{Kind:CHECK} CONSTRAINT c CHECK (a > 1)`, `Name s.t`}},
	{"create table as", `CREATE TABLE t (x, y) WITH (fillfactor = 70) AS SELECT 1, 2 WITH NO DATA`, []string{`CreateTable CREATE TABLE t (x, y) WITH (fillfactor = 70) AS SELECT 1, 2 WITH NO DATA`, `Query SELECT 1, 2`, `Ident{Name:y} y`, `Option{Key:WITH NO DATA} WITH NO DATA`}},
	{"foreign table", `CREATE FOREIGN TABLE t (a int OPTIONS (x 'y') NOT NULL) SERVER s OPTIONS (z 'w')`, []string{`ColumnDef a int OPTIONS (x 'y') NOT NULL`, `Constraint{Kind:NOT NULL} NOT NULL`, `Option{Key:SERVER Value:s} SERVER s`, `Option{Key:z Value:w} z 'w'`}},
	{"typed table", `CREATE TABLE t OF s.ty (a WITH OPTIONS NOT NULL, PRIMARY KEY (a))`, []string{`ColumnDef a WITH OPTIONS NOT NULL`, `Constraint{Kind:NOT NULL} NOT NULL`, `Constraint{Kind:PRIMARY KEY} PRIMARY KEY (a)`, `Option{Key:OF Value:s.ty} OF s.ty`}},

	// Other objects.
	{"create index", `CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS i ON ONLY s.t USING gin (a, lower(b) COLLATE "C" s.text_ops DESC NULLS LAST, (c + d) ASC NULLS FIRST) INCLUDE (e, f) NULLS NOT DISTINCT WITH (fastupdate = off) TABLESPACE x WHERE a > 1`, []string{
		`CreateIndex{Unique Concurrently IfNotExists Method:gin NullsNotDistinct} CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS i ON ONLY s.t USING gin (a, lower(b) COLLATE "C" s.text_ops DESC NULLS LAST, (c + d) ASC NULLS FIRST) INCLUDE (e, f) NULLS NOT DISTINCT WITH (fastupdate = off) TABLESPACE x WHERE a > 1`,
		`Ident{Name:i} i`, `Name s.t`, `IndexKey a`, `IndexKey{Desc NullsFirst:false} lower(b) COLLATE "C" s.text_ops DESC NULLS LAST`, `Name "C"`, `Name s.text_ops`, `IndexKey{NullsFirst:true} (c + d) ASC NULLS FIRST`, `Op{Name:+} c + d`, `Ident{Name:f} f`, `Op{Name:>} a > 1`, `Option{Key:fastupdate Value:off} fastupdate = off`}},
	{"index on only", `CREATE INDEX i ON ONLY (t) (a)`, []string{`Ident{Name:i} i`, `Name t`, `IndexKey a`}},
	{"index on a star", `CREATE INDEX ON t * (a)`, []string{`Name t`, `IndexKey a`}},
	{"index without a name", `CREATE INDEX ON t (a)`, []string{`CreateIndex CREATE INDEX ON t (a)`, `Name t`, `IndexKey a`}},
	{"create view", `CREATE OR REPLACE TEMP VIEW s.v (a, "B") WITH (security_barrier) AS (SELECT 1, 2) WITH LOCAL CHECK OPTION`, []string{
		`CreateView{Replace Temporary} CREATE OR REPLACE TEMP VIEW s.v (a, "B") WITH (security_barrier) AS (SELECT 1, 2) WITH LOCAL CHECK OPTION`, `Name s.v`, `Ident{Name:B Quoted} "B"`, `Option{Key:security_barrier} security_barrier`, `Option{Key:CHECK OPTION Value:LOCAL CHECK OPTION} WITH LOCAL CHECK OPTION`, `Query (SELECT 1, 2)`}},
	{"materialized view", `CREATE MATERIALIZED VIEW IF NOT EXISTS v (a) USING heap AS SELECT 1 WITH DATA`, []string{`CreateView{Materialized IfNotExists} CREATE MATERIALIZED VIEW IF NOT EXISTS v (a) USING heap AS SELECT 1 WITH DATA`, `Ident{Name:a} a`, `Query SELECT 1`}},
	{"enum", `CREATE TYPE s.e AS ENUM ('a', 'it''s')`, []string{`CreateType{Kind:ENUM Labels:[a it's]} CREATE TYPE s.e AS ENUM ('a', 'it''s')`, `Name s.e`}},
	{"composite", `CREATE TYPE c AS (a int, b text COLLATE "C")`, []string{`CreateType{Kind:COMPOSITE} CREATE TYPE c AS (a int, b text COLLATE "C")`, `ColumnDef b text COLLATE "C"`, `Name "C"`}},
	{"range", `CREATE TYPE r AS RANGE (subtype = numeric(3), collation = "C")`, []string{`CreateType{Kind:RANGE} CREATE TYPE r AS RANGE (subtype = numeric(3), collation = "C")`, `TypeName{Args:[3]} numeric(3)`}},
	{"shell type", `CREATE TYPE x`, []string{`CreateType{Kind:OTHER} CREATE TYPE x`}},
	{"columns that a foreign key sets", `ALTER TABLE t ADD FOREIGN KEY (a, b) REFERENCES u ON DELETE SET NULL (b)`, []string{
		`Constraint{Kind:FOREIGN KEY OnDelete:SET NULL} FOREIGN KEY (a, b) REFERENCES u ON DELETE SET NULL (b)`, `Ident{Name:a} a`, `Ident{Name:b} b`, `Name u`, `Ident{Name:b} b`}},
	{"domain", `CREATE DOMAIN s.d AS varchar(3)[] COLLATE "C" DEFAULT 'x' CONSTRAINT ck CHECK (VALUE <> '') NOT NULL`, []string{`CreateType{Kind:DOMAIN} CREATE DOMAIN s.d AS varchar(3)[] COLLATE "C" DEFAULT 'x' CONSTRAINT ck CHECK (VALUE <> '') NOT NULL`,
		`TypeName{Args:[3] Array:1} varchar(3)[]`, `Constraint{Kind:DEFAULT} DEFAULT 'x'`, `Constraint{Kind:CHECK} CONSTRAINT ck CHECK (VALUE <> '')`, `Constraint{Kind:NOT NULL} NOT NULL`}},
	{"sequence", `CREATE SEQUENCE IF NOT EXISTS s.q AS int START WITH 1 INCREMENT BY 2 NO MINVALUE MAXVALUE 9 CACHE 1 NO CYCLE OWNED BY t.c`, []string{`CreateSequence{IfNotExists} CREATE SEQUENCE IF NOT EXISTS s.q AS int START WITH 1 INCREMENT BY 2 NO MINVALUE MAXVALUE 9 CACHE 1 NO CYCLE OWNED BY t.c`, `Name s.q`,
		`Option{Key:AS Value:int} AS int`, `Option{Key:START Value:1} START WITH 1`, `Option{Key:INCREMENT BY Value:2} INCREMENT BY 2`, `Option{Key:NO MINVALUE} NO MINVALUE`, `Option{Key:MAXVALUE Value:9} MAXVALUE 9`, `Option{Key:NO CYCLE} NO CYCLE`, `Option{Key:OWNED BY Value:t.c} OWNED BY t.c`}},
	{"function", `CREATE OR REPLACE FUNCTION s.f(a int DEFAULT 1, OUT b text, VARIADIC "C" int[], numeric) RETURNS SETOF record LANGUAGE plpgsql AS $$ BEGIN END $$`, []string{
		`CreateFunction{Replace Language:plpgsql Body: BEGIN END } CREATE OR REPLACE FUNCTION s.f(a int DEFAULT 1, OUT b text, VARIADIC "C" int[], numeric) RETURNS SETOF record LANGUAGE plpgsql AS $$ BEGIN END $$`, `Name s.f`, `Parameter a int DEFAULT 1`, `Ident{Name:a} a`,
		`Parameter{Mode:OUT} OUT b text`, `Parameter{Mode:VARIADIC} VARIADIC "C" int[]`, `Ident{Name:C Quoted} "C"`, `Parameter numeric`, `TypeName record`}},
	{"function returns table", `CREATE FUNCTION f(a int) RETURNS TABLE (x int, "Y" text) LANGUAGE sql AS 'SELECT 1, 2'`, []string{`ColumnDef x int`, `ColumnDef "Y" text`, `TypeName text`}},
	{"function begin atomic", `CREATE PROCEDURE p(a int) LANGUAGE sql BEGIN ATOMIC INSERT INTO t VALUES (a); SELECT CASE WHEN b THEN 1 END FROM t; END`, []string{`CreateFunction{Procedure Language:sql} CREATE PROCEDURE p(a int) LANGUAGE sql BEGIN ATOMIC INSERT INTO t VALUES (a); SELECT CASE WHEN b THEN 1 END FROM t; END`,
		`Insert INSERT INTO t VALUES (a)`, `Query SELECT CASE WHEN b THEN 1 END FROM t`}},
	{"function return", `CREATE FUNCTION f(a int) RETURNS int RETURN a + 1`, []string{`CreateFunction{Language:sql} CREATE FUNCTION f(a int) RETURNS int RETURN a + 1`, `Op{Name:+} a + 1`}},
	{"trigger", `CREATE CONSTRAINT TRIGGER g AFTER INSERT OR UPDATE OF a, "B" OR DELETE ON s.t DEFERRABLE FOR EACH ROW WHEN (new.a IS NULL) EXECUTE FUNCTION s.f('x')`, []string{
		`CreateTrigger{Timing:AFTER Events:[INSERT UPDATE DELETE]} CREATE CONSTRAINT TRIGGER g AFTER INSERT OR UPDATE OF a, "B" OR DELETE ON s.t DEFERRABLE FOR EACH ROW WHEN (new.a IS NULL) EXECUTE FUNCTION s.f('x')`, `Ident{Name:g} g`, `Ident{Name:a} a`, `Name s.t`, `Op{Name:IS NULL} new.a IS NULL`, `Name s.f`}},
	{"trigger instead of", `CREATE TRIGGER g INSTEAD OF UPDATE ON v FOR EACH ROW EXECUTE PROCEDURE f()`, []string{`CreateTrigger{Timing:INSTEAD OF Events:[UPDATE]} CREATE TRIGGER g INSTEAD OF UPDATE ON v FOR EACH ROW EXECUTE PROCEDURE f()`}},
	{"comment", `COMMENT ON COLUMN s.t."C" IS 'it''s'`, []string{`Comment{Kind:COLUMN Text:it's} COMMENT ON COLUMN s.t."C" IS 'it''s'`, `Name s.t."C"`}},
	{"comment on a materialized view", `COMMENT ON MATERIALIZED VIEW v IS NULL`, []string{`Comment{Kind:MATERIALIZED VIEW} COMMENT ON MATERIALIZED VIEW v IS NULL`, `Name v`}},
	{"comment on a constraint", `COMMENT ON CONSTRAINT c ON s.t IS 'x'`, []string{`Comment{Kind:CONSTRAINT Text:x} COMMENT ON CONSTRAINT c ON s.t IS 'x'`, `Name c ON s.t`, `Ident{Name:s} s`, `Ident{Name:t} t`, `Ident{Name:c} c`}},
	{"comment on a function", `COMMENT ON FUNCTION s.f(int, text) IS 'x'`, []string{`Comment{Kind:FUNCTION Text:x} COMMENT ON FUNCTION s.f(int, text) IS 'x'`, `Name s.f`}},

	// ALTER and DROP.
	{"alter table", `ALTER TABLE IF EXISTS ONLY s.t ADD COLUMN IF NOT EXISTS a int NOT NULL, DROP CONSTRAINT IF EXISTS c CASCADE, ALTER COLUMN d TYPE numeric(3) COLLATE "C" USING d::numeric, ALTER e SET DEFAULT 3, ALTER f DROP DEFAULT, ALTER g SET NOT NULL, ADD CONSTRAINT h UNIQUE (a), OWNER TO u, ENABLE ROW LEVEL SECURITY, DROP i, VALIDATE CONSTRAINT j, ALTER k ADD GENERATED ALWAYS AS IDENTITY, CLUSTER ON l, ENABLE TRIGGER m`, []string{
		`Name s.t`, `AlterAction{Kind:ADD COLUMN} ADD COLUMN IF NOT EXISTS a int NOT NULL`, `ColumnDef a int NOT NULL`, `Constraint{Kind:NOT NULL} NOT NULL`, `AlterAction{Kind:DROP CONSTRAINT IfExists} DROP CONSTRAINT IF EXISTS c CASCADE`, `Ident{Name:c} c`,
		`AlterAction{Kind:SET TYPE} ALTER COLUMN d TYPE numeric(3) COLLATE "C" USING d::numeric`, `TypeName{Args:[3]} numeric(3)`, `Cast d::numeric`, `AlterAction{Kind:SET DEFAULT} ALTER e SET DEFAULT 3`, `AlterAction{Kind:DROP DEFAULT} ALTER f DROP DEFAULT`, `AlterAction{Kind:SET NOT NULL} ALTER g SET NOT NULL`, `Ident{Name:g} g`,
		`AlterAction{Kind:ADD CONSTRAINT} ADD CONSTRAINT h UNIQUE (a)`, `Constraint{Kind:UNIQUE} CONSTRAINT h UNIQUE (a)`, `AlterAction{Kind:OWNER TO} OWNER TO u`, `AlterAction{Kind:ENABLE ROW LEVEL SECURITY} ENABLE ROW LEVEL SECURITY`, `AlterAction{Kind:DROP COLUMN} DROP i`, `AlterAction{Kind:VALIDATE CONSTRAINT} VALIDATE CONSTRAINT j`,
		`AlterAction{Kind:ADD IDENTITY} ALTER k ADD GENERATED ALWAYS AS IDENTITY`, `Constraint{Kind:IDENTITY Always} GENERATED ALWAYS AS IDENTITY`, `AlterAction{Kind:CLUSTER ON} CLUSTER ON l`, `AlterAction{Kind:ENABLE TRIGGER} ENABLE TRIGGER m`, `Ident{Name:m} m`}},
	{"attach partition", `ALTER TABLE t ATTACH PARTITION s.p FOR VALUES IN (1)`, []string{`AlterTable{Kind:TABLE} ALTER TABLE t ATTACH PARTITION s.p FOR VALUES IN (1)`, `AlterAction{Kind:ATTACH PARTITION} ATTACH PARTITION s.p FOR VALUES IN (1)`, `Name s.p`}},
	{"attach an index", `ALTER INDEX a ATTACH PARTITION b`, []string{`AlterTable{Kind:INDEX} ALTER INDEX a ATTACH PARTITION b`, `Name b`}},
	{"rename", `ALTER TABLE s.t RENAME TO u`, []string{`AlterAction{Kind:RENAME} RENAME TO u`, `Ident{Name:u} u`}},
	{"rename column", `ALTER TABLE t RENAME COLUMN a TO "B"`, []string{`AlterAction{Kind:RENAME COLUMN} RENAME COLUMN a TO "B"`, `Ident{Name:a} a`, `Ident{Name:B Quoted} "B"`}},
	{"rename constraint", `ALTER TABLE t RENAME CONSTRAINT a TO b`, []string{`AlterAction{Kind:RENAME CONSTRAINT} RENAME CONSTRAINT a TO b`, `Ident{Name:a} a`}},
	{"set schema", `ALTER TABLE t SET SCHEMA s`, []string{`AlterAction{Kind:SET SCHEMA} SET SCHEMA s`, `Ident{Name:s} s`}},
	{"add value", `ALTER TYPE e ADD VALUE IF NOT EXISTS 'x' BEFORE 'y'`, []string{`AlterTable{Kind:TYPE} ALTER TYPE e ADD VALUE IF NOT EXISTS 'x' BEFORE 'y'`, `AlterAction{Kind:ADD VALUE} ADD VALUE IF NOT EXISTS 'x' BEFORE 'y'`, `Op{Name:BEFORE} 'x' BEFORE 'y'`, `Literal{Kind:3 Value:x} 'x'`}},
	{"alter sequence", `ALTER SEQUENCE s.q OWNED BY s.t.c RESTART WITH 3`, []string{`AlterTable{Kind:SEQUENCE} ALTER SEQUENCE s.q OWNED BY s.t.c RESTART WITH 3`, `AlterAction{Kind:OWNED BY} OWNED BY s.t.c`, `Name s.t.c`, `AlterAction{Kind:RESTART} RESTART WITH 3`}},
	{"add a column named attribute", `ALTER TABLE t ADD attribute int`, []string{`AlterAction{Kind:ADD COLUMN} ADD attribute int`, `Ident{Name:attribute} attribute`}},
	{"alter type", `ALTER TYPE ty ADD ATTRIBUTE a int, DROP ATTRIBUTE b, ALTER ATTRIBUTE c TYPE text`, []string{`AlterTable{Kind:TYPE} ALTER TYPE ty ADD ATTRIBUTE a int, DROP ATTRIBUTE b, ALTER ATTRIBUTE c TYPE text`, `ColumnDef a int`, `Ident{Name:b} b`, `ColumnDef c TYPE text`}},
	{"alter view", `ALTER VIEW v ALTER COLUMN a SET DEFAULT 1`, []string{`AlterTable{Kind:VIEW} ALTER VIEW v ALTER COLUMN a SET DEFAULT 1`, `Ident{Name:a} a`}},
	{"drop", `DROP TABLE IF EXISTS s.a, "B" CASCADE`, []string{`Drop{Kind:TABLE IfExists} DROP TABLE IF EXISTS s.a, "B" CASCADE`, `Name s.a`, `Name "B"`}},
	{"drop index", `DROP INDEX CONCURRENTLY i`, []string{`Drop{Kind:INDEX} DROP INDEX CONCURRENTLY i`, `Name i`}},
	{"drop function", `DROP FUNCTION f(int, text), g`, []string{`Drop{Kind:FUNCTION} DROP FUNCTION f(int, text), g`, `Name f`, `Name g`}},
	{"drop trigger", `DROP TRIGGER g ON s.t`, []string{`Drop{Kind:TRIGGER} DROP TRIGGER g ON s.t`, `Name g ON s.t`, `Ident{Name:t} t`, `Ident{Name:g} g`}},
	{"drop role", `DROP ROLE IF EXISTS a, b`, []string{`Drop{Kind:ROLE IfExists} DROP ROLE IF EXISTS a, b`, `Name b`}},
	{"drop cast", `DROP CAST (int AS text)`, []string{`Drop{Kind:CAST} DROP CAST (int AS text)`}},
	{"truncate", `TRUNCATE TABLE ONLY a, s.b * RESTART IDENTITY CASCADE`, []string{`Truncate TRUNCATE TABLE ONLY a, s.b * RESTART IDENTITY CASCADE`, `Name a`, `Name s.b`}},
	{"explain", `EXPLAIN (ANALYZE, COSTS off) (SELECT 1)`, []string{`Explain{Analyze} EXPLAIN (ANALYZE, COSTS off) (SELECT 1)`, `Query (SELECT 1)`}},
	{"explain verbose", `EXPLAIN VERBOSE UPDATE t SET a = 1`, []string{`Explain EXPLAIN VERBOSE UPDATE t SET a = 1`, `Update UPDATE t SET a = 1`}},
	{"explain analyze off", `EXPLAIN (ANALYZE false) SELECT 1`, []string{`Explain EXPLAIN (ANALYZE false) SELECT 1`}},

	// The rest.
	{"set", `SET search_path TO a, b`, []string{`Other{Kind:SET} SET search_path TO a, b`}},
	{"begin", `BEGIN`, []string{`Other{Kind:BEGIN} BEGIN`}},
	{"extension", `CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public`, []string{`Other{Kind:CREATE EXTENSION} CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public`, `Name pg_trgm`}},
	{"schema with elements", `CREATE SCHEMA s CREATE TABLE t (a int) CREATE VIEW v AS SELECT 1`, []string{`Other{Kind:CREATE SCHEMA} CREATE SCHEMA s`, `Name s`, `CreateTable CREATE TABLE t (a int)`, `CreateView CREATE VIEW v AS SELECT 1`}},
	{"policy", `CREATE POLICY p ON s.t USING (a = 1)`, []string{`Other{Kind:CREATE POLICY} CREATE POLICY p ON s.t USING (a = 1)`, `Name p ON s.t`}},
	{"grant", `GRANT SELECT ON t TO u`, []string{`Other{Kind:GRANT} GRANT SELECT ON t TO u`}},
	{"call", `CALL s.p(1)`, []string{`Other{Kind:CALL} CALL s.p(1)`, `Name s.p`}},
	{"do", `DO $$ BEGIN END $$`, []string{`Other{Kind:DO} DO $$ BEGIN END $$`}},
	{"refresh", `REFRESH MATERIALIZED VIEW CONCURRENTLY s.v`, []string{`Other{Kind:REFRESH MATERIALIZED VIEW} REFRESH MATERIALIZED VIEW CONCURRENTLY s.v`, `Name s.v`}},
	{"copy a query", `COPY (SELECT a FROM t) TO STDOUT`, []string{`Other{Kind:COPY} COPY (SELECT a FROM t) TO STDOUT`, `Query SELECT a FROM t`}},
	{"prepare", `PREPARE p (int) AS SELECT $1`, []string{`Other{Kind:PREPARE} PREPARE p (int) AS SELECT $1`, `Name p`, `Query SELECT $1`}},
	{"declare", `DECLARE c SCROLL CURSOR WITH HOLD FOR SELECT 1`, []string{`Other{Kind:DECLARE} DECLARE c SCROLL CURSOR WITH HOLD FOR SELECT 1`, `Query SELECT 1`}},
	{"rule", `CREATE RULE r AS ON INSERT TO t DO INSTEAD (SELECT 1; SELECT 2)`, []string{`CreateTrigger{Rule Timing:INSTEAD OF Events:[INSERT]} CREATE RULE r AS ON INSERT TO t DO INSTEAD (SELECT 1; SELECT 2)`, `Name t`, `Query SELECT 1`, `Query SELECT 2`}},
	{"rule with a condition", `CREATE OR REPLACE RULE r AS ON UPDATE TO s.t WHERE OLD.a <> NEW.a DO ALSO UPDATE t SET b = 1 WHERE a = OLD.a`, []string{`CreateTrigger{Rule Timing:AFTER Events:[UPDATE]} CREATE OR REPLACE RULE r AS ON UPDATE TO s.t WHERE OLD.a <> NEW.a DO ALSO UPDATE t SET b = 1 WHERE a = OLD.a`, `Name s.t`, `Op{Name:<>} OLD.a <> NEW.a`, `Update UPDATE t SET b = 1 WHERE a = OLD.a`}},
	{"rule of nothing", `CREATE RULE r AS ON DELETE TO t DO INSTEAD NOTHING`, []string{`CreateTrigger{Rule Timing:INSTEAD OF Events:[DELETE]} CREATE RULE r AS ON DELETE TO t DO INSTEAD NOTHING`, `Name t`}},
	{"copy a table", `COPY s.t (a, b) FROM STDIN WHERE a > 1`, []string{`Other{Kind:COPY Writes} COPY s.t (a, b) FROM STDIN WHERE a > 1`, `Name s.t`, `Ident{Name:b} b`, `Op{Name:>} a > 1`}},
	{"analyze", `ANALYZE VERBOSE s.t (a, b), u`, []string{`Other{Kind:ANALYZE} ANALYZE VERBOSE s.t (a, b), u`, `Name s.t`, `Name u`, `Ident{Name:b} b`}},
	{"vacuum", `VACUUM (FULL, ANALYZE) t`, []string{`Other{Kind:VACUUM} VACUUM (FULL, ANALYZE) t`, `Name t`}},
	{"lock", `LOCK TABLE ONLY s.a, b IN SHARE MODE`, []string{`Other{Kind:LOCK} LOCK TABLE ONLY s.a, b IN SHARE MODE`, `Name s.a`, `Name b`}},
	{"statistics", `CREATE STATISTICS x (mcv) ON a, (b + 1), lower(c) FROM s.t`, []string{`Name s.t`, `Column a`, `Op{Name:+} b + 1`, `Func lower(c)`}},
	{"policy with a check", `CREATE POLICY p ON t TO PUBLIC USING (a = 1) WITH CHECK (EXISTS (SELECT 1))`, []string{`Name t`, `Op{Name:=} a = 1`, `Subquery{Kind:EXISTS} EXISTS (SELECT 1)`}},
	{"grant on columns", `GRANT SELECT (a, b), UPDATE (c) ON s.t, u TO PUBLIC`, []string{`Name s.t`, `Name u`, `Ident{Name:a} a`, `Ident{Name:c} c`}},
	{"revoke", `REVOKE GRANT OPTION FOR SELECT ON TABLE t FROM u`, []string{`Name t`}},
	{"grant on a schema", `GRANT USAGE ON SCHEMA s TO u`, []string{`Other{Kind:GRANT} GRANT USAGE ON SCHEMA s TO u`}},
}

func TestParse_Constructs(t *testing.T) {
	for _, c := range constructs {
		t.Run(c.name, func(t *testing.T) {
			s, err := Parse(c.sql)
			if err != nil {
				t.Fatalf("Parse(%q): %v", c.sql, err)
			}
			if m := treetest.Missing(s, c.want); m != "" {
				t.Errorf("Parse(%q) has no\n%s\nat its place in\n%s", c.sql, m, treetest.Dump(s))
			}
			for _, p := range treetest.Problems(s, spelled) {
				t.Error(p)
			}
		})
	}
}

// spelled is the name that a spelling of an identifier stands for.
func spelled(s string) string {
	if s[0] == '"' || len(s) > 2 && s[1] == '&' {
		return unquote(s)
	}
	return s
}
