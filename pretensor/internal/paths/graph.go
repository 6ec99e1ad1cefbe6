// Package paths finds how tables join: the cheapest simple paths between two
// tables over declared keys and inferred joins, within limits on the number of
// steps and of inferred steps.
//
// Tables are numbers from 0, in the order of their ids, edges are numbers in the
// order they were given: the caller knows what they stand for. A [Graph] is built
// once by [New] and is then safe for concurrent use; [Graph.Search] answers one
// question, [Graph.Precompute] the best path of many pairs.
//
// Costs are whole billionths inside, so that two paths over the same kinds of
// steps cost exactly the same in whatever order their steps come.
package paths

import (
	"cmp"
	"math"
	"slices"
	"sync"
)

// Cardinality is how many rows of one side of a join meet one row of the other.
type Cardinality string

// The cardinalities, read from the table that is left to the one that is entered.
const (
	ManyToOne  Cardinality = "many_to_one"
	OneToMany  Cardinality = "one_to_many"
	OneToOne   Cardinality = "one_to_one"
	ManyToMany Cardinality = "many_to_many"
)

// CardinalityOf is the cardinality of a join by whether each side's columns are a
// key of it.
func CardinalityOf(fromUnique, toUnique bool) Cardinality {
	switch {
	case fromUnique && toUnique:
		return OneToOne
	case fromUnique:
		return OneToMany
	case toUnique:
		return ManyToOne
	}
	return ManyToMany
}

// Reverse is the cardinality read from the other side.
func (c Cardinality) Reverse() Cardinality {
	switch c {
	case ManyToOne:
		return OneToMany
	case OneToMany:
		return ManyToOne
	}
	return c
}

// Edge is a declared key or an inferred join, which paths use in both directions.
// A key of several columns is one edge.
type Edge struct {
	From, To               int // the child and the parent that it refers to
	FromColumns, ToColumns []string
	Inferred               bool
	// Confidence is that of an inferred join, 0 where it is not known, which counts as
	// 0.5. Declared keys have 1.
	Confidence float64
	// Cardinality is read from From to To; empty: many to one.
	Cardinality Cardinality
}

// Costs and limits.
const (
	inferredCost    = 1.5
	sureEnough      = 0.7 // confidence below it costs the difference
	siblingCost     = 0.25
	unknownInferred = 0.5

	// MaxDepth is the most steps of a path.
	MaxDepth = 8
	// MaxPaths is the most paths of a search.
	MaxPaths = 10
	// MaxExpansions is how much work a search does at most.
	MaxExpansions = 300_000
)

const (
	billion = 1e9
	never   = math.MaxInt64 / 4 // no path
	// sibling is siblingCost in billionths.
	sibling = int64(siblingCost * billion)
)

// Graph is tables and the edges between them.
type Graph struct {
	edges []Edge
	first []int32 // of each table, its first arc; one more at the end
	arcs  []arc
	loops [][]int32 // self references of each table, in order; nil without any
	pool  sync.Pool // of *search
}

// arc is an edge in one direction. Arcs are in order of the table that they leave,
// the one that they enter, their columns and edge: comparing two paths arc by arc
// compares them by tables and columns.
type arc struct {
	from, to int32
	edge     int32
	reverse  bool
	inferred bool
	fans     bool  // one row meets many, as one to many: leaving a table that was entered many to one costs more
	narrows  bool  // many rows meet one
	cost     int64 // without what depends on the step before
	doubt    int64 // −ln(confidence), in billionths: it adds up along a path
}

// New builds a graph of that many tables. An edge to a table that is not there is
// left out. It keeps the edges and their slices.
func New(tables int, edges []Edge) *Graph {
	g := &Graph{edges: edges, first: make([]int32, tables+1)}
	arcs := make([]arc, 0, 2*len(edges))
	for i := range edges {
		e := &edges[i]
		if e.From < 0 || e.To < 0 || e.From >= tables || e.To >= tables {
			continue
		}
		if e.From == e.To {
			if g.loops == nil {
				g.loops = make([][]int32, tables)
			}
			g.loops[e.From] = append(g.loops[e.From], int32(i))
			continue
		}
		arcs = append(arcs, g.arc(i, false), g.arc(i, true))
	}
	for i := range arcs {
		g.first[arcs[i].from+1]++
	}
	for t := range tables {
		g.first[t+1] += g.first[t]
	}
	g.arcs = make([]arc, len(arcs))
	filled := slices.Clone(g.first)
	for _, a := range arcs {
		g.arcs[filled[a.from]] = a
		filled[a.from]++
	}
	for t := range tables {
		slices.SortFunc(g.arcs[g.first[t]:g.first[t+1]], func(a, b arc) int {
			if a.to != b.to {
				return cmp.Compare(a.to, b.to)
			}
			return cmp.Or(g.compareColumns(a, b), cmp.Compare(a.edge, b.edge))
		})
	}
	for _, l := range g.loops {
		slices.SortFunc(l, func(a, b int32) int { return g.compareColumns(arc{edge: a}, arc{edge: b}) })
	}
	g.pool.New = func() any { return newSearch(g) }
	return g
}

func (g *Graph) arc(edge int, reverse bool) arc {
	e := &g.edges[edge]
	a := arc{from: int32(e.From), to: int32(e.To), edge: int32(edge), reverse: reverse, inferred: e.Inferred}
	if reverse {
		a.from, a.to = a.to, a.from
	}
	c := confidence(e)
	cost := 1 + max(0, sureEnough-c)
	if e.Inferred {
		cost += inferredCost
	}
	a.cost, a.doubt = int64(math.Round(cost*billion)), int64(math.Round(-math.Log(c)*billion))
	switch cardinality(e, reverse) {
	case ManyToOne:
		a.narrows = true
	case OneToMany:
		a.fans = true
	}
	return a
}

// confidence of an edge, never 0: a path of no confidence at all could not be told
// from another.
func confidence(e *Edge) float64 {
	switch {
	case !e.Inferred:
		return 1
	case e.Confidence <= 0 || math.IsNaN(e.Confidence):
		return unknownInferred
	}
	return min(1, max(e.Confidence, 1e-6))
}

func cardinality(e *Edge, reverse bool) Cardinality {
	c := cmp.Or(e.Cardinality, ManyToOne)
	if reverse {
		return c.Reverse()
	}
	return c
}

func (g *Graph) compareColumns(a, b arc) int {
	leaveA, enterA := g.columns(a)
	leaveB, enterB := g.columns(b)
	return cmp.Or(slices.Compare(leaveA, leaveB), slices.Compare(enterA, enterB))
}

func (g *Graph) columns(a arc) (leave, enter []string) {
	e := &g.edges[a.edge]
	if a.reverse {
		return e.ToColumns, e.FromColumns
	}
	return e.FromColumns, e.ToColumns
}

// Tables is how many tables the graph has.
func (g *Graph) Tables() int { return len(g.first) - 1 }

// Edge returns an edge by its number.
func (g *Graph) Edge(i int) Edge { return g.edges[i] }

// Step is one join of a path.
type Step struct {
	Edge     int  // its number
	Reverse  bool // from the parent to the child
	From, To int  // the tables that it leaves and enters
	// Cardinality is read in the direction of the step; FanOut says that a row of From
	// may meet several of To, so that sums over From count twice.
	Cardinality Cardinality
	FanOut      bool
}

// Path is a simple path between two tables.
type Path struct {
	Steps      []Step
	Cost       float64
	Confidence float64 // the product of the steps'
	Inferred   int     // inferred steps
	// Ambiguous: another path costs the same.
	Ambiguous bool
	// Promoted: a path over declared keys that was put before a cheaper one with
	// inferred steps.
	Promoted bool
	FanOut   bool // of any step
}

// Reversed is the path in the other direction, which costs the same.
func (g *Graph) Reversed(p Path) Path {
	steps := make([]Step, len(p.Steps))
	for i, s := range p.Steps {
		steps[len(steps)-1-i] = g.step(s.Edge, !s.Reverse)
	}
	p.Steps = steps
	p.FanOut = slices.ContainsFunc(steps, func(s Step) bool { return s.FanOut })
	return p
}

// Along is the path from a table over edges, each in the direction that leads on, and
// where it ends. It returns false if they do not follow each other.
func (g *Graph) Along(from int, edges []int) (p Path, to int, ok bool) {
	f := found{}
	at, narrowed := from, false
	steps := make([]Step, len(edges))
	for i, id := range edges {
		if id < 0 || id >= len(g.edges) || g.edges[id].From != at && g.edges[id].To != at {
			return Path{}, -1, false
		}
		a := g.arc(id, g.edges[id].From != at)
		if f.cost += a.cost; narrowed && a.fans {
			f.cost += sibling
		}
		if a.inferred {
			f.inferred++
		}
		steps[i] = g.step(id, a.reverse)
		at, narrowed = int(a.to), a.narrows
	}
	return g.path(steps, f), at, true
}

func (g *Graph) step(edge int, reverse bool) Step {
	e := &g.edges[edge]
	s := Step{Edge: edge, Reverse: reverse, From: e.From, To: e.To, Cardinality: cardinality(e, reverse)}
	if reverse {
		s.From, s.To = s.To, s.From
	}
	s.FanOut = s.Cardinality == OneToMany || s.Cardinality == ManyToMany
	return s
}
