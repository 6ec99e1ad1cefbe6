package generic

import (
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// other reads a statement that the tree has no type for by its leading words, and
// what stands in it of relations, expressions and other statements. The rest is
// passed over, whatever it is.
func (p *parser) other(start int) sqltree.Statement {
	s := &sqltree.Other{Kind: strings.ToUpper(p.textAt(p.i))}
	p.i++
	switch s.Kind {
	case "REFRESH":
		s.Kind += " " + p.object()
		p.accept("CONCURRENTLY")
		p.objectName(s)
		if s.Name != nil && (s.Kind == "REFRESH MATERIALIZED VIEW" || s.Kind == "REFRESH TABLE") {
			s.Relations = []sqltree.Name{*s.Name}
		}
	case "CALL", "EXEC":
		p.objectName(s)
		p.callValues(s)
	case "EXECUTE":
		if p.accept("IMMEDIATE") {
			s.Kind += " IMMEDIATE"
			s.Inner = p.statementInside()
			break
		}
		p.objectName(s)
		p.callValues(s)
	case "USE", "UNDROP":
		p.accept("TABLE")
		p.objectName(s)
	case "DETACH":
		if p.clickhouse && p.acceptAny("TABLE", "VIEW") && !p.is("IF") {
			p.relationList(s)
		}
		p.accept("TABLE")
		p.objectName(s)
	case "ANALYZE", "ANALYSE", "VACUUM", "CHECK", "CHECKSUM", "REPAIR", "OPTIMIZE", "CLUSTER", "REINDEX", "WATCH", "FLUSH":
		if st := p.maintenance(s, start); st != nil {
			return st
		}
	case "LOCK":
		p.lock(s)
	case "RENAME", "EXCHANGE":
		p.renameTables(s)
	case "HANDLER":
		if p.d != sqltree.Postgres && p.isName() {
			n := p.relationName()
			s.Name = &n
			if p.is("OPEN") {
				s.Relations = []sqltree.Name{n}
			}
		}
	case "CACHE":
		if p.accept("INDEX") {
			p.relationList(s)
		}
	case "LOAD":
		p.load(s)
	case "SET":
		if p.d == sqltree.Postgres {
			break // settings only
		}
		p.try(s, func() { p.set(s) })
	case "DO":
		if p.stringAlias && p.d != sqltree.SQLite {
			p.try(s, func() {
				for _, e := range p.exprList() {
					s.Exprs = append(s.Exprs, computed(e)...)
				}
			})
		}
	case "GRANT", "REVOKE":
		p.try(s, func() { p.grant(s) })
	case "PRAGMA":
		p.pragma(s)
	case "EXPORT", "UNLOAD":
		p.export(s)
	}
	p.skipStatement()
	s.Span = p.from(start)
	return s
}

// try is attempt for a part of a statement, which keeps nothing of it where it fails.
func (p *parser) try(s *sqltree.Other, read func()) {
	before := *s
	if !p.attempt(read) {
		*s = before
	}
}

// objectName reads the name of the object that a statement is about, if one
// follows.
func (p *parser) objectName(s *sqltree.Other) {
	if p.kind() == quotedToken || p.kind() == wordToken && !p.reserved(p.i) {
		n := p.relationName()
		s.Name = &n
	}
}

// isRelation reports whether the token at the cursor can be a relation's name.
func (p *parser) isRelation() bool {
	return p.kind() == quotedToken || p.kind() == wordToken && !p.reserved(p.i)
}

// relationList reads a, b, …; where the first has columns in parentheses they are
// those of the statement.
func (p *parser) relationList(s *sqltree.Other) {
	for p.err == nil && p.isRelation() {
		p.accept("ONLY")
		first := p.i
		n := p.relationName()
		if p.err != nil || p.hasTemplate(first) {
			return
		}
		s.Relations = append(s.Relations, n)
		p.accept("*")
		if p.is("(") && len(s.Relations) == 1 && p.namesIn(p.i) {
			s.Columns = p.identList()
		} else if p.is("(") {
			p.skip()
		}
		if !p.accept(",") {
			return
		}
	}
}

// namesIn reports whether the parenthesis at token i holds names with commas between
// them and nothing else.
func (p *parser) namesIn(i int) bool {
	end := int(p.toks[i].match)
	for i++; i < end; i += 2 {
		if k := p.toks[i].kind; k != wordToken && k != quotedToken || i+1 < end && !p.isAt(i+1, ",") {
			return false
		}
	}
	return true
}

// callValues reads the arguments of CALL and EXECUTE.
func (p *parser) callValues(s *sqltree.Other) {
	if !p.is("(") || s.Name == nil {
		return
	}
	options := p.options
	p.try(s, func() {
		f := &sqltree.Func{Name: *s.Name}
		if p.d == sqltree.Postgres {
			// It has no variables that a name could mean.
			p.arguments(f)
			s.Exprs = f.Args
			return
		}
		p.options++
		p.arguments(f)
		for _, e := range f.Args {
			s.Exprs = append(s.Exprs, computed(e)...)
		}
	})
	p.options = options
}

// computed is what can be resolved of an expression where no relation is: all of
// it, or, as its plain names mean variables and settings, the queries in it.
func computed(e sqltree.Expr) []sqltree.Expr {
	if e == nil {
		return nil
	}
	whole := true
	var queries []sqltree.Expr
	sqltree.Walk(e, func(n sqltree.Node) bool {
		switch n := n.(type) {
		case *sqltree.Subquery:
			if n.Left == nil {
				queries = append(queries, n)
				return false
			}
			q := &sqltree.Subquery{Span: n.Query.Span, Kind: sqltree.ScalarSubquery, Query: n.Query}
			queries = append(queries, q)
			sqltree.Walk(n.Left, func(in sqltree.Node) bool {
				if _, ok := in.(*sqltree.Column); ok {
					whole = false
				}
				return true
			})
			return false
		case *sqltree.Column, *sqltree.Star, *sqltree.Lambda:
			whole = false
		}
		return true
	})
	if whole {
		return []sqltree.Expr{e}
	}
	return queries
}

// maintenance reads what ANALYZE, VACUUM, CHECK TABLE and their kin are about. It
// returns a statement where ANALYZE explains one.
func (p *parser) maintenance(s *sqltree.Other, start int) sqltree.Statement {
	analyze := s.Kind == "ANALYZE" || s.Kind == "ANALYSE"
	if analyze && p.d == sqltree.MariaDB && !p.is("TABLE") {
		for p.kind() == wordToken && !p.beginsStatement() && !p.atEnd() {
			p.i++
			if p.accept("=") {
				p.i++
			}
		}
		if p.beginsStatement() {
			x := &sqltree.Explain{Statement: p.statement(), Analyze: true}
			x.Span = p.from(start)
			return x
		}
	}
	table := false
	for p.kind() == wordToken {
		w := strings.ToUpper(p.textAt(p.i))
		if w == "TABLE" || w == "TABLES" {
			p.i++
			table = true
			break
		}
		if !maintenanceWords[w] || p.isAtSymbol(p.i+1, ".") {
			break
		}
		p.i++
		if p.is("(") && w != "FULL" {
			p.skip()
		}
	}
	if p.is("(") && p.d != sqltree.MySQL {
		p.skip() // options
	}
	switch s.Kind {
	case "ANALYZE", "ANALYSE", "VACUUM":
		// SQLite's may be a schema or an index.
		if p.d == sqltree.SQLite {
			return nil
		}
	case "CHECK", "CHECKSUM", "REPAIR", "REINDEX", "FLUSH":
		if !table {
			return nil
		}
		if s.Kind == "FLUSH" && p.is("WITH") {
			return nil
		}
	case "CLUSTER":
		if p.d != sqltree.Postgres && p.d != sqltree.Generic {
			return nil
		}
	case "OPTIMIZE":
		p.objectName(s)
		if s.Name != nil {
			s.Relations = []sqltree.Name{*s.Name}
			if p.accept(",") {
				p.relationList(s)
			}
		}
		return nil
	}
	p.relationList(s)
	return nil
}

var maintenanceWords = wordSetUpper("NO_WRITE_TO_BINLOG LOCAL VERBOSE FULL FREEZE ANALYZE ANALYSE COMPRESSION SKIP_LOCKED CONCURRENTLY")

// lock reads LOCK TABLES a AS x READ, b WRITE and LOCK TABLE a, b IN … MODE.
func (p *parser) lock(s *sqltree.Other) {
	if !p.accept("TABLE") && !p.accept("TABLES") && p.stringAlias {
		return
	}
	for p.err == nil && (p.isRelation() || p.is("ONLY")) {
		p.accept("ONLY")
		n := p.relationName()
		s.Relations = append(s.Relations, n)
		if s.Name == nil {
			s.Name = &n
		}
		p.accept("*")
		for !p.atEnd() && !p.is(",") {
			p.skip() // an alias and the kind of lock
		}
		if !p.accept(",") {
			return
		}
	}
}

// renameTables reads RENAME TABLE a TO b, c TO d and EXCHANGE TABLES a AND b. What
// one renames another may rename again.
func (p *parser) renameTables(s *sqltree.Other) {
	if !p.acceptAny("TABLE", "TABLES") || p.is("IF") {
		return
	}
	made := map[string]bool{}
	for p.err == nil && p.isRelation() {
		n := p.relationName()
		if p.err == nil && !made[strings.ToLower(p.text[n.Start:n.End])] {
			s.Relations = append(s.Relations, n)
		}
		for !p.atEnd() && !p.isAny("TO", "AND", ",") {
			p.i++ // WAIT n
		}
		if p.acceptAny("TO", "AND") && p.isRelation() {
			to := p.relationName()
			made[strings.ToLower(p.text[to.Start:to.End])] = true
			if s.Kind == "EXCHANGE" {
				s.Relations = append(s.Relations, to)
			}
		}
		if !p.accept(",") {
			return
		}
	}
}

// load reads LOAD DATA … INTO TABLE t (a, @b) SET c = …, of MySQL and of BigQuery.
func (p *parser) load(s *sqltree.Other) {
	if !p.acceptAny("DATA", "XML") {
		if p.accept("INDEX", "INTO", "CACHE") {
			p.relationList(s)
		}
		return
	}
	s.Kind = "LOAD DATA"
	for !p.atEnd() && !p.isAny("INTO", "OVERWRITE") {
		p.skip()
	}
	if !p.acceptAny("INTO", "OVERWRITE") {
		return
	}
	p.accept("TEMP")
	p.accept("TABLE")
	if !p.isRelation() {
		return
	}
	n := p.relationName()
	s.Name = &n
	if p.d == sqltree.BigQuery {
		return // it makes the table where there is none
	}
	s.Relations, s.Writes = []sqltree.Name{n}, true
	for !p.atEnd() && !p.is("SET") {
		if p.is("(") && !p.isAt(p.i-1, "PARTITION") {
			s.Columns = p.namesAmong()
			continue
		}
		if p.is("CHARACTER") {
			p.i++ // SET of the character set
		}
		p.skip()
	}
	if p.is("SET") {
		p.try(s, func() {
			for _, a := range p.assignments() {
				for i := range a.Targets {
					s.Exprs = append(s.Exprs, &a.Targets[i])
				}
				if a.Value != nil {
					s.Exprs = append(s.Exprs, a.Value)
				}
			}
		})
	}
}

// namesAmong lists the names in parentheses that also hold variables.
func (p *parser) namesAmong() []sqltree.Ident {
	var ids []sqltree.Ident
	end := int(p.toks[p.i].match)
	for i := p.i + 1; i < end; i++ {
		if k := p.toks[i].kind; k == wordToken || k == quotedToken {
			ids = append(ids, p.identAt(i))
		}
	}
	p.i = end + 1
	return ids
}

// set reads the values of SET a = 1, @b := (SELECT …).
func (p *parser) set(s *sqltree.Other) {
	for p.isAny("VARIABLE", "GLOBAL", "LOCAL") && p.toks[p.i+1].kind != symbolToken ||
		p.kind() == wordToken && setWords[strings.ToUpper(p.textAt(p.i))] && p.toks[p.i+1].kind == wordToken {
		p.i++
	}
	for p.err == nil {
		switch {
		case p.is("("):
			p.skip()
		case p.kind() == paramToken:
			p.i++
		default:
			p.name()
		}
		if !p.acceptAny("=", ":=", "TO") {
			return
		}
		s.Exprs = append(s.Exprs, computed(p.expr())...)
		if !p.accept(",") {
			return
		}
	}
}

var setWords = wordSetUpper("SESSION PERSIST PERSIST_ONLY")

// grant reads the privileges' columns and the relations of GRANT and REVOKE.
func (p *parser) grant(s *sqltree.Other) {
	creates := false
	var columns []sqltree.Ident
	for !p.atEnd() && !p.isAny("ON", "TO", "FROM") {
		if p.is("(") && p.namesIn(p.i) {
			columns = append(columns, p.identList()...)
			continue
		}
		creates = creates || p.isAny("CREATE", "ALL")
		p.skip()
	}
	if !p.accept("ON") {
		return
	}
	switch {
	case p.accept("TABLE"), p.accept("VIEW"), p.accept("MATERIALIZED", "VIEW"):
	case creates && p.stringAlias:
		return // MySQL lets the table come later
	case p.grantedName():
	default:
		return
	}
	for p.err == nil && p.grantedName() {
		s.Relations = append(s.Relations, p.relationName())
		if !p.accept(",") {
			break
		}
	}
	if len(s.Relations) > 0 {
		s.Columns = columns
	}
}

// grantedName reports whether the name of a relation is all that stands up to a
// comma or to whom it is granted.
func (p *parser) grantedName() bool {
	if !p.isRelation() {
		return false
	}
	for i := p.i; ; i += 2 {
		if k := p.toks[i].kind; k != wordToken && k != quotedToken {
			return false // db.*
		}
		switch {
		case p.isAtSymbol(i+1, ",", "TO", "FROM"):
			return true
		case !p.isAt(i+1, "."):
			return false
		}
	}
}

// pragma reads the table of those pragmas of SQLite that ask for one.
func (p *parser) pragma(s *sqltree.Other) {
	if !p.isName() {
		return
	}
	s.Name = p.namePtr()
	if p.d != sqltree.SQLite || p.err != nil {
		return
	}
	switch strings.ToLower(s.Name.Last().Name) {
	case "foreign_key_check", "integrity_check", "quick_check":
	default:
		return
	}
	if p.accept("(") || p.accept("=") {
		if p.isName() || p.isStringName() {
			s.Relations = []sqltree.Name{p.name()}
		}
	}
}

// export reads EXPORT DATA … AS query, UNLOAD (query) and UNLOAD ('query').
func (p *parser) export(s *sqltree.Other) {
	if s.Kind == "EXPORT" && p.accept("DATA") {
		s.Kind = "EXPORT DATA"
	}
	for p.kind() != endToken && !p.is(";") {
		switch {
		case p.queryAt(p.i):
			p.i++
			s.Inner = p.nested()
			p.expect(")")
			return
		case p.is("AS") && (p.isAtSymbol(p.i+1, "SELECT", "WITH", "FROM") || p.queryAt(p.i+1)):
			p.i++
			s.Inner = p.nested()
			return
		case s.Kind == "UNLOAD" && p.is("(") && p.toks[p.i+1].kind == stringToken:
			p.i++
			s.Inner = p.statementInside()
			return
		}
		p.skip()
	}
}

// statementInside reads the one statement that the string at the cursor holds; nil
// if there is no string, or its text is not what it means.
func (p *parser) statementInside() sqltree.Statement {
	if p.kind() != stringToken {
		return nil
	}
	text := p.textAt(p.i)
	value := p.stringValue(text)
	n := strings.Index(text, value)
	if value == "" || n < 0 {
		return nil
	}
	from := p.start() + n
	p.i++
	if p.kind() == stringToken || p.kind() == symbolToken && p.is("||") {
		return nil // it goes on
	}
	l := &lexer{rules: p.rules, text: p.text[:from+len(value)], pos: from}
	l.run()
	if l.err != nil || l.templates || len(l.toks) == endTokens {
		return nil
	}
	in := &parser{
		rules: p.rules, d: p.d, text: l.text, toks: l.toks, free: p.free, depth: p.depth + maxNested/4,
		last: len(l.toks) - endTokens, script: &sqltree.Script{Text: p.text, Dialect: p.d},
	}
	in.run()
	if in.err != nil || len(in.script.Statements) != 1 {
		return nil
	}
	p.script.Notes = append(p.script.Notes, in.script.Notes...)
	return in.script.Statements[0]
}

// describe reads DESCRIBE of a table or a query.
func (p *parser) describe(start int) sqltree.Statement {
	kind := strings.ToUpper(p.textAt(p.i))
	p.i++
	if p.beginsStatement() && !p.is("TABLE") {
		x := &sqltree.Explain{Statement: p.statement()}
		x.Span = p.from(start)
		return x
	}
	s := &sqltree.Other{Kind: kind}
	if p.atEnd() {
		p.unexpected("a table or a query")
		return s
	}
	relation := true
	switch {
	case p.is("TABLE"), p.is("VIEW"), p.is("EXTENDED"):
		if p.toks[p.i+1].kind == wordToken || p.toks[p.i+1].kind == quotedToken || p.wordAt(1) == "(" {
			p.i++
		}
		if p.queryAt(p.i) {
			x := &sqltree.Explain{Statement: p.statement()}
			x.Span = p.from(start)
			return x
		}
	case p.acceptAny("DATABASE", "SCHEMA", "FUNCTION"):
		relation = false
	}
	if p.isName() {
		n := p.relationName()
		s.Name = &n
		switch {
		case p.is("("): // a function
		case p.kind() == wordToken && !p.stringAlias && !p.clickhouse || !relation || p.d == sqltree.Postgres:
			// DESCRIBE WAREHOUSE w
		default:
			s.Relations = []sqltree.Name{n}
			if p.stringAlias && p.d != sqltree.SQLite && p.isRelation() {
				s.Columns = []sqltree.Ident{p.ident()}
			}
		}
	}
	p.skipStatement()
	s.Span = p.from(start)
	return s
}

// show reads SHOW, which may be about a table.
func (p *parser) show(start int) sqltree.Statement {
	p.i++
	s := &sqltree.Other{Kind: "SHOW"}
	if p.d == sqltree.DuckDB && p.beginsStatement() && !p.is("TABLE") {
		x := &sqltree.Explain{Statement: p.statement()}
		x.Span = p.from(start)
		return x
	}
	first := p.i
	if p.d == sqltree.DuckDB {
		if p.isRelation() && !p.isAny("TABLES", "ALL", "DATABASE") && !strings.EqualFold(p.textAt(p.i), "databases") {
			if n := p.relationName(); p.atEndOf(p.i) {
				s.Relations = []sqltree.Name{n}
			}
		}
	} else {
		for p.kind() == wordToken && p.i < first+3 && (showWords[strings.ToUpper(p.textAt(p.i))] || p.i == first && p.is("CREATE")) {
			p.i++
		}
		switch {
		case p.i == first || p.d == sqltree.Postgres:
		case p.isAt(first, "CREATE"):
			if !p.acceptAny("TABLE", "VIEW") && !p.clickhouse || p.toks[p.i+1].kind == wordToken && p.isAny("DATABASE", "DICTIONARY", "USER", "ROLE", "POLICY", "FUNCTION", "QUOTA", "ROW") {
				break
			}
			p.shown(s)
		case p.acceptAny("FROM", "IN"):
			if p.d == sqltree.Snowflake && !p.acceptAny("TABLE", "VIEW") {
				break
			}
			p.shown(s)
		}
	}
	p.skipStatement()
	s.Span = p.from(start)
	return s
}

var showWords = wordSetUpper("FULL EXTENDED COLUMNS FIELDS INDEX INDEXES INDICES KEYS PRIMARY UNIQUE IMPORTED EXPORTED")

// shown reads t, and MySQL's t FROM db.
func (p *parser) shown(s *sqltree.Other) {
	if !p.isRelation() {
		return
	}
	n := p.relationName()
	if p.acceptAny("FROM", "IN") && p.isRelation() {
		of := p.name()
		n.Parts = append(of.Parts, n.Parts...)
		n.Span = p.from(n.Start)
	}
	if p.err == nil {
		s.Relations = []sqltree.Name{n}
	}
}

// describedBody reads DESCRIBE, SHOW or SUMMARIZE in a query's place, of which only
// what it is about is understood.
func (p *parser) describedBody() *sqltree.Select {
	start := p.start()
	show, summarize := p.is("SHOW"), p.is("SUMMARIZE")
	p.i++
	var inputs []sqltree.TableExpr
	switch {
	case p.beginsStatement() && !p.is("TABLE"):
		q := p.queryBody()
		inputs = append(inputs, &sqltree.Derived{Span: q.Span, Query: q})
	default:
		p.accept("TABLE")
		if show && p.isAny("TABLES", "ALL") || !p.isRelation() {
			break
		}
		at := p.start()
		if n := p.relationName(); p.atEnd() {
			inputs = append(inputs, &sqltree.TableRef{Span: p.from(at), Name: n})
		}
	}
	p.skipStatementPart()
	body := p.opaqueBody(p.from(start), inputs)
	body.From[0].(*sqltree.Opaque).Mentions = !summarize
	return body
}

// wrapped reads PREPARE, DECLARE and COPY with the statement inside of them.
func (p *parser) wrapped(start int) sqltree.Statement {
	w := p.word()
	s := &sqltree.Other{Kind: w}
	p.i++
	switch w {
	case "PREPARE":
		if !p.isName() {
			break
		}
		s.Name = p.namePtr()
		if p.is("(") {
			p.skip()
		}
		if p.accept("AS") {
			s.Inner = p.statement()
		} else if p.accept("FROM") {
			s.Inner = p.statementInside()
		}
	case "DECLARE":
		p.declare(s)
	case "COPY":
		p.copy(s)
	}
	p.skipStatement()
	s.Span = p.from(start)
	return s
}

// declare reads DECLARE c CURSOR FOR query, and BigQuery's DECLARE a, b type DEFAULT
// value, whose names are no columns from there on.
func (p *parser) declare(s *sqltree.Other) {
	if p.d == sqltree.BigQuery {
		p.try(s, func() {
			for p.err == nil {
				p.variables = append(p.variables, strings.ToLower(p.ident().Name))
				if !p.accept(",") {
					break
				}
			}
			for !p.atEnd() && !p.is("DEFAULT") {
				p.skip()
			}
			if p.accept("DEFAULT") {
				s.Exprs = computed(p.expr())
			}
		})
		return
	}
	for i := p.i; !p.atEndOf(i); i++ {
		if !p.isAt(i, "CURSOR") {
			continue
		}
		for ; !p.atEndOf(i); i++ {
			if p.isAt(i, "FOR") && (p.isAt(i+1, "SELECT") || p.isAt(i+1, "WITH")) {
				s.Name = p.namePtr()
				p.i = i + 1
				s.Inner = p.statement()
				return
			}
		}
		return
	}
}

// copy reads COPY t (a, b) FROM and TO, COPY (query) TO, and COPY INTO t and INTO
// @stage of Snowflake.
func (p *parser) copy(s *sqltree.Other) {
	into := p.accept("INTO")
	relation := func() {
		first := p.i
		n := p.relationName()
		s.Name = &n
		if p.err == nil && !p.hasTemplate(first) {
			s.Relations = []sqltree.Name{n}
		}
	}
	query := func() {
		p.i++
		s.Inner = p.nested()
		p.expect(")")
	}
	switch {
	case p.queryAt(p.i):
		query()
	case p.is("FROM"): // FROM DATABASE a TO b
	case p.isName():
		relation()
		if p.is("(") && p.namesIn(p.i) {
			s.Columns = p.identList()
		} else if p.is("(") {
			p.skip()
		}
		if p.accept("FROM") {
			s.Writes = true
			if p.queryAt(p.i) {
				query()
			}
		}
		s.Writes = s.Writes || into
		if len(s.Relations) == 0 {
			s.Writes = false
		}
		if p.d == sqltree.Postgres && s.Writes {
			for !p.atEnd() && !p.is("WHERE") {
				p.skip()
			}
			if p.accept("WHERE") {
				s.Exprs = []sqltree.Expr{p.expr()}
			}
		}
	case p.kind() == paramToken, p.kind() == stringToken:
		for !p.atEnd() && !p.is("FROM") {
			p.skip()
		}
		if p.accept("FROM") {
			if p.queryAt(p.i) {
				query()
			} else if p.isName() {
				relation()
			}
		}
	}
}
