package visibility_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/visibility"
)

func parse(t testing.TB, text string) *visibility.Rules {
	t.Helper()
	f, err := visibility.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	r, err := f.Rules("")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func table(name string, columns ...string) model.Table {
	schema, name, _ := strings.Cut(name, ".")
	t := model.Table{Schema: schema, Name: name, Type: model.BaseTable}
	for i, c := range columns {
		t.Columns = append(t.Columns, model.Column{Name: c, Ordinal: i + 1, Type: "text"})
	}
	return t
}

func data(tables ...model.Table) *catalog.Data {
	d := &catalog.Data{Connection: "shop", Database: "shopdb", Dialect: "postgresql", DefaultSchema: "public", Tables: tables, Facts: make([]catalog.Facts, len(tables))}
	for i := range tables {
		d.Facts[i] = catalog.Facts{Description: tables[i].Comment, Role: "dimension", Confidence: 0.5, Signals: []string{"a signal"}}
	}
	return d
}

// Rules that hide nothing change nothing.
func TestFilter_Nothing(t *testing.T) {
	w := newWorld(t, 3)
	var none *visibility.Rules
	for name, r := range map[string]*visibility.Rules{
		"nil": none, "empty": parse(t, ""), "nothing of the kind": parse(t, `{hidden_tables: ["nothing"], hidden_columns: ["a.b"], hidden_schemas: ["q"], hidden_table_types: [foreign_table]}`),
		"all allowed": parse(t, `{allowed_tables: ["*"], allowed_schemas: ["shop::*"]}`), "another connection": parse(t, `{hidden_tables: ["other::*.*"], hidden_columns: ["other::*"]}`),
	} {
		got := r.Filter(w.Data)
		if got == w.Data {
			t.Errorf("%s: the data itself is returned", name)
		}
		if diff := cmp.Diff(w.Data, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s, -want +got:\n%s", name, diff)
		}
		db := &model.Database{Name: "x", DefaultSchema: w.DefaultSchema, Tables: w.Tables, Lineage: w.Lineage}
		if diff := cmp.Diff(db, r.Database("shop", db)); diff != "" {
			t.Errorf("%s, database, -want +got:\n%s", name, diff)
		}
	}
}

func TestFilter_All(t *testing.T) {
	w := newWorld(t, 4)
	got := parse(t, `allowed_tables: ["!none"]`).Filter(w.Data)
	if len(got.Tables)+len(got.Facts)+len(got.Joins)+len(got.Clusters)+len(got.Entities)+len(got.Paths)+len(got.Metrics)+len(got.Consumers)+len(got.Lineage)+len(got.Vectors.Tables) > 0 || got.DefaultSchema != "" {
		t.Errorf("something is left: %+v", got)
	}
	if c := catalog.New(*got, 1); c.Len() != 0 || len(c.Schemas()) != 0 {
		t.Errorf("%d tables in %q", c.Len(), c.Schemas())
	}
}

func TestFilter_DefaultSchema(t *testing.T) {
	d := data(table("public.a", "id"), table("sales.b", "id"))
	for text, want := range map[string]string{
		`hidden_schemas: ["public"]`: "", `allowed_schemas: ["sales"]`: "", `hidden_tables: ["public.*"]`: "", `hidden_tables: ["b"]`: "public",
	} {
		got := parse(t, text).Filter(d)
		if got.DefaultSchema != want {
			t.Errorf("%s: the default schema is %q, want %q", text, got.DefaultSchema, want)
		}
		if db := parse(t, text).Database("shop", &model.Database{DefaultSchema: "public", Tables: d.Tables}); db.DefaultSchema != want {
			t.Errorf("%s: the default schema of the database is %q, want %q", text, db.DefaultSchema, want)
		}
	}
}

// A column that another table shows as well is no secret, but this table's it is.
func TestFilter_SharedColumn(t *testing.T) {
	people, shops := table("public.people", "id", "email", "email_verified", "name"), table("public.shops", "id", "email")
	people.Comment = "has an email and a name"
	people.PrimaryKey = &model.Key{Name: "people_pkey", Columns: []string{"id"}}
	people.Uniques = []model.Key{{Name: "people_email_key", Columns: []string{"email"}}, {Name: "people_name_email", Columns: []string{"name"}}}
	people.Checks = []model.Check{{Name: "c1", Expr: "email like '%@%'"}, {Name: "email_ok", Expr: "length(name) > 0"}, {Name: "c2", Expr: "email_verified is not null"}}
	people.Indexes = []model.Index{
		{Name: "i1", Columns: []string{"(lower(email))"}}, {Name: "ix_email_verified", Columns: []string{"email_verified"}}, {Name: "ix_people_email", Columns: []string{"name"}},
		{Name: "i2", Columns: []string{"name", "email"}},
	}
	people.Columns[3].Default = "split_part(email, '@', 1)"
	people.Grants = []model.Grant{{Grantee: "app", Privilege: "SELECT", Columns: []string{"email"}}, {Grantee: "app", Privilege: "UPDATE", Columns: []string{"email", "name"}}}
	shops.ForeignKeys = []model.ForeignKey{
		{Name: "of", Columns: []string{"email"}, RefSchema: "public", RefTable: "people", RefColumns: []string{"email"}},
		{Name: "people_email", Columns: []string{"id"}, RefSchema: "public", RefTable: "people", RefColumns: []string{"id"}},
		{Name: "shops_email", Columns: []string{"email"}, RefSchema: "public", RefTable: "people", RefColumns: []string{"name"}},
	}
	d := data(people, shops)
	d.Metrics = []catalog.Metric{
		{Name: "a", SQL: "select count(email) from people", Valid: true, Uses: []catalog.MetricUse{{Table: 0, Columns: []string{"email"}}}},
		{Name: "b", SQL: "select count(s.email) from people, shops s", Valid: true, Uses: []catalog.MetricUse{{Table: 0}, {Table: 1, Columns: []string{"email"}}}},
		{Name: "c", SQL: "select email frm people", Uses: []catalog.MetricUse{{Table: 0}}},
	}
	got := parse(t, `hidden_columns: ["people.email"]`).Filter(d)

	want := table("public.people", "id", "", "email_verified", "name")
	want.Columns = slices.Delete(want.Columns, 1, 2)
	want.Comment = people.Comment
	want.PrimaryKey = people.PrimaryKey
	want.Uniques = []model.Key{{Columns: []string{"name"}}}
	want.Checks = []model.Check{{Expr: "length(name) > 0"}, {Name: "c2", Expr: "email_verified is not null"}}
	want.Indexes = []model.Index{{Name: "ix_email_verified", Columns: []string{"email_verified"}}, {Columns: []string{"name"}}}
	want.Grants = []model.Grant{{Grantee: "app", Privilege: "UPDATE", Columns: []string{"name"}}}
	if diff := cmp.Diff(want, got.Tables[0]); diff != "" {
		t.Errorf("people, -want +got:\n%s", diff)
	}
	wantShops := table("public.shops", "id", "email")
	wantShops.ForeignKeys = []model.ForeignKey{
		{Columns: []string{"id"}, RefSchema: "public", RefTable: "people", RefColumns: []string{"id"}},
		{Columns: []string{"email"}, RefSchema: "public", RefTable: "people", RefColumns: []string{"name"}},
	}
	if diff := cmp.Diff(wantShops, got.Tables[1], cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("shops, -want +got:\n%s", diff)
	}
	var left []string
	for _, m := range got.Metrics {
		left = append(left, m.Name)
	}
	if diff := cmp.Diff([]string{"b"}, left); diff != "" {
		t.Errorf("metrics, -want +got:\n%s", diff)
	}
	if f := got.Facts[0]; slices.Equal(f.Signals, d.Facts[0].Signals) {
		t.Error("the role was not found anew")
	}
}

// Plain words that only a hidden table has as columns stay in prose; a table's name
// does not.
func TestFilter_Prose(t *testing.T) {
	orders, payroll := table("public.orders", "id"), table("hr.payroll", "salary", "tax_code", "note")
	orders.Comment = "The salary note in hr.payroll.salary, PAYROLL_2024 and tax_code of HR."
	got := parse(t, `hidden_schemas: ["hr"]`).Filter(data(orders, payroll))
	const want = "The salary note in [hidden], [hidden] and [hidden] of [hidden]."
	if c := got.Tables[0].Comment; c != want || got.Facts[0].Description != want {
		t.Errorf("comment %q, description %q, want %q", c, got.Facts[0].Description, want)
	}
	orders.Comment = "The Tax_Code and the salary."
	got = parse(t, `hidden_columns: ["salary", "tax_code"]`).Filter(data(orders, payroll))
	if c := got.Tables[1].Comment; c != "The [hidden] and the [hidden]." && got.Tables[0].Comment != "The [hidden] and the [hidden]." {
		t.Errorf("comment %q", got.Tables[0].Comment)
	}
}

// What is only named, in whatever place, is not shown.
func TestFilter_Named(t *testing.T) {
	a := table("public.a", "id", "payroll_id")
	a.Comment = "fed by archive.old_pay"
	a.Indexes = []model.Index{{Name: "x", Columns: []string{"(payroll_rate(id))"}}, {Name: "y", Columns: []string{"payroll_id"}}}
	a.ForeignKeys = []model.ForeignKey{ // to what was not indexed
		{Name: "f", Columns: []string{"id"}, RefSchema: "archive", RefTable: "old_pay", RefColumns: []string{"id"}},
		{Name: "g", Columns: []string{"id"}, RefSchema: "archive", RefTable: "elsewhere", RefColumns: []string{"pin"}},
		{Name: "h", Columns: []string{"id"}, RefSchema: "archive", RefTable: "elsewhere", RefColumns: []string{"id"}},
	}
	b := table("public.b", "id")
	d := data(a, b, table("public.payroll", "id"))
	d.Vectors = catalog.Vectors{Model: "m", Dim: 1, Tables: [][]float32{{1}, {2}, {3}}}
	d.Clusters = []catalog.Cluster{{Number: 1, Label: "Payroll and so on", Tables: []int{0}}, {Number: 2, Label: "others", Description: "not of payroll", Tables: []int{1}}}
	d.Entities = []catalog.Entity{{Name: "Payroll", Source: "dbt", Description: "payroll", Tables: []int{1}}}
	uses := []catalog.MetricUse{{Table: 1}}
	d.Metrics = []catalog.Metric{
		{Name: "by_alias", SQL: "select 1 from b as payroll", Valid: true, Uses: uses}, {Name: "payroll_total", SQL: "select 1 from b", Valid: true, Uses: uses},
		{Name: "good", DisplayName: "Not payroll", SQL: "select 1 from b", Valid: true, Uses: uses}, {Name: "lost", SQL: "", Uses: []catalog.MetricUse{{Table: 9}}},
	}
	got := parse(t, `{hidden_tables: ["payroll", "old_*"], hidden_columns: ["pin"]}`).Filter(d)
	if x := got.Tables[0]; x.Comment != "fed by archive.[hidden]" || len(x.ForeignKeys) != 1 || x.ForeignKeys[0].Name != "h" || len(x.Indexes) != 1 || x.Indexes[0].Name != "y" {
		t.Errorf("table %+v", x)
	}
	if diff := cmp.Diff([][]float32{nil, {2}}, got.Vectors.Tables); diff != "" {
		t.Errorf("vectors, -want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]catalog.Cluster{{Number: 1, Label: "public.a", Description: "1 table", Tables: []int{0}}, {Number: 2, Label: "public.b", Description: "1 table", Tables: []int{1}}}, got.Clusters); diff != "" {
		t.Errorf("clusters, -want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]catalog.Entity{{Name: "b", Source: "dbt", Description: "[hidden]", Tables: []int{1}}}, got.Entities); diff != "" {
		t.Errorf("entities, -want +got:\n%s", diff)
	}
	if len(got.Metrics) != 1 || got.Metrics[0].Name != "good" || got.Metrics[0].DisplayName != "Not [hidden]" {
		t.Errorf("metrics %+v", got.Metrics)
	}
}

// Types of one's own are named after tables, and those of structs spell out fields.
func TestFilter_Types(t *testing.T) {
	a := table("public.a", "plain", "own", "listed", "box", "secret", "date")
	for i, typ := range []string{"date", "payroll", "payroll_kind[]", "STRUCT(x INT, secret STRUCT(y INT))"} {
		a.Columns[i].Type = typ
	}
	a.Columns[2].Enum = []string{"open", "payroll"}
	a.Columns = append(a.Columns, model.Column{Name: "x", Parent: "box", Ordinal: 7, Type: "INT"}, model.Column{Name: "secret", Parent: "box", Ordinal: 8, Type: "STRUCT(y INT)"},
		model.Column{Name: "y", Parent: "box.secret", Ordinal: 9, Type: "INT"})
	got := parse(t, `{hidden_tables: ["payroll"], hidden_columns: ["a.*secret", "a.date"]}`).Filter(data(a, table("public.payroll", "id"), table("public.b", "secret", "y")))
	var columns []string
	for _, c := range got.Tables[0].Columns {
		columns = append(columns, strings.Join(append([]string{c.Parent, c.Name, c.Type}, c.Enum...), "|"))
	}
	want := []string{"|plain|date", "|own|[hidden]", "|listed|[hidden][]|open|[hidden]", "|box|STRUCT(x INT, [hidden] STRUCT([hidden] INT))", "box|x|INT"}
	if diff := cmp.Diff(want, columns); diff != "" {
		t.Errorf("columns, -want +got:\n%s", diff)
	}
}

// What a founder that is hidden has given an entity its name and description for goes
// with it.
func TestFilter_Entities(t *testing.T) {
	d := data(table("public.customer_history", "id"), table("public.customers", "id"), table("public.orders", "id"), table("public.stg_orders", "id"))
	d.Facts[1].Description, d.Facts[0].Description = "who pays", "what they were"
	d.Entities = []catalog.Entity{
		{Name: "Customer", Source: "heuristic", Description: "who pays", Tables: []int{0, 1}},
		{Name: "Order", Source: "heuristic", Description: "staged", Tables: []int{2, 3}},
		{Name: "Payer", Source: "dbt", Description: "the customers", Tables: []int{1, 2}},
	}
	got := parse(t, `hidden_tables: ["customers", "stg_orders"]`).Filter(d)
	want := []catalog.Entity{
		{Name: "Customer", Source: "heuristic", Description: "what they were", Tables: []int{0}},
		{Name: "Order", Source: "heuristic", Description: "", Tables: []int{1}},
		{Name: "Payer", Source: "dbt", Description: "the [hidden]", Tables: []int{1}},
	}
	if diff := cmp.Diff(want, got.Entities); diff != "" {
		t.Errorf("entities, -want +got:\n%s", diff)
	}
	// A name that nothing visible accounts for, and one that is another's then.
	d.Entities = []catalog.Entity{{Name: "Buyer", Source: "heuristic", Tables: []int{1, 2}}, {Name: "Order", Source: "heuristic", Tables: []int{3}}}
	got = parse(t, `hidden_tables: ["customers"]`).Filter(d)
	if diff := cmp.Diff([]catalog.Entity{{Name: "Order", Source: "heuristic", Tables: []int{1, 2}}}, got.Entities); diff != "" {
		t.Errorf("entities, -want +got:\n%s", diff)
	}
}

// A cluster is what its visible tables are.
func TestFilter_Clusters(t *testing.T) {
	a, b, c := table("public.items", "id", "order_id"), table("public.orders", "id"), table("public.zones", "id", "order_id")
	key := func(to string) []model.ForeignKey {
		return []model.ForeignKey{{Name: "fk", Columns: []string{"order_id"}, RefSchema: "public", RefTable: to, RefColumns: []string{"id"}}}
	}
	a.ForeignKeys, c.ForeignKeys = key("orders"), key("orders")
	d := data(a, b, c)
	d.Clusters = []catalog.Cluster{{Number: 4, Label: "public.orders · Order (3 tables)", Description: "3 tables around orders and items", Tables: []int{0, 1, 2}, Cohesion: 0.6667, Pattern: "erd"}}
	for text, want := range map[string]catalog.Cluster{
		`hidden_tables: ["orders"]`:          {Number: 4, Label: "public.items · Item (2 tables)", Description: "2 tables around items and zones; 2 dimensions", Tables: []int{0, 1}, Pattern: "erd"},
		`hidden_tables: ["zones", "items"]`:  {Number: 4, Label: "public.orders", Description: "1 table", Tables: []int{0}, Pattern: "unknown"},
		`hidden_columns: ["zones.order_id"]`: {Number: 4, Label: "public.items · Item (3 tables)", Description: "3 tables around items and orders; 2 dimensions", Tables: []int{0, 1, 2}, Cohesion: 0.3333, Pattern: "erd"},
	} {
		got := parse(t, text).Filter(d)
		if len(got.Clusters) != 1 {
			t.Errorf("%s: %d clusters", text, len(got.Clusters))
		} else if diff := cmp.Diff(want, got.Clusters[0], cmpopts.IgnoreFields(catalog.Cluster{}, "Description")); diff != "" || strings.Contains(got.Clusters[0].Description, "zones") && strings.Contains(text, "zones\",") {
			t.Errorf("%s: description %q, -want +got:\n%s", text, got.Clusters[0].Description, diff)
		}
	}
}

// Code spells the names of tables in its own way.
func TestFilter_Code(t *testing.T) {
	d := data(table("public.order_items", "id"), table("public.payroll_runs", "id"), table("public.orders", "id"))
	d.Facts[0].Aliases, d.Facts[0].Tags = []string{"PayrollRun", "OrderItem", "lines"}, []string{"order", "core"}
	d.Entities = []catalog.Entity{{Name: "PayrollRun", Source: "manual", Tables: []int{0}}}
	for _, c := range [][2]string{
		{"app/models/payroll_run.rb", "PayrollRun.find"}, {"app/order_item.rb", "OrderItem"}, {"app/order_report.rb", "loadOrders (test)"}, {"ordering/main.go", "border"}, {"hidden/run.go", "x[hidden]"},
	} {
		d.Consumers = append(d.Consumers, catalog.Consumer{File: c[0], Symbol: c[1], Uses: []catalog.Use{{Table: 0}, {Table: 1}}})
	}
	got := parse(t, `hidden_tables: ["payroll_runs", "orders"]`).Filter(d)
	var places []string
	for _, c := range got.Consumers {
		places = append(places, c.File+" "+c.Symbol)
	}
	want := []string{"app/[hidden].rb [hidden] (test)", "app/models/[hidden].rb [hidden].find", "app/order_item.rb OrderItem", "hidden/run.go x[hidden]", "ordering/main.go border"}
	if diff := cmp.Diff(want, places); diff != "" {
		t.Errorf("places, -want +got:\n%s", diff)
	}
	if diff := cmp.Diff(catalog.Facts{Aliases: []string{"OrderItem", "lines"}, Tags: []string{"core"}}, got.Facts[0], cmpopts.IgnoreFields(catalog.Facts{}, "Role", "Confidence", "Signals")); diff != "" {
		t.Errorf("facts, -want +got:\n%s", diff)
	}
	if got.Entities[0].Name != "OrderItem" {
		t.Errorf("entity %q", got.Entities[0].Name)
	}
}

// A name with quotes in it is written with two of them in SQL.
func TestFilter_Quotes(t *testing.T) {
	a := table("public.a", "id", "n")
	a.Checks = []model.Check{{Expr: `"we""ird" > 0`}, {Expr: "`ba``ck` > 0"}, {Expr: `"we" > 0`}}
	a.Columns[1].Default = `nextval('"it''s"')`
	a.Columns = append(a.Columns, model.Column{Name: `we"ird`}, model.Column{Name: "ba`ck"})
	got := parse(t, `{hidden_columns: ['we"ird', 'ba`+"`"+`ck'], hidden_tables: ["it's"]}`).Filter(data(a, table("public.it's", "id")))
	if x := got.Tables[0]; len(x.Checks) != 1 || x.Checks[0].Expr != `"we" > 0` || x.Columns[1].Default != "" || len(x.Columns) != 2 {
		t.Errorf("table %+v", x)
	}
}

// A path that stands for others is found anew when a join is gone; whether the others
// are still there is not known.
func TestFilter_Paths(t *testing.T) {
	a := table("public.a", "x", "y", "z")
	for _, c := range []string{"x", "y", "z"} {
		a.ForeignKeys = append(a.ForeignKeys, model.ForeignKey{Columns: []string{c}, RefSchema: "public", RefTable: "b", RefColumns: []string{"id"}})
	}
	d := data(a, table("public.b", "id"), table("public.c", "id"))
	d.Paths = []catalog.Path{{From: 0, To: 1, Edges: []int{0}}, {From: 1, To: 0, Edges: []int{1}}, {From: 0, To: 1, Edges: []int{2}}, {From: 0, To: 1, Edges: []int{2}, Ambiguous: true}, {From: 0, To: 1, Edges: []int{2}, Promoted: true}, {From: 0, To: 1, Edges: []int{7}}}
	for text, want := range map[string][]catalog.Path{
		`hidden_columns: ["a.y"]`: {{From: 0, To: 1, Edges: []int{0}}, {From: 0, To: 1, Edges: []int{1}}},
		`hidden_tables: ["c"]`:    d.Paths[:5],
		`hidden_tables: ["a"]`:    {},
	} {
		if diff := cmp.Diff(want, parse(t, text).Filter(d).Paths); diff != "" {
			t.Errorf("%s, -want +got:\n%s", text, diff)
		}
	}
}

// A table that has come since is hidden on the side that does not know it, too.
func TestDatabases_Compared(t *testing.T) {
	a := table("public.a", "id", "old_secret")
	a.Comment = "see payroll and old_secret"
	before := &model.Database{Tables: []model.Table{a}, Warnings: []string{"payroll cannot be read"}, Roles: []model.Role{{Name: "app", Schemas: []string{"hr", "public"}}}}
	a.Columns = a.Columns[:1]
	after := &model.Database{Tables: []model.Table{table("hr.payroll", "id"), a}}
	r := parse(t, `{hidden_tables: ["payroll"], hidden_columns: ["old_secret"]}`)
	got := r.Databases("shop", before, after)
	if len(got) != 2 || len(got[0].Tables) != 1 || len(got[1].Tables) != 1 {
		t.Fatalf("databases %+v", got)
	}
	if diff := cmp.Diff(got[0].Tables, got[1].Tables); diff != "" {
		t.Errorf("the sides differ:\n%s", diff)
	}
	if c := got[0].Tables[0].Comment; c != "see [hidden] and [hidden]" {
		t.Errorf("comment %q", c)
	}
	if w, roles := got[0].Warnings[0], got[0].Roles[0].Schemas; w != "[hidden] cannot be read" || !slices.Equal(roles, []string{"public"}) {
		t.Errorf("warning %q, schemas of the role %q", w, roles)
	}
	if before.Warnings[0] != "payroll cannot be read" || len(before.Roles[0].Schemas) != 2 || a.Comment != "see payroll and old_secret" {
		t.Error("the database was changed")
	}
}

// Definitions of views show their sources.
func TestDatabase_Definitions(t *testing.T) {
	view := func(name, definition string) model.Table {
		v := table(name, "id")
		v.Type, v.Definition, v.DefinitionHash = model.View, definition, "hash"
		return v
	}
	db := &model.Database{
		Tables: []model.Table{table("public.a", "id", "email"), table("public.b", "id", "email"), view("public.va", "select id, email e from a"), view("public.vb", "select id, email e from b"), view("public.vc", "select 1 from payroll")},
		Lineage: []model.Lineage{
			{FromSchema: "public", FromTable: "a", ToSchema: "public", ToTable: "va"}, {FromSchema: "public", FromTable: "b", ToSchema: "public", ToTable: "vb"},
			{FromSchema: "hr", FromTable: "payroll", ToSchema: "public", ToTable: "vc"},
		},
	}
	got := parse(t, `{hidden_columns: ["a.email"], hidden_schemas: ["hr"]}`).Database("shop", db)
	var definitions []string
	for _, v := range got.Tables {
		definitions = append(definitions, v.Definition)
	}
	if diff := cmp.Diff([]string{"", "", "", "select id, email e from b", ""}, definitions); diff != "" {
		t.Errorf("definitions, -want +got:\n%s", diff)
	}
	if len(got.Lineage) != 2 || got.Tables[4].DefinitionHash != "hash" {
		t.Errorf("lineage %+v", got.Lineage)
	}
}

// A field that is new may name what is hidden: when this fails, see to it in Filter
// and Databases first.
func TestFilter_KnowsEveryField(t *testing.T) {
	for _, x := range []struct {
		value  any
		fields string
	}{
		{catalog.Data{}, "Connection Database Dialect DefaultSchema Generation BuiltAt StatsMode Tables Facts Joins Lineage Clusters Entities Paths Vectors Metrics Consumers Scans"},
		{catalog.Facts{}, "Description Tags Aliases Role Confidence Signals"},
		{catalog.Join{}, "From To FromColumn ToColumn Source Kind Confidence Reasoning SourceUnique TargetUnique Group"},
		{catalog.Cluster{}, "Number Label Description Tables Cohesion Pattern Stale"},
		{catalog.Entity{}, "Name Description Source Tables"},
		{catalog.Path{}, "From To Edges Cost Ambiguous Promoted Stale"},
		{catalog.Vectors{}, "Model Dim Tables"},
		{catalog.Metric{}, "Name DisplayName Description SQL Dialect Uses Valid Errors Generated Stale"},
		{catalog.MetricUse{}, "Table Columns"},
		{catalog.Consumer{}, "ID Service File Language Symbol Kind LineStart LineEnd Fingerprint Confidence Dialect RunID Uses"},
		{catalog.Use{}, "Table Op Confidence"},
		{catalog.Scan{}, "Service RunID At"},
		{model.Database{}, "Name Dialect Version DefaultSchema Tables Lineage Roles Warnings Unread"},
		{model.Table{}, "Schema Name Type Comment Rows RowsSource Columns PrimaryKey Uniques ForeignKeys Checks Indexes Partition Definition DefinitionHash Usage Bytes Grants"},
		{model.Column{}, "Name Ordinal Type Base Nullable Default Identity Generated Comment Enum Array Parent Stats"},
		{model.Stats{}, "NullFraction Distinct Correlation Min Max Common Histogram Source"},
		{model.Key{}, "Name Columns"},
		{model.ForeignKey{}, "Name Columns RefSchema RefTable RefColumns OnDelete OnUpdate"},
		{model.Check{}, "Name Expr Columns"},
		{model.Index{}, "Name Columns Unique Type Partial Primary"},
		{model.Partition{}, "Key Count Tables"},
		{model.TableName{}, "Schema Name"},
		{model.Usage{}, "SeqScans IdxScans Inserts Updates Deletes"},
		{model.Grant{}, "Grantee Privilege Columns"},
		{model.Role{}, "Name Superuser MemberOf Schemas"},
		{model.Lineage{}, "FromSchema FromTable ToSchema ToTable Type Source Confidence"},
	} {
		typ := reflect.TypeOf(x.value)
		var fields []string
		for i := range typ.NumField() {
			fields = append(fields, typ.Field(i).Name)
		}
		if diff := cmp.Diff(strings.Fields(x.fields), fields); diff != "" {
			t.Errorf("%v has other fields, -known +there:\n%s", typ, diff)
		}
	}
}
