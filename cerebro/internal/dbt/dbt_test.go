package dbt_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/cerebro/internal/dbt"
)

func artifact(t testing.TB, name string) []byte {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name+".json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func manifest(t testing.TB, name string) *dbt.Project {
	t.Helper()
	p, err := dbt.ReadManifest(bytes.NewReader(artifact(t, name)))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Manifests that dbt itself wrote, of five versions of their schema.
func TestReadManifest_Versions(t *testing.T) {
	for _, c := range []struct {
		file                               string
		version                            int
		models, sources, csv, tests, smods int
		metrics                            int
	}{
		{"manifest-v4", 4, 5, 0, 3, 20, 0, 0},
		{"manifest-v7", 7, 5, 0, 3, 20, 0, 0},
		{"manifest-v9", 9, 34, 0, 3, 21, 0, 0},
		{"manifest-v10", 10, 6, 0, 3, 20, 0, 0},
		{"manifest-v12-1.10", 12, 13, 6, 0, 27, 6, 19},
	} {
		t.Run(c.file, func(t *testing.T) {
			p := manifest(t, c.file)
			count := map[dbt.Kind]int{}
			for _, n := range p.Nodes {
				count[n.Kind]++
				if n.Relation.Name == "" || n.Kind == dbt.Model && (n.RawSQL == "" || n.Materialized == "") {
					t.Errorf("%s: relation %q, materialized %q, %d bytes of SQL", n.ID, n.Relation, n.Materialized, len(n.RawSQL))
				}
			}
			got := fmt.Sprint(p.SchemaVersion, count[dbt.Model], count[dbt.Source], count[dbt.CSV], len(p.Tests), len(p.Semantics.Models), len(p.Semantics.Metrics))
			want := fmt.Sprint(c.version, c.models, c.sources, c.csv, c.tests, c.smods, c.metrics)
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			for _, x := range p.Tests {
				// In version 4's project the model customers is switched off, and its tests are not.
				if x.Node == "" && !strings.Contains(x.ID, "_customers_customer_id.") {
					t.Errorf("test %s has no node", x.ID)
				}
			}
		})
	}
}

func TestReadManifest_Shop(t *testing.T) {
	p := manifest(t, "manifest-v12-1.10")
	if err := p.AddCatalog(bytes.NewReader(artifact(t, "catalog-1.11"))); err != nil {
		t.Fatal(err)
	}
	if err := p.AddRunResults(bytes.NewReader(artifact(t, "run_results-v6"))); err != nil {
		t.Fatal(err)
	}
	n := p.Named("ORDERS")[0]
	if n.ID != "model.jaffle_shop.orders" || n.Module != "marts" || !n.InCatalog || n.View || n.Relation.String() != "jaffle_shop.main.orders" {
		t.Errorf("%+v", n)
	}
	if c := n.Column("Order_ID"); c == nil || c.Type != "VARCHAR" || !slices.Equal(c.Tests, []string{"not_null", "relationships", "unique"}) && !slices.Equal(c.Tests, []string{"not_null", "unique"}) {
		t.Errorf("%+v", c)
	}
	if len(n.Parents) == 0 || len(n.Children) == 0 {
		t.Errorf("parents %v, children %v", n.Parents, n.Children)
	}
	passed := 0
	for _, x := range p.Tests {
		if x.Status == "success" {
			passed++
		}
	}
	if passed == 0 {
		t.Error("no test has the status of its last run")
	}
	types := map[string]int{}
	for _, m := range p.Semantics.Metrics {
		types[m.Type]++
		if m.Type == "simple" && m.Measure == nil || m.Type == "ratio" && (m.Numerator == nil || m.Denominator == nil) || m.Type == "derived" && len(m.Inputs) == 0 {
			t.Errorf("%s is not whole: %+v", m.Name, m)
		}
	}
	if types["simple"] == 0 || types["ratio"] == 0 || types["derived"] == 0 || types["cumulative"] == 0 {
		t.Errorf("types %v", types)
	}
	if again := manifest(t, "manifest-v12-1.10"); len(again.Nodes) != len(p.Nodes) || again.Nodes[3].ID != p.Nodes[3].ID {
		t.Error("two readings differ")
	}
}

// A file that dbt is still writing must never pass for a whole one.
func TestReadManifest_Cut(t *testing.T) {
	whole := artifact(t, "manifest-v10")
	step := len(whole)/300 + 1
	for n := 0; n < len(bytes.TrimRight(whole, "\n")); n += step {
		if _, err := dbt.ReadManifest(bytes.NewReader(whole[:n])); err == nil {
			t.Fatalf("a manifest of %d of %d bytes was read", n, len(whole))
		}
	}
	_, err := dbt.ReadManifest(bytes.NewReader(whole[:len(whole)/2]))
	if err == nil || !strings.Contains(err.Error(), "the file ends in the middle") {
		t.Errorf("got %v", err)
	}
}

func TestReadManifest_Refused(t *testing.T) {
	for text, want := range map[string]string{
		``:     "the file ends in the middle",
		`[]`:   "does not start with an object",
		`{}`:   "no metadata.dbt_schema_version",
		`null`: "does not start with an object",
		`{"metadata":{"dbt_schema_version":"https://schemas.getdbt.com/dbt/catalog/v1.json"}}`:     `dbt_schema_version is "https`,
		`{"metadata":{"dbt_schema_version":"https://schemas.getdbt.com/dbt/manifest/v3.json"}}`:    "schema version is 3; versions 4 to 12",
		`{"metadata":{"dbt_schema_version":"https://schemas.getdbt.com/dbt/manifest/v13.json"}}`:   "schema version is 13",
		`{"metadata":{"dbt_schema_version":"https://schemas.getdbt.com/dbt/manifest/v12.json"}}x`:  "something follows",
		`{"metadata":{"dbt_schema_version":"https://schemas.getdbt.com/dbt/manifest/v12.json"}}{}`: "something follows",
		`{"nodes":[]}`:                       "where an object should stand",
		`{"nodes":{"model.a.b":{"name":7}}}`: "model.a.b",
	} {
		_, err := dbt.ReadManifest(strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
	if _, err := dbt.ReadManifest(strings.NewReader(`{}`)); !errors.Is(err, dbt.ErrNotAManifest) {
		t.Errorf("got %v", err)
	}
}

// Every form in which dbt's versions write a metric.
func TestReadSemanticManifest_Forms(t *testing.T) {
	s, err := dbt.ReadSemanticManifest(strings.NewReader(`{
		"semantic_models": [{
			"name": "orders", "node_relation": {"alias": "fct_orders", "schema_name": "dbt", "database": "shop", "relation_name": "x"},
			"defaults": {"agg_time_dimension": "day"}, "primary_entity": null,
			"entities": [{"name": "order", "type": "PRIMARY", "expr": "order_id"}, {"name": "customer", "type": "foreign"}],
			"dimensions": [{"name": "day", "type": "time", "type_params": {"time_granularity": "day"}, "expr": "ordered_at", "is_partition": true},
				{"name": "region", "type": "categorical", "config": {"meta": {"cerebro": {"label": "Region"}}}}],
			"measures": [{"name": "n", "agg": "sum", "expr": 1},
				{"name": "p90", "agg": "percentile", "expr": "hours", "agg_params": {"percentile": 0.9, "use_discrete_percentile": true}},
				{"name": "stock", "agg": "sum", "non_additive_dimension": {"name": "day", "window_choice": "MAX", "window_groupings": ["warehouse"]}}],
			"config": {"meta": {"cerebro": {"quality_tier": "approved"}, "owner": {"email": ["a@example.org"]}}}
		}],
		"metrics": [
			{"name": "bare", "type": "simple", "type_params": {"measure": "n"}, "filter": "{{ Dimension('order__region') }} = 'N'"},
			{"name": "object", "type": "simple", "type_params": {"measure": {"name": "n", "fill_nulls_with": 0, "join_to_timespine": true,
				"filter": {"where_filters": [{"where_sql_template": " a "}, {"where_sql_template": "b"}]}}}},
			{"name": "inline", "type": "simple", "type_params": {"metric_aggregation_params": {"semantic_model": "orders", "agg": "average", "expr": "total"}}},
			{"name": "r", "type": "ratio", "type_params": {"numerator": "bare", "denominator": {"name": "object", "filter": ["x", "y"]}}},
			{"name": "d", "type": "derived", "type_params": {"expr": "a - b", "metrics": ["bare", {"name": "bare", "alias": "b", "offset_window": "1 months"}]}},
			{"name": "w", "type": "cumulative", "type_params": {"measure": "n", "window": {"count": 28, "granularity": "day"}}},
			{"name": "c", "type": "cumulative", "type_params": {"measure": "n", "cumulative_type_params": {"grain_to_date": "MONTH", "period_agg": "last"}}},
			{"name": "gone", "type": "simple", "type_params": {"measure": "n"}, "config": {"enabled": false}}
		],
		"project_configuration": {"time_spine_table_configurations": [{"location": "\"shop\".\"dbt\".\"spine\"", "column_name": "day", "grain": "day"}], "time_spines": []},
		"saved_queries": [{"name": "weekly", "query_params": {"metrics": ["bare"], "group_by": ["Dimension('order__region')"]}}]
	}`))
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]*dbt.MetricSpec{}
	for _, x := range s.Metrics {
		m[x.Name] = x
	}
	check := func(name string, ok bool) {
		t.Helper()
		if !ok {
			t.Errorf("%s: %+v", name, m[name])
		}
	}
	check("bare", m["bare"].Measure.Name == "n" && slices.Equal(m["bare"].Filters, []string{"{{ Dimension('order__region') }} = 'N'"}))
	check("object", slices.Equal(m["object"].Measure.Filters, []string{"a", "b"}) && *m["object"].Measure.FillNullsWith == 0 && m["object"].Measure.JoinToTimeSpine)
	check("inline", m["inline"].Inline.Model == "orders" && m["inline"].Inline.Measure.Agg == "average" && m["inline"].Inline.Measure.Expr == "total" && m["inline"].Measure.Name == "inline")
	check("r", m["r"].Numerator.Name == "bare" && slices.Equal(m["r"].Denominator.Filters, []string{"x", "y"}))
	check("d", m["d"].Expr == "a - b" && m["d"].Inputs[0].Name == "bare" && *m["d"].Inputs[1].OffsetWindow == dbt.Window{Count: 1, Grain: "month"})
	check("w", *m["w"].Window == dbt.Window{Count: 28, Grain: "day"})
	check("c", m["c"].GrainToDate == "month" && m["c"].PeriodAgg == "last")
	if m["gone"] != nil {
		t.Error("a metric that is switched off was read")
	}
	o := s.Models[0]
	if o.Owner != "a@example.org" || o.Meta.Text(dbt.MetaTier) != "approved" || o.Measures[0].Expr != "1" || o.Entities[0].Type != "primary" ||
		*o.Measures[1].Percentile != 0.9 || !o.Measures[1].Discrete || o.Measures[2].NonAdditive.Pick != "max" || o.Dimensions[1].Meta.Text("label") != "Region" {
		t.Errorf("%+v", o)
	}
	if s.TimeSpines[0].Relation.String() != "shop.dbt.spine" || len(s.SavedQueries) != 1 {
		t.Errorf("%+v %+v", s.TimeSpines, s.SavedQueries)
	}
}

func TestMeta_Odd(t *testing.T) {
	m := dbt.Meta{"quality_tier": 7.0, "question_synonyms": "one", "allowed_dimensions": []any{"a", 1.0}, "row_scale": "x", "other": 1.0}
	want := []string{"meta.cerebro.allowed_dimensions is not a list", "meta.cerebro.quality_tier is not a string", "meta.cerebro.row_scale is not a number"}
	if got := m.Odd(); !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

func FuzzReadManifest(f *testing.F) {
	f.Add([]byte(`{"metadata":{"dbt_schema_version":"https://schemas.getdbt.com/dbt/manifest/v12.json"},"nodes":{"model.a.b":{"resource_type":"model","name":"b","depends_on":{"nodes":["model.a.b"]}}},"metrics":{"m":{"name":"m","type_params":{"measure":"x"}}}}`))
	f.Add([]byte(`{"semantic_models":[{"name":"a"}],"metrics":[{"type_params":{"window":"3 days"}}]}`))
	f.Fuzz(func(_ *testing.T, b []byte) {
		if p, err := dbt.ReadManifest(bytes.NewReader(b)); err == nil {
			_ = p.AddCatalog(bytes.NewReader(b))
			p.Named("b")
			p.Modules()
		}
		_, _ = dbt.ReadSemanticManifest(bytes.NewReader(b))
	})
}

func BenchmarkReadManifest(b *testing.B) {
	text := artifact(b, "manifest-v12-1.10")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := dbt.ReadManifest(bytes.NewReader(text)); err != nil {
			b.Fatal(err)
		}
	}
}
