SELECT a:b.c::int, a:b[0].c, a:"Quoted Key".x, a['k']['l'], t.v:x::string AS s, src:customer[0].name::varchar(10) FROM t
----
SELECT f.value:name::string, f.index, f.key FROM t, LATERAL FLATTEN(input => t.v:items) f
----
SELECT * FROM t, LATERAL FLATTEN(INPUT => PARSE_JSON(t.doc), PATH => 'a.b', OUTER => TRUE, RECURSIVE => FALSE, MODE => 'OBJECT') AS f(seq, key, path, index, value, this)
----
SELECT seq4(), uniform(1, 10, random()) FROM TABLE(GENERATOR(ROWCOUNT => 10)) v
----
SELECT * FROM TABLE(my_udtf(1, 'x')) AS u JOIN t ON t.a = u.a
----
SELECT * FROM TABLE(FLATTEN(input => parse_json('[1,2]'))) f
----
SELECT * FROM TABLE(RESULT_SCAN(LAST_QUERY_ID()))
----
SELECT $1, $2:a::int, t.$3 FROM @my_stage/path/file.csv (FILE_FORMAT => 'fmt', PATTERN => '.*') t
----
SELECT * FROM @~/x, @%tbl, @db.schema.stage
----
SELECT a, row_number() OVER (PARTITION BY b ORDER BY c DESC NULLS LAST) AS rn FROM t QUALIFY rn = 1 AND count(*) OVER (PARTITION BY b) > 1
----
SELECT * EXCLUDE (a, b), t.* RENAME (c AS d), * ILIKE '%id%' REPLACE (1 AS x), * EXCLUDE a FROM t
----
SELECT DATEADD(day, -7, CURRENT_DATE()), DATEDIFF(month, a, b), DATE_TRUNC('week', d), DATE_TRUNC(month, d), DATE_PART(epoch_second, d), LAST_DAY(d, quarter), TRUNC(d, 'MONTH'), TIMESTAMPADD(hour, 1, ts), EXTRACT(dayofweek FROM d) FROM t
----
SELECT iff(a > 1, 'x', 'y'), nvl(a, 0), zeroifnull(b), a::number(10,2), to_date(c, 'YYYY'), try_to_number(d), TRY_CAST(e AS INT), cast(f AS timestamp_ntz(9)) FROM t
----
SELECT LISTAGG(DISTINCT a, ', ') WITHIN GROUP (ORDER BY b DESC), ARRAY_AGG(x) WITHIN GROUP (ORDER BY y), PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY z) OVER (PARTITION BY k), approx_count_distinct(u), object_agg(k, v::variant) FROM t
----
SELECT first_value(a) IGNORE NULLS OVER (ORDER BY b ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), lag(a, 1) RESPECT NULLS OVER (ORDER BY b), nth_value(a, 2) FROM FIRST OVER (ORDER BY b) FROM t
----
SELECT * FROM t AT (TIMESTAMP => '2020-01-01'::timestamp) a JOIN u BEFORE (STATEMENT => 'id') b ON a.x = b.x
----
SELECT * FROM t AT(OFFSET => -60*5)
----
SELECT * FROM t CHANGES (INFORMATION => DEFAULT) AT (TIMESTAMP => $ts)
----
SELECT * FROM t SAMPLE (10), u TABLESAMPLE BERNOULLI (20.3), v SAMPLE ROW (3), w SAMPLE SYSTEM (3) SEED (82), x SAMPLE (10 ROWS)
----
SELECT * FROM monthly PIVOT (SUM(amount) FOR month IN ('JAN', 'FEB')) AS p (id, jan, feb) ORDER BY id
----
SELECT * FROM monthly UNPIVOT INCLUDE NULLS (sales FOR month IN (jan, feb)) u
----
SELECT * FROM stock MATCH_RECOGNIZE (PARTITION BY company ORDER BY price_date MEASURES MATCH_NUMBER() AS n, LAST(price) AS p ONE ROW PER MATCH PATTERN (strt down+ up*) DEFINE down AS price < LAG(price)) AS m ORDER BY n
----
SELECT * FROM quotes q ASOF JOIN trades t MATCH_CONDITION (q.ts >= t.ts) ON q.sym = t.sym
----
SELECT employee, SYS_CONNECT_BY_PATH(title, ' -> '), LEVEL, CONNECT_BY_ROOT title AS root FROM employees START WITH title = 'President' CONNECT BY manager_id = PRIOR employee_id ORDER BY 1
----
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS v (id, name)
----
SELECT column1, $2 FROM VALUES (1, 'one'), (2, 'two')
----
SELECT {'a': 1, 'b': x}, [1, 2, 3], OBJECT_CONSTRUCT('k', v), {*} FROM t
----
SELECT FILTER(arr, x -> x > 1), TRANSFORM(arr, x INT -> x * 2), REDUCE(arr, 0, (acc, x) -> acc + x) FROM t
----
SELECT a FROM t1 UNION ALL SELECT b FROM t2 MINUS SELECT c FROM t3 INTERSECT SELECT d FROM t4
----
SELECT TOP 10 a, b, FROM t ORDER BY a
----
SELECT 'it''s', 'esc\'d', 'tab\t', $$raw 'text'$$ -- comment
// another comment
FROM dual
----
WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT * FROM r
----
WITH a (x) AS (SELECT 1), b AS (SELECT x FROM a) SELECT * FROM b, a
----
SELECT a, sum(b) FROM t GROUP BY ALL HAVING sum(b) > 1
----
SELECT a, b, sum(c) FROM t GROUP BY GROUPING SETS ((a), (b), ()), CUBE (a, b)
----
SELECT IDENTIFIER('my_col'), IDENTIFIER($v) FROM IDENTIFIER('db.s.t') x JOIN TABLE($tbl) y ON x.a = y.a
----
SELECT :1, :name, ?, $var, &x FROM t
----
SELECT "MixedCase", lower("x") FROM "Db"."Schema"."Table" "al"
----
SELECT CASE WHEN a THEN 1 ELSE 0 END::int, (a + b)::varchar, -a::int, NOT a::boolean FROM t
----
SELECT a LIKE ANY ('x%', 'y%'), b ILIKE ALL ('a', 'b'), c RLIKE '^x', d REGEXP 'y', a LIKE 'x^%' ESCAPE '^', e NOT ILIKE ANY ('q') FROM t
----
SELECT * FROM a NATURAL LEFT JOIN b LEFT OUTER JOIN LATERAL (SELECT * FROM c WHERE c.x = a.x) l
----
SELECT a FROM t LIMIT 10 OFFSET 5
----
SELECT a FROM t ORDER BY a FETCH FIRST 10 ROWS ONLY
----
SELECT a FROM t FETCH 10
----
SELECT DISTINCT a, COUNT(DISTINCT b, c), COUNT(*), MAX(a) AS "max a", COUNT_IF(x > 1) FROM t
----
INSERT INTO t (a, b) VALUES (1, PARSE_JSON('{}')), (2, DEFAULT)
----
INSERT OVERWRITE INTO t SELECT * FROM u
----
INSERT INTO t SELECT $1, $2 FROM VALUES (1, 2)
----
INSERT ALL INTO t1 VALUES (a) INTO t2 (x, y) VALUES (a, b) SELECT a, b FROM src
----
INSERT FIRST WHEN a > 1 THEN INTO t1 ELSE INTO t2 SELECT a FROM src
----
UPDATE t SET a = s.a, b = DEFAULT FROM s WHERE t.id = s.id
----
DELETE FROM t USING s, u WHERE t.id = s.id AND s.k = u.k
----
MERGE INTO t AS x USING (SELECT * FROM s) AS y ON x.id = y.id WHEN MATCHED AND y.del = 1 THEN DELETE WHEN MATCHED THEN UPDATE SET x.v = y.v, v2 = y.v2 WHEN NOT MATCHED THEN INSERT (id, v) VALUES (y.id, y.v)
----
MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE ALL BY NAME WHEN NOT MATCHED THEN INSERT ALL BY NAME
----
CREATE OR REPLACE TRANSIENT TABLE db.s.t (
  id NUMBER(38, 0) NOT NULL AUTOINCREMENT START 1 INCREMENT 1 COMMENT 'the id',
  k INT IDENTITY(1, 1) ORDER,
  v VARIANT, o OBJECT, arr ARRAY, g GEOGRAPHY, ts TIMESTAMP_LTZ(9) DEFAULT CURRENT_TIMESTAMP(), vec VECTOR(FLOAT, 256),
  name VARCHAR(100) COLLATE 'en-ci' WITH MASKING POLICY p USING (name, id) WITH TAG (cost = 'x'),
  calc NUMBER AS (id * 2),
  CONSTRAINT pk PRIMARY KEY (id) NOT ENFORCED RELY,
  FOREIGN KEY (k) REFERENCES other (k) ON DELETE CASCADE,
  UNIQUE (name)
) CLUSTER BY (id, TO_DATE(ts)) DATA_RETENTION_TIME_IN_DAYS = 1 COMMENT = 'a table'
----
CREATE TABLE x CLONE y AT (TIMESTAMP => '2020-01-01'::timestamp)
----
CREATE TABLE x LIKE y
----
CREATE TABLE x AS SELECT a:b::int AS c FROM t
----
CREATE TABLE IF NOT EXISTS x (a INT, b VARCHAR) AS SELECT 1, 'x'
----
CREATE OR REPLACE DYNAMIC TABLE d TARGET_LAG = '1 minute' WAREHOUSE = wh AS SELECT * FROM t
----
CREATE EXTERNAL TABLE e (c VARCHAR AS (value:c1::varchar)) PARTITION BY (c) LOCATION = @stage/x FILE_FORMAT = (TYPE = PARQUET)
----
CREATE OR REPLACE SECURE VIEW v (a COMMENT 'first', b) COMMENT = 'view' AS SELECT 1, 2
----
CREATE MATERIALIZED VIEW mv CLUSTER BY (a) AS SELECT a FROM t
----
CREATE RECURSIVE VIEW rv (a) AS SELECT 1
----
CREATE SEQUENCE s START = 1 INCREMENT = 1
----
CREATE OR REPLACE FUNCTION f(a NUMBER, b VARCHAR) RETURNS NUMBER LANGUAGE SQL AS $$ a + 1 $$
----
CREATE FUNCTION g(x INT) RETURNS TABLE (a INT, b VARCHAR) AS 'select 1, 2'
----
CREATE OR REPLACE PROCEDURE p(a INT) RETURNS VARCHAR LANGUAGE JAVASCRIPT EXECUTE AS CALLER AS $$ return "x;y"; $$
----
CREATE PROCEDURE q() RETURNS INT LANGUAGE SQL AS
BEGIN
  LET x INT := 1;
  IF (x > 0) THEN
    RETURN x;
  END IF;
  RETURN CASE WHEN x = 1 THEN 2 ELSE 3 END;
END
----
CREATE STAGE st URL = 's3://x/' FILE_FORMAT = (TYPE = CSV)
----
CREATE FILE FORMAT ff TYPE = CSV FIELD_DELIMITER = ','
----
CREATE TASK tk WAREHOUSE = wh SCHEDULE = '5 minute' AS INSERT INTO t SELECT * FROM u
----
CREATE STREAM st ON TABLE t APPEND_ONLY = TRUE
----
CREATE WAREHOUSE wh WITH WAREHOUSE_SIZE = 'XSMALL' AUTO_SUSPEND = 60
----
CREATE MASKING POLICY mp AS (val STRING) RETURNS STRING -> CASE WHEN CURRENT_ROLE() = 'A' THEN val ELSE '***' END
----
COPY INTO t FROM @stage/x FILE_FORMAT = (TYPE = CSV SKIP_HEADER = 1) ON_ERROR = CONTINUE
----
COPY INTO t (a, b) FROM (SELECT $1, $2 FROM @stage/x) PATTERN = '.*csv'
----
COPY INTO @stage/out FROM (SELECT a FROM t) FILE_FORMAT = (TYPE = PARQUET)
----
PUT file:///tmp/x @stage
----
ALTER TABLE t ADD COLUMN a INT, b VARCHAR DEFAULT 'x'
----
ALTER TABLE t CLUSTER BY (a)
----
ALTER TABLE t SWAP WITH u
----
ALTER WAREHOUSE wh SET WAREHOUSE_SIZE = LARGE
----
ALTER SESSION SET TIMEZONE = 'UTC'
----
USE WAREHOUSE wh
----
SHOW TABLES LIKE 'x%' IN SCHEMA s
----
DESC TABLE t
----
GRANT SELECT ON ALL TABLES IN SCHEMA s TO ROLE r
----
UNDROP TABLE t
----
TRUNCATE TABLE IF EXISTS t
----
DROP TABLE t RESTRICT
----
CALL p(1, 'x')
----
EXECUTE IMMEDIATE $$ BEGIN RETURN 1; END $$
----
SET x = (SELECT max(a) FROM t)
----
UNSET x
----
EXPLAIN USING TEXT SELECT * FROM t
----
BEGIN
  LET c CURSOR FOR SELECT a FROM t;
  FOR r IN c DO
    INSERT INTO u VALUES (r.a);
  END FOR;
  RETURN 'done';
END
----
DECLARE x INT DEFAULT 1
----
SELECT t.value:a.b AS "a.b", GET_PATH(v, 'a.b'), v:a IS NULL, v:a = 'x', max(v:n::float) OVER (PARTITION BY v:k::string) FROM t WHERE v:status::string IN ('a', 'b') GROUP BY v:k ORDER BY v:z DESC
----
SELECT a ilike 'x' AND b between v:lo::int and v:hi::int OR c in (select v:id::int from t2) FROM t
----
SELECT array_construct(1, 2)[0]::int, split(a, ',')[1], arr[0:2], obj:arr[0]:x FROM t
----
SELECT SYSTEM$TYPEOF(a), SNOWFLAKE.CORTEX.COMPLETE('m', b), METADATA$FILENAME FROM t
----
SELECT interval '1 day', dateadd('day', 1, a), a + INTERVAL '2 hours, 3 minutes', '2020-01-01'::date - 1, timestamp '2020-01-01', date '2020-01-01' FROM t
----
SELECT ANY_VALUE(a), MODE(b), GROUPING(a, b), GROUPING_ID(a), HASH(*), HASH(t.*), COUNT(t.*) FROM t GROUP BY ROLLUP (a, b)
