package search_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"

	"github.com/quartet-mcp/quartet/datakit/search"
	"github.com/quartet-mcp/quartet/datakit/search/analysis"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// plain turns every extra off, so that scores are BM25 and nothing else.
func plain(fields ...search.Field) search.Config {
	return search.Config{
		Fields: fields, Stemming: analysis.Off,
		SynonymWeight: -1, FuzzyWeight: -1, PrefixWeight: -1, TitleBonus: -1, AllBonus: -1,
	}
}

func open(t testing.TB, c search.Config, docs ...search.Document) *search.Index {
	t.Helper()
	x, err := search.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := x.Index(docs...); err != nil {
		t.Fatal(err)
	}
	return x
}

// texts makes documents d1, d2, … with one field "text".
func texts(values ...string) []search.Document {
	docs := make([]search.Document, len(values))
	for i, v := range values {
		docs[i] = search.Document{ID: fmt.Sprintf("d%d", i+1), Fields: map[string][]string{"text": {v}}}
	}
	return docs
}

func ask(t testing.TB, x *search.Index, question string, limit int) *search.Results {
	t.Helper()
	r, err := x.Search(context.Background(), question, limit)
	if err != nil {
		t.Fatalf("Search(%.60q): %v", question, err)
	}
	return r
}

// ids are the hits of an answer, in order.
func ids(r *search.Results) []string {
	out := []string{}
	for _, h := range r.Hits {
		out = append(out, h.ID)
	}
	return out
}

func scoreOf(t testing.TB, r *search.Results, id string) float64 {
	t.Helper()
	for _, h := range r.Hits {
		if h.ID == id {
			return h.Score
		}
	}
	t.Fatalf("%s is not among the hits %v", id, ids(r))
	return 0
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// The numbers are worked out by hand from the published formula: 4 documents of
// 2, 4, 6 and 4 words (average 4); "apple" is in 3, "pear" in 1.
func TestSearch_ScoresAreBM25(t *testing.T) {
	x := open(t, plain(search.Field{Name: "text"}), texts(
		"apple tree",
		"apple apple apple pear",
		"apple one two three four five",
		"six seven eight nine",
	)...)
	// idf(apple) = ln(1 + 1.5/3.5), idf(pear) = ln(1 + 3.5/1.5).
	idfApple, idfPear := 0.35667494393873245, 1.2039728043259361
	// d1: tf 1, length 2: 2.2 / (1 + 1.2·(0.25 + 0.75·2/4)) = 2.2/1.75
	// d2: tf 3, length 4: 3·2.2 / (3 + 1.2) = 6.6/4.2
	// d3: tf 1, length 6: 2.2 / (1 + 1.2·(0.25 + 0.75·6/4)) = 2.2/2.65
	want := map[string]float64{"d1": idfApple * 2.2 / 1.75, "d2": idfApple * 6.6 / 4.2, "d3": idfApple * 2.2 / 2.65}
	r := ask(t, x, "apple", 10)
	if diff := cmp.Diff(ids(r), []string{"d2", "d1", "d3"}); diff != "" {
		t.Fatalf("order (-got +want):\n%s", diff)
	}
	for id, w := range want {
		if got := scoreOf(t, r, id); !near(got, w) {
			t.Errorf("score of %s = %.12f, want %.12f", id, got, w)
		}
	}
	// Two words add up; pear has tf 1 in d2 at average length: 2.2/2.2.
	r = ask(t, x, "pear apple", 10)
	if got, w := scoreOf(t, r, "d2"), idfApple*6.6/4.2+idfPear; !near(got, w) {
		t.Errorf("score of d2 for two words = %.12f, want %.12f", got, w)
	}
}

// Two fields: counts are weighted by boost and by the length of their own field
// before they saturate.
func TestSearch_ScoresOfFieldsAreBM25F(t *testing.T) {
	x := open(t, plain(search.Field{Name: "name", Boost: 3}, search.Field{Name: "body"}),
		search.Document{ID: "a", Fields: map[string][]string{"name": {"invoice"}, "body": {"one two three"}}},
		search.Document{ID: "b", Fields: map[string][]string{"name": {"customer", "ledger"}, "body": {"invoice"}}},
		search.Document{ID: "c", Fields: map[string][]string{"body": {"four five"}}},
	)
	// Average lengths: name 1.5 over its two holders, body 2. df 2 of 3 documents.
	idf := math.Log(1 + 1.5/2.5)
	tfA := 3 / (0.25 + 0.75*1/1.5)
	tfB := 1 / (0.25 + 0.75*1/2)
	r := ask(t, x, "invoice", 10)
	if got, want := scoreOf(t, r, "a"), idf*tfA*2.2/(1.2+tfA); !near(got, want) {
		t.Errorf("score in the boosted field = %.12f, want %.12f", got, want)
	}
	if got, want := scoreOf(t, r, "b"), idf*tfB*2.2/(1.2+tfB); !near(got, want) {
		t.Errorf("score in the other field = %.12f, want %.12f", got, want)
	}
	if diff := cmp.Diff(r.Hits[0].Fields, []string{"name"}); diff != "" {
		t.Errorf("fields that matched (-got +want):\n%s", diff)
	}
	if diff := cmp.Diff(r.Hits[1].Fields, []string{"body"}); diff != "" {
		t.Errorf("fields that matched (-got +want):\n%s", diff)
	}
}

// Scores do not depend on how documents came: in one call, one by one with
// searches between, over replaced and deleted ones, in any order.
func TestSearch_HistoryDoesNotMatter(t *testing.T) {
	config := search.Config{Fields: []search.Field{{Name: "text"}}, Synonyms: search.BusinessSynonyms()}
	docs := corpus(120, 7)
	want := open(t, config, docs...)

	x := open(t, config)
	rng := rand.New(rand.NewPCG(1, 2))
	for i, at := range rng.Perm(len(docs)) {
		d := docs[at]
		if i%3 == 0 {
			old := d
			old.Fields = map[string][]string{"text": {"customize customary obsolete wording " + d.ID}}
			if err := x.Index(old); err != nil {
				t.Fatal(err)
			}
		}
		if err := x.Index(search.Document{ID: fmt.Sprintf("gone%d", i), Fields: map[string][]string{"text": {"customs custodian refunds"}}}); err != nil {
			t.Fatal(err)
		}
		ask(t, x, "orders", 3)
		if err := x.Index(d); err != nil {
			t.Fatal(err)
		}
		if err := x.Delete(fmt.Sprintf("gone%d", i), "never there"); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(x.IDs(), want.IDs()); diff != "" || x.Len() != want.Len() {
		t.Fatalf("documents (-got +want):\n%s", diff)
	}
	for _, q := range []string{"customer orders", "invoice total cust", "shipmnt dates", "custo", "client revenue", "wording"} {
		if diff := cmp.Diff(ask(t, x, q, 0), ask(t, want, q, 0), cmpopts.IgnoreUnexported(search.Results{})); diff != "" {
			t.Errorf("Search(%q) (-got +want):\n%s", q, diff)
		}
	}
}

func TestSearch_EqualScoresAreOrderedByID(t *testing.T) {
	x := open(t, plain(search.Field{Name: "text"}))
	for _, id := range []string{"m", "z", "a", "k"} {
		if err := x.Index(search.Document{ID: id, Fields: map[string][]string{"text": {"equal words here"}}}); err != nil {
			t.Fatal(err)
		}
	}
	first := ask(t, x, "equal", 3)
	if diff := cmp.Diff(ids(first), []string{"a", "k", "m"}); diff != "" {
		t.Errorf("order (-got +want):\n%s", diff)
	}
	if first.Total != 4 {
		t.Errorf("Total = %d, want 4", first.Total)
	}
	for range 1000 {
		if diff := cmp.Diff(ask(t, x, "equal", 3), first, cmpopts.IgnoreUnexported(search.Results{})); diff != "" {
			t.Fatalf("the answer changed (-got +want):\n%s", diff)
		}
	}
}

// The limit is applied while hits are gathered; it must not change which are best.
func TestSearch_Limit(t *testing.T) {
	x := open(t, search.Config{Fields: []search.Field{{Name: "text"}}}, corpus(1000, 3)...)
	all := ask(t, x, "customer order payment region", 0)
	if len(all.Hits) != all.Total || all.Total < 500 {
		t.Fatalf("got %d hits of %d, want all of at least 500", len(all.Hits), all.Total)
	}
	for _, limit := range []int{1, 2, 10, 127, 300, all.Total, all.Total + 1} {
		r := ask(t, x, "customer order payment region", limit)
		if diff := cmp.Diff(r.Hits, all.Hits[:min(limit, all.Total)]); diff != "" || r.Total != all.Total {
			t.Errorf("limit %d: total %d, hits (-got +want):\n%s", limit, r.Total, diff)
		}
	}
}

func TestSearch_StemsAndWords(t *testing.T) {
	docs := texts("ordered", "orders", "order", "category", "categories")
	for _, tc := range []struct {
		name     string
		stemming analysis.Stemming
		question string
		want     []string
	}{
		{"porter finds every form, the one written first", analysis.Porter, "orders", []string{"d2", "d1", "d3"}},
		{"light finds plurals", analysis.Light, "orders", []string{"d2", "d3"}},
		{"light finds ies", analysis.Light, "category", []string{"d4", "d5"}},
		{"off finds the word", analysis.Off, "orders", []string{"d2"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := plain(search.Field{Name: "text"})
			c.Stemming = tc.stemming
			x := open(t, c, docs...)
			if diff := cmp.Diff(ids(ask(t, x, tc.question, 0)), tc.want); diff != "" {
				t.Errorf("Search(%q) (-got +want):\n%s", tc.question, diff)
			}
		})
	}
}

func TestSearch_Identifiers(t *testing.T) {
	x := open(t, plain(search.Field{Name: "text"}), texts("customerOrder", "customer_order_id", "the order of a customer", "customerorder")...)
	for _, q := range []string{"customer_order", "customerOrder", "CUSTOMER-ORDER", "customerorder"} {
		got := ids(ask(t, x, q, 2))
		slices.Sort(got)
		if diff := cmp.Diff(got, []string{"d1", "d4"}); diff != "" {
			t.Errorf("Search(%q) best two (-got +want):\n%s", q, diff)
		}
	}
}

func TestSearch_StopWords(t *testing.T) {
	x := open(t, plain(search.Field{Name: "text"}), texts("the orders of the year", "who", "the the the")...)
	r := ask(t, x, "which of the orders are they", 0)
	if diff := cmp.Diff(ids(r), []string{"d1"}); diff != "" || r.Words != 1 {
		t.Errorf("Words = %d, hits (-got +want):\n%s", r.Words, diff)
	}
	if diff := cmp.Diff(ids(ask(t, x, "WHO?", 0)), []string{"d2"}); diff != "" {
		t.Errorf("a question of stop words alone (-got +want):\n%s", diff)
	}
}

func TestSearch_TitleBonus(t *testing.T) {
	docs := []search.Document{
		{ID: "orders", Fields: map[string][]string{"name": {"sales", "orders"}}},
		{ID: "lines", Fields: map[string][]string{"name": {"sales", "order_lines"}}},
	}
	base := plain(search.Field{Name: "name", Title: true})
	with := base
	with.TitleBonus = 0
	without := open(t, base, docs...)
	x := open(t, with, docs...)
	for question, factor := range map[string]float64{"orders": 1.5, "Orders": 1.5, "sales orders": 1, "order-lines": 1.5} {
		r, r0 := ask(t, x, question, 0), ask(t, without, question, 0)
		if got, want := r.Hits[0].Score, r0.Hits[0].Score*factor; !near(got, want) {
			t.Errorf("Search(%q) scores %v, want %v", question, got, want)
		}
	}
}

func TestSearch_AllBonus(t *testing.T) {
	docs := texts("red apple", "red pear", "green apple tart")
	base := plain(search.Field{Name: "text"})
	with := base
	with.AllBonus = 0
	r0, r := ask(t, open(t, base, docs...), "red apple", 0), ask(t, open(t, with, docs...), "red apple", 0)
	for id, factor := range map[string]float64{"d1": 1.2, "d2": 1, "d3": 1} {
		if got, want := scoreOf(t, r, id), scoreOf(t, r0, id)*factor; !near(got, want) {
			t.Errorf("score of %s = %v, want %v", id, got, want)
		}
	}
	if r.Hits[0].Words != 2 || r.Hits[1].Words != 1 || r.Words != 2 {
		t.Errorf("words matched %d and %d of %d, want 2 and 1 of 2", r.Hits[0].Words, r.Hits[1].Words, r.Words)
	}
}

// A document of one word in a corpus where each stands once scores the weight of
// the way it was found.
func TestSearch_WeightsOfLooserMatches(t *testing.T) {
	docs := texts("revenue", "customer", "warehouse", "shipment")
	exact := scoreOf(t, ask(t, open(t, plain(search.Field{Name: "text"}), docs...), "revenue", 0), "d1")
	for _, tc := range []struct {
		name, question, id string
		on                 func(*search.Config)
		want               float64 // times the exact score; 0 for no hit
	}{
		{"synonym", "turnover", "d1", func(c *search.Config) { c.Synonyms, c.SynonymWeight = search.BusinessSynonyms(), 0 }, 0.3},
		{"synonym of a plural", "clients", "d2", func(c *search.Config) { c.Synonyms, c.SynonymWeight = search.BusinessSynonyms(), 0 }, 0.3},
		{"synonym with a weight of its own", "client", "d2", func(c *search.Config) { c.Synonyms, c.SynonymWeight = search.BusinessSynonyms(), 0.9 }, 0.9},
		{"synonyms off", "client", "d2", func(c *search.Config) { c.Synonyms = search.BusinessSynonyms() }, 0},
		{"letter replaced", "revenie", "d1", func(c *search.Config) { c.FuzzyWeight = 0 }, 0.5},
		{"letter left out", "revnue", "d1", func(c *search.Config) { c.FuzzyWeight = 0 }, 0.5},
		{"letter added", "revvenue", "d1", func(c *search.Config) { c.FuzzyWeight = 0 }, 0.5},
		{"letters swapped", "reveune", "d1", func(c *search.Config) { c.FuzzyWeight = 0 }, 0.5},
		{"two edits", "revvenui", "d1", func(c *search.Config) { c.FuzzyWeight = 0 }, 0},
		{"fuzzy off", "revenie", "d1", func(*search.Config) {}, 0},
		{"prefix of the last word", "new cust", "d2", func(c *search.Config) { c.PrefixWeight = 0 }, 0.4},
		{"prefix of another word", "cust xyz", "d2", func(c *search.Config) { c.PrefixWeight = 0 }, 0},
		{"prefix too short", "cu", "d2", func(c *search.Config) { c.PrefixWeight = 0 }, 0},
		{"prefix off", "cust", "d2", func(*search.Config) {}, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := plain(search.Field{Name: "text"})
			tc.on(&c)
			r := ask(t, open(t, c, docs...), tc.question, 0)
			if tc.want == 0 {
				if len(r.Hits) != 0 {
					t.Errorf("Search(%q) found %v, want nothing", tc.question, ids(r))
				}
				return
			}
			if got, want := scoreOf(t, r, tc.id), exact*tc.want; !near(got, want) {
				t.Errorf("Search(%q) scores %v, want %v", tc.question, got, want)
			}
		})
	}
}

// Spelling is corrected only where there is something to correct.
func TestSearch_FuzzyNeedsAMissingLongWord(t *testing.T) {
	c := plain(search.Field{Name: "text"})
	c.FuzzyWeight = 0
	x := open(t, c, texts("state", "stage", "cost", "host")...)
	if diff := cmp.Diff(ids(ask(t, x, "state", 0)), []string{"d1"}); diff != "" {
		t.Errorf("a word that exists (-got +want):\n%s", diff)
	}
	if diff := cmp.Diff(ids(ask(t, x, "stave", 0)), []string{"d1", "d2"}); diff != "" {
		t.Errorf("a word that does not exist (-got +want):\n%s", diff)
	}
	if diff := cmp.Diff(ids(ask(t, x, "most_ post", 0)), []string{}); diff != "" {
		t.Errorf("short words (-got +want):\n%s", diff)
	}
}

func TestSearch_Weight(t *testing.T) {
	docs := texts("orders", "orders")
	docs[0].Weight = 0.7
	r := ask(t, open(t, plain(search.Field{Name: "text"}), docs...), "orders", 0)
	if diff := cmp.Diff(ids(r), []string{"d2", "d1"}); diff != "" {
		t.Fatalf("order (-got +want):\n%s", diff)
	}
	if got, want := r.Hits[1].Score, 0.7*r.Hits[0].Score; !near(got, want) {
		t.Errorf("weighted score = %v, want %v", got, want)
	}
}

func TestSearchWhere(t *testing.T) {
	x := open(t, plain(search.Field{Name: "text"}), texts("orders", "orders", "orders old")...)
	all := ask(t, x, "orders", 0)
	r, err := x.SearchWhere(context.Background(), "orders", 1, func(id string) bool { return id != "d1" })
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(ids(r), []string{"d2"}); diff != "" || r.Total != 2 {
		t.Errorf("total %d, want 2; hits (-got +want):\n%s", r.Total, diff)
	}
	if r.Hits[0].Score != scoreOf(t, all, "d2") {
		t.Errorf("score changed with the filter: %v, want %v", r.Hits[0].Score, scoreOf(t, all, "d2"))
	}
}

func TestIndex_ReplaceAndDelete(t *testing.T) {
	x := open(t, plain(search.Field{Name: "text"}), texts("apple", "pear")...)
	ask(t, x, "apple", 0)
	if err := x.Index(search.Document{ID: "d1", Fields: map[string][]string{"text": {"cherry"}}}); err != nil {
		t.Fatal(err)
	}
	if got := ids(ask(t, x, "apple", 0)); len(got) != 0 {
		t.Errorf("the replaced text finds %v", got)
	}
	if diff := cmp.Diff(ids(ask(t, x, "cherry", 0)), []string{"d1"}); diff != "" {
		t.Errorf("the new text (-got +want):\n%s", diff)
	}
	if err := x.Delete("d1", "unknown"); err != nil {
		t.Fatal(err)
	}
	if got := ids(ask(t, x, "cherry", 0)); len(got) != 0 || x.Len() != 1 {
		t.Errorf("after Delete: hits %v, %d documents; want none, 1", got, x.Len())
	}
	if err := x.Delete("d2"); err != nil {
		t.Fatal(err)
	}
	if r := ask(t, x, "pear", 0); r.Total != 0 || x.Len() != 0 {
		t.Errorf("after deleting all: %d hits, %d documents", r.Total, x.Len())
	}
	if err := x.Index(texts("apple")...); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(ids(ask(t, x, "apple", 0)), []string{"d1"}); diff != "" {
		t.Errorf("after deleting all and adding one (-got +want):\n%s", diff)
	}
}

func TestIndex_RefusesWholeCall(t *testing.T) {
	x := open(t, plain(search.Field{Name: "text"}))
	good := texts("apple")[0]
	for _, tc := range []struct {
		bad  search.Document
		want string
	}{
		{search.Document{}, "a document needs an ID"},
		{search.Document{ID: "x", Fields: map[string][]string{"txet": nil}}, `document "x" has a field "txet", which the index does not declare`},
		{search.Document{ID: "x", Weight: -1}, `weight of document "x" must be above 0 and at most 1000000, got -1`},
		{search.Document{ID: "x", Weight: math.NaN()}, `weight of document "x" must be above 0 and at most 1000000, got NaN`},
	} {
		if err := x.Index(good, tc.bad); err == nil || err.Error() != tc.want {
			t.Errorf("Index: %v, want %s", err, tc.want)
		}
	}
	if x.Len() != 0 {
		t.Errorf("refused calls left %d documents", x.Len())
	}
}

func TestNew_RefusesBadConfigs(t *testing.T) {
	for _, tc := range []struct {
		name   string
		config search.Config
		want   string
	}{
		{"no fields", search.Config{}, "an index has 1 to 64 fields, got 0"},
		{"unnamed", search.Config{Fields: []search.Field{{}}}, `field name "" is empty, begins with an underscore or holds a NUL`},
		{"reserved", search.Config{Fields: []search.Field{{Name: "_id"}}}, `field name "_id" is empty, begins with an underscore or holds a NUL`},
		{"twice", search.Config{Fields: []search.Field{{Name: "a"}, {Name: "a"}}}, `field "a" is declared twice`},
		{"boost", search.Config{Fields: []search.Field{{Name: "a", Boost: -1}}}, `boost of field "a" must be above 0 and at most 1000000, got -1`},
		{"weight", search.Config{Fields: []search.Field{{Name: "a"}}, FuzzyWeight: math.NaN()}, `fuzzy weight must be at most 1000000, got NaN`},
		{"stemming", search.Config{Fields: []search.Field{{Name: "a"}}, Stemming: 9}, `stemming 9 is unknown`},
		{"synonym", search.Config{Fields: []search.Field{{Name: "a"}}, Synonyms: [][]string{{"sales", "net sales"}}}, `synonym "net sales" is not one word`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := search.New(tc.config); err == nil || err.Error() != tc.want {
				t.Errorf("New: %v, want %s", err, tc.want)
			}
		})
	}
}

func TestIndex_Closed(t *testing.T) {
	x, err := search.New(plain(search.Field{Name: "text"}))
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Index(search.Document{ID: "1", Fields: map[string][]string{"text": {"a"}}}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if n, ids := x.Len(), x.IDs(); n != 0 || len(ids) != 0 {
		t.Errorf("after Close Len is %d and IDs are %q, want none", n, ids)
	}
	_, err = x.Search(context.Background(), "a", 1)
	for name, err := range map[string]error{"Search": err, "Index": x.Index(), "Delete": x.Delete(), "Commit": x.Commit()} {
		if !errors.Is(err, search.ErrClosed) {
			t.Errorf("%s after Close: %v, want ErrClosed", name, err)
		}
	}
}

func TestSearch_Cancelled(t *testing.T) {
	x := open(t, plain(search.Field{Name: "text"}), texts("apple")...)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := x.Search(ctx, "apple", 1); !errors.Is(err, context.Canceled) {
		t.Errorf("Search: %v, want context.Canceled", err)
	}
}

// Whatever a question holds, it is plain text: the word in it is found, nothing
// is an error, and a good question works afterwards.
func TestSearch_HostileQuestions(t *testing.T) {
	x := open(t, search.Config{Fields: []search.Field{{Name: "text"}}, Synonyms: search.BusinessSynonyms()}, texts("apple pie", "pear")...)
	var many strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&many, "w%c%c%c%c ", 'a'+i%26, 'a'+i/26%26, 'a'+i/676%26, 'b'+i%7)
	}
	for _, tc := range []struct {
		name, question string
		want           []string
	}{
		{"query syntax", `+apple -pear text:pie^5 "apple" ~2 (a OR b) [x TO y] {} \ / * ? :`, []string{"d1", "d2"}},
		{"wildcards", "*", []string{}},
		{"regular expression", "/ap.*/", []string{}},
		{"field syntax", "_id:d2", []string{}},
		{"control characters", "\x00apple\x1b\x7f\u202e\u200b", []string{"d1"}},
		{"invalid UTF-8", "\xff\xfe apple \xc3", []string{"d1"}},
		{"emoji", "🍏 🍐", []string{}},
		{"SQL", "'; DROP TABLE apple; --", []string{"d1"}},
		{"empty", "", []string{}},
		{"punctuation", "?!.,;", []string{}},
		{"long word", strings.Repeat("a", 1<<20), []string{}},
		{"one word many times", strings.Repeat("apple ", 10_000), []string{"d1"}},
		{"bytes of the stem fields", "text\x00stem appl", []string{"d1"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(ids(ask(t, x, tc.question, 0)), tc.want); diff != "" {
				t.Errorf("Search (-got +want):\n%s", diff)
			}
		})
	}
	t.Run("ten thousand words", func(t *testing.T) {
		r := ask(t, x, "apple "+many.String()+" pear", 0)
		if r.Words != search.MaxTerms || r.Ignored < 5000 {
			t.Errorf("looked for %d words and ignored %d, want %d and at least 5000", r.Words, r.Ignored, search.MaxTerms)
		}
		if diff := cmp.Diff(ids(r), []string{"d1"}); diff != "" {
			t.Errorf("Search (-got +want):\n%s", diff)
		}
	})
	if diff := cmp.Diff(ids(ask(t, x, "apple", 0)), []string{"d1"}); diff != "" {
		t.Errorf("a good question afterwards (-got +want):\n%s", diff)
	}
}

func TestIndex_Concurrent(t *testing.T) {
	x := open(t, search.Config{Fields: []search.Field{{Name: "text"}}}, corpus(200, 5)...)
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() {
			for i := range 40 {
				id := fmt.Sprintf("extra%d-%d", w, i)
				if err := x.Index(search.Document{ID: id, Fields: map[string][]string{"text": {"zebra customer"}}}); err != nil {
					t.Error(err)
				}
				// A search sees every write that returned before it.
				r, err := x.Search(context.Background(), "zebra", 0)
				if err != nil || !slices.Contains(ids(r), id) {
					t.Errorf("search after writing %s: %v, %v", id, ids(r), err)
				}
				if err := x.Delete(id); err != nil {
					t.Error(err)
				}
			}
		})
		wg.Go(func() {
			for range 200 {
				r, err := x.Search(context.Background(), "customer order", 5)
				if err != nil || len(r.Hits) != 5 {
					t.Errorf("concurrent search: %v, %v", r, err)
				}
			}
		})
	}
	wg.Wait()
	if x.Len() != 200 {
		t.Errorf("%d documents at the end, want 200", x.Len())
	}
}

// corpus makes n documents of 20 to 60 words of a small vocabulary, the same
// for the same seed.
func corpus(n int, seed uint64) []search.Document {
	stems := strings.Fields("customer order invoice payment product shipment region store employee account ledger budget " +
		"visit session campaign lead ticket message refund discount price stock supplier category country city address status " +
		"warehouse carrier parcel contract license policy claim premium branch teller loan deposit card merchant terminal fee " +
		"course student teacher grade lesson exam room booking guest hotel flight airport crew vehicle driver route stop meter " +
		"reading sensor device alarm firmware patient doctor visitation diagnosis dosage lab sample recipe batch machine shift " +
		"operator defect audit rule role permission token login event metric dashboard report query job worker queue topic " +
		"document folder comment tag album artist track playlist movie actor rental film language translation currency")
	tails := strings.Fields("id name date total amount code type key ref note created updated number level rate flag source history detail line")
	rng := rand.New(rand.NewPCG(seed, 1))
	docs := make([]search.Document, n)
	for i := range docs {
		var words []string
		for range 20 + rng.IntN(41) {
			switch rng.IntN(3) {
			case 0:
				words = append(words, stems[rng.IntN(len(stems))]+"_"+tails[rng.IntN(len(tails))])
			case 1:
				words = append(words, stems[rng.IntN(len(stems))]+"s")
			default:
				words = append(words, fmt.Sprintf("w%d", rng.IntN(4000)))
			}
		}
		docs[i] = search.Document{ID: fmt.Sprintf("doc%05d", i), Fields: map[string][]string{"text": words}}
	}
	return docs
}
