package yamlsrc

import (
	"fmt"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
)

// many is a file of tables of twenty columns.
func many(tables int) []byte {
	var b strings.Builder
	b.WriteString("tables:\n")
	for i := range tables {
		fmt.Fprintf(&b, "  t%d:\n    columns:\n      id: {type: BIGSERIAL, primary: true}\n", i)
		for j := range 19 {
			fmt.Fprintf(&b, "      c%d: {type: TEXT, not_null: true}\n", j)
		}
	}
	return []byte(b.String())
}

// Files are bounded, so that the largest numbers come in several.
func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{1000, 5000, 20000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			data := many(min(n, 5000))
			b.ReportAllocs()
			for b.Loop() {
				for range max(1, n/5000) {
					var rep finding.Report
					db := Load(b.Context(), data, "a.yaml", dialect.Postgres, &rep)
					if len(db.Tables) != min(n, 5000) || rep.Failed() {
						b.Fatal(len(db.Tables), rep.Problems())
					}
				}
			}
		})
	}
}
