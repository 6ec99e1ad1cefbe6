package names

import (
	"strings"
	"testing"
)

func TestShown(t *testing.T) {
	for in, want := range map[string]string{
		"orders":                      "orders",
		"a\nb\tc":                     "a b c",
		"x\u202Ey\u200Bz\x00\x1b[31m": "xyz[31m",
		"bad \xff":                    "bad \uFFFD",
		strings.Repeat("a", 80):       strings.Repeat("a", 80),
		strings.Repeat("a", 81):       strings.Repeat("a", 77) + "…",
		strings.Repeat("ä", 50):       strings.Repeat("ä", 38) + "…",
	} {
		if got := Shown(in); got != want {
			t.Errorf("Shown(%q) = %q, want %q", in, got, want)
		}
	}
}
