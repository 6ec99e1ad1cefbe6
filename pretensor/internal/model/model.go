// Package model describes the structure of a database as an introspection finds
// it: tables, columns, keys, indexes and what is said about them. It holds no row
// of user data but the few values that the privacy rule allows (see [Stats]).
//
// Everything is in the order that makes two introspections of the same structure
// equal: tables by schema and name, columns by position, keys and indexes by name
// and columns. [Database.Sort] establishes it.
package model

import (
	"cmp"
	"math"
	"slices"
)

// Database is one connection's structure.
type Database struct {
	Name          string    `json:"name"`    // the database's own (logical) name
	Dialect       string    `json:"dialect"` // postgresql, mysql, mariadb, sqlite, duckdb
	Version       string    `json:"version"` // of the server, as it tells it
	DefaultSchema string    `json:"default_schema"`
	Tables        []Table   `json:"tables"`
	Lineage       []Lineage `json:"lineage,omitempty"`
	Roles         []Role    `json:"-"` // only where grants were asked for
	Warnings      []string  `json:"-"` // optional parts that could not be read, in words
	Unread        []string  `json:"-"` // which of the parts below they are
}

// Parts of a structure. What is missing of one that could not be read may be there
// all the same.
const (
	PartChecks     = "check constraints"
	PartRules      = "rules of foreign keys"
	PartPartitions = "partitions"
	PartViews      = "definitions of views" // and their lineage
	PartTriggers   = "triggers"             // their lineage
)

// Table types.
const (
	BaseTable        = "table"
	PartitionedTable = "partitioned_table"
	View             = "view"
	MaterializedView = "materialized_view"
	ForeignTable     = "foreign_table"
	ExternalTable    = "external_table"
)

// Where a row count comes from.
const (
	CountStat     = "stat"
	CountExact    = "exact"
	CountView     = "view_count"
	CountTimeout  = "view_timeout"
	CountMetadata = "metadata"
)

// Table is a table or view.
type Table struct {
	Schema  string `json:"schema"`
	Name    string `json:"name"`
	Type    string `json:"type"`
	Comment string `json:"comment,omitempty"`
	// Rows is nil where nothing is known, -1 where counting took too long.
	Rows       *int64 `json:"-"`
	RowsSource string `json:"-"`

	Columns     []Column     `json:"columns"`
	PrimaryKey  *Key         `json:"primary_key,omitempty"`
	Uniques     []Key        `json:"uniques,omitempty"`
	ForeignKeys []ForeignKey `json:"foreign_keys,omitempty"`
	Checks      []Check      `json:"checks,omitempty"`
	Indexes     []Index      `json:"indexes,omitempty"`
	Partition   *Partition   `json:"partition,omitempty"`

	// Definition is a view's query as the database prints it. It may hold literals
	// and is never written to disk; Hash of it is what is compared.
	Definition     string `json:"-"`
	DefinitionHash string `json:"definition_hash,omitempty"`

	Usage  *Usage  `json:"-"`
	Bytes  *int64  `json:"-"`
	Grants []Grant `json:"grants,omitempty"`
}

// Column is a column of a table, or a field of a struct column.
type Column struct {
	Name    string `json:"name"`
	Ordinal int    `json:"ordinal"` // from 1
	Type    string `json:"type"`    // readable: numeric(10,2), varchar(45), int[], an enum's name
	// Base is the type that a domain stands for; empty where Type is no domain.
	Base     string `json:"base_type,omitempty"`
	Nullable bool   `json:"nullable"`
	// Default is the expression; a literal of more than 80 characters is shortened.
	Default   string   `json:"default,omitempty"`
	Identity  bool     `json:"identity,omitempty"`  // GENERATED AS IDENTITY, serial, AUTO_INCREMENT, INTEGER PRIMARY KEY
	Generated bool     `json:"generated,omitempty"` // computed from other columns
	Comment   string   `json:"comment,omitempty"`
	Enum      []string `json:"enum,omitempty"` // its labels, in the order of the type
	Array     bool     `json:"array,omitempty"`
	// Parent is the struct column that a field belongs to, as a dotted path; empty for
	// a column of the table.
	Parent string `json:"parent,omitempty"`
	Stats  *Stats `json:"-"`
}

// Stats are a column's statistics, as far as the privacy mode lets them be kept.
type Stats struct {
	NullFraction *float64 // 0 to 1
	Distinct     *int64   // estimate
	Correlation  *float64
	Min, Max     string   // of numbers, dates and times only
	Common       []string // most common values
	Histogram    []string // at most 11 bounds, of numbers and dates only
	Source       string   // catalog or sample
}

// Key is a primary or unique key.
type Key struct {
	Name    string   `json:"name,omitempty"`
	Columns []string `json:"columns"` // in the key's order
}

// ForeignKey is a declared key. Columns pair up by position.
type ForeignKey struct {
	Name       string   `json:"name,omitempty"`
	Columns    []string `json:"columns"`
	RefSchema  string   `json:"ref_schema"`
	RefTable   string   `json:"ref_table"`
	RefColumns []string `json:"ref_columns"`
	OnDelete   string   `json:"on_delete,omitempty"` // CASCADE, SET NULL, …; empty for NO ACTION
	OnUpdate   string   `json:"on_update,omitempty"`
}

// Check is a check constraint.
type Check struct {
	Name string `json:"name,omitempty"`
	Expr string `json:"expr"`
	// Columns are those that it is about, where the database tells.
	Columns []string `json:"columns,omitempty"`
}

// Index is an index. An expression stands in Columns as its text in parentheses.
type Index struct {
	Name    string   `json:"name"`
	Columns []string `json:"columns"`
	Unique  bool     `json:"unique,omitempty"`
	Type    string   `json:"type,omitempty"` // btree, hash, gin, gist, brin, …
	Partial bool     `json:"partial,omitempty"`
	Primary bool     `json:"primary,omitempty"`
}

// Partition tells how a table is partitioned.
type Partition struct {
	Key   []string `json:"key"`   // all key columns or expressions
	Count int      `json:"count"` // partitions, at all levels
	// Tables are the partitions that are folded into the table, sorted; they can be
	// named in SQL and have the table's columns.
	Tables []TableName `json:"tables,omitempty"`
}

// TableName names a table.
type TableName struct {
	Schema string `json:"schema"`
	Name   string `json:"name"`
}

// Usage are counters since the server's statistics began.
type Usage struct {
	SeqScans, IdxScans, Inserts, Updates, Deletes int64
}

// Grant is a privilege on a table. The grantee PUBLIC stands for everybody.
type Grant struct {
	Grantee   string   `json:"grantee"`
	Privilege string   `json:"privilege"`
	Columns   []string `json:"columns,omitempty"` // only on these; empty for the whole table
}

// Role is a user or group that privileges are granted to.
type Role struct {
	Name      string
	Superuser bool
	MemberOf  []string // the roles that it belongs to directly, sorted
	Schemas   []string // those that it may look into, by whatever way, sorted
}

// Lineage types.
const (
	LineageView             = "VIEW"
	LineageMaterializedView = "MATERIALIZED_VIEW"
	LineageTrigger          = "TRIGGER"
)

// Lineage is data that flows from one table to another.
type Lineage struct {
	FromSchema string  `json:"from_schema"`
	FromTable  string  `json:"from_table"`
	ToSchema   string  `json:"to_schema"`
	ToTable    string  `json:"to_table"`
	Type       string  `json:"type"`
	Source     string  `json:"source"` // catalog, parsed, trigger
	Confidence float64 `json:"confidence"`
}

// QualifiedName is schema.table, or the table alone where there are no schemas.
func (t *Table) QualifiedName() string { return Qualify(t.Schema, t.Name) }

// Qualify joins a schema and a table.
func Qualify(schema, table string) string {
	if schema == "" {
		return table
	}
	return schema + "." + table
}

// Column finds a column of the table itself by its exact name.
func (t *Table) Column(name string) *Column {
	for i := range t.Columns {
		if t.Columns[i].Name == name && t.Columns[i].Parent == "" {
			return &t.Columns[i]
		}
	}
	return nil
}

// IsView reports whether the table is a view of either kind.
func (t *Table) IsView() bool { return t.Type == View || t.Type == MaterializedView }

// Sort puts everything into its canonical order and makes lists that must not be
// nil empty.
func (d *Database) Sort() {
	slices.SortFunc(d.Tables, func(a, b Table) int {
		return cmp.Or(cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Name, b.Name))
	})
	for i := range d.Tables {
		t := &d.Tables[i]
		if t.Columns == nil {
			t.Columns = []Column{}
		}
		slices.SortStableFunc(t.Columns, func(a, b Column) int { return cmp.Compare(a.Ordinal, b.Ordinal) })
		if p := t.Partition; p != nil {
			slices.SortFunc(p.Tables, func(a, b TableName) int { return cmp.Or(cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Name, b.Name)) })
		}
		slices.SortFunc(t.Uniques, func(a, b Key) int { return cmp.Or(slices.Compare(a.Columns, b.Columns), cmp.Compare(a.Name, b.Name)) })
		slices.SortFunc(t.ForeignKeys, func(a, b ForeignKey) int {
			return cmp.Or(cmp.Compare(a.Name, b.Name), slices.Compare(a.Columns, b.Columns), cmp.Compare(a.RefSchema, b.RefSchema), cmp.Compare(a.RefTable, b.RefTable))
		})
		slices.SortFunc(t.Checks, func(a, b Check) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Expr, b.Expr)) })
		slices.SortFunc(t.Indexes, func(a, b Index) int { return cmp.Or(cmp.Compare(a.Name, b.Name), slices.Compare(a.Columns, b.Columns)) })
		slices.SortFunc(t.Grants, func(a, b Grant) int {
			return cmp.Or(cmp.Compare(a.Grantee, b.Grantee), cmp.Compare(a.Privilege, b.Privilege), slices.Compare(a.Columns, b.Columns))
		})
	}
	slices.SortFunc(d.Roles, func(a, b Role) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(d.Lineage, func(a, b Lineage) int {
		return cmp.Or(cmp.Compare(a.ToSchema, b.ToSchema), cmp.Compare(a.ToTable, b.ToTable), cmp.Compare(a.FromSchema, b.FromSchema),
			cmp.Compare(a.FromTable, b.FromTable), cmp.Compare(a.Type, b.Type))
	})
}

// IsKey reports whether the columns, in any order, hold a primary or unique key of
// the table, so that no two rows have the same values in them.
func (t *Table) IsKey(columns []string) bool {
	holds := func(k Key) bool {
		return len(k.Columns) > 0 && !slices.ContainsFunc(k.Columns, func(c string) bool { return !slices.Contains(columns, c) })
	}
	if t.PrimaryKey != nil && holds(*t.PrimaryKey) || slices.ContainsFunc(t.Uniques, holds) {
		return true
	}
	return slices.ContainsFunc(t.Indexes, func(x Index) bool { return x.Unique && !x.Partial && holds(Key{Columns: x.Columns}) })
}

// Round rounds a figure, such as a confidence, a cost or a score, to the four decimals
// that indexes keep and answers show.
func Round(figure float64) float64 { return math.Round(figure*1e4) / 1e4 }
