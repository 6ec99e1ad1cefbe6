package index

import (
	"cmp"
	"context"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/paths"
)

// allPairs is up to how many tables the paths of all pairs are stored, unless the
// settings say otherwise; near is how many declared steps apart pairs of different
// clusters may be above.
//
// Above, at most largeRows paths are stored, each direction counted: they are most of
// what a graph of 10,000 tables takes on the disk and, while it is written, of memory,
// and a path that is not stored is found in milliseconds.
const (
	allPairs  = 400
	near      = 2
	largeRows = 50_000
)

// joinPaths finds the join paths that are stored: of all pairs of tables, or of those
// in one cluster or near to each other. Shadow aliases are on none.
func joinPaths(ctx context.Context, c *catalog.Catalog, clusters []catalog.Cluster, s Settings) ([]catalog.Path, error) {
	plan := paths.Plan{Limits: paths.Limits{Depth: s.PathDepth, Table: func(t int) bool { return c.ShadowOf(t) < 0 }}}
	if c.Len() > cmp.Or(s.PathTables, allPairs) {
		plan.Near, plan.MaxRows, plan.Groups = near, largeRows, make([]int, c.Len())
		for i := range plan.Groups {
			plan.Groups[i] = -1
		}
		for i, k := range clusters {
			for _, t := range k.Tables {
				plan.Groups[t] = i
			}
		}
	}
	rows, err := c.Paths().Precompute(ctx, plan)
	if err != nil {
		return nil, err
	}
	out := make([]catalog.Path, len(rows))
	for i, r := range rows {
		p := catalog.Path{From: r.From, To: r.To, Cost: model.Round(r.Cost), Ambiguous: r.Ambiguous, Promoted: r.Promoted}
		for _, step := range c.Paths().Path(r).Steps {
			p.Edges = append(p.Edges, step.Edge)
		}
		out[i] = p
	}
	return out, nil
}
