package wiretest

import (
	"database/sql"
	"net"
	"os"
	"strings"
	"testing"

	driver "github.com/go-sql-driver/mysql"
	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/connecttest"
)

func TestMain(m *testing.M) { os.Exit(dbtest.Main(m)) }

func TestPostgres_Records(t *testing.T) {
	d := connecttest.Postgres(t)
	through, p := Postgres(t, d.DSN)
	through.Query.Set("application_name", "me")
	through.Query.Set("sslmode", "prefer")
	pg, err := pgx.Connect(t.Context(), through.String())
	if err != nil {
		t.Fatal(err)
	}
	defer pg.Close(t.Context())
	if _, err := pg.PgConn().Exec(t.Context(), "CREATE TABLE t (a int); INSERT INTO t VALUES (1)").ReadAll(); err != nil {
		t.Fatal(err)
	}
	var n int
	if err := pg.QueryRow(t.Context(), " SELECT a FROM t WHERE a = $1", 1).Scan(&n); err != nil || n != 1 {
		t.Fatal(n, err)
	}
	want := []Statement{{"Query", "CREATE TABLE t (a int); INSERT INTO t VALUES (1)"}, {"Parse", "SELECT a FROM t WHERE a = $1"}}
	if diff := cmp.Diff(want, p.Take()); diff != "" {
		t.Errorf("statements (-want +got):\n%s", diff)
	}
	if len(p.Take()) != 0 {
		t.Error("they are not forgotten")
	}
	if s := p.Sessions(); len(s) != 1 || s[0]["application_name"] != "me" || s[0]["database"] != d.Database {
		t.Errorf("sessions %v", s)
	}
}

func TestMySQL_Records(t *testing.T) {
	through, p := MySQL(t, connecttest.MariaDB(t).DSN)
	config := driver.NewConfig()
	config.User, config.Net, config.Addr, config.DBName = through.User, "tcp", net.JoinHostPort(through.Host, through.Port), through.Database
	config.MultiStatements, config.TLSConfig = true, "preferred"
	config.ConnectionAttributes = "program_name:me"
	connector, err := driver.NewConnector(config)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	if _, err := db.Exec("CREATE TABLE t (a int); INSERT INTO t VALUES (1)"); err != nil {
		t.Fatal(err)
	}
	var n int
	if err := db.QueryRow("SELECT a FROM t WHERE a = ?", 1).Scan(&n); err != nil || n != 1 {
		t.Fatal(n, err)
	}
	want := []Statement{{"COM_QUERY", "CREATE TABLE t (a int); INSERT INTO t VALUES (1)"}, {"COM_STMT_PREPARE", "SELECT a FROM t WHERE a = ?"}}
	if diff := cmp.Diff(want, p.Take()); diff != "" {
		t.Errorf("statements (-want +got):\n%s", diff)
	}
	if s := p.Sessions(); len(s) != 1 || s[0]["program_name"] != "me" {
		t.Errorf("sessions %v", s)
	}
}

// The judge lets pass what an introspection needs and nothing that writes.
func TestJudge(t *testing.T) {
	for _, test := range []struct {
		d         sqltree.Dialect
		sql, want string // the relations, or the beginning of the refusal after "!"
	}{
		{sqltree.Postgres, "SELECT 1", ""},
		{sqltree.Postgres, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", ""},
		{sqltree.Postgres, "COMMIT", ""},
		{sqltree.Postgres, "ROLLBACK", ""},
		{sqltree.Postgres, "SHOW server_version", ""},
		{sqltree.Postgres, "WITH a AS (SELECT * FROM pg_class) SELECT * FROM a, pg_catalog.pg_type, unnest(ARRAY[1])", "pg_class pg_catalog.pg_type"},
		{sqltree.Postgres, "SELECT (SELECT max(id) FROM shop.orders) WHERE EXISTS (SELECT FROM lines)", "shop.orders lines"},
		{sqltree.MySQL, "SELECT * FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'x' UNION ALL SELECT * FROM mysql.user", "information_schema.tables mysql.user"},
		{sqltree.MySQL, "SET SESSION TRANSACTION READ ONLY", ""},
		{sqltree.MySQL, "START TRANSACTION READ ONLY", ""},
		{sqltree.MariaDB, "/*M!100100 SET STATEMENT max_statement_time=2 FOR */ SELECT 1", ""},

		{sqltree.Postgres, "BEGIN", "!"},
		{sqltree.Postgres, "SET default_transaction_read_only = off; SELECT 1", "!2 statements"},
		{sqltree.Postgres, "SET TRANSACTION READ WRITE", "!"},
		{sqltree.Postgres, "INSERT INTO t VALUES (1)", "!"},
		{sqltree.Postgres, "WITH a AS (DELETE FROM t RETURNING *) SELECT * FROM a", "!"},
		{sqltree.Postgres, "SELECT * INTO u FROM t", "!"},
		{sqltree.Postgres, "SELECT * FROM t FOR UPDATE", "!"},
		{sqltree.Postgres, "CREATE TABLE t (a int)", "!"},
		{sqltree.Postgres, "EXPLAIN ANALYZE DELETE FROM t", "!"},
		{sqltree.Postgres, "COPY t TO STDOUT", "!"},
		{sqltree.Postgres, "ANALYZE t", "!"},
		{sqltree.Postgres, "CALL p()", "!"},
		{sqltree.Postgres, "DO 'BEGIN END'", "!"},
		{sqltree.Postgres, "SELECT query_to_xml('SELECT * FROM t', true, true, '')", "!"},
		{sqltree.Postgres, "SELECT nextval('s')", "!"},
		{sqltree.Postgres, "TRUNCATE t", "!"},
		{sqltree.MySQL, "SET GLOBAL general_log = ON", "!"},
		{sqltree.MySQL, "LOAD DATA LOCAL INFILE 'x' INTO TABLE t", "!"},
		{sqltree.MySQL, "SELECT 1 INTO OUTFILE 'x'", "!"},
		{sqltree.MySQL, "SELECT * FROM t LOCK IN SHARE MODE", "!locked"},
		{sqltree.MariaDB, "/*!100100 DROP TABLE t; */ SELECT 1", "!"},
		{sqltree.MariaDB, "SELECT 1 /*M! + (SELECT max(a) FROM t) */", "!executed"},
		{sqltree.MySQL, "LOCK TABLES t READ", "!"},
		{sqltree.Postgres, "", "!no SQL"},
		{sqltree.Postgres, "SELECT FROM FROM", "!"},
	} {
		relations, err := judge(test.d, Statement{"Query", test.sql})
		if why, refused := strings.CutPrefix(test.want, "!"); refused {
			if err == nil || !strings.Contains(err.Error(), why) {
				t.Errorf("%q: error %v, want a refusal %q", test.sql, err, why)
			}
		} else if got := strings.Join(relations, " "); err != nil || got != test.want {
			t.Errorf("%q reads %q, error %v, want %q", test.sql, got, err, test.want)
		}
	}
}
