package corpus

import (
	"regexp"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// unread are the parts of statements, by kind, whose names a database looks up
// when it runs them or never: a wrong name there is wrong although the database
// accepts the statement that it is asked about. The part is the first group.
var unread = map[sqltree.Dialect][]*regexp.Regexp{
	sqltree.MySQL: {
		// MariaDB prepares INSERT … SELECT without the list of targets and what
		// follows the query.
		regexp.MustCompile(`(?is)^(?:INSERT|REPLACE)\b[^()]*(\([^()]*\))\s*(?:SELECT|WITH|\()`),
		regexp.MustCompile(`(?is)^INSERT\b.*\bSELECT\b.*\bON\s+DUPLICATE\s+KEY\s+UPDATE\b(.*)`),
		// Values of UPDATE, and the order in which rows are deleted.
		regexp.MustCompile(`(?is)^UPDATE\b.*?\bSET\b(.*?)(?:\bWHERE\b.*)?$`),
		regexp.MustCompile(`(?is)^DELETE\b.*\bORDER\s+BY\b(.*)`),
	},
	sqltree.SQLite: {
		// The body of a trigger is looked into when it fires, a constraint when a
		// row is written.
		regexp.MustCompile(`(?is)^CREATE\s+(?:TEMP\s+|TEMPORARY\s+)?TRIGGER\b(.*)`),
		regexp.MustCompile(`(?is)^ALTER\s+TABLE\b.*\bADD\b(.*)`),
		// What a row without the column cannot reach.
		regexp.MustCompile(`(?is)\bON\s+CONFLICT\b.*\bON\s+CONFLICT\b.*?\bDO\s+UPDATE\b(.*)`),
		regexp.MustCompile(`(?is)(\S+\s+IN\s*\(\s*\))`), // false, whatever it is
	},
	sqltree.DuckDB: {
		regexp.MustCompile(`(?is)^(?:ALTER\s+TABLE|COMMENT\s+ON)\b(.*)`),
		regexp.MustCompile(`(?is)\bINSERT\b[^()]*(\([^()]*\))\s*(?:SELECT|WITH|FROM|BY)\b`),
		regexp.MustCompile(`(?is)\bRENAME\s*(\([^()]*\))`), // of a star
		regexp.MustCompile(`(?is)^PIVOT\b.*\bUSING\b(.*)`),
	},
}

// overlooked returns a function that reports whether a database accepts a wrong
// name at an offset of the statement. PostgreSQL overlooks none.
func overlooked(d sqltree.Dialect, text string) func(at int) bool {
	var parts [][2]int
	for _, re := range unread[d] {
		for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
			parts = append(parts, [2]int{m[2], m[3]})
		}
	}
	if d == sqltree.SQLite {
		parts = append(parts, unused(text)...)
	}
	return func(at int) bool {
		if d == sqltree.SQLite && text[at] == '"' {
			return true // a quoted name that nothing has is a text
		}
		for _, p := range parts {
			if p[0] <= at && at < p[1] {
				return true
			}
		}
		return false
	}
}

var definition = regexp.MustCompile(`(?i)(\w+)\s+AS\s*\(`)

// unused finds windows and common table expressions that nothing mentions. SQLite
// does not look into them.
func unused(text string) (parts [][2]int) {
	counts := map[string]int{}
	for _, t := range names(sqltree.SQLite, text) {
		counts[strings.ToLower(t.name)]++
	}
	for _, m := range definition.FindAllStringSubmatchIndex(text, -1) {
		if counts[strings.ToLower(text[m[2]:m[3]])] > 1 {
			continue
		}
		depth := 1
		end := m[1]
		for ; end < len(text) && depth > 0; end++ {
			switch text[end] {
			case '(':
				depth++
			case ')':
				depth--
			}
		}
		parts = append(parts, [2]int{m[1], end})
	}
	return parts
}
