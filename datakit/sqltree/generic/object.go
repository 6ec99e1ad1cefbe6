package generic

import (
	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

func (p *parser) createType(start int) sqltree.Statement {
	p.i++
	p.ifNotExists()
	t := &sqltree.CreateType{Name: p.name(), Kind: "OTHER"}
	if p.accept("AS") {
		switch {
		case p.is("ENUM") && p.wordAt(1) == "(" && !p.queryAt(p.i+1):
			t.Kind = "ENUM"
			p.i += 2
			for p.err == nil && !p.is(")") {
				if p.kind() != stringToken {
					p.unexpected("a string")
					break
				}
				p.i++
				t.Labels = append(t.Labels, p.stringValue(p.textAt(p.i-1)))
				if !p.accept(",") {
					break
				}
			}
			p.expect(")")
		case p.is("ENUM") && p.queryAt(p.i+1):
			t.Kind = "ENUM"
			p.i++
			t.Query = p.subquery()
		case p.is("(") || p.is("STRUCT") && p.wordAt(1) == "(":
			t.Kind = "COMPOSITE"
			p.accept("STRUCT")
			p.expect("(")
			for p.err == nil && !p.is(")") {
				t.Attributes = append(t.Attributes, p.columnDef())
				if !p.accept(",") {
					break
				}
			}
			p.expect(")")
		case p.accept("RANGE"):
			t.Kind = "RANGE"
		case p.isName() && !p.is("ENUM"):
			t.Kind = "DOMAIN"
			t.Base = p.typeName()
		}
	}
	p.skipStatement()
	t.Span = p.from(start)
	return t
}

func (p *parser) createDomain(start int) sqltree.Statement {
	p.i++
	t := &sqltree.CreateType{Name: p.name(), Kind: "DOMAIN"}
	p.accept("AS")
	t.Base = p.typeName()
	var d sqltree.ColumnDef
	for p.err == nil && !p.atEnd() {
		at := p.i
		p.columnProperty(&d)
		if p.i == at && p.err == nil {
			p.unexpected("a constraint or the end of the statement")
		}
	}
	t.Constraints, t.Collation = d.Constraints, d.Collation
	t.Span = p.from(start)
	return t
}

func (p *parser) createSequence(start int) sqltree.Statement {
	p.i++
	s := &sqltree.CreateSequence{IfNotExists: p.ifNotExists()}
	s.Name = p.name()
	s.Options = p.sequenceOptions(p.statementEnd(p.i))
	s.Span = p.from(start)
	return s
}

// sequenceOptions reads START WITH 1, NO CYCLE, OWNED BY t.c, … up to token end.
// The key is the leading words without WITH.
func (p *parser) sequenceOptions(end int) []sqltree.Option {
	var out []sqltree.Option
	for p.i < end && p.err == nil {
		start, from := p.start(), p.i
		if p.kind() != wordToken {
			p.unexpected("an option")
			break
		}
		p.i++
		if p.isAt(from, "NO") || p.isAt(from, "OWNED") || p.isAt(from, "INCREMENT") && p.is("BY") {
			p.i++
		}
		key := p.upper(from, p.i)
		p.acceptAny("WITH", "=")
		value := len(p.text)
		if p.i < end && !p.isAny("START", "INCREMENT", "MINVALUE", "MAXVALUE", "NO", "CACHE", "CYCLE", "OWNED", "AS", ",", "ORDER") &&
			!p.isAt(from, "NO") && !p.isAt(from, "CYCLE") {
			value = p.start()
			p.accept("-")
			if p.isName() {
				p.name()
			} else {
				p.skip()
			}
		}
		out = append(out, p.option(key, start, value))
		p.accept(",")
	}
	return out
}
