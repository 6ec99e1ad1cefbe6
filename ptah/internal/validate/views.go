package validate

import (
	"context"
	"fmt"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// view is a view while it is checked.
type view struct {
	*schema.View
	object string
	query  *sqltree.Query
	reads  []int // other views that it may read, by their places
	uses   []int // those that it does read
}

// checkViews checks the queries of views, each after those that it reads (VW).
func (c *checker) checkViews(ctx context.Context) {
	if !c.reads() {
		return
	}
	place := map[*schema.View]int{}
	views := make([]*view, len(c.db.Views))
	for i, v := range c.db.Views {
		views[i] = &view{View: v, object: c.show(v.Name)}
		views[i].query = c.viewQuery(views[i])
		place[v] = i
	}
	d, _ := c.d.SQL()
	for _, v := range views {
		if v.query == nil {
			continue
		}
		sqltree.Walk(v.query, func(n sqltree.Node) bool {
			if t, ok := n.(*sqltree.TableRef); ok {
				if r := c.catalog.Relation(d, t.Name); r != nil {
					if other := c.catalog.owned[r]; other != nil && other != v.View {
						v.reads = append(v.reads, place[other])
					}
				}
			}
			return true
		})
	}
	for _, i := range inOrder(len(views), func(i int) []int { return views[i].reads }) {
		if ctx.Err() != nil {
			return
		}
		c.checkView(views[i], place)
	}
	c.viewCycles(views)
}

// viewQuery parses the body of a view; nil if it is no query.
func (c *checker) viewQuery(v *view) *sqltree.Query {
	bad := func(format string, args ...any) {
		if c.d.Tier() == 1 {
			c.problem("VW001", v.Origin, v.object, format, args...)
		}
	}
	script, err := c.parse(c.viewText(v))
	if err != nil {
		bad("body of view %q does not parse: %s", v.object, syntaxMessage(err))
		return nil
	}
	var q *sqltree.Query
	if len(script.Statements) == 1 {
		q, _ = script.Statements[0].(*sqltree.Query)
	}
	if q == nil {
		bad("body of view %q is not one SELECT", v.object)
		return nil
	}
	if q.Into != nil {
		bad("body of view %q is a SELECT INTO, which makes a table", v.object)
		return nil
	}
	why := ""
	sqltree.Walk(q, func(n sqltree.Node) bool {
		switch n := n.(type) {
		case *sqltree.Param:
			why = "a placeholder"
		case *sqltree.CTE:
			if _, ok := n.Body.(*sqltree.Query); !ok && n.Body != nil {
				why = "a statement in WITH that changes rows"
			}
		}
		return why == ""
	})
	if why != "" {
		bad("body of view %q has %s, which a view cannot have", v.object, why)
		return nil
	}
	return q
}

// viewText is the query of a view; that of a recursive one names the view itself.
func (c *checker) viewText(v *view) string {
	if !v.Recursive || len(v.Columns) == 0 || !c.d.PostgresFamily() {
		return v.Body
	}
	name := c.d.Quote(v.Name.Name)
	columns := make([]string, len(v.Columns))
	for i, n := range v.Columns {
		columns[i] = c.d.Quote(n)
	}
	list := strings.Join(columns, ", ")
	return "WITH RECURSIVE " + name + " (" + list + ") AS (" + v.Body + "\n) SELECT " + list + " FROM " + name
}

// checkView resolves the names in a view and sets its columns in the catalog.
func (c *checker) checkView(v *view, place map[*schema.View]int) {
	if v.query == nil {
		return
	}
	d, _ := c.d.SQL()
	res := sqltree.Resolve(v.query, d, c.catalog)
	for _, use := range res.Tables {
		if other := c.catalog.owned[use.Relation]; use.Relation != nil && other != nil {
			v.uses = append(v.uses, place[other])
		}
	}
	c.unknownRelations(res, "VW002", "view", v.Origin, v.object)
	reported := map[string]bool{}
	for _, use := range res.Columns {
		name := written(use.Parts)
		if use.Status != sqltree.Unknown && use.Status != sqltree.Ambiguous || reported[name] || c.mayBe(use) {
			continue
		}
		reported[name] = true
		switch {
		case use.Status == sqltree.Ambiguous:
			c.problem("VW003", v.Origin, v.object, "view %q names column %.80q, which %s have; say of which it is", v.object, name, quoted(use.Candidates[:min(len(use.Candidates), 5)]))
		case len(use.Parts) > 1 && use.At.Span == use.Parts[len(use.Parts)-2].Span:
			c.missing("VW003", v.Origin, v.object, "view %q names %.80q, and %.80q is none of its relations%s", v.object, name, use.At.Name, c.didYouMean(use.At.Name, use.Candidates))
		case use.Relation != "":
			c.missing("VW003", v.Origin, v.object, "view %q names column %.80q, which %.80q does not have%s", v.object, name, use.Relation, c.didYouMean(use.At.Name, use.Candidates))
		default:
			c.missing("VW003", v.Origin, v.object, "view %q names column %.80q, which none of its relations has%s", v.object, name, c.didYouMean(use.At.Name, use.Candidates))
		}
	}
	c.checkCasts(v)
	c.viewOutput(v, res)
	c.typeView(v)
}

// unknownRelations reports the relations of a query that are not declared. Where
// no table is declared at all they are somewhere else.
func (c *checker) unknownRelations(res *sqltree.Resolution, rule finding.Rule, what string, at schema.Origin, object string) {
	if len(c.tables) == 0 {
		return
	}
	reported := map[string]bool{}
	for _, use := range res.Tables {
		name := written(use.Name.Parts)
		if use.Status != sqltree.Unknown || reported[name] {
			continue
		}
		reported[name] = true
		c.missing(rule, at, object, "%s %q names relation %.80q, which is not declared%s", what, object, name, c.didYouMean(name, use.Candidates))
	}
}

// viewOutput checks the columns of a view (VW004) and puts them into the catalog.
func (c *checker) viewOutput(v *view, res *sqltree.Resolution) {
	known := res.Undecided == ""
	if n := len(v.Columns); n > 0 && known && !v.Recursive {
		if n > len(res.Output) || n < len(res.Output) && !c.d.PostgresFamily() {
			c.missing("VW004", v.Origin, v.object, "view %q lists %s and its query has %d; the numbers must be equal", v.object, plain.Count(n, "column", "columns"), len(res.Output))
			known = false
		}
	}
	names := make([]string, 0, len(res.Output))
	for i, o := range res.Output {
		name := o.Name
		if i < len(v.Columns) {
			name = v.Columns[i]
		}
		names = append(names, name)
		known = known && name != ""
	}
	for i := len(names); i < len(v.Columns); i++ {
		names = append(names, v.Columns[i])
	}
	if c.d.PostgresFamily() || c.d.MySQLFamily() { // SQLite numbers them
		seen := map[string]bool{}
		for _, name := range names {
			key := c.d.Key(name)
			if name != "" && seen[key] {
				c.problem("VW004", v.Origin, v.object, "view %q has two columns %.80q; give one an alias", v.object, name)
				break
			}
			seen[key] = true
		}
	}
	r := c.catalog.views[v.View]
	r.Columns, r.Open = names, !known
}

// viewCycles finds views that read each other (VW005): one problem for each circle.
func (c *checker) viewCycles(views []*view) {
	for _, group := range circles(len(views), func(i int) []int { return views[i].uses }) {
		first := views[group[0]]
		if len(group) == 1 {
			c.problem("VW005", first.Origin, first.object, "view %q reads itself", first.object)
			continue
		}
		var others []string
		for _, i := range group[1:min(len(group), 6)] {
			others = append(others, views[i].object)
		}
		more := ""
		if n := len(group) - 6; n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		c.problem("VW005", first.Origin, first.object, "view %q is in a circle of views that read each other, with %s%s", first.object, quoted(others), more)
	}
}
