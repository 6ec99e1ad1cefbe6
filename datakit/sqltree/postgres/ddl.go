package postgres

import (
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// createTable converts CREATE [FOREIGN] TABLE; options are those of a foreign one.
func (c *conv) createTable(n node) *sqltree.CreateTable {
	first, end := c.i, c.end
	t := &sqltree.CreateTable{}
	t.Temporary, t.Options = c.persistence(n.get("relation"))
	t.IfNotExists = n.get("if_not_exists").bool()
	c.seek(n.get("relation").loc())
	t.Name = c.name()
	partition := n.get("partbound").ok()
	switch {
	case partition:
		c.expect("PARTITION", "OF")
		t.PartitionOf = c.namePtr()
	case c.is(c.i, "OF"):
		from := c.i
		c.i++
		name := c.name()
		t.Options = append(t.Options, c.option("OF", from, name.Start))
	}
	if c.punct(c.i, '(') {
		c.tableElements(t, n.get("tableElts"))
	}
	if partition {
		from := c.i
		if !c.accept("DEFAULT") {
			c.expect("FOR", "VALUES")
			for c.acceptAny("IN", "FROM", "TO", "WITH") {
				c.i = c.match(c.i) + 1
			}
		}
		t.Bound = c.span(from, c.i)
	} else if c.accept("INHERITS") {
		close := c.match(c.i)
		c.i++
		for c.i < close {
			t.Inherits = append(t.Inherits, c.name())
			c.acceptPunct(',')
		}
		c.i++
	}
	if spec := n.get("partspec"); spec.ok() {
		c.expect("PARTITION", "BY")
		from := c.i
		c.i++
		c.i = c.match(c.i) + 1
		t.PartitionBy = c.span(from, c.i)
	}
	t.Options = append(t.Options, c.tableOptions(end)...)
	c.i = end
	t.Span = c.span(first, end)
	return t
}

// persistence tells what stands before TABLE.
func (c *conv) persistence(rel node) (temporary bool, options []sqltree.Option) {
	switch {
	case rel.get("relpersistence").is("t"):
		return true, nil
	case rel.get("relpersistence").is("u"):
		at := c.find(c.i, c.end, "UNLOGGED")
		return false, []sqltree.Option{{Span: c.span(at, at+1), Key: "UNLOGGED"}}
	}
	return false, nil
}

// option makes the option that begins at token from and ends at the cursor; its
// value begins at a byte of the text.
func (c *conv) option(key string, from, value int) sqltree.Option {
	s := c.span(from, c.i)
	return sqltree.Option{Span: s, Key: key, Value: c.text[value:s.End]}
}

// tableOptions reads what may follow the columns of a table, an index or a
// materialised view, up to a token.
func (c *conv) tableOptions(end int) []sqltree.Option {
	var out []sqltree.Option
	one := func(key string, words int) {
		from := c.i
		c.i += words
		value := c.i
		if c.punct(c.i, '(') {
			c.i = c.match(c.i)
		}
		c.i++
		out = append(out, c.option(key, from, int(c.toks[value].start)))
	}
	for c.i < end {
		switch {
		case c.is(c.i, "WITH") && c.punct(c.i+1, '('), c.is(c.i, "OPTIONS") && c.punct(c.i+1, '('):
			c.i++
			out = append(out, c.optionList()...)
		case c.words(c.i, "ON", "COMMIT"):
			from := c.i
			c.i += 2
			value := int(c.toks[c.i].start)
			if c.accept("DELETE") || c.accept("PRESERVE") {
				c.accept("ROWS")
			} else {
				c.accept("DROP")
			}
			out = append(out, c.option("ON COMMIT", from, value))
		case c.words(c.i, "USING", "INDEX", "TABLESPACE"):
			one("USING INDEX TABLESPACE", 3)
		case c.is(c.i, "TABLESPACE"), c.is(c.i, "USING"), c.is(c.i, "SERVER"):
			one(c.upper(c.i, c.i+1), 1)
		case c.words(c.i, "WITHOUT", "OIDS"):
			c.i += 2
		default:
			return out
		}
	}
	return out
}

// optionList reads (key = value, key value, key, …).
func (c *conv) optionList() []sqltree.Option {
	end := c.match(c.i)
	var out []sqltree.Option
	for _, r := range c.elements(c.i+1, end) {
		if r[0] == r[1] {
			continue
		}
		c.i = r[0]
		key := c.name()
		o := sqltree.Option{Span: c.span(r[0], r[1]), Key: c.text[key.Start:key.End]}
		if c.op(c.i, "=") {
			c.i++
		}
		if c.i < r[1] {
			o.Value = c.value(c.i, r[1])
		}
		out = append(out, o)
	}
	c.i = end + 1
	return out
}

// value is the text of tokens a to b; of a single plain string without its quotes.
func (c *conv) value(a, b int) string {
	s := c.span(a, b)
	text := c.text[s.Start:s.End]
	if b == a+1 && c.toks[a].kind == stringToken && text[0] == '\'' {
		return strings.ReplaceAll(text[1:len(text)-1], "''", "'")
	}
	return text
}

// tableElements reads the columns, constraints and LIKEs of a table.
func (c *conv) tableElements(t *sqltree.CreateTable, list node) {
	end := c.match(c.i)
	e := list.first()
	for _, r := range c.elements(c.i+1, end) {
		if r[0] == r[1] {
			break // ()
		}
		tag, n := e.tag()
		switch tag {
		case "ColumnDef":
			t.Columns = append(t.Columns, c.columnDef(n, r[0], r[1]))
		case "Constraint":
			t.Constraints = append(t.Constraints, c.constraint(n, r[0], r[1]))
		case "TableLikeClause":
			c.i = r[0]
			c.expect("LIKE")
			t.Like = append(t.Like, c.name())
		default:
			c.unsupported("an element of a table", tag)
		}
		e = e.next()
	}
	c.i = end + 1
}

// columnDef converts the column in tokens a to b.
func (c *conv) columnDef(n node, a, b int) sqltree.ColumnDef {
	c.i = a
	d := sqltree.ColumnDef{Span: c.span(a, b), Name: c.ident()}
	if typ := n.get("typeName"); typ.ok() {
		d.Type = c.typeName(typ)
	}
	d.Storage = strings.ToUpper(n.get("storage_name").str())
	d.Compression = n.get("compression").str()
	if coll := n.get("collClause"); coll.ok() {
		c.seek(coll.loc())
		c.expect("COLLATE")
		d.Collation = c.namePtr()
	}
	d.Constraints = c.columnConstraints(n, b)
	return d
}

// columnConstraints converts the constraints of a column or domain, which say
// where they begin: each ends where the next begins, or COLLATE between them, or
// at token b. DEFERRABLE and the like are nodes of their own to the grammar, and
// belong to the constraint before them.
func (c *conv) columnConstraints(n node, b int) []sqltree.Constraint {
	var out []sqltree.Constraint
	for k := n.get("constraints").first(); k.ok(); k = k.next() {
		con := k.as("Constraint")
		if attribute(con) {
			continue
		}
		from, to := c.index(con.loc()), b
		for next := k.next(); next.ok(); next = next.next() {
			if x := next.as("Constraint"); !attribute(x) {
				to = c.index(x.loc())
				break
			}
		}
		if coll := n.get("collClause"); coll.ok() {
			if at := c.index(coll.loc()); at > from && at < to {
				to = at
			}
		}
		out = append(out, c.constraint(con, from, to))
	}
	return out
}

// attribute tells whether a constraint is no more than an attribute of another.
func attribute(k node) bool { return strings.HasPrefix(k.get("contype").str(), "CONSTR_ATTR_") }

var constraintKinds = map[string]sqltree.ConstraintKind{
	"CONSTR_NULL": sqltree.Nullable, "CONSTR_NOTNULL": sqltree.NotNull, "CONSTR_DEFAULT": sqltree.Default,
	"CONSTR_IDENTITY": sqltree.Identity, "CONSTR_GENERATED": sqltree.Generated, "CONSTR_CHECK": sqltree.Check,
	"CONSTR_PRIMARY": sqltree.PrimaryKey, "CONSTR_UNIQUE": sqltree.Unique, "CONSTR_EXCLUSION": sqltree.Exclude,
	"CONSTR_FOREIGN": sqltree.ForeignKey,
}

// constraint converts the constraint in tokens a to b.
func (c *conv) constraint(n node, a, b int) sqltree.Constraint {
	c.i = a
	k := sqltree.Constraint{Span: c.span(a, b), Kind: constraintKinds[n.get("contype").str()]}
	if k.Kind == "" {
		c.unsupported("a constraint", n.get("contype").str())
	}
	if c.accept("CONSTRAINT") {
		k.Name = c.identPtr()
	}
	switch k.Kind {
	case sqltree.Default, sqltree.Check:
		k.Expr, _ = c.expr(n.get("raw_expr"))
	case sqltree.Generated:
		k.Always, k.Stored = true, true
		k.Expr, _ = c.expr(n.get("raw_expr"))
	case sqltree.Identity:
		k.Always = n.get("generated_when").is("a")
		c.i = c.find(c.i, b, "IDENTITY") + 1
		if c.i < b && c.punct(c.i, '(') {
			k.Options = c.sequenceOptions(n.get("options"), c.match(c.i))
		}
	case sqltree.PrimaryKey, sqltree.Unique:
		c.keyColumns(&k, b)
	case sqltree.ForeignKey:
		if c.accept("FOREIGN", "KEY") {
			k.Columns = c.identList()
		}
		c.references(&k, b)
	case sqltree.Exclude:
		c.exclude(&k, n, b)
	}
	k.Deferrable = c.find(a, b, "DEFERRABLE") < b && c.find(a, b, "NOT", "DEFERRABLE") == b
	if c.find(a, b, "INITIALLY", "DEFERRED") < b {
		k.Deferrable, k.Deferred = true, true
	}
	k.NotValid = c.find(a, b, "NOT", "VALID") < b
	k.NoInherit = n.get("is_no_inherit").bool()
	return k
}

// keyColumns reads what follows PRIMARY KEY and UNIQUE.
func (c *conv) keyColumns(k *sqltree.Constraint, end int) {
	if !c.accept("PRIMARY", "KEY") {
		c.expect("UNIQUE")
	}
	if from := c.i; c.accept("NULLS") {
		c.accept("NOT")
		c.expect("DISTINCT")
		value := c.upper(from+1, c.i)
		k.Options = append(k.Options, sqltree.Option{Span: c.span(from, c.i), Key: "NULLS", Value: value})
	}
	if from := c.i; c.accept("USING", "INDEX") {
		if c.is(c.i, "TABLESPACE") {
			c.i = from
		} else {
			name := c.ident()
			k.Options = append(k.Options, c.option("USING INDEX", from, name.Start))
		}
	}
	if c.punct(c.i, '(') && c.i < end {
		k.Columns = c.identList()
	}
	if c.accept("INCLUDE") {
		k.Include = c.identList()
	}
	k.Options = append(k.Options, c.tableOptions(end)...)
}

func (c *conv) references(k *sqltree.Constraint, end int) {
	c.expect("REFERENCES")
	c.accept("ONLY")
	k.RefTable = c.namePtr()
	if c.punct(c.i, '(') && c.i < end {
		k.RefColumns = c.identList()
	}
	for c.i < end {
		switch {
		case c.accept("MATCH"):
			k.Match = c.upper(c.i, c.i+1)
			c.i++
		case c.accept("ON", "DELETE"):
			k.OnDelete, k.SetColumns = c.action()
		case c.accept("ON", "UPDATE"):
			k.OnUpdate, _ = c.action()
		default:
			return
		}
	}
}

// action reads CASCADE, SET NULL (a, b) and the like.
func (c *conv) action() (action string, columns []sqltree.Ident) {
	from := c.i
	if !c.acceptAny("CASCADE", "RESTRICT") {
		c.i += 2
	}
	to := c.i
	if c.punct(c.i, '(') {
		columns = c.identList()
	}
	return c.upper(from, to), columns
}

func (c *conv) exclude(k *sqltree.Constraint, n node, end int) {
	c.expect("EXCLUDE")
	if c.accept("USING") {
		k.Method = c.ident().Name
	}
	close := c.match(c.i)
	e := n.get("exclusions").first()
	for _, r := range c.elements(c.i+1, close) {
		pair := e.as("List").get("items")
		with := c.find(r[0], r[1], "WITH")
		key := c.indexKey(pair.first().as("IndexElem"), r[0], with)
		key.Span = c.span(r[0], r[1])
		op := c.span(with+1, r[1])
		key.With = c.text[op.Start:op.End]
		k.Keys = append(k.Keys, key)
		e = e.next()
	}
	c.i = close + 1
	if c.accept("INCLUDE") {
		k.Include = c.identList()
	}
	k.Options = append(k.Options, c.tableOptions(end)...)
	if where := n.get("where_clause"); where.ok() {
		c.expect("WHERE")
		k.Where, _ = c.exprFrom(where)
	}
}

// indexKeys reads (a, lower(b) COLLATE "C" DESC, …).
func (c *conv) indexKeys(list node) []sqltree.IndexKey {
	end := c.match(c.i)
	var keys []sqltree.IndexKey
	e := list.first()
	for _, r := range c.elements(c.i+1, end) {
		keys = append(keys, c.indexKey(e.as("IndexElem"), r[0], r[1]))
		e = e.next()
	}
	c.i = end + 1
	return keys
}

// indexKey converts the key in tokens a to b.
func (c *conv) indexKey(n node, a, b int) sqltree.IndexKey {
	c.i = a
	k := sqltree.IndexKey{Span: c.span(a, b)}
	if n.get("expr").ok() {
		k.Expr, _ = c.exprFrom(n.get("expr"))
	} else {
		id := c.ident()
		k.Expr = &sqltree.Column{Span: id.Span, Parts: []sqltree.Ident{id}}
	}
	for c.i < b {
		switch {
		case c.accept("COLLATE"):
			k.Collation = c.namePtr()
		case c.accept("ASC"):
		case c.accept("DESC"):
			k.Desc = true
		case c.accept("NULLS"):
			nullsFirst := c.is(c.i, "FIRST")
			k.NullsFirst = &nullsFirst
			c.i++
		case c.punct(c.i, '('): // of the operator class
			c.i = c.match(c.i) + 1
		default:
			k.OpClass = c.namePtr()
		}
	}
	return k
}

func (c *conv) createIndex(n node) *sqltree.CreateIndex {
	first, end := c.i, c.end
	x := &sqltree.CreateIndex{
		Unique:           n.get("unique").bool(),
		Concurrently:     n.get("concurrent").bool(),
		IfNotExists:      n.get("if_not_exists").bool(),
		NullsNotDistinct: n.get("nulls_not_distinct").bool(),
	}
	table := c.index(n.get("relation").loc())
	if n.get("idxname").ok() {
		on := table - 1
		if c.punct(on, '(') {
			on--
		}
		if c.is(on, "ONLY") {
			on--
		}
		name := c.identAt(on - 1)
		x.Name = &name
	}
	x.Table = c.relation(n.get("relation"))
	if c.accept("USING") {
		x.Method = c.ident().Name
	}
	x.Keys = c.indexKeys(n.get("indexParams"))
	if c.accept("INCLUDE") {
		for _, k := range c.indexKeys(n.get("indexIncludingParams")) {
			if col, ok := k.Expr.(*sqltree.Column); ok {
				x.Include = append(x.Include, col.Parts[0])
			}
		}
	}
	if c.accept("NULLS") {
		c.accept("NOT")
		c.expect("DISTINCT")
	}
	x.Options = c.tableOptions(end)
	x.Where = c.where(n.get("whereClause"))
	x.Span = c.span(first, end)
	c.i = end
	return x
}

func (c *conv) createView(n node) *sqltree.CreateView {
	first, end := c.i, c.end
	v := &sqltree.CreateView{Replace: n.get("replace").bool()}
	v.Temporary = n.get("view").get("relpersistence").is("t")
	c.seek(n.get("view").loc())
	recursive := c.is(c.i-2, "RECURSIVE")
	v.Name = c.name()
	if c.punct(c.i, '(') {
		v.Columns = c.identList()
	}
	if c.is(c.i, "WITH") {
		c.i++
		v.Options = c.optionList()
	}
	c.expect("AS")
	query := n.get("query").as("SelectStmt")
	if recursive {
		v.Query = c.recursiveView(v, query)
	} else {
		v.Query, _ = c.query(query)
	}
	if from := c.i; from < end {
		c.expect("WITH")
		value := int(c.toks[c.i].start)
		c.acceptAny("LOCAL", "CASCADED")
		c.expect("CHECK", "OPTION")
		v.Options = append(v.Options, c.option("CHECK OPTION", from, value))
	}
	v.Span = c.span(first, end)
	return v
}

// recursiveView makes what CREATE RECURSIVE VIEW v (a) AS q stands for:
// WITH RECURSIVE v (a) AS (q) SELECT a FROM v. The CTE stands in the text, from
// the view's name on; SELECT a FROM v has the span of name and columns.
func (c *conv) recursiveView(v *sqltree.CreateView, n node) *sqltree.Query {
	inner := n.get("withClause").get("ctes").first().as("CommonTableExpr").get("ctequery").as("SelectStmt")
	q, _ := c.query(inner)
	name := v.Name.Last()
	all := span{Start: name.Start, End: q.End}
	head := name.Span
	items := make([]sqltree.SelectItem, len(v.Columns))
	for i, col := range v.Columns {
		items[i] = sqltree.SelectItem{Span: col.Span, Expr: &sqltree.Column{Span: col.Span, Parts: []sqltree.Ident{col}}}
		head.End = col.End
	}
	table := &sqltree.TableRef{Span: name.Span, Name: sqltree.Name{Span: name.Span, Parts: []sqltree.Ident{name}}}
	return &sqltree.Query{
		Span: all,
		With: &sqltree.With{Span: all, Recursive: true, CTEs: []*sqltree.CTE{
			{Span: all, Name: name, Columns: v.Columns, Body: q},
		}},
		Body: &sqltree.Select{Span: head, Items: items, From: []sqltree.TableExpr{table}},
	}
}

// createTableAs converts CREATE TABLE … AS and CREATE MATERIALIZED VIEW.
func (c *conv) createTableAs(n node) sqltree.Statement {
	first, end := c.i, c.end
	into := n.get("into")
	temporary, options := c.persistence(into.get("rel"))
	c.seek(into.get("rel").loc())
	name := c.name()
	var columns []sqltree.Ident
	if c.punct(c.i, '(') {
		columns = c.identList()
	}
	options = append(options, c.tableOptions(end)...)
	c.expect("AS")
	var query *sqltree.Query
	if q := n.get("query").as("SelectStmt"); q.ok() {
		query, _ = c.query(q)
	} else {
		c.expect("EXECUTE")
		c.ident()
		if c.punct(c.i, '(') {
			c.i = c.match(c.i) + 1
		}
	}
	if from := c.i; c.accept("WITH") {
		c.accept("NO")
		c.expect("DATA")
		options = append(options, sqltree.Option{Span: c.span(from, c.i), Key: c.upper(from, c.i)})
	}
	exists := n.get("if_not_exists").bool()
	if n.get("objtype").is("OBJECT_MATVIEW") {
		return &sqltree.CreateView{
			Span: c.span(first, end), Name: name, Columns: columns, Query: query,
			Materialized: true, IfNotExists: exists, Options: options,
		}
	}
	return &sqltree.CreateTable{
		Span: c.span(first, end), Name: name, IfNotExists: exists, Temporary: temporary,
		As: query, AsColumns: columns, Options: options,
	}
}

// createType converts CREATE TYPE in its forms.
func (c *conv) createType(tag string, n node) *sqltree.CreateType {
	first, end := c.i, c.end
	c.expect("CREATE", "TYPE")
	t := &sqltree.CreateType{Name: c.name(), Kind: "OTHER"}
	switch tag {
	case "CreateEnumStmt":
		t.Kind = "ENUM"
		for v := n.get("vals").first(); v.ok(); v = v.next() {
			t.Labels = append(t.Labels, v.as("String").get("sval").str())
		}
	case "CompositeTypeStmt":
		t.Kind = "COMPOSITE"
		c.expect("AS")
		close := c.match(c.i)
		e := n.get("coldeflist").first()
		for _, r := range c.elements(c.i+1, close) {
			if r[0] < r[1] {
				t.Attributes = append(t.Attributes, c.columnDef(e.as("ColumnDef"), r[0], r[1]))
				e = e.next()
			}
		}
	case "CreateRangeStmt":
		t.Kind = "RANGE"
		for p := n.get("params").first(); p.ok(); p = p.next() {
			if d := p.as("DefElem"); d.get("defname").is("subtype") {
				t.Base = c.typeName(d.get("arg").as("TypeName"))
			}
		}
	}
	c.i = end
	t.Span = c.span(first, end)
	return t
}

func (c *conv) createDomain(n node) *sqltree.CreateType {
	first, end := c.i, c.end
	c.expect("CREATE", "DOMAIN")
	t := &sqltree.CreateType{Name: c.name(), Kind: "DOMAIN"}
	c.accept("AS")
	t.Base = c.typeName(n.get("typeName"))
	if coll := n.get("collClause"); coll.ok() {
		c.seek(coll.loc())
		c.expect("COLLATE")
		t.Collation = c.namePtr()
	}
	t.Constraints = c.columnConstraints(n, end)
	c.i = end
	t.Span = c.span(first, end)
	return t
}

func (c *conv) createSequence(n node) *sqltree.CreateSequence {
	first, end := c.i, c.end
	c.seek(n.get("sequence").loc())
	s := &sqltree.CreateSequence{Name: c.name(), IfNotExists: n.get("if_not_exists").bool()}
	s.Options = c.sequenceOptions(n.get("options"), end)
	c.i = end
	s.Span = c.span(first, end)
	return s
}

// sequenceOptions reads START WITH 1, NO CYCLE, OWNED BY t.c, … up to a token.
// The key is the leading words without WITH.
func (c *conv) sequenceOptions(list node, end int) []sqltree.Option {
	var out []sqltree.Option
	for e := list.first(); e.ok(); e = e.next() {
		from, to := c.index(e.as("DefElem").loc()), end
		if next := e.next(); next.ok() {
			to = c.index(next.as("DefElem").loc())
		}
		c.i = from + 1
		switch {
		case c.is(from, "NO"), c.is(from, "OWNED"), c.is(from, "SEQUENCE"), c.is(from, "INCREMENT") && c.is(c.i, "BY"):
			c.i++
		}
		o := sqltree.Option{Span: c.span(from, to), Key: c.upper(from, c.i)}
		c.acceptAny("WITH", "=")
		if c.i < to {
			o.Value = c.value(c.i, to)
		}
		out = append(out, o)
	}
	return out
}

var parameterModes = map[string]string{
	"FUNC_PARAM_IN": "IN", "FUNC_PARAM_OUT": "OUT", "FUNC_PARAM_INOUT": "INOUT", "FUNC_PARAM_VARIADIC": "VARIADIC",
}

func (c *conv) createFunction(n node) *sqltree.CreateFunction {
	first, end := c.i, c.end
	f := &sqltree.CreateFunction{Procedure: n.get("is_procedure").bool(), Replace: n.get("replace").bool()}
	for !c.acceptAny("FUNCTION", "PROCEDURE") {
		c.i++
	}
	f.Name = c.name()
	close := c.match(c.i)
	p := n.get("parameters").first()
	for _, r := range c.elements(c.i+1, close) {
		if r[0] < r[1] {
			f.Params = append(f.Params, c.parameter(p.as("FunctionParameter"), r[0], r[1]))
			p = p.next()
		}
	}
	c.i = close + 1
	if c.accept("RETURNS") {
		if p.ok() && p.as("FunctionParameter").get("mode").is("FUNC_PARAM_TABLE") {
			c.expect("TABLE")
			close := c.match(c.i)
			for _, r := range c.elements(c.i+1, close) {
				c.i = r[0]
				d := sqltree.ColumnDef{Span: c.span(r[0], r[1]), Name: c.ident()}
				d.Type = c.typeName(p.as("FunctionParameter").get("argType"))
				f.Table = append(f.Table, d)
				p = p.next()
			}
			c.i = close + 1
		} else if ret := n.get("returnType"); ret.ok() {
			t := c.typeName(ret)
			f.Returns = &t
		}
	}
	for o := n.get("options").first(); o.ok(); o = o.next() {
		d := o.as("DefElem")
		switch d.get("defname").str() {
		case "language":
			f.Language = d.get("arg").as("String").get("sval").str()
		case "as":
			f.Body = d.get("arg").as("List").get("items").first().as("String").get("sval").str()
		}
	}
	if body := n.get("sql_body"); body.ok() {
		if f.Language == "" {
			f.Language = "sql"
		}
		c.sqlBody(f, body)
	}
	c.i = end
	f.Span = c.span(first, end)
	return f
}

// parameter converts the parameter in tokens a to b.
func (c *conv) parameter(n node, a, b int) sqltree.Parameter {
	c.i = a
	p := sqltree.Parameter{Span: c.span(a, b), Mode: parameterModes[n.get("mode").str()]}
	typ := n.get("argType")
	if name := n.get("name"); name.ok() {
		for i := a; i < c.index(typ.loc()); i++ {
			id := c.identAt(i)
			if id.Name == name.str() || !id.Quoted && strings.EqualFold(id.Name, name.str()) {
				p.Name = &id
				break
			}
		}
	}
	c.seek(typ.loc())
	p.Type = c.typeTokens(false)
	return p
}

// sqlBody converts RETURN expr and BEGIN ATOMIC … END.
func (c *conv) sqlBody(f *sqltree.CreateFunction, body node) {
	if ret := body.as("ReturnStmt"); ret.ok() {
		f.Return, _ = c.expr(ret.get("returnval"))
		return
	}
	c.i = c.find(c.i, c.end, "BEGIN", "ATOMIC") + 2
	list := body.as("List").get("items").first().as("List").get("items")
	for s := list.first(); s.ok(); s = s.next() {
		if ret := s.as("ReturnStmt"); ret.ok() {
			c.expect("RETURN")
			f.Return, _ = c.exprFrom(ret.get("returnval"))
		} else {
			// A statement of another kind takes all tokens that it has: it ends here.
			outer := c.end
			for c.end = c.i; !c.endsAt(c.end, outer); c.end++ {
			}
			f.Statements = append(f.Statements, c.statement(s))
			c.end = outer
		}
		c.expectPunct(';')
	}
}

// endsAt tells whether token i is a semicolon, or the limit.
func (c *conv) endsAt(i, limit int) bool {
	return i >= limit || c.toks[i].kind == punctToken && c.toks[i].ch == ';'
}

func (c *conv) createTrigger(n node) *sqltree.CreateTrigger {
	first, end := c.i, c.end
	for !c.accept("TRIGGER") {
		c.i++
	}
	t := &sqltree.CreateTrigger{Name: c.ident()}
	switch {
	case c.accept("INSTEAD", "OF"):
		t.Timing = "INSTEAD OF"
	default:
		t.Timing = c.upper(c.i, c.i+1)
		c.i++
	}
	for {
		event := c.upper(c.i, c.i+1)
		c.i++
		t.Events = append(t.Events, event)
		if event == "UPDATE" && c.accept("OF") {
			t.Columns = append(t.Columns, c.ident())
			for c.acceptPunct(',') {
				t.Columns = append(t.Columns, c.ident())
			}
		}
		if !c.accept("OR") {
			break
		}
	}
	c.expect("ON")
	t.Table = c.name()
	if when := n.get("whenClause"); when.ok() {
		c.i = c.find(c.i, end, "WHEN") + 1
		c.expectPunct('(')
		t.When, _ = c.exprFrom(when)
	}
	c.i = c.find(c.i, end, "EXECUTE") + 2
	t.Function = c.namePtr()
	c.i = end
	t.Span = c.span(first, end)
	return t
}

// createRule converts CREATE RULE: the actions see the rows NEW and OLD, as those
// of a trigger do.
func (c *conv) createRule(n node) *sqltree.CreateTrigger {
	first, end := c.i, c.end
	for !c.accept("RULE") {
		c.i++
	}
	t := &sqltree.CreateTrigger{Name: c.ident(), Rule: true, Timing: "INSTEAD OF"}
	c.expect("AS", "ON")
	t.Events = []string{c.upper(c.i, c.i+1)}
	c.i++
	c.expect("TO")
	t.Table = c.name()
	if where := n.get("whereClause"); where.ok() {
		c.expect("WHERE")
		t.When, _ = c.expr(where)
	}
	c.i = c.find(c.i, end, "DO") + 1
	if !c.accept("INSTEAD") {
		t.Timing = "AFTER"
		c.accept("ALSO")
	}
	if actions := n.get("actions"); actions.ok() {
		several := c.acceptPunct('(')
		limit := end
		if several {
			limit = c.match(c.i - 1)
		}
		for a := actions.first(); a.ok(); a = a.next() {
			c.end = limit
			for c.acceptPunct(';') {
			}
			for c.end = c.i; !c.endsAt(c.end, limit); c.end++ {
			}
			t.Body = append(t.Body, c.statement(a))
		}
	}
	c.i, c.end = end, end
	t.Span = c.span(first, end)
	return t
}
