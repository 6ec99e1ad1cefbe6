package cluster

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/pretensor/internal/roles"
	"pgregory.net/rapid"
)

// karate are the ties in a karate club (Zachary, 1977), by the smaller number.
var karate = map[int][]int{
	0: {1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 17, 19, 21, 31}, 1: {2, 3, 7, 13, 17, 19, 21, 30}, 2: {3, 7, 8, 9, 13, 27, 28, 32},
	3: {7, 12, 13}, 4: {6, 10}, 5: {6, 10, 16}, 6: {16}, 8: {30, 32, 33}, 9: {33}, 13: {33}, 14: {32, 33}, 15: {32, 33}, 18: {32, 33},
	19: {33}, 20: {32, 33}, 22: {32, 33}, 23: {25, 27, 29, 32, 33}, 24: {25, 27, 31}, 25: {31}, 26: {29, 33}, 27: {33}, 28: {31, 33},
	29: {32, 33}, 30: {32, 33}, 31: {32, 33}, 32: {33},
}

func graphOf(nodes int, links []link) *graph {
	slices.SortFunc(links, func(x, y link) int { return slices.Compare([]int{x.a, x.b}, []int{y.a, y.b}) })
	return newGraph(nodes, links)
}

func TestLeiden_Karate(t *testing.T) {
	var links []link
	for a, list := range karate {
		for _, b := range list {
			links = append(links, link{a, b, 1})
		}
	}
	if len(links) != 78 {
		t.Fatalf("%d ties, want 78", len(links))
	}
	g := graphOf(34, links)
	of := leiden(g, 1)
	if q := g.modularity(of, 1); math.Abs(q-0.4198) > 0.00005 {
		t.Errorf("modularity %.4f, want the best, 0.4198", q)
	}
	if again := leiden(g, 1); !slices.Equal(of, again) {
		t.Error("a second run differs")
	}
	few, many := slices.Clone(leiden(g, 0.2)), leiden(g, 3)
	if communities(few) >= communities(of) || communities(many) <= communities(of) {
		t.Errorf("%d, %d and %d communities at resolutions 0.2, 1 and 3", communities(few), communities(of), communities(many))
	}
}

func communities(of []int) int { return 1 + slices.Max(compact(of)) }

// Groups that are joined densely inside and hardly outside are found exactly.
func TestLeiden_Planted(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	const groups, size = 12, 25
	var links []link
	for a := range groups * size {
		for b := range a {
			p := 0.005
			if a%groups == b%groups {
				p = 0.4
			}
			if rng.Float64() < p {
				links = append(links, link{b, a, 1})
			}
		}
	}
	of := compact(leiden(graphOf(groups*size, links), 1))
	for v := range of {
		if of[v] != of[v%groups] {
			t.Fatalf("node %d is not with %d", v, v%groups)
		}
	}
	if n := communities(of); n != groups {
		t.Errorf("%d communities, want %d", n, groups)
	}
}

func TestLeiden_Properties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "nodes")
		pairs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) link {
			a, b := rapid.IntRange(0, n-1).Draw(t, "a"), rapid.IntRange(0, n-1).Draw(t, "b")
			return link{min(a, b), max(a, b), float64(rapid.IntRange(1, 8).Draw(t, "weight")) / 4}
		}), 0, 100).Draw(t, "links")
		var links []link
		seen := map[[2]int]bool{}
		for _, l := range pairs {
			if l.a != l.b && !seen[[2]int{l.a, l.b}] {
				seen[[2]int{l.a, l.b}] = true
				links = append(links, l)
			}
		}
		g := graphOf(n, links)
		resolution := rapid.SampledFrom([]float64{0.5, 1, 2}).Draw(t, "resolution")
		of := leiden(g, resolution)
		if communities(of) != communities(connected(g, of)) {
			t.Fatal("a community is not connected")
		}
		alone := make([]int, n)
		for v := range alone {
			alone[v] = v
		}
		if g.modularity(of, resolution) < g.modularity(alone, resolution)-1e-9 {
			t.Fatal("worse than every node alone")
		}
		// A level's modularity is that of the whole graph, and never falls.
		last := math.Inf(-1)
		if g.total > 0 {
			end := pass(g, alone, resolution, rand.New(rand.NewPCG(seed, 0)), func(q float64) {
				if q < last-1e-9 {
					t.Fatalf("modularity falls from %v to %v", last, q)
				}
				last = q
			})
			if q := g.modularity(end, resolution); math.Abs(q-last) > 1e-9 {
				t.Fatalf("the last level has %v, the graph %v", last, q)
			}
		}
	})
}

func named(n int) []Table {
	tables := make([]Table, n)
	for i := range tables {
		tables[i] = Table{Schema: "public", Name: fmt.Sprintf("w%c_x", 'a'+i)}
	}
	return tables
}

func members(clusters []Cluster) [][]int {
	out := [][]int{}
	for _, c := range clusters {
		out = append(out, c.Tables)
	}
	return out
}

func TestFind_SmallClusters(t *testing.T) {
	// Two cliques of four, a table that hangs on the first, a pair apart, one alone.
	edges := clique(0, 1, 2, 3)
	edges = append(edges, clique(4, 5, 6, 7)...)
	edges = append(edges, Edge{From: 8, To: 2}, Edge{From: 9, To: 10})
	got := Find(named(12), edges, Options{Resolution: 1})
	if diff := cmp.Diff([][]int{{0, 1, 2, 3, 8}, {4, 5, 6, 7}, {9, 10}, {11}}, members(got)); diff != "" {
		t.Errorf("clusters (-want +got):\n%s", diff)
	}
	if got[1].Cohesion != 1 || got[0].Cohesion != 0.7 || got[3].Cohesion != 0 {
		t.Errorf("cohesion %v, %v and %v, want 0.7, 1 and 0", got[0].Cohesion, got[1].Cohesion, got[3].Cohesion)
	}
	// The joined small cluster goes where it is joined most.
	edges = append(edges, Edge{From: 11, To: 4, Inferred: true, Confidence: 0.5}, Edge{From: 11, To: 5, Inferred: true, Confidence: 0.49})
	got = Find(named(12), edges, Options{Resolution: 1})
	if diff := cmp.Diff([][]int{{0, 1, 2, 3, 8}, {4, 5, 6, 7, 11}, {9, 10}}, members(got)); diff != "" {
		t.Errorf("clusters (-want +got):\n%s", diff)
	}
}

func clique(nodes ...int) []Edge {
	var edges []Edge
	for i, a := range nodes {
		for _, b := range nodes[:i] {
			edges = append(edges, Edge{From: a, To: b})
		}
	}
	return edges
}

func TestFind_FirstWord(t *testing.T) {
	tables := []Table{{Schema: "a", Name: "log_x"}, {Schema: "a", Name: "log_y"}, {Schema: "a", Name: "logZ"}, {Schema: "b", Name: "log_z"}, {Schema: "a", Name: "tmp_x"}, {Schema: "a", Name: "tmp_y"}}
	tables[2].Name = "LogZ"
	if diff := cmp.Diff([][]int{{0, 1, 2}, {3}, {4}, {5}}, members(Find(tables, nil, Options{}))); diff != "" {
		t.Errorf("clusters (-want +got):\n%s", diff)
	}
}

func TestFind_KeepsNumbers(t *testing.T) {
	edges := append(clique(0, 1, 2), clique(3, 4, 5, 6)...)
	numbers := func(o Options) map[int][]int {
		out := map[int][]int{}
		for _, c := range Find(named(7), edges, o) {
			out[c.Number] = c.Tables
		}
		return out
	}
	if diff := cmp.Diff(map[int][]int{0: {3, 4, 5, 6}, 1: {0, 1, 2}}, numbers(Options{Resolution: 1})); diff != "" {
		t.Errorf("first run (-want +got):\n%s", diff)
	}
	old := map[int][]int{0: {0, 1, -1}, 7: {3, 4, 5}, 3: {6, -2, -3}}
	if diff := cmp.Diff(map[int][]int{0: {0, 1, 2}, 7: {3, 4, 5, 6}}, numbers(Options{Resolution: 1, Old: old})); diff != "" {
		t.Errorf("after an earlier run (-want +got):\n%s", diff)
	}
}

func TestFind_Pattern(t *testing.T) {
	roled := func(letters string) []Table {
		tables := named(len(letters))
		for i, l := range letters {
			tables[i].Role = map[rune]roles.Role{'F': roles.Fact, 'D': roles.Dimension, 'e': roles.Entity}[l]
		}
		return tables
	}
	tests := []struct {
		name, roles string
		edges       []Edge
		want        Pattern
	}{
		{"star", "FDDD", []Edge{{From: 0, To: 1}, {From: 0, To: 2}, {From: 0, To: 3}}, Star},
		{"snowflake", "FDDDD", []Edge{{From: 0, To: 1}, {From: 0, To: 2}, {From: 0, To: 3}, {From: 3, To: 4}}, Snowflake},
		{"constellation", "FFD", []Edge{{From: 0, To: 2}, {From: 1, To: 2}}, Constellation},
		{"constellation at a distance", "FFeD", []Edge{{From: 0, To: 2}, {From: 2, To: 3}, {From: 1, To: 3}}, Constellation},
		{"erd", "FDD", []Edge{{From: 0, To: 1}, {From: 0, To: 2}}, ERD},
		{"one table", "F", nil, None},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := Find(roled(test.roles), test.edges, Options{Resolution: 0.01})
			if len(got) != 1 || got[0].Pattern != test.want {
				t.Errorf("clusters %+v, want one with pattern %s", got, test.want)
			}
		})
	}
	for _, test := range []struct {
		letters string
		want    Pattern
	}{{"FFDD", Constellation}, {"FDDD", Star}, {"FDD", ERD}, {"D", None}} {
		tables := roled(test.letters)
		all := make([]int, len(tables))
		for i := range all {
			all[i] = i
		}
		if got := pattern(tables, all, nil); got != test.want {
			t.Errorf("%s without keys: %s, want %s", test.letters, got, test.want)
		}
	}
}

// One table that everything refers to does not make one cluster of everything.
func TestFind_Hub(t *testing.T) {
	var edges []Edge
	const groups, size = 10, 8
	for c := range groups {
		var list []int
		for i := range size {
			list = append(list, 1+c*size+i)
			edges = append(edges, Edge{From: 1 + c*size + i, To: 0})
		}
		for i := range list {
			edges = append(edges, Edge{From: list[i], To: list[(i+1)%size]})
		}
	}
	tables := make([]Table, 1+groups*size)
	got := Find(tables, edges, Options{})
	if len(got) < groups || len(got[0].Tables) > 3*size {
		t.Errorf("%d clusters, the largest of %d tables", len(got), len(got[0].Tables))
	}
}

// large has 10,000 tables, 15,000 declared keys and 60,000 inferred joins, most of
// them between near tables.
func large() ([]Table, []Edge) {
	rng := rand.New(rand.NewPCG(3, 4))
	tables := make([]Table, 10_000)
	for i := range tables {
		tables[i] = Table{Schema: "s", Name: fmt.Sprintf("n%d_t%d", i%50, i)}
	}
	var edges []Edge
	for i := range 75_000 {
		e := Edge{From: rng.IntN(len(tables)), Inferred: i >= 15_000, Confidence: rng.Float64()}
		e.To = (e.From + 1 + rng.IntN(40)) % len(tables)
		if rng.IntN(5) == 0 {
			e.To = rng.IntN(1 + rng.IntN(len(tables)))
		}
		edges = append(edges, e)
	}
	return tables, edges
}

func BenchmarkFind_Large(b *testing.B) {
	tables, edges := large()
	b.ReportAllocs()
	for b.Loop() {
		b.ReportMetric(float64(len(Find(tables, edges, Options{}))), "clusters")
	}
}

func TestFind_Deterministic(t *testing.T) {
	tables, edges := large()
	tables = tables[:1500]
	edges = slices.DeleteFunc(edges, func(e Edge) bool { return max(e.From, e.To) >= len(tables) })
	want := Find(tables, edges, Options{})
	for range 3 {
		rand.Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
		if diff := cmp.Diff(want, Find(tables, edges, Options{})); diff != "" {
			t.Fatalf("a second run over the same joins (-want +got):\n%s", diff)
		}
	}
}
