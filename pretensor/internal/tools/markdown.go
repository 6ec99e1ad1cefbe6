package tools

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/quartet-mcp/quartet/mcpkit"
)

// maxInMarkdown is the most bytes that a text from data takes in a line of Markdown.
const maxInMarkdown = 400

// markdown is a text from data as a part of a line of Markdown: on one line, without
// what a reader cannot see, and so that it stays text: no heading, list, emphasis,
// link, table or HTML can begin in it. Underscores inside a word begin nothing.
func markdown(text string) string {
	runes := []rune(mcpkit.Untrusted(text).Cut(maxInMarkdown))
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
// rule or the underline of a heading: a dash at its start, or the dot of "1.".
func startsBlock(runes []rune, i int) bool {
	switch runes[i] {
	case '-', '+', '=':
		return i == 0
	case '.', ')':
		return i > 0 && i < 10 && strings.Trim(string(runes[:i]), "0123456789") == ""
	}
	return false
}

// code is a name from data as a code span, in which nothing is a mark.
func code(name string) string {
	name = mcpkit.Untrusted(name).Cut(maxInMarkdown)
	if name == "" {
		name = " "
	}
	fence := strings.Repeat("`", 1+longestRun(name))
	if strings.HasPrefix(name, "`") || strings.HasSuffix(name, "`") {
		name = " " + name + " "
	}
	return fence + name + fence
}

// codes are names as code spans, separated by commas.
func codes(names []string) string {
	spans := make([]string, len(names))
	for i, n := range names {
		spans[i] = code(n)
	}
	return strings.Join(spans, ", ")
}

// fenced is a text of several lines as a block of code.
func fenced(language, text string) string {
	text = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			return r
		}
		return -1
	}, strings.ToValidUTF8(text, "\uFFFD"))
	fence := strings.Repeat("`", max(3, 1+longestRun(text)))
	return fmt.Sprintf("%s%s\n%s\n%s\n", fence, language, strings.TrimRight(text, "\n"), fence)
}

// longestRun is the length of the longest run of backquotes.
func longestRun(s string) int {
	longest, run := 0, 0
	for _, r := range s {
		if run++; r != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}
