package tools

import (
	"context"
	"time"

	"github.com/quartet-mcp/quartet/pretensor/internal/drift"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
)

// age is how old an index is, in whole days, and what to say of it: empty unless it
// is stale.
func (sv *Service) age(e registry.Entry) (days int, stale string) {
	days = e.Days(sv.now())
	return days, drift.Stale(days, sv.StaleDays, e.Name)
}

// warnStale puts a stale index into the warning of the answer.
func (sv *Service) warnStale(ctx context.Context, d database) {
	if _, stale := sv.age(d.Entry); stale != "" {
		warn(ctx, stale)
	}
}

// timestamp is a time as answers write it.
func timestamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
