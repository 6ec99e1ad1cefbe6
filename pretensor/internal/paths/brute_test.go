package paths

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// plain is a path as the tests tell it: its tables, edges and what is said of it.
type plain struct {
	Tables, Edges       string
	Cost                float64
	Inferred            int
	Ambiguous, Promoted bool
}

func (p plain) String() string {
	type bare plain // without this method
	return fmt.Sprintf("%+v", bare(p))
}

func plains(paths []Path) []plain {
	out := []plain{}
	for _, p := range paths {
		tables, edges := []string{fmt.Sprint(p.Steps[0].From)}, []string{}
		for _, s := range p.Steps {
			tables = append(tables, fmt.Sprint(s.To))
			edges = append(edges, fmt.Sprint(s.Edge))
		}
		out = append(out, plain{strings.Join(tables, " "), strings.Join(edges, " "), math.Round(p.Cost*1e6) / 1e6, p.Inferred, p.Ambiguous, p.Promoted})
	}
	return out
}

// walk is a path of the enumeration below, and what its rank depends on.
type walk struct {
	steps    []Step
	key      []string // table, columns, edge of each step
	cost     float64
	inferred int
	conf     float64
}

// enumerate is the definition: all simple paths within the limits, in order.
func enumerate(edges []Edge, from, to int, l Limits) []walk {
	l = l.norm()
	ok := func(t int) bool { return l.Table == nil || l.Table(t) }
	var all []walk
	var visit func(at int, w walk, seen []int)
	visit = func(at int, w walk, seen []int) {
		if at == to {
			all = append(all, w)
			return
		}
		if len(w.steps) == l.Depth {
			return
		}
		for i, e := range edges {
			for _, reverse := range []bool{false, true} {
				s := Step{Edge: i, Reverse: reverse, From: e.From, To: e.To, Cardinality: cmp.Or(e.Cardinality, ManyToOne)}
				left, entered := e.FromColumns, e.ToColumns
				if reverse {
					s.From, s.To, s.Cardinality = s.To, s.From, s.Cardinality.Reverse()
					left, entered = entered, left
				}
				if s.From != at || slices.Contains(seen, s.To) || !ok(s.To) || l.Edge != nil && !l.Edge(i) {
					continue
				}
				n := w
				conf := 1.0
				cost := 1.0
				if e.Inferred {
					conf = cmp.Or(e.Confidence, 0.5)
					cost += 1.5
					n.inferred++
				}
				cost += max(0, 0.7-conf)
				if s.Cardinality == OneToMany && len(w.steps) > 0 && w.steps[len(w.steps)-1].Cardinality == ManyToOne {
					cost += 0.25
				}
				if n.inferred > l.Inferred || l.Kinds == DeclaredOnly && e.Inferred || l.Kinds == InferredOnly && !e.Inferred {
					continue
				}
				n.cost += cost
				n.conf *= conf
				n.steps = append(slices.Clone(w.steps), s)
				n.key = append(slices.Clone(w.key), fmt.Sprintf("%03d", s.To), fmt.Sprint(left), fmt.Sprint(entered), fmt.Sprintf("%03d", i))
				visit(s.To, n, append(slices.Clone(seen), s.To))
			}
		}
	}
	if ok(from) && ok(to) {
		visit(from, walk{conf: 1}, []int{from})
	}
	slices.SortFunc(all, func(a, b walk) int {
		return cmp.Or(near(a.cost, b.cost), cmp.Compare(len(a.steps), len(b.steps)), cmp.Compare(a.inferred, b.inferred), near(b.conf, a.conf), slices.Compare(a.key, b.key))
	})
	return all
}

// near compares numbers that differ by the noise of their sums.
func near(a, b float64) int {
	if math.Abs(a-b) < 1e-8 {
		return 0
	}
	return cmp.Compare(a, b)
}

// expected is the answer that the enumeration gives.
func expected(edges []Edge, from, to, top int, l Limits) []plain {
	all := enumerate(edges, from, to, l)
	promoted := false
	if len(all) > 0 && all[0].inferred > 0 && l.Kinds == Both {
		if i := slices.IndexFunc(all, func(w walk) bool { return w.inferred == 0 }); i > 0 {
			first := all[i]
			all = slices.Insert(slices.Delete(all, i, i+1), 0, first)
			promoted = true
		}
	}
	var paths []Path
	for i, w := range all[:min(top, len(all))] {
		ties := 0
		for j, o := range all {
			// A tie with the promoted path counts when it is detected: among the declared
			// paths and the best of all.
			if near(w.cost, o.cost) == 0 && (!promoted || j <= MaxPaths || o.inferred == 0) {
				ties++
			}
		}
		paths = append(paths, Path{Steps: w.steps, Cost: w.cost, Inferred: w.inferred, Ambiguous: ties > 1, Promoted: promoted && i == 0})
	}
	return plains(paths)
}

// drawEdges makes a graph of few tables with many ties.
func drawEdges(t *rapid.T, tables int) []Edge {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Edge {
		e := Edge{From: rapid.IntRange(0, tables-1).Draw(t, "from"), To: rapid.IntRange(0, tables-1).Draw(t, "to")}
		e.Inferred = rapid.Bool().Draw(t, "inferred")
		if e.Inferred {
			e.Confidence = rapid.SampledFrom([]float64{0, 0.2, 0.45, 0.6, 0.7, 0.95}).Draw(t, "confidence")
		}
		e.Cardinality = rapid.SampledFrom([]Cardinality{"", ManyToOne, OneToOne, ManyToMany}).Draw(t, "cardinality")
		e.FromColumns = []string{rapid.SampledFrom([]string{"a", "b"}).Draw(t, "column")}
		e.ToColumns = []string{"id"}
		return e
	}), 0, 14).Draw(t, "edges")
}

func drawLimits(t *rapid.T, tables, edges int) Limits {
	l := Limits{
		Depth:    rapid.IntRange(1, 5).Draw(t, "depth"),
		Kinds:    rapid.SampledFrom([]Kinds{Both, Both, DeclaredOnly, InferredOnly}).Draw(t, "kinds"),
		Inferred: rapid.IntRange(-1, 4).Draw(t, "inferred hops"),
	}
	if rapid.Bool().Draw(t, "hidden tables") {
		hidden := rapid.IntRange(0, tables-1).Draw(t, "hidden table")
		l.Table = func(i int) bool { return i != hidden }
	}
	if edges > 0 && rapid.Bool().Draw(t, "stale edges") {
		stale := rapid.IntRange(0, edges-1).Draw(t, "stale edge")
		l.Edge = func(i int) bool { return i != stale }
	}
	return l
}

func TestSearch_AgainstEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tables := rapid.IntRange(2, 7).Draw(t, "tables")
		edges := drawEdges(t, tables)
		l := drawLimits(t, tables, len(edges))
		from := rapid.IntRange(0, tables-1).Draw(t, "start")
		to := (from + rapid.IntRange(1, tables-1).Draw(t, "end")) % tables
		top := rapid.IntRange(1, MaxPaths).Draw(t, "top")
		g := New(tables, edges)
		for range 2 { // the second time with used memory
			r, err := g.Search(context.Background(), from, to, top, l)
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(expected(edges, from, to, top, l), plains(r.Paths)); diff != "" {
				t.Fatalf("paths of %d to %d (-want +got):\n%s", from, to, diff)
			}
		}
	})
}

func TestSearch_PrefixOfALargerTop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		edges := drawEdges(t, 6)
		l := drawLimits(t, 6, len(edges))
		g := New(6, edges)
		all, err := g.Search(context.Background(), 0, 5, MaxPaths, l)
		if err != nil {
			t.Fatal(err)
		}
		for top := 1; top < MaxPaths; top++ {
			r, err := g.Search(context.Background(), 0, 5, top, l)
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(all.Paths[:min(top, len(all.Paths))], r.Paths); diff != "" {
				t.Fatalf("top %d is not the beginning of top %d:\n%s", top, MaxPaths, diff)
			}
		}
	})
}
