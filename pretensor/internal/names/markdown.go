package names

import (
	"strings"
	"unicode"
)

// Markdown is a text of one line, without what a reader cannot see, as a part of a line
// or cell of Markdown: it stays text, for no heading, list, emphasis, link, table or HTML
// can begin in it. Underscores inside a word begin nothing.
func Markdown(text string) string {
	runes := []rune(text)
	var b strings.Builder
	for i, r := range runes {
		if strings.ContainsRune("\\`*[]<>|~#&", r) || r == '_' && !insideWord(runes, i) || startsBlock(runes, i) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// insideWord reports whether the run of underscores at i has letters or digits on
// both sides.
func insideWord(runes []rune, i int) bool {
	before, after := i, i
	for before >= 0 && runes[before] == '_' {
		before--
	}
	for after < len(runes) && runes[after] == '_' {
		after++
	}
	word := func(i int) bool {
		return i >= 0 && i < len(runes) && (unicode.IsLetter(runes[i]) || unicode.IsDigit(runes[i]))
	}
	return word(before) && word(after)
}

// startsBlock reports whether the character at i would make the line a list item, a
// rule or the underline of a heading: a dash at its start, or the dot of "1. ".
func startsBlock(runes []rune, i int) bool {
	switch runes[i] {
	case '-', '+', '=':
		return i == 0
	case '.', ')':
		return i > 0 && i < 10 && (i+1 == len(runes) || runes[i+1] == ' ') && strings.Trim(string(runes[:i]), "0123456789") == ""
	}
	return false
}
