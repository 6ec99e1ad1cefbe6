package lineage

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// query is a generated query, and which base columns feed its columns by the way it was
// made.
type query struct {
	sql     string
	names   []string
	sources []map[string]bool
}

// generator makes queries over three tables.
type generator struct {
	t     *rapid.T
	db    *schema.Database
	alias int
	ctes  []query // of the WITH clause under way; sql is the name
}

func (g *generator) pick(name string, n int) int { return rapid.IntRange(0, n-1).Draw(g.t, name) }

func (g *generator) fresh() string {
	g.alias++
	return fmt.Sprintf("x%d", g.alias)
}

// relation is something that can stand in FROM: a table, a view, a CTE, a derived table.
func (g *generator) relation(depth int) query {
	kind := g.pick("relation", 4)
	switch {
	case kind == 1 && len(g.ctes) > 0:
		return g.ctes[g.pick("cte", len(g.ctes))]
	case kind > 1 && depth > 0:
		q := g.query(depth - 1)
		return query{"(" + q.sql + ")", q.names, q.sources}
	}
	t := g.db.Tables[g.pick("table", len(g.db.Tables))]
	q := query{sql: t.Name.Name}
	for _, c := range t.Columns {
		q.names = append(q.names, c.Name)
		q.sources = append(q.sources, map[string]bool{t.Name.Name + "." + c.Name: true})
	}
	return q
}

// visible is a column in scope, or a value made of such.
type visible struct {
	sql     string
	sources map[string]bool
	scope   map[string]bool // those of sources that come from columns in scope
}

// expression makes a value of columns in scope.
func (g *generator) expression(scope []visible, depth int) visible {
	if depth == 0 || g.pick("leaf", 3) == 0 {
		if len(scope) == 0 || g.pick("constant", 5) == 0 {
			return visible{sql: "1"}
		}
		return scope[g.pick("column", len(scope))]
	}
	a, b, c := g.expression(scope, depth-1), g.expression(scope, depth-1), g.expression(scope, depth-1)
	all, scoped := union(a.sources, b.sources, c.sources), union(a.scope, b.scope, c.scope)
	switch g.pick("form", 6) {
	case 0:
		return visible{fmt.Sprintf("(%s + %s * %s)", a.sql, b.sql, c.sql), all, scoped}
	case 1:
		return visible{fmt.Sprintf("case when %s = %s then %s end", a.sql, b.sql, c.sql), all, scoped}
	case 2:
		return visible{fmt.Sprintf("coalesce(%s, %s, %s)", a.sql, b.sql, c.sql), all, scoped}
	case 3:
		return visible{fmt.Sprintf("sum(%s) over (partition by %s order by %s)", a.sql, b.sql, c.sql), all, scoped}
	case 4:
		return visible{fmt.Sprintf("(%s in (%s, %s))", a.sql, b.sql, c.sql), all, scoped}
	}
	q := g.relation(1)
	alias, n := g.fresh(), g.pick("subquery column", len(q.names))
	// What the condition of a scalar subquery reads of the scope around it feeds it, what
	// it reads inside does not.
	sql := fmt.Sprintf("(select max(%s.%s) from %s as %s where %s.%s = %s)", alias, q.names[n], q.sql, alias, alias, q.names[0], a.sql)
	return visible{sql, union(q.sources[n], a.scope), a.scope}
}

func union(sets ...map[string]bool) map[string]bool {
	all := map[string]bool{}
	for _, s := range sets {
		maps.Copy(all, s)
	}
	return all
}

// query makes a query.
func (g *generator) query(depth int) query {
	outer := g.ctes
	defer func() { g.ctes = outer }()
	var with []string
	for depth > 0 && len(with) < 2 && g.pick("with", 4) == 0 {
		q, name := g.query(depth-1), g.fresh()
		with = append(with, name+" as ("+q.sql+")")
		g.ctes = append(slices.Clip(g.ctes), query{name, q.names, q.sources})
	}
	q := g.body(depth, 0)
	if depth > 0 && g.pick("set", 4) == 0 {
		// The other branch has as many columns.
		other := g.body(depth-1, len(q.names))
		word := []string{"union all", "intersect", "except"}[g.pick("operation", 3)]
		q.sql += " " + word + " " + other.sql
		for i := range q.sources {
			if word != "except" {
				q.sources[i] = union(q.sources[i], other.sources[i])
			}
		}
	}
	if len(with) > 0 {
		q.sql = "with " + strings.Join(with, ", ") + " " + q.sql
	}
	return q
}

// body makes a SELECT, of as many columns as asked for; 0: of any number.
func (g *generator) body(depth, columns int) query {
	var from []string
	var scope []visible
	for range 1 + g.pick("relations", 2) {
		r, alias := g.relation(depth), g.fresh()
		entry := r.sql + " as " + alias
		if len(from) > 0 {
			entry = " join " + entry + " on " + g.expression(scope, 1).sql + " = 1"
		}
		from = append(from, entry)
		for i, n := range r.names {
			scope = append(scope, visible{alias + "." + n, r.sources[i], r.sources[i]})
		}
		if columns == 0 && len(from) == 1 && g.pick("star", 5) == 0 {
			return query{"select * from " + from[0], r.names, slices.Clone(r.sources)}
		}
	}
	if columns == 0 {
		columns = 1 + g.pick("columns", 4)
	}
	var out query
	var items []string
	for i := range columns {
		e := g.expression(scope, 2)
		name := fmt.Sprintf("c%d", i)
		items = append(items, e.sql+" as "+name)
		out.names, out.sources = append(out.names, name), append(out.sources, e.sources)
	}
	out.sql = "select " + strings.Join(items, ", ") + " from " + strings.Join(from, "")
	if g.pick("where", 2) == 0 {
		out.sql += " where " + g.expression(scope, 1).sql + " = 2"
	}
	return out
}

func threeTables() *schema.Database {
	db := &schema.Database{}
	for _, name := range []string{"p", "q", "r"} {
		t := &schema.Table{Name: schema.Name{Name: name}}
		for _, c := range []string{"id", "a", "b"} {
			t.Columns = append(t.Columns, &schema.Column{Name: c})
		}
		db.Tables = append(db.Tables, t)
	}
	return db
}

// TestTrace_Generated traces queries whose lineage is known by the way they were made.
func TestTrace_Generated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom([]dialect.Dialect{dialect.Postgres, dialect.MariaDB, dialect.SQLite, dialect.SQLServer, dialect.Spanner}).Draw(t, "dialect")
		db := threeTables()
		g := &generator{t: t, db: db}
		q := g.query(2)
		names := slices.Clone(q.names)
		db.Views = []*schema.View{{Name: schema.Name{Name: "v"}, Body: q.sql}, {Name: schema.Name{Name: "w"}, Body: "select * from v"}}
		r := Trace(context.Background(), db, d)
		if len(r.Undecided) > 0 {
			t.Fatalf("%s\n%s: %+v", q.sql, d, r.Undecided)
		}
		want := map[string][]string{}
		for i, set := range q.sources {
			for c := range set {
				want["v."+names[i]] = append(want["v."+names[i]], c)
				want["w."+names[i]] = append(want["w."+names[i]], c)
			}
		}
		got := map[string][]string{}
		for _, e := range r.Edges {
			to := e.ToView + "." + e.ToColumn
			got[to] = append(got[to], e.FromTable+"."+e.FromColumn)
		}
		for _, list := range want {
			slices.Sort(list)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s\n%s: -want +got\n%s", q.sql, d, diff)
		}
	})
}
