package plan

import (
	"math"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/caret"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/dates"
)

// Least and greatest years, and what parts of dates lie between.
const (
	minYear = 1
	maxYear = 9999
)

func dateFunctions() []*function {
	fs := []*function{
		{name: "date", min: 1, max: 1, bind: bindDate},
		{name: "yearMonth", min: 1, max: 1, bind: func(c bindCall) (Expr, error) {
			if err := c.date(0); err != nil {
				return nil, err
			}
			return c.make(String), nil
		}},
		{name: "datetrunc", min: 2, max: 2, hidden: true, bind: bindDateTrunc},
		{name: "date_part", min: 2, max: 2, bind: bindDatePart},
		{name: "addDays", min: 2, max: 2, bind: bindAddDays},
		{name: "addMonths", min: 2, max: 2, bind: bindAddMonths},
		{name: "addMicros", min: 2, max: 2, hidden: true, bind: bindAddMicros},
		{name: "diff", min: 3, max: 3, bind: bindDiff},
		{name: "make_date", min: 3, max: 3, bind: func(c bindCall) (Expr, error) {
			for i := range c.args {
				if err := c.int(i); err != nil {
					return nil, err
				}
			}
			return c.make(Date), nil
		}},
		{name: "epoch", min: 1, max: 1, hidden: true, bind: datePartFloat},
		{name: "secondfraction", min: 1, max: 1, hidden: true, bind: datePartFloat},
		{name: "to_char", min: 2, max: 2, bind: bindToChar},
		{name: "to_date", min: 2, max: 2, bind: bindParseDate},
		{name: "to_timestamp", min: 1, max: 2, bind: bindParseDate},
	}
	for name, r := range map[string]span{
		"year": {minYear, maxYear}, "quarter": {1, 4}, "month": {1, 12}, "day": {1, 31}, "weekday": {1, 7},
		"hour": {0, 23}, "minute": {0, 59}, "second": {0, 59}, "week": {1, 53}, "dayOfYear": {1, 366},
		"dow": {0, 6}, "isoyear": {0, maxYear + 1}, "decade": {0, 999}, "century": {1, 100}, "millennium": {1, 10},
		"milliseconds": {0, 59_999}, "microseconds": {0, 59_999_999},
	} {
		hidden := slices.Contains([]string{"dow", "isoyear", "decade", "century", "millennium", "milliseconds", "microseconds"}, name)
		fs = append(fs, &function{name: name, min: 1, max: 1, hidden: hidden, bind: datePart(r)})
	}
	return fs
}

// datePart is for functions from a date to a whole number.
func datePart(r span) func(bindCall) (Expr, error) {
	return func(c bindCall) (Expr, error) {
		if err := c.date(0); err != nil {
			return nil, err
		}
		if lo, hi, ok := Bounds(c.args[0]); ok && c.op == "year" {
			u := c.args[0].Type().Unit
			return c.makeInt(max(r.lo, dates.Part(dates.Year, lo, u)), min(r.hi, dates.Part(dates.Year, hi, u))), nil
		}
		return c.makeInt(r.lo, r.hi), nil
	}
}

func datePartFloat(c bindCall) (Expr, error) {
	if err := c.date(0); err != nil {
		return nil, err
	}
	return c.make(Float), nil
}

// bindDate reads text as a date: a literal at once, in the coarsest unit that holds
// it; other text in microseconds, missing where it is no date. Of a point in time
// it is the day.
func bindDate(c bindCall) (Expr, error) {
	e := c.args[0]
	if s, ok := stringLiteral(e); ok {
		return dateLiteral(s, 0)
	}
	switch e.Type().Base {
	case Null:
		return &Literal{T: Type{Base: Date}}, nil
	case Date:
		return Bind("todate", c.args)
	case String:
		call := c.make(Date)
		call.T.Unit = col.Micro
		return call, nil
	}
	return nil, c.refuse(0, "date needs text or a date, not %s", describe(e))
}

// unitArg reads argument i, a unit in quotes.
func (c bindCall) unitArg(i int, names []string) (string, error) {
	s, ok := stringLiteral(c.args[i])
	if ok {
		s = strings.ToLower(strings.TrimSpace(s))
		for _, name := range []string{s, strings.TrimSuffix(s, "s"), s + "s"} {
			if slices.Contains(names, name) {
				return name, nil
			}
		}
		return "", c.refuse(i, "%s has no unit %s; it takes %s", c.name, caret.Quote(s), quoted(names))
	}
	return "", c.refuse(i, "%s needs its unit in quotes: %s", c.name, quoted(names))
}

// bindDateTrunc cuts a date down to a unit; the result counts days for units of a
// day or more. Both orders of arguments occur: trunc(d, 'month') and SQL's
// date_trunc('month', d).
func bindDateTrunc(c bindCall) (Expr, error) {
	if c.args[0].Type().Base == String && c.args[1].Type().Base == Date {
		c.args[0], c.args[1] = c.args[1], c.args[0]
	} else if s, ok := stringLiteral(c.args[0]); ok {
		if _, isUnit := dates.ParseTruncUnit(strings.ToLower(s)); isUnit {
			c.args[0], c.args[1] = c.args[1], c.args[0]
		}
	}
	c.name = "trunc"
	if err := c.date(0); err != nil {
		return nil, err
	}
	name, err := c.unitArg(1, dates.TruncUnits())
	if err != nil {
		return nil, err
	}
	unit, _ := dates.ParseTruncUnit(name)
	c.args[1] = NewString(name)
	t := c.args[0].Type()
	if t.Unit == col.Day && unit >= dates.DayUnit {
		return c.args[0], nil
	}
	call := c.make(Date)
	call.T = t
	if unit <= dates.DayUnit {
		call.T = Type{Base: Date, Unit: col.Day}
	}
	if lo, hi, ok := Bounds(c.args[0]); ok {
		call.Lo, _ = dates.Trunc(lo, t.Unit, unit, call.T.Unit)
		call.Hi, _ = dates.Trunc(hi, t.Unit, unit, call.T.Unit)
	}
	return call, nil
}

// datePartOps maps the fields of extract and date_part to operators.
var datePartOps = map[string]string{
	"year": "year", "quarter": "quarter", "month": "month", "day": "day", "isodow": "weekday", "dow": "dow",
	"hour": "hour", "minute": "minute", "second": "secondfraction", "week": "week", "doy": "dayofyear",
	"isoyear": "isoyear", "decade": "decade", "century": "century", "millennium": "millennium",
	"millisecond": "milliseconds", "microsecond": "microseconds", "epoch": "epoch",
}

func bindDatePart(c bindCall) (Expr, error) {
	fields := make([]string, 0, len(datePartOps))
	for f := range datePartOps {
		fields = append(fields, f)
	}
	slices.Sort(fields)
	field, err := c.unitArg(0, fields)
	if err != nil {
		return nil, err
	}
	return Bind(datePartOps[field], c.args[1:])
}

func bindAddDays(c bindCall) (Expr, error) {
	if err := c.date(0); err != nil {
		return nil, err
	}
	if err := c.int(1); err != nil {
		return nil, err
	}
	call := c.make(Date)
	call.T = c.args[0].Type()
	return call, nil
}

func bindAddMonths(c bindCall) (Expr, error) { return bindAddDays(c) }

// bindAddMicros adds a time span in microseconds; a whole day becomes a point in
// time unless the span is a literal of whole days.
func bindAddMicros(c bindCall) (Expr, error) {
	if err := c.date(0); err != nil {
		return nil, err
	}
	if err := c.int(1); err != nil {
		return nil, err
	}
	t := c.args[0].Type()
	t.Unit = max(t.Unit, col.Micro)
	c.args[0] = castUnit(c.args[0], t)
	call := c.make(Date)
	call.T = t
	return call, nil
}

// bindDiff: a minus b in whole units, cut toward zero.
func bindDiff(c bindCall) (Expr, error) {
	for i := range 2 {
		if err := c.date(i); err != nil {
			return nil, err
		}
	}
	name, err := c.unitArg(2, dates.DiffUnits())
	if err != nil {
		return nil, err
	}
	ta, tb := c.args[0].Type(), c.args[1].Type()
	t := Type{Base: Date, Unit: max(ta.Unit, tb.Unit)}
	ra, rb := span{}, span{}
	known := false
	if lo, hi, ok := Bounds(c.args[0]); ok && ta.Unit == col.Day {
		if lo2, hi2, ok := Bounds(c.args[1]); ok && tb.Unit == col.Day && name == "days" {
			ra, rb, known = span{lo, hi}, span{lo2, hi2}, true
		}
	}
	c.args = []Expr{castUnit(c.args[0], t), castUnit(c.args[1], t), NewString(name)}
	if known {
		if r, ok := ra.sub(rb); ok {
			return c.makeInt(r.lo, r.hi), nil
		}
	}
	lo, hi := dates.DiffBounds(name)
	return c.makeInt(max(lo, math.MinInt64), hi), nil
}

func bindToChar(c bindCall) (Expr, error) {
	if err := c.date(0); err != nil {
		return nil, err
	}
	s, ok := stringLiteral(c.args[1])
	if !ok {
		return nil, c.refuse(1, "to_char needs its pattern in quotes, e.g. 'YYYY-MM-DD'")
	}
	if bad, ok := dates.CheckPattern(s); !ok {
		return nil, c.refuse(1, "to_char does not know the pattern %s; it takes %s", caret.Quote(bad), dates.PatternNames)
	}
	return c.make(String), nil
}

// bindParseDate reads text after a pattern: to_date in days, to_timestamp in
// microseconds. to_timestamp of a number counts seconds from 1970, in UTC.
func bindParseDate(c bindCall) (Expr, error) {
	call := c.make(Date)
	if c.op == "to_timestamp" {
		call.T.Unit = col.Micro
	}
	if len(c.args) == 1 {
		call.T.Zone = true
		return call, c.float(0)
	}
	if err := c.text(0); err != nil {
		return nil, err
	}
	s, ok := stringLiteral(c.args[1])
	if !ok {
		return nil, c.refuse(1, "%s needs its pattern in quotes, e.g. 'DD.MM.YYYY'", c.name)
	}
	if bad, ok := dates.CheckParsePattern(s); !ok {
		return nil, c.refuse(1, "%s cannot read the pattern %s; it takes YYYY YY MM Month Mon DD DDD HH24 HH12 MI SS MS US AM PM", c.name, caret.Quote(bad))
	}
	return call, nil
}
