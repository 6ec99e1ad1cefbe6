package postgres

import (
	"strings"
	"unicode"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// utility converts the statements that are no queries. Each takes all tokens up
// to c.end.
func (c *conv) utility(tag string, n node) sqltree.Statement {
	switch tag {
	case "CreateStmt":
		return c.createTable(n)
	case "CreateForeignTableStmt":
		return c.createTable(n.get("base"))
	case "CreateTableAsStmt":
		return c.createTableAs(n)
	case "IndexStmt":
		return c.createIndex(n)
	case "ViewStmt":
		return c.createView(n)
	case "CreateEnumStmt", "CompositeTypeStmt", "CreateRangeStmt":
		return c.createType(tag, n)
	case "DefineStmt":
		if n.get("kind").is("OBJECT_TYPE") {
			return c.createType(tag, n)
		}
	case "CreateDomainStmt":
		return c.createDomain(n)
	case "CreateSeqStmt":
		return c.createSequence(n)
	case "CreateFunctionStmt":
		return c.createFunction(n)
	case "CreateTrigStmt":
		return c.createTrigger(n)
	case "RuleStmt":
		return c.createRule(n)
	case "CommentStmt":
		return c.comment(n)
	case "AlterTableStmt":
		return c.alterTable(n)
	case "RenameStmt":
		if n.get("relation").ok() {
			return c.rename(n)
		}
	case "AlterObjectSchemaStmt":
		if n.get("relation").ok() {
			return c.setSchema(n)
		}
	case "AlterEnumStmt":
		return c.alterEnum(n)
	case "AlterSeqStmt":
		return c.alterSequence(n)
	case "DropStmt":
		return c.drop(n)
	case "DropRoleStmt", "DropdbStmt", "DropTableSpaceStmt":
		return c.dropPlain()
	case "TruncateStmt":
		return c.truncate(n)
	case "ExplainStmt":
		return c.explain(n)
	case "CreateSchemaStmt":
		return c.createSchema(n)
	case "PrepareStmt", "DeclareCursorStmt", "CopyStmt":
		return c.wrapped(tag, n)
	}
	return c.other(tag, n)
}

// objectWords are the words of DDL that name a kind of object in two words or
// more; others have one.
var objectWords = [][]string{
	{"MATERIALIZED", "VIEW"}, {"FOREIGN", "TABLE"}, {"FOREIGN", "DATA", "WRAPPER"}, {"EVENT", "TRIGGER"},
	{"ACCESS", "METHOD"}, {"OPERATOR", "CLASS"}, {"OPERATOR", "FAMILY"}, {"USER", "MAPPING"}, {"LARGE", "OBJECT"},
	{"TEXT", "SEARCH", "CONFIGURATION"}, {"TEXT", "SEARCH", "DICTIONARY"}, {"TEXT", "SEARCH", "PARSER"},
	{"TEXT", "SEARCH", "TEMPLATE"}, {"DEFAULT", "PRIVILEGES"}, {"PROCEDURAL", "LANGUAGE"},
}

// object reads the kind of an object.
func (c *conv) object() string {
	for _, words := range objectWords {
		if c.accept(words...) {
			return strings.Join(words, " ")
		}
	}
	kind := c.upper(c.i, c.i+1)
	c.i++
	return kind
}

// objectName reads the name of an object of a kind. That of a part of a table
// (name ON table) comes last, behind the table's parts.
func (c *conv) objectName(kind string) (sqltree.Name, bool) {
	switch kind {
	case "CAST", "TRANSFORM", "OPERATOR", "LARGE OBJECT", "USER MAPPING", "DEFAULT PRIVILEGES", "SYSTEM":
		return sqltree.Name{}, false
	}
	if !c.isIdent(c.i) {
		return sqltree.Name{}, false
	}
	first := c.i
	name := c.name()
	switch kind {
	case "TRIGGER", "RULE", "POLICY", "CONSTRAINT":
		if c.accept("ON") {
			c.accept("DOMAIN")
			of := c.name()
			name.Parts = append(of.Parts, name.Parts...)
			name.Span = c.span(first, c.i)
		}
	}
	if c.punct(c.i, '(') {
		c.i = c.match(c.i) + 1
	}
	return name, true
}

func (c *conv) comment(n node) *sqltree.Comment {
	first := c.i
	c.expect("COMMENT", "ON")
	x := &sqltree.Comment{Kind: c.object()}
	x.Name, _ = c.objectName(x.Kind)
	if text := n.get("comment"); text.ok() {
		s := text.str()
		x.Text = &s
	}
	c.i = c.end
	x.Span = c.span(first, c.i)
	return x
}

func (c *conv) drop(n node) *sqltree.Drop {
	first, end := c.i, c.end
	c.expect("DROP")
	d := &sqltree.Drop{Kind: c.object(), IfExists: n.get("missing_ok").bool()}
	c.accept("CONCURRENTLY")
	c.accept("IF", "EXISTS")
	for {
		name, ok := c.objectName(d.Kind)
		if !ok {
			break
		}
		d.Names = append(d.Names, name)
		if !c.acceptPunct(',') {
			break
		}
	}
	c.i = end
	d.Span = c.span(first, end)
	return d
}

// dropPlain converts DROP ROLE and the like, whose node has no fields of use.
func (c *conv) dropPlain() *sqltree.Drop {
	at := c.find(c.i, c.end, "IF", "EXISTS")
	d := c.drop(node{})
	d.IfExists = at < c.end
	return d
}

func (c *conv) truncate(n node) *sqltree.Truncate {
	first := c.i
	t := &sqltree.Truncate{}
	for r := n.get("relations").first(); r.ok(); r = r.next() {
		c.seek(r.as("RangeVar").loc())
		t.Tables = append(t.Tables, c.name())
	}
	c.i = c.end
	t.Span = c.span(first, c.i)
	return t
}

func (c *conv) explain(n node) *sqltree.Explain {
	first := c.i
	c.expect("EXPLAIN")
	x := &sqltree.Explain{}
	for o := n.get("options").first(); o.ok(); o = o.next() {
		d := o.as("DefElem")
		if d.get("defname").is("analyze") {
			x.Analyze = true
			switch d.get("arg").as("String").get("sval").str() {
			case "off", "false":
				x.Analyze = false
			}
			if v := d.get("arg").as("Integer"); v.ok() && !v.get("ival").ok() {
				x.Analyze = false // 0
			}
		}
	}
	if n.get("options").ok() {
		if c.punct(c.i, '(') {
			c.i = c.match(c.i) + 1
		}
		for c.acceptAny("ANALYZE", "ANALYSE", "VERBOSE") {
		}
	}
	x.Statement = c.statement(n.get("query"))
	x.Span = c.span(first, c.i)
	return x
}

// createSchema converts CREATE SCHEMA; its elements become statements of their
// own behind it.
func (c *conv) createSchema(n node) sqltree.Statement {
	first, end := c.i, c.end
	s := &sqltree.Other{Kind: "CREATE SCHEMA"}
	c.expect("CREATE", "SCHEMA")
	c.accept("IF", "NOT", "EXISTS")
	if n.get("schemaname").ok() {
		s.Name = c.namePtr()
	}
	elements := n.get("schemaElts")
	starts := []int{}
	for i := c.i; i < end; i++ {
		if c.toks[i].match > int32(i) {
			i = int(c.toks[i].match)
		} else if c.is(i, "CREATE") || c.is(i, "GRANT") {
			starts = append(starts, i)
		}
	}
	if len(starts) != elements.len() {
		c.fail("an element of the schema")
	}
	starts = append(starts, end)
	s.Span = c.span(first, starts[0])
	k := 0
	for e := elements.first(); e.ok(); e = e.next() {
		c.i, c.end = starts[k], starts[k+1]
		c.extra = append(c.extra, c.statement(e))
		k++
	}
	c.i, c.end = end, end
	return s
}

// wrapped converts a statement with another one inside.
func (c *conv) wrapped(tag string, n node) sqltree.Statement {
	first, end := c.i, c.end
	s := &sqltree.Other{Kind: map[string]string{"PrepareStmt": "PREPARE", "DeclareCursorStmt": "DECLARE", "CopyStmt": "COPY"}[tag]}
	c.i++
	if tag == "CopyStmt" {
		if rel := n.get("relation"); rel.ok() {
			c.seek(rel.loc())
			s.Name = c.namePtr()
		}
	} else {
		s.Name = c.namePtr()
	}
	if q := n.get("query"); q.ok() {
		switch tag {
		case "PrepareStmt":
			c.i = c.find(c.i, end, "AS") + 1
			s.Inner = c.statement(q)
		case "DeclareCursorStmt":
			c.i = c.find(c.i, end, "FOR") + 1
			s.Inner = c.statement(q)
		case "CopyStmt":
			c.end = c.match(c.i)
			c.i++
			s.Inner = c.statement(q)
			c.end = end
		}
	}
	if tag == "CopyStmt" {
		c.i = first
		c.about(s, tag, n)
	}
	c.i = end
	s.Span = c.span(first, end)
	return s
}

// other converts all other statements: to the words that they begin with and,
// for one about an object, its name.
func (c *conv) other(tag string, n node) sqltree.Statement {
	first, end := c.i, c.end
	s := &sqltree.Other{}
	s.Kind = c.upper(c.i, c.i+1)
	c.i++
	switch s.Kind {
	case "CREATE", "ALTER", "DROP", "REINDEX", "REFRESH", "COMMENT":
		c.accept("OR", "REPLACE")
		if s.Kind == "REINDEX" && c.punct(c.i, '(') {
			c.i = c.match(c.i) + 1
		}
		for c.acceptAny("TRUSTED", "DEFAULT", "UNIQUE") {
		}
		if c.i < end && c.isIdent(c.i) {
			kind := c.object()
			s.Kind += " " + kind
			c.accept("CONCURRENTLY")
			if !c.accept("IF", "NOT", "EXISTS") {
				c.accept("IF", "EXISTS")
			}
			if c.i < end {
				if name, ok := c.objectName(kind); ok {
					s.Name = &name
				}
			}
		}
	case "CALL", "EXECUTE", "DEALLOCATE", "LISTEN", "UNLISTEN", "NOTIFY", "SAVEPOINT", "LOCK", "CLUSTER", "FETCH", "MOVE":
		if s.Kind == "LOCK" {
			c.accept("TABLE")
			c.accept("ONLY")
		}
		if (s.Kind == "CALL" || s.Kind == "EXECUTE" || s.Kind == "LOCK") && c.isIdent(c.i) {
			s.Name = c.namePtr()
		}
	}
	c.i = first
	c.about(s, tag, n)
	c.i = end
	s.Span = c.span(first, end)
	return s
}

// about fills in the relations that a statement is about, with their columns and
// what is computed of them.
func (c *conv) about(s *sqltree.Other, tag string, n node) {
	relation := func(rel node) {
		if rel.ok() {
			c.seek(rel.loc())
			s.Relations = append(s.Relations, c.name())
		}
	}
	columns := func() {
		if c.punct(c.i, '(') {
			s.Columns = append(s.Columns, c.identList()...)
		}
	}
	value := func(e node) {
		if e.ok() {
			x, _ := c.expr(e)
			s.Exprs = append(s.Exprs, x)
		}
	}
	switch tag {
	case "RefreshMatViewStmt", "ClusterStmt":
		relation(n.get("relation"))
	case "ReindexStmt":
		if n.get("kind").is("REINDEX_OBJECT_TABLE") {
			relation(n.get("relation"))
		}
	case "LockStmt":
		for r := n.get("relations").first(); r.ok(); r = r.next() {
			relation(r.as("RangeVar"))
		}
	case "VacuumStmt":
		for r := n.get("rels").first(); r.ok(); r = r.next() {
			relation(r.as("VacuumRelation").get("relation"))
			if len(s.Relations) == 1 {
				columns()
			}
		}
	case "CopyStmt":
		s.Writes = n.get("is_from").bool()
		relation(n.get("relation"))
		columns()
		value(n.get("whereClause"))
	case "CreateStatsStmt":
		for e := n.get("exprs").first(); e.ok(); e = e.next() {
			if x := e.as("StatsElem"); x.get("expr").ok() {
				value(x.get("expr"))
			} else {
				name := x.get("name").str()
				for !c.isIdent(c.i) || c.is(c.i, "ON") || c.identAt(c.i).Name != name && !strings.EqualFold(c.identAt(c.i).Name, name) {
					c.i++
				}
				s.Exprs = append(s.Exprs, &sqltree.Column{Span: c.span(c.i, c.i+1), Parts: []sqltree.Ident{c.ident()}})
			}
		}
		for r := n.get("relations").first(); r.ok(); r = r.next() {
			relation(r.as("RangeVar"))
		}
	case "CallStmt":
		if f := n.get("funccall"); f.get("args").ok() {
			c.seek(f.loc())
			call, _ := c.call(f)
			s.Exprs = call.(*sqltree.Func).Args
		}
	case "ExecuteStmt":
		for e := n.get("params").first(); e.ok(); e = e.next() {
			value(e)
		}
	case "CreatePolicyStmt", "AlterPolicyStmt":
		relation(n.get("table"))
		value(n.get("qual"))
		value(n.get("with_check"))
	case "GrantStmt":
		if !n.get("objtype").is("OBJECT_TABLE") || !n.get("targtype").is("ACL_TARGET_OBJECT") {
			return
		}
		for !c.is(c.i, "ON") {
			if columns(); c.i < c.end && !c.is(c.i, "ON") {
				c.i++
			}
		}
		for r := n.get("objects").first(); r.ok(); r = r.next() {
			relation(r.as("RangeVar"))
		}
	}
}

// alterKinds are the actions whose name is not that of the grammar's own with
// spaces between its words.
var alterKinds = map[string]string{
	"AT_AlterColumnType": "SET TYPE", "AT_ChangeOwner": "OWNER TO", "AT_AddInherit": "INHERIT", "AT_DropInherit": "NO INHERIT",
	"AT_EnableRowSecurity": "ENABLE ROW LEVEL SECURITY", "AT_DisableRowSecurity": "DISABLE ROW LEVEL SECURITY",
	"AT_ForceRowSecurity": "FORCE ROW LEVEL SECURITY", "AT_NoForceRowSecurity": "NO FORCE ROW LEVEL SECURITY",
	"AT_EnableTrig": "ENABLE TRIGGER", "AT_DisableTrig": "DISABLE TRIGGER", "AT_EnableTrigAll": "ENABLE TRIGGER",
	"AT_DisableTrigAll": "DISABLE TRIGGER", "AT_EnableTrigUser": "ENABLE TRIGGER", "AT_DisableTrigUser": "DISABLE TRIGGER",
	"AT_EnableAlwaysTrig": "ENABLE ALWAYS TRIGGER", "AT_EnableReplicaTrig": "ENABLE REPLICA TRIGGER",
	"AT_SetTableSpace": "SET TABLESPACE", "AT_SetUnLogged": "SET UNLOGGED", "AT_SetRelOptions": "SET", "AT_ResetRelOptions": "RESET",
	"AT_DropOids": "SET WITHOUT OIDS", "AT_DropCluster": "SET WITHOUT CLUSTER", "AT_AddOf": "OF", "AT_DropOf": "NOT OF",
	"AT_GenericOptions": "OPTIONS", "AT_AlterColumnGenericOptions": "OPTIONS", "AT_CookedColumnDefault": "SET DEFAULT",
}

// alterKind names an action: AT_DropNotNull is DROP NOT NULL.
func alterKind(subtype string) string {
	if k, ok := alterKinds[subtype]; ok {
		return k
	}
	var b strings.Builder
	for i, r := range strings.TrimPrefix(subtype, "AT_") {
		if i > 0 && unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToUpper(r))
	}
	return b.String()
}

// alterHead reads ALTER TABLE [IF EXISTS] [ONLY] name, of any kind of relation.
func (c *conv) alterHead(rel node) *sqltree.AlterTable {
	c.expect("ALTER")
	a := &sqltree.AlterTable{Kind: c.object()}
	a.IfExists = c.words(c.i, "IF", "EXISTS")
	a.Table = c.relation(rel)
	return a
}

func (c *conv) alterTable(n node) sqltree.Statement {
	first, end := c.i, c.end
	a := c.alterHead(n.get("relation"))
	cmd := n.get("cmds").first()
	for _, r := range c.elements(c.i, end) {
		a.Actions = append(a.Actions, c.alterAction(a.Kind, cmd.as("AlterTableCmd"), r[0], r[1]))
		cmd = cmd.next()
	}
	c.i = end
	a.Span = c.span(first, end)
	return a
}

// alterAction converts the action in tokens a to b on a kind of object.
func (c *conv) alterAction(object string, n node, a, b int) sqltree.AlterAction {
	x := sqltree.AlterAction{Span: c.span(a, b)}
	subtype := n.get("subtype").str()
	x.Kind = alterKind(subtype)
	def := n.get("def")
	c.i = a
	part := "COLUMN"
	if object == "TYPE" {
		part = "ATTRIBUTE"
	}
	// name reads the column or constraint that the action is about.
	name := func() {
		if x.IfExists = c.accept("IF", "EXISTS"); !x.IfExists {
			c.accept("IF", "NOT", "EXISTS")
		}
		x.Name = c.identPtr()
	}
	switch subtype {
	case "AT_AddColumn":
		c.i++
		c.accept(part)
		c.accept("IF", "NOT", "EXISTS")
		d := c.columnDef(def.as("ColumnDef"), c.i, b)
		x.Column, x.Name = &d, &d.Name
	case "AT_DropColumn", "AT_DropConstraint", "AT_ValidateConstraint":
		c.i++
		c.acceptAny(part, "CONSTRAINT")
		name()
	case "AT_AlterConstraint":
		c.i += 2
		name()
	case "AT_AddConstraint":
		c.i++
		k := c.constraint(def.as("Constraint"), c.i, b)
		x.Constraint, x.Name = &k, k.Name
	case "AT_ColumnDefault":
		c.alterColumn(&x)
		x.Kind = "DROP DEFAULT"
		if def.ok() {
			x.Kind = "SET DEFAULT"
			c.expect("SET", "DEFAULT")
			x.Expr, _ = c.exprFrom(def)
		}
	case "AT_AlterColumnType":
		c.i++
		c.accept(part)
		start := c.i
		name()
		d := sqltree.ColumnDef{Name: *x.Name}
		if !c.accept("TYPE") {
			c.expect("SET", "DATA", "TYPE")
		}
		col := def.as("ColumnDef")
		d.Type = c.typeName(col.get("typeName"))
		if c.accept("COLLATE") {
			d.Collation = c.namePtr()
		}
		d.Span = c.span(start, c.i)
		x.Column = &d
		if using := col.get("raw_default"); using.ok() {
			c.expect("USING")
			x.Expr, _ = c.exprFrom(using)
		}
	case "AT_AttachPartition", "AT_DetachPartition", "AT_AddInherit", "AT_DropInherit":
		for !c.acceptAny("PARTITION", "INHERIT") {
			c.i++
		}
		x.Other = c.namePtr()
	case "AT_AddIdentity":
		c.alterColumn(&x)
		c.expect("ADD")
		k := c.constraint(def.as("Constraint"), c.i, b)
		x.Constraint = &k
	case "AT_SetExpression":
		c.alterColumn(&x)
		x.Expr, _ = c.expr(def)
	default:
		switch {
		case c.is(a, "ALTER"):
			c.alterColumn(&x)
		case x.Kind == "OWNER TO":
			c.i += 2
			if c.isIdent(c.i) {
				x.NewName = c.identPtr()
			}
		case strings.HasSuffix(x.Kind, " TRIGGER"), strings.HasSuffix(x.Kind, " RULE"):
			x.Name = c.lastIdent(b)
		case subtype == "AT_ClusterOn", subtype == "AT_SetTableSpace":
			x.NewName = c.lastIdent(b)
		}
	}
	return x
}

func (c *conv) lastIdent(b int) *sqltree.Ident {
	id := c.identAt(b - 1)
	return &id
}

// alterColumn reads ALTER [COLUMN] name; an index's column may be a number.
func (c *conv) alterColumn(x *sqltree.AlterAction) {
	c.expect("ALTER")
	c.accept("COLUMN")
	if c.isIdent(c.i) {
		x.Name = c.identPtr()
	} else {
		c.i++
	}
}

// rename converts ALTER … RENAME of a relation or a part of one.
func (c *conv) rename(n node) sqltree.Statement {
	first, end := c.i, c.end
	var a *sqltree.AlterTable
	var from int
	switch n.get("renameType").str() {
	case "OBJECT_TRIGGER", "OBJECT_RULE", "OBJECT_POLICY":
		// ALTER TRIGGER name ON table RENAME TO new
		c.expect("ALTER")
		kind := c.object()
		c.accept("IF", "EXISTS")
		name := c.ident()
		c.seek(n.get("relation").loc())
		a = &sqltree.AlterTable{Kind: kind, Table: c.name()}
		from = c.i
		a.Actions = []sqltree.AlterAction{{Kind: "RENAME " + kind, Name: &name}}
	default:
		a = c.alterHead(n.get("relation"))
		from = c.i
		c.expect("RENAME")
		x := sqltree.AlterAction{Kind: "RENAME"}
		switch {
		case n.get("renameType").is("OBJECT_TABCONSTRAINT"):
			x.Kind = "RENAME CONSTRAINT"
			c.expect("CONSTRAINT")
			x.Name = c.identPtr()
		case n.get("subname").ok():
			x.Kind = "RENAME COLUMN"
			if !c.is(c.i+1, "TO") {
				c.acceptAny("COLUMN", "ATTRIBUTE")
			}
			x.Name = c.identPtr()
		}
		a.Actions = []sqltree.AlterAction{x}
	}
	c.i = c.find(c.i, end, "TO") + 1
	x := &a.Actions[0]
	x.NewName = c.identPtr()
	x.Span = c.span(from, c.i)
	c.i = end
	a.Span = c.span(first, end)
	return a
}

func (c *conv) setSchema(n node) sqltree.Statement {
	first, end := c.i, c.end
	a := c.alterHead(n.get("relation"))
	x := sqltree.AlterAction{Span: c.span(c.i, end), Kind: "SET SCHEMA"}
	c.expect("SET", "SCHEMA")
	x.NewName = c.identPtr()
	a.Actions = []sqltree.AlterAction{x}
	c.i = end
	a.Span = c.span(first, end)
	return a
}

// alterEnum converts ALTER TYPE … ADD VALUE and RENAME VALUE.
func (c *conv) alterEnum(n node) sqltree.Statement {
	first, end := c.i, c.end
	c.expect("ALTER", "TYPE")
	a := &sqltree.AlterTable{Kind: "TYPE", Table: c.name()}
	x := sqltree.AlterAction{Span: c.span(c.i, end), Kind: c.upper(c.i, c.i+2)}
	var labels []sqltree.Expr
	order := ""
	for i := c.i; i < end; i++ {
		switch {
		case c.is(i, "BEFORE"), c.is(i, "AFTER"), c.is(i, "TO"):
			order = c.upper(i, i+1)
		case c.toks[i].kind == stringToken:
			labels = append(labels, &sqltree.Literal{Span: c.span(i, i+1), Kind: sqltree.StringLiteral})
		}
	}
	// The tree has the labels' values: the new one and its neighbour, or the old
	// one and the new one.
	values := []string{n.get("newVal").str(), n.get("newValNeighbor").str()}
	if old := n.get("oldVal"); old.ok() {
		values = []string{old.str(), n.get("newVal").str()}
	}
	for i, l := range labels {
		l.(*sqltree.Literal).Value = values[i]
	}
	x.Expr = labels[0]
	if len(labels) == 2 {
		x.Expr = &sqltree.Op{Span: span{Start: labels[0].Pos().Start, End: labels[1].Pos().End}, Name: order, Args: labels}
	}
	a.Actions = []sqltree.AlterAction{x}
	c.i = end
	a.Span = c.span(first, end)
	return a
}

// alterSequence converts ALTER SEQUENCE: one action for each option.
func (c *conv) alterSequence(n node) sqltree.Statement {
	first, end := c.i, c.end
	a := c.alterHead(n.get("sequence"))
	for _, o := range c.sequenceOptions(n.get("options"), end) {
		x := sqltree.AlterAction{Span: o.Span, Kind: o.Key}
		if o.Key == "OWNED BY" && !strings.EqualFold(o.Value, "NONE") {
			c.i = c.index(o.Start-c.base) + 2
			x.Other = c.namePtr()
		}
		a.Actions = append(a.Actions, x)
	}
	c.i = end
	a.Span = c.span(first, end)
	return a
}
