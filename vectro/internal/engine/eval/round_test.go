package eval

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// TestRound_ByShownDigits rounds numbers that are written with one digit more than
// is kept, most of them at a tie: the outcome is that of the written digits.
func TestRound_ByShownDigits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		digits := int64(r.IntN(8)) - 2
		text := fmt.Sprintf("%d", r.IntN(1_000_000))
		if r.IntN(2) == 0 {
			text += "5"
		}
		text += fmt.Sprintf("e%d", -digits-1)
		v, _ := strconv.ParseFloat(text, 64)
		for _, op := range []string{"round", "trunc"} {
			x := &plan.Call{Op: op, T: plan.Type{Base: plan.Float}}
			want := refRound(x, []plan.Value{fromFloat(v), fromInt(digits)}).F
			if got := toDigits(v, digits, scaleOf(digits), op == "trunc"); got != want {
				t.Fatalf("%s(%s, %d) = %v, want %v", op, text, digits, got, want)
			}
		}
	}
}

func BenchmarkRound(b *testing.B) {
	values := make([]float64, 1024)
	for i := range values {
		values[i] = float64(i) * 1.2345
	}
	for i := 0; b.Loop(); i++ {
		values[i&1023] += toDigits(values[i&1023], 2, 100, false) * 1e-9
	}
}
