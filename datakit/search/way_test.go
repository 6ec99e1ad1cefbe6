package search_test

import (
	"testing"

	"github.com/quartet-mcp/quartet/datakit/search"
	"github.com/quartet-mcp/quartet/datakit/search/analysis"
)

func TestResults_Way(t *testing.T) {
	config := search.Config{Fields: []search.Field{{Name: "text"}}, Synonyms: [][]string{{"client", "customer"}}}
	x := open(t, config, search.Document{ID: "a", Fields: map[string][]string{"text": {"customers and shipments of order_items", "refunded refunds"}}})
	r := ask(t, x, "shipmnet of orderitems to the clients refu", 0)
	for _, tc := range []struct {
		word   string
		weight float64 // 0: not looked for
	}{
		{"customer", 0.3}, {"customers", 0.3}, {"client", 0}, // nothing in the index is spelt so
		{"shipments", 0.5}, {"orderitems", 1}, {"refunds", 0.4}, {"refunded", 0.4},
		{"order", 0}, {"of", 0}, {"and", 0},
	} {
		way, ok := r.Way(analysis.Split(tc.word)[0])
		if ok != (tc.weight > 0) || way.Weight != tc.weight {
			t.Errorf("Way(%q) = %+v, %v, want the weight %v", tc.word, way, ok, tc.weight)
		}
	}
	one, _ := r.Way(analysis.Token{Text: "refunds"})
	two, _ := r.Way(analysis.Token{Text: "customer"})
	if one.Word == two.Word {
		t.Errorf("words %d and %d of the question are one", one.Word, two.Word)
	}
	if _, ok := ask(t, x, "", 0).Way(analysis.Token{Text: "customer"}); ok {
		t.Error("an empty question looks for words")
	}
}

func TestSearch_NamedBonus(t *testing.T) {
	docs := []search.Document{
		{ID: "film", Fields: map[string][]string{"name": {"film"}, "text": {"title length rating language"}}},
		{ID: "film_list", Fields: map[string][]string{"name": {"film_list"}, "text": {"film title"}}},
	}
	config := search.Config{Fields: []search.Field{{Name: "name", Boost: 3, Title: true}, {Name: "text", Boost: 3}}}
	if r := ask(t, open(t, config, docs...), "which films", 0); r.Hits[0].ID != "film_list" {
		t.Fatalf("without a bonus %q comes first, so that this test shows nothing", r.Hits[0].ID)
	}
	config.NamedBonus = 1.5
	x := open(t, config, docs...)
	for question, want := range map[string]string{"which films": "film", "lists of films with a title": "film_list", "which filns": "film_list"} {
		if r := ask(t, x, question, 0); r.Hits[0].ID != want {
			t.Errorf("Search(%q) has %q first, want %q", question, r.Hits[0].ID, want)
		}
	}
}
