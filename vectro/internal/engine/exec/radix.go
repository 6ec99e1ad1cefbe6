package exec

import (
	"context"
	"math"
	"slices"
)

// item is a row in a sort: the word it is sorted by just now and its position.
type item struct {
	w uint64
	i uint32
}

// sortWords returns the positions of the words in ascending order, ties by position.
func sortWords(ctx context.Context, c *call, words []uint64) ([]uint32, error) {
	r := sortRows{shapes: []keyShape{{words: 1}}, stride: 1, words: words}
	return r.order(ctx, c)
}

const (
	segment    = 1 << 16 // rows that a worker takes at a time
	bucketBits = 12      // of the first distribution
	cached     = 1 << 15 // items that are sorted within a processor's cache
)

// order returns the positions of the rows in ascending order, ties by position.
//
// Rows are distributed by their first word into buckets that each span an equal
// part of its range, all workers at a time; each bucket is then sorted by one
// worker, rows that tie by their next word and so on. Every step keeps the order
// of equal rows.
func (r *sortRows) order(ctx context.Context, c *call) ([]uint32, error) {
	n := r.len()
	if n > math.MaxUint32 {
		return nil, errTooManyRows
	}
	if err := c.grow(int64(n) * (16 + 16 + 4)); err != nil {
		return nil, err
	}
	items, other := make([]item, n), make([]item, n)
	segments := (n + segment - 1) / segment
	each := func(f func(s, lo, hi int)) error {
		return c.parallel(ctx, segments, func() func(int) error {
			return func(s int) error {
				f(s, s*segment, min(n, (s+1)*segment))
				return nil
			}
		})
	}
	leasts, mosts := make([]uint64, segments), make([]uint64, segments)
	err := each(func(s, lo, hi int) {
		least, most := uint64(math.MaxUint64), uint64(0)
		for i := lo; i < hi; i++ {
			w := r.words[i*r.stride]
			other[i] = item{w, uint32(i)}
			least, most = min(least, w), max(most, w)
		}
		leasts[s], mosts[s] = least, most
	})
	if err != nil || n == 0 {
		return nil, err
	}
	least := slices.Min(leasts)
	shift := shiftFor(least, slices.Max(mosts), bucketBits)
	counts := make([][1 << bucketBits]uint32, segments)
	err = each(func(s, lo, hi int) {
		for _, x := range other[lo:hi] {
			counts[s][(x.w-least)>>shift&(1<<bucketBits-1)]++
		}
	})
	if err != nil {
		return nil, err
	}
	starts := make([]int, 1<<bucketBits+1)
	at := uint32(0)
	for b := range 1 << bucketBits {
		starts[b] = int(at)
		for s := range counts {
			k := counts[s][b]
			counts[s][b] = at
			at += k
		}
	}
	starts[1<<bucketBits] = n
	err = each(func(s, lo, hi int) {
		for _, x := range other[lo:hi] {
			b := (x.w - least) >> shift & (1<<bucketBits - 1)
			items[counts[s][b]] = x
			counts[s][b]++
		}
	})
	if err != nil {
		return nil, err
	}
	out := make([]uint32, n)
	err = c.parallel(ctx, 1<<bucketBits, func() func(int) error {
		return func(b int) error {
			lo, hi := starts[b], starts[b+1]
			if err := r.sort(c, items[lo:hi], other[lo:hi], 0); err != nil {
				return err
			}
			for i, x := range items[lo:hi] {
				out[lo+i] = x.i
			}
			return nil
		}
	})
	return out, err
}

// shiftFor returns by how much to shift words, less the least, so that bits are left.
func shiftFor(least, most uint64, bits uint) uint {
	shift := uint(0)
	for (most-least)>>shift >= 1<<bits {
		shift++
	}
	return shift
}

// sort orders items, whose words are those numbered level of their rows, by that
// word and all later ones. other is scratch of the same length.
func (r *sortRows) sort(c *call, items, other []item, level int) error {
	if len(items) < 2 {
		return nil
	}
	if c.stop.Load() {
		return errStopped
	}
	sortByWord(items, other)
	if level+1 == r.stride && r.texts == 0 {
		return nil
	}
	text := r.textAt(level)
	for lo := 0; lo < len(items); {
		hi := lo + 1
		for hi < len(items) && items[hi].w == items[lo].w {
			hi++
		}
		if run := items[lo:hi]; len(run) > 1 {
			if text {
				slices.SortStableFunc(run, func(a, b item) int { return r.compare(int(a.i), r, int(b.i)) })
			} else {
				for i := range run {
					run[i].w = r.words[int(run[i].i)*r.stride+level+1]
				}
				if err := r.sort(c, run, other[lo:hi], level+1); err != nil {
					return err
				}
			}
		}
		lo = hi
	}
	return nil
}

// textAt reports whether word level is the last of a key of text, so that the
// whole strings decide between equal words.
func (r *sortRows) textAt(level int) bool {
	for _, s := range r.shapes {
		if level < s.words {
			return s.text && level == s.words-1
		}
		level -= s.words
	}
	return false
}

// sortByWord sorts items by word, stably.
func sortByWord(items, other []item) {
	switch {
	case len(items) <= 32:
		for i := 1; i < len(items); i++ {
			x := items[i]
			k := i
			for ; k > 0 && items[k-1].w > x.w; k-- {
				items[k] = items[k-1]
			}
			items[k] = x
		}
	case len(items) <= 512:
		slices.SortFunc(items, func(a, b item) int {
			switch {
			case a.w < b.w:
				return -1
			case a.w > b.w:
				return 1
			}
			return int(int64(a.i) - int64(b.i))
		})
	case len(items) <= cached:
		radix(items, other)
	default:
		distribute(items, other)
	}
}

// distribute sorts more items than fit a cache: into 256 buckets of equal range,
// then each.
func distribute(items, other []item) {
	least, most := items[0].w, items[0].w
	for _, x := range items {
		least, most = min(least, x.w), max(most, x.w)
	}
	if least == most {
		return
	}
	shift := shiftFor(least, most, 8)
	var starts [257]int
	for _, x := range items {
		starts[(x.w-least)>>shift&255+1]++
	}
	for b := range 256 {
		starts[b+1] += starts[b]
	}
	at := starts
	for _, x := range items {
		b := (x.w - least) >> shift & 255
		other[at[b]] = x
		at[b]++
	}
	copy(items, other)
	if shift == 0 {
		return
	}
	for b := range 256 {
		lo, hi := starts[b], starts[b+1]
		sortByWord(items[lo:hi], other[lo:hi])
	}
}

// radix sorts items by word, stably, a byte at a time from the lowest; bytes that
// are the same everywhere cost one look. other is scratch of the same length.
func radix(items, other []item) {
	var counts [8][256]uint32
	for _, x := range items {
		for b := range counts {
			counts[b][x.w>>(8*b)&255]++
		}
	}
	from, to := items, other
	for b := range counts {
		n := &counts[b]
		if n[from[0].w>>(8*b)&255] == uint32(len(items)) {
			continue
		}
		at := uint32(0)
		for i, k := range n {
			n[i] = at
			at += k
		}
		for _, x := range from {
			d := x.w >> (8 * b) & 255
			to[n[d]] = x
			n[d]++
		}
		from, to = to, from
	}
	if &from[0] != &items[0] {
		copy(items, from)
	}
}
