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
		backslash: true, backtick: true, nameEscapes: true, dollarTexts: true, hash: true,
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
		in.dropDatabase()
	case in.accept("DROP"):
		in.drop()
	case in.accept("RENAME", "TABLE"), in.accept("RENAME"):
		in.rename()
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
		in.viewColumns(v)
		in.security(v)
		if in.accept("COMMENT") {
			v.Comment = in.literal("a comment")
		}
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
	case in.accept("DICTIONARY"), in.accept("FUNCTION"):
		in.keep(strings.ToUpper(in.textOf(in.toks[in.i-1])), replace)
	default:
		in.refuse(in.leading(), "")
	}
}

// keep takes a statement for an object that the model does not take apart as it is, its
// name qualified.
func (in *clickhouse) keep(kind string, replace bool) {
	exists := in.ifNotExists()
	v := &schema.Verbatim{Kind: kind, Origin: in.origin(in.toks[0].start)}
	if kind == "FUNCTION" { // functions are in no database
		v.Name = schema.Name{Name: in.name("a function")}
	} else {
		v.Name = in.qualified("a dictionary")
	}
	in.cluster()
	if old := in.verbatim(kind, v.Name); old != nil {
		if !exists && !replace {
			in.twice(strings.ToLower(kind), v.Name.String(), old.Origin)
		}
		if !replace {
			in.i = len(in.toks) - 1
			return
		}
		in.db.Verbatim = without(in.db.Verbatim, old)
	}
	v.Text = "CREATE " + kind + " " + in.quoteName(v.Name) + " " + in.rest()
	in.db.Verbatim = append(in.db.Verbatim, v)
}

// viewColumns reads the columns of a view. Those with types are kept as they are: they
// are matched with the columns of the query by their names.
func (in *clickhouse) viewColumns(v *schema.View) {
	if !in.is("(") {
		return
	}
	from, typed := in.i, false
	in.list(func() {
		v.Columns = append(v.Columns, in.name("a column"))
		typed = in.skipTo(",") != "" || typed
	})
	if typed {
		v.Columns = nil
		v.Options = append(v.Options, schema.Option{Key: "COLUMNS", Value: in.since(from)})
	}
}

// dropDatabase executes DROP DATABASE, with everything in it.
func (in *clickhouse) dropDatabase() {
	exists := in.ifExists()
	name := in.name("a database")
	i := slices.IndexFunc(in.db.Schemas, func(n *schema.Namespace) bool { return n.Name == name })
	if i < 0 {
		in.dropped("DATABASE", name, exists)
		return
	}
	in.db.Schemas = slices.Delete(in.db.Schemas, i, i+1)
	for _, t := range slices.Clone(in.db.Tables) {
		if t.Schema == name {
			in.dropTable(t)
		}
	}
	for _, v := range slices.Clone(in.db.Views) {
		if v.Schema == name {
			in.dropView(v)
		}
	}
	in.db.Verbatim = slices.DeleteFunc(in.db.Verbatim, func(v *schema.Verbatim) bool { return v.Schema == name })
}

// drop executes DROP of tables, views, dictionaries and functions. When it happens is no
// matter here.
func (in *clickhouse) drop() {
	for _, word := range []string{"SYNC", "DELAY"} {
		if last := len(in.toks) - 2; in.tokenIs(in.toks[last], word) {
			in.toks = slices.Delete(in.toks, last, last+1)
		}
	}
	kind := in.acceptAny("DICTIONARY", "FUNCTION")
	if kind == "" {
		probe := *in
		probe.acceptAny("TABLE", "VIEW")
		probe.ifExists()
		n := probe.qualified("the object")
		in.dropRelation()
		in.db.Verbatim = slices.DeleteFunc(in.db.Verbatim, func(v *schema.Verbatim) bool { return in.isProjection(v, n) })
		return
	}
	exists := in.ifExists()
	n := in.qualified("the object")
	if kind == "FUNCTION" {
		n.Schema = ""
	}
	if v := in.verbatim(kind, n); v != nil {
		in.db.Verbatim = without(in.db.Verbatim, v)
	} else {
		in.dropped(kind, n.String(), exists)
	}
}

// rename executes RENAME TABLE a TO b, c TO d.
func (in *clickhouse) rename() {
	for {
		t := in.tableFor(in.qualified("a table"))
		in.expect("TO")
		to := in.qualified("a table")
		for _, v := range in.db.Verbatim {
			if in.isProjection(v, t.Name) {
				v.Text = in.projectionOf(to) + strings.TrimPrefix(v.Text, in.projectionOf(t.Name))
				v.Schema, v.CommentOn = to.Schema, to.Name
			}
		}
		in.renameTable(t, to)
		if !in.accept(",") {
			break
		}
	}
	in.cluster()
}

// projection keeps a projection as the statement that adds it to its table.
func (in *clickhouse) projection(t *schema.Table) {
	in.ifNotExists()
	v := &schema.Verbatim{Kind: "PROJECTION", Origin: in.here()}
	v.Name = schema.Name{Schema: t.Schema, Name: in.name("a projection")}
	v.CommentOn = t.Name.Name // other tables may have one of this name
	from := in.i
	in.skipTo(",")
	v.Text = in.projectionOf(t.Name) + in.d.Quote(v.Name.Name) + " " + in.since(from)
	in.db.Verbatim = append(in.db.Verbatim, v)
}

// projectionOf is how the statement of a table's projection begins.
func (in *clickhouse) projectionOf(table schema.Name) string {
	return "ALTER TABLE " + in.quoteName(table) + " ADD PROJECTION "
}

func (in *clickhouse) isProjection(v *schema.Verbatim, table schema.Name) bool {
	return v.Kind == "PROJECTION" && strings.HasPrefix(v.Text, in.projectionOf(table))
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
	if in.accept("AS") {
		if in.isAny("SELECT", "WITH", "(") || in.tokenIs(in.ahead(1), "(") {
			in.refuse("CREATE TABLE … AS SELECT", "declare the columns")
		}
		in.like(t, in.tableFor(in.qualified("a table")))
	} else if in.is("(") {
		in.list(func() {
			if !in.is(")") { // a comma may stand behind the last one
				in.element(t)
			}
		})
	} else {
		in.refuse("CREATE TABLE … AS", "declare the columns")
	}
	in.clauses(t)
	in.accept("EMPTY")
	if in.is("AS") {
		in.dropPart("AS SELECT, which fills the table,")
		in.rest()
	}
	in.addTable(t)
}

// like gives a table the columns of another one, and what else the statement does not say
// itself.
func (in *clickhouse) like(t, other *schema.Table) {
	for _, c := range other.Columns {
		c := *c
		if c.Generated != nil {
			g := *c.Generated
			c.Generated = &g
		}
		if c.Default != nil {
			d := *c.Default
			c.Default = &d
		}
		t.Columns = append(t.Columns, &c)
	}
	for _, x := range other.Indexes {
		x := *x
		x.Table, x.Keys = t.Name, slices.Clone(x.Keys)
		t.Indexes = append(t.Indexes, &x)
	}
	storage := in.isAny(clickhouseClauses...)
	for _, k := range other.Constraints {
		if storage && k.Kind == schema.PrimaryKey {
			continue
		}
		k := *k
		k.Columns, k.Keys = slices.Clone(k.Columns), slices.Clone(k.Keys)
		t.Constraints = append(t.Constraints, &k)
	}
	if !storage {
		t.Engine, t.OrderBy, t.PartitionBy, t.Options = other.Engine, other.OrderBy, other.PartitionBy, slices.Clone(other.Options)
		t.Comment = other.Comment
	}
	for _, v := range slices.Clone(in.db.Verbatim) {
		if in.isProjection(v, other.Name) {
			v := *v
			v.Schema, v.CommentOn, v.Text = t.Schema, t.Name.Name, in.projectionOf(t.Name)+strings.TrimPrefix(v.Text, in.projectionOf(other.Name))
			in.db.Verbatim = append(in.db.Verbatim, &v)
		}
	}
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
	if len(text) > 6 && strings.EqualFold(text[:6], "tuple(") {
		text = text[5:]
	}
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
	case in.is("PROJECTION") && in.tokenIs(in.ahead(2), "("), in.is("PROJECTION") && in.tokenIs(in.ahead(2), "INDEX"):
		in.i++
		in.projection(t)
	case in.is("CONSTRAINT"):
		in.check(t)
	case in.accept("PRIMARY", "KEY"):
		k := &schema.Constraint{Kind: schema.PrimaryKey, Origin: in.here()}
		in.keyText(k, in.skipTo(","))
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
	k.NotEnforced = in.expectAny("CHECK", "ASSUME") == "ASSUME"
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
	if !in.isAny("DEFAULT", "MATERIALIZED", "ALIAS", "EPHEMERAL", "COMMENT", "CODEC", "TTL") {
		from := in.i
		in.next("a type")
		for in.isAny("PRECISION", "CHAR", "CHARACTER", "LARGE", "OBJECT", "VARYING") {
			in.i++
		}
		for in.isAny("UNSIGNED", "SIGNED") {
			in.i++
		}
		if in.is("(") {
			in.group()
		}
		for in.isAny("UNSIGNED", "SIGNED") { // INT(11) UNSIGNED
			in.i++
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
	in.viewColumns(v)
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

// place reads where a column stands, otherwise it stands at a place.
func (in *clickhouse) place(t *schema.Table, otherwise int) int {
	switch {
	case in.accept("FIRST"):
		return 0
	case in.accept("AFTER"):
		return slices.Index(t.Columns, in.expectColumn(t)) + 1
	}
	return otherwise
}

// modifyColumn changes what the statement says of a column; the rest stays.
func (in *clickhouse) modifyColumn(t *schema.Table) {
	exists := in.ifExists()
	if probe := *in; exists && in.column(t, probe.name("a column")) == nil {
		in.skip("MODIFY COLUMN")
		return
	}
	from := in.i
	c := in.expectColumn(t)
	if in.accept("REMOVE") {
		switch what := in.expectAny("DEFAULT", "MATERIALIZED", "ALIAS", "COMMENT", "CODEC", "TTL"); what {
		case "DEFAULT":
			c.Default = nil
		case "MATERIALIZED", "ALIAS":
			c.Generated = nil
		case "COMMENT":
			c.Comment = ""
		default:
			c.Options = slices.DeleteFunc(slices.Clone(c.Options), func(o schema.Option) bool { return o.Key == what })
		}
		return
	}
	if in.i = from; in.tokenIs(in.ahead(1), "TYPE") {
		in.toks = slices.Delete(in.toks, from+1, from+2)
	}
	said := in.columnDef(&schema.Table{Name: t.Name})
	if said.Type.Text != "" {
		c.Type, c.NotNull, c.Nullable = said.Type, said.NotNull, said.Nullable
	}
	if said.Default != nil || said.Generated != nil {
		c.Default, c.Generated = said.Default, said.Generated
	}
	if said.Comment != "" {
		c.Comment = said.Comment
	}
	for _, o := range said.Options {
		c.Options = append(slices.DeleteFunc(slices.Clone(c.Options), func(old schema.Option) bool { return old.Key == o.Key }), o)
	}
	at := in.place(t, slices.Index(t.Columns, c))
	if old := slices.Index(t.Columns, c); at != old {
		t.Columns = slices.Insert(slices.Delete(t.Columns, old, old+1), at-min(1, max(0, at-old)), c)
	}
}

// setOption gives a table an option, in the place of one of the same name.
func (in *clickhouse) setOption(t *schema.Table, key, value string) {
	t.Options = append(slices.DeleteFunc(t.Options, func(o schema.Option) bool { return o.Key == key }), schema.Option{Key: key, Value: value})
}

func (in *clickhouse) action(t *schema.Table) {
	switch {
	case in.accept("ADD", "COLUMN"):
		exists := in.ifNotExists()
		c := in.columnDef(t)
		t.Columns = t.Columns[:len(t.Columns)-1]
		at := in.place(t, len(t.Columns))
		if old := in.column(t, c.Name); old == nil {
			t.Columns = slices.Insert(t.Columns, at, c)
		} else if !exists {
			in.twice("column", t.Name.String()+"."+c.Name, old.Origin)
		}
	case in.accept("MODIFY", "COLUMN"), in.accept("ALTER", "COLUMN"):
		in.modifyColumn(t)
	case in.accept("ADD", "INDEX"):
		in.skippingIndex(t)
		if in.isAny("FIRST", "AFTER") {
			in.refuse("ADD INDEX … "+strings.ToUpper(in.textOf(in.tok())), "declare the indexes in their order")
		}
	case in.accept("ADD", "PROJECTION"):
		in.projection(t)
	case in.accept("ADD"):
		in.check(t)
	case in.accept("DROP", "COLUMN"):
		exists := in.ifExists()
		if name := in.name("a column"); in.column(t, name) != nil {
			t.Columns = without(t.Columns, in.column(t, name))
		} else {
			in.dropped("COLUMN", t.Name.String()+"."+name, exists)
		}
	case in.accept("DROP", "INDEX"):
		exists := in.ifExists()
		if name := in.name("an index"); in.index(t, name) != nil {
			t.Indexes = without(t.Indexes, in.index(t, name))
		} else {
			in.dropped("INDEX", name, exists)
		}
	case in.accept("DROP", "CONSTRAINT"):
		exists := in.ifExists()
		if name := in.name("a constraint"); in.constraint(t, name, schema.Check) != nil {
			t.Constraints = without(t.Constraints, in.constraint(t, name, schema.Check))
		} else {
			in.dropped("CONSTRAINT", name, exists)
		}
	case in.accept("DROP", "PROJECTION"):
		exists := in.ifExists()
		name := in.name("a projection")
		i := slices.IndexFunc(in.db.Verbatim, func(v *schema.Verbatim) bool { return v.Name.Name == name && in.isProjection(v, t.Name) })
		if i < 0 {
			in.dropped("PROJECTION", name, exists)
			return
		}
		in.db.Verbatim = slices.Delete(in.db.Verbatim, i, i+1)
	case in.accept("MODIFY", "TTL"):
		from := in.i
		for in.skipTo(","); in.is(",") && !in.isOneOf(in.ahead(1), "ADD", "ALTER", "COMMENT", "DROP", "MATERIALIZE", "MODIFY", "RENAME"); in.skipTo(",") {
			in.i++
		}
		in.setOption(t, "TTL", in.since(from))
	case in.accept("MODIFY", "ORDER", "BY"):
		t.OrderBy = in.skipTo(",")
	case in.accept("MATERIALIZE"):
		in.skip("MATERIALIZE")
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
