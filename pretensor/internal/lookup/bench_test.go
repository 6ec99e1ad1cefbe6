package lookup

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quartet-mcp/quartet/datakit/wordvec"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/embed"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// warehouse makes n tables of 20 columns on average, with a comment on a third of
// everything, a cluster for 40 tables and an entity for 5.
func warehouse(connection string, n int) catalog.Data {
	nouns := strings.Fields(`customer order invoice payment product item shipment supplier warehouse stock price discount campaign click session
		visit employee department salary contract account ledger budget region country city address store channel device ticket agent refund
		return subscription plan usage event metric forecast target quota territory currency rate tax policy claim patient doctor visit trial
		asset machine sensor reading batch recipe vendor purchase delivery route driver vehicle trip booking room guest review rating survey`)
	kinds := strings.Fields(`id name code type status date amount count total note key flag start end rate version source`)
	styles := []func(a ...string) string{
		func(a ...string) string { return strings.Join(a, "_") },
		func(a ...string) string { return strings.Join(a, "") },
		func(a ...string) string {
			for i := range a {
				a[i] = strings.ToUpper(a[i][:1]) + a[i][1:]
			}
			return strings.Join(a, "")
		},
	}
	r := rand.New(rand.NewPCG(7, 11))
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	sentence := func(words int) string {
		var b strings.Builder
		for range words {
			b.WriteString(pick(nouns) + " " + pick(kinds) + " of ")
		}
		return b.String() + pick(nouns)
	}
	d := catalog.Data{Connection: connection, Dialect: "postgresql", DefaultSchema: "s0", Facts: make([]catalog.Facts, n)}
	for i := range n {
		style := styles[i%len(styles)]
		t := model.Table{Schema: fmt.Sprintf("s%d", i%12), Name: style(pick(nouns), pick(nouns)) + fmt.Sprint("_", i), Type: model.BaseTable}
		if r.IntN(3) == 0 {
			t.Comment = sentence(4)
		}
		for k := range 5 + r.IntN(31) {
			c := model.Column{Name: style(pick(nouns), pick(kinds)), Ordinal: k + 1, Type: "integer"}
			if r.IntN(3) == 0 {
				c.Comment = sentence(2)
			}
			t.Columns = append(t.Columns, c)
		}
		d.Tables = append(d.Tables, t)
		if i%40 == 0 {
			d.Clusters = append(d.Clusters, catalog.Cluster{Number: i / 40, Label: t.QualifiedName() + " · " + pick(nouns), Description: sentence(6)})
		}
		k := &d.Clusters[len(d.Clusters)-1]
		k.Tables = append(k.Tables, i)
		if i%5 == 0 {
			d.Entities = append(d.Entities, catalog.Entity{Name: fmt.Sprint(pick(nouns), " ", i), Tables: []int{i}})
		}
	}
	return d
}

var benchQuestions = []string{
	"daily revenue by region", "customer order", "which invoices were paid late last month", "shipmnt adrss", "stock level per store",
	"refunds and discounts of returning customers", "cust", "purchaseorder supplier price history", "employee salary",
}

// embedded adds vectors of the builtin words.
func embeddedData(tb testing.TB, d catalog.Data) (catalog.Data, *embed.Embedder) {
	tb.Helper()
	b, err := wordvec.NewBuiltin()
	if err != nil {
		tb.Fatal(err)
	}
	d.Vectors, err = embed.Tables(context.Background(), b, &d)
	if err != nil {
		tb.Fatal(err)
	}
	return d, embed.New(b)
}

func times(b *testing.B, f func(question string)) {
	b.Helper()
	var times []time.Duration
	for i := 0; b.Loop(); i++ {
		start := time.Now()
		f(benchQuestions[i%len(benchQuestions)])
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(times[len(times)*95/100].Microseconds()), "p95-µs")
}

func BenchmarkPut10000(b *testing.B) {
	d := warehouse("big", 10_000)
	for b.Loop() {
		x := index(b, catalog.New(d, 1))
		if err := x.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkQuestion10000(b *testing.B) {
	d, e := embeddedData(b, warehouse("big", 10_000))
	x := index(b, catalog.New(d, 1))
	ctx := context.Background()
	b.Run("search", func(b *testing.B) {
		times(b, func(q string) {
			if _, err := x.Search(ctx, Question{Text: q, Limit: 10}); err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("search50", func(b *testing.B) {
		times(b, func(q string) {
			if _, err := x.Search(ctx, Question{Text: q, Limit: 50}); err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("fused", func(b *testing.B) {
		times(b, func(q string) {
			if _, _, err := x.Fused(ctx, e, Question{Text: q, Limit: 10}); err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("semantic", func(b *testing.B) {
		times(b, func(q string) {
			if _, err := x.Semantic(ctx, e, Question{Text: q, Limit: 10}, nil); err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("similar", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			x.Similar(e, "big", i%10_000, 5)
		}
	})
}
