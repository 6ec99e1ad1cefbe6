package lookup

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/quartet-mcp/quartet/datakit/search"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// table is a table with columns of these names.
func table(schema, name string, columns ...string) model.Table {
	t := model.Table{Schema: schema, Name: name, Type: model.BaseTable}
	for i, c := range columns {
		t.Columns = append(t.Columns, model.Column{Name: c, Ordinal: i + 1, Type: "integer"})
	}
	return t
}

// data is a catalog's of tables, with facts to fill in.
func data(connection string, tables ...model.Table) catalog.Data {
	return catalog.Data{
		Connection: connection, Database: connection, Dialect: "postgresql", DefaultSchema: "public", Tables: tables,
		Facts: make([]catalog.Facts, len(tables)),
	}
}

// shop has something of everything that is searched.
func shop() catalog.Data {
	orders := table("public", "orders", "order_id", "customer_id", "state")
	orders.Columns[2].Enum = []string{"placed", "dispatched"}
	customers := table("public", "customers", "customer_id", "email")
	customers.Comment = "Everybody who ever bought from us"
	ledger := table("finance", "GeneralLedgerEntries", "entryId", "bookedOn")
	ledger.Columns[1].Comment = "When the treasurer confirmed it"
	audit := table("public", "orders_audit", "order_id", "changed")
	fresh := table("public", "orders_new", "order_id", "changed")
	none := int64(0)
	fresh.Rows = &none
	view := table("public", "v_active_buyers", "customer_id")
	view.Type = model.View
	wire := table("public", "wiretransfer", "amt", "acctno")
	d := data("shop", ledger, customers, orders, audit, fresh, view, wire)
	d.Facts[0] = catalog.Facts{Description: "Double entry bookkeeping", Tags: []string{"audited", "monthly"}, Aliases: []string{"fct_journal"}}
	d.Facts[3].Role = "audit"
	d.Lineage = []model.Lineage{{FromSchema: "public", FromTable: "customers", ToSchema: "public", ToTable: "v_active_buyers", Type: model.LineageView}}
	d.Clusters = []catalog.Cluster{{Number: 4, Label: "public.orders · Fulfilment (2 tables)", Description: "2 tables around parcels", Tables: []int{1, 2}}}
	d.Entities = []catalog.Entity{{Name: "Patron", Description: "A person with a purse", Tables: []int{1}}}
	return d
}

func ask(tb testing.TB, x *Index, question string) *Answer {
	tb.Helper()
	a, err := x.Search(context.Background(), Question{Text: question})
	if err != nil {
		tb.Fatal(err)
	}
	return a
}

func hits(a *Answer) []string {
	list := []string{}
	for _, h := range a.Hits {
		list = append(list, h.Name)
	}
	return list
}

func TestSearch_WhatIsFound(t *testing.T) {
	x := index(t, catalog.New(shop(), 1))
	for _, tc := range []struct {
		name, question, first string
		matched               []string
	}{
		{"name", "orders", "public.orders", []string{"name", "column:order_id", "cluster"}},
		{"singular", "order", "public.orders", []string{"name", "column:order_id", "cluster"}},
		{"qualified name", "public.customers", "public.customers", nil},
		{"name among other words", "which customers have placed many of their orders lately", "public.orders", nil},
		{"humps", "ledger entry", "finance.GeneralLedgerEntries", []string{"name", "description", "column:entryId"}},
		{"humps in the question", "generalLedgerEntries", "finance.GeneralLedgerEntries", nil},
		{"written together in the question", "generalledgerentries", "finance.GeneralLedgerEntries", []string{"name"}},
		{"written together in the schema", "wire transfer", "public.wiretransfer", []string{"name"}},
		{"abbreviated in the schema", "account", "public.wiretransfer", []string{"column:acctno"}},
		{"one letter missing", "custmers", "public.customers", nil},
		{"one letter missing, singular", "custmer", "public.customers", nil},
		{"two letters swapped", "leger", "finance.GeneralLedgerEntries", nil},
		{"beginning of a word", "custo", "public.customers", nil},
		{"accents", "lédger", "finance.GeneralLedgerEntries", nil},
		{"comment only", "bought", "public.customers", []string{"description"}},
		{"description only", "bookkeeping", "finance.GeneralLedgerEntries", []string{"description"}},
		{"column comment only", "treasurers", "finance.GeneralLedgerEntries", []string{"column_comment:bookedOn"}},
		{"dbt alias only", "journal", "finance.GeneralLedgerEntries", []string{"alias"}},
		{"view that stands for the table", "active buyers", "public.v_active_buyers", nil},
		{"tag", "monthly", "finance.GeneralLedgerEntries", []string{"tag"}},
		{"enum label", "dispatched", "public.orders", []string{"enum"}},
		{"cluster", "fulfilment of parcels", "public.customers", []string{"cluster"}},
		{"entity of a table", "patrons who bought", "public.customers", []string{"description", "entity"}},
		{"entity named", "patron", "Patron", []string{"name"}},
		{"entity", "purse", "Patron", []string{"description"}},
		{"synonym", "purchases", "public.orders", nil},
	} {
		a := ask(t, x, tc.question)
		if len(a.Hits) == 0 || a.Hits[0].Name != tc.first {
			t.Errorf("%s: Search(%q) = %v, want %s first", tc.name, tc.question, hits(a), tc.first)
			continue
		}
		if diff := cmp.Diff(a.Hits[0].Matched, tc.matched); tc.matched != nil && diff != "" {
			t.Errorf("%s: Search(%q) matched (-got +want):\n%s", tc.name, tc.question, diff)
		}
	}
	if got := hits(ask(t, x, "active buyers")); !slices.Contains(got, "public.customers") {
		t.Errorf("the view's name finds %v, not its base", got)
	}
}

func TestSearch_Hit(t *testing.T) {
	x := index(t, catalog.New(shop(), 1))
	a := ask(t, x, "patrons bought")
	if len(a.Hits) != 2 || a.Total != 2 || a.Words != 2 {
		t.Fatalf("%v of %d, %d words", hits(a), a.Total, a.Words)
	}
	h := a.Hits[0]
	if h.Table != 1 || h.Entity != -1 || h.NodeType != "SchemaTable" || h.Catalog.Connection != "shop" ||
		h.Description != "Everybody who ever bought from us" || h.Snippet != "Everybody who ever **bought** from us" {
		t.Errorf("table %+v", h)
	}
	h = a.Hits[1]
	if h.Table != -1 || h.Entity != 0 || h.NodeType != "Entity" || h.Name != "Patron" || h.Snippet != "**Patron**" || !slices.Equal(h.Matched, []string{"name"}) {
		t.Errorf("entity %+v", h)
	}
	if !slices.IsSortedFunc(a.Hits, func(a, b Hit) int { return int(b.Score*1e4) - int(a.Score*1e4) }) {
		t.Errorf("scores %v, %v", a.Hits[0].Score, a.Hits[1].Score)
	}
	if model.Round(h.Score) != h.Score {
		t.Errorf("the score %v has more than four decimals", h.Score)
	}
}

func TestSearch_WhatIsKnownBesideWords(t *testing.T) {
	x := index(t, catalog.New(shop(), 1))
	a := ask(t, x, "changed")
	if got := hits(a); !slices.Equal(got, []string{"public.orders_new", "public.orders_audit"}) {
		t.Fatalf("the audit table is not behind the empty one: %v", got)
	}
	if a.Hits[1].Score >= a.Hits[0].Score*0.8 {
		t.Errorf("scores %v and %v: an audit table counts 0.7, an empty one 0.9", a.Hits[0].Score, a.Hits[1].Score)
	}
}

// What may come from rows or from the text of a view is in no document.
func TestSearch_NoLiterals(t *testing.T) {
	secret := table("public", "people", "name")
	secret.Columns[0].Stats = &model.Stats{Common: []string{"zanzibar"}, Histogram: []string{"zanzibar"}, Min: "zanzibar", Max: "zanzibar"}
	secret.Columns[0].Default = "'zanzibar'"
	secret.Checks = []model.Check{{Expr: "name <> 'zanzibar'"}}
	secret.Definition = "SELECT 'zanzibar'"
	secret.Grants = []model.Grant{{Grantee: "zanzibar"}}
	x := index(t, catalog.New(data("c", secret), 1))
	if a := ask(t, x, "zanzibar"); len(a.Hits) != 0 {
		t.Errorf("found %+v", a.Hits)
	}
	a := ask(t, x, "people")
	if len(a.Hits) != 1 || strings.Contains(fmt.Sprint(a.Hits[0].Snippet, a.Hits[0].Description, a.Hits[0].Matched), "zanzibar") {
		t.Errorf("people: %+v", a.Hits)
	}
}

func TestSearch_Order(t *testing.T) {
	twin := func(connection string) *catalog.Catalog {
		d := data(connection, table("p", "plum", "x"), table("q", "plum", "x"))
		d.Entities = []catalog.Entity{{Name: "pear", Tables: []int{}}, {Name: "apple", Description: "pear", Tables: []int{}}}
		return catalog.New(d, 1)
	}
	want := []string{"one p.plum", "one q.plum", "two p.plum", "two q.plum"}
	for _, connections := range [][]string{{"one", "two"}, {"two", "one"}} {
		x := index(t, twin(connections[0]), twin(connections[1]))
		var got []string
		for _, h := range ask(t, x, "plum").Hits {
			got = append(got, h.Catalog.Connection+" "+h.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v: %v, want %v", connections, got, want)
		}
	}
}

func TestSearch_Connections(t *testing.T) {
	var all []*catalog.Catalog
	for _, name := range []string{"a", "b", "c"} {
		all = append(all, catalog.New(data(name, table("s", "plums", "x"), table("s", "plum_trees", "x")), 1))
	}
	x := index(t, all...)
	for _, tc := range []struct {
		connections []string
		want        int
	}{
		{nil, 6}, {[]string{}, 0}, {[]string{"b"}, 2}, {[]string{"c", "a"}, 4}, {[]string{"none", "a"}, 2},
	} {
		a, err := x.Search(context.Background(), Question{Text: "plum", Connections: tc.connections, Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		if a.Total != tc.want || len(a.Hits) != min(1, tc.want) {
			t.Errorf("%v: %d hits of %d, want %d", tc.connections, len(a.Hits), a.Total, tc.want)
		}
		for _, h := range a.Hits {
			if tc.connections != nil && !slices.Contains(tc.connections, h.Catalog.Connection) {
				t.Errorf("%v: a hit of %s", tc.connections, h.Catalog.Connection)
			}
		}
	}
}

// A smaller limit gives the beginning of a larger one's answer.
func TestSearch_LimitIsAPrefix(t *testing.T) {
	x := index(t, catalog.New(warehouse("w", 300), 1))
	for _, question := range benchQuestions {
		all := ask(t, x, question)
		if all.Total != len(all.Hits) {
			t.Errorf("%q: %d hits of %d without a limit", question, len(all.Hits), all.Total)
		}
		for _, limit := range []int{1, 2, 7, 50} {
			a, err := x.Search(context.Background(), Question{Text: question, Limit: limit})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(hits(a), hits(all)[:min(limit, all.Total)]); diff != "" || a.Total != all.Total {
				t.Errorf("%q, limit %d of %d: (-got +want)\n%s", question, limit, a.Total, diff)
			}
		}
		for i := 1; i < len(all.Hits); i++ {
			a, b := all.Hits[i-1], all.Hits[i]
			if a.Score < b.Score || a.Score == b.Score && a.NodeType < b.NodeType ||
				a.Score == b.Score && a.NodeType == b.NodeType && a.Name > b.Name {
				t.Fatalf("%q: %s (%v) before %s (%v)", question, a.Name, a.Score, b.Name, b.Score)
			}
		}
	}
}

func TestSearch_HostileQuestions(t *testing.T) {
	x := index(t, catalog.New(shop(), 1))
	want := ask(t, x, "customer orders")
	words := make([]string, 0, 20_000)
	for i := range cap(words) {
		words = append(words, fmt.Sprintf("word%d", i))
	}
	for _, q := range []string{
		"\x00\x01\x1b[31m\x7f", "\u202eredro\u202c \u200b\u2066", strings.Repeat("a", 100_000), strings.Repeat("customer ", 12_000), strings.Join(words, " "),
		`+name:"orders" -x ~2 ^4 (a OR b) AND NOT [1 TO *] /re.*/ \`, `*`, `?`, `" OR 1=1 --`, `{{.}} ${HOME} %s %n`, "\xff\xfe\xc3\x28", "👩‍👩‍👧‍👦 🇩🇪 ✨",
		"订单 顾客", "Ωραία πελάτες", strings.Repeat("é", 50_000), strings.Repeat("(", 100_000), strings.Repeat("a_", 50_000), "ﷺ" + strings.Repeat("ﷺ", 5000),
		strings.Repeat("customar ", 3) + strings.Repeat("abcdé ", 500), "", " ",
	} {
		a, err := x.Search(context.Background(), Question{Text: q, Limit: 5})
		if err != nil {
			t.Errorf("Search(%.40q): %v", q, err)
			continue
		}
		if a.Hits == nil || len(a.Hits) > a.Total {
			t.Errorf("Search(%.40q): %d hits of %d", q, len(a.Hits), a.Total)
		}
		if diff := cmp.Diff(ask(t, x, "customer orders"), want, cmpopts.IgnoreFields(Hit{}, "Catalog")); diff != "" {
			t.Errorf("after %.40q (-got +want):\n%s", q, diff)
		}
	}
	for _, q := range []string{"", "  ", "?!…", "👩‍👧", "\x00", "()"} {
		if a := ask(t, x, q); a.Words != 0 || len(a.Hits) != 0 {
			t.Errorf("Search(%q): %d words, %v", q, a.Words, hits(a))
		}
	}
	if a := ask(t, x, strings.Join(words, " ")); a.Words == 0 || a.Ignored == 0 {
		t.Errorf("of 20,000 words %d were looked for and %d not", a.Words, a.Ignored)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := x.Search(ctx, Question{Text: "orders"}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

// Names and comments are data: what a reader cannot see does not reach the prose.
func TestSearch_HostileCatalog(t *testing.T) {
	bad := table("p\x00q", "plum\u202e\n**tree**", "col\x1bumn", "")
	bad.Comment = "plum\x00 \u202etext\u200b with \x1b[31m" + strings.Repeat("plums and ", 20_000)
	bad.Columns[0].Comment = "plum\r\n\r\nIgnore this"
	bad.Columns[0].Enum = []string{"plum\x00", ""}
	d := data("c\x00d", bad, table("", "", ""))
	d.Facts[0].Tags = []string{"plum\u2028", ""}
	d.Facts[0].Aliases = []string{"", strings.Repeat("plum", 10_000)}
	d.Entities = []catalog.Entity{{Name: "plum\u202e", Description: "\x00", Tables: []int{0, 1}}, {}}
	x := index(t, catalog.New(d, 1))
	a := ask(t, x, "plum")
	if len(a.Hits) != 3 {
		t.Fatalf("found %q", hits(a))
	}
	for _, h := range a.Hits {
		for _, text := range []string{h.Snippet, h.Description} {
			if strings.ContainsAny(text, "\x00\x1b\r\n\u202e\u200b\u2028") || !utf8.ValidString(text) {
				t.Errorf("%q shows what it must not", text)
			}
		}
		if n := utf8.RuneCountInString(h.Description); n > 400 {
			t.Errorf("a description of %d characters", n)
		}
		if n := utf8.RuneCountInString(h.Snippet); n > 200 {
			t.Errorf("a snippet of %d characters", n)
		}
	}
}

func TestSnippet(t *testing.T) {
	long := strings.Repeat("nothing to see in this part of it ", 30)
	for _, tc := range []struct{ name, comment, question, want string }{
		{"short", "Orders that were placed", "placing an order", "**Orders** that were **placed**"},
		{"identifier", "joins order_items by order_id", "order items", "joins **order_items** by **order**_id"},
		{"accents", "Das Café am Eck", "cafe", "Das **Café** am Eck"},
		{"synonym beside the word", "revenue and sales", "revenue", "**revenue** and sales"},
		{"synonym alone", "sales of today", "revenue", "**sales** of today"},
		{"in the middle", long + "but here are the plums " + long, "plum",
			"…part of it nothing to see in this part of it but here are the **plums** nothing to see in this part of it nothing to see in " +
				"this part of it nothing to see in this part of it nothing to see in this…"},
		{"the better of two places", "plums. " + long + "plums and pears. " + long, "plum pear",
			"…see in this part of it nothing to see in this part of it **plums** and **pears**. nothing to see in this part of it nothing to " +
				"see in this part of it nothing to see in this part of it nothing to…"},
		{"nothing said", "", "t", "s.**t**"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			plain := table("s", "t", "x")
			plain.Comment = tc.comment
			x := index(t, catalog.New(data("c", plain), 1))
			a := ask(t, x, tc.question)
			if len(a.Hits) != 1 {
				t.Fatalf("%d hits", len(a.Hits))
			}
			got := a.Hits[0].Snippet
			if got != tc.want {
				t.Errorf("snippet %q, want %q", got, tc.want)
			}
		})
	}
}

// What a table is found by is what its snippet shows.
func TestSnippet_OfWhatIsNoComment(t *testing.T) {
	x := index(t, catalog.New(shop(), 1))
	for question, want := range map[string]string{
		"dispatched": "state: placed, **dispatched**", "journal": "fct_**journal**", "monthly": "audited, **monthly**", "treasurer": "bookedOn: When the **treasurer** confirmed it",
	} {
		if a := ask(t, x, question); len(a.Hits) == 0 || a.Hits[0].Snippet != want {
			t.Errorf("Search(%q) = %+v, want the snippet %q", question, a.Hits, want)
		}
	}
}

// Whatever the text, a snippet is short, one passage of it, and marks exactly words
// that were looked for.
func TestSnippet_IsAPassage(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"plum", "Plums", "pear_tree", "pearTree", "a", "of", "stone", "–", "größe", "日本語", "x1", ",", "\n", strings.Repeat("long", 80), strings.Repeat("plum_", 60), "e\u0301te"}
	for range 300 {
		var b strings.Builder
		for range r.IntN(120) {
			b.WriteString(pieces[r.IntN(len(pieces))])
			b.WriteString([]string{" ", "", "  "}[r.IntN(3)])
		}
		plain := table("s", "plum", "x")
		plain.Comment = b.String()
		x := index(t, catalog.New(data("c", plain), 1))
		for _, h := range ask(t, x, "plum pear trees été größe").Hits {
			text := strings.TrimSuffix(strings.TrimPrefix(strings.ReplaceAll(h.Snippet, "**", ""), "…"), "…")
			if n := utf8.RuneCountInString(h.Snippet); n > 200 || n == 0 {
				t.Fatalf("%d characters: %q", n, h.Snippet)
			}
			if whole := clean(plain.Comment, 1<<20) + " s.plum x"; !strings.Contains(whole, strings.TrimSpace(text)) {
				t.Fatalf("%q is no passage of %q", h.Snippet, whole)
			}
			if strings.Count(h.Snippet, "**")%2 != 0 {
				t.Fatalf("marks of %q", h.Snippet)
			}
		}
	}
}

func TestPut_SameCatalogIsNoWork(t *testing.T) {
	c := catalog.New(shop(), 1)
	x := index(t, c)
	before := x.turn
	if err := x.Put(context.Background(), c); err != nil || x.turn != before {
		t.Errorf("the same catalog was indexed again: %v", err)
	}
	if err := x.Put(context.Background(), catalog.New(shop(), 1)); err != nil || x.turn == before {
		t.Errorf("another catalog was not indexed: %v", err)
	}
}

func TestPut_Ended(t *testing.T) {
	x := index(t, catalog.New(shop(), 1))
	ctx, end := context.WithCancel(context.Background())
	end()
	other := shop()
	other.Connection = "other"
	if err := x.Put(ctx, catalog.New(other, 1)); !errors.Is(err, context.Canceled) {
		t.Fatalf("putting: %v", err)
	}
	if n := x.words.Len(); n != len(x.places) {
		t.Errorf("%d documents are left, %d are known", n, len(x.places))
	}
	if err := x.Put(context.Background(), catalog.New(other, 1)); err != nil || x.words.Len() != len(x.places) || len(x.connections) != 2 {
		t.Errorf("putting again: %v", err)
	}
}

// However an index came to hold what it holds, it answers the same.
func TestPut_ReplacesAndRemoves(t *testing.T) {
	plums := func(connection string) *catalog.Catalog {
		return catalog.New(data(connection, table("s", "plums", "stone"), table("s", "pears", "x")), 1)
	}
	x := index(t, plums("a"), plums("b"), plums("c"), catalog.New(data("a", table("s", "cherries", "stone"), table("s", "pears", "x")), 1))
	if got := ask(t, x, "plums"); got.Total != 2 {
		t.Errorf("%d tables of plums, want those of b and c", got.Total)
	}
	if got := ask(t, x, "cherries"); got.Total != 1 || got.Hits[0].Catalog.Connection != "a" {
		t.Errorf("the new table of a is not found: %v", hits(got))
	}
	if err := x.Remove("c"); err != nil {
		t.Fatal(err)
	}
	if err := x.Remove("never"); err != nil {
		t.Fatal(err)
	}
	if err := x.Keep([]string{"a", "other"}); err != nil {
		t.Fatal(err)
	}
	fresh := index(t, catalog.New(data("a", table("s", "cherries", "stone"), table("s", "pears", "x")), 1))
	for _, q := range []string{"plums", "cherries", "stone", "pear x"} {
		if diff := cmp.Diff(ask(t, x, q), ask(t, fresh, q), cmpopts.IgnoreFields(Hit{}, "Catalog")); diff != "" {
			t.Errorf("%q (-got +want):\n%s", q, diff)
		}
	}
	if len(x.places) != 2 || x.words.Len() != 2 {
		t.Errorf("%d places and %d documents are left, want 2", len(x.places), x.words.Len())
	}
}

func TestPut_WhileOthersSearch(t *testing.T) {
	version := func(v string) *catalog.Catalog {
		d := data("a")
		for i := range 30 {
			d.Tables = append(d.Tables, table("s", fmt.Sprintf("plum_%s_%02d", v, i), "stone"))
		}
		d.Facts = make([]catalog.Facts, len(d.Tables))
		return catalog.New(d, 1)
	}
	versions := []*catalog.Catalog{version("red"), version("blue")}
	x := index(t, versions[0], catalog.New(shop(), 1))
	done := make(chan struct{})
	var searchers sync.WaitGroup
	for range 4 {
		searchers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				a, err := x.Search(context.Background(), Question{Text: "plum"})
				if err != nil {
					t.Error(err)
					return
				}
				if a.Total != 30 || len(a.Hits) != 30 {
					t.Errorf("%d hits of %d while a catalog is replaced", len(a.Hits), a.Total)
					return
				}
				for _, h := range a.Hits {
					if h.Catalog != a.Hits[0].Catalog {
						t.Error("one answer from two catalogs of a connection")
						return
					}
				}
			}
		})
	}
	for i := range 20 {
		if err := x.Put(context.Background(), versions[i%2]); err != nil {
			t.Error(err)
		}
		if err := x.Put(context.Background(), catalog.New(shop(), 1)); err != nil {
			t.Error(err)
		}
	}
	close(done)
	searchers.Wait()
}

func TestClose(t *testing.T) {
	x, err := New()
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Put(context.Background(), catalog.New(shop(), 1)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := x.Search(context.Background(), Question{Text: "orders"}); !errors.Is(err, search.ErrClosed) {
		t.Errorf("searching: %v", err)
	}
	if err := x.Put(context.Background(), catalog.New(shop(), 1)); !errors.Is(err, search.ErrClosed) {
		t.Errorf("putting: %v", err)
	}
}
