package diff

import (
	"reflect"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// tableChange is a table that is in both states.
type tableChange struct {
	key           string
	object        *object // of to
	before, after *schema.Table
	columns       []columnChange // those of before, then the new ones, in their orders
	changing      bool           // a column changes under what is on it

	removals []string // before types and new tables are made
	changes  []string // after that
	finally  []string // once indexes are there
}

// columnChange is a column in the two states; nil where it is not there.
type columnChange struct {
	before, after *schema.Column
	// retyped: the type is another one. replaced: the column is dropped and added again,
	// which a generated one takes without loss.
	retyped, replaced bool
}

// dropped reports whether the column is dropped, if only to be added again.
func (c columnChange) dropped() bool { return c.before != nil && (c.after == nil || c.replaced) }

// added reports whether the column is added.
func (c columnChange) added() bool { return c.after != nil && (c.before == nil || c.replaced) }

// changesAny reports whether one of some columns changes under what is on them; no columns
// mean a key.
func (t *tableChange) changesAny(columns []string) bool {
	return slices.ContainsFunc(t.columns, func(c columnChange) bool {
		return (c.retyped || c.replaced) && (len(columns) == 0 || slices.Contains(columns, c.before.Name))
	})
}

// touches reports whether an object names a column that changes under it. Those of tables
// of their own are rebuilt by the database where only a type changes.
func (t *tableChange) touches(o *object) bool {
	part := o.kind == "index" || o.kind == "constraint"
	if part && o.owner != t.key {
		return false
	}
	for _, c := range t.columns {
		if c.replaced && part || (c.retyped || c.replaced) && !part && (o.owner == t.key || names(o.uses, t.before.Name.Name)) {
			if names(o.uses, c.before.Name) || !part && strings.Contains(o.uses, ".*") {
				return true
			}
		}
	}
	return false
}

// compareTables finds what becomes of the columns.
func (d *differ) compareTables(before, after *object) *tableChange {
	t := &tableChange{key: after.key, object: after, before: before.value.(*schema.Table), after: after.value.(*schema.Table)}
	same := func(name string) func(*schema.Column) bool {
		return func(c *schema.Column) bool { return d.o.Dialect.Key(c.Name) == d.o.Dialect.Key(name) }
	}
	for _, c := range t.before.Columns {
		change := columnChange{before: c, after: parents(c)}
		if i := slices.IndexFunc(t.after.Columns, same(c.Name)); i >= 0 {
			change.after = t.after.Columns[i]
		}
		if change.after != nil {
			d.compareColumns(t, &change)
		}
		t.columns = append(t.columns, change)
	}
	for _, c := range t.after.Columns {
		if !slices.ContainsFunc(t.before.Columns, same(c.Name)) {
			t.columns = append(t.columns, columnChange{before: parents(c), after: c})
		}
	}
	if d.o.Dialect.PostgresFamily() {
		t.replaceGenerated()
	}
	t.changing = t.changesAny(nil)
	return t
}

// parents returns the column that a table has from its parents where it gives it nothing
// of its own, nil for a column that no parent has.
func parents(c *schema.Column) *schema.Column {
	if !c.Inherited {
		return nil
	}
	return &schema.Column{Name: c.Name, Type: c.Type, Collation: c.Collation, Native: c.Native, NotNull: c.NotNull, Inherited: true}
}

func (d *differ) compareColumns(t *tableChange, c *columnChange) {
	switch {
	case d.o.Dialect.MySQLFamily():
		c.retyped = d.from.parts.Column(t.before, c.before) != d.to.parts.Column(t.after, c.after) || t.before.Charset != t.after.Charset || t.before.Collation != t.after.Collation
	case d.o.Dialect == dialect.SQLite:
		c.retyped = d.from.parts.Column(t.before, c.before) != d.to.parts.Column(t.after, c.after)
	default:
		c.retyped = d.from.parts.Type(t.before, c.before) != d.to.parts.Type(t.after, c.after)
		// A generated column cannot be made of another one, nor compute something else.
		c.replaced = c.after.Generated != nil && (c.before.Generated == nil || c.retyped || strings.TrimSpace(c.before.Generated.Expr) != strings.TrimSpace(c.after.Generated.Expr))
	}
}

// replaceGenerated replaces the generated columns that are computed from columns whose
// type changes.
func (t *tableChange) replaceGenerated() {
	for i, c := range t.columns {
		if c.before == nil || c.after == nil || c.after.Generated == nil {
			continue
		}
		for _, other := range t.columns {
			if other.retyped && names(c.after.Generated.Expr, other.before.Name) {
				t.columns[i].replaced = true
			}
		}
	}
}

// describe writes the statements that alter a table.
func (d *differ) describe(t *tableChange) {
	switch {
	case d.o.Dialect.MySQLFamily():
		d.alterMySQL(t)
	case d.o.Dialect == dialect.SQLite:
		d.alterSQLite(t)
	default:
		d.alterPostgres(t)
	}
	if !reflect.DeepEqual(d.unaltered(t.before), d.unaltered(t.after)) {
		d.problem(t.object, "differs in what %s cannot alter: its partitions, parents, storage or the like; make a new table and copy the rows", d.o.Dialect)
	}
}

// unaltered is what is left of a table without what its statements are made of.
func (d *differ) unaltered(t *schema.Table) schema.Table {
	rest := *t
	rest.Origin, rest.Struct, rest.Comment = schema.Origin{}, "", ""
	rest.Columns, rest.Constraints, rest.Indexes = nil, nil, nil
	switch {
	case d.o.Dialect.MySQLFamily():
		rest.Engine, rest.Charset, rest.Collation, rest.Options, rest.PartitionBy = "", "", "", nil, ""
	case d.o.Dialect.PostgresFamily():
		rest.Options, rest.Unlogged, rest.ReplicaIdentity, rest.ClusterOn, rest.RowSecurity = nil, false, "", "", nil
	}
	return rest
}

// order warns of columns that are in another order than they should be, where the database
// can only add them at the end.
func (d *differ) order(t *tableChange) {
	if t.after.Partition != nil {
		return // it is its parent's
	}
	var now, want []string
	for _, c := range t.columns {
		if c.after != nil && !c.added() && !c.after.Inherited {
			now = append(now, c.after.Name)
		}
	}
	for _, c := range t.after.Columns {
		if c.Inherited {
			continue
		}
		want = append(want, c.Name)
		if i := slices.IndexFunc(t.columns, func(x columnChange) bool { return x.after == c }); t.columns[i].added() {
			now = append(now, c.Name)
		}
	}
	if !slices.Equal(now, want) {
		d.rep.Warn(finding.SkippedDeclaration, "the order of the columns of table %q: %s adds columns at the end", t.after.Name.String(), d.o.Dialect)
	}
}
