package eval

import (
	"math"
	"math/bits"
	"slices"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/vector"
)

var compareBuilders = map[string]builder{
	"eq": buildCompare, "ne": buildCompare, "lt": buildCompare, "le": buildCompare, "gt": buildCompare, "ge": buildCompare,
	"distinct": buildDistinct, "notdistinct": buildDistinct,
	"between": buildBetween, "in": buildIn, "inranges": buildInRanges,
}

type ordered interface {
	int64 | float64 | uint32 | string
}

// compareVV writes a op b.
func compareVV[T ordered](op string, o []bool, a, b []T) {
	switch op {
	case "gt":
		op, a, b = "lt", b, a
	case "ge":
		op, a, b = "le", b, a
	}
	a, b = a[:len(o)], b[:len(o)]
	switch op {
	case "eq":
		for i := range o {
			o[i] = a[i] == b[i]
		}
	case "ne":
		for i := range o {
			o[i] = a[i] != b[i]
		}
	case "lt":
		for i := range o {
			o[i] = a[i] < b[i]
		}
	default:
		for i := range o {
			o[i] = a[i] <= b[i]
		}
	}
}

// compareVC writes a op k.
func compareVC[T ordered](op string, o []bool, a []T, k T) {
	a = a[:len(o)]
	switch op {
	case "eq":
		for i := range o {
			o[i] = a[i] == k
		}
	case "ne":
		for i := range o {
			o[i] = a[i] != k
		}
	case "lt":
		for i := range o {
			o[i] = a[i] < k
		}
	case "le":
		for i := range o {
			o[i] = a[i] <= k
		}
	case "gt":
		for i := range o {
			o[i] = a[i] > k
		}
	default:
		for i := range o {
			o[i] = a[i] >= k
		}
	}
}

// holds reports whether a comparison whose outcome is cmp (-1, 0, 1) is true.
func holds(op string, cmp int) bool {
	switch op {
	case "eq":
		return cmp == 0
	case "ne":
		return cmp != 0
	case "lt":
		return cmp < 0
	case "le":
		return cmp <= 0
	case "gt":
		return cmp > 0
	}
	return cmp >= 0
}

func buildCompare(c *compiler, x *plan.Call) operand {
	a, b := c.expr(x.Args[0]), c.expr(x.Args[1])
	o := c.compare(x.Op, a, b, x.Args[0].Type().Base, x.Args[1].Type().Base)
	c.release(a, b)
	return o
}

var mirrored = map[string]string{"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}

// compare emits a op b for operands of the given bases. It releases nothing.
func (c *compiler) compare(op string, a, b operand, ta, tb plan.Base) operand {
	if _, ok := c.value(a); ok {
		if _, ok := c.value(b); !ok {
			a, b, ta, tb, op = b, a, tb, ta, mirrored[op]
		}
	}
	k, constant := c.value(b)
	_, both := c.value(a)
	if both || k.Base == plan.Null {
		constant = false
	}
	c.wide(a)
	if !constant {
		c.wide(b)
	}
	o := c.slot()
	fill := comparison(op, ta, tb, k, constant)
	c.emit(func(s *State) {
		va := s.vec(a)
		var vb *vector.Vec
		if !constant {
			vb = s.vec(b)
		}
		r := s.result(o, plan.Type{Base: plan.Bool})
		s.bothOf(r, a, b, false, constant)
		fill(s, r.Bools(s.n), va, vb)
	})
	return o
}

// comparison returns the loop for op over those types; with constant, k is the
// second operand.
func comparison(op string, ta, tb plan.Base, k plan.Value, constant bool) func(s *State, o []bool, a, b *vector.Vec) {
	whole := func(t plan.Base) bool { return t == plan.Int || t == plan.Date }
	switch {
	case whole(ta) && whole(tb) && constant:
		return func(_ *State, o []bool, a, _ *vector.Vec) { compareVC(op, o, a.I, k.I) }
	case whole(ta) && whole(tb):
		return func(_ *State, o []bool, a, b *vector.Vec) { compareVV(op, o, a.I, b.I) }
	case ta == plan.Float && tb == plan.Float && constant:
		return func(_ *State, o []bool, a, _ *vector.Vec) { compareVC(op, o, a.F, k.F) }
	case ta == plan.Float && tb == plan.Float:
		return func(_ *State, o []bool, a, b *vector.Vec) { compareVV(op, o, a.F, b.F) }
	case ta == plan.Bool:
		return func(_ *State, o []bool, a, b *vector.Vec) {
			for i := range o {
				y := k.I != 0
				if b != nil {
					y = b.B[i]
				}
				o[i] = holds(op, boolRank(a.B[i])-boolRank(y))
			}
		}
	case ta == plan.String && constant:
		return func(s *State, o []bool, a, _ *vector.Vec) { compareText(s, op, o, a, k.S) }
	case ta == plan.String:
		return compareTexts(op)
	}
	if constant {
		kv := repeat(k, plan.Type{Base: tb})
		return func(_ *State, o []bool, a, _ *vector.Vec) {
			for i := range o {
				o[i] = holds(op, compareNumbers(a, kv, i))
			}
		}
	}
	return func(_ *State, o []bool, a, b *vector.Vec) {
		for i := range o {
			o[i] = holds(op, compareNumbers(a, b, i))
		}
	}
}

func boolRank(b bool) int {
	if b {
		return 1
	}
	return 0
}

// compareText compares a vector of text with a constant. Labels are compared by
// code for equality; other comparisons of one column with a constant never come
// here, they are tabulated.
func compareText(s *State, op string, o []bool, a *vector.Vec, k string) {
	if a.Dict == nil {
		compareVC(op, o, a.S, k)
		return
	}
	if op == "eq" || op == "ne" {
		code, ok := a.Dict.Lookup(k)
		if !ok {
			for i := range o {
				o[i] = op == "ne"
			}
			return
		}
		compareVC(op, o, a.Codes, code)
		return
	}
	compareVC(op, o, s.texts(0, a), k)
}

// compareTexts compares two vectors of text: by code or rank if they share a
// dictionary.
func compareTexts(op string) func(s *State, o []bool, a, b *vector.Vec) {
	return func(s *State, o []bool, a, b *vector.Vec) {
		if a.Dict == nil || a.Dict != b.Dict {
			compareVV(op, o, s.texts(0, a), s.texts(1, b))
			return
		}
		if op == "eq" || op == "ne" || a.Dict.Len() == 0 {
			compareVV(op, o, a.Codes, b.Codes)
			return
		}
		rank := a.Dict.Rank()
		ca, cb := a.Codes[:len(o)], b.Codes[:len(o)]
		for i := range o {
			x, y := rank[ca[i]], rank[cb[i]]
			cmp := 0
			if x < y {
				cmp = -1
			} else if x > y {
				cmp = 1
			}
			o[i] = holds(op, cmp)
		}
	}
}

// texts returns the strings of v, written out in scratch k when v has codes.
func (s *State) texts(k int, v *vector.Vec) []string {
	if v.Dict == nil {
		return v.S
	}
	for len(s.strs) <= k {
		s.strs = append(s.strs, nil)
	}
	if s.strs[k] == nil {
		s.strs[k] = make([]string, vector.Size)
	}
	out := s.strs[k][:s.n]
	if v.Dict.Len() == 0 {
		clear(out)
		return out
	}
	for i := range out {
		out[i] = v.Dict.Label(v.Codes[i])
	}
	return out
}

// compareNumbers compares value i of two numbers of any type, exactly.
func compareNumbers(a, b *vector.Vec, i int) int {
	fa, fb := a.T.Base == plan.Float, b.T.Base == plan.Float
	switch {
	case fa && fb:
		return cmpFloat(a.F[i], b.F[i])
	case fa:
		hi, lo := hugeAt(b, i)
		return -cmpHugeFloat(hi, lo, a.F[i])
	case fb:
		hi, lo := hugeAt(a, i)
		return cmpHugeFloat(hi, lo, b.F[i])
	}
	ah, al := hugeAt(a, i)
	bh, bl := hugeAt(b, i)
	return cmpHuge(ah, al, bh, bl)
}

func cmpFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// hugeAt returns whole number i in 128 bits.
func hugeAt(v *vector.Vec, i int) (hi int64, lo uint64) {
	if v.T.Base == plan.Huge {
		return v.Hi[i], uint64(v.I[i])
	}
	return v.I[i] >> 63, uint64(v.I[i])
}

func cmpHuge(ah int64, al uint64, bh int64, bl uint64) int {
	switch {
	case ah < bh || ah == bh && al < bl:
		return -1
	case ah == bh && al == bl:
		return 0
	}
	return 1
}

// cmpHugeFloat compares a 128-bit whole number with a float, exactly.
func cmpHugeFloat(hi int64, lo uint64, f float64) int {
	switch {
	case f >= 1<<127:
		return -1
	case f < -1<<127:
		return 1
	case f != f:
		return 0 // a missing value; its validity says so
	}
	t := math.Trunc(f)
	fh, fl := floatToHuge(t)
	if cmp := cmpHuge(hi, lo, fh, fl); cmp != 0 {
		return cmp
	}
	return cmpFloat(t, f)
}

// floatToHuge returns a whole f, |f| < 2^127, in 128 bits.
func floatToHuge(f float64) (hi int64, lo uint64) {
	neg := f < 0
	if neg {
		f = -f
	}
	b := math.Float64bits(f)
	exp := int(b>>52) - 1075
	m := b&(1<<52-1) | 1<<52
	var h uint64
	switch {
	case f < 1:
		return 0, 0
	case exp <= 0:
		lo = m >> -exp
	case exp < 64:
		h, lo = m>>(64-exp), m<<exp
	default:
		h = m << (exp - 64)
	}
	if neg {
		var borrow uint64
		lo, borrow = bits.Sub64(0, lo, 0)
		h, _ = bits.Sub64(0, h, borrow)
	}
	return int64(h), lo
}

// buildDistinct: missing equals missing; the result is never missing.
func buildDistinct(c *compiler, x *plan.Call) operand {
	in := c.args(x)
	eq := c.compare("eq", in[0], in[1], x.Args[0].Type().Base, x.Args[1].Type().Base)
	o := c.slot()
	differ := x.Op == "distinct"
	c.emit(func(s *State) {
		a, b, e := s.vec(in[0]), s.vec(in[1]), s.vec(eq)
		r := s.result(o, plan.Type{Base: plan.Bool})
		out := r.Bools(s.n)
		if a.Valid == nil && b.Valid == nil {
			for i := range out {
				out[i] = e.B[i] != differ
			}
			return
		}
		for i := range out {
			va, vb := a.Valid.Get(i), b.Valid.Get(i)
			same := va == vb && (!va || e.B[i])
			out[i] = same != differ
		}
	})
	c.release(append(in, eq)...)
	return o
}

func buildBetween(c *compiler, x *plan.Call) operand {
	var in [3]operand
	for i, a := range x.Args {
		in[i] = c.expr(a)
	}
	base := func(i int) plan.Base { return x.Args[i].Type().Base }
	lo := c.compare("ge", in[0], in[1], base(0), base(1))
	hi := c.compare("le", in[0], in[2], base(0), base(2))
	o := c.logic("and", lo, hi)
	c.release(in[0], in[1], in[2], lo, hi)
	return o
}

// buildInRanges is x in one of the intervals of dates [lo1, hi1], [lo2, hi2], …
func buildInRanges(c *compiler, x *plan.Call) operand {
	in := c.wide(c.expr(x.Args[0]))
	type interval struct{ lo, hi int64 }
	var ranges []interval
	for i := 1; i < len(x.Args); i += 2 {
		ranges = append(ranges, interval{x.Args[i].(*plan.Literal).Value.I, x.Args[i+1].(*plan.Literal).Value.I})
	}
	o := c.slot()
	c.emit(func(s *State) {
		a := s.vec(in)
		r := s.result(o, plan.Type{Base: plan.Bool})
		as(r, a)
		out := r.Bools(s.n)
		for i := range out {
			v, hit := a.I[i], false
			for _, d := range ranges {
				hit = hit || d.lo <= v && v <= d.hi
			}
			out[i] = hit
		}
	})
	c.release(in)
	return o
}

// buildIn is x in (items), none of them a missing literal: a look-up among literals,
// else one comparison after the other.
func buildIn(c *compiler, x *plan.Call) operand {
	in := c.wide(c.expr(x.Args[0]))
	base := x.Args[0].Type().Base
	var items []plan.Value
	for _, a := range x.Args[1:] {
		if l, ok := a.(*plan.Literal); ok {
			items = append(items, l.Value)
		}
	}
	if len(items) < len(x.Args)-1 {
		var acc operand
		for i, a := range x.Args[1:] {
			b := c.expr(a)
			eq := c.compare("eq", in, b, base, a.Type().Base)
			c.release(b)
			if i > 0 {
				o := c.logic("or", acc, eq)
				c.release(acc, eq)
				eq = o
			}
			acc = eq
		}
		c.release(in)
		return acc
	}
	test := membership(base, items)
	o := c.slot()
	c.emit(func(s *State) {
		a := s.vec(in)
		r := s.result(o, plan.Type{Base: plan.Bool})
		as(r, a)
		test(s, r.Bools(s.n), a)
	})
	c.release(in)
	return o
}

// fewItems is the length up to which a list is searched from end to end.
const fewItems = 8

// membership returns the loop that looks values of that base up among items.
func membership(base plan.Base, items []plan.Value) func(s *State, o []bool, a *vector.Vec) {
	switch base {
	case plan.Int, plan.Date:
		set := intSet(items)
		keys := sortedKeys(set)
		if len(set) <= fewItems {
			return func(_ *State, o []bool, a *vector.Vec) { searchFew(o, a.I, keys) }
		}
		return func(_ *State, o []bool, a *vector.Vec) { lookUp(o, a.I, set) }
	case plan.Float:
		set := map[float64]struct{}{}
		for _, v := range items {
			if v.Base == plan.Float {
				set[v.F] = struct{}{}
			} else if f := float64(v.I); cmpHugeFloat(v.I>>63, uint64(v.I), f) == 0 {
				set[f] = struct{}{}
			}
		}
		keys := sortedKeys(set)
		if len(set) <= fewItems {
			return func(_ *State, o []bool, a *vector.Vec) { searchFew(o, a.F, keys) }
		}
		return func(_ *State, o []bool, a *vector.Vec) { lookUp(o, a.F, set) }
	case plan.Bool:
		var has [2]bool
		for _, v := range items {
			has[v.I&1] = true
		}
		return func(_ *State, o []bool, a *vector.Vec) {
			for i := range o {
				o[i] = has[boolRank(a.B[i])]
			}
		}
	case plan.String:
		return textMembership(items)
	}
	// Huge: rare, and short lists.
	vecs := make([]*vector.Vec, len(items))
	for i, v := range items {
		vecs[i] = repeat(v, plan.Type{Base: v.Base})
	}
	return func(_ *State, o []bool, a *vector.Vec) {
		for i := range o {
			o[i] = slices.ContainsFunc(vecs, func(v *vector.Vec) bool { return compareNumbers(a, v, i) == 0 })
		}
	}
}

// intSet holds the whole numbers among items; a fraction equals none.
func intSet(items []plan.Value) map[int64]struct{} {
	set := map[int64]struct{}{}
	for _, v := range items {
		if v.Base != plan.Float {
			set[v.I] = struct{}{}
		} else if f := v.F; f == math.Trunc(f) && f >= -1<<63 && f < 1<<63 {
			set[int64(f)] = struct{}{}
		}
	}
	return set
}

func sortedKeys[T ordered](set map[T]struct{}) []T {
	keys := make([]T, 0, len(set))
	for k := range set {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// searchFew goes through the vector once per key. Keys are distinct, so "differs
// from" joins the outcomes as "or" would, without a branch.
func searchFew[T ordered](o []bool, a, keys []T) {
	if len(keys) == 0 {
		clear(o)
		return
	}
	compareVC("eq", o, a, keys[0])
	a = a[:len(o)]
	for _, k := range keys[1:] {
		for i := range o {
			o[i] = o[i] != (a[i] == k)
		}
	}
}

func lookUp[T ordered](o []bool, a []T, set map[T]struct{}) {
	a = a[:len(o)]
	for i := range o {
		_, o[i] = set[a[i]]
	}
}

// textMembership looks the items up in a dictionary once, then goes by code.
func textMembership(items []plan.Value) func(s *State, o []bool, a *vector.Vec) {
	set := map[string]struct{}{}
	for _, v := range items {
		set[v.S] = struct{}{}
	}
	labels := sortedKeys(set)
	return func(s *State, o []bool, a *vector.Vec) {
		if a.Dict == nil {
			lookUp(o, a.S, set)
			return
		}
		m := s.members(labels, a.Dict)
		if len(m.codes) <= fewItems {
			searchFew(o, a.Codes, m.codes)
			return
		}
		codes := a.Codes[:len(o)]
		for i := range o {
			o[i] = int(codes[i]) < len(m.table) && m.table[codes[i]]
		}
	}
}

// codeSet is a list of labels in terms of one dictionary.
type codeSet struct {
	codes []uint32
	table []bool
}

type codeSetKey struct {
	first *string
	dict  *col.Dict
}

// members returns labels (a slice that identifies its list) in d's codes.
func (s *State) members(labels []string, d *col.Dict) *codeSet {
	k := codeSetKey{&labels[0], d}
	if m := s.sets[k]; m != nil {
		return m
	}
	m := &codeSet{}
	for _, l := range labels {
		if code, ok := d.Lookup(l); ok {
			m.codes = append(m.codes, code)
		}
	}
	if len(m.codes) > fewItems {
		m.table = make([]bool, d.Len())
		for _, code := range m.codes {
			m.table[code] = true
		}
	}
	// A program rarely meets a second dictionary in a column; a stream of them must
	// not be remembered for good.
	if s.sets == nil || len(s.sets) >= 16 {
		s.sets = map[codeSetKey]*codeSet{}
	}
	s.sets[k] = m
	return m
}
