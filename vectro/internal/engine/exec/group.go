package exec

import (
	"context"
	"errors"
	"sync"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/eval"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/vector"
)

// maxDense is the most groups that get an array entry each without being looked up.
const maxDense = 1 << 20

// grouping is the sink that groups rows and computes aggregates. Groups are
// found in one of four ways:
//
//	single  there are no keys, hence one group
//	dense   the keys' ordinals together are a small number: it is the group
//	packed  they are one number: it is looked up in a hash table
//	wide    the keys are words, looked up together in a hash table
//
// Partial results are kept per worker where no aggregate depends on the order of
// the rows. Those that do (sums of float64) are kept per run of units and merged
// in the order of the runs.
type grouping struct {
	c       *call
	cols    []column
	keys    []plan.Expr
	progs   []*eval.Program // wide: of the keys
	domains []*domain       // single, dense, packed
	aggs    []aggregate
	size    uint64 // single, dense: the number of groups
	hashed  bool
	stride  int  // words of a wide or packed key
	first   bool // distinct: keep the order of first sight

	mu      sync.Mutex
	workers []*groupWorker
	pending map[int]*partial // dense: runs that wait for an earlier one
	next    int              // dense: the run to merge next
	merged  *partial         // dense: the runs merged so far
	runs    []*partial       // hashed and ordered: by run
}

// aggregate is one aggregate of a grouping.
type aggregate struct {
	t       plan.Type
	args    []*eval.Program
	filter  *eval.Program
	uses    []int
	make    func() accumulator
	all     bool // it looks at rows whose argument is missing, too
	ordered bool
}

// partial is the state of the groups of some rows.
type partial struct {
	table  *wordTable  // hashed
	intern []*interner // wide: per key, nil where its words are plain
	rows   []int64
	accs   []accumulator // per aggregate; nil where the other partial has it
	held   int64         // bytes of the budget
}

var errTooMuchText = errors.New("Grouping needs more than 4 GiB of distinct text. Filter more, or group by fewer columns.")

func newGrouping(c *call, s *stream, keys []plan.Expr, aggs []aggregate) (*grouping, error) {
	g := &grouping{c: c, cols: s.cols, keys: keys, aggs: aggs, pending: map[int]*partial{}}
	rows := s.src.rows()
	for _, k := range keys {
		d, err := domainOf(k, s.cols, rows)
		if err != nil {
			return nil, err
		}
		if d == nil {
			g.domains = nil
			break
		}
		g.domains = append(g.domains, d)
	}
	if p, ok := product(g.domains); ok && len(g.domains) == len(keys) {
		if p <= maxDense && int64(p) <= max(4096, 4*rows) {
			g.size = p
			return g, nil
		}
		g.hashed, g.stride = true, 1
		return g, nil
	}
	g.domains = nil
	g.hashed = true
	g.stride = len(keys) + (len(keys)+63)/64
	for _, k := range keys {
		p, err := eval.Compile(k)
		if err != nil {
			return nil, err
		}
		g.progs = append(g.progs, p)
	}
	return g, nil
}

func (g *grouping) needs() []bool {
	need := make([]bool, len(g.cols))
	for _, k := range g.keys {
		for _, i := range columnsOf(k) {
			need[i] = true
		}
	}
	for _, a := range g.aggs {
		for _, i := range a.uses {
			need[i] = true
		}
	}
	return need
}

// fewGroups is the number of groups up to which merging a partial result costs
// next to nothing beside the rows of a chunk.
const fewGroups = 4096

func (g *grouping) run(units int) int {
	if !g.hashed && g.size <= fewGroups {
		return 1
	}
	return min(8, max(1, units/16))
}

// anyOrdered reports whether some aggregate depends on the order of rows.
func (g *grouping) anyOrdered() bool {
	for _, a := range g.aggs {
		if a.ordered {
			return true
		}
	}
	return false
}

// newPartial makes an empty partial result with the aggregates that want picks.
func (g *grouping) newPartial(want func(a *aggregate) bool) *partial {
	p := &partial{accs: make([]accumulator, len(g.aggs))}
	for i := range g.aggs {
		if want(&g.aggs[i]) {
			p.accs[i] = g.aggs[i].make()
		}
	}
	if g.hashed {
		p.table = newWordTable(g.stride)
		if g.domains == nil {
			p.intern = make([]*interner, len(g.keys))
			for i, k := range g.keys {
				if interned(k.Type()) {
					p.intern[i] = newInterner(sharedDict(k, g.cols))
				}
			}
		}
	} else {
		p.resize(int(g.size))
	}
	return p
}

func (p *partial) resize(n int) {
	if n <= len(p.rows) && n > 0 {
		return
	}
	p.rows = grown(p.rows, n)
	for _, a := range p.accs {
		if a != nil {
			a.resize(n)
		}
	}
}

// account brings what is held of the budget up to what the partial uses.
func (p *partial) account(c *call) error {
	n := bytesOf(p.rows)
	if p.table != nil {
		n += p.table.bytes()
	}
	for _, t := range p.intern {
		if t != nil {
			if t.full {
				return errTooMuchText
			}
			n += t.bytes()
		}
	}
	for _, a := range p.accs {
		if a != nil {
			n += a.bytes()
		}
	}
	if n > p.held {
		if err := c.grow(n - p.held); err != nil {
			return err
		}
		p.held = n
	}
	return nil
}

func (p *partial) drop(c *call) {
	c.shrink(p.held)
	p.held = 0
}

type groupWorker struct {
	g       *grouping
	keys    []*eval.State
	args    [][]*eval.State
	filters []*eval.State
	free    *partial // aggregates (hashed: everything) kept for all of the worker's runs
	ordered *partial // those of the present run
	groups  []uint32
	packed  []uint64
	sels    [][]uint16
	in      input
	order   int64 // position of the batch's first row in the stream
}

func (g *grouping) worker(*scanner) sinkWorker {
	w := &groupWorker{g: g, groups: make([]uint32, vector.Size)}
	if g.hashed {
		w.packed = make([]uint64, vector.Size*g.stride)
	}
	for _, d := range g.domains {
		w.keys = append(w.keys, d.prog.NewState())
	}
	for _, p := range g.progs {
		w.keys = append(w.keys, p.NewState())
	}
	for _, a := range g.aggs {
		var args []*eval.State
		for _, p := range a.args {
			args = append(args, p.NewState())
		}
		w.args = append(w.args, args)
		var f *eval.State
		if a.filter != nil {
			f = a.filter.NewState()
		}
		w.filters = append(w.filters, f)
		w.sels = append(w.sels, make([]uint16, 0, vector.Size))
	}
	if !g.hashed {
		w.free = g.newPartial(func(a *aggregate) bool { return !a.ordered })
	} else if !g.anyOrdered() {
		w.free = g.newPartial(func(*aggregate) bool { return true })
	}
	g.mu.Lock()
	g.workers = append(g.workers, w)
	g.mu.Unlock()
	return w
}

func (w *groupWorker) begin(run int) error {
	g := w.g
	w.order = int64(run) << 36
	if !g.anyOrdered() {
		return nil
	}
	if g.hashed {
		w.ordered = g.newPartial(func(*aggregate) bool { return true })
		return nil
	}
	w.ordered = g.newPartial(func(a *aggregate) bool { return a.ordered })
	return nil
}

func (w *groupWorker) push(b *vector.Batch) error {
	g := w.g
	groups := w.groups
	keyed := w.free
	if keyed == nil {
		keyed = w.ordered
	}
	switch {
	case len(g.keys) == 0:
		groups = nil
	case !g.hashed:
		for i, d := range g.domains {
			put(d, groups, w.keys[i].Eval(b), b.Sel, i == 0)
		}
	default:
		sel := b.Sel
		if sel == nil {
			sel = vector.Identity[:b.N]
		}
		if g.domains != nil {
			for i, d := range g.domains {
				put(d, w.packed, w.keys[i].Eval(b), b.Sel, i == 0)
			}
		} else {
			w.widen(b, sel, keyed)
		}
		keyed.table.assign(groups, w.packed, sel)
		keyed.resize(keyed.table.len())
	}
	for i := range g.aggs {
		p := w.ordered
		if p == nil || p.accs[i] == nil {
			p = w.free
		}
		w.update(i, p, b, groups)
	}
	for _, p := range [2]*partial{w.free, w.ordered} {
		if p == nil {
			continue
		}
		countRows(p.rows, groups, b)
		if err := p.account(g.c); err != nil {
			return err
		}
	}
	w.order += vector.Size
	return nil
}

func countRows(rows []int64, groups []uint32, b *vector.Batch) {
	switch {
	case groups == nil:
		rows[0] += int64(b.Rows())
	case b.Sel == nil:
		for _, g := range groups[:b.N] {
			rows[g]++
		}
	default:
		for _, r := range b.Sel {
			rows[groups[r]]++
		}
	}
}

// widen writes the words of wide keys: first the bits of missing values, then
// one word a key, 0 if missing.
func (w *groupWorker) widen(b *vector.Batch, sel []uint16, p *partial) {
	g := w.g
	masks := g.stride - len(g.keys)
	for _, r := range sel {
		clear(w.packed[int(r)*g.stride : int(r)*g.stride+masks])
	}
	for i, st := range w.keys {
		v := st.Eval(b)
		at := w.packed[masks+i:]
		encode(at, g.stride, v, sel, p.intern[i])
		if v.Valid == nil && v.T.Base != plan.Null {
			continue
		}
		for _, r := range sel {
			if v.T.Base == plan.Null || !v.Valid.Get(int(r)) {
				at[int(r)*g.stride] = 0
				w.packed[int(r)*g.stride+i/64] |= 1 << (i % 64)
			}
		}
	}
}

// update hands the rows of the batch that aggregate i looks at to its accumulator.
func (w *groupWorker) update(i int, p *partial, b *vector.Batch, groups []uint32) {
	in := &w.in
	sel, own := b.Sel, w.sels[i][:0]
	in.args = in.args[:0]
	for _, st := range w.args[i] {
		v := st.Eval(b)
		in.args = append(in.args, v)
		if w.g.aggs[i].all {
			continue
		}
		if v.T.Base == plan.Null {
			sel = own
		} else if v.Valid != nil {
			sel = vector.Present(own, sel, b.N, v.Valid)
		}
	}
	if f := w.filters[i]; f != nil {
		sel = vector.True(own, sel, b.N, f.Eval(b))
	}
	in.groups, in.sel, in.n, in.rows, in.order = groups, sel, b.N, p.rows, w.order
	in.whole = sel == nil || len(sel) == b.Rows()
	if sel == nil || len(sel) > 0 || !in.whole {
		p.accs[i].update(in)
	}
}

func (w *groupWorker) end(run int) error {
	g := w.g
	p := w.ordered
	if p == nil {
		return nil
	}
	w.ordered = nil
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.hashed {
		for len(g.runs) <= run {
			g.runs = append(g.runs, nil)
		}
		g.runs[run] = p
		return nil
	}
	// Whoever ends the run that the others wait for merges them all.
	g.pending[run] = p
	for {
		p := g.pending[g.next]
		if p == nil {
			return nil
		}
		delete(g.pending, g.next)
		g.next++
		if g.merged == nil {
			g.merged = g.newPartial(func(a *aggregate) bool { return a.ordered })
			if err := g.merged.account(g.c); err != nil {
				return err
			}
		}
		all := identity(len(p.rows))
		merge(g.merged, p, all, all)
		p.drop(g.c)
	}
}

// merge adds groups src of p to groups dst of into.
func merge(into, p *partial, src, dst []uint32) {
	m := merging{into: into.rows, from: p.rows}
	for i, a := range into.accs {
		if a != nil {
			a.merge(p.accs[i], src, dst, &m)
		}
	}
	for i, s := range src {
		into.rows[dst[i]] += p.rows[s]
	}
}

func identity(n int) []uint32 {
	out := make([]uint32, n)
	for i := range out {
		out[i] = uint32(i)
	}
	return out
}

// finish puts the partial results together. The relation has the keys, then the
// aggregates, a row per group: in the order of the keys or, for distinct, of
// first sight.
func (g *grouping) finish(ctx context.Context) (*relation, error) {
	if !g.hashed {
		return g.finishDense(ctx)
	}
	parts := g.runs
	if parts == nil {
		for _, w := range g.workers {
			parts = append(parts, w.free)
		}
	}
	parts, err := g.mergeHashed(ctx, parts)
	if err != nil {
		return nil, err
	}
	n := 0
	for _, p := range parts {
		n += len(p.rows)
	}
	words := make([]uint64, 0, n*g.stride)
	flat := make([]vector.Vec, len(g.aggs))
	for i := range flat {
		vs := make([]vector.Vec, len(parts))
		for k, p := range parts {
			if vs[k], err = p.accs[i].finish(ctx, g.c, p.rows); err != nil {
				return nil, err
			}
		}
		flat[i] = concat(g.aggs[i].t, vs, n)
	}
	for _, p := range parts {
		words = append(words, p.table.keys...)
	}
	if err := g.c.grow(bytesOf(words)); err != nil {
		return nil, err
	}
	var keys []vector.Vec
	if g.domains != nil {
		keys = g.unpack(words)
	} else {
		masks := g.stride - len(g.keys)
		for i, k := range g.keys {
			in := newInterner(nil) // for no group at all
			if len(parts) > 0 {
				in = parts[0].intern[i]
			}
			v := decode(k.Type(), words, g.stride, masks+i, n, in)
			for r := range n {
				if words[r*g.stride+i/64]>>(i%64)&1 == 1 {
					missingAt(&v, r)
				}
			}
			keys = append(keys, v)
		}
	}
	var order []uint32
	switch {
	case g.first:
		last := len(flat) - 1
		if order, err = sortFlat(ctx, g.c, flat[last:], make([]plan.SortKey, 1)); err != nil {
			return nil, err
		}
		flat = flat[:last]
	case g.domains != nil:
		order, err = sortWords(ctx, g.c, words)
	default:
		order, err = sortFlat(ctx, g.c, keys, make([]plan.SortKey, len(keys)))
	}
	if err != nil {
		return nil, err
	}
	return g.c.flatRelation(append(keys, flat...), order)
}

// unpack splits packed keys into their values.
func (g *grouping) unpack(packed []uint64) []vector.Vec {
	keys := make([]vector.Vec, len(g.domains))
	ordinals := make([]uint64, len(packed))
	rest := append([]uint64(nil), packed...)
	for i := len(g.domains) - 1; i >= 0; i-- {
		d := g.domains[i]
		for k, x := range rest {
			ordinals[k] = x % d.radix()
			rest[k] = x / d.radix()
		}
		keys[i] = d.decode(ordinals)
	}
	return keys
}

func (g *grouping) finishDense(ctx context.Context) (*relation, error) {
	var free *partial
	for _, w := range g.workers {
		if free == nil {
			free = w.free
			continue
		}
		all := identity(len(w.free.rows))
		merge(free, w.free, all, all)
		w.free.drop(g.c)
	}
	if free == nil { // no unit, hence no worker
		free = g.newPartial(func(a *aggregate) bool { return !a.ordered })
	}
	ordered := g.merged
	if ordered == nil {
		ordered = g.newPartial(func(a *aggregate) bool { return a.ordered })
	}
	flat := make([]vector.Vec, len(g.aggs))
	for i, a := range g.aggs {
		p := free
		if a.ordered {
			p = ordered
		}
		var err error
		if flat[i], err = p.accs[i].finish(ctx, g.c, p.rows); err != nil {
			return nil, err
		}
	}
	if len(g.keys) == 0 {
		return g.c.flatRelation(flat, []uint32{0})
	}
	present := []uint32{}
	var packed []uint64
	for i, n := range free.rows {
		if n > 0 {
			present = append(present, uint32(i))
			packed = append(packed, uint64(i))
		}
	}
	order := present
	if g.first {
		last := len(flat) - 1
		seen := pickRows(&flat[last], present)
		by, err := sortFlat(ctx, g.c, []vector.Vec{seen}, make([]plan.SortKey, 1))
		if err != nil {
			return nil, err
		}
		order = make([]uint32, len(by))
		in := make([]uint64, len(by))
		for i, k := range by {
			order[i], in[i] = present[k], packed[k]
		}
		packed, flat = in, flat[:last]
	}
	keys := g.unpack(packed)
	for i := range flat {
		flat[i] = pickRows(&flat[i], order)
	}
	return g.c.flatRelation(append(keys, flat...), nil)
}

// partitions is into how many parts, by hash, the merge of large partial results
// is cut, so that workers can share it.
const partitions = 64

// mergeHashed merges partial results, in their order, into one or, if they are
// large, into one per partition of the hash.
func (g *grouping) mergeHashed(ctx context.Context, parts []*partial) ([]*partial, error) {
	kept := parts[:0:0]
	total := 0
	for _, p := range parts {
		if p != nil && p.table.len() > 0 {
			kept = append(kept, p)
			total += p.table.len()
		}
	}
	if len(kept) == 1 && !g.anyOrdered() {
		return kept, nil
	}
	if len(kept) == 0 {
		return nil, nil
	}
	intern, err := g.unify(kept)
	if err != nil {
		return nil, err
	}
	n := 1
	if total > 1<<16 {
		n = partitions
	}
	// The groups of every partial result, by partition.
	type split struct {
		ids    []uint32
		starts [partitions + 1]int
		hashes []uint64
	}
	splits := make([]split, len(kept))
	err = g.c.parallel(ctx, len(kept), func() func(int) error {
		return func(i int) error {
			t := kept[i].table
			if err := g.c.grow(int64(t.len()) * 12); err != nil {
				return err
			}
			s := &splits[i]
			s.hashes = make([]uint64, t.len())
			for k := range s.hashes {
				h := hashKey(t.key(uint32(k)))
				s.hashes[k] = h
				s.starts[partitionOf(h, n)+1]++
			}
			for q := range n {
				s.starts[q+1] += s.starts[q]
			}
			at := s.starts
			s.ids = make([]uint32, t.len())
			for k, h := range s.hashes {
				q := partitionOf(h, n)
				s.ids[at[q]] = uint32(k)
				at[q]++
			}
			return nil
		}
	})
	if err != nil {
		return nil, err
	}
	out := make([]*partial, n)
	err = g.c.parallel(ctx, n, func() func(int) error {
		var dst []uint32
		return func(q int) error {
			into := g.newPartial(func(*aggregate) bool { return true })
			into.intern = nil // unify has accounted for the strings
			for i, p := range kept {
				s := &splits[i]
				src := s.ids[s.starts[q]:s.starts[q+1]]
				dst = dst[:0]
				into.table.reserve(len(src))
				for _, k := range src {
					dst = append(dst, into.table.insert(p.table.key(k), s.hashes[k]))
				}
				into.resize(into.table.len())
				merge(into, p, src, dst)
				if err := into.account(g.c); err != nil {
					return err
				}
			}
			into.intern = intern
			out[q] = into
			return nil
		}
	})
	for _, p := range kept {
		p.drop(g.c)
	}
	return out, err
}

func partitionOf(h uint64, n int) int {
	if n == 1 {
		return 0
	}
	return int(h >> 58) // partitions = 2^6
}

// unify gives all partial results one numbering of the strings in their keys.
func (g *grouping) unify(parts []*partial) ([]*interner, error) {
	if g.domains != nil {
		return nil, nil
	}
	masks := g.stride - len(g.keys)
	out := make([]*interner, len(g.keys))
	for k := range g.keys {
		if parts[0].intern[k] == nil || parts[0].intern[k].shared != nil {
			out[k] = parts[0].intern[k]
			continue
		}
		all := newInterner(nil)
		for _, p := range parts {
			d := p.intern[k].own
			codes := make([]uint64, d.Len())
			for c := range codes {
				codes[c] = uint64(all.add(d.Label(uint32(c))))
			}
			if all.full {
				return nil, errTooMuchText
			}
			t := p.table
			for i := range t.len() {
				key := t.key(uint32(i))
				if key[k/64]>>(k%64)&1 == 0 {
					key[masks+k] = codes[key[masks+k]]
				}
			}
		}
		if err := g.c.grow(all.bytes()); err != nil {
			return nil, err
		}
		out[k] = all
	}
	return out, nil
}
