package paths

import (
	"context"
	"slices"
)

// search is the working memory of one question. Its slices are as long as the
// graph and are used again.
type search struct {
	g    *Graph
	ctx  context.Context
	err  error
	lim  Limits
	free bool // the limit on inferred steps cannot be reached

	usable  []byte // of each table: 0 not asked yet, 1 yes, 2 no
	usableE []byte // of each edge; unused without Limits.Edge

	// togo[i][h][v] is the least cost from v to the goal in h steps at most, i of them
	// inferred: a lower bound, since it knows nothing of siblings and of tables that are
	// used up. It is kept for the tables that a path with h steps left can be at.
	togo  [][][]int64
	front [][]int32 // of each i, the tables that got a lower bound in the last round
	was   [][]int32
	mark  []int32
	marks int32
	near  []int8 // steps from the start; -1: too far

	labels     []label
	heads      []int32 // of each table, its first label; -1: none
	touched    []int32 // tables with labels
	queue      []entry
	onRoot     []bool
	expansions int
	bound      int
	cut        bool
}

// label is one way to come to a table.
type label struct {
	cost, doubt int64
	table       int32
	arc         int32 // the last one
	before      int32 // the label that it continues; -1: the start
	next        int32 // of the same table
	hops        int8
	inferred    int8
	narrowed    bool // the last step was many to one: a step to many costs more
	dead        bool // another one is better in everything
}

// entry is a label in the queue, with the least cost of a whole path over it.
type entry struct {
	bound int64
	label int32
}

func newSearch(g *Graph) *search {
	n := g.Tables()
	s := &search{g: g, usable: make([]byte, n), mark: make([]int32, n), near: make([]int8, n), heads: make([]int32, n), onRoot: make([]bool, n)}
	for i := range s.heads {
		s.heads[i] = -1
	}
	return s
}

// begin makes the memory ready for a question.
func (s *search) begin(ctx context.Context, l Limits) {
	s.ctx, s.err, s.lim = ctx, ctx.Err(), l
	s.expansions, s.bound, s.cut = 0, MaxExpansions, false
	clear(s.usable)
	if l.Edge != nil {
		if s.usableE == nil {
			s.usableE = make([]byte, len(s.g.edges))
		}
		clear(s.usableE)
	}
	s.limit(l.Kinds)
}

// limit narrows the question to kinds of edges.
func (s *search) limit(k Kinds) {
	s.lim.Kinds = k
	if k == DeclaredOnly {
		s.lim.Inferred = 0
	}
	if k == InferredOnly {
		s.lim.Depth = min(s.lim.Depth, s.lim.Inferred)
	}
	s.free = s.lim.Inferred >= s.lim.Depth
}

// layer is the index of togo for a number of inferred steps that are left.
func (s *search) layer(inferredLeft int) int {
	if s.free {
		return 0
	}
	return inferredLeft
}

// open reports whether an arc may be used.
func (s *search) open(a *arc) bool {
	if a.inferred && s.lim.Inferred == 0 || !a.inferred && s.lim.Kinds == InferredOnly {
		return false
	}
	if s.lim.Table != nil && !s.shown(a.to) {
		return false
	}
	if s.lim.Edge != nil {
		u := &s.usableE[a.edge]
		if *u == 0 {
			*u = 2
			if s.lim.Edge(int(a.edge)) {
				*u = 1
			}
		}
		return *u == 1
	}
	return true
}

// shown reports whether a table may be used.
func (s *search) shown(t int32) bool {
	u := &s.usable[t]
	if *u == 0 {
		*u = 2
		if s.lim.Table == nil || s.lim.Table(int(t)) {
			*u = 1
		}
	}
	return *u == 1
}

func (s *search) arcsOf(t int32) (from, to int32) { return s.g.first[t], s.g.first[t+1] }

// measure fills near: how many steps each table is from the start, as far as a
// path can go before its last step. The last wave would be the largest by far;
// [search.reach] looks back from a goal instead.
func (s *search) measure(from int32) {
	for i := range s.near {
		s.near[i] = -1
	}
	s.near[from] = 0
	wave := []int32{from}
	for d := int8(1); int(d) < s.lim.Depth && len(wave) > 0; d++ {
		var next []int32
		for _, t := range wave {
			lo, hi := s.arcsOf(t)
			for i := lo; i < hi; i++ {
				a := &s.g.arcs[i]
				if s.near[a.to] < 0 && s.open(a) {
					s.near[a.to] = d
					next = append(next, a.to)
				}
			}
		}
		wave = next
	}
}

// reach reports whether a goal can be in reach, after measure.
func (s *search) reach(goal int32) bool {
	if s.near[goal] >= 0 {
		return true
	}
	if !s.shown(goal) {
		return false
	}
	lo, hi := s.arcsOf(goal)
	for k := lo; k < hi; k++ {
		if a := &s.g.arcs[k]; s.near[a.to] >= 0 && s.open(a) {
			s.near[goal] = int8(s.lim.Depth)
			return true
		}
	}
	return false
}

// aim fills togo for the nearest of some goals. Costs do not depend on the direction of an arc, so it
// walks the arcs that leave a table as if they entered it.
func (s *search) aim(goals ...int32) {
	layers, depth, n := s.layer(s.lim.Inferred)+1, s.lim.Depth, s.g.Tables()
	for len(s.togo) < layers {
		s.togo = append(s.togo, nil)
		s.front, s.was = append(s.front, nil), append(s.was, nil)
	}
	for i := range layers {
		for len(s.togo[i]) < depth {
			s.togo[i] = append(s.togo[i], make([]int64, n))
		}
		row := s.togo[i][0]
		for v := range row {
			row[v] = never
		}
		for _, v := range goals {
			row[v] = 0
		}
		s.front[i] = append(s.front[i][:0], goals...)
	}
	for h := 1; h < depth; h++ {
		s.front, s.was = s.was, s.front
		for i := range layers {
			copy(s.togo[i][h], s.togo[i][h-1])
			s.front[i] = s.front[i][:0]
			s.newMarks()
			if i > 0 { // a further inferred step may be left over
				for _, v := range s.front[i-1] {
					s.lower(i, h, v, s.togo[i-1][h][v])
				}
			}
			for _, w := range s.was[i] {
				s.relax(i, h, w, s.togo[i][h-1][w], s.free, true)
			}
			if i > 0 {
				for _, w := range s.was[i-1] {
					s.relax(i, h, w, s.togo[i-1][h-1][w], true, false)
				}
			}
		}
	}
}

// relax lowers the bounds of the tables beside w, over inferred or declared arcs.
func (s *search) relax(i, h int, w int32, cost int64, inferred, declared bool) {
	if s.near[w] < 0 || cost >= never {
		return
	}
	lo, hi := s.arcsOf(w)
	for k := lo; k < hi; k++ {
		a := &s.g.arcs[k]
		if (a.inferred && inferred || !a.inferred && declared) && s.open(a) {
			s.lower(i, h, a.to, cost+a.cost)
		}
	}
}

func (s *search) lower(i, h int, v int32, cost int64) {
	// near is less than 0 or too far where no path can be with h steps left.
	if d := int(s.near[v]); d < 0 || d > s.lim.Depth-h || cost >= s.togo[i][h][v] {
		return
	}
	s.togo[i][h][v] = cost
	if s.mark[v] != s.marks {
		s.mark[v] = s.marks
		s.front[i] = append(s.front[i], v)
	}
}

func (s *search) newMarks() {
	if s.marks++; s.marks <= 0 {
		clear(s.mark)
		s.marks = 1
	}
}

// forget takes all labels away.
func (s *search) forget() {
	for _, t := range s.touched {
		s.heads[t] = -1
	}
	s.touched, s.labels, s.queue = s.touched[:0], s.labels[:0], s.queue[:0]
}

// cheapest finds the best path in the order of [found.compare] that begins with
// the arcs of root, leaves them by none of the arcs in banned, and ends at the
// goal of aim. It sets labels: a label falls only to one that is no worse in cost,
// steps, inferred steps and direction, since any of them may decide whether the
// path can be finished.
//
// A label need not be a simple path, the best one at the goal is: without its
// loop, of two steps or more, it would be cheaper by more than a sibling costs.
func (s *search) cheapest(from, goal int32, root []int32, banned []int32) (found, bool) {
	s.forget()
	start := label{table: from, arc: -1, before: -1, next: -1}
	s.onRoot[from] = true
	for _, k := range root {
		a := &s.g.arcs[k]
		start = s.follow(start, -1, k)
		s.onRoot[a.to] = true
	}
	start.before = -1
	defer func() {
		s.onRoot[from] = false
		for _, k := range root {
			s.onRoot[s.g.arcs[k].to] = false
		}
	}()
	s.labels = append(s.labels, start)
	s.push(entry{start.cost, 0})
	best := int32(-1)
	for len(s.queue) > 0 {
		e := s.pop()
		if best >= 0 && e.bound > s.labels[best].cost {
			break
		}
		l := s.labels[e.label]
		if l.dead {
			continue
		}
		if !s.work() {
			break
		}
		if int(l.hops) == s.lim.Depth {
			continue
		}
		lo, hi := s.arcsOf(l.table)
		for k := lo; k < hi; k++ {
			a := &s.g.arcs[k]
			if s.onRoot[a.to] || !s.open(a) || e.label == 0 && slices.Contains(banned, k) {
				continue
			}
			n := s.follow(l, e.label, k)
			left := s.lim.Depth - int(n.hops)
			if n.table == goal {
				if int(n.inferred) <= s.lim.Inferred && (best < 0 || s.better(&n, &s.labels[best])) {
					s.labels = append(s.labels, n)
					best = int32(len(s.labels) - 1)
				}
				continue
			}
			if left == 0 || int(n.inferred) > s.lim.Inferred {
				continue
			}
			bound := n.cost + s.togo[s.layer(s.lim.Inferred-int(n.inferred))][left][n.table]
			if bound >= never || best >= 0 && bound > s.labels[best].cost || !s.enter(n, 1) {
				continue
			}
			s.push(entry{bound, int32(len(s.labels) - 1)})
		}
	}
	if best < 0 || s.err != nil {
		return found{}, false
	}
	l := s.labels[best]
	f := found{cost: l.cost, doubt: l.doubt, inferred: int(l.inferred), branch: len(root)}
	f.arcs = append(slices.Clone(root), s.trail(best)...)
	return f, true
}

// work counts one expansion; false: no more.
func (s *search) work() bool {
	if s.expansions >= s.bound {
		s.cut = true
		return false
	}
	s.expansions++
	if s.expansions%1024 == 0 && s.err == nil {
		s.err = s.ctx.Err()
	}
	return s.err == nil
}

// follow is a label one arc further.
func (s *search) follow(l label, at, k int32) label {
	a := &s.g.arcs[k]
	n := label{cost: l.cost + a.cost, doubt: l.doubt + a.doubt, table: a.to, arc: k, before: at, next: -1,
		hops: l.hops + 1, inferred: l.inferred, narrowed: a.narrows}
	if a.inferred {
		n.inferred++
	}
	if l.narrowed && a.fans {
		n.cost += sibling
	}
	return n
}

// enter appends a label unless as many as keep others of its table are better in
// everything; it takes out those that have become so. It reports whether the label
// is in.
func (s *search) enter(n label, keep int) bool {
	above := 0
	for i := s.heads[n.table]; i >= 0; i = s.labels[i].next {
		o := &s.labels[i]
		if o.dead {
			continue
		}
		if s.dominates(o, &n) {
			if above++; above >= keep {
				return false
			}
		} else if keep == 1 && s.dominates(&n, o) {
			o.dead = true
		}
	}
	if s.heads[n.table] < 0 {
		s.touched = append(s.touched, n.table)
	}
	n.next = s.heads[n.table]
	s.heads[n.table] = int32(len(s.labels))
	s.labels = append(s.labels, n)
	return true
}

// dominates reports whether everything that continues b is better as a
// continuation of a.
func (s *search) dominates(a, b *label) bool {
	if a.hops > b.hops || a.inferred > b.inferred {
		return false
	}
	if a.narrowed && !b.narrowed {
		return a.cost+sibling < b.cost
	}
	if a.cost != b.cost {
		return a.cost < b.cost
	}
	return s.better(a, b)
}

// better reports whether a label comes before another of its table in the order
// of paths.
func (s *search) better(a, b *label) bool {
	switch {
	case a.cost != b.cost:
		return a.cost < b.cost
	case a.hops != b.hops:
		return a.hops < b.hops
	case a.inferred != b.inferred:
		return a.inferred < b.inferred
	case a.doubt != b.doubt:
		return a.doubt < b.doubt
	}
	// Of one length: the first arc that differs decides.
	less := false
	for {
		if a.arc != b.arc {
			less = a.arc < b.arc
		}
		if a.before < 0 || b.before < 0 || a.before == b.before {
			return less
		}
		a, b = &s.labels[a.before], &s.labels[b.before]
	}
}

// trail are the arcs from the start to a label.
func (s *search) trail(i int32) []int32 {
	var arcs []int32
	for s.labels[i].before >= 0 {
		arcs = append(arcs, s.labels[i].arc)
		i = s.labels[i].before
	}
	slices.Reverse(arcs)
	return arcs
}

// push and pop keep the queue a heap with the least bound first; of one bound the
// label that was found first.
func (s *search) push(e entry) {
	q := append(s.queue, e)
	i := len(q) - 1
	for i > 0 {
		p := (i - 1) / 2
		if !q[i].before(q[p]) {
			break
		}
		q[i], q[p] = q[p], q[i]
		i = p
	}
	s.queue = q
}

func (s *search) pop() entry {
	q := s.queue
	top, last := q[0], len(q)-1
	q[0] = q[last]
	q = q[:last]
	for i := 0; ; {
		c := 2*i + 1
		if c >= last {
			break
		}
		if c+1 < last && q[c+1].before(q[c]) {
			c++
		}
		if !q[c].before(q[i]) {
			break
		}
		q[i], q[c] = q[c], q[i]
		i = c
	}
	s.queue = q
	return top
}

func (e entry) before(o entry) bool {
	return e.bound < o.bound || e.bound == o.bound && e.label < o.label
}
