package pgtype

import (
	"slices"
	"strconv"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// output is what a query gives.
type output struct {
	columns []outColumn
	open    bool // there may be others
}

type outColumn struct {
	value
	name string       // empty: not known
	expr sqltree.Expr // nil of a column behind *
	col  *column      // that it is, if it is one
}

// query checks a query. With raw, literals of unknown type stay so.
func (c *checker) query(q *sqltree.Query, outer *scope, w *ctes, raw bool) output {
	w = c.with(q.With, outer, w)
	var out output
	sc := &scope{outer: outer, ctes: w}
	switch b := q.Body.(type) {
	case *sqltree.Select:
		out = c.selectBody(b, sc, q.OrderBy)
	default:
		out = c.body(q.Body, outer, w)
		for _, o := range q.OrderBy {
			c.orderOutput(o.Expr, out)
		}
	}
	for _, e := range q.Limit {
		v := c.expr(e, (&scope{outer: outer, ctes: w}).with(clause{name: "LIMIT", agg: true, window: true, set: true}))
		if v.typ != nil && !c.coercible(v.typ, c.types["int8"], assignment) {
			c.fail(e, "LIMIT and OFFSET must be numbers, and this is of type %s", nameOf(v.typ))
		}
		c.become(e, v, c.types["int8"])
	}
	if !raw {
		out.settle(c)
	}
	return out
}

// settle takes literals of unknown type for text.
func (o *output) settle(c *checker) {
	for i := range o.columns {
		if o.columns[i].typ.is("unknown") {
			o.columns[i].value = c.of("text")
		}
	}
}

func (o *output) relation() *Relation {
	rel := &Relation{Open: o.open, Columns: make([]Field, len(o.columns))}
	for i, col := range o.columns {
		rel.Columns[i] = Field{col.name, col.typ}
		rel.Open = rel.Open || col.name == ""
	}
	return rel
}

// renamed gives the columns of a relation the names of a list in front.
func renamed(rel *Relation, names []sqltree.Ident) *Relation {
	if len(names) == 0 {
		return rel
	}
	r := &Relation{Open: rel.Open, Columns: slices.Clone(rel.Columns)}
	for i, id := range names {
		if i < len(r.Columns) {
			r.Columns[i].Name = fold(id)
		}
	}
	if len(names) >= len(r.Columns) && !slices.ContainsFunc(r.Columns, func(f Field) bool { return f.Name == "" }) && !rel.Open {
		r.Open = false
	}
	return r
}

func (c *checker) with(with *sqltree.With, outer *scope, w *ctes) *ctes {
	if with == nil {
		return w
	}
	if with.Recursive {
		for _, x := range with.CTEs {
			w = &ctes{w, fold(x.Name), &Relation{Open: true}}
		}
	}
	for _, x := range with.CTEs {
		rel := &Relation{Open: true}
		if q, ok := x.Body.(*sqltree.Query); ok {
			if op, set := q.Body.(*sqltree.SetOp); set && with.Recursive && q.With == nil {
				rel = c.recursive(x, q, op, outer, w)
			} else {
				out := c.query(q, outer, w, false)
				rel = renamed(out.relation(), x.Columns)
			}
		}
		if len(x.Added) > 0 {
			rel.Open = true
		}
		w = &ctes{w, fold(x.Name), rel}
	}
	return w
}

// recursive checks a query of WITH RECURSIVE: its first part says of which types the
// columns are, and the second must give the same.
func (c *checker) recursive(x *sqltree.CTE, q *sqltree.Query, op *sqltree.SetOp, outer *scope, w *ctes) *Relation {
	first := c.body(op.Left, outer, w)
	first.settle(c)
	rel := renamed(first.relation(), x.Columns)
	w = &ctes{w, fold(x.Name), rel}
	out := c.setOp(op, first, c.body(op.Right, outer, w))
	if !mentions(op.Right, fold(x.Name)) {
		return renamed(out.relation(), x.Columns)
	}
	for i, col := range out.columns {
		if i >= len(first.columns) {
			break
		}
		if t := first.columns[i].typ; t != nil && col.typ != nil && t != col.typ {
			c.fail(q, "column %d of recursive query %q is of type %s in its first part and of type %s overall; cast the first one", i+1, fold(x.Name), nameOf(t), nameOf(col.typ))
		}
	}
	return rel
}

func mentions(b sqltree.Body, name string) bool {
	found := false
	sqltree.Walk(b, func(n sqltree.Node) bool {
		if t, ok := n.(*sqltree.TableRef); ok && len(t.Name.Parts) == 1 && fold(t.Name.Last()) == name {
			found = true
		}
		return !found
	})
	return found
}

// body checks a part of a set operation; its literals stay unknown.
func (c *checker) body(b sqltree.Body, outer *scope, w *ctes) output {
	switch b := b.(type) {
	case *sqltree.Select:
		return c.selectBody(b, &scope{outer: outer, ctes: w}, nil)
	case *sqltree.Query:
		return c.query(b, outer, w, true)
	case *sqltree.Values:
		return c.values(b, &scope{outer: outer, ctes: w})
	case *sqltree.SetOp:
		// A chain leans to the left and may be long.
		chain := []*sqltree.SetOp{b}
		for {
			left, ok := chain[len(chain)-1].Left.(*sqltree.SetOp)
			if !ok {
				break
			}
			chain = append(chain, left)
		}
		out := c.body(chain[len(chain)-1].Left, outer, w)
		for _, op := range slices.Backward(chain) {
			out = c.setOp(op, out, c.body(op.Right, outer, w))
		}
		return out
	}
	return output{open: true}
}

func (c *checker) setOp(op *sqltree.SetOp, left, right output) output {
	if left.open || right.open {
		return output{open: true}
	}
	if len(left.columns) != len(right.columns) {
		c.fail(op, "the queries of %s have %d and %d columns", op.Op, len(left.columns), len(right.columns))
		return output{open: true}
	}
	out := output{columns: slices.Clone(left.columns)}
	for i := range out.columns {
		col := &out.columns[i]
		nodes := []sqltree.Expr{at(op.Left), at(op.Right)}
		t := c.unify(nodes, []value{left.columns[i].value, right.columns[i].value}, op.Op)
		col.value, col.expr, col.col = value{typ: t}, nil, nil
		if !op.All {
			c.compared(op, t, op.Op)
		}
	}
	return out
}

// at is an expression that only has a place.
func at(n sqltree.Node) sqltree.Expr { return &sqltree.Unchecked{Span: n.Pos()} }

func (c *checker) values(v *sqltree.Values, sc *scope) output {
	var out output
	rows := make([][]value, len(v.Rows))
	for i, row := range v.Rows {
		rows[i] = c.exprs(row, sc.with(clause{name: "VALUES", agg: true, window: true}))
		if len(row) != len(v.Rows[0]) {
			c.fail(v, "the rows of VALUES have %d and %d values", len(v.Rows[0]), len(row))
			return output{open: true}
		}
	}
	for k := range v.Rows[0] {
		nodes, list := make([]sqltree.Expr, len(rows)), make([]value, len(rows))
		for i := range rows {
			nodes[i], list[i] = v.Rows[i][k], rows[i][k]
		}
		out.columns = append(out.columns, outColumn{name: "column" + strconv.Itoa(k+1), value: value{typ: c.unify(nodes, list, "VALUES")}})
	}
	return out
}

func (c *checker) selectBody(s *sqltree.Select, sc *scope, order []sqltree.OrderItem) output {
	sc.windows = s.Windows
	for _, t := range s.From {
		sc.sources = append(sc.sources, c.table(t, sc)...)
	}
	if s.Where != nil {
		c.condition(s.Where, c.expr(s.Where, sc.with(clause{name: "WHERE", agg: true, window: true, set: true})), "WHERE")
	}
	out := c.items(s.Items, sc)
	grouped := sc.with(clause{name: "GROUP BY", agg: true, window: true})
	for _, e := range s.GroupBy {
		c.grouping(e, grouped, out)
	}
	if s.Having != nil {
		c.condition(s.Having, c.expr(s.Having, sc.with(clause{name: "HAVING", window: true, set: true})), "HAVING")
	}
	for i := range s.Windows {
		c.window(&s.Windows[i], sc)
	}
	for _, e := range s.DistinctOn {
		c.orderBy(e, sc, out, "DISTINCT ON")
	}
	for _, o := range order {
		c.orderBy(o.Expr, sc, out, "ORDER BY")
	}
	if s.Distinct {
		for _, col := range out.columns {
			if len(s.DistinctOn) == 0 {
				c.compared(s, col.typ, "DISTINCT")
			}
		}
	}
	c.grouped(s, sc, out, order)
	c.distinct(s, sc, out, order)
	return out
}

// items checks a select list.
func (c *checker) items(items []sqltree.SelectItem, sc *scope) output {
	var out output
	for _, it := range items {
		if star, ok := it.Expr.(*sqltree.Star); ok {
			c.star(star, sc, &out)
			continue
		}
		if op, ok := it.Expr.(*sqltree.Op); ok && op.Name == ".*" {
			c.expr(it.Expr, sc)
			out.open = true
			continue
		}
		v := c.expr(it.Expr, sc)
		o := outColumn{value: v, expr: it.Expr, name: outputName(it.Expr)}
		if it.Alias != nil {
			o.name = fold(*it.Alias)
		}
		if col, ok := it.Expr.(*sqltree.Column); ok {
			o.col, _ = sc.column(col.Parts)
		}
		if v.typ.is("record") || v.typ.is("void") {
			o.typ = nil
		}
		out.columns = append(out.columns, o)
	}
	return out
}

// outputName is the name of a column without an alias; empty if it is not looked at.
func outputName(e sqltree.Expr) string {
	switch e := e.(type) {
	case *sqltree.Column:
		return fold(e.Parts[len(e.Parts)-1])
	case *sqltree.Func:
		return fold(e.Name.Last())
	case *sqltree.Cast:
		return outputName(e.Arg)
	}
	return ""
}

func (c *checker) star(star *sqltree.Star, sc *scope, out *output) {
	found := false
	for _, s := range sc.sources {
		if len(star.Qualifier) > 0 && s.name != fold(star.Qualifier[len(star.Qualifier)-1]) {
			continue
		}
		found = true
		out.open = out.open || s.open
		for _, col := range s.columns {
			if !col.hidden || len(star.Qualifier) > 0 {
				out.columns = append(out.columns, outColumn{value: value{typ: col.typ}, name: col.name, col: col})
			}
		}
	}
	out.open = out.open || !found
}

// number is the place that a number in GROUP BY or ORDER BY stands for.
func (c *checker) place(e sqltree.Expr, out output, what string) (i int, ok bool) {
	l, isLiteral := e.(*sqltree.Literal)
	if !isLiteral || l.Kind == sqltree.OtherLiteral {
		return 0, false
	}
	n, err := strconv.Atoi(l.Value)
	switch {
	case l.Kind != sqltree.NumberLiteral || err != nil:
		c.fail(e, "a constant in %s must be the number of a column", what)
	case !out.open && (n < 1 || n > len(out.columns)):
		c.fail(e, "%s has %d, and there are %d columns", what, n, len(out.columns))
	case n >= 1 && n <= len(out.columns) && !out.open:
		return n - 1, true
	}
	return -1, true
}

// grouping checks an entry of GROUP BY.
func (c *checker) grouping(e sqltree.Expr, sc *scope, out output) {
	if op, ok := e.(*sqltree.Op); ok && (op.Name == "ROLLUP" || op.Name == "CUBE" || op.Name == "GROUPING SETS" || op.Name == "ROW") {
		for _, a := range op.Args {
			c.grouping(a, sc, out)
		}
		return
	}
	var t *Type
	if i, ok := c.place(e, out, "GROUP BY"); ok {
		if i >= 0 {
			t = out.columns[i].typ
			c.noAggregate(out.columns[i].expr, sc)
		}
	} else if i := c.byAlias(e, sc, out, true); i >= 0 {
		t = out.columns[i].typ
		c.noAggregate(out.columns[i].expr, sc)
	} else {
		t = c.expr(e, sc).typ
	}
	c.compared(e, t, "GROUP BY")
}

// noAggregate says that rows cannot be grouped by what is computed of groups.
func (c *checker) noAggregate(e sqltree.Expr, sc *scope) {
	if e == nil {
		return
	}
	sqltree.Walk(e, func(n sqltree.Node) bool {
		if _, sub := n.(*sqltree.Subquery); sub {
			return false
		}
		if f, ok := n.(*sqltree.Func); ok && c.aggregates[f] == sc.top() {
			c.fail(e, "aggregate %s is not allowed in GROUP BY", fold(f.Name.Last()))
		}
		return true
	})
}

// byAlias is the place of the column of the select list that a name means, -1 if it
// means none. With inputFirst a column of FROM goes before.
func (c *checker) byAlias(e sqltree.Expr, sc *scope, out output, inputFirst bool) int {
	col, ok := e.(*sqltree.Column)
	if !ok || len(col.Parts) != 1 {
		return -1
	}
	if inputFirst {
		for _, s := range sc.sources {
			if s.open {
				return -1
			}
			if len(s.named(fold(col.Parts[0]))) > 0 {
				return -1
			}
		}
	}
	found := -1
	for i, o := range out.columns {
		if o.name == fold(col.Parts[0]) {
			if found >= 0 && !inputFirst {
				return -2 // two that may be one
			}
			found = i
		}
	}
	return found
}

// orderBy checks an entry of ORDER BY or DISTINCT ON.
func (c *checker) orderBy(e sqltree.Expr, sc *scope, out output, what string) {
	var t *Type
	if i, ok := c.place(e, out, what); ok {
		if i >= 0 {
			t = out.columns[i].typ
		}
	} else if i := c.byAlias(e, sc, out, false); i >= 0 {
		t = out.columns[i].typ
	} else if i == -1 {
		t = c.expr(e, sc.with(clause{name: what})).typ
	}
	if what == "ORDER BY" {
		c.ordered(e, t, what)
	} else {
		c.compared(e, t, what)
	}
}

// orderOutput checks an entry of ORDER BY behind a set operation.
func (c *checker) orderOutput(e sqltree.Expr, out output) {
	var t *Type
	if i, ok := c.place(e, out, "ORDER BY"); ok {
		if i >= 0 {
			t = out.columns[i].typ
		}
	} else if col, ok := e.(*sqltree.Column); ok && len(col.Parts) == 1 {
		found := out.open
		for _, o := range out.columns {
			if found = found || o.name == ""; o.name == fold(col.Parts[0]) {
				found, t = true, o.typ
			}
		}
		if !found {
			c.fail(e, "the result has no column %q to order by", fold(col.Parts[0]))
		}
	} else if !ok {
		c.fail(e, "behind UNION, INTERSECT and EXCEPT only columns of the result can be in ORDER BY, by their names or numbers")
	}
	c.ordered(e, t, "ORDER BY")
}

func (c *checker) window(w *sqltree.WindowDef, sc *scope) {
	inner := sc.with(clause{name: "a window", window: true, set: true, agg: sc.clause.agg})
	for _, e := range w.Partition {
		c.compared(e, c.expr(e, inner).typ, "PARTITION BY")
	}
	for _, o := range w.OrderBy {
		c.ordered(o.Expr, c.expr(o.Expr, inner).typ, "ORDER BY")
	}
	c.exprs(w.Frame, inner)
	if w.Base != nil && !slices.ContainsFunc(sc.windows, func(x sqltree.WindowDef) bool { return x.Name != nil && fold(*x.Name) == fold(*w.Base) }) {
		c.fail(w, "window %q is not in the WINDOW clause", fold(*w.Base))
	}
}

// ordered says that values of a type cannot be brought into an order.
func (c *checker) ordered(at sqltree.Node, t *Type, what string) {
	if t != nil && !t.sortable && !t.is("unknown") {
		c.fail(at, "%s compares values, and those of type %s have no order", what, nameOf(t))
	}
}

// compared says that values of a type cannot be told apart.
func (c *checker) compared(at sqltree.Node, t *Type, what string) {
	if t != nil && !t.sortable && !t.hashable && !t.is("unknown") {
		c.fail(at, "%s compares values, and those of type %s cannot be compared", what, nameOf(t))
	}
}

// groups is what a query groups by.
type groups struct {
	columns map[*column]bool
	inside  map[*column]bool // they are in expressions
	sets    bool             // by several sets
	unclear bool
}

func (g *groups) add(c *checker, e sqltree.Expr, sc *scope, out output) {
	if op, ok := e.(*sqltree.Op); ok && (op.Name == "ROLLUP" || op.Name == "CUBE" || op.Name == "GROUPING SETS" || op.Name == "ROW") {
		g.sets = g.sets || op.Name != "ROW"
		for _, a := range op.Args {
			g.add(c, a, sc, out)
		}
		return
	}
	i, isPlace := -1, false
	if l, ok := e.(*sqltree.Literal); ok && l.Kind == sqltree.NumberLiteral {
		isPlace = true
		if n, err := strconv.Atoi(l.Value); err == nil && n >= 1 && n <= len(out.columns) && !out.open {
			i = n - 1
		}
	} else {
		i = c.byAlias(e, sc, out, true)
	}
	switch {
	case i >= 0 && out.columns[i].col != nil:
		g.columns[out.columns[i].col.itself()] = true
		return
	case i >= 0:
		e = out.columns[i].expr
	case isPlace:
		g.unclear = true
		return
	}
	if col, ok := e.(*sqltree.Column); ok {
		if found, _ := sc.column(col.Parts); found != nil {
			g.columns[found.itself()] = true
		} else {
			g.unclear = true
		}
		return
	}
	if e != nil {
		sqltree.Walk(e, func(n sqltree.Node) bool {
			if col, ok := n.(*sqltree.Column); ok {
				if found, _ := sc.column(col.Parts); found != nil {
					g.inside[found.itself()] = true
				} else {
					g.unclear = true
				}
			}
			return true
		})
	}
}

// grouped checks that a query that groups its rows names no columns of single ones.
func (c *checker) grouped(s *sqltree.Select, sc *scope, out output, order []sqltree.OrderItem) {
	groupsRows := len(s.GroupBy) > 0 || s.Having != nil
	for _, at := range c.aggregates {
		groupsRows = groupsRows || at == sc
	}
	if !groupsRows || s.GroupAll || c.err != nil {
		return
	}
	g := &groups{columns: map[*column]bool{}, inside: map[*column]bool{}}
	for _, e := range s.GroupBy {
		g.add(c, e, sc, out)
	}
	if g.unclear {
		return
	}
	fixed := map[*source]bool{} // the primary key is in the groups
	for _, src := range sc.sources {
		fixed[src] = len(src.key) > 0
		for _, i := range src.key {
			fixed[src] = fixed[src] && i < len(src.columns) && g.columns[src.columns[i].itself()]
		}
	}
	single := func(n sqltree.Node, col *column) {
		own := col.itself()
		if g.columns[own] || g.columns[col] || g.inside[own] || fixed[own.of] || own.of == nil {
			return
		}
		c.fail(n, "column %q must be in GROUP BY or in an aggregate", col.name)
	}
	check := func(e sqltree.Expr) {
		if e == nil {
			return
		}
		sqltree.Walk(e, func(n sqltree.Node) bool {
			switch n := n.(type) {
			case *sqltree.Subquery:
				return false
			case *sqltree.Func:
				return !c.mayAggregate(n)
			case *sqltree.Column:
				if col, at := sc.column(n.Parts); col != nil && at == sc {
					single(n, col)
				}
			}
			return true
		})
	}
	for _, o := range out.columns {
		if o.expr == nil && o.col != nil {
			single(s, o.col)
		}
		check(o.expr)
	}
	check(s.Having)
	for _, w := range s.Windows {
		for _, e := range w.Partition {
			check(e)
		}
		for _, o := range w.OrderBy {
			check(o.Expr)
		}
	}
	for _, o := range order {
		if c.byAlias(o.Expr, sc, out, false) == -1 {
			check(o.Expr)
		}
	}
}

// distinct checks that what DISTINCT leaves has an order by what ORDER BY names.
func (c *checker) distinct(s *sqltree.Select, sc *scope, out output, order []sqltree.OrderItem) {
	if out.open || c.err != nil || len(order) == 0 {
		return
	}
	// place is the column of the output or of FROM that an entry means.
	place := func(e sqltree.Expr) *column {
		i := c.byAlias(e, sc, out, false)
		if l, ok := e.(*sqltree.Literal); ok && l.Kind == sqltree.NumberLiteral {
			if n, err := strconv.Atoi(l.Value); err == nil && n >= 1 && n <= len(out.columns) {
				i = n - 1
			}
		}
		if i >= 0 {
			if col := out.columns[i].col; col != nil {
				return col.itself()
			}
			return nil
		}
		if col, ok := e.(*sqltree.Column); ok && i == -1 {
			if found, at := sc.column(col.Parts); found != nil && at == sc {
				return found.itself()
			}
		}
		return nil
	}
	if len(s.DistinctOn) > 0 {
		on := map[*column]bool{}
		for _, e := range s.DistinctOn {
			p := place(e)
			if p == nil {
				return
			}
			on[p] = true
		}
		left := len(on)
		seen := map[*column]bool{}
		for _, o := range order {
			p := place(o.Expr)
			switch {
			case left == 0 || p == nil:
				return
			case !on[p]:
				c.fail(o.Expr, "ORDER BY must begin with what DISTINCT ON names")
				return
			case !seen[p]:
				seen[p] = true
				left--
			}
		}
		return
	}
	if !s.Distinct {
		return
	}
	for _, o := range order {
		p := place(o.Expr)
		if p == nil {
			continue
		}
		if !slices.ContainsFunc(out.columns, func(x outColumn) bool {
			return x.col != nil && x.col.itself() == p || x.expr != nil && x.col == nil && c.isColumn(x.expr)
		}) {
			c.fail(o.Expr, "with DISTINCT, what is in ORDER BY must be in the select list, and column %q is not", p.name)
		}
	}
}

// isColumn reports whether an expression is a column that is not known.
func (c *checker) isColumn(e sqltree.Expr) bool { _, ok := e.(*sqltree.Column); return ok }

// table checks an entry of FROM.
func (c *checker) table(t sqltree.TableExpr, sc *scope) []*source {
	switch t := t.(type) {
	case *sqltree.TableRef:
		return []*source{c.tableRef(t, sc)}
	case *sqltree.Derived:
		rel := &Relation{Open: true}
		if q, ok := t.Query.(*sqltree.Query); ok {
			outer := sc.outer
			if t.Lateral {
				outer = sc
			}
			out := c.query(q, outer, sc.ctes, false)
			rel = renamed(out.relation(), t.Alias.Columns)
		}
		return []*source{sourceOf(rel, aliasName(t.Alias, ""))}
	case *sqltree.TableFunc:
		return []*source{c.tableFunc(t, sc)}
	case *sqltree.Join:
		return c.join(t, sc)
	}
	return []*source{{open: true}}
}

func aliasName(a sqltree.Alias, name string) string {
	if a.Name != nil {
		return fold(*a.Name)
	}
	return name
}

func (c *checker) tableRef(t *sqltree.TableRef, sc *scope) *source {
	var rel *Relation
	if len(t.Name.Parts) == 1 {
		rel = sc.ctes.find(fold(t.Name.Last()))
	}
	if rel == nil {
		rel = c.declared.Relation(t.Name)
	}
	name := aliasName(t.Alias, fold(t.Name.Last()))
	if rel == nil {
		return &source{name: name, open: true}
	}
	s := sourceOf(rel, name)
	for i, id := range t.Alias.Columns {
		if i < len(s.columns) {
			s.columns[i].name = fold(id)
		}
	}
	return s
}

func (c *checker) tableFunc(t *sqltree.TableFunc, sc *scope) *source {
	inner := sc.with(clause{name: "functions in FROM", agg: true, window: true})
	s := &source{name: aliasName(t.Alias, "")}
	add := func(name string, typ *Type) { s.columns = append(s.columns, &column{name: name, typ: typ, of: s}) }
	for _, call := range t.Calls {
		v := c.expr(call, inner)
		f, ok := call.(*sqltree.Func)
		if !ok {
			s.open = true
			continue
		}
		name := fold(f.Name.Last())
		if t.Alias.Name == nil && s.name == "" {
			s.name = name
		}
		list, _ := c.functionsOf(f.Name)
		switch {
		case len(t.Defined) > 0:
			for _, id := range t.Defined {
				add(fold(id), nil)
			}
		case name == "unnest" && len(f.Args) == 1:
			if t.Alias.Name != nil {
				name = s.name
			}
			add(name, v.typ)
		case len(list) > 0 && v.typ != nil && v.typ.kind != 'p' && v.typ.kind != 'c' && list[0].Out == nil && len(f.Args) > 0:
			if t.Alias.Name != nil && len(t.Calls) == 1 {
				name = s.name
			}
			add(name, v.typ)
		case len(list) == 1 && list[0].Out != nil:
			for _, o := range list[0].Out {
				add(o.Name, plainOrNil(o.Type))
			}
		default:
			s.open = true
		}
	}
	if t.Ordinality {
		add("ordinality", c.types["int8"])
	}
	s.open = s.open || t.Offset != nil
	for i, id := range t.Alias.Columns {
		if i < len(s.columns) {
			s.columns[i].name = fold(id)
		}
	}
	return s
}

// plainOrNil is a type that is one of values.
func plainOrNil(t *Type) *Type {
	if t == nil || t.kind == 'p' {
		return nil
	}
	return t
}

func (c *checker) join(j *sqltree.Join, sc *scope) []*source {
	// What stands to the left is in sight of LATERAL on the right.
	view := *sc
	view.query = sc.top()
	left := c.table(j.Left, &view)
	view.sources = append(slices.Clip(sc.sources), left...)
	right := c.table(j.Right, &view)
	all := append(slices.Clip(left), right...)
	if len(j.Using) > 0 || j.Natural {
		merged := c.using(j, left, right)
		all = append([]*source{merged}, all...)
	}
	if j.On != nil {
		on := &scope{outer: sc.outer, sources: all, ctes: sc.ctes, clause: clause{name: "JOIN … ON", agg: true, window: true, set: true}}
		c.condition(j.On, c.expr(j.On, on), "JOIN … ON")
	}
	if j.Alias.Name != nil {
		return []*source{{name: fold(*j.Alias.Name), open: true}}
	}
	if j.UsingAlias != nil {
		all = append(all, &source{name: fold(*j.UsingAlias), open: true})
		for _, col := range all[0].columns {
			col.of = nil
		}
	}
	return all
}

// using makes the columns that JOIN … USING and NATURAL JOIN have in common.
func (c *checker) using(j *sqltree.Join, left, right []*source) *source {
	m := &source{}
	find := func(list []*source, name string) (found *column, open bool) {
		for _, s := range list {
			open = open || s.open
			for _, col := range s.named(name) {
				if !col.hidden {
					found = col
				}
			}
		}
		return found, open
	}
	var names []string
	for _, id := range j.Using {
		names = append(names, fold(id))
	}
	if j.Natural {
		for _, s := range left {
			m.open = m.open || s.open
			for _, col := range s.columns {
				if r, open := find(right, col.name); !col.hidden && (r != nil || open) {
					m.open = m.open || open
					names = append(names, col.name)
				}
			}
		}
	}
	for _, name := range names {
		l, _ := find(left, name)
		r, _ := find(right, name)
		if l == nil || r == nil {
			m.open = true
			continue
		}
		word := "JOIN … USING"
		if j.Natural {
			word = "NATURAL JOIN"
		}
		t := c.unify([]sqltree.Expr{at(j), at(j)}, []value{{typ: l.typ}, {typ: r.typ}}, word)
		if t != nil {
			c.operate(j, "=", &value{typ: l.typ}, &value{typ: r.typ})
		}
		col := &column{name: name, typ: t, of: m}
		switch {
		case j.Kind == sqltree.RightJoin && r.typ == t:
			col.merged = r
		case j.Kind != sqltree.FullJoin && j.Kind != sqltree.RightJoin && l.typ == t:
			col.merged = l
		default:
			col.of = nil
		}
		l.hidden, r.hidden = true, true
		m.columns = append(m.columns, col)
	}
	return m
}
