package mcpkit

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Untrusted is a string that came from data or from a caller: a name, a
// comment, a cell. Convert it before it goes into prose (an error, a warning,
// a Markdown text); as a JSON value of its own a string needs no conversion.
//
//	mcpkit.Errorf(mcpkit.NotFound, "there is no table %q", mcpkit.Untrusted(name))
type Untrusted string

// untrustedBytes is how much of an untrusted string prose shows.
const untrustedBytes = 80

// String returns the cleaned string, at most 80 bytes of it; see [Untrusted.Cut].
func (u Untrusted) String() string { return u.Cut(untrustedBytes) }

// Cut returns the string on one line and without what a reader cannot see:
// control and bidirectional formatting characters, zero-width and tag
// characters, variation selectors. White space of any sort becomes one space,
// invalid UTF-8 becomes U+FFFD. A result that would be longer than n bytes ends
// in "…" and is at most n bytes long with it; with n below 3 it is empty.
func (u Untrusted) Cut(n int) string {
	const ellipsis = "…"
	var b strings.Builder
	space := false
	fits := 0 // length up to which the ellipsis still has room
	for _, r := range string(u) {
		if unicode.IsSpace(r) {
			space = b.Len() > 0 // leading space is left out
			continue
		}
		if invisible(r) {
			continue
		}
		need := utf8.RuneLen(r)
		if space {
			need++
		}
		if b.Len()+need > n {
			if n < len(ellipsis) {
				return ""
			}
			return b.String()[:fits] + ellipsis
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
		if b.Len()+len(ellipsis) <= n {
			fits = b.Len()
		}
	}
	return b.String()
}

// invisible reports whether r shows nothing of its own or rearranges what is
// around it.
func invisible(r rune) bool {
	switch {
	case unicode.In(r, unicode.Cc, unicode.Cf): // controls; formatting, bidi, zero-width, tags
		return true
	case unicode.Is(unicode.Variation_Selector, r):
		return true
	case r >= 0xE0000 && r <= 0xE0FFF: // tags and selectors, the unassigned ones too
		return true
	}
	switch r {
	case 0x034F, // combining grapheme joiner
		0x115F, 0x1160, 0x3164, 0xFFA0, // Hangul fillers
		0x17B4, 0x17B5, // Khmer inherent vowels
		0x2065: // unassigned between the invisible operators
		return true
	}
	return false
}
