package lineage

import (
	"fmt"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// stacked has views in five levels, of three joins each: the first level reads tables,
// each further one the views below it.
func stacked(views int) *schema.Database {
	const levels = 5
	db := &schema.Database{}
	wide := views / levels
	for i := range wide {
		t := &schema.Table{Name: schema.Name{Name: fmt.Sprintf("t%d", i)}}
		for _, c := range []string{"id", "a", "b", "c", "d", "e", "f", "g", "h", "i"} {
			t.Columns = append(t.Columns, &schema.Column{Name: c})
		}
		db.Tables = append(db.Tables, t)
	}
	below := "t%d"
	for level := range levels {
		for i := range wide {
			of := func(n int) string { return fmt.Sprintf(below, (i+n)%wide) }
			body := fmt.Sprintf("SELECT x.id, x.a, y.b, z.c, w.d || x.e AS e, coalesce(y.a, z.a) AS d FROM %s AS x "+
				"JOIN %s AS y ON y.id = x.id LEFT JOIN %s AS z ON z.id = y.id JOIN %s AS w ON w.id = z.id WHERE x.a > 3", of(0), of(1), of(2), of(3))
			db.Views = append(db.Views, &schema.View{Name: schema.Name{Name: fmt.Sprintf("v%d_%d", level, i)}, Body: body})
		}
		below = strings.ReplaceAll(fmt.Sprintf("v%d_N", level), "N", "%d")
	}
	return db
}

func BenchmarkTrace(b *testing.B) {
	for _, d := range []dialect.Dialect{dialect.Postgres, dialect.MySQL, dialect.SQLite} {
		for _, views := range []int{1000, 2000, 4000} {
			b.Run(fmt.Sprintf("%s/%d", d, views), func(b *testing.B) {
				db := stacked(views)
				for b.Loop() {
					r := Trace(b.Context(), db, d)
					if len(r.Undecided) > 0 || len(r.Edges) < 6*views {
						b.Fatalf("%d edges, %v", len(r.Edges), r.Undecided[:1])
					}
				}
			})
		}
	}
}
