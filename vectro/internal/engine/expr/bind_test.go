package expr

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

var (
	integer = plan.Type{Base: plan.Int}
	float   = plan.Type{Base: plan.Float}
	text    = plan.Type{Base: plan.String}
	dayType = plan.Type{Base: plan.Date, Unit: col.Day}
)

var schema = plan.Schema{
	{Name: "id", Type: integer, Lo: 1, Hi: 1000},
	{Name: "day", Type: dayType},
	{Name: "region", Type: text},
	{Name: "price", Type: float},
	{Name: "qty", Type: integer, Lo: -5, Hi: 9},
	{Name: "active", Type: text, Bool: true},
	{Name: "note", Type: plan.Type{Base: plan.Text}},
	{Name: "unit price", Type: float},
	{Name: "Zip", Type: text},
	{Name: "twin", Type: float}, {Name: "TWIN", Type: float},
	{Name: "count", Type: integer, Lo: 0, Hi: 3},
}

var env = plan.Env{Now: time.Date(2026, 11, 30, 23, 30, 0, 0, time.FixedZone("", -3600))}

func TestCompile(t *testing.T) {
	tests := []struct{ text, want string }{
		{"price", "price"},
		{"PRICE", "price"},
		{"zip", "Zip"},
		{"twin + TWIN", "twin + TWIN"},
		{"`unit price` * 2", "`unit price` * 2"},
		{"col('unit price')", "`unit price`"},
		{"price * qty", "price * qty"},
		{"-price", "-price"},
		{"+price", "price"},
		{"region == 'EU'", "region == 'EU'"},
		{"region == null", "isnull(region)"},
		{"null != region", "notnull(region)"},
		{"null == null", "true"},
		{"region in ('EU', 'NA')", "in(region, 'EU', 'NA')"},
		{"region in ('EU', null)", "(region == 'EU') || null"},
		{"region in (null)", "null"},
		{"1 in (2, null)", "(1 == 2) || null"},
		{"region not in ('EU', 'NA')", "!in(region, 'EU', 'NA')"},
		{"qty between 1 and 3", "between(qty, 1, 3)"},
		{"qty > 1 ? 'a' : 'b'", "if(qty > 1, 'a', 'b')"},
		{"active ? 1 : 0", "if(active, 1, 0)"},
		{"!active", "!active"},
		{"IF(active, 1, 0)", "if(active, 1, 0)"},
		{"lower(region) == 'eu'", "lower(region) == 'eu'"},
		{"today()", "'2026-12-01'"},
		{"now()", "'2026-12-01T00:30:00Z'"},
		{"day >= '2024-01-01'", "day >= '2024-01-01'"},
		{"div(qty, 2)", "quo(qty, 2)"},
		{"qty / 2", "qty / 2"},
		{"count + 1", "count + 1"},
		{"id == 9007199254740993", "id == 9007199254740993"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			e, err := Compile(tt.text, schema, env)
			if err != nil {
				t.Fatal(err)
			}
			if got := plan.Format(e); got != tt.want {
				t.Errorf("Compile(%q) = %s, want %s", tt.text, got, tt.want)
			}
		})
	}
}

// The texts that a caller reads, whole.
func TestCompileFilter_Refused(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"did you mean a column", "pric > 100", "" +
			"unknown column 'pric' at position 1; did you mean 'price'?\n" +
			"  pric > 100\n" +
			"  ^"},
		{"a label without quotes", "region == EU", "" +
			"unknown column 'EU' at position 11; for the label write 'EU' in quotes\n" +
			"  region == EU\n" +
			"            ^"},
		{"a label that is near a column", "pric != region", "" +
			"unknown column 'pric' at position 1; for the label write 'pric' in quotes; did you mean the column 'price'?\n" +
			"  pric != region\n" +
			"  ^"},
		{"a name that resembles none", "price > xyzzy", "" +
			"unknown column 'xyzzy' at position 9; the columns are id, day, region, price, qty, active, note, `unit price`, Zip, twin, TWIN, count\n" +
			"  price > xyzzy\n" +
			"          ^"},
		{"ambiguous in case", "Twin > 1", "" +
			"column 'Twin' is ambiguous at position 1; the table has twin, TWIN, which must be written so\n" +
			"  Twin > 1\n" +
			"  ^"},
		{"table prefix", "orders.price > 1", "" +
			"unknown column 'orders.price' at position 1; did you mean 'price'?\n" +
			"  orders.price > 1\n" +
			"  ^"},
		{"unknown function", "avgg(price) > 1", "" +
			"unknown function 'avgg' at position 1; did you mean 'avg'?\n" +
			"  avgg(price) > 1\n" +
			"  ^"},
		{"operators are no functions", "add(price, 1) > 1", "" +
			"unknown function 'add' at position 1; did you mean 'abs'?\n" +
			"  add(price, 1) > 1\n" +
			"  ^"},
		{"number of arguments", "1 < round(price, 2, 3)", "" +
			"round takes 1 or 2 arguments, not 3 at position 5\n" +
			"  1 < round(price, 2, 3)\n" +
			"      ^"},
		{"free text", "price > 1 && contains(note, 'x')", "" +
			"'note' is free text (loaded with types 'string') and cannot be used in an expression at position 23\n" +
			"  price > 1 && contains(note, 'x')\n" +
			"                        ^"},
		{"aggregate in filter", "price > 1 && sum(price) > 10", "" +
			"'sum' is an aggregate at position 14; it belongs in aggregates, not in filter\n" +
			"  price > 1 && sum(price) > 10\n" +
			"               ^"},
		{"number as condition", "price", "" +
			"number 'price' is not a condition at position 1; write price != 0\n" +
			"  price\n" +
			"  ^"},
		{"kinds", "price == 'abc'", "" +
			"cannot compare number 'price' with text 'abc' at position 10\n" +
			"  price == 'abc'\n" +
			"           ^"},
		{"the argument at fault", "price > 1 && upper(price) == 'A'", "" +
			"upper needs text, not number 'price' at position 20; toText(price) writes it as text\n" +
			"  price > 1 && upper(price) == 'A'\n" +
			"                     ^"},
		{"not a date", "day > 'soon'", "" +
			"'soon' is not a date at position 7; write '2024-03-31', '2024-03-31T12:30:00', or '2024-03' or '2024' for a whole month or year\n" +
			"  day > 'soon'\n" +
			"        ^"},
		{"where outside of an aggregate", "abs(price where qty > 1) > 1", "" +
			"'abs' is no aggregate and takes no where at position 17\n" +
			"  abs(price where qty > 1) > 1\n" +
			"                  ^"},
		{"second line", "price > 1 &&\n  regio == 'EU'", "" +
			"unknown column 'regio' at position 16; for the label write 'regio' in quotes; did you mean the column 'region'?\n" +
			"    regio == 'EU'\n" +
			"    ^"},
		{"plus on text", "+region == 'a'", "" +
			"cannot negate category 'region' at position 2\n" +
			"  +region == 'a'\n" +
			"   ^"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := CompileFilter(tt.text, schema, env)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("CompileFilter(%q) = %v, want an *Error", tt.text, err)
			}
			if got := err.Error(); got != tt.want {
				t.Errorf("CompileFilter(%q):\n got %s\nwant %s", tt.text, got, tt.want)
			}
		})
	}
}

func TestCompileFilter_Empty(t *testing.T) {
	for _, text := range []string{"", " \n"} {
		if e, err := CompileFilter(text, schema, env); e != nil || err != nil {
			t.Errorf("CompileFilter(%q) = %v, %v; want no filter", text, e, err)
		}
	}
}

func TestCompile_NamesItsArgument(t *testing.T) {
	_, err := Compile("sum(price)", schema, env)
	if err == nil || !strings.HasPrefix(err.Error(), "'sum' is an aggregate at position 1; it belongs in aggregates, not in expression\n") {
		t.Errorf("got %v", err)
	}
}

func TestFindColumn(t *testing.T) {
	for name, want := range map[string]int{"price": 3, "PRICE": 3, "zip": 8, "twin": 9, "TWIN": 10} {
		if i, err := FindColumn(name, schema); i != want || err != nil {
			t.Errorf("FindColumn(%q) = %d, %v; want %d", name, i, err, want)
		}
	}
	_, err := FindColumn("prise", schema)
	var e *NameError
	if !errors.As(err, &e) || e.Error() != "unknown column 'prise'; did you mean 'price'?" || e.Candidates[0] != "price" {
		t.Errorf("FindColumn(prise): %v", err)
	}
}

// A chain as long as the limits allow binds.
func TestCompile_Long(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("price+", 4999) + "1",
		strings.Repeat("active&&", 4999) + "active",
		strings.Repeat("active?1:", 3332) + "0",
	} {
		if _, err := Compile(text, schema, env); err != nil {
			t.Errorf("%.30s…: %v", text, err)
		}
	}
}

func FuzzCompile(f *testing.F) {
	for _, s := range []string{
		"region == 'EU' && price > 100", "active ? day : '2024'", "qty in (1, null, 2.5)", "trunc(day, 'month') == '2024-03'",
		"count(where active) / count()", "note == 'x'", "zip == 1234", "day between '2024' and today()", "lower(region) + 'x' != null",
		"if(active, 1, 'a')", "!qty", "-9223372036854775808 % qty", "2 ^ 3 ^ qty",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, group := range []*plan.Grouping{nil, {In: schema, Rows: 10}} {
			tree, err := Parse(text)
			if err != nil {
				return
			}
			b, err := tree.Bind(&Scope{Schema: schema, Env: env, Arg: "filter", Group: group})
			if err != nil {
				var e *Error
				if !errors.As(err, &e) || e.Pos < 1 {
					t.Fatalf("%q: %T %v", text, err, err)
				}
				continue
			}
			if b.Expr == nil {
				t.Fatalf("%q bound to nothing", text)
			}
		}
	})
}
