package diff

import (
	"slices"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// alterPostgres alters a table of PostgreSQL column by column.
func (d *differ) alterPostgres(t *tableChange) {
	table := d.to.alterTable(t.after)
	remove := func(sql string) { t.removals = append(t.removals, table+" "+sql+";") }
	change := func(sql string) { t.changes = append(t.changes, table+" "+sql+";") }
	for _, c := range t.columns {
		if c.dropped() {
			remove("DROP COLUMN " + d.to.quote(c.before.Name))
			continue
		}
		if c.before == nil {
			continue
		}
		column := "ALTER COLUMN " + d.to.quote(c.after.Name) + " "
		if c.before.Default != nil && (c.retyped || d.defaultOf(c.before) != d.defaultOf(c.after) || d.namesAgain(c.before.Default.Text, "routine")) {
			remove(column + "DROP DEFAULT")
		}
		if c.before.Identity != nil && c.after.Identity == nil {
			remove(column + "DROP IDENTITY")
		}
		if c.before.Generated != nil && c.after.Generated == nil {
			remove(column + "DROP EXPRESSION")
		}
		if c.before.NotNull && !c.after.NotNull {
			remove(column + "DROP NOT NULL")
		}
	}
	for _, c := range t.columns {
		if c.after == nil || c.added() {
			continue
		}
		column := "ALTER COLUMN " + d.to.quote(c.after.Name) + " "
		if c.retyped {
			change(column + "TYPE " + d.to.parts.Type(t.after, c.after) + " USING " + d.to.quote(c.after.Name) + "::" + d.to.parts.TypeOf(c.after.Type, ""))
		}
		before, after := d.defaultOf(c.before), d.defaultOf(c.after)
		if after != "" && (after != before || c.retyped || d.namesAgain(c.after.Default.Text, "routine")) {
			change(column + "SET " + after)
		}
		if c.after.NotNull && !c.before.NotNull {
			change(column + "SET NOT NULL")
		}
		if sql := d.alterIdentity(c.before.Identity, c.after.Identity); sql != "" {
			change(column + sql)
		}
		d.alterProperties(t, c)
	}
	for _, c := range t.after.Columns { // in the order that they should have
		i := slices.IndexFunc(t.columns, func(x columnChange) bool { return x.after == c })
		if !t.columns[i].added() {
			continue
		}
		line := d.to.parts.Column(t.after, c)
		if line == "" {
			continue // its parents have it
		}
		change("ADD COLUMN " + line)
		t.changes = append(t.changes, d.to.parts.Properties(t.after, c)...)
	}
	d.order(t)
	d.alterStorage(t)
}

// defaultOf is the default of a column, empty without one.
func (d *differ) defaultOf(c *schema.Column) string {
	return d.to.parts.Default(c.Default, c.Type)
}

func (d *differ) alterIdentity(before, after *schema.Identity) string {
	was, is := d.from.parts.Identity(before), d.to.parts.Identity(after)
	switch {
	case after == nil || was == is:
		return ""
	case before == nil:
		return "ADD " + is
	}
	kind := "BY DEFAULT"
	if after.Always {
		kind = "ALWAYS"
	}
	sql := "SET GENERATED " + kind
	number := func(word string, was, is *int64) {
		if is != nil && (was == nil || *was != *is) {
			sql += " SET " + word + " " + strconv.FormatInt(*is, 10)
		}
	}
	number("START WITH", before.Start, after.Start)
	number("INCREMENT BY", before.Increment, after.Increment)
	number("MINVALUE", before.Min, after.Min)
	number("MAXVALUE", before.Max, after.Max)
	number("CACHE", before.Cache, after.Cache)
	switch {
	case after.Cycle && !before.Cycle:
		sql += " SET CYCLE"
	case before.Cycle && !after.Cycle:
		sql += " SET NO CYCLE"
	}
	return sql
}

// usualStorage is how most types with several ways to be stored are.
const usualStorage = "EXTENDED"

// alterProperties alters what has no place in CREATE TABLE.
func (d *differ) alterProperties(t *tableChange, c columnChange) {
	column := d.to.alterTable(t.after) + " ALTER COLUMN " + d.to.quote(c.after.Name) + " "
	change := func(sql string) { t.changes = append(t.changes, column+sql+";") }
	if c.before.Storage != c.after.Storage {
		storage := c.after.Storage
		if storage == "" {
			storage = usualStorage
		}
		change("SET STORAGE " + storage)
	}
	if c.before.Compression != c.after.Compression {
		compression := c.after.Compression
		if compression == "" {
			compression = "DEFAULT"
		}
		change("SET COMPRESSION " + compression)
	}
	statistics := func(n *int64) int64 {
		if n == nil {
			return -1
		}
		return *n
	}
	if n := statistics(c.after.Statistics); n != statistics(c.before.Statistics) {
		change("SET STATISTICS " + strconv.FormatInt(n, 10))
	}
	for _, sql := range alterOptions(c.before.Options, c.after.Options) {
		change(sql)
	}
}

// alterOptions sets and resets storage parameters.
func alterOptions(before, after []schema.Option) []string {
	var set, reset []string
	for _, o := range after {
		if !slices.Contains(before, o) {
			set = append(set, o.Key+"="+o.Value)
		}
	}
	for _, o := range before {
		if !slices.ContainsFunc(after, func(a schema.Option) bool { return a.Key == o.Key }) {
			reset = append(reset, o.Key)
		}
	}
	var list []string
	if len(set) > 0 {
		list = append(list, "SET ("+strings.Join(set, ", ")+")")
	}
	if len(reset) > 0 {
		list = append(list, "RESET ("+strings.Join(reset, ", ")+")")
	}
	return list
}

// alterStorage alters what a table has beside its columns and constraints.
func (d *differ) alterStorage(t *tableChange) {
	table := d.to.alterTable(t.after)
	change := func(sql string) { t.changes = append(t.changes, table+" "+sql+";") }
	for _, sql := range alterOptions(t.before.Options, t.after.Options) {
		change(sql)
	}
	switch {
	case t.after.Unlogged && !t.before.Unlogged:
		change("SET UNLOGGED")
	case t.before.Unlogged && !t.after.Unlogged:
		change("SET LOGGED")
	}
	security := func(s *schema.RowSecurity) (enabled, force bool) {
		if s == nil {
			return false, false
		}
		return s.Enabled, s.Force
	}
	enabledBefore, forceBefore := security(t.before.RowSecurity)
	enabled, force := security(t.after.RowSecurity)
	switch {
	case enabled && !enabledBefore:
		change("ENABLE ROW LEVEL SECURITY")
	case enabledBefore && !enabled:
		change("DISABLE ROW LEVEL SECURITY")
	}
	switch {
	case force && !forceBefore:
		change("FORCE ROW LEVEL SECURITY")
	case forceBefore && !force:
		change("NO FORCE ROW LEVEL SECURITY")
	}
	d.alterMarks(t)
}

// alterMarks says again which index identifies and orders the rows, where that changes or
// the index is made anew.
func (d *differ) alterMarks(t *tableChange) {
	table := d.to.alterTable(t.after)
	made := func(name string) bool {
		n := schema.Name{Schema: t.after.Schema, Name: name}
		constraint := schema.Name{Schema: t.after.Name.String(), Name: name}
		return d.again[d.to.key("index", n)] || d.again[d.to.key("constraint", constraint)]
	}
	index, byIndex := strings.CutPrefix(t.after.ReplicaIdentity, "USING INDEX ")
	index = strings.Trim(index, `"`)
	if t.before.ReplicaIdentity != t.after.ReplicaIdentity || byIndex && made(index) {
		identity := t.after.ReplicaIdentity
		switch {
		case identity == "":
			identity = "DEFAULT"
		case byIndex:
			identity = "USING INDEX " + d.to.quote(index)
		}
		t.finally = append(t.finally, table+" REPLICA IDENTITY "+identity+";")
	}
	switch on := t.after.ClusterOn; {
	case on == "" && t.before.ClusterOn != "":
		t.finally = append(t.finally, table+" SET WITHOUT CLUSTER;")
	case on != t.before.ClusterOn || on != "" && made(on):
		t.finally = append(t.finally, table+" CLUSTER ON "+d.to.quote(on)+";")
	}
}
