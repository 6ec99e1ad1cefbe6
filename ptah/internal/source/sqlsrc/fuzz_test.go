package sqlsrc

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
)

// others are the dialects that are read token by token.
var others = []dialect.Dialect{
	dialect.MySQL, dialect.MariaDB, dialect.SQLite, dialect.SQLServer, dialect.ClickHouse, dialect.Spanner, dialect.Oracle, dialect.YDB,
}

// FuzzParse_Others reads any text as every dialect: it always ends, every problem has a
// place in the text, and the same text has the same problems.
func FuzzParse_Others(f *testing.F) {
	for _, pattern := range []string{"testdata/*.txtar", "testdata/verdicts/*.txtar"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, path := range paths {
			a, err := txtar.ParseFile(path)
			if err != nil {
				f.Fatal(err)
			}
			for _, file := range a.Files {
				if strings.HasPrefix(file.Name, "want ") {
					continue
				}
				if file.Name == "schema.sql" {
					f.Add(string(file.Data))
					continue
				}
				for line := range strings.Lines(string(file.Data)) {
					f.Add(line)
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, d := range others {
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
				if got := fmt.Sprint(rep.Problems()); first == "" {
					first = got
				} else if got != first {
					t.Errorf("%s: problems %s, then %s", d, first, got)
				}
			}
		}
	})
}

// Hostile texts end, in the time that tests have, without a panic.
func TestParse_Hostile(t *testing.T) {
	var wide strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&wide, "c%d INT, ", i)
	}
	texts := map[string]string{
		"parentheses":     "CREATE TABLE t (a INT CHECK (" + strings.Repeat("(", 200_000),
		"closed":          "CREATE TABLE t (a INT CHECK (" + strings.Repeat("(", 100_000) + "1" + strings.Repeat(")", 100_000) + "))",
		"semicolons":      strings.Repeat(";", 1<<18),
		"statements":      strings.Repeat("X;", 1<<16),
		"comments":        strings.Repeat("/*", 1<<18),
		"conditional":     strings.Repeat("/*!", 1<<18),
		"quotes":          "CREATE TABLE t (a INT DEFAULT " + strings.Repeat("'", 1<<18+1),
		"columns":         "CREATE TABLE t (" + strings.Repeat("a INT, ", 1<<14) + "a INT)",
		"operators":       "CREATE TABLE t (a INT CHECK (" + strings.Repeat("a + ", 1<<15) + "a))",
		"commas":          "CREATE TABLE t (" + strings.Repeat(",", 1<<18),
		"delimiters":      strings.Repeat("DELIMITER x\n", 1<<15),
		"blocks":          "CREATE PROCEDURE p() " + strings.Repeat("BEGIN ", 1<<16),
		"angles":          "CREATE TABLE t (a ARRAY" + strings.Repeat("<", 1<<18),
		"indexes":         "CREATE TABLE t (a INT" + strings.Repeat(", KEY (a)", 1000) + ")",
		"checks":          "CREATE TABLE t (a INT" + strings.Repeat(", CHECK (1)", 1000) + ")",
		"wide":            "CREATE TABLE t (" + wide.String() + "a INT)",
		"NUL":             "CREATE TABLE t (a INT DEFAULT '\x00')\x00",
		"invalid UTF-8":   "CREATE TABLE t\xff (\xfe INT)",
		"one letter":      "q'",
		"dots":            "CREATE TABLE " + strings.Repeat("a.", 1<<16) + "a (b INT)",
		"empty name":      "CREATE TABLE `` (\"\" INT)",
		"dump of nothing": "INSERT INTO sqlite_schema VALUES('table','f','f',0,'');",
	}
	for name, text := range texts {
		for _, d := range others {
			var rep finding.Report
			Parse(t.Context(), text, "s.sql", d, &rep)
			if len(rep.Problems()) > 1<<16 {
				t.Errorf("%s: %s has %d problems", d, name, len(rep.Problems()))
			}
		}
	}
}

// bigSchema has tables of 20 columns each.
func bigSchema(tables int) string {
	var b strings.Builder
	for i := range tables {
		fmt.Fprintf(&b, "CREATE TABLE table_%d (\n  id INT NOT NULL PRIMARY KEY,\n", i)
		for c := range 18 {
			fmt.Fprintf(&b, "  column_%d VARCHAR(%d) DEFAULT 'x%d' NOT NULL,\n", c, 10+c, c)
		}
		fmt.Fprintf(&b, "  amount DECIMAL(10,2) CHECK (amount >= 0 AND amount < %d),\n  UNIQUE (column_1),\n  FOREIGN KEY (id) REFERENCES table_%d (id)\n);\n", i+1, i/2)
		fmt.Fprintf(&b, "CREATE INDEX index_%d ON table_%d (column_2, column_3 DESC);\n", i, i)
	}
	return b.String()
}

func BenchmarkParse(b *testing.B) {
	for _, d := range []dialect.Dialect{dialect.SQLite, dialect.MariaDB, dialect.SQLServer} {
		for _, n := range []int{1000, 5000, 20_000} {
			text := bigSchema(n)
			b.Run(fmt.Sprintf("%s/%d", d, n), func(b *testing.B) {
				for b.Loop() {
					var rep finding.Report
					db := Parse(b.Context(), text, "s.sql", d, &rep)
					if len(db.Tables) != n || rep.Failed() {
						b.Fatal(len(db.Tables), rep.Problems())
					}
				}
			})
		}
	}
}
