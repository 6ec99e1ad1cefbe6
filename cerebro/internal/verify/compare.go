package verify

import "math/big"

// smallest is the difference that is always allowed, so that what was rounded in
// floating point counts as equal.
var smallest = big.NewRat(1, 1_000_000_000)

// Equal says whether a value is what was expected: the difference is at most the
// tolerance, in per cent of what was expected, or 1e-9. Where 0 was expected only
// the latter counts.
func Equal(value, expected, tolerance *big.Rat) bool {
	diff := new(big.Rat).Sub(value, expected)
	diff.Abs(diff)
	allowed := new(big.Rat).Abs(expected)
	allowed.Mul(allowed, tolerance).Quo(allowed, big.NewRat(100, 1))
	if expected.Sign() == 0 || allowed.Cmp(smallest) < 0 {
		allowed = smallest
	}
	return diff.Cmp(allowed) <= 0
}

// Difference gives how far a value lies from what was expected, in per cent of
// that; false where 0 was expected.
func Difference(value, expected *big.Rat) (float64, bool) {
	if expected.Sign() == 0 {
		return 0, false
	}
	d := new(big.Rat).Sub(value, expected)
	d.Quo(d, new(big.Rat).Abs(expected)).Mul(d, big.NewRat(100, 1))
	f, _ := d.Float64()
	return f, true
}
