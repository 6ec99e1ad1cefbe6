package tools

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/index"
	"github.com/quartet-mcp/quartet/pretensor/internal/modeltest"
)

// The reference size of a large database.
const (
	largeTables    = 10_000
	largeColumns   = 200_000
	largeConsumers = 20_000
)

// large is the data of a large database with a hub that 3,000 tables refer to, as
// index.Analyse makes it, and code that uses its tables.
var large = sync.OnceValue(func() *catalog.Data {
	db := modeltest.Large(largeTables, largeColumns)
	data := index.Analyse("large", db, index.Settings{AliasSources: 1, MinClusterSize: 3, SameNameMaxTables: 8})
	data.Generation, data.BuiltAt = "g1", today
	r := rand.New(rand.NewPCG(3, 5))
	hub := len(data.Tables) / 2
	for i := range 3000 {
		from := r.IntN(len(data.Tables))
		if from != hub {
			data.Joins = append(data.Joins, catalog.Join{
				From: from, To: hub, FromColumn: data.Tables[from].Columns[0].Name, ToColumn: data.Tables[hub].Columns[0].Name, Source: "usage",
				Confidence: 0.5 + float64(i%50)/100, Reasoning: "seen in code", TargetUnique: true,
			})
		}
	}
	for i := range largeConsumers {
		data.Consumers = append(data.Consumers, catalog.Consumer{
			ID: fmt.Sprint(i), Service: fmt.Sprint("service-", i%30), File: fmt.Sprintf("internal/store/file%04d.go", i/10), LineStart: i % 10 * 40, LineEnd: i%10*40 + 6,
			Kind: "call", Language: "go", Confidence: 0.9, Uses: []catalog.Use{{Table: r.IntN(len(data.Tables)), Op: "read", Confidence: 0.9}},
		})
	}
	return data
})

// benchmarkTool calls a tool again and again over a connection, each time with other arguments.
func benchmarkTool(b *testing.B, tool string, args ...string) {
	w := serve(b, searching(b, nil), large())
	for _, a := range args { // the first calls load the catalog and make the indexes
		w.good(tool, a, nil)
	}
	i := 0
	for b.Loop() {
		w.call(tool, args[i%len(args)])
		i++
	}
}

// farApart are arguments for tables that are some joins apart.
func farApart(b *testing.B, more string) []string {
	data := large()
	c := catalog.New(*data, 1)
	r := rand.New(rand.NewPCG(1, 2))
	var args []string
	for len(args) < 40 {
		from, to := r.IntN(c.Len()), r.IntN(c.Len())
		if from == to || c.ShadowOf(from) >= 0 || c.ShadowOf(to) >= 0 || len(c.Out(from)) == 0 || len(c.Out(to))+len(c.In(to)) == 0 {
			continue
		}
		args = append(args, fmt.Sprintf(`{"database":"large","from_table":%q,"to_table":%q%s}`, c.Name(from), c.Name(to), more))
	}
	return args
}

func BenchmarkTraverse_Depth4Top3(b *testing.B) { benchmarkTool(b, "traverse", farApart(b, "")...) }

func BenchmarkTraverse_Depth8Top10(b *testing.B) {
	benchmarkTool(b, "traverse", farApart(b, `,"max_depth":8,"top_k":10`)...)
}

// hubs are arguments for the table that most refer to, and others.
func hubs(b *testing.B, more string) []string {
	data := large()
	c := catalog.New(*data, 1)
	most := 0
	for t := range c.Len() {
		if len(c.In(t)) > len(c.In(most)) {
			most = t
		}
	}
	return []string{fmt.Sprintf(`{"database":"large","table":%q%s}`, c.Name(most), more)}
}

func BenchmarkImpact_Depth3(b *testing.B) { benchmarkTool(b, "impact", hubs(b, "")...) }
func BenchmarkImpact_Depth8(b *testing.B) { benchmarkTool(b, "impact", hubs(b, `,"max_depth":8`)...) }

func BenchmarkQuery(b *testing.B) {
	benchmarkTool(b, "query", `{"q":"daily revenue by region"}`, `{"q":"customer orders"}`, `{"q":"which invoices were paid late last month"}`, `{"q":"shipmnt custmer"}`)
}

// What the first question costs beside the loading of the catalog.
func BenchmarkQuery_First(b *testing.B) {
	data := large()
	for b.Loop() {
		b.StopTimer()
		w := serve(b, searching(b, nil), data)
		if _, err := w.sv.open("large"); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		if _, err := w.sv.search(context.Background(), ""); err != nil {
			b.Fatal(err)
		}
	}
}

// Whatever way a schema gives names, the clauses of all paths are SQL.
func TestTraverse_AllNamings(t *testing.T) {
	data := index.Analyse("all", modeltest.Large(500, 6000), index.Settings{AliasSources: 1, MinClusterSize: 3, SameNameMaxTables: 8})
	data.Generation, data.BuiltAt = "g1", today
	w := serve(t, nil, data)
	r := rand.New(rand.NewPCG(7, 9))
	n := 0
	for range 80 {
		from, to := &data.Tables[r.IntN(len(data.Tables))], &data.Tables[r.IntN(len(data.Tables))]
		got := w.traversed(data, fmt.Sprintf(`{"database":"all","from_table":%q,"to_table":%q,"max_depth":6,"top_k":5,"max_inferred_hops":4}`, from.QualifiedName(), to.QualifiedName()))
		n += len(got.Paths)
	}
	if n < 100 {
		t.Errorf("%d paths were tried", n)
	}
}
