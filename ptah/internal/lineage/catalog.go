package lineage

import (
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/generic"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// catalog is what names in views and routines can mean.
type catalog struct {
	*sqltree.Schema
	d   dialect.Dialect
	sql sqltree.Dialect

	tables map[string]*tableState // by the key of the declared name, while tables are added
	// exact has the relations of MySQL, whose names may differ in their case alone.
	exact map[string]*sqltree.Relation
	// functions are those that are declared in the database's own SQL, by their keys.
	// They become known to the catalog when one stands in FROM.
	functions map[string][]*schema.Routine
}

type tableState struct {
	decl *schema.Table
	done bool
}

// newCatalog declares the types, sequences and tables of a schema; views are added by
// those who resolve them.
func newCatalog(db *schema.Database, d dialect.Dialect, sql sqltree.Dialect) *catalog {
	c := &catalog{d: d, sql: sql, tables: map[string]*tableState{}, exact: map[string]*sqltree.Relation{}, functions: map[string][]*schema.Routine{}}
	if s := d.DefaultSchema(); s != "" {
		c.Schema = sqltree.NewSchema(sql, s)
	} else {
		c.Schema = sqltree.NewSchema(sql)
	}
	types := &sqltree.Script{}
	for _, x := range db.Composites {
		t := &sqltree.CreateType{Name: name(x.Name), Kind: "COMPOSITE"}
		for _, f := range x.Fields {
			t.Attributes = append(t.Attributes, sqltree.ColumnDef{Name: ident(f.Name), Type: typeName(f.Type)})
		}
		types.Statements = append(types.Statements, t)
	}
	c.Add(types)
	for _, x := range db.Sequences {
		c.addSequence(x.Name)
	}
	for _, t := range db.Tables {
		c.tables[c.key(t.Name)] = &tableState{decl: t}
	}
	for _, t := range db.Tables {
		c.addTable(t)
	}
	for _, r := range db.Routines {
		key := c.key(r.Name)
		c.functions[key] = append(c.functions[key], r)
	}
	return c
}

// key is the form in which the catalog compares declared names.
func (c *catalog) key(n schema.Name) string {
	n = n.In(c.d.DefaultSchema())
	if c.d.MySQLFamily() {
		return n.Schema + "\x00" + n.Name
	}
	return c.sql.Fold(ident(n.Schema)) + "\x00" + c.sql.Fold(ident(n.Name))
}

// ident is a name that means exactly what it says.
func ident(name string) sqltree.Ident { return sqltree.Ident{Name: name, Quoted: true} }

func name(n schema.Name) sqltree.Name {
	if n.Schema == "" {
		return sqltree.Name{Parts: []sqltree.Ident{ident(n.Name)}}
	}
	return sqltree.Name{Parts: []sqltree.Ident{ident(n.Schema), ident(n.Name)}}
}

// typeName is a type as the resolver looks it up, for its fields alone.
func typeName(t schema.Type) sqltree.TypeName {
	if t.Name == "" {
		return sqltree.TypeName{}
	}
	n := sqltree.TypeName{Args: t.Args, Array: t.Array}
	if t.Schema != "" {
		n.Name.Parts = append(n.Name.Parts, sqltree.Ident{Name: t.Schema})
	}
	n.Name.Parts = append(n.Name.Parts, sqltree.Ident{Name: t.Name, Quoted: t.Quoted})
	return n
}

// addTable declares a table, and before it those that it inherits columns from.
func (c *catalog) addTable(t *schema.Table) {
	state := c.tables[c.key(t.Name)]
	if state.decl != t || state.done {
		return // declared twice, or a circle of parents
	}
	state.done = true
	parents := t.Inherits
	if t.Partition != nil {
		parents = append(parents[:len(parents):len(parents)], t.Partition.Of)
	}
	create := &sqltree.CreateTable{Name: name(t.Name)}
	for _, p := range parents {
		if parent := c.tables[c.key(p)]; parent != nil {
			c.addTable(parent.decl)
		}
		create.Inherits = append(create.Inherits, name(p))
	}
	for _, col := range t.Columns {
		def := sqltree.ColumnDef{Name: ident(col.Name)}
		if c.serial(col) {
			c.addSequence(schema.Name{Schema: t.Schema, Name: dialect.GeneratedName(t.Name.Name, col.Name, "seq")})
		} else {
			def.Type = typeName(col.Type)
		}
		create.Columns = append(create.Columns, def)
	}
	if module, _, _ := strings.Cut(t.Virtual, "("); module != "" {
		create.Options = []sqltree.Option{{Key: "USING", Value: strings.TrimSpace(module)}}
		if len(t.Columns) == 0 {
			create.Columns = virtualColumns(t.Virtual)
		}
	}
	c.Add(&sqltree.Script{Statements: []sqltree.Statement{create}})
	r := c.Schema.Relation(c.sql, create.Name)
	if r == nil {
		return
	}
	r.Open = r.Open || len(r.Columns) == 0 // nobody says which columns it has
	r.RowID = c.rowID(t)
	c.remember(t.Name, r)
}

func (c *catalog) remember(n schema.Name, r *sqltree.Relation) {
	if c.d.MySQLFamily() {
		c.exact[c.key(n)] = r
	}
}

// rowID is the column that SQLite's rowid stands for, if there is one.
func (c *catalog) rowID(t *schema.Table) string {
	if c.d != dialect.SQLite || t.WithoutRowID {
		return ""
	}
	for _, k := range t.Constraints {
		if k.Kind != schema.PrimaryKey || len(k.Columns) != 1 {
			continue
		}
		for _, col := range t.Columns {
			if c.d.Key(col.Name) == c.d.Key(k.Columns[0]) && integer(col) {
				return col.Name
			}
		}
	}
	return ""
}

// integer reports whether a column is of SQLite's type INTEGER, to which the portable
// types of whole numbers become.
func integer(col *schema.Column) bool {
	switch base := col.Type.Base(); base {
	case "integer":
		return true
	case "int", "bigint", "smallint", "serial", "bigserial", "smallserial":
		return !col.Native
	}
	return false
}

// virtualColumns are the columns of a virtual table of SQLite that its module names.
func virtualColumns(module string) []sqltree.ColumnDef {
	script, err := generic.Parse(sqltree.SQLite, "CREATE VIRTUAL TABLE t USING "+module)
	if err != nil || len(script.Statements) != 1 {
		return nil
	}
	if t, ok := script.Statements[0].(*sqltree.CreateTable); ok {
		return t.Columns
	}
	return nil
}

// serial reports whether the database makes a sequence for the column.
func (c *catalog) serial(col *schema.Column) bool {
	if !c.d.PostgresFamily() {
		return false
	}
	switch col.Type.Base() {
	case "serial", "bigserial", "smallserial", "serial2", "serial4", "serial8":
		return true
	}
	return col.Identity != nil || col.AutoIncrement
}

// addSequence declares a sequence, which PostgreSQL can read as a table of one row. Its
// columns are nobody's data.
func (c *catalog) addSequence(n schema.Name) {
	if !c.d.PostgresFamily() {
		return
	}
	known := &sqltree.Resolution{}
	for _, col := range []string{"last_value", "log_cnt", "is_called"} {
		known.Output = append(known.Output, sqltree.OutputColumn{Name: col})
	}
	c.addView(n, known)
}

// addView declares a relation whose lineage is, or will be, known.
func (c *catalog) addView(n schema.Name, known *sqltree.Resolution) *sqltree.Relation {
	n = n.In(c.d.DefaultSchema())
	r := &sqltree.Relation{Schema: n.Schema, Name: n.Name, View: &sqltree.View{Resolved: known}}
	c.AddRelation(r)
	c.remember(n, r)
	return r
}

// Relation implements [sqltree.Catalog]. A name of MySQL that nothing has as it is spelled
// means one that differs in its case, as on a server that folds names.
func (c *catalog) Relation(d sqltree.Dialect, n sqltree.Name) *sqltree.Relation {
	if c.d.MySQLFamily() {
		of := schema.Name{Name: n.Last().Name}
		if len(n.Parts) > 1 {
			of.Schema = n.Parts[len(n.Parts)-2].Name
		}
		if r := c.exact[c.key(of)]; r != nil {
			return r
		}
	}
	return c.Schema.Relation(d, n)
}

// Function implements [sqltree.FunctionCatalog].
func (c *catalog) Function(d sqltree.Dialect, n sqltree.Name) *sqltree.Relation {
	if r := c.Schema.Function(d, n); r != nil {
		return r
	}
	of := schema.Name{Name: d.Fold(n.Last())}
	if len(n.Parts) > 1 {
		of.Schema = d.Fold(n.Parts[len(n.Parts)-2])
	}
	key := c.key(of)
	declared := c.functions[key]
	if len(declared) == 0 {
		return nil
	}
	delete(c.functions, key) // what cannot be declared now cannot be later
	for _, r := range declared {
		if script, err := c.parse(create(c.d, r)); err == nil {
			c.Add(script)
		}
	}
	return c.Schema.Function(d, n)
}

// create is the statement that makes a function, with a body that does nothing where the
// source has none in the database's own SQL.
func create(d dialect.Dialect, r *schema.Routine) string {
	if r.Declared != "" {
		return r.Declared
	}
	var b strings.Builder
	b.WriteString("CREATE FUNCTION ")
	if r.Schema != "" {
		b.WriteString(d.Quote(r.Schema) + ".")
	}
	b.WriteString(d.Quote(r.Name.Name) + "(")
	for i, p := range r.Params {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strings.TrimSpace(p.Mode + " "))
		if p.Name != "" {
			b.WriteString(" " + d.Quote(p.Name))
		}
		b.WriteString(" " + p.Type)
	}
	b.WriteString(")")
	if r.Returns != "" {
		b.WriteString(" RETURNS " + r.Returns)
	}
	b.WriteString(" LANGUAGE sql AS ''")
	return b.String()
}

// inside is the catalog as a view or routine of a schema sees it: several databases look
// for a bare name in the schema of the object first.
type inside struct {
	*catalog
	schema string
}

// Relation implements [sqltree.Catalog].
func (c inside) Relation(d sqltree.Dialect, n sqltree.Name) *sqltree.Relation {
	if len(n.Parts) == 1 && c.schema != "" && !c.d.PostgresFamily() {
		qualified := sqltree.Name{Span: n.Span, Parts: []sqltree.Ident{ident(c.schema), n.Parts[0]}}
		if r := c.catalog.Relation(d, qualified); r != nil {
			return r
		}
	}
	return c.catalog.Relation(d, n)
}
