SELECT 1
----
SELECT * FROM system.tables WHERE database = 'default' FORMAT JSONEachRow
----
SELECT a, b FROM t FINAL SAMPLE 1/10 OFFSET 1/2 PREWHERE a > 1 WHERE b = 2 GROUP BY a, b WITH TOTALS HAVING count() > 1 ORDER BY a DESC NULLS LAST WITH FILL FROM 1 TO 10 STEP 2 LIMIT 2 BY a LIMIT 10 OFFSET 5 SETTINGS max_threads = 4, join_use_nulls = 1 FORMAT Pretty
----
SELECT a, b FROM t LIMIT 1, 2 BY a, b
----
SELECT a FROM t LIMIT 5 WITH TIES
----
WITH 1 AS x, 'abc' AS y, (SELECT max(a) FROM t) AS m SELECT x, y, m FROM t WHERE a < m
----
WITH x AS (SELECT 1 AS a), toDate('2020-01-01') AS d SELECT * FROM x WHERE d > 1
----
WITH [1, 2, 3] AS ids SELECT * FROM t WHERE id IN ids AND k IN other_table AND (a, b) IN ((1, 2), (3, 4)) AND c GLOBAL IN (SELECT d FROM u) AND e GLOBAL NOT IN (1, 2) AND f IN tuple(1, 2)
----
WITH (x, y) -> x + y AS add SELECT add(1, 2)
----
SELECT sum(a) AS s, s / count() AS avg, (a AS b) + 1, f(a AS c) + c FROM t WHERE s > 1
----
SELECT arr, x, n FROM t ARRAY JOIN arr AS x, arrayEnumerate(arr) AS n
----
SELECT s, a FROM t LEFT ARRAY JOIN arr AS a WHERE a > 1
----
SELECT n.a, n.b FROM t ARRAY JOIN n
----
SELECT * FROM a ANY LEFT JOIN b USING id
----
SELECT * FROM a ALL INNER JOIN b USING (id, k) GLOBAL ANY LEFT JOIN c ON a.x = c.x
----
SELECT * FROM a ASOF LEFT JOIN b ON a.k = b.k AND a.t >= b.t
----
SELECT * FROM a LEFT SEMI JOIN b ON a.x = b.x RIGHT ANTI JOIN c USING (y)
----
SELECT * FROM a SEMI LEFT JOIN b USING x
----
SELECT * FROM a PASTE JOIN b
----
SELECT * FROM a, b CROSS JOIN c GLOBAL INNER JOIN d ON a.id = d.id
----
SELECT quantile(0.9)(x), quantiles(0.5, 0.9)(x) AS q, topK(10)(y), sumIf(a, b > 1), countIf(c), uniqExact(d), groupArray(5)(e), argMax(a, b), groupArrayArray(g), sumMap(k, v) FROM t
----
SELECT q[1], tuple(1, 'a').1, t.2, (1, 2).1, map('a', 1)['a'], arr[-1], arr[1].2, nested.field[1], {'a': 1} FROM t
----
SELECT arrayMap(x -> x + 1, arr), arrayFilter((x, y) -> x > y, a, b), arrayFold((acc, x) -> acc + x, arr, toInt64(0)), arraySort(x -> -x, arr) FROM t
----
SELECT a ? b : c, if(a, b, c), multiIf(a, 1, b, 2, 3), CASE WHEN a THEN 1 ELSE 2 END, CASE x WHEN 1 THEN 'a' END, a > 1 ? 'x' : a > 0 ? 'y' : 'z' FROM t
----
SELECT toDateTime('2020-01-01 00:00:00', 'UTC'), INTERVAL 1 DAY, INTERVAL '1 day', now() - INTERVAL 5 MINUTE, toIntervalDay(1), dateDiff('day', a, b), date_diff(day, a, b), dateAdd(DAY, 1, d), date_add(MONTH, 3, d), date_trunc('month', d), DATE '2020-01-01', TIMESTAMP '2020-01-01 00:00:00', EXTRACT(YEAR FROM d), toStartOfInterval(ts, INTERVAL 1 hour) FROM t
----
SELECT a::UInt8, CAST(b AS Nullable(String)), CAST(c, 'Array(UInt8)'), d::Decimal(10, 2), CAST('x' AS LowCardinality(String)), '1'::Int32, [1]::Array(UInt8), toTypeName(x::Tuple(a Int8, b String)) FROM t
----
SELECT * EXCEPT (a, b), t.* EXCEPT c, * REPLACE (i + 1 AS i), COLUMNS('^a') APPLY(sum), * APPLY (x -> x + 1), COLUMNS(a, b), t.COLUMNS('x') EXCEPT (d) FROM t
----
SELECT {id:UInt32}, {name:String}, {tbl:Identifier}.x FROM {tbl:Identifier} WHERE d = {d:Array(Date)}
----
SELECT DISTINCT ON (a, b) a, b, c FROM t
----
SELECT DISTINCT a FROM t
----
SELECT a, sum(b) FROM t GROUP BY ROLLUP(a), CUBE(b)
----
SELECT a, sum(b) FROM t GROUP BY a WITH ROLLUP
----
SELECT a, b, count() FROM t GROUP BY GROUPING SETS ((a, b), (a), ())
----
SELECT a, count() FROM t GROUP BY ALL ORDER BY ALL
----
SELECT row_number() OVER (PARTITION BY a ORDER BY b DESC), sum(x) OVER w, lagInFrame(y, 1, 0) OVER (ORDER BY z ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), nth_value(a, 2) OVER (w RANGE BETWEEN 10 PRECEDING AND 10 FOLLOWING) FROM t WINDOW w AS (PARTITION BY c ORDER BY d)
----
SELECT a, rank() OVER (ORDER BY b) AS r FROM t QUALIFY r = 1
----
SELECT a FROM t1 UNION ALL SELECT b FROM t2 ORDER BY a LIMIT 1 UNION ALL SELECT c FROM t3
----
SELECT a FROM t UNION DISTINCT SELECT b FROM u EXCEPT SELECT c FROM v INTERSECT SELECT d FROM w
----
(SELECT a FROM t LIMIT 1) UNION ALL (SELECT b FROM u LIMIT 1)
----
SELECT 'it''s', 'esc\'d', 'a\\b', 'tab\t', "quoted id", `back`, $heredoc$ raw 'x' $heredoc$, x'41', 0x1f, 1_000, 1e3, inf, nan, NULL FROM t
----
SELECT a -- comment
, b # comment
, c #! comment
, d /* block */ FROM t
----
SELECT * FROM numbers(10) WHERE number % 2 = 0
----
SELECT * FROM remote('host:9000', db.table, 'user', 'pw')
----
SELECT * FROM s3('https://x/*.csv', 'CSV', 'a UInt8, b String') AS s SETTINGS s3_truncate_on_insert = 1
----
SELECT * FROM cluster('c', system.one) JOIN merge('db', '^x') m ON 1 = 1
----
SELECT * FROM url('http://x', JSONEachRow), file('x.tsv'), mysql('h', 'd', 't', 'u', 'p'), generateRandom('a UInt8')
----
SELECT * FROM values('a UInt8, b String', (1, 'x'), (2, 'y'))
----
SELECT * FROM VALUES('a UInt8', 1, 2)
----
SELECT * FROM view(SELECT 1 AS a)
----
SELECT a FROM (SELECT 1 AS a) AS t INNER JOIN (SELECT 2 AS a) AS u USING a
----
FROM t SELECT a, b WHERE a > 1
----
SELECT and(a, b), or(a, b), not(a), in(a, (1, 2)), like(a, 'x%'), equals(a, b), plus(1, 2), mod(5, 2), 5 MOD 2, 7 DIV 2, xor(a, b), a XOR b FROM t
----
SELECT a LIKE 'x', a NOT LIKE 'y', a ILIKE 'z', match(a, 're'), a REGEXP 'x', a BETWEEN 1 AND 2, a NOT BETWEEN x AND y, a IS NULL, a IS NOT NULL, a == b, a <> b, a <=> b, a IS NOT DISTINCT FROM b, NOT a, -a, a || b FROM t
----
SELECT dictGet('dict', 'attr', toUInt64(id)), dictGetOrDefault('d', 'a', id, 0), joinGet('j', 'v', k) FROM t
----
SELECT JSONExtractString(doc, 'a', 'b'), doc.a.b, doc.a.b::String, doc.^sub, doc.x.:Int64, simpleJSONExtractInt(d, 'k') FROM t
----
SELECT uniqMerge(u), sumMerge(s), finalizeAggregation(x), runningDifference(y), neighbor(z, 1) FROM t
----
SELECT max(a) FILTER (WHERE b > 1), count(*) FILTER(WHERE c), count(DISTINCT d), sum(DISTINCT e) FROM t
----
SELECT toString(a) AS a, b AS `weird name`, c AS "other", 1 AS format, date, key, value, timestamp, user, type, end, start, index FROM t
----
SELECT (SELECT 1), exists(SELECT 1), EXISTS (SELECT 1 FROM u WHERE u.id = t.id), (SELECT (1, 2)).1 FROM t
----
SELECT * FROM t WHERE (a, b) = (1, 2) AND tuple(c) IN (SELECT tuple(x) FROM u) AND d NOT IN (SELECT e FROM v) AND has(arr, 1)
----
SELECT a FROM t ORDER BY a COLLATE 'en', b ASC, tuple(c, d) DESC INTERPOLATE (b AS b + 1)
----
SELECT count() FROM t WHERE NOT (a AND b OR c)
----
SELECT a, b, FROM t
----
SELECT [1, 2, 3], (1, 2), [], [[1], [2]], array(1, 2), tuple(), map(), ['a', 'b'][1]
----
SELECT formatReadableSize(sum(bytes)) AS size FROM system.parts WHERE active GROUP BY table ORDER BY sum(bytes) DESC
----
SELECT t.a, u.b FROM db.t AS t LEFT JOIN db.u AS u ON t.id = u.id AND u.x > 1 WHERE t.d >= today() - 7
----
SELECT toStartOfHour(ts) AS hour, uniq(user_id) AS users, countIf(event = 'click') / count() AS ctr FROM events WHERE ts >= now() - INTERVAL 1 DAY GROUP BY hour ORDER BY hour
----
SELECT user_id, groupArray((ts, event)) AS ev, arrayMap(x -> x.2, ev) AS names FROM events GROUP BY user_id HAVING length(ev) > 1
----
SELECT windowFunnel(3600)(ts, event = 'a', event = 'b') AS level, retention(d = 1, d = 2) AS r, sequenceMatch('(?1)(?2)')(ts, a, b) FROM events GROUP BY user_id
----
INSERT INTO t VALUES (1, 'a'), (2, 'b')
----
INSERT INTO t (a, b) VALUES (1, 'a') (2, 'b')
----
INSERT INTO db.t (a, n.x, n.y) SELECT a, x, y FROM u
----
INSERT INTO t (* EXCEPT (a)) VALUES (1)
----
INSERT INTO TABLE t SELECT * FROM u SETTINGS async_insert = 1
----
INSERT INTO t SETTINGS async_insert = 1, wait_for_async_insert = 0 VALUES (1)
----
INSERT INTO t FORMAT JSONEachRow {"a": 1, "b": "it's"}
{"a": 2}
----
INSERT INTO t (a) FORMAT CSV
1,"x
----
INSERT INTO FUNCTION file('x.csv', 'CSV', 'a UInt8') SELECT 1
----
INSERT INTO t WITH x AS (SELECT 1 AS a) SELECT a FROM x
----
INSERT INTO t (d, v) VALUES (now(), [1, 2]), (toDate('2020-01-01'), [])
----
CREATE TABLE IF NOT EXISTS db.t ON CLUSTER c
(
    `id` UInt64,
    name String DEFAULT 'x' CODEC(ZSTD(1)),
    ts DateTime64(3, 'UTC') DEFAULT now64() COMMENT 'time',
    n Nullable(Decimal(18, 4)),
    lc LowCardinality(Nullable(String)),
    arr Array(Array(UInt8)),
    tup Tuple(a Int32, b String),
    m Map(String, UInt64),
    e Enum8('a' = 1, 'b' = 2),
    agg AggregateFunction(uniq, UInt64),
    sagg SimpleAggregateFunction(sum, UInt64),
    nest Nested(x UInt8, y String),
    mat UInt8 MATERIALIZED id % 256,
    al String ALIAS concat(name, 'x'),
    eph String EPHEMERAL,
    ttl_col String TTL ts + INTERVAL 1 MONTH,
    fs FixedString(16), u UUID, ip IPv4, j JSON, b Bool,
    INDEX idx name TYPE bloom_filter(0.01) GRANULARITY 4,
    INDEX idx2 lower(name) TYPE tokenbf_v1(256, 2, 0),
    CONSTRAINT c CHECK id > 0,
    PROJECTION p (SELECT name, count() GROUP BY name)
)
ENGINE = ReplicatedMergeTree('/path/{shard}', '{replica}', ts)
PARTITION BY toYYYYMM(ts)
ORDER BY (id, name)
PRIMARY KEY id
SAMPLE BY id
TTL toDateTime(ts) + INTERVAL 3 MONTH DELETE, toDateTime(ts) + INTERVAL 1 WEEK TO VOLUME 'cold'
SETTINGS index_granularity = 8192, storage_policy = 'x'
COMMENT 'a table'
----
CREATE TABLE t (a UInt8) ENGINE = Memory
----
CREATE TABLE t (a UInt8, PRIMARY KEY (a)) ENGINE = MergeTree
----
CREATE TABLE t ENGINE = MergeTree ORDER BY tuple() AS SELECT 1 AS a
----
CREATE TABLE t AS db.other
----
CREATE TABLE t AS other ENGINE = Distributed(cluster, db, other, rand())
----
CREATE TABLE t AS remote('h', db.t)
----
CREATE TABLE t (a String) ENGINE = Kafka SETTINGS kafka_broker_list = 'x:9092', kafka_topic_list = 'y'
----
CREATE TEMPORARY TABLE tmp (a UInt8)
----
CREATE OR REPLACE TABLE t (a UInt8) ENGINE = MergeTree ORDER BY a
----
CREATE TABLE t (a UInt8, b String) ENGINE = ReplacingMergeTree(a) ORDER BY (b, cityHash64(a)) SETTINGS allow_nullable_key = 1
----
CREATE VIEW v AS SELECT a FROM t
----
CREATE VIEW v (a UInt8, b String) AS SELECT 1, 'x'
----
CREATE MATERIALIZED VIEW mv TO db.target AS SELECT a, count() AS c FROM src GROUP BY a
----
CREATE MATERIALIZED VIEW IF NOT EXISTS mv ON CLUSTER c ENGINE = SummingMergeTree ORDER BY a POPULATE AS SELECT a, sum(b) AS b FROM t GROUP BY a
----
CREATE MATERIALIZED VIEW mv TO target (a UInt8, b String) AS SELECT a, b FROM t
----
CREATE MATERIALIZED VIEW mv REFRESH EVERY 1 HOUR TO target AS SELECT 1
----
CREATE LIVE VIEW lv AS SELECT count() FROM t
----
CREATE DATABASE IF NOT EXISTS db ENGINE = Atomic
----
CREATE DICTIONARY d (id UInt64, name String DEFAULT '') PRIMARY KEY id SOURCE(CLICKHOUSE(TABLE 't' DB 'db')) LAYOUT(HASHED()) LIFETIME(MIN 0 MAX 300)
----
CREATE FUNCTION linear AS (x, k, b) -> k * x + b
----
CREATE USER u IDENTIFIED WITH sha256_password BY 'x'
----
CREATE ROW POLICY p ON t FOR SELECT USING a = 1 TO u
----
CREATE NAMED COLLECTION nc AS a = 1
----
ALTER TABLE t ADD COLUMN c UInt8 DEFAULT 0 AFTER b
----
ALTER TABLE t ADD COLUMN IF NOT EXISTS c String, DROP COLUMN d, MODIFY COLUMN e Nullable(String), RENAME COLUMN f TO g, COMMENT COLUMN h 'x', CLEAR COLUMN i
----
ALTER TABLE t UPDATE a = a + 1, b = 'x' WHERE id = 5
----
ALTER TABLE t DELETE WHERE d < '2020-01-01'
----
ALTER TABLE t ON CLUSTER c MODIFY TTL d + INTERVAL 1 MONTH
----
ALTER TABLE t DROP PARTITION '2020-01'
----
ALTER TABLE t ATTACH PARTITION 202001 FROM u
----
ALTER TABLE t MODIFY ORDER BY (a, b)
----
ALTER TABLE t ADD INDEX i a TYPE minmax GRANULARITY 1
----
ALTER TABLE t MODIFY SETTING max_part_loading_threads = 8
----
ALTER TABLE t FREEZE
----
ALTER TABLE t MATERIALIZE COLUMN c
----
DELETE FROM t WHERE a = 1
----
DELETE FROM t ON CLUSTER c IN PARTITION '2020' WHERE a = 1
----
UPDATE t SET a = 1 WHERE b = 2
----
DROP TABLE IF EXISTS db.t ON CLUSTER c SYNC
----
DROP DATABASE db
----
DROP VIEW v
----
DROP DICTIONARY d
----
TRUNCATE TABLE db.t
----
RENAME TABLE a TO b, c TO d
----
EXCHANGE TABLES a AND b
----
OPTIMIZE TABLE t PARTITION 202001 FINAL DEDUPLICATE BY a
----
DETACH TABLE t
----
ATTACH TABLE t
----
EXPLAIN SELECT 1
----
EXPLAIN PLAN indexes = 1, actions = 1 SELECT * FROM t WHERE a = 1
----
EXPLAIN PIPELINE SELECT 1
----
EXPLAIN AST SELECT 1
----
EXPLAIN SYNTAX SELECT * FROM a, b
----
DESCRIBE TABLE t
----
DESC db.t
----
DESCRIBE (SELECT 1 AS a)
----
SHOW CREATE TABLE t
----
SHOW TABLES FROM db LIKE 'x%'
----
USE db
----
SET max_threads = 4
----
SYSTEM FLUSH LOGS
----
KILL QUERY WHERE query_id = 'x'
----
GRANT SELECT(a, b) ON db.t TO u
----
CHECK TABLE t
----
EXISTS TABLE t
----
WATCH lv
----
SELECT a FROM t INTO OUTFILE 'x.csv' COMPRESSION 'gzip' FORMAT CSV
----
SELECT * FROM t1 AS a INNER JOIN t2 AS b ON a.id = b.id INNER JOIN t3 AS c ON b.id = c.id LEFT JOIN t4 d ON d.k = c.k
----
SELECT count() FROM t WHERE date BETWEEN toDate('2020-01-01') AND toDate('2020-01-31') AND hour IN (1, 2, 3) AND lower(name) LIKE '%x%'
----
WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 10) SELECT sum(n) FROM r
----
WITH cte1 AS (SELECT a FROM t), cte2 AS (SELECT a FROM cte1) SELECT * FROM cte2 INNER JOIN cte1 USING (a)
----
SELECT sum(x) OVER (PARTITION BY y ORDER BY z ASC ROWS 5 PRECEDING) AS moving, x - lag(x) OVER (ORDER BY z) FROM t
----
SELECT arrayJoin([1, 2, 3]) AS a, arrayJoin(arr) AS b FROM t
----
SELECT tupleElement(t, 'a'), t.a.b, untuple(t), (t AS tt).a FROM x
----
SELECT if(empty(name), 'n/a', name) AS name, length(splitByChar(',', tags)) AS n FROM t ORDER BY n DESC, name LIMIT 100
----
SELECT * FROM t WHERE ts > toDateTime64('2020-01-01 00:00:00.000', 3) AND ts < now64(3) AND status != 200 AND path NOT ILIKE '/health%'
----
SELECT toYear(d) AS y, toMonth(d) AS m, sum(v) FROM t GROUP BY y, m WITH CUBE ORDER BY y, m
----
SELECT anyLast(a), any(b), argMin(c, d), groupUniqArray(e), groupBitmap(f), stddevPop(g), corr(h, i), simpleLinearRegression(j, k) FROM t
----
SELECT bar(v, 0, 100, 20), toUInt8OrZero(s), parseDateTimeBestEffort(s2), formatDateTime(ts, '%Y'), cityHash64(a, b), reinterpretAsUInt64(c) FROM t
