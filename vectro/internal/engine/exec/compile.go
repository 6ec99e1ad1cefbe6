package exec

import (
	"context"
	"slices"
	"sync"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/eval"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/vector"
)

// stream compiles n to a pipeline that yields its rows in order. Whatever below n
// must be complete before the first row (a group, a sort, the right side of a
// join) is run here.
func (c *call) stream(ctx context.Context, n plan.Node) (*stream, error) {
	switch n := n.(type) {
	case *plan.Scan:
		src := newTableSource(n)
		s := &stream{src: src}
		for i := range src.cols {
			x := &src.cols[i]
			s.cols = append(s.cols, column{t: x.t, dict: x.col.Dict, stable: true, origin: x.col})
		}
		return s, nil
	case *plan.Filter:
		s, err := c.stream(ctx, n.In)
		if err != nil {
			return nil, err
		}
		cond := n.Cond
		first := len(s.steps) == 0 && s.all()
		if t, ok := s.src.(*tableSource); ok && first {
			s.tests, cond = t.predicates(cond)
			if s.skip = t.skipper(s.tests); cond == nil {
				return s, nil
			}
		}
		p, err := eval.Compile(cond)
		if err != nil {
			return nil, err
		}
		if uses := columnsOf(cond); first {
			s.cond, s.uses = p, uses
		} else {
			s.steps = append(s.steps, &filterStep{p, uses})
		}
		return s, nil
	case *plan.Project:
		s, err := c.stream(ctx, n.In)
		if err != nil {
			return nil, err
		}
		step, err := newProjectStep(n.Exprs, len(s.cols))
		if err != nil {
			return nil, err
		}
		cols := make([]column, len(n.Exprs))
		for i, e := range n.Exprs {
			cols[i].t = e.Type()
			if x, ok := e.(*plan.Column); ok {
				cols[i] = s.cols[x.Index]
			}
		}
		s.steps, s.cols = append(s.steps, step), cols
		return s, nil
	case *plan.Join:
		return c.join(ctx, n)
	}
	r, _, err := c.fetch(ctx, n, -1, false)
	if err != nil {
		return nil, err
	}
	return &stream{src: r, cols: r.describe()}, nil
}

// fetch computes the first rows of n, most of them (<0: all). With count it also
// returns how many rows n has in all.
func (c *call) fetch(ctx context.Context, n plan.Node, most int64, count bool) (*relation, int64, error) {
	switch n := n.(type) {
	case *plan.Values:
		r, err := c.values(n)
		if err != nil {
			return nil, 0, err
		}
		return c.first(r, most)
	case *plan.Aggregate:
		r, err := c.aggregate(ctx, n)
		if err != nil {
			return nil, 0, err
		}
		return c.first(r, most)
	case *plan.Distinct:
		r, err := c.distinct(ctx, n)
		if err != nil {
			return nil, 0, err
		}
		return c.first(r, most)
	case *plan.Limit:
		return c.limit(ctx, n, most, count)
	case *plan.Sort:
		return c.sort(ctx, n, most)
	case *plan.Project:
		if most < 0 {
			break
		}
		// Expressions are computed for the rows of the answer alone.
		r, total, err := c.fetch(ctx, n.In, most, count)
		if err != nil {
			return nil, 0, err
		}
		p, err := newProjectStep(n.Exprs, len(r.cols))
		if err != nil {
			return nil, 0, err
		}
		cols := make([]column, len(n.Exprs))
		in := r.describe()
		for i, e := range n.Exprs {
			cols[i].t = e.Type()
			if x, ok := e.(*plan.Column); ok {
				cols[i] = in[x.Index]
			}
		}
		out, err := c.collect(ctx, &stream{src: r, steps: []step{p}, cols: cols}, -1, false)
		if err != nil {
			return nil, 0, err
		}
		return out.relation, total, nil
	}
	s, err := c.stream(ctx, n)
	if err != nil {
		return nil, 0, err
	}
	k, err := c.collect(ctx, s, most, count)
	if err != nil {
		return nil, 0, err
	}
	return k.relation, k.total, nil
}

// first cuts a relation to its first rows.
func (c *call) first(r *relation, most int64) (*relation, int64, error) {
	if most < 0 || most >= r.total {
		return r, r.total, nil
	}
	out, err := c.gathered(r, r.describe(), firstNumbers(r, most))
	return out, r.total, err
}

// firstNumbers returns the numbers of the first rows of a source.
func firstNumbers(src source, most int64) []int64 {
	var ids []int64
	for u := 0; u < src.units() && int64(len(ids)) < most; u++ {
		rows := src.unit(u)
		for b := range batches(rows) {
			base := src.number(u, b)
			for i := range min(vector.Size, rows-b*vector.Size) {
				if int64(len(ids)) == most {
					return ids
				}
				ids = append(ids, base+int64(i))
			}
		}
	}
	return ids
}

func (c *call) values(n *plan.Values) (*relation, error) {
	cols := make([]vector.Vec, len(n.Out))
	for i, f := range n.Out {
		vals := make([]plan.Value, len(n.Rows))
		for r, row := range n.Rows {
			vals[r] = row[i]
		}
		cols[i] = vecOf(f.Type, vals)
	}
	return c.flatRelation(cols, identity(len(n.Rows)))
}

func (c *call) aggregate(ctx context.Context, n *plan.Aggregate) (*relation, error) {
	s, err := c.stream(ctx, n.In)
	if err != nil {
		return nil, err
	}
	g, err := newGrouping(c, s, n.Keys)
	if err != nil {
		return nil, err
	}
	for i := range n.Aggs {
		a, err := newAggregate(&n.Aggs[i], s.cols, s.src.rows(), g.size)
		if err != nil {
			return nil, err
		}
		g.add(a)
	}
	if err := c.run(ctx, s, g); err != nil {
		return nil, err
	}
	return g.finish(ctx)
}

func (c *call) distinct(ctx context.Context, n *plan.Distinct) (*relation, error) {
	s, err := c.stream(ctx, n.In)
	if err != nil {
		return nil, err
	}
	schema := n.Schema()
	keys := make([]plan.Expr, len(schema))
	for i, f := range schema {
		keys[i] = &plan.Column{Index: i, Field: f}
	}
	g, err := newGrouping(c, s, keys)
	if err != nil {
		return nil, err
	}
	g.first = true
	g.add(aggregate{t: plan.Type{Base: plan.Int}, make: func() accumulator { return &firstSeen{} }})
	if err := c.run(ctx, s, g); err != nil {
		return nil, err
	}
	return g.finish(ctx)
}

func (c *call) limit(ctx context.Context, n *plan.Limit, most int64, count bool) (*relation, int64, error) {
	offset := max(0, n.Offset)
	want := n.Count // rows of the limit that are to be built; <0: all
	if most >= 0 && (want < 0 || want > most) {
		want = most
	}
	reach := int64(-1)
	if want >= 0 {
		if reach = offset + want; reach < 0 { // beyond int64
			reach = -1
		}
	}
	r, total, err := c.fetch(ctx, n.In, reach, count)
	if err != nil {
		return nil, 0, err
	}
	if total = max(0, total-offset); n.Count >= 0 {
		total = min(total, n.Count)
	}
	if offset == 0 && (want < 0 || r.total <= want) {
		return r, total, nil
	}
	ids := firstNumbers(r, r.total)
	ids = ids[min(offset, int64(len(ids))):]
	if want >= 0 && int64(len(ids)) > want {
		ids = ids[:want]
	}
	out, err := c.gathered(r, r.describe(), ids)
	return out, total, err
}

// topShare is the part of the rows, one in so many, below which it is cheaper to
// keep the best ones than to sort all.
const topShare = 8

func (c *call) sort(ctx context.Context, n *plan.Sort, most int64) (*relation, int64, error) {
	s, err := c.stream(ctx, n.In)
	if err != nil {
		return nil, 0, err
	}
	top := -1
	if most >= 0 && most < max(1024, min(maxRefetched, s.src.rows()/topShare)) {
		top = int(most)
	} else if s, err = c.addressed(ctx, s); err != nil {
		return nil, 0, err
	}
	k, err := newSorting(c, s, n.Keys, top)
	if err != nil {
		return nil, 0, err
	}
	if err := c.run(ctx, s, k); err != nil {
		return nil, 0, err
	}
	ids, err := k.finish(ctx)
	if err != nil {
		return nil, 0, err
	}
	if most >= 0 && int64(len(ids)) > most {
		ids = ids[:most]
	}
	r, err := c.refetch(ctx, s, ids)
	return r, k.total(), err
}

// addressed returns s or, where steps keep its rows from being found by number in
// the source, a stream over the rows that have been computed.
func (c *call) addressed(ctx context.Context, s *stream) (*stream, error) {
	if len(s.steps) == 0 {
		return s, nil
	}
	k, err := c.collect(ctx, s, -1, false)
	if err != nil {
		return nil, err
	}
	return &stream{src: k.relation, cols: k.relation.describe()}, nil
}

// collect computes the first rows of a stream, most of them (<0: all), and with
// count the number of all.
func (c *call) collect(ctx context.Context, s *stream, most int64, count bool) (*collecting, error) {
	k := &collecting{c: c, cols: s.cols, most: most, count: count}
	if len(s.steps) == 0 && s.all() {
		k.total = s.src.rows()
		if r, ok := s.src.(*relation); ok && (most < 0 || most >= r.total) {
			k.relation = r
			return k, nil
		}
		if most >= 0 {
			var err error
			k.relation, err = c.gathered(s.src, s.cols, firstNumbers(s.src, most))
			return k, err
		}
	}
	// Few rows are fetched later, by number; many are better copied as they come.
	k.byNumber = most >= 0 && (len(s.steps) == 0 || most <= maxRefetched)
	units := s.src.units()
	k.ids = make([][]int64, units)
	k.builders = make([]*rowBuilder, units)
	k.counts = make([]int64, units)
	k.done = make([]bool, units)
	if err := c.run(ctx, s, k); err != nil {
		return nil, err
	}
	k.total = 0
	for _, n := range k.counts {
		k.total += n
	}
	var err error
	if k.byNumber {
		var ids []int64
		for _, part := range k.ids {
			ids = append(ids, part...)
		}
		ids = ids[:min(int64(len(ids)), most)]
		k.relation, err = c.refetch(ctx, s, ids)
		return k, err
	}
	if k.relation, err = assemble(s.cols, k.builders); err != nil || most < 0 {
		return k, err
	}
	k.relation, _, err = c.first(k.relation, most)
	return k, err
}

// maxRefetched is the most rows that are computed a second time rather than kept.
const maxRefetched = 1 << 14

// refetch returns the rows of a stream with the given numbers, in that order.
// After steps the batches of the source that the rows come from are read and sent
// through them once more.
func (c *call) refetch(ctx context.Context, s *stream, numbers []int64) (*relation, error) {
	if len(s.steps) == 0 {
		return c.gathered(s.src, s.cols, numbers)
	}
	order := slices.Clone(numbers)
	slices.Sort(order)
	order = slices.Compact(order)
	// The numbers of one batch of the source are a unit of work.
	var cuts []int
	for i, id := range order {
		if i == 0 || id>>placeBits != order[i-1]>>placeBits {
			cuts = append(cuts, i)
		}
	}
	cuts = append(cuts, len(order))
	need := s.needs(all(len(s.cols)))
	builders := make([]*rowBuilder, len(cuts)-1)
	err := c.parallel(ctx, len(builders), func() func(int) error {
		scan := newScanner(c, s, need[0])
		var want []int64 // numbers still to come
		var rows *rowBuilder
		var sel []uint16
		next := s.chain(scan, need, func(b *vector.Batch) error {
			sel = sel[:0]
			for first := scan.number(0); len(want) > 0 && want[0] < first+int64(b.N); want = want[1:] {
				sel = append(sel, uint16(want[0]-first))
			}
			if len(sel) == 0 {
				return nil
			}
			picked := vector.Batch{N: b.N, Sel: sel, Cols: b.Cols}
			return rows.add(&picked, -1)
		})
		return func(i int) error {
			want = order[cuts[i]:cuts[i+1]]
			rows = newRowBuilder(c, s.cols)
			builders[i] = rows
			at := want[0] >> placeBits
			return scan.one(int(at>>batchBits), int(at&(1<<batchBits-1)), next)
		}
	})
	if err != nil {
		return nil, err
	}
	r, err := assemble(s.cols, builders)
	if err != nil || slices.IsSorted(numbers) {
		return r, err
	}
	found := firstNumbers(r, r.total)
	ids := make([]int64, len(numbers))
	for i, id := range numbers {
		at, _ := slices.BinarySearch(order, id)
		ids[i] = found[at]
	}
	return c.gathered(r, r.describe(), ids)
}

// collecting is the sink of collect: it keeps, per unit, the numbers of the first
// rows or the rows themselves.
type collecting struct {
	c        *call
	cols     []column
	most     int64
	count    bool
	byNumber bool
	ids      [][]int64
	builders []*rowBuilder
	counts   []int64

	mu     sync.Mutex
	done   []bool
	prefix int   // units from the start that are done
	before int64 // their rows

	relation *relation
	total    int64
}

func (k *collecting) needs() []bool {
	need := make([]bool, len(k.cols))
	for i := range need {
		need[i] = !k.byNumber
	}
	return need
}

func (k *collecting) run(int) int { return 1 }

// enough reports whether the units before are known to hold all rows wanted.
func (k *collecting) enough() bool {
	if k.most < 0 {
		return false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.before >= k.most
}

type collectWorker struct {
	k     *collecting
	scan  *scanner
	unit  int
	count int64
	ids   []int64
	rows  *rowBuilder
	idle  bool // no more rows are wanted, only counted
}

func (k *collecting) worker(scan *scanner) sinkWorker { return &collectWorker{k: k, scan: scan} }

func (w *collectWorker) begin(unit int) error {
	w.unit, w.count, w.ids = unit, 0, nil
	w.idle = w.k.enough()
	w.rows = newRowBuilder(w.k.c, w.k.cols)
	return nil
}

func (w *collectWorker) push(b *vector.Batch) error {
	k := w.k
	have := w.count
	w.count += int64(b.Rows())
	if !w.idle {
		left := int64(-1)
		if k.most >= 0 {
			left = max(0, k.most-have)
		}
		if k.byNumber {
			sel := b.Sel
			if sel == nil {
				sel = vector.Identity[:b.N]
			}
			for _, r := range sel[:min(int64(len(sel)), left)] {
				w.ids = append(w.ids, w.scan.number(r))
			}
		} else if err := w.rows.add(b, int(min(left, vector.Size))); err != nil {
			return err
		}
		w.idle = k.most >= 0 && w.count >= k.most
	}
	if w.idle && !k.count {
		w.scan.done = true
	}
	return nil
}

func (w *collectWorker) end(unit int) error {
	k := w.k
	k.ids[unit], k.counts[unit] = w.ids, w.count
	if !k.byNumber {
		k.builders[unit] = w.rows
		if err := w.rows.flush(); err != nil {
			return err
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.done[unit] = true
	for k.prefix < len(k.done) && k.done[k.prefix] {
		k.before += k.counts[k.prefix]
		k.prefix++
	}
	return k.c.grow(int64(cap(w.ids)) * 8)
}
