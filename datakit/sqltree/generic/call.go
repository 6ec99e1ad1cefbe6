package generic

import (
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// keyword reads an operand that begins with a keyword.
func (p *parser) keyword(start int) sqltree.Expr {
	w := p.word()
	next := p.wordAt(1)
	called := next == "("
	switch w {
	case "NULL", "TRUE", "FALSE":
		if called || next == "." {
			break
		}
		p.i++
		k := sqltree.BoolLiteral
		if w == "NULL" {
			k = sqltree.NullLiteral
		}
		return p.literal(k, start, strings.ToLower(w))
	case "DEFAULT":
		if !called {
			p.i++
			return p.literal(sqltree.OtherLiteral, start, "DEFAULT")
		}
	case "CASE":
		if next != "." && next != "," && next != ")" && !called || called {
			return p.caseExpr(start)
		}
	case "EXISTS":
		if called && p.queryAt(p.i+1) {
			p.i++
			q := p.subquery()
			return &sqltree.Subquery{Span: p.from(start), Kind: sqltree.ExistsSubquery, Query: q}
		}
	case "CAST", "TRY_CAST", "SAFE_CAST", "TREAT":
		if called {
			return p.cast(start)
		}
	case "CONVERT", "TRY_CONVERT":
		if called && (p.d == sqltree.MySQL || p.d == sqltree.MariaDB) {
			return p.convert(start)
		}
	case "EXTRACT":
		if called {
			return p.extract(start)
		}
	case "INTERVAL":
		if e := p.sizedLiteral(start); e != nil {
			return e
		}
		if e := p.interval(start); e != nil {
			return e
		}
	case "ARRAY":
		switch {
		case next == "[":
			p.i++
			return p.list(start)
		case called && p.queryAt(p.i+1):
			p.i++
			q := p.subquery()
			return &sqltree.Subquery{Span: p.from(start), Kind: sqltree.ArraySubquery, Query: q}
		case next == "<" && p.angleTypes && (p.d == sqltree.BigQuery || p.touching(p.i+1)):
			p.typeName()
			if p.is("[") {
				return p.list(start)
			}
			return p.op("ARRAY", start, p.exprRow()...)
		}
	case "STRUCT":
		if next == "<" && p.angleTypes {
			p.typeName()
			return p.structCall(start)
		}
		if called && p.angleTypes {
			p.i++
			return p.structCall(start)
		}
	case "MAP":
		if next == "{" {
			p.i++
			return p.structure(start, true)
		}
	case "ROW":
		if called {
			p.i++
			return p.op("ROW", start, p.exprRow()...)
		}
	case "COLUMNS":
		if called && p.columnsStar {
			p.i++
			return p.columnsOf(start, nil)
		}
	case "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP", "CURRENT_USER", "SESSION_USER",
		"SYSTEM_USER", "CURRENT_ROLE", "CURRENT_CATALOG", "CURRENT_SCHEMA", "UTC_DATE", "UTC_TIME", "UTC_TIMESTAMP", "SYSDATE":
		if p.d == sqltree.Postgres && (w == "SYSDATE" || strings.HasPrefix(w, "UTC_")) {
			break
		}
		if called && (p.wordAt(2) == ")" || p.toks[p.i+2].kind == numberToken && p.wordAt(3) == ")") && p.d != sqltree.BigQuery {
			p.i++
			p.skip()
			return p.literal(sqltree.OtherLiteral, start, w)
		}
		if !called && next != "." {
			p.i++
			return p.literal(sqltree.OtherLiteral, start, w)
		}
	case "USER":
		if (p.d == sqltree.Postgres || p.d == sqltree.DuckDB) && !called && next != "." {
			p.i++
			return p.literal(sqltree.OtherLiteral, start, w)
		}
	case "NEXT":
		if p.accept("NEXT", "VALUE", "FOR") {
			p.name()
			return p.op("NEXT VALUE FOR", start)
		}
	case "PREVIOUS":
		if p.accept("PREVIOUS", "VALUE", "FOR") {
			p.name()
			return p.op("PREVIOUS VALUE FOR", start)
		}
	case "CURRENT":
		if p.accept("CURRENT", "OF") {
			if p.kind() == paramToken || p.is(":") {
				p.primary()
			} else {
				p.ident()
			}
			return p.op("CURRENT OF", start)
		}
	case "MATCH":
		if called || p.againstAhead() {
			return p.matchAgainst(start)
		}
	case "WITH":
		if called && p.pipes {
			return p.withExpr(start)
		}
	case "RANGE":
		if next == "<" && p.pipes && p.toks[p.i+2].kind == wordToken && p.wordAt(3) == ">" && p.toks[p.i+4].kind == stringToken {
			p.i += 4
			return p.typed(start)
		}
	case "LAMBDA":
		if p.toks[p.i+1].kind == wordToken && (p.wordAt(2) == ":" || p.wordAt(2) == ",") {
			p.i++
			params := []sqltree.Ident{p.ident()}
			for p.accept(",") {
				params = append(params, p.ident())
			}
			if !p.is(":") {
				p.unexpected(`":"`)
				return &sqltree.Unchecked{}
			}
			return p.lambda(start, params)
		}
	case "COLLATION":
		if p.accept("COLLATION", "FOR") {
			name := sqltree.Name{Span: p.from(start), Parts: []sqltree.Ident{{Span: p.from(start), Name: p.textFrom(start)}}}
			return p.call(start, name)
		}
	case "END":
		if p.cases > 0 && next != "." {
			p.unexpected("an expression")
			return &sqltree.Unchecked{}
		}
	case "TIMESTAMP", "TIME":
		if e := p.sizedLiteral(start); e != nil {
			return e
		}
		for _, zone := range []string{"WITH", "WITHOUT"} {
			if p.are(w, zone, "TIME", "ZONE") && p.toks[p.i+4].kind == stringToken {
				p.i += 4
				return p.typed(start)
			}
		}
	case "DOUBLE":
		if next == "PRECISION" && p.toks[p.i+2].kind == stringToken {
			p.i += 2
			return p.typed(start)
		}
	}
	if p.toks[p.i+1].kind == stringToken {
		switch w {
		case "DATE", "TIME", "TIMESTAMP", "DATETIME", "TIMESTAMPTZ", "JSON", "NUMERIC", "DECIMAL", "BIGNUMERIC", "BIGDECIMAL", "RANGE":
			if s := p.textAt(p.i + 1); p.doubleString || s[0] != '"' {
				p.i++
				return p.typed(start)
			}
		}
	}
	if p.reserved(p.i) && next != "." &&
		!(called && (p.clickhouse || w == "LIKE" || w == "ILIKE")) {
		p.unexpected("an expression")
		return &sqltree.Unchecked{}
	}
	return p.plainWord(start)
}

// withExpr reads BigQuery's WITH(a AS 1, b AS a + 1, a + b). The names are those of a
// lambda around all of it.
func (p *parser) withExpr(start int) sqltree.Expr {
	l := &sqltree.Lambda{}
	var args []sqltree.Expr
	p.i++
	p.expect("(")
	for p.err == nil {
		if p.isName() && p.wordAt(1) == "AS" {
			l.Params = append(l.Params, p.ident())
			p.i++
		}
		args = append(args, p.expr())
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
	l.Span = p.from(start)
	l.Body = p.op("WITH", start, args...)
	return l
}

func (p *parser) caseExpr(start int) sqltree.Expr {
	p.i++
	p.cases++
	closed := p.closed
	p.closed = false
	var args []sqltree.Expr
	if !p.is("WHEN") {
		args = append(args, p.expr())
	}
	if !p.is("WHEN") {
		p.unexpected("WHEN")
	}
	for p.accept("WHEN") {
		args = append(args, p.expr())
		for p.accept(",") {
			args = append(args, p.expr())
		}
		p.expect("THEN")
		args = append(args, p.expr())
	}
	if p.accept("ELSE") {
		args = append(args, p.expr())
	}
	p.cases--
	p.closed = closed
	if !p.is("END") {
		p.unexpected("WHEN, ELSE or END")
	} else {
		p.i++
	}
	return p.op("CASE", start, args...)
}

// cast reads CAST(x AS type …), and CAST(x, 'type').
func (p *parser) cast(start int) sqltree.Expr {
	open := p.i + 1
	name := p.identAt(p.i)
	p.i += 2
	c := &sqltree.Cast{Arg: p.binary(0)}
	if p.accept(",") {
		f := &sqltree.Func{Name: sqltree.Name{Span: name.Span, Parts: []sqltree.Ident{name}}}
		f.Args = []sqltree.Expr{c.Arg, p.expr()}
		p.expect(")")
		f.Span = p.from(start)
		return f
	}
	p.expect("AS")
	if p.kind() == stringToken && p.clickhouse {
		p.i++
		c.Type.Span = p.tokenSpan(p.i - 1)
	} else {
		c.Type = p.typeName()
	}
	if p.isAny("FORMAT", "DEFAULT", "COLLATE", "RENAME", "ADD", "CHARACTER", "ARRAY") {
		// Modifiers of a few dialects, none of which reads a column.
		p.i = int(p.toks[open].match)
	}
	p.expect(")")
	c.Span = p.from(start)
	return c
}

// convert reads MySQL's CONVERT(x, type) and CONVERT(x USING charset).
func (p *parser) convert(start int) sqltree.Expr {
	p.i += 2
	c := &sqltree.Cast{Arg: p.expr()}
	if p.accept("USING") {
		c.Type = p.typeName()
	} else {
		p.expect(",")
		c.Type = p.typeName()
	}
	p.expect(")")
	c.Span = p.from(start)
	return c
}

// extract reads EXTRACT(field FROM x).
func (p *parser) extract(start int) sqltree.Expr {
	id := p.identAt(p.i)
	f := &sqltree.Func{Name: sqltree.Name{Span: id.Span, Parts: []sqltree.Ident{id}}}
	if k := p.toks[p.i+2].kind; k != wordToken && k != stringToken && k != quotedToken || p.wordAt(3) != "FROM" && p.wordAt(3) != "(" {
		return p.call(start, f.Name, p.i+1)
	}
	p.i += 2
	at := p.start()
	value := p.textAt(p.i)
	if p.kind() == stringToken {
		value = p.stringValue(value)
	}
	p.i++
	f.Args = []sqltree.Expr{p.literal(sqltree.StringLiteral, at, value)}
	if p.is("(") {
		p.skip() // WEEK(MONDAY)
	}
	p.expect("FROM")
	f.Args = append(f.Args, p.expr())
	p.expect(")")
	f.Span = p.from(start)
	return f
}

// interval reads INTERVAL '1' DAY and the like; nil if the word is a name.
func (p *parser) interval(start int) sqltree.Expr {
	next := p.toks[p.i+1]
	switch {
	case next.kind == stringToken:
		p.i++
		l := p.stringLiteral(p.start()).(*sqltree.Literal)
		l.Kind = sqltree.OtherLiteral
		p.unit()
		l.Span = p.from(start)
		return l
	case next.kind == symbolToken && spellings[next.word] == "(":
		if !p.unitBehind(int(next.match) + 1) {
			return nil
		}
	case next.kind == endToken, next.kind == symbolToken && !p.operandFollows(1) && spellings[next.word] != ":",
		class[next.word]&(notOperand|notAlias) != 0, next.kind == wordToken && (p.wordAt(2) == "FROM" || p.wordAt(2) == ","):
		return nil
	}
	p.i++
	e := p.binary(precOther - 1)
	if p.isAt(p.i-1, "::") {
		return e
	}
	p.unit()
	return p.op("INTERVAL", start, e)
}

// unitBehind reports whether a unit follows at token i, or ends what is computed
// from there on: INTERVAL (a) + 2 DAY. It looks at a few tokens only.
func (p *parser) unitBehind(i int) bool {
	if p.unitAt(i) {
		return true
	}
	if p.toks[i].kind != symbolToken || infix[p.toks[i].word] < precOther {
		return false
	}
	for n := 0; n < 32; n++ {
		switch t := p.toks[i]; {
		case p.unitAt(i):
			return true
		case t.kind == endToken, p.isAtSymbol(i, ",", ")", "]", "}", ";"), class[t.word]&(notOperand|notAlias) != 0:
			return false
		case t.match > int32(i):
			i = int(t.match)
		}
		i++
	}
	return false
}

// sizedLiteral reads timestamp(3) with time zone '…'; nil if it is something else.
func (p *parser) sizedLiteral(start int) sqltree.Expr {
	if !p.typedStrings || p.wordAt(1) != "(" || p.toks[p.i+2].kind != numberToken {
		return nil
	}
	at := int(p.toks[p.i+1].match) + 1
	if (p.isAt(at, "WITH") || p.isAt(at, "WITHOUT")) && p.isAt(at+1, "TIME") && p.isAt(at+2, "ZONE") {
		at += 3
	}
	if p.toks[at].kind != stringToken {
		return nil
	}
	p.i = at
	e := p.typed(start)
	p.unit()
	e.Span = p.from(start)
	return e
}

func (p *parser) unitAt(i int) bool {
	return p.toks[i].kind == wordToken && plainUnits[strings.ToLower(p.textAt(i))]
}

// unit passes over DAY, DAY(3) TO SECOND(2).
func (p *parser) unit() {
	if !p.unitAt(p.i) {
		return
	}
	for {
		p.i++
		if p.is("(") && p.toks[p.i+1].kind == numberToken {
			p.skip()
		}
		if !p.is("TO") || !p.unitAt(p.i+1) {
			return
		}
		p.i++
	}
}

// structCall reads STRUCT(a, b AS name): the names belong to the value.
func (p *parser) structCall(start int) sqltree.Expr {
	p.expect("(")
	var args []sqltree.Expr
	for p.err == nil && !p.is(")") {
		args = append(args, p.binary(0))
		if p.accept("AS") {
			p.ident()
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
	return p.op("STRUCT", start, args...)
}

// againstAhead reports whether MATCH at the cursor has columns without parentheses
// and AGAINST behind it. An index has no more than 16 columns.
func (p *parser) againstAhead() bool {
	if !p.stringAlias && p.d != sqltree.Generic {
		return false
	}
	for i := p.i + 1; i < min(p.i+100, p.last); i++ {
		switch k := p.toks[i].kind; {
		case p.isAt(i, "AGAINST"):
			return i > p.i+1 && p.isAt(i+1, "(")
		case k != wordToken && k != quotedToken && !p.isAtSymbol(i, ",", "."), class[p.toks[i].word]&notOperand != 0:
			return false
		}
	}
	return false
}

// matchAgainst reads MySQL's MATCH (a, b) AGAINST (…), also without the first
// parentheses.
func (p *parser) matchAgainst(start int) sqltree.Expr {
	id := p.ident()
	f := &sqltree.Func{Name: sqltree.Name{Span: id.Span, Parts: []sqltree.Ident{id}}}
	switch {
	case !p.is("("):
		f.Args = []sqltree.Expr{p.reference()}
		for p.accept(",") {
			f.Args = append(f.Args, p.reference())
		}
	case !p.isAt(int(p.toks[p.i].match)+1, "AGAINST"):
		return p.call(start, f.Name)
	default:
		f.Args = p.exprRow()
	}
	p.expect("AGAINST")
	p.expect("(")
	f.Args = append(f.Args, p.binary(precIn))
	for p.acceptAny("IN", "WITH") {
		for p.kind() == wordToken {
			p.i++
		}
	}
	p.expect(")")
	f.Span = p.from(start)
	return f
}

// columnsOf reads COLUMNS(…) behind a qualifier: a star over some columns.
func (p *parser) columnsOf(start int, qualifier []sqltree.Ident) sqltree.Expr {
	s := &sqltree.Star{Qualifier: qualifier}
	p.expect("(")
	p.args++
	if p.is("*") || p.wordAt(1) == "." && p.wordAt(2) == "*" {
		at := p.start()
		if !p.is("*") {
			s.Qualifier = append(s.Qualifier, p.ident())
			p.i++
		}
		p.i++
		p.starModifiers(s, at)
	} else {
		e := p.expr()
		if l, ok := e.(*sqltree.Column); ok && p.accept(",") {
			// COLUMNS(a, b) names them.
			args := append([]sqltree.Expr{l}, p.exprList()...)
			e = p.op("ROW", start, args...)
		}
		s.Filter = e
	}
	p.args--
	p.expect(")")
	s.Span = p.from(start)
	p.starModifiers(s, start)
	return s
}

// starModifiers reads what may follow a star: EXCEPT, REPLACE, RENAME, ILIKE.
func (p *parser) starModifiers(s *sqltree.Star, start int) {
	for p.err == nil {
		switch p.word() {
		case "EXCEPT":
			if p.wordAt(1) == "(" && !p.queryAt(p.i+1) {
				p.i++
				p.exceptList(s)
			} else if p.clickhouse && p.toks[p.i+1].kind != symbolToken && class[p.toks[p.i+1].word]&notOperand == 0 && p.wordAt(1) != "ALL" {
				p.i++
				s.Except = append(s.Except, p.ident())
			} else {
				s.Span = p.from(start)
				return
			}
		case "EXCLUDE":
			p.i++
			if p.is("(") {
				p.exceptList(s)
			} else if p.reserved(p.i) {
				p.unexpected("a column")
			} else {
				s.Except = append(s.Except, p.name().Last())
			}
		case "REPLACE":
			p.i++
			s.Replace = append(s.Replace, p.renames()...)
		case "RENAME":
			p.i++
			s.Rename = append(s.Rename, p.renames()...)
		case "NOT":
			switch p.wordAt(1) {
			case "ILIKE", "LIKE", "SIMILAR", "GLOB":
			default:
				s.Span = p.from(start)
				return
			}
			p.i++
			fallthrough
		case "ILIKE", "LIKE", "SIMILAR", "GLOB":
			p.i++
			p.accept("TO")
			s.Filter = p.binary(precIn)
		case "APPLY":
			p.i++
			p.skip()
			if p.is("(") {
				p.skip()
			}
		default:
			s.Span = p.from(start)
			return
		}
	}
}

// exceptList reads (a, b, …) behind EXCEPT. One with a qualifier leaves its column
// out for one relation only: which columns remain is not known then.
func (p *parser) exceptList(s *sqltree.Star) {
	if p.clickhouse {
		s.Except = append(s.Except, p.identList()...)
		return
	}
	at := p.start()
	p.expect("(")
	qualified := false
	for p.err == nil && !p.is(")") {
		n := p.name()
		if p.err != nil {
			return
		}
		s.Except = append(s.Except, n.Last())
		qualified = qualified || len(n.Parts) > 1
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
	if qualified && s.Qualifier == nil {
		s.Filter = &sqltree.Unchecked{Span: p.from(at)}
	}
}

// renames reads (expr AS name, …), or one without parentheses.
func (p *parser) renames() []sqltree.SelectItem {
	paren := p.accept("(")
	var items []sqltree.SelectItem
	for p.err == nil {
		start := p.start()
		it := sqltree.SelectItem{Expr: p.binary(0)}
		p.expect("AS")
		it.Alias = p.identPtr()
		it.Span = p.from(start)
		items = append(items, it)
		if !paren || !p.accept(",") || p.is(")") {
			break
		}
	}
	if paren {
		p.expect(")")
	}
	return items
}

// call reads the arguments of a function whose name has been read, and what may
// follow them. at is the index of the parenthesis if the cursor is elsewhere.
func (p *parser) call(start int, name sqltree.Name, at ...int) sqltree.Expr {
	if len(at) > 0 {
		p.i = at[0]
	}
	if p.wordAt(1) == "+" && p.wordAt(2) == ")" {
		// a.id(+) marks the outer side of a join.
		p.i += 3
		return &sqltree.Column{Span: name.Span, Parts: name.Parts}
	}
	f := &sqltree.Func{Name: name}
	p.arguments(f)
	f.Span = p.from(start)
	return p.behindCall(start, f)
}

// arguments reads (…) of a call into f.
func (p *parser) arguments(f *sqltree.Func) {
	if !p.expect("(") {
		return
	}
	name := ""
	if n := len(f.Name.Parts); n > 0 && !f.Name.Parts[n-1].Quoted {
		name = f.Name.Parts[n-1].Name
	}
	closed, cases, ternary := p.closed, p.cases, p.ternary
	p.closed, p.cases, p.ternary = false, 0, 0
	p.args++
	special := spellings[lookup(name)]
	switch special {
	case "TRIM":
		p.acceptAny("LEADING", "TRAILING", "BOTH")
		if p.accept("FROM") {
			f.Args = append(f.Args, p.expr())
		}
	case "XMLELEMENT":
		if p.accept("NAME") {
			p.ident()
			p.accept(",")
		}
	}
	if p.accept("DISTINCT") {
		f.Distinct = true
	} else if p.is("ALL") && p.wordAt(1) != ")" && p.wordAt(1) != "," && p.wordAt(1) != "." {
		p.i++
	}
	for p.err == nil && !p.is(")") {
		p.argumentOf(f, special)
		if !p.accept(",") {
			break
		}
		if p.is(")") && !p.trailingComma {
			p.unexpected("an expression")
		}
	}
	p.args--
	p.closed, p.cases, p.ternary = closed, cases, ternary
	p.expect(")")
	f.Aggregate = f.Aggregate || f.Star || f.Distinct || len(f.OrderBy) > 0
}

// argumentOf reads one argument and the clauses that may follow it.
func (p *parser) argumentOf(f *sqltree.Func, special string) {
	start := p.start()
	w := p.word()
	next := p.toks[p.i+1]
	named := p.kind() != symbolToken && next.kind == symbolToken &&
		(p.wordAt(1) == "=>" || p.wordAt(1) == ":=" || p.wordAt(1) == "=" && p.options > 0 && p.kind() != numberToken)
	switch {
	case named:
		for len(f.ArgNames) < len(f.Args) {
			f.ArgNames = append(f.ArgNames, "")
		}
		f.ArgNames = append(f.ArgNames, p.identAt(p.i).Name)
		p.i += 2
		f.Args = append(f.Args, p.queryOrExpr())
	case w == "*" && (p.wordAt(1) != "COLUMNS" || !p.columnsStar):
		p.i++
		if p.is(")") && len(f.Args) == 0 {
			f.Star = true
			return
		}
		s := &sqltree.Star{Span: p.from(start)}
		p.starModifiers(s, start)
		f.Args = append(f.Args, s)
	case w == "SELECT", w == "WITH" && !(p.pipes && p.wordAt(1) == "("), w == "FROM" && p.fromFirst && len(f.Args) == 0:
		f.Args = append(f.Args, p.queryOrExpr())
	case w == "TABLE" && (next.kind == wordToken || next.kind == quotedToken || next.kind == templateToken):
		q := p.queryBody()
		f.Args = append(f.Args, &sqltree.Subquery{Span: q.Span, Kind: sqltree.ScalarSubquery, Query: q})
	case w == "MODEL" && (next.kind == wordToken || next.kind == quotedToken):
		p.i++
		p.name()
		f.Args = append(f.Args, &sqltree.Unchecked{Span: p.from(start)})
	case w == "ORDER" && p.wordAt(1) == "BY":
	case p.kind() == wordToken && (p.wordAt(1) == "," || p.wordAt(1) == ")") && p.dateUnit(special, len(f.Args)):
		p.i++
		f.Args = append(f.Args, p.literal(sqltree.OtherLiteral, start, p.textAt(p.i-1)))
	case special == "RAISE" && len(f.Args) == 0 && p.d == sqltree.SQLite && p.kind() == wordToken:
		p.i++ // IGNORE, ABORT, …
		f.Args = append(f.Args, p.literal(sqltree.OtherLiteral, start, p.textAt(p.i-1)))
	case w == "WEEK" && p.wordAt(1) == "(" && p.dateUnit(special, len(f.Args)):
		p.i++
		p.skip()
		f.Args = append(f.Args, p.literal(sqltree.OtherLiteral, start, p.textFrom(start)))
	case special == "POSITION":
		f.Args = append(f.Args, p.binary(precOther-1))
		if p.accept("IN") {
			f.Args = append(f.Args, p.expr())
		}
	default:
		if (w == "VARIADIC" || w == "KEY" || w == "PATH" || w == "DOCUMENT" || w == "CONTENT") && p.operandFollows(1) && next.kind != symbolToken {
			p.i++
		}
		if p.lambdaArrow && p.kind() == wordToken && next.kind == wordToken && p.wordAt(2) == "->" {
			// A parameter with its type: x INT -> x + 1.
			id := p.ident()
			p.i++
			f.Args = append(f.Args, p.lambda(start, []sqltree.Ident{id}))
			break
		}
		f.Args = append(f.Args, p.argument())
	}
	if f.ArgNames != nil && len(f.ArgNames) < len(f.Args) {
		f.ArgNames = append(f.ArgNames, "")
	}
	p.behindArgument(f)
}

// queryOrExpr reads a query without parentheses, or an expression.
func (p *parser) queryOrExpr() sqltree.Expr {
	if p.isAny("SELECT", "WITH", "FROM") {
		q := p.queryBody()
		return &sqltree.Subquery{Span: q.Span, Kind: sqltree.ScalarSubquery, Query: q}
	}
	return p.argument()
}

// dateUnit reports whether the word at the cursor is the unit of a date
// function, as its n-th argument.
func (p *parser) dateUnit(function string, n int) bool {
	switch function {
	case "GET_FORMAT":
		return n == 0 // DATE, TIME or DATETIME
	case "DATEADD", "DATEDIFF", "DATEPART", "DATENAME", "TIMESTAMPADD", "TIMESTAMPDIFF", "DATE_PART", "TIMEADD", "TIMEDIFF", "DATE_BUCKET":
		if n != 0 {
			return false
		}
	case "DATE_ADD", "DATE_SUB", "DATE_DIFF", "DATE_TRUNC", "TIMESTAMP_ADD", "TIMESTAMP_SUB", "TIMESTAMP_DIFF", "TIMESTAMP_TRUNC",
		"DATETIME_ADD", "DATETIME_SUB", "DATETIME_DIFF", "DATETIME_TRUNC", "TIME_ADD", "TIME_SUB", "TIME_DIFF", "TIME_TRUNC":
		if (n == 0) == (p.d == sqltree.BigQuery) && p.d != sqltree.Generic {
			return false
		}
	case "TRUNC", "LAST_DAY", "TIME_SLICE", "FLOOR", "CEIL":
		if n == 0 {
			return false
		}
	default:
		return false
	}
	return units[strings.ToLower(p.textAt(p.i))]
}

// behindArgument reads what may stand between an argument and the next comma.
func (p *parser) behindArgument(f *sqltree.Func) {
	for p.err == nil && !p.isAny(",", ")") {
		start := p.start()
		switch w := p.word(); {
		case w == "ORDER" && p.wordAt(1) == "BY":
			p.i += 2
			f.OrderBy = append(f.OrderBy, p.orderBy()...)
		case w == "LIMIT":
			p.i++
			f.Args = append(f.Args, p.expr())
		case w == "SEPARATOR":
			p.i++
			p.expr()
		case p.isAny("IGNORE", "RESPECT") && p.wordAt(1) == "NULLS":
			p.i += 2
		case w == "HAVING" && (p.wordAt(1) == "MAX" || p.wordAt(1) == "MIN"):
			p.i += 2
			f.Args = append(f.Args, p.expr())
		case p.isAny("FROM", "FOR", "PLACING", "VALUE", "PASSING", ":"):
			p.i++
			if p.isAny("BY") { // PASSING BY VALUE
				p.i += 2
			}
			f.Args = append(f.Args, p.binary(0))
			if p.accept("AS") {
				p.ident()
			}
		case w == "AS" && p.toks[p.i+1].kind != symbolToken && p.kind() != endToken:
			// The name of an element or a field; or the type of a cast.
			p.i++
			if p.kind() == stringToken {
				p.i++
			} else {
				p.typeName()
			}
		case w == "USING", w == "FORMAT", w == "RETURNING", w == "ON", w == "WITH", w == "WITHOUT", w == "ABSENT", w == "NULL",
			w == "ERROR", w == "EMPTY", w == "TRUE", w == "FALSE", w == "KEEP", w == "STRICT", w == "DEFAULT", w == "COLUMNS":
			// Options of SQL/JSON and XML functions, LISTAGG … ON OVERFLOW, CONVERT … USING.
			p.skipOption(start)
		case w != "" && p.kind() == wordToken:
			f.Args = append(f.Args, p.uncheckedArgument(start))
		default:
			p.unexpected(`"," or ")"`)
		}
	}
}

// skipOption passes over options of an argument. Those of SQL/JSON may have a
// default value, an expression.
func (p *parser) skipOption(start int) {
	p.skipList()
	if at := p.from(start); strings.Contains(strings.ToUpper(p.text[at.Start:at.End]), "DEFAULT") {
		p.note(at, "options of a function are not read")
	}
}

func (p *parser) uncheckedArgument(start int) sqltree.Expr {
	p.skipList()
	u := &sqltree.Unchecked{Span: p.from(start)}
	p.note(u.Span, "syntax of the function's arguments is not known")
	return u
}

// behindCall reads WITHIN GROUP, FILTER, OVER and the like.
func (p *parser) behindCall(start int, f *sqltree.Func) sqltree.Expr {
	for p.err == nil {
		switch {
		case p.are("WITHIN", "GROUP"):
			p.i += 2
			p.expect("(")
			p.expect("ORDER", "BY")
			f.OrderBy = append(f.OrderBy, p.orderBy()...)
			p.expect(")")
		case p.is("FILTER") && p.wordAt(1) == "(":
			p.i += 2
			p.accept("WHERE")
			f.Filter = p.expr()
			p.expect(")")
		case p.isAny("IGNORE", "RESPECT") && p.wordAt(1) == "NULLS":
			p.i += 2
		case p.is("KEEP") && p.wordAt(1) == "(":
			p.i += 2
			p.accept("DENSE_RANK")
			p.acceptAny("FIRST", "LAST")
			p.expect("ORDER", "BY")
			f.OrderBy = append(f.OrderBy, p.orderBy()...)
			p.expect(")")
		case p.is("FROM") && (p.wordAt(1) == "FIRST" || p.wordAt(1) == "LAST") && (p.wordAt(2) == "OVER" || p.wordAt(2) == "IGNORE" || p.wordAt(2) == "RESPECT"):
			p.i += 2
		case p.is("OVER") && f.Over == nil && (p.wordAt(1) == "(" || p.toks[p.i+1].kind == wordToken || p.toks[p.i+1].kind == quotedToken):
			p.i++
			f.Over = p.window()
		default:
			f.Aggregate = f.Aggregate || f.Filter != nil || len(f.OrderBy) > 0
			f.Span = p.from(start)
			return f
		}
	}
	return f
}

// window reads what follows OVER, or AS in a WINDOW clause.
func (p *parser) window() *sqltree.WindowDef {
	w := &sqltree.WindowDef{}
	start := p.start()
	if !p.is("(") {
		w.Base = p.identPtr()
		w.Span = p.from(start)
		return w
	}
	closed, cases := p.closed, p.cases
	p.closed, p.cases = false, 0
	p.i++
	if p.isName() && !p.isAny("PARTITION", "ORDER", "ROWS", "RANGE", "GROUPS") {
		w.Base = p.identPtr()
	}
	if p.is("PARTITION") {
		p.i++
		p.expect("BY")
		w.Partition = p.exprList()
	}
	if p.is("ORDER") {
		p.i++
		p.expect("BY")
		w.OrderBy = p.orderBy()
	}
	if p.acceptAny("ROWS", "RANGE", "GROUPS") {
		if p.accept("BETWEEN") {
			p.bound(w)
			p.expect("AND")
		}
		p.bound(w)
		if p.accept("EXCLUDE") {
			if !p.accept("CURRENT", "ROW") && !p.accept("NO", "OTHERS") && !p.acceptAny("GROUP", "TIES") {
				p.unexpected("CURRENT ROW, GROUP, TIES or NO OTHERS")
			}
		}
	}
	p.closed, p.cases = closed, cases
	p.expect(")")
	w.Span = p.from(start)
	return w
}

// bound reads one bound of a frame.
func (p *parser) bound(w *sqltree.WindowDef) {
	switch {
	case p.accept("CURRENT", "ROW"):
		return
	case p.is("UNBOUNDED"):
		p.i++
	default:
		w.Frame = append(w.Frame, p.binary(precOther-1))
	}
	if !p.acceptAny("PRECEDING", "FOLLOWING") {
		p.unexpected("PRECEDING or FOLLOWING")
	}
}
