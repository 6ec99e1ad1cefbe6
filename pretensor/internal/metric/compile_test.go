package metric

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
)

// blanks are what a comparison of SQL does not depend on.
var blanks = regexp.MustCompile(`\s+`)

func flat(text string) string { return blanks.ReplaceAllString(text, " ") }

// The names of filters are those of attributes, columns and tables, and are written
// so that they mean in the SQL what they mean in the YAML.
func TestCompile_Filters(t *testing.T) {
	c := catalogOf(t, sqltree.Postgres, "public", `
		create schema raw;
		create table customers (id int primary key, name text, "Kind" text);
		create table orders (id int primary key, customer_id int references customers, raw_id int, state text, doc jsonb);
		create table raw.orders (id int primary key, state text);
		alter table orders add constraint r foreign key (raw_id) references raw.orders (id);
		create table customer_notes (customer_id int references customers, body text);`)
	attributes := `    attributes:
    - {name: status, description: a, source_column: state}
    - {name: who, description: a, source_column: customers.name}
    - {name: kind, description: a, source_column: customers.Kind}
`
	tests := []struct{ source, filter, want string }{
		{"public.orders", "state = 'open'", `FROM "public"."orders" AS "orders" WHERE (state = 'open')`},
		{"public.orders", "STATE = 'open'", `FROM "public"."orders" AS "orders" WHERE (STATE = 'open')`},
		{"public.orders", "status = 'open'", `FROM "public"."orders" AS "orders" WHERE ("orders"."state" = 'open')`},
		{"public.orders", "orders.state = 'open'", `FROM "public"."orders" AS "orders" WHERE ("orders"."state" = 'open')`},
		{"public.orders", "public.orders.state = 'open'", `FROM "public"."orders" AS "orders" WHERE ("orders"."state" = 'open')`},
		{"public.orders", "who = 'status' and status = 'who'", `FROM "public"."orders" AS "orders" LEFT JOIN "public"."customers" AS "customers" ON "orders"."customer_id" = "customers"."id" WHERE ("customers"."name" = 'status' and "orders"."state" = 'who')`},
		{"public.orders", "kind is null", `FROM "public"."orders" AS "orders" LEFT JOIN "public"."customers" AS "customers" ON "orders"."customer_id" = "customers"."id" WHERE ("customers"."Kind" is null)`},
		{"customers", "kind = 'a'", `FROM "public"."customers" AS "customers" WHERE ("customers"."Kind" = 'a')`}, // where attributes are none
		{"public.orders", "raw.orders.state = 'x'", `FROM "public"."orders" AS "orders" LEFT JOIN "raw"."orders" AS "raw_orders" ON "orders"."raw_id" = "raw_orders"."id" WHERE ("raw_orders"."state" = 'x')`},
		{"public.orders", "doc ->> 'status' = 'x'", `FROM "public"."orders" AS "orders" WHERE (doc ->> 'status' = 'x')`},
		{"public.orders", "coalesce(status, 'x') in ('a', 'b') or not exists (select 1 from customers k where k.id = orders.customer_id)",
			`FROM "public"."orders" AS "orders" WHERE (coalesce("orders"."state", 'x') in ('a', 'b') or not exists (select 1 from customers k where k.id = orders.customer_id))`},
		{"public.orders", "status in (select state from raw.orders)", `FROM "public"."orders" AS "orders" WHERE ("orders"."state" in (select state from raw.orders))`},
	}
	for _, test := range tests {
		more := attributes
		if test.source == "customers" {
			more = ""
		}
		r, err := Compile(c, one(test.source, fmt.Sprintf("type: count, filters: [%q]", test.filter), more), "total")
		if err != nil {
			t.Errorf("%s: %v", test.filter, err)
			continue
		}
		if got := strings.TrimPrefix(flat(r.SQL), `SELECT COUNT(*) AS "total" `); got != test.want {
			t.Errorf("%s\ngot  %s\nwant %s", test.filter, got, test.want)
		}
		if !r.Validation.Valid || len(r.Warnings) > 0 {
			t.Errorf("%s: %+v %q", test.filter, r.Validation, r.Warnings)
		}
	}
}

// SQL that can be written but does not fit the database is a result.
func TestCompile_Invalid(t *testing.T) {
	c := shop(t, sqltree.Postgres, "public")
	tests := []struct {
		yaml, want string // of the missing columns and tables
	}{
		{one("payments", `type: count, filters: ["stauts = 'x'"]`), "public.payments.stauts"},
		{one("payments", `type: count, filters: ["payments.stauts = 'x'"]`), "public.payments.stauts"},
		{one("payments", `type: count, filters: ["order_id in (select idd from orders)"]`), "idd"},
		{one("payments", `type: derived, expression: "select amuont from payments"`), "public.payments.amuont"},
		{one("payments", `type: derived, expression: "select 1 from paymnts"`), "paymnts"},
	}
	for _, test := range tests {
		r := compile(t, c, test.yaml, "total")
		missing := strings.Join(append(slices.Clone(r.Validation.MissingTables), r.Validation.MissingColumns...), " ")
		if r.Validation.Valid || !strings.HasSuffix(missing, test.want) || r.SQL == "" {
			t.Errorf("%s: %+v", test.yaml, r.Validation)
		}
		if strings.Contains(missing, "stauts") && !strings.Contains(strings.Join(r.Validation.Suggestions, ""), "status") {
			t.Errorf("%s: suggestions %q", test.yaml, r.Validation.Suggestions)
		}
	}
}

func TestCompile_Names(t *testing.T) {
	c := shop(t, sqltree.Postgres, "public")
	entity := func(name string, metrics ...string) string {
		text := fmt.Sprintf("  - name: %s\n    description: e\n    source_table: %s\n    metrics:\n", name, name)
		for _, m := range metrics {
			text += fmt.Sprintf("    - {name: %s, description: m, type: count}\n", m)
		}
		return text
	}
	text := "domains:\n- name: a\n  description: d\n  entities:\n" + entity("orders", "n", "open_orders") + entity("payments", "n") +
		"- name: b\n  description: d\n  entities:\n" + entity("orders", "n", "m")
	l, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a.orders.n", "open_orders", "payments.n", "b.orders.n", "m"}, l.Metrics()); diff != "" {
		t.Error(diff)
	}
	for _, name := range append(l.Metrics(), "orders.m", "b.orders.m") {
		if r := compile(t, c, text, name); !strings.HasSuffix(name, r.Metric) {
			t.Errorf("%s is %s of %s", name, r.Metric, r.Entity)
		}
	}
	tests := []struct {
		name, text string
		code       Code
		candidates []string
	}{
		{"n", `there are 3 metrics "n"; give one as a.orders.n or a.payments.n or b.orders.n`, CompileFailed, []string{"a.orders.n", "a.payments.n", "b.orders.n"}},
		{"orders.n", `there are 2 metrics "orders.n"; give one as a.orders.n or b.orders.n`, CompileFailed, []string{"a.orders.n", "b.orders.n"}},
		{"opne_orders", `there is no metric "opne_orders"; did you mean open_orders?`, MetricNotFound, []string{"open_orders"}},
		{"revenue", `there is no metric "revenue"; there are a.orders.n, open_orders, payments.n, b.orders.n, m`, MetricNotFound, []string{"a.orders.n", "open_orders", "payments.n", "b.orders.n", "m"}},
		{"", `there is no metric "";`, MetricNotFound, nil},
	}
	for _, test := range tests {
		_, err := Compile(c, text, test.name)
		var e *Error
		if !errors.As(err, &e) || e.Code != test.code || !strings.HasPrefix(e.Error(), test.text) {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if diff := cmp.Diff(test.candidates, e.Candidates); diff != "" && test.candidates != nil {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
	_, err = Compile(c, "domains: []", "n")
	if err == nil || err.Error() != `there is no metric "n"; the YAML defines none` {
		t.Error(err)
	}
}

// A table's name that several schemas have is not guessed.
func TestCompile_AmbiguousSource(t *testing.T) {
	c := catalogOf(t, sqltree.Postgres, "public", "create table events (id int); create schema raw; create table raw.events (id int);")
	_, err := Compile(c, one("events", "type: count"), "total")
	var e *Error
	if !errors.As(err, &e) || e.Code != CompileFailed || !slices.Equal(e.Candidates, []string{"public.events", "raw.events"}) {
		t.Errorf("%v", err)
	}
	for _, name := range []string{"public.events", "raw.events", "shop.raw.events"} {
		if r := compile(t, c, one(name, `type: count, field: "*"`), "total"); !r.Validation.Valid || !strings.HasSuffix(name, r.Dependencies[0].Table) {
			t.Errorf("%s: %s", name, r.SQL)
		}
	}
}

// The joins of the YAML are followed one after the other, come before the graph's,
// and serve it as a part of a way.
func TestCompile_GivenJoins(t *testing.T) {
	c := shop(t, sqltree.Postgres, "public")
	joins := func(list ...string) string {
		return "    joins:\n    - {" + strings.Join(list, "}\n    - {") + "}\n"
	}
	tests := []struct{ table, metric, joins, want, warning string }{
		{"payments", "type: count, dimensions: [addresses.city]", joins(
			`to: addresses, on: "orders.billing_id = addresses.id", type: inner`, `to: public.orders, on: "payments.order_id = orders.id"`),
			`FROM "public"."payments" AS "payments" LEFT JOIN "public"."orders" AS "orders" ON "payments"."order_id" = "orders"."id" INNER JOIN "public"."addresses" AS "addresses" ON "orders"."billing_id" = "addresses"."id" GROUP BY 1`, ""},
		// The first step is of the graph.
		{"payments", "type: count, dimensions: [addresses.city]", joins(`to: addresses, on: "orders.billing_id = addresses.id"`),
			`FROM "public"."payments" AS "payments" LEFT JOIN "public"."orders" AS "orders" ON "payments"."order_id" = "orders"."id" LEFT JOIN "public"."addresses" AS "addresses" ON "orders"."billing_id" = "addresses"."id" GROUP BY 1`, ""},
		// The first step is given, where the graph knows none.
		{"log_tags", "type: count, dimensions: [regions.name]", joins(`to: orders, on: "log_order = orders.id"`),
			`FROM "public"."log_tags" AS "log_tags" LEFT JOIN "public"."orders" AS "orders" ON "log_tags"."log_order" = "orders"."id" LEFT JOIN "public"."customers" AS "customers" ON "orders"."customer_id" = "customers"."id" LEFT JOIN "public"."regions" AS "regions" ON "customers"."region_id" = "regions"."id" GROUP BY 1`, ""},
		// A join that repeats rows says so, and there is no key to count by.
		{"log_tags", `type: count, filters: ["log_lines.note = 'a'"]`, joins(`to: log_lines, on: "log_tags.log_order = log_lines.order_id"`),
			`FROM "public"."log_tags" AS "log_tags" LEFT JOIN "public"."log_lines" AS "log_lines" ON "log_tags"."log_order" = "log_lines"."order_id" WHERE ("log_lines"."note" = 'a')`,
			"fan_out: rows of public.log_tags may repeat, once for each row of public.log_lines that they are joined to; metric \"total\" counts them as often, since the table has no key to tell them by"},
		// Both columns of a key are given, or one of them.
		{"item_notes", "type: sum, field: order_items.qty, filters: [\"order_items.qty > 0\"]", joins(`to: order_items, on: "(item_notes.order_id = order_items.order_id AND item_notes.line = order_items.line)"`),
			`FROM "public"."item_notes" AS "item_notes" LEFT JOIN "public"."order_items" AS "order_items" ON ("item_notes"."order_id" = "order_items"."order_id" AND "item_notes"."line" = "order_items"."line") WHERE ("order_items"."qty" > 0)`,
			"fan_out: rows of public.order_items may repeat, once for each row of public.item_notes"},
		{"item_notes", "type: count, filters: [\"order_items.qty > 0\"]", joins(`to: order_items, on: "item_notes.order_id = order_items.order_id AND order_items.line = item_notes.line"`),
			`FROM "public"."item_notes" AS "item_notes" LEFT JOIN "public"."order_items" AS "order_items" ON "item_notes"."order_id" = "order_items"."order_id" AND "order_items"."line" = "item_notes"."line" WHERE ("order_items"."qty" > 0)`, ""},
		{"item_notes", "type: count, filters: [\"order_items.qty > 0\"]", joins(`to: order_items, on: "item_notes.order_id = order_items.order_id"`),
			`FROM "public"."item_notes" AS "item_notes" LEFT JOIN "public"."order_items" AS "order_items" ON "item_notes"."order_id" = "order_items"."order_id" WHERE ("order_items"."qty" > 0)`,
			"fan_out: rows of public.item_notes may repeat, once for each row of public.order_items"},
		// One that cannot be used is left out.
		{"payments", "type: count, dimensions: [orders.channel]", joins(`to: ordres, on: "a.b = c.d"`),
			`FROM "public"."payments" AS "payments" LEFT JOIN "public"."orders" AS "orders" ON "payments"."order_id" = "orders"."id" GROUP BY 1`,
			`a join of entity "e" is left out: join to "ordres": there is no table 'ordres'; did you mean public.orders?`},
		{"payments", "type: count", joins(`to: orders, on: "1 = 1"`), `FROM "public"."payments" AS "payments"`, `a join of entity "e" is left out: join to "orders": on "1 = 1" does not say`},
		{"payments", "type: count", joins(`to: payments, on: "id = id"`), `FROM "public"."payments" AS "payments"`, `an entity's table is not joined to itself`},
		{"payments", "type: count", joins(`to: orders, on: "order_id = orders.id; select 1"`), `FROM "public"."payments" AS "payments"`, "there is a semicolon"},
	}
	for _, test := range tests {
		r := compile(t, c, one(test.table, test.metric, test.joins), "total")
		if _, got, _ := strings.Cut(flat(r.SQL), "\"total\" "); got != test.want {
			t.Errorf("%s\ngot  %s\nwant %s", test.joins, got, test.want)
		}
		if w := strings.Join(r.Warnings, "\n"); !strings.Contains(w, test.warning) || test.warning == "" && strings.Contains(w, "fan_out") {
			t.Errorf("%s: warnings %q", test.joins, r.Warnings)
		}
	}
	_, err := Compile(c, one("payments", "type: count, dimensions: [addresses.city]", joins(
		`to: addresses, on: "orders.billing_id = addresses.id"`, `to: orders, on: "addresses.id = orders.billing_id"`)), "total")
	if err == nil || !strings.Contains(err.Error(), "need each other") {
		t.Error(err)
	}
}

// An inferred join is used from a confidence of 0.5 on, and said.
func TestCompile_Inferred(t *testing.T) {
	const ddl = "create table events (id int primary key, customer_ref int); create table people (id int primary key, name text);"
	text := one("events", "type: count, dimensions: [people.name]")
	for _, confidence := range []float64{0.49, 0.5, 0.9} {
		c := catalogOf(t, sqltree.Postgres, "public", ddl, catalog.Join{From: 0, To: 1, FromColumn: "customer_ref", ToColumn: "id", Source: "heuristic", Confidence: confidence, TargetUnique: true})
		r, err := Compile(c, text, "total")
		if confidence < 0.5 {
			if err == nil || !strings.Contains(err.Error(), "no path of keys or confident joins") {
				t.Errorf("%v: %v", confidence, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%v: %v", confidence, err)
			continue
		}
		want := fmt.Sprintf("the join of public.events.customer_ref = public.people.id is inferred (confidence %.2f)", confidence)
		if !r.Validation.Valid || !slices.Contains(r.Warnings, want) {
			t.Errorf("%v: %+v %q", confidence, r.Validation, r.Warnings)
		}
	}
}

// What is worth a warning.
func TestCompile_Warnings(t *testing.T) {
	c := shop(t, sqltree.Postgres, "public")
	tests := []struct{ yaml, want string }{
		{"connection_name: other\n" + one("payments", "type: count"), `connection_name is "other", and this is "shop"`},
		{one("payments", "type: sum, field: status"), `field "status" of metric "total" is of type string, which has no sum`},
		{one("payments", "type: count, time_dimension: amount, granularity: day"), `time_dimension "amount" is of type numeric, which is no date or time`},
		{one("payments", `type: derived, expression: "select 1", filters: ["a"]`), "of a derived metric only the expression is used"},
		{one("payments", `type: derived, expression: "select $1"`), "the expression has placeholders"},
		{one("payments", `type: count, expression: "select 1"`), "numerator, denominator and expression of a metric of type count are not used"},
	}
	for _, test := range tests {
		r := compile(t, c, test.yaml, "total")
		if !strings.Contains(strings.Join(r.Warnings, "\n"), test.want) {
			t.Errorf("%s: %q", test.yaml, r.Warnings)
		}
	}
	if r := compile(t, c, "connection_name: shop\n"+one("payments", "type: count"), "total"); len(r.Warnings) != 0 {
		t.Error(r.Warnings)
	}
}

// A ratio of metrics of two entities is grouped by what each calls so.
func TestCompile_RatioOfEntities(t *testing.T) {
	c := shop(t, sqltree.SQLite, "main")
	text := `domains:
- name: d
  description: d
  entities:
  - name: payment
    description: p
    source_table: payments
    attributes: [{name: channel, description: c, source_column: orders.channel}]
    metrics:
    - {name: paid, description: m, type: sum, field: amount}
    - {name: paid_per_order, description: m, type: ratio, numerator: paid, denominator: order.n, dimensions: [channel]}
  - name: order
    description: o
    source_table: orders
    metrics:
    - {name: n, description: m, type: count}
`
	r := compile(t, c, text, "paid_per_order")
	want := `SELECT "den"."channel" AS "channel", 1.0 * "num"."paid" / NULLIF("den"."n", 0) AS "paid_per_order" FROM ( ` +
		`SELECT "orders"."channel" AS "channel", COUNT(DISTINCT "orders"."id") AS "n" FROM "main"."orders" AS "orders" GROUP BY 1 ) AS "den" LEFT JOIN ( ` +
		`SELECT "orders"."channel" AS "channel", SUM("payments"."amount") AS "paid" FROM "main"."payments" AS "payments" LEFT JOIN "main"."orders" AS "orders" ON "payments"."order_id" = "orders"."id" GROUP BY 1 ) AS "num" ` +
		`ON "num"."channel" IS "den"."channel"`
	want = strings.Replace(want, `COUNT(DISTINCT "orders"."id")`, "COUNT(*)", 1)
	if got := flat(r.SQL); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if !r.Validation.Valid {
		t.Errorf("%+v", r.Validation)
	}
	if diff := cmp.Diff([]Dependency{{"main.orders", []string{"channel", "id"}, "source"}, {"main.payments", []string{"amount", "order_id"}, "source"}}, r.Dependencies); diff != "" {
		t.Error(diff)
	}
}

// Names with quotes, dots and capitals stay names.
func TestCompile_Quoting(t *testing.T) {
	tests := []struct {
		d    sqltree.Dialect
		ddl  string
		yaml string
		want string
	}{
		{sqltree.Postgres, `create table "We""ird.T" ("A b" int primary key, "sel""ect" int)`, `'"We""ird.T"'`,
			`SELECT SUM("We""ird.T"."sel""ect") AS "total" FROM "public"."We""ird.T" AS "We""ird.T" WHERE ("A b" > 1)`},
		{sqltree.MySQL, "create table `We``ird T` (`A b` int primary key, `sel``ect` int)", "'`We``ird T`'",
			"SELECT SUM(`We``ird T`.`sel``ect`) AS `total` FROM `shop`.`We``ird T` AS `We``ird T` WHERE (`A b` > 1)"},
	}
	for _, test := range tests {
		c := catalogOf(t, test.d, schemas[test.d], test.ddl)
		field, filter := `'sel"ect'`, `'"A b" > 1'`
		if test.d == sqltree.MySQL {
			field, filter = "'sel`ect'", "'`A b` > 1'"
		}
		r := compile(t, c, one(test.yaml, "type: sum, field: "+field+", filters: ["+filter+"]"), "total")
		if got := flat(r.SQL); got != test.want || !r.Validation.Valid {
			t.Errorf("got  %s\nwant %s\n%+v", got, test.want, r.Validation)
		}
	}
}

// Where DuckDB has several files a table is named file.schema.table.
func TestCompile_DuckDBFiles(t *testing.T) {
	c := shop(t, sqltree.DuckDB, "lake.main")
	r := compile(t, c, one("payments", `type: sum, field: amount, filters: ["orders.channel = 'web'"]`), "total")
	want := `SELECT SUM("payments"."amount") AS "total" FROM "lake"."main"."payments" AS "payments" LEFT JOIN "lake"."main"."orders" AS "orders" ON "payments"."order_id" = "orders"."id" WHERE ("orders"."channel" = 'web')`
	if got := flat(r.SQL); got != want || !r.Validation.Valid || len(r.Dependencies) != 2 {
		t.Errorf("got  %s\nwant %s\n%+v", got, want, r)
	}
}

// The JSON is what the tool answers.
func TestResult_JSON(t *testing.T) {
	c := shop(t, sqltree.Postgres, "public")
	text := strings.NewReplacer("name: total", "name: total_paid", "name: e", "name: payment").Replace(
		one("public.payments", `type: sum, field: amount, filters: ["payments.status = 'settled'"]`))
	b, err := json.Marshal(compile(t, c, text, "total_paid"))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"sql":"SELECT SUM(\"payments\".\"amount\") AS \"total_paid\"\nFROM \"public\".\"payments\" AS \"payments\"\nWHERE (\"payments\".\"status\" = 'settled')","validation":{"valid":true,"syntax_errors":[],"missing_tables":[],"missing_columns":[],"invalid_joins":[],"suggestions":[]},"dependencies":[{"table":"public.payments","columns":["amount","status"],"via":"source"}],"metric":"total_paid","entity":"payment","dialect":"postgres","warnings":[]}`
	if string(b) != want {
		t.Errorf("got  %s\nwant %s", b, want)
	}
}

func TestLint(t *testing.T) {
	c := shop(t, sqltree.Postgres, "public")
	lines := func(found []Finding) []string {
		out := []string{}
		for _, f := range found {
			out = append(out, fmt.Sprintf("%s %s %s %s:%d:%d %s", f.Severity, f.Code, f.Metric, f.Path, f.Line, f.Column, f.Message))
		}
		return out
	}
	text := `domains:
- name: d
  description: d
  entities:
  - name: e
    description: e
    source_table: payments
    metrics:
    - {name: fine, description: m, type: count}
    - {name: lost, description: m, type: sum, field: amuont}
    - {name: invalid, description: m, type: count, filters: ["stauts = 'x'"]}
    - {name: odd, description: m, type: sum, field: status}
    - {name: two, description: m, type: derived, expression: "select 1; select 2"}
    - {name: half, description: m, type: ratio, numerator: fine, denominator: fime}
    - {name: open, description: m, type: count, filters: ["a; delete from t"]}
`
	at := "domains[0].entities[0].metrics"
	want := []string{
		"error compile_failed lost " + at + `[1]:10:7 field of metric "lost": entity "e" has no attribute and table public.payments no column "amuont"; did you mean amount?`,
		"error invalid_sql invalid " + at + `[2]:11:7 there is no column public.payments.stauts`,
		"warning  odd " + at + `[3]:12:7 field "status" of metric "odd" is of type string, which has no sum`,
		"error compile_failed two " + at + `[4]:13:7 expression must be one SELECT, it has 2 statements`,
		"error compile_failed half " + at + `[5]:14:7 denominator of metric "half": there is no metric "fime"; did you mean fine?`,
		"error compile_failed open " + at + `[6]:15:7 filters[0] "a; delete from t" of metric "open": it is more than one expression: there is a semicolon`,
	}
	if diff := cmp.Diff(want, lines(Lint(c, text))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want[3:], lines(Lint(nil, text))); diff != "" {
		t.Errorf("without a catalog: %s", diff)
	}
	if diff := cmp.Diff([]string{"error parse_failed  a:2:1 unknown key; known are connection_name, domains, format_defaults", "error parse_failed  b:3:1 unknown key; known are connection_name, domains, format_defaults"},
		lines(Lint(nil, "domains: []\na: 1\nb: 1\n"))); diff != "" {
		t.Error(diff)
	}
	fine := Lint(c, read(t, "shop.yaml"))
	if fine == nil || slices.ContainsFunc(fine, func(f Finding) bool { return f.Severity == SeverityError }) {
		t.Errorf("%+v", fine)
	}
}

// BenchmarkCompile compiles a metric that needs three joins, YAML and all, in a
// catalog of 2,000 further tables.
func BenchmarkCompile(b *testing.B) {
	var ddl strings.Builder
	ddl.WriteString(read(b, "shop.sql"))
	for i := range 2000 {
		fmt.Fprintf(&ddl, "create table t%d (id int primary key, a int references t%d, b int references t%d);\n", i, i/2, i/3)
	}
	c := catalogOf(b, sqltree.Postgres, "public", ddl.String())
	text := read(b, "shop.yaml")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Compile(c, text, "paid_by_region"); err != nil {
			b.Fatal(err)
		}
	}
}

// A way of more joins than a search follows at first is found as well.
func TestCompile_LongWay(t *testing.T) {
	ddl := "create table t0 (id int primary key, name text);"
	for i := 1; i <= 9; i++ {
		ddl += fmt.Sprintf("create table t%d (id int primary key, up int references t%d (id));", i, i-1)
	}
	c := catalogOf(t, sqltree.Postgres, "public", ddl)
	for from, want := range map[int]string{4: "", 5: "", 8: "", 9: "no path of keys or confident joins"} {
		r, err := Compile(c, one(fmt.Sprintf("t%d", from), "type: count, dimensions: [t0.name]"), "total")
		switch {
		case want == "" && (err != nil || strings.Count(r.SQL, "JOIN") != from):
			t.Errorf("over %d joins: %v, %v", from, r, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("over %d joins: %v", from, err)
		}
	}
}
