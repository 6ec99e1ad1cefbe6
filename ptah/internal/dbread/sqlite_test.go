package dbread

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/ptah/internal/code"
)

// sqliteWith makes a file with these statements and returns its path.
func sqliteWith(t *testing.T, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "odd ?#% shop.db")
	db, err := sql.Open("sqlite", sqliteWritable(path))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	return path
}

func sqliteWritable(path string) string {
	name, _, _ := strings.Cut(sqliteName(path), "?")
	return name
}

func sqliteURL(path string) string {
	return "sqlite://" + strings.NewReplacer("?", "%3F", "#", "%23", "%", "%25", " ", "%20").Replace(path)
}

var sqliteShop = []string{
	"CREATE TABLE users (id INTEGER PRIMARY KEY AUTOINCREMENT, email TEXT, lower_email TEXT GENERATED ALWAYS AS (lower(email)))",
	"CREATE VIEW v AS SELECT id FROM users",
	"CREATE TABLE gone (a)", "CREATE VIEW broken AS SELECT a FROM gone", "DROP TABLE gone",
	"CREATE TRIGGER noted AFTER INSERT ON users BEGIN SELECT 1; END",
	"CREATE VIRTUAL TABLE notes USING fts5(body)",
	`CREATE TABLE "Odd ""name" (a)`,
}

func TestSQLite_Read(t *testing.T) {
	path := sqliteWith(t, sqliteShop...)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, schemas := range [][]string{nil, {"main"}} {
		c, partial := mustRead(t, target(t, sqliteURL(path)), schemas...)
		var got []string
		for _, line := range lines(c) {
			if !strings.HasPrefix(line, "shadow_table main.notes_") {
				got = append(got, line)
			}
		}
		want := []string{`table main.Odd "name 1`, "table main.users 3", "trigger main.noted", "view main.broken", "view main.v 1", "virtual_table main.notes 1"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("objects (-want +got):\n%s", diff)
		}
		if c.Dialect != "sqlite" || strings.Count(c.Version, ".") != 2 || partial != nil || cmp.Diff([]string{"main"}, c.Schemas) != "" {
			t.Errorf("%s %s %q, %q", c.Dialect, c.Version, c.Schemas, partial)
		}
	}
	after, err := os.ReadFile(path)
	if err != nil || string(after) != string(before) {
		t.Errorf("the file has changed: %v", err)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("files beside it: %v, %v", entries, err)
	}
}

func TestSQLite_Errors(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text.db")
	if err := os.WriteFile(text, []byte(strings.Repeat("no database\n", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, url, words string }{
		{"absent", "sqlite://" + dir + "/absent.db", "the file does not exist"},
		{"a directory", "sqlite://" + dir, "it is no regular file"},
		{"no database", "sqlite://" + text, "no SQLite database"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := read(t, target(t, test.url))
			wantError(t, err, code.DatabaseUnreachable, test.words)
		})
	}
	if _, err := os.Stat(filepath.Join(dir, "absent.db")); !os.IsNotExist(err) {
		t.Errorf("a file was made: %v", err)
	}
	_, _, err := read(t, target(t, sqliteURL(sqliteWith(t, "CREATE TABLE t (a)"))), "temp")
	wantError(t, err, code.InvalidRequest, `schema "temp" is not in database "shop". the schemas are "main"`)
}

func TestSQLite_RefusesWrites(t *testing.T) {
	r, err := openSQLite(t.Context(), target(t, sqliteURL(sqliteWith(t, "CREATE TABLE t (a)"))))
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	for _, statement := range []string{"INSERT INTO t VALUES (1)", "DROP TABLE t", "CREATE TABLE u (a)"} {
		if _, err := r.(*sqliteReader).pool.ExecContext(t.Context(), statement); err == nil || !strings.Contains(err.Error(), "readonly") {
			t.Errorf("%s: %v", statement, err)
		}
	}
}
