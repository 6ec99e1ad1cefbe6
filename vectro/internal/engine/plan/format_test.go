package plan

import (
	"math"
	"testing"
)

func TestFormat_Names(t *testing.T) {
	for name, want := range map[string]string{"price": "-price", "unit price": "-`unit price`", "in": "-`in`", "": "-``"} {
		x := &Column{Field: Field{Name: name, Type: Type{Base: Float}}}
		if got := Format(&Call{Op: "neg", Args: []Expr{x}, T: x.Type()}); got != want {
			t.Errorf("a column called %q: %s, want %s", name, got, want)
		}
	}
}

func TestAppendNumber(t *testing.T) {
	for f, want := range map[float64]string{0: "0", 1: "1", 1e20: "100000000000000000000", 1e21: "1e+21", 0.1: "0.1", 1e-6: "0.000001", 1e-7: "1e-7",
		1.5e-10: "1.5e-10", -2.5: "-2.5", 5e-324: "5e-324", math.MaxFloat64: "1.7976931348623157e+308", math.Inf(-1): "-Infinity", 123456789.125: "123456789.125"} {
		if got := string(AppendNumber(nil, Value{Base: Float, F: f})); got != want {
			t.Errorf("%g: %s, want %s", f, got, want)
		}
	}
	if got := string(AppendNumber(nil, Value{Base: Float, F: math.Copysign(0, -1)})); got != "0" {
		t.Errorf("-0: %s", got)
	}
	if got := string(AppendNumber(nil, Value{Base: Huge, Hi: -1, I: -1})); got != "-1" {
		t.Errorf("huge -1: %s", got)
	}
}
