package sqlsrc

import (
	"cmp"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// createTable declares a table.
func (in *postgres) createTable(st *sqltree.CreateTable) error {
	w := in.words(sqltree.Span{Start: st.Start, End: st.Name.Start})
	name, err := in.declared(in.parts(st.Name))
	if err != nil {
		return err
	}
	switch {
	case st.As != nil || len(st.AsColumns) > 0 || in.isExecute(st):
		return refused("SRC005", name.String(), "CREATE TABLE %s AS is not supported as a declaration; declare the table with its columns", quoted(name.String()))
	case st.Temporary:
		return unkept("CREATE TEMPORARY TABLE", temporary)
	}
	kind := "TABLE"
	if w.is("CREATE", "FOREIGN") {
		kind = "FOREIGN TABLE"
	}
	if old := in.taken(name); old != nil {
		if st.IfNotExists {
			return in.exists(kind, name.String(), old.origin)
		}
		return in.taking(kind, name, old.kind, old.name, old.origin)
	}
	t := &schema.Table{Name: name, Origin: in.here()}
	b := &tableBuilder{postgres: in, table: t}
	if err := b.heritage(st); err != nil {
		return err
	}
	b.options(st, kind)
	if err := b.elements(st); err != nil {
		return err
	}
	in.db.Tables = append(in.db.Tables, t)
	in.addSequences(t)
	in.addRelation(&relation{kind: kind, name: name, table: t, origin: t.Origin})
	b.constrain()
	b.indexCopies()
	in.granted("TABLE", name, "")
	return nil
}

// isExecute reports whether a table is made of the rows of a prepared statement, which
// the tree does not show.
func (in *postgres) isExecute(st *sqltree.CreateTable) bool {
	if len(st.Columns)+len(st.Constraints)+len(st.Like) > 0 || st.PartitionOf != nil {
		return false
	}
	w := in.words(st.Span)
	return w.find("AS", "EXECUTE") < len(w.toks)
}

// tableBuilder makes a table of CREATE TABLE, or new parts of one.
type tableBuilder struct {
	*postgres
	table *schema.Table
	// news are the constraints that get their names at the end, as the server gives them,
	// and parts what they were made of.
	news  []*schema.Constraint
	given map[string]*schema.Constraint
	parts map[*schema.Constraint]*sqltree.Constraint
	// copies are the indexes that LIKE takes from other tables.
	copies []*schema.Index
	apart  bool // the table is declared elsewhere, and its columns are not known
}

// heritage says what other things a table gets columns from.
func (b *tableBuilder) heritage(st *sqltree.CreateTable) error {
	for _, n := range st.Inherits {
		r := b.relation(b.postgres.parts(n))
		if r == nil || !r.isTable() {
			return undeclared("table", b.postgres.parts(n).String())
		}
		b.table.Inherits = append(b.table.Inherits, r.name)
		b.forebears[r.table] = true
	}
	if st.PartitionOf != nil {
		r := b.relation(b.postgres.parts(*st.PartitionOf))
		if r == nil || !r.isTable() {
			return undeclared("table", b.postgres.parts(*st.PartitionOf).String())
		}
		b.table.Partition = &schema.Partition{Of: r.name, Bound: b.textOf(st.Bound)}
		b.forebears[r.table] = true
	}
	if st.PartitionBy.End > st.PartitionBy.Start {
		b.table.PartitionBy = b.edited(st.PartitionBy, b.partitionNames(st.PartitionBy))
	}
	return nil
}

// options are what stands behind the columns.
func (b *tableBuilder) options(st *sqltree.CreateTable, kind string) {
	foreign := sqltree.Span{Start: -1}
	for _, o := range st.Options {
		switch o.Key {
		case "UNLOGGED":
			b.table.Unlogged = true
		case "USING":
			b.table.Method = b.wordsOf(o.Value).ident()
		case "TABLESPACE":
			b.table.Tablespace = b.wordsOf(o.Value).ident()
		case "SERVER":
			foreign = sqltree.Span{Start: o.Start, End: st.End}
		case "OF", "ON COMMIT":
		default:
			if kind != "FOREIGN TABLE" {
				b.table.Options = append(b.table.Options, b.option(o))
			}
		}
	}
	if b.d == dialect.CockroachDB {
		b.table.TTL, b.table.Options = ttl(b.table.Options)
	}
	if foreign.Start >= 0 {
		b.table.Foreign = b.text[foreign.Start:foreign.End]
	}
}

// option is a storage parameter, its value as the server takes it.
func (in *postgres) option(o sqltree.Option) schema.Option {
	value := strings.TrimSpace(strings.TrimPrefix(in.text[o.Start:o.End], o.Key))
	value = strings.TrimSpace(strings.TrimPrefix(value, "="))
	return schema.Option{Key: o.Key, Value: value}
}

func (in *postgres) storage(options []sqltree.Option, special ...string) []schema.Option {
	var list []schema.Option
	for _, o := range options {
		if !contains(special, o.Key) {
			list = append(list, in.option(o))
		}
	}
	return list
}

// elements reads what stands between the brackets, in its order.
func (b *tableBuilder) elements(st *sqltree.CreateTable) error {
	for _, o := range st.Options {
		if o.Key == "OF" {
			if err := b.typed(b.wordsOf(o.Value).name()); err != nil {
				return err
			}
		}
	}
	columns, constraints, likes := st.Columns, st.Constraints, st.Like
	for {
		at := [3]int{len(b.text), len(b.text), len(b.text)}
		if len(columns) > 0 {
			at[0] = columns[0].Start
		}
		if len(constraints) > 0 {
			at[1] = constraints[0].Start
		}
		if len(likes) > 0 {
			at[2] = likes[0].Start
		}
		var err error
		switch first := min(at[0], at[1], at[2]); {
		case len(columns)+len(constraints)+len(likes) == 0:
			return nil
		case first == at[0] && len(columns) > 0:
			err = b.columnDef(&columns[0])
			columns = columns[1:]
		case first == at[1] && len(constraints) > 0:
			err = b.constraint(&constraints[0], nil)
			constraints = constraints[1:]
		default:
			err = b.like(likes[0], st.Span)
			likes = likes[1:]
		}
		if err != nil {
			return err
		}
	}
}

// typed takes the columns of a composite type.
func (b *tableBuilder) typed(n schema.Name) error {
	u := find(b.postgres, b.types, n)
	if u == nil || u.composite == nil {
		return undeclared("type", n.String())
	}
	of := u.name
	b.table.Of = &of
	for _, f := range u.composite.Fields {
		b.table.Columns = append(b.table.Columns, &schema.Column{Name: f.Name, Type: f.Type, Native: true, Collation: f.Collation, Origin: b.here()})
	}
	return nil
}

// columnDef adds a column.
func (b *tableBuilder) columnDef(d *sqltree.ColumnDef) error {
	name := b.fold(d.Name)
	c := &schema.Column{Name: name, Native: true, Storage: d.Storage, Compression: d.Compression, Origin: b.origin(d.Start)}
	inherited := b.anyColumn(b.table, name)
	switch {
	case b.table.Of != nil && inherited != nil:
		c = inherited
	case inherited != nil && b.column(b.table, name) != nil:
		return b.twoColumns(b.table, name, b.column(b.table, name))
	case inherited != nil:
		c.Inherited = true
		c.Type = inherited.Type
	}
	c.Invisible = b.marked(d.Start, "INVISIBLE")
	if len(d.Type.Name.Parts) > 0 {
		var err error
		if c.Type, err = b.typeOf(d.Type); err != nil {
			return err
		}
		c.NotNull = serials[c.Type.Base()] != "" && c.Type.Array == 0
	}
	if d.Collation != nil {
		c.Collation = b.collation(*d.Collation)
	}
	if b.column(b.table, name) == nil {
		b.table.Columns = append(b.table.Columns, c)
	}
	if strings.Contains(strings.ToLower(b.text[d.Start:d.End]), "options") { // it costs less to see that most do not have the word
		w := b.words(d.Span)
		if w.i = w.find("OPTIONS") + 1; w.punct('(') {
			b.foreignOptions(b.table, name, w.group())
		}
	}
	for i := range d.Constraints {
		if err := b.columnConstraint(c, &d.Constraints[i]); err != nil {
			return err
		}
	}
	if b.marked(d.Start, "VIRTUAL") && c.Generated != nil {
		c.Generated.Stored = false
	}
	return nil
}

// serials are the integer types under the types that bring a sequence.
var serials = map[string]string{
	"smallserial": "smallint", "serial2": "smallint", "serial": "integer", "serial4": "integer", "bigserial": "bigint", "serial8": "bigint",
}

// typeOf is the type of a column and the like. A type that is declared has its exact name.
func (in *postgres) typeOf(t sqltree.TypeName) (schema.Type, error) {
	text := in.text[t.Start:t.End]
	typ, err := schema.ParseType(text)
	if err != nil {
		return typ, refused("SRC002", "", "%s", err)
	}
	n := in.parts(t.Name)
	var found *schema.Name
	if u := find(in, in.types, n); u != nil {
		found = &u.name
	} else if r := in.relation(n); r != nil && len(t.Name.Parts) > 1 || r != nil && typ.Quoted {
		found = &r.name
	}
	switch {
	case found != nil:
		typ.Schema, typ.Name = found.Schema, found.Name
	case len(t.Name.Parts) > 1 && n.Schema != "pg_catalog":
		typ.Schema, typ.Name = n.Schema, n.Name
	default:
		return typ, nil
	}
	typ.Quoted = true
	typ.Text = in.quote(schema.Name{Schema: typ.Schema, Name: typ.Name})
	if len(typ.Args) > 0 {
		typ.Text += "(" + strings.Join(typ.Args, ", ") + ")"
	}
	typ.Text += strings.Repeat("[]", typ.Array)
	return typ, nil
}

// collation is the name of a collation: as it is, or with its schema in quotes.
func (in *postgres) collation(n sqltree.Name) string {
	name := in.parts(n)
	if name.Schema == "" || name.Schema == "pg_catalog" {
		return name.Name
	}
	return in.quote(name)
}

// columnConstraint applies a constraint of a column.
func (b *tableBuilder) columnConstraint(c *schema.Column, k *sqltree.Constraint) error {
	switch k.Kind {
	case sqltree.NotNull:
		c.NotNull = true
	case sqltree.Nullable:
		c.Nullable = true
	case sqltree.Default:
		c.Default = &schema.Default{Text: b.behind(k, "DEFAULT")}
		b.counts(c.Default.Text)
	case sqltree.Generated:
		c.Generated = &schema.Generated{Expr: b.bracketed(k.Span, "AS", k.Expr), Stored: true}
	case sqltree.Identity:
		c.NotNull = true
		id, err := b.identity(k)
		if err != nil {
			return err
		}
		c.Identity = id
	default:
		return b.constraint(k, c)
	}
	return nil
}

// behind is the expression behind a keyword, to the end of a constraint.
func (in *postgres) behind(k *sqltree.Constraint, word string) string {
	start := k.Start + len(word)
	if k.Name != nil {
		w := in.words(k.Span)
		start = w.base + w.toks[w.find(word)].End
	}
	return in.textOf(sqltree.Span{Start: start, End: k.End}, k.Expr)
}

// bracketed is the expression in the brackets behind a keyword.
func (in *postgres) bracketed(s sqltree.Span, word string, e sqltree.Expr) string {
	w := in.words(s)
	if inside, ok := w.inner(w.find(word) + 1); ok {
		return in.bareExpr(in.textOf(inside, e))
	}
	return ""
}

func (in *postgres) identity(k *sqltree.Constraint) (*schema.Identity, error) {
	id := &schema.Identity{Always: k.Always}
	for _, o := range k.Options {
		if o.Key == "SEQUENCE NAME" {
			id.Sequence = in.quote(in.wordsOf(o.Value).name())
			continue
		}
		if ok, err := in.sequenceOption(&id.SequenceOptions, o.Key, o.Value); err != nil || !ok {
			if err == nil {
				err = unkept("the identity option "+o.Key, "")
			}
			return nil, err
		}
	}
	return id, nil
}

// constraint adds a constraint of the table, or of a column of it. It gets its name later.
func (b *tableBuilder) constraint(k *sqltree.Constraint, col *schema.Column) error {
	c := &schema.Constraint{
		Kind: schema.ConstraintKind(k.Kind), Columns: b.folded(k.Columns), Include: b.folded(k.Include),
		Deferrable: k.Deferrable, InitiallyDeferred: k.Deferred, NotValid: k.NotValid, NoInherit: k.NoInherit,
		Inline: col != nil, Origin: b.origin(k.Start),
	}
	if col != nil {
		c.Columns = []string{col.Name}
	}
	if k.Name != nil {
		c.Name = b.fold(*k.Name)
	}
	switch k.Kind {
	case sqltree.PrimaryKey, sqltree.Unique:
		b.key(c, k)
	case sqltree.Check:
		c.Expr = b.bracketed(k.Span, "CHECK", k.Expr)
		c.Columns = nil
	case sqltree.ForeignKey:
		c.Reference = &schema.Reference{
			Table: b.reference(b.postgres.parts(*k.RefTable)), Columns: b.folded(k.RefColumns),
			OnDelete: k.OnDelete, OnUpdate: k.OnUpdate, SetColumns: b.folded(k.SetColumns), Match: k.Match,
		}
		if b.namesItself(k.RefTable) {
			c.Reference.Table = b.table.Name
		}
	case sqltree.Exclude:
		c.Method = k.Method
		c.Options = b.storage(k.Options, "USING INDEX TABLESPACE")
		c.Tablespace = b.tablespace(k.Options)
		for i := range k.Keys {
			key := b.indexKey(&k.Keys[i])
			key.With = k.Keys[i].With
			c.Keys = append(c.Keys, key)
		}
		if k.Where != nil {
			c.Where = b.bareExpr(b.bracketed(k.Span, "WHERE", k.Where))
		}
	default:
		return unkept("a constraint "+string(k.Kind), "")
	}
	b.news = append(b.news, c)
	if b.parts == nil {
		b.parts = map[*schema.Constraint]*sqltree.Constraint{}
	}
	b.parts[c] = k
	return nil
}

// namesItself reports whether a reference is to the table at hand, which may not be
// declared yet.
func (b *tableBuilder) namesItself(n *sqltree.Name) bool {
	name := b.postgres.parts(*n)
	if name.Schema == "" {
		if r := b.relation(name); r != nil {
			return r.table == b.table
		}
		return b.same(name.Name, b.table.Name.Name)
	}
	return b.postgres.key(name) == b.postgres.key(b.table.Name)
}

// key fills in what only primary keys and unique constraints have.
func (b *tableBuilder) key(c *schema.Constraint, k *sqltree.Constraint) {
	for _, o := range k.Options {
		if o.Key == "NULLS" {
			c.NullsNotDistinct = o.Value == "NOT DISTINCT"
		}
	}
	c.Options = b.storage(k.Options, "NULLS", "USING INDEX", "USING INDEX TABLESPACE")
	if b.marked(k.Start, "HASH") {
		c.Method = "hash"
	}
	c.Tablespace = b.tablespace(k.Options)
}

// keyNotNull makes the columns of a primary key what the server makes them.
func (in *postgres) keyNotNull(t *schema.Table, columns []string) {
	for _, name := range columns {
		if col := in.anyColumn(t, name); col != nil && !col.NotNull {
			in.ownColumn(t, name).NotNull = true
		}
	}
	for _, child := range in.children(t) {
		in.keyNotNull(child, columns)
	}
}

func (in *postgres) tablespace(options []sqltree.Option) string {
	for _, o := range options {
		if o.Key == "USING INDEX TABLESPACE" {
			return in.wordsOf(o.Value).ident()
		}
	}
	return ""
}

// constrain names the new constraints and adds them to the table. The server makes checks
// first, then what has an index, the primary key before the others, then foreign keys.
func (b *tableBuilder) constrain() {
	indexed := func(c *schema.Constraint) bool { return c.Kind != schema.Check && c.Kind != schema.ForeignKey }
	b.mergeKeys()
	for _, c := range b.news {
		if c.Kind == schema.PrimaryKey {
			b.keyNotNull(b.table, c.Columns)
		}
		if c.Kind == schema.Check {
			b.named(c, func() string { return b.constraintName(b.table.Name, b.checkColumn(c), "check") })
		}
	}
	for _, primary := range []bool{true, false} {
		for _, c := range b.news {
			if indexed(c) && (c.Kind == schema.PrimaryKey) == primary {
				b.named(c, func() string { return b.keyName(c) })
			}
		}
	}
	for _, c := range b.news {
		if c.Kind == schema.ForeignKey {
			b.named(c, func() string { return b.constraintName(b.table.Name, dialect.JoinedColumns(c.Columns), "fkey") })
		}
	}
	b.table.Constraints = append(b.table.Constraints, b.news...)
	b.news = nil
}

// mergeKeys leaves out a key that says what another one says: the server makes one index
// of them. A name that only one of them has is that of both.
func (b *tableBuilder) mergeKeys() {
	var kept []*schema.Constraint
	isKey := func(c *schema.Constraint) bool { return c.Kind == schema.PrimaryKey || c.Kind == schema.Unique }
	for _, c := range b.news {
		if !isKey(c) {
			kept = append(kept, c)
			continue
		}
		same := func(k *schema.Constraint) bool {
			return isKey(k) && slices.Equal(c.Columns, k.Columns) && slices.Equal(c.Include, k.Include) &&
				c.NullsNotDistinct == k.NullsNotDistinct && c.Deferrable == k.Deferrable && c.InitiallyDeferred == k.InitiallyDeferred
		}
		i := slices.IndexFunc(kept, same)
		if i < 0 || c.Kind == schema.PrimaryKey && kept[i].Kind == schema.PrimaryKey || len(c.Columns) == 0 {
			kept = append(kept, c)
			continue
		}
		kept[i].Name = cmp.Or(kept[i].Name, c.Name)
		if c.Kind == schema.PrimaryKey {
			c.Name = kept[i].Name
			kept[i] = c
		}
	}
	b.news = kept
}

// named gives a constraint its name, if it has none, and makes it known.
func (b *tableBuilder) named(c *schema.Constraint, generate func() string) {
	if c.Name == "" {
		c.Name, c.Implicit = generate(), true
	} else if old := cmp.Or(b.constraintOf(b.table, c.Name), b.given[dialect.Cut(c.Name)]); old != nil {
		b.report(b.taking("constraint", schema.Name{Schema: b.table.Schema, Name: c.Name}, "constraint", schema.Name{Schema: b.table.Schema, Name: old.Name}, old.Origin))
		return
	}
	if b.given == nil {
		b.given = map[string]*schema.Constraint{}
	}
	b.given[dialect.Cut(c.Name)] = c
	b.addConstraint(b.table, c)
}

// addConstraint makes the name of a constraint known, and that of its index.
func (in *postgres) addConstraint(t *schema.Table, c *schema.Constraint) {
	name := schema.Name{Schema: t.Schema, Name: c.Name}
	in.constraints[in.key(name)]++
	if c.Kind == schema.Check || c.Kind == schema.ForeignKey {
		return
	}
	if old := in.taken(name); old != nil && old.constraint != c {
		return // the validation says so, which knows the other parts of the schema too
	}
	in.addRelation(&relation{kind: "INDEX", name: name, table: t, constraint: c, origin: c.Origin})
}

// removeConstraint makes the name of a constraint free.
func (in *postgres) removeConstraint(t *schema.Table, c *schema.Constraint) {
	name := in.key(schema.Name{Schema: t.Schema, Name: c.Name})
	if in.constraints[name]--; in.constraints[name] <= 0 {
		delete(in.constraints, name)
		clear(in.numbers)
	}
	if r := in.relations[name]; r != nil && r.constraint == c {
		in.removeRelation(name)
	}
	t.Constraints = without(t.Constraints, c)
}

func (in *postgres) constraintOf(t *schema.Table, name string) *schema.Constraint {
	for _, c := range t.Constraints {
		if in.same(c.Name, name) {
			return c
		}
	}
	return nil
}

// keyName is the name of a constraint with an index.
func (b *tableBuilder) keyName(c *schema.Constraint) string {
	switch c.Kind {
	case schema.PrimaryKey:
		return b.relationName(b.table.Name, "", "pkey", true)
	case schema.Unique:
		return b.relationName(b.table.Name, dialect.JoinedColumns(append(slices.Clone(c.Columns), c.Include...)), "key", true)
	}
	k := b.parts[c]
	if k == nil { // of LIKE
		return b.relationName(b.table.Name, dialect.JoinedColumns(append(b.copiedNames(c.Keys), c.Include...)), "excl", true)
	}
	return b.relationName(b.table.Name, dialect.JoinedColumns(b.keyNames(k.Keys, k.Include)), "excl", true)
}

// checkColumn is the column that a check is about, empty for none and for several.
func (b *tableBuilder) checkColumn(c *schema.Constraint) string {
	k := b.parts[c]
	if k == nil {
		return ""
	}
	var columns []string
	sqltree.Walk(k.Expr, func(n sqltree.Node) bool {
		col, ok := n.(*sqltree.Column)
		if !ok {
			return true
		}
		name := b.fold(col.Parts[len(col.Parts)-1])
		if known := b.anyColumn(b.table, name); known != nil {
			name = known.Name
		} else if !b.apart {
			name = "" // the whole row
		}
		if !contains(columns, name) {
			columns = append(columns, name)
		}
		return true
	})
	if len(columns) != 1 {
		return ""
	}
	return columns[0]
}

// like takes what LIKE takes from another table in a statement.
func (b *tableBuilder) like(n sqltree.Name, statement sqltree.Span) error {
	r := b.relation(b.postgres.parts(n))
	if r == nil {
		return undeclared("table", b.postgres.parts(n).String())
	}
	if r.composite != nil {
		for _, f := range r.composite.Fields {
			if b.column(b.table, f.Name) != nil {
				return refused("SRC007", b.table.Name.String()+"."+f.Name, "column %s of table %s is declared twice", quoted(f.Name), quoted(b.table.Name.String()))
			}
			b.table.Columns = append(b.table.Columns, &schema.Column{Name: f.Name, Type: f.Type, Native: true, Collation: f.Collation, Origin: b.here()})
		}
		return nil
	}
	if !r.isTable() {
		return refused("SRC005", b.table.Name.String(), "LIKE %s, which is no table, is not supported as a declaration; declare the columns", quoted(r.name.String()))
	}
	all := []string{"COMMENTS", "COMPRESSION", "CONSTRAINTS", "DEFAULTS", "GENERATED", "IDENTITY", "INDEXES", "STATISTICS", "STORAGE"}
	takes := map[string]bool{}
	w := b.words(statement)
	for !w.done() && w.base+w.toks[w.i].Start < n.End {
		w.i++
	}
	for {
		including := w.acceptAny("INCLUDING", "EXCLUDING")
		if including == "" {
			break
		}
		if w.accept("ALL") {
			for _, what := range all {
				takes[what] = including == "INCLUDING"
			}
		} else {
			takes[w.acceptAny(all...)] = including == "INCLUDING"
		}
	}
	for _, c := range b.allColumns(r.table) {
		if err := b.likeColumn(r.table, c, takes); err != nil {
			return err
		}
	}
	for _, c := range r.table.Constraints {
		copied := *c
		copied.Columns, copied.Include, copied.Inline = slices.Clone(c.Columns), slices.Clone(c.Include), false
		copied.Keys, copied.Origin = slices.Clone(c.Keys), b.here()
		if !takes["COMMENTS"] {
			copied.Comment = ""
		}
		switch {
		case c.Kind == schema.Check && takes["CONSTRAINTS"]:
			copied.Implicit = false
		case c.Kind == schema.PrimaryKey || c.Kind == schema.Unique || c.Kind == schema.Exclude:
			if c.Kind == schema.PrimaryKey {
				b.keyNotNull(b.table, c.Columns)
			}
			if !takes["INDEXES"] {
				continue
			}
			copied.Name, copied.Comment = "", ""
		default:
			continue
		}
		b.news = append(b.news, &copied)
	}
	if takes["INDEXES"] {
		for _, x := range r.table.Indexes {
			copied := *x
			copied.Keys, copied.Include = slices.Clone(x.Keys), slices.Clone(x.Include)
			copied.Name, copied.Table, copied.Origin = "", b.table.Name, b.here()
			copied.AttachTo, copied.Only, copied.Invalid = nil, false, false
			if !takes["COMMENTS"] {
				copied.Comment = ""
			}
			b.copies = append(b.copies, &copied)
		}
	}
	if takes["STATISTICS"] {
		for _, v := range slices.Clone(b.db.Verbatim) {
			if v.Kind == "STATISTICS" && b.mentions(r.name.Name, v.Text) {
				if err := b.likeStatistics(r.table, v, takes["COMMENTS"]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// likeStatistics takes statistics from a table.
func (b *tableBuilder) likeStatistics(from *schema.Table, v *schema.Verbatim, comments bool) error {
	w := b.wordsOf(v.Text)
	w.accept("CREATE", "STATISTICS")
	w.accept("IF", "NOT", "EXISTS")
	w.name()
	kinds := ""
	if w.punct('(') {
		kinds = "(" + w.group() + ") "
	}
	w.accept("ON")
	var given, exprs []string
	for to := w.find("FROM"); w.i < to; {
		start := w.i
		for w.i < to && !w.punct(',') {
			w.i = w.end(w.i)
		}
		if element := b.wordsOf(w.span(start, w.i)); len(element.toks) == 1 {
			given = append(given, element.ident())
		} else {
			exprs = append(exprs, element.text)
		}
		w.acceptPunct(',')
	}
	w.accept("FROM")
	if b.postgres.key(b.reference(w.name())) != b.postgres.key(from.Name) {
		return nil // of another table, whose columns have such names
	}
	var columns, written []string
	for _, c := range b.allColumns(from) {
		if slices.ContainsFunc(given, func(g string) bool { return b.same(g, c.Name) }) {
			columns, written = append(columns, c.Name), append(written, b.d.Quote(c.Name))
		}
	}
	for _, e := range exprs {
		columns, written = append(columns, "expr"), append(written, e)
	}
	name := b.freeName(b.table.Name, dialect.JoinedColumns(columns), "stat", func(k key) bool {
		return !slices.ContainsFunc(b.db.Verbatim, func(v *schema.Verbatim) bool { return v.Kind == "STATISTICS" && b.postgres.key(v.Name) == k })
	})
	n := schema.Name{Schema: b.table.Schema, Name: name}
	copied := &schema.Verbatim{
		Kind: "STATISTICS", Name: n, CommentOn: b.quote(n), Origin: b.here(),
		Text: "CREATE STATISTICS " + b.quote(n) + " " + kinds + "ON " + strings.Join(written, ", ") + " FROM " + b.quote(b.table.Name),
	}
	if comments {
		copied.Comment = v.Comment
	}
	return b.addVerbatim(copied, false)
}

// likeColumn takes a column from a table.
func (b *tableBuilder) likeColumn(from *schema.Table, c *schema.Column, takes map[string]bool) error {
	inherited := b.anyColumn(b.table, c.Name) != nil // and becomes one with it
	if b.column(b.table, c.Name) != nil {
		return refused("SRC007", b.table.Name.String()+"."+c.Name, "column %s of table %s is declared twice", quoted(c.Name), quoted(b.table.Name.String()))
	}
	copied := &schema.Column{Name: c.Name, Type: c.Type, Native: true, NotNull: c.NotNull, Collation: c.Collation, Inherited: inherited, Origin: b.here()}
	if r := b.implied(from, c); r != nil && c.Identity == nil && takes["DEFAULTS"] {
		b.explicit(r) // two columns count with it
		copied.Type = c.Type
	} else if base := serials[c.Type.Base()]; base != "" && c.Type.Array == 0 {
		copied.Type, _ = schema.ParseType(base)
	}
	if c.Default != nil {
		d := *c.Default
		copied.Default = &d
	}
	if !takes["DEFAULTS"] {
		copied.Default = nil
	}
	if takes["GENERATED"] && c.Generated != nil {
		g := *c.Generated
		copied.Generated = &g
	}
	if takes["IDENTITY"] && c.Identity != nil {
		id := *c.Identity
		id.Sequence = ""
		copied.Identity = &id
	}
	if takes["STORAGE"] {
		copied.Storage = c.Storage
	}
	if takes["COMPRESSION"] {
		copied.Compression = c.Compression
	}
	if takes["COMMENTS"] {
		copied.Comment = c.Comment
	}
	b.table.Columns = append(b.table.Columns, copied)
	return nil
}

// allColumns are the columns of a table with those that it inherits.
func (in *postgres) allColumns(t *schema.Table) []*schema.Column {
	if len(t.Inherits) == 0 && t.Partition == nil || t.Joins {
		return t.Columns
	}
	var list []*schema.Column
	has := map[string]bool{}
	for _, p := range in.parents(t) {
		for _, c := range in.allColumns(p) {
			if own := in.column(t, c.Name); own != nil && !has[c.Name] {
				merged := *c
				merged.NotNull = c.NotNull || own.NotNull
				if own.Default != nil {
					merged.Default = own.Default
				}
				c = &merged
			}
			if !has[c.Name] {
				has[c.Name] = true
				list = append(list, c)
			}
		}
	}
	for _, c := range t.Columns {
		if !has[c.Name] {
			list = append(list, c)
		}
	}
	return list
}

// copiedNames are the names of the parts of a key that is taken from another table.
func (b *tableBuilder) copiedNames(keys []schema.IndexKey) []string {
	var names []string
	for _, k := range keys {
		name := k.Column
		if name == "" {
			name = b.exprName(k.Expr)
		}
		names = append(names, name)
	}
	return names
}

// indexCopies adds the indexes that LIKE takes from other tables.
func (b *tableBuilder) indexCopies() {
	for _, x := range b.copies {
		x.Name = b.relationName(x.Table, dialect.JoinedColumns(append(b.copiedNames(x.Keys), x.Include...)), "idx", false)
		x.Implicit = true
		b.table.Indexes = append(b.table.Indexes, x)
		b.addRelation(&relation{kind: "INDEX", name: schema.Name{Schema: x.Table.Schema, Name: x.Name}, table: b.table, index: x, origin: x.Origin})
	}
	b.copies = nil
}
