## more than one statement
SELECT 1; DROP TABLE fct_orders
SELECT 1; SELECT 2
SELECT 1;; SELECT 2
; SELECT 1; DELETE FROM fct_orders
SELECT 1 ; /* c */ INSERT INTO fct_orders SELECT * FROM fct_orders
SELECT ';' ; SET memory_limit = '100GB'
SELECT $$;$$ ; ATTACH 'x.db'
SELECT 1;SELECT 1;
WITH a AS (SELECT 1) SELECT * FROM a; COPY a TO 'x'
EXPLAIN SELECT 1; DROP VIEW fct_orders
DESCRIBE fct_orders; DROP TABLE fct_orders
SHOW TABLES; PRAGMA database_list
BEGIN; SELECT 1; COMMIT
## statements that write or change
DROP TABLE fct_orders
DROP TABLE IF EXISTS fct_orders
DROP SCHEMA dbt CASCADE
DROP DATABASE demo
CREATE TABLE x AS SELECT * FROM fct_orders
CREATE TEMP TABLE x AS SELECT 1
CREATE OR REPLACE VIEW v AS SELECT * FROM fct_orders
CREATE MACRO m(x) AS x + 1
CREATE FUNCTION f(x) AS x + 1
CREATE INDEX i ON fct_orders (order_id)
CREATE SCHEMA s
CREATE SEQUENCE s
CREATE TYPE mood AS ENUM ('a')
CREATE SECRET s (TYPE s3, KEY_ID 'x')
CREATE PERSISTENT SECRET s (TYPE s3)
INSERT INTO fct_orders SELECT * FROM fct_orders
INSERT INTO fct_orders VALUES (1) RETURNING *
INSERT OR REPLACE INTO fct_orders VALUES (1)
UPDATE fct_orders SET status = 'x'
UPDATE fct_orders SET status = 'x' RETURNING *
DELETE FROM fct_orders
DELETE FROM fct_orders RETURNING *
TRUNCATE fct_orders
TRUNCATE TABLE fct_orders
MERGE INTO fct_orders t USING fct_orders s ON t.order_id = s.order_id WHEN MATCHED THEN DELETE
ALTER TABLE fct_orders ADD COLUMN x INT
ALTER TABLE fct_orders RENAME TO x
COMMENT ON TABLE fct_orders IS 'x'
VACUUM
VACUUM ANALYZE
ANALYZE
ANALYZE fct_orders
CHECKPOINT
FORCE CHECKPOINT
COPY fct_orders TO 'out.csv'
COPY (SELECT * FROM fct_orders) TO '/tmp/out.parquet' (FORMAT parquet)
COPY fct_orders FROM 'in.csv'
COPY FROM DATABASE demo TO x
EXPORT DATABASE 'dir'
IMPORT DATABASE 'dir'
ATTACH 'other.db' AS other
ATTACH DATABASE ':memory:' AS m
ATTACH IF NOT EXISTS 'postgres://x' AS pg (TYPE postgres)
DETACH demo
USE other
USE demo.raw
SET memory_limit = '100GB'
SET enable_external_access = true
SET GLOBAL lock_configuration = false
SET SESSION threads = 64
SET VARIABLE x = 1
SET search_path = 'raw'
SET schema = 'raw'
RESET memory_limit
RESET ALL
PRAGMA database_list
PRAGMA table_info('dim_customers')
PRAGMA enable_profiling
PRAGMA show_tables
PRAGMA memory_limit='1GB'
PRAGMA disable_verification
CALL pragma_version()
CALL dbgen(sf=1)
CALL force_checkpoint()
CALL enable_logging()
INSTALL httpfs
FORCE INSTALL httpfs
INSTALL spatial FROM community
LOAD httpfs
LOAD '/tmp/evil.duckdb_extension'
UPDATE EXTENSIONS
PREPARE p AS SELECT * FROM dim_customers
EXECUTE p
EXECUTE p(1)
DEALLOCATE p
DEALLOCATE PREPARE p
BEGIN TRANSACTION
START TRANSACTION
COMMIT
ROLLBACK
ABORT
GRANT SELECT ON fct_orders TO x
KILL 1
DO $$ BEGIN END $$
LISTEN x
LOCK TABLE fct_orders
REINDEX fct_orders
REFRESH MATERIALIZED VIEW v
.read /etc/passwd
.shell ls
!ls
## changes hidden in a query
WITH x AS (INSERT INTO fct_orders SELECT * FROM fct_orders RETURNING *) SELECT * FROM x
WITH x AS (DELETE FROM fct_orders RETURNING *) SELECT * FROM x
WITH x AS (UPDATE fct_orders SET status = 'x' RETURNING *) SELECT * FROM x
WITH x AS MATERIALIZED (DELETE FROM fct_orders RETURNING *) SELECT * FROM x
WITH x AS (SELECT 1) INSERT INTO fct_orders SELECT * FROM x
WITH x AS (SELECT 1) DELETE FROM fct_orders
WITH x AS (SELECT 1) UPDATE fct_orders SET status = 'x'
WITH x AS (SELECT 1) MERGE INTO fct_orders USING x ON true WHEN MATCHED THEN DELETE
FROM (DELETE FROM fct_orders RETURNING *)
SELECT * FROM (INSERT INTO fct_orders SELECT 1 RETURNING *) t
SELECT (DELETE FROM fct_orders RETURNING 1)
SELECT * INTO newtable FROM fct_orders
SELECT 1 INTO x
SELECT * FROM fct_orders FOR UPDATE
SELECT * FROM fct_orders FOR SHARE
SELECT nextval('s')
SELECT currval('s')
SELECT setseed(0.5)
SELECT write_log('x')
SELECT write_log('x', level := 'error')
## explain and describe of what is not allowed
EXPLAIN DROP TABLE fct_orders
EXPLAIN INSERT INTO fct_orders SELECT * FROM fct_orders
EXPLAIN ANALYZE DELETE FROM fct_orders
EXPLAIN ANALYZE CREATE TABLE x AS SELECT 1
EXPLAIN ANALYZE COPY fct_orders TO 'x.csv'
EXPLAIN ANALYZE SELECT * FROM dim_customers
EXPLAIN SELECT * FROM dim_customers
EXPLAIN (ANALYZE) UPDATE fct_orders SET status = 'x'
EXPLAIN (FORMAT json) SELECT * FROM read_csv('x.csv')
EXPLAIN EXPLAIN SELECT 1
EXPLAIN
DESCRIBE dim_customers
DESC dim_customers
DESCRIBE dbt.dim_customers
DESCRIBE raw.orders
DESCRIBE 'x.csv'
DESCRIBE "x.csv"
DESCRIBE SELECT * FROM dim_customers
DESCRIBE read_csv('x.csv')
DESCRIBE SELECT * FROM 'x.parquet'
DESCRIBE TABLE 'x.parquet'
SUMMARIZE dim_customers
SUMMARIZE 'x.parquet'
SUMMARIZE SELECT * FROM dim_customers
SUMMARIZE read_parquet('x.parquet')
SUMMARIZE fct_sessions
SHOW dim_customers
SHOW ALL TABLES
SHOW TABLES FROM raw
SHOW TABLES FROM information_schema
SHOW 'x.csv'
SHOW raw.orders
SELECT * FROM (SHOW ALL TABLES)
SELECT * FROM (SHOW TABLES FROM raw)
SELECT * FROM (DESCRIBE dim_customers)
SELECT * FROM (SUMMARIZE dim_customers)
SELECT * FROM (DESCRIBE 'x.csv')
FROM (SHOW dim_customers)
## files and the network
FROM 'data.csv'
SELECT * FROM 'data.csv'
SELECT * FROM 'data.parquet' t
SELECT * FROM '/etc/passwd'
SELECT * FROM 's3://bucket/x.parquet'
SELECT * FROM 'https://example.com/x.json'
SELECT * FROM "data.parquet"
SELECT * FROM "/etc/passwd"
SELECT * FROM "s3://bucket/x.parquet"
SELECT * FROM "*.csv"
SELECT * FROM "a/b"
SELECT * FROM E'data.csv'
SELECT * FROM $$data.csv$$
SELECT * FROM $t$data.csv$t$
FROM E'\x64ata.csv'
SELECT * FROM data.csv
SELECT * FROM dbt.csv
SELECT * FROM dbt.parquet
SELECT * FROM dbt."json"
SELECT * FROM demo.dbt.csv
SELECT * FROM dbt.'data.csv'
SELECT * FROM fct_orders, 'data.csv'
SELECT * FROM fct_orders JOIN 'data.csv' x ON true
SELECT * FROM fct_orders WHERE order_id IN (FROM 'data.csv')
SELECT (SELECT content FROM read_text('/etc/passwd'))
SELECT * FROM read_csv('/etc/passwd')
SELECT * FROM read_csv_auto('/etc/passwd')
SELECT * FROM READ_CSV('/etc/passwd')
SELECT * FROM "read_csv"('/etc/passwd')
SELECT * FROM main.read_csv('/etc/passwd')
SELECT * FROM system.main.read_csv('/etc/passwd')
SELECT * FROM read_parquet(['a.parquet', 'b.parquet'])
SELECT * FROM parquet_scan('a.parquet')
SELECT * FROM parquet_metadata('a.parquet')
SELECT * FROM parquet_schema('a.parquet')
SELECT * FROM parquet_file_metadata('a.parquet')
SELECT * FROM parquet_kv_metadata('a.parquet')
SELECT * FROM parquet_bloom_probe('a.parquet', 'x', 1)
SELECT * FROM read_json('a.json')
SELECT * FROM read_json_auto('a.json')
SELECT * FROM read_json_objects('a.json')
SELECT * FROM read_ndjson('a.json')
SELECT * FROM read_ndjson_objects('a.json')
SELECT * FROM read_text('/etc/passwd')
SELECT * FROM read_blob('/etc/passwd')
SELECT * FROM read_duckdb('x.db')
SELECT * FROM sniff_csv('x.csv')
SELECT * FROM glob('/*')
SELECT * FROM glob('**')
SELECT * FROM read_xlsx('x.xlsx')
SELECT * FROM st_read('x.shp')
SELECT * FROM delta_scan('x')
SELECT * FROM iceberg_scan('x')
SELECT * FROM sqlite_scan('x.db', 't')
SELECT * FROM postgres_scan('host=x', 'public', 't')
SELECT * FROM postgres_query('db', 'SELECT 1')
SELECT * FROM mysql_scan('x', 'y', 'z')
SELECT * FROM arrow_scan(1, 2, 3)
SELECT * FROM pandas_scan(1)
SELECT * FROM seq_scan('dim_customers')
SELECT read_text('/etc/passwd')
SELECT getenv('HOME')
SELECT 'HOME'.getenv()
SELECT list_transform(['HOME'], x -> getenv(x))
SELECT list_transform(['HOME'], lambda x: getenv(x))
SELECT [getenv(x) FOR x IN ['HOME']]
SELECT max(getenv('HOME')) OVER ()
SELECT 1 ORDER BY getenv('HOME')
SELECT 1 LIMIT (SELECT length(getenv('HOME')))
SELECT CASE WHEN getenv('A') IS NULL THEN 1 END
SELECT count(*) FILTER (WHERE getenv('A') = 'x') FROM fct_orders
SELECT * FROM fct_orders QUALIFY getenv('A') = 'x'
SELECT current_setting('memory_limit')
SELECT getvariable('x')
SELECT * REPLACE (getenv('A') AS order_id) FROM fct_orders
SELECT COLUMNS(c -> getenv(c) IS NULL) FROM fct_orders
SELECT unnest(read_csv('x'))
SELECT * FROM range(5) t(i), read_csv('x.csv')
SELECT * FROM fct_orders, LATERAL (SELECT * FROM read_text('/etc/passwd'))
SELECT * FROM (VALUES (1)) v(x) JOIN glob('*') g ON true
PIVOT read_csv('x.csv') ON a IN ('x') USING sum(b)
FROM read_csv('x.csv') SELECT *
TABLE "x.csv"
TABLE 'x.csv'
## other relations through functions
SELECT * FROM query('SELECT * FROM dim_customers')
SELECT * FROM query('DROP TABLE fct_orders')
SELECT * FROM query_table('dim_customers')
SELECT * FROM query_table(['dim_customers', 'fct_orders'])
FROM query_table($1)
SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT * FROM dim_customers'))
SELECT json_serialize_plan('SELECT * FROM dim_customers')
SELECT * FROM histogram('dim_customers', 'email')
SELECT * FROM histogram_values('dim_customers', 'email')
SELECT * FROM summary((SELECT 1))
SELECT * FROM duckdb_tables()
SELECT * FROM duckdb_columns()
SELECT * FROM duckdb_settings()
SELECT * FROM duckdb_secrets()
SELECT * FROM duckdb_functions()
SELECT * FROM duckdb_databases()
SELECT * FROM duckdb_extensions()
SELECT * FROM duckdb_logs()
SELECT * FROM duckdb_temporary_files()
SELECT * FROM duckdb_variables()
SELECT * FROM which_secret('s3://x', 's3')
SELECT * FROM pragma_table_info('dim_customers')
SELECT * FROM pragma_storage_info('dim_customers')
SELECT * FROM pragma_database_size()
SELECT * FROM pragma_show('dim_customers')
SELECT * FROM sql_auto_complete('SELECT * FROM dim')
SELECT * FROM test_all_types()
SELECT * FROM checkpoint()
SELECT * FROM force_checkpoint()
SELECT * FROM enable_logging()
SELECT * FROM enable_profiling()
SELECT * FROM truncate_duckdb_logs()
SELECT pg_get_viewdef('dim_customers')
SELECT has_table_privilege('dim_customers', 'SELECT')
SELECT sleep_ms(60000)
SELECT pg_sleep(60)
SELECT no_such_function(1)
SELECT dbt.my_macro(1)
SELECT * FROM my_table_macro(1)
## relations of the engine and of other databases
SELECT * FROM information_schema.tables
SELECT * FROM information_schema.columns WHERE table_name = 'dim_customers'
SELECT * FROM INFORMATION_SCHEMA.TABLES
SELECT * FROM "information_schema"."tables"
SELECT * FROM demo.information_schema.tables
SELECT * FROM pg_catalog.pg_class
SELECT * FROM pg_class
SELECT * FROM pg_tables
SELECT * FROM pg_settings
SELECT * FROM sqlite_master
SELECT * FROM sqlite_schema
SELECT * FROM duckdb_tables
SELECT * FROM duckdb_columns
SELECT * FROM "duckdb_views"
SELECT * FROM pragma_database_list
SELECT * FROM main.duckdb_tables
SELECT * FROM system.main.duckdb_tables
SELECT * FROM system.information_schema.tables
SELECT * FROM temp.x
SELECT * FROM raw.orders
SELECT * FROM RAW.orders
SELECT * FROM "raw".orders
SELECT * FROM demo.raw.orders
SELECT * FROM main.x
SELECT * FROM other.dbt.fct_orders
SELECT * FROM a.b.c.d
SELECT * FROM fct_orders o JOIN raw.customers c USING (customer_id)
## relations that are kept back, in every place
SELECT * FROM dim_customers
SELECT * FROM DIM_CUSTOMERS
SELECT * FROM "dim_customers"
SELECT * FROM "Dim_Customers"
SELECT * FROM dbt.dim_customers
SELECT * FROM DBT.DIM_CUSTOMERS
SELECT * FROM demo.dbt.dim_customers
SELECT * FROM "demo"."dbt"."dim_customers"
SELECT * FROM dim_customers AS fct_orders
SELECT * FROM fct_orders, dim_customers
SELECT * FROM (dim_customers)
SELECT * FROM ((dim_customers))
SELECT * FROM (fct_orders JOIN dim_customers USING (customer_id))
SELECT * FROM fct_orders LEFT JOIN dim_customers USING (customer_id)
SELECT * FROM fct_orders NATURAL JOIN dim_customers
SELECT * FROM fct_orders ASOF JOIN dim_customers ON fct_orders.ordered_at >= dim_customers.first_seen_at
SELECT * FROM fct_orders POSITIONAL JOIN dim_customers
SELECT * FROM fct_orders SEMI JOIN dim_customers USING (customer_id)
SELECT * FROM fct_orders ANTI JOIN dim_customers USING (customer_id)
SELECT * FROM fct_orders CROSS JOIN dim_customers
SELECT * FROM fct_orders, LATERAL (SELECT * FROM dim_customers LIMIT 1)
SELECT (SELECT max(email) FROM dim_customers)
SELECT EXISTS (SELECT 1 FROM dim_customers)
SELECT EXISTS (FROM dim_customers)
SELECT * FROM fct_orders WHERE customer_id IN (SELECT customer_id FROM dim_customers)
SELECT * FROM fct_orders WHERE customer_id = ANY (SELECT customer_id FROM dim_customers)
SELECT * FROM fct_orders WHERE (customer_id, 1) IN (FROM dim_customers SELECT customer_id, 1)
SELECT ARRAY(SELECT email FROM dim_customers)
SELECT * FROM fct_orders ORDER BY (SELECT max(email) FROM dim_customers)
SELECT count(*) FROM fct_orders GROUP BY (SELECT max(email) FROM dim_customers)
SELECT count(*) FROM fct_orders HAVING count(*) > (SELECT count(*) FROM dim_customers)
SELECT * FROM fct_orders LIMIT (SELECT count(*) FROM dim_customers)
SELECT * FROM fct_orders OFFSET (SELECT count(*) FROM dim_customers)
SELECT sum(1) OVER (ORDER BY (SELECT max(email) FROM dim_customers)) FROM fct_orders
SELECT sum(1) FILTER (WHERE EXISTS (FROM dim_customers)) FROM fct_orders
SELECT list_transform([1], x -> (SELECT count(*) FROM dim_customers))
SELECT {'a': (SELECT count(*) FROM dim_customers)}
SELECT MAP {'a': (SELECT count(*) FROM dim_customers)}
SELECT [x FOR x IN (SELECT list(email) FROM dim_customers)]
SELECT CASE WHEN true THEN (SELECT max(email) FROM dim_customers) END
SELECT * FROM unnest((SELECT list(email) FROM dim_customers))
SELECT * FROM range((SELECT count(*) FROM dim_customers))
WITH c AS (SELECT * FROM dim_customers) SELECT * FROM c
WITH dim_customers AS (SELECT * FROM dim_customers) SELECT * FROM dim_customers
WITH dim_customers AS (SELECT 1) SELECT * FROM dim_customers
WITH "DIM_CUSTOMERS" AS MATERIALIZED (FROM dbt.dim_customers) SELECT 1
WITH a AS (WITH b AS (SELECT * FROM dim_customers) SELECT * FROM b) SELECT * FROM a
WITH a AS (SELECT 1), b AS (SELECT * FROM a, dim_customers) SELECT 1
WITH fct_orders AS (SELECT 1) SELECT * FROM dbt.dim_customers
SELECT 1 UNION ALL SELECT customer_id FROM dim_customers
SELECT 1 UNION BY NAME FROM dim_customers
SELECT customer_id FROM fct_orders EXCEPT SELECT customer_id FROM dim_customers
SELECT customer_id FROM fct_orders INTERSECT (SELECT customer_id FROM dim_customers)
(SELECT 1) UNION (SELECT customer_id FROM dim_customers)
VALUES ((SELECT max(email) FROM dim_customers))
FROM dim_customers
FROM dim_customers SELECT email
FROM fct_orders, dim_customers SELECT 1
TABLE dim_customers
(TABLE dim_customers)
PIVOT dim_customers ON region_id IN (1) USING count(*)
SELECT * FROM dim_customers PIVOT (count(*) FOR region_id IN (1, 2))
SELECT * FROM (PIVOT dim_customers ON region_id IN (1) USING count(*))
UNPIVOT dim_customers ON email, name INTO NAME k VALUE v
SELECT * FROM dim_customers UNPIVOT (v FOR k IN (email, name))
PIVOT fct_orders ON status IN (SELECT email FROM dim_customers) USING count(*)
SELECT * FROM dim_customers TABLESAMPLE 10%
SELECT * FROM dim_customers USING SAMPLE 5
SELECT dim_customers FROM dim_customers
SELECT c FROM dim_customers c
SELECT c: email FROM dim_customers
FROM c: dim_customers
SELECT * FROM fct_orders o JOIN (SELECT * FROM dim_customers) d ON true
SELECT * FROM stg_customers
SELECT * FROM dbt.stg_customers LIMIT 1
## a filter is needed
SELECT count(*) FROM fct_sessions
SELECT * FROM fct_sessions WHERE channel = 'x'
SELECT * FROM fct_sessions WHERE started_at IS NOT NULL
SELECT * FROM fct_sessions WHERE started_at = started_at
SELECT * FROM fct_sessions WHERE started_at <> '2026-01-01'
SELECT * FROM fct_sessions WHERE started_at >= '2026-01-01' OR device = 'x'
SELECT * FROM fct_sessions WHERE NOT (started_at < '2026-01-01')
SELECT * FROM fct_sessions WHERE year(started_at) = 2026
SELECT * FROM fct_sessions WHERE strftime(started_at, '%Y') = '2026'
SELECT * FROM fct_sessions s LEFT JOIN fct_orders o ON s.started_at > '2026-01-01'
SELECT * FROM fct_sessions a, fct_sessions b WHERE a.started_at > '2026-01-01'
WITH s AS (SELECT * FROM fct_sessions) SELECT * FROM s WHERE started_at > '2026-01-01'
SELECT * FROM (SELECT * FROM fct_sessions) WHERE started_at > '2026-01-01'
SELECT (SELECT count(*) FROM fct_sessions) FROM fct_orders WHERE ordered_at > '2026-01-01'
SELECT * FROM fct_orders WHERE customer_id IN (SELECT customer_id FROM fct_sessions)
SELECT count(*) FROM fct_sessions HAVING max(started_at) > '2026-01-01'
SELECT 1 UNION ALL SELECT count(*) FROM fct_sessions
FROM fct_sessions
## bombs
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t
WITH RECURSIVE t(n) AS (SELECT 1 UNION SELECT n + 1 FROM t) SELECT * FROM t LIMIT 10
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE true) SELECT * FROM t
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT a.n + 1 FROM t a, t b WHERE a.n < 100) SELECT * FROM t
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL (SELECT n + 1 FROM t)) SELECT * FROM t
SELECT * FROM range(1000000000000)
SELECT range(10000000000)
SELECT count(*) FROM generate_series(1, 1e15)
SELECT repeat('x', 10000000000)
## comments, quotes and blanks
SELECT 1 /* never closed
SELECT 1 /* a /* b */; DROP TABLE fct_orders
SELECT 1 */ FROM fct_orders
SELECT 'never closed
SELECT "never closed
SELECT $$never closed
SELECT $a$ x $b$
SELECT '''; DROP TABLE fct_orders
SELECT 1 FROM/**/dim_customers
SELECT 1 FROM--x
/* SELECT */ DELETE FROM fct_orders
--SELECT
( DELETE FROM fct_orders )
((((SELECT 1)
SELECT 1))
SELECT [1)
SELECT 1 FROM fct_orders WHERE (status = 'x'
SELECT U&"dim\005fcustomers"
SELECT * FROM U&"d\0069m_customers"
SELECT U&'\0041'
SELECT \ FROM fct_orders
SELECT ` FROM fct_orders
SELECT * FROM `dim_customers`
## what the grammar has and no question needs
SELECT * FROM fct_orders AT (VERSION => 1)
SELECT * FROM fct_orders AT (TIMESTAMP => now())
SELECT 1 OPTION (x)
SELECT 1 FORMAT JSON
SELECT 1 SETTINGS threads = 1
SELECT * FROM IDENTIFIER('dim_customers')
SELECT * FROM {{ ref('dim_customers') }}
{{ config() }} SELECT 1
SELECT * FROM ?
SELECT * FROM $1
SELECT * FROM :name
SELECT * FROM fct_orders WHERE CURRENT OF c
SELECT 1 PROCEDURE ANALYSE(1)
EXISTS TABLE fct_orders
HELP
SELECT
WITH
FROM
()
1
"SELECT 1\u0000; DROP TABLE fct_orders"
"SELECT 'a\u0000b'"
"SELECT * FROM dim_customers"
"SELECT 1 ; DROP TABLE fct_orders"
"SELECT　1"
"﻿SELECT 1; DROP TABLE fct_orders"
"﻿DROP TABLE fct_orders"
"SELECT 1 -- x\rDROP TABLE fct_orders"
"SELECT 1 -- x\r; DROP TABLE fct_orders"
"SELECT 1 -- x\n; DROP TABLE fct_orders"
"SELECT 1 /* ‮ */ FROM fct_orders"
"SELECT 1 -- ⁦ hidden ⁩\n"
"SELECT * FROM dim​_customers"
"SELECT * FROM \"dim_customers\"\t"
"SELECT *\nFROM\n  dim_customers\n"
"SELECT *\nFROM -- x\n /* y */ dim_customers\n"
"SELECT\u000b1"
"SELECT \u001b[31m1"
"DROP\nTABLE\nfct_orders"
"SELECT ‘x’ FROM fct_orders"
"SELECT 1；DROP TABLE fct_orders"
" "
";"
"-- only a comment"
"/* only a comment */ ;"
