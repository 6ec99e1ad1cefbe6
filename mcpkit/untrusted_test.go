package mcpkit

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestUntrusted_CleansWhatAReaderCannotSee(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "orders", "orders"},
		{"letters of any script stay", "naïve 日本 עברית", "naïve 日本 עברית"},
		{"white space becomes one space", " a\t\r\n b\u2028c\u00a0d ", "a b c d"},
		{"controls", "a\x00b\x1b[31mc\x7f\u0085", "ab[31mc"},
		{"bidirectional", "a\u202eb\u2066c\u2069\u200f\u061c", "abc"},
		{"zero width", "a\u200bb\u200c\u200d\ufeffc\u2060\u00ad", "abc"},
		{"tag characters", "a\U000E0041\U000E007F\U000E0000b", "ab"},
		{"variation selectors", "a\ufe0fb\U000E0100c", "abc"},
		{"fillers", "a\u3164\u115fb", "ab"},
		{"invalid UTF-8", "a\xffb", "a\ufffdb"},
		{"only invisible", "\u200b\n\U000E0041", ""},
		{"80 bytes fit", strings.Repeat("x", 80), strings.Repeat("x", 80)},
		{"81 bytes are cut", strings.Repeat("x", 81), strings.Repeat("x", 77) + "…"},
		{"cut between characters", strings.Repeat("é", 41), strings.Repeat("é", 38) + "…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Untrusted(tt.in).String(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	if got, want := fmt.Sprintf("%q %s %v", Untrusted("a\x00\"b"), Untrusted("\u202ec"), Untrusted("d\n")), `"a\"b" c d`; got != want {
		t.Errorf("formatted %s, want %s", got, want)
	}
	if got := Untrusted("abcdef").Cut(2); got != "" {
		t.Errorf("Cut(2) = %q", got)
	}
}

func FuzzUntrusted(f *testing.F) {
	for _, seed := range []string{"orders", "a\u202eb", "\xff\xfe", "  \n", strings.Repeat("é\u200b ", 50), "\U000E0041"} {
		f.Add(seed, 20)
	}
	f.Fuzz(func(t *testing.T, in string, n int) {
		got := Untrusted(in).Cut(n)
		if !utf8.ValidString(got) || len(got) > max(n, 0) {
			t.Errorf("Cut(%d) of %q = %q", n, in, got)
		}
		for _, r := range got {
			if r != ' ' && unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Variation_Selector) {
				t.Errorf("Cut of %q keeps %U", in, r)
			}
		}
		if strings.TrimSpace(got) != got || strings.Contains(got, "  ") {
			t.Errorf("Cut of %q leaves space: %q", in, got)
		}
		if again := Untrusted(got).Cut(n); again != got {
			t.Errorf("Cut of %q is %q, then %q", in, got, again)
		}
	})
}
