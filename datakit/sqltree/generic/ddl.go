package generic

import (
	"strconv"
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

func (p *parser) createTable(start int, temporary bool, options []sqltree.Option) sqltree.Statement {
	p.i++
	t := &sqltree.CreateTable{Temporary: temporary, Options: options}
	t.IfNotExists = p.ifNotExists()
	if k := p.kind(); k == paramToken || k == templateToken || p.is("{") {
		return p.unknownTarget(start, "CREATE TABLE")
	}
	first := p.i
	t.Name = p.relationName()
	if p.hasTemplate(first) {
		return p.unknownTarget(start, "CREATE TABLE")
	}
	t.IfNotExists = p.ifNotExists() || t.IfNotExists
	if p.accept("ON", "CLUSTER") {
		p.skip()
	}
	if p.kind() == wordToken && strings.EqualFold(p.textAt(p.i), "uuid") && p.clickhouse {
		p.i += 2
	}
	if p.accept("PARTITION", "OF") {
		t.PartitionOf = p.namePtr()
	}
	if p.accept("OF") {
		p.name()
	}
	if p.is("(") && !p.queryAt(p.i) {
		p.tableElements(t)
	}
	at := p.i
	p.tableOptions(t)
	if p.i == at && p.err == nil && !p.isAt(p.i-1, ")") && t.PartitionOf == nil {
		p.unexpected(`"(" or AS`)
	}
	t.Span = p.from(start)
	return t
}

// tableElements reads the columns, constraints and indexes of a table.
func (p *parser) tableElements(t *sqltree.CreateTable) {
	p.expect("(")
	for p.err == nil && !p.is(")") {
		p.tableElement(t)
		if !p.accept(",") {
			break
		}
		if p.is(")") && !p.trailingComma && !p.clickhouse {
			p.unexpected("a column or constraint")
		}
	}
	p.expect(")")
	if len(t.Columns) == 0 || len(t.Constraints) > 0 || len(t.Indexes) > 0 || len(t.Like) > 0 {
		return
	}
	// A list of bare names before AS names the query's columns.
	for _, c := range t.Columns {
		if len(c.Type.Name.Parts) > 0 || len(c.Constraints) > 0 {
			return
		}
	}
	if p.asQueryAhead() {
		for _, c := range t.Columns {
			t.AsColumns = append(t.AsColumns, c.Name)
		}
		t.Columns = nil
	}
}

// asQueryAhead reports whether AS and a query are yet to come in the statement.
func (p *parser) asQueryAhead() bool {
	for i := p.i; p.toks[i].kind != endToken && !p.isAt(i, ";"); i++ {
		if m := p.toks[i].match; m > int32(i) {
			i = int(m)
			continue
		}
		if p.isAt(i, "AS") {
			return p.isAtSymbol(i+1, "SELECT", "WITH", "VALUES", "TABLE", "FROM") || p.fromFirst && p.describedOrPivoted(i+1) || p.queryAt(i+1)
		}
	}
	return false
}

// describedOrPivoted reports whether token i begins one of DuckDB's queries that
// begin with a word of their own.
func (p *parser) describedOrPivoted(i int) bool {
	if p.isAtSymbol(i, "PIVOT", "UNPIVOT", "PIVOT_WIDER", "PIVOT_LONGER") {
		return p.toks[i+1].kind != symbolToken || p.isAt(i+1, "(")
	}
	return p.pathTables && p.isAtSymbol(i, "DESCRIBE", "SHOW", "SUMMARIZE") && p.toks[i+1].kind == wordToken
}

func (p *parser) tableElement(t *sqltree.CreateTable) {
	start := p.start()
	w, next := p.word(), p.wordAt(1)
	switch w {
	case "LIKE":
		p.i++
		t.Like = append(t.Like, p.relationName())
		p.skipList()
		return
	case "CONSTRAINT", "PRIMARY", "FOREIGN", "CHECK", "EXCLUDE":
		if w == "CONSTRAINT" || w == "CHECK" && next == "(" || w == "EXCLUDE" && (next == "USING" || next == "(") || next == "KEY" {
			t.Constraints = append(t.Constraints, p.tableConstraint())
			return
		}
	case "UNIQUE":
		if next == "(" || next == "KEY" || next == "INDEX" || p.wordAt(2) == "(" || next == "NULLS" || next == "CLUSTERED" || next == "USING" {
			t.Constraints = append(t.Constraints, p.tableConstraint())
			return
		}
	case "KEY", "INDEX", "FULLTEXT", "SPATIAL":
		if p.clickhouse {
			if w == "INDEX" && p.toks[p.i+1].kind != symbolToken {
				p.skipIndex(t)
				return
			}
		} else if next == "(" || next == "USING" || p.wordAt(2) == "(" || p.wordAt(2) == "USING" || w != "KEY" && w != "INDEX" && (next == "KEY" || next == "INDEX") {
			t.Indexes = append(t.Indexes, p.innerIndex())
			return
		}
	case "PROJECTION":
		if p.clickhouse {
			p.i++
			p.ident()
			p.skipList()
			p.note(p.from(start), "projection is not read")
			return
		}
	case "PERIOD":
		if next == "FOR" {
			p.skipList()
			return
		}
	}
	t.Columns = append(t.Columns, p.columnDef())
}

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

// columnEnds are the words that end a column's type: they begin a constraint or
// a property.
var columnEnds = wordSet(`constraint not null primary unique check default collate references generated as autoincrement auto_increment
	identity comment on materialized alias ephemeral codec ttl options encode distkey sortkey masking tag with visible invisible storage
	expression hierarchical injective is_object_id
	compression column_format srid deferrable initially enforced rely settings statistics first after unique key character charset
	sparse persisted hidden kind`)

func (p *parser) columnDef() sqltree.ColumnDef {
	start := p.start()
	var d sqltree.ColumnDef
	if p.isStringName() && p.d == sqltree.SQLite {
		p.i++
		d.Name = p.identAt(p.i - 1)
	} else {
		if p.reserved(p.i) && !p.isAtSymbol(p.i+1, ".") && p.toks[p.i+1].kind != wordToken {
			p.unexpected("a column or constraint")
			return d
		}
		d.Name = *p.columnName()
	}
	if p.isName() && !p.columnEnds() {
		d.Type = p.columnType()
	}
	for p.err == nil && !p.isAny(",", ")") && !p.atEnd() {
		at := p.i
		p.columnProperty(&d)
		if p.i == at && p.err == nil {
			// A property of some dialect that is not known.
			from := p.start()
			if p.kind() != wordToken {
				p.unexpected(`"," or ")"`)
				break
			}
			p.skipList()
			p.note(p.from(from), "property of a column is not read")
		}
	}
	d.Span = p.from(start)
	return d
}

// columnEnds reports whether a word at the cursor ends the type of a column.
func (p *parser) columnEnds() bool {
	return p.kind() == wordToken && columnEnds[strings.ToLower(p.textAt(p.i))] && !(p.is("CHARACTER") && p.wordAt(1) != "SET")
}

// columnType reads a type in a table, which may be any run of words in a dialect
// that is not known.
func (p *parser) columnType() sqltree.TypeName {
	t := p.typeName()
	if p.d != sqltree.Generic || len(t.Args) > 0 || len(t.Name.Parts) != 1 {
		return t
	}
	for p.kind() == wordToken && !p.columnEnds() {
		p.addWords(&t, 1)
	}
	if p.is("(") {
		t.Args = p.typeArgs()
	}
	t.Span = p.from(t.Start)
	return t
}

// columnProperty reads one constraint or property of a column.
func (p *parser) columnProperty(d *sqltree.ColumnDef) {
	start := p.start()
	k := sqltree.Constraint{}
	if p.accept("CONSTRAINT") {
		k.Name = p.identPtr()
	}
	w, next := p.word(), p.wordAt(1)
	switch {
	case w == "NOT" && next == "NULL":
		p.i += 2
		k.Kind = sqltree.NotNull
		p.onConflict()
	case w == "NULL":
		p.i++
		k.Kind = sqltree.Nullable
	case w == "NOT" && (next == "ENFORCED" || next == "DEFERRABLE" || next == "VISIBLE"), w == "ENFORCED", w == "RELY", w == "NOVALIDATE",
		w == "VISIBLE", w == "INVISIBLE", w == "DISTKEY", w == "SORTKEY", w == "FIRST":
		p.accept("NOT")
		p.i++
		return
	case w == "PRIMARY", w == "KEY":
		p.accept("PRIMARY")
		p.expect("KEY")
		k.Kind = sqltree.PrimaryKey
		p.acceptAny("ASC", "DESC")
		p.acceptAny("CLUSTERED", "NONCLUSTERED")
		p.onConflict()
		if at := p.start(); p.accept("AUTOINCREMENT") {
			k.Span = span{Start: start, End: p.from(start).End}
			d.Constraints = append(d.Constraints, k)
			k = sqltree.Constraint{Kind: sqltree.Identity}
			start = at
		}
	case w == "UNIQUE":
		p.i++
		p.accept("KEY")
		k.Kind = sqltree.Unique
		p.onConflict()
	case w == "CHECK":
		p.i++
		k.Kind = sqltree.Check
		paren := p.is("(")
		k.Expr = p.expr()
		if !paren && !p.clickhouse {
			p.unexpected(`"("`)
		}
		if p.accept("NO", "INHERIT") {
			k.NoInherit = true
		}
		p.accept("NOT", "ENFORCED")
	case w == "DEFAULT":
		p.i++
		k.Kind = sqltree.Default
		p.noCollate = true
		k.Expr = p.binary(precIn)
		p.noCollate = false
	case w == "COLLATE":
		p.i++
		d.Collation = p.namePtr()
		return
	case w == "REFERENCES":
		k.Kind = sqltree.ForeignKey
		p.references(&k)
	case w == "FOREIGN" && next == "KEY" && p.wordAt(2) == "REFERENCES":
		p.i += 2
		k.Kind = sqltree.ForeignKey
		p.references(&k)
	case w == "GENERATED", w == "AS" && next == "(", w == "MATERIALIZED", w == "ALIAS", w == "EPHEMERAL":
		p.generated(&k)
	case w == "AUTO_INCREMENT", w == "AUTOINCREMENT":
		p.i++
		k.Kind = sqltree.Identity
		p.identityOptions(&k)
	case w == "IDENTITY":
		p.i++
		k.Kind = sqltree.Identity
		p.identityOptions(&k)
	case w == "COMMENT":
		p.i++
		p.accept("=")
		if p.kind() != stringToken {
			p.unexpected("a string")
			return
		}
		d.Comment, d.HasComment = p.stringLiteral(p.start()).(*sqltree.Literal).Value, true
		return
	case w == "ON" && next == "UPDATE":
		p.i += 2
		k.Kind = sqltree.OnUpdate
		k.Expr = p.binary(precIn)
	case w == "CODEC", w == "OPTIONS", w == "STATISTICS", w == "SETTINGS":
		p.i++
		if p.is("(") {
			p.skip()
		}
		return
	case w == "TTL":
		p.i++
		p.expr()
		return
	case w == "ENCODE", w == "COMPRESSION", w == "STORAGE", w == "AFTER":
		p.i++
		p.skip()
		return
	case w == "CHARACTER" && next == "SET":
		p.i += 2
		p.name()
		return
	case w == "CHARSET":
		p.i++
		p.name()
		return
	case w == "WITH" && next == "OPTIONS":
		p.i += 2
		return
	case w == "WITH" && (next == "MASKING" || next == "TAG"), w == "MASKING", w == "TAG":
		p.accept("WITH")
		if p.accept("TAG") {
			p.skip()
			return
		}
		p.i += 2
		p.name()
		if p.accept("USING") {
			p.skip()
		}
		return
	default:
		if k.Name != nil {
			p.unexpected("a constraint")
		}
		return
	}
	p.deferrable(&k)
	k.Span = p.from(start)
	d.Constraints = append(d.Constraints, k)
}

// onConflict passes over SQLite's ON CONFLICT IGNORE.
func (p *parser) onConflict() {
	if p.accept("ON", "CONFLICT") {
		p.one()
	}
}

// generated reads GENERATED … AS (expr), AS IDENTITY, and ClickHouse's
// MATERIALIZED, ALIAS and EPHEMERAL.
func (p *parser) generated(k *sqltree.Constraint) {
	k.Kind = sqltree.Generated
	switch p.word() {
	case "MATERIALIZED", "ALIAS", "EPHEMERAL":
		k.Always = !p.is("EPHEMERAL")
		k.Stored = p.is("MATERIALIZED")
		p.i++
		if !p.isAny(",", ")", "CODEC", "COMMENT", "TTL") {
			k.Expr = p.binary(0)
		}
		return
	}
	if p.accept("GENERATED") {
		if p.accept("ALWAYS") {
			k.Always = true
		} else if p.accept("BY", "DEFAULT") {
			p.accept("ON", "NULL")
		}
	} else {
		k.Always = true
	}
	p.expect("AS")
	if p.accept("IDENTITY") {
		k.Kind = sqltree.Identity
		p.identityOptions(k)
		return
	}
	if p.accept("ROW") { // START or END of a system period
		p.one()
		return
	}
	p.expect("(")
	k.Expr = p.expr()
	p.expect(")")
	if p.acceptAny("STORED", "PERSISTED") {
		k.Stored = true
	} else {
		p.accept("VIRTUAL")
	}
}

// identityOptions reads (1, 1), (START WITH 1 …) and START 1 INCREMENT 1.
func (p *parser) identityOptions(k *sqltree.Constraint) {
	if p.is("(") {
		if p.toks[p.i+1].kind == numberToken {
			p.skip()
			return
		}
		end := int(p.toks[p.i].match)
		p.i++
		k.Options = p.sequenceOptions(end)
		p.i = end + 1
		return
	}
	for p.isAny("START", "INCREMENT", "NO") || p.kind() == wordToken && strings.EqualFold(p.textAt(p.i), "noorder") {
		p.i++
		p.acceptAny("WITH", "BY")
		p.accept("=")
		if p.kind() == numberToken || p.is("ORDER") {
			p.i++
		}
	}
}

// deferrable reads what may follow a constraint.
func (p *parser) deferrable(k *sqltree.Constraint) {
	for p.err == nil {
		switch {
		case p.accept("NOT", "DEFERRABLE"):
		case p.accept("DEFERRABLE"):
			k.Deferrable = true
		case p.accept("INITIALLY", "DEFERRED"):
			k.Deferrable, k.Deferred = true, true
		case p.accept("INITIALLY", "IMMEDIATE"):
		case p.is("NOT") && p.wordAt(1) == "VALID":
			p.i += 2
			k.NotValid = true
		case p.accept("NOT", "ENFORCED"), p.accept("ENFORCED"), p.accept("RELY"), p.accept("DISABLE"), p.accept("NOVALIDATE"), p.accept("ENABLE"):
		default:
			return
		}
	}
}

// references reads REFERENCES t (a) with its actions.
func (p *parser) references(k *sqltree.Constraint) {
	p.expect("REFERENCES")
	ref := p.relationName()
	k.RefTable = &ref
	if p.is("(") {
		k.RefColumns = p.identList()
	}
	for p.err == nil {
		switch {
		case p.accept("MATCH"):
			k.Match = strings.ToUpper(p.textAt(p.i))
			p.one()
		case p.is("ON") && p.wordAt(1) == "DELETE":
			p.i += 2
			k.OnDelete = p.action()
		case p.is("ON") && p.wordAt(1) == "UPDATE":
			p.i += 2
			k.OnUpdate = p.action()
		default:
			return
		}
	}
}

// action reads CASCADE, SET NULL (a, b) and the like.
func (p *parser) action() string {
	from := p.i
	if !p.acceptAny("CASCADE", "RESTRICT") {
		if !p.acceptAny("SET", "NO") {
			p.unexpected("CASCADE, RESTRICT, SET NULL, SET DEFAULT or NO ACTION")
			return ""
		}
		p.one()
	}
	to := p.i
	if p.is("(") {
		p.skip()
	}
	return p.upper(from, to)
}

func (p *parser) tableConstraint() sqltree.Constraint {
	start := p.start()
	k := sqltree.Constraint{}
	if p.accept("CONSTRAINT") {
		p.ifNotExists()
		if !p.isAny("PRIMARY", "UNIQUE", "FOREIGN", "CHECK") || p.wordAt(1) == "CHECK" {
			k.Name = p.identPtr()
		}
	}
	switch p.word() {
	case "PRIMARY", "UNIQUE":
		k.Kind = sqltree.PrimaryKey
		if p.accept("UNIQUE") {
			k.Kind = sqltree.Unique
			p.acceptAny("KEY", "INDEX")
			if p.accept("NULLS") {
				p.accept("NOT")
				p.expect("DISTINCT")
			}
			if p.isName() && !p.isAny("CLUSTERED", "USING") {
				k.Name = p.identPtr()
			}
		} else {
			p.i++
			p.expect("KEY")
		}
		p.acceptAny("CLUSTERED", "NONCLUSTERED")
		if p.accept("USING") {
			if p.accept("INDEX") {
				p.ident()
			} else {
				k.Method = p.ident().Name
			}
		}
		if p.is("(") {
			k.Keys = p.indexKeys()
			k.Columns = keyColumns(k.Keys)
			if k.Columns != nil {
				k.Keys = nil
			}
		} else if p.clickhouse {
			p.expr()
		}
		p.onConflict()
		if p.accept("INCLUDE") {
			k.Include = p.identList()
		}
	case "FOREIGN":
		k.Kind = sqltree.ForeignKey
		p.i++
		p.expect("KEY")
		p.ifNotExists()
		if !p.is("(") {
			name := p.ident()
			if k.Name == nil {
				k.Name = &name
			}
		}
		k.Columns = p.identList()
		p.references(&k)
	case "CHECK":
		k.Kind = sqltree.Check
		p.i++
		if !p.is("(") && !p.clickhouse {
			p.unexpected(`"("`)
			return k
		}
		k.Expr = p.expr()
		if p.accept("NO", "INHERIT") {
			k.NoInherit = true
		}
		p.onConflict()
	case "ASSUME":
		k.Kind = sqltree.Check
		p.i++
		k.Expr = p.expr()
	case "EXCLUDE":
		k.Kind = sqltree.Exclude
		p.i++
		if p.accept("USING") {
			k.Method = p.ident().Name
		}
		p.expect("(")
		for p.err == nil {
			key := p.indexKey()
			if p.accept("WITH") {
				at := p.start()
				for !p.isAny(",", ")") && !p.atEnd() {
					p.skip()
				}
				key.With = p.textFrom(at)
			}
			key.Span = p.from(key.Start)
			k.Keys = append(k.Keys, key)
			if !p.accept(",") {
				break
			}
		}
		p.expect(")")
		if p.accept("WHERE") {
			k.Where = p.expr()
		}
	default:
		p.unexpected("PRIMARY KEY, UNIQUE, FOREIGN KEY or CHECK")
		return k
	}
	if p.is("WITH") && p.wordAt(1) == "(" {
		p.i++
		k.Options = p.optionList()
	}
	if p.accept("USING", "INDEX", "TABLESPACE") {
		p.ident()
	}
	p.deferrable(&k)
	if !p.isAny(",", ")") && p.kind() == wordToken {
		// Options of some dialect: COMMENT, WITH (…), ON [PRIMARY], USING BTREE.
		p.skipList()
	}
	k.Span = p.from(start)
	return k
}

// keyColumns returns the columns of keys that are nothing but columns.
func keyColumns(keys []sqltree.IndexKey) []sqltree.Ident {
	var ids []sqltree.Ident
	for _, k := range keys {
		c, ok := k.Expr.(*sqltree.Column)
		if !ok || len(c.Parts) != 1 {
			return nil
		}
		ids = append(ids, c.Parts[0])
	}
	return ids
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

// tableOptions reads what follows the columns of a table.
func (p *parser) tableOptions(t *sqltree.CreateTable) {
	for p.err == nil && !p.atEnd() {
		start := p.start()
		w, next := p.word(), p.wordAt(1)
		switch {
		case w == ",":
			p.i++ // WITHOUT ROWID, STRICT
		case w == "AS" && (p.wordAt(1) == "SELECT" || p.wordAt(1) == "WITH" || p.wordAt(1) == "VALUES" || p.wordAt(1) == "FROM" ||
			p.fromFirst && p.describedOrPivoted(p.i+1) || p.wordAt(1) == "TABLE" && p.toks[p.i+2].kind != symbolToken || p.queryAt(p.i+1) || p.toks[p.i+1].kind == templateToken):
			p.i++
			t.As = p.queryBody()
			if at := p.start(); p.accept("WITH") {
				p.accept("NO")
				if p.accept("DATA") {
					t.Options = append(t.Options, sqltree.Option{Span: p.from(at), Key: strings.ToUpper(p.textFrom(at))})
				}
			}
		case (w == "SELECT" || w == "WITH" && p.toks[p.i+1].kind == wordToken && p.wordAt(2) == "AS") && t.As == nil, w == "(" && p.queryAt(p.i):
			t.As = p.queryBody()
		case w == "AS" && (p.toks[p.i+1].kind == wordToken || p.toks[p.i+1].kind == quotedToken):
			p.i++
			if p.wordAt(1) == "(" { // ClickHouse's AS function(…)
				p.expr()
				break
			}
			t.Like = append(t.Like, p.relationName())
		case (w == "LIKE" || w == "CLONE" || w == "COPY") && next != "=":
			p.i++
			p.accept("GRANTS")
			if !p.isName() {
				p.unexpected("a table")
				break
			}
			t.Like = append(t.Like, p.relationName())
			p.tableModifiers()
		case w == "INHERITS":
			p.i++
			p.expect("(")
			for p.err == nil {
				t.Inherits = append(t.Inherits, p.name())
				if !p.accept(",") {
					break
				}
			}
			p.expect(")")
		case w == "FOR" && next == "VALUES", w == "DEFAULT" && t.PartitionOf != nil:
			for !p.atEnd() && !p.is("PARTITION") {
				p.skip()
			}
			t.Bound = p.from(start)
		case w == "PARTITION" && next == "BY":
			p.i += 2
			at := p.start()
			p.optionTail(true)
			t.PartitionBy = p.from(at)
		case w == "WITH" && next == "(", w == "OPTIONS" && next == "(":
			p.i++
			t.Options = append(t.Options, p.optionList()...)
		default:
			t.Options = append(t.Options, p.tableOption())
		}
	}
}

// optionWords begin an option of a table, where the value of the one before ends.
var optionWords = wordSet(`engine order primary sample ttl settings comment cluster options with tablespace on as partition distributed without strict
	auto_increment default charset character collate row_format data using inherits select key_block_size checksum location stored
	tblproperties clustered sortkey distkey diststyle copy like clone change_tracking data_retention_time_in_days target_lag warehouse
	refresh empty`)

// tableOption reads one option: WITHOUT ROWID, ENGINE = x, ORDER BY (a, b).
func (p *parser) tableOption() sqltree.Option {
	start := p.start()
	if p.kind() != wordToken {
		p.unexpected("an option or the end of the statement")
		return sqltree.Option{}
	}
	first := p.i
	p.i++
	switch spellings[p.toks[first].word] {
	case "STRICT":
		return p.option("STRICT", start, len(p.text))
	case "WITHOUT":
		p.skip()
		return p.option(p.upper(first, p.i), start, len(p.text))
	case "UNION":
		p.accept("=")
		p.skip()
		return p.option("UNION", start, start+5)
	}
	for p.kind() == wordToken && !p.isAt(first, "SETTINGS") && (p.isAt(p.i-1, "DEFAULT") || p.wordAt(1) == "=" ||
		p.isAny("BY", "KEY", "COMMIT", "SET", "CLUSTER", "DIRECTORY", "TABLESPACE")) {
		p.i++
	}
	key := p.upper(first, p.i)
	p.accept("=")
	value := p.start()
	p.optionTail(false)
	return p.option(key, start, value)
}

// optionTail passes over the value of an option, to where the next one begins.
func (p *parser) optionTail(call bool) {
	from := p.i
	for !p.atEnd() {
		if p.i > from && p.kind() == wordToken && optionWords[strings.ToLower(p.textAt(p.i))] && !p.isAt(p.i-1, ".") && !p.isAt(p.i-1, ",") &&
			p.toks[p.i-1].kind != symbolToken || p.i > from && p.isAt(p.i-1, ")") && p.kind() == wordToken && optionWords[strings.ToLower(p.textAt(p.i))] {
			return
		}
		if p.i > from && p.kind() == wordToken && p.wordAt(1) == "=" && p.toks[p.i-1].kind != symbolToken {
			return
		}
		if !call && p.i > from && p.is(",") && !p.clickhouse {
			return
		}
		p.skip()
	}
}

// virtualTable reads SQLite's CREATE VIRTUAL TABLE t USING module(a, b).
func (p *parser) virtualTable(start int) sqltree.Statement {
	p.i += 2
	t := &sqltree.CreateTable{}
	t.IfNotExists = p.ifNotExists()
	t.Name = p.name()
	at := p.start()
	p.expect("USING")
	module := p.ident()
	if p.is("(") {
		end := int(p.toks[p.i].match)
		p.i++
		for p.i < end {
			// Arguments that are names are columns; a key with a value is an option.
			if p.isName() && !p.isAtSymbol(p.i+1, "=") {
				from := p.start()
				d := sqltree.ColumnDef{Name: p.ident()}
				p.skipList()
				d.Span = p.from(from)
				t.Columns = append(t.Columns, d)
			} else {
				p.skipList()
			}
			p.accept(",")
		}
		p.i = end + 1
	}
	t.Options = append(t.Options, sqltree.Option{Span: p.from(at), Key: "USING", Value: module.Name})
	t.Span = p.from(start)
	return t
}

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
	t.Constraints = d.Constraints
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
