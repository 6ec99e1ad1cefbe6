package exec

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/eval"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/vector"
)

// A sort key becomes rank words: uint64 that sort like the key's values, missing
// ones included, in the key's direction. Text that has no common dictionary gives
// the rank word of its first eight bytes, and the whole text beside it.

// keyShape says how a sort key is written.
type keyShape struct {
	desc, nullsFirst bool
	t                plan.Type
	dict             *col.Dict // text: codes whose rank is the word
	lead             bool      // a word that tells present from missing comes first
	words            int       // in all
	text             bool      // whole strings are needed
}

// shapeOf describes key k over values of type t; d is their common dictionary, if
// any, and inner says that whole numbers stay clear of the ends of int64.
func shapeOf(k plan.SortKey, t plan.Type, d *col.Dict, inner bool) keyShape {
	s := keyShape{desc: k.Desc, nullsFirst: k.NullsFirst, t: t, words: 1}
	switch t.Base {
	case plan.Int:
		s.lead = !inner
	case plan.Date:
		s.lead = !inner && t.Unit == col.Nano // others never come near the ends
	case plan.Huge:
		s.lead = true
		s.words = 2
	case plan.String, plan.Text:
		if s.dict = d; d == nil {
			s.text, s.lead = true, true
		}
	}
	if s.lead {
		s.words++
	}
	return s
}

func shapeOfExpr(k plan.SortKey, cols []column) keyShape {
	lo, hi, ok := boundsOf(k.Expr, cols)
	return shapeOf(k, k.Expr.Type(), sharedDict(k.Expr, cols), ok && lo > math.MinInt64 && hi < math.MaxInt64)
}

// encode writes the words of the rows of sel of v to dst, those of the i-th
// selected row at dst[i*stride:], and appends the strings of text to strs.
func (s *keyShape) encode(dst []uint64, stride int, v *vector.Vec, sel []uint16, strs []string, keep func(string) string) []string {
	flip := uint64(0)
	if s.desc {
		flip = math.MaxUint64
	}
	none := uint64(math.MaxUint64)
	if s.nullsFirst {
		none = 0
	}
	at := 0
	if s.lead {
		for i := range sel {
			dst[i*stride] = 1
		}
		at = 1
	}
	switch s.t.Base {
	case plan.Int, plan.Date:
		for i, r := range sel {
			dst[i*stride+at] = intRank(v.I[r]) ^ flip
		}
	case plan.Float:
		for i, r := range sel {
			dst[i*stride+at] = floatRank(v.F[r]) ^ flip
		}
	case plan.Bool:
		for i, r := range sel {
			w := uint64(1)
			if v.B[r] {
				w = 2
			}
			dst[i*stride+at] = w ^ flip
		}
	case plan.Huge:
		for i, r := range sel {
			dst[i*stride+at] = intRank(v.Hi[r]) ^ flip
			dst[i*stride+at+1] = uint64(v.I[r]) ^ flip
		}
	case plan.String, plan.Text:
		if s.dict != nil {
			rank := s.dict.Rank()
			for i, r := range sel {
				if c := v.Codes[r]; int(c) < len(rank) {
					dst[i*stride+at] = (uint64(rank[c]) + 1) ^ flip
				}
			}
			break
		}
		for i, r := range sel {
			x := ""
			if v.Valid.Get(int(r)) {
				x = v.Str(int(r))
				if v.Dict == nil && keep != nil {
					x = keep(x)
				}
			}
			strs = append(strs, x)
			var b [8]byte
			copy(b[:], x)
			dst[i*stride+at] = binary.BigEndian.Uint64(b[:]) ^ flip
		}
	default:
		for i := range sel {
			dst[i*stride+at] = 0
		}
	}
	if v.Valid == nil && v.T.Base != plan.Null {
		return strs
	}
	for i, r := range sel {
		if v.T.Base != plan.Null && v.Valid.Get(int(r)) {
			continue
		}
		if !s.lead {
			dst[i*stride] = none
			continue
		}
		clear(dst[i*stride : i*stride+s.words])
		if !s.nullsFirst {
			dst[i*stride] = 2
		}
	}
	return strs
}

// sortRows are rows to be ordered: stride words each and one string per key of
// text, in the order of the keys.
type sortRows struct {
	shapes []keyShape
	stride int
	texts  int
	words  []uint64
	strs   []string
}

func newSortRows(shapes []keyShape) sortRows {
	r := sortRows{shapes: shapes}
	for _, s := range shapes {
		r.stride += s.words
		if s.text {
			r.texts++
		}
	}
	return r
}

func (r *sortRows) len() int {
	if r.stride == 0 {
		return 0
	}
	return len(r.words) / r.stride
}

// compare compares row i of r with row j of o, which has the same shapes.
func (r *sortRows) compare(i int, o *sortRows, j int) int {
	a, b := r.words[i*r.stride:], o.words[j*r.stride:]
	text := 0
	for _, s := range r.shapes {
		for k := range s.words {
			if a[k] != b[k] {
				if a[k] < b[k] {
					return -1
				}
				return 1
			}
		}
		if s.text {
			if c := cmp.Compare(r.strs[i*r.texts+text], o.strs[j*o.texts+text]); c != 0 {
				if s.desc {
					return -c
				}
				return c
			}
			text++
		}
		a, b = a[s.words:], b[s.words:]
	}
	return 0
}

// sortFlat returns the positions of the rows of columns in the order of keys, one
// a column (whose expressions are not looked at), ties by position.
func sortFlat(ctx context.Context, c *call, cols []vector.Vec, keys []plan.SortKey) ([]uint32, error) {
	var shapes []keyShape
	for i := range cols {
		shapes = append(shapes, shapeOf(keys[i], cols[i].T, cols[i].Dict, false))
	}
	r := newSortRows(shapes)
	n := 0
	if len(cols) > 0 {
		n = cols[0].N
	}
	if err := c.grow(int64(n) * int64(r.stride*8+r.texts*16)); err != nil {
		return nil, err
	}
	r.words = make([]uint64, n*r.stride)
	r.strs = make([]string, n*r.texts)
	at, text := 0, 0
	var strs []string
	for k := range cols {
		s := &shapes[k]
		for from := 0; from < n; from += vector.Size {
			part := window(&cols[k], from, min(n, from+vector.Size))
			strs = s.encode(r.words[from*r.stride+at:], r.stride, &part, vector.Identity[:part.N], strs[:0], nil)
			for i, x := range strs {
				r.strs[(from+i)*r.texts+text] = x
			}
		}
		at += s.words
		if s.text {
			text++
		}
	}
	return r.order(ctx, c)
}

// sorting is the sink of a sort over a stream without steps: it keeps keys and
// row numbers. With most ≥ 0 only the first rows of the order are wanted.
type sorting struct {
	c      *call
	keys   []plan.SortKey
	progs  []*eval.Program
	shapes []keyShape
	width  int
	most   int

	bar     atomic.Uint64 // most ≥ 0: rows whose first word is above are out
	mu      sync.Mutex
	workers []*sortWorker
	byUnit  []*sortPart // most < 0
	all     *sortPart   // most < 0: where the parts of units lie, if that is known beforehand
	starts  []int       // of the units in all
}

// sortPart holds rows of one unit, or the candidates of one worker.
type sortPart struct {
	rows sortRows
	ids  []int64
}

func newSorting(c *call, s *stream, keys []plan.SortKey, most int) (*sorting, error) {
	k := &sorting{c: c, keys: keys, width: len(s.cols), most: most, byUnit: make([]*sortPart, s.src.units())}
	k.bar.Store(math.MaxUint64)
	for _, key := range keys {
		p, err := eval.Compile(key.Expr)
		if err != nil {
			return nil, err
		}
		k.progs = append(k.progs, p)
		k.shapes = append(k.shapes, shapeOfExpr(key, s.cols))
	}
	if most < 0 && s.all() {
		n := 0
		k.starts = []int{0}
		for u := range s.src.units() {
			n += s.src.unit(u)
			k.starts = append(k.starts, n)
		}
		var err error
		if k.all, err = k.room(n); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// room returns space for n rows.
func (k *sorting) room(n int) (*sortPart, error) {
	p := &sortPart{rows: newSortRows(k.shapes)}
	s, t := p.rows.stride, p.rows.texts
	if err := k.c.grow(int64(n) * int64(s*8+t*16+8)); err != nil {
		return nil, err
	}
	p.ids = make([]int64, n)
	p.rows.words = make([]uint64, n*s)
	p.rows.strs = make([]string, n*t)
	return p, nil
}

func (k *sorting) needs() []bool {
	need := make([]bool, k.width)
	for _, key := range k.keys {
		for _, i := range columnsOf(key.Expr) {
			need[i] = true
		}
	}
	return need
}

func (k *sorting) run(int) int { return 1 }

type sortWorker struct {
	k     *sorting
	scan  *scanner
	keys  []*eval.State
	part  *sortPart
	words []uint64 // of the batch
	strs  [][]string
	sel   []uint16
	limit []uint64 // the words of the most-th best candidate, once there are so many
	count int64
	held  int64
	text  int64
}

func (k *sorting) worker(scan *scanner) sinkWorker {
	w := &sortWorker{k: k, scan: scan, strs: make([][]string, len(k.keys)), sel: make([]uint16, vector.Size)}
	for _, p := range k.progs {
		w.keys = append(w.keys, p.NewState())
	}
	w.part = &sortPart{rows: newSortRows(k.shapes)}
	w.words = make([]uint64, vector.Size*max(1, w.part.rows.stride))
	k.mu.Lock()
	k.workers = append(k.workers, w)
	k.mu.Unlock()
	return w
}

func (w *sortWorker) begin(unit int) error {
	k := w.k
	if k.most >= 0 {
		return nil
	}
	w.part = &sortPart{rows: newSortRows(k.shapes)}
	k.byUnit[unit] = w.part // a unit is of one worker
	if all := k.all; all != nil {
		from, to := k.starts[unit], k.starts[unit+1]
		s, t := all.rows.stride, all.rows.texts
		w.part.ids = all.ids[from:from:to]
		w.part.rows.words = all.rows.words[from*s : from*s : to*s]
		w.part.rows.strs = all.rows.strs[from*t : from*t : to*t]
	}
	return nil
}

func (w *sortWorker) end(int) error { return nil }

// keep copies text that does not outlive its batch.
func (w *sortWorker) keep(s string) string {
	w.text += int64(len(s))
	return string([]byte(s))
}

func (w *sortWorker) push(b *vector.Batch) error {
	k := w.k
	w.count += int64(b.Rows())
	if k.most == 0 {
		return nil
	}
	sel := b.Sel
	if sel == nil {
		sel = vector.Identity[:b.N]
	}
	rows := &w.part.rows
	stride := rows.stride
	at := 0
	for i, st := range w.keys {
		s := &k.shapes[i]
		v := st.Eval(b)
		if i == 0 && k.most >= 0 {
			s.encode(w.words, stride, v, sel, w.strs[i][:0], nil)
			if sel = w.promising(sel, s.text || stride > 1); len(sel) == 0 {
				return nil
			}
		}
		w.strs[i] = s.encode(w.words[at:], stride, v, sel, w.strs[i][:0], w.keep)
		at += s.words
	}
	for i, r := range sel {
		row := w.words[i*stride : (i+1)*stride]
		if w.limit != nil {
			if c := slices.Compare(row, w.limit); c > 0 || c == 0 && rows.texts == 0 {
				continue // behind candidates that come earlier in the input, too
			}
		}
		rows.words = append(rows.words, row...)
		for j := range k.shapes {
			if k.shapes[j].text {
				rows.strs = append(rows.strs, w.strs[j][i])
			}
		}
		w.part.ids = append(w.part.ids, w.scan.number(r))
	}
	if k.most >= 0 && rows.len() >= max(2*k.most, 1024) {
		w.prune()
	}
	n := int64(cap(rows.words))*8 + int64(cap(rows.strs))*16 + int64(cap(w.part.ids))*8 + w.text
	if k.most < 0 {
		// Per unit: what earlier units hold has been accounted for.
		n, w.text = w.text, 0
		if k.all == nil {
			n += int64(len(sel)) * int64(stride*8+rows.texts*16+8)
		}
		return k.c.grow(n)
	}
	if n > w.held {
		if err := k.c.grow(n - w.held); err != nil {
			return err
		}
		w.held = n
	}
	return nil
}

// promising returns those of the rows whose first word says that they may be
// among the first. more says that other words or text decide between equal ones.
func (w *sortWorker) promising(sel []uint16, more bool) []uint16 {
	bar := w.k.bar.Load()
	stride := w.part.rows.stride
	// The worker's own candidates come earlier in the input, so a row that ties with
	// the last of them is out.
	if w.limit != nil && !more && w.limit[0] <= bar {
		if w.limit[0] == 0 {
			return nil
		}
		bar = w.limit[0] - 1
	}
	out := w.sel[:len(sel)]
	n := 0
	for i, r := range sel {
		out[n] = r
		if w.words[i*stride] <= bar {
			n++
		}
	}
	return out[:n]
}

// prune keeps the best candidates.
func (w *sortWorker) prune() {
	k := w.k
	p := w.part
	order := identity(p.rows.len())
	slices.SortFunc(order, func(a, b uint32) int { return p.compare(int(a), p, int(b)) })
	order = order[:min(len(order), k.most)]
	best := &sortPart{rows: newSortRows(k.shapes)}
	for _, i := range order {
		best.take(p, int(i))
	}
	w.part = best
	if len(order) == k.most {
		last := best.rows.words[(k.most-1)*best.rows.stride:]
		w.limit = append(w.limit[:0], last[:best.rows.stride]...)
		for {
			old := k.bar.Load()
			if last[0] >= old || k.bar.CompareAndSwap(old, last[0]) {
				break
			}
		}
	}
}

func (p *sortPart) compare(i int, o *sortPart, j int) int {
	if c := p.rows.compare(i, &o.rows, j); c != 0 {
		return c
	}
	return cmp.Compare(p.ids[i], o.ids[j])
}

func (p *sortPart) take(o *sortPart, i int) {
	s, t := o.rows.stride, o.rows.texts
	p.rows.words = append(p.rows.words, o.rows.words[i*s:(i+1)*s]...)
	p.rows.strs = append(p.rows.strs, o.rows.strs[i*t:(i+1)*t]...)
	p.ids = append(p.ids, o.ids[i])
}

// total returns how many rows went in.
func (k *sorting) total() int64 {
	n := int64(0)
	for _, w := range k.workers {
		n += w.count
	}
	return n
}

// finish returns the numbers of the rows in order.
func (k *sorting) finish(ctx context.Context) ([]int64, error) {
	if k.most >= 0 {
		all := &sortPart{rows: newSortRows(k.shapes)}
		for _, w := range k.workers {
			for i := range w.part.rows.len() {
				all.take(w.part, i)
			}
		}
		// Workers' candidates are not in the order of the rows: sort by number as well.
		order := identity(len(all.ids))
		slices.SortFunc(order, func(a, b uint32) int { return all.compare(int(a), all, int(b)) })
		out := make([]int64, min(len(order), k.most))
		for i := range out {
			out[i] = all.ids[order[i]]
		}
		return out, nil
	}
	all := k.all
	if all == nil {
		n := 0
		for _, p := range k.byUnit {
			if p != nil {
				n += len(p.ids)
			}
		}
		var err error
		if all, err = k.room(n); err != nil {
			return nil, err
		}
		s, t, at := all.rows.stride, all.rows.texts, 0
		for i, p := range k.byUnit {
			if p == nil {
				continue
			}
			copy(all.rows.words[at*s:], p.rows.words)
			copy(all.rows.strs[at*t:], p.rows.strs)
			at += copy(all.ids[at:], p.ids)
			k.byUnit[i] = nil
		}
	}
	order, err := all.rows.order(ctx, k.c)
	if err != nil {
		return nil, err
	}
	out := make([]int64, len(order))
	for i, at := range order {
		out[i] = all.ids[at]
	}
	return out, nil
}
