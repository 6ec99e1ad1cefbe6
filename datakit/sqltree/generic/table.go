package generic

import (
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

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
