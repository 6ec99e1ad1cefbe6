package mysql

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	driver "github.com/go-sql-driver/mysql"
	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/connecttest"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
)

func TestOpen_Errors(t *testing.T) {
	s := newServer(t)
	good := s.user(t, "known", "SELECT ON "+s.Database+".*")
	if c, err := Open(t.Context(), good); err != nil {
		t.Fatalf("a good data source name: %v", err)
	} else if err := errors.Join(c.Ping(t.Context()), c.Close()); err != nil {
		t.Fatal(err)
	}
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(closed.Addr().String())
	closed.Close()
	hidden := s.schema(t, "_hidden")
	tests := []struct {
		name     string
		change   func(*dsn.DSN)
		category connect.Category
		words    string
	}{
		{"wrong password", func(d *dsn.DSN) { d.Password = "s3cret" }, connect.AuthFailed, fmt.Sprintf("user %q was refused", good.User)},
		{"no password", func(d *dsn.DSN) { d.Password = "" }, connect.AuthFailed, "was refused"},
		{"unknown user", func(d *dsn.DSN) { d.User = "nobody_here" }, connect.AuthFailed, `user "nobody_here" was refused`},
		{"unknown database", func(d *dsn.DSN) { d.User, d.Password, d.Database = "root", "", "nowhere" }, connect.BadDSN, `database "nowhere": the server has no such database`},
		{"database of others", func(d *dsn.DSN) { d.Database = hidden }, connect.PermissionDenied, "may not use the database"},
		{"nobody listens", func(d *dsn.DSN) { d.Port = port }, connect.Unavailable, "127.0.0.1:" + port},
		{"no such socket", func(d *dsn.DSN) { d.Host = "/nonexistent/socket" }, connect.Unavailable, "connecting to a local socket, database"},
		{"unknown TLS mode", func(d *dsn.DSN) { d.Query = url.Values{"ssl_mode": {"maybe"}} }, connect.BadDSN, `ssl_mode="maybe"`},
		{"TLS that the server has not", func(d *dsn.DSN) { d.Query = url.Values{"sslmode": {"verify-full"}} }, connect.Unavailable, "has no TLS"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := good
			test.change(&d)
			_, err := Open(t.Context(), d)
			connecttest.WantError(t, err, test.category, test.words)
		})
	}
	for _, mode := range []string{"disable", "PREFERRED", "false"} {
		d := good
		d.Query = url.Values{"ssl-mode": {mode}}
		c, err := Open(t.Context(), d)
		if err != nil {
			t.Errorf("ssl-mode=%s: %v", mode, err)
			continue
		}
		c.Close()
	}
}

// A server that takes a connection and says nothing is given up, with its time.
func TestOpen_SilentServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = Open(ctx, dsn.DSN{Port: port})
	connecttest.WantError(t, err, connect.Timeout, "took too long")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err = Open(ctx, dsn.DSN{Port: port}); !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want that of the context", err)
	}
}

func TestSession_ReadsOnly(t *testing.T) {
	s := newServer(t)
	s.do(t, "CREATE TABLE t (a INT)")
	c, err := open(t.Context(), s.DSN) // as root, who may do everything
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, statement := range []string{"INSERT INTO t VALUES (1)", "DROP TABLE t", "CREATE TABLE u (a INT)", "TRUNCATE t"} {
		_, err := c.db.ExecContext(t.Context(), statement)
		var refusal *driver.MySQLError
		if !errors.As(err, &refusal) || refusal.Number != 1792 { // ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION
			t.Errorf("%s: %v, want it refused in a read-only transaction", statement, err)
		}
	}
	var limit float64
	if err := c.db.QueryRowContext(t.Context(), "SELECT @@SESSION.max_statement_time").Scan(&limit); err != nil || limit != 30 {
		t.Errorf("statements may take %v s (error %v), want 30", limit, err)
	}
}

func TestIntrospect_ServerGone(t *testing.T) {
	s := newServer(t)
	s.do(t, "CREATE TABLE t (a INT)")
	d := s.user(t, "gone", "SELECT ON "+s.Database+".*")
	c, err := open(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	kill := func() {
		var id int64
		if err := s.admin.QueryRow("SELECT id FROM information_schema.PROCESSLIST WHERE user = ?", d.User).Scan(&id); err != nil {
			t.Fatal(err)
		}
		s.do(t, fmt.Sprint("KILL ", id))
	}
	kill()
	// The next use opens a new connection, which is read-only too.
	if _, err := c.Introspect(t.Context(), connect.Options{}); err != nil {
		t.Fatalf("after the connection was lost: %v", err)
	}
	if _, err := c.db.ExecContext(t.Context(), "INSERT INTO t VALUES (1)"); err == nil {
		t.Error("the new connection writes")
	}
	s.do(t, "ALTER USER '"+d.User+"'@'%' ACCOUNT LOCK")
	kill()
	_, err = c.Introspect(t.Context(), connect.Options{})
	connecttest.WantError(t, err, connect.AuthFailed, "was refused")
}

func TestIntrospect_Timeout(t *testing.T) {
	s := newServer(t)
	s.do(t, "CREATE TABLE t (a INT)")
	c, err := open(t.Context(), s.DSN)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.catalogTimeout = time.Nanosecond
	_, err = c.Introspect(t.Context(), connect.Options{})
	connecttest.WantError(t, err, connect.Timeout, "took too long")
	c.catalogTimeout = connect.CatalogTimeout
	// The server's own limit.
	var n int
	if _, err := c.db.ExecContext(t.Context(), "SET SESSION max_statement_time = 0.05"); err != nil {
		t.Fatal(err)
	}
	err = c.fail(t.Context(), "reading", c.db.QueryRowContext(t.Context(), "SELECT SLEEP(5) FROM information_schema.SCHEMATA").Scan(&n))
	connecttest.WantError(t, err, connect.Timeout, "took too long")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Introspect(ctx, connect.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want that of the context", err)
	}
	if _, err := c.Introspect(t.Context(), connect.Options{}); err != nil {
		t.Errorf("the connector is of no use afterwards: %v", err)
	}
}

func TestIntrospect_Schemas(t *testing.T) {
	s := newServer(t)
	s.do(t, "CREATE TABLE `Case` (a INT); CREATE TABLE `case` (b INT)")
	other := s.schema(t, "_Other")
	folded := s.schema(t, "_other") // differs in case alone
	s.do(t, "CREATE TABLE "+other+".o (a INT); CREATE TABLE "+folded+".f (a INT)")
	d := s.user(t, "two", "SELECT ON "+s.Database+".*", "SELECT ON "+other+".*", "SELECT ON "+folded+".*")
	none := d
	none.Database = ""
	tests := []struct {
		name string
		d    dsn.DSN
		o    connect.Options
		want []string
	}{
		{"the connection's own", d, connect.Options{}, []string{"Case", "case"}},
		{"another", d, connect.Options{Schemas: []string{other}}, []string{"o"}},
		{"two", d, connect.Options{Schemas: []string{other, s.Database}}, []string{"Case", "case", "o"}},
		{"all without a database", none, connect.Options{}, []string{"Case", "case", "o", "f"}},
		{"all but one", none, connect.Options{ExcludeSchemas: []string{s.Database}}, []string{"o", "f"}},
		{"none", d, connect.Options{ExcludeSchemas: []string{s.Database}}, []string{}},
		{"a system schema", d, connect.Options{Schemas: []string{"information_schema"}}, []string{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			db := introspect(t, test.d, test.o)
			if got := connecttest.Names(db); !cmp.Equal(got, test.want) {
				t.Errorf("tables = %v, want %v", got, test.want)
			}
			for _, tab := range db.Tables {
				if len(tab.Columns) != 1 {
					t.Errorf("%s has the columns %+v", tab.Name, tab.Columns)
				}
			}
		})
	}
	c, err := Open(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, err = c.Introspect(t.Context(), connect.Options{Schemas: []string{"mysql_x"}})
	connecttest.WantError(t, err, connect.PermissionDenied, `no database "mysql_x"`)
}

// A user sees no more than it may read, and is told what that leaves out.
func TestIntrospect_Privileges(t *testing.T) {
	s := newServer(t)
	s.do(t, `CREATE TABLE open_table (id INT PRIMARY KEY, secret INT, about INT);
CREATE TABLE secret_table (id INT PRIMARY KEY);
CREATE TABLE child (parent INT, FOREIGN KEY (parent) REFERENCES open_table (id) ON DELETE CASCADE);
CREATE VIEW v AS SELECT id FROM open_table;
CREATE TRIGGER tr AFTER INSERT ON child FOR EACH ROW INSERT INTO secret_table VALUES (1)`)
	few := s.user(t, "few", "SELECT (id, about) ON "+s.Database+".open_table", "SELECT ON "+s.Database+".child")
	db := introspect(t, few, connect.Options{Stats: connect.StatsSample})
	if got, want := connecttest.Names(db), []string{"child", "open_table"}; !cmp.Equal(got, want) {
		t.Fatalf("tables = %v, want %v", got, want)
	}
	var columns []string
	for _, c := range connecttest.Table(t, db, "", "open_table").Columns {
		columns = append(columns, fmt.Sprint(c.Name, " ", c.Ordinal))
	}
	if want := []string{"id 1", "about 3"}; !cmp.Equal(columns, want) {
		t.Errorf("columns = %v, want %v", columns, want)
	}

	reader := s.user(t, "select", "SELECT ON "+s.Database+".*")
	db = introspect(t, reader, connect.Options{})
	if got, want := connecttest.Names(db), []string{"child", "open_table", "secret_table", "v"}; !cmp.Equal(got, want) {
		t.Fatalf("tables = %v, want %v", got, want)
	}
	if keys := connecttest.Table(t, db, "", "child").ForeignKeys; len(keys) != 1 || keys[0].RefTable != "open_table" {
		t.Errorf("foreign keys = %+v", keys)
	}
	for _, words := range []string{"ON DELETE and ON UPDATE rules of foreign keys are not known", "definitions of 1 views are not visible, " + s.Database + ".v"} {
		if !strings.Contains(strings.Join(db.Warnings, "\n"), words) {
			t.Errorf("no warning has %q: %q", words, db.Warnings)
		}
	}
	if db = introspect(t, s.DSN, connect.Options{}); len(db.Warnings) > 0 || len(db.Lineage) != 2 {
		t.Errorf("the administrator gets warnings %q and lineage %+v", db.Warnings, db.Lineage)
	}
}

func TestIntrospect_Broken(t *testing.T) {
	s := newServer(t)
	s.do(t, `CREATE TABLE gone (a INT); CREATE VIEW broken AS SELECT a FROM gone; CREATE TABLE kept (a INT);
CREATE VIEW over_broken AS SELECT a FROM broken; DROP TABLE gone`)
	db := introspect(t, s.DSN, connect.Options{Stats: connect.StatsSample})
	if got, want := connecttest.Names(db), []string{"broken", "kept", "over_broken"}; !cmp.Equal(got, want) {
		t.Fatalf("tables = %v, want %v", got, want)
	}
	if b := connecttest.Table(t, db, "", "broken"); b.Comment != "" || b.Rows != nil || b.RowsSource != "" {
		t.Errorf("broken view = %+v", b)
	}
	if len(db.Lineage) != 1 || db.Lineage[0].FromTable != "broken" {
		t.Errorf("lineage = %+v, want that of over_broken alone", db.Lineage)
	}
	if !strings.Contains(strings.Join(db.Warnings, "\n"), "2 tables could not be sampled") {
		t.Errorf("warnings = %q", db.Warnings)
	}
}
