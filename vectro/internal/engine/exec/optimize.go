package exec

import (
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// optimize rewrites a plan into one with the same answer, in the same order, that
// is cheaper to run: conditions move down to where their columns come from (an
// equality of the two sides of a join becomes a key of it), the smaller side of a
// join becomes the right one where its order does not matter, projections move up
// over sorts and limits, and columns that nobody reads are dropped.
func optimize(n plan.Node) plan.Node {
	n = pushFilters(nil, n)
	n = swapJoins(n, false)
	n = liftProjects(n)
	n, _ = prune(n, all(len(n.Schema())))
	return n
}

func all(n int) []bool {
	s := make([]bool, n)
	for i := range s {
		s[i] = true
	}
	return s
}

// maxRewritten bounds the size of an expression that substitution may build.
const maxRewritten = 2000

func size(e plan.Expr, most int) int {
	n := 1
	if x, ok := e.(*plan.Call); ok {
		for _, a := range x.Args {
			if n > most {
				return n
			}
			n += size(a, most-n)
		}
	}
	return n
}

// substitute replaces the columns of e by expressions; ok is false when the result
// would be too large.
func substitute(e plan.Expr, exprs []plan.Expr) (plan.Expr, bool) {
	n := size(e, maxRewritten)
	walk(e, func(c *plan.Column) {
		if n <= maxRewritten {
			n += size(exprs[c.Index], maxRewritten-n)
		}
	})
	if n > maxRewritten {
		return nil, false
	}
	return rewrite(e, func(c *plan.Column) plan.Expr { return exprs[c.Index] }), true
}

// conjuncts appends the conditions that cond requires together.
func conjuncts(list []plan.Expr, cond plan.Expr) []plan.Expr {
	if x, ok := cond.(*plan.Call); ok && x.Op == "and" {
		for _, a := range x.Args {
			list = conjuncts(list, a)
		}
		return list
	}
	return append(list, cond)
}

func conjunction(list []plan.Expr) plan.Expr {
	e := list[0]
	for _, x := range list[1:] {
		e = &plan.Call{Op: "and", Args: []plan.Expr{e, x}, T: plan.Type{Base: plan.Bool}}
	}
	return e
}

func filtered(conds []plan.Expr, n plan.Node) plan.Node {
	if len(conds) == 0 {
		return n
	}
	return &plan.Filter{In: n, Cond: conjunction(conds)}
}

// pushFilters returns n with conds applied, as far down as they can be.
func pushFilters(conds []plan.Expr, n plan.Node) plan.Node {
	switch n := n.(type) {
	case *plan.Filter:
		return pushFilters(append(conjuncts(nil, n.Cond), conds...), n.In)
	case *plan.Project:
		var down, stay []plan.Expr
		for _, e := range conds {
			if x, ok := substitute(e, n.Exprs); ok {
				down = append(down, x)
			} else {
				stay = append(stay, e)
			}
		}
		return filtered(stay, &plan.Project{In: pushFilters(down, n.In), Exprs: n.Exprs, Out: n.Out})
	case *plan.Aggregate:
		var down, stay []plan.Expr
		for _, e := range conds {
			onKeys := len(n.Keys) > 0
			walk(e, func(c *plan.Column) { onKeys = onKeys && c.Index < len(n.Keys) })
			if onKeys {
				if x, ok := substitute(e, n.Keys); ok {
					down = append(down, x)
					continue
				}
			}
			stay = append(stay, e)
		}
		m := *n
		m.In = pushFilters(down, n.In)
		return filtered(stay, &m)
	case *plan.Join:
		return pushJoin(conds, n)
	case *plan.Sort:
		return &plan.Sort{In: pushFilters(conds, n.In), Keys: n.Keys}
	case *plan.Distinct:
		return &plan.Distinct{In: pushFilters(conds, n.In)}
	case *plan.Limit:
		return filtered(conds, &plan.Limit{In: pushFilters(nil, n.In), Offset: n.Offset, Count: n.Count})
	}
	return filtered(conds, n)
}

// sides tells which inputs of a join, whose left one has so many columns, e reads.
func sides(e plan.Expr, width int) (left, right bool) {
	walk(e, func(c *plan.Column) {
		if c.Index < width {
			left = true
		} else {
			right = true
		}
	})
	return left, right
}

func shift(e plan.Expr, by int) plan.Expr {
	return rewrite(e, func(c *plan.Column) plan.Expr { return &plan.Column{Index: c.Index + by, Field: c.Field} })
}

func pushJoin(conds []plan.Expr, n *plan.Join) plan.Node {
	width := len(n.Left.Schema())
	j := *n
	var left, right, stay, residual []plan.Expr
	if n.Residual != nil {
		residual = conjuncts(nil, n.Residual)
	}
	if n.Kind == plan.Inner {
		// Without unmatched rows to keep, a condition after the join is one of the join.
		residual = append(residual, conds...)
		conds = nil
	}
	for _, e := range conds { // of a left join
		if _, r := sides(e, width); r {
			stay = append(stay, e)
		} else {
			left = append(left, e)
		}
	}
	j.Residual = nil
	var rest []plan.Expr
	for _, e := range residual {
		l, r := sides(e, width)
		switch {
		case l && !r && n.Kind == plan.Inner:
			left = append(left, e)
		case r && !l: // a right row that fails it matches nothing, in a left join too
			right = append(right, shift(e, -width))
		default:
			if a, b, ok := equality(e, width); ok {
				j.LeftKeys = append(j.LeftKeys[:len(j.LeftKeys):len(j.LeftKeys)], a)
				j.RightKeys = append(j.RightKeys[:len(j.RightKeys):len(j.RightKeys)], shift(b, -width))
			} else {
				rest = append(rest, e)
			}
		}
	}
	if len(rest) > 0 {
		j.Residual = conjunction(rest)
	}
	j.Left, j.Right = pushFilters(left, n.Left), pushFilters(right, n.Right)
	return filtered(stay, &j)
}

// equality splits e into one side of a join each if it says that they are equal.
func equality(e plan.Expr, width int) (left, right plan.Expr, ok bool) {
	x, isCall := e.(*plan.Call)
	if !isCall || x.Op != "eq" || len(x.Args) != 2 {
		return nil, nil, false
	}
	a, b := x.Args[0], x.Args[1]
	if t := a.Type(); t.Base != b.Type().Base || t.Unit != b.Type().Unit || t.Base == plan.Null {
		return nil, nil, false
	}
	al, ar := sides(a, width)
	bl, br := sides(b, width)
	switch {
	case al && !ar && br && !bl:
		return a, b, true
	case ar && !al && bl && !br:
		return b, a, true
	}
	return nil, nil, false
}

// liftProjects moves projections above sorts and limits, so that their expressions
// are computed for the rows that are left, and joins two in a row.
func liftProjects(n plan.Node) plan.Node {
	switch n := n.(type) {
	case *plan.Filter:
		return &plan.Filter{In: liftProjects(n.In), Cond: n.Cond}
	case *plan.Aggregate:
		m := *n
		m.In = liftProjects(n.In)
		return &m
	case *plan.Join:
		m := *n
		m.Left, m.Right = liftProjects(n.Left), liftProjects(n.Right)
		return &m
	case *plan.Distinct:
		return &plan.Distinct{In: liftProjects(n.In)}
	case *plan.Project:
		return joinProjects(&plan.Project{In: liftProjects(n.In), Exprs: n.Exprs, Out: n.Out})
	case *plan.Limit:
		in := liftProjects(n.In)
		if p, ok := in.(*plan.Project); ok {
			return &plan.Project{In: &plan.Limit{In: p.In, Offset: n.Offset, Count: n.Count}, Exprs: p.Exprs, Out: p.Out}
		}
		return &plan.Limit{In: in, Offset: n.Offset, Count: n.Count}
	case *plan.Sort:
		in := liftProjects(n.In)
		p, ok := in.(*plan.Project)
		if !ok {
			return &plan.Sort{In: in, Keys: n.Keys}
		}
		keys := make([]plan.SortKey, len(n.Keys))
		for i, k := range n.Keys {
			keys[i] = k
			if keys[i].Expr, ok = substitute(k.Expr, p.Exprs); !ok {
				return &plan.Sort{In: in, Keys: n.Keys}
			}
		}
		return &plan.Project{In: &plan.Sort{In: p.In, Keys: keys}, Exprs: p.Exprs, Out: p.Out}
	}
	return n
}

// joinProjects makes one projection of two where that computes nothing twice.
func joinProjects(n *plan.Project) plan.Node {
	in, ok := n.In.(*plan.Project)
	if !ok {
		return n
	}
	used := make([]int, len(in.Exprs))
	for _, e := range n.Exprs {
		walk(e, func(c *plan.Column) { used[c.Index]++ })
	}
	for i, e := range in.Exprs {
		if _, call := e.(*plan.Call); call && used[i] > 1 {
			return n
		}
	}
	exprs := make([]plan.Expr, len(n.Exprs))
	for i, e := range n.Exprs {
		if exprs[i], ok = substitute(e, in.Exprs); !ok {
			return n
		}
	}
	return &plan.Project{In: in.In, Exprs: exprs, Out: n.Out}
}

// prune drops the output columns of n that need does not mark, as far as that
// saves work. at tells where the others are now.
func prune(n plan.Node, need []bool) (out plan.Node, at []int) {
	switch n := n.(type) {
	case *plan.Scan:
		s := &plan.Scan{Table: n.Table}
		at = make([]int, len(n.Columns))
		for i, on := range need {
			at[i] = -1
			if on {
				at[i] = len(s.Columns)
				s.Columns = append(s.Columns, n.Columns[i])
				s.Out = append(s.Out, n.Out[i])
			}
		}
		return s, at
	case *plan.Filter:
		in, at := prune(n.In, with(need, n.Cond))
		return &plan.Filter{In: in, Cond: moved(n.Cond, at)}, at
	case *plan.Project:
		p := &plan.Project{}
		at = make([]int, len(n.Exprs))
		below := make([]bool, len(n.In.Schema()))
		for i, on := range need {
			at[i] = -1
			if on {
				at[i] = len(p.Exprs)
				p.Exprs = append(p.Exprs, n.Exprs[i])
				p.Out = append(p.Out, n.Out[i])
				mark(below, n.Exprs[i])
			}
		}
		in, moves := prune(n.In, below)
		p.In = in
		for i, e := range p.Exprs {
			p.Exprs[i] = moved(e, moves)
		}
		return p, at
	case *plan.Aggregate:
		a := &plan.Aggregate{}
		at = make([]int, len(n.Keys)+len(n.Aggs))
		below := make([]bool, len(n.In.Schema()))
		for i, k := range n.Keys {
			mark(below, k)
			at[i] = i
			a.Out = append(a.Out, n.Out[i])
		}
		for i, g := range n.Aggs {
			at[len(n.Keys)+i] = -1
			if !need[len(n.Keys)+i] {
				continue
			}
			at[len(n.Keys)+i] = len(n.Keys) + len(a.Aggs)
			a.Aggs = append(a.Aggs, g)
			a.Out = append(a.Out, n.Out[len(n.Keys)+i])
			mark(below, g.Args...)
			if g.Filter != nil {
				mark(below, g.Filter)
			}
		}
		in, moves := prune(n.In, below)
		a.In = in
		for _, k := range n.Keys {
			a.Keys = append(a.Keys, moved(k, moves))
		}
		for i := range a.Aggs {
			g := &a.Aggs[i]
			g.Args = movedAll(g.Args, moves)
			if g.Filter != nil {
				g.Filter = moved(g.Filter, moves)
			}
		}
		return a, at
	case *plan.Join:
		return pruneJoin(n, need)
	case *plan.Distinct:
		in, at := prune(n.In, all(len(need)))
		return &plan.Distinct{In: in}, at
	case *plan.Sort:
		below := append([]bool(nil), need...)
		for _, k := range n.Keys {
			mark(below, k.Expr)
		}
		in, at := prune(n.In, below)
		s := &plan.Sort{In: in}
		for _, k := range n.Keys {
			k.Expr = moved(k.Expr, at)
			s.Keys = append(s.Keys, k)
		}
		return s, at
	case *plan.Limit:
		in, at := prune(n.In, need)
		return &plan.Limit{In: in, Offset: n.Offset, Count: n.Count}, at
	}
	at = make([]int, len(need))
	for i := range at {
		at[i] = i
	}
	return n, at
}

func pruneJoin(n *plan.Join, need []bool) (plan.Node, []int) {
	width := len(n.Left.Schema())
	below := append([]bool(nil), need...)
	if n.Residual != nil {
		mark(below, n.Residual)
	}
	left, right := below[:width], below[width:]
	mark(left, n.LeftKeys...)
	mark(right, n.RightKeys...)
	l, lat := prune(n.Left, left)
	r, rat := prune(n.Right, right)
	j := &plan.Join{Left: l, Right: r, Kind: n.Kind}
	j.LeftKeys, j.RightKeys = movedAll(n.LeftKeys, lat), movedAll(n.RightKeys, rat)
	newWidth := len(l.Schema())
	j.Out = append(append(plan.Schema(nil), l.Schema()...), r.Schema()...)
	at := make([]int, len(need))
	for i := range at {
		if i < width {
			at[i] = lat[i]
		} else if at[i] = rat[i-width]; at[i] >= 0 {
			at[i] += newWidth
		}
		if at[i] >= 0 {
			j.Out[at[i]] = n.Out[i]
		}
	}
	if n.Residual != nil {
		j.Residual = moved(n.Residual, at)
	}
	return j, at
}

// mark adds the columns that exprs read to need.
func mark(need []bool, exprs ...plan.Expr) {
	for _, e := range exprs {
		walk(e, func(c *plan.Column) { need[c.Index] = true })
	}
}

func with(need []bool, e plan.Expr) []bool {
	out := append([]bool(nil), need...)
	mark(out, e)
	return out
}

func moved(e plan.Expr, at []int) plan.Expr {
	return rewrite(e, func(c *plan.Column) plan.Expr {
		if at[c.Index] == c.Index {
			return c
		}
		return &plan.Column{Index: at[c.Index], Field: c.Field}
	})
}

func movedAll(exprs []plan.Expr, at []int) []plan.Expr {
	var out []plan.Expr
	for _, e := range exprs {
		out = append(out, moved(e, at))
	}
	return out
}
