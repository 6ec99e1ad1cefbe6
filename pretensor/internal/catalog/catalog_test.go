package catalog

import (
	"bytes"
	"encoding/gob"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/generic"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

func table(schema, name string, columns ...string) model.Table {
	t := model.Table{Schema: schema, Name: name, Type: model.BaseTable}
	for i, c := range columns {
		t.Columns = append(t.Columns, model.Column{Name: c, Ordinal: i + 1, Type: "integer"})
	}
	return t
}

// shop has a composite key, two keys between the same tables, a self reference, a
// view that is an alias, and a name in two schemas.
func shop() *Catalog {
	customers := table("public", "customers", "id", "region", "boss_id")
	customers.PrimaryKey = &model.Key{Columns: []string{"id"}}
	customers.ForeignKeys = []model.ForeignKey{{Name: "boss", Columns: []string{"boss_id"}, RefSchema: "public", RefTable: "customers", RefColumns: []string{"id"}}}
	orders := table("public", "orders", "id", "line", "customer_id", "payer_id")
	orders.PrimaryKey = &model.Key{Columns: []string{"id", "line"}}
	orders.ForeignKeys = []model.ForeignKey{
		{Name: "by", Columns: []string{"customer_id"}, RefSchema: "public", RefTable: "customers", RefColumns: []string{"id"}},
		{Name: "paid", Columns: []string{"payer_id"}, RefSchema: "public", RefTable: "customers", RefColumns: []string{"id"}},
		{Name: "gone", Columns: []string{"payer_id"}, RefSchema: "old", RefTable: "payers", RefColumns: []string{"id"}},
	}
	events := table("public", "events", "id", "customer_ref")
	rawEvents := table("raw", "events", "id")
	users := table("public", "Users", "Id")
	active := table("public", "v_active", "id")
	active.Type = model.View
	data := Data{
		Connection: "shop", Dialect: "postgresql", DefaultSchema: "public",
		Tables: []model.Table{users, customers, events, orders, active, rawEvents},
		Facts:  []Facts{{}, {Aliases: []string{"dim_client"}}, {}, {}, {}, {}},
		Joins:  []Join{{From: 2, To: 1, FromColumn: "customer_ref", ToColumn: "id", Source: "heuristic", Confidence: 0.6, TargetUnique: true}},
		Lineage: []model.Lineage{
			{FromSchema: "public", FromTable: "customers", ToSchema: "public", ToTable: "v_active", Type: model.LineageView},
		},
	}
	return New(data, 1)
}

func TestFind(t *testing.T) {
	c := shop()
	tests := []struct {
		name, table string
		candidates  []string
		ambiguous   bool
	}{
		{name: "orders", table: "public.orders"},
		{name: "ORDERS", table: "public.orders"},
		{name: ` "public"."orders" `, table: "public.orders"},
		{name: "shop.public.orders", table: "public.orders"},
		{name: "[raw].[events]", table: "raw.events"},
		{name: "`Users`", table: "public.Users"},
		{name: "users", table: "public.Users"},
		{name: "events", ambiguous: true, candidates: []string{"public.events", "raw.events"}},
		{name: "custmers", candidates: []string{"public.customers"}},
		{name: "dim_client", candidates: []string{"public.customers"}},
		{name: "raw.orders", candidates: []string{"public.orders"}},
		{name: "zzz", candidates: []string{}},
		{name: "", candidates: []string{}},
		{name: strings.Repeat(" ", 1000) + `"orders"`, table: "public.orders"},
		{name: strings.Repeat("a.", 300_000), candidates: []string{}}, // each dot is a way to split it
	}
	for _, test := range tests {
		i, err := c.Find(test.name)
		if test.table != "" {
			if err != nil || c.Name(i) != test.table {
				t.Errorf("Find(%q) = %d, %v, want %s", test.name, i, err, test.table)
			}
			continue
		}
		var e *NotOne
		if !errors.As(err, &e) || e.Ambiguous != test.ambiguous {
			t.Errorf("Find(%q) = %d, %v", test.name, i, err)
			continue
		}
		if diff := cmp.Diff(test.candidates, e.Candidates); diff != "" {
			t.Errorf("candidates of %q, -want +got\n%s", test.name, diff)
		}
	}
}

// One qualified name may be that of two tables: quotes tell which is meant, and a key
// refers to the one that it names.
func TestFind_DotsInNames(t *testing.T) {
	table := func(schema, name string, keys ...model.ForeignKey) model.Table {
		return model.Table{Schema: schema, Name: name, Columns: []model.Column{{Name: "id"}}, ForeignKeys: keys}
	}
	c := New(Data{Connection: "c", Dialect: "postgresql", Tables: []model.Table{
		table("p", "q.r"), table("p.q", "r"), table("x", "y", model.ForeignKey{Columns: []string{"id"}, RefSchema: "p", RefTable: "q.r", RefColumns: []string{"id"}}),
		table("x", "y.z"),
	}, Facts: make([]Facts, 4)}, 0)
	for name, want := range map[string]int{`"p"."q.r"`: 0, `"p.q"."r"`: 1, "p.q.r": -1, "x.y.z": 3, `c."p.q".r`: 1, "X.Y.Z": 3} {
		if i, err := c.Find(name); i != want {
			t.Errorf("Find(%s) = %d, %v, want %d", name, i, err, want)
		}
	}
	_, err := c.Find("p.q.r")
	if e, ok := errors.AsType[*NotOne](err); !ok || !slices.Equal(e.Candidates, []string{`"p"."q.r"`, `"p.q"."r"`}) {
		t.Errorf("Find(p.q.r): %+v", err)
	}
	if e := c.Edge(0); c.Edges() != 1 || e.From != 2 || e.To != 0 {
		t.Errorf("%+v", e)
	}
}

func TestEdges(t *testing.T) {
	c := shop()
	id := func(name string) int {
		i, err := c.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		return i
	}
	orders, customers := id("orders"), id("customers")
	if got := len(c.Between(orders, customers)); got != 2 {
		t.Errorf("%d edges between orders and customers", got)
	}
	if got := len(c.Between(customers, customers)); got != 1 {
		t.Errorf("%d edges of customers to itself", got)
	}
	e := c.Edge(c.Out(orders)[0])
	if !e.Declared || e.FromUnique || !e.ToUnique || e.Confidence != 1 {
		t.Errorf("edge %+v", e)
	}
	if got := c.In(customers); len(got) != 4 { // two of orders, its own, one inferred
		t.Errorf("%d edges to customers", len(got))
	}
	if c.ShadowOf(id("v_active")) != customers || c.ShadowOf(customers) != -1 {
		t.Error("v_active is no alias of customers")
	}
}

func TestSQL(t *testing.T) {
	c := shop()
	s := c.SQL()
	for sql, want := range map[string]string{
		`select id from customers`:             "",
		`select id from public.CUSTOMERS`:      "",
		`select regio from customers`:          "regio",
		`select "Id" from "Users"`:             "",
		`select 1 from users`:                  "users",
		`select id from events`:                "", // of the default schema
		`select customer_ref from raw.events`:  "customer_ref",
		`select 1 from other.public.customers`: "",
	} {
		script, err := generic.Parse(sqltree.Postgres, sql)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		r := sqltree.Resolve(script.Statements[0], sqltree.Postgres, s)
		for _, u := range r.Tables {
			if u.Status == sqltree.Unknown {
				got = u.Name.Last().Name
			}
		}
		for _, u := range r.Columns {
			if u.Status == sqltree.Unknown {
				got = u.At.Name
			}
		}
		if got != want {
			t.Errorf("%s: unknown %q, want %q", sql, got, want)
		}
	}
}

// Where several files of DuckDB are one connection, three parts name a table too.
func TestSQL_Files(t *testing.T) {
	c := New(Data{
		Dialect: "duckdb", DefaultSchema: "shop.main", Facts: make([]Facts, 3),
		Tables: []model.Table{table("old.main", "orders", "id"), table("shop.main", "items", "id"), table("shop.main", "orders", "id", "total")},
	}, 0)
	for name, want := range map[string]string{
		"old.main.orders": "old.main.orders", "shop.main.orders": "shop.main.orders", "orders": "shop.main.orders", "OLD.main.Orders": "old.main.orders",
		"gone.main.orders": "",
	} {
		n := sqltree.Name{}
		for _, part := range SplitName(name) {
			n.Parts = append(n.Parts, sqltree.Ident{Name: part})
		}
		got := ""
		if r := c.SQL().Relation(sqltree.DuckDB, n); r != nil {
			got = r.Schema + "." + r.Name
		}
		if got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestSplitName(t *testing.T) {
	for name, want := range map[string][]string{
		`a.b`: {"a", "b"}, `"a.b".c`: {"a.b", "c"}, "`a``b`": {"a`b"}, `[x y].z`: {"x y", "z"}, `"a""b"`: {`a"b`}, `"open`: {`"open`}, ` a . b `: {"a", "b"},
		`[a.[b.c`: {"[a", "[b", "c"}, `[a]].b`: {"[a]]", "b"}, `[a.b]].[c]`: {"a.b].[c"}, `[a."b.c"`: {"[a", "b.c"},
	} {
		if diff := cmp.Diff(want, SplitName(name)); diff != "" {
			t.Errorf("%s, -want +got\n%s", name, diff)
		}
	}
	// Not in the square of its length.
	if n := len(SplitName(strings.Repeat("[.", 500_000))); n != 500_000 {
		t.Errorf("%d parts", n)
	}
}

func TestPath(t *testing.T) {
	d := Data{Tables: make([]model.Table, 4), Facts: make([]Facts, 4), Paths: []Path{{From: 0, To: 2}, {From: 0, To: 3}, {From: 1, To: 2}}}
	for i := range d.Tables {
		d.Tables[i].Name = string(rune('a' + i))
	}
	c := New(d, 0)
	for from := range 4 {
		for to := range 4 {
			p, back := c.Path(from, to)
			want := [2]int{min(from, to), max(from, to)}
			stored := want == [2]int{0, 2} || want == [2]int{0, 3} || want == [2]int{1, 2}
			if (p != nil) != stored || p != nil && ([2]int{p.From, p.To} != want || back != (from > to)) {
				t.Errorf("Path(%d, %d) = %+v, %v", from, to, p, back)
			}
		}
	}
}

func TestDecode(t *testing.T) {
	text, err := Encode(&Data{Generation: "g", Connection: "shop"})
	if err != nil {
		t.Fatal(err)
	}
	if d, err := Decode(bytes.NewReader(text)); err != nil || d.Connection != "shop" {
		t.Errorf("Decode = %+v, %v", d, err)
	}
	if g, err := Generation(bytes.NewReader(text)); err != nil || g != "g" {
		t.Errorf("Generation = %q, %v", g, err)
	}
	for _, cut := range []int{0, 1, len(text) / 2, len(text) - 1} {
		if d, err := Decode(bytes.NewReader(text[:cut])); err == nil {
			t.Errorf("%d bytes of %d are read as %+v", cut, len(text), d)
		}
	}
	var old bytes.Buffer
	z, err := zstd.NewWriter(&old)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(gob.NewEncoder(z).Encode(header{Version: codecVersion - 1, Generation: "g"}), z.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := Decode(&old); !errors.Is(err, ErrStale) {
		t.Errorf("of another version: %v", err)
	}
}

// Every table is found by the name that answers give it, whatever it is made of.
func TestFind_Verbatim(t *testing.T) {
	var data Data
	for _, schema := range []string{"public", "sch.dot"} {
		for _, name := range []string{"[br]", "`tick`", `""`, ".", "...", " edge ", "\ttab", "line\u2028", "a.b", `"`, "[", "plain"} {
			data.Tables = append(data.Tables, model.Table{Schema: schema, Name: name})
		}
	}
	data.Facts = make([]Facts, len(data.Tables))
	c := New(data, 1)
	for i := range c.Tables {
		if got, err := c.Find(c.Name(i)); err != nil || got != i {
			t.Errorf("Find(%q) = %d, %v, want %d", c.Name(i), got, err, i)
		}
	}
	if i, err := c.Find("[plain]"); err == nil || i >= 0 {
		t.Errorf("[plain] is in two schemas, found %d", i)
	}
}
