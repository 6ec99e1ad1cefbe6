package detect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/drift"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
)

// touched are the tables of a catalog that changed, as the graph knows them.
type touched struct {
	whole   map[int]bool            // changed in itself: gone, renamed, of another key, …
	columns map[int]map[string]bool // the columns that changed, under their old names
	broken  map[int]map[string]bool // those, whose readers fail
	lost    map[int]bool            // gone or renamed
}

func (t touched) has(table int) bool { return t.whole[table] || len(t.columns[table]) > 0 }

// uses reports whether one of the columns is in a set. A field of a structure that
// changed is a change of the column that holds it.
func uses(set map[string]bool, columns []string) bool {
	for changed := range set {
		for _, c := range columns {
			if c == changed || strings.HasPrefix(changed, c+".") {
				return true
			}
		}
	}
	return false
}

func newTouched(c *catalog.Catalog, changes []drift.Change) touched {
	t := touched{whole: map[int]bool{}, columns: map[int]map[string]bool{}, broken: map[int]map[string]bool{}, lost: map[int]bool{}}
	at := make(map[string]int, c.Len())
	for i := range c.Len() {
		at[c.Name(i)] = i
	}
	for _, ch := range changes { // the graph has renamed tables under their old names
		if i, ok := at[ch.Old]; ok && ch.Type == drift.Renamed && ch.Column == "" {
			at[model.Qualify(ch.Schema, ch.Table)] = i
		}
	}
	put := func(sets map[int]map[string]bool, table int, column string) {
		if sets[table] == nil {
			sets[table] = map[string]bool{}
		}
		sets[table][column] = true
	}
	for _, ch := range changes {
		i, ok := at[model.Qualify(ch.Schema, ch.Table)]
		switch {
		case !ok || !ch.Touches():
		case ch.Target != drift.Column:
			t.whole[i] = true
			t.lost[i] = t.lost[i] || (ch.Target == drift.Table || ch.Target == drift.View) && ch.Breaking
		default:
			column := ch.Column
			if ch.Type == drift.Renamed {
				column = ch.Old
			}
			put(t.columns, i, column)
			// What only reads does not fail where a value must be given from now on.
			if ch.Breaking && ch.Type != drift.Added && ch.New != "not null" {
				put(t.broken, i, column)
			}
		}
	}
	return t
}

// impact fills in what the changes mean for the graph of the catalog, nil if there
// is none.
func (r *Report) impact(c *catalog.Catalog) {
	r.AffectedJoinPaths, r.AffectedMetrics, r.AffectedConsumers = []string{}, []string{}, []Consumer{}
	r.GraphImpact = Impact{AffectedClusters: []string{}, BrokenMetrics: []string{}}
	r.countChanges()
	if c == nil || len(r.Changes) == 0 {
		return
	}
	t := newTouched(c, r.Changes)
	r.paths(c, t)
	for _, k := range c.Clusters {
		if slices.ContainsFunc(k.Tables, t.has) && !slices.Contains(r.GraphImpact.AffectedClusters, k.Label) {
			r.GraphImpact.AffectedClusters = append(r.GraphImpact.AffectedClusters, k.Label)
		}
	}
	for _, m := range c.Metrics {
		if slices.ContainsFunc(m.Uses, func(u catalog.MetricUse) bool { return t.whole[u.Table] || uses(t.columns[u.Table], u.Columns) }) {
			r.AffectedMetrics = append(r.AffectedMetrics, m.Name)
		}
		if slices.ContainsFunc(m.Uses, func(u catalog.MetricUse) bool { return t.lost[u.Table] || uses(t.broken[u.Table], u.Columns) }) {
			r.GraphImpact.BrokenMetrics = append(r.GraphImpact.BrokenMetrics, m.Name)
		}
	}
	r.consumers(c, t)
}

// countChanges counts tables and columns. A column with two changes is one.
func (r *Report) countChanges() {
	type column struct{ schema, table, name string }
	seen := map[column]bool{}
	for _, ch := range r.Changes {
		switch ch.Target {
		case drift.Table, drift.View:
			switch ch.Type {
			case drift.Added:
				r.GraphImpact.TablesAdded++
			case drift.Removed:
				r.GraphImpact.TablesRemoved++
			}
		case drift.Column:
			seen[column{ch.Schema, ch.Table, ch.Column}] = true
		}
	}
	r.GraphImpact.ColumnsChanged = len(seen)
}

// paths finds the stored join paths that lead through a table that changed; a
// column that a step compares is one of a table on it. The graph has each path in
// both directions, and both count.
func (r *Report) paths(c *catalog.Catalog, t touched) {
	var stale []catalog.Path
	for _, p := range c.Data.Paths {
		through := t.has(p.From) || t.has(p.To) || slices.ContainsFunc(p.Edges, func(id int) bool {
			return t.has(c.Edge(id).From) || t.has(c.Edge(id).To)
		})
		if through {
			stale = append(stale, p)
		}
	}
	slices.SortStableFunc(stale, func(a, b catalog.Path) int {
		return cmp.Or(cmp.Compare(a.Cost, b.Cost), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	r.GraphImpact.StaleJoinPaths, r.AffectedJoinPathsTotal = 2*len(stale), 2*len(stale)
	bare := map[string]int{}
	for i := range c.Tables {
		bare[c.Tables[i].Name]++
	}
	name := func(i int) string {
		if bare[c.Tables[i].Name] > 1 {
			return c.Name(i)
		}
		return c.Tables[i].Name
	}
	for _, p := range stale[:min(len(stale), MaxPaths/2)] {
		for _, ends := range [][2]int{{p.From, p.To}, {p.To, p.From}} {
			r.AffectedJoinPaths = append(r.AffectedJoinPaths, fmt.Sprintf("%s → %s (%s)", name(ends[0]), name(ends[1]), names.Count(len(p.Edges), "hop")))
		}
	}
}

// consumers counts, for each service and table that changed, the places that use
// it.
func (r *Report) consumers(c *catalog.Catalog, t touched) {
	at := map[Consumer]int{} // without its count
	for _, k := range c.Consumers {
		counted := map[int]bool{} // a place that reads and writes a table is one
		for _, u := range k.Uses {
			if !t.has(u.Table) || counted[u.Table] {
				continue
			}
			counted[u.Table] = true
			at[Consumer{Service: k.Service, Table: c.Name(u.Table)}]++
		}
	}
	for k, n := range at {
		k.Count = n
		r.AffectedConsumers = append(r.AffectedConsumers, k)
	}
	slices.SortFunc(r.AffectedConsumers, func(a, b Consumer) int {
		return cmp.Or(cmp.Compare(a.Service, b.Service), cmp.Compare(a.Table, b.Table))
	})
}
