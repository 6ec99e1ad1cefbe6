package sqlite

import (
	"strings"
	"unicode"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/generic"
)

// fold is how SQLite compares names: the case of ASCII letters does not matter.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// statement parses the only statement of a stored text; nil if it cannot be read.
func statement(text string) sqltree.Statement {
	script, err := generic.Parse(sqltree.SQLite, text)
	if err != nil {
		return nil
	}
	s, err := sqltree.One(script)
	if err != nil {
		return nil
	}
	return s
}

// piece is the text of a node.
func piece(text string, n sqltree.Node) string {
	if n == nil {
		return ""
	}
	s := n.Pos()
	if s.Start < 0 || s.End > len(text) || s.Start >= s.End {
		return ""
	}
	return text[s.Start:s.End]
}

// comment is a -- comment: the offset of its first dash, and its words.
type comment struct {
	at   int
	text string
}

// comments finds the -- comments of a text. Those without a letter or digit are
// decoration.
func comments(text string) []comment {
	var found []comment
	for i := 0; i < len(text); {
		switch ch := text[i]; {
		case strings.HasPrefix(text[i:], "--"):
			line, _, _ := strings.Cut(text[i:], "\n")
			if words := strings.TrimSpace(strings.TrimLeft(line, "-")); strings.IndexFunc(words, wordRune) >= 0 {
				found = append(found, comment{i, words})
			}
			i += len(line)
		case strings.HasPrefix(text[i:], "/*"):
			end := strings.Index(text[i+2:], "*/")
			if end < 0 {
				return found
			}
			i += end + 4
		case ch == '\'' || ch == '"' || ch == '`' || ch == '[':
			if ch == '[' {
				ch = ']'
			}
			// A doubled quote inside begins a second quoted piece, which ends alike.
			end := strings.IndexByte(text[i+1:], ch)
			if end < 0 {
				return found
			}
			i += end + 2
		default:
			i++
		}
	}
	return found
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// tableComments assigns the comments of a CREATE TABLE text: what stands before
// the first column is the table's, what stands on a line of a column is that
// column's (parallel to columns), anything else is nobody's.
func tableComments(text string, columns []sqltree.ColumnDef) (table string, each []string) {
	each = make([]string, len(columns))
	if len(columns) == 0 {
		return "", each
	}
	add := func(s *string, words string) { *s = strings.TrimSpace(*s + " " + words) }
	for _, c := range comments(text) {
		if c.at < columns[0].Start {
			add(&table, c.text)
			continue
		}
		line := strings.LastIndexByte(text[:c.at], '\n') + 1
		starts := false
		for i := range columns {
			if line <= columns[i].Start && columns[i].Start < c.at {
				add(&each[i], c.text)
				starts = true
			}
		}
		for i := range columns {
			// A definition of several lines, of which this is not the first. Its span may
			// end with the white space and comments before the comma.
			end := columns[i].Start + len(strings.TrimRight(stripTrailing(piece(text, &columns[i])), " \t\r\n"))
			if !starts && columns[i].Start < line && line < end && strings.TrimSpace(text[line:c.at]) != "" {
				add(&each[i], c.text)
			}
		}
	}
	return table, each
}

// stripTrailing cuts the comments off the end of a definition.
func stripTrailing(def string) string {
	found := comments(def)
	for i := len(found) - 1; i >= 0; i-- {
		line, _, _ := strings.Cut(def[found[i].at:], "\n")
		if strings.TrimSpace(def[found[i].at+len(line):]) != "" {
			return def
		}
		def = def[:found[i].at]
	}
	return def
}

// viewComment is what stands between CREATE VIEW and the query.
func viewComment(text string, v *sqltree.CreateView) string {
	var words []string
	for _, c := range comments(text) {
		if v.Query != nil && c.at < v.Query.Start {
			words = append(words, c.text)
		}
	}
	return strings.Join(words, " ")
}

// affinity is the column affinity that a declared type stands for, by the rules
// of SQLite.
func affinity(declared string) string {
	t := strings.ToUpper(declared)
	has := func(parts ...string) bool {
		for _, p := range parts {
			if strings.Contains(t, p) {
				return true
			}
		}
		return false
	}
	switch {
	case has("INT"):
		return "INTEGER"
	case has("CHAR", "CLOB", "TEXT"):
		return "TEXT"
	case has("BLOB"), t == "", t == "ANY":
		return "BLOB"
	case has("REAL", "FLOA", "DOUB"):
		return "REAL"
	}
	return "NUMERIC"
}
