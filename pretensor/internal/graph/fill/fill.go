// Package fill makes the nodes and edges of the graph out of a catalog: what is
// loaded into the graph engine, without the engine.
package fill

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"iter"
	"strconv"
	"strings"
	"time"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
)

// Batch is rows of one label or edge type. Columns name properties; those of an edge
// begin with the ids of its two ends. A value is a string, bool, int, int64,
// float64, []string, []float32 or nil.
type Batch struct {
	Name    string
	Columns []string
	// Rows can be gone through any number of times, in the same order. A row is valid
	// until the next one.
	Rows iter.Seq[[]any]
}

// Catalog returns the batches of a catalog, nodes before edges, in the order of the
// graph's schema. version is the product's.
func Catalog(c *catalog.Catalog, version string) []Batch {
	b := newBuilder(c)
	return []Batch{
		b.tables(), b.columns(), b.entities(), b.clusters(), b.paths(), b.metrics(), b.consumers(), b.meta(version),
		b.hasColumn(), b.subcolumns(), b.represents(), b.keys(), b.inferred(), b.lineage(), b.inCluster(), b.metricDepends(), b.consumes(),
	}
}

// TableID is the id of a table, which is stable across runs.
func TableID(connection, schema, table string) string {
	return names.IDPart(connection) + "::" + names.IDPart(schema) + "::" + names.IDPart(table)
}

// ClusterID is the id of a cluster.
func ClusterID(connection string, number int) string {
	return names.IDPart(connection) + "::cluster::" + strconv.Itoa(number)
}

// EntityID is the id of an entity.
func EntityID(connection, name string) string {
	return names.IDPart(connection) + "::entity::" + names.IDPart(name)
}

// MetricID is the id of a compiled metric.
func MetricID(connection, database, name string) string {
	return names.IDPart(connection) + "::" + names.IDPart(database) + "::metric::" + names.IDPart(name)
}

type builder struct {
	c        *catalog.Catalog
	ids      []string // of the tables
	consumed []bool   // tables that have consumers
	entityOf []string // of tables; empty for none
	steps    [][2]string
}

func newBuilder(c *catalog.Catalog) *builder {
	b := &builder{c: c, ids: make([]string, c.Len()), consumed: make([]bool, c.Len()), entityOf: make([]string, c.Len()), steps: make([][2]string, c.Edges())}
	for i := range c.Tables {
		b.ids[i] = TableID(c.Connection, c.Tables[i].Schema, c.Tables[i].Name)
	}
	for i := range c.Consumers {
		for _, u := range c.Consumers[i].Uses {
			b.consumed[u.Table] = true
		}
	}
	for _, e := range c.Entities {
		for _, t := range e.Tables {
			if b.entityOf[t] == "" {
				b.entityOf[t] = e.Name
			}
		}
	}
	return b
}

// some is nil for the zero value, so that the property is absent.
func some[T comparable](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}

func number(p *int64) any {
	if p == nil {
		return nil
	}
	return *p
}

func float(p *float64) any {
	if p == nil {
		return nil
	}
	return *p
}

// text is a JSON text, nil of an empty list.
func text[T any](list []T) any {
	if len(list) == 0 {
		return nil
	}
	b, _ := json.Marshal(list) // of strings and plain structs: it cannot fail
	return string(b)
}

func (b *builder) tables() Batch {
	columns := []string{
		graph.Key, "connection_name", "database", "schema_name", "table_name", "row_count", "row_count_source", "comment", "description", "tags", "aliases", "entity_type", "table_type",
		"seq_scan_count", "idx_scan_count", "insert_count", "update_count", "delete_count", "is_partitioned", "partition_key", "partition_count", "grants_json",
		"table_bytes", "role", "role_confidence", "classification_signals", "has_external_consumers",
	}
	vectors := b.c.Vectors.Dim > 0
	if vectors {
		columns = append(columns, "embedding")
	}
	return Batch{graph.SchemaTable, columns, func(yield func([]any) bool) {
		var row []any
		for i := range b.c.Tables {
			t, f := &b.c.Tables[i], &b.c.Facts[i]
			row = append(row[:0], b.ids[i], b.c.Connection, b.c.Database, t.Schema, t.Name, number(t.Rows), some(t.RowsSource), some(t.Comment),
				some(f.Description), f.Tags, f.Aliases, some(b.entityOf[i]), t.Type)
			if u := t.Usage; u != nil {
				row = append(row, u.SeqScans, u.IdxScans, u.Inserts, u.Updates, u.Deletes)
			} else {
				row = append(row, nil, nil, nil, nil, nil)
			}
			if p := t.Partition; p != nil {
				row = append(row, true, some(strings.Join(p.Key, ", ")), p.Count)
			} else {
				row = append(row, false, nil, nil)
			}
			row = append(row, text(t.Grants), number(t.Bytes), some(f.Role), f.Confidence, text(f.Signals), b.consumed[i])
			if vectors {
				row = append(row, b.c.Vectors.Tables[i])
			}
			if !yield(row) {
				return
			}
		}
	}}
}

func (b *builder) columns() Batch {
	columns := []string{
		graph.Key, "connection_name", "database", "schema_name", "table_name", "column_name", "description", "data_type", "nullable", "is_primary_key",
		"is_foreign_key", "comment", "default_value", "is_indexed", "check_constraints_json", "enum_values_json", "ordinal_position", "most_common_values_json",
		"histogram_bounds_json", "stats_correlation", "column_cardinality", "null_fraction", "min_value", "max_value", "index_type", "index_is_unique",
		"is_generated", "parent_column_id", "is_array",
	}
	return Batch{graph.SchemaColumn, columns, func(yield func([]any) bool) {
		var row []any
		none := &model.Stats{}
		for i := range b.c.Tables {
			t := &b.c.Tables[i]
			facts := t.ColumnFacts()
			ids, parents := b.columnIDs(i), parents(t)
			for k := range t.Columns {
				c := &t.Columns[k]
				f := facts[c.Name]
				if c.Parent != "" {
					f = model.ColumnFacts{}
				}
				s := c.Stats
				if s == nil {
					s = none
				}
				var parent any
				if parents[k] >= 0 {
					parent = ids[parents[k]]
				}
				row = append(row[:0],
					ids[k], b.c.Connection, b.c.Database, t.Schema, t.Name, c.Name, some(c.Comment), some(c.Type), c.Nullable, f.Primary,
					f.Foreign, some(c.Comment), some(c.Default), f.Indexed(), text(f.Checks), text(c.Enum), c.Ordinal, text(s.Common),
					text(s.Histogram), float(s.Correlation), number(s.Distinct), float(s.NullFraction), some(s.Min), some(s.Max), indexType(f), f.Unique,
					c.Generated, parent, c.Array)
				if !yield(row) {
					return
				}
			}
		}
	}}
}

// parents are, for each column of a table, the place of the struct that it is a field
// of, -1 where it is the table's own. Fields follow their struct, which tells it from
// another column whose name is like a path.
func parents(t *model.Table) []int {
	at, out := map[string]int{}, make([]int, len(t.Columns))
	for k := range t.Columns {
		c := &t.Columns[k]
		path, of := c.Name, -1
		if c.Parent != "" {
			path = c.Parent + "." + c.Name
			if i, ok := at[c.Parent]; ok {
				of = i
			}
		}
		at[path], out[k] = k, of
	}
	return out
}

// columnIDs are the ids of a table's columns. A field of a struct has the path to it,
// with dots unless another column has a name like that.
func (b *builder) columnIDs(table int) []string {
	t := &b.c.Tables[table]
	ids, used := make([]string, len(t.Columns)), make(map[string]bool, len(t.Columns))
	for k := range t.Columns {
		if t.Columns[k].Parent == "" {
			ids[k] = b.ids[table] + "::" + names.IDPart(t.Columns[k].Name)
			used[ids[k]] = true
		}
	}
	for k, of := range parents(t) {
		if t.Columns[k].Parent == "" {
			continue
		}
		above := b.ids[table] + "::" + names.IDPart(t.Columns[k].Parent)
		if of >= 0 {
			above = ids[of]
		}
		ids[k] = above + "." + names.IDPart(t.Columns[k].Name)
		if used[ids[k]] {
			ids[k] = above + "::" + names.IDPart(t.Columns[k].Name)
		}
		used[ids[k]] = true
	}
	return ids
}

// indexType is nil for a column without an index.
func indexType(f model.ColumnFacts) any {
	if f.Index == nil {
		return nil
	}
	return some(f.Index.Type)
}

// batch is a batch whose rows add gives, one call for each of n things.
func batch(name string, columns []string, n int, add func(i int, row func(...any))) Batch {
	return Batch{name, columns, func(yield func([]any) bool) {
		var buffer []any
		more := true
		for i := 0; i < n && more; i++ {
			add(i, func(values ...any) {
				if more {
					buffer = append(buffer[:0], values...)
					more = yield(buffer)
				}
			})
		}
	}}
}

func (b *builder) entities() Batch {
	return batch(graph.Entity, []string{graph.Key, "connection_name", "database", "name", "description", "source"}, len(b.c.Entities), func(i int, row func(...any)) {
		e := &b.c.Entities[i]
		row(EntityID(b.c.Connection, e.Name), b.c.Connection, b.c.Database, e.Name, some(e.Description), e.Source)
	})
}

func (b *builder) clusters() Batch {
	columns := []string{graph.Key, "database_key", "connection_name", "label", "description", "cohesion_score", "table_count", "stale", "schema_pattern"}
	return batch(graph.Cluster, columns, len(b.c.Clusters), func(i int, row func(...any)) {
		k := &b.c.Clusters[i]
		row(ClusterID(b.c.Connection, k.Number), b.c.Connection, b.c.Connection, k.Label, some(k.Description), k.Cohesion, len(k.Tables), k.Stale, k.Pattern)
	})
}

func (b *builder) metrics() Batch {
	columns := []string{
		graph.Key, "connection_name", "database", "dialect", "name", "display_name", "description", "sql_template", "tables_used_json", "validated",
		"validation_errors_json", "generated_at_iso", "stale",
	}
	return batch(graph.MetricTemplate, columns, len(b.c.Metrics), func(i int, row func(...any)) {
		m := &b.c.Metrics[i]
		var tables []string
		for _, u := range m.Uses {
			tables = append(tables, b.c.Name(u.Table))
		}
		row(b.metric(m), b.c.Connection, b.c.Database, some(m.Dialect), m.Name, some(m.DisplayName), some(m.Description), m.SQL, text(tables), m.Valid,
			text(m.Errors), m.Generated.UTC().Format(time.RFC3339), m.Stale)
	})
}

func (b *builder) metric(m *catalog.Metric) string {
	return MetricID(b.c.Connection, b.c.Database, m.Name)
}

func (b *builder) consumers() Batch {
	columns := []string{
		graph.Key, "connection_name", "service_name", "file_path", "language", "symbol", "kind", "line_start", "line_end", "sql_fingerprint", "confidence",
		"dialect_used", "scan_run_id",
	}
	return batch(graph.ExternalConsumer, columns, len(b.c.Consumers), func(i int, row func(...any)) {
		x := &b.c.Consumers[i]
		row(x.ID, b.c.Connection, x.Service, x.File, some(x.Language), some(x.Symbol), x.Kind, x.LineStart, x.LineEnd, some(x.Fingerprint), x.Confidence,
			some(x.Dialect), some(x.RunID))
	})
}

func (b *builder) meta(version string) Batch {
	return batch(graph.GraphMeta, []string{graph.Key, "generation", "schema_version", "product_version", "built_at"}, 1, func(_ int, row func(...any)) {
		row("meta", b.c.Generation, strconv.Itoa(graph.SchemaVersion), version, b.c.BuiltAt.UTC().Format(time.RFC3339))
	})
}

// ends are the columns of edges.
func ends(properties ...string) []string { return append([]string{"from", "to"}, properties...) }

func (b *builder) hasColumn() Batch {
	return batch(graph.HasColumn, ends(), b.c.Len(), func(i int, row func(...any)) {
		for k, id := range b.columnIDs(i) {
			if b.c.Tables[i].Columns[k].Parent == "" {
				row(b.ids[i], id)
			}
		}
	})
}

func (b *builder) subcolumns() Batch {
	return batch(graph.HasSubcolumn, ends(), b.c.Len(), func(i int, row func(...any)) {
		ids := b.columnIDs(i)
		for k, of := range parents(&b.c.Tables[i]) {
			if of >= 0 {
				row(ids[of], ids[k])
			}
		}
	})
}

func (b *builder) represents() Batch {
	return batch(graph.Represents, ends(), len(b.c.Entities), func(i int, row func(...any)) {
		for _, t := range b.c.Entities[i].Tables {
			row(EntityID(b.c.Connection, b.c.Entities[i].Name), b.ids[t])
		}
	})
}

// keys has one edge for each pair of columns of a declared key.
func (b *builder) keys() Batch {
	columns := ends("edge_id", "source_column", "target_column", "constraint_name", "ordinal", "on_delete", "on_update")
	return batch(graph.FKReferences, columns, b.c.Edges(), func(i int, row func(...any)) {
		e := b.c.Edge(i)
		for k := range e.FromColumns {
			if e.Declared {
				row(b.ids[e.From], b.ids[e.To], b.pair(e, k), e.FromColumns[k], e.ToColumns[k], some(e.Constraint), k+1, some(e.OnDelete), some(e.OnUpdate))
			}
		}
	})
}

// pair names a pair of columns: schema.table.col->schema.table.col.
func (b *builder) pair(e *catalog.Edge, k int) string {
	return b.end(e.From, e.FromColumns[k]) + "->" + b.end(e.To, e.ToColumns[k])
}

func (b *builder) end(table int, column string) string {
	t := &b.c.Tables[table]
	return model.Qualify(names.IDPart(t.Schema), names.IDPart(t.Name)) + "." + names.IDPart(column)
}

func (b *builder) inferred() Batch {
	columns := ends("edge_id", "source_column", "target_column", "source", "confidence", "reasoning")
	return batch(graph.InferredJoin, columns, b.c.Edges(), func(i int, row func(...any)) {
		e := b.c.Edge(i)
		for k := range e.FromColumns {
			if !e.Declared {
				id := e.Source + ":" + names.IDPart(b.c.Connection) + ":" + b.pair(e, k)
				row(b.ids[e.From], b.ids[e.To], id, e.FromColumns[k], e.ToColumns[k], e.Source, e.Confidence, some(e.Reasoning))
			}
		}
	})
}

func (b *builder) lineage() Batch {
	return batch(graph.Lineage, ends("edge_id", "source", "lineage_type", "confidence"), len(b.c.Lineage), func(i int, row func(...any)) {
		l := &b.c.Lineage[i]
		from, to := b.c.At(l.FromSchema, l.FromTable), b.c.At(l.ToSchema, l.ToTable)
		if from >= 0 && to >= 0 && from != to {
			row(b.ids[from], b.ids[to], "lineage::"+LineageID(b.c.Connection, b.ids[from], b.ids[to], l.Type), l.Source, l.Type, l.Confidence)
		}
	})
}

// LineageID is the stable part of a lineage edge's id.
func LineageID(connection, from, to, kind string) string {
	sum := sha256.Sum256([]byte(connection + "|" + from + "->" + to + "|" + kind))
	return hex.EncodeToString(sum[:16])
}

func (b *builder) inCluster() Batch {
	return batch(graph.InCluster, ends(), len(b.c.Clusters), func(i int, row func(...any)) {
		for _, t := range b.c.Clusters[i].Tables {
			row(b.ids[t], ClusterID(b.c.Connection, b.c.Clusters[i].Number))
		}
	})
}

func (b *builder) metricDepends() Batch {
	return batch(graph.MetricDepends, ends(), len(b.c.Metrics), func(i int, row func(...any)) {
		for _, u := range b.c.Metrics[i].Uses {
			row(b.metric(&b.c.Metrics[i]), b.ids[u.Table])
		}
	})
}

func (b *builder) consumes() Batch {
	return batch(graph.Consumes, ends("edge_id", "op", "source", "confidence", "scan_run_id"), len(b.c.Consumers), func(i int, row func(...any)) {
		x := &b.c.Consumers[i]
		source := "analyze"
		if x.Kind == "dbt_exposure" {
			source = "dbt"
		}
		for _, u := range x.Uses {
			row(x.ID, b.ids[u.Table], x.ID+"->"+b.ids[u.Table]+":"+u.Op, u.Op, source, u.Confidence, some(x.RunID))
		}
	})
}
