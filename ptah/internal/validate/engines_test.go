package validate

import (
	"context"
	"database/sql"
	"os"
	"slices"
	"strings"
	"testing"

	_ "github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib"
	"golang.org/x/tools/txtar"
	_ "modernc.org/sqlite"

	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
)

func TestMain(m *testing.M) { os.Exit(dbtest.Main(m)) }

// engine is a real database.
type engine struct {
	name    string
	dialect dialect.Dialect
	reset   string // makes it empty
	open    func(t *testing.T) *sql.DB
}

var engines = []engine{
	{"pg", pg, "RESET ALL; DROP PUBLICATION IF EXISTS p4, p6; DROP SCHEMA public CASCADE; DROP SCHEMA IF EXISTS app CASCADE; DROP SCHEMA IF EXISTS sys CASCADE; CREATE SCHEMA public", func(t *testing.T) *sql.DB { return opened(t, "pgx", dbtest.Postgres(t)) }},
	{"maria", maria, "DROP DATABASE IF EXISTS one; CREATE DATABASE one CHARACTER SET utf8mb4; USE one", func(t *testing.T) *sql.DB {
		return opened(t, "mysql", dbtest.MariaDB(t)+"?multiStatements=true")
	}},
	{"lite", lite, "", func(t *testing.T) *sql.DB { return opened(t, "sqlite", ":memory:") }},
}

func opened(t *testing.T, driver, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, dsn)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// TestValidate_Engines holds the rules against the databases: a schema breaks a rule
// exactly if the database refuses it.
func TestValidate_Engines(t *testing.T) {
	var cases []txtar.File
	for _, name := range []string{"engines.txtar", "postgres.txtar"} {
		a, err := txtar.ParseFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, a.Files...)
	}
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			ctx := context.Background()
			db := e.open(t)
			for _, f := range cases {
				head, note, _ := strings.Cut(f.Name, ": ")
				want, on, _ := strings.Cut(head, " ")
				if !slices.Contains(strings.Split(on, ","), e.name) {
					continue
				}
				t.Run(want+" "+note, func(t *testing.T) {
					if e.reset == "" {
						db = e.open(t)
						if _, err := db.ExecContext(ctx, "PRAGMA foreign_keys = ON"); err != nil {
							t.Fatal(err)
						}
					} else if _, err := db.ExecContext(ctx, e.reset); err != nil {
						t.Fatal(err)
					}
					text, use, _ := strings.Cut(textFor(string(f.Data), e.name), "-- use\n")
					_, refused := db.ExecContext(ctx, text)
					if refused == nil && use != "" && e.name == "lite" {
						_, refused = db.ExecContext(ctx, use)
					}
					if (refused != nil) != (want != "ok") {
						t.Errorf("the database says %v, and the case %s", refused, want)
					}
					got := rulesBroken(text, e.dialect)
					if strings.Contains(got, "SRC00") && want != "ok" {
						return // what the file cannot declare is refused as it is read
					}
					if want == "ok" {
						want = ""
					}
					if got != want {
						_, rep := load(text, e.dialect)
						t.Errorf("rules broken: %q, want %q; the database says %v; the loader %v", got, want, refused, rep.Problems())
					}
				})
			}
		})
	}
}

// textFor is the text of a case for an engine: its own part, if there is one.
func textFor(text, engine string) string {
	for _, e := range engines {
		if own := "-- " + e.name + "\n"; strings.Contains(text, own) {
			if _, after, ok := strings.Cut(text, "-- "+engine+"\n"); ok {
				text = after
			}
			for _, other := range engines {
				text, _, _ = strings.Cut(text, "-- "+other.name+"\n")
			}
			return text
		}
	}
	return text
}

func rulesBroken(text string, d dialect.Dialect) string {
	db, rep := load(text, d)
	Validate(context.Background(), db, d, "", rep)
	return rulesOf(rep.Problems())
}
