package eval

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// reference evaluates bound expressions one value at a time, the slow and obvious
// way: whole numbers in math/big, dates through package time, text as code points.
// It shares nothing with the kernels but the tree, and checks that every whole
// number and date lies within the bounds that plan promised.
type reference struct {
	row []plan.Value
}

func (r reference) eval(e plan.Expr) plan.Value {
	switch x := e.(type) {
	case *plan.Literal:
		return x.Value
	case *plan.Column:
		return r.row[x.Index]
	}
	x := e.(*plan.Call)
	v := r.call(x)
	if v.Base == plan.Float && math.IsNaN(v.F) {
		v = plan.Value{}
	}
	if v.Base != plan.Null && v.Base != x.T.Base {
		panic(fmt.Sprintf("%s: a value of type %d where the plan says %d", plan.Format(e), v.Base, x.T.Base))
	}
	if v.Base == plan.Int || v.Base == plan.Date {
		if lo, hi, ok := plan.Bounds(e); ok && (v.I < lo || v.I > hi) {
			panic(fmt.Sprintf("%s = %d is outside [%d, %d]", plan.Format(e), v.I, lo, hi))
		}
	}
	return v
}

var missing = plan.Value{}

func fromBool(b bool) plan.Value {
	v := plan.Value{Base: plan.Bool}
	if b {
		v.I = 1
	}
	return v
}
func fromInt(n int64) plan.Value     { return plan.Value{Base: plan.Int, I: n} }
func fromFloat(f float64) plan.Value { return plan.Value{Base: plan.Float, F: f} }
func fromText(s string) plan.Value   { return plan.Value{Base: plan.String, S: s} }
func fromDate(n int64) plan.Value    { return plan.Value{Base: plan.Date, I: n} }

func (r reference) call(x *plan.Call) plan.Value {
	a := make([]plan.Value, len(x.Args))
	for i, e := range x.Args {
		a[i] = r.eval(e)
	}
	null := func(i int) bool { return a[i].Base == plan.Null }
	// What looks at missing arguments itself.
	switch x.Op {
	case "and", "or":
		decides := int64(0)
		if x.Op == "or" {
			decides = 1
		}
		for i := range a {
			if !null(i) && a[i].I == decides {
				return fromBool(decides == 1)
			}
		}
		if null(0) || null(1) {
			return missing
		}
		return fromBool(decides == 0)
	case "isnull":
		return fromBool(null(0))
	case "notnull":
		return fromBool(!null(0))
	case "case":
		for i := 0; i+1 < len(a); i += 2 {
			if !null(i) && a[i].I == 1 {
				return a[i+1]
			}
		}
		return a[len(a)-1]
	case "coalesce":
		for i := range a {
			if !null(i) {
				return a[i]
			}
		}
		return missing
	case "nullif":
		if !null(0) && !null(1) && refCompare(a[0], a[1]) == 0 {
			return missing
		}
		return a[0]
	case "distinct", "notdistinct":
		same := null(0) && null(1) || !null(0) && !null(1) && refCompare(a[0], a[1]) == 0
		return fromBool(same == (x.Op == "notdistinct"))
	case "between":
		return refAnd(refTest("ge", a[0], a[1]), refTest("le", a[0], a[2]))
	case "in":
		out := fromBool(false)
		for _, v := range a[1:] {
			switch t := refTest("eq", a[0], v); {
			case t == fromBool(true):
				return t
			case t == missing:
				out = missing
			}
		}
		return out
	case "sqlleast", "sqlgreatest":
		a = slices.DeleteFunc(a, func(v plan.Value) bool { return v.Base == plan.Null })
		if len(a) == 0 {
			return missing
		}
	case "sqlconcat":
		s := ""
		for i := range a {
			s += a[i].S
		}
		return fromText(s)
	}
	for i := range a {
		if null(i) {
			return missing
		}
	}
	from := x.T
	if len(x.Args) > 0 {
		from = x.Args[0].Type()
	}
	switch x.Op {
	case "add", "sub", "mul", "neg", "abs":
		if x.T.Base != plan.Float {
			z := refInt(a[0])
			switch x.Op {
			case "add":
				z.Add(z, refInt(a[1]))
			case "sub":
				z.Sub(z, refInt(a[1]))
			case "mul":
				z.Mul(z, refInt(a[1]))
			case "neg":
				z.Neg(z)
			case "abs":
				z.Abs(z)
			}
			return refWhole(x, z)
		}
		switch x.Op {
		case "add":
			return fromFloat(a[0].F + a[1].F)
		case "sub":
			return fromFloat(a[0].F - a[1].F)
		case "mul":
			return fromFloat(a[0].F * a[1].F)
		case "neg":
			return fromFloat(-a[0].F)
		}
		return fromFloat(math.Abs(a[0].F))
	case "div":
		return fromFloat(a[0].F / a[1].F)
	case "mod", "quo":
		if x.T.Base != plan.Float {
			if refInt(a[1]).Sign() == 0 {
				return missing
			}
			q, m := new(big.Int).QuoRem(refInt(a[0]), refInt(a[1]), new(big.Int))
			if x.Op == "quo" {
				return refWhole(x, q)
			}
			return refWhole(x, m)
		}
		if x.Op == "mod" {
			return fromFloat(math.Mod(a[0].F, a[1].F))
		}
		if a[1].F == 0 {
			return missing
		}
		return fromFloat(math.Trunc(a[0].F / a[1].F))
	case "pow":
		if x.T.Base != plan.Float {
			return refWhole(x, new(big.Int).Exp(refInt(a[0]), refInt(a[1]), nil))
		}
		return fromFloat(math.Pow(a[0].F, a[1].F))
	case "sign":
		return fromInt(int64(refCompare(a[0], fromInt(0))))
	case "floor":
		return fromFloat(math.Floor(a[0].F))
	case "ceil":
		return fromFloat(math.Ceil(a[0].F))
	case "sqrt":
		return fromFloat(math.Sqrt(a[0].F))
	case "exp":
		return fromFloat(math.Exp(a[0].F))
	case "ln":
		return fromFloat(math.Log(a[0].F))
	case "atan2":
		return fromFloat(math.Atan2(a[0].F, a[1].F))
	case "isfinite":
		return fromBool(!math.IsInf(a[0].F, 0))
	case "round", "trunc":
		return refRound(x, a)
	case "bucket":
		if x.T.Base != plan.Float {
			w := refInt(a[1])
			if w.Sign() <= 0 {
				return missing
			}
			z := refInt(a[0])
			z.Sub(z, refInt(a[2])).Div(z, w) // Euclidean, and w > 0
			z.Mul(z, w).Add(z, refInt(a[2]))
			return refWhole(x, z)
		}
		if a[1].F <= 0 {
			return missing
		}
		return fromFloat(math.Floor((a[0].F-a[2].F)/a[1].F)*a[1].F + a[2].F)
	case "least", "sqlleast":
		return slices.MinFunc(a, refCompare)
	case "greatest", "sqlgreatest":
		return slices.MaxFunc(a, refCompare)
	case "eq", "ne", "lt", "le", "gt", "ge":
		return refTest(x.Op, a[0], a[1])
	case "inranges":
		for i := 1; i < len(a); i += 2 {
			if a[i].I <= a[0].I && a[0].I <= a[i+1].I {
				return fromBool(true)
			}
		}
		return fromBool(false)
	case "not":
		return fromBool(a[0].I == 0)
	case "tofloat":
		f, _ := new(big.Float).SetInt(refInt(a[0])).Float64()
		return fromFloat(f)
	case "tohuge":
		return hugeValue(refInt(a[0]))
	case "truncint", "toint":
		var z *big.Int
		if a[0].Base == plan.Huge {
			z = refInt(a[0])
		} else {
			if math.IsInf(a[0].F, 0) {
				return missing
			}
			f := math.Trunc(a[0].F)
			if x.Op == "toint" {
				f = math.RoundToEven(a[0].F)
			}
			z, _ = new(big.Float).SetFloat64(f).Int(nil)
		}
		if !z.IsInt64() {
			return missing
		}
		return fromInt(z.Int64())
	case "tonumber":
		if a[0].Base == plan.Bool {
			return fromInt(a[0].I)
		}
		s := strings.TrimSpace(a[0].S)
		if !regexp.MustCompile(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$`).MatchString(s) {
			return missing
		}
		f, _ := strconv.ParseFloat(s, 64)
		return fromFloat(f)
	case "tobool":
		return map[string]plan.Value{"true": fromBool(true), "false": fromBool(false), "1": fromBool(true)}[strings.TrimSpace(a[0].S)]
	case "totext":
		return fromText(refText(a[0], from))
	}
	return r.textOrDate(x, a, from)
}

// refWhole is the whole number z as a value of x, within the bounds of x.
func refWhole(x *plan.Call, z *big.Int) plan.Value {
	switch {
	case x.T.Base == plan.Int && z.IsInt64():
		return fromInt(z.Int64())
	case x.T.Base == plan.Huge && z.BitLen() <= x.Bits:
		return hugeValue(z)
	}
	panic(fmt.Sprintf("%s = %v does not fit", plan.Format(x), z))
}

func refInt(v plan.Value) *big.Int {
	if v.Base == plan.Huge {
		return plan.HugeInt(v)
	}
	return big.NewInt(v.I)
}

func refAnd(a, b plan.Value) plan.Value {
	switch {
	case a == fromBool(false) || b == fromBool(false):
		return fromBool(false)
	case a == missing || b == missing:
		return missing
	}
	return fromBool(true)
}

func refTest(op string, a, b plan.Value) plan.Value {
	if a.Base == plan.Null || b.Base == plan.Null {
		return missing
	}
	c := refCompare(a, b)
	return fromBool(map[string]bool{"eq": c == 0, "ne": c != 0, "lt": c < 0, "le": c <= 0, "gt": c > 0, "ge": c >= 0}[op])
}

// refCompare compares present values; numbers exactly, text by code points.
func refCompare(a, b plan.Value) int {
	number := func(v plan.Value) *big.Float {
		if v.Base == plan.Float {
			return new(big.Float).SetFloat64(v.F)
		}
		return new(big.Float).SetPrec(256).SetInt(refInt(v))
	}
	switch a.Base {
	case plan.String:
		return slices.Compare([]rune(a.S), []rune(b.S))
	case plan.Bool, plan.Date:
		return big.NewInt(a.I).Cmp(big.NewInt(b.I))
	}
	return number(a).Cmp(number(b))
}

// refRound rounds the decimal that is shown for a float, and whole numbers, exactly.
func refRound(x *plan.Call, a []plan.Value) plan.Value {
	digits := int64(0)
	if len(a) == 2 {
		digits = a[1].I
		if a[1].Base == plan.Float {
			digits = int64(a[1].F)
		}
	}
	if x.T.Base != plan.Float {
		if digits >= 0 {
			return a[0]
		}
		unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(min(100, -max(digits, -100))), nil)
		z := refInt(a[0])
		neg := z.Sign() < 0
		z.Abs(z)
		if x.Op == "round" {
			z.Add(z, new(big.Int).Quo(unit, big.NewInt(2)))
		}
		z.Quo(z, unit).Mul(z, unit)
		if neg {
			z.Neg(z)
		}
		return refWhole(x, z)
	}
	f := a[0].F
	if math.IsInf(f, 0) {
		return fromFloat(f)
	}
	// The shortest decimal as a fraction, rounded as one.
	digits = max(-400, min(digits, 400))
	z, _ := new(big.Rat).SetString(strconv.FormatFloat(math.Abs(f), 'g', -1, 64))
	unit := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(max(digits, -digits)), nil))
	if digits < 0 {
		unit.Inv(unit)
	}
	z.Mul(z, unit)
	if x.Op == "round" {
		z.Add(z, big.NewRat(1, 2))
	}
	z.SetInt(new(big.Int).Quo(z.Num(), z.Denom())).Quo(z, unit)
	if g, _ := z.Float64(); !math.IsInf(g, 0) {
		f = math.Copysign(g, f)
	}
	return fromFloat(f)
}

func refTime(v int64, u col.Unit) time.Time {
	switch u {
	case col.Day:
		return time.Unix(v*86_400, 0).UTC()
	case col.Micro:
		return time.UnixMicro(v).UTC()
	}
	return time.Unix(0, v).UTC()
}

// refStamp counts t in u; false when it is not in the calendar, or in range of u.
func refStamp(t time.Time, u col.Unit) (int64, bool) {
	if t.Year() < 1 || t.Year() > 9999 {
		return 0, false
	}
	switch u {
	case col.Day:
		s := t.Unix()
		return (s - (s%86_400+86_400)%86_400) / 86_400, true
	case col.Micro:
		return t.UnixMicro(), true
	}
	z := new(big.Int).Mul(big.NewInt(t.Unix()), big.NewInt(1e9))
	z.Add(z, big.NewInt(int64(t.Nanosecond())))
	return z.Int64(), z.IsInt64()
}

func refText(v plan.Value, t plan.Type) string {
	switch v.Base {
	case plan.Bool:
		return strconv.FormatBool(v.I == 1)
	case plan.Date:
		at := refTime(v.I, t.Unit)
		if t.Unit == col.Day {
			return at.Format("2006-01-02")
		}
		s := at.Format("2006-01-02T15:04:05")
		switch ns := at.Nanosecond(); {
		case ns == 0:
		case ns%1e6 == 0:
			s += fmt.Sprintf(".%03d", ns/1e6)
		case ns%1e3 == 0:
			s += fmt.Sprintf(".%06d", ns/1e3)
		default:
			s += fmt.Sprintf(".%09d", ns)
		}
		return s
	case plan.Float:
		switch {
		case math.IsInf(v.F, 1):
			return "Infinity"
		case math.IsInf(v.F, -1):
			return "-Infinity"
		case v.F == 0:
			return "0"
		}
		if m := math.Abs(v.F); m >= 1e21 || m < 1e-6 {
			s := strconv.FormatFloat(v.F, 'e', -1, 64)
			return regexp.MustCompile(`e-0`).ReplaceAllString(s, "e-")
		}
		return strconv.FormatFloat(v.F, 'f', -1, 64)
	}
	return refInt(v).String()
}

func (r reference) textOrDate(x *plan.Call, a []plan.Value, from plan.Type) plan.Value {
	s := []rune(a[0].S)
	text := func(rs []rune) plan.Value { return fromText(string(rs)) }
	at := refTime(a[0].I, from.Unit)
	stamp := func(t time.Time) plan.Value {
		v, ok := refStamp(t, x.T.Unit)
		if !ok {
			return missing
		}
		return fromDate(v)
	}
	switch x.Op {
	case "lower":
		return fromText(strings.ToLower(a[0].S))
	case "upper":
		return fromText(strings.ToUpper(a[0].S))
	case "reverse":
		slices.Reverse(s)
		return text(s)
	case "trim":
		for len(s) > 0 && unicode.IsSpace(s[0]) {
			s = s[1:]
		}
		for len(s) > 0 && unicode.IsSpace(s[len(s)-1]) {
			s = s[:len(s)-1]
		}
		return text(s)
	case "length":
		return fromInt(int64(len(s)))
	case "left", "right":
		n := a[1].I
		size := int64(len(s))
		if n < 0 {
			n = max(0, size+max(n, -size))
		}
		n = min(n, size)
		if x.Op == "left" {
			return text(s[:n])
		}
		return text(s[size-n:])
	case "substr":
		var out []rune
		last := new(big.Int).Sub(new(big.Int).Add(refInt(a[1]), refInt(a[2])), big.NewInt(1))
		for i, c := range s {
			pos := int64(i) + 1
			if pos >= a[1].I && big.NewInt(pos).Cmp(last) <= 0 {
				out = append(out, c)
			}
		}
		return text(out)
	case "contains":
		return fromBool(regexp.MustCompile(regexp.QuoteMeta(a[1].S)).MatchString(a[0].S))
	case "startswith":
		return fromBool(len(a[0].S) >= len(a[1].S) && a[0].S[:len(a[1].S)] == a[1].S)
	case "endswith":
		return fromBool(len(a[0].S) >= len(a[1].S) && a[0].S[len(a[0].S)-len(a[1].S):] == a[1].S)
	case "indexof":
		sub := []rune(a[1].S)
		for i := 0; i+len(sub) <= len(s); i++ {
			if slices.Equal(s[i:i+len(sub)], sub) {
				return fromInt(int64(i) + 1)
			}
		}
		return fromInt(0)
	case "replace":
		if a[1].S == "" {
			return a[0]
		}
		return fromText(strings.ReplaceAll(a[0].S, a[1].S, a[2].S))
	case "concat":
		out := ""
		for _, v := range a {
			out += v.S
		}
		return fromText(out)
	case "padleft", "lpad":
		fill := []rune(a[2].S)
		n := int(max(0, min(a[1].I, 1000)))
		var pad []rune
		for len(fill) > 0 && len(pad)+len(s) < n {
			pad = append(pad, fill[len(pad)%len(fill)])
		}
		out := append(pad, s...)
		if x.Op == "lpad" && len(out) > n {
			out = out[:n]
		}
		return text(out)
	case "split", "split_part":
		parts := []string{a[0].S}
		if a[1].S != "" {
			parts = strings.Split(a[0].S, a[1].S)
		}
		i := a[2].I
		switch {
		case i == 0:
			return missing
		case i < 0:
			i += int64(len(parts)) + 1
		}
		if i >= 1 && i <= int64(len(parts)) {
			return fromText(parts[i-1])
		}
		if x.Op == "split_part" {
			return fromText("")
		}
		return missing
	case "matches":
		re, err := regexp.Compile(a[1].S)
		if err != nil {
			return missing
		}
		return fromBool(re.MatchString(a[0].S))
	case "extract":
		m := regexp.MustCompile(a[1].S).FindStringSubmatchIndex(a[0].S)
		g := min(2, len(m)-2)
		if m == nil || m[g] < 0 {
			return missing
		}
		return fromText(a[0].S[m[g]:m[g+1]])
	case "like", "ilike":
		pattern := "(?s)^"
		if x.Op == "ilike" {
			pattern = "(?si)^"
		}
		for _, c := range a[1].S {
			switch c {
			case '%':
				pattern += ".*"
			case '_':
				pattern += "."
			default:
				pattern += regexp.QuoteMeta(string(c))
			}
		}
		return fromBool(regexp.MustCompile(pattern + "$").MatchString(a[0].S))

	case "date", "todate", "totimestamp":
		for _, layout := range []string{"2006-01-02", "2006-01-02T15:04:05", "2006-01", "2006"} {
			if t, err := time.Parse(layout, a[0].S); err == nil && t.Year() > 0 {
				return stamp(t)
			}
		}
		return missing
	case "tounit":
		v, ok := refStamp(at, x.T.Unit)
		if !ok { // too far away for nanoseconds
			v = math.MaxInt64
			if at.Year() < 1970 {
				v = math.MinInt64
			}
		}
		return fromDate(v)
	case "year":
		return fromInt(int64(at.Year()))
	case "quarter":
		return fromInt(int64((at.Month() + 2) / 3))
	case "month":
		return fromInt(int64(at.Month()))
	case "day":
		return fromInt(int64(at.Day()))
	case "weekday":
		return fromInt((int64(at.Weekday())+6)%7 + 1)
	case "dow":
		return fromInt(int64(at.Weekday()))
	case "hour":
		return fromInt(int64(at.Hour()))
	case "minute":
		return fromInt(int64(at.Minute()))
	case "second":
		return fromInt(int64(at.Second()))
	case "week":
		_, w := at.ISOWeek()
		return fromInt(int64(w))
	case "isoyear":
		y, _ := at.ISOWeek()
		return fromInt(int64(y))
	case "dayofyear":
		return fromInt(int64(at.YearDay()))
	case "yearmonth":
		return fromText(at.Format("2006-01"))
	case "to_char":
		return fromText(at.Format("02.01.2006 15:04"))
	case "datetrunc":
		y, m, d := at.Date()
		switch a[1].S {
		case "year":
			m, d = 1, 1
		case "quarter":
			m, d = (m-1)/3*3+1, 1
		case "month":
			d = 1
		case "week":
			d -= (int(at.Weekday()) + 6) % 7
		case "hour":
			return stamp(at.Truncate(time.Hour))
		case "minute":
			return stamp(at.Truncate(time.Minute))
		}
		return stamp(time.Date(y, m, d, 0, 0, 0, 0, time.UTC))
	case "adddays":
		if a[1].I > 4e6 || a[1].I < -4e6 {
			return missing
		}
		return stamp(at.AddDate(0, 0, int(a[1].I)))
	case "addmonths":
		if a[1].I > 1e6 || a[1].I < -1e6 {
			return missing
		}
		first := time.Date(at.Year(), at.Month(), 1, at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), time.UTC).AddDate(0, int(a[1].I), 0)
		last := first.AddDate(0, 1, -1).Day()
		return stamp(first.AddDate(0, 0, min(at.Day(), last)-1))
	case "make_date":
		y, m, d := a[0].I, a[1].I, a[2].I
		if y < 1 || y > 9999 || m < 1 || m > 12 || d < 1 || d > 31 {
			return missing
		}
		t := time.Date(int(y), time.Month(m), int(d), 0, 0, 0, 0, time.UTC)
		if t.Day() != int(d) {
			return missing
		}
		return stamp(t)
	case "diff":
		return r.diff(x, at, refTime(a[1].I, from.Unit))
	}
	panic("the reference knows no " + x.Op)
}

func (r reference) diff(x *plan.Call, a, b time.Time) plan.Value {
	unit := x.Args[2].(*plan.Literal).Value.S
	if unit == "days" || unit == "hours" {
		ns := func(t time.Time) *big.Int {
			z := new(big.Int).Mul(big.NewInt(t.Unix()), big.NewInt(1e9))
			return z.Add(z, big.NewInt(int64(t.Nanosecond())))
		}
		per := big.NewInt(3600e9)
		if unit == "days" {
			per.SetInt64(86400e9)
		}
		z := new(big.Int).Sub(ns(a), ns(b))
		return fromInt(z.Quo(z, per).Int64())
	}
	sign := int64(1)
	if a.Before(b) {
		a, b, sign = b, a, -1
	}
	// The number of months after b's month whose day b.Day() has been reached at a.
	n := int64(0)
	clock := func(t time.Time) string { return t.Format("02 15:04:05.000000000") }
	for y, m := b.Year(), b.Month(); y < a.Year() || y == a.Year() && m < a.Month(); {
		if m++; m > 12 {
			y, m = y+1, 1
		}
		n++
	}
	if clock(a) < clock(b) {
		n--
	}
	if unit == "years" {
		n /= 12
	}
	return fromInt(sign * n)
}

// TestReference_ItselfByHand pins a few values of the reference.
func TestReference_ItselfByHand(t *testing.T) {
	e := bind(t, "add", plan.NewInt(2), plan.NewInt(3))
	if got := (reference{}).eval(e); got != fromInt(5) {
		t.Errorf("2 + 3 = %s", show(got))
	}
	if got := refCompare(fromInt(math.MaxInt64), fromFloat(1<<63)); got != -1 {
		t.Errorf("MaxInt64 against 2^63: %d", got)
	}
}
