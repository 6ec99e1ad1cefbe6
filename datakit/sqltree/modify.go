package sqltree

// insert resolves INSERT; the output is that of RETURNING.
func (r *resolver) insert(s *Insert, outer *scope, ctes *cteScope) output {
	ctes = r.with(s.With, outer, ctes)
	target := r.relation(s.Table, written)
	r.columnList(s.Columns, target, true)
	sc := child(outer, ctes)
	sc.sources = []*source{target}
	if s.Source != nil {
		around := outer
		if _, ok := s.Source.Body.(*Values); ok && (r.d == MySQL || r.d == MariaDB) {
			around = sc // a value may use the columns before it
		}
		o := r.query(s.Source, around, ctes)
		if s.ByName {
			r.byName(o, target)
		}
	}
	r.assignments(s.Set, target, sc)
	for c := s.Conflict; c != nil; c = c.Next {
		for _, e := range c.Target {
			r.influence(e, sc, Filters)
		}
		r.influence(c.TargetWhere, sc, Filters)
		update := *sc
		if c.Excluded != "" {
			proposed := *target
			proposed.key, proposed.name, proposed.schema = r.d.key(c.Excluded), c.Excluded, nil
			proposed.fields, proposed.byName = append([]field(nil), target.fields...), nil
			for i := range proposed.fields {
				proposed.fields[i].hidden = true // only excluded.c, never c
			}
			if len(s.RowColumns) > 0 {
				proposed.fields = r.rowColumns(s, &proposed)
				proposed.open = false
			}
			update.sources = append(update.sources[:1:1], &proposed)
		}
		if s.Source != nil && r.d != Postgres {
			// MySQL lets the assignments see the SELECT's relations.
			if sel, ok := s.Source.Body.(*Select); ok && (r.d == MySQL || r.d == MariaDB) {
				r.muted++
				for _, t := range sel.From {
					update.sources = append(update.sources, r.table(t, child(outer, ctes))...)
				}
				r.muted--
			}
		}
		r.assignments(c.Set, target, &update)
		r.influence(c.Where, &update, Filters)
	}
	return r.returning(s.Returning, r.returned(sc, s.Table, target))
}

// insertAll resolves INSERT of several tables: conditions and values see the columns
// of the one source.
func (r *resolver) insertAll(s *InsertAll, outer *scope, ctes *cteScope) {
	sc := child(outer, ctes)
	if s.Source != nil {
		sc.sources = []*source{r.query(s.Source, outer, ctes).source()}
	}
	for _, b := range s.Branches {
		r.influence(b.When, sc, Filters)
		r.columnList(b.Columns, r.relation(b.Table, written), true)
		for _, e := range b.Values {
			r.expr(e, sc)
		}
	}
}

// returned is what RETURNING sees: in SQLite and DuckDB the target alone, under its
// own name.
func (r *resolver) returned(sc *scope, table TableRef, target *source) *scope {
	if r.d != SQLite && r.d != DuckDB {
		return sc
	}
	own := *target
	last := table.Name.Last()
	own.key, own.name = r.d.Fold(last), last.Name
	view := *sc
	view.sources = []*source{&own}
	return &view
}

// byName binds the columns of INSERT … BY NAME's source to the target.
func (r *resolver) byName(o output, target *source) {
	for _, f := range o.fields {
		if f.at != (Ident{}) {
			r.columnList([]Ident{f.at}, target, true)
		}
	}
}

// rowColumns are the fields of the proposed row under the names that a row alias
// gives them; those may stand without the alias.
func (r *resolver) rowColumns(s *Insert, proposed *source) []field {
	fields := make([]field, len(s.RowColumns))
	for i, id := range s.RowColumns {
		fields[i] = field{key: r.d.Fold(id), name: id.Name, val: value{undecided: noColumns}}
		if i < len(s.Columns) {
			if f, ok := proposed.find(r.d.Fold(s.Columns[i])); ok {
				fields[i].val = f.val
			}
		} else if len(s.Columns) == 0 && i < len(proposed.fields) {
			fields[i].val = proposed.fields[i].val
		}
	}
	proposed.byName = nil
	return fields
}

func (r *resolver) update(s *Update, outer *scope, ctes *cteScope) output {
	ctes = r.with(s.With, outer, ctes)
	sc := child(outer, ctes)
	var targets []*source
	for _, t := range s.Tables {
		if ref, ok := t.(*TableRef); ok && len(s.Tables) == 1 {
			targets = append(targets, r.relation(*ref, written))
		} else {
			targets = append(targets, r.table(t, sc)...)
		}
		sc.sources = targets
	}
	for _, t := range s.From {
		sc.sources = append(sc.sources, r.table(t, sc)...)
	}
	for _, a := range s.Set {
		r.assignments([]Assignment{a}, r.targetOf(a, targets), sc)
	}
	r.conditions(s.Where, sc, false, Filters)
	for _, o := range s.OrderBy {
		r.influence(o.Expr, sc, Orders)
	}
	r.expr(s.Limit, sc)
	if ref, ok := s.Tables[0].(*TableRef); ok && r.d == SQLite && len(targets) > 0 {
		sc = r.returned(sc, *ref, targets[0])
	}
	return r.returning(s.Returning, sc)
}

// targetOf picks the relation that an assignment of a multi-table UPDATE means.
func (r *resolver) targetOf(a Assignment, targets []*source) *source {
	if len(targets) == 1 {
		return targets[0]
	}
	for _, c := range a.Targets {
		last := r.d.Fold(c.Parts[len(c.Parts)-1])
		for _, t := range targets {
			if len(c.Parts) > 1 && t.key == r.d.Fold(c.Parts[len(c.Parts)-2]) || len(c.Parts) == 1 && t.has(last) {
				r.write(t)
				return t
			}
		}
	}
	return flatten(targets)
}

// write notes that a relation is a target of the statement.
func (r *resolver) write(s *source) {
	if s.use > 0 {
		r.res.Tables[s.use-1].Written = true
	}
}

func (r *resolver) delete(s *Delete, outer *scope, ctes *cteScope) output {
	ctes = r.with(s.With, outer, ctes)
	sc := child(outer, ctes)
	for i, t := range s.From {
		if ref, ok := t.(*TableRef); ok && i == 0 && len(s.Targets) == 0 {
			sc.sources = append(sc.sources, r.relation(*ref, written))
			continue
		}
		sc.sources = append(sc.sources, r.table(t, sc)...)
	}
	for _, t := range s.Using {
		sc.sources = append(sc.sources, r.table(t, sc)...)
	}
	for _, n := range s.Targets {
		if src, _ := r.findSource(n.Parts, sc); src == nil {
			r.unknownColumn(n.Span, n.Parts, n.Last(), sc)
		} else {
			r.write(src)
		}
	}
	r.conditions(s.Where, sc, false, Filters)
	for _, o := range s.OrderBy {
		r.influence(o.Expr, sc, Orders)
	}
	r.expr(s.Limit, sc)
	return r.returning(s.Returning, sc)
}

func (r *resolver) merge(s *Merge, outer *scope, ctes *cteScope) output {
	ctes = r.with(s.With, outer, ctes)
	sc := child(outer, ctes)
	target := r.relation(s.Target, written)
	from := r.table(s.Source, child(outer, ctes))
	sc.sources = append([]*source{target}, from...)
	r.conditions(s.On, sc, false, Joins)
	for _, id := range s.Using {
		key := r.d.Fold(id)
		l, lok := r.usingSide(id, key, []*source{target}, sc)
		ri, rok := r.usingSide(id, key, from, sc)
		if lok && rok {
			r.pair(id.Span, l, ri, InnerJoin)
		}
	}
	for _, w := range s.Whens {
		// What is not matched has a row on one side alone.
		sees := *sc
		switch {
		case w.BySource:
			sees.sources = sc.sources[:1]
		case !w.Matched:
			sees.sources = sc.sources[1:]
		}
		r.influence(w.Cond, &sees, Filters)
		r.columnList(w.Columns, target, true)
		for _, e := range w.Values {
			r.expr(e, &sees)
		}
		r.assignments(w.Set, target, &sees)
	}
	if r.d == DuckDB {
		action := &source{ordered: true, fields: []field{{key: "merge_action", name: "merge_action"}}}
		sc.sources = []*source{target, action}
	}
	return r.returning(s.Returning, sc)
}

// newTable records a table that the statement makes.
func (r *resolver) newTable(n Name) {
	if r.muted == 0 {
		r.res.Tables = append(r.res.Tables, TableUse{Span: n.Span, Name: n, Status: Undecided, Written: true, Through: r.through})
	}
}

// columnList binds the columns of a list to one relation.
func (r *resolver) columnList(list []Ident, target *source, written bool) {
	sc := child(nil, nil)
	sc.sources = []*source{target}
	for _, id := range list {
		r.column(&Column{Span: id.Span, Parts: []Ident{id}}, sc, written)
	}
}

// assignments resolves SET: targets in the relation, values in the scope.
func (r *resolver) assignments(set []Assignment, target *source, sc *scope) {
	for _, a := range set {
		for _, c := range a.Targets {
			r.target(c, target)
		}
		r.expr(a.Value, sc)
	}
}

// target binds the left side of an assignment: a column of the target, with its
// name before it or a path behind it.
func (r *resolver) target(c Column, target *source) {
	sc := child(nil, nil)
	sc.sources = []*source{target}
	parts := c.Parts
	if len(parts) > 1 && r.d == Postgres {
		parts = parts[:1] // the rest is a path into a composite column
	} else if len(parts) > 1 {
		if _, ok := target.find(r.d.Fold(parts[0])); ok && target.key != r.d.Fold(parts[0]) {
			parts = parts[:1] // a field of a composite column
		}
	}
	r.column(&Column{Span: c.Span, Parts: parts}, sc, true)
}

func (r *resolver) returning(items []SelectItem, sc *scope) output {
	if len(items) == 0 {
		return output{}
	}
	return r.items(items, sc)
}
