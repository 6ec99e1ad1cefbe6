package exec

import (
	"math"
	"unsafe"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/vector"
)

// predicate is a comparison of a table's column with a constant, tested on the
// stored values without loading them: the value must lie from lo to hi (as
// integers or as numbers), or outside if not is set.
type predicate struct {
	column   int
	lo, hi   int64 // whole numbers, dates, codes
	flo, fhi float64
	not      bool
	never    bool // no value can meet it
}

// predicates splits cond into comparisons that can be tested on stored values and
// the rest (nil if there is none).
func (s *tableSource) predicates(cond plan.Expr) (tests []predicate, rest plan.Expr) {
	var others []plan.Expr
	for _, e := range conjuncts(nil, cond) {
		if p, ok := s.predicate(e); ok {
			tests = append(tests, p...)
		} else {
			others = append(others, e)
		}
	}
	if len(others) > 0 {
		rest = conjunction(others)
	}
	return tests, rest
}

func (s *tableSource) predicate(e plan.Expr) ([]predicate, bool) {
	x, ok := e.(*plan.Call)
	if !ok || len(x.Args) < 2 {
		return nil, false
	}
	if x.Op == "between" && len(x.Args) == 3 {
		lo, ok1 := s.comparison("ge", x.Args[0], x.Args[1])
		hi, ok2 := s.comparison("le", x.Args[0], x.Args[2])
		return []predicate{lo, hi}, ok1 && ok2
	}
	if len(x.Args) != 2 {
		return nil, false
	}
	p, ok := s.comparison(x.Op, x.Args[0], x.Args[1])
	if !ok {
		p, ok = s.comparison(mirrored[x.Op], x.Args[1], x.Args[0])
	}
	return []predicate{p}, ok
}

func (s *tableSource) comparison(op string, a, b plan.Expr) (predicate, bool) {
	c, ok1 := a.(*plan.Column)
	l, ok2 := b.(*plan.Literal)
	if !ok1 || !ok2 {
		return predicate{}, false
	}
	in := s.cols[c.Index]
	v := l.Value
	if in.t.Base != v.Base || in.t.Base == plan.Date && in.t.Unit != l.T.Unit {
		return predicate{}, false
	}
	p := predicate{column: c.Index, lo: math.MinInt64, hi: math.MaxInt64, flo: math.Inf(-1), fhi: math.Inf(1), not: op == "ne"}
	switch v.Base {
	case plan.Int, plan.Date:
		switch op {
		case "eq", "ne":
			p.lo, p.hi = v.I, v.I
		case "lt":
			p.hi, p.never = v.I-1, v.I == math.MinInt64
		case "le":
			p.hi = v.I
		case "gt":
			p.lo, p.never = v.I+1, v.I == math.MaxInt64
		case "ge":
			p.lo = v.I
		default:
			return p, false
		}
	case plan.Float:
		switch op {
		case "eq", "ne":
			p.flo, p.fhi = v.F, v.F
		case "lt":
			p.fhi, p.never = math.Nextafter(v.F, math.Inf(-1)), math.IsInf(v.F, -1)
		case "le":
			p.fhi = v.F
		case "gt":
			p.flo, p.never = math.Nextafter(v.F, math.Inf(1)), math.IsInf(v.F, 1)
		case "ge":
			p.flo = v.F
		default:
			return p, false
		}
	case plan.String:
		if in.col.Dict == nil || op != "eq" && op != "ne" {
			return p, false
		}
		code, ok := in.col.Dict.Lookup(v.S)
		p.lo, p.hi = int64(code), int64(code)
		if !ok { // every label differs from it
			if !p.not {
				p.never = true
			}
			p.lo, p.hi = -1, -1
		}
	default:
		return p, false
	}
	return p, true
}

// mirrored turns a comparison around.
var mirrored = map[string]string{"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}

// skipper returns a function that reports whether, by the statistics of a chunk,
// no row of it can meet all tests; or nil if the statistics never tell.
func (s *tableSource) skipper(tests []predicate) func(unit int) bool {
	if len(tests) == 0 {
		return nil
	}
	return func(unit int) bool {
		for i := range tests {
			if s.impossible(&tests[i], unit) {
				return true
			}
		}
		return false
	}
}

func (s *tableSource) impossible(p *predicate, unit int) bool {
	c := &s.cols[p.column]
	switch {
	case p.never:
		return true
	case p.not || c.t.Base == plan.String:
		return false
	}
	st := c.col.ChunkStats(unit)
	return st.Present == 0 || st.Hi < p.lo || st.Lo > p.hi || st.HiF < p.flo || st.LoF > p.fhi
}

func bit(b bool) int { return int(*(*uint8)(unsafe.Pointer(&b))) } // a bool is 0 or 1

// within writes the rows of sel (nil: all of x) whose value lies from lo to hi, or
// outside if not is set, to dst, which may be sel[:0].
func within[T integer](dst []uint16, x []T, sel []uint16, lo, hi int64, not bool) []uint16 {
	flip := bit(not)
	k := 0
	if sel == nil {
		dst = dst[:len(x)]
		span := uint64(hi) - uint64(lo)
		for i, v := range x {
			dst[k] = uint16(i)
			k += bit(uint64(int64(v))-uint64(lo) <= span) ^ flip
		}
		return dst[:k]
	}
	dst = dst[:len(sel)]
	span := uint64(hi) - uint64(lo)
	for _, r := range sel {
		dst[k] = r
		k += bit(uint64(int64(x[r]))-uint64(lo) <= span) ^ flip
	}
	return dst[:k]
}

func withinFloats(dst []uint16, x []float64, sel []uint16, lo, hi float64, not bool) []uint16 {
	flip := bit(not)
	k := 0
	switch {
	case sel != nil:
		dst = dst[:len(sel)]
		for _, r := range sel {
			dst[k] = r
			k += (bit(x[r] >= lo) & bit(x[r] <= hi)) ^ flip
		}
	case math.IsInf(hi, 1) && !not:
		dst = dst[:len(x)]
		for i, v := range x {
			dst[k] = uint16(i)
			k += bit(v >= lo)
		}
	case math.IsInf(lo, -1) && !not:
		dst = dst[:len(x)]
		for i, v := range x {
			dst[k] = uint16(i)
			k += bit(v <= hi)
		}
	default:
		dst = dst[:len(x)]
		for i, v := range x {
			dst[k] = uint16(i)
			k += (bit(v >= lo) & bit(v <= hi)) ^ flip
		}
	}
	return dst[:k]
}

// test narrows sel (nil: all rows) of batch b of unit u to the rows that meet p.
func (s *tableSource) test(p *predicate, dst, sel []uint16, u, b int) []uint16 {
	if p.never {
		return dst[:0]
	}
	c := &s.cols[p.column]
	from := b * vector.Size
	n := min(vector.Size, s.lens[u]-from)
	to := from + n
	if valid := c.col.Chunks[u].Valid; valid != nil {
		if valid = vector.Trim(valid[from/64:(to+63)/64], n); valid != nil {
			sel = vector.Present(dst, sel, n, valid)
		}
	}
	switch raw := c.raw.(type) {
	case [][]int8:
		return within(dst, raw[u][from:to], sel, p.lo, p.hi, p.not)
	case [][]int16:
		return within(dst, raw[u][from:to], sel, p.lo, p.hi, p.not)
	case [][]int32:
		return within(dst, raw[u][from:to], sel, p.lo, p.hi, p.not)
	case [][]int64:
		return within(dst, raw[u][from:to], sel, p.lo, p.hi, p.not)
	case [][]uint8:
		return within(dst, raw[u][from:to], sel, p.lo, p.hi, p.not)
	case [][]uint16:
		return within(dst, raw[u][from:to], sel, p.lo, p.hi, p.not)
	case [][]uint32:
		return within(dst, raw[u][from:to], sel, p.lo, p.hi, p.not)
	}
	return withinFloats(dst, c.raw.([][]float64)[u][from:to], sel, p.flo, p.fhi, p.not)
}
