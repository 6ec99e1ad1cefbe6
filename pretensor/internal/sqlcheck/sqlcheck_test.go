package sqlcheck

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/infer"
	"github.com/quartet-mcp/quartet/pretensor/internal/modeltest"
)

const shopDDL = `
create table customers (id bigint primary key, name text, email text, signed_up date);
create table addresses (id bigint primary key, customer_id bigint references customers, city text);
create table orders (id bigint primary key, customer_id bigint references customers, billing_id bigint references addresses, shipping_id bigint references addresses, placed timestamptz, total numeric);
create table order_items (order_id bigint references orders, line int, product_id bigint, qty int, primary key (order_id, line));
create table products (id bigint primary key, name text, sku text);
create table refunds (id bigint primary key, order_id bigint, line int, amount numeric, foreign key (order_id, line) references order_items (order_id, line));
create table web_events (id uuid primary key, customer_ref text, at timestamptz, payload jsonb);
create schema raw; create table raw.events (id bigint, body text);
create table stores (id bigint primary key, city text);
create view v_customers as select id, name, email from customers;
create view v_totals as select c.id, sum(o.total) as total from customers c join orders o on o.customer_id = c.id group by c.id;
`

func shop(t testing.TB) *catalog.Catalog {
	db := modeltest.FromDDL(t, sqltree.Postgres, "public", shopDDL)
	data := catalog.Data{Connection: "shop", Dialect: db.Dialect, DefaultSchema: db.DefaultSchema, Tables: db.Tables, Lineage: db.Lineage, Facts: make([]catalog.Facts, len(db.Tables))}
	at := func(name string) int {
		for i := range db.Tables {
			if db.Tables[i].Name == name {
				return i
			}
		}
		t.Fatalf("no table %s", name)
		return 0
	}
	data.Joins = []catalog.Join{
		{From: at("order_items"), To: at("products"), FromColumn: "product_id", ToColumn: "id", Source: "heuristic", Confidence: 0.9},
		{From: at("stores"), To: at("addresses"), FromColumn: "city", ToColumn: "city", Source: "heuristic", Confidence: 0.25},
	}
	return catalog.New(data, 1)
}

func check(t testing.TB, c *catalog.Catalog, d sqltree.Dialect, sql string) *Report {
	t.Helper()
	r, err := Check(c, d, sql)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// render states a report in the order of its fields.
func render(r *Report) string {
	var b strings.Builder
	line := func(kind string, list []string) {
		for _, s := range list {
			b.WriteString(kind + " " + s + "\n")
		}
	}
	line("syntax:", r.SyntaxErrors)
	line("table:", r.MissingTables)
	line("column:", r.MissingColumns)
	for _, j := range r.InvalidJoins {
		b.WriteString("join: " + j.LeftTable + "." + j.LeftColumn + " = " + j.RightTable + "." + j.RightColumn + ": " + j.Message + "\n")
	}
	line("suggest:", r.Suggestions)
	line("warn:", r.Warnings)
	return strings.TrimSuffix(b.String(), "\n")
}

func TestCheck(t *testing.T) {
	c := shop(t)
	tests := []struct{ name, sql, want string }{
		{"right", "select c.name, sum(o.total) from customers c join orders o on o.customer_id = c.id group by 1", ""},
		{"table", "SELECT count(*) FROM orders o JOIN custmers c ON c.id = o.customer_id",
			"table: custmers\nsuggest: Table custmers is not indexed; closest: public.customers."},
		{"column and table", "select o.totl, x.id from orders o, nothere x",
			"table: nothere\ncolumn: public.orders.totl\nsuggest: Table nothere is not indexed.\nsuggest: Column totl does not exist in public.orders; closest: total."},
		{"a column of the other table", "select o.email from orders o join customers c on c.id = o.customer_id",
			"column: public.orders.email\nsuggest: Column email does not exist in public.orders; it exists in public.customers."},
		{"bare column", "select emial from customers", "column: public.customers.emial\nsuggest: Column emial does not exist in public.customers; closest: email."},
		{"unknown alias", "select k.name from customers c", "column: k.name\nsuggest: k.name: no table or alias k is in scope."},
		{"the table in place of its alias", "select customers.name from customers c",
			"column: customers.name\nsuggest: customers.name: no table or alias customers is in scope; the table of that name has an alias, or is in another part of the query."},
		{"ambiguous", "select id from customers c join orders o on o.customer_id = c.id", "warn: ambiguous column id: it is in c and o"},
		{"another schema", "select body from events", "warn: events is taken from schema raw"},
		{"two keys between the tables", "select 1 from orders o join addresses a on a.id = o.billing_id join addresses s on s.id = o.shipping_id", ""},
		{"part of a key", "select 1 from refunds r join order_items i on i.order_id = r.order_id",
			"warn: the join of public.order_items.order_id = public.refunds.order_id is part of a key of several columns; missing: public.refunds.line = public.order_items.line"},
		{"the whole key", "select 1 from refunds r join order_items i using (order_id, line)", ""},
		{"in WHERE", "select 1 from orders o, customers c where o.customer_id = c.id", ""},
		{"through a CTE", "with x as (select id, customer_id as who from orders) select 1 from x join customers c on c.id = x.who", ""},
		{"inferred", "select 1 from order_items i join products p on p.id = i.product_id", ""},
		{"a guess", "select 1 from stores s join addresses a on a.city = s.city",
			"warn: the join of public.addresses.city = public.stores.city is only a guess (confidence 0.25)"},
		{"siblings", "select 1 from orders o join addresses a on a.customer_id = o.customer_id",
			"warn: the join of public.addresses.customer_id = public.orders.customer_id is unverified: no key joins these columns directly"},
		{"other columns", "select 1 from orders o join addresses a on a.id = o.customer_id",
			"warn: the join of public.addresses.id = public.orders.customer_id is unusual: the tables are related on other columns\n" +
				"suggest: Join public.addresses and public.orders on public.orders.billing_id = public.addresses.id."},
		{"unrelated", "select 1 from products p join customers c on c.id = p.id + 0 join stores s on s.id = c.name::int", ""},
		{"a key that nobody declared", "select 1 from products p join stores s on s.id = p.id + 0 join refunds r on r.amount = s.id",
			"warn: the join of public.refunds.amount = public.stores.id is unverified: one side is a key, and no key or inferred join says that the other refers to it"},
		{"neither is a key", "select 1 from products p join customers c on c.email = p.sku",
			"join: public.customers.email = public.products.sku: no key or inferred join relates these tables\n" +
				"suggest: Join public.customers to public.products through public.orders.customer_id = public.customers.id, then public.order_items.order_id = public.orders.id, then public.order_items.product_id = public.products.id."},
		{"types that cannot meet", "select 1 from customers c join orders o on o.placed = c.id",
			"join: public.orders.placed = public.customers.id: type mismatch: public.orders.placed is temporal, public.customers.id is numeric\n" +
				"suggest: Join public.orders and public.customers on public.orders.customer_id = public.customers.id."},
		{"a view for one table", "select 1 from v_customers v join orders o on o.customer_id = v.id", ""},
		{"a view of several", "select 1 from v_totals v join products p on p.id = v.total", ""},
		{"every row with every other", "select 1 from customers, orders", "warn: FROM lists several tables and no condition joins them: every row meets every other"},
		{"a correlation", "select 1 from products p where exists (select 1 from stores s where s.city = p.name)", "warn: no key or inferred join relates the tables of public.stores.city = public.products.name"},
		{"a self join", "select 1 from customers a join customers b on a.name = b.email", ""},
		{"syntax", "select from where x", "syntax: syntax error at or near \"where\" (line 1, column 13)"},
		{"two statements", "select 1 from customers; delete from ordrs",
			"table: ordrs\nsuggest: Table ordrs is not indexed; closest: public.orders.\nwarn: the text has 2 statements; each is checked by itself\nwarn: the statement changes data or structure (DELETE)"},
		{"system tables", "select relname from pg_class c join information_schema.tables t on t.table_name = c.relname", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := check(t, c, sqltree.Postgres, test.sql)
			var want []string
			for line := range strings.SplitSeq(test.want, "\n") {
				want = append(want, line)
			}
			got := strings.Split(render(r), "\n")
			// Suggestions stand before warnings in a rendering whatever the order in the want.
			if diff := cmp.Diff(sorted(want), sorted(got)); diff != "" {
				t.Errorf("%s\n-want +got\n%s", test.sql, diff)
			}
			if r.Valid != (len(r.SyntaxErrors)+len(r.MissingTables)+len(r.MissingColumns)+len(r.InvalidJoins) == 0) {
				t.Errorf("valid = %v", r.Valid)
			}
		})
	}
}

func sorted(list []string) map[string]int {
	m := map[string]int{}
	for _, s := range list {
		m[s]++
	}
	return m
}

func TestCheck_PlacesAreOfCharacters(t *testing.T) {
	r := check(t, shop(t), sqltree.Postgres, "select 'ü',\n  'é' || c.nme, x.y\nfrom customers c join ordrs o on true")
	type place struct {
		Kind, Identifier string
		Line, Column     int
	}
	var got []place
	for _, d := range r.Diagnostics {
		got = append(got, place{d.Kind, d.Identifier, d.Line, d.Column})
	}
	want := []place{{"missing_column", "nme", 2, 12}, {"unknown_qualifier", "x", 2, 17}, {"missing_table", "ordrs", 3, 23}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestCheck_Empty(t *testing.T) {
	c := shop(t)
	for _, sql := range []string{"", "  ", "-- nothing"} {
		if r, err := Check(c, sqltree.Postgres, sql); err == nil {
			t.Errorf("Check(%q) = %+v", sql, r)
		}
	}
}

// TestCheck_Corpus holds datakit's statements, bound to the schemas that they are
// about: hardly one may be called invalid.
func TestCheck_Corpus(t *testing.T) {
	schemas := map[sqltree.Dialect]string{sqltree.Postgres: "public", sqltree.SQLite: "main", sqltree.DuckDB: "main"}
	for _, d := range []sqltree.Dialect{sqltree.Postgres, sqltree.MySQL, sqltree.SQLite, sqltree.DuckDB} {
		t.Run(string(d), func(t *testing.T) {
			dirs, err := filepath.Glob(filepath.Join("../../../datakit/sqltree/corpus/testdata", string(d), "*"))
			if err != nil || len(dirs) == 0 {
				t.Fatal("no corpus", err)
			}
			total, invalid := 0, 0
			for _, dir := range dirs {
				ddl, err := os.ReadFile(filepath.Join(dir, "schema.sql"))
				if err != nil {
					t.Fatal(err)
				}
				db := modeltest.FromDDL(t, d, schemas[d], string(ddl))
				data := catalog.Data{Dialect: db.Dialect, DefaultSchema: db.DefaultSchema, Tables: db.Tables, Lineage: db.Lineage}
				for _, j := range infer.Joins(infer.Input{Dialect: db.Dialect, Tables: db.Tables, Lineage: db.Lineage}, infer.Options{}).Joins {
					data.Joins = append(data.Joins, catalog.Join{
						From: j.Source.Table, To: j.Target.Table, FromColumn: db.Tables[j.Source.Table].Columns[j.Source.Column].Name,
						ToColumn: db.Tables[j.Target.Table].Columns[j.Target.Column].Name, Source: "heuristic", Confidence: j.Confidence,
					})
				}
				c := catalog.New(data, 1)
				files, _ := filepath.Glob(filepath.Join(dir, "*.sql"))
				for _, file := range files {
					if filepath.Base(file) == "schema.sql" {
						continue
					}
					b, err := os.ReadFile(file)
					if err != nil {
						t.Fatal(err)
					}
					for _, text := range regexp.MustCompile(`;[ \t]*\n\s*\n`).Split(string(b)+"\n\n", -1) {
						if strings.TrimSpace(text) == "" {
							continue
						}
						total++
						r, err := Check(c, d, text)
						if err != nil || !r.Valid {
							invalid++
							t.Logf("%s: %v\n%s\n%s", file, err, render(r), strings.TrimSpace(text))
						}
					}
				}
			}
			if float64(invalid) > 0.005*float64(total) {
				t.Errorf("%d of %d statements are called invalid", invalid, total)
			}
		})
	}
}

func BenchmarkCheck(b *testing.B) {
	c := shop(b)
	text := `with big as (select o.id, o.customer_id, o.total, row_number() over (partition by o.customer_id order by o.placed desc) n from orders o where o.total > 10),
 spent as (select customer_id, sum(total) total, count(*) orders from big where n < 10 group by customer_id)
select c.name, s.total, s.orders, a.city, (select count(*) from web_events e where e.customer_ref = c.email) visits,
 sum(i.qty) items, max(p.name) last_product
from customers c join spent s on s.customer_id = c.id left join addresses a on a.customer_id = c.id
 join orders o on o.customer_id = c.id join order_items i on i.order_id = o.id join products p on p.id = i.product_id
where exists (select 1 from refunds r where r.order_id = i.order_id and r.line = i.line) and c.signed_up > date '2024-01-01'
group by c.name, s.total, s.orders, a.city, c.email having sum(i.qty) > 3 order by s.total desc limit 50`
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if r, err := Check(c, sqltree.Postgres, text); err != nil || !r.Valid {
			b.Fatal(err, render(r))
		}
	}
}

// A join on a column that is not there is answered with how the tables are joined.
func TestCheck_MissingKey(t *testing.T) {
	c := shop(t)
	for sql, want := range map[string]string{
		"select 1 from customers c join order_items i on i.customer_id = c.id": "Column customer_id does not exist in public.order_items.|" +
			"Join public.order_items to public.customers through public.order_items.order_id = public.orders.id, then public.orders.customer_id = public.customers.id.",
		"select 1 from orders o join customers c on o.client_id = c.id": "Column client_id does not exist in public.orders.|" +
			"Join public.orders and public.customers on public.orders.customer_id = public.customers.id.",
		"select 1 from orders o join customers c on o.customer_id = c.id and c.up > o.placed": "Column up does not exist in public.customers; closest: signed_up.",
		"select product_name from products":                                                   "Column product_name does not exist in public.products; closest: name.",
	} {
		if got := strings.Join(check(t, c, sqltree.Postgres, sql).Suggestions, "|"); got != want {
			t.Errorf("%s\n got %s\nwant %s", sql, got, want)
		}
	}
}

// What does more than read is said to, whatever kind of statement it is.
func TestCheck_Writes(t *testing.T) {
	c := shop(t)
	for sql, want := range map[string]string{
		"delete from refunds":                        "the statement changes data or structure (DELETE)",
		"copy customers to '/tmp/x.csv'":             "the statement may change data, structure or files (COPY)",
		"do $$ begin delete from refunds; end $$":    "the statement may change data, structure or files (DO)",
		"vacuum customers":                           "the statement may change data, structure or files (VACUUM)",
		"set search_path to public":                  "",
		"show search_path":                           "",
		"begin":                                      "",
		"select 1 from customers":                    "",
		"explain select 1 from customers where id=1": "",
	} {
		if got := strings.Join(check(t, c, sqltree.Postgres, sql).Warnings, "; "); got != want {
			t.Errorf("%s: warnings %q, want %q", sql, got, want)
		}
	}
}
