package column

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/dates"
)

var (
	plainForm   = regexp.MustCompile(`^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$`)
	groupedForm = regexp.MustCompile(`^[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]*)?$`)
)

// parseNumber accepts exactly the two forms, and reads them as big.Float does.
func TestParseNumber_AgreesWithGrammar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(
			rapid.StringOfN(rapid.SampledFrom([]rune("0123456789.,+-eE ")), 0, 12, -1),
			rapid.StringMatching(`[+-]?[0-9]{0,25}(\.[0-9]{0,25})?([eE][+-]?[0-9]{1,3})?`),
			rapid.StringMatching(`-?[1-9][0-9]{0,2}(,[0-9]{3}){1,7}(\.[0-9]{0,5})?`),
		).Draw(t, "text")
		n, ok := parseNumber([]byte(s), '.', ',')
		if want := plainForm.MatchString(s) || groupedForm.MatchString(s); ok != want {
			t.Fatalf("parseNumber(%q) = %v, want %v", s, ok, want)
		}
		swapped := strings.NewReplacer(".", ",", ",", ".").Replace(s)
		if m, okSwapped := parseNumber([]byte(swapped), ',', '.'); okSwapped != ok || ok && m != n {
			t.Fatalf("parseNumber(%q) with a decimal comma = %+v, %v, want %+v, %v", swapped, m, okSwapped, n, ok)
		}
		if !ok {
			return
		}
		plain := strings.ReplaceAll(s, ",", "")
		if i, err := strconv.ParseInt(plain, 10, 64); err == nil {
			if !n.whole || n.i != i {
				t.Fatalf("parseNumber(%q) = %+v, want the whole number %d", s, n, i)
			}
			return
		}
		want, err := strconv.ParseFloat(plain, 64)
		if n.whole || n.huge != (err != nil) || err == nil && n.f != want {
			t.Fatalf("parseNumber(%q) = %+v, want %v (%v)", s, n, want, err)
		}
	})
}

// The fast paths give the very bits that strconv gives.
func TestFastPaths_AreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(
			rapid.StringMatching(`-?[0-9]{1,20}`),
			rapid.StringMatching(`-?[0-9]{1,17}\.[0-9]{0,17}`),
			rapid.Custom(func(t *rapid.T) string {
				return strconv.FormatFloat(rapid.Float64().Draw(t, "float"), 'f', -1, 64)
			}),
		).Draw(t, "text")
		v, n := fastInt([]byte(s))
		if n == len(s) {
			if want, err := strconv.ParseInt(s, 10, 64); err != nil || v != want {
				t.Fatalf("fastInt(%q) = %d, want %d", s, v, want)
			}
		}
		want, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return
		}
		if n > 0 && n < len(s) && s[n] == '.' {
			if f, ok := fastFraction([]byte(s), v, n); ok && math.Float64bits(f) != math.Float64bits(want) {
				t.Fatalf("fastFraction(%q) = %v, want %v", s, f, want)
			}
		}
		if f := Float([]byte(s)); math.Float64bits(f) != math.Float64bits(want) {
			t.Fatalf("Float(%q) = %v, want %v", s, f, want)
		}
	})
	if _, ok := fastFraction([]byte("1.25"), 1, 1); !ok {
		t.Error("the fast path is not taken")
	}
	if f := Float([]byte("-0")); f != 0 || !math.Signbit(f) {
		t.Errorf("Float(-0) = %v", f)
	}
	if f := Float([]byte("1e999")); !math.IsInf(f, 1) {
		t.Errorf("Float(1e999) = %v", f)
	}
}

func TestSignificant(t *testing.T) {
	for in, want := range map[string]int{"": 0, "0": 0, "000": 0, "1": 1, "100": 1, "00120": 2, "102": 3} {
		if got := significant([]byte(in)); got != want {
			t.Errorf("significant(%q) = %d, want %d", in, got, want)
		}
	}
}

// Numbers of an integer column are exact for any digits that fit.
func TestParser_ExactIntegers(t *testing.T) {
	for _, text := range []string{"9223372036854775807", "-9223372036854775808", "9007199254740993", "999999999999999999", "1000000000000000000"} {
		var p Parser
		p.Reset(Target{})
		p.Add(&Batch{Data: []byte(text), Clean: true}, []Cell{InData(Plain, 0, len(text))})
		piece := p.Piece()
		c, err := Merge([]*Piece{piece}, Guess(piece.Evidence), "x", nil)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := new(big.Int).SetString(text, 10)
		if got := c.Stats().Lo; got != want.Int64() {
			t.Errorf("%s reads as %d", text, got)
		}
	}
}

func TestEvidence_JoinIsOrderless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) Evidence {
			return Evidence{rapid.SampledFrom([]class{none, number, boolean, isoDate, slashDate, label}).Draw(t, name),
				facts(rapid.Uint32Range(0, 1<<17-1).Draw(t, name+" facts"))}
		}
		a, b, c := draw("a"), draw("b"), draw("c")
		join := func(es ...Evidence) (out Evidence) {
			for _, e := range es {
				out.Join(e)
			}
			return out
		}
		want := join(a, b, c)
		for _, got := range []Evidence{join(a, c, b), join(c, b, a), join(a, join(b, c)), join(a, b, c, a)} {
			if got != want {
				t.Fatalf("%+v, want %+v", got, want)
			}
		}
	})
}

func TestParseParts(t *testing.T) {
	tests := []struct {
		in            string
		dotted, slash bool
	}{
		{"31.12.2024", true, false}, {"1.2.2024", true, false}, {"32.12.2024", false, false}, {"29.02.2023", false, false},
		{"01.02.24", false, false}, {"01.02.20245", false, false}, {"1..2024", false, false}, {"001.2.2024", false, false},
		{".1.2024", false, false}, {"1.2.2024 ", false, false}, {"1.2.0000", false, false}, {"", false, false},
		{"31/12/2024", false, true}, {"12/31/2024", false, true}, {"13/13/2024", false, false}, {"0/1/2024", false, false},
		{"2/30/2024", false, false}, {"30/2/2024", false, false}, {"1/2/2024", false, true}, {"1/2.2024", false, false},
	}
	for _, tt := range tests {
		if _, ok := parseDotted([]byte(tt.in)); ok != tt.dotted {
			t.Errorf("parseDotted(%q) = %v", tt.in, ok)
		}
		if _, _, ok := parseSlash([]byte(tt.in)); ok != tt.slash {
			t.Errorf("parseSlash(%q) = %v", tt.in, ok)
		}
	}
	for _, day := range []int64{dates.MinDay, 0, 19_999, dates.MaxDay} {
		y, m, d := dates.Civil(day)
		if got := unpackSlash(packSlash(m, d, y), false); got != day {
			t.Errorf("month first: %d, want %d", got, day)
		}
		if got := unpackSlash(packSlash(d, m, y), true); got != day {
			t.Errorf("day first: %d, want %d", got, day)
		}
		if got, ok := parseCondensed(fmt.Appendf(nil, "%04d%02d%02d", y, m, d)); !ok || got != day {
			t.Errorf("condensed: %d, want %d", got, day)
		}
	}
}
