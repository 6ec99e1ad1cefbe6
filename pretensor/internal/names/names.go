// Package names takes database identifiers apart: it splits them into tokens,
// brings spellings of one name to a normal form, knows singular and plural, and
// finds the prefixes that a table's columns share or a warehouse puts before its
// tables. It knows nothing of databases; everything in it is a pure function and
// safe for concurrent use.
package names

import (
	"strings"
	"unicode"
)

// Tokens splits a name on everything that is neither a letter nor a digit, on the
// humps of camel case and between letters and digits, and folds the parts to lower
// case: order_ID, orderId and OrderID are all order, id. A run of capitals is one
// token (HTTPServer is http, server), with the s of its plural (userIDs is user,
// ids). The result is empty for a name without a letter or digit.
func Tokens(name string) []string {
	var tokens []string
	runes := []rune(name)
	start := -1 // of the token that is being read
	flush := func(end int) {
		if start >= 0 {
			tokens = append(tokens, strings.ToLower(string(runes[start:end])))
		}
		start = -1
	}
	for i, r := range runes {
		letter, digit := unicode.IsLetter(r) || unicode.IsMark(r), unicode.IsDigit(r)
		switch {
		case !letter && !digit:
			flush(i)
			continue
		case start < 0:
		case digit != unicode.IsDigit(runes[i-1]):
			flush(i)
		case unicode.IsUpper(r) && hump(runes, start, i):
			flush(i)
		}
		if start < 0 {
			start = i
		}
	}
	flush(len(runes))
	return tokens
}

// hump reports whether the capital at i begins a token.
func hump(runes []rune, start, i int) bool {
	if !unicode.IsUpper(runes[i-1]) {
		return true
	}
	// Inside a run of capitals only the last begins one, and only before a small letter
	// that is more than the run's plural s.
	if i+1 >= len(runes) || !unicode.IsLower(runes[i+1]) {
		return false
	}
	plural := runes[i+1] == 's' && (i+2 >= len(runes) || !unicode.IsLower(runes[i+2]))
	return !plural || i == start
}

// Normal is the normal form of a name: its tokens without anything between them.
// Two spellings of one name (customerId, customer_id, CUSTOMERID) share it.
func Normal(name string) string { return strings.Join(Tokens(name), "") }

// warehouse are the tokens that are put before the name of what a table holds.
var warehouse = map[string]bool{
	"dim": true, "dimension": true, "fact": true, "fct": true, "stg": true, "stage": true, "staging": true,
	"raw": true, "src": true, "tbl": true, "tab": true, "t": true, "vw": true, "v": true, "mv": true, "tmp": true,
}

// TablePrefix reports whether a token says what kind of table follows (dim, fact,
// stg, raw, tbl, …) and not what it holds.
func TablePrefix(token string) bool { return warehouse[token] }

// Bare returns a table's tokens without a leading token of [TablePrefix], as long
// as something with a letter is left.
func Bare(tokens []string) []string {
	if len(tokens) > 1 && TablePrefix(tokens[0]) && !number(tokens[1]) {
		return tokens[1:]
	}
	return tokens
}

func number(token string) bool { return token[0] >= '0' && token[0] <= '9' }

// Unnumbered returns tokens without the numbers at their end (concept_id_1), unless
// there is nothing else.
func Unnumbered(tokens []string) []string {
	n := len(tokens)
	for n > 1 && number(tokens[n-1]) {
		n--
	}
	return tokens[:n]
}

// Stem joins tokens into the form in which a table's name and the name that a
// column gives it are compared: the last word in the singular. A number at the end
// is not a word. It is empty for no tokens.
func Stem(tokens []string) string {
	last := len(Unnumbered(tokens)) - 1
	var b strings.Builder
	for i, t := range tokens {
		if i == last {
			t = Singular(t)
		}
		b.WriteString(t)
	}
	return b.String()
}

// Limits of [ColumnPrefix].
const (
	prefixLetters = 4
	prefixColumns = 3
	prefixShare   = 0.8
)

// ColumnPrefix returns the token that a table's columns share as their first (o of
// o_orderkey, o_custkey, o_comment): one to four letters, before a further token, on
// at least three columns and at least 80 % of all. It is empty where there is none.
func ColumnPrefix(columns [][]string) string {
	count := map[string]int{}
	for _, tokens := range columns {
		if len(tokens) > 1 && len([]rune(tokens[0])) <= prefixLetters && !number(tokens[0]) {
			count[tokens[0]]++
		}
	}
	for token, n := range count { // more than half share it: at most one token passes
		if n >= prefixColumns && float64(n) >= prefixShare*float64(len(columns)) {
			return token
		}
	}
	return ""
}
