// Package index turns an introspected database into what the tools answer from: it
// infers joins, guesses roles, groups tables, and writes the graph, the catalog
// beside it, the snapshot and the registry entry.
package index

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/parse"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/cluster"
	"github.com/quartet-mcp/quartet/pretensor/internal/infer"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
	"github.com/quartet-mcp/quartet/pretensor/internal/roles"
)

// Settings are those of the configuration that shape an analysis.
type Settings struct {
	SameNameMaxTables int // as infer.Options
	AliasSources      int // most upstream tables of a shadow alias; 0: views are never aliases
	Resolution        float64
	MinClusterSize    int
}

// Analyse finds out what the structure does not say: inferred joins, roles and
// clusters. It takes over the database's tables.
func Analyse(connection string, db *model.Database, s Settings) *catalog.Data {
	data := &catalog.Data{
		Connection: connection, Database: db.Name, Dialect: db.Dialect, DefaultSchema: db.DefaultSchema,
		Tables: db.Tables, Lineage: db.Lineage, Facts: make([]catalog.Facts, len(db.Tables)),
	}
	for i := range data.Tables {
		data.Facts[i].Description = data.Tables[i].Comment
	}
	structure := catalog.New(*data, s.AliasSources)
	data.Joins = inferJoins(structure, s)
	joined := catalog.New(*data, s.AliasSources)
	classify(joined, data)
	data.Clusters = clusters(joined, data, s)
	data.Entities = entities(joined, data)
	return data
}

// inferJoins runs the rules over the tables that are not shadow aliases.
func inferJoins(c *catalog.Catalog, s Settings) []catalog.Join {
	in := infer.Input{Dialect: c.Dialect, Lineage: c.Lineage, ViewJoins: viewJoins(c)}
	at := make([]int, 0, c.Len()) // place in the input -> table
	for i := range c.Tables {
		if c.ShadowOf(i) < 0 {
			in.Tables = append(in.Tables, c.Tables[i])
			at = append(at, i)
		}
	}
	found := infer.Joins(in, infer.Options{SameNameMaxTables: s.SameNameMaxTables})
	joins := make([]catalog.Join, 0, len(found.Joins))
	for _, j := range found.Joins {
		from, to := &in.Tables[j.Source.Table], &in.Tables[j.Target.Table]
		a, b := from.Columns[j.Source.Column].Name, to.Columns[j.Target.Column].Name
		joins = append(joins, catalog.Join{
			From: at[j.Source.Table], To: at[j.Target.Table], FromColumn: a, ToColumn: b, Source: j.Origin, Kind: string(j.Kind),
			Confidence: round4(j.Confidence), Reasoning: j.Reasoning, SourceUnique: from.IsKey([]string{a}), TargetUnique: to.IsKey([]string{b}), Group: j.Group,
		})
	}
	return joins
}

// dialects are the SQL dialects of view definitions.
var dialects = map[string]sqltree.Dialect{
	"postgresql": sqltree.Postgres, "mysql": sqltree.MySQL, "mariadb": sqltree.MariaDB, "sqlite": sqltree.SQLite, "duckdb": sqltree.DuckDB,
}

// viewJoins are the equalities between columns of tables in the definitions of views.
func viewJoins(c *catalog.Catalog) []infer.Pair {
	d, ok := dialects[c.Dialect]
	if !ok {
		return nil
	}
	sql := c.SQL()
	seen := map[infer.Pair]bool{}
	var pairs []infer.Pair
	for i := range c.Tables {
		t := &c.Tables[i]
		if t.Definition == "" {
			continue
		}
		script, err := parse.Parse(d, t.Definition)
		if err != nil {
			continue // its joins are only a hint
		}
		for _, st := range script.Statements {
			for _, j := range sqltree.Resolve(st, d, sql).Joins {
				if j.Correlated {
					continue
				}
				p := infer.Pair{
					SchemaA: j.Left.Schema, TableA: j.Left.Table, ColumnA: j.Left.Column,
					SchemaB: j.Right.Schema, TableB: j.Right.Table, ColumnB: j.Right.Column, Locations: 1,
				}
				if !seen[p] {
					seen[p] = true
					pairs = append(pairs, p)
				}
			}
		}
	}
	return pairs
}

func classify(c *catalog.Catalog, data *catalog.Data) {
	edges := make([]roles.Edge, 0, c.Edges())
	for i := range c.Edges() {
		e := c.Edge(i)
		edges = append(edges, roles.Edge{From: e.From, To: e.To, Inferred: !e.Declared, Confidence: e.Confidence})
	}
	degrees := roles.Count(c.Len(), edges)
	for i := range data.Tables {
		r := roles.Classify(data.Dialect, &data.Tables[i], degrees[i], nil)
		data.Facts[i].Role, data.Facts[i].Confidence, data.Facts[i].Signals = string(r.Role), r.Confidence, r.Signals
	}
}

// clusters groups the tables that are not shadow aliases.
func clusters(c *catalog.Catalog, data *catalog.Data, s Settings) []catalog.Cluster {
	place := make([]int, c.Len())
	var at []int
	var tables []cluster.Table
	for i := range data.Tables {
		place[i] = -1
		if c.ShadowOf(i) < 0 {
			place[i] = len(at)
			at = append(at, i)
			tables = append(tables, cluster.Table{Schema: data.Tables[i].Schema, Name: data.Tables[i].Name, Role: roles.Role(data.Facts[i].Role)})
		}
	}
	var edges []cluster.Edge
	degree := make([]int, c.Len())
	for i := range c.Edges() {
		e := c.Edge(i)
		if place[e.From] >= 0 && place[e.To] >= 0 {
			edges = append(edges, cluster.Edge{From: place[e.From], To: place[e.To], Inferred: !e.Declared, Confidence: e.Confidence})
			if e.From != e.To {
				degree[e.From]++
				degree[e.To]++
			}
		}
	}
	out := []catalog.Cluster{}
	for _, k := range cluster.Find(tables, edges, cluster.Options{Resolution: s.Resolution, MinSize: s.MinClusterSize}) {
		g := catalog.Cluster{Number: k.Number, Cohesion: round4(k.Cohesion), Pattern: string(k.Pattern)}
		for _, t := range k.Tables {
			g.Tables = append(g.Tables, at[t])
		}
		g.Label, g.Description = label(data, g.Tables, degree)
		out = append(out, g)
	}
	return out
}

// Weights of a role where a cluster gets its name.
func labelWeight(role string) float64 {
	switch roles.Role(role) {
	case roles.Dimension:
		return 1.5
	case roles.Fact:
		return 1.25
	case roles.Bridge, roles.Junction:
		return 0.4
	}
	return 1
}

// label names a cluster after the table in its middle and the word that its tables
// have most in common.
func label(data *catalog.Data, tables []int, degree []int) (name, description string) {
	rows := func(t int) float64 {
		if n := data.Tables[t].Rows; n != nil && *n > 0 {
			return float64(*n)
		}
		return 0
	}
	anchor := slices.MaxFunc(tables, func(a, b int) int {
		return cmp.Or(
			cmp.Compare(float64(degree[a])*labelWeight(data.Facts[a].Role), float64(degree[b])*labelWeight(data.Facts[b].Role)),
			cmp.Compare(rows(a), rows(b)), cmp.Compare(data.Tables[b].Name, data.Tables[a].Name))
	})
	middle := data.Tables[anchor].QualifiedName()
	if len(tables) == 1 {
		return middle, "1 table"
	}
	weight, count := map[string]float64{}, map[string]int{}
	schemas := map[string]bool{}
	for i := range data.Tables {
		schemas[strings.ToLower(data.Tables[i].Schema)] = true
	}
	for _, t := range tables {
		seen := map[string]bool{}
		for _, w := range nouns(data.Tables[t].Name) {
			if seen[w] || schemas[w] {
				continue
			}
			seen[w] = true
			count[w]++
			weight[w] += float64(degree[t]+1) * math.Log10(rows(t)+10) * labelWeight(data.Facts[t].Role)
		}
	}
	best := ""
	for w := range weight {
		if best == "" || cmp.Or(cmp.Compare(weight[w], weight[best]), cmp.Compare(count[w], count[best]), cmp.Compare(best, w)) > 0 {
			best = w
		}
	}
	name = middle
	if best != "" {
		name += " · " + strings.ToUpper(best[:1]) + best[1:]
	}
	return fmt.Sprintf("%s (%d tables)", name, len(tables)), describe(data, tables, degree)
}

// nouns are the words of a table's name that say what it holds.
func nouns(table string) []string {
	tokens := names.Bare(names.Tokens(table))
	var out []string
	for i, w := range tokens {
		w = names.Stem([]string{w})
		last := i == len(tokens)-1
		switch {
		case len(w) < 2, strings.Trim(w, "0123456789") == "", generic[w], last && (w == "entity" || w == "history" || w == "type"):
		default:
			out = append(out, w)
		}
	}
	return out
}

var generic = map[string]bool{
	"tbl": true, "table": true, "fk": true, "id": true, "ref": true, "rel": true, "map": true, "link": true, "detail": true, "log": true,
}

// describe says in a sentence what a cluster holds.
func describe(data *catalog.Data, tables []int, degree []int) string {
	byDegree := slices.Clone(tables)
	slices.SortFunc(byDegree, func(a, b int) int { return cmp.Or(cmp.Compare(degree[b], degree[a]), cmp.Compare(a, b)) })
	facts, dimensions := 0, 0
	for _, t := range tables {
		switch roles.Role(data.Facts[t].Role) {
		case roles.Fact:
			facts++
		case roles.Dimension:
			dimensions++
		}
	}
	text := fmt.Sprintf("%d tables around %s and %s", len(tables), data.Tables[byDegree[0]].Name, data.Tables[byDegree[1]].Name)
	var parts []string
	for _, p := range []struct {
		n   int
		one string
	}{{facts, "fact"}, {dimensions, "dimension"}} {
		switch {
		case p.n == 1:
			parts = append(parts, "1 "+p.one)
		case p.n > 1:
			parts = append(parts, fmt.Sprintf("%d %ss", p.n, p.one))
		}
	}
	if len(parts) > 0 {
		text += "; " + strings.Join(parts, ", ")
	}
	return text
}

// entities are the things that the tables of the business stand for: those that
// others refer to or that hold what happens, not what only serves the database.
func entities(c *catalog.Catalog, data *catalog.Data) []catalog.Entity {
	byName := map[string]*catalog.Entity{}
	for i := range data.Tables {
		switch roles.Role(data.Facts[i].Role) {
		case roles.Fact, roles.Dimension, roles.Entity:
		default:
			continue
		}
		if c.ShadowOf(i) >= 0 || data.Tables[i].IsView() {
			continue
		}
		words := nouns(data.Tables[i].Name)
		if len(words) == 0 {
			continue
		}
		for k := range words {
			words[k] = strings.ToUpper(words[k][:1]) + words[k][1:]
		}
		name := strings.Join(words, "")
		if byName[name] == nil {
			byName[name] = &catalog.Entity{Name: name, Description: data.Facts[i].Description, Source: "heuristic"}
		}
		byName[name].Tables = append(byName[name].Tables, i)
	}
	out := []catalog.Entity{}
	for _, e := range byName {
		out = append(out, *e)
	}
	slices.SortFunc(out, func(a, b catalog.Entity) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

func round4(f float64) float64 { return math.Round(f*1e4) / 1e4 }
