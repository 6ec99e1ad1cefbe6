// Package vec finds the rows of a table whose embeddings point most nearly in
// the direction of a query vector: [Search] compares the query with every row
// that may be returned, so its answer is exact. There is no index.
package vec

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
)

// Hit is a row of the table and the cosine of the angle between its vector and
// the query, from -1 to 1.
type Hit struct {
	Row   int
	Score float64
}

// Options tune a search. The zero value runs on one thread.
type Options struct {
	Threads int // workers; below 1 is taken as 1
}

// QueryError says why a vector cannot be compared with a table's, as a sentence for
// whoever gave it.
type QueryError struct{ Message string }

func (e *QueryError) Error() string { return e.Message }

// morsel is the number of vector components that a worker compares between two
// looks at the context: about a quarter of a millisecond of work.
const morsel = 1 << 18

// Inverses of norms outside these bounds are too coarse as float32, or the products
// overflow: such rows are compared in float64 throughout.
const (
	minInverse = 1e-30
	maxInverse = 1e30
)

// Search returns the k rows of e with the greatest cosine to query, best first,
// equal scores in table order. Fewer are returned only if fewer qualify: a row
// needs its bit in keep (nil keeps all) and a vector with a direction; rows
// without a vector and zero vectors are never returned.
//
// self is the row that query was taken from, or -1. Unless keep leaves it out it
// is the first hit with a score of exactly 1, also when equal vectors stand
// before it in the table.
//
// A query of another length than e.Dim, with a NaN or infinite entry, or of zeros
// alone gives a [*QueryError]. The answer does not depend on o.Threads. e, query
// and keep are only read.
func Search(ctx context.Context, e *col.Embedding, query []float32, k int, keep col.Bitmap, self int, o Options) ([]Hit, error) {
	q, err := unit(e, query)
	if err != nil {
		return nil, err
	}
	rows := len(e.Inv)
	k = min(k, rows)
	if k <= 0 {
		return nil, ctx.Err()
	}
	if self >= rows || (self >= 0 && !keep.Get(self)) {
		self = -1
	}

	per := max(64, morsel/max(1, e.Dim)&^63) // whole words of the bitmap
	threads := max(1, min(o.Threads, (rows+per-1)/per))
	tops := make([]top, threads)
	var next atomic.Int64
	work := func(t *top) {
		t.k = k
		for ctx.Err() == nil {
			from := int(next.Add(1)-1) * per
			if from >= rows {
				return
			}
			scan(e, q, keep, self, from, min(from+per, rows), t)
		}
	}
	var wg sync.WaitGroup
	for i := range tops[1:] {
		wg.Go(func() { work(&tops[1+i]) })
	}
	work(&tops[0])
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}

	var hits []Hit
	for i := range tops {
		hits = append(hits, tops[i].heap...)
	}
	slices.SortFunc(hits, order)
	if self >= 0 {
		hits = slices.Insert(hits, 0, Hit{Row: self, Score: 1})
	}
	return hits[:min(k, len(hits)):min(k, len(hits))], nil
}

func norm(v []float32) float64 {
	var sum float64
	for _, x := range v {
		sum += float64(float64(x) * float64(x))
	}
	return math.Sqrt(sum)
}

// unit checks the query and scales it to length 1, so that no product with a
// row overflows.
func unit(e *col.Embedding, query []float32) ([]float32, error) {
	if len(query) != e.Dim {
		return nil, &QueryError{fmt.Sprintf("vector has %d numbers; the table stores %d.", len(query), e.Dim)}
	}
	for i, x := range query {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return nil, &QueryError{fmt.Sprintf("vector has a number at position %d that is not finite as a 32-bit float.", i+1)}
		}
	}
	n := norm(query)
	if n == 0 {
		return nil, &QueryError{"vector is all zeros, which has no direction."}
	}
	q := make([]float32, len(query))
	for i, x := range query {
		q[i] = float32(float64(x) / n)
	}
	return q, nil
}

// scan offers the kept rows of [from, to) to t; from is a multiple of 64.
func scan(e *col.Embedding, q []float32, keep col.Bitmap, self, from, to int, t *top) {
	for base := from; base < to; base += 64 {
		word := ^uint64(0)
		if keep != nil {
			word = keep[base>>6]
		}
		if n := to - base; n < 64 {
			word &= 1<<n - 1
		}
		for ; word != 0; word &= word - 1 {
			row := base + bits.TrailingZeros64(word)
			inv := e.Inv[row]
			if !(inv > 0) || row == self { // no direction (a NaN says the same), or set apart
				continue
			}
			t.offer(Hit{Row: row, Score: score(q, e.Row(row), inv)})
		}
	}
}

func score(q, v []float32, inv float32) float64 {
	var s float64
	if inv < minInverse || inv > maxInverse {
		for i, x := range v {
			s += float64(float64(q[i]) * float64(x))
		}
		s /= norm(v)
	} else {
		s = dot(q, v) * float64(inv)
	}
	return min(1, max(-1, s)) // rounding may step over the ends
}

// dotBlock is the number of products that are summed in float32 before the sum
// goes on in float64.
const dotBlock = 1024

// dot multiplies in float32. The conversions of each product keep the compiler
// from fusing it with the addition, so that every processor gives the same bits.
func dot(a, b []float32) float64 {
	b = b[:len(a)]
	var sum float64
	for len(a) > dotBlock {
		sum += float64(dot8(a[:dotBlock], b[:dotBlock]))
		a, b = a[dotBlock:], b[dotBlock:]
	}
	return sum + float64(dot8(a, b))
}

// dot8 keeps eight sums, which hides the latency of the additions.
func dot8(a, b []float32) float32 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float32
	for len(a) >= 8 && len(b) >= 8 {
		s0 += float32(a[0] * b[0])
		s1 += float32(a[1] * b[1])
		s2 += float32(a[2] * b[2])
		s3 += float32(a[3] * b[3])
		s4 += float32(a[4] * b[4])
		s5 += float32(a[5] * b[5])
		s6 += float32(a[6] * b[6])
		s7 += float32(a[7] * b[7])
		a, b = a[8:], b[8:]
	}
	for i, x := range a {
		s0 += float32(x * b[i])
	}
	return (s0 + s4) + (s1 + s5) + ((s2 + s6) + (s3 + s7))
}

// order sorts hits best first. No two hits of a search are equal in it.
func order(a, b Hit) int {
	switch {
	case a.Score > b.Score:
		return -1
	case a.Score < b.Score:
		return 1
	}
	return a.Row - b.Row
}

// top keeps the k best hits offered to it, the worst of them at the root.
type top struct {
	k    int
	heap []Hit
}

func (t *top) offer(h Hit) {
	if len(t.heap) < t.k {
		t.heap = append(t.heap, h)
		for i := len(t.heap) - 1; i > 0; {
			parent := (i - 1) / 2
			if order(t.heap[i], t.heap[parent]) < 0 {
				break
			}
			t.heap[i], t.heap[parent] = t.heap[parent], t.heap[i]
			i = parent
		}
		return
	}
	if order(h, t.heap[0]) > 0 {
		return
	}
	t.heap[0] = h
	for i := 0; ; {
		worst := i
		for c := 2*i + 1; c <= 2*i+2 && c < len(t.heap); c++ {
			if order(t.heap[c], t.heap[worst]) > 0 {
				worst = c
			}
		}
		if worst == i {
			return
		}
		t.heap[i], t.heap[worst] = t.heap[worst], t.heap[i]
		i = worst
	}
}
