package column

import (
	"math"
	"strconv"
)

// Float returns the value of s, a number as JSON spells it; ±Inf for one that
// float64 does not hold.
func Float(s []byte) float64 {
	v, n := fastInt(s)
	if n == len(s) && v != 0 {
		return float64(v)
	}
	if n > 0 && n < len(s) && s[n] == '.' {
		if f, ok := fastFraction(s, v, n); ok {
			return f
		}
	}
	f, _ := strconv.ParseFloat(string(s), 64)
	return f
}

// num is a number as a cell spells it.
type num struct {
	i     int64
	f     float64 // if !whole
	whole bool    // i holds it exactly
	plus  bool    // begins with +
	zeros bool    // begins with zeros that say nothing: 007
	long  bool    // a whole number beyond int64 of more than 15 significant digits
	huge  bool    // beyond float64
	mark  bool    // has a decimal mark or a group mark
}

// A whole number beyond int64 with more significant digits than this is an
// identifier: float64 would change it.
const maxSignificant = 15

// fastInt reads an optional minus and up to 18 digits without leading zeros, and
// returns how many bytes of s that is; 0 if s begins with something else.
func fastInt(s []byte) (v int64, n int) {
	i := 0
	neg := s[0] == '-'
	if neg {
		i = 1
	}
	start := i
	end := min(len(s), start+18)
	for ; i < end; i++ {
		d := s[i] - '0'
		if d > 9 {
			break
		}
		v = v*10 + int64(d)
	}
	if i == start || s[start] == '0' && i > start+1 {
		return 0, 0
	}
	if neg {
		v = -v
	}
	return v, i
}

var pow10 = [23]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
	1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// fastFraction goes on after fastInt read v from s[:n] and s[n] is a point: it
// reads digits to the end of s. The result is exact because both the digits as a
// whole number and the power of ten are exact in float64, so that the one division
// rounds correctly.
func fastFraction(s []byte, v int64, n int) (float64, bool) {
	digits := len(s) - n - 1
	if digits == 0 || len(s) > 17 { // at most 15 digits beside sign and point
		return 0, false
	}
	neg := s[0] == '-'
	m := v
	if neg {
		m = -v
	}
	for _, c := range s[n+1:] {
		d := c - '0'
		if d > 9 {
			return 0, false
		}
		m = m*10 + int64(d)
	}
	if m >= 1<<53 {
		return 0, false
	}
	f := float64(m) / pow10[digits]
	if neg {
		f = -f
	}
	return f, true
}

// parseNumber reads the whole of s: an optional sign; digits, in groups of three
// if they are parted by group; the decimal mark and digits; an exponent. At least
// one digit before or after the mark.
func parseNumber(s []byte, mark, group byte) (n num, ok bool) {
	var text [48]byte // s as strconv spells it, unless that is longer
	buf := text[:0]
	i := 0
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		n.plus = s[i] == '+'
		if s[i] == '-' {
			buf = append(buf, '-')
		}
		i++
	}
	first := len(buf)
	size := 0 // digits since the last group mark
	groups := false
	for ; i < len(s); i++ {
		if c := s[i]; c >= '0' && c <= '9' {
			buf = append(buf, c)
			size++
			continue
		} else if c != group {
			break
		}
		if groups && size != 3 || !groups && (size < 1 || size > 3) {
			return n, false
		}
		groups, size = true, 0
	}
	if groups && (size != 3 || buf[first] == '0') {
		return n, false
	}
	whole := len(buf) - first
	n.zeros = whole > 1 && buf[first] == '0'
	n.mark = groups
	decimals, fraction := 0, false // fraction: not a whole number in form
	if i < len(s) && s[i] == mark {
		n.mark = true
		buf = append(buf, '.')
		for i++; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
			buf = append(buf, s[i])
			decimals++
		}
		fraction = true
	}
	if whole+decimals == 0 {
		return n, false
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') && !groups {
		fraction = true
		buf = append(buf, 'e')
		i++
		if i < len(s) && (s[i] == '-' || s[i] == '+') {
			buf = append(buf, s[i])
			i++
		}
		if i == len(s) {
			return n, false
		}
		for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
			buf = append(buf, s[i])
		}
		if c := buf[len(buf)-1]; c < '0' || c > '9' {
			return n, false
		}
	}
	if i < len(s) {
		return n, false
	}
	if !fraction {
		if v, err := strconv.ParseInt(string(buf), 10, 64); err == nil {
			n.i, n.whole = v, true
			return n, true
		}
		n.long = significant(buf[first:]) > maxSignificant
	}
	f, err := strconv.ParseFloat(string(buf), 64)
	n.f = f
	n.huge = err != nil || math.IsInf(f, 0)
	return n, true
}

// inexact reports whether float64 does not hold v.
func inexact(v int64) bool {
	const most = 1 << 53
	if v >= -most && v <= most {
		return false
	}
	f := float64(v)
	return f >= 1<<63 || int64(f) != v
}

// significant counts digits between the first and the last that is not zero.
func significant(digits []byte) int {
	lo, hi := 0, len(digits)
	for lo < hi && digits[lo] == '0' {
		lo++
	}
	for hi > lo && digits[hi-1] == '0' {
		hi--
	}
	return hi - lo
}
