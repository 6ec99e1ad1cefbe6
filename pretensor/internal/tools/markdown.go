package tools

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
)

// maxInMarkdown is the most bytes that a text from data takes in a line of Markdown.
const maxInMarkdown = 400

// markdown is a text from data as a part of a line of Markdown.
func markdown(text string) string {
	return names.Markdown(mcpkit.Untrusted(text).Cut(maxInMarkdown))
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
func codes(list []string) string {
	spans := make([]string, len(list))
	for i, n := range list {
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
