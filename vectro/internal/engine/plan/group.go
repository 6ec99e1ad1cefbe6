package plan

import (
	"math"
	"slices"
)

// Grouping collects the keys and aggregates of one [Aggregate] while the
// expressions above it are bound, in two steps. Expressions are bound over the
// input, where an aggregate call is the column that [Grouping.Add] returns; then
// [Grouping.Rewrite] turns them into expressions over the Aggregate's output.
type Grouping struct {
	In   Schema
	Rows int64 // upper bound of the input's rows
	Keys []Expr
	Aggs []Agg
}

// Add returns the column that stands for a, which is computed once however often
// it is asked for.
func (g *Grouping) Add(a Agg) *Column {
	i := slices.IndexFunc(g.Aggs, func(b Agg) bool { return equalAggs(a, b) })
	if i < 0 {
		i = len(g.Aggs)
		g.Aggs = append(g.Aggs, a)
	}
	f := g.Aggs[i].Field(formatAgg(g.Aggs[i]))
	f.Agg = &a
	return &Column{Index: len(g.In) + i, Field: f}
}

// Rewrite turns e, bound over the input and the columns of Add, into an
// expression over the output of [Grouping.Node]: what equals a key becomes the
// key's column. If e uses a column of the input that is no key, that column is
// returned instead, the very one that e holds.
func (g *Grouping) Rewrite(e Expr) (Expr, *Column) {
	for i, k := range g.Keys {
		if Equal(e, k) {
			return &Column{Index: i, Field: g.keyField(i)}, nil
		}
	}
	switch e := e.(type) {
	case *Column:
		if e.Index < len(g.In) {
			return nil, e
		}
		c := *e
		c.Index += len(g.Keys) - len(g.In)
		c.Field.Agg = nil // it is a column now
		return &c, nil
	case *Call:
		c := *e
		c.Args = make([]Expr, len(e.Args))
		for i, a := range e.Args {
			r, offender := g.Rewrite(a)
			if offender != nil {
				return nil, offender
			}
			c.Args[i] = r
		}
		return &c, nil
	}
	return e, nil
}

// Finite returns e as a key that rows are told apart by: ±Inf, which answers show as
// they show a missing value, counts as one.
func Finite(e Expr) Expr {
	if !mayBeInf(e) {
		return e
	}
	return &Call{Op: "finite", Args: []Expr{e}, T: Type{Base: Float}}
}

// mayBeInf reports whether e is a Float of which a value may be ±Inf.
func mayBeInf(e Expr) bool {
	if e.Type().Base != Float {
		return false
	}
	switch x := e.(type) {
	case *Column:
		return x.Field.Inf
	case *Literal:
		return math.IsInf(x.Value.F, 0)
	case *Call:
		return x.Op != "finite"
	}
	return true
}

// Node returns the Aggregate over in. A column that is not simply a key's is named
// by the text of its expression.
func (g *Grouping) Node(in Node) *Aggregate {
	n := &Aggregate{In: in, Aggs: g.Aggs}
	for i := range g.Keys {
		n.Keys = append(n.Keys, Finite(g.Keys[i]))
		n.Out = append(n.Out, g.keyField(i))
	}
	for i := range g.Aggs {
		n.Out = append(n.Out, g.Aggs[i].Field(formatAgg(g.Aggs[i])))
	}
	return n
}

// keyField is a column's own field, so that it keeps its name and table.
func (g *Grouping) keyField(i int) Field {
	if c, ok := g.Keys[i].(*Column); ok {
		return c.Field
	}
	return NewField(Format(g.Keys[i]), g.Keys[i])
}

// Equal reports whether a and b are the same expression over the same input.
func Equal(a, b Expr) bool {
	switch a := a.(type) {
	case *Column:
		b, ok := b.(*Column)
		return ok && a.Index == b.Index
	case *Literal:
		b, ok := b.(*Literal)
		return ok && *a == *b
	case *Call:
		b, ok := b.(*Call)
		return ok && a.Op == b.Op && a.T == b.T && slices.EqualFunc(a.Args, b.Args, Equal)
	}
	return a == b
}

func equalAggs(a, b Agg) bool {
	if (a.Filter == nil) != (b.Filter == nil) || a.Filter != nil && !Equal(a.Filter, b.Filter) {
		return false
	}
	return a.Fn == b.Fn && a.Distinct == b.Distinct && a.ZeroSum == b.ZeroSum && a.T == b.T && slices.EqualFunc(a.Args, b.Args, Equal)
}
