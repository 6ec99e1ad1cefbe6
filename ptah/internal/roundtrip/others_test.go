package roundtrip

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"

	_ "github.com/go-sql-driver/mysql" // the driver mysql
	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/ptah/internal/catalogtest"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/scratch"
	_ "modernc.org/sqlite" // the driver sqlite
)

func TestMariaDB(t *testing.T) {
	for _, s := range scripts(t, "mariadb") {
		t.Run(s.name, func(t *testing.T) {
			before := open(t, "mysql", dbtest.MariaDB(t))
			statements, err := scratch.Split(dialect.MariaDB, s.text)
			if err != nil {
				t.Fatal(err)
			}
			for _, statement := range statements {
				execute(t, before, statement.Text)
			}
			compare(t, "mariadb", s.text, before, open(t, "mysql", dbtest.MariaDB(t)), catalogtest.MariaDB)
		})
	}
}

func TestSQLite(t *testing.T) {
	for _, s := range scripts(t, "sqlite") {
		t.Run(s.name, func(t *testing.T) {
			before := open(t, "sqlite", filepath.Join(t.TempDir(), "before.db"))
			execute(t, before, s.text)
			compare(t, "sqlite", s.text, before, open(t, "sqlite", filepath.Join(t.TempDir(), "after.db")), catalogtest.SQLite)
		})
	}
}

func compare(t *testing.T, dialect, text string, before, after *sql.DB, read func(context.Context, *sql.DB) ([]catalogtest.Line, error)) {
	t.Helper()
	want, err := read(context.Background(), before)
	if err != nil {
		t.Fatal(err)
	}
	statements := rendered(t, dialect, text)
	for _, statement := range statements {
		execute(t, after, statement)
	}
	got, err := read(context.Background(), after)
	if err != nil {
		t.Fatal(err)
	}
	diff, counts := catalogtest.Diff(want, got)
	if diff != "" {
		t.Errorf("the catalogs differ (- as declared, + as rendered):\n%s", diff)
	}
	t.Logf("%v", counts)
	again(t, dialect, statements)
}

func open(t *testing.T, driver, url string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, url)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() }) // the database goes with the test
	return db
}

func execute(t *testing.T, db *sql.DB, statement string) {
	t.Helper()
	if _, err := db.Exec(statement); err != nil {
		t.Fatalf("%v\n%s", err, statement)
	}
}
