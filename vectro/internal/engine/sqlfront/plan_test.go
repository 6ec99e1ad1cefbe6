package sqlfront

import (
	"context"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/dates"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/exec"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// show writes a value as a result would, text without quotes.
func show(v plan.Value, t plan.Type) string {
	switch v.Base {
	case plan.Null:
		return "null"
	case plan.Bool:
		return map[int64]string{0: "false", 1: "true"}[v.I]
	case plan.String, plan.Text:
		return v.S
	case plan.Date:
		return string(dates.Append(nil, v.I, t.Unit, t.Unit == col.Day, t.Zone))
	}
	return string(plan.AppendNumber(nil, v))
}

// run answers a query: a line of names, then a line per row.
func run(t *testing.T, n plan.Node) string {
	t.Helper()
	res, err := exec.Run(context.Background(), n, exec.Options{Threads: 2, Limit: -1})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range res.Schema {
		names = append(names, f.Name)
	}
	lines := []string{strings.Join(names, "|")}
	for _, r := range res.Rows {
		var cells []string
		for i, v := range r {
			cells = append(cells, show(v, res.Schema[i].Type))
		}
		lines = append(lines, strings.Join(cells, "|"))
	}
	return strings.Join(lines, "\n")
}

// Names and rows, worked out by hand from PostgreSQL's rules.
var accepted = []struct{ text, want string }{
	// Select list and names.
	{"SELECT 1+1", "?column?\n2"},
	{"SELECT 1 AS a, 2, 3, 'x' b", "a|?column?|?column?_1|b\n1|2|3|x"},
	{"SELECT id, id, qty AS id, qty AS id_1 FROM orders WHERE id = 1", "id|id_2|id_3|id_1\n1|1|2|2"},
	{"SELECT lower(region), CASE WHEN true THEN 1 END, coalesce(NULL, 2), nullif(1, 1), greatest(1, NULL, 3), qty::text, current_date FROM orders LIMIT 1",
		"lower|case|coalesce|nullif|greatest|qty|current_date\neu|1|2|null|3|2|2026-11-30"},
	{"SELECT * FROM customers LIMIT 1", "id|name|region\n10|Ada|EU"},
	{"SELECT c.*, c.id FROM customers c LIMIT 1", "id|name|region|id_1\n10|Ada|EU|10"},
	{"TABLE customers LIMIT 1", "id|name|region\n10|Ada|EU"},
	{"SELECT note FROM orders WHERE id = 2", "note\nb"},
	{"SELECT NULL, 'it''s', E'a\\nb', $$x$$", "?column?|?column?_1|?column?_2|?column?_3\nnull|it's|a\nb|x"},
	{"SELECT count(*) FROM (SELECT '81337548367276468158' AS id) t WHERE id = 81337548367276468158", "count\n1"},
	{"SELECT 0xffffffffffffffff AS x, 0o7777777777777777777777777 AS o, 0b11 AS b, 98765432109876543210 AS d", "x|o|b|d\n18446744073709552000|3.777893186295716e+22|3|98765432109876540000"},
	{"SELECT 9007199254740993, -9223372036854775808, 1.5, 1e3, 0xff, 1_000", "?column?|?column?_1|?column?_2|?column?_3|?column?_4|?column?_5\n9007199254740993|-9223372036854775808|1.5|1000|255|1000"},

	// Names in either case, quoted, long, and of both tables.
	{`SELECT Price, "price", "Unit Price", "select", GRÖßE, ` + strings.ToUpper(longName) + ` FROM "odd table"`,
		"Price|price|unit price|select|größe|" + longName + "\n1|2|3|5|6|4"},
	{"SELECT O.ID FROM Orders AS O WHERE o.Region = 'APAC'", "id\n5"},
	{"SELECT main.orders.id FROM main.orders LIMIT 1", "id\n1"},

	// WHERE and three-valued logic.
	{"SELECT id FROM orders WHERE price > 10 AND region = 'EU'", "id\n1\n3"},
	{"SELECT id FROM orders WHERE NOT (qty > 1)", "id\n2\n6"},
	{"SELECT id FROM orders WHERE qty IN (1, 5)", "id\n2\n5\n6"},
	{"SELECT id FROM orders WHERE qty NOT IN (1, 5)", "id\n1\n3"},
	{"SELECT id FROM orders WHERE qty NOT IN (1, NULL)", "id"},
	{"SELECT id FROM orders WHERE region IN ('EU', NULL)", "id\n1\n3"},
	{"SELECT id FROM orders WHERE id IN (qty, 6)", "id\n3\n5\n6"},
	{"SELECT id FROM orders WHERE region IS NULL", "id\n4"},
	{"SELECT id FROM orders WHERE region = NULL", "id"},
	{"SELECT id FROM orders WHERE region IS NOT NULL AND price IS NULL", "id\n5"},
	{"SELECT id FROM orders WHERE region IS DISTINCT FROM 'EU'", "id\n2\n4\n5\n6"},
	{"SELECT id FROM orders WHERE region IS NOT DISTINCT FROM NULL", "id\n4"},
	{"SELECT id FROM orders WHERE active", "id\n1\n3\n6"},
	{"SELECT id FROM orders WHERE active IS NOT TRUE", "id\n2\n4\n5"},
	{"SELECT id FROM orders WHERE active IS FALSE", "id\n2\n5"},
	{"SELECT id FROM orders WHERE (price > 10) IS UNKNOWN", "id\n5"},
	{"SELECT id FROM orders WHERE price BETWEEN 7 AND 12.5", "id\n1\n2\n6"},
	{"SELECT id FROM orders WHERE price NOT BETWEEN 7 AND 12.5", "id\n3\n4"},
	{"SELECT id FROM orders WHERE price BETWEEN SYMMETRIC 12.5 AND 7", "id\n1\n2\n6"},
	{"SELECT id FROM orders WHERE false", "id"},
	{"SELECT id FROM orders WHERE region LIKE 'E_'", "id\n1\n3"},
	{"SELECT id FROM orders WHERE region NOT LIKE 'E%'", "id\n2\n5\n6"},
	{"SELECT id FROM orders WHERE region ILIKE 'eu' OR region ~ '^AP' OR region ~* 'na'", "id\n1\n2\n3\n5\n6"},
	{"SELECT name FROM customers WHERE name SIMILAR TO '(A|B)%' AND name !~ 'b$'", "name\nAda"},

	// Expressions.
	{"SELECT 7 / 2, div(7, 2), 7 % 2, 2 ^ 3, -7 % 2, - -1", "?column?|div|?column?_1|?column?_2|?column?_3|?column?_4\n3.5|3|1|8|-1|1"},
	{"SELECT 'a' || 'b' || 1, concat('a', NULL, 'b'), 'a' || NULL", "?column?|concat|?column?_1\nab1|ab|null"},
	{"SELECT CASE qty WHEN 1 THEN 'one' WHEN 2 THEN 'two' END AS w FROM orders", "w\ntwo\none\nnull\nnull\nnull\none"},
	{"SELECT substring('abcdef' FROM 2 FOR 3), substring('abc' FROM 'b.'), position('c' IN 'abc'), trim(BOTH 'x' FROM 'xax'), split_part('a-b', '-', 2)",
		"substring|substring_1|position|btrim|split_part\nbcd|bc|3|a|b"},
	{"SELECT CAST('12' AS int) + 1, '1.5'::float8, 2.5::int, 1::text || 'x', 'true'::bool, 123.456::numeric(5,1), 'abcdef'::varchar(2)",
		"?column?|float8|int4|?column?_1|bool|numeric|varchar\n13|1.5|2|1x|true|123.5|ab"},
	{"SELECT max((id * 9999)::numeric(3,1)), max((id * 3000000000)::int), max((id * 3000000000)::bigint), max((id * 20000)::smallint), max(region::int) FROM orders WHERE id = 2",
		"max|max_1|max_2|max_3|max_4\nnull|null|6000000000|null|null"},
	{"SELECT '9007199254740993'::bigint, '2147483647'::int, (-32768)::smallint, '1e3'::int, 2147483648::int8", "int8|int4|int2|int4_1|int8_1\n9007199254740993|2147483647|-32768|1000|2147483648"},
	{"SELECT round(price), round(price, 1), floor(price), abs(-qty) FROM orders WHERE id = 4", "round|round_1|floor|abs\n3|2.5|2|null"},

	// Dates.
	{"SELECT day, extract(year FROM day), date_part('month', day), date_trunc('month', day) FROM orders WHERE id = 3",
		"day|extract|date_part|date_trunc\n2024-02-01|2024|2|2024-02-01"},
	{"SELECT id FROM orders WHERE day >= DATE '2024-02-01' AND day < '2025-01-01'", "id\n3\n4"},
	{"SELECT day + 1, day - 1, 1 + day, day - DATE '2024-01-01', day + INTERVAL '1 month', day - INTERVAL '1 year 2 days' FROM orders WHERE id = 1",
		"?column?|?column?_1|?column?_2|?column?_3|?column?_4|?column?_5\n2024-01-02|2023-12-31|2024-01-02|0|2024-02-01|2022-12-30"},
	{"SELECT DATE '2024-01-31' + INTERVAL '1' MONTH, '2024-01-01'::date + interval '36:30:00'", "?column?|?column?_1\n2024-02-29|2024-01-02T12:30:00"},
	{"SELECT TIMESTAMP '2024-01-01 12:30:00'::date, current_timestamp", "date|current_timestamp\n2024-01-01|2026-11-30T12:00:00Z"},

	// Aggregates and grouping.
	{"SELECT count(*), count(price), count(active), count(DISTINCT region), sum(qty), avg(price), min(day), max(region) FROM orders",
		"count|count_1|count_2|count_3|sum|avg|min|max\n6|5|5|3|12|10.2|2024-01-01|NA"},
	{"SELECT sum(price), count(*), min(price) FROM orders WHERE id > 100", "sum|count|min\nnull|0|null"},
	{"SELECT region, sum(price) AS total FROM orders GROUP BY region ORDER BY total DESC", "region|total\nAPAC|null\nEU|30.5\nNA|18\nnull|2.5"},
	{"SELECT region, sum(price) AS total FROM orders GROUP BY region ORDER BY total DESC NULLS LAST LIMIT 2", "region|total\nEU|30.5\nNA|18"},
	{"SELECT region, count(*) FROM orders GROUP BY region", "region|count\nAPAC|1\nEU|2\nNA|2\nnull|1"},
	{"SELECT region, count(*) n FROM orders GROUP BY 1 HAVING count(*) > 1 ORDER BY 1 DESC", "region|n\nNA|2\nEU|2"},
	{"SELECT lower(region) r, count(*) FROM orders GROUP BY r ORDER BY r NULLS FIRST", "r|count\nnull|1\napac|1\neu|2\nna|2"},
	{"SELECT extract(year FROM day) + 1 AS y, sum(price) / sum(qty) FROM orders WHERE day IS NOT NULL GROUP BY extract(year FROM day) ORDER BY y", "y|?column?\n2025|7.333333333333333\n2026|null"},
	{"SELECT sum(price) FILTER (WHERE active) AS a, sum(DISTINCT qty) AS d, count(*) FILTER (WHERE qty = 1) FROM orders", "a|d|count\n37.5|11|2"},
	{"SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY price), median(price), mode() WITHIN GROUP (ORDER BY region), bool_and(active), string_agg(region, ',') FROM orders",
		"percentile_cont|median|mode|bool_and|string_agg\n11|11|EU|false|EU,NA,EU,APAC,NA"},
	{"SELECT count(*), sum(1), max('a')", "count|sum|max\n1|1|a"},
	{"SELECT 1 WHERE false", "?column?"},
	{"SELECT NULL AS x, count(*) FROM orders GROUP BY x", "x|count\nnull|6"},
	{"SELECT DISTINCT NULL AS x FROM orders ORDER BY x", "x\nnull"},
	{"SELECT min(NULL), sum(NULL), count(NULL), count(DISTINCT NULL), avg(NULL) FROM orders", "min|sum|count|count_1|avg\nnull|null|0|0|null"},
	{"SELECT id FROM orders WHERE NULL", "id"},
	{"SELECT id FROM orders ORDER BY NULL + 1, id LIMIT 1", "id\n1"},
	{"SELECT CASE WHEN id > 1 THEN NULL END, coalesce(NULL, NULL) FROM orders LIMIT 1", "case|coalesce\nnull|null"},
	{"SELECT count(*) FROM orders o JOIN customers c ON NULL", "count\n0"},
	{"SELECT count(c.id) FROM orders o LEFT JOIN customers c ON false", "count\n0"},
	{"SELECT x FROM (VALUES (NULL), (NULL)) v(x) GROUP BY x", "x\nnull"},
	{"SELECT a.x FROM (VALUES (NULL)) a(x) JOIN (VALUES (NULL)) b(y) ON a.x = b.y", "x"},
	{"SELECT a.x FROM (SELECT NULL AS x) a JOIN (SELECT 'a' AS y) b ON a.x IS NOT DISTINCT FROM b.y", "x"},
	{"SELECT sum(qty) s, 'k' AS k FROM orders GROUP BY k", "s|k\n12|k"},
	{"SELECT 1 FROM orders HAVING true", "?column?\n1"},
	{"SELECT 1 FROM orders HAVING count(*) > 100", "?column?"},
	{"SELECT active, count(*) FROM orders GROUP BY active ORDER BY active", "active|count\nfalse|2\ntrue|3\nnull|1"},
	{"SELECT count(*) FROM orders GROUP BY region HAVING region = 'EU'", "count\n2"},

	// DISTINCT and order.
	{"SELECT DISTINCT region FROM orders", "region\nEU\nNA\nnull\nAPAC"},
	{"SELECT DISTINCT active, region IS NULL AS n FROM orders ORDER BY n, active DESC", "active|n\ntrue|false\nfalse|false\nnull|true"},
	{"SELECT id FROM orders ORDER BY price", "id\n4\n6\n2\n1\n3\n5"},
	{"SELECT id FROM orders ORDER BY price DESC", "id\n5\n3\n1\n2\n6\n4"},
	{"SELECT id FROM orders ORDER BY region NULLS FIRST, id DESC", "id\n4\n5\n3\n1\n6\n2"},
	{"SELECT id, -id AS k FROM orders ORDER BY k LIMIT 2", "id|k\n6|-6\n5|-5"},
	{"SELECT id AS price FROM orders ORDER BY price DESC LIMIT 1", "price\n6"},
	{"SELECT id FROM orders ORDER BY qty % 2, id OFFSET 1 ROWS FETCH NEXT 2 ROWS ONLY", "id\n2\n3"},
	{"SELECT id FROM orders LIMIT 0", "id"},
	{"SELECT id FROM orders OFFSET 5", "id\n6"},
	{"SELECT id FROM orders LIMIT NULL OFFSET 4", "id\n5\n6"},

	// Joins.
	{"SELECT o.id, name FROM orders o JOIN customers c ON o.customer = c.id", "id|name\n1|Ada\n2|Bob\n3|Ada\n4|Cyd"},
	{"SELECT o.id, name FROM orders o, customers c WHERE o.customer = c.id AND price > 11", "id|name\n1|Ada\n3|Ada"},
	{"SELECT o.id, name FROM orders o LEFT JOIN customers c ON o.customer = c.id", "id|name\n1|Ada\n2|Bob\n3|Ada\n4|Cyd\n5|null\n6|null"},
	{"SELECT o.id, name FROM orders o LEFT JOIN customers c ON o.customer = c.id AND name <> 'Ada'", "id|name\n1|null\n2|Bob\n3|null\n4|Cyd\n5|null\n6|null"},
	{"SELECT o.id, name FROM orders o LEFT JOIN customers c ON o.customer = c.id AND o.price > 12 WHERE o.id < 4", "id|name\n1|Ada\n2|null\n3|Ada"},
	{"SELECT o.id FROM orders o LEFT JOIN customers c ON o.customer = c.id WHERE c.id IS NULL", "id\n5\n6"},
	{"SELECT name, o.id FROM orders o RIGHT JOIN customers c ON o.customer = c.id", "name|id\nAda|1\nAda|3\nBob|2\nCyd|4\nDee|null"},
	{"SELECT * FROM (SELECT id, region FROM orders) a JOIN customers USING (region) ORDER BY a.id, name LIMIT 2", "region|id|id_1|name\nEU|1|10|Ada\nEU|1|30|Cyd"},
	{"SELECT region, a.region, c.region FROM (SELECT 'XX' AS region) a RIGHT JOIN customers c USING (region) LIMIT 1", "region|region_1|region_2\nEU|null|EU"},
	{"SELECT count(*) FROM orders NATURAL JOIN (SELECT 1 AS id, 'EU' AS region) x", "count\n1"},
	{"SELECT count(*) FROM orders CROSS JOIN customers", "count\n24"},
	{"SELECT a.id, b.id FROM orders a JOIN orders b ON a.id < b.id AND a.region = b.region", "id|id_1\n1|3\n2|6"},
	{"SELECT a.id FROM orders a, customers c, orders b WHERE b.id = a.id + 1 AND c.id = b.customer AND a.id = 1", "id\n1"},
	{"SELECT o.id FROM orders o JOIN \"Odd Table\" t ON o.customer = t.customer", "id\n1\n3"},
	{"SELECT c.name, sum(o.price) s, count(o.id) n FROM customers c LEFT JOIN orders o ON o.customer = c.id GROUP BY c.name ORDER BY s DESC NULLS LAST, c.name", "name|s|n\nAda|30.5|2\nBob|11|1\nCyd|2.5|1\nDee|null|0"},

	// Subqueries in FROM, WITH, VALUES.
	{"SELECT r, n + 1 FROM (SELECT region, count(*) FROM orders GROUP BY region) AS x(r, n) WHERE n > 1 ORDER BY r", "r|?column?\nEU|3\nNA|3"},
	{"SELECT max(total) FROM (SELECT sum(price) AS total FROM orders GROUP BY region) t", "max\n30.5"},
	{"SELECT * FROM (SELECT id FROM orders ORDER BY id DESC LIMIT 2) t ORDER BY id", "id\n5\n6"},
	{"WITH t AS (SELECT region r, sum(price) s FROM orders GROUP BY region), u(q) AS (SELECT max(s) FROM t) SELECT r FROM t, u WHERE s = q", "r\nEU"},
	{"WITH orders AS (SELECT 7 AS id) SELECT id FROM orders", "id\n7"},
	{"WITH a AS (SELECT 1 x) SELECT * FROM (WITH a AS (SELECT 2 x) SELECT * FROM a) b, a", "x|x_1\n2|1"},
	{"VALUES (1, 'a'), (2.5, NULL)", "column1|column2\n1|a\n2.5|null"},
	{"VALUES (2), (1) ORDER BY column1 LIMIT 1", "column1\n1"},
	{"SELECT sum(a) FROM (VALUES (1), (2), (-4)) AS v(a)", "sum\n-1"},
	{"SELECT a + 1 FROM (VALUES (9223372036854775807)) AS v(a)", "?column?\n9223372036854775808"},
}

// The parser keeps 63 bytes of a name; the text says the rest.
func TestPlan_LongNames(t *testing.T) {
	long := strings.Repeat("Umsätze_je_Region_", 5)
	for text, want := range map[string]string{
		`SELECT sum(qty) AS "` + long + `" FROM orders ORDER BY "` + long + `"`:            long,
		`SELECT sum(qty) AS ` + long + ` FROM orders`:                                      strings.ToLower(long),
		`WITH "` + long + `" AS (SELECT qty FROM orders) SELECT qty FROM "` + long + `" x`: "qty",
		`SELECT "` + long + `".qty FROM orders AS "` + long + `"`:                          "qty",
	} {
		n, err := Plan(text, lookup, env)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := n.Schema()[0].Name; got != want {
			t.Errorf("%s: the column is called %q", text, got)
		}
	}
}

func TestPlan_Answers(t *testing.T) {
	for _, tt := range accepted {
		t.Run(tt.text, func(t *testing.T) {
			n, err := Plan(tt.text, lookup, env)
			if err != nil {
				t.Fatal(err)
			}
			if got := run(t, n); got != tt.want {
				t.Errorf("%s\n got %q\nwant %q\n%s", tt.text, got, tt.want, plan.Explain(n))
			}
		})
	}
}

// Every documented function can be called in SQL, but for those whose names
// PostgreSQL's grammar takes for something else: CASE, which is CASE … END there,
// and extract, of which the form with a regular expression is regexp_substr.
func TestPlan_Functions(t *testing.T) {
	calls := []string{
		"abs(price)", "sign(price)", "floor(price)", "ceil(price)", "round(price, 1)", "trunc(price)", "sqrt(price)", "cbrt(price)", "exp(price)",
		"ln(price)", "log(price)", "log2(price)", "log10(price)", "pow(price, 2)", "power(price, 2)", "least(qty, 1)", "greatest(qty, 1)", "clamp(qty, 1, 2)",
		"mod(qty, 2)", "sin(price)", "cos(price)", "tan(price)", "asin(price)", "acos(price)", "atan(price)", "atan2(price, 1)", "sinh(price)", "cosh(price)",
		"tanh(price)", "degrees(price)", "radians(price)", "pi()", "e()", "isFinite(price)", "lower(region)", "upper(region)", "trim(region)", "ltrim(region)",
		"rtrim(region)", "length(region)", "left(region, 1)", "right(region, 1)", "substr(region, 1, 1)", "contains(region, 'E')", "startsWith(region, 'E')",
		"endsWith(region, 'U')", "indexOf(region, 'U')", "replace(region, 'E', 'e')", "concat(region, 'x')", "padLeft(region, 5)", "padRight(region, 5)",
		"split(region, 'U', 1)", "matches(region, '^E')", "regexp_substr(region, 'E(.)')", "toNumber(region)", "toText(qty)", "date('2024-01-01')", "year(day)",
		"quarter(day)", "month(day)", "day(day)", "weekday(day)", "hour(day)", "minute(day)", "second(day)", "week(day)", "dayOfYear(day)", "yearMonth(day)",
		"trunc(day, 'month')", "addDays(day, 1)", "addMonths(day, 1)", "diff(day, day, 'days')", "today()", "now()", "if(active, 1, 0)", "coalesce(qty, 0)",
		"ifMissing(qty, 0)", "isMissing(qty)", "nullIf(qty, 1)", "bucket(price, 5)",
		"sum(qty)", "mean(qty)", "avg(qty)", "min(qty)", "max(qty)", "countDistinct(qty)", "median(qty)", "quantile(qty, 0.9)", "stddev(qty)", "variance(qty)",
		"stddevPop(qty)", "variancePop(qty)", "first(qty)", "last(qty)", "mode(qty)", `"any"(active)`, `"all"(active)`, "share(active)", "approxDistinct(qty)",
		"stddev_samp(qty)", "var_pop(qty)", "bool_or(active)", "bool_and(active)", "any_value(qty)", "corr(qty, id)", "regr_slope(qty, id)",
	}
	for _, c := range calls {
		n, err := Plan("SELECT "+c+" FROM orders", lookup, env)
		if err != nil {
			t.Errorf("%s: %v", c, err)
			continue
		}
		run(t, n)
	}
}

// The shapes that decide whether a query is fast: conditions at their tables,
// equalities as keys, no join without a condition where another order has one.
func TestPlan_Joins(t *testing.T) {
	tests := []struct{ text, want string }{
		{"SELECT o.id FROM orders o, customers c WHERE o.customer = c.id AND o.price > 3 AND c.region = 'EU' AND o.qty < c.id", `
project id
  inner join on customer == id where qty < id
    filter price > 3
      scan orders as o
    filter region == 'EU'
      scan customers as c
`},
		{"SELECT 1 FROM orders a, customers c, orders b WHERE a.id = b.id AND c.id = b.customer", "\n" +
			"project 1 as `?column?`\n" +
			"  project id, day, region, customer, price, qty, active, note, id, name, region, id, day, region, customer, price, qty, active, note\n" + `    inner join on customer == id
      inner join on id == id
        scan orders as a
        scan orders as b
      scan customers as c
`},
	}
	for _, tt := range tests {
		if got := "\n" + explain(t, tt.text); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

func TestPlan_Explain(t *testing.T) {
	n, err := Plan("EXPLAIN SELECT id FROM orders WHERE price > 1", lookup, env)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := run(t, n), "plan\nproject id\n  filter price > 1\n    scan orders"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func BenchmarkPlan(b *testing.B) {
	for b.Loop() {
		if _, err := Plan("SELECT region, sum(price) AS total FROM orders WHERE qty > 1 GROUP BY region ORDER BY total DESC", lookup, env); err != nil {
			b.Fatal(err)
		}
	}
}
