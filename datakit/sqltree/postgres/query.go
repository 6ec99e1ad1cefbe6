package postgres

import "github.com/quartet-mcp/quartet/datakit/sqltree"

// query converts a SelectStmt. The tree drops parentheses and merges what
// stands around them, so ((SELECT 1) ORDER BY 1) is one node: the query takes in
// the parentheses that enclose it directly, as far back as the cursor was. It
// returns the first token too.
func (c *conv) query(n node) (*sqltree.Query, int) {
	start := c.i
	lo := start
	q := &sqltree.Query{}
	with := -1
	if w := n.get("withClause"); w.ok() {
		c.skipOpen()
		with = c.i
		q.With = c.with(w)
		lo = c.i // for the body: parentheses may open behind WITH as well as before it
	}
	var first int
	q.Body, first = c.body(n, q)
	sort, count, offset, locks := n.get("sortClause"), n.get("limitCount"), n.get("limitOffset"), n.get("lockingClause")
	for {
		switch {
		case sort.ok() && c.words(c.i, "ORDER", "BY"):
			c.i += 2
			q.OrderBy = c.orderBy(sort)
			sort = node{}
		case count.ok() && c.accept("LIMIT"):
			q.Limit = append(q.Limit, c.limit(count))
			count = node{}
		case offset.ok() && c.accept("OFFSET"):
			q.Limit = append(q.Limit, c.limit(offset))
			c.acceptAny("ROW", "ROWS")
			offset = node{}
		case count.ok() && c.accept("FETCH"):
			c.i++ // FIRST or NEXT
			if !c.is(c.i, "ROW") && !c.is(c.i, "ROWS") {
				q.Limit = append(q.Limit, c.limit(count))
			}
			c.acceptAny("ROW", "ROWS")
			if !c.accept("ONLY") {
				c.expect("WITH", "TIES")
			}
			count = node{}
		case c.is(c.i, "FOR") && (locks.ok() || c.is(c.i+1, "READ")):
			q.Locks = append(q.Locks, c.locking()...)
		case c.punct(c.i, ')') && c.match(c.i) == first-1 && first-1 >= lo:
			first--
			c.i++
		case with >= 0 && first == lo: // none is left behind WITH
			first, lo, with = with, start, -1
		default:
			q.Span = c.span(first, c.i)
			return q, first
		}
	}
}

func (c *conv) limit(n node) sqltree.Expr {
	e, _ := c.expr(n)
	return e
}

// locking reads FOR UPDATE OF a, b NOWAIT and its kin.
func (c *conv) locking() []sqltree.Name {
	c.expect("FOR")
	for c.acceptAny("NO", "KEY", "UPDATE", "SHARE", "READ", "ONLY") {
	}
	var names []sqltree.Name
	if c.accept("OF") {
		names = append(names, c.name())
		for c.acceptPunct(',') {
			names = append(names, c.name())
		}
	}
	if !c.accept("NOWAIT") {
		c.accept("SKIP", "LOCKED")
	}
	return names
}

// subquery converts a query that stands in parentheses, the cursor on the
// opening one. Its span is what stands between them.
func (c *conv) subquery(n node) *sqltree.Query {
	open := c.i
	c.expectPunct('(')
	q, _ := c.query(n)
	if c.i != c.match(open) {
		c.fail(")")
	}
	c.i++
	return q
}

// body converts a query without what stands around its body; INTO goes to q.
func (c *conv) body(n node, q *sqltree.Query) (sqltree.Body, int) {
	if n.get("op").is("SETOP_NONE") {
		c.skipOpen()
		first := c.i
		switch {
		case c.is(c.i, "VALUES"):
			return c.values(n.get("valuesLists")), first
		case c.is(c.i, "TABLE"):
			s := &sqltree.Select{}
			star := c.span(c.i, c.i+1)
			c.i++
			s.Items = []sqltree.SelectItem{{Span: star, Expr: &sqltree.Star{Span: star}}}
			t, _ := c.table(n.get("fromClause").first())
			s.From = []sqltree.TableExpr{t}
			s.Span = c.span(first, c.i)
			return s, first
		}
		return c.selectBody(n, q), first
	}
	s := &sqltree.SetOp{All: n.get("all").bool()}
	left, first := c.query(n.get("larg"))
	if left.Into != nil {
		q.Into, left.Into = left.Into, nil
	}
	s.Left = operand(left)
	s.Op = c.upper(c.i, c.i+1)
	c.i++
	c.acceptAny("ALL", "DISTINCT")
	right, _ := c.query(n.get("rarg"))
	s.Right = operand(right)
	s.Span = c.span(first, c.i)
	return s, first
}

// operand is a query as one side of a set operation: its body, unless something
// stands around that.
func operand(q *sqltree.Query) sqltree.Body {
	if q.With == nil && q.OrderBy == nil && q.Limit == nil && q.Into == nil && q.Locks == nil {
		return q.Body
	}
	return q
}

func (c *conv) values(lists node) *sqltree.Values {
	v := &sqltree.Values{Rows: make([][]sqltree.Expr, 0, lists.len())}
	first := c.i
	c.expect("VALUES")
	for row := lists.first(); row.ok(); row = row.next() {
		if len(v.Rows) > 0 {
			c.expectPunct(',')
		}
		v.Rows = append(v.Rows, c.exprRow(row.as("List").get("items")))
	}
	v.Span = c.span(first, c.i)
	return v
}

// exprRow reads (a, b, …).
func (c *conv) exprRow(items node) []sqltree.Expr {
	c.expectPunct('(')
	row := c.exprList(items)
	c.expectPunct(')')
	return row
}

// exprList reads a, b, … from the cursor.
func (c *conv) exprList(items node) []sqltree.Expr {
	if !items.ok() {
		return nil
	}
	list := make([]sqltree.Expr, 0, items.len())
	for e := items.first(); e.ok(); e = e.next() {
		if len(list) > 0 {
			c.expectPunct(',')
		}
		x, _ := c.exprFrom(e)
		list = append(list, x)
	}
	return list
}

func (c *conv) selectBody(n node, q *sqltree.Query) *sqltree.Select {
	s := &sqltree.Select{}
	first := c.i
	c.expect("SELECT")
	if distinct := n.get("distinctClause"); distinct.ok() {
		c.expect("DISTINCT")
		s.Distinct = true
		if on := distinct.first(); on.first().ok() {
			c.expect("ON")
			s.DistinctOn = c.exprRow(distinct)
		}
	} else {
		c.accept("ALL")
	}
	s.Items = c.targets(n.get("targetList"))
	if into := n.get("intoClause"); into.ok() {
		c.expect("INTO")
		c.seek(into.get("rel").loc())
		q.Into = c.namePtr()
	}
	if from := n.get("fromClause"); from.ok() {
		c.expect("FROM")
		s.From = c.tables(from)
	}
	s.Where = c.where(n.get("whereClause"))
	if group := n.get("groupClause"); group.ok() {
		c.expect("GROUP", "BY")
		c.acceptAny("ALL", "DISTINCT")
		s.GroupBy = c.exprList(group)
	}
	if having := n.get("havingClause"); having.ok() {
		c.expect("HAVING")
		s.Having, _ = c.exprFrom(having)
	}
	if windows := n.get("windowClause"); windows.ok() {
		c.expect("WINDOW")
		for w := windows.first(); w.ok(); w = w.next() {
			if len(s.Windows) > 0 {
				c.expectPunct(',')
			}
			start := c.i
			name := c.ident()
			c.expect("AS")
			def := c.window(w.as("WindowDef"))
			def.Name = &name
			def.Span = c.span(start, c.i)
			s.Windows = append(s.Windows, *def)
		}
	}
	s.Span = c.span(first, c.i)
	return s
}

// where reads WHERE, if there is one.
func (c *conv) where(n node) sqltree.Expr {
	if !n.ok() {
		return nil
	}
	c.expect("WHERE")
	e, _ := c.exprFrom(n)
	return e
}

// targets reads a select list or that of RETURNING.
func (c *conv) targets(list node) []sqltree.SelectItem {
	if !list.ok() {
		return nil
	}
	items := make([]sqltree.SelectItem, 0, list.len())
	for t := list.first(); t.ok(); t = t.next() {
		if len(items) > 0 {
			c.expectPunct(',')
		}
		target := t.as("ResTarget")
		var item sqltree.SelectItem
		var first int
		item.Expr, first = c.exprFrom(target.get("val"))
		if target.get("name").ok() {
			c.accept("AS")
			item.Alias = c.identPtr()
		}
		item.Span = c.span(first, c.i)
		items = append(items, item)
	}
	return items
}

func (c *conv) returning(list node) []sqltree.SelectItem {
	if !list.ok() {
		return nil
	}
	c.expect("RETURNING")
	return c.targets(list)
}

func (c *conv) orderBy(list node) []sqltree.OrderItem {
	var items []sqltree.OrderItem
	for s := list.first(); s.ok(); s = s.next() {
		if len(items) > 0 {
			c.expectPunct(',')
		}
		by := s.as("SortBy")
		var item sqltree.OrderItem
		var first int
		item.Expr, first = c.exprFrom(by.get("node"))
		switch {
		case c.accept("DESC"):
			item.Desc = true
		case c.accept("ASC"):
		case c.accept("USING"):
			c.operator()
		}
		if c.accept("NULLS") {
			c.i++
		}
		item.Span = c.span(first, c.i)
		items = append(items, item)
	}
	return items
}

// operator passes over an operator, also OPERATOR(s.+).
func (c *conv) operator() {
	if c.accept("OPERATOR") {
		if !c.punct(c.i, '(') {
			c.fail("(")
		}
		c.i = c.match(c.i) + 1
		return
	}
	if c.i >= c.end || c.toks[c.i].kind != opToken {
		c.fail("an operator")
	}
	c.i++
}

// window reads what follows OVER, or AS in a WINDOW clause.
func (c *conv) window(n node) *sqltree.WindowDef {
	w := &sqltree.WindowDef{}
	first := c.i
	if !c.punct(c.i, '(') {
		w.Base = c.identPtr()
		w.Span = c.span(first, c.i)
		return w
	}
	end := c.match(c.i)
	c.i++
	if n.get("refname").ok() {
		w.Base = c.identPtr()
	}
	if p := n.get("partitionClause"); p.ok() {
		c.expect("PARTITION", "BY")
		w.Partition = c.exprList(p)
	}
	if o := n.get("orderClause"); o.ok() {
		c.expect("ORDER", "BY")
		w.OrderBy = c.orderBy(o)
	}
	for _, bound := range []string{"startOffset", "endOffset"} {
		if b := n.get(bound); b.ok() {
			e, _ := c.expr(b)
			w.Frame = append(w.Frame, e)
		}
	}
	c.i = end + 1
	w.Span = c.span(first, c.i)
	return w
}

func (c *conv) with(n node) *sqltree.With {
	w := &sqltree.With{Recursive: n.get("recursive").bool()}
	first := c.i
	c.expect("WITH")
	if w.Recursive { // else it may be a name
		c.expect("RECURSIVE")
	}
	for e := n.get("ctes").first(); e.ok(); e = e.next() {
		if len(w.CTEs) > 0 {
			c.expectPunct(',')
		}
		w.CTEs = append(w.CTEs, c.cte(e.as("CommonTableExpr")))
	}
	w.Span = c.span(first, c.i)
	return w
}

func (c *conv) cte(n node) *sqltree.CTE {
	first := c.i
	cte := &sqltree.CTE{Name: c.ident()}
	if c.punct(c.i, '(') {
		cte.Columns = c.identList()
	}
	c.expect("AS")
	c.accept("NOT")
	c.accept("MATERIALIZED")
	open := c.i
	c.expectPunct('(')
	cte.Body = c.statement(n.get("ctequery"))
	if c.i != c.match(open) {
		c.fail(")")
	}
	c.i++
	if c.accept("SEARCH") {
		for !c.accept("SET") {
			c.i++
		}
		cte.Added = append(cte.Added, c.ident())
	}
	if cycle := n.get("cycle_clause"); cycle.ok() {
		c.expect("CYCLE")
		for !c.accept("SET") {
			c.i++
		}
		cte.Added = append(cte.Added, c.ident())
		for !c.accept("USING") {
			c.i++
		}
		cte.Added = append(cte.Added, c.ident())
	}
	cte.Span = c.span(first, c.i)
	return cte
}

// tables reads a comma list of FROM or USING.
func (c *conv) tables(list node) []sqltree.TableExpr {
	var out []sqltree.TableExpr
	for e := list.first(); e.ok(); e = e.next() {
		if len(out) > 0 {
			c.expectPunct(',')
		}
		t, _ := c.table(e)
		out = append(out, t)
	}
	return out
}

// table converts an entry of FROM. It returns the first token too.
func (c *conv) table(n node) (sqltree.TableExpr, int) {
	tag, n := n.tag()
	switch tag {
	case "RangeVar":
		return c.tableRef(n)
	case "RangeSubselect":
		return c.derived(n)
	case "RangeFunction":
		return c.rangeFunction(n)
	case "RangeTableFunc", "JsonTable":
		return c.tableFunction(tag, n)
	case "JoinExpr":
		return c.join(n)
	case "RangeTableSample":
		t, first := c.table(n.get("relation"))
		c.expect("TABLESAMPLE")
		c.name()
		c.i = c.match(c.i) + 1
		if c.accept("REPEATABLE") {
			c.i = c.match(c.i) + 1
		}
		if ref, ok := t.(*sqltree.TableRef); ok {
			ref.Span = c.span(first, c.i)
		}
		return t, first
	}
	c.unsupported("an entry of FROM", tag)
	return nil, 0
}

// tableRef reads [ONLY] name [*] [[AS] alias], the target of a statement too.
func (c *conv) tableRef(n node) (*sqltree.TableRef, int) {
	c.skipOpen()
	first := c.i
	t := &sqltree.TableRef{Only: c.accept("ONLY")}
	paren := t.Only && c.acceptPunct('(')
	t.Name = c.name()
	if c.op(c.i, "*") {
		c.i++
	}
	if paren {
		c.expectPunct(')')
	}
	t.Alias = c.alias(n.get("alias"))
	t.Span = c.span(first, c.i)
	return t, first
}

// relation reads the name of a relation, and what may stand around it: ONLY (t)
// and t *.
func (c *conv) relation(n node) sqltree.Name {
	c.seek(n.loc())
	paren := c.punct(c.i-1, '(') && c.is(c.i-2, "ONLY")
	name := c.name()
	if c.op(c.i, "*") {
		c.i++
	}
	if paren {
		c.expectPunct(')')
	}
	return name
}

// alias reads [AS] name [(a, b)] if the tree has it.
func (c *conv) alias(n node) sqltree.Alias {
	if !n.ok() {
		return sqltree.Alias{}
	}
	c.accept("AS")
	a := sqltree.Alias{Name: c.identPtr()}
	if n.get("colnames").ok() {
		a.Columns = c.identList()
	}
	return a
}

// lateral passes over opening parentheses and LATERAL.
func (c *conv) lateral(n node) (is bool, first int) {
	if !n.get("lateral").bool() {
		return false, c.i
	}
	c.skipOpen()
	first = c.i
	c.expect("LATERAL")
	return true, first
}

func (c *conv) derived(n node) (*sqltree.Derived, int) {
	d := &sqltree.Derived{}
	var first int
	d.Lateral, first = c.lateral(n)
	lo := c.i
	// The query takes all parentheses around it; the outermost are the subquery's.
	q, open := c.query(n.get("subquery").as("SelectStmt"))
	if !c.punct(open, '(') || open < lo {
		c.fail("(")
	}
	q.Span = c.span(open+1, c.i-1)
	d.Query = q
	if !d.Lateral {
		first = open
	}
	d.Alias = c.alias(n.get("alias"))
	d.Span = c.span(first, c.i)
	return d, first
}

func (c *conv) rangeFunction(n node) (*sqltree.TableFunc, int) {
	f := &sqltree.TableFunc{}
	var first int
	f.Lateral, first = c.lateral(n)
	if !f.Lateral {
		c.skipOpen()
		first = c.i
	}
	rowsFrom := n.get("is_rowsfrom").bool()
	if rowsFrom {
		c.expect("ROWS", "FROM")
		c.expectPunct('(')
	}
	defined := false
	for e := n.get("functions").first(); e.ok(); e = e.next() {
		if len(f.Calls) > 0 {
			c.expectPunct(',')
		}
		pair := e.as("List").get("items")
		call, _ := c.exprFrom(pair.first())
		f.Calls = append(f.Calls, call)
		if defs := pair.first().next().as("List").get("items"); defs.ok() {
			c.expect("AS")
			f.Defined = append(f.Defined, c.columnDefinitions()...)
			defined = true
		}
	}
	if rowsFrom {
		c.expectPunct(')')
	}
	if f.Ordinality = n.get("ordinality").bool(); f.Ordinality {
		c.expect("WITH", "ORDINALITY")
	}
	if defined && len(f.Calls) > 1 {
		// Only some of the columns are defined, and which stand between others:
		// the list would not be the function's columns.
		f.Defined = nil
	}
	switch defs := n.get("coldeflist"); {
	case defs.ok():
		c.accept("AS")
		if n.get("alias").ok() {
			f.Alias.Name = c.identPtr()
		}
		f.Defined = c.columnDefinitions()
	default:
		f.Alias = c.alias(n.get("alias"))
	}
	f.Span = c.span(first, c.i)
	return f, first
}

// columnDefinitions reads (a int, b text) for its names.
func (c *conv) columnDefinitions() []sqltree.Ident {
	end := c.match(c.i)
	var ids []sqltree.Ident
	for _, r := range c.elements(c.i+1, end) {
		ids = append(ids, c.identAt(r[0]))
	}
	c.i = end + 1
	return ids
}

// tableFunction reads XMLTABLE and JSON_TABLE.
func (c *conv) tableFunction(tag string, n node) (*sqltree.TableFunc, int) {
	f := &sqltree.TableFunc{}
	var first int
	f.Lateral, first = c.lateral(n)
	c.seek(n.loc())
	if !f.Lateral {
		first = c.i
	}
	call := &sqltree.Func{Name: c.name()}
	start := c.i - 1
	end := c.match(c.i)
	c.i++
	var args []node
	if tag == "JsonTable" {
		args = jsonOperands(args, n.get("context_item"))
		args = listOperands(args, n.get("passing"))
		args = jsonTableColumns(args, n.get("columns"))
	} else {
		args = listOperands(args, n.get("namespaces"))
		args = append(args, n.get("rowexpr"), n.get("docexpr"))
		for e := n.get("columns").first(); e.ok(); e = e.next() {
			for _, field := range []string{"colexpr", "coldefexpr"} {
				if x := e.as("RangeTableFuncCol").get(field); x.ok() {
					args = append(args, x)
				}
			}
		}
	}
	call.Args = c.operands(args)
	f.Defined = c.tableColumns(nil, n.get("columns"))
	c.i = end + 1
	call.Span = c.span(start, c.i)
	f.Calls = []sqltree.Expr{call}
	f.Alias = c.alias(n.get("alias"))
	f.Span = c.span(first, c.i)
	return f, first
}

// tableColumns lists the columns of XMLTABLE and JSON_TABLE; those of NESTED
// PATH stand in the place of it.
func (c *conv) tableColumns(ids []sqltree.Ident, list node) []sqltree.Ident {
	for e := list.first(); e.ok(); e = e.next() {
		_, col := e.tag()
		if col.get("coltype").is("JTC_NESTED") {
			ids = c.tableColumns(ids, col.get("columns"))
			continue
		}
		ids = append(ids, c.identAt(c.index(col.loc())))
	}
	return ids
}

func jsonTableColumns(args []node, list node) []node {
	for e := list.first(); e.ok(); e = e.next() {
		col := e.as("JsonTableColumn")
		for _, on := range []string{"on_empty", "on_error"} {
			if x := col.get(on).get("expr"); x.ok() {
				args = append(args, x)
			}
		}
		args = jsonTableColumns(args, col.get("columns"))
	}
	return args
}

func (c *conv) join(n node) (*sqltree.Join, int) {
	lo := c.i
	j := &sqltree.Join{Kind: sqltree.InnerJoin}
	var first int
	j.Left, first = c.table(n.get("larg"))
	j.Natural = c.accept("NATURAL")
	switch {
	case c.accept("CROSS"):
		j.Kind = sqltree.CrossJoin
	case c.accept("LEFT"):
		j.Kind = sqltree.LeftJoin
	case c.accept("RIGHT"):
		j.Kind = sqltree.RightJoin
	case c.accept("FULL"):
		j.Kind = sqltree.FullJoin
	default:
		c.accept("INNER")
	}
	c.accept("OUTER")
	c.expect("JOIN")
	j.Right, _ = c.table(n.get("rarg"))
	switch quals := n.get("quals"); {
	case quals.ok():
		c.expect("ON")
		j.On, _ = c.exprFrom(quals)
	case n.get("usingClause").ok():
		c.expect("USING")
		j.Using = c.identList()
		if n.get("join_using_alias").ok() {
			c.expect("AS")
			j.UsingAlias = c.identPtr()
		}
	}
	for c.punct(c.i, ')') && c.match(c.i) == first-1 && first-1 >= lo {
		first--
		c.i++
	}
	j.Alias = c.alias(n.get("alias"))
	j.Span = c.span(first, c.i)
	return j, first
}
