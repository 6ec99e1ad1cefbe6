package scratch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/ptah/internal/dburl"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
)

func TestMain(m *testing.M) { os.Exit(dbtest.Main(m)) }

// places are databases of each sort and what fills them with things that are not easily
// dropped.
func places(t *testing.T) map[dialect.Dialect]struct {
	url  string
	fill []string
} {
	t.Helper()
	user, rest, _ := strings.Cut(dbtest.MariaDB(t), "@tcp(")
	host, name, _ := strings.Cut(rest, ")/")
	return map[dialect.Dialect]struct {
		url  string
		fill []string
	}{
		dialect.Postgres: {dbtest.Postgres(t), []string{
			"CREATE SCHEMA s", "CREATE EXTENSION btree_gist", "CREATE TYPE s.e AS ENUM ('a')", "CREATE TYPE r AS RANGE (subtype = float8)", "CREATE TABLE a (id int PRIMARY KEY, e s.e)",
			"CREATE TABLE b (a int REFERENCES a)", "ALTER TABLE a ADD b int", "CREATE VIEW v AS SELECT * FROM a", "CREATE FUNCTION f() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END'",
			"CREATE EVENT TRIGGER t ON ddl_command_start EXECUTE FUNCTION f()", "CREATE PUBLICATION p FOR TABLE a", "CREATE CAST (a AS text) WITH INOUT", "CREATE ROLE someone", "GRANT SELECT ON a TO someone", `CREATE USER "some body"`, "CREATE ROLE passing", "DROP ROLE passing",
			"CREATE COLLATION german (provider = icu, locale = 'de')", "BEGIN",
		}},
		dialect.MariaDB: {"mariadb://" + user + "@" + host + "/" + name, []string{
			"CREATE TABLE a (id INT PRIMARY KEY, b INT)", "CREATE TABLE b (id INT PRIMARY KEY, a INT, FOREIGN KEY (a) REFERENCES a (id))", "ALTER TABLE a ADD FOREIGN KEY (b) REFERENCES b (id)",
			"CREATE VIEW v AS SELECT * FROM a", "CREATE FUNCTION f() RETURNS INT RETURN 1", "CREATE PROCEDURE p() SELECT 1", "CREATE SEQUENCE s", "CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO SELECT 1",
			"CREATE TABLE `odd ``name` (id INT) WITH SYSTEM VERSIONING", "CREATE ROLE someone", "CREATE USER IF NOT EXISTS 'some body'@'%'", "CREATE ROLE passing", "DROP ROLE passing",
		}},
		dialect.SQLite: {"sqlite://" + filepath.Join(t.TempDir(), "new.db"), []string{
			"CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT)", "CREATE VIEW v AS SELECT * FROM a", "CREATE VIRTUAL TABLE w USING fts5(x)", "PRAGMA journal_mode = wal", "BEGIN",
		}},
	}
}

func TestDB_LeavesNothing(t *testing.T) {
	ctx := context.Background()
	for d, place := range places(t) {
		u, err := dburl.Parse(place.url)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second time it is as new again
			db, err := Open(ctx, u, d, false)
			if err != nil {
				t.Fatalf("%s: %v", d, err)
			}
			if err := db.Execute(ctx, place.fill); err != nil {
				t.Errorf("%s: %v", d, err)
			}
			if err := db.Close(ctx); err != nil {
				t.Errorf("%s: %v", d, err)
			}
		}
	}
}

func TestDB_Execute(t *testing.T) {
	ctx := context.Background()
	for d, place := range places(t) {
		u, err := dburl.Parse(place.url)
		if err != nil {
			t.Fatal(err)
		}
		db, err := Open(ctx, u, d, false)
		if err != nil {
			t.Fatalf("%s: %v", d, err)
		}
		err = db.Execute(ctx, []string{"SELECT 1", "CREATE TABLE t (\n  id INT,\n  id INT)", "CREATE TABLE u (id INT)"})
		var refused *StatementError
		if !errors.As(err, &refused) || refused.Number != 2 || refused.Line != "CREATE TABLE t (" || refused.Reason == "" {
			t.Errorf("%s: %v", d, err)
		}
		if names, err := db.objects(ctx); err != nil || len(names) > 0 {
			t.Errorf("%s: what stands behind was executed: %v %v", d, names, err)
		}
		if _, err := Open(ctx, u, dialect.MySQL, false); err == nil {
			t.Errorf("%s: a database of another dialect is taken", d)
		}
		if err := db.Close(ctx); err != nil {
			t.Errorf("%s: %v", d, err)
		}
	}
}

func TestNotEmptyError(t *testing.T) {
	e := &NotEmptyError{"postgres://h/x", []string{"a", "b", "c", "d", "e"}}
	if got, want := e.Error(), `database postgres://h/x is not empty: it holds "a", "b", "c" and 2 more; --reset drops everything in it`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestDB_Roles: roles that the work makes are dropped, and those that were there before
// stay.
func TestDB_Roles(t *testing.T) {
	ctx := context.Background()
	for d, place := range places(t) {
		if d == dialect.SQLite {
			continue
		}
		u, err := dburl.Parse(place.url)
		if err != nil {
			t.Fatal(err)
		}
		before := "CREATE ROLE earlier"
		db, err := Open(ctx, u, d, false)
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Execute(ctx, []string{before, "CREATE ROLE later"}); err != nil {
			t.Fatalf("%s: %v", d, err)
		}
		db.roles = db.roles[1:] // somebody else made the first
		if err := db.Reset(ctx); err != nil {
			t.Fatalf("%s: %v", d, err)
		}
		again := before
		if d == dialect.MariaDB {
			again = "CREATE ROLE IF NOT EXISTS earlier"
		}
		if err := db.Execute(ctx, []string{again}); err != nil {
			t.Errorf("%s: %v", d, err)
		}
		if len(db.roles) != 0 {
			t.Errorf("%s: %v would be dropped", d, db.roles)
		}
		if err := db.Execute(ctx, []string{"DROP ROLE earlier", "DROP ROLE later"}); err == nil {
			t.Errorf("%s: the role that was made is still there", d)
		}
		if err := db.Close(ctx); err != nil {
			t.Errorf("%s: %v", d, err)
		}
	}
}
