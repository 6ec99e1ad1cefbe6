package pgtype

import "github.com/quartet-mcp/quartet/datakit/sqltree"

// scope is what names mean in a part of a query.
type scope struct {
	outer   *scope
	sources []*source
	ctes    *ctes
	windows []sqltree.WindowDef
	clause  clause
	query   *scope // the scope of the query that this is a part of; nil: itself
}

// clause is the part of a query that an expression stands in, and what cannot be there.
type clause struct {
	name             string
	agg, window, set bool
	nested           bool // inside ARRAY
}

// source is an entry of FROM.
type source struct {
	name    string
	columns []*column
	byName  map[string][]*column // once a column was looked for
	open    bool                 // it may have other columns
	row     *Type
	key     []int
}

// column is a column of a source.
type column struct {
	name string
	typ  *Type
	// hidden: it is in a column that JOIN … USING made, and only has its qualified name.
	hidden bool
	// merged is the column that one of USING is the same as.
	merged *column
	of     *source
}

// itself is the column whose values a column has.
func (c *column) itself() *column {
	for c.merged != nil {
		c = c.merged
	}
	return c
}

func sourceOf(rel *Relation, name string) *source {
	s := &source{name: name, open: rel.Open, row: rel.Row, key: rel.Key}
	all := make([]column, len(rel.Columns))
	s.columns = make([]*column, len(rel.Columns))
	for i, f := range rel.Columns {
		all[i] = column{name: f.Name, typ: f.Type, of: s}
		s.columns[i] = &all[i]
	}
	return s
}

// named are the columns of a name.
func (s *source) named(name string) []*column {
	if s.byName == nil {
		s.byName = make(map[string][]*column, len(s.columns))
		for _, col := range s.columns {
			s.byName[col.name] = append(s.byName[col.name], col)
		}
	}
	return s.byName[name]
}

// with is the scope in a clause.
func (sc *scope) with(cl clause) *scope {
	inner := *sc
	inner.clause = cl
	inner.query = sc.top()
	return &inner
}

// top is the scope of the query.
func (sc *scope) top() *scope {
	if sc.query != nil {
		return sc.query
	}
	return sc
}

// column finds a column and the scope that it is of; nil if it is not known.
func (sc *scope) column(parts []sqltree.Ident) (*column, *scope) {
	last := fold(parts[len(parts)-1])
	for at := sc; at != nil; at = at.outer {
		var found *column
		open := false
		for _, s := range at.sources {
			if len(parts) > 1 && s.name != fold(parts[len(parts)-2]) {
				continue
			}
			open = open || s.open || len(parts) > 1
			for _, col := range s.named(last) {
				if col.hidden && len(parts) == 1 {
					continue
				}
				if found != nil {
					return nil, nil // ambiguous
				}
				found = col
			}
		}
		if found != nil {
			return found, at.top()
		}
		if open {
			return nil, nil
		}
		if len(parts) == 1 {
			for _, s := range at.sources {
				if s.name == last { // its row
					return nil, nil
				}
			}
		}
	}
	return nil, nil
}

// owns reports whether an aggregate takes the rows of this query: if it names a column
// of it, or none at all.
func (sc *scope) owns(e *sqltree.Func) bool {
	own, all := 0, 0
	sqltree.Walk(e, func(n sqltree.Node) bool {
		switch n := n.(type) {
		case *sqltree.Subquery:
			all++ // whose columns it names is not looked at
			return false
		case *sqltree.Column:
			all++
			if _, at := sc.column(n.Parts); at == sc.top() {
				own++
			}
		}
		return true
	})
	return own > 0 || all == 0 || sc.outer == nil
}

// ctes are the queries of WITH that are in sight.
type ctes struct {
	outer *ctes
	name  string
	rel   *Relation
}

func (w *ctes) find(name string) *Relation {
	for ; w != nil; w = w.outer {
		if w.name == name {
			return w.rel
		}
	}
	return nil
}
