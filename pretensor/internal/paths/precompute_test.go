package paths

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestPrecompute_AgainstEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tables := rapid.IntRange(2, 6).Draw(t, "tables")
		edges := drawEdges(t, tables)
		l := drawLimits(t, tables, len(edges))
		want := map[[2]int]plain{}
		for from := range tables {
			for to := from + 1; to < tables; to++ {
				all := enumerate(edges, from, to, l)
				if len(all) == 0 {
					continue
				}
				best, promoted := all[0], false
				ties := all
				if best.inferred > 0 && l.Kinds == Both {
					fk := l
					fk.Kinds = DeclaredOnly
					if chain := enumerate(edges, from, to, fk); len(chain) > 0 {
						best, ties, promoted = chain[0], chain, true
					}
				}
				n := 0
				for _, w := range ties {
					if near(w.cost, best.cost) == 0 {
						n++
					}
				}
				p := Path{Steps: best.steps, Cost: best.cost, Inferred: best.inferred, Ambiguous: n > 1, Promoted: promoted}
				want[[2]int{from, to}] = plains([]Path{p})[0]
			}
		}
		g := New(tables, edges)
		rows, err := g.Precompute(context.Background(), Plan{Limits: l})
		if err != nil {
			t.Fatal(err)
		}
		got := map[[2]int]plain{}
		for _, r := range rows {
			got[[2]int{r.From, r.To}] = plains([]Path{g.Path(r)})[0]
			back := g.Reversed(g.Path(r))
			if back.Steps[0].From != r.To || back.Steps[len(back.Steps)-1].To != r.From {
				t.Fatalf("the path of %d to %d reversed is %v", r.From, r.To, plains([]Path{back}))
			}
			other, err := g.Search(context.Background(), r.To, r.From, 1, l)
			if err != nil || near(other.Paths[0].Cost, r.Cost) != 0 {
				t.Fatalf("%d to %d costs %v, the other way %v (%v)", r.From, r.To, r.Cost, other.Paths, err)
			}
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Fatalf("rows (-want +got):\n%s", diff)
		}
	})
}

// Pairs within a group and within two declared steps, and no others.
func TestPrecompute_Groups(t *testing.T) {
	// 0 → 1 → 2 → 3 declared; 4 → 0 inferred.
	edges := []Edge{{From: 0, To: 1}, {From: 1, To: 2}, {From: 2, To: 3}, {From: 4, To: 0, Inferred: true, Confidence: 0.9}}
	g := New(6, edges)
	rows, err := g.Precompute(context.Background(), Plan{Groups: []int{0, -1, -1, 0, 0, -1}, Near: 2})
	if err != nil {
		t.Fatal(err)
	}
	var got [][2]int
	for _, r := range rows {
		got = append(got, [2]int{r.From, r.To})
	}
	want := [][2]int{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {2, 3}, {3, 4}}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("pairs (-want +got):\n%s", diff)
	}
}

func TestPrecompute_KeepsTheLeastCost(t *testing.T) {
	var edges []Edge
	for i := range 59 {
		edges = append(edges, Edge{From: i, To: i + 1})
	}
	g := New(60, edges)
	rows, err := g.Precompute(context.Background(), Plan{MaxRows: 200})
	if err != nil {
		t.Fatal(err)
	}
	count := map[float64]int{}
	for _, r := range rows {
		count[r.Cost]++
	}
	if diff := gocmp.Diff(map[float64]int{1: 59, 2: 41}, count); diff != "" {
		t.Errorf("rows by cost (-want +got):\n%s", diff)
	}
}

func TestPrecompute_Cancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	g := New(3, []Edge{{From: 0, To: 1}, {From: 1, To: 2}})
	if _, err := g.Precompute(ctx, Plan{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Precompute: %v, want %v", err, context.Canceled)
	}
	if _, err := g.Search(ctx, 0, 2, 1, Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Search: %v, want %v", err, context.Canceled)
	}
}

// BenchmarkPrecompute_Large has clusters of up to 60 tables that lie together.
func BenchmarkPrecompute_Large(b *testing.B) {
	g := large()
	groups := make([]int, g.Tables())
	rng := rand.New(rand.NewPCG(1, 1))
	for i, c := 0, 0; i < len(groups); c++ {
		for n := 1 + rng.IntN(60); n > 0 && i < len(groups); n-- {
			groups[i] = c
			i++
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		rows, err := g.Precompute(context.Background(), Plan{Groups: groups, Near: 2})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(rows)), "rows")
	}
}

// BenchmarkPrecompute_400 is the largest database of which all pairs are stored.
func BenchmarkPrecompute_400(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	var edges []Edge
	for i := range 600 {
		edges = append(edges, Edge{From: i % 400, To: rng.IntN(400)})
	}
	for range 2400 {
		edges = append(edges, Edge{From: rng.IntN(400), To: rng.IntN(400), Inferred: true, Confidence: rng.Float64()})
	}
	g := New(400, edges)
	for b.Loop() {
		if _, err := g.Precompute(context.Background(), Plan{}); err != nil {
			b.Fatal(err)
		}
	}
}
