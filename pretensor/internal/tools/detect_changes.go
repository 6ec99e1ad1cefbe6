package tools

import (
	"context"
	"errors"
	"time"

	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/detect"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/quartet-mcp/quartet/pretensor/internal/snapshot"
	"github.com/quartet-mcp/quartet/pretensor/internal/store"
)

// This file defines detect_changes, which compares a database with its index. It is
// the only tool that contacts a database.

// Live is the way to the databases themselves.
type Live struct {
	// Connect opens a connection for reading.
	Connect func(context.Context, registry.Entry) (connect.Connector, error)
	// Snapshot reads the last introspection of a connection.
	Snapshot func(connection string) (*snapshot.Snapshot, error)
	// Scope says what was read of a database when it was indexed, of which the
	// schemas, partitions and extensions count; nil: everything.
	Scope func(registry.Entry) (connect.Options, error)
	// Hide takes out of introspections of one connection what was not indexed and what
	// callers may not see; nil: all is visible.
	Hide func(connection string, dbs ...*model.Database) []*model.Database
}

type detectChangesArgs struct {
	Database string `json:"database" jsonschema:"a connection, as list_databases names it"`
}

type detectChangesResult struct {
	detect.Report
	Cut            bool `json:"truncated,omitempty" jsonschema:"whether entries were left out"`
	TotalChanges   int  `json:"total_changes,omitempty" jsonschema:"how many there are, if some were left out"`
	TotalConsumers int  `json:"total_affected_consumers,omitempty" jsonschema:"how many there are, if some were left out"`
	TotalMetrics   int  `json:"total_affected_metrics,omitempty" jsonschema:"how many there are, if some were left out"`
	TotalBroken    int  `json:"total_broken_metrics,omitempty" jsonschema:"how many there are, if some were left out"`
	TotalClusters  int  `json:"total_affected_clusters,omitempty" jsonschema:"how many there are, if some were left out"`
	TotalDrift     int  `json:"total_stats_drift,omitempty" jsonschema:"how many there are, if some were left out"`
	warned
}

// lists are the lengths that an answer can be cut by.
func (r *detectChangesResult) lists() []int {
	return []int{
		len(r.Changes), len(r.AffectedConsumers), len(r.AffectedMetrics), len(r.GraphImpact.BrokenMetrics), len(r.GraphImpact.AffectedClusters), len(r.StatsDrift),
	}
}

func (r *detectChangesResult) RowCount() int {
	n := 0
	for _, l := range r.lists() {
		n += l
	}
	return n
}

// CutRows cuts the longest lists.
func (r *detectChangesResult) CutRows(n int) {
	if !r.Cut {
		r.Cut = true
		r.note("only the worst changes and the first of what they touch are shown; pretensor reindex --dry-run lists all")
	}
	most := level(r.lists(), n)
	cutList(&r.Changes, most, &r.TotalChanges)
	cutList(&r.AffectedConsumers, most, &r.TotalConsumers)
	cutList(&r.AffectedMetrics, most, &r.TotalMetrics)
	cutList(&r.GraphImpact.BrokenMetrics, most, &r.TotalBroken)
	cutList(&r.GraphImpact.AffectedClusters, most, &r.TotalClusters)
	cutList(&r.StatsDrift, most, &r.TotalDrift)
}

func detectChanges(sv *Service) mcpkit.Tool[detectChangesArgs, detectChangesResult] {
	turns := make(chan struct{}, maxChecks)
	return mcpkit.Tool[detectChangesArgs, detectChangesResult]{
		Name:  "detect_changes",
		Title: "Compare the database with its index",
		Description: "Use it when the index may be out of date, or after a migration. It contacts the database, reads its system catalog and nothing else, and writes nothing. " +
			"Returns the changes of structure since it was indexed, each with its severity, what they mean for stored join paths, clusters, metrics and code, a summary, " +
			"and what to do. Numbers of rows are no changes. It takes up to a minute; the index itself is refreshed by pretensor reindex.",
		Hints: mcpkit.Hints{ReadOnly: true, Idempotent: true, OpenWorld: true},
		Handle: func(ctx context.Context, in detectChangesArgs) (detectChangesResult, error) {
			e, err := sv.Store.Choose(in.Database)
			if err != nil {
				return detectChangesResult{}, err
			}
			o, err := sv.check(e)
			if err != nil {
				return detectChangesResult{}, err
			}
			late := time.NewTimer(detect.Limit)
			defer late.Stop()
			select {
			case turns <- struct{}{}:
				defer func() { <-turns }()
			case <-late.C:
				return detectChangesResult{}, fault(mcpkit.Unavailable, timedOut, "Call again when they have ended.", nil, "Too many checks of databases are running.")
			case <-ctx.Done():
				return detectChangesResult{}, ctx.Err()
			}
			report, err := detect.Run(ctx, o)
			var known *detect.Error
			switch {
			case errors.As(err, &known):
				return detectChangesResult{}, notChecked(known)
			case err != nil:
				return detectChangesResult{}, err
			}
			return detectChangesResult{Report: *report}, nil
		},
	}
}

// maxChecks is how many databases are contacted at once.
const maxChecks = 2

// check says what is to be compared.
func (sv *Service) check(e registry.Entry) (detect.Options, error) {
	if sv.Live == nil {
		return detect.Options{}, errors.New("there is no way to the databases")
	}
	if sv.Store.Filtered() && sv.Live.Hide == nil {
		return detect.Options{}, errors.New("what is hidden in the index would be seen in the database")
	}
	o := detect.Options{
		Entry: e, Now: sv.now, StaleDays: sv.StaleDays,
		Snapshot: func() (*snapshot.Snapshot, error) { return sv.Live.Snapshot(e.Name) },
		Open:     func(ctx context.Context) (connect.Connector, error) { return sv.Live.Connect(ctx, e) },
	}
	if sv.Live.Hide != nil {
		o.Hide = func(dbs ...*model.Database) []*model.Database { return sv.Live.Hide(e.Name, dbs...) }
	}
	if sv.Live.Scope != nil {
		scope, err := sv.Live.Scope(e)
		if err != nil {
			return detect.Options{}, err
		}
		o.Schemas, o.ExcludeSchemas = scope.Schemas, scope.ExcludeSchemas
		o.IncludePartitions, o.IncludeExtensions = scope.IncludePartitions, scope.IncludeExtensions
	}
	var c *catalog.Catalog
	c, err := sv.Store.Catalog(e)
	// Without a graph there is no impact on it, but the database can be compared.
	var problem *store.Problem
	if err != nil && !errors.As(err, &problem) {
		return detect.Options{}, err
	}
	o.Catalog = c
	return o, nil
}

// notChecked says why there is no report.
func notChecked(e *detect.Error) error {
	f := fault(mcpkit.Unavailable, e.Code, e.Hint, nil, "%s", e.Message)
	f.Data = map[string]any{"category": string(e.Category), "last_indexed": e.LastIndexed, "checked_at": e.CheckedAt}
	f.Err = e.Err
	return f
}

// cutList keeps the first entries of a list and notes how many there were.
func cutList[T any](list *[]T, most int, total *int) {
	if len(*list) > most {
		*total = max(*total, len(*list))
		*list = (*list)[:most]
	}
}
