package sqlsrc

import (
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
	"github.com/quartet-mcp/quartet/ptah/internal/trees"
)

// alter executes ALTER of a relation, a type, or a part of a table.
func (in *postgres) alter(st *sqltree.AlterTable) error {
	if len(st.Actions) == 1 && st.Actions[0].Kind == "OWNER TO" {
		in.skip("ALTER " + st.Kind + " … OWNER TO")
		return nil
	}
	n := in.parts(st.Table)
	switch st.Kind {
	case "TYPE":
		u := find(in, in.types, n)
		switch {
		case u == nil:
			return undeclared("type", n.String())
		case u.enum != nil:
			return in.alterEnum(st, u.enum)
		case u.composite != nil:
			return in.alterComposite(st, u.composite)
		}
		return unkept("ALTER TYPE of a "+strings.ToLower(u.kind), "")
	case "TRIGGER", "RULE", "POLICY":
		return in.renamePart(st)
	}
	r := in.relation(n)
	switch {
	case r == nil && st.IfExists:
		in.skip("ALTER " + st.Kind + " IF EXISTS of " + quoted(n.String()) + ", which is not declared,")
		return nil
	case r == nil:
		return in.alterApart(st, n)
	}
	head := in.words(sqltree.Span{Start: st.Start, End: st.Table.Start})
	only := head.find("ONLY") < len(head.toks)
	for i := range st.Actions {
		a := &st.Actions[i]
		var err error
		switch {
		case a.Kind == "OWNER TO":
			in.skip("ALTER " + st.Kind + " … OWNER TO")
		case a.Kind == "RENAME":
			err = in.renameRelation(r, schema.Name{Schema: r.name.Schema, Name: in.fold(*a.NewName)})
		case a.Kind == "SET SCHEMA":
			err = in.renameRelation(r, schema.Name{Schema: in.fold(*a.NewName), Name: r.name.Name})
		case r.isTable():
			err = in.alterTable(r, a, only)
		case r.kind == "SEQUENCE":
			err = in.alterSequence(r, a)
		case r.kind == "INDEX":
			err = in.alterIndex(r, a)
		case r.view != nil:
			err = in.alterView(r, a)
		default:
			err = unkept("ALTER "+st.Kind+" … "+a.Kind, "")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// alterApart executes what may be said of a table that another source declares.
func (in *postgres) alterApart(st *sqltree.AlterTable, n schema.Name) error {
	table := in.reference(n)
	for i := range st.Actions {
		a := &st.Actions[i]
		switch a.Kind {
		case "ADD CONSTRAINT":
			b := &tableBuilder{postgres: in, table: &schema.Table{Name: table}, apart: true}
			if err := b.constraint(a.Constraint, nil); err != nil {
				return err
			}
			b.constrain()
			for _, c := range b.table.Constraints {
				c.Table = table
				in.db.Constraints = append(in.db.Constraints, c)
			}
		case "ENABLE ROW LEVEL SECURITY":
			in.db.RowSecurity = append(in.db.RowSecurity, &schema.RowSecurity{Table: table, Enabled: true, Origin: in.here()})
		case "FORCE ROW LEVEL SECURITY":
			in.db.RowSecurity = append(in.db.RowSecurity, &schema.RowSecurity{Table: table, Force: true, Origin: in.here()})
		default:
			return undeclared(st.Kind, n.String())
		}
	}
	return nil
}

// alterTable executes an action on a table. Without only it is for the tables that
// inherit from it too.
func (in *postgres) alterTable(r *relation, a *sqltree.AlterAction, only bool) error {
	t := r.table
	b := &tableBuilder{postgres: in, table: t}
	switch a.Kind {
	case "ADD COLUMN":
		return in.addColumn(b, a)
	case "DROP COLUMN":
		return in.dropColumn(t, a)
	case "RENAME COLUMN":
		return in.renameColumn(t, in.fold(*a.Name), in.fold(*a.NewName))
	case "ADD CONSTRAINT":
		return in.addConstraintAction(b, a.Constraint, only)
	case "DROP CONSTRAINT", "VALIDATE CONSTRAINT", "ALTER CONSTRAINT", "RENAME CONSTRAINT":
		return in.alterConstraint(t, a)
	case "ATTACH PARTITION", "DETACH PARTITION":
		return in.partition(t, a)
	case "INHERIT", "NO INHERIT":
		return in.inherit(t, a)
	case "ENABLE ROW LEVEL SECURITY":
		in.rowSecurity(t).Enabled = true
		return nil
	case "FORCE ROW LEVEL SECURITY":
		in.rowSecurity(t).Force = true
		return nil
	case "DISABLE ROW LEVEL SECURITY", "NO FORCE ROW LEVEL SECURITY":
		s := in.rowSecurity(t)
		if a.Kind == "DISABLE ROW LEVEL SECURITY" {
			s.Enabled = false
		} else {
			s.Force = false
		}
		if !s.Enabled && !s.Force {
			t.RowSecurity = nil
		}
		return nil
	}
	if strings.HasSuffix(a.Kind, " TRIGGER") || strings.HasSuffix(a.Kind, " RULE") {
		return in.enable(t, a)
	}
	if a.Name != nil {
		if only && (a.Kind == "SET DEFAULT" || a.Kind == "DROP DEFAULT") {
			in.ownDefault(t, in.fold(*a.Name))
		}
		if err := in.alterColumn(t, a); err != nil {
			return err
		}
		return in.alterInherited(t, a, only)
	}
	return in.alterOptions(t, a)
}

func (in *postgres) rowSecurity(t *schema.Table) *schema.RowSecurity {
	if t.RowSecurity == nil {
		t.RowSecurity = &schema.RowSecurity{Table: t.Name, Origin: in.here()}
	}
	return t.RowSecurity
}

func (in *postgres) addColumn(b *tableBuilder, a *sqltree.AlterAction) error {
	name := in.fold(a.Column.Name)
	if old := in.anyColumn(b.table, name); old != nil {
		if w := in.words(a.Span); w.find("IF", "NOT", "EXISTS") < len(w.toks) {
			return in.exists("COLUMN", b.table.Name.String()+"."+name, old.Origin)
		}
		return in.twoColumns(b.table, name, old)
	}
	if err := in.expandStars(b.table, "adding a column to"); err != nil {
		return err
	}
	before := len(b.table.Constraints)
	if err := b.columnDef(a.Column); err != nil {
		return err
	}
	c := b.table.Columns[len(b.table.Columns)-1]
	in.addSequence(b.table, c)
	b.constrain()
	in.attachedColumn(b.table, c)
	for _, k := range b.table.Constraints[before:] {
		in.attachedConstraint(b.table, k, false)
	}
	return nil
}

// attachedColumn adds a column of a table to its partitions that say their columns
// themselves.
func (in *postgres) attachedColumn(t *schema.Table, c *schema.Column) {
	for _, child := range in.children(t) {
		switch {
		case child.Joins && in.column(child, c.Name) != nil: // the two become one
		case child.Partition != nil && ownsColumns(child), child.Joins:
			copied := *c
			child.Columns = append(child.Columns, &copied)
		case ownsColumns(child):
			in.rep.Warn(finding.IgnoredOption, "schema file %s:%d: column %s of table %s, which inherits it from %s, comes before the table's own columns",
				in.piece.shown, in.line(in.at), quoted(c.Name), quoted(child.Name.String()), quoted(t.Name.String()))
		}
		in.attachedColumn(child, c)
	}
}

// attachedConstraint adds a constraint of a table to what its partitions have.
func (in *postgres) attachedConstraint(t *schema.Table, c *schema.Constraint, only bool) {
	switch {
	case c.Kind == schema.Check && !c.NoInherit:
		in.attachedCheck(t, c)
	case !only:
		in.attachKey(t, c)
	}
}

// attachedCheck adds a check of a table to the tables that say theirs themselves and have
// to have it.
func (in *postgres) attachedCheck(t *schema.Table, c *schema.Constraint) {
	for _, child := range in.children(t) {
		if (child.Partition != nil && ownsColumns(child) || child.Joins) && in.constraintOf(child, c.Name) == nil {
			copied := *c
			copied.Inline = false
			child.Constraints = append(child.Constraints, &copied)
			in.addConstraint(child, &copied)
		}
		in.attachedCheck(child, c)
	}
}

// addConstraintAction executes ADD CONSTRAINT.
func (in *postgres) addConstraintAction(b *tableBuilder, k *sqltree.Constraint, only bool) error {
	if k.Kind == sqltree.NotNull { // of a later server
		return unkept("ALTER TABLE … ADD NOT NULL", "")
	}
	for _, o := range k.Options {
		if o.Key == "USING INDEX" {
			return in.constraintUsing(b, k, in.wordsOf(o.Value).ident())
		}
	}
	if err := b.constraint(k, nil); err != nil {
		return err
	}
	b.constrain()
	in.attachedConstraint(b.table, b.table.Constraints[len(b.table.Constraints)-1], only)
	return nil
}

// constraintUsing makes an index that of a constraint.
func (in *postgres) constraintUsing(b *tableBuilder, k *sqltree.Constraint, index string) error {
	name := schema.Name{Schema: b.table.Schema, Name: index}
	r := in.relations[in.key(name)]
	if r == nil || r.index == nil || r.table != b.table {
		return undeclared("index", name.String())
	}
	x := r.index
	c := &schema.Constraint{
		Kind: schema.ConstraintKind(k.Kind), Name: x.Name, Include: x.Include, NullsNotDistinct: x.NullsNotDistinct,
		Options: x.Options, Tablespace: x.Tablespace, Comment: x.Comment, AttachTo: x.AttachTo,
		Deferrable: k.Deferrable, InitiallyDeferred: k.Deferred, Origin: in.here(),
	}
	for _, key := range x.Keys {
		if key.Column == "" {
			return refused("SRC005", name.String(), "a constraint cannot use index %s: its key has an expression", quoted(name.String()))
		}
		c.Columns = append(c.Columns, key.Column)
	}
	in.removeRelation(in.key(name))
	b.table.Indexes = without(b.table.Indexes, x)
	if k.Name != nil {
		c.Name = in.fold(*k.Name)
	}
	b.news = append(b.news, c)
	b.constrain()
	return nil
}

func (in *postgres) alterConstraint(t *schema.Table, a *sqltree.AlterAction) error {
	name := in.fold(*a.Name)
	c := in.constraintOf(t, name)
	if c == nil {
		if a.IfExists {
			in.skip("DROP CONSTRAINT IF EXISTS of " + quoted(name) + ", which is not declared,")
			return nil
		}
		return undeclared("constraint", t.Name.String()+"."+name)
	}
	w := in.words(a.Span)
	switch a.Kind {
	case "DROP CONSTRAINT":
		if c.Kind == schema.PrimaryKey || c.Kind == schema.Unique {
			if err := in.unreferenced(t, c.Columns, c.Kind == schema.PrimaryKey, in.cascades(w), "constraint "+quoted(name)); err != nil {
				return err
			}
		}
		in.removeConstraint(t, c)
	case "VALIDATE CONSTRAINT":
		c.NotValid = false
	case "RENAME CONSTRAINT":
		in.renameConstraint(t, c, in.fold(*a.NewName))
	default: // ALTER CONSTRAINT
		c.Deferrable = w.find("DEFERRABLE") < len(w.toks) && w.find("NOT", "DEFERRABLE") == len(w.toks)
		c.InitiallyDeferred = w.find("INITIALLY", "DEFERRED") < len(w.toks)
		c.Deferrable = c.Deferrable || c.InitiallyDeferred
	}
	return nil
}

func (in *postgres) cascades(w *words) bool {
	return len(w.toks) > 0 && w.isAt(len(w.toks)-1, "CASCADE")
}

// unreferenced refuses to take away a key that a foreign key needs; CASCADE takes the
// foreign key away.
func (in *postgres) unreferenced(t *schema.Table, columns []string, primary, cascade bool, what string) error {
	for _, other := range in.db.Tables {
		for _, c := range slices.Clone(other.Constraints) {
			ref := c.Reference
			if ref == nil || in.key(ref.Table) != in.key(t.Name) || !(len(ref.Columns) == 0 && primary) && !in.sameColumns(ref.Columns, columns) {
				continue
			}
			if !cascade {
				return refused("SRC005", t.Name.String(), "%s of table %s cannot be dropped: constraint %s of table %s depends on it", what, quoted(t.Name.String()), quoted(c.Name), quoted(other.Name.String()))
			}
			in.removeConstraint(other, c)
		}
	}
	return nil
}

// sameColumns reports whether two lists have the same columns, in any order.
func (in *postgres) sameColumns(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for _, x := range a {
		if !slices.ContainsFunc(b, func(y string) bool { return in.same(x, y) }) {
			return false
		}
	}
	return true
}

func (in *postgres) renameConstraint(t *schema.Table, c *schema.Constraint, to string) {
	if old := in.constraintOf(t, to); old != nil {
		in.report(twice("constraint", to, old.Origin))
		return
	}
	from, comment := c.Name, ""
	if r := in.taken(schema.Name{Schema: t.Schema, Name: from}); r != nil && r.constraint == c {
		comment = r.comment
	}
	in.removeConstraint(t, c)
	c.Name, c.Implicit = to, false
	t.Constraints = append(t.Constraints, c)
	in.addConstraint(t, c)
	if r := in.taken(schema.Name{Schema: t.Schema, Name: to}); r != nil && r.constraint == c {
		r.comment = comment
	}
	in.followIndex(t, from, to)
}

// followIndex lets what names an index of a table follow its new name.
func (in *postgres) followIndex(t *schema.Table, from, to string) {
	if in.same(t.ClusterOn, from) {
		t.ClusterOn = to
	}
	if n, ok := strings.CutPrefix(t.ReplicaIdentity, "USING INDEX "); ok && in.same(in.wordsOf(n).ident(), from) {
		t.ReplicaIdentity = "USING INDEX " + in.d.Quote(to)
	}
	old := in.key(schema.Name{Schema: t.Schema, Name: from})
	follow := func(n *schema.Name) {
		if n != nil && in.key(*n) == old {
			n.Name = to
		}
	}
	for _, other := range in.db.Tables {
		for _, x := range other.Indexes {
			follow(x.AttachTo)
		}
		for _, c := range other.Constraints {
			follow(c.AttachTo)
		}
	}
}

// alterColumn executes an action on a column.
func (in *postgres) alterColumn(t *schema.Table, a *sqltree.AlterAction) error {
	c := in.ownColumn(t, in.fold(*a.Name))
	if c == nil {
		return undeclared("column", t.Name.String()+"."+in.fold(*a.Name))
	}
	w := in.words(a.Span)
	switch a.Kind {
	case "SET DEFAULT", "DROP DEFAULT", "DROP NOT NULL", "SET TYPE", "ADD IDENTITY":
		if r := in.implied(t, c); r != nil && c.Identity == nil {
			in.explicit(r)
		}
	}
	switch a.Kind {
	case "SET DEFAULT":
		at := w.find("SET", "DEFAULT") + 1
		c.Default = &schema.Default{Text: in.textOf(sqltree.Span{Start: w.base + w.toks[at].End, End: a.End}, a.Expr)}
		in.counts(c.Default.Text)
	case "DROP DEFAULT":
		c.Default = nil
	case "SET NOT NULL":
		c.NotNull, c.Nullable = true, false
	case "DROP NOT NULL":
		c.NotNull = false
	case "SET TYPE":
		typ, err := in.typeOf(a.Column.Type)
		if err != nil {
			return err
		}
		c.Type, c.Collation, c.Storage, c.Compression = typ, "", "", ""
		if a.Column.Collation != nil {
			c.Collation = in.collation(*a.Column.Collation)
		}
	case "SET STATISTICS":
		w.i = w.find("STATISTICS") + 1
		c.Statistics = nil
		if n, ok := integer(w.value()); ok && n >= 0 {
			c.Statistics = &n
		}
	case "SET STORAGE":
		w.i = w.find("STORAGE") + 1
		if c.Storage = strings.ToUpper(w.value()); c.Storage == "DEFAULT" {
			c.Storage = ""
		}
	case "SET COMPRESSION":
		w.i = w.find("COMPRESSION") + 1
		// For an inherited column it says something: not what the parent's is.
		if c.Compression = w.value(); c.Compression == "default" && !c.Inherited {
			c.Compression = ""
		}
	case "SET OPTIONS":
		w.i = w.find("SET") + 1
		c.Options = in.withOptions(c.Options, w)
	case "RESET OPTIONS":
		w.i = w.find("RESET") + 1
		c.Options = withoutOptions(c.Options, w)
	case "OPTIONS":
		w.i = w.find("OPTIONS") + 1
		in.foreignOptions(t, c.Name, w.group())
	case "DROP EXPRESSION":
		c.Generated = nil
	case "SET EXPRESSION":
		c.Generated = &schema.Generated{Expr: in.bracketed(a.Span, "AS", a.Expr), Stored: true}
	case "ADD IDENTITY":
		id, err := in.identity(a.Constraint)
		if err != nil {
			return err
		}
		c.Identity, c.NotNull = id, true
		in.addSequence(t, c)
	case "SET IDENTITY":
		return in.setIdentity(c, w)
	case "DROP IDENTITY":
		if r := in.implied(t, c); r != nil {
			in.removeRelation(in.key(r.name))
		}
		c.Identity = nil
	default:
		return unkept("ALTER TABLE … "+a.Kind, "")
	}
	return nil
}

// foreignOptions keeps the options of a foreign table's column: the model has no place for
// them.
func (in *postgres) foreignOptions(t *schema.Table, column, options string) {
	on := in.quote(t.Name) + "." + in.d.Quote(column)
	in.db.Verbatim = append(in.db.Verbatim, &schema.Verbatim{
		Kind: foreignColumn, Name: t.Name, CommentOn: on,
		Text:   "ALTER FOREIGN TABLE ONLY " + in.quote(t.Name) + " ALTER COLUMN " + in.d.Quote(column) + " OPTIONS (" + options + ")",
		Origin: in.here(),
	})
}

// foreignColumn is the kind of the statements that foreignOptions keeps.
const foreignColumn = "ALTER FOREIGN COLUMN"

// alterInherited lets the tables that inherit a column follow an action on it. Those that
// say nothing of the column follow by themselves, which ONLY forbids.
func (in *postgres) alterInherited(t *schema.Table, a *sqltree.AlterAction, only bool) error {
	switch a.Kind {
	case "SET DEFAULT", "DROP DEFAULT", "SET NOT NULL", "DROP NOT NULL", "SET TYPE", "SET STATISTICS":
	case "SET COMPRESSION":
		in.ownCompression(t, in.fold(*a.Name))
		return nil
	default:
		return nil
	}
	for _, child := range in.children(t) {
		own := in.column(child, in.fold(*a.Name))
		if own == nil && !only && a.Kind == "SET STATISTICS" { // which new tables do not inherit
			own = in.ownColumn(child, in.fold(*a.Name))
		}
		switch {
		case only || own == nil, own.Inherited && own.Type.Name == "" && a.Kind == "SET TYPE":
		default:
			if err := in.alterColumn(child, a); err != nil {
				return err
			}
		}
		if !only {
			if err := in.alterInherited(child, a, false); err != nil {
				return err
			}
		}
	}
	return nil
}

// ownDefault lets the tables that inherit a column keep the default that they have from
// their parent, also none.
func (in *postgres) ownDefault(t *schema.Table, column string) {
	c := in.anyColumn(t, column)
	if c == nil {
		return
	}
	for _, child := range in.children(t) {
		if own := in.ownColumn(child, column); own != nil && own.Inherited && own.Default == nil && own.Generated == nil {
			own.Default = &schema.Default{Text: "NULL"}
			if c.Default != nil {
				*own.Default = *c.Default
			}
			in.ownDefault(child, column)
		}
	}
}

// ownCompression lets the tables that inherit a column keep the compression that they
// have: only tables that are made later take over what a table gets.
func (in *postgres) ownCompression(t *schema.Table, column string) {
	for _, child := range in.children(t) {
		if own := in.ownColumn(child, column); own != nil && own.Inherited && own.Compression == "" {
			own.Compression = "default"
		}
	}
}

// setIdentity executes SET GENERATED, SET INCREMENT BY and the like.
func (in *postgres) setIdentity(c *schema.Column, w *words) error {
	if c.Identity == nil {
		return undeclared("identity", c.Name)
	}
	for !w.done() {
		if w.accept("RESTART") {
			in.skip("ALTER TABLE … RESTART")
			w.accept("WITH")
			if !w.done() && !w.is("SET") && !w.is("RESTART") {
				w.value()
			}
			continue
		}
		if !w.accept("SET") {
			w.i++
			continue
		}
		if w.accept("GENERATED") {
			c.Identity.Always = w.accept("ALWAYS")
			w.accept("BY", "DEFAULT")
			continue
		}
		option := w.upper(w.i, w.i+1)
		w.i++
		if option == "NO" {
			option += " " + w.upper(w.i, w.i+1)
			w.i++
		}
		w.acceptAny("BY", "WITH")
		value := ""
		if option != "CYCLE" && !strings.HasPrefix(option, "NO ") {
			value = w.value()
		}
		if ok, err := in.sequenceOption(&c.Identity.SequenceOptions, option, value); err != nil || !ok {
			if err == nil {
				err = unkept("the identity option "+option, "")
			}
			return err
		}
	}
	return nil
}

// withOptions adds the options (key = value, …) to a list, in the place of those of the
// same key.
func (in *postgres) withOptions(list []schema.Option, w *words) []schema.Option {
	inside := in.wordsOf(w.group())
	for !inside.done() {
		start := inside.i
		key := inside.name().String()
		if start == inside.i {
			break
		}
		o := schema.Option{Key: key}
		if !inside.done() && inside.textOf(inside.i) == "=" {
			inside.i++
			from := inside.i
			for !inside.done() && !inside.punct(',') {
				inside.i++
			}
			o.Value = inside.span(from, inside.i)
		}
		inside.acceptPunct(',')
		if at := slices.IndexFunc(list, func(x schema.Option) bool { return strings.EqualFold(x.Key, o.Key) }); at >= 0 {
			list[at] = o
		} else {
			list = append(list, o)
		}
	}
	return list
}

func withoutOptions(list []schema.Option, w *words) []schema.Option {
	inside := w.in.wordsOf(w.group())
	for !inside.done() {
		key := inside.name().String()
		list = slices.DeleteFunc(list, func(o schema.Option) bool { return strings.EqualFold(o.Key, key) })
		inside.acceptPunct(',')
	}
	return list
}

// alterOptions executes an action on a table as a whole.
func (in *postgres) alterOptions(t *schema.Table, a *sqltree.AlterAction) error {
	w := in.words(a.Span)
	switch a.Kind {
	case "SET":
		w.accept("SET")
		t.Options = in.withOptions(t.Options, w)
	case "RESET":
		w.accept("RESET")
		t.Options = withoutOptions(t.Options, w)
	case "CLUSTER ON":
		t.ClusterOn = in.fold(*a.NewName)
	case "SET WITHOUT CLUSTER":
		t.ClusterOn = ""
	case "SET LOGGED", "SET UNLOGGED":
		t.Unlogged = a.Kind == "SET UNLOGGED"
	case "SET WITHOUT OIDS":
		in.skip("SET WITHOUT OIDS")
	case "SET TABLESPACE":
		t.Tablespace = in.fold(*a.NewName)
	case "SET ACCESS METHOD":
		w.i = len(w.toks) - 1
		t.Method = w.ident()
	case "REPLICA IDENTITY":
		w.accept("REPLICA", "IDENTITY")
		switch {
		case w.accept("USING", "INDEX"):
			t.ReplicaIdentity = "USING INDEX " + in.d.Quote(w.ident())
		case w.is("DEFAULT"):
			t.ReplicaIdentity = ""
		default:
			t.ReplicaIdentity = w.upper(w.i, len(w.toks))
		}
	case "OPTIONS":
		w.accept("OPTIONS")
		in.db.Verbatim = append(in.db.Verbatim, &schema.Verbatim{
			Kind: foreignColumn, Name: t.Name, CommentOn: in.quote(t.Name), Origin: in.here(),
			Text: "ALTER FOREIGN TABLE " + in.quote(t.Name) + " OPTIONS (" + w.group() + ")",
		})
	case "OF":
		return in.setOf(t, w)
	case "NOT OF":
		t.Of = nil
	default:
		return unkept("ALTER TABLE … "+a.Kind, "")
	}
	return nil
}

// setOf executes ALTER TABLE … OF.
func (in *postgres) setOf(t *schema.Table, w *words) error {
	w.accept("OF")
	n := w.name()
	u := find(in, in.types, n)
	if u == nil || u.composite == nil {
		return undeclared("type", n.String())
	}
	same := len(t.Columns) == len(u.composite.Fields)
	for i := 0; same && i < len(t.Columns); i++ {
		same = in.same(t.Columns[i].Name, u.composite.Fields[i].Name)
	}
	if !same {
		return refused("SRC005", t.Name.String(), "table %s does not have the columns of type %s in their order", quoted(t.Name.String()), quoted(n.String()))
	}
	of := u.name
	t.Of = &of
	return nil
}

// enable executes ENABLE and DISABLE of a trigger.
func (in *postgres) enable(t *schema.Table, a *sqltree.AlterAction) error {
	if strings.HasSuffix(a.Kind, " RULE") {
		return in.enableRule(t, a)
	}
	state, ok := map[string]string{"ENABLE TRIGGER": "", "DISABLE TRIGGER": "DISABLED", "ENABLE ALWAYS TRIGGER": "ALWAYS", "ENABLE REPLICA TRIGGER": "REPLICA"}[a.Kind]
	if !ok {
		return unkept("ALTER TABLE … "+a.Kind, "")
	}
	w := in.words(a.Span)
	all := w.isAt(len(w.toks)-1, "ALL") || w.isAt(len(w.toks)-1, "USER")
	found := false
	for _, g := range in.db.Triggers {
		if in.key(g.Table) == in.key(t.Name) && (all || in.same(g.Name, in.fold(*a.Name))) {
			g.Enabled, found = state, true
		}
	}
	if found || all {
		return nil
	}
	return in.enableInherited(t, a)
}

// alterTrigger is the kind of what is said of a trigger that a partition has from its
// parent.
const alterTrigger = "ALTER TRIGGER"

// enableInherited executes ENABLE and DISABLE of a trigger that a partition has from its
// parent, which the model keeps in words.
func (in *postgres) enableInherited(t *schema.Table, a *sqltree.AlterAction) error {
	name := in.fold(*a.Name)
	for parent := t; parent.Partition != nil; {
		if parent = in.table(parent.Partition.Of); parent == nil {
			break
		}
		if in.trigger(parent.Name, name) == nil {
			continue
		}
		v := &schema.Verbatim{
			Kind: alterTrigger, Name: schema.Name{Schema: t.Schema, Name: name}, CommentOn: in.d.Quote(name) + " ON " + in.quote(t.Name), Origin: in.here(),
			Text: "ALTER TABLE " + in.quote(t.Name) + " " + a.Kind + " " + in.d.Quote(name),
		}
		in.db.Verbatim = slices.DeleteFunc(in.db.Verbatim, func(x *schema.Verbatim) bool { return x.Kind == v.Kind && x.CommentOn == v.CommentOn })
		in.db.Verbatim = append(in.db.Verbatim, v)
		return nil
	}
	return undeclared("trigger", name)
}

// enableRule executes ENABLE and DISABLE of a rule, which the model keeps in words.
func (in *postgres) enableRule(t *schema.Table, a *sqltree.AlterAction) error {
	name := in.fold(*a.Name)
	v := in.verbatim("RULE", in.d.Quote(name)+" ON "+in.quote(t.Name))
	if v == nil {
		return undeclared("rule", name)
	}
	in.db.Verbatim = slices.DeleteFunc(in.db.Verbatim, func(x *schema.Verbatim) bool { return x.Kind == "ALTER RULE" && x.CommentOn == v.CommentOn })
	if a.Kind == "ENABLE RULE" {
		return nil
	}
	in.db.Verbatim = append(in.db.Verbatim, &schema.Verbatim{
		Kind: "ALTER RULE", Name: v.Name, CommentOn: v.CommentOn, Origin: in.here(),
		Text: "ALTER TABLE " + in.quote(t.Name) + " " + a.Kind + " " + in.d.Quote(v.Name.Name),
	})
	return nil
}

// alterSequence executes an action on a sequence.
func (in *postgres) alterSequence(r *relation, a *sqltree.AlterAction) error {
	w := in.words(a.Span)
	for w.i = len(strings.Fields(a.Kind)); w.acceptAny("WITH", "BY") != ""; {
	}
	value := w.rest()
	switch {
	case a.Kind == "SET LOGGED" || a.Kind == "SET UNLOGGED":
		if r.sequence == nil {
			return unkept("ALTER SEQUENCE … "+a.Kind+" of a column's sequence", "")
		}
		r.sequence.Unlogged = a.Kind == "SET UNLOGGED"
		return nil
	case a.Kind == "RESTART":
		in.skip("ALTER SEQUENCE … RESTART")
		return nil
	case r.column != nil && r.column.Identity != nil:
		if ok, err := in.sequenceOption(&r.column.Identity.SequenceOptions, a.Kind, value); err != nil || !ok {
			if err == nil {
				err = unkept("ALTER SEQUENCE … "+a.Kind+" of an identity column's sequence", "")
			}
			return err
		}
		return nil
	case r.column != nil:
		if a.Kind == "OWNED BY" && a.Other != nil && in.ownsItself(r, *a.Other) {
			return nil
		}
		in.explicit(r)
	}
	return in.setSequence(r.sequence, a.Kind, value)
}

// ownsItself reports whether a serial column's sequence is said to belong to that column.
func (in *postgres) ownsItself(r *relation, n sqltree.Name) bool {
	k := len(n.Parts) - 1
	if k < 1 || !in.same(in.fold(n.Parts[k]), r.column.Name) {
		return false
	}
	n.Parts = n.Parts[:k]
	return in.key(in.reference(in.parts(n))) == in.key(r.table.Name)
}

// alterIndex executes an action on an index, also one of a constraint.
func (in *postgres) alterIndex(r *relation, a *sqltree.AlterAction) error {
	var options *[]schema.Option
	var tablespace *string
	if r.index != nil {
		options, tablespace = &r.index.Options, &r.index.Tablespace
	} else {
		options, tablespace = &r.constraint.Options, &r.constraint.Tablespace
	}
	w := in.words(a.Span)
	switch a.Kind {
	case "SET":
		w.accept("SET")
		*options = in.withOptions(*options, w)
	case "RESET":
		w.accept("RESET")
		*options = withoutOptions(*options, w)
	case "SET TABLESPACE":
		*tablespace = in.fold(*a.NewName)
	case "ATTACH PARTITION":
		n := in.parts(*a.Other)
		part := in.relation(n)
		if part == nil || part.kind != "INDEX" {
			return undeclared("index", n.String())
		}
		parent := r.name
		if part.index != nil {
			part.index.AttachTo = &parent
		} else {
			part.constraint.AttachTo = &parent
		}
	case "SET STATISTICS":
		// The model has no place for it beside the index.
		head := "ALTER INDEX " + in.quote(r.name) + " ALTER COLUMN " + w.textOf(w.find("SET")-1) + " SET STATISTICS "
		in.db.Verbatim = slices.DeleteFunc(in.db.Verbatim, func(v *schema.Verbatim) bool { return strings.HasPrefix(v.Text, head) })
		w.i = w.find("STATISTICS") + 1
		in.db.Verbatim = append(in.db.Verbatim, &schema.Verbatim{Kind: "ALTER INDEX", Name: r.name, Text: head + w.value(), Origin: in.here()})
	default:
		return unkept("ALTER INDEX … "+a.Kind, "")
	}
	return nil
}

// alterView executes an action on a view.
func (in *postgres) alterView(r *relation, a *sqltree.AlterAction) error {
	v := r.view
	w := in.words(a.Span)
	switch a.Kind {
	case "SET":
		w.accept("SET")
		v.Options = in.withOptions(v.Options, w)
		if at := slices.IndexFunc(v.Options, func(o schema.Option) bool { return strings.EqualFold(o.Key, "check_option") }); at >= 0 {
			v.CheckOption = strings.ToUpper(in.wordsOf(v.Options[at].Value).value())
			v.Options = slices.Delete(v.Options, at, at+1)
		}
	case "RESET":
		w.accept("RESET")
		before := len(v.Options)
		v.Options = withoutOptions(v.Options, w)
		if before == len(v.Options) && in.mentions("check_option", w.text) {
			v.CheckOption = ""
		}
	case "SET TABLESPACE":
		v.Tablespace = in.fold(*a.NewName)
	case "SET ACCESS METHOD":
		w.i = len(w.toks) - 1
		v.Method = w.ident()
	case "SET DEFAULT", "DROP DEFAULT":
		// The model has no place for it in a view.
		head := "ALTER VIEW " + in.quote(r.name) + " ALTER COLUMN " + in.d.Quote(in.fold(*a.Name)) + " SET DEFAULT "
		in.db.Verbatim = slices.DeleteFunc(in.db.Verbatim, func(v *schema.Verbatim) bool { return strings.HasPrefix(v.Text, head) })
		if a.Kind == "SET DEFAULT" {
			at := w.find("SET", "DEFAULT") + 1
			expr := in.textOf(sqltree.Span{Start: w.base + w.toks[at].End, End: a.End}, a.Expr)
			in.db.Verbatim = append(in.db.Verbatim, &schema.Verbatim{Kind: "ALTER VIEW", Name: r.name, Text: head + expr, Origin: in.here()})
		}
	case "RENAME COLUMN":
		return in.renameViewColumn(r, in.fold(*a.Name), in.fold(*a.NewName))
	default:
		return unkept("ALTER of a view … "+a.Kind, "")
	}
	return nil
}

// renameViewColumn renames a column in the view's list of columns, which is made if the
// query says what they are.
func (in *postgres) renameViewColumn(r *relation, from, to string) error {
	v := r.view
	columns := slices.Clone(v.Columns)
	if len(columns) == 0 {
		columns = in.outputNames(v.Body)
	}
	at := slices.IndexFunc(columns, func(c string) bool { return in.same(c, from) })
	if at < 0 || v.Recursive {
		return unkept("ALTER of a view … RENAME COLUMN", "declare the view with its list of columns")
	}
	if slices.ContainsFunc(columns, func(c string) bool { return in.same(c, to) }) {
		return twice("column", r.name.String()+"."+to, v.Origin)
	}
	old := in.key(r.name)
	err := in.follow("column "+quoted(from)+" of view "+quoted(r.name.String()), []string{from}, func(t target) (schema.Name, bool) {
		return schema.Name{Name: to}, t.kind == toRelation && t.of == old && t.column != "" && in.same(t.column, from)
	})
	if err != nil {
		return err
	}
	for _, x := range v.Indexes {
		x.Implicit = false
		in.renameKeys(x.Keys, from, to)
		in.renameIn(x.Include, from, to)
	}
	columns[at] = to
	v.Columns = columns
	for i := range v.Comments {
		if in.same(v.Comments[i].Key, from) {
			v.Comments[i].Key = to
		}
	}
	return nil
}

// outputNames are the names of the columns of a query; none if its text does not say them.
func (in *postgres) outputNames(query string) []string {
	script, err := trees.Parse(sqltree.Postgres, query)
	if err != nil || len(script.Statements) != 1 {
		return nil
	}
	q, ok := script.Statements[0].(*sqltree.Query)
	if !ok {
		return nil
	}
	s, ok := q.Body.(*sqltree.Select)
	if !ok {
		return nil
	}
	var names []string
	for _, item := range s.Items {
		name := ""
		if _, star := item.Expr.(*sqltree.Star); !star {
			name = sqltree.OutputName(sqltree.Postgres, item.Expr)
		}
		if item.Alias != nil {
			name = in.fold(*item.Alias)
		}
		if name == "" {
			return nil
		}
		names = append(names, name)
	}
	return names
}

// partition executes ATTACH and DETACH PARTITION of a table.
func (in *postgres) partition(t *schema.Table, a *sqltree.AlterAction) error {
	n := in.parts(*a.Other)
	r := in.relation(n)
	if r == nil || !r.isTable() {
		return undeclared("table", n.String())
	}
	child := r.table
	if a.Kind == "DETACH PARTITION" {
		return in.detach(t, child)
	}
	if in.descends(t, child) {
		return circular(t)
	}
	if child.Partition != nil {
		return refused("SRC007", child.Name.String(), "table %s is a partition of %s already", quoted(child.Name.String()), quoted(child.Partition.Of.String()))
	}
	for _, c := range in.allColumns(t) {
		if in.column(child, c.Name) == nil {
			return undeclared("column", child.Name.String()+"."+c.Name)
		}
	}
	bound := sqltree.Span{Start: a.Other.End, End: a.End}
	child.Partition = &schema.Partition{Of: t.Name, Bound: in.edited(bound, in.loosely(bound))}
	in.forebears[t] = true
	for _, c := range t.Constraints {
		in.attachKey(t, c)
	}
	for _, x := range t.Indexes {
		in.attachIndex(t, x)
	}
	return nil
}

// attachKey makes the keys of partitions that are those of a key of their parent parts of
// it, as the server does.
func (in *postgres) attachKey(t *schema.Table, c *schema.Constraint) {
	if c.Kind != schema.PrimaryKey && c.Kind != schema.Unique {
		return
	}
	for _, child := range in.partitions(t) {
		for _, k := range child.Constraints {
			if k.AttachTo == nil && k.Kind == c.Kind && slices.Equal(k.Columns, c.Columns) {
				k.AttachTo = &schema.Name{Schema: t.Schema, Name: c.Name}
				break
			}
		}
	}
}

// attachIndex is attachKey for indexes.
func (in *postgres) attachIndex(t *schema.Table, x *schema.Index) {
	for _, child := range in.partitions(t) {
		for _, y := range child.Indexes {
			if y.AttachTo == nil && y.Unique == x.Unique && y.Method == x.Method && y.Where == x.Where && slices.Equal(y.Keys, x.Keys) && slices.Equal(y.Include, x.Include) {
				y.AttachTo = &schema.Name{Schema: t.Schema, Name: x.Name}
				break
			}
		}
	}
}

// detach makes a partition a table that stands for itself again, with what it had because
// of its parent.
func (in *postgres) detach(t, child *schema.Table) error {
	if child.Partition == nil || in.key(child.Partition.Of) != in.key(t.Name) {
		return undeclared("partition", child.Name.String())
	}
	if t.Partition != nil {
		return unkept("DETACH PARTITION of a table that is a partition itself", "declare the table as it is to be")
	}
	in.ownEverything(child)
	in.ownParts(t, child, false)
	b := &tableBuilder{postgres: in, table: child}
	for _, k := range t.Constraints {
		if k.Kind == schema.ForeignKey {
			copied := *k
			copied.Inline, copied.Comment, copied.Columns = false, "", slices.Clone(k.Columns)
			if in.constraintOf(child, k.Name) != nil {
				copied.Name = ""
			}
			b.news = append(b.news, &copied)
		}
	}
	b.constrain()
	child.Partition = nil
	for _, c := range child.Constraints {
		c.AttachTo = nil
	}
	for _, x := range child.Indexes {
		x.AttachTo = nil
	}
	return nil
}

// ownParts gives a partition the keys and indexes that it has because of its parent, under
// the names that the server has given them: parts of those of the parent, or its own.
func (in *postgres) ownParts(t, child *schema.Table, parts bool) {
	b := &tableBuilder{postgres: in, table: child}
	attach := func(name string) *schema.Name {
		if !parts {
			return nil
		}
		return &schema.Name{Schema: t.Schema, Name: name}
	}
	for _, k := range t.Constraints {
		if (k.Kind == schema.PrimaryKey || k.Kind == schema.Unique) && !in.hasPart(child, schema.Name{Schema: t.Schema, Name: k.Name}) {
			copied := *k
			copied.Name, copied.Inline, copied.Comment, copied.AttachTo = "", false, "", attach(k.Name)
			copied.Columns, copied.Include = slices.Clone(k.Columns), slices.Clone(k.Include)
			b.news = append(b.news, &copied)
		}
	}
	b.constrain()
	for _, x := range t.Indexes {
		if !x.Only && !in.hasPart(child, schema.Name{Schema: t.Schema, Name: x.Name}) {
			copied := *x
			copied.Table, copied.Comment, copied.AttachTo = child.Name, "", attach(x.Name)
			copied.Keys, copied.Include = slices.Clone(x.Keys), slices.Clone(x.Include)
			b.copies = append(b.copies, &copied)
		}
	}
	b.indexCopies()
}

// pinParts gives the keys and indexes that the partitions of a table have because of it
// their names of now.
func (in *postgres) pinParts(t *schema.Table) {
	for _, child := range in.partitions(t) {
		in.ownParts(t, child, true)
		for _, c := range child.Constraints {
			c.Implicit = false
		}
		for _, x := range child.Indexes {
			x.Implicit = false
		}
		in.pinParts(child)
	}
}

// hasPart reports whether an index of a partition is part of one of its parent.
func (in *postgres) hasPart(child *schema.Table, of schema.Name) bool {
	is := func(n *schema.Name) bool { return n != nil && in.key(*n) == in.key(of) }
	return slices.ContainsFunc(child.Constraints, func(c *schema.Constraint) bool { return is(c.AttachTo) }) ||
		slices.ContainsFunc(child.Indexes, func(x *schema.Index) bool { return is(x.AttachTo) })
}

// ownEverything makes the columns and checks that a table inherits its own.
func (in *postgres) ownEverything(t *schema.Table) {
	var checks []*schema.Constraint
	var from func(*schema.Table)
	from = func(of *schema.Table) {
		for _, p := range in.parents(of) {
			for _, c := range p.Columns { // both count with the sequence
				if r := in.implied(p, c); r != nil && c.Identity == nil {
					in.explicit(r)
				}
			}
			for _, k := range p.Constraints {
				if k.Kind == schema.Check && !k.NoInherit {
					checks = append(checks, k)
				}
			}
			from(p)
		}
	}
	from(t)
	var columns []*schema.Column
	for _, c := range in.allColumns(t) {
		own := in.column(t, c.Name)
		if own != nil && own.Type.Name != "" {
			own.NotNull = own.NotNull || c.NotNull
			if own.Default == nil {
				own.Default = c.Default
			}
			own.Inherited = false
			columns = append(columns, own)
			continue
		}
		copied := *c
		copied.Inherited, copied.Identity, copied.Comment, copied.Statistics, copied.Options = false, nil, "", nil, nil
		if own != nil {
			copied.Comment, copied.Statistics, copied.Options = own.Comment, own.Statistics, own.Options
		}
		copied.Origin = t.Origin
		columns = append(columns, &copied)
	}
	t.Columns = columns
	for _, k := range checks {
		if in.constraintOf(t, k.Name) == nil {
			copied := *k
			copied.Inline = false
			t.Constraints = append(t.Constraints, &copied)
			in.addConstraint(t, &copied)
		}
	}
}

// ownsColumns reports whether a partition was a table of its own before, and says its
// columns itself.
func ownsColumns(t *schema.Table) bool {
	return slices.ContainsFunc(t.Columns, func(c *schema.Column) bool { return !c.Inherited })
}

// inherit executes INHERIT and NO INHERIT.
func (in *postgres) inherit(t *schema.Table, a *sqltree.AlterAction) error {
	n := in.parts(*a.Other)
	r := in.relation(n)
	if r == nil || !r.isTable() {
		return undeclared("table", n.String())
	}
	if in.descends(r.table, t) {
		return circular(t)
	}
	if a.Kind == "NO INHERIT" {
		in.ownEverything(t)
		t.Inherits = slices.DeleteFunc(t.Inherits, func(p schema.Name) bool { return in.key(p) == in.key(r.name) })
		t.Joins = len(t.Inherits) > 0
		return nil
	}
	columns := in.allColumns(r.table)
	inOrder := !t.Joins
	for i, c := range columns {
		if in.anyColumn(t, c.Name) == nil {
			return refused("SRC006", t.Name.String(), "table %s cannot inherit from %s: it has no column %s", quoted(t.Name.String()), quoted(r.name.String()), quoted(c.Name))
		}
		inOrder = inOrder && i < len(t.Columns) && in.same(t.Columns[i].Name, c.Name)
	}
	if !inOrder && len(t.Inherits) > 0 && !t.Joins {
		in.ownEverything(t)
	}
	if err := in.heir(t, r.table); err != nil {
		return err
	}
	t.Joins = !inOrder
	t.Inherits = append(t.Inherits, r.name)
	in.forebears[r.table] = true
	if t.Joins {
		return nil
	}
	for i, c := range columns {
		own := t.Columns[i]
		own.Inherited = true
		if own.Default == nil && c.Default != nil {
			own.Default = &schema.Default{Text: "NULL"} // not the other's
		}
	}
	return nil
}

// heir refuses a table that is to inherit from another and lacks what that asks of each
// row: the server does not add it then.
func (in *postgres) heir(t, from *schema.Table) error {
	for _, c := range in.allColumns(from) {
		keyed := slices.ContainsFunc(t.Constraints, func(k *schema.Constraint) bool { return k.Kind == schema.PrimaryKey && contains(k.Columns, c.Name) })
		if own := in.column(t, c.Name); own != nil && c.NotNull && !own.NotNull && !keyed {
			return refused("TBL008", t.Name.String(), "table %s cannot inherit from %s: its column %s is not NOT NULL", quoted(t.Name.String()), quoted(from.Name.String()), quoted(c.Name))
		}
	}
	for _, k := range from.Constraints {
		if k.Kind == schema.Check && !k.NoInherit && in.constraintOf(t, k.Name) == nil {
			return refused("TBL008", t.Name.String(), "table %s cannot inherit from %s: it lacks check %s", quoted(t.Name.String()), quoted(from.Name.String()), quoted(k.Name))
		}
	}
	return nil
}

// descends reports whether a table is another one or inherits from it.
func (in *postgres) descends(t, from *schema.Table) bool {
	return t == from || slices.ContainsFunc(in.parents(t), func(p *schema.Table) bool { return in.descends(p, from) })
}

func circular(t *schema.Table) error {
	return refused("SRC005", t.Name.String(), "table %s would inherit from itself", quoted(t.Name.String()))
}

func (in *postgres) inheritsColumn(t *schema.Table, name string) bool {
	for _, p := range in.parents(t) {
		if in.anyColumn(p, name) != nil {
			return true
		}
	}
	return false
}
