## more than one statement
SELECT 1; DROP TABLE fct_orders
SELECT 1; SELECT 2
SELECT 1;; SELECT 2
SELECT ';' ; TRUNCATE TABLE fct_orders
SELECT $$;$$ ; SYSTEM SHUTDOWN
WITH a AS (SELECT 1) SELECT * FROM a; INSERT INTO fct_orders VALUES (1)
EXPLAIN SELECT 1; DROP VIEW fct_orders
DESCRIBE fct_orders; DROP TABLE fct_orders
SHOW TABLES; SET readonly = 0
## statements that write, change or steer
DROP TABLE fct_orders
DROP TABLE IF EXISTS fct_orders SYNC
DROP DATABASE dbt
DROP DICTIONARY d
DROP USER u
DROP ROLE r
DROP FUNCTION f
CREATE TABLE x ENGINE = Memory AS SELECT * FROM fct_orders
CREATE TEMPORARY TABLE x AS SELECT 1
CREATE VIEW v AS SELECT * FROM fct_orders
CREATE MATERIALIZED VIEW v TO x AS SELECT 1
CREATE FUNCTION f AS (x) -> x + 1
CREATE DATABASE d
CREATE DICTIONARY d (k UInt64) PRIMARY KEY k SOURCE(HTTP(URL 'http://x')) LAYOUT(FLAT()) LIFETIME(1)
CREATE USER u IDENTIFIED BY 'x'
CREATE ROLE r
CREATE ROW POLICY p ON fct_orders USING 1
CREATE QUOTA q
CREATE SETTINGS PROFILE p SETTINGS readonly = 0
CREATE NAMED COLLECTION c AS a = 1
CREATE TABLE u (x String) ENGINE = URL('http://x', 'CSV')
REPLACE TABLE fct_orders ENGINE = Memory AS SELECT 1
INSERT INTO fct_orders SELECT * FROM fct_orders
INSERT INTO fct_orders VALUES (1)
INSERT INTO fct_orders FORMAT CSV 1,2,3
INSERT INTO FUNCTION file('x.csv') SELECT * FROM fct_orders
INSERT INTO FUNCTION url('http://x') SELECT * FROM fct_orders
INSERT INTO TABLE FUNCTION s3('http://x', 'CSV') SELECT 1
INSERT INTO fct_orders FROM INFILE 'x.csv' FORMAT CSV
ALTER TABLE fct_orders DELETE WHERE 1
ALTER TABLE fct_orders UPDATE status = 'x' WHERE 1
ALTER TABLE fct_orders ADD COLUMN x Int8
ALTER TABLE fct_orders DROP PARTITION ID 'x'
ALTER TABLE fct_orders FREEZE
ALTER TABLE fct_orders ATTACH PARTITION tuple() FROM x
ALTER USER default IDENTIFIED BY 'x'
DELETE FROM fct_orders WHERE 1
UPDATE fct_orders SET status = 'x' WHERE 1
TRUNCATE TABLE fct_orders
TRUNCATE DATABASE dbt
OPTIMIZE TABLE fct_orders FINAL
RENAME TABLE fct_orders TO x
EXCHANGE TABLES fct_orders AND fct_refunds
ATTACH TABLE x
DETACH TABLE fct_orders
DETACH TABLE fct_orders PERMANENTLY
UNDROP TABLE x
BACKUP TABLE fct_orders TO Disk('d', 'x')
BACKUP DATABASE dbt TO S3('http://x', 'a', 'b')
RESTORE TABLE fct_orders FROM Disk('d', 'x')
SYSTEM SHUTDOWN
SYSTEM KILL
SYSTEM RELOAD CONFIG
SYSTEM RELOAD DICTIONARIES
SYSTEM DROP DNS CACHE
SYSTEM STOP MERGES
SYSTEM FLUSH LOGS
SYSTEM SYNC REPLICA x
KILL QUERY WHERE 1
KILL QUERY WHERE user = 'default' SYNC
KILL MUTATION WHERE 1
SET max_memory_usage = 0
SET readonly = 0
SET ROLE admin
SET DEFAULT ROLE admin TO u
SET TRANSACTION SNAPSHOT 1
USE system
GRANT SELECT ON *.* TO u
GRANT ALL ON *.* TO u WITH GRANT OPTION
REVOKE SELECT ON *.* FROM u
WATCH v
CHECK TABLE fct_orders
CHECK ALL TABLES
CHECK GRANT SELECT ON x
BEGIN TRANSACTION
COMMIT
ROLLBACK
MOVE USER u TO x
EXECUTE AS admin SELECT 1
PARALLEL WITH SELECT 1
ASSUME x
COPY fct_orders TO 'x'
HANDLER x
DO 1
CALL f()
SHUTDOWN
## clauses that a query may not have
SELECT 1 FORMAT JSON
SELECT 1 FORMAT Null
SELECT * FROM fct_orders FORMAT CSV
SELECT 1 format TabSeparated
SELECT 1 AS x FORMAT CSV
SELECT 1 FORMAT `CSV`
SELECT 1 INTO OUTFILE '/tmp/x'
SELECT * FROM fct_orders INTO OUTFILE 'x.csv' FORMAT CSV
SELECT 1 INTO OUTFILE 'x' APPEND
SELECT 1 INTO OUTFILE 'x' TRUNCATE COMPRESSION 'gzip'
SELECT 1 into outfile 'x'
SELECT 1 SETTINGS max_threads = 1
SELECT * FROM fct_orders SETTINGS readonly = 0
SELECT * FROM fct_orders WHERE 1 SETTINGS max_execution_time = 0
SELECT * FROM fct_orders LIMIT 1 SETTINGS max_rows_to_read = 0
SELECT * FROM (SELECT * FROM fct_orders SETTINGS max_threads = 99)
SELECT (SELECT 1 SETTINGS max_threads = 99)
WITH a AS (SELECT 1 SETTINGS max_threads = 99) SELECT * FROM a
SELECT 1 UNION ALL SELECT 2 SETTINGS max_threads = 99
SELECT 1 SETTINGS max_threads = 1 FORMAT JSON
SELECT 1 SETTINGS max_threads = 1, readonly = 0
SELECT 1 settings allow_ddl = 1
SELECT 1 FROM fct_orders PREWHERE 1 SETTINGS a = 1
SELECT 1 LIMIT 1 FORMAT Pretty SETTINGS a = 1
SELECT 1 SETTINGS a = 'x'
SELECT 1 SETTINGS profile = 'admin'
EXPLAIN SELECT 1 FORMAT JSON
EXPLAIN SELECT 1 SETTINGS a = 1
SHOW TABLES FORMAT JSON
SHOW TABLES INTO OUTFILE 'x'
DESCRIBE fct_orders FORMAT JSON
DESCRIBE fct_orders SETTINGS describe_compact_output = 1
SELECT * FROM fct_orders PARALLEL WITH DROP TABLE fct_orders
VALUES (1) INTO OUTFILE 'x'
## changes hidden in a query
WITH x AS (SELECT 1) INSERT INTO fct_orders SELECT * FROM x
WITH x AS (INSERT INTO fct_orders SELECT 1) SELECT * FROM x
WITH x AS (DELETE FROM fct_orders WHERE 1) SELECT * FROM x
SELECT * FROM (DROP TABLE fct_orders)
SELECT (TRUNCATE TABLE fct_orders)
FROM (INSERT INTO fct_orders SELECT 1)
SELECT * INTO x FROM fct_orders
## explain, describe, show and exists
EXPLAIN
EXPLAIN DROP TABLE fct_orders
EXPLAIN AST DROP TABLE fct_orders
EXPLAIN AST INSERT INTO fct_orders SELECT 1
EXPLAIN SYNTAX INSERT INTO fct_orders SELECT 1
EXPLAIN EXPLAIN SELECT 1
EXPLAIN SELECT * FROM dim_customers
EXPLAIN AST SELECT * FROM dim_customers
EXPLAIN SYNTAX SELECT * FROM dim_customers
EXPLAIN QUERY TREE SELECT * FROM dim_customers
EXPLAIN PLAN indexes = 1 SELECT * FROM dim_customers
EXPLAIN ESTIMATE SELECT * FROM dim_customers
EXPLAIN PIPELINE SELECT * FROM url('http://x', 'CSV')
EXPLAIN max_threads = 1 SELECT 1
EXPLAIN indexes = 1, readonly = 0 SELECT 1
EXPLAIN TABLE OVERRIDE mysql('x:1', 'd', 't', 'u', 'p') PARTITION BY x
EXPLAIN CURRENT TRANSACTION
EXPLAIN ANALYZE SELECT * FROM dim_customers
DESCRIBE dim_customers
DESC dim_customers
DESCRIBE TABLE dim_customers
DESCRIBE TABLE dbt.dim_customers
DESCRIBE system.users
DESCRIBE url('http://x', 'CSV')
DESCRIBE TABLE file('x.csv')
DESCRIBE TABLE s3('http://x')
DESCRIBE TABLE (SELECT * FROM dim_customers)
DESCRIBE (SELECT * FROM file('x.csv'))
DESCRIBE SELECT * FROM dim_customers
DESC TABLE remote('x', system.one)
SHOW CREATE TABLE dim_customers
SHOW CREATE dim_customers
SHOW CREATE VIEW dim_customers
SHOW CREATE DICTIONARY d
SHOW CREATE DATABASE dbt
SHOW CREATE USER default
SHOW CREATE QUOTA q
SHOW CREATE ROW POLICY p
SHOW COLUMNS FROM dim_customers
SHOW COLUMNS FROM dim_customers FROM dbt
SHOW COLUMNS FROM users FROM system
SHOW FULL COLUMNS IN dim_customers IN dbt
SHOW INDEX FROM dim_customers
SHOW TABLES FROM system
SHOW TABLES IN information_schema
SHOW TABLES WHERE 1
SHOW PROCESSLIST
SHOW GRANTS
SHOW GRANTS FOR default
SHOW USERS
SHOW ROLES
SHOW ACCESS
SHOW PROFILES
SHOW POLICIES
SHOW QUOTAS
SHOW QUOTA
SHOW SETTINGS LIKE 'max%'
SHOW CHANGED SETTINGS LIKE '%'
SHOW SETTING max_threads
SHOW CLUSTERS
SHOW CLUSTER 'x'
SHOW ENGINES
SHOW FUNCTIONS
SHOW MERGES
SHOW DICTIONARIES
SHOW FILESYSTEM CACHES
SHOW PRIVILEGES
SHOW dim_customers
EXISTS dim_customers
EXISTS TABLE dim_customers
EXISTS TABLE system.users
EXISTS DATABASE system
EXISTS DICTIONARY d
EXISTS TEMPORARY TABLE x
SUMMARIZE fct_orders
## files, the network, programs
SELECT * FROM file('x.csv')
SELECT * FROM file('/etc/passwd', 'LineAsString')
SELECT * FROM FILE('x.csv')
SELECT * FROM `file`('x.csv')
SELECT * FROM "file"('x.csv')
SELECT file('/etc/passwd')
SELECT * FROM fileCluster('c', 'x')
SELECT * FROM url('http://x', 'CSV', 'a String')
SELECT * FROM urlCluster('c', 'http://x')
SELECT * FROM s3('http://x/y.csv')
SELECT * FROM s3Cluster('c', 'http://x')
SELECT * FROM gcs('http://x')
SELECT * FROM azureBlobStorage('x', 'y', 'z')
SELECT * FROM hdfs('hdfs://x')
SELECT * FROM hdfsCluster('c', 'hdfs://x')
SELECT * FROM iceberg('http://x')
SELECT * FROM icebergLocal('/x')
SELECT * FROM icebergS3('http://x')
SELECT * FROM deltaLake('http://x')
SELECT * FROM deltaLakeLocal('/x')
SELECT * FROM hudi('http://x')
SELECT * FROM paimonLocal('/x')
SELECT * FROM remote('127.0.0.1', system.one)
SELECT * FROM remote('127.0.0.1', dbt, dim_customers)
SELECT * FROM remoteSecure('x', system.one)
SELECT * FROM cluster('default', dbt.dim_customers)
SELECT * FROM cluster(default, dbt, dim_customers)
SELECT * FROM clusterAllReplicas('default', system.one)
SELECT * FROM mysql('x:3306', 'd', 't', 'u', 'p')
SELECT * FROM postgresql('x:5432', 'd', 't', 'u', 'p')
SELECT * FROM mongodb('x:1', 'd', 'c', 'u', 'p', 'a String')
SELECT * FROM redis('x:1', 'k', 'k String')
SELECT * FROM sqlite('x.db', 't')
SELECT * FROM jdbc('dsn', 's', 't')
SELECT * FROM odbc('dsn', 's', 't')
SELECT * FROM executable('x.py', 'CSV', 'a String')
SELECT * FROM input('a String')
SELECT * FROM format(CSV, '1,2')
SELECT * FROM dictionary('d')
SELECT * FROM merge('dbt', '.*')
SELECT * FROM merge(dbt, 'dim_cust.*')
SELECT * FROM merge('^dim')
SELECT * FROM view(SELECT * FROM dim_customers)
SELECT * FROM viewIfPermitted(SELECT * FROM dim_customers ELSE null('a Int8'))
SELECT * FROM viewExplain('EXPLAIN', '', (SELECT 1))
SELECT * FROM eval('SELECT * FROM dim_customers')
SELECT * FROM loop(dbt.dim_customers)
SELECT * FROM loop(dim_customers)
SELECT * FROM mergeTreeIndex(dbt, dim_customers)
SELECT * FROM mergeTreeProjection(dbt, dim_customers, p)
SELECT * FROM mergeTreeTextIndex(dbt, dim_customers, p)
SELECT * FROM timeSeriesData(dbt.x)
SELECT * FROM timeSeriesSelector(dbt.x, 'up')
SELECT * FROM prometheusQuery(dbt.x, 'up', now())
SELECT * FROM generateRandom('a Int8')
SELECT * FROM fuzzQuery('SELECT 1')
SELECT * FROM fuzzJSON(x)
SELECT * FROM null('a Int8')
SELECT * FROM ytsaurus('x', 'y', 'z')
SELECT * FROM arrowstream('x')
SELECT * FROM filesystem('/')
SELECT * FROM no_such_function(1)
SELECT * FROM fct_orders JOIN url('http://x', 'CSV', 'a Int8') u ON 1
SELECT * FROM fct_orders, file('x.csv')
SELECT * FROM fct_orders WHERE order_id IN (SELECT a FROM url('http://x', 'CSV', 'a Int64'))
SELECT * FROM fct_orders WHERE order_id IN url('http://x', 'CSV', 'a Int64')
SELECT (SELECT a FROM file('x.csv', 'CSV', 'a Int8'))
SELECT * FROM numbers((SELECT toUInt64(count()) FROM dim_customers))
SELECT aiGenerate('x', 'y')
SELECT aiEmbed('x', 'y')
SELECT chdb('SELECT 1')
SELECT catboostEvaluate('/x', 1)
SELECT evalMLMethod(x, 1) FROM fct_orders
SELECT my_executable_udf(1)
SELECT arrayMap(x -> file(x), ['/etc/passwd'])
SELECT * APPLY(file) FROM fct_orders
SELECT * APPLY(x -> file(x)) FROM fct_orders
SELECT * APPLY(x -> getSetting('a')) FROM fct_orders
SELECT * APPLY(x -> (SELECT count() FROM dim_customers)) FROM fct_orders
SELECT * APPLY(x -> x IN dim_customers) FROM fct_orders
SELECT * REPLACE(file('x') AS order_id) FROM fct_orders
SELECT sum(file('x')) FROM fct_orders
SELECT 1 ORDER BY file('x')
SELECT 1 LIMIT 1 BY file('x')
SELECT 1 WHERE file('x') = ''
SELECT 1 FROM fct_orders PREWHERE file('x') = ''
SELECT arrayJoin([file('x')])
SELECT 1 FROM fct_orders ARRAY JOIN [file('x')] AS y
WITH file('x') AS y SELECT y
SELECT if(1, file('x'), '')
SELECT 1 ? file('x') : ''
SELECT CAST(file('x') AS String)
SELECT file('x')::String
SELECT [file('x')], (file('x'), 1), map('a', file('x'))
SELECT {'a': file('x')}
## other relations and state through functions
SELECT dictGet('d', 'a', 1)
SELECT dictGetString('d', 'a', 1)
SELECT dictGetOrDefault('d', 'a', 1, 0)
SELECT dictHas('d', 1)
SELECT dictGetHierarchy('d', 1)
SELECT DICTGET('d', 'a', 1)
SELECT joinGet('dbt.x', 'a', 1)
SELECT joinGetOrNull(dbt.x, 'a', 1)
SELECT hasColumnInTable('dbt', 'dim_customers', 'email')
SELECT hasColumnInTable('h', 'u', 'p', 'dbt', 'dim_customers', 'email')
SELECT in(1, dim_customers)
SELECT notIn(1, dim_customers)
SELECT globalIn(1, dim_customers)
SELECT nullIn(1, dim_customers)
SELECT notNullIn(1, dim_customers)
SELECT inIgnoreSet(1, dim_customers)
SELECT globalNotIn(1, dim_customers)
SELECT `in`(1, dim_customers)
SELECT sleep(3)
SELECT sleepEachRow(3) FROM numbers(100)
SELECT getSetting('max_threads')
SELECT getSettingOrDefault('x', 1)
SELECT getServerSetting('x')
SELECT getMergeTreeSetting('x')
SELECT getMacro('x')
SELECT getServerPort('tcp_port')
SELECT getClientHTTPHeader('Authorization')
SELECT getOSKernelVersion()
SELECT hostName(), FQDN(), tcpPort(), serverUUID(), uptime(), buildId()
SELECT hostname()
SELECT currentUser(), currentRoles(), enabledProfiles()
SELECT user()
SELECT showCertificate()
SELECT filesystemAvailable(), filesystemCapacity()
SELECT addressToLine(1)
SELECT logTrace('x')
SELECT generateSerialID('x')
SELECT transactionID()
SELECT zookeeperSessionUptime()
SELECT queryID()
SELECT tid()
SELECT isMergeTreePartCoveredBy('a', 'b')
SELECT __getScalar('x')
SELECT regionToName(1)
SELECT icebergTruncate2(1)
SELECT fileIf(1)
SELECT dictGetArray('d')
## relations of the engine and of other databases
SELECT * FROM system.users
SELECT * FROM system.tables
SELECT * FROM system.query_log
SELECT * FROM system.settings
SELECT * FROM system.one
SELECT * FROM system.numbers LIMIT 1
SELECT * FROM `system`.`processes`
SELECT * FROM "system".columns
SELECT * FROM system.`named_collections`
SELECT * FROM SYSTEM.users
SELECT * FROM information_schema.tables
SELECT * FROM INFORMATION_SCHEMA.COLUMNS
SELECT * FROM default.x
SELECT * FROM DBT.fct_orders
SELECT * FROM Dbt.fct_orders
SELECT * FROM raw.orders
SELECT * FROM dbt.a.b
SELECT * FROM `dbt.fct_orders`
SELECT * FROM `.inner.mv`
SELECT * FROM `.inner_id.0000`
SELECT * FROM dbt.`.inner.mv`
SELECT * FROM `x/y`
SELECT * FROM ``
SELECT * FROM `dim\x5fcustomers`
SELECT * FROM "dim\x5fcustomers"
SELECT * FROM fct_orders o JOIN system.users u ON 1
SELECT 1 IN system.users
SELECT 1 IN (system.users)
SELECT 1 NOT IN system.users
SELECT 1 GLOBAL IN system.users
SELECT (1, 2) IN system.users
SELECT 1 IN `system`.`users`
SELECT count() FROM fct_orders WHERE region IN raw.customers
## relations that are kept back, in every place
SELECT * FROM dim_customers
SELECT * FROM `dim_customers`
SELECT * FROM "dim_customers"
SELECT * FROM dbt.dim_customers
SELECT * FROM `dbt`.`dim_customers`
SELECT * FROM dbt . dim_customers
SELECT * FROM DIM_CUSTOMERS
SELECT * FROM dim_customers AS fct_orders
SELECT * FROM dim_customers FINAL
SELECT * FROM dim_customers SAMPLE 0.1
SELECT * FROM fct_orders, dim_customers
SELECT * FROM (SELECT * FROM dim_customers)
SELECT * FROM fct_orders ANY LEFT JOIN dim_customers USING (customer_id)
SELECT * FROM fct_orders GLOBAL JOIN dim_customers USING customer_id
SELECT * FROM fct_orders ASOF JOIN dim_customers ON fct_orders.customer_id = dim_customers.customer_id AND ordered_at > first_order_at
SELECT * FROM fct_orders SEMI LEFT JOIN dim_customers USING (customer_id)
SELECT * FROM fct_orders LEFT ANTI JOIN dim_customers USING (customer_id)
SELECT * FROM fct_orders CROSS JOIN dim_customers
SELECT * FROM fct_orders PASTE JOIN dim_customers
SELECT 1 IN dim_customers
SELECT 1 IN (dim_customers)
SELECT 1 IN dbt.dim_customers
SELECT 1 IN (dbt.dim_customers)
SELECT 1 NOT IN (dim_customers)
SELECT 1 GLOBAL NOT IN dim_customers
SELECT * FROM fct_orders WHERE customer_id IN dim_customers
SELECT * FROM fct_orders WHERE customer_id IN (SELECT customer_id FROM dim_customers)
SELECT * FROM fct_orders WHERE customer_id GLOBAL IN (SELECT customer_id FROM dim_customers)
SELECT * FROM fct_orders PREWHERE customer_id IN (SELECT customer_id FROM dim_customers)
SELECT (SELECT max(country) FROM dim_customers)
SELECT EXISTS (SELECT 1 FROM dim_customers)
SELECT count() FROM fct_orders HAVING count() > (SELECT count() FROM dim_customers)
SELECT * FROM fct_orders ORDER BY (SELECT count() FROM dim_customers)
SELECT * FROM fct_orders LIMIT (SELECT count() FROM dim_customers)
SELECT * FROM fct_orders LIMIT 1 BY (SELECT count() FROM dim_customers)
SELECT sum(1) OVER (ORDER BY (SELECT max(country) FROM dim_customers)) FROM fct_orders
SELECT arrayMap(x -> (SELECT count() FROM dim_customers), [1])
SELECT arrayMap(x -> x IN (SELECT customer_id FROM dim_customers), [1])
SELECT if((SELECT count() FROM dim_customers) > 0, 1, 2)
SELECT tuple((SELECT count() FROM dim_customers))
SELECT [(SELECT count() FROM dim_customers)]
SELECT {'a': (SELECT count() FROM dim_customers)}
SELECT sumIf(1, customer_id IN (SELECT customer_id FROM dim_customers)) FROM fct_orders
SELECT quantile((SELECT 0.5 FROM dim_customers))(revenue) FROM fct_orders
SELECT 1 ? (SELECT count() FROM dim_customers) : 0
WITH (SELECT count() FROM dim_customers) AS n SELECT n
WITH c AS (SELECT * FROM dim_customers) SELECT * FROM c
WITH dim_customers AS (SELECT 1) SELECT * FROM dim_customers
WITH dim_customers AS (SELECT * FROM dim_customers) SELECT 1
WITH a AS (WITH b AS (SELECT * FROM dim_customers) SELECT * FROM b) SELECT * FROM a
WITH x AS (SELECT 1) SELECT 1 UNION ALL SELECT customer_id FROM dim_customers
SELECT 1 UNION ALL SELECT customer_id FROM dim_customers
SELECT 1 UNION DISTINCT (SELECT customer_id FROM dim_customers)
SELECT customer_id FROM fct_orders EXCEPT SELECT customer_id FROM dim_customers
SELECT customer_id FROM fct_orders INTERSECT SELECT customer_id FROM dim_customers
(SELECT customer_id FROM dim_customers)
FROM dim_customers
FROM dim_customers SELECT email
FROM fct_orders, dim_customers SELECT 1
SELECT * FROM dim_customers ARRAY JOIN [1] AS x
SELECT x FROM fct_orders ARRAY JOIN (SELECT groupArray(country) FROM dim_customers) AS x
SELECT columns('.*') FROM dim_customers
SELECT dim_customers.* FROM dim_customers
SELECT * FROM stg_customers
SELECT * FROM {t:Identifier}
SELECT {c:Identifier} FROM fct_orders
SELECT * FROM dbt.{t:Identifier}
SELECT 1 IN {t:Identifier}
SELECT * FROM {{ ref('dim_customers') }}
SELECT * FROM 'x.csv'
SELECT * FROM ?
TABLE dim_customers
PIVOT dim_customers ON x
WITH dim_customers AS t SELECT 1 IN t
WITH dim_customers AS t SELECT * FROM fct_orders WHERE order_id IN (t)
SELECT dim_customers AS t, 1 IN t
SELECT (dim_customers AS t) IN t
SELECT 1 IN (dim_customers AS t)
SELECT 1 IN (system.users AS z)
SELECT 1 IN ((dim_customers AS t) AS u)
SELECT arrayMap(x -> x IN (dim_customers), [1])
SELECT 1 IN (((dim_customers)))
SELECT arrayMap(file, ['x'])
SELECT arrayFilter(getSetting, ['x'])
SELECT * FROM values('a String DEFAULT file(1)', ('x'))
SELECT {a: (SELECT 1 FROM dim_customers)}
## a filter is needed
WITH fct_sessions AS t SELECT 1 IN t
SELECT count() FROM fct_sessions
SELECT count() FROM fct_sessions WHERE device = 'x'
SELECT count() FROM fct_sessions PREWHERE device = 'x'
SELECT count() FROM fct_sessions WHERE started_at != '2026-01-01'
SELECT count() FROM fct_sessions WHERE session_day >= '2026-01-01' OR device = 'x'
SELECT count() FROM fct_sessions WHERE NOT session_day < '2026-01-01'
SELECT count() FROM fct_sessions WHERE toDayOfWeek(session_day) = 1
SELECT count() FROM fct_sessions WHERE formatDateTime(session_day, '%Y') = '2026'
SELECT count() FROM fct_sessions WHERE session_day = session_day
SELECT count() FROM (SELECT * FROM fct_sessions) WHERE session_day >= '2026-01-01'
SELECT count() FROM fct_orders WHERE order_id IN (SELECT order_id FROM fct_sessions)
SELECT count() FROM fct_orders WHERE order_id IN fct_sessions
WITH s AS (SELECT * FROM fct_sessions) SELECT * FROM s WHERE session_day >= '2026-01-01'
SELECT count() FROM fct_sessions HAVING max(session_day) > '2026-01-01'
SELECT count() FROM fct_orders o LEFT JOIN fct_sessions s ON s.session_day >= '2026-01-01' AND s.order_id = o.order_id
## bombs
SELECT * APPLY(sum) FORMAT Null
SELECT * APPLY(x -> x IN sum) FROM fct_orders
SELECT * APPLY sum FORMAT JSON
SELECT number AS n FROM numbers(3) ORDER BY n WITH FILL INTERPOLATE (n AS (SELECT max(customer_id) FROM dim_customers))
SELECT number AS n FROM numbers(3) ORDER BY n WITH FILL INTERPOLATE (n AS file('x'))
SELECT number AS n FROM numbers(3) ORDER BY n WITH FILL INTERPOLATE (n AS n IN dim_customers)
WITH x -> x AS file SELECT file('/etc/passwd')
WITH 1 AS file SELECT file('/etc/passwd')
WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t) SELECT count() FROM t
WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t WHERE 1) SELECT count() FROM t
WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT a.n + 1 FROM t AS a, t AS b WHERE a.n < 100) SELECT count() FROM t
SELECT * FROM numbers(1000000000000)
SELECT * FROM numbers_mt(1e15)
SELECT * FROM zeros(1000000000000)
SELECT range(1000000000000)
SELECT repeat('x', 10000000000)
SELECT * FROM generate_series(1, 10000000000000)
## comments, quotes and blanks
SELECT 1 /* never closed
SELECT 1 */ FROM fct_orders
SELECT 'never closed
SELECT 'a\'
SELECT "never closed
SELECT `never closed
SELECT $$never closed
SELECT $a$ x $b$
SELECT '\''; DROP TABLE fct_orders
SELECT 1 FROM/**/dim_customers
/* SELECT */ DROP TABLE fct_orders
--SELECT
# SELECT 1
#! SELECT 1
( DROP TABLE fct_orders )
((((SELECT 1)
SELECT 1))
SELECT [1)
SELECT {1)
SELECT \ FROM fct_orders
SELECT ‘x’
SELECT “x” FROM fct_orders
SELECT 1 − 1
SELECT größe FROM fct_orders
SELECT
WITH
FROM
()
1
## what no question needs
SELECT * FROM fct_orders FOR UPDATE
SELECT 1 INTO x
HELP
SELECT * FROM 1abc
SELECT * FROM fct_orders OPTION (x)
"SELECT 1\u0000; DROP TABLE fct_orders"
"SELECT 'a\u0000b'"
"SELECT * FROM dim_customers"
"SELECT 1"
"SELECT 1 ; DROP TABLE fct_orders"
"﻿SELECT 1"
"﻿DROP TABLE fct_orders"
"SELECT 1 -- x\rDROP TABLE fct_orders"
"SELECT 1 -- x\n; DROP TABLE fct_orders"
"SELECT 1 # x\n; DROP TABLE fct_orders"
"SELECT 1 /* ‮ */ FROM fct_orders"
"SELECT * FROM dim​_customers"
"SELECT *\nFROM\n  dim_customers\n"
"SELECT *\nFROM -- x\n /* y */ dim_customers\n"
"SELECT *\nFROM # x\n dim_customers\n"
"SELECT 1\nFORMAT\nJSON"
"SELECT 1\nSETTINGS -- x\n max_threads = 1"
"SELECT\u000b1"
"SELECT \u001b[31m1"
"SELECT 1；DROP TABLE fct_orders"
" "
";"
"-- only a comment"
