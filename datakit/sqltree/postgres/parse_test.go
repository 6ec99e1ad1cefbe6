package postgres

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	pg_query "github.com/pganalyze/pg_query_go/v6"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/internal/treetest"
)

var update = flag.Bool("update", false, "rewrite the golden trees")

// TestParse_Golden compares whole trees with those in testdata, one for each
// statement there.
func TestParse_Golden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("no statements: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s, err := Parse(string(text))
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range treetest.Problems(s, spelled) {
				t.Error(p)
			}
			golden := strings.TrimSuffix(file, ".sql") + ".tree"
			got := treetest.Dump(s)
			if *update {
				if os.Getenv("CI") != "" {
					t.Fatal("-update is for people, not for CI")
				}
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("tree of %s:\n%s\nwant\n%s", file, got, want)
			}
		})
	}
}

func TestParse_Errors(t *testing.T) {
	long := strings.Repeat(" ", MaxLength+1)
	tests := []struct{ name, text, want, at string }{
		{"grammar", "SELECT a\n FORM t WHERE", `syntax error at or near "t" (line 2, column 7)`, "t"},
		{"behind characters of several bytes", "SELECT 'äöü€', FROM t", `syntax error at or near "FROM" (line 1, column 21)`, "FROM"},
		{"parameter in a literal's place", "SELECT date $1", `syntax error at or near "$1" (line 1, column 13)`, "$1"},
		{"in a later batch", strings.Repeat("SELECT 1;\n", 5000) + "SELECT FROM FROM", `syntax error at or near "FROM" (line 5001, column 13)`, "FROM"},
		{"at the end", "SELECT (1", "bracket is never closed (line 1, column 8)", "("},
		{"at the end of the grammar", "SELECT 1 +", "syntax error at end of input (line 1, column 11)", ""},
		{"bracket", "SELECT 1)", `")" closes nothing (line 1, column 9)`, ")"},
		{"brackets crossed", "SELECT (a[1)]", `")" closes nothing (line 1, column 12)`, ")"},
		{"NUL", "SELECT 1\x00; DROP TABLE t", "text has a NUL byte (line 1, column 9)", "\x00"},
		{"UTF-8", "SELECT 'a\xffb'", "text is not valid UTF-8 (line 1, column 10)", "\xff"},
		{"length", long, "text of 16777217 bytes is longer than 16777216 (line 1, column 16777217)", ""},
		{"string", "SELECT 'a", "string is never closed (line 1, column 8)", "'"},
		{"identifier", `SELECT "a`, "quoted identifier is never closed (line 1, column 8)", `"`},
		{"dollar string", "SELECT $a$ $b$", "string $a$ is never closed (line 1, column 8)", "$a$"},
		{"comment", "SELECT 1 /* /* */", "comment is never closed (line 1, column 10)", "/*"},
		{"meta-command inside a statement", "SELECT 1\n\\connect x", `meta-command \connect stands inside a statement (line 2, column 1)`, `\connect`},
		{"backslash", `SELECT 1 \ 2`, `unexpected character "\" (line 1, column 10)`, `\`},
		{"rows without end", "COPY t FROM stdin;\nDROP TABLE t;\n", `rows of COPY … FROM stdin have no closing line \. (line 2, column 1)`, "DROP TABLE t;"},
		{"nested brackets", "SELECT " + strings.Repeat("(", 501) + "1" + strings.Repeat(")", 501), "nested too deeply (more than 500 levels) (line 1, column 508)", "("},
		{"nested CASE", "SELECT " + strings.Repeat("CASE WHEN ", 501) + "true", "nested too deeply (more than 500 levels) (line 1, column 5008)", "CASE"},
		{"operators", "SELECT 1" + strings.Repeat("+1", 2001), "too many operators in a row (more than 2000) (line 1, column 4009)", "+"},
		{"casts", "SELECT 1" + strings.Repeat("::int", 100000), "too many operators in a row (more than 2000) (line 1, column 10009)", "::"},
		{"NOT", "SELECT " + strings.Repeat("NOT ", 100000) + "true", "too many operators in a row (more than 2000) (line 1, column 8008)", "NOT"},
		{"IS NULL", "SELECT 1" + strings.Repeat(" IS NULL", 400000), "too many operators in a row (more than 2000) (line 1, column 16010)", "IS"},
		{"UNION", "SELECT 1" + strings.Repeat(" UNION SELECT 1", 400000), "too many operators in a row (more than 2000) (line 1, column 30010)", "UNION"},
		{"joins", "SELECT 1 FROM a" + strings.Repeat(" JOIN a ON a.x = a.y", 400000), "too many operators in a row (more than 2000) (line 1, column 39997)", "JOIN"},
		{"subscripts", "SELECT a" + strings.Repeat("[1]", 250000), "too many operators in a row (more than 2000) (line 1, column 6009)", "["},
		{"fields", "SELECT (e)" + strings.Repeat(".a", 400000), "too many operators in a row (more than 2000) (line 1, column 4011)", "."},
		{"words that are names", "SELECT 1" + strings.Repeat("+a.and+values", 300000), "too many operators in a row (more than 2000) (line 1, column 13009)", "+"},
		{"tokens", "SELECT 1" + strings.Repeat(",1", MaxTokens/2), "statement has more than 1000000 tokens (line 1, column 1000007)", ","},
		{"operators over brackets", "SELECT " + strings.Repeat("1+1+1+1+1+1+1+1+1+1+1+(", 499) + "1" + strings.Repeat(")", 499), "too many operators in a row (more than 2000) (line 1, column 4190)", "+"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse(test.text)
			var e *sqltree.SyntaxError
			if !errors.As(err, &e) {
				t.Fatalf("got %v, want a *sqltree.SyntaxError", err)
			}
			if e.Error() != test.want {
				t.Errorf("got %q, want %q", e.Error(), test.want)
			}
			if at := test.text[e.Start:e.End]; at != test.at {
				t.Errorf("the error is at %q, want %q", at, test.at)
			}
		})
	}
}

// TestParse_UnderTheLimits is the twin of the limits above: what is at them
// is parsed.
func TestParse_UnderTheLimits(t *testing.T) {
	for name, text := range map[string]string{
		"brackets":  "SELECT " + strings.Repeat("(", 500) + "1" + strings.Repeat(")", 500),
		"CASE":      "SELECT " + strings.Repeat("CASE WHEN ", 500) + "true" + strings.Repeat(" THEN true END", 500),
		"operators": "SELECT 1" + strings.Repeat("+1", 2000),
		"casts":     "SELECT 1" + strings.Repeat("::int", 2000),
		"joins":     "SELECT 1 FROM a" + strings.Repeat(" NATURAL JOIN a", 2000),
		"unions":    "SELECT 1" + strings.Repeat(" UNION SELECT 1", 2000),
		"rows":      "INSERT INTO t VALUES (1, 'a')" + strings.Repeat(",\n(123456, 'ann@example.com', '1980-02-29 00:00:00', NULL)", 1<<20/50),
		"names":     "SELECT a.b.c" + strings.Repeat(", a.and, b.or.c[1]", 3000),
		"AND":       "SELECT 1 WHERE a = 1" + strings.Repeat(" AND a = 1", 20000),
		"list":      "SELECT 1 WHERE a IN (1 + 1" + strings.Repeat(", 1 + 1", 20000) + ")",
		"words":     "SELECT a AS case, b AS end" + strings.Repeat(", c AS case", 400),
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range treetest.Problems(s, spelled)[:min(3, len(treetest.Problems(s, spelled)))] {
				t.Error(p)
			}
		})
	}
}

func TestParse_Empty(t *testing.T) {
	for _, text := range []string{"", " \n", ";", ";;", "-- x", "/* x */ ;"} {
		s, err := Parse(text)
		if err != nil || len(s.Statements) != 0 {
			t.Errorf("Parse(%q) = %v, %v; want no statement", text, s, err)
		}
	}
}

func TestParse_SeveralStatements(t *testing.T) {
	s, err := Parse("SELECT 1; ;\n CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; END;SELECT ';' ;")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, st := range s.Statements {
		got = append(got, s.Text[st.Pos().Start:st.Pos().End])
	}
	want := []string{"SELECT 1", "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; END", "SELECT ';'"}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("statements %q, want %q", got, want)
	}
}

// TestLex_AsTheServer compares the tokens with those of PostgreSQL's scanner.
func TestLex_AsTheServer(t *testing.T) {
	texts := []string{
		"SELECT a.b,c::int[1:2]..3 FROM \"x\"\"y\" -- z\n/* /* */ */",
		"a<=b>=c<>d!=e=>f:=g==h~*i!~~j@-k*-l-+m||/n->o->>p#>>q@>r&&s?|t",
		"1 1.5 .5 1. 1e5 1E-5 0x1F 0o17 0b01 1_000 1.5e3",
		"'a''b' E'a\\'b' e'\\\\' B'01' x'1F' N'n' U&'\\0061' U&\"\\0061\" $$a$$ $t$ $$ $t$ $1 $12",
		"'a'\n'b' 'c' -- d\n'e' E'f'\n  'g\\''",
		"a-1 a--b\n- 2 +-3 @-4 a*-5 /*c*/+/*d*/ *",
		"ñandú über日本 _x x$y x1",
	}
	for _, c := range constructs {
		texts = append(texts, c.sql)
	}
	for _, text := range texts {
		l, err := lex(text)
		if err != nil {
			t.Errorf("lex(%q): %v", text, err)
			continue
		}
		scan, err := pg_query.Scan(text)
		if err != nil {
			t.Errorf("Scan(%q): %v", text, err)
			continue
		}
		var got, want []string
		for _, k := range l.toks {
			got = append(got, fmt.Sprintf("%d-%d", k.start, k.end))
		}
		escape := false // UESCAPE is a token of its own to the scanner, and part of one here
		for _, k := range scan.Tokens {
			switch {
			case k.Token == pg_query.Token_SQL_COMMENT || k.Token == pg_query.Token_C_COMMENT:
				continue
			case k.Token == pg_query.Token_UESCAPE:
				escape = true
				continue
			case escape:
				escape = false
				from, _, _ := strings.Cut(want[len(want)-1], "-")
				want[len(want)-1] = fmt.Sprintf("%s-%d", from, k.End)
				continue
			case k.Token == pg_query.Token_NCHAR && text[k.Start:k.End] == "N":
				want = append(want, fmt.Sprintf("%d-", k.Start)) // N'…' is one token here
				continue
			}
			if n := len(want); n > 0 && strings.HasSuffix(want[n-1], "-") {
				want[n-1] += fmt.Sprint(k.End)
				continue
			}
			want = append(want, fmt.Sprintf("%d-%d", k.Start, k.End))
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("tokens of %q\n%v, want\n%v", text, got, want)
		}
	}
}

// TestParse_Concurrent also checks that standard error is what it was: the
// library redirects it while it parses.
func TestParse_Concurrent(t *testing.T) {
	before, err := os.Stderr.Stat()
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				if _, err := Parse("SELECT a, b FROM t WHERE c = 1"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	after, err := os.Stderr.Stat()
	if err != nil || !os.SameFile(before, after) {
		t.Errorf("standard error is another file: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	for _, c := range constructs {
		f.Add(c.sql)
	}
	f.Add(psqlScript)
	f.Fuzz(func(t *testing.T, text string) {
		var s *sqltree.Script
		var err error
		treetest.Timely(t, text, func() { s, err = Parse(text) })
		if err != nil {
			var e *sqltree.SyntaxError
			if !errors.As(err, &e) || e.Start < 0 || e.End > len(text) || e.Start > e.End {
				t.Fatalf("Parse(%q): %#v", text, err)
			}
			if strings.Contains(e.Message, "not supported here") {
				t.Fatalf("Parse(%q): %v", text, err)
			}
			return
		}
		for _, p := range treetest.Problems(s, spelled) {
			t.Errorf("Parse(%q): %s", text, p)
		}
	})
}

// statement2K is a statement of about 2 KB, as an analyst writes it.
var statement2K = strings.Repeat(`SELECT r.month, r.region, COALESCE(r.revenue, 0) AS revenue, CASE WHEN r.rk = 1 THEN 'top' WHEN r.rk <= 3 THEN 'high' ELSE 'rest' END AS band
FROM (SELECT m.*, RANK() OVER (PARTITION BY m.region ORDER BY m.revenue DESC) AS rk FROM monthly m) r
JOIN sales.order_items AS oi ON oi.order_id = r.id LEFT JOIN crm.customers c ON c.id = r.customer_id
WHERE r.status IN ('paid', 'shipped') AND r.ordered_at >= '2024-01-01'::date AND EXISTS (SELECT 1 FROM geo.regions g WHERE g.name = r.region AND g.active)
UNION ALL
`, 4) + "SELECT month, region, sum(revenue), 'all' FROM monthly GROUP BY 1, 2 ORDER BY 1"

func BenchmarkParse_Statement(b *testing.B) {
	b.SetBytes(int64(len(statement2K)))
	for b.Loop() {
		if _, err := Parse(statement2K); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParse_Inserts is of a dump with INSERTs: 10 MB.
func BenchmarkParse_Inserts(b *testing.B) {
	text := script(b, "northwind")
	text = strings.Repeat(text, 1+10<<20/len(text))[:10<<20]
	text = text[:strings.LastIndex(text, ";\n")]
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Parse(text); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParse_Rows is of a dump with INSERTs of many rows: 10 MB.
func BenchmarkParse_Rows(b *testing.B) {
	text := script(b, "chinook")
	text = strings.Repeat(text, 10<<20/len(text))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Parse(text); err != nil {
			b.Fatal(err)
		}
	}
}
