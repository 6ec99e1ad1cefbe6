package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/wordvec"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/embed"
	"github.com/quartet-mcp/quartet/pretensor/internal/lookup"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/quartet-mcp/quartet/pretensor/internal/store"
)

// searching gives a service its search index and what makes vectors.
func searching(t testing.TB, e *embed.Embedder) func(*Service) {
	return func(sv *Service) {
		x, err := lookup.New()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { x.Close() })
		sv.Lookup, sv.Embedder = x, e
	}
}

// words is the provider that needs no network.
func words(t testing.TB) wordvec.Provider {
	t.Helper()
	p, err := wordvec.NewBuiltin()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// embedded puts the vectors of its tables into data.
func embedded(t testing.TB, data *catalog.Data, p wordvec.Provider) *catalog.Data {
	t.Helper()
	v, err := embed.Tables(context.Background(), p, data)
	if err != nil {
		t.Fatal(err)
	}
	data.Vectors = v
	return data
}

// warehouse is a second database with a table of a name that shop has, too.
func warehouse(t testing.TB) *catalog.Data {
	data := indexed(t, "warehouse", sqltree.Postgres, "public", `
		create table daily_revenue (day date, region_code text, amount numeric);
		create table orders (id int primary key, placed timestamptz); create table pallets (id int primary key, bay text);`)
	data.Facts[0].Description = "Revenue per day and sales region, built from orders and refunds"
	data.Clusters = nil
	return data
}

func TestQuery(t *testing.T) {
	data := warehouse(t)
	data.Entities, data.Joins = []catalog.Entity{{Name: "Pallet", Description: "What goods stand on", Tables: []int{2}}}, nil
	n := int64(5120)
	data.Tables[0].Rows = &n
	data.Facts[0].Role, data.Facts[2].Role = "aggregate", ""
	w := serve(t, searching(t, nil), data)
	var r queryResult
	got := w.good("query", `{"q":"daily revenue by region","db":"warehouse"}`, &r)
	if len(r.Results) == 0 {
		t.Fatal(got)
	}
	want := fmt.Sprintf(`{"query":"daily revenue by region","db":"warehouse","results":[{"node_type":"SchemaTable","name":"public.daily_revenue","database_name":"warehouse",`+
		`"connection_name":"warehouse","description":"Revenue per day and sales region, built from orders and refunds",`+
		`"snippet":"**Revenue** per day and sales **region**, built from orders and refunds","score":%v,"matched":["name","description","column:region_code"],`+
		`"role":"aggregate","row_count":5120}],"total":1}`, r.Results[0].Score)
	if got != want || r.Results[0].Score <= 0 {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	got = w.good("query", `{"q":"pallet"}`, &r)
	if !strings.HasPrefix(got, `{"query":"pallet","db":null,"results":[{"node_type":`) || r.Total != 2 || strings.Contains(got, "rerank") {
		t.Errorf("%s", got)
	}
	types := map[string]bool{}
	for _, h := range r.Results {
		types[h.NodeType+" "+h.Name] = true
	}
	if !types["SchemaTable public.pallets"] || !types["Entity Pallet"] {
		t.Errorf("%v", types)
	}
	got = w.good("query", `{"q":"xylophone"}`, nil)
	if want := `{"query":"xylophone","db":null,"results":[],"total":0,"warning":"no table has any of these words; try others, or see what there is with list_databases"}`; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	w.refusals("query", map[string]string{
		`{"q":"  "}`: `{"error":"q is empty.","code":"invalid_argument","hint":"Ask in words, such as: daily revenue by region."}`,
		`{"q":"` + strings.Repeat("long ", 3000) + `"}`: `{"error":"q has 15000 bytes, at most 10000 are allowed.","code":"invalid_argument","hint":"Ask in words, such as: daily revenue by region."}`,
		`{"q":"?!… — \"'"}`:                             `{"error":"q has no word to look for: '?!… — \"''.","code":"invalid_argument","hint":"Ask in words, such as: daily revenue by region."}`,
		`{"db":"warehouse"}`:                            `{"error":"query needs the argument 'q'.","code":"invalid_argument","hint":"give it as text"}`,
		`{"q":"a b","db":"warehose"}`:                   `{"error":"No connection named 'warehose'.","code":"unknown_database","hint":"Call list_databases for the full list.","candidates":["warehouse"]}`,
	})
	for args, want := range map[string]string{
		`"limit":0`: "limit", `"limit":51`: "limit", `"limit":"2"`: "", `"limit":null,"db":null`: "", `"db":" "`: "", `"db":" WAREHOUSE "`: "", `"limit":2.0`: "",
	} {
		var r queryResult
		w.good("query", `{"q":"orders",`+args+`}`, &r)
		if len(r.Results) == 0 || !strings.Contains(r.Warning, want) || (r.Warning == "") != (want == "") {
			t.Errorf("%s: %+v", args, r)
		}
	}
}

func TestQuery_TwoDatabases(t *testing.T) {
	a, b, old := shop(t), warehouse(t), indexed(t, "archive", sqltree.Postgres, "public", "create table orders (id int primary key);")
	old.BuiltAt = today.AddDate(0, 0, -9)
	w := serve(t, searching(t, nil), a, b, old)
	hits := func(args string) (out []string, r queryResult) {
		w.good("query", args, &r)
		for _, h := range r.Results {
			out = append(out, h.Connection+" "+h.Name)
		}
		return out, r
	}
	found, r := hits(`{"q":"orders"}`)
	total := r.Total
	seen := strings.Join(found, ", ")
	if !strings.Contains(seen, "shop public.orders") || !strings.Contains(seen, "warehouse public.orders") || !strings.Contains(seen, "archive public.orders") ||
		!strings.Contains(r.Warning, "Index is 9 days old (limit 7). Run: pretensor reindex --database archive") {
		t.Errorf("%s, warning %q", seen, r.Warning)
	}
	for i, h := range r.Results {
		if i > 0 && h.Score > r.Results[i-1].Score {
			t.Errorf("hit %d scores %v after %v", i, h.Score, r.Results[i-1].Score)
		}
	}
	one, r := hits(`{"q":"orders","db":"warehouse"}`)
	if len(one) == 0 || r.Warning != "" || *r.DB != "warehouse" {
		t.Errorf("%+v", r)
	}
	for _, h := range one {
		if !strings.HasPrefix(h, "warehouse ") {
			t.Errorf("%s is of another connection", h)
		}
	}
	// The scores of one connection do not depend on what was asked before.
	first, _ := w.call("query", `{"q":"orders","db":"warehouse"}`)
	fresh := serve(t, searching(t, nil), a, b, old)
	if again, _ := fresh.call("query", `{"q":"orders","db":"warehouse"}`); again != first {
		t.Errorf("\n got %s\nwant %s", again, first)
	}
	// A limit leaves the order alone and does not change what there is.
	for k := 1; k <= 3; k++ {
		few, some := hits(fmt.Sprintf(`{"q":"orders","limit":%d}`, k))
		if len(few) != k || strings.Join(few, ", ") != strings.Join(found[:k], ", ") || some.Total != total {
			t.Errorf("limit %d: %v of %v, total %d", k, few, found, some.Total)
		}
	}
}

// What cannot be read is left out of an answer on all, and named; asked for alone it
// is refused.
func TestQuery_BrokenConnections(t *testing.T) {
	w := serve(t, searching(t, nil), shop(t), warehouse(t), indexed(t, "torn", sqltree.Postgres, "public", "create table orders (id int primary key);"))
	w.register(registry.Entry{Name: "later", Database: "later", Dialect: "postgresql"})
	path, err := w.dir.Graph("torn")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(catalog.PathOf(path), []byte("torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	var r queryResult
	text := w.good("query", `{"q":"orders"}`, &r)
	if len(r.Results) < 2 || !strings.Contains(r.Warning, "later was left out: 'later' is registered but not indexed yet. Run: pretensor index later") ||
		!strings.Contains(r.Warning, "torn was left out: ") || strings.Contains(text, w.dir.Path()) {
		t.Errorf("%s", text)
	}
	r = queryResult{}
	if w.good("query", `{"q":"orders","db":"shop"}`, &r); strings.Contains(r.Warning, "left out") {
		t.Errorf("%q", r.Warning)
	}
	if f := w.bad("query", `{"q":"orders","db":"later"}`); f.Code != "graph_missing" {
		t.Errorf("%+v", f)
	}
	if f := w.bad("query", `{"q":"orders","db":"torn"}`); f.Code != "graph_unreadable" {
		t.Errorf("%+v", f)
	}
}

func TestQuery_Empty(t *testing.T) {
	w := serve(t, searching(t, nil))
	if f := w.bad("query", `{"q":"orders"}`); f.Code != "no_databases" || !strings.Contains(f.Hint, "pretensor index") {
		t.Errorf("%+v", f)
	}
	w = serve(t, searching(t, nil), indexed(t, "void", sqltree.Postgres, "public", ""))
	got := w.good("query", `{"q":"orders"}`, nil)
	if want := `{"query":"orders","db":null,"results":[],"total":0,"warning":"nothing is indexed in void, or everything is hidden"}`; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// With vectors the answer is ranked by words and meaning together, without them it is
// that of the words, to the byte.
func TestQuery_Rerank(t *testing.T) {
	p := words(t)
	a, b := embedded(t, shop(t), p), embedded(t, warehouse(t), p)
	both := serve(t, searching(t, embed.New(p)), a, b)
	off := serve(t, searching(t, nil), a, b)
	bare := serve(t, searching(t, embed.New(p)), shop(t), warehouse(t))
	var r queryResult
	text := both.good("query", `{"q":"income by area"}`, &r)
	if !strings.Contains(text, `"rerank":"rrf","total":`) || len(r.Results) == 0 || r.Results[0].Name != "public.daily_revenue" {
		t.Errorf("%s", text)
	}
	for _, q := range []string{"orders of customers", "income by area", "xylophone"} {
		args := fmt.Sprintf(`{"q":%q,"limit":5}`, q)
		if x, y := off.good("query", args, nil), bare.good("query", args, nil); x != y || strings.Contains(x, "rerank") {
			t.Errorf("\n off %s\nbare %s", x, y)
		}
	}
	// Words that no table has: where there are vectors the other tool may help.
	w := serve(t, searching(t, embed.New(p)), a)
	if w.good("query", `{"q":"qwxzyv"}`, &r); len(r.Results) == 0 && !strings.Contains(r.Warning, "semantic_search") {
		t.Errorf("%+v", r)
	}
}

// The index follows the catalogs: what is indexed anew is found, what is gone is not.
func TestQuery_FollowsTheStore(t *testing.T) {
	w := serve(t, searching(t, nil), shop(t))
	sees := func(q string) bool {
		s, err := w.sv.search(context.Background(), "")
		if err != nil {
			t.Fatal(err)
		}
		a, err := w.sv.Lookup.Search(context.Background(), lookup.Question{Text: q, Connections: s.names()})
		if err != nil {
			t.Fatal(err)
		}
		return len(a.Hits) > 0
	}
	if !sees("products") || sees("pallets") {
		t.Error("before")
	}
	data := warehouse(t)
	w.put(data)
	w.sv.Store = store.New(w.dir, w.reg, store.Options{AliasSources: 1})
	if !sees("products") || !sees("pallets") {
		t.Error("with another connection")
	}
	data = indexed(t, "shop", sqltree.Postgres, "public", "create table gadgets (id int primary key);")
	data.Generation = "g2"
	w.put(data)
	w.sv.Store = store.New(w.dir, w.reg, store.Options{AliasSources: 1})
	if sees("products") || !sees("gadgets") {
		t.Error("indexed anew")
	}
	if err := w.reg.Update(context.Background(), func(r *registry.Registry) error { r.Remove("warehouse"); return nil }); err != nil {
		t.Fatal(err)
	}
	w.sv.Store = store.New(w.dir, w.reg, store.Options{AliasSources: 1})
	if sees("pallets") {
		t.Error("removed")
	}
	a, err := w.sv.Lookup.Search(context.Background(), lookup.Question{Text: "pallets"}) // in all that the index holds
	if err != nil || len(a.Hits) > 0 {
		t.Errorf("the index still holds what was removed: %v, %v", a, err)
	}
}

// Calls at the same time build the index once and all see it.
func TestQuery_Parallel(t *testing.T) {
	w := serve(t, searching(t, nil), shop(t), warehouse(t))
	var wg sync.WaitGroup
	texts := make([]string, 16)
	for i := range texts {
		wg.Go(func() { texts[i], _ = w.call("query", `{"q":"orders"}`) })
	}
	wg.Wait()
	for _, text := range texts {
		if text != texts[0] || !strings.Contains(text, "public.orders") {
			t.Errorf("%s", text)
		}
	}
}

func TestQuery_HostileNames(t *testing.T) {
	data := indexed(t, "odd", sqltree.Postgres, "public", hostileDDL)
	data.Facts[0].Description = "first\u202eline\x00\x1b[31m\nof **bold** text"
	w := serve(t, searching(t, nil), data)
	var r queryResult
	for _, tb := range data.Tables {
		q, _ := json.Marshal(tb.Name + ` AND OR NOT * ? ~ ^ "quoted" field:value -x +y (z`)
		if w.good("query", fmt.Sprintf(`{"q":%s}`, q), &r); len(r.Results) == 0 {
			t.Errorf("%s is not found", tb.Name)
		}
	}
	text := w.good("query", `{"q":"bold"}`, &r)
	if len(r.Results) != 1 || strings.ContainsAny(text, "\u202e\x00\x1b") || strings.Contains(r.Results[0].Description, "\n") {
		t.Errorf("%q", text)
	}
}

// An answer that is too long keeps the best hits.
func TestQuery_Cut(t *testing.T) {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "create table orders_%s%02d (id int primary key", strings.Repeat("long_", 10), i)
		for k := range 40 {
			fmt.Fprintf(&b, ", order_%s%02d int", strings.Repeat("column_", 6), k)
		}
		b.WriteString(");")
	}
	data := indexed(t, "long", sqltree.Postgres, "public", b.String())
	data.Entities = nil
	for i := range data.Facts {
		data.Facts[i].Description = strings.Repeat("orders ", 80)
	}
	w := serve(t, searching(t, nil), data)
	var r queryResult
	text := w.good("query", `{"q":"orders","limit":50}`, &r)
	if len([]rune(text)) > maxAnswer || !r.Cut || r.Total != 60 || len(r.Results) == 0 || len(r.Results) >= 50 || !strings.Contains(r.Warning, "best hits") {
		t.Errorf("%d characters, truncated %v, %d of %d hits, warning %q", len(text), r.Cut, len(r.Results), r.Total, r.Warning)
	}
}
