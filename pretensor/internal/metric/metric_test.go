package metric

import (
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	driver "github.com/go-sql-driver/mysql"
	"github.com/google/go-cmp/cmp"
	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"

	"github.com/quartet-mcp/quartet/datakit/dbtest"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	_ "github.com/quartet-mcp/quartet/pretensor/internal/connect/duckdb" // its driver
	"github.com/quartet-mcp/quartet/pretensor/internal/modeltest"
)

var update = flag.Bool("update", false, "write the golden SQL anew")

func TestMain(m *testing.M) { os.Exit(dbtest.Main(m)) }

func read(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// shop is the catalog of testdata/shop.sql as a dialect has it.
func shop(t testing.TB, d sqltree.Dialect, schema string) *catalog.Catalog {
	t.Helper()
	return catalogOf(t, d, schema, read(t, "shop.sql"))
}

func catalogOf(t testing.TB, d sqltree.Dialect, schema, ddl string, joins ...catalog.Join) *catalog.Catalog {
	t.Helper()
	db := modeltest.FromDDL(t, d, schema, ddl)
	return catalog.New(catalog.Data{
		Connection: "shop", Dialect: db.Dialect, DefaultSchema: schema, Tables: db.Tables, Facts: make([]catalog.Facts, len(db.Tables)),
		Joins: joins, Lineage: db.Lineage,
	}, 1)
}

func compile(t testing.TB, c *catalog.Catalog, text, name string) *Result {
	t.Helper()
	r, err := Compile(c, text, name)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return r
}

// schemas are the default schemas of the dialects.
var schemas = map[sqltree.Dialect]string{
	sqltree.Postgres: "public", sqltree.MySQL: "shop", sqltree.MariaDB: "shop", sqltree.SQLite: "main", sqltree.DuckDB: "main",
}

// The SQL of every metric of testdata/shop.yaml in every dialect.
func TestCompile_Golden(t *testing.T) {
	text := read(t, "shop.yaml")
	l, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	for d, schema := range schemas {
		c := shop(t, d, schema)
		var b strings.Builder
		for _, name := range l.Metrics() {
			r := compile(t, c, text, name)
			if !r.Validation.Valid {
				t.Errorf("%s: %s is not valid: %+v", d, name, r.Validation)
			}
			fmt.Fprintf(&b, "-- %s\n%s\n", name, r.SQL)
			for _, dep := range r.Dependencies {
				fmt.Fprintf(&b, "--   %s %s (%s)\n", dep.Via, dep.Table, strings.Join(dep.Columns, ", "))
			}
			for _, w := range r.Warnings {
				fmt.Fprintf(&b, "--   warning: %s\n", w)
			}
			b.WriteByte('\n')
		}
		golden := filepath.Join("testdata", "golden."+string(d)+".sql")
		if *update {
			if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if diff := cmp.Diff(read(t, filepath.Base(golden)), b.String()); diff != "" {
			t.Errorf("%s, -want +got\n%s", golden, diff)
		}
	}
}

// numbers are what the metrics are for testdata/rows.sql, counted by hand. Rows
// are in any order but for those of a time.
var numbers = map[string]string{
	"all_paid":           "151",
	"big_paid":           "145.5", // 10.5 + 20 + 15 + 100
	"total_paid":         "50",    // not the payment without an order, nor that of a test
	"paid_by_region":     "North 35; South 15; null 101",
	"paid_by_day":        "2024-01-16 10.5; 2024-01-31 4.5; 2024-02-11 20; 2024-05-05 100; 2024-05-06 1; 2024-12-31 15",
	"paid_by_week":       "2024-01-15 10.5; 2024-01-29 4.5; 2024-02-05 20; 2024-04-29 100; 2024-05-06 1; 2024-12-30 15",
	"paid_by_month":      "2024-01-01 15; 2024-02-01 20; 2024-05-01 101; 2024-12-01 15",
	"paid_by_quarter":    "2024-01-01 35; 2024-04-01 101; 2024-10-01 15",
	"paid_by_year":       "2024-01-01 151",
	"settled_n":          "6",
	"failed_n":           "1",
	"payments_n":         "7",
	"payers":             "3",
	"ticket":             "25.1667",
	"least":              "1",
	"most":               "100",
	"web_paid":           "35", // 10.5 + 4.5 + 5 + 15
	"avg_ticket":         "8.3333",
	"settled_share":      "0.8571", // and not 0, as whole numbers are divided
	"none_share":         "null",
	"failed_share":       "North 0; South 0.5; null 0",
	"failed_share_month": "2024-01-01 0; 2024-02-01 0.5; 2024-05-01 0; 2024-12-01 0",
	"own":                "failed 1; settled 6",
	"orders_n":           "4",
	"orders_with_items":  "3", // there are five such items
	"fees_with_items":    "5", // wrong, as the warning says: it should be 3
	"web_qty":            "5",
	"orders_by_city":     "Oslo 1; Rome 3",
	"open_paid":          "35",
	"noted_items":        "2", // there are three notes
	"noted_qty_n":        "1", // one of the two items has no quantity
	"item_fees":          "6", // wrong, as the warning says: it should be 3
	"item_orders":        "3",
}

func TestCompile_Numbers(t *testing.T) {
	text := read(t, "shop.yaml")
	l, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	databases := map[sqltree.Dialect]func(t *testing.T) (*sql.DB, string){
		sqltree.SQLite: func(t *testing.T) (*sql.DB, string) { return open(t, "sqlite", ":memory:"), "main" },
		sqltree.DuckDB: func(t *testing.T) (*sql.DB, string) { return open(t, "duckdb", ""), "main" },
		sqltree.Postgres: func(t *testing.T) (*sql.DB, string) {
			return open(t, "pgx", dbtest.Postgres(t)), "public"
		},
		sqltree.MariaDB: func(t *testing.T) (*sql.DB, string) {
			config, err := driver.ParseDSN(dbtest.MariaDB(t))
			if err != nil {
				t.Fatal(err)
			}
			return open(t, "mysql", config.FormatDSN()), config.DBName
		},
	}
	for d, connect := range databases {
		t.Run(string(d), func(t *testing.T) {
			db, schema := connect(t)
			for _, s := range strings.SplitAfter(read(t, "shop.sql")+read(t, "rows.sql"), ";\n") {
				if s = strings.TrimSpace(s); s == "" {
					continue
				}
				if _, err := db.Exec(s); err != nil {
					t.Fatalf("%s: %v", s, err)
				}
			}
			c := shop(t, d, schema)
			for _, name := range l.Metrics() {
				r := compile(t, c, text, name)
				got, err := fetch(db, r.SQL)
				if err != nil {
					t.Errorf("%s: %v\n%s", name, err, r.SQL)
					continue
				}
				if !strings.Contains(r.SQL, "ORDER BY") {
					slices.Sort(got)
				}
				if rows := strings.Join(got, "; "); rows != numbers[name] {
					t.Errorf("%s is %s, want %s\n%s", name, rows, numbers[name], r.SQL)
				}
			}
			if len(numbers) != len(l.Metrics()) {
				t.Errorf("%d metrics, %d numbers", len(l.Metrics()), len(numbers))
			}
		})
	}
}

func open(t *testing.T, name, source string) *sql.DB {
	t.Helper()
	db, err := sql.Open(name, source)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1) // of SQLite and DuckDB each connection has a database of its own
	t.Cleanup(func() { db.Close() })
	return db
}

var midnight = regexp.MustCompile(`^\d{4}-\d\d-\d\d`)

// fetch returns the rows of a query, their values in a form that all databases
// share: numbers with up to four decimals, dates without a time.
func fetch(db *sql.DB, query string) ([]string, error) {
	rows, err := db.Query(query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var out []string
	for rows.Next() {
		values := make([]any, len(names))
		for i := range values {
			values[i] = new(any)
		}
		if err := rows.Scan(values...); err != nil {
			return nil, err
		}
		texts := make([]string, len(values))
		for i, v := range values {
			switch x := (*v.(*any)).(type) {
			case nil:
				texts[i] = "null"
			case time.Time:
				texts[i] = x.Format(time.DateOnly)
			case []byte:
				texts[i] = string(x)
			case interface{ Float64() float64 }: // DuckDB's decimal
				texts[i] = fmt.Sprint(x.Float64())
			default:
				texts[i] = fmt.Sprint(x)
			}
			if f, err := strconv.ParseFloat(texts[i], 64); err == nil {
				texts[i] = strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.4f", f), "0"), ".")
			} else if m := midnight.FindString(texts[i]); m != "" {
				texts[i] = m
			}
		}
		out = append(out, strings.Join(texts, " "))
	}
	return out, rows.Err()
}

// one is a layer of one entity over a table with the given metric, in the flow
// style, and more keys of the entity.
func one(table, metric string, more ...string) string {
	return fmt.Sprintf("domains:\n- name: d\n  description: d\n  entities:\n  - name: e\n    description: e\n    source_table: %s\n%s    metrics:\n    - {name: total, description: m, %s}\n",
		table, strings.Join(more, ""), metric)
}

// The simple case, byte for byte but for line breaks.
func TestCompile_SimpleCase(t *testing.T) {
	c := catalogOf(t, sqltree.Postgres, "public", "create table orders (id int primary key, amount numeric)")
	r := compile(t, c, one("public.orders", `type: sum, field: amount, filters: ["amount > 0"]`), "total")
	want := `SELECT SUM("orders"."amount") AS "total" FROM "public"."orders" AS "orders" WHERE (amount > 0)`
	if got := strings.ReplaceAll(r.SQL, "\n", " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if diff := cmp.Diff([]Dependency{{"public.orders", []string{"amount", "id"}[:1], "source"}}, r.Dependencies); diff != "" {
		t.Error(diff)
	}
	if !r.Validation.Valid || r.Dialect != "postgres" || r.Entity != "e" || r.Metric != "total" || len(r.Warnings) != 0 {
		t.Errorf("%+v", r)
	}
}

// What cannot be compiled, and what the error says.
func TestCompile_Refused(t *testing.T) {
	c := shop(t, sqltree.Postgres, "public")
	tests := []struct {
		yaml string
		says string
		near string // a candidate
	}{
		{one("payments", "type: sum, field: amuont"), `field of metric "total": entity "e" has no attribute and table public.payments no column "amuont"; did you mean amount?`, "amount"},
		{one("paymnts", "type: count"), `source_table of entity "e": there is no table 'paymnts'; did you mean public.payments?`, "public.payments"},
		{one("payments", "type: count, dimensions: [stauts]"), `dimensions of metric "total": entity "e" has no attribute and table public.payments no column "stauts"`, "status"},
		{one("payments", "type: count, time_dimension: paid"), `time_dimension of metric "total"`, ""},
		{one("payments", "type: sum, field: a", "    attributes: [{name: a, description: a, source_column: amnt}]\n"), `attribute "a" of entity "e": public.payments has no column "amnt"`, ""},
		{one("payments", "type: count, dimensions: [region.name]"), `column "region.name": there is no table 'region'`, "public.regions"},
		{one("payments", "type: count, dimensions: [regions.nam]"), `table public.regions has no column "nam"; did you mean name?`, "name"},
		{one("orders", "type: count, dimensions: [addresses.city]"), "several paths lead from public.orders to public.addresses: public.orders.billing_id = public.addresses.id; or public.orders.shipping_id = public.addresses.id; give one in joins",
			"public.orders.billing_id = public.addresses.id"},
		{one("payments", "type: count, filters: [\"log_tags.tag = 'x'\"]"), "no path of keys or confident joins leads from public.payments to public.log_tags; give the way in joins", ""},
		{one("payments", "type: count, filters: [\"order.channel = 'x'\"]"), `filters[0]`, ""},
		{one("payments", "type: count, filters: [\"ordrs.channel = 'x'\"]"), `there is no table 'ordrs'; did you mean public.orders?`, "public.orders"},
		{one("payments", `type: count, filters: ["amount > 0; drop table payments"]`), "there is a semicolon", ""},
		{one("payments", `type: count, filters: ["amount > 0;"]`), "filters[0]", ""},
		{one("payments", `type: count, filters: ["delete from payments"]`), "it is not a boolean expression", ""},
		{one("payments", `type: count, filters: ["1 = 1) or (1 = 1"]`), "it is not a boolean expression", ""},
		{one("payments", `type: count, filters: ["amount > 0) union select (1"]`), "it is not a boolean expression", ""},
		{one("payments", `type: count, filters: ["amount > 0 group by status"]`), "it goes on with another clause", ""},
		{one("payments", `type: count, filters: ["amount > 0 limit 1"]`), "it goes on with another clause", ""},
		{one("payments", `type: count, filters: ["amount > 0 for update"]`), "it is not a boolean expression", ""},
		{one("payments", `type: count, filters: ["amount > 0 union select 1"]`), "it goes on with another clause", ""},
		{one("payments", `type: count, filters: ["amount > 0 -- all"]`), "it is not a boolean expression", ""},
		{one("payments", `type: count, filters: ["amount + 1"]`), "it is a value, not a condition", ""},
		{one("payments", `type: count, filters: ["sum(amount) > 1"]`), "aggregate or window function sum", ""},
		{one("payments", `type: count, filters: ["row_number() over () = 1"]`), "aggregate or window function row_number", ""},
		{one("payments", `type: count, filters: ["amount > $1"]`), "it has a placeholder", ""},
		{one("payments", `type: count, filters: ["id in (with x as (delete from payments returning id) select id from x)"]`), "it changes data", ""},
		{one("payments", `type: count, filters: ["id in (select id from refnds)"]`), `a filter reads from "refnds", and there is no such table`, ""},
		{one("payments", `type: derived, expression: "select 1; select 2"`), "expression must be one SELECT, it has 2 statements", ""},
		{one("payments", `type: derived, expression: "delete from payments"`), "expression must be one SELECT", ""},
		{one("payments", `type: derived, expression: "with x as (delete from payments returning id) select * from x"`), "it changes data", ""},
		{one("payments", `type: derived, expression: "select * into copy from payments"`), "it changes data", ""},
		{one("payments", `type: derived, expression: "values (1)"`), "expression must be one SELECT", ""},
		{one("payments", `type: derived, expression: "select from where"`), "line 1, column", ""},
		{one("payments", `type: count, filters: ["amount > :least"]`), "it has a placeholder", ""},
		{one("payments", `type: count, filters: ["amount > ?"]`), "it has a placeholder", ""},
		{one("payments", `type: count, filters: ["amount > %s"]`), "it has a placeholder", ""},
		{one("payments", `type: count, filters: ["amount > {{ least }}"]`), "it has a template tag", ""},
		{one("payments", `type: count, filters: ["id in (select id from refunds where amount > {x})"]`), "it has a placeholder", ""},
		{one("payments", `type: count, filters: ["true, false"]`), "it is not a boolean expression", ""},
		{one("payments", `type: count, filters: ["'settled'"]`), "it is a value, not a condition", ""},
		{one("payments", `type: ratio, numerator: n, denominator: total`), `numerator of metric "total": there is no metric "n"`, "total"},
		{one("payments", `type: ratio, numerator: total, denominator: total`), `"total" is of type ratio, and a ratio is made of aggregates`, ""},
		{one("payments", `type: count, dimensions: [total]`, "    attributes: [{name: total, description: a, source_column: status}]\n"), `two columns of the result would be called "total"`, ""},
		{one("payments", `type: count, dimensions: [a.b], filters: []`), `there is no table 'a'`, ""},
	}
	for _, test := range tests {
		_, err := Compile(c, test.yaml, "total")
		var e *Error
		if !errors.As(err, &e) || e.Code != CompileFailed || !strings.Contains(e.Message, test.says) {
			t.Errorf("%s\ngot  %v\nwant %s", test.yaml, err, test.says)
			continue
		}
		if test.near != "" && !slices.Contains(e.Candidates, test.near) {
			t.Errorf("%s: candidates %q lack %s", test.yaml, e.Candidates, test.near)
		}
		if e.Path != "domains[0].entities[0].metrics[0]" || e.Line == 0 || e.Candidates == nil {
			t.Errorf("%s: path %q, line %d, candidates %v", test.yaml, e.Path, e.Line, e.Candidates)
		}
	}
}
