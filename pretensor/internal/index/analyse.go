// Package index turns an introspected database into what the tools answer from: it
// infers joins, guesses roles, groups tables, and writes the graph, the catalog
// beside it, the snapshot and the registry entry.
package index

import (
	"cmp"
	"math"
	"slices"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/parse"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/cluster"
	"github.com/quartet-mcp/quartet/pretensor/internal/infer"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
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
			t := &data.Tables[i]
			tables = append(tables, cluster.Table{Schema: t.Schema, Name: t.Name, Role: roles.Role(data.Facts[i].Role), Rows: t.Rows})
		}
	}
	var edges []cluster.Edge
	for i := range c.Edges() {
		e := c.Edge(i)
		if place[e.From] >= 0 && place[e.To] >= 0 {
			edges = append(edges, cluster.Edge{From: place[e.From], To: place[e.To], Inferred: !e.Declared, Confidence: e.Confidence})
		}
	}
	out := []catalog.Cluster{}
	namer := cluster.NewNamer(tables, edges)
	for _, k := range cluster.Find(tables, edges, cluster.Options{Resolution: s.Resolution, MinSize: s.MinClusterSize}) {
		g := catalog.Cluster{Number: k.Number, Cohesion: round4(k.Cohesion), Pattern: string(k.Pattern)}
		for _, t := range k.Tables {
			g.Tables = append(g.Tables, at[t])
		}
		g.Label, g.Description = namer.Name(k.Tables)
		out = append(out, g)
	}
	return out
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
		name := cluster.EntityName(data.Tables[i].Name)
		if name == "" {
			continue
		}
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
