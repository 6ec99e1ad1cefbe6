package sqltree_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/generic"
	"github.com/quartet-mcp/quartet/datakit/sqltree/postgres"
)

const worksDDL = `
create type place as (street text, city text);
create table sites (id serial primary key, name text, at place, tags text[]);
create table parts (id int, site_id int, price numeric);
create sequence tickets;
create function parts_of(site int) returns table (part int, cost numeric) language sql as 'select 1, 2';
create function sites_like(s text) returns setof sites language sql as 'select 1';
create view cheap as select id, price from parts where price < 5;
`

func works(t testing.TB) *sqltree.Schema {
	t.Helper()
	script, err := postgres.Parse(worksDDL)
	if err != nil {
		t.Fatal(err)
	}
	s := sqltree.NewSchema(sqltree.Postgres, "public")
	s.Add(script)
	return s
}

// TestResolve_Definitions has statements that define something or are about
// relations, and values that are rows.
func TestResolve_Definitions(t *testing.T) {
	catalog := works(t)
	tests := []struct{ name, sql, want string }{
		{"own keys and references", "create table t (a int references sites (idd), b int, check (c > 0), primary key (a, d), foreign key (b) references part)",
			"unknown table \"part\" [public.parts]\nunknown \"idd\" in \"idd\" [id]\nunknown \"c\" in \"c\" []\nunknown \"d\" in \"d\" []"},
		{"a reference to itself", "create table t (id int primary key, up int references t (id))", ""},
		{"columns of LIKE", "create table t (like parts, check (price > cost))", "unknown \"cost\" in \"cost\" []"},
		{"actions", "alter table parts add weight int, add check (weight > prise), drop column site, drop column if exists nothing, alter column price type int using price::int",
			"unknown \"prise\" in \"prise\" [price]\nunknown \"site\" in \"site\" []"},
		{"a renamed column", "alter table parts rename column price to cost", ""},
		{"a type is no table", "alter type place add attribute zip text", ""},
		{"if it exists", "drop table if exists nothing, parts", ""},
		{"drop", "drop view cheep", "unknown table \"cheep\" [public.cheap]"},
		{"index", "create index on parts (lower(nam)) include (price) where site = 1", "unknown \"nam\" in \"nam\" []\nunknown \"site\" in \"site\" []"},
		{"comment", "comment on column parts.prize is 'x'", "unknown \"prize\" in \"prize\" [price]"},
		{"copy", "copy parts (id, prize) from stdin", "unknown \"prize\" in \"prize\" [price]"},
		{"copy a query", "copy (select prize from parts) to stdout", "unknown \"prize\" in \"prize\" [price]"},
		{"trigger", "create trigger t before update of prise on parts for each row when (old.price <> new.cost) execute function f()",
			"unknown \"prise\" in \"prise\" [price]\nunknown \"cost\" in \"new.cost\" []"},
		{"rule", "create rule r as on delete to parts do instead update parts set price = 0 where id = old.idd", "unknown \"idd\" in \"old.idd\" [id]"},
		{"policy", "create policy p on parts using (exists (select 1 from sites s where s.id = site_id and s.nam = 'x'))",
			"unknown \"nam\" in \"s.nam\" [name at]\njoin INNER sites.id(s) = parts.site_id(parts)"},
		{"grant", "grant select (id, prise), update (price) on parts to x", "unknown \"prise\" in \"prise\" [price]"},
		{"function body", "create function f(p int) returns int begin atomic select id from parts where price > p and site_id = q; end",
			"id: parts.id\nunknown \"q\" in \"q\" []"},
		{"lock", "select * from parts p for update of parts", "id: parts.id\nsite_id: parts.site_id\nprice: parts.price\nunknown \"parts\" in \"parts\" []"},
		{"sequence", "select last_value, is_cold from tickets, sites_id_seq s where s.log_cnt > 1",
			"last_value: ?ambiguous column \"last_value\"\nis_cold: ?unknown column \"is_cold\"\nambiguous \"last_value\" [tickets s]\nunknown \"is_cold\" in \"is_cold\" []"},
		{"function with columns", "select part, cost, prise from parts_of(1)", "part:\ncost:\nprise: ?unknown column \"prise\"\nunknown \"prise\" in \"prise\" []"},
		{"function of rows", "select s.name, s.nam from sites_like('x') s", "name:\nnam: ?unknown column \"s.nam\"\nunknown \"nam\" in \"s.nam\" [name at]"},
		{"function of one column", "select n, m.m, o from generate_series(1, 2) n, unnest(array[1]) m", "n:\nm:\no: ?unknown column \"o\"\nunknown \"o\" in \"o\" []"},
		{"field of a composite", "select (at).city, (s.at).zip, (at).* from sites s",
			"city: ~sites.at\nzip: ?unknown column \"zip\"\nstreet: ~sites.at\ncity: ~sites.at\nunknown \"zip\" in \"(s.at).zip\" []"},
		{"field of a row", "select (x.p).price, (x.p).cost from (select p from parts p) x", "price: parts.price\ncost: ?unknown column \"cost\"\nunknown \"cost\" in \"(x.p).cost\" []"},
		{"names of columns", "select now(), price::double precision, (at).city, price at time zone 'x', case when true then price end, tags[1], current_date, coalesce(1) from sites, parts",
			"now:\nprice: ~parts.price\ncity: ~sites.at\ntimezone: ~parts.price\ncase: ~parts.price\ntags: ~sites.tags\ncurrent_date:\ncoalesce:"},
		{"order by what is selected", "select s.id from sites s join parts p on p.site_id = s.id order by id", "id: sites.id\njoin INNER parts.site_id(p) = sites.id(s)"},
		{"not matched", "merge into parts using (select id, name from sites) x on site_id = x.id when not matched then insert (id, price) values (id, price)",
			"unknown \"price\" in \"price\" []\njoin INNER parts.site_id(parts) = sites.id(x)"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			script, err := postgres.Parse(test.sql)
			if err != nil {
				t.Fatal(err)
			}
			got := render(test.sql, sqltree.Resolve(script.Statements[0], sqltree.Postgres, catalog))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s\n-want +got\n%s", test.sql, diff)
			}
		})
	}
}

// TestResolve_Structs has columns whose types have parts.
func TestResolve_Structs(t *testing.T) {
	tests := []struct {
		name    string
		dialect sqltree.Dialect
		schema  string
		sql     string
		want    string
	}{
		{"path", sqltree.BigQuery, "create table t (d struct<os string, b struct<name string>>)", "select d.os, d.b.name, t.d.b.nam, d.x.y from t",
			"os: ~t.d\nname: ~t.d\nnam: ?field that its type does not have\ny: ?field that its type does not have\nunknown \"nam\" in \"t.d.b.nam\" [name]\nunknown \"x\" in \"d.x.y\" []"},
		{"elements", sqltree.BigQuery, "create table t (id int64, l array<struct<sku string, n int64>>)", "select id, sku, x.n, off, idd from t, unnest(t.l) as x with offset as off",
			"id: t.id\nsku: ~t.l\nn: ~t.l\noff:\nidd: ?unknown column \"idd\"\nunknown \"idd\" in \"idd\" [id]"},
		{"elements without parts", sqltree.BigQuery, "create table t (id int64, tags array<string>)", "select tag, tag.x from t, t.tags as tag",
			"tag: ~t.tags\nx: ?unknown column \"tag.x\"\nunknown \"x\" in \"tag.x\" []"},
		{"star of a struct", sqltree.DuckDB, "create table t (a int, p struct(x int, y int))", "select p.*, t.p.y from t", "x: ~t.p\ny: ~t.p\ny: ~t.p"},
		{"element and field", sqltree.DuckDB, "create table t (l struct(a int)[])", "select l[1].a, l[1].b from t", ": ~t.l\n: ?unknown column \"b\"\nunknown \"b\" in \"l[1].b\" []"},
		{"a declared type", sqltree.DuckDB, "create type pt as struct(x int, y int); create table t (p pt)", "select p.x, p.z from t",
			"x: ~t.p\nz: ?field that its type does not have\nunknown \"z\" in \"p.z\" []"},
		{"of unknown type", sqltree.DuckDB, "create table t (j json)", "select j.a.b from t", "b: ~t.j"},
		{"tuple", sqltree.ClickHouse, "create table t (p Tuple(lat Float64, tags Array(String))) engine = Memory", "select p.lat, p.1, p.long from t",
			"lat: ~t.p\n: ~t.p\nlong: ?field that its type does not have\nunknown \"long\" in \"p.long\" []"},
		{"a declared structure", sqltree.ClickHouse, "create table t (a UInt8) engine = Memory", "select c, v.d, e from values('c String, d UInt8', ('x', 1)) as v",
			"c:\nd:\ne: ?unknown column \"e\"\nunknown \"e\" in \"e\" []"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			schema, err := generic.Parse(test.dialect, test.schema)
			if err != nil {
				t.Fatal(err)
			}
			catalog := sqltree.NewSchema(test.dialect)
			catalog.Add(schema)
			script, err := generic.Parse(test.dialect, test.sql)
			if err != nil {
				t.Fatal(err)
			}
			got := render(test.sql, sqltree.Resolve(script.Statements[0], test.dialect, catalog))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s\n-want +got\n%s", test.sql, diff)
			}
		})
	}
}
