package lineage

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/parse"
	"github.com/quartet-mcp/quartet/datakit/sqltree/postgres"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// tracer does the work of one call of [Trace].
type tracer struct {
	*catalog
	parses bool // the dialect has a parser
	found  Result
	edges  int // of all lists together, for maxEdges
}

func newTracer(db *schema.Database, d dialect.Dialect) *tracer {
	sql, parses := d.SQL()
	return &tracer{catalog: newCatalog(db, d, sql), parses: parses}
}

// view is a view on its way to the result.
type view struct {
	decl *schema.View
	name string // as the result has it
	rel  *sqltree.Relation
	stmt *sqltree.CreateView // nil: not readable
	// rank and low are those of the search for circles; see [ordered].
	rank, low int
	needs     []*view
}

// views traces the views: parses them, finds out what each reads, and resolves them in
// that order.
func (t *tracer) views(ctx context.Context, decls []*schema.View) {
	list := make([]*view, len(decls))
	byRelation := make(map[*sqltree.Relation]*view, len(decls))
	for i, decl := range decls {
		v := &view{decl: decl, name: t.show(decl.Schema, decl.Name.Name), rel: t.addView(decl.Name, nil)}
		list[i], byRelation[v.rel] = v, v
	}
	for i, v := range list {
		if ctx.Err() != nil {
			return
		}
		reason := fmt.Sprintf("more than %d views", maxViews)
		if i < maxViews {
			v.stmt, reason = t.read(v.decl)
		}
		if reason != "" {
			t.giveUp(v, reason)
			continue
		}
		n := &needs{inside: inside{t.catalog, v.decl.Schema}, views: byRelation}
		sqltree.Resolve(v.stmt, t.sql, n)
		v.needs = n.found
	}
	for _, circle := range ordered(list) {
		if ctx.Err() != nil {
			return
		}
		for _, v := range circle {
			switch {
			case v.stmt == nil: // given up
			case len(circle) > 1 || v.reads(v):
				t.giveUp(v, "cyclic definition")
			case t.edges > maxEdges:
				t.giveUp(v, fmt.Sprintf("more than %d edges", maxEdges))
			default:
				t.view(v)
			}
		}
	}
}

func (t *tracer) giveUp(v *view, reason string) {
	v.rel.View.Resolved = &sqltree.Resolution{Undecided: reason}
	t.found.Undecided = append(t.found.Undecided, Undecided{View: v.name, Reason: reason})
}

// show is a name in the result.
func (t *tracer) show(schemaName, name string) string {
	if schemaName == "" || t.d.TableKey(schemaName) == t.d.TableKey(t.d.DefaultSchema()) {
		return name
	}
	return schemaName + "." + name
}

// read parses a view's definition; the reason says why that is not possible.
func (t *tracer) read(decl *schema.View) (v *sqltree.CreateView, reason string) {
	if !t.parses {
		return nil, "dialect has no parser"
	}
	script, err := t.parse(decl.Body)
	if err != nil {
		return nil, unparsed(err)
	}
	if len(script.Statements) == 0 {
		return nil, "not a select"
	}
	stmt, err := sqltree.One(script)
	if err != nil {
		return nil, unparsed(err)
	}
	q, ok := stmt.(*sqltree.Query)
	if !ok {
		return nil, "not a select"
	}
	v = &sqltree.CreateView{Query: q}
	for _, c := range decl.Columns {
		v.Columns = append(v.Columns, ident(c))
	}
	if decl.Recursive {
		v.Query = recursive(decl.Name.Name, v)
	}
	return v, ""
}

// recursive is what CREATE RECURSIVE VIEW stands for.
func recursive(name string, v *sqltree.CreateView) *sqltree.Query {
	self := ident(name)
	return &sqltree.Query{
		With: &sqltree.With{Recursive: true, CTEs: []*sqltree.CTE{{Name: self, Columns: v.Columns, Body: v.Query}}},
		Body: &sqltree.Select{
			Items: []sqltree.SelectItem{{Expr: &sqltree.Star{}}},
			From:  []sqltree.TableExpr{&sqltree.TableRef{Name: sqltree.Name{Parts: []sqltree.Ident{self}}}},
		},
	}
}

// parse parses SQL of the dialect.
func (c *catalog) parse(text string) (*sqltree.Script, error) {
	if len(text) > maxBody {
		return nil, errTooLong
	}
	if !c.d.PostgresFamily() {
		script, err := parse.Parse(c.sql, text)
		if err == nil && c.d == dialect.SQLServer {
			aliases(script)
		}
		return script, err
	}
	script, err := postgres.Parse(text)
	if err != nil {
		return nil, err
	}
	c.cut(script)
	return script, nil
}

// errTooLong is the error of a text that is longer than maxBody.
var errTooLong = fmt.Errorf("longer than %d MiB", maxBody>>20)

// cut cuts the names that the server cuts.
func (c *catalog) cut(script *sqltree.Script) {
	if !c.d.PostgresFamily() {
		return
	}
	sqltree.Inspect(script, func(n sqltree.Node) bool {
		if id, ok := n.(*sqltree.Ident); ok {
			id.Name = dialect.Cut(id.Name)
		}
		return true
	})
}

// aliases gives columns the names that SQL Server lets stand before an equals sign:
// SELECT name = expression. It has no conditions among the values of a query.
func aliases(script *sqltree.Script) {
	sqltree.Inspect(script, func(n sqltree.Node) bool {
		item, ok := n.(*sqltree.SelectItem)
		if !ok || item.Alias != nil {
			return true
		}
		op, ok := item.Expr.(*sqltree.Op)
		if !ok || op.Name != "=" || len(op.Args) != 2 {
			return true
		}
		if c, ok := op.Args[0].(*sqltree.Column); ok && len(c.Parts) == 1 {
			item.Alias, item.Expr = &c.Parts[0], op.Args[1]
		}
		return true
	})
}

// unparsed is the reason of a text that cannot be parsed.
func unparsed(err error) string {
	if errors.Is(err, sqltree.ErrTooDeep) {
		return tooDeep
	}
	message := err.Error()
	var syntax *sqltree.SyntaxError
	if errors.As(err, &syntax) {
		message = syntax.Message
	}
	return "does not parse: " + plain.Line(message, maxText)
}

// maxText bounds the author's text in a reason or in the place of a name.
const maxText = 200

// needs is a catalog that notes the views that are asked for. Its relations have no
// columns: what a query reads does not depend on them.
type needs struct {
	inside
	views map[*sqltree.Relation]*view
	found []*view
}

var stub = &sqltree.Relation{Open: true}

// Relation implements [sqltree.Catalog].
func (n *needs) Relation(d sqltree.Dialect, name sqltree.Name) *sqltree.Relation {
	r := n.inside.Relation(d, name)
	if r == nil {
		return nil
	}
	if v := n.views[r]; v != nil {
		n.found = append(n.found, v)
	}
	return stub
}

func (v *view) reads(other *view) bool {
	for _, n := range v.needs {
		if n == other {
			return true
		}
	}
	return false
}

// ordered returns the views in groups, those that others read first; a group of several
// is a circle. It is Tarjan's search for strongly connected components, with a stack of
// its own since chains of views may be long.
func ordered(list []*view) [][]*view {
	type frame struct {
		v    *view
		next int // of its needs
	}
	var groups [][]*view
	var open []*view // visited, and of no group yet
	const done = -1  // low of those in a group
	rank := 0
	for _, root := range list {
		if root.rank != 0 {
			continue
		}
		stack := []frame{{v: root}}
		for len(stack) > 0 {
			f := &stack[len(stack)-1]
			v := f.v
			if f.next == 0 && v.rank == 0 {
				rank++
				v.rank, v.low = rank, rank
				open = append(open, v)
			}
			if f.next < len(v.needs) {
				n := v.needs[f.next]
				f.next++
				switch {
				case n.rank == 0:
					stack = append(stack, frame{v: n})
				case n.low != done:
					v.low = min(v.low, n.rank)
				}
				continue
			}
			stack = stack[:len(stack)-1]
			if len(stack) > 0 {
				above := stack[len(stack)-1].v
				above.low = min(above.low, v.low)
			}
			if v.low != v.rank {
				continue
			}
			i := len(open) - 1
			for open[i] != v {
				i--
			}
			group := append([]*view(nil), open[i:]...)
			open = open[:i]
			for _, m := range group {
				m.low = done
			}
			groups = append(groups, group)
		}
	}
	return groups
}

// view resolves a view whose needs are resolved.
func (t *tracer) view(v *view) {
	r := sqltree.ResolveWith(sqltree.Options{Text: v.decl.Body, BothSides: true}, v.stmt, t.sql, inside{t.catalog, v.decl.Schema})
	if r.Undecided == unequal {
		t.giveUp(v, unequal)
		return
	}
	t.nameColumns(r.Output)
	undecided := map[string]bool{}
	for i := range r.Output {
		c := &r.Output[i]
		why := c.Undecided
		if why == "" && c.Name == "" {
			why = unnamed
		}
		if why != "" {
			u := Undecided{View: v.name, Reason: reason(why), Column: columnLabel(c, v.decl.Body)}
			t.found.Undecided = append(t.found.Undecided, u)
			undecided[u.Column] = true
		}
	}
	for _, c := range r.Output {
		if undecided[c.Name] || c.Name == "" {
			continue
		}
		for _, s := range c.Sources {
			t.found.Edges = append(t.found.Edges, Edge{t.show(s.Schema, s.Table), s.Column, v.name, c.Name})
		}
		t.edges += len(c.Sources)
	}
	if r.Undecided != "" {
		t.found.Undecided = append(t.found.Undecided, Undecided{View: v.name, Reason: reason(r.Undecided)})
	}
	for i, b := range r.References {
		for bit, role := range []Role{Filter, Join, Group, Order} {
			if r.Roles[i]&(1<<bit) != 0 {
				t.found.References = append(t.found.References, Reference{t.show(b.Schema, b.Table), b.Column, v.name, role})
			}
		}
	}
	t.edges += len(r.References)
	r.Tables, r.Columns, r.Joins = nil, nil, nil // nobody looks at them again
	v.rel.View.Resolved = r
	v.stmt = nil
}

// nameColumns gives the columns of a view the names that the database finds for them. MySQL and
// MariaDB have made one of an expression's text, which may be none for a view; SQLite
// numbers those that are there already.
func (t *tracer) nameColumns(columns []sqltree.OutputColumn) {
	limit, _ := t.d.NameLimit()
	taken := map[string]bool{}
	for i := range columns {
		c := &columns[i]
		switch {
		case c.Name == "":
		case t.d.MySQLFamily() && (utf8.RuneCountInString(c.Name) > limit || strings.HasSuffix(c.Name, " ")):
			c.Name = "Name_exp_" + strconv.Itoa(i+1)
		case t.d == dialect.SQLite:
			base := c.Name
			for n := 1; taken[t.d.Key(c.Name)]; n++ {
				c.Name = base + ":" + strconv.Itoa(n)
			}
			taken[t.d.Key(c.Name)] = true
		}
	}
}

// columnLabel is how a column is named that is undecided: by its text if it has no name.
func columnLabel(c *sqltree.OutputColumn, text string) string {
	if c.Name != "" || c.Span.Start < 0 || c.Span.End > len(text) || c.Span.Start > c.Span.End {
		return c.Name
	}
	return plain.Line(text[c.Span.Start:c.Span.End], maxText)
}

// Reasons that come up in more than one place.
const (
	tooDeep   = "too deep"
	unnamed   = "unnamed expression"
	unequal   = "set operation branches differ in width"
	starOfAll = "star over a relation without declared columns"
)

// reasons are what the resolver says in other words than the fixed ones.
var reasons = map[string]string{
	"too many columns":                                   tooDeep,
	"recursion nested too deeply":                        tooDeep,
	"column without a name of its own":                   unnamed,
	"relation without declared columns":                  starOfAll,
	"fields of a value whose type is not known":          starOfAll,
	"which columns it stands for is not known":           starOfAll,
	"which columns it has is not known":                  "does not parse: a part of FROM could not be read",
	"part of the expression could not be read":           "does not parse: a part of the expression could not be read",
	"rows of VALUES differ in width":                     "does not parse: rows of VALUES differ in width",
	"recursion without a starting term":                  "cyclic definition",
	"common table expressions that refer to one another": "cyclic definition",
}

// reason puts a reason of the resolver into the fixed words.
func reason(why string) string {
	if fixed, ok := reasons[why]; ok {
		return fixed
	}
	return why
}
