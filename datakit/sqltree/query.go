package sqltree

import (
	"fmt"
	"slices"
)

func (r *resolver) query(q *Query, outer *scope, ctes *cteScope) output {
	ctes = r.with(q.With, outer, ctes)
	var out output
	var sc *scope
	switch b := q.Body.(type) {
	case *Select:
		out, sc = r.selectBody(b, outer, ctes, q.OrderBy)
	default:
		out = r.body(q.Body, outer, ctes)
		sc = child(outer, ctes)
		sc.sources = []*source{out.source()}
		if r.d == SQLite {
			sc.aliases = branchNames(q.Body, out, r.d)
		}
		for _, o := range q.OrderBy {
			if r.position(o.Expr, out, Orders) {
				continue
			}
			if _, ok := o.Expr.(*Column); !ok && r.d == SQLite {
				continue // it has to be an expression of a branch, in whose scope it is
			}
			r.influence(o.Expr, sc, Orders)
		}
	}
	for _, e := range q.Limit {
		r.expr(e, sc)
	}
	for _, n := range q.Locks {
		if src, _ := r.findSource(n.Parts, sc); src == nil {
			r.unknownColumn(n.Span, n.Parts, n.Last(), sc)
		}
	}
	if q.Into != nil {
		r.newTable(*q.Into)
	}
	return out
}

// source makes an output the only relation of a scope, without a name.
func (o output) source() *source {
	s := &source{open: o.open, why: o.why, ordered: true, fields: make([]field, 0, len(o.fields))}
	for _, f := range o.fields {
		s.fields = append(s.fields, f.field)
		s.unnamed = s.unnamed || f.name == ""
	}
	return s
}

func (r *resolver) body(b Body, outer *scope, ctes *cteScope) output {
	if !r.enter() {
		r.leave()
		return opaque("too deep")
	}
	defer r.leave()
	switch b := b.(type) {
	case *Select:
		out, _ := r.selectBody(b, outer, ctes, nil)
		return out
	case *Query:
		return r.query(b, outer, ctes)
	case *Values:
		return r.values(b, outer, ctes)
	case *SetOp:
		return r.setOp(b, outer, ctes)
	}
	return opaque("not a select")
}

func (r *resolver) values(v *Values, outer *scope, ctes *cteScope) output {
	sc := child(outer, ctes)
	var out output
	for i, row := range v.Rows {
		if i > 0 && len(row) != len(out.fields) {
			out.open, out.why = true, "rows of VALUES differ in width"
		}
		for j, e := range row {
			val := r.expr(e, sc)
			val.base = nil
			if j < len(out.fields) {
				out.fields[j].val = merge(out.fields[j].val, val)
				continue
			}
			name := fmt.Sprintf("column%d", j+1)
			switch r.d {
			case MySQL, MariaDB:
				name = fmt.Sprintf("column_%d", j)
			case Snowflake:
				name = fmt.Sprintf("COLUMN%d", j+1)
			case DuckDB:
				name = fmt.Sprintf("col%d", j)
			}
			out.fields = append(out.fields, outField{field: field{key: r.d.key(name), name: name, val: val}, span: e.Pos()})
		}
	}
	return out
}

func (r *resolver) setOp(s *SetOp, outer *scope, ctes *cteScope) output {
	// A chain of set operations leans to the left and may be long: walk it, do
	// not recurse.
	chain := []*SetOp{s}
	for {
		left, ok := chain[len(chain)-1].Left.(*SetOp)
		if !ok {
			break
		}
		chain = append(chain, left)
	}
	out := r.body(chain[len(chain)-1].Left, outer, ctes)
	for i := len(chain) - 1; i >= 0; i-- {
		right := r.body(chain[i].Right, outer, ctes)
		if chain[i].Op == "EXCEPT" || chain[i].Op == "MINUS" {
			for _, f := range right.fields { // they decide which rows stay
				r.refer(f.val.sources, Filters)
			}
		}
		out = combineSets(chain[i], out, right)
	}
	return out
}

func combineSets(s *SetOp, left, right output) output {
	out := output{open: left.open || right.open, why: left.why}
	if !left.open {
		out.why = right.why
	}
	if s.ByName {
		out.fields = slices.Clone(left.fields)
		for _, f := range right.fields {
			i := slices.IndexFunc(out.fields, func(o outField) bool { return o.key == f.key })
			if i < 0 {
				out.fields = append(out.fields, f)
			} else {
				out.fields[i].val = merge(out.fields[i].val, f.val)
			}
		}
		return out
	}
	differ := !out.open && len(left.fields) != len(right.fields)
	if differ {
		out.open, out.why = true, "set operation branches differ in width"
	}
	out.fields = slices.Clone(left.fields)
	for i := range out.fields {
		switch {
		case differ, i >= len(right.fields), out.fields[i].adrift, right.fields[i].adrift:
			out.fields[i].val.undecided = out.why
		case s.Op != "EXCEPT":
			out.fields[i].val = merge(out.fields[i].val, right.fields[i].val)
		}
	}
	return out
}

func (r *resolver) selectBody(s *Select, outer *scope, ctes *cteScope, order []OrderItem) (output, *scope) {
	sc := child(outer, ctes)
	sc.windows = s.Windows
	for i := range s.Windows {
		delete(r.windows, &s.Windows[i]) // of an earlier round of a recursion
	}
	for _, t := range s.From {
		sc.sources = append(sc.sources, r.table(t, sc)...)
	}
	// Where a condition may use an alias of the select list, the list comes first.
	early := r.use.where
	var out output
	if early {
		out = r.items(s.Items, sc)
	}
	r.conditions(s.Where, sc, r.use.where, Filters)
	for _, e := range s.Other {
		r.conditions(e, sc, r.use.where, Filters)
	}
	if !early {
		out = r.items(s.Items, sc)
	}
	for _, e := range s.GroupBy {
		r.grouping(e, sc, out)
	}
	if s.GroupAll {
		for _, f := range out.fields {
			if slices.ContainsFunc(f.val.sources, func(s Source) bool { return s.Feed < Aggregated }) {
				r.refer(f.val.sources, Groups)
			}
		}
	}
	for _, e := range s.DistinctOn {
		r.influenceAliased(e, sc, true, Groups)
	}
	if r.d == MySQL || r.d == MariaDB {
		sc.outputs = map[string]value{}
		for _, f := range out.fields {
			sc.outputs[f.key] = f.val
		}
	}
	r.influenceAliased(s.Having, sc, r.use.having, Filters)
	sc.outputs = nil
	r.influenceAliased(s.Qualify, sc, true, Filters)
	for i := range s.Windows {
		before := *sc
		before.windows = s.Windows[:i]
		r.window(&s.Windows[i], &before)
	}
	for _, o := range order {
		r.ordering(o.Expr, sc, out)
	}
	return out, sc
}

// branchNames are the columns' names of the branches behind the first of a set
// operation: SQLite's ORDER BY may use them.
func branchNames(b Body, out output, d Dialect) map[string]value {
	names := map[string]value{}
	for {
		op, ok := b.(*SetOp)
		if !ok {
			return names
		}
		if s, ok := op.Right.(*Select); ok {
			for i, it := range s.Items {
				key := ""
				if it.Alias != nil {
					key = d.Fold(*it.Alias)
				} else if c, ok := it.Expr.(*Column); ok {
					key = d.Fold(c.Parts[len(c.Parts)-1])
				}
				if key != "" && i < len(out.fields) {
					names[key] = out.fields[i].val
				}
			}
		}
		b = op.Left
	}
}

// items resolves a select list; its aliases become visible in sc.
func (r *resolver) items(items []SelectItem, sc *scope) output {
	out := output{fields: make([]outField, 0, len(items))}
	aliases := map[string]value{}
	if r.use.list {
		sc.aliases = aliases
	}
	if r.d == MySQL || r.d == MariaDB {
		sc.listed = aliases
	}
	for _, it := range items {
		if star, ok := it.Expr.(*Star); ok {
			r.star(star, sc, &out)
			continue
		}
		if call, star := r.overColumns(it); star != nil {
			r.eachColumn(call, star, sc, &out)
			continue
		}
		v := r.expr(it.Expr, sc)
		if op, ok := it.Expr.(*Op); ok && op.Name == ".*" {
			r.fieldsOf(op, sc, &out)
			continue
		}
		if call, ok := it.Expr.(*Func); ok && it.Alias == nil && r.d == DuckDB && call.named("unnest") {
			out.open, out.why = true, "fields of a value whose type is not known"
			continue
		}
		f := outField{field: field{val: v, adrift: out.open}, span: it.Expr.Pos()}
		if c, ok := it.Expr.(*Column); ok {
			f.at = c.Parts[len(c.Parts)-1]
		}
		switch {
		case it.Alias != nil:
			f.at = *it.Alias
			f.key, f.name = r.d.Fold(*it.Alias), r.d.shown(*it.Alias)
			if _, taken := aliases[f.key]; !taken {
				aliases[f.key] = v
			}
		default:
			f.name = r.defaultName(it.Expr)
			f.key = r.d.key(f.name)
		}
		out.fields = append(out.fields, f)
	}
	sc.aliases = aliases
	return out
}

// defaultName is the name of an output column without an alias; "" where the
// dialect gives none that could be relied on.
func (r *resolver) defaultName(e Expr) string {
	switch e := e.(type) {
	case *Column:
		return r.d.shown(e.Parts[len(e.Parts)-1])
	case *Named:
		return r.d.shown(e.Alias)
	}
	switch r.d {
	case Postgres:
	case MySQL, MariaDB:
		return r.textOf(e)
	default:
		return ""
	}
	if name, strength := r.figureName(e); strength > 0 {
		return name
	}
	return "?column?"
}

// textOf is the text of an expression, as MySQL makes it a column's name; "" if the
// text is not known.
func (r *resolver) textOf(e Expr) string {
	if l, ok := e.(*Literal); ok && l.Kind == StringLiteral {
		return l.Value
	}
	at := e.Pos()
	if at.Start < 0 || at.End > len(r.text) || at.Start > at.End {
		return ""
	}
	return r.text[at.Start:at.End]
}
