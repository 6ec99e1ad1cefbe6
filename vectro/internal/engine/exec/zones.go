package exec

import (
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// skipper returns a function that reports whether, by the statistics of a chunk,
// no row of it can meet cond; or nil if the statistics never tell. They do for
// conditions that hold only together and compare a column with a constant.
func (s *tableSource) skipper(cond plan.Expr) func(unit int) bool {
	var tests []func(unit int) bool
	for _, e := range conjuncts(nil, cond) {
		if t := s.zoneTest(e); t != nil {
			tests = append(tests, t)
		}
	}
	if tests == nil {
		return nil
	}
	return func(unit int) bool {
		for _, impossible := range tests {
			if impossible(unit) {
				return true
			}
		}
		return false
	}
}

// mirrored turns a comparison around.
var mirrored = map[string]string{"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq"}

func (s *tableSource) zoneTest(e plan.Expr) func(unit int) bool {
	x, ok := e.(*plan.Call)
	if !ok {
		return nil
	}
	if x.Op == "between" && len(x.Args) == 3 {
		lo := s.zoneTest(&plan.Call{Op: "ge", Args: []plan.Expr{x.Args[0], x.Args[1]}, T: x.T})
		hi := s.zoneTest(&plan.Call{Op: "le", Args: []plan.Expr{x.Args[0], x.Args[2]}, T: x.T})
		if lo == nil || hi == nil {
			return nil
		}
		return func(unit int) bool { return lo(unit) || hi(unit) }
	}
	op := x.Op
	if mirrored[op] == "" || len(x.Args) != 2 {
		return nil
	}
	c, ok1 := x.Args[0].(*plan.Column)
	l, ok2 := x.Args[1].(*plan.Literal)
	if !ok1 || !ok2 {
		c, ok1 = x.Args[1].(*plan.Column)
		l, ok2 = x.Args[0].(*plan.Literal)
		op = mirrored[op]
		if !ok1 || !ok2 {
			return nil
		}
	}
	in := s.cols[c.Index]
	if in.t.Base != l.Value.Base || in.t.Base == plan.Date && in.t.Unit != l.T.Unit {
		return nil
	}
	switch in.t.Base {
	case plan.Int, plan.Date:
		v := l.Value.I
		return func(unit int) bool {
			st := in.col.ChunkStats(unit)
			return st.Present == 0 || outside(op, st.Lo, st.Hi, v)
		}
	case plan.Float:
		v := l.Value.F
		return func(unit int) bool {
			st := in.col.ChunkStats(unit)
			return st.Present == 0 || outside(op, st.LoF, st.HiF, v)
		}
	}
	return nil
}

// outside reports whether no x from lo to hi has x op v.
func outside[T int64 | float64](op string, lo, hi, v T) bool {
	switch op {
	case "lt":
		return !(lo < v)
	case "le":
		return !(lo <= v)
	case "gt":
		return !(hi > v)
	case "ge":
		return !(hi >= v)
	}
	return v < lo || v > hi
}
