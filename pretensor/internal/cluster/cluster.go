// Package cluster groups the tables of a database by how closely they are joined.
// [Find] runs the Leiden method on the joins and settles what it leaves over;
// everything is deterministic. Tables are numbers from 0, in the order of their
// ids.
package cluster

import (
	"cmp"
	"math"
	"slices"

	"github.com/quartet-mcp/quartet/pretensor/internal/names"
	"github.com/quartet-mcp/quartet/pretensor/internal/roles"
)

// Limits of the weights.
const (
	leastInferred = 0.5 // confidence from which an inferred join counts
	hubDegree     = 20  // neighbours beyond which a table's joins count less
	leastShared   = 3   // tables without joins that a first word makes a cluster
	sameCluster   = 0.5 // Jaccard overlap that keeps a number
	dimensions    = 3   // of a star
)

// Table is what a cluster needs to know of a table.
type Table struct {
	Schema, Name string
	Role         roles.Role
	Rows         *int64 // nil where it is not known; only a label depends on it
}

// Edge is a join: From refers to To.
type Edge struct {
	From, To   int
	Inferred   bool
	Confidence float64 // of an inferred join
}

// Options of [Find]. The zero value means the defaults.
type Options struct {
	Resolution float64 // 0: by the number of tables
	MinSize    int     // smaller clusters join a neighbour; 0: 3
	// Similarity adds to the weight of a join, already blended; nil: nothing.
	Similarity func(a, b int) float64
	// Old are the clusters of an earlier run by number, to keep their numbers. A table
	// that is gone is negative.
	Old map[int][]int
}

// Pattern is the shape of a cluster.
type Pattern string

// The patterns.
const (
	Star          Pattern = "star"
	Snowflake     Pattern = "snowflake"
	Constellation Pattern = "constellation"
	ERD           Pattern = "erd"
	None          Pattern = "unknown"
)

// Cluster is a group of tables.
type Cluster struct {
	Number   int
	Tables   []int   // ascending
	Cohesion float64 // weight of the joins inside, as a share of what all pairs could have
	Pattern  Pattern
}

// Resolution is the default for a number of tables: more tables, smaller clusters.
func Resolution(tables int) float64 { return min(4, max(0.5, 0.5+float64(tables)/200)) }

// Find returns the clusters of all tables, by number. Each table is in exactly
// one.
func Find(tables []Table, edges []Edge, o Options) []Cluster {
	weights := weigh(len(tables), edges, o.Similarity)
	g := newGraph(len(tables), damp(len(tables), weights))
	of := leiden(g, cmp.Or(o.Resolution, Resolution(len(tables))))
	mergeSmall(g, of, cmp.Or(o.MinSize, 3))
	shareWords(g, of, tables)

	groups := map[int][]int{}
	for t, c := range of {
		groups[c] = append(groups[c], t)
	}
	clusters := make([]Cluster, 0, len(groups))
	for _, list := range groups {
		clusters = append(clusters, Cluster{Tables: list})
	}
	slices.SortFunc(clusters, func(a, b Cluster) int {
		return cmp.Or(cmp.Compare(len(b.Tables), len(a.Tables)), cmp.Compare(a.Tables[0], b.Tables[0]))
	})
	at := make([]int, len(tables))
	for i, c := range clusters {
		for _, t := range c.Tables {
			at[t] = i
		}
	}
	inside := make([][]Edge, len(clusters))
	for _, e := range edges {
		if at[e.From] == at[e.To] {
			inside[at[e.From]] = append(inside[at[e.From]], e)
		}
	}
	for i := range clusters {
		c := &clusters[i]
		c.Cohesion, c.Pattern = shape(tables, c.Tables, inside[i], o.Similarity)
	}
	number(clusters, o.Old)
	slices.SortFunc(clusters, func(a, b Cluster) int { return cmp.Compare(a.Number, b.Number) })
	return clusters
}

// Shape is the cohesion and the pattern of some of the tables, with the joins between
// them.
func Shape(tables []Table, members []int, inside []Edge) (float64, Pattern) {
	return shape(tables, members, inside, nil)
}

func shape(tables []Table, members []int, inside []Edge, similarity func(a, b int) float64) (float64, Pattern) {
	cohesion := 0.0
	if k := float64(len(members)); k > 1 {
		for _, l := range weigh(len(tables), inside, similarity) {
			cohesion += l.weight
		}
		cohesion = math.Round(cohesion/(k*(k-1)/2)*1e6) / 1e6
	}
	keys := slices.DeleteFunc(slices.Clone(inside), func(e Edge) bool { return e.From == e.To || weight(e) == 0 })
	return cohesion, pattern(tables, members, keys)
}

// link is the weight between two tables, a before b.
type link struct {
	a, b   int
	weight float64
}

func weight(e Edge) float64 {
	switch {
	case !e.Inferred:
		return 1
	case e.Confidence >= leastInferred:
		return e.Confidence
	}
	return 0
}

// weigh turns joins into undirected links; of several the strongest counts.
func weigh(tables int, edges []Edge, similarity func(a, b int) float64) []link {
	links := make([]link, 0, len(edges))
	for _, e := range edges {
		if w := weight(e); w > 0 && e.From != e.To && min(e.From, e.To) >= 0 && max(e.From, e.To) < tables {
			links = append(links, link{min(e.From, e.To), max(e.From, e.To), w})
		}
	}
	slices.SortFunc(links, func(x, y link) int {
		return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b), cmp.Compare(y.weight, x.weight))
	})
	links = slices.CompactFunc(links, func(x, y link) bool { return x.a == y.a && x.b == y.b })
	if similarity != nil {
		for i := range links {
			links[i].weight = max(0, links[i].weight+similarity(links[i].a, links[i].b))
		}
	}
	return links
}

// damp weakens the links of tables with very many neighbours, so that one table of
// users does not draw everything to itself.
func damp(tables int, links []link) []link {
	degree := make([]int, tables)
	for _, l := range links {
		degree[l.a]++
		degree[l.b]++
	}
	out := slices.Clone(links)
	for i := range out {
		d := float64(max(degree[out[i].a], degree[out[i].b]))
		out[i].weight /= math.Sqrt(max(1, d/hubDegree))
	}
	return out
}

// mergeSmall gives clusters of fewer than least tables to the neighbour that they
// are joined with most: of equal ones the larger, then that of the earlier table.
// One that is joined to nothing stays. of maps tables to clusters.
func mergeSmall(g *graph, of []int, least int) {
	members := map[int][]int{}
	for t, c := range of {
		members[c] = append(members[c], t)
	}
	var queue []int
	for c, list := range members {
		if len(list) < least {
			queue = append(queue, c)
		}
	}
	first := func(c int) int { return slices.Min(members[c]) }
	slices.SortFunc(queue, func(a, b int) int {
		return cmp.Or(cmp.Compare(len(members[a]), len(members[b])), cmp.Compare(first(a), first(b)))
	})
	for i := 0; i < len(queue); i++ {
		c := queue[i]
		if n := len(members[c]); n == 0 || n >= least {
			continue
		}
		to := map[int]float64{}
		var order []int
		for _, t := range members[c] {
			g.each(t, func(u int, w float64) {
				if d := of[u]; d != c {
					if _, ok := to[d]; !ok {
						order = append(order, d)
					}
					to[d] += w
				}
			})
		}
		best := -1
		for _, d := range order {
			if to[d] <= 0 {
				continue
			}
			if best < 0 || cmp.Or(cmp.Compare(to[d], to[best]), cmp.Compare(len(members[d]), len(members[best])), cmp.Compare(first(best), first(d))) > 0 {
				best = d
			}
		}
		if best < 0 {
			continue
		}
		for _, t := range members[c] {
			of[t] = best
		}
		members[best] = append(members[best], members[c]...)
		delete(members, c)
		if len(members[best]) < least {
			queue = append(queue, best)
		}
	}
}

// shareWords makes clusters of tables without any join that share their schema and
// first word, if there are three or more.
func shareWords(g *graph, of []int, tables []Table) {
	first := map[[2]string][]int{}
	for t := range tables {
		if g.first[t] == g.first[t+1] {
			if words := names.Tokens(tables[t].Name); len(words) > 0 {
				key := [2]string{tables[t].Schema, words[0]}
				first[key] = append(first[key], t)
			}
		}
	}
	for _, list := range first {
		if len(list) >= leastShared {
			for _, t := range list {
				of[t] = of[list[0]]
			}
		}
	}
}

// number gives clusters their numbers: that of the old cluster that it overlaps
// most, by half or more, else the first free one in the clusters' order.
func number(clusters []Cluster, old map[int][]int) {
	was := map[int][]int{} // old numbers of a table
	for n, list := range old {
		for _, t := range list {
			was[t] = append(was[t], n)
		}
	}
	type match struct {
		cluster, number int
		overlap         float64
	}
	var matches []match
	for i, c := range clusters {
		common := map[int]int{}
		for _, t := range c.Tables {
			for _, n := range was[t] {
				common[n]++
			}
		}
		for n, k := range common {
			if j := float64(k) / float64(len(c.Tables)+len(old[n])-k); j >= sameCluster {
				matches = append(matches, match{i, n, j})
			}
		}
	}
	slices.SortFunc(matches, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.overlap, a.overlap), cmp.Compare(a.number, b.number), cmp.Compare(a.cluster, b.cluster))
	})
	taken, given := map[int]bool{}, map[int]bool{}
	for _, m := range matches {
		if !taken[m.number] && !given[m.cluster] {
			clusters[m.cluster].Number, taken[m.number], given[m.cluster] = m.number, true, true
		}
	}
	free := 0
	for i := range clusters {
		if given[i] {
			continue
		}
		for taken[free] {
			free++
		}
		clusters[i].Number, taken[free] = free, true
	}
}

// pattern is the shape of some tables with the joins between them.
func pattern(tables []Table, members []int, keys []Edge) Pattern {
	var facts, dims []int
	role := map[int]roles.Role{}
	for _, t := range members {
		role[t] = tables[t].Role
		switch tables[t].Role {
		case roles.Fact:
			facts = append(facts, t)
		case roles.Dimension:
			dims = append(dims, t)
		}
	}
	if len(keys) == 0 {
		switch {
		case len(facts) >= 2 && len(dims) >= 2:
			return Constellation
		case len(facts) >= 1 && len(dims) >= dimensions:
			return Star
		case len(members) >= 2:
			return ERD
		}
		return None
	}
	next := map[int][]int{}
	for _, e := range keys {
		next[e.From] = append(next[e.From], e.To)
	}
	reached := map[int]int{} // a dimension → the last fact that leads to it
	wide := false
	for _, f := range facts {
		direct := map[int]bool{}
		for _, t := range next[f] {
			if role[t] == roles.Dimension {
				direct[t] = true
			}
		}
		wide = wide || len(direct) >= dimensions
		seen, queue := map[int]bool{f: true}, []int{f}
		for len(queue) > 0 {
			t := queue[0]
			queue = queue[1:]
			for _, u := range next[t] {
				if seen[u] {
					continue
				}
				seen[u] = true
				queue = append(queue, u)
				if role[u] != roles.Dimension {
					continue
				}
				if other, ok := reached[u]; ok && other != f {
					return Constellation
				}
				reached[u] = f
			}
		}
	}
	if !wide {
		return ERD
	}
	for _, e := range keys {
		if role[e.From] == roles.Dimension && role[e.To] == roles.Dimension {
			return Snowflake
		}
	}
	return Star
}
