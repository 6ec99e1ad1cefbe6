package tools

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
	"github.com/quartet-mcp/quartet/pretensor/internal/paths"
)

// This file puts join paths of one cost in order by what the tables on them mean.

// breakTie puts those paths first whose tables on the way are the nearest in meaning
// to the two ends, among the paths that cost as much as the first. It does so only
// where both ends have vectors of the model that is set and there is a table on the
// way; if anything fails the order stays.
func (sv *Service) breakTie(ctx context.Context, t traversal, found traversed) (traversed, *tieBreak, error) {
	if len(found.paths) == 0 || !found.paths[0].Ambiguous || found.stale || !sv.comparable(t.d, t.from, t.to) {
		return found, nil, nil
	}
	// All that tie, so that a larger top_k does not change which is first.
	whole := t
	whole.top = paths.MaxPaths
	all, err := whole.search(ctx)
	if err != nil || len(all.paths) == 0 {
		return found, nil, err
	}
	tied := 1
	for tied < len(all.paths) && all.paths[tied].Cost == all.paths[0].Cost {
		tied++
	}
	scores := sv.meanings(ctx, t, all.paths[:tied])
	if scores == nil || slices.Max(scores) == slices.Min(scores) {
		return found, nil, nil
	}
	order := make([]int, tied)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	told := &tieBreak{Method: "embedding", Tied: tied, Scores: make([]float64, tied)}
	sorted := make([]paths.Path, tied, len(all.paths))
	for i, from := range order {
		sorted[i], told.Scores[i] = all.paths[from], scores[from]
	}
	all.stored = all.stored && order[0] == 0
	all.paths = append(sorted, all.paths[tied:]...)
	all.paths = all.paths[:min(t.top, len(all.paths))]
	return all, told, nil
}

// tieTimeout bounds the wait for all vectors: a caller is waiting for paths that are
// good without them.
const tieTimeout = 3 * time.Second

// comparable reports whether tables have vectors of the model that is set.
func (sv *Service) comparable(d database, tables ...int) bool {
	p := sv.Embedder.Provider()
	if p == nil || d.Vectors.Model != p.Model() {
		return false
	}
	for _, t := range tables {
		if t >= len(d.Vectors.Tables) || d.Vectors.Tables[t] == nil {
			return false
		}
	}
	return true
}

// meanings are the cosines of the tables on each path with the two ends, rounded; nil
// if there are none on any or they cannot be had.
func (sv *Service) meanings(ctx context.Context, t traversal, all []paths.Path) []float64 {
	ctx, cancel := context.WithTimeout(ctx, tieTimeout)
	defer cancel()
	anchor, err := sv.Embedder.Question(ctx, t.d.meaning(t.from)+" "+t.d.meaning(t.to))
	if err != nil {
		return nil
	}
	var scores []float64
	for i, p := range all {
		var texts []string
		for _, s := range p.Steps[1:] {
			texts = append(texts, t.d.meaning(s.From))
		}
		if texts == nil {
			continue
		}
		vector, err := sv.Embedder.Question(ctx, strings.Join(texts, " "))
		if err != nil || len(vector) != len(anchor) {
			return nil
		}
		if scores == nil {
			scores = make([]float64, len(all))
		}
		for k := range vector {
			scores[i] += float64(vector[k]) * float64(anchor[k])
		}
		scores[i] = model.Round(scores[i])
	}
	return scores
}

// meaning is what is said of a table, or the words of its name.
func (d database) meaning(table int) string {
	if text := cmp.Or(d.Facts[table].Description, d.Tables[table].Comment); strings.TrimSpace(text) != "" {
		return text
	}
	return strings.Join(names.Tokens(d.Tables[table].Name), " ")
}
