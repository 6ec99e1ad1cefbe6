package detect

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/dsn"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/open"
	"github.com/quartet-mcp/quartet/pretensor/internal/keystore"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/quartet-mcp/quartet/pretensor/internal/snapshot"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
)

// password is that of all users here; it needs an escape in a URL and holds a
// quote.
const password = "hunter2/@'x"

// wantError runs a check that fails, and returns its error.
func wantError(t *testing.T, o Options, code string, category connect.Category, words string) *Error {
	t.Helper()
	r, err := Run(t.Context(), o)
	var e *Error
	if r != nil || !errors.As(err, &e) {
		t.Fatalf("report %+v, error %v, want an *Error", r, err)
	}
	if e.Code != code || e.Category != category || !strings.Contains(e.Message, words) || e.Hint == "" {
		t.Errorf("%s, %s: %q, hint %q; want %s, %s with %q and a hint", e.Code, e.Category, e.Message, e.Hint, code, category, words)
	}
	if e.CheckedAt != "2026-11-22T09:00:00Z" || e.LastIndexed != "2026-11-21T08:12:03Z" {
		t.Errorf("checked at %q, last indexed %q", e.CheckedAt, e.LastIndexed)
	}
	for _, text := range []string{e.Error(), e.Message, e.Hint, string(e.Category)} {
		if strings.Contains(text, "hunter2") {
			t.Errorf("%q holds the password", text)
		}
	}
	return e
}

func TestRun_NoConnection(t *testing.T) {
	pg, maria := newPostgres(t), newMariaDB(t)
	pg.Do(t, "CREATE TABLE t (a int)")
	maria.Do(t, "CREATE TABLE t (a int)")
	o, dir := indexOf(t, pg)
	quoted := strings.ReplaceAll(password, "'", "''")

	// A user whom the server asks for the password.
	role := "role_" + pg.Database
	pg.Do(t, "CREATE ROLE "+role+" LOGIN PASSWORD '"+quoted+"'; REVOKE CONNECT ON DATABASE "+pg.Database+" FROM PUBLIC")
	t.Cleanup(func() {
		admin, err := pgx.Connect(context.Background(), pg.String())
		if err != nil {
			t.Fatal(err)
		}
		defer admin.Close(context.Background())
		if _, err := admin.Exec(context.Background(), "DROP ROLE "+role); err != nil {
			t.Error(err)
		}
	})
	pg.Do(t, fmt.Sprintf(`DO $$ DECLARE file text := current_setting('hba_file'); BEGIN
		EXECUTE format('COPY (SELECT regexp_split_to_table(%%L, ''\n'')) TO %%L', E'host all %s 127.0.0.1/32 scram-sha-256\n' || pg_read_file(file), file); END $$;
		SELECT pg_reload_conf()`, role))
	user := "user_" + maria.Database
	maria.Do(t, "CREATE USER "+user+"@'%' IDENTIFIED BY '"+quoted+"'")
	t.Cleanup(func() { maria.Do(t, "DROP USER "+user+"@'%'") })

	as := func(d dsn.DSN, name, password string) dsn.DSN {
		d.User, d.Password = name, password
		return d
	}
	at := func(d dsn.DSN, port string) dsn.DSN {
		d.Port = port
		return as(d, "ann", password)
	}
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		// The server reads its file when it comes to it.
		c, err := open.Open(t.Context(), as(pg.DSN, role, "wrong"))
		if err == nil {
			c.Close()
		}
		var e *connect.Error
		if errors.As(err, &e) && e.Category == connect.AuthFailed {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("the server does not ask for passwords: %v", err)
		}
	}
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, down, _ := net.SplitHostPort(nobody.Addr().String())
	nobody.Close()

	before := digest(t, dir.Path())
	for _, test := range []struct {
		name     string
		d        dsn.DSN
		category connect.Category
		words    string
	}{
		{"PostgreSQL down", at(pg.DSN, down), connect.Unavailable, "127.0.0.1:" + down},
		{"MariaDB down", at(maria.DSN, down), connect.Unavailable, "127.0.0.1:" + down},
		{"PostgreSQL, wrong password", as(pg.DSN, role, password+"x"), connect.AuthFailed, role},
		{"MariaDB, wrong password", as(maria.DSN, user, password+"x"), connect.AuthFailed, user},
		{"PostgreSQL, no permission", as(pg.DSN, role, password), connect.PermissionDenied, pg.Database},
		{"MariaDB, no permission", as(maria.DSN, user, password), connect.PermissionDenied, maria.Database},
		{"PostgreSQL, no such database", dsn.DSN{Dialect: dsn.PostgreSQL, User: "postgres", Password: password, Host: pg.Host, Port: pg.Port, Database: "gone", Query: pg.Query}, connect.Unavailable, "gone"},
		{"MariaDB, no such database", dsn.DSN{Dialect: dsn.MariaDB, User: "root", Host: maria.Host, Port: maria.Port, Database: "gone"}, connect.Unavailable, "gone"},
		{"no file of SQLite", dsn.DSN{Dialect: dsn.SQLite, Path: "/nowhere/x.db"}, connect.Unavailable, "does not exist"},
		{"no file of DuckDB", dsn.DSN{Dialect: dsn.DuckDB, Path: "/nowhere/x.db"}, connect.Unavailable, "does not exist"},
		{"no connector", dsn.DSN{Dialect: dsn.Snowflake, Password: password}, connect.Unavailable, "snowflake"},
		{"no name", dsn.DSN{}, connect.NoDSN, "no data source name"},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := o
			o.Open = opener(test.d)
			e := wantError(t, o, ConnectionUnavailable, test.category, test.words)
			if strings.Contains(e.Message, "/nowhere") {
				t.Errorf("%q holds a path", e.Message)
			}
		})
	}
	if digest(t, dir.Path()) != before {
		t.Error("the state directory is another one afterwards")
	}
}

func TestRun_TimeLimit(t *testing.T) {
	pg := newPostgres(t)
	o, _ := indexOf(t, pg)
	pg.Do(t, "BEGIN; LOCK pg_catalog.pg_constraint IN ACCESS EXCLUSIVE MODE")
	o.Limit = 300 * time.Millisecond
	wantError(t, o, ConnectionUnavailable, connect.Timeout, "took longer than 0.3 s")
	pg.Do(t, "ROLLBACK")

	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	_, port, _ := net.SplitHostPort(silent.Addr().String())
	for _, dialect := range []string{dsn.PostgreSQL, dsn.MySQL} {
		o.Open = opener(dsn.DSN{Dialect: dialect, User: "ann", Password: password, Host: "127.0.0.1", Port: port})
		wantError(t, o, ConnectionUnavailable, connect.Timeout, "too")
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, o); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

func TestRun_NoDataSourceName(t *testing.T) {
	o, _ := indexedFile(t)
	fails := func(err error) Options {
		o := o
		o.Open = func(context.Context) (connect.Connector, error) { return nil, err }
		return o
	}
	for _, reason := range []error{registry.ErrNoDSN, keystore.ErrNoKey, keystore.ErrBadKey, keystore.ErrMismatch, keystore.ErrBadToken, keystore.ErrNewerToken} {
		e := wantError(t, fails(fmt.Errorf("connection shop: %w", reason)), ConnectionUnavailable, connect.NoDSN, reason.Error())
		if !errors.Is(e, reason) {
			t.Errorf("%v is not %v", e, reason)
		}
	}
	_, err := dsn.Parse("")
	wantError(t, fails(err), ConnectionUnavailable, connect.NoDSN, "no data source name")
	_, err = dsn.Parse("postgres://ann:" + password + "@host/shop")
	wantError(t, fails(err), ConnectionUnavailable, connect.Unavailable, "data source name")
	// Nobody knows what is in the text of another error.
	wantError(t, fails(fmt.Errorf("dial postgres://ann:%s@host", password)), ConnectionUnavailable, connect.Unavailable, `"shop" cannot be reached`)
}

// indexedFile is what a check of a small database needs.
func indexedFile(t *testing.T) (Options, *state.Dir) {
	t.Helper()
	d := newSQLite(t)
	d.Do(t, "CREATE TABLE t (a int)")
	return indexOf(t, d)
}

func TestRun_NoSnapshot(t *testing.T) {
	o, dir := indexedFile(t)
	o.Open = func(context.Context) (connect.Connector, error) {
		t.Error("the database is opened without a snapshot to compare with")
		return nil, errors.New("")
	}
	path, err := dir.Snapshot("shop")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		text   string
		reason error
		words  string
	}{
		{"older", strings.Replace(string(text), "version: 1", "version: 0", 1), snapshot.ErrOlder, "older format"},
		{"newer", strings.Replace(string(text), "version: 1", "version: 99", 1), snapshot.ErrNewer, "newer version"},
		{"cut", string(text[:len(text)/2]), snapshot.ErrCorrupt, "damaged"},
		{"empty", "", snapshot.ErrCorrupt, "damaged"},
		{"of another kind", "\x00\x01", snapshot.ErrCorrupt, "damaged"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			before := digest(t, dir.Path())
			e := wantError(t, o, NoSnapshot, "", test.words)
			if !errors.Is(e, test.reason) || !strings.Contains(e.Hint, "Run: pretensor index shop") {
				t.Errorf("reason %v, hint %q", e.Err, e.Hint)
			}
			if digest(t, dir.Path()) != before {
				t.Error("the state directory is another one afterwards")
			}
		})
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	wantError(t, o, NoSnapshot, "", "There is no snapshot")
}
