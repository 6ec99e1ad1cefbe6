package diff

import (
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// alterMySQL alters a table of MySQL or MariaDB in one statement, as its parts need each
// other: a column that counts up has to have a key all the time.
func (d *differ) alterMySQL(t *tableChange) {
	var actions []string
	drops, adds := d.keysMySQL(t)
	actions = append(actions, drops...)
	var order []string // of the columns, as they are after what was said so far
	for _, c := range t.columns {
		switch {
		case c.after == nil:
			actions = append(actions, "DROP COLUMN "+d.to.quote(c.before.Name))
		case c.before != nil:
			order = append(order, c.after.Name)
		}
	}
	place := " FIRST"
	for i, c := range t.after.Columns {
		change := t.columns[slices.IndexFunc(t.columns, func(x columnChange) bool { return x.after == c })]
		column := d.to.parts.Column(t.after, c)
		switch at := slices.Index(order, c.Name); {
		case at < 0:
			if i == len(order) {
				place = ""
			}
			actions = append(actions, "ADD COLUMN "+column+place)
			order = slices.Insert(order, i, c.Name)
		case at != i:
			actions = append(actions, "MODIFY COLUMN "+column+place)
			order = slices.Insert(slices.Delete(order, at, at+1), i, c.Name)
		case change.retyped:
			actions = append(actions, "MODIFY COLUMN "+column)
		}
		place = " AFTER " + d.to.quote(c.Name)
	}
	actions = append(actions, adds...)
	actions = append(actions, d.optionsMySQL(t)...)
	table := d.to.alterTable(t.after)
	if len(actions) > 0 {
		t.changes = append(t.changes, table+"\n  "+strings.Join(actions, ",\n  ")+";")
	}
	switch is := strings.TrimSpace(t.after.PartitionBy); {
	case is == strings.TrimSpace(t.before.PartitionBy):
	case is == "":
		t.changes = append(t.changes, table+" REMOVE PARTITIONING;")
	default:
		t.changes = append(t.changes, table+" PARTITION BY "+is+";")
	}
}

// key is a key or check of a table of MySQL: how it is dropped and added.
type key struct{ drop, add string }

// keysMySQL returns what drops and adds the keys, checks and indexes that differ.
func (d *differ) keysMySQL(t *tableChange) (drops, adds []string) {
	before, after := d.from.keysOf(t.before), d.to.keysOf(t.after)
	for _, k := range before {
		if !slices.Contains(after, k) {
			drops = append(drops, k.drop)
		}
	}
	for _, k := range after {
		if !slices.Contains(before, k) {
			adds = append(adds, k.add)
		}
	}
	return drops, adds
}

func (s *state) keysOf(t *schema.Table) []key {
	var list []key
	for _, c := range t.Constraints {
		if c.Kind == schema.ForeignKey {
			continue
		}
		sql := s.parts.Constraint(t, c)
		if sql == "" {
			continue // it is part of its column
		}
		name := s.quote(s.parts.ConstraintName(t, c))
		switch c.Kind {
		case schema.PrimaryKey:
			list = append(list, key{"DROP PRIMARY KEY", "ADD " + sql})
		case schema.Unique:
			list = append(list, key{"DROP INDEX " + name, "ADD " + sql})
		default:
			list = append(list, key{"DROP CONSTRAINT " + name, "ADD " + sql})
		}
	}
	for _, x := range t.Indexes {
		list = append(list, key{"DROP INDEX " + s.quote(s.parts.IndexName(x)), "ADD " + s.parts.Key(x)})
	}
	return list
}

// optionsMySQL returns the options of a table that differ.
func (d *differ) optionsMySQL(t *tableChange) []string {
	var list []string
	if t.before.Engine != t.after.Engine && t.after.Engine != "" {
		list = append(list, "ENGINE="+t.after.Engine)
	}
	if t.before.Charset != t.after.Charset || t.before.Collation != t.after.Collation {
		charset := "DEFAULT CHARSET=" + t.after.Charset
		if t.after.Collation != "" {
			charset += " COLLATE=" + t.after.Collation
		}
		list = append(list, charset)
	}
	for _, o := range t.after.Options {
		if !slices.Contains(t.before.Options, o) {
			list = append(list, o.Key+"="+o.Value)
		}
	}
	for _, o := range t.before.Options {
		if t.before.Engine != t.after.Engine {
			break // they are the engine's
		}
		if !slices.ContainsFunc(t.after.Options, func(a schema.Option) bool { return a.Key == o.Key }) {
			d.problem(t.object, "has no option %s any more, which cannot be taken away from a table of %s; set it to what it should be", o.Key, d.o.Dialect)
		}
	}
	if t.before.Comment != t.after.Comment {
		list = append(list, "COMMENT="+d.o.Dialect.String(t.after.Comment))
	}
	return list
}
