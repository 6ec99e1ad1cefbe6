// Package connect is the interface between pretensor and the databases that it
// describes. A connector lives in a package of its own below; it reads the
// system catalog through one read-only connection, with a fixed number of
// statements however many tables there are, and never a row of a user's table
// unless [Options.Stats] is [StatsSample].
package connect

import (
	"context"
	"fmt"
	"time"

	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// Limits of a connection.
const (
	ConnectTimeout    = 10 * time.Second
	CatalogTimeout    = 30 * time.Second // of one statement on the catalog
	DataTimeout       = 2 * time.Second  // of one statement that touches user data
	MaxCatalogQueries = 15               // statements of one introspection
)

// StatsMode says which statistics may be read.
type StatsMode string

// The modes.
const (
	StatsNone    StatsMode = "none"
	StatsCatalog StatsMode = "catalog" // what the engine's planner knows; no user table is read
	StatsSample  StatsMode = "sample"  // one bounded aggregate per table as well
)

// Options say what an introspection reads.
type Options struct {
	Schemas           []string // only these; empty: all, or the dialect's default
	ExcludeSchemas    []string
	Stats             StatsMode // empty: catalog
	RowCounts         bool      // with StatsNone: all the same the numbers of rows that the catalog knows
	SampleValues      bool      // keep common text values (privacy rule)
	IncludePartitions bool
	IncludeExtensions bool // PostgreSQL: tables that extensions own
	Grants            bool // read who may do what
}

// Connector is an open, read-only connection to one database. It is used by one
// goroutine at a time.
type Connector interface {
	// Introspect reads the whole structure. A failure of an optional part
	// (statistics, grants, triggers) becomes one of the result's Warnings; any other
	// failure, and the end of ctx, is the error.
	Introspect(ctx context.Context, o Options) (*model.Database, error)
	// Ping asks the server for nothing but an answer.
	Ping(ctx context.Context) error
	Close() error
}

// Category says why a connection could not be used.
type Category string

// The categories.
const (
	Unavailable      Category = "connection_unavailable"
	AuthFailed       Category = "auth_failed"
	PermissionDenied Category = "permission_denied"
	Timeout          Category = "timeout"
	NoDSN            Category = "no_dsn"
	BadDSN           Category = "bad_dsn"
)

// Error is a failure to reach or read a database. Its text names the host, port
// and database, and never a password or another secret.
type Error struct {
	Category Category
	Message  string
	Hint     string // what would help; may be empty
	Err      error  // the driver's, for the log alone: it may hold anything
}

func (e *Error) Error() string {
	if e.Hint != "" {
		return fmt.Sprintf("%s; %s", e.Message, e.Hint)
	}
	return e.Message
}

// Unwrap returns the driver's error.
func (e *Error) Unwrap() error { return e.Err }
