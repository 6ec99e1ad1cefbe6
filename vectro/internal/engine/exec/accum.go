package exec

import (
	"context"
	"math"
	"math/big"
	"math/bits"
	"unsafe"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/vector"
)

// accumulator computes one aggregate for the groups 0, 1, 2, … of a partial
// result. Its zero state is that of no rows.
type accumulator interface {
	// resize makes room for n groups; new ones start empty.
	resize(n int)
	// update adds rows of a batch.
	update(in *input)
	// merge adds group src[i] of from, which is of the same kind and holds later rows
	// than any merged so far, to group dst[i].
	merge(from accumulator, src, dst []uint32, m *merging)
	// finish returns one value per group; rows are the groups' rows. The vector may
	// share the accumulator's memory, and is longer than vector.Size for many groups.
	finish(ctx context.Context, c *call, rows []int64) (vector.Vec, error)
	// bytes returns the memory held.
	bytes() int64
	// ordered reports whether the result depends on the order of the rows, so that
	// partial results must be of runs of rows and merged in their order.
	ordered() bool
}

// input is what accumulators see of a batch.
type input struct {
	groups []uint32 // per row of the batch; nil: all rows belong to group 0
	sel    []uint16 // rows that count; nil: all n
	n      int
	whole  bool          // sel has every row that the batch brought to the groups
	args   []*vector.Vec // values that are present at the rows of sel
	rows   []int64       // rows that each group had before this batch
	order  int64         // position of row 0 in the stream
}

// merging carries the groups' rows to merge.
type merging struct {
	into []int64 // before this merge
	from []int64
}

// at returns the group of row r.
func (in *input) at(r uint16) uint32 {
	if in.groups == nil {
		return 0
	}
	return in.groups[r]
}

// each calls f for every row that counts.
func (in *input) each(f func(r uint16, group uint32)) {
	if in.sel == nil {
		for r := range in.n {
			f(uint16(r), in.at(uint16(r)))
		}
		return
	}
	for _, r := range in.sel {
		f(r, in.at(r))
	}
}

// count returns how many rows count.
func (in *input) count() int {
	if in.sel == nil {
		return in.n
	}
	return len(in.sel)
}

// grown returns s with length n, new entries zero.
func grown[T any](s []T, n int) []T {
	if n <= len(s) {
		return s
	}
	if n <= cap(s) {
		return s[:n]
	}
	out := make([]T, n, max(n, 2*cap(s)))
	copy(out, s)
	return out
}

func bytesOf[T any](s []T) int64 {
	var x T
	return int64(cap(s)) * int64(unsafe.Sizeof(x))
}

// tally counts the values that each group took into account. While that is every
// row of every group it holds nothing, and the groups' rows serve.
type tally struct {
	own []int64
	n   int
}

func (t *tally) resize(n int) {
	t.n = n
	if t.own != nil {
		t.own = grown(t.own, n)
	}
}

func (t *tally) update(in *input) {
	if t.own == nil {
		if in.whole {
			return
		}
		t.own = make([]int64, t.n)
		copy(t.own, in.rows)
	}
	switch {
	case in.groups == nil:
		t.own[0] += int64(in.count())
	case in.sel == nil:
		for _, g := range in.groups[:in.n] {
			t.own[g]++
		}
	default:
		for _, r := range in.sel {
			t.own[in.groups[r]]++
		}
	}
}

func (t *tally) merge(from *tally, src, dst []uint32, m *merging) {
	if t.own == nil {
		if from.own == nil {
			return
		}
		t.own = make([]int64, t.n)
		copy(t.own, m.into)
	}
	add := from.own
	if add == nil {
		add = m.from
	}
	for i, s := range src {
		t.own[dst[i]] += add[s]
	}
}

func (t *tally) counts(rows []int64) []int64 {
	if t.own == nil {
		return rows
	}
	return t.own
}

// presence marks groups that took no value into account as missing.
func presence(v *vector.Vec, counts []int64) {
	for i, n := range counts {
		if n == 0 {
			missingAt(v, i)
		}
	}
}

func missingAt(v *vector.Vec, i int) {
	if v.Valid == nil {
		v.Valid = make([]uint64, (v.N+63)/64)
		for w := range v.Valid {
			v.Valid[w] = ^uint64(0)
		}
		if tail := v.N & 63; tail != 0 {
			v.Valid[len(v.Valid)-1] = 1<<tail - 1
		}
	}
	v.Valid.Clear(i)
}

// countAcc is count.
type countAcc struct{ tally }

func (a *countAcc) ordered() bool { return false }
func (a *countAcc) bytes() int64  { return bytesOf(a.own) }
func (a *countAcc) merge(from accumulator, src, dst []uint32, m *merging) {
	a.tally.merge(&from.(*countAcc).tally, src, dst, m)
}
func (a *countAcc) finish(_ context.Context, _ *call, rows []int64) (vector.Vec, error) {
	return vector.Vec{T: plan.Type{Base: plan.Int}, N: len(rows), I: a.counts(rows)}, nil
}

// sumOf is what becomes of a sum in the end.
type sumOf uint8

const (
	asSum sumOf = iota
	asZeroSum
	asMean
)

// intSum is the sum or the mean of whole numbers: exact, in 64 bits where the
// plan knows that it fits, else in 128.
type intSum struct {
	tally
	lo   []uint64
	hi   []int64 // nil: 64 bits do
	wide bool
	of   sumOf
	t    plan.Type
}

func (a *intSum) ordered() bool { return false }
func (a *intSum) bytes() int64  { return bytesOf(a.own) + bytesOf(a.lo) + bytesOf(a.hi) }

func (a *intSum) resize(n int) {
	a.tally.resize(n)
	a.lo = grown(a.lo, n)
	if a.wide {
		a.hi = grown(a.hi, n)
	}
}

func (a *intSum) add(g uint32, lo uint64, hi int64) {
	var carry uint64
	a.lo[g], carry = bits.Add64(a.lo[g], lo, 0)
	a.hi[g] += hi + int64(carry)
}

func (a *intSum) update(in *input) {
	a.tally.update(in)
	v := in.args[0]
	x := v.I
	switch {
	case v.T.Base == plan.Huge:
		in.each(func(r uint16, g uint32) { a.add(g, uint64(v.I[r]), v.Hi[r]) })
	case a.wide:
		in.each(func(r uint16, g uint32) { a.add(g, uint64(x[r]), x[r]>>63) })
	case in.groups == nil && in.sel == nil:
		var s int64
		for _, y := range x[:in.n] {
			s += y
		}
		a.lo[0] += uint64(s)
	case in.groups == nil:
		var s int64
		for _, r := range in.sel {
			s += x[r]
		}
		a.lo[0] += uint64(s)
	case in.sel == nil:
		lo := a.lo
		for i, g := range in.groups[:in.n] {
			lo[g] += uint64(x[i])
		}
	default:
		lo := a.lo
		for _, r := range in.sel {
			lo[in.groups[r]] += uint64(x[r])
		}
	}
}

func (a *intSum) merge(from accumulator, src, dst []uint32, m *merging) {
	f := from.(*intSum)
	a.tally.merge(&f.tally, src, dst, m)
	for i, s := range src {
		if a.wide {
			a.add(dst[i], f.lo[s], f.hi[s])
		} else {
			a.lo[dst[i]] += f.lo[s]
		}
	}
}

func (a *intSum) finish(_ context.Context, _ *call, rows []int64) (vector.Vec, error) {
	counts := a.counts(rows)
	n := len(counts)
	v := vector.Vec{T: a.t, N: n}
	if a.of == asMean {
		v.F = make([]float64, n)
		for i, c := range counts {
			if c > 0 {
				hi := int64(a.lo[i]) >> 63
				if a.wide {
					hi = a.hi[i]
				}
				v.F[i] = quotient(a.lo[i], hi, c)
			}
		}
	} else {
		v.I = unsafe.Slice((*int64)(unsafe.Pointer(unsafe.SliceData(a.lo))), n)
		if a.t.Base == plan.Huge {
			v.Hi = a.hi
			if !a.wide {
				v.Hi = make([]int64, n)
				for i, x := range v.I {
					v.Hi[i] = x >> 63
				}
			}
		}
	}
	if a.of != asZeroSum {
		presence(&v, counts)
	}
	return v, nil
}

// quotient returns the 128-bit number hi:lo divided by n, rounded once.
func quotient(lo uint64, hi, n int64) float64 {
	if x := int64(lo); hi == x>>63 && x > -1<<53 && x < 1<<53 && n < 1<<53 {
		return float64(x) / float64(n)
	}
	s := plan.HugeInt(plan.Value{Base: plan.Huge, I: int64(lo), Hi: hi})
	f, _ := new(big.Rat).SetFrac(s, big.NewInt(n)).Float64()
	return f
}

// floatSum is the sum or the mean of float64. Within a run of rows the values are
// added as they come; the runs' sums are added in their order with Neumaier's
// compensation, so that the error does not grow with the number of runs.
//
// For few groups there are four lanes of sums, used in turn: additions to one and
// the same sum would wait for each other.
type floatSum struct {
	tally
	lanes int       // 1 or 4
	sum   []float64 // a number a group in each lane
	comp  []float64 // what the first lane has lost, once runs have been merged into it
	of    sumOf
}

// laneGroups is the most groups that get lanes.
const laneGroups = 256

func (a *floatSum) ordered() bool { return true }
func (a *floatSum) bytes() int64  { return bytesOf(a.own) + bytesOf(a.sum) + bytesOf(a.comp) }

func (a *floatSum) resize(n int) {
	a.tally.resize(n)
	a.sum = grown(a.sum, n*a.lanes)
	if a.comp != nil {
		a.comp = grown(a.comp, n)
	}
}

func (a *floatSum) reset() {
	a.own, a.comp = nil, nil
	clear(a.sum)
}

// total returns what the lanes of group g have added up.
func (a *floatSum) total(g uint32) float64 {
	s := a.sum[g]
	if a.lanes == 4 {
		n := uint32(a.n)
		s = (s + a.sum[g+n]) + (a.sum[g+2*n] + a.sum[g+3*n])
	}
	return s
}

func (a *floatSum) update(in *input) {
	a.tally.update(in)
	x := in.args[0].F
	switch {
	case in.groups == nil && in.sel == nil:
		a.sum[0] += sumAll(x[:in.n])
	case in.groups == nil:
		a.sum[0] += sumPicked(x, in.sel)
	case a.lanes == 4:
		a.addLanes(x, in)
	case in.sel == nil:
		s := a.sum
		x = x[:in.n]
		for i, g := range in.groups[:in.n] {
			s[g] += x[i]
		}
	default:
		s := a.sum
		for _, r := range in.sel {
			s[in.groups[r]] += x[r]
		}
	}
}

func (a *floatSum) addLanes(x []float64, in *input) {
	n := a.n
	s0, s1, s2, s3 := a.sum[:n], a.sum[n:2*n], a.sum[2*n:3*n], a.sum[3*n:4*n]
	g := in.groups[:in.n]
	x = x[:len(g)]
	if in.sel == nil {
		for len(g) >= 4 && len(x) >= 4 {
			s0[g[0]] += x[0]
			s1[g[1]] += x[1]
			s2[g[2]] += x[2]
			s3[g[3]] += x[3]
			g, x = g[4:], x[4:]
		}
		for i, k := range g {
			s0[k] += x[i]
		}
		return
	}
	sel := in.sel
	for len(sel) >= 4 {
		s0[g[sel[0]]] += x[sel[0]]
		s1[g[sel[1]]] += x[sel[1]]
		s2[g[sel[2]]] += x[sel[2]]
		s3[g[sel[3]]] += x[sel[3]]
		sel = sel[4:]
	}
	for _, r := range sel {
		s0[g[r]] += x[r]
	}
}

// sumAll adds in eight lanes, which a processor can overlap.
func sumAll(x []float64) float64 {
	var l [8]float64
	for len(x) >= 8 {
		l[0] += x[0]
		l[1] += x[1]
		l[2] += x[2]
		l[3] += x[3]
		l[4] += x[4]
		l[5] += x[5]
		l[6] += x[6]
		l[7] += x[7]
		x = x[8:]
	}
	for i, y := range x {
		l[i] += y
	}
	return ((l[0] + l[1]) + (l[2] + l[3])) + ((l[4] + l[5]) + (l[6] + l[7]))
}

func sumPicked(x []float64, sel []uint16) float64 {
	var l [4]float64
	for len(sel) >= 4 {
		l[0] += x[sel[0]]
		l[1] += x[sel[1]]
		l[2] += x[sel[2]]
		l[3] += x[sel[3]]
		sel = sel[4:]
	}
	for i, r := range sel {
		l[i] += x[r]
	}
	return (l[0] + l[1]) + (l[2] + l[3])
}

func (a *floatSum) merge(from accumulator, src, dst []uint32, m *merging) {
	f := from.(*floatSum)
	a.tally.merge(&f.tally, src, dst, m)
	if a.comp == nil {
		a.comp = make([]float64, a.n, cap(a.sum)/a.lanes)
	}
	for i, from := range src {
		g, x := dst[i], f.total(from)
		s := a.sum[g]
		t := s + x
		if math.Abs(s) >= math.Abs(x) {
			a.comp[g] += s - t + x
		} else {
			a.comp[g] += x - t + s
		}
		a.sum[g] = t
	}
}

func (a *floatSum) finish(_ context.Context, _ *call, rows []int64) (vector.Vec, error) {
	counts := a.counts(rows)
	v := vector.Vec{T: plan.Type{Base: plan.Float}, N: len(counts), F: make([]float64, len(counts))}
	for i, n := range counts {
		s := a.total(uint32(i))
		// Beyond the range of float64 the compensation is no number.
		if a.comp != nil && !math.IsInf(s, 0) && !math.IsNaN(s) {
			if c := s + a.comp[i]; !math.IsNaN(c) {
				s = c
			}
		}
		if a.of == asMean {
			s /= float64(n)
		}
		switch {
		case n == 0 && a.of == asZeroSum:
			s = 0
		case n == 0 || math.IsNaN(s): // NaN: ∞ − ∞
			missingAt(&v, i)
			s = 0
		}
		v.F[i] = s
	}
	return v, nil
}

// extreme is min or max of whole numbers, dates, numbers or truth values.
type extreme[T int64 | float64] struct {
	tally
	t    plan.Type
	max  bool
	best []T
	none T // above (min) or below (max) every value
	of   func(v *vector.Vec) []T
}

func (a *extreme[T]) ordered() bool { return false }
func (a *extreme[T]) bytes() int64  { return bytesOf(a.own) + bytesOf(a.best) }

func (a *extreme[T]) resize(n int) {
	a.tally.resize(n)
	old := len(a.best)
	a.best = grown(a.best, n)
	for i := old; i < n; i++ {
		a.best[i] = a.none
	}
}

func (a *extreme[T]) update(in *input) {
	a.tally.update(in)
	x, best := a.of(in.args[0]), a.best
	switch {
	case in.groups == nil:
		b := best[0]
		if in.sel != nil {
			if a.max {
				for _, r := range in.sel {
					b = max(b, x[r])
				}
			} else {
				for _, r := range in.sel {
					b = min(b, x[r])
				}
			}
		} else if a.max {
			for _, y := range x[:in.n] {
				b = max(b, y)
			}
		} else {
			for _, y := range x[:in.n] {
				b = min(b, y)
			}
		}
		best[0] = b
	case a.max:
		sel := in.sel
		if sel == nil {
			sel = vector.Identity[:in.n]
		}
		for _, r := range sel {
			if g := in.groups[r]; x[r] > best[g] {
				best[g] = x[r]
			}
		}
	default:
		sel := in.sel
		if sel == nil {
			sel = vector.Identity[:in.n]
		}
		for _, r := range sel {
			if g := in.groups[r]; x[r] < best[g] {
				best[g] = x[r]
			}
		}
	}
}

func (a *extreme[T]) merge(from accumulator, src, dst []uint32, m *merging) {
	f := from.(*extreme[T])
	a.tally.merge(&f.tally, src, dst, m)
	for i, s := range src {
		g := dst[i]
		if a.max {
			a.best[g] = max(a.best[g], f.best[s])
		} else {
			a.best[g] = min(a.best[g], f.best[s])
		}
	}
}

func (a *extreme[T]) finish(_ context.Context, _ *call, rows []int64) (vector.Vec, error) {
	counts := a.counts(rows)
	v := vector.Vec{T: a.t, N: len(counts)}
	switch best := any(a.best).(type) {
	case []int64:
		v.I = best
		if a.t.Base == plan.Bool {
			v.I, v.B = nil, make([]bool, len(best))
			for i, x := range best {
				v.B[i] = x == 1
			}
		}
	case []float64:
		v.F = best
		for i, x := range best {
			if x == 0 {
				best[i] = 0 // -0 and 0 are one value
			}
		}
	}
	presence(&v, counts)
	return v, nil
}

// moments is a sample or population variance or standard deviation: Welford's
// update within a run, Chan's merge of runs.
type moments struct {
	t    []moment
	pop  bool
	root bool
}

type moment struct {
	n        int64
	mean, m2 float64
}

func (m *moment) add(x float64) {
	m.n++
	d := x - m.mean
	m.mean += d / float64(m.n)
	m.m2 += d * (x - m.mean)
}

func (m *moment) join(o moment) {
	switch {
	case o.n == 0:
		return
	case m.n == 0:
		*m = o
		return
	}
	n := float64(m.n + o.n)
	d := o.mean - m.mean
	m.mean += d * (float64(o.n) / n)
	m.m2 += o.m2 + d*d*(float64(m.n)*float64(o.n)/n)
	m.n += o.n
}

func (a *moments) ordered() bool { return true }
func (a *moments) bytes() int64  { return bytesOf(a.t) }
func (a *moments) resize(n int)  { a.t = grown(a.t, n) }
func (a *moments) reset()        { clear(a.t) }

func (a *moments) update(in *input) {
	v := in.args[0]
	in.each(func(r uint16, g uint32) { a.t[g].add(v.F[r]) })
}

func (a *moments) merge(from accumulator, src, dst []uint32, _ *merging) {
	f := from.(*moments)
	for i, s := range src {
		a.t[dst[i]].join(f.t[s])
	}
}

func (a *moments) finish(_ context.Context, _ *call, rows []int64) (vector.Vec, error) {
	v := vector.Vec{T: plan.Type{Base: plan.Float}, N: len(rows), F: make([]float64, len(rows))}
	for i := range v.F {
		m := a.t[i]
		n := m.n
		if !a.pop {
			n--
		}
		x := math.NaN()
		if n > 0 {
			x = m.m2 / float64(n)
			if a.root {
				x = math.Sqrt(x)
			}
		}
		if math.IsNaN(x) {
			missingAt(&v, i)
			x = 0
		}
		v.F[i] = x
	}
	return v, nil
}

// truths is any, all or share of a condition.
type truths struct {
	tally
	fn  string
	yes []int64
}

func (a *truths) ordered() bool { return false }
func (a *truths) bytes() int64  { return bytesOf(a.own) + bytesOf(a.yes) }
func (a *truths) resize(n int) {
	a.tally.resize(n)
	a.yes = grown(a.yes, n)
}

func (a *truths) update(in *input) {
	a.tally.update(in)
	b := in.args[0].B
	in.each(func(r uint16, g uint32) {
		if b[r] {
			a.yes[g]++
		}
	})
}

func (a *truths) merge(from accumulator, src, dst []uint32, m *merging) {
	f := from.(*truths)
	a.tally.merge(&f.tally, src, dst, m)
	for i, s := range src {
		a.yes[dst[i]] += f.yes[s]
	}
}

func (a *truths) finish(_ context.Context, _ *call, rows []int64) (vector.Vec, error) {
	counts := a.counts(rows)
	n := len(counts)
	v := vector.Vec{T: plan.Type{Base: plan.Bool}, N: n}
	if a.fn == "share" {
		v.T.Base = plan.Float
		v.F = make([]float64, n)
	} else {
		v.B = make([]bool, n)
	}
	for i, c := range counts {
		switch {
		case a.fn == "any":
			v.B[i] = a.yes[i] > 0
		case a.fn == "all":
			v.B[i] = a.yes[i] == c
		case c > 0:
			v.F[i] = float64(a.yes[i]) / float64(c)
		}
	}
	presence(&v, counts)
	return v, nil
}
