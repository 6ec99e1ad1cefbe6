package sqltree_test

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/generic"
	"github.com/quartet-mcp/quartet/datakit/sqltree/parse"
)

const storeDDL = `
create table customers (id int, name varchar(40), region_id int);
create table orders (id int, customer_id int, placed date, total decimal(10,2));
create table stock (sku varchar(20), place varchar(20), qty int);
`

func store(t testing.TB, d sqltree.Dialect) *sqltree.Schema {
	t.Helper()
	script, err := generic.Parse(d, storeDDL)
	if err != nil {
		t.Fatal(err)
	}
	s := sqltree.NewSchema(d)
	s.Add(script)
	return s
}

// TestResolve_Dialects has what the dialects do differently from PostgreSQL.
func TestResolve_Dialects(t *testing.T) {
	tests := []struct {
		name    string
		dialect sqltree.Dialect
		sql     string
		want    string
	}{
		{"row alias", sqltree.MySQL, "insert into stock (sku, qty) values (?, ?) as new on duplicate key update qty = stock.qty + new.qty, place = new.plaze",
			`unknown "plaze" in "new.plaze" [place]`},
		{"row alias with columns", sqltree.MySQL, "insert into stock (sku, qty) values (?, ?) as new(s, n) on duplicate key update qty = qty + n, place = new.s",
			``},
		{"row alias hides the names", sqltree.MySQL, "insert into stock (sku, qty) values (?, ?) as new(s, n) on duplicate key update qty = new.qty",
			`unknown "qty" in "new.qty" []`},
		{"update of two tables", sqltree.MySQL, "update orders o join customers c on c.id = o.customer_id set o.total = 0, c.name = c.nme where o.placed < ?",
			"unknown \"nme\" in \"c.nme\" [name]\njoin INNER customers.id(c) = orders.customer_id(o)"},
		{"alias in HAVING", sqltree.MySQL, "select customer_id as c, sum(total) as s from orders group by c having s > 5 order by s",
			"c: orders.customer_id\ns: #orders.total"},
		{"alias in WHERE is not MySQL's", sqltree.MySQL, "select total * 2 as twice from orders where twice > 5",
			"twice: ~orders.total\nunknown \"twice\" in \"twice\" []"},
		{"alias in WHERE", sqltree.SQLite, "select total * 2 as twice from orders where twice > 5",
			"twice: ~orders.total"},
		{"rowid", sqltree.SQLite, "select rowid, o.oid from orders o", "rowid:\noid:"},
		{"from first", sqltree.DuckDB, "from orders select * exclude (id) replace (total / 2 as total)",
			"customer_id: orders.customer_id\nplaced: orders.placed\ntotal: ~orders.total"},
		{"upper case", sqltree.Snowflake, `select o.TOTAL, "NAME" from Orders o join customers on CUSTOMERS.ID = o.customer_id qualify row_number() over (partition by o.id order by total) = 1`,
			"TOTAL: ORDERS.TOTAL\nNAME: CUSTOMERS.NAME\njoin INNER CUSTOMERS.ID(customers) = ORDERS.CUSTOMER_ID(o)"},
		{"backticks", sqltree.BigQuery, "select `o`.total, array_agg(struct(o.id, o.placed)) as a from `orders` o group by 1",
			"total: orders.total\na: #orders.id #orders.placed"},
		{"limit by and names in WITH", sqltree.ClickHouse, "with 5 as n select customer_id, total * n as t from orders where t > 1 order by t limit 1 by customer_id",
			"customer_id: orders.customer_id\nt: ~orders.total"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			script, err := generic.Parse(test.dialect, test.sql)
			if err != nil {
				t.Fatal(err)
			}
			r := sqltree.Resolve(script.Statements[0], test.dialect, store(t, test.dialect))
			if diff := gocmp.Diff(test.want, render(test.sql, r)); diff != "" {
				t.Errorf("%s\n-want +got\n%s", test.sql, diff)
			}
		})
	}
}

var fuzzDialects = []sqltree.Dialect{
	sqltree.Postgres, sqltree.MySQL, sqltree.SQLite, sqltree.DuckDB, sqltree.Snowflake, sqltree.BigQuery, sqltree.ClickHouse, sqltree.Generic,
}

// FuzzResolve holds for the tree of any text: no panic, places inside of the text,
// every unknown name with no relation, and the same answer twice.
func FuzzResolve(f *testing.F) {
	for i, sql := range []string{
		"select c.name, sum(o.total) from customers c join orders o on o.customer_id = c.id where c.region_id in (select 1) group by 1",
		"insert into stock (sku, qty) values (1, 2) as new(s, n) on duplicate key update qty = qty + n",
		"with recursive t(n) as (select 1 union all select n + 1 from t) select * from t, lateral (select t.n) x",
		"update orders set total = (select max(total) from orders o where o.id = orders.id) from customers c returning c.*",
		"merge into stock s using (values (1, 'a')) v(q, k) on s.sku = v.k when matched then update set qty = q when not matched then insert (sku) values (k)",
		"select * from orders natural join customers order by total",
		"create view v (a, b) as select id, name from customers union select id, placed from orders",
		"from orders select columns('t.*'), * exclude (id) group by all",
	} {
		f.Add(uint8(i), sql)
	}
	catalogs := map[sqltree.Dialect]*sqltree.Schema{}
	for _, d := range fuzzDialects {
		catalogs[d] = store(f, d)
	}
	f.Fuzz(func(t *testing.T, n uint8, text string) {
		d := fuzzDialects[int(n)%len(fuzzDialects)]
		script, err := generic.Parse(d, text)
		if err != nil {
			return
		}
		inside := func(s sqltree.Span) bool { return 0 <= s.Start && s.Start <= s.End && s.End <= len(text) }
		for _, statement := range script.Statements {
			r := sqltree.Resolve(statement, d, catalogs[d])
			for _, u := range r.Tables {
				if u.Through == "" && !inside(u.Span) || (u.Status == sqltree.Bound) != (u.Relation != nil) {
					t.Fatalf("%s: table %+v of %q", d, u, text)
				}
			}
			for _, u := range r.Columns {
				if !inside(u.Span) || u.Status == sqltree.Unknown && !inside(u.At.Span) || u.Status != sqltree.Bound && len(u.Sources) > 0 {
					t.Fatalf("%s: column %+v of %q", d, u, text)
				}
			}
			for _, o := range r.Output {
				if !inside(o.Span) || !slices.IsSortedFunc(o.Sources, bySource) {
					t.Fatalf("%s: output %+v of %q", d, o, text)
				}
			}
			if again := sqltree.Resolve(statement, d, catalogs[d]); !reflect.DeepEqual(r, again) {
				t.Fatalf("%s: two answers for %q:\n%+v\n%+v", d, text, r, again)
			}
		}
	})
}

func bySource(a, b sqltree.Source) int {
	return cmp.Or(strings.Compare(a.Schema, b.Schema), strings.Compare(a.Table, b.Table), strings.Compare(a.Column, b.Column))
}

const report = `
WITH recent AS (
  SELECT o.id, o.customer_id, o.placed, o.total, row_number() OVER (PARTITION BY o.customer_id ORDER BY o.placed DESC) AS n
  FROM orders o WHERE o.placed >= date '2024-01-01' AND o.total > 0
), spend AS (
  SELECT r.customer_id, count(*) AS orders, sum(r.total) AS total, min(r.placed) AS first_day, max(r.placed) AS last_day,
         sum(CASE WHEN r.n = 1 THEN r.total ELSE 0 END) AS latest, avg(r.total) FILTER (WHERE r.total > 10) AS usual
  FROM recent r GROUP BY r.customer_id HAVING sum(r.total) > 100
), ranked AS (
  SELECT s.*, c.name, c.region_id, rank() OVER (PARTITION BY c.region_id ORDER BY s.total DESC) AS place,
         s.total / nullif(sum(s.total) OVER (PARTITION BY c.region_id), 0) AS part
  FROM spend s JOIN customers c ON c.id = s.customer_id
), busy AS (
  SELECT extract(year FROM o.placed) AS year, o.customer_id, count(*) AS orders, max(o.total) AS largest
  FROM orders o WHERE o.customer_id IN (SELECT s.customer_id FROM spend s WHERE s.orders > 5)
  GROUP BY extract(year FROM o.placed), o.customer_id
)
SELECT k.region_id, k.place, k.name, k.orders, round(k.total, 2) AS total, k.first_day, k.last_day, k.usual,
       round(100 * k.part, 1) AS percent,
       (SELECT count(*) FROM orders x WHERE x.customer_id = k.customer_id AND x.placed < k.first_day) AS before,
       coalesce((SELECT max(p.qty) FROM stock p WHERE p.place = k.name), 0) AS held
FROM ranked k
WHERE k.place <= 10
  AND EXISTS (SELECT 1 FROM orders e WHERE e.customer_id = k.customer_id AND e.total > k.usual)
  AND k.region_id NOT IN (SELECT region_id FROM customers WHERE name LIKE 'test%')
UNION ALL
SELECT c.region_id, NULL, 'all others', count(DISTINCT o.customer_id), sum(o.total), min(o.placed), max(o.placed), avg(o.total), NULL, NULL, NULL
FROM orders o LEFT JOIN customers c ON c.id = o.customer_id
WHERE NOT EXISTS (SELECT 1 FROM ranked k WHERE k.customer_id = o.customer_id AND k.place <= 10)
GROUP BY c.region_id
ORDER BY region_id, place, total DESC
LIMIT 500`

// BenchmarkParseAndResolve takes a statement of 2 KB.
func BenchmarkParseAndResolve(b *testing.B) {
	for _, d := range []sqltree.Dialect{sqltree.Postgres, sqltree.MySQL, sqltree.DuckDB} {
		b.Run(string(d), func(b *testing.B) {
			catalog := store(b, d)
			b.SetBytes(int64(len(report)))
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				script, err := parse.Parse(d, report)
				if err != nil {
					b.Fatal(err)
				}
				if r := sqltree.Resolve(script.Statements[0], d, catalog); len(r.Output) != 11 {
					b.Fatal(render(report, r))
				}
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2])/1e3, "p50-µs")
		})
	}
}

func TestDialect_Quote(t *testing.T) {
	for d, want := range map[sqltree.Dialect]string{
		sqltree.Postgres: "\"a`\"\"b\"", sqltree.SQLite: "\"a`\"\"b\"", sqltree.MySQL: "`a``\"b`", sqltree.BigQuery: "`a``\"b`",
	} {
		if got := d.Quote("a`\"b"); got != want {
			t.Errorf("%s quotes it as %s, want %s", d, got, want)
		}
	}
}
