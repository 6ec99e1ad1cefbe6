package index

import (
	"context"
	"fmt"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/drift"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/quartet-mcp/quartet/pretensor/internal/snapshot"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
)

// ReindexOptions say how [Reindex] works.
type ReindexOptions struct {
	DryRun    bool // write nothing
	Recompute bool // derive clusters and join paths anew
}

// ReindexResult is what [Reindex] found and wrote.
type ReindexResult struct {
	Result                                                 // of a dry run: what would be written, without Entry and Graph
	Changes                                 []drift.Change // since the snapshot, the worst first; never nil
	Changed                                 int            // tables
	Recomputed                              bool           // as asked for, or because more than a tenth of the tables changed
	StalePaths, StaleClusters, StaleMetrics int            // in the new index; paths in each direction
}

// Reindex brings the index of a connection to the structure of today. Unless it
// recomputes, clusters and join paths stay as they were, and those that touch a changed
// table are marked stale; everything else is as [Run] would make it. A connection
// without a usable snapshot is an error that wraps one of package snapshot's.
func Reindex(ctx context.Context, dir *state.Dir, reg *registry.Store, r Request, o ReindexOptions, stage Stage) (*ReindexResult, error) {
	defer frugal()()
	clock := newClock(stage)
	shot, err := snapshot.Read(dir, r.Entry.Name)
	if err != nil {
		return nil, err
	}
	clock.done("last snapshot")
	db, err := r.introspect(ctx)
	if err != nil {
		return nil, err
	}
	clock.done("introspection")
	out := &ReindexResult{Changes: drift.Compare(shot.Database, snapshot.Clean(db, r.Options.Stats, r.Options.SampleValues))}
	touched, changed := touchedBy(out.Changes)
	tables := len(shot.Database.Tables) // from here on shot, as large as the new index, is not held
	out.Changed = changed
	out.Recomputed = o.Recompute || changed*10 > tables
	clock.done("comparison")

	b := &build{Request: r, db: db, clock: clock}
	if !out.Recomputed {
		b.derive = func(c *catalog.Catalog, data *catalog.Data, old *earlier) {
			old.derived(c, data, func(t int) bool { return touched[old.data.Tables[t].QualifiedName()] })
		}
	}
	if o.DryRun {
		last, err := lastData(dir, r.Entry.Name)
		if err != nil {
			return nil, err
		}
		data, err := b.data(ctx, last)
		if err != nil {
			return nil, err
		}
		out.Result = Result{Database: db, Data: data, Counts: countOf(catalog.New(*data, r.Settings.AliasSources)), Warnings: append([]string{}, b.warnings...)}
	} else {
		result, err := b.write(ctx, dir, reg)
		if err != nil {
			return nil, err
		}
		out.Result = *result
	}
	if out.Recomputed && !o.Recompute {
		out.Warnings = append(out.Warnings, fmt.Sprintf("%d of %d tables changed, so clusters and join paths were computed anew", out.Changed, max(tables, len(db.Tables))))
	}
	for _, p := range out.Data.Paths {
		if p.Stale {
			out.StalePaths += 2
		}
	}
	for _, k := range out.Data.Clusters {
		if k.Stale {
			out.StaleClusters++
		}
	}
	for _, m := range out.Data.Metrics {
		if m.Stale {
			out.StaleMetrics++
		}
	}
	return out, nil
}

// touchedBy are the tables that changes are about, by their qualified names, of a
// renamed one both, and how many they are.
func touchedBy(changes []drift.Change) (tables map[string]bool, n int) {
	tables = map[string]bool{}
	var old []string
	for _, c := range changes {
		if !c.Touches() {
			continue
		}
		tables[model.Qualify(c.Schema, c.Table)] = true
		if c.Type == drift.Renamed && c.Column == "" {
			old = append(old, c.Old)
		}
	}
	n = len(tables)
	for _, name := range old {
		tables[name] = true
	}
	return tables, n
}
