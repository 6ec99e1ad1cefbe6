package diff

import (
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// alterSQLite adds and drops columns, which is all that SQLite can do.
func (d *differ) alterSQLite(t *tableChange) {
	const rebuild = "make a new table and copy the rows"
	table := d.to.alterTable(t.after)
	for _, c := range t.columns {
		switch {
		case c.before == nil:
			if what := d.refusedBySQLite(t.after, c.after); what != "" {
				d.problem(t.object, "gets the column %q, which %s; sqlite cannot add such a column: %s", c.after.Name, what, rebuild)
				continue
			}
			t.changes = append(t.changes, table+" ADD COLUMN "+d.to.parts.Column(t.after, c.after)+";")
		case c.after != nil && c.retyped:
			d.problem(t.object, "has another column %q, and sqlite cannot alter a column: %s", c.after.Name, rebuild)
		}
	}
	for _, c := range t.columns {
		if c.after != nil {
			continue
		}
		if slices.ContainsFunc(t.before.Constraints, func(k *schema.Constraint) bool {
			return slices.Contains(k.Columns, c.before.Name) && k.Kind != schema.Check && k.Kind != schema.ForeignKey
		}) {
			d.problem(t.object, "loses the column %q, which is part of a key; sqlite cannot drop it: %s", c.before.Name, rebuild)
			continue
		}
		t.changes = append(t.changes, table+" DROP COLUMN "+d.to.quote(c.before.Name)+";")
	}
	if !slices.Equal(d.from.ofTable(t.before), d.to.ofTable(t.after)) {
		d.problem(t.object, "has other keys, checks or foreign keys, and sqlite cannot alter them: %s", rebuild)
	}
	d.order(t)
}

// refusedBySQLite says why a column cannot be added to a table that may have rows.
func (d *differ) refusedBySQLite(t *schema.Table, c *schema.Column) string {
	for _, k := range t.Constraints {
		if d.to.parts.ColumnOf(t, k) == c && (k.Kind == schema.PrimaryKey || k.Kind == schema.Unique) {
			return "is a key"
		}
	}
	switch {
	case c.Generated != nil && c.Generated.Stored:
		return "is generated and stored"
	case c.NotNull && (c.Default == nil || strings.EqualFold(c.Default.Text, "NULL")) && c.Generated == nil:
		return "is NOT NULL without a default"
	case c.Default != nil && !c.Default.Literal && (strings.HasPrefix(c.Default.Text, "(") || strings.HasPrefix(strings.ToUpper(c.Default.Text), "CURRENT_")):
		return "has a default that is computed"
	}
	return ""
}

// ofTable are the constraints that are not written with a column.
func (s *state) ofTable(t *schema.Table) []string {
	var list []string
	for _, c := range t.Constraints {
		if sql := s.parts.Constraint(t, c); sql != "" {
			list = append(list, sql)
		}
	}
	slices.Sort(list)
	return list
}
