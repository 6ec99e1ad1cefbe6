package sqlguard

import (
	"slices"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// maxList is how many members an IN list may have.
const maxList = 1000

// scope is what names mean at a place of the statement.
type scope struct {
	outer   *scope
	ctes    map[string]bool // folded
	scalars map[string]bool // WITH expr AS name of ClickHouse
	aliases map[string]bool // of the select list
	// rows are the relations and aliases of FROM, folded.
	rows map[string]bool
}

func (s *scope) find(name string, in func(*scope) map[string]bool) bool {
	for ; s != nil; s = s.outer {
		if in(s)[name] {
			return true
		}
	}
	return false
}

func (s *scope) cte(name string) bool {
	return s.find(name, func(s *scope) map[string]bool { return s.ctes })
}

func (s *scope) scalar(name string) bool {
	return s.find(name, func(s *scope) map[string]bool { return s.scalars })
}

func (s *scope) alias(name string) bool {
	return s.find(name, func(s *scope) map[string]bool { return s.aliases })
}

func (s *scope) row(name string) bool {
	return s.find(name, func(s *scope) map[string]bool { return s.rows })
}

// walker goes through the tree of a query.
type walker struct{ *check }

func (w walker) visit(n sqltree.Node, s *scope) {
	if n == nil || w.err != nil {
		return
	}
	switch n := n.(type) {
	case *sqltree.Query:
		w.query(n, s)
		return
	case *sqltree.Select:
		w.block(n, s)
		return
	case *sqltree.Insert, *sqltree.InsertAll, *sqltree.Update, *sqltree.Delete, *sqltree.Merge:
		w.reject(n.Pos().Start, "only statements that read are allowed")
		return
	case *sqltree.TableRef:
		w.table(n, s)
		return
	case *sqltree.TableFunc:
		w.tableFunction(n, s)
		return
	case *sqltree.Join:
		w.join(n, s)
		return
	case *sqltree.Opaque:
		if len(n.Inputs) == 0 {
			w.refuse(RelationDenied, n.Start, "name a table or view of the project", "%s cannot be read", cut(w.text[n.Start:n.End]))
			return
		}
	case *sqltree.SelectItem:
		if n.Alias != nil {
			w.aliased(n.Expr)
		}
	case *sqltree.Named:
		w.aliased(n.Arg)
	case *sqltree.Func:
		w.function(n)
	case *sqltree.Op:
		w.operator(n, s)
	case *sqltree.Subquery:
		if w.inTable(n, s) {
			w.visit(n.Left, s)
			return
		}
	case *sqltree.Unchecked:
		if w.dialect == DuckDB {
			w.reject(n.Start, "the statement is not understood here")
			return
		}
	}
	for _, child := range sqltree.Children(n) {
		w.visit(child, s)
	}
}

func (w walker) query(q *sqltree.Query, s *scope) {
	switch {
	case q.Into != nil:
		w.reject(q.Into.Start, "a query cannot write its rows to a table")
	case len(q.Locks) > 0:
		w.reject(q.Start, "a query cannot lock rows")
	}
	if q.With != nil {
		s = &scope{outer: s, ctes: map[string]bool{}, scalars: map[string]bool{}}
		for _, c := range q.With.CTEs {
			w.cte(q.With, c, s)
		}
	}
	w.visit(q.Body, s)
	inner := s
	if b, ok := q.Body.(*sqltree.Select); ok {
		inner = w.scopeOf(b, s)
	}
	for i := range q.OrderBy {
		w.visit(&q.OrderBy[i], inner)
	}
	for _, e := range q.Limit {
		w.visit(e, s)
	}
}

// cte judges one common table expression and adds its name to the scope.
func (w walker) cte(with *sqltree.With, c *sqltree.CTE, s *scope) {
	name := w.fold(c.Name.Name)
	if c.Scalar != nil {
		w.visit(c.Scalar, s)
		w.aliased(c.Scalar)
		s.scalars[name] = true
		return
	}
	// Where the name is in scope is a matter of dialects and versions. What may not be
	// read must not depend on it.
	if w.names[lower(name)] || w.dialect == DuckDB && w.systemName(name) {
		w.refuse(RelationDenied, c.Name.Start, "give the CTE another name", "CTE %q has the name of a relation that may not be read", cut(c.Name.Name))
		return
	}
	q, ok := c.Body.(*sqltree.Query)
	if !ok {
		w.reject(c.Start, "a CTE cannot change data")
		return
	}
	if !with.Recursive {
		w.query(q, s)
		s.ctes[name] = true
		return
	}
	s.ctes[name] = true
	w.recursion(name, q.Body)
	w.query(q, s)
}

// recursion asks that each part of a recursive CTE that reads the CTE itself does so
// once, with a condition that may end it.
func (w walker) recursion(name string, b sqltree.Body) {
	switch b := b.(type) {
	case *sqltree.SetOp:
		w.recursion(name, b.Left)
		w.recursion(name, b.Right)
	case *sqltree.Query:
		w.recursion(name, b.Body)
	case *sqltree.Select:
		own, conditions := 0, []sqltree.Expr{b.Where, b.Having, b.Qualify}
		conditions = append(conditions, b.Other...)
		joined := false
		for _, t := range b.From {
			sqltree.Walk(t, func(n sqltree.Node) bool {
				switch n := n.(type) {
				case *sqltree.TableRef:
					if len(n.Name.Parts) == 1 && w.fold(n.Name.Last().Name) == name {
						own++
					}
				case *sqltree.Join:
					conditions = append(conditions, n.On)
					joined = joined || len(n.Using) > 0
				case *sqltree.Select:
					conditions = append(conditions, n.Where)
				}
				return true
			})
		}
		switch {
		case own > 1:
			w.reject(b.Start, "recursive CTE %q reads itself %d times at once", cut(name), own)
		case own == 1 && !joined && !slices.ContainsFunc(conditions, mentions):
			w.refuse(Rejected, b.Start, "add a WHERE that becomes false", "nothing ends the recursion of CTE %q", cut(name))
		}
	}
}

// mentions reports whether a condition depends on a column.
func mentions(e sqltree.Expr) bool {
	found := false
	if e != nil {
		sqltree.Walk(e, func(n sqltree.Node) bool {
			_, ok := n.(*sqltree.Column)
			found = found || ok
			return !found
		})
	}
	return found
}

// scopeOf is the scope inside of a block.
func (w walker) scopeOf(b *sqltree.Select, outer *scope) *scope {
	s := &scope{outer: outer, aliases: map[string]bool{}, rows: map[string]bool{}}
	for _, it := range b.Items {
		if it.Alias != nil {
			s.aliases[w.fold(it.Alias.Name)] = true
		}
	}
	for _, t := range b.From {
		w.rowsOf(t, s)
	}
	return s
}

func (w walker) rowsOf(t sqltree.TableExpr, s *scope) {
	alias := func(a sqltree.Alias) {
		if a.Name != nil {
			s.rows[w.fold(a.Name.Name)] = true
		}
	}
	switch t := t.(type) {
	case *sqltree.TableRef:
		s.rows[w.fold(t.Name.Last().Name)] = true
		alias(t.Alias)
	case *sqltree.Derived:
		alias(t.Alias)
	case *sqltree.TableFunc:
		alias(t.Alias)
	case *sqltree.Opaque:
		alias(t.Alias)
		for _, in := range t.Inputs {
			w.rowsOf(in, s)
		}
	case *sqltree.Join:
		alias(t.Alias)
		w.rowsOf(t.Left, s)
		w.rowsOf(t.Right, s)
	}
}

// block judges one SELECT with its FROM and conditions.
func (w walker) block(b *sqltree.Select, outer *scope) {
	s := w.scopeOf(b, outer)
	for _, child := range sqltree.Children(b) {
		w.visit(child, s)
	}
	if w.err == nil && len(w.filters) > 0 {
		w.filtered(b, s)
	}
}

// table judges a name in FROM.
func (w walker) table(t *sqltree.TableRef, s *scope) {
	parts := w.parts(t.Name.Parts)
	if t.Name.Parts[0].Start < len(w.text) && w.text[t.Name.Parts[0].Start] == '\'' {
		w.refuse(RelationDenied, t.Start, "name a table without quotes, or in double quotes", "a string is no name of a relation that may be read")
	}
	if len(parts) > 1 || !s.cte(w.fold(parts[0])) {
		w.relation(parts, t.Name.Start)
	}
}

// parts returns the parts of a name as they stand in the text.
func (w walker) parts(ids []sqltree.Ident) []string {
	parts := make([]string, len(ids))
	for i, id := range ids {
		parts[i] = w.part(id.Start, id.End)
	}
	return parts
}

func (w walker) tableFunction(t *sqltree.TableFunc, s *scope) {
	for _, e := range t.Calls {
		f, ok := e.(*sqltree.Func)
		if !ok {
			w.refuse(RelationDenied, e.Pos().Start, "name a table or view of the project", "%s cannot be read", cut(w.text[e.Pos().Start:e.Pos().End]))
			return
		}
		name := lower(f.Name.Last().Name)
		if !tableFunctions[w.dialect][name] || len(f.Name.Parts) > 1 {
			w.refuse(RelationDenied, f.Start, "read tables and views of the project", "table function %q may not be called", cut(f.Name.Last().Name))
			return
		}
		w.called[name] = true
		w.generated(f, name)
		if l, ok := firstString(f); ok && name == "values" && strings.Contains(strings.ToUpper(l.Value), "DEFAULT") {
			w.reject(l.Start, "columns of values have a name and a type alone")
		}
		for _, a := range f.Args {
			w.visit(a, s)
		}
		for _, child := range sqltree.Children(f)[1+len(f.Args):] {
			w.visit(child, s)
		}
	}
}

// firstString returns the first argument if it is a string.
func firstString(f *sqltree.Func) (*sqltree.Literal, bool) {
	if len(f.Args) == 0 {
		return nil, false
	}
	l, ok := f.Args[0].(*sqltree.Literal)
	return l, ok && l.Kind == sqltree.StringLiteral
}

// join judges a join. That of an array unfolds a value, which is no table function.
func (w walker) join(j *sqltree.Join, s *scope) {
	w.visit(j.Left, s)
	if f, ok := j.Right.(*sqltree.TableFunc); ok && j.Kind == "ARRAY" {
		for _, e := range f.Calls {
			w.visit(e, s)
		}
	} else {
		w.visit(j.Right, s)
	}
	w.visit(j.On, s)
}

func (w walker) function(f *sqltree.Func) {
	name := lower(f.Name.Last().Name)
	if !w.allowed(name) {
		w.refuse(Rejected, f.Start, "call functions that compute a value of their arguments", "function %q may not be called", cut(f.Name.Last().Name))
		return
	}
	w.called[name] = true
	w.generated(f, name)
	if len(f.Args) < 2 || !higherOrder[name] {
		return
	}
	// A function may be handed over by its name.
	if c, ok := f.Args[0].(*sqltree.Column); ok && !w.allowed(lower(c.Parts[len(c.Parts)-1].Name)) {
		w.reject(c.Start, "a function that is applied to elements is written as a lambda")
	}
}

// generated refuses a call that would make more rows or elements than anything needs.
func (w walker) generated(f *sqltree.Func, name string) {
	if !generators[name] {
		return
	}
	for _, a := range f.Args {
		l, ok := a.(*sqltree.Literal)
		if !ok || l.Kind != sqltree.NumberLiteral {
			continue
		}
		if n, err := strconv.ParseFloat(strings.ReplaceAll(l.Value, "_", ""), 64); err != nil || n > maxGenerated {
			w.reject(l.Start, "%s of more than %d is too much", name, maxGenerated)
			return
		}
	}
}

// operator judges IN with a list, which in ClickHouse may be a relation in parentheses.
func (w walker) operator(o *sqltree.Op, s *scope) {
	if o.Name != "IN" && o.Name != "NOT IN" {
		return
	}
	if len(o.Args)-1 > maxList {
		w.refuse(Rejected, o.Start, "join a table, or ask for a range", "the list has %d members, and %d are allowed", len(o.Args)-1, maxList)
		return
	}
	last := o.Args[len(o.Args)-1]
	for n, ok := last.(*sqltree.Named); ok; n, ok = last.(*sqltree.Named) {
		last = n.Arg
	}
	if col, ok := last.(*sqltree.Column); ok && len(o.Args) == 2 && w.dialect == ClickHouse {
		w.maybeTable(col.Parts, col.Start, s, false)
	}
}

// aliased refuses another name for what may be a relation: behind IN, ClickHouse follows
// an alias of one to its rows.
func (w walker) aliased(e sqltree.Expr) {
	c, ok := e.(*sqltree.Column)
	if !ok || w.dialect != ClickHouse || len(c.Parts) > 1 {
		return
	}
	if name := lower(c.Parts[0].Name); w.names[name] || w.limited[name] {
		w.refuse(RelationDenied, c.Start, "", "%q is the name of a relation that may not be read so", cut(c.Parts[0].Name))
	}
}

// inTable judges x IN t of ClickHouse, which the tree has as a query of everything in t.
func (w walker) inTable(q *sqltree.Subquery, s *scope) bool {
	if w.dialect != ClickHouse || q.Kind != sqltree.InSubquery || q.Query == nil {
		return false
	}
	b, ok := q.Query.Body.(*sqltree.Select)
	if !ok || len(b.From) != 1 {
		return false
	}
	ref, ok := b.From[0].(*sqltree.TableRef)
	if !ok || ref.Span != q.Query.Span {
		return false
	}
	w.maybeTable(ref.Name.Parts, ref.Start, s, true)
	return true
}

// maybeTable judges a name behind IN that is a column or value, or else a relation. It
// is judged as a relation unless nothing but a value can be meant; known says that the
// tree has it for one.
func (w walker) maybeTable(ids []sqltree.Ident, at int, s *scope, known bool) {
	first := w.fold(ids[0].Name)
	if len(ids) == 1 && (s.cte(first) || s.scalar(first) || s.alias(first)) || len(ids) > 1 && s.row(first) {
		return
	}
	r := w.judge(w.parts(ids), at)
	if w.err == nil {
		if known || len(ids) > 1 {
			w.relations[r] = true
		}
		w.unfiltered(r, at)
	}
}
