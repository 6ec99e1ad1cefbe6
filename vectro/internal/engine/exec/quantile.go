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
	whole  bool // of whole numbers
	intern *interner
	groups []wordList
	size   int64
	words  []uint64
}

// wordList is a list of words in pieces, so that growing copies little.
type wordList struct {
	open []uint64
	full [][]uint64
	n    int // words in full
}

// piece is the most words of a piece; shorter lists grow by doubling.
const piece = 1 << 14

func (l *wordList) len() int { return l.n + len(l.open) }

// pieces returns the parts of the list.
func (l *wordList) pieces() [][]uint64 {
	if len(l.open) == 0 {
		return l.full
	}
	return append(l.full[:len(l.full):len(l.full)], l.open)
}

// close makes room for more words and returns the bytes taken.
func (l *wordList) close() int64 {
	old := cap(l.open)
	if old < piece {
		grown := make([]uint64, len(l.open), max(4, 2*old))
		copy(grown, l.open)
		l.open = grown
		return int64(cap(grown)-old) * 8
	}
	l.full = append(l.full, l.open)
	l.n += len(l.open)
	l.open = make([]uint64, 0, piece)
	return piece * 8
}

func (a *quantileAcc) ordered() bool { return false }
func (a *quantileAcc) bytes() int64  { return bytesOf(a.groups) + a.size + a.intern.bytes() }
func (a *quantileAcc) resize(n int)  { a.groups = grown(a.groups, n) }

func (a *quantileAcc) add(g uint32, w uint64) {
	l := &a.groups[g]
	if len(l.open) == cap(l.open) {
		a.size += l.close()
	}
	k := len(l.open)
	l.open = l.open[:k+1]
	l.open[k] = w
}

func (a *quantileAcc) update(in *input) {
	v := in.args[0]
	switch v.T.Base {
	case plan.Float:
		if in.groups != nil && in.sel == nil {
			for i, g := range in.groups[:in.n] {
				a.add(g, floatRank(v.F[i]))
			}
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
		l := &f.groups[s]
		if a.intern != nil && a.intern.shared == nil {
			for _, part := range l.pieces() {
				for k, w := range part {
					part[k] = uint64(a.intern.add(f.intern.own.Label(uint32(w))))
				}
			}
		}
		to := &a.groups[dst[i]]
		if cap(l.open) < piece && l.n == 0 { // not worth a piece of its own
			for _, w := range l.open {
				a.add(dst[i], w)
			}
			continue
		}
		for _, part := range l.pieces() {
			to.full = append(to.full, part)
			to.n += len(part)
			a.size += int64(cap(part)) * 8
		}
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
				if g < len(a.groups) && a.groups[g].len() > 0 {
					out[g], scratch = a.pick(&a.groups[g], scratch)
				}
			}
			return nil
		}
	})
	return vecOf(a.t, out), err
}

// pick returns the quantile of a list, which is of no more use then.
func (a *quantileAcc) pick(l *wordList, scratch []uint64) (plan.Value, []uint64) {
	pieces, n := l.pieces(), l.len()
	if a.intern != nil {
		rank := a.intern.dict().Rank()
		for _, part := range pieces {
			for i, w := range part {
				part[i] = uint64(rank[w])<<32 | w
			}
		}
	}
	at := a.p * float64(n-1)
	k := int(at)
	if a.disc { // the first value whose share of values up to it reaches p
		k = max(0, int(math.Ceil(a.p*float64(n)))-1)
		at = float64(k)
	}
	lo, hi, scratch := ranks(pieces, n, k, scratch)
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
	f := at - float64(k)
	if a.whole {
		return between(rankInt(lo), rankInt(hi), f), scratch
	}
	x, y := rankFloat(lo), rankFloat(hi)
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

// between returns x + (y-x)·f, x ≤ y. A whole number that float64 does not hold is
// kept beside it: x itself, or the middle.
func between(x, y int64, f float64) plan.Value {
	d := uint64(y) - uint64(x)
	switch {
	case f == 0 || d == 0:
	case f == 0.5 && d%2 == 0:
		x += int64(d / 2)
	default:
		return plan.Value{Base: plan.Float, F: float64(x) + (float64(y)-float64(x))*f}
	}
	v := plan.Value{Base: plan.Float, F: float64(x)}
	if x > 1<<53 || x < -1<<53 {
		v.I = x
	}
	return v
}

// ranks returns the k-th and the next in ascending order of the n words in pieces
// (twice the last if k is the last). scratch is reused.
func ranks(pieces [][]uint64, n, k int, scratch []uint64) (lo, hi uint64, _ []uint64) {
	const small, bucketBits = 1 << 13, 12
	next, found := uint64(0), false // the word after the k-th, where it is in another bucket
	for n > small {
		least, most := uint64(math.MaxUint64), uint64(0)
		for _, part := range pieces {
			for _, w := range part {
				least, most = min(least, w), max(most, w)
			}
		}
		if least == most {
			if k+1 < n || !found {
				next = least
			}
			return least, next, scratch
		}
		shift := uint(0)
		for (most-least)>>shift >= 1<<bucketBits {
			shift++
		}
		var counts [1 << bucketBits]int
		for _, part := range pieces {
			for _, w := range part {
				counts[(w-least)>>shift&(1<<bucketBits-1)]++
			}
		}
		b, before := 0, 0
		for before+counts[b] <= k {
			before += counts[b]
			b++
		}
		later := -1 // the next bucket in use, where the next word is in it
		if k+1 == before+counts[b] && k+1 < n {
			for later = b + 1; counts[later] == 0; later++ {
			}
			next, found = math.MaxUint64, true
		}
		out := make([]uint64, 0, counts[b])
		if cap(scratch) >= counts[b] {
			out, scratch = scratch[:0], nil
		}
		for _, part := range pieces {
			for _, w := range part {
				switch int((w - least) >> shift) {
				case b:
					out = append(out, w)
				case later:
					next = min(next, w)
				}
			}
		}
		pieces, n, k = [][]uint64{out}, len(out), k-before
	}
	all := scratch[:0]
	for _, part := range pieces {
		all = append(all, part...)
	}
	slices.Sort(all)
	switch {
	case k+1 < n:
		next = all[k+1]
	case !found:
		next = all[k]
	}
	return all[k], next, all
}
