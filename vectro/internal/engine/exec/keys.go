package exec

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/eval"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/vector"
)

// domain maps the values of a key expression to ordinals 0, 1, … in the key's
// order, so that several keys together are one small number and groups come out
// sorted. The ordinal after the last one stands for missing.
//
// Three kinds of expression have one: whole numbers and dates between known
// bounds (ordinal = value − lo), labels of a known dictionary (through its rank),
// and any function of one column that has few possible values: it is computed
// once per possible value and looked up per row.
type domain struct {
	per    plan.Expr // what is computed per row: the key, or the column it is a function of
	prog   *eval.Program
	base   plan.Base  // of per
	lo     int64      // of per, if whole numbers or dates
	table  []uint32   // index (code, value − lo, 0/1) → ordinal; nil: the same
	ifNone uint32     // ordinal of a row where per is missing
	n      uint64     // ordinals but for missing
	values vector.Vec // per ordinal; unused (N = 0) for whole numbers, dates, truth values
	t      plan.Type
	offset int64 // value of ordinal 0 of whole numbers and dates
}

// fewValues is the most values of a column for which a function of it is
// tabulated; a table must also be small beside the rows that will use it.
const fewValues = 1 << 17

// domainOf returns the domain of key over a stream with these columns and about
// so many rows, or nil if it has none.
func domainOf(key plan.Expr, cols []column, rows int64) (*domain, error) {
	uses := columnsOf(key)
	t := key.Type()
	if c, ok := key.(*plan.Column); ok && t.Base == plan.String {
		d := cols[c.Index].dict
		if d == nil {
			return nil, nil
		}
		// A dictionary much larger than the rows that are left is not worth ranking.
		if int64(d.Len()) > max(fewValues, 4*rows) {
			return nil, nil
		}
		rank := d.Rank()
		dom := &domain{per: key, base: plan.String, t: t, table: rank, n: uint64(len(rank)), ifNone: uint32(len(rank))}
		codes := make([]uint32, len(rank))
		for code, r := range rank {
			codes[r] = uint32(code)
		}
		dom.values = vector.Vec{T: t, N: len(codes), Codes: codes, Dict: d}
		return dom, compileDomain(dom)
	}
	if t.Base == plan.Bool {
		dom := &domain{per: key, base: plan.Bool, t: t, n: 2, ifNone: 2}
		return dom, compileDomain(dom)
	}
	if len(uses) == 1 {
		dom, err := tabulate(key, uses[0], cols, rows)
		if dom != nil || err != nil {
			return dom, err
		}
	}
	if t.Base == plan.Int || t.Base == plan.Date {
		lo, hi, ok := boundsOf(key, cols)
		if !ok {
			return nil, nil
		}
		n := uint64(hi) - uint64(lo) + 1
		if n == 0 || n > 1<<62 {
			return nil, nil
		}
		dom := &domain{per: key, base: t.Base, t: t, lo: lo, offset: lo, n: n}
		if n < 1<<31 {
			dom.ifNone = uint32(n)
		}
		return dom, compileDomain(dom)
	}
	return nil, nil
}

func compileDomain(d *domain) error {
	var err error
	d.prog, err = eval.Compile(d.per)
	return err
}

// boundsOf is plan.Bounds for expressions whose columns all come from tables, the
// only ones whose fields have statistics behind them.
func boundsOf(e plan.Expr, cols []column) (lo, hi int64, ok bool) {
	known := true
	walk(e, func(c *plan.Column) { known = known && cols[c.Index].origin != nil })
	if !known {
		return 0, 0, false
	}
	if c, column := e.(*plan.Column); column {
		s := cols[c.Index].origin.Stats()
		return s.Lo, s.Hi, true
	}
	return plan.Bounds(e)
}

// tabulate returns the domain of a function of column at, if that has few values.
func tabulate(key plan.Expr, at int, cols []column, rows int64) (*domain, error) {
	if _, same := key.(*plan.Column); same || key.Type().Base == plan.Null || key.Type().Base == plan.Text {
		return nil, nil
	}
	in := cols[at]
	var of *plan.Column
	walk(key, func(c *plan.Column) { of = c })
	d := &domain{per: of, base: in.t.Base, t: key.Type()}
	var n int64
	switch {
	case in.t.Base == plan.String && in.dict != nil:
		n = int64(in.dict.Len())
	case in.t.Base == plan.Bool:
		n = 2
	case (in.t.Base == plan.Int || in.t.Base == plan.Date) && in.origin != nil:
		s := in.origin.Stats()
		d.lo = s.Lo
		if uint64(s.Hi)-uint64(s.Lo) >= fewValues {
			return nil, nil
		}
		n = s.Hi - s.Lo + 1
	default:
		return nil, nil
	}
	if n > fewValues || n > max(1024, rows/8) {
		return nil, nil
	}
	prog, err := eval.Compile(key)
	if err != nil {
		return nil, err
	}
	// One row per possible value, and one where the column is missing.
	st := prog.NewState()
	found := make([]plan.Value, 0, n+1)
	b := vector.Batch{Cols: make([]*vector.Vec, len(cols))}
	var buf vector.Buffer
	for from := int64(0); from <= n; from += vector.Size {
		k := int(min(vector.Size, n+1-from))
		blank(&buf, in.t, in.dict, k)
		valid := buf.Bits(k)
		for i := range k {
			v := from + int64(i)
			if v == n {
				break
			}
			valid.Set(i)
			switch in.t.Base {
			case plan.String:
				buf.Codes[i] = uint32(v)
			case plan.Bool:
				buf.B[i] = v == 1
			default:
				buf.I[i] = d.lo + v
			}
		}
		buf.Valid = vector.Trim(valid, k)
		b.N, b.Sel = k, nil
		b.Cols[at] = &buf.Vec
		out := st.Eval(&b)
		for i := range k {
			v := out.Value(i)
			v.S = strings.Clone(v.S)
			found = append(found, v)
		}
	}
	order := make([]uint32, 0, len(found))
	for i, v := range found {
		if v.Base != plan.Null {
			order = append(order, uint32(i))
		}
	}
	slices.SortFunc(order, func(a, b uint32) int { return compareValues(found[a], found[b]) })
	ordinals := make([]uint32, len(found))
	var distinct []plan.Value
	for i, at := range order {
		if i == 0 || compareValues(found[order[i-1]], found[at]) != 0 {
			distinct = append(distinct, found[at])
		}
		ordinals[at] = uint32(len(distinct) - 1)
	}
	for i, v := range found {
		if v.Base == plan.Null {
			ordinals[i] = uint32(len(distinct))
		}
	}
	d.n = uint64(len(distinct))
	d.table, d.ifNone = ordinals[:n], ordinals[n]
	d.values = vecOf(key.Type(), distinct)
	return d, compileDomain(d)
}

// compareValues orders present values of one type.
func compareValues(a, b plan.Value) int {
	switch a.Base {
	case plan.Float:
		return cmp.Compare(a.F, b.F)
	case plan.String, plan.Text:
		return cmp.Compare(a.S, b.S)
	case plan.Huge:
		if c := cmp.Compare(a.Hi, b.Hi); c != 0 {
			return c
		}
		return cmp.Compare(uint64(a.I), uint64(b.I))
	}
	return cmp.Compare(a.I, b.I)
}

// vecOf makes a vector of values; strings get no dictionary.
func vecOf(t plan.Type, values []plan.Value) vector.Vec {
	n := len(values)
	v := vector.Vec{T: t, N: n}
	for i, x := range values {
		if x.Base == plan.Null {
			missingAt(&v, i)
		}
	}
	switch t.Base {
	case plan.Int, plan.Date, plan.Huge:
		v.I = make([]int64, n)
		for i, x := range values {
			v.I[i] = x.I
		}
		if t.Base == plan.Huge {
			v.Hi = make([]int64, n)
			for i, x := range values {
				v.Hi[i] = x.Hi
			}
		}
	case plan.Float:
		v.F = make([]float64, n)
		for i, x := range values {
			v.F[i] = x.F
			if x.I != 0 && v.I == nil {
				v.I = make([]int64, n)
			}
			if v.I != nil {
				v.I[i] = x.I
			}
		}
	case plan.Bool:
		v.B = make([]bool, n)
		for i, x := range values {
			v.B[i] = x.I == 1
		}
	case plan.String, plan.Text:
		v.S = make([]string, n)
		for i, x := range values {
			v.S[i] = x.S
		}
	}
	return v
}

// radix is the number of ordinals with the one for missing.
func (d *domain) radix() uint64 { return d.n + 1 }

// put writes, for the rows of sel (nil: all of v), dst = dst × radix + ordinal,
// or dst = ordinal if first.
func put[G uint32 | uint64](d *domain, dst []G, v *vector.Vec, sel []uint16, first bool) {
	if v.T.Base == plan.Null || v.Valid != nil {
		putChecked(d, dst, v, sel, first)
		return
	}
	radix := G(d.radix())
	switch d.base {
	case plan.String:
		putCodes(dst, v.Codes[:v.N], d.table, sel, radix, first)
	case plan.Bool:
		no, yes := d.ordinal(0), d.ordinal(1)
		each(sel, v.N, func(r uint16) {
			o := G(no)
			if v.B[r] {
				o = G(yes)
			}
			if first {
				dst[r] = o
			} else {
				dst[r] = dst[r]*radix + o
			}
		})
	default:
		putInts(dst, v.I[:v.N], d.lo, d.table, sel, radix, first)
	}
}

func (d *domain) ordinal(index uint64) uint64 {
	if d.table != nil {
		return uint64(d.table[index])
	}
	return index
}

func each(sel []uint16, n int, f func(r uint16)) {
	if sel == nil {
		sel = vector.Identity[:n]
	}
	for _, r := range sel {
		f(r)
	}
}

func putCodes[G uint32 | uint64](dst []G, codes, table []uint32, sel []uint16, radix G, first bool) {
	switch {
	case sel != nil && first:
		for _, r := range sel {
			dst[r] = G(table[codes[r]])
		}
	case sel != nil:
		for _, r := range sel {
			dst[r] = dst[r]*radix + G(table[codes[r]])
		}
	case first:
		dst = dst[:len(codes)]
		for i, c := range codes {
			dst[i] = G(table[c])
		}
	default:
		dst = dst[:len(codes)]
		for i, c := range codes {
			dst[i] = dst[i]*radix + G(table[c])
		}
	}
}

func putInts[G uint32 | uint64](dst []G, x []int64, lo int64, table []uint32, sel []uint16, radix G, first bool) {
	switch {
	case table != nil:
		each(sel, len(x), func(r uint16) {
			o := G(table[x[r]-lo])
			if first {
				dst[r] = o
			} else {
				dst[r] = dst[r]*radix + o
			}
		})
	case sel != nil:
		for _, r := range sel {
			o := G(x[r] - lo)
			if first {
				dst[r] = o
			} else {
				dst[r] = dst[r]*radix + o
			}
		}
	case first:
		dst = dst[:len(x)]
		for i, y := range x {
			dst[i] = G(y - lo)
		}
	default:
		dst = dst[:len(x)]
		for i, y := range x {
			dst[i] = dst[i]*radix + G(y-lo)
		}
	}
}

// putChecked is put where values may be missing.
func putChecked[G uint32 | uint64](d *domain, dst []G, v *vector.Vec, sel []uint16, first bool) {
	radix := G(d.radix())
	none := G(d.n)
	if d.table != nil {
		none = G(d.ifNone)
	}
	each(sel, v.N, func(r uint16) {
		o := none
		if v.T.Base != plan.Null && v.Valid.Get(int(r)) {
			switch d.base {
			case plan.String:
				o = G(d.table[v.Codes[r]])
			case plan.Bool:
				i := uint64(0)
				if v.B[r] {
					i = 1
				}
				o = G(d.ordinal(i))
			default:
				i := uint64(v.I[r] - d.lo)
				if d.table != nil {
					o = G(d.table[i])
				} else {
					o = G(i)
				}
			}
		}
		if first {
			dst[r] = o
		} else {
			dst[r] = dst[r]*radix + o
		}
	})
}

// decode returns the key's values for ordinals.
func (d *domain) decode(ordinals []uint64) vector.Vec {
	n := len(ordinals)
	v := vector.Vec{T: d.t, N: n}
	for i, o := range ordinals {
		if o == d.n {
			missingAt(&v, i)
		}
	}
	at := func(i int) int { // the ordinal, or 0 for missing
		if ordinals[i] == d.n {
			return 0
		}
		return int(ordinals[i])
	}
	switch {
	case d.values.N > 0:
		src := &d.values
		var out vector.Vec
		out.T, out.N, out.Valid, out.Dict = v.T, v.N, v.Valid, src.Dict
		out.I = pickAt(src.I, n, at)
		out.Hi = pickAt(src.Hi, n, at)
		out.F = pickAt(src.F, n, at)
		out.B = pickAt(src.B, n, at)
		out.S = pickAt(src.S, n, at)
		out.Codes = pickAt(src.Codes, n, at)
		return out
	case d.t.Base == plan.Bool:
		v.B = make([]bool, n)
		for i := range v.B {
			v.B[i] = at(i) == 1
		}
	case d.t.Base == plan.Int || d.t.Base == plan.Date:
		v.I = make([]int64, n)
		for i := range v.I {
			v.I[i] = d.offset + int64(at(i))
		}
	default: // no value but missing ones
		v = vecOf(d.t, make([]plan.Value, n))
	}
	return v
}

func pickAt[T any](src []T, n int, at func(int) int) []T {
	if src == nil {
		return nil
	}
	out := make([]T, n)
	for i := range out {
		out[i] = src[at(i)]
	}
	return out
}

// product returns the product of the radices of ds, or false if it exceeds 2^63.
func product(ds []*domain) (uint64, bool) {
	p := uint64(1)
	for _, d := range ds {
		hi, lo := bits.Mul64(p, d.radix())
		if hi != 0 || lo > math.MaxInt64 {
			return 0, false
		}
		p = lo
	}
	return p, true
}
