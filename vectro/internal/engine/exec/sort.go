package exec

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
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

// item is a row in a sort: its first word and its position.
type item struct {
	w uint64
	i uint32
}

// order returns the positions of the rows in ascending order, ties by position.
func (r *sortRows) order(ctx context.Context, c *call) ([]uint32, error) {
	n := r.len()
	if n > math.MaxUint32 {
		return nil, errTooManyRows
	}
	if err := c.grow(int64(n) * (16 + 16 + 4)); err != nil {
		return nil, err
	}
	items := make([]item, n)
	for i := range items {
		items[i] = item{r.words[i*r.stride], uint32(i)}
	}
	var rest func(a, b uint32) int
	if r.stride > 1 || r.texts > 0 {
		rest = func(a, b uint32) int { return r.compare(int(a), r, int(b)) }
	}
	items, err := sortItems(ctx, c, items, rest)
	if err != nil {
		return nil, err
	}
	out := make([]uint32, n)
	for i, x := range items {
		out[i] = x.i
	}
	return out, nil
}

var errTooManyRows = errors.New("More than 4 billion rows cannot be sorted or grouped at once. Filter more.")

// sortWords returns the positions of the words in ascending order, ties by position.
func sortWords(ctx context.Context, c *call, words []uint64) ([]uint32, error) {
	r := sortRows{shapes: []keyShape{{words: 1}}, stride: 1, words: words}
	return r.order(ctx, c)
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

// segment is how many items are sorted at once, about what fits a processor's cache.
const segment = 1 << 16

// sortItems orders items by word, then by rest (nil: nothing more), then by
// position: segments by radix, then merged pairwise, all in parallel. items must
// be in the order of their positions; the result is items or as long a slice.
func sortItems(ctx context.Context, c *call, items []item, rest func(a, b uint32) int) ([]item, error) {
	less := func(a, b item) bool {
		if a.w != b.w {
			return a.w < b.w
		}
		if rest != nil {
			if c := rest(a.i, b.i); c != 0 {
				return c < 0
			}
		}
		return a.i < b.i
	}
	n := len(items)
	other := make([]item, n)
	err := c.parallel(ctx, (n+segment-1)/segment, func() func(int) error {
		return func(u int) error {
			lo, hi := u*segment, min(n, (u+1)*segment)
			radix(items[lo:hi], other[lo:hi])
			if rest != nil {
				breakTies(items[lo:hi], rest)
			}
			return nil
		}
	})
	if err != nil {
		return nil, err
	}
	for run := segment; run < n; run *= 2 {
		// A merge is cut into parts of about equal output, so that the last, largest
		// merges have work for all workers, too.
		type part struct{ a0, a1, b0, b1, out int }
		var parts []part
		for lo := 0; lo < n; lo += 2 * run {
			mid, hi := min(n, lo+run), min(n, lo+2*run)
			a, b := items[lo:mid], items[mid:hi]
			i, j := 0, 0
			for out := 0; out < hi-lo; {
				next := min(hi-lo, out+segment)
				i2 := split(a, b, next, less)
				j2 := next - i2
				parts = append(parts, part{lo + i, lo + i2, mid + j, mid + j2, lo + out})
				i, j, out = i2, j2, next
			}
		}
		err := c.parallel(ctx, len(parts), func() func(int) error {
			return func(u int) error {
				p := parts[u]
				mergeItems(other[p.out:], items[p.a0:p.a1], items[p.b0:p.b1], less)
				return nil
			}
		})
		if err != nil {
			return nil, err
		}
		items, other = other, items
	}
	return items, nil
}

// split returns how many of the first k items of the merge of a and b come from a.
func split(a, b []item, k int, less func(x, y item) bool) int {
	lo, hi := max(0, k-len(b)), min(k, len(a))
	for lo < hi {
		i := int(uint(lo+hi) / 2)
		if less(b[k-i-1], a[i]) {
			hi = i
		} else {
			lo = i + 1
		}
	}
	return lo
}

func mergeItems(dst, a, b []item, less func(x, y item) bool) {
	i, j := 0, 0
	for k := range dst[:len(a)+len(b)] {
		if j == len(b) || i < len(a) && (a[i].w < b[j].w || a[i].w == b[j].w && less(a[i], b[j])) {
			dst[k] = a[i]
			i++
		} else {
			dst[k] = b[j]
			j++
		}
	}
}

// radix sorts items by word, stably, a byte at a time from the lowest; bytes that
// are the same everywhere cost one look. other is scratch of the same length.
func radix(items, other []item) {
	if len(items) < 64 {
		slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(a.w, b.w) })
		return
	}
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

// breakTies orders the runs of equal words by rest.
func breakTies(items []item, rest func(a, b uint32) int) {
	for lo := 0; lo < len(items); {
		hi := lo + 1
		for hi < len(items) && items[hi].w == items[lo].w {
			hi++
		}
		if hi-lo > 1 {
			slices.SortStableFunc(items[lo:hi], func(a, b item) int { return rest(a.i, b.i) })
		}
		lo = hi
	}
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
	return k, nil
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
	if w.k.most < 0 {
		w.part = &sortPart{rows: newSortRows(w.k.shapes)}
		w.k.byUnit[unit] = w.part // a unit is of one worker
		if w.scan.cond == nil {   // then it is known how many rows come
			n := w.scan.src.unit(unit)
			w.part.ids = make([]int64, 0, n)
			w.part.rows.words = make([]uint64, 0, n*w.part.rows.stride)
		}
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
		n = int64(len(sel))*int64(stride*8+rows.texts*16+8) + w.text
		w.text = 0
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
	all := &sortPart{rows: newSortRows(k.shapes)}
	if k.most >= 0 {
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
	n := 0
	for _, p := range k.byUnit {
		if p != nil {
			n += len(p.ids)
		}
	}
	stride, texts := all.rows.stride, all.rows.texts
	if err := k.c.grow(int64(n) * int64(stride*8+texts*16+16)); err != nil {
		return nil, err
	}
	all.rows.words = make([]uint64, 0, n*stride)
	all.rows.strs = make([]string, 0, n*texts)
	all.ids = make([]int64, 0, n)
	for i, p := range k.byUnit {
		if p == nil {
			continue
		}
		all.rows.words = append(all.rows.words, p.rows.words...)
		all.rows.strs = append(all.rows.strs, p.rows.strs...)
		all.ids = append(all.ids, p.ids...)
		k.byUnit[i] = nil
	}
	order, err := all.rows.order(ctx, k.c)
	if err != nil {
		return nil, err
	}
	out := make([]int64, n)
	for i, at := range order {
		out[i] = all.ids[at]
	}
	return out, nil
}
