package lookup

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/config"
	"github.com/quartet-mcp/quartet/pretensor/internal/embed"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// fake gives every question one vector.
type fake struct {
	model  string
	vector []float32
	err    error
	asked  int
}

func (f *fake) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	f.asked += len(texts)
	if f.err != nil {
		return nil, f.err
	}
	vectors := make([][]float32, len(texts))
	for i := range vectors {
		vectors[i] = f.vector
	}
	return vectors, ctx.Err()
}

func (f *fake) Model() string { return f.model }
func (f *fake) Dim() int      { return len(f.vector) }

// toward is a vector whose cosine with (1, 0) is c.
func toward(c float64) []float32 {
	return []float32{float32(c), float32(math.Sqrt(1 - c*c))}
}

// orchard has tables whose cosines with (1, 0) are given; 9 for one without a vector.
func orchard(connection string, cosines map[string]float64) catalog.Data {
	names := make([]string, 0, len(cosines))
	for name := range cosines {
		names = append(names, name)
	}
	slices.Sort(names)
	tables := make([]model.Table, len(names))
	for i, name := range names {
		tables[i] = table("s", name, "x")
	}
	d := data(connection, tables...)
	d.Vectors = catalog.Vectors{Model: "m", Dim: 2, Tables: make([][]float32, len(names))}
	for i, name := range names {
		if c := cosines[name]; c <= 1 {
			d.Vectors.Tables[i] = toward(c)
		}
	}
	return d
}

func TestFuse_ByHand(t *testing.T) {
	// 1/61 = 0.016393…, 1/62 = 0.016129…, 1/63 = 0.015873…
	for _, tc := range []struct {
		name              string
		keywords, meaning []string
		alike             int // so many after each other mean the same
		named             []string
		want              []ranked
	}{
		{"three in both", []string{"a", "b", "c"}, []string{"c", "a", "b"}, 1, nil,
			[]ranked{{"a", 1./61 + 1./62}, {"c", 1./61 + 1./63}, {"b", 1./62 + 1./63}}},
		{"absent from one", []string{"a", "b"}, []string{"c", "b", "d"}, 1, nil,
			[]ranked{{"b", 2. / 62}, {"a", 1. / 61}, {"c", 1. / 61}, {"d", 1. / 63}}},
		{"no keywords", nil, []string{"x", "y"}, 1, nil, []ranked{{"x", 1. / 61}, {"y", 1. / 62}}},
		{"no vectors", []string{"x", "y"}, nil, 1, nil, []ranked{{"x", 1. / 61}, {"y", 1. / 62}}},
		{"equal: the better keyword first", []string{"b", "a"}, []string{"a", "b"}, 1, nil, []ranked{{"b", 1./61 + 1./62}, {"a", 1./61 + 1./62}}},
		{"copies count as one", []string{"rental", "pay"}, []string{"pay", "pay_1", "pay_2", "rental"}, 3, nil,
			[]ranked{{"rental", 1./61 + 1./62}, {"pay", 1./62 + 1./61}, {"pay_1", 1. / 61}, {"pay_2", 1. / 61}}},
		{"who is named comes first", []string{"a", "b", "c"}, []string{"a", "c", "d"}, 1, []string{"c"},
			[]ranked{{"c", 1./63 + 1./62 + 1./61}, {"a", 2. / 61}, {"b", 1. / 62}, {"d", 1. / 63}}},
	} {
		var meaning []ranked
		for i, id := range tc.meaning {
			meaning = append(meaning, ranked{id, 1 - float64(i/tc.alike)/10})
		}
		got := fuse(tc.keywords, meaning, tc.named)
		if diff := cmp.Diff(got, tc.want, cmp.AllowUnexported(ranked{}), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
			t.Errorf("%s (-got +want):\n%s", tc.name, diff)
		}
	}
}

func TestFused(t *testing.T) {
	d := orchard("c", map[string]float64{"plum": 0.1, "plum_stone": 0.5, "cherry": 0.9, "unlike": 9, "wood": -0.5})
	d.Entities = []catalog.Entity{{Name: "Plum", Tables: []int{}}}
	x := index(t, catalog.New(d, 1))
	f := &fake{model: "m", vector: toward(1)}
	a, fused, err := x.Fused(context.Background(), embed.New(f), Question{Text: "plum", Limit: 10})
	if err != nil || !fused {
		t.Fatalf("fused %v, %v", fused, err)
	}
	// By words plum, plum_stone, the entity; by meaning cherry, plum_stone, plum, wood; by name plum.
	type hit struct {
		Name  string
		Score float64
	}
	var got []hit
	for _, h := range a.Hits {
		got = append(got, hit{h.Name, h.Score})
	}
	keyword := ask(t, x, "plum")
	place := slices.Index(hits(keyword), "Plum") + 1
	want := []hit{{"s.plum", model.Round(1./61 + 1./63 + 1./61)}, {"s.plum_stone", model.Round(1./float64(60+5-place) + 1./62)}, {"s.cherry", model.Round(1. / 61)},
		{"Plum", model.Round(1. / float64(60+place))}, {"s.wood", model.Round(1. / 64)}}
	if place == 2 {
		want[1].Score = model.Round(2. / 62)
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("(-got +want):\n%s\nby keyword %v", diff, hits(keyword))
	}
	if a.Total != 5 {
		t.Errorf("%d in all, want the five that words or vectors found", a.Total)
	}
	if h := a.Hits[2]; len(h.Matched) != 0 || h.Matched == nil || h.Snippet != "x" {
		t.Errorf("a table that no word found: %+v", h)
	}
	short, _, err := x.Fused(context.Background(), embed.New(f), Question{Text: "plum", Limit: 2})
	if err != nil || short.Total != 5 || !slices.Equal(hits(short), hits(a)[:2]) {
		t.Errorf("the first two of %d are %v, %v", short.Total, hits(short), err)
	}
}

// Whatever keeps vectors from being compared, the answer is that of the keywords, to
// the last byte.
func TestFused_FallsBackToKeywords(t *testing.T) {
	disabled, err := embed.Open(config.Embeddings{Provider: config.ProviderBuiltin}, true)
	if err != nil {
		t.Fatal(err)
	}
	none, err := embed.Open(config.Embeddings{Provider: config.ProviderNone}, false)
	if err != nil {
		t.Fatal(err)
	}
	with := orchard("a", map[string]float64{"plum": 0.1, "plum_stone": 0.5, "cherry": 0.9})
	with.Entities = []catalog.Entity{{Name: "Plum", Tables: []int{0}}}
	x := index(t, catalog.New(with, 1), catalog.New(data("b", table("s", "plums", "x")), 1))
	for _, tc := range []struct {
		name        string
		e           *embed.Embedder
		connections []string
		reason      string
	}{
		{"disabled", disabled, nil, "disabled"},
		{"not configured", none, nil, "not_configured"},
		{"nil", nil, nil, "not_configured"},
		{"other model", embed.New(&fake{model: "other", vector: toward(1)}), nil, "model_mismatch"},
		{"other dimension", embed.New(&fake{model: "m", vector: []float32{1}}), nil, "model_mismatch"},
		{"failing", embed.New(&fake{model: "m", err: errors.New("down")}), nil, "embedder_failed"},
		{"no answer", embed.New(&fake{model: "m"}), nil, "embedder_failed"},
		{"connection without vectors", embed.New(&fake{model: "m", vector: toward(1)}), []string{"b"}, "no_vectors"},
		{"no connection", embed.New(&fake{model: "m", vector: toward(1)}), []string{}, "no_vectors"},
		{"nothing known of the question", embed.New(&fake{model: "m", vector: []float32{0, 0}}), nil, ""},
	} {
		for _, text := range []string{"plum", "plum stones", "nothing like it", "?"} {
			q := Question{Text: text, Connections: tc.connections, Limit: 3}
			want, err := x.Search(context.Background(), q)
			if err != nil {
				t.Fatal(err)
			}
			got, fused, err := x.Fused(context.Background(), tc.e, q)
			if err != nil || fused {
				t.Fatalf("%s: fused %v, %v", tc.name, fused, err)
			}
			if diff := cmp.Diff(got, want, cmp.Comparer(func(a, b *catalog.Catalog) bool { return a == b })); diff != "" {
				t.Errorf("%s, %q (-got +want):\n%s", tc.name, text, diff)
			}
			m, err := x.Semantic(context.Background(), tc.e, q, nil)
			if err != nil || m.Reason != tc.reason || m.Hits == nil || len(m.Hits) != 0 {
				t.Errorf("%s: Semantic gives %d hits, reason %q, %v, want the reason %q", tc.name, len(m.Hits), m.Reason, err, tc.reason)
			}
		}
	}
}

func TestFused_AtAnyLimit(t *testing.T) {
	d, e := embeddedData(t, warehouse("w", 400))
	x := index(t, catalog.New(d, 1))
	for _, question := range benchQuestions {
		all, fused, err := x.Fused(context.Background(), e, Question{Text: question})
		if question == "shipmnt adrss" {
			// Words that the model does not know have no meaning to rank by.
			if err != nil || fused {
				t.Errorf("%q: fused %v, %v", question, fused, err)
			}
			continue
		}
		if err != nil || !fused || len(all.Hits) != all.Total {
			t.Fatalf("%q: %d hits of %d, fused %v, %v", question, len(all.Hits), all.Total, fused, err)
		}
		for _, limit := range []int{1, 10, 50} {
			a, _, err := x.Fused(context.Background(), e, Question{Text: question, Limit: limit})
			if err != nil {
				t.Fatal(err)
			}
			if len(a.Hits) != limit || a.Total < limit {
				t.Errorf("%q, limit %d: %d hits of %d", question, limit, len(a.Hits), a.Total)
			}
			if !slices.IsSortedFunc(a.Hits, func(a, b Hit) int { return int(math.Round((b.Score - a.Score) * 1e4)) }) {
				t.Errorf("%q, limit %d: the scores do not fall", question, limit)
			}
		}
	}
}

func TestSemantic(t *testing.T) {
	one := orchard("one", map[string]float64{"plum": 0.1, "pear": 0.5, "cherry": 0.9, "unlike": 9, "wood": -0.5})
	one.Clusters = []catalog.Cluster{{Number: 7, Label: "first", Tables: []int{0, 1}}, {Number: 3, Label: "second", Tables: []int{2}}}
	two := orchard("two", map[string]float64{"apple": 0.5, "pear": 0.5})
	x := index(t, catalog.New(two, 1), catalog.New(one, 1), catalog.New(data("bare", table("s", "plum", "x")), 1))
	e := embed.New(&fake{model: "m", vector: toward(1)})
	seven, nine := 7, 9
	for _, tc := range []struct {
		name    string
		q       Question
		cluster *int
		want    []string
	}{
		{"by cosine, then name, then connection", Question{}, nil, []string{"one s.cherry", "two s.apple", "one s.pear", "two s.pear", "one s.plum", "one s.wood"}},
		{"limit", Question{Limit: 2}, nil, []string{"one s.cherry", "two s.apple"}},
		{"connection", Question{Connections: []string{"two", "bare"}}, nil, []string{"two s.apple", "two s.pear"}},
		{"cluster", Question{Connections: []string{"one"}}, &seven, []string{"one s.cherry", "one s.pear"}},
		{"cluster without tables", Question{}, &nine, []string{}},
	} {
		tc.q.Text = "fruit"
		m, err := x.Semantic(context.Background(), e, tc.q, tc.cluster)
		if err != nil || m.Reason != "" {
			t.Fatalf("%s: %q, %v", tc.name, m.Reason, err)
		}
		got := []string{}
		for _, h := range m.Hits {
			got = append(got, h.Catalog.Connection+" "+h.Name)
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
	m, err := x.Semantic(context.Background(), e, Question{Text: "fruit", Connections: []string{"one"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var clusters []int
	for _, h := range m.Hits {
		clusters = append(clusters, h.Cluster)
	}
	if m.Hits[0].Score != 0.9 || m.Hits[3].Score != -0.5 || !slices.Equal(clusters, []int{0, 0, 1, -1}) {
		t.Errorf("scores %v and %v, clusters %v", m.Hits[0].Score, m.Hits[3].Score, clusters)
	}
}

func TestSemantic_LooksForVectorsFirst(t *testing.T) {
	x := index(t, catalog.New(data("bare", table("s", "plum", "x")), 1))
	f := &fake{model: "m", vector: toward(1)}
	if m, err := x.Semantic(context.Background(), embed.New(f), Question{Text: "plum"}, nil); err != nil || m.Reason != NoVectors {
		t.Errorf("%+v, %v", m, err)
	}
	if _, _, err := x.Fused(context.Background(), embed.New(f), Question{Text: "plum"}); err != nil {
		t.Error(err)
	}
	if f.asked != 0 {
		t.Errorf("the provider was asked %d times although there is nothing to compare with", f.asked)
	}
}

func TestSemantic_EverythingHidden(t *testing.T) {
	hidden := data("c")
	hidden.Vectors = catalog.Vectors{Model: "m", Dim: 2, Tables: [][]float32{}}
	x := index(t, catalog.New(hidden, 1))
	m, err := x.Semantic(context.Background(), embed.New(&fake{model: "m", vector: toward(1)}), Question{Text: "plum"}, nil)
	if err != nil || m.Reason != "" || m.Hits == nil || len(m.Hits) != 0 {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestSemantic_Ended(t *testing.T) {
	x := index(t, catalog.New(orchard("c", map[string]float64{"plum": 0.1}), 1))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	e := embed.New(&fake{model: "m", vector: toward(1)})
	if _, err := x.Semantic(ctx, e, Question{Text: "plum"}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Semantic: %v", err)
	}
	if _, _, err := x.Fused(ctx, e, Question{Text: "plum"}); !errors.Is(err, context.Canceled) {
		t.Errorf("Fused: %v", err)
	}
}

// A file may be damaged; a vector that is none is as if it were not there.
func TestVectors_Damaged(t *testing.T) {
	d := orchard("c", map[string]float64{"a": 0.9, "b": 0.8, "c": 0.7, "d": 0.6})
	d.Vectors.Tables[0] = []float32{float32(math.NaN()), 0}
	d.Vectors.Tables[1] = []float32{1, 2, 3}
	d.Vectors.Tables[2] = []float32{0, 0}
	d.Vectors.Tables = append(d.Vectors.Tables, toward(1))
	x := index(t, catalog.New(d, 1))
	e := embed.New(&fake{model: "m", vector: toward(1)})
	m, err := x.Semantic(context.Background(), e, Question{Text: "plum"}, nil)
	if err != nil || len(m.Hits) != 1 || m.Hits[0].Name != "s.d" {
		t.Errorf("%+v, %v", m, err)
	}
	for i := range 3 {
		if _, reason := x.Similar(e, "c", i, 5); reason != SimilarNoEmbedding {
			t.Errorf("table %d: %s", i, reason)
		}
	}
	broken := data("broken", table("s", "plum", "x"))
	broken.Vectors = catalog.Vectors{Model: "m"}
	if err := x.Put(context.Background(), catalog.New(broken, 1)); err != nil {
		t.Error(err)
	}
}

func TestSimilar(t *testing.T) {
	d := orchard("c", map[string]float64{"a": 1, "b": 0.95, "c": 0.9, "d": 9, "e": -1})
	d.Clusters = []catalog.Cluster{{Number: 5, Tables: []int{1}}}
	x := index(t, catalog.New(d, 1), catalog.New(orchard("other", map[string]float64{"a": 1}), 1))
	disabled, err := embed.Open(config.Embeddings{}, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name       string
		e          *embed.Embedder
		connection string
		table, k   int
		want       []string
		reason     string
	}{
		{"nearest", nil, "c", 0, 5, []string{"s.b", "s.c"}, "nearest_by_embedding"},
		{"all", nil, "c", 0, 0, []string{"s.b", "s.c"}, "nearest_by_embedding"},
		{"one", nil, "c", 0, 1, []string{"s.b"}, "nearest_by_embedding"},
		{"nothing like it", nil, "c", 4, 5, []string{}, "none_above_floor"},
		{"alone", nil, "other", 0, 5, []string{}, "none_above_floor"},
		{"no vector", nil, "c", 3, 5, []string{}, "no_embedding"},
		{"disabled", disabled, "c", 0, 5, []string{}, "disabled"},
		{"no connection", nil, "never", 0, 5, []string{}, "error"},
		{"no table", nil, "c", 99, 5, []string{}, "error"},
	} {
		near, reason := x.Similar(tc.e, tc.connection, tc.table, tc.k)
		got := []string{}
		for _, n := range near {
			got = append(got, n.Name)
		}
		if reason != tc.reason || near == nil || !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, %q, want %v, %q", tc.name, got, reason, tc.want, tc.reason)
		}
	}
	near, _ := x.Similar(nil, "c", 0, 1)
	if near[0].Score != 0.95 || near[0].Cluster != 0 {
		t.Errorf("%+v", near[0])
	}
}
