package generic

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/internal/treetest"
)

// corpus returns the statements of testdata/accept: one file for each dialect.
func corpus(t testing.TB) map[sqltree.Dialect][]string {
	files, err := filepath.Glob("testdata/accept/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatal("no files in testdata/accept", err)
	}
	out := map[sqltree.Dialect][]string{}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		d := sqltree.Dialect(strings.TrimSuffix(filepath.Base(f), ".sql"))
		for _, s := range strings.Split(string(b), "\n----\n") {
			out[d] = append(out[d], strings.TrimSuffix(s, "\n"))
		}
	}
	return out
}

// spelled is the name that a spelling of an identifier stands for.
func spelled(d sqltree.Dialect) func(string) string {
	p := &parser{rules: rulesOf(d), d: d}
	return func(s string) string {
		if p.clickhouse {
			// A column of a nested structure is one name of several parts.
			l := lex(p.rules, s)
			if l.err != nil {
				return s // a word only behind a dot
			}
			q := &parser{rules: p.rules, d: d, text: s, toks: l.toks}
			var parts []string
			for i, t := range q.toks {
				if t.kind != symbolToken && t.kind != endToken {
					parts = append(parts, q.identAt(i).Name)
				}
			}
			return strings.Join(parts, ".")
		}
		switch {
		case s[0] == '\'' || s[0] == '"' && p.doubleString:
			return p.stringValue(s)
		case strings.IndexByte("\"`[", s[0]) >= 0, len(s) > 3 && s[0]|0x20 == 'u' && s[1] == '&' && (s[2] == '"' || s[2] == '\''):
			return p.unquoteName(s)
		}
		return s
	}
}

// TestParse_Corpus parses every statement of the corpus: each file says what its
// dialect takes. Besides that nothing is refused, the spans have to be right:
// inside the text and their parents, and those of identifiers their spelling.
func TestParse_Corpus(t *testing.T) {
	for d, list := range corpus(t) {
		t.Run(string(d), func(t *testing.T) {
			for i, text := range list {
				s, err := Parse(d, text)
				if err != nil {
					t.Errorf("statement %d: %v\n%s", i+1, err, text)
					continue
				}
				if len(s.Statements) != 1 && !strings.Contains(text, ";\n") {
					t.Errorf("statement %d makes %d statements\n%s", i+1, len(s.Statements), text)
				}
				for _, p := range treetest.Problems(s, spelled(d)) {
					t.Errorf("statement %d: %s\n%s", i+1, p, text)
				}
			}
		})
	}
}

// closed is a catalog of no relations.
type closed struct{}

func (closed) Relation(sqltree.Dialect, sqltree.Name) *sqltree.Relation { return nil }
func (closed) Names() []string                                          { return nil }

// TestParse_Resolves hands every tree to the resolver: none may make it fail.
func TestParse_Resolves(t *testing.T) {
	for d, list := range corpus(t) {
		for _, text := range list {
			s, err := Parse(d, text)
			if err != nil {
				t.Fatal(err)
			}
			for _, st := range s.Statements {
				if r := sqltree.Resolve(st, d, closed{}); r == nil {
					t.Errorf("no resolution of %s", text)
				}
			}
		}
	}
}

// TestParse_NotesAreFew holds how much of the corpus is passed over unread.
func TestParse_NotesAreFew(t *testing.T) {
	notes := map[string]int{}
	for d, list := range corpus(t) {
		for _, text := range list {
			s, err := Parse(d, text)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range s.Notes {
				if !strings.HasPrefix(n.Message, "template") {
					notes[n.Message]++
				}
			}
		}
	}
	var total int
	for _, n := range notes {
		total += n
	}
	if total == 0 || total > 25 {
		t.Errorf("%d notes, want 1 to 25: %v", total, notes)
	}
}

func TestParse_Script(t *testing.T) {
	s, err := Parse(sqltree.SQLite, "\ufeff;; SELECT 1; ;\n-- x\nSELECT 2 -- y\n;")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, st := range s.Statements {
		at := st.Pos()
		got = append(got, s.Text[at.Start:at.End])
	}
	if fmt.Sprint(got) != "[SELECT 1 SELECT 2]" {
		t.Errorf("statements %q", got)
	}
}

func TestParse_Empty(t *testing.T) {
	for _, text := range []string{"", " ", ";", "-- x", "/* x */;;"} {
		s, err := Parse(sqltree.DuckDB, text)
		if err != nil || len(s.Statements) != 0 {
			t.Errorf("Parse(%q) = %v, %v, want no statement", text, s, err)
		}
	}
}

func TestParse_Delimiter(t *testing.T) {
	for _, text := range []string{
		"DELIMITER //\nCREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2; END//\nDELIMITER ;\nSELECT 3;",
		// $ is a letter of names there, and an apostrophe in a comment opens nothing.
		"DELIMITER $$\nCREATE PROCEDURE p() BEGIN SELECT 1; END$$\n-- it's simple\nDELIMITER ;\nSELECT a$b;",
		"DELIMITER $$\nCREATE PROCEDURE p() SELECT 1$$\nDELIMITER ;\nSELECT 3;",
	} {
		s, err := Parse(sqltree.MySQL, text)
		if err != nil {
			t.Errorf("Parse(%q): %v", text, err)
			continue
		}
		if len(s.Statements) != 2 {
			t.Errorf("Parse(%q): %d statements, want 2", text, len(s.Statements))
			continue
		}
		if _, ok := s.Statements[0].(*sqltree.CreateFunction); !ok {
			t.Errorf("first is a %T", s.Statements[0])
		}
	}
}

func TestParse_Batches(t *testing.T) {
	s, err := Parse(sqltree.Generic, "SELECT a AS go FROM t\nGO\nSELECT 2\n go\n")
	if err != nil || len(s.Statements) != 2 {
		t.Fatalf("%v, %v, want 2 statements", s, err)
	}
}

func TestParse_BackslashesEitherWay(t *testing.T) {
	for text, want := range map[string]string{`SELECT 'it\'s'`: "it's", `SELECT 'C:\'`: `C:\`, `SELECT 'a\nb'`: `a\nb`} {
		s, err := Parse(sqltree.Generic, text)
		if err != nil {
			t.Errorf("Parse(%s): %v", text, err)
			continue
		}
		item := s.Statements[0].(*sqltree.Query).Body.(*sqltree.Select).Items[0]
		if got := item.Expr.(*sqltree.Literal).Value; got != want {
			t.Errorf("Parse(%s) = %q, want %q", text, got, want)
		}
	}
}

// TestParse_Chains holds that chains are taken at any length that a person or a
// program may write, and that they cost no more than their length.
func TestParse_Chains(t *testing.T) {
	join := func(n int, sep, term string) string { return strings.TrimSuffix(strings.Repeat(term+sep, n), sep) }
	for name, text := range map[string]string{
		"and":        "SELECT 1 FROM t WHERE " + join(100000, " AND ", "a = 1"),
		"or":         "SELECT 1 FROM t WHERE " + join(50000, " OR ", "(a = 1 AND b = 2)"),
		"plus":       "SELECT " + join(2000, " + ", "a"),
		"concat":     "SELECT " + join(2000, " || ", "'x'"),
		"casts":      "SELECT a" + strings.Repeat("::int", 2000),
		"fields":     "SELECT (a)" + strings.Repeat(".b", 1900),
		"subscripts": "SELECT a" + strings.Repeat("[1]", 1900),
		"union":      join(2000, " UNION ALL ", "SELECT 1"),
		"joins":      "SELECT 1 FROM a" + strings.Repeat(" JOIN b ON a.x = b.x", 2000),
		"late on":    "SELECT 1 FROM a" + strings.Repeat(" JOIN b", 400) + strings.Repeat(" ON a.x = b.x", 400),
		"list":       "SELECT 1 FROM t WHERE a IN (" + join(200000, ", ", "1") + ")",
		"items":      "SELECT " + join(50000, ", ", "t.a AS b"),
		"tables":     "SELECT 1 FROM " + join(20000, ", ", "t x"),
		"with":       "WITH " + join(5000, ", ", "a AS (SELECT 1)") + " SELECT 1",
		"case":       "SELECT CASE" + strings.Repeat(" WHEN a = 1 THEN 2", 20000) + " END",
		"values":     "INSERT INTO t VALUES " + join(50000, ", ", "(1, 'x')"),
		"statements": strings.Repeat("SELECT 1;", 50000),
		"comments":   strings.Repeat("/* x */ -- y\n", 50000) + "SELECT 1",
	} {
		if _, err := Parse(sqltree.DuckDB, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestParse_Deep(t *testing.T) {
	nest := func(n int, open, in, end string) string { return strings.Repeat(open, n) + in + strings.Repeat(end, n) }
	for name, c := range map[string]struct {
		make func(n int) string
		n    int // the deepest that is taken
		want string
	}{
		"parentheses": {func(n int) string { return "SELECT " + nest(n, "(", "1", ")") }, 500, "brackets nest deeper than 500"},
		"calls":       {func(n int) string { return "SELECT " + nest(n, "f(", "1", ")") }, 500, "brackets nest deeper than 500"},
		"arrays":      {func(n int) string { return "SELECT " + nest(n, "[", "1", "]") }, 500, "brackets nest deeper than 500"},
		"subqueries":  {func(n int) string { return nest(n, "SELECT * FROM (", "SELECT 1", ")") }, 450, "brackets nest deeper than 500"},
		"scalars":     {func(n int) string { return nest(n, "SELECT (", "SELECT 1", ")") }, 450, "brackets nest deeper than 500"},
		"queries":     {func(n int) string { return nest(n, "(", "SELECT 1", ")") }, 450, "brackets nest deeper than 500"},
		"joins":       {func(n int) string { return "SELECT 1 FROM " + nest(n, "(", "a", ")") }, 450, "brackets nest deeper than 500"},
		"not":         {func(n int) string { return "SELECT " + strings.Repeat("NOT ", n) + "a" }, 700, "text nests too deeply"},
		"minus":       {func(n int) string { return "SELECT " + strings.Repeat("- ", n) + "a" }, 700, "text nests too deeply"},
		"case":        {func(n int) string { return "SELECT " + nest(n, "CASE WHEN a THEN ", "1", " END") }, 700, "text nests too deeply"},
		"plus":        {func(n int) string { return "SELECT 1" + strings.Repeat(" + 1", n) }, 1990, "too many operators in a row"},
		"types":       {func(n int) string { return "SELECT a::" + nest(n, "STRUCT(a ", "INT", ")") }, 500, "brackets nest deeper than 500"},
	} {
		if _, err := Parse(sqltree.DuckDB, c.make(c.n)); err != nil {
			t.Errorf("%s, %d deep: %v", name, c.n, err)
		}
		_, err := Parse(sqltree.DuckDB, c.make(100000))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s, 100000 deep: %v, want %s", name, err, c.want)
		}
	}
}

// TestParse_Hostile runs texts on which a parser that looks ahead or tries twice
// takes far longer than their length.
func TestParse_Hostile(t *testing.T) {
	for name, text := range map[string]string{
		"parentheses side by side": "SELECT " + strings.Repeat(strings.Repeat("(", 400)+"1"+strings.Repeat(")", 400)+",", 300) + "1",
		"queries side by side":     "SELECT " + strings.Repeat(strings.Repeat("(", 400)+"SELECT 1"+strings.Repeat(")", 400)+",", 200) + "1",
		"open calls":               strings.Repeat("f(", 80000),
		"joins without end":        "SELECT 1 FROM a " + strings.Repeat("LEFT ", 80000),
		"lambdas":                  "SELECT " + strings.Repeat("f((x, y) -> ", 450) + "1" + strings.Repeat(")", 450),
		"names":                    "SELECT a" + strings.Repeat(".a", 200000),
		"quotes":                   strings.Repeat("'", 200001),
		"dollars":                  strings.Repeat("$a", 100000),
		"templates":                strings.Repeat("{{ a }}", 40000),
		"targets":                  "DELETE " + strings.Repeat("a, ", 60000),
		"braces":                   strings.Repeat("{", 60000),
		"angles":                   "SELECT " + strings.Repeat("ARRAY<", 60000),
		"with":                     strings.Repeat("WITH a AS (", 400) + "SELECT 1" + strings.Repeat(") SELECT 1", 400),
		"stages":                   "SELECT * FROM @" + strings.Repeat("/a", 60000),
		"triggers":                 strings.Repeat("CREATE TRIGGER a DELETE ON t BEGIN ", 60000),
		"matches":                  "SELECT " + strings.Repeat("MATCH a, ", 60000) + "1",
		"intervals":                "SELECT " + strings.Repeat("INTERVAL (1) + ", 5000) + "1",
		"pivots":                   "SELECT 1 FROM t" + strings.Repeat(" PIVOT (sum(a) FOR b IN (SELECT 1 FROM u", 200) + strings.Repeat("))", 200),
		"immediate":                strings.Repeat("EXECUTE IMMEDIATE $$ ", 60000),
		"settings":                 "SET " + strings.Repeat("a = (SELECT 1), ", 30000),
		"outer joins":              "SELECT 1 FROM " + strings.Repeat("{ OJ ", 450) + "a" + strings.Repeat("}", 450),
		"set targets":              "UPDATE t SET " + strings.Repeat("(", 400),
	} {
		for _, d := range []sqltree.Dialect{sqltree.DuckDB, sqltree.BigQuery, sqltree.Snowflake, sqltree.ClickHouse, sqltree.Generic, sqltree.MySQL, sqltree.SQLite} {
			if _, err := Parse(d, text); err == nil && strings.HasPrefix(name, "open") {
				t.Errorf("%s in %s: no error", name, d)
			}
		}
	}
}

func TestParse_LongText(t *testing.T) {
	text := dump(10 << 20)
	s, err := Parse(sqltree.SQLite, text)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(s.Statements); n < 1000 {
		t.Errorf("%d statements", n)
	}
	_, err = Parse(sqltree.SQLite, strings.Repeat(" ", MaxLength+1))
	if want := "text of 16777217 bytes is longer than 16777216 (line 1, column 16777217)"; err == nil || err.Error() != want {
		t.Errorf("too long: %v, want %s", err, want)
	}
}
