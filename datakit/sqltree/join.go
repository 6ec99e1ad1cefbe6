package sqltree

import "slices"

func (r *resolver) join(j *Join, sc *scope) []*source {
	left := r.table(j.Left, sc)
	lateral := *sc
	lateral.sources = append(slices.Clip(sc.sources), left...)
	right := r.table(j.Right, &lateral)

	on := child(sc.outer, sc.ctes)
	on.sources = append(slices.Clip(left), right...)
	if r.d != Postgres && r.d != MySQL && r.d != MariaDB && len(sc.sources) > 0 {
		// Elsewhere a condition may also look at the entries before the join.
		before := child(sc.outer, sc.ctes)
		before.sources = sc.sources
		on.outer, on.depth = before, before.depth+1
	}
	merged := &source{ordered: true}
	for _, id := range r.mergedColumns(j, left, right) {
		key := r.d.Fold(id)
		l, lok := r.usingSide(id, key, left, on)
		ri, rok := r.usingSide(id, key, right, on)
		if !lok || !rok {
			continue
		}
		v := l // which is equal, or NULL, on the other side
		switch {
		case j.Kind == FullJoin, r.both:
			v = merge(l, ri)
		case j.Kind == RightJoin:
			v = ri
		}
		merged.fields = append(merged.fields, field{key: key, name: r.d.shown(id), val: v})
		r.pair(id.Span, l, ri, j.Kind)
		r.refer(l.sources, Joins)
		r.refer(ri.sources, Joins)
	}
	r.conditionsOf(j.On, on, false, j.Kind, Joins)

	out := append(slices.Clip(left), right...)
	if (j.Kind == "SEMI" || j.Kind == "ANTI") && r.d != ClickHouse {
		return left // the other side only decides which rows stay
	}
	if len(merged.fields) > 0 {
		out = r.mergeUsing(j, left, right, merged)
	}
	if j.Alias.Name != nil {
		return []*source{r.named(flatten(out), j.Alias)}
	}
	return out
}

// mergeUsing is what a join shows whose columns of USING, or of NATURAL, are one:
// those first, or, in some dialects, where the left side has them.
func (r *resolver) mergeUsing(j *Join, left, right []*source, merged *source) []*source {
	inPlace := r.d == SQLite || r.d == DuckDB || r.d == ClickHouse
	for _, side := range [][]*source{left, right} {
		for _, s := range side {
			s.fields, s.byName = slices.Clone(s.fields), nil
			for i := range s.fields {
				f, ok := merged.find(s.fields[i].key)
				if !ok || s.fields[i].hidden {
					continue
				}
				if inPlace && len(left) > 0 && slices.Contains(left, s) {
					s.fields[i].val = f.val
				} else {
					s.fields[i].hidden = true
				}
			}
		}
	}
	out := append(slices.Clip(left), right...)
	if j.Kind == RightJoin && (r.d == MySQL || r.d == MariaDB) {
		out = append(slices.Clip(right), left...)
	}
	if j.UsingAlias != nil {
		out = append(out, r.hiddenCopy(merged, *j.UsingAlias))
	}
	if inPlace {
		return out
	}
	return append([]*source{merged}, out...)
}

func (r *resolver) hiddenCopy(s *source, alias Ident) *source {
	c := &source{key: r.d.Fold(alias), name: alias.Name, fields: slices.Clone(s.fields), ordered: true}
	for i := range c.fields {
		c.fields[i].hidden = true
	}
	return c
}

// mergedColumns lists the columns of USING, or those that NATURAL finds on both
// sides, in the order of the left one.
func (r *resolver) mergedColumns(j *Join, left, right []*source) []Ident {
	if !j.Natural {
		return j.Using
	}
	var out []Ident
	seen := map[string]bool{}
	for _, s := range left {
		for _, f := range s.fields {
			if f.hidden || seen[f.key] {
				continue
			}
			seen[f.key] = true
			for _, o := range right {
				if g, ok := o.find(f.key); ok && !g.hidden {
					out = append(out, Ident{Span: j.Span, Name: f.name, Quoted: true})
					break
				}
			}
		}
	}
	return out
}

// usingSide finds a column of USING on one side of the join.
func (r *resolver) usingSide(id Ident, key string, side []*source, on *scope) (value, bool) {
	var found []value
	var names []string
	open := false
	for _, s := range side {
		if f, ok := s.find(key); ok && !f.hidden {
			found, names = append(found, f.val), append(names, s.name)
		} else if s.open {
			open = true
		}
	}
	use := ColumnUse{Span: id.Span, Parts: []Ident{id}, At: id}
	switch {
	case len(found) == 1:
		use.Sources, use.Relation = bases(found[0].sources), names[0]
		r.record(use)
		return found[0], true
	case len(found) > 1:
		use.Status, use.Candidates = Ambiguous, names
		r.record(use)
		return found[0], true
	case open:
		use.Status = Undecided
		r.record(use)
		return value{undecided: noColumns}, true
	}
	use.Status = Unknown
	var fields []string
	for _, s := range side {
		for _, f := range s.fields {
			fields = append(fields, f.name)
		}
	}
	use.Candidates = r.nearColumns(id, fields)
	r.record(use)
	return value{}, false
}

// pair records an equality of two base columns.
func (r *resolver) pair(at Span, a, b value, kind JoinKind) {
	if r.muted > 0 || r.through != "" || a.base == nil || b.base == nil || a.of == b.of {
		return
	}
	r.res.Joins = append(r.res.Joins, JoinPair{Span: at, Left: *a.base, Right: *b.base, LeftOf: a.of, RightOf: b.of, Kind: kind, Correlated: a.outer || b.outer})
}
