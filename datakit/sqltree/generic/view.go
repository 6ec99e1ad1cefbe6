package generic

import (
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

func (p *parser) createView(start int, replace, temporary, materialized bool) sqltree.Statement {
	p.i++
	v := &sqltree.CreateView{Replace: replace, Temporary: temporary, Materialized: materialized}
	v.IfNotExists = p.ifNotExists()
	if k := p.kind(); k == paramToken || k == templateToken || p.is("{") {
		return p.unknownTarget(start, "CREATE VIEW")
	}
	first := p.i
	v.Name = p.relationName()
	if p.hasTemplate(first) {
		return p.unknownTarget(start, "CREATE VIEW")
	}
	v.IfNotExists = p.ifNotExists() || v.IfNotExists
	for p.err == nil && !p.is("AS") && !p.atEnd() {
		at := p.start()
		switch {
		case p.is("(") && v.Columns == nil:
			if p.clickhouse {
				p.viewColumns(v)
			} else {
				v.Columns = p.aliasColumns()
			}
		case p.accept("TO") && p.isName():
			v.To = p.namePtr()
			if p.is("(") {
				p.skip()
			}
		case p.is("WITH") && p.wordAt(1) == "(", p.is("OPTIONS") && p.wordAt(1) == "(":
			p.i++
			v.Options = append(v.Options, p.optionList()...)
		case p.kind() == wordToken:
			key := p.i
			p.i++
			for p.isAny("BY", "SECURITY", "GRANTS", "CLUSTER", "REFRESH") || p.kind() == wordToken && p.wordAt(1) == "=" {
				p.i++
			}
			words := p.upper(key, p.i)
			p.accept("=")
			value := p.start()
			for !p.atEnd() && !p.is("AS") && !(p.kind() == wordToken && (optionWords[strings.ToLower(p.textAt(p.i))] || p.is("TO") || p.is("POPULATE"))) &&
				!(p.is("(") && v.Columns == nil && p.isAtSymbol(int(p.toks[p.i].match)+1, "AS")) {
				p.skip()
				if p.kind() == wordToken && p.wordAt(1) == "=" {
					break
				}
			}
			v.Options = append(v.Options, p.option(words, at, value))
		default:
			p.unexpected("AS")
			return v
		}
	}
	if !p.expect("AS") {
		return v
	}
	v.Query = p.queryBody()
	if at := p.start(); p.is("WITH") {
		i := p.i
		p.i++
		switch {
		case p.are("NO", "DATA"), p.is("DATA"):
			p.accept("NO")
			p.i++
			v.Options = append(v.Options, sqltree.Option{Span: p.from(at), Key: p.upper(i, p.i)})
		case p.are("NO", "SCHEMA"):
			p.skipStatement()
		default:
			value := p.start()
			for p.kind() == wordToken && !p.is("CHECK") {
				p.i++
			}
			p.expect("CHECK", "OPTION")
			v.Options = append(v.Options, p.option("CHECK OPTION", at, value))
		}
	}
	if p.clickhouse && p.is("COMMENT") {
		at := p.start()
		p.i++
		value := p.start()
		p.skip()
		v.Options = append(v.Options, p.option("COMMENT", at, value))
	}
	v.Span = p.from(start)
	return v
}

// viewColumns reads the columns of a ClickHouse view, with or without types.
func (p *parser) viewColumns(v *sqltree.CreateView) {
	t := &sqltree.CreateTable{}
	p.tableElements(t)
	for _, c := range t.Columns {
		v.Columns = append(v.Columns, c.Name)
	}
	v.Columns = append(v.Columns, t.AsColumns...)
}
