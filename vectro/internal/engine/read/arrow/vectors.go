package arrow

import (
	"context"
	"fmt"
	"math"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/mem"
)

// minDim is the least length of a list that counts as a vector.
const minDim = 2

// vectorReader reads a column of lists of floats into an embedding.
type vectorReader struct {
	c     *container
	leaf  *leaf
	bytes func(n int64)
	lease *mem.Lease
	flows ledger

	e       *col.Embedding
	charged int64
	lost    int // vectors with a missing, NaN or infinite number
	vec     []float32
}

// read returns the embedding. If the lists are none, because their lengths differ
// or for want of a list, it returns nil and says why.
func (r *vectorReader) read(ctx context.Context) (e *col.Embedding, why string, err error) {
	defer r.flows.release()
	row := 0
	for _, b := range r.c.batches {
		if ctx.Err() != nil {
			return nil, "", context.Cause(ctx)
		}
		why, err := r.batch(ctx, b, row)
		if err != nil {
			return nil, "", r.c.where(err, b, r.leaf.name)
		}
		if why != "" {
			return nil, why, r.lease.Grow(-r.charged)
		}
		r.flows.release()
		row += int(b.rows)
	}
	if r.e == nil {
		return nil, "none of its lists is present, so there is no embedding", nil
	}
	r.e.Seal(row)
	return r.e, "", r.lease.Grow(r.e.Bytes() - r.charged)
}

// batch sets the vectors of the rows from row on.
func (r *vectorReader) batch(ctx context.Context, b *batch, row int) (why string, err error) {
	load := &loader{c: r.c, b: b, layout: r.c.layout, l: &r.flows, bytes: r.bytes}
	n := int(b.rows)
	var outer col.Bitmap
	if r.leaf.parent != nil {
		s, err := load.open(r.leaf.parent, n)
		if err != nil {
			return "", err
		}
		outer = s.valid
	}
	a, err := load.load(r.leaf.f, n)
	if err != nil {
		return "", err
	}
	values := a.kids[0]
	for i := range n {
		if i%blockRows == 0 && ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		if !a.valid.Get(i) || !outer.Get(i) {
			continue
		}
		start, dim := a.span(i)
		if r.e == nil {
			if dim < minDim {
				return fmt.Sprintf("an embedding needs lists of at least %d numbers, and this has one of %d", minDim, dim), nil
			}
			if err := r.begin(dim); err != nil {
				return "", err
			}
		}
		if dim != r.e.Dim {
			return fmt.Sprintf("an embedding needs lists of one length, and this has %d and %d numbers", r.e.Dim, dim), nil
		}
		if r.gather(values, start) {
			r.e.Set(row+i, r.vec)
		} else {
			r.lost++
		}
	}
	return "", nil
}

// begin makes the matrix for vectors of dim numbers.
func (r *vectorReader) begin(dim int) error {
	rows := int64(r.c.rows)
	stride := (int64(dim) + 15) &^ 15
	if stride > math.MaxInt64/8/max(1, rows) {
		return corrupt("%d lists of %d numbers are beyond any memory", rows, dim)
	}
	r.charged = rows*(stride*4+4) + (rows+63)/64*8
	if err := r.lease.Grow(r.charged); err != nil {
		r.charged = 0
		return err
	}
	r.e = col.NewEmbedding(r.leaf.name, dim, int(rows))
	r.vec = make([]float32, dim)
	return nil
}

// gather copies a list to r.vec and reports whether all of its numbers are finite.
func (r *vectorReader) gather(values *array, start int) bool {
	for k := range r.vec {
		if !values.valid.Get(start + k) {
			return false
		}
		x := float32(values.float(start + k))
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return false
		}
		r.vec[k] = x
	}
	return true
}
