package eval

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/vector"
)

// extremes are arguments at the ends of what each type holds.
func extremes() (out []plan.Expr) {
	for _, n := range []int64{math.MinInt64, math.MinInt64 + 1, -1_000_000_000, -1, 0, 1, 3, 1_000_000_000, math.MaxInt64 - 1, math.MaxInt64} {
		out = append(out, plan.NewInt(n))
	}
	for _, f := range []float64{math.Inf(1), math.Inf(-1), 1e300, -1e300, 5e-324, 1 << 63, -1 << 63, 0.5} {
		out = append(out, plan.NewFloat(f))
	}
	for _, v := range []string{"", "a", strings.Repeat("é", 300), "days", "month", "[a-z]", "2024-02-29", "YYYY"} {
		out = append(out, plan.NewString(v))
	}
	for _, d := range []int64{-719_162, 0, 2_932_896, math.MinInt64, math.MaxInt64} {
		for _, u := range []col.Unit{col.Day, col.Micro, col.Nano} {
			out = append(out, plan.NewDate(d, plan.Type{Base: plan.Date, Unit: u}))
		}
	}
	out = append(out, plan.NewBool(true), plan.NewNull(), &plan.Literal{Value: plan.Value{Base: plan.Huge, I: -1, Hi: math.MaxInt64}, T: plan.Type{Base: plan.Huge}})
	return out
}

// TestFunctions_ExtremeArguments calls every operator and function with arguments
// at the ends of their types, as literals and as columns: it must not panic, not
// loop and not fill the memory.
func TestFunctions_ExtremeArguments(t *testing.T) {
	pool := extremes()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	tried := 0
	for _, op := range plan.Ops() {
		for n := range 4 {
			some := pool
			if n == 3 { // fewer, they are combined
				some = nil
				for i := 0; i < len(pool); i += 4 {
					some = append(some, pool[i])
				}
			}
			refused := map[[3]plan.Base]int{} // by the types of the arguments
			var step func(args []plan.Expr)
			step = func(args []plan.Expr) {
				if len(args) < n {
					for _, a := range some {
						step(append(args[:len(args):len(args)], a))
					}
					return
				}
				key := [3]plan.Base{}
				for i, a := range args {
					key[i] = a.Type().Base
				}
				if refused[key] > 8 {
					return
				}
				if _, err := plan.Bind(op, args); err != nil {
					refused[key]++
					return
				}
				tried++
				run(t, op, args)
			}
			step(nil)
		}
	}
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 256<<20 {
		t.Errorf("%d MB are left over", grown>>20)
	}
	if tried < 10_000 {
		t.Errorf("only %d calls", tried)
	}
}

// run evaluates op over args as literals, then as columns.
func run(t *testing.T, op string, args []plan.Expr) {
	t.Helper()
	what := fmt.Sprintf("%s(%s)", op, formatAll(args))
	start := time.Now()
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%s: %v", what, p)
		}
		if d := time.Since(start); d > time.Second {
			t.Errorf("%s took %v", what, d)
		}
	}()
	if e, err := plan.Bind(op, args); err == nil {
		Constant(e)
	}
	b := &vector.Batch{N: 2}
	columns := make([]plan.Expr, len(args))
	for i, a := range args {
		l := a.(*plan.Literal)
		b.Cols = append(b.Cols, column(l.Value, l.T, b.N, 0))
		f := plan.NewField(fmt.Sprintf("c%d", i), l)
		if l.T.Base == plan.Date {
			f.Lo, f.Hi = 0, 0 // unknown
		}
		if columns[i] = (&plan.Column{Index: i, Field: f}); l.T.Base == plan.Null {
			columns[i] = l
		}
	}
	e, err := plan.Bind(op, columns)
	if err != nil {
		return // needs a literal
	}
	p, err := Compile(e)
	if err != nil {
		t.Fatal(err)
	}
	p.NewState().Eval(b)
}
