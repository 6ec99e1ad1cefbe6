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

// reserved are the words that SQL keeps for itself.
var reserved = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create
		current_catalog current_date current_role current_time current_timestamp current_user default deferrable desc distinct do else end
		except false fetch for foreign from grant group having in initially intersect into lateral leading limit localtime localtimestamp
		not null offset on only or order placing primary references returning select session_user some symmetric table then to trailing
		true union unique user using variadic when where window with is isnull notnull like ilike similar between cross full inner join
		left natural outer right overlaps verbose freeze binary collation concurrently authorization tablesample`) {
		m[w] = true
	}
	return m
}()

// QuoteSQL returns a name as SQL writes it: in double quotes unless it is plain.
func QuoteSQL(s string) string {
	simple := s != "" && !reserved[strings.ToLower(s)]
	for i, r := range s {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127
		simple = simple && (letter || i > 0 && r >= '0' && r <= '9')
	}
	if simple {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}
