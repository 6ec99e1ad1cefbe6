package paths

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Bounds of [Graph.Precompute].
const (
	// MaxRows is how many ordered pairs are stored at most.
	MaxRows = 250_000
	// maxSourceWork bounds the search from one table. Beyond it, pairs are left to the
	// live search.
	maxSourceWork = 20_000
)

// Plan says which pairs of tables [Graph.Precompute] answers.
type Plan struct {
	Limits
	// Groups are the clusters of the tables, negative for none: pairs within one are
	// answered, and those within Near declared steps, 2 at most: there no inferred step
	// can be cheaper. Without Groups all pairs are.
	Groups  []int
	Near    int
	MaxRows int // 0: MaxRows
}

// Row is the best path of a pair of tables, From before To. The other direction is
// [Graph.Reversed] of it: it costs the same.
type Row struct {
	From, To int
	Cost     float64
	// Ambiguous: another path costs the same; of a promoted path: another one over
	// declared keys.
	Ambiguous, Promoted bool

	arcs []int32
	cost int64
}

// Path is a row's path.
func (g *Graph) Path(r Row) Path {
	steps := make([]Step, len(r.arcs))
	f := found{arcs: r.arcs, cost: r.cost}
	for i, k := range r.arcs {
		a := &g.arcs[k]
		steps[i] = g.step(int(a.edge), a.reverse)
		if a.inferred {
			f.inferred++
		}
	}
	p := g.path(steps, f)
	p.Ambiguous, p.Promoted = r.Ambiguous, r.Promoted
	return p
}

// Precompute finds the best path of many pairs by one search from each table, as
// [Graph.Search] would put it first. Rows are in order of their tables; they are
// those of least cost when there are more than Plan.MaxRows, of which each counts
// for both directions. It uses all processors; Limits.Table and Limits.Edge are
// called concurrently. The end of ctx is the only error.
func (g *Graph) Precompute(ctx context.Context, p Plan) ([]Row, error) {
	p.Limits, p.Near = p.norm(), min(p.Near, 2)
	limit := cmp.Or(p.MaxRows, MaxRows) / 2
	members := map[int][]int32{}
	for t, c := range p.Groups {
		members[c] = append(members[c], int32(t))
	}
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		rows  []Row
		next  atomic.Int64
		first error
	)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			s := g.pool.Get().(*search)
			defer g.pool.Put(s)
			var (
				own  []Row
				last Row // when full: what is not less is not kept
				full bool
			)
			for {
				from := int(next.Add(1)) - 1
				if from >= g.Tables() {
					break
				}
				if !g.allowed(from, p.Limits) {
					continue
				}
				for _, r := range s.source(ctx, int32(from), p, members) {
					// Rows of later tables come after those of one cost and length.
					if !full || compareCost(r, last) < 0 {
						own = append(own, r)
					}
				}
				if s.err != nil {
					break
				}
				if len(own) > 2*limit+1000 {
					own = leastCost(own, limit)
					full, last = true, own[len(own)-1]
				}
			}
			mu.Lock()
			defer mu.Unlock()
			rows, first = append(rows, own...), cmp.Or(first, s.err)
		})
	}
	wg.Wait()
	if first != nil {
		return nil, first
	}
	rows = leastCost(rows, limit)
	slices.SortFunc(rows, func(a, b Row) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) })
	return rows, nil
}

// leastCost keeps the rows of least cost. The order of rows has no ties, so that it
// does not matter what was thrown away before.
func leastCost(rows []Row, limit int) []Row {
	if len(rows) <= limit {
		return rows
	}
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(compareCost(a, b), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	return rows[:limit]
}

func compareCost(a, b Row) int {
	return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(len(a.arcs), len(b.arcs)))
}

// source answers the pairs of one table with later ones.
func (s *search) source(ctx context.Context, from int32, p Plan, members map[int][]int32) []Row {
	s.begin(ctx, p.Limits)
	if s.err != nil {
		return nil
	}
	var want []int32 // the later tables of the group
	if p.Groups == nil {
		for t := from + 1; int(t) < s.g.Tables(); t++ {
			want = append(want, t)
		}
	} else if c := p.Groups[from]; c >= 0 {
		at, _ := slices.BinarySearch(members[c], from+1)
		want = members[c][at:]
	}
	var rows []Row
	declared := map[int32]Row{}
	if p.Kinds != InferredOnly {
		s.limit(DeclaredOnly)
		for _, r := range s.spread(from, want) {
			declared[int32(r.To)] = r
		}
		if p.Groups != nil && p.Near > 0 {
			s.lim.Depth = min(p.Depth, p.Near)
			for _, r := range s.spread(from, nil) {
				if _, ok := slices.BinarySearch(want, int32(r.To)); !ok {
					rows = append(rows, r)
				}
			}
		}
	}
	var open []int32 // what an inferred step may bring nearer
	for _, t := range want {
		switch r, ok := declared[t]; {
		case p.Inferred > 0 && (!ok || r.cost >= int64((1+inferredCost)*billion)):
			open = append(open, t)
		case ok:
			rows = append(rows, r)
		}
	}
	if len(open) == 0 {
		return rows
	}
	s.lim = p.Limits
	s.limit(p.Kinds)
	for _, r := range s.spread(from, open) {
		if d, ok := declared[int32(r.To)]; ok && slices.ContainsFunc(r.arcs, func(k int32) bool { return s.g.arcs[k].inferred }) {
			r, r.Promoted = d, true
		}
		rows = append(rows, r)
	}
	return rows
}

// spread finds the best paths from a table to the later ones of want, or to all
// later ones without want. Two labels that are better in everything must be there
// before another one falls, so that every tie shows.
func (s *search) spread(from int32, want []int32) []Row {
	if want != nil && len(want) == 0 || s.lim.Depth == 0 {
		return nil
	}
	if want != nil { // labels that lead to none of them are left out
		s.measure(from)
		reach := want[:0:0]
		for _, t := range want {
			if s.reach(t) {
				reach = append(reach, t)
			}
		}
		if want = reach; len(want) == 0 {
			return nil
		}
		s.aim(want...)
	}
	s.forget()
	s.expansions, s.bound, s.cut = 0, maxSourceWork, false
	s.labels = append(s.labels, label{table: from, arc: -1, before: -1, next: -1})
	s.push(entry{0, 0})
	s.newMarks() // marks the tables that the search has come to
	var ceiling, reached int64
	missing := len(want)
	for len(s.queue) > 0 {
		e := s.pop()
		if want != nil && missing == 0 && e.bound > ceiling {
			break
		}
		l := s.labels[e.label]
		if s.mark[l.table] != s.marks {
			s.mark[l.table] = s.marks
			if _, ok := slices.BinarySearch(want, l.table); ok {
				missing--
				ceiling = e.bound
			}
		}
		if !s.work() {
			reached = e.bound
			break
		}
		if int(l.hops) == s.lim.Depth {
			continue
		}
		lo, hi := s.arcsOf(l.table)
		for k := lo; k < hi; k++ {
			a := &s.g.arcs[k]
			if a.to == from || !s.open(a) {
				continue
			}
			n := s.follow(l, e.label, k)
			if int(n.inferred) > s.lim.Inferred ||
				want != nil && s.togo[s.layer(s.lim.Inferred-int(n.inferred))][s.lim.Depth-int(n.hops)][n.table] >= never {
				continue
			}
			if s.enter(n, 2) {
				s.push(entry{n.cost, int32(len(s.labels) - 1)})
			}
		}
	}
	if want == nil {
		want = slices.Sorted(slices.Values(s.touched))
	}
	var rows []Row
	for _, t := range want {
		if t <= from || s.heads[t] < 0 {
			continue
		}
		if r := s.row(from, t); !s.cut || r.cost < reached { // else a tie may have been missed
			rows = append(rows, r)
		}
	}
	return rows
}

// row is the best path that spread found to a table.
func (s *search) row(from, t int32) Row {
	best, ties := s.heads[t], 0
	for i := s.labels[best].next; i >= 0; i = s.labels[i].next {
		if s.better(&s.labels[i], &s.labels[best]) {
			best = i
		}
	}
	for i := s.heads[t]; i >= 0; i = s.labels[i].next {
		if s.labels[i].cost == s.labels[best].cost {
			ties++
		}
	}
	cost := s.labels[best].cost
	return Row{From: int(from), To: int(t), Cost: float64(cost) / billion, Ambiguous: ties > 1, arcs: s.trail(best), cost: cost}
}
