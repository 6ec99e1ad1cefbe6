package sqlsrc

import (
	"context"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/trees"
)

// sqlite executes scripts of SQLite, .dump files among them.
type sqlite struct {
	reader
	indexes map[string]*schema.Index // of all tables: they have one namespace
}

// sqliteReserved are the words that SQLite's grammar never falls back to names for.
const sqliteReserved = `add all alter and as autoincrement between case check collate commit constraint create default deferrable
	delete distinct drop else escape except exists foreign from group having in index insert intersect into is isnull join limit not
	notnull null on or order primary references returning select set table then to transaction union unique update
	using values when where nothing`

func newSQLite(rep *finding.Report) interpreter {
	return &sqlite{
		reader: newReader(dialect.SQLite, rep, lexicon{
			backtick: true, brackets: true, openComment: true, textPrefixes: "x",
		}, sqliteReserved),
		indexes: map[string]*schema.Index{},
	}
}

func (in *sqlite) run(ctx context.Context, p piece) {
	in.execute(ctx, p, p.text, in.length, in.statement)
}

// length finds the end of a statement as SQLite's shell does: that of a trigger is an END
// between two semicolons.
func (in *sqlite) length(toks []token) int {
	trigger := in.tokenIs(toks[0], "CREATE") && slices.ContainsFunc(toks[1:min(3, len(toks))], func(t token) bool { return in.tokenIs(t, "TRIGGER") })
	if !trigger {
		return semicolons(toks)
	}
	for i, t := range toks {
		if t.kind == separatorToken && i >= 2 && toks[i-2].kind == separatorToken && in.tokenIs(toks[i-1], "END") {
			return i
		}
	}
	return len(toks)
}

func (in *sqlite) statement() {
	switch {
	case in.accept("CREATE"):
		in.create()
	case in.accept("ALTER", "TABLE"):
		in.alter()
	case in.accept("DROP"):
		in.drop()
	case in.is("INSERT", "INTO") && in.declaresVirtual():
	case in.isAny("PRAGMA", "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE", "INSERT", "REPLACE", "ANALYZE", "VACUUM", "REINDEX"),
		in.is("DELETE", "FROM") && strings.EqualFold(in.textOf(in.ahead(2)), "sqlite_sequence"):
		in.skip(in.leading())
	default:
		in.refuse(in.leading(), "")
	}
}

func (in *sqlite) create() {
	if w := in.acceptAny("TEMP", "TEMPORARY"); w != "" {
		in.refuse("CREATE "+w+" "+strings.ToUpper(in.textOf(in.tok())), "what is temporary is no part of a schema")
	}
	switch {
	case in.accept("TABLE"):
		in.createTable()
	case in.accept("VIRTUAL", "TABLE"):
		in.createVirtual()
	case in.is("UNIQUE", "INDEX"), in.is("INDEX"):
		in.createIndex(in.accept("UNIQUE"))
	case in.accept("VIEW"):
		in.createView()
	case in.accept("TRIGGER"):
		in.createTrigger()
	default:
		in.refuse(in.leading(), "")
	}
}

func (in *sqlite) createTable() {
	exists := in.ifNotExists()
	t := &schema.Table{Origin: in.origin(in.toks[0].start)}
	if in.isAny("sqlite_sequence", "sqlite_stat1", "sqlite_stat4") {
		// The shell's .schema prints what the database makes itself.
		in.skip("CREATE TABLE " + in.textOf(in.tok()))
		return
	}
	t.Name = in.object("a table")
	if in.is("AS") {
		in.refuse("CREATE TABLE … AS SELECT", "declare the columns")
	}
	if !in.declare("TABLE", t.Name, exists) {
		return
	}
	if in.shadow(t.Name) {
		return
	}
	in.expect("(")
	for {
		in.columnDef(t)
		if !in.accept(",") || in.isTableConstraint() {
			break
		}
	}
	for in.isTableConstraint() { // the commas between them are optional
		in.tableConstraint(t)
		if in.accept(",") && !in.isTableConstraint() {
			in.unexpected("a constraint")
		}
	}
	in.expect(")")
	for !in.atEnd() {
		switch {
		case in.accept("WITHOUT", "ROWID"):
			t.WithoutRowID = true
		case in.accept("STRICT"):
			t.Strict = true
		default:
			in.unexpected("WITHOUT ROWID or STRICT")
		}
		if !in.accept(",") {
			break
		}
		if in.atEnd() {
			in.unexpected("WITHOUT ROWID or STRICT")
		}
	}
	in.addTable(t)
}

// object reads the name of something that a schema holds.
func (in *sqlite) object(what string) schema.Name {
	at := in.tok().start
	n := in.qualified(what)
	if strings.EqualFold(n.Schema, "temp") {
		in.refuse("an object of the schema temp", "what is temporary is no part of a schema")
	}
	if len(n.Name) >= len("sqlite_") && strings.EqualFold(n.Name[:len("sqlite_")], "sqlite_") {
		in.failAt(at, "SRC005", n.Name, "the name %s is reserved for SQLite itself", quoted(n.Name))
	}
	return n
}

func (in *sqlite) isTableConstraint() bool {
	return in.isAny("CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN")
}

func (in *sqlite) columnDef(t *schema.Table) {
	c := &schema.Column{Native: true, Origin: in.here()}
	c.Name = in.name("a column")
	from := in.i
	for in.tok().kind == textToken || in.isName() && !in.is("GENERATED", "ALWAYS", "AS") {
		in.i++
	}
	if in.i > from && in.accept("(") {
		in.signed()
		if in.accept(",") {
			in.signed()
		}
		in.expect(")")
	}
	if in.i > from {
		c.Type = nativeType(in.since(from))
	}
	name := ""
	for in.columnConstraint(t, c, &name) {
	}
	t.Columns = append(t.Columns, c)
}

func (in *sqlite) signed() {
	if !in.accept("-") {
		in.accept("+")
	}
	if in.tok().kind != numberToken {
		in.unexpected("a number")
	}
	in.i++
}

// columnConstraint reads one constraint of a column; name is what CONSTRAINT said before.
func (in *sqlite) columnConstraint(t *schema.Table, c *schema.Column, name *string) bool {
	k := &schema.Constraint{Name: *name, Inline: true, Columns: []string{c.Name}, Origin: in.here()}
	add := func(kind schema.ConstraintKind) {
		k.Kind = kind
		t.Constraints = append(t.Constraints, k)
	}
	last := func() *schema.Constraint {
		if n := len(t.Constraints); n > 0 && t.Constraints[n-1].Kind == schema.ForeignKey && t.Constraints[n-1].Inline {
			return t.Constraints[n-1]
		}
		return &schema.Constraint{} // SQLite takes the words anywhere
	}
	switch {
	case in.accept("CONSTRAINT"):
		*name = in.name("a constraint")
		return true
	case in.accept("NOT", "NULL"):
		c.NotNull = true
		if w := in.conflict(); w != "" {
			c.Options = append(c.Options, schema.Option{Key: "NOT NULL ON CONFLICT", Value: w})
		}
	case in.accept("NULL"):
		c.Nullable = true
		in.conflict() // it has no meaning there
	case in.accept("DEFAULT"):
		c.Default = in.defaultValue()
	case in.accept("PRIMARY"):
		in.expect("KEY")
		if in.order() {
			k.Columns, k.Keys = nil, []schema.IndexKey{{Column: c.Name, Desc: true}}
		}
		k.Conflict = in.conflict()
		c.AutoIncrement = in.accept("AUTOINCREMENT")
		add(schema.PrimaryKey)
	case in.accept("UNIQUE"):
		k.Conflict = in.conflict()
		add(schema.Unique)
	case in.accept("CHECK"):
		k.Expr = in.enclosed()
		add(schema.Check)
	case in.accept("REFERENCES"):
		k.Reference = in.references()
		add(schema.ForeignKey)
	case in.isAny("DEFERRABLE", "INITIALLY"), in.is("NOT", "DEFERRABLE"):
		if in.is("INITIALLY") {
			in.unexpected("DEFERRABLE")
		}
		in.deferrable(last())
		return true // the name stays that of what follows
	case in.accept("COLLATE"):
		c.Collation = in.name("a collation")
	case in.accept("GENERATED", "ALWAYS", "AS"), in.accept("AS"):
		c.Generated = &schema.Generated{Expr: in.enclosed()}
		switch {
		case in.accept("STORED"):
			c.Generated.Stored = true
		case !in.accept("VIRTUAL"):
			c.Generated.Unsaid = true
		}
	default:
		return false
	}
	*name = ""
	return true
}

// defaultValue reads what follows DEFAULT. The text stays as it is: whether 'x' and x
// are the same depends on the column.
func (in *sqlite) defaultValue() *schema.Default {
	from := in.i
	switch {
	case in.is("("):
		in.enclosed()
	case in.accept("-"), in.accept("+"):
		if in.tok().kind != textToken {
			in.signed()
			break
		}
		in.i++
	case in.isName(), in.tok().kind == numberToken, in.is("NULL"):
		in.i++
	default:
		in.unexpected("a value")
	}
	return &schema.Default{Text: in.since(from)}
}

// conflict reads ON CONFLICT ….
func (in *sqlite) conflict() string {
	if !in.accept("ON", "CONFLICT") {
		return ""
	}
	return in.expectAny("ROLLBACK", "ABORT", "FAIL", "IGNORE", "REPLACE")
}

func (in *sqlite) tableConstraint(t *schema.Table) {
	k := &schema.Constraint{Origin: in.here()}
	if in.accept("CONSTRAINT") {
		k.Name = in.name("a constraint")
	}
	switch {
	case in.accept("PRIMARY"):
		k.Kind = schema.PrimaryKey
		in.expect("KEY")
		counts := false
		in.keyColumns(k, &counts)
		if counts {
			in.countKey(t, k)
		}
	case in.accept("UNIQUE"):
		k.Kind = schema.Unique
		in.keyColumns(k, nil)
	case in.accept("CHECK"):
		k.Kind = schema.Check
		k.Expr = in.enclosed()
		k.Conflict = in.conflict()
	case in.accept("FOREIGN"):
		k.Kind = schema.ForeignKey
		in.expect("KEY")
		k.Columns = in.names("a column")
		in.expect("REFERENCES")
		k.Reference = in.references()
		in.deferrable(k)
	default:
		return // SQLite takes a name alone
	}
	t.Constraints = append(t.Constraints, k)
}

// countKey says of the column of a primary key that it is counted up.
func (in *sqlite) countKey(t *schema.Table, k *schema.Constraint) {
	name := ""
	if len(k.Columns) == 1 {
		name = k.Columns[0]
	}
	c := in.column(t, name)
	if c == nil {
		in.fail("IDN001", t.Name.String(), "AUTOINCREMENT is for a primary key of one INTEGER column")
	}
	c.AutoIncrement = true
}

// keyColumns reads the columns of a primary or unique key.
func (in *sqlite) keyColumns(k *schema.Constraint, counts *bool) {
	at := in.tok().start
	keys := in.indexKeys(counts)
	setKeys(k, keys)
	for _, key := range keys {
		if key.Expr != "" {
			in.failAt(at, "SRC002", "", "a %s has columns, not expressions", strings.ToLower(string(k.Kind)))
		}
	}
	k.Conflict = in.conflict()
}

// indexKeys reads keys: expressions, each with a collation and an order. Those of a
// primary key may end in AUTOINCREMENT, where there is a place to say so.
func (in *sqlite) indexKeys(counts *bool) []schema.IndexKey {
	var keys []schema.IndexKey
	in.list(func() {
		k := schema.IndexKey{}
		from := in.i
		in.skipTo(",", "ASC", "DESC", "COLLATE", "NULLS", "AUTOINCREMENT")
		switch at := in.toks[from]; {
		case in.i == from:
			in.unexpected("a column or an expression")
		case in.i == from+1 && (at.kind == nameToken || at.kind == textToken || at.kind == wordToken):
			in.i = from
			k.Column = in.name("a column")
		default:
			k.Expr = in.since(from)
			in.expression(k.Expr, at.start)
			k.Expr = in.bare(k.Expr)
		}
		for in.accept("COLLATE") {
			k.Collation = in.name("a collation")
		}
		k.Desc = in.order()
		if in.is("NULLS") {
			in.fail("SRC002", "", "NULLS FIRST and NULLS LAST are not supported in an index of SQLite")
		}
		if counts != nil && in.accept("AUTOINCREMENT") {
			*counts = true
			if !in.is(")") {
				in.unexpected(`")"`)
			}
		}
		keys = append(keys, k)
	})
	return keys
}

func (in *sqlite) createVirtual() {
	exists := in.ifNotExists()
	t := &schema.Table{Origin: in.origin(in.toks[0].start)}
	t.Name = in.object("a table")
	if !in.declare("TABLE", t.Name, exists) {
		return
	}
	in.expect("USING")
	from := in.i
	in.name("a module")
	if in.is("(") {
		in.group()
	}
	t.Virtual = in.since(from)
	in.addTable(t)
	for _, other := range slices.Clone(in.db.Tables) {
		if in.shadows(t, other.Name) {
			in.dropTable(other)
		}
	}
}

// declaresVirtual executes the line that .dump writes for a virtual table: an INSERT of
// its statement into the table of all statements.
func (in *sqlite) declaresVirtual() bool {
	if name := in.textOf(in.ahead(2)); !strings.EqualFold(name, "sqlite_schema") && !strings.EqualFold(name, "sqlite_master") {
		return false
	}
	last := in.toks[max(len(in.toks)-3, 0)]
	if last.kind != textToken {
		return false
	}
	inner := *in
	inner.text = in.unquoted(last)
	toks, err := scan(in.lexicon, inner.text)
	if err != nil || len(toks) == 0 {
		return false
	}
	inner.toks, inner.i = append(toks, token{endToken, len(inner.text), len(inner.text)}), 0
	if !inner.accept("CREATE", "VIRTUAL", "TABLE") {
		return false
	}
	inner.lines = make([]int, in.line(in.toks[0].start)-in.piece.line+1) // all of it is on the line of the INSERT
	inner.createVirtual()
	in.i = len(in.toks) - 1
	return true
}

// shadowTables are the suffixes of the tables in which modules keep what their virtual
// tables hold. They come with the virtual table, and dumps have them once more.
var shadowTables = map[string][]string{
	"fts3":  {"content", "segments", "segdir"},
	"fts4":  {"content", "segments", "segdir", "docsize", "stat"},
	"fts5":  {"data", "idx", "content", "docsize", "config"},
	"rtree": {"rowid", "node", "parent"},
}

// shadows reports whether a name is that of a shadow table of a virtual one.
func (in *sqlite) shadows(t *schema.Table, n schema.Name) bool {
	module, _, _ := strings.Cut(t.Virtual, "(")
	for _, suffix := range shadowTables[strings.ToLower(strings.TrimSpace(module))] {
		if in.key(schema.Name{Schema: t.Schema, Name: t.Name.Name + "_" + suffix}) == in.key(n) {
			return true
		}
	}
	return false
}

// shadow skips a shadow table of a virtual table that is declared already.
func (in *sqlite) shadow(n schema.Name) bool {
	cutAt := strings.LastIndexByte(n.Name, '_')
	if cutAt < 0 {
		return false
	}
	t := in.table(schema.Name{Schema: n.Schema, Name: n.Name[:cutAt]})
	if t == nil || t.Virtual == "" || !in.shadows(t, n) {
		return false
	}
	in.skip("CREATE TABLE " + quoted(n.Name) + ", which the virtual table " + quoted(t.Name.Name) + " makes itself,")
	return true
}

func (in *sqlite) createIndex(unique bool) {
	in.expect("INDEX")
	exists := in.ifNotExists()
	x := &schema.Index{Unique: unique, Origin: in.origin(in.toks[0].start)}
	n := in.object("an index")
	x.Name = n.Name
	in.expect("ON")
	x.Table = schema.Name{Schema: n.Schema, Name: in.name("a table")}
	x.Keys = in.indexKeys(nil)
	if in.accept("WHERE") {
		at := in.tok().start
		x.Where = in.rest()
		in.expression(x.Where, at)
		x.Where = in.bare(x.Where)
	}
	if other := in.indexes[in.d.Key(x.Name)]; other != nil {
		if !exists {
			in.twice("index", x.Name, other.Origin)
		}
		in.skip("CREATE INDEX IF NOT EXISTS of " + quoted(x.Name) + ", which is declared at " + other.String() + ",")
		return
	}
	in.indexes[in.d.Key(x.Name)] = x
	in.addIndex(x)
}

func (in *sqlite) createView() {
	exists := in.ifNotExists()
	v := &schema.View{Origin: in.origin(in.toks[0].start)}
	v.Name = in.object("a view")
	if !in.declare("VIEW", v.Name, exists) {
		return
	}
	if in.is("(") {
		v.Columns = in.names("a column")
	}
	in.expect("AS")
	at := in.tok().start
	v.Body = in.rest()
	in.query(v.Body, at)
	in.addView(v)
}

func (in *sqlite) createTrigger() {
	exists := in.ifNotExists()
	g := &schema.Trigger{Origin: in.origin(in.toks[0].start)}
	n := in.object("a trigger")
	g.Name = n.Name
	if old := in.trigger(n); old != nil {
		if !exists {
			in.twice("trigger", g.Name, old.Origin)
		}
		in.skip("CREATE TRIGGER IF NOT EXISTS of " + quoted(g.Name) + ", which is declared at " + old.String() + ",")
		return
	}
	head := in.i
	switch {
	case in.accept("BEFORE"):
		g.Timing = "BEFORE"
	case in.accept("INSTEAD", "OF"):
		g.Timing = "INSTEAD OF"
	default:
		in.accept("AFTER")
		g.Timing = "BEFORE" // what SQLite takes where nothing is said
		if head < in.i {
			g.Timing = "AFTER"
		}
	}
	event := in.expectAny("DELETE", "INSERT", "UPDATE")
	if event == "UPDATE" && in.accept("OF") {
		event += " OF "
		for {
			event += in.name("a column")
			if !in.accept(",") {
				break
			}
			event += ", "
		}
	}
	g.Events = []string{event}
	in.expect("ON")
	declared := "CREATE TRIGGER " + in.quoteName(n) + " " + in.since(head)
	g.Table = schema.Name{Schema: n.Schema, Name: in.name("a table")}
	declared += " " + in.d.Quote(g.Table.Name)
	tail := in.i
	if in.accept("FOR", "EACH") {
		in.expect("ROW")
	}
	g.ForEach = "ROW"
	if in.accept("WHEN") {
		at := in.tok().start
		in.expression(in.skipTo("BEGIN"), at)
	}
	body := in.i
	in.expect("BEGIN")
	in.triggerStatements()
	g.Body = in.text[in.toks[body].start:in.toks[len(in.toks)-2].end]
	in.i = tail
	g.Declared = declared + " " + in.rest()
	text := in.since(0)
	if _, err := trees.Parse(sqltree.SQLite, text); err != nil {
		in.syntax(err, in.toks[0].start)
	}
	in.db.Triggers = append(in.db.Triggers, g)
}

func (in *sqlite) alter() {
	n := in.qualified("a table")
	t := in.tableFor(n)
	switch {
	case in.accept("RENAME", "TO"):
		to := schema.Name{Schema: t.Schema, Name: in.name("a table")}
		in.rewrite(t.Name.Name, to.Name, func(string, schema.Name) bool { return true }, in.isColumn)
		if old, at := in.taken(to); at != nil {
			in.taking("table", to, old, *at)
		}
		in.renameTable(t, to)
	case in.accept("RENAME"):
		in.accept("COLUMN")
		from := in.columnOf(t)
		in.expect("TO")
		to := in.name("a column")
		if in.column(t, to) != nil {
			in.twoColumns(t, to)
		}
		about := func(text string, of schema.Name) bool {
			return in.key(of) == in.key(t.Name) || in.mentions(t.Name.Name, text)
		}
		in.rewrite(from.Name, to, about, func(name, text string) bool { return in.isElsewhere(t, name, text) })
		in.renameColumn(t, from.Name, to)
	case in.accept("ADD"):
		in.accept("COLUMN")
		if in.isTableConstraint() {
			in.refuse("ALTER TABLE … ADD CONSTRAINT", "")
		}
		kept := len(t.Constraints)
		in.columnDef(t)
		for _, k := range t.Constraints[kept:] {
			if k.Kind == schema.PrimaryKey || k.Kind == schema.Unique {
				in.refuse("ALTER TABLE … ADD COLUMN of a "+strings.ToLower(string(k.Kind)), "SQLite adds columns without; make an index")
			}
		}
		if added := t.Columns[len(t.Columns)-1]; slices.ContainsFunc(t.Columns[:len(t.Columns)-1], func(c *schema.Column) bool { return in.same(c.Name, added.Name) }) {
			in.twoColumns(t, added.Name)
		}
	case in.accept("DROP"):
		in.accept("COLUMN")
		c := in.columnOf(t)
		in.unused(t, c.Name)
		for _, k := range t.Constraints {
			if in.uses(k.Columns, k.Keys, c.Name) {
				in.refuse("dropping a column that a constraint uses", "")
			}
		}
		for _, x := range t.Indexes {
			if in.uses(nil, x.Keys, c.Name) {
				in.refuse("dropping a column that an index uses", "")
			}
		}
		if in.used(t, c.Name) {
			in.refuse("dropping a column that an expression of its table names", "")
		}
		t.Columns = without(t.Columns, c)
	default:
		in.refuse("ALTER TABLE … "+strings.ToUpper(in.textOf(in.tok())), "")
	}
}

// triggerStatements checks with which words the statements of a trigger begin, up to END.
func (in *sqlite) triggerStatements() {
	start := in.i
	for begins := true; !in.atEnd(); in.i++ {
		if !begins {
			begins = in.tok().kind == separatorToken
			continue
		}
		begins = false
		if in.i > start && in.is("END") {
			return
		}
		if !in.isAny("INSERT", "UPDATE", "DELETE", "REPLACE", "SELECT", "WITH", "VALUES") {
			in.unexpected("INSERT, UPDATE, DELETE or SELECT")
		}
	}
}

// rewrite lets views and triggers follow a name, as SQLite does: those that about picks by
// their text and the table that a trigger is on. It refuses where the name may mean
// something else in a text.
func (in *sqlite) rewrite(from, to string, about func(text string, of schema.Name) bool, means func(name, text string) bool) {
	follow := func(text *string, of schema.Name, what, object string) {
		if !in.mentions(from, *text) || !about(*text, of) {
			return
		}
		if means(from, *text) || in.givesName(*text, from) {
			in.refuse("renaming "+quoted(from)+", which may mean something else in the "+what+" "+quoted(object)+",", "declare it in its final form")
		}
		*text = in.renamed(*text, from, to)
	}
	for _, v := range in.db.Views {
		follow(&v.Body, schema.Name{}, "view", v.Name.Name)
	}
	for _, g := range in.db.Triggers {
		if !in.same(g.Name, from) { // the trigger's own name stands in its text
			follow(&g.Declared, g.Table, "trigger", g.Name)
		} else if in.mentions(from, g.Body) {
			in.refuse("renaming "+quoted(from)+", which is the name of a trigger, too,", "declare it in its final form")
		}
	}
}

// givesName reports whether a name stands in a text where it is no operand: as an alias.
func (in *sqlite) givesName(text, name string) bool {
	toks, _ := scan(in.lexicon, text)
	r := in.over(text)
	for i, t := range toks {
		if r.nameIs(t, name) && !r.isOperand(toks, i) && (i+1 == len(toks) || toks[i+1].kind != textToken && !r.tokenIs(toks[i+1], "(")) {
			return true
		}
	}
	return false
}

// isColumn reports whether a table that a text names has a column of the name.
func (in *sqlite) isColumn(name, text string) bool { return in.isElsewhere(nil, name, text) }

// isElsewhere reports whether a text names another table that has a column of the name, or
// a view, which may have one.
func (in *sqlite) isElsewhere(t *schema.Table, name, text string) bool {
	return slices.ContainsFunc(in.db.Tables, func(other *schema.Table) bool {
		return other != t && in.column(other, name) != nil && in.mentions(other.Name.Name, text)
	}) || t != nil && slices.ContainsFunc(in.db.Views, func(v *schema.View) bool { return in.mentions(v.Name.Name, text) })
}

// unused refuses to drop a column that a view or trigger of the table names.
func (in *sqlite) unused(t *schema.Table, column string) {
	for _, v := range in.db.Views {
		if in.mentions(column, v.Body) && in.mentions(t.Name.Name, v.Body) {
			in.refuse("dropping "+quoted(column)+", which the view "+quoted(v.Name.Name)+" may name,", "declare it in its final form")
		}
	}
	for _, g := range in.db.Triggers {
		if in.mentions(column, g.Declared) && in.mentions(t.Name.Name, g.Declared) {
			in.refuse("dropping "+quoted(column)+", which the trigger "+quoted(g.Name)+" may name,", "declare it in its final form")
		}
	}
}

func (in *sqlite) columnOf(t *schema.Table) *schema.Column {
	name := in.name("a column")
	c := in.column(t, name)
	if c == nil {
		in.undeclared("column", t.Name.String()+"."+name)
	}
	return c
}

func (in *sqlite) drop() {
	kind := in.acceptAny("TABLE", "VIEW", "INDEX", "TRIGGER")
	if kind == "" {
		in.refuse(in.leading(), "")
	}
	exists := in.ifExists()
	n := in.qualified("the object")
	switch kind {
	case "TABLE":
		if t := in.table(n); t != nil {
			for _, x := range t.Indexes {
				delete(in.indexes, in.d.Key(x.Name))
			}
			in.dropTable(t)
			return
		}
	case "VIEW":
		if v := in.view(n); v != nil {
			in.dropView(v)
			return
		}
	case "INDEX":
		if x := in.indexes[in.d.Key(n.Name)]; x != nil {
			delete(in.indexes, in.d.Key(n.Name))
			in.db.Indexes = without(in.db.Indexes, x)
			if t := in.table(x.Table); t != nil {
				t.Indexes = without(t.Indexes, x)
			}
			return
		}
	case "TRIGGER":
		if g := in.trigger(n); g != nil {
			in.db.Triggers = without(in.db.Triggers, g)
			return
		}
	}
	in.dropped(kind, n.String(), exists)
}
