package sqlsrc

import (
	"context"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// minimal executes scripts of the dialects of which tables, indexes and views are read:
// Spanner, Oracle and YDB. Fields hold what each of them has of its own.
type minimal struct {
	standard
	length    func([]token) int
	attribute func(t *schema.Table, c *schema.Column) bool // nil: none of its own
	element   func(t *schema.Table) bool                   // nil: none of its own
	tail      func(t *schema.Table)                        // behind the columns
	indexTail func(x *schema.Index)                        // nil: CREATE INDEX is no statement
	viewTail  func(v *schema.View)
	other     func() bool // statements of its own
}

func newMinimal(d dialect.Dialect, rep *finding.Report, lx lexicon, reserved string) *minimal {
	in := &minimal{length: semicolons}
	in.reader = newReader(d, rep, lx, standardReserved+" "+reserved)
	in.keyWords = func(*schema.Constraint) {}
	in.constraintTail = func(*schema.Constraint) {}
	in.viewTail = func(*schema.View) {}
	in.other = func() bool { return false }
	return in
}

func (in *minimal) run(ctx context.Context, p piece) {
	in.execute(ctx, p, p.text, in.length, in.statement)
}

func (in *minimal) statement() {
	switch {
	case in.is("CREATE"):
		in.create()
	case in.is("DROP", "TABLE"), in.is("DROP", "VIEW"):
		in.i++
		in.dropRelation()
	case in.accept("ALTER", "TABLE"):
		in.alter()
	case in.isAny("SET", "INSERT", "COMMIT", "PRAGMA", "UPSERT"):
		in.skip(in.leading())
	case in.other():
	default:
		in.refuse(in.leading(), "")
	}
}

func (in *minimal) create() {
	in.expect("CREATE")
	replace := in.accept("OR", "REPLACE")
	if in.d == dialect.Oracle {
		in.accept("FORCE")
	}
	switch {
	case in.accept("TABLE"):
		if t := in.newTable(); t != nil {
			in.list(func() { in.tableElement(t) })
			in.tail(t)
			in.addTable(t)
		}
	case in.accept("VIEW"):
		v := in.newView(replace)
		if v == nil {
			return
		}
		if in.is("(") {
			v.Columns = in.names("a column")
		}
		in.viewTail(v)
		v.CheckOption = in.checkOption()
		in.viewBody(v)
	case in.indexTail != nil && (in.isAny("UNIQUE", "NULL_FILTERED", "INDEX", "BITMAP")):
		in.createIndex()
	default:
		if in.i = 0; !in.other() {
			in.refuse(in.leading(), "")
		}
	}
}

func (in *minimal) tableElement(t *schema.Table) {
	switch {
	case in.element != nil && in.element(t):
	case in.is(")") && len(t.Columns) > 0 && in.d != dialect.Oracle: // a comma may stand behind the last one
	case in.isConstraint():
		in.tableConstraint(t)
	default:
		in.columnDef(t)
	}
}

func (in *minimal) columnDef(t *schema.Table) {
	c := &schema.Column{Native: true, Origin: in.here()}
	c.Name = in.name("a column")
	c.Type = nativeType(in.typeText())
	for in.columnAttribute(t, c) {
	}
	t.Columns = append(t.Columns, c)
}

// typeText reads a type: words with arguments in parentheses or angle brackets.
func (in *minimal) typeText() string {
	from := in.i
	if k := in.next("a type").kind; k != wordToken && k != nameToken {
		in.i--
		in.unexpected("a type")
	}
	for {
		switch {
		case in.is("("):
			in.group()
		case in.is("<"):
			in.angles()
		case in.is("WITH", "TIME", "ZONE"), in.is("WITH", "LOCAL", "TIME", "ZONE"):
			for !in.accept("ZONE") {
				in.i++
			}
		case in.is("PRECISION"), in.is("VARYING"), in.is("RAW"), in.is("TO", "MONTH"), in.is("TO", "SECOND"), in.isAny("YEAR", "DAY") && in.tokenIs(in.toks[in.i-1], "INTERVAL"):
			in.i++
			if in.tokenIs(in.toks[in.i-1], "TO") {
				in.i++
			}
		default:
			return in.since(from)
		}
	}
}

// angles passes over angle brackets and what they enclose.
func (in *minimal) angles() {
	depth := 0
	for {
		switch {
		case in.is("<"):
			depth++
		case in.is(">"):
			depth--
		case in.atEnd():
			in.unexpected(`">"`)
		}
		in.i++
		if depth == 0 {
			return
		}
	}
}

func (in *minimal) columnAttribute(t *schema.Table, c *schema.Column) bool {
	name := ""
	if in.accept("CONSTRAINT") {
		name = in.name("a constraint")
	}
	switch {
	case in.attribute != nil && name == "" && in.attribute(t, c):
	case in.accept("NOT", "NULL"):
		c.NotNull = true
		if name != "" {
			in.dropPart("the name " + quoted(name) + " of NOT NULL")
		}
	case in.accept("NULL"):
		c.Nullable = true
	case in.accept("DEFAULT"):
		if tok := in.tok(); tok.kind == textToken {
			in.i++
			c.Default = &schema.Default{Literal: true, Text: in.unquoted(tok)}
		} else {
			c.Default = &schema.Default{Text: in.value()}
		}
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

func (in *minimal) createIndex() {
	x := &schema.Index{Origin: in.origin(in.toks[0].start)}
	x.Unique = in.accept("UNIQUE")
	x.Kind = in.acceptAny("NULL_FILTERED", "BITMAP")
	in.expect("INDEX")
	exists := in.ifNotExists()
	x.Name = in.qualified("an index").Name
	in.expect("ON")
	x.Table = in.qualified("a table")
	if t := in.table(x.Table); t != nil && exists && in.index(t, x.Name) != nil {
		in.skip("CREATE INDEX IF NOT EXISTS of " + quoted(x.Name) + ", which is declared,")
		return
	}
	x.Keys = in.indexKeys()
	in.indexTail(x)
	in.addIndex(x)
}

// alter executes what adds columns and constraints.
func (in *minimal) alter() {
	t := in.tableFor(in.qualified("a table"))
	if !in.accept("ADD") {
		in.refuse("ALTER TABLE … "+strings.ToUpper(in.textOf(in.tok())), "")
	}
	switch {
	case in.is("("):
		in.list(func() { in.tableElement(t) })
	case in.isConstraint():
		in.tableConstraint(t)
	default:
		in.accept("COLUMN")
		in.columnDef(t)
	}
}

func newSpanner(rep *finding.Report) interpreter {
	in := newMinimal(dialect.Spanner, rep, lexicon{
		backslash: true, doubleText: true, backtick: true, nameEscapes: true, hash: true, tripleTexts: true, textPrefixes: "rb",
	}, "any array asc assert_rows_modified at collate contains cross cube current define desc enum escape except exclude extract false fetch "+
		"following full groups hash ignore inner intersect interval lateral left limit lookup merge natural new no nulls of outer over partition "+
		"preceding proto range recursive respect right rollup rows some struct tablesample treat true unbounded unnest using window within")
	in.attribute = func(_ *schema.Table, c *schema.Column) bool {
		switch {
		case in.accept("AS"):
			c.Generated = &schema.Generated{Expr: in.enclosed()}
			c.Generated.Stored = in.accept("STORED")
		case in.is("OPTIONS"):
			in.i++
			c.Options = append(c.Options, schema.Option{Key: "OPTIONS", Value: "(" + in.group() + ")"})
		default:
			return false
		}
		return true
	}
	in.tail = func(t *schema.Table) {
		if in.accept("PRIMARY", "KEY") {
			k := &schema.Constraint{Kind: schema.PrimaryKey, Origin: in.here()}
			if !in.accept("(", ")") { // a table of one row
				setKeys(k, in.indexKeys())
			}
			t.Constraints = append(t.Constraints, k)
		}
		for in.accept(",") {
			var key string
			switch {
			case in.accept("INTERLEAVE", "IN", "PARENT"):
				key = "INTERLEAVE IN PARENT"
			case in.accept("INTERLEAVE", "IN"):
				key = "INTERLEAVE IN"
			default:
				in.expect("ROW", "DELETION", "POLICY")
				key = "ROW DELETION POLICY"
			}
			from := in.i
			if in.skipTo(","); in.i == from {
				in.unexpected("a value")
			}
			t.Options = append(t.Options, schema.Option{Key: key, Value: in.since(from)})
		}
	}
	in.indexTail = func(x *schema.Index) {
		if in.accept("STORING") {
			x.Include = in.names("a column")
		}
		if in.accept(",", "INTERLEAVE", "IN") {
			x.Options = append(x.Options, schema.Option{Key: "INTERLEAVE IN", Value: in.d.Quote(in.qualified("a table").Name)})
		}
	}
	in.viewTail = func(v *schema.View) {
		if in.accept("SQL", "SECURITY") {
			v.Options = append(v.Options, schema.Option{Key: "SQL SECURITY", Value: in.expectAny("INVOKER", "DEFINER")})
		}
	}
	in.other = func() bool {
		if !in.accept("CREATE", "SCHEMA") {
			return false
		}
		exists := in.ifNotExists()
		in.addSchema(in.name("a schema"), exists)
		return true
	}
	return in
}

// oracleStorage are the words of what says where and how Oracle stores rows.
var oracleStorage = []string{"TABLESPACE", "PCTFREE", "PCTUSED", "INITRANS", "MAXTRANS", "STORAGE", "LOGGING", "NOLOGGING", "COMPRESS", "NOCOMPRESS",
	"CACHE", "NOCACHE", "NOPARALLEL", "PARALLEL", "MONITORING", "NOMONITORING", "ROW", "SEGMENT"}

func newOracle(rep *finding.Report) interpreter {
	in := newMinimal(dialect.Oracle, rep, lexicon{alternative: true, batchWord: "/", textPrefixes: "n"},
		"access add any asc audit char cluster comment compress connect current date decimal desc exclusive file float identified immediate "+
			"increment initial integer intersect level lock long maxextents minus mlslabel mode modify noaudit nocompress nowait number of "+
			"offline online option pctfree prior public raw rename resource revoke row rowid rownum rows session share size smallint start "+
			"successful synonym sysdate trigger uid user validate varchar varchar2 view whenever")
	in.length = func(toks []token) int {
		// PL/SQL has semicolons of its own and ends at a slash.
		whole := in.tokenIs(toks[0], "DECLARE") || in.tokenIs(toks[0], "BEGIN")
		for _, t := range toks[:min(len(toks), 5)] {
			whole = whole || in.tokenIs(toks[0], "CREATE") && in.isOneOf(t, "TRIGGER", "FUNCTION", "PROCEDURE", "PACKAGE", "TYPE")
		}
		for i, t := range toks {
			if t.kind == batchToken || t.kind == separatorToken && !whole {
				return i
			}
		}
		return len(toks)
	}
	in.constraintTail = func(k *schema.Constraint) {
		for {
			in.deferrable(k)
			switch {
			case in.accept("ENABLE"), in.accept("VALIDATE"):
			case in.accept("NOVALIDATE"):
				k.NotValid = true
			case in.is("DISABLE"):
				in.refuse("a constraint that is disabled", "")
			case in.accept("USING", "INDEX"):
				in.dropPart("USING INDEX")
				in.storage()
			default:
				return
			}
		}
	}
	in.attribute = func(_ *schema.Table, c *schema.Column) bool {
		switch {
		case in.accept("GENERATED"):
			in.generated(c)
		case in.is("AS", "("):
			in.i++
			c.Generated = &schema.Generated{Expr: in.enclosed()}
			in.accept("VIRTUAL")
		case in.is("DEFAULT", "ON", "NULL"):
			in.refuse("DEFAULT ON NULL", "")
		case in.accept("INVISIBLE"):
			c.Invisible = true
		case in.accept("ENABLE"): // of NOT NULL
		default:
			return false
		}
		return true
	}
	in.tail = func(*schema.Table) { in.storage() }
	in.indexTail = func(*schema.Index) { in.storage() }
	in.other = func() bool {
		switch {
		case in.accept("COMMENT", "ON"):
			in.commentOn()
		case in.accept("CREATE", "SEQUENCE"):
			s := &schema.Sequence{Origin: in.origin(in.toks[0].start)}
			s.Name = in.qualified("a sequence")
			if in.declare("SEQUENCE", s.Name, false) {
				in.sequenceOptions(&s.SequenceOptions)
				in.db.Sequences = append(in.db.Sequences, s)
			}
		case in.isAny("PROMPT", "SPOOL", "WHENEVER"):
			in.skip(in.leading())
		default:
			return false
		}
		return true
	}
	return in
}

// generated reads what follows GENERATED: an identity or an expression.
func (in *minimal) generated(c *schema.Column) {
	always := in.accept("ALWAYS")
	if !always {
		in.expect("BY", "DEFAULT")
		if in.is("ON", "NULL") {
			in.refuse("GENERATED BY DEFAULT ON NULL AS IDENTITY", "")
		}
	}
	in.expect("AS")
	if !in.accept("IDENTITY") {
		c.Generated = &schema.Generated{Expr: in.enclosed()}
		in.accept("VIRTUAL")
		return
	}
	c.Identity = &schema.Identity{Always: always}
	if in.accept("(") {
		in.sequenceOptions(&c.Identity.SequenceOptions)
		in.expect(")")
	} else {
		in.sequenceOptions(&c.Identity.SequenceOptions)
	}
}

// storage passes over where and how Oracle stores rows.
func (in *minimal) storage() {
	if !in.isAny(oracleStorage...) {
		return
	}
	in.dropPart("the storage clause")
	for in.isAny(oracleStorage...) {
		in.i++
		for !in.atEnd() && !in.isAny(",", ")", "ENABLE", "DISABLE") && !in.isAny(oracleStorage...) {
			if in.is("(") {
				in.group()
			} else {
				in.i++
			}
		}
	}
}

func (in *minimal) commentOn() {
	column := false
	if in.accept("COLUMN") {
		column = true
	} else {
		in.expect("TABLE")
	}
	parts := []string{in.name("an object")}
	for in.accept(".") {
		parts = append(parts, in.anyName("an object"))
	}
	in.expect("IS")
	text := in.literal("a comment")
	name := ""
	if column {
		if len(parts) < 2 {
			in.fail("SRC002", "", "syntax error: a column is named by its table and itself")
		}
		name = parts[len(parts)-1]
		parts = parts[:len(parts)-1]
	}
	n := schema.Name{Name: parts[len(parts)-1]}
	if len(parts) > 1 {
		n.Schema = parts[len(parts)-2]
	}
	t, v := in.table(n), in.view(n)
	switch {
	case t == nil && v == nil:
		in.undeclared("table", n.String())
	case t == nil && column:
		v.Comments = append(v.Comments, schema.Option{Key: name, Value: text})
	case t == nil:
		v.Comment = text
	case column:
		c := in.column(t, name)
		if c == nil {
			in.undeclared("column", n.String()+"."+name)
		}
		c.Comment = text
	default:
		t.Comment = text
	}
}

func newYDB(rep *finding.Report) interpreter {
	in := newMinimal(dialect.YDB, rep, lexicon{backslash: true, doubleText: true, backtick: true, nameEscapes: true}, "")
	in.element = func(t *schema.Table) bool {
		switch {
		case in.is("FAMILY"):
			in.refuse("FAMILY", "")
		case in.is("INDEX") && in.tokenIs(in.ahead(2), "GLOBAL"):
			in.i++
			x := &schema.Index{Table: t.Name, Name: in.name("an index"), Origin: in.here()}
			in.expect("GLOBAL")
			x.Unique = in.accept("UNIQUE")
			x.Kind = in.acceptAny("ASYNC")
			in.accept("SYNC")
			in.expect("ON")
			x.Keys = in.indexKeys()
			if in.accept("COVER") {
				x.Include = in.names("a column")
			}
			t.Indexes = append(t.Indexes, x)
		default:
			return false
		}
		return true
	}
	in.tail = func(t *schema.Table) {
		if in.accept("PARTITION", "BY") {
			t.PartitionBy = in.skipTo("WITH")
		}
		if !in.accept("WITH") {
			return
		}
		in.list(func() {
			key := in.name("an option")
			in.expect("=")
			from := in.i
			if in.skipTo(","); in.i == from {
				in.unexpected("a value")
			}
			t.Options = append(t.Options, schema.Option{Key: key, Value: in.since(from)})
		})
	}
	in.viewTail = func(v *schema.View) {
		if !in.accept("WITH") {
			return
		}
		option := func() {
			key := in.name("an option")
			in.expect("=")
			v.Options = append(v.Options, schema.Option{Key: key, Value: in.value()})
		}
		if in.is("(") {
			in.list(option)
		} else {
			option()
		}
	}
	return in
}
