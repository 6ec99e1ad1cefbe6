package query

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/exec"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/expr"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// orders is a small table with a column of every kind.
func orders(t testing.TB) *col.Table {
	t.Helper()
	var id, day col.IntBuilder
	var price, unit col.FloatBuilder
	var region, active col.LabelBuilder
	var note col.TextBuilder
	for i, r := range []string{"EU", "NA", "EU"} {
		id.Append(int64(i + 1))
		day.Append(int64(19_000 + i))
		region.Append([]byte(r))
		price.Append(float64(i) * 10.5)
		active.Append([]byte("true"))
		note.Append([]byte("n"))
		unit.Append(1)
	}
	labels := func(b *col.LabelBuilder, f col.Field) *col.Column {
		c, err := b.Column(f)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	notes, err := note.Column(col.Field{Name: "note", Kind: col.Text})
	if err != nil {
		t.Fatal(err)
	}
	return &col.Table{Name: "orders", Rows: 3, Columns: []*col.Column{
		id.Column(col.Field{Name: "id", Kind: col.Number}),
		day.Column(col.Field{Name: "day", Kind: col.Date, Unit: col.Day}),
		labels(&region, col.Field{Name: "region", Kind: col.Category}),
		price.Column(col.Field{Name: "price", Kind: col.Number}),
		labels(&active, col.Field{Name: "active", Kind: col.Category, Bool: true}),
		notes,
		unit.Column(col.Field{Name: "unit price", Kind: col.Number}),
	}}
}

var env = plan.Env{Now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}

func TestPlan(t *testing.T) {
	total := []Named{{"total", "sum(price)"}, {"n", "count()"}}
	tests := []struct {
		name  string
		q     Question
		shape Shape
		want  string
	}{
		{"all rows", Question{}, Rows, `
scan orders`},
		{"filter", Question{Filter: "region == 'EU' && price > 10"}, Rows, `
filter (region == 'EU') && (price > 10)
  scan orders`},
		{"sort reverses only its entry", Question{Sort: []string{"-price", "region", " - id "}}, Rows, `
sort price descending, region, id descending
  scan orders`},
		{"sort by expression", Question{Sort: []string{"-price + 1", "year(day)", "--id"}}, Rows, `
sort price + 1 descending, year(day), -id descending
  scan orders`},
		{"sort by a name with a space", Question{Sort: []string{"-unit price", "[unit price]"}}, Rows, "\n" +
			"sort `unit price` descending, `unit price`\n" +
			"  scan orders"},
		{"totals", Question{Filter: "active", Aggregates: total}, Totals, `
project ` + "`sum(price)` as total, `count()` as n" + `
  aggregate sum(price), count()
    filter active
      scan orders`},
		{"groups", Question{Aggregates: total, GroupBy: []string{"region"}, Sort: []string{"-total"}}, Groups, `
project region, ` + "`sum(price)` as total, `count()` as n" + `
  sort ` + "`sum(price)` descending" + `
    aggregate sum(price), count() by region
      scan orders`},
		{"without sort groups come by key", Question{Aggregates: []Named{{"n", "count()"}}, GroupBy: []string{"REGION", "active"}}, Groups, `
project region, active, ` + "`count()` as n" + `
  aggregate count() by region, active
    scan orders`},
		{"key expression", Question{Aggregates: []Named{{"n", "count()"}}, GroupBy: []string{"year(day)", "unit price"},
			Sort: []string{"-year(day)", "year( day ) % 2", "unit price"}}, Groups, `
project ` + "`year(day)`, `unit price`, `count()` as n" + `
  sort ` + "`year(day)` descending, `year(day)` % 2, `unit price`" + `
    aggregate count() by year(day), ` + "`unit price`" + `
      scan orders`},
		{"expression over aggregates", Question{Aggregates: []Named{{"mean", "sum(price)/sum(id) + year(day)"}, {"s", "sum(price)"}},
			GroupBy: []string{"year(day)"}, Sort: []string{"mean * 2", "-count(where active)"}}, Groups, `
project ` + "`year(day)`, (`sum(price)` / `sum(id)`) + `year(day)` as mean, `sum(price)` as s" + `
  sort ` + "((`sum(price)` / `sum(id)`) + `year(day)`) * 2, `count(where active)` descending" + `
    aggregate sum(price), sum(id), count(where active) by year(day)
      scan orders`},
		{"an aggregate may take a column's name", Question{Aggregates: []Named{{"price", "sum(price)"}}, GroupBy: []string{"region"},
			Sort: []string{"price", "max(price)"}}, Groups, `
project region, ` + "`sum(price)` as price" + `
  sort ` + "`sum(price)`, `max(price)`" + `
    aggregate sum(price), max(price) by region
      scan orders`},
		{"where tail", Question{Aggregates: []Named{{"eu", "sum(price where region == 'EU')"}}}, Totals, `
project ` + "`sum(price where region == 'EU')` as eu" + `
  aggregate sum(price where region == 'EU')
    scan orders`},
	}
	table := orders(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n, err := Plan(table, tt.q, env)
			if err != nil {
				t.Fatal(err)
			}
			if got := "\n" + strings.TrimSpace(plan.Explain(n)); got != tt.want {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
			if got := tt.q.Shape(); got != tt.shape {
				t.Errorf("shape %d, want %d", got, tt.shape)
			}
		})
	}
}

func TestPlan_Schema(t *testing.T) {
	n, err := Plan(orders(t), Question{
		GroupBy:    []string{"active", "year(day)", "REGION"},
		Aggregates: []Named{{"n", "count()"}, {"sum", "sum(id)"}, {"ratio", "sum(id)/count()"}, {"last", "max(day)"}},
	}, env)
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		name string
		base plan.Base
		flag bool
	}{
		{"active", plan.String, true}, {"year(day)", plan.Int, false}, {"region", plan.String, false},
		{"n", plan.Int, false}, {"sum", plan.Int, false}, {"ratio", plan.Float, false}, {"last", plan.Date, false},
	}
	got := n.Schema()
	if len(got) != len(want) {
		t.Fatalf("schema %+v", got)
	}
	for i, w := range want {
		if got[i].Name != w.name || got[i].Type.Base != w.base || got[i].Bool != w.flag {
			t.Errorf("column %d is %+v, want %+v", i, got[i], w)
		}
	}
}

func TestPlan_SumOverNothing(t *testing.T) {
	n, err := Plan(orders(t), Question{Aggregates: []Named{{"s", "sum(price)"}}}, env)
	if err != nil {
		t.Fatal(err)
	}
	if agg := n.(*plan.Project).In.(*plan.Aggregate); !agg.Aggs[0].ZeroSum {
		t.Error("the sum over no values is not 0")
	}
}

func many(n int) []Named {
	out := make([]Named, n)
	for i := range out {
		out[i] = Named{fmt.Sprint("a", i), "count()"}
	}
	return out
}

func TestPlan_AtTheLimit(t *testing.T) {
	if _, err := Plan(orders(t), Question{Aggregates: many(MaxAggregates)}, env); err != nil {
		t.Error(err)
	}
}

func TestPlan_Refused(t *testing.T) {
	n := []Named{{"n", "count()"}}
	tests := []struct {
		name string
		q    Question
		want string // the first line
	}{
		{"group_by alone", Question{GroupBy: []string{"region"}}, `group_by needs aggregates, e.g. {"n": "count()"}.`},
		{"name of a key", Question{GroupBy: []string{"region"}, Aggregates: []Named{{"region", "count()"}}}, "the aggregate 'region' has the name of a group_by key; give it another"},
		{"too many", Question{Aggregates: many(MaxAggregates + 1)}, "aggregates has 1001 entries; the most is 1000"},
		{"name twice", Question{Aggregates: []Named{{"n", "count()"}, {"n", "sum(price)"}}}, "aggregates names 'n' twice"},
		{"no name", Question{Aggregates: []Named{{"", "count()"}}}, "aggregates has an empty name; name what 'count()' is"},
		{"keys in one text", Question{GroupBy: []string{"region, price"}, Aggregates: n}, `group_by has several entries in one; give a list: ["region", "price"]`},
		{"sort in one text", Question{Sort: []string{"region,-price"}}, `sort has several entries in one; give a list: ["region", "-price"]`},
		{"unknown names in one text", Question{Sort: []string{"region,-qtyy"}}, "unexpected ',' at position 7; give one expression"},
		{"key twice", Question{GroupBy: []string{"region", "Region"}, Aggregates: n}, "group_by names 'Region' twice"},
		{"expression twice", Question{GroupBy: []string{"year(day)", "YEAR( day )"}, Aggregates: n}, "group_by names 'YEAR( day )' twice"},
		{"empty key", Question{GroupBy: []string{" "}, Aggregates: n}, "group_by has an empty entry; name a column or an expression"},
		{"text key", Question{GroupBy: []string{"note"}, Aggregates: n}, "'note' is free text (loaded with types 'string') and cannot be used in an expression at position 1"},
		{"aggregate as key", Question{GroupBy: []string{"sum(price)"}, Aggregates: n}, "'sum' is an aggregate at position 1; it belongs in aggregates, not in group_by"},
		{"unknown key", Question{GroupBy: []string{"regio"}, Aggregates: n}, "unknown column 'regio' at position 1; did you mean 'region'?"},
		{"no aggregate", Question{Aggregates: []Named{{"x", "price * 2"}}}, "the aggregate 'x' is 'price * 2', which aggregates nothing; write e.g. sum(x), mean(x) or count()"},
		{"bare name", Question{Aggregates: []Named{{"n", "count"}}}, "unknown column 'count' at position 1; the aggregate is written count()"},
		{"aggregate in aggregate", Question{Aggregates: []Named{{"n", "max(sum(price))"}}}, "'sum' is an aggregate at position 5; it cannot stand inside the aggregate 'max'"},
		{"aggregate in filter", Question{Filter: "sum(price) > 1", Aggregates: n}, "'sum' is an aggregate at position 1; it belongs in aggregates, not in filter"},
		{"aggregate in sort of rows", Question{Sort: []string{"-sum(price)"}}, "'sum' is an aggregate at position 1; it belongs in aggregates, not in sort"},
		{"column beside an aggregate", Question{Aggregates: []Named{{"x", "sum(price) / price"}}}, "'price' has many values in a group at position 14; aggregate it, e.g. min(price), or name it in group_by"},
		{"column in sort of groups", Question{GroupBy: []string{"region"}, Aggregates: n, Sort: []string{"unit price"}},
			"'unit price' has many values in a group at position 1; aggregate it, e.g. min(`unit price`), or name it in group_by"},
		{"expression in sort of groups", Question{GroupBy: []string{"region"}, Aggregates: n, Sort: []string{"n", "-n + year(day)"}},
			"'day' has many values in a group at position 10; aggregate it, e.g. min(day), or name it in group_by"},
		{"unknown in sort of groups", Question{GroupBy: []string{"region"}, Aggregates: []Named{{"total", "count()"}}, Sort: []string{"totl"}},
			"unknown column 'totl' at position 1; did you mean 'total'?"},
		{"sort by text", Question{Sort: []string{"note"}}, "'note' is free text (loaded with types 'string') and cannot be used in an expression at position 1"},
		{"empty sort", Question{Sort: []string{"-"}}, "sort has an empty entry; name a column, an aggregate or an expression"},
		{"filter of a number", Question{Filter: "price"}, "number 'price' is not a condition at position 1; write price != 0"},
		{"sum of text", Question{Aggregates: []Named{{"s", "sum(region)"}}}, "sum needs a number, not category 'region' at position 5; toNumber(region) reads text as a number"},
	}
	table := orders(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Plan(table, tt.q, env)
			var e *Error
			var x *expr.Error
			if !errors.As(err, &e) && !errors.As(err, &x) {
				t.Fatalf("got %T %v", err, err)
			}
			if got, _, _ := strings.Cut(err.Error(), "\n"); got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}

// The examples of the product: totals per region, largest first, and counts.
func TestPlan_Answer(t *testing.T) {
	tests := []struct {
		name string
		q    Question
		want [][]plan.Value
	}{
		{"groups", Question{Filter: "price > 10", Aggregates: []Named{{"total", "sum(price)"}, {"n", "count()"}}, GroupBy: []string{"region"}, Sort: []string{"-total"}},
			[][]plan.Value{
				{{Base: plan.String, S: "EU"}, {Base: plan.Float, F: 21}, {Base: plan.Int, I: 1}},
				{{Base: plan.String, S: "NA"}, {Base: plan.Float, F: 10.5}, {Base: plan.Int, I: 1}},
			}},
		{"nothing matches, totals", Question{Filter: "price > 100", Aggregates: []Named{{"s", "sum(price)"}, {"i", "sum(id)"}, {"n", "count()"}, {"m", "mean(price)"}}},
			[][]plan.Value{{{Base: plan.Float}, {Base: plan.Int}, {Base: plan.Int}, {}}}},
		{"nothing matches, groups", Question{Filter: "price > 100", Aggregates: []Named{{"n", "count()"}}, GroupBy: []string{"region"}}, [][]plan.Value{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n, err := Plan(orders(t), tt.q, env)
			if err != nil {
				t.Fatal(err)
			}
			res, err := exec.Run(context.Background(), n, exec.Options{Threads: 1, Limit: -1})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, res.Rows); diff != "" {
				t.Error(diff)
			}
		})
	}
}
