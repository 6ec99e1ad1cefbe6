package plan

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/caret"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/dates"
)

// flipped is the comparison with its operands exchanged.
var flipped = map[string]string{
	"eq": "eq", "ne": "ne", "lt": "gt", "gt": "lt", "le": "ge", "ge": "le",
	"distinct": "distinct", "notdistinct": "notdistinct",
}

func isOrder(op string) bool { return op == "lt" || op == "le" || op == "gt" || op == "ge" }

func bindCompare(c bindCall) (Expr, error) {
	a, b := c.args[0], c.args[1]
	op := c.op
	ai, bi := 0, 1 // where a and b stood, for messages
	if isLiteral(a) && !isLiteral(b) {
		a, b, op, ai, bi = b, a, flipped[op], 1, 0
	}
	if isNull(a) || isNull(b) {
		if isNull(a) {
			a = b
		}
		switch op {
		case "distinct":
			return Bind("notnull", []Expr{a})
		case "notdistinct":
			return Bind("isnull", []Expr{a})
		}
		return &Literal{T: Type{Base: Bool}}, nil
	}
	return compare(op, a, b, ai, bi)
}

// compare aligns a and b, neither the bare null, and returns their comparison.
func compare(op string, a, b Expr, ai, bi int) (Expr, error) {
	ta, tb := a.Type(), b.Type()
	result := func(op string, args ...Expr) (Expr, error) {
		return &Call{Op: op, Args: args, T: Type{Base: Bool}}, nil
	}
	switch {
	case ta.Base == Bool || tb.Base == Bool:
		x, y := boolOperand(a), boolOperand(b)
		if x == nil || y == nil {
			return nil, cannotCompare(a, b, ai, bi, nil)
		}
		return result(op, x, y)
	case ta.Numeric() && tb.Numeric():
		op, a, b = alignNumbers(op, a, b)
		return result(op, a, b)
	case ta.Base == Date && tb.Base == Date:
		t := Type{Base: Date, Unit: max(ta.Unit, tb.Unit), Zone: ta.Zone || tb.Zone}
		return result(op, castUnit(a, t), castUnit(b, t))
	case ta.Base == Date && tb.Base == String || ta.Base == String && tb.Base == Date:
		if ta.Base == String { // two literals, or a text that is no literal
			a, b, op, ai, bi = b, a, flipped[op], bi, ai
		}
		s, ok := stringLiteral(b)
		if !ok {
			return nil, cannotCompare(a, b, ai, bi, say("; date(%s) reads text as a date", shown(b)))
		}
		return compareDate(op, a, s, bi)
	case ta.Base == String && tb.Base == String:
		return result(op, a, b)
	case ta.Base == String && tb.Numeric() && isLiteral(b) && !isOrder(op):
		return result(op, a, numberText(b))
	case tb.Base == String && ta.Numeric() && isLiteral(a) && !isOrder(op):
		return result(op, b, numberText(a))
	}
	var hint words
	if s, ok := stringLiteral(b); ok && ta.Numeric() {
		if v, ok := ParseNumber(s); ok {
			hint = say("; write the number without quotes: %s", AppendNumber(nil, Value{Base: Float, F: v}))
		}
	}
	if ta.Base == String && tb.Numeric() {
		if _, lit := a.(*Literal); !lit {
			hint = say("; toNumber(%s) reads text as a number", operandText(a))
		}
	}
	for _, pair := range [][2]Expr{{a, b}, {b, a}} {
		if day, ok := bareDate(pair[1]); ok && (pair[0].Type().Base == Date || pair[0].Type().Base == String) {
			hint = say("; a date is written in quotes: '%s'", day)
		}
	}
	return nil, cannotCompare(a, b, ai, bi, hint)
}

// bareDate recognises a date that was written without quotes, and so became a
// subtraction: 2024-01-31.
func bareDate(e Expr) (string, bool) {
	var parts [3]int64
	for i := 2; i >= 0; i-- {
		last := e
		if c, ok := e.(*Call); ok && c.Op == "sub" && i > 0 {
			e, last = c.Args[0], c.Args[1]
		}
		l, ok := last.(*Literal)
		if !ok || l.Value.Base != Int {
			return "", false
		}
		parts[i] = l.Value.I
	}
	year, month, day := parts[0], parts[1], parts[2]
	return fmt.Sprintf("%04d-%02d-%02d", year, month, day), 1000 <= year && year <= 9999 && 1 <= month && month <= 12 && 1 <= day && day <= 31
}

func cannotCompare(a, b Expr, ai, bi int, hint words) error {
	if ai > bi {
		a, b, ai, bi = b, a, bi, ai
	}
	at := bi
	if isLiteral(a) && !isLiteral(b) {
		at = ai
	}
	return refusal(at, "cannot compare %s with %s%s", describe(a), describe(b), hint)
}

// boolOperand makes e a Bool beside another Bool, or returns nil.
func boolOperand(e Expr) Expr {
	switch {
	case e.Type().Base == Bool:
		return e
	case isFlagged(e):
		return flaggedToBool(e)
	}
	if s, ok := stringLiteral(e); ok {
		switch strings.ToLower(s) {
		case "true":
			return NewBool(true)
		case "false":
			return NewBool(false)
		}
	}
	return nil
}

// numberText is the text of a number literal, as a label would spell it.
func numberText(e Expr) Expr {
	l := e.(*Literal)
	if l.Value.Base == Null {
		return &Literal{T: Type{Base: String}}
	}
	if l.Value.S != "" {
		return NewString(l.Value.S)
	}
	return NewString(string(AppendNumber(nil, l.Value)))
}

// alignNumbers gives a literal the type of the other operand where that changes
// nothing: an Int beside whole numbers, a fraction as the whole number next to it
// (x > 2.5 is x >= 3), a Float beside floats.
func alignNumbers(op string, a, b Expr) (string, Expr, Expr) {
	l, ok := b.(*Literal)
	if !ok || l.Value.Base == Null || isLiteral(a) {
		return op, a, b
	}
	switch {
	case a.Type().Base == Int && l.Value.Base == Float:
		f := l.Value.F
		if v, ok := exactInt(f); ok {
			return op, a, NewInt(v)
		}
		below, ok1 := exactInt(math.Floor(f))
		above, ok2 := exactInt(math.Ceil(f))
		switch {
		case ok1 && (op == "lt" || op == "le"):
			return "le", a, NewInt(below)
		case ok2 && (op == "gt" || op == "ge"):
			return "ge", a, NewInt(above)
		}
	case a.Type().Base == Float && l.Value.Base == Int:
		if f, ok := exactFloat(l.Value.I); ok {
			return op, a, NewFloat(f)
		}
	}
	return op, a, b
}

// dateForms is what an unreadable date literal is answered with.
const dateForms = "write '2024-03-31', '2024-03-31T12:30:00', or '2024-03' or '2024' for a whole month or year"

// parseDate reads a date literal; last is the day after its span, 0 for a point.
func parseDate(s string, arg int) (m dates.Moment, next int64, err error) {
	m, next, ok := dates.ParseSpan(strings.TrimSpace(s))
	if !ok {
		return m, 0, refusal(arg, "%s is not a date; %s", caret.Quote(s), dateForms)
	}
	return m, next, nil
}

// dateLiteral reads a date literal; a month or year stands for its first instant.
func dateLiteral(s string, arg int) (*Literal, error) {
	m, _, err := parseDate(s, arg)
	if err != nil {
		return nil, err
	}
	u := momentUnit(m)
	return NewDate(m.In(u), Type{Base: Date, Unit: u, Zone: m.Zone}), nil
}

// momentUnit is the unit for m beside a column: midnight counts as a day.
func momentUnit(m dates.Moment) col.Unit {
	if m.Nanos == 0 {
		return col.Day
	}
	return m.Unit()
}

// compareDate compares a date with a date literal.
func compareDate(op string, a Expr, s string, arg int) (Expr, error) {
	m, next, err := parseDate(s, arg)
	if err != nil {
		return nil, err
	}
	t := a.Type()
	t.Unit = max(t.Unit, momentUnit(m))
	a = castUnit(a, t)
	first := NewDate(m.In(t.Unit), t)
	if next == 0 {
		return &Call{Op: op, Args: []Expr{a, first}, T: Type{Base: Bool}}, nil
	}
	last := spanEnd(next, t)
	call := &Call{Op: op, Args: []Expr{a, first}, T: Type{Base: Bool}}
	switch op {
	case "le", "gt":
		call.Args[1] = last
	case "eq":
		call.Op, call.Args = "between", []Expr{a, first, last}
	case "ne":
		call.Op, call.Args = "between", []Expr{a, first, last}
		return &Call{Op: "not", Args: []Expr{call}, T: call.T}, nil
	case "distinct", "notdistinct":
		call.Op, call.Args = "between", []Expr{a, first, last}
		known := &Call{Op: "coalesce", Args: []Expr{call, NewBool(false)}, T: call.T}
		if op == "notdistinct" {
			return known, nil
		}
		return &Call{Op: "not", Args: []Expr{known}, T: call.T}, nil
	}
	return call, nil
}

// spanEnd is the last instant before the day next, in t's unit.
func spanEnd(next int64, t Type) *Literal {
	if t.Unit == col.Day {
		return NewDate(next-1, t)
	}
	end := dates.Convert(next, col.Day, t.Unit)
	if end != math.MaxInt64 && end != math.MinInt64 {
		end--
	}
	return NewDate(end, t)
}

func bindBetween(c bindCall) (Expr, error) {
	x := c.args[0]
	// Each bound is compared on its own, so that spans, fractions and conversions
	// mean what they mean for >= and <=; the two are then fused when they agree.
	lo, err := Bind("ge", []Expr{x, c.args[1]})
	if err != nil {
		return nil, argAt(err, 0, 1)
	}
	hi, err := Bind("le", []Expr{x, c.args[2]})
	if err != nil {
		return nil, argAt(err, 0, 2)
	}
	l, ok1 := lo.(*Call)
	h, ok2 := hi.(*Call)
	if ok1 && ok2 && l.Op == "ge" && h.Op == "le" && !isLiteral(x) {
		args := []Expr{l.Args[0], l.Args[1], h.Args[1]}
		if x.Type().Base == Date {
			t := l.Args[0].Type()
			t.Unit = max(t.Unit, h.Args[0].Type().Unit)
			// The end of a span in whole days is the midnight of its last day; that
			// is enough here, for x counts whole days itself if one bound did.
			args[0], args[1], args[2] = castUnit(x, t), castUnit(args[1], t), castUnit(args[2], t)
		}
		return &Call{Op: "between", Args: args, T: Type{Base: Bool}}, nil
	}
	return &Call{Op: "and", Args: []Expr{lo, hi}, T: Type{Base: Bool}}, nil
}

// argAt moves the blame of an error about a two-operand call to the places that
// those operands have in the outer call.
func argAt(err error, first, second int) error {
	var be *BindError
	if !errors.As(err, &be) {
		return err
	}
	moved := *be
	switch be.Arg {
	case 0:
		moved.Arg = first
	case 1:
		moved.Arg = second
	}
	return &moved
}

// bindIn binds x in (a, b, …). Items that are values, all of the type that x then
// has, become one in call (x, item, …), date spans one inranges call (x, first,
// last, …); of both, and of the bare null, an or. x itself stands twice only where
// it is a literal that has to become something else for one of the items.
func bindIn(c bindCall) (Expr, error) {
	x, items := c.args[0], c.args[1:]
	truth := Type{Base: Bool}
	if isNull(x) {
		return &Literal{T: truth}, nil
	}
	// What the comparison with one item would do to x must happen once for all.
	base := x.Type().Base
	for i, e := range items {
		t := e.Type()
		switch {
		case t.Base == Bool && isFlagged(x):
			x = flaggedToBool(x)
		case base == Date && t.Base == Date:
			x = castUnit(x, Type{Base: Date, Unit: max(x.Type().Unit, t.Unit), Zone: x.Type().Zone || t.Zone})
		case base == Date && t.Base == String && isLiteral(e):
			s, _ := stringLiteral(e)
			m, _, err := parseDate(s, i+1)
			if err != nil {
				return nil, err
			}
			x = castUnit(x, Type{Base: Date, Unit: max(x.Type().Unit, momentUnit(m)), Zone: x.Type().Zone})
		}
	}
	var out Expr
	join := func(e Expr) {
		if out != nil {
			e = &Call{Op: "or", Args: []Expr{out, e}, T: truth}
		}
		out = e
	}
	points, ranges := []Expr{x}, []Expr{x}
	unknown := false
	for i, e := range items {
		if isMissing(e) {
			unknown = true
			continue
		}
		if x.Type().Numeric() && e.Type().Base == String {
			// Alone, a number may be compared with the labels of a category; a list is
			// of one kind.
			return nil, cannotCompare(x, e, 0, i+1, nil)
		}
		eq, err := compare("eq", x, e, 0, i+1)
		if err != nil {
			return nil, err
		}
		switch call := eq.(*Call); {
		case call.Args[0] != x: // x became a date or a condition, or changed places
			join(eq)
		case call.Op == "between":
			ranges = append(ranges, call.Args[1:]...)
		default:
			points = append(points, call.Args[1])
		}
	}
	switch {
	case len(points) == 2:
		join(&Call{Op: "eq", Args: points, T: truth})
	case len(points) > 2:
		join(&Call{Op: "in", Args: points, T: truth})
	}
	if len(ranges) > 1 {
		join(&Call{Op: "inranges", Args: ranges, T: truth})
	}
	if unknown {
		join(&Literal{T: truth})
	}
	return out, nil
}
