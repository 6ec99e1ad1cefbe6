package generic

import (
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

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
	case w == "STORAGE":
		p.i++
		d.Storage = strings.ToUpper(p.textAt(p.i))
		p.skip()
		return
	case w == "COMPRESSION":
		p.i++
		d.Compression = p.textAt(p.i)
		p.skip()
		return
	case w == "ENCODE", w == "AFTER":
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
			k.OnDelete, k.SetColumns = p.action()
		case p.is("ON") && p.wordAt(1) == "UPDATE":
			p.i += 2
			k.OnUpdate, _ = p.action()
		default:
			return
		}
	}
}

// action reads CASCADE, SET NULL (a, b) and the like.
func (p *parser) action() (action string, columns []sqltree.Ident) {
	from := p.i
	if !p.acceptAny("CASCADE", "RESTRICT") {
		if !p.acceptAny("SET", "NO") {
			p.unexpected("CASCADE, RESTRICT, SET NULL, SET DEFAULT or NO ACTION")
			return "", nil
		}
		p.one()
	}
	to := p.i
	if p.is("(") {
		columns = p.identList()
	}
	return p.upper(from, to), columns
}
