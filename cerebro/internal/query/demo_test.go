package query_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/quartet-mcp/quartet/cerebro/internal/backend"
	"github.com/quartet-mcp/quartet/cerebro/internal/backend/clickhouse"
	"github.com/quartet-mcp/quartet/cerebro/internal/backend/duckdb"
	"github.com/quartet-mcp/quartet/cerebro/internal/dbt"
	"github.com/quartet-mcp/quartet/cerebro/internal/demo"
	"github.com/quartet-mcp/quartet/cerebro/internal/demo/build"
	"github.com/quartet-mcp/quartet/cerebro/internal/metricsql"
	"github.com/quartet-mcp/quartet/cerebro/internal/query"
	"github.com/quartet-mcp/quartet/cerebro/internal/semantic"
	"github.com/quartet-mcp/quartet/datakit/dbtest"
)

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "orchard-")
	if err == nil {
		warehouse = filepath.Join(dir, "demo.duckdb")
		err = build.Database(context.Background(), warehouse)
	}
	code := 1
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	} else {
		code = dbtest.Main(m)
	}
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// warehouse is the demo's file, which the tests only read.
var warehouse string

// A source is a table of the demo with what its rows are joined to, by hand.
type source struct {
	from    string
	time    string            // column
	metrics map[string]string // name → SQL
	by      map[string]string // dimension → SQL
}

const area = " LEFT JOIN dbt.dim_regions r ON r.region_id = f.region_id"

// sources are the metrics of the demo as a person would write them.
var sources = []source{
	{
		"dbt.fct_order_items f" + area + " LEFT JOIN dbt.dim_products p ON p.product_id = f.product_id LEFT JOIN dbt.dim_customers c ON c.customer_id = f.customer_id", "f.ordered_at",
		map[string]string{
			"revenue": "sum(f.revenue)", "units_sold": "sum(f.quantity)", "cost_of_goods_sold": "sum(f.cost)", "refund_amount": "sum(f.refund_amount)",
			"gross_margin": "sum(f.revenue) - sum(f.cost)", "gross_margin_rate": "(sum(f.revenue) - sum(f.cost))::DOUBLE / sum(f.revenue)",
			"refund_rate": "sum(f.refund_amount)::DOUBLE / sum(f.revenue)",
		},
		map[string]string{"channel": "f.channel", "warehouse": "f.warehouse", "category": "p.category", "delivery_area__region": "r.region"},
	},
	{
		"dbt.fct_orders f" + area + " LEFT JOIN dbt.dim_customers c ON c.customer_id = f.customer_id", "f.ordered_at",
		map[string]string{"orders": "count(f.order_id)", "active_customers": "count(DISTINCT f.customer_id)", "new_customers": "count(*) FILTER (WHERE f.is_first_order)"},
		map[string]string{"channel": "f.channel", "order_status": "f.status", "delivery_area__country": "r.country", "customer__customer_segment": "c.customer_segment"},
	},
	{
		"dbt.fct_sessions f", "f.started_at",
		map[string]string{"web_sessions": "count(f.session_id)", "conversion_rate": "count(*) FILTER (WHERE f.converted)::DOUBLE / count(*)"},
		map[string]string{"device": "f.device", "traffic_source": "f.traffic_source"},
	},
	{
		"dbt.fct_support_tickets f", "f.opened_at",
		map[string]string{"support_tickets": "count(*)", "median_resolution_hours": "median(f.resolution_hours)", "first_response_hours_p90": "quantile_cont(f.first_response_hours, 0.9)"},
		map[string]string{"priority": "f.priority", "topic": "f.topic"},
	},
	{
		"dbt.fct_marketing_spend_daily f", "f.spend_day",
		map[string]string{"marketing_spend": "sum(f.spend)"}, map[string]string{"acquisition_channel": "f.acquisition_channel"},
	},
	{
		"dbt.fct_subscriptions_daily f", "f.subscription_day",
		map[string]string{"churned_subscriptions": "sum(f.churned_subscriptions)"}, map[string]string{"plan": "f.plan"},
	},
	{
		"dbt.mart_delivery_sla_daily f", "f.delivery_day",
		map[string]string{"deliveries": "sum(f.deliveries)", "on_time_delivery_rate": "(sum(f.deliveries) FILTER (WHERE f.sla_status IN ('early', 'on_time')))::DOUBLE / sum(f.deliveries)"},
		map[string]string{"warehouse": "f.warehouse"},
	},
}

// question is a metric asked in one way.
type question struct {
	name    string
	request semantic.Request
	hand    string
}

func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

// questions are every metric: alone, by month, by each dimension, and by one of them
// in a range.
func questions() (out []question) {
	span := semantic.Range{Start: day("2025-03-10"), End: day("2025-06-20")}
	for _, s := range sources {
		within := fmt.Sprintf(" WHERE %s >= '2025-03-10' AND %s < '2025-06-20'", s.time, s.time)
		for _, m := range sorted(s.metrics) {
			add := func(name string, r semantic.Request, hand string) {
				r.Metrics, r.AllowCandidate = []string{m}, true
				out = append(out, question{m + " " + name, r, hand})
			}
			value := s.metrics[m]
			add("in all", semantic.Request{}, "SELECT "+value+" FROM "+s.from)
			month := "CAST(date_trunc('month', " + s.time + ") AS DATE)"
			add("by month", semantic.Request{Grain: semantic.Month}, "SELECT "+month+", "+value+" FROM "+s.from+" GROUP BY 1")
			for i, d := range sorted(s.by) {
				add("by "+d, semantic.Request{Dimensions: []string{d}}, "SELECT "+s.by[d]+", "+value+" FROM "+s.from+" GROUP BY 1")
				if i == 0 {
					add("by month and "+d+" in a range", semantic.Request{Dimensions: []string{d}, Grain: semantic.Month, Range: span},
						"SELECT "+month+", "+s.by[d]+", "+value+" FROM "+s.from+within+" GROUP BY 1, 2")
				}
			}
		}
	}
	return out
}

func sorted(m map[string]string) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func layer(t testing.TB) *semantic.Layer {
	t.Helper()
	a, err := demo.MakeArtifacts()
	if err != nil {
		t.Fatal(err)
	}
	files := a.Files()
	p, err := dbt.ReadManifest(bytes.NewReader(files["manifest.json"]))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.AddCatalog(bytes.NewReader(files["catalog.json"])); err != nil {
		t.Fatal(err)
	}
	s, err := dbt.ReadSemanticManifest(bytes.NewReader(files["semantic_manifest.json"]))
	if err != nil {
		t.Fatal(err)
	}
	p.Semantics = *s
	return semantic.Build(p, semantic.Auto)
}

// orchard is the demo's warehouse.
func orchard(t testing.TB) backend.Backend {
	t.Helper()
	d := duckdb.New(duckdb.Options{Path: warehouse, Threads: 2})
	t.Cleanup(func() { d.Close() })
	return d
}

var limits = query.Limits{Rows: 10_000, Bytes: 20 << 20, Length: 10_000, Concurrent: 4, Timeout: 30 * time.Second}

// run compiles a question for an engine and keeps the columns of its grouping and of
// the metric: what a ratio is made of stands beside it.
func run(t testing.TB, l *semantic.Layer, b backend.Backend, q question) [][]any {
	t.Helper()
	p, err := l.Plan(q.request)
	if err != nil {
		t.Fatalf("%s: %v", q.name, err)
	}
	s := metricsql.Compile(p, metricsql.Options{Dialect: metricsql.Dialect(b.Kind())})
	r := query.Request{SQL: s.SQL, Own: true}
	for _, a := range s.Args {
		r.Args = append(r.Args, backend.Arg{Value: a.Value})
	}
	got, err := query.New(query.Options{Backend: b, Limits: limits}).Run(t.Context(), r)
	if err != nil {
		t.Fatalf("%s: %v\n%s", q.name, err, s.Display)
	}
	keys := len(q.request.Dimensions)
	if q.request.Grain != "" {
		keys++
	}
	at := slices.Index(got.Columns, q.request.Metrics[0])
	if at < 0 || got.Truncated {
		t.Fatalf("%s: columns %v, truncated %v", q.name, got.Columns, got.Truncated)
	}
	var out [][]any
	for _, row := range got.Rows {
		out = append(out, append(slices.Clone(row[:keys]), row[at]))
	}
	return out
}

// plain makes rows comparable: in order, and numbers with nine digits.
func plain(rows [][]any) []string {
	var out []string
	for _, r := range rows {
		var line []string
		for i, v := range r {
			text := fmt.Sprint(v)
			if f, err := strconv.ParseFloat(text, 64); err == nil && i == len(r)-1 && !math.IsNaN(f) {
				text = strconv.FormatFloat(f, 'g', 9, 64)
			}
			line = append(line, text)
		}
		out = append(out, strings.Join(line, "|"))
	}
	slices.Sort(out)
	return out
}

// Every question is answered as by hand, on both engines.
func TestDemo(t *testing.T) {
	l, b := layer(t), orchard(t)
	address := dbtest.ClickHouse(t)
	t.Cleanup(func() { send(t, address, "DROP DATABASE IF EXISTS dbt", nil) })
	load(t, b, address)
	c := clickhouse.New(clickhouse.Options{DSN: strings.Replace(address, "default@", "reader@", 1)})
	t.Cleanup(func() { c.Close() })
	all := questions()
	if len(all) < 100 {
		t.Errorf("only %d questions", len(all))
	}
	byHand := query.New(query.Options{Backend: b, Limits: limits})
	for _, q := range all {
		result, err := byHand.Run(t.Context(), query.Request{SQL: q.hand, Own: true})
		if err != nil {
			t.Fatalf("%s: %v", q.name, err)
		}
		want := plain(result.Rows)
		if len(want) == 0 {
			t.Errorf("%s: nothing by hand", q.name)
		}
		for _, engine := range []backend.Backend{b, c} {
			if got := plain(run(t, l, engine, q)); !slices.Equal(got, want) {
				t.Errorf("%s: %s gives\n%s\nby hand\n%s", q.name, engine.Kind(), strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
}

// send gives a statement with data to the server.
func send(t testing.TB, address, statement string, data io.Reader) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	args := u.Query()
	args.Set("query", statement)
	args.Set("date_time_input_format", "best_effort")
	u.RawQuery = args.Encode()
	r, err := http.Post(u.String(), "text/plain", data)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if text, _ := io.ReadAll(r.Body); r.StatusCode != http.StatusOK {
		t.Fatalf("%s\n%.500s", statement, text)
	}
}

// typeOf is the type that ClickHouse has for one of DuckDB's.
func typeOf(duck string) string {
	t, ok := map[string]string{
		"INTEGER": "Int32", "BIGINT": "Int64", "HUGEINT": "Int128", "SMALLINT": "Int16", "TINYINT": "Int8", "VARCHAR": "String", "DATE": "Date32",
		"TIMESTAMP": "DateTime64(6, 'UTC')", "BOOLEAN": "Bool", "DOUBLE": "Float64", "FLOAT": "Float32",
	}[duck]
	switch {
	case strings.HasPrefix(duck, "DECIMAL"):
		t = "Decimal" + strings.TrimPrefix(duck, "DECIMAL")
	case !ok:
		panic(duck)
	}
	return "Nullable(" + t + ")"
}

// load copies the models that the questions read.
func load(t testing.TB, b backend.Backend, address string) {
	t.Helper()
	send(t, address, "CREATE DATABASE dbt", nil)
	for _, name := range []string{
		"fct_order_items", "fct_orders", "fct_sessions", "fct_support_tickets", "fct_marketing_spend_daily", "fct_subscriptions_daily",
		"mart_delivery_sla_daily", "dim_regions", "dim_products", "dim_customers", "dim_time_spine_daily",
	} {
		rows, err := b.Query(t.Context(), backend.Statement{SQL: "SELECT * FROM dbt." + name}, backend.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var columns []string
		for _, c := range rows.Columns() {
			columns = append(columns, "`"+c.Name+"` "+typeOf(c.Type))
		}
		send(t, address, "CREATE TABLE dbt."+name+" ("+strings.Join(columns, ", ")+") ENGINE = MergeTree ORDER BY tuple()", nil)
		var data bytes.Buffer
		e := json.NewEncoder(&data)
		for {
			row, err := rows.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err == nil {
				err = e.Encode(row)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		rows.Close()
		send(t, address, "INSERT INTO dbt."+name+" FORMAT JSONCompactEachRow", &data)
	}
}

// Three million rows without a limit come back as the first of them.
func TestRun_ThreeMillion(t *testing.T) {
	b := orchard(t)
	got, err := query.New(query.Options{Backend: b, Limits: limits}).Run(t.Context(), query.Request{SQL: "SELECT * FROM range(3000000)", Own: true})
	if err != nil || got.RowCount != 10_000 || !got.Truncated || *got.TruncationReason != query.ByRows || got.ElapsedSeconds > 3 {
		t.Errorf("got %d rows in %v s, %v", got.RowCount, got.ElapsedSeconds, err)
	}
}
