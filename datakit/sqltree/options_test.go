package sqltree_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/parse"
)

// roles writes the references of a resolution with their roles.
func roles(r *sqltree.Resolution) string {
	var b strings.Builder
	for i, c := range r.References {
		fmt.Fprintf(&b, " %s.%s", c.Table, c.Column)
		for bit, word := range []string{"filter", "join", "group", "order"} {
			if r.Roles[i]&(1<<bit) != 0 {
				b.WriteString(":" + word)
			}
		}
	}
	return strings.TrimSpace(b.String())
}

func TestResolve_Roles(t *testing.T) {
	catalog := shop(t)
	tests := []struct{ sql, want string }{
		{"select 1 from orders where total > 1 order by placed", "orders.placed:order orders.total:filter"},
		{"select status from orders group by status having max(total) > 1 order by 1", "orders.status:group:order orders.total:filter"},
		{"select 1 from orders o join customers c on c.id = o.customer_id and o.total > 1", "customers.id:join orders.customer_id:join orders.total:join"},
		{"select 1 from orders natural join products", "orders.id:join products.id:join"},
		{"select distinct on (status) id from orders order by status, id", "orders.id:order orders.status:group:order"},
		{"select id from orders except select customer_id from orders", "orders.customer_id:filter"},
		{"select 1 from orders o where exists (select 1 from order_lines l join products p on p.id = l.product_id where l.order_id = o.id)",
			"order_lines.order_id:filter order_lines.product_id:filter:join orders.id:filter products.id:filter:join"},
		{"select gross from big_orders order by id", "orders.id:order orders.total:filter"},
	}
	for _, test := range tests {
		script, err := parse.Parse(sqltree.Postgres, test.sql)
		if err != nil {
			t.Fatal(err)
		}
		if got := roles(sqltree.Resolve(script.Statements[0], sqltree.Postgres, catalog)); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.sql, got, test.want)
		}
	}
}

func TestResolveWith(t *testing.T) {
	tests := []struct {
		name    string
		dialect sqltree.Dialect
		sql     string
		want    string
	}{
		{"both sides of USING", sqltree.Postgres, "select id, a.id from a join b using (id)", "id: a.id b.id\nid: a.id"},
		{"both sides of a right join", sqltree.Postgres, "select * from a right join b using (id)", "id: a.id b.id\nx: a.x\ny: b.y"},
		{"names of text", sqltree.MySQL, "select count( * ), a.x + 1, 'it''s', x from a", "count( * ):\na.x + 1: ~a.x\nit's:\nx: a.x"},
		{"a name of text further in", sqltree.MariaDB, "select `max(x)` from (select max(x) from a) d", "max(x): #a.x"},
		// Which position a column has is not known behind a star of unknown width.
		{"names of a list", sqltree.Postgres, "create view v (p, q) as select u.*, a.x from u, a",
			"p: ?unknown relation \"u\"\nq: ?unknown relation \"u\"\nunknown table \"u\" []"},
		{"a column before the star", sqltree.Postgres, "create view v (p, q) as select a.x, u.*, a.id from u, a",
			"p: a.x\nq: ?unknown relation \"u\"\nundecided: unknown relation \"u\"\nunknown table \"u\" []"},
		{"names of an alias", sqltree.Postgres, "select q, x from (select u.*, a.x from u, a) d (p, q)",
			"q: ?unknown relation \"u\"\nx: ?unknown relation \"u\"\nunknown table \"u\" []\nundecided \"x\""},
		{"by its own name", sqltree.Postgres, "select x from (select u.*, a.x from u, a) d", "x: a.x\nunknown table \"u\" []"},
		{"branches", sqltree.Postgres, "select u.*, a.x from u, a union select id, y from b",
			"x: a.x ?unknown relation \"u\"\nundecided: unknown relation \"u\"\nunknown table \"u\" []"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tables, err := parse.Parse(test.dialect, "create table a (id int, x int); create table b (id int, y int)")
			if err != nil {
				t.Fatal(err)
			}
			catalog := sqltree.NewSchema(test.dialect)
			catalog.Add(tables)
			script, err := parse.Parse(test.dialect, test.sql)
			if err != nil {
				t.Fatal(err)
			}
			r := sqltree.ResolveWith(sqltree.Options{Text: test.sql, BothSides: true}, script.Statements[0], test.dialect, catalog)
			r.Joins = nil
			if diff := cmp.Diff(test.want, render(test.sql, r)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// TestResolve_ResolvedView takes a view's lineage from what it was resolved to.
func TestResolve_ResolvedView(t *testing.T) {
	catalog := sqltree.NewSchema(sqltree.Postgres)
	catalog.AddRelation(&sqltree.Relation{Name: "v", View: &sqltree.View{Resolved: &sqltree.Resolution{
		Output: []sqltree.OutputColumn{
			{Name: "a", Sources: []sqltree.Source{{BaseColumn: sqltree.BaseColumn{Table: "t", Column: "x"}}}},
			{Name: "b", Undecided: "ambiguous column \"b\""},
		},
		References: []sqltree.BaseColumn{{Table: "t", Column: "y"}},
		Roles:      []sqltree.Roles{sqltree.Filters},
	}}})
	catalog.AddRelation(&sqltree.Relation{Name: "w", View: &sqltree.View{Resolved: &sqltree.Resolution{Undecided: "cyclic definition"}}})
	const sql = "select v.a, v.b, w.c, v.d from v join w on v.a = w.c"
	script, err := parse.Parse(sqltree.Postgres, sql)
	if err != nil {
		t.Fatal(err)
	}
	r := sqltree.Resolve(script.Statements[0], sqltree.Postgres, catalog)
	want := "a: t.x\nb: ?ambiguous column \"b\"\nc: ?cyclic definition\nd: ?unknown column \"v.d\"\nundecided \"w.c\"\nunknown \"d\" in \"v.d\" []\nundecided \"w.c\""
	if diff := cmp.Diff(want, render(sql, r)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if got, want := roles(r), "t.x:join t.y:filter"; got != want {
		t.Errorf("roles %s, want %s", got, want)
	}
}

func TestErrTooDeep(t *testing.T) {
	for _, d := range []sqltree.Dialect{sqltree.Postgres, sqltree.MySQL, sqltree.SQLite, sqltree.Generic} {
		for _, text := range []string{
			"select " + strings.Repeat("(", 600) + "1" + strings.Repeat(")", 600),
			"select 1" + strings.Repeat(" + 1", 3000),
		} {
			if _, err := parse.Parse(d, text); !errors.Is(err, sqltree.ErrTooDeep) {
				t.Errorf("%s: %v is not too deep", d, err)
			}
		}
		if _, err := parse.Parse(d, "select from where"); err == nil || errors.Is(err, sqltree.ErrTooDeep) {
			t.Errorf("%s: %v is too deep", d, err)
		}
	}
}

func TestResolveWith_Stars(t *testing.T) {
	script, err := parse.Parse(sqltree.Postgres, "insert into regions select r.* from regions r")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range sqltree.ResolveWith(sqltree.Options{Stars: true}, script.Statements[0], sqltree.Postgres, shop(t)).Columns {
		got = append(got, fmt.Sprintf("%s %s.%s", c.Relation, c.Sources[0].Table, c.Sources[0].Column))
	}
	if diff := cmp.Diff([]string{"r regions.id", "r regions.name"}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestResolve_Function has the outputs of functions, whose parameters are no columns.
func TestResolve_Function(t *testing.T) {
	for sql, want := range map[string]string{
		"create function f(p int) returns int return (select max(total) from orders where id = p) + p":                               "?column?: #orders.total",
		"create function f(p int) returns int begin atomic delete from regions; select id, p from orders where customer_id = p; end": "id: orders.id\np:",
	} {
		script, err := parse.Parse(sqltree.Postgres, sql)
		if err != nil {
			t.Fatal(err)
		}
		if got := render(sql, sqltree.Resolve(script.Statements[0], sqltree.Postgres, shop(t))); !strings.HasPrefix(got, want) || strings.Contains(got, "unknown") {
			t.Errorf("%s\n%s", sql, got)
		}
	}
}
