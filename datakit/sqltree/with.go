package sqltree

// with adds the CTEs of a WITH clause to a chain, resolving each.
func (r *resolver) with(w *With, outer *scope, ctes *cteScope) *cteScope {
	if w == nil {
		return ctes
	}
	if r.d == SQLite || r.d == Postgres && w.Recursive {
		ctes = r.laterCTEs(w, outer, ctes)
	}
	for _, c := range w.CTEs {
		state := &cteState{}
		key := r.d.Fold(c.Name)
		switch {
		case c.Scalar != nil:
			// WITH expr AS name: the name stands for the expression in every scope
			// below, where it is resolved: it may be about columns there.
			state.scalar = c.Scalar
			ctes = &cteScope{outer: ctes, key: scalarKey(key), cte: state}
			continue
		case r.recursive(w, c, key):
			r.recursiveCTE(c, key, state, outer, ctes)
		default:
			state.take(rename(r.statement(c.Body, outer, ctes), c.Columns, r.d), c, r.d)
		}
		ctes = &cteScope{outer: ctes, key: key, cte: state}
	}
	return ctes
}

// laterCTEs puts those of a WITH clause behind those that are resolved one after
// the other: where one refers to a later one, that is resolved on the spot, without
// being recorded.
func (r *resolver) laterCTEs(w *With, outer *scope, ctes *cteScope) *cteScope {
	index := map[string]*CTE{}
	for _, c := range w.CTEs {
		if c.Body != nil {
			index[r.d.Fold(c.Name)] = c
		}
	}
	states := map[*CTE]*cteState{}
	node := &cteScope{outer: ctes}
	node.late = func(key string) *cteState {
		c := index[key]
		if c == nil {
			return nil
		}
		state := states[c]
		if state == nil {
			state = &cteState{open: true, why: "common table expressions that refer to one another"}
			states[c] = state
			r.muted++
			state.take(rename(r.statement(c.Body, outer, node), c.Columns, r.d), c, r.d)
			r.muted--
		}
		return state
	}
	return node
}

func scalarKey(key string) string { return "\x00" + key }

func (s *cteState) take(o output, c *CTE, d Dialect) {
	s.fields = s.fields[:0]
	for _, f := range o.fields {
		s.fields = append(s.fields, f.field)
	}
	for _, id := range c.Added {
		s.fields = append(s.fields, field{key: d.Fold(id), name: d.shown(id)})
	}
	s.open, s.why = o.open, o.why
}

// recursive reports whether a CTE may refer to itself, and does.
func (r *resolver) recursive(w *With, c *CTE, key string) bool {
	if !w.Recursive && !r.d.implicitRecursion() {
		return false
	}
	q, ok := c.Body.(*Query)
	if !ok {
		return false
	}
	found := false
	Walk(q, func(n Node) bool {
		if t, ok := n.(*TableRef); ok && len(t.Name.Parts) == 1 && r.d.Fold(t.Name.Parts[0]) == key {
			found = true
		}
		return !found
	})
	return found
}

// maxRecursion is how deeply recursive common table expressions nest that are
// followed to the end.
const maxRecursion = 3

// recursiveCTE starts from what the query is worth without the recursion and
// repeats until no column gains a source. Each round before the last is muted.
func (r *resolver) recursiveCTE(c *CTE, key string, state *cteState, outer *scope, ctes *cteScope) {
	self := &cteScope{outer: ctes, key: key, cte: state}
	r.recursion++
	defer func() { r.recursion-- }()
	if r.recursion > maxRecursion {
		// Each level repeats those inside of it.
		state.open, state.why = true, "recursion nested too deeply"
		state.take(rename(r.statement(c.Body, outer, self), c.Columns, r.d), c, r.d)
		return
	}
	first := c.Body
	if q, ok := c.Body.(*Query); ok {
		if op, ok := q.Body.(*SetOp); ok {
			first = &Query{Span: op.Left.Pos(), With: q.With, Body: op.Left}
		}
	}
	r.muted++
	state.open, state.why = true, "recursion without a starting term"
	state.take(rename(r.statement(first, outer, self), c.Columns, r.d), c, r.d)
	for range len(state.fields) + 2 {
		before := sourceCount(state)
		state.take(rename(r.statement(c.Body, outer, self), c.Columns, r.d), c, r.d)
		if sourceCount(state) == before {
			break
		}
	}
	r.muted--
	state.take(rename(r.statement(c.Body, outer, self), c.Columns, r.d), c, r.d)
}

func sourceCount(s *cteState) int {
	n := 0
	for _, f := range s.fields {
		n += len(f.val.sources)
	}
	return n
}
