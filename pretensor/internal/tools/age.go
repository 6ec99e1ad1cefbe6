package tools

import (
	"context"
	"fmt"
	"time"

	"github.com/quartet-mcp/quartet/pretensor/internal/drift"
	"github.com/quartet-mcp/quartet/pretensor/internal/registry"
)

// age is how old an index is, in whole days, and what to say of it: empty unless it
// is stale.
func (sv *Service) age(e registry.Entry) (days int, stale string) {
	days = int(max(0, sv.now().Sub(e.Indexed)) / (24 * time.Hour))
	if days > sv.StaleDays {
		stale = fmt.Sprintf("Index is %d days old (limit %d). %s", days, sv.StaleDays, drift.RecommendReindex(e.Name))
	}
	return days, stale
}

// warnStale puts a stale index into the warning of the answer.
func (sv *Service) warnStale(ctx context.Context, d database) {
	if _, stale := sv.age(d.Entry); stale != "" {
		warn(ctx, stale)
	}
}

// timestamp is a time as answers write it.
func timestamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
