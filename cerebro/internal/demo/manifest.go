package demo

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"
)

// manifest is manifest.json in the form of schema version 12.
func (p *Project) manifest() object {
	nodes, sources, exposures, docs := object{}, object{}, object{}, object{}
	metrics, semantics := object{}, object{}
	parents := map[string][]string{}
	for _, m := range p.Models {
		nodes[modelID(m.Name)] = p.modelNode(m)
		parents[modelID(m.Name)] = p.ids(m.refs, m.sources)
	}
	for _, t := range p.tests {
		nodes[t.id] = p.testNode(t)
		parents[t.id] = p.ids(t.refs, t.sources)
	}
	for _, t := range p.Tables {
		sources[p.sourceID(t.Name)] = p.sourceNode(t)
		parents[p.sourceID(t.Name)] = nil
	}
	for _, e := range p.exposures {
		id := "exposure." + Name + "." + e.Name
		exposures[id] = p.exposureNode(e, id)
		parents[id] = p.ids(refNames(e.DependsOn), nil)
	}
	for _, s := range p.Semantics {
		semantics[semanticID(s.Name)] = p.semanticNode(s)
		parents[semanticID(s.Name)] = []string{modelID(s.Model.Name)}
	}
	for _, m := range p.Metrics {
		metrics[metricID(m.Name)] = p.metricNode(m)
		parents[metricID(m.Name)] = p.metricParents(m)
	}
	for _, d := range p.docs {
		docs[docID(d.name)] = object{
			"name": d.name, "resource_type": "doc", "package_name": Name, "path": strings.TrimPrefix(d.file, "models/"),
			"original_file_path": d.file, "unique_id": docID(d.name), "block_contents": d.text,
		}
	}
	children := map[string][]string{}
	for id, up := range parents {
		slices.Sort(up)
		parents[id] = orEmpty(slices.Compact(up))
		children[id] = orEmpty(children[id])
		for _, parent := range parents[id] {
			children[parent] = append(children[parent], id)
		}
	}
	for id := range children {
		slices.Sort(children[id])
	}
	meta := p.metadata("manifest/v12")
	meta = merged(meta, object{
		"project_name": Name, "project_id": hexMD5(Name), "user_id": nil, "send_anonymous_usage_stats": false, "adapter_type": "duckdb",
		"quoting": object{"database": true, "schema": true, "identifier": true, "column": nil}, "run_started_at": stamp(ran),
	})
	return object{
		"metadata": meta, "nodes": nodes, "sources": sources, "macros": object{}, "docs": docs, "exposures": exposures, "metrics": metrics,
		"groups": object{}, "selectors": object{}, "disabled": object{}, "parent_map": parents, "child_map": children, "group_map": object{},
		"saved_queries": object{}, "semantic_models": semantics, "unit_tests": object{},
	}
}

// ids are the ids of models and of tables of the source.
func (p *Project) ids(models, tables []string) []string {
	out := []string{}
	for _, m := range models {
		out = append(out, modelID(m))
	}
	for _, t := range tables {
		out = append(out, p.sourceID(t))
	}
	return out
}

func refNames(refs []string) (out []string) {
	for _, r := range refs {
		if name, err := refName(r); err == nil {
			out = append(out, name)
		}
	}
	return out
}

func refObjects(names []string) []object {
	out := []object{}
	for _, n := range names {
		out = append(out, object{"name": n, "package": nil, "version": nil})
	}
	return out
}

func (p *Project) sourcePairs(tables []string) [][]string {
	out := [][]string{}
	for _, t := range tables {
		out = append(out, []string{p.source.Name, t})
	}
	return out
}

func dependsOn(nodes []string, macros ...string) object {
	return object{"macros": orEmpty(macros), "nodes": orEmpty(nodes)}
}

// within is a file's path below the folder of models.
func within(file string) string { return strings.TrimPrefix(file, "models/") }

// named are the keys that every resource of a file has.
func named(kind, id, name, file string) object {
	fqn := append([]string{Name}, strings.Split(strings.Trim(path.Dir(within(file)), "./"), "/")...)
	fqn = slices.DeleteFunc(append(fqn, name), func(s string) bool { return s == "" })
	return object{
		"name": name, "resource_type": kind, "package_name": Name, "path": within(file), "original_file_path": file,
		"unique_id": id, "fqn": fqn, "created_at": created(),
	}
}

func columnNodes(columns []*Column) object {
	out := object{}
	for _, c := range columns {
		out[c.Name] = object{
			"name": c.Name, "description": c.Description, "meta": metaOf(c.Config), "data_type": nil, "constraints": []any{}, "quote": nil,
			"config": object{"meta": metaOf(c.Config), "tags": orEmpty(c.Config.Tags)}, "tags": orEmpty(c.Config.Tags),
			"granularity": orNull(c.Granularity), "doc_blocks": orEmpty(c.docs),
		}
	}
	return out
}

// shownDocs and noContract are what dbt writes when nothing is said of them.
func shownDocs() object  { return object{"show": true, "node_color": nil} }
func noContract() object { return object{"enforced": false, "alias_types": true, "checksum": nil} }

// compiled are the keys of what has SQL, models and tests.
func compiled(o object, target, sql string) {
	o["compiled_path"] = "target/compiled/" + Name + "/" + target
	o["compiled"], o["compiled_code"] = true, sql
	o["extra_ctes"], o["extra_ctes_injected"], o["language"] = []any{}, true, "sql"
	o["build_path"], o["unrendered_config"], o["docs"], o["contract"], o["group"] = nil, object{}, shownDocs(), noContract(), nil
}

func nodeConfig(materialized string, c yamlConfig, more object) object {
	return merged(object{
		"enabled": true, "alias": nil, "schema": nil, "database": nil, "tags": orEmpty(c.Tags), "meta": metaOf(c), "group": nil, "materialized": materialized,
	}, more)
}

func (p *Project) modelNode(m *Model) object {
	file := "models/" + m.Folder + "/" + m.Name + ".sql"
	o := named("model", modelID(m.Name), m.Name, file)
	compiled(o, file, p.Compile(m, FullName))
	sum := sha256.Sum256([]byte(strings.TrimSpace(m.SQL)))
	var spine any
	if m.TimeSpine.Column != "" {
		spine = object{"standard_granularity_column": m.TimeSpine.Column, "custom_granularities": []any{}}
	}
	key := []string{}
	for _, c := range m.Columns {
		if slices.ContainsFunc(c.Tests, func(t testSpec) bool { return t.name == "unique" }) &&
			slices.ContainsFunc(c.Tests, func(t testSpec) bool { return t.name == "not_null" }) {
			key = append(key, c.Name)
		}
	}
	return merged(o, object{
		"database": Database, "schema": Schema, "alias": m.Name, "relation_name": FullName(Schema, m.Name),
		"checksum": object{"name": "sha256", "checksum": hex.EncodeToString(sum[:])}, "raw_code": strings.TrimSpace(m.SQL),
		"config": nodeConfig(m.Config.Materialized, m.Config, object{
			"incremental_strategy": nil, "batch_size": nil, "lookback": 1, "begin": nil, "persist_docs": object{}, "post-hook": []any{}, "pre-hook": []any{},
			"quoting": object{}, "column_types": object{}, "full_refresh": nil, "unique_key": nil, "on_schema_change": "ignore",
			"on_configuration_change": "apply", "grants": object{}, "packages": []any{}, "docs": shownDocs(),
			"contract": object{"enforced": false, "alias_types": true}, "event_time": nil, "concurrent_batches": nil, "access": "protected", "freshness": nil,
		}),
		"tags": orEmpty(m.Config.Tags), "meta": metaOf(m.Config), "description": m.Description, "columns": columnNodes(m.Columns),
		"patch_path": Name + "://" + m.file, "refs": refObjects(m.refs), "sources": p.sourcePairs(m.sources), "metrics": []any{},
		"depends_on": dependsOn(p.ids(m.refs, m.sources)), "doc_blocks": orEmpty(m.docs), "access": "protected", "constraints": []any{},
		"version": nil, "latest_version": nil, "deprecation_date": nil, "primary_key": key, "time_spine": spine,
	})
}

func (p *Project) testNode(t *Test) object {
	o := named("test", t.id, t.Name, t.file)
	o["path"] = t.Name + ".sql"
	compiled(o, path.Join(t.file, t.Name+".sql"), t.SQL)
	kwargs := merged(t.args, object{"column_name": t.Column, "model": "{{ get_where_subquery(" + t.rawTarget + ") }}"})
	return merged(o, object{
		"database": Database, "schema": Schema + "_dbt_test__audit", "alias": t.Name, "relation_name": nil,
		"checksum": object{"name": "none", "checksum": ""}, "raw_code": "{{ test_" + t.Kind + "(**_dbt_generic_test_kwargs) }}",
		"config": nodeConfig("test", yamlConfig{}, object{
			"schema": "dbt_test__audit", "severity": "ERROR", "store_failures": nil, "store_failures_as": nil, "where": nil, "limit": nil,
			"fail_calc": "count(*)", "warn_if": "!= 0", "error_if": "!= 0",
		}),
		"tags": []any{}, "meta": object{}, "description": "", "columns": object{}, "patch_path": nil, "doc_blocks": []any{},
		"refs": refObjects(t.refs), "sources": p.sourcePairs(t.sources), "metrics": []any{},
		"depends_on":  dependsOn(p.ids(t.refs, t.sources), "macro.dbt.test_"+t.Kind, "macro.dbt.get_where_subquery"),
		"column_name": t.Column, "file_key_name": t.fileKey, "attached_node": t.of,
		"test_metadata": object{"name": t.Kind, "kwargs": kwargs, "namespace": nil},
	})
}

func (f *freshness) node() any {
	if f == nil {
		return nil
	}
	after := func(p *period) object {
		if p == nil {
			return object{"count": nil, "period": nil}
		}
		return object{"count": p.Count, "period": p.Period}
	}
	return object{"warn_after": after(f.Warn), "error_after": after(f.Error), "filter": nil}
}

func (p *Project) sourceNode(t *Table) object {
	s := p.source
	o := named("source", p.sourceID(t.Name), t.Name, "models/_sources.yml")
	o["path"], o["fqn"] = "models/_sources.yml", []string{Name, s.Name, t.Name}
	meta := merged(metaOf(s.Config), metaOf(t.Config))
	return merged(o, object{
		"database": Database, "schema": s.Schema, "identifier": t.Name, "relation_name": FullName(s.Schema, t.Name),
		"source_name": s.Name, "source_description": s.Description, "source_meta": metaOf(s.Config), "loader": s.Loader,
		"quoting":         object{"database": nil, "schema": nil, "identifier": nil, "column": nil},
		"loaded_at_field": orNull(t.LoadedAt), "loaded_at_query": nil, "freshness": t.Config.Freshness.node(), "external": nil,
		"description": t.Description, "columns": columnNodes(t.Columns), "meta": meta, "tags": orEmpty(t.Config.Tags),
		"config": object{
			"enabled": true, "event_time": nil, "freshness": t.Config.Freshness.node(), "loaded_at_field": orNull(t.LoadedAt), "loaded_at_query": nil,
			"meta": meta, "tags": orEmpty(t.Config.Tags),
		},
		"patch_path": nil, "unrendered_config": object{}, "unrendered_database": nil, "unrendered_schema": nil, "doc_blocks": orEmpty(t.docs),
	})
}

func (p *Project) exposureNode(e *yamlExposure, id string) object {
	refs := refNames(e.DependsOn)
	return merged(named("exposure", id, e.Name, e.file), object{
		"type": e.Type, "label": orNull(e.Label), "maturity": orNull(e.Maturity), "url": orNull(e.URL), "description": e.Description,
		"owner": object{"name": e.Owner.Name, "email": e.Owner.Email}, "meta": metaOf(e.Config), "tags": orEmpty(e.Config.Tags),
		"config":            object{"enabled": true, "meta": metaOf(e.Config), "tags": orEmpty(e.Config.Tags)},
		"unrendered_config": object{}, "depends_on": dependsOn(p.ids(refs, nil)), "refs": refObjects(refs), "sources": []any{}, "metrics": []any{},
	})
}

func (p *Project) semanticNode(s *SemanticModel) object {
	o := merged(s.shared(), named("semantic_model", semanticID(s.Name), s.Name, s.file))
	return merged(o, object{
		"model": s.ModelRef, "depends_on": dependsOn([]string{modelID(s.Model.Name)}), "refs": refObjects([]string{s.Model.Name}),
		"config": object{"enabled": true, "group": nil, "meta": metaOf(s.Config)}, "unrendered_config": object{}, "group": nil,
	})
}

func (p *Project) metricParents(m *Metric) []string {
	if in := m.TypeParams.Measure; in != nil {
		if s := p.SemanticOf(in.Name); s != nil {
			return []string{semanticID(s.Name)}
		}
	}
	var out []string
	for _, in := range m.Inputs() {
		out = append(out, metricID(in.Name))
	}
	return compact(out)
}

func (p *Project) metricNode(m *Metric) object {
	metrics := [][]string{}
	for _, in := range m.Inputs() {
		metrics = append(metrics, []string{in.Name})
	}
	o := merged(p.sharedMetric(m), named("metric", metricID(m.Name), m.Name, m.file))
	return merged(o, object{
		"meta": metaOf(m.Config), "tags": orEmpty(m.Config.Tags), "config": object{"enabled": true, "group": nil, "meta": metaOf(m.Config)},
		"unrendered_config": object{}, "depends_on": dependsOn(p.metricParents(m)), "refs": []any{}, "sources": []any{}, "metrics": metrics, "group": nil,
	})
}
