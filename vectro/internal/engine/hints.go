package engine

import (
	"fmt"

	"github.com/quartet-mcp/quartet/mcpkit/nearest"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/caret"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// hints explains an empty answer: for each filter directly over a table that
// compares a category with a label the column does not have, one sentence.
func hints(n plan.Node) []string {
	switch n := n.(type) {
	case *plan.Filter:
		if scan, ok := n.In.(*plan.Scan); ok {
			var out []string
			labelHints(n.Cond, scan, &out)
			return out
		}
		return hints(n.In)
	case *plan.Project:
		return hints(n.In)
	case *plan.Aggregate:
		return hints(n.In)
	case *plan.Distinct:
		return hints(n.In)
	case *plan.Sort:
		return hints(n.In)
	case *plan.Limit:
		return hints(n.In)
	case *plan.Join:
		return append(hints(n.Left), hints(n.Right)...)
	}
	return nil
}

// labelHints walks the conditions that all rows have to meet and their
// alternatives. A negated comparison cannot be why nothing matched.
func labelHints(e plan.Expr, scan *plan.Scan, out *[]string) {
	call, ok := e.(*plan.Call)
	if !ok {
		return
	}
	switch call.Op {
	case "and", "or":
		for _, a := range call.Args {
			labelHints(a, scan, out)
		}
	case "eq", "in":
		c, ok := call.Args[0].(*plan.Column)
		rest := call.Args[1:]
		if !ok && call.Op == "eq" {
			c, ok = call.Args[1].(*plan.Column)
			rest = call.Args[:1]
		}
		if !ok {
			return
		}
		column := scan.Table.Columns[scan.Columns[c.Index]]
		if column.Kind != col.Category || column.Dict == nil {
			return
		}
		for _, a := range rest {
			if l, ok := a.(*plan.Literal); ok && l.Value.Base == plan.String {
				if h := labelHint(column, l.Value.S); h != "" {
					*out = append(*out, h)
				}
			}
		}
	}
}

func labelHint(c *col.Column, label string) string {
	if _, ok := c.Dict.Lookup(label); ok {
		return ""
	}
	// Above this the nearest label costs more than the hint is worth.
	const most = 100_000
	h := fmt.Sprintf("%s has no label %s", caret.Clean(c.Name), caret.Quote(label))
	if c.Dict.Len() <= most {
		labels := make([]string, c.Dict.Len())
		for i := range labels {
			labels[i] = c.Dict.Label(uint32(i))
		}
		if best := nearest.Best(label, labels); best != "" {
			h += fmt.Sprintf("; did you mean %s?", caret.Quote(best))
		}
	}
	return h
}
