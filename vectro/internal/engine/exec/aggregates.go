package exec

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/eval"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/vector"
)

// newAggregate readies a for a stream with these columns and about so many rows;
// groups is the number of groups if that is known beforehand, else 0.
func newAggregate(a *plan.Agg, cols []column, rows int64, groups uint64) (aggregate, error) {
	g := aggregate{t: a.T}
	args := a.Args
	switch a.Fn {
	case plan.AggQuantile, plan.AggQuantileDisc, plan.AggStringAgg:
		args = args[:1] // the second is a literal
	}
	seen := map[int]bool{}
	compile := func(e plan.Expr) (*eval.Program, error) {
		for _, i := range columnsOf(e) {
			if !seen[i] {
				seen[i] = true
				g.uses = append(g.uses, i)
			}
		}
		return eval.Compile(e)
	}
	for _, e := range args {
		p, err := compile(e)
		if err != nil {
			return g, err
		}
		g.args = append(g.args, p)
	}
	if a.Filter != nil {
		p, err := compile(a.Filter)
		if err != nil {
			return g, err
		}
		g.filter = p
	}
	make, err := accumulatorOf(a, cols, groups)
	if err != nil {
		return g, err
	}
	if len(args) > 0 && groups > 0 && (a.Fn == plan.AggCountDistinct || a.Fn == plan.AggApproxDistinct) {
		d, err := indexOf(args[0], cols, rows)
		if err != nil {
			return g, err
		}
		if d != nil && d.n <= maxBits && d.n*groups <= maxBits && d.n <= uint64(max(1024, 64*rows)) {
			if d.prog != nil {
				g.args[0], g.all = d.prog, true
			}
			make = func() accumulator { return &bitmapDistinct{d: d, words: int(d.n+63) / 64} }
		}
	}
	g.make = make
	if a.Distinct {
		inner, err := accumulatorOf(a, cols, 0) // in any number of groups
		if err != nil {
			return g, err
		}
		t := args[0].Type()
		dict := sharedDict(args[0], cols)
		g.make = func() accumulator { return &distinctAcc{pairs: newPairs(t, dict), inner: inner} }
	}
	g.ordered = g.make().ordered()
	return g, nil
}

// sharedDict returns the dictionary that e's values are codes of in every batch, or nil.
func sharedDict(e plan.Expr, cols []column) *col.Dict {
	if c, ok := e.(*plan.Column); ok && c.Field.Type.Base == plan.String {
		return cols[c.Index].dict
	}
	return nil
}

// narrowMean is how large whole numbers may be for the sum behind their mean to
// stay within 64 bits: 2^40 rows of them fit.
const narrowMean = 1 << 23

// maxBits is the most bits that the bitmaps of a count of distinct values may have.
const maxBits = 1 << 28

// accumulatorOf returns the maker of a's accumulator. It works for any values; groups
// is the number of groups if that is known beforehand, else 0.
func accumulatorOf(a *plan.Agg, cols []column, groups uint64) (func() accumulator, error) {
	var arg plan.Expr
	var t plan.Type
	var dict *col.Dict
	if len(a.Args) > 0 {
		arg = a.Args[0]
		t = arg.Type()
		dict = sharedDict(arg, cols)
	}
	literal := func(i int) plan.Value { return a.Args[i].(*plan.Literal).Value }
	switch a.Fn {
	case plan.AggCount:
		return func() accumulator { return &countAcc{} }, nil
	case plan.AggSum, plan.AggMean:
		of := asSum
		switch {
		case a.Fn == plan.AggMean:
			of = asMean
		case a.ZeroSum:
			of = asZeroSum
		}
		if t.Base == plan.Float || t.Base == plan.Null {
			lanes := 1
			if groups > 1 && groups <= laneGroups {
				lanes = 4
			}
			return func() accumulator { return &floatSum{of: of, lanes: lanes} }, nil
		}
		wide := a.T.Base == plan.Huge || t.Base == plan.Huge
		if of == asMean && !wide {
			lo, hi, ok := boundsOf(arg, cols)
			wide = !ok || lo < -narrowMean || hi > narrowMean
		}
		return func() accumulator { return &intSum{wide: wide, of: of, t: a.T} }, nil
	case plan.AggMin, plan.AggMax:
		top := a.Fn == plan.AggMax
		switch t.Base {
		case plan.Int, plan.Date:
			none := int64(math.MaxInt64)
			if top {
				none = math.MinInt64
			}
			return func() accumulator {
				return &extreme[int64]{t: a.T, max: top, none: none, of: func(v *vector.Vec) []int64 { return v.I }}
			}, nil
		case plan.Float:
			none := math.Inf(1)
			if top {
				none = math.Inf(-1)
			}
			return func() accumulator {
				return &extreme[float64]{t: a.T, max: top, none: none, of: func(v *vector.Vec) []float64 { return v.F }}
			}, nil
		case plan.String:
			if dict != nil {
				return func() accumulator { return &rankExtreme{t: a.T, max: top, dict: dict, rank: dict.Rank()} }, nil
			}
		}
		return func() accumulator { return &valueAcc{t: a.T, better: extremeOf(top)} }, nil
	case plan.AggFirst, plan.AggLast:
		last := a.Fn == plan.AggLast
		return func() accumulator { return &valueAcc{t: a.T, byOrder: true, last: last} }, nil
	case plan.AggCountDistinct, plan.AggApproxDistinct:
		// An exact count is the best approximation; it is cheap enough here.
		return func() accumulator { return &countPairs{newPairs(t, dict)} }, nil
	case plan.AggMode:
		return func() accumulator { return &modeAcc{pairs: newPairs(t, dict), t: a.T} }, nil
	case plan.AggMedian, plan.AggQuantile, plan.AggQuantileDisc:
		p := 0.5
		if a.Fn != plan.AggMedian {
			p = literal(1).F
		}
		return func() accumulator {
			q := &quantileAcc{t: a.T, p: p, disc: a.Fn == plan.AggQuantileDisc, whole: t.Base == plan.Int}
			if interned(t) {
				q.intern = newInterner(dict)
			}
			return q
		}, nil
	case plan.AggStddev, plan.AggStddevPop, plan.AggVariance, plan.AggVariancePop:
		root := a.Fn == plan.AggStddev || a.Fn == plan.AggStddevPop
		pop := a.Fn == plan.AggStddevPop || a.Fn == plan.AggVariancePop
		return func() accumulator { return &moments{pop: pop, root: root} }, nil
	case plan.AggCorr, plan.AggCovarPop, plan.AggCovarSamp, plan.AggRegrSlope, plan.AggRegrIntercept:
		return func() accumulator { return &comoments{fn: a.Fn} }, nil
	case plan.AggAny, plan.AggAll, plan.AggShare:
		return func() accumulator { return &truths{fn: a.Fn} }, nil
	case plan.AggStringAgg:
		sep := literal(1).S
		return func() accumulator { return &stringAgg{sep: sep} }, nil
	}
	return nil, fmt.Errorf("exec: unknown aggregate %q", a.Fn)
}

// indexOf returns a domain that need not be in the order of its values: enough to
// count distinct ones.
func indexOf(e plan.Expr, cols []column, rows int64) (*domain, error) {
	if d := sharedDict(e, cols); d != nil {
		return &domain{per: e, base: plan.String, t: e.Type(), n: uint64(d.Len())}, nil
	}
	if e.Type().Base == plan.String {
		return nil, nil
	}
	return domainOf(e, cols, rows)
}

// bitmapDistinct counts distinct values that are small numbers: a bitmap a group.
type bitmapDistinct struct {
	d     *domain
	words int
	bits  []uint64
	n     int
	ords  []uint64
}

func (a *bitmapDistinct) ordered() bool { return false }
func (a *bitmapDistinct) bytes() int64  { return bytesOf(a.bits) + bytesOf(a.ords) }
func (a *bitmapDistinct) resize(n int) {
	a.n = n
	a.bits = grown(a.bits, n*a.words)
}

func (a *bitmapDistinct) update(in *input) {
	v := in.args[0]
	if a.d.prog == nil { // codes, all present
		codes := v.Codes
		switch {
		case in.groups == nil:
			in.each(func(r uint16, _ uint32) { c := codes[r]; a.bits[c>>6] |= 1 << (c & 63) })
		case in.sel == nil:
			for i, g := range in.groups[:in.n] {
				c := codes[i]
				a.bits[int(g)*a.words+int(c>>6)] |= 1 << (c & 63)
			}
		default:
			for _, r := range in.sel {
				c := codes[r]
				a.bits[int(in.groups[r])*a.words+int(c>>6)] |= 1 << (c & 63)
			}
		}
		return
	}
	// A function of one column: what is evaluated per row is that column.
	if a.ords == nil {
		a.ords = make([]uint64, vector.Size)
	}
	put(a.d, a.ords, v, in.sel, true)
	in.each(func(r uint16, g uint32) {
		if o := a.ords[r]; o < a.d.n {
			a.bits[int(g)*a.words+int(o>>6)] |= 1 << (o & 63)
		}
	})
}

func (a *bitmapDistinct) merge(from accumulator, src, dst []uint32, _ *merging) {
	f := from.(*bitmapDistinct)
	for i, s := range src {
		to := a.bits[int(dst[i])*a.words:][:a.words]
		for k, w := range f.bits[int(s)*a.words:][:a.words] {
			to[k] |= w
		}
	}
}

func (a *bitmapDistinct) finish(_ context.Context, _ *call, rows []int64) (vector.Vec, error) {
	v := vector.Vec{T: plan.Type{Base: plan.Int}, N: len(rows), I: make([]int64, len(rows))}
	for g := range v.I {
		n := 0
		for _, w := range a.bits[g*a.words:][:a.words] {
			n += bits.OnesCount64(w)
		}
		v.I[g] = int64(n)
	}
	return v, nil
}

// pairs is a set of pairs of a group and a value.
type pairs struct {
	t      plan.Type
	intern *interner
	table  *wordTable // two words: group, value
	words  []uint64
	ids    []uint32
	index  atomic.Pointer[pairIndex]
}

// pairIndex lists the pairs by group: those of group g are ids[starts[g]:starts[g+1]].
type pairIndex struct {
	starts []uint32
	ids    []uint32
}

func newPairs(t plan.Type, shared *col.Dict) *pairs {
	p := &pairs{t: t, table: newWordTable(2)}
	if interned(t) {
		p.intern = newInterner(shared)
	}
	return p
}

func (p *pairs) bytes() int64 {
	return p.table.bytes() + p.intern.bytes() + bytesOf(p.words) + bytesOf(p.ids)
}

// insert adds the rows that count and returns, per row, the number of its pair.
func (p *pairs) insert(in *input) []uint32 {
	if p.words == nil {
		p.words = make([]uint64, 2*vector.Size)
		p.ids = make([]uint32, vector.Size)
	}
	sel := in.sel
	if sel == nil {
		sel = vector.Identity[:in.n]
	}
	for _, r := range sel {
		p.words[2*int(r)] = uint64(in.at(r))
	}
	encode(p.words[1:], 2, in.args[0], sel, p.intern)
	p.table.assign(p.ids, p.words, sel)
	return p.ids
}

// byGroup returns the pairs in the order of their groups. Several merges may ask at once.
func (p *pairs) byGroup() *pairIndex {
	if x := p.index.Load(); x != nil {
		return x
	}
	n := p.table.len()
	groups := 0
	for i := range n {
		groups = max(groups, int(p.table.keys[2*i])+1)
	}
	x := &pairIndex{starts: make([]uint32, groups+1), ids: make([]uint32, n)}
	for i := range n {
		x.starts[p.table.keys[2*i]+1]++
	}
	for g := range groups {
		x.starts[g+1] += x.starts[g]
	}
	at := slices.Clone(x.starts)
	for i := range n {
		g := p.table.keys[2*i]
		x.ids[at[g]] = uint32(i)
		at[g]++
	}
	p.index.Store(x)
	return x
}

// join adds the pairs of groups src of from to groups dst; each gets the numbers
// in both.
func (p *pairs) join(from *pairs, src, dst []uint32, each func(id, fromID uint32)) {
	x := from.byGroup()
	var key [2]uint64
	for i, s := range src {
		if int(s)+1 >= len(x.starts) {
			continue
		}
		key[0] = uint64(dst[i])
		ids := x.ids[x.starts[s]:x.starts[s+1]]
		p.table.reserve(len(ids))
		for _, id := range ids {
			key[1] = from.table.keys[2*id+1]
			if p.intern != nil && p.intern.shared == nil {
				key[1] = uint64(p.intern.add(from.intern.own.Label(uint32(key[1]))))
			}
			to := p.table.insert(key[:], hashN(key[:]))
			if each != nil {
				each(to, id)
			}
		}
	}
}

// check reports text that no longer fits a dictionary.
func (p *pairs) check() error {
	if p.intern != nil && p.intern.full {
		return errTooMuchText
	}
	return nil
}

// values returns all pairs' values as one vector.
func (p *pairs) values() vector.Vec {
	return decode(p.t, p.table.keys, 2, 1, p.table.len(), p.intern)
}

// countPairs counts distinct values in general.
type countPairs struct{ *pairs }

func (a *countPairs) ordered() bool    { return false }
func (a *countPairs) resize(int)       {}
func (a *countPairs) update(in *input) { a.insert(in) }
func (a *countPairs) merge(from accumulator, src, dst []uint32, _ *merging) {
	a.join(from.(*countPairs).pairs, src, dst, nil)
}
func (a *countPairs) finish(_ context.Context, _ *call, rows []int64) (vector.Vec, error) {
	v := vector.Vec{T: plan.Type{Base: plan.Int}, N: len(rows), I: make([]int64, len(rows))}
	for i := range a.table.len() {
		v.I[a.table.keys[2*i]]++
	}
	return v, a.check()
}

// modeAcc is mode: the most frequent value, the least of equally frequent ones.
type modeAcc struct {
	*pairs
	t      plan.Type
	counts []int64
}

func (a *modeAcc) ordered() bool { return false }
func (a *modeAcc) resize(int)    {}
func (a *modeAcc) bytes() int64  { return a.pairs.bytes() + bytesOf(a.counts) }

func (a *modeAcc) update(in *input) {
	ids := a.insert(in)
	a.counts = grown(a.counts, a.table.len())
	in.each(func(r uint16, _ uint32) { a.counts[ids[r]]++ })
}

func (a *modeAcc) merge(from accumulator, src, dst []uint32, _ *merging) {
	f := from.(*modeAcc)
	a.join(f.pairs, src, dst, func(id, fromID uint32) {
		a.counts = grown(a.counts, a.table.len())
		a.counts[id] += f.counts[fromID]
	})
}

func (a *modeAcc) finish(_ context.Context, _ *call, rows []int64) (vector.Vec, error) {
	best := make([]int, len(rows))
	for i := range best {
		best[i] = -1
	}
	values := a.values()
	for i := range a.table.len() {
		g := a.table.keys[2*i]
		b := best[g]
		if b < 0 || a.counts[i] > a.counts[b] ||
			a.counts[i] == a.counts[b] && compareValues(values.Value(i), values.Value(b)) < 0 {
			best[g] = i
		}
	}
	out := make([]plan.Value, len(rows))
	for g, b := range best {
		if b >= 0 {
			out[g] = values.Value(b)
		}
	}
	return vecOf(a.t, out), a.check()
}

// distinctAcc gives an accumulator each value of a group once, in ascending order.
type distinctAcc struct {
	*pairs
	inner func() accumulator
}

func (a *distinctAcc) ordered() bool    { return false }
func (a *distinctAcc) resize(int)       {}
func (a *distinctAcc) update(in *input) { a.insert(in) }
func (a *distinctAcc) merge(from accumulator, src, dst []uint32, _ *merging) {
	a.join(from.(*distinctAcc).pairs, src, dst, nil)
}

func (a *distinctAcc) finish(ctx context.Context, c *call, rows []int64) (vector.Vec, error) {
	if err := a.check(); err != nil {
		return vector.Vec{}, err
	}
	n := a.table.len()
	values := a.values()
	order := identity(n)
	slices.SortFunc(order, func(x, y uint32) int {
		if c := cmp.Compare(a.table.keys[2*x], a.table.keys[2*y]); c != 0 {
			return c
		}
		return compareValues(values.Value(int(x)), values.Value(int(y)))
	})
	inner := a.inner()
	inner.resize(len(rows))
	counts := make([]int64, len(rows))
	in := input{groups: make([]uint32, vector.Size), whole: true, rows: counts}
	for from := 0; from < n; from += vector.Size {
		ids := order[from:min(n, from+vector.Size)]
		part := pickRows(&values, ids)
		in.n, in.order = len(ids), int64(from)
		in.args = append(in.args[:0], &part)
		for i, id := range ids {
			in.groups[i] = uint32(a.table.keys[2*id])
		}
		inner.update(&in)
		for _, g := range in.groups[:len(ids)] {
			counts[g]++
		}
	}
	return inner.finish(ctx, c, counts)
}

// rankExtreme is min or max of the labels of one dictionary.
type rankExtreme struct {
	tally
	t    plan.Type
	max  bool
	dict *col.Dict
	rank []uint32
	best []uint32 // code + 1; 0: none yet
}

func (a *rankExtreme) ordered() bool { return false }
func (a *rankExtreme) bytes() int64  { return bytesOf(a.own) + bytesOf(a.best) }
func (a *rankExtreme) resize(n int) {
	a.tally.resize(n)
	a.best = grown(a.best, n)
}

func (a *rankExtreme) offer(g, code uint32) {
	b := a.best[g]
	if b == 0 || (a.rank[code] > a.rank[b-1]) == a.max {
		a.best[g] = code + 1
	}
}

func (a *rankExtreme) update(in *input) {
	codes := in.args[0].Codes
	in.each(func(r uint16, g uint32) { a.offer(g, codes[r]) })
}

func (a *rankExtreme) merge(from accumulator, src, dst []uint32, _ *merging) {
	f := from.(*rankExtreme)
	for i, s := range src {
		if b := f.best[s]; b > 0 {
			a.offer(dst[i], b-1)
		}
	}
}

func (a *rankExtreme) finish(_ context.Context, _ *call, rows []int64) (vector.Vec, error) {
	v := vector.Vec{T: a.t, N: len(rows), Dict: a.dict, Codes: make([]uint32, len(rows))}
	for i := range v.Codes {
		if a.best[i] == 0 {
			missingAt(&v, i)
		} else {
			v.Codes[i] = a.best[i] - 1
		}
	}
	if a.dict.Len() == 0 {
		v.Dict, v.Codes, v.S = nil, nil, make([]string, len(rows))
	}
	return v, nil
}

// valueAcc keeps one value a group: the first or last in the order of the rows,
// or the one that is better than the others.
type valueAcc struct {
	t       plan.Type
	byOrder bool
	last    bool
	better  func(a, b plan.Value) bool
	vals    []plan.Value
	at      []int64 // byOrder: position in the stream
	text    int64
}

func extremeOf(top bool) func(a, b plan.Value) bool {
	if top {
		return func(a, b plan.Value) bool { return compareValues(a, b) > 0 }
	}
	return func(a, b plan.Value) bool { return compareValues(a, b) < 0 }
}

func (a *valueAcc) ordered() bool { return false }
func (a *valueAcc) bytes() int64  { return bytesOf(a.vals) + bytesOf(a.at) + a.text }
func (a *valueAcc) resize(n int) {
	a.vals = grown(a.vals, n)
	if a.byOrder {
		a.at = grown(a.at, n)
	}
}

// wins reports whether a new value takes the place of the one that g has.
func (a *valueAcc) wins(g uint32, x plan.Value, at int64) bool {
	switch {
	case a.vals[g].Base == plan.Null:
		return true
	case a.byOrder:
		return (at > a.at[g]) == a.last
	}
	return a.better(x, a.vals[g])
}

func (a *valueAcc) take(g uint32, x plan.Value, at int64) {
	a.vals[g] = x
	if a.byOrder {
		a.at[g] = at
	}
}

func (a *valueAcc) update(in *input) {
	v := in.args[0]
	in.each(func(r uint16, g uint32) {
		at := in.order + int64(r)
		if a.byOrder && !a.wins(g, plan.Value{}, at) {
			return
		}
		x := v.Value(int(r))
		if !a.wins(g, x, at) {
			return
		}
		if v.Dict == nil && x.S != "" { // the string may not outlive the batch
			a.text += int64(len(x.S) - len(a.vals[g].S))
			x.S = string([]byte(x.S))
		}
		a.take(g, x, at)
	})
}

func (a *valueAcc) merge(from accumulator, src, dst []uint32, _ *merging) {
	f := from.(*valueAcc)
	for i, s := range src {
		x := f.vals[s]
		if x.Base == plan.Null {
			continue
		}
		at := int64(0)
		if a.byOrder {
			at = f.at[s]
		}
		if a.wins(dst[i], x, at) {
			a.take(dst[i], x, at)
		}
	}
}

func (a *valueAcc) finish(_ context.Context, _ *call, rows []int64) (vector.Vec, error) {
	return vecOf(a.t, a.vals), nil
}

// firstSeen is the position of each group's first row.
type firstSeen struct{ at []int64 }

func (a *firstSeen) ordered() bool { return false }
func (a *firstSeen) bytes() int64  { return bytesOf(a.at) }
func (a *firstSeen) resize(n int) {
	old := len(a.at)
	a.at = grown(a.at, n)
	for i := old; i < n; i++ {
		a.at[i] = math.MaxInt64
	}
}

func (a *firstSeen) update(in *input) {
	in.each(func(r uint16, g uint32) { a.at[g] = min(a.at[g], in.order+int64(r)) })
}

func (a *firstSeen) merge(from accumulator, src, dst []uint32, _ *merging) {
	f := from.(*firstSeen)
	for i, s := range src {
		a.at[dst[i]] = min(a.at[dst[i]], f.at[s])
	}
}

func (a *firstSeen) finish(_ context.Context, _ *call, rows []int64) (vector.Vec, error) {
	return vector.Vec{T: plan.Type{Base: plan.Int}, N: len(rows), I: a.at}, nil
}

// comoments is correlation, covariance or linear regression of y over x.
type comoments struct {
	fn string
	t  []comoment
}

type comoment struct {
	n                     int64
	mx, my, sxx, syy, sxy float64
}

func (m *comoment) add(y, x float64) {
	m.n++
	n := float64(m.n)
	dx, dy := x-m.mx, y-m.my
	m.mx += dx / n
	m.my += dy / n
	m.sxx += dx * (x - m.mx)
	m.syy += dy * (y - m.my)
	m.sxy += dx * (y - m.my)
}

func (m *comoment) join(o comoment) {
	switch {
	case o.n == 0:
		return
	case m.n == 0:
		*m = o
		return
	}
	n := float64(m.n + o.n)
	f := float64(m.n) * float64(o.n) / n
	dx, dy := o.mx-m.mx, o.my-m.my
	m.mx += dx * (float64(o.n) / n)
	m.my += dy * (float64(o.n) / n)
	m.sxx += o.sxx + dx*dx*f
	m.syy += o.syy + dy*dy*f
	m.sxy += o.sxy + dx*dy*f
	m.n += o.n
}

func (a *comoments) ordered() bool { return true }
func (a *comoments) bytes() int64  { return bytesOf(a.t) }
func (a *comoments) resize(n int)  { a.t = grown(a.t, n) }
func (a *comoments) reset()        { clear(a.t) }

func (a *comoments) update(in *input) {
	y, x := in.args[0].F, in.args[1].F
	in.each(func(r uint16, g uint32) { a.t[g].add(y[r], x[r]) })
}

func (a *comoments) merge(from accumulator, src, dst []uint32, _ *merging) {
	f := from.(*comoments)
	for i, s := range src {
		a.t[dst[i]].join(f.t[s])
	}
}

func (a *comoments) finish(_ context.Context, _ *call, rows []int64) (vector.Vec, error) {
	v := vector.Vec{T: plan.Type{Base: plan.Float}, N: len(rows), F: make([]float64, len(rows))}
	for i := range v.F {
		m := a.t[i]
		x := math.NaN()
		switch {
		case m.n == 0:
		case a.fn == plan.AggCorr:
			if x = m.sxy / math.Sqrt(m.sxx*m.syy); math.Abs(x) > 1 { // by rounding
				x = math.Copysign(1, x)
			}
		case a.fn == plan.AggCovarPop:
			x = m.sxy / float64(m.n)
		case a.fn == plan.AggCovarSamp && m.n > 1:
			x = m.sxy / float64(m.n-1)
		case a.fn == plan.AggRegrSlope && m.sxx != 0:
			x = m.sxy / m.sxx
		case a.fn == plan.AggRegrIntercept && m.sxx != 0:
			x = m.my - m.sxy/m.sxx*m.mx
		}
		if math.IsNaN(x) || math.IsInf(x, 0) && a.fn == plan.AggCorr {
			missingAt(&v, i)
			x = 0
		}
		v.F[i] = x
	}
	return v, nil
}

// stringAgg joins text in the order of the rows.
type stringAgg struct {
	sep   string
	parts [][]byte // nil: no value yet
	size  int64
}

func (a *stringAgg) ordered() bool { return true }
func (a *stringAgg) bytes() int64  { return bytesOf(a.parts) + a.size }
func (a *stringAgg) resize(n int)  { a.parts = grown(a.parts, n) }

func (a *stringAgg) add(g uint32, s string) {
	b := a.parts[g]
	old := cap(b)
	if b == nil {
		b = make([]byte, 0, len(s)+16)
	} else {
		b = append(b, a.sep...)
	}
	b = append(b, s...)
	a.parts[g] = b
	a.size += int64(cap(b) - old)
}

func (a *stringAgg) update(in *input) {
	v := in.args[0]
	in.each(func(r uint16, g uint32) { a.add(g, v.Str(int(r))) })
}

func (a *stringAgg) merge(from accumulator, src, dst []uint32, _ *merging) {
	f := from.(*stringAgg)
	for i, s := range src {
		if f.parts[s] != nil {
			a.add(dst[i], string(f.parts[s]))
		}
	}
}

func (a *stringAgg) finish(_ context.Context, _ *call, rows []int64) (vector.Vec, error) {
	v := vector.Vec{T: plan.Type{Base: plan.String}, N: len(rows), S: make([]string, len(rows))}
	for i, b := range a.parts[:len(rows)] {
		if b == nil {
			missingAt(&v, i)
		}
		v.S[i] = string(b)
	}
	return v, nil
}
