package sqlsrc

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
)

// FuzzParse_Postgres reads any text for the dialects of the family: it ends, every problem
// has a place in the text, a model with problems is partial, and the same text has the
// same findings.
func FuzzParse_Postgres(f *testing.F) {
	paths, err := filepath.Glob("testdata/postgres_*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(a.Files[0].Data))
	}
	for _, path := range []string{"testdata/postgres/accepted.sql", "testdata/postgres/refused.sql"} {
		for _, s := range scripts(f, path) {
			f.Add(s.text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		late := time.AfterFunc(time.Minute, func() { panic("it does not end") })
		defer late.Stop()
		for _, d := range []dialect.Dialect{dialect.Postgres, dialect.CockroachDB, dialect.YugabyteDB} {
			var first string
			for range 2 {
				var rep finding.Report
				db := Parse(t.Context(), text, "s.sql", d, &rep)
				if rep.Failed() != db.Partial {
					t.Errorf("%s: partial is %t with problems %v", d, db.Partial, rep.Problems())
				}
				for _, p := range rep.Problems() {
					if p.Line < 1 || p.Line > 1+strings.Count(text, "\n") {
						t.Errorf("%s: there is no line %d", d, p.Line)
					}
				}
				if got := fmt.Sprint(rep.Problems(), rep.Warnings()); first == "" {
					first = got
				} else if got != first {
					t.Errorf("%s: findings %s, then %s", d, first, got)
				}
			}
		}
	})
}

// Hostile texts end in time and without a panic.
func TestParse_PostgresHostile(t *testing.T) {
	for name, text := range map[string]string{
		"parentheses":   "CREATE TABLE t (a int CHECK (" + strings.Repeat("(", 200_000),
		"closed":        "CREATE TABLE t (a int CHECK (" + strings.Repeat("(", 100_000) + "1" + strings.Repeat(")", 100_000) + "))",
		"unclosed":      strings.Repeat("CREATE TABLE t (a int;\n", 2000),
		"quotes":        strings.Repeat("CREATE TABLE t (a int DEFAULT 'x);\n", 2001),
		"semicolons":    strings.Repeat(";", 1<<18),
		"statements":    strings.Repeat("X;", 1<<14),
		"comments":      strings.Repeat("/*", 1<<18),
		"dollars":       strings.Repeat("$x$", 1<<16+1),
		"operators":     "CREATE TABLE t (a int CHECK (" + strings.Repeat("a + ", 1<<15) + "a))",
		"columns":       "CREATE TABLE t (" + strings.Repeat("a int, ", 1<<12) + "a int)",
		"many columns":  "CREATE TABLE t (" + many(1600, "c%d int UNIQUE CHECK (c%[1]d > 0)") + ")",
		"same name":     strings.Repeat("CREATE INDEX ON t (a);", 3000),
		"itself":        "CREATE TABLE t () INHERITS (t); CREATE TABLE u (a int); ALTER TABLE u INHERIT u; ALTER TABLE u ADD COLUMN b int;",
		"a partition":   "CREATE TABLE t (a int) PARTITION BY LIST (a); ALTER TABLE t ATTACH PARTITION t DEFAULT; ALTER TABLE t ADD COLUMN b int; DROP TABLE t",
		"like":          "CREATE TABLE t (a int); CREATE TABLE u (LIKE t INCLUDING ALL, LIKE t)",
		"NUL":           "CREATE TABLE t (a int);\x00CREATE TABLE u (a int)",
		"invalid UTF-8": "CREATE TABLE t\xff (a int); CREATE TABLE u (a int)",
		"backslashes":   strings.Repeat("\\x\n", 1<<14),
		"empty name":    `CREATE TABLE "" ("" int)`,
		"copy":          "COPY t FROM stdin;\n1\n2\n",
	} {
		for _, d := range []dialect.Dialect{dialect.Postgres, dialect.CockroachDB} {
			begin := time.Now()
			var rep finding.Report
			Parse(t.Context(), text, "s.sql", d, &rep)
			if took := time.Since(begin); took > 20*time.Second {
				t.Errorf("%s for %s took %v", name, d, took)
			} else if took > 500*time.Millisecond {
				t.Log(name, d, took)
			}
		}
	}
}

func many(n int, format string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(list, ", ")
}
