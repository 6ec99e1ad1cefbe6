package diff_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	_ "github.com/go-sql-driver/mysql" // the driver mysql
	"github.com/jackc/pgx/v5"
	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/ptah/internal/catalogtest"
	"github.com/quartet-mcp/quartet/ptah/internal/dbscript"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/diff"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/render"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/scratch"
	"github.com/quartet-mcp/quartet/ptah/internal/source/sqlsrc"
	_ "modernc.org/sqlite" // the driver sqlite
)

func TestMain(m *testing.M) { os.Exit(dbtest.Main(m)) }

// database is a real database, empty at first.
type database struct {
	*testing.T
	dialect dialect.Dialect
	exec    func(statement string) error
	script  func() (*dbscript.Script, error)
	catalog func() ([]catalogtest.Line, error)
}

func open(t *testing.T, d dialect.Dialect) *database {
	t.Helper()
	ctx := context.Background()
	if d == dialect.Postgres {
		conn, err := pgx.Connect(ctx, dbtest.Postgres(t))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close(ctx) }) // the database is dropped anyway
		return &database{T: t, dialect: d,
			exec: func(s string) error {
				_, err := conn.Exec(ctx, s, pgx.QueryExecModeSimpleProtocol)
				return err
			},
			script: func() (*dbscript.Script, error) {
				s, err := dbscript.Postgres(ctx, conn)
				if _, e := conn.Exec(ctx, "RESET search_path"); e != nil {
					return nil, e
				}
				return s, err
			},
			catalog: func() ([]catalogtest.Line, error) { return catalogtest.Postgres(ctx, conn) },
		}
	}
	driver, url, script, catalog := "sqlite", filepath.Join(t.TempDir(), "test.db"), dbscript.SQLite, catalogtest.SQLite
	if d != dialect.SQLite {
		driver, url, script, catalog = "mysql", dbtest.MariaDB(t), dbscript.MySQL, catalogtest.MariaDB
	}
	db, err := sql.Open(driver, url)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() }) // the database goes with the test
	return &database{T: t, dialect: d,
		exec: func(s string) error {
			_, err := db.ExecContext(ctx, s)
			return err
		},
		script:  func() (*dbscript.Script, error) { return script(ctx, db) },
		catalog: func() ([]catalogtest.Line, error) { return catalog(ctx, db) },
	}
}

// load executes a script.
func (db *database) load(text string) {
	db.Helper()
	statements, err := scratch.Split(db.dialect, text)
	if err != nil {
		db.Fatal(err)
	}
	for _, s := range statements {
		if err := db.exec(s.Text); err != nil {
			db.Fatalf("line %d: %v\n%s", s.Line, err, s.Text)
		}
	}
}

// run executes statements, which the database must take.
func (db *database) run(statements []string) {
	db.Helper()
	for _, s := range statements {
		if err := db.exec(s); err != nil {
			db.Fatalf("%v\n%s\nof\n%s", err, s, strings.Join(statements, "\n"))
		}
	}
}

// structure reads the database as a declared schema.
func (db *database) structure() *schema.Database {
	db.Helper()
	s, err := db.script()
	if err != nil {
		db.Fatal(err)
	}
	var rep finding.Report
	model := sqlsrc.Parse(db.Context(), s.Text, "database", db.dialect, &rep)
	for _, p := range rep.Problems() {
		db.Fatalf("reading the database: %s\n%s", p, s.Text)
	}
	model.Attach(db.dialect.DefaultSchema(), db.dialect.TableKey)
	return model
}

// missing is what the structure leaves out, other than names of parts of indexes.
func (db *database) missing() []string {
	db.Helper()
	s, err := db.script()
	if err != nil {
		db.Fatal(err)
	}
	return slices.DeleteFunc(s.Missing, func(m string) bool { return strings.HasPrefix(m, "the name of index") })
}

// numbers are the places of columns, which need not be equal where a database adds
// columns at the end.
var numbers = regexp.MustCompile(`^#\d+ `)

func (db *database) lines() []catalogtest.Line {
	db.Helper()
	lines, err := db.catalog()
	if err != nil {
		db.Fatal(err)
	}
	kept := lines[:0]
	for _, l := range lines {
		if l.Kind == "column" {
			l.Text = numbers.ReplaceAllString(l.Text, "")
		}
		// Parts of an index or key have the names that the server gives; others are not kept.
		if !strings.Contains(l.Text, " part of ") && !strings.Contains(l.Text, " parent ") {
			kept = append(kept, l)
		}
	}
	return kept
}

// facts are what is in a database.
type facts struct {
	model *schema.Database
	lines []catalogtest.Line
}

func (db *database) facts() facts {
	db.Helper()
	return facts{db.structure(), db.lines()}
}

func difference(t *testing.T, from, to *schema.Database, d dialect.Dialect) ([]string, *finding.Report) {
	t.Helper()
	var rep finding.Report
	return diff.Diff(t.Context(), from, to, render.Options{Dialect: d}, &rep), &rep
}
