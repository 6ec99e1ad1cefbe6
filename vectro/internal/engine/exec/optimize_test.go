package exec

import (
	"testing"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

func TestOptimize_FiltersReachTheScans(t *testing.T) {
	orders, customers := bigTable(1000), bigTable(10)
	l, r := plan.NewScan(orders, "o"), plan.NewScan(customers, "c")
	j := &plan.Join{Left: l, Right: r, Out: append(append(plan.Schema(nil), l.Out...), r.Out...)}
	cond := mustBind(t, "and", mustBind(t, "eq", columnOf(j, 0), columnOf(j, 5)),
		mustBind(t, "and", mustBind(t, "gt", columnOf(j, 1), plan.NewFloat(3)), mustBind(t, "eq", columnOf(j, 8), plan.NewString("label 1"))))
	p := &plan.Project{In: &plan.Filter{In: j, Cond: cond}, Exprs: []plan.Expr{columnOf(j, 2)}, Out: plan.Schema{j.Out[2]}}

	out := optimize(p).(*plan.Project).In.(*plan.Join)
	if len(out.LeftKeys) != 1 || len(out.RightKeys) != 1 || out.Residual != nil {
		t.Errorf("keys %d and %d, residual %v; want the equality as the only key", len(out.LeftKeys), len(out.RightKeys), out.Residual)
	}
	left, right := out.Left.(*plan.Filter), out.Right.(*plan.Filter)
	if got := plan.Format(left.Cond); got != "price > 3" {
		t.Errorf("left condition %q", got)
	}
	if got := plan.Format(right.Cond); got != "label == 'label 1'" {
		t.Errorf("right condition %q", got)
	}
	// key, price and qty of the one, key and label of the other.
	if a, b := len(left.In.(*plan.Scan).Columns), len(right.In.(*plan.Scan).Columns); a != 3 || b != 2 {
		t.Errorf("%d and %d columns are read, want 3 and 2", a, b)
	}
}

func TestOptimize_SmallerSideIsBuilt(t *testing.T) {
	small, large := plan.NewScan(bigTable(10), ""), plan.NewScan(bigTable(1000), "")
	j := &plan.Join{Left: small, Right: large, LeftKeys: []plan.Expr{columnOf(small, 0)}, RightKeys: []plan.Expr{columnOf(large, 0)},
		Out: append(append(plan.Schema(nil), small.Out...), large.Out...)}
	aggregate := func(fn string) plan.Node {
		a, err := plan.BindAggregate(fn, []plan.Expr{columnOf(j, 1)}, plan.AggOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return &plan.Aggregate{In: j, Aggs: []plan.Agg{a}, Out: plan.Schema{a.Field("a")}}
	}
	rightRows := func(n plan.Node) int {
		n = optimize(n).(*plan.Aggregate).In
		if p, ok := n.(*plan.Project); ok {
			n = p.In
		}
		return n.(*plan.Join).Right.(*plan.Scan).Table.Rows
	}
	if got := rightRows(aggregate("sum")); got != 10 {
		t.Errorf("the table has %d rows, want the 10 of the smaller side", got)
	}
	if got := rightRows(aggregate("first")); got != 1000 {
		t.Errorf("the sides are exchanged although first tells the order")
	}
}

func TestSkipper_UsesChunkStatistics(t *testing.T) {
	cells := []any{int64(1), int64(2), nil, nil, int64(50), int64(60)}
	numbers := []any{0.5, 1.5, nil, nil, 2.5, nil}
	tab := &col.Table{Rows: 6, Columns: []*col.Column{
		testColumn("n", col.Number, cells, 2, "int8"), testColumn("f", col.Number, numbers, 2, "float"),
	}}
	scan := plan.NewScan(tab, "")
	src := newTableSource(scan)
	n, f := columnOf(scan, 0), columnOf(scan, 1)
	for _, c := range []struct {
		cond plan.Expr
		skip [3]bool
	}{
		{mustBind(t, "gt", n, plan.NewInt(2)), [3]bool{true, true, false}},
		{mustBind(t, "ge", n, plan.NewInt(2)), [3]bool{false, true, false}},
		{mustBind(t, "lt", n, plan.NewInt(50)), [3]bool{false, true, true}},
		{mustBind(t, "eq", n, plan.NewInt(55)), [3]bool{true, true, false}},
		{mustBind(t, "ne", n, plan.NewInt(1)), [3]bool{false, false, false}},
		{mustBind(t, "gt", f, plan.NewFloat(1.5)), [3]bool{true, true, false}},
		{mustBind(t, "le", f, plan.NewFloat(0.25)), [3]bool{true, true, true}},
		{mustBind(t, "between", n, plan.NewInt(3), plan.NewInt(50)), [3]bool{true, true, false}},
	} {
		tests, rest := src.predicates(c.cond)
		if rest != nil {
			t.Errorf("%s is not tested on stored values", plan.Format(c.cond))
		}
		skip := src.skipper(tests)
		for u, want := range c.skip {
			if got := skip(u); got != want {
				t.Errorf("%s: chunk %d skipped: %v, want %v", plan.Format(c.cond), u, got, want)
			}
		}
	}
}
