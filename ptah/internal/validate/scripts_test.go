package validate

import (
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/source/sqlsrc"
)

// script reads a schema that people use.
func script(tb testing.TB, name string) string {
	tb.Helper()
	f, err := os.Open(filepath.Join("../../../datakit/testdata/scripts", name))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

// load reads a schema from SQL as it is validated.
func load(text string, d dialect.Dialect) (*schema.Database, *finding.Report) {
	rep := &finding.Report{}
	db := sqlsrc.Parse(context.Background(), text, "schema.sql", d, rep)
	db.Attach(d.DefaultSchema(), d.TableKey)
	return db, rep
}

// TestValidate_RealSchemas: what databases in use accept has no problem.
func TestValidate_RealSchemas(t *testing.T) {
	for _, name := range []string{"panoptes", "danbooru", "omop-cdm-5.4", "northwind", "sakila", "chinook"} {
		t.Run(name, func(t *testing.T) {
			db, rep := load(script(t, name+".sql.gz"), dialect.Postgres)
			if len(db.Tables) == 0 {
				t.Fatal("no tables")
			}
			Validate(context.Background(), db, dialect.Postgres, "", rep)
			for _, p := range rep.Problems() {
				if strings.HasPrefix(string(p.Rule), "SRC") {
					t.Log(p)
					continue
				}
				t.Error(p)
			}
		})
	}
}

// TestValidate_Accepted: scripts of all sorts that the databases were seen to take.
func TestValidate_Accepted(t *testing.T) {
	check := func(t *testing.T, name, text string, d dialect.Dialect) {
		t.Helper()
		db, rep := load(text, d)
		Validate(context.Background(), db, d, "", rep)
		for _, p := range rep.Problems() {
			// SQLite looks for what a foreign key refers to when rows are added.
			if late := d == lite && (p.Rule == "FK003" || p.Rule == "FK005"); !late && !strings.HasPrefix(string(p.Rule), "SRC") {
				t.Errorf("%s: %s\n%s", name, p, text[:min(len(text), 2000)])
			}
		}
	}
	for _, d := range []dialect.Dialect{pg, maria, lite} {
		t.Run(string(d), func(t *testing.T) {
			files, err := filepath.Glob(filepath.Join("../../testdata/roundtrip", string(d), "*.sql"))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range files {
				text, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				check(t, filepath.Base(f), string(text), d)
			}
			if d == pg {
				text, err := os.ReadFile("../source/sqlsrc/testdata/postgres/accepted.sql")
				if err != nil {
					t.Fatal(err)
				}
				for i, part := range strings.Split(string(text), "\n--- ") {
					_, sql, _ := strings.Cut(part, "\n")
					check(t, "accepted.sql "+strconv.Itoa(i), sql, d)
				}
				return
			}
			a, err := txtar.ParseFile(filepath.Join("../source/sqlsrc/testdata/verdicts", string(d)+".txtar"))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range a.Files {
				if f.Name != "taken" {
					continue
				}
				for line := range strings.Lines(string(f.Data)) {
					check(t, f.Name, line, d)
				}
			}
		})
	}
}
