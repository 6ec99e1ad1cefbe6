package sqltree

import (
	"slices"
	"strings"
)

// table resolves one entry of FROM; sc holds the entries before it.
func (r *resolver) table(t TableExpr, sc *scope) []*source {
	if !r.enter() {
		r.leave()
		return []*source{{open: true, why: "too deep"}}
	}
	defer r.leave()
	switch t := t.(type) {
	case *TableRef:
		return []*source{r.entry(*t, sc)}
	case *Derived:
		outer := sc.outer
		if t.Lateral || r.d == DuckDB { // which finds out by itself
			outer = sc
		}
		o := r.statement(t.Query, outer, sc.ctes)
		if t.Alias.Name == nil {
			return []*source{r.aliased(o.source(), t.Alias)}
		}
		return []*source{r.named(o.source(), t.Alias)}
	case *TableFunc:
		return []*source{r.tableFunc(t, sc)}
	case *Join:
		return r.join(t, sc)
	case *Opaque:
		inner := child(sc.outer, sc.ctes)
		for _, in := range t.Inputs {
			if ref, ok := in.(*TableRef); ok && t.Mentions {
				inner.sources = append(inner.sources, r.relation(*ref, mentioned))
				continue
			}
			inner.sources = append(inner.sources, r.table(in, sc)...)
		}
		for _, e := range t.Exprs {
			r.influence(e, inner, Filters)
		}
		s := r.aliased(&source{open: true, why: "which columns it has is not known"}, t.Alias)
		s.open = s.open && (r.d != Snowflake || len(t.Alias.Columns) == 0) // its list has to name all
		return []*source{s}
	}
	return []*source{{open: true, why: "which columns it has is not known"}}
}

// aliased gives a relation the name and column names of an alias.
func (r *resolver) aliased(s *source, a Alias) *source {
	if a.Name != nil {
		s.key, s.name = r.d.Fold(*a.Name), a.Name.Name
		if !r.d.qualifiesAliases() {
			s.schema = nil
		}
	}
	if len(a.Columns) > 0 {
		s.fields = placed(s.fields)
	}
	for i, id := range a.Columns {
		if i == len(s.fields) {
			if !s.open {
				break
			}
			f := field{val: value{undecided: s.why}}
			if s.any != nil {
				f.val = *s.any
			}
			s.fields = append(s.fields, f)
		}
		s.fields[i].key, s.fields[i].name = r.d.Fold(id), r.d.shown(id)
	}
	return s
}

// entry resolves a name in FROM: a CTE, a path into an entry before it, or a
// relation of the catalog.
func (r *resolver) entry(t TableRef, sc *scope) *source {
	last := t.Name.Last()
	if len(t.Name.Parts) == 1 {
		if c := sc.ctes.find(r.d.Fold(last)); c != nil {
			if !r.spend(len(c.fields)) {
				return r.named(&source{key: r.d.Fold(last), name: last.Name, open: true, why: "too many columns"}, t.Alias)
			}
			s := &source{key: r.d.Fold(last), name: last.Name, fields: slices.Clone(c.fields), open: c.open, why: c.why, ordered: true}
			return r.named(s, t.Alias)
		}
	} else if s := r.columnTable(t, sc); s != nil {
		return s
	}
	return r.relation(t, read)
}

// elements is an array as a relation: its alias stands for an element, whose fields
// are the columns.
func elements(e value, key, name string) *source {
	s := &source{key: key, name: name, ordered: true, whole: &e}
	if e.row != nil {
		s.fields = e.row.fields
	}
	return s
}

// columnTable reads FROM t, t.items: in some dialects a path that starts at an
// entry before it names an array column, whose elements become rows.
func (r *resolver) columnTable(t TableRef, sc *scope) *source {
	if !r.d.hasPaths() {
		return nil
	}
	if src, _ := r.findSource(t.Name.Parts[:1], sc); src == nil {
		return nil
	}
	array := r.column(&Column{Span: t.Name.Span, Parts: t.Name.Parts}, sc, false)
	name := t.Name.Last()
	if t.Alias.Name != nil {
		name = *t.Alias.Name
	}
	if array.elem != nil {
		return elements(*array.elem, r.d.Fold(name), name.Name)
	}
	v := combine(Expression, array)
	return &source{
		key: r.d.Fold(name), name: name.Name, open: true, any: &v, ordered: true,
		fields: []field{{key: r.d.Fold(name), name: name.Name, val: v}},
	}
}

// named applies an alias and tells every value through which relation it is seen.
func (r *resolver) named(s *source, a Alias) *source {
	s = r.aliased(s, a)
	for i := range s.fields {
		s.fields[i].val.of = s.name
	}
	return s
}

func (r *resolver) tableFunc(t *TableFunc, sc *scope) *source {
	var args []value
	var call *Func
	for _, c := range t.Calls {
		if f, ok := c.(*Func); ok && r.d == ClickHouse {
			args = append(args, r.tableArguments(f, sc))
			call = f
			continue
		}
		args = append(args, r.expr(c, sc))
		if f, ok := c.(*Func); ok && len(f.Name.Parts) > 0 {
			call = f
		}
	}
	v := combine(Expression, args...)
	if call != nil && len(call.Args) == 1 && call.named("unnest") && r.d == BigQuery {
		if array := r.quietly(call.Args[0], sc); array.elem != nil {
			s := elements(*array.elem, "", "")
			if t.Ordinality {
				s.fields = append(slices.Clone(s.fields), r.ordinality(t))
			}
			return r.named(s, t.Alias)
		}
	}
	s := &source{open: true, any: &v, why: noColumns, ordered: r.d != SQLite} // there its rows have a rowid
	add := func(key, name string) { s.fields = append(s.fields, field{key: key, name: name, val: v}) }
	alone := false // one column, which takes the name of the whole
	if call != nil {
		last := call.Name.Last()
		s.key, s.name = r.d.Fold(last), last.Name
		if rel := r.tableValued(call); rel != nil {
			s.open, s.any = rel.open, nil
			s.fields, s.hidden = rel.fields, rel.hidden
		} else if columns, known := r.functionColumns(call); known && len(t.Calls) == 1 {
			s.open = false
			for _, c := range columns {
				alone = c == ""
				add(r.d.key(c), c)
			}
		}
	}
	if len(t.Defined) > 0 {
		s.open, s.fields = false, nil
		for _, id := range t.Defined {
			add(r.d.Fold(id), r.d.shown(id))
		}
	}
	if t.Ordinality {
		if s.open && len(t.Alias.Columns) > 0 {
			// The list names the ordinality as well, after all others.
			s.open = false
			for range len(t.Alias.Columns) - len(s.fields) - 1 {
				add("", "")
			}
		}
		s.fields = append(s.fields, r.ordinality(t))
	}
	s = r.named(s, t.Alias)
	if r.d == DuckDB && len(t.Alias.Columns) > 0 && call != nil && call.named("unnest") && len(call.Args) == 1 {
		s.open = false // of one list or array: one column
	}
	switch {
	case alone && len(t.Alias.Columns) == 0:
		s.fields[0].key, s.fields[0].name = s.key, s.name
	case s.open && len(t.Defined) == 0 && len(t.Alias.Columns) == 0 && s.key != "":
		// It may have one column: its name is the column's as well.
		s.fields = append([]field{{key: s.key, name: s.name, val: v}}, s.fields...)
	}
	return s
}

// tableArguments resolves the arguments of a function in ClickHouse's FROM, of which
// a bare name is a table or a format.
func (r *resolver) tableArguments(f *Func, sc *scope) value {
	var args []value
	for _, a := range f.Args {
		c, ok := a.(*Column)
		if !ok {
			args = append(args, r.expr(a, sc))
			continue
		}
		if n := (Name{Span: c.Span, Parts: c.Parts}); r.catalog.Relation(r.d, n) != nil {
			r.relation(TableRef{Span: c.Span, Name: n}, read)
		} else if _, found := r.peek(c.Parts[0], sc); found {
			args = append(args, r.expr(a, sc))
		}
	}
	return combine(Expression, args...)
}

// structure lists the columns that a literal of ClickHouse's functions declares:
// 'id UInt64, name String'.
func structure(f *Func) ([]string, bool) {
	for _, a := range f.Args {
		l, ok := a.(*Literal)
		if !ok || l.Kind != StringLiteral || !strings.Contains(strings.TrimSpace(l.Value), " ") {
			continue
		}
		var columns []string
		for _, part := range splitArgs(l.Value) {
			name, rest := cutName(strings.TrimSpace(part))
			if strings.TrimSpace(rest) == "" || strings.ContainsAny(name, "/:.") {
				columns = nil
				break
			}
			columns = append(columns, name)
		}
		if columns != nil {
			return columns, true
		}
	}
	return nil, false
}

// ordinality is the column that numbers the rows of a function.
func (r *resolver) ordinality(t *TableFunc) field {
	switch {
	case t.Offset != nil:
		return field{key: r.d.Fold(*t.Offset), name: t.Offset.Name}
	case r.d == BigQuery:
		return field{key: "offset", name: "offset"}
	}
	return field{key: r.d.key("ordinality"), name: "ordinality"}
}

// tableValued is what a call returns whose rows are those of a relation: SQLite's
// t('query') of a full-text table, jsonb_populate_record(NULL::t, …).
func (r *resolver) tableValued(call *Func) *source {
	if r.d == SQLite {
		if rel := r.catalog.Relation(r.d, call.Name); rel != nil && len(rel.Hidden) > 0 {
			return r.relation(TableRef{Span: call.Name.Span, Name: call.Name}, read)
		}
	}
	if name := strings.ToLower(call.Name.Last().Name); r.d == Postgres && strings.Contains(name, "_populate_record") && len(call.Args) > 0 {
		return r.rowType(call.Args[0])
	}
	return nil
}

// rowType is the row of a relation that an expression is cast to, or nil.
func (r *resolver) rowType(e Expr) *source {
	if f, ok := e.(*Func); ok && len(f.Name.Parts) > 0 {
		return r.tableValued(f)
	}
	c, ok := e.(*Cast)
	if !ok || len(c.Type.Name.Parts) == 0 || c.Type.Array > 0 {
		return nil
	}
	rel := r.catalog.Relation(r.d, c.Type.Name)
	if rel == nil {
		return nil
	}
	s := &source{key: r.d.key(rel.Name), name: rel.Name}
	r.columnsOf(rel, s)
	for i := range s.fields {
		s.fields[i].val = value{} // the type of the relation, not its rows
	}
	return s
}

// flatten makes one relation of what a join shows.
func flatten(sources []*source) *source {
	all := &source{ordered: true}
	for _, s := range sources {
		for _, f := range s.fields {
			if !f.hidden {
				all.fields = append(all.fields, f)
			}
		}
		if s.open {
			all.open, all.why = true, s.why
		}
	}
	return all
}
