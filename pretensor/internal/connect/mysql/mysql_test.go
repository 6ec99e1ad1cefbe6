package mysql

import (
	"database/sql"
	"fmt"
	"net"
	"os"
	"strings"
	"testing"

	driver "github.com/go-sql-driver/mysql"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"

	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/connecttest"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/wiretest"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

func TestMain(m *testing.M) {
	code := dbtest.Main(m)
	if err := goleak.Find(); code == 0 && err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// server is a database of a test, with its administrator.
type server struct {
	dsn.DSN
	admin *sql.DB
}

func newServer(tb testing.TB) *server {
	tb.Helper()
	config, err := driver.ParseDSN(dbtest.MariaDB(tb))
	if err != nil {
		tb.Fatal(err)
	}
	host, port, err := net.SplitHostPort(config.Addr)
	if err != nil {
		tb.Fatal(err)
	}
	s := &server{DSN: dsn.DSN{Dialect: dsn.MariaDB, User: config.User, Host: host, Port: port, Database: config.DBName}}
	config.MultiStatements = true
	connector, err := driver.NewConnector(config)
	if err != nil {
		tb.Fatal(err)
	}
	s.admin = sql.OpenDB(connector)
	s.admin.SetMaxOpenConns(1)
	tb.Cleanup(func() { s.admin.Close() })
	return s
}

func (s *server) do(tb testing.TB, script string) {
	tb.Helper()
	if _, err := s.admin.Exec(script); err != nil {
		tb.Fatal(err)
	}
}

// schema makes a second database.
func (s *server) schema(tb testing.TB, name string) string {
	tb.Helper()
	name = s.Database + name
	s.do(tb, "CREATE DATABASE "+quote(name)+" CHARACTER SET utf8mb4")
	tb.Cleanup(func() {
		s.do(tb, "SET foreign_key_checks = 0; DROP DATABASE "+quote(name)+"; SET foreign_key_checks = 1") // keys may lead here
	})
	return name
}

// user makes a user with a password that needs percent-encoding, and returns how
// it connects.
func (s *server) user(tb testing.TB, name string, grants ...string) dsn.DSN {
	tb.Helper()
	d := s.DSN
	d.User, d.Password = s.Database+name, "s3cr@t/:é"
	s.do(tb, fmt.Sprintf("CREATE USER '%s'@'%%' IDENTIFIED BY '%s'", d.User, d.Password))
	tb.Cleanup(func() { s.do(tb, "DROP USER '"+d.User+"'@'%'") })
	for _, g := range grants {
		s.do(tb, fmt.Sprintf("GRANT %s TO '%s'@'%%'", g, d.User))
	}
	return d
}

func introspect(tb testing.TB, d dsn.DSN, o connect.Options) *model.Database {
	tb.Helper()
	c, err := Open(tb.Context(), d)
	if err != nil {
		tb.Fatal(err)
	}
	defer c.Close()
	db, err := c.Introspect(tb.Context(), o)
	if err != nil {
		tb.Fatal(err)
	}
	return db
}

// recorded introspects and returns what the server received meanwhile.
func recorded(tb testing.TB, d dsn.DSN, o connect.Options) (*model.Database, []wiretest.Statement) {
	tb.Helper()
	through, p := wiretest.MySQL(tb, d)
	db := introspect(tb, through, o)
	if s := p.Sessions(); len(s) != 1 || s[0]["program_name"] != "pretensor" {
		tb.Errorf("the sessions are %v", s)
	}
	return db, p.Take()
}

func checkStatements(tb testing.TB, list []wiretest.Statement) {
	tb.Helper()
	if n := len(list); n == 0 || n > connect.MaxCatalogQueries {
		tb.Errorf("%d statements, want 1 to %d", n, connect.MaxCatalogQueries)
	}
	wiretest.CatalogOnly(tb, sqltree.MariaDB, list, wiretest.Catalog(tb, dsn.DSN{Dialect: dsn.MariaDB}))
}

func TestIntrospect_Conformance(t *testing.T) {
	s := newServer(t)
	other := s.schema(t, "_other")
	b, err := os.ReadFile("testdata/conformance.sql")
	if err != nil {
		t.Fatal(err)
	}
	s.do(t, strings.ReplaceAll(string(b), "OTHER", other))
	var wide []string
	for i := range 1000 {
		wide = append(wide, fmt.Sprintf("c%d TINYINT", i+1))
	}
	s.do(t, "CREATE TABLE wide ("+strings.Join(wide, ", ")+")")
	d := s.user(t, "reader", "SELECT, SHOW VIEW, TRIGGER, REFERENCES ON "+s.Database+".*", "SELECT, SHOW VIEW, REFERENCES ON "+other+".*")
	o := connect.Options{Schemas: []string{other, s.Database}, Grants: true}
	db, statements := recorded(t, d, o)
	checkStatements(t, statements)

	if !strings.Contains(db.Version, "MariaDB") {
		t.Errorf("version = %q", db.Version)
	}
	w := connecttest.Table(t, db, "", "wide")
	if len(w.Columns) != 1000 || w.Columns[999].Name != "c1000" || w.Columns[999].Ordinal != 1000 {
		t.Errorf("the table of 1,000 columns has %d", len(w.Columns))
	}
	w.Columns = nil
	for i := range db.Tables {
		tab := &db.Tables[i]
		if tab.IsView() {
			if tab.Definition == "" || tab.DefinitionHash != model.HashTokens(model.Tokens(tab.Definition)) {
				t.Errorf("definition of %s: %q %q", tab.Name, tab.Definition, tab.DefinitionHash)
			}
			tab.Definition, tab.DefinitionHash = "", ""
		} else if tab.Rows == nil || tab.RowsSource != model.CountStat {
			t.Errorf("%s has no estimate of its rows", tab.Name)
		}
	}
	ignored := []cmp.Option{
		cmpopts.IgnoreFields(model.Database{}, "Version", "Roles"), cmpopts.IgnoreFields(model.Table{}, "Rows", "RowsSource", "Bytes", "Grants"),
		cmpopts.IgnoreFields(model.Column{}, "Stats"), cmpopts.EquateEmpty(),
	}
	if diff := cmp.Diff(conformance(s.Database, other), db, ignored...); diff != "" {
		t.Errorf("model (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(introspect(t, d, o), introspect(t, d, o)); diff != "" {
		t.Errorf("two introspections differ:\n%s", diff)
	}
}
