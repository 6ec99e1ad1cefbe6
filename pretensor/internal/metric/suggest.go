package metric

import (
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
	tableroles "github.com/quartet-mcp/quartet/pretensor/internal/roles"
	"github.com/quartet-mcp/quartet/pretensor/internal/types"
)

// summed are words that columns of amounts have in their names.
var summed = []string{
	"amount", "total", "price", "cost", "revenue", "qty", "quantity", "count", "fee", "tax", "payment", "subtotal", "discount",
}

// Suggest makes a layer of what the structure suggests: the sum of each number of a
// fact table that is part of no key and whose name says that it is an amount.
func Suggest(c *catalog.Catalog) *Layer {
	l := &Layer{Connection: c.Connection}
	for i := range c.Tables {
		t := &c.Tables[i]
		if c.Facts[i].Role != string(tableroles.Fact) || c.ShadowOf(i) >= 0 {
			continue
		}
		e := Entity{Name: t.Name, Description: c.Facts[i].Description, SourceTable: dotted([]string{t.Schema, t.Name})}
		facts := t.ColumnFacts()
		for k := range t.Columns {
			col := &t.Columns[k]
			key := facts[col.Name].Primary || facts[col.Name].Foreign
			if col.Parent != "" || col.Array || key || !isAmount(col.Name) || types.ColumnFamily(c.Dialect, col) != types.Numeric {
				continue
			}
			e.Metrics = append(e.Metrics, Metric{
				Name: t.Name + "_" + col.Name + "_sum", Description: "Sum of " + col.Name + " of " + model.Qualify(t.Schema, t.Name), Type: Sum, Field: col.Name,
			})
		}
		if len(e.Metrics) > 0 {
			l.Domains = append(l.Domains, Domain{Name: t.Schema, Entities: []Entity{e}})
		}
	}
	return l
}

// numbering are words at the end of names of numbers that are no amounts.
var numbering = []string{"id", "key", "ref", "no", "nr", "num", "number", "code", "type", "kind", "status", "year", "month", "day"}

// isAmount reports whether a word of a name is one of an amount, or ends in one where
// words are written together. What accounts and their kin are called is none,
// and neither is the number of something, as in payment_id.
func isAmount(name string) bool {
	tokens := names.Tokens(name)
	if len(tokens) > 0 && slices.Contains(numbering, tokens[len(tokens)-1]) {
		return false
	}
	return slices.ContainsFunc(tokens, func(token string) bool {
		token = names.Singular(token)
		return !strings.HasSuffix(token, "account") && slices.ContainsFunc(summed, func(word string) bool { return strings.HasSuffix(token, word) })
	})
}
