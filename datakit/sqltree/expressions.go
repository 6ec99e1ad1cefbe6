package sqltree

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/mcpkit/nearest"
)

// influence resolves an expression that decides about rows, not values.
func (r *resolver) influence(e Expr, sc *scope, role Roles) {
	if e != nil {
		r.refer(r.expr(e, sc).sources, role)
	}
}

// influenceAliased is influence where aliases of the select list count as well.
func (r *resolver) influenceAliased(e Expr, sc *scope, aliases bool, role Roles) {
	if e == nil {
		return
	}
	view := *sc
	if !aliases {
		view.aliases = nil
	}
	r.influence(e, &view, role)
}

// conditions resolves a condition and records the equalities that join.
func (r *resolver) conditions(e Expr, sc *scope, aliases bool, role Roles) {
	r.conditionsOf(e, sc, aliases, InnerJoin, role)
}

func (r *resolver) conditionsOf(e Expr, sc *scope, aliases bool, kind JoinKind, role Roles) {
	if e == nil {
		return
	}
	view := *sc
	if !aliases {
		view.aliases = nil
	}
	// A long chain of ANDs leans to the left: walk it, do not recurse.
	stack := []Expr{e}
	for len(stack) > 0 {
		e := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		op, ok := e.(*Op)
		switch {
		case ok && op.Name == "AND":
			for i := len(op.Args) - 1; i >= 0; i-- {
				stack = append(stack, op.Args[i])
			}
			continue
		case ok && (op.Name == "=" || op.Name == "==" || op.Name == "<=>") && len(op.Args) == 2:
			a, b := r.expr(op.Args[0], &view), r.expr(op.Args[1], &view)
			r.pair(op.Span, a, b, kind)
			r.refer(a.sources, role)
			r.refer(b.sources, role)
			continue
		}
		r.influence(e, &view, role)
	}
}

// grouping resolves one entry of GROUP BY: a column of the input, else an alias
// of the select list; a number is a position.
func (r *resolver) grouping(e Expr, sc *scope, out output) {
	if op, ok := e.(*Op); ok && (op.Name == "ROLLUP" || op.Name == "CUBE" || op.Name == "GROUPING SETS" || op.Name == "ROW") {
		for _, a := range op.Args {
			r.grouping(a, sc, out)
		}
		return
	}
	if !r.position(e, out, Groups) {
		r.influenceAliased(e, sc, r.use.group, Groups)
	}
}

// position resolves a number that stands for a column of the output.
func (r *resolver) position(e Expr, out output, role Roles) bool {
	l, ok := e.(*Literal)
	if !ok || l.Kind != NumberLiteral {
		return false
	}
	if n, err := strconv.Atoi(l.Value); err == nil && 1 <= n && n <= len(out.fields) {
		r.refer(out.fields[n-1].val.sources, role)
	}
	return true
}

// ordering resolves one entry of ORDER BY: an alias of the select list first.
func (r *resolver) ordering(e Expr, sc *scope, out output) {
	if c, ok := e.(*Column); ok && len(c.Parts) == 1 {
		key := r.d.Fold(c.Parts[0])
		v, ok := sc.aliases[key]
		if !ok {
			// Then the name of a column without an alias, if one alone has it.
			same := 0
			for _, f := range out.fields {
				if f.key == key && f.at != (Ident{}) {
					v, same = f.val, same+1
				}
			}
			ok = same == 1
		}
		if ok {
			r.record(ColumnUse{Span: c.Span, Parts: c.Parts, At: c.Parts[0], Sources: bases(v.sources)})
			r.refer(v.sources, Orders)
			return
		}
	}
	if r.position(e, out, Orders) {
		return
	}
	// PostgreSQL knows aliases in ORDER BY as whole entries only.
	r.influenceAliased(e, sc, r.d != Postgres, Orders)
}

func (r *resolver) window(w *WindowDef, sc *scope) value {
	var vs []value
	for _, e := range w.Partition {
		vs = append(vs, r.expr(e, sc))
	}
	for _, o := range w.OrderBy {
		vs = append(vs, r.expr(o.Expr, sc))
	}
	for _, e := range w.Frame {
		vs = append(vs, r.expr(e, sc))
	}
	return combine(Aggregated, vs...)
}

// namedWindow is what a window of the WINDOW clause depends on. Its own references
// are recorded where it is defined.
func (r *resolver) namedWindow(name *Ident, sc *scope) value {
	if name == nil {
		return value{}
	}
	for i := range sc.windows {
		w := &sc.windows[i]
		if w.Name == nil || r.d.Fold(*w.Name) != r.d.Fold(*name) {
			continue
		}
		v, ok := r.windows[w]
		if !ok {
			// A window can only build on one that is defined before it.
			before := *sc
			before.windows = sc.windows[:i]
			r.muted++
			v = combine(Aggregated, r.window(w, &before), r.namedWindow(w.Base, &before))
			r.muted--
			r.windows[w] = v
		}
		return v
	}
	return value{}
}

// expr resolves a scalar expression.
func (r *resolver) expr(e Expr, sc *scope) value {
	if e == nil {
		return value{}
	}
	if !r.enter() {
		r.leave()
		return value{undecided: "too deep"}
	}
	defer r.leave()
	switch e := e.(type) {
	case *Column:
		return r.column(e, sc, false)
	case *Op:
		return r.op(e, sc)
	case *Cast:
		return combine(Expression, r.expr(e.Arg, sc))
	case *Named:
		v := r.expr(e.Arg, sc)
		if sc.aliases != nil {
			if key := r.d.Fold(e.Alias); sc.aliases[key].sources == nil {
				sc.aliases[key] = v
			}
		}
		return v
	case *Func:
		return r.call(e, sc)
	case *Subquery:
		return r.subquery(e, sc)
	case *Lambda:
		inner := child(sc, sc.ctes)
		params := &source{ordered: true}
		for _, p := range e.Params {
			params.fields = append(params.fields, field{key: r.d.Fold(p), name: p.Name})
		}
		inner.sources = []*source{params}
		return combine(Expression, r.expr(e.Body, inner))
	case *Star:
		// As an argument: f(t.*), count(DISTINCT t.*), COLUMNS(*).
		var out output
		r.star(e, sc, &out)
		var vs []value
		for _, f := range out.fields {
			vs = append(vs, f.val)
		}
		v := combine(Expression, vs...)
		if out.open {
			v.undecided = out.why
		}
		return v
	case *Unchecked:
		return value{undecided: "part of the expression could not be read"}
	}
	return value{} // literals and parameters
}

// quietly resolves an expression that has been resolved before, for its value.
func (r *resolver) quietly(e Expr, sc *scope) value {
	r.muted++
	defer func() { r.muted-- }()
	return r.expr(e, sc)
}

// op resolves an operator; chains of operators lean to the left and may be long,
// so that side is walked rather than recursed into. Operands are resolved from
// left to right: one may name a value that those behind it use.
func (r *resolver) op(e *Op, sc *scope) value {
	chain := []*Op{e}
	for len(e.Args) > 0 {
		left, ok := e.Args[0].(*Op)
		if !ok {
			break
		}
		chain = append(chain, left)
		e = left
	}
	// Values are combined once, at the end or where the chain so far is asked for: a
	// sum of thousands would be merged as often else.
	var vs []value
	var row *source
	var elem *value
	for i := len(chain) - 1; i >= 0; i-- {
		args := chain[i].Args
		if i < len(chain)-1 {
			args = args[1:] // the first is the chain so far
		}
		if chain[i].Name == "." && len(chain[i].Args) == 2 {
			v := combine(Expression, vs...)
			v.row, v.elem = row, elem
			if f, ok := r.fieldOf(chain[i], v, sc); ok {
				if i == 0 {
					return f
				}
				vs, row, elem = append(vs[:0], f), f.row, f.elem
				continue
			}
		}
		element := elem
		for j, a := range args {
			x := r.expr(a, sc)
			vs = append(vs, x)
			if j == 0 && i == len(chain)-1 {
				element = x.elem
			}
		}
		row, elem = nil, nil
		if chain[i].Name == "[]" && element != nil {
			row, elem = element.row, element.elem
		}
	}
	v := combine(Expression, vs...)
	v.row, v.elem = row, elem
	return v
}

// fieldsOf expands (row).* in a select list.
func (r *resolver) fieldsOf(op *Op, sc *scope, out *output) {
	v := r.quietly(op.Args[0], sc)
	if v.row == nil {
		v.row = r.rowType(op.Args[0])
	}
	r.expand(v, op.Span, out)
}

// fieldOf is (row).field, where the row is one of a relation; so is the value of
// the chain before the operator, if the operator is not the first.
func (r *resolver) fieldOf(op *Op, v value, sc *scope) (value, bool) {
	name, ok := op.Args[1].(*Literal)
	if !ok || name.Kind != OtherLiteral || isNumber(name.Value) { // t.1 is an element of a tuple
		return v, false
	}
	if _, chained := op.Args[0].(*Op); !chained {
		v = r.expr(op.Args[0], sc)
		if v.row == nil {
			v.row = r.rowType(op.Args[0])
		}
	}
	if v.row == nil {
		return combine(Expression, v), true
	}
	id := Ident{Span: name.Span, Name: name.Value, Quoted: true}
	use := ColumnUse{Span: op.Span, Parts: []Ident{id}, At: id, Relation: v.row.name}
	f, found := v.row.find(r.d.Fold(id))
	switch {
	case found:
		use.Sources = bases(f.val.sources)
	case v.row.open:
		use.Status = Undecided
		f.val = value{undecided: v.row.why}
	default:
		use.Status, use.Candidates = Unknown, r.nearColumns(id, names(v.row))
		f.val = value{undecided: fmt.Sprintf("unknown column %q", id.Name)}
	}
	r.record(use)
	return f.val, true
}

func (r *resolver) call(f *Func, sc *scope) value {
	feed := Expression
	if f.aggregates() {
		feed = Aggregated
	}
	vs := make([]value, 0, len(f.Args)+2)
	for _, a := range f.Args {
		vs = append(vs, r.expr(a, sc))
	}
	for _, o := range f.OrderBy {
		vs = append(vs, r.expr(o.Expr, sc))
	}
	vs = append(vs, r.expr(f.Filter, sc))
	if f.Over != nil {
		vs = append(vs, r.window(f.Over, sc), r.namedWindow(f.Over.Base, sc))
	}
	return combine(feed, vs...)
}

// subquery resolves a query inside an expression. A scalar one is worth its
// output and what it refers to outside; EXISTS and IN all that they refer to.
func (r *resolver) subquery(s *Subquery, sc *scope) value {
	c := &collector{depth: sc.depth, all: s.Kind == ExistsSubquery || s.Kind == InSubquery}
	r.collectors = append(r.collectors, c)
	q := s.Query
	if s.Kind == ExistsSubquery {
		q = withoutStars(q)
	}
	o := r.query(q, sc, sc.ctes)
	r.collectors = r.collectors[:len(r.collectors)-1]
	vs := []value{{sources: c.sources, undecided: c.why}, r.expr(s.Left, sc)}
	if s.Kind != ExistsSubquery {
		for _, f := range o.fields {
			vs = append(vs, f.val)
		}
		if o.open {
			vs = append(vs, value{undecided: o.why})
		}
	}
	v := combine(Expression, vs...)
	if s.Kind == ScalarSubquery && len(o.fields) == 1 {
		v.row = o.fields[0].val.row
	}
	return v
}

// withoutStars is the query of EXISTS without a * in its list: whether there is a row
// does not depend on its columns.
func withoutStars(q *Query) *Query {
	body, ok := q.Body.(*Select)
	if !ok {
		return q
	}
	sel, out := *body, *q
	sel.Items = slices.DeleteFunc(slices.Clone(body.Items), func(it SelectItem) bool {
		star, ok := it.Expr.(*Star)
		return ok && len(star.Qualifier)+len(star.Except)+len(star.Replace)+len(star.Rename) == 0
	})
	out.Body = &sel
	return &out
}

// collect tells the subqueries around a reference what it stands for.
func (r *resolver) collect(v value, found *scope) {
	for _, c := range r.collectors {
		if c.all || found.depth <= c.depth {
			c.sources = union(c.sources, through(v.sources, Expression))
			if c.why == "" {
				c.why = v.undecided
			}
		}
	}
}

// column binds a reference.
func (r *resolver) column(c *Column, sc *scope, written bool) value {
	use := ColumnUse{Span: c.Span, Parts: c.Parts, At: c.Parts[len(c.Parts)-1], Written: written}
	if len(c.Parts) == 1 {
		return r.unqualified(use, c.Parts[0], 0, sc)
	}
	// The longest qualifier that names a relation wins: s.t.c before t.c.f.
	for n := len(c.Parts) - 1; n >= 1; n-- {
		if n < len(c.Parts)-1 && !r.d.hasPaths() {
			break
		}
		src, at := r.findSource(c.Parts[:n], sc)
		if src == nil {
			continue
		}
		id := c.Parts[n]
		use.At, use.Relation, use.Table = id, src.name, src.rel
		f, ok := src.find(r.d.Fold(id))
		v := f.val
		switch {
		case ok:
			if n < len(c.Parts)-1 {
				v = r.path(&use, v, c.Parts[n+1:])
			}
		case src.open && src.any != nil:
			v = *src.any
		case src.open:
			use.Status = Undecided
			v = value{undecided: src.why}
		case r.d.systemColumn(id) && !src.ordered, r.virtual(id):
			v = r.systemValue(src)
		case src.mayHave(id):
			use.Status = Undecided
			v = value{undecided: "column without a name of its own"}
		case r.d.hasPaths() && n == 1 && src.has(r.d.Fold(c.Parts[0])):
			use.At = c.Parts[0] // the relation has a column of its own name
			f, _ = src.find(r.d.Fold(c.Parts[0]))
			v = r.path(&use, f.val, c.Parts[1:])
		default:
			use.Status = Unknown
			use.Candidates = r.nearColumns(id, names(src))
			v = value{undecided: fmt.Sprintf("unknown column %q", joinIdents(c.Parts))}
		}
		v.outer = at != sc
		return r.bind(use, v, src, at)
	}
	if r.d.hasPaths() {
		// Perhaps a column with a path into it.
		if v, ok := r.peek(c.Parts[0], sc); ok {
			use.At = c.Parts[0]
			if v = r.path(&use, v, c.Parts[1:]); use.Status == Unknown {
				r.record(use)
				return v
			}
			r.unqualified(use, c.Parts[0], len(c.Parts)-1, sc)
			return v
		}
	}
	if r.d.sequenceColumn(use.At) {
		r.record(use)
		return value{}
	}
	at := c.Parts[len(c.Parts)-2]
	if r.d.hasPaths() {
		at = c.Parts[0] // what could be a relation or a column
		if len(c.Parts) > 2 && r.isSchema(c.Parts[0], sc) {
			at = c.Parts[1]
		}
	}
	if n := len(c.Parts) - 2; n > 0 {
		if src, _ := r.findSource(c.Parts[n:n+1], sc); src != nil {
			at = c.Parts[n-1] // the relation is there, in another schema
		}
	}
	r.unknownColumn(c.Span, c.Parts, at, sc)
	return value{undecided: fmt.Sprintf("unknown relation %q", joinIdents(c.Parts[:len(c.Parts)-1]))}
}

// isSchema reports whether a relation in scope is of that schema.
func (r *resolver) isSchema(id Ident, sc *scope) bool {
	for ; sc != nil; sc = sc.outer {
		for _, s := range sc.sources {
			if len(s.schema) > 0 && s.schema[len(s.schema)-1] == r.d.Fold(id) {
				return true
			}
		}
	}
	return false
}

// virtual reports names that a dialect makes up for any relation.
func (r *resolver) virtual(id Ident) bool { return r.d == Generic && r.d.systemColumn(id) }

func (r *resolver) bind(use ColumnUse, v value, src *source, at *scope) value {
	if use.Status == Bound {
		use.Sources = bases(v.sources)
	}
	r.record(use)
	r.collect(v, at)
	return v
}

// peek reports whether an unqualified name means a column, recording nothing.
func (r *resolver) peek(id Ident, sc *scope) (value, bool) {
	key := r.d.Fold(id)
	for ; sc != nil; sc = sc.outer {
		for _, s := range sc.sources {
			if f, ok := s.find(key); ok {
				return f.val, true
			}
			if s.open && s.any != nil {
				return *s.any, true
			}
			if s.open {
				return value{undecided: s.why}, true
			}
		}
		if v, ok := sc.aliases[key]; ok {
			return v, true
		}
	}
	return value{}, false
}

// unqualified binds a bare name in the innermost scope that has it. rest is how
// many parts of the reference are a path into the column.
func (r *resolver) unqualified(use ColumnUse, id Ident, rest int, sc *scope) value {
	key := r.d.Fold(id)
	for s := sc; s != nil; s = s.outer {
		var in []*source
		var val value
		var open *source
		for _, src := range s.sources {
			if f, ok := src.find(key); ok && !f.hidden {
				if len(in) == 0 {
					val = f.val
				}
				in = append(in, src)
			} else if src.open && open == nil {
				open = src
			}
		}
		switch {
		case len(in) == 1:
			use.Relation, use.Table = in[0].name, in[0].rel
			val.outer = s != sc
			return r.bind(use, val, in[0], s)
		case len(in) > 1:
			if v, ok := s.outputs[key]; ok && s.aliases != nil {
				return r.bind(use, v, nil, s)
			}
			if r.d == ClickHouse { // single_join_prefer_left_table
				use.Relation, use.Table = in[0].name, in[0].rel
				return r.bind(use, val, in[0], s)
			}
			use.Status = Ambiguous
			for _, src := range in {
				use.Candidates = append(use.Candidates, src.name)
			}
			return r.bind(use, value{undecided: fmt.Sprintf("ambiguous column %q", id.Name)}, in[0], s)
		}
		if v, ok := s.aliases[key]; ok {
			return r.bind(use, v, nil, s)
		}
		if v, ok := s.listed[key]; ok && s != sc {
			return r.bind(use, v, nil, s)
		}
		if src := r.wholeRow(key, s); src != nil && rest == 0 {
			use.Relation = src.name
			if src.whole != nil {
				return r.bind(use, *src.whole, src, s)
			}
			var vs []value
			for _, f := range src.fields {
				vs = append(vs, f.val)
			}
			v := combine(Expression, vs...)
			if src.open && src.any == nil {
				v.undecided = src.why
			}
			v.row = src
			return r.bind(use, v, src, s)
		}
		if c := s.ctes.find(scalarKey(key)); c != nil && !c.busy {
			return r.bind(use, r.scalar(c, s), nil, s)
		}
		if open != nil {
			use.Relation = open.name
			if open.any != nil {
				return r.bind(use, *open.any, open, s)
			}
			use.Status, use.Relation = Undecided, ""
			return r.bind(use, value{undecided: open.why}, open, s)
		}
		for _, src := range s.sources {
			if src.mayHave(id) {
				use.Status = Undecided
				return r.bind(use, value{undecided: "column without a name of its own"}, src, s)
			}
		}
		if r.d.systemColumn(id) {
			for _, src := range s.sources {
				if !src.ordered {
					use.Relation, use.Table = src.name, src.rel
					return r.bind(use, r.systemValue(src), src, s)
				}
			}
		}
	}
	if !id.Quoted && rest == 0 && sessionValues[strings.ToLower(id.Name)] {
		r.record(use)
		return value{}
	}
	r.unknownColumn(use.Span, use.Parts, id, sc)
	return value{undecided: fmt.Sprintf("unknown column %q", id.Name)}
}

// systemValue is what a system column is worth: nothing, unless it stands for a column.
func (r *resolver) systemValue(src *source) value {
	if r.d != SQLite || src.rel == nil || src.rel.RowID == "" {
		return value{}
	}
	f, _ := src.find(r.d.key(src.rel.RowID))
	return f.val
}

// scalar resolves the expression that a name of WITH stands for, in the scope where
// the name is used. Its references are recorded once.
func (r *resolver) scalar(c *cteState, s *scope) value {
	if v, ok := c.values[s]; ok && (c.resolved || r.muted > 0) {
		return v
	}
	if c.resolved {
		r.muted++
		defer func() { r.muted-- }()
	}
	c.resolved = c.resolved || r.muted == 0
	c.busy = true
	defer func() { c.busy = false }()
	if c.values == nil {
		c.values = map[*scope]value{}
	}
	c.values[s] = r.expr(c.scalar, s)
	return c.values[s]
}

// wholeRow finds the relation of a scope whose name stands for its row.
func (r *resolver) wholeRow(key string, s *scope) *source {
	if !r.d.hasRows() {
		return nil
	}
	for _, src := range s.sources {
		if src.key == key && key != "" {
			return src
		}
	}
	return nil
}

// findSource finds the relation that a qualifier names, from the inside out.
func (r *resolver) findSource(q []Ident, sc *scope) (*source, *scope) {
	key := r.d.Fold(q[len(q)-1])
	for ; sc != nil; sc = sc.outer {
		for _, s := range sc.sources {
			if s.key == key && key != "" && qualifies(r.d, q[:len(q)-1], s.schema) {
				return s, sc
			}
		}
	}
	return nil, nil
}

// qualifies reports whether the qualifiers of a name are the last ones of those
// under which a relation stands in FROM.
func qualifies(d Dialect, q []Ident, schema []string) bool {
	if len(q) > len(schema) {
		// catalog.schema.table against schema.table: the last parts decide.
		if len(schema) == 0 {
			return false
		}
		q = q[len(q)-len(schema):]
	}
	schema = schema[len(schema)-len(q):]
	for i, id := range q {
		if d.Fold(id) != schema[i] {
			return false
		}
	}
	return true
}

// unknownColumn records a name that nothing in scope has.
func (r *resolver) unknownColumn(span Span, parts []Ident, at Ident, sc *scope) {
	use := ColumnUse{Span: span, Parts: parts, At: at, Status: Unknown}
	var fields, relations []string
	for s := sc; s != nil; s = s.outer {
		for _, src := range s.sources {
			fields = append(fields, names(src)...)
			if src.name != "" {
				relations = append(relations, src.name)
			}
		}
	}
	if len(parts) > 1 && at.Span != parts[len(parts)-1].Span {
		use.Candidates = r.nearColumns(at, relations)
	} else {
		use.Candidates = r.nearColumns(at, fields)
	}
	r.record(use)
}

// near suggests names for one that is not known, as the dialect reads it.
func (r *resolver) nearColumns(id Ident, candidates []string) []string {
	if r.near.given++; r.near.given > maxSuggestions {
		return nil
	}
	return nearest.Find(r.d.Fold(id), candidates, 5)
}

func names(s *source) []string {
	out := make([]string, len(s.fields))
	for i, f := range s.fields {
		out[i] = f.name
	}
	return out
}
