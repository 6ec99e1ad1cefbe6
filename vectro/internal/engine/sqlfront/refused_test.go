package sqlfront

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

const (
	one     = "SELECT 1"
	all     = "SELECT * FROM orders"
	overWay = "OVER (a window function) is not supported yet. Group with GROUP BY, or order with ORDER BY and LIMIT."
)

// Each refused text has a twin that is accepted, so that a guard that refuses
// everything fails as well. want is the first line of the message.
var refusals = []struct{ refused, want, accepted string }{
	// Other statements.
	{"INSERT INTO orders VALUES (1)", "sql runs SELECT only; this is an INSERT.", "VALUES (1)"},
	{"UPDATE orders SET id = 1", "sql runs SELECT only; this is an UPDATE.", "SELECT id = 1 FROM orders"},
	{"DELETE FROM orders", "sql runs SELECT only; this is a DELETE.", all},
	{"MERGE INTO orders o USING customers c ON o.id = c.id WHEN MATCHED THEN DELETE", "sql runs SELECT only; this is a MERGE.", all},
	{"WITH x AS (SELECT 1) INSERT INTO orders SELECT * FROM x", "sql runs SELECT only; this is an INSERT.", "WITH x AS (SELECT 1) SELECT * FROM x"},
	{"WITH x AS (SELECT 1) UPDATE orders SET id = 1", "sql runs SELECT only; this is an UPDATE.", "WITH x AS (SELECT 1) SELECT 1"},
	{"WITH x AS (SELECT 1) DELETE FROM orders", "sql runs SELECT only; this is a DELETE.", "WITH x AS (SELECT 1) SELECT 1"},
	{"WITH x AS (DELETE FROM orders RETURNING id) SELECT * FROM x", "sql runs SELECT only; this is a DELETE.", "WITH x AS (SELECT id FROM orders) SELECT * FROM x"},
	{"WITH x AS (INSERT INTO orders VALUES (1) RETURNING 1) SELECT 1", "sql runs SELECT only; this is an INSERT.", "WITH x AS (VALUES (1)) SELECT 1"},
	{"CREATE TABLE t (a int)", "sql runs SELECT only; this is a CREATE.", one},
	{"CREATE TABLE t AS SELECT 1", "sql runs SELECT only; this is a CREATE.", one},
	{"CREATE VIEW v AS SELECT 1", "sql runs SELECT only; this is a CREATE.", one},
	{"CREATE INDEX i ON orders (id)", "sql runs SELECT only; this is a CREATE.", one},
	{"CREATE FUNCTION f() RETURNS int AS 'x' LANGUAGE sql", "sql runs SELECT only; this is a CREATE.", one},
	{"CREATE EXTENSION dblink", "sql runs SELECT only; this is a CREATE.", one},
	{"CREATE SCHEMA s", "sql runs SELECT only; this is a CREATE.", one},
	{"CREATE ROLE r", "sql runs SELECT only; this is a CREATE.", one},
	{"CREATE SERVER s FOREIGN DATA WRAPPER file_fdw", "sql runs SELECT only; this is a CREATE.", one},
	{"DROP TABLE orders", "sql runs SELECT only; this is a DROP.", all},
	{"TRUNCATE orders", "sql runs SELECT only; this is a TRUNCATE.", all},
	{"ALTER TABLE orders ADD COLUMN x int", "sql runs SELECT only; this is an ALTER.", "SELECT *, 1 AS x FROM orders"},
	{"ALTER SYSTEM SET work_mem = '1GB'", "sql runs SELECT only; this is an ALTER.", one},
	{"GRANT SELECT ON orders TO x", "sql runs SELECT only; this is a GRANT.", one},
	{"REVOKE SELECT ON orders FROM x", "sql runs SELECT only; this is a REVOKE.", one},
	{"COPY orders TO '/tmp/x'", "sql runs SELECT only; this is a COPY. Files are loaded with load_file.", all},
	{"COPY (SELECT 1) TO PROGRAM 'sh'", "sql runs SELECT only; this is a COPY. Files are loaded with load_file.", one},
	{"COPY orders FROM '/etc/passwd'", "sql runs SELECT only; this is a COPY. Files are loaded with load_file.", all},
	{"SET search_path = x", "sql runs SELECT only; this is a SET.", one},
	{"RESET ALL", "sql runs SELECT only; this is a RESET.", one},
	{"SHOW all", "sql runs SELECT only; this is a SHOW.", one},
	{"BEGIN", "sql runs SELECT only; this is a BEGIN.", one},
	{"COMMIT", "sql runs SELECT only; this is a COMMIT.", one},
	{"ROLLBACK", "sql runs SELECT only; this is a ROLLBACK.", one},
	{"PREPARE p AS SELECT 1", "sql runs SELECT only; this is a PREPARE.", one},
	{"EXECUTE p", "sql runs SELECT only; this is an EXECUTE.", one},
	{"DEALLOCATE p", "sql runs SELECT only; this is a DEALLOCATE.", one},
	{"DECLARE c CURSOR FOR SELECT 1", "sql runs SELECT only; this is a DECLARE.", one},
	{"FETCH c", "sql runs SELECT only; this is a FETCH.", one},
	{"CLOSE c", "sql runs SELECT only; this is a CLOSE.", one},
	{"LOCK TABLE orders", "sql runs SELECT only; this is a LOCK.", one},
	{"VACUUM", "sql runs SELECT only; this is a VACUUM.", one},
	{"ANALYZE", "sql runs SELECT only; this is an ANALYZE.", one},
	{"REINDEX TABLE orders", "sql runs SELECT only; this is a REINDEX.", one},
	{"CLUSTER", "sql runs SELECT only; this is a CLUSTER.", one},
	{"CHECKPOINT", "sql runs SELECT only; this is a CHECKPOINT.", one},
	{"LISTEN x", "sql runs SELECT only; this is a LISTEN.", one},
	{"NOTIFY x", "sql runs SELECT only; this is a NOTIFY.", one},
	{"LOAD 'x'", "sql runs SELECT only; this is a LOAD.", one},
	{"DO $$ BEGIN END $$", "sql runs SELECT only; this is a DO.", "SELECT $$ BEGIN END $$"},
	{"CALL f()", "sql runs SELECT only; this is a CALL.", one},
	{"COMMENT ON TABLE orders IS 'x'", "sql runs SELECT only; this is a COMMENT.", one},
	{"DISCARD ALL", "sql runs SELECT only; this is a DISCARD.", one},
	{"REFRESH MATERIALIZED VIEW v", "sql runs SELECT only; this is a REFRESH.", one},
	{"EXPLAIN UPDATE orders SET id = 1", "sql runs SELECT only; this is an UPDATE.", "EXPLAIN SELECT id FROM orders"},
	{"EXPLAIN ANALYZE SELECT 1", "An option of EXPLAIN is not supported yet. Write EXPLAIN SELECT alone.", "EXPLAIN SELECT 1"},

	// More or less than one statement, and tricks with comments.
	{"SELECT 1; SELECT 2", "Give one statement; this text has 2.", "SELECT 1;"},
	{"SELECT 1; DROP TABLE orders; --", "Give one statement; this text has 2.", "SELECT 1; -- DROP TABLE orders"},
	{"SELECT 1 /* ; */; UPDATE orders SET id = 2", "Give one statement; this text has 2.", "SELECT 1 /* ; UPDATE orders SET id = 2 */"},
	{"SELECT 1 /* /* */; DROP TABLE x; */ + 1; SELECT 2", "Give one statement; this text has 2.", "SELECT 1 /* /* */; DROP TABLE x; */ + 1"},
	{"SELECT ';'; SELECT 1", "Give one statement; this text has 2.", "SELECT ';'"},
	{"-- x\nDELETE FROM orders", "sql runs SELECT only; this is a DELETE.", "-- x\nSELECT 1"},
	{"", "The query is empty; write a SELECT.", one},
	{" ; ; ", "The query is empty; write a SELECT.", "; SELECT 1 ;"},
	{"-- nothing", "The query is empty; write a SELECT.", "SELECT 1 -- nothing"},
	{"SELECT 1\x00; DROP TABLE orders", "The query has a NUL character.", "SELECT 1; "},
	{"SELECT '\xff'", "The query is not valid UTF-8.", "SELECT '\u00ff'"},
	{"SELECT 1 /*", "unterminated /* comment at or near \"/*\"", "SELECT 1 /**/"},
	{"SELECT 'x", "unterminated quoted string at or near \"'x\"", "SELECT 'x'"},
	{"SELECT '" + strings.Repeat("x", 100_000), "unterminated quoted string at or near \"'" + strings.Repeat("x", 160) + "…", "SELECT 'x'"},
	{`SELECT "x`, `unterminated quoted identifier at or near ""x"`, `SELECT 1 AS "x"`},

	// Changing or locking.
	{"SELECT 1 INTO t", "SELECT INTO would change or lock data; leave it out.", one},
	{"SELECT * INTO TEMP t FROM orders", "SELECT INTO would change or lock data; leave it out.", all},
	{"SELECT * FROM orders FOR UPDATE", "FOR UPDATE or FOR SHARE would change or lock data; leave it out.", all},
	{"SELECT * FROM orders FOR SHARE OF orders NOWAIT", "FOR UPDATE or FOR SHARE would change or lock data; leave it out.", all},
	{"SELECT * FROM (SELECT * FROM orders FOR UPDATE) x", "FOR UPDATE or FOR SHARE would change or lock data; leave it out.", "SELECT * FROM (SELECT * FROM orders) x"},

	// Files, systems, parameters.
	{"SELECT * FROM read_csv('x.csv')", "Unknown function read_csv. Files are loaded with load_file.", all},
	{"SELECT * FROM read_parquet('x')", "Unknown function read_parquet. Files are loaded with load_file.", all},
	{"SELECT * FROM glob('*')", "Unknown function glob. Files are loaded with load_file.", all},
	{"SELECT pg_read_file('/etc/passwd')", "Unknown function pg_read_file. Files are loaded with load_file.", "SELECT '/etc/passwd'"},
	{"SELECT pg_ls_dir('.')", "Unknown function pg_ls_dir. Files are loaded with load_file.", one},
	{"SELECT lo_import('/etc/passwd')", "Unknown function lo_import. Files are loaded with load_file.", one},
	{"SELECT * FROM dblink('x', 'y') AS t(a int)", "Unknown function dblink. Files are loaded with load_file.", one},
	{"SELECT * FROM 'x.csv'", `syntax error at or near "'x.csv'"; files are loaded with load_file and then read by their table's name`, all},
	{"SELECT pg_sleep(10)", "Unknown function pg_sleep.", one},
	{"SELECT set_config('a', 'b', false)", "Unknown function set_config.", one},
	{"SELECT current_setting('a')", "Unknown function current_setting.", one},
	{"SELECT version()", "Unknown function version.", one},
	{"SELECT avgg(price) FROM orders", "Unknown function avgg. Did you mean avg?", "SELECT avg(price) FROM orders"},
	{"SELECT public.lower('A')", "Unknown function public.lower.", "SELECT pg_catalog.lower('A')"},
	{"SELECT * FROM pg_catalog.pg_class", "pg_catalog.pg_class is not here; list_tables and describe_table show the tables.", "SELECT * FROM public.orders"},
	{"SELECT * FROM information_schema.tables", "information_schema.tables is not here; list_tables and describe_table show the tables.", "SELECT * FROM main.orders"},
	{"SELECT * FROM pg_class", "pg_class is not here; list_tables and describe_table show the tables.", all},
	{"SELECT * FROM sqlite_master", "sqlite_master is not here; list_tables and describe_table show the tables.", all},
	{"SELECT * FROM x.orders", `there is no schema "x"; write the table's name alone: orders`, "SELECT * FROM MAIN.orders"},
	{"SELECT * FROM d.public.orders", "A database name before a table is not supported yet. Write the table's name alone.", "SELECT * FROM public.orders"},
	{"SELECT * FROM ordrs", "There is no table 'ordrs'.", all},
	{"SELECT id FROM orders WHERE id = $1", "Write the value in place of $1.", "SELECT id FROM orders WHERE id = 1"},
	{"SELECT current_user", "CURRENT_USER is not supported yet. CURRENT_DATE and CURRENT_TIMESTAMP are there.", "SELECT current_date"},
	{"SELECT current_time", "CURRENT_TIME is not supported yet. CURRENT_DATE and CURRENT_TIMESTAMP are there.", "SELECT current_timestamp"},
	{"SELECT localtimestamp(3)", "LOCALTIMESTAMP is not supported yet. CURRENT_DATE and CURRENT_TIMESTAMP are there.", "SELECT localtimestamp"},

	// Constructs of SELECT that are not there.
	{"SELECT 1 UNION SELECT 2", "UNION is not supported yet. Run one query per part.", one},
	{"SELECT 1 UNION ALL SELECT 2", "UNION is not supported yet. Run one query per part.", one},
	{"SELECT 1 INTERSECT SELECT 2", "INTERSECT is not supported yet. Join the tables on the columns that must agree.", one},
	{"SELECT 1 EXCEPT SELECT 2", "EXCEPT is not supported yet. Use LEFT JOIN and keep the rows WHERE the right side IS NULL.", one},
	{"SELECT row_number() OVER (ORDER BY id) FROM orders", overWay, "SELECT id FROM orders ORDER BY id"},
	{"SELECT sum(price) OVER (PARTITION BY region) FROM orders", overWay, "SELECT sum(price) FROM orders GROUP BY region"},
	{"SELECT sum(price) OVER w FROM orders WINDOW w AS (ORDER BY id)", "WINDOW is not supported yet. Group with GROUP BY, or order with ORDER BY and LIMIT.", "SELECT sum(price) FROM orders"},
	{"SELECT lag(price) FROM orders", "lag (a window function) is not supported yet. Group with GROUP BY, or order with ORDER BY and LIMIT.", "SELECT last(price) FROM orders"},
	{"SELECT DISTINCT ON (region) * FROM orders", "DISTINCT ON is not supported yet. Use GROUP BY with min, max or first.", "SELECT DISTINCT region FROM orders"},
	{"SELECT region FROM orders GROUP BY ROLLUP (region)", "GROUPING SETS, ROLLUP or CUBE is not supported yet. Run one query per grouping.", "SELECT region FROM orders GROUP BY region"},
	{"SELECT region FROM orders GROUP BY GROUPING SETS ((region), ())", "GROUPING SETS, ROLLUP or CUBE is not supported yet. Run one query per grouping.", "SELECT region FROM orders GROUP BY region"},
	{"SELECT count(*) FROM orders GROUP BY ()", "GROUPING SETS, ROLLUP or CUBE is not supported yet. Run one query per grouping.", "SELECT count(*) FROM orders"},
	{"SELECT region FROM orders GROUP BY DISTINCT region", "GROUP BY DISTINCT is not supported yet. Write GROUP BY.", "SELECT region FROM orders GROUP BY region"},
	{"SELECT GROUPING(region) FROM orders GROUP BY region", "GROUPING() is not supported yet. Run one query per grouping.", "SELECT region FROM orders GROUP BY region"},
	{"SELECT * FROM orders FETCH FIRST 2 ROWS WITH TIES", "WITH TIES cannot be specified without ORDER BY clause", "SELECT * FROM orders FETCH FIRST 2 ROWS ONLY"},
	{"SELECT * FROM orders ORDER BY id FETCH FIRST 2 ROWS WITH TIES", "FETCH FIRST … WITH TIES is not supported yet. Write ROWS ONLY.", "SELECT * FROM orders ORDER BY id FETCH FIRST 2 ROWS ONLY"},
	{"SELECT * FROM orders ORDER BY id USING <", "ORDER BY … USING is not supported yet. Write ASC or DESC.", "SELECT * FROM orders ORDER BY id ASC"},
	{"SELECT * FROM orders TABLESAMPLE SYSTEM (10)", "TABLESAMPLE is not supported yet. Filter with WHERE, or cut with LIMIT.", "SELECT * FROM orders LIMIT 10"},
	{"SELECT * FROM ONLY orders", "FROM ONLY is not supported yet. Leave ONLY out.", all},
	{"SELECT * FROM orders o, LATERAL (SELECT o.id) x", "LATERAL is not supported yet. Join a subquery that stands by itself.", "SELECT * FROM orders o, (SELECT 1) x"},
	{"SELECT * FROM orders o, LATERAL generate_series(1, 2)", "LATERAL is not supported yet. Join a subquery that stands by itself.", "SELECT * FROM orders o"},
	{"SELECT * FROM generate_series(1, 3)", "A function in FROM (generate_series) is not supported yet. Read a table.", "SELECT * FROM (VALUES (1), (2), (3)) x"},
	{"SELECT * FROM ROWS FROM (generate_series(1, 3)) WITH ORDINALITY", "A function in FROM (generate_series) is not supported yet. Read a table.", all},
	{"SELECT * FROM unnest(ARRAY[1])", "A function in FROM (unnest) is not supported yet. Read a table.", all},
	{"SELECT * FROM XMLTABLE('/a' PASSING x COLUMNS b int)", "XMLTABLE is not supported yet.", all},
	{"SELECT * FROM JSON_TABLE('{}', '$' COLUMNS (a int))", "JSON_TABLE is not supported yet.", all},
	{"SELECT * FROM orders o FULL JOIN customers c ON o.id = c.id", "FULL JOIN is not supported yet. Use LEFT JOIN, once from each side.", "SELECT * FROM orders o LEFT JOIN customers c ON o.id = c.id"},
	{"SELECT * FROM (orders o JOIN customers c ON o.id = c.id) AS j", "An alias for a whole join is not supported yet. Give each table its own.", "SELECT * FROM (orders o JOIN customers c ON o.id = c.id)"},
	{"SELECT * FROM orders JOIN customers USING (id) AS u", "An alias for USING is not supported yet. Leave it out.", "SELECT * FROM orders JOIN customers USING (id)"},
	{"WITH RECURSIVE t AS (SELECT 1) SELECT * FROM t", "WITH RECURSIVE is not supported yet.", "WITH t AS (SELECT 1) SELECT * FROM t"},
	{"SELECT (SELECT 1)", "A subquery in an expression is not supported yet. Join a subquery in FROM instead.", "SELECT (1)"},
	{"SELECT id FROM orders WHERE id IN (SELECT id FROM customers)", "A subquery in an expression is not supported yet. Join a subquery in FROM instead.", "SELECT id FROM orders WHERE id IN (1, 2)"},
	{"SELECT id FROM orders WHERE EXISTS (SELECT 1)", "A subquery in an expression is not supported yet. Join a subquery in FROM instead.", "SELECT id FROM orders WHERE true"},
	{"SELECT id FROM orders WHERE id = ANY (SELECT 1)", "A subquery in an expression is not supported yet. Join a subquery in FROM instead.", "SELECT id FROM orders WHERE id = 1"},
	{"SELECT id FROM orders WHERE id = ANY (ARRAY[1])", "ANY or ALL of an array is not supported yet. Write a list: x IN (1, 2).", "SELECT id FROM orders WHERE id IN (1)"},
	{"SELECT id FROM orders WHERE id > ALL (ARRAY[1])", "ANY or ALL of an array is not supported yet. Write a list: x IN (1, 2).", "SELECT id FROM orders WHERE id > 1"},
	{"SELECT ARRAY[1, 2]", "ARRAY is not supported yet. Write a list: x IN (1, 2).", one},
	{"SELECT ARRAY(SELECT 1)", "A subquery in an expression is not supported yet. Join a subquery in FROM instead.", one},
	{"SELECT id[1] FROM orders", "A subscript or field of a value is not supported yet.", "SELECT id FROM orders"},
	{"SELECT ROW(1, 2)", "A row of values (a, b) is not supported yet. Compare the values one by one with AND.", "SELECT 1, 2"},
	{"SELECT id FROM orders WHERE (id, qty) = (1, 2)", "A row of values (a, b) is not supported yet. Compare the values one by one with AND.", "SELECT id FROM orders WHERE id = 1 AND qty = 2"},
	{`SELECT region COLLATE "C" FROM orders`, "COLLATE is not supported yet. Text is ordered by code point.", "SELECT region FROM orders"},
	{"SELECT round(v => 1.5)", "A named argument (=>) is not supported yet. Write the arguments in their order.", "SELECT round(1.5)"},
	{"SELECT concat(VARIADIC ARRAY['a'])", "VARIADIC is not supported yet. Write the arguments one by one.", "SELECT concat('a')"},
	{"SELECT string_agg(region, ',' ORDER BY id) FROM orders", "ORDER BY inside an aggregate is not supported yet. Leave it out, or order a subquery in FROM.", "SELECT string_agg(region, ',') FROM orders"},
	{"SELECT rank(1) WITHIN GROUP (ORDER BY id) FROM orders", "rank (a window function) is not supported yet. Group with GROUP BY, or order with ORDER BY and LIMIT.", "SELECT mode() WITHIN GROUP (ORDER BY id) FROM orders"},
	{"SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY id DESC) FROM orders", "WITHIN GROUP (ORDER BY … DESC) is not supported yet. Order ascending; percentile p from above is 1 - p.", "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY id) FROM orders"},
	{"SELECT B'101'", "A bit string is not supported yet. Write a number.", "SELECT 101"},
	{"SELECT X'ff'", "A bit string is not supported yet. Write a number.", "SELECT 0xff"},
	{"SELECT DEFAULT", "DEFAULT is not supported yet. Write the value.", "SELECT NULL"},
	{"SELECT '1'::money", "The type money is not supported yet. Use bigint, double precision, numeric, text, boolean, date or timestamp.", "SELECT '1'::int"},
	{"SELECT '1'::int[]", "An array type is not supported yet.", "SELECT '1'::int"},
	{"SELECT '{}'::json", "The type json is not supported yet. Use bigint, double precision, numeric, text, boolean, date or timestamp.", "SELECT '{}'::text"},
	{"SELECT 'x'::char(3)", "The type bpchar is not supported yet. Use bigint, double precision, numeric, text, boolean, date or timestamp.", "SELECT 'x'::varchar(3)"},
	{"SELECT '12:00'::time", "The type time is not supported yet. Use bigint, double precision, numeric, text, boolean, date or timestamp.", "SELECT '2024-01-01T12:00'::timestamp"},
	{"SELECT now()::timestamp(3)", "A length of the type timestamp is not supported yet. Leave it out.", "SELECT now()::timestamp"},
	{"SELECT interval '1 day'", "INTERVAL other than beside + or - and a date is not supported yet. Use addDays, addMonths or diff.", "SELECT date '2024-01-01' + interval '1 day'"},
	{"SELECT 2 * interval '1 day'", "INTERVAL beside * is not supported yet. Use it with + and -.", "SELECT interval '2 days' + date '2024-01-01'"},
	{"SELECT interval '1 day' - day FROM orders", "INTERVAL before - is not supported yet. Write the date first.", "SELECT day - interval '1 day' FROM orders"},
	{"SELECT day + interval '1' YEAR TO MONTH FROM orders", "This field of INTERVAL is not supported yet. Write its units in the text: INTERVAL '1 day 2 hours'.", "SELECT day + interval '1' MONTH FROM orders"},
	{"SELECT now() AT TIME ZONE 'UTC'", "AT TIME ZONE is not supported yet. Dates with a zone are in UTC; add an INTERVAL.", "SELECT now()"},
	{"SELECT overlay('abc' PLACING 'x' FROM 1)", "OVERLAY in this form is not supported yet.", "SELECT substring('abc' FROM 1 FOR 2)"},
	{"SELECT 'a' LIKE pg_catalog.like_escape('a', '!') OVER ()", overWay, "SELECT 'a' LIKE pg_catalog.like_escape('a', '!')"},
	{"SELECT normalize('a', NFC)", "NORMALIZE in this form is not supported yet.", "SELECT trim(both ' ' from ' a ')"},
	{"SELECT substring('abc' SIMILAR 'a' ESCAPE '#')", "SUBSTRING with an SQL pattern is not supported yet. Use regexp_substr(s, pattern) with a regular expression.", "SELECT substring('abc' FROM 'b')"},
	{"SELECT xmlelement(name a)", "XML is not supported yet.", one},
	{"SELECT JSON_OBJECT('a': 1)", "JSON_OBJECT is not supported yet.", one},
	{"SELECT JSON_ARRAY(1)", "JSON_ARRAY is not supported yet.", one},
	{"SELECT JSON_VALUE('{}', '$.a')", "An SQL/JSON function is not supported yet.", one},
	{"SELECT '{}' IS JSON", "IS JSON is not supported yet.", "SELECT '{}' IS NULL"},
	{"SELECT 1 & 2", "The operator & is not supported yet.", "SELECT 1 % 2"},
	{"SELECT ~1", "The operator ~ before a value is not supported yet.", "SELECT -1"},
	{"SELECT |/ 4", "The operator |/ before a value is not supported yet.", "SELECT sqrt(4)"},
	{"SELECT 1 OPERATOR(pg_catalog.+) 2", "The operator OPERATOR(pg_catalog.+) is not supported yet.", "SELECT 1 + 2"},
	{"SELECT id FROM orders WHERE id == 1", "The operator == is not supported yet. Equality is written =.", "SELECT id FROM orders WHERE id = 1"},
	{"SELECT id FROM orders WHERE active && active", "The operator && is not supported yet. Write AND.", "SELECT id FROM orders WHERE active AND active"},
	{"SELECT '{}' -> 'a'", "The operator -> is not supported yet.", one},
	{"SELECT 'a' ~~ 'b'", "The operator ~~ is not supported yet.", "SELECT 'a' LIKE 'b'"},
	{"SELECT (orders).id FROM orders", "A subscript or field of a value is not supported yet.", "SELECT orders.id FROM orders"},

	// Mistakes.
	{"SELEC 1", `syntax error at or near "SELEC"`, one},
	{"SELECT * FROM orders WHERE", "syntax error at end of input", all},
	{"SELECT `id` FROM orders", `syntax error at or near "FROM"; names with other characters are written in double quotes: "unit price"`, `SELECT "id" FROM orders`},
	{"SELECT 1 ` 2", "The operator ` is not supported yet. Names are written in double quotes: \"unit price\".", `SELECT 1 AS "unit price"`},
	{"SELECT [id] FROM orders", `syntax error at or near "["; names with other characters are written in double quotes: "unit price"`, `SELECT "id" FROM orders`},
	{"SELECT order FROM orders", `syntax error at or near "FROM"; a name that is a word of SQL is written in double quotes: "order"`, `SELECT "order" FROM (SELECT 1 AS "order") t`},
	{"SELECT end FROM orders", `syntax error at or near "end"; a name that is a word of SQL is written in double quotes: "end"`, `SELECT "end" FROM (SELECT 1 AS "end") t`},
	{"SELECT id FROM table", `syntax error at or near "table"; a name that is a word of SQL is written in double quotes: "table"`, `SELECT x FROM (SELECT 1 AS x) "table"`},
	{"SELECT user FROM orders", `USER is not supported yet. A column of that name is written "user".`, `SELECT "user" FROM (SELECT 1 AS "user") t`},
	{"SELECT 1 " + strings.Repeat("+", MaxOperatorRun+1) + " 1", "The query has more than 1000 operator signs in a row.", "SELECT 1 " + strings.Repeat("+", MaxNesting/2) + " 1"},
	{"SELECT 1 " + strings.Repeat("/*", MaxOperatorRun), "The query has more than 1000 operator signs in a row.", "SELECT 1 /*" + strings.Repeat("*", MaxOperatorRun/2) + "/"},
	{`SELECT a.b FROM (SELECT id AS "a.b" FROM orders) t`, `column "a.b" has a dot in its name; write "a.b"`, `SELECT "a.b" FROM (SELECT id AS "a.b" FROM orders) t`},
	{`SELECT * FROM orders WHERE region = "qt"`, `no column "qt"; did you mean "qty"? Text is written with single quotes: 'qt'`, "SELECT * FROM orders WHERE region = 'qt'"},
	{"SELECT FROM orders", "SELECT without columns returns nothing; name some, or write *.", all},
	{"SELECT *", "SELECT * needs a FROM clause", all},
	{"SELECT x.* FROM orders", `no table "x" in FROM, which has orders`, "SELECT orders.* FROM orders"},
	{"SELECT orders.id FROM orders o", `no table "orders" in FROM, which has o`, "SELECT o.id FROM orders o"},
	{"SELECT pric FROM orders", `no column "pric"; did you mean "price"?`, "SELECT price FROM orders"},
	{"SELECT xyzzy FROM customers", `no column "xyzzy"; the columns are id, name, region`, "SELECT name FROM customers"},
	{`SELECT * FROM orders WHERE region = "EU"`, `no column "EU"; text is written with single quotes: 'EU'`, "SELECT * FROM orders WHERE region = 'EU'"},
	{"SELECT id FROM orders, customers", `column "id" is ambiguous; write orders.id or customers.id`, "SELECT orders.id FROM orders, customers"},
	{"SELECT PRICE FROM \"Odd Table\"", `column "PRICE" is ambiguous; write "Odd Table".Price or "Odd Table".price`, "SELECT Price FROM \"Odd Table\""},
	{"SELECT 1 FROM orders, orders", `FROM has two tables called "orders"; give each its own alias.`, "SELECT 1 FROM orders, orders o"},
	{"SELECT price FROM orders GROUP BY region", `column "price" must stand in GROUP BY or inside an aggregate such as min(price)`, "SELECT min(price) FROM orders GROUP BY region"},
	{"SELECT price, count(*) FROM orders", `column "price" must stand in GROUP BY or inside an aggregate such as min(price)`, "SELECT price, count(*) FROM orders GROUP BY price"},
	{"SELECT count(*) FROM orders HAVING price > 1", `column "price" must stand in GROUP BY or inside an aggregate such as min(price)`, "SELECT count(*) FROM orders HAVING max(price) > 1"},
	{"SELECT count(*) FROM orders ORDER BY price", `column "price" must stand in GROUP BY or inside an aggregate such as min(price)`, "SELECT count(*) FROM orders ORDER BY max(price)"},
	{"SELECT count(*) c FROM orders GROUP BY c", `GROUP BY names "c", which is an aggregate; group by what the rows have`, "SELECT region c FROM orders GROUP BY c"},
	{"SELECT region FROM orders GROUP BY count(*)", "count is an aggregate; it does not belong in GROUP BY", "SELECT region FROM orders GROUP BY lower(region), region"},
	{"SELECT region FROM orders GROUP BY 2", "GROUP BY position 2 is not in the select list, which has 1", "SELECT region FROM orders GROUP BY 1"},
	{"SELECT region FROM orders GROUP BY 'region'", "a constant in GROUP BY must be a position in the select list", "SELECT region FROM orders GROUP BY region"},
	{"SELECT region FROM orders ORDER BY 0", "ORDER BY position 0 is not in the select list, which has 1", "SELECT region FROM orders ORDER BY 1"},
	{"SELECT id AS x, qty AS x FROM orders ORDER BY x", `ORDER BY "x" is ambiguous in the select list`, "SELECT id AS x, id AS x FROM orders ORDER BY x"},
	{"SELECT DISTINCT region FROM orders ORDER BY price", "with SELECT DISTINCT, ORDER BY must name columns of the select list", "SELECT DISTINCT region, price FROM orders ORDER BY price"},
	{"SELECT DISTINCT note FROM orders", `SELECT DISTINCT compares its columns, but "note" is free text (loaded with types 'string').`, "SELECT note FROM orders"},
	{"SELECT count(*) FROM orders GROUP BY note", `"note" is free text (loaded with types 'string') and can only be selected`, "SELECT note FROM orders ORDER BY id"},
	{"SELECT id FROM orders WHERE note = 'a'", "'note' is free text (loaded with types 'string') and cannot be used in an expression", "SELECT note FROM orders WHERE id = 1"},
	{"SELECT id FROM orders WHERE sum(price) > 1", "sum is an aggregate; it belongs in HAVING, not in WHERE", "SELECT region FROM orders GROUP BY region HAVING sum(price) > 1"},
	{"SELECT o.id FROM orders o JOIN customers c ON count(*) = 1", "count is an aggregate; it does not belong in ON", "SELECT o.id FROM orders o JOIN customers c ON o.id = 1"},
	{"SELECT max(sum(price)) FROM orders", "sum is an aggregate; it cannot stand inside the aggregate max", "SELECT max(price), sum(price) FROM orders"},
	{"SELECT sum(*) FROM orders", "sum(*) counts nothing; only count takes *", "SELECT count(*) FROM orders"},
	{"SELECT count() FROM orders", "count needs * or a value: count(*)", "SELECT count(id) FROM orders"},
	{"SELECT lower(DISTINCT region) FROM orders", "lower is no aggregate; *, DISTINCT, FILTER and ORDER BY belong inside one", "SELECT min(DISTINCT region) FROM orders"},
	{"SELECT id FROM orders WHERE price", "WHERE: number 'price' is not a condition; write price <> 0", "SELECT id FROM orders WHERE price <> 0"},
	{"SELECT id FROM orders LIMIT -1", "LIMIT takes a whole number that is not negative", "SELECT id FROM orders LIMIT 0"},
	{"SELECT id FROM orders LIMIT 1.5", "LIMIT takes a whole number that is not negative", "SELECT id FROM orders LIMIT 1 + 1"},
	{"SELECT id FROM orders LIMIT id", `no column "id"`, "SELECT id FROM orders LIMIT ALL"},
	{"SELECT id FROM orders OFFSET 'x'", "OFFSET takes a whole number that is not negative", "SELECT id FROM orders OFFSET 2"},
	{"SELECT date '2024-13-01'", "'2024-13-01' is not a date; write '2024-03-31', '2024-03-31T12:30:00', or '2024-03' or '2024' for a whole month or year", "SELECT date '2024-12-01'"},
	{"SELECT 2147483648::int", "2147483648 does not fit the type integer", "SELECT 2147483647::int"},
	{"SELECT '99999999999'::int", "'99999999999' does not fit the type integer", "SELECT '99999999999'::bigint"},
	{"SELECT (-32769)::smallint", "-32769 does not fit the type smallint", "SELECT (-32768)::smallint"},
	{"SELECT CAST(1e300 AS bigint)", "1e+300 does not fit the type bigint", "SELECT CAST(1e300 AS numeric)"},
	{"SELECT 12345::numeric(3,1)", "12345 does not fit the type numeric(3, 1)", "SELECT 12::numeric(3,1)"},
	{"SELECT 'abc'::int", "'abc' is not a number", "SELECT '12'::int"},
	{"SELECT 'maybe'::bool", "'maybe' is neither true nor false", "SELECT 'true'::bool"},
	{"SELECT day + interval '1 moon' FROM orders", "'1 moon' is not an interval; write e.g. INTERVAL '1 month' or INTERVAL '2 days 3 hours'", "SELECT day + interval '1 mon' FROM orders"},
	{"SELECT 1::numeric(50)", "numeric takes a precision from 1 to 38 and a scale from 0 to the precision", "SELECT 1::numeric(5)"},
	{"SELECT round(1, 2, 3)", "round takes 1 or 2 arguments, not 3", "SELECT round(1, 2)"},
	{"SELECT region + 1 FROM orders", "cannot add category 'region' and number 1; concat(region, 1) joins them as text", "SELECT qty + 1 FROM orders"},
	{"SELECT id AS x FROM orders WHERE x = 1", `no column "x"; it is a name of the select list, which WHERE does not see: repeat its expression`, "SELECT id AS x FROM orders WHERE id = 1"},
	{"SELECT region, sum(qty) s FROM orders GROUP BY region HAVING s > 1", `no column "s"; it is a name of the select list, which HAVING does not see: repeat its expression`, "SELECT region, sum(qty) s FROM orders GROUP BY region HAVING sum(qty) > 1 ORDER BY s"},
	{"VALUES (1), (2, 3)", "The lists of VALUES must have equal lengths; the first has 1, another 2.", "VALUES (1, 2), (2, 3)"},
	{"VALUES (1), ('a')", "column 1 of VALUES mixes number 1 with text 'a'; all its values must be of one kind.", "VALUES (1), (2.5)"},
	{"VALUES (id)", `no column "id"`, "VALUES (1)"},
	{"WITH x AS (SELECT 1), x AS (SELECT 2) SELECT * FROM x", `WITH names "x" twice`, "WITH x AS (SELECT 1), y AS (SELECT 2) SELECT * FROM x"},
	{"WITH x AS (SELECT pric FROM orders) SELECT 1", `no column "pric"; did you mean "price"?`, "WITH x AS (SELECT price FROM orders) SELECT 1"},
	{"SELECT * FROM (SELECT 1) AS x(a, b)", `"x" has 1 columns, but 2 names are given for them.`, "SELECT * FROM (SELECT 1) AS x(a)"},
	{"SELECT * FROM orders JOIN customers USING (price)", `no column "price"; the columns are id, name, region`, "SELECT * FROM orders JOIN customers USING (region)"},
	{"SELECT count(*) * 1 AS * FROM orders", `syntax error at or near "*"`, "SELECT count(*) * 1 AS n FROM orders"},
	{"SELECT lower(*) FROM orders", "lower is no aggregate; *, DISTINCT, FILTER and ORDER BY belong inside one", "SELECT lower(region) FROM orders"},
}

// What a message about a statement says is written as SQL has it.
func TestPlan_MessagesAreSQL(t *testing.T) {
	for statement, want := range map[string]string{
		"SELECT sum(min(region) + 1) FROM orders":                                    "min is an aggregate; it cannot stand inside the aggregate sum",
		"SELECT min(region) + 1 FROM orders":                                         "cannot add category min(region) and number 1; concat(min(region), 1) joins them as text",
		"SELECT sqrt(min(region)) FROM orders":                                       "sqrt needs a number, not category min(region); toNumber(min(region)) reads text as a number",
		"SELECT avg(region) FROM orders":                                             "avg needs a number, not category 'region'; toNumber(region) reads text as a number",
		"SELECT lower(count(DISTINCT id)) FROM orders":                               "lower needs text, not number count(DISTINCT id); toText(count(DISTINCT id)) writes it as text",
		"SELECT lower(max(qty) FILTER (WHERE id IS DISTINCT FROM qty)) FROM orders":  "lower needs text, not number max(qty) FILTER (WHERE id IS DISTINCT FROM qty); toText(max(qty) FILTER (WHERE id IS DISTINCT FROM qty)) writes it as text",
		`SELECT lower("unit price") FROM "Odd Table"`:                                `lower needs text, not number 'unit price'; toText("unit price") writes it as text`,
		`SELECT lower("select") FROM "Odd Table"`:                                    `lower needs text, not number 'select'; toText("select") writes it as text`,
		"SELECT sum(qty > 1 AND region = 'EU') FROM orders":                          "sum needs a number, not condition (qty > 1) AND (region = 'EU'); count(*) FILTER (WHERE (qty > 1) AND (region = 'EU')) counts the rows where it holds",
		"SELECT (id = 1) * 2 FROM orders":                                            "cannot multiply condition id = 1 by number 2; CASE WHEN id = 1 THEN 1 ELSE 0 END makes a number of a condition",
		"SELECT least(region, qty) FROM orders":                                      "least mixes category 'region' with number 'qty'; all its values must be of one kind",
		"SELECT var_pop(region) FROM orders":                                         "var_pop needs a number, not category 'region'; toNumber(region) reads text as a number",
		"SELECT date_trunc('month', day) * 2 FROM orders":                            "cannot multiply date date_trunc('month', day) by number 2",
		"SELECT sqrt(CASE WHEN NOT active THEN region ELSE 'it''s' END) FROM orders": "sqrt needs a number, not text CASE WHEN NOT active THEN region ELSE 'it''s' END; toNumber(CASE WHEN NOT active THEN region ELSE 'it''s' END) reads text as a number",
	} {
		_, err := Plan(statement, lookup, env)
		if err == nil {
			t.Errorf("%s is accepted", statement)
			continue
		}
		if got, _, _ := strings.Cut(err.Error(), "\n"); got != want {
			t.Errorf("%s\n got %s\nwant %s", statement, got, want)
		}
	}
}

func TestPlan_Refused(t *testing.T) {
	for _, tt := range refusals {
		t.Run(tt.refused, func(t *testing.T) {
			_, err := Plan(tt.refused, lookup, env)
			if err == nil {
				t.Fatal("accepted")
			}
			if got, _, _ := strings.Cut(err.Error(), "\n"); got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
			if _, err := Plan(tt.accepted, lookup, env); err != nil {
				t.Errorf("the twin %q is refused as well: %v", tt.accepted, err)
			}
		})
	}
	if n := len(refusals); n < 120 {
		t.Errorf("%d refusals, want at least 120", n)
	}
}

// The limits on size, each with a text within and one beyond. Without them the
// parser would overflow the C stack.
func TestPlan_Limits(t *testing.T) {
	chain := func(head, link string, n int) string { return head + strings.Repeat(link, n) }
	nest := func(open, x, close string, n int) string {
		return "SELECT " + strings.Repeat(open, n) + x + strings.Repeat(close, n)
	}
	tooMany := "The query has more than 4000 words and signs; put long lists of values in a table."
	tests := []struct{ name, within, beyond, want string }{
		{"bytes", "SELECT '" + strings.Repeat("x", MaxBytes-9) + "'", "SELECT '" + strings.Repeat("x", MaxBytes-8) + "'", "The query has 257 KiB; the most is 256 KiB."},
		{"plus", chain("SELECT 1", "+1", 1900), chain("SELECT 1", "+1", 5000), tooMany},
		{"plus, as long as can be", chain("SELECT 1", "+1", 1900), chain("SELECT 1", "+1", 131_000), tooMany},
		{"and", chain("SELECT true", " AND true", 1900), chain("SELECT true", " AND true", 5000), tooMany},
		{"not", chain("SELECT ", "NOT ", 150) + "true", chain("SELECT ", "NOT ", 5000) + "true", tooMany},
		{"brackets", nest("(", "1", ")", 200), nest("(", "1", ")", 201), "The query is nested more than 200 deep."},
		{"brackets, 5,000", nest("(", "1", ")", 200), nest("(", "1", ")", 5000), "The query is nested more than 200 deep."},
		{"calls", nest("abs(", "1", ")", 200), nest("abs(", "1", ")", 201), "The query is nested more than 200 deep."},
		{"case", nest("CASE WHEN true THEN ", "1", " END", 200), nest("CASE WHEN true THEN ", "1", " END", 201), "The query is nested more than 200 deep."},
		{"END as a name closes nothing", chain("SELECT 1", " AS end, 1", 150) + "+ (1)", "SELECT " + strings.Repeat("(SELECT 1 AS end, ", 300) + "1" + strings.Repeat(")", 300), "The query is nested more than 200 deep."},
		{"subqueries", chain("SELECT * FROM ", "(SELECT * FROM ", 60) + "orders" + strings.Repeat(") x", 60),
			chain("SELECT * FROM ", "(SELECT * FROM ", 70) + "orders" + strings.Repeat(") x", 70),
			"The query reads more than 64 tables and subqueries, counting each WITH query as often as it is named."},
		{"joins", chain("SELECT 1 FROM (VALUES (1)) a", "", 0), chain("SELECT 1 FROM orders a", " CROSS JOIN orders", 5000), tooMany},
		{"list", "SELECT 1 IN (1" + strings.Repeat(",1", 20_000) + ")", "SELECT 1 IN (1" + strings.Repeat(",-1", 5000) + ")", tooMany},
		{"WITH that doubles", with(5), with(8), "The query reads more than 64 tables and subqueries, counting each WITH query as often as it is named."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Plan(tt.within, lookup, env); err != nil {
				t.Errorf("within: %.300v", err)
			}
			_, err := Plan(tt.beyond, lookup, env)
			if err == nil {
				t.Fatal("beyond: accepted")
			}
			if got, _, _ := strings.Cut(err.Error(), "\n"); got != tt.want {
				t.Errorf("beyond:\n got %.300s\nwant %s", got, tt.want)
			}
		})
	}
}

// with returns a query of n steps, each of which reads the one before twice.
func with(n int) string {
	s := "WITH t0 AS (SELECT 1 x)"
	for i := 1; i <= n; i++ {
		a, b := "t"+string(rune('0'+i-1)), "t"+string(rune('0'+i))
		s += ", " + b + " AS (SELECT p.x FROM " + a + " p, " + a + " q)"
	}
	return s + " SELECT count(*) FROM t" + string(rune('0'+n))
}

// The form of a message with a place: the line and a caret, positions counted in
// characters.
func TestPlan_Caret(t *testing.T) {
	_, err := Plan("SELECT 'é', id\nFROM orders\nWHERE pric > 'ü'", lookup, env)
	want := "no column \"pric\"; did you mean \"price\"?\n  WHERE pric > 'ü'\n        ^"
	var e *Error
	if !errors.As(err, &e) || err.Error() != want || e.Pos != 34 || e.Candidates[0] != "price" {
		t.Errorf("got %v at %d\nwant %s", err, e.Pos, want)
	}
	_, err = Plan("SELECT 'é' FORM orders", lookup, env)
	want = "syntax error at or near \"orders\"\n  SELECT 'é' FORM orders\n                  ^"
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

// A statement of the greatest size is judged at once, however it is built: the
// parser is C, which no deadline stops. Where its work grows with the square of
// the length, this test does not end before its time limit.
func TestPlan_LongRuns(t *testing.T) {
	for _, unit := range []string{"+", "-", "*+", "@", "/*", "*", "!", "/* ", "--\n", "1.", "a.", "$", "$a$", "(", "::int", "[1]", ";"} {
		text := "SELECT " + strings.Repeat(unit, (MaxBytes-100)/len(unit))
		if n, err := Plan(text, lookup, env); err == nil {
			t.Errorf("%q repeated is planned as %v", unit, n)
		}
	}
}

// Columns without a name of their own may be many.
func TestDistinctNames(t *testing.T) {
	got := distinctNames([]string{"a", "a_1", "a", "b", "a", "a_1", "b"})
	want := []string{"a", "a_1", "a_2", "b", "a_3", "a_1_1", "b_1"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	many := distinctNames(slices.Repeat([]string{"x"}, 200_000))
	if last := many[len(many)-1]; last != "x_199999" {
		t.Errorf("the last is %q", last)
	}
}

func FuzzPlan(f *testing.F) {
	for _, r := range refusals {
		f.Add(r.refused)
		f.Add(r.accepted)
	}
	for _, a := range accepted {
		f.Add(a.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := Plan(text, lookup, env)
		if (n == nil) == (err == nil) {
			t.Fatalf("Plan(%q) = %v, %v", text, n, err)
		}
		if err != nil && err.Error() == "" {
			t.Fatalf("Plan(%q) is refused without a word", text)
		}
		if n != nil && !huge(n) {
			run(t, n)
		}
	})
}

// huge reports whether a plan pairs too many rows to run it again and again.
func huge(n plan.Node) bool {
	switch n := n.(type) {
	case *plan.Join:
		return mostRows(n) > 10_000 || huge(n.Left) || huge(n.Right)
	case *plan.Filter:
		return huge(n.In)
	case *plan.Project:
		return huge(n.In)
	case *plan.Aggregate:
		return huge(n.In)
	case *plan.Distinct:
		return huge(n.In)
	case *plan.Sort:
		return huge(n.In)
	case *plan.Limit:
		return huge(n.In)
	}
	return false
}
