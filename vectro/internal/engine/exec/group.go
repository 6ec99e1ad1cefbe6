package exec

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
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
// in the order of the runs. Where nearly every row has a key of its own, looking
// groups up twice, here and when merging, would be in vain: then a partial result
// takes every row for a group and leaves it to the merge to join equal ones.
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

	free    bool // some aggregate does not depend on the order of rows
	ordered bool // some aggregate does

	groups atomic.Int64 // hashed: the most groups that a partial result has had

	mu      sync.Mutex
	workers []*groupWorker
	pending map[int]*partial // dense: runs that wait for an earlier one
	next    int              // dense: the run to merge next
	merged  *partial         // dense: the runs merged so far
	all     []uint32         // dense: all groups
	spare   []*partial       // dense: merged and empty again
	runs    []*partial       // hashed: by run or, if no aggregate is ordered, in any order
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
	seen   int           // hashed: rows taken
	append bool          // hashed: every row is a group
}

func newGrouping(c *call, s *stream, keys []plan.Expr) (*grouping, error) {
	g := &grouping{c: c, cols: s.cols, keys: keys, pending: map[int]*partial{}}
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

// add gives g one more aggregate.
func (g *grouping) add(a aggregate) {
	g.aggs = append(g.aggs, a)
	if a.ordered {
		g.ordered = true
	} else {
		g.free = true
	}
}

func every(*aggregate) bool       { return true }
func isFree(a *aggregate) bool    { return !a.ordered }
func isOrdered(a *aggregate) bool { return a.ordered }

// accumulators makes an empty one for each aggregate that want picks.
func (g *grouping) accumulators(want func(a *aggregate) bool) []accumulator {
	accs := make([]accumulator, len(g.aggs))
	for i := range g.aggs {
		if want(&g.aggs[i]) {
			accs[i] = g.aggs[i].make()
		}
	}
	return accs
}

// newPartial makes an empty partial result with the aggregates that want picks.
func (g *grouping) newPartial(want func(a *aggregate) bool) *partial {
	p := &partial{accs: g.accumulators(want)}
	if g.hashed {
		p.table = newWordTable(g.stride)
		p.table.reserve(int(min(g.groups.Load(), col.ChunkRows)))
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
	lanes   []int32
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
	switch {
	case !g.hashed && (g.free || !g.ordered):
		w.free = g.newPartial(isFree)
	case g.hashed && !g.ordered:
		w.free = g.newPartial(every)
	}
	g.mu.Lock()
	g.workers = append(g.workers, w)
	g.mu.Unlock()
	return w
}

func (w *groupWorker) begin(run int) error {
	g := w.g
	w.order = int64(run) << 36
	switch {
	case !g.ordered:
	case g.hashed:
		w.ordered = g.newPartial(every)
	default:
		w.ordered = g.takeSpare()
		if w.ordered == nil {
			w.ordered = g.newPartial(isOrdered)
		}
	}
	return nil
}

func (g *grouping) takeSpare() *partial {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := len(g.spare)
	if n == 0 {
		return nil
	}
	p := g.spare[n-1]
	g.spare = g.spare[:n-1]
	return p
}

// reset empties a partial result for another run, if its accumulators can.
func (p *partial) reset() bool {
	for _, a := range p.accs {
		if a == nil {
			continue
		}
		r, ok := a.(interface{ reset() })
		if !ok {
			return false
		}
		r.reset()
	}
	clear(p.rows)
	return true
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
		w.look(keyed, groups, sel)
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
		w.countRows(p.rows, groups, b)
		if err := p.account(g.c); err != nil {
			return err
		}
	}
	w.order += vector.Size
	return nil
}

const (
	judged   = 8192    // rows after which it is decided whether to look groups up
	sealRows = 1 << 20 // rows after which a partial result of single rows is closed
)

// look finds the groups of the rows of sel, whose keys are in w.packed.
func (w *groupWorker) look(p *partial, groups []uint32, sel []uint16) {
	if p.append {
		p.table.append(groups, w.packed, sel)
	} else {
		p.table.assign(groups, w.packed, sel)
		if p.seen < judged && p.seen+len(sel) >= judged {
			p.append = p.table.len() > (p.seen+len(sel))/4*3
		}
	}
	p.seen += len(sel)
	p.resize(p.table.len())
}

// countRows adds the batch's rows to those of their groups. Few groups are counted
// in four lanes: additions to one and the same number would wait for each other.
func (w *groupWorker) countRows(rows []int64, groups []uint32, b *vector.Batch) {
	switch {
	case groups == nil:
		rows[0] += int64(b.Rows())
	case b.Sel != nil:
		for _, r := range b.Sel {
			rows[groups[r]]++
		}
	case len(rows) <= laneGroups/4:
		k := len(rows)
		w.lanes = grown(w.lanes, 4*k)
		a, b0, c, d := w.lanes[:k], w.lanes[k:2*k], w.lanes[2*k:3*k], w.lanes[3*k:4*k]
		x := groups[:b.N]
		for len(x) >= 4 {
			a[x[0]]++
			b0[x[1]]++
			c[x[2]]++
			d[x[3]]++
			x = x[4:]
		}
		for _, g := range x {
			a[g]++
		}
		for g := range rows {
			rows[g] += int64(a[g] + b0[g] + c[g] + d[g])
		}
		clear(w.lanes)
	default:
		for _, g := range groups[:b.N] {
			rows[g]++
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
	if g.hashed {
		w.endHashed(run)
		return nil
	}
	p := w.ordered
	if p == nil {
		return nil
	}
	w.ordered = nil
	g.mu.Lock()
	defer g.mu.Unlock()
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
			g.merged = g.newPartial(isOrdered)
			if err := g.merged.account(g.c); err != nil {
				return err
			}
			g.all = identity(len(p.rows))
		}
		merge(g.merged, p, g.all, g.all)
		if p.reset() {
			g.spare = append(g.spare, p)
		} else {
			p.drop(g.c)
		}
	}
}

// endHashed keeps the partial result of a run, or closes a worker's that holds a
// group per row.
func (w *groupWorker) endHashed(run int) {
	g := w.g
	p := w.ordered
	if p == nil {
		if p = w.free; !p.append || p.seen < sealRows {
			return
		}
		w.free = g.newPartial(every)
		run = -1
	}
	w.ordered = nil
	for n := int64(p.table.len()); !p.append; {
		old := g.groups.Load()
		if n <= old || g.groups.CompareAndSwap(old, n) {
			break
		}
	}
	p.table.forget()
	g.mu.Lock()
	defer g.mu.Unlock()
	if run < 0 {
		g.runs = append(g.runs, p)
		return
	}
	for len(g.runs) <= run {
		g.runs = append(g.runs, nil)
	}
	g.runs[run] = p
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
	for _, w := range g.workers {
		if w.free != nil {
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
	if len(keys) == 1 {
		keys[0] = g.domains[0].decode(packed)
		return keys
	}
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
	free, ordered := (*partial)(nil), g.merged
	for _, w := range g.workers {
		switch {
		case w.free == nil:
		case free == nil:
			free = w.free
		default:
			all := identity(len(w.free.rows))
			merge(free, w.free, all, all)
			w.free.drop(g.c)
		}
	}
	if ordered == nil { // no unit, or no such aggregate
		ordered = g.newPartial(isOrdered)
	}
	rows := ordered.rows
	if free == nil && (g.free || !g.ordered) {
		free = g.newPartial(isFree)
	}
	if free != nil {
		rows = free.rows
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
	for i, n := range rows {
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

// Large partial results are merged in partitions by hash, so that workers can
// share the work and a partition's table stays in a processor's cache.
const (
	partitionGroups = 1 << 14 // groups that a partition is meant for
	maxPartitionLog = 10
)

// mergeHashed merges partial results, in their order, into one or, if they are
// large, into one per partition.
func (g *grouping) mergeHashed(ctx context.Context, parts []*partial) ([]*partial, error) {
	kept := parts[:0:0]
	total := 0
	for _, p := range parts {
		if p != nil && p.table.len() > 0 {
			kept = append(kept, p)
			total += p.table.len()
		}
	}
	if len(kept) == 0 || len(kept) == 1 && !g.ordered && !kept[0].append {
		return kept, nil
	}
	intern, err := g.unify(kept)
	if err != nil {
		return nil, err
	}
	log := 0
	for log < maxPartitionLog && total > partitionGroups<<log {
		log++
	}
	n := 1 << log
	partitionOf := func(h uint64) uint64 { return h >> 32 >> (32 - log) }
	// The groups of every partial result, by partition.
	type split struct {
		ids    []uint32
		hashes []uint64 // in the order of ids
		starts []uint32
	}
	splits := make([]split, len(kept))
	err = g.c.parallel(ctx, len(kept), func() func(int) error {
		return func(i int) error {
			t := kept[i].table
			if err := g.c.grow(int64(t.len())*20 + int64(n)*4); err != nil {
				return err
			}
			s := &splits[i]
			hashes := make([]uint64, t.len())
			s.starts = make([]uint32, n+1)
			for k := range hashes {
				h := hashKey(t.key(uint32(k)))
				hashes[k] = h
				s.starts[partitionOf(h)+1]++
			}
			for q := range n {
				s.starts[q+1] += s.starts[q]
			}
			at := slices.Clone(s.starts)
			s.ids, s.hashes = make([]uint32, t.len()), make([]uint64, t.len())
			for k, h := range hashes {
				q := partitionOf(h)
				s.ids[at[q]], s.hashes[at[q]] = uint32(k), h
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
		slots := newWordTable(g.stride)
		return func(q int) error {
			into := &partial{accs: g.accumulators(every), table: slots}
			slots.empty()
			for i, p := range kept {
				if g.c.stop.Load() {
					return errStopped
				}
				s := &splits[i]
				from, to := s.starts[q], s.starts[q+1]
				src, hashes := s.ids[from:to], s.hashes[from:to]
				dst = dst[:0]
				into.table.reserve(len(src))
				for j, k := range src {
					dst = append(dst, into.table.insert(p.table.key(k), hashes[j]))
				}
				into.resize(into.table.len())
				merge(into, p, src, dst)
				if err := into.account(g.c); err != nil {
					return err
				}
			}
			into.table = &wordTable{stride: g.stride, keys: slots.keys}
			into.intern = intern // unify has accounted for it
			out[q] = into
			return nil
		}
	})
	for _, p := range kept {
		p.drop(g.c)
	}
	return out, err
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
