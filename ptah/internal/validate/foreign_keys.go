package validate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// foreignKey is one foreign key while it is checked.
type foreignKey struct {
	*schema.Constraint
	of      *table
	to      *table
	object  string
	on      string // its columns for people: "a", "b"
	local   []*schema.Column
	columns []string // of the referenced table
	remote  []*schema.Column
}

// checkForeignKeys checks foreign keys (FK001 to FK007 and FK010).
func (c *checker) checkForeignKeys(_ context.Context) {
	for _, t := range c.tables {
		for _, k := range t.constraints {
			if k.Kind == schema.ForeignKey {
				c.checkForeignKey(&foreignKey{Constraint: k, of: t})
			}
		}
	}
}

func (c *checker) checkForeignKey(k *foreignKey) {
	k.on = quoted(k.Columns)
	switch {
	case len(k.Columns) == 1:
		k.object = k.of.object + "." + k.Columns[0]
	case k.Name != "":
		k.object = k.of.object + "." + k.Name
	default:
		k.object = k.of.object
	}
	ref := k.Reference
	if ref == nil || ref.Table.Name == "" {
		c.problem("FK001", k.Origin, k.object, "foreign key on %s references nothing; write table(column)", k.on)
		return
	}
	if !c.columnLists(k) || !c.localColumns(k) {
		return
	}
	c.actions(k)
	r := c.relation(ref.Table)
	switch {
	case r == nil:
		c.missing("FK003", k.Origin, k.object, "foreign key on %s references table %.80q, which is not declared%s", k.on, c.show(ref.Table), c.nearTable(ref.Table))
		return
	case r.table == nil:
		c.problem("FK003", k.Origin, k.object, "foreign key on %s references %.80q, which is a %s; it can only reference a table", k.on, c.show(ref.Table), r.kind)
		return
	}
	k.to = r.table
	if !c.remoteColumns(k) {
		return
	}
	c.targetKey(k)
	c.compatible(k)
}

// quoted is a list of names for people.
func quoted(names []string) string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = fmt.Sprintf("%.80q", n)
	}
	return strings.Join(q, ", ")
}

// repeated is the first name that is in a list twice.
func (c *checker) repeated(names []string) (string, bool) {
	seen := map[string]bool{}
	for _, n := range names {
		if seen[c.d.Key(n)] {
			return n, true
		}
		seen[c.d.Key(n)] = true
	}
	return "", false
}

// columnLists checks the two lists of columns by themselves.
func (c *checker) columnLists(k *foreignKey) bool {
	bad := func(format string, args ...any) bool {
		c.problem("FK002", k.Origin, k.object, format, args...)
		return false
	}
	if len(k.Columns) == 0 {
		return bad("a foreign key of table %q has no columns", k.of.object)
	}
	// PostgreSQL and SQLite let one column refer to two.
	twice := (c.d.PostgresFamily() || c.d == dialect.SQLite) && asWritten(k.Origin)
	if n, ok := c.repeated(k.Columns); ok && !twice {
		return bad("foreign key on %s names column %.80q twice", k.on, n)
	}
	if n, ok := c.repeated(k.Reference.Columns); ok && !(c.d == dialect.SQLite && asWritten(k.Origin)) {
		return bad("foreign key on %s references column %.80q twice", k.on, n)
	}
	if n := len(k.Reference.Columns); n > 0 && n != len(k.Columns) {
		return bad("foreign key on %s has %s and references %d; the numbers must be equal", k.on, plain.Count(len(k.Columns), "column", "columns"), n)
	}
	return true
}

func (c *checker) localColumns(k *foreignKey) bool {
	for _, name := range k.Columns {
		col := c.column(k.of, name)
		if col == nil {
			if !k.of.open {
				c.missing("FK004", k.Origin, k.object, "foreign key names column %.80q, which table %q does not declare%s", name, k.of.object, c.nearColumn(k.of, name))
			}
			return false
		}
		k.local = append(k.local, col)
	}
	return true
}

// remoteColumns finds the columns that are referenced: without a list those of the
// primary key.
func (c *checker) remoteColumns(k *foreignKey) bool {
	k.columns = k.Reference.Columns
	if len(k.columns) == 0 {
		pk := k.to.primaryKey()
		if pk == nil {
			if !k.to.open {
				c.missing("FK005", k.Origin, k.object, "foreign key on %s references table %q, which has no primary key; name the columns of a unique key", k.on, k.to.object)
			}
			return false
		}
		k.columns = keyColumns(pk)
		if len(k.columns) != len(k.Columns) {
			c.problem("FK002", k.Origin, k.object, "foreign key on %s has %s and the primary key of table %q has %d; the numbers must be equal", k.on, plain.Count(len(k.Columns), "column", "columns"), k.to.object, len(k.columns))
			return false
		}
	}
	for _, name := range k.columns {
		col := c.column(k.to, name)
		if col == nil {
			if !k.to.open {
				c.missing("FK004", k.Origin, k.object, "foreign key on %s references column %.80q, which table %q does not declare%s", k.on, name, k.to.object, c.nearColumn(k.to, name))
			}
			return false
		}
		k.remote = append(k.remote, col)
	}
	return true
}

// keyOf is a key or index of a table that foreign keys may refer to.
type keyOf struct {
	columns []string
	unique  bool
	whole   bool // of all rows and of whole columns
	late    bool // deferrable: not checked at once
}

// keysOf lists the keys of a table, those that a partition has from its parent too.
func keysOf(t *table) []keyOf {
	var keys []keyOf
	for depth := 0; t != nil && depth < maxDomains; depth++ {
		for _, k := range t.constraints {
			if k.Kind == schema.PrimaryKey || k.Kind == schema.Unique {
				whole := !slices.ContainsFunc(k.Keys, func(p schema.IndexKey) bool { return p.Column == "" || p.Length > 0 })
				keys = append(keys, keyOf{keyColumns(k), true, whole, k.Deferrable})
			}
		}
		for _, x := range t.indexes {
			whole := x.Where == "" && !slices.ContainsFunc(x.Keys, func(p schema.IndexKey) bool { return p.Column == "" || p.Length > 0 })
			keys = append(keys, keyOf{indexColumns(x), x.Unique, whole && x.Kind != "FULLTEXT" && x.Kind != "SPATIAL", false})
		}
		if t.Partition == nil || len(t.parents) == 0 {
			break
		}
		t = t.parents[0]
	}
	return keys
}

// targetKey checks that the referenced columns are a key as the dialect wants it (FK005).
func (c *checker) targetKey(k *foreignKey) {
	if k.to.open || c.d == dialect.Spanner || c.d == dialect.ClickHouse || c.d == dialect.YDB {
		return
	}
	want := make([]string, len(k.columns))
	for i, n := range k.columns {
		want[i] = c.d.Key(n)
	}
	sorted := slices.Sorted(slices.Values(want))
	// InnoDB looks rows up by the beginning of an index; from 8.4 on MySQL wants the
	// whole of a unique one, as others do, and still in that order.
	prefix := c.d == dialect.MariaDB || c.d == dialect.MySQL && c.version.Before("8.4")
	late := false
	for _, key := range keysOf(k.to) {
		if !key.whole || !prefix && !key.unique {
			continue
		}
		have := make([]string, len(key.columns))
		for i, n := range key.columns {
			have[i] = c.d.Key(n)
		}
		var fits bool
		switch {
		case prefix:
			fits = len(have) >= len(want) && slices.Equal(have[:len(want)], want)
		case c.d == dialect.MySQL:
			fits = slices.Equal(have, want)
		default:
			fits = slices.Equal(slices.Sorted(slices.Values(have)), sorted)
		}
		if !fits {
			continue
		}
		if key.late && c.d.PostgresFamily() {
			late = true
			continue
		}
		return
	}
	on := quoted(k.columns)
	switch {
	case late:
		c.missing("FK005", k.Origin, k.object, "foreign key on %s references %s of table %q, whose key is deferrable; it must be one that is checked at once", k.on, on, k.to.object)
	case prefix:
		c.missing("FK005", k.Origin, k.object, "foreign key on %s references %s of table %q, with which no index begins; %s needs one", k.on, on, k.to.object, c.d)
	default:
		c.missing("FK005", k.Origin, k.object, "foreign key on %s references %s of table %q, which is no primary key and no unique one; make it one", k.on, on, k.to.object)
	}
}

// compatible checks that the columns can be compared (FK006).
func (c *checker) compatible(k *foreignKey) {
	for i, local := range k.local {
		remote := k.remote[i]
		from, ok1 := c.typeOf(local)
		to, ok2 := c.typeOf(remote)
		if !ok1 || !ok2 {
			continue
		}
		if !c.comparable(to, from) {
			c.problem("FK006", k.Origin, k.object, "foreign key column %.80q is of type %q and references %q.%.80q of type %q; the types must fit", local.Name, typeText(local), k.to.object, remote.Name, typeText(remote))
			continue
		}
		if c.d.MySQLFamily() && innoGroup(from) == "text" {
			a, b := charsetOf(k.of, local), charsetOf(k.to, remote)
			if a.differs(b) {
				c.problem("FK006", k.Origin, k.object, "foreign key column %.80q has %s and references %q.%.80q with %s; they must be the same", local.Name, a, k.to.object, remote.Name, b)
			}
		}
	}
}

func typeText(col *schema.Column) string {
	if col.Type.Text == "" {
		return "ENUM"
	}
	return plain.Line(col.Type.Text, 80)
}

// comparable reports whether a foreign key column of one type may refer to a key of
// another.
func (c *checker) comparable(key, column dataType) bool {
	switch {
	case c.d == dialect.SQLite, c.d == dialect.ClickHouse, c.d == dialect.Oracle, c.d == dialect.YDB:
		return true
	case c.d.MySQLFamily():
		return innoGroup(key) == innoGroup(column)
	case (key.array > 0) != (column.array > 0):
		return false
	case key.array > 0 || key.user != nil || column.user != nil:
		return key.name == column.name && (key.user == nil) == (column.user == nil)
	case c.d == dialect.SQLServer:
		return key.name == column.name
	}
	if key.name == "char" && column.name == "name" { // which converts to text alone
		return false
	}
	k, f := postgresGroup(key.name), postgresGroup(column.name)
	return k == f || slices.Contains(castTo[k], f)
}

// postgresGroup is the family of types that have comparisons with each other.
func postgresGroup(name string) string {
	switch name {
	case "smallint", "integer", "bigint":
		return "integer"
	case "real", "double precision":
		return "float"
	case "text", "varchar", "name":
		return "text"
	case "date", "timestamp", "timestamptz":
		return "timestamp"
	case "inet", "cidr":
		return "inet"
	case "macaddr", "macaddr8":
		return "macaddr"
	case "bit", "bit varying":
		return "bit"
	}
	return name
}

// castTo lists the families whose values PostgreSQL converts to another by itself.
var castTo = map[string][]string{
	"float": {"integer", "numeric"}, "numeric": {"integer"}, "oid": {"integer"},
	"text": {"char"}, "char": {"text"}, "timetz": {"time"}, "interval": {"time"},
}

// innoGroup is how InnoDB stores a type: columns of one group are the same to it.
func innoGroup(t dataType) string {
	switch t.name {
	case "boolean":
		return "tinyint"
	case "tinyint", "smallint", "int", "bigint":
		if t.unsigned {
			return t.name + " unsigned"
		}
		return t.name
	case "mediumint", "date":
		if t.unsigned {
			return "mediumint unsigned"
		}
		return "mediumint"
	case "char", "varchar", "nchar", "nvarchar", "tinytext", "text", "mediumtext", "longtext":
		return "text"
	case "float":
		return t.name
	case "double", "real":
		return "double"
	case "enum", "set", "year":
		return "enum"
	}
	if t.labels != nil {
		return "enum"
	}
	return "binary"
}

// charset is the character set and collation of a column, as far as they are declared.
type charset struct{ set, collation string }

func charsetOf(t *table, col *schema.Column) charset {
	s := charset{strings.ToLower(col.Charset), strings.ToLower(col.Collation)}
	if s == (charset{}) {
		s = charset{strings.ToLower(t.Charset), strings.ToLower(t.Collation)}
	}
	if s.set == "" && s.collation != "" {
		s.set, _, _ = strings.Cut(s.collation, "_")
	}
	if s.set == "utf8" {
		s.set = "utf8mb3"
	}
	s.collation = strings.Replace(s.collation, "utf8_", "utf8mb3_", 1)
	return s
}

func (s charset) differs(o charset) bool {
	return s.set != "" && o.set != "" && s.set != o.set || s.collation != "" && o.collation != "" && s.collation != o.collation
}

func (s charset) String() string {
	if s.collation != "" {
		return fmt.Sprintf("collation %.80q", s.collation)
	}
	return fmt.Sprintf("character set %.80q", s.set)
}

// notNull reports whether a column cannot be NULL.
func (c *checker) notNull(t *table, col *schema.Column) bool {
	if col.NotNull || col.Identity != nil || isSerial(col.Type) {
		return true
	}
	pk := t.primaryKey()
	return pk != nil && c.d != dialect.SQLite && slices.ContainsFunc(keyColumns(pk), func(n string) bool { return c.d.Key(n) == c.d.Key(col.Name) })
}

// actions checks that what is to happen to the columns can happen to them (FK007, FK010).
func (c *checker) actions(k *foreignKey) {
	for _, name := range k.Reference.SetColumns {
		if !slices.ContainsFunc(k.Columns, func(n string) bool { return c.d.Key(n) == c.d.Key(name) }) {
			c.problem("FK004", k.Origin, k.object, "foreign key on %s sets column %.80q, which is none of its own", k.on, name)
		}
	}
	// MySQL and SQL Server look when the key is made, others when a row goes.
	looks := c.d.MySQLFamily() || c.d == dialect.SQLServer || !asWritten(k.Origin)
	for _, a := range []struct{ on, action string }{{"ON DELETE", k.Reference.OnDelete}, {"ON UPDATE", k.Reference.OnUpdate}} {
		set := k.local
		if a.on == "ON DELETE" && len(k.Reference.SetColumns) > 0 {
			set = slices.DeleteFunc(slices.Clone(set), func(col *schema.Column) bool {
				return !slices.ContainsFunc(k.Reference.SetColumns, func(n string) bool { return c.d.Key(n) == c.d.Key(col.Name) })
			})
		}
		for _, col := range set {
			switch {
			case col.Generated != nil:
				c.generatedAction(k, col, a.on, a.action)
			case a.action == "SET NULL" && looks && c.notNull(k.of, col):
				c.problem("FK007", k.Origin, k.object, "foreign key on %s has %s SET NULL and column %.80q is NOT NULL; make it nullable or use another action", k.on, a.on, col.Name)
			case a.action == "SET DEFAULT" && looks && c.has(dialect.SetDefaultAction) && col.Default == nil && c.notNull(k.of, col):
				c.problem("FK007", k.Origin, k.object, "foreign key on %s has %s SET DEFAULT and column %.80q has no default; declare one or use another action", k.on, a.on, col.Name)
			}
		}
	}
	if !c.d.MySQLFamily() {
		return
	}
	// A stored column that is computed from one that an action changes would have to
	// change with it, which InnoDB does not do.
	cascades := k.Reference.OnUpdate == "CASCADE" || k.Reference.OnUpdate == "SET NULL" || k.Reference.OnDelete == "SET NULL"
	for _, g := range k.of.Columns {
		if g.Generated == nil || !g.Generated.Stored || !cascades {
			continue
		}
		for _, col := range k.local {
			if col != g && c.uses(k.of, g, col) {
				c.problem("FK010", k.Origin, k.object, "foreign key on %s changes column %.80q, from which stored column %.80q is computed; %s does not allow that", k.on, col.Name, g.Name, c.d)
			}
		}
	}
}

// generatedAction checks the actions of a foreign key on a computed column.
func (c *checker) generatedAction(k *foreignKey, col *schema.Column, on, action string) {
	switch {
	case c.d == dialect.MySQL && !col.Generated.Stored:
		if on == "ON DELETE" { // once
			c.problem("FK010", k.Origin, k.object, "foreign key on %s is on the virtual column %.80q; mysql allows it on stored ones", k.on, col.Name)
		}
	case c.d == dialect.SQLite:
	case action == "SET NULL", action == "SET DEFAULT", action == "CASCADE" && on == "ON UPDATE":
		c.problem("FK010", k.Origin, k.object, "foreign key on %s has %s %s and column %.80q is generated; its value cannot be set", k.on, on, action, col.Name)
	}
}

// maxCascades bounds the search for ways of cascades: more steps than any schema that
// people write needs.
const maxCascades = 5_000_000

// cascade is a foreign key that hands a change of a table on to another.
type cascade struct {
	from int // the table that is referenced
	key  *schema.Constraint
}

// checkCascadePaths finds tables that a change can reach in two ways or again, which
// SQL Server refuses (FK011).
func (c *checker) checkCascadePaths(context.Context) {
	if c.d != dialect.SQLServer {
		return
	}
	place := map[*table]int{}
	for i, t := range c.tables {
		place[t] = i
	}
	into := make([][]cascade, len(c.tables)) // by the table that references
	acts := func(action string) bool {
		return action == "CASCADE" || action == "SET NULL" || action == "SET DEFAULT"
	}
	for i, t := range c.tables {
		for _, k := range t.constraints {
			if r := k.Reference; k.Kind == schema.ForeignKey && r != nil && (acts(r.OnDelete) || acts(r.OnUpdate)) {
				if p := c.table(r.Table); p != nil {
					into[i] = append(into[i], cascade{place[p], k})
				}
			}
		}
	}
	report := func(i int, k *schema.Constraint, way string) {
		object := c.tables[i].object
		if len(k.Columns) == 1 {
			object += "." + k.Columns[0]
		}
		c.problem("FK011", k.Origin, object, "foreign key on %s lets a change reach table %q %s; sqlserver allows one way, use NO ACTION for the others", quoted(k.Columns), c.tables[i].object, way)
	}
	circular := map[int]bool{}
	for _, group := range circles(len(into), func(i int) []int {
		var list []int
		for _, e := range into[i] {
			list = append(list, e.from)
		}
		return list
	}) {
		for _, i := range group {
			circular[i] = true
		}
		for _, e := range into[group[0]] {
			if slices.Contains(group, e.from) {
				report(group[0], e.key, "in a circle")
				break
			}
		}
	}
	steps := 0
	for i, edges := range into {
		reached := map[int]int{} // which edge of this table leads up to a table, from 1
	ways:
		for n, first := range edges {
			for todo := []int{first.from}; len(edges) > 1 && len(todo) > 0 && steps < maxCascades; steps++ {
				at := todo[len(todo)-1]
				todo = todo[:len(todo)-1]
				switch by := reached[at]; {
				case circular[at] || circular[i] || by == n+1:
				case by > 0:
					report(i, first.key, fmt.Sprintf("in two ways from table %q", c.tables[at].object))
					break ways
				default:
					reached[at] = n + 1
					for _, e := range into[at] {
						todo = append(todo, e.from)
					}
				}
			}
		}
	}
}
