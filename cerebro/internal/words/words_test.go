package words_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/cerebro/internal/words"
)

func TestTokens(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "",
		"Active customers, by Region": "active customer by region",
		"first_response_hours_p90":    "first response hour p90",
		"categories ties gas class":   "category tie gas class",
		"Café Umsätze 東京の売上":          "café umsätze 東京の売上",
		"ＡＢ L1 ﬁne":                   "ab l1 fine",
		"a'b -- ; DROP":               "a b drop",
	} {
		if got := strings.Join(words.Tokens(text), " "); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestQuery(t *testing.T) {
	for text, want := range map[string]string{
		"how much did we sell last month": "sell",
		"show me the orders, the orders!": "order",
		"in Q3 2025":                      "in q3 2025",
		"what":                            "what",
	} {
		if got := strings.Join(words.Query(text), " "); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func FuzzTokens(f *testing.F) {
	f.Add("Active customers, by Region \u202e 東京")
	f.Fuzz(func(t *testing.T, s string) {
		once := words.Tokens(s)
		if slices.Contains(once, "") || !utf8.ValidString(strings.Join(once, "")) && utf8.ValidString(s) {
			t.Errorf("%q gives %q", s, once)
		}
	})
}
