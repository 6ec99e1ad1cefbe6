package exec

import (
	"context"
	"math"
	"slices"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/vector"
)

// A rank word is a value as a uint64 that sorts like it.

func intRank(x int64) uint64 { return uint64(x) ^ 1<<63 }
func rankInt(w uint64) int64 { return int64(w ^ 1<<63) }
func floatRank(x float64) uint64 {
	b := math.Float64bits(x + 0) // -0 + 0 is 0
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}
func rankFloat(w uint64) float64 {
	if w>>63 == 1 {
		return math.Float64frombits(w ^ 1<<63)
	}
	return math.Float64frombits(^w)
}

// quantileAcc is an exact quantile: the values of every group are kept as rank
// words (of text: as codes), and one rank is selected in the end.
type quantileAcc struct {
	t      plan.Type
	p      float64
	disc   bool // an actual value, not one between two
	intern *interner
	vals   [][]uint64
	size   int64
	words  []uint64
}

func (a *quantileAcc) ordered() bool { return false }
func (a *quantileAcc) bytes() int64  { return bytesOf(a.vals) + a.size + a.intern.bytes() }
func (a *quantileAcc) resize(n int)  { a.vals = grown(a.vals, n) }

func (a *quantileAcc) add(g uint32, w uint64) {
	s := a.vals[g]
	if len(s) == cap(s) {
		a.size -= int64(cap(s)) * 8
		s = append(s, w)
		a.size += int64(cap(s)) * 8
		a.vals[g] = s
		return
	}
	s = s[:len(s)+1]
	s[len(s)-1] = w
	a.vals[g] = s
}

func (a *quantileAcc) update(in *input) {
	v := in.args[0]
	switch v.T.Base {
	case plan.Float:
		if in.groups == nil {
			s := slices.Grow(a.vals[0], in.count())
			a.size += int64(cap(s)-cap(a.vals[0])) * 8
			in.each(func(r uint16, _ uint32) { s = append(s, floatRank(v.F[r])) })
			a.vals[0] = s
			return
		}
		in.each(func(r uint16, g uint32) { a.add(g, floatRank(v.F[r])) })
	case plan.Int, plan.Date:
		in.each(func(r uint16, g uint32) { a.add(g, intRank(v.I[r])) })
	case plan.Bool:
		in.each(func(r uint16, g uint32) {
			w := uint64(0)
			if v.B[r] {
				w = 1
			}
			a.add(g, w)
		})
	default:
		if a.words == nil {
			a.words = make([]uint64, vector.Size)
		}
		sel := in.sel
		if sel == nil {
			sel = vector.Identity[:in.n]
		}
		encode(a.words, 1, v, sel, a.intern)
		in.each(func(r uint16, g uint32) { a.add(g, a.words[r]) })
	}
}

func (a *quantileAcc) merge(from accumulator, src, dst []uint32, _ *merging) {
	f := from.(*quantileAcc)
	for i, s := range src {
		in := f.vals[s]
		if a.intern != nil && a.intern.shared == nil {
			for k, w := range in {
				in[k] = uint64(a.intern.add(f.intern.own.Label(uint32(w))))
			}
		}
		g := dst[i]
		if a.vals[g] == nil {
			a.vals[g] = in
			a.size += int64(cap(in)) * 8
			continue
		}
		old := cap(a.vals[g])
		a.vals[g] = append(a.vals[g], in...)
		a.size += int64(cap(a.vals[g])-old) * 8
	}
}

func (a *quantileAcc) finish(ctx context.Context, c *call, rows []int64) (vector.Vec, error) {
	n := len(rows)
	if a.intern != nil && a.intern.full {
		return vector.Vec{}, errTooMuchText
	}
	out := make([]plan.Value, n)
	// Groups in blocks, so that many small ones are not a unit each.
	const block = 1024
	size := block
	if n < 64*block {
		size = max(1, n/64)
	}
	err := c.parallel(ctx, (n+size-1)/size, func() func(int) error {
		var scratch []uint64
		return func(u int) error {
			for g := u * size; g < min(n, (u+1)*size); g++ {
				if c.stop.Load() {
					return errStopped
				}
				if g < len(a.vals) && len(a.vals[g]) > 0 {
					out[g], scratch = a.pick(a.vals[g], scratch)
				}
			}
			return nil
		}
	})
	return vecOf(a.t, out), err
}

// pick returns the quantile of the words s, which it may reorder.
func (a *quantileAcc) pick(s, scratch []uint64) (plan.Value, []uint64) {
	if a.intern != nil {
		rank := a.intern.dict().Rank()
		for i, w := range s {
			s[i] = uint64(rank[w])<<32 | w
		}
	}
	at := a.p * float64(len(s)-1)
	k := int(at)
	if a.disc { // the first value whose share of values up to it reaches p
		k = max(0, int(math.Ceil(a.p*float64(len(s))))-1)
		at = float64(k)
	}
	lo, hi, scratch := ranks(s, k, scratch)
	if a.disc {
		switch a.t.Base {
		case plan.Int, plan.Date:
			return plan.Value{Base: a.t.Base, I: rankInt(lo)}, scratch
		case plan.Float:
			return plan.Value{Base: plan.Float, F: rankFloat(lo)}, scratch
		case plan.Bool:
			return plan.Value{Base: plan.Bool, I: int64(lo)}, scratch
		}
		code := uint32(lo)
		if a.t.Base == plan.Huge {
			v := decode(a.t, []uint64{uint64(code)}, 1, 0, 1, a.intern)
			return v.Value(0), scratch
		}
		return plan.Value{Base: a.t.Base, S: a.intern.dict().Label(code)}, scratch
	}
	x, y := rankFloat(lo), rankFloat(hi)
	f := at - float64(k)
	if f > 0 && x != y {
		x += (y - x) * f
		if math.IsNaN(x) || math.IsInf(x, 0) && !math.IsInf(y-x, 0) {
			x = y
		}
	}
	if math.IsNaN(x) {
		return plan.Value{}, scratch
	}
	return plan.Value{Base: plan.Float, F: x}, scratch
}

// ranks returns the k-th and the next of s in ascending order (twice the last if
// k is the last). It may reorder s. scratch is reused.
func ranks(s []uint64, k int, scratch []uint64) (lo, hi uint64, _ []uint64) {
	const small, bucketBits = 1 << 13, 12
	for len(s) > small {
		least, most := s[0], s[0]
		for _, w := range s {
			least, most = min(least, w), max(most, w)
		}
		if least == most {
			return least, least, scratch
		}
		shift := uint(0)
		for (most-least)>>shift >= 1<<bucketBits {
			shift++
		}
		var counts [1 << bucketBits]int
		for _, w := range s {
			counts[(w-least)>>shift&(1<<bucketBits-1)]++
		}
		b, before := 0, 0
		for before+counts[b] <= k {
			before += counts[b]
			b++
		}
		// The next rank may lie in a later bucket: keep the least word of that too.
		last := b
		if k+1 == before+counts[b] && k+1 < len(s) {
			for last++; counts[last] == 0; last++ {
			}
		}
		out := scratch[:0]
		next := uint64(math.MaxUint64)
		for _, w := range s {
			switch q := int((w - least) >> shift); {
			case q == b:
				out = append(out, w)
			case q == last:
				next = min(next, w)
			}
		}
		if last != b {
			lo, _, _ := ranks(out, k-before, nil)
			return lo, next, out
		}
		// s is no longer needed and becomes the scratch of the next round.
		s, scratch, k = out, s, k-before
	}
	slices.Sort(s)
	return s[k], s[min(k+1, len(s)-1)], scratch
}
