// Package export writes a catalog for other programs and for people: [JSON] the whole
// graph, [DDL] the tables as SQL, [Markdown] a page to read and [Mermaid] a diagram.
//
// The same catalog gives the same bytes. Names and comments are texts that anybody
// with rights on the database may have chosen; each format writes them so that they
// stay texts.
package export

import (
	"strings"
	"unicode"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/sqlcheck"
)

// oneLine is a text on one line, without what a reader cannot see.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return strings.Join(strings.Fields(text), " ")
}

// dialectOf is the SQL of a catalog's database.
func dialectOf(c *catalog.Catalog) sqltree.Dialect {
	if d, ok := sqlcheck.Dialects[c.Dialect]; ok {
		return d
	}
	return sqltree.Generic
}

// feeding are the qualified names of the tables that data flows into each table from.
func feeding(c *catalog.Catalog) map[int][]string {
	out := map[int][]string{}
	seen := map[[2]int]bool{}
	for i := range c.Lineage {
		l := &c.Lineage[i]
		from, to := c.At(l.FromSchema, l.FromTable), c.At(l.ToSchema, l.ToTable)
		if from >= 0 && to >= 0 && !seen[[2]int{from, to}] {
			seen[[2]int{from, to}] = true
			out[to] = append(out[to], c.Name(from))
		}
	}
	return out
}
