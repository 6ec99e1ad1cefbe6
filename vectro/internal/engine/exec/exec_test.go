package exec

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/mem"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// testColumn makes a column of cells (missing where absent), in chunks of the
// given length.
func testColumn(name string, kind col.Kind, cells []any, chunk int, storage string) *col.Column {
	c := &col.Column{Field: col.Field{Name: name, Kind: kind}}
	if storage == "code" {
		c.Dict = col.NewDict()
		for _, l := range []string{"zz", "never used"} { // codes are not in label order, and some have no row
			c.Dict.Add([]byte(l))
		}
	}
	for from := 0; from < len(cells); from += chunk {
		part := cells[from:min(len(cells), from+chunk)]
		ch := &col.Chunk{Len: len(part), Valid: col.NewBitmap(len(part))}
		var (
			i8  []int8
			i32 []int32
			i64 []int64
			f   []float64
			u8  []uint8
			str = col.Strings{Off: []uint32{0}}
		)
		for i, x := range part {
			var n int64
			var g float64
			var s string
			switch x := x.(type) {
			case int64:
				n = x
			case float64:
				g = x
			case string:
				s = x
			}
			if x != nil {
				ch.Valid.Set(i)
			}
			i8, i32, i64, f = append(i8, int8(n)), append(i32, int32(n)), append(i64, n), append(f, g)
			code := uint32(0)
			if storage == "code" && x != nil {
				code, _ = c.Dict.Add([]byte(s))
			}
			u8 = append(u8, uint8(code))
			str.Buf = append(str.Buf, s...)
			str.Off = append(str.Off, uint32(len(str.Buf)))
		}
		if ch.Valid.Count(ch.Len) == ch.Len {
			ch.Valid = nil
		}
		switch storage {
		case "int8":
			ch.Data = i8
		case "int32":
			ch.Data = i32
		case "int64":
			ch.Data = i64
		case "float":
			ch.Data = f
		case "code":
			ch.Data = u8
		default:
			ch.Data = str
		}
		c.Chunks = append(c.Chunks, ch)
	}
	return c
}

// drawTable draws a table with a column of every kind of storage.
func drawTable(t *rapid.T, name string, most int) *col.Table {
	rows := rapid.OneOf(rapid.IntRange(0, 3), rapid.IntRange(0, most)).Draw(t, name+" rows")
	chunk := rapid.SampledFrom([]int{1, 7, 64, 100, col.ChunkRows}).Draw(t, name+" chunk")
	gaps := rapid.SampledFrom([]int{0, 10, 50, 100}).Draw(t, name+" missing percent")
	seed := rapid.Uint64().Draw(t, name+" seed")
	rnd := func(n int) int { // a small generator: drawing every cell would be slow
		seed += 0x9e3779b97f4a7c15
		z := seed
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return int((z ^ z>>31) % uint64(n))
	}
	cells := func(cell func() any) []any {
		out := make([]any, rows)
		for i := range out {
			if rnd(100) >= gaps {
				out[i] = cell()
			}
		}
		return out
	}
	labels := []string{"b", "a", "ä", "", "Zürich", "zz"}
	wide := []int64{0, 1, -1, math.MaxInt64, math.MinInt64, 1 << 60, -1 << 60}
	tab := &col.Table{Name: name, Rows: rows}
	tab.Columns = []*col.Column{
		testColumn("small", col.Number, cells(func() any { return int64(rnd(5) - 2) }), chunk, "int8"),
		testColumn("wide", col.Number, cells(func() any { return wide[rnd(len(wide))] }), chunk, "int64"),
		testColumn("float", col.Number, cells(func() any { return float64(rnd(64)-32) / 4 }), chunk, "float"),
		testColumn("label", col.Category, cells(func() any { return labels[rnd(len(labels))] }), chunk, "code"),
		testColumn("string", col.Category, cells(func() any { return labels[rnd(len(labels))] + strings.Repeat("x", rnd(3)*6) }), chunk, "string"),
		testColumn("day", col.Date, cells(func() any { return int64(19000 + rnd(200)) }), chunk, "int32"),
		testColumn("flag", col.Category, cells(func() any { return fmt.Sprint(rnd(2) == 1) }), chunk, "code"),
		testColumn("note", col.Text, cells(func() any { return labels[rnd(len(labels))] }), chunk, "string"),
	}
	return tab
}

func mustBind(t interface{ Fatalf(string, ...any) }, op string, args ...plan.Expr) plan.Expr {
	e, err := plan.Bind(op, args)
	if err != nil {
		t.Fatalf("Bind(%s): %v", op, err)
	}
	return e
}

func columnOf(n plan.Node, i int) *plan.Column {
	return &plan.Column{Index: i, Field: n.Schema()[i]}
}

// pickColumn draws a column of n whose type is one of bases, or nil.
func pickColumn(t *rapid.T, n plan.Node, bases ...plan.Base) *plan.Column {
	var at []int
	for i, f := range n.Schema() {
		for _, b := range bases {
			if f.Type.Base == b {
				at = append(at, i)
			}
		}
	}
	if len(at) == 0 {
		return nil
	}
	return columnOf(n, rapid.SampledFrom(at).Draw(t, "column"))
}

// drawExpr draws a value over the rows of n.
func drawExpr(t *rapid.T, n plan.Node) plan.Expr {
	c := pickColumn(t, n, plan.Int, plan.Float, plan.String, plan.Date, plan.Bool, plan.Huge)
	if c == nil {
		return plan.NewInt(7)
	}
	choice := rapid.IntRange(0, 2).Draw(t, "expression")
	if choice == 0 {
		return c
	}
	switch c.Type().Base {
	case plan.Int:
		if d := pickColumn(t, n, plan.Int); choice == 1 {
			e := mustBind(t, rapid.SampledFrom([]string{"add", "sub", "mul"}).Draw(t, "operator"), c, d)
			if e.Type().Base == plan.Int { // as float64 it would be too large for exact sums
				return e
			}
		}
	case plan.Float:
		return mustBind(t, "mul", c, plan.NewFloat(0.5))
	case plan.String:
		if choice == 1 {
			return mustBind(t, "upper", c)
		}
		return mustBind(t, "concat", c, plan.NewString("-"), pickColumn(t, n, plan.String))
	case plan.Date:
		if c.Type().Unit == col.Day {
			return mustBind(t, rapid.SampledFrom([]string{"yearmonth", "month"}).Draw(t, "part"), c)
		}
	}
	return c
}

func drawCond(t *rapid.T, n plan.Node) plan.Expr {
	switch rapid.IntRange(0, 5).Draw(t, "condition") {
	case 0:
		return mustBind(t, "and", drawCond(t, n), drawCond(t, n))
	case 1:
		return mustBind(t, "or", drawCond(t, n), mustBind(t, "not", drawCond(t, n)))
	case 2:
		if c := pickColumn(t, n, plan.Int, plan.Float, plan.String, plan.Date); c != nil {
			return mustBind(t, rapid.SampledFrom([]string{"isnull", "notnull"}).Draw(t, "test"), c)
		}
	}
	op := rapid.SampledFrom([]string{"eq", "ne", "lt", "le", "gt", "ge"}).Draw(t, "comparison")
	c := pickColumn(t, n, plan.Int, plan.Float, plan.String, plan.Date)
	if c == nil {
		return plan.NewBool(true)
	}
	var with plan.Expr
	switch c.Type().Base {
	case plan.Int, plan.Float:
		with = plan.NewInt(int64(rapid.IntRange(-2, 2).Draw(t, "number")))
		if rapid.Bool().Draw(t, "two columns") {
			with = pickColumn(t, n, plan.Int, plan.Float)
		}
	case plan.String:
		with = plan.NewString(rapid.SampledFrom([]string{"a", "zz", "nowhere", ""}).Draw(t, "label"))
		if rapid.Bool().Draw(t, "two columns") {
			with = pickColumn(t, n, plan.String)
		}
	case plan.Date:
		with = plan.NewDate(int64(19000+rapid.IntRange(-5, 205).Draw(t, "day")), c.Type())
	}
	return mustBind(t, op, c, with)
}

// drawPlan draws a plan of at most depth operators above its inputs.
func drawPlan(t *rapid.T, tables []*col.Table, depth int) plan.Node {
	if depth == 0 {
		if rapid.IntRange(0, 9).Draw(t, "input") == 0 {
			return &plan.Values{
				Rows: [][]plan.Value{{plan.NewInt(1).Value, plan.NewString("a").Value}, {missing, missing}, {plan.NewInt(2).Value, plan.NewString("ä").Value}},
				Out:  plan.Schema{{Name: "n", Type: plan.Type{Base: plan.Int}, Lo: 0, Hi: 2}, {Name: "s", Type: plan.Type{Base: plan.String}}},
			}
		}
		return plan.NewScan(rapid.SampledFrom(tables).Draw(t, "table"), "")
	}
	kind := rapid.IntRange(0, 7).Draw(t, "node")
	in := drawPlan(t, tables, depth-1)
	switch kind {
	case 0, 1:
		return &plan.Filter{In: in, Cond: drawCond(t, in)}
	case 2:
		p := &plan.Project{In: in}
		for i := range rapid.IntRange(1, 4).Draw(t, "expressions") {
			e := drawExpr(t, in)
			p.Exprs = append(p.Exprs, e)
			p.Out = append(p.Out, plan.NewField(fmt.Sprint("p", i), e))
		}
		return p
	case 3:
		return drawAggregate(t, in)
	case 4:
		s := &plan.Sort{In: in}
		for range rapid.IntRange(1, 3).Draw(t, "keys") {
			s.Keys = append(s.Keys, plan.SortKey{
				Expr: drawExpr(t, in), Desc: rapid.Bool().Draw(t, "desc"), NullsFirst: rapid.Bool().Draw(t, "nulls first"),
			})
		}
		return s
	case 5:
		return &plan.Limit{In: in, Offset: int64(rapid.IntRange(0, 5).Draw(t, "offset")), Count: int64(rapid.IntRange(-1, 20).Draw(t, "count"))}
	case 6:
		return &plan.Distinct{In: in}
	}
	return drawJoin(t, in, drawPlan(t, tables, 0))
}

func drawJoin(t *rapid.T, left, right plan.Node) plan.Node {
	j := &plan.Join{Left: left, Right: right, Kind: rapid.SampledFrom([]plan.JoinKind{plan.Inner, plan.Left}).Draw(t, "kind")}
	j.Out = append(append(plan.Schema(nil), left.Schema()...), right.Schema()...)
	for range rapid.IntRange(0, 2).Draw(t, "join keys") {
		base := rapid.SampledFrom([]plan.Base{plan.Int, plan.Float, plan.String, plan.Date}).Draw(t, "key type")
		l, r := pickColumn(t, left, base), pickColumn(t, right, base)
		if l == nil || r == nil || l.Type().Unit != r.Type().Unit {
			continue
		}
		j.LeftKeys, j.RightKeys = append(j.LeftKeys, l), append(j.RightKeys, r)
	}
	if rapid.Bool().Draw(t, "residual") {
		j.Residual = drawCond(t, &plan.Join{Out: j.Out, Left: left, Right: right})
	}
	return j
}

func drawAggregate(t *rapid.T, in plan.Node) plan.Node {
	a := &plan.Aggregate{In: in}
	for i := range rapid.IntRange(0, 3).Draw(t, "group keys") {
		k := drawExpr(t, in)
		a.Keys = append(a.Keys, k)
		a.Out = append(a.Out, plan.NewField(fmt.Sprint("k", i), k))
	}
	for i := range rapid.IntRange(1, 4).Draw(t, "aggregates") {
		fn := rapid.SampledFrom([]string{
			plan.AggCount, plan.AggSum, plan.AggMean, plan.AggMin, plan.AggMax, plan.AggCountDistinct, plan.AggMedian,
			plan.AggQuantile, plan.AggQuantileDisc, plan.AggStddev, plan.AggVariancePop, plan.AggFirst, plan.AggLast, plan.AggMode,
			plan.AggAny, plan.AggAll, plan.AggShare, plan.AggCorr, plan.AggCovarSamp, plan.AggRegrSlope, plan.AggRegrIntercept, plan.AggStringAgg,
		}).Draw(t, "aggregate")
		o := plan.AggOptions{Distinct: rapid.IntRange(0, 4).Draw(t, "distinct") == 0, ZeroSum: rapid.Bool().Draw(t, "zero sum")}
		if rapid.Bool().Draw(t, "rows known") {
			o.Rows = 1 << 20
		}
		if rapid.IntRange(0, 3).Draw(t, "filtered") == 0 {
			o.Filter = drawCond(t, in)
		}
		var args []plan.Expr
		numbers := pickColumn(t, in, plan.Float)
		switch fn {
		case plan.AggCount:
			if rapid.Bool().Draw(t, "of a value") {
				args = append(args, drawExpr(t, in))
			}
		case plan.AggSum, plan.AggMean:
			e := drawExpr(t, in)
			if !e.Type().Numeric() {
				continue
			}
			args = append(args, e)
		case plan.AggAny, plan.AggAll, plan.AggShare:
			args = append(args, drawCond(t, in))
		case plan.AggStringAgg:
			c := pickColumn(t, in, plan.String)
			if c == nil {
				continue
			}
			args = append(args, c, plan.NewString(", "))
		case plan.AggCorr, plan.AggCovarSamp, plan.AggRegrSlope, plan.AggRegrIntercept:
			if numbers == nil {
				continue
			}
			args = append(args, numbers, pickColumn(t, in, plan.Float))
			o.Distinct = false
		case plan.AggMedian, plan.AggStddev, plan.AggVariancePop:
			if numbers == nil {
				continue
			}
			args = append(args, numbers)
		case plan.AggQuantile, plan.AggQuantileDisc:
			p := plan.NewFloat(rapid.SampledFrom([]float64{0, 0.25, 0.5, 0.9, 1}).Draw(t, "p"))
			if fn == plan.AggQuantile && numbers == nil {
				continue
			}
			if fn == plan.AggQuantile {
				args = append(args, numbers, p)
			} else {
				args = append(args, drawExpr(t, in), p)
			}
		default:
			e := drawExpr(t, in)
			if e.Type().Base == plan.Bool {
				continue
			}
			args = append(args, e)
		}
		g, err := plan.BindAggregate(fn, args, o)
		if err != nil {
			t.Fatalf("BindAggregate(%s): %v", fn, err)
		}
		a.Aggs = append(a.Aggs, g)
		a.Out = append(a.Out, g.Field(fmt.Sprint("a", i)))
	}
	return a
}

// sameValue compares cells; floats may differ in the last digits where the
// order of operations is free.
func sameValue(a, b plan.Value) bool {
	if a.Base != b.Base || a.S != b.S || a.I != b.I || a.Hi != b.Hi {
		return false
	}
	if a.F == b.F {
		return true
	}
	return math.Abs(a.F-b.F) <= 1e-9*max(1, math.Abs(a.F), math.Abs(b.F))
}

func identical(a, b [][]plan.Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		for k := range a[i] {
			x, y := a[i][k], b[i][k]
			if math.Float64bits(x.F) != math.Float64bits(y.F) {
				return false
			}
			x.F, y.F = 0, 0
			if x != y {
				return false
			}
		}
	}
	return true
}

func checkPlan(t interface {
	Fatalf(string, ...any)
	Helper()
}, n plan.Node) {
	t.Helper()
	want := naive(n)
	budget := mem.NewBudget(1 << 30)
	var first [][]plan.Value
	for _, threads := range []int{1, 2, 8} {
		res, err := Run(context.Background(), n, Options{Threads: threads, Limit: -1, Budget: budget})
		if err != nil {
			t.Fatalf("%d threads: %v\n%s", threads, err, plan.Explain(n))
		}
		if res.Total != int64(len(want)) || len(res.Rows) != len(want) {
			t.Fatalf("%d threads: %d rows (total %d), want %d\n%s", threads, len(res.Rows), res.Total, len(want), plan.Explain(n))
		}
		for i := range want {
			for k := range want[i] {
				if !sameValue(res.Rows[i][k], want[i][k]) {
					t.Fatalf("%d threads: row %d column %d is %+v, want %+v\n%s", threads, i, k, res.Rows[i][k], want[i][k], plan.Explain(n))
				}
			}
		}
		if first == nil {
			first = res.Rows
		} else if !identical(first, res.Rows) {
			t.Fatalf("%d threads give other bits than 1\n%s", threads, plan.Explain(n))
		}
		if used := budget.Used(); used != 0 {
			t.Fatalf("%d bytes of the budget are not given back\n%s", used, plan.Explain(n))
		}
	}
	for _, limit := range []int{0, 1, 3} {
		res, err := Run(context.Background(), n, Options{Threads: 2, Limit: limit})
		if err != nil {
			t.Fatalf("limit %d: %v", limit, err)
		}
		if res.Total != int64(len(want)) || !identical(res.Rows, first[:min(limit, len(first))]) {
			t.Fatalf("limit %d: %d rows (total %d) are not the first of %d\n%s", limit, len(res.Rows), res.Total, len(want), plan.Explain(n))
		}
	}
}

func TestRun_AgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tables := []*col.Table{drawTable(t, "t", 300), drawTable(t, "u", 40)}
		checkPlan(t, drawPlan(t, tables, rapid.IntRange(0, 4).Draw(t, "depth")))
	})
}

func TestRun_AggregatesAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := plan.NewScan(drawTable(t, "t", 400), "")
		checkPlan(t, drawAggregate(t, in))
	})
}

func TestRun_JoinsAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		left, right := plan.NewScan(drawTable(t, "t", 120), ""), plan.NewScan(drawTable(t, "u", 60), "")
		checkPlan(t, drawJoin(t, left, right))
	})
}

// bigTable has enough rows for parallel sorts, partitioned merges and pruned
// candidates; its chunks are shorter than usual and no multiple of 64 rows.
func bigTable(rows int) *col.Table {
	const chunk = 20_011
	key, price, qty, label, name := make([]any, rows), make([]any, rows), make([]any, rows), make([]any, rows), make([]any, rows)
	x := uint32(1)
	next := func(n uint32) uint32 {
		x = x*1664525 + 1013904223
		return (x >> 8) % n
	}
	for i := range rows {
		key[i] = int64(next(90_000))
		price[i] = float64(next(4000)) / 4
		qty[i] = int64(next(100)) - 50
		label[i] = fmt.Sprint("label ", next(50))
		name[i] = fmt.Sprint("name ", next(70_000))
		if next(20) == 0 {
			price[i] = nil
		}
		if next(50) == 0 {
			label[i], name[i] = nil, nil
		}
	}
	t := &col.Table{Name: "big", Rows: rows}
	t.Columns = []*col.Column{
		testColumn("key", col.Number, key, chunk, "int32"),
		testColumn("price", col.Number, price, chunk, "float"),
		testColumn("qty", col.Number, qty, chunk, "int8"),
		testColumn("label", col.Category, label, chunk, "code"),
		testColumn("name", col.Category, name, chunk, "string"),
	}
	return t
}

func TestRun_BigAgainstNaive(t *testing.T) {
	tab := bigTable(70_000)
	scan := func() *plan.Scan { return plan.NewScan(tab, "") }
	in := scan()
	c := func(i int) plan.Expr { return columnOf(in, i) }
	agg := func(fn string, args ...plan.Expr) plan.Agg {
		a, err := plan.BindAggregate(fn, args, plan.AggOptions{Rows: int64(tab.Rows)})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	group := func(keys []plan.Expr, aggs ...plan.Agg) plan.Node {
		n := &plan.Aggregate{In: scan(), Keys: keys, Aggs: aggs}
		for i, k := range keys {
			n.Out = append(n.Out, plan.NewField(fmt.Sprint("k", i), k))
		}
		for i, a := range aggs {
			n.Out = append(n.Out, a.Field(fmt.Sprint("a", i)))
		}
		return n
	}
	sorted := func(n plan.Node, keys ...plan.SortKey) plan.Node { return &plan.Sort{In: n, Keys: keys} }
	perKey := group([]plan.Expr{c(0)}, agg("sum", c(1)), agg("count"), agg("countDistinct", c(3)), agg("mode", c(4)))
	plans := map[string]plan.Node{
		"dense, many groups":      perKey,
		"packed":                  group([]plan.Expr{c(0), c(2)}, agg("sum", c(1)), agg("min", c(4)), agg("last", c(1))),
		"packed, free only":       group([]plan.Expr{c(0), c(2)}, agg("sum", c(2)), agg("median", c(1)), agg("countDistinct", c(1))),
		"wide":                    group([]plan.Expr{c(4), c(1)}, agg("sum", c(1)), agg("count", c(1)), agg("stddev", c(1)), agg("stringAgg", c(3), plan.NewString(","))),
		"wide, free only":         group([]plan.Expr{c(4)}, agg("mean", c(2)), agg("max", c(4)), agg("mode", c(4)), agg("quantileDisc", c(4), plan.NewFloat(0.5))),
		"totals":                  group(nil, agg("sum", c(1)), agg("median", c(1)), agg("countDistinct", c(4)), agg("quantile", c(1), plan.NewFloat(0.99)), agg("stddevPop", c(1))),
		"distinct":                &plan.Distinct{In: scan()},
		"sort, one word":          sorted(scan(), plan.SortKey{Expr: c(1), Desc: true}),
		"sort, ties":              sorted(scan(), plan.SortKey{Expr: c(3)}, plan.SortKey{Expr: c(4), Desc: true, NullsFirst: true}),
		"top, one word":           &plan.Limit{In: sorted(scan(), plan.SortKey{Expr: c(1), Desc: true}), Count: 700, Offset: 3},
		"top, ties":               &plan.Limit{In: sorted(scan(), plan.SortKey{Expr: c(3)}, plan.SortKey{Expr: c(1)}), Count: 900},
		"top, text":               &plan.Limit{In: sorted(scan(), plan.SortKey{Expr: c(4), Desc: true}), Count: 600},
		"top of groups":           &plan.Limit{In: sorted(perKey, plan.SortKey{Expr: columnOf(perKey, 1), Desc: true}), Count: 10},
		"filter keeps few":        &plan.Filter{In: scan(), Cond: mustBind(t, "eq", c(3), plan.NewString("label 7"))},
		"filter keeps many":       &plan.Filter{In: scan(), Cond: mustBind(t, "gt", c(1), plan.NewFloat(100))},
		"filter by sorted column": &plan.Filter{In: sorted(scan(), plan.SortKey{Expr: c(0)}), Cond: mustBind(t, "lt", c(0), plan.NewInt(20))},
	}
	for name, n := range plans {
		t.Run(name, func(t *testing.T) { checkPlan(t, n) })
	}
}

// slowPlan runs for a long time: every pair of rows of two tables.
func slowPlan(t testing.TB) plan.Node {
	tab := bigTable(200_000)
	l, r := plan.NewScan(tab, "l"), plan.NewScan(tab, "r")
	j := &plan.Join{Left: l, Right: r, Out: append(append(plan.Schema(nil), l.Out...), r.Out...)}
	j.Residual = mustBind(t, "lt", mustBind(t, "add", columnOf(j, 0), columnOf(j, 5)), plan.NewInt(-1))
	a, err := plan.BindAggregate("count", nil, plan.AggOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return &plan.Aggregate{In: j, Aggs: []plan.Agg{a}, Out: plan.Schema{a.Field("n")}}
}

func TestRun_Cancel(t *testing.T) {
	n := slowPlan(t)
	budget := mem.NewBudget(1 << 30)
	for _, threads := range []int{1, 2, 8} {
		ctx, cancel := context.WithCancelCause(context.Background())
		reason := errors.New("the caller has left")
		began := make(chan struct{})
		var once sync.Once
		done := make(chan error)
		var stopped time.Time
		go func() {
			_, err := Run(ctx, n, Options{Threads: threads, Limit: 10, Budget: budget, Progress: func(_, total int64) {
				if total == 400_000 { // both sides: the pairs have begun
					once.Do(func() { close(began) })
				}
			}})
			stopped = time.Now()
			done <- err
		}()
		<-began
		asked := time.Now()
		cancel(reason)
		if err := <-done; !errors.Is(err, reason) {
			t.Fatalf("Run: %v, want the context's cause", err)
		}
		// 50 ms of work is the promise; the rest is for a busy machine.
		if d := stopped.Sub(asked); d > 2*time.Second {
			t.Errorf("%d threads: it took %v to stop", threads, d)
		} else {
			t.Logf("%d threads: stopped after %v", threads, d)
		}
		if used := budget.Used(); used != 0 {
			t.Errorf("%d bytes of the budget are not given back", used)
		}
	}
}

func TestRun_CancelledBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for name, n := range map[string]plan.Node{"scan": plan.NewScan(bigTable(10), ""), "join": slowPlan(t)} {
		if _, err := Run(ctx, n, Options{Limit: 5}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want %v", name, err, context.Canceled)
		}
	}
}

func TestRun_BudgetRefusal(t *testing.T) {
	tab := bigTable(100_000)
	in := plan.NewScan(tab, "")
	c := func(i int) plan.Expr { return columnOf(in, i) }
	sum, err := plan.BindAggregate("sum", []plan.Expr{c(1)}, plan.AggOptions{})
	if err != nil {
		t.Fatal(err)
	}
	plans := map[string]plan.Node{
		"rows":     in,
		"sort":     &plan.Sort{In: in, Keys: []plan.SortKey{{Expr: c(1)}}},
		"groups":   &plan.Aggregate{In: in, Keys: []plan.Expr{c(4), c(1)}, Aggs: []plan.Agg{sum}, Out: plan.Schema{{}, {}, {}}},
		"distinct": &plan.Distinct{In: in},
		"join": &plan.Join{Left: in, Right: in, LeftKeys: []plan.Expr{c(0)}, RightKeys: []plan.Expr{c(0)},
			Out: append(append(plan.Schema(nil), in.Out...), in.Out...)},
		"pairs": &plan.Join{Left: in, Right: in, Out: append(append(plan.Schema(nil), in.Out...), in.Out...)},
	}
	for name, n := range plans {
		t.Run(name, func(t *testing.T) {
			budget := mem.NewBudget(1_000_000)
			if err := budget.Reserve(1000); err != nil {
				t.Fatal(err)
			}
			_, err := Run(context.Background(), n, Options{Threads: 2, Limit: -1, Budget: budget})
			var full *MemoryError
			var inner *mem.ExceededError
			if !errors.As(err, &full) || !errors.As(err, &inner) {
				t.Fatalf("Run: %v, want a refusal", err)
			}
			if full.Need <= full.Free || full.Free != 999_000 {
				t.Errorf("need %d, free %d", full.Need, full.Free)
			}
			if !strings.HasSuffix(err.Error(), " kB are free. Drop a table, filter more, or group by fewer columns.") || !strings.HasPrefix(err.Error(), "This needs about ") {
				t.Errorf("message %q", err)
			}
			if used := budget.Used(); used != 1000 {
				t.Errorf("%d bytes are in use afterwards, want 1000", used)
			}
			if name == "pairs" {
				return
			}
			// The same question is answered where there is room.
			roomy := mem.NewBudget(1 << 30)
			if _, err := Run(context.Background(), n, Options{Threads: 2, Limit: 100, Budget: roomy}); err != nil || roomy.Used() != 0 {
				t.Errorf("with a large budget: %v, %d bytes in use", err, roomy.Used())
			}
		})
	}
}

func TestParallel_PanicReachesTheCaller(t *testing.T) {
	budget := mem.NewBudget(1 << 20)
	func() {
		defer func() {
			p, ok := recover().(*WorkerPanic)
			if !ok || p.Value != "broken" || !strings.Contains(string(p.Stack), "exec_test.go") {
				t.Errorf("recovered %v", p)
			}
		}()
		c, release := newCall(context.Background(), Options{Threads: 4, Budget: budget})
		defer release()
		if err := c.grow(100); err != nil {
			t.Fatal(err)
		}
		_ = c.parallel(context.Background(), 100, func() func(int) error {
			return func(u int) error {
				if u == 7 {
					panic("broken")
				}
				return nil
			}
		})
	}()
	if budget.Used() != 0 {
		t.Errorf("%d bytes in use after a panic", budget.Used())
	}
}

func TestRun_Progress(t *testing.T) {
	tab := bigTable(50_000)
	in := plan.NewScan(tab, "")
	var last, total int64
	_, err := Run(context.Background(), &plan.Sort{In: in, Keys: []plan.SortKey{{Expr: columnOf(in, 1)}}}, Options{
		Threads: 4, Limit: 5,
		Progress: func(d, n int64) {
			if d < last {
				t.Errorf("progress went back from %d to %d", last, d)
			}
			last, total = d, n
		},
	})
	if err != nil || last != 50_000 || total != 50_000 {
		t.Errorf("%v; progress ended with %d of %d", err, last, total)
	}
}

// TestMaterialize_AgainstNaive computes columns and reads them back.
func TestMaterialize_AgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tab := drawTable(t, "t", 300)
		in := plan.NewScan(tab, "")
		var e plan.Expr
		if e = drawExpr(t, in); rapid.Bool().Draw(t, "condition wanted") {
			e = drawCond(t, in)
		}
		want := naive(&plan.Project{In: in, Exprs: []plan.Expr{e}})
		for _, threads := range []int{1, 8} {
			budget := mem.NewBudget(1 << 30)
			c, err := Materialize(context.Background(), tab, e, "new", Options{Threads: threads, Budget: budget})
			if err != nil {
				t.Fatalf("Materialize(%s): %v", plan.Format(e), err)
			}
			if c.Name != "new" || c.Bool != (e.Type().Base == plan.Bool) || budget.Used() != 0 {
				t.Fatalf("column %+v, %d bytes in use", c.Field, budget.Used())
			}
			if c.Dict != nil { // every label has a row
				seen := map[string]bool{}
				for _, r := range want {
					if !isMissing(r[0]) {
						seen[text(r[0])] = true
					}
				}
				if len(seen) != c.Dict.Len() {
					t.Fatalf("%d labels, want %d", c.Dict.Len(), len(seen))
				}
			}
			with := &col.Table{Rows: tab.Rows, Columns: append(append([]*col.Column(nil), tab.Columns...), c)}
			for i, ch := range c.Chunks {
				if ch.Len != tab.Columns[0].Chunks[i].Len {
					t.Fatalf("chunk %d has %d rows", i, ch.Len)
				}
			}
			for i, r := range naiveTable(with) {
				got, want := r[len(r)-1], want[i][0]
				if want.Base == plan.Bool {
					want = plan.Value{Base: plan.String, S: text(want)}
				}
				if !sameValue(got, want) {
					t.Fatalf("%s: row %d is %+v, want %+v", plan.Format(e), i, got, want)
				}
			}
		}
	})
}

func text(v plan.Value) string {
	if v.Base == plan.Bool {
		return fmt.Sprint(v.I == 1)
	}
	return v.S
}

func TestSelect_AgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tab := drawTable(t, "t", 300)
		cond := drawCond(t, plan.NewScan(tab, ""))
		for _, threads := range []int{1, 8} {
			budget := mem.NewBudget(1 << 30)
			got, err := Select(context.Background(), tab, cond, Options{Threads: threads, Budget: budget})
			if err != nil || budget.Used() != 0 {
				t.Fatalf("Select: %v, %d bytes in use", err, budget.Used())
			}
			if len(got) != (tab.Rows+63)/64 {
				t.Fatalf("%d words for %d rows", len(got), tab.Rows)
			}
			n := 0
			for i, r := range naiveTable(tab) {
				want := truth(scalar(cond, r))
				if want {
					n++
				}
				if got.Get(i) != want {
					t.Fatalf("row %d: %v, want %v", i, got.Get(i), want)
				}
			}
			if got.Count(tab.Rows) != n {
				t.Fatalf("bits past the last row are set")
			}
		}
	})
}
