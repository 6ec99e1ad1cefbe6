package metric

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/paths"
)

// certain is the confidence from which an inferred join is used.
const certain = 0.5

// maxAlternatives is how many paths an ambiguity lists.
const maxAlternatives = 5

// query is one SELECT over an entity's table and what is joined to it.
type query struct {
	*compiler
	entity *Entity
	source int
	joined []joined // the source first, then in the order of the text
	given  []given  // of entity.Joins
	busy   []int    // tables whose given joins are being followed
	graph  *paths.Graph
}

// joined is a table of the query.
type joined struct {
	table  int
	alias  string
	parent int // in query.joined; -1 of the source
	kind   string
	on     string
	// fans: a row of the parent may meet several of the table; back: the other way.
	fans, back bool
}

// given is a join of the YAML.
type given struct {
	Join
	cond   *condition
	to     int
	others []int // the other tables that its condition names, in order
	fans   bool
	back   bool
}

// column is a column of a table. The name of one that the catalog does not have is
// as it was written.
type column struct {
	table int
	name  string
}

// newQuery resolves an entity's table and joins.
func (k *compiler) newQuery(e *Entity) (*query, error) {
	source, err := k.table(e.SourceTable, fmt.Sprintf("source_table of entity %q", quotable(e.Name)))
	if err != nil {
		return nil, err
	}
	k.used(source, viaSource)
	q := &query{compiler: k, entity: e, source: source, joined: []joined{{table: source, alias: k.c.Tables[source].Name, parent: -1}}}
	for _, j := range e.Joins {
		g, err := q.givenJoin(j)
		if err != nil {
			// It may not be needed, and where it is the error is that there is no path.
			k.warn("a join of entity %q is left out: %s", quotable(e.Name), message(err))
			continue
		}
		q.given = append(q.given, g)
	}
	return q, nil
}

// givenJoin reads a join of the YAML.
func (q *query) givenJoin(j Join) (given, error) {
	what := fmt.Sprintf("join to %q", quotable(j.To))
	to, err := q.table(j.To, what)
	if err != nil {
		return given{}, err
	}
	if to == q.source {
		return given{}, q.failed(nil, "%s: an entity's table is not joined to itself", what)
	}
	cond, err := parseCondition(q.d, j.On)
	if err != nil {
		return given{}, q.failed(nil, "%s: on %q cannot be used: %v", what, quotable(j.On), err)
	}
	g := given{Join: j, cond: cond, to: to}
	for _, c := range cond.columns {
		at, err := q.reference(c, q.entity, to)
		if err != nil {
			return given{}, q.failed(candidates(err), "%s: %v", what, err)
		}
		if at != nil && at.table != to && !slices.Contains(g.others, at.table) {
			g.others = append(g.others, at.table)
		}
	}
	if len(g.others) == 0 {
		return given{}, q.failed(nil, "%s: on %q does not say which column of another table it is joined to", what, quotable(j.On))
	}
	// What is equal to something of the other tables identifies a row, or does not.
	var here, there []string
	equalities(cond.expr, func(a, b *sqltree.Column) {
		x, _ := q.reference(a, q.entity, to)
		y, _ := q.reference(b, q.entity, to)
		if x == nil || y == nil {
			return
		}
		if y.table == to {
			x, y = y, x
		}
		if x.table == to && y.table == g.others[0] {
			here, there = append(here, x.name), append(there, y.name)
		}
	})
	g.fans, g.back = !q.c.Tables[to].IsKey(here), !q.c.Tables[g.others[0]].IsKey(there)
	return g, nil
}

// at is where a table is in the query, or -1.
func (q *query) at(table int) int {
	return slices.IndexFunc(q.joined, func(j joined) bool { return j.table == table })
}

// reach joins a table to the query: as the YAML says, else along the graph.
func (q *query) reach(table int, via via) error {
	q.used(table, via)
	if q.at(table) >= 0 {
		return nil
	}
	for _, g := range q.given {
		if g.to == table && !slices.Contains(q.busy, table) {
			return q.follow(g)
		}
	}
	return q.search(table)
}

// follow joins the table of a given join, after those that its condition needs.
func (q *query) follow(g given) error {
	q.busy = append(q.busy, g.to)
	defer func() { q.busy = q.busy[:len(q.busy)-1] }()
	for _, t := range g.others {
		if slices.Contains(q.busy, t) {
			return q.failed(nil, "the joins of entity %q to %s and %s need each other", quotable(q.entity.Name), q.c.Name(g.to), q.c.Name(t))
		}
		if err := q.reach(t, viaJoin); err != nil {
			return err
		}
	}
	q.add(joined{table: g.to, parent: q.at(g.others[0]), kind: strings.ToUpper(g.Type) + " JOIN", fans: g.fans, back: g.back})
	q.joined[len(q.joined)-1].on = q.render(g.cond, q.entity, g.to)
	return nil
}

// search joins a table along the best path of the graph from the source. Where
// several are as good as each other it does not choose.
func (q *query) search(table int) error {
	first := q.c.Edges()
	if q.graph == nil {
		q.graph = q.newGraph()
	}
	limits := paths.Limits{
		Table: func(t int) bool { return q.c.ShadowOf(t) < 0 || t == q.source || t == table },
		Edge: func(id int) bool {
			if id >= first {
				return true
			}
			e := q.c.Edge(id)
			return e.Confidence >= certain && !slices.ContainsFunc(q.given, func(g given) bool {
				other := g.others[0]
				return e.From == g.to && e.To == other || e.To == g.to && e.From == other
			})
		},
	}
	found, err := q.graph.Search(context.Background(), q.source, table, maxAlternatives, limits)
	if err != nil {
		return err
	}
	if len(found.Paths) == 0 { // there may be a longer one
		limits.Depth = paths.MaxDepth
		if found, err = q.graph.Search(context.Background(), q.source, table, maxAlternatives, limits); err != nil {
			return err
		}
	}
	from, to := q.c.Name(q.source), q.c.Name(table)
	if len(found.Paths) == 0 {
		return q.failed(nil, "no path of keys or confident joins leads from %s to %s; give the way in joins of entity %q", from, to, quotable(q.entity.Name))
	}
	best := found.Paths[0]
	if best.Ambiguous {
		var ways []string
		for _, p := range found.Paths {
			if p.Cost-best.Cost < 1e-9 && best.Cost-p.Cost < 1e-9 {
				ways = append(ways, q.describe(p))
			}
		}
		return q.failed(ways, "several paths lead from %s to %s: %s; give one in joins of entity %q", from, to, strings.Join(ways, "; or "), quotable(q.entity.Name))
	}
	for _, s := range best.Steps {
		if q.at(s.To) >= 0 {
			continue
		}
		q.used(s.To, viaJoin)
		if s.Edge >= first {
			if err := q.follow(q.given[s.Edge-first]); err != nil {
				return err
			}
			continue
		}
		e := q.c.Edge(s.Edge)
		j := joined{table: s.To, parent: q.at(s.From), kind: "LEFT JOIN", fans: !e.ToUnique, back: !e.FromUnique}
		leave, enter := e.FromColumns, e.ToColumns
		if s.Reverse {
			leave, enter = enter, leave
			j.fans, j.back = j.back, j.fans
		}
		if e.Confidence < 1 {
			q.warn("the join of %s is inferred (confidence %.2f)", q.edge(e), e.Confidence)
		}
		q.add(j)
		on := make([]string, len(leave))
		for i := range leave {
			on[i] = q.ref(column{s.From, leave[i]}) + " = " + q.ref(column{s.To, enter[i]})
		}
		q.joined[len(q.joined)-1].on = strings.Join(on, " AND ")
	}
	return nil
}

// newGraph is the catalog's edges and behind them the given joins, which take the
// place of all others between their tables.
func (q *query) newGraph() *paths.Graph {
	edges := q.c.PathEdges()
	for _, g := range q.given {
		edges = append(edges, paths.Edge{
			From: g.others[0], To: g.to, FromColumns: []string{g.On}, ToColumns: []string{g.On}, Cardinality: paths.CardinalityOf(!g.back, !g.fans),
		})
	}
	return paths.New(q.c.Len(), edges)
}

func (q *query) edge(e *catalog.Edge) string {
	parts := make([]string, len(e.FromColumns))
	for i := range parts {
		parts[i] = fmt.Sprintf("%s.%s = %s.%s", q.c.Name(e.From), e.FromColumns[i], q.c.Name(e.To), e.ToColumns[i])
	}
	return strings.Join(parts, " AND ")
}

// describe is a path in words that can be put into joins.
func (q *query) describe(p paths.Path) string {
	parts := make([]string, len(p.Steps))
	for i, s := range p.Steps {
		if first := q.c.Edges(); s.Edge >= first {
			parts[i] = q.given[s.Edge-first].On
		} else {
			parts[i] = q.edge(q.c.Edge(s.Edge))
		}
	}
	return strings.Join(parts, ", then ")
}

// add appends a table under an alias of its own: its name, else schema_name.
func (q *query) add(j joined) {
	t := &q.c.Tables[j.table]
	j.alias = t.Name
	for n := 1; slices.ContainsFunc(q.joined, func(o joined) bool { return strings.EqualFold(o.alias, j.alias) }); n++ {
		if j.alias = t.Schema + "_" + t.Name; n > 1 {
			j.alias = fmt.Sprintf("%s_%s_%d", t.Schema, t.Name, n)
		}
	}
	q.joined = append(q.joined, j)
}

// ref names a column of a table of the query.
func (q *query) ref(c column) string {
	return q.d.Quote(q.joined[q.at(c.table)].alias) + "." + q.d.Quote(c.name)
}

// reference is the column that a condition names: an attribute, a column of the
// entity's table, or table.column. It is nil for a name that means nothing here
// and is left as it is. to is a table that is about to be joined, or -1.
func (k *compiler) reference(c *sqltree.Column, e *Entity, to int) (*column, error) {
	last := c.Parts[len(c.Parts)-1]
	source, err := k.table(e.SourceTable, "")
	if err != nil {
		return nil, err
	}
	if len(c.Parts) == 1 {
		if !last.Quoted {
			if a := attribute(e, last.Name); a != nil {
				at, err := k.sourceColumn(e, source, a)
				return &at, err
			}
		}
		if name, ok := k.column(source, last.Name); ok {
			return &column{source, name}, nil
		}
		return nil, nil
	}
	near := []int{source}
	for _, j := range e.Joins {
		if t, err := k.table(j.To, ""); err == nil {
			near = append(near, t)
		}
	}
	table := -1
	if to >= 0 {
		near = append(near, to)
	}
	if len(c.Parts) == 2 {
		for _, t := range near {
			if k.c.Fold(k.c.Tables[t].Name) == k.c.Fold(c.Parts[0].Name) {
				table = t
				break
			}
		}
	}
	if table < 0 {
		parts := make([]string, len(c.Parts)-1)
		for i, p := range c.Parts[:len(c.Parts)-1] {
			parts[i] = p.Name
		}
		if table, err = k.c.Find(dotted(parts)); err != nil {
			if _, ok := k.column(source, c.Parts[0].Name); ok {
				return nil, nil // a field of a column
			}
			return nil, err
		}
	}
	at := column{table, last.Name}
	if name, ok := k.column(table, last.Name); ok {
		at.name = name
	}
	return &at, nil
}

// dotted is a name of parts as [catalog.SplitName] takes it apart again.
func dotted(parts []string) string {
	out := make([]string, len(parts))
	for i, p := range parts {
		if out[i] = p; p == "" || strings.ContainsAny(p, ".\"`[] ") {
			out[i] = `"` + strings.ReplaceAll(p, `"`, `""`) + `"`
		}
	}
	return strings.Join(out, ".")
}

// render is a condition with its columns written for the query; to is a table that
// they may name, or -1.
func (q *query) render(c *condition, e *Entity, to int) string {
	return c.rewrite(func(col *sqltree.Column) string {
		at, err := q.reference(col, e, to)
		if err != nil || at == nil || q.at(at.table) < 0 {
			return "" // refused before, or means nothing
		}
		if len(col.Parts) == 1 && len(q.joined) == 1 && q.d.Fold(col.Parts[0]) == q.d.Fold(sqltree.Ident{Name: at.name, Quoted: true}) {
			return ""
		}
		return q.ref(*at)
	})
}

// fansOut finds the joins that repeat rows of a table of the query: those that
// meet several rows of the table that is further away from it.
func (q *query) fansOut(table int) []int {
	// Above are the tables from the source to this one: between them rows are counted
	// from below.
	above := map[int]bool{}
	for at := q.at(table); at >= 0; at = q.joined[at].parent {
		above[at] = true
	}
	var out []int
	for i, j := range q.joined {
		switch {
		case j.parent < 0:
		case above[i] && j.back:
			out = append(out, q.joined[j.parent].table)
		case !above[i] && j.fans:
			out = append(out, j.table)
		}
	}
	return out
}

// from is FROM with its joins.
func (q *query) from() string {
	var b strings.Builder
	for i, j := range q.joined {
		name := q.tableName(j.table) + " AS " + q.d.Quote(j.alias)
		if i == 0 {
			b.WriteString("FROM " + name)
		} else {
			fmt.Fprintf(&b, "\n%s %s ON %s", j.kind, name, j.on)
		}
	}
	return b.String()
}

// tableName is the quoted name of a table in FROM.
func (k *compiler) tableName(table int) string {
	t := &k.c.Tables[table]
	name := k.d.Quote(t.Name)
	if t.Schema == "" {
		return name
	}
	if file, schema, ok := strings.Cut(t.Schema, "."); ok && k.files {
		return k.d.Quote(file) + "." + k.d.Quote(schema) + "." + name
	}
	return k.d.Quote(t.Schema) + "." + name
}

// message of an error without its place.
func message(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}

// candidates of an error of a name.
func candidates(err error) []string {
	var name *catalog.NotOne
	if errors.As(err, &name) {
		return name.Candidates
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Candidates
	}
	return nil
}
