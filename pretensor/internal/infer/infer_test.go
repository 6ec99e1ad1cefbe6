package infer

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// told lists joins as source, target, kind and confidence.
func told(in []model.Table, joins []Candidate) []string {
	out := []string{}
	for _, j := range joins {
		s := strings.ReplaceAll(pairName(in, j.Source, j.Target), "public.", "")
		out = append(out, fmt.Sprintf("%s %s %.4g", s, j.Kind, j.Confidence))
	}
	return out
}

func infer(in []model.Table) []Candidate {
	return Joins(Input{Dialect: "postgresql", Tables: in}, Options{}).Joins
}

func TestJoins_Kinds(t *testing.T) {
	b, err := os.ReadFile("testdata/shop.txt")
	if err != nil {
		t.Fatal(err)
	}
	in := tables(t, string(b))
	want := []string{
		"categories.parent_category_id -> categories.id self_reference 0.65",
		"comments.parent_id -> comments.id self_reference 0.65",
		"employees.manager_id -> employees.id self_reference 0.65",
		"employees.reports_to -> employees.id self_reference 0.65",
		"order_events.order_id -> orders.id name_id 0.95",
		"orders.customer_id -> customers.id name_id 0.95",
		"orders.billing_address_id -> addresses.id role_suffix 0.75",
		"orders.ship_address_id -> addresses.id role_suffix 0.75",
		"orders.created_by -> users.id role_suffix 0.75",
		"payments.order_id -> orders.id name_id 0.95",
		"payments.user_id -> users.id name_id 0.95", // the type blob is unknown here and vetoes nothing
		"support_tickets.order_no -> orders.order_no pk_name 0.95",
		"support_tickets.cust_id -> customers.id prefix_abbrev 0.7",
		"support_tickets.updater_id -> users.id role_suffix 0.75",
	}
	// Not there: opened_by and address_id are text, owner_id has its owner_type, and
	// order_events.order_id, though unique, is no key that another order_id refers to.
	if diff := cmp.Diff(want, told(in, infer(in))); diff != "" {
		t.Errorf("joins (-want +got):\n%s", diff)
	}
}

func ptr[T any](v T) *T { return &v }

// TestJoins_Pinned holds each base, adjustment and veto against a schema of its
// own.
func TestJoins_Pinned(t *testing.T) {
	index := func(table, column, method string) func([]model.Table) {
		return func(in []model.Table) {
			at(in, table).Indexes = append(at(in, table).Indexes, model.Index{Columns: []string{column}, Type: method})
		}
	}
	stats := func(table, column string, s model.Stats, rows int64) func([]model.Table) {
		return func(in []model.Table) {
			at(in, table).Rows = &rows
			at(in, table).Column(column).Stats = &s
		}
	}
	tests := []struct {
		name, schema string
		change       func([]model.Table)
		want         []string
	}{
		{"name_id, unique target", "customers id*\norders customer_id", nil, []string{"orders.customer_id -> customers.id name_id 0.95"}},
		{"name_id, nothing known of uniqueness", "customers id\norders customer_id", nil, []string{"orders.customer_id -> customers.id name_id 0.85"}},
		{"name_id, target not unique", "customers id x! y\norders customer_id", nil, []string{"orders.customer_id -> customers.id name_id 0.7"}},
		{"name_id without separators", "customer id*\norders customerid", nil, []string{"orders.customerid -> customer.id name_id 0.95"}},
		{"name_id in camel case", "Customer Id*\nOrders CustomerId", nil, []string{"Orders.CustomerId -> Customer.Id name_id 0.95"}},
		{"name_id of a dimension", "dim_customer customer_sk*\nfact_sales customer_sk", nil, []string{"fact_sales.customer_sk -> dim_customer.customer_sk name_id 0.95"}},
		{"pk_name", "accounts acctno*\nentries acctno", nil, []string{"entries.acctno -> accounts.acctno pk_name 0.95"}},
		{"pk_name, two keys, one names its table", "party partyno*\nvendor partyno*\nnotes partyno", nil,
			[]string{"notes.partyno -> party.partyno pk_name 0.85", "vendor.partyno -> party.partyno pk_name 0.95"}},
		{"a generic key name", "a code:text*\nb code:text", nil, nil},
		{"prefix_abbrev, one table", "customers id\norders cust_id", nil, []string{"orders.cust_id -> customers.id prefix_abbrev 0.55"}},
		{"prefix_abbrev, the shorter of two", "customers id\ncustodians_old id\norders cust_id", nil, []string{"orders.cust_id -> customers.id prefix_abbrev 0.45"}},
		{"prefix_abbrev, two letters", "customers id\norders cu_id", nil, nil},
		{"role_suffix without separators", "address addressid*\norders billtoaddressid", nil, []string{"orders.billtoaddressid -> address.addressid role_suffix 0.75"}},
		{"role_suffix, the key's name is short", "item itemid*\norders firstitemid", nil, nil},
		{"self reference", "nodes id parent_id", nil, []string{"nodes.parent_id -> nodes.id self_reference 0.5"}},
		{"self reference, another table matches", "nodes id parent_id\nparents id", nil, []string{"nodes.parent_id -> parents.id name_id 0.85"}},
		{"same_name, two tables", "a batchmark\nb batchmark", nil, []string{"a.batchmark -> b.batchmark same_name 0.25", "b.batchmark -> a.batchmark same_name 0.25"}},
		{"same_name to the unique side", "a batchmark!\nb batchmark", nil, []string{"b.batchmark -> a.batchmark same_name 0.4"}},
		{"same_name, both unique", "aa batchmark!\nb batchmark!", nil, []string{"aa.batchmark -> b.batchmark same_name 0.43"}},
		{"same_name, boring", "a jobtitle:text created_at:date\nb jobtitle:text created_at:date", nil, nil},
		{"a copy refers to nothing in the original", "payments payment_id* amount created_at:date\npayments_2026 payment_id* amount created_at:date\nrefunds payment_id reason:text", nil,
			[]string{"refunds.payment_id -> payments.payment_id name_id 0.95"}},
		{"types differ", "customers id*\norders customer_id:text", nil, nil},
		{"type unknown", "customers id*\norders customer_id:geometry", nil, []string{"orders.customer_id -> customers.id name_id 0.95"}},
		{"uuid and its text", "customers id:uuid\norders customer_id:char(36)", nil, []string{"orders.customer_id -> customers.id name_id 0.75"}},
		{"uuid and other text", "customers id:uuid\norders customer_id:varchar(80)", nil, nil},
		{"80 % null", "customers id\norders customer_id", stats("orders", "customer_id", model.Stats{NullFraction: ptr(0.81)}, 10), []string{"orders.customer_id -> customers.id name_id 0.7"}},
		{"few distinct values", "customers id\norders customer_id", stats("orders", "customer_id", model.Stats{Distinct: ptr(int64(49))}, 10_001), []string{"orders.customer_id -> customers.id name_id 0.65"}},
		{"few distinct values of few rows", "customers id\norders customer_id", stats("orders", "customer_id", model.Stats{Distinct: ptr(int64(49))}, 10_000), []string{"orders.customer_id -> customers.id name_id 0.85"}},
		{"same_name, few distinct values", "a batchmark\nb batchmark", stats("a", "batchmark", model.Stats{Distinct: ptr(int64(49))}, 10_001), []string{"b.batchmark -> a.batchmark same_name 0.25"}},
		{"GIN vetoes same_name", "a batchmark\nb batchmark", index("a", "batchmark", "gin"), []string{"b.batchmark -> a.batchmark same_name 0.25"}},
		{"BRIN and btree", "a batchmark\nb batchmark", func(in []model.Table) { index("a", "batchmark", "brin")(in); index("a", "batchmark", "btree")(in) },
			[]string{"a.batchmark -> b.batchmark same_name 0.28", "b.batchmark -> a.batchmark same_name 0.25"}},
		{"only BRIN", "customers id\norders customer_id", index("orders", "customer_id", "brin"), []string{"orders.customer_id -> customers.id name_id 0.55"}},
		{"source indexed", "customers id\norders customer_id", index("orders", "customer_id", "btree"), []string{"orders.customer_id -> customers.id name_id 0.88"}},
		{"other schema", "b.customers id\norders customer_id", nil, []string{"orders.customer_id -> b.customers.id name_id 0.8"}},
		{"same schema before others", "b.customers id*\ncustomers id*\norders customer_id", nil, []string{"orders.customer_id -> customers.id name_id 0.95"}},
		{"exact before plural", "customer id*\ncustomers id*\norders customer_id", nil, []string{"orders.customer_id -> customer.id name_id 0.95"}},
		{"neither schema is nearer", "b.customers id*\nc.customers id*\norders customer_id", nil, nil},
		{"declared", "customers id*\norders customer_id>customers.id", nil, nil},
		{"siblings of a declared key", "customers id*\norders customer_id>customers.id\nnotes customer_id>customers.id", nil, nil},
		{"composite", "stock siteno* partno*\nmoves siteno partno qty", nil, []string{"moves.siteno -> stock.siteno composite_key 0.73", "moves.partno -> stock.partno composite_key 0.73"}},
		{"composite, one column missing", "stock siteno* partno*\nmoves partno qty", nil, []string{"moves.partno -> stock.partno same_name 0.25", "stock.partno -> moves.partno same_name 0.25"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := tables(t, test.schema)
			if test.change != nil {
				test.change(in)
			}
			if test.want == nil {
				test.want = []string{}
			}
			if diff := cmp.Diff(test.want, told(in, infer(in))); diff != "" {
				t.Errorf("joins (-want +got):\n%s", diff)
			}
		})
	}
}

func at(in []model.Table, name string) *model.Table {
	return &in[slices.IndexFunc(in, func(t model.Table) bool { return t.Name == name })]
}

func TestJoins_SameNameHub(t *testing.T) {
	hub := func(n int, unique bool) []model.Table {
		var b strings.Builder
		for i := range n {
			mark := ""
			if unique && i == 0 {
				mark = "!"
			}
			fmt.Fprintf(&b, "t%03d batchmark%s own%d\n", i, mark, i)
		}
		return tables(t, b.String())
	}
	if joins := infer(hub(9, false)); len(joins) != 0 {
		t.Errorf("9 tables with one name: %d joins, want none", len(joins))
	}
	joins := infer(hub(8, false))
	if len(joins) != 16 { // two targets for each column
		t.Errorf("8 tables with one name: %d joins, want 16", len(joins))
	}
	for _, j := range joins {
		if j.Confidence != 0.0625 {
			t.Errorf("8 tables with one name: confidence %v, want 0.0625", j.Confidence)
		}
	}
	in := Input{Dialect: "postgresql", Tables: hub(2000, true)}
	if joins := Joins(in, Options{SameNameMaxTables: -1}).Joins; len(joins) != 1999 {
		t.Errorf("2,000 tables without a limit: %d joins, want one from each to the unique column", len(joins))
	}
}

func TestJoins_ThreePerPair(t *testing.T) {
	in := tables(t, "a batchm batchn batcho batchp batchq\nb batchm batchn batcho batchp batchq\nc batchm")
	pairs := map[[2]int]int{}
	for _, j := range infer(in) {
		pairs[[2]int{j.Source.Table, j.Target.Table}]++
		if j.Source.Table < 2 && j.Target.Table < 2 && in[j.Source.Table].Columns[j.Source.Column].Name == "batchm" {
			t.Error("batchm, which three tables have, took a place before a name that two have")
		}
	}
	if pairs[[2]int{0, 1}] != 3 || pairs[[2]int{1, 0}] != 3 {
		t.Errorf("joins per pair: %v, want 3 each way between the first two", pairs)
	}
}

func TestJoins_Given(t *testing.T) {
	in := tables(t, "accounts acc*\nmoves ref\nlog who acct:text")
	input := Input{Dialect: "postgresql", Tables: in,
		ViewJoins:     []Pair{{"public", "accounts", "acc", "public", "moves", "ref", 0}, {"public", "gone", "x", "public", "moves", "ref", 0}},
		CodeJoins:     []Pair{{"public", "log", "who", "public", "moves", "ref", 3}, {"public", "log", "acct", "public", "moves", "ref", 1}},
		Relationships: []Pair{{"public", "log", "who", "public", "accounts", "acc", 0}},
	}
	want := []string{
		"log.who -> accounts.acc dbt_relationship 0.95",
		"moves.ref -> accounts.acc usage_view 0.9",
		"moves.ref -> log.who usage_code 0.8",
	}
	r := Joins(input, Options{})
	if diff := cmp.Diff(want, told(in, r.Joins)); diff != "" {
		t.Errorf("joins (-want +got):\n%s", diff)
	}
	origins := []string{r.Joins[0].Origin, r.Joins[1].Origin, r.Joins[2].Origin}
	if diff := cmp.Diff([]string{DBT, UsageJoin, UsageJoin}, origins); diff != "" {
		t.Errorf("origins:\n%s", diff)
	}
}

func TestJoins_KindsAddUp(t *testing.T) {
	in := tables(t, "accounts id\nmoves account_id")
	input := Input{Dialect: "postgresql", Tables: in, ViewJoins: []Pair{{"public", "moves", "account_id", "public", "accounts", "id", 0}}}
	r := Joins(input, Options{})
	if len(r.Joins) != 1 || r.Joins[0].Confidence != 0.88 || r.Joins[0].Kind != NameID {
		t.Fatalf("joins %v, want one by name at 0.85 + 0.03", told(in, r.Joins))
	}
	for _, part := range []string{"moves.account_id names table public.accounts", "usage_view"} {
		if !strings.Contains(r.Joins[0].Reasoning, part) {
			t.Errorf("reasoning %q lacks %q", r.Joins[0].Reasoning, part)
		}
	}
}

func TestJoins_ViewColumnsOfTheirBase(t *testing.T) {
	in := tables(t, "moves batchmark\nv_moves batchmark newmark\nother newmark")
	lineage := []model.Lineage{{FromSchema: "public", FromTable: "moves", ToSchema: "public", ToTable: "v_moves", Type: model.LineageView}}
	r := Joins(Input{Dialect: "postgresql", Tables: in, Lineage: lineage}, Options{})
	want := []string{"other.newmark -> v_moves.newmark same_name 0.25", "v_moves.newmark -> other.newmark same_name 0.25"}
	if diff := cmp.Diff(want, told(in, r.Joins)); diff != "" {
		t.Errorf("joins (-want +got):\n%s", diff)
	}
}

func TestJoins_BoringList(t *testing.T) {
	for _, name := range []string{"id", "created_at", "createdAt", "ModifiedDate", "rowguid", "last_update", "payload", "locale", "DUE_DATE", "jobtitle", "updated_by"} {
		in := tables(t, fmt.Sprintf("aa %s:text\nbb %[1]s:text", name))
		if joins := infer(in); len(joins) != 0 {
			t.Errorf("%s: %v, want no join", name, told(in, joins))
		}
	}
	if len(boring) < 70 {
		t.Errorf("%d boring names, want at least 70", len(boring))
	}
}

func TestJoins_OrderOfTablesDoesNotMatter(t *testing.T) {
	in := script(t, "panoptes")
	strip(in)
	want := told(in, infer(in))
	rng := rand.New(rand.NewPCG(1, 2))
	for range 5 {
		mixed := slices.Clone(in)
		rng.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		if diff := cmp.Diff(want, told(mixed, infer(mixed))); diff != "" {
			t.Fatalf("joins of shuffled tables (-want +got):\n%s", diff)
		}
	}
}

func TestJoins_MaxJoins(t *testing.T) {
	in := script(t, "danbooru")
	strip(in)
	all := Joins(Input{Dialect: "postgresql", Tables: in}, Options{})
	some := Joins(Input{Dialect: "postgresql", Tables: in}, Options{MaxJoins: 50})
	if len(some.Joins) != 50 || some.Dropped != len(all.Joins)-50 {
		t.Errorf("%d joins and %d dropped, want 50 of %d", len(some.Joins), some.Dropped, len(all.Joins))
	}
	for _, j := range some.Joins {
		if j.Confidence < strong {
			t.Errorf("kept %s at %v although surer ones were dropped", pairName(in, j.Source, j.Target), j.Confidence)
		}
	}
}

func TestBand(t *testing.T) {
	for c, want := range map[float64]string{0.95: "high", 0.8: "high", 0.79: "medium", 0.5: "medium", 0.49: "low", 0.05: "low"} {
		if got := Band(c); got != want {
			t.Errorf("Band(%v) = %s, want %s", c, got, want)
		}
	}
}

// large makes a database of n tables with about 20 columns each, whose names mix
// the styles that warehouses have.
func large(n int) []model.Table {
	rng := rand.New(rand.NewPCG(7, 7))
	nouns := strings.Fields("order item customer product price invoice payment ship region stock store user event session click page site device visit cart coupon review return batch vendor contract asset ledger entry claim policy member plan")
	noun := func() string { return nouns[rng.IntN(len(nouns))] }
	titles := make([]string, n)
	for i := range titles {
		titles[i] = fmt.Sprintf("%s_%s_%d", noun(), noun(), i/40)
		if i%40 > 0 {
			titles[i] += "_" + noun() + fmt.Sprint(i%40)
		}
	}
	in := make([]model.Table, n)
	for i := range in {
		t := &in[i]
		t.Schema, t.Type = fmt.Sprintf("s%d", i%7), model.BaseTable
		t.Name = titles[i]
		add := func(name, typ string) {
			t.Columns = append(t.Columns, model.Column{Name: name, Ordinal: len(t.Columns) + 1, Type: typ})
		}
		prefix := ""
		if i%9 == 0 {
			prefix = fmt.Sprintf("p%c_", 'a'+i%26)
		}
		key := prefix + "id"
		if i%3 == 0 {
			key = prefix + titles[i] + "_id"
		}
		add(key, "bigint")
		t.PrimaryKey = &model.Key{Columns: []string{key}}
		for range 4 {
			add(prefix+titles[rng.IntN(n)]+"_id", "bigint")
		}
		add(prefix+"tenant_ref", "bigint")
		add(prefix+"created_at", "timestamp")
		for k := range 13 {
			add(fmt.Sprintf("%s%s_%s_%d", prefix, noun(), noun(), rng.IntN(k+2)*rng.IntN(9)), "text")
		}
	}
	return in
}

// BenchmarkJoins_Large is the largest size that is promised: 10,000 tables and
// 200,000 columns.
func BenchmarkJoins_Large(b *testing.B) {
	in := Input{Dialect: "postgresql", Tables: large(10_000)}
	b.ReportAllocs()
	for b.Loop() {
		r := Joins(in, Options{})
		b.ReportMetric(float64(len(r.Joins)), "joins")
		b.ReportMetric(float64(r.Dropped), "dropped")
	}
}

// BenchmarkJoins_Hub has every column of every table named alike and no limit to
// it, the case that would be quadratic.
func BenchmarkJoins_Hub(b *testing.B) {
	tables := large(10_000)
	for i := range tables {
		for c := range tables[i].Columns {
			tables[i].Columns[c].Name = fmt.Sprintf("hub_%d", c)
		}
		tables[i].PrimaryKey = nil
	}
	in := Input{Dialect: "postgresql", Tables: tables}
	for b.Loop() {
		b.ReportMetric(float64(len(Joins(in, Options{SameNameMaxTables: -1}).Joins)), "joins")
	}
}

// A column with a declared key leads where that key says, whatever its name and those
// of other tables suggest; what was seen in use, or said, still counts.
func TestJoins_DeclaredColumns(t *testing.T) {
	key := func(name string) *model.Key { return &model.Key{Columns: []string{name}} }
	column := func(name string) model.Column { return model.Column{Name: name, Type: "bigint"} }
	in := []model.Table{
		{Schema: "public", Name: "orders", PrimaryKey: key("id"), Columns: []model.Column{column("id"), column("no")}},
		{Schema: "public", Name: "purchase_orders", PrimaryKey: key("id"), Columns: []model.Column{column("id")}},
		{
			Schema: "public", Name: "purchase_order_items", PrimaryKey: key("id"), Columns: []model.Column{column("id"), column("purchase_order_id"), column("order_id")},
			ForeignKeys: []model.ForeignKey{{Columns: []string{"purchase_order_id"}, RefSchema: "public", RefTable: "purchase_orders", RefColumns: []string{"id"}}},
		},
	}
	want := []string{"purchase_order_items.order_id -> orders.id name_id 0.95"}
	if diff := cmp.Diff(want, told(in, infer(in))); diff != "" {
		t.Errorf("joins (-want +got):\n%s", diff)
	}
	pair := Pair{SchemaA: "public", TableA: "purchase_order_items", ColumnA: "purchase_order_id", SchemaB: "public", TableB: "orders", ColumnB: "id"}
	for name, in := range map[string]Input{"view": {Tables: in, ViewJoins: []Pair{pair}}, "dbt": {Tables: in, Relationships: []Pair{pair}}} {
		if got := told(in.Tables, Joins(in, Options{}).Joins); len(got) != 2 || !strings.HasPrefix(got[1], "purchase_order_items.order_id") {
			t.Errorf("%s: %q", name, got)
		}
	}
	in[2].ForeignKeys = nil
	if got := told(in, infer(in)); len(got) != 2 {
		t.Errorf("without the key: %q", got)
	}
}
