package mysql

import (
	"slices"
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string // nil: it names no delimiter
	}{
		{"no delimiter", "SELECT 1;\nSELECT ';'", nil},
		{"the word alone", "SELECT delimiter FROM t;", nil},
		{"routine", "SELECT 1;\nDELIMITER $$\n-- it's; fine\nCREATE PROCEDURE p() BEGIN -- isn't it\nSELECT ';'; # no $$ here\nEND$$\ndelimiter ;\nSELECT \"a\\\";\" /* $$; */;\nSELECT 2",
			[]string{"SELECT 1", "CREATE PROCEDURE p() BEGIN -- isn't it\nSELECT ';'; # no $$ here\nEND", "SELECT \"a\\\";\" /* $$; */", "SELECT 2"}},
		{"doubled quotes", "DELIMITER //\nSELECT 'a''//', `b``//`//", []string{"SELECT 'a''//', `b``//`"}},
		{"dashes of a subtraction", "DELIMITER //\nSELECT 1--1//SELECT 2", []string{"SELECT 1--1", "SELECT 2"}},
		{"open text", "DELIMITER //\nSELECT 'open", []string{"SELECT 'open"}},
		{"open comment", "DELIMITER //\n/* open", []string{"/* open"}},
		{"nothing", "DELIMITER //\n-- nothing", []string{}},
		{"carriage returns", "DELIMITER //\r\nSELECT 1;\r\n//\r\nDELIMITER ;\r\nSELECT 2;\r\n", []string{"SELECT 1;", "SELECT 2"}},
	} {
		spans, ok := Split(c.text)
		if ok != (c.want != nil) {
			t.Errorf("%s: ok is %v", c.name, ok)
		}
		var got []string
		for _, s := range spans {
			got = append(got, c.text[s.Start:s.End])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// TestDelimited: what is written for the client is taken apart to what it was.
func TestDelimited(t *testing.T) {
	for _, statement := range []string{
		"CREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2; END",
		"CREATE PROCEDURE p() BEGIN SELECT '$$'; END",
		"CREATE PROCEDURE p() BEGIN SELECT a$$$b; -- the last line is a comment\nEND -- $$",
	} {
		script := Delimited(statement + ";\n")
		spans, _ := Split(script + script)
		if len(spans) != 2 {
			t.Fatalf("%q is %d statements", script, len(spans))
		}
		for _, s := range spans {
			if got := (script + script)[s.Start:s.End]; got != statement {
				t.Errorf("got %q, want %q", got, statement)
			}
		}
		if s, err := Parse(script + "SELECT 1;"); err == nil && len(s.Statements) != 2 || err != nil && !strings.Contains(statement, "$$$") {
			t.Errorf("%q is not parsed as two statements: %v", script, err)
		}
	}
}
