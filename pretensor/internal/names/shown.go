package names

import (
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
