package metric

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// Sums are of the amounts of facts: no keys, no texts, no fields, and not of tables
// that are something else.
func TestSuggest(t *testing.T) {
	columns := []model.Column{
		{Name: "payment_id", Type: "int"}, {Name: "Total Amount", Type: "numeric(10,2)"}, {Name: "unitprice", Type: "money"}, {Name: "LineTotal", Type: "float8"},
		{Name: "cost_center", Type: "text"}, {Name: "quantities", Type: "int"}, {Name: "account", Type: "int"}, {Name: "country", Type: "int"},
		{Name: "paid_at", Type: "date"}, {Name: "fees", Type: "int[]", Array: true}, {Name: "tax", Type: "int", Parent: "bill"}, {Name: "weight", Type: "int"},
		{Name: "price_list_id", Type: "int"}, {Name: "PaymentNo", Type: "int"}, {Name: "cost_code", Type: "int"},
	}
	table := func(schema, name string) model.Table {
		return model.Table{Schema: schema, Name: name, Type: model.BaseTable, Columns: columns, PrimaryKey: &model.Key{Columns: []string{"payment_id"}}}
	}
	c := catalog.New(catalog.Data{
		Connection: "shop", Dialect: "postgresql", DefaultSchema: "a",
		Tables: []model.Table{table("a", "dim"), table("a", "Line.Items"), table("b", "none")},
		Facts:  []catalog.Facts{{Role: "dimension"}, {Role: "fact"}, {}},
	}, 0)
	l := Suggest(c)
	want := map[string]string{
		"Line.Items_Total Amount_sum": `SELECT SUM("Line.Items"."Total Amount") AS "Line.Items_Total Amount_sum"` + "\n" + `FROM "a"."Line.Items" AS "Line.Items"`,
		"Line.Items_unitprice_sum":    `SELECT SUM("Line.Items"."unitprice") AS "Line.Items_unitprice_sum"` + "\n" + `FROM "a"."Line.Items" AS "Line.Items"`,
		"Line.Items_LineTotal_sum":    `SELECT SUM("Line.Items"."LineTotal") AS "Line.Items_LineTotal_sum"` + "\n" + `FROM "a"."Line.Items" AS "Line.Items"`,
		"Line.Items_quantities_sum":   `SELECT SUM("Line.Items"."quantities") AS "Line.Items_quantities_sum"` + "\n" + `FROM "a"."Line.Items" AS "Line.Items"`,
	}
	got := map[string]string{}
	for _, name := range l.Metrics() {
		r, err := l.Compile(c, name)
		if err != nil || !r.Validation.Valid {
			t.Errorf("%s: %+v, %v", name, r, err)
			continue
		}
		got[name] = r.SQL
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if l := Suggest(catalog.New(catalog.Data{Connection: "empty"}, 0)); len(l.Metrics()) != 0 {
		t.Errorf("of nothing: %v", l.Metrics())
	}
}
