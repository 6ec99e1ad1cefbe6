package generic

import (
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// modifying reads INSERT, UPDATE, DELETE or MERGE behind WITH, which began at
// start.
func (p *parser) modifying(w *sqltree.With, start int) sqltree.Statement {
	switch p.word() {
	case "INSERT", "REPLACE":
		return p.insert(w, start)
	case "UPDATE":
		return p.update(w, start)
	case "DELETE":
		return p.delete(w, start)
	}
	return p.merge(w, start)
}

// insert reads INSERT and REPLACE.
func (p *parser) insert(w *sqltree.With, start int) sqltree.Statement {
	s := &sqltree.Insert{With: w}
	p.i++
	if p.accept("OR") {
		p.one() // REPLACE, IGNORE, …
	}
	for p.acceptAny("LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY", "IGNORE") {
	}
	if p.is("OVERWRITE") && (p.wordAt(1) == "ALL" || p.wordAt(1) == "FIRST") && p.wordAt(2) != "(" {
		p.i++
	}
	if (p.is("ALL") || p.is("FIRST")) && (p.wordAt(1) == "INTO" || p.wordAt(1) == "WHEN") {
		return p.insertAll(start)
	}
	if !p.accept("INTO") && p.accept("OVERWRITE") {
		p.accept("INTO")
	}
	if p.is("TABLE") && p.toks[p.i+1].kind != symbolToken {
		p.i++
	}
	if p.clickhouse && p.is("FUNCTION") {
		return p.insertFunction(w, start)
	}
	at := p.start()
	if p.kind() == paramToken || p.is("?") || p.is(":") || p.is("{") || p.is("%") {
		return p.unknownTarget(start, "INSERT")
	}
	if !p.isName() && !p.isStringName() || p.reserved(p.i) {
		p.unexpected("a table")
		return s
	}
	first := p.i
	s.Table.Name = p.relationName()
	if p.hasTemplate(first) {
		return p.unknownTarget(start, "INSERT")
	}
	if p.accept("PARTITION") {
		p.accept("BY")
		p.skip()
	}
	if p.accept("AS") {
		s.Table.Alias.Name = p.identPtr()
	} else if p.kind() == wordToken && p.toks[p.i].word == 0 && (p.wordAt(1) == "(" || p.wordAt(1) == "VALUES" || p.wordAt(1) == "SELECT") {
		s.Table.Alias.Name = p.identPtr()
	}
	s.Table.Span = p.from(at)
	s.ByName = p.accept("BY", "NAME")
	p.accept("BY", "POSITION")
	if p.is("(") && !p.queryAt(p.i) {
		if p.wordAt(1) == "*" || p.wordAt(1) == ")" || p.wordAt(2) == "*" || p.wordAt(1) == "COLUMNS" && p.wordAt(2) == "(" {
			p.skip() // INSERT INTO t (* EXCEPT (a))
		} else {
			s.Columns = p.identList()
		}
	}
	if p.accept("OVERRIDING") {
		p.one()
		p.expect("VALUE")
	}
	if p.accept("PARTITION") {
		p.skip()
	}
	if p.is("SETTINGS") && p.clickhouse {
		p.settings()
	}
	switch {
	case p.accept("DEFAULT", "VALUES"):
	case p.clickhouse && p.is("FROM") && p.wordAt(1) == "INFILE":
		p.skipStatementPart()
	case p.is("SET"):
		s.Set = p.assignments()
	case p.is("VALUE"):
		// MySQL's other spelling.
		p.toks[p.i].word = ids["VALUES"]
		fallthrough
	case p.isAny("VALUES", "SELECT", "WITH", "FROM", "TABLE"), p.fromFirst && p.isAny("PIVOT", "UNPIVOT", "PIVOT_WIDER", "PIVOT_LONGER"), p.queryAt(p.i), p.kind() == templateToken:
		s.Source = p.queryBody()
	case p.is("FORMAT") && p.clickhouse:
		p.i += 2
		if p.kind() == dataToken {
			p.i++
		}
	default:
		p.unexpected("VALUES or SELECT")
		return s
	}
	if p.accept("AS") {
		// MySQL's name for the proposed row.
		id := p.ident()
		if p.is("(") {
			s.RowColumns = p.identList()
		}
		s.Conflict = &sqltree.Conflict{Excluded: id.Name}
	}
	if p.is("ON") {
		p.conflict(s)
	} else {
		s.Conflict, s.RowColumns = nil, nil // named for nothing
	}
	s.Returning = p.returning()
	s.Span = p.from(start)
	return s
}

func (p *parser) hasTemplate(first int) bool {
	for i := first; i < p.i; i++ {
		if p.toks[i].kind == templateToken {
			return true
		}
	}
	return false
}

// unknownTarget passes over a statement whose target is a placeholder.
func (p *parser) unknownTarget(start int, kind string) sqltree.Statement {
	p.skipStatementPart()
	s := &sqltree.Other{Span: p.from(start), Kind: kind}
	p.note(s.Span, "target of the statement is a placeholder")
	return s
}

// insertAll reads Snowflake's and Oracle's INSERT of several tables, behind INSERT.
func (p *parser) insertAll(start int) sqltree.Statement {
	p.i++ // ALL, FIRST
	s := &sqltree.InsertAll{}
	for p.err == nil && !p.atEnd() && !p.isAny("SELECT", "WITH") && !p.queryAt(p.i) {
		var b sqltree.InsertBranch
		at := p.start()
		switch {
		case p.accept("WHEN"):
			b.When = p.expr()
			p.expect("THEN")
		case p.accept("ELSE"):
		}
		if !p.expect("INTO") {
			break
		}
		n := p.relationName()
		b.Table = sqltree.TableRef{Span: n.Span, Name: n}
		if p.is("(") && p.namesIn(p.i) {
			b.Columns = p.identList()
		}
		if p.accept("VALUES") {
			p.expect("(")
			for p.err == nil && !p.is(")") {
				b.Values = append(b.Values, p.expr())
				if !p.accept(",") {
					break
				}
			}
			p.expect(")")
		}
		b.Span = p.from(at)
		s.Branches = append(s.Branches, b)
	}
	if p.err == nil && len(s.Branches) == 0 {
		p.unexpected("INTO")
	}
	if p.err == nil {
		s.Source = p.queryBody()
	}
	s.Span = p.from(start)
	return s
}

// insertFunction reads ClickHouse's INSERT INTO FUNCTION f(…) SELECT …, of which
// the query is understood.
func (p *parser) insertFunction(w *sqltree.With, start int) sqltree.Statement {
	p.i++
	p.expr()
	if p.is("(") && !p.queryAt(p.i) {
		p.skip()
	}
	if p.isAny("SELECT", "WITH", "VALUES", "FROM") || p.queryAt(p.i) {
		q := p.queryBody()
		if q.With == nil {
			q.With = w
		}
		return &sqltree.Other{Span: p.from(start), Kind: "INSERT", Inner: q}
	}
	p.skipStatementPart()
	return &sqltree.Other{Span: p.from(start), Kind: "INSERT"}
}

func (p *parser) conflict(s *sqltree.Insert) {
	c := s.Conflict
	if c == nil {
		c = &sqltree.Conflict{}
	}
	start := p.start()
	p.expect("ON")
	s.Conflict = c
	if p.accept("DUPLICATE") {
		p.expect("KEY", "UPDATE")
		c.Set = p.assignmentList()
		c.Span = p.from(start)
		return
	}
	p.expect("CONFLICT")
	if p.accept("ON", "CONSTRAINT") {
		c.Constraint = p.identPtr()
	} else if p.is("(") {
		for _, k := range p.indexKeys() {
			c.Target = append(c.Target, k.Expr)
		}
		if p.accept("WHERE") {
			c.TargetWhere = p.expr()
		}
	}
	p.expect("DO")
	if !p.accept("NOTHING") {
		p.expect("UPDATE")
		c.Excluded = "excluded"
		c.Set = p.assignments()
		if p.accept("WHERE") {
			c.Where = p.expr()
		}
	}
	c.Span = p.from(start)
	if p.is("ON") && p.wordAt(1) == "CONFLICT" {
		s.Conflict = nil
		p.conflict(s)
		c.Next, s.Conflict = s.Conflict, c
		c.Span = p.from(start)
	}
}

func (p *parser) returning() []sqltree.SelectItem {
	if !p.accept("RETURNING") {
		return nil
	}
	items := p.items()
	if p.accept("INTO") {
		p.exprList()
	}
	return items
}

// assignments reads SET a = 1, (b, c) = (…).
func (p *parser) assignments() []sqltree.Assignment {
	p.expect("SET")
	return p.assignmentList()
}

func (p *parser) assignmentList() []sqltree.Assignment {
	var list []sqltree.Assignment
	for p.err == nil {
		var a sqltree.Assignment
		start := p.start()
		if p.accept("(") {
			for p.err == nil {
				a.Targets = append(a.Targets, p.target())
				if !p.accept(",") {
					break
				}
			}
			p.expect(")")
		} else {
			a.Targets = []sqltree.Column{p.target()}
		}
		switch p.word() {
		case "=", ":=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=":
			p.i++
		default:
			p.unexpected(`"="`)
		}
		if p.is("DEFAULT") && p.wordAt(1) != "(" {
			p.i++
		} else {
			a.Value = p.expr()
		}
		a.Span = p.from(start)
		list = append(list, a)
		if !p.accept(",") || p.trailingComma && p.isAny("WHERE", "FROM") {
			break
		}
	}
	return list
}

// target reads the column that is assigned to. Of subscripts behind it nothing
// is kept.
func (p *parser) target() sqltree.Column {
	if p.kind() == paramToken {
		p.i++ // UPDATE t SET @x = …
		id := p.identAt(p.i - 1)
		return sqltree.Column{Span: id.Span, Parts: []sqltree.Ident{id}}
	}
	if p.reserved(p.i) {
		p.unexpected("a column")
		return sqltree.Column{Parts: []sqltree.Ident{{}}}
	}
	n := p.name()
	c := sqltree.Column(n)
	if p.d == sqltree.Postgres && len(n.Parts) > 1 {
		// A qualifier cannot stand here: the rest is a path into the column.
		c.Span, c.Parts = n.Parts[0].Span, n.Parts[:1]
	}
	for p.err == nil && (p.is("[") || p.is(".")) {
		p.skip()
	}
	return c
}

func (p *parser) update(w *sqltree.With, start int) sqltree.Statement {
	s := &sqltree.Update{With: w}
	p.i++
	if p.accept("OR") {
		p.one()
	}
	for p.acceptAny("LOW_PRIORITY", "IGNORE") {
	}
	if k := p.kind(); k == paramToken || k == templateToken || p.is("?") || p.is(":") || p.is("{") || p.is("%") {
		return p.unknownTarget(start, "UPDATE")
	}
	s.Tables = p.tables()
	if p.err == nil && !p.is("SET") {
		p.unexpected("SET")
		return s
	}
	s.Set = p.assignments()
	if p.accept("FROM") {
		s.From = p.tables()
	}
	if p.accept("WHERE") {
		s.Where = p.expr()
	}
	s.OrderBy, s.Limit = p.orderLimit()
	s.Returning = p.returning()
	if p.d == sqltree.SQLite && s.OrderBy == nil && s.Limit == nil {
		s.OrderBy, s.Limit = p.orderLimit()
	}
	s.Span = p.from(start)
	return s
}

// orderLimit reads ORDER BY and LIMIT of UPDATE and DELETE.
func (p *parser) orderLimit() (order []sqltree.OrderItem, limit sqltree.Expr) {
	if p.accept("ORDER") {
		p.expect("BY")
		order = p.orderBy()
	}
	if p.accept("LIMIT") {
		limit = p.expr()
		if p.acceptAny(",", "OFFSET") {
			p.expr()
		}
	}
	if p.clickhouse && p.is("SETTINGS") {
		p.settings()
	}
	return order, limit
}

func (p *parser) delete(w *sqltree.With, start int) sqltree.Statement {
	s := &sqltree.Delete{With: w}
	p.i++
	for p.kind() == wordToken && (p.isAny("LOW_PRIORITY", "IGNORE") || strings.EqualFold(p.textAt(p.i), "quick")) {
		p.i++
	}
	if p.d == sqltree.MariaDB && p.is("HISTORY") && p.wordAt(1) == "FROM" {
		p.i++
	}
	switch {
	case p.accept("FROM"):
		if k := p.kind(); k == paramToken || k == templateToken || p.is("?") || p.is(":") || p.is("{") || p.is("%") {
			return p.unknownTarget(start, "DELETE")
		}
		if p.targetsAhead() {
			s.Targets = p.deleteTargets()
			p.expect("USING")
			s.From = p.tables()
		} else {
			s.From = []sqltree.TableExpr{p.joined()}
			if p.is("USING") {
				p.i++
				s.Using = p.tables()
			}
		}
	case p.multiDelete():
		s.Targets = p.deleteTargets()
		p.expect("FROM")
		s.From = p.tables()
	default:
		s.From = []sqltree.TableExpr{p.joined()}
	}
	if p.clickhouse && p.accept("ON", "CLUSTER") {
		p.skip()
	}
	if p.clickhouse && p.accept("IN") {
		p.accept("PARTITION")
		p.expr()
	}
	if p.accept("WHERE") {
		s.Where = p.expr()
	}
	s.OrderBy, s.Limit = p.orderLimit()
	s.Returning = p.returning()
	if p.d == sqltree.SQLite && s.OrderBy == nil && s.Limit == nil {
		s.OrderBy, s.Limit = p.orderLimit()
	}
	s.Span = p.from(start)
	return s
}

// multiDelete reports whether DELETE a, b FROM stands at the cursor.
func (p *parser) multiDelete() bool {
	for i := p.i; ; i++ {
		k := p.toks[i].kind
		switch {
		case p.isAt(i, "FROM"):
			return i > p.i
		case k != wordToken && k != quotedToken && !p.isAtSymbol(i, ".", ",", "*"), class[p.toks[i].word]&notOperand != 0:
			return false
		}
	}
}

// targetsAhead reports whether a, b USING stands at the cursor: MySQL's other
// form of DELETE from several tables.
func (p *parser) targetsAhead() bool {
	if p.d != sqltree.MySQL && p.d != sqltree.MariaDB {
		return false
	}
	for i := p.i; ; i++ {
		k := p.toks[i].kind
		switch {
		case p.isAt(i, "USING"):
			return i > p.i
		case k != wordToken && k != quotedToken && !p.isAtSymbol(i, ".", ",", "*"), class[p.toks[i].word]&notOperand != 0:
			return false
		}
	}
}

func (p *parser) deleteTargets() []sqltree.Name {
	var names []sqltree.Name
	for p.err == nil {
		start := p.start()
		parts := []sqltree.Ident{p.ident()}
		for p.accept(".") {
			if p.accept("*") {
				break
			}
			parts = append(parts, p.ident())
		}
		names = append(names, sqltree.Name{Span: p.from(start), Parts: parts})
		if !p.accept(",") {
			break
		}
	}
	return names
}

func (p *parser) merge(w *sqltree.With, start int) sqltree.Statement {
	s := &sqltree.Merge{With: w}
	p.expect("MERGE")
	p.accept("INTO")
	switch t := p.tableName().(type) {
	case *sqltree.TableRef:
		s.Target = *t
	default:
		return p.unknownTarget(start, "MERGE")
	}
	p.expect("USING")
	s.Source = p.joined()
	switch {
	case p.accept("USING"):
		s.Using = p.identList()
	default:
		p.expect("ON")
		s.On = p.expr()
	}
	if !p.is("WHEN") {
		p.unexpected("WHEN")
	}
	for p.is("WHEN") {
		s.Whens = append(s.Whens, p.mergeWhen())
	}
	s.Returning = p.returning()
	s.Span = p.from(start)
	return s
}

func (p *parser) mergeWhen() sqltree.MergeWhen {
	var w sqltree.MergeWhen
	start := p.start()
	p.expect("WHEN")
	w.Matched = !p.accept("NOT")
	p.expect("MATCHED")
	if p.accept("BY") {
		w.BySource = p.is("SOURCE")
		if !p.acceptAny("SOURCE", "TARGET") {
			p.unexpected("SOURCE or TARGET")
		}
	}
	if p.accept("AND") {
		w.Cond = p.expr()
	}
	p.expect("THEN")
	switch {
	case p.accept("UPDATE"):
		p.accept("ALL")
		if p.accept("BY") {
			p.one() // NAME
		} else if p.is("SET") && p.wordAt(1) == "*" {
			p.i += 2
		} else if p.is("SET") || !p.pathTables {
			w.Set = p.assignments()
		}
		if p.accept("WHERE") {
			w.Cond = p.expr()
		}
		if p.accept("DELETE", "WHERE") {
			p.expr()
		}
	case p.accept("INSERT"):
		p.accept("ALL")
		if p.accept("BY") {
			p.one()
		}
		if p.is("(") {
			w.Columns = p.mergeColumns()
		}
		if p.accept("OVERRIDING") {
			p.one()
			p.expect("VALUE")
		}
		switch {
		case p.accept("VALUES"):
			w.Values = p.valueRow()
		case p.accept("DEFAULT", "VALUES"), p.accept("ROW"), p.accept("*"):
		case !p.isAny("WHEN", "WHERE", "RETURNING") && !p.atEnd():
			p.unexpected("VALUES")
		}
		if p.accept("WHERE") {
			w.Cond = p.expr()
		}
	case p.accept("DELETE"):
	case p.accept("ERROR"):
		if !p.isAny("WHEN", "RETURNING") && !p.atEnd() {
			p.expr()
		}
	case p.accept("DO"):
		p.expect("NOTHING")
	default:
		p.unexpected("UPDATE, INSERT, DELETE or DO NOTHING")
	}
	w.Span = p.from(start)
	return w
}

// mergeColumns reads the column list of INSERT in MERGE, where the target's
// alias may stand before a column.
func (p *parser) mergeColumns() []sqltree.Ident {
	var ids []sqltree.Ident
	p.expect("(")
	for p.err == nil {
		ids = append(ids, p.name().Last())
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
	return ids
}
