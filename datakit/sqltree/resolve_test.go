package sqltree_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/postgres"
)

const shopDDL = `
create table customers (id int primary key, name text, email text, region_id int, "createdAt" timestamptz);
create table orders (id int primary key, customer_id int references customers, placed date, status text, total numeric);
create table order_lines (order_id int, line int, product_id int, qty int, price numeric, primary key (order_id, line));
create table products (id int primary key, name text, tags text[], attrs jsonb, parent_id int);
create table regions (id int, name text);
create schema crm; create table crm.contacts (id int, customer_id int, note text);
create view big_orders as select o.id, o.customer_id, o.total * 1.2 as gross from orders o where o.total > 1000;
create view big_customers (cid, orders, worth) as
  select c.id, count(*), sum(b.gross) from customers c join big_orders b on b.customer_id = c.id group by c.id;
create view v_cycle_a as select id from regions;
`

func shop(t testing.TB) *sqltree.Schema {
	t.Helper()
	script, err := postgres.Parse(shopDDL)
	if err != nil {
		t.Fatal(err)
	}
	s := sqltree.NewSchema(sqltree.Postgres, "public")
	s.Add(script)
	return s
}

// render writes a resolution so that a test can state all of it.
func render(text string, r *sqltree.Resolution) string {
	var b strings.Builder
	for _, o := range r.Output {
		fmt.Fprintf(&b, "%s:", o.Name)
		for _, s := range o.Sources {
			fmt.Fprintf(&b, " %s%s.%s", []string{"", "~", "#"}[s.Feed], s.Table, s.Column)
		}
		if o.Undecided != "" {
			fmt.Fprintf(&b, " ?%s", o.Undecided)
		}
		b.WriteByte('\n')
	}
	if r.Undecided != "" {
		fmt.Fprintf(&b, "undecided: %s\n", r.Undecided)
	}
	for _, u := range r.Tables {
		if u.Status == sqltree.Unknown {
			fmt.Fprintf(&b, "unknown table %q %v\n", text[u.Start:u.End], u.Candidates)
		}
	}
	for _, u := range r.Columns {
		switch u.Status {
		case sqltree.Unknown:
			fmt.Fprintf(&b, "unknown %q in %q %v\n", text[u.At.Start:u.At.End], text[u.Start:u.End], u.Candidates)
		case sqltree.Ambiguous:
			fmt.Fprintf(&b, "ambiguous %q %v\n", text[u.Start:u.End], u.Candidates)
		case sqltree.Undecided:
			fmt.Fprintf(&b, "undecided %q\n", text[u.Start:u.End])
		}
	}
	for _, j := range r.Joins {
		fmt.Fprintf(&b, "join %s %s.%s(%s) = %s.%s(%s)\n", j.Kind, j.Left.Table, j.Left.Column, j.LeftOf, j.Right.Table, j.Right.Column, j.RightOf)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func TestResolve_Postgres(t *testing.T) {
	catalog := shop(t)
	tests := []struct{ name, sql, want string }{
		{"direct and computed", `select id, upper(name) as n, 1 as one from customers`, "id: customers.id\nn: ~customers.name\none:"},
		{"aggregate", `select status, count(*), sum(total) from orders group by status`, "status: orders.status\ncount:\nsum: #orders.total"},
		{"folding and quotes", `select ID, "createdAt" from Customers`, "id: customers.id\ncreatedAt: customers.createdAt"},
		{"quoted wrongly", `select createdAt from customers`, "createdat: ?unknown column \"createdAt\"\nunknown \"createdAt\" in \"createdAt\" [createdAt]"},
		{"unknown column", `select c.nam from customers c`, "nam: ?unknown column \"c.nam\"\nunknown \"nam\" in \"c.nam\" [name]"},
		{"unknown qualifier", `select x.name from customers c`, "name: ?unknown relation \"x\"\nunknown \"x\" in \"x.name\" []"},
		{"unknown table", `select id from custmers`, "id: ?unknown relation \"custmers\"\nunknown table \"custmers\" [public.customers]\nundecided \"id\""},
		{"ambiguous", `select id from customers, orders`, "id: ?ambiguous column \"id\"\nambiguous \"id\" [customers orders]"},
		{"join", `select c.name, o.total from customers c join orders o on o.customer_id = c.id`,
			"name: customers.name\ntotal: orders.total\njoin INNER orders.customer_id(o) = customers.id(c)"},
		{"comma join", `select 1 from customers c, orders o where c.id = o.customer_id and o.total > 3`,
			"?column?:\njoin INNER customers.id(c) = orders.customer_id(o)"},
		{"left join", `select 1 from customers c left join orders o on c.id = o.customer_id`, "?column?:\njoin LEFT customers.id(c) = orders.customer_id(o)"},
		{"using merges", `select id, customers.id from customers join regions using (id)`,
			"id: customers.id\nid: customers.id\njoin INNER customers.id(customers) = regions.id(regions)"},
		{"using star", `select * from regions r join products p using (id, name)`,
			"id: regions.id\nname: regions.name\ntags: products.tags\nattrs: products.attrs\nparent_id: products.parent_id\njoin INNER regions.id(r) = products.id(p)\njoin INNER regions.name(r) = products.name(p)"},
		{"using unknown", `select 1 from customers join regions using (region_id)`, "?column?:\nunknown \"region_id\" in \"region_id\" []"},
		{"natural", `select * from regions natural join crm.contacts`,
			"id: regions.id\nname: regions.name\ncustomer_id: contacts.customer_id\nnote: contacts.note\njoin INNER regions.id(regions) = contacts.id(contacts)"},
		{"schema qualified", `select crm.contacts.note from crm.contacts`, "note: contacts.note"},
		{"not on the path", `select note from contacts`, "note: ?unknown relation \"contacts\"\nunknown table \"contacts\" [crm.contacts]\nundecided \"note\""},
		{"alias hides name", `select customers.id from customers c`, "id: ?unknown relation \"customers\"\nunknown \"customers\" in \"customers.id\" []"},
		{"cte", `with x as (select id as k from customers) select k from x`, "k: customers.id"},
		{"cte columns", `with x(a, b) as (select id, name from customers) select b, a from x`, "b: customers.name\na: customers.id"},
		{"cte shadows a table", `with orders as (select name from regions) select name from orders`, "name: regions.name"},
		{"join through cte", `with x as (select customer_id k from orders) select 1 from x join customers c on c.id = x.k`,
			"?column?:\njoin INNER customers.id(c) = orders.customer_id(x)"},
		{"recursive", `with recursive t(id, path) as (select id, name from products where parent_id is null
			union all select p.id, t.path || p.name from products p join t on p.parent_id = t.id) select * from t`,
			"id: products.id\npath: products.name\njoin INNER products.parent_id(p) = products.id(t)"},
		{"recursive gains", `with recursive t(a, b) as (select id, name from regions union all select t.a, c.email from t join customers c on c.id = t.a) select b from t`,
			"b: customers.email regions.name\njoin INNER customers.id(c) = regions.id(t)"},
		{"derived", `select d.s from (select sum(total) s, customer_id from orders group by 2) d where d.customer_id = 1`, "s: #orders.total"},
		{"derived columns", `select q.x from (select id, name from regions) q(x)`, "x: regions.id"},
		{"not lateral", `select 1 from customers c, (select c.id) d`, "?column?:\nunknown \"c\" in \"c.id\" []"},
		{"lateral", `select l.t from customers c, lateral (select o.total t from orders o where o.customer_id = c.id) l`, "t: orders.total\njoin INNER orders.customer_id(o) = customers.id(c)"},
		{"correlated", `select name, (select max(total) from orders o where o.customer_id = c.id) from customers c`,
			"name: customers.name\nmax: ~customers.id #orders.total\njoin INNER orders.customer_id(o) = customers.id(c)"},
		{"exists", `select exists (select 1 from orders o where o.status = c.name) from customers c`, "exists: ~customers.name ~orders.status\njoin INNER orders.status(o) = customers.name(c)"},
		{"in", `select id in (select customer_id from orders where total > 1) from customers`, "?column?: ~customers.id ~orders.customer_id ~orders.total"},
		{"inner unknown falls outwards", `select 1 from customers c where exists (select 1 from orders where email = 'x')`, "?column?:"},
		{"set operation", `select id, name from customers union select id, name from regions`, "id: customers.id regions.id\nname: customers.name regions.name"},
		{"except", `select id from customers except select id from regions`, "id: customers.id"},
		{"width", `select id from customers union select id, name from regions`, "id: customers.id ?set operation branches differ in width\nundecided: set operation branches differ in width"},
		{"values", `select a, b from (values (1, 'x')) v(a, b)`, "a:\nb:"},
		{"whole row", `select c from regions c`, "c: ~regions.id ~regions.name"},
		{"row function", `select row_to_json(r) from regions r`, "row_to_json: ~regions.id ~regions.name"},
		{"unnest", `select p.id, tag from products p, unnest(p.tags) tag`, "id: products.id\ntag: ~products.tags"},
		{"unnest columns", `select u.x, u.n from products p cross join lateral unnest(p.tags) with ordinality u(x, n)`, "x: ~products.tags\nn:"},
		{"generate_series", `select g from generate_series(1, 3) g`, "g:"},
		{"json table function", `select e.value from products, jsonb_each(attrs) e`, "value: ~products.attrs"},
		{"defined columns", `select x.a from products p, jsonb_to_record(p.attrs) as x(a int, b text)`, "a: ~products.attrs"},
		{"window", `select row_number() over (partition by customer_id order by placed) from orders`, "row_number: #orders.customer_id #orders.placed"},
		{"named window", `select sum(total) over w from orders window w as (partition by status)`, "sum: #orders.status #orders.total"},
		{"case", `select case when status = 'x' then total else 0 end from orders`, "case: ~orders.status ~orders.total"},
		{"order by alias", `select total as t from orders order by t`, "t: orders.total"},
		{"group by alias", `select date_trunc('month', placed) m, count(*) from orders group by m`, "m: ~orders.placed\ncount:"},
		{"alias in where", `select total as t from orders where t > 1`, "t: orders.total\nunknown \"t\" in \"t\" []"},
		{"alias in having", `select status s, count(*) n from orders group by status having n > 1`, "s: orders.status\nn:\nunknown \"n\" in \"n\" []"},
		{"order by in set", `select id as k from customers union all select id from regions order by k`, "k: customers.id regions.id"},
		{"order by unknown", `select id from customers order by nme`, "id: customers.id\nunknown \"nme\" in \"nme\" [name]"},
		{"system column", `select ctid, xmin from orders`, "ctid:\nxmin:"},
		{"system table", `select relname from pg_class`, "relname:"},
		{"view on view", `select worth, cid from big_customers`, "worth: #orders.total\ncid: customers.id"},
		{"view column", `select gros from big_orders`, "gros: ?unknown column \"gros\"\nunknown \"gros\" in \"gros\" [gross]"},
		{"insert", `insert into orders (id, custmer_id) select id, name from customers returning id, total`,
			"id: orders.id\ntotal: orders.total\nunknown \"custmer_id\" in \"custmer_id\" [customer_id]"},
		{"upsert", `insert into regions values (1, 'x') on conflict (id) do update set name = excluded.name || regions.name where regions.id > 0`, ""},
		{"upsert unknown", `insert into regions values (1) on conflict (id) do update set nam = excluded.nme`, "unknown \"nam\" in \"nam\" [name]\nunknown \"nme\" in \"excluded.nme\" [name]"},
		{"update from", `update orders o set total = l.price from order_lines l where l.order_id = o.id`, "join INNER order_lines.order_id(l) = orders.id(o)"},
		{"update target", `update orders set totl = 1`, "unknown \"totl\" in \"totl\" [total]"},
		{"delete using", `delete from orders o using customers c where c.id = o.customer_id and c.nme = 'x' returning o.id`,
			"id: orders.id\nunknown \"nme\" in \"c.nme\" [name]\njoin INNER customers.id(c) = orders.customer_id(o)"},
		{"modifying cte", `with gone as (delete from orders returning id, total) select sum(total) from gone`, "sum: #orders.total"},
		{"merge", `merge into regions r using customers c on c.region_id = r.id when matched then update set name = c.name when not matched then insert (id, nme) values (c.region_id, c.name)`,
			"unknown \"nme\" in \"nme\" [name]\njoin INNER customers.region_id(c) = regions.id(r)"},
		{"join alias", `select x.total, x.name from (customers c join orders o on o.customer_id = c.id) as x`,
			"total: orders.total\nname: customers.name\njoin INNER orders.customer_id(o) = customers.id(c)"},
		{"self join", `select a.name, b.name from products a join products b on a.parent_id = b.id`,
			"name: products.name\nname: products.name\njoin INNER products.parent_id(a) = products.id(b)"},
		{"create view", `create view v (a) as select total from orders`, "a: orders.total"},
		{"distinct on", `select distinct on (customer_id) id from orders order by customer_id, placed desc`, "id: orders.id"},
		{"grouping sets", `select status, customer_id, sum(total) from orders group by grouping sets ((status), (customer_id), ())`,
			"status: orders.status\ncustomer_id: orders.customer_id\nsum: #orders.total"},
		{"filter", `select count(*) filter (where status = 'x') from orders`, "count: #orders.status"},
		{"star of one", `select o.*, c.name from orders o join customers c on c.id = o.customer_id`,
			"id: orders.id\ncustomer_id: orders.customer_id\nplaced: orders.placed\nstatus: orders.status\ntotal: orders.total\nname: customers.name\njoin INNER customers.id(c) = orders.customer_id(o)"},
		{"star over unknown", `select * from nowhere`, "undecided: unknown relation \"nowhere\"\nunknown table \"nowhere\" []"},
		{"params", `select $1::int + id from regions where id = $2`, "?column?: ~regions.id"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			script, err := postgres.Parse(tt.sql)
			if err != nil {
				t.Fatal(err)
			}
			got := render(tt.sql, sqltree.Resolve(script.Statements[0], sqltree.Postgres, catalog))
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("%s\n(-want +got)\n%s", tt.sql, d)
			}
		})
	}
}

func TestResolve_CyclicViews(t *testing.T) {
	script, err := postgres.Parse(`create view a as select x from b; create view b as select x from a; select x from a`)
	if err != nil {
		t.Fatal(err)
	}
	s := sqltree.NewSchema(sqltree.Postgres, "public")
	s.Add(script)
	r := sqltree.Resolve(script.Statements[2], sqltree.Postgres, s)
	if len(r.Output) != 1 || r.Output[0].Undecided != "cyclic definition" {
		t.Errorf("output %+v", r.Output)
	}
}

// The views of real schemas resolve whole: a person could decide every column.
func TestResolve_RealSchemas(t *testing.T) {
	files, err := filepath.Glob("../testdata/scripts/*.sql.gz")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	views, columns := 0, 0
	for _, file := range files {
		if strings.Contains(file, "data-head") {
			continue
		}
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		script, err := postgres.Parse(string(text))
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		s := sqltree.NewSchema(sqltree.Postgres, "public")
		s.Add(script)
		for _, stmt := range script.Statements {
			v, ok := stmt.(*sqltree.CreateView)
			if !ok {
				continue
			}
			views++
			r := sqltree.Resolve(v, sqltree.Postgres, s)
			if r.Undecided != "" {
				t.Errorf("%s: view %s: %s", file, v.Name.Last().Name, r.Undecided)
			}
			for _, o := range r.Output {
				columns++
				if o.Undecided != "" {
					t.Errorf("%s: view %s, column %s: %s", file, v.Name.Last().Name, o.Name, o.Undecided)
				}
			}
			if p := render(string(text), r); strings.Contains(p, "unknown ") || strings.Contains(p, "ambiguous") {
				t.Errorf("%s: view %s:\n%s", file, v.Name.Last().Name, p)
			}
		}
	}
	t.Logf("%d views, %d columns", views, columns)
}
