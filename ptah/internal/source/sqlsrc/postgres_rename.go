package sqlsrc

import (
	"reflect"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

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
	old := in.key(from)
	err := in.follow(strings.ToLower(r.kind)+" "+quoted(from.String()), []string{from.Name}, func(t target) (schema.Name, bool) {
		return to, t.kind == toRelation && t.of == old && t.column == ""
	})
	if err != nil {
		return err
	}
	in.followParts(from, to)
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
	in.retype(from, to)
	return nil
}

// followParts lets what stands on a table or view, and is no part of it in the model,
// follow its name.
func (in *postgres) followParts(from, to schema.Name) {
	old := in.key(from)
	for _, t := range in.db.Triggers {
		if in.key(t.Table) == old {
			t.Table = to
		}
	}
	for _, v := range in.db.Verbatim {
		switch {
		case strings.HasSuffix(v.Kind, "RULE") && strings.HasSuffix(v.CommentOn, " ON "+in.quote(from)):
			v.CommentOn = strings.TrimSuffix(v.CommentOn, in.quote(from)) + in.quote(to)
			v.Schema = to.Schema
		case v.Kind == foreignColumn && in.key(v.Name) == old:
			v.Name, v.CommentOn = to, in.quote(to)+strings.TrimPrefix(v.CommentOn, in.quote(from))
		case v.Kind == "ALTER VIEW" && in.key(v.Name) == old:
			v.Name = to
		}
	}
}

// renameTable lets everything that belongs to a table, or refers to it, follow its name.
// What the server named after the table keeps its name.
func (in *postgres) renameTable(r *relation, to schema.Name) {
	t, from := r.table, in.key(r.name)
	for _, p := range in.parents(t) {
		in.pinParts(p)
	}
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
	if err := in.expandStars(t, "renaming a column of"); err != nil {
		return err
	}
	heirs := map[key]bool{}
	in.heirs(t, heirs)
	err := in.follow("column "+quoted(from)+" of table "+quoted(t.Name.String()), []string{from}, func(n target) (schema.Name, bool) {
		return schema.Name{Name: to}, n.kind == toRelation && heirs[n.of] && in.same(n.column, from) && n.column != ""
	})
	if err != nil {
		return err
	}
	in.pinParts(t)
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

// heirs notes a table and those that inherit from it.
func (in *postgres) heirs(t *schema.Table, list map[key]bool) {
	list[in.key(t.Name)] = true
	for _, child := range in.children(t) {
		in.heirs(child, list)
	}
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

func (in *postgres) renameKeys(list []schema.IndexKey, from, to string) {
	for i := range list {
		if list[i].Column != "" && in.same(list[i].Column, from) {
			list[i].Column = to
		}
	}
}

// renameInTable lets the parts of a table follow a column's name.
func (in *postgres) renameInTable(t *schema.Table, from, to string) error {
	for _, c := range t.Constraints {
		in.renameIn(c.Columns, from, to)
		in.renameIn(c.Include, from, to)
		in.renameKeys(c.Keys, from, to)
		if c.Reference != nil {
			in.renameIn(c.Reference.SetColumns, from, to)
		}
		c.Implicit = false
	}
	for _, x := range t.Indexes {
		x.Implicit = false
		in.renameIn(x.Include, from, to)
		in.renameKeys(x.Keys, from, to)
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
	if err := in.renameNamespace(name, to); err != nil {
		return err
	}
	delete(in.schemas, dialect.Cut(name))
	s.Name = to
	in.schemas[dialect.Cut(to)] = s
	return nil
}

// renameNamespace lets everything in a schema follow its name.
func (in *postgres) renameNamespace(from, to string) error {
	old := dialect.Cut(from)
	moved := func(k key) schema.Name { return schema.Name{Schema: to, Name: k.name} }
	err := in.follow("schema "+quoted(from), []string{from}, func(t target) (schema.Name, bool) {
		return moved(t.of), t.of.schema == old && t.column == ""
	})
	if err != nil {
		return err
	}
	for _, r := range in.relations {
		if r.column != nil && r.column.Identity != nil && in.key(r.name).schema == old && r.column.Identity.Sequence != "" {
			r.column.Identity.Sequence = in.quote(schema.Name{Schema: to, Name: r.name.Name})
		}
	}
	quotedOld, quotedNew := in.d.Quote(from)+".", in.d.Quote(to)+"."
	for _, v := range in.db.Verbatim {
		v.CommentOn = strings.ReplaceAll(v.CommentOn, quotedOld, quotedNew)
		v.Text = strings.ReplaceAll(v.Text, quotedOld, quotedNew)
	}
	in.eachType(func(t *schema.Type) {
		if t.Quoted && dialect.Cut(t.Schema) == old {
			t.Schema, t.Text = to, strings.Replace(t.Text, quotedOld, quotedNew, 1)
		}
	})
	for _, x := range in.db.Extensions {
		if in.same(x.Schema, from) {
			x.Schema = to
		}
	}
	for _, g := range in.db.Grants {
		if g.On == "SCHEMA" && in.same(g.Object.Name, from) {
			g.Object.Name = to
		}
	}
	eachName(reflect.ValueOf(in.db), func(n *schema.Name) {
		if n.Schema != "" && dialect.Cut(n.Schema) == old {
			n.Schema = to
		}
	})
	in.relations = movedKeys(in.relations, old, to)
	in.types = movedKeys(in.types, old, to)
	in.routines = movedKeys(in.routines, old, to)
	in.constraints = movedKeys(in.constraints, old, to)
	for _, r := range in.relations {
		if dialect.Cut(r.name.Schema) == old {
			r.name.Schema = to
		}
	}
	for _, u := range in.types {
		if dialect.Cut(u.name.Schema) == old {
			u.name.Schema = to
		}
	}
	for _, list := range in.routines {
		for _, r := range list {
			r.rename(in, r.model.Name)
		}
	}
	clear(in.numbers)
	return nil
}

func movedKeys[T any](space map[key]T, from, to string) map[key]T {
	moved := make(map[key]T, len(space))
	for k, x := range space {
		if k.schema == from {
			k.schema = dialect.Cut(to)
		}
		moved[k] = x
	}
	return moved
}

// eachName calls f for every name in a part of the model.
func eachName(v reflect.Value, f func(*schema.Name)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			eachName(v.Elem(), f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			eachName(v.Index(i), f)
		}
	case reflect.Struct:
		if n, ok := v.Addr().Interface().(*schema.Name); ok {
			f(n)
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				eachName(v.Field(i), f)
			}
		}
	}
}
