package catalog

import (
	"cmp"
	"slices"
)

// Usage is one use of a table by one place in code, which a consumer that reads and
// writes it has two of.
type Usage struct {
	*Consumer
	Use
}

// ConsumersOf lists the uses of a table: the most certain first, then by service,
// file, line and operation. The list is made once for all tables and shared; it must
// not be changed.
func (c *Catalog) ConsumersOf(table int) []Usage { return c.consumers()[table] }

func (c *Catalog) newUsages() [][]Usage {
	of := make([][]Usage, len(c.Tables))
	for i := range c.Consumers {
		for _, u := range c.Consumers[i].Uses {
			if u.Table >= 0 && u.Table < len(of) {
				of[u.Table] = append(of[u.Table], Usage{&c.Consumers[i], u})
			}
		}
	}
	for _, list := range of {
		slices.SortStableFunc(list, func(a, b Usage) int {
			return cmp.Or(
				cmp.Compare(b.Use.Confidence, a.Use.Confidence), cmp.Compare(a.Service, b.Service), cmp.Compare(a.File, b.File),
				cmp.Compare(a.LineStart, b.LineStart), cmp.Compare(a.Op, b.Op), cmp.Compare(a.LineEnd, b.LineEnd), cmp.Compare(a.ID, b.ID),
			)
		})
	}
	return of
}
