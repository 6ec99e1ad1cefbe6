package corpus

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/parse"
)

// BenchmarkLongStatements parses and resolves the corpus's statements of half a KB
// and more. Its p50 and p90 are over the statements, each with the median of its
// runs, as if it had 2 KB.
func BenchmarkLongStatements(b *testing.B) {
	const least, size, runs = 512, 2048, 25
	for _, d := range []sqltree.Dialect{sqltree.Postgres, sqltree.MySQL, sqltree.SQLite, sqltree.DuckDB} {
		b.Run(string(d), func(b *testing.B) {
			dirs, err := filepath.Glob(filepath.Join("testdata", string(d), "*"))
			if err != nil {
				b.Fatal(err)
			}
			var each []float64 // microseconds
			for b.Loop() {
				each = each[:0]
				for _, dir := range dirs {
					catalog, _ := load(b, d, dir)
					files, err := filepath.Glob(filepath.Join(dir, "*.sql"))
					if err != nil {
						b.Fatal(err)
					}
					for _, file := range files {
						if filepath.Base(file) == "schema.sql" {
							continue
						}
						for _, text := range statements(read(b, file)) {
							if len(text) < least {
								continue
							}
							took := make([]time.Duration, runs)
							for i := range took {
								start := time.Now()
								script, err := parse.Parse(d, text)
								if err != nil {
									b.Fatal(err)
								}
								sqltree.Resolve(script.Statements[0], d, catalog)
								took[i] = time.Since(start)
							}
							slices.Sort(took)
							each = append(each, took[runs/2].Seconds()*1e6*size/float64(len(text)))
						}
					}
				}
			}
			slices.Sort(each)
			b.ReportMetric(float64(len(each)), "statements")
			b.ReportMetric(each[len(each)/2], "p50-µs")
			b.ReportMetric(each[len(each)*9/10], "p90-µs")
			b.ReportMetric(0, "ns/op") // says nothing here
		})
	}
}
