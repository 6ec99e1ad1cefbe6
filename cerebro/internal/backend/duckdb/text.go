package duckdb

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
)

// key is the name of a map's entry.
func key(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}

// interval is written as the engine writes it.
func interval(months, days int32, micros int64) string {
	var out []string
	add := func(n int32, unit string) {
		switch n {
		case 0:
		case 1, -1:
			out = append(out, fmt.Sprintf("%d %s", n, unit))
		default:
			out = append(out, fmt.Sprintf("%d %ss", n, unit))
		}
	}
	add(months/12, "year")
	add(months%12, "month")
	add(days, "day")
	if micros != 0 || len(out) == 0 {
		sign, rest := "", big.NewInt(micros)
		if micros < 0 {
			sign = "-"
		}
		us := rest.Abs(rest).Uint64()
		s := fmt.Sprintf("%s%02d:%02d:%02d", sign, us/3_600_000_000, us/60_000_000%60, us/1_000_000%60)
		if f := us % 1_000_000; f != 0 {
			s += "." + strings.TrimRight(fmt.Sprintf("%06d", f), "0")
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

// uuid undoes the flip of the first bit that the engine sorts by.
func uuid(n *big.Int) string {
	b := make([]byte, 16)
	m := new(big.Int).Lsh(big.NewInt(1), 127)
	n.Add(n, m).FillBytes(b)
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// bits writes a bit string: its first byte says how many bits of the second are none.
func bits(s string) string {
	if len(s) < 2 {
		return ""
	}
	var out strings.Builder
	for i := 1; i < len(s) && out.Len() <= 8192; i++ {
		fmt.Fprintf(&out, "%08b", s[i])
	}
	return out.String()[min(int(s[0]), 7):]
}

// bignum reads a number of any size: three bytes of length and sign, then the
// digits, of which a negative one has the complement.
func bignum(s string) *big.Int {
	n := new(big.Int)
	if len(s) < 4 {
		return n
	}
	b := []byte(s[3:])
	if s[0]&0x80 != 0 {
		return n.SetBytes(b)
	}
	for i := range b {
		b[i] = ^b[i]
	}
	return n.Neg(n.SetBytes(b))
}
