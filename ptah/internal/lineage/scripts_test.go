package lineage

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/source/sqlsrc"
)

// scripts are published schemas; the views over them are ours, in testdata.
var scripts = []string{"sakila", "northwind"}

// script is the text of a published schema and of the views over it.
func script(t testing.TB, name string) (tables, views string) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "datakit", "testdata", "scripts", name+".sql.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile(filepath.Join("testdata", name+".sql"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text), string(own)
}

// parsed reads SQL as the tools do.
func parsed(t testing.TB, text string, d dialect.Dialect) *schema.Database {
	t.Helper()
	var rep finding.Report
	db := sqlsrc.Parse(t.Context(), text, "schema.sql", d, &rep)
	for _, p := range rep.Problems() {
		t.Errorf("%v", p)
	}
	return db
}

func TestTrace_Scripts(t *testing.T) {
	for _, name := range scripts {
		t.Run(name, func(t *testing.T) {
			tables, views := script(t, name)
			r := Trace(t.Context(), parsed(t, tables+"\n"+views, dialect.Postgres), dialect.Postgres)
			check(t, r)
			golden(t, name+".golden", lines(r))
		})
	}
}

// golden holds a text against a file of testdata.
func golden(t *testing.T, file, got string) {
	t.Helper()
	file = filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
