SELECT 1
----
SELECT a 'alias in a string' FROM t
----
SELECT count(*), count(DISTINCT a), group_concat(b, ', '), group_concat(DISTINCT c), total(d) FROM t GROUP BY a HAVING count(*) > 1 ORDER BY 1 DESC NULLS LAST LIMIT 10 OFFSET 5
----
SELECT sum(x) FILTER (WHERE y > 0) OVER (PARTITION BY z ORDER BY w ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW EXCLUDE TIES) FROM t
----
SELECT row_number() OVER win, lag(a, 1, 0) OVER (win ROWS 2 PRECEDING) FROM t WINDOW win AS (PARTITION BY b ORDER BY c RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING)
----
WITH RECURSIVE cnt(x) AS (VALUES(1) UNION ALL SELECT x+1 FROM cnt WHERE x < 1000000) SELECT x FROM cnt
----
WITH a AS MATERIALIZED (SELECT 1 AS x), b AS NOT MATERIALIZED (SELECT 2 AS y) SELECT * FROM a, b
----
SELECT * FROM a LEFT OUTER JOIN b USING (id) NATURAL JOIN c CROSS JOIN d, e INNER JOIN f ON e.x = f.x
----
SELECT * FROM (a JOIN b ON a.id = b.id) AS j WHERE j.id IN (SELECT id FROM c UNION SELECT id FROM d EXCEPT SELECT 3)
----
SELECT j.value, j.key FROM t, json_each(t.doc, '$.items') AS j WHERE t.doc -> '$.a' = 1 AND t.doc ->> '$.b' = 'x'
----
SELECT CASE a WHEN 1 THEN 'one' WHEN 2 THEN 'two' ELSE 'many' END, CASE WHEN a > 1 THEN b END FROM t
----
SELECT EXISTS (SELECT 1 FROM t), NOT EXISTS (SELECT 1), (SELECT max(a) FROM t), -a, +b, ~c, a || b || 'x' FROM t
----
SELECT rowid, oid, _rowid_, t.rowid FROM t
----
VALUES (1, 'a'), (2, 'b')
----
SELECT * FROM pragma_table_info('t') AS p WHERE p.pk > 0
----
SELECT * FROM generate_series(1, 10, 2)
----
INSERT INTO t (a, b) VALUES (1, 'x'), (2, DEFAULT)
----
INSERT INTO t DEFAULT VALUES
----
INSERT INTO t(a) VALUES(1) ON CONFLICT(a) WHERE a > 0 DO NOTHING
----
WITH x AS (SELECT 1 AS a) INSERT INTO t SELECT a FROM x
----
UPDATE t SET a = 1, (b, c) = (SELECT 2, 3) WHERE id = 5
----
DELETE FROM t WHERE a < 10 RETURNING id
----
CREATE TEMP TABLE x AS SELECT a, b FROM t WHERE a > 1
----
CREATE TEMPORARY VIEW v AS WITH q AS (SELECT 1) SELECT * FROM q
----
CREATE INDEX i ON t (json_extract(doc, '$.a'))
----
DROP TABLE IF EXISTS main.t
----
DROP INDEX idx
----
DROP VIEW v
----
ALTER TABLE t RENAME TO u
----
ALTER TABLE t RENAME COLUMN a TO b
----
ALTER TABLE t ADD COLUMN c INTEGER NOT NULL DEFAULT 0
----
ALTER TABLE t ADD c TEXT REFERENCES u(id)
----
ALTER TABLE t DROP COLUMN c
----
BEGIN
----
COMMIT
----
ROLLBACK TO SAVEPOINT sp
----
SAVEPOINT sp
----
RELEASE sp
----
ANALYZE main.t
----
EXPLAIN SELECT 1
----
SELECT 1 -- comment at the end
----
SELECT * FROM a, (SELECT 1 AS x) b, c AS d ORDER BY x, 2 ASC
----
SELECT DISTINCT a, b FROM t GROUP BY 1, 2
----
SELECT ALL a FROM t
----
SELECT a FROM t1 UNION ALL SELECT b FROM t2 INTERSECT SELECT c FROM t3 ORDER BY 1 LIMIT 1
----
SELECT a FROM t WHERE b BETWEEN 1 AND 10 AND c NOT BETWEEN x AND y + 1 OR d
----
SELECT a -> 'b' ->> 'c' FROM t
----
SELECT max(a, b), min(1, 2), coalesce(a, b, 0), nullif(a, ''), ifnull(a, 0) FROM t
----
SELECT a FROM t WHERE a = 'it''s' AND b = "ident" AND c = ''
----
SELECT first_value(a) OVER (ORDER BY b), ntile(4) OVER (ORDER BY c DESC) AS quartile FROM t
----
SELECT t.*, u.x FROM t JOIN u ON t.id = u.id AND u.y = 1 LEFT JOIN v ON v.id = u.id WHERE v.id IS NULL
----
SELECT unixepoch() - 3600, current_timestamp, CURRENT_DATE, current_time
----
select "a"."b"."c", a.b.c from a.b
----
SELECT a FROM t1 RIGHT JOIN t2 ON t1.a = t2.b FULL OUTER JOIN t3 ON t3.c = t2.c
----
SELECT 1 WHERE NOT a AND NOT (b OR c) AND -1 < +2
----
SELECT 5 % 3, 5 & 3, 5 | 3, 5 << 1, 5 >> 1, a == b, a != b, a <> b FROM t
----
SELECT quantile_cont(x, 0.5), arg_max(a, b), first(a ORDER BY b), any_value(c) FROM t GROUP BY GROUPING SETS ((a), (b, c), ()), ROLLUP (d), CUBE (e, f)
----
SELECT DISTINCT ON (a) a, b FROM t ORDER BY a, b DESC
----
SELECT data -> '$.a', data ->> '$.b', data->'a'->>'b', json_extract(data, '$.x') FROM t
----
SELECT 7 // 2, 2 ** 3, 2 ^ 3, a ^@ 'x', a ~ 're', a !~ 're', a SIMILAR TO 'x.*', a ILIKE '%b%', !true, @ -5
FROM t
----
SELECT t, t.*, struct_pack(a := 1, b := 2), row(1, 2), (1, 2), struct_extract(t, 'a') FROM t
----
SELECT * FROM db.schema.t AS x(a, b), LATERAL (SELECT x.a + 1 AS y) l
----
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) v(id, name)
----
VALUES (1, 2), (3, 4)
----
SELECT $$dollar 'quoted'$$, $tag$ body $tag$, E'esc\n\'x', 'it''s', 'two'
'lines'
----
INSERT INTO t VALUES (1) ON CONFLICT DO NOTHING
----
INSERT INTO t SELECT * FROM u ON CONFLICT (id) DO UPDATE SET v = EXCLUDED.v WHERE t.v < 3 RETURNING *
----
UPDATE t SET a = u.a FROM u WHERE t.id = u.id
----
DELETE FROM t USING u WHERE t.id = u.id RETURNING t.id
----
MERGE INTO t USING s ON t.id = s.id WHEN MATCHED AND s.del THEN DELETE WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED BY SOURCE THEN DELETE WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, s.v) RETURNING *
----
CREATE TABLE t2 AS SELECT * FROM t WITH NO DATA
----
CREATE TABLE t3 (a, b) AS SELECT 1, 2
----
CREATE OR REPLACE VIEW v AS SELECT * FROM t
----
CREATE TYPE mood AS ENUM ('happy', 'sad')
----
CREATE SEQUENCE seq START 1 INCREMENT BY 2 NO CYCLE
----
CREATE UNIQUE INDEX idx ON t (a, (b + 1))
----
CREATE INDEX hnsw_idx ON items USING HNSW (vec) WITH (metric = 'cosine')
----
CREATE SCHEMA IF NOT EXISTS s
----
COPY t TO 'out.parquet' (FORMAT parquet, COMPRESSION zstd)
----
COPY (SELECT a FROM t WHERE b > 1) TO 'out.csv' WITH (HEADER, DELIMITER '|')
----
COPY t (a, b) FROM 'in.csv' (AUTO_DETECT true)
----
SET memory_limit = '10GB'
----
SHOW TABLES
----
EXPLAIN ANALYZE SELECT * FROM t
----
CALL pragma_version()
----
CHECKPOINT
----
ALTER TABLE t ADD COLUMN IF NOT EXISTS k INTEGER DEFAULT 10
----
ALTER TABLE t ALTER a SET DATA TYPE VARCHAR USING concat(a, '_')
----
ALTER TABLE t RENAME a TO b
----
DROP TABLE t CASCADE
----
PREPARE q AS SELECT * FROM t WHERE a = $1
----
EXECUTE q(5)
----
SELECT a FROM t ORDER BY a NULLS FIRST, b COLLATE NOCASE DESC OFFSET 5
----
SELECT * FROM t1, t2 WHERE t1.a = t2.b AND t1.c IS NOT DISTINCT FROM t2.c
----
SELECT struct.field.sub, (struct).field, (struct).*, unnest(struct) FROM t
----
SELECT a FROM t LIMIT (SELECT count(*) / 2 FROM t)
----
SELECT getvariable('x'), getenv('HOME'), typeof(a), current_date, now(), today() FROM t
----
SELECT /*+ hint */ a --c
FROM t /* nested /* comment */ end */
----
SELECT try(a / b), a IS NOT NULL, NOT a IN (1), NOT EXISTS (SELECT 1), a BETWEEN SYMMETRIC 5 AND 1 FROM t
----
CREATE TABLE t (a DECIMAL(18,3) CHECK (a > 0) NOT NULL, b TEXT COLLATE NOCASE, c BIT, d BLOB DEFAULT '\x00'::BLOB, e UUID DEFAULT gen_random_uuid(), f INTERVAL)
----
SELECT * FROM t, LATERAL FLATTEN(INPUT => PARSE_JSON(t.doc), PATH => 'a.b', OUTER => TRUE, RECURSIVE => FALSE, MODE => 'OBJECT') AS f(seq, key, path, index, value, this)
----
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS v (id, name)
----
WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT * FROM r
----
WITH a (x) AS (SELECT 1), b AS (SELECT x FROM a) SELECT * FROM b, a
----
SELECT a, b, sum(c) FROM t GROUP BY GROUPING SETS ((a), (b), ()), CUBE (a, b)
----
SELECT "MixedCase", lower("x") FROM "Db"."Schema"."Table" "al"
----
SELECT CASE WHEN a THEN 1 ELSE 0 END::int, (a + b)::varchar, -a::int, NOT a::boolean FROM t
----
SELECT a FROM t LIMIT 10 OFFSET 5
----
SELECT a FROM t ORDER BY a FETCH FIRST 10 ROWS ONLY
----
SELECT DISTINCT a, COUNT(DISTINCT b, c), COUNT(*), MAX(a) AS "max a", COUNT_IF(x > 1) FROM t
----
INSERT INTO t (a, b) VALUES (1, PARSE_JSON('{}')), (2, DEFAULT)
----
UPDATE t SET a = s.a, b = DEFAULT FROM s WHERE t.id = s.id
----
DELETE FROM t USING s, u WHERE t.id = s.id AND s.k = u.k
----
MERGE INTO t AS x USING (SELECT * FROM s) AS y ON x.id = y.id WHEN MATCHED AND y.del = 1 THEN DELETE WHEN MATCHED THEN UPDATE SET x.v = y.v, v2 = y.v2 WHEN NOT MATCHED THEN INSERT (id, v) VALUES (y.id, y.v)
----
CREATE OR REPLACE FUNCTION f(a NUMBER, b VARCHAR) RETURNS NUMBER LANGUAGE SQL AS $$ a + 1 $$
----
CREATE FUNCTION g(x INT) RETURNS TABLE (a INT, b VARCHAR) AS 'select 1, 2'
----
DROP TABLE t RESTRICT
----
CALL p(1, 'x')
----
SELECT SYSTEM$TYPEOF(a), SNOWFLAKE.CORTEX.COMPLETE('m', b), METADATA$FILENAME FROM t
----
SELECT interval '1 day', dateadd('day', 1, a), a + INTERVAL '2 hours, 3 minutes', '2020-01-01'::date - 1, timestamp '2020-01-01', date '2020-01-01' FROM t
----
SELECT ANY_VALUE(a), MODE(b), GROUPING(a, b), GROUPING_ID(a), HASH(*), HASH(t.*), COUNT(t.*) FROM t GROUP BY ROLLUP (a, b)
----
SELECT e.name, p.value.string_value FROM t AS e, e.params AS p WHERE p.key = 'x'
----
SELECT IF(a, 1, 2), IFNULL(a, 0), COALESCE(a, b), NULLIF(a, 0), CASE WHEN a THEN 1 END, a IS NULL, a IS NOT TRUE, a IS DISTINCT FROM b, a <> b, a != b, a || b, a << 1, ~a, NOT a FROM t
----
SELECT a FROM t1 UNION ALL SELECT a FROM t2 UNION DISTINCT SELECT a FROM t3
----
(SELECT a FROM t1 EXCEPT DISTINCT SELECT a FROM t2) INTERSECT DISTINCT (SELECT a FROM t3)
----
WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 3), x AS (SELECT * FROM r) SELECT * FROM x
----
SELECT t.struct.field.sub, t.arr[0].f, (t.s).x, a.b.c.d.e FROM t
----
SELECT JSON_VALUE(j, '$.a'), j.a.b[0], j['k'], TO_JSON_STRING(t), STRING(j.x), LAX_STRING(j.y) FROM t
----
SELECT ARRAY_TRANSFORM(arr, e -> e + 1), ARRAY_FILTER(arr, (e, i) -> e > i) FROM t
----
INSERT INTO ds.t (a, b) VALUES (1, 'x'), (2, DEFAULT)
----
UPDATE ds.t SET a = 1, b.c = 2 WHERE TRUE
----
UPDATE ds.t AS x SET x.a = y.a FROM u AS y WHERE x.id = y.id
----
DELETE FROM ds.t WHERE a < 1
----
TRUNCATE TABLE ds.t
----
CREATE TEMP TABLE x AS SELECT 1 AS a
----
ALTER TABLE ds.t ALTER COLUMN a SET DATA TYPE NUMERIC
----
DROP TABLE IF EXISTS ds.t
----
DROP SCHEMA ds CASCADE
----
CALL ds.p(1, y)
----
BEGIN TRANSACTION
----
SELECT COUNT(DISTINCT a) AS distinct_a, 1 AS offset, 2 AS date, 3 AS language FROM t ORDER BY 1 ASC NULLS LAST
----
SELECT x FROM UNNEST(GENERATE_ARRAY(1, 10)) AS x WHERE MOD(x, 2) = 0
----
SELECT * FROM t JOIN u USING (id, d) INNER JOIN v ON t.a = v.a AND v.b IS NOT NULL LEFT OUTER JOIN w ON TRUE
----
SELECT a, b FROM s.t AS x WHERE x.a = 1 AND x.b <> 'y' ORDER BY a FETCH FIRST 10 ROWS ONLY
----
SELECT seq.NEXTVAL, SYSDATE, a FROM DUAL
----
SELECT 'C:\' AS path FROM t
----
SELECT CAST(a AS DECIMAL(10, 2)), CAST(b AS CHARACTER VARYING(10)), CAST(c AS TIMESTAMP WITH TIME ZONE), CAST(d AS DOUBLE PRECISION), CAST(e AS NATIONAL CHARACTER VARYING(5)), CAST(f AS INTERVAL DAY TO SECOND) FROM t
----
SELECT DATE '2020-01-01', TIME '12:00', TIMESTAMP '2020-01-01 12:00', INTERVAL '1' DAY, INTERVAL '1-2' YEAR TO MONTH, INTERVAL '4 5:12' DAY TO MINUTE FROM t
----
SELECT a FROM t WHERE (a, b) OVERLAPS (c, d) AND x IS NOT DISTINCT FROM y AND z SIMILAR TO 'a%' AND w IS NOT UNKNOWN
----
SELECT GROUPING(a), SUM(b) FROM t GROUP BY GROUPING SETS ((a, b), ROLLUP (c), ())
----
SELECT XMLELEMENT(NAME foo, a, b), JSON_OBJECT('k' VALUE v ABSENT ON NULL), JSON_ARRAYAGG(a ORDER BY b NULL ON NULL RETURNING CLOB) FROM t
----
SELECT a FROM t ORDER BY a OFFSET 10 ROWS FETCH NEXT 5 ROWS ONLY
----
UPDATE t SET a = 1 WHERE CURRENT OF cur
----
DELETE FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.id = t.id)
----
CREATE TABLE a.b AS SELECT 1 AS x
----
CREATE OR REPLACE VIEW v (a, b) AS SELECT 1, 2 WITH CHECK OPTION
----
CREATE FUNCTION f(a INT, b VARCHAR(10)) RETURNS INT RETURN a + 1
----
GRANT SELECT ON t TO u WITH GRANT OPTION
----
COMMENT ON TABLE t IS 'it''s a table'
----
COMMENT ON COLUMN s.t.a IS NULL
----
ALTER TABLE t ADD CONSTRAINT c CHECK (a > 0), DROP CONSTRAINT d, ALTER COLUMN e SET DEFAULT 5, ADD f INT
----
TRUNCATE TABLE a, b CASCADE
----
SELECT a.* , b.c FROM (a CROSS JOIN b) INNER JOIN (c LEFT JOIN d ON c.x = d.x) ON a.i = c.i
----
SELECT * FROM a JOIN b JOIN c ON b.x = c.x ON a.y = b.y
----
SELECT CASE WHEN a IS NULL THEN 'n' WHEN a IN (1, 2) THEN 'x' ELSE CASE b WHEN 1 THEN 'q' END END AS z FROM t
----
WITH t (a) AS (VALUES (1), (2)) SELECT a FROM t
----
VALUES (1, 'a'), (2, 'b') ORDER BY 1 LIMIT 1
----
TABLE t
----
----
SELECT a, t.b AS x, s.t.c y, t.*, * FROM s.t
----
SELECT "A b"."c""d" AS "É", U&"d\0061t\+000061" FROM "A b"
----
SELECT U&"d!0061ta" UESCAPE '!'
----
SELECT a /* x */ . -- y
 b FROM t
----
SELECT t.select, 1 AS from, a name FROM t
----
SELECT FROM t
----
SELECT DISTINCT a FROM t
----
SELECT DISTINCT ON (a, (b)) c FROM t
----
((SELECT ((a)) AS x, (a + b) * c FROM t))
----
SELECT 1 ; -- end
----
SELECT 1 FROM a, b AS x, c y (p, q)
----
SELECT 1 FROM ONLY a x, ONLY (b) y, c * z
----
SELECT 1 FROM a JOIN b ON a.x = b.x LEFT OUTER JOIN c USING (y, z) AS u NATURAL FULL JOIN d CROSS JOIN e
----
SELECT 1 FROM a RIGHT JOIN (b JOIN c ON true) ON a.x = b.x
----
SELECT j.x FROM (a JOIN b USING (id)) AS j (x, y)
----
SELECT 1 FROM (((a JOIN b ON true)) JOIN c ON false)
----
SELECT 1 FROM (SELECT a FROM t) AS d (x), LATERAL (SELECT d.x) l, ((VALUES (1, 2))) v
----
SELECT 1 FROM ((SELECT 1) a JOIN (SELECT 2) b ON true)
----
SELECT 1 FROM (SELECT 2) JOIN ((SELECT 3) UNION SELECT 4) ON true
----
SELECT 1 FROM generate_series(1, 2) WITH ORDINALITY AS g (n, i), LATERAL unnest(g.n) u
----
SELECT 1 FROM f(1) AS t (a int, "B" numeric(10, 2)), g() AS (x text)
----
SELECT 1 FROM ROWS FROM (f(1), g(2)) WITH ORDINALITY AS r (a, b, n)
----
SELECT 1 FROM t AS x TABLESAMPLE system (10) REPEATABLE (1) WHERE x.a = 1
----
SELECT a, count(*) FROM t WHERE (b > 1) GROUP BY a HAVING count(*) > 2
----
SELECT 1 FROM t GROUP BY DISTINCT a, ROLLUP (b, (c, d)), CUBE (e), GROUPING SETS ((f), (), (g, h))
----
SELECT a FROM t ORDER BY a DESC NULLS LAST, b USING <, (c) ASC
----
SELECT a FROM t LIMIT 10 OFFSET $1
----
SELECT a FROM t ORDER BY a OFFSET 5 ROWS FETCH NEXT (x + 1) ROWS WITH TIES
----
SELECT a FROM t FETCH FIRST ROW ONLY
----
SELECT a FROM t LIMIT ALL
----
SELECT a FROM t, u FOR UPDATE OF t, u NOWAIT FOR KEY SHARE SKIP LOCKED
----
SELECT a FROM t FOR NO KEY UPDATE LIMIT 1
----
SELECT a INTO TEMP TABLE s.n FROM t
----
SELECT sum(a) OVER w, rank() OVER (w ORDER BY b), lag(a) OVER (PARTITION BY c, d ORDER BY e DESC ROWS BETWEEN 1 PRECEDING AND x FOLLOWING) FROM t WINDOW w AS (PARTITION BY f), v AS (w)
----
SELECT 1 UNION ALL SELECT 2 INTERSECT SELECT 3 EXCEPT DISTINCT SELECT 4 ORDER BY 1 LIMIT 1
----
(SELECT 1 ORDER BY 1 LIMIT 2) UNION ((SELECT 3) EXCEPT SELECT 4)
----
VALUES (1, 'a'), (2, DEFAULT) ORDER BY 1
----
TABLE ONLY s.t
----
WITH a AS (SELECT 1), b (x, y) AS MATERIALIZED (SELECT 2, 3), c AS NOT MATERIALIZED (TABLE a) SELECT * FROM b
----
WITH RECURSIVE r AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM r) SEARCH BREADTH FIRST BY x SET ord CYCLE x SET cyc TO 'y' DEFAULT 'n' USING path SELECT * FROM r
----
WITH d AS (DELETE FROM t WHERE a RETURNING b), u AS (UPDATE t SET a = 1 RETURNING *), i AS (INSERT INTO t SELECT 1 RETURNING c) SELECT * FROM d
----
WITH recursive AS (SELECT 1), search AS (SELECT 2) SELECT * FROM recursive
----
(WITH a AS (SELECT 1) SELECT * FROM a) UNION SELECT 2
----
SELECT - (5), - - 5, -a, +1, -'2', - (NULL)
----
SELECT 'a'
 'b', c
----
SELECT DATE '2020-01-01', INTERVAL '1' DAY TO SECOND(3), timestamp(3) with time zone 'x', point '(1,2)', interval(2) '1'
----
SELECT CURRENT_DATE, current_timestamp(3), USER, CURRENT_ROLE
----
SELECT a::int, CAST(b AS numeric(10, 2)[]), c::s."T"[3][], d::double precision, e::timestamp(3) with time zone, f::interval year to month, g::character varying(3), (h + 1)::text::bit varying
----
SELECT a || b, c -> 'x' ->> 'y', d @> e, f OPERATOR(pg_catalog.+) g, @ h, i != j
----
SELECT a AND b AND (c OR NOT d) AND NOT (e)
----
SELECT ((a AND b) AND c) OR d
----
SELECT a IS NULL, b IS NOT NULL, c ISNULL, d IS TRUE, e IS NOT UNKNOWN, f IS DISTINCT FROM g, h IS NOT DISTINCT FROM i, j IS DOCUMENT, k IS NOT NORMALIZED, l IS NOT JSON OBJECT WITH UNIQUE KEYS
----
SELECT a IN (1, 2), b NOT IN (3), c BETWEEN 1 AND 2, d NOT BETWEEN SYMMETRIC e AND f, g LIKE 'x' ESCAPE '!', h NOT ILIKE i, j SIMILAR TO 'k'
----
SELECT (SELECT 1), EXISTS (SELECT 2), a IN (SELECT 3), b NOT IN ((SELECT 4)), c = ANY (SELECT 5), d < ALL (SELECT 6), ARRAY(SELECT 7), NOT EXISTS (SELECT 8), (SELECT 9 LIMIT 1)::text
----
SELECT (a, b) = (1, 2), ROW(c, d) < ROW(1, 2), (e, f) IN (SELECT 1, 2), ROW(), (g, h) OVERLAPS (i, j)
----
SELECT ARRAY[[1, 2], [a, b]], c[1], d[2:e], f[:], (g).h, (i.j).*, (k(1)).l[m]
----
SELECT CASE a WHEN 1 THEN b ELSE c END, CASE WHEN d THEN e END
----
SELECT f(), s.g(a, VARIADIC b), h(x => 1, y := c), count(DISTINCT d), array_agg(e ORDER BY f DESC), sum(g) FILTER (WHERE h > 1) OVER (), percentile_cont(0.5) WITHIN GROUP (ORDER BY i), count(ALL j)
----
SELECT COALESCE(a, 1), GREATEST(b, 2), LEAST(c), NULLIF(d, e), GROUPING(f)
----
SELECT t, row_to_json(t), (t) IS NULL FROM t
----
INSERT INTO s.t AS x (a, "B", c[1]) OVERRIDING SYSTEM VALUE VALUES (1, DEFAULT, 2) RETURNING x.a AS r, *
----
WITH w AS (SELECT 1) INSERT INTO t WITH v AS (SELECT 2) (SELECT * FROM w, v)
----
INSERT INTO t (a) VALUES (1) ON CONFLICT (a, lower(b) COLLATE "C") WHERE c > 0 DO UPDATE SET a = excluded.a, (b, c) = ROW(1, 2), d = DEFAULT WHERE t.a > 1
----
INSERT INTO t VALUES (1) ON CONFLICT ON CONSTRAINT k DO NOTHING RETURNING a
----
UPDATE ONLY s.t AS x SET a = x.b + 1, (c, d) = (SELECT 1, 2), e[1] = 3, f.g = 4 FROM u JOIN v USING (k) WHERE x.k = u.k RETURNING x.*
----
UPDATE t SET a = 1 WHERE CURRENT OF c
----
DELETE FROM t AS x USING u, (SELECT 1) d WHERE x.a = u.a RETURNING x.a
----
WITH w AS (SELECT 1) MERGE INTO t AS x USING s ON x.a = s.a WHEN MATCHED AND s.b THEN UPDATE SET c = s.c WHEN NOT MATCHED THEN INSERT (a, c) VALUES (s.a, 1) WHEN NOT MATCHED BY SOURCE THEN DELETE WHEN MATCHED THEN DO NOTHING RETURNING merge_action(), x.a
----
CREATE TABLE t (a int GENERATED ALWAYS AS IDENTITY (START WITH 10 INCREMENT BY 5), b int GENERATED BY DEFAULT AS IDENTITY, c int GENERATED ALWAYS AS (a * 2) STORED)
----
CREATE UNLOGGED TABLE t (LIKE u INCLUDING ALL, a int STORAGE external COMPRESSION pglz) INHERITS (p, s.q) PARTITION BY RANGE (a, lower(b) COLLATE "C") USING heap WITH (fillfactor = 70, toast.autovacuum_enabled = false) TABLESPACE x
----
CREATE TABLE p PARTITION OF s.t (a DEFAULT 3, CONSTRAINT c CHECK (a > 1)) FOR VALUES FROM (1, MINVALUE) TO (2, MAXVALUE) PARTITION BY LIST (b)
----
CREATE TABLE t (x, y) WITH (fillfactor = 70) AS SELECT 1, 2 WITH NO DATA
----
CREATE FOREIGN TABLE t (a int OPTIONS (x 'y') NOT NULL) SERVER s OPTIONS (z 'w')
----
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS i ON ONLY s.t USING gin (a, lower(b) COLLATE "C" s.text_ops DESC NULLS LAST, (c + d) ASC NULLS FIRST) INCLUDE (e, f) NULLS NOT DISTINCT WITH (fastupdate = off) TABLESPACE x WHERE a > 1
----
CREATE INDEX i ON ONLY (t) (a)
----
CREATE INDEX ON t * (a)
----
CREATE INDEX ON t (a)
----
CREATE OR REPLACE TEMP VIEW s.v (a, "B") WITH (security_barrier) AS (SELECT 1, 2) WITH LOCAL CHECK OPTION
----
CREATE MATERIALIZED VIEW IF NOT EXISTS v (a) USING heap AS SELECT 1 WITH DATA
----
CREATE TYPE s.e AS ENUM ('a', 'it''s')
----
CREATE TYPE c AS (a int, b text COLLATE "C")
----
CREATE TYPE x
----
CREATE DOMAIN s.d AS varchar(3)[] COLLATE "C" DEFAULT 'x' CONSTRAINT ck CHECK (VALUE <> '') NOT NULL
----
CREATE SEQUENCE IF NOT EXISTS s.q AS int START WITH 1 INCREMENT BY 2 NO MINVALUE MAXVALUE 9 CACHE 1 NO CYCLE OWNED BY t.c
----
CREATE FUNCTION f(a int) RETURNS TABLE (x int, "Y" text) LANGUAGE sql AS 'SELECT 1, 2'
----
CREATE FUNCTION f(a int) RETURNS int RETURN a + 1
----
CREATE CONSTRAINT TRIGGER g AFTER INSERT OR UPDATE OF a, "B" OR DELETE ON s.t DEFERRABLE FOR EACH ROW WHEN (new.a IS NULL) EXECUTE FUNCTION s.f('x')
----
CREATE TRIGGER g INSTEAD OF UPDATE ON v FOR EACH ROW EXECUTE PROCEDURE f()
----
COMMENT ON COLUMN s.t."C" IS 'it''s'
----
COMMENT ON MATERIALIZED VIEW v IS NULL
----
COMMENT ON CONSTRAINT c ON s.t IS 'x'
----
COMMENT ON FUNCTION s.f(int, text) IS 'x'
----
ALTER TABLE t ATTACH PARTITION s.p FOR VALUES IN (1)
----
ALTER INDEX a ATTACH PARTITION b
----
ALTER TABLE s.t RENAME TO u
----
ALTER TABLE t RENAME COLUMN a TO "B"
----
ALTER TABLE t RENAME CONSTRAINT a TO b
----
ALTER TABLE t SET SCHEMA s
----
ALTER TABLE t ADD attribute int
----
ALTER TYPE ty ADD ATTRIBUTE a int, DROP ATTRIBUTE b, ALTER ATTRIBUTE c TYPE text
----
ALTER VIEW v ALTER COLUMN a SET DEFAULT 1
----
DROP TABLE IF EXISTS s.a, "B" CASCADE
----
DROP INDEX CONCURRENTLY i
----
DROP FUNCTION f(int, text), g
----
DROP TRIGGER g ON s.t
----
DROP ROLE IF EXISTS a, b
----
DROP CAST (int AS text)
----
TRUNCATE TABLE ONLY a, s.b * RESTART IDENTITY CASCADE
----
EXPLAIN (ANALYZE, COSTS off) (SELECT 1)
----
EXPLAIN VERBOSE UPDATE t SET a = 1
----
EXPLAIN (ANALYZE false) SELECT 1
----
SET search_path TO a, b
----
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public
----
CREATE POLICY p ON s.t USING (a = 1)
----
GRANT SELECT ON t TO u
----
CALL s.p(1)
----
DO $$ BEGIN END $$
----
REFRESH MATERIALIZED VIEW CONCURRENTLY s.v
----
COPY (SELECT a FROM t) TO STDOUT
----
PREPARE p (int) AS SELECT $1
----
DECLARE c SCROLL CURSOR WITH HOLD FOR SELECT 1
----
-- A report: CTEs, windows, filters, a lateral join and a correlated subquery.
WITH monthly (month, region, revenue) AS (
    SELECT date_trunc('month', o.ordered_at), c."Region", sum(i.quantity * i.price) FILTER (WHERE NOT i.refunded)
    FROM sales.orders AS o
    JOIN sales.items i USING (order_id)
    LEFT JOIN crm.customers c ON c.id = o.customer_id AND c.active
    WHERE o.ordered_at BETWEEN $1 AND $2::date
    GROUP BY 1, ROLLUP (c."Region")
    HAVING count(DISTINCT o.id) > 3
), ranked AS MATERIALIZED (
    SELECT m.*, rank() OVER w AS rk, lag(m.revenue, 1, 0::numeric(12, 2)) OVER (w ROWS UNBOUNDED PRECEDING) AS before
    FROM monthly m
    WINDOW w AS (PARTITION BY m.region ORDER BY m.revenue DESC NULLS LAST)
)
SELECT DISTINCT ON (r.month) r.month, (r.revenue - r.before) / NULLIF(r.before, 0) AS growth,
       CASE WHEN r.rk <= 3 THEN 'top' ELSE g.label || '-' || r.rk::text END band,
       (SELECT max(x.at) FROM audit.log x WHERE x.region = r.region) AS "Last Seen"
FROM ranked r
CROSS JOIN LATERAL (SELECT label FROM geo.regions q WHERE q.code = r.region FETCH FIRST ROW ONLY) AS g
WHERE EXISTS (TABLE enabled) AND r.region <> ALL (ARRAY['x', 'y'])
ORDER BY r.month, growth DESC
LIMIT 100 OFFSET 5
FOR UPDATE OF r SKIP LOCKED
----
-- Data-modifying CTEs, row assignment, conflicts and MERGE.
WITH gone AS (DELETE FROM stock s USING sales x WHERE s.id = x.stock_id RETURNING s.id, x.*),
     moved AS (UPDATE ONLY bins AS b SET (a, b) = (SELECT 1, g.id FROM gone g), tags[2] = 'x', n = DEFAULT FROM gone WHERE b.id = gone.id RETURNING b.*)
INSERT INTO archive AS a (id, "Note")
SELECT id, (note).text FROM moved
ON CONFLICT (id, lower("Note")) WHERE id > 0 DO UPDATE SET "Note" = excluded."Note" || a."Note" WHERE a.id <> 3
RETURNING a.id AS archived, xmax = 0;

MERGE INTO wine w USING (SELECT * FROM changes) c ON c.name = w.name
WHEN NOT MATCHED AND c.delta > 0 THEN INSERT (name, stock) VALUES (c.name, c.delta)
WHEN MATCHED AND w.stock + c.delta > 0 THEN UPDATE SET stock = w.stock + c.delta
WHEN NOT MATCHED BY SOURCE THEN DELETE
RETURNING merge_action(), w.*
----
-- Recursion with SEARCH and CYCLE, over a set operation.
WITH RECURSIVE parts (id, parent, depth) AS (
    (SELECT p.id, p.parent_id, 0 FROM parts_list p WHERE p.parent_id IS NULL ORDER BY p.id LIMIT 10)
    UNION ALL
    SELECT c.id, c.parent_id, t.depth + 1 FROM parts t, parts_list c WHERE c.parent_id = t.id
) SEARCH DEPTH FIRST BY id SET ord
  CYCLE id SET looped USING path
SELECT id FROM parts
EXCEPT ALL
(VALUES (1), (2))
INTERSECT
TABLE kept
----
CREATE POLICY p ON t USING (a = 1) WITH CHECK (b = 2)
----
ALTER POLICY p ON s.t TO r USING (a = 1)
----
GRANT SELECT (a, b), UPDATE ON t, s.u TO x
----
REVOKE ALL ON TABLE t FROM x
----
GRANT USAGE ON SCHEMA s TO x
----
REFRESH MATERIALIZED VIEW CONCURRENTLY s.v WITH DATA
----
COPY t (a, b) FROM stdin
----
COPY t TO 'x'
----
COPY t FROM 'x' WITH (FORMAT csv) WHERE a = 1
----
COPY (SELECT a FROM t) TO 'x'
----
LOCK TABLE ONLY t, s.u IN EXCLUSIVE MODE
----
ANALYZE VERBOSE t (a, b), u (a)
----
VACUUM (FULL, ANALYZE) t (a)
----
CLUSTER t USING i
----
CALL s.f(1, (SELECT id FROM emp), a => 2)
----
CALL f()
----
EXECUTE p(1 + 1, 'a', (SELECT id FROM emp))
----
SET LOCAL x TO 'a', 'b'
----
DO $$ x $$
----
CLOSE c
----
SECURITY LABEL ON TABLE t IS 'x'
