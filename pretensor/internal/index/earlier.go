package index

import (
	"fmt"
	"slices"

	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// earlier is the index that a new one takes the place of. What people and their code
// say is kept; what was derived is derived anew, but for the numbers of clusters. The
// methods of a nil one keep nothing.
type earlier struct {
	data  *catalog.Data
	place []int // of its tables among the new ones; -1: gone
}

func newEarlier(old *catalog.Data, tables []model.Table) *earlier {
	if old == nil {
		return nil
	}
	at := catalog.PlacesOf(tables)
	e := &earlier{data: old, place: make([]int, len(old.Tables))}
	for i := range old.Tables {
		e.place[i] = -1
		if t, ok := at[model.TableName{Schema: old.Tables[i].Schema, Name: old.Tables[i].Name}]; ok {
			e.place[i] = t
		}
	}
	return e
}

// codeJoins adds the joins that an analysis of code found to those that were inferred
// now, unless a column is gone or their pair of columns is declared or there with more
// confidence.
func (e *earlier) codeJoins(c *catalog.Catalog, joins []catalog.Join) []catalog.Join {
	if e == nil {
		return joins
	}
	declared := map[columnPair]bool{}
	for i := range c.Edges() { // c has no inferred joins yet
		edge := c.Edge(i)
		for k := range min(len(edge.FromColumns), len(edge.ToColumns)) {
			declared[newColumnPair(edge.From, edge.FromColumns[k], edge.To, edge.ToColumns[k])] = true
		}
	}
	now, replaced := byPair(joins), map[columnPair]bool{}
	var kept []catalog.Join
	for _, j := range e.data.Joins {
		if !ofCode(j) || e.place[j.From] < 0 || e.place[j.To] < 0 {
			continue
		}
		j.From, j.To, j.Group = e.place[j.From], e.place[j.To], 0
		from, to := &c.Tables[j.From], &c.Tables[j.To]
		p := columnPairOf(&j)
		if from.Column(j.FromColumn) == nil || to.Column(j.ToColumn) == nil || declared[p] || replaced[p] || grouped(joins, p) || surest(now[p]) >= j.Confidence {
			continue
		}
		j.SourceUnique, j.TargetUnique = from.IsKey([]string{j.FromColumn}), to.IsKey([]string{j.ToColumn})
		replaced[p] = true
		kept = append(kept, j)
	}
	joins = slices.DeleteFunc(joins, func(j catalog.Join) bool { return j.Group == 0 && replaced[columnPairOf(&j)] })
	return append(joins, kept...)
}

// clusters are the old clusters by number, of tables as at places them.
func (e *earlier) clusters(at []int) map[int][]int {
	if e == nil {
		return nil
	}
	old := make(map[int][]int, len(e.data.Clusters))
	for _, k := range e.data.Clusters {
		for _, t := range k.Tables {
			place := e.place[t]
			if place >= 0 {
				place = at[place]
			}
			old[k.Number] = append(old[k.Number], place)
		}
	}
	return old
}

// keep gives data what was said of its tables: metrics, consumers and scans.
func (e *earlier) keep(data *catalog.Data) {
	if e == nil {
		return
	}
	data.Scans = e.data.Scans
	for _, c := range e.data.Consumers {
		uses := c.Uses
		c.Uses = nil
		for _, u := range uses {
			if u.Table = e.place[u.Table]; u.Table >= 0 {
				c.Uses = append(c.Uses, u)
			}
		}
		if len(c.Uses) > 0 {
			data.Consumers = append(data.Consumers, c)
		}
	}
	for _, m := range e.data.Metrics {
		uses := m.Uses
		m.Uses = nil
		for _, u := range uses {
			before := &e.data.Tables[u.Table]
			u.Table = e.place[u.Table]
			if u.Table < 0 {
				m.Stale = true
				continue
			}
			m.Stale = m.Stale || changed(before, &data.Tables[u.Table], u.Columns)
			m.Uses = append(m.Uses, u)
		}
		data.Metrics = append(data.Metrics, m)
	}
}

// changed reports whether one of these columns is gone or has another type, or a view
// has another definition.
func changed(before, after *model.Table, columns []string) bool {
	if before.DefinitionHash != after.DefinitionHash {
		return true
	}
	return slices.ContainsFunc(columns, func(name string) bool {
		a, b := before.Column(name), after.Column(name)
		return b == nil || a != nil && a.Type != b.Type
	})
}

// vectors are the old vectors of the tables that are still there.
func (e *earlier) vectors(tables int) catalog.Vectors {
	if e == nil || e.data.Vectors.Dim == 0 {
		return catalog.Vectors{}
	}
	v := catalog.Vectors{Model: e.data.Vectors.Model, Dim: e.data.Vectors.Dim, Tables: make([][]float32, tables)}
	for i, to := range e.place {
		if to >= 0 {
			v.Tables[to] = e.data.Vectors.Tables[i]
		}
	}
	return v
}

// derived gives data the old clusters and join paths in place of new ones, those that
// touch a table which touched reports by its place among the old ones being stale.
// What leads over a column or table that is gone is dropped; new tables are in no
// cluster and on no path.
func (e *earlier) derived(c *catalog.Catalog, data *catalog.Data, touched func(old int) bool) {
	g := newGrouping(c, data)
	data.Clusters = []catalog.Cluster{}
	for _, k := range e.data.Clusters {
		tables := k.Tables
		k.Tables = nil
		var places []int
		for _, t := range tables {
			k.Stale = k.Stale || touched(t)
			if to := e.place[t]; to >= 0 && g.place[to] >= 0 {
				k.Tables = append(k.Tables, to)
				places = append(places, g.place[to])
			}
		}
		if len(k.Tables) == 0 {
			continue
		}
		if len(k.Tables) < len(tables) { // its texts may name what is gone
			k.Label, k.Description = g.namer.Name(places)
		}
		data.Clusters = append(data.Clusters, k)
	}
	data.Paths = e.paths(c, touched)
}

// paths are the old join paths over the edges of c.
func (e *earlier) paths(c *catalog.Catalog, touched func(old int) bool) []catalog.Path {
	key := func(from, to int, edge *catalog.Edge) string {
		return fmt.Sprintf("%d %d %q %q", from, to, edge.FromColumns, edge.ToColumns)
	}
	now := make(map[string]int, c.Edges())
	for i := range c.Edges() {
		edge := c.Edge(i)
		if k := key(edge.From, edge.To, edge); now[k] == 0 { // of two, the first: declared ones are
			now[k] = i + 1
		}
	}
	before := catalog.EdgesOf(e.data)
	edges := make([]int, len(before))
	for i := range edges {
		edge := &before[i]
		edges[i] = -1
		if from, to := e.place[edge.From], e.place[edge.To]; from >= 0 && to >= 0 && c.ShadowOf(from) < 0 && c.ShadowOf(to) < 0 {
			edges[i] = now[key(from, to, edge)] - 1
		}
	}
	kept := make([]catalog.Path, 0, len(e.data.Paths))
	for _, p := range e.data.Paths {
		stale, whole := p.Stale, true
		ids := make([]int, len(p.Edges))
		for i, id := range p.Edges {
			edge := &before[id]
			stale = stale || touched(edge.From) || touched(edge.To)
			ids[i] = edges[id]
			whole = whole && ids[i] >= 0
		}
		if whole {
			p.From, p.To, p.Edges, p.Stale = e.place[p.From], e.place[p.To], ids, stale
			kept = append(kept, p)
		}
	}
	return kept
}
