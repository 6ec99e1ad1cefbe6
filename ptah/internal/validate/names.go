package validate

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// owner is who has a name.
type owner struct {
	kind, name string // the name as declared
	at         schema.Origin
}

// space is a set of names of which each may be used once.
type space[K comparable] map[K]owner

// claim takes a name; if it is taken it returns by whom.
func (s space[K]) claim(key K, o owner) (owner, bool) {
	old, taken := s[key]
	if !taken {
		s[key] = o
	}
	return old, taken
}

// clash is the rule that a second use of a name breaks: names that only the database
// takes for one break NAM002.
func (o owner) clash(name string, rule finding.Rule) finding.Rule {
	if o.name != name {
		return "NAM002"
	}
	return rule
}

// also is the end of a message about a name that is taken.
func (o owner) also() string {
	if o.at.Path == "" {
		return ""
	}
	return fmt.Sprintf(" (%s)", o.at)
}

// checkNames checks the names of everything (NAM) and that no two things have the same
// one where the database keeps them apart by name (TBL006, CHK003, FK008, IDX005).
func (c *checker) checkNames(_ context.Context) {
	relations := space[schema.Name]{}
	types := space[schema.Name]{}
	schemas := map[string]bool{}
	standalone := func(kind string, n schema.Name, at schema.Origin) {
		c.identifier(kind, n.Name, at, c.show(n))
		if n.Schema != "" && !schemas[n.Schema] {
			schemas[n.Schema] = true
			c.schemaName(n.Schema, at, c.show(n))
		}
	}
	take := func(in space[schema.Name], kind string, n schema.Name, at schema.Origin) {
		old, taken := in.claim(c.key(n), owner{kind, n.Name, at})
		if taken {
			c.problem(old.clash(n.Name, "TBL006"), at, c.show(n), "%s %.80q has the name of %s %.80q%s; %s keeps them in one set of names, rename one of them", kind, n.Name, old.kind, old.name, old.also(), c.d)
		}
	}
	for _, s := range c.db.Schemas {
		c.identifier("schema", s.Name, s.Origin, s.Name)
		if !schemas[s.Name] {
			schemas[s.Name] = true
			c.schemaName(s.Name, s.Origin, s.Name)
		}
	}
	rowTypes := c.d.PostgresFamily()
	for _, t := range c.db.Tables {
		standalone("table", t.Name, t.Origin)
		take(relations, "table", t.Name, t.Origin)
		if rowTypes {
			take(types, "table", t.Name, t.Origin)
		}
		for _, col := range t.Columns {
			c.identifier("column", col.Name, col.Origin, c.show(t.Name)+"."+col.Name)
		}
	}
	for _, v := range c.db.Views {
		standalone("view", v.Name, v.Origin)
		// A table of the same name has the type of the same name: one problem says so.
		_, both := relations[c.key(v.Name)]
		take(relations, "view", v.Name, v.Origin)
		if rowTypes && !both {
			take(types, "view", v.Name, v.Origin)
		}
	}
	if c.has(dialect.Sequences) {
		for _, s := range c.db.Sequences {
			standalone("sequence", s.Name, s.Origin)
			take(relations, "sequence", s.Name, s.Origin)
		}
	}
	typeName := func(kind string, n schema.Name, at schema.Origin) {
		if rowTypes { // elsewhere a type is written out where it is used
			standalone(kind, n, at)
			take(types, kind, n, at)
		}
	}
	for _, e := range c.db.Enums {
		typeName("enum", e.Name, e.Origin)
	}
	for _, x := range c.db.Domains {
		typeName("domain", x.Name, x.Origin)
	}
	for _, x := range c.db.Composites {
		typeName("composite type", x.Name, x.Origin)
	}
	for _, x := range c.db.Ranges {
		typeName("range type", x.Name, x.Origin)
	}
	for _, r := range c.db.Routines {
		standalone("routine", r.Name, r.Origin)
	}
	for _, t := range c.db.Triggers {
		c.identifier("trigger", t.Name, t.Origin, t.Name)
	}
	for _, p := range c.db.Policies {
		c.identifier("policy", p.Name, p.Origin, p.Name)
	}
	for _, r := range c.db.Roles {
		c.identifier("role", r.Name, r.Origin, r.Name)
		if reservedRole(c.d, r.Name) {
			c.problem("NAM003", r.Origin, r.Name, "role %.80q has a name that %s keeps for itself", r.Name, c.d)
		}
	}
	c.grantedRoles()
	c.checkConstraintNames(relations)
	c.checkIndexNames(relations)
}

// grantedRoles refuses rights for the system's own roles where the declaration is not
// the database's own SQL: a schema that is declared for several databases does not
// hand out rights to roles that come with one of them. PUBLIC is everybody.
func (c *checker) grantedRoles() {
	refuse := func(roles []string, at schema.Origin, object string) {
		if asWritten(at) {
			return
		}
		for _, r := range roles {
			if !strings.EqualFold(r, "public") && (reservedRole(c.d, r) || strings.EqualFold(r, "postgres")) {
				c.problem("NAM003", at, object, "role %.80q is one of the system's own; name a role of the application", r)
			}
		}
	}
	for _, g := range c.db.Grants {
		refuse(g.Roles, g.Origin, c.show(g.Object))
	}
	for _, p := range c.db.Policies {
		refuse(p.Roles, p.Origin, p.Name)
	}
}

func reservedRole(d dialect.Dialect, name string) bool {
	low := strings.ToLower(name)
	switch {
	case d.PostgresFamily():
		switch low {
		case "public", "none", "current_user", "current_role", "session_user":
			return true
		}
		return strings.HasPrefix(name, "pg_")
	case d == dialect.SQLServer:
		return low == "public" || low == "sys" || low == "information_schema" || low == "dbo" || low == "guest"
	case d.MySQLFamily():
		return low == "event_scheduler" || low == "public" || low == "none"
	case d == dialect.Oracle:
		return low == "public" || low == "sys" || low == "system"
	}
	return false
}

// reservedSchemas are the schemas that belong to the database itself.
func reservedSchema(d dialect.Dialect, name string) bool {
	low := strings.ToLower(name)
	switch {
	case d.PostgresFamily():
		return strings.HasPrefix(name, "pg_") || name == "information_schema" || d == dialect.CockroachDB && name == "crdb_internal"
	case d.MySQLFamily():
		return low == "mysql" || low == "sys" || low == "information_schema" || low == "performance_schema"
	case d == dialect.SQLServer, d == dialect.Oracle:
		return low == "sys" || low == "system" && d == dialect.Oracle || low == "information_schema"
	case d == dialect.ClickHouse:
		return low == "system" || low == "information_schema"
	case d == dialect.Spanner:
		return low == "information_schema" || low == "spanner_sys"
	}
	return false
}

func (c *checker) schemaName(name string, at schema.Origin, object string) {
	if reservedSchema(c.d, name) {
		c.problem("NAM003", at, object, "schema %.80q is one of %s's own; use another", name, c.d)
	}
}

// identifier checks one name by itself.
func (c *checker) identifier(kind, name string, at schema.Origin, object string) {
	bad := func(format string, args ...any) {
		c.problem("NAM001", at, object, "%s name %.80q %s", kind, name, fmt.Sprintf(format, args...))
	}
	if name == "" {
		if kind == "column" {
			c.problem("TBL005", at, object, "a column has no name")
			return
		}
		c.problem("NAM001", at, object, "a %s has an empty name", kind)
		return
	}
	limit, unit := c.d.NameLimit()
	length := len(name)
	if unit == "characters" {
		length = utf8.RuneCountInString(name)
	}
	switch {
	case strings.IndexByte(name, 0) >= 0:
		bad("contains a NUL character")
	case !utf8.ValidString(name):
		bad("is not valid UTF-8")
	case limit > 0 && length > limit && !c.d.PostgresFamily(): // those cut it
		bad("has %d %s; %s allows %d", length, unit, c.d, limit)
	case c.d == dialect.SQLite && (kind == "table" || kind == "view" || kind == "index" || kind == "trigger") && len(name) >= 7 && strings.EqualFold(name[:7], "sqlite_"):
		c.problem("NAM003", at, object, "%s name %.80q begins with sqlite_, which sqlite keeps for itself", kind, name)
	case c.d.MySQLFamily():
		switch {
		case strings.HasSuffix(name, " ") && (kind == "table" || kind == "view" || kind == "column" || kind == "index"):
			bad("ends in a blank, which %s does not allow", c.d)
		case strings.ContainsFunc(name, func(r rune) bool { return r > 0xFFFF }):
			bad("has a character that names in %s cannot have (beyond U+FFFF)", c.d)
		case kind == "index" && strings.EqualFold(name, "primary"):
			c.problem("NAM003", at, object, "index name %.80q is that of the primary key", name)
		}
	case c.d.PostgresFamily() && kind == "column" && systemColumn(name):
		c.problem("NAM003", at, object, "column name %.80q is that of a system column", name)
	}
}

func systemColumn(name string) bool {
	switch name {
	case "ctid", "xmin", "xmax", "cmin", "cmax", "tableoid":
		return true
	}
	return false
}

// scoped is a name in the part of the schema in which it must be unique.
type scoped struct{ scope, name string }

// checkConstraintNames finds constraints of one name. Where PostgreSQL makes an index
// for a constraint, the name is that of a relation too.
func (c *checker) checkConstraintNames(relations space[schema.Name]) {
	inTable, inSchema, foreign, checks := space[scoped]{}, space[scoped]{}, space[scoped]{}, space[scoped]{}
	for _, t := range c.tables {
		tk := c.key(t.Name)
		for _, k := range t.constraints {
			if k.Name == "" {
				continue
			}
			kind := constraintKind(k)
			object := t.object + "." + k.Name
			c.identifier("constraint", k.Name, k.Origin, object)
			me := owner{kind, k.Name, k.Origin}
			report := func(old owner, where string) {
				rule := finding.Rule("CHK003")
				if k.Kind == schema.ForeignKey && old.kind == kind {
					rule = "FK008"
				}
				c.problem(old.clash(k.Name, rule), k.Origin, object, "%s %.80q has the name of %s %.80q of %s%s; rename one of them", kind, k.Name, old.kind, old.name, where, old.also())
			}
			name := c.d.Key(k.Name)
			table := scoped{tk.Schema + "\x00" + tk.Name, name}
			switch {
			case c.d == dialect.SQLite: // names of constraints mean nothing
			case c.d.MySQLFamily():
				// Names of keys are those of indexes. MySQL 8 keeps checks apart by database,
				// MariaDB all constraints by table; foreign keys are files of the database in both.
				if k.Kind == schema.ForeignKey {
					if old, taken := foreign.claim(scoped{tk.Schema, name}, me); taken {
						report(old, "the database")
						continue
					}
				}
				if k.Kind == schema.Check && c.d == dialect.MySQL {
					if old, taken := checks.claim(scoped{tk.Schema, name}, me); taken {
						report(old, "the database")
					}
				}
				if c.d == dialect.MariaDB && (k.Kind == schema.Check || k.Kind == schema.ForeignKey) {
					if old, taken := inTable.claim(table, me); taken {
						report(old, fmt.Sprintf("table %q", t.object))
					}
				}
			case c.d == dialect.SQLServer, c.d == dialect.Oracle, c.d == dialect.Spanner:
				if old, taken := inSchema.claim(scoped{tk.Schema, name}, me); taken {
					report(old, "the schema")
				}
			default:
				if old, taken := inTable.claim(table, me); taken {
					report(old, fmt.Sprintf("table %q", t.object))
					continue
				}
				if hasIndex(k) && c.d.PostgresFamily() && c.d != dialect.CockroachDB {
					n := schema.Name{Schema: t.Schema, Name: k.Name}
					if old, taken := relations.claim(c.key(n), owner{kind, k.Name, k.Origin}); taken {
						report(old, "the schema")
					}
				}
			}
		}
	}
	for _, x := range c.db.Domains {
		seen := space[string]{}
		for _, k := range x.Checks {
			if k.Name == "" {
				continue
			}
			if old, taken := seen.claim(c.d.Key(k.Name), owner{"check", k.Name, k.Origin}); taken {
				c.problem("CHK003", x.Origin, c.show(x.Name), "domain %.80q has two checks of the name %.80q%s; rename one of them", c.show(x.Name), k.Name, old.also())
			}
		}
	}
}

// hasIndex reports whether the database makes an index for a constraint.
func hasIndex(k *schema.Constraint) bool {
	return k.Kind == schema.PrimaryKey || k.Kind == schema.Unique || k.Kind == schema.Exclude
}

// constraintKind is the kind of a constraint for people: "foreign key".
func constraintKind(k *schema.Constraint) string {
	if k.Kind == schema.Exclude {
		return "exclusion constraint"
	}
	if k.Kind == schema.Unique {
		return "unique constraint"
	}
	return strings.ToLower(string(k.Kind))
}

// checkIndexNames finds indexes of one name.
func (c *checker) checkIndexNames(relations space[schema.Name]) {
	seen := space[scoped]{}
	one := func(x *schema.Index, of schema.Name) {
		if x.Name == "" {
			return
		}
		c.identifier("index", x.Name, x.Origin, x.Name)
		me := owner{"index", x.Name, x.Origin}
		report := func(old owner, where string) {
			c.problem(old.clash(x.Name, "IDX005"), x.Origin, x.Name, "index %.80q has the name of %s %.80q of %s%s; rename one of them", x.Name, old.kind, old.name, where, old.also())
		}
		tk := c.key(of)
		name := c.d.Key(x.Name)
		switch c.d {
		case dialect.Postgres, dialect.YugabyteDB, dialect.SQLite:
			// An index is in the schema of its table.
			where := "the schema"
			if c.d == dialect.SQLite {
				where = "the database"
			}
			if old, taken := relations.claim(c.key(schema.Name{Schema: of.Schema, Name: x.Name}), me); taken {
				report(old, where)
			}
		case dialect.Oracle:
			if old, taken := seen.claim(scoped{tk.Schema, name}, me); taken {
				report(old, "the schema")
			}
		case dialect.Spanner:
			if old, taken := seen.claim(scoped{"", name}, me); taken {
				report(old, "the database")
			}
		default:
			if old, taken := seen.claim(scoped{tk.Schema + "\x00" + tk.Name, name}, me); taken {
				report(old, fmt.Sprintf("table %q", c.show(of)))
			}
		}
	}
	for _, t := range c.tables {
		if c.d.MySQLFamily() || c.d == dialect.SQLServer || c.d == dialect.CockroachDB {
			tk := c.key(t.Name)
			for _, k := range t.constraints {
				if k.Kind == schema.Unique && k.Name != "" {
					if old, taken := seen.claim(scoped{tk.Schema + "\x00" + tk.Name, c.d.Key(k.Name)}, owner{"unique constraint", k.Name, k.Origin}); taken && c.d.MySQLFamily() {
						c.problem(old.clash(k.Name, "CHK003"), k.Origin, t.object+"."+k.Name, "unique constraint %.80q has the name of %s %.80q of table %q%s; rename one of them", k.Name, old.kind, old.name, t.object, old.also())
					}
				}
			}
		}
		for _, x := range t.indexes {
			one(x, t.Name)
		}
	}
	for _, v := range c.db.Views {
		for _, x := range v.Indexes {
			one(x, v.Name)
		}
	}
}
