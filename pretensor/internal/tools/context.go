package tools

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/drift"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph/fill"
	"github.com/quartet-mcp/quartet/pretensor/internal/lookup"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/paths"
	"github.com/quartet-mcp/quartet/pretensor/internal/types"
)

// This file defines context, which tells everything that is known of one table.

type contextArgs struct {
	Table          string `json:"table" jsonschema:"table or schema.table"`
	DB             string `json:"db,omitempty" jsonschema:"a connection; may be left out if there is only one"`
	Detail         string `json:"detail,omitempty" jsonschema:"how much to tell" enum:"summary,standard,full" default:"standard"`
	IncludeSimilar bool   `json:"include_similar,omitempty" jsonschema:"whether to add the tables that mean the most similar things" default:"false"`
	SimilarK       int    `json:"similar_k,omitempty" jsonschema:"how many similar tables" default:"5" minimum:"1" maximum:"50"`
}

// contextResult has either a summary or the two parts of the whole.
type contextResult struct {
	Summary *tableSummary `json:"summary,omitempty" jsonschema:"at detail summary, in place of all the rest"`
	*TableAbout
	StalenessWarning *string `json:"staleness_warning" jsonschema:"what to do about a stale index; null: it is not stale"`
	*TableUse
	Similar       []similarTable `json:"similar_tables,omitzero" jsonschema:"the nearest first"`
	SimilarReason string         `json:"similar_reason,omitempty" jsonschema:"nearest_by_embedding, or why there are none: no_embedding, disabled, none_above_floor or error"`
	Detail        string         `json:"detail,omitempty" jsonschema:"the detail that was asked for"`
	Cut           bool           `json:"truncated,omitempty" jsonschema:"whether lists were left out in part"`
	TotalColumns  int            `json:"total_columns,omitempty" jsonschema:"how many columns there are, if some were left out"`
	TotalIndexes  int            `json:"total_indexes,omitempty" jsonschema:"how many indexes there are, if some were left out"`
	TotalIn       int            `json:"total_lineage_in,omitempty" jsonschema:"how many entries of lineage_in there are, if some were left out"`
	TotalOut      int            `json:"total_lineage_out,omitempty" jsonschema:"how many entries of lineage_out there are, if some were left out"`
	TotalGrants   int            `json:"total_grants,omitempty" jsonschema:"how many grants there are, if some were left out"`
	TotalAliases  int            `json:"total_aliases,omitempty" jsonschema:"how many aliases there are, if some were left out"`
	warned
}

// TableAbout is the greater part of the answer.
type TableAbout struct {
	Connection            string         `json:"connection_name" jsonschema:"the connection"`
	Database              string         `json:"database" jsonschema:"the database's own name"`
	Schema                string         `json:"schema_name" jsonschema:"the table's schema"`
	Name                  string         `json:"table_name" jsonschema:"the table's bare name"`
	QualifiedName         string         `json:"qualified_name" jsonschema:"schema and name"`
	Type                  *string        `json:"table_type" jsonschema:"table, partitioned_table, view, materialized_view, foreign_table or external_table"`
	Description           string         `json:"description" jsonschema:"what models or comments say of it"`
	Tags                  []string       `json:"tags,omitempty" jsonschema:"labels that people gave it"`
	Aliases               []string       `json:"aliases,omitempty" jsonschema:"other names of it, and views that show nothing but it"`
	Rows                  *int64         `json:"row_count" jsonschema:"about how many rows it has; null: not known"`
	RowsSource            string         `json:"row_count_source,omitempty" jsonschema:"stat, exact, view_count, view_timeout or metadata"`
	EntityName            *string        `json:"entity_name" jsonschema:"the thing of the business that it stands for"`
	EntityDescription     *string        `json:"entity_description" jsonschema:"what that thing is"`
	EntityType            *string        `json:"entity_type" jsonschema:"the kind of thing that a row of it is"`
	Role                  *string        `json:"role" jsonschema:"fact, dimension, junction, bridge, aggregate, staging, audit, snapshot_scd, system, entity_candidate or unknown"`
	RoleConfidence        *float64       `json:"role_confidence" jsonschema:"how sure the role is, 0 to 1"`
	ClassificationSummary string         `json:"classification_summary" jsonschema:"role and cluster in a sentence"`
	Signals               []string       `json:"classification_signals,omitempty" jsonschema:"why it has its role"`
	Cluster               *tableCluster  `json:"cluster" jsonschema:"the group of tables that it is joined with most; null: none"`
	Columns               []columnItem   `json:"columns" jsonschema:"its columns, by position"`
	PrimaryKey            []string       `json:"primary_key" jsonschema:"columns of the primary key, in its order"`
	Relationships         []relationship `json:"relationships" jsonschema:"joins: declared ones first, then what leads out of the table, then the most certain"`
	RelationshipsTotal    int            `json:"relationships_total,omitempty" jsonschema:"how many joins there are, if some were left out"`
	Neighbours
	LineageIn         []lineageItem `json:"lineage_in,omitempty" jsonschema:"what feeds it"`
	LineageOut        []lineageItem `json:"lineage_out,omitempty" jsonschema:"what it feeds"`
	LineageMarkdown   string        `json:"lineage_markdown,omitempty" jsonschema:"both as a list for people"`
	ShadowOf          string        `json:"shadow_of,omitempty" jsonschema:"the table that this view shows and nothing else"`
	ViewTables        []string      `json:"view_definition_tables,omitempty" jsonschema:"the tables that the view reads"`
	Indexes           []indexItem   `json:"indexes" jsonschema:"its indexes, by name"`
	Partition         *partition    `json:"partition,omitempty" jsonschema:"how it is partitioned"`
	ExternalConsumers bool          `json:"has_external_consumers,omitempty" jsonschema:"whether reports or applications outside depend on it"`
	Consumers         *consumedBy   `json:"consumers,omitempty" jsonschema:"code that uses it; the tool consumers has the places"`
	DeprecationSignal *string       `json:"deprecation_signal" jsonschema:"why it seems to be out of use; null: nothing says so"`
}

// Neighbours are samples of the tables that a table is joined with directly.
type Neighbours struct {
	Referenced sample `json:"referenced_tables" jsonschema:"tables that it refers to"`
	Referring  sample `json:"referring_tables" jsonschema:"tables that refer to it"`
}

type sample struct {
	Tables []string `json:"tables" jsonschema:"at most ten of them"`
	Total  int      `json:"total" jsonschema:"how many there are"`
}

// TableUse is how a table is used.
type TableUse struct {
	Usage  *usageStats    `json:"usage_stats,omitempty" jsonschema:"counters of the database since its statistics began"`
	Access *accessPattern `json:"access_patterns,omitempty" jsonschema:"what the database keeps about the use of it"`
	Grants []grant        `json:"grants,omitempty" jsonschema:"who may do what, at detail full"`
}

type tableCluster struct {
	ID           string  `json:"cluster_id" jsonschema:"id of the cluster"`
	Label        string  `json:"label" jsonschema:"what it is called"`
	Description  string  `json:"description" jsonschema:"what it holds"`
	Cohesion     float64 `json:"cohesion_score" jsonschema:"how tightly its tables are joined"`
	Pattern      string  `json:"schema_pattern" jsonschema:"star, snowflake, constellation, erd or unknown"`
	Tables       int     `json:"table_count" jsonschema:"how many tables it has"`
	Stale        bool    `json:"stale,omitempty" jsonschema:"whether tables of it have changed since it was found"`
	StaleWarning string  `json:"stale_warning,omitempty" jsonschema:"what to do about that"`
}

type columnItem struct {
	Name        string       `json:"column_name" jsonschema:"its name"`
	Type        string       `json:"data_type" jsonschema:"its type, as the database writes it"`
	Nullable    bool         `json:"nullable" jsonschema:"whether it may be null"`
	Primary     bool         `json:"is_primary_key" jsonschema:"whether it is part of the primary key"`
	Foreign     bool         `json:"is_foreign_key" jsonschema:"whether it is part of a declared foreign key"`
	Description string       `json:"description" jsonschema:"what is said of it"`
	Indexed     bool         `json:"is_indexed" jsonschema:"whether an index has it"`
	Default     string       `json:"default_value,omitempty" jsonschema:"expression of its default"`
	Checks      []string     `json:"check_constraints,omitempty" jsonschema:"conditions on it"`
	Enum        []string     `json:"enum_values,omitempty" jsonschema:"the values that its type has"`
	EnumTotal   int          `json:"enum_values_total,omitempty" jsonschema:"how many values there are, if some were left out"`
	Generated   bool         `json:"is_generated,omitempty" jsonschema:"whether it is computed"`
	References  string       `json:"references,omitempty" jsonschema:"schema.table.column that it refers to by a declared key"`
	Array       bool         `json:"is_array,omitempty" jsonschema:"whether it holds lists"`
	Parent      string       `json:"parent_column,omitempty" jsonschema:"the struct column that it is a field of, with dots where that is a field too"`
	Stats       *columnStats `json:"stats,omitempty" jsonschema:"statistics, at detail full"`
}

type columnStats struct {
	NullFraction *float64 `json:"null_fraction,omitempty" jsonschema:"share of nulls, 0 to 1"`
	Distinct     *int64   `json:"distinct_estimate,omitempty" jsonschema:"about how many different values"`
	Source       string   `json:"cardinality_source,omitempty" jsonschema:"catalog or sample"`
	Min          string   `json:"min,omitempty" jsonschema:"smallest number or date"`
	Max          string   `json:"max,omitempty" jsonschema:"greatest number or date"`
	Common       []string `json:"most_common_values,omitempty" jsonschema:"most common values, where they may be kept"`
	Histogram    []string `json:"histogram_bounds,omitempty" jsonschema:"bounds of equal shares of the values"`
	Correlation  *float64 `json:"correlation,omitempty" jsonschema:"between the order of values and that on disk, -1 to 1"`
	IndexType    string   `json:"index_type,omitempty" jsonschema:"type of the index that has it"`
	IndexUnique  *bool    `json:"index_is_unique,omitempty" jsonschema:"whether its values are unique; absent without an index"`
}

type relationship struct {
	Direction     string   `json:"direction" jsonschema:"out: this table refers to the other; in: the other to this"`
	Target        string   `json:"target_table" jsonschema:"the other table"`
	Type          string   `json:"rel_type" jsonschema:"FK_REFERENCES or INFERRED_JOIN"`
	SourceColumn  string   `json:"source_column" jsonschema:"first column of this table"`
	TargetColumn  string   `json:"target_column" jsonschema:"first column of the other table"`
	SourceColumns []string `json:"source_columns" jsonschema:"columns of this table, in the order of the key"`
	TargetColumns []string `json:"target_columns" jsonschema:"columns of the other table, in the same order"`
	Constraint    *string  `json:"constraint_name" jsonschema:"name of the declared key"`
	Source        string   `json:"source" jsonschema:"declared_fk, heuristic, statistical, embedding, dbt or usage"`
	Confidence    float64  `json:"confidence" jsonschema:"how sure the join is; 1 when it is declared"`
	Reasoning     *string  `json:"reasoning" jsonschema:"why a join is inferred"`
	Cardinality   string   `json:"cardinality" jsonschema:"from this table to the other: many_to_one, one_to_one, one_to_many or unknown"`
}

type lineageItem struct {
	Table      string  `json:"table" jsonschema:"the other table"`
	Type       string  `json:"lineage_type" jsonschema:"VIEW, MATERIALIZED_VIEW, TRIGGER, TASK, STREAM or model_dependency"`
	Confidence float64 `json:"confidence" jsonschema:"how sure it is, 0 to 1"`
	Source     string  `json:"source" jsonschema:"what says so"`
}

type indexItem struct {
	Name    string   `json:"name" jsonschema:"its name"`
	Columns []string `json:"columns" jsonschema:"its columns; expressions are in parentheses"`
	Unique  bool     `json:"unique" jsonschema:"whether it allows no two equal entries"`
	Type    string   `json:"type" jsonschema:"btree, hash, gin or another"`
}

type partition struct {
	Is    bool   `json:"is_partitioned" jsonschema:"always true"`
	Key   string `json:"partition_key" jsonschema:"columns or expressions of the key"`
	Count int    `json:"partition_count" jsonschema:"how many partitions there are"`
}

type consumedBy struct {
	Read     int      `json:"read" jsonschema:"places that read it"`
	Write    int      `json:"write" jsonschema:"places that write it"`
	Services []string `json:"services" jsonschema:"services that do, sorted"`
}

type usageStats struct {
	SeqScans int64 `json:"seq_scan_count" jsonschema:"reads of the whole table"`
	IdxScans int64 `json:"idx_scan_count" jsonschema:"reads by an index"`
	Inserts  int64 `json:"insert_count" jsonschema:"rows inserted"`
	Updates  int64 `json:"update_count" jsonschema:"rows updated"`
	Deletes  int64 `json:"delete_count" jsonschema:"rows deleted"`
}

type accessPattern struct {
	Bytes int64 `json:"table_bytes" jsonschema:"size on disk"`
}

type grant struct {
	Grantee   string   `json:"grantee" jsonschema:"user or role"`
	Privilege string   `json:"privilege" jsonschema:"what it may do"`
	Columns   []string `json:"columns,omitempty" jsonschema:"only with these columns"`
}

type similarTable struct {
	ID        string  `json:"table_id" jsonschema:"id of the table"`
	Name      string  `json:"qualified_name" jsonschema:"schema and name"`
	Score     float64 `json:"score" jsonschema:"cosine of the two vectors"`
	ClusterID *string `json:"cluster_id" jsonschema:"its cluster; null: none"`
}

type tableSummary struct {
	QualifiedName string   `json:"qualified_name" jsonschema:"schema and name"`
	Type          *string  `json:"table_type" jsonschema:"table, view or another kind"`
	Description   string   `json:"description" jsonschema:"what is said of it, in short"`
	Rows          *int64   `json:"row_count" jsonschema:"about how many rows it has; null: not known"`
	Role          *string  `json:"role" jsonschema:"the part that it plays"`
	ClusterLabel  *string  `json:"cluster_label" jsonschema:"the group of tables that it belongs to"`
	EntityName    *string  `json:"entity_name" jsonschema:"the thing of the business that it stands for"`
	Columns       int      `json:"column_count" jsonschema:"how many columns it has"`
	PrimaryKey    []string `json:"primary_key" jsonschema:"columns of the primary key, in its order"`
	KeyColumns    []string `json:"key_columns" jsonschema:"at most eight: keys, then dates, then measures"`
	Relationships int      `json:"relationship_count" jsonschema:"joins with other tables"`
	Neighbours
	LineageIn  int `json:"lineage_in_count" jsonschema:"entries of lineage_in"`
	LineageOut int `json:"lineage_out_count" jsonschema:"entries of lineage_out"`
}

// Values of detail.
const (
	detailSummary  = "summary"
	detailStandard = "standard"
	detailFull     = "full"
)

// Bounds of an answer.
const (
	maxInferred     = 25 // inferred joins at standard
	maxInferredFull = 200
	maxNeighbours   = 10
	maxKeyColumns   = 8
	maxBrief        = 120  // characters of a description in a summary
	maxTold         = 2000 // of one in full, and of any other text of a table
	maxEnum         = 100  // labels of an enum
	maxListed       = 20   // entries in a direction of lineage_markdown
)

func tableContext(sv *Service) mcpkit.Tool[contextArgs, contextResult] {
	return mcpkit.Tool[contextArgs, contextResult]{
		Name:  "context",
		Title: "Tell everything about a table",
		Description: "Use it once you know a table and want to write SQL with it or understand it. Returns columns with types and keys, joins in both directions " +
			"(declared and inferred, with confidence and cardinality), lineage, role, cluster, indexes and the code that uses it. detail summary is one short object, " +
			"full adds column statistics and grants; include_similar adds tables of like meaning. Never returns rows; long lists are cut and say how long they are.",
		Hints: readOnly, OutOfRange: mcpkit.Clamp,
		// A summary has none of the rest.
		Refine: func(_, out *jsonschema.Schema) {
			out.Required = []string{"staleness_warning"}
			for _, path := range []string{"summary", "cluster", "columns[].stats", "lineage_in[]", "lineage_out[]", "usage_stats", "access_patterns", "similar_tables[]", "consumers", "partition"} {
				brief(out, path)
			}
		},
		Handle: func(ctx context.Context, in contextArgs) (contextResult, error) {
			d, err := sv.open(in.DB)
			if err != nil {
				return contextResult{}, err
			}
			i, err := d.table(in.Table)
			if err != nil {
				return contextResult{}, err
			}
			var r contextResult
			if in.Detail == detailSummary {
				r.Summary = d.summary(i)
			} else {
				full := in.Detail == detailFull
				r.TableAbout, r.TableUse, r.Detail = d.about(i, full), d.use(i, full), in.Detail
			}
			if _, stale := sv.age(d.Entry); stale != "" {
				r.StalenessWarning = &stale
			}
			if in.IncludeSimilar {
				r.Similar, r.SimilarReason = sv.similar(ctx, d, i, in.SimilarK)
			}
			return r, nil
		},
	}
}

// similar are the tables that mean what is most similar, and why there are these or
// none.
func (sv *Service) similar(ctx context.Context, d database, table, k int) (tables []similarTable, reason string) {
	tables = []similarTable{}
	if sv.Lookup == nil {
		return tables, lookup.SimilarDisabled
	}
	if err := sv.Lookup.Put(ctx, d.Catalog); err != nil {
		if sv.Log != nil {
			sv.Log.Error("entering a catalog into the search index", "err", err)
		}
		return tables, lookup.SimilarError
	}
	hits, reason := sv.Lookup.Similar(sv.Embedder, d.Connection, table, k)
	for _, h := range hits {
		t := &h.Catalog.Tables[h.Table]
		x := similarTable{ID: fill.TableID(d.Connection, t.Schema, t.Name), Name: t.QualifiedName(), Score: model.Round(h.Score)}
		if h.Cluster >= 0 {
			id := fill.ClusterID(d.Connection, h.Catalog.Clusters[h.Cluster].Number)
			x.ClusterID = &id
		}
		tables = append(tables, x)
	}
	return tables, reason
}

func (d database) about(i int, full bool) *TableAbout {
	t, f := &d.Tables[i], &d.Facts[i]
	a := &TableAbout{
		Connection: d.Connection, Database: d.Database, Schema: t.Schema, Name: t.Name, QualifiedName: t.QualifiedName(), Type: some(t.Type),
		Description: abridge(cmp.Or(f.Description, t.Comment), maxTold), Tags: f.Tags, Aliases: d.aliases(i),
		Role: some(f.Role), ClassificationSummary: d.classification(i),
		Columns: d.columns(i, full), PrimaryKey: primaryKey(t), Indexes: make([]indexItem, 0, len(t.Indexes)),
	}
	a.Rows, a.RowsSource = rows(t)
	if e := d.entityOf(i); e != nil {
		description := abridge(e.Description, maxTold)
		a.EntityName, a.EntityDescription, a.EntityType = &e.Name, &description, &e.Name
	}
	if f.Role != "" {
		confidence := model.Round(f.Confidence)
		a.RoleConfidence = &confidence
	}
	a.Cluster = d.cluster(i)
	joins := d.relationships(i)
	a.Neighbours = neighbourhood(joins)
	a.Relationships = capInferred(joins, full)
	if len(a.Relationships) < len(joins) {
		a.RelationshipsTotal = len(joins)
	}
	a.LineageIn, a.LineageOut = d.lineage(i)
	a.LineageMarkdown = lineageMarkdown(a.LineageIn, a.LineageOut)
	if base := d.ShadowOf(i); base >= 0 {
		a.ShadowOf = d.Name(base)
	}
	for _, x := range t.Indexes {
		a.Indexes = append(a.Indexes, indexItem{x.Name, x.Columns, x.Unique, x.Type})
	}
	if p := t.Partition; p != nil {
		a.Partition = &partition{true, strings.Join(p.Key, ", "), p.Count}
	}
	a.Consumers = d.consumedBy(i)
	a.ExternalConsumers = d.reported(i)
	if full {
		a.Signals = f.Signals
		for _, l := range a.LineageIn {
			if l.Type == model.LineageView || l.Type == model.LineageMaterializedView {
				a.ViewTables = append(a.ViewTables, l.Table)
			}
		}
		a.ViewTables = slices.Compact(a.ViewTables) // lineage is sorted by table
	}
	return a
}

func (d database) use(i int, full bool) *TableUse {
	t, u := &d.Tables[i], &TableUse{}
	if x := t.Usage; x != nil {
		u.Usage = &usageStats{x.SeqScans, x.IdxScans, x.Inserts, x.Updates, x.Deletes}
	}
	if t.Bytes != nil {
		u.Access = &accessPattern{*t.Bytes}
	}
	if full {
		for _, g := range t.Grants {
			u.Grants = append(u.Grants, grant{g.Grantee, g.Privilege, g.Columns})
		}
	}
	return u
}

func (d database) summary(i int) *tableSummary {
	t, f := &d.Tables[i], &d.Facts[i]
	joins := d.relationships(i)
	in, out := d.lineage(i)
	s := &tableSummary{
		QualifiedName: t.QualifiedName(), Type: some(t.Type), Description: abridge(cmp.Or(f.Description, t.Comment), maxBrief),
		Role: some(f.Role), Columns: len(t.Columns), PrimaryKey: primaryKey(t), KeyColumns: keyColumns(d.Dialect, t),
		Relationships: len(joins), Neighbours: neighbourhood(joins), LineageIn: len(in), LineageOut: len(out),
	}
	s.Rows, _ = rows(t)
	if k := d.clusterOf(i); k != nil {
		s.ClusterLabel = &k.Label
	}
	if e := d.entityOf(i); e != nil {
		s.EntityName = &e.Name
	}
	return s
}

// some is nil for an empty text.
func some(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// rounded is a number that may be absent.
func rounded(f *float64) *float64 {
	if f == nil {
		return nil
	}
	r := model.Round(*f)
	return &r
}

// abridge cuts a text to n characters.
func abridge(s string, n int) string {
	if len(s) <= n {
		return s
	}
	count, last := 0, 0
	for i := range s {
		if count == n {
			return s[:last] + "…"
		}
		count, last = count+1, i
	}
	return s
}

func abridged(list []string, n int) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = abridge(s, n)
	}
	return out
}

// rows is the row count of a table, nil where it is not known, and where it comes
// from.
func rows(t *model.Table) (*int64, string) {
	switch {
	case t.Rows == nil:
		return nil, ""
	case *t.Rows < 0:
		return nil, model.CountTimeout
	}
	return t.Rows, t.RowsSource
}

func primaryKey(t *model.Table) []string {
	if t.PrimaryKey == nil {
		return []string{}
	}
	return t.PrimaryKey.Columns
}

// aliases are the names that models give a table, and the views that show nothing
// but it.
func (d database) aliases(i int) []string {
	out := slices.Clone(d.Facts[i].Aliases)
	for view := range d.Tables {
		if d.ShadowOf(view) == i {
			out = append(out, d.Name(view))
		}
	}
	return out
}

// clusterOf is the cluster of a table; nil: it has none.
func (d database) clusterOf(i int) *catalog.Cluster {
	for k := range d.Clusters {
		if _, ok := slices.BinarySearch(d.Clusters[k].Tables, i); ok {
			return &d.Clusters[k]
		}
	}
	return nil
}

// entityOf is the entity that a table stands for; nil: it stands for none.
func (d database) entityOf(i int) *catalog.Entity {
	for k := range d.Entities {
		if slices.Contains(d.Entities[k].Tables, i) {
			return &d.Entities[k]
		}
	}
	return nil
}

func (d database) cluster(i int) *tableCluster {
	k := d.clusterOf(i)
	if k == nil {
		return nil
	}
	c := &tableCluster{
		ID: fill.ClusterID(d.Connection, k.Number), Label: k.Label, Description: k.Description, Cohesion: model.Round(k.Cohesion), Pattern: k.Pattern,
		Tables: len(k.Tables), Stale: k.Stale,
	}
	if k.Stale {
		c.StaleWarning = "Tables of this cluster have changed since it was found. " + drift.RecommendReindex(d.Entry.Name) + " --recompute-intelligence"
	}
	return c
}

// classification says in a sentence what a table is, how sure that is, and what kind
// of cluster it is in.
func (d database) classification(i int) string {
	f := &d.Facts[i]
	kind := "table"
	if d.Tables[i].IsView() {
		kind = "view"
	}
	text := map[string]string{
		"": "Not classified", "unknown": "Of unknown role", "entity_candidate": "Entity " + kind, "snapshot_scd": "Snapshot " + kind,
	}[f.Role]
	if text == "" {
		text = strings.ToUpper(f.Role[:1]) + f.Role[1:] + " " + kind
	}
	if f.Role != "" {
		text += fmt.Sprintf(" (%.2f)", f.Confidence)
	}
	if base := d.ShadowOf(i); base >= 0 {
		return text + ", which shows " + mcpkit.Untrusted(d.Name(base)).String() + " and nothing else."
	}
	k := d.clusterOf(i)
	switch {
	case k == nil:
		return text + ", in no cluster."
	case len(k.Tables) == 1:
		return text + " in a cluster of its own."
	}
	switch k.Pattern {
	case "star", "snowflake", "constellation":
		return text + " in a " + k.Pattern + "-shaped cluster."
	case "erd":
		return text + " in a cluster of related tables."
	}
	return text + " in a cluster of no known shape."
}

func (d database) columns(i int, full bool) []columnItem {
	t := &d.Tables[i]
	facts := t.ColumnFacts()
	out := make([]columnItem, len(t.Columns))
	for k := range t.Columns {
		c := &t.Columns[k]
		x := columnItem{
			Name: c.Name, Type: abridge(c.Type, maxTold), Nullable: c.Nullable, Description: abridge(c.Comment, maxTold), Default: abridge(c.Default, maxTold),
			Enum: c.Enum, Generated: c.Generated, Array: c.Array,
		}
		if len(c.Enum) > maxEnum {
			x.Enum, x.EnumTotal = c.Enum[:maxEnum], len(c.Enum)
		}
		f := facts[c.Name]
		if c.Parent != "" {
			f, x.Parent = model.ColumnFacts{}, c.Parent
		}
		x.Primary, x.Foreign, x.Indexed, x.Checks = f.Primary, f.Foreign, f.Indexed(), abridged(f.Checks, maxTold)
		if key := f.Refers; key != nil && f.At < len(key.RefColumns) && d.At(key.RefSchema, key.RefTable) >= 0 {
			x.References = model.Qualify(key.RefSchema, key.RefTable) + "." + key.RefColumns[f.At]
		}
		if full {
			x.Stats = statsOf(c.Stats, f)
		}
		out[k] = x
	}
	return out
}

// statsOf are the statistics of a column and what its index says; nil: nothing is
// known.
func statsOf(s *model.Stats, f model.ColumnFacts) *columnStats {
	if s == nil && f.Index == nil {
		return nil
	}
	out := &columnStats{}
	if s != nil {
		*out = columnStats{
			NullFraction: rounded(s.NullFraction), Distinct: s.Distinct, Min: s.Min, Max: s.Max, Common: s.Common, Histogram: s.Histogram,
			Correlation: rounded(s.Correlation),
		}
		if s.Distinct != nil {
			out.Source = s.Source
		}
	}
	if f.Index != nil {
		out.IndexType, out.IndexUnique = f.Index.Type, &f.Unique
	}
	return out
}

// keyColumns are the columns that tell most: of keys, then dates, then measures.
func keyColumns(dialect string, t *model.Table) []string {
	out := []string{}
	facts := t.ColumnFacts()
	for _, wanted := range []func(c *model.Column) bool{
		func(c *model.Column) bool { return facts[c.Name].Primary },
		func(c *model.Column) bool { return facts[c.Name].Foreign },
		func(c *model.Column) bool { return facts[c.Name].Unique },
		func(c *model.Column) bool { return types.ColumnFamily(dialect, c) == types.Temporal },
		func(c *model.Column) bool { return types.ColumnFamily(dialect, c) == types.Numeric },
	} {
		for k := range t.Columns {
			if c := &t.Columns[k]; len(out) < maxKeyColumns && c.Parent == "" && !slices.Contains(out, c.Name) && wanted(c) {
				out = append(out, c.Name)
			}
		}
	}
	return out
}

func (r relationship) declared() bool { return r.Type == "FK_REFERENCES" }

// relationships are the joins of a table as it sees them, in the order of the
// answer. One with itself is there in both directions.
func (d database) relationships(i int) []relationship {
	out := make([]relationship, 0, len(d.Out(i))+len(d.In(i)))
	for _, id := range d.Out(i) {
		e := d.Edge(id)
		r := d.relationship(e, e.To)
		r.Direction, r.SourceColumns, r.TargetColumns = "out", e.FromColumns, e.ToColumns
		r.Cardinality = cardinality(e.FromUnique, e.ToUnique)
		out = append(out, r)
	}
	for _, id := range d.In(i) {
		e := d.Edge(id)
		r := d.relationship(e, e.From)
		r.Direction, r.SourceColumns, r.TargetColumns = "in", e.ToColumns, e.FromColumns
		r.Cardinality = cardinality(e.ToUnique, e.FromUnique)
		out = append(out, r)
	}
	for k := range out {
		r := &out[k]
		r.SourceColumn, r.TargetColumn = first(r.SourceColumns), first(r.TargetColumns)
	}
	slices.SortStableFunc(out, func(a, b relationship) int {
		return cmp.Or(
			cmp.Compare(a.Type, b.Type), -cmp.Compare(a.Direction, b.Direction), cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.Target, b.Target),
			slices.Compare(a.SourceColumns, b.SourceColumns), slices.Compare(a.TargetColumns, b.TargetColumns))
	})
	return out
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

func (d database) relationship(e *catalog.Edge, other int) relationship {
	r := relationship{
		Target: d.Name(other), Type: "INFERRED_JOIN", Source: e.Source, Confidence: model.Round(e.Confidence), Reasoning: some(abridge(e.Reasoning, maxTold)),
	}
	if e.Declared {
		r.Type, r.Constraint, r.Reasoning = "FK_REFERENCES", some(e.Constraint), nil
	}
	return r
}

// cardinality is unknown where neither side is a key: the joined values may be
// anything.
func cardinality(here, there bool) string {
	if !here && !there {
		return "unknown"
	}
	return string(paths.CardinalityOf(here, there))
}

// neighbourhood samples the tables of joins, which are in the order of the answer. A
// speculative join makes no neighbour.
func neighbourhood(joins []relationship) Neighbours {
	n := Neighbours{sample{Tables: []string{}}, sample{Tables: []string{}}}
	seen := map[[2]string]bool{}
	for _, r := range joins {
		at := [2]string{r.Direction, r.Target}
		if seen[at] || r.Confidence < doubtful {
			continue
		}
		seen[at] = true
		s := &n.Referenced
		if r.Direction == "in" {
			s = &n.Referring
		}
		if s.Total++; s.Total <= maxNeighbours {
			s.Tables = append(s.Tables, r.Target)
		}
	}
	return n
}

// capInferred leaves out the last of many inferred joins, which come after the
// declared ones.
func capInferred(joins []relationship, full bool) []relationship {
	most := maxInferred
	if full {
		most = maxInferredFull
	}
	for declared, r := range joins {
		if !r.declared() {
			return joins[:min(len(joins), declared+most)]
		}
	}
	return joins
}

// lineage is what feeds a table and what it feeds, by table.
func (d database) lineage(i int) (in, out []lineageItem) {
	t := &d.Tables[i]
	for k := range d.Lineage {
		l := &d.Lineage[k]
		from, to := l.FromTable == t.Name && l.FromSchema == t.Schema, l.ToTable == t.Name && l.ToSchema == t.Schema
		if from == to {
			continue // neither, or itself
		}
		x := lineageItem{Type: l.Type, Confidence: model.Round(l.Confidence), Source: l.Source}
		if other := d.At(l.FromSchema, l.FromTable); to && other >= 0 {
			x.Table = d.Name(other)
			in = append(in, x)
		} else if other := d.At(l.ToSchema, l.ToTable); from && other >= 0 {
			x.Table = d.Name(other)
			out = append(out, x)
		}
	}
	byTable := func(a, b lineageItem) int {
		return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Source, b.Source))
	}
	slices.SortStableFunc(in, byTable)
	slices.SortStableFunc(out, byTable)
	return in, out
}

// lineageMarkdown lists lineage for people.
func lineageMarkdown(in, out []lineageItem) string {
	var b strings.Builder
	list := func(word string, items []lineageItem) {
		for k, l := range items {
			if k == maxListed {
				fmt.Fprintf(&b, "- and %d more %s\n", len(items)-k, word)
				break
			}
			fmt.Fprintf(&b, "- %s %s (%s)\n", word, code(l.Table), markdown(l.Type))
		}
	}
	list("fed by", in)
	list("feeds", out)
	return strings.TrimSuffix(b.String(), "\n")
}

// consumedBy counts the places in code that use a table; nil: no code was analysed.
func (d database) consumedBy(i int) *consumedBy {
	uses := d.ConsumersOf(i)
	if len(uses) == 0 && len(d.Scans) == 0 {
		return nil
	}
	c := &consumedBy{Services: []string{}}
	for _, u := range uses {
		if u.Op == "write" {
			c.Write++
		} else {
			c.Read++
		}
		c.Services = append(c.Services, u.Service)
	}
	slices.Sort(c.Services)
	c.Services = slices.Compact(c.Services)
	return c
}

// reported reports whether a report or an application that dbt knows of uses a
// table, be it by models in between.
func (d database) reported(i int) bool {
	exposed := func(i int) bool {
		return slices.ContainsFunc(d.ConsumersOf(i), func(u catalog.Usage) bool { return u.Kind == dbtExposure })
	}
	if exposed(i) {
		return true
	}
	if !slices.ContainsFunc(d.Consumers, func(c catalog.Consumer) bool { return c.Kind == dbtExposure }) {
		return false
	}
	feeds := map[int][]int{}
	for k := range d.Lineage {
		if l := &d.Lineage[k]; l.Source == "dbt" {
			from := d.At(l.FromSchema, l.FromTable)
			feeds[from] = append(feeds[from], d.At(l.ToSchema, l.ToTable))
		}
	}
	seen := map[int]bool{-1: true, i: true}
	for queue := []int{i}; len(queue) > 0; queue = queue[1:] {
		for _, next := range feeds[queue[0]] {
			if seen[next] {
				continue
			}
			seen[next] = true
			queue = append(queue, next)
			if exposed(next) {
				return true
			}
		}
	}
	return false
}

// lists are those of the answer that may be long, each with the place where its
// length goes when it is cut.
func (r *contextResult) lists() []list {
	if r.TableAbout == nil {
		return nil // a summary is short
	}
	return []list{
		{len(r.Columns), &r.TotalColumns, func(n int) { r.Columns = r.Columns[:n] }},
		{len(r.Relationships), &r.RelationshipsTotal, func(n int) { r.Relationships = r.Relationships[:n] }},
		{len(r.LineageIn), &r.TotalIn, func(n int) { r.LineageIn = r.LineageIn[:n] }},
		{len(r.ViewTables), &r.TotalIn, func(n int) { r.ViewTables = r.ViewTables[:n] }}, // each is in lineage_in too
		{len(r.LineageOut), &r.TotalOut, func(n int) { r.LineageOut = r.LineageOut[:n] }},
		{len(r.Indexes), &r.TotalIndexes, func(n int) { r.Indexes = r.Indexes[:n] }},
		{len(r.Grants), &r.TotalGrants, func(n int) { r.Grants = r.Grants[:n] }},
		{len(r.Aliases), &r.TotalAliases, func(n int) { r.Aliases = r.Aliases[:n] }},
	}
}

type list struct {
	length int
	total  *int
	cut    func(n int)
}

// RowCount is the length of the longest list.
func (r *contextResult) RowCount() int {
	n := 0
	for _, l := range r.lists() {
		n = max(n, l.length)
	}
	return n
}

// CutRows cuts the lists that are longer than n; short ones stay whole.
func (r *contextResult) CutRows(n int) {
	if !r.Cut {
		r.Cut = true
		r.note("the longest lists are cut; ask with detail summary, or the tool cypher for the rest of them")
	}
	for _, l := range r.lists() {
		if l.length <= n {
			continue
		}
		if *l.total == 0 {
			*l.total = l.length
		}
		l.cut(n)
	}
}
