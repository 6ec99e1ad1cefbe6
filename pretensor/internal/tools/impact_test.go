package tools

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// consumer adds code that uses tables to data; op is read or write.
func consumer(t testing.TB, data *catalog.Data, service, file string, line int, op string, confidence float64, tables ...string) {
	t.Helper()
	c := catalog.Consumer{
		ID: fmt.Sprint(service, file, line), Service: service, File: file, Language: "go", Kind: "call", LineStart: line, LineEnd: line + 6, Confidence: confidence,
	}
	for _, name := range tables {
		i := slices.IndexFunc(data.Tables, func(t model.Table) bool { return t.QualifiedName() == name })
		if i < 0 {
			t.Fatalf("no table %s", name)
		}
		c.Uses = append(c.Uses, catalog.Use{Table: i, Op: op, Confidence: confidence})
	}
	data.Consumers = append(data.Consumers, c)
}

// affected are the entries of an answer: group, name, chain and confidence.
func affected(r impactResult) []string {
	out := []string{}
	for i, list := range [][]impactItem{r.Impact.Direct, r.Impact.Two, r.Impact.Three, r.Impact.Low, r.Impact.Beyond} {
		for _, x := range list {
			out = append(out, fmt.Sprintf("%s %s %d: %s %v %s", []string{"direct", "two", "three", "low", "beyond"}[i], x.Name, x.Hop, x.Via, x.Confidence, x.Relationship))
		}
	}
	return out
}

func TestImpact(t *testing.T) {
	data := indexed(t, "shop", sqltree.Postgres, "public", `
		create table customers (id int primary key); create table orders (id int primary key, customer_id int references customers);
		create table web_events (id uuid primary key, customer_ref text); create view v_customers as select id from customers;
		create view v_sums as select c.id, count(*) as n from v_customers c join orders o on o.customer_id = c.id group by c.id;`)
	data.Joins = nil
	join(t, data, "public.web_events", "customer_ref", "public.customers", "id", 0.42)
	consumer(t, data, "billing-api", "internal/store/orders.go", 41, "read", 0.9, "public.orders")
	consumer(t, data, "crm", "sync.py", 3, "write", 0.75, "public.customers")
	w := serve(t, nil, data)
	got := w.good("impact", `{"table":"customers","database":"shop","column":"ID"}`, nil)
	want := `{"target":{"table":"public.customers","column":"id"},"database":"shop","impact":{"direct":[{"type":"table","name":"public.orders","via":"orders.customer_id",` +
		`"confidence":1,"hop":1,"relationship":"fk","consumers":[{"service":"billing-api","file":"internal/store/orders.go","line_start":41,"line_end":47,"kind":"call",` +
		`"op":"read","confidence":0.9}]}],"two_hop":[],"three_hop":[],"low_confidence":[{"type":"table","name":"public.web_events","via":"web_events.customer_ref",` +
		`"confidence":0.42,"hop":1,"relationship":"inferred","consumers":[]}]},"total_affected":2,"target_consumers":[{"service":"crm","file":"sync.py","line_start":3,` +
		`"line_end":9,"kind":"call","op":"write","confidence":0.75}],"lineage_downstream":[{"name":"public.v_customers","lineage_type":"VIEW"},{"name":"public.v_sums","lineage_type":"VIEW"}]}`
	if got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	got = w.good("impact", `{"table":"web_events","database":"shop","max_depth":4}`, nil)
	want = `{"target":{"table":"public.web_events","column":null},"database":"shop","impact":{"direct":[],"two_hop":[],"three_hop":[],"low_confidence":[],"beyond":[]},` +
		`"total_affected":0,"target_consumers":[]}`
	if got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	w.refusals("impact", map[string]string{
		`{"table":"customers"}`:                                      `{"error":"impact needs the argument 'database'.","code":"invalid_argument","hint":"give it as text","candidates":["shop"]}`,
		`{"database":"shop"}`:                                        `{"error":"impact needs the argument 'table'.","code":"invalid_argument","hint":"give it as text"}`,
		`{"table":"custmers","database":"shop"}`:                     `{"error":"No table 'custmers' in shop.","code":"table_not_found","candidates":["public.customers"]}`,
		`{"table":"customers","database":"x"}`:                       `{"error":"No connection named 'x'.","code":"unknown_database","hint":"Call list_databases for the full list.","candidates":["shop"]}`,
		`{"table":"orders","database":"shop","column":"custmer_id"}`: `{"error":"No column 'custmer_id' in public.orders.","code":"column_not_found","candidates":["customer_id"]}`,
	})
}

func TestImpact_Cases(t *testing.T) {
	data := indexed(t, "cases", sqltree.Postgres, "public", `
		create schema other;
		create table target (id int primary key, code text unique, note text);
		create table by_id (id int primary key, t int references target); create table by_code (id int primary key, t text references target (code));
		create table by_both (id int primary key, t int references target, c text references target (code));
		create table after_code (id int primary key, b int references by_code);
		create table other.target (id int primary key, t int references target, up int references other.target);

		create table x (id int primary key); create table y (id int primary key, x int references x, z int); create table z (id int primary key, y int references y);
		alter table y add constraint back foreign key (z) references z (id); alter table x add column y int; alter table x add constraint round foreign key (y) references y (id);

		create table tree (id int primary key, parent int references tree);

		create table pair (a int, b int, c int, primary key (a, b)); create table of_pair (id int primary key, a int, b int, foreign key (a, b) references pair (a, b));

		create table l0 (id int primary key); create table l1 (id int primary key, r int references l0); create table l2 (id int primary key, r int references l1);
		create table l3 (id int primary key, r int references l2); create table l4 (id int primary key, r int references l3); create table l5 (id int primary key, r int references l4);
		create table l6 (id int primary key, r int references l5); create table l7 (id int primary key, r int references l6); create table l8 (id int primary key, r int references l7);
		create table l9 (id int primary key, r int references l8);

		create table w0 (id int primary key); create table w1 (id int primary key, r int references w0); create table w2 (id int primary key, r int);
		create table w3 (id int primary key, r int); create table w4 (id int primary key, r int references w3);

		create table s0 (id int primary key); create table s1 (id int primary key, r int references s0); create table s2 (id int primary key, r int references s1, guess int);
		create table s3 (id int primary key, r int references s2, two int references s1);
		create view v_target as select id, code from target;`)
	data.Joins = nil
	join(t, data, "public.w2", "r", "public.w1", "id", 0.3)
	join(t, data, "public.w3", "r", "public.w2", "id", 0.2)
	join(t, data, "public.s2", "guess", "public.s0", "id", 0.3)
	join(t, data, "public.v_target", "id", "public.by_id", "id", 0.9)
	join(t, data, "public.l9", "id", "public.l0", "id", 0.5)
	join(t, data, "public.l9", "r", "public.l0", "id", 0.7)
	w := serve(t, nil, data)
	for _, test := range []struct {
		args string
		want []string
	}{
		{`"table":"public.target"`, []string{
			"direct other.target 1: target.t 1 fk", "direct public.by_both 1: by_both.c 1 fk", "direct public.by_code 1: by_code.t 1 fk", "direct public.by_id 1: by_id.t 1 fk",
			"two public.after_code 2: by_code.t → after_code.b 1 fk",
		}},
		{`"table":"public.target","column":"CODE"`, []string{
			"direct public.by_both 1: by_both.c 1 fk", "direct public.by_code 1: by_code.t 1 fk", "two public.after_code 2: by_code.t → after_code.b 1 fk",
		}},
		{`"table":"public.target","column":"\"id\""`, []string{"direct other.target 1: target.t 1 fk", "direct public.by_both 1: by_both.t 1 fk", "direct public.by_id 1: by_id.t 1 fk"}},
		{`"table":"other.target","max_depth":8`, []string{}},
		{`"table":"x","max_depth":8`, []string{"direct public.y 1: y.x 1 fk", "two public.z 2: y.x → z.y 1 fk"}},
		{`"table":"y"`, []string{"direct public.x 1: x.y 1 fk", "direct public.z 1: z.y 1 fk"}},
		{`"table":"tree","max_depth":8`, []string{}},
		{`"table":"pair","column":"b"`, []string{"direct public.of_pair 1: of_pair.(a, b) 1 fk"}},
		{`"table":"pair","column":"c"`, []string{}},
		{`"table":"w0","max_depth":8`, []string{
			"direct public.w1 1: w1.r 1 fk", "low public.w2 2: w1.r → w2.r 0.3 inferred", "low public.w3 3: w1.r → w2.r → w3.r 0.2 inferred",
			"low public.w4 4: w1.r → w2.r → w3.r → w4.r 0.2 fk",
		}},
		// A certain way counts, also where a doubtful one is shorter.
		{`"table":"s0"`, []string{"direct public.s1 1: s1.r 1 fk", "two public.s2 2: s1.r → s2.r 1 fk", "two public.s3 2: s1.r → s3.two 1 fk"}},
		{`"table":"s0","max_depth":1`, []string{"direct public.s1 1: s1.r 1 fk", "low public.s2 1: s2.guess 0.3 inferred"}},
		{`"table":"l0","max_depth":8`, []string{
			"direct public.l1 1: l1.r 1 fk", "direct public.l9 1: l9.r 0.7 inferred", "two public.l2 2: l1.r → l2.r 1 fk", "three public.l3 3: l1.r → l2.r → l3.r 1 fk",
			"beyond public.l4 4: l1.r → l2.r → l3.r → l4.r 1 fk", "beyond public.l5 5: l1.r → l2.r → l3.r → l4.r → l5.r 1 fk",
			"beyond public.l6 6: l1.r → l2.r → l3.r → l4.r → l5.r → l6.r 1 fk", "beyond public.l7 7: l1.r → l2.r → l3.r → l4.r → l5.r → l6.r → l7.r 1 fk",
			"beyond public.l8 8: l1.r → l2.r → l3.r → l4.r → l5.r → l6.r → l7.r → l8.r 1 fk",
		}},
	} {
		var r impactResult
		text := w.good("impact", `{"database":"cases",`+test.args+`}`, &r)
		if diff := gocmp.Diff(test.want, affected(r)); diff != "" || r.Affected != len(test.want) {
			t.Errorf("%s: total %d, -want +got\n%s", test.args, r.Affected, diff)
		}
		if deep := strings.Contains(test.args, `"max_depth":8`); deep != strings.Contains(text, `"beyond":[`) {
			t.Errorf("%s: %s", test.args, text)
		}
	}
	for args, want := range map[string]string{
		`"table":"pair","column":"c"`:           "No key and no inferred join refers to the column c of public.pair",
		`"table":"v_target","column":"code"`:    "public.v_target is a view that stands for public.target, which was taken in its place",
		`"table":"tree","max_depth":0`:          "max_depth",
		`"table":"tree","max_depth":9`:          "max_depth",
		`"table":"tree","max_depth":"2"`:        "",
		`"table":"tree","column":null`:          "",
		`"table":"tree","column":"  "`:          "",
		`"table":"cases.public.tree"`:           "",
		`"table":"tree","max_depth":null`:       "",
		`"table":"\"public\".\"tree\""`:         "",
		`"table":"public.target","column":"id"`: "",
	} {
		var r impactResult
		if w.good("impact", `{"database":"cases",`+args+`}`, &r); !strings.Contains(r.Warning, want) || (want == "") != (r.Warning == "") {
			t.Errorf("%s: warning %q, want %q", args, r.Warning, want)
		}
	}
	if f := w.bad("impact", `{"database":"cases","table":"target"}`); f.Code != ambiguousTable || len(f.Candidates) != 2 || f.Candidates[0] != "public.target" {
		t.Errorf("%+v", f)
	}
}

// What code is shown of is bounded by table and in all, and what there is is said.
func TestImpact_Consumers(t *testing.T) {
	var b strings.Builder
	b.WriteString("create table hub (id int primary key); create table busy (id int primary key, r int references hub);")
	for i := range 40 {
		fmt.Fprintf(&b, "create table many%02d (id int primary key, r int references hub);", i)
	}
	data := indexed(t, "busy", sqltree.Postgres, "public", b.String())
	few := indexed(t, "few", sqltree.Postgres, "public", "create table hub (id int primary key); create table busy (id int primary key, r int references hub);")
	for i := range 25 {
		consumer(t, data, "api", fmt.Sprintf("f%02d.go", i), 1, "read", 0.9, "public.busy", "public.hub")
		consumer(t, few, "api", fmt.Sprintf("f%02d.go", i), 1, "read", 0.9, "public.busy", "public.hub")
	}
	for i := range 40 {
		for k := range 10 {
			consumer(t, data, "api", "m.go", 10*i+k, "write", 0.9, fmt.Sprintf("public.many%02d", i))
		}
	}
	w := serve(t, nil, data, few)
	var r impactResult
	w.good("impact", `{"table":"hub","database":"few"}`, &r)
	if x := r.Impact.Direct[0]; len(x.Consumers) != 20 || x.ConsumersTotal != 25 || x.Consumers[0].File != "f00.go" || len(r.Consumers) != 20 || r.ConsumersTotal != 25 || r.Cut {
		t.Errorf("%+v", r)
	}
	r = impactResult{}
	w.good("impact", `{"table":"hub","database":"busy"}`, &r)
	shown := 0
	for _, x := range r.Impact.Direct {
		if shown += len(x.Consumers); x.Name != "public.busy" && (x.ConsumersTotal != 10 || len(x.Consumers) == 0) {
			t.Errorf("%+v", x)
		}
	}
	if shown > maxPlacesOfAll || len(r.Impact.Direct) != 41 || r.Affected != 41 || r.Cut {
		t.Errorf("%d places of %d tables", shown, len(r.Impact.Direct))
	}
}

// A cut answer keeps the nearest of every list and says how many there are.
func TestImpact_Cut(t *testing.T) {
	var b strings.Builder
	b.WriteString("create table hub (id int primary key);")
	for i := range 3000 {
		fmt.Fprintf(&b, "create table spoke%04d (id int primary key, hub_reference int references hub);", i)
	}
	for i := range 300 {
		fmt.Fprintf(&b, "create table rim%04d (id int primary key, spoke_reference int references spoke%04d);", i, i)
	}
	b.WriteString("create table last (id int primary key, rim int references rim0000);")
	data := indexed(t, "hub", sqltree.Postgres, "public", b.String())
	data.Joins = nil
	w := serve(t, nil, data)
	var r impactResult
	text := w.good("impact", `{"table":"hub","database":"hub","max_depth":8}`, &r)
	if len(text) > maxAnswer || len(text) < maxAnswer/2 || !r.Cut || r.Affected != 3301 || r.TotalDirect != 3000 || r.TotalTwo != 300 || r.TotalThree != 0 ||
		len(r.Impact.Direct) < 100 || len(r.Impact.Two) < 100 || len(r.Impact.Three) != 1 || r.Impact.Direct[0].Name != "public.spoke0000" || !strings.Contains(r.Warning, "max_depth") {
		t.Errorf("%d characters, truncated %v, %d of %d, %d of %d and %d of %d, warning %q", len(text), r.Cut, len(r.Impact.Direct), r.TotalDirect,
			len(r.Impact.Two), r.TotalTwo, len(r.Impact.Three), r.TotalThree, r.Warning)
	}
}

func TestImpact_HostileNames(t *testing.T) {
	data := indexed(t, "odd", sqltree.Postgres, "public", hostileDDL)
	empty := indexed(t, "void", sqltree.Postgres, "public", "")
	w := serve(t, nil, data, empty)
	for _, tb := range data.Tables {
		table, _ := json.Marshal(sqltree.Postgres.Quote(tb.Name))
		for _, c := range tb.Columns {
			column, _ := json.Marshal(sqltree.Postgres.Quote(c.Name))
			var r impactResult
			w.good("impact", fmt.Sprintf(`{"table":%s,"column":%s,"database":"odd","max_depth":8}`, table, column), &r)
			if r.Target.Table != "public."+tb.Name || r.Target.Column == nil || *r.Target.Column != c.Name {
				t.Errorf("%s.%s: %+v", tb.Name, c.Name, r.Target)
			}
		}
	}
	w.refusals("impact", map[string]string{
		`{"table":"a","database":"void"}`:                                         `{"error":"No table 'a' in void.","code":"table_not_found","hint":"The index of void holds no visible table."}`,
		"{\"table\":\"1st\",\"column\":\"x\u202e\\u0000y\",\"database\":\"odd\"}": `{"error":"No column 'xy' in public.1st.","code":"column_not_found"}`,
	})
}

// On small random graphs the answer is what the enumeration of all chains gives.
func TestImpact_AgainstEnumeration(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 2 + r.IntN(8)
		data := catalog.Data{Connection: "random", Dialect: "postgresql", DefaultSchema: "public", Facts: make([]catalog.Facts, n)}
		for i := range n {
			data.Tables = append(data.Tables, model.Table{Schema: "public", Name: string(rune('a' + i)), Columns: []model.Column{{Name: "x", Ordinal: 1}, {Name: "y", Ordinal: 2}}})
		}
		for range r.IntN(4 * n) {
			data.Joins = append(data.Joins, catalog.Join{
				From: r.IntN(n), To: r.IntN(n), FromColumn: "x", ToColumn: []string{"x", "y"}[r.IntN(2)], Source: "heuristic", Confidence: float64(1+r.IntN(10)) / 10,
			})
		}
		d := database{Catalog: catalog.New(data, 1)}
		target, column, depth := r.IntN(n), r.IntN(3)-1, 1+r.IntN(4)

		// The best of all chains without a table twice, by hops, then confidence.
		type best struct {
			hop        int
			confidence float64
		}
		sure, all := map[int]best{}, map[int]best{}
		var walk func(at, hop int, confidence float64, on []int)
		walk = func(at, hop int, confidence float64, on []int) {
			if hop > 0 {
				for m, counts := range map[*map[int]best]bool{&sure: confidence >= doubtful, &all: true} {
					if b, ok := (*m)[at]; counts && (!ok || hop < b.hop || hop == b.hop && confidence > b.confidence) {
						(*m)[at] = best{hop, confidence}
					}
				}
			}
			for _, j := range data.Joins {
				if hop < depth && j.To == at && !slices.Contains(on, j.From) && (hop > 0 || column < 0 || j.ToColumn == []string{"x", "y"}[column]) {
					walk(j.From, hop+1, min(confidence, j.Confidence), append(slices.Clone(on), j.From))
				}
			}
		}
		walk(target, 0, 1, []int{target})
		want := map[int]best{}
		maps.Copy(want, all)
		maps.Copy(want, sure)

		got := map[int]best{}
		f := d.dependents(target, column, depth)
		for _, x := range f.found {
			got[x.table] = best{x.hop, x.confidence}
			if via := d.item(f, x).Via; strings.Count(via, "→") != x.hop-1 || !strings.HasSuffix(via, data.Tables[x.table].Name+".x") {
				t.Errorf("seed %d: chain %s of %d hops", seed, via, x.hop)
			}
		}
		if !maps.Equal(got, want) {
			t.Errorf("seed %d: got %v, want %v", seed, got, want)
		}
	}
}
