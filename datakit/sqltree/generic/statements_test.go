package generic

import (
	"testing"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/internal/treetest"
)

// utilities has the statements that the tree has no type for, and those that differ
// between dialects, with what is read of them; as in constructs.
var utilities = []struct {
	dialect sqltree.Dialect
	sql     string
	want    []string
}{
	// What a statement is about.
	{sqltree.DuckDB, "COPY s.t (a, b) TO 'x.csv' (HEADER)", []string{"Other{Kind:COPY} COPY s.t (a, b) TO 'x.csv' (HEADER)", "Name s.t", "Name s.t", "Ident{Name:a} a", "Ident{Name:b} b"}},
	{sqltree.DuckDB, "COPY t FROM 'x.csv'", []string{"Other{Kind:COPY Writes} COPY t FROM 'x.csv'", "Name t", "Name t"}},
	{sqltree.DuckDB, "COPY (FROM t) TO 'x'", []string{"Query FROM t", "TableRef t"}},
	{sqltree.Snowflake, "COPY INTO @s/x FROM t PARTITION BY (a)", []string{"Other{Kind:COPY} COPY INTO @s/x FROM t PARTITION BY (a)", "Name t", "Name t"}},
	{sqltree.Snowflake, "COPY INTO t (a) FROM @s", []string{"Other{Kind:COPY Writes} COPY INTO t (a) FROM @s", "Name t", "Name t", "Ident{Name:a} a"}},
	{sqltree.BigQuery, "EXPORT DATA OPTIONS (uri = 'x') AS SELECT a FROM d.t", []string{"Other{Kind:EXPORT DATA} EXPORT DATA OPTIONS (uri = 'x') AS SELECT a FROM d.t", "Query SELECT a FROM d.t"}},
	{sqltree.Generic, "UNLOAD ('select a from t') TO 's3://x'", []string{"Other{Kind:UNLOAD} UNLOAD ('select a from t') TO 's3://x'", "Query select a from t", "TableRef t"}},
	{sqltree.DuckDB, "VACUUM ANALYZE t (a)", []string{"Other{Kind:VACUUM} VACUUM ANALYZE t (a)", "Name t", "Ident{Name:a} a"}},
	{sqltree.DuckDB, "SUMMARIZE s.t", []string{"Other{Kind:SUMMARIZE} SUMMARIZE s.t", "Name s.t", "Name s.t"}},
	{sqltree.DuckDB, "SHOW t", []string{"Other{Kind:SHOW} SHOW t", "Name t"}},
	{sqltree.DuckDB, "FROM (DESCRIBE t) SELECT column_name", []string{"Opaque{Mentions} DESCRIBE t", "TableRef t"}},
	{sqltree.DuckDB, "FROM (SUMMARIZE SELECT a FROM t) s", []string{"Derived (SUMMARIZE SELECT a FROM t) s", "Opaque SUMMARIZE SELECT a FROM t", "Derived SELECT a FROM t", "TableRef t"}},
	{sqltree.MySQL, "DESCRIBE db.t a", []string{"Other{Kind:DESCRIBE} DESCRIBE db.t a", "Name db.t", "Name db.t", "Ident{Name:a} a"}},
	{sqltree.MySQL, "SHOW FULL COLUMNS FROM t FROM db LIKE 'x'", []string{"Other{Kind:SHOW} SHOW FULL COLUMNS FROM t FROM db LIKE 'x'", "Name t FROM db", "Ident{Name:db} db", "Ident{Name:t} t"}},
	{sqltree.MySQL, "SHOW CREATE TABLE t", []string{"Name t"}},
	{sqltree.MySQL, "LOCK TABLES a READ, b AS x WRITE", []string{"Name a", "Name a", "Name b"}},
	{sqltree.MySQL, "OPTIMIZE LOCAL TABLE a, b", []string{"Name a", "Name a", "Name b"}},
	{sqltree.MySQL, "CHECK TABLE a, db.b FOR UPGRADE", []string{"Name a", "Name db.b"}},
	{sqltree.MySQL, "ANALYZE NO_WRITE_TO_BINLOG TABLE a UPDATE HISTOGRAM ON b", []string{"Name a"}},
	{sqltree.MySQL, "FLUSH TABLES a, b FOR EXPORT", []string{"Name a", "Name b"}},
	{sqltree.MySQL, "RENAME TABLE a TO b, c TO a", []string{"Name a", "Name c"}},
	{sqltree.MySQL, "LOAD DATA INFILE 'f' INTO TABLE t FIELDS TERMINATED BY ',' (a, @b) SET c = @b + d", []string{
		"Other{Kind:LOAD DATA Writes} LOAD DATA INFILE 'f' INTO TABLE t FIELDS TERMINATED BY ',' (a, @b) SET c = @b + d", "Name t", "Name t", "Ident{Name:a} a", "Column c", "Op{Name:+} @b + d", "Column d"}},
	{sqltree.MySQL, "GRANT SELECT (a, b), INSERT ON db.t TO u", []string{"Name db.t", "Ident{Name:a} a", "Ident{Name:b} b"}},
	{sqltree.Snowflake, "GRANT SELECT ON TABLE s.t TO ROLE r", []string{"Other{Kind:GRANT} GRANT SELECT ON TABLE s.t TO ROLE r", "Name s.t"}},
	{sqltree.Snowflake, "SHOW PRIMARY KEYS IN TABLE s.t", []string{"Name s.t"}},
	{sqltree.Snowflake, "CREATE STREAM s ON TABLE db.t APPEND_ONLY = TRUE", []string{"Name s", "Name db.t"}},
	{sqltree.ClickHouse, "EXCHANGE TABLES a AND b", []string{"Name a", "Name b"}},
	{sqltree.ClickHouse, "OPTIMIZE TABLE db.t FINAL", []string{"Name db.t", "Name db.t"}},
	{sqltree.SQLite, "PRAGMA main.foreign_key_check(t)", []string{"Name main.foreign_key_check", "Name t"}},
	{sqltree.BigQuery, "DROP ALL ROW ACCESS POLICIES ON d.t", []string{"Name d.t"}},
	{sqltree.BigQuery, "CREATE SEARCH INDEX i ON d.t (a)", []string{"Name i", "Name d.t", "Ident{Name:a} a"}},

	// Values and conditions.
	{sqltree.DuckDB, "SET VARIABLE x = (SELECT max(a) FROM t)", []string{"Other{Kind:SET} SET VARIABLE x = (SELECT max(a) FROM t)", "Subquery{Kind:SCALAR} (SELECT max(a) FROM t)"}},
	{sqltree.MySQL, "SET @a = 1, @b = @a IN (SELECT c FROM t), GLOBAL d = ON", []string{"Literal{Kind:2 Value:1} 1", "Subquery{Kind:IN} @a IN (SELECT c FROM t)"}},
	{sqltree.Snowflake, "CALL p(1, x => (SELECT a FROM t))", []string{"Name p", "Literal{Kind:2 Value:1} 1", "Subquery{Kind:SCALAR} (SELECT a FROM t)"}},
	{sqltree.BigQuery, "CREATE ROW ACCESS POLICY p ON d.t GRANT TO ('u') FILTER USING (a = 1)", []string{"Name p ON d.t", "Name d.t", "Op{Name:=} a = 1"}},
	{sqltree.ClickHouse, "CREATE ROW POLICY p ON t FOR SELECT USING a IN (1, 2) TO ALL", []string{"Name p ON t", "Name t", "Op{Name:IN} a IN (1, 2)"}},
	{sqltree.Snowflake, "CREATE MASKING POLICY p AS (v STRING) RETURNS STRING -> CASE WHEN v IN (SELECT a FROM t) THEN v END", []string{
		"Lambda (v STRING) RETURNS STRING -> CASE WHEN v IN (SELECT a FROM t) THEN v END", "Ident{Name:v} v", "Subquery{Kind:IN} v IN (SELECT a FROM t)"}},
	{sqltree.BigQuery, "DECLARE d DATE DEFAULT (SELECT max(a) FROM t); SELECT d, e FROM t", []string{"Subquery{Kind:SCALAR} (SELECT max(a) FROM t)", "Param{Name:d} d", "Column e"}},

	// Statements inside of others.
	{sqltree.MySQL, "PREPARE p FROM 'SELECT a FROM t'", []string{"Name p", "Query SELECT a FROM t"}},
	{sqltree.Snowflake, "EXECUTE IMMEDIATE $$ DELETE FROM t $$", []string{"Other{Kind:EXECUTE IMMEDIATE} EXECUTE IMMEDIATE $$ DELETE FROM t $$", "Delete DELETE FROM t"}},
	{sqltree.Snowflake, "EXECUTE IMMEDIATE 'SELECT ' || x", []string{"Other{Kind:EXECUTE IMMEDIATE} EXECUTE IMMEDIATE 'SELECT ' || x"}},
	{sqltree.MySQL, "CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO DELETE FROM t WHERE a", []string{"Name e", "Delete DELETE FROM t WHERE a"}},
	{sqltree.Snowflake, "CREATE TASK k SCHEDULE = '1 minute' AS INSERT INTO t SELECT a FROM s", []string{"Name k", "Insert INSERT INTO t SELECT a FROM s"}},
	{sqltree.Snowflake, "CREATE PIPE p AS COPY INTO t FROM @s", []string{"Name p", "Other{Kind:COPY Writes} COPY INTO t FROM @s"}},
	{sqltree.Snowflake, "CREATE DYNAMIC TABLE d TARGET_LAG = '1 minute' WAREHOUSE = w AS SELECT a FROM t", []string{"CreateTable CREATE DYNAMIC TABLE d TARGET_LAG = '1 minute' WAREHOUSE = w AS SELECT a FROM t", "Query SELECT a FROM t"}},
	{sqltree.BigQuery, "CREATE MODEL d.m OPTIONS (x = 1) AS SELECT a FROM t", []string{"Name d.m", "Query SELECT a FROM t"}},
	{sqltree.Snowflake, "INSERT FIRST WHEN a > 1 THEN INTO t (b) VALUES (c) ELSE INTO u SELECT a, c FROM v", []string{
		"InsertAll INSERT FIRST WHEN a > 1 THEN INTO t (b) VALUES (c) ELSE INTO u SELECT a, c FROM v", "InsertBranch WHEN a > 1 THEN INTO t (b) VALUES (c)", "TableRef t", "Ident{Name:b} b",
		"InsertBranch ELSE INTO u", "TableRef u", "Query SELECT a, c FROM v"}},
	{sqltree.MariaDB, "ANALYZE FORMAT=JSON SELECT a FROM t", []string{"Explain{Analyze} ANALYZE FORMAT=JSON SELECT a FROM t", "TableRef t"}},

	// Changes of rows.
	{sqltree.SQLite, "INSERT INTO t (a) VALUES (1) ON CONFLICT (a) DO NOTHING ON CONFLICT (b) DO UPDATE SET c = 1", []string{
		"Conflict ON CONFLICT (a) DO NOTHING ON CONFLICT (b) DO UPDATE SET c = 1", "Column a", "Conflict{Excluded:excluded} ON CONFLICT (b) DO UPDATE SET c = 1", "Column b"}},
	{sqltree.SQLite, "WITH x AS (SELECT 1) REPLACE INTO t SELECT * FROM x", []string{"Insert WITH x AS (SELECT 1) REPLACE INTO t SELECT * FROM x", "CTE x AS (SELECT 1)"}},
	{sqltree.SQLite, "UPDATE t SET a = 1 RETURNING b ORDER BY c LIMIT 1", []string{"OrderItem c", "SelectItem b"}},
	{sqltree.MySQL, "INSERT INTO t (t.a, db.t.b) VALUES (1, 2)", []string{"Ident{Name:a} a", "Ident{Name:b} b"}},
	{sqltree.DuckDB, "INSERT INTO t BY NAME SELECT 1 AS a", []string{"Insert{ByName} INSERT INTO t BY NAME SELECT 1 AS a"}},
	{sqltree.DuckDB, "MERGE INTO t USING s USING (a, b) WHEN MATCHED THEN UPDATE WHEN NOT MATCHED THEN INSERT RETURNING c", []string{
		"TableRef s", "Ident{Name:a} a", "Ident{Name:b} b", "MergeWhen WHEN NOT MATCHED THEN INSERT", "SelectItem c"}},
	{sqltree.MariaDB, "DELETE HISTORY FROM t BEFORE SYSTEM_TIME '2020-01-01'", []string{"TableRef t BEFORE SYSTEM_TIME '2020-01-01'"}},
	{sqltree.MariaDB, "UPDATE t FOR PORTION OF p FROM '2020-01-01' TO '2021-01-01' SET a = 1", []string{"TableRef t FOR PORTION OF p FROM '2020-01-01' TO '2021-01-01'", "Assignment a = 1"}},
	{sqltree.ClickHouse, "ALTER TABLE t UPDATE a = 1 IN PARTITION 5 WHERE b", []string{"Assignment a = 1", "Column b"}},

	// Definitions.
	{sqltree.SQLite, "CREATE TRIGGER g AFTER DELETE ON t BEGIN UPDATE u SET b = OLD.b; SELECT RAISE(IGNORE); END", []string{
		"Update UPDATE u SET b = OLD.b", "Column OLD.b", "Func RAISE(IGNORE)", "Literal{Kind:4 Value:IGNORE} IGNORE"}},
	{sqltree.DuckDB, "CREATE MACRO f(a, b := 1) AS TABLE SELECT c FROM t WHERE d = a", []string{
		"CreateFunction CREATE MACRO f(a, b := 1) AS TABLE SELECT c FROM t WHERE d = a", "Parameter a", "Parameter b := 1", "Query SELECT c FROM t WHERE d = a"}},
	{sqltree.BigQuery, "CREATE TABLE FUNCTION d.f(x INT64) AS SELECT a FROM t WHERE b = x", []string{"CreateFunction CREATE TABLE FUNCTION d.f(x INT64) AS SELECT a FROM t WHERE b = x", "Parameter x INT64", "Query SELECT a FROM t WHERE b = x"}},
	{sqltree.DuckDB, "CREATE TYPE m AS ENUM (SELECT a FROM t)", []string{"CreateType{Kind:ENUM} CREATE TYPE m AS ENUM (SELECT a FROM t)", "Query SELECT a FROM t"}},
	{sqltree.DuckDB, "CREATE TABLE x AS UNPIVOT t ON a INTO NAME n VALUE v", []string{"CreateTable CREATE TABLE x AS UNPIVOT t ON a INTO NAME n VALUE v", "TableRef t"}},
	{sqltree.ClickHouse, "CREATE DICTIONARY d (id UInt64, a String DEFAULT '') PRIMARY KEY id LAYOUT(FLAT())", []string{"CreateTable CREATE DICTIONARY d (id UInt64, a String DEFAULT '') PRIMARY KEY id LAYOUT(FLAT())", "ColumnDef id UInt64", "ColumnDef a String DEFAULT ''"}},
	{sqltree.BigQuery, "CREATE TABLE d.c CLONE `p.d.t`", []string{"Name `p.d.t`", "Ident{Name:d Quoted} d", "Ident{Name:t Quoted} t"}},
	{sqltree.MySQL, "CREATE INDEX i ON t (a) INVISIBLE ALGORITHM = INPLACE", []string{"Option{Key:INVISIBLE} INVISIBLE", "Option{Key:ALGORITHM Value:INPLACE} ALGORITHM = INPLACE"}},
	{sqltree.MySQL, "CREATE TABLE t (a INT, KEY USING BTREE (a))", []string{"ColumnDef a INT", "CreateIndex{Method:BTREE} KEY USING BTREE (a)"}},
	{sqltree.DuckDB, "ALTER TABLE IF EXISTS t DROP COLUMN IF EXISTS a", []string{"AlterTable{Kind:TABLE IfExists} ALTER TABLE IF EXISTS t DROP COLUMN IF EXISTS a", "AlterAction{Kind:DROP COLUMN IfExists} DROP COLUMN IF EXISTS a"}},
	{sqltree.DuckDB, "ALTER TABLE t ADD COLUMN a.b INT", []string{"AlterAction{Kind:ALTER COLUMN} ADD COLUMN a.b INT", "Ident{Name:a} a"}},
	{sqltree.DuckDB, "ALTER TABLE t RENAME a.b TO c", []string{"AlterAction{Kind:ALTER COLUMN} RENAME a.b TO c", "Ident{Name:a} a"}},
	{sqltree.ClickHouse, "ALTER TABLE t RENAME COLUMN n.a TO n.b, MODIFY COLUMN c REMOVE TTL", []string{"Ident{Name:n.a} n.a", "Ident{Name:n.b} n.b", "AlterAction{Kind:ALTER COLUMN} MODIFY COLUMN c REMOVE TTL"}},
	{sqltree.Snowflake, "ALTER TABLE t ADD COLUMN a INT, b VARCHAR, c INT", []string{"AlterAction{Kind:ADD COLUMN} ADD COLUMN a INT", "AlterAction{Kind:ADD COLUMN} b VARCHAR", "AlterAction{Kind:ADD COLUMN} c INT"}},
	{sqltree.Snowflake, "ALTER TABLE t DROP COLUMN a, b", []string{"AlterAction{Kind:DROP COLUMN} DROP COLUMN a", "AlterAction{Kind:DROP COLUMN} b"}},
	{sqltree.Snowflake, "ALTER TABLE t MODIFY COLUMN a SET MASKING POLICY p, COLUMN b DROP NOT NULL", []string{"AlterAction{Kind:ALTER COLUMN} MODIFY COLUMN a SET MASKING POLICY p", "AlterAction{Kind:DROP NOT NULL} COLUMN b DROP NOT NULL"}},
	{sqltree.MySQL, "ALTER TABLE t ADD COLUMN (a INT, b INT)", []string{"ColumnDef a INT", "AlterAction{Kind:ADD COLUMN} b INT"}},
	{sqltree.MySQL, "ALTER TABLE t RENAME u", []string{"AlterAction{Kind:RENAME} RENAME u", "Ident{Name:u} u"}},
	{sqltree.MySQL, "DROP USER a@b, c", []string{"Name a", "Name c"}},
}

func TestParse_Utilities(t *testing.T) {
	for _, c := range utilities {
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
