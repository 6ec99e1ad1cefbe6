package exec

import (
	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/vector"
)

// A flat column is a vector of any length: a whole column of a small result.

// window returns rows from to to-1 of a flat column; from is a multiple of 64.
func window(v *vector.Vec, from, to int) vector.Vec {
	out := vector.Vec{T: v.T, N: to - from, Dict: v.Dict}
	out.I = part(v.I, from, to)
	out.Hi = part(v.Hi, from, to)
	out.F = part(v.F, from, to)
	out.B = part(v.B, from, to)
	out.S = part(v.S, from, to)
	out.Codes = part(v.Codes, from, to)
	if v.Valid != nil {
		w := v.Valid[from/64 : (to+63)/64]
		if to%64 != 0 && to < v.N {
			w = append(col.Bitmap(nil), w...)
			w[len(w)-1] &= 1<<(to%64) - 1
		}
		out.Valid = vector.Trim(w, to-from)
	}
	return out
}

func part[T any](s []T, from, to int) []T {
	if s == nil {
		return nil
	}
	return s[from:to:to]
}

// pickRows returns the given rows of a flat column.
func pickRows(v *vector.Vec, rows []uint32) vector.Vec {
	n := len(rows)
	at := func(i int) int { return int(rows[i]) }
	out := vector.Vec{T: v.T, N: n, Dict: v.Dict}
	out.I = pickAt(v.I, n, at)
	out.Hi = pickAt(v.Hi, n, at)
	out.F = pickAt(v.F, n, at)
	out.B = pickAt(v.B, n, at)
	out.S = pickAt(v.S, n, at)
	out.Codes = pickAt(v.Codes, n, at)
	if v.Valid != nil {
		for i, r := range rows {
			if !v.Valid.Get(int(r)) {
				missingAt(&out, i)
			}
		}
	}
	return out
}

// concat joins flat columns of type t, n rows in all. Parts with different
// dictionaries become strings.
func concat(t plan.Type, parts []vector.Vec, n int) vector.Vec {
	if len(parts) == 1 {
		return parts[0]
	}
	out := vector.Vec{T: t, N: n}
	sameDict := len(parts) > 0
	for i := range parts {
		sameDict = sameDict && parts[i].Dict == parts[0].Dict && parts[i].Dict != nil
	}
	if sameDict {
		out.Dict = parts[0].Dict
	}
	at := 0
	for i := range parts {
		p := &parts[i]
		if t.Base == plan.Float && p.I != nil && len(out.I) < at {
			out.I = append(out.I, make([]int64, at-len(out.I))...)
		}
		out.I = append(out.I, p.I...)
		out.Hi = append(out.Hi, p.Hi...)
		out.F = append(out.F, p.F...)
		out.B = append(out.B, p.B...)
		switch {
		case sameDict:
			out.Codes = append(out.Codes, p.Codes...)
		case t.Base == plan.String || t.Base == plan.Text:
			for r := range p.N {
				s := ""
				if p.Valid.Get(r) {
					s = p.Str(r)
				}
				out.S = append(out.S, s)
			}
		}
		if p.Valid != nil {
			for r := range p.N {
				if !p.Valid.Get(r) {
					missingAt(&out, at+r)
				}
			}
		}
		at += p.N
		if t.Base == plan.Float && out.I != nil && len(out.I) < at {
			out.I = append(out.I, make([]int64, at-len(out.I))...)
		}
	}
	return out
}

// flatRelation cuts flat columns into the batches of a relation, in the given
// order of their rows (nil: as they are). Without columns it has a row per entry
// of order.
func (c *call) flatRelation(cols []vector.Vec, order []uint32) (*relation, error) {
	n := len(order)
	if order == nil && len(cols) > 0 {
		n = cols[0].N
	}
	r := &relation{total: int64(n), cols: make([]relColumn, len(cols))}
	for from := 0; from < n; from += vector.Size {
		if len(r.lens)%unitBatches == 0 {
			r.firsts = append(r.firsts, len(r.lens))
			r.perUnit = append(r.perUnit, 0)
		}
		k := min(vector.Size, n-from)
		r.lens = append(r.lens, k)
		r.perUnit[len(r.perUnit)-1] += k
	}
	r.firsts = append(r.firsts, len(r.lens))
	for i := range cols {
		if c.stop.Load() {
			return nil, errStopped
		}
		v := cols[i]
		if order != nil {
			v = pickRows(&v, order)
		}
		if err := c.grow(vecBytes(&v)); err != nil {
			return nil, err
		}
		rc := relColumn{t: v.T, dict: v.Dict, missing: v.Valid != nil || v.T.Base == plan.Null, whole: v.T.Base == plan.Float && v.I != nil}
		for from := 0; from < n; from += vector.Size {
			rc.batches = append(rc.batches, window(&v, from, min(n, from+vector.Size)))
		}
		r.cols[i] = rc
	}
	return r, nil
}

// gathered fetches rows of a source by number (-1: all missing) into a relation
// of the given columns.
func (c *call) gathered(src source, cols []column, numbers []int64) (*relation, error) {
	b := newRowBuilder(c, cols)
	bufs := make([]vector.Buffer, len(cols))
	batch := vector.Batch{Cols: make([]*vector.Vec, len(cols))}
	for from := 0; from < len(numbers); from += vector.Size {
		if c.stop.Load() {
			return nil, errStopped
		}
		ids := numbers[from:min(len(numbers), from+vector.Size)]
		for i := range cols {
			src.gather(&bufs[i], i, ids)
			batch.Cols[i] = &bufs[i].Vec
		}
		batch.N, batch.Sel = len(ids), nil
		if err := b.add(&batch, -1); err != nil {
			return nil, err
		}
	}
	return assemble(cols, []*rowBuilder{b})
}

// describe describes the columns as those of a stream over r.
func (r *relation) describe() []column {
	out := make([]column, len(r.cols))
	for i := range r.cols {
		out[i] = column{t: r.cols[i].t, dict: r.cols[i].dict, stable: true}
	}
	return out
}
