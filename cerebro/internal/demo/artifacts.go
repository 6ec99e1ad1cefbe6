package demo

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Artifacts are the files of dbt's target folder.
type Artifacts struct {
	Manifest, Catalog, SemanticManifest, RunResults []byte
}

// Files are the artifacts by the names of their files.
func (a Artifacts) Files() map[string][]byte {
	return map[string][]byte{
		"manifest.json": a.Manifest, "catalog.json": a.Catalog,
		"semantic_manifest.json": a.SemanticManifest, "run_results.json": a.RunResults,
	}
}

// MakeArtifacts writes the artifacts of the bundled project. No database is
// needed: what the catalog says of tables is pinned, and a test of package build
// compares it with a real file. The bytes must not be changed.
var MakeArtifacts = sync.OnceValues(func() (Artifacts, error) {
	p, err := Open()
	if err != nil {
		return Artifacts{}, err
	}
	facts, err := readFacts()
	if err != nil {
		return Artifacts{}, err
	}
	var a Artifacts
	for _, f := range []struct {
		to   *[]byte
		what object
	}{{&a.Manifest, p.manifest()}, {&a.Catalog, p.catalog(facts)}, {&a.SemanticManifest, p.semanticManifest()}, {&a.RunResults, p.runResults()}} {
		if *f.to, err = encode(f.what); err != nil {
			return Artifacts{}, err
		}
	}
	return a, nil
})

// encode writes JSON in one line, as dbt does, with sorted keys.
func encode(v object) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// What dbt would say of itself.
const (
	dbtVersion   = "1.10.13"
	invocationID = "5d3f0c1e-7a52-4c86-9b0e-0f6c2a4be317"
)

func (p *Project) metadata(artifact string) object {
	return object{
		"dbt_schema_version": "https://schemas.getdbt.com/dbt/" + artifact + ".json", "dbt_version": dbtVersion,
		"generated_at": stamp(ran), "invocation_id": invocationID, "invocation_started_at": stamp(ran), "env": object{},
	}
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }

// created is the time as dbt gives it in nodes.
func created() float64 { return float64(ran.Unix()) }

// ids of resources.
func modelID(name string) string    { return "model." + Name + "." + name }
func docID(name string) string      { return "doc." + Name + "." + name }
func metricID(name string) string   { return "metric." + Name + "." + name }
func semanticID(name string) string { return "semantic_model." + Name + "." + name }
func (p *Project) sourceID(name string) string {
	return "source." + Name + "." + p.source.Name + "." + name
}

// orEmpty gives a list that is written as [] when there is nothing in it.
func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// orNull is null for an empty text.
func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func metaOf(c yamlConfig) object {
	if c.Meta == nil {
		return object{}
	}
	return c.Meta
}

// Facts are what only the database knows of a relation.
type Facts struct {
	Columns []ColumnFact `json:"columns"`
	Rows    int64        `json:"rows"`
}

// ColumnFact is a column as the database has it.
type ColumnFact struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// FactsFile is the name of the file that pins them, by schema and name of the relation.
const FactsFile = "facts.json"

func readFacts() (map[string]Facts, error) {
	text, err := files.ReadFile(FactsFile)
	if err != nil {
		return nil, err
	}
	facts := map[string]Facts{}
	return facts, json.Unmarshal(text, &facts)
}

// catalog is what `dbt docs generate` would write.
func (p *Project) catalog(facts map[string]Facts) object {
	entry := func(id, schema, name, kind, comment string, columns []*Column) object {
		f := facts[schema+"."+name]
		cols := object{}
		for i, c := range f.Columns {
			var text any
			if j := slices.IndexFunc(columns, func(d *Column) bool { return d.Name == c.Name }); j >= 0 {
				text = columns[j].Description
			}
			cols[c.Name] = object{"type": c.Type, "index": i + 1, "name": c.Name, "comment": text}
		}
		return object{
			"metadata": object{"type": kind, "schema": schema, "name": name, "database": Database, "comment": orNull(comment), "owner": nil},
			"columns":  cols, "unique_id": id,
			"stats": object{
				"has_stats": object{"id": "has_stats", "label": "Has Stats?", "value": true, "include": false, "description": "Indicates whether there are statistics for this table"},
				"row_count": object{"id": "row_count", "label": "Row Count", "value": f.Rows, "include": true, "description": "Number of rows"},
			},
		}
	}
	nodes, sources := object{}, object{}
	for _, m := range p.Models {
		kind := "BASE TABLE"
		if m.View() {
			kind = "VIEW"
		}
		nodes[modelID(m.Name)] = entry(modelID(m.Name), Schema, m.Name, kind, m.Description, m.Columns)
	}
	for _, t := range p.Tables {
		sources[p.sourceID(t.Name)] = entry(p.sourceID(t.Name), p.source.Schema, t.Name, "BASE TABLE", t.Description, t.Columns)
	}
	return object{"metadata": p.metadata("catalog/v1"), "nodes": nodes, "sources": sources, "errors": nil}
}

// runResults is what `dbt build` would write: everything ran and every test passed.
func (p *Project) runResults() object {
	results := []object{}
	add := func(id, status, message string, failures, relation any, sql string) {
		timing := func(name string) object {
			return object{"name": name, "started_at": stamp(ran), "completed_at": stamp(ran)}
		}
		results = append(results, object{
			"status": status, "timing": []object{timing("compile"), timing("execute")}, "thread_id": "Thread-1", "execution_time": 0.0,
			"adapter_response": object{"_message": "OK"}, "message": message, "failures": failures, "unique_id": id,
			"compiled": true, "compiled_code": sql, "relation_name": relation, "batch_results": nil,
		})
	}
	for _, m := range p.Models {
		add(modelID(m.Name), "success", "OK", nil, FullName(Schema, m.Name), p.Compile(m, FullName))
	}
	for _, t := range p.tests {
		add(t.id, "pass", "", 0, nil, t.SQL)
	}
	return object{
		"metadata": p.metadata("run-results/v6"), "results": results, "elapsed_time": 0.0,
		"args": object{"which": "build", "invocation_command": "dbt build"},
	}
}

// The semantic manifest, and the same things in the manifest.

func (s *SemanticModel) relation() object {
	return object{
		"alias": s.Model.Name, "schema_name": Schema, "database": Database, "relation_name": FullName(Schema, s.Model.Name),
	}
}

// shared are the keys that a semantic model has in both files.
func (s *SemanticModel) shared() object {
	entities, dimensions, measures := []object{}, []object{}, []object{}
	for _, e := range s.Entities {
		entities = append(entities, object{
			"name": e.Name, "type": e.Type, "expr": orNull(e.Expr), "description": nil, "label": nil, "role": nil, "config": object{"meta": object{}},
		})
	}
	for _, d := range s.Dimensions {
		var params any
		if d.Type == "time" {
			params = object{"time_granularity": d.TypeParams.Grain, "validity_params": nil}
		}
		dimensions = append(dimensions, object{
			"name": d.Name, "type": d.Type, "expr": orNull(d.Expr), "description": orNull(d.Description), "label": orNull(d.Label),
			"is_partition": d.Partition, "type_params": params, "metadata": nil, "config": object{"meta": metaOf(d.Config)},
		})
	}
	for _, m := range s.Measures {
		var agg, additive any
		if a := m.AggParams; a != nil {
			agg = object{"percentile": a.Percentile, "use_discrete_percentile": a.Discrete, "use_approximate_percentile": false}
		}
		if n := m.NonAdditive; n != nil {
			additive = object{"name": n.Name, "window_choice": n.Choice, "window_groupings": orEmpty(n.Groupings)}
		}
		measures = append(measures, object{
			"name": m.Name, "agg": m.Agg, "expr": orNull(m.Expr), "description": orNull(m.Description), "label": orNull(m.Label),
			"create_metric": false, "agg_params": agg, "non_additive_dimension": additive, "agg_time_dimension": orNull(s.Defaults.Time),
			"config": object{"meta": object{}},
		})
	}
	var defaults any
	if s.Defaults.Time != "" {
		defaults = object{"agg_time_dimension": s.Defaults.Time}
	}
	return object{
		"name": s.Name, "label": orNull(s.Label), "description": s.Description, "node_relation": s.relation(), "primary_entity": orNull(s.PrimaryEntity),
		"defaults": defaults, "entities": entities, "dimensions": dimensions, "measures": measures, "metadata": nil,
	}
}

// window is a number of periods, such as "28 days"; null when there is none.
func window(s string) any {
	if s == "" {
		return nil
	}
	n, grain, _ := strings.Cut(s, " ")
	count, err := strconv.Atoi(n)
	if err != nil {
		panic(fmt.Sprintf("demo: %q is not a window", s)) // of the embedded project
	}
	return object{"count": count, "granularity": strings.TrimSuffix(grain, "s")}
}

func where(filter string) any {
	if filter == "" {
		return nil
	}
	return object{"where_filters": []object{{"where_sql_template": filter}}}
}

func (i *Input) measure() any {
	if i == nil {
		return nil
	}
	return object{
		"name": i.Name, "filter": where(i.Filter), "alias": orNull(i.Alias), "join_to_timespine": i.TimeSpine, "fill_nulls_with": i.Fill,
	}
}

func (i *Input) metric() any {
	if i == nil {
		return nil
	}
	return object{
		"name": i.Name, "filter": where(i.Filter), "alias": orNull(i.Alias), "offset_window": window(i.Offset), "offset_to_grain": nil,
	}
}

// Inputs are the metrics that a metric is made of.
func (m *Metric) Inputs() []*Input {
	t := m.TypeParams
	return append(slices.DeleteFunc([]*Input{t.Numerator, t.Denominator}, func(i *Input) bool { return i == nil }), t.Metrics...)
}

// measures are all measures below a metric, each once.
func (p *Project) measures(m *Metric, seen map[string]bool) []any {
	if in := m.TypeParams.Measure; in != nil {
		if seen[in.Name] {
			return nil
		}
		seen[in.Name] = true
		return []any{in.measure()}
	}
	var out []any
	for _, in := range m.Inputs() {
		if of := p.Metric(in.Name); of != nil {
			out = append(out, p.measures(of, seen)...)
		}
	}
	return out
}

// Metric finds a metric by name, nil if there is none.
func (p *Project) Metric(name string) *Metric {
	if i := slices.IndexFunc(p.Metrics, func(m *Metric) bool { return m.Name == name }); i >= 0 {
		return p.Metrics[i]
	}
	return nil
}

// SemanticOf finds the semantic model of a measure, nil if there is none.
func (p *Project) SemanticOf(measure string) *SemanticModel {
	for _, s := range p.Semantics {
		if slices.ContainsFunc(s.Measures, func(m Measure) bool { return m.Name == measure }) {
			return s
		}
	}
	return nil
}

// sharedMetric are the keys that a metric has in both files.
func (p *Project) sharedMetric(m *Metric) object {
	t := m.TypeParams
	inputs := []any{}
	for _, in := range t.Metrics {
		inputs = append(inputs, in.metric())
	}
	var cumulative any
	if m.Type == "cumulative" {
		cumulative = object{
			"window": window(t.Cumulative.Window), "grain_to_date": orNull(t.Cumulative.GrainToDate), "period_agg": cmp.Or(t.Cumulative.PeriodAgg, "first"), "metric": nil,
		}
	}
	return object{
		"name": m.Name, "label": m.Label, "description": m.Description, "type": m.Type, "filter": where(m.Filter), "metadata": nil, "time_granularity": nil,
		"type_params": object{
			"measure": t.Measure.measure(), "input_measures": orEmpty(p.measures(m, map[string]bool{})),
			"numerator": t.Numerator.metric(), "denominator": t.Denominator.metric(), "expr": orNull(t.Expr), "metrics": inputs,
			"window": nil, "grain_to_date": nil, "conversion_type_params": nil, "cumulative_type_params": cumulative,
		},
	}
}

func (p *Project) semanticManifest() object {
	models, metrics, spines := []object{}, []object{}, []object{}
	for _, s := range p.Semantics {
		o := s.shared()
		o["config"] = object{"meta": metaOf(s.Config)}
		models = append(models, o)
	}
	for _, m := range p.Metrics {
		o := p.sharedMetric(m)
		o["config"] = object{"meta": metaOf(m.Config)}
		metrics = append(metrics, o)
	}
	for _, m := range p.Models {
		if m.TimeSpine.Column != "" {
			spines = append(spines, object{
				"node_relation":  object{"alias": m.Name, "schema_name": Schema, "database": Database, "relation_name": FullName(Schema, m.Name)},
				"primary_column": object{"name": m.TimeSpine.Column, "time_granularity": "day"}, "custom_granularities": []any{},
			})
		}
	}
	return object{
		"semantic_models": models, "metrics": metrics, "saved_queries": []any{},
		"project_configuration": object{
			"time_spine_table_configurations": []any{}, "metadata": nil, "time_spines": spines,
			"dsi_package_version": object{"major_version": "0", "minor_version": "9", "patch_version": "0"},
		},
	}
}

// merged are two objects, the second one winning, as dbt merges meta.
func merged(a, b object) object {
	out := object{}
	maps.Copy(out, a)
	maps.Copy(out, b)
	return out
}
