package sqlsrc

import (
	"fmt"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
)

// manyTables is a script of n tables with 20 columns each, as people write them.
func manyTables(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "CREATE TABLE app_table_%d (\n  id bigserial PRIMARY KEY,\n  name varchar(200) NOT NULL DEFAULT 'x',\n", i)
		for c := range 17 {
			fmt.Fprintf(&b, "  column_%d numeric(12, 2) NOT NULL DEFAULT 0,\n", c)
		}
		fmt.Fprintf(&b, "  parent_id bigint REFERENCES app_table_%d (id),\n  CHECK (column_1 >= 0)\n);\n", i/2)
		fmt.Fprintf(&b, "CREATE INDEX ON app_table_%d (name, lower(name)) WHERE column_2 > 0;\nCOMMENT ON TABLE app_table_%d IS 'number %d';\n", i, i, i)
	}
	return b.String()
}

func BenchmarkParse_Postgres(b *testing.B) {
	for _, n := range []int{1000, 5000, 10000} {
		text := manyTables(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				var rep finding.Report
				db := Parse(b.Context(), text, "s.sql", dialect.Postgres, &rep)
				if rep.Failed() || len(db.Tables) != n {
					b.Fatal(rep.Problems()[:1])
				}
			}
		})
	}
}

func BenchmarkParse_PostgresFile(b *testing.B) {
	text := scriptText(b, "panoptes")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		var rep finding.Report
		Parse(b.Context(), text, "s.sql", dialect.Postgres, &rep)
	}
}
