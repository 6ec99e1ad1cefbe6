package detect

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect"
	"github.com/quartet-mcp/quartet/pretensor/internal/connect/open"
	"github.com/quartet-mcp/quartet/pretensor/internal/index"
	"github.com/quartet-mcp/quartet/pretensor/internal/keystore"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
	"github.com/quartet-mcp/quartet/pretensor/internal/snapshot"
	"github.com/quartet-mcp/quartet/pretensor/internal/state"
)

// A check of what a real index wrote: all of it is as before, and a second check
// says the same.
func TestRun_AfterIndex(t *testing.T) {
	d := newSQLite(t)
	d.Do(t, sqliteBase)
	c, err := open.Open(t.Context(), d.DSN)
	if err != nil {
		t.Fatal(err)
	}
	dir := state.At(t.TempDir())
	store := registry.NewStore(dir, func(string) string { return "" })
	indexedAs, err := index.Run(t.Context(), dir, store, index.Request{
		Entry: registry.Entry{Name: "shop", DSN: keystore.Secret(d.String())}, Connector: c, Settings: index.Settings{AliasSources: 1, MinClusterSize: 3},
		Now: indexed, Version: "test",
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	d.Do(t, "ALTER TABLE orders RENAME total TO totals")

	before := digest(t, dir.Path())
	var reports []*Report
	for range 2 {
		known, err := store.Read()
		if err != nil {
			t.Fatal(err)
		}
		entry, err := known.Get("shop")
		if err != nil {
			t.Fatal(err)
		}
		r, err := Run(t.Context(), Options{
			Entry:    entry,
			Snapshot: func() (*snapshot.Snapshot, error) { return snapshot.Read(dir, "shop") },
			Open: func(ctx context.Context) (connect.Connector, error) {
				if _, err := store.DSN(entry); err != nil {
					return nil, err
				}
				return open.Open(ctx, d.DSN)
			},
			Catalog: catalog.New(*indexedAs.Data, 1), Now: func() time.Time { return checked }, StaleDays: 7,
		})
		if err != nil {
			t.Fatal(err)
		}
		reports = append(reports, r)
	}
	if digest(t, dir.Path()) != before {
		t.Error("the state directory is another one afterwards")
	}
	if diff := cmp.Diff(reports[0], reports[1]); diff != "" {
		t.Errorf("two checks differ:\n%s", diff)
	}
	r := reports[0]
	if diff := cmp.Diff([]string{"renamed column orders.totals breaking"}, shown(r)); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	// customers, orders and lines are joined in a row, each path there and back.
	if r.GraphImpact.StaleJoinPaths != 6 || len(r.GraphImpact.AffectedClusters) != 1 || r.LastIndexed != "2026-11-21T08:12:03Z" {
		t.Errorf("report %+v", r)
	}
}
