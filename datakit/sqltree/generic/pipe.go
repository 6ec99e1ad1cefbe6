package generic

import (
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// pipe reads one |> operator of BigQuery onto the query before it. Operators
// that keep what is in scope go into the SELECT at hand while it has no list of
// its own; others begin a SELECT around it. One that this does not know makes
// the result opaque: its columns are not known from there on.
func (p *parser) pipe(q *sqltree.Query, start int) {
	at := p.start()
	p.i++
	s := p.pipeSelect(q)
	first := p.i
	if p.kind() != wordToken {
		p.unexpected("a pipe operator")
		return
	}
	word := strings.ToUpper(p.textAt(p.i))
	p.i++
	switch word {
	case "WHERE":
		e := p.expr()
		if !bareStar(s) {
			s = p.pipeWrap(q, start)
		}
		s.Where = conjunction(s.Where, e)
	case "SELECT":
		if !bareStar(s) {
			s = p.pipeWrap(q, start)
		}
		s.Items = nil
		p.selectList(s)
		if p.accept("WINDOW") {
			p.i--
			p.clauses(s, q, map[string]bool{})
		}
	case "EXTEND", "WINDOW":
		if !bareStar(s) {
			s = p.pipeWrap(q, start)
		}
		s.Items = append(s.Items, p.items()...)
	case "AGGREGATE":
		if !bareStar(s) {
			s = p.pipeWrap(q, start)
		}
		p.pipeAggregate(s)
	case "DISTINCT":
		if !bareStar(s) {
			s = p.pipeWrap(q, start)
		}
		s.Distinct = true
	case "ORDER":
		p.expect("BY")
		if q.OrderBy != nil {
			p.pipeWrap(q, start)
		}
		q.OrderBy = p.orderBy()
	case "LIMIT":
		if q.Limit != nil {
			p.pipeWrap(q, start)
		}
		p.limit(q)
	case "AS":
		alias := p.identPtr()
		s = p.pipeWrap(q, start)
		setAlias(s.From[0], sqltree.Alias{Name: alias}, p.from(start))
	case "JOIN", "LEFT", "RIGHT", "FULL", "INNER", "CROSS":
		p.i = first
		if !bareStar(s) || s.Where != nil || len(s.From) != 1 || q.Limit != nil {
			s = p.pipeWrap(q, start)
		}
		s.From[0] = p.pipeJoin(s.From[0])
	case "UNION", "INTERSECT", "EXCEPT":
		p.i = first
		p.pipeSet(q, start)
	case "DROP", "RENAME", "SET":
		p.pipeColumns(p.pipeWrap(q, start), word)
	case "PIVOT", "UNPIVOT":
		p.i = first
		s = p.pipeWrap(q, start)
		s.From[0] = p.behindTable(start, s.From[0])
	case "TABLESAMPLE":
		p.i = first
		p.tableModifiers()
	default:
		for !p.atEnd() && !p.is("|>") {
			p.skip()
		}
		p.note(p.from(at), "pipe operator is not read")
		inner := *q
		*q = sqltree.Query{Body: p.opaqueBody(p.from(start), []sqltree.TableExpr{&sqltree.Derived{Span: inner.Span, Query: &inner}})}
	}
	q.Span = p.from(start)
	if s, ok := q.Body.(*sqltree.Select); ok {
		s.Span = span{Start: min(start, s.Start), End: q.End}
		if q.With != nil && s.Start == q.Start {
			s.Start = q.With.End
		}
	}
}

// bareStar reports whether a SELECT is no more than SELECT * with conditions.
func bareStar(s *sqltree.Select) bool {
	if len(s.Items) != 1 || s.Distinct || s.GroupBy != nil || s.GroupAll {
		return false
	}
	star, ok := s.Items[0].Expr.(*sqltree.Star)
	return ok && star.Qualifier == nil && star.Except == nil && star.Replace == nil && star.Rename == nil && star.Filter == nil
}

// pipeSelect returns the SELECT that an operator can add to.
func (p *parser) pipeSelect(q *sqltree.Query) *sqltree.Select {
	if s, ok := q.Body.(*sqltree.Select); ok && q.Limit == nil {
		return s
	}
	return p.pipeWrap(q, q.Start)
}

// pipeWrap makes the query a subquery of SELECT *. Where its rows come from one
// relation with a name and its list keeps them, the name stays in scope; where
// they come from several, all do, and the subquery is opaque.
func (p *parser) pipeWrap(q *sqltree.Query, start int) *sqltree.Select {
	inner := *q
	inner.With = nil
	d := &sqltree.Derived{Span: inner.Span, Query: &inner}
	from := sqltree.TableExpr(d)
	if s, ok := inner.Body.(*sqltree.Select); ok && len(s.Items) > 0 {
		star, ok := s.Items[0].Expr.(*sqltree.Star)
		if ok = ok && star.Qualifier == nil; ok && len(s.From) == 1 {
			switch t := s.From[0].(type) {
			case *sqltree.TableRef:
				d.Alias.Name = t.Alias.Name
				if d.Alias.Name == nil && len(t.Name.Parts) > 0 {
					last := t.Name.Last()
					d.Alias.Name = &last
				}
			case *sqltree.Derived:
				d.Alias.Name = t.Alias.Name
			case *sqltree.Join:
				// All its names stay in scope, which no subquery can say.
				from = &sqltree.Opaque{Span: inner.Span, Inputs: []sqltree.TableExpr{d}}
			}
		}
	}
	s := &sqltree.Select{Span: inner.Span, From: []sqltree.TableExpr{from}}
	s.Items = []sqltree.SelectItem{{Span: inner.Span, Expr: &sqltree.Star{Span: inner.Span}}}
	*q = sqltree.Query{Span: inner.Span, With: q.With, Body: s}
	return s
}

func conjunction(a, b sqltree.Expr) sqltree.Expr {
	if a == nil {
		return b
	}
	if op, ok := a.(*sqltree.Op); ok && op.Name == "AND" {
		op.Args = append(op.Args, b)
		op.End = b.Pos().End
		return op
	}
	return &sqltree.Op{Span: span{Start: a.Pos().Start, End: b.Pos().End}, Name: "AND", Args: []sqltree.Expr{a, b}}
}

// pipeAggregate reads AGGREGATE list GROUP [AND ORDER] BY list: the keys come
// first in the result.
func (p *parser) pipeAggregate(s *sqltree.Select) {
	s.Items = nil
	var aggregates []sqltree.SelectItem
	if !p.is("GROUP") {
		aggregates = p.pipeItems()
	}
	if p.accept("GROUP") {
		p.accept("AND", "ORDER")
		p.expect("BY")
		for _, it := range p.pipeItems() {
			s.GroupBy = append(s.GroupBy, it.Expr)
			if op, ok := it.Expr.(*sqltree.Op); !ok || op.Name != "ROLLUP" && op.Name != "CUBE" && op.Name != "GROUPING SETS" {
				s.Items = append(s.Items, it)
			}
		}
	}
	s.Items = append(s.Items, aggregates...)
	if s.GroupBy == nil {
		s.GroupAll = true
	}
}

// pipeItems reads select items that may have an order behind them.
func (p *parser) pipeItems() []sqltree.SelectItem {
	var items []sqltree.SelectItem
	for p.err == nil {
		start := p.start()
		it := sqltree.SelectItem{Expr: p.groupItem()}
		it.Alias = p.itemAlias()
		it.Span = p.from(start)
		p.acceptAny("ASC", "DESC")
		if p.accept("NULLS") {
			p.acceptAny("FIRST", "LAST")
		}
		items = append(items, it)
		if !p.accept(",") || p.atEnd() || p.isAny("GROUP", "|>") {
			break
		}
	}
	return items
}

// pipeJoin reads the joins of one operator onto a table.
func (p *parser) pipeJoin(left sqltree.TableExpr) sqltree.TableExpr {
	j, _ := p.joinOperator()
	if j == nil {
		p.unexpected("JOIN")
		return left
	}
	j.Left, j.Right = left, p.tablePrimary()
	p.joinCondition(j)
	j.Span = p.from(left.Pos().Start)
	return j
}

// pipeSet reads UNION ALL (…), (…).
func (p *parser) pipeSet(q *sqltree.Query, start int) {
	inner := *q
	inner.With = nil
	op := p.word()
	p.i++
	all := p.accept("ALL")
	p.accept("DISTINCT")
	byName := p.accept("BY", "NAME")
	var left sqltree.Body = &inner
	for p.err == nil {
		right := p.operand(nil)
		left = &sqltree.SetOp{Span: p.from(start), Op: op, All: all, ByName: byName, Left: left, Right: right}
		if !p.accept(",") {
			break
		}
	}
	*q = sqltree.Query{With: q.With, Body: left}
}

// pipeColumns reads DROP a, b; RENAME a AS b; SET a = expr.
func (p *parser) pipeColumns(s *sqltree.Select, word string) {
	star := s.Items[0].Expr.(*sqltree.Star)
	for p.err == nil {
		start := p.start()
		id := p.ident()
		switch word {
		case "DROP":
			star.Except = append(star.Except, id)
		case "RENAME":
			p.accept("AS")
			to := p.ident()
			star.Rename = append(star.Rename, sqltree.SelectItem{Span: p.from(start), Expr: p.column(id), Alias: &to})
		case "SET":
			p.expect("=")
			e := p.expr()
			star.Replace = append(star.Replace, sqltree.SelectItem{Span: p.from(start), Expr: e, Alias: &id})
		}
		if !p.accept(",") || p.atEnd() || p.is("|>") {
			break
		}
	}
	star.Span = p.from(star.Start)
	s.Items[0].Span = star.Span
}
