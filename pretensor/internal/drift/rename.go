package drift

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/mcpkit/nearest"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/types"
)

const (
	leastColumns    = 3   // of a table that may have been renamed
	leastJaccard    = 0.8 // of the columns of the two
	leastSimilarity = 0.6 // of the names of a renamed column
	maxCandidates   = 16  // tables that one is compared with
)

// similarity is 1 for equal names and 0 for names without anything in common.
func similarity(a, b string) float64 {
	a, b = strings.ToLower(a), strings.ToLower(b)
	n := max(utf8.RuneCountInString(a), utf8.RuneCountInString(b))
	if n == 0 {
		return 1
	}
	return 1 - float64(nearest.Distance(a, b))/float64(n)
}

// columnRenames are the new names of the columns of one table that seem to have
// been renamed.
func columnRenames(dialect string, old, new *model.Table) map[string]string {
	olds, news := columnsOf(old), columnsOf(new)
	var removed, added []*model.Column
	for p, col := range olds {
		if news[p] == nil {
			removed = append(removed, col)
		}
	}
	for p, col := range news {
		if olds[p] == nil {
			added = append(added, col)
		}
	}
	if len(removed) == 0 || len(added) == 0 {
		return nil
	}
	out := map[string]string{}
	for _, p := range renamedColumns(dialect, removed, added) {
		out[path(p[0])] = path(p[1])
	}
	return out
}

// columnsOf are a table's columns by what they are called in it.
func columnsOf(t *model.Table) map[string]*model.Column {
	m := make(map[string]*model.Column, len(t.Columns))
	for i := range t.Columns {
		m[path(&t.Columns[i])] = &t.Columns[i]
	}
	return m
}

// renamedColumns pairs dropped columns with new ones of the same type and nearly
// the same name and place, the likeliest first.
func renamedColumns(dialect string, removed, added []*model.Column) [][2]*model.Column {
	type pair struct {
		from, to *model.Column
		score    float64
	}
	var pairs []pair
	places := map[int][]*model.Column{}
	for _, to := range added {
		places[to.Ordinal] = append(places[to.Ordinal], to)
	}
	for _, from := range removed {
		for ordinal := from.Ordinal - 1; ordinal <= from.Ordinal+1; ordinal++ {
			for _, to := range places[ordinal] {
				if from.Parent != to.Parent || from.Array != to.Array || types.Normalize(dialect, from.Type) != types.Normalize(dialect, to.Type) {
					continue
				}
				if s := similarity(from.Name, to.Name); s >= leastSimilarity {
					pairs = append(pairs, pair{from, to, s})
				}
			}
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(path(a.from), path(b.from)), cmp.Compare(path(a.to), path(b.to)))
	})
	var out [][2]*model.Column
	taken := map[*model.Column]bool{}
	for _, p := range pairs {
		if !taken[p.from] && !taken[p.to] {
			taken[p.from], taken[p.to] = true, true
			out = append(out, [2]*model.Column{p.from, p.to})
		}
	}
	return out
}

// renamedTables pairs dropped tables with new ones whose columns are nearly the
// same, the likeliest first. Both lists are sorted by name.
//
// Two sets that share most of their members share one of the few rarest of each, so
// only tables that do are compared at all: a schema of thousands of tables that was
// renamed as a whole does not take millions of comparisons.
func renamedTables(dialect string, removed, added []*model.Table) [][2]*model.Table {
	if len(removed) == 0 || len(added) == 0 {
		return nil
	}
	sets := map[*model.Table][]string{}
	frequency := map[string]int{}
	for _, t := range slices.Concat(removed, added) {
		set := map[string]bool{}
		for i := range t.Columns {
			c := &t.Columns[i]
			set[path(c)+"\x00"+types.Normalize(dialect, c.Type)] = true
		}
		if len(set) < leastColumns {
			continue
		}
		for member := range set {
			sets[t] = append(sets[t], member)
			frequency[member]++
		}
	}
	for _, set := range sets {
		slices.SortFunc(set, func(a, b string) int {
			return cmp.Or(cmp.Compare(frequency[a], frequency[b]), cmp.Compare(a, b))
		})
	}
	index, byName := map[string][]*model.Table{}, map[string][]*model.Table{}
	for _, t := range added {
		if sets[t] == nil {
			continue
		}
		byName[t.Name] = append(byName[t.Name], t)
		for _, member := range rarest(sets[t]) {
			index[member] = append(index[member], t)
		}
	}
	type pair struct {
		from, to   *model.Table
		score      float64
		sameSchema bool
		similar    float64
	}
	var pairs []pair
	for _, from := range removed {
		if sets[from] == nil {
			continue
		}
		seen := map[*model.Table]bool{}
		members := toSet(sets[from])
		try := func(to *model.Table) {
			if seen[to] || from.IsView() != to.IsView() {
				return
			}
			seen[to] = true
			if s := jaccard(members, sets[to]); s >= leastJaccard {
				pairs = append(pairs, pair{from, to, s, from.Schema == to.Schema, similarity(from.Name, to.Name)})
			}
		}
		for _, to := range byName[from.Name] { // of many alike the first to try
			try(to)
		}
		for _, member := range rarest(sets[from]) {
			for _, to := range index[member] {
				if len(seen) >= maxCandidates {
					break
				}
				try(to)
			}
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.similar, a.similar), -boolCompare(a.sameSchema, b.sameSchema),
			cmp.Compare(nameOf(a.from).String(), nameOf(b.from).String()), cmp.Compare(nameOf(a.to).String(), nameOf(b.to).String()))
	})
	var out [][2]*model.Table
	taken := map[*model.Table]bool{}
	for _, p := range pairs {
		if !taken[p.from] && !taken[p.to] {
			taken[p.from], taken[p.to] = true, true
			out = append(out, [2]*model.Table{p.from, p.to})
		}
	}
	return out
}

// rarest are the members of which another set must have one: if it has none, more
// than a fifth is missing from it. The set is sorted, the rarest first.
func rarest(set []string) []string { return set[:len(set)/5+1] }

func boolCompare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

func toSet(list []string) map[string]bool {
	m := make(map[string]bool, len(list))
	for _, s := range list {
		m[s] = true
	}
	return m
}

// jaccard is the share of the members of either that both have.
func jaccard(a map[string]bool, b []string) float64 {
	common := 0
	for _, s := range b {
		if a[s] {
			common++
		}
	}
	return float64(common) / float64(len(a)+len(b)-common)
}

// renamedInside reports whether a view's definition differs from the one that had
// the hash only because what it reads has been renamed: engines print a view with
// the names of today. The old names are put back, and the hash must be the old one.
func (c *comparison) renamedInside(view *model.Table, hash string, lineage []model.Lineage) bool {
	if view.Definition == "" || len(c.tables) == 0 && len(c.renames) == 0 {
		return false
	}
	tables, schemas, columns := map[string]string{}, map[string]string{}, map[string]string{} // new to old
	for _, l := range lineage {
		source := name{l.FromSchema, l.FromTable}
		if (name{l.ToSchema, l.ToTable}) != nameOf(view) {
			continue
		}
		for old, now := range c.tables {
			if now == source {
				tables[model.NameToken(now.table)] = model.NameToken(old.table)
				schemas[model.NameToken(now.table)] = model.NameToken(old.schema)
			}
		}
		for old, now := range c.renames[source] {
			columns[model.NameToken(now)] = model.NameToken(old)
		}
	}
	tokens := model.Tokens(view.Definition)
	back := make([]string, 0, len(tokens))
	next := func(i int) string {
		if i < len(tokens) {
			return tokens[i]
		}
		return ""
	}
	for i := 0; i < len(tokens); i++ {
		if old, ok := tables[tokens[i]]; ok {
			if n := len(back); n > 1 && back[n-1] == "." {
				back[n-2] = schemas[tokens[i]]
			}
			back = append(back, old)
			if next(i+1) == old && old != tokens[i] { // PostgreSQL keeps the old name as an alias
				i++
			}
		} else if old, ok := columns[tokens[i]]; ok {
			back = append(back, old)
			if next(i+1) == "as" && next(i+2) == old {
				i += 2
			}
		} else {
			back = append(back, tokens[i])
		}
	}
	return model.HashTokens(back) == hash
}
