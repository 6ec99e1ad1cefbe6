package generic

import (
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// alter reads ALTER TABLE and the like; other kinds of ALTER have nothing to
// resolve. ClickHouse's ALTER TABLE … UPDATE and DELETE are what they say.
func (p *parser) alter(start int) sqltree.Statement {
	p.i++
	for p.acceptAny("FOREIGN", "EXTERNAL", "ICEBERG", "DYNAMIC", "HYBRID", "IGNORE") {
	}
	kind := p.object()
	ifExists := p.ifExists()
	switch kind {
	case "TABLE", "VIEW", "MATERIALIZED VIEW", "INDEX", "SEQUENCE", "TYPE", "DOMAIN":
	default:
		s := &sqltree.Other{Kind: "ALTER " + kind}
		if p.isName() {
			s.Name = p.namePtr()
			if kind == "POLICY" {
				p.ofTable(s)
				p.conditions(s)
			}
		}
		p.skipRoutine()
		s.Span = p.from(start)
		return s
	}
	p.accept("ONLY")
	if k := p.kind(); k == paramToken || k == templateToken || p.is("{") {
		return p.unknownTarget(start, "ALTER "+kind)
	}
	a := &sqltree.AlterTable{Kind: kind, Table: p.relationName(), IfExists: ifExists}
	p.accept("*")
	if p.accept("ON", "CLUSTER") {
		p.skip()
	}
	if p.clickhouse && (p.is("UPDATE") || p.is("DELETE")) {
		return p.mutation(start, a.Table)
	}
	if kind == "VIEW" && p.is("AS") {
		// ALTER VIEW v AS SELECT …
		p.i++
		v := &sqltree.CreateView{Name: a.Table, Replace: true, Query: p.queryBody()}
		v.Span = p.from(start)
		return v
	}
	var last sqltree.AlterAction
	for p.err == nil {
		if p.columnFollows(last.Kind) {
			last = p.oneMore(last)
		} else {
			last = p.alterAction(kind)
		}
		a.Actions = append(a.Actions, last)
		for i := range p.added {
			d := &p.added[i]
			a.Actions = append(a.Actions, sqltree.AlterAction{Span: d.Span, Kind: last.Kind, Column: d, Name: &d.Name})
		}
		p.added = nil
		if !p.accept(",") {
			break
		}
	}
	a.Span = p.from(start)
	return a
}

// columnFollows reports whether the next entry of a list of actions is one more
// column of the action before it.
func (p *parser) columnFollows(kind string) bool {
	if p.d != sqltree.Snowflake && p.d != sqltree.Generic || kind != "ADD COLUMN" && kind != "DROP COLUMN" {
		return false
	}
	if p.kind() != quotedToken && (p.kind() != wordToken || p.toks[p.i].word != 0) {
		return false
	}
	if kind == "DROP COLUMN" {
		return p.atEndOf(p.i+1) || p.isAt(p.i+1, ",")
	}
	return p.toks[p.i+1].kind == wordToken
}

// oneMore reads one more column of ADD a int, b text and DROP a, b.
func (p *parser) oneMore(of sqltree.AlterAction) sqltree.AlterAction {
	start := p.start()
	x := sqltree.AlterAction{Kind: of.Kind, IfExists: of.IfExists}
	if x.Kind == "ADD COLUMN" {
		d := p.columnDef()
		x.Column, x.Name = &d, &d.Name
	} else {
		x.Name = p.identPtr()
	}
	x.Span = p.from(start)
	return x
}

// mutation reads what follows ALTER TABLE t in UPDATE and DELETE of ClickHouse.
func (p *parser) mutation(start int, table sqltree.Name) sqltree.Statement {
	ref := &sqltree.TableRef{Span: table.Span, Name: table}
	update := p.is("UPDATE")
	p.i++
	var set []sqltree.Assignment
	if update {
		set = p.assignmentList()
	}
	if p.accept("IN") {
		p.accept("PARTITION")
		p.expr()
	}
	p.expect("WHERE")
	where := p.expr()
	if p.is("SETTINGS") {
		p.settings()
	}
	if update {
		return &sqltree.Update{Span: p.from(start), Tables: []sqltree.TableExpr{ref}, Set: set, Where: where}
	}
	return &sqltree.Delete{Span: p.from(start), From: []sqltree.TableExpr{ref}, Where: where}
}

func (p *parser) alterAction(kind string) sqltree.AlterAction {
	start, first := p.start(), p.i
	var x sqltree.AlterAction
	name := func() {
		x.IfExists = p.ifExists()
		if !x.IfExists {
			p.ifNotExists()
		}
		x.Name = p.columnName()
	}
	switch w := p.word(); w {
	case "ADD":
		p.i++
		p.attribute(kind)
		p.alterAdd(&x)
	case "DROP":
		p.i++
		switch {
		case p.acceptAny("CONSTRAINT"):
			x.Kind = "DROP CONSTRAINT"
			name()
		case p.is("PRIMARY") && p.wordAt(1) == "KEY":
			p.i += 2
			x.Kind = "DROP PRIMARY KEY"
		case p.is("FOREIGN") && p.wordAt(1) == "KEY":
			p.i += 2
			x.Kind = "DROP FOREIGN KEY"
			name()
		case p.isAny("INDEX", "KEY", "PARTITION", "PROJECTION", "CHECK", "STATISTICS", "PERIOD") && p.toks[p.i+1].kind != symbolToken:
			x.Kind = "DROP " + p.word()
			p.i++
			if p.isName() {
				name()
			}
		default:
			p.accept("COLUMN")
			p.attribute(kind)
			x.Kind = "DROP COLUMN"
			name()
			p.fieldOf(&x)
		}
		p.acceptAny("CASCADE", "RESTRICT")
	case "RENAME":
		p.i++
		switch {
		case p.acceptAny("TO", "AS"):
			x.Kind = "RENAME"
			n := p.name().Last()
			x.NewName = &n
		case p.stringAlias && p.d != sqltree.SQLite && p.renameAhead():
			x.Kind = "RENAME"
			n := p.name().Last()
			x.NewName = &n
		case p.isAny("CONSTRAINT", "INDEX", "KEY") && p.wordAt(1) != "TO":
			x.Kind = "RENAME " + p.word()
			p.i++
			x.Name = p.identPtr()
			p.expect("TO")
			x.NewName = p.identPtr()
		default:
			if p.is("COLUMN") && p.wordAt(1) != "TO" {
				p.i++
			}
			x.Kind = "RENAME COLUMN"
			name()
			if p.fieldOf(&x) {
				p.expect("TO")
				p.ident()
				break
			}
			p.expect("TO")
			x.NewName = p.columnName()
		}
	case "ALTER", "MODIFY", "CHANGE", "COLUMN":
		p.i++
		p.attribute(kind)
		p.alterColumn(&x, w)
	case "ATTACH", "DETACH":
		p.i++
		x.Kind = w + " PARTITION"
		if p.accept("PARTITION") && p.isName() {
			x.Other = p.namePtr()
		}
	case "OWNER":
		p.i++
		p.expect("TO")
		x.Kind = "OWNER TO"
		x.NewName = p.identPtr()
	case "SET":
		if p.wordAt(1) == "SCHEMA" {
			p.i += 2
			x.Kind = "SET SCHEMA"
			x.NewName = p.identPtr()
			break
		}
		x.Kind = "SET"
	case "":
		if p.kind() != wordToken {
			p.unexpected("an action")
			return x
		}
	}
	if x.Kind == "" {
		// An action of some dialect that is not read: its leading words name it.
		words := 3
		if p.isAt(first+1, "ROW") || p.isAt(first+2, "ROW") { // [NO] FORCE ROW LEVEL SECURITY
			words = 5
		}
		for p.i = first; p.kind() == wordToken && p.i < first+words; p.i++ {
		}
		x.Kind = p.upper(first, p.i)
		if p.i == first {
			p.unexpected("an action")
			return x
		}
	}
	p.skipList()
	x.Span = p.from(start)
	return x
}

// renameAhead reports whether nothing but a name is left of the action.
func (p *parser) renameAhead() bool {
	i := p.i + 1
	for p.isAt(i, ".") {
		i += 2
	}
	return p.isName() && (p.atEndOf(i) || p.isAt(i, ","))
}

// columnName reads the name of a column; in ClickHouse one of a nested structure
// (n.a) is one name of several parts.
func (p *parser) columnName() *sqltree.Ident {
	id := p.ident()
	if !p.clickhouse || !p.is(".") {
		return &id
	}
	parts := []string{id.Name}
	for p.accept(".") {
		field := p.ident()
		id.End = field.End
		parts = append(parts, field.Name)
	}
	id.Name = strings.Join(parts, ".")
	return &id
}

// fieldOf reads the path behind a column's name, which makes the action one about a
// field of the column (DuckDB).
func (p *parser) fieldOf(x *sqltree.AlterAction) bool {
	if !p.is(".") {
		return false
	}
	for p.accept(".") {
		p.ident()
	}
	x.Kind = "ALTER COLUMN"
	return true
}

// attribute passes over the word for a column of a composite type.
func (p *parser) attribute(kind string) {
	if kind == "TYPE" {
		p.accept("ATTRIBUTE")
	}
}

func (p *parser) alterAdd(x *sqltree.AlterAction) {
	w, next := p.word(), p.wordAt(1)
	switch {
	case w == "CONSTRAINT", w == "PRIMARY" && next == "KEY", w == "FOREIGN" && next == "KEY", w == "CHECK" && next == "(", w == "EXCLUDE",
		w == "UNIQUE" && (next == "(" || next == "KEY" || next == "INDEX" || p.wordAt(2) == "("):
		x.Kind = "ADD CONSTRAINT"
		k := p.tableConstraint()
		x.Constraint, x.Name = &k, k.Name
		return
	case !p.clickhouse && (w == "INDEX" || w == "KEY" || w == "FULLTEXT" || w == "SPATIAL") && (next == "(" || p.wordAt(2) == "(" || p.wordAt(2) == "USING" || next == "KEY" || next == "INDEX"):
		x.Kind = "ADD INDEX"
		x.Index = p.innerIndex()
		x.Name = x.Index.Name
		return
	case (w == "INDEX" || w == "PROJECTION" || w == "STATISTICS") && p.clickhouse, w == "PARTITION", w == "ROW" && p.wordAt(2) == "POLICY",
		w == "SEARCH" && next == "OPTIMIZATION":
		x.Kind = "ADD " + w
		return
	case w == "VALUE" && p.toks[p.i+1].kind == stringToken || w == "VALUE" && next == "IF":
		x.Kind = "ADD VALUE"
		p.i++
		p.ifNotExists()
		if p.kind() == stringToken {
			x.Expr = p.stringLiteral(p.start())
		}
		return
	}
	x.Kind = "ADD COLUMN"
	if next != "" || p.toks[p.i+1].kind != symbolToken {
		p.acceptAny("COLUMN", "COLUMNS")
	}
	p.ifNotExists()
	if p.is("(") {
		p.columnsInParentheses(x)
		return
	}
	if p.kind() == symbolToken {
		p.unexpected("a column")
		return
	}
	if p.wordAt(1) == "." && !p.clickhouse {
		x.Name = p.identPtr()
		p.fieldOf(x)
		p.typeName()
		return
	}
	d := p.columnDef()
	x.Column, x.Name = &d, &d.Name
}

// columnsInParentheses reads (a int, b text) of ADD and MODIFY. The action has the
// first; the others are left for actions of their own.
func (p *parser) columnsInParentheses(x *sqltree.AlterAction) {
	end := int(p.toks[p.i].match)
	p.i++
	d := p.columnDef()
	x.Column, x.Name = &d, &d.Name
	for p.err == nil && p.accept(",") && p.isName() && !p.isAny("CONSTRAINT", "PRIMARY", "UNIQUE", "FOREIGN", "CHECK", "KEY", "INDEX") {
		p.added = append(p.added, p.columnDef())
	}
	if p.i < end && p.err == nil {
		p.note(span{Start: p.start(), End: int(p.toks[end].start)}, "more of one action is not read")
		p.i = end
	}
	p.expect(")")
}

// alterColumn reads ALTER, MODIFY and CHANGE of a column.
func (p *parser) alterColumn(x *sqltree.AlterAction, w string) {
	if w == "MODIFY" && p.isAny("ORDER", "SETTING", "TTL", "COMMENT", "QUERY", "SETTINGS") || w == "ALTER" && p.isAny("INDEX", "CONSTRAINT", "CHECK") {
		x.Kind = w + " " + p.word()
		return
	}
	p.accept("COLUMN")
	x.IfExists = p.ifExists()
	if w == "MODIFY" && p.is("(") && p.stages && (p.wordAt(1) == "COLUMN" || p.isAtSymbol(p.i+2, "SET", "DROP", "UNSET", "TYPE")) {
		end := int(p.toks[p.i].match)
		p.i++
		p.alterColumn(x, w)
		if p.i < end {
			p.note(span{Start: p.start(), End: int(p.toks[end].start)}, "more of one action is not read")
			p.i = end
		}
		p.expect(")")
		return
	}
	if w == "MODIFY" && p.is("(") {
		x.Kind = "MODIFY COLUMN"
		p.columnsInParentheses(x)
		return
	}
	if p.kind() == numberToken {
		x.Kind = "ALTER COLUMN" // of an index, by its position
		return
	}
	if !p.isName() {
		p.unexpected("a column")
		return
	}
	start := p.start()
	switch w {
	case "CHANGE":
		x.Kind = "CHANGE COLUMN"
		x.Name = p.identPtr()
		d := p.columnDef()
		x.Column, x.NewName = &d, &d.Name
		return
	case "MODIFY":
		x.Kind = "MODIFY COLUMN"
		if p.isAtSymbol(p.i+1, "SET", "UNSET", "DROP", "TYPE", "REMOVE", "RESET", "MODIFY") || p.wordAt(1) == "COMMENT" && !p.stringAlias {
			if !p.isAt(p.i+1, "TYPE") || p.toks[p.i+2].kind == wordToken {
				break // the actions of ALTER COLUMN
			}
		}
		d := p.columnDef()
		x.Column, x.Name = &d, &d.Name
		return
	}
	x.Name = p.columnName()
	switch {
	case p.accept("TYPE"), p.accept("SET", "DATA", "TYPE"):
		x.Kind = "SET TYPE"
		d := sqltree.ColumnDef{Name: *x.Name, Type: p.typeName()}
		if p.accept("COLLATE") {
			d.Collation = p.namePtr()
		}
		d.Span = p.from(start)
		x.Column = &d
		if p.accept("USING") {
			x.Expr = p.expr()
		}
	case p.accept("SET", "DEFAULT"):
		x.Kind = "SET DEFAULT"
		x.Expr = p.expr()
	case p.accept("DROP", "DEFAULT"):
		x.Kind = "DROP DEFAULT"
	case p.accept("SET", "NOT", "NULL"):
		x.Kind = "SET NOT NULL"
	case p.accept("DROP", "NOT", "NULL"):
		x.Kind = "DROP NOT NULL"
	default:
		x.Kind = "ALTER COLUMN"
	}
}
