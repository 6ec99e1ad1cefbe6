package exec

import (
	"context"
	"math"
	"sync"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/eval"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/vector"
)

// join runs the right side of n, makes a table of its keys, and returns a stream
// in which the left side's rows look their partners up.
func (c *call) join(ctx context.Context, n *plan.Join) (*stream, error) {
	right, err := c.stream(ctx, n.Right)
	if err != nil {
		return nil, err
	}
	if right, err = c.addressed(ctx, right); err != nil {
		return nil, err
	}
	b := &joinBuild{c: c, width: len(right.cols), keys: n.RightKeys}
	if err := b.prepare(right); err != nil {
		return nil, err
	}
	if err := c.run(ctx, right, b); err != nil {
		return nil, err
	}
	t, err := b.finish()
	if err != nil {
		return nil, err
	}
	left, err := c.stream(ctx, n.Left)
	if err != nil {
		return nil, err
	}
	p := &probe{c: c, kind: n.Kind, table: t, src: right.src, left: len(left.cols), width: len(left.cols) + len(right.cols), keys: n.LeftKeys}
	for _, k := range n.LeftKeys {
		prog, err := eval.Compile(k)
		if err != nil {
			return nil, err
		}
		p.progs = append(p.progs, prog)
	}
	if n.Residual != nil {
		p.uses = columnsOf(n.Residual)
		if p.residual, err = eval.Compile(n.Residual); err != nil {
			return nil, err
		}
	}
	out := *left
	out.steps = append(left.steps[:len(left.steps):len(left.steps)], p)
	out.cols = append(append([]column(nil), left.cols...), right.cols...)
	return &out, nil
}

// joinTable finds the right rows of a key. Keys have numbers; the rows of key k
// are ids[starts[k]:starts[k+1]], in their order.
type joinTable struct {
	shapes []keyWords
	stride int
	direct bool       // one key, a small number itself: lo is number 0
	size   uint64     // keys have numbers below
	lo     int64      // direct, whole numbers and dates
	table  *wordTable // else
	starts []uint32
	ids    []int64
	every  bool    // there are no keys: ids are all rows
	unique bool    // no key has two rows:
	only   []int64 // the row of key k, or -1

	mu     sync.Mutex
	labels map[*col.Dict][]int64 // unique, one key of text: the row of a left code
}

// rowsOf returns, per code of a left dictionary, the right row of that label.
func (t *joinTable) rowsOf(d *col.Dict) []int64 {
	codes := t.shapes[0].mapping(d)
	t.mu.Lock()
	defer t.mu.Unlock()
	if rows, ok := t.labels[d]; ok {
		return rows
	}
	rows := make([]int64, len(codes))
	for c, code := range codes {
		rows[c] = -1
		if code != 0 {
			rows[c] = t.only[code-1]
		}
	}
	if t.labels == nil {
		t.labels = map[*col.Dict][]int64{}
	}
	t.labels[d] = rows
	return rows
}

// keyWords says how one key becomes a word.
type keyWords struct {
	t      plan.Type
	intern *interner // text: the numbering of the right side's strings

	mu   sync.Mutex
	maps map[*col.Dict][]uint32 // code of a left dictionary → number + 1, 0 for none
}

// mapping returns what the labels of d are numbered on the right side.
func (k *keyWords) mapping(d *col.Dict) []uint32 {
	k.mu.Lock()
	defer k.mu.Unlock()
	m := k.maps[d]
	if len(m) >= d.Len() {
		return m
	}
	m = make([]uint32, d.Len())
	right := k.intern.dict()
	for c := range m {
		if code, ok := right.Lookup(d.Label(uint32(c))); ok {
			m[c] = code + 1
		}
	}
	if k.maps == nil {
		k.maps = map[*col.Dict][]uint32{}
	}
	k.maps[d] = m
	return m
}

// joinBuild is the sink that collects the keys of the right side.
type joinBuild struct {
	c     *call
	width int
	keys  []plan.Expr
	progs []*eval.Program
	dicts []*col.Dict
	table *joinTable
	size  uint64 // direct: how many numbers

	parts []*buildPart // per unit
}

type buildPart struct {
	words  []uint64
	ids    []int64
	intern []*interner
}

// maxDirect is the most numbers that index a join directly.
const maxDirect = 1 << 22

func (b *joinBuild) prepare(s *stream) error {
	t := &joinTable{every: len(b.keys) == 0, stride: max(1, len(b.keys))}
	b.table = t
	b.parts = make([]*buildPart, s.src.units())
	t.shapes = make([]keyWords, len(b.keys))
	for i, k := range b.keys {
		p, err := eval.Compile(k)
		if err != nil {
			return err
		}
		b.progs = append(b.progs, p)
		d := sharedDict(k, s.cols)
		b.dicts = append(b.dicts, d)
		t.shapes[i].t = k.Type()
		if interned(k.Type()) {
			t.shapes[i].intern = newInterner(d)
		}
	}
	if len(b.keys) != 1 {
		return nil
	}
	most := uint64(max(maxDirect, 4*s.src.rows()))
	switch key := b.keys[0]; key.Type().Base {
	case plan.String:
		if d := b.dicts[0]; d != nil && uint64(d.Len()) <= most {
			t.direct, b.size = true, uint64(d.Len())
		}
	case plan.Int, plan.Date:
		lo, hi, ok := boundsOf(key, s.cols)
		if n := uint64(hi) - uint64(lo); ok && n < most {
			t.direct, t.lo, b.size = true, lo, n+1
		}
	case plan.Bool:
		t.direct, b.size = true, 2
	}
	return nil
}

func (b *joinBuild) needs() []bool {
	need := make([]bool, b.width)
	mark(need, b.keys...)
	return need
}

func (b *joinBuild) run(int) int { return 1 }

type buildWorker struct {
	b    *joinBuild
	scan *scanner
	keys []*eval.State
	part *buildPart
	held int64 // of the part's text, accounted for
	work []uint64
	sel  []uint16
}

func (b *joinBuild) worker(scan *scanner) sinkWorker {
	w := &buildWorker{b: b, scan: scan, work: make([]uint64, vector.Size*b.table.stride), sel: make([]uint16, 0, vector.Size)}
	for _, p := range b.progs {
		w.keys = append(w.keys, p.NewState())
	}
	return w
}

func (w *buildWorker) begin(unit int) error {
	p := &buildPart{}
	for i := range w.b.table.shapes {
		var t *interner
		if s := &w.b.table.shapes[i]; s.intern != nil {
			t = newInterner(s.intern.shared)
		}
		p.intern = append(p.intern, t)
	}
	w.part, w.held = p, 0
	w.b.parts[unit] = p // a unit is of one worker
	if w.scan.all {     // then it is known how many rows come
		n := w.scan.src.unit(unit)
		p.ids = make([]int64, 0, n)
		p.words = make([]uint64, 0, n*len(w.keys))
	}
	return nil
}

func (w *buildWorker) push(b *vector.Batch) error {
	p := w.part
	stride := w.b.table.stride
	sel := b.Sel
	if sel == nil {
		sel = vector.Identity[:b.N]
	}
	for i, st := range w.keys {
		v := st.Eval(b)
		if v.T.Base == plan.Null {
			return nil
		}
		if v.Valid != nil {
			sel = vector.Present(w.sel, sel, b.N, v.Valid)
		}
		encode(w.work[i:], stride, v, sel, p.intern[i])
	}
	for _, r := range sel {
		if len(w.keys) > 0 {
			p.words = append(p.words, w.work[int(r)*stride:(int(r)+1)*stride]...)
		}
		p.ids = append(p.ids, w.scan.number(r))
	}
	texts := -w.held
	for _, t := range p.intern {
		texts += t.bytes()
	}
	w.held += texts
	return w.b.c.grow(texts + int64(len(sel))*int64(8*stride+8))
}

func (w *buildWorker) end(int) error {
	for _, t := range w.part.intern {
		if t != nil && t.full {
			return errTooMuchText
		}
	}
	return nil
}

func (b *joinBuild) finish() (*joinTable, error) {
	t := b.table
	n := 0
	for _, p := range b.parts {
		if p != nil {
			n += len(p.ids)
		}
	}
	if n > math.MaxUint32 {
		return nil, errTooManyRows
	}
	if err := b.c.grow(int64(n)*12 + int64(b.size)*4); err != nil {
		return nil, err
	}
	t.ids = make([]int64, 0, n)
	if t.every {
		for _, p := range b.parts {
			if p != nil {
				t.ids = append(t.ids, p.ids...)
			}
		}
		return t, nil
	}
	// One numbering of strings for all units.
	for k := range t.shapes {
		all := t.shapes[k].intern
		if all == nil || all.shared != nil {
			continue
		}
		for _, p := range b.parts {
			if p == nil {
				continue
			}
			d := p.intern[k].own
			codes := make([]uint64, d.Len())
			for c := range codes {
				codes[c] = uint64(all.add(d.Label(uint32(c))))
			}
			for i := k; i < len(p.words); i += t.stride {
				p.words[i] = codes[p.words[i]]
			}
		}
		if all.full {
			return nil, errTooMuchText
		}
		if err := b.c.grow(all.bytes()); err != nil {
			return nil, err
		}
	}
	// Number the keys, count their rows, and put the rows in place.
	numbers := make([]uint32, 0, n)
	t.size = b.size
	if t.direct {
		for _, p := range b.parts {
			if p != nil {
				for _, w := range p.words {
					numbers = append(numbers, uint32(w-uint64(t.lo)))
				}
			}
		}
	} else {
		t.table = newWordTable(t.stride)
		for _, p := range b.parts {
			if p == nil {
				continue
			}
			for i := 0; i < len(p.words); i += t.stride {
				if i%(vector.Size*t.stride) == 0 {
					if b.c.stop.Load() {
						return nil, errStopped
					}
					t.table.reserve(vector.Size)
				}
				key := p.words[i : i+t.stride]
				numbers = append(numbers, t.table.insert(key, hashKey(key)))
			}
		}
		t.size = uint64(t.table.len())
		if err := b.c.grow(t.table.bytes() + int64(t.size)*4); err != nil {
			return nil, err
		}
	}
	t.starts = make([]uint32, t.size+1)
	for _, k := range numbers {
		t.starts[k+1]++
	}
	t.unique = true
	for k := range t.size {
		if t.starts[k+1] > 1 {
			t.unique = false
		}
		t.starts[k+1] += t.starts[k]
	}
	if t.unique {
		t.only = make([]int64, t.size)
		for k := range t.only {
			t.only[k] = -1
		}
		i := 0
		for _, p := range b.parts {
			if p == nil {
				continue
			}
			for _, id := range p.ids {
				t.only[numbers[i]] = id
				i++
			}
		}
		t.starts, t.ids = nil, nil
		return t, b.c.grow(int64(t.size) * 8)
	}
	at := append([]uint32(nil), t.starts...)
	t.ids = t.ids[:n]
	i := 0
	for u, p := range b.parts {
		if p == nil {
			continue
		}
		for _, id := range p.ids {
			k := numbers[i]
			t.ids[at[k]] = id
			at[k]++
			i++
		}
		b.parts[u] = nil
	}
	return t, nil
}

// probe is the step that pairs left rows with right ones.
type probe struct {
	c        *call
	kind     plan.JoinKind
	table    *joinTable
	src      source // of the right rows
	left     int    // columns of the left side
	width    int    // columns in all
	keys     []plan.Expr
	progs    []*eval.Program
	residual *eval.Program
	uses     []int // columns of the residual
}

func (p *probe) needs(need []bool) []bool {
	in := append([]bool(nil), need[:p.left]...)
	mark(in, p.keys...)
	for _, i := range p.uses {
		if i < p.left {
			in[i] = true
		}
	}
	return in
}

const noKey = math.MaxUint32

type prober struct {
	p        *probe
	need     []bool // output columns that are wanted or that the residual reads
	next     push
	keys     []*eval.State
	residual *eval.State
	words    []uint64
	numbers  []uint32 // number of a left row's key, noKey for none
	rows     []int64  // unique keys: right row of a left row, -1 for none
	dict     *col.Dict
	rowOf    []int64 // of the codes of dict
	kept     []uint16
	ids      []int64
	sel      []uint16
	bufs     []vector.Buffer
	out      vector.Batch

	// The pairs of a general join: rows of the left batch and right row numbers
	// (-1: none), up to vector.Size before they are sent on.
	lefts  []uint16
	rights []int64
	// Of a left join with a residual: the pairs that passed, and unmatched rows.
	outLefts  []uint16
	outRights []int64
	open      int  // left row whose pairs are being tested, or -1
	matched   bool // it has a partner
	in        *vector.Batch
}

func (p *probe) attach(need []bool, next push) push {
	w := &prober{
		p: p, next: next, need: append([]bool(nil), need...),
		words: make([]uint64, vector.Size*p.table.stride), numbers: make([]uint32, vector.Size), rows: make([]int64, vector.Size),
		kept: make([]uint16, 0, vector.Size), ids: make([]int64, 0, vector.Size), sel: make([]uint16, 0, vector.Size),
		bufs:  make([]vector.Buffer, p.width),
		lefts: make([]uint16, 0, vector.Size), rights: make([]int64, 0, vector.Size),
	}
	for _, i := range p.uses {
		w.need[i] = true
	}
	for _, k := range p.progs {
		w.keys = append(w.keys, k.NewState())
	}
	if p.residual != nil {
		w.residual = p.residual.NewState()
	}
	w.out.Cols = make([]*vector.Vec, p.width)
	return w.push
}

func (w *prober) push(b *vector.Batch) error {
	t := w.p.table
	if t.unique {
		return w.single(b)
	}
	if !t.every {
		w.number(b)
	}
	return w.pairs(b)
}

// number finds the key numbers of the rows of a left batch.
func (w *prober) number(b *vector.Batch) {
	t := w.p.table
	all := b.Sel
	if all == nil {
		all = vector.Identity[:b.N]
	}
	sel := all
	for i, st := range w.keys {
		v := st.Eval(b)
		if v.T.Base == plan.Null {
			sel = sel[:0]
			break
		}
		if v.Valid != nil {
			sel = vector.Present(w.sel, sel, b.N, v.Valid)
		}
		sel = w.encode(i, v, sel)
	}
	if len(sel) < len(all) {
		for _, r := range all {
			w.numbers[r] = noKey
		}
	}
	switch {
	case t.direct:
		lo, n := uint64(t.lo), t.size
		for _, r := range sel {
			k := w.words[r] - lo
			if k >= n {
				k = noKey
			}
			w.numbers[r] = uint32(k)
		}
	default:
		for _, r := range sel {
			key := w.words[int(r)*t.stride : (int(r)+1)*t.stride]
			k, ok := t.table.find(key, hashKey(key))
			if !ok {
				k = noKey
			}
			w.numbers[r] = k
		}
	}
}

// encode writes the words of key i in the numbering of the right side and returns
// the rows that have one.
func (w *prober) encode(i int, v *vector.Vec, sel []uint16) []uint16 {
	k := &w.p.table.shapes[i]
	stride := w.p.table.stride
	words := w.words[i:]
	if k.intern == nil {
		encode(words, stride, v, sel, nil)
		return sel
	}
	right := k.intern.dict()
	out := w.sel[:0]
	switch {
	case v.T.Base == plan.Huge:
		var b hugeBytes
		for _, r := range sel {
			if code, ok := right.Lookup(b.of(v, r)); ok {
				words[int(r)*stride] = uint64(code)
				out = append(out, r)
			}
		}
	case v.Dict == right:
		for _, r := range sel {
			words[int(r)*stride] = uint64(v.Codes[r])
		}
		return sel
	case v.Dict != nil:
		m := k.mapping(v.Dict)
		for _, r := range sel {
			if code := m[v.Codes[r]]; code != 0 {
				words[int(r)*stride] = uint64(code - 1)
				out = append(out, r)
			}
		}
	default:
		for _, r := range sel {
			if code, ok := right.Lookup(v.S[r]); ok {
				words[int(r)*stride] = uint64(code)
				out = append(out, r)
			}
		}
	}
	return out
}

// single handles a batch whose left rows have one partner at most.
func (w *prober) single(b *vector.Batch) error {
	rows := w.partners(b)
	sel := b.Sel
	if sel == nil {
		sel = vector.Identity[:b.N]
	}
	kept, ids := w.kept[:len(sel)], w.ids[:len(sel)]
	k := 0
	if w.p.kind == plan.Left && w.residual == nil {
		k = copy(kept, sel)
		for i, r := range sel {
			ids[i] = rows[r]
		}
	} else {
		for _, r := range sel {
			id := rows[r]
			kept[k], ids[k] = r, id
			k += int(uint64(^id) >> 63) // 1 unless id is -1
		}
	}
	if w.p.kind == plan.Left && w.residual != nil {
		return w.singleTested(b, sel, kept[:k], ids[:k])
	}
	if k == 0 {
		return nil
	}
	return w.send(b, kept[:k], ids[:k], k == b.N, w.residual)
}

// singleTested keeps every left row, with its partner only where the residual
// says so.
func (w *prober) singleTested(b *vector.Batch, sel, kept []uint16, ids []int64) error {
	for _, r := range sel {
		w.rows[r] = -1
	}
	if len(kept) > 0 {
		w.fill(b, kept, ids, len(kept) == b.N)
		w.residual.Filter(&w.out)
		passed := w.out.Sel
		if passed == nil {
			passed = vector.Identity[:len(kept)]
		}
		for _, i := range passed {
			w.rows[kept[i]] = ids[i]
		}
	}
	for i, r := range sel {
		w.ids[:vector.Size][i] = w.rows[r]
	}
	return w.send(b, sel, w.ids[:len(sel)], len(sel) == b.N, nil)
}

// partners returns the right row of each selected left row, -1 for none.
func (w *prober) partners(b *vector.Batch) []int64 {
	t := w.p.table
	out := w.rows
	if t.direct {
		v := w.keys[0].Eval(b)
		switch n := t.size; {
		case v.T.Base == plan.String && v.Dict != nil && v.Dict.Len() > 0:
			if v.Dict != w.dict {
				w.dict, w.rowOf = v.Dict, t.rowsOf(v.Dict)
			}
			rowOf := w.rowOf
			if b.Sel == nil {
				for r, c := range v.Codes[:b.N] {
					out[r] = rowOf[c]
				}
			} else {
				for _, r := range b.Sel {
					out[r] = rowOf[v.Codes[r]]
				}
			}
		case v.T.Base == plan.Int || v.T.Base == plan.Date:
			each(b.Sel, b.N, func(r uint16) {
				out[r] = -1
				if k := uint64(v.I[r]) - uint64(t.lo); k < n {
					out[r] = t.only[k]
				}
			})
		default:
			return w.partnersByNumber(b)
		}
		if v.Valid != nil {
			each(b.Sel, b.N, func(r uint16) {
				if !v.Valid.Get(int(r)) {
					out[r] = -1
				}
			})
		}
		return out
	}
	return w.partnersByNumber(b)
}

func (w *prober) partnersByNumber(b *vector.Batch) []int64 {
	w.number(b)
	each(b.Sel, b.N, func(r uint16) {
		w.rows[r] = -1
		if k := w.numbers[r]; k != noKey {
			w.rows[r] = w.p.table.only[k]
		}
	})
	return w.rows
}

// send passes pairs of left rows and right numbers on. whole says that the left
// rows are the batch as it is.
func (w *prober) send(b *vector.Batch, lefts []uint16, rights []int64, whole bool, test *eval.State) error {
	w.fill(b, lefts, rights, whole)
	if test != nil {
		test.Filter(&w.out)
		if w.out.Rows() == 0 {
			return nil
		}
	}
	return w.next(&w.out)
}

func (w *prober) fill(b *vector.Batch, lefts []uint16, rights []int64, whole bool) {
	w.out.N, w.out.Sel = len(lefts), nil
	for i, on := range w.need {
		switch {
		case !on:
		case i >= w.p.left:
			w.p.src.gather(&w.bufs[i], i-w.p.left, rights)
			w.out.Cols[i] = &w.bufs[i].Vec
		case whole:
			w.out.Cols[i] = b.Cols[i]
		default:
			w.bufs[i].Take(b.Cols[i], lefts)
			w.out.Cols[i] = &w.bufs[i].Vec
		}
	}
}

// pairs handles a batch in general.
func (w *prober) pairs(b *vector.Batch) error {
	t := w.p.table
	w.in, w.open = b, -1
	w.lefts, w.rights = w.lefts[:0], w.rights[:0]
	sel := b.Sel
	if sel == nil {
		sel = vector.Identity[:b.N]
	}
	// A left join with a residual can only tell which rows are unmatched once all
	// their pairs have been tested.
	tested := w.p.kind == plan.Left && w.residual != nil
	for _, r := range sel {
		var ids []int64
		if t.every {
			ids = t.ids
		} else if k := w.numbers[r]; k != noKey {
			ids = t.ids[t.starts[k]:t.starts[k+1]]
		}
		if len(ids) == 0 && w.p.kind == plan.Left {
			if err := w.pair(r, -1, tested); err != nil {
				return err
			}
		}
		for _, id := range ids {
			if err := w.pair(r, id, tested); err != nil {
				return err
			}
		}
	}
	if !tested {
		return w.flush()
	}
	if err := w.test(); err != nil {
		return err
	}
	if err := w.close(); err != nil {
		return err
	}
	return w.flushTested()
}

func (w *prober) pair(left uint16, right int64, tested bool) error {
	w.lefts = append(w.lefts, left)
	w.rights = append(w.rights, right)
	if len(w.lefts) < vector.Size {
		return nil
	}
	if tested {
		return w.test()
	}
	return w.flush()
}

func (w *prober) flush() error {
	if w.p.c.stop.Load() {
		return errStopped
	}
	if len(w.lefts) == 0 {
		return nil
	}
	err := w.send(w.in, w.lefts, w.rights, false, w.residual)
	w.lefts, w.rights = w.lefts[:0], w.rights[:0]
	return err
}

// test applies the residual of a left join to the pairs at hand.
func (w *prober) test() error {
	if w.p.c.stop.Load() {
		return errStopped
	}
	w.fill(w.in, w.lefts, w.rights, false)
	w.residual.Filter(&w.out)
	passed := w.out.Sel
	for i, left := range w.lefts {
		if int(left) != w.open {
			if err := w.close(); err != nil {
				return err
			}
			w.open, w.matched = int(left), false
		}
		if len(passed) == 0 || int(passed[0]) != i {
			continue
		}
		passed = passed[1:]
		if w.rights[i] < 0 {
			continue // no partner to test; close sends the row on
		}
		w.matched = true
		if err := w.emit(left, w.rights[i]); err != nil {
			return err
		}
	}
	w.lefts, w.rights = w.lefts[:0], w.rights[:0]
	return nil
}

// close ends the pairs of a left row; without a partner it is kept alone.
func (w *prober) close() error {
	if w.open < 0 || w.matched {
		w.open = -1
		return nil
	}
	left := uint16(w.open)
	w.open = -1
	return w.emit(left, -1)
}

func (w *prober) emit(left uint16, right int64) error {
	w.outLefts = append(w.outLefts, left)
	w.outRights = append(w.outRights, right)
	if len(w.outLefts) < vector.Size {
		return nil
	}
	return w.flushTested()
}

func (w *prober) flushTested() error {
	if len(w.outLefts) == 0 {
		return nil
	}
	// The residual's state still refers to the output batch, which is used anew here.
	err := w.send(w.in, w.outLefts, w.outRights, false, nil)
	w.outLefts, w.outRights = w.outLefts[:0], w.outRights[:0]
	return err
}
