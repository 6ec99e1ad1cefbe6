package generic

import "github.com/quartet-mcp/quartet/datakit/sqltree"

// behindTable reads PIVOT, UNPIVOT and MATCH_RECOGNIZE, which make a relation of
// the one before them.
func (p *parser) behindTable(start int, t sqltree.TableExpr) sqltree.TableExpr {
	for p.err == nil {
		switch w := p.word(); {
		case w == "MATCH_RECOGNIZE" && p.wordAt(1) == "(",
			(w == "PIVOT" || w == "UNPIVOT") && (p.wordAt(1) == "(" || p.wordAt(2) == "NULLS" || p.wordAt(1) == "XML" && p.wordAt(2) == "("):
			t = p.reshaped(start, t, w)
		case w == "LATERAL" && p.wordAt(1) == "VIEW":
			t = p.lateralView(start, t)
		default:
			return t
		}
	}
	return t
}

// reshaped reads PIVOT (…), UNPIVOT (…) or MATCH_RECOGNIZE (…) behind a table. What
// some dialect has beyond the usual in the parentheses is passed over.
func (p *parser) reshaped(start int, t sqltree.TableExpr, word string) sqltree.TableExpr {
	for p.i++; !p.is("(") && !p.atEnd(); {
		p.i++ // INCLUDE NULLS
	}
	open := p.i
	o := &sqltree.Opaque{Inputs: []sqltree.TableExpr{t}}
	var long *sqltree.Select
	read := func() {
		p.expect("(")
		switch word {
		case "PIVOT":
			o.Exprs = p.pivotParts()
		case "UNPIVOT":
			long = p.unpivotParts(o, start)
		default:
			o.Exprs = p.matchParts()
		}
		p.expect(")")
	}
	if !p.attempt(read) {
		o.Exprs, long = nil, nil
		p.i = open
		p.skip()
		p.note(p.from(int(p.toks[open].start)), word+" is not read")
	}
	end := p.from(start)
	a := p.tableAlias()
	if long != nil {
		long.Span, long.From = end, o.Inputs
		return &sqltree.Derived{Span: p.from(start), Query: &sqltree.Query{Span: end, Body: long}, Alias: a}
	}
	o.Alias, o.Span = a, p.from(start)
	return o
}

// pivotParts reads sum(a) AS x, … FOR b IN (…) … GROUP BY c: all that is computed
// of the input, without the values of the lists.
func (p *parser) pivotParts() []sqltree.Expr {
	list := p.aggregates()
	p.expect("FOR")
	for p.err == nil {
		list = append(list, p.pivotKey()...)
		p.accept(",")
		p.accept("FOR")
		if p.isAny("GROUP", "DEFAULT", ")") {
			break
		}
	}
	if p.accept("DEFAULT") {
		p.expect("ON", "NULL")
		p.skip()
	}
	if p.accept("GROUP") {
		p.expect("BY")
		list = append(list, p.groupList()...)
	}
	return list
}

// aggregates reads expressions with or without names.
func (p *parser) aggregates() []sqltree.Expr {
	var list []sqltree.Expr
	for p.err == nil {
		list = append(list, p.expr())
		p.itemAlias()
		if !p.accept(",") || p.clauseEnds() || p.is("FOR") {
			break
		}
	}
	return list
}

// pivotKey reads what is turned into columns, with the list of its values.
func (p *parser) pivotKey() []sqltree.Expr {
	list := []sqltree.Expr{p.binary(precIn)}
	if p.accept("AS") {
		p.ident()
	}
	if !p.accept("IN") {
		return list
	}
	switch {
	case p.queryAt(p.i):
		at := p.start()
		q := p.subquery()
		list = append(list, &sqltree.Subquery{Span: p.from(at), Kind: sqltree.ScalarSubquery, Query: q})
	case p.is("("):
		p.skip()
	default:
		p.name() // a type whose labels they are
	}
	return list
}

// unpivotParts reads v FOR n IN (a, b AS 'x') and (v, w) FOR n IN ((a, b) AS x, …).
func (p *parser) unpivotParts(o *sqltree.Opaque, start int) *sqltree.Select {
	var values []sqltree.Ident
	if p.is("(") {
		values = p.identList()
	} else {
		values = []sqltree.Ident{p.ident()}
	}
	p.expect("FOR")
	name := p.ident()
	p.expect("IN")
	at := p.start()
	p.expect("(")
	groups := p.unpivotColumns(o)
	p.expect(")")
	return longSelect(groups, values, name, p.from(at), p.from(start))
}

// unpivotColumns reads the columns that become rows: groups of as many as there
// are columns for their values. They are the expressions of o, too.
func (p *parser) unpivotColumns(o *sqltree.Opaque) [][]sqltree.Expr {
	var groups [][]sqltree.Expr
	for p.err == nil {
		var group []sqltree.Expr
		if p.is("(") && !p.queryAt(p.i) {
			group = p.exprRow()
		} else {
			group = []sqltree.Expr{p.item().Expr}
		}
		o.Exprs = append(o.Exprs, group...)
		groups = append(groups, group)
		if p.accept("AS") || p.kind() == stringToken || p.kind() == numberToken {
			p.skip() // the value that stands for the group
		}
		if !p.accept(",") || p.is(")") {
			break
		}
	}
	return groups
}

// longSelect is the query that UNPIVOT means: all other columns, the name of a
// group, and the values of its columns. It is nil where that is not known, as the
// groups are no plain columns. list and whole are the spans of the groups and of
// all up to their end.
func longSelect(groups [][]sqltree.Expr, values []sqltree.Ident, name sqltree.Ident, list, whole span) *sqltree.Select {
	star := &sqltree.Star{Span: list}
	args := make([][]sqltree.Expr, len(values))
	for _, group := range groups {
		if len(group) != len(values) {
			return nil
		}
		for i, e := range group {
			c, ok := e.(*sqltree.Column)
			if !ok {
				return nil
			}
			star.Except = append(star.Except, c.Parts[len(c.Parts)-1])
			args[i] = append(args[i], c)
		}
	}
	s := &sqltree.Select{Span: whole, Items: []sqltree.SelectItem{{Span: list, Expr: star}}}
	label := &sqltree.Literal{Span: name.Span, Kind: sqltree.OtherLiteral, Value: name.Name}
	s.Items = append(s.Items, sqltree.SelectItem{Span: name.Span, Expr: label, Alias: &name})
	for i := range values {
		s.Items = append(s.Items, sqltree.SelectItem{Span: whole, Expr: &sqltree.Op{Span: list, Name: "UNPIVOT", Args: args[i]}, Alias: &values[i]})
	}
	return s
}

// matchParts reads PARTITION BY and ORDER BY of MATCH_RECOGNIZE. What follows them
// names the rows of a pattern as it does relations, and is passed over.
func (p *parser) matchParts() []sqltree.Expr {
	var list []sqltree.Expr
	if p.accept("PARTITION") {
		p.expect("BY")
		list = p.exprList()
	}
	if p.accept("ORDER") {
		p.expect("BY")
		for _, it := range p.orderBy() {
			list = append(list, it.Expr)
		}
	}
	for !p.atEnd() {
		p.skip()
	}
	return list
}

// pivotStatement reads DuckDB's PIVOT t ON … USING … GROUP BY … and UNPIVOT t ON …
// INTO NAME n VALUE v.
func (p *parser) pivotStatement() sqltree.Body {
	start := p.start()
	long := p.isAny("UNPIVOT", "PIVOT_LONGER")
	p.i++
	o := &sqltree.Opaque{Inputs: []sqltree.TableExpr{p.joined()}}
	if long {
		if s := p.unpivotStatement(o, start); s != nil {
			return s
		}
	} else {
		if p.accept("ON") {
			for p.err == nil {
				o.Exprs = append(o.Exprs, p.pivotKey()...)
				if !p.accept(",") || p.clauseEnds() {
					break
				}
			}
		}
		if p.accept("USING") {
			o.Exprs = append(o.Exprs, p.aggregates()...)
		}
		if p.accept("GROUP") {
			p.expect("BY")
			o.Exprs = append(o.Exprs, p.groupList()...)
		}
	}
	o.Span = p.from(start)
	s := &sqltree.Select{Span: o.Span, From: []sqltree.TableExpr{o}}
	s.Items = []sqltree.SelectItem{{Span: o.Span, Expr: &sqltree.Star{Span: o.Span}}}
	return s
}

// unpivotStatement reads what follows the input of UNPIVOT; nil if its columns are
// not known.
func (p *parser) unpivotStatement(o *sqltree.Opaque, start int) *sqltree.Select {
	if p.acceptAny("INCLUDE", "EXCLUDE") {
		p.expect("NULLS")
	}
	p.expect("ON")
	at := p.start()
	groups := p.unpivotColumns(o)
	list := p.from(at)
	if !p.accept("INTO") {
		return nil // the columns are called name and value
	}
	p.expect("NAME")
	name := p.ident()
	p.expect("VALUE")
	values := []sqltree.Ident{p.ident()}
	for p.accept(",") && !p.atEnd() {
		values = append(values, p.ident())
	}
	s := longSelect(groups, values, name, list, p.from(start))
	if s != nil {
		s.From = o.Inputs
	}
	return s
}
