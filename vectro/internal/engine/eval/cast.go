package eval

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/dates"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

var castBuilders = map[string]builder{
	"tofloat": buildToFloat, "tohuge": buildToHuge, "tounit": buildToUnit, "truncint": buildToInt, "toint": buildToInt,
	"finite":   floats1(finite),
	"tonumber": buildToNumber, "tobool": textToBool(parseBool), "totext": buildToText,
	"date": textToDate, "todate": textToDate, "totimestamp": textToDate,
}

func finite(v float64) float64 {
	if math.IsInf(v, 0) {
		return math.NaN()
	}
	return v
}

func buildToFloat(c *compiler, x *plan.Call) operand {
	in := c.args(x)
	o, t := c.slot(), x.T
	huge := x.Args[0].Type().Base == plan.Huge
	c.emit(func(s *State) {
		a := s.vec(in[0])
		r := s.result(o, t)
		as(r, a)
		out := r.Floats(s.n)
		if huge {
			for i := range out {
				out[i] = hugeToFloat(a.Hi[i], uint64(a.I[i]))
			}
			return
		}
		ints := a.I[:len(out)]
		for i := range out {
			out[i] = float64(ints[i])
		}
	})
	c.release(in...)
	return o
}

// hugeToFloat returns the nearest float to a 128-bit whole number.
func hugeToFloat(hi int64, lo uint64) float64 {
	if hi == int64(lo)>>63 {
		return float64(int64(lo))
	}
	f, _ := new(big.Float).SetInt(plan.HugeInt(plan.Value{Hi: hi, I: int64(lo)})).Float64()
	return f
}

func buildToHuge(c *compiler, x *plan.Call) operand {
	in := c.args(x)
	o, t := c.slot(), x.T
	c.emit(func(s *State) {
		a := s.vec(in[0])
		r := s.result(o, t)
		as(r, a)
		low, high := r.Ints(s.n), r.Highs(s.n)
		for i := range low {
			low[i], high[i] = a.I[i], a.I[i]>>63
		}
	})
	c.release(in...)
	return o
}

// buildToUnit counts dates in another unit.
func buildToUnit(c *compiler, x *plan.Call) operand {
	from, to := x.Args[0].Type().Unit, x.T.Unit
	return ints1(func(v int64) int64 { return dates.Convert(v, from, to) })(c, x)
}

// buildToInt makes whole numbers of floats and huges: truncint cuts fractions off,
// toint rounds half to even; what does not fit is missing.
func buildToInt(c *compiler, x *plan.Call) operand {
	if x.Args[0].Type().Base == plan.String {
		return rows(intOut, func(_ *State, r *row) (int64, bool) { return parseInt(r.text(0)) })(c, x)
	}
	in := c.args(x)
	o, t := c.slot(), x.T
	round := math.Trunc
	if x.Op == "toint" {
		round = math.RoundToEven
	}
	huge := x.Args[0].Type().Base == plan.Huge
	c.emit(func(s *State) {
		a := s.vec(in[0])
		r := s.result(o, t)
		as(r, a)
		out := r.Ints(s.n)
		for i := range out {
			out[i] = 0
			ok := false
			if huge {
				out[i], ok = a.I[i], a.Hi[i] == a.I[i]>>63
			} else if f := round(a.F[i]); f >= -1<<63 && f < 1<<63 {
				out[i], ok = int64(f), true
			}
			if !ok {
				bitsOf(r).Clear(i)
			}
		}
	})
	c.release(in...)
	return o
}

// parseInt reads text as [plan.ParseNumber] does, without the detour of a float
// where it is a whole number.
func parseInt(s string) (int64, bool) {
	if v, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64); err == nil {
		return v, true
	}
	f, ok := plan.ParseNumber(s)
	f = math.RoundToEven(f)
	if !ok || f < -1<<63 || f >= 1<<63 {
		return 0, false
	}
	return int64(f), true
}

func buildToNumber(c *compiler, x *plan.Call) operand {
	if x.Args[0].Type().Base == plan.String {
		return rows(floatOut, func(_ *State, r *row) (float64, bool) { return plan.ParseNumber(r.text(0)) })(c, x)
	}
	in := c.args(x) // Bool
	o, t := c.slot(), x.T
	c.emit(func(s *State) {
		a := s.vec(in[0])
		r := s.result(o, t)
		as(r, a)
		out := r.Ints(s.n)
		for i := range out {
			out[i] = int64(boolRank(a.B[i]))
		}
	})
	c.release(in...)
	return o
}

// parseBool reads what PostgreSQL reads as a boolean.
func parseBool(s string) (value, ok bool) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "true", "t", "yes", "y", "on", "1":
		return true, true
	case "false", "f", "no", "n", "off", "0":
		return false, true
	}
	return false, false
}

func textToBool(f func(string) (bool, bool)) builder {
	return rows(boolOut, func(_ *State, r *row) (bool, bool) { return f(r.text(0)) })
}

// textToDate reads text as a date in the unit of the result.
func textToDate(c *compiler, x *plan.Call) operand {
	u := x.T.Unit
	return rows(intOut, func(_ *State, r *row) (int64, bool) {
		m, _, ok := dates.ParseSpan(strings.TrimSpace(r.text(0)))
		return m.In(u), ok
	})(c, x)
}

// buildToText writes numbers as results show them, dates as ISO text and
// conditions as true and false.
func buildToText(c *compiler, x *plan.Call) operand {
	in := c.args(x)
	o, t := c.slot(), x.T
	from := x.Args[0].Type()
	c.emit(func(s *State) {
		a := s.vec(in[0])
		r := s.result(o, t)
		as(r, a)
		out := r.Strs(s.n)
		for i := range out {
			if !a.Valid.Get(i) {
				out[i] = ""
				continue
			}
			start := len(s.buf)
			switch from.Base {
			case plan.Int:
				s.buf = plan.AppendNumber(s.buf, plan.Value{Base: plan.Int, I: a.I[i]})
			case plan.Float:
				s.buf = plan.AppendNumber(s.buf, plan.Value{Base: plan.Float, F: a.F[i]})
			case plan.Huge:
				s.buf = plan.AppendNumber(s.buf, plan.Value{Base: plan.Huge, I: a.I[i], Hi: a.Hi[i]})
			case plan.Date:
				s.buf = dates.Append(s.buf, a.I[i], from.Unit, from.Unit == col.Day, from.Zone)
			case plan.Bool:
				out[i] = "false"
				if a.B[i] {
					out[i] = "true"
				}
				continue
			}
			out[i] = s.from(start)
		}
	})
	c.release(in...)
	return o
}
