package scratch

import (
	"regexp"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/generic"
	"github.com/quartet-mcp/quartet/datakit/sqltree/mysql"
	"github.com/quartet-mcp/quartet/datakit/sqltree/postgres"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
)

// Statement is one statement of a script.
type Statement struct {
	Text string
	Line int // where it begins, from 1
}

// Split takes a script apart into its statements. The error is a [*sqltree.SyntaxError].
func Split(d dialect.Dialect, text string) ([]Statement, error) {
	var (
		script *sqltree.Script
		err    error
	)
	if d.MySQLFamily() && delimiterLine.MatchString(text) {
		return splitClient(text), nil
	}
	switch sql, _ := d.SQL(); sql {
	case sqltree.Postgres:
		script, err = postgres.Parse(text)
	case sqltree.MySQL, sqltree.MariaDB:
		script, err = mysql.ParseLenient(sql, text)
	default:
		script, err = generic.Parse(sql, text)
	}
	if err != nil {
		return nil, err
	}
	list := make([]Statement, 0, len(script.Statements))
	line, counted := 1, 0
	for _, s := range script.Statements {
		at := s.Pos()
		line += strings.Count(text[counted:at.Start], "\n")
		counted = at.Start
		list = append(list, Statement{text[at.Start:at.End], line})
	}
	return list, nil
}

// delimiterLine is an instruction to MySQL's own client: what ends a statement from here on.
var delimiterLine = regexp.MustCompile(`(?im)^[ \t]*DELIMITER[ \t]+(\S+)[ \t]*\r?$`)

// splitClient takes a script apart as MySQL's own client does: a statement ends with the
// delimiter wherever it stands outside of quotes and comments.
func splitClient(text string) []Statement {
	var list []Statement
	delimiter, start := ";", -1
	end := func(at int) {
		if start >= 0 {
			list = append(list, Statement{strings.TrimSpace(text[start:at]), 1 + strings.Count(text[:start], "\n")})
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
		n := 1
		switch c := rest[0]; {
		case strings.HasPrefix(rest, delimiter):
			end(i)
			i += len(delimiter)
			continue
		case c == '\'' || c == '"' || c == '`':
			n = quoted(rest)
		case c == '#' || strings.HasPrefix(rest, "-- ") || strings.HasPrefix(rest, "--\n"):
			if n = strings.IndexByte(rest, '\n') + 1; n == 0 {
				n = len(rest)
			}
			if start < 0 {
				i += n
				continue
			}
		case strings.HasPrefix(rest, "/*"):
			if n = strings.Index(rest[2:], "*/") + 4; n == 3 {
				n = len(rest)
			}
		case start < 0 && strings.ContainsRune(" \t\r\n", rune(c)):
			i++
			continue
		}
		if start < 0 {
			start = i
		}
		i += n
	}
	end(len(text))
	return list
}

// quoted is the length of the text in quotes with which a text begins.
func quoted(text string) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && text[0] != '`':
			i++
		case text[i] == text[0]:
			return i + 1
		}
	}
	return len(text)
}
