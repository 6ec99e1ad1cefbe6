package generic

import (
	"fmt"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// queryBody reads a query without the parentheses around it.
func (p *parser) queryBody() *sqltree.Query {
	q := &sqltree.Query{}
	if !p.enter() {
		p.leave()
		return q
	}
	cases, closed, ternary, options := p.cases, p.closed, p.ternary, p.options
	p.cases, p.closed, p.ternary, p.options = 0, false, 0, 0
	start := p.start()
	if p.is("WITH") {
		q.With = p.with()
	}
	p.queryAfterWith(q, start)
	p.cases, p.closed, p.ternary, p.options = cases, closed, ternary, options
	p.leave()
	return q
}

// queryAfterWith reads what follows WITH, which began at start.
func (p *parser) queryAfterWith(q *sqltree.Query, start int) {
	at := p.start()
	q.Body = p.setOperation(0, p.operand(q), at)
	p.tail(q)
	for p.clickhouse && p.isAny("UNION", "INTERSECT", "EXCEPT") && p.err == nil {
		// Here every branch may have its own ORDER BY and LIMIT.
		left := &sqltree.Query{Span: p.from(at), Body: q.Body, OrderBy: q.OrderBy, Limit: q.Limit}
		q.OrderBy, q.Limit = nil, nil
		q.Body = p.setOperation(0, left, at)
		p.tail(q)
	}
	q.Span = p.from(start)
	for p.pipes && p.is("|>") && p.err == nil {
		p.pipe(q, start)
	}
	if in, ok := q.Body.(*sqltree.Query); ok && q.With == nil && q.OrderBy == nil && q.Limit == nil && q.Locks == nil {
		// Parentheses around everything.
		*q = *in
		q.Span = p.from(start)
	}
}

// operand reads one branch of a set operation.
func (p *parser) operand(q *sqltree.Query) sqltree.Body {
	start := p.start()
	switch p.word() {
	case "SELECT":
		return p.selectBody(q)
	case "VALUES":
		return p.values()
	case "TABLE":
		p.i++
		star := p.tokenSpan(p.i - 1)
		s := &sqltree.Select{Items: []sqltree.SelectItem{{Span: star, Expr: &sqltree.Star{Span: star}}}}
		s.From = []sqltree.TableExpr{p.tableName()}
		s.Span = p.from(start)
		return s
	case "WITH":
		if p.clickhouse { // every branch may have its own
			in := &sqltree.Query{With: p.with()}
			in.Body = p.operand(in)
			in.Span = p.from(start)
			return in
		}
	case "FROM":
		if p.fromFirst {
			return p.selectBody(q)
		}
	case "PIVOT", "UNPIVOT", "PIVOT_WIDER", "PIVOT_LONGER":
		if p.fromFirst {
			return p.pivotStatement()
		}
	case "DESCRIBE", "SHOW", "SUMMARIZE":
		if p.pathTables {
			return p.describedBody()
		}
	case "(":
		if p.queryAt(p.i) {
			p.i++
			in := p.queryBody()
			p.expect(")")
			if in.With == nil && in.OrderBy == nil && in.Limit == nil && in.Into == nil && in.Locks == nil {
				return in.Body
			}
			in.Span = p.from(start)
			return in
		}
	}
	if p.kind() == templateToken {
		p.i++
		return p.opaqueBody(p.from(start), nil)
	}
	p.unexpected("SELECT, VALUES or a query in parentheses")
	return &sqltree.Values{}
}

// opaqueBody is SELECT * from something that nothing is known about.
func (p *parser) opaqueBody(at span, inputs []sqltree.TableExpr) *sqltree.Select {
	s := &sqltree.Select{Span: at, From: []sqltree.TableExpr{&sqltree.Opaque{Span: at, Inputs: inputs}}}
	s.Items = []sqltree.SelectItem{{Span: at, Expr: &sqltree.Star{Span: at}}}
	return s
}

// setOperation reads the set operations that bind tighter than min, onto a first
// branch that began at start.
func (p *parser) setOperation(min int, left sqltree.Body, start int) sqltree.Body {
	for n := 0; p.err == nil; n++ {
		if n > maxHeight {
			p.fail(p.tokenSpan(p.i), "too many set operations in a row")
			break
		}
		i, prec := p.i, 1
		if p.isAny("INNER", "LEFT", "FULL") && p.unions {
			// BigQuery's FULL OUTER UNION ALL BY NAME.
			n := 1
			if p.wordAt(1) == "OUTER" {
				n = 2
			}
			if w := p.wordAt(n); w == "UNION" || w == "INTERSECT" || w == "EXCEPT" {
				p.i += n
			}
		}
		w := p.word()
		switch w {
		case "UNION", "EXCEPT":
		case "INTERSECT":
			prec = 2
		case "MINUS":
			if !p.minus {
				return left
			}
		default:
			p.i = i
			return left
		}
		if prec <= min {
			p.i = i
			return left
		}
		p.i++
		s := &sqltree.SetOp{Op: w, Left: left}
		if w == "MINUS" {
			s.Op = "EXCEPT"
		}
		if p.accept("ALL") {
			s.All = true
		} else {
			p.accept("DISTINCT")
		}
		p.accept("STRICT")
		if p.accept("BY", "NAME") || p.accept("CORRESPONDING") {
			s.ByName = true
			if p.acceptAny("ON", "BY") {
				p.skip()
			}
		}
		at := p.start()
		if s.Right = p.operand(nil); prec == 1 {
			s.Right = p.setOperation(1, s.Right, at)
		}
		s.Span = p.from(start)
		left = s
	}
	return left
}

func (p *parser) values() *sqltree.Values {
	v := &sqltree.Values{}
	start := p.start()
	p.expect("VALUES")
	for p.err == nil {
		if p.accept("ROW") || p.is("(") {
			v.Rows = append(v.Rows, p.valueRow())
		} else if p.clickhouse || p.d == sqltree.Generic || p.pathTables {
			v.Rows = append(v.Rows, []sqltree.Expr{p.expr()})
		} else {
			p.unexpected(`"("`)
		}
		if !p.is(",") {
			if !p.clickhouse || !p.is("(") {
				break
			}
			continue // ClickHouse lets the commas between rows out
		}
		p.i++
		if !p.is("(") && !p.is("ROW") && p.trailingComma {
			break
		}
	}
	v.Span = p.from(start)
	return v
}

func (p *parser) valueRow() []sqltree.Expr {
	p.expect("(")
	if p.accept(")") {
		return nil
	}
	row := make([]sqltree.Expr, 0, 8)
	for {
		row = append(row, p.expr())
		if !p.accept(",") || p.is(")") && p.trailingComma {
			break
		}
	}
	p.expect(")")
	return row
}

// The clauses of SELECT in the order of the text.
var clauseRank = map[string]int{
	"INTO": 1, "FROM": 2, "PREWHERE": 3, "WHERE": 4, "START": 5, "CONNECT": 5, "GROUP": 6, "HAVING": 7, "WINDOW": 8, "QUALIFY": 8,
}

func (p *parser) selectBody(q *sqltree.Query) *sqltree.Select {
	s := &sqltree.Select{}
	start := p.start()
	seen := map[string]bool{}
	others := p.others
	p.others = nil
	if p.accept("FROM") {
		seen["FROM"] = true
		s.From = p.tables()
		if !p.is("SELECT") {
			star := p.tokenSpan(p.i - 1)
			s.Items = []sqltree.SelectItem{{Span: star, Expr: &sqltree.Star{Span: star}}}
		}
	}
	if p.accept("SELECT") {
		p.selectList(s)
	}
	p.clauses(s, q, seen)
	s.Other = append(s.Other, p.others...)
	p.others = others
	s.Span = p.from(start)
	return s
}

// selectList reads what stands between SELECT and the first clause.
func (p *parser) selectList(s *sqltree.Select) {
	p.selectModifiers()
	if p.pipes && p.is("WITH") && p.toks[p.i+1].kind == wordToken && p.wordAt(2) == "OPTIONS" {
		p.i += 3 // DIFFERENTIAL_PRIVACY and the like
		p.skip()
	}
	switch {
	case p.accept("DISTINCT"):
		s.Distinct = true
		if p.is("ON") && p.wordAt(1) == "(" {
			p.i++
			s.DistinctOn = p.exprRow()
		}
	case p.is("ALL") && !p.isAtSymbol(p.i+1, ",", "."):
		p.i++
	}
	p.selectModifiers()
	if p.is("TOP") && (p.toks[p.i+1].kind == numberToken || p.toks[p.i+1].kind == paramToken || p.wordAt(1) == "(") {
		p.i++
		p.primary()
		p.accept("PERCENT")
		p.accept("WITH", "TIES")
	}
	if p.pipes && p.accept("AS", "VALUE") {
		p.valueItems(s)
		return
	}
	if p.pipes {
		p.accept("AS", "STRUCT")
	}
	if p.is("FROM") && p.d == sqltree.Postgres || p.atEnd() && p.d == sqltree.Postgres {
		return // SELECT FROM t has no columns
	}
	s.Items = p.items()
}

// valueItems reads the one value of SELECT AS VALUE: the fields of a structure are
// the columns; those of another value are not known.
func (p *parser) valueItems(s *sqltree.Select) {
	if p.is("STRUCT") && p.wordAt(1) == "(" && p.endsValue(int(p.toks[p.i+1].match)+1) {
		p.i += 2
		s.Items = p.items()
		p.expect(")")
		p.itemAlias()
		return
	}
	it := p.item()
	rest := &sqltree.Star{Span: it.Span, Filter: &sqltree.Unchecked{Span: it.Span}}
	s.Items = []sqltree.SelectItem{it, {Span: it.Span, Expr: rest}}
}

func (p *parser) endsValue(i int) bool {
	return p.endsItem(i) || p.isAt(i, "AS") || class[p.toks[i].word]&isClause != 0
}

// selectModifiers passes over MySQL's, which may stand around DISTINCT.
func (p *parser) selectModifiers() {
	for p.acceptAny("STRAIGHT_JOIN", "HIGH_PRIORITY", "SQL_SMALL_RESULT", "SQL_BIG_RESULT", "SQL_BUFFER_RESULT", "SQL_CACHE", "SQL_NO_CACHE",
		"SQL_CALC_FOUND_ROWS") {
	}
}

func (p *parser) isAtSymbol(i int, symbols ...string) bool {
	for _, s := range symbols {
		if p.isAt(i, s) {
			return true
		}
	}
	return false
}

// clauses reads the clauses of SELECT, which stand in a fixed order.
func (p *parser) clauses(s *sqltree.Select, q *sqltree.Query, seen map[string]bool) {
	last, lastWord := 0, ""
	for p.err == nil {
		w := p.word()
		if w == "INTO" && last == 0 && (p.wordAt(1) == "OUTFILE" || p.wordAt(1) == "DUMPFILE") && !p.clickhouse {
			p.intoFile()
			continue
		}
		rank := clauseRank[w]
		switch {
		case rank == 0, p.free[p.toks[p.i].word], w == "START" && p.wordAt(1) != "WITH", w == "CONNECT" && p.wordAt(1) != "BY",
			w == "INTO" && (q == nil || p.wordAt(1) == "OUTFILE" || p.wordAt(1) == "DUMPFILE" || last > rank && p.toks[p.i+1].kind == paramToken):
			return
		case w == "WINDOW" && p.wordAt(2) != "AS":
			return
		case seen[w]:
			p.fail(p.tokenSpan(p.i), "there is a second "+w+" clause")
			return
		case rank < last:
			p.fail(p.tokenSpan(p.i), fmt.Sprintf("clause %s stands behind %s", w, lastWord))
			return
		}
		seen[w], last, lastWord = true, rank, w
		p.i++
		switch w {
		case "INTO":
			if p.kind() == paramToken || p.is(":") {
				p.exprList() // variables
				break
			}
			p.acceptAny("TEMPORARY", "TEMP", "UNLOGGED")
			p.accept("TABLE")
			q.Into = p.namePtr()
			for p.accept(",") {
				p.name()
			}
		case "FROM":
			s.From = p.tables()
		case "PREWHERE":
			s.Other = append(s.Other, p.expr())
		case "WHERE":
			s.Where = p.expr()
		case "START":
			p.expect("WITH")
			s.Other = append(s.Other, p.expr())
		case "CONNECT":
			p.expect("BY")
			p.accept("NOCYCLE")
			s.Other = append(s.Other, p.expr())
		case "GROUP":
			p.expect("BY")
			p.groupBy(s)
		case "HAVING":
			s.Having = p.expr()
		case "WINDOW":
			for p.err == nil {
				start := p.start()
				name := p.ident()
				p.expect("AS")
				def := p.window()
				def.Name = &name
				def.Span = p.from(start)
				s.Windows = append(s.Windows, *def)
				if !p.accept(",") {
					break
				}
			}
		case "QUALIFY":
			s.Qualify = p.expr()
		}
	}
}

func (p *parser) groupBy(s *sqltree.Select) {
	if p.is("ALL") || p.is("DISTINCT") {
		if next := p.toks[p.i+1]; p.is("DISTINCT") || next.kind != symbolToken && p.operandFollows(1) && class[next.word]&notAlias == 0 && next.word != ids["SETTINGS"] {
			p.i++
		} else if !p.isAtSymbol(p.i+1, ".", "(") {
			p.i++
			s.GroupAll = true
			p.withTotals()
			return
		}
	}
	s.GroupBy = p.groupList()
	p.withTotals()
}

// withTotals passes over WITH ROLLUP, WITH CUBE and WITH TOTALS.
func (p *parser) withTotals() {
	for p.is("WITH") && (p.wordAt(1) == "ROLLUP" || p.wordAt(1) == "CUBE" || p.wordAt(1) == "TOTALS") {
		p.i += 2
	}
}

func (p *parser) groupList() []sqltree.Expr {
	var list []sqltree.Expr
	for p.err == nil {
		list = append(list, p.groupItem())
		p.acceptAny("ASC", "DESC")
		if !p.accept(",") || p.trailingComma && p.clauseEnds() {
			break
		}
	}
	return list
}

// clauseEnds reports whether a list ends here, behind its last comma.
func (p *parser) clauseEnds() bool {
	return p.atEnd() || class[p.toks[p.i].word]&isClause != 0
}

func (p *parser) groupItem() sqltree.Expr {
	start := p.start()
	switch {
	case p.isAny("ROLLUP", "CUBE") && p.wordAt(1) == "(":
		w := p.word()
		p.i++
		return p.op(w, start, p.exprRow()...)
	case p.accept("GROUPING", "SETS"):
		p.expect("(")
		list := p.groupList()
		p.expect(")")
		return p.op("GROUPING SETS", start, list...)
	}
	return p.expr()
}

// items reads a select list or that of RETURNING.
func (p *parser) items() []sqltree.SelectItem {
	items := make([]sqltree.SelectItem, 0, 4)
	for p.err == nil {
		items = append(items, p.item())
		if !p.accept(",") {
			break
		}
		if p.trailingComma && (p.atEnd() || p.isAny("FROM", "WHERE", "GROUP", "ORDER", "LIMIT", "UNION", "INTO", "HAVING", "QUALIFY", "|>")) {
			break
		}
	}
	return items
}

func (p *parser) item() sqltree.SelectItem {
	var it sqltree.SelectItem
	start := p.start()
	if p.aliasFirst && p.isName() && p.wordAt(1) == ":" && p.toks[p.i+1].kind == symbolToken {
		id := p.ident()
		it.Alias = &id
		p.i++
		it.Expr = p.expr()
		it.Span = p.from(start)
		return it
	}
	if p.is("*") && !(p.columnsStar && p.wordAt(1) == "COLUMNS") {
		p.i++
		s := &sqltree.Star{Span: p.from(start)}
		p.starModifiers(s, start)
		it.Expr = s
	} else {
		it.Expr = p.expr()
	}
	it.Alias = p.itemAlias()
	it.Span = p.from(start)
	return it
}

func (p *parser) itemAlias() *sqltree.Ident {
	if p.is("AS") {
		p.i++
		switch {
		case p.isStringName():
			p.i++
			id := p.identAt(p.i - 1)
			return &id
		case p.is("(") && p.d == sqltree.Generic:
			p.skip() // AS (a, b) of a generator
			return nil
		case !p.isName() || p.reserved(p.i) && !p.endsItem(p.i+1):
			p.unexpected("an alias")
			return nil
		}
		return p.identPtr()
	}
	if p.bareAlias() || p.isStringName() && p.stringAlias {
		if p.kind() == stringToken {
			p.i++
			id := p.identAt(p.i - 1)
			return &id
		}
		return p.identPtr()
	}
	return nil
}

// endsItem reports whether a select item ends before token i.
func (p *parser) endsItem(i int) bool {
	return p.toks[i].kind == endToken || p.isAtSymbol(i, ",", ";", ")", "FROM")
}

// bareAlias reports whether the token at the cursor is an alias without AS: a
// word that begins nothing else there.
func (p *parser) bareAlias() bool {
	switch p.kind() {
	case quotedToken, templateToken:
		return true
	case wordToken:
	default:
		return false
	}
	t := p.toks[p.i]
	if t.word == 0 {
		return true
	}
	if class[t.word]&notAlias != 0 {
		if p.d == sqltree.SQLite && p.endsItem(p.i+1) && p.isAny("OFFSET", "FOR", "BY", "ASC", "DESC", "WINDOW") {
			return true // a name, as nothing follows that it could begin
		}
		return p.free[t.word] && !(p.cases > 0 && p.is("END")) || p.is("SOUNDS") && p.wordAt(1) != "LIKE"
	}
	next := p.wordAt(1)
	switch w := spellings[t.word]; w {
	case "FORMAT":
		return !p.clickhouse || p.toks[p.i+1].kind != wordToken
	case "SETTINGS":
		return !(p.clickhouse && p.wordAt(2) == "=")
	case "FINAL":
		return !p.clickhouse
	case "SAMPLE":
		k := p.toks[p.i+1].kind
		return k != numberToken && next != "(" && !(k == wordToken && p.wordAt(2) == "(")
	case "ARRAY", "ANY", "ALL", "ASOF", "SEMI", "ANTI", "GLOBAL", "POSITIONAL", "PASTE":
		return !p.joinAhead()
	case "PIVOT", "UNPIVOT":
		return next != "(" && next != "INCLUDE" && next != "EXCLUDE" && !(next == "XML" && p.wordAt(2) == "(")
	case "BEFORE":
		return next != "(" && next != "SYSTEM_TIME"
	case "MATCH_RECOGNIZE", "CHANGES", "OPTION", "MATCH_CONDITION", "PARTITION":
		return next != "("
	case "MINUS":
		return !p.minus
	case "START":
		return next != "WITH"
	case "CONNECT", "CLUSTER", "DISTRIBUTE", "SORT", "INDEXED":
		return next != "BY"
	case "AT":
		return next != "(" && next != "TIME" && next != "LOCAL"
	case "FORCE", "USE", "IGNORE":
		return next != "INDEX" && next != "KEY"
	case "VERSION", "TIMESTAMP", "SYSTEM_TIME":
		return next != "AS" || p.wordAt(2) != "OF"
	case "INCLUDE":
		return next != "NULLS"
	case "REPLACE", "EXCLUDE", "RENAME":
		return next != "(" && next != "NULLS"
	case "LOCK":
		return next != "IN"
	case "PROCEDURE":
		return !p.stringAlias
	case "WAIT":
		return p.toks[p.i+1].kind != numberToken
	case "MATCH", "MOD":
		return p.toks[p.i+1].kind == endToken || !p.operandFollows(1)
	}
	return true
}

// orderBy reads the list behind ORDER BY.
func (p *parser) orderBy() []sqltree.OrderItem {
	var items []sqltree.OrderItem
	for p.err == nil {
		var it sqltree.OrderItem
		start := p.start()
		if p.is("ALL") && (p.atEndOf(p.i+1) || p.isAtSymbol(p.i+1, "ASC", "DESC", "NULLS", "LIMIT", "OFFSET", ",")) {
			p.i++
			it.All = true
		} else {
			it.Expr = p.argument()
		}
		switch {
		case p.accept("DESC"):
			it.Desc = true
		case p.accept("ASC"):
		case p.accept("USING"):
			if p.kind() == symbolToken {
				p.i++
			} else if p.accept("OPERATOR") {
				p.skip()
			}
		}
		if p.accept("NULLS") {
			if !p.acceptAny("FIRST", "LAST") {
				p.unexpected("FIRST or LAST")
			}
		}
		if p.accept("COLLATE") {
			p.skip()
		}
		if p.clickhouse && p.accept("WITH", "FILL") {
			for p.acceptAny("FROM", "TO", "STEP", "STALENESS") {
				p.expr()
			}
		}
		it.Span = p.from(start)
		items = append(items, it)
		if !p.accept(",") || p.trailingComma && p.clauseEnds() {
			break
		}
	}
	if p.clickhouse && p.accept("INTERPOLATE") && p.is("(") {
		p.skip()
	}
	return items
}

func (p *parser) atEndOf(i int) bool {
	return p.toks[i].kind == endToken || p.isAtSymbol(i, ";", ")")
}

// tail reads ORDER BY, LIMIT and what else may stand behind a query's body.
func (p *parser) tail(q *sqltree.Query) {
	limited, ordered := false, false
	for p.err == nil {
		switch p.word() {
		case "ORDER":
			if ordered {
				p.fail(p.tokenSpan(p.i), "there is a second ORDER BY clause")
				return
			}
			if limited {
				p.fail(p.tokenSpan(p.i), "clause ORDER BY stands behind LIMIT")
				return
			}
			p.i++
			p.accept("SIBLINGS")
			p.expect("BY")
			q.OrderBy = p.orderBy()
			ordered = true
		case "LIMIT":
			p.i++
			by := p.limit(q)
			limited = limited || !by
		case "OFFSET":
			p.i++
			limited = true
			q.Limit = append(q.Limit, p.expr())
			p.acceptAny("ROW", "ROWS")
		case "FETCH":
			p.i++
			limited = true
			short := p.d == sqltree.Snowflake
			if !p.acceptAny("FIRST", "NEXT") && !short {
				p.unexpected("FIRST or NEXT")
			}
			if !p.isAny("ROW", "ROWS") {
				q.Limit = append(q.Limit, p.binary(precAdd-1))
				p.accept("PERCENT")
			}
			if !p.acceptAny("ROW", "ROWS") && !short {
				p.unexpected("ROW or ROWS")
			}
			if !p.accept("ONLY") && !(short && !p.is("WITH")) {
				p.expect("WITH", "TIES")
			}
		case "FOR":
			if !p.locking(q) {
				return
			}
		case "LOCK":
			if !p.accept("LOCK", "IN", "SHARE", "MODE") {
				return
			}
			p.waiting()
		case "CLUSTER", "DISTRIBUTE", "SORT":
			if p.wordAt(1) != "BY" {
				return
			}
			p.i += 2
			q.OrderBy = append(q.OrderBy, p.orderBy()...)
		case "SETTINGS":
			if !p.clickhouse {
				return
			}
			p.settings()
		case "FORMAT":
			if !p.clickhouse {
				return
			}
			p.i++
			p.ident()
		case "INTO":
			if p.wordAt(1) == "OUTFILE" || p.wordAt(1) == "DUMPFILE" {
				p.intoFile()
				continue
			}
			if p.wordAt(1) == "" && p.toks[p.i+1].kind == paramToken {
				p.i++
				p.exprList()
				continue
			}
			return
		case "PROCEDURE":
			if !p.stringAlias || p.wordAt(2) != "(" {
				return
			}
			p.i += 2
			p.skip() // ANALYSE(…) of MariaDB
		case "USING":
			if p.wordAt(1) != "SAMPLE" {
				return
			}
			p.i++
			p.tableModifiers()
		case "OPTION":
			if p.wordAt(1) != "(" {
				return
			}
			p.i++
			p.skip()
		case "WITH":
			if !p.accept("WITH", "TIES") {
				return
			}
		default:
			return
		}
	}
}

// intoFile passes over INTO OUTFILE 'f' with its options, of MySQL and of
// ClickHouse.
func (p *parser) intoFile() {
	p.i += 2
	if p.clickhouse {
		for !p.atEnd() && !p.isAny("FORMAT", "SETTINGS") {
			p.skip()
		}
		return
	}
	for p.kind() == stringToken || p.kind() == paramToken || p.kind() == wordToken && fileWords[strings.ToLower(p.textAt(p.i))] ||
		p.kind() == wordToken && p.isAt(p.i-1, "SET") {
		p.i++
	}
}

// fileWords are those of the options of INTO OUTFILE.
var fileWords = wordSet("character charset set fields columns lines terminated optionally enclosed escaped starting by")

// settings passes over SETTINGS a = 1, b = 2.
func (p *parser) settings() {
	p.i++
	for p.err == nil {
		p.ident()
		if p.accept("=") {
			p.binary(precComparison)
		}
		if !p.accept(",") {
			return
		}
	}
}

// limit reads what follows LIMIT. It reports whether it is ClickHouse's LIMIT BY,
// behind which another LIMIT may come.
func (p *parser) limit(q *sqltree.Query) (by bool) {
	if p.accept("ALL") {
		q.Limit = append(q.Limit, p.literalAll())
		return false
	}
	if p.accept("ROWS", "EXAMINED") {
		q.Limit = append(q.Limit, p.binary(precComparison))
		return false
	}
	q.Limit = append(q.Limit, p.binary(precComparison))
	if p.is("%") || p.is("PERCENT") {
		p.i++
	}
	if p.accept(",") {
		q.Limit = append(q.Limit, p.binary(precComparison))
	}
	if p.accept("OFFSET") {
		q.Limit = append(q.Limit, p.binary(precComparison))
		p.acceptAny("ROW", "ROWS")
	}
	p.accept("WITH", "TIES")
	if p.accept("ROWS", "EXAMINED") {
		p.binary(precComparison)
	}
	if p.clickhouse && p.accept("BY") {
		if p.accept("ALL") {
			return true
		}
		q.Limit = append(q.Limit, p.exprList()...)
		return true
	}
	return false
}

func (p *parser) literalAll() sqltree.Expr {
	return p.literal(sqltree.NullLiteral, int(p.toks[p.i-1].start), "all")
}

// locking reads FOR UPDATE OF a, b NOWAIT and its kin.
func (p *parser) locking(q *sqltree.Query) bool {
	switch p.wordAt(1) {
	case "UPDATE", "SHARE":
	case "NO", "KEY", "READ":
	case "JSON", "XML":
		if p.d != sqltree.Generic {
			return false
		}
		p.skipStatementPart()
		return true
	default:
		return false
	}
	p.i++
	for p.acceptAny("NO", "KEY", "UPDATE", "SHARE", "READ", "ONLY") {
	}
	if p.accept("OF") {
		q.Locks = append(q.Locks, p.name())
		for p.accept(",") {
			q.Locks = append(q.Locks, p.name())
		}
	}
	p.waiting()
	return true
}

// waiting passes over what a lock does when another one holds it.
func (p *parser) waiting() {
	switch {
	case p.accept("NOWAIT"):
	case p.accept("SKIP"):
		p.expect("LOCKED")
	case p.is("WAIT") && p.toks[p.i+1].kind == numberToken:
		p.i += 2
	}
}

func (p *parser) skipStatementPart() {
	for !p.atEnd() {
		p.skip()
	}
}

// ---- WITH

func (p *parser) with() *sqltree.With {
	w := &sqltree.With{}
	start := p.start()
	p.expect("WITH")
	if p.is("RECURSIVE") && (p.toks[p.i+1].kind == wordToken && p.wordAt(1) != "AS" || p.toks[p.i+1].kind == quotedToken || p.toks[p.i+1].kind == templateToken) {
		p.i++
		w.Recursive = true
	}
	for p.err == nil {
		w.CTEs = append(w.CTEs, p.cte())
		if !p.accept(",") || p.trailingComma && (p.isAny("SELECT", "FROM", "INSERT") || p.is("(") && !p.clickhouse) {
			break
		}
	}
	w.Span = p.from(start)
	return w
}

func (p *parser) cte() *sqltree.CTE {
	start := p.start()
	c := &sqltree.CTE{}
	if p.clickhouse && !p.cteAhead() {
		c.Scalar = p.binary(0)
		if !p.is("AS") {
			p.unexpected("AS")
			return c
		}
		p.i++
		c.Name = p.ident()
		if p.scalars == nil {
			p.scalars = map[string]bool{}
		}
		p.scalars[c.Name.Name] = true
		c.Span = p.from(start)
		return c
	}
	c.Name = p.ident()
	if p.is("(") {
		c.Columns = p.identList()
	}
	if p.accept("USING", "KEY") {
		p.skip()
	}
	p.expect("AS")
	p.accept("NOT")
	p.accept("MATERIALIZED")
	if p.kind() == templateToken {
		p.i++
		at := p.tokenSpan(p.i - 1)
		c.Body = &sqltree.Query{Span: at, Body: p.opaqueBody(at, nil)}
	} else {
		p.expect("(")
		c.Body = p.nested()
		p.expect(")")
	}
	if p.accept("SEARCH") {
		for !p.atEnd() && !p.is("SET") {
			p.i++
		}
		p.expect("SET")
		c.Added = append(c.Added, p.ident())
	}
	if (p.d == sqltree.MariaDB || p.d == sqltree.MySQL) && p.accept("CYCLE") {
		p.ident()
		for p.accept(",") {
			p.ident()
		}
		p.expect("RESTRICT")
	}
	if p.accept("CYCLE") {
		for !p.atEnd() && !p.is("SET") {
			p.i++
		}
		p.expect("SET")
		c.Added = append(c.Added, p.ident())
		for !p.atEnd() && !p.isAny("USING", ",", "SELECT") {
			p.skip()
		}
		if p.accept("USING") {
			c.Added = append(c.Added, p.ident())
		}
	}
	c.Span = p.from(start)
	return c
}

// cteAhead reports whether name AS (SELECT …) stands at the cursor, and not
// ClickHouse's expression AS name.
func (p *parser) cteAhead() bool {
	if !p.isName() {
		return false
	}
	i := p.i + 1
	if p.isAt(i, "(") {
		i = int(p.toks[i].match) + 1
	}
	return p.isAt(i, "AS") && (p.isAt(i+1, "(") || p.isAt(i+1, "MATERIALIZED") || p.isAt(i+1, "NOT"))
}

// modifies reports whether a statement that changes rows begins at the cursor.
func (p *parser) modifies() bool {
	return p.isAny("INSERT", "UPDATE", "DELETE", "MERGE") || p.is("REPLACE") && p.wordAt(1) == "INTO"
}

// nested reads a statement in parentheses: a query, or one that modifies data.
func (p *parser) nested() sqltree.Statement {
	start := p.start()
	if p.is("WITH") {
		w := p.with()
		if p.modifies() {
			return p.modifying(w, start)
		}
		q := &sqltree.Query{With: w}
		p.queryAfterWith(q, start)
		return q
	}
	if p.modifies() {
		return p.modifying(nil, start)
	}
	return p.queryBody()
}
