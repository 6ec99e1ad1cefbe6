// Package fill makes the nodes and edges of the graph out of a catalog: what is
// loaded into the graph engine, without the engine.
package fill

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// Batch is rows of one label or edge type. Columns name properties; those of an edge
// begin with the ids of its two ends. A value is a string, bool, int, int64,
// float64, []string or nil.
type Batch struct {
	Name    string
	Columns []string
	Rows    [][]any
}

// Catalog returns the batches of a catalog, nodes before edges, in the order of the
// graph's schema. Batches without rows are left out. version is the product's.
func Catalog(c *catalog.Catalog, version string) []Batch {
	b := builder{c: c}
	batches := []Batch{
		b.tables(), b.columns(), b.entities(), b.clusters(), b.meta(version),
		b.hasColumn(), b.subcolumns(), b.represents(), b.keys(), b.inferred(), b.lineage(), b.inCluster(),
	}
	return slices.DeleteFunc(batches, func(x Batch) bool { return len(x.Rows) == 0 })
}

// part escapes the separator of ids in a name.
func part(name string) string { return strings.ReplaceAll(name, "::", "%3A%3A") }

// TableID is the id of a table, which is stable across runs.
func TableID(connection, schema, table string) string {
	return part(connection) + "::" + part(schema) + "::" + part(table)
}

// ColumnID is the id of a column of a table.
func ColumnID(table, column string) string { return table + "::" + part(column) }

// ClusterID is the id of a cluster.
func ClusterID(connection string, number int) string {
	return part(connection) + "::cluster::" + strconv.Itoa(number)
}

// EntityID is the id of an entity.
func EntityID(connection, name string) string { return part(connection) + "::entity::" + part(name) }

type builder struct{ c *catalog.Catalog }

func (b *builder) table(i int) string {
	t := &b.c.Tables[i]
	return TableID(b.c.Connection, t.Schema, t.Name)
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
	x := Batch{Name: graph.SchemaTable, Columns: []string{
		graph.Key, "connection_name", "database", "schema_name", "table_name", "row_count", "row_count_source", "comment", "description", "tags", "aliases", "table_type",
		"seq_scan_count", "idx_scan_count", "insert_count", "update_count", "delete_count", "is_partitioned", "partition_key", "partition_count",
		"table_bytes", "role", "role_confidence", "classification_signals", "has_external_consumers",
	}}
	for i := range b.c.Tables {
		t, f := &b.c.Tables[i], &b.c.Facts[i]
		usage := make([]any, 5)
		if u := t.Usage; u != nil {
			usage = []any{u.SeqScans, u.IdxScans, u.Inserts, u.Updates, u.Deletes}
		}
		partitioned, key, count := false, any(nil), any(nil)
		if p := t.Partition; p != nil {
			partitioned, key, count = true, some(strings.Join(p.Key, ", ")), p.Count
		}
		row := []any{
			b.table(i), b.c.Connection, b.c.Database, t.Schema, t.Name, number(t.Rows), some(t.RowsSource), some(t.Comment), some(f.Description),
			f.Tags, f.Aliases, t.Type,
		}
		row = append(row, usage...)
		x.Rows = append(x.Rows, append(row, partitioned, key, count, number(t.Bytes), some(f.Role), f.Confidence, text(f.Signals), false))
	}
	return x
}

func (b *builder) columns() Batch {
	x := Batch{Name: graph.SchemaColumn, Columns: []string{
		graph.Key, "connection_name", "database", "schema_name", "table_name", "column_name", "description", "data_type", "nullable", "is_primary_key",
		"is_foreign_key", "comment", "default_value", "is_indexed", "check_constraints_json", "enum_values_json", "ordinal_position", "most_common_values_json",
		"histogram_bounds_json", "stats_correlation", "column_cardinality", "null_fraction", "min_value", "max_value", "index_type", "index_is_unique",
		"is_generated", "parent_column_id", "is_array",
	}}
	for i := range b.c.Tables {
		t := &b.c.Tables[i]
		facts := b.columnFacts(t)
		for _, c := range t.Columns {
			f := facts[c.Name]
			if c.Parent != "" {
				f = columnFacts{}
			}
			s := c.Stats
			if s == nil {
				s = &model.Stats{}
			}
			var parent any
			if c.Parent != "" {
				parent = ColumnID(b.table(i), c.Parent)
			}
			x.Rows = append(x.Rows, []any{
				b.column(i, &c), b.c.Connection, b.c.Database, t.Schema, t.Name, c.Name, some(c.Comment), some(c.Type), c.Nullable, f.primary,
				f.foreign, some(c.Comment), some(c.Default), f.index != nil, text(f.checks), text(c.Enum), c.Ordinal, text(s.Common),
				text(s.Histogram), float(s.Correlation), number(s.Distinct), float(s.NullFraction), some(s.Min), some(s.Max), f.indexType(), f.unique,
				c.Generated, parent, c.Array,
			})
		}
	}
	return x
}

// column is the id of a column; a field of a struct has the whole path.
func (b *builder) column(table int, c *model.Column) string {
	name := c.Name
	if c.Parent != "" {
		name = c.Parent + "." + c.Name
	}
	return ColumnID(b.table(table), name)
}

type columnFacts struct {
	primary, foreign, unique bool
	index                    *model.Index
	checks                   []string
}

func (f columnFacts) indexType() any {
	if f.index == nil {
		return nil
	}
	return some(f.index.Type)
}

// columnFacts gathers what keys, indexes and checks say of a table's columns.
func (b *builder) columnFacts(t *model.Table) map[string]columnFacts {
	facts := map[string]columnFacts{}
	change := func(names []string, f func(*columnFacts)) {
		for _, n := range names {
			x := facts[n]
			f(&x)
			facts[n] = x
		}
	}
	if t.PrimaryKey != nil {
		change(t.PrimaryKey.Columns, func(f *columnFacts) { f.primary = true })
	}
	for _, k := range t.ForeignKeys {
		change(k.Columns, func(f *columnFacts) { f.foreign = true })
	}
	for i := range t.Indexes {
		index := &t.Indexes[i]
		change(index.Columns, func(f *columnFacts) {
			if f.index == nil {
				f.index = index
			}
		})
	}
	for _, c := range t.Columns {
		if t.IsKey([]string{c.Name}) {
			change([]string{c.Name}, func(f *columnFacts) { f.unique = true })
		}
	}
	for _, k := range t.Checks {
		change(k.Columns, func(f *columnFacts) { f.checks = append(f.checks, k.Expr) })
	}
	return facts
}

func (b *builder) entities() Batch {
	x := Batch{Name: graph.Entity, Columns: []string{graph.Key, "connection_name", "database", "name", "description", "source"}}
	for _, e := range b.c.Entities {
		x.Rows = append(x.Rows, []any{EntityID(b.c.Connection, e.Name), b.c.Connection, b.c.Database, e.Name, some(e.Description), e.Source})
	}
	return x
}

func (b *builder) clusters() Batch {
	x := Batch{Name: graph.Cluster, Columns: []string{graph.Key, "database_key", "connection_name", "label", "description", "cohesion_score", "table_count", "stale", "schema_pattern"}}
	for _, k := range b.c.Clusters {
		x.Rows = append(x.Rows, []any{ClusterID(b.c.Connection, k.Number), b.c.Connection, b.c.Connection, k.Label, some(k.Description), k.Cohesion, len(k.Tables), k.Stale, k.Pattern})
	}
	return x
}

func (b *builder) meta(version string) Batch {
	return Batch{Name: graph.GraphMeta, Columns: []string{graph.Key, "generation", "schema_version", "product_version", "built_at"}, Rows: [][]any{
		{"meta", b.c.Generation, strconv.Itoa(graph.SchemaVersion), version, b.c.BuiltAt.UTC().Format(time.RFC3339)},
	}}
}

func edges(name string, properties ...string) Batch {
	return Batch{Name: name, Columns: append([]string{"from", "to"}, properties...)}
}

func (b *builder) hasColumn() Batch {
	x := edges(graph.HasColumn)
	for i := range b.c.Tables {
		for _, c := range b.c.Tables[i].Columns {
			if c.Parent == "" {
				x.Rows = append(x.Rows, []any{b.table(i), b.column(i, &c)})
			}
		}
	}
	return x
}

func (b *builder) subcolumns() Batch {
	x := edges(graph.HasSubcolumn)
	for i := range b.c.Tables {
		for _, c := range b.c.Tables[i].Columns {
			if c.Parent != "" {
				x.Rows = append(x.Rows, []any{ColumnID(b.table(i), c.Parent), b.column(i, &c)})
			}
		}
	}
	return x
}

func (b *builder) represents() Batch {
	x := edges(graph.Represents)
	for _, e := range b.c.Entities {
		for _, t := range e.Tables {
			x.Rows = append(x.Rows, []any{EntityID(b.c.Connection, e.Name), b.table(t)})
		}
	}
	return x
}

// keys has one edge for each pair of columns of a declared key.
func (b *builder) keys() Batch {
	x := edges(graph.FKReferences, "edge_id", "source_column", "target_column", "constraint_name", "ordinal", "on_delete", "on_update")
	for i := range b.c.Edges() {
		e := b.c.Edge(i)
		if !e.Declared {
			continue
		}
		for k := range e.FromColumns {
			x.Rows = append(x.Rows, []any{
				b.table(e.From), b.table(e.To), b.pair(e, k), e.FromColumns[k], e.ToColumns[k], some(e.Constraint), k + 1, some(e.OnDelete), some(e.OnUpdate),
			})
		}
	}
	return x
}

// pair names a pair of columns: schema.table.col->schema.table.col.
func (b *builder) pair(e *catalog.Edge, k int) string {
	return b.c.Name(e.From) + "." + e.FromColumns[k] + "->" + b.c.Name(e.To) + "." + e.ToColumns[k]
}

func (b *builder) inferred() Batch {
	x := edges(graph.InferredJoin, "edge_id", "source_column", "target_column", "source", "confidence", "reasoning")
	for i := range b.c.Edges() {
		e := b.c.Edge(i)
		if e.Declared {
			continue
		}
		for k := range e.FromColumns {
			id := fmt.Sprintf("%s:%s:%s", e.Source, b.c.Connection, b.pair(e, k))
			x.Rows = append(x.Rows, []any{b.table(e.From), b.table(e.To), id, e.FromColumns[k], e.ToColumns[k], e.Source, e.Confidence, some(e.Reasoning)})
		}
	}
	return x
}

func (b *builder) lineage() Batch {
	x := edges(graph.Lineage, "edge_id", "source", "lineage_type", "confidence")
	index := map[string]int{}
	for i := range b.c.Tables {
		index[b.c.Name(i)] = i
	}
	for _, l := range b.c.Lineage {
		from, ok1 := index[model.Qualify(l.FromSchema, l.FromTable)]
		to, ok2 := index[model.Qualify(l.ToSchema, l.ToTable)]
		if !ok1 || !ok2 || from == to {
			continue
		}
		x.Rows = append(x.Rows, []any{b.table(from), b.table(to), "lineage::" + LineageID(b.c.Connection, b.table(from), b.table(to), l.Type), l.Source, l.Type, l.Confidence})
	}
	return x
}

// LineageID is the stable part of a lineage edge's id.
func LineageID(connection, from, to, kind string) string {
	sum := sha256.Sum256([]byte(connection + "|" + from + "->" + to + "|" + kind))
	return hex.EncodeToString(sum[:16])
}

func (b *builder) inCluster() Batch {
	x := edges(graph.InCluster)
	for _, k := range b.c.Clusters {
		for _, t := range k.Tables {
			x.Rows = append(x.Rows, []any{b.table(t), ClusterID(b.c.Connection, k.Number)})
		}
	}
	return x
}
