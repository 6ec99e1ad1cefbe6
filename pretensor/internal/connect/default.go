package connect

import (
	"strings"
	"unicode/utf8"
)

// MaxLiteral is the longest literal, in characters, that a default keeps whole.
const MaxLiteral = 80

// ShortDefault is a column's default as [model.Column] has it: each string
// literal in it ('…', a quote inside doubled) of more than MaxLiteral characters
// is cut to MaxLiteral of them, the last being "…".
func ShortDefault(expr string) string {
	if len(expr) <= MaxLiteral {
		return expr
	}
	var b strings.Builder
	for {
		start := strings.IndexByte(expr, '\'')
		if start < 0 {
			break
		}
		end := start + 1
		for end < len(expr) && (expr[end] != '\'' || strings.HasPrefix(expr[end:], "''")) {
			if expr[end] == '\'' {
				end++
			}
			end++
		}
		if end >= len(expr) { // it never ends: no literal of this form
			break
		}
		b.WriteString(expr[:start+1])
		literal := expr[start+1 : end]
		if utf8.RuneCountInString(literal) > MaxLiteral {
			literal = cut(literal)
		}
		b.WriteString(literal + "'")
		expr = expr[end+1:]
	}
	return b.String() + expr
}

// cut keeps the first characters of a literal's text, and no half of a doubled
// quote.
func cut(literal string) string {
	at := 0
	for range MaxLiteral - 1 {
		_, n := utf8.DecodeRuneInString(literal[at:])
		at += n
	}
	kept := literal[:at]
	if quotes := len(kept) - len(strings.TrimRight(kept, "'")); quotes%2 == 1 {
		kept = kept[:len(kept)-1]
	}
	return kept + "…"
}
