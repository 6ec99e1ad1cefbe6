package cypher

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/pretensor/internal/cypher/cyphertest"
)

func TestCheck_RefusesAttacks(t *testing.T) {
	list := cyphertest.Queries(t, "testdata/attacks.txt")
	if len(list) < 300 {
		t.Errorf("%d attacks, want 300 at least", len(list))
	}
	for _, q := range list {
		err := Check(q)
		var r *Rejection
		if !errors.As(err, &r) {
			t.Errorf("%q: %v, want a rejection", q, err)
			continue
		}
		if r.Line < 1 || r.Column < 1 || r.Offset < 0 || r.Offset > len(q) || r.Reason == "" {
			t.Errorf("%q: %+v has no place or reason", q, r)
		}
	}
}

func TestCheck_AcceptsReading(t *testing.T) {
	list := append(cyphertest.Queries(t, "testdata/benign.txt"), cyphertest.Queries(t, "testdata/harmless.txt")...)
	if len(list) < 300 {
		t.Errorf("%d queries, want 300 at least", len(list))
	}
	for _, q := range list {
		if err := Check(q); err != nil {
			t.Errorf("%q: %v", q, err)
		}
	}
}

func TestCheck_SaysWhatAndWhere(t *testing.T) {
	for _, c := range []struct{ query, want string }{
		{"MATCH (n)\n  DELETE n", `"DELETE" at line 2, column 3: only reading is allowed here; a name that is also a command goes in backticks`},
		{"CREATE (n)", `"CREATE" at line 1, column 1: a query begins with MATCH, OPTIONAL MATCH, RETURN, WITH, UNWIND or CALL`},
		{"RETURN 'é' SET", `"SET" at line 1, column 12: only reading is allowed here; a name that is also a command goes in backticks`},
		{"RETURN nextval('s')", `"nextval" at line 1, column 8: no function of this name may be called here`},
		{"CALL threads=1", `"threads" at line 1, column 6: CALL must be followed by a procedure and its arguments in parentheses`},
		{"CALL louvain('g') RETURN *", `"louvain" at line 1, column 6: CALL may be followed by show_tables, table_info, show_connection, db_version, show_functions or show_indexes`},
		{"RETURN 1; RETURN 2", `";" at line 1, column 9: one statement at a time`},
		{"RETURN (1", `"(" is not closed (line 1, column 10)`},
		{"RETURN 'a", `"'" at line 1, column 8: the string has no end`},
		{"RETURN 1 /* a", `"/*" at line 1, column 10: the comment has no end`},
		{"RETURN 1\x00", `"U+0000" at line 1, column 9: control characters are not allowed`},
		{"RETURN \xff", `the query is not valid UTF-8 (line 1, column 8)`},
		{"UNWIND range(1, 100002) AS x RETURN x", `")" at line 1, column 23: range must be given two whole numbers at most 100000 apart`},
		{" // nothing", `the query is empty (line 1, column 1)`},
		{"", `the query is empty (line 1, column 1)`},
		{";", `the query is empty (line 1, column 1)`},
		{strings.Repeat("a", 20_001), `the query has 20001 characters, at most 20000 are allowed (line 1, column 1)`},
		{"RETURN " + strings.Repeat("(", 101) + "1", `"(" at line 1, column 108: more than 100 brackets inside each other`},
	} {
		err := Check(c.query)
		if err == nil || err.Error() != c.want {
			t.Errorf("Check(%.60q)\n got %v\nwant %s", c.query, err, c.want)
		}
	}
}

func TestCheck_AtTheLimits(t *testing.T) {
	long := "RETURN '" + strings.Repeat("é", MaxLength-9) + "'"
	if err := Check(long); err != nil {
		t.Errorf("%d characters: %v", utf8.RuneCountInString(long), err)
	}
	deep := "RETURN " + strings.Repeat("(", MaxNesting) + "1" + strings.Repeat(")", MaxNesting)
	if err := Check(deep); err != nil {
		t.Errorf("%d brackets: %v", MaxNesting, err)
	}
}

func TestScan(t *testing.T) {
	got, err := Scan("MATCH (a)--(`b``c`) WHERE a.x >= 1.5e3 AND b = $p_1 // '\nRETURN 'x''y', \"z\\\"\", 1..2, 3.x")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"MATCH", "(", "a", ")", "-", "-", "(", "`b``c`", ")", "WHERE", "a", ".", "x", ">", "=", "1.5e3", "AND", "b", "=", "$p_1",
		"RETURN", "'x'", "'y'", ",", `"z\""`, ",", "1", "..", "2", ",", "3", ".", "x"}
	var texts []string
	for _, token := range got {
		texts = append(texts, token.Text)
	}
	if diff := cmp.Diff(want, texts); diff != "" {
		t.Error(diff)
	}
	if got[7].Kind != Backtick || got[7].Name() != "b`c" || got[7].Word() != "" {
		t.Errorf("backticks: %+v", got[7])
	}
}

func TestParameters(t *testing.T) {
	got, err := Parameters("RETURN $a, '$b', `$c`, $d_1 // $e")
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].Name() != "a" || got[1].Name() != "d_1" {
		t.Errorf("got %v", got)
	}
}

// What the tokens leave out is white space and comments, whatever the text is; and
// a query that passes has none of the forbidden words as its first.
func FuzzCheck(f *testing.F) {
	for _, name := range []string{"attacks.txt", "benign.txt", "harmless.txt"} {
		for _, q := range cyphertest.Queries(f, "testdata/"+name) {
			f.Add(q)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		tokens, err := Scan(text)
		if err != nil {
			var r *Rejection
			if !errors.As(err, &r) || r.Offset < 0 || r.Offset > len(text) {
				t.Fatalf("Scan(%q): %v", text, err)
			}
			if Check(text) == nil {
				t.Fatalf("Check(%q) accepts what Scan does not", text)
			}
			return
		}
		end := 0
		for _, token := range tokens {
			if token.Start < end || token.End <= token.Start || text[token.Start:token.End] != token.Text {
				t.Fatalf("Scan(%q): token %+v after %d", text, token, end)
			}
			gap := text[end:token.Start]
			if strings.TrimSpace(gap) != "" && !strings.Contains(gap, "/") {
				t.Fatalf("Scan(%q) left out %q", text, gap)
			}
			end = token.End
		}
		if Check(text) != nil {
			return
		}
		if first := tokens[0].Word(); !openers[first] {
			t.Fatalf("Check(%q) accepts a query that begins with %q", text, first)
		}
		// A second statement, or a command at its end, is always refused.
		for _, more := range []string{"; RETURN 1", "\n;CREATE (n)", "\nDELETE n"} {
			if tokens[len(tokens)-1].Text == ";" {
				break
			}
			last := tokens[len(tokens)-1]
			if strings.HasSuffix(more, "DELETE n") && (last.Text == "." || last.Word() == "AS") {
				continue // a name
			}
			if Check(text+"\n"+more) == nil {
				t.Fatalf("Check accepts %q", text+"\n"+more)
			}
		}
	})
}
