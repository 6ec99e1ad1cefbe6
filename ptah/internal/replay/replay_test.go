package replay

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/ptah/internal/dburl"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/migrations"
	"github.com/quartet-mcp/quartet/ptah/internal/render"
	"github.com/quartet-mcp/quartet/ptah/internal/scratch"
)

func TestMain(m *testing.M) { os.Exit(dbtest.Main(m)) }

// open opens an empty scratch database, which is emptied again when the test ends.
func open(t *testing.T, d dialect.Dialect) *scratch.DB {
	t.Helper()
	url := "sqlite://" + filepath.Join(t.TempDir(), "scratch.db")
	if d == dialect.Postgres {
		url = dbtest.Postgres(t)
	}
	u, err := dburl.Parse(url)
	if err != nil {
		t.Fatal(err)
	}
	db, err := scratch.Open(t.Context(), u, d, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return db
}

func directory(t *testing.T, files map[string]string) *migrations.Directory {
	t.Helper()
	m := fstest.MapFS{}
	for name, text := range files {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	dir, _, err := migrations.Read(m)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// up and down are a migration that leads back.
const (
	up   = "CREATE TABLE t (id int PRIMARY KEY);\n"
	down = "DROP TABLE t;\n"
)

func TestRun(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  []string // what is found, with what each message must have
	}{
		{"nothing", nil, nil},
		{"up and down", map[string]string{"1_a.up.sql": up, "1_a.down.sql": down}, nil},
		{"versions are numbers", map[string]string{
			"2_a.up.sql": up, "2_a.down.sql": down,
			"10_b.up.sql": "ALTER TABLE t ADD COLUMN n int;\n", "010_b.down.sql": "ALTER TABLE t DROP COLUMN n;\n",
		}, nil},
		{"a way down that is missing ends the way down", map[string]string{
			"1_a.up.sql": up, "1_a.down.sql": "DROP TABLE other;\n",
			"2_b.up.sql": "CREATE TABLE u (id int PRIMARY KEY);\n",
		}, nil},
		{"checkpoints are not executed", map[string]string{"1_a.up.sql": up, "1_a.down.sql": down, "1_a.checkpoint.sql": up}, nil},
		{"refused", map[string]string{
			"1_a.up.sql": up, "1_a.down.sql": down,
			"2_b.up.sql": "-- why\n\nALTER TABLE other\n ADD COLUMN n int;\n", "2_b.down.sql": "",
			"3_c.up.sql": "DROP TABLE nothing;\n",
		}, []string{`error RUN001 2_b.up.sql:3 "ALTER TABLE other": `}},
		{"refused in the midst", map[string]string{"1_a.up.sql": up + up}, []string{`error RUN001 1_a.up.sql:2 "CREATE TABLE t (id int PRIMARY KEY)": `}},
		{"no SQL", map[string]string{"1_a.up.sql": "CREATE TABLE t (\n"}, []string{"error RUN001 1_a.up.sql:0 it cannot be taken apart into statements: "}},
		{"a way down is refused", map[string]string{"1_a.up.sql": up, "1_a.down.sql": "DROP TABLE u;\n"}, []string{`error RUN001 1_a.down.sql:1 "DROP TABLE u": `}},
		{"not back", map[string]string{
			"1_a.up.sql": up, "1_a.down.sql": down,
			"2_b.up.sql": "CREATE TABLE u (id int PRIMARY KEY);\nCREATE INDEX i ON t (id);\n", "2_b.down.sql": "DROP INDEX i;\n",
		}, []string{"warning RUN002 2_b.down.sql:0 the structure is not what it was before 2_b.up.sql: it would take DROP TABLE "}},
		{"not back, in several ways", map[string]string{
			"1_a.up.sql": up + "CREATE TABLE u (id int PRIMARY KEY);\nCREATE TABLE v (id int PRIMARY KEY);\n", "1_a.down.sql": down,
		}, []string{", and 1 statement more"}},
	} {
		for _, d := range []dialect.Dialect{dialect.SQLite, dialect.Postgres} {
			t.Run(c.name+"/"+string(d), func(t *testing.T) {
				found, err := Run(t.Context(), open(t, d), directory(t, c.files), render.Options{Dialect: d})
				if err != nil {
					t.Fatal(err)
				}
				if found == nil || len(found) != len(c.want) {
					t.Fatalf("found %v, want %d", found, len(c.want))
				}
				for i, f := range found {
					if got := line(f); !strings.Contains(got, c.want[i]) {
						t.Errorf("got  %s\nwant %s", got, c.want[i])
					}
				}
			})
		}
	}
}

func line(d migrations.Diagnostic) string {
	at, _, _ := strings.Cut(d.String(), ": ")
	if d.Line == 0 {
		at += ":0"
	}
	return string(d.Severity) + " " + d.Rule + " " + at + " " + d.Message
}

// TestRun_Cancelled: the end of the context is no finding about a migration.
func TestRun_Cancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, d := range []dialect.Dialect{dialect.SQLite, dialect.Postgres} {
		found, err := Run(ctx, open(t, d), directory(t, map[string]string{"1_a.up.sql": up, "1_a.down.sql": down}), render.Options{Dialect: d})
		if !errors.Is(err, context.Canceled) || len(found) > 0 {
			t.Errorf("%s: found %v, error %v", d, found, err)
		}
	}
}

// TestRun_Order: all ways up in the order of their versions, then all ways down in the
// other: no statement fails.
func TestRun_Order(t *testing.T) {
	dir := directory(t, map[string]string{
		"9_a.up.sql": up, "9_a.down.sql": down,
		"10_b.up.sql": "ALTER TABLE t RENAME TO u;\n", "10_b.down.sql": "ALTER TABLE u RENAME TO t;\n",
		"11_c.up.sql": "ALTER TABLE u ADD COLUMN n int;\n", "11_c.down.sql": "ALTER TABLE u DROP COLUMN n;\n",
	})
	for _, d := range []dialect.Dialect{dialect.SQLite, dialect.Postgres} {
		if found, err := Run(t.Context(), open(t, d), dir, render.Options{Dialect: d}); err != nil || len(found) > 0 {
			t.Errorf("%s: %v, %v", d, found, err)
		}
	}
}
