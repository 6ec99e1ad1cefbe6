package tools

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/paths"
	"github.com/quartet-mcp/quartet/pretensor/internal/sqlcheck"
	_ "modernc.org/sqlite"
)

// fixture is the data of an index of a schema in testdata.
func fixture(t testing.TB, name string) *catalog.Data {
	t.Helper()
	ddl, err := os.ReadFile("testdata/" + name + ".sql")
	if err != nil {
		t.Fatal(err)
	}
	return indexed(t, name, sqltree.Postgres, "public", string(ddl))
}

// precomputed stores the best paths of all pairs in data, as an index build does.
func precomputed(t testing.TB, data *catalog.Data) *catalog.Data {
	t.Helper()
	c := catalog.New(*data, 1)
	rows, err := c.Paths().Precompute(context.Background(), paths.Plan{Limits: paths.Limits{Table: func(i int) bool { return c.ShadowOf(i) < 0 }}})
	if err != nil {
		t.Fatal(err)
	}
	data.Paths = nil
	for _, r := range rows {
		row := catalog.Path{From: r.From, To: r.To, Cost: r.Cost, Ambiguous: r.Ambiguous, Promoted: r.Promoted}
		for _, s := range c.Paths().Path(r).Steps {
			row.Edges = append(row.Edges, s.Edge)
		}
		data.Paths = append(data.Paths, row)
	}
	return data
}

// join adds an inferred join to data.
func join(t testing.TB, data *catalog.Data, from, fromColumn, to, toColumn string, confidence float64) {
	t.Helper()
	j := catalog.Join{FromColumn: fromColumn, ToColumn: toColumn, Source: "heuristic", Confidence: confidence, Reasoning: "the names are alike", TargetUnique: true}
	at := func(name string) int {
		i := slices.IndexFunc(data.Tables, func(t model.Table) bool { return t.QualifiedName() == name })
		if i < 0 {
			t.Fatalf("no table %s", name)
		}
		return i
	}
	j.From, j.To = at(from), at(to)
	data.Joins = append(data.Joins, j)
}

// told are the tables that the paths lead over, with their columns.
func told(r traverseResult) []string {
	out := []string{}
	for _, p := range r.Paths {
		var b strings.Builder
		b.WriteString(strings.TrimPrefix(r.From, "public."))
		for _, s := range p.Steps {
			mark := " > "
			if s.EdgeType == "inferred" {
				mark = " ~ "
			}
			b.WriteString(mark + strings.TrimPrefix(s.ToTable, "public.") + " (" + s.Via + ")")
		}
		if p.Ambiguous {
			b.WriteString(" ambiguous")
		}
		out = append(out, b.String())
	}
	return out
}

// traversed asks for paths and checks what holds for every answer: the clauses are
// SQL that names what there is, and the numbers fit the steps.
func (w *world) traversed(data *catalog.Data, args string) traverseResult {
	w.t.Helper()
	var r traverseResult
	w.good("traverse", args, &r)
	c := catalog.New(*data, 1)
	d, ok := sqlcheck.Dialects[data.Dialect]
	if !ok {
		d = sqltree.Generic
	}
	for i, p := range r.Paths {
		report, err := sqlcheck.Check(c, d, "SELECT 1 "+p.SQL)
		guessed := slices.ContainsFunc(p.Steps, func(s joinStep) bool { return s.EdgeType == "inferred" })
		if err != nil || !report.Valid || len(report.Warnings) > 0 && !guessed {
			w.t.Errorf("%s: the clause is refused: %v %+v\n%s", args, err, report, p.SQL)
		}
		at, confidence, fans := r.From, 1.0, false
		for _, s := range p.Steps {
			if s.FromTable != at || s.FromColumn != s.FromColumns[0] || s.ToColumn != s.ToColumns[0] || len(s.FromColumns) != len(s.ToColumns) {
				w.t.Errorf("%s: step %+v after %s", args, s, at)
			}
			at, confidence, fans = s.ToTable, confidence*s.Confidence, fans || s.Cardinality == "one_to_many" || s.Cardinality == "many_to_many"
		}
		if at != r.To || p.FanOut != fans || model.Round(confidence) != p.Confidence && len(p.Steps) < 3 {
			w.t.Errorf("%s: path %+v", args, p)
		}
		for _, q := range r.Paths[:i] {
			if q.SQL == p.SQL {
				w.t.Errorf("%s: twice the path\n%s", args, p.SQL)
			}
		}
	}
	return r
}

func TestTraverse(t *testing.T) {
	data := precomputed(t, shop(t))
	w := serve(t, nil, data)
	got := w.good("traverse", `{"from_table":"refunds","to_table":"public.customers","database":"shop","top_k":1}`, nil)
	want := `{"from":"public.refunds","to":"public.customers","requested":{"from":"refunds","to":"public.customers"},"database":"shop","paths":[` +
		`{"confidence":1,"ambiguous":false,"semantic_label":"refunds → customers (3 hops)","cost":3,"steps":[` +
		`{"from_table":"public.refunds","to_table":"public.order_items","from_column":"order_id","to_column":"order_id","from_columns":["order_id","line"],` +
		`"to_columns":["order_id","line"],"edge_type":"fk","confidence":1,"source":"declared_fk","cardinality":"many_to_one","via":"order_id = order_id AND line = line"},` +
		`{"from_table":"public.order_items","to_table":"public.orders","from_column":"order_id","to_column":"id","from_columns":["order_id"],"to_columns":["id"],` +
		`"edge_type":"fk","confidence":1,"source":"declared_fk","cardinality":"many_to_one","via":"order_id = id"},` +
		`{"from_table":"public.orders","to_table":"public.customers","from_column":"customer_id","to_column":"id","from_columns":["customer_id"],"to_columns":["id"],` +
		`"edge_type":"fk","confidence":1,"source":"declared_fk","cardinality":"many_to_one","via":"customer_id = id"}],"fan_out":false,` +
		`"sql_hint":"FROM public.refunds AS refunds\nJOIN public.order_items AS order_items ON refunds.order_id = order_items.order_id AND refunds.line = order_items.line\n` +
		`JOIN public.orders AS orders ON order_items.order_id = orders.id\nJOIN public.customers AS customers ON orders.customer_id = customers.id"}],"used_precomputed":true}`
	if got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	w.refusals("traverse", map[string]string{
		`{"from_table":"orders","to_table":"customers"}`:                                           `{"error":"traverse needs the argument 'database'.","code":"invalid_argument","hint":"give it as text","candidates":["shop"]}`,
		`{"from_table":"orders","database":"shop"}`:                                                `{"error":"traverse needs the argument 'to_table'.","code":"invalid_argument","hint":"give it as text"}`,
		`{"from_table":"orders","to_table":"customers","database":"shpo"}`:                         `{"error":"No connection named 'shpo'.","code":"unknown_database","hint":"Call list_databases for the full list.","candidates":["shop"]}`,
		`{"from_table":"orders","to_table":"customers","database":"shop","to_database":"bliling"}`: `{"error":"No connection named 'bliling'.","code":"unknown_database","hint":"Call list_databases for the full list.","candidates":["shop"]}`,
		`{"from_table":"ordrs","to_table":"customers","database":"shop"}`:                          `{"error":"No table 'ordrs' in shop.","code":"table_not_found","candidates":["public.orders"]}`,
		`{"from_table":"orders","to_table":"events","database":"shop"}`:                            `{"error":"'events' exists in 2 schemas; use schema.table.","code":"ambiguous_table","candidates":["public.events","raw.events"]}`,
	})
	for _, args := range []string{`"edge_types":["fk","view"]`, `"edge_types":"view"`, `"max_depth":"far"`, `"top_k":[1]`, `"depth":3`} {
		if f := w.bad("traverse", `{"from_table":"orders","to_table":"customers","database":"shop",`+args+`}`); f.Code != invalidArgument {
			t.Errorf("%s: %+v", args, f)
		}
	}
}

func TestTraverse_Pinned(t *testing.T) {
	tpch, cycles, tpcds, films := fixture(t, "tpch"), fixture(t, "cycles"), fixture(t, "tpcds"), fixture(t, "rental")
	guessed, without := fixture(t, "rental"), fixture(t, "rental")
	guessed.Connection, without.Connection = "guessed", "without"
	for _, data := range []*catalog.Data{guessed, without} {
		join(t, data, "public.customer", "favourite", "public.film", "title", 0.25)
	}
	for i := range without.Tables {
		if tb := &without.Tables[i]; tb.Name == "rental" {
			tb.ForeignKeys = slices.DeleteFunc(tb.ForeignKeys, func(k model.ForeignKey) bool { return k.RefTable == "customer" })
		}
	}
	without.Joins = slices.DeleteFunc(without.Joins, func(j catalog.Join) bool { return j.FromColumn != "favourite" })
	diamond := indexed(t, "diamond", sqltree.Postgres, "public", `
		create table d (id int primary key); create table b (id int primary key, d_ref int references d); create table c (id int primary key, d_ref int references d);
		create table a (id int primary key, b_ref int references b, c_ref int references c);
		create table addresses (id int primary key, city text);
		create table orders (id int primary key, billing_id int references addresses, shipping_id int references addresses);
		create table chain (id int primary key, o int references orders);`)
	w := serve(t, nil, tpch, cycles, tpcds, films, guessed, without, diamond)
	tests := []struct {
		data           *catalog.Data
		from, to, args string
		want           []string // the first paths
		warning        string
	}{
		{tpch, "lineitem", "customer", "", []string{"lineitem > orders (l_orderkey = o_orderkey) > customer (o_custkey = c_custkey)"}, ""},
		{tpch, "part", "customer", "", []string{"part > partsupp (p_partkey = ps_partkey) > lineitem (ps_partkey = l_partkey AND ps_suppkey = l_suppkey) > orders (l_orderkey = o_orderkey) > customer (o_custkey = c_custkey)"}, ""},
		{tpch, "supplier", "nation", "", []string{"supplier > nation (s_nationkey = n_nationkey)"}, ""},
		{cycles, "production.product", "customer", `,"edge_types":["fk"]`, []string{"production.product > sales.specialofferproduct (productid = productid) > sales.salesorderdetail (specialofferid = specialofferid AND productid = productid) > " +
			"sales.salesorderheader (salesorderid = salesorderid) > sales.customer (customerid = customerid)"}, ""},
		{cycles, "employee", "salesorderheader", "", []string{"humanresources.employee > sales.salesperson (businessentityid = businessentityid) > sales.salesorderheader (businessentityid = salespersonid)"}, ""},
		{cycles, "person.person", "product", `,"edge_types":["fk"]`, []string{}, `No join path leads from person.person to production.product within 4 steps over declared keys alone; there is one with max_depth 5`},
		{cycles, "person.person", "product", `,"edge_types":["fk"],"max_depth":5`, []string{"person.person > sales.customer (businessentityid = personid) > sales.salesorderheader (customerid = customerid) > " +
			"sales.salesorderdetail (salesorderid = salesorderid) > sales.specialofferproduct (specialofferid = specialofferid AND productid = productid) > production.product (productid = productid)"}, ""},
		{tpcds, "store_sales", "customer", "", []string{"store_sales > customer (ss_customer_sk = c_customer_sk)"}, ""},
		{tpcds, "store_returns", "promotion", "", []string{"store_returns > store_sales (sr_item_sk = ss_item_sk AND sr_ticket_number = ss_ticket_number) > promotion (ss_promo_sk = p_promo_sk)"}, ""},
		{tpcds, "web_sales", "customer", `,"top_k":2`, []string{
			"web_sales > customer (ws_bill_customer_sk = c_customer_sk) ambiguous", "web_sales > customer (ws_ship_customer_sk = c_customer_sk) ambiguous"}, ""},
		{films, "film", "customer", "", []string{"film > inventory (film_id = film_id) > rental (inventory_id = inventory_id) > customer (customer_id = customer_id)"}, ""},
		{guessed, "film", "customer", `,"top_k":2`, []string{"film > inventory (film_id = film_id) > rental (inventory_id = inventory_id) > customer (customer_id = customer_id)", "film ~ customer (title = favourite)"}, ""},
		{without, "film", "customer", `,"max_depth":3`, []string{"film ~ customer (title = favourite)"}, ""},
		{diamond, "a", "d", "", []string{"a > b (b_ref = id) > d (d_ref = id) ambiguous", "a > c (c_ref = id) > d (d_ref = id) ambiguous"}, ""},
		{diamond, "chain", "orders", "", []string{"chain > orders (o = id)"}, ""},
		{diamond, "orders", "addresses", "", []string{"orders > addresses (billing_id = id) ambiguous", "orders > addresses (shipping_id = id) ambiguous"}, ""},
		{diamond, "addresses", "orders", `,"top_k":1`, []string{"addresses > orders (id = billing_id) ambiguous"}, ""},
	}
	for _, test := range tests {
		t.Run(test.from+" to "+test.to+test.args, func(t *testing.T) {
			r := w.traversed(test.data, fmt.Sprintf(`{"from_table":%q,"to_table":%q,"database":%q%s}`, test.from, test.to, test.data.Connection, test.args))
			got := told(r)
			if diff := gocmp.Diff(test.want, got[:min(len(got), len(test.want))]); diff != "" || r.Warning != test.warning {
				t.Errorf("warning %q, -want +got\n%s", r.Warning, diff)
			}
		})
	}
	var r traverseResult
	w.good("traverse", `{"from_table":"film","to_table":"customer","database":"guessed"}`, &r)
	if r.Paths[0].Label != "fk_chain_promoted" || r.Paths[0].Cost <= r.Paths[1].Cost || r.Paths[1].Label != "film → customer (1 hop)" || !r.Paths[0].FanOut {
		t.Errorf("%+v", r.Paths)
	}
	// No step ever runs over a column that is on every table.
	for _, from := range []string{"product", "employee", "address", "shipmethod", "department"} {
		for _, to := range []string{"customer", "store", "specialoffer", "emailaddress"} {
			r := w.traversed(cycles, fmt.Sprintf(`{"from_table":%q,"to_table":%q,"database":"cycles","max_depth":8,"top_k":10,"max_inferred_hops":8}`, from, to))
			for _, p := range r.Paths {
				if strings.Contains(p.SQL, "modifieddate") || strings.Contains(p.SQL, "rowguid") {
					t.Errorf("%s", p.SQL)
				}
			}
		}
	}
}

func TestTraverse_Limits(t *testing.T) {
	data := fixture(t, "tpcds")
	join(t, data, "public.reason", "r_reason_desc", "public.item", "i_category", 0.6)
	join(t, data, "public.reason", "r_reason_id", "public.web_site", "web_site_id", 0.6)
	w := serve(t, nil, data)
	ask := func(args string) traverseResult {
		return w.traversed(data, `{"from_table":"reason","to_table":"customer","database":"tpcds",`+args+`}`)
	}
	all := ask(`"max_depth":8,"top_k":10`)
	if len(all.Paths) != 10 {
		t.Fatalf("%d paths", len(all.Paths))
	}
	for k := 1; k < 10; k++ {
		r := ask(fmt.Sprintf(`"max_depth":8,"top_k":%d`, k))
		if diff := gocmp.Diff(all.Paths[:k], r.Paths); diff != "" {
			t.Errorf("top_k %d are not the first of 10\n%s", k, diff)
		}
	}
	for depth := 1; depth <= 8; depth++ {
		none, keys := ask(fmt.Sprintf(`"max_depth":%d,"max_inferred_hops":0`, depth)), ask(fmt.Sprintf(`"max_depth":%d,"edge_types":["fk"]`, depth))
		if diff := gocmp.Diff(none, keys, gocmp.AllowUnexported(traverseResult{})); diff != "" {
			t.Errorf("depth %d: no inferred hops and keys alone differ\n%s", depth, diff)
		}
		for _, p := range ask(fmt.Sprintf(`"max_depth":%d,"top_k":10,"max_inferred_hops":1`, depth)).Paths {
			inferred := 0
			for _, s := range p.Steps {
				if s.EdgeType == "inferred" {
					inferred++
				}
			}
			if len(p.Steps) > depth || inferred > 1 {
				t.Errorf("depth %d: %d steps, %d inferred", depth, len(p.Steps), inferred)
			}
		}
	}
	for args, want := range map[string]string{
		`"max_depth":9`:                           "max_depth",
		`"max_depth":0`:                           "max_depth",
		`"top_k":99`:                              "top_k",
		`"top_k":-1`:                              "top_k",
		`"max_inferred_hops":-1`:                  "max_inferred_hops",
		`"max_inferred_hops":9`:                   "max_inferred_hops",
		`"max_depth":"4","top_k":3.0`:             "",
		`"max_depth":null,"edge_types":[]`:        "",
		`"edge_types":["inferred","fk"]`:          "",
		`"edge_types":null,"to_database":null`:    "",
		`"edge_types":["fk","inferred","fk"]`:     "",
		`"to_database":" "`:                       "",
		`"to_database":"tpcds"`:                   "",
		`"edge_types":["inferred"],"max_depth":4`: "over inferred joins alone",
	} {
		if r := ask(args); (r.Warning == "") != (want == "") || !strings.Contains(r.Warning, want) {
			t.Errorf("%s: warning %q, want %q", args, r.Warning, want)
		}
	}
}

// The stored winner is used only for a question with the limits that it was found
// with, and whatever is stored the order is that of a live search.
func TestTraverse_Precomputed(t *testing.T) {
	live := fixture(t, "tpcds")
	stored := precomputed(t, fixture(t, "tpcds"))
	stale := precomputed(t, fixture(t, "tpcds"))
	wrong := fixture(t, "tpcds")
	stored.Connection, stale.Connection, wrong.Connection = "stored", "stale", "wrong"
	for i := range stale.Paths {
		stale.Paths[i].Stale = true
	}
	for from := range wrong.Tables { // edges that are not there, that do not follow each other, that lead nowhere
		for to := range wrong.Tables {
			wrong.Paths = append(wrong.Paths, catalog.Path{From: from, To: to, Edges: [][]int{{9999}, {0, 1, 2}, {}, {-1}, nil}[(from+to)%5]})
		}
	}
	w := serve(t, nil, live, stored, stale, wrong)
	names := []string{"reason", "customer", "store_returns", "web_sales", "promotion", "income_band", "item"}
	for _, from := range names {
		for _, to := range names {
			if from == to {
				continue
			}
			ask := func(connection, args string) traverseResult {
				return w.traversed(live, fmt.Sprintf(`{"from_table":%q,"to_table":%q,"database":%q%s}`, from, to, connection, args))
			}
			for _, args := range []string{"", `,"top_k":1`, `,"max_depth":5`, `,"edge_types":["fk"]`, `,"edge_types":["fk","inferred"]`, `,"max_inferred_hops":1`} {
				want := ask("tpcds", args)
				for _, connection := range []string{"stored", "stale", "wrong"} {
					got := ask(connection, args)
					if diff := gocmp.Diff(want.Paths, got.Paths); diff != "" {
						t.Errorf("%s to %s in %s%s, -live +got\n%s", from, to, connection, args, diff)
					}
					used := connection == "stored" && len(want.Paths) > 0 && (args == "" || strings.Contains(args, "top_k") || strings.Contains(args, `"inferred"`))
					if got.UsedPrecomp != used {
						t.Errorf("%s to %s in %s%s: used_precomputed %v", from, to, connection, args, got.UsedPrecomp)
					}
				}
			}
		}
	}
}

// Where a search was broken off the stored winner stands first; a stale one is the
// answer only where there is no other, and says so.
func TestTraverse_BrokenOff(t *testing.T) {
	data := precomputed(t, indexed(t, "shop", sqltree.Postgres, "public", shopDDL))
	c := catalog.New(*data, 1)
	d := database{Catalog: c}
	d.Entry.Name = "shop"
	from, err1 := c.Find("orders")
	to, err2 := c.Find("addresses")
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	q := traversal{d, from, to, (&traverseArgs{Depth: 4, Inferred: 2}).limits(d), 3}
	whole, err := q.search(context.Background())
	if err != nil || len(whole.paths) != 3 || !whole.stored || whole.cut {
		t.Fatalf("%+v, %v", whole, err)
	}
	same := func(a, b []paths.Path) bool {
		return slices.EqualFunc(a, b, func(a, b paths.Path) bool {
			return slices.Equal(a.Steps, b.Steps) && a.Cost == b.Cost && a.Ambiguous == b.Ambiguous
		})
	}
	p := whole.paths
	for _, test := range []struct {
		name              string
		found             []paths.Path
		cut, stale        bool
		want              []paths.Path
		isStored, isStale bool
	}{
		{"whole", p, false, false, p, true, false},
		{"another first", []paths.Path{p[1], p[0], p[2]}, false, false, []paths.Path{p[1], p[0], p[2]}, false, false},
		{"broken off, another first", []paths.Path{p[1], p[0], p[2]}, true, false, p, true, false},
		{"broken off without it", []paths.Path{p[1], p[2]}, true, false, p, true, false},
		{"broken off with others", []paths.Path{p[1], p[2], p[2]}, true, false, p, true, false},
		{"broken off at once", nil, true, false, p[:1], true, false},
		{"stale", p, false, true, p, false, false},
		{"stale, broken off", p[1:], true, true, p[1:], false, false},
		{"stale, broken off at once", nil, true, true, p[:1], false, true},
		{"stale, there is no path", nil, false, true, nil, false, false},
	} {
		for i := range data.Paths {
			data.Paths[i].Stale = test.stale
		}
		got := q.withStored(paths.Result{Paths: slices.Clone(test.found), Cut: test.cut})
		if !same(got.paths, test.want) || got.stored != test.isStored || got.stale != test.isStale || got.cut != test.cut {
			t.Errorf("%s: %+v", test.name, got)
		}
		if test.isStale {
			shown := q.describe(newHinter(c), got.paths[0], got.stale)
			if !shown.Stale || !strings.Contains(shown.StaleWarning, "pretensor reindex --database shop") {
				t.Errorf("%s: %+v", test.name, shown)
			}
		}
	}
}

func TestTraverse_Nothing(t *testing.T) {
	data := indexed(t, "odd", sqltree.Postgres, "public", `
		create schema old;
		create table far (id int primary key);
		create table c5 (id int primary key, ref int references far); create table c4 (id int primary key, ref int references c5);
		create table c3 (id int primary key, ref int references c4); create table c2 (id int primary key, ref int references c3);
		create table c1 (id int primary key, ref int references c2);
		create table alone (id int primary key);
		create table old.receipts (id int primary key, ref int references c1); create table receipts (id int primary key);
		create table guess (id int primary key, hint text); create table hop1 (id int primary key, hint text); create table hop2 (id int primary key, hint text);
		create table hop3 (id int primary key, hint text);
		create table tree (id int primary key, parent int references tree, twin int references tree);`)
	data.Joins = nil
	join(t, data, "public.hop1", "hint", "public.guess", "hint", 0.9)
	join(t, data, "public.hop2", "hint", "public.hop1", "hint", 0.9)
	join(t, data, "public.hop3", "hint", "public.hop2", "hint", 0.9)
	w := serve(t, nil, data)
	tests := []struct{ from, to, args, want string }{
		{"c1", "far", "", "No join path leads from public.c1 to public.far within 4 steps, at most 2 of them inferred; there is one with max_depth 5"},
		{"far", "c1", `,"max_depth":1,"edge_types":["fk"]`, "No join path leads from public.far to public.c1 within 1 step over declared keys alone; there is one with max_depth 5"},
		{"guess", "hop3", "", "No join path leads from public.guess to public.hop3 within 4 steps, at most 2 of them inferred; there is one with max_inferred_hops 3"},
		{"guess", "hop1", `,"edge_types":["fk"]`, `No join path leads from public.guess to public.hop1 within 4 steps over declared keys alone; there is one with edge_types ["fk","inferred"]`},
		{"guess", "hop3", `,"max_inferred_hops":0,"max_depth":2`, "No join path leads from public.guess to public.hop3 within 2 steps over declared keys alone; there is one with max_depth 3 and max_inferred_hops 3"},
		{"far", "c5", `,"edge_types":["inferred"]`, `No join path leads from public.far to public.c5 within 4 steps over inferred joins alone; there is one with edge_types ["fk","inferred"]`},
		{"guess", "alone", "", "No join path leads from public.guess to public.alone within 4 steps, at most 2 of them inferred; none of up to 8 steps exists over any edge; public.alone joins no other table"},
		{"c1", "public.receipts", `,"max_inferred_hops":4`, "No join path leads from public.c1 to public.receipts within 4 steps; none of up to 8 steps exists over any edge; public.receipts joins no other table; within reach is old.receipts"},
		{"alone", "alone", "", "No key of public.alone refers to itself"},
		{"tree", "tree", `,"edge_types":["inferred"]`, `No key of public.tree refers to itself over inferred joins alone; there is one with edge_types ["fk","inferred"]`},
	}
	for _, test := range tests {
		args := fmt.Sprintf(`{"from_table":%q,"to_table":%q,"database":"odd"%s}`, test.from, test.to, test.args)
		text := w.good("traverse", args, nil)
		var r traverseResult
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			t.Fatal(err)
		}
		if r.Warning != test.want || !strings.Contains(text, `"paths":[],"used_precomputed":false`) {
			t.Errorf("%s\n got %s\nwant %q", args, text, test.want)
		}
	}
	r := w.traversed(data, `{"from_table":"tree","to_table":"tree","database":"odd"}`)
	if len(r.Paths) != 2 || !r.Paths[0].Ambiguous || r.Paths[0].Label != "tree → tree (1 hop)" ||
		r.Paths[0].SQL != "FROM public.tree AS tree\nJOIN public.tree AS tree_2 ON tree.parent = tree_2.id" {
		t.Errorf("%+v", r)
	}
}

func TestTraverse_Aliases(t *testing.T) {
	data, over := precomputed(t, shop(t)), shop(t)
	over.Connection, over.Joins = "over", nil
	join(t, over, "public.web_events", "customer_ref", "public.v_customers", "email", 0.9)
	join(t, over, "public.v_customers", "id", "public.products", "id", 0.9)
	join(t, over, "raw.events", "id", "public.v_customers", "id", 0.9)
	w := serve(t, nil, data, over)
	r := w.traversed(data, `{"from_table":"v_customers","to_table":"orders","database":"shop"}`)
	if r.From != "public.customers" || r.Requested == nil || r.Requested.From != "v_customers" || len(r.Paths) == 0 || !r.UsedPrecomp ||
		r.Warning != "public.v_customers is a view that stands for public.customers, which was taken in its place" {
		t.Errorf("%+v", r)
	}
	r = w.traversed(data, `{"from_table":"customers","to_table":"v_customers","database":"shop"}`)
	if r.To != "public.customers" || len(r.Paths) != 0 || !strings.Contains(r.Warning, "stands for") || !strings.Contains(r.Warning, "No key of public.customers") {
		t.Errorf("%+v", r)
	}
	// Not even when joins lead over one.
	r = w.traversed(over, `{"from_table":"web_events","to_table":"products","database":"over","max_depth":8}`)
	if len(r.Paths) != 0 || strings.Contains(r.Warning, "v_customers") || !strings.Contains(r.Warning, "public.web_events joins no other table") {
		t.Errorf("%+v", r)
	}
}

func TestTraverse_TwoDatabases(t *testing.T) {
	billing := indexed(t, "billing", sqltree.Postgres, "public", "create table accounts (id int primary key, email text); create table orders (id int primary key);")
	w := serve(t, nil, shop(t), billing)
	got := w.good("traverse", `{"from_table":"orders","to_table":"accounts","database":"shop","to_database":"billing"}`, nil)
	want := `{"from":"public.orders","to":"public.accounts","requested":{"from":"orders","to":"accounts"},"database":"shop","to_database":"billing","cross_database":true,` +
		`"cross_db_note":"No single statement joins tables of two databases: the rows have to be brought together outside of them.","paths":[],"used_precomputed":false,` +
		`"warning":"No confirmed entity link leads from shop to billing; links are made by pretensor entities, which this version does not have yet"}`
	if got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	w.refusals("traverse", map[string]string{
		`{"from_table":"orders","to_table":"customers","database":"shop","to_database":"billing"}`: `{"error":"No table 'customers' in billing.","code":"table_not_found"}`,
		`{"from_table":"orders","to_table":"accounts","database":"shop"}`:                          `{"error":"No table 'accounts' in shop.","code":"table_not_found"}`,
		`{"from_table":"orders","to_table":"accounts"}`:                                            `{"error":"traverse needs the argument 'database'.","code":"invalid_argument","hint":"give it as text","candidates":["billing","shop"]}`,
	})
}

func TestTraverse_Empty(t *testing.T) {
	w := serve(t, nil, indexed(t, "void", sqltree.Postgres, "public", ""))
	w.refusals("traverse", map[string]string{
		`{"from_table":"a","to_table":"b","database":"void"}`: `{"error":"No table 'a' in void.","code":"table_not_found","hint":"The index of void holds no visible table."}`,
	})
}

const hostileDDL = `
create table "Order" (id integer primary key, "select" integer, "a.b" integer);
create table "weird ""name""" ("the ""id""" integer primary key, "Order" integer references "Order" (id), "from" integer, "日本" integer references "weird ""name""" ("the ""id"""));
create table "dots.in::name" (id integer primary key, "x y" integer references "weird ""name""" ("the ""id"""), "user" integer references "dots.in::name" (id));
create table "user" (id integer primary key, "group" integer references "dots.in::name" (id), _ok1 integer references "Order" (id));
create table "1st" (id integer primary key, "drop table" integer references "user" (id), "` + "back`tick" + `" integer references "1st" (id));
create table pairs (a integer, "B" integer, primary key (a, "B"));
create table "UPPER" (a integer, "B" integer, foreign key (a, "B") references pairs (a, "B"));
create table upper_2 (a integer, "B" integer, "1" integer references "1st" (id), foreign key (a, "B") references pairs (a, "B"));
`

// Every clause means what it says in the database itself.
func TestTraverse_SQLite(t *testing.T) {
	data := indexed(t, "lite", sqltree.SQLite, "main", hostileDDL)
	w := serve(t, nil, data)
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(hostileDDL); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, from := range data.Tables {
		for _, to := range data.Tables {
			name := func(s string) string { b, _ := json.Marshal(sqltree.SQLite.Quote(s)); return string(b) }
			r := w.traversed(data, fmt.Sprintf(`{"from_table":%s,"to_table":%s,"database":"lite","max_depth":8,"top_k":10}`, name(from.Name), name(to.Name)))
			for _, p := range r.Paths {
				n++
				if _, err := db.Exec("SELECT 1 " + p.SQL); err != nil {
					t.Errorf("%v\n%s", err, p.SQL)
				}
			}
		}
	}
	if n < 50 {
		t.Errorf("%d paths were tried", n)
	}
}

// The same names in the other dialects, as far as the checker can tell.
func TestTraverse_Dialects(t *testing.T) {
	for _, test := range []struct {
		name, schema, want string
		dialect            sqltree.Dialect
	}{
		{"postgresql", "public", `FROM public."1st" AS "1st"` + "\n" + `JOIN public."user" AS "user" ON "1st"."drop table" = "user".id`, sqltree.Postgres},
		{"mysql", "shop", "FROM shop.`1st` AS `1st`\nJOIN shop.`user` AS `user` ON `1st`.`drop table` = `user`.id", sqltree.MySQL},
		{"duckdb", "main", `FROM main."1st" AS "1st"` + "\n" + `JOIN main."user" AS "user" ON "1st"."drop table" = "user".id`, sqltree.DuckDB},
		{"duckdb", "shop.main", `FROM shop.main."1st" AS "1st"` + "\n" + `JOIN shop.main."user" AS "user" ON "1st"."drop table" = "user".id`, sqltree.DuckDB},
		{"snowflake", "PUBLIC", `FROM PUBLIC."1st" AS "1st"` + "\n" + `JOIN PUBLIC."user" AS "user" ON "1st"."drop table" = "user"."id"`, sqltree.Snowflake},
	} {
		t.Run(test.name+" "+test.schema, func(t *testing.T) {
			data := indexed(t, "odd", sqltree.Postgres, test.schema, hostileDDL)
			data.Dialect = test.name
			w := serve(t, nil, data)
			for _, from := range data.Tables {
				w.traversed(data, fmt.Sprintf(`{"from_table":%q,"to_table":"pairs","database":"odd","max_depth":8,"top_k":10}`, sqltree.Postgres.Quote(from.Name)))
			}
			r := w.traversed(data, `{"from_table":"1st","to_table":"user","database":"odd","top_k":1}`)
			if r.Paths[0].SQL != test.want {
				t.Errorf("\n got %s\nwant %s", r.Paths[0].SQL, test.want)
			}
		})
	}
}

// Aliases are told apart also where names meet, and where only their ends differ.
func TestTraverse_AliasesOfTables(t *testing.T) {
	long := strings.Repeat("long", 16)[:60]
	data := indexed(t, "twins", sqltree.Postgres, "public", `create schema other; create schema third;
		create table orders (id int primary key); create table other.orders (id int primary key, ref int references orders);
		create table orders_2 (id int primary key, ref int references other.orders); create table third.orders (id int primary key, ref int references orders_2);
		create table third."Orders" (id int primary key, ref int references third.orders);
		create table `+long+`xxx (id int primary key, ref int references `+long+`xxx);`)
	w := serve(t, nil, data)
	r := w.traversed(data, `{"from_table":"\"third\".\"Orders\"","to_table":"public.orders","database":"twins","top_k":1}`)
	want := `FROM third."Orders" AS "Orders"
JOIN third.orders AS orders_2 ON "Orders".ref = orders_2.id
JOIN public.orders_2 AS orders_2_2 ON orders_2.ref = orders_2_2.id
JOIN other.orders AS orders_3 ON orders_2_2.ref = orders_3.id
JOIN public.orders AS orders_4 ON orders_3.ref = orders_4.id`
	if r.Paths[0].SQL != want || r.Paths[0].Label != "Orders → orders (4 hops)" {
		t.Errorf("%s\n got %s\nwant %s", r.Paths[0].Label, r.Paths[0].SQL, want)
	}
	r = w.traversed(data, `{"from_table":"public.orders","to_table":"\"third\".\"Orders\"","database":"twins","top_k":1}`)
	if !strings.Contains(r.Paths[0].SQL, `JOIN third."Orders" AS "Orders_4" ON `) { // SQLite and others would take it for orders
		t.Errorf("%s", r.Paths[0].SQL)
	}
	r = w.traversed(data, fmt.Sprintf(`{"from_table":%q,"to_table":%q,"database":"twins"}`, long+"xxx", long+"xxx"))
	if !strings.Contains(r.Paths[0].SQL, " AS "+long+"x_2 ON ") {
		t.Errorf("%s", r.Paths[0].SQL)
	}
}

// An answer that is too long keeps the best paths and says how many there are.
func TestTraverse_Cut(t *testing.T) {
	var b strings.Builder
	name := func(kind string, i int) string { return `"` + strings.Repeat(kind+" ", 300) + fmt.Sprint(i) + `"` }
	b.WriteString("create table goal (id int primary key);")
	for way := range 10 {
		for i := range 7 {
			to := "goal"
			if i > 0 {
				to = name(fmt.Sprint("way", way), i-1)
			}
			fmt.Fprintf(&b, "create table %s (id int primary key, ref int references %s);", name(fmt.Sprint("way", way), i), to)
		}
	}
	b.WriteString("create table start (id int primary key")
	for way := range 10 {
		fmt.Fprintf(&b, ", r%d int references %s", way, name(fmt.Sprint("way", way), 6))
	}
	b.WriteString(");")
	data := indexed(t, "long", sqltree.Postgres, "public", b.String())
	w := serve(t, nil, data)
	var r traverseResult
	text := w.good("traverse", `{"from_table":"start","to_table":"goal","database":"long","max_depth":8,"top_k":10}`, &r)
	if len(text) > maxAnswer || !r.Cut || r.Total != 10 || len(r.Paths) == 0 || len(r.Paths) > 9 || !strings.Contains(r.Warning, "top_k") {
		t.Errorf("%d characters, truncated %v, %d of %d paths, warning %q", len(text), r.Cut, len(r.Paths), r.Total, r.Warning)
	}
}
