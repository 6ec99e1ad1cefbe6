package plan

import (
	"math"
	"math/bits"
)

// Bounds returns numbers between which every present value of e lies, if e is an
// Int or a Date for which they are known. They come from the statistics of the
// snapshot, through the arithmetic. A missing literal has the bounds 0, 0.
func Bounds(e Expr) (lo, hi int64, ok bool) {
	base := e.Type().Base
	if base != Int && base != Date {
		return 0, 0, false
	}
	switch x := e.(type) {
	case *Column:
		lo, hi = x.Field.Lo, x.Field.Hi
	case *Literal:
		return x.Value.I, x.Value.I, true
	case *Call:
		lo, hi = x.Lo, x.Hi
	}
	// A Date whose maker gave no bounds has none.
	return lo, hi, base == Int || lo != 0 || hi != 0
}

// span is an interval of whole numbers.
type span struct{ lo, hi int64 }

func boundsOf(e Expr) span {
	lo, hi, _ := Bounds(e)
	return span{lo, hi}
}

func (a span) union(b span) span { return span{min(a.lo, b.lo), max(a.hi, b.hi)} }

func (a span) add(b span) (span, bool) {
	lo, ok1 := addInt(a.lo, b.lo)
	hi, ok2 := addInt(a.hi, b.hi)
	return span{lo, hi}, ok1 && ok2
}

func (a span) sub(b span) (span, bool) {
	lo, ok1 := subInt(a.lo, b.hi)
	hi, ok2 := subInt(a.hi, b.lo)
	return span{lo, hi}, ok1 && ok2
}

func (a span) mul(b span) (span, bool) {
	r := span{math.MaxInt64, math.MinInt64}
	for _, x := range [2]int64{a.lo, a.hi} {
		for _, y := range [2]int64{b.lo, b.hi} {
			p, ok := mulInt(x, y)
			if !ok {
				return r, false
			}
			r.lo, r.hi = min(r.lo, p), max(r.hi, p)
		}
	}
	return r, true
}

func (a span) neg() (span, bool) {
	return span{-a.hi, -a.lo}, a.lo != math.MinInt64
}

func (a span) abs() (span, bool) {
	if a.lo == math.MinInt64 {
		return a, false
	}
	switch {
	case a.lo >= 0:
		return a, true
	case a.hi <= 0:
		return span{-a.hi, -a.lo}, true
	}
	return span{0, max(-a.lo, a.hi)}, true
}

// mod bounds a % b, whose sign is a's.
func (a span) mod(b span) span {
	most := int64(math.MaxInt64) // the largest |a % b|: less than the largest |b|
	if b.lo != math.MinInt64 {
		m, _ := b.abs()
		most = max(0, m.hi-1)
	}
	r := span{}
	if a.lo < 0 {
		r.lo = max(a.lo, -most)
	}
	if a.hi > 0 {
		r.hi = min(a.hi, most)
	}
	return r
}

// quo bounds the whole quotient a / b, cut toward zero, for any b but 0.
func (a span) quo(b span) (span, bool) {
	if a.lo == math.MinInt64 && b.lo <= -1 && b.hi >= -1 {
		return a, false
	}
	m, ok := a.abs()
	if !ok { // MinInt64, never divided by -1
		return span{math.MinInt64, math.MaxInt64}, true
	}
	r := span{-m.hi, m.hi}
	if (a.lo >= 0 && b.lo >= 0) || (a.hi <= 0 && b.hi <= 0) {
		r.lo = 0
	}
	return r, true
}

// hugeBits is the most bits, without the sign, of a Huge.
const hugeBits = 127

// magnitude returns n such that every present value of e, a whole number, is below
// 2^n in size.
func magnitude(e Expr) int {
	if e.Type().Base == Int {
		r := boundsOf(e)
		return max(bits.Len64(absInt(r.lo)), bits.Len64(absInt(r.hi)))
	}
	if l, ok := e.(*Literal); ok {
		return HugeInt(l.Value).BitLen()
	}
	if n := knownBits(e); n > 0 {
		return n
	}
	return hugeBits
}

// knownBits returns the bound that a Huge column or call carries, 0 if none.
func knownBits(e Expr) int {
	switch x := e.(type) {
	case *Column:
		return x.Field.Bits
	case *Call:
		return x.Bits
	}
	return 0
}

// productBits returns the magnitude of a * b.
func productBits(a, b Expr) int {
	if a.Type().Base != Int || b.Type().Base != Int {
		return magnitude(a) + magnitude(b)
	}
	r, s := boundsOf(a), boundsOf(b)
	hi, lo := bits.Mul64(max(absInt(r.lo), absInt(r.hi)), max(absInt(s.lo), absInt(s.hi)))
	if hi > 0 {
		return 64 + bits.Len64(hi)
	}
	return bits.Len64(lo)
}

// magnitudes returns the largest magnitude of several whole numbers.
func magnitudes(es []Expr) int {
	n := 0
	for _, e := range es {
		n = max(n, magnitude(e))
	}
	return n
}

func addInt(a, b int64) (int64, bool) {
	c := a + b
	return c, (c > a) == (b > 0) || b == 0
}

func subInt(a, b int64) (int64, bool) {
	c := a - b
	return c, (c < a) == (b > 0) || b == 0
}

func mulInt(a, b int64) (int64, bool) {
	neg := (a < 0) != (b < 0)
	hi, lo := bits.Mul64(absInt(a), absInt(b))
	switch {
	case hi != 0:
		return 0, false
	case neg:
		return -int64(lo), lo <= 1<<63
	}
	return int64(lo), lo < 1<<63
}

func absInt(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}

// powInt returns a^n if n is not negative and it fits.
func powInt(a int64, n int64) (int64, bool) {
	if n < 0 {
		return 0, false
	}
	r := int64(1)
	for range n {
		var ok bool
		if r, ok = mulInt(r, a); !ok {
			return 0, false
		}
		if r == 0 || r == 1 && a == 1 {
			break
		}
	}
	return r, true
}
