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

	Paths     []Path // the best join paths of pairs of tables, by their ends
	Vectors   Vectors
	Metrics   []Metric   // by name
	Consumers []Consumer // by service, file, line and id
	Scans     []Scan     // by service
}

// Path is the best join path of two tables, as it was when the graph was built. The
// way back is the same edges from the last to the first, at the same cost.
type Path struct {
	From, To  int   // From is the smaller one
	Edges     []int // ids of the catalog's edges, from From to To; each is used in the direction that leads on
	Cost      float64
	Ambiguous bool // another path costs the same
	Promoted  bool // put before a cheaper path with inferred joins
	Stale     bool // the tables on it have changed since
}

// Vectors are the tables' embeddings of one model. The zero value has none.
type Vectors struct {
	Model  string
	Dim    int
	Tables [][]float32 // parallel to Data.Tables when there is a model; nil for a table without a vector
}

// Metric is a metric that was compiled when it was stored.
type Metric struct {
	Name, DisplayName, Description string
	SQL                            string
	Dialect                        string
	Uses                           []MetricUse // the tables that the SQL reads, ascending
	Valid                          bool
	Errors                         []string // why it is not
	Generated                      time.Time
	Stale                          bool // a table that it reads has changed since
}

// MetricUse is a table that a metric reads and the columns of it that it names.
type MetricUse struct {
	Table   int
	Columns []string // sorted
}

// Consumer is a place in the code of a service, or a report that dbt knows of, that
// uses tables.
type Consumer struct {
	ID                 string
	Service            string
	File               string // relative to the repository
	Language           string
	Symbol             string
	Kind               string // as in package analyze, or dbt_exposure
	LineStart, LineEnd int
	Fingerprint        string // of the SQL, whose text is not kept
	Confidence         float64
	Dialect            string
	RunID              string
	Uses               []Use // by table and operation
}

// Use is what a consumer does to a table.
type Use struct {
	Table      int
	Op         string // read or write
	Confidence float64
}

// Scan is the last analysis of a service's code.
type Scan struct {
	Service string
	RunID   string
	At      time.Time
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
