package arrow

import (
	"encoding/binary"
	"math"
	"math/big"
	"strconv"
)

// An unscaled decimal is a signed integer of up to 256 bits, little-endian.

// small returns the integer in b if it fits 64 bits.
func small(b []byte) (int64, bool) {
	switch len(b) {
	case 4:
		return int64(int32(binary.LittleEndian.Uint32(b))), true
	case 8:
		return int64(binary.LittleEndian.Uint64(b)), true
	}
	v := int64(binary.LittleEndian.Uint64(b))
	fill := byte(v >> 63)
	for _, x := range b[8:] {
		if x != fill {
			return 0, false
		}
	}
	return v, true
}

// large returns the integer in b.
func large(b []byte) *big.Int {
	be := make([]byte, len(b))
	for i, x := range b {
		be[len(b)-1-i] = x
	}
	v := new(big.Int).SetBytes(be)
	if be[0]&0x80 != 0 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return v
}

var pow10 = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
	1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// decimalFloat returns the double nearest to the decimal.
func decimalFloat(b []byte, scale int) float64 {
	v, ok := small(b)
	if ok && v > -1<<53 && v < 1<<53 && scale >= 0 && scale < len(pow10) {
		return float64(v) / pow10[scale] // two exact doubles, one rounding
	}
	var digits string
	if ok {
		digits = strconv.FormatInt(v, 10)
	} else {
		digits = large(b).String()
	}
	f, _ := strconv.ParseFloat(digits+"e"+strconv.Itoa(-scale), 64) // out of range: the nearest, ±Inf or 0
	return f
}

// decimalInt returns a decimal without fraction digits if it fits 64 bits.
func decimalInt(b []byte, scale int) (int64, bool) {
	v, ok := small(b)
	if !ok || scale > 0 {
		return 0, false
	}
	for ; scale < 0 && v != 0; scale++ {
		if v > math.MaxInt64/10 || v < math.MinInt64/10 {
			return 0, false
		}
		v *= 10
	}
	return v, true
}

// decimalText writes the decimal with all its digits, in exponent form where that
// would begin or end with more than 40 zeros.
func decimalText(dst, b []byte, scale int) []byte {
	digits := large(b).String()
	if scale == 0 || digits == "0" && scale < 0 {
		return append(dst, digits...)
	}
	if scale < -40 || scale > 40+len(digits) {
		dst = append(dst, digits...)
		dst = append(dst, 'e')
		return strconv.AppendInt(dst, -int64(scale), 10)
	}
	if digits[0] == '-' {
		dst = append(dst, '-')
		digits = digits[1:]
	}
	for ; scale < 0; scale++ {
		digits += "0"
	}
	for len(digits) <= scale {
		digits = "0" + digits
	}
	whole := len(digits) - scale
	dst = append(dst, digits[:whole]...)
	if scale > 0 {
		dst = append(dst, '.')
		dst = append(dst, digits[whole:]...)
	}
	return dst
}
