package eval

import (
	"bytes"
	"math"
	"strconv"
	"unsafe"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/vector"
)

var arithmeticBuilders = map[string]builder{
	"add": buildArithmetic, "sub": buildArithmetic, "mul": buildArithmetic, "div": buildArithmetic,
	"neg": buildNeg, "mod": buildMod, "quo": buildQuo, "pow": buildPow, "abs": buildAbs, "sign": buildSign,
	"round": buildRound, "trunc": buildRound, "bucket": buildBucket, "isfinite": buildIsFinite, "log": buildLog,
	"atan2": floats2(math.Atan2),
	"floor": floats1(math.Floor), "ceil": floats1(math.Ceil), "sqrt": floats1(math.Sqrt), "cbrt": floats1(math.Cbrt),
	"exp": floats1(math.Exp), "ln": floats1(math.Log), "log2": floats1(math.Log2), "log10": floats1(math.Log10),
	"sin": floats1(math.Sin), "cos": floats1(math.Cos), "tan": floats1(math.Tan),
	"asin": floats1(math.Asin), "acos": floats1(math.Acos), "atan": floats1(math.Atan),
	"sinh": floats1(math.Sinh), "cosh": floats1(math.Cosh), "tanh": floats1(math.Tanh),
	"degrees": floats1(func(x float64) float64 { return x * (180 / math.Pi) }),
	"radians": floats1(func(x float64) float64 { return x * (math.Pi / 180) }),
}

type number interface{ int64 | float64 }

// The kernels of + - * /, for two vectors (VV), a vector and a constant (VC) and a
// constant and a vector (CV). They report whether the result holds NaN, which for
// whole numbers is never so and costs nothing.

func addVV[T number](o, a, b []T) (nan bool) {
	a, b = a[:len(o)], b[:len(o)]
	for i := range o {
		v := a[i] + b[i]
		o[i] = v
		if v != v {
			nan = true
		}
	}
	return nan
}

func addVC[T number](o, a []T, b T) (nan bool) {
	a = a[:len(o)]
	for i := range o {
		v := a[i] + b
		o[i] = v
		if v != v {
			nan = true
		}
	}
	return nan
}

func subVV[T number](o, a, b []T) (nan bool) {
	a, b = a[:len(o)], b[:len(o)]
	for i := range o {
		v := a[i] - b[i]
		o[i] = v
		if v != v {
			nan = true
		}
	}
	return nan
}

func subCV[T number](o []T, a T, b []T) (nan bool) {
	b = b[:len(o)]
	for i := range o {
		v := a - b[i]
		o[i] = v
		if v != v {
			nan = true
		}
	}
	return nan
}

func mulVV[T number](o, a, b []T) (nan bool) {
	a, b = a[:len(o)], b[:len(o)]
	for i := range o {
		v := a[i] * b[i]
		o[i] = v
		if v != v {
			nan = true
		}
	}
	return nan
}

// mulMixed multiplies floats with whole numbers, converting on the way.
func mulMixed(o, a []float64, b []int64) (nan bool) {
	a, b = a[:len(o)], b[:len(o)]
	for i := range o {
		v := a[i] * float64(b[i])
		o[i] = v
		if v != v {
			nan = true
		}
	}
	return nan
}

func mulVC[T number](o, a []T, b T) (nan bool) {
	a = a[:len(o)]
	for i := range o {
		v := a[i] * b
		o[i] = v
		if v != v {
			nan = true
		}
	}
	return nan
}

func divVV(o, a, b []float64) (nan bool) {
	a, b = a[:len(o)], b[:len(o)]
	for i := range o {
		v := a[i] / b[i]
		o[i] = v
		if v != v {
			nan = true
		}
	}
	return nan
}

func divVC(o, a []float64, b float64) (nan bool) {
	a = a[:len(o)]
	for i := range o {
		v := a[i] / b
		o[i] = v
		if v != v {
			nan = true
		}
	}
	return nan
}

func divCV(o []float64, a float64, b []float64) (nan bool) {
	b = b[:len(o)]
	for i := range o {
		v := a / b[i]
		o[i] = v
		if v != v {
			nan = true
		}
	}
	return nan
}

// buildArithmetic: both operands and the result are Int, or all are Float.
func buildArithmetic(c *compiler, x *plan.Call) operand {
	if o, ok := c.mixedProduct(x); ok {
		return o
	}
	a, b := c.expr(x.Args[0]), c.expr(x.Args[1])
	ka, constA := c.value(a)
	kb, constB := c.value(b)
	if constA && constB || ka.Base == plan.Null && constA || kb.Base == plan.Null && constB {
		// A missing operand: any kernel will do, the validity decides.
		constA, constB = false, false
		c.wide(a)
		c.wide(b)
	}
	o := c.slot()
	t := x.T
	if t.Base == plan.Int {
		kernel := intKernel(x.Op, constA, constB, ka.I, kb.I)
		c.emit(func(s *State) {
			r := s.result(o, t)
			kernel(r.Ints(s.n), s.ints(a, constA), s.ints(b, constB))
			s.bothOf(r, a, b, constA, constB)
		})
	} else {
		kernel := floatKernel(x.Op, constA, constB, ka.F, kb.F)
		c.emit(func(s *State) {
			r := s.result(o, t)
			nan := kernel(r.Floats(s.n), s.floats(a, constA), s.floats(b, constB))
			s.bothOf(r, a, b, constA, constB)
			if nan {
				noNaN(r)
			}
		})
	}
	c.release(a, b)
	return o
}

// mixedProduct emits a product of a float and a whole number, which needs no pass
// of its own for the conversion.
func (c *compiler) mixedProduct(x *plan.Call) (operand, bool) {
	if x.Op != "mul" || x.T.Base != plan.Float {
		return operand{}, false
	}
	f, i := x.Args[0], converted(x.Args[1])
	if i == nil {
		f, i = x.Args[1], converted(x.Args[0])
	}
	if i == nil || converted(f) != nil {
		return operand{}, false
	}
	a, b := c.wide(c.expr(f)), c.wide(c.expr(i))
	o := c.slot()
	c.emit(func(s *State) {
		va, vb := s.vec(a), s.vec(b)
		r := s.result(o, x.T)
		nan := mulMixed(r.Floats(s.n), va.F, vb.I)
		both(r, va, vb)
		if nan {
			noNaN(r)
		}
	})
	c.release(a, b)
	return o, true
}

// converted returns the Int under a conversion to Float, or nil.
func converted(e plan.Expr) plan.Expr {
	if x, ok := e.(*plan.Call); ok && x.Op == "tofloat" && x.Args[0].Type().Base == plan.Int {
		return x.Args[0]
	}
	return nil
}

func (s *State) ints(o operand, constant bool) []int64 {
	if constant {
		return nil
	}
	return s.vec(o).I
}

func (s *State) floats(o operand, constant bool) []float64 {
	if constant {
		return nil
	}
	return s.vec(o).F
}

// bothOf is both for operands of which present constants do not count.
func (s *State) bothOf(r *vector.Buffer, a, b operand, constA, constB bool) {
	switch {
	case constA:
		as(r, s.vec(b))
	case constB:
		as(r, s.vec(a))
	default:
		both(r, s.vec(a), s.vec(b))
	}
}

func intKernel(op string, constA, constB bool, ka, kb int64) func(o, a, b []int64) bool {
	switch {
	case op == "add" && constA:
		return func(o, _, b []int64) bool { return addVC(o, b, ka) }
	case op == "add" && constB:
		return func(o, a, _ []int64) bool { return addVC(o, a, kb) }
	case op == "add":
		return addVV[int64]
	case op == "sub" && constA:
		return func(o, _, b []int64) bool { return subCV(o, ka, b) }
	case op == "sub" && constB:
		return func(o, a, _ []int64) bool { return addVC(o, a, -kb) } // wraps to the same for MinInt64
	case op == "sub":
		return subVV[int64]
	case constA:
		return func(o, _, b []int64) bool { return mulVC(o, b, ka) }
	case constB:
		return func(o, a, _ []int64) bool { return mulVC(o, a, kb) }
	}
	return mulVV[int64]
}

func floatKernel(op string, constA, constB bool, ka, kb float64) func(o, a, b []float64) bool {
	switch {
	case op == "add" && constA:
		return func(o, _, b []float64) bool { return addVC(o, b, ka) }
	case op == "add" && constB:
		return func(o, a, _ []float64) bool { return addVC(o, a, kb) }
	case op == "add":
		return addVV[float64]
	case op == "sub" && constA:
		return func(o, _, b []float64) bool { return subCV(o, ka, b) }
	case op == "sub" && constB:
		return func(o, a, _ []float64) bool { return addVC(o, a, -kb) }
	case op == "sub":
		return subVV[float64]
	case op == "mul" && constA:
		return func(o, _, b []float64) bool { return mulVC(o, b, ka) }
	case op == "mul" && constB:
		return func(o, a, _ []float64) bool { return mulVC(o, a, kb) }
	case op == "mul":
		return mulVV[float64]
	case constA:
		return func(o, _, b []float64) bool { return divCV(o, ka, b) }
	case constB:
		return func(o, a, _ []float64) bool { return divVC(o, a, kb) }
	}
	return divVV
}

// ints2 computes whole numbers from whole numbers, missing where f says so.
func ints2(f func(a, b int64) (int64, bool)) builder {
	return func(c *compiler, x *plan.Call) operand {
		in := c.args(x)
		o, t := c.slot(), x.T
		c.emit(func(s *State) {
			a, b := s.vec(in[0]), s.vec(in[1])
			r := s.result(o, t)
			both(r, a, b)
			out := r.Ints(s.n)
			for i := range out {
				v, ok := f(a.I[i], b.I[i])
				out[i] = v
				if !ok {
					bitsOf(r).Clear(i)
				}
			}
		})
		c.release(in...)
		return o
	}
}

// floats1 computes a float from a float.
func floats1(f func(float64) float64) builder {
	return func(c *compiler, x *plan.Call) operand {
		in := c.args(x)
		o, t := c.slot(), x.T
		c.emit(func(s *State) {
			a := s.vec(in[0])
			r := s.result(o, t)
			as(r, a)
			out := r.Floats(s.n)
			nan := false
			for i := range out {
				v := f(a.F[i])
				out[i] = v
				nan = nan || v != v
			}
			if nan {
				noNaN(r)
			}
		})
		c.release(in...)
		return o
	}
}

// floats2 computes a float from two floats.
func floats2(f func(a, b float64) float64) builder {
	return func(c *compiler, x *plan.Call) operand {
		in := c.args(x)
		o, t := c.slot(), x.T
		c.emit(func(s *State) {
			a, b := s.vec(in[0]), s.vec(in[1])
			r := s.result(o, t)
			both(r, a, b)
			out := r.Floats(s.n)
			nan := false
			for i := range out {
				v := f(a.F[i], b.F[i])
				out[i] = v
				nan = nan || v != v
			}
			if nan {
				noNaN(r)
			}
		})
		c.release(in...)
		return o
	}
}

// ints1 computes whole numbers (or dates) from whole numbers (or dates).
func ints1(f func(int64) int64) builder {
	return func(c *compiler, x *plan.Call) operand {
		in := c.args(x)
		o, t := c.slot(), x.T
		c.emit(func(s *State) {
			a := s.vec(in[0])
			r := s.result(o, t)
			as(r, a)
			out := r.Ints(s.n)
			for i := range out {
				out[i] = f(a.I[i])
			}
		})
		c.release(in...)
		return o
	}
}

func buildNeg(c *compiler, x *plan.Call) operand {
	if x.T.Base == plan.Int {
		return ints1(func(v int64) int64 { return -v })(c, x)
	}
	return floats1(func(v float64) float64 { return -v })(c, x)
}

func buildAbs(c *compiler, x *plan.Call) operand {
	if x.T.Base == plan.Int {
		return ints1(func(v int64) int64 { return max(v, -v) })(c, x)
	}
	return floats1(math.Abs)(c, x)
}

// buildMod: the remainder has the sign of the dividend; by zero it is missing.
func buildMod(c *compiler, x *plan.Call) operand {
	if x.T.Base == plan.Int {
		return ints2(func(a, b int64) (int64, bool) {
			if b == 0 || b == -1 { // MinInt64 % -1 is 0 and must not reach the processor
				return 0, b != 0
			}
			return a % b, true
		})(c, x)
	}
	return floats2(math.Mod)(c, x)
}

// buildQuo: the whole quotient, cut toward zero; by zero it is missing.
func buildQuo(c *compiler, x *plan.Call) operand {
	if x.T.Base == plan.Int {
		return ints2(func(a, b int64) (int64, bool) {
			if b == 0 || b == -1 {
				return -a, b != 0
			}
			return a / b, true
		})(c, x)
	}
	return floats2(func(a, b float64) float64 {
		if b == 0 {
			return math.NaN()
		}
		return math.Trunc(a / b)
	})(c, x)
}

func buildPow(c *compiler, x *plan.Call) operand {
	if x.T.Base == plan.Int {
		return ints2(func(a, n int64) (int64, bool) {
			r := int64(1)
			for ; n > 0; n-- {
				r *= a
			}
			return r, true
		})(c, x)
	}
	return floats2(math.Pow)(c, x)
}

// buildLog: log(x) is to base 10, log(x, b) to base b.
func buildLog(c *compiler, x *plan.Call) operand {
	if len(x.Args) == 1 {
		return floats1(math.Log10)(c, x)
	}
	return floats2(logBase)(c, x)
}

func logBase(x, base float64) float64 {
	switch {
	case base == 10:
		return math.Log10(x)
	case base == 2:
		return math.Log2(x)
	case base <= 0 || base == 1:
		return math.NaN()
	}
	return math.Log(x) / math.Log(base)
}

func buildSign(c *compiler, x *plan.Call) operand {
	if x.Args[0].Type().Base == plan.Int {
		return ints1(func(v int64) int64 {
			switch {
			case v > 0:
				return 1
			case v < 0:
				return -1
			}
			return 0
		})(c, x)
	}
	in := c.args(x)
	o, t := c.slot(), x.T
	c.emit(func(s *State) {
		a := s.vec(in[0])
		r := s.result(o, t)
		as(r, a)
		out := r.Ints(s.n)
		for i := range out {
			switch f := a.F[i]; {
			case f > 0:
				out[i] = 1
			case f < 0:
				out[i] = -1
			default:
				out[i] = 0
			}
		}
	})
	c.release(in...)
	return o
}

func buildIsFinite(c *compiler, x *plan.Call) operand {
	in := c.args(x)
	o, t := c.slot(), x.T
	c.emit(func(s *State) {
		a := s.vec(in[0])
		r := s.result(o, t)
		as(r, a)
		out := r.Bools(s.n)
		for i := range out {
			out[i] = !math.IsInf(a.F[i], 0)
		}
	})
	c.release(in...)
	return o
}

// buildRound builds round and trunc of numbers. A whole-number result means a
// literal, negative number of digits.
func buildRound(c *compiler, x *plan.Call) operand {
	cutOff := x.Op == "trunc"
	if x.T.Base == plan.Int {
		digits := x.Args[1].(*plan.Literal).Value
		n := digits.I
		if digits.Base == plan.Float {
			n = int64(digits.F)
		}
		unit := int64(1)
		for ; n < 0; n++ {
			unit *= 10
		}
		one := &plan.Call{Op: x.Op, Args: x.Args[:1], T: x.T}
		return ints1(func(v int64) int64 {
			rest := v % unit
			v -= rest
			if !cutOff {
				if rest >= unit/2 {
					v += unit
				} else if -rest >= unit/2 {
					v -= unit
				}
			}
			return v
		})(c, one)
	}
	if len(x.Args) == 1 {
		if cutOff {
			return floats1(math.Trunc)(c, x)
		}
		return floats1(math.Round)(c, x)
	}
	if l, ok := x.Args[1].(*plan.Literal); ok && l.Value.Base == plan.Int {
		digits, unit := l.Value.I, scaleOf(l.Value.I)
		one := &plan.Call{Op: x.Op, Args: x.Args[:1], T: x.T}
		return floats1(func(v float64) float64 { return toDigits(v, digits, unit, cutOff) })(c, one)
	}
	in := c.args(x)
	o, t := c.slot(), x.T
	c.emit(func(s *State) {
		a, d := s.vec(in[0]), s.vec(in[1])
		r := s.result(o, t)
		both(r, a, d)
		out := r.Floats(s.n)
		for i := range out {
			out[i] = toDigits(a.F[i], d.I[i], scaleOf(d.I[i]), cutOff)
		}
	})
	c.release(in...)
	return o
}

// scaleOf is ten to the number of digits, before or after the point.
func scaleOf(digits int64) float64 { return math.Pow(10, math.Abs(float64(digits))) }

// toDigits rounds v, half away from zero, or cuts it off, at that decimal digit,
// where v is the number that is shown for it: the shortest decimal that reads back
// to v. So 1.005 at 2 digits gives 1.01, although the double lies below.
//
// The scaled double decides where it is not within its own rounding error of the
// place where the outcome changes.
func toDigits(v float64, digits int64, unit float64, cutOff bool) float64 {
	if math.IsInf(v, 0) || v != v || digits >= 0 && v == math.Trunc(v) {
		return v
	}
	x := v * unit
	if digits < 0 {
		x = v / unit
	}
	whole := math.Round(x)
	const exact, most = 1e22, 1 << 50 // the powers of ten that float64 holds; far below 2^53
	if unit > exact || math.Abs(x) > most {
		return toDecimal(v, digits, cutOff)
	}
	at, result := math.Abs(x-whole), whole // how far from the next whole number
	if cutOff {
		if result = math.Trunc(x); at > 0 && digits >= 0 && whole/unit == v {
			return v // has no more digits
		}
	} else {
		at = 0.5 - at
	}
	if at <= math.Abs(x)*0x1p-50 {
		return toDecimal(v, digits, cutOff)
	}
	if digits < 0 {
		return result * unit
	}
	return result / unit
}

// toDecimal does the same digit by digit.
func toDecimal(v float64, digits int64, cutOff bool) float64 {
	const most = 400 // more than any double has
	digits = max(-most, min(digits, most))
	var buf, out [32]byte
	s := strconv.AppendFloat(buf[:0], math.Abs(v), 'e', -1, 64) // d.ddde±xx
	e := bytes.IndexByte(s, 'e')
	exponent := 0
	for _, c := range s[e+2:] {
		exponent = exponent*10 + int(c-'0')
	}
	if s[e+1] == '-' {
		exponent = -exponent
	}
	text := append(out[:0], '0', s[0]) // with room for a carry
	if e > 1 {
		text = append(text, s[2:e]...)
	}
	ds := text[1:]
	keep := exponent + 1 + int(digits) // of the digits
	switch {
	case keep >= len(ds):
		return v
	case keep < 0:
		return 0
	}
	up := !cutOff && ds[keep] >= '5'
	text = text[:1+keep]
	for i := keep; up; i-- {
		if up = text[i] == '9'; up {
			text[i] = '0'
		} else {
			text[i]++
		}
	}
	text = strconv.AppendInt(append(text, 'e'), -digits, 10)
	r, err := strconv.ParseFloat(unsafe.String(unsafe.SliceData(text), len(text)), 64)
	if err != nil { // beyond the largest double
		return v
	}
	return math.Copysign(r, v)
}

func buildBucket(c *compiler, x *plan.Call) operand {
	if x.T.Base == plan.Int {
		width := x.Args[1].(*plan.Literal).Value.I
		origin := x.Args[2].(*plan.Literal).Value.I
		one := &plan.Call{Op: x.Op, Args: x.Args[:1], T: x.T}
		return ints1(func(v int64) int64 {
			v -= origin
			rest := v % width
			if rest < 0 {
				rest += width
			}
			return v - rest + origin
		})(c, one)
	}
	in := c.args(x)
	o, t := c.slot(), x.T
	c.emit(func(s *State) {
		a, w, from := s.vec(in[0]), s.vec(in[1]), s.vec(in[2])
		r := s.result(o, t)
		narrow(r, []*vector.Vec{a, w, from})
		out := r.Floats(s.n)
		nan := false
		for i := range out {
			v := math.NaN()
			if w.F[i] > 0 {
				v = math.Floor((a.F[i]-from.F[i])/w.F[i])*w.F[i] + from.F[i]
			}
			out[i] = v
			nan = nan || v != v
		}
		if nan {
			noNaN(r)
		}
	})
	c.release(in...)
	return o
}
