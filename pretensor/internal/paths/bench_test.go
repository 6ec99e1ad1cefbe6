package paths

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
)

// large makes the largest graph that is promised: 10,000 tables, 15,000 declared
// keys that prefer tables which others refer to already, and 60,000 inferred joins,
// most of them near in the order of tables.
func large() *Graph {
	const tables, declared, inferred = 10_000, 15_000, 60_000
	rng := rand.New(rand.NewPCG(3, 4))
	var edges []Edge
	var referred []int
	for i := range declared {
		e := Edge{From: i % tables, FromColumns: []string{fmt.Sprintf("c%d_id", i%7)}, ToColumns: []string{"id"}}
		if len(referred) > 0 && rng.IntN(3) > 0 {
			e.To = referred[rng.IntN(len(referred))]
		} else {
			e.To = rng.IntN(tables)
		}
		referred = append(referred, e.To)
		edges = append(edges, e)
	}
	for range inferred {
		e := Edge{From: rng.IntN(tables), Inferred: true, Confidence: float64(rng.IntN(19)+1) / 20, FromColumns: []string{"x"}, ToColumns: []string{"y"}}
		e.To = (e.From + 1 + rng.IntN(400)) % tables
		if rng.IntN(4) == 0 {
			e.To = rng.IntN(tables)
		}
		edges = append(edges, e)
	}
	return New(tables, edges)
}

func benchmarkSearch(b *testing.B, depth, top, inferred int) {
	g := large()
	rng := rand.New(rand.NewPCG(5, 6))
	b.ReportAllocs()
	paths, expansions, cut, n := 0, 0, 0, 0
	for b.Loop() {
		r, err := g.Search(context.Background(), rng.IntN(g.Tables()), rng.IntN(g.Tables()), top, Limits{Depth: depth, Inferred: inferred})
		if err != nil {
			b.Fatal(err)
		}
		n++
		paths += len(r.Paths)
		expansions += r.Expansions
		if r.Cut {
			cut++
		}
	}
	b.ReportMetric(float64(paths)/float64(n), "paths/op")
	b.ReportMetric(float64(expansions)/float64(n), "expansions/op")
	b.ReportMetric(float64(cut)/float64(n), "cut/op")
}

func BenchmarkSearch_Depth4Top3(b *testing.B)         { benchmarkSearch(b, 4, 3, 2) }
func BenchmarkSearch_Depth8Top10(b *testing.B)        { benchmarkSearch(b, 8, 10, 2) }
func BenchmarkSearch_Depth8Top10AnyKind(b *testing.B) { benchmarkSearch(b, 8, 10, 8) }

func BenchmarkNew(b *testing.B) {
	g := large()
	for b.Loop() {
		New(g.Tables(), g.edges)
	}
}
