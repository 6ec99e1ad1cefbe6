package validate

import (
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
