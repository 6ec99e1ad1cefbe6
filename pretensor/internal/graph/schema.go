package graph

import (
	"fmt"
	"slices"
	"strings"
)

// SchemaVersion counts changes of the schema that an older graph cannot be brought
// to by adding columns. It is written to GraphMeta.
const SchemaVersion = 1

// Key is the primary key of every label, a string.
const Key = "node_id"

// Names of the labels.
const (
	SchemaTable      = "SchemaTable"
	SchemaColumn     = "SchemaColumn"
	Entity           = "Entity"
	Cluster          = "Cluster"
	JoinPath         = "JoinPath"
	MetricTemplate   = "MetricTemplate"
	ExternalConsumer = "ExternalConsumer"
	Metric           = "Metric"
	Dimension        = "Dimension"
	BusinessRule     = "BusinessRule"
	GraphMeta        = "GraphMeta"
)

// Names of the edge types.
const (
	HasColumn       = "HAS_COLUMN"
	HasSubcolumn    = "HAS_SUBCOLUMN"
	Represents      = "REPRESENTS"
	FKReferences    = "FK_REFERENCES"
	InferredJoin    = "INFERRED_JOIN"
	Lineage         = "LINEAGE"
	SameEntity      = "SAME_ENTITY"
	InCluster       = "IN_CLUSTER"
	MetricDepends   = "METRIC_DEPENDS"
	Consumes        = "CONSUMES"
	MetricDependsOn = "METRIC_DEPENDS_ON"
	DimensionLevel  = "DIMENSION_LEVEL"
	RuleAppliesTo   = "RULE_APPLIES_TO"
)

// Property is a property of a label or an edge type.
type Property struct {
	Name string `json:"name"`
	Type string `json:"type"` // the engine's: STRING, INT64, DOUBLE, BOOL, STRING[], FLOAT[384]
}

// Label is a kind of node.
type Label struct {
	Name        string
	Description string
	Properties  []Property // the key first
}

// EdgeType is a kind of edge. It joins nodes of one label to nodes of one label.
type EdgeType struct {
	Name        string
	From, To    string
	Description string
	Properties  []Property // may be empty, never nil
}

// props writes a list of properties as a type followed by the names that have it.
func props(typed ...[]string) []Property {
	list := []Property{}
	for _, t := range typed {
		for _, name := range t[1:] {
			list = append(list, Property{Name: name, Type: t[0]})
		}
	}
	return list
}

func str(names ...string) []string   { return append([]string{"STRING"}, names...) }
func list(names ...string) []string  { return append([]string{"STRING[]"}, names...) }
func num(names ...string) []string   { return append([]string{"INT64"}, names...) }
func float(names ...string) []string { return append([]string{"DOUBLE"}, names...) }
func truth(names ...string) []string { return append([]string{"BOOL"}, names...) }

var labels = []Label{
	{SchemaTable, "A table or view of the database, with what is known about its size, use and role", props(
		str(Key, "connection_name", "database", "schema_name", "table_name"),
		num("row_count"), str("row_count_source", "comment", "description"), list("tags", "aliases"),
		str("entity_type", "table_type"),
		num("seq_scan_count", "idx_scan_count", "insert_count", "update_count", "delete_count"),
		truth("is_partitioned"), str("partition_key"), num("partition_count"), str("grants_json"),
		num("access_read_count", "access_write_count", "days_since_last_access"), truth("potentially_unused"),
		num("table_bytes"), str("clustering_key", "role"), float("role_confidence"), str("classification_signals"),
		truth("has_external_consumers"), num("test_count"), str("staleness_status", "staleness_as_of", "dbt_unique_id"),
	)},
	{SchemaColumn, "A column of a table, or a field of a struct column, with its type, keys and statistics", props(
		str(Key, "connection_name", "database", "schema_name", "table_name", "column_name", "description", "data_type"),
		truth("nullable", "is_primary_key", "is_foreign_key"), str("comment", "default_value"), truth("is_indexed"),
		str("check_constraints_json", "enum_values_json"), num("ordinal_position"),
		str("most_common_values_json", "histogram_bounds_json"), float("stats_correlation"), num("column_cardinality"),
		float("null_fraction"), str("min_value", "max_value", "index_type"), truth("index_is_unique", "is_generated"),
		str("parent_column_id"), truth("is_array"),
	)},
	{Entity, "A thing of the business that tables stand for", props(
		str(Key, "connection_name", "database", "name", "description", "source"),
	)},
	{Cluster, "A community of tables that are joined more with each other than with the rest", props(
		str(Key, "database_key", "connection_name", "label", "description"), float("cohesion_score"), num("table_count"),
		truth("stale"), str("schema_pattern"),
	)},
	{JoinPath, "A precomputed way from one table to another along joins", props(
		str(Key, "database_key", "from_table_id", "to_table_id"), num("depth"), float("confidence", "cost"),
		truth("ambiguous"), str("steps_json", "semantic_label"), truth("stale"),
	)},
	{MetricTemplate, "A metric of the semantic layer, compiled to SQL", props(
		str(Key, "connection_name", "database", "dialect", "name", "display_name", "description", "sql_template", "tables_used_json"),
		truth("validated"), str("validation_errors_json", "generated_at_iso"), truth("stale"),
	)},
	{ExternalConsumer, "A place in the code of a service that reads or writes tables", props(
		str(Key, "connection_name", "service_name", "file_path", "language", "symbol", "kind"), num("line_start", "line_end"),
		str("sql_fingerprint"), float("confidence"), str("dialect_used", "scan_run_id"),
	)},
	{Metric, "Reserved: a metric by name", props(
		str(Key, "connection_name", "name", "display_name", "description", "sql_template"),
	)},
	{Dimension, "Reserved: a dimension by name", props(
		str(Key, "connection_name", "name", "display_name", "description", "dimension_type"),
	)},
	{BusinessRule, "Reserved: a rule of the business about tables", props(
		str(Key, "connection_name", "name", "description", "rule_type", "expression"),
	)},
	{GraphMeta, "One node that tells which generation of the graph this is and what built it", props(
		str(Key, "generation", "schema_version", "product_version", "built_at"),
	)},
}

var edgeTypes = []EdgeType{
	{HasColumn, SchemaTable, SchemaColumn, "The table has the column", props()},
	{HasSubcolumn, SchemaColumn, SchemaColumn, "The struct column has the field", props()},
	{Represents, Entity, SchemaTable, "The entity is stored in the table", props()},
	{FKReferences, SchemaTable, SchemaTable, "A declared foreign key, child to parent; one edge per pair of columns, those of a composite key share constraint_name", props(
		str("edge_id", "source_column", "target_column", "constraint_name"), num("ordinal"), str("on_delete", "on_update"),
	)},
	{InferredJoin, SchemaTable, SchemaTable, "A join that nobody declared but names, values, models or code suggest, child to parent", props(
		str("edge_id", "source_column", "target_column", "source"), float("confidence"), str("reasoning"),
	)},
	{Lineage, SchemaTable, SchemaTable, "Data flows from the first table into the second, by a view, a trigger or a model", props(
		str("edge_id", "source", "lineage_type"), float("confidence"),
	)},
	{SameEntity, Entity, Entity, "Two entities of different connections are the same thing, as far as status says", props(
		str("edge_id", "status"), float("score"), str("join_columns", "reasoning", "created_at", "confirmed_at", "confirmed_by"),
	)},
	{InCluster, SchemaTable, Cluster, "The table belongs to the cluster", props()},
	{MetricDepends, MetricTemplate, SchemaTable, "The compiled metric reads the table", props()},
	{Consumes, ExternalConsumer, SchemaTable, "The code reads or writes the table", props(
		str("edge_id", "op", "source"), float("confidence"), str("scan_run_id"),
	)},
	{MetricDependsOn, Metric, SchemaTable, "Reserved: the metric reads the table", props()},
	{DimensionLevel, Dimension, SchemaColumn, "Reserved: the column is a level of the dimension", props()},
	{RuleAppliesTo, BusinessRule, SchemaTable, "Reserved: the rule is about the table", props()},
}

// Labels returns the node labels in their documented order. dimension is the
// length of the tables' embedding vectors; with 0 there is no such property. The
// result is the caller's.
func Labels(dimension int) []Label {
	out := slices.Clone(labels)
	for i := range out {
		out[i].Properties = slices.Clone(out[i].Properties)
		if out[i].Name == SchemaTable && dimension > 0 {
			out[i].Properties = append(out[i].Properties, Property{Name: "embedding", Type: fmt.Sprintf("FLOAT[%d]", dimension)})
		}
	}
	return out
}

// EdgeTypes returns the edge types in their documented order. The result is the
// caller's.
func EdgeTypes() []EdgeType {
	out := slices.Clone(edgeTypes)
	for i := range out {
		out[i].Properties = slices.Clone(out[i].Properties)
	}
	return out
}

// Find returns the label or the edge type of a name, compared without regard to
// case; both are nil when there is none.
func Find(name string, dimension int) (*Label, *EdgeType) {
	for _, l := range Labels(dimension) {
		if strings.EqualFold(l.Name, name) {
			return &l, nil
		}
	}
	for _, e := range EdgeTypes() {
		if strings.EqualFold(e.Name, name) {
			return nil, &e
		}
	}
	return nil, nil
}
