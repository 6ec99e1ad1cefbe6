package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/datakit/wordvec"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/config"
	"github.com/quartet-mcp/quartet/pretensor/internal/embed"
)

// failing is a provider that never answers, of the model of another one.
type failing struct{ wordvec.Provider }

func (failing) Embed(context.Context, []string) ([][]float32, error) {
	return nil, errors.New("connection refused by 10.0.0.1 with key s3cret")
}

// renamed is a provider of another model.
type renamed struct{ wordvec.Provider }

func (renamed) Model() string { return "another/1" }

// counting counts what it embeds.
type counting struct {
	wordvec.Provider
	texts *int
}

func (c counting) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	*c.texts += len(texts)
	return c.Provider.Embed(ctx, texts)
}

func TestSemanticSearch(t *testing.T) {
	p := words(t)
	data := warehouse(t)
	data.Clusters = []catalog.Cluster{{Number: 3, Label: "Money", Tables: []int{0}}, {Number: 4, Label: "Goods", Tables: []int{2}}}
	shopData := shop(t)
	shopData.Clusters = []catalog.Cluster{{Number: 0, Label: "Goods", Tables: []int{0}}}
	w := serve(t, searching(t, embed.New(p)), embedded(t, data, p), embedded(t, shopData, p))
	var r semanticSearchResult
	got := w.good("semantic_search", `{"query":"income by area","database":"warehouse","k":1}`, &r)
	if len(r.Results) != 1 {
		t.Fatal(got)
	}
	want := fmt.Sprintf(`{"mode":"semantic","query":"income by area","database":"warehouse","cluster":null,"results":[{"node_type":"SchemaTable","name":"public.daily_revenue",`+
		`"database_name":"warehouse","connection_name":"warehouse","description":"Revenue per day and sales region, built from orders and refunds",`+
		`"snippet":"Revenue per day and sales region, built from orders and refunds","score":%v,"cluster_id":"warehouse::cluster::3"}]}`, r.Results[0].Score)
	if got != want || r.Results[0].Score <= 0 || r.Results[0].Score > 1 {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	names := func(args string) string {
		var r semanticSearchResult
		w.good("semantic_search", args, &r)
		var out []string
		for i, h := range r.Results {
			if out = append(out, h.Connection+" "+h.Name); i > 0 && h.Score > r.Results[i-1].Score {
				t.Errorf("%s: hit %d scores %v after %v", args, i, h.Score, r.Results[i-1].Score)
			}
		}
		return strings.Join(out, ", ")
	}
	for args, want := range map[string]string{
		`{"query":"goods","cluster":"warehouse::cluster::4"}`:                          "warehouse public.pallets",
		`{"query":"goods","cluster":" money "}`:                                        "warehouse public.daily_revenue",
		`{"query":"goods","cluster":"Goods","database":"warehouse"}`:                   "warehouse public.pallets",
		`{"query":"goods","cluster":null,"database":null,"k":1}`:                       strings.Split(names(`{"query":"goods"}`), ", ")[0],
		`{"query":"goods","cluster":"warehouse::cluster::3","database":" WAREHOUSE "}`: "warehouse public.daily_revenue",
	} {
		if got := names(args); got != want {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
	if all := names(`{"query":"goods","k":50}`); !strings.Contains(all, "shop public.products") || !strings.Contains(all, "warehouse public.pallets") {
		t.Errorf("%s", all)
	}
	w.refusals("semantic_search", map[string]string{
		`{"query":""}`: `{"error":"query is empty.","code":"invalid_argument","hint":"Ask in words, such as: daily revenue by region."}`,
		`{"query":"` + strings.Repeat("long ", 3000) + `"}`: `{"error":"query has 15000 bytes, at most 10000 are allowed.","code":"invalid_argument","hint":"Ask in words, such as: daily revenue by region."}`,
		`{"query":"--"}`: `{"error":"query has no word to look for: '--'.","code":"invalid_argument","hint":"Ask in words, such as: daily revenue by region."}`,
		`{"k":3}`:        `{"error":"semantic_search needs the argument 'query'.","code":"invalid_argument","hint":"give it as text"}`,
		`{"query":"goods","database":"warehose"}`:                               `{"error":"No connection named 'warehose'.","code":"unknown_database","hint":"Call list_databases for the full list.","candidates":["shop","warehouse"]}`,
		`{"query":"goods","cluster":"Goods"}`:                                   `{"error":"2 clusters have the label 'Goods'.","code":"invalid_argument","hint":"Give one of their ids.","candidates":["shop::cluster::0","warehouse::cluster::4"]}`,
		`{"query":"goods","cluster":"Mony"}`:                                    `{"error":"There is no cluster 'Mony'.","code":"invalid_argument","hint":"Give the cluster_id that context shows.","candidates":["Money"]}`,
		`{"query":"goods","cluster":"warehouse::cluster::4","database":"shop"}`: `{"error":"There is no cluster 'warehouse::cluster::4'.","code":"invalid_argument","hint":"Give the cluster_id that context shows."}`,
	})
	for args, want := range map[string]string{`"k":0`: "k", `"k":51`: "k", `"k":"3"`: "", `"k":null`: ""} {
		var r semanticSearchResult
		if w.good("semantic_search", `{"query":"goods",`+args+`}`, &r); !strings.Contains(r.Warning, want) || (r.Warning == "") != (want == "") {
			t.Errorf("%s: warning %q", args, r.Warning)
		}
	}
}

func TestSemanticSearch_Fallback(t *testing.T) {
	p := words(t)
	disabled, err := embed.Open(config.Embeddings{}, true)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, test := range []struct {
		name     string
		embedder *embed.Embedder
		vectors  bool
		want     string
	}{
		{"nothing", nil, true, `"hint":"No embedding provider is set. Set embeddings.provider and reindex, or call the query tool.","reason":"not_configured"`},
		{"turned off", disabled, true, `"hint":"Embeddings are turned off. Unset PRETENSOR_EMBEDDINGS_DISABLED, or call the query tool.","reason":"disabled"`},
		{"no vectors", embed.New(counting{p, &n}), false, `"hint":"No table vectors are stored. Set embeddings.provider and reindex, or call the query tool.","reason":"no_vectors"`},
		{"another model", embed.New(renamed{counting{p, &n}}), true, `"hint":"The stored table vectors are of another model. Reindex with the one that is set, or call the query tool.","reason":"model_mismatch"`},
		{"failing", embed.New(failing{p}), true, `"hint":"The embedding provider gave no vector for the question. Try again, or call the query tool.","reason":"embedder_failed"`},
	} {
		data := shop(t)
		if test.vectors {
			data = embedded(t, data, p)
		}
		w := serve(t, searching(t, test.embedder), data)
		got := w.good("semantic_search", `{"query":"customer lifetime spend"}`, nil)
		want := `{"mode":"fallback_bm25",` + test.want + `,"results":[],"query":"customer lifetime spend","database":null,"cluster":null}`
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", test.name, got, want)
		}
		if f := w.bad("semantic_search", `{"query":"spend","database":"shpo"}`); f.Code != "unknown_database" {
			t.Errorf("%s: %+v", test.name, f)
		}
		if text := w.good("query", `{"q":"orders"}`, nil); !strings.Contains(text, "public.orders") || strings.Contains(text, "rerank") {
			t.Errorf("%s: %s", test.name, text)
		}
	}
	if n != 0 {
		t.Errorf("%d texts were embedded although there was nothing to compare them with", n)
	}
}

// Vectors that are all hidden or filtered are an empty ranking, not a missing one.
func TestSemanticSearch_NothingVisible(t *testing.T) {
	p := words(t)
	data := embedded(t, warehouse(t), p)
	data.Tables, data.Facts, data.Vectors.Tables, data.Clusters, data.Entities, data.Joins = nil, nil, nil, nil, nil, nil
	w := serve(t, searching(t, embed.New(p)), data)
	got := w.good("semantic_search", `{"query":"customer lifetime spend","database":"warehouse"}`, nil)
	want := `{"mode":"semantic","query":"customer lifetime spend","database":"warehouse","cluster":null,"results":[],` +
		`"warning":"nothing is indexed in warehouse, or everything is hidden"}`
	if got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}
