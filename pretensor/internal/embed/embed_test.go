package embed

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/quartet-mcp/quartet/datakit/search/analysis"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/config"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t *testing.T, e config.Embeddings, disabled bool) *Embedder {
	t.Helper()
	x, err := Open(e, disabled)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	return x
}

func TestOpen(t *testing.T) {
	t.Setenv(ModelVariable, "m")
	for _, tc := range []struct {
		provider string
		disabled bool
		reason   string
		model    string
	}{
		{"builtin", false, "", "glove-100d-50k/1"},
		{"builtin", true, "disabled", ""},
		{"none", false, "not_configured", ""},
		{"none", true, "disabled", ""},
		{"http", true, "disabled", ""},
		{"onnx", true, "disabled", ""},
		{"http", false, "", "m"},
	} {
		e := open(t, config.Embeddings{Provider: tc.provider, URL: "https://embeddings.example/v1"}, tc.disabled)
		if e.Reason() != tc.reason || (e.Provider() == nil) != (tc.reason != "") {
			t.Errorf("%s, disabled %v: reason %q, provider %v, want the reason %q", tc.provider, tc.disabled, e.Reason(), e.Provider(), tc.reason)
		}
		if e.Provider() != nil && e.Provider().Model() != tc.model {
			t.Errorf("%s: the model is %q, want %q", tc.provider, e.Provider().Model(), tc.model)
		}
	}
	var none *Embedder
	if none.Reason() != NotConfigured || none.Provider() != nil || none.Close() != nil {
		t.Error("a nil Embedder is not one that is not configured")
	}
}

func TestOpen_DefaultConfigurationWorks(t *testing.T) {
	e := open(t, config.Defaults().Embeddings, false)
	if e.Provider() == nil {
		t.Fatalf("the default configuration has no embeddings: %s", e.Reason())
	}
	v, err := e.Question(context.Background(), "customer orders")
	if err != nil || len(v) != e.Provider().Dim() {
		t.Errorf("%d dimensions, %v, want %d", len(v), err, e.Provider().Dim())
	}
}

func TestOpen_Refused(t *testing.T) {
	t.Setenv(KeyVariable, "")
	for _, tc := range []struct{ provider, url, model, want string }{
		{"onnx", "", "", "builtin"},
		{"http", "", "m", "embeddings.url"},
		{"http", "https://user:secret@embeddings.example", "m", "base URL"},
		{"http", "https://embeddings.example", "", ModelVariable},
		{"magic", "", "", "none, builtin, onnx, http"},
		{"", "", "", "none, builtin, onnx, http"},
	} {
		t.Setenv(ModelVariable, tc.model)
		_, err := Open(config.Embeddings{Provider: tc.provider, URL: tc.url}, false)
		if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("Open(%q, %q): %v, want an error about %s", tc.provider, tc.url, err, tc.want)
		}
	}
}

// endpoint answers with the vector (1, 0) for each text but those that hold bad.
func endpoint(t *testing.T, bad string) (url string, asked func() []string) {
	t.Helper()
	var texts []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			Model string   `json:"model"`
			Input []string `json:"input"`
		}
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			t.Error(err)
		}
		if got := r.Header.Get("Authorization"); got != "Bearer k3y" || request.Model != "small" {
			t.Errorf("asked for %q with %q", request.Model, got)
		}
		type item struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		}
		var items []item
		for i, text := range request.Input {
			if bad != "" && strings.Contains(text, bad) {
				http.Error(w, "no", http.StatusBadRequest)
				return
			}
			texts = append(texts, text)
			items = append(items, item{i, []float32{1, 0}})
		}
		if err := json.NewEncoder(w).Encode(map[string]any{"data": items}); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(s.Close)
	t.Setenv(ModelVariable, "small")
	t.Setenv(KeyVariable, "k3y")
	return s.URL + "/v1", func() []string { return texts }
}

func TestHTTP_OnlySchemaTextIsSent(t *testing.T) {
	url, asked := endpoint(t, "")
	e := open(t, config.Embeddings{Provider: "http", URL: url}, false)
	d := &catalog.Data{Tables: []model.Table{{
		Schema: "s", Name: "t", Definition: "SELECT 'secret'",
		Columns: []model.Column{{Name: "a", Default: "'secret'", Stats: &model.Stats{Common: []string{"secret"}, Min: "secret"}}},
		Checks:  []model.Check{{Expr: "a <> 'secret'"}},
	}}}
	v, err := Tables(context.Background(), e.Provider(), d)
	if err != nil {
		t.Fatal(err)
	}
	if v.Model != "small" || v.Dim != 2 || len(v.Tables) != 1 || v.Tables[0][0] != 1 {
		t.Errorf("vectors %+v", v)
	}
	if got := asked(); !slices.Equal(got, []string{"s.t: a"}) {
		t.Errorf("sent %q", got)
	}
}

func TestTables_FailedBatch(t *testing.T) {
	url, _ := endpoint(t, "broken")
	e := open(t, config.Embeddings{Provider: "http", URL: url}, false)
	d := &catalog.Data{}
	for range 100 {
		d.Tables = append(d.Tables, model.Table{Name: "fine", Columns: []model.Column{{Name: strings.Repeat("x", len(d.Tables)+1)}}})
	}
	d.Tables[70].Name = "broken"
	v, err := Tables(context.Background(), e.Provider(), d)
	if err == nil || !strings.Contains(err.Error(), "of 100 tables have no vector") {
		t.Errorf("the warning is %v", err)
	}
	if v.Model != "small" || v.Dim != 2 || len(v.Tables) != 100 {
		t.Fatalf("vectors of %q, %d dimensions, %d tables", v.Model, v.Dim, len(v.Tables))
	}
	if v.Tables[0] == nil || v.Tables[70] != nil {
		t.Error("the batch that failed is not the one without vectors")
	}
}

func TestTables_NothingAtAll(t *testing.T) {
	url, _ := endpoint(t, "t")
	e := open(t, config.Embeddings{Provider: "http", URL: url}, false)
	v, err := Tables(context.Background(), e.Provider(), &catalog.Data{Tables: []model.Table{{Name: "t"}}})
	if err == nil || v.Model != "" || v.Tables != nil {
		t.Errorf("vectors %+v, error %v, want none and a warning", v, err)
	}
	if v, err = Tables(context.Background(), e.Provider(), &catalog.Data{}); err != nil || v.Model != "" {
		t.Errorf("no tables: vectors %+v, error %v", v, err)
	}
}

func TestTables_OnePieceOfMemory(t *testing.T) {
	e := open(t, config.Embeddings{Provider: "builtin"}, false)
	d := &catalog.Data{Tables: []model.Table{{Name: "customer"}, {Name: "xqzvkjw"}, {Name: "invoice"}}}
	v, err := Tables(context.Background(), e.Provider(), d)
	if err != nil {
		t.Fatal(err)
	}
	if v.Tables[1] != nil {
		t.Error("a name without a known word has a vector")
	}
	if v.Tables[0] == nil || v.Tables[2] == nil || cap(v.Tables[0]) != v.Dim {
		t.Errorf("vectors %v", v.Tables)
	}
}

func TestText(t *testing.T) {
	table := &model.Table{Schema: "sales", Name: "orders", Comment: "from the shop", Columns: []model.Column{{Name: "id"}, {Name: "customerId"}}}
	for _, tc := range []struct {
		name  string
		facts *catalog.Facts
		want  string
	}{
		{"comment", nil, "sales.orders: id, customerId — from the shop"},
		{"description", &catalog.Facts{Description: "One row per order"}, "sales.orders: id, customerId — One row per order"},
	} {
		if got := Text(table, tc.facts); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
	if got := Text(&model.Table{Name: "t"}, nil); got != "t:" {
		t.Errorf("a table without columns is %q", got)
	}
}

func TestText_IsCut(t *testing.T) {
	wide := &model.Table{Schema: "s", Name: "wide", Comment: "at the end"}
	for range 5000 {
		wide.Columns = append(wide.Columns, model.Column{Name: "some_name"})
	}
	narrow := &model.Table{Schema: "s", Name: "narrow", Comment: strings.Repeat("word ", 100_000)}
	for _, table := range []*model.Table{wide, narrow} {
		got := Text(table, nil)
		if n := len(analysis.Words(got)); n != 512 {
			t.Errorf("the text of %s has %d words, want 512", table.Name, n)
		}
		if strings.Contains(got, "—") != (table == narrow) {
			t.Errorf("the text of %s ends in %q", table.Name, got[len(got)-20:])
		}
	}
}

func TestQuestion(t *testing.T) {
	url, asked := endpoint(t, "bad")
	e := open(t, config.Embeddings{Provider: "http", URL: url}, false)
	if v, err := e.Question(context.Background(), strings.Repeat("long ", 1000)); err != nil || len(v) != 2 {
		t.Errorf("%v, %v", v, err)
	}
	if n := len(analysis.Words(asked()[0])); n != 512 {
		t.Errorf("a question of %d words was sent", n)
	}
	if _, err := e.Question(context.Background(), "bad"); err == nil {
		t.Error("a refusal is no error")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := e.Question(ctx, "late"); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
	if _, err := New(nil).Question(context.Background(), "x"); err == nil {
		t.Error("without a provider there is no error")
	}
}

// What visibility took a vector from gets one of what is left, and no other table does.
func TestMissing(t *testing.T) {
	e, err := Open(config.Embeddings{Provider: config.ProviderBuiltin}, false)
	if err != nil {
		t.Fatal(err)
	}
	data := &catalog.Data{
		Tables: []model.Table{{Schema: "s", Name: "orders", Columns: []model.Column{{Name: "customer"}, {Name: "total"}}}, {Schema: "s", Name: "payments", Columns: []model.Column{{Name: "amount"}}}},
		Facts:  make([]catalog.Facts, 2),
	}
	if data.Vectors, err = Tables(t.Context(), e.Provider(), data); err != nil {
		t.Fatal(err)
	}
	shared := data.Vectors.Tables
	data.Tables[0].Columns = data.Tables[0].Columns[1:] // hidden
	data.Vectors.Tables = [][]float32{nil, shared[1]}
	given := data.Vectors.Tables
	want, err := e.Provider().Embed(t.Context(), []string{Text(&data.Tables[0], &data.Facts[0])})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Missing(t.Context(), data); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(data.Vectors.Tables[0], want[0]) || &data.Vectors.Tables[1][0] != &shared[1][0] || given[0] != nil {
		t.Error("not the vectors of what is left")
	}
	other := &catalog.Data{Tables: data.Tables, Facts: data.Facts, Vectors: catalog.Vectors{Model: "other", Dim: 3, Tables: make([][]float32, 2)}}
	if err := e.Missing(t.Context(), other); err != nil || other.Vectors.Tables[0] != nil {
		t.Errorf("vectors of another model: %v, %v", other.Vectors.Tables, err)
	}
	if err := (*Embedder)(nil).Missing(t.Context(), data); err != nil {
		t.Error(err)
	}
}
