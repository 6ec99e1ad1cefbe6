package eval

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/vector"
)

// The columns that generated expressions read.
var generatedColumns = []plan.Field{
	{Name: "small", Type: plan.Type{Base: plan.Int}, Lo: -20, Hi: 20},
	{Name: "wide", Type: plan.Type{Base: plan.Int}, Lo: math.MinInt64, Hi: math.MaxInt64},
	{Name: "mid", Type: plan.Type{Base: plan.Int}, Lo: -1 << 40, Hi: 1 << 40},
	{Name: "f", Type: plan.Type{Base: plan.Float}},
	{Name: "s", Type: plan.Type{Base: plan.String}},
	{Name: "r", Type: plan.Type{Base: plan.String}},
	{Name: "flag", Type: plan.Type{Base: plan.String}, Bool: true},
	{Name: "d", Type: plan.Type{Base: plan.Date, Unit: col.Day}, Lo: 19_000, Hi: 19_800},
	{Name: "far", Type: plan.Type{Base: plan.Date, Unit: col.Day}},
	{Name: "at", Type: plan.Type{Base: plan.Date, Unit: col.Micro}},
	{Name: "fine", Type: plan.Type{Base: plan.Date, Unit: col.Nano}},
	{Name: "b", Type: plan.Type{Base: plan.Bool}},
	{Name: "h", Type: plan.Type{Base: plan.Huge}, Bits: 84},
}

var (
	someFloats = []float64{0, math.Copysign(0, -1), 1, -1, 2.5, -2.5, 0.1, 1e15, 1e300, -1e300, 9007199254740993, 1 << 63, -1 << 63, math.Inf(1), math.Inf(-1), 5e-324, 3, 7}
	someInts   = []int64{0, 1, -1, 2, 3, 10, -10, 7, 1 << 53, 1<<53 + 1, math.MaxInt64, math.MinInt64, math.MaxInt64 - 1, 1 << 40}
	someTexts  = []string{"", "a", "A", "abc", "ABC", "aXbXc", " a ", "é", "e\u0301", "日本語", "\U0001F600x", "12", "12.5", " 3 ", "true", "false", "2024-02-29", "2023-01-31", "2024-02", "Straße", "a%b", "a_b", "z\uffff", "z\U00010000", "X"}
)

type generator struct{ *rapid.T }

func pick[T any](g generator, s []T) T { return rapid.SampledFrom(s).Draw(g.T, "pick") }

func (g generator) n(n int) int { return rapid.IntRange(0, n-1).Draw(g.T, "n") }

func (g generator) column(names ...string) plan.Expr {
	name := pick(g, names)
	i := slices.IndexFunc(generatedColumns, func(f plan.Field) bool { return f.Name == name })
	return &plan.Column{Index: i, Field: generatedColumns[i]}
}

// call binds op, or gives the first argument where it is refused. Only refusals of
// what a literal holds are expected.
func (g generator) call(op string, args ...plan.Expr) plan.Expr {
	e, err := plan.Bind(op, args)
	if err != nil {
		g.Fatalf("Bind(%s, %s): %v", op, formatAll(args), err)
	}
	return e
}

func formatAll(args []plan.Expr) (s string) {
	for _, a := range args {
		s += plan.Format(a) + ", "
	}
	return s
}

func lits[T any](f func(T) *plan.Literal, vs ...T) (out []plan.Expr) {
	for _, v := range vs {
		out = append(out, f(v))
	}
	return out
}

func (g generator) number(depth int) plan.Expr {
	if depth <= 0 {
		switch g.n(8) {
		case 0:
			return plan.NewInt(pick(g, someInts))
		case 1:
			return plan.NewFloat(pick(g, someFloats))
		case 2:
			return &plan.Literal{T: plan.Type{Base: pick(g, []plan.Base{plan.Int, plan.Float})}}
		}
		return g.column("small", "wide", "mid", "f", "h", "small", "f")
	}
	d := depth - 1
	x := func() plan.Expr { return g.number(d) }
	switch g.n(24) {
	case 0, 1, 2, 3:
		return g.call(pick(g, []string{"add", "sub", "mul", "div"}), x(), x())
	case 4:
		return g.call(pick(g, []string{"mod", "quo"}), x(), x())
	case 5:
		return g.call(pick(g, []string{"neg", "abs", "sign", "floor", "ceil", "sqrt", "round", "trunc", "exp", "ln"}), x())
	case 6:
		digits := pick(g, append(lits(plan.NewInt, -4, -3, -1, 0, 2, -19, -40, math.MinInt64, math.MaxInt64), g.column("small")))
		return g.call(pick(g, []string{"round", "trunc"}), x(), digits)
	case 7:
		return g.call("bucket", x(), pick(g, append(lits(plan.NewInt, 1, 7, 1000), plan.NewFloat(0.5))))
	case 8:
		return g.call("bucket", x(), plan.NewInt(5), pick(g, lits(plan.NewInt, 0, 3, -2)))
	case 9, 10:
		return g.call(pick(g, []string{"least", "greatest", "sqlleast", "sqlgreatest"}), x(), x(), x())
	case 11:
		return g.call("if", g.condition(d), x(), x())
	case 12:
		return g.call("case", g.condition(d), x(), g.condition(d), x())
	case 13:
		return g.call("coalesce", x(), x())
	case 14:
		return g.call("nullif", x(), x())
	case 15:
		return g.call("length", g.text(d))
	case 16:
		return g.call("indexof", g.text(d), g.text(d))
	case 17, 18:
		return g.call(pick(g, []string{"year", "quarter", "month", "day", "weekday", "dow", "hour", "minute", "second", "week", "isoyear", "dayofyear"}), g.date(d))
	case 19:
		return g.call("diff", g.date(d), g.date(d), plan.NewString(pick(g, []string{"days", "hours", "months", "years"})))
	case 20:
		return g.call("tonumber", pick(g, []func(int) plan.Expr{g.text, g.condition})(d))
	case 21:
		return g.call("pow", x(), pick(g, lits(plan.NewInt, 0, 1, 2, 3, -1)))
	case 22:
		return g.call("toint", x())
	}
	return g.call("atan2", x(), x())
}

func (g generator) text(depth int) plan.Expr {
	if depth <= 0 {
		if g.n(4) == 0 {
			return plan.NewString(pick(g, someTexts))
		}
		return g.column("s", "r", "s")
	}
	d := depth - 1
	x := func() plan.Expr { return g.text(d) }
	small := func() plan.Expr {
		return pick(g, append(lits(plan.NewInt, -3, -1, 0, 1, 2, 5, math.MaxInt64, math.MinInt64), g.column("small", "wide")))
	}
	switch g.n(18) {
	case 0, 1, 2:
		return g.call(pick(g, []string{"lower", "upper", "trim", "reverse"}), x())
	case 3:
		return g.call(pick(g, []string{"left", "right"}), x(), small())
	case 4:
		return g.call("substr", x(), small(), small())
	case 5:
		return g.call("replace", x(), x(), x())
	case 6:
		return g.call(pick(g, []string{"concat", "sqlconcat"}), x(), g.number(d), x())
	case 7:
		return g.call(pick(g, []string{"padleft", "lpad"}), x(), pick(g, append(lits(plan.NewInt, -1, 0, 4, 9), g.column("small"))), x())
	case 8:
		return g.call(pick(g, []string{"split", "split_part"}), x(), x(), pick(g, append(lits(plan.NewInt, 1, 2, -1), g.column("small"))))
	case 9:
		return g.call("extract", x(), plan.NewString(pick(g, []string{"[a-z]", "(X|b)c", "(q)?a"})))
	case 10:
		return g.call("if", g.condition(d), x(), x())
	case 11:
		return g.call("case", g.condition(d), plan.NewString("one"), g.condition(d), plan.NewString("two"), plan.NewString("one"))
	case 12:
		return g.call(pick(g, []string{"coalesce", "nullif", "least", "greatest"}), x(), x())
	case 13:
		return g.call("totext", g.number(d))
	case 14:
		return g.call("totext", g.date(d))
	case 15:
		return g.call("totext", g.condition(d))
	case 16:
		return g.call("yearmonth", g.date(d))
	}
	return g.call("to_char", g.date(d), plan.NewString("DD.MM.YYYY HH24:MI"))
}

func (g generator) date(depth int) plan.Expr {
	if depth <= 0 {
		return g.column("d", "far", "at", "fine", "d")
	}
	d := depth - 1
	x := func() plan.Expr { return g.date(d) }
	switch g.n(9) {
	case 0:
		return g.call("datetrunc", x(), plan.NewString(pick(g, []string{"year", "quarter", "month", "week", "day", "hour", "minute"})))
	case 1, 2:
		return g.call(pick(g, []string{"adddays", "addmonths"}), x(), g.number(d))
	case 3:
		return g.call(pick(g, []string{"date", "todate", "totimestamp"}), g.column("s", "r"))
	case 4:
		return g.call("if", g.condition(d), x(), x())
	case 5:
		return g.call(pick(g, []string{"coalesce", "least", "greatest", "sqlleast"}), x(), x())
	case 6:
		return g.call("make_date", g.number(d), g.column("small"), g.number(d))
	case 7:
		return g.call(pick(g, []string{"todate", "totimestamp"}), x())
	}
	return g.call("coalesce", x(), plan.NewString("2024-02-29"))
}

func (g generator) condition(depth int) plan.Expr {
	if depth <= 0 {
		switch g.n(6) {
		case 0:
			return plan.NewBool(g.n(2) == 0)
		case 1:
			return &plan.Literal{T: plan.Type{Base: plan.Bool}}
		}
		return g.call("not", g.column("b", "flag"))
	}
	d := depth - 1
	compare := pick(g, []string{"eq", "ne", "lt", "le", "gt", "ge"})
	switch g.n(22) {
	case 0, 1, 2:
		return g.call(compare, g.number(d), g.number(d))
	case 3, 4:
		return g.call(compare, g.text(d), g.text(d))
	case 5:
		return g.call(compare, g.date(d), g.date(d))
	case 6:
		return g.call(compare, g.date(d), plan.NewString(pick(g, []string{"2024", "2023-06", "2023-11-05", "2024-01-01T12:00:00", "1500"})))
	case 7, 8, 9:
		return g.call(pick(g, []string{"and", "or"}), g.condition(d), g.condition(d))
	case 10:
		return g.call("not", g.condition(d))
	case 11:
		return g.call(pick(g, []string{"isnull", "notnull"}), pick(g, []func(int) plan.Expr{g.number, g.text, g.date, g.condition})(d))
	case 12:
		return g.call("in", append([]plan.Expr{g.number(d), g.number(d - 1)}, lits(plan.NewFloat, 1, 2.5, 7, 1e300)...)[g.n(2):]...)
	case 13:
		return g.call("in", append([]plan.Expr{g.text(d)}, lits(plan.NewString, someTexts[:2+g.n(20)]...)...)...)
	case 14:
		return g.call("in", g.date(d), plan.NewString("2023"), plan.NewString("2024-01-05"), plan.NewString("2022-06"))
	case 15:
		return g.call("between", g.number(d), g.number(d), g.number(d))
	case 16:
		return g.call("between", g.date(d), plan.NewString("2022-03"), plan.NewString(pick(g, []string{"2023", "2024-02-01T00:00:01"})))
	case 17:
		return g.call(pick(g, []string{"like", "ilike"}), g.text(d), plan.NewString(pick(g, []string{"%a%", "a_c", "_", "%", "", "A%c", "%X_%"})))
	case 18:
		return g.call(pick(g, []string{"contains", "startswith", "endswith"}), g.text(d), g.text(d))
	case 19:
		return g.call(pick(g, []string{"distinct", "notdistinct"}), g.number(d), g.number(d))
	case 20:
		return g.call("matches", g.text(d), plan.NewString("^[aA].*c$"))
	}
	return g.call("isfinite", g.number(d))
}

// value draws a value of a column.
func (g generator) value(f plan.Field) plan.Value {
	if g.n(6) == 0 {
		return missing
	}
	day := func() int64 { return rapid.Int64Range(19_000, 19_800).Draw(g.T, "day") }
	switch f.Name {
	case "small":
		return fromInt(rapid.Int64Range(-20, 20).Draw(g.T, "small"))
	case "wide":
		return fromInt(pick(g, someInts))
	case "mid":
		return fromInt(rapid.Int64Range(-1<<40, 1<<40).Draw(g.T, "mid"))
	case "f":
		if g.n(3) == 0 {
			return fromFloat(rapid.Float64Range(-100, 100).Draw(g.T, "f"))
		}
		return fromFloat(pick(g, someFloats))
	case "s", "r":
		return fromText(pick(g, someTexts))
	case "flag":
		return fromText(pick(g, []string{"true", "false"}))
	case "d":
		return fromDate(day())
	case "far":
		return fromDate(pick(g, []int64{-719_162, 2_932_896, 0, -1, 19_782, 11_016}))
	case "at":
		return fromDate(day()*86_400_000_000 + pick(g, []int64{0, 1, 43_200_000_000, 86_399_999_999}))
	case "fine":
		return fromDate(day()*86_400_000_000_000 + pick(g, []int64{0, 1, 1000, 43_200_000_000_001}))
	case "b":
		return fromBool(g.n(2) == 0)
	}
	return hugeValue(new(big.Int).Mul(big.NewInt(pick(g, someInts)), big.NewInt(pick(g, []int64{1, 1 << 20, -3}))))
}

// vec writes values as a vector: text as codes of d or plain, whole columns with or
// without a bitmap, and rubbish where a value is missing.
func (g generator) vec(f plan.Field, values []plan.Value, d *col.Dict) *vector.Vec {
	n := len(values)
	v := &vector.Vec{T: f.Type, N: n}
	bits := col.NewBitmap(n)
	gap := false
	for i, x := range values {
		if x.Base != plan.Null {
			bits.Set(i)
			continue
		}
		gap = true
		values[i] = plan.Value{I: 77, F: math.NaN(), S: "rubbish"}
	}
	if gap || g.n(2) == 0 {
		v.Valid = bits
	}
	for _, x := range values {
		switch f.Type.Base {
		case plan.Int, plan.Date:
			v.I = append(v.I, x.I)
		case plan.Huge:
			v.I, v.Hi = append(v.I, x.I), append(v.Hi, x.Hi)
		case plan.Float:
			v.F = append(v.F, x.F)
		case plan.Bool:
			v.B = append(v.B, x.I == 1)
		case plan.String:
			if d == nil {
				v.S = append(v.S, x.S)
				continue
			}
			code, ok := d.Lookup(x.S)
			if !ok {
				code = 0
			}
			v.Codes = append(v.Codes, code)
		}
	}
	v.Dict = d
	return v
}

func TestEval_AgreesWithReference(t *testing.T) {
	dict := func(labels ...string) *col.Dict {
		d := col.NewDict()
		for _, l := range labels {
			d.Add([]byte(l))
		}
		return d
	}
	full := dict(append(slices.Clone(someTexts), "true", "false")...)
	other := dict(append([]string{"true", "more", "false"}, someTexts...)...)
	property := func(rt *rapid.T) {
		g := generator{rt}
		var e plan.Expr
		depth := 1 + g.n(4)
		switch g.n(4) {
		case 0:
			e = g.number(depth)
		case 1:
			e = g.text(depth)
		case 2:
			e = g.date(depth)
		default:
			e = g.condition(depth)
		}
		p, err := Compile(e)
		if err != nil {
			rt.Fatalf("Compile(%s): %v", plan.Format(e), err)
		}
		s := p.NewState()
		for range 1 + g.n(3) {
			n := pick(g, []int{1, 2, 63, 64, 65, 130})
			rows := make([][]plan.Value, n)
			// A few distinct rows, repeated: drawing every cell would be slow.
			distinct := make([][]plan.Value, min(n, 12))
			for i := range distinct {
				for _, f := range generatedColumns {
					distinct[i] = append(distinct[i], g.value(f))
				}
			}
			for i := range rows {
				rows[i] = distinct[(i*7+i/5)%len(distinct)]
			}
			b := &vector.Batch{N: n}
			for k, f := range generatedColumns {
				values := make([]plan.Value, n)
				for i := range rows {
					values[i] = rows[i][k]
				}
				b.Cols = append(b.Cols, g.vec(f, values, map[bool]*col.Dict{f.Type.Base == plan.String: pick(g, []*col.Dict{nil, full, full, other})}[true]))
			}
			got := s.Eval(b)
			if got.N != n || got.T != e.Type() && got.T.Base != plan.Null {
				rt.Fatalf("%s: %d values of type %v, want %d of %v", plan.Format(e), got.N, got.T, n, e.Type())
			}
			for i, row := range rows {
				want := reference{row}.eval(e)
				if v := got.Value(i); !same(v, want, false) {
					rt.Fatalf("%s = %s, want %s\nrow %d of %d: %s", plan.Format(e), show(v), show(want), i, n, showRow(row))
				}
			}
			if e.Type().Base == plan.Bool {
				checkFilter(g, s, b, e, rows)
			}
		}
	}
	// rapid's own number of checks is small for so many operators.
	for range 4 {
		rapid.Check(t, property)
	}
}

func showRow(row []plan.Value) (s string) {
	for i, v := range row {
		s += fmt.Sprintf("%s=%s ", generatedColumns[i].Name, show(v))
	}
	return s
}

// checkFilter filters b, with and without an earlier selection, twice over.
func checkFilter(g generator, s *State, b *vector.Batch, e plan.Expr, rows [][]plan.Value) {
	var sel []uint16
	some := g.n(2) == 0
	var want []uint16
	for i, row := range rows {
		if some && i%3 == 1 {
			continue
		}
		sel = append(sel, uint16(i))
		if (reference{row}).eval(e) == fromBool(true) {
			want = append(want, uint16(i))
		}
	}
	if some {
		b.Sel = sel
	}
	for range 2 {
		s.Filter(b)
		if b.Sel == nil || !slices.Equal(b.Sel, want) {
			g.Fatalf("filter %s keeps %v, want %v", plan.Format(e), b.Sel, want)
		}
	}
}
