package generic

import (
	"strconv"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// skipIndex reads ClickHouse's INDEX name expr TYPE t GRANULARITY n.
func (p *parser) skipIndex(t *sqltree.CreateTable) {
	start := p.start()
	p.i++
	x := &sqltree.CreateIndex{Name: p.identPtr()}
	at := p.start()
	x.Keys = []sqltree.IndexKey{{Expr: p.expr()}}
	x.Keys[0].Span = p.from(at)
	if p.accept("TYPE") {
		x.Method = p.ident().Name
		if p.is("(") {
			p.skip()
		}
	}
	if at := p.start(); p.accept("GRANULARITY") {
		value := p.start()
		p.skip()
		x.Options = append(x.Options, p.option("GRANULARITY", at, value))
	}
	x.Span = p.from(start)
	t.Indexes = append(t.Indexes, x)
}

// innerIndex reads MySQL's KEY name (a, b). Its table is the one around it.
func (p *parser) innerIndex() *sqltree.CreateIndex {
	start := p.start()
	x := &sqltree.CreateIndex{}
	if p.isAny("FULLTEXT", "SPATIAL") {
		x.Kind = p.word()
		p.i++
	}
	p.acceptAny("KEY", "INDEX")
	p.ifNotExists()
	if !p.is("(") && !p.is("USING") {
		x.Name = p.identPtr()
	}
	if p.accept("USING") {
		x.Method = p.ident().Name
	}
	x.Keys = p.indexKeys()
	p.skipList()
	x.Span = p.from(start)
	return x
}

// indexKeys reads (a, lower(b) COLLATE x DESC, c(10), …).
func (p *parser) indexKeys() []sqltree.IndexKey {
	p.expect("(")
	var keys []sqltree.IndexKey
	for p.err == nil && !(p.is(")") && p.clickhouse) {
		keys = append(keys, p.indexKey())
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
	return keys
}

func (p *parser) indexKey() sqltree.IndexKey {
	start := p.start()
	k := sqltree.IndexKey{}
	if p.isName() && p.wordAt(1) == "(" && p.toks[p.i+2].kind == numberToken && p.wordAt(3) == ")" {
		// The length of a prefix: name(10).
		id := p.ident()
		k.Expr = p.column(id)
		k.Length, _ = strconv.Atoi(p.textAt(p.i + 1))
		p.skip()
	} else {
		k.Expr = p.binary(precCollate)
	}
	for p.err == nil && !p.isAny(",", ")", "WITH") {
		switch {
		case p.accept("COLLATE"):
			k.Collation = p.namePtr()
		case p.accept("ASC"):
		case p.accept("DESC"):
			k.Desc = true
		case p.accept("NULLS"):
			first := p.is("FIRST")
			if !p.acceptAny("FIRST", "LAST") {
				p.unexpected("FIRST or LAST")
			}
			k.NullsFirst = &first
		case p.isName():
			k.OpClass = p.namePtr()
			if p.is("(") {
				p.skip()
			}
		default:
			// An expression without the parentheses that PostgreSQL asks for.
			i := p.i
			k.Expr = p.infix(start, k.Expr, precOther)
			if p.i == i {
				p.unexpected(`"," or ")"`)
			}
		}
	}
	k.Span = p.from(start)
	return k
}

func (p *parser) createIndex(start int, unique bool, kind string) sqltree.Statement {
	p.i++
	x := &sqltree.CreateIndex{Unique: unique, Kind: kind}
	x.Concurrently = p.accept("CONCURRENTLY")
	x.IfNotExists = p.ifNotExists()
	if !p.is("ON") {
		n := p.name()
		last := n.Last()
		x.Name = &last
	}
	if p.accept("USING") {
		x.Method = p.ident().Name
	}
	p.expect("ON")
	paren := p.accept("ONLY") && p.accept("(")
	x.Table = p.relationName()
	if paren {
		p.expect(")")
	}
	p.accept("*")
	if p.accept("USING") {
		x.Method = p.ident().Name
	}
	if p.clickhouse && !p.is("(") {
		at := p.start()
		x.Keys = []sqltree.IndexKey{{Expr: p.expr()}}
		x.Keys[0].Span = p.from(at)
	} else {
		x.Keys = p.indexKeys()
	}
	for p.err == nil && !p.atEnd() {
		at := p.start()
		switch {
		case p.accept("INCLUDE"):
			x.Include = p.identList()
		case p.accept("NULLS"):
			x.NullsNotDistinct = p.accept("NOT")
			p.expect("DISTINCT")
		case p.accept("WHERE"):
			x.Where = p.expr()
		case p.is("WITH") && p.wordAt(1) == "(", p.is("OPTIONS") && p.wordAt(1) == "(":
			p.i++
			x.Options = append(x.Options, p.optionList()...)
		case p.accept("USING"):
			x.Method = p.ident().Name
		case p.kind() == wordToken && p.toks[p.i].word != 0 || p.kind() == wordToken && (p.wordAt(1) == "=" || p.toks[p.i+1].kind == numberToken):
			key := p.upper(p.i, p.i+1)
			p.i++
			if key == "VISIBLE" || key == "INVISIBLE" {
				x.Options = append(x.Options, p.option(key, at, len(p.text)))
				break
			}
			p.accept("=")
			value := p.start()
			if !p.atEnd() {
				p.skip()
			}
			if p.is("(") || p.isAt(p.i-1, "PARSER") {
				p.skip()
			}
			x.Options = append(x.Options, p.option(key, at, value))
		default:
			p.unexpected("the end of the statement")
		}
	}
	x.Span = p.from(start)
	return x
}
