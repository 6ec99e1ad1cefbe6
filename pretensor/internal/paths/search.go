package paths

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// Kinds says which edges a path may use.
type Kinds int

// The kinds of edges.
const (
	Both Kinds = iota
	DeclaredOnly
	InferredOnly
)

// Limits bound the paths of a search. The zero value is the default.
type Limits struct {
	Depth    int // steps, 1 to MaxDepth; 0: 4
	Kinds    Kinds
	Inferred int // inferred steps; 0: the default of 2, negative: none
	// Table and Edge report what may be used; nil: all. They are called from the
	// goroutine of the search, Table once per table at most.
	Table func(table int) bool
	Edge  func(edge int) bool
}

// Defaults of Limits and Search.
const (
	DefaultDepth    = 4
	DefaultInferred = 2
	DefaultTop      = 3
)

// norm fills in defaults and brings everything into range; DeclaredOnly and no
// inferred steps are the same.
func (l Limits) norm() Limits {
	l.Depth = min(MaxDepth, max(1, cmp.Or(l.Depth, DefaultDepth)))
	l.Inferred = cmp.Or(l.Inferred, DefaultInferred)
	switch {
	case l.Kinds == DeclaredOnly || l.Inferred < 0:
		l.Inferred = 0
	}
	l.Inferred = min(l.Inferred, l.Depth)
	return l
}

// Result is what a search found.
type Result struct {
	// Paths are the best first: by cost, steps, inferred steps, confidence, then by
	// tables and columns; but a promoted path stands first.
	Paths []Path
	// Cut: the bound on work was reached, there may be better or further paths.
	Cut bool
	// Expansions is the work done.
	Expansions int
}

// Search returns the best top paths (1 to MaxPaths; 0: 3) from one table to
// another. Between a table and itself paths are its self references. It does not
// depend on top which paths come first, nor whether they are ambiguous. The end of
// ctx is the only error.
func (g *Graph) Search(ctx context.Context, from, to, top int, l Limits) (Result, error) {
	top = min(MaxPaths, max(1, cmp.Or(top, DefaultTop)))
	l = l.norm()
	if !g.allowed(from, l) || !g.allowed(to, l) {
		return Result{Paths: []Path{}}, nil
	}
	if from == to {
		return g.selfReferences(from, top, l), nil
	}
	s := g.pool.Get().(*search)
	defer g.pool.Put(s)
	s.begin(ctx, l)
	s.bound -= MaxExpansions / 6 // for the path to promote, which must not depend on luck
	// One more than asked for: the tie at the border must be seen.
	best := s.yen(int32(from), int32(to), top+1)
	var chain []found
	if l.Kinds == Both && len(best.best) > 0 && best.best[0].inferred > 0 {
		// Which path ties with the promoted one must not depend on top.
		s.extend(best, MaxPaths+1)
		s.limit(DeclaredOnly)
		s.bound = MaxExpansions
		chain = s.yen(int32(from), int32(to), 2).best
	}
	if s.err != nil {
		return Result{}, s.err
	}
	return Result{Paths: s.rank(best.best, chain, top), Cut: s.cut, Expansions: s.expansions}, nil
}

// Distance is the least number of steps, MaxDepth at most, between two tables over
// the kinds of edges of l and what its filters let through, however deep and
// however many inferred steps; -1: there is no such path. It tells what would help
// where Search finds nothing.
func (g *Graph) Distance(from, to int, l Limits) int {
	if !g.allowed(from, l) || !g.allowed(to, l) {
		return -1
	}
	s := g.pool.Get().(*search)
	defer g.pool.Put(s)
	l.Inferred = MaxDepth + 1
	l.Depth = MaxDepth + 1 // one more, since measure stops before the last step
	s.begin(context.Background(), l)
	s.measure(int32(from))
	return int(s.near[to])
}

// allowed reports whether a table is there and may be used.
func (g *Graph) allowed(t int, l Limits) bool {
	return t >= 0 && t < g.Tables() && (l.Table == nil || l.Table(t))
}

func (g *Graph) selfReferences(t, top int, l Limits) Result {
	var all []found
	if g.loops != nil {
		for _, e := range g.loops[t] {
			edge := &g.edges[e]
			if l.Edge != nil && !l.Edge(int(e)) || edge.Inferred && l.Inferred == 0 || !edge.Inferred && l.Kinds == InferredOnly {
				continue
			}
			a := g.arc(int(e), false)
			f := found{cost: a.cost, doubt: a.doubt, loop: e}
			if a.inferred {
				f.inferred = 1
			}
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, func(a, b found) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.inferred, b.inferred), cmp.Compare(a.doubt, b.doubt))
	})
	paths := []Path{}
	for i, f := range all[:min(top, len(all))] {
		p := g.path([]Step{g.step(int(f.loop), false)}, f)
		p.Ambiguous = i > 0 && all[i-1].cost == f.cost || i+1 < len(all) && all[i+1].cost == f.cost
		paths = append(paths, p)
	}
	return Result{Paths: paths}
}

// found is a path inside a search.
type found struct {
	arcs     []int32
	cost     int64
	doubt    int64
	inferred int
	branch   int   // where it leaves the path that it was derived from
	loop     int32 // the edge of a self reference
}

// compare is the order of paths.
func (f found) compare(o found) int {
	return cmp.Or(cmp.Compare(f.cost, o.cost), cmp.Compare(len(f.arcs), len(o.arcs)), cmp.Compare(f.inferred, o.inferred),
		cmp.Compare(f.doubt, o.doubt), slices.Compare(f.arcs, o.arcs))
}

// rank puts a promoted path first, marks what is ambiguous and cuts to top.
func (s *search) rank(best, chain []found, top int) []Path {
	all := best
	if len(chain) > 0 {
		all = []found{chain[0]}
		for _, f := range best {
			if f.compare(chain[0]) != 0 {
				all = append(all, f)
			}
		}
	}
	seen := map[int64]int{} // how many paths cost that, among those that were found
	for _, f := range all {
		seen[f.cost]++
	}
	if len(chain) > 1 && !slices.ContainsFunc(all, func(f found) bool { return f.compare(chain[1]) == 0 }) {
		seen[chain[1].cost]++
	}
	paths := []Path{}
	for i, f := range all[:min(top, len(all))] {
		p := s.g.path(s.steps(f), f)
		p.Ambiguous, p.Promoted = seen[f.cost] > 1, i == 0 && len(chain) > 0
		paths = append(paths, p)
	}
	return paths
}

func (s *search) steps(f found) []Step {
	steps := make([]Step, len(f.arcs))
	for i, a := range f.arcs {
		steps[i] = s.g.step(int(s.g.arcs[a].edge), s.g.arcs[a].reverse)
	}
	return steps
}

func (g *Graph) path(steps []Step, f found) Path {
	p := Path{Steps: steps, Cost: float64(f.cost) / billion, Confidence: 1, Inferred: f.inferred}
	for _, st := range steps {
		p.Confidence *= confidence(&g.edges[st.Edge])
		p.FanOut = p.FanOut || st.FanOut
	}
	p.Confidence = math.Round(p.Confidence*billion) / billion // the order of the factors does not show
	return p
}
