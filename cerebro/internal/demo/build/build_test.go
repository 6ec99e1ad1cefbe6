package build

import (
	"context"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/cerebro/internal/demo"
	"github.com/quartet-mcp/quartet/cerebro/internal/demo/raw"
)

var update = flag.Bool("update", false, "rewrite the pinned facts of the catalog")

// shared is a warehouse that the tests only read.
var shared Demo

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "demo-")
	if err == nil {
		shared, err = Build(context.Background(), dir, false)
	}
	code := 1
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	} else {
		code = m.Run()
	}
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

func open(t *testing.T, d Demo) *sql.DB {
	t.Helper()
	db, err := sql.Open("duckdb", d.Database+"?access_mode=read_only")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func project(t *testing.T) *demo.Project {
	t.Helper()
	p, err := demo.Open()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// relations are the schema and name of every table and view.
func relations(t *testing.T) (out [][2]string) {
	for _, s := range project(t).Tables {
		out = append(out, [2]string{"raw", s.Name})
	}
	for _, m := range project(t).Models {
		out = append(out, [2]string{demo.Schema, m.Name})
	}
	return out
}

// checksums are a hash of the rows of each relation, whatever their order.
func checksums(t *testing.T, d Demo) map[string]string {
	db := open(t, d)
	out := map[string]string{}
	for _, r := range relations(t) {
		var sum string
		name := demo.QualifiedName(r[0], r[1])
		if err := db.QueryRow("SELECT count(*) || ' ' || sum(hash(t)) FROM " + name + " AS t").Scan(&sum); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[name] = sum
	}
	return out
}

func contents(t *testing.T, dir string) map[string]string {
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Base(path) == databaseFile {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		out[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Two builds at once, where another version stood: one makes the warehouse, the
// other waits and takes it; and it is the same as one that was made before.
func TestBuild_TwoAtOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "it's a home")
	if err := os.MkdirAll(filepath.Join(dir, targetFolder), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{databaseFile, versionFile, filepath.Join(targetFolder, "partial.json")} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var made [2]Demo
	var errs [2]error
	var wait sync.WaitGroup
	for i := range made {
		wait.Go(func() { made[i], errs[i] = Build(t.Context(), dir, false) })
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	if made[0].Rebuilt == made[1].Rebuilt {
		t.Errorf("rebuilt: %v and %v, want one of them", made[0].Rebuilt, made[1].Rebuilt)
	}
	if diff := cmp.Diff(checksums(t, shared), checksums(t, made[0])); diff != "" {
		t.Errorf("rows of two builds (-first +second):\n%s", diff)
	}
	if diff := cmp.Diff(contents(t, shared.Dir), contents(t, dir)); diff != "" {
		t.Errorf("files of two builds (-first +second):\n%s", diff)
	}
}

// What is there is taken unless it is to be built by force; a build that ends
// early leaves it as it was.
func TestBuild_Force(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(shared.Dir)); err != nil {
		t.Fatal(err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	d, err := Build(cancelled, dir, false)
	if err != nil || d.Rebuilt {
		t.Fatalf("Build of what is there: rebuilt %v, %v", d.Rebuilt, err)
	}
	if _, err = Build(cancelled, dir, true); err == nil {
		t.Error("a cancelled build by force gave no error")
	}
	if !d.is(version()) {
		t.Error("a cancelled build left no whole warehouse")
	}
	if diff := cmp.Diff(contents(t, shared.Dir), contents(t, dir)); diff != "" {
		t.Errorf("files after a cancelled build (-want +got):\n%s", diff)
	}
}

func TestBuild_Modes(t *testing.T) {
	err := filepath.WalkDir(shared.Dir, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestBuild_Stale(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(shared.Dir)); err != nil {
		t.Fatal(err)
	}
	d := Demo{Dir: dir, Database: filepath.Join(dir, databaseFile), Target: filepath.Join(dir, targetFolder)}
	if !d.is(version()) {
		t.Fatal("a whole warehouse is not taken")
	}
	if d.is("another version") {
		t.Error("a warehouse of another version is taken")
	}
	if err := os.Remove(d.Database); err != nil {
		t.Fatal(err)
	}
	if d.is(version()) {
		t.Error("a warehouse without its database is taken")
	}
}

func TestBuild_Cancelled(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Build(ctx, dir, false); err == nil {
		t.Fatal("a cancelled build gave no error")
	}
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range left {
		if e.Name() != lockFile {
			t.Errorf("a cancelled build left %s", e.Name())
		}
	}
}

// The catalog's types and row counts are pinned, so that the artifacts need no
// database; this is where they come from.
func TestFacts(t *testing.T) {
	db := open(t, shared)
	facts := map[string]demo.Facts{}
	for _, r := range relations(t) {
		var f demo.Facts
		if err := db.QueryRow("SELECT count(*) FROM " + demo.QualifiedName(r[0], r[1])).Scan(&f.Rows); err != nil {
			t.Fatal(err)
		}
		f.Columns = columnsOf(t, db, r[0], r[1])
		facts[r[0]+"."+r[1]] = f
	}
	got, err := json.MarshalIndent(facts, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	path := filepath.Join("..", demo.FactsFile)
	if *update {
		if os.Getenv("CI") != "" {
			t.Fatal("-update is not for CI")
		}
		if err := os.WriteFile(path, got, 0o644); err != nil { //nolint:gosec // a source file
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("facts (-pinned +database), rewrite them with -update:\n%s", diff)
	}
}

func columnsOf(t *testing.T, db *sql.DB, schema, name string) (out []demo.ColumnFact) {
	t.Helper()
	rows, err := db.Query("SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = ? AND table_name = ? ORDER BY ordinal_position", schema, name)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var c demo.ColumnFact
		if err := rows.Scan(&c.Name, &c.Type); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func names(columns []demo.ColumnFact) (out []string) {
	for _, c := range columns {
		out = append(out, c.Name)
	}
	return out
}

// Columns are documented, all of them and no others, in the order of the table.
func TestColumns(t *testing.T) {
	db := open(t, shared)
	check := func(schema, name string, columns []*demo.Column) {
		var want []string
		for _, c := range columns {
			want = append(want, c.Name)
		}
		if diff := cmp.Diff(want, names(columnsOf(t, db, schema, name))); diff != "" {
			t.Errorf("columns of %s.%s (-documented +database):\n%s", schema, name, diff)
		}
	}
	for _, s := range project(t).Tables {
		check("raw", s.Name, s.Columns)
	}
	for _, m := range project(t).Models {
		check(demo.Schema, m.Name, m.Columns)
	}
}

// What semantic models measure and join by exists.
func TestSemanticColumns(t *testing.T) {
	db := open(t, shared)
	for _, s := range project(t).Semantics {
		have := names(columnsOf(t, db, demo.Schema, s.Model.Name))
		check := func(kind, name, expr string) {
			if expr == "" {
				expr = name
			}
			if !slices.Contains(have, expr) {
				t.Errorf("%s %s of %s: %s has no column %q", kind, name, s.Name, s.Model.Name, expr)
			}
		}
		for _, e := range s.Entities {
			check("entity", e.Name, e.Expr)
		}
		for _, d := range s.Dimensions {
			check("dimension", d.Name, d.Expr)
		}
		for _, m := range s.Measures {
			check("measure", m.Name, m.Expr)
		}
	}
}

// The tests of the project hold, as run_results.json says.
func TestDataTests(t *testing.T) {
	db := open(t, shared)
	for _, test := range project(t).Tests() {
		var n int
		if err := db.QueryRow("SELECT count(*) FROM (" + test.SQL + ")").Scan(&n); err != nil {
			t.Errorf("%s: %v", test.Name, err)
		} else if n > 0 {
			t.Errorf("%s: %d rows do not hold", test.Name, n)
		}
	}
}

// The file holds under another name: its views do not know the name of the database.
func TestDatabase_Renamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "copy.duckdb")
	text, err := os.ReadFile(shared.Database)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	var n int
	if err := open(t, Demo{Database: path}).QueryRow("SELECT count(*) FROM dbt.stg_orders").Scan(&n); err != nil || n == 0 {
		t.Errorf("stg_orders in a copy: %d rows, %v", n, err)
	}
}

func TestNumbers(t *testing.T) {
	db := open(t, shared)
	for _, tt := range []struct {
		name, sql string
		low, high float64
	}{
		{"orders", "SELECT count(*) FROM dbt.fct_orders", 78000, 84000},
		{"lines", "SELECT count(*) FROM dbt.fct_order_items", 190000, 225000},
		{"first day", "SELECT date_diff('day', min(order_day), DATE '2024-01-01') FROM dbt.fct_orders", 0, 0},
		{"last day", "SELECT date_diff('day', max(order_day), DATE '2025-12-31') FROM dbt.fct_orders", 0, 0},
		{"orders whose lines do not add up", "SELECT count(*) FROM dbt.fct_orders AS o JOIN (SELECT order_id, sum(revenue) AS revenue, sum(cost) AS cost, sum(gross_amount) AS gross_amount, sum(discount_amount) AS discount_amount " +
			"FROM dbt.fct_order_items GROUP BY 1) AS i USING (order_id) WHERE o.revenue <> i.revenue OR o.cost <> i.cost OR o.gross_amount <> i.gross_amount OR o.discount_amount <> i.discount_amount", 0, 0},
		{"orders without lines", "SELECT count(*) FROM dbt.fct_orders WHERE order_id NOT IN (SELECT order_id FROM dbt.fct_order_items)", 0, 0},
		{"lines that cost nothing or bring nothing", "SELECT count(*) FROM dbt.fct_order_items WHERE revenue <= 0 OR cost <= 0", 0, 0},
		{"revenue of the mart less that of the orders", "SELECT (SELECT sum(revenue) FROM dbt.mart_revenue_daily) - (SELECT sum(revenue) FROM dbt.fct_orders)", 0, 0},
		{"refunds by line less refunds by day", "SELECT (SELECT sum(refund_amount) FROM dbt.fct_order_items) - (SELECT sum(amount) FROM dbt.fct_refunds)", 0, 0},
		{"refunds beyond the price", "SELECT count(*) FROM dbt.fct_order_items WHERE refund_amount > revenue", 0, 0},
		{"average order value", "SELECT sum(revenue) / count(*) FROM dbt.fct_orders", 35, 50},
		{"gross margin rate", "SELECT 1 - sum(cost) / sum(revenue) FROM dbt.fct_order_items", 0.3, 0.45},
		{"refund rate", "SELECT sum(refund_amount) / sum(revenue) FROM dbt.fct_order_items", 0.01, 0.03},
		{"growth of the second year", "SELECT count(*) FILTER (WHERE year(order_day) = 2025) / count(*) FILTER (WHERE year(order_day) = 2024) FROM dbt.fct_orders", 1.15, 1.4},
		{"December against August", "SELECT count(*) FILTER (WHERE month(order_day) = 12) / count(*) FILTER (WHERE month(order_day) = 8) FROM dbt.fct_orders", 1.3, 1.9},
		{"Fridays against Sundays", "SELECT count(*) FILTER (WHERE isodow(order_day) = 5) / count(*) FILTER (WHERE isodow(order_day) = 7) FROM dbt.fct_orders", 1.3, 1.6},
		{"share of the North", "SELECT count(*) FILTER (WHERE region = 'North') / count(*) FROM dbt.fct_orders", 0.22, 0.28},
		{"regions, countries and segments", "SELECT count(DISTINCT region) * 100 + count(DISTINCT country) * 10 + count(DISTINCT customer_segment) FROM dbt.fct_orders", 436, 436},
		{"share of new customers", "SELECT avg(is_first_order::int) FROM dbt.fct_orders", 0.1, 0.15},
		{"customers without an order", "SELECT avg((orders = 0)::int) FROM dbt.dim_customers", 0.04, 0.1},
		{"conversion rate", "SELECT avg(converted::int) FROM dbt.fct_sessions", 0.2, 0.35},
		{"conversion rate of TV sets", "SELECT avg(converted::int) FROM dbt.fct_sessions WHERE device = 'smart_tv'", 0, 0},
		{"unknown visitors", "SELECT avg((customer_id IS NULL)::int) FROM dbt.fct_sessions", 0.2, 0.45},
		{"visits with an order are converted", "SELECT count(*) FROM dbt.fct_sessions WHERE converted <> (order_id IS NOT NULL)", 0, 0},
		{"subscribers on the last day", "SELECT sum(active_subscribers) FROM dbt.fct_subscriptions_daily WHERE subscription_day = DATE '2025-12-31'", 1800, 3500},
		{"churn in a month", "SELECT sum(churned_subscriptions) / 24 / 1600 FROM dbt.fct_subscriptions_daily", 0.02, 0.08},
		{"groups that churn and have nobody left", "SELECT count(*) FROM dbt.fct_subscriptions_daily WHERE active_subscribers = 0 AND churned_subscriptions > 0", 1, 500},
		{"tickets per order", "SELECT (SELECT count(*) FROM dbt.fct_support_tickets) / (SELECT count(*) FROM dbt.fct_orders)", 0.08, 0.15},
		{"median hours to resolution", "SELECT median(resolution_hours) FROM dbt.fct_support_tickets", 10, 48},
		{"open tickets", "SELECT avg((NOT is_resolved)::int) FROM dbt.fct_support_tickets", 0.03, 0.1},
		{"urgent tickets are answered sooner", "SELECT quantile_cont(first_response_hours, 0.9) FILTER (WHERE priority = 'low') / quantile_cont(first_response_hours, 0.9) FILTER (WHERE priority = 'urgent') FROM dbt.fct_support_tickets", 5, 40},
		{"negative waiting times", "SELECT count(*) FROM dbt.fct_support_tickets WHERE first_response_hours < 0 OR resolution_hours < first_response_hours", 0, 0},
		{"stockout rate", "SELECT avg(is_stockout::int) FROM dbt.fct_stock_daily", 0.01, 0.1},
		{"counts of Vienna on Sundays", "SELECT count(*) FROM dbt.fct_stock_daily WHERE warehouse = 'Vienna' AND isodow(stock_day) = 7", 0, 0},
		{"negative stock", "SELECT count(*) FROM dbt.fct_stock_daily WHERE units_on_hand < 0", 0, 0},
		{"on-time delivery rate", "SELECT sum(deliveries) FILTER (WHERE sla_status <> 'late') / sum(deliveries) FROM dbt.mart_delivery_sla_daily", 0.9, 0.97},
		{"on-time delivery rate of December", "SELECT sum(deliveries) FILTER (WHERE sla_status <> 'late') / sum(deliveries) FROM dbt.mart_delivery_sla_daily WHERE month(delivery_day) = 12", 0.8, 0.91},
		{"customer acquisition cost", "SELECT (SELECT sum(spend) FROM dbt.fct_marketing_spend_daily) / (SELECT count(*) FROM dbt.fct_orders WHERE is_first_order)", 10, 30},
		{"advertising before the first delivery", "SELECT sum(spend) FROM dbt.fct_marketing_spend_daily WHERE region_id = 12 AND spend_day < DATE '2025-04-01'", 50, 1000},
		{"orders of Innsbruck before it opened", "SELECT count(*) FROM dbt.fct_orders WHERE region_id = 12 AND order_day < DATE '2025-04-01'", 0, 0},
		{"orders of another day in UTC", "SELECT count(*) FROM dbt.fct_orders WHERE order_day <> ordered_at::date", 500, 3000},
		{"summer time, hour of the first order of a day", "SELECT hour(min(ordered_at)) FROM dbt.fct_orders WHERE order_day = DATE '2025-07-04'", 22, 22},
		{"winter time, hour of the first order of a day", "SELECT hour(min(ordered_at)) FROM dbt.fct_orders WHERE order_day = DATE '2025-12-05'", 23, 23},
		{"fruit in summer against winter", "SELECT (SELECT avg((category = 'Fruit')::int) FROM dbt.fct_order_items WHERE month(order_day) BETWEEN 5 AND 8) / (SELECT avg((category = 'Fruit')::int) FROM dbt.fct_order_items WHERE month(order_day) NOT BETWEEN 5 AND 8)", 1.05, 1.4},
		{"retention in the first month", "SELECT avg(retention_rate) FROM dbt.mart_customer_cohorts_monthly WHERE months_since_first_order = 0", 1, 1},
		{"days of the spine", "SELECT count(*) FROM dbt.dim_time_spine_daily", 365 + 366 + 365, 365 + 366 + 365},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got float64
			if err := db.QueryRow("SELECT (" + tt.sql + ")::double").Scan(&got); err != nil {
				t.Fatal(err)
			}
			if got < tt.low || got > tt.high {
				t.Errorf("%v, want %v to %v", got, tt.low, tt.high)
			}
		})
	}
}

func BenchmarkBuild(b *testing.B) {
	for b.Loop() {
		if _, err := Build(b.Context(), b.TempDir(), true); err != nil {
			b.Fatal(err)
		}
	}
}

// The rows themselves, without a database. The first round makes them; the
// others only read them again.
func BenchmarkRows(b *testing.B) {
	for b.Loop() {
		for _, t := range raw.Tables() {
			for range t.Rows {
			}
		}
	}
}
