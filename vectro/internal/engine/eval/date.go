package eval

import (
	"math"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/dates"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

var dateBuilders = map[string]builder{
	"year": part(dates.Year), "quarter": part(dates.Quarter), "month": part(dates.Month), "day": part(dates.DayOfMonth),
	"weekday": part(dates.Weekday), "hour": part(dates.Hour), "minute": part(dates.Minute), "second": part(dates.Second),
	"week": part(dates.Week), "dayofyear": part(dates.DayOfYear), "dow": part(dates.Dow), "isoyear": part(dates.ISOYear),
	"decade": part(dates.Decade), "century": part(dates.Century), "millennium": part(dates.Millennium),
	"milliseconds": part(dates.Milliseconds), "microseconds": part(dates.Microseconds),
	"yearmonth": buildYearMonth, "datetrunc": buildTrunc, "addmicros": shift(dates.AddMicros),
	"adddays": shift(dates.AddDays), "addmonths": shift(dates.AddMonths), "diff": buildDiff,
	"make_date": rows(intOut, makeDate), "epoch": seconds(true), "secondfraction": seconds(false), "to_char": buildToChar,
	"to_date": buildParseDate, "to_timestamp": buildParseDate,
}

// part is a whole-number part of a date; dates outside the years 1 to 9999 have none.
func part(f dates.Field) builder {
	return func(c *compiler, x *plan.Call) operand {
		u := x.Args[0].Type().Unit
		return rows(intOut, func(_ *State, r *row) (int64, bool) {
			v := r.int(0)
			return dates.Part(f, v, u), dates.InRange(v, u)
		})(c, x)
	}
}

func buildYearMonth(c *compiler, x *plan.Call) operand {
	u := x.Args[0].Type().Unit
	return rows(textOut, func(s *State, r *row) (string, bool) {
		v := r.int(0)
		start := len(s.buf)
		day, _ := dates.Split(v, u)
		s.buf = dates.Append(s.buf, day, col.Day, true, false)
		s.buf = s.buf[:len(s.buf)-len("-01")]
		return s.from(start), dates.InRange(v, u)
	})(c, x)
}

func buildTrunc(c *compiler, x *plan.Call) operand {
	unit, _ := dates.ParseTruncUnit(x.Args[1].(*plan.Literal).Value.S)
	from, to := x.Args[0].Type().Unit, x.T.Unit
	one := &plan.Call{Op: x.Op, Args: x.Args[:1], T: x.T}
	return rows(intOut, func(_ *State, r *row) (int64, bool) { return dates.Trunc(r.int(0), from, unit, to) })(c, one)
}

// shift is a date moved by a whole number.
func shift(f func(v int64, u col.Unit, n int64) (int64, bool)) builder {
	return func(c *compiler, x *plan.Call) operand {
		u := x.T.Unit
		return rows(intOut, func(_ *State, r *row) (int64, bool) { return f(r.int(0), u, r.int(1)) })(c, x)
	}
}

func buildDiff(c *compiler, x *plan.Call) operand {
	unit := x.Args[2].(*plan.Literal).Value.S
	u := x.Args[0].Type().Unit
	two := &plan.Call{Op: x.Op, Args: x.Args[:2], T: x.T}
	return rows(intOut, func(_ *State, r *row) (int64, bool) { return dates.Diff(r.int(0), r.int(1), u, unit) })(c, two)
}

func makeDate(_ *State, r *row) (int64, bool) {
	y, m, d := r.int(0), r.int(1), r.int(2)
	if y < 1 || y > 9999 || m < 1 || m > 12 || d < 1 || d > 31 || !dates.ValidDate(int(y), int(m), int(d)) {
		return 0, false
	}
	return dates.FromCivil(int(y), int(m), int(d)), true
}

// seconds is the time since 1970, or the second of the minute, with fraction.
func seconds(epoch bool) builder {
	return func(c *compiler, x *plan.Call) operand {
		u := x.Args[0].Type().Unit
		per := dates.PerDay(u) / 86_400
		return rows(floatOut, func(_ *State, r *row) (float64, bool) {
			v := r.int(0)
			_, rest := dates.Split(v, u)
			switch {
			case u == col.Day && epoch:
				return float64(v * 86_400), dates.InRange(v, u)
			case u == col.Day:
				return 0, dates.InRange(v, u)
			case epoch:
				return float64(v) / float64(per), dates.InRange(v, u)
			}
			return float64(rest%(60*per)) / float64(per), dates.InRange(v, u)
		})(c, x)
	}
}

func buildToChar(c *compiler, x *plan.Call) operand {
	pattern := x.Args[1].(*plan.Literal).Value.S
	u := x.Args[0].Type().Unit
	one := &plan.Call{Op: x.Op, Args: x.Args[:1], T: x.T}
	return rows(textOut, func(s *State, r *row) (string, bool) {
		v := r.int(0)
		if !dates.InRange(v, u) {
			return "", false
		}
		start := len(s.buf)
		s.buf = dates.AppendPattern(s.buf, v, u, pattern)
		return s.from(start), true
	})(c, one)
}

// buildParseDate reads text after a pattern, or a number of seconds from 1970.
func buildParseDate(c *compiler, x *plan.Call) operand {
	u := x.T.Unit
	if len(x.Args) == 1 {
		in := c.args(x)
		o := c.slot()
		c.emit(func(s *State) {
			a := s.vec(in[0])
			r := s.result(o, x.T)
			as(r, a)
			out := r.Ints(s.n)
			for i := range out {
				micros := math.RoundToEven(a.F[i] * dates.MicrosPerSecond)
				if out[i] = 0; math.Abs(micros) < 1<<62 {
					out[i] = int64(micros)
				}
				if math.Abs(micros) >= 1<<62 || !dates.InRange(out[i], u) {
					bitsOf(r).Clear(i)
				}
			}
		})
		c.release(in...)
		return o
	}
	pattern := x.Args[1].(*plan.Literal).Value.S
	one := &plan.Call{Op: x.Op, Args: x.Args[:1], T: x.T}
	return rows(intOut, func(_ *State, r *row) (int64, bool) {
		m, ok := dates.ParsePattern(r.text(0), pattern)
		return m.In(u), ok
	})(c, one)
}
