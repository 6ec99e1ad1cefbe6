package sqlfront

import (
	"math"
	"math/bits"
	"slices"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// outer plans LEFT JOIN, and RIGHT JOIN as a left join with its sides exchanged.
func outer(both, left, right *source, conds []plan.Expr, swapped bool) *source {
	nl, nr := len(left.schema), len(right.schema)
	place := func(i int) int { return i } // from a column of both to one of the join
	l, r, n := left, right, nl
	if swapped {
		l, r, n = right, left, nr
		place = func(i int) int { return (i + nr) % (nl + nr) }
	}
	j := joiner{n: n}
	for _, c := range conds {
		j.add(remap(c, place))
	}
	node := plan.Node(j.join(plan.Left, l.node(), r.node()))
	if swapped {
		node = reorder(node, place)
	}
	return newSource(node, both.scope)
}

// node joins the parts of a source and applies its conditions. Its columns are
// the scope's, in order.
func (s *source) node() plan.Node {
	inputs := make([]plan.Node, len(s.parts))
	for i, p := range s.parts {
		inputs[i] = p.node
	}
	partOf := func(column int) int {
		i := len(s.parts) - 1
		for s.parts[i].first > column {
			i--
		}
		return i
	}
	type cond struct {
		expr  plan.Expr
		parts []int // that it uses, ascending
	}
	var pending []cond
	var last []plan.Expr // use no column
	for _, c := range s.conds {
		var used []int
		for _, i := range columns(c) {
			if p := partOf(i); !slices.Contains(used, p) {
				used = append(used, p)
			}
		}
		switch len(used) {
		case 0:
			last = append(last, c)
		case 1:
			inputs[used[0]] = filter(inputs[used[0]], shift(c, -s.parts[used[0]].first))
		default:
			pending = append(pending, cond{c, used})
		}
	}
	// Parts are joined in their order, except that one with an equality to what is
	// joined already goes before one without: the latter multiplies all rows.
	node := inputs[0]
	placed := []int{0}
	position := make([]int, len(s.schema)) // of the scope's columns in node
	for i := range s.width(0) {
		position[i] = i
	}
	place := func(i int) int { return position[i] }
	for len(placed) < len(inputs) {
		next := -1
		for i := range inputs {
			if slices.Contains(placed, i) {
				continue
			}
			linked := slices.ContainsFunc(pending, func(c cond) bool {
				return slices.Contains(c.parts, i) && within(c.parts, append(placed[:len(placed):len(placed)], i)) && isEquality(c.expr)
			})
			if next < 0 || linked {
				next = i
			}
			if linked {
				break
			}
		}
		n := len(node.Schema())
		for i := range s.width(next) {
			position[s.parts[next].first+i] = n + i
		}
		placed = append(placed, next)
		j := joiner{n: n}
		pending = slices.DeleteFunc(pending, func(c cond) bool {
			if !within(c.parts, placed) {
				return false
			}
			j.add(remap(c.expr, place))
			return true
		})
		node = j.join(plan.Inner, node, inputs[next])
	}
	if !slices.IsSorted(placed) {
		node = reorder(node, place)
	}
	for _, c := range last {
		node = filter(node, c)
	}
	return node
}

// width returns the number of columns of part i.
func (s *source) width(i int) int {
	if i+1 < len(s.parts) {
		return s.parts[i+1].first - s.parts[i].first
	}
	return len(s.schema) - s.parts[i].first
}

func within(parts, of []int) bool {
	return !slices.ContainsFunc(parts, func(p int) bool { return !slices.Contains(of, p) })
}

func isEquality(e plan.Expr) bool {
	c, ok := e.(*plan.Call)
	return ok && c.Op == "eq"
}

// filter keeps the rows of n for which cond is true.
func filter(n plan.Node, cond plan.Expr) plan.Node {
	if f, ok := n.(*plan.Filter); ok {
		and, _ := plan.Bind("and", []plan.Expr{f.Cond, cond}) // of two conditions cannot fail
		return &plan.Filter{In: f.In, Cond: and}
	}
	return &plan.Filter{In: n, Cond: cond}
}

// reorder puts columns in another order: column i is n's column place(i).
func reorder(n plan.Node, place func(int) int) plan.Node {
	in := n.Schema()
	p := &plan.Project{In: n}
	for i := range in {
		f := in[place(i)]
		p.Exprs = append(p.Exprs, &plan.Column{Index: place(i), Field: f})
		p.Out = append(p.Out, f)
	}
	return p
}

// joiner sorts the conditions of a join of which the left side has n columns.
type joiner struct {
	n           int
	left, right []plan.Expr
	rest        plan.Expr
}

func (j *joiner) add(c plan.Expr) {
	l, r, ok := j.sides(c)
	switch {
	case !ok:
	case l.Type().Base == r.Type().Base && l.Type().Unit == r.Type().Unit:
		j.left, j.right = append(j.left, l), append(j.right, r)
		return
	case l.Type().Numeric() && r.Type().Numeric():
		// Doubles find the pairs; whole numbers that share one are told apart by
		// the condition itself.
		lf, err1 := plan.Bind("tofloat", []plan.Expr{l})
		rf, err2 := plan.Bind("tofloat", []plan.Expr{r})
		if err1 == nil && err2 == nil {
			j.left, j.right = append(j.left, lf), append(j.right, rf)
		}
	}
	if j.rest == nil {
		j.rest = c
		return
	}
	j.rest, _ = plan.Bind("and", []plan.Expr{j.rest, c})
}

// sides splits an equality of something on the left with something on the right.
func (j *joiner) sides(c plan.Expr) (l, r plan.Expr, ok bool) {
	call, isCall := c.(*plan.Call)
	if !isCall || call.Op != "eq" {
		return nil, nil, false
	}
	l, r = call.Args[0], call.Args[1]
	for range 2 {
		lu, ru := columns(l), columns(r)
		if len(lu) > 0 && len(ru) > 0 && lu[len(lu)-1] < j.n && ru[0] >= j.n {
			return l, shift(r, -j.n), true
		}
		l, r = r, l
	}
	return nil, nil, false
}

func (j *joiner) join(kind plan.JoinKind, l, r plan.Node) *plan.Join {
	return &plan.Join{
		Left: l, Right: r, Kind: kind, LeftKeys: j.left, RightKeys: j.right, Residual: j.rest,
		Out: slices.Concat(l.Schema(), r.Schema()),
	}
}

// conjuncts appends the parts that all have to be true for e to be.
func conjuncts(e plan.Expr, to []plan.Expr) []plan.Expr {
	if c, ok := e.(*plan.Call); ok && c.Op == "and" {
		for _, a := range c.Args {
			to = conjuncts(a, to)
		}
		return to
	}
	return append(to, e)
}

// columns returns the columns that e uses, ascending.
func columns(e plan.Expr) []int {
	var used []int
	var walk func(plan.Expr)
	walk = func(e plan.Expr) {
		switch e := e.(type) {
		case *plan.Column:
			used = append(used, e.Index)
		case *plan.Call:
			for _, a := range e.Args {
				walk(a)
			}
		}
	}
	walk(e)
	slices.Sort(used)
	return slices.Compact(used)
}

// remap returns e with every column i replaced by column to(i).
func remap(e plan.Expr, to func(int) int) plan.Expr {
	switch e := e.(type) {
	case *plan.Column:
		c := *e
		c.Index = to(e.Index)
		return &c
	case *plan.Call:
		c := *e
		c.Args = make([]plan.Expr, len(e.Args))
		for i, a := range e.Args {
			c.Args[i] = remap(a, to)
		}
		return &c
	}
	return e
}

func shift(e plan.Expr, by int) plan.Expr {
	return remap(e, func(i int) int { return i + by })
}

// mostRows returns an upper bound of the rows of n.
func mostRows(n plan.Node) int64 {
	switch n := n.(type) {
	case *plan.Scan:
		return int64(n.Table.Rows)
	case *plan.Values:
		return int64(len(n.Rows))
	case *plan.Filter:
		return mostRows(n.In)
	case *plan.Project:
		return mostRows(n.In)
	case *plan.Distinct:
		return mostRows(n.In)
	case *plan.Sort:
		return mostRows(n.In)
	case *plan.Limit:
		if n.Count >= 0 {
			return min(n.Count, mostRows(n.In))
		}
		return mostRows(n.In)
	case *plan.Aggregate:
		if len(n.Keys) == 0 {
			return 1
		}
		return mostRows(n.In)
	case *plan.Join:
		l, r := mostRows(n.Left), mostRows(n.Right)
		if n.Kind == plan.Left {
			r = max(r, 1) // a row without a partner stays
		}
		if hi, lo := bits.Mul64(uint64(l), uint64(r)); hi == 0 && lo < math.MaxInt64 {
			return int64(lo)
		}
	}
	return math.MaxInt64
}
