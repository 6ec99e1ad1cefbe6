// Package catalog is the in-memory form of one connection's graph, from which
// every tool but cypher answers. A [Catalog] is made once of the [Data] that an
// index wrote, and never changes: it may be read by any number of goroutines.
package catalog

import (
	"time"

	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// Data is everything that an index finds out about one connection, as it is
// written beside the graph file.
type Data struct {
	Connection    string
	Database      string // the database's own name
	Dialect       string // as in model.Database
	DefaultSchema string
	Generation    string // of the graph file that it belongs to
	BuiltAt       time.Time
	StatsMode     string

	Tables   []model.Table
	Facts    []Facts // parallel to Tables
	Joins    []Join  // inferred; declared keys are the tables' own
	Lineage  []model.Lineage
	Clusters []Cluster
	Entities []Entity
}

// Cluster is a group of tables that are joined more with each other than with the
// rest.
type Cluster struct {
	Number      int // of its id
	Label       string
	Description string
	Tables      []int // ascending
	Cohesion    float64
	Pattern     string // star, snowflake, constellation, erd, unknown
	Stale       bool
}

// Entity is a thing of the business that tables stand for.
type Entity struct {
	Name        string
	Description string
	Source      string // heuristic, dbt, manual
	Tables      []int
}

// Facts are what is known of a table beside its structure.
type Facts struct {
	Description string
	Tags        []string
	Aliases     []string // dbt names and synonyms
	Role        string
	Confidence  float64  // of the role
	Signals     []string // why
}

// Join is an inferred join, from child to parent. Tables are indexes into
// Data.Tables.
type Join struct {
	From, To     int
	FromColumn   string
	ToColumn     string
	Source       string // heuristic, statistical, embedding, dbt, usage
	Kind         string // the rule that found it
	Confidence   float64
	Reasoning    string
	SourceUnique bool
	TargetUnique bool
	// Group is the same number, not 0, for joins that only together are one over a key
	// of several columns.
	Group int
}
