package generic

import (
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// createFunction reads CREATE FUNCTION, PROCEDURE and MACRO. Its body is read
// where it is an expression or a query without parameters, which would be
// unknown names in it.
func (p *parser) createFunction(start int, replace bool) sqltree.Statement {
	f := &sqltree.CreateFunction{Replace: replace, Procedure: p.is("PROCEDURE")}
	table := p.isAt(p.i-1, "TABLE")
	macro := p.is("MACRO") || p.is("FUNCTION") && (p.pathTables && p.d != sqltree.Generic || p.clickhouse)
	p.i++
	p.ifNotExists()
	f.Name = p.name()
	if p.accept("ON", "CLUSTER") {
		p.skip()
	}
	if p.is("(") {
		f.Params = p.parametersOf(macro)
	}
	if macro && p.accept("AS") {
		if p.accept("TABLE") {
			f.Statements = []sqltree.Statement{p.queryBody()}
		} else {
			f.Return = p.expr()
		}
		if p.is(",") {
			p.skipStatement() // overloads
		}
		f.Span = p.from(start)
		return f
	}
	for p.err == nil && p.kind() != endToken && !p.is(";") {
		switch {
		case p.accept("RETURNS"):
			p.functionResult(f)
		case p.accept("LANGUAGE"):
			f.Language = strings.ToLower(p.ident().Name)
		case p.accept("RETURN"):
			f.Return = p.expr()
			if f.Language == "" {
				f.Language = "sql"
			}
		case p.accept("AS"):
			if p.kind() == stringToken {
				f.Body = p.stringValue(p.textAt(p.i))
				p.i++
				break
			}
			if p.is("(") && !p.queryAt(p.i) {
				f.Return = p.expr()
				break
			}
			if table && (p.isAny("SELECT", "WITH", "FROM") || p.queryAt(p.i)) {
				f.Statements = []sqltree.Statement{p.queryBody()}
				break
			}
			at := p.start()
			p.skipRoutine()
			f.Body = p.textFrom(at)
		case p.is("BEGIN"):
			at := p.start()
			p.skipBlock()
			f.Body = p.textFrom(at)
		default:
			p.skip()
		}
	}
	f.Span = p.from(start)
	return f
}

// parametersOf reads the parameters of a routine; a macro's may be names alone.
func (p *parser) parametersOf(macro bool) []sqltree.Parameter {
	p.expect("(")
	var params []sqltree.Parameter
	for p.err == nil && !p.is(")") {
		start := p.start()
		var q sqltree.Parameter
		if p.isAny("IN", "OUT", "INOUT", "VARIADIC") {
			q.Mode = p.word()
			p.i++
		}
		if p.isName() && (macro && p.isAtSymbol(p.i+1, ",", ")", ":=", "=") || p.toks[p.i+1].kind == wordToken || p.toks[p.i+1].kind == quotedToken) {
			q.Name = p.identPtr()
		}
		if p.isName() && !p.is("DEFAULT") {
			q.Type = p.typeName()
		}
		p.skipList()
		if p.start() == start {
			p.unexpected("a parameter")
			break
		}
		q.Span = p.from(start)
		params = append(params, q)
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
	return params
}

func (p *parser) functionResult(f *sqltree.CreateFunction) {
	if p.is("TABLE") && (p.wordAt(1) == "(" || p.wordAt(1) == "<") {
		p.i++
		if !p.is("(") {
			var t sqltree.TypeName
			p.angles(&t)
			return
		}
		p.i++
		for p.err == nil && !p.is(")") {
			f.Table = append(f.Table, p.columnDef())
			if !p.accept(",") {
				break
			}
		}
		p.expect(")")
		return
	}
	if p.isName() {
		t := p.typeName()
		f.Returns = &t
	}
}

func (p *parser) createTrigger(start int) sqltree.Statement {
	p.i++
	p.ifNotExists()
	t := &sqltree.CreateTrigger{Name: p.name().Last()}
	for p.err == nil && !p.is("ON") {
		switch {
		case p.accept("BEFORE"):
			t.Timing = "BEFORE"
		case p.accept("AFTER"):
			t.Timing = "AFTER"
		case p.accept("INSTEAD", "OF"):
			t.Timing = "INSTEAD OF"
		case p.isAny("INSERT", "DELETE", "TRUNCATE"):
			t.Events = append(t.Events, p.word())
			p.i++
		case p.accept("UPDATE"):
			t.Events = append(t.Events, "UPDATE")
			if p.accept("OF") {
				t.Columns = append(t.Columns, p.ident())
				for p.accept(",") {
					t.Columns = append(t.Columns, p.ident())
				}
			}
		case p.acceptAny("OR", ","):
		default:
			p.unexpected("an event or ON")
		}
	}
	p.expect("ON")
	t.Table = p.relationName()
	for p.err == nil && p.kind() != endToken && !p.is(";") {
		switch {
		case p.accept("WHEN"):
			t.When = p.expr()
		case p.is("BEGIN") && p.d == sqltree.SQLite:
			p.i++
			for p.err == nil && !p.is("END") && p.kind() != endToken {
				t.Body = append(t.Body, p.statement())
				if !p.expect(";") {
					break
				}
			}
			p.expect("END")
		case p.is("BEGIN"):
			p.skipBlock()
		case p.acceptAny("EXECUTE"):
			p.acceptAny("FUNCTION", "PROCEDURE")
			t.Function = p.namePtr()
			if p.is("(") {
				p.skip()
			}
		default:
			p.skip()
		}
	}
	t.Span = p.from(start)
	return t
}
