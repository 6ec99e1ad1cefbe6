package eval

import (
	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/vector"
)

var chooseBuilders = map[string]builder{
	"case": buildCase, "coalesce": buildCoalesce, "nullif": buildNullIf,
	"least": buildExtreme, "greatest": buildExtreme, "sqlleast": buildExtreme, "sqlgreatest": buildExtreme,
}

// buildCase goes from the last branch to the first, choosing between a branch and
// what the ones after it gave. When every value is a text literal, the result is
// coded in a dictionary of those.
func buildCase(c *compiler, x *plan.Call) operand {
	n := len(x.Args)
	value := func(i int) operand { return c.wide(c.expr(x.Args[i])) }
	if d := literalDict(x); d != nil {
		value = func(i int) operand { return c.label(x.Args[i].(*plan.Literal).Value, x.T, d) }
	}
	acc := value(n - 1)
	for i := n - 3; i >= 0; i -= 2 {
		cond, then, rest := c.wide(c.expr(x.Args[i])), value(i+1), acc
		acc = c.slot()
		o := acc
		c.emit(func(s *State) {
			mask := s.truth(0, s.vec(cond))
			s.choose(s.result(o, x.T), mask, s.vec(then), s.vec(rest))
		})
		c.release(cond, then, rest)
	}
	return acc
}

// literalDict returns a dictionary of the values of a case over text literals, or nil.
func literalDict(x *plan.Call) *col.Dict {
	if x.T.Base != plan.String {
		return nil
	}
	d := col.NewDict()
	n := len(x.Args)
	for i := 1; i <= n; i += 2 {
		l, ok := x.Args[min(i, n-1)].(*plan.Literal)
		if !ok {
			return nil
		}
		if l.Value.Base == plan.String {
			if _, ok := d.Add([]byte(l.Value.S)); !ok {
				return nil
			}
		}
	}
	return d
}

// label returns a text literal as a vector of codes of d.
func (c *compiler) label(v plan.Value, t plan.Type, d *col.Dict) operand {
	k := constKey{val: v, t: t, dict: d}
	if o, ok := c.consts[k]; ok {
		return o
	}
	var b vector.Buffer
	n := vector.Size
	b.Reset(t, n)
	code, _ := d.Lookup(v.S)
	for i, codes := 0, b.CodesOf(d, n); i < n; i++ {
		codes[i] = code
	}
	if v.Base == plan.Null {
		b.Bits(n)
	}
	o := operand{fromConst, len(c.p.consts)}
	c.p.consts = append(c.p.consts, constant{val: v, t: t, vec: &b.Vec})
	c.consts[k] = o
	return o
}

// choose writes a where mask has a bit and b elsewhere.
func (s *State) choose(o *vector.Buffer, mask []uint64, a, b *vector.Vec) {
	n := s.n
	switch o.T.Base {
	case plan.Int, plan.Date:
		pickEach(o.Ints(n), mask, a.I, b.I)
	case plan.Huge:
		pickEach(o.Ints(n), mask, a.I, b.I)
		pickEach(o.Highs(n), mask, a.Hi, b.Hi)
	case plan.Float:
		pickEach(o.Floats(n), mask, a.F, b.F)
	case plan.Bool:
		pickEach(o.Bools(n), mask, a.B, b.B)
	case plan.String:
		if a.Dict != nil && a.Dict == b.Dict {
			pickEach(o.CodesOf(a.Dict, n), mask, a.Codes, b.Codes)
		} else {
			pickEach(o.Strs(n), mask, s.texts(0, a), s.texts(1, b))
		}
	}
	if a.Valid == nil && b.Valid == nil {
		return
	}
	w := o.Bits(n)
	for i := range w {
		va, vb := ^uint64(0), ^uint64(0)
		if a.Valid != nil {
			va = a.Valid[i]
		}
		if b.Valid != nil {
			vb = b.Valid[i]
		}
		w[i] = va&mask[i] | vb&^mask[i]
	}
	trimTail(w, n)
}

func pickEach[T any](o []T, mask []uint64, a, b []T) {
	a, b = a[:len(o)], b[:len(o)]
	for i := range o {
		v := b[i]
		if mask[i>>6]>>(i&63)&1 == 1 {
			v = a[i]
		}
		o[i] = v
	}
}

// buildCoalesce goes from the last argument to the first.
func buildCoalesce(c *compiler, x *plan.Call) operand {
	in := c.args(x)
	acc := in[len(in)-1]
	for i := len(in) - 2; i >= 0; i-- {
		first, rest := in[i], acc
		acc = c.slot()
		o := acc
		c.emit(func(s *State) {
			a := s.vec(first)
			mask := s.bits(0)
			if a.Valid == nil {
				ones(mask, s.n)
			} else {
				copy(mask, a.Valid[:len(mask)])
			}
			s.choose(s.result(o, x.T), mask, a, s.vec(rest))
		})
		c.release(first, rest)
	}
	return acc
}

// buildNullIf is a, missing where a == b is true.
func buildNullIf(c *compiler, x *plan.Call) operand {
	a, b := c.wide(c.expr(x.Args[0])), c.expr(x.Args[1])
	eq := c.compare("eq", a, b, x.Args[0].Type().Base, x.Args[1].Type().Base)
	o := c.slot()
	c.emit(func(s *State) {
		va := s.vec(a)
		keep := s.truth(0, s.vec(eq))
		r := s.result(o, x.T)
		all := s.bits(1)
		ones(all, s.n)
		s.choose(r, all, va, va)
		valid := bitsOf(r)
		for i := range valid {
			valid[i] &^= keep[i]
		}
	})
	c.release(a, b, eq)
	return o
}

// buildExtreme: least and greatest are missing where an argument is, their SQL
// twins only where all are.
func buildExtreme(c *compiler, x *plan.Call) operand {
	in := c.args(x)
	op := "le"
	if x.Op == "greatest" || x.Op == "sqlgreatest" {
		op = "ge"
	}
	skip := x.Op == "sqlleast" || x.Op == "sqlgreatest"
	base := x.T.Base
	acc := in[0]
	for _, next := range in[1:] {
		a, b := acc, next
		first := c.compare(op, a, b, base, base)
		acc = c.slot()
		o := acc
		c.wide(a)
		c.wide(b)
		c.emit(func(s *State) {
			va, vb := s.vec(a), s.vec(b)
			mask := s.bits(0)
			pack(mask, s.vec(first).B[:s.n])
			if skip {
				// Where one is missing, the other is taken.
				for i := range mask {
					if vb.Valid != nil {
						mask[i] |= ^vb.Valid[i]
					}
					if va.Valid != nil {
						mask[i] &= va.Valid[i]
					}
				}
			}
			r := s.result(o, x.T)
			s.choose(r, mask, va, vb)
			if !skip {
				r.Valid = nil
				both(r, va, vb)
			}
		})
		c.release(a, b, first)
	}
	return acc
}
