package demo

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func opened(t *testing.T) *Project {
	t.Helper()
	p, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// lines are words of a text, sorted.
func lines(text string) []string {
	words := strings.Fields(text)
	slices.Sort(words)
	return words
}

func TestProject_Models(t *testing.T) {
	want := lines(`stg_orders stg_order_items stg_customers stg_products stg_sessions stg_tickets stg_refunds stg_stock
		int_orders_enriched int_customer_orders int_session_funnel
		fct_orders fct_order_items fct_refunds fct_sessions fct_subscriptions_daily fct_support_tickets fct_stock_daily fct_marketing_spend_daily
		dim_customers dim_products dim_regions dim_time_spine_daily
		mart_revenue_daily mart_customer_cohorts_monthly mart_delivery_sla_daily`)
	var got []string
	folders := map[string]bool{}
	for _, m := range opened(t).Models {
		got = append(got, m.Name)
		folders[m.Folder] = true
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("models (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(lines("sales customers subscriptions web support inventory finance shared"), slices.Sorted(maps.Keys(folders))); diff != "" {
		t.Errorf("modules (-want +got):\n%s", diff)
	}
}

// Models stand behind what they read.
func TestProject_Order(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range opened(t).Models {
		for _, ref := range m.refs {
			if !seen[ref] {
				t.Errorf("%s stands before %s, which it reads", m.Name, ref)
			}
		}
		seen[m.Name] = true
	}
}

func TestProject_Metrics(t *testing.T) {
	want := map[string]string{
		"revenue": "simple", "orders": "simple", "units_sold": "simple", "active_customers": "simple", "new_customers": "simple",
		"average_order_value": "ratio", "gross_margin": "derived", "gross_margin_rate": "ratio", "refund_amount": "simple", "refund_rate": "ratio",
		"cumulative_revenue": "cumulative", "revenue_mtd": "cumulative", "active_customers_28d": "cumulative", "revenue_growth_mom": "derived",
		"mrr": "simple", "active_subscribers": "simple", "churned_subscriptions": "simple", "churn_rate": "ratio",
		"web_sessions": "simple", "conversion_rate": "ratio", "support_tickets": "simple", "median_resolution_hours": "simple",
		"first_response_hours_p90": "simple", "stock_on_hand": "simple", "stockout_rate": "ratio", "marketing_spend": "simple",
		"customer_acquisition_cost": "ratio", "on_time_delivery_rate": "ratio",
		"customer_lifetime_value": "simple", "basket_affinity_score": "simple", "returns_fraud_index": "simple",
		"cost_of_goods_sold": "simple", "stock_records": "simple", "deliveries": "simple",
	}
	got := map[string]string{}
	var candidates []string
	for _, m := range opened(t).Metrics {
		got[m.Name] = m.Type
		switch tier := cerebro(m.Config)["quality_tier"]; tier {
		case "candidate":
			candidates = append(candidates, m.Name)
		case "approved":
		default:
			t.Errorf("%s has tier %v", m.Name, tier)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(lines("customer_lifetime_value basket_affinity_score returns_fraud_index"), candidates); diff != "" {
		t.Errorf("candidates (-want +got):\n%s", diff)
	}
}

func cerebro(c yamlConfig) object {
	o, _ := c.Meta["cerebro"].(object)
	return o
}

func TestProject_Dimensions(t *testing.T) {
	have := map[string]bool{}
	for _, s := range opened(t).Semantics {
		for _, d := range s.Dimensions {
			have[d.Name] = true
		}
	}
	for _, want := range lines("region country channel category product customer_segment plan device priority warehouse") {
		if !have[want] {
			t.Errorf("there is no dimension %s", want)
		}
	}
}

// Metrics lead down to measures, and measures and names are unique as dbt wants them.
func TestProject_MetricsResolve(t *testing.T) {
	p := opened(t)
	measures := map[string]string{}
	for _, s := range p.Semantics {
		primary := s.PrimaryEntity != ""
		names := map[string]bool{}
		unique := func(name string) {
			if names[name] {
				t.Errorf("semantic model %s has two things named %s", s.Name, name)
			}
			names[name] = true
		}
		times := map[string]bool{}
		for _, e := range s.Entities {
			unique(e.Name)
			primary = primary || e.Type == "primary"
		}
		for _, d := range s.Dimensions {
			unique(d.Name)
			times[d.Name] = d.Type == "time"
			if d.Type == "time" && d.TypeParams.Grain == "" {
				t.Errorf("dimension %s of %s has no granularity", d.Name, s.Name)
			}
		}
		for _, m := range s.Measures {
			unique(m.Name)
			if of := measures[m.Name]; of != "" {
				t.Errorf("measure %s is in %s and %s", m.Name, of, s.Name)
			}
			measures[m.Name] = s.Name
			if n := m.NonAdditive; n != nil && !times[n.Name] {
				t.Errorf("measure %s is not additive over %s, which is no time dimension", m.Name, n.Name)
			}
		}
		if !primary {
			t.Errorf("semantic model %s has no primary entity", s.Name)
		}
		if len(s.Measures) > 0 && !times[s.Defaults.Time] {
			t.Errorf("semantic model %s: %q is no time dimension", s.Name, s.Defaults.Time)
		}
	}
	for _, m := range p.Metrics {
		if len(p.measures(m, map[string]bool{})) == 0 {
			t.Errorf("metric %s has no measure", m.Name)
		}
		if in := m.TypeParams.Measure; in != nil && measures[in.Name] == "" {
			t.Errorf("metric %s: there is no measure %s", m.Name, in.Name)
		}
		for _, in := range m.Inputs() {
			if p.Metric(in.Name) == nil {
				t.Errorf("metric %s: there is no metric %s", m.Name, in.Name)
			}
		}
	}
}

// Foreign entities lead to a primary one, or are what a measure is picked by.
func TestProject_Entities(t *testing.T) {
	p := opened(t)
	primary := map[string]bool{}
	for _, s := range p.Semantics {
		for _, e := range s.Entities {
			if e.Type == "primary" {
				if primary[e.Name] {
					t.Errorf("entity %s is primary in two semantic models", e.Name)
				}
				primary[e.Name] = true
			}
		}
	}
	for _, s := range p.Semantics {
		for _, m := range s.Measures {
			if n := m.NonAdditive; n != nil {
				for _, name := range n.Groupings {
					if !slices.ContainsFunc(s.Entities, func(e Entity) bool { return e.Name == name }) {
						t.Errorf("measure %s is picked by %s, which is no entity of %s", m.Name, name, s.Name)
					}
					primary[name] = true
				}
			}
		}
		for _, e := range s.Entities {
			if !primary[e.Name] {
				t.Errorf("entity %s of %s leads nowhere", e.Name, s.Name)
			}
		}
	}
}

func TestProject_Synonyms(t *testing.T) {
	of := map[string]string{}
	for _, m := range opened(t).Metrics {
		list, _ := cerebro(m.Config)["question_synonyms"].([]any)
		if len(list) < 3 || len(list) > 6 {
			t.Errorf("%s has %d synonyms, want 3 to 6", m.Name, len(list))
		}
		for _, v := range list {
			s, _ := v.(string)
			if n := len(strings.Fields(s)); n < 1 || n > 4 {
				t.Errorf("synonym %q of %s has %d words", s, m.Name, n)
			}
			if other := of[s]; other != "" {
				t.Errorf("synonym %q is of %s and %s", s, other, m.Name)
			}
			if strings.ReplaceAll(s, " ", "_") == m.Name || strings.EqualFold(s, m.Label) {
				t.Errorf("synonym %q of %s is its name", s, m.Name)
			}
			of[s] = m.Name
		}
	}
	for _, m := range opened(t).Metrics {
		if other := of[strings.ReplaceAll(m.Name, "_", " ")]; other != "" {
			t.Errorf("the name of %s is a synonym of %s", m.Name, other)
		}
	}
}

func TestProject_Documented(t *testing.T) {
	p := opened(t)
	said := func(what, text string) {
		if len(strings.TrimSpace(text)) < 4 || strings.Contains(text, "{{") {
			t.Errorf("%s is not documented: %q", what, text)
		}
	}
	for _, m := range p.Models {
		said(m.Name, m.Description)
		for _, key := range []string{"module", "quality_tier", "owner"} {
			if v, _ := cerebro(m.Config)[key].(string); v == "" {
				t.Errorf("%s has no %s", m.Name, key)
			}
		}
		if module := cerebro(m.Config)["module"]; module != m.Folder {
			t.Errorf("%s is in folder %s and module %v", m.Name, m.Folder, module)
		}
		for _, c := range m.Columns {
			said(m.Name+"."+c.Name, c.Description)
		}
	}
	for _, table := range p.Tables {
		said(table.Name, table.Description)
		for _, c := range table.Columns {
			said(table.Name+"."+c.Name, c.Description)
		}
	}
	for _, s := range p.Semantics {
		said(s.Name, s.Description)
		for _, d := range s.Dimensions {
			said(s.Name+"."+d.Name, d.Description)
			if d.Label == "" {
				t.Errorf("%s.%s has no label", s.Name, d.Name)
			}
		}
		for _, m := range s.Measures {
			said(s.Name+"."+m.Name, m.Description)
		}
	}
	for _, m := range p.Metrics {
		said(m.Name, m.Description)
		said(m.Name, m.Label)
	}
}

// A second reading gives the same bytes.
func TestArtifacts_Same(t *testing.T) {
	first, err := MakeArtifacts()
	if err != nil {
		t.Fatal(err)
	}
	again, err := read(project())
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]object{"manifest.json": again.manifest(), "semantic_manifest.json": again.semanticManifest(), "run_results.json": again.runResults()} {
		text, err := encode(o)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(text, first.Files()[name]) {
			t.Errorf("%s differs in a second reading", name)
		}
	}
}

func decoded(t *testing.T, text []byte) object {
	t.Helper()
	var o object
	if err := json.Unmarshal(text, &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// at goes down into an object.
func at(t *testing.T, o object, path ...string) object {
	t.Helper()
	for _, key := range path {
		next, ok := o[key].(object)
		if !ok {
			t.Fatalf("%s of %v is not an object", key, path)
		}
		o = next
	}
	return o
}

func needs(t *testing.T, what string, o object, keys string) {
	t.Helper()
	for _, key := range strings.Fields(keys) {
		if _, ok := o[key]; !ok {
			t.Errorf("%s has no %s", what, key)
		}
	}
}

// The keys that dbt's published schemas ask for.
func TestArtifacts_Shape(t *testing.T) {
	a, err := MakeArtifacts()
	if err != nil {
		t.Fatal(err)
	}
	manifest := decoded(t, a.Manifest)
	needs(t, "manifest", manifest, "metadata nodes sources macros docs exposures metrics groups selectors disabled parent_map child_map group_map saved_queries semantic_models unit_tests")
	for file, want := range map[string]string{string(a.Manifest): "manifest/v12", string(a.Catalog): "catalog/v1", string(a.RunResults): "run-results/v6"} {
		if got := at(t, decoded(t, []byte(file)), "metadata")["dbt_schema_version"]; got != "https://schemas.getdbt.com/dbt/"+want+".json" {
			t.Errorf("dbt_schema_version is %v, want %s", got, want)
		}
	}
	common := "name resource_type package_name path original_file_path unique_id fqn"
	for id, v := range at(t, manifest, "nodes") {
		n := v.(object)
		needs(t, id, n, common+" database schema alias checksum config tags description columns meta docs raw_code compiled_code language refs sources metrics depends_on compiled_path compiled contract relation_name created_at")
		needs(t, id+" config", at(t, n, "config"), "enabled materialized tags meta")
		switch n["resource_type"] {
		case "model":
			needs(t, id, n, "access constraints version latest_version patch_path time_spine primary_key")
			for c, column := range at(t, n, "columns") {
				needs(t, id+"."+c, column.(object), "name description meta data_type constraints tags config")
			}
			if strings.Contains(n["compiled_code"].(string), "{{") {
				t.Errorf("%s is not compiled", id)
			}
		case "test":
			needs(t, id, n, "column_name attached_node test_metadata file_key_name")
			needs(t, id+" test_metadata", at(t, n, "test_metadata"), "name kwargs namespace")
		default:
			t.Errorf("%s is a %v", id, n["resource_type"])
		}
	}
	for id, v := range at(t, manifest, "sources") {
		needs(t, id, v.(object), common+" database schema source_name source_description loader identifier freshness loaded_at_field description columns meta source_meta tags config relation_name quoting")
	}
	for id, v := range at(t, manifest, "exposures") {
		needs(t, id, v.(object), common+" type owner description label maturity meta tags config url depends_on refs sources metrics")
	}
	for id, v := range at(t, manifest, "docs") {
		needs(t, id, v.(object), "name resource_type package_name path original_file_path unique_id block_contents")
	}
	for id, v := range at(t, manifest, "semantic_models") {
		needs(t, id, v.(object), common+" model node_relation description defaults entities measures dimensions depends_on refs config primary_entity")
	}
	params := "measure input_measures numerator denominator expr window grain_to_date metrics conversion_type_params cumulative_type_params"
	for id, v := range at(t, manifest, "metrics") {
		m := v.(object)
		needs(t, id, m, common+" description label type type_params filter metadata time_granularity meta tags config depends_on refs metrics")
		needs(t, id, at(t, m, "type_params"), params)
	}
	semantic := decoded(t, a.SemanticManifest)
	needs(t, "semantic manifest", semantic, "semantic_models metrics project_configuration saved_queries")
	needs(t, "project configuration", at(t, semantic, "project_configuration"), "time_spine_table_configurations time_spines dsi_package_version metadata")
	for _, v := range semantic["metrics"].([]any) {
		needs(t, "metric", v.(object), "name description type type_params filter metadata label config time_granularity")
	}
	if n := len(semantic["metrics"].([]any)); n != 34 {
		t.Errorf("%d metrics, want 34", n)
	}
}

// Every id that one resource names is that of another, and the two maps are each
// other's mirror.
func TestArtifacts_Graph(t *testing.T) {
	a, err := MakeArtifacts()
	if err != nil {
		t.Fatal(err)
	}
	manifest := decoded(t, a.Manifest)
	known := map[string]bool{}
	for _, kind := range []string{"nodes", "sources", "exposures", "metrics", "semantic_models"} {
		for id, v := range at(t, manifest, kind) {
			known[id] = true
			if got := v.(object)["unique_id"]; got != id {
				t.Errorf("%s says it is %v", id, got)
			}
		}
	}
	parents, children := at(t, manifest, "parent_map"), at(t, manifest, "child_map")
	if len(parents) != len(known) || len(children) != len(known) {
		t.Errorf("%d resources, %d in parent_map, %d in child_map", len(known), len(parents), len(children))
	}
	for id, list := range parents {
		for _, parent := range list.([]any) {
			if !known[parent.(string)] {
				t.Errorf("%s has the parent %v, which is not there", id, parent)
			} else if !slices.Contains(children[parent.(string)].([]any), any(id)) {
				t.Errorf("%v does not know its child %s", parent, id)
			}
		}
	}
	catalog := decoded(t, a.Catalog)
	for id := range at(t, manifest, "nodes") {
		if !strings.HasPrefix(id, "model.") {
			continue
		}
		entry := at(t, catalog, "nodes", id)
		needs(t, id, entry, "metadata columns stats unique_id")
		if len(at(t, entry, "columns")) != len(at(t, manifest, "nodes", id, "columns")) {
			t.Errorf("%s has other columns in the catalog", id)
		}
		if rows, _ := at(t, entry, "stats", "row_count")["value"].(float64); rows < 1 {
			t.Errorf("%s has no rows in the catalog", id)
		}
	}
}

func TestRead_Refuses(t *testing.T) {
	for _, tt := range []struct{ name, yaml string }{
		{"an unknown key", "models: [{name: a, purpose: b}]"},
		{"no list", "models: {name: a}"},
		{"an unknown test", "models: [{name: a, columns: [{name: b, data_tests: [sometimes]}]}]"},
		{"an unknown block of documentation", `models: [{name: a, description: "{{ doc('nothing') }}"}]`},
		{"a model without SQL", "models: [{name: b}]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := read(folder(tt.yaml, "select 1 as b")); err == nil {
				t.Error("no error")
			}
		})
	}
	if _, err := read(folder("models: [{name: a, columns: [{name: b, data_tests: [unique]}]}]", "select 1 as b")); err != nil {
		t.Errorf("a good project: %v", err)
	}
	if _, err := read(folder("models: [{name: a}]", "select * from {{ ref('a') }}")); err == nil {
		t.Error("a model that reads itself: no error")
	}
}
