package sqlfront

import (
	"math"
	"strconv"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/caret"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/dates"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// interval is a constant span of time, kept in the three parts that calendars do
// not convert into one another.
type interval struct{ months, days, micros int64 }

func (v interval) negative() interval { return interval{-v.months, -v.days, -v.micros} }

// intervalUnits are the words of an interval, in the singular.
var intervalUnits = map[string]interval{
	"millennium": {months: 12_000}, "century": {months: 1200}, "decade": {months: 120}, "year": {months: 12}, "yr": {months: 12}, "y": {months: 12},
	"quarter": {months: 3}, "month": {months: 1}, "mon": {months: 1},
	"week": {days: 7}, "w": {days: 7}, "day": {days: 1}, "d": {days: 1},
	"hour": {micros: 3600 * dates.MicrosPerSecond}, "hr": {micros: 3600 * dates.MicrosPerSecond}, "h": {micros: 3600 * dates.MicrosPerSecond},
	"minute": {micros: 60 * dates.MicrosPerSecond}, "min": {micros: 60 * dates.MicrosPerSecond},
	"second": {micros: dates.MicrosPerSecond}, "sec": {micros: dates.MicrosPerSecond}, "s": {micros: dates.MicrosPerSecond},
	"millisecond": {micros: 1000}, "ms": {micros: 1000}, "microsecond": {micros: 1}, "us": {micros: 1},
}

// fieldMasks are the parser's codes of INTERVAL '3' DAY and the like.
var fieldMasks = map[int32]string{1 << 2: "year", 1 << 1: "month", 1 << 3: "day", 1 << 10: "hour", 1 << 11: "minute", 1 << 12: "second"}

// interval reads INTERVAL '…' or '…'::interval; ok is false if n is neither.
func (b *binder) interval(n *pg.Node) (v interval, ok bool, err error) {
	x := n.GetTypeCast()
	if x == nil || typeName(x.TypeName) != "interval" {
		return v, false, nil
	}
	if err := only(x.TypeName, "names", "typmods", "typemod"); err != nil {
		return v, false, err
	}
	text := x.Arg.GetAConst().GetSval()
	if text == nil {
		return v, false, unsupported("An INTERVAL that is not a constant", "Use addDays or addMonths.")
	}
	unit := ""
	for i, m := range x.TypeName.Typmods {
		mask := m.GetAConst().GetIval().GetIval()
		if unit = fieldMasks[mask]; i > 0 || unit == "" {
			return v, false, unsupported("This field of INTERVAL", "Write its units in the text: INTERVAL '1 day 2 hours'.")
		}
	}
	v, ok = parseInterval(text.GetSval(), unit)
	if !ok {
		return v, false, b.p.fail(location(n), "'%s' is not an interval; write e.g. INTERVAL '1 month' or INTERVAL '2 days 3 hours'", caret.Clean(text.GetSval()))
	}
	return v, true, nil
}

// parseInterval reads "1 year 2 months", "-3 days", "1 day 02:30:00". unit is that
// of a number without one.
func parseInterval(s, unit string) (interval, bool) {
	words := strings.Fields(strings.ToLower(s))
	var v interval
	if len(words) == 0 || len(words) > 20 {
		return v, false
	}
	if len(words) == 1 && unit != "" {
		words = append(words, unit)
	}
	for i := 0; i < len(words); i++ {
		w := words[i]
		if strings.Contains(w, ":") {
			micros, ok := clock(w)
			if !ok {
				return v, false
			}
			v.micros += micros
			continue
		}
		digits := strings.TrimRightFunc(w, func(r rune) bool { return r >= 'a' && r <= 'z' })
		name := w[len(digits):] // 3d
		if name == "" {
			if i++; i == len(words) {
				return v, false
			}
			name = words[i]
		}
		n, err := strconv.ParseFloat(digits, 64)
		u, ok := intervalUnits[name]
		if !ok {
			u, ok = intervalUnits[strings.TrimSuffix(name, "s")]
		}
		whole := n == math.Trunc(n)
		if err != nil || !ok || math.Abs(n) > 1e9 || !whole && u.micros == 0 {
			return v, false
		}
		v.months += int64(n) * u.months
		v.days += int64(n) * u.days
		micros := n * float64(u.micros)
		if math.Abs(micros) > 1e17 { // some 3,000 years
			return v, false
		}
		v.micros += int64(math.Round(micros))
	}
	return v, true
}

// clock reads hh:mm or hh:mm:ss with an optional sign and fraction.
func clock(s string) (micros int64, ok bool) {
	sign := int64(1)
	if rest, neg := strings.CutPrefix(s, "-"); neg {
		s, sign = rest, -1
	}
	parts := strings.Split(s, ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, false
	}
	for i, p := range parts {
		n, err := strconv.ParseFloat(p, 64)
		if err != nil || n < 0 || n > 1e6 || i > 0 && n >= 60 || i < 2 && n != math.Trunc(n) {
			return 0, false
		}
		micros += int64(math.Round(n * math.Pow(60, float64(2-i)) * dates.MicrosPerSecond))
	}
	return sign * micros, true
}

// addInterval binds date + interval, interval + date and date - interval; ok is
// false if there is no interval.
func (b *binder) addInterval(x *pg.A_Expr, sign string) (e plan.Expr, ok bool, err error) {
	v, ok, err := b.interval(x.Rexpr)
	date := x.Lexpr
	if !ok && err == nil {
		v, ok, err = b.interval(x.Lexpr)
		date = x.Rexpr
		if ok && sign != "+" {
			return nil, false, unsupported("INTERVAL before "+caret.Clean(sign), "Write the date first.")
		}
	}
	if !ok || err != nil {
		return nil, false, err
	}
	switch sign {
	case "+":
	case "-":
		v = v.negative()
	default:
		return nil, false, unsupported("INTERVAL beside "+caret.Clean(sign), "Use it with + and -.")
	}
	if e, err = b.bind(date); err != nil {
		return nil, false, err
	}
	if l, isLit := e.(*plan.Literal); isLit && l.Value.Base == plan.String {
		if e, err = b.apply("date", []plan.Expr{e}, x.Location, date); err != nil {
			return nil, false, err
		}
	}
	for _, step := range []struct {
		op string
		n  int64
	}{{"addmonths", v.months}, {"adddays", v.days}, {"addmicros", v.micros}} {
		if step.n == 0 {
			continue
		}
		if e, err = b.apply(step.op, []plan.Expr{e, plan.NewInt(step.n)}, x.Location, date); err != nil {
			return nil, false, err
		}
	}
	// An interval of nothing is added to a date all the same.
	if e.Type().Base != plan.Date && e.Type().Base != plan.Null {
		return nil, false, b.p.fail(location(date), "an INTERVAL is added to a date")
	}
	return e, true, nil
}

// dateArithmetic binds date ± days and date - date; ok is false if it is neither.
func (b *binder) dateArithmetic(x *pg.A_Expr, sign string, args []plan.Expr) (e plan.Expr, ok bool, err error) {
	l, r := args[0].Type(), args[1].Type()
	days := func(date, n plan.Expr) (plan.Expr, bool, error) {
		e, err := b.apply("adddays", []plan.Expr{date, n}, x.Location, x.Lexpr, x.Rexpr)
		return e, err == nil, err
	}
	switch {
	case sign == "+" && l.Base == plan.Date && r.Base == plan.Int:
		return days(args[0], args[1])
	case sign == "+" && l.Base == plan.Int && r.Base == plan.Date:
		return days(args[1], args[0])
	case sign == "-" && l.Base == plan.Date && r.Base == plan.Int:
		n, err := b.apply("neg", args[1:], x.Location, x.Rexpr)
		if err != nil {
			return nil, false, err
		}
		return days(args[0], n)
	case sign == "-" && l.Base == plan.Date && r.Base == plan.Date && l.Unit == col.Day && r.Unit == col.Day:
		e, err := b.apply("diff", []plan.Expr{args[0], args[1], plan.NewString("days")}, x.Location, x.Lexpr, x.Rexpr)
		return e, err == nil, err
	}
	return nil, false, nil
}
