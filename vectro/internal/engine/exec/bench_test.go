package exec

import (
	"context"
	"fmt"
	"math"
	"os"
	"strconv"
	"sync"
	"testing"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// The benchmarks ask the usual questions of a table of orders. BENCH_ROWS sets its
// length, 10,000,000 by default; BENCH_THREADS the workers, 2 by default.

func fromEnv(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

var benchTables = sync.OnceValues(func() (orders, customers *col.Table) {
	rows := fromEnv("BENCH_ROWS", 10_000_000)
	x := uint64(88172645463325252)
	next := func(n uint64) uint64 {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		return x % n
	}
	dict := func(prefix string, n int) *col.Dict {
		d := col.NewDict()
		for i := range n {
			d.Add(fmt.Appendf(nil, "%s%d", prefix, (i*7919)%n))
		}
		return d
	}
	column := func(name string, kind col.Kind, d *col.Dict) *col.Column {
		return &col.Column{Field: col.Field{Name: name, Kind: kind}, Dict: d}
	}
	id := column("id", col.Number, nil)
	day := column("day", col.Date, nil)
	region := column("region", col.Category, dict("region", 6))
	product := column("product", col.Category, dict("product", 1000))
	customer := column("customer", col.Category, dict("customer", 100_000))
	price := column("price", col.Number, nil)
	qty := column("qty", col.Number, nil)
	for from := 0; from < rows; from += col.ChunkRows {
		n := min(col.ChunkRows, rows-from)
		ids, days, regions, products, customers := make([]int32, n), make([]int32, n), make([]uint8, n), make([]uint16, n), make([]uint32, n)
		prices, qtys := make([]float64, n), make([]int8, n)
		for i := range n {
			ids[i] = int32(from + i)
			days[i] = int32(18262 + next(2000))
			regions[i] = uint8(next(6))
			products[i] = uint16(next(1000))
			customers[i] = uint32(next(100_000))
			prices[i] = float64(next(100_000)) / 100
			qtys[i] = int8(1 + next(20))
		}
		for c, data := range map[*col.Column]any{id: ids, day: days, region: regions, product: products, customer: customers, price: prices, qty: qtys} {
			c.Chunks = append(c.Chunks, &col.Chunk{Len: n, Data: data})
		}
	}
	orders = &col.Table{Name: "orders", Rows: rows, Columns: []*col.Column{id, day, region, product, customer, price, qty}}

	name := column("customer", col.Category, dict("customer", 100_000))
	segment := column("segment", col.Category, dict("segment", 5))
	names, segments := make([]uint32, 100_000), make([]uint8, 100_000)
	for i := range names {
		names[i] = uint32((i * 31) % 100_000)
		segments[i] = uint8(next(5))
	}
	name.Chunks = []*col.Chunk{{Len: len(names), Data: names}}
	segment.Chunks = []*col.Chunk{{Len: len(names), Data: segments}}
	customers = &col.Table{Name: "customers", Rows: len(names), Columns: []*col.Column{name, segment}}
	return orders, customers
})

type question struct {
	name string
	plan plan.Node
}

func benchQuestions(t testing.TB) []question {
	orders, customers := benchTables()
	scan := plan.NewScan(orders, "")
	at := func(name string) plan.Expr { return columnOf(scan, orders.Index(name)) }
	bind := func(op string, args ...plan.Expr) plan.Expr { return mustBind(t, op, args...) }
	group := func(in plan.Node, keys []plan.Expr, aggs ...plan.Agg) *plan.Aggregate {
		n := &plan.Aggregate{In: in, Keys: keys, Aggs: aggs}
		for i, k := range keys {
			n.Out = append(n.Out, plan.NewField(fmt.Sprint("k", i), k))
		}
		for i, a := range aggs {
			n.Out = append(n.Out, a.Field(fmt.Sprint("a", i)))
		}
		return n
	}
	agg := func(fn string, args ...plan.Expr) plan.Agg {
		a, err := plan.BindAggregate(fn, args, plan.AggOptions{Rows: int64(orders.Rows)})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	keys := func(k ...plan.Expr) []plan.Expr { return k }
	top := func(in plan.Node, k plan.Expr, desc bool, n int64) plan.Node {
		return &plan.Limit{In: &plan.Sort{In: in, Keys: []plan.SortKey{{Expr: k, Desc: desc}}}, Count: n}
	}
	expensive := bind("gt", at("price"), plan.NewInt(100))
	amount := bind("mul", at("price"), at("qty"))
	byCustomer := group(scan, keys(at("customer")), agg("sum", amount))
	right := plan.NewScan(customers, "")
	join := &plan.Join{Left: scan, Right: right, LeftKeys: keys(at("customer")), RightKeys: keys(columnOf(right, 0)),
		Out: append(append(plan.Schema(nil), scan.Out...), right.Out...)}
	joinBack := &plan.Join{Left: right, Right: scan, LeftKeys: join.RightKeys, RightKeys: join.LeftKeys,
		Out: append(append(plan.Schema(nil), right.Out...), scan.Out...)}
	return []question{
		{"sum(price*qty) where price > 100", group(&plan.Filter{In: scan, Cond: expensive}, nil, agg("sum", amount))},
		{"sum where region = and price >", group(&plan.Filter{In: scan, Cond: bind("and", bind("eq", at("region"), plan.NewString("region3")), expensive)}, nil, agg("sum", amount))},
		{"by region: sum, mean", group(scan, keys(at("region")), agg("sum", amount), agg("mean", at("price")))},
		{"by product: count, sum", group(scan, keys(at("product")), agg("count"), agg("sum", at("price")))},
		{"by customer: sum, top 10", top(byCustomer, columnOf(byCustomer, 1), true, 10)},
		{"product =, order by price, 50 rows", top(&plan.Filter{In: scan, Cond: bind("eq", at("product"), plan.NewString("product7"))}, at("price"), false, 50)},
		{"distinct customers by region", group(scan, keys(at("region")), agg("countDistinct", at("customer")))},
		{"join customers, sum by segment", group(join, keys(columnOf(join, len(scan.Out)+1)), agg("sum", amount))},
		{"join from customers, sum by segment", group(joinBack, keys(columnOf(joinBack, 1)), agg("sum", shift(amount, 2)))},
		{"join, order by price, 50 rows", top(join, at("price"), true, 50)},
		{"by region and product", group(scan, keys(at("region"), at("product")), agg("count"), agg("sum", at("price")))},
		{"by month", group(scan, keys(bind("yearmonth", at("day"))), agg("sum", at("price")))},
		{"order by price desc, 50 rows", top(scan, at("price"), true, 50)},
		{"median by region", group(scan, keys(at("region")), agg("median", at("price")))},
		{"count of all", group(scan, nil, agg("count"))},
		{"sum(price)", group(scan, nil, agg("sum", at("price")))},
		{"filter, 50 rows and their number", &plan.Filter{In: scan, Cond: expensive}},
		{"distinct id (10M groups)", group(group(scan, keys(at("id")), agg("sum", at("price"))), nil, agg("count"))},
		{"order by price, id, everything", group(&plan.Limit{In: &plan.Sort{In: scan, Keys: []plan.SortKey{{Expr: at("price")}, {Expr: at("id"), Desc: true}}}, Count: -1}, nil, agg("first", at("id")))},
	}
}

// BenchmarkQuestions runs each question as one call. Beside the time it reports the
// least processor time of a call (cpu-ms), which other work on the machine disturbs
// less.
func BenchmarkQuestions(b *testing.B) {
	for _, q := range benchQuestions(b) {
		b.Run(q.name, func(b *testing.B) {
			least := math.Inf(1)
			for b.Loop() {
				before := processorTime()
				if _, err := Run(context.Background(), q.plan, Options{Threads: fromEnv("BENCH_THREADS", 2), Limit: 500}); err != nil {
					b.Fatal(err)
				}
				least = min(least, float64(processorTime()-before)/1e6)
			}
			b.ReportMetric(least, "cpu-ms")
		})
	}
}

// BenchmarkMaterialize adds the column price * qty.
func BenchmarkMaterialize(b *testing.B) {
	orders, _ := benchTables()
	in := plan.NewScan(orders, "")
	e := mustBind(b, "mul", columnOf(in, 5), columnOf(in, 6))
	for b.Loop() {
		if _, err := Materialize(context.Background(), orders, e, "amount", Options{Threads: fromEnv("BENCH_THREADS", 2)}); err != nil {
			b.Fatal(err)
		}
	}
}
