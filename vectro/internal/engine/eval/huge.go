package eval

import (
	"math/big"
	"math/bits"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// int128 is a whole number of 128 bits in two's complement.
type int128 struct {
	hi int64
	lo uint64
}

func wide(v int64) int128 { return int128{v >> 63, uint64(v)} }

// narrow returns a as an int64 if it fits.
func (a int128) narrow() (int64, bool) { return int64(a.lo), a.hi == int64(a.lo)>>63 }

func (a int128) add(b int128) int128 {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	hi, _ := bits.Add64(uint64(a.hi), uint64(b.hi), carry)
	return int128{int64(hi), lo}
}

func (a int128) neg() int128 {
	lo, borrow := bits.Sub64(0, a.lo, 0)
	hi, _ := bits.Sub64(0, uint64(a.hi), borrow)
	return int128{int64(hi), lo}
}

func (a int128) sub(b int128) int128 { return a.add(b.neg()) }

func (a int128) abs() int128 {
	if a.hi < 0 {
		return a.neg()
	}
	return a
}

// mul returns the low 128 bits of the product; the plan has made sure that those
// are all of it.
func (a int128) mul(b int128) int128 {
	hi, lo := bits.Mul64(a.lo, b.lo)
	hi += uint64(a.hi)*b.lo + a.lo*uint64(b.hi)
	return int128{int64(hi), lo}
}

// pow returns a^n, n not negative, of which the same holds.
func (a int128) pow(n int64) int128 {
	r := wide(1)
	for range n {
		r = r.mul(a)
	}
	return r
}

// quoRem divides, toward zero; b is not 0.
func (a int128) quoRem(b int128) (quo, rem int128) {
	x, ok1 := a.narrow()
	y, ok2 := b.narrow()
	switch {
	case ok2 && y == -1: // the most negative number divided by it is not an int64
		return a.neg(), int128{}
	case ok1 && ok2:
		return wide(x / y), wide(x % y)
	}
	q, r := new(big.Int).QuoRem(a.big(), b.big(), new(big.Int))
	return fromBig(q), fromBig(r)
}

// round cuts a down to a multiple of 10^-digits, for negative digits, toward zero
// or, unless cutOff, half away from zero.
func (a int128) round(digits int64, cutOff bool) int128 {
	switch {
	case digits >= 0:
		return a
	case digits < -38: // half of 10^39 is above every a
		return int128{}
	}
	unit := wide(10).pow(-digits)
	_, rest := a.quoRem(unit)
	a = a.sub(rest)
	if !cutOff {
		// rest ≥ unit/2, without a double that might not fit.
		switch {
		case rest.hi >= 0 && !less(rest, unit.sub(rest)):
			a = a.add(unit)
		case rest.hi < 0 && !less(rest.neg(), unit.add(rest)):
			a = a.sub(unit)
		}
	}
	return a
}

// bucket returns the start of the interval of that width, counted from origin, that
// a lies in; false without a width above 0.
func (a int128) bucket(width, origin int128) (int128, bool) {
	if !less(int128{}, width) {
		return a, false
	}
	_, rest := a.sub(origin).quoRem(width)
	if rest.hi < 0 {
		rest = rest.add(width)
	}
	return a.sub(rest), true
}

func less(a, b int128) bool { return a.hi < b.hi || a.hi == b.hi && a.lo < b.lo }

func (a int128) big() *big.Int { return plan.HugeInt(plan.Value{Hi: a.hi, I: int64(a.lo)}) }

func fromBig(z *big.Int) int128 {
	var buf [16]byte
	a := int128{}
	abs := new(big.Int).Abs(z).FillBytes(buf[:])
	for i, b := range abs {
		if i < 8 {
			a.hi = a.hi<<8 | int64(b)
		} else {
			a.lo = a.lo<<8 | uint64(b)
		}
	}
	if z.Sign() < 0 {
		return a.neg()
	}
	return a
}

// huges computes a Huge from whole numbers of any type, missing where f says so.
func huges(f func(a []int128) (int128, bool)) builder {
	return func(c *compiler, x *plan.Call) operand {
		in := c.args(x)
		o, t := c.slot(), x.T
		c.emit(func(s *State) {
			r := s.result(o, t)
			a := s.rowOf(in, make([]bool, len(in)))
			narrow(r, a.vecs)
			low, high := r.Ints(s.n), r.Highs(s.n)
			var args [3]int128
			for i := range low {
				for k, v := range a.vecs {
					hi, lo := hugeAt(v, i)
					args[k] = int128{hi, lo}
				}
				v, ok := f(args[:len(a.vecs)])
				if low[i], high[i] = int64(v.lo), v.hi; !ok {
					bitsOf(r).Clear(i)
				}
			}
		})
		c.release(in...)
		return o
	}
}

// hugeBuilders are the builders of calls whose result is a Huge.
var hugeBuilders map[string]builder

func init() { // builders compile their arguments
	hugeBuilders = map[string]builder{
		"add":    huges(func(a []int128) (int128, bool) { return a[0].add(a[1]), true }),
		"sub":    huges(func(a []int128) (int128, bool) { return a[0].sub(a[1]), true }),
		"mul":    huges(func(a []int128) (int128, bool) { return a[0].mul(a[1]), true }),
		"neg":    huges(func(a []int128) (int128, bool) { return a[0].neg(), true }),
		"abs":    huges(func(a []int128) (int128, bool) { return a[0].abs(), true }),
		"round":  huges(func(a []int128) (int128, bool) { return a[0].round(int64(a[1].lo), false), true }),
		"trunc":  huges(func(a []int128) (int128, bool) { return a[0].round(int64(a[1].lo), true), true }),
		"bucket": huges(func(a []int128) (int128, bool) { return a[0].bucket(a[1], a[2]) }),
		"pow": huges(func(a []int128) (int128, bool) {
			// What stands in the place of a missing value must not keep the loop busy.
			return a[0].pow(min(int64(a[1].lo), 127)), true
		}),
		"quo": huges(func(a []int128) (int128, bool) {
			if a[1] == (int128{}) {
				return a[1], false
			}
			q, _ := a[0].quoRem(a[1])
			return q, true
		}),
		"mod": huges(func(a []int128) (int128, bool) {
			if a[1] == (int128{}) {
				return a[1], false
			}
			_, r := a[0].quoRem(a[1])
			return r, true
		}),
	}
}
