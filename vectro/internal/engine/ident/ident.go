// Package ident says how the expression language writes names of columns: which
// of them stand for themselves, and how the others are quoted.
package ident

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Start reports whether a plain name can begin with r.
func Start(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) }

// Part reports whether a plain name can go on with r.
func Part(r rune) bool {
	return Start(r) || r == '.' || unicode.IsDigit(r) || unicode.IsMark(r)
}

// Keyword reports whether s, in any case, is a word of the language.
func Keyword(s string) bool {
	switch strings.ToLower(s) {
	case "and", "or", "not", "in", "between", "true", "false", "null":
		return true
	}
	return false
}

// Quote returns a name as an expression writes it: in backquotes unless it is
// plain.
func Quote(s string) string {
	if plain(s) {
		return s
	}
	return "`" + strings.ReplaceAll(s, "`", "``") + "`"
}

func plain(s string) bool {
	for i, r := range s {
		if r == utf8.RuneError || !Part(r) || i == 0 && !Start(r) {
			return false
		}
	}
	return s != "" && !Keyword(s)
}
