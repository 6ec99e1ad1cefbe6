package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// wide makes a schema of n tables with 20 columns each: keys, foreign keys that also go
// in circles, checks, defaults, comments, indexes, and a view for every tenth table.
func wide(n int) *schema.Database {
	db := &schema.Database{
		Enums:    []*schema.Enum{{Name: schema.Name{Name: "mood"}, Values: []string{"good", "bad"}}},
		Routines: []*schema.Routine{{Name: schema.Name{Name: "stamp"}, Returns: "timestamptz", Language: "sql", Body: "SELECT now()"}},
	}
	for i := range n {
		t := &schema.Table{Name: schema.Name{Name: fmt.Sprintf("table_%d", i)}, Comment: "One of many"}
		for k := range 20 {
			c := &schema.Column{Name: fmt.Sprintf("column_%d", k), Type: typ("VARCHAR(40)"), NotNull: k%2 == 0}
			switch k % 5 {
			case 0:
				c.Type = typ("BIGINT")
			case 1:
				c.Type, c.Default = typ("NUMERIC(10,2)"), &schema.Default{Literal: true, Text: "0"}
			case 2:
				c.Type, c.Default = typ("TIMESTAMPTZ"), &schema.Default{Text: "now()"}
			case 3:
				c.Type, c.Comment = typ("mood"), "How it is"
			}
			t.Columns = append(t.Columns, c)
		}
		other := schema.Name{Name: fmt.Sprintf("table_%d", (i*7+1)%n)}
		t.Constraints = []*schema.Constraint{
			{Kind: schema.PrimaryKey, Inline: true, Columns: []string{"column_0"}},
			{Kind: schema.Check, Expr: "column_1 >= 0 AND column_6 >= 0"},
			{Kind: schema.ForeignKey, Columns: []string{"column_5"}, Reference: &schema.Reference{Table: other, Columns: []string{"column_0"}}},
			{Kind: schema.ForeignKey, Columns: []string{"column_10"}, Reference: &schema.Reference{Table: schema.Name{Name: "table_0"}, Columns: []string{"column_0"}}},
		}
		t.Indexes = []*schema.Index{{Keys: []schema.IndexKey{{Column: "column_5"}}}, {Unique: true, Keys: []schema.IndexKey{{Column: "column_4"}}}}
		db.Tables = append(db.Tables, t)
		if i%10 == 0 {
			db.Views = append(db.Views, &schema.View{Name: schema.Name{Name: fmt.Sprintf("view_%d", i)},
				Body: fmt.Sprintf("SELECT a.column_0, b.column_1 FROM table_%d a JOIN table_%d b ON a.column_5 = b.column_0", i, (i*7+1)%n)})
		}
	}
	return db
}

func BenchmarkRender(b *testing.B) {
	for _, d := range []dialect.Dialect{dialect.Postgres, dialect.MariaDB, dialect.SQLite} {
		for _, n := range []int{1000, 5000, 20000} {
			db := wide(n)
			if d != dialect.Postgres {
				db.Routines = nil
			}
			b.Run(fmt.Sprintf("%s/%d", d, n), func(b *testing.B) {
				for b.Loop() {
					rep := &finding.Report{}
					if list := Render(b.Context(), db, Options{Dialect: d}, rep); rep.Failed() || len(list) < n {
						b.Fatal(len(list), rep.Problems()[:1])
					}
				}
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "µs/table")
			})
		}
	}
}

func TestRender_SameBytes(t *testing.T) {
	for _, d := range []dialect.Dialect{dialect.Postgres, dialect.MySQL, dialect.MariaDB, dialect.SQLite} {
		var first string
		for i := range 20 {
			db := wide(50)
			if d == dialect.SQLite {
				db.Routines = nil
			}
			got := strings.Join(Render(t.Context(), db, Options{Dialect: d}, &finding.Report{}), "\n")
			if i == 0 {
				first = got
			}
			if got != first {
				t.Fatalf("%s: run %d differs from the first", d, i)
			}
		}
	}
}
