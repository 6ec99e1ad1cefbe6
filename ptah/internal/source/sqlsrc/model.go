package sqlsrc

import (
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// model is what the statements so far have declared, found by name.
type model struct {
	d   dialect.Dialect
	rep *finding.Report
	db  *schema.Database

	tables map[schema.Name]*schema.Table
	views  map[schema.Name]*schema.View

	columns     lookup[schema.Column]
	constraints lookup[schema.Constraint]
	indexes     lookup[schema.Index]
	triggers    lookup[schema.Trigger]
}

func newModel(d dialect.Dialect, rep *finding.Report) *model {
	m := &model{d: d, rep: rep, db: &schema.Database{}, tables: map[schema.Name]*schema.Table{}, views: map[schema.Name]*schema.View{}}
	m.columns.name = func(c *schema.Column) string { return d.Key(c.Name) }
	m.constraints.name = func(c *schema.Constraint) string { return d.Key(c.Name) }
	m.indexes.name = func(x *schema.Index) string { return d.Key(x.Name) }
	m.triggers.name = func(t *schema.Trigger) string { return d.Key(t.Name) }
	return m
}

func (m *model) key(n schema.Name) schema.Name { return n.Folded(m.d.DefaultSchema(), m.d.TableKey) }

func (m *model) table(n schema.Name) *schema.Table { return m.tables[m.key(n)] }
func (m *model) view(n schema.Name) *schema.View   { return m.views[m.key(n)] }

// taken returns what has a name, and where that is declared; nil if nothing has it.
func (m *model) taken(n schema.Name) (kind string, at *schema.Origin) {
	if t := m.table(n); t != nil {
		return "table", &t.Origin
	}
	if v := m.view(n); v != nil {
		return "view", &v.Origin
	}
	if s := m.sequence(n); s != nil {
		return "sequence", &s.Origin
	}
	return "", nil
}

func (m *model) addTable(t *schema.Table) {
	m.db.Tables = append(m.db.Tables, t)
	m.tables[m.key(t.Name)] = t
}

func (m *model) addView(v *schema.View) {
	m.db.Views = append(m.db.Views, v)
	m.views[m.key(v.Name)] = v
}

// dropTable removes a table and what belongs to it.
func (m *model) dropTable(t *schema.Table) {
	delete(m.tables, m.key(t.Name))
	m.db.Tables = without(m.db.Tables, t)
	m.dropTriggers(t.Name)
}

func (m *model) dropView(v *schema.View) {
	delete(m.views, m.key(v.Name))
	m.db.Views = without(m.db.Views, v)
	m.dropTriggers(v.Name)
}

func (m *model) dropTriggers(n schema.Name) {
	m.db.Triggers = slices.DeleteFunc(m.db.Triggers, func(t *schema.Trigger) bool { return m.key(t.Table) == m.key(n) })
}

func without[T comparable](list []T, x T) []T {
	return slices.DeleteFunc(list, func(y T) bool { return y == x })
}

func (m *model) sequence(n schema.Name) *schema.Sequence {
	for _, s := range m.db.Sequences {
		if m.key(s.Name) == m.key(n) {
			return s
		}
	}
	return nil
}

func (m *model) routine(n schema.Name, procedure bool) *schema.Routine {
	for _, f := range m.db.Routines {
		if f.Procedure == procedure && m.same(f.Name.Name, n.Name) && f.Schema == n.Schema {
			return f
		}
	}
	return nil
}

func (m *model) verbatim(kind string, n schema.Name) *schema.Verbatim {
	for _, v := range m.db.Verbatim {
		if v.Kind == kind && m.same(v.Name.Name, n.Name) && v.Schema == n.Schema {
			return v
		}
	}
	return nil
}

// trigger finds a trigger by its name and the schema of its table.
func (m *model) trigger(n schema.Name) *schema.Trigger {
	in := n.In(m.d.DefaultSchema()).Schema
	return m.triggers.find(nil, m.db.Triggers, m.d.Key(n.Name), func(t *schema.Trigger) bool { return t.Table.In(m.d.DefaultSchema()).Schema == in })
}

// same compares names of columns, indexes and the like.
func (m *model) same(a, b string) bool { return m.d.Key(a) == m.d.Key(b) }

func (m *model) column(t *schema.Table, name string) *schema.Column {
	return m.columns.find(t, t.Columns, m.d.Key(name), anyOf)
}

func (m *model) constraint(t *schema.Table, name string, kinds ...schema.ConstraintKind) *schema.Constraint {
	return m.constraints.find(t, t.Constraints, m.d.Key(name), func(c *schema.Constraint) bool {
		return c.Name != "" && (len(kinds) == 0 || slices.Contains(kinds, c.Kind))
	})
}

func (m *model) primaryKey(t *schema.Table) *schema.Constraint {
	for _, c := range t.Constraints {
		if c.Kind == schema.PrimaryKey {
			return c
		}
	}
	return nil
}

func (m *model) index(t *schema.Table, name string) *schema.Index {
	return m.indexes.find(t, t.Indexes, m.d.Key(name), func(x *schema.Index) bool { return x.Name != "" })
}

// uses reports whether a key, a constraint's or an index's, has a column.
func (m *model) uses(columns []string, keys []schema.IndexKey, name string) bool {
	return slices.ContainsFunc(columns, func(c string) bool { return m.same(c, name) }) ||
		slices.ContainsFunc(keys, func(k schema.IndexKey) bool { return k.Column != "" && m.same(k.Column, name) })
}

// maxShown is how much of the author's text a message shows.
const maxShown = 60

// quoted is a name or a piece of a text as messages show it.
func quoted(text string) string { return `"` + plain.Line(text, maxShown) + `"` }

// declare checks that a name is free for a table, view or sequence. It reports false
// where IF NOT EXISTS makes nothing of the statement, which is then passed over.
func (r *reader) declare(kind string, n schema.Name, ifNotExists bool) bool {
	old, at := r.taken(n)
	if at == nil {
		return true
	}
	if ifNotExists {
		r.skip("CREATE " + kind + " IF NOT EXISTS of " + quoted(n.String()) + ", which is declared at " + at.String() + ",")
		return false
	}
	r.taking(kind, n, old, *at)
	return false
}

// taking fails for a name that something else has, of the same kind or of another.
func (r *reader) taking(kind string, n schema.Name, old string, at schema.Origin) {
	if kind = strings.ToLower(kind); kind == old {
		r.twice(kind, n.String(), at)
	}
	e := clash(kind, n.String(), old, at)
	r.failAt(r.toks[0].start, e.rule, e.object, "%s", e.message)
}

// twice fails for something that is declared already.
func (r *reader) twice(kind, name string, at schema.Origin) {
	r.failAt(r.toks[0].start, "SRC007", name, "%s %s is declared twice, here and at %s", strings.ToLower(kind), quoted(name), at)
}

// twoColumns fails for a name that a second column of a table would have.
func (r *reader) twoColumns(t *schema.Table, name string) {
	r.failAt(r.toks[0].start, "TBL002", t.Name.String(), "table %s has two columns %s", quoted(t.Name.String()), quoted(name))
}

// twoKeys fails for a second primary key.
func (r *reader) twoKeys(t *schema.Table) {
	r.failAt(r.toks[0].start, "TBL003", t.Name.String(), "table %s has two primary keys", quoted(t.Name.String()))
}

// undeclared fails for something that a statement needs.
func (r *reader) undeclared(kind, name string) {
	r.failAt(r.toks[0].start, "SRC006", name, "%s %s is not declared before it is used", strings.ToLower(kind), quoted(name))
}

// tableFor returns the table that ALTER is about.
func (r *reader) tableFor(n schema.Name) *schema.Table {
	t := r.table(n)
	if t == nil {
		r.undeclared("table", n.String())
	}
	return t
}

// addIndex adds an index to its table, or keeps it apart if that is not declared here.
func (r *reader) addIndex(x *schema.Index) {
	if t := r.table(x.Table); t != nil {
		x.Table = t.Name
		t.Indexes = append(t.Indexes, x)
		return
	}
	r.db.Indexes = append(r.db.Indexes, x)
}

// dropped skips DROP … IF EXISTS of something that is not declared, and fails without
// IF EXISTS.
func (r *reader) dropped(kind, name string, ifExists bool) {
	if !ifExists {
		r.undeclared(kind, name)
	}
	r.dropPart("DROP " + kind + " IF EXISTS of " + quoted(name) + ", which is not declared,")
}
