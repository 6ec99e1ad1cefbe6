package export

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
)

// Mermaid writes an entity relationship diagram of a catalog: tables with their
// columns, declared keys as lines and inferred joins of at least medium confidence as
// broken ones. The language has no way to write some characters; names with one of
// them are changed, and columns keep theirs in a comment.
func Mermaid(w io.Writer, c *catalog.Catalog) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "erDiagram")
	names := entities(c)
	for i := range c.Tables {
		t := &c.Tables[i]
		fmt.Fprintf(b, "  %s {\n", names[i])
		facts := t.ColumnFacts()
		seen := map[string]bool{}
		for k := range t.Columns {
			col := &t.Columns[k]
			if col.Parent != "" {
				continue
			}
			name := unique(attribute(col.Name), "_", seen)
			line := "    " + attribute(col.Type) + " " + name
			if keys := marks(facts[col.Name]); len(keys) > 0 {
				line += " " + strings.Join(keys, ", ")
			}
			if name != col.Name {
				line += " " + quotedText(col.Name)
			}
			fmt.Fprintln(b, line)
		}
		fmt.Fprintln(b, "  }")
	}
	for id := range c.Edges() {
		e := c.Edge(id)
		if !e.Declared && e.Confidence < shownJoin {
			continue
		}
		child, line, parent := "}o", "--", "||"
		if e.FromUnique {
			child = "|o"
		}
		if !e.Declared {
			line = ".."
		}
		if optional(c, e) {
			parent = "o|"
		}
		if !e.ToUnique && !e.Declared {
			parent = "o{"
		}
		fmt.Fprintf(b, "  %s %s%s%s %s : %s\n", names[e.From], child, line, parent, names[e.To], quotedText(strings.Join(e.FromColumns, ", ")))
	}
	return b.Flush() // the first error of all writes
}

// shownJoin is how confident an inferred join has to be for a diagram.
const shownJoin = 0.5

// entities are the names of the tables in a diagram, all different.
func entities(c *catalog.Catalog) []string {
	seen := map[string]bool{}
	out := make([]string, c.Len())
	for i := range out {
		name := c.Tables[i].Name
		if s := c.Tables[i].Schema; s != c.DefaultSchema {
			name = c.Name(i)
		}
		out[i] = `"` + unique(plainText(name), " ", seen) + `"`
	}
	return out
}

// unique is a name, with a number behind it if it was given before.
func unique(name, between string, seen map[string]bool) string {
	out := name
	for n := 2; seen[out]; n++ {
		out = fmt.Sprintf("%s%s%d", name, between, n)
	}
	seen[out] = true
	return out
}

// optional reports whether a row need not refer to another one.
func optional(c *catalog.Catalog, e *catalog.Edge) bool {
	for _, name := range e.FromColumns {
		if col := c.Tables[e.From].Column(name); col == nil || col.Nullable {
			return true
		}
	}
	return false
}

// attribute is a type or a column as one word of a diagram.
func attribute(text string) string {
	var b strings.Builder
	for i, r := range oneLine(text) {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' || r >= 0xC0 && r <= 0xFFFF
		switch {
		case letter:
		case i == 0 && r >= '0' && r <= '9':
			b.WriteByte('_')
		case r >= '0' && r <= '9', i > 0 && strings.ContainsRune("()[]", r):
		default:
			r = '_'
		}
		b.WriteRune(r)
	}
	if b.Len() == 0 {
		return "_"
	}
	return b.String()
}

// plainText is a text that may stand in quotes.
func plainText(text string) string {
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune("\"%\\", r) {
			return '_'
		}
		return r
	}, oneLine(text))
	if text == "" {
		return "_"
	}
	return text
}

func quotedText(text string) string { return `"` + plainText(text) + `"` }
