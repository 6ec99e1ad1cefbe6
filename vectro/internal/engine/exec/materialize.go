package exec

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/caret"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/vector"
)

// Materialize computes e, over the columns of t by position, for every row of t and
// returns it as a column called name, cut into the same chunks as t. A number is
// stored in the narrowest integers that hold all values, one with fractions as
// float64, and whole numbers of more than 64 bits are refused; a
// condition becomes a category of "true" and "false" flagged as boolean; text
// becomes a category, by code or, with as many labels as [col.LabelBuilder] allows
// no more, as strings.
// The column's memory is the caller's to account for; what was taken of the budget
// is given back.
func Materialize(ctx context.Context, t *col.Table, e plan.Expr, name string, o Options) (*col.Column, error) {
	c, release := newCall(ctx, o)
	defer release()
	n := optimize(&plan.Project{In: plan.NewScan(t, ""), Exprs: []plan.Expr{e}, Out: plan.Schema{{Name: name, Type: e.Type()}}})
	s, err := c.stream(ctx, n)
	if err != nil {
		return nil, err
	}
	m := &materializing{c: c, t: e.Type(), expr: e, lens: make([]int, s.src.units()), parts: make([]*columnPart, s.src.units())}
	for u := range m.lens {
		m.lens[u] = s.src.unit(u)
	}
	if err := c.run(ctx, s, m); err != nil {
		return nil, c.failure(ctx, err)
	}
	out, err := m.column(ctx, name)
	if err != nil {
		return nil, c.failure(ctx, err)
	}
	return out, nil
}

// materializing is the sink that keeps one computed column, a part per chunk.
type materializing struct {
	c     *call
	t     plan.Type
	expr  plan.Expr
	lens  []int
	parts []*columnPart
}

// columnPart is one chunk of a column in the making: numbers, or codes of labels
// in a numbering of its own.
type columnPart struct {
	ints   []int64
	floats []float64
	codes  []uint32
	intern *interner
	text   []byte // free text
	off    []uint32
	valid  col.Bitmap
	n      int
	lo, hi int64
}

// tooLarge refuses whole numbers that no column holds exactly.
func (m *materializing) tooLarge() error {
	text := caret.Clean(plan.Format(m.expr))
	return &LimitError{fmt.Sprintf("%s has whole numbers of more than 64 bits, which a column does not hold digit for digit. "+
		"Use it in query or sql, or multiply by 1.0 for a rounded number.", text)}
}

func (m *materializing) needs() []bool { return []bool{true} }
func (m *materializing) run(int) int   { return 1 }

type materializeWorker struct {
	m     *materializing
	p     *columnPart
	rows  int   // of the chunk
	held  int64 // of the chunk's text, accounted for
	words []uint64
}

func (m *materializing) worker(*scanner) sinkWorker {
	return &materializeWorker{m: m, words: make([]uint64, vector.Size)}
}

func (w *materializeWorker) begin(unit int) error {
	n := w.m.lens[unit]
	p := &columnPart{}
	size := 8 * n
	switch w.m.t.Base {
	case plan.Int, plan.Date, plan.Huge:
		p.ints = make([]int64, n)
	case plan.Float, plan.Null:
		p.floats = make([]float64, n)
	case plan.Text:
		p.off = make([]uint32, 1, n+1)
		size = 4 * n
	default:
		p.codes = make([]uint32, n)
		p.intern = newInterner(nil)
		size = 4 * n
	}
	w.p, w.m.parts[unit], w.rows, w.held = p, p, n, 0
	return w.m.c.grow(int64(size))
}

func (w *materializeWorker) push(b *vector.Batch) error {
	p, v, at := w.p, b.Cols[0], w.p.n
	n := b.N // there is no condition, so every row is selected
	p.n += n
	none := v.Valid != nil || v.T.Base == plan.Null
	if none && p.valid == nil {
		p.valid = col.NewBitmap(w.rows)
		for i := range at {
			p.valid.Set(i)
		}
	}
	if p.valid != nil {
		for i := range n {
			if v.T.Base != plan.Null && v.Valid.Get(i) {
				p.valid.Set(at + i)
			}
		}
	}
	switch v.T.Base {
	case plan.Int, plan.Date, plan.Huge:
		out := p.ints[at : at+n]
		copy(out, v.I[:n])
		for i, hi := range v.Hi[:min(n, len(v.Hi))] {
			if hi != out[i]>>63 && v.Valid.Get(i) {
				return w.m.tooLarge()
			}
		}
		for i := range out {
			if none && !v.Valid.Get(i) {
				out[i] = 0 // what is missing must not widen the storage
			}
			p.lo, p.hi = min(p.lo, out[i]), max(p.hi, out[i])
		}
	case plan.Float:
		copy(p.floats[at:at+n], v.F[:n])
	case plan.Bool:
		for i := range n {
			if v.Valid.Get(i) {
				p.codes[at+i] = p.intern.add(fmt.Sprint(v.B[i]))
			}
		}
	case plan.String:
		p.intern.codes(w.words, 1, v, vector.Identity[:n])
		for i, c := range w.words[:n] {
			if v.Valid.Get(i) {
				p.codes[at+i] = uint32(c)
			}
		}
	case plan.Text:
		for i := range n {
			if v.Valid.Get(i) {
				p.text = append(p.text, v.S[i]...)
			}
			if len(p.text) > 1<<32-1 {
				return errTooMuchText
			}
			p.off = append(p.off, uint32(len(p.text)))
		}
	}
	return w.account()
}

// account takes memory for the text so far. Not once a chunk: the texts of one
// may be larger than the budget.
func (w *materializeWorker) account() error {
	n := w.p.intern.bytes() + int64(cap(w.p.text)) - w.held
	w.held += n
	return w.m.c.grow(n)
}

func (w *materializeWorker) end(int) error {
	p := w.p
	if p.intern != nil && p.intern.full {
		return errTooMuchText
	}
	if p.valid != nil {
		p.valid = p.valid[:(p.n+63)/64]
		if p.valid.Count(p.n) == p.n {
			p.valid = nil
		}
	}
	return w.account()
}

// column makes the column of the parts.
func (m *materializing) column(ctx context.Context, name string) (*col.Column, error) {
	out := &col.Column{Field: col.Field{Name: name, Zone: m.t.Zone, Unit: m.t.Unit}}
	for _, p := range m.parts {
		out.Chunks = append(out.Chunks, &col.Chunk{Len: p.n, Valid: p.valid})
	}
	// data fills the chunks in parallel.
	data := func(of func(p *columnPart) any) error {
		return m.c.parallel(ctx, len(m.parts), func() func(int) error {
			return func(u int) error {
				out.Chunks[u].Data = of(m.parts[u])
				return nil
			}
		})
	}
	switch m.t.Base {
	case plan.Int, plan.Date, plan.Huge:
		var lo, hi int64
		for _, p := range m.parts {
			lo, hi = min(lo, p.lo), max(hi, p.hi)
		}
		width := col.Width(lo, hi)
		if m.t.Base == plan.Date {
			out.Kind = col.Date
			if width = 8; m.t.Unit == col.Day {
				width = 4
			}
		}
		return out, data(func(p *columnPart) any {
			switch width {
			case 1:
				return narrowed[int8](p.ints)
			case 2:
				return narrowed[int16](p.ints)
			case 4:
				return narrowed[int32](p.ints)
			}
			return p.ints
		})
	case plan.Float, plan.Null:
		return out, data(func(p *columnPart) any { return p.floats })
	case plan.Text:
		out.Kind = col.Text
		return out, data(func(p *columnPart) any { return col.Strings{Off: p.off, Buf: p.text} })
	}
	out.Kind, out.Bool = col.Category, m.t.Base == plan.Bool
	return out, m.labels(out, data)
}

func narrowed[T integer](in []int64) []T {
	out := make([]T, len(in))
	for i, x := range in {
		out[i] = T(x)
	}
	return out
}

// labels gives the parts' labels one numbering, in order of first sight, or keeps
// them as strings if they repeat too little.
func (m *materializing) labels(out *col.Column, data func(func(*columnPart) any) error) error {
	all := col.NewDict()
	present := 0
	numbers := make(map[*columnPart][]uint32, len(m.parts))
	plain := false
	for _, p := range m.parts {
		present += p.valid.Count(p.n)
		d := p.intern.own
		codes := make([]uint32, d.Len())
		for c := range codes {
			code, ok := all.Add([]byte(d.Label(uint32(c))))
			plain = plain || !ok
			codes[c] = code
		}
		numbers[p] = codes
	}
	if err := m.c.grow(all.Bytes()); err != nil {
		return err
	}
	if plain = plain || !out.Bool && col.PlainLabels(all.Len(), present); plain {
		for _, p := range m.parts {
			size := int64(0)
			for i, c := range p.codes {
				if p.valid.Get(i) {
					size += int64(len(p.intern.own.Label(c)))
				}
			}
			if size > 1<<32-1 {
				return errTooMuchText
			}
			if err := m.c.grow(size + int64(p.n)*4); err != nil {
				return err
			}
		}
		return data(func(p *columnPart) any {
			s := col.Strings{Off: make([]uint32, 1, p.n+1)}
			for i, c := range p.codes {
				if p.valid.Get(i) {
					s.Buf = append(s.Buf, p.intern.own.Label(c)...)
				}
				s.Off = append(s.Off, uint32(len(s.Buf)))
			}
			return s
		})
	}
	out.Dict = all
	width := max(1, (bits.Len32(uint32(max(1, all.Len())-1))+7)/8)
	return data(func(p *columnPart) any {
		codes := numbers[p]
		switch width {
		case 1:
			return renumbered[uint8](p, codes)
		case 2:
			return renumbered[uint16](p, codes)
		}
		return renumbered[uint32](p, codes)
	})
}

func renumbered[T integer](p *columnPart, codes []uint32) []T {
	out := make([]T, p.n)
	for i, c := range p.codes {
		if p.valid.Get(i) {
			out[i] = T(codes[c])
		}
	}
	return out
}

// Select returns the rows of t for which cond, over the columns of t by position,
// is true: a bit per row, the rows of all chunks in order.
func Select(ctx context.Context, t *col.Table, cond plan.Expr, o Options) (col.Bitmap, error) {
	c, release := newCall(ctx, o)
	defer release()
	scan := plan.NewScan(t, "")
	n := optimize(&plan.Project{In: &plan.Filter{In: scan, Cond: cond}})
	s, err := c.stream(ctx, n)
	if err != nil {
		return nil, err
	}
	k := &selecting{units: make([]col.Bitmap, s.src.units()), width: s.src.columns()}
	s.steps = nil // the projection to no column
	if err := c.grow(int64(t.Rows)/4 + 16); err != nil {
		return nil, err
	}
	if err := c.run(ctx, s, k); err != nil {
		return nil, c.failure(ctx, err)
	}
	out := col.NewBitmap(t.Rows)
	at := 0
	for u, w := range k.units {
		n := s.src.unit(u)
		if w != nil && at%64 == 0 {
			copy(out[at/64:], w)
		} else if w != nil {
			for i := range n {
				if w.Get(i) {
					out.Set(at + i)
				}
			}
		}
		at += n
	}
	return out, nil
}

// selecting is the sink that marks rows, a bitmap a unit.
type selecting struct {
	units []col.Bitmap
	width int // columns of the source
}

func (k *selecting) needs() []bool { return make([]bool, k.width) }
func (k *selecting) run(int) int   { return 1 }
func (k *selecting) worker(scan *scanner) sinkWorker {
	return &selectWorker{k: k, scan: scan}
}

type selectWorker struct {
	k    *selecting
	scan *scanner
	bits col.Bitmap
}

func (w *selectWorker) begin(unit int) error {
	w.bits = col.NewBitmap(w.scan.src.unit(unit))
	w.k.units[unit] = w.bits
	return nil
}

func (w *selectWorker) push(b *vector.Batch) error {
	each(b.Sel, b.N, func(r uint16) { w.bits.Set(int(w.scan.number(r) & rowMask)) })
	return nil
}

func (w *selectWorker) end(int) error { return nil }
