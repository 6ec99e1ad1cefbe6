package eval

import (
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

var logicBuilders = map[string]builder{
	"and": buildAndOr, "or": buildAndOr, "not": buildNot, "isnull": buildIsNull, "notnull": buildIsNull,
}

func buildAndOr(c *compiler, x *plan.Call) operand {
	in := c.args(x)
	o := c.logic(x.Op, in[0], in[1])
	c.release(in...)
	return o
}

// logic emits a and b, or a or b, after Kleene: false && unknown is false, true ||
// unknown is true. It releases nothing.
func (c *compiler) logic(op string, a, b operand) operand {
	o := c.slot()
	and := op == "and"
	c.emit(func(s *State) {
		va, vb := s.vec(a), s.vec(b)
		r := s.result(o, plan.Type{Base: plan.Bool})
		out := r.Bools(s.n)
		x, y := va.B[:len(out)], vb.B[:len(out)]
		if and {
			andBools(out, x, y)
		} else {
			orBools(out, x, y)
		}
		if va.Valid == nil && vb.Valid == nil {
			return
		}
		// Known where both are, or where one is known and decides.
		p, q := s.bits(0), s.bits(1)
		pack(p, x)
		pack(q, y)
		w := r.Bits(s.n)
		for i := range w {
			ka, kb := ^uint64(0), ^uint64(0)
			if va.Valid != nil {
				ka = va.Valid[i]
			}
			if vb.Valid != nil {
				kb = vb.Valid[i]
			}
			da, db := p[i], q[i] // for or, true decides
			if and {
				da, db = ^da, ^db
			}
			w[i] = ka&kb | ka&da | kb&db
			// Where one side decides, the other's value is arbitrary: for and the
			// result must be false, for or true. Both loops above give that.
		}
		trimTail(w, s.n)
	})
	return o
}

func buildNot(c *compiler, x *plan.Call) operand {
	in := c.args(x)
	o := c.slot()
	c.emit(func(s *State) {
		a := s.vec(in[0])
		r := s.result(o, x.T)
		as(r, a)
		out := r.Bools(s.n)
		b := a.B[:len(out)]
		for i := range out {
			out[i] = !b[i]
		}
	})
	c.release(in...)
	return o
}

func buildIsNull(c *compiler, x *plan.Call) operand {
	in := c.args(x)
	o := c.slot()
	missing := x.Op == "isnull"
	c.emit(func(s *State) {
		a := s.vec(in[0])
		r := s.result(o, x.T)
		out := r.Bools(s.n)
		if a.Valid == nil {
			for i := range out {
				out[i] = !missing
			}
			return
		}
		for i := range out {
			out[i] = a.Valid.Get(i) != missing
		}
	})
	c.release(in...)
	return o
}
