package roundtrip

import (
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/datakit/sqltree/mysql"
	"github.com/quartet-mcp/quartet/ptah/internal/declared"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/source"
)

func TestMain(m *testing.M) { os.Exit(dbtest.Main(m)) }

// script is a schema written in SQL.
type script struct{ name, text string }

// scripts returns those of a dialect: the ones named from datakit, those that all tests of
// the module share, the ones for this test alone, and those that the environment adds.
func scripts(t *testing.T, dialect string, datakit ...string) []script {
	t.Helper()
	var all []script
	for _, name := range datakit {
		all = append(all, script{name, unpacked(t, filepath.Join("..", "..", "..", "datakit", "testdata", "scripts", name+".sql.gz"))})
	}
	folders := []string{filepath.Join("..", "..", "testdata", "roundtrip", dialect), filepath.Join("testdata", dialect)}
	if more := os.Getenv("PTAH_ROUNDTRIP"); more != "" {
		folders = append(folders, filepath.Join(more, dialect))
	}
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*.sql"))
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(files)
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, script{strings.TrimSuffix(filepath.Base(file), ".sql"), string(text)})
		}
	}
	return all
}

func unpacked(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// rendered reads a script as a declared schema and renders it. Every problem fails the
// test: what ptah cannot keep it would name here.
func rendered(t *testing.T, dialect, text string) []string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "schema.sql"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	roots, err := source.OpenRoots([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	defer roots.Close()
	var rep finding.Report
	reader := &declared.Reader{Roots: roots}
	answer, err := reader.Check(context.Background(), declared.Request{Dialect: dialect, Source: source.Request{SchemaFiles: []string{"schema.sql"}}}, &rep)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range rep.Problems() {
		t.Errorf("problem: %s", p)
	}
	if t.Failed() {
		t.FailNow()
	}
	return answer.Statements
}

// again renders what was rendered: ptah must read its own words back.
func again(t *testing.T, dialect string, statements []string) {
	t.Helper()
	second := rendered(t, dialect, joined(dialect, statements))
	for i := range max(len(statements), len(second)) {
		if i >= len(statements) || i >= len(second) || statements[i] != second[i] {
			var a, b string
			if i < len(statements) {
				a = statements[i]
			}
			if i < len(second) {
				b = second[i]
			}
			t.Errorf("read back, statement %d is\n%s\nand was\n%s", i, b, a)
			return
		}
	}
}

// joined is a script of statements, in the form that the dialect's client takes.
func joined(dialect string, statements []string) string {
	var b strings.Builder
	for _, s := range statements {
		if dialect == "mariadb" && strings.Contains(strings.TrimSuffix(s, ";"), ";") {
			b.WriteString(mysql.Delimited(s))
			continue
		}
		b.WriteString(s + "\n")
	}
	return b.String()
}
