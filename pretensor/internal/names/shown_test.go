package names

import (
	"os/exec"
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

// A shell reads an argument as the word, and a reader sees all of it.
func TestArgument(t *testing.T) {
	words := []string{
		"shop", "", "a b", "it's", "$HOME", "`id`", `a\b`, "a;b", "~", "*", "!x", "a\nb", "käse", "--x=y", "=ls", "x; touch y", "$(id)'\x1b[0m",
		"a\u202eb\u200bc\\", "\xff'\n$(id)",
	}
	for _, word := range words {
		got := Argument(word)
		out, err := exec.Command("bash", "-c", "printf %s. "+got).Output()
		if err != nil || string(out) != word+"." {
			t.Errorf("Argument(%q) = %s, which the shell reads as %q, %v", word, got, out, err)
		}
		if Clean(got) != got {
			t.Errorf("Argument(%q) = %q is not clean", word, got)
		}
	}
	for _, plain := range []string{"a/b-c_1.db", "postgresql://db:5432/shop"} {
		if got := Argument(plain); got != plain {
			t.Errorf("Argument(%q) = %s", plain, got)
		}
	}
}
