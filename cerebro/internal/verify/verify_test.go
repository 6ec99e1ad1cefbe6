package verify_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/cerebro/internal/verify"
)

func rat(s string) *big.Rat {
	r, ok := verify.Number(s)
	if !ok {
		panic(s)
	}
	return r
}

var parts = map[string]*big.Rat{"gross": rat("184220.5"), "refunds": rat("8100"), "n": rat("3"), "zero": rat("0"), "größe": rat("2")}

func TestCompute(t *testing.T) {
	for formula, want := range map[string]string{
		"gross - refunds":             "176120.5",
		"2 + 3 * 4":                   "14",
		"(2 + 3) * 4":                 "20",
		"10 - 4 - 3":                  "3",
		"100 / 10 / 5":                "2",
		"-n * -n":                     "9",
		"- (n - 5)":                   "2",
		"+n":                          "3",
		"0.1 + 0.2":                   "0.3",
		"1e3 - 1.5e-1":                "999.85",
		"n × 2 ÷ 4 − 1":               "0.5",
		"größe * größe":               "4",
		"((((((((((n))))))))))":       "3",
		"gross/gross":                 "1",
		" \t refunds / n ":            "2700",
		"9007199254740993 - 0":        "9007199254740993",
		"0.0000000001 * 100000000000": "10",
	} {
		got, err := verify.Compute(formula, parts)
		if err != nil || got.Cmp(rat(want)) != 0 {
			t.Errorf("%s: got %v %v, want %s", formula, got, err, want)
		}
	}
}

func TestCompute_Refused(t *testing.T) {
	for formula, want := range map[string]string{
		"":                             "empty",
		"  ":                           "empty",
		"gros - refunds":               `"gros" is no component; did you mean "gross"?`,
		"gross - ":                     "ends where",
		"(gross":                       "not closed",
		"gross)":                       `")"`,
		"gross refunds":                `"refunds"`,
		"1 / zero":                     "divides by zero",
		"1 / (n - 3)":                  "divides by zero",
		"2 ^ 3":                        `"^ 3"`,
		"gross; DROP":                  "not expected",
		"sum(gross)":                   `"sum" is no component`,
		strings.Repeat("(", 100) + "1": "nests more than",
		strings.Repeat("-", 100) + "1": "nests more than",
		strings.Repeat("1+", 600):      "bytes",
		"1e999999999":                  "no component",
		strings.TrimSuffix(strings.Repeat("99999999999999999999999*", 40), "*"): "too long",
	} {
		if v, err := verify.Compute(formula, parts); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: got %v %v, want %q", formula, v, err, want)
		}
	}
}

func TestEqual(t *testing.T) {
	for _, c := range []struct {
		value, expected, tolerance string
		want                       bool
	}{
		{"100.1", "100", "0.1", true},
		{"100.11", "100", "0.1", false},
		{"-100.1", "-100", "0.1", true},
		{"0.0000000001", "0", "50", true},
		{"0.00001", "0", "50", false},
		{"1.0000000001", "1", "0", true},
		{"1.1", "1", "0", false},
	} {
		if got := verify.Equal(rat(c.value), rat(c.expected), rat(c.tolerance)); got != c.want {
			t.Errorf("%+v: got %t", c, got)
		}
	}
	if d, ok := verify.Difference(rat("90"), rat("-100")); !ok || d != 190 {
		t.Errorf("got %v %v", d, ok)
	}
}

func FuzzCompute(f *testing.F) {
	f.Add("gross - refunds * (n / 2)")
	f.Add("1e3-–÷×")
	f.Fuzz(func(_ *testing.T, s string) { _, _ = verify.Compute(s, map[string]*big.Rat{"n": big.NewRat(1, 3)}) })
}
