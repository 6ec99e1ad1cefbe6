package visibility_test

import (
	"fmt"
	"testing"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/index"
	"github.com/quartet-mcp/quartet/pretensor/internal/modeltest"
	"github.com/quartet-mcp/quartet/pretensor/internal/visibility"
)

// BenchmarkFilter filters 10,000 tables with 200,000 columns, a third of which have a
// comment, a path for each join, and vectors.
func BenchmarkFilter(b *testing.B) {
	db := modeltest.Large(10_000, 200_000)
	for i := range db.Tables {
		t := &db.Tables[i]
		t.Comment = "One row for each of what " + db.Tables[(i*7)%len(db.Tables)].Name + " holds, as the source tells it every night."
		for k := range t.Columns {
			if k%3 == 0 {
				t.Columns[k].Comment = "Taken over from " + db.Tables[(i*13+k)%len(db.Tables)].Columns[0].Name + ", rounded; see the handbook."
			}
		}
	}
	d := index.Analyse("large", db, index.Settings{AliasSources: 1, MinClusterSize: 3})
	for i, e := range catalog.EdgesOf(d) {
		d.Paths = append(d.Paths, catalog.Path{From: e.From, To: e.To, Edges: []int{i}})
	}
	d.Vectors.Tables = make([][]float32, len(d.Tables))
	grants := "allowed_tables: ["
	for i := range d.Tables {
		if i%3 == 0 {
			grants += fmt.Sprintf("%q,", "large::"+d.Tables[i].Schema+"."+d.Tables[i].Name)
		}
	}
	for name, text := range map[string]string{
		"few":     `{hidden_tables: ["tmp_*", "*_audit"], hidden_columns: ["*password*", "email", "customers.*"]}`,
		"half":    `{hidden_tables: ["*[aeiou]"], hidden_columns: ["*_id", "*name*"]}`,
		"granted": grants + "]",
	} {
		f, err := visibility.Parse(text)
		if err != nil {
			b.Fatal(err)
		}
		r, err := f.Rules("")
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				out := r.Filter(d)
				b.ReportMetric(float64(len(out.Tables)), "tables")
			}
		})
	}
}
