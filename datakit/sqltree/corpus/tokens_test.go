package corpus

import (
	"regexp"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// A token is a word or quoted name of a text that may be a name: what is between
// the quotes, if there are any.
type token struct {
	start, end int // with the quotes
	name       string
}

var (
	standard  = lexer(`'(?:[^']|'')*'`, `"(?:[^"]|"")*"`)
	brackets  = lexer(`'(?:[^']|'')*'`, `"(?:[^"]|"")*"|\[[A-Za-z][^\]\n]*\]`)
	backslash = lexer(`#[^\n]*|'(?:[^'\\]|''|\\.)*'|"(?:[^"\\]|""|\\.)*"`, "`(?:[^`]|``)*`")
)

// lexer splits a text into what cannot be names, and words and quoted names (the
// groups 1 and 2).
func lexer(text, quoted string) *regexp.Regexp {
	const (
		comment = `--[^\n]*|/\*(?s:.*?)\*/`
		dollar  = `\$\$(?s:.*?)\$\$|\$body\$(?s:.*?)\$body\$`
		escaped = `[eE]'(?:[^'\\]|''|\\.)*'`
		prefix  = `(?:[bBxXnNrR]|[rR][bB]|[uU]&)`
		number  = `\d[\w.]*`
		word    = `[\pL_][\pL\d_$]*`
	)
	return regexp.MustCompile(comment + "|" + dollar + "|" + escaped + "|" + prefix + "?(?:" + text + ")|" + number +
		"|[$@:]" + word + "|(" + word + ")|(" + quoted + "|`(?:[^`]|``)*`)")
}

// names lists the tokens of a text that may be names. It is deliberately not the
// lexer of any front end.
func names(d sqltree.Dialect, text string) []token {
	var out []token
	for _, m := range lexerOf(d).FindAllStringSubmatchIndex(text, -1) {
		if t, named := tokenOf(text, m); named {
			out = append(out, t)
		}
	}
	return out
}

func lexerOf(d sqltree.Dialect) *regexp.Regexp {
	switch d {
	case sqltree.MySQL, sqltree.BigQuery:
		return backslash
	case sqltree.SQLite:
		return brackets
	}
	return standard
}

// tokenOf is the token of a match of a lexer, if it is one.
func tokenOf(text string, m []int) (t token, named bool) {
	switch {
	case m[2] >= 0:
		return token{m[2], m[3], text[m[2]:m[3]]}, true
	case m[4] >= 0:
		return token{m[4], m[5], text[m[4]+1 : m[5]-1]}, true
	}
	return token{}, false
}

// suffix makes a name into one that no catalog has.
const suffix = "_zq"

// rename returns the text with the token's name broken, and the broken name.
func rename(text string, t token) (twin, name string) {
	if t.end-t.start > len(t.name) { // quoted
		return text[:t.end-1] + suffix + text[t.end-1:], t.name + suffix
	}
	return text[:t.end] + suffix + text[t.end:], t.name + suffix
}

// statements splits a file at semicolons that end a paragraph.
func statements(file string) []string {
	var out []string
	for _, s := range regexp.MustCompile(`;[ \t]*\n\s*\n`).Split(file+"\n\n", -1) {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}
