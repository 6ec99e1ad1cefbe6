package index

import (
	"context"
	"fmt"
	"time"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph/fill"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph/kuzu"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/privacy"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
)

// Request is one connection to index.
type Request struct {
	Connection string
	Connector  connect.Connector
	Options    connect.Options
	Settings   Settings
	Now        time.Time
	Generation string // of the new graph
	Version    string // of the product
}

// Stage is told when a step of an index ends.
type Stage func(name string, took time.Duration)

// Result is what an index wrote.
type Result struct {
	Database *model.Database // as introspected, after the privacy rule
	Data     *catalog.Data
	Graph    string // path of the graph file
}

// Run introspects a database and writes its graph and its catalog. An error, the end
// of ctx or a killed process leaves the old ones in place: each file is written
// beside and renamed, the graph last, and a catalog of another generation than the
// graph's is not read.
func Run(ctx context.Context, dir *state.Dir, r Request, stage Stage) (*Result, error) {
	if stage == nil {
		stage = func(string, time.Duration) {}
	}
	began := time.Now()
	done := func(name string) {
		now := time.Now()
		stage(name, now.Sub(began))
		began = now
	}
	db, err := r.Connector.Introspect(ctx, r.Options)
	if err != nil {
		return nil, err
	}
	db.Sort()
	privacy.Apply(db, r.Options.Stats, r.Options.SampleValues)
	done("introspection")

	data := Analyse(r.Connection, db, r.Settings)
	data.Generation, data.BuiltAt, data.StatsMode = r.Generation, r.Now.UTC(), string(r.Options.Stats)
	done("analysis")

	path, err := dir.Graph(r.Connection)
	if err != nil {
		return nil, err
	}
	encoded, err := catalog.Encode(data)
	if err != nil {
		return nil, err
	}
	if err := (state.Writer{}).Write(catalog.PathOf(path), encoded, 0o600); err != nil {
		return nil, err
	}
	batches := fill.Catalog(catalog.New(*data, r.Settings.AliasSources), r.Version)
	err = kuzu.Build(ctx, path, 0, kuzu.Limits{}, func(w *kuzu.Writer) error {
		for _, b := range batches {
			if err := w.Load(ctx, b.Name, b.Columns, b.Rows); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("writing the graph of %s: %w", r.Connection, err)
	}
	done("graph")
	return &Result{Database: db, Data: data, Graph: path}, nil
}
