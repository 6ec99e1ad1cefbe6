package sqlsrc

import (
	"context"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// clickhouse executes scripts of ClickHouse.
type clickhouse struct{ reader }

func newClickHouse(rep *finding.Report) interpreter {
	return &clickhouse{newReader(dialect.ClickHouse, rep, lexicon{
		backslash: true, backtick: true, nameEscapes: true, dollarTexts: true,
	}, "")}
}

func (in *clickhouse) run(ctx context.Context, p piece) {
	in.execute(ctx, p, p.text, semicolons, in.statement)
}

func (in *clickhouse) statement() {
	switch {
	case in.accept("CREATE"):
		in.create()
	case in.accept("ALTER", "TABLE"):
		in.alter()
	case in.accept("DROP", "DATABASE"):
		exists := in.ifExists()
		in.dropped("DATABASE", in.name("a database"), exists)
	case in.accept("DROP"):
		in.dropRelation()
	case in.accept("USE"):
		in.current = in.name("a database")
	case in.isAny("SET", "INSERT", "OPTIMIZE", "SYSTEM"):
		in.skip(in.leading())
	default:
		in.refuse(in.leading(), "")
	}
}

func (in *clickhouse) create() {
	replace := in.accept("OR", "REPLACE")
	if in.accept("TEMPORARY") {
		in.refuse("CREATE TEMPORARY TABLE", "what is temporary is no part of a schema")
	}
	switch {
	case in.accept("TABLE"):
		in.createTable()
	case in.accept("VIEW"):
		v := in.newView(replace)
		if v == nil {
			return
		}
		in.cluster()
		if in.is("(") {
			in.list(func() { v.Columns = append(v.Columns, in.name("a column")); in.skipTo(",") })
		}
		in.security(v)
		in.viewComment(v)
		in.viewBody(v)
	case in.accept("MATERIALIZED", "VIEW"):
		in.createMaterialized(replace)
	case in.accept("DATABASE"):
		exists := in.ifNotExists()
		in.addSchema(in.name("a database"), exists)
		in.cluster()
		if in.accept("ENGINE") {
			in.accept("=")
			in.dropPart("the engine of a database")
			in.value()
		}
		if in.accept("COMMENT") {
			in.db.Schemas[len(in.db.Schemas)-1].Comment = in.literal("a comment")
		}
	default:
		in.refuse(in.leading(), "")
	}
}

// cluster refuses ON CLUSTER, which is about servers.
func (in *clickhouse) cluster() {
	if in.is("ON", "CLUSTER") {
		in.refuse("ON CLUSTER", "leave it out: a schema is declared for one server")
	}
}

func (in *clickhouse) createTable() {
	t := in.newTable()
	if t == nil {
		return
	}
	in.cluster()
	if in.isAny("ENGINE", "AS", "CLONE") {
		in.refuse("CREATE TABLE … AS", "declare the columns")
	}
	in.list(func() {
		if !in.is(")") { // a comma may stand behind the last one
			in.element(t)
		}
	})
	in.clauses(t)
	if in.is("AS") {
		in.refuse("CREATE TABLE … AS SELECT", "declare the columns")
	}
	in.addTable(t)
}

// clauses are the words that begin one behind the columns of a table.
var clickhouseClauses = []string{"ENGINE", "ORDER", "PARTITION", "PRIMARY", "SAMPLE", "TTL", "SETTINGS", "COMMENT", "AS", "POPULATE", "EMPTY"}

// clauses reads what follows the columns.
func (in *clickhouse) clauses(t *schema.Table) {
	text := func() string {
		s := in.skipTo(clickhouseClauses...)
		if s == "" {
			in.unexpected("a value")
		}
		return s
	}
	for {
		switch {
		case in.accept("ENGINE"):
			in.accept("=")
			t.Engine = in.value()
		case in.accept("ORDER", "BY"):
			t.OrderBy = text()
		case in.accept("PARTITION", "BY"):
			t.PartitionBy = text()
		case in.accept("PRIMARY", "KEY"):
			k := &schema.Constraint{Kind: schema.PrimaryKey, Origin: in.here()}
			in.keyText(k, text())
			t.Constraints = append(t.Constraints, k)
		case in.accept("SAMPLE", "BY"):
			t.Options = append(t.Options, schema.Option{Key: "SAMPLE BY", Value: text()})
		case in.accept("TTL"):
			t.Options = append(t.Options, schema.Option{Key: "TTL", Value: text()})
		case in.accept("SETTINGS"):
			t.Options = append(t.Options, schema.Option{Key: "SETTINGS", Value: text()})
		case in.accept("COMMENT"):
			t.Comment = in.literal("a comment")
		default:
			return
		}
	}
}

// keyText takes the text of a key apart: columns, or expressions.
func (in *clickhouse) keyText(k *schema.Constraint, text string) {
	probe := *in
	probe.text, probe.i = in.bare(text), 0
	toks, _ := scan(in.lexicon, probe.text)
	toks = append(toks, token{endToken, len(probe.text), len(probe.text)})
	var keys []schema.IndexKey
	for probe.toks = toks; ; {
		from := probe.i
		if from >= len(toks) {
			break
		}
		part := probe.skipTo(",")
		if part == "" {
			break
		}
		key := schema.IndexKey{Expr: part}
		if t := toks[from]; probe.i == from+1 && (t.kind == wordToken || t.kind == nameToken) {
			key = schema.IndexKey{Column: part}
			if t.kind == nameToken {
				key.Column = probe.unquoted(t)
			}
		}
		keys = append(keys, key)
		if !probe.accept(",") {
			break
		}
	}
	setKeys(k, keys)
}

// element reads a column, an index or a constraint.
func (in *clickhouse) element(t *schema.Table) {
	switch {
	case in.is("INDEX") && in.ahead(2).kind != symbolToken && !in.tokenIs(in.ahead(1), "CODEC"), in.is("INDEX") && in.tokenIs(in.ahead(2), "("):
		in.i++
		in.skippingIndex(t)
	case in.is("PROJECTION"):
		in.refuse("PROJECTION", "")
	case in.is("CONSTRAINT"):
		in.check(t)
	case in.accept("PRIMARY", "KEY"):
		k := &schema.Constraint{Kind: schema.PrimaryKey, Origin: in.here()}
		in.keyText(k, in.group())
		t.Constraints = append(t.Constraints, k)
	default:
		in.columnDef(t)
	}
}

// check reads CONSTRAINT … CHECK.
func (in *clickhouse) check(t *schema.Table) {
	k := &schema.Constraint{Kind: schema.Check, Origin: in.here()}
	in.expect("CONSTRAINT")
	in.ifNotExists()
	k.Name = in.name("a constraint")
	if in.is("ASSUME") {
		in.refuse("CONSTRAINT … ASSUME", "")
	}
	in.expect("CHECK")
	if k.Expr = in.bare(in.skipTo(",")); k.Expr == "" {
		in.unexpected("an expression")
	}
	t.Constraints = append(t.Constraints, k)
}

func (in *clickhouse) skippingIndex(t *schema.Table) {
	in.ifNotExists()
	x := &schema.Index{Table: t.Name, Name: in.name("an index"), Origin: in.here()}
	from := in.i
	in.skipTo("TYPE", ",")
	expr := in.since(from)
	if expr == "" {
		in.unexpected("an expression")
	}
	k := schema.Constraint{}
	in.keyText(&k, expr)
	x.Keys = k.Keys
	for _, c := range k.Columns {
		x.Keys = append(x.Keys, schema.IndexKey{Column: c})
	}
	in.expect("TYPE")
	x.Method = in.value()
	if in.accept("GRANULARITY") {
		x.Granularity = in.number("a granularity")
	}
	t.Indexes = append(t.Indexes, x)
}

func (in *clickhouse) columnDef(t *schema.Table) *schema.Column {
	c := &schema.Column{Native: true, Origin: in.here()}
	c.Name = in.name("a column")
	for in.accept(".") { // a nested one: a.b
		c.Name += "." + in.anyName("a column")
	}
	if !in.isAny("DEFAULT", "MATERIALIZED", "ALIAS", "EPHEMERAL") {
		from := in.i
		in.next("a type")
		if in.is("(") {
			in.group()
		}
		c.Type = nativeType(in.since(from))
	}
	for in.attribute(t, c) {
	}
	t.Columns = append(t.Columns, c)
	return c
}

// attributeWords begin what follows an expression behind a column.
var clickhouseAttributes = []string{",", "COMMENT", "CODEC", "TTL", "STATISTICS", "SETTINGS", "PRIMARY", "FIRST", "AFTER", "NOT", "NULL", "COLLATE"}

func (in *clickhouse) attribute(t *schema.Table, c *schema.Column) bool {
	expr := func() string {
		from := in.i
		if in.is("NULL") || in.is("NOT") {
			in.i++
		}
		in.skipTo(clickhouseAttributes...)
		if in.i == from {
			in.unexpected("an expression")
		}
		return in.since(from)
	}
	option := func(key, value string) { c.Options = append(c.Options, schema.Option{Key: key, Value: value}) }
	switch {
	case in.accept("NOT", "NULL"):
		c.NotNull = true
	case in.accept("NULL"):
		c.Nullable = true
	case in.accept("DEFAULT"):
		if tok := in.tok(); tok.kind == textToken && (in.ahead(1).kind == endToken || in.isOneOf(in.ahead(1), append(clickhouseAttributes, ")")...)) {
			in.i++
			c.Default = &schema.Default{Literal: true, Text: in.unquoted(tok)}
		} else {
			c.Default = &schema.Default{Text: expr()}
		}
	case in.accept("MATERIALIZED"):
		c.Generated = &schema.Generated{Expr: expr(), Stored: true}
	case in.accept("ALIAS"):
		c.Generated = &schema.Generated{Expr: expr()}
	case in.accept("EPHEMERAL"):
		if in.isOneOf(in.tok(), append(clickhouseAttributes, ")")...) || in.atEnd() {
			option("EPHEMERAL", "")
		} else {
			option("EPHEMERAL", expr())
		}
	case in.accept("COMMENT"):
		c.Comment = in.literal("a comment")
	case in.accept("CODEC"):
		option("CODEC", "("+in.group()+")")
	case in.accept("TTL"):
		option("TTL", expr())
	case in.accept("STATISTICS"):
		option("STATISTICS", "("+in.group()+")")
	case in.accept("SETTINGS"):
		option("SETTINGS", "("+in.group()+")")
	case in.accept("COLLATE"):
		c.Collation = in.name("a collation")
	case in.accept("PRIMARY", "KEY"):
		t.Constraints = append(t.Constraints, &schema.Constraint{Kind: schema.PrimaryKey, Inline: true, Columns: []string{c.Name}, Origin: c.Origin})
	default:
		return false
	}
	return true
}

func (in *clickhouse) createMaterialized(replace bool) {
	v := in.newView(replace)
	if v == nil {
		return
	}
	v.Materialized = true
	in.cluster()
	if in.accept("REFRESH") {
		v.Refresh = in.skipTo("TO", "ENGINE", "AS", "(", "EMPTY", "APPEND", "SETTINGS")
	}
	if in.accept("APPEND") {
		v.Refresh += " APPEND"
	}
	if in.accept("TO") {
		to := in.qualified("a table")
		v.To = &to
	}
	if in.is("(") {
		in.list(func() { v.Columns = append(v.Columns, in.name("a column")); in.skipTo(",") })
	}
	from := in.i
	if in.is("ENGINE") {
		in.skipTo("POPULATE", "EMPTY", "COMMENT", "AS", "DEFINER", "SQL")
		v.Engine = in.since(from)
	}
	v.NoData = in.accept("EMPTY")
	if in.accept("POPULATE") {
		in.dropPart("POPULATE")
	}
	in.security(v)
	if in.accept("COMMENT") {
		v.Comment = in.literal("a comment")
	}
	in.viewComment(v)
	in.viewBody(v)
}

// viewComment reads the comment behind the query of a view.
func (in *clickhouse) viewComment(v *schema.View) {
	last := len(in.toks) - 2 // before the end
	if last > in.i+2 && in.toks[last].kind == textToken && in.tokenIs(in.toks[last-1], "COMMENT") {
		v.Comment = in.unquoted(in.toks[last])
		in.toks = slices.Delete(in.toks, last-1, last+1)
	}
}

// security reads whose rights a view has. Its definer is not one of every server.
func (in *clickhouse) security(v *schema.View) {
	if in.is("DEFINER") {
		in.dropPart("DEFINER")
		in.i++
		in.expect("=")
		in.next("a user")
	}
	if in.accept("SQL", "SECURITY") {
		v.Options = append(v.Options, schema.Option{Key: "SQL SECURITY", Value: in.expectAny("DEFINER", "INVOKER", "NONE")})
	}
}

func (in *clickhouse) alter() {
	t := in.tableFor(in.qualified("a table"))
	in.cluster()
	for {
		in.action(t)
		if !in.accept(",") {
			return
		}
	}
}

func (in *clickhouse) action(t *schema.Table) {
	switch {
	case in.accept("ADD", "COLUMN"):
		if in.ifNotExists() {
			in.refuse("ADD COLUMN IF NOT EXISTS", "")
		}
		in.columnDef(t)
		if in.isAny("FIRST", "AFTER") {
			in.refuse("ADD COLUMN … "+strings.ToUpper(in.textOf(in.tok())), "declare the columns in their order")
		}
	case in.accept("ADD", "INDEX"):
		in.skippingIndex(t)
	case in.accept("ADD"):
		in.check(t)
	case in.accept("DROP", "COLUMN"):
		t.Columns = without(t.Columns, in.expectColumn(t))
	case in.accept("RENAME", "COLUMN"):
		c := in.expectColumn(t)
		in.expect("TO")
		in.renameColumn(t, c.Name, in.name("a column"))
	case in.accept("COMMENT", "COLUMN"):
		c := in.expectColumn(t)
		c.Comment = in.literal("a comment")
	case in.accept("MODIFY", "COMMENT"):
		t.Comment = in.literal("a comment")
	default:
		in.refuse("ALTER TABLE … "+strings.ToUpper(in.textOf(in.tok())), "")
	}
}
