// Package plain makes text of others fit for a reader's eyes: for prompts, errors and
// logs. What cannot be seen, or rearranges what can, is left out.
package plain

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const ellipsis = "…"

// Line returns a text on one line, in at most n characters: white space of any sort is
// one space, and a text that is longer ends in "…".
func Line(text string, n int) string {
	return cut(strings.Join(strings.Fields(visible(text, false)), " "), n)
}

// Text returns a text of several lines in at most n characters. Its lines end in "\n"
// alone; a text that is longer ends in "…".
func Text(text string, n int) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return cut(strings.Trim(visible(text, true), "\n"), n)
}

// Visible returns a text of any length on one line.
func Visible(text string) string {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' {
			return visible(text, false)
		}
	}
	return text
}

// Count returns a number with what there is of it: one column, or several columns.
func Count(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}

// visible returns the characters that show something. A tab, and a line's end where lines
// are not kept, is a space.
func visible(text string, lines bool) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' && lines:
			return r
		case unicode.IsSpace(r):
			return ' '
		case hidden(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

// hidden reports whether a character shows nothing of its own, or rearranges what is
// around it.
func hidden(r rune) bool {
	switch {
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co): // control, bidi, zero width; private use
		return true
	case unicode.Is(unicode.Variation_Selector, r), r >= 0xE0000 && r <= 0xE0FFF: // tags
		return true
	}
	switch r {
	case 0x034F, // combining grapheme joiner
		0x115F, 0x1160, 0x3164, 0xFFA0, // Hangul fillers
		0x17B4, 0x17B5, // Khmer inherent vowels
		0x2065: // unassigned, between invisible operators
		return true
	}
	return false
}

// cut returns the first characters of a text.
func cut(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	if n < 1 {
		return ""
	}
	return string([]rune(text)[:n-1]) + ellipsis
}
