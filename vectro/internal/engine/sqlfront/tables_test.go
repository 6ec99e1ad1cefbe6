package sqlfront

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

var env = plan.Env{Now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}

// ints, floats, labels and texts make columns; nil is a missing value.
func ints(f col.Field, vals ...any) *col.Column {
	var b col.IntBuilder
	for _, v := range vals {
		if v == nil {
			b.AppendMissing(1)
		} else {
			b.Append(int64(v.(int)))
		}
	}
	return b.Column(f)
}

func floats(name string, vals ...any) *col.Column {
	var b col.FloatBuilder
	for _, v := range vals {
		if v == nil {
			b.AppendMissing(1)
		} else {
			b.Append(v.(float64))
		}
	}
	return b.Column(col.Field{Name: name, Kind: col.Number})
}

func labels(f col.Field, vals ...any) *col.Column {
	var b col.LabelBuilder
	for _, v := range vals {
		if v == nil {
			b.AppendMissing(1)
		} else {
			b.Append([]byte(v.(string)))
		}
	}
	c, err := b.Column(f)
	if err != nil {
		panic(err)
	}
	return c
}

func texts(name string, vals ...string) *col.Column {
	var b col.TextBuilder
	for _, v := range vals {
		b.Append([]byte(v))
	}
	c, err := b.Column(col.Field{Name: name, Kind: col.Text})
	if err != nil {
		panic(err)
	}
	return c
}

func num(name string) col.Field { return col.Field{Name: name, Kind: col.Number} }
func cat(name string) col.Field { return col.Field{Name: name, Kind: col.Category} }

const longName = "a_column_with_a_name_that_is_longer_than_the_sixty_three_bytes_that_postgresql_keeps"

var orders = &col.Table{Name: "orders", Rows: 6, Columns: []*col.Column{
	ints(num("id"), 1, 2, 3, 4, 5, 6),
	ints(col.Field{Name: "day", Kind: col.Date, Unit: col.Day}, 19723, 19724, 19754, 19755, 20089, nil), // 2024-01-01, -02, 2024-02-01, -02, 2025-01-01
	labels(cat("region"), "EU", "NA", "EU", nil, "APAC", "NA"),
	ints(num("customer"), 10, 20, 10, 30, nil, 99),
	floats("price", 12.5, 11.0, 18.0, 2.5, nil, 7.0),
	ints(num("qty"), 2, 1, 3, nil, 5, 1),
	labels(col.Field{Name: "active", Kind: col.Category, Bool: true}, "true", "false", "true", nil, "false", "true"),
	texts("note", "a", "b", "c", "d", "e", "f"),
}}

var customers = &col.Table{Name: "customers", Rows: 4, Columns: []*col.Column{
	ints(num("id"), 10, 20, 30, 40),
	labels(cat("name"), "Ada", "Bob", "Cyd", "Dee"),
	labels(cat("region"), "EU", "NA", "EU", "EU"),
}}

var odd = &col.Table{Name: "Odd Table", Rows: 1, Columns: []*col.Column{
	ints(num("Price"), 1), ints(num("price"), 2), ints(num("unit price"), 3), ints(num(longName), 4), ints(num("select"), 5),
	ints(num("größe"), 6), floats("customer", 10.0),
}}

func lookup(name string) (*col.Table, error) {
	all := []*col.Table{orders, customers, odd}
	for _, t := range all {
		if t.Name == name {
			return t, nil
		}
	}
	for _, t := range all {
		if strings.EqualFold(t.Name, name) {
			return t, nil
		}
	}
	return nil, fmt.Errorf("There is no table '%s'.", name)
}

func explain(t *testing.T, text string) string {
	t.Helper()
	n, err := Plan(text, lookup, env)
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	return plan.Explain(n)
}
