package declared

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/ptah/internal/finding"
)

// BenchmarkReader_Check is a file of 60 tables and 30 views that is another one each time.
func BenchmarkReader_Check(b *testing.B) {
	var text strings.Builder
	for i := range 60 {
		fmt.Fprintf(&text, "CREATE TABLE t%d (id bigserial PRIMARY KEY, parent_id bigint REFERENCES t%d (id)", i, i/2)
		for c := range 18 {
			fmt.Fprintf(&text, ",\n  c%d %s", c, []string{"text", "integer", "numeric(12,2)", "timestamptz"}[c%4])
		}
		fmt.Fprintf(&text, ");\nCREATE INDEX ON t%d (parent_id);\n", i)
	}
	for i := range 30 {
		fmt.Fprintf(&text, "CREATE VIEW v%d AS SELECT a.id, a.c0, b.c1 FROM t%d a JOIN t%d b ON b.id = a.parent_id WHERE a.c1 > 0;\n", i, i, i+1)
	}
	r, dir := reader(b, nil)
	for i := 0; b.Loop(); i++ {
		write(b, dir, "a.sql", fmt.Sprintf("%s-- %d\n", text.String(), i))
		var rep finding.Report
		if _, err := r.Check(context.Background(), files("postgres", "a.sql"), &rep); err != nil || rep.Failed() {
			b.Fatal(err, rep.Problems())
		}
	}
}
