package catalog

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/paths"
)

// Catalog answers questions about one connection's structure. Tables are known by
// their index, 0 to Len()-1, in the order of schema and name.
type Catalog struct {
	Data

	folding   Folding
	byName    map[model.TableName]int // as declared
	byFolded  map[string][]int        // qualified name, folded
	bare      map[string][]int        // table name, folded
	aliases   map[string][]int        // alias, folded
	out, in   [][]int                 // per table: edges
	edges     []Edge
	schemas   []string
	longest   int   // bytes of the longest qualified name
	shadow    []int // per table: the table that it is an alias of, or -1
	columnSum int
	fieldSum  int                     // of columns that are fields of a struct column
	columns   func() []map[string]int // per table: folded column name to its place
	sql       func() *SQL
	paths     func() *paths.Graph
	consumers func() [][]Usage
}

// Edge is a join of two tables that is declared or inferred, from the table that
// refers to the one that is referred to. A composite key is one edge.
type Edge struct {
	From, To    int
	FromColumns []string
	ToColumns   []string
	Declared    bool
	Constraint  string // of a declared key
	Confidence  float64
	Source      string // declared_fk, or that of the inferred join
	Reasoning   string
	FromUnique  bool // FromColumns are a key of From
	ToUnique    bool
	OnDelete    string
	OnUpdate    string
}

// New builds the catalog of data, which it keeps. aliasSources is the most tables
// that a view may be fed by to be a shadow alias of its one base; 0 makes none.
func New(data Data, aliasSources int) *Catalog {
	c := &Catalog{
		Data: data, folding: FoldingOf(data.Dialect),
		byName: PlacesOf(data.Tables), byFolded: map[string][]int{}, bare: map[string][]int{}, aliases: map[string][]int{},
	}
	n := len(data.Tables)
	c.out, c.in = make([][]int, n), make([][]int, n)
	for i := range data.Tables {
		t := &data.Tables[i]
		name := t.QualifiedName()
		c.longest = max(c.longest, len(name))
		folded := c.folding.Fold(name)
		c.byFolded[folded] = append(c.byFolded[folded], i)
		b := c.folding.Fold(t.Name)
		c.bare[b] = append(c.bare[b], i)
		if !slices.Contains(c.schemas, t.Schema) {
			c.schemas = append(c.schemas, t.Schema)
		}
		c.columnSum += len(t.Columns)
		if i < len(data.Facts) {
			for _, a := range data.Facts[i].Aliases {
				a = c.folding.Fold(a)
				c.aliases[a] = append(c.aliases[a], i)
			}
		}
		for k := range t.Columns {
			if t.Columns[k].Parent != "" {
				c.fieldSum++
			}
		}
	}
	slices.Sort(c.schemas)
	c.connect()
	c.findShadows(aliasSources)
	c.columns = sync.OnceValue(c.foldedColumns)
	c.sql = sync.OnceValue(c.newSQL)
	c.paths = sync.OnceValue(func() *paths.Graph { return paths.New(c.Len(), c.PathEdges()) })
	c.consumers = sync.OnceValue(c.newUsages)
	return c
}

// EdgesOf makes the edges of declared keys and inferred joins. Their places are the
// ids under which the catalog of the data has them.
func EdgesOf(data *Data) []Edge { return edgesOf(data, PlacesOf(data.Tables)) }

// PlacesOf are the places of tables. Their qualified names do not tell them apart:
// a dot may be part of a schema's name or of a table's.
func PlacesOf(tables []model.Table) map[model.TableName]int {
	at := make(map[model.TableName]int, len(tables))
	for i := range tables {
		at[model.TableName{Schema: tables[i].Schema, Name: tables[i].Name}] = i
	}
	return at
}

func edgesOf(data *Data, at map[model.TableName]int) []Edge {
	var edges []Edge
	for i := range data.Tables {
		t := &data.Tables[i]
		for _, k := range t.ForeignKeys {
			to, ok := at[model.TableName{Schema: k.RefSchema, Name: k.RefTable}]
			if !ok {
				continue // a table that was not indexed
			}
			edges = append(edges, Edge{
				From: i, To: to, FromColumns: k.Columns, ToColumns: k.RefColumns, Declared: true, Constraint: k.Name, Confidence: 1,
				Source: "declared_fk", FromUnique: t.IsKey(k.Columns), ToUnique: true, OnDelete: k.OnDelete, OnUpdate: k.OnUpdate,
			})
		}
	}
	groups := map[int]int{} // edges of joins over several columns
	for _, j := range data.Joins {
		if id, ok := groups[j.Group]; ok && j.Group != 0 {
			e := &edges[id]
			e.FromColumns, e.ToColumns = append(e.FromColumns, j.FromColumn), append(e.ToColumns, j.ToColumn)
			e.FromUnique, e.ToUnique = data.Tables[e.From].IsKey(e.FromColumns), data.Tables[e.To].IsKey(e.ToColumns)
			continue
		}
		groups[j.Group] = len(edges)
		edges = append(edges, Edge{
			From: j.From, To: j.To, FromColumns: []string{j.FromColumn}, ToColumns: []string{j.ToColumn}, Confidence: j.Confidence,
			Source: j.Source, Reasoning: j.Reasoning, FromUnique: j.SourceUnique, ToUnique: j.TargetUnique,
		})
	}
	return edges
}

// connect enters the edges at their tables.
func (c *Catalog) connect() {
	c.edges = edgesOf(&c.Data, c.byName)
	for id := range c.edges {
		e := &c.edges[id]
		c.out[e.From] = append(c.out[e.From], id)
		c.in[e.To] = append(c.in[e.To], id)
	}
}

// findShadows finds the views that stand for one table.
func (c *Catalog) findShadows(most int) {
	c.shadow = make([]int, len(c.Tables))
	upstream := make([]map[int]bool, len(c.Tables))
	for i := range c.shadow {
		c.shadow[i] = -1
	}
	if most < 1 {
		return
	}
	for _, l := range c.Lineage {
		from, to := c.At(l.FromSchema, l.FromTable), c.At(l.ToSchema, l.ToTable)
		if from < 0 || to < 0 || l.Type == model.LineageTrigger || !c.Tables[to].IsView() {
			continue
		}
		if upstream[to] == nil {
			upstream[to] = map[int]bool{}
		}
		upstream[to][from] = true
	}
	for i, up := range upstream {
		if len(up) == 0 || len(up) > most {
			continue
		}
		// Of several the first by name: what a limit above one asks for.
		first := -1
		for t := range up {
			if first < 0 || t < first {
				first = t
			}
		}
		c.shadow[i] = first
	}
	// A view over a shadow alias is one of the same base.
	for i := range c.shadow {
		for steps := 0; c.shadow[i] >= 0 && c.shadow[c.shadow[i]] >= 0 && steps < len(c.shadow); steps++ {
			c.shadow[i] = c.shadow[c.shadow[i]]
		}
	}
}

// Len is the number of tables.
func (c *Catalog) Len() int { return len(c.Tables) }

// Columns is the number of columns of all tables, fields of struct columns included.
func (c *Catalog) Columns() int { return c.columnSum }

// Fields is the number of those columns that are fields of a struct column.
func (c *Catalog) Fields() int { return c.fieldSum }

// Schemas lists the schemas, sorted.
func (c *Catalog) Schemas() []string { return c.schemas }

// Edge returns an edge by its id; Out and In list those of a table.
func (c *Catalog) Edge(id int) *Edge { return &c.edges[id] }

// Edges is the number of edges.
func (c *Catalog) Edges() int { return len(c.edges) }

// Out lists the edges from a table to what it refers to, declared ones first.
func (c *Catalog) Out(table int) []int { return c.out[table] }

// In lists the edges from what refers to a table.
func (c *Catalog) In(table int) []int { return c.in[table] }

// ShadowOf is the table that a view stands for (a shadow alias), or -1.
func (c *Catalog) ShadowOf(table int) int { return c.shadow[table] }

// At is the table of exactly these names, or -1: a database may speak of tables that
// were not indexed.
func (c *Catalog) At(schema, name string) int {
	if i, ok := c.byName[model.TableName{Schema: schema, Name: name}]; ok {
		return i
	}
	return -1
}

// Name is a table's qualified name.
func (c *Catalog) Name(table int) string { return c.Tables[table].QualifiedName() }

// Fold folds a name as the database compares unquoted ones.
func (c *Catalog) Fold(name string) string { return c.folding.Fold(name) }

// Column finds a column of a table: exactly, else folded. It returns -1 if there is
// none.
func (c *Catalog) Column(table int, name string) int {
	t := &c.Tables[table]
	for i := range t.Columns {
		if t.Columns[i].Name == name && t.Columns[i].Parent == "" {
			return i
		}
	}
	if i, ok := c.columns()[table][c.folding.Fold(name)]; ok {
		return i
	}
	return -1
}

// foldedColumns is made when a name is first asked for that is not exact: who writes a
// large catalog needs the memory for something else.
func (c *Catalog) foldedColumns() []map[string]int {
	all := make([]map[string]int, len(c.Tables))
	for i := range c.Tables {
		columns := c.Tables[i].Columns
		all[i] = make(map[string]int, len(columns))
		for k := range columns {
			if columns[k].Parent != "" {
				continue
			}
			key := c.folding.Fold(columns[k].Name)
			if _, ok := all[i][key]; !ok {
				all[i][key] = k
			}
		}
	}
	return all
}

// Between lists the edges that join two tables in either direction, the most
// certain first.
func (c *Catalog) Between(a, b int) []int {
	var ids []int
	for _, id := range c.out[a] {
		if c.edges[id].To == b {
			ids = append(ids, id)
		}
	}
	if a != b {
		for _, id := range c.out[b] {
			if c.edges[id].To == a {
				ids = append(ids, id)
			}
		}
	}
	slices.SortStableFunc(ids, func(x, y int) int { return cmp.Compare(c.edges[y].Confidence, c.edges[x].Confidence) })
	return ids
}

// PathEdges are the edges as package paths takes them, under their ids. Edges over the
// same columns are no choice between two paths, and one whose columns do not pair up
// cannot be joined over: but for the best of them these come without tables, so that
// they are left out. The slice is the caller's.
func (c *Catalog) PathEdges() []paths.Edge {
	edges := make([]paths.Edge, len(c.edges))
	for i := range c.edges {
		e := &c.edges[i]
		edges[i] = paths.Edge{
			From: e.From, To: e.To, FromColumns: e.FromColumns, ToColumns: e.ToColumns, Inferred: !e.Declared, Confidence: e.Confidence,
			Cardinality: paths.CardinalityOf(e.FromUnique, e.ToUnique),
		}
		if len(e.FromColumns) == 0 || len(e.FromColumns) != len(e.ToColumns) || c.isRepeated(i) {
			edges[i].From, edges[i].To = -1, -1
		}
	}
	return edges
}

// isRepeated reports whether a better edge, or an earlier one as good, compares the
// same columns of the same tables: a key that is declared twice, a guess in both
// directions.
func (c *Catalog) isRepeated(id int) bool {
	e := &c.edges[id]
	better := func(other int) bool {
		o := &c.edges[other]
		switch {
		case o.Declared != e.Declared:
			return o.Declared
		case o.Confidence != e.Confidence:
			return o.Confidence > e.Confidence
		}
		return other < id
	}
	for _, other := range c.out[e.From] {
		if o := &c.edges[other]; o.To == e.To && better(other) && slices.Equal(pairs(o.FromColumns, o.ToColumns), pairs(e.FromColumns, e.ToColumns)) {
			return true
		}
	}
	for _, other := range c.out[e.To] {
		if o := &c.edges[other]; o.To == e.From && better(other) && slices.Equal(pairs(o.ToColumns, o.FromColumns), pairs(e.FromColumns, e.ToColumns)) {
			return true
		}
	}
	return false
}

// pairs are pairs of columns, sorted.
func pairs(from, to []string) [][2]string {
	p := make([][2]string, min(len(from), len(to)))
	for i := range p {
		p[i] = [2]string{from[i], to[i]}
	}
	slices.SortFunc(p, func(a, b [2]string) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	return p
}

// Paths is the graph of the edges, under their ids, which is made once. Shadow
// aliases are in it: a search leaves them out by its limits.
func (c *Catalog) Paths() *paths.Graph { return c.paths() }

// Path is the stored join path of two tables, which leads the other way if back is
// set; nil: none is stored.
func (c *Catalog) Path(from, to int) (p *Path, back bool) {
	if back = from > to; back {
		from, to = to, from
	}
	i, ok := slices.BinarySearchFunc(c.Data.Paths, [2]int{from, to}, func(p Path, ends [2]int) int {
		return cmp.Or(cmp.Compare(p.From, ends[0]), cmp.Compare(p.To, ends[1]))
	})
	if !ok {
		return nil, false
	}
	return &c.Data.Paths[i], back
}

// Folding says how a database compares names without quotes.
type Folding uint8

// The ways.
const (
	FoldLower Folding = iota // PostgreSQL: to lower case; elsewhere without regard to case
	FoldUpper                // Snowflake
	FoldNone                 // ClickHouse, BigQuery's tables
)

// FoldingOf is the folding of a dialect.
func FoldingOf(dialect string) Folding {
	switch dialect {
	case "snowflake":
		return FoldUpper
	case "clickhouse":
		return FoldNone
	}
	return FoldLower
}

// Fold folds a name.
func (f Folding) Fold(name string) string {
	switch f {
	case FoldUpper:
		return strings.ToUpper(name)
	case FoldNone:
		return name
	}
	return strings.ToLower(name)
}
