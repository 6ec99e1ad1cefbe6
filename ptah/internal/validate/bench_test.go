package validate

import (
	"fmt"
	"testing"

	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// large is a schema of n tables of 20 columns, each with a check, an index and a foreign
// key, and a view for every other two tables, five on top of each other.
func large(n int) *schema.Database {
	var objects []any
	for i := range n {
		parts := []any{"id bigint not null", pk("id"), index(fmt.Sprintf("t%d_c1", i), "c1", "c2"), &schema.Constraint{Kind: schema.Check, Name: fmt.Sprintf("t%d_check", i), Expr: "c3 >= 0"}}
		for c := range 19 {
			typ := "int"
			if c%5 == 1 {
				typ = "varchar(100) not null"
			}
			parts = append(parts, fmt.Sprintf("c%d %s", c, typ))
		}
		if i > 0 {
			parts = append(parts, "parent bigint", fk("parent", fmt.Sprintf("t%d(id)", i/2)))
		}
		objects = append(objects, tableOf(fmt.Sprintf("t%d", i), parts...))
	}
	for i := range n * 2 / 5 {
		from := fmt.Sprintf("t%d", i)
		if i%5 > 0 {
			from = fmt.Sprintf("v%d", i-1)
		}
		objects = append(objects, &schema.View{Name: name(fmt.Sprintf("v%d", i)),
			Body: fmt.Sprintf("SELECT a.id, a.c1, b.c2, a.c3 + c.c3 + d.c4 AS c3 FROM %s a JOIN t%d b ON b.id = a.id JOIN t%d c ON c.id = a.id LEFT JOIN t%d d ON d.id = c.id WHERE b.c1 <> ''",
				from, (i+7)%n, (i+11)%n, (i+13)%n)})
	}
	return database(objects...)
}

func BenchmarkValidate(b *testing.B) {
	for _, n := range []int{1000, 5000, 20000} {
		db := large(n)
		b.Run(fmt.Sprintf("tables=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				rep := &finding.Report{}
				Validate(b.Context(), db, pg, "", rep)
				if rep.Failed() {
					b.Fatal(rep.Problems()[:3])
				}
			}
		})
	}
}
