// Package index turns an introspected database into what the tools answer from: it
// infers joins, guesses roles, groups tables, and writes the graph, the catalog
// beside it, the snapshot and the registry entry.
package index

import (
	"cmp"
	"slices"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/parse"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/cluster"
	"github.com/quartet-mcp/quartet/pretensor/internal/config"
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
	PathDepth         int // steps of a stored join path; 0: 4
	PathTables        int // above, only pairs near to each other are stored; 0: 400, less: always
}

// SettingsOf are the settings of a configuration.
func SettingsOf(g config.Graph) Settings {
	s := Settings{SameNameMaxTables: -1, MinClusterSize: g.MinClusterSizeMerge, PathDepth: g.JoinPathMaxDepth, PathTables: g.PrecomputeMaxTables}
	if s.PathTables == 0 {
		s.PathTables = -1
	}
	if g.SameNameMaxTables != nil {
		s.SameNameMaxTables = *g.SameNameMaxTables
	}
	if g.CollapseShadowAliases {
		s.AliasSources = g.LineageInMaxForAlias
	}
	if g.ClusteringResolutionOverride != nil {
		s.Resolution = *g.ClusteringResolutionOverride
	}
	return s
}

// Analyse finds out what the structure does not say: inferred joins, roles, clusters
// and entities. It takes over the database's tables.
func Analyse(connection string, db *model.Database, s Settings) *catalog.Data {
	data, c := inferred(connection, db, s, nil)
	group(c, data, s, nil)
	return data
}

// inferred is the data of a database with its inferred joins, and the catalog of the
// two.
func inferred(connection string, db *model.Database, s Settings, old *earlier) (*catalog.Data, *catalog.Catalog) {
	data := &catalog.Data{
		Connection: connection, Database: db.Name, Dialect: db.Dialect, DefaultSchema: db.DefaultSchema,
		Tables: db.Tables, Lineage: db.Lineage, Facts: make([]catalog.Facts, len(db.Tables)),
	}
	for i := range data.Tables {
		data.Facts[i].Description = data.Tables[i].Comment
	}
	structure := catalog.New(*data, s.AliasSources)
	data.Joins = old.codeJoins(structure, inferJoins(structure, s, nil))
	return data, catalog.New(*data, s.AliasSources)
}

// group finds the roles, clusters and entities of the tables.
func group(c *catalog.Catalog, data *catalog.Data, s Settings, old *earlier) {
	classify(c, data)
	data.Clusters = clusters(c, data, s, old)
	data.Entities = entities(c, data)
}

// inferJoins runs the rules over the tables that are not shadow aliases. code are the
// joins that an analysis of code found.
func inferJoins(c *catalog.Catalog, s Settings, code []infer.Pair) []catalog.Join {
	in := infer.Input{Dialect: c.Dialect, Lineage: c.Lineage, ViewJoins: viewJoins(c), CodeJoins: code}
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
			Confidence: model.Round(j.Confidence), Reasoning: j.Reasoning, SourceUnique: from.IsKey([]string{a}), TargetUnique: to.IsKey([]string{b}), Group: j.Group,
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

// grouping is what clusters are made of: the tables that are not shadow aliases, and
// their joins.
type grouping struct {
	place  []int // of each table in tables; -1: not in it
	at     []int // the other way round
	tables []cluster.Table
	edges  []cluster.Edge
	namer  *cluster.Namer
}

func newGrouping(c *catalog.Catalog, data *catalog.Data) *grouping {
	g := &grouping{place: make([]int, c.Len())}
	for i := range data.Tables {
		g.place[i] = -1
		if c.ShadowOf(i) < 0 {
			g.place[i] = len(g.at)
			g.at = append(g.at, i)
			t := &data.Tables[i]
			g.tables = append(g.tables, cluster.Table{Schema: t.Schema, Name: t.Name, Role: roles.Role(data.Facts[i].Role), Rows: t.Rows})
		}
	}
	for i := range c.Edges() {
		e := c.Edge(i)
		if g.place[e.From] >= 0 && g.place[e.To] >= 0 {
			g.edges = append(g.edges, cluster.Edge{From: g.place[e.From], To: g.place[e.To], Inferred: !e.Declared, Confidence: e.Confidence})
		}
	}
	g.namer = cluster.NewNamer(g.tables, g.edges)
	return g
}

// clusters groups the tables that are not shadow aliases.
func clusters(c *catalog.Catalog, data *catalog.Data, s Settings, old *earlier) []catalog.Cluster {
	out := []catalog.Cluster{}
	g := newGrouping(c, data)
	for _, k := range cluster.Find(g.tables, g.edges, cluster.Options{Resolution: s.Resolution, MinSize: s.MinClusterSize, Old: old.clusters(g.place)}) {
		x := catalog.Cluster{Number: k.Number, Cohesion: model.Round(k.Cohesion), Pattern: string(k.Pattern)}
		for _, t := range k.Tables {
			x.Tables = append(x.Tables, g.at[t])
		}
		x.Label, x.Description = g.namer.Name(k.Tables)
		out = append(out, x)
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
