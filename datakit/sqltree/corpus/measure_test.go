package corpus

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

func TestWhole(t *testing.T) {
	for _, tc := range []struct {
		run, skip string
		want      bool
	}{
		{"", "", true},
		{"TestCorpus", "", true},
		{"^TestCorpus$", "TestWhole", true},
		{"TestCorpus/sqlite", "", false},
		{"", "TestCorpus/sqlite/music", false},
	} {
		if got := whole(tc.run, tc.skip); got != tc.want {
			t.Errorf("whole(%q, %q) = %v, want %v", tc.run, tc.skip, got, tc.want)
		}
	}
}

// A connection that is gone is no answer of the database.
func TestJudge_LostConnection(t *testing.T) {
	ctx := context.Background()
	check := func(name string, ask judge, lose func() error) {
		t.Run(name, func(t *testing.T) {
			if v, err := ask("SELECT 1"); err != nil || v.kind != accepted {
				t.Fatalf("before: %+v, %v", v, err)
			}
			if v, err := ask("SELECT a FROM b"); err != nil || v.kind != unknown {
				t.Fatalf("before, of an unknown table: %+v, %v", v, err)
			}
			if err := lose(); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if v, err := ask("SELECT 1"); err == nil {
					t.Errorf("after: %+v, want an error", v)
				}
			}
		})
	}
	for driver, of := range map[string]func(*sql.DB) judge{"sqlite": sqliteJudge, "duckdb": duckDBJudge} {
		db, err := sql.Open(driver, "")
		if err != nil {
			t.Fatal(err)
		}
		check(driver, of(db), db.Close)
	}
	t.Run("mariadb", func(t *testing.T) {
		db := open(t, "mysql", dbtest.MariaDB(t), nil)
		db.SetMaxOpenConns(2)
		conn, err := db.Conn(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var id string
		if err := conn.QueryRowContext(ctx, "SELECT connection_id()").Scan(&id); err != nil {
			t.Fatal(err)
		}
		check("killed", mariaDBJudge(conn), func() error {
			_, err := db.Exec("KILL " + id)
			return err
		})
	})
	t.Run("postgres", func(t *testing.T) {
		url := dbtest.Postgres(t)
		var conns [2]*pgx.Conn
		for i := range conns {
			var err error
			if conns[i], err = pgx.Connect(ctx, url); err != nil {
				t.Fatal(err)
			}
			defer conns[i].Close(ctx)
		}
		check("terminated", postgresJudge(conns[0]), func() error {
			_, err := conns[1].Exec(ctx, "SELECT pg_terminate_backend($1, 5000)", conns[0].PgConn().PID())
			return err
		})
	})
}

func TestOverlooked(t *testing.T) {
	for _, tc := range []struct {
		dialect sqltree.Dialect
		text    string // the part that is asked for begins at the mark
		want    bool
	}{
		{sqltree.Postgres, `ALTER TABLE t DROP COLUMN ^a`, false},
		{sqltree.DuckDB, `ALTER TABLE t DROP COLUMN ^a`, true},
		{sqltree.DuckDB, `SELECT ^a FROM t`, false},
		{sqltree.DuckDB, `INSERT INTO t (^a) SELECT 1`, true},
		{sqltree.DuckDB, `INSERT INTO t (a) SELECT ^b FROM t`, false},
		{sqltree.MySQL, `UPDATE t SET a = ^b WHERE c = 1`, true},
		{sqltree.MySQL, `UPDATE t SET a = b WHERE ^c = 1`, false},
		{sqltree.MySQL, `INSERT INTO t (a) SELECT 1 ON DUPLICATE KEY UPDATE a = ^b`, true},
		{sqltree.MySQL, `INSERT INTO t (^a) VALUES (1)`, false},
		{sqltree.SQLite, `SELECT 1 ORDER BY ^"a"`, true},
		{sqltree.SQLite, `SELECT 1 ORDER BY ^a`, false},
		{sqltree.SQLite, `WITH c AS (SELECT ^a FROM t) SELECT 1`, true},
		{sqltree.SQLite, `WITH c AS (SELECT ^a FROM t) SELECT 1 FROM c`, false},
		{sqltree.SQLite, `SELECT 1 FROM t WINDOW w AS (ORDER BY ^a)`, true},
		{sqltree.SQLite, `SELECT sum(b) OVER w FROM t WINDOW w AS (ORDER BY ^a)`, false},
		{sqltree.SQLite, `CREATE TRIGGER x AFTER DELETE ON t BEGIN DELETE FROM ^u; END`, true},
	} {
		at := strings.IndexByte(tc.text, '^')
		if got := overlooked(tc.dialect, tc.text[:at]+tc.text[at+1:])(at); got != tc.want {
			t.Errorf("overlooked(%s, %s) = %v, want %v", tc.dialect, tc.text, got, tc.want)
		}
	}
}
