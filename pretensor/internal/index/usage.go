package index

import (
	"cmp"
	"context"
	"slices"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/infer"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// MergeCodeJoins gives data the joins that an analysis of code found, by the rules that
// an index infers joins with: what a declared key says already and what cannot be
// joined is left out, and of two guesses over the same columns the more certain one
// stays. Where whole is set, found is all that any code is known to join, and earlier
// joins that only code spoke for go if they are not in it. Join paths are found anew if
// joins have changed.
func MergeCodeJoins(ctx context.Context, data *catalog.Data, s Settings, found []infer.Pair, whole bool) error {
	c := catalog.New(*data, s.AliasSources)
	wanted := map[columnPair]bool{}
	for i := range found {
		if p, ok := pairOf(c, &found[i]); ok {
			wanted[p] = true
		}
	}
	if len(wanted) == 0 && !slices.ContainsFunc(data.Joins, ofCode) {
		return nil
	}
	old, now := byPair(data.Joins), byPair(inferJoins(c, s, found))
	joins := slices.Clone(data.Joins)
	changed := false
	settle := func(p columnPair) {
		changed = true
		joins = slices.DeleteFunc(joins, func(j catalog.Join) bool { return j.Group == 0 && columnPairOf(&j) == p })
		joins = append(joins, now[p]...)
	}
	for p, before := range old {
		anew := whole && slices.ContainsFunc(before, ofCode) || wanted[p] && surest(now[p]) > surest(before)
		if anew && !slices.Equal(before, now[p]) {
			settle(p)
		}
	}
	for p := range wanted {
		if _, there := old[p]; !there && len(now[p]) > 0 && !grouped(data.Joins, p) {
			settle(p)
		}
	}
	if !changed {
		return nil
	}
	place := func(table int, column string) int {
		return slices.IndexFunc(c.Tables[table].Columns, func(k model.Column) bool { return k.Name == column })
	}
	slices.SortStableFunc(joins, func(a, b catalog.Join) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(place(a.From, a.FromColumn), place(b.From, b.FromColumn)), cmp.Compare(b.Confidence, a.Confidence),
			cmp.Compare(a.To, b.To), cmp.Compare(a.ToColumn, b.ToColumn))
	})
	data.Joins = joins
	var err error
	data.Paths, err = joinPaths(ctx, catalog.New(*data, s.AliasSources), data.Clusters, s)
	return err
}

// columnPair is two columns, the one of the smaller table first.
type columnPair struct {
	a, b             int
	columnA, columnB string
}

func newColumnPair(a int, columnA string, b int, columnB string) columnPair {
	if b < a || a == b && columnB < columnA {
		a, columnA, b, columnB = b, columnB, a, columnA
	}
	return columnPair{a, b, columnA, columnB}
}

func columnPairOf(j *catalog.Join) columnPair {
	return newColumnPair(j.From, j.FromColumn, j.To, j.ToColumn)
}

func pairOf(c *catalog.Catalog, p *infer.Pair) (columnPair, bool) {
	a, b := c.At(p.SchemaA, p.TableA), c.At(p.SchemaB, p.TableB)
	return newColumnPair(a, p.ColumnA, b, p.ColumnB), a >= 0 && b >= 0
}

// byPair are the joins over one column on each side.
func byPair(joins []catalog.Join) map[columnPair][]catalog.Join {
	out := map[columnPair][]catalog.Join{}
	for i := range joins {
		if j := &joins[i]; j.Group == 0 {
			out[columnPairOf(j)] = append(out[columnPairOf(j)], *j)
		}
	}
	return out
}

// grouped reports whether the columns are a part of a join over several.
func grouped(joins []catalog.Join, p columnPair) bool {
	return slices.ContainsFunc(joins, func(j catalog.Join) bool { return j.Group != 0 && columnPairOf(&j) == p })
}

// ofCode reports whether analysed code is the best that speaks for a join.
func ofCode(j catalog.Join) bool { return j.Kind == string(infer.UsageCode) }

func surest(joins []catalog.Join) float64 {
	best := 0.0
	for i := range joins {
		best = max(best, joins[i].Confidence)
	}
	return best
}
