package exec

import (
	"unsafe"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/vector"
)

// relation is a source of rows computed before: batches of at most vector.Size
// rows in units. Row numbers are batch<<relBits | row, batches counted over the
// whole relation.
type relation struct {
	cols    []relColumn
	firsts  []int // the first batch of unit u; one more entry at the end
	lens    []int // rows per batch
	perUnit []int // rows per unit
	total   int64
}

const (
	relBits = 11
	relMask = 1<<relBits - 1
)

// relColumn holds one column of a relation, a slice per batch. A String column
// has codes of dict where dict is not nil, else strings.
type relColumn struct {
	t       plan.Type
	dict    *col.Dict
	batches []vector.Vec
	missing bool // whether any value is missing
	whole   bool // of floats: whether some are known as whole numbers too
}

func (r *relation) columns() int          { return len(r.cols) }
func (r *relation) rows() int64           { return r.total }
func (r *relation) units() int            { return len(r.perUnit) }
func (r *relation) unit(u int) int        { return r.perUnit[u] }
func (r *relation) number(u, b int) int64 { return int64(r.firsts[u]+b) << relBits }

func (r *relation) load(dst *vector.Buffer, column, u, b int, sel []uint16) {
	v := &r.cols[column].batches[r.firsts[u]+b]
	if sel != nil {
		dst.Take(v, sel)
		return
	}
	dst.Vec = *v
}

func pickRel[T any](dst []T, numbers []int64, batches []vector.Vec, slice func(*vector.Vec) []T) {
	var zero T
	for i, id := range numbers {
		if id >= 0 {
			dst[i] = slice(&batches[id>>relBits])[id&relMask]
		} else {
			dst[i] = zero
		}
	}
}

func (r *relation) gather(dst *vector.Buffer, column int, numbers []int64) {
	c := &r.cols[column]
	n := len(numbers)
	dst.Reset(c.t, n)
	switch c.t.Base {
	case plan.Huge:
		pickRel(dst.Highs(n), numbers, c.batches, func(v *vector.Vec) []int64 { return v.Hi })
		fallthrough
	case plan.Int, plan.Date:
		pickRel(dst.Ints(n), numbers, c.batches, func(v *vector.Vec) []int64 { return v.I })
	case plan.Float:
		pickRel(dst.Floats(n), numbers, c.batches, func(v *vector.Vec) []float64 { return v.F })
		if c.whole {
			whole := dst.Ints(n)
			for i, id := range numbers {
				if whole[i] = 0; id >= 0 && c.batches[id>>relBits].I != nil {
					whole[i] = c.batches[id>>relBits].I[id&relMask]
				}
			}
		}
	case plan.Bool:
		pickRel(dst.Bools(n), numbers, c.batches, func(v *vector.Vec) []bool { return v.B })
	case plan.String, plan.Text:
		if c.dict != nil {
			pickRel(dst.CodesOf(c.dict, n), numbers, c.batches, func(v *vector.Vec) []uint32 { return v.Codes })
		} else {
			pickRel(dst.Strs(n), numbers, c.batches, func(v *vector.Vec) []string { return v.S })
		}
	}
	validBy(dst, numbers, func(id int64) bool {
		return c.batches[id>>relBits].Valid.Get(int(id & relMask))
	}, c.missing)
}

// column describes a column of a stream: its type, the dictionary that all its
// batches share (or nil), whether its strings outlive the batch, and the table
// column that its values come from (or nil).
type column struct {
	t      plan.Type
	dict   *col.Dict
	stable bool
	origin *col.Column
}

// rowBuilder copies rows into batches that the relation of one unit (or of a
// whole answer) is made of.
type rowBuilder struct {
	c     *call
	cols  []column
	done  [][]vector.Vec // finished batches
	lens  []int
	open  []vector.Vec // the batch in progress
	n     int          // its rows
	total int
	arena []byte // copies of strings that do not outlive their batch
	bytes int64  // of the budget
}

func newRowBuilder(c *call, cols []column) *rowBuilder { return &rowBuilder{c: c, cols: cols} }

// keep copies s into memory of the builder's own.
func (b *rowBuilder) keep(s string) string {
	if len(s) == 0 {
		return ""
	}
	if cap(b.arena)-len(b.arena) < len(s) {
		size := max(len(s), min(64<<10, 1024+8*cap(b.arena)))
		b.arena = make([]byte, 0, size)
		b.bytes += int64(size)
	}
	at := len(b.arena)
	b.arena = append(b.arena, s...)
	return unsafe.String(&b.arena[at], len(s))
}

// add copies the selected rows of a batch, at most limit of them (<0: all).
func (b *rowBuilder) add(in *vector.Batch, limit int) error {
	sel := in.Sel
	if sel == nil {
		sel = vector.Identity[:in.N]
	}
	if limit >= 0 && len(sel) > limit {
		sel = sel[:limit]
	}
	for len(sel) > 0 {
		if b.open == nil {
			b.open = make([]vector.Vec, len(b.cols))
			for i := range b.open {
				b.open[i].T = b.cols[i].t
				b.open[i].Dict = b.cols[i].dict
			}
		}
		k := min(len(sel), vector.Size-b.n)
		for i := range b.open {
			b.extend(&b.open[i], in.Cols[i], sel[:k], b.cols[i].stable)
		}
		b.n += k
		b.total += k
		sel = sel[k:]
		if b.n == vector.Size {
			if err := b.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func add[T any](dst, src []T, rows []uint16) []T {
	if cap(dst)-len(dst) < len(rows) {
		grown := make([]T, len(dst), max(len(dst)+len(rows), min(vector.Size, 4*len(dst))))
		copy(grown, dst)
		dst = grown
	}
	at := len(dst)
	dst = dst[:at+len(rows)]
	out := dst[at:]
	for i, r := range rows {
		out[i] = src[r]
	}
	return dst
}

func (b *rowBuilder) extend(dst, src *vector.Vec, rows []uint16, stable bool) {
	switch dst.T.Base {
	case plan.Int, plan.Date:
		dst.I = add(dst.I, src.I, rows)
	case plan.Huge:
		dst.I = add(dst.I, src.I, rows)
		dst.Hi = add(dst.Hi, src.Hi, rows)
	case plan.Float:
		if dst.I == nil && src.I != nil {
			dst.I = make([]int64, len(dst.F), vector.Size)
		}
		if src.I != nil {
			dst.I = add(dst.I, src.I, rows)
		} else if dst.I != nil {
			dst.I = append(dst.I, make([]int64, len(rows))...)
		}
		dst.F = add(dst.F, src.F, rows)
	case plan.Bool:
		dst.B = add(dst.B, src.B, rows)
	case plan.String, plan.Text:
		switch {
		case dst.Dict != nil:
			dst.Codes = add(dst.Codes, src.Codes, rows)
		case src.Dict != nil:
			for _, r := range rows {
				s := ""
				if src.Valid.Get(int(r)) {
					s = src.Dict.Label(src.Codes[r])
				}
				dst.S = append(dst.S, s)
			}
		case stable:
			dst.S = add(dst.S, src.S, rows)
		default:
			for _, r := range rows {
				s := ""
				if src.Valid.Get(int(r)) {
					s = b.keep(src.S[r])
				}
				dst.S = append(dst.S, s)
			}
		}
	}
	n := dst.N
	dst.N += len(rows)
	if dst.T.Base == plan.Null || src.Valid == nil && dst.Valid == nil {
		return
	}
	if dst.Valid == nil {
		dst.Valid = col.NewBitmap(vector.Size)
		for i := range n {
			dst.Valid.Set(i)
		}
	}
	for i, r := range rows {
		if src.Valid.Get(int(r)) {
			dst.Valid.Set(n + i)
		}
	}
}

// flush ends the batch in progress and accounts for its memory.
func (b *rowBuilder) flush() error {
	if b.n == 0 {
		return nil
	}
	bytes := b.bytes
	b.bytes = 0
	for i := range b.open {
		bytes += vecBytes(&b.open[i])
	}
	b.done = append(b.done, b.open)
	b.lens = append(b.lens, b.n)
	b.open, b.n = nil, 0
	return b.c.grow(bytes)
}

func vecBytes(v *vector.Vec) int64 {
	return int64(unsafe.Sizeof(*v)) + int64(cap(v.I)+cap(v.Hi)+cap(v.F))*8 + int64(cap(v.B)) +
		int64(cap(v.S))*16 + int64(cap(v.Codes))*4 + int64(cap(v.Valid))*8
}

// unitBatches is the most batches of a unit of a relation, so that its units are
// about as long as a table's.
const unitBatches = col.ChunkRows / vector.Size

// assemble makes a relation of what builders collected, in their order. Each
// builder's rows start a unit; nil builders are skipped.
func assemble(cols []column, builders []*rowBuilder) (*relation, error) {
	r := &relation{cols: make([]relColumn, len(cols))}
	for i, c := range cols {
		r.cols[i] = relColumn{t: c.t, dict: c.dict}
	}
	for _, b := range builders {
		if b == nil {
			continue
		}
		if err := b.flush(); err != nil {
			return nil, err
		}
		for i, batch := range b.done {
			if i%unitBatches == 0 {
				r.firsts = append(r.firsts, len(r.lens))
				r.perUnit = append(r.perUnit, 0)
			}
			r.lens = append(r.lens, b.lens[i])
			r.perUnit[len(r.perUnit)-1] += b.lens[i]
			r.total += int64(b.lens[i])
			for c := range batch {
				r.cols[c].batches = append(r.cols[c].batches, batch[c])
				r.cols[c].whole = r.cols[c].whole || batch[c].T.Base == plan.Float && batch[c].I != nil
				if batch[c].Valid != nil || batch[c].T.Base == plan.Null {
					r.cols[c].missing = true
				}
			}
		}
	}
	r.firsts = append(r.firsts, len(r.lens))
	return r, nil
}
