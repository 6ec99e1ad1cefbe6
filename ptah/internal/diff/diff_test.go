package diff_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/ptah/internal/catalogtest"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/scratch"
	"golang.org/x/tools/txtar"
)

var engines = []dialect.Dialect{dialect.Postgres, dialect.MariaDB, dialect.SQLite}

// changes are the sections of an archive of changes to one base.
func changes(t *testing.T, name string) (base string, rest []txtar.File) {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Files) < 2 || a.Files[0].Name != "base" {
		t.Fatalf("%s does not begin with a base", name)
	}
	return string(a.Files[0].Data), a.Files[1:]
}

// TestDiff_LeadsThere makes every change to a base, and takes it back: what the statements
// make must have the catalog of what they should lead to.
func TestDiff_LeadsThere(t *testing.T) {
	for _, d := range engines {
		t.Run(string(d), func(t *testing.T) {
			base, list := changes(t, string(d))
			before := open(t, d)
			before.load(base)
			start := before.facts()
			for _, change := range list {
				t.Run(change.Name, func(t *testing.T) {
					after, work := open(t, d), open(t, d)
					after.load(base)
					after.load(string(change.Data))
					work.load(base)
					leads(work, start, after.facts())
					if !strings.Contains(change.Name, "one way") {
						leads(work, work.facts(), start)
					}
				})
			}
		})
	}
}

// leads executes the difference of two states in a database that is in the first one.
func leads(db *database, from, to facts) {
	db.Helper()
	statements, rep := difference(db.T, from.model, to.model, db.dialect)
	for _, p := range rep.Problems() {
		db.Fatalf("problem: %s", p)
	}
	if len(statements) == 0 {
		db.Error("there is no difference")
	}
	db.run(statements)
	is := db.facts()
	if different, _ := catalogtest.Diff(to.lines, is.lines); different != "" {
		db.Errorf("the catalogs differ (- as it should be, + as it is):\n%s\nafter\n%s", different, strings.Join(statements, "\n"))
	}
	if left, _ := difference(db.T, is.model, to.model, db.dialect); len(left) > 0 {
		db.Errorf("left over:\n%s\nafter\n%s", strings.Join(left, "\n"), strings.Join(statements, "\n"))
	}
}

// unread are statements that make what is not read from a database.
var unread = regexp.MustCompile(`^(CREATE|ALTER|DROP|COMMENT ON) (AGGREGATE|OPERATOR|CAST|TEXT SEARCH|PUBLICATION|EVENT TRIGGER|ACCESS METHOD|FOREIGN|SERVER|CONVERSION|TRANSFORM)\b`)

// readable is a script without what is not read from a database.
func readable(t *testing.T, d dialect.Dialect, text string) string {
	t.Helper()
	if d != dialect.Postgres {
		return text
	}
	statements, err := scratch.Split(d, text)
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for _, s := range statements {
		if !unread.MatchString(s.Text) {
			kept = append(kept, s.Text+";\n")
		}
	}
	return strings.Join(kept, "")
}

// scripts are those of the round trips.
func scripts(t *testing.T, d dialect.Dialect) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "roundtrip", string(d), "*.sql"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	all := map[string]string{"nothing": ""}
	for _, f := range files {
		if strings.HasSuffix(f, "dependencies.sql") {
			continue // much in it stands on aggregates and operators, which are not read
		}
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(f), ".sql")] = readable(t, d, string(text))
	}
	return all
}

// TestDiff_WholeSchemas leads from every script to nothing, from nothing to it, and from it
// to the next one, at full length to every other one. It finds no difference between a
// script and itself.
func TestDiff_WholeSchemas(t *testing.T) {
	for _, d := range engines {
		all := scripts(t, d)
		states := map[string]facts{}
		for name, text := range all {
			db := open(t, d)
			db.load(text)
			if missing := db.missing(); len(missing) > 0 {
				t.Logf("%s/%s has what is not read: %v", d, name, missing)
				delete(all, name)
				continue
			}
			states[name] = db.facts()
		}
		names := slices.Sorted(maps.Keys(all))
		for i, from := range names {
			for _, to := range names {
				next := names[(i+1)%len(names)]
				if os.Getenv("QUARTET_FULL") == "" && !slices.Contains([]string{from, next, "nothing"}, to) && from != "nothing" {
					continue
				}
				if d == dialect.SQLite && from != to && from != "nothing" && to != "nothing" {
					continue // tables of one name in both are ones that it cannot alter
				}
				t.Run(string(d)+"/"+from+" to "+to, func(t *testing.T) {
					if from == to {
						if statements, rep := difference(t, states[from].model, states[to].model, d); len(statements) > 0 || rep.Failed() {
							t.Errorf("a schema differs from itself: %s %v", strings.Join(statements, "\n"), rep.Problems())
						}
						return
					}
					db := open(t, d)
					db.load(all[from])
					leads(db, states[from], states[to])
				})
			}
		}
	}
}
