// Package detect compares a database as it is now with the last snapshot of it, and
// says what the differences mean for the graph that was built from that: which
// join paths, clusters, metrics and consumers they reach.
//
// [Run] reads the system catalog through one read-only connection, collects no
// statistics and writes nothing. What changed is found by package drift.
package detect

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/drift"
	"github.com/quartet-mcp/quartet/pretensor/internal/keystore"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/quartet-mcp/quartet/pretensor/internal/snapshot"
)

// Limit is how long a check may take.
const Limit = 60 * time.Second

// MaxPaths is how many join paths a report lists at most.
const MaxPaths = 50

// Options say what is compared.
type Options struct {
	Entry    registry.Entry
	Snapshot func() (*snapshot.Snapshot, error)
	// Open connects to the database. Errors of packages connect, keystore and registry
	// are told to the caller, any other only that there was one.
	Open func(context.Context) (connect.Connector, error)
	// Hide takes what the caller may not see, and what the rules of the index left out,
	// out of the snapshot's database and the live one, which it gets together: what is
	// hidden in one must not show in the other. Nil: all is visible.
	Hide func(...*model.Database) []*model.Database
	// Catalog is that of the graph, without what the caller may not see; nil if there
	// is none, and then nothing is known of the impact.
	Catalog *catalog.Catalog

	// What was read when the database was indexed.
	Schemas, ExcludeSchemas              []string
	IncludePartitions, IncludeExtensions bool

	Now       func() time.Time // nil: the clock
	StaleDays int              // an index older than this is stale
	Limit     time.Duration    // zero: [Limit]
}

// Report is the result of a check.
type Report struct {
	Database               string           `json:"database" jsonschema:"the connection"`
	LastIndexed            string           `json:"last_indexed" jsonschema:"when the index was built"`
	CheckedAt              string           `json:"checked_at" jsonschema:"when this was checked"`
	Changes                []drift.Change   `json:"changes" jsonschema:"differences between index and database, the worst first"`
	GraphImpact            Impact           `json:"graph_impact" jsonschema:"what they mean for the index"`
	AffectedJoinPaths      []string         `json:"affected_join_paths" jsonschema:"stored join paths that they touch, 50 at most"` // at most [MaxPaths], the cheapest first, each there and back
	AffectedJoinPathsTotal int              `json:"affected_join_paths_total" jsonschema:"how many there are"`
	AffectedMetrics        []string         `json:"affected_metrics" jsonschema:"stored metrics that they touch"`
	AffectedConsumers      []Consumer       `json:"affected_consumers" jsonschema:"code that uses a table that changed"`
	Summary                string           `json:"summary" jsonschema:"one sentence"`
	Recommendation         string           `json:"recommendation" jsonschema:"what to do"`
	UpToDate               bool             `json:"up_to_date,omitempty" jsonschema:"true if there are no changes"`
	StaleWarning           string           `json:"stale_warning,omitempty" jsonschema:"said of an index older than the limit"`
	StalenessDays          int              `json:"staleness_days,omitempty" jsonschema:"age of such an index in days"`
	StatsDrift             []drift.RowDrift `json:"stats_drift,omitempty" jsonschema:"tables whose number of rows doubled or halved; no change of structure"`
}

// Impact is what the changes mean for the graph.
type Impact struct {
	StaleJoinPaths   int      `json:"stale_join_paths" jsonschema:"stored join paths that need a refresh"`
	AffectedClusters []string `json:"affected_clusters" jsonschema:"labels of the clusters with changed tables"`
	BrokenMetrics    []string `json:"broken_metrics" jsonschema:"metrics that read what is gone"`
	TablesAdded      int      `json:"tables_added" jsonschema:"how many"`
	TablesRemoved    int      `json:"tables_removed" jsonschema:"how many"`
	ColumnsChanged   int      `json:"columns_changed" jsonschema:"how many"`
}

// Consumer is how many places of a service's code use a table that changed.
type Consumer struct {
	Service string `json:"service" jsonschema:"the service"`
	Table   string `json:"table" jsonschema:"a table that changed"`
	Count   int    `json:"count" jsonschema:"how many places of its code use the table"`
}

// Codes of an [Error].
const (
	NoSnapshot            = "no_snapshot"
	ConnectionUnavailable = "connection_unavailable"
)

// Error says why there is nothing to report. It holds no secret.
type Error struct {
	Code        string
	Category    connect.Category // of [ConnectionUnavailable]
	Message     string
	Hint        string
	LastIndexed string // empty if the connection was never indexed
	CheckedAt   string
	Err         error // for the log alone: it may hold anything
}

func (e *Error) Error() string { return e.Message }

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// Run compares the database with its snapshot. The error is an [*Error], or that of
// ctx.
func Run(ctx context.Context, o Options) (*Report, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Limit == 0 {
		o.Limit = Limit
	}
	now := o.Now().UTC()
	fail := func(e *Error) error {
		e.CheckedAt = stamp(now)
		if !o.Entry.Indexed.IsZero() {
			e.LastIndexed = stamp(o.Entry.Indexed)
		}
		return e
	}
	snap, err := o.Snapshot()
	if err != nil {
		return nil, fail(noSnapshot(o.Entry.Name, err))
	}
	if o.Entry.Indexed.IsZero() {
		o.Entry.Indexed = snap.Taken
	}
	limited, cancel := context.WithTimeout(ctx, o.Limit)
	defer cancel()
	live, err := read(limited, o, snap)
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("checking %q: %w", o.Entry.Name, context.Cause(ctx))
	case err != nil:
		return nil, fail(unavailable(limited, o, err))
	}
	before := snap.Database
	if o.Hide != nil {
		both := o.Hide(before, live)
		before, live = both[0], both[1]
	}
	return report(o, now, before, live), nil
}

// read introspects the database. What the catalog knows of the number of rows comes
// with it if there is something to compare it with.
func read(ctx context.Context, o Options, snap *snapshot.Snapshot) (*model.Database, error) {
	c, err := o.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer c.Close() // nothing was written that it could lose
	return c.Introspect(ctx, connect.Options{
		Schemas: o.Schemas, ExcludeSchemas: o.ExcludeSchemas, IncludePartitions: o.IncludePartitions, IncludeExtensions: o.IncludeExtensions,
		Stats: connect.StatsNone, RowCounts: snap.Stats != connect.StatsNone,
	})
}

func report(o Options, now time.Time, before, live *model.Database) *Report {
	r := &Report{
		Database: o.Entry.Name, LastIndexed: stamp(o.Entry.Indexed), CheckedAt: stamp(now),
		Changes: drift.Compare(before, live), StatsDrift: drift.RowDrifts(before, live),
	}
	r.UpToDate = len(r.Changes) == 0
	r.impact(o.Catalog)
	r.Summary = drift.Summary(r.Changes, r.GraphImpact.StaleJoinPaths)
	r.Recommendation = drift.Recommendation(r.Changes, len(before.Tables), r.GraphImpact.StaleJoinPaths, o.Entry.Name)
	if o.Catalog == nil {
		r.Recommendation = drift.RecommendIndex(o.Entry.Name)
	}
	days := o.Entry.Days(now)
	if r.StaleWarning = drift.Stale(days, o.StaleDays, o.Entry.Name); r.StaleWarning != "" {
		r.StalenessDays = days
	}
	return r
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func noSnapshot(connection string, err error) *Error {
	e := &Error{Code: NoSnapshot, Message: fmt.Sprintf("The snapshot of %q cannot be read.", connection), Hint: drift.RecommendIndex(connection), Err: err}
	switch {
	case errors.Is(err, snapshot.ErrMissing):
		e.Message = fmt.Sprintf("There is no snapshot of %q to compare with.", connection)
	case errors.Is(err, snapshot.ErrCorrupt):
		e.Message = fmt.Sprintf("The snapshot of %q is damaged.", connection)
	case errors.Is(err, snapshot.ErrOlder):
		e.Message = fmt.Sprintf("The snapshot of %q has an older format.", connection)
	case errors.Is(err, snapshot.ErrNewer):
		e.Message = fmt.Sprintf("The snapshot of %q was written by a newer version of pretensor.", connection)
		e.Hint = "Use that version, or overwrite it. " + e.Hint
	}
	return e
}

// unavailable says why the database could not be read. The text of an error that
// is not known to be free of secrets is not repeated.
func unavailable(ctx context.Context, o Options, err error) *Error {
	e := &Error{
		Code: ConnectionUnavailable, Category: connect.Unavailable, Err: err,
		Message: fmt.Sprintf("%q cannot be reached.", o.Entry.Name), Hint: "Run: pretensor check " + names.Argument(o.Entry.Name),
	}
	var known *connect.Error
	switch {
	case errors.As(err, &known):
		e.Message = fmt.Sprintf("%q cannot be reached: %s.", o.Entry.Name, known.Message)
		if known.Hint != "" {
			e.Hint = known.Hint
		}
		// A name that is wrong is one that leads to no database.
		if e.Category = known.Category; e.Category == connect.BadDSN {
			e.Category = connect.Unavailable
		}
	case ctx.Err() != nil, errors.Is(err, context.DeadlineExceeded):
		e.Category = connect.Timeout
		e.Message = fmt.Sprintf("Checking %q took longer than %g s.", o.Entry.Name, o.Limit.Seconds())
		e.Hint = "Try again when the database is less busy."
	default:
		for _, reason := range []error{registry.ErrNoDSN, keystore.ErrNoKey, keystore.ErrBadKey, keystore.ErrMismatch, keystore.ErrBadToken, keystore.ErrNewerToken} {
			if errors.Is(err, reason) {
				e.Category = connect.NoDSN
				e.Message = fmt.Sprintf("The data source name of %q cannot be read: %v.", o.Entry.Name, reason)
				e.Hint = "Run: pretensor add DSN --name " + names.Argument(o.Entry.Name)
			}
		}
	}
	return e
}
