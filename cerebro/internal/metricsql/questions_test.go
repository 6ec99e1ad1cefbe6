package metricsql_test

import (
	"encoding/json"

	"github.com/quartet-mcp/quartet/cerebro/internal/semantic"
)

type question struct {
	name    string
	request semantic.Request
	berlin  bool // the project's zone is Europe/Berlin, else UTC
	hand    string
}

func span(start, end string) semantic.Range {
	return semantic.Range{Start: date(start), End: date(end)}
}

func where(field, op string, value any) semantic.Condition {
	return semantic.Condition{Field: field, Op: op, Value: value}
}

func list(v ...any) []any { return v }

// joined is the orders with what their customers and stores say.
const joined = `(SELECT o.*, c.region AS c_region, c.country, s.city, s.region AS s_region, CAST(o.ordered_at AS DATE) AS day
  FROM shop.orders o LEFT JOIN shop.customers c USING (customer_id) LEFT JOIN shop.stores s USING (store_id))`

var questions = []question{
	{"scalar", semantic.Request{Metrics: []string{"revenue"}}, false, `SELECT sum(amount) FROM shop.orders`},
	{"several scalars", semantic.Request{Metrics: []string{"revenue", "units", "orders", "paid_orders", "buyers", "mean_amount", "median_hours", "p90_hours", "p90_disc", "largest"}}, false,
		`SELECT sum(amount), sum(units), count(*), count(*) FILTER (WHERE paid), count(DISTINCT customer_id), avg(amount), median(hours), quantile_cont(hours, 0.9), quantile_disc(hours, 0.9), max(amount) FROM shop.orders`},
	{"nothing in the range", semantic.Request{Metrics: []string{"revenue", "orders"}, Range: span("1999-01-01", "1999-02-01")}, false, `SELECT NULL, 0`},
	{"by its own column", semantic.Request{Metrics: []string{"revenue"}, Dimensions: []string{"status"}}, false, `SELECT status, sum(amount) FROM shop.orders GROUP BY 1`},
	{"by an expression", semantic.Request{Metrics: []string{"orders"}, Dimensions: []string{"big"}}, false, `SELECT units > 5, count(*) FROM shop.orders GROUP BY 1`},
	{"by month", semantic.Request{Metrics: []string{"revenue"}, Grain: semantic.Month}, false, `SELECT CAST(date_trunc('month', ordered_at) AS DATE), sum(amount) FROM shop.orders GROUP BY 1`},
	{"by week over new year", semantic.Request{Metrics: []string{"orders"}, Grain: semantic.Week}, false, `SELECT CAST(date_trunc('week', ordered_at) AS DATE), count(*) FROM shop.orders GROUP BY 1`},
	{"by quarter and year", semantic.Request{Metrics: []string{"orders"}, Dimensions: []string{"metric_time__quarter", "year"}}, false,
		`SELECT CAST(date_trunc('quarter', ordered_at) AS DATE), CAST(date_trunc('year', ordered_at) AS DATE), count(*) FROM shop.orders GROUP BY 1, 2`},
	{"by hour", semantic.Request{Metrics: []string{"orders"}, Grain: semantic.Hour}, false, `SELECT date_trunc('hour', ordered_at), count(*) FROM shop.orders GROUP BY 1`},
	{"by day in Berlin", semantic.Request{Metrics: []string{"orders"}, Grain: semantic.Day}, true,
		`SELECT CAST((ordered_at AT TIME ZONE 'UTC') AT TIME ZONE 'Europe/Berlin' AS DATE), count(*) FROM shop.orders GROUP BY 1`},
	{"a range in Berlin", semantic.Request{Metrics: []string{"orders"}, Range: span("2025-01-01", "2025-03-31")}, true,
		`SELECT count(*) FROM shop.orders WHERE ordered_at >= '2024-12-31 23:00:00' AND ordered_at < '2025-03-30 22:00:00'`},
	{"by a customer's region", semantic.Request{Metrics: []string{"revenue"}, Dimensions: []string{"customer__region"}}, false, `SELECT c_region, sum(amount) FROM ` + joined + ` GROUP BY 1`},
	{"by two regions", semantic.Request{Metrics: []string{"revenue"}, Dimensions: []string{"customer__region", "store__region"}}, false, `SELECT c_region, s_region, sum(amount) FROM ` + joined + ` GROUP BY 1, 2`},
	{"by country and month", semantic.Request{Metrics: []string{"revenue", "aov"}, Dimensions: []string{"country"}, Grain: semantic.Month}, false,
		`SELECT CAST(date_trunc('month', ordered_at) AS DATE), country, sum(amount), count(*), sum(amount)::DOUBLE / count(*) FROM ` + joined + ` GROUP BY 1, 2`},
	{"by a key", semantic.Request{Metrics: []string{"orders"}, Dimensions: []string{"customer"}}, false, `SELECT customer_id, count(*) FROM shop.orders GROUP BY 1`},
	{"a filter on what is not shown", semantic.Request{Metrics: []string{"revenue"}, Dimensions: []string{"city"}, Filters: []semantic.Condition{where("country", "=", "DE")}}, false,
		`SELECT city, sum(amount) FROM ` + joined + ` WHERE country = 'DE' GROUP BY 1`},
	{"every operator", semantic.Request{Metrics: []string{"orders"}, Filters: []semantic.Condition{
		where("status", "in", list("done", "refund", "O'Hara")), where("status", "not_in", list("open")), where("status", "contains", "e"),
		where("paid", "is_not_null", nil), where("ordered_at", ">=", "2024-12-30"), where("ordered_at", "between", list("2024-12-30", "2025-12-31")),
	}}, false, ""},
	{"a text with a quote", semantic.Request{Metrics: []string{"orders"}, Filters: []semantic.Condition{where("status", "=", "O'Hara")}}, false, `SELECT 1`},
	{"a boolean", semantic.Request{Metrics: []string{"orders"}, Filters: []semantic.Condition{where("paid", "=", false)}}, false, `SELECT count(*) FROM shop.orders WHERE NOT paid`},
	{"not equal leaves null out", semantic.Request{Metrics: []string{"orders"}, Filters: []semantic.Condition{where("customer__region", "!=", "North")}}, false, `SELECT count(*) FROM ` + joined + ` WHERE c_region <> 'North'`},
	{"null is asked for", semantic.Request{Metrics: []string{"orders"}, Filters: []semantic.Condition{where("customer__region", "is_null", nil)}}, false, `SELECT count(*) FROM ` + joined + ` WHERE c_region IS NULL`},
	{"starts with", semantic.Request{Metrics: []string{"orders"}, Filters: []semantic.Condition{where("city", "starts_with", "K")}}, false, `SELECT count(*) FROM ` + joined + ` WHERE city LIKE 'K%'`},
	{"a filter on a metric", semantic.Request{Metrics: []string{"revenue"}, Dimensions: []string{"status"}, Filters: []semantic.Condition{where("revenue", ">", json.Number("60.5"))}}, false,
		`SELECT status, sum(amount) FROM shop.orders GROUP BY 1 HAVING sum(amount) > 60.5`},
	{"a filter on the month", semantic.Request{Metrics: []string{"customers"}, Filters: []semantic.Condition{where("country", "=", "DE")}, Grain: semantic.Month}, false,
		`SELECT CAST(date_trunc('month', joined) AS DATE), count(*) FROM shop.customers WHERE country = 'DE' GROUP BY 1`},
	{"a metric's own filter", semantic.Request{Metrics: []string{"done_revenue"}, Dimensions: []string{"customer"}}, false, `SELECT customer_id, sum(amount) FROM shop.orders WHERE status = 'done' GROUP BY 1`},
	{"its filter over a join", semantic.Request{Metrics: []string{"north_revenue"}, Grain: semantic.Month}, false,
		`SELECT CAST(date_trunc('month', ordered_at) AS DATE), sum(amount) FROM ` + joined + ` WHERE c_region = 'North' GROUP BY 1`},
	{"its filter on time", semantic.Request{Metrics: []string{"recent_revenue"}, Range: span("2024-01-01", "2026-01-01")}, false, `SELECT sum(amount) FROM shop.orders WHERE date_trunc('month', ordered_at) >= '2025-02-01'`},
	{"two with filters of their own", semantic.Request{Metrics: []string{"done_revenue", "north_revenue"}, Dimensions: []string{"status"}}, false,
		`SELECT status, sum(amount) FILTER (WHERE status = 'done'), sum(amount) FILTER (WHERE c_region = 'North') FROM ` + joined + ` WHERE status = 'done' OR c_region = 'North' GROUP BY 1`},
	{"a ratio and nothing below", semantic.Request{Metrics: []string{"aov"}, Range: span("1999-01-01", "1999-02-01")}, false, `SELECT NULL, 0, NULL`},
	{"a ratio with a filter", semantic.Request{Metrics: []string{"done_share"}, Dimensions: []string{"city"}}, false,
		`SELECT city, sum(amount), sum(amount) FILTER (WHERE status = 'done')::DOUBLE / sum(amount) FROM ` + joined + ` GROUP BY 1`},
	{"derived", semantic.Request{Metrics: []string{"net"}}, false, `SELECT sum(amount) - sum(amount) FILTER (WHERE status = 'open') FROM shop.orders`},
	{"derived of a ratio", semantic.Request{Metrics: []string{"doubled_aov"}}, false, `SELECT 2 * sum(amount)::DOUBLE / count(*) FROM shop.orders`},
	{"two models by a shared dimension", semantic.Request{Metrics: []string{"orders", "tickets"}, Dimensions: []string{"customer__region"}}, false,
		`WITH o AS (SELECT c_region AS r, count(*) AS n FROM ` + joined + ` GROUP BY 1), t AS (SELECT region AS r, count(*) AS n FROM shop.tickets LEFT JOIN shop.customers USING (customer_id) GROUP BY 1)
		SELECT k.r, o.n, t.n FROM (SELECT r FROM o UNION SELECT r FROM t) k LEFT JOIN o ON o.r IS NOT DISTINCT FROM k.r LEFT JOIN t ON t.r IS NOT DISTINCT FROM k.r`},
	{"two models by month", semantic.Request{Metrics: []string{"revenue", "minutes"}, Grain: semantic.Month, Range: span("2025-01-01", "")}, false,
		`WITH o AS (SELECT CAST(date_trunc('month', ordered_at) AS DATE) AS m, sum(amount) AS v FROM shop.orders WHERE ordered_at >= '2025-01-01' GROUP BY 1),
		t AS (SELECT CAST(date_trunc('month', opened) AS DATE) AS m, sum(minutes) AS v FROM shop.tickets WHERE opened >= '2025-01-01' GROUP BY 1)
		SELECT m, o.v, t.v FROM o FULL JOIN t USING (m)`},
	{"two models, no dimension", semantic.Request{Metrics: []string{"revenue", "tickets"}}, false, `SELECT (SELECT sum(amount) FROM shop.orders), (SELECT count(*) FROM shop.tickets)`},
	{"a ratio over two models", semantic.Request{Metrics: []string{"tickets_per_order"}, Dimensions: []string{"country"}}, false,
		`WITH o AS (SELECT country AS r, count(*) AS n FROM ` + joined + ` GROUP BY 1), t AS (SELECT country AS r, count(*) AS n FROM shop.tickets LEFT JOIN shop.customers USING (customer_id) GROUP BY 1)
		SELECT k.r, t.n, o.n, t.n::DOUBLE / o.n FROM (SELECT r FROM o UNION SELECT r FROM t) k LEFT JOIN o ON o.r IS NOT DISTINCT FROM k.r LEFT JOIN t ON t.r IS NOT DISTINCT FROM k.r`},
	{"items by what orders know", semantic.Request{Metrics: []string{"item_revenue"}, Dimensions: []string{"status"}}, false,
		`SELECT o.status, sum(i.price) FROM shop.items i LEFT JOIN shop.orders o USING (order_id) GROUP BY 1`},
	{"items two joins away", semantic.Request{Metrics: []string{"item_revenue"}, Dimensions: []string{"order__customer__region"}}, false,
		`SELECT c_region, sum(i.price) FROM shop.items i LEFT JOIN ` + joined + ` o USING (order_id) GROUP BY 1`},
	{"stock of the last day", semantic.Request{Metrics: []string{"stock"}}, false, `SELECT 3 + 130`},
	{"stock by month", semantic.Request{Metrics: []string{"stock"}, Grain: semantic.Month}, false, `SELECT * FROM (VALUES (DATE '2025-01-01', 108), (DATE '2025-02-01', 133))`},
	{"stock by product", semantic.Request{Metrics: []string{"stock"}, Dimensions: []string{"product"}, Grain: semantic.Month}, false,
		`SELECT * FROM (VALUES (DATE '2025-01-01', 'x', 107), (DATE '2025-01-01', 'y', 1), (DATE '2025-02-01', 'x', 93), (DATE '2025-02-01', 'y', 40))`},
	{"stock with a filter", semantic.Request{Metrics: []string{"stock"}, Filters: []semantic.Condition{where("product", "=", "y")}, Grain: semantic.Month}, false,
		`SELECT * FROM (VALUES (DATE '2025-01-01', 51), (DATE '2025-02-01', 40))`},
	{"opening stock", semantic.Request{Metrics: []string{"opening_stock"}, Grain: semantic.Month}, false, `SELECT * FROM (VALUES (DATE '2025-01-01', 55), (DATE '2025-02-01', 3))`},
	{"stock in a range", semantic.Request{Metrics: []string{"stock"}, Range: span("2025-01-01", "2025-01-31")}, false, `SELECT 55`},
	{"growth", semantic.Request{Metrics: []string{"growth"}, Grain: semantic.Month}, false,
		`WITH m AS (SELECT CAST(date_trunc('month', ordered_at) AS DATE) AS m, sum(amount)::DOUBLE AS v FROM shop.orders GROUP BY 1)
		SELECT a.m, (a.v - b.v) / b.v FROM m a LEFT JOIN m b ON b.m = a.m - INTERVAL 1 MONTH`},
	{"growth in a range", semantic.Request{Metrics: []string{"growth"}, Grain: semantic.Month, Range: span("2025-02-01", "2025-04-01")}, false,
		`WITH m AS (SELECT CAST(date_trunc('month', ordered_at) AS DATE) AS m, sum(amount)::DOUBLE AS v FROM shop.orders GROUP BY 1)
		SELECT a.m, (a.v - b.v) / b.v FROM m a LEFT JOIN m b ON b.m = a.m - INTERVAL 1 MONTH WHERE a.m BETWEEN '2025-02-01' AND '2025-03-31'`},
	{"growth by city", semantic.Request{Metrics: []string{"growth"}, Dimensions: []string{"city"}, Grain: semantic.Month}, false,
		`WITH m AS (SELECT CAST(date_trunc('month', ordered_at) AS DATE) AS m, city, sum(amount)::DOUBLE AS v FROM ` + joined + ` GROUP BY 1, 2)
		SELECT a.m, a.city, (a.v - b.v) / b.v FROM m a LEFT JOIN m b ON b.m = a.m - INTERVAL 1 MONTH AND a.city IS NOT DISTINCT FROM b.city`},
	{"growth without a grain", semantic.Request{Metrics: []string{"growth"}, Range: span("2025-02-01", "2025-03-01")}, false, `SELECT (80.80 - 222.20) / 222.20`},
	{"only what was before", semantic.Request{Metrics: []string{"revenue_before"}, Grain: semantic.Month, Range: span("2025-02-01", "2025-06-01")}, false,
		`SELECT CAST(date_trunc('month', ordered_at) + INTERVAL 1 MONTH AS DATE), sum(amount) FROM shop.orders WHERE ordered_at >= '2025-01-01' GROUP BY 1`},
	{"since the start of the month", semantic.Request{Metrics: []string{"since_month_start"}, Grain: semantic.Day}, false,
		`WITH d AS (SELECT CAST(ordered_at AS DATE) AS d, count(*) AS n FROM shop.orders GROUP BY 1) SELECT a.d, a.n - b.n FROM d a LEFT JOIN d b ON b.d = date_trunc('month', a.d)`},
	{"all time by day", semantic.Request{Metrics: []string{"cumulative_revenue"}, Grain: semantic.Day, Range: span("2025-01-01", "2025-02-10")}, false,
		`SELECT CAST(d AS DATE), (SELECT sum(amount) FROM shop.orders WHERE ordered_at < d + INTERVAL 1 DAY) FROM generate_series(TIMESTAMP '2025-01-01', TIMESTAMP '2025-02-09', INTERVAL 1 DAY) s(d)`},
	{"all time by month", semantic.Request{Metrics: []string{"cumulative_revenue"}, Grain: semantic.Month}, false,
		`SELECT CAST(d AS DATE), (SELECT sum(amount) FROM shop.orders WHERE ordered_at < d + INTERVAL 1 MONTH) FROM generate_series(TIMESTAMP '2024-12-01', TIMESTAMP '2025-04-01', INTERVAL 1 MONTH) s(d)`},
	{"all time without a grain", semantic.Request{Metrics: []string{"cumulative_revenue"}, Range: span("2025-01-05", "2025-02-01")}, false, `SELECT sum(amount) FROM shop.orders WHERE ordered_at < '2025-02-01'`},
	{"all time by city", semantic.Request{Metrics: []string{"cumulative_revenue"}, Dimensions: []string{"city"}, Grain: semantic.Quarter}, false,
		`WITH k AS (SELECT DISTINCT city FROM ` + joined + `) SELECT * FROM (SELECT CAST(d AS DATE), k.city, (SELECT sum(amount) FROM ` + joined + ` o WHERE o.city IS NOT DISTINCT FROM k.city AND ordered_at < d + INTERVAL 3 MONTH) AS v
		FROM generate_series(TIMESTAMP '2024-10-01', TIMESTAMP '2025-04-01', INTERVAL 3 MONTH) s(d), k) WHERE v IS NOT NULL`},
	{"month to date", semantic.Request{Metrics: []string{"revenue_mtd"}, Grain: semantic.Day, Range: span("2025-01-28", "2025-02-03")}, false,
		`SELECT CAST(d AS DATE), (SELECT sum(amount) FROM shop.orders WHERE ordered_at >= date_trunc('month', d) AND ordered_at < d + INTERVAL 1 DAY) FROM generate_series(TIMESTAMP '2025-01-28', TIMESTAMP '2025-02-02', INTERVAL 1 DAY) s(d)`},
	{"month to date by month", semantic.Request{Metrics: []string{"revenue_mtd", "revenue"}, Grain: semantic.Month}, false,
		`SELECT CAST(date_trunc('month', ordered_at) AS DATE), sum(amount), sum(amount) FROM shop.orders GROUP BY 1`},
	{"seven days", semantic.Request{Metrics: []string{"revenue_7d"}, Grain: semantic.Day, Range: span("2025-01-03", "2025-01-16")}, false,
		`SELECT * FROM (SELECT CAST(d AS DATE), (SELECT sum(amount) FROM shop.orders WHERE ordered_at >= d - INTERVAL 6 DAY AND ordered_at < d + INTERVAL 1 DAY) AS v FROM generate_series(TIMESTAMP '2025-01-03', TIMESTAMP '2025-01-15', INTERVAL 1 DAY) s(d)) WHERE v IS NOT NULL`},
	{"buyers of 28 days", semantic.Request{Metrics: []string{"buyers_28d"}, Grain: semantic.Day, Range: span("2025-01-01", "2025-02-01")}, false,
		`SELECT CAST(d AS DATE), (SELECT count(DISTINCT customer_id) FROM shop.orders WHERE ordered_at >= d - INTERVAL 27 DAY AND ordered_at < d + INTERVAL 1 DAY) FROM generate_series(TIMESTAMP '2025-01-01', TIMESTAMP '2025-01-31', INTERVAL 1 DAY) s(d)`},
	{"buyers of 28 days without a grain", semantic.Request{Metrics: []string{"buyers_28d"}, Range: span("2025-01-01", "2025-02-01")}, false,
		`SELECT count(DISTINCT customer_id) FROM shop.orders WHERE ordered_at >= '2025-01-04' AND ordered_at < '2025-02-01'`},
	{"two months, averaged", semantic.Request{Metrics: []string{"revenue_2m"}, Grain: semantic.Month, Range: span("2025-02-01", "2025-03-01")}, false,
		`SELECT DATE '2025-02-01', avg(v) FROM (SELECT d, (SELECT sum(amount)::DOUBLE FROM shop.orders WHERE CAST(ordered_at AS DATE) > d - INTERVAL 2 MONTH AND ordered_at < d + INTERVAL 1 DAY) AS v FROM generate_series(TIMESTAMP '2025-02-01', TIMESTAMP '2025-02-28', INTERVAL 1 DAY) s(d))`},
	{"every month, filled", semantic.Request{Metrics: []string{"filled_orders"}, Grain: semantic.Month, Range: span("2024-11-01", "2025-06-01")}, false,
		`SELECT CAST(d AS DATE), (SELECT count(*) FROM shop.orders WHERE ordered_at >= d AND ordered_at < d + INTERVAL 1 MONTH) FROM generate_series(TIMESTAMP '2024-11-01', TIMESTAMP '2025-05-01', INTERVAL 1 MONTH) s(d)`},
	{"ordered and limited", semantic.Request{Metrics: []string{"revenue"}, Dimensions: []string{"status"}, OrderBy: []string{"-revenue"}, Limit: 2}, false,
		`SELECT status, sum(amount) FROM shop.orders GROUP BY 1 ORDER BY 2 DESC LIMIT 2`},
	{"the newest month first", semantic.Request{Metrics: []string{"revenue"}, Grain: semantic.Month, Limit: 1}, false, `SELECT DATE '2025-04-01', 12.12`},
}

func init() {
	for i := range questions {
		if questions[i].hand == "" {
			questions[i].hand = `SELECT count(*) FROM shop.orders WHERE status IN ('done', 'refund', 'O''Hara') AND status <> 'open' AND status LIKE '%e%' AND paid IS NOT NULL AND ordered_at BETWEEN '2024-12-30' AND '2025-12-31'`
		}
	}
}
