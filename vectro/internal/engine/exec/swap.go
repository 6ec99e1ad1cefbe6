package exec

import (
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// swapJoins makes the side of an inner join that is expected to be smaller the
// right one, of which the table is built, wherever nobody can see the order of the
// join's rows: free says so of n's. Only an aggregation hides order, unless one
// of its aggregates tells it.
func swapJoins(n plan.Node, free bool) plan.Node {
	switch n := n.(type) {
	case *plan.Filter:
		return &plan.Filter{In: swapJoins(n.In, free), Cond: n.Cond}
	case *plan.Project:
		return &plan.Project{In: swapJoins(n.In, free), Exprs: n.Exprs, Out: n.Out}
	case *plan.Aggregate:
		m := *n
		free = true
		for _, a := range n.Aggs {
			switch a.Fn {
			case plan.AggFirst, plan.AggLast, plan.AggStringAgg:
				free = false
			}
		}
		m.In = swapJoins(n.In, free)
		return &m
	case *plan.Distinct:
		return &plan.Distinct{In: swapJoins(n.In, free)}
	case *plan.Sort:
		return &plan.Sort{In: swapJoins(n.In, false), Keys: n.Keys}
	case *plan.Limit:
		return &plan.Limit{In: swapJoins(n.In, false), Offset: n.Offset, Count: n.Count}
	case *plan.Join:
		m := *n
		m.Left, m.Right = swapJoins(n.Left, free), swapJoins(n.Right, free)
		if free && n.Kind == plan.Inner && estimate(m.Right) > 2*estimate(m.Left) {
			return swapped(&m)
		}
		return &m
	}
	return n
}

// swapped returns n with its sides exchanged, below a projection that puts the
// columns back.
func swapped(n *plan.Join) plan.Node {
	left, right := len(n.Left.Schema()), len(n.Right.Schema())
	at := make([]int, left+right) // where a column of n is after the exchange
	for i := range at {
		at[i] = i + right
		if i >= left {
			at[i] = i - left
		}
	}
	m := &plan.Join{Left: n.Right, Right: n.Left, LeftKeys: n.RightKeys, RightKeys: n.LeftKeys}
	m.Out = append(append(plan.Schema(nil), n.Out[left:]...), n.Out[:left]...)
	if n.Residual != nil {
		m.Residual = moved(n.Residual, at)
	}
	p := &plan.Project{In: m, Out: n.Out}
	for i, f := range n.Out {
		p.Exprs = append(p.Exprs, &plan.Column{Index: at[i], Field: f})
	}
	return p
}

// estimate guesses how many rows n has.
func estimate(n plan.Node) float64 {
	switch n := n.(type) {
	case *plan.Scan:
		return float64(n.Table.Rows)
	case *plan.Values:
		return float64(len(n.Rows))
	case *plan.Filter:
		return estimate(n.In) / 4
	case *plan.Project:
		return estimate(n.In)
	case *plan.Aggregate:
		if len(n.Keys) == 0 {
			return 1
		}
		return estimate(n.In) / 10
	case *plan.Join:
		if len(n.LeftKeys) == 0 {
			return estimate(n.Left) * estimate(n.Right)
		}
		return max(estimate(n.Left), estimate(n.Right))
	case *plan.Distinct:
		return estimate(n.In) / 2
	case *plan.Sort:
		return estimate(n.In)
	case *plan.Limit:
		if n.Count >= 0 {
			return min(float64(n.Count), estimate(n.In))
		}
		return estimate(n.In)
	}
	return 0
}
