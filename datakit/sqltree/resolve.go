package sqltree

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/mcpkit/nearest"
)

// maxDepth bounds how deeply queries, expressions and views may nest; what lies
// deeper is undecided ("too deep").
const maxDepth = 500

// Resolve binds every name of a statement to the catalog and follows every output
// column back to the base columns that feed it. It never fails: what cannot be
// known is Undecided, with a reason. The statement is only read; Resolve may run
// concurrently on one tree.
func Resolve(stmt Statement, d Dialect, c Catalog) *Resolution {
	r := &resolver{
		d: d, catalog: c, use: d.aliases(),
		res:   &Resolution{Tables: []TableUse{}, Columns: make([]ColumnUse, 0, 32), Joins: []JoinPair{}, Output: []OutputColumn{}},
		refs:  map[BaseColumn]bool{},
		views: map[*Relation]*output{},
	}
	out := r.statement(stmt, nil, nil)
	for _, f := range out.fields {
		r.res.Output = append(r.res.Output, OutputColumn{
			Name: f.name, Span: f.span, Sources: f.val.sources, Undecided: f.val.undecided,
		})
	}
	if out.open {
		r.res.Undecided = out.why
	}
	for b := range r.refs {
		r.res.References = append(r.res.References, b)
	}
	slices.SortFunc(r.res.References, compareBase)
	slices.SortStableFunc(r.res.Tables, func(a, b TableUse) int { return a.Start - b.Start })
	slices.SortStableFunc(r.res.Columns, func(a, b ColumnUse) int { return a.Start - b.Start })
	return r.res
}

type resolver struct {
	d       Dialect
	catalog Catalog
	use     aliasUse
	res     *Resolution
	refs    map[BaseColumn]bool

	muted   int    // >0: nothing is recorded, only computed
	through string // the view being resolved, "" for the text itself
	depth   int
	views   map[*Relation]*output

	collectors []*collector
}

// collector gathers the sources of the columns that a subquery refers to.
type collector struct {
	depth   int // of the scope around the subquery
	all     bool
	sources []Source
	why     string
}

// output is the result of a query: its columns in order.
type output struct {
	fields []outField
	open   bool
	why    string
}

type outField struct {
	field
	span Span
	at   Ident // where the text names it, for a column with an alias or a plain one
}

func opaque(why string) output { return output{open: true, why: why} }

// enter guards recursion; it returns false when the text nests too deeply.
func (r *resolver) enter() bool {
	r.depth++
	return r.depth <= maxDepth
}

func (r *resolver) leave() { r.depth-- }

func child(outer *scope, ctes *cteScope) *scope {
	sc := &scope{outer: outer, ctes: ctes}
	if outer != nil {
		sc.depth = outer.depth + 1
	}
	return sc
}

// ---- statements

func (r *resolver) statement(s Statement, outer *scope, ctes *cteScope) output {
	if !r.enter() {
		r.leave()
		return opaque("too deep")
	}
	defer r.leave()
	switch s := s.(type) {
	case *Query:
		return r.query(s, outer, ctes)
	case *Insert:
		return r.insert(s, outer, ctes)
	case *Update:
		return r.update(s, outer, ctes)
	case *Delete:
		return r.delete(s, outer, ctes)
	case *Merge:
		return r.merge(s, outer, ctes)
	case *CreateTable:
		return r.createTable(s, ctes)
	case *CreateView:
		if s.To != nil {
			r.relation(TableRef{Span: s.To.Span, Name: *s.To}, written)
		}
		if s.Query == nil {
			return opaque("not a select")
		}
		return rename(r.query(s.Query, outer, ctes), s.Columns, r.d)
	case *Explain:
		if s.Statement != nil {
			r.statement(s.Statement, outer, ctes)
		}
	default:
		r.definition(s, outer, ctes)
	}
	return output{}
}

// with adds the CTEs of a WITH clause to a chain, resolving each.
func (r *resolver) with(w *With, outer *scope, ctes *cteScope) *cteScope {
	if w == nil {
		return ctes
	}
	for i, c := range w.CTEs {
		state := &cteState{}
		key := r.d.Fold(c.Name)
		if r.d == SQLite {
			// One may refer to a later one, of which nothing is known yet.
			for _, later := range w.CTEs[i+1:] {
				state := &cteState{open: true, why: "a later common table expression"}
				ctes = &cteScope{outer: ctes, key: r.d.Fold(later.Name), cte: state}
			}
		}
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

// recursiveCTE starts from what the query is worth without the recursion and
// repeats until no column gains a source. Each round before the last is muted.
func (r *resolver) recursiveCTE(c *CTE, key string, state *cteState, outer *scope, ctes *cteScope) {
	self := &cteScope{outer: ctes, key: key, cte: state}
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

// rename gives the first columns of an output the names of a column list.
func rename(o output, names []Ident, d Dialect) output {
	if len(names) == 0 {
		return o
	}
	fields := slices.Clone(o.fields)
	for i, id := range names {
		if i == len(fields) {
			if !o.open {
				break
			}
			fields = append(fields, outField{field: field{val: value{undecided: o.why}}, span: id.Span})
		}
		fields[i].key, fields[i].name = d.Fold(id), d.shown(id)
	}
	if o.open && len(o.fields) == 0 {
		// The list names every column there is.
		o.open = false
	}
	o.fields = fields
	return o
}

// ---- queries

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
			sc.aliases = branchNames(q.Body, r.d)
		}
		for _, o := range q.OrderBy {
			if _, ok := o.Expr.(*Column); !ok && r.d == SQLite {
				continue // it has to be an expression of a branch, in whose scope it is
			}
			r.influence(o.Expr, sc)
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
		out = combineSets(chain[i], out, r.body(chain[i].Right, outer, ctes))
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
	if !out.open && len(left.fields) != len(right.fields) {
		out.open, out.why = true, "set operation branches differ in width"
	}
	out.fields = slices.Clone(left.fields)
	for i := range out.fields {
		switch {
		case i >= len(right.fields):
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
	for _, t := range s.From {
		sc.sources = append(sc.sources, r.table(t, sc)...)
	}
	// Where a condition may use an alias of the select list, the list comes first.
	early := r.use.where
	var out output
	if early {
		out = r.items(s.Items, sc)
	}
	r.conditions(s.Where, sc, r.use.where)
	for _, e := range s.Other {
		r.conditions(e, sc, r.use.where)
	}
	if !early {
		out = r.items(s.Items, sc)
	}
	for _, e := range s.GroupBy {
		r.grouping(e, sc, r.use.group)
	}
	for _, e := range s.DistinctOn {
		r.influenceAliased(e, sc, true)
	}
	if r.d == MySQL || r.d == MariaDB {
		sc.outputs = map[string]value{}
		for _, f := range out.fields {
			sc.outputs[f.key] = f.val
		}
	}
	r.influenceAliased(s.Having, sc, r.use.having)
	sc.outputs = nil
	r.influenceAliased(s.Qualify, sc, true)
	for _, w := range s.Windows {
		r.window(&w, sc)
	}
	for _, o := range order {
		r.ordering(o.Expr, sc, out)
	}
	return out, sc
}

// branchNames are the columns' names of the branches behind the first of a set
// operation: SQLite's ORDER BY may use them.
func branchNames(b Body, d Dialect) map[string]value {
	names := map[string]value{}
	for {
		op, ok := b.(*SetOp)
		if !ok {
			return names
		}
		if s, ok := op.Right.(*Select); ok {
			for _, it := range s.Items {
				if it.Alias != nil {
					names[d.Fold(*it.Alias)] = value{}
				} else if c, ok := it.Expr.(*Column); ok {
					names[d.Fold(c.Parts[len(c.Parts)-1])] = value{}
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
		v := r.expr(it.Expr, sc)
		if op, ok := it.Expr.(*Op); ok && op.Name == ".*" {
			r.fieldsOf(op, sc, &out)
			continue
		}
		if call, ok := it.Expr.(*Func); ok && it.Alias == nil && r.d == DuckDB && call.named("unnest") {
			out.open, out.why = true, "fields of a value whose type is not known"
			continue
		}
		f := outField{field: field{val: v}, span: it.Expr.Pos()}
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
	if r.d != Postgres {
		return ""
	}
	if name, strength := r.figureName(e); strength > 0 {
		return name
	}
	return "?column?"
}

// star expands * and t.*.
func (r *resolver) star(s *Star, sc *scope, out *output) {
	sources := sc.sources
	if len(s.Qualifier) > 0 {
		src, _ := r.findSource(s.Qualifier, sc)
		if src == nil {
			if v, ok := r.pathStar(s, sc); ok {
				r.expand(v, s.Span, out)
				return
			}
		}
		if src == nil {
			r.unknownColumn(s.Span, s.Qualifier, s.Qualifier[len(s.Qualifier)-1], sc)
			out.open, out.why = true, fmt.Sprintf("unknown relation %q", joinIdents(s.Qualifier))
			return
		}
		sources = []*source{src}
	}
	// The lists name columns of what the star stands for.
	of := &scope{sources: sources}
	replaced := map[string]value{}
	for _, it := range s.Replace {
		v := r.expr(it.Expr, sc)
		if it.Alias != nil {
			r.starColumn(*it.Alias, of)
			replaced[r.d.Fold(*it.Alias)] = v
		}
	}
	renamed := map[string]Ident{}
	for _, it := range s.Rename {
		if c, ok := it.Expr.(*Column); ok && it.Alias != nil {
			id := c.Parts[len(c.Parts)-1]
			r.starColumn(id, of)
			renamed[r.d.Fold(id)] = *it.Alias
		}
	}
	except := map[string]bool{}
	for _, id := range s.Except {
		r.starColumn(id, of)
		except[r.d.Fold(id)] = true
	}
	for _, src := range sources {
		for _, f := range src.fields {
			if (f.hidden && len(s.Qualifier) == 0) || except[f.key] {
				continue
			}
			if v, ok := replaced[f.key]; ok {
				f.val = v
			}
			var at Ident
			if id, ok := renamed[f.key]; ok {
				f.key, f.name, at = r.d.Fold(id), r.d.shown(id), id
			}
			f.hidden = false
			r.collect(f.val, src, sc)
			out.fields = append(out.fields, outField{field: f, span: s.Span, at: at})
		}
		if src.open {
			out.open, out.why = true, "star over a relation without declared columns"
			if src.why != "" && src.why != noColumns {
				out.why = src.why
			}
		}
	}
	if s.Filter != nil {
		// Which columns it picks is not known; each may be any of those found.
		out.open, out.why = true, "which columns it stands for is not known"
	}
}

// pathStar binds the qualifier of a star that is a column with fields, or a path to
// one: device.*, t.device.browser.*.
func (r *resolver) pathStar(s *Star, sc *scope) (value, bool) {
	if !r.d.hasPaths() {
		return value{}, false
	}
	_, found := r.peek(s.Qualifier[0], sc)
	if src, _ := r.findSource(s.Qualifier[:1], sc); !found && src == nil {
		return value{}, false
	}
	span := Span{s.Qualifier[0].Start, s.Qualifier[len(s.Qualifier)-1].End}
	return r.column(&Column{Span: span, Parts: s.Qualifier}, sc, false), true
}

// expand adds the fields of a row to an output.
func (r *resolver) expand(v value, at Span, out *output) {
	if v.row == nil {
		out.open, out.why = true, "fields of a value whose type is not known"
		return
	}
	for _, f := range v.row.fields {
		out.fields = append(out.fields, outField{field: f, span: at})
	}
	if v.row.open {
		out.open, out.why = true, v.row.why
	}
}

// starColumn checks a name in the lists behind a star.
func (r *resolver) starColumn(id Ident, of *scope) {
	use := ColumnUse{Span: id.Span, Parts: []Ident{id}, At: id}
	open := false
	for _, src := range of.sources {
		if f, ok := src.find(r.d.Fold(id)); ok {
			use.Sources, use.Relation = bases(f.val.sources), src.name
			r.record(use)
			return
		}
		open = open || src.open
	}
	if open {
		use.Status = Undecided
		r.record(use)
		return
	}
	r.unknownColumn(use.Span, use.Parts, id, of)
}

const noColumns = "relation without declared columns"

func joinIdents(parts []Ident) string {
	var b strings.Builder
	for i, p := range parts {
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(p.Name)
	}
	return b.String()
}

// ---- FROM

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
		return []*source{r.aliased(o.source(), t.Alias)}
	case *TableFunc:
		return []*source{r.tableFunc(t, sc)}
	case *Join:
		return r.join(t, sc)
	case *Opaque:
		inner := child(sc.outer, sc.ctes)
		for _, in := range t.Inputs {
			inner.sources = append(inner.sources, r.table(in, sc)...)
		}
		for _, e := range t.Exprs {
			r.influence(e, inner)
		}
		return []*source{r.aliased(&source{open: true, why: "which columns it has is not known"}, t.Alias)}
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
			s := &source{key: r.d.Fold(last), name: last.Name, fields: slices.Clone(c.fields), open: c.open, why: c.why, ordered: true}
			return r.named(s, t.Alias)
		}
	} else if s := r.columnTable(t, sc); s != nil {
		return s
	}
	return r.relation(t, read)
}

// access is what a statement does with a relation.
type access uint8

const (
	read      access = iota
	written          // rows or definition
	mentioned        // named only
	optional         // written if it is there: IF EXISTS
)

// relation resolves a name that can only mean a relation of the catalog.
func (r *resolver) relation(t TableRef, how access) *source {
	last := t.Name.Last()
	s := &source{key: r.d.Fold(last), name: last.Name}
	for _, p := range t.Name.Parts[:len(t.Name.Parts)-1] {
		s.schema = append(s.schema, r.d.Fold(p))
	}
	use := TableUse{Span: t.Name.Span, Name: t.Name, Written: how == written || how == optional, Mentioned: how == mentioned, Through: r.through}
	rel := r.catalog.Relation(r.d, t.Name)
	switch {
	case rel != nil:
		use.Relation = rel
		if len(s.schema) == 0 && rel.Schema != "" {
			s.schema = []string{r.d.key(rel.Schema)}
		}
		r.columnsOf(rel, s)
	case r.d == BigQuery && strings.HasSuffix(last.Name, "*"):
		if !r.wildcard(t.Name, s) {
			use.Status = Unknown
		} else {
			use.Status = Undecided
		}
	case r.d.systemRelation(t.Name):
		use.Status = Undecided
		columns, known := r.d.systemRelationColumns(last.Name)
		for _, c := range columns {
			s.fields = append(s.fields, field{key: r.d.key(c), name: c})
		}
		if !known {
			s.open, s.why = true, noColumns
			s.any = &value{} // the database's own data, which no catalog lists
		}
	case how == optional:
		use.Status = Undecided
		s.open, s.why = true, noColumns
	default:
		use.Status = Unknown
		use.Candidates = r.nearTables(t.Name)
		s.open, s.why = true, fmt.Sprintf("unknown relation %q", joinIdents(t.Name.Parts))
	}
	if r.muted == 0 {
		r.res.Tables = append(r.res.Tables, use)
	}
	return r.named(s, t.Alias)
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

// wildcard takes the columns of all tables whose names begin as events_* says, and
// reports whether there is one.
func (r *resolver) wildcard(n Name, s *source) bool {
	prefix := strings.TrimSuffix(r.d.Fold(n.Last()), "*")
	found := false
	for _, name := range r.catalog.Names() {
		schema, table := "", name
		if i := strings.LastIndexByte(name, '.'); i >= 0 {
			schema, table = name[:i], name[i+1:]
		}
		if !strings.HasPrefix(r.d.key(table), prefix) || len(n.Parts) > 1 && r.d.key(schema) != r.d.Fold(n.Parts[len(n.Parts)-2]) {
			continue
		}
		if rel := r.catalog.Relation(r.d, quotedName(schema, table)); rel != nil {
			found = true
			r.columnsOf(rel, s)
		}
	}
	return found
}

// quotedName is a name as the catalog has it.
func quotedName(parts ...string) Name {
	var n Name
	for _, p := range parts {
		if p != "" {
			n.Parts = append(n.Parts, Ident{Name: p, Quoted: true})
		}
	}
	return n
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

// nearTables suggests relations: those of the same name in other schemas, then
// near names, then near names in other schemas.
func (r *resolver) nearTables(n Name) []string {
	names := r.catalog.Names()
	bare := map[string][]string{}
	var keys, out []string
	for _, name := range names {
		b := name[strings.LastIndexByte(name, '.')+1:]
		if bare[b] == nil {
			keys = append(keys, b)
		}
		bare[b] = append(bare[b], name)
	}
	last := r.d.Fold(n.Last())
	add := func(found ...string) {
		for _, f := range found {
			if len(out) < 5 && !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	add(bare[last]...)
	add(nearest.Find(joinIdents(n.Parts), names, 5)...)
	for _, b := range r.near(n.Last(), keys) {
		add(bare[b]...)
	}
	return out
}

// named applies an alias and tells every value through which relation it is seen.
func (r *resolver) named(s *source, a Alias) *source {
	s = r.aliased(s, a)
	for i := range s.fields {
		s.fields[i].val.of = s.name
	}
	return s
}

// columnsOf fills in the columns of a relation of the catalog.
func (r *resolver) columnsOf(rel *Relation, s *source) {
	s.open = rel.Open
	if rel.Open {
		s.why = noColumns
	}
	for _, c := range rel.Hidden {
		s.hidden = append(s.hidden, r.d.key(c))
	}
	if rel.View == nil {
		s.fields = slices.Grow(s.fields, len(rel.Columns))
		for _, c := range rel.Columns {
			b := BaseColumn{rel.Schema, rel.Name, c}
			v := r.shaped(value{sources: []Source{{BaseColumn: b}}, base: &b}, rel.shapes[c], c)
			s.fields = append(s.fields, field{key: r.d.key(c), name: c, val: v})
		}
		return
	}
	o := r.view(rel)
	for i, f := range o.fields {
		if i < len(rel.Columns) {
			f.key, f.name = r.d.key(rel.Columns[i]), rel.Columns[i]
		}
		s.fields = append(s.fields, f.field)
	}
	for i := len(o.fields); i < len(rel.Columns); i++ {
		s.fields = append(s.fields, field{key: r.d.key(rel.Columns[i]), name: rel.Columns[i], val: value{undecided: o.why}})
	}
	s.ordered = true
	if o.open && len(rel.Columns) == 0 {
		s.open, s.why = true, o.why
	}
}

// view resolves a view's definition, once per statement.
func (r *resolver) view(rel *Relation) output {
	if o, ok := r.views[rel]; ok {
		if o == nil { // it is being resolved further up
			return opaque("cyclic definition")
		}
		return *o
	}
	r.views[rel] = nil
	inner := &resolver{
		d: r.d, catalog: r.catalog, res: r.res, views: r.views, depth: r.depth,
		refs: map[BaseColumn]bool{}, muted: r.muted,
		through: qualified(rel),
	}
	if rel.View.Dialect != "" {
		inner.d = rel.View.Dialect
	}
	inner.use = inner.d.aliases()
	columns, joins := len(r.res.Columns), len(r.res.Joins)
	o := rename(inner.statement(rel.View.Query, nil, nil), rel.View.Columns, inner.d)
	// Positions inside a view's text mean nothing in the statement's.
	r.res.Columns, r.res.Joins = r.res.Columns[:columns], r.res.Joins[:joins]
	for i := range o.fields {
		o.fields[i].span = Span{}
	}
	r.views[rel] = &o
	return o
}

func qualified(rel *Relation) string {
	if rel.Schema == "" {
		return rel.Name
	}
	return rel.Schema + "." + rel.Name
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

// functionColumns lists the columns of a function in FROM, if they are known: one
// of the database's own, or one of the catalog.
func (r *resolver) functionColumns(call *Func) ([]string, bool) {
	if f, ok := r.catalog.(FunctionCatalog); ok {
		if rel := f.Function(r.d, call.Name); rel != nil {
			return rel.Columns, !rel.Open
		}
	}
	if r.d == ClickHouse && structured[strings.ToLower(call.Name.Last().Name)] {
		return structure(call)
	}
	return r.d.functionColumns(call)
}

// structured are the functions that take a structure.
var structured = map[string]bool{
	"values": true, "file": true, "filecluster": true, "url": true, "urlcluster": true, "s3": true, "s3cluster": true, "gcs": true, "hdfs": true,
	"azureblobstorage": true, "input": true, "format": true, "generaterandom": true, "executable": true,
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
		v := merge(l, ri)
		switch j.Kind {
		case InnerJoin, LeftJoin, CrossJoin:
			if v.base == nil {
				v.base, v.of = l.base, l.of
			}
		}
		merged.fields = append(merged.fields, field{key: key, name: r.d.shown(id), val: v})
		r.pair(id.Span, l, ri, j.Kind)
		r.refer(l.sources)
		r.refer(ri.sources)
	}
	r.conditionsOf(j.On, on, false, j.Kind)

	out := append(slices.Clip(left), right...)
	if (j.Kind == "SEMI" || j.Kind == "ANTI") && r.d != ClickHouse {
		return left // the other side only decides which rows stay
	}
	if len(merged.fields) > 0 {
		for _, s := range out {
			s.fields = slices.Clone(s.fields)
			for i := range s.fields {
				if slices.ContainsFunc(merged.fields, func(f field) bool { return f.key == s.fields[i].key }) {
					s.fields[i].hidden = true
				}
			}
			s.byName = nil
		}
		if j.UsingAlias != nil {
			out = append(out, r.hiddenCopy(merged, *j.UsingAlias))
		}
		out = append([]*source{merged}, out...)
	}
	if j.Alias.Name != nil {
		return []*source{r.named(flatten(out), j.Alias)}
	}
	return out
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
	use.Candidates = r.near(id, fields)
	r.record(use)
	return value{}, false
}

func bases(s []Source) []BaseColumn {
	out := make([]BaseColumn, len(s))
	for i, x := range s {
		out[i] = x.BaseColumn
	}
	return out
}

func (r *resolver) record(use ColumnUse) {
	if r.muted == 0 && r.through == "" {
		r.res.Columns = append(r.res.Columns, use)
	}
}

func (r *resolver) refer(sources []Source) {
	if r.muted > 0 {
		return
	}
	for _, s := range sources {
		r.refs[s.BaseColumn] = true
	}
}

// pair records an equality of two base columns.
func (r *resolver) pair(at Span, a, b value, kind JoinKind) {
	if r.muted > 0 || r.through != "" || a.base == nil || b.base == nil || a.of == b.of {
		return
	}
	r.res.Joins = append(r.res.Joins, JoinPair{Span: at, Left: *a.base, Right: *b.base, LeftOf: a.of, RightOf: b.of, Kind: kind})
}
