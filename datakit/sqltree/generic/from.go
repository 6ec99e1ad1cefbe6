package generic

import (
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// tables reads the comma list of FROM.
func (p *parser) tables() []sqltree.TableExpr {
	var list []sqltree.TableExpr
	for p.err == nil {
		list = append(list, p.joined())
		if len(list) > 1 && p.d == sqltree.SQLite && p.isAny("ON", "USING") {
			list = []sqltree.TableExpr{p.commaJoin(list)}
		}
		if !p.accept(",") || p.trailingComma && (p.atEnd() || p.isAny("WHERE", "GROUP", "ORDER", "LIMIT", "SELECT", "|>")) {
			break
		}
	}
	return list
}

// commaJoin reads the condition that SQLite lets follow an entry of a comma list,
// and the joins behind it.
func (p *parser) commaJoin(list []sqltree.TableExpr) sqltree.TableExpr {
	left := list[0]
	start := left.Pos().Start
	for i, right := range list[1:] {
		j := &sqltree.Join{Span: span{Start: start, End: right.Pos().End}, Kind: sqltree.CrossJoin, Left: left, Right: right}
		if i == len(list)-2 {
			j.Kind = sqltree.InnerJoin
			p.joinCondition(j)
			j.Span = p.from(start)
		}
		left = j
	}
	return p.joins(left, start)
}

// chained is a join with its right side; its left side is all before it.
type chained struct {
	join       *sqltree.Join
	right      sqltree.TableExpr
	start, end int // of the right side
	complete   bool
}

// joined reads an entry of FROM with the joins behind it. Joins chain to the
// left. A condition belongs to the join before it; where that has one, to the
// nearest without: a JOIN b JOIN c ON x ON y nests.
func (p *parser) joined() sqltree.TableExpr {
	if !p.enter() {
		p.leave()
		return &sqltree.Opaque{}
	}
	start := p.start()
	t := p.joins(p.tablePrimary(), start)
	p.leave()
	return t
}

// joins reads the joins behind an entry that began at start.
func (p *parser) joins(first sqltree.TableExpr, start int) sqltree.TableExpr {
	var chain []chained
	for n := 0; p.err == nil; n++ {
		if n > maxHeight {
			p.fail(p.tokenSpan(p.i), "too many joins in a row")
			break
		}
		if p.clickhouse && p.arrayJoin(&first, &chain, start) {
			continue
		}
		j, apply := p.joinOperator()
		if j == nil {
			break
		}
		c := chained{join: j, start: p.start()}
		c.right = p.tablePrimary()
		if d, ok := c.right.(*sqltree.Derived); ok && apply {
			d.Lateral = true
		}
		c.complete = p.joinCondition(j) || j.Natural || j.Kind == sqltree.CrossJoin
		c.end = p.from(start).End
		chain = append(chain, c)
		for k := len(chain) - 1; k >= 0 && p.is("ON") && p.err == nil; k-- {
			if chain[k].complete {
				continue
			}
			c := &chain[k]
			if !p.joinCondition(c.join) {
				break
			}
			c.right = fold(c.right, c.start, chain[k+1:])
			c.complete, c.end = true, p.from(start).End
			chain = chain[:k+1]
		}
	}
	return fold(first, start, chain)
}

// fold joins what a chain holds to its left side, which begins at start.
func fold(left sqltree.TableExpr, start int, chain []chained) sqltree.TableExpr {
	for _, c := range chain {
		c.join.Left, c.join.Right = left, c.right
		c.join.Span = span{Start: start, End: c.end}
		left = c.join
	}
	return left
}

// joinCondition reads ON or USING of a join.
func (p *parser) joinCondition(j *sqltree.Join) bool {
	if p.is("MATCH_CONDITION") && p.wordAt(1) == "(" {
		p.i += 2
		j.On = p.expr()
		p.expect(")")
	}
	switch {
	case p.is("ON") && p.wordAt(1) != "CONFLICT" && p.wordAt(1) != "DUPLICATE":
		p.i++
		on := p.expr()
		if j.On != nil {
			on = &sqltree.Op{Span: span{Start: j.On.Pos().Start, End: on.Pos().End}, Name: "AND", Args: []sqltree.Expr{j.On, on}}
		}
		j.On = on
		return true
	case p.is("USING") && (p.wordAt(1) == "(" || p.clickhouse):
		p.i++
		if p.is("(") {
			j.Using = p.identList()
		} else {
			j.Using = []sqltree.Ident{p.ident()}
			for p.accept(",") {
				j.Using = append(j.Using, p.ident())
			}
		}
		if p.is("AS") && p.d == sqltree.Postgres {
			p.i++
			j.UsingAlias = p.identPtr()
		}
		return true
	}
	return j.On != nil
}

// joinWords may stand before JOIN.
var joinWords = wordSet("natural global local any all asof semi anti inner left right full outer cross positional paste")

// joinAhead reports whether a join begins at the cursor.
func (p *parser) joinAhead() bool {
	for i := p.i; i < p.i+6; i++ {
		switch spellings[p.toks[i].word] {
		case "JOIN":
			return true
		case "APPLY":
			return i > p.i
		case "ARRAY":
			return p.isAt(i+1, "JOIN")
		case "", "(", ")", ",", ";":
			return false
		}
		if !joinWords[strings.ToLower(p.textAt(i))] || p.free[p.toks[i].word] {
			return false
		}
	}
	return false
}

// joinOperator reads the words of a join; nil if there is none.
func (p *parser) joinOperator() (j *sqltree.Join, apply bool) {
	if p.accept("STRAIGHT_JOIN") {
		return &sqltree.Join{Kind: sqltree.InnerJoin}, false
	}
	if p.is("OUTER") && (p.d == sqltree.MySQL || p.d == sqltree.MariaDB) {
		return nil, false // FULL before it is an alias there
	}
	if class[p.toks[p.i].word]&notAlias == 0 && !p.isAny("ANY", "ALL", "ASOF", "SEMI", "ANTI", "GLOBAL", "POSITIONAL", "PASTE", "LOCAL") || !p.joinAhead() {
		return nil, false
	}
	j = &sqltree.Join{Kind: sqltree.InnerJoin}
	for {
		w := p.word()
		p.i++
		switch w {
		case "NATURAL":
			j.Natural = true
		case "LEFT", "RIGHT", "FULL", "CROSS":
			if j.Kind == sqltree.InnerJoin || j.Kind == sqltree.LeftJoin {
				j.Kind = sqltree.JoinKind(w)
			}
		case "ASOF", "SEMI", "ANTI", "POSITIONAL", "PASTE":
			j.Kind = sqltree.JoinKind(w)
		case "OUTER":
			if j.Kind == sqltree.InnerJoin {
				j.Kind = sqltree.LeftJoin // OUTER APPLY
			}
		case "JOIN":
			return j, false
		case "APPLY":
			return j, true
		}
	}
}

// arrayJoin reads ClickHouse's [LEFT] ARRAY JOIN a AS x, b. An array without a
// new name is unfolded in place: it only decides how many rows there are.
func (p *parser) arrayJoin(left *sqltree.TableExpr, chain *[]chained, start int) bool {
	if !p.accept("ARRAY", "JOIN") && !p.accept("LEFT", "ARRAY", "JOIN") && !p.accept("INNER", "ARRAY", "JOIN") {
		return false
	}
	*left = fold(*left, start, *chain)
	*chain = nil
	for p.err == nil {
		at := p.start()
		e := p.binary(0)
		var alias *sqltree.Ident
		if p.accept("AS") {
			alias = p.identPtr()
		} else if p.bareAlias() {
			alias = p.identPtr()
		}
		column, ok := e.(*sqltree.Column)
		if alias == nil || ok && column.Parts[len(column.Parts)-1].Name == alias.Name {
			p.others = append(p.others, e)
		} else {
			f := &sqltree.TableFunc{Span: p.from(at), Calls: []sqltree.Expr{e}, Defined: []sqltree.Ident{*alias}}
			*left = &sqltree.Join{Span: p.from(start), Kind: "ARRAY", Left: *left, Right: f}
		}
		if !p.accept(",") {
			return true
		}
	}
	return true
}

// tablePrimary reads an entry of FROM without joins.
func (p *parser) tablePrimary() sqltree.TableExpr {
	start := p.start()
	if p.aliasFirst && p.isName() && p.wordAt(1) == ":" && p.toks[p.i+1].kind == symbolToken {
		// x: t
		id := p.ident()
		p.i++
		t := p.tablePrimary()
		setAlias(t, sqltree.Alias{Name: &id}, p.from(start))
		return t
	}
	lateral := false
	if p.is("LATERAL") && !p.free[p.toks[p.i].word] {
		p.i++
		lateral = true
	}
	var t sqltree.TableExpr
	switch k := p.kind(); {
	case p.is("("):
		if p.queryAt(p.i) {
			p.i++
			d := &sqltree.Derived{Lateral: lateral, Query: p.nested()}
			p.expect(")")
			d.Alias = p.tableAlias()
			d.Span = p.from(start)
			t = d
			break
		}
		p.i++
		t = p.joined()
		for p.accept(",") {
			right := p.joined()
			if p.d == sqltree.SQLite && p.isAny("ON", "USING") {
				t = p.commaJoin([]sqltree.TableExpr{t, right})
				continue
			}
			t = &sqltree.Join{Span: p.from(t.Pos().Start), Kind: sqltree.CrossJoin, Left: t, Right: right}
		}
		p.expect(")")
		if j, ok := t.(*sqltree.Join); ok {
			j.Alias = p.tableAlias()
			j.Span = p.from(start)
		} else if a := p.tableAlias(); a.Name != nil {
			setAlias(t, a, p.from(start))
		}
	case p.is("{") && p.wordAt(1) == "OJ":
		// The outer join of ODBC: { OJ a LEFT JOIN b ON … }
		p.i += 2
		t = p.joined()
		p.expect("}")
	case p.is("VALUES") && p.clickhouse:
		t = p.tableFunction(start, lateral)
	case p.stages && p.wordAt(1) == "(" && strings.EqualFold(p.textAt(p.i), "semantic_view"):
		p.i++
		p.skip()
		p.note(p.from(start), "semantic view is not read")
		t = p.opaqueTable(start)
	case p.is("IDENTIFIER") && p.literalCall():
		t = p.literalTable(start)
	case p.is("VALUES"):
		at := p.start()
		v := p.values()
		d := &sqltree.Derived{Lateral: lateral, Query: &sqltree.Query{Span: p.from(at), Body: v}}
		d.Alias = p.tableAlias()
		d.Span = p.from(start)
		t = d
	case p.is("UNNEST") && p.wordAt(1) == "(", p.is("JSON_TABLE"), p.is("XMLTABLE"), p.is("OPENJSON"):
		t = p.tableFunction(start, lateral)
	case p.is("TABLE") && p.wordAt(1) == "(":
		if p.literalCall() {
			t = p.literalTable(start)
			break
		}
		p.i += 2
		f := &sqltree.TableFunc{Lateral: lateral}
		if p.isAny("SELECT", "WITH") {
			d := &sqltree.Derived{Query: p.queryBody()}
			p.expect(")")
			d.Alias = p.tableAlias()
			d.Span = p.from(start)
			t = d
			break
		}
		p.options++
		f.Calls = []sqltree.Expr{p.expr()}
		p.options--
		if _, ok := f.Calls[0].(*sqltree.Func); !ok {
			f.Calls = nil // TABLE(:name) or a name in a string
		}
		p.expect(")")
		if f.Calls == nil {
			t = p.opaqueTable(start)
			break
		}
		p.functionAlias(f)
		f.Span = p.from(start)
		t = f
	case p.is("ROWS") && p.wordAt(1) == "FROM":
		p.i += 2
		p.expect("(")
		f := &sqltree.TableFunc{Lateral: lateral}
		for p.err == nil {
			f.Calls = append(f.Calls, p.expr())
			if p.accept("AS") {
				p.skip()
			}
			if !p.accept(",") {
				break
			}
		}
		p.expect(")")
		p.functionAlias(f)
		f.Span = p.from(start)
		t = f
	case k == stringToken && (p.pathTables || p.d == sqltree.BigQuery || p.stages) && p.d != sqltree.Postgres:
		p.i++
		t = p.opaqueTable(start)
	case k == paramToken, k == templateToken, p.is("?"), p.is(":"), p.is("{"), p.is("%"):
		t = p.unknownTable(start)
	case k == wordToken && p.wordAt(1) == "(" && !p.reserved(p.i) && !p.is("ONLY"):
		t = p.tableFunction(start, lateral)
	default:
		t = p.tableName()
		if p.is("(") {
			if ref, ok := t.(*sqltree.TableRef); ok && ref.Alias.Name == nil && !ref.Only {
				p.i = p.indexAt(start)
				t = p.tableFunction(start, lateral)
			}
		}
		if ref, ok := t.(*sqltree.TableRef); ok && p.dashNames && p.are("WITH", "OFFSET") {
			// Only an array has offsets: FROM t, t.items AS i WITH OFFSET.
			f := &sqltree.TableFunc{Calls: []sqltree.Expr{&sqltree.Column{Span: ref.Name.Span, Parts: ref.Name.Parts}}, Alias: ref.Alias}
			if f.Alias.Name == nil {
				last := ref.Name.Last()
				f.Alias.Name = &last
			}
			p.ordinality(f)
			f.Span = p.from(start)
			t = f
		}
	}
	return p.behindTable(start, t)
}

// literalCall reports whether a word with one plain string in parentheses stands at
// the cursor.
func (p *parser) literalCall() bool {
	return p.stages && p.wordAt(1) == "(" && p.toks[p.i+2].kind == stringToken && p.wordAt(3) == ")"
}

// literalTable reads IDENTIFIER('s.t') and TABLE('s.t'), whose string holds the
// name of a table.
func (p *parser) literalTable(start int) sqltree.TableExpr {
	p.i += 2
	n, ok := p.nameInside(p.i)
	p.i += 2
	if !ok {
		return p.opaqueTable(start)
	}
	t := &sqltree.TableRef{Name: n}
	t.Alias = p.tableAlias()
	t.Span = p.from(start)
	return t
}

// nameInside splits the string at token i, which holds a name without quotes.
func (p *parser) nameInside(i int) (sqltree.Name, bool) {
	s := p.textAt(i)
	if len(s) < 3 || s[0] != '\'' {
		return sqltree.Name{}, false
	}
	at := int(p.toks[i].start) + 1
	n := sqltree.Name{Span: span{Start: at, End: at + len(s) - 2}}
	for _, part := range strings.Split(s[1:len(s)-1], ".") {
		if part == "" || isDigit(part[0]) || strings.ContainsFunc(part, func(r rune) bool { return r < 0x80 && !isWord(byte(r)) }) {
			return sqltree.Name{}, false
		}
		n.Parts = append(n.Parts, sqltree.Ident{Span: span{Start: at, End: at + len(part)}, Name: part})
		at += len(part) + 1
	}
	return n, true
}

// indexAt returns the token that starts at a position at or before the cursor.
func (p *parser) indexAt(start int) int {
	i := p.i
	for int(p.toks[i].start) > start {
		i--
	}
	return i
}

// setAlias gives a table the alias that stands elsewhere than behind it, and the
// span with it.
func setAlias(t sqltree.TableExpr, a sqltree.Alias, at span) {
	switch t := t.(type) {
	case *sqltree.TableRef:
		t.Alias, t.Span = a, at
	case *sqltree.Derived:
		t.Alias, t.Span = a, at
	case *sqltree.TableFunc:
		t.Alias, t.Span = a, at
	case *sqltree.Join:
		t.Alias, t.Span = a, at
	case *sqltree.Opaque:
		t.Alias, t.Span = a, at
	}
}

func (p *parser) opaqueTable(start int) sqltree.TableExpr {
	o := &sqltree.Opaque{}
	o.Alias = p.tableAlias()
	o.Span = p.from(start)
	return o
}

// unknownTable reads a placeholder, template tag or stage in a table's place.
func (p *parser) unknownTable(start int) sqltree.TableExpr {
	stage := p.stages && p.text[start] == '@'
	switch {
	case p.kind() == paramToken, p.kind() == templateToken:
		p.i++
	default:
		p.primary()
	}
	for p.touching(p.i) && p.kind() != endToken && !p.isAny("(", ")", ",", ";") && (stage || p.is(".")) {
		// The path behind a stage, or the rest of a name.
		p.i++
		if !stage && p.kind() != endToken {
			p.i++
		}
	}
	if p.is("(") && (stage || p.toks[p.i-1].kind == templateToken) {
		p.skip()
	}
	return p.opaqueTable(start)
}

// tableName reads [ONLY] name with its alias.
func (p *parser) tableName() sqltree.TableExpr {
	start := p.start()
	t := &sqltree.TableRef{}
	paren := false
	if p.is("ONLY") && (p.toks[p.i+1].kind == wordToken || p.toks[p.i+1].kind == quotedToken || p.wordAt(1) == "(") {
		p.i++
		t.Only = true
		paren = p.accept("(")
	}
	if !p.isName() && !(p.isStringName() && p.stringAlias) || p.reserved(p.i) && p.wordAt(1) != "." {
		p.unexpected("a table")
		return t
	}
	first := p.i
	t.Name = p.relationName()
	for i := first; i < p.i; i++ {
		if p.toks[i].kind == templateToken {
			return p.opaqueTable(start)
		}
	}
	if paren {
		p.expect(")")
	}
	if p.is("*") && p.d == sqltree.Postgres {
		p.i++
	}
	if p.is("(") {
		t.Span = p.from(start)
		return t // a function after all
	}
	t.Alias = p.tableAlias()
	t.Span = p.from(start)
	return t
}

// relationName reads the name of a table. BigQuery lets dashes stand in the
// first part, and quotes around several parts at once.
func (p *parser) relationName() sqltree.Name {
	if !p.dashNames {
		return p.name()
	}
	start := p.start()
	if p.kind() == quotedToken {
		if n, ok := p.quotedPath(); ok {
			p.i++
			for p.is(".") && p.err == nil {
				p.i++
				n.Parts = append(n.Parts, p.ident())
			}
			n.Span = p.from(start)
			return n
		}
		return p.name()
	}
	first := p.ident()
	for p.is("-") && p.touching(p.i) && p.touching(p.i+1) && (p.toks[p.i+1].kind == wordToken || p.toks[p.i+1].kind == numberToken) {
		p.i += 2
		first.End = int(p.toks[p.i-1].end)
		first.Name = p.text[first.Start:first.End]
	}
	n := sqltree.Name{Parts: []sqltree.Ident{first}}
	for p.is(".") && p.err == nil {
		p.i++
		if p.is("*") {
			p.i++ // a wildcard table without quotes is none, but reads as one
			break
		}
		if p.kind() == numberToken {
			p.i++
			n.Parts = append(n.Parts, p.identAt(p.i-1))
			continue
		}
		n.Parts = append(n.Parts, p.ident())
	}
	n.Span = p.from(start)
	return n
}

// quotedPath splits `project.set.table`; each part's span is inside the quotes.
func (p *parser) quotedPath() (sqltree.Name, bool) {
	s := p.textAt(p.i)
	if strings.IndexByte(s, '.') < 0 || strings.ContainsAny(s, "\\'\"[") {
		return sqltree.Name{}, false
	}
	at := p.start() + 1
	n := sqltree.Name{Span: p.tokenSpan(p.i)}
	for _, part := range strings.Split(s[1:len(s)-1], ".") {
		if part == "" {
			return sqltree.Name{}, false
		}
		n.Parts = append(n.Parts, sqltree.Ident{Span: span{Start: at, End: at + len(part)}, Name: part, Quoted: true})
		at += len(part) + 1
	}
	return n, true
}

// tableAlias reads [AS] name [(a, b)].
func (p *parser) tableAlias() sqltree.Alias {
	var a sqltree.Alias
	p.tableModifiers()
	switch {
	case p.is("AS") && p.wordAt(1) != "OF":
		p.i++
		if p.isStringName() {
			p.i++
			id := p.identAt(p.i - 1)
			a.Name = &id
			break
		}
		if !p.isName() || p.reserved(p.i) {
			p.unexpected("an alias")
			return a
		}
		a.Name = p.identPtr()
	case p.bareAlias() && !p.isAny("TABLESAMPLE", "DEFAULT", "DO"):
		a.Name = p.identPtr()
	default:
		return a
	}
	if p.is("(") && !p.hint() {
		a.Columns = p.aliasColumns()
	}
	p.tableModifiers()
	return a
}

// hint reports whether the parenthesis at the cursor is one of T-SQL's old hints.
func (p *parser) hint() bool {
	return p.d == sqltree.Generic && p.wordAt(1) == "NOLOCK"
}

// aliasColumns reads (a, b) and (a int, b text).
func (p *parser) aliasColumns() []sqltree.Ident {
	var ids []sqltree.Ident
	p.expect("(")
	for p.err == nil && !p.is(")") {
		ids = append(ids, p.ident())
		p.skipList()
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
	return ids
}

// tableModifiers passes over samples, time travel and hints behind a table.
func (p *parser) tableModifiers() {
	for p.err == nil {
		w, next := p.word(), p.wordAt(1)
		switch {
		case w == "FINAL" && p.clickhouse:
			p.i++
		case w == "SAMPLE" && p.clickhouse && p.toks[p.i+1].kind == numberToken:
			p.i++
			p.sampleSize()
			if p.accept("OFFSET") {
				p.sampleSize()
			}
		case w == "TABLESAMPLE", w == "SAMPLE" && next == "(", w == "SAMPLE" && p.toks[p.i+1].kind == numberToken,
			w == "SAMPLE" && p.wordAt(2) == "(":
			p.i++
			if p.kind() == wordToken {
				p.i++ // the method
			}
			number := p.kind() == numberToken
			if number {
				p.i++
				if !p.accept("%") {
					p.acceptAny("PERCENT", "ROWS")
				}
			}
			if p.is("(") {
				p.skip()
			} else if !number {
				p.unexpected(`"("`)
			}
			for p.acceptAny("REPEATABLE", "SEED") {
				p.skip()
			}
		case w == "FOR" && (next == "SYSTEM_TIME" || next == "VERSION" || next == "TIMESTAMP"), w == "FOR" && p.wordAt(2) == "SYSTEM_TIME":
			p.i += 2
			switch {
			case p.accept("AS", "OF"):
				p.binary(precComparison)
			case p.accept("ALL"):
			case p.acceptAny("BETWEEN", "FROM"):
				p.binary(precComparison)
				if !p.acceptAny("AND", "TO") {
					p.unexpected("AND or TO")
				}
				p.binary(precComparison)
			default:
				p.unexpected("AS OF")
			}
		case w == "FOR" && next == "PORTION" && p.wordAt(2) == "OF":
			p.i += 3
			p.ident()
			p.expect("FROM")
			p.binary(precComparison)
			p.expect("TO")
			p.binary(precComparison)
		case w == "BEFORE" && next == "SYSTEM_TIME":
			p.i += 2
			p.acceptAny("TIMESTAMP")
			p.binary(precComparison)
		case (w == "VERSION" || w == "TIMESTAMP") && next == "AS" && p.wordAt(2) == "OF":
			p.i += 3
			p.binary(precComparison)
		case w == "AS" && next == "OF":
			p.i += 2
			p.acceptAny("TIMESTAMP", "SYSTEM_TIME")
			p.binary(precComparison)
		case (w == "AT" || w == "BEFORE" || w == "CHANGES" || w == "END" && p.stages) && next == "(":
			p.i++
			p.skip()
		case w == "PARTITION" && next == "(" && !p.pipes:
			p.i++
			p.skip()
		case (w == "USE" || w == "FORCE" || w == "IGNORE") && (next == "INDEX" || next == "KEY"):
			p.i += 2
			if p.accept("FOR") {
				for p.acceptAny("JOIN", "ORDER", "GROUP", "BY") {
				}
			}
			p.skip()
		case w == "INDEXED" && next == "BY":
			p.i += 2
			p.ident()
		case w == "NOT" && next == "INDEXED":
			p.i += 2
		case w == "WITH" && next == "(" && p.d == sqltree.Generic:
			p.i++
			p.skip()
		case w == "(" && p.hint():
			p.skip()
		default:
			return
		}
	}
}

// sampleSize reads 0.1 or 1/10.
func (p *parser) sampleSize() {
	number := func() {
		if p.kind() != numberToken {
			p.unexpected("a number")
			return
		}
		p.i++
	}
	number()
	if p.accept("/") {
		number()
	}
}

// tableFunction reads a call in FROM.
func (p *parser) tableFunction(start int, lateral bool) sqltree.TableExpr {
	f := &sqltree.TableFunc{Lateral: lateral}
	at := p.start()
	w := p.word()
	p.options++
	call := &sqltree.Func{Name: p.name()}
	switch w {
	case "JSON_TABLE", "XMLTABLE":
		p.documentTable(call, f)
	default:
		p.arguments(call)
	}
	p.options--
	call.Span = p.from(at)
	switch {
	case p.clickhouse:
		p.clickhouseFunction(call, f)
	case p.d == sqltree.DuckDB:
		if t := p.duckdbFunction(call); t != nil {
			t.Alias = p.tableAlias()
			t.Span = p.from(start)
			return t
		}
	}
	f.Calls = []sqltree.Expr{call}
	if e := p.behindCall(at, call); p.err == nil {
		f.Calls[0] = p.postfix(at, e)
	}
	if w == "OPENJSON" && p.is("WITH") && p.wordAt(1) == "(" {
		p.i++
		f.Defined = p.aliasColumns()
	}
	p.functionAlias(f)
	f.Span = p.from(start)
	return f
}

// duckdbFunction takes care of DuckDB's functions that are told a relation:
// histogram(t, c), whose second argument is over the first, and query_table('t'), which
// is the table.
func (p *parser) duckdbFunction(call *sqltree.Func) *sqltree.TableRef {
	switch strings.ToLower(call.Name.Last().Name) {
	case "histogram", "histogram_values":
		if len(call.Args) < 2 {
			return nil
		}
		c, ok := call.Args[0].(*sqltree.Column)
		if !ok {
			return nil
		}
		at := span{Start: c.Start, End: call.Args[1].Pos().End}
		s := &sqltree.Select{Span: at, Items: []sqltree.SelectItem{{Span: call.Args[1].Pos(), Expr: call.Args[1]}}}
		s.From = []sqltree.TableExpr{&sqltree.TableRef{Span: c.Span, Name: sqltree.Name{Span: c.Span, Parts: c.Parts}}}
		q := &sqltree.Subquery{Span: at, Kind: sqltree.ScalarSubquery, Query: &sqltree.Query{Span: at, Body: s}}
		call.Args = append([]sqltree.Expr{q}, call.Args[2:]...)
		if call.ArgNames != nil {
			call.ArgNames = call.ArgNames[1:]
		}
	case "query_table":
		if len(call.Args) != 1 {
			return nil
		}
		l, ok := call.Args[0].(*sqltree.Literal)
		if list, isList := call.Args[0].(*sqltree.Op); isList && list.Name == "ARRAY" && len(list.Args) == 1 {
			l, ok = list.Args[0].(*sqltree.Literal)
		}
		if c, isName := call.Args[0].(*sqltree.Column); isName {
			return &sqltree.TableRef{Name: sqltree.Name{Span: c.Span, Parts: c.Parts}}
		}
		if !ok || l.Kind != sqltree.StringLiteral {
			return nil
		}
		i := p.indexAt(l.Start)
		if n, ok := p.nameInside(i); ok {
			return &sqltree.TableRef{Name: n}
		}
	}
	return nil
}

// clickhouseFunction takes care of what the arguments of ClickHouse's table
// functions mean: a word is a format, a table or a cluster, never a column, and the
// columns may stand in a string.
func (p *parser) clickhouseFunction(call *sqltree.Func, f *sqltree.TableFunc) {
	for i, a := range call.Args {
		if c, ok := a.(*sqltree.Column); ok {
			call.Args[i] = &sqltree.Literal{Span: c.Span, Kind: sqltree.OtherLiteral, Value: p.text[c.Start:c.End]}
		}
	}
	at := -1
	switch name := strings.ToLower(call.Name.Last().Name); name {
	case "values", "null", "input", "generaterandom":
		at = 0
	case "format":
		at = 1
	case "url", "file", "hdfs":
		at = 2
	case "s3", "gcs", "urlcluster", "filecluster", "azureblobstorage":
		at = len(call.Args) - 1 // or before the compression, where it is not found
	}
	if at < 0 || at >= len(call.Args) {
		return
	}
	if l, ok := call.Args[at].(*sqltree.Literal); ok && l.Kind == sqltree.StringLiteral {
		f.Defined = p.columnsInside(l)
	}
}

// columnsInside lists the columns of a string such as 'a UInt8, b Array(String)';
// nil if it is something else.
func (p *parser) columnsInside(l *sqltree.Literal) []sqltree.Ident {
	text := p.text[l.Start:l.End]
	if len(text) < 2 || text[1:len(text)-1] != l.Value {
		return nil
	}
	in := lex(p.rules, l.Value)
	if in.err != nil {
		return nil
	}
	var ids []sqltree.Ident
	for i := 0; in.toks[i].kind == wordToken && in.toks[i+1].kind == wordToken; {
		from, to := int(in.toks[i].start), int(in.toks[i].end)
		ids = append(ids, sqltree.Ident{Span: span{Start: l.Start + 1 + from, End: l.Start + 1 + to}, Name: l.Value[from:to]})
		for i++; in.toks[i].kind != endToken; i++ {
			if m := in.toks[i].match; m > int32(i) {
				i = int(m)
			}
			if spellings[in.toks[i].word] == "," {
				i++
				break
			}
		}
		if in.toks[i].kind == endToken {
			return ids
		}
	}
	return nil
}

// functionAlias reads what may follow a call in FROM: WITH ORDINALITY, WITH
// OFFSET, an alias with column names or with definitions.
func (p *parser) functionAlias(f *sqltree.TableFunc) {
	p.ordinality(f)
	if p.is("AS") && p.wordAt(1) == "(" {
		p.i++
		f.Defined = p.aliasColumns()
		return
	}
	p.tableModifiers()
	if p.is("AS") && p.wordAt(1) != "OF" {
		p.i++
		f.Alias.Name = p.identPtr()
	} else if p.bareAlias() {
		f.Alias.Name = p.identPtr()
	}
	if f.Alias.Name != nil && p.is("(") {
		if p.toks[p.i+2].kind == symbolToken {
			f.Alias.Columns = p.aliasColumns()
		} else {
			f.Defined = p.aliasColumns()
		}
	}
	p.ordinality(f)
	p.tableModifiers()
}

// ordinality reads WITH ORDINALITY and WITH OFFSET AS name.
func (p *parser) ordinality(f *sqltree.TableFunc) {
	switch {
	case p.accept("WITH", "ORDINALITY"):
		f.Ordinality = true
	case p.accept("WITH", "OFFSET"):
		f.Ordinality = true
		if p.accept("AS") || p.is("OFFSET") || p.bareAlias() {
			f.Offset = p.identPtr()
		}
	}
}

// documentTable reads the parentheses of JSON_TABLE and XMLTABLE.
func (p *parser) documentTable(call *sqltree.Func, f *sqltree.TableFunc) {
	if !p.expect("(") {
		return
	}
	if p.accept("XMLNAMESPACES") {
		p.skip()
		p.accept(",")
	}
	for p.err == nil && !p.isAny(")", "COLUMNS") {
		call.Args = append(call.Args, p.binary(0))
		for p.err == nil && !p.isAny(")", "COLUMNS", ",") {
			switch {
			case p.accept("PASSING"):
				for p.accept("BY") {
					p.one() // VALUE or REF
				}
				call.Args = append(call.Args, p.binary(0))
			case p.accept("AS"):
				p.ident()
			case p.accept("BY"):
				p.one()
			case p.isAny("ERROR", "NULL", "FORMAT", "EMPTY", "ON"):
				p.i++
			default:
				p.unexpected(`COLUMNS or ")"`)
			}
		}
		p.accept(",")
	}
	if p.accept("COLUMNS") {
		paren := p.accept("(")
		f.Defined = p.documentColumns(call, nil)
		if paren {
			p.expect(")")
		}
	}
	for !p.atEnd() {
		p.skip()
	}
	p.expect(")")
}

// documentColumns reads the columns of JSON_TABLE, whose default values become
// arguments of the call; those of NESTED PATH stand in the place of it.
func (p *parser) documentColumns(call *sqltree.Func, ids []sqltree.Ident) []sqltree.Ident {
	for p.err == nil && !p.is(")") {
		if p.is("NESTED") && (p.wordAt(1) == "PATH" || p.toks[p.i+1].kind == stringToken) {
			for !p.atEnd() && !p.is("COLUMNS") {
				p.skip()
			}
			p.expect("COLUMNS")
			p.expect("(")
			ids = p.documentColumns(call, ids)
			p.expect(")")
		} else {
			ids = append(ids, p.ident())
			for p.err == nil && !p.atEnd() && !p.is(",") {
				if p.accept("DEFAULT") {
					call.Args = append(call.Args, p.binary(precIn))
				} else {
					p.skip()
				}
			}
		}
		if !p.accept(",") {
			break
		}
	}
	return ids
}

// lateralView reads LATERAL VIEW explode(x) t AS a, b.
func (p *parser) lateralView(start int, left sqltree.TableExpr) sqltree.TableExpr {
	at := p.start()
	p.i += 2
	p.accept("OUTER")
	f := &sqltree.TableFunc{Lateral: true, Calls: []sqltree.Expr{p.expr()}}
	if p.bareAlias() {
		f.Alias.Name = p.identPtr()
	}
	if p.accept("AS") {
		f.Alias.Columns = []sqltree.Ident{p.ident()}
		for p.accept(",") {
			f.Alias.Columns = append(f.Alias.Columns, p.ident())
		}
	}
	f.Span = p.from(at)
	return &sqltree.Join{Span: p.from(start), Kind: sqltree.CrossJoin, Left: left, Right: f}
}
