package exec

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/mem"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// Long texts made in a call are accounted for as they are made: the first chunk
// alone would be many times the budget.
func TestMemory_ComputedText(t *testing.T) {
	tab := bigTable(100_000)
	in := plan.NewScan(tab, "")
	call := func(name string, args ...plan.Expr) plan.Expr {
		e, err := plan.Env{}.Call(name, args)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	padded := func(width int64) plan.Expr {
		return call("padleft", call("totext", columnOf(in, 0)), plan.NewInt(width))
	}
	count, err := plan.BindAggregate("count", nil, plan.AggOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ways := map[string]func(width int64, o Options) error{
		"column": func(width int64, o Options) error {
			_, err := Materialize(context.Background(), tab, padded(width), "x", o)
			return err
		},
		"join": func(width int64, o Options) error {
			key := []plan.Expr{padded(width)}
			_, err := Run(context.Background(), &plan.Aggregate{
				In: &plan.Join{Left: in, Right: in, LeftKeys: key, RightKeys: key,
					Out: append(append(plan.Schema(nil), in.Out...), in.Out...)},
				Aggs: []plan.Agg{count}, Out: plan.Schema{{}},
			}, o)
			return err
		},
		"groups": func(width int64, o Options) error {
			_, err := Run(context.Background(), &plan.Aggregate{
				In: in, Keys: []plan.Expr{padded(width)}, Aggs: []plan.Agg{count}, Out: plan.Schema{{}, {}}}, o)
			return err
		},
		"sort": func(width int64, o Options) error {
			_, err := Run(context.Background(), &plan.Sort{In: in, Keys: []plan.SortKey{{Expr: padded(width)}}}, o)
			return err
		},
	}
	const limit = 16 << 20
	for name, run := range ways {
		t.Run(name, func(t *testing.T) {
			budget := mem.NewBudget(limit)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := run(10_000, Options{Threads: 1, Limit: -1, Budget: budget})
			runtime.ReadMemStats(&after)
			var full *MemoryError
			if !errors.As(err, &full) || budget.Used() != 0 {
				t.Errorf("got %v, %d bytes in use afterwards", err, budget.Used())
			}
			if made := after.TotalAlloc - before.TotalAlloc; made > 16*limit { // one batch has 20 MB of text
				t.Errorf("%s were allocated before the refusal, the budget is %s", mem.Size(int64(made)), mem.Size(limit))
			}
			if err := run(20, Options{Threads: 2, Limit: 10}); err != nil {
				t.Errorf("short texts: %v", err)
			}
		})
	}
}
