package goann

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
)

// many is a root that declares tables of twenty columns, fifty in a file.
func many(tables int) fstest.MapFS {
	files := fstest.MapFS{}
	var b strings.Builder
	for i := range tables {
		if i%50 == 0 {
			b.Reset()
			b.WriteString("package models\n")
		}
		fmt.Fprintf(&b, "\n//ptah:schema:table name=\"table_%d\" comment=\"One of many\"\n//ptah:schema:index name=\"table_%d_idx\" fields=\"column_1,column_2\"\ntype Table%d struct {\n", i, i, i)
		b.WriteString("\t//ptah:schema:field name=\"id\" type=\"BIGSERIAL\" primary\n\tID int64\n")
		for j := range 19 {
			fmt.Fprintf(&b, "\t//ptah:schema:field name=\"column_%d\" type=\"VARCHAR(100)\" not_null default=\"x\"\n\tColumn%d string\n", j, j)
		}
		b.WriteString("}\n")
		if i%50 == 49 || i == tables-1 {
			files[fmt.Sprintf("f%d.go", i/50)] = &fstest.MapFile{Data: []byte(b.String())}
		}
	}
	return files
}

func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{1000, 5000, 20000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			files := many(n)
			b.ReportAllocs()
			for b.Loop() {
				var rep finding.Report
				db := Load(b.Context(), files, ".", "models", dialect.Postgres, &rep)
				if len(db.Tables) != n || rep.Failed() {
					b.Fatal(len(db.Tables), rep.Problems())
				}
			}
		})
	}
}
