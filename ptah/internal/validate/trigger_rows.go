package validate

import (
	"regexp"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// rowName is NEW or OLD with the column behind it.
var rowName = regexp.MustCompile("(?i)(?:^|[^\\w.@$`\"\\]])(NEW|OLD)\\s*\\.\\s*(?:\"((?:[^\"]|\"\")*)\"|`((?:[^`]|``)*)`|\\[([^\\]]*)\\]|([\\pL_][\\pL\\d_$]*))")

// newRowIsSet is an assignment to the row that is written.
var newRowIsSet = regexp.MustCompile(`(?i)\bSET\s+NEW\s*\.`)

// triggerRows checks what the triggers of MySQL and SQLite say of the rows before and
// after the change: which of them there are, and their columns (TRG001).
func (c *checker) triggerRows(g *schema.Trigger, r *relation, bad func(string, ...any)) {
	if len(g.Events) != 1 {
		return
	}
	event, _, _ := strings.Cut(strings.ToUpper(g.Events[0]), " ")
	body := g.Body
	if c.d == dialect.SQLite && g.Declared != "" {
		body = g.Declared // a condition stands before the body
	}
	code := c.code(body)
	for _, m := range rowName.FindAllStringSubmatch(code, -1) {
		row := strings.ToUpper(m[1])
		if row == "OLD" && event == "INSERT" || row == "NEW" && event == "DELETE" {
			bad("trigger %.80q names a row %s, which there is none of on %s", g.Name, row, event)
			return
		}
		name := strings.ReplaceAll(m[2], `""`, `"`) + strings.ReplaceAll(m[3], "``", "`") + m[4] + m[5]
		if !c.hasRowColumn(r, name) {
			bad("trigger %.80q names column %s.%s, which %.80q does not have", g.Name, row, name, c.show(g.Table))
			return
		}
	}
	if c.d.MySQLFamily() && strings.EqualFold(g.Timing, "AFTER") && newRowIsSet.MatchString(code) {
		bad("trigger %.80q sets the row NEW after that was written; make it a BEFORE trigger", g.Name)
	}
}

// hasRowColumn reports whether a row of a relation has a column, as far as that is known.
func (c *checker) hasRowColumn(r *relation, name string) bool {
	if c.db.Partial || c.d == dialect.SQLite && slices.Contains([]string{"rowid", "oid", "_rowid_"}, strings.ToLower(name)) {
		return true
	}
	switch {
	case r.table != nil:
		return r.table.open || r.table.Virtual != "" || c.column(r.table, name) != nil
	case r.view != nil:
		columns := c.catalog.columnsOfView(c, r.view)
		return columns == nil || columns[c.d.Key(name)]
	}
	return true
}

// code is a text of SQL in which texts and comments are blank.
func (c *checker) code(sql string) string {
	mysql := c.d.MySQLFamily()
	b := []byte(sql)
	blank := func(from, to int) {
		for i := from; i < min(to, len(b)); i++ {
			b[i] = ' '
		}
	}
	for i := 0; i < len(sql); {
		rest := sql[i:]
		end := i + 1
		switch mark := sql[i]; {
		case mark == '\'', mark == '"' && mysql:
			for end < len(sql) && sql[end] != mark {
				if sql[end] == '\\' && mysql {
					end++
				}
				end++
			}
			end++
			blank(i, end)
		case strings.HasPrefix(rest, "--") && (!mysql || len(rest) == 2 || rest[2] <= ' '), mark == '#' && mysql:
			end = lineEnd(sql, i)
			blank(i, end)
		case strings.HasPrefix(rest, "/*"):
			if at := strings.Index(rest[2:], "*/"); at >= 0 {
				end = i + at + 4
			} else {
				end = len(sql)
			}
			blank(i, end)
		case mark == '"' || mark == '`': // a name
			if at := strings.IndexByte(rest[1:], mark); at >= 0 {
				end = i + at + 2
			}
		}
		i = end
	}
	return string(b)
}

// lineEnd is where the line ends that a place is in.
func lineEnd(text string, at int) int {
	if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n
	}
	return len(text)
}
