package names

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean is a text from data or from a caller on one line and without what a reader
// cannot see. Invalid UTF-8 becomes U+FFFD.
func Clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Variation_Selector):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

// maxShown is the most bytes of a name in a message.
const maxShown = 80

// Shown is a name as a message shows it: clean, and at most 80 bytes.
func Shown(name string) string {
	name = Clean(name)
	if len(name) <= maxShown {
		return name
	}
	end := maxShown - len("…")
	for !utf8.RuneStart(name[end]) {
		end--
	}
	return name[:end] + "…"
}

// Argument is a word, such as a connection's name in a command that a text suggests, as
// a shell takes it: whatever is in it, it is one argument and nothing is expanded. What
// a reader cannot see is written as an escape.
func Argument(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:,@+=%", r)
	}
	switch {
	case word != "" && word[0] != '=' && strings.TrimFunc(word, plain) == "":
		return word
	case Clean(word) == word:
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	var b strings.Builder
	b.WriteString("$'")
	for at := 0; at < len(word); {
		r, n := utf8.DecodeRuneInString(word[at:])
		switch part := word[at : at+n]; {
		case r == '\'' || r == '\\':
			b.WriteString(`\` + part)
		case Clean(part) == part:
			b.WriteString(part)
		default:
			for i := range n {
				fmt.Fprintf(&b, `\x%02x`, part[i])
			}
		}
		at += n
	}
	b.WriteString("'")
	return b.String()
}
