package caret

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestShow(t *testing.T) {
	long := strings.Repeat("a", 100) + "!" + strings.Repeat("b", 100)
	tests := []struct {
		name, text string
		at         int
		want       string
	}{
		{"start", "pric > 100", 0, "  pric > 100\n  ^"},
		{"middle", "pric > 100", 5, "  pric > 100\n       ^"},
		{"end", "a &&", 4, "  a &&\n      ^"},
		{"beyond the end", "a", 9, "  a\n   ^"},
		{"empty", "", 0, "\n  ^"},
		{"second line", "a &&\nbb && cc\nd", 11, "  bb && cc\n        ^"},
		{"at a line end", "a &&\nb", 4, "  a &&\n      ^"},
		{"carriage return", "a &&\r\nb", 6, "  b\n  ^"},
		{"tab", "\tx", 1, "   x\n   ^"},
		{"wide", "日本 > x", 9, "  日本 > x\n         ^"},
		{"combining", "e\u0301 x", 4, "  e\u0301 x\n    ^"},
		{"bidi and control", "\u202ea\x01b", 5, "   a b\n     ^"},
		{"long", long, 100, "  …" + strings.Repeat("a", 60) + "!" + strings.Repeat("b", 59) + "…\n" + strings.Repeat(" ", 63) + "^"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Show(tt.text, tt.at); got != tt.want {
				t.Errorf("Show(%q, %d) =\n%s\nwant\n%s", tt.text, tt.at, got, tt.want)
			}
		})
	}
}

func TestPositionOffset(t *testing.T) {
	if got := Position("é>x", 3); got != 3 {
		t.Errorf("Position = %d, want 3", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		n := rapid.IntRange(1, utf8.RuneCountInString(s)+1).Draw(t, "n")
		if got := Position(s, Offset(s, n)); got != n {
			t.Fatalf("Position(Offset(%q, %d)) = %d", s, n, got)
		}
	})
}

func TestQuote(t *testing.T) {
	if got, want := Quote("a\nb"), "'a�b'"; got != want {
		t.Errorf("Quote = %s, want %s", got, want)
	}
	if got := Quote(strings.Repeat("x", 90)); got != "'"+strings.Repeat("x", 80)+"…'" {
		t.Errorf("Quote of a long name = %s", got)
	}
}
