package postgres

import (
	"sort"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// expr converts an expression that begins somewhere behind the cursor: keywords
// and the like before it are passed over. It returns the first token too, that
// of the parentheses around the expression.
func (c *conv) expr(n node) (sqltree.Expr, int) {
	at := c.index(c.start(n))
	for at-1 >= c.i && c.punct(at-1, '(') {
		at--
	}
	c.i = at
	return c.exprFrom(n)
}

// exprFrom converts an expression at the cursor. The tree drops redundant
// parentheses: those that enclose the expression directly are passed over, as
// far back as the cursor was. They count to the expression's extent, which is
// from the first token returned to the cursor, and not to the span of the
// expression itself.
func (c *conv) exprFrom(n node) (sqltree.Expr, int) {
	lo := c.i
	e, first := c.bare(n)
	for c.punct(c.i, ')') && c.match(c.i) == first-1 && first-1 >= lo {
		first--
		c.i++
	}
	return e, first
}

// start returns the location of an expression's first token.
func (c *conv) start(n node) int {
	tag, n := n.tag()
	switch tag {
	case "A_Expr":
		if l := n.get("lexpr"); l.ok() {
			return c.start(l)
		}
	case "BoolExpr":
		if n.get("boolop").is("NOT_EXPR") {
			return min(n.loc(), c.start(n.get("args").first()))
		}
		return c.start(n.get("args").first())
	case "NullTest", "BooleanTest", "CollateClause", "A_Indirection":
		return c.start(n.get("arg"))
	case "JsonIsPredicate":
		return c.start(n.get("expr"))
	case "TypeCast":
		l := c.start(n.get("arg"))
		for _, x := range []int{n.loc(), n.get("typeName").loc()} {
			if x >= 0 {
				l = min(l, x)
			}
		}
		return l
	case "SubLink":
		if l := n.get("testexpr"); l.ok() {
			return c.start(l)
		}
	case "FuncCall":
		l := n.loc()
		if n.get("funcformat").is("COERCE_SQL_SYNTAX") {
			for a := n.get("args").first(); a.ok(); a = a.next() {
				if x := c.start(a); x >= 0 {
					l = min(l, x)
				}
			}
		}
		return l
	case "XmlExpr":
		if n.get("op").is("IS_DOCUMENT") {
			return c.start(n.get("args").first())
		}
	case "JsonObjectAgg", "JsonArrayAgg":
		return n.get("constructor").loc()
	case "JsonValueExpr":
		return c.start(n.get("raw_expr"))
	}
	return n.loc()
}

// bare converts an expression without the parentheses around it.
func (c *conv) bare(n node) (sqltree.Expr, int) {
	tag, n := n.tag()
	switch tag {
	case "ColumnRef":
		return c.column(n)
	case "A_Const":
		return c.constant(n)
	case "ParamRef":
		first := c.leaf(n)
		c.i++
		return &sqltree.Param{Span: c.span(first, c.i), Name: c.tokenText(first)[1:]}, first
	case "A_Expr":
		return c.operation(n)
	case "BoolExpr":
		return c.boolean(n)
	case "FuncCall":
		return c.call(n)
	case "TypeCast":
		return c.cast(n)
	case "SubLink":
		return c.subLink(n)
	case "A_Indirection":
		return c.indirection(n)
	case "CaseExpr":
		return c.caseExpr(n)
	case "NullTest", "BooleanTest":
		arg, first := c.exprFrom(n.get("arg"))
		op := c.i
		if !c.acceptAny("ISNULL", "NOTNULL") {
			c.expect("IS")
			c.accept("NOT")
			c.i++
		}
		name := c.upper(op, c.i)
		switch name {
		case "ISNULL":
			name = "IS NULL"
		case "NOTNULL":
			name = "IS NOT NULL"
		}
		return c.makeOp(name, first, arg), first
	case "CollateClause":
		arg, first := c.exprFrom(n.get("arg"))
		c.expect("COLLATE")
		c.name()
		return c.makeOp("COLLATE", first, arg), first
	case "RowExpr":
		first := c.leaf(n)
		c.accept("ROW")
		args := c.exprRow(n.get("args"))
		return c.makeOp("ROW", first, args...), first
	case "A_ArrayExpr":
		first := c.leaf(n)
		c.accept("ARRAY")
		c.expectPunct('[')
		args := c.exprList(n.get("elements"))
		c.expectPunct(']')
		return c.makeOp("ARRAY", first, args...), first
	case "CoalesceExpr", "MinMaxExpr", "GroupingFunc":
		first := c.leaf(n)
		f := &sqltree.Func{Name: c.name()}
		f.Args = c.exprRow(n.get("args"))
		f.Span = c.span(first, c.i)
		return f, first
	case "GroupingSet":
		return c.groupingSet(n)
	case "SQLValueFunction":
		first := c.leaf(n)
		c.i++
		if c.punct(c.i, '(') {
			c.i = c.match(c.i) + 1
		}
		return &sqltree.Literal{Span: c.span(first, c.i), Kind: sqltree.OtherLiteral, Value: c.upper(first, first+1)}, first
	case "SetToDefault":
		first := c.leaf(n)
		c.i++
		return &sqltree.Literal{Span: c.span(first, c.i), Kind: sqltree.OtherLiteral, Value: "DEFAULT"}, first
	case "MergeSupportFunc":
		first := c.leaf(n)
		f := &sqltree.Func{Name: c.name()}
		c.expectPunct('(')
		c.expectPunct(')')
		f.Span = c.span(first, c.i)
		return f, first
	case "CurrentOfExpr":
		c.skipOpen()
		first := c.i
		c.expect("CURRENT", "OF")
		c.i++
		return c.makeOp("CURRENT OF", first), first
	case "XmlExpr":
		if n.get("op").is("IS_DOCUMENT") {
			return c.postfix(n.get("args").first(), "DOCUMENT")
		}
		return c.special(n, listOperands(listOperands(nil, n.get("named_args")), n.get("args")))
	case "XmlSerialize", "JsonScalarExpr":
		return c.special(n, []node{n.get("expr")})
	case "JsonParseExpr", "JsonSerializeExpr":
		return c.special(n, jsonOperands(nil, n.get("expr")))
	case "JsonObjectConstructor", "JsonArrayConstructor":
		return c.special(n, listOperands(nil, n.get("exprs")))
	case "JsonFuncExpr":
		args := jsonOperands(nil, n.get("context_item"))
		args = append(args, n.get("pathspec"))
		args = listOperands(args, n.get("passing"))
		for _, on := range []string{"on_empty", "on_error"} {
			if x := n.get(on).get("expr"); x.ok() {
				args = append(args, x)
			}
		}
		return c.special(n, args)
	case "JsonArrayQueryConstructor":
		return c.jsonArrayQuery(n)
	case "JsonObjectAgg", "JsonArrayAgg":
		return c.jsonAggregate(tag, n)
	case "JsonIsPredicate":
		return c.postfix(n.get("expr"), "JSON", "VALUE", "ARRAY", "OBJECT", "SCALAR", "WITH", "WITHOUT", "UNIQUE", "KEYS")
	case "JsonValueExpr":
		e, first := c.bare(n.get("raw_expr"))
		c.format()
		return e, first
	}
	c.unsupported("an expression", tag)
	return nil, 0
}

// leaf moves the cursor to a node's first token, over parentheses only.
func (c *conv) leaf(n node) int {
	at := c.index(n.loc())
	c.skipOpen()
	if c.i > at {
		c.i = at // a row in parentheses begins with one of its own
	}
	if c.i != at {
		c.fail(c.tokenText(at))
	}
	return at
}

func (c *conv) makeOp(name string, first int, args ...sqltree.Expr) *sqltree.Op {
	return &sqltree.Op{Span: c.span(first, c.i), Name: name, Args: args}
}

func (c *conv) column(n node) (sqltree.Expr, int) {
	first := c.leaf(n)
	var parts []sqltree.Ident
	star := false
	for f := n.get("fields").first(); f.ok(); f = f.next() {
		if c.i > first {
			c.expectPunct('.')
		}
		if tag, _ := f.tag(); tag == "A_Star" {
			star = true
			c.i++
			continue
		}
		parts = append(parts, c.ident())
	}
	if star {
		return &sqltree.Star{Span: c.span(first, c.i), Qualifier: parts}, first
	}
	return &sqltree.Column{Span: c.span(first, c.i), Parts: parts}, first
}

// constant converts a literal. A minus sign before a number belongs to it, and
// parentheses may stand between them.
func (c *conv) constant(n node) (sqltree.Expr, int) {
	first := c.leaf(n)
	l := &sqltree.Literal{}
	if c.op(c.i, "-") && !n.get("ival").ok() && !n.get("fval").ok() {
		// The grammar gives any constant behind a minus sign the sign's place.
		c.i++
		c.skipOpen()
		first = c.i
	}
	switch {
	case n.get("sval").ok():
		l.Kind, l.Value = sqltree.StringLiteral, n.get("sval").get("sval").str()
	case n.get("bsval").ok():
		l.Kind, l.Value = sqltree.OtherLiteral, n.get("bsval").get("bsval").str()
	case n.get("boolval").ok():
		l.Kind, l.Value = sqltree.BoolLiteral, strings.ToLower(c.tokenText(c.i))
	case n.get("isnull").ok():
		l.Kind, l.Value = sqltree.NullLiteral, strings.ToLower(c.tokenText(c.i))
	default:
		l.Kind = sqltree.NumberLiteral
		open := 0
		for c.i < c.end && c.toks[c.i].kind != numberToken {
			if c.op(c.i, "-") {
				l.Value += "-"
			} else if c.punct(c.i, '(') {
				open++
			}
			c.i++
		}
		l.Value = strings.ReplaceAll(l.Value, "--", "") + c.tokenText(c.i)
		c.i += open
	}
	c.i++
	l.Span = c.span(first, c.i)
	return l, first
}

// operatorName is the last part of an operator's name.
func operatorName(n node) string { return n.get("name").last().as("String").get("sval").str() }

func (c *conv) operation(n node) (sqltree.Expr, int) {
	left, right := n.get("lexpr"), n.get("rexpr")
	name := operatorName(n)
	kind := n.get("kind")
	switch {
	case kind.is("AEXPR_NULLIF"):
		first := c.leaf(n)
		f := &sqltree.Func{Name: c.name()}
		c.expectPunct('(')
		a, _ := c.exprFrom(left)
		c.expectPunct(',')
		b, _ := c.exprFrom(right)
		c.expectPunct(')')
		f.Args = []sqltree.Expr{a, b}
		f.Span = c.span(first, c.i)
		return f, first
	case !left.ok():
		first := c.leaf(n)
		c.operator()
		arg, _ := c.exprFrom(right)
		return c.makeOp(name, first, arg), first
	}
	l, first := c.exprFrom(left)
	op := c.i
	switch {
	case kind.is("AEXPR_OP"):
		c.operator()
		r, _ := c.exprFrom(right)
		return c.makeOp(name, first, l, r), first
	case kind.is("AEXPR_OP_ANY"), kind.is("AEXPR_OP_ALL"):
		c.comparison()
		word := c.upper(c.i, c.i+1)
		c.i++
		c.expectPunct('(')
		r, _ := c.exprFrom(right)
		c.expectPunct(')')
		return c.makeOp(name+" "+word, first, l, r), first
	case kind.is("AEXPR_DISTINCT"), kind.is("AEXPR_NOT_DISTINCT"):
		c.expect("IS")
		c.accept("NOT")
		c.expect("DISTINCT", "FROM")
		name = c.upper(op, c.i)
		r, _ := c.exprFrom(right)
		return c.makeOp(name, first, l, r), first
	case kind.is("AEXPR_IN"):
		c.accept("NOT")
		c.expect("IN")
		name = c.upper(op, c.i)
		args := append([]sqltree.Expr{l}, c.exprRow(right.as("List").get("items"))...)
		return c.makeOp(name, first, args...), first
	case kind.is("AEXPR_LIKE"), kind.is("AEXPR_ILIKE"), kind.is("AEXPR_SIMILAR"):
		c.accept("NOT")
		if !c.acceptAny("LIKE", "ILIKE") {
			c.expect("SIMILAR", "TO")
		}
		name = c.upper(op, c.i)
		// With ESCAPE, and always for SIMILAR TO, the pattern is inside a call.
		args := []sqltree.Expr{l}
		pattern := right
		if f := right.as("FuncCall"); f.ok() && f.get("funcformat").is("COERCE_EXPLICIT_CALL") && f.loc() == n.loc() {
			pattern = f.get("args").first()
		}
		r, _ := c.exprFrom(pattern)
		args = append(args, r)
		if pattern != right && c.accept("ESCAPE") {
			r, _ := c.exprFrom(pattern.next())
			args = append(args, r)
		}
		return c.makeOp(name, first, args...), first
	}
	// BETWEEN in its four forms.
	c.accept("NOT")
	c.expect("BETWEEN")
	name = c.upper(op, c.i)
	c.acceptAny("SYMMETRIC", "ASYMMETRIC")
	bounds := right.as("List").get("items")
	from, _ := c.exprFrom(bounds.first())
	c.expect("AND")
	to, _ := c.exprFrom(bounds.first().next())
	return c.makeOp(name, first, l, from, to), first
}

// comparison passes over the operator before ANY, SOME and ALL.
func (c *conv) comparison() {
	if c.is(c.i, "OPERATOR") || !c.isIdent(c.i) {
		c.operator()
		return
	}
	c.accept("NOT")
	c.acceptAny("LIKE", "ILIKE")
}

func (c *conv) boolean(n node) (sqltree.Expr, int) {
	args := n.get("args")
	if n.get("boolop").is("NOT_EXPR") {
		arg := args.first()
		at := c.index(n.loc())
		if c.is(at, "NOT") && !c.is(at+1, "IN") {
			first := c.leaf(n)
			c.i++
			e, _ := c.exprFrom(arg)
			return c.makeOp("NOT", first, e), first
		}
		// x NOT IN (SELECT …), x IS NOT JSON: the words stand inside.
		return c.bare(arg)
	}
	word := "AND"
	if n.get("boolop").is("OR_EXPR") {
		word = "OR"
	}
	list := make([]sqltree.Expr, 0, args.len())
	var first int
	lo := c.i
	for a := args.first(); a.ok(); a = a.next() {
		if len(list) == 0 {
			var e sqltree.Expr
			e, first = c.exprFrom(a)
			list = append(list, e)
			continue
		}
		// ((a AND b) AND c) is one flat list.
		for c.punct(c.i, ')') && c.match(c.i) == first-1 && first-1 >= lo {
			first--
			c.i++
		}
		c.expect(word)
		e, _ := c.exprFrom(a)
		list = append(list, e)
	}
	return c.makeOp(word, first, list...), first
}

// postfix converts x IS [NOT] word …, with what may follow the word.
func (c *conv) postfix(arg node, word string, rest ...string) (sqltree.Expr, int) {
	e, first := c.exprFrom(arg)
	c.format()
	op := c.i
	c.expect("IS")
	c.accept("NOT")
	c.expect(word)
	name := c.upper(op, c.i)
	for c.acceptAny(rest...) {
	}
	return c.makeOp(name, first, e), first
}

// format passes over FORMAT JSON [ENCODING x] behind a JSON value.
func (c *conv) format() {
	if c.accept("FORMAT", "JSON") && c.accept("ENCODING") {
		c.i++
	}
}

func (c *conv) cast(n node) (sqltree.Expr, int) {
	typ := n.get("typeName")
	if n.loc() < 0 && typ.loc() < 0 {
		// The grammar's own, as in substring(a FOR 3).
		return c.exprFrom(n.get("arg"))
	}
	if n.loc() < 0 {
		// A literal with its type before it: DATE '2020-01-01'.
		first := c.index(typ.loc())
		c.skipOpen()
		c.i = first
		kind := sqltree.OtherLiteral
		if c.toks[c.i].kind == stringToken {
			kind = sqltree.StringLiteral // N'…'
		} else {
			c.typeTokens(true)
		}
		if c.i < c.end && c.toks[c.i].kind == paramToken {
			c.refuse()
		}
		if c.i >= c.end || c.toks[c.i].kind != stringToken {
			c.fail("a string")
		}
		c.i++
		c.intervalFields()
		value := n.get("arg").as("A_Const").get("sval").get("sval").str()
		return &sqltree.Literal{Span: c.span(first, c.i), Kind: kind, Value: value}, first
	}
	x := &sqltree.Cast{}
	at := c.index(n.loc())
	if c.is(at, "CAST") {
		first := c.leaf(n)
		c.i++
		c.expectPunct('(')
		x.Arg, _ = c.exprFrom(n.get("arg"))
		c.expect("AS")
		x.Type = c.typeName(typ)
		c.expectPunct(')')
		x.Span = c.span(first, c.i)
		return x, first
	}
	var first int
	x.Arg, first = c.exprFrom(n.get("arg"))
	if !c.op(c.i, "::") {
		c.fail("::")
	}
	c.i++
	x.Type = c.typeName(typ)
	x.Span = c.span(first, c.i)
	return x, first
}

// typeName reads a type at the cursor.
func (c *conv) typeName(n node) sqltree.TypeName {
	c.accept("SETOF")
	if n.loc() >= 0 {
		c.seek(n.loc())
	}
	return c.typeTokens(false)
}

// typeTokens reads a type. The names of several words that the grammar builds in
// are one identifier, its words with one space between them and in the order of
// the text: timestamp(3) with time zone is "timestamp with time zone". A literal
// prefix is a type whose string follows before the fields of INTERVAL.
func (c *conv) typeTokens(prefix bool) sqltree.TypeName {
	var t sqltree.TypeName
	first := c.i
	t.Name = c.name()
	single := len(t.Name.Parts) == 1 && !t.Name.Parts[0].Quoted
	more := func(words ...string) bool {
		if !single || !c.words(c.i, words...) {
			return false
		}
		p := &t.Name.Parts[0]
		p.Name += " " + strings.Join(c.originals(c.i, c.i+len(words)), " ")
		c.i += len(words)
		p.Span = c.span(first, c.i)
		t.Name.Span = p.Span
		return true
	}
	word := ""
	if single {
		word = strings.ToUpper(t.Name.Parts[0].Name)
	}
	switch word {
	case "DOUBLE":
		more("PRECISION")
	case "NATIONAL":
		if more("CHARACTER") || more("CHAR") {
			more("VARYING")
		}
	case "CHARACTER", "CHAR", "NCHAR", "BIT":
		more("VARYING")
	}
	if c.op(c.i, "%") && c.is(c.i+1, "TYPE") {
		c.i += 2
	}
	if c.punct(c.i, '(') {
		t.Args = c.typeArgs()
	}
	switch word {
	case "TIMESTAMP", "TIME":
		if !more("WITH", "TIME", "ZONE") {
			more("WITHOUT", "TIME", "ZONE")
		}
	case "INTERVAL":
		if from := c.i; !prefix {
			c.intervalFields()
			if c.i > from {
				p := &t.Name.Parts[0]
				p.Name += " " + strings.Join(c.originals(from, c.i), " ")
				p.Span = c.span(first, c.i)
				t.Name.Span = p.Span
			}
		}
	}
	for !prefix && (c.punct(c.i, '[') || c.is(c.i, "ARRAY")) {
		c.accept("ARRAY")
		if c.punct(c.i, '[') {
			c.i = c.match(c.i) + 1
		}
		t.Array++
	}
	t.Span = c.span(first, c.i)
	return t
}

// originals returns the words of tokens a to b as spelled.
func (c *conv) originals(a, b int) []string {
	var out []string
	for i := a; i < b; i++ {
		out = append(out, c.tokenText(i))
	}
	return out
}

// typeArgs reads (10, 2).
func (c *conv) typeArgs() []string {
	end := c.match(c.i)
	var args []string
	for _, r := range c.elements(c.i+1, end) {
		if r[0] < r[1] {
			s := c.span(r[0], r[1])
			args = append(args, c.text[s.Start:s.End])
		}
	}
	c.i = end + 1
	return args
}

// intervalFields passes over DAY TO SECOND(3).
func (c *conv) intervalFields() {
	fields := []string{"YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"}
	if !c.acceptAny(fields...) {
		return
	}
	if c.accept("TO") {
		c.acceptAny(fields...)
	}
	if c.punct(c.i, '(') {
		c.i = c.match(c.i) + 1
	}
}

func (c *conv) subLink(n node) (sqltree.Expr, int) {
	s := &sqltree.Subquery{Kind: sqltree.ScalarSubquery}
	query := n.get("subselect").as("SelectStmt")
	var first int
	switch kind := n.get("subLinkType"); {
	case kind.is("ANY_SUBLINK"), kind.is("ALL_SUBLINK"):
		s.Kind = sqltree.InSubquery
		s.Left, first = c.exprFrom(n.get("testexpr"))
		if c.accept("NOT", "IN") || c.accept("IN") {
			break
		}
		c.comparison()
		if !c.acceptAny("ANY", "SOME") {
			c.expect("ALL")
		}
	case kind.is("EXISTS_SUBLINK"):
		s.Kind = sqltree.ExistsSubquery
		first = c.leaf(n)
		c.expect("EXISTS")
	case kind.is("ARRAY_SUBLINK"):
		s.Kind = sqltree.ArraySubquery
		first = c.leaf(n)
		c.expect("ARRAY")
	default:
		first = c.leaf(n)
	}
	s.Query = c.subquery(query)
	s.Span = c.span(first, c.i)
	return s, first
}

// indirection converts subscripts, slices and fields behind a value.
func (c *conv) indirection(n node) (sqltree.Expr, int) {
	e, first := c.exprFrom(n.get("arg"))
	for s := n.get("indirection").first(); s.ok(); s = s.next() {
		tag, sub := s.tag()
		switch tag {
		case "A_Indices":
			end := c.match(c.i)
			c.i++
			name := "[]"
			if sub.get("is_slice").bool() {
				name = "[:]"
			}
			args := []sqltree.Expr{e}
			for _, bound := range []string{"lidx", "uidx"} {
				if b := sub.get(bound); b.ok() {
					x, _ := c.expr(b)
					args = append(args, x)
				}
			}
			c.i = end + 1
			e = c.makeOp(name, first, args...)
		case "A_Star":
			c.expectPunct('.')
			c.i++
			e = c.makeOp(".*", first, e)
		default:
			c.expectPunct('.')
			id := c.ident()
			field := &sqltree.Literal{Span: id.Span, Kind: sqltree.OtherLiteral, Value: id.Name}
			e = c.makeOp(".", first, e, field)
		}
	}
	return e, first
}

func (c *conv) caseExpr(n node) (sqltree.Expr, int) {
	first := c.leaf(n)
	c.expect("CASE")
	var args []sqltree.Expr
	add := func(n node) {
		e, _ := c.exprFrom(n)
		args = append(args, e)
	}
	if arg := n.get("arg"); arg.ok() {
		add(arg)
	}
	for w := n.get("args").first(); w.ok(); w = w.next() {
		when := w.as("CaseWhen")
		c.expect("WHEN")
		add(when.get("expr"))
		c.expect("THEN")
		add(when.get("result"))
	}
	if def := n.get("defresult"); def.ok() {
		c.expect("ELSE")
		add(def)
	}
	c.expect("END")
	return c.makeOp("CASE", first, args...), first
}

func (c *conv) groupingSet(n node) (sqltree.Expr, int) {
	first := c.leaf(n)
	name := "ROW" // the empty grouping set
	switch {
	case c.accept("ROLLUP"):
		name = "ROLLUP"
	case c.accept("CUBE"):
		name = "CUBE"
	case c.accept("GROUPING", "SETS"):
		name = "GROUPING SETS"
	}
	args := c.exprRow(n.get("content"))
	return c.makeOp(name, first, args...), first
}

func (c *conv) call(n node) (sqltree.Expr, int) {
	if n.get("funcformat").is("COERCE_SQL_SYNTAX") {
		return c.syntaxCall(n)
	}
	first := c.leaf(n)
	args := n.get("args")
	if c.is(c.i, "TREAT") && n.get("funcname").last().as("String").get("sval").str() != "treat" {
		c.i++
		c.expectPunct('(')
		x := &sqltree.Cast{}
		x.Arg, _ = c.exprFrom(args.first())
		c.expect("AS")
		x.Type = c.typeTokens(false)
		c.expectPunct(')')
		x.Span = c.span(first, c.i)
		return x, first
	}
	f := &sqltree.Func{Name: c.name()}
	end := c.match(c.i)
	c.expectPunct('(')
	if f.Star = n.get("agg_star").bool(); f.Star {
		c.i++
	}
	if f.Distinct = n.get("agg_distinct").bool(); f.Distinct {
		c.expect("DISTINCT")
	} else {
		c.accept("ALL")
	}
	if args.ok() {
		f.Args = make([]sqltree.Expr, 0, args.len())
	}
	for a := args.first(); a.ok(); a = a.next() {
		if len(f.Args) > 0 {
			c.expectPunct(',')
		}
		c.accept("VARIADIC")
		if named := a.as("NamedArgExpr"); named.ok() {
			if f.ArgNames == nil {
				f.ArgNames = make([]string, args.len())
			}
			f.ArgNames[len(f.Args)] = c.ident().Name
			c.i++ // => or :=
			a2, _ := c.exprFrom(named.get("arg"))
			f.Args = append(f.Args, a2)
			continue
		}
		e, _ := c.exprFrom(a)
		f.Args = append(f.Args, e)
	}
	order := n.get("agg_order")
	within := n.get("agg_within_group").bool()
	if order.ok() && !within {
		c.expect("ORDER", "BY")
		f.OrderBy = c.orderBy(order)
	}
	if c.i != end {
		c.fail(")")
	}
	c.i++
	if within {
		c.expect("WITHIN", "GROUP")
		c.expectPunct('(')
		c.expect("ORDER", "BY")
		f.OrderBy = c.orderBy(order)
		c.expectPunct(')')
	}
	c.filterOver(f, n.get("agg_filter"), n.get("over"))
	f.Aggregate = f.Star || f.Distinct || len(f.OrderBy) > 0 || f.Filter != nil
	f.Span = c.span(first, c.i)
	return f, first
}

func (c *conv) filterOver(f *sqltree.Func, filter, over node) {
	if filter.ok() {
		c.expect("FILTER")
		c.expectPunct('(')
		f.Filter = c.where(filter)
		c.expectPunct(')')
	}
	if over.ok() {
		c.expect("OVER")
		f.Over = c.window(over)
	}
}

// syntaxCall converts what the grammar turns into a call of a function of its
// own: EXTRACT, TRIM, AT TIME ZONE, OVERLAPS, … A call keeps the name of that
// function (btrim for TRIM), with the span of the keyword.
func (c *conv) syntaxCall(n node) (sqltree.Expr, int) {
	at := c.index(n.loc())
	var args []node
	for a := n.get("args").first(); a.ok(); a = a.next() {
		args = append(args, a)
	}
	switch {
	case c.is(at, "AT"):
		e, first := c.exprFrom(args[len(args)-1])
		c.expect("AT")
		if c.accept("LOCAL") {
			return c.makeOp("AT LOCAL", first, e), first
		}
		c.expect("TIME", "ZONE")
		zone, _ := c.exprFrom(args[0])
		return c.makeOp("AT TIME ZONE", first, e, zone), first
	case c.is(at, "IS"):
		return c.normalized(args[0])
	case c.is(at, "OVERLAPS"):
		c.skipOpenTo(c.start(args[0]))
		first := c.i
		list := c.rowOperand(args[:2])
		c.expect("OVERLAPS")
		list = append(list, c.rowOperand(args[2:])...)
		return c.makeOp("OVERLAPS", first, list...), first
	}
	first := c.leaf(n)
	if c.is(at, "SYSTEM_USER") {
		c.i++
		return &sqltree.Literal{Span: c.span(first, c.i), Kind: sqltree.OtherLiteral, Value: "SYSTEM_USER"}, first
	}
	name := n.get("funcname").last().as("String").get("sval").str()
	id := sqltree.Ident{Span: c.span(at, at+1), Name: name}
	c.i++
	if c.is(at, "EXTRACT") && c.i+1 < c.end && c.toks[c.i+1].kind == paramToken {
		c.i++
		c.refuse()
	}
	c.accept("FOR") // COLLATION FOR
	f := &sqltree.Func{Name: sqltree.Name{Span: id.Span, Parts: []sqltree.Ident{id}}}
	end := c.match(c.i)
	c.expectPunct('(')
	f.Args = c.operands(args)
	c.i = end + 1
	f.Span = c.span(first, c.i)
	return f, first
}

// normalized converts x IS [NOT] [NFC] NORMALIZED.
func (c *conv) normalized(arg node) (sqltree.Expr, int) {
	e, first := c.exprFrom(arg)
	c.expect("IS")
	name := "IS NORMALIZED"
	if c.accept("NOT") {
		name = "IS NOT NORMALIZED"
	}
	c.acceptAny("NFC", "NFD", "NFKC", "NFKD")
	c.expect("NORMALIZED")
	return c.makeOp(name, first, e), first
}

// skipOpenTo moves the cursor to the row constructor whose first value is at a
// location: back from there over its parenthesis, and ROW.
func (c *conv) skipOpenTo(loc int) {
	at := c.index(loc)
	for at > c.i && !c.punct(at-1, ',') && (c.punct(at-1, '(') || c.is(at-1, "ROW")) {
		at--
	}
	// Of several parentheses the row's own is the one whose end OVERLAPS follows.
	for c.punct(at, '(') && !c.is(c.match(at)+1, "OVERLAPS") {
		at++
	}
	c.i = at
}

// rowOperand reads (a, b) as OVERLAPS takes it.
func (c *conv) rowOperand(items []node) []sqltree.Expr {
	c.accept("ROW")
	c.expectPunct('(')
	a, _ := c.exprFrom(items[0])
	c.expectPunct(',')
	b, _ := c.exprFrom(items[1])
	c.expectPunct(')')
	return []sqltree.Expr{a, b}
}

// special converts a call with a syntax of its own, whose operands stand in
// parentheses between keywords.
func (c *conv) special(n node, args []node) (sqltree.Expr, int) {
	first := c.leaf(n)
	f := &sqltree.Func{Name: c.name()}
	end := c.match(c.i)
	c.expectPunct('(')
	f.Args = c.operands(args)
	c.i = end + 1
	f.Span = c.span(first, c.i)
	return f, first
}

// operands converts expressions that stand behind the cursor with keywords
// between them, in the order of the text. Those that the grammar made up, which
// have no place, are left out.
func (c *conv) operands(args []node) []sqltree.Expr {
	type placed struct {
		n  node
		at int
	}
	var list []placed
	for _, a := range args {
		if a.ok() {
			if at := c.start(a); at >= 0 {
				list = append(list, placed{a, at})
			}
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].at < list[j].at })
	out := make([]sqltree.Expr, 0, len(list))
	for _, p := range list {
		e, _ := c.expr(p.n)
		out = append(out, e)
	}
	return out
}

// listOperands adds the expressions of a list, out of what wraps them.
func listOperands(args []node, list node) []node {
	for e := list.first(); e.ok(); e = e.next() {
		tag, inner := e.tag()
		switch tag {
		case "ResTarget":
			args = append(args, inner.get("val"))
		case "JsonArgument":
			args = jsonOperands(args, inner.get("val"))
		case "JsonKeyValue":
			args = append(args, inner.get("key"))
			args = jsonOperands(args, inner.get("value"))
		case "JsonValueExpr":
			args = jsonOperands(args, inner)
		default:
			args = append(args, e)
		}
	}
	return args
}

// jsonOperands adds the expression in a JsonValueExpr.
func jsonOperands(args []node, n node) []node { return append(args, n.get("raw_expr")) }

func (c *conv) jsonArrayQuery(n node) (sqltree.Expr, int) {
	first := c.leaf(n)
	f := &sqltree.Func{Name: c.name()}
	end := c.match(c.i)
	c.expectPunct('(')
	q, _ := c.query(n.get("query").as("SelectStmt"))
	f.Args = []sqltree.Expr{&sqltree.Subquery{Span: q.Span, Kind: sqltree.ArraySubquery, Query: q}}
	c.i = end + 1
	f.Span = c.span(first, c.i)
	return f, first
}

func (c *conv) jsonAggregate(tag string, n node) (sqltree.Expr, int) {
	how := n.get("constructor")
	first := c.leaf(how)
	f := &sqltree.Func{Name: c.name(), Aggregate: true}
	end := c.match(c.i)
	c.expectPunct('(')
	args := []node{}
	if tag == "JsonObjectAgg" {
		args = append(args, n.get("arg").get("key"))
		args = jsonOperands(args, n.get("arg").get("value"))
	} else {
		args = jsonOperands(args, n.get("arg"))
	}
	f.Args = c.operands(args)
	c.format()
	if order := how.get("agg_order"); order.ok() {
		c.expect("ORDER", "BY")
		f.OrderBy = c.orderBy(order)
	}
	c.i = end + 1
	c.filterOver(f, how.get("agg_filter"), how.get("over"))
	f.Span = c.span(first, c.i)
	return f, first
}
