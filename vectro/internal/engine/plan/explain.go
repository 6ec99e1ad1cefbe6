package plan

import (
	"fmt"
	"strings"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/caret"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/ident"
)

// Explain writes a plan as text, one operator a line, the inputs of an operator
// below it and further in. Expressions are written as by [Format], the lines as by
// [caret.Line].
func Explain(n Node) string {
	var b strings.Builder
	explain(&b, n, 0)
	return b.String()
}

func explain(out *strings.Builder, n Node, depth int) {
	b := &strings.Builder{}
	b.WriteString(strings.Repeat("  ", depth))
	var inputs []Node
	switch n := n.(type) {
	case *Scan:
		b.WriteString("scan " + ident.Quote(n.Table.Name))
		if alias := n.alias(); alias != "" && alias != n.Table.Name {
			b.WriteString(" as " + ident.Quote(alias))
		}
	case *Values:
		fmt.Fprintf(b, "values, %d rows", len(n.Rows))
	case *Filter:
		b.WriteString("filter " + Format(n.Cond))
		inputs = []Node{n.In}
	case *Project:
		b.WriteString("project ")
		for i, e := range n.Exprs {
			text := Format(e)
			b.WriteString(comma(i) + text)
			if name := ident.Quote(n.Out[i].Name); name != text {
				b.WriteString(" as " + name)
			}
		}
		inputs = []Node{n.In}
	case *Aggregate:
		b.WriteString("aggregate ")
		for i, a := range n.Aggs {
			b.WriteString(comma(i) + formatAgg(a))
		}
		if len(n.Keys) > 0 {
			b.WriteString(" by " + formatList(n.Keys))
		}
		inputs = []Node{n.In}
	case *Join:
		b.WriteString([...]string{"inner", "left"}[n.Kind] + " join")
		for i := range n.LeftKeys {
			b.WriteString([]string{" on ", " && "}[min(i, 1)])
			b.WriteString(Format(n.LeftKeys[i]) + " == " + Format(n.RightKeys[i]))
		}
		if n.Residual != nil {
			b.WriteString(" where " + Format(n.Residual))
		}
		inputs = []Node{n.Left, n.Right}
	case *Distinct:
		b.WriteString("distinct")
		inputs = []Node{n.In}
	case *Sort:
		b.WriteString("sort ")
		for i, k := range n.Keys {
			b.WriteString(comma(i) + Format(k.Expr))
			if k.Desc {
				b.WriteString(" descending")
			}
			if k.NullsFirst {
				b.WriteString(" nulls first")
			}
		}
		inputs = []Node{n.In}
	case *Limit:
		b.WriteString("limit")
		if n.Count >= 0 {
			fmt.Fprintf(b, " %d", n.Count)
		}
		if n.Offset > 0 {
			fmt.Fprintf(b, " after %d", n.Offset)
		}
		inputs = []Node{n.In}
	}
	out.WriteString(caret.Line(b.String()) + "\n")
	for _, in := range inputs {
		explain(out, in, depth+1)
	}
}

func (n *Scan) alias() string {
	if len(n.Out) == 0 {
		return ""
	}
	return n.Out[0].Table
}

func formatList(list []Expr) string {
	var b strings.Builder
	for i, e := range list {
		b.WriteString(comma(i) + Format(e))
	}
	return b.String()
}

func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ", "
}

// formatAgg writes an aggregate as the expression language does.
func formatAgg(a Agg) string {
	name := a.Fn
	if f := findAggregate(a.Fn); f != nil {
		name = f.name
	}
	s := name + "("
	if a.Distinct {
		s += "distinct "
	}
	s += formatList(a.Args)
	if a.Filter != nil {
		if len(a.Args) > 0 {
			s += " "
		}
		s += "where " + Format(a.Filter)
	}
	return s + ")"
}
