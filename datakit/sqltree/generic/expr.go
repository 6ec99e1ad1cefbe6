package generic

import (
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// How tightly operators bind, after PostgreSQL. Other dialects differ in places
// where it makes no difference to which columns meet in a comparison.
const (
	precOr = 10 * (iota + 1)
	precXor
	precAnd
	precNot
	precIs
	precComparison
	precIn // IN, LIKE, BETWEEN
	precOther
	precAdd
	precMultiply
	precPower
	precAt
	precCollate
	precUnary
)

// infix holds how tightly the operators between operands bind; 0: it is none.
var infix = func() []uint8 {
	prec := make([]uint8, len(spellings))
	mark := func(p uint8, words string) {
		for _, w := range strings.Fields(words) {
			prec[ids[w]] = p
		}
	}
	mark(precOther, symbols)
	mark(0, "( ) [ ] { } , ; . : ... => |> !! @ += |/ ||/ $")
	mark(precOr, "OR")
	mark(precXor, "XOR")
	mark(precAnd, "AND")
	mark(precIs, "IS ISNULL NOTNULL")
	mark(precComparison, "= == <=> <> != ^= < > <= >= !< !> :=")
	mark(precIn, "IN LIKE ILIKE SIMILAR BETWEEN RLIKE REGEXP GLOB MATCH OVERLAPS NOT GLOBAL MEMBER SOUNDS")
	mark(precOther, "-> ->> ?")
	mark(precAdd, "+ -")
	mark(precMultiply, "* / % // DIV MOD")
	mark(precPower, "^ **")
	mark(precAt, "AT")
	mark(precCollate, "COLLATE")
	mark(precOther, "OPERATOR")
	mark(0, "::")
	return prec
}()

// expr parses an expression.
func (p *parser) expr() sqltree.Expr { return p.binary(0) }

// binary parses an expression whose operators bind tighter than min.
func (p *parser) binary(min int) sqltree.Expr {
	if !p.enter() {
		p.leave()
		return &sqltree.Unchecked{}
	}
	before := p.height
	p.height = 0
	start := p.start()
	left := p.prefix()
	height := p.height
	for {
		prec := p.precedence(p.toks[p.i].word)
		if prec == 0 || prec <= min {
			break
		}
		i := p.i
		p.height = 0
		whole := p.infix(start, left, prec)
		if p.i == i {
			break
		}
		if whole == left { // one more of a flat list
			height = max(height, p.height+1)
		} else {
			height = max(height, p.height) + 1
		}
		left = whole
		if height > maxHeight {
			p.fail(p.tokenSpan(i), "too many operators in a row")
			break
		}
	}
	p.height = max(before, height+1)
	p.leave()
	return left
}

// precedence returns how tightly an operator binds. In MySQL || is OR and && is
// AND, and | binds less tightly than &.
func (p *parser) precedence(word uint16) int {
	if p.d == sqltree.MySQL || p.d == sqltree.MariaDB {
		switch spellings[word] {
		case "||":
			return precOr
		case "&&":
			return precAnd
		case "|":
			return precOther - 2
		case "&":
			return precOther - 1
		}
	}
	if p.free[word] {
		return 0
	}
	return int(infix[word])
}

// argument parses an expression inside of another, which may have a name there.
func (p *parser) argument() sqltree.Expr {
	start := p.start()
	e := p.binary(0)
	if p.namedInside && p.accept("AS") {
		id := p.ident()
		e = &sqltree.Named{Span: p.from(start), Arg: e, Alias: id}
	}
	return e
}

func (p *parser) op(name string, start int, args ...sqltree.Expr) *sqltree.Op {
	return &sqltree.Op{Span: p.from(start), Name: name, Args: args}
}

// infix reads the operator at the cursor with what stands to its right. It
// leaves the cursor where it is if the word is no operator there.
func (p *parser) infix(start int, left sqltree.Expr, prec int) sqltree.Expr {
	w := p.word()
	switch {
	case w == "||" && prec == precOr:
		w = "OR"
	case w == "&&" && prec == precAnd:
		w = "AND"
	}
	switch w {
	case "AND", "OR":
		p.i++
		right := p.binary(prec)
		if op, ok := left.(*sqltree.Op); ok && op.Name == w {
			// One list for a chain, however long, and whatever parentheses it
			// begins with.
			op.Args = append(op.Args, right)
			op.Span = p.from(start)
			return op
		}
		return p.op(w, start, left, right)
	case "IS":
		return p.isOperator(start, left)
	case "ISNULL", "NOTNULL":
		p.i++
		return p.op(map[string]string{"ISNULL": "IS NULL", "NOTNULL": "IS NOT NULL"}[w], start, left)
	case "NOT":
		switch p.wordAt(1) {
		case "IN", "LIKE", "ILIKE", "SIMILAR", "BETWEEN", "RLIKE", "REGEXP", "GLOB", "MATCH":
			p.i++
			return p.inOperator(start, left, "NOT ")
		case "NULL":
			if p.d == sqltree.SQLite {
				p.i += 2
				return p.op("IS NOT NULL", start, left)
			}
		}
		return left
	case "IN", "LIKE", "ILIKE", "SIMILAR", "BETWEEN", "RLIKE", "REGEXP", "GLOB", "MATCH", "OVERLAPS":
		if w == "IN" && p.clickhouse && p.wordAt(1) == "PARTITION" && p.toks[p.i+2].kind != endToken && !p.isAtSymbol(p.i+2, ")", ".", ",", "AND") {
			return left // UPDATE a = 1 IN PARTITION 5
		}
		return p.inOperator(start, left, "")
	case "GLOBAL":
		switch {
		case p.wordAt(1) == "IN":
			p.i++
			return p.inOperator(start, left, "")
		case p.wordAt(1) == "NOT" && p.wordAt(2) == "IN":
			p.i += 2
			return p.inOperator(start, left, "NOT ")
		}
		return left
	case "AT":
		switch {
		case p.accept("AT", "TIME", "ZONE"):
			right := p.binary(prec)
			return p.op("AT TIME ZONE", start, left, right)
		case p.wordAt(1) == "LOCAL":
			p.i += 2
			return p.op("AT LOCAL", start, left)
		}
		return left
	case "COLLATE":
		if p.noCollate {
			return left
		}
		p.i++
		p.name()
		return p.op("COLLATE", start, left)
	case "SOUNDS":
		if !p.accept("SOUNDS", "LIKE") {
			return left
		}
		return p.op("SOUNDS LIKE", start, left, p.binary(precIn))
	case "!":
		if p.d != sqltree.DuckDB && p.d != sqltree.Postgres {
			return left
		}
		p.i++
		return p.op("!", start, left) // the factorial
	case "MEMBER":
		if !p.accept("MEMBER", "OF") {
			return left
		}
		return p.op("MEMBER OF", start, left, p.binary(prec))
	case "OPERATOR":
		if p.wordAt(1) != "(" {
			return left
		}
		end := int(p.toks[p.i+1].match)
		name := p.textAt(end - 1)
		p.i = end + 1
		return p.quantified(name, start, left, prec)
	case "%":
		if !p.operandFollows(1) || p.wordAt(1) == "OFFSET" && p.toks[p.i+2].kind != symbolToken {
			return left // LIMIT 10%
		}
	case "DIV", "MOD":
		if p.d == sqltree.Postgres || !p.operandFollows(1) {
			return left
		}
	case "?":
		if p.clickhouse && !p.closed {
			return p.conditional(start, left)
		}
		if !p.questionOps || !p.operandFollows(1) {
			return left
		}
	case "->":
		if p.lambdaArrow {
			if c, ok := left.(*sqltree.Column); ok && len(c.Parts) == 1 {
				return p.lambda(start, []sqltree.Ident{c.Parts[0]})
			}
		}
	}
	p.i++
	switch w {
	case ":=":
		return p.op(w, start, left, p.binary(prec-1))
	case "!=", "^=":
		w = "<>"
	}
	return p.quantified(w, start, left, prec)
}

// quantified reads the right side of an operator, also ANY (…).
func (p *parser) quantified(name string, start int, left sqltree.Expr, prec int) sqltree.Expr {
	if p.isAny("ANY", "ALL", "SOME") && p.wordAt(1) == "(" {
		word := p.word()
		p.i++
		if p.queryAt(p.i) {
			q := p.subquery()
			return &sqltree.Subquery{Span: p.from(start), Kind: sqltree.InSubquery, Left: left, Query: q}
		}
		return p.op(name+" "+word, start, append([]sqltree.Expr{left}, p.exprRow()...)...)
	}
	right := p.binary(prec)
	return p.op(name, start, left, right)
}

// conditional reads c ? a : b.
func (p *parser) conditional(start int, cond sqltree.Expr) sqltree.Expr {
	p.i++
	p.ternary++
	a := p.binary(precOr)
	p.ternary--
	p.expect(":")
	b := p.binary(precOr)
	return p.op("CASE", start, cond, a, b)
}

// operandFollows reports whether the token n further on can begin an operand.
func (p *parser) operandFollows(n int) bool {
	if p.i+n >= len(p.toks) {
		return false
	}
	t := p.toks[p.i+n]
	switch t.kind {
	case endToken:
		return false
	case symbolToken:
		switch spellings[t.word] {
		case "(", "[", "{", "-", "+", "?", "@", ":", "~", "!":
			return true
		}
		return false
	}
	return (class[t.word]&notOperand == 0 || p.free[t.word]) && spellings[t.word] != "NOT" && spellings[t.word] != "END"
}

func (p *parser) isOperator(start int, left sqltree.Expr) sqltree.Expr {
	at := p.i
	p.i++
	p.accept("NOT")
	switch {
	case p.acceptAny("NULL", "TRUE", "FALSE", "UNKNOWN"):
		return p.op(p.upper(at, p.i), start, left)
	case p.accept("DISTINCT"):
		p.expect("FROM")
		name := p.upper(at, p.i)
		return p.op(name, start, left, p.binary(precComparison))
	case p.acceptAny("NORMALIZED", "DOCUMENT"):
		return p.op(p.upper(at, p.i), start, left)
	case p.is("JSON"):
		p.i++
		name := p.upper(at, p.i)
		for p.acceptAny("VALUE", "ARRAY", "OBJECT", "SCALAR", "WITH", "WITHOUT", "UNIQUE", "KEYS") {
		}
		return p.op(name, start, left)
	case p.kind() == wordToken && p.wordAt(1) == "NORMALIZED":
		p.i += 2
		name := "IS NORMALIZED"
		if p.isAt(at+1, "NOT") {
			name = "IS NOT NORMALIZED"
		}
		return p.op(name, start, left)
	case p.is("OF") && p.wordAt(1) == "(":
		p.i++
		p.skip()
		return p.op("IS OF", start, left)
	case p.d == sqltree.SQLite || p.d == sqltree.Generic || p.kind() == paramToken:
		name := p.upper(at, p.i)
		return p.op(name, start, left, p.binary(precComparison))
	}
	p.unexpected("NULL, TRUE, FALSE or DISTINCT FROM")
	return left
}

// inOperator reads IN, LIKE, BETWEEN and their kin.
func (p *parser) inOperator(start int, left sqltree.Expr, not string) sqltree.Expr {
	w := p.word()
	p.i++
	switch w {
	case "BETWEEN":
		p.acceptAny("SYMMETRIC", "ASYMMETRIC")
		from := p.binary(precIn)
		p.expect("AND")
		to := p.binary(precIn)
		return p.op(not+"BETWEEN", start, left, from, to)
	case "IN":
		return p.in(start, left, not)
	case "OVERLAPS":
		right := p.binary(precIn)
		args := []sqltree.Expr{left, right}
		a, ok1 := left.(*sqltree.Op)
		b, ok2 := right.(*sqltree.Op)
		if ok1 && ok2 && a.Name == "ROW" && b.Name == "ROW" {
			args = append(append([]sqltree.Expr{}, a.Args...), b.Args...)
		}
		return p.op("OVERLAPS", start, args...)
	case "SIMILAR":
		p.expect("TO")
		w = "SIMILAR TO"
	case "REGEXP":
		p.accept("BINARY")
	}
	if p.isAny("ANY", "ALL", "SOME") && p.wordAt(1) == "(" {
		return p.quantified(not+w, start, left, precIn)
	}
	args := []sqltree.Expr{left, p.binary(precIn)}
	if p.accept("ESCAPE") {
		args = append(args, p.binary(precIn))
	}
	return p.op(not+w, start, args...)
}

func (p *parser) in(start int, left sqltree.Expr, not string) sqltree.Expr {
	name := not + "IN"
	switch {
	case p.queryAt(p.i):
		q := p.subquery()
		return &sqltree.Subquery{Span: p.from(start), Kind: sqltree.InSubquery, Left: left, Query: q}
	case p.is("("):
		return p.op(name, start, append([]sqltree.Expr{left}, p.exprRow()...)...)
	case p.inTable && p.isName() && p.wordAt(1) != "(":
		if p.kind() == wordToken && p.scalars[p.textAt(p.i)] {
			break
		}
		// A table stands for its rows.
		at := p.start()
		ref := &sqltree.TableRef{Name: p.name()}
		ref.Span = p.from(at)
		s := &sqltree.Select{Span: ref.Span, From: []sqltree.TableExpr{ref}}
		s.Items = []sqltree.SelectItem{{Span: ref.Span, Expr: &sqltree.Star{Span: ref.Span}}}
		q := &sqltree.Query{Span: ref.Span, Body: s}
		return &sqltree.Subquery{Span: p.from(start), Kind: sqltree.InSubquery, Left: left, Query: q}
	}
	return p.op(name, start, left, p.binary(precIn))
}

// subquery reads a query in parentheses; the query's span is without them.
func (p *parser) subquery() *sqltree.Query {
	p.expect("(")
	q := p.queryBody()
	p.expect(")")
	return q
}

// exprRow reads (a, b, …), also empty.
func (p *parser) exprRow() []sqltree.Expr {
	p.expect("(")
	var list []sqltree.Expr
	closed := p.closed
	p.closed = false
	if !p.is(")") {
		list = p.exprList()
	}
	p.closed = closed
	p.expect(")")
	return list
}

// exprList reads a, b, …; a comma may end it before a bracket where the dialect
// lets one.
func (p *parser) exprList() []sqltree.Expr {
	list := []sqltree.Expr{p.argument()}
	for p.accept(",") {
		if (p.trailingComma || p.structs) && p.isAny(")", "]") {
			break
		}
		list = append(list, p.argument())
	}
	return list
}

// prefix reads an operand with the operators before it.
func (p *parser) prefix() sqltree.Expr {
	start := p.start()
	switch w := p.word(); w {
	case "NOT":
		if p.wordAt(1) == "(" || p.operandFollows(1) || p.wordAt(1) == "NOT" || p.wordAt(1) == "EXISTS" {
			p.i++
			return p.op("NOT", start, p.binary(precNot))
		}
		p.i++
		p.unexpected("an expression")
		return &sqltree.Unchecked{}
	case "-", "+", "~", "!", "!!", "@", "|/", "||/":
		p.i++
		e := p.binary(precUnary - 1)
		if l, ok := e.(*sqltree.Literal); ok && w == "-" && l.Kind == sqltree.NumberLiteral {
			l.Span = p.from(start)
			if strings.HasPrefix(l.Value, "-") {
				l.Value = l.Value[1:]
			} else {
				l.Value = "-" + l.Value
			}
			return l
		}
		return p.op(w, start, e)
	case "*":
		// *COLUMNS(…) spreads its columns.
		if p.columnsStar && p.wordAt(1) == "COLUMNS" {
			p.i++
			return p.prefix()
		}
	case "PRIOR", "CONNECT_BY_ROOT", "BINARY":
		if (w != "BINARY" || p.d == sqltree.MySQL || p.d == sqltree.MariaDB) && p.toks[p.i+1].kind != symbolToken && p.operandFollows(1) {
			p.i++
			return p.op(w, start, p.binary(precUnary-1))
		}
	}
	return p.postfix(start, p.primary())
}

// postfix reads what binds tightest: fields, subscripts, casts, paths.
func (p *parser) postfix(start int, e sqltree.Expr) sqltree.Expr {
	for p.err == nil {
		switch p.word() {
		case ".":
			e = p.field(start, e)
		case "[":
			e = p.subscript(start, e)
		case "::":
			p.i++
			c := &sqltree.Cast{Arg: e, Type: p.typeName()}
			c.Span = p.from(start)
			e = c
		case ":":
			next := p.toks[p.i+1].kind
			if !p.colonPath || p.closed || p.ternary > 0 || next != wordToken && next != quotedToken ||
				p.d == sqltree.Generic && !(p.touching(p.i) && p.touching(p.i+1)) {
				return e
			}
			p.i++
			id := p.behindDot()
			e = p.op(":", start, e, &sqltree.Literal{Span: id.Span, Kind: sqltree.OtherLiteral, Value: id.Name})
		case "(":
			// f(0.9)(x)
			f, ok := e.(*sqltree.Func)
			if !ok || !p.multiArgs || !p.touching(p.i) || f.Over != nil {
				return e
			}
			p.arguments(f)
			f.Span = p.from(start)
			e = p.behindCall(start, f)
		default:
			return e
		}
		p.height++
		if p.height > maxHeight {
			p.fail(p.tokenSpan(p.i), "too many operators in a row")
		}
	}
	return e
}

// field reads .name, .*, .1 and .method(…) behind a value.
func (p *parser) field(start int, e sqltree.Expr) sqltree.Expr {
	p.i++
	switch {
	case p.accept("*"):
		return p.op(".*", start, e)
	case p.kind() == numberToken || p.kind() == paramToken:
		p.i++
		at := p.tokenSpan(p.i - 1)
		return p.op(".", start, e, &sqltree.Literal{Span: at, Kind: sqltree.OtherLiteral, Value: p.textAt(p.i - 1)})
	case p.clickhouse && (p.is(":") || p.is("^")):
		p.i++
		if p.isAt(p.i-1, ":") {
			c := &sqltree.Cast{Arg: e, Type: p.typeName()}
			c.Span = p.from(start)
			return c
		}
	}
	id := p.behindDot()
	if p.is("(") {
		f := &sqltree.Func{Name: sqltree.Name{Span: id.Span, Parts: []sqltree.Ident{id}}}
		p.arguments(f)
		f.Args = append([]sqltree.Expr{e}, f.Args...)
		if f.ArgNames != nil {
			f.ArgNames = append([]string{""}, f.ArgNames...)
		}
		f.Span = p.from(start)
		return p.behindCall(start, f)
	}
	return p.op(".", start, e, &sqltree.Literal{Span: id.Span, Kind: sqltree.OtherLiteral, Value: id.Name})
}

// subscript reads [i], [from:to] and [from:to:step].
func (p *parser) subscript(start int, e sqltree.Expr) sqltree.Expr {
	p.i++
	closed := p.closed
	p.closed = true
	name := "[]"
	args := []sqltree.Expr{e}
	for p.err == nil && !p.is("]") {
		switch {
		case p.accept(":"), p.accept("::"):
			name = "[:]"
			if p.is("-") && p.wordAt(1) == ":" {
				p.i++ // an open end with a step: [1:-:2]
			}
		case p.is("*") && p.wordAt(1) == "]", p.accept(","):
			p.accept("*")
		default:
			args = append(args, p.expr())
			if !p.isAny("]", ":", "::", ",") {
				p.unexpected(`"]"`)
			}
		}
	}
	p.closed = closed
	p.expect("]")
	return p.op(name, start, args...)
}

func (p *parser) literal(k sqltree.LiteralKind, start int, value string) *sqltree.Literal {
	if len(p.literals) == 0 {
		p.literals = make([]sqltree.Literal, 32)
	}
	l := &p.literals[0]
	p.literals = p.literals[1:]
	*l = sqltree.Literal{Span: p.from(start), Kind: k, Value: value}
	return l
}

// column returns a node for a reference of one part.
func (p *parser) column(id sqltree.Ident) *sqltree.Column {
	if len(p.columns) == 0 {
		p.columns, p.idents = make([]sqltree.Column, 32), make([]sqltree.Ident, 32)
	}
	c := &p.columns[0]
	p.columns = p.columns[1:]
	p.idents[0] = id
	c.Span, c.Parts = id.Span, p.idents[:1:1]
	p.idents = p.idents[1:]
	return c
}

func (p *parser) primary() sqltree.Expr {
	start := p.start()
	switch p.kind() {
	case numberToken:
		p.i++
		return p.literal(sqltree.NumberLiteral, start, p.textAt(p.i-1))
	case stringToken:
		return p.stringLiteral(start)
	case paramToken:
		p.i++
		return &sqltree.Param{Span: p.from(start), Name: strings.Trim(p.textAt(p.i-1), "$@#{}`'\"")}
	case templateToken:
		return p.templateName()
	case quotedToken:
		return p.reference()
	case wordToken:
		if p.toks[p.i].word == 0 {
			return p.plainWord(start)
		}
		return p.keyword(start)
	case symbolToken:
		return p.symbolOperand(start)
	}
	p.unexpected("an expression")
	return &sqltree.Unchecked{}
}

func (p *parser) stringLiteral(start int) sqltree.Expr {
	text := p.textAt(p.i)
	p.i++
	kind := sqltree.StringLiteral
	if c := text[0] | 0x20; c == 'b' || c == 'x' {
		kind = sqltree.OtherLiteral
	}
	value := p.stringValue(text)
	if !p.continued() {
		return p.literal(kind, start, value)
	}
	var whole strings.Builder
	whole.WriteString(value)
	for p.continued() {
		whole.WriteString(p.stringValue(p.textAt(p.i)))
		p.i++
	}
	return p.literal(kind, start, whole.String())
}

// continued reports whether a string stands at the cursor that goes on with the
// one before it: they touch, stand on two lines, or anywhere in some dialects.
func (p *parser) continued() bool {
	if p.kind() != stringToken {
		return false
	}
	between := p.text[p.toks[p.i-1].end:p.toks[p.i].start]
	return between == "" || p.doubleString || strings.ContainsAny(between, "\r\n")
}

// templateName reads a name with a template tag in it.
func (p *parser) templateName() sqltree.Expr {
	start := p.start()
	p.i++
	for p.is(".") && (p.toks[p.i+1].kind == wordToken || p.toks[p.i+1].kind == quotedToken || p.toks[p.i+1].kind == templateToken || p.wordAt(1) == "*") {
		p.i += 2
	}
	u := &sqltree.Unchecked{Span: p.from(start)}
	if p.is("(") {
		p.skip()
		u.Span = p.from(start)
	}
	return u
}

// plainWord reads a word that is no keyword: a column, a call, a typed string.
func (p *parser) plainWord(start int) sqltree.Expr {
	next := p.toks[p.i+1]
	switch {
	case next.kind == numberToken && p.text[start] == '_' && p.stringAlias:
		// A character set before a number that stands for bytes: _utf8 0x41.
		p.i += 2
		return p.literal(sqltree.OtherLiteral, start, p.textAt(p.i-1))
	case next.kind == stringToken:
		if p.text[start] == '_' && p.stringAlias {
			// A character set before a string: _utf8'x'.
			p.i++
			return p.stringLiteral(start)
		}
		if p.typedStrings && p.text[next.start] != '"' {
			p.i++
			return p.typed(start)
		}
	case spellings[next.word] == "->" && p.maybeLambda && next.kind == symbolToken && p.lambdaAfter(p.i+2):
		id := p.ident()
		return p.lambda(start, []sqltree.Ident{id})
	}
	return p.reference()
}

// lambdaAfter reports whether what follows an arrow is the body of a lambda and
// not the path of a JSON operator.
func (p *parser) lambdaAfter(i int) bool {
	if i >= len(p.toks) || p.args == 0 {
		return false
	}
	switch p.toks[i].kind {
	case stringToken, numberToken, paramToken, endToken:
		return false
	}
	return !p.isAt(i, "?")
}

// typed makes a literal of a type's name, which has been read, and a string.
func (p *parser) typed(start int) *sqltree.Literal {
	value := p.stringValue(p.textAt(p.i))
	p.i++
	return p.literal(sqltree.OtherLiteral, start, value)
}

// reference reads a column, t.*, or a call.
func (p *parser) reference() sqltree.Expr {
	start := p.start()
	first := p.ident()
	if !p.is(".") && !p.is("(") {
		if p.variables != nil && !first.Quoted && slices.Contains(p.variables, strings.ToLower(first.Name)) {
			// A column of that name would come first, which is not known here.
			return &sqltree.Param{Span: first.Span, Name: first.Name}
		}
		return p.column(first)
	}
	parts := []sqltree.Ident{first}
	for p.is(".") && p.err == nil {
		next := p.toks[p.i+1]
		switch {
		case next.kind == wordToken, next.kind == quotedToken:
			p.i++
			parts = append(parts, p.behindDot())
			continue
		case next.kind == paramToken && p.text[next.start] == '$':
			// A column by its position: t.$1.
			p.i += 2
			return &sqltree.Param{Span: p.from(start), Name: p.textAt(p.i - 1)[1:]}
		case next.kind == templateToken:
			p.i++
			return p.templateName()
		case p.wordAt(1) == "*":
			p.i += 2
			s := &sqltree.Star{Qualifier: parts}
			s.Span = p.from(start)
			p.starModifiers(s, start)
			return s
		case next.kind == symbolToken && spellings[next.word] == "." && len(parts) < 3:
			p.i++ // database..table
			continue
		}
		if next.kind == numberToken || p.clickhouse {
			break
		}
		p.i++
		p.unexpected("a name")
		return &sqltree.Unchecked{}
	}
	at := p.from(start)
	if p.is("(") {
		if p.columnsStar && p.isAt(p.i-1, "COLUMNS") {
			return p.columnsOf(start, parts[:len(parts)-1])
		}
		if p.methodCalls && len(parts) > 1 && !schemas[strings.ToLower(parts[0].Name)] {
			return p.method(start, parts)
		}
		return p.call(start, sqltree.Name{Span: at, Parts: parts})
	}
	return &sqltree.Column{Span: at, Parts: parts}
}

// schemas are those of DuckDB, whose functions may stand behind their name.
var schemas = wordSet("main system temp pg_catalog information_schema")

// method reads the call of a.b.f(…), whose first argument is the column a.b.
func (p *parser) method(start int, parts []sqltree.Ident) sqltree.Expr {
	n := len(parts) - 1
	column := &sqltree.Column{Span: span{Start: start, End: parts[n-1].End}, Parts: parts[:n:n]}
	f := &sqltree.Func{Name: sqltree.Name{Span: parts[n].Span, Parts: parts[n:]}, Args: []sqltree.Expr{column}}
	p.arguments(f)
	f.Span = p.from(start)
	return p.behindCall(start, f)
}

// symbolOperand reads an operand that begins with a symbol.
func (p *parser) symbolOperand(start int) sqltree.Expr {
	switch p.word() {
	case "(":
		return p.parenthesis(start)
	case "[":
		return p.list(start)
	case "{":
		return p.braces(start)
	case "?":
		p.i++
		name := ""
		if p.kind() == numberToken && p.touching(p.i) {
			name = p.textAt(p.i)
			p.i++
		}
		return &sqltree.Param{Span: p.from(start), Name: name}
	case ":":
		if k := p.toks[p.i+1].kind; (k == wordToken || k == numberToken || k == quotedToken || k == stringToken) && p.touching(p.i+1) {
			p.i += 2
			return &sqltree.Param{Span: p.from(start), Name: strings.Trim(p.textAt(p.i-1), `'"`)}
		}
	case "%":
		if !p.touching(p.i + 1) {
			break
		}
		if p.toks[p.i+1].kind == wordToken && p.toks[p.i+1].end-p.toks[p.i+1].start == 1 {
			p.i += 2
			return &sqltree.Param{Span: p.from(start)}
		}
		if p.wordAt(1) == "(" {
			name := p.textAt(p.i + 2)
			p.i++
			p.skip()
			if p.kind() == wordToken && p.touching(p.i) {
				p.i++
			}
			return &sqltree.Param{Span: p.from(start), Name: name}
		}
	case "&":
		if p.stages && p.toks[p.i+1].kind == wordToken && p.touching(p.i+1) {
			p.i += 2
			return &sqltree.Param{Span: p.from(start), Name: p.textAt(p.i - 1)}
		}
	case "#":
		if p.toks[p.i+1].kind == numberToken && p.touching(p.i+1) {
			// A column by its position (DuckDB).
			p.i += 2
			return p.literal(sqltree.OtherLiteral, start, p.textAt(p.i-1))
		}
	}
	p.unexpected("an expression")
	return &sqltree.Unchecked{}
}

// parenthesis reads a subquery, a row, a lambda or an expression in parentheses.
func (p *parser) parenthesis(start int) sqltree.Expr {
	end := int(p.toks[p.i].match)
	if p.isAt(end+1, "->") && (p.lambdaArrow || p.maybeLambda) && p.parameters(p.i+1, end) {
		var params []sqltree.Ident
		for i := p.i + 1; i < end; i++ {
			params = append(params, p.identAt(i))
			for i < end && !p.isAt(i, ",") { // also the type of a parameter
				i++
			}
		}
		p.i = end + 1
		return p.lambda(start, params)
	}
	if p.queryAt(p.i) {
		q := p.subquery()
		return &sqltree.Subquery{Span: p.from(start), Kind: sqltree.ScalarSubquery, Query: q}
	}
	p.i++
	if p.accept(")") {
		return p.op("ROW", start)
	}
	if p.columnsStar && p.args > 0 && p.is("*") && p.wordAt(1) == ")" {
		p.i += 2 // the names of all columns, for COLUMNS
		return &sqltree.Star{Span: p.from(start)}
	}
	closed, cases := p.closed, p.cases
	p.closed, p.cases = false, 0
	e := p.argument()
	if p.is(",") {
		args := []sqltree.Expr{e}
		for p.accept(",") {
			if p.is(")") {
				break // (a,)
			}
			args = append(args, p.argument())
		}
		p.expect(")")
		e = p.op("ROW", start, args...)
	} else {
		p.expect(")")
	}
	p.closed, p.cases = closed, cases
	return e
}

// parameters reports whether tokens a to b are names with commas between them; a
// name may have a type of words behind it.
func (p *parser) parameters(a, b int) bool {
	name := false
	for i := a; i < b; i++ {
		switch k := p.toks[i].kind; {
		case k == wordToken, k == quotedToken:
			name = true
		case p.isAt(i, ",") && name:
			name = false
		default:
			return false
		}
	}
	return name
}

func (p *parser) lambda(start int, params []sqltree.Ident) sqltree.Expr {
	p.i++ // the arrow, or the colon of LAMBDA
	l := &sqltree.Lambda{Params: params, Body: p.binary(0)}
	l.Span = p.from(start)
	return l
}

// list reads [a, b], and [e FOR x IN list IF c].
func (p *parser) list(start int) sqltree.Expr {
	p.i++
	closed := p.closed
	p.closed = false
	var args []sqltree.Expr
	for p.err == nil && !p.is("]") {
		at := p.start()
		e := p.expr()
		if len(args) == 0 && p.accept("FOR") {
			params := []sqltree.Ident{p.ident()}
			for p.accept(",") {
				params = append(params, p.ident())
			}
			p.expect("IN")
			args = append(args, &sqltree.Lambda{Span: p.from(at), Params: params, Body: e}, p.expr())
			if p.accept("IF") {
				cond := p.expr()
				args = append(args, &sqltree.Lambda{Span: p.from(at), Params: params, Body: cond})
			}
			break
		}
		args = append(args, e)
		if !p.accept(",") {
			break
		}
	}
	p.closed = closed
	p.expect("]")
	return p.op("ARRAY", start, args...)
}

// braces reads {'a': 1}, and placeholders: {}, {name}, {name:Type}.
func (p *parser) braces(start int) sqltree.Expr {
	end := int(p.toks[p.i].match)
	first := p.i + 1
	k := p.toks[first].kind
	switch {
	case first == end && !p.structs, end == first+1 && k != stringToken && k != symbolToken,
		k == wordToken && p.clickhouse && p.isAt(first+1, ":"):
		p.i = end + 1
		name := ""
		if first < end {
			name = p.textAt(first)
		}
		return &sqltree.Param{Span: p.from(start), Name: name}
	case k == wordToken && p.textAt(first) != "" && end == first+2 && p.toks[first+1].kind == stringToken:
		// {d '2020-01-01'}
		value := p.stringValue(p.textAt(first + 1))
		p.i = end + 1
		return p.literal(sqltree.OtherLiteral, start, value)
	case k == wordToken && strings.EqualFold(p.textAt(first), "fn"):
		p.i = first + 1
		e := p.expr()
		p.expect("}")
		return e
	case !p.structs:
		p.i = end + 1
		u := &sqltree.Unchecked{Span: p.from(start)}
		p.note(u.Span, "braces are not read")
		return u
	}
	return p.structure(start, false)
}

// structure reads {'a': 1, b: 2}; the keys of a map are expressions.
func (p *parser) structure(start int, keys bool) sqltree.Expr {
	p.expect("{")
	closed := p.closed
	p.closed = true
	var args []sqltree.Expr
	for p.err == nil && !p.is("}") {
		switch {
		case p.accept("*"):
		case keys:
			args = append(args, p.expr())
			p.expect(":")
			args = append(args, p.expr())
		default:
			switch p.kind() {
			case stringToken, wordToken, quotedToken, numberToken, templateToken, paramToken:
				p.i++
			default:
				p.unexpected("a key")
			}
			p.expect(":")
			args = append(args, p.expr())
		}
		if !p.accept(",") {
			break
		}
	}
	p.closed = closed
	p.expect("}")
	return p.op("STRUCT", start, args...)
}
