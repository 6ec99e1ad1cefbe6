package sqlsrc

import (
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// drop executes DROP of anything.
func (in *postgres) drop(st *sqltree.Drop) error {
	w := in.words(st.Span)
	w.accept("DROP")
	w.i += len(strings.Fields(st.Kind))
	w.accept("CONCURRENTLY")
	w.accept("IF", "EXISTS")
	cascade := in.cascades(w)
	switch st.Kind {
	case "DATABASE", "TABLESPACE", "OWNED", "SUBSCRIPTION", "USER MAPPING":
		if !st.IfExists {
			return unkept("DROP "+st.Kind, "")
		}
		in.skip("DROP " + st.Kind + " IF EXISTS")
		return nil
	}
	for {
		found, shown, err := in.dropOne(st.Kind, w, cascade)
		switch {
		case err != nil:
			return err
		case !found && !st.IfExists:
			return undeclared(st.Kind, shown)
		case !found:
			in.skip("DROP " + st.Kind + " IF EXISTS of " + quoted(shown) + ", which is not declared,")
		}
		if !w.acceptPunct(',') {
			return nil
		}
	}
}

// dropOne takes away one object, whose name stands at the cursor.
func (in *postgres) dropOne(kind string, w *words, cascade bool) (found bool, shown string, err error) {
	switch kind {
	case "TABLE", "FOREIGN TABLE", "VIEW", "MATERIALIZED VIEW", "SEQUENCE", "INDEX":
		n := w.name()
		r := in.relation(n)
		if r == nil {
			return false, n.String(), nil
		}
		if r.kind != kind {
			return false, "", refused("SRC005", n.String(), "%s is a %s; drop it as one", quoted(n.String()), strings.ToLower(r.kind))
		}
		return true, n.String(), in.dropRelation(r, cascade)
	case "TYPE", "DOMAIN":
		n := w.name()
		u := find(in, in.types, n)
		if u == nil {
			return false, n.String(), nil
		}
		return true, n.String(), in.dropType(u)
	case "FUNCTION", "PROCEDURE", "ROUTINE", "AGGREGATE":
		r, shown := in.routineNamed(w)
		if r == nil {
			return false, shown, nil
		}
		return true, shown, in.dropRoutine(r)
	case "SCHEMA":
		name := w.ident()
		if s := in.schemas[dialect.Cut(name)]; s != nil {
			return true, name, in.dropSchema(s)
		}
		return false, name, nil
	case "EXTENSION":
		name := w.ident()
		if x := in.extension(name); x != nil {
			in.db.Extensions = without(in.db.Extensions, x)
			return true, name, nil
		}
		return false, name, nil
	case "ROLE", "USER", "GROUP":
		name := w.ident()
		if r := in.role(name); r != nil {
			in.db.Roles = without(in.db.Roles, r)
			return true, name, nil
		}
		return false, name, nil
	case "TRIGGER", "POLICY":
		name := w.ident()
		w.accept("ON")
		n := w.name()
		table := in.reference(n)
		shown := name + " on " + n.String()
		if t := in.trigger(table, name); kind == "TRIGGER" && t != nil {
			in.db.Triggers = without(in.db.Triggers, t)
			return true, shown, nil
		}
		if p := in.policy(table, name); kind == "POLICY" && p != nil {
			in.db.Policies = without(in.db.Policies, p)
			return true, shown, nil
		}
		return false, shown, nil
	}
	if !verbatimKinds[kind] && kind != "RULE" {
		return false, "", unkept("DROP "+kind, "")
	}
	v, shown := in.verbatimNamed(strings.TrimPrefix(kind, "PROCEDURAL "), w)
	if v == nil {
		return false, shown, nil
	}
	in.dropVerbatim(v)
	return true, shown, nil
}

// undependedOn refuses to drop what a text of the model names.
func (in *postgres) undependedOn(name, kind string) error {
	return in.unnamedIn(func(text string) bool { return in.mentions(name, text) }, func(what, object string) error {
		return refused("SRC005", name, "%s %s cannot be dropped: %s %s names it; drop that first", kind, quoted(name), what, quoted(object))
	})
}

// dropRelation takes away a relation with what belongs to it.
func (in *postgres) dropRelation(r *relation, cascade bool) error {
	switch {
	case r.isTable():
		return in.dropTable(r, cascade)
	case r.view != nil && r.index == nil:
		kept := in.db.Views
		in.db.Views = without(slices.Clone(kept), r.view)
		triggers := in.db.Triggers
		in.dropPartsOf(r.name)
		if err := in.undependedOn(r.name.Name, "view"); err != nil {
			in.db.Views, in.db.Triggers = kept, triggers
			return err
		}
		for _, x := range r.view.Indexes {
			in.removeRelation(in.key(schema.Name{Schema: r.name.Schema, Name: x.Name}))
		}
	case r.index != nil:
		in.dropIndex(r)
	case r.constraint != nil:
		return refused("SRC005", r.name.String(), "index %s belongs to a constraint; drop the constraint", quoted(r.name.String()))
	case r.sequence != nil:
		if c := in.counter(r); c != "" && !cascade {
			return refused("SRC005", r.name.String(), "sequence %s cannot be dropped: the default of %s needs it", quoted(r.name.String()), c)
		}
		in.db.Sequences = without(in.db.Sequences, r.sequence)
	default:
		return unkept("DROP of the sequence of a column", "change the column")
	}
	in.removeRelation(in.key(r.name))
	in.ungrant(r.name)
	return nil
}

func (in *postgres) dropIndex(r *relation) {
	switch {
	case r.table != nil:
		r.table.Indexes = without(r.table.Indexes, r.index)
		if in.same(r.table.ClusterOn, r.index.Name) {
			r.table.ClusterOn = ""
		}
	case r.view != nil:
		r.view.Indexes = without(r.view.Indexes, r.index)
	default:
		in.db.Indexes = without(in.db.Indexes, r.index)
	}
}

// counter returns the column whose default needs a sequence, empty if there is none.
func (in *postgres) counter(sequence *relation) string {
	for _, t := range in.db.Tables {
		for _, c := range t.Columns {
			if c.Default != nil && slices.Contains(in.counted(c.Default.Text), sequence) {
				return quoted(t.Name.String() + "." + c.Name)
			}
		}
	}
	return ""
}

// dropPartsOf takes away the triggers, policies and rules of a table or view.
func (in *postgres) dropPartsOf(n schema.Name) {
	of := in.key(n)
	in.db.Triggers = slices.DeleteFunc(slices.Clone(in.db.Triggers), func(t *schema.Trigger) bool { return in.key(t.Table) == of })
	in.db.Policies = slices.DeleteFunc(slices.Clone(in.db.Policies), func(p *schema.Policy) bool { return in.key(p.Table) == of })
	in.db.Verbatim = slices.DeleteFunc(slices.Clone(in.db.Verbatim), func(v *schema.Verbatim) bool {
		return v.Kind == "RULE" && strings.HasSuffix(v.CommentOn, " ON "+in.quote(n)) || v.Kind == foreignColumn && in.key(v.Name) == of
	})
}

func (in *postgres) ungrant(n schema.Name) {
	of := in.key(n)
	in.db.Grants = slices.DeleteFunc(in.db.Grants, func(g *schema.Grant) bool {
		return (g.On == "TABLE" || g.On == "SEQUENCE") && in.key(g.Object) == of
	})
}

// dropTable takes away a table. Partitions go with it, and with CASCADE the foreign keys
// that refer to it.
func (in *postgres) dropTable(r *relation, cascade bool) error {
	t := r.table
	for _, child := range in.children(t) {
		if child.Partition == nil && !cascade {
			return refused("SRC005", r.name.String(), "table %s cannot be dropped: table %s inherits from it", quoted(r.name.String()), quoted(child.Name.String()))
		}
		if err := in.dropTable(in.taken(child.Name), cascade); err != nil {
			return err
		}
	}
	for _, other := range in.db.Tables {
		for _, c := range slices.Clone(other.Constraints) {
			if other == t || c.Reference == nil || in.key(c.Reference.Table) != in.key(t.Name) {
				continue
			}
			if !cascade {
				return refused("SRC005", r.name.String(), "table %s cannot be dropped: constraint %s of table %s refers to it", quoted(r.name.String()), quoted(c.Name), quoted(other.Name.String()))
			}
			in.removeConstraint(other, c)
		}
	}
	triggers, policies, verbatim := in.db.Triggers, in.db.Policies, in.db.Verbatim
	in.dropPartsOf(t.Name)
	if err := in.undependedOn(t.Name.Name, "table"); err != nil {
		in.db.Triggers, in.db.Policies, in.db.Verbatim = triggers, policies, verbatim
		return err
	}
	for _, c := range slices.Clone(t.Constraints) {
		in.removeConstraint(t, c)
	}
	for _, x := range t.Indexes {
		in.removeRelation(in.key(schema.Name{Schema: t.Schema, Name: x.Name}))
	}
	for _, c := range t.Columns {
		if s := in.implied(t, c); s != nil {
			in.removeRelation(in.key(s.name))
		}
	}
	for _, s := range slices.Clone(in.db.Sequences) {
		if s.OwnedBy != nil && in.key(s.OwnedBy.Table) == in.key(t.Name) {
			in.db.Sequences = without(in.db.Sequences, s)
			in.removeRelation(in.key(s.Name))
		}
	}
	in.db.Tables = without(in.db.Tables, t)
	in.removeRelation(in.key(t.Name))
	in.ungrant(t.Name)
	return nil
}

// dropColumn takes away a column with the constraints and indexes that it is a part of.
func (in *postgres) dropColumn(t *schema.Table, a *sqltree.AlterAction) error {
	name := in.fold(*a.Name)
	c := in.column(t, name)
	if c == nil || c.Inherited {
		if a.IfExists && c == nil {
			in.skip("DROP COLUMN IF EXISTS of " + quoted(name) + ", which is not declared,")
			return nil
		}
		if c != nil {
			return refused("SRC005", t.Name.String()+"."+name, "column %s of table %s is inherited and cannot be dropped", quoted(name), quoted(t.Name.String()))
		}
		return undeclared("column", t.Name.String()+"."+name)
	}
	if err := in.starless(t, "dropping a column of"); err != nil {
		return err
	}
	both := func(text string) bool { return in.mentions(name, text) && in.mentions(t.Name.Name, text) }
	err := in.unnamedIn(both, func(what, object string) error {
		return refused("SRC005", t.Name.String()+"."+name, "column %s of table %s cannot be dropped: %s %s names it; drop that first", quoted(name), quoted(t.Name.String()), what, quoted(object))
	})
	if err != nil {
		return err
	}
	for _, g := range t.Columns {
		if g.Generated != nil && in.mentions(name, g.Generated.Expr) {
			return refused("SRC005", t.Name.String()+"."+name, "column %s of table %s cannot be dropped: column %s is computed from it", quoted(name), quoted(t.Name.String()), quoted(g.Name))
		}
	}
	return in.removeColumn(t, c, in.cascades(in.words(a.Span)))
}

// removeColumn takes a column out of a table, and out of those that have it from there.
func (in *postgres) removeColumn(t *schema.Table, c *schema.Column, cascade bool) error {
	name := c.Name
	uses := func(columns []string, keys []schema.IndexKey, texts ...string) bool {
		for _, k := range keys {
			columns = append(slices.Clone(columns), k.Column)
			texts = append(texts, k.Expr)
		}
		return slices.ContainsFunc(columns, func(x string) bool { return in.same(x, name) }) || in.mentions(name, texts...)
	}
	for _, k := range slices.Clone(t.Constraints) {
		if !uses(append(slices.Clone(k.Columns), k.Include...), k.Keys, k.Expr, k.Where) {
			continue
		}
		if k.Kind == schema.PrimaryKey || k.Kind == schema.Unique {
			if err := in.unreferenced(t, k.Columns, k.Kind == schema.PrimaryKey, cascade, "column "+quoted(name)); err != nil {
				return err
			}
		}
		in.removeConstraint(t, k)
	}
	for _, x := range slices.Clone(t.Indexes) {
		if uses(x.Include, x.Keys, x.Where) {
			t.Indexes = without(t.Indexes, x)
			in.removeRelation(in.key(schema.Name{Schema: t.Schema, Name: x.Name}))
		}
	}
	if s := in.implied(t, c); s != nil {
		in.removeRelation(in.key(s.name))
	}
	for _, s := range slices.Clone(in.db.Sequences) {
		if s.OwnedBy != nil && in.key(s.OwnedBy.Table) == in.key(t.Name) && in.same(s.OwnedBy.Column, name) {
			in.db.Sequences = without(in.db.Sequences, s)
			in.removeRelation(in.key(s.Name))
		}
	}
	t.Columns = without(t.Columns, c)
	for _, child := range in.children(t) {
		if err := in.removeInherited(child, name, cascade); err != nil {
			return err
		}
	}
	return nil
}

// removeInherited takes a column out of a table that had it from a parent. A table that
// declares it as well keeps it, unless it is a partition.
func (in *postgres) removeInherited(t *schema.Table, name string, cascade bool) error {
	own := in.column(t, name)
	switch {
	case own == nil:
		own = &schema.Column{Name: name} // for what is declared over it
	case in.inheritsColumn(t, name):
		return nil // from another parent
	case t.Partition == nil && own.Type.Name != "":
		own.Inherited = false
		return nil
	}
	return in.removeColumn(t, own, cascade)
}

func (in *postgres) dropType(u *userType) error {
	used := ""
	k := in.key(u.name)
	in.eachType(func(t *schema.Type) {
		if t.Quoted && in.key(schema.Name{Schema: t.Schema, Name: t.Name}) == k {
			used = t.Text
		}
	})
	if used != "" {
		return refused("SRC005", u.name.String(), "type %s cannot be dropped: something has it; drop that first", quoted(u.name.String()))
	}
	if err := in.undependedOn(u.name.Name, "type"); err != nil && u.verbatim == nil {
		return err
	}
	switch {
	case u.enum != nil:
		in.db.Enums = without(in.db.Enums, u.enum)
	case u.domain != nil:
		for _, c := range u.domain.Checks {
			in.constraints[in.key(schema.Name{Schema: u.name.Schema, Name: c.Name})]--
		}
		in.db.Domains = without(in.db.Domains, u.domain)
	case u.composite != nil:
		in.db.Composites = without(in.db.Composites, u.composite)
		in.removeRelation(k)
	case u.rng != nil:
		in.db.Ranges = without(in.db.Ranges, u.rng)
		for other, x := range in.types {
			if x.rng == u.rng {
				delete(in.types, other)
			}
		}
	default:
		in.db.Verbatim = slices.DeleteFunc(in.db.Verbatim, func(v *schema.Verbatim) bool { return v.Kind == "TYPE" && in.key(v.Name) == k })
	}
	delete(in.types, k)
	in.db.Grants = slices.DeleteFunc(in.db.Grants, func(g *schema.Grant) bool { return (g.On == "TYPE" || g.On == "DOMAIN") && in.key(g.Object) == k })
	return nil
}

func (in *postgres) dropRoutine(r *routine) error {
	m := r.model
	k := in.key(m.Name)
	others := in.db.Routines
	in.db.Routines = without(slices.Clone(others), m)
	if len(in.routines[k]) == 1 {
		if err := in.undependedOn(m.Name.Name, routineKind(m)); err != nil {
			in.db.Routines = others
			return err
		}
	}
	in.routines[k] = without(in.routines[k], r)
	in.db.Grants = slices.DeleteFunc(in.db.Grants, func(g *schema.Grant) bool {
		return (g.On == "FUNCTION" || g.On == "PROCEDURE" || g.On == "ROUTINE") && in.key(g.Object) == k && slices.Equal(in.signature(g.Signature), r.args)
	})
	return nil
}

func (in *postgres) dropSchema(s *schema.Namespace) error {
	used := false
	for k := range in.relations {
		used = used || k.schema == dialect.Cut(s.Name)
	}
	for k := range in.types {
		used = used || k.schema == dialect.Cut(s.Name)
	}
	for k, list := range in.routines {
		used = used || k.schema == dialect.Cut(s.Name) && len(list) > 0
	}
	if used {
		return refused("SRC005", s.Name, "schema %s cannot be dropped: it has objects; drop them first", quoted(s.Name))
	}
	in.db.Schemas = without(in.db.Schemas, s)
	delete(in.schemas, dialect.Cut(s.Name))
	return nil
}
