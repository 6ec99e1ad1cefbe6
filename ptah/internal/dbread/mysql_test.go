package dbread

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/ptah/internal/code"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
)

// mariadb is a database on the test server.
type mariadb struct {
	addr, name string
	config     *mysql.Config
}

// mariadbWith makes a database with these statements.
func mariadbWith(t *testing.T, statements ...string) mariadb {
	t.Helper()
	c, err := mysql.ParseDSN(dbtest.MariaDB(t))
	if err != nil {
		t.Fatal(err)
	}
	m := mariadb{c.Addr, c.DBName, c}
	m.do(t, statements...)
	return m
}

func (m mariadb) do(t *testing.T, statements ...string) {
	t.Helper()
	ctx := context.Background() // also of a clean-up
	connector, err := mysql.NewConnector(m.config)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	for _, s := range statements {
		if _, err := db.ExecContext(ctx, strings.ReplaceAll(s, "DATABASE", m.name)); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// url is the URL for a user, who may have a password after a colon.
func (m mariadb) url(user string) string { return "mysql://" + user + "@" + m.addr + "/" + m.name }

var mariadbShop = []string{
	"CREATE TABLE users (id INT PRIMARY KEY, email TEXT)",
	"CREATE VIEW v AS SELECT 1 AS one",
	"CREATE SEQUENCE s",
	"CREATE FUNCTION f() RETURNS INT DETERMINISTIC RETURN 1",
	"CREATE PROCEDURE p() SELECT 1",
	"CREATE TRIGGER noted BEFORE INSERT ON users FOR EACH ROW SET NEW.email = ''",
	"CREATE EVENT nightly ON SCHEDULE EVERY 1 DAY DISABLE DO SELECT 1",
	"CREATE TABLE `Odd ``name` (a INT) WITH SYSTEM VERSIONING",
}

func (m mariadb) objects() []string {
	return []string{
		"event " + m.name + ".nightly", "function " + m.name + ".f", "procedure " + m.name + ".p", "sequence " + m.name + ".s",
		"table " + m.name + ".Odd `name 1", "table " + m.name + ".users 2", "trigger " + m.name + ".noted", "view " + m.name + ".v 1",
	}
}

func TestMariaDB_Read(t *testing.T) {
	m := mariadbWith(t, mariadbShop...)
	for _, schemas := range [][]string{nil, {m.name}} {
		c, partial := mustRead(t, target(t, m.url("root")), schemas...)
		if diff := cmp.Diff(m.objects(), lines(c)); diff != "" {
			t.Errorf("objects (-want +got):\n%s", diff)
		}
		if c.Dialect != "mariadb" || strings.Count(c.Version, ".") != 2 || strings.Contains(c.Version, "-") || partial != nil {
			t.Errorf("%s %s, %q", c.Dialect, c.Version, partial)
		}
	}
}

func TestMariaDB_Schemas(t *testing.T) {
	m := mariadbWith(t, mariadbShop...)
	db := target(t, m.url("root"))
	for _, schema := range []string{"nope", "mysql", "INFORMATION_SCHEMA", strings.ToUpper(m.name), "x' OR '1'='1"} {
		_, _, err := read(t, db, schema)
		wantError(t, err, code.InvalidRequest, `is not in database "shop". the schemas are `)
	}
	c, _ := mustRead(t, target(t, m.url("root"), "mysql"))
	if diff := cmp.Diff([]string{"mysql"}, c.Schemas); diff != "" {
		t.Errorf("schemas (-want +got):\n%s", diff)
	}
	none := target(t, "mysql://root@"+m.addr)
	_, _, err := read(t, none)
	wantError(t, err, code.InvalidRequest, "has no default schema")
	if c, _ := mustRead(t, none, m.name); len(c.Objects) != len(mariadbShop) {
		t.Errorf("objects = %q", lines(c))
	}
}

// The server leaves out what a user may not use; the reading says that it may have.
func TestMariaDB_Privileges(t *testing.T) {
	m := mariadbWith(t, append(mariadbShop,
		"CREATE TABLE secret (id INT)",
		"CREATE USER ptah_few@'%' IDENTIFIED BY '"+secret+"'", "GRANT SELECT (email) ON users TO ptah_few@'%'",
		"CREATE USER ptah_all@'%' IDENTIFIED BY '"+secret+"'", "GRANT SELECT ON DATABASE.* TO ptah_all@'%'",
		"CREATE USER ptah_none@'%' IDENTIFIED BY '"+secret+"'",
	)...)
	t.Cleanup(func() { m.do(t, "DROP USER ptah_few@'%', ptah_all@'%', ptah_none@'%'") })
	c, partial := mustRead(t, target(t, m.url("ptah_few:"+secret)))
	if diff := cmp.Diff([]string{"table " + m.name + ".users 1"}, lines(c)); diff != "" {
		t.Errorf("objects (-want +got):\n%s", diff)
	}
	if len(partial) != 1 || !strings.Contains(partial[0], `schema "`+m.name+`": the user "ptah_few" has no privilege on all of it`) {
		t.Errorf("partial = %q", partial)
	}
	c, partial = mustRead(t, target(t, m.url("ptah_all:"+secret)))
	if got := strings.Join(lines(c), " "); !strings.Contains(got, ".secret 1") || partial != nil {
		t.Errorf("objects = %s, partial = %q", got, partial)
	}
	_, _, err := read(t, target(t, m.url("ptah_none:"+secret)))
	wantError(t, err, code.DatabaseUnreachable, "Access denied for user 'ptah_none'")
}

func TestMariaDB_Errors(t *testing.T) {
	m := mariadbWith(t, "CREATE USER ptah_known@'%' IDENTIFIED BY 'another'")
	t.Cleanup(func() { m.do(t, "DROP USER ptah_known@'%'") })
	tests := []struct{ name, url, words string }{
		{"wrong password", m.url("ptah_known:" + secret), "Access denied for user 'ptah_known'"},
		{"no database", "mysql://root@" + m.addr + "/nowhere", "Unknown database 'nowhere' (error 1049)"},
		{"nobody listens", "mariadb://root:" + secret + "@" + closedPort(t) + "/x", "no connection"},
		{"no host", "mysql://root:" + secret + "@no-such-host.invalid/x", "host is not known"},
		{"no TLS", m.url("root") + "?tls=true", "no TLS, which the URL asks for"},
		{"bad parameter", m.url("root") + "?sslmode=" + secret, "the parameter sslmode of its URL is not known"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := read(t, target(t, test.url))
			wantError(t, err, code.DatabaseUnreachable, test.words)
		})
	}
}

func TestMariaDB_OnlyReads(t *testing.T) {
	m := mariadbWith(t, mariadbShop...)
	r := record(t, m.addr, mysqlMessage)
	mustRead(t, target(t, "mysql://root@"+r.addr+"/"+m.name), m.name)
	statements := r.seen()
	wantReadOnly(t, statements, "SELECT ", "SET SESSION max_statement_time = 15", "SET SESSION TRANSACTION READ ONLY", "START TRANSACTION READ ONLY")
	if all := strings.Join(statements, " "); strings.Contains(all, m.name) || !strings.Contains(all, "?") {
		t.Errorf("the schema is part of a statement: %s", all)
	}
}

func TestMariaDB_ServerRefusesWrites(t *testing.T) {
	m := mariadbWith(t, mariadbShop...)
	r, err := openMySQL(t.Context(), target(t, m.url("root")))
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	conn := r.(*mysqlReader).conn
	for _, statement := range []string{"INSERT INTO users VALUES (1, '')", "DROP TABLE users"} {
		if _, err := conn.ExecContext(t.Context(), statement); err == nil || !strings.Contains(err.Error(), "1792") {
			t.Errorf("%s: %v", statement, err)
		}
	}
}

func TestIdentifyMySQL(t *testing.T) {
	tests := []struct {
		text    string
		dialect dialect.Dialect
		version string
	}{
		{"10.11.6-MariaDB-0+deb12u1", dialect.MariaDB, "10.11.6"},
		{"5.5.5-10.6.16-MariaDB", dialect.MariaDB, "10.6.16"},
		{"8.4.1", dialect.MySQL, "8.4.1"},
		{"8.0.36-0ubuntu0.22.04.1", dialect.MySQL, "8.0.36"},
		{"", dialect.MySQL, ""},
	}
	for _, test := range tests {
		if d, v := identifyMySQL(test.text); d != test.dialect || v != test.version {
			t.Errorf("%q is %s %s, want %s %s", test.text, d, v, test.dialect, test.version)
		}
	}
}
