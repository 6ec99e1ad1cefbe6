package mysql

import (
	"regexp"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// delimiterLine is an instruction to the client: what ends a statement from here on.
var delimiterLine = regexp.MustCompile(`(?im)^[ \t]*DELIMITER[ \t]+(\S+)[ \t]*\r?$`)

// Split cuts a script where the statements of the server's own client end, without a look
// at their grammar: at the delimiter, wherever it stands outside of quotes and comments.
// Comments between statements are left out. ok is false where the script names no
// delimiter. It is then a text for the server as well: [Parse] knows which semicolons are
// inside of its statements, which the client does not.
func Split(text string) (statements []sqltree.Span, ok bool) {
	if !delimiterLine.MatchString(text) {
		return nil, false
	}
	delimiter, start := ";", -1
	end := func(at int) {
		if start >= 0 {
			last := start + len(strings.TrimRight(text[start:at], " \t\r\n"))
			statements = append(statements, sqltree.Span{Start: start, End: last})
		}
		start = -1
	}
	for i := 0; i < len(text); {
		rest := text[i:]
		if start < 0 && (i == 0 || text[i-1] == '\n') {
			if m := delimiterLine.FindStringSubmatchIndex(rest); m != nil && m[0] == 0 {
				delimiter = rest[m[2]:m[3]]
				i += m[1]
				continue
			}
		}
		next := i + 1
		switch c := rest[0]; {
		case strings.HasPrefix(rest, delimiter):
			end(i)
			i += len(delimiter)
			continue
		case c == '\'' || c == '"' || c == '`':
			next = quotedEnd(text, i)
		case c == '#', strings.HasPrefix(rest, "--") && (len(rest) == 2 || rest[2] <= ' '):
			if next = len(text); strings.Contains(rest, "\n") {
				next = i + strings.IndexByte(rest, '\n') + 1
			}
			if start < 0 {
				i = next
				continue
			}
		case strings.HasPrefix(rest, "/*"):
			if next = len(text); strings.Contains(rest[2:], "*/") {
				next = i + 2 + strings.Index(rest[2:], "*/") + 2
			}
		case start < 0 && strings.IndexByte(" \t\r\n", c) >= 0:
			i++
			continue
		}
		if start < 0 {
			start = i
		}
		i = next
	}
	end(len(text))
	return statements, true
}

// Delimited writes a statement that has semicolons inside, such as that of a routine, for
// the server's own client: with a delimiter that is not in it.
func Delimited(statement string) string {
	statement = strings.TrimRight(statement, "; \t\r\n")
	delimiter := "$$"
	for strings.Contains(statement, delimiter) {
		delimiter += "$"
	}
	return "DELIMITER " + delimiter + "\n" + statement + "\n" + delimiter + "\nDELIMITER ;\n"
}
