package search_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/quartet-mcp/quartet/datakit/search"
)

// tables makes n documents with the fields that tables of a database have.
func tables(n int) (search.Config, []search.Document) {
	config := search.Config{
		Fields: []search.Field{
			{Name: "name", Boost: 3, Title: true}, {Name: "alias", Boost: 2.5, Title: true}, {Name: "description", Boost: 1.5},
			{Name: "columns", Boost: 1.4}, {Name: "column_text"}, {Name: "cluster", Boost: 0.2},
		},
		Synonyms: search.BusinessSynonyms(),
	}
	docs := corpus(n, 11)
	for i := range docs {
		w := docs[i].Fields["text"]
		docs[i].Fields = map[string][]string{
			"name": {"public", w[0]}, "alias": {w[1]}, "description": w[2:10], "columns": w[10:18], "column_text": w[18:], "cluster": {w[0]},
		}
	}
	return config, docs
}

var benchQuestions = []string{
	"daily revenue by region", "customer order", "which invoices were paid late last month", "shipmnt adrss", "stock level per store",
	"refunds and discounts of returning customers", "cust", "w1234 supplier price history",
}

func BenchmarkSearch5000(b *testing.B) {
	config, docs := tables(5000)
	x := open(b, config, docs...)
	ask(b, x, "warm", 1)
	var times []time.Duration
	i := 0
	for b.Loop() {
		start := time.Now()
		if _, err := x.Search(context.Background(), benchQuestions[i%len(benchQuestions)], 40); err != nil {
			b.Fatal(err)
		}
		times = append(times, time.Since(start))
		i++
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(times[len(times)*95/100].Microseconds()), "p95-µs")
}

func BenchmarkBuild5000(b *testing.B) {
	config, docs := tables(5000)
	for b.Loop() {
		x := open(b, config, docs...)
		if err := x.Commit(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReplaceAndSearch5000(b *testing.B) {
	config, docs := tables(5000)
	x := open(b, config, docs...)
	i := 0
	for b.Loop() {
		if err := x.Index(docs[i%len(docs)]); err != nil {
			b.Fatal(err)
		}
		ask(b, x, fmt.Sprint("order ", i), 10)
		i++
	}
}
