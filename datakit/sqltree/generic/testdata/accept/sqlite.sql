SELECT 1
----
select a, b as c, t.d "e f", 'lit' AS 'quoted alias' from main.t as t where a = ?1 and b = :name and c = @at and d = $dollar
----
SELECT [order id], `back tick`, "double" FROM [Order Details] AS od WHERE od.[Unit Price] > 10.5e-2
----
SELECT a 'alias in a string' FROM t
----
SELECT * FROM t WHERE a IS b AND c IS NOT d AND e ISNULL AND f NOTNULL AND g NOT NULL AND h IS NOT DISTINCT FROM i
----
SELECT x FROM t WHERE name LIKE '%a\_b%' ESCAPE '\' AND name GLOB '*x*' AND t MATCH 'fts query' AND name REGEXP '^a' AND name NOT LIKE 'z%'
----
SELECT count(*), count(DISTINCT a), group_concat(b, ', '), group_concat(DISTINCT c), total(d) FROM t GROUP BY a HAVING count(*) > 1 ORDER BY 1 DESC NULLS LAST LIMIT 10 OFFSET 5
----
SELECT a FROM t ORDER BY a COLLATE NOCASE ASC, b DESC LIMIT 5, 10
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
SELECT * FROM t INDEXED BY idx_t WHERE a IN (1, 2, 3) AND b NOT IN () AND c IN other_table
----
SELECT * FROM t NOT INDEXED WHERE (a, b) IN (VALUES (1, 2), (3, 4)) AND (a, b) = (SELECT 1, 2)
----
SELECT j.value, j.key FROM t, json_each(t.doc, '$.items') AS j WHERE t.doc -> '$.a' = 1 AND t.doc ->> '$.b' = 'x'
----
SELECT CASE a WHEN 1 THEN 'one' WHEN 2 THEN 'two' ELSE 'many' END, CASE WHEN a > 1 THEN b END FROM t
----
SELECT CAST(a AS INTEGER), CAST(b AS VARCHAR(10)), CAST(c AS UNSIGNED BIG INT) FROM t
----
SELECT EXISTS (SELECT 1 FROM t), NOT EXISTS (SELECT 1), (SELECT max(a) FROM t), -a, +b, ~c, a || b || 'x' FROM t
----
SELECT replace(a, 'x', 'y'), like('a', b), glob('*', c), date('now', '-1 day'), strftime('%Y', d), iif(a, b, c), char(65), "left"
FROM t
----
SELECT end, key, desc1, plan, temp, query, row FROM t
----
SELECT rowid, oid, _rowid_, t.rowid FROM t
----
VALUES (1, 'a'), (2, 'b')
----
SELECT * FROM pragma_table_info('t') AS p WHERE p.pk > 0
----
SELECT * FROM generate_series(1, 10, 2)
----
SELECT x'53514C', X'00', 0x1F, 1_000_000, .5, 5., 1e10
----
INSERT INTO t (a, b) VALUES (1, 'x'), (2, NULL)
----
INSERT OR REPLACE INTO t VALUES (1, 2)
----
INSERT OR IGNORE INTO main.t AS x (a) SELECT a FROM u WHERE true ON CONFLICT (a) DO UPDATE SET b = excluded.b, c = c + 1 WHERE x.c < 5 RETURNING a, b AS bb, *
----
INSERT INTO t DEFAULT VALUES
----
REPLACE INTO t (a) VALUES (1) RETURNING *
----
INSERT INTO t(a) VALUES(1) ON CONFLICT(a) WHERE a > 0 DO NOTHING
----
INSERT INTO t(a) VALUES(1) ON CONFLICT(a) DO NOTHING ON CONFLICT DO UPDATE SET b = 2
----
WITH x AS (SELECT 1 AS a) INSERT INTO t SELECT a FROM x
----
UPDATE t SET a = 1, (b, c) = (SELECT 2, 3) WHERE id = 5
----
UPDATE OR ROLLBACK t AS x SET a = y.a FROM y JOIN z USING (k) WHERE x.id = y.id RETURNING x.a
----
UPDATE t SET a = a + 1 WHERE id IN (SELECT id FROM u) ORDER BY id LIMIT 10
----
DELETE FROM t WHERE a < 10 RETURNING id
----
DELETE FROM main.t AS x WHERE x.a = 1 ORDER BY x.b LIMIT 1
----
CREATE TABLE IF NOT EXISTS main.t (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL COLLATE NOCASE DEFAULT 'x''y',
  price DECIMAL(10, 2) CHECK (price >= 0),
  big UNSIGNED BIG INT,
  vary VARYING CHARACTER(255),
  ts DATETIME DEFAULT CURRENT_TIMESTAMP,
  d DEFAULT (strftime('%s', 'now')),
  untyped,
  g INT GENERATED ALWAYS AS (id * 2) STORED,
  h INT AS (id + 1) VIRTUAL,
  parent INTEGER REFERENCES t (id) ON DELETE CASCADE ON UPDATE SET NULL DEFERRABLE INITIALLY DEFERRED,
  u TEXT UNIQUE ON CONFLICT IGNORE,
  CONSTRAINT pk PRIMARY KEY (id, name DESC) ON CONFLICT REPLACE,
  UNIQUE (name COLLATE BINARY, price),
  CHECK (length(name) > 0),
  FOREIGN KEY (parent, name) REFERENCES other (a, b) MATCH SIMPLE ON DELETE NO ACTION
)
----
CREATE TABLE kv (k TEXT PRIMARY KEY, v BLOB) WITHOUT ROWID, STRICT
----
CREATE TABLE kv (k ANY, v) STRICT
----
CREATE TEMP TABLE x AS SELECT a, b FROM t WHERE a > 1
----
CREATE TABLE "weird ""name""" ([a b] int, `c` text, 'd' real)
----
CREATE VIRTUAL TABLE docs USING fts5(title, body, tokenize = 'porter ascii', content='')
----
CREATE VIRTUAL TABLE IF NOT EXISTS demo USING rtree(id, minX, maxX)
----
CREATE VIEW IF NOT EXISTS v (a, b) AS SELECT x, y FROM t
----
CREATE TEMPORARY VIEW v AS WITH q AS (SELECT 1) SELECT * FROM q
----
CREATE UNIQUE INDEX IF NOT EXISTS main.idx ON t (a, lower(b) COLLATE NOCASE DESC, c + d) WHERE a IS NOT NULL
----
CREATE INDEX i ON t (json_extract(doc, '$.a'))
----
CREATE TRIGGER IF NOT EXISTS trg AFTER UPDATE OF a, b ON t FOR EACH ROW WHEN NEW.a <> OLD.a
BEGIN
  UPDATE u SET n = n + 1 WHERE id = NEW.id;
  INSERT INTO log VALUES (CASE WHEN NEW.a > 1 THEN 'x' ELSE 'y' END);
  SELECT RAISE(ABORT, 'no');
END
----
CREATE TRIGGER ins INSTEAD OF INSERT ON v BEGIN SELECT 1; END
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
PRAGMA foreign_keys = ON
----
PRAGMA main.table_info('t')
----
ATTACH DATABASE 'file.db' AS aux1
----
DETACH aux1
----
BEGIN IMMEDIATE TRANSACTION
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
VACUUM INTO 'x.db'
----
ANALYZE main.t
----
REINDEX
----
EXPLAIN QUERY PLAN SELECT * FROM t
----
EXPLAIN SELECT 1
----
SELECT 1 -- comment at the end
----
SELECT /* inline */ 1 /* open at the end
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
SELECT (((a))) FROM ((t))
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
