package generic

import (
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

func (p *parser) create(start int) sqltree.Statement {
	p.expect("CREATE")
	at := p.start()
	replace := p.accept("OR", "REPLACE")
	replacing := p.from(at)
	p.accept("OR", "ALTER")
	var options []sqltree.Option
	temporary, unique, materialized := false, false, false
	kind := ""
	for p.err == nil {
		switch w := p.word(); w {
		case "TEMP", "TEMPORARY", "VOLATILE":
			temporary = true
			p.i++
			continue
		case "LOCAL", "GLOBAL", "TRANSIENT", "EXTERNAL", "HYBRID", "DYNAMIC", "ICEBERG", "SNAPSHOT", "SECURITY", "SECURE", "LIVE", "UNLOGGED", "RECURSIVE", "AGGREGATE":
			if p.toks[p.i+1].kind == wordToken && p.wordAt(1) != "POLICY" {
				p.i++
				options = append(options, sqltree.Option{Span: p.tokenSpan(p.i - 1), Key: w})
				continue
			}
		case "FOREIGN", "CONSTRAINT":
			if p.wordAt(1) == "TABLE" || p.wordAt(1) == "TRIGGER" {
				p.i++
				continue
			}
		case "ALGORITHM", "DEFINER", "SQL":
			// MySQL's properties of a view or routine.
			p.i++
			if p.accept("=") {
				p.i++
				if p.kind() == paramToken { // user@host
					p.i++
				}
			} else {
				p.i += 2
			}
			continue
		case "MATERIALIZED":
			materialized = true
			p.i++
			continue
		case "UNIQUE", "CLUSTERED":
			unique = unique || w == "UNIQUE"
			p.i++
			continue
		case "FULLTEXT", "SPATIAL":
			kind = w
			p.i++
			continue
		case "VIRTUAL":
			if p.wordAt(1) == "TABLE" {
				return p.virtualTable(start)
			}
		case "DICTIONARY":
			if p.clickhouse {
				return p.createTable(start, temporary, append(options, sqltree.Option{Span: p.tokenSpan(p.i), Key: w}))
			}
		case "TABLE":
			if p.wordAt(1) == "FUNCTION" {
				p.i++
				return p.createFunction(start, replace)
			}
			if replace {
				options = append(options, sqltree.Option{Span: replacing, Key: "OR REPLACE"})
			}
			return p.createTable(start, temporary, options)
		case "VIEW":
			return p.createView(start, replace, temporary, materialized)
		case "INDEX":
			return p.createIndex(start, unique, kind)
		case "TYPE":
			return p.createType(start)
		case "DOMAIN":
			return p.createDomain(start)
		case "SEQUENCE":
			return p.createSequence(start)
		case "FUNCTION", "PROCEDURE", "MACRO":
			return p.createFunction(start, replace)
		case "TRIGGER":
			return p.createTrigger(start)
		}
		if p.kind() == wordToken && strings.EqualFold(p.textAt(p.i), "SECURE") || p.kind() == wordToken && strings.EqualFold(p.textAt(p.i), "WINDOW") && p.wordAt(1) == "VIEW" {
			p.i++
			continue
		}
		break
	}
	s := &sqltree.Other{Kind: "CREATE"}
	if p.kind() != wordToken {
		p.unexpected("a kind of object")
		return s
	}
	s.Kind += " " + p.object()
	p.ifNotExists()
	if p.isName() {
		s.Name = p.namePtr()
		switch s.Kind {
		case "CREATE POLICY", "CREATE RULE", "CREATE ROW ACCESS POLICY", "CREATE ROW POLICY":
			p.ofTable(s)
		}
	}
	p.createOther(s)
	p.skipRoutine()
	s.Span = p.from(start)
	return s
}

// ofTable reads the ON t behind the name of an object that is part of a table: its
// name comes last.
func (p *parser) ofTable(s *sqltree.Other) {
	if !p.accept("ON") {
		return
	}
	of := p.relationName()
	s.Name.Parts = append(of.Parts[:len(of.Parts):len(of.Parts)], s.Name.Parts...)
	s.Name.Span = p.from(s.Name.Start)
	if s.Kind != "CREATE RULE" {
		s.Relations = []sqltree.Name{of}
	}
}

// createOther reads what stands behind the name of an object that the tree has no
// type for: the table that it is on, conditions, a statement.
func (p *parser) createOther(s *sqltree.Other) {
	statement := func(words ...string) {
		for p.kind() != endToken && !p.is(";") && !p.isAny("BEGIN") {
			if p.isAny(words...) && p.wordBeginsStatement(p.i+1) {
				p.i++
				p.try(s, func() { s.Inner = p.statement() })
				return
			}
			p.skip()
		}
	}
	switch s.Kind {
	case "CREATE STREAM":
		for !p.atEnd() && !p.is("ON") {
			p.skip()
		}
		if p.accept("ON") {
			p.acceptAny("EXTERNAL", "DYNAMIC", "EVENT")
			if p.acceptAny("TABLE", "VIEW") && p.isRelation() {
				s.Relations = []sqltree.Name{p.relationName()}
			}
		}
	case "CREATE SEARCH INDEX", "CREATE VECTOR INDEX":
		if p.accept("ON") && p.isRelation() {
			p.relationList(s)
		}
	case "CREATE POLICY", "CREATE ROW ACCESS POLICY", "CREATE ROW POLICY", "CREATE MASKING POLICY":
		p.conditions(s)
	case "CREATE TASK", "CREATE PIPE", "CREATE MODEL":
		statement("AS")
	case "CREATE EVENT":
		statement("DO")
	case "CREATE ALERT":
		for !p.atEnd() && !p.is("IF") {
			p.skip()
		}
		if p.accept("IF") && p.is("(") {
			p.try(s, func() { s.Exprs = computed(p.expr()) })
		}
		statement("THEN")
	}
}

// wordBeginsStatement reports whether token i begins a statement that CREATE TASK
// and its kin may hold.
func (p *parser) wordBeginsStatement(i int) bool {
	return p.isAtSymbol(i, "SELECT", "WITH", "INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE", "COPY", "CALL", "EXECUTE", "CREATE", "ALTER", "DROP", "TRUNCATE", "OPTIMIZE", "SET") || p.queryAt(i)
}

// conditions reads those of a policy: USING (e), WITH CHECK (e), FILTER USING (e), and
// Snowflake's AS (a type) RETURNS type -> e, which is a lambda.
func (p *parser) conditions(s *sqltree.Other) {
	p.try(s, func() {
		for p.err == nil && p.kind() != endToken && !p.is(";") {
			switch {
			case p.is("USING"), p.is("CHECK") && p.isAt(p.i-1, "WITH"):
				p.i++
				s.Exprs = append(s.Exprs, p.expr())
			case p.is("AS") && p.wordAt(1) == "(" && p.isAt(int(p.toks[p.i+1].match)+1, "RETURNS"):
				p.i++
				start := p.start()
				l := &sqltree.Lambda{}
				for _, q := range p.parametersOf(false) {
					if q.Name != nil {
						l.Params = append(l.Params, *q.Name)
					}
				}
				p.expect("RETURNS")
				p.typeName()
				p.expect("->")
				l.Body = p.expr()
				l.Span = p.from(start)
				s.Exprs = append(s.Exprs, l)
			default:
				p.skip()
			}
		}
	})
}

// skipRoutine passes over a statement that may have a block in it.
func (p *parser) skipRoutine() {
	for !p.is(";") && p.kind() != endToken {
		if p.is("BEGIN") {
			p.skipBlock()
			return
		}
		p.skip()
	}
}

// option makes the option that began at start; its value begins at value.
func (p *parser) option(key string, start, value int) sqltree.Option {
	s := p.from(start)
	o := sqltree.Option{Span: s, Key: key}
	if value < s.End {
		o.Value = p.optionValue(p.text[value:s.End])
	}
	return o
}

// optionValue is the text of a value; of a single string without its quotes.
func (p *parser) optionValue(text string) string {
	if len(text) >= 2 && text[0] == '\'' && strings.IndexByte(text[1:len(text)-1], '\'') < 0 && text[len(text)-1] == '\'' {
		return p.stringValue(text)
	}
	return text
}

// optionList reads (key = value, key value, …).
func (p *parser) optionList() []sqltree.Option {
	end := int(p.toks[p.i].match)
	var out []sqltree.Option
	for p.i++; p.i < end && p.err == nil; {
		start := p.start()
		if p.kind() == symbolToken {
			p.unexpected("an option")
			break
		}
		p.i++
		for p.i < end && (p.kind() == wordToken || p.is(".") || p.isAt(p.i-1, ".")) {
			p.i++
		}
		key := p.textFrom(start)
		value := len(p.text)
		if p.isAny("=", "=>") {
			p.i++
		}
		if p.i < end && !p.is(",") {
			value = p.start()
		}
		for p.i < end && !p.is(",") {
			p.skip()
		}
		out = append(out, p.option(key, start, value))
		p.accept(",")
	}
	p.i = end + 1
	return out
}
