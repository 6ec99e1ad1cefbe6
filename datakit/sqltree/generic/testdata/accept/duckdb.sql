FROM t
----
FROM t SELECT a, b WHERE a > 1
----
FROM t WHERE a > 1 GROUP BY ALL ORDER BY ALL LIMIT 10%
----
SELECT * EXCLUDE (a, b) REPLACE (c + 1 AS c) RENAME (d AS e) FROM t
----
SELECT t.* EXCLUDE a, u.* EXCLUDE (x) FROM t, u
----
SELECT COLUMNS('^id'), COLUMNS(* EXCLUDE (a)) + 1, COLUMNS(c -> c LIKE 'x%'), max(COLUMNS(*)), *COLUMNS('b') FROM t
----
SELECT * LIKE 'a%' FROM t
----
SELECT [1, 2, 3], [x * 2 FOR x IN list IF x > 1], {'a': 1, 'b': {'c': [1, 2]}}, MAP {'k': 1, 'l': 2}, MAP(['a'], [1])
----
SELECT list_transform(l, x -> x + 1), list_filter(l, (x, i) -> x > i), list_reduce(l, lambda a, b: a + b), apply(l, lambda x : x * 2) FROM t
----
SELECT l[1], l[1:2], l[:-1], l[-1], l[1:-:2], s.a.b, s['a'], m['k'][1], 'text'[2] FROM t
----
SELECT 'a'.upper().lower(), name.upper(), (a + b).round(2), t.name.replace('x', 'y') FROM t
----
SELECT a::INTEGER, b::DECIMAL(10, 2)[], c::STRUCT(x INTEGER, y VARCHAR)[], d::MAP(VARCHAR, INTEGER), TRY_CAST(e AS DATE), CAST(f AS INTEGER[3]), g::ENUM('a', 'b') FROM t
----
SELECT a: 1, b: x + 1, FROM t
----
SELECT x: a, y: sum(b), FROM tbl: t GROUP BY ALL
----
SELECT * FROM 'data/file.parquet' AS p JOIN 'x.csv' USING (id)
----
SELECT * FROM read_csv('x.csv', header = true, columns = {'a': 'INT', 'b': 'VARCHAR'}, delim := ';') t
----
SELECT * FROM read_parquet(['a.parquet', 'b.parquet'], union_by_name = true)
----
SELECT unnest([1, 2, 3]), unnest(s, recursive := true), generate_series FROM generate_series(1, 10), range(5) r(i)
----
SELECT * FROM a ASOF JOIN b ON a.sym = b.sym AND a.t >= b.t
----
SELECT * FROM a ASOF LEFT JOIN b USING (sym, t) POSITIONAL JOIN c
----
SELECT * FROM a SEMI JOIN b USING (id) ANTI JOIN c ON a.x = c.x
----
SELECT a FROM t UNION ALL BY NAME SELECT b, a FROM u UNION BY NAME SELECT 1 AS a
----
SELECT sum(x) FILTER (y > 0), count(*) FILTER (WHERE z), list(a ORDER BY b DESC NULLS LAST), string_agg(DISTINCT a, ',') FROM t
----
SELECT quantile_cont(x, 0.5), arg_max(a, b), first(a ORDER BY b), any_value(c) FROM t GROUP BY GROUPING SETS ((a), (b, c), ()), ROLLUP (d), CUBE (e, f)
----
SELECT row_number() OVER (PARTITION BY a ORDER BY b) AS rn FROM t QUALIFY rn = 1
----
SELECT a, lag(b) IGNORE NULLS OVER w, last_value(b IGNORE NULLS) OVER w FROM t WINDOW w AS (ORDER BY c GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW)
----
SELECT DISTINCT ON (a) a, b FROM t ORDER BY a, b DESC
----
SELECT * FROM t TABLESAMPLE 10%
----
SELECT * FROM t TABLESAMPLE reservoir(20 ROWS) REPEATABLE (42), u USING SAMPLE 5
----
SELECT * FROM t USING SAMPLE 10 PERCENT (bernoulli)
----
PIVOT cities ON year USING sum(population) GROUP BY country
----
SELECT * FROM (PIVOT cities ON year USING sum(population)) p
----
UNPIVOT monthly ON jan, feb, mar INTO NAME month VALUE sales
----
FROM monthly UNPIVOT (sales FOR month IN (jan, feb, mar))
----
SELECT * FROM sales PIVOT (sum(amount) FOR quarter IN ('Q1', 'Q2')) AS p
----
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 10) FROM r
----
WITH RECURSIVE tbl(a, b) USING KEY (a) AS (SELECT 1, 2 UNION SELECT a, b + 1 FROM tbl WHERE b < 5) TABLE tbl
----
SELECT $1, $name, ?, ?2 FROM t WHERE x = $2
----
SELECT INTERVAL '1' DAY, INTERVAL 5 MONTHS, INTERVAL (x) HOURS, DATE '2020-01-01' + INTERVAL 1 YEAR, TIMESTAMP '2020-01-01 00:00:00', TIMESTAMPTZ '2020-01-01' FROM t
----
SELECT data -> '$.a', data ->> '$.b', data->'a'->>'b', json_extract(data, '$.x') FROM t
----
SELECT 7 // 2, 2 ** 3, 2 ^ 3, a ^@ 'x', a ~ 're', a !~ 're', a SIMILAR TO 'x.*', a ILIKE '%b%', !true, @ -5
FROM t
----
SELECT CASE WHEN a THEN 1 END, IF(a, 1, 2), coalesce(a, b), #1 FROM t GROUP BY #1
----
SELECT t, t.*, struct_pack(a := 1, b := 2), row(1, 2), (1, 2), struct_extract(t, 'a') FROM t
----
SELECT DATE_TRUNC('month', d), date_diff('day', a, b), EXTRACT(YEAR FROM d), date_part('year', d), strftime(d, '%Y') FROM t
----
SELECT * FROM t AT (VERSION => 3)
----
SELECT * FROM db.schema.t AS x(a, b), LATERAL (SELECT x.a + 1 AS y) l
----
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) v(id, name)
----
VALUES (1, 2), (3, 4)
----
SELECT (SELECT max(a) FROM u WHERE u.id = t.id), EXISTS (FROM u), a IN (SELECT b FROM u), a = ANY (SELECT 1), a = ANY([1, 2]), x IN list_col FROM t
----
SELECT $$dollar 'quoted'$$, $tag$ body $tag$, E'esc\n\'x', 'it''s', 'two'
'lines'
----
INSERT INTO t BY NAME SELECT 1 AS b, 2 AS a
----
INSERT OR REPLACE INTO t (a, b) VALUES (1, 2), (3, DEFAULT)
----
INSERT INTO t VALUES (1) ON CONFLICT DO NOTHING
----
INSERT INTO t SELECT * FROM u ON CONFLICT (id) DO UPDATE SET v = EXCLUDED.v WHERE t.v < 3 RETURNING *
----
INSERT INTO t FROM u
----
UPDATE t SET a = u.a FROM u WHERE t.id = u.id
----
DELETE FROM t USING u WHERE t.id = u.id RETURNING t.id
----
MERGE INTO people USING (SELECT 1 AS id, 98000.0 AS salary) AS d USING (id) WHEN MATCHED THEN UPDATE SET salary = d.salary WHEN NOT MATCHED THEN INSERT
----
MERGE INTO t USING s ON t.id = s.id WHEN MATCHED AND s.del THEN DELETE WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED BY SOURCE THEN DELETE WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, s.v) RETURNING *
----
CREATE TABLE t (
  i INTEGER PRIMARY KEY DEFAULT nextval('seq'),
  u UBIGINT, h HUGEINT, l INTEGER[], fixed FLOAT[3], s STRUCT(a INTEGER, b STRUCT(c VARCHAR)), m MAP(VARCHAR, DOUBLE),
  un UNION(num INTEGER, str VARCHAR), e ENUM('x', 'y'), ts TIMESTAMP WITH TIME ZONE NOT NULL, dp DOUBLE PRECISION,
  g INTEGER GENERATED ALWAYS AS (i * 2) VIRTUAL, g2 AS (i + 1),
  CHECK (i > 0), UNIQUE (u), FOREIGN KEY (i) REFERENCES other (id)
)
----
CREATE OR REPLACE TEMP TABLE x AS FROM t SELECT a
----
CREATE TABLE t2 AS SELECT * FROM t WITH NO DATA
----
CREATE TABLE t3 (a, b) AS SELECT 1, 2
----
CREATE OR REPLACE VIEW v AS SELECT * FROM t
----
CREATE MACRO add(a, b := 5) AS a + b
----
CREATE OR REPLACE MACRO tbl(x) AS TABLE SELECT * FROM t WHERE id = x
----
CREATE FUNCTION one() AS 1
----
CREATE TYPE mood AS ENUM ('happy', 'sad')
----
CREATE TYPE pair AS STRUCT(a INTEGER, b INTEGER)
----
CREATE TYPE x AS VARCHAR
----
CREATE SEQUENCE seq START 1 INCREMENT BY 2 NO CYCLE
----
CREATE UNIQUE INDEX idx ON t (a, (b + 1))
----
CREATE INDEX hnsw_idx ON items USING HNSW (vec) WITH (metric = 'cosine')
----
CREATE SCHEMA IF NOT EXISTS s
----
CREATE SECRET my (TYPE s3, KEY_ID 'x', SECRET 'y')
----
COPY t TO 'out.parquet' (FORMAT parquet, COMPRESSION zstd)
----
COPY (SELECT a FROM t WHERE b > 1) TO 'out.csv' WITH (HEADER, DELIMITER '|')
----
COPY t (a, b) FROM 'in.csv' (AUTO_DETECT true)
----
ATTACH 'file.db' AS f (READ_ONLY)
----
ATTACH 'dbname=postgres' AS pg (TYPE postgres)
----
USE f.main
----
PRAGMA table_info('t')
----
SET memory_limit = '10GB'
----
SET VARIABLE x = 5
----
DESCRIBE t
----
DESCRIBE SELECT a FROM t
----
SUMMARIZE t
----
FROM (DESCRIBE t) SELECT column_name
----
SHOW TABLES
----
EXPLAIN ANALYZE SELECT * FROM t
----
INSTALL httpfs
----
LOAD httpfs
----
EXPORT DATABASE 'dir' (FORMAT parquet)
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
DROP MACRO IF EXISTS add
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
SELECT {name: 'x', age: 5}.name, {'a': 1}['a'], struct_pack(x := 1).x
----
SELECT a FROM t WHERE a IN (1, 2, 3,) AND b = [1, 2,]
----
SELECT list_value(1, 2)[1], array_agg(x)[1:3], (SELECT [1])[1] FROM t
----
FROM t1 JOIN t2 USING (id) SELECT t1.a, t2.b QUALIFY row_number() OVER () = 1
----
WITH cte AS (FROM t SELECT a), FROM cte
----
SELECT /*+ hint */ a --c
FROM t /* nested /* comment */ end */
----
SELECT try(a / b), a IS NOT NULL, NOT a IN (1), NOT EXISTS (SELECT 1), a BETWEEN SYMMETRIC 5 AND 1 FROM t
----
CREATE TABLE t (a DECIMAL(18,3) CHECK (a > 0) NOT NULL, b TEXT COLLATE NOCASE, c BIT, d BLOB DEFAULT '\x00'::BLOB, e UUID DEFAULT gen_random_uuid(), f INTERVAL)
----
SELECT list_sort(list_distinct(flatten([[1], [2]])), 'DESC'), len(l), l || [4], list_contains(l, 1), l && [1], l @> [1], [1] <@ l FROM t
