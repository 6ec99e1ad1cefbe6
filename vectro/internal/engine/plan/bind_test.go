package plan

import (
	"errors"
	"testing"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
)

// columns that the tests bind against.
var (
	price  = &Column{0, Field{Name: "price", Type: Type{Base: Float}}}
	qty    = &Column{1, Field{Name: "qty", Type: Type{Base: Int}, Lo: 0, Hi: 100}}
	wide   = &Column{2, Field{Name: "wide", Type: Type{Base: Int}, Lo: -1 << 63, Hi: 1<<63 - 1}}
	region = &Column{3, Field{Name: "region", Type: Type{Base: String}}}
	active = &Column{4, Field{Name: "active", Type: Type{Base: String}, Bool: true}}
	day    = &Column{5, Field{Name: "day", Type: Type{Base: Date, Unit: col.Day}, Lo: 19_000, Hi: 20_000}}
	at     = &Column{6, Field{Name: "at", Type: Type{Base: Date, Unit: col.Micro}}}
	note   = &Column{7, Field{Name: "note", Type: Type{Base: Text}}}
	sum    = &Column{8, Field{Name: "sum", Type: Type{Base: Huge}}}
)

func call(t *testing.T, op string, args ...Expr) Expr {
	t.Helper()
	e, err := Bind(op, args)
	if err != nil {
		t.Fatalf("Bind(%s): %v", op, err)
	}
	return e
}

func TestBind_Forms(t *testing.T) {
	tests := []struct {
		name string
		op   string
		args []Expr
		want string // Format of the result
	}{
		{"literal goes right", "lt", []Expr{NewInt(3), qty}, "qty > 3"},
		{"fraction beside whole numbers", "gt", []Expr{qty, NewFloat(2.5)}, "qty >= 3"},
		{"fraction below zero", "lt", []Expr{qty, NewFloat(-2.5)}, "qty <= -3"},
		{"whole float beside whole numbers", "eq", []Expr{qty, NewFloat(2)}, "qty == 2"},
		{"number as label text", "eq", []Expr{region, NewInt(1234)}, "region == '1234'"},
		{"number beyond 64 bits as label text", "eq", []Expr{region, &Literal{Value: Value{Base: Float, F: 12345678901234567891, S: "12345678901234567891"}, T: Type{Base: Float}}},
			"region == '12345678901234567891'"},
		{"fraction as label text", "ne", []Expr{NewFloat(1.5), region}, "region != '1.5'"},
		{"year is a span", "eq", []Expr{day, NewString("2024")}, "between(day, '2024-01-01', '2024-12-31')"},
		{"not a month", "ne", []Expr{day, NewString("2024-02")}, "!between(day, '2024-02-01', '2024-02-29')"},
		{"before a month", "lt", []Expr{day, NewString("2024-02")}, "day < '2024-02-01'"},
		{"from a month on", "ge", []Expr{day, NewString("2024-02")}, "day >= '2024-02-01'"},
		{"after a month", "gt", []Expr{day, NewString("2024-02")}, "day > '2024-02-29'"},
		{"up to a month", "le", []Expr{day, NewString("2024-02")}, "day <= '2024-02-29'"},
		{"month beside instants", "le", []Expr{at, NewString("2024-02")}, "at <= '2024-02-29T23:59:59.999999'"},
		{"between months", "between", []Expr{day, NewString("2024-01"), NewString("2024-03")}, "between(day, '2024-01-01', '2024-03-31')"},
		{"in with a span", "in", []Expr{day, NewString("2024-01-05"), NewString("2023"), NewString("2024-02-07")},
			"in(day, '2024-01-05', '2024-02-07') || inranges(day, '2023-01-01', '2023-12-31')"},
		{"between with a fraction", "between", []Expr{qty, NewFloat(1.5), NewInt(7)}, "between(qty, 2, 7)"},
		{"boolean category", "and", []Expr{active, active}, "active && active"},
		{"boolean category and true", "eq", []Expr{active, NewBool(true)}, "active == true"},
		{"boolean category and text", "eq", []Expr{active, NewString("true")}, "active == 'true'"},
		{"condition and text", "eq", []Expr{call(t, "gt", qty, NewInt(1)), NewString("TRUE")}, "(qty > 1) == true"},
		{"strings join", "add", []Expr{region, NewString("!")}, "concat(region, '!')"},
		{"joins are one call", "add", []Expr{call(t, "add", region, region), region}, "concat(region, region, region)"},
		{"null is unknown", "eq", []Expr{qty, NewNull()}, "null"},
		{"null safe", "notdistinct", []Expr{qty, NewNull()}, "isnull(qty)"},
		{"in one", "in", []Expr{qty, NewInt(1)}, "qty == 1"},
		{"in with null", "in", []Expr{qty, NewInt(1), NewInt(2), NewNull()}, "in(qty, 1, 2) || null"},
		{"in of a list of dates", "in", []Expr{NewString("2024-02"), day, at}, "between(day, '2024-02-01', '2024-02-29') || between(at, '2024-02-01T00:00:00', '2024-02-29T23:59:59.999999')"},
		{"in of a list of conditions", "in", []Expr{NewString("true"), call(t, "gt", qty, NewInt(1))}, "true == (qty > 1)"},
		{"in of a boolean category", "in", []Expr{active, NewBool(true), NewBool(false)}, "in(active, true, false)"},
		{"date literal", "date", []Expr{NewString("2024-02-03")}, "'2024-02-03'"},
		{"sql order of trunc", "date_trunc", []Expr{NewString("month"), at}, "datetrunc(at, 'month')"},
		{"extract of a date", "extract", []Expr{NewString("year"), at}, "year(at)"},
		{"negative literal", "neg", []Expr{NewInt(5)}, "-5"},
		{"else joins", "if", []Expr{active, NewInt(1), NewNull()}, "if(active, 1, null)"},
		{"nullif", "nullif", []Expr{qty, NewFloat(2)}, "nullIf(qty, 2)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Format(call(t, tt.op, tt.args...)); got != tt.want {
				t.Errorf("Bind(%s) = %s, want %s", tt.op, got, tt.want)
			}
		})
	}
}

func TestBind_Refusals(t *testing.T) {
	cond := call(t, "gt", price, NewInt(1))
	tests := []struct {
		op   string
		args []Expr
		arg  int
		want string
	}{
		{"eq", []Expr{price, NewString("abc")}, 1, "cannot compare number 'price' with text 'abc'"},
		{"eq", []Expr{NewString("12"), price}, 0, "cannot compare text '12' with number 'price'; write the number without quotes: 12"},
		{"lt", []Expr{region, NewInt(5)}, 1, "cannot compare category 'region' with number 5; toNumber(region) reads text as a number"},
		{"eq", []Expr{day, NewInt(2024)}, 1, "cannot compare date 'day' with number 2024"},
		{"gt", []Expr{day, bare(2024, 1, 31)}, 1, "cannot compare date 'day' with number (2024 - 1) - 31; a date is written in quotes: '2024-01-31'"},
		{"gt", []Expr{bare(2024, 1, 31), region}, 1, "cannot compare number (2024 - 1) - 31 with category 'region'; a date is written in quotes: '2024-01-31'"},
		{"gt", []Expr{day, bare(2024, 13, 31)}, 1, "cannot compare date 'day' with number (2024 - 13) - 31"},
		{"eq", []Expr{day, region}, 1, "cannot compare date 'day' with category 'region'; date(region) reads text as a date"},
		{"eq", []Expr{day, NewString("Mars")}, 1, "'Mars' is not a date; write '2024-03-31', '2024-03-31T12:30:00', or '2024-03' or '2024' for a whole month or year"},
		{"eq", []Expr{day, NewString("a\x07b\n")}, 1, "'a\ufffdb\ufffd' is not a date; write '2024-03-31', '2024-03-31T12:30:00', or '2024-03' or '2024' for a whole month or year"},
		{"in", []Expr{NewInt(1), NewString("x"), qty}, 1, "cannot compare number 1 with text 'x'"},
		{"in", []Expr{NewInt(1), price, region}, 0, "cannot compare number 1 with category 'region'"},
		{"in", []Expr{NewFloat(0.1), NewString("EU"), NewNull()}, 1, "cannot compare number 0.1 with text 'EU'"},
		{"in", []Expr{qty, NewString("x"), price}, 1, "cannot compare number 'qty' with text 'x'"},
		{"eq", []Expr{cond, NewInt(1)}, 1, "cannot compare condition price > 1 with number 1"},
		{"add", []Expr{region, price}, 0, "cannot add category 'region' and number 'price'; concat(region, price) joins them as text"},
		{"add", []Expr{day, NewInt(1)}, 0, "cannot add date 'day' and number 1; write addDays(day, 1)"},
		{"sub", []Expr{day, at}, 0, "cannot subtract date 'at' from date 'day'; diff(day, at, 'days') counts the days between"},
		{"mul", []Expr{cond, price}, 0, "cannot multiply condition price > 1 by number 'price'; if(price > 1, 1, 0) makes a number of a condition"},
		{"eq", []Expr{note, NewString("x")}, 0, "'note' is free text (loaded with types 'string') and cannot be used in an expression"},
		{"lower", []Expr{note}, 0, "'note' is free text (loaded with types 'string') and cannot be used in an expression"},
		{"and", []Expr{cond, price}, 1, "number 'price' is not a condition; write price != 0"},
		{"and", []Expr{cond, call(t, "mul", price, price)}, 1, "number price * price is not a condition; write (price * price) != 0"},
		{"round", []Expr{price, price, price}, -1, "round takes 1 or 2 arguments, not 3"},
		{"pi", []Expr{price}, -1, "pi takes no arguments, not 1"},
		{"coalesce", nil, -1, "coalesce takes at least 1 argument, not 0"},
		{"avgg", []Expr{price}, -1, "unknown function 'avgg'; did you mean 'avg'?"},
		{"lower", []Expr{price}, 0, "lower needs text, not number 'price'; toText(price) writes it as text"},
		{"year", []Expr{region}, 0, "year needs a date, not category 'region'; date(region) reads text as a date"},
		{"sqrt", []Expr{region}, 0, "sqrt needs a number, not category 'region'; toNumber(region) reads text as a number"},
		{"trunc", []Expr{day, NewString("fortnight")}, 1, "trunc has no unit 'fortnight'; it takes 'year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second', 'millisecond'"},
		{"if", []Expr{cond, price, region}, 2, "if mixes number 'price' with category 'region'; all its values must be of one kind"},
		{"matches", []Expr{region, NewString("a(")}, 1, "'a(' is not a regular expression (RE2): missing closing ): `a(`"},
		{"extract", []Expr{region, NewString("(a)(b)"), NewInt(3)}, 2, "extract has no group 3; the pattern has 2 groups"},
		{"bucket", []Expr{price, NewInt(0)}, 1, "bucket needs a width above 0, not 0"},
		{"padLeft", []Expr{region, NewInt(20_000)}, 1, "padLeft pads to at most 10000 characters, not 20000"},
	}
	for _, tt := range tests {
		_, err := Bind(tt.op, tt.args)
		var be *BindError
		if !errors.As(err, &be) || be.Message != tt.want || be.Arg != tt.arg {
			t.Errorf("Bind(%s): got %d %q, want %d %q", tt.op, argOf(be), err, tt.arg, tt.want)
		}
	}
}

func argOf(e *BindError) int {
	if e == nil {
		return -2
	}
	return e.Arg
}

func TestBind_IntStaysExactWhereItFits(t *testing.T) {
	tests := []struct {
		e      Expr
		base   Base
		lo, hi int64
	}{
		{call(t, "add", qty, NewInt(1)), Int, 1, 101},
		{call(t, "sub", qty, qty), Int, -100, 100},
		{call(t, "mul", qty, NewInt(-3)), Int, -300, 0},
		{call(t, "mul", wide, NewInt(2)), Huge, 0, 0},
		{call(t, "add", wide, NewInt(1)), Huge, 0, 0},
		{call(t, "neg", wide), Huge, 0, 0},
		{call(t, "abs", wide), Huge, 0, 0},
		{call(t, "abs", call(t, "sub", qty, NewInt(10))), Int, 0, 90},
		{call(t, "mod", call(t, "sub", qty, NewInt(10)), NewInt(7)), Int, -6, 6},
		{call(t, "pow", qty, NewInt(2)), Int, 0, 10_000},
		{call(t, "pow", qty, NewInt(40)), Float, 0, 0},
		{call(t, "pow", qty, NewInt(-1)), Float, 0, 0},
		{call(t, "div", qty, NewInt(2)), Float, 0, 0},
		{call(t, "quo", qty, NewInt(2)), Int, 0, 100},
		{call(t, "round", qty, NewInt(-1)), Int, 0, 100},
		{call(t, "round", wide, NewInt(-1)), Huge, 0, 0},
		{call(t, "bucket", qty, NewInt(7)), Int, 0, 98},
		{call(t, "least", qty, NewInt(50)), Int, 0, 50},
		{call(t, "clamp", qty, NewInt(5), NewInt(50)), Int, 5, 50},
		{call(t, "if", active, qty, NewInt(-1)), Int, -1, 100},
		{call(t, "coalesce", qty, NewInt(500)), Int, 0, 500},
		{call(t, "coalesce", qty, price), Float, 0, 0},
		{call(t, "year", day), Int, 2022, 2024},
		{call(t, "add", sum, NewInt(1)), Float, 0, 0}, // 128 bits may be too few
		{call(t, "mul", call(t, "mul", wide, wide), wide), Float, 0, 0},
		{call(t, "coalesce", sum, NewInt(1)), Huge, 0, 0},
	}
	for _, tt := range tests {
		lo, hi, _ := Bounds(tt.e)
		if tt.e.Type().Base != tt.base || lo != tt.lo || hi != tt.hi {
			t.Errorf("%s: type %d [%d, %d], want %d [%d, %d]", Format(tt.e), tt.e.Type().Base, lo, hi, tt.base, tt.lo, tt.hi)
		}
	}
}

// bare is a date written without quotes: a subtraction.
func bare(year, month, day int64) Expr {
	t := Type{Base: Int}
	return &Call{Op: "sub", Args: []Expr{&Call{Op: "sub", Args: []Expr{NewInt(year), NewInt(month)}, T: t}, NewInt(day)}, T: t}
}
