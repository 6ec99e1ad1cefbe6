package sqltree

import "strings"

// definition resolves a statement that defines something, and those that are
// about relations without being queries.
func (r *resolver) definition(s Statement, outer *scope, ctes *cteScope) {
	switch s := s.(type) {
	case *CreateIndex:
		r.index(s, r.relation(TableRef{Span: s.Table.Span, Name: s.Table}, altered))
	case *CreateTrigger:
		r.trigger(s, outer, ctes)
	case *CreateType:
		if s.Query != nil {
			r.query(s.Query, outer, ctes)
		}
	case *AlterTable:
		r.alterTable(s)
	case *Comment:
		r.comment(s)
	case *Truncate:
		for _, n := range s.Tables {
			r.relation(TableRef{Span: n.Span, Name: n}, written)
		}
	case *Drop:
		if isRelationKind(s.Kind) {
			how := altered
			if s.IfExists {
				how = optional
			}
			for _, n := range s.Names {
				r.relation(TableRef{Span: n.Span, Name: n}, how)
			}
		}
	case *Other:
		r.other(s, outer, ctes)
	}
}

// isRelationKind reports whether an object of that kind is a table or a view.
func isRelationKind(kind string) bool {
	switch kind {
	case "", "TABLE", "VIEW", "MATERIALIZED VIEW", "FOREIGN TABLE":
		return true
	}
	return false
}

// only is a scope of one relation.
func only(s *source) *scope { return &scope{sources: []*source{s}} }

func (r *resolver) createTable(s *CreateTable, ctes *cteScope) output {
	r.newTable(s.Name)
	last := s.Name.Last()
	self := &source{key: r.d.Fold(last), name: last.Name}
	take := func(n Name) {
		from := r.relation(TableRef{Span: n.Span, Name: n}, mentioned)
		self.fields = append(self.fields, from.fields...)
		if from.open {
			self.open, self.why = true, from.why
		}
	}
	for _, n := range s.Like {
		take(n)
	}
	for _, n := range s.Inherits {
		take(n)
	}
	if s.PartitionOf != nil {
		take(*s.PartitionOf)
	}
	var out output
	if s.As != nil {
		out = rename(r.query(s.As, nil, ctes), s.AsColumns, r.d)
		for _, f := range out.fields {
			self.fields = append(self.fields, f.field)
		}
		if out.open {
			self.open, self.why = true, out.why
		}
	}
	for _, c := range s.Columns {
		self.fields = append(self.fields, field{key: r.d.Fold(c.Name), name: c.Name.Name})
	}
	for _, c := range s.Columns {
		r.constraints(c.Constraints, self, s.Name)
	}
	r.constraints(s.Constraints, self, s.Name)
	for _, x := range s.Indexes {
		r.index(x, self)
	}
	return out
}

// constraints resolves constraints of a table: their columns and expressions in
// the table itself, what they refer to in the catalog.
func (r *resolver) constraints(list []Constraint, self *source, name Name) {
	for _, c := range list {
		r.columnList(c.Columns, self, false)
		for _, k := range c.Keys {
			r.expr(k.Expr, only(self))
		}
		r.expr(c.Expr, only(self))
		r.expr(c.Where, only(self))
		r.columnList(c.Include, self, false)
		r.columnList(c.SetColumns, self, false)
		if c.RefTable == nil || r.d == SQLite {
			continue // SQLite looks a reference up when it is used
		}
		to := self
		if joinIdents(c.RefTable.Parts) != joinIdents(name.Parts) {
			to = r.relation(TableRef{Span: c.RefTable.Span, Name: *c.RefTable}, mentioned)
		}
		r.columnList(c.RefColumns, to, false)
	}
}

func (r *resolver) index(x *CreateIndex, table *source) {
	for _, k := range x.Keys {
		r.expr(k.Expr, only(table))
	}
	r.expr(x.Where, only(table))
	r.columnList(x.Include, table, false)
}

// function resolves the body of a routine, which sees its parameters under what
// its relations have. The output is that of its last statement.
func (r *resolver) function(s *CreateFunction, outer *scope, ctes *cteScope) output {
	last := s.Name.Last()
	params := &source{key: r.d.Fold(last), name: last.Name, ordered: true}
	for _, p := range s.Params {
		if p.Name != nil {
			params.fields = append(params.fields, field{key: r.d.Fold(*p.Name), name: p.Name.Name})
		}
	}
	sc := child(outer, ctes)
	sc.sources = []*source{params}
	var out output
	for _, body := range s.Statements {
		out = r.statement(body, sc, ctes)
	}
	if s.Return != nil {
		return r.items([]SelectItem{{Span: s.Return.Pos(), Expr: s.Return}}, sc)
	}
	return out
}

// trigger resolves a trigger: NEW and OLD are rows of its table.
func (r *resolver) trigger(s *CreateTrigger, outer *scope, ctes *cteScope) {
	table := r.relation(TableRef{Span: s.Table.Span, Name: s.Table}, altered)
	r.columnList(s.Columns, table, false)
	rows := child(outer, ctes)
	for _, name := range []string{"new", "old"} {
		row := *table
		row.key, row.name, row.schema = r.d.key(name), name, nil
		row.fields = append([]field(nil), table.fields...)
		for i := range row.fields {
			row.fields[i].hidden = true // only new.c, never c
		}
		row.byName = nil
		rows.sources = append(rows.sources, &row)
	}
	r.expr(s.When, rows)
	for _, body := range s.Body {
		r.statement(body, rows, ctes)
	}
}

func (r *resolver) comment(s *Comment) {
	n := s.Name
	switch {
	case isRelationKind(s.Kind) && s.Kind != "":
		r.relation(TableRef{Span: n.Span, Name: n}, mentioned)
	case s.Kind == "COLUMN" && len(n.Parts) > 1:
		r.columnOf(n)
	}
}

// columnOf binds table.column where nothing but a definition is about it.
func (r *resolver) columnOf(n Name) {
	column := n.Last()
	n.Parts = n.Parts[:len(n.Parts)-1]
	n.End = n.Last().End
	r.columnList([]Ident{column}, r.relation(TableRef{Span: n.Span, Name: n}, mentioned), false)
}

func (r *resolver) alterTable(s *AlterTable) {
	if !isRelationKind(s.Kind) {
		for _, a := range s.Actions {
			if a.Kind == "OWNED BY" && a.Other != nil && len(a.Other.Parts) > 1 {
				r.columnOf(*a.Other)
			}
		}
		return
	}
	how := altered
	if s.IfExists {
		how = optional
	}
	table := *r.relation(TableRef{Span: s.Table.Span, Name: s.Table}, how)
	table.fields, table.byName = append([]field(nil), table.fields...), nil
	// An action may use what another one of the statement adds.
	for _, a := range s.Actions {
		var added *Ident
		switch {
		case a.Column != nil && a.Kind == "ADD COLUMN":
			added = &a.Column.Name
		case a.NewName != nil && (a.Kind == "RENAME COLUMN" || a.Kind == "CHANGE COLUMN"):
			added = a.NewName
		default:
			continue
		}
		table.fields = append(table.fields, field{key: r.d.Fold(*added), name: added.Name})
	}
	for _, a := range s.Actions {
		if a.Name != nil && !a.IfExists && a.aboutColumn() {
			r.columnList([]Ident{*a.Name}, &table, true)
		}
		if a.Column != nil {
			r.constraints(a.Column.Constraints, &table, s.Table)
		}
		if a.Constraint != nil {
			r.constraints([]Constraint{*a.Constraint}, &table, s.Table)
		}
		if a.Index != nil {
			r.index(a.Index, &table)
		}
		if strings.HasSuffix(a.Kind, " PARTITION") && a.Other != nil {
			r.relation(TableRef{Span: a.Other.Span, Name: *a.Other}, altered)
		}
		r.expr(a.Expr, only(&table))
	}
}

// aboutColumn reports whether the action's name is that of a column that has to
// be there.
func (a *AlterAction) aboutColumn() bool {
	switch {
	case a.Kind == "ADD COLUMN":
		return false
	case a.Column != nil, a.Kind == "ADD IDENTITY":
		return true
	case strings.HasPrefix(a.Kind, "ADD "), a.Constraint != nil, a.Index != nil:
		return false
	}
	for _, other := range []string{"CONSTRAINT", "INDEX", "KEY", "TRIGGER", "RULE", "POLICY", "PARTITION", "CHECK", "PROJECTION", "STATISTICS ", "PERIOD", "VALUE"} {
		if strings.Contains(a.Kind+" ", other) && a.Kind != "SET STATISTICS" {
			return false
		}
	}
	return true
}

func (r *resolver) other(s *Other, outer *scope, ctes *cteScope) {
	how := mentioned
	switch {
	case s.Writes:
		how = written
	case s.Kind == "COPY", s.Kind == "SUMMARIZE", s.Kind == "TABLE":
		how = read
	}
	sc := child(outer, ctes)
	for _, n := range s.Relations {
		sc.sources = append(sc.sources, r.relation(TableRef{Span: n.Span, Name: n}, how))
	}
	if len(sc.sources) > 0 {
		r.columnList(s.Columns, sc.sources[0], s.Writes)
	}
	for _, e := range s.Exprs {
		r.expr(e, sc)
	}
	if s.Inner != nil {
		r.statement(s.Inner, outer, ctes)
	}
}
