package sqlsrc

import (
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

func newOther(d dialect.Dialect, rep *finding.Report) interpreter {
	switch d {
	case dialect.SQLServer:
		return newSQLServer(rep)
	case dialect.ClickHouse:
		return newClickHouse(rep)
	case dialect.Spanner:
		return newSpanner(rep)
	case dialect.Oracle:
		return newOracle(rep)
	}
	return newYDB(rep)
}

// standardReserved are the words that are names in none of these dialects.
const standardReserved = `all alter and as between by case check column constraint create default delete distinct drop else exists
	for foreign from grant group having in index insert into is join like not null on or order primary references select
	set table then to union unique update values when where with`

// standard is what dialects with the constraints and indexes of standard SQL share.
type standard struct {
	reader
	// keyTail reads what a dialect lets follow the words and the columns of a key, and
	// constraintTail what may follow any constraint.
	keyWords       func(k *schema.Constraint)
	constraintTail func(k *schema.Constraint)
}

func (in *standard) isConstraint() bool {
	return in.isAny("CONSTRAINT", "CHECK") || in.is("PRIMARY", "KEY") || in.is("FOREIGN", "KEY") || in.is("UNIQUE")
}

// tableConstraint reads a constraint of a table.
func (in *standard) tableConstraint(t *schema.Table) *schema.Constraint {
	k := &schema.Constraint{Origin: in.here()}
	if in.accept("CONSTRAINT") {
		k.Name = in.name("a constraint")
	}
	in.constraintBody(k)
	t.Constraints = append(t.Constraints, k)
	return k
}

func (in *standard) constraintBody(k *schema.Constraint) {
	switch in.expectAny("PRIMARY", "UNIQUE", "FOREIGN", "CHECK") {
	case "PRIMARY":
		in.expect("KEY")
		in.key(k, schema.PrimaryKey)
	case "UNIQUE":
		in.key(k, schema.Unique)
	case "FOREIGN":
		in.expect("KEY")
		k.Kind = schema.ForeignKey
		k.Columns = in.names("a column")
		in.expect("REFERENCES")
		k.Reference = in.references()
	case "CHECK":
		k.Kind = schema.Check
		k.Expr = in.enclosed()
	}
	in.constraintTail(k)
}

func (in *standard) key(k *schema.Constraint, kind schema.ConstraintKind) {
	k.Kind = kind
	in.keyWords(k)
	setKeys(k, in.indexKeys())
}

// inline reads a constraint behind a column, with the name that CONSTRAINT gave it.
func (in *standard) inline(t *schema.Table, c *schema.Column, name string) bool {
	k := &schema.Constraint{Name: name, Inline: true, Columns: []string{c.Name}, Origin: in.here()}
	switch {
	case in.accept("PRIMARY", "KEY"):
		k.Kind = schema.PrimaryKey
		in.keyWords(k)
	case in.accept("UNIQUE"):
		k.Kind = schema.Unique
		in.keyWords(k)
	case in.accept("FOREIGN", "KEY", "REFERENCES"), in.accept("REFERENCES"):
		k.Kind = schema.ForeignKey
		k.Reference = in.references()
	case in.accept("CHECK"):
		k.Kind, k.Expr = schema.Check, in.enclosed()
	default:
		return false
	}
	in.constraintTail(k)
	t.Constraints = append(t.Constraints, k)
	return true
}

// indexKeys reads the parts of a key: columns, or expressions, with an order.
func (in *standard) indexKeys() []schema.IndexKey {
	var keys []schema.IndexKey
	in.list(func() {
		k := schema.IndexKey{}
		from := in.i
		in.skipTo(",", "ASC", "DESC", "NULLS")
		switch t := in.toks[from]; {
		case in.i == from:
			in.unexpected("a column")
		case in.i == from+1 && (t.kind == nameToken || t.kind == wordToken):
			in.i = from
			k.Column = in.name("a column")
		default:
			k.Expr = in.bare(in.since(from))
		}
		k.Desc = in.order()
		if in.accept("NULLS") {
			k.Nulls = in.expectAny("FIRST", "LAST")
		}
		keys = append(keys, k)
	})
	return keys
}

// newTable begins a table that CREATE TABLE names; it is nil if IF NOT EXISTS makes
// nothing of the statement.
func (in *reader) newTable() *schema.Table {
	exists := in.ifNotExists()
	t := &schema.Table{Origin: in.origin(in.toks[0].start)}
	t.Name = in.qualified("a table")
	if !in.declare("TABLE", t.Name, exists) {
		return nil
	}
	if in.is("AS") && in.d != dialect.ClickHouse {
		in.refuse("CREATE TABLE … AS SELECT", "declare the columns")
	}
	return t
}

// newView begins a view, which takes the place of an older one.
func (in *reader) newView(replace bool) *schema.View {
	exists := in.ifNotExists()
	v := &schema.View{Origin: in.origin(in.toks[0].start)}
	v.Name = in.qualified("a view")
	if old := in.view(v.Name); old != nil && replace {
		in.dropView(old)
	}
	if !in.declare("VIEW", v.Name, exists) {
		return nil
	}
	return v
}

// viewBody reads AS and the query, which makes up the rest of the statement.
func (in *reader) viewBody(v *schema.View) {
	in.expect("AS")
	at := in.tok().start
	if v.Body = in.rest(); v.Body == "" {
		in.unexpected("a query")
	}
	in.query(v.Body, at)
	in.addView(v)
}

// dropRelation executes DROP TABLE and DROP VIEW.
func (in *reader) dropRelation() {
	kind := in.acceptAny("TABLE", "VIEW")
	if kind == "" {
		in.refuse(in.leading(), "")
	}
	exists := in.ifExists()
	n := in.qualified("the object")
	if t := in.table(n); t != nil && kind == "TABLE" {
		in.dropTable(t)
	} else if v := in.view(n); v != nil && kind == "VIEW" {
		in.dropView(v)
	} else {
		in.dropped(kind, n.String(), exists)
	}
}

// expectColumn reads the name of a column that a table has.
func (in *reader) expectColumn(t *schema.Table) *schema.Column {
	name := in.name("a column")
	c := in.column(t, name)
	if c == nil {
		in.undeclared("column", t.Name.String()+"."+name)
	}
	return c
}

// value reads a value: one token, a call, or what stands in parentheses.
func (in *reader) value() string {
	from := in.i
	switch {
	case in.is("("):
		in.group()
	case in.accept("-"), in.accept("+"):
		in.next("a number")
	default:
		if k := in.next("a value").kind; k == symbolToken {
			in.i--
			in.unexpected("a value")
		}
		for in.is(".") {
			in.i++
			in.next("a name")
		}
		if in.is("(") {
			in.group()
		}
	}
	return in.since(from)
}

// addSchema declares a schema.
func (in *reader) addSchema(name string, ifNotExists bool) {
	for _, other := range in.db.Schemas {
		if other.Name == name {
			if !ifNotExists {
				in.twice("schema", name, other.Origin)
			}
			return
		}
	}
	in.db.Schemas = append(in.db.Schemas, &schema.Namespace{Name: name, Origin: in.origin(in.toks[0].start)})
}
