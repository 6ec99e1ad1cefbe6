package postgres

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestTokens(t *testing.T) {
	text := `GRANT a("X") /* c */ U&"y" 'it''s' $$b$$ 1.5 $2 <= :: ; \q`
	toks, err := Tokens(text)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range toks {
		line := fmt.Sprintf("%d %s", x.Kind, text[x.Start:x.End])
		if x.Match >= 0 {
			line += fmt.Sprintf(" @%d", x.Match)
		}
		got = append(got, line)
	}
	want := []string{"0 GRANT", "0 a", "6 ( @4", `1 "X"`, "6 ) @2", `1 U&"y"`, "2 'it''s'", "2 $$b$$", "3 1.5", "4 $2", "5 <=", "5 ::", "6 ;", `7 \q`}
	if !slices.Equal(got, want) {
		t.Errorf("tokens %q, want %q", got, want)
	}
	if _, err := Tokens("SELECT 'x"); err == nil {
		t.Error("a string that is never closed makes tokens")
	}
}

func TestSplit(t *testing.T) {
	text := "SELECT 1; -- x\n\\connect d\nCREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; END;\nCOPY t FROM stdin;\n\\N\ta;b\n\\.\nSELECT (2;\nSELECT 3;"
	var got []string
	for _, p := range Split(text) {
		if s := strings.TrimSpace(text[p.Start:p.End]); s != "" {
			got = append(got, s)
		}
	}
	want := []string{"SELECT 1;", "-- x", `\connect d`, "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; END;", "COPY t FROM stdin;", "SELECT (2;\nSELECT 3;"}
	if !slices.Equal(got, want) {
		t.Errorf("pieces %q, want %q", got, want)
	}
}
