package plan

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
)

func TestBindAggregate_Types(t *testing.T) {
	cond := call(t, "gt", price, NewInt(1))
	p9 := NewFloat(0.9)
	tests := []struct {
		fn     string
		args   []Expr
		o      AggOptions
		want   string // Fn(args) filter
		base   Base
		lo, hi int64
	}{
		{"count", nil, AggOptions{Rows: 10}, "count()", Int, 0, 10},
		{"COUNT", []Expr{price}, AggOptions{Rows: 10}, "count(price)", Int, 0, 10},
		{"count", []Expr{cond}, AggOptions{Rows: 10}, "count() where price > 1", Int, 0, 10},
		{"count", []Expr{active}, AggOptions{Rows: 10, Filter: cond}, "count() where (price > 1) && active", Int, 0, 10},
		{"countValues", []Expr{cond}, AggOptions{Rows: 10}, "count(price > 1)", Int, 0, 10},
		{"count", []Expr{region}, AggOptions{Distinct: true, Rows: 9}, "countdistinct(region)", Int, 0, 9},
		{"count", nil, AggOptions{Distinct: true, Rows: 9}, "count()", Int, 0, 9},
		{"sum", []Expr{qty}, AggOptions{Rows: 1000}, "sum(qty)", Int, 0, 100_000},
		{"sum", []Expr{call(t, "sub", NewInt(10), qty)}, AggOptions{Rows: 2}, "sum(10 - qty)", Int, -180, 20},
		{"sum", []Expr{wide}, AggOptions{Rows: 2}, "sum(wide)", Huge, 0, 0},
		{"sum", []Expr{qty}, AggOptions{}, "sum(qty)", Huge, 0, 0},
		{"sum", []Expr{price}, AggOptions{Rows: 2, Distinct: true}, "sum(price) distinct", Float, 0, 0},
		{"avg", []Expr{qty}, AggOptions{}, "mean(qty)", Float, 0, 0},
		{"min", []Expr{qty}, AggOptions{Distinct: true}, "min(qty)", Int, 0, 100},
		{"max", []Expr{day}, AggOptions{}, "max(day)", Date, 19_000, 20_000},
		{"max", []Expr{active}, AggOptions{}, "max(active)", String, 0, 0},
		{"countDistinct", []Expr{day}, AggOptions{Rows: 5}, "countdistinct(day)", Int, 0, 5},
		{"approx_count_distinct", []Expr{day}, AggOptions{Rows: 5}, "approxdistinct(day)", Int, 0, 5},
		{"median", []Expr{qty}, AggOptions{}, "median(qty)", Float, 0, 0},
		{"quantile", []Expr{price, p9}, AggOptions{}, "quantile(price, 0.9)", Float, 0, 0},
		{"percentile_disc", []Expr{region, NewInt(1)}, AggOptions{}, "quantiledisc(region, 1)", String, 0, 0},
		{"stddev_samp", []Expr{qty}, AggOptions{}, "stddev(qty)", Float, 0, 0},
		{"var_pop", []Expr{qty}, AggOptions{}, "variancepop(qty)", Float, 0, 0},
		{"first", []Expr{qty}, AggOptions{}, "first(qty)", Int, 0, 100},
		{"any_value", []Expr{region}, AggOptions{}, "first(region)", String, 0, 0},
		{"mode", []Expr{region}, AggOptions{}, "mode(region)", String, 0, 0},
		{"bool_and", []Expr{active}, AggOptions{}, "all(active)", Bool, 0, 0},
		{"any", []Expr{cond}, AggOptions{}, "any(price > 1)", Bool, 0, 0},
		{"share", []Expr{cond}, AggOptions{}, "share(price > 1)", Float, 0, 0},
		{"corr", []Expr{price, qty}, AggOptions{}, "corr(price, qty)", Float, 0, 0},
		{"string_agg", []Expr{region, NewString(",")}, AggOptions{}, "stringagg(region, ',')", String, 0, 0},
	}
	for _, tt := range tests {
		a, err := BindAggregate(tt.fn, tt.args, tt.o)
		if err != nil {
			t.Errorf("%s: %v", tt.fn, err)
			continue
		}
		var args []string
		for _, e := range a.Args {
			args = append(args, Format(e))
		}
		got := a.Fn + "(" + strings.Join(args, ", ") + ")"
		if a.Filter != nil {
			got += " where " + Format(a.Filter)
		}
		if a.Distinct {
			got += " distinct"
		}
		hi := tt.hi
		if a.T.Base == Int && a.Fn != AggSum && tt.o.Rows == 0 && hi == 0 {
			hi = math.MaxInt64
		}
		if got != tt.want || a.T.Base != tt.base || a.Lo != tt.lo || a.Hi != hi {
			t.Errorf("%s: got %s, type %d, [%d, %d]; want %s, type %d, [%d, %d]", tt.fn, got, a.T.Base, a.Lo, a.Hi, tt.want, tt.base, tt.lo, hi)
		}
		if f := a.Field("x"); f.Name != "x" || f.Type != a.T || f.Lo != a.Lo || f.Hi != a.Hi {
			t.Errorf("%s: field %+v", tt.fn, f)
		}
	}
	if a, err := BindAggregate("sum", []Expr{qty}, AggOptions{ZeroSum: true}); err != nil || !a.ZeroSum {
		t.Errorf("ZeroSum is lost: %+v, %v", a, err)
	}
	if a, err := BindAggregate("max", []Expr{active}, AggOptions{}); err != nil || !a.Field("m").Bool {
		t.Errorf("the flag of a boolean category is lost: %+v, %v", a, err)
	}
}

func TestBindAggregate_Refusals(t *testing.T) {
	cond := call(t, "gt", price, NewInt(1))
	tests := []struct {
		fn   string
		args []Expr
		want string
	}{
		{"summ", []Expr{price}, "unknown aggregate 'summ'; did you mean 'sum'?"},
		{"sum", nil, "sum takes 1 argument, not 0"},
		{"sum", []Expr{region}, "sum needs a number, not category 'region'; toNumber(region) reads text as a number"},
		{"sum", []Expr{cond}, "sum needs a number, not condition price > 1; count(price > 1) counts the rows where it holds"},
		{"min", []Expr{cond}, "min needs a number, a date or text, not condition price > 1"},
		{"median", []Expr{day}, "median needs a number, not date 'day'"},
		{"count", []Expr{note}, "'note' is free text (loaded with types 'string') and cannot be used in an expression"},
		{"quantile", []Expr{price, price}, "quantile needs a number from 0 to 1, e.g. quantile(x, 0.9)"},
		{"quantile", []Expr{price, NewInt(90)}, "quantile needs a number from 0 to 1, not 90"},
		{"any", []Expr{price}, "number 'price' is not a condition; write price != 0"},
		{"stringAgg", []Expr{region, region}, "stringAgg needs its separator in quotes"},
	}
	for _, tt := range tests {
		_, err := BindAggregate(tt.fn, tt.args, AggOptions{})
		var refusal *BindError
		if !errors.As(err, &refusal) || refusal.Message != tt.want {
			t.Errorf("%s: got %v, want %s", tt.fn, err, tt.want)
		}
	}
	if _, err := BindAggregate("sum", []Expr{price}, AggOptions{Filter: price}); err == nil {
		t.Error("a number is taken as a filter")
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]bool{"padleft": true, "PADLEFT": true, "ceiling": true, "today": true, "Now": true,
		"add": false, "like": false, "in": false, "sqlleast": false, "div": false, "toint": false, "datetrunc": false, "date_trunc": true, "case": true, "sum": false} {
		if got := IsFunction(name); got != want {
			t.Errorf("IsFunction(%s) = %v", name, got)
		}
	}
	for name, want := range map[string]bool{"sum": true, "AVG": true, "countdistinct": true, "countvalues": false, "abs": false, "percentile_disc": true} {
		if got := IsAggregate(name); got != want {
			t.Errorf("IsAggregate(%s) = %v", name, got)
		}
	}
	for _, names := range [][]string{Functions(), Aggregates(), Ops()} {
		if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
			t.Errorf("not sorted, or double: %v", names)
		}
	}
	for _, f := range Functions() {
		if !IsFunction(f) {
			t.Errorf("%s is listed and is no function", f)
		}
	}
	for _, f := range Aggregates() {
		if !IsAggregate(f) {
			t.Errorf("%s is listed and is no aggregate", f)
		}
	}
	// The functions of the reference, under their documented spelling.
	for _, f := range strings.Fields(`abs sign floor ceil round trunc sqrt cbrt exp ln log log2 log10 pow least greatest clamp mod sin cos tan
		asin acos atan atan2 sinh cosh tanh degrees radians pi e isFinite lower upper trim ltrim rtrim length left right substr contains
		startsWith endsWith indexOf replace concat padLeft padRight split matches extract toNumber toText date year quarter month day
		weekday hour minute second week dayOfYear yearMonth addDays addMonths diff today now if case coalesce ifMissing isMissing nullIf bucket`) {
		if !slices.Contains(Functions(), f) {
			t.Errorf("%s is missing from the functions", f)
		}
	}
}

func TestEnv_Call(t *testing.T) {
	env := Env{Now: time.Date(2026, 11, 30, 23, 30, 0, 5000, time.FixedZone("", -3600))}
	tests := []struct{ name, want string }{
		{"today", "'2026-12-01'"}, {"NOW", "'2026-12-01T00:30:00.000005Z'"},
	}
	for _, tt := range tests {
		e, err := env.Call(tt.name, nil)
		if err != nil || Format(e) != tt.want {
			t.Errorf("%s() = %v, %v; want %s", tt.name, e, err, tt.want)
		}
	}
	if e, err := env.Call("div", []Expr{qty, NewInt(2)}); err != nil || e.(*Call).Op != "quo" {
		t.Errorf("div(qty, 2) = %v, %v", e, err)
	}
	if _, err := env.Call("add", []Expr{qty, qty}); err == nil {
		t.Error("an operator's name is taken as a function")
	}
	if _, err := env.Call("today", []Expr{qty}); err == nil || err.Error() != "today takes no arguments, not 1" {
		t.Errorf("today(qty): %v", err)
	}
}

func TestFieldOf_BoundsOfDates(t *testing.T) {
	c := &col.Column{Field: col.Field{Name: "day", Kind: col.Date}, Chunks: []*col.Chunk{{Len: 2, Data: []int32{19_000, 19_005}}}}
	if lo, hi, ok := Bounds(&Column{Field: FieldOf(c, "")}); !ok || lo != 19_000 || hi != 19_005 {
		t.Errorf("bounds %d, %d, %v", lo, hi, ok)
	}
	if _, _, ok := Bounds(at); ok {
		t.Error("a date without statistics has bounds")
	}
	if f := NewField("next", call(t, "add", qty, NewInt(1))); f.Lo != 1 || f.Hi != 101 || f.Type.Base != Int {
		t.Errorf("NewField: %+v", f)
	}
	if f := NewField("a", active); !f.Bool {
		t.Error("NewField loses the flag of a boolean category")
	}
}
