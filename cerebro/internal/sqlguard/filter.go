package sqlguard

import (
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// source is a relation of FROM that needs a condition.
type source struct {
	relation Relation
	columns  []string
	names    []string // by which the block calls it, folded
	at       int
}

// filtered asks for a condition on each relation of a block that needs one.
func (w walker) filtered(b *sqltree.Select, s *scope) {
	var sources []source
	for _, t := range b.From {
		w.sources(t, s, &sources)
	}
	if len(sources) == 0 {
		return
	}
	conditions := append([]sqltree.Expr{b.Where}, b.Other...)
	for _, t := range b.From {
		conditions = append(conditions, inner(t)...)
	}
	for _, src := range sources {
		if !slices.ContainsFunc(conditions, func(e sqltree.Expr) bool { return w.limits(e, src, s) }) {
			w.needsFilter(src.relation, src.columns, src.at)
			return
		}
	}
}

// sources collects the relations of an entry of FROM that need a condition.
func (w walker) sources(t sqltree.TableExpr, s *scope, out *[]source) {
	switch t := t.(type) {
	case *sqltree.TableRef:
		parts := w.parts(t.Name.Parts)
		database, ok := w.databaseOf(parts)
		if !ok || len(parts) == 1 && s.cte(w.fold(parts[0])) {
			return
		}
		r := Relation{database, parts[len(parts)-1]}
		columns := w.filters[folded(r)]
		if len(columns) == 0 {
			return
		}
		src := source{relation: r, columns: columns, names: []string{w.fold(r.Name)}, at: t.Start}
		if t.Alias.Name != nil {
			src.names = []string{w.fold(t.Alias.Name.Name)}
		}
		*out = append(*out, src)
	case *sqltree.Join:
		w.sources(t.Left, s, out)
		w.sources(t.Right, s, out)
	case *sqltree.Opaque:
		for _, in := range t.Inputs {
			w.sources(in, s, out)
		}
	}
}

// inner returns the conditions of the inner joins of an entry of FROM. Those of outer
// joins leave rows of one side as they are.
func inner(t sqltree.TableExpr) []sqltree.Expr {
	j, ok := t.(*sqltree.Join)
	if !ok {
		return nil
	}
	if j.Kind != sqltree.InnerJoin && j.Kind != "SEMI" {
		if j.Kind == sqltree.LeftJoin || j.Kind == "ASOF" {
			return inner(j.Left)
		}
		return nil
	}
	list := append(inner(j.Left), inner(j.Right)...)
	return append(list, j.On)
}

// limits reports whether a condition bounds a column that a relation needs bounded, so
// that parts of the relation need not be read.
func (w walker) limits(e sqltree.Expr, src source, s *scope) bool {
	switch e := e.(type) {
	case *sqltree.Op:
		each := func(a sqltree.Expr) bool { return w.limits(a, src, s) }
		switch e.Name {
		case "AND":
			return slices.ContainsFunc(e.Args, each)
		case "OR":
			return len(e.Args) > 0 && !slices.ContainsFunc(e.Args, func(a sqltree.Expr) bool { return !each(a) })
		case "=", "==", "<", "<=", ">", ">=", "IS NOT DISTINCT FROM":
			return len(e.Args) == 2 && (w.key(e.Args[0], src) && w.constant(e.Args[1], s) || w.key(e.Args[1], src) && w.constant(e.Args[0], s))
		case "BETWEEN", "IN":
			return len(e.Args) > 1 && w.key(e.Args[0], src) && !slices.ContainsFunc(e.Args[1:], func(a sqltree.Expr) bool { return !w.constant(a, s) })
		}
	case *sqltree.Subquery:
		return e.Kind == sqltree.InSubquery && w.key(e.Left, src) && strings.Contains(strings.ToUpper(w.text[e.Left.Pos().End:e.Query.Start]), "IN") &&
			!strings.Contains(strings.ToUpper(w.text[e.Left.Pos().End:e.Query.Start]), "NOT")
	}
	return false
}

// monotone are functions of ClickHouse through which it still finds the parts that a
// condition on the column leaves.
var monotone = names(`todate todate32 todatetime todatetime64 toyyyymm toyyyymmdd toyear tomonday tostartofday tostartofweek tostartofmonth
	tostartofquarter tostartofyear tostartofhour tostartofinterval date_trunc datetrunc tounixtimestamp tolastdayofmonth`)

// key reports whether an expression is one of the columns that a relation needs bounded,
// as it is or in a form that an index still serves.
func (w walker) key(e sqltree.Expr, src source) bool {
	switch e := e.(type) {
	case *sqltree.Column:
		last := e.Parts[len(e.Parts)-1]
		if !slices.Contains(src.columns, lower(last.Name)) {
			return false
		}
		return len(e.Parts) == 1 || slices.Contains(src.names, w.fold(e.Parts[len(e.Parts)-2].Name))
	case *sqltree.Cast:
		switch lower(e.Type.Name.Last().Name) {
		case "date", "date32", "timestamp", "datetime", "datetime64", "timestamptz":
			return w.key(e.Arg, src)
		}
	case *sqltree.Func:
		if w.dialect == ClickHouse && monotone[lower(e.Name.Last().Name)] && e.Over == nil {
			return slices.ContainsFunc(e.Args, func(a sqltree.Expr) bool { return w.key(a, src) })
		}
	}
	return false
}

// constant reports whether an expression has one value for all rows of the block: it
// names no column. A subquery counts where it is one value of its own.
func (w walker) constant(e sqltree.Expr, s *scope) bool {
	ok := true
	sqltree.Walk(e, func(n sqltree.Node) bool {
		switch n := n.(type) {
		case *sqltree.Query:
			return false
		case *sqltree.Column:
			if name := w.fold(n.Parts[0].Name); len(n.Parts) > 1 || !s.scalar(name) && !keyword(name) {
				ok = false
			}
		}
		return ok
	})
	return ok
}

// keyword reports whether a name is a constant that the tree has for a column.
func keyword(name string) bool {
	switch lower(name) {
	case "current_date", "current_timestamp", "today", "now", "localtimestamp":
		return true
	}
	return false
}
