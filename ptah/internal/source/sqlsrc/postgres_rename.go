package sqlsrc

import (
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// unmentioned refuses to give something another name that a text of the model names: the
// server would follow, a text does not.
func (in *postgres) unmentioned(name, kind string) error {
	return in.unnamedIn(func(text string) bool { return in.mentions(name, text) }, func(what, object string) error {
		return refused("SRC005", name, "renaming %s %s, which %s %s names, is not supported as a declaration; declare it under its new name", kind, quoted(name), what, quoted(object))
	})
}

// unnamedIn looks for a text that names something, and returns the refusal of the first.
func (in *postgres) unnamedIn(names func(text string) bool, refuse func(what, object string) error) error {
	for _, v := range in.db.Views {
		if names(v.Body) {
			return refuse("view", v.Name.String())
		}
	}
	for _, t := range in.db.Triggers {
		if names(t.Declared) {
			return refuse("trigger", t.Name)
		}
	}
	for _, p := range in.db.Policies {
		if names(p.Using + "\n" + p.Check) {
			return refuse("policy", p.Name)
		}
	}
	for _, v := range in.db.Verbatim {
		if names(v.Text) {
			return refuse(strings.ToLower(v.Kind), v.Name.String())
		}
	}
	for _, f := range in.db.Routines {
		// The body of another one is a string, and the server does not follow either.
		if names(f.Declared) {
			return refuse(routineKind(f), f.Name.String())
		}
	}
	return nil
}

// renamePart executes ALTER TRIGGER, RULE or POLICY … RENAME TO.
func (in *postgres) renamePart(st *sqltree.AlterTable) error {
	table := in.reference(in.parts(st.Table))
	from, to := in.fold(*st.Actions[0].Name), in.fold(*st.Actions[0].NewName)
	switch st.Kind {
	case "POLICY":
		p := in.policy(table, from)
		if p == nil {
			return undeclared("policy", from)
		}
		p.Name = to
	case "TRIGGER":
		t := in.trigger(table, from)
		if t == nil {
			return undeclared("trigger", from)
		}
		t.Name = to
		in.triggers.forget(nil)
		t.Declared = in.renamedIn(t.Declared, "TRIGGER", to)
	default:
		v := in.verbatim("RULE", in.d.Quote(from)+" ON "+in.quote(table))
		if v == nil {
			return undeclared("rule", from)
		}
		v.Name.Name, v.CommentOn = to, in.d.Quote(to)+" ON "+in.quote(table)
		v.Text = in.renamedIn(v.Text, "RULE", to)
	}
	return nil
}

// renamedIn puts another name behind a keyword of a statement.
func (in *postgres) renamedIn(text, keyword, to string) string {
	w := in.wordsOf(text)
	at := w.find(keyword) + 1
	if at >= len(w.toks) {
		return text
	}
	return text[:w.toks[at].Start] + in.d.Quote(to) + text[w.toks[at].End:]
}

// renameRelation gives a table, view, sequence or index another name or schema.
func (in *postgres) renameRelation(r *relation, to schema.Name) error {
	if old := in.taken(to); old != nil && old != r {
		return in.taking(r.kind, to, old.kind, old.name, old.origin)
	}
	from := r.name
	if r.kind == "INDEX" {
		return in.renameIndex(r, to)
	}
	if err := in.unmentioned(from.Name, strings.ToLower(r.kind)); err != nil {
		return err
	}
	switch {
	case r.isTable():
		in.renameTable(r, to)
	case r.view != nil:
		r.view.Name = to
		for _, x := range r.view.Indexes {
			in.moveIndex(x, to)
		}
	case r.sequence != nil:
		r.sequence.Name = to
		in.followSequence(from, to)
	case r.column != nil && r.column.Identity != nil:
		r.column.Identity.Sequence = in.quote(to)
	case r.column != nil:
		in.explicit(r)
		r.sequence.Name = to
		in.followSequence(from, to)
	case r.composite != nil:
		return unkept("ALTER TABLE of a type", "write ALTER TYPE")
	}
	in.removeRelation(in.key(from))
	r.name = to
	in.addRelation(r)
	in.regrant("TABLE", from, to)
	return nil
}

// renameTable lets everything that belongs to a table, or refers to it, follow its name.
// What the server named after the table keeps its name.
func (in *postgres) renameTable(r *relation, to schema.Name) {
	t, from := r.table, in.key(r.name)
	for _, c := range t.Columns {
		if s := in.implied(t, c); s != nil {
			in.pinSequence(s)
			if to.Schema != r.name.Schema && s.column != nil {
				in.moveSequence(s, to.Schema)
			}
		}
	}
	for _, c := range t.Constraints {
		c.Implicit = false
	}
	for _, x := range t.Indexes {
		x.Implicit = false
		in.moveIndex(x, to)
	}
	if to.Schema != r.name.Schema {
		in.moveConstraints(t, to.Schema)
		for _, s := range in.db.Sequences {
			if s.OwnedBy != nil && in.key(s.OwnedBy.Table) == from {
				in.moveSequence(in.taken(s.Name), to.Schema)
			}
		}
	}
	follow := func(n *schema.Name) {
		if in.key(*n) == from {
			*n = to
		}
	}
	for _, other := range in.db.Tables {
		for _, c := range other.Constraints {
			if c.Reference != nil {
				follow(&c.Reference.Table)
			}
		}
		for i := range other.Inherits {
			follow(&other.Inherits[i])
		}
		if other.Partition != nil {
			follow(&other.Partition.Of)
		}
	}
	for _, s := range in.db.Sequences {
		if s.OwnedBy != nil {
			follow(&s.OwnedBy.Table)
		}
	}
	for _, p := range in.db.Policies {
		follow(&p.Table)
	}
	if t.RowSecurity != nil {
		t.RowSecurity.Table = to
	}
	t.Name = to
}

// pinSequence makes the name of a column's sequence explicit.
func (in *postgres) pinSequence(r *relation) {
	if r.column.Identity == nil {
		in.explicit(r)
		return
	}
	r.column.Identity.Sequence = in.quote(r.name)
}

// moveSequence puts the sequence of a column into another schema.
func (in *postgres) moveSequence(r *relation, to string) {
	from := r.name
	in.removeRelation(in.key(from))
	r.name.Schema = to
	in.addRelation(r)
	if r.sequence != nil {
		r.sequence.Name = r.name
		in.followSequence(from, r.name)
	} else {
		r.column.Identity.Sequence = in.quote(r.name)
	}
}

// moveIndex lets an index follow its table.
func (in *postgres) moveIndex(x *schema.Index, table schema.Name) {
	old := in.key(schema.Name{Schema: x.Table.Schema, Name: x.Name})
	r := in.relations[old]
	x.Table = table
	if r != nil && r.index == x {
		in.removeRelation(old)
		r.name.Schema = table.Schema
		in.addRelation(r)
	}
}

// moveConstraints lets the names of a table's constraints move into another schema.
func (in *postgres) moveConstraints(t *schema.Table, to string) {
	list := append([]*schema.Constraint(nil), t.Constraints...)
	for _, c := range list {
		in.removeConstraint(t, c)
	}
	moved := schema.Table{Name: schema.Name{Schema: to, Name: t.Name.Name}}
	for _, c := range list {
		t.Constraints = append(t.Constraints, c)
		in.addConstraint(&moved, c)
		if r := in.relations[in.key(schema.Name{Schema: to, Name: c.Name})]; r != nil && r.constraint == c {
			r.table = t
		}
	}
}

// followSequence lets the defaults that count with a sequence follow its name.
func (in *postgres) followSequence(from, to schema.Name) {
	old := in.key(from)
	for _, t := range in.db.Tables {
		for _, c := range t.Columns {
			if c.Default == nil || !strings.Contains(strings.ToLower(c.Default.Text), "nextval") {
				continue
			}
			w := in.wordsOf(c.Default.Text)
			for i, tok := range w.toks {
				text := w.textOf(i)
				if text == "" || text[0] != '\'' {
					continue
				}
				if n := in.wordsOf(stringValue(text)).name(); in.key(n) == old {
					c.Default.Text = c.Default.Text[:tok.Start] + in.d.String(in.quote(to)) + c.Default.Text[tok.End:]
					break
				}
			}
		}
	}
}

// renameIndex gives an index another name, and the constraint that it belongs to.
func (in *postgres) renameIndex(r *relation, to schema.Name) error {
	if to.Schema != r.name.Schema {
		return unkept("ALTER INDEX … SET SCHEMA", "it follows its table")
	}
	if r.constraint != nil {
		in.renameConstraint(r.table, r.constraint, to.Name)
		return nil
	}
	from := r.name
	in.removeRelation(in.key(from))
	r.name = to
	r.index.Name, r.index.Implicit = to.Name, false
	in.addRelation(r)
	if r.table != nil {
		in.followIndex(r.table, from.Name, to.Name)
	}
	return nil
}

// renameColumn gives a column another name, also in the tables that inherit it.
func (in *postgres) renameColumn(t *schema.Table, from, to string) error {
	c := in.anyColumn(t, from)
	switch {
	case c == nil:
		return undeclared("column", t.Name.String()+"."+from)
	case in.anyColumn(t, to) != nil:
		return in.twoColumns(t, to, in.anyColumn(t, to))
	}
	if err := in.starless(t, "renaming a column of"); err != nil {
		return err
	}
	// A text names the column if it names the table too: a view over others may well use
	// the same word.
	both := func(text string) bool { return in.mentions(from, text) && in.mentions(t.Name.Name, text) }
	err := in.unnamedIn(both, func(what, object string) error {
		return refused("SRC005", t.Name.String()+"."+from, "renaming column %s of table %s, which %s %s names, is not supported as a declaration; declare it under its new name",
			quoted(from), quoted(t.Name.String()), what, quoted(object))
	})
	if err != nil {
		return err
	}
	if own := in.column(t, from); own != nil {
		if s := in.implied(t, own); s != nil {
			in.pinSequence(s)
		}
		own.Name = to
		in.columns.forget(t)
	}
	if err := in.renameInTable(t, from, to); err != nil {
		return err
	}
	for _, other := range in.db.Tables {
		for _, k := range other.Constraints {
			if k.Reference != nil && in.key(k.Reference.Table) == in.key(t.Name) {
				in.renameIn(k.Reference.Columns, from, to)
			}
		}
	}
	for _, s := range in.db.Sequences {
		if s.OwnedBy != nil && in.key(s.OwnedBy.Table) == in.key(t.Name) && in.same(s.OwnedBy.Column, from) {
			s.OwnedBy.Column = to
		}
	}
	for _, g := range in.db.Grants {
		if in.key(g.Object) == in.key(t.Name) {
			for i := range g.Privileges {
				g.Privileges[i] = strings.ReplaceAll(g.Privileges[i], in.d.Quote(from), in.d.Quote(to))
			}
		}
	}
	return nil
}

// renameInherited lets the tables that inherit a column follow its name.
func (in *postgres) renameInherited(t *schema.Table, from, to string) error {
	for _, child := range in.children(t) {
		if own := in.column(child, from); own != nil {
			own.Name = to
			in.columns.forget(child)
		}
		if err := in.renameInTable(child, from, to); err != nil {
			return err
		}
	}
	return nil
}

func (in *postgres) renameIn(list []string, from, to string) {
	for i := range list {
		if in.same(list[i], from) {
			list[i] = to
		}
	}
}

// renameInTable lets the parts of a table follow a column's name.
func (in *postgres) renameInTable(t *schema.Table, from, to string) error {
	keys := func(list []schema.IndexKey) {
		for i := range list {
			if list[i].Column != "" && in.same(list[i].Column, from) {
				list[i].Column = to
			}
		}
	}
	for _, c := range t.Constraints {
		in.renameIn(c.Columns, from, to)
		in.renameIn(c.Include, from, to)
		keys(c.Keys)
		if c.Reference != nil {
			in.renameIn(c.Reference.SetColumns, from, to)
		}
		c.Implicit = false
	}
	for _, x := range t.Indexes {
		x.Implicit = false
		in.renameIn(x.Include, from, to)
		keys(x.Keys)
	}
	for _, text := range in.exprs(t) {
		if !in.mentions(from, *text) {
			continue
		}
		edited, ok := in.editExpr(*text, func(e sqltree.Expr) []edit { return in.columnEdits(e, from, to) })
		if !ok {
			return refused("SRC005", t.Name.String()+"."+from, "renaming column %s of table %s, which an expression names, is not supported as a declaration; declare it under its new name", quoted(from), quoted(t.Name.String()))
		}
		*text = edited
	}
	if in.mentions(from, t.PartitionBy) {
		t.PartitionBy = in.renamedWords(t.PartitionBy, from, to)
	}
	return in.renameInherited(t, from, to)
}

// renamedWords puts another name in the place of one in a text that is no expression.
func (in *postgres) renamedWords(text, from, to string) string {
	var edits []edit
	w := in.wordsOf(text)
	for i, t := range w.toks {
		w.i = i
		if w.isIdent() && in.same(w.ident(), from) {
			edits = append(edits, edit{t.Span, in.d.Quote(to)})
		}
	}
	return edited(text, sqltree.Span{End: len(text)}, edits)
}

// exprs are the expressions over the columns of a table.
func (in *postgres) exprs(t *schema.Table) []*string {
	var list []*string
	add := func(s *string) {
		if *s != "" {
			list = append(list, s)
		}
	}
	keys := func(list []schema.IndexKey) {
		for i := range list {
			add(&list[i].Expr)
		}
	}
	for _, c := range t.Columns {
		if c.Generated != nil {
			add(&c.Generated.Expr)
		}
	}
	for _, c := range t.Constraints {
		add(&c.Expr)
		add(&c.Where)
		keys(c.Keys)
	}
	for _, x := range t.Indexes {
		add(&x.Where)
		keys(x.Keys)
	}
	return list
}

// columnEdits renames a column in an expression over one table.
func (in *postgres) columnEdits(e sqltree.Expr, from, to string) []edit {
	var edits []edit
	sqltree.Walk(e, func(n sqltree.Node) bool {
		if c, ok := n.(*sqltree.Column); ok {
			if last := c.Parts[len(c.Parts)-1]; in.same(in.fold(last), from) {
				edits = append(edits, edit{last.Span, in.d.Quote(to)})
			}
		}
		return true
	})
	return edits
}

// alterSchema executes ALTER SCHEMA … RENAME TO.
func (in *postgres) alterSchema(w *words) error {
	w.accept("ALTER", "SCHEMA")
	name := w.ident()
	s := in.schemas[dialect.Cut(name)]
	switch {
	case s == nil:
		return undeclared("schema", name)
	case !w.accept("RENAME", "TO"):
		return unkept("ALTER SCHEMA", "")
	}
	to := w.ident()
	if old := in.schemas[dialect.Cut(to)]; old != nil {
		return twice("schema", to, old.Origin)
	}
	for k := range in.relations {
		if k.schema == dialect.Cut(name) {
			return unkept("ALTER SCHEMA … RENAME TO of a schema with objects", "declare it under its new name")
		}
	}
	for k := range in.types {
		if k.schema == dialect.Cut(name) {
			return unkept("ALTER SCHEMA … RENAME TO of a schema with objects", "declare it under its new name")
		}
	}
	for k, list := range in.routines {
		if k.schema == dialect.Cut(name) && len(list) > 0 {
			return unkept("ALTER SCHEMA … RENAME TO of a schema with objects", "declare it under its new name")
		}
	}
	delete(in.schemas, dialect.Cut(name))
	s.Name = to
	in.schemas[dialect.Cut(to)] = s
	return nil
}
