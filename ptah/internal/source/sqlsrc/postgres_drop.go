package sqlsrc

import (
	"maps"
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
	// What is dropped together may need each other: what cannot go yet waits for the others.
	var waiting []int
	var reason error
	try := func(start int) {
		w.i = start
		if err := in.dropNext(st, w, cascade); err != nil {
			waiting, reason = append(waiting, start), err
		}
	}
	try(w.i)
	for w.acceptPunct(',') {
		try(w.i)
	}
	for tried := -1; len(waiting) > 0; {
		if len(waiting) == tried {
			return reason
		}
		again := waiting
		tried, waiting = len(again), nil
		for _, start := range again {
			try(start)
		}
	}
	return nil
}

// dropNext drops what is named at the cursor.
func (in *postgres) dropNext(st *sqltree.Drop, w *words, cascade bool) error {
	found, shown, err := in.dropOne(st.Kind, w, cascade)
	switch {
	case err != nil:
		return err
	case !found && !st.IfExists:
		return undeclared(st.Kind, shown)
	case !found:
		in.skip("DROP " + st.Kind + " IF EXISTS of " + quoted(shown) + ", which is not declared,")
	}
	return nil
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
		return true, n.String(), in.dropType(u, cascade)
	case "FUNCTION", "PROCEDURE", "ROUTINE", "AGGREGATE":
		r, shown := in.routineNamed(w)
		if r == nil {
			return false, shown, nil
		}
		return true, shown, in.dropRoutine(r, cascade)
	case "SCHEMA":
		name := w.ident()
		if s := in.schemas[dialect.Cut(name)]; s != nil {
			return true, name, in.dropSchema(s, cascade)
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

// dropRelation takes away a relation with what belongs to it.
func (in *postgres) dropRelation(r *relation, cascade bool) error {
	switch {
	case r.isTable():
		return in.dropTable(r, cascade)
	case r.view != nil && r.index == nil:
		if err := in.loosenRelation(r, cascade); err != nil {
			return err
		}
		in.db.Views = without(in.db.Views, r.view)
		in.dropPartsOf(r.name)
		for _, x := range r.view.Indexes {
			in.removeRelation(in.key(schema.Name{Schema: r.name.Schema, Name: x.Name}))
		}
	case r.index != nil:
		if err := in.dropIndex(r, cascade); err != nil {
			return err
		}
	case r.constraint != nil:
		return refused("SRC005", r.name.String(), "index %s belongs to a constraint; drop the constraint", quoted(r.name.String()))
	case r.sequence != nil:
		if err := in.loosenRelation(r, cascade); err != nil {
			return err
		}
		in.db.Sequences = without(in.db.Sequences, r.sequence)
	default:
		return unkept("DROP of the sequence of a column", "change the column")
	}
	in.removeRelation(in.key(r.name))
	in.ungrant(r.name)
	return nil
}

// dropIndex takes away an index, and with CASCADE the foreign keys that need it.
func (in *postgres) dropIndex(r *relation, cascade bool) error {
	switch {
	case r.table != nil:
		if columns := in.onlyKey(r.table, r.index); columns != nil {
			if err := in.unreferenced(r.table, columns, false, cascade, "index "+quoted(r.index.Name)); err != nil {
				return err
			}
		}
		r.table.Indexes = without(r.table.Indexes, r.index)
		if in.same(r.table.ClusterOn, r.index.Name) {
			r.table.ClusterOn = ""
		}
	case r.view != nil:
		r.view.Indexes = without(r.view.Indexes, r.index)
	default:
		in.db.Indexes = without(in.db.Indexes, r.index)
	}
	return nil
}

// onlyKey returns the columns of an index to which foreign keys can refer, unless another
// key of the table has the same.
func (in *postgres) onlyKey(t *schema.Table, x *schema.Index) []string {
	columns := uniqueColumns(x)
	if columns == nil {
		return nil
	}
	for _, c := range t.Constraints {
		if (c.Kind == schema.PrimaryKey || c.Kind == schema.Unique) && in.sameColumns(c.Columns, columns) {
			return nil
		}
	}
	for _, other := range t.Indexes {
		if other != x && in.sameColumns(uniqueColumns(other), columns) {
			return nil
		}
	}
	return columns
}

// uniqueColumns are those of a unique index of columns alone.
func uniqueColumns(x *schema.Index) []string {
	if !x.Unique || x.Where != "" {
		return nil
	}
	var columns []string
	for _, k := range x.Keys {
		if k.Column == "" {
			return nil
		}
		columns = append(columns, k.Column)
	}
	return columns
}

// loosenRelation makes everything independent of a relation that is to go.
func (in *postgres) loosenRelation(r *relation, cascade bool) error {
	k := in.key(r.name)
	is := func(t target) bool { return t.kind == toRelation && t.of == k }
	own := func(w *wording) bool {
		switch o := w.owner.(type) {
		case *schema.View:
			return o == r.view
		case *schema.Trigger:
			return in.key(o.Table) == k
		case *schema.Policy:
			return in.key(o.Table) == k
		case *schema.Verbatim:
			return in.standsOn(o, r.name)
		}
		return r.isTable() && w.table == r.table
	}
	if err := in.loosen(strings.ToLower(r.kind), r.name.String(), cascade, []string{r.name.Name}, is, own); err != nil {
		return err
	}
	return in.dropTyped(strings.ToLower(r.kind), r.name, cascade, r.table)
}

// standsOn reports whether what is kept in words belongs to a table or view.
func (in *postgres) standsOn(v *schema.Verbatim, n schema.Name) bool {
	switch v.Kind {
	case "RULE", "ALTER RULE", alterTrigger:
		return strings.HasSuffix(v.CommentOn, " ON "+in.quote(n))
	case foreignColumn, "ALTER VIEW":
		return in.key(v.Name) == in.key(n)
	case "STATISTICS":
		return slices.ContainsFunc(in.looseUses(v.Text), func(u use) bool { return u.kind == toRelation && u.of == in.key(n) })
	}
	return false
}

// dropPartsOf takes away the triggers, policies and rules of a table or view.
func (in *postgres) dropPartsOf(n schema.Name) {
	of := in.key(n)
	in.db.Triggers = slices.DeleteFunc(slices.Clone(in.db.Triggers), func(t *schema.Trigger) bool { return in.key(t.Table) == of })
	in.db.Policies = slices.DeleteFunc(slices.Clone(in.db.Policies), func(p *schema.Policy) bool { return in.key(p.Table) == of })
	in.db.Verbatim = slices.DeleteFunc(slices.Clone(in.db.Verbatim), func(v *schema.Verbatim) bool {
		return in.standsOn(v, n)
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
	if err := in.loosenRelation(r, cascade); err != nil {
		return err
	}
	in.dropPartsOf(t.Name)
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
	return in.removeColumn(t, c, in.cascades(in.words(a.Span)))
}

// loosenColumn makes everything independent of a column that is to go, but for the
// constraints, indexes and statistics that go with it.
func (in *postgres) loosenColumn(t *schema.Table, name string, cascade bool) error {
	k := in.key(t.Name)
	is := func(n target) bool {
		return n.kind == toRelation && n.of == k && n.column != "" && in.same(n.column, name)
	}
	own := func(w *wording) bool {
		switch o := w.owner.(type) {
		case *schema.Constraint, *schema.Index, *schema.Default:
			return true
		case *schema.Verbatim:
			return o.Kind == "STATISTICS" || in.standsOn(o, t.Name) && o.Kind == foreignColumn
		}
		return false
	}
	if err := in.loosen("column", t.Name.String()+"."+name, cascade, []string{name, "*"}, is, own); err != nil {
		return err
	}
	in.db.Verbatim = slices.DeleteFunc(in.db.Verbatim, func(v *schema.Verbatim) bool {
		return v.Kind == "STATISTICS" && slices.ContainsFunc(in.looseUses(v.Text), func(u use) bool { return is(u.target) }) ||
			v.Kind == foreignColumn && v.CommentOn == in.quote(t.Name)+"."+in.d.Quote(name)
	})
	return nil
}

// removeColumn takes a column out of a table, and out of those that have it from there.
func (in *postgres) removeColumn(t *schema.Table, c *schema.Column, cascade bool) error {
	name := c.Name
	if err := in.loosenColumn(t, name, cascade); err != nil {
		return err
	}
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

func (in *postgres) dropType(u *userType, cascade bool) error {
	k := in.key(u.name)
	is := func(t target) bool { return (t.kind == toType || t.kind == toRelation && t.column == "") && t.of == k }
	own := func(w *wording) bool {
		if u.verbatim != nil { // whose functions need it, as it needs them
			_, isRoutine := w.owner.(*schema.Routine)
			return isRoutine || w.owner == any(u.verbatim)
		}
		return u.domain != nil && (w.owner == any(u.domain) || slices.ContainsFunc(u.domain.Checks, func(c *schema.Constraint) bool { return w.owner == any(c) }))
	}
	if err := in.loosen("type", u.name.String(), cascade, []string{u.name.Name}, is, own); err != nil {
		return err
	}
	if err := in.dropTyped("type", u.name, cascade, nil); err != nil {
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

// dropTyped takes away what has a type: columns and attributes of it, and types that are
// made of it.
func (in *postgres) dropTyped(kind string, n schema.Name, cascade bool, but *schema.Table) error {
	of := in.key(n)
	needed := func(what string) error {
		return refused("SRC005", n.String(), "%s %s cannot be dropped: %s has it; drop that first", kind, quoted(n.String()), what)
	}
	for _, t := range slices.Clone(in.db.Tables) {
		for _, c := range slices.Clone(t.Columns) {
			switch {
			case t == but || !in.isOf(c.Type, of):
			case !cascade:
				return needed("column " + quoted(t.Name.String()+"."+c.Name))
			default:
				if err := in.removeColumn(t, c, true); err != nil {
					return err
				}
			}
		}
	}
	for _, c := range in.db.Composites {
		for i := len(c.Fields) - 1; i >= 0; i-- {
			if !in.isOf(c.Fields[i].Type, of) {
				continue
			}
			if !cascade {
				return needed("type " + quoted(c.Name.String()))
			}
			c.Fields = slices.Delete(c.Fields, i, i+1)
		}
	}
	for _, u := range in.sortedTypes() {
		if u.domain != nil && in.isOf(u.domain.Type, of) || u.rng != nil && in.isOf(u.rng.Subtype, of) {
			if !cascade {
				return needed("type " + quoted(u.name.String()))
			}
			if err := in.dropType(u, true); err != nil {
				return err
			}
		}
	}
	return nil
}

// sortedTypes are the types in the order of their names.
func (in *postgres) sortedTypes() []*userType {
	return slices.SortedFunc(maps.Values(in.types), func(a, b *userType) int { return strings.Compare(a.name.String(), b.name.String()) })
}

func (in *postgres) dropRoutine(r *routine, cascade bool) error {
	m := r.model
	k := in.key(m.Name)
	own := func(w *wording) bool { return w.owner == any(m) }
	if err := in.loosen(routineKind(m), m.Name.String(), cascade, []string{m.Name.Name}, func(t target) bool { return in.calls(t, r) }, own); err != nil {
		return err
	}
	in.db.Routines = without(in.db.Routines, m)
	in.routines[k] = without(in.routines[k], r)
	in.db.Grants = slices.DeleteFunc(in.db.Grants, func(g *schema.Grant) bool {
		return (g.On == "FUNCTION" || g.On == "PROCEDURE" || g.On == "ROUTINE") && in.key(g.Object) == k && slices.Equal(in.signature(g.Signature), r.args)
	})
	return nil
}

func (in *postgres) dropSchema(s *schema.Namespace, cascade bool) error {
	of := dialect.Cut(s.Name)
	inside := func(n schema.Name) bool { return in.key(n).schema == of }
	if !cascade {
		used := slices.ContainsFunc(slices.Collect(maps.Keys(in.relations)), func(k key) bool { return k.schema == of }) ||
			slices.ContainsFunc(slices.Collect(maps.Keys(in.types)), func(k key) bool { return k.schema == of }) ||
			slices.ContainsFunc(in.db.Routines, func(m *schema.Routine) bool { return inside(m.Name) })
		if used {
			return refused("SRC005", s.Name, "schema %s cannot be dropped: it has objects; drop them first", quoted(s.Name))
		}
	}
	if err := in.dropInside(inside); err != nil {
		return err
	}
	in.db.Schemas = without(in.db.Schemas, s)
	delete(in.schemas, of)
	in.db.Grants = slices.DeleteFunc(in.db.Grants, func(g *schema.Grant) bool { return g.On == "SCHEMA" && dialect.Cut(g.Object.Name) == of })
	return nil
}

// dropInside takes away everything in a schema, with what needs it.
func (in *postgres) dropInside(inside func(schema.Name) bool) error {
	for _, v := range slices.Clone(in.db.Views) {
		if r := in.taken(v.Name); inside(v.Name) && r != nil && r.view == v {
			if err := in.dropRelation(r, true); err != nil {
				return err
			}
		}
	}
	for _, t := range slices.Clone(in.db.Tables) {
		if r := in.taken(t.Name); inside(t.Name) && r != nil && r.table == t {
			if err := in.dropRelation(r, true); err != nil {
				return err
			}
		}
	}
	for _, q := range slices.Clone(in.db.Sequences) {
		if r := in.taken(q.Name); inside(q.Name) && r != nil && r.sequence == q {
			if err := in.dropRelation(r, true); err != nil {
				return err
			}
		}
	}
	for _, m := range slices.Clone(in.db.Routines) {
		for _, r := range slices.Clone(in.routines[in.key(m.Name)]) {
			if inside(m.Name) && r.model == m {
				if err := in.dropRoutine(r, true); err != nil {
					return err
				}
			}
		}
	}
	for _, u := range in.sortedTypes() {
		if inside(u.name) && in.types[in.key(u.name)] == u {
			if err := in.dropType(u, true); err != nil {
				return err
			}
		}
	}
	for _, v := range slices.Clone(in.db.Verbatim) {
		if inside(v.Name) && v.Schema != "" {
			in.dropVerbatim(v)
		}
	}
	return nil
}
