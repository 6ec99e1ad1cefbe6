package sqlsrc

import (
	"context"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// sqlserver executes scripts of SQL Server, those that its tools generate among them.
type sqlserver struct{ standard }

func newSQLServer(rep *finding.Report) interpreter {
	in := &sqlserver{}
	in.reader = newReader(dialect.SQLServer, rep, lexicon{
		brackets: true, doubled: true, nested: true, batchWord: "GO", textPrefixes: "n",
	}, standardReserved+" add any asc backup begin browse bulk checkpoint clustered collate commit compute convert cursor database declare desc "+
		"execute exec exit function goto identity if key merge nonclustered off open option outer over percent pivot plan print proc procedure public "+
		"read revert rollback rule save schema some top transaction trigger truncate tran user use view while")
	in.keyWords = func(k *schema.Constraint) { k.Method = in.acceptAny("CLUSTERED", "NONCLUSTERED") }
	in.constraintTail = func(*schema.Constraint) { in.storage() }
	return in
}

func (in *sqlserver) run(ctx context.Context, p piece) {
	in.execute(ctx, p, p.text, in.length, in.statement)
}

// length finds the end of a statement, which may have no semicolon: the next one begins
// a line outside of parentheses, or the batch ends. Views and what has a body take the
// whole batch.
func (in *sqlserver) length(toks []token) int {
	whole := false
	for _, t := range toks[:min(len(toks), 4)] {
		whole = whole || in.tokenIs(toks[0], "CREATE") && (in.tokenIs(t, "VIEW") || in.tokenIs(t, "TRIGGER") || in.tokenIs(t, "PROCEDURE") ||
			in.tokenIs(t, "PROC") || in.tokenIs(t, "FUNCTION"))
	}
	depth := 0
	for i, t := range toks {
		switch {
		case t.kind == batchToken, t.kind == separatorToken && (!whole || i == 0):
			return i
		case in.tokenIs(t, "("):
			depth++
		case in.tokenIs(t, ")"):
			depth--
		case !whole && depth == 0 && i > 0 && strings.Contains(in.text[toks[i-1].end:t.start], "\n") && in.begins(toks[i:]):
			return i
		}
	}
	return len(toks)
}

// begins reports whether tokens begin a statement rather than a clause of one.
func (in *sqlserver) begins(toks []token) bool {
	is := func(n int, words ...string) bool {
		return n < len(toks) && slices.ContainsFunc(words, func(w string) bool { return in.tokenIs(toks[n], w) })
	}
	switch {
	case is(0, "CREATE", "EXEC", "EXECUTE", "INSERT", "GRANT", "DENY", "USE", "PRINT", "DECLARE", "IF", "COMMIT", "BEGIN"):
		return true
	case is(0, "ALTER"):
		return !is(1, "COLUMN")
	case is(0, "DROP"):
		return is(1, "TABLE", "VIEW", "INDEX", "SCHEMA", "SEQUENCE", "TYPE", "PROCEDURE", "FUNCTION", "TRIGGER")
	case is(0, "SET"):
		return !is(1, "NULL", "DEFAULT")
	}
	return false
}

func (in *sqlserver) statement() {
	switch {
	case in.isAny("SET", "USE", "PRINT", "INSERT", "COMMIT"), in.is("BEGIN", "TRANSACTION"), in.is("BEGIN", "TRAN"),
		in.is("CREATE", "DATABASE"), in.is("ALTER", "DATABASE"): // the database is that of the connection
		in.skip(in.leading())
	case in.accept("CREATE"):
		in.create()
	case in.accept("ALTER", "TABLE"):
		in.alter()
	case in.accept("DROP"):
		in.dropRelation()
	case in.accept("EXEC"), in.accept("EXECUTE"):
		in.procedure()
	default:
		in.refuse(in.leading(), "")
	}
}

func (in *sqlserver) create() {
	replace := in.accept("OR", "ALTER")
	switch {
	case in.accept("TABLE"):
		in.createTable()
	case in.accept("VIEW"):
		in.createView(replace)
	case in.accept("SCHEMA"):
		in.addSchema(in.name("a schema"), false)
		if in.is("AUTHORIZATION") {
			in.dropPart("AUTHORIZATION")
			in.i++
			in.name("an owner")
		}
	case in.accept("SEQUENCE"):
		in.createSequence()
	case in.isAny("UNIQUE", "CLUSTERED", "NONCLUSTERED", "INDEX"):
		in.createIndex()
	default:
		in.refuse(in.leading(), "")
	}
}

func (in *sqlserver) createTable() {
	t := in.newTable()
	if t == nil {
		return
	}
	in.list(func() {
		switch {
		case in.is(")"): // a comma may stand behind the last one
		case in.isConstraint():
			in.tableConstraint(t)
		case in.accept("INDEX"):
			x := &schema.Index{Table: t.Name, Name: in.name("an index"), Origin: in.here()}
			x.Unique = in.accept("UNIQUE")
			in.indexBody(x)
			t.Indexes = append(t.Indexes, x)
		case in.is("PERIOD", "FOR"):
			in.refuse("PERIOD FOR", "")
		default:
			in.columnDef(t)
		}
	})
	if len(t.Columns) == 0 {
		in.unexpected("a column")
	}
	in.storage()
	in.addTable(t)
}

// storage passes over where and how rows are stored.
func (in *sqlserver) storage() {
	for {
		switch {
		case in.is("WITH", "("):
			in.dropPart("WITH (…)")
			in.i++
			in.group()
		case in.is("ON") && !in.tokenIs(in.ahead(1), "DELETE") && !in.tokenIs(in.ahead(1), "UPDATE"), in.isAny("TEXTIMAGE_ON", "FILESTREAM_ON"):
			in.dropPart("a file group")
			in.i++
			in.value()
		case in.accept("NOT", "FOR", "REPLICATION"):
		default:
			return
		}
	}
}

func (in *sqlserver) columnDef(t *schema.Table) {
	c := &schema.Column{Native: true, Origin: in.here()}
	c.Name = in.name("a column")
	if in.accept("AS") {
		c.Generated = &schema.Generated{}
		if in.is("(") {
			c.Generated.Expr = in.enclosed()
		} else {
			c.Generated.Expr = in.skipTo(",", "PERSISTED", "CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "NOT")
		}
		if c.Generated.Expr == "" {
			in.unexpected("an expression")
		}
		c.Generated.Stored = in.accept("PERSISTED")
	} else {
		c.Type = nativeType(in.typeText())
	}
	for in.attribute(t, c) {
	}
	t.Columns = append(t.Columns, c)
}

// typeText reads a type. Brackets around the only part of its name mean nothing.
func (in *sqlserver) typeText() string {
	first := in.next("a type")
	if first.kind != wordToken && first.kind != nameToken {
		in.i--
		in.unexpected("a type")
	}
	text := in.textOf(first)
	switch {
	case in.accept("."):
		text += "." + in.textOf(in.next("a type"))
	case first.kind == nameToken:
		text = in.unquoted(first)
	case in.is("PRECISION"), in.is("VARYING"):
		text += " " + in.textOf(in.next("a type"))
	}
	if in.is("(") {
		text += "(" + in.group() + ")"
	}
	return text
}

func (in *sqlserver) attribute(t *schema.Table, c *schema.Column) bool {
	name := ""
	if in.accept("CONSTRAINT") {
		name = in.name("a constraint")
	}
	switch {
	case in.accept("NOT", "NULL"):
		c.NotNull = true
	case in.accept("NULL"):
		c.Nullable = true
	case in.accept("COLLATE"):
		c.Collation = in.name("a collation")
	case in.accept("DEFAULT"):
		in.nameless(name)
		c.Default = in.defaultValue()
	case in.accept("IDENTITY"):
		c.Identity = in.identity()
	case in.accept("NOT", "FOR", "REPLICATION"):
	case in.isAny("ROWGUIDCOL", "SPARSE", "HIDDEN"):
		c.Options = append(c.Options, schema.Option{Key: strings.ToUpper(in.textOf(in.next("an option")))})
	case in.isAny("GENERATED", "MASKED", "ENCRYPTED"):
		in.refuse(strings.ToUpper(in.textOf(in.tok()))+" of a column", "")
	default:
		if !in.inline(t, c, name) {
			if name != "" {
				in.unexpected("a constraint")
			}
			return false
		}
	}
	return true
}

// nameless warns of the name of a default, which the model does not have.
func (in *sqlserver) nameless(name string) {
	if name != "" {
		in.dropPart("the name " + quoted(name) + " of a default")
	}
}

// defaultValue reads a default; a text is a literal.
func (in *sqlserver) defaultValue() *schema.Default {
	if t := in.tok(); t.kind == textToken {
		in.i++
		return &schema.Default{Literal: true, Text: in.unquoted(t)}
	}
	return &schema.Default{Text: in.value()}
}

func (in *sqlserver) identity() *schema.Identity {
	id := &schema.Identity{}
	if in.accept("(") {
		start := in.number("where the identity starts")
		in.expect(",")
		step := in.number("the step of the identity")
		id.Start, id.Increment = &start, &step
		in.expect(")")
	}
	return id
}

func (in *sqlserver) createIndex() {
	x := &schema.Index{Origin: in.origin(in.toks[0].start)}
	x.Unique = in.accept("UNIQUE")
	x.Kind = in.acceptAny("CLUSTERED", "NONCLUSTERED")
	if in.is("COLUMNSTORE") {
		in.refuse("CREATE COLUMNSTORE INDEX", "")
	}
	in.expect("INDEX")
	x.Name = in.name("an index")
	in.expect("ON")
	x.Table = in.qualified("a table")
	in.indexBody(x)
	in.addIndex(x)
}

func (in *sqlserver) indexBody(x *schema.Index) {
	if x.Kind == "" {
		x.Kind = in.acceptAny("CLUSTERED", "NONCLUSTERED")
	}
	if x.Kind == "NONCLUSTERED" { // what an index is
		x.Kind = ""
	}
	x.Keys = in.indexKeys()
	if in.accept("INCLUDE") {
		x.Include = in.names("a column")
	}
	if in.accept("WHERE") {
		if x.Where = in.bare(in.skipTo("WITH", "ON", ",")); x.Where == "" {
			in.unexpected("a condition")
		}
	}
	in.storage()
}

func (in *sqlserver) createView(replace bool) {
	v := in.newView(replace)
	if v == nil {
		return
	}
	if in.is("(") {
		v.Columns = in.names("a column")
	}
	if in.accept("WITH") {
		for {
			v.Options = append(v.Options, schema.Option{Key: in.expectAny("SCHEMABINDING", "VIEW_METADATA", "ENCRYPTION")})
			if !in.accept(",") {
				break
			}
		}
	}
	for in.toks[len(in.toks)-2].kind == separatorToken { // the batch may have one at its end
		in.toks = slices.Delete(in.toks, len(in.toks)-2, len(in.toks)-1)
	}
	if slices.ContainsFunc(in.toks, func(t token) bool { return t.kind == separatorToken }) {
		in.fail("SRC002", v.Name.String(), "a view is alone in its batch; end it with GO")
	}
	v.CheckOption = in.checkOption()
	in.viewBody(v)
}

func (in *sqlserver) createSequence() {
	s := &schema.Sequence{Origin: in.origin(in.toks[0].start)}
	s.Name = in.qualified("a sequence")
	if !in.declare("SEQUENCE", s.Name, false) {
		return
	}
	if in.accept("AS") {
		s.As = in.typeText()
	}
	in.sequenceOptions(&s.SequenceOptions)
	in.db.Sequences = append(in.db.Sequences, s)
}

func (in *sqlserver) alter() {
	t := in.tableFor(in.qualified("a table"))
	notValid := in.accept("WITH", "NOCHECK")
	if !notValid {
		in.accept("WITH", "CHECK")
	}
	switch {
	case in.accept("ADD"):
		for {
			in.add(t, notValid)
			if !in.accept(",") {
				return
			}
		}
	case in.is("CHECK", "CONSTRAINT"):
		in.skip("ALTER TABLE … CHECK CONSTRAINT")
	case in.accept("DROP"):
		if in.accept("CONSTRAINT") {
			exists := in.ifExists()
			name := in.name("a constraint")
			if c := in.constraint(t, name); c != nil {
				t.Constraints = without(t.Constraints, c)
				return
			}
			in.dropped("CONSTRAINT", t.Name.String()+"."+name, exists)
			return
		}
		in.expect("COLUMN")
		t.Columns = without(t.Columns, in.expectColumn(t))
	case in.accept("ALTER", "COLUMN"):
		c := in.expectColumn(t)
		c.Type, c.NotNull, c.Nullable = nativeType(in.typeText()), false, false
		for in.isAny("COLLATE", "NULL") || in.is("NOT", "NULL") {
			in.attribute(t, c)
		}
	default:
		in.refuse("ALTER TABLE … "+strings.ToUpper(in.textOf(in.tok())), "")
	}
}

// add reads what ADD adds: a constraint, a default for a column, or a column.
func (in *sqlserver) add(t *schema.Table, notValid bool) {
	from := in.i
	name := ""
	if in.accept("CONSTRAINT") {
		name = in.name("a constraint")
	}
	if in.accept("DEFAULT") {
		in.nameless(name)
		d := in.defaultValue()
		in.expect("FOR")
		in.expectColumn(t).Default = d
		return
	}
	in.i = from
	if in.isConstraint() {
		in.tableConstraint(t).NotValid = notValid
		return
	}
	in.columnDef(t)
}

// procedure executes the procedure that comments on objects.
func (in *sqlserver) procedure() {
	if in.accept("(") {
		in.refuse("EXEC of a text", "write its statement instead")
	}
	name := in.anyName("a procedure")
	for in.accept(".") {
		name = in.anyName("a procedure")
	}
	if !strings.EqualFold(name, "sp_addextendedproperty") {
		in.refuse("EXEC "+plain.Line(name, maxShown), "")
	}
	order := []string{"@name", "@value", "@level0type", "@level0name", "@level1type", "@level1name", "@level2type", "@level2name"}
	args := map[string]string{}
	for n := 0; !in.atEnd() && n < len(order); n++ {
		key := order[n]
		if in.tok().kind == variableToken {
			key = strings.ToLower(in.textOf(in.next("an argument")))
			in.expect("=")
		}
		switch in.tok().kind {
		case textToken:
			args[key] = in.literal("a text")
		case wordToken, nameToken:
			args[key] = in.anyName("an argument")
		default:
			in.unexpected("a text")
		}
		if !in.accept(",") {
			break
		}
	}
	if args["@name"] != "MS_Description" {
		in.skip("an extended property other than MS_Description")
		return
	}
	n := schema.Name{Schema: args["@level0name"], Name: args["@level1name"]}
	t, v := in.table(n), in.view(n)
	column := args["@level2name"]
	switch {
	case n.Name == "" && slices.ContainsFunc(in.db.Schemas, func(s *schema.Namespace) bool { return s.Name == n.Schema }):
		for _, s := range in.db.Schemas {
			if s.Name == n.Schema {
				s.Comment = args["@value"]
			}
		}
	case t == nil && v == nil:
		in.undeclared("table", n.String())
	case t == nil && column == "":
		v.Comment = args["@value"]
	case t == nil:
		v.Comments = append(v.Comments, schema.Option{Key: column, Value: args["@value"]})
	case column == "":
		t.Comment = args["@value"]
	case strings.EqualFold(args["@level2type"], "COLUMN"):
		c := in.column(t, column)
		if c == nil {
			in.undeclared("column", n.String()+"."+column)
		}
		c.Comment = args["@value"]
	case strings.EqualFold(args["@level2type"], "CONSTRAINT"):
		c := in.constraint(t, column)
		if c == nil {
			in.undeclared("constraint", n.String()+"."+column)
		}
		c.Comment = args["@value"]
	case strings.EqualFold(args["@level2type"], "INDEX"):
		x := in.index(t, column)
		if x == nil {
			in.undeclared("index", n.String()+"."+column)
		}
		x.Comment = args["@value"]
	default:
		in.refuse("a comment on a "+args["@level2type"], "")
	}
}
