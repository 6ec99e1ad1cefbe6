package postgres

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
)

// BenchmarkIntrospect reads 2,000 tables of 20 columns with keys, checks,
// comments and statistics, from a server of this machine.
func BenchmarkIntrospect(b *testing.B) {
	const tables, columns, batch = 2000, 20, 100
	types := []string{"int", "bigint NOT NULL DEFAULT 0", "varchar(45)", "numeric(10,2)", "timestamptz DEFAULT now()", "boolean", "text", "date", "jsonb"}
	d, admin := load(b)
	for first := 0; first < tables; first += batch {
		var s strings.Builder
		for n := first; n < first+batch; n++ {
			fmt.Fprintf(&s, "CREATE TABLE t%d (id serial PRIMARY KEY", n)
			for i := 1; i < columns; i++ {
				if i == 1 {
					fmt.Fprintf(&s, ", c1 int REFERENCES t%d", n/2)
					continue
				}
				fmt.Fprintf(&s, ", c%d %s", i, types[(n+i)%len(types)])
			}
			fmt.Fprintf(&s, ", CHECK (id > 0)); CREATE INDEX ON t%d (c1); COMMENT ON TABLE t%d IS 'table %d'; INSERT INTO t%d DEFAULT VALUES;", n, n, n, n)
		}
		execute(b, admin, s.String())
	}
	execute(b, admin, "ANALYZE")
	c, err := Open(context.Background(), d)
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	for _, o := range []connect.Options{{}, {Stats: connect.StatsNone}} {
		name := "statistics"
		if o.Stats == connect.StatsNone {
			name = "structure"
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				db, err := c.Introspect(context.Background(), o)
				if err != nil {
					b.Fatal(err)
				}
				if len(db.Tables) != tables || len(db.Tables[0].Columns) != columns {
					b.Fatalf("%d tables", len(db.Tables))
				}
			}
		})
	}
}
