package validate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// checkRowSecurity checks policies and the tables that they are for (RLS).
func (c *checker) checkRowSecurity(_ context.Context) {
	enabled := map[schema.Name]bool{}
	for _, s := range c.db.RowSecurity {
		enabled[c.key(s.Table)] = s.Enabled
		c.securedTable(s.Table, s.Origin, c.show(s.Table), "row security")
	}
	seen := space[scoped]{}
	for _, p := range c.db.Policies {
		object := c.show(p.Table) + "." + p.Name
		bad := func(format string, args ...any) { c.problem("RLS001", p.Origin, object, format, args...) }
		tk := c.key(p.Table)
		if old, taken := seen.claim(scoped{tk.Schema + "\x00" + tk.Name, c.d.Key(p.Name)}, owner{"policy", p.Name, p.Origin}); taken {
			bad("table %q has two policies %.80q%s; rename one of them", c.show(p.Table), p.Name, old.also())
		}
		switch strings.ToUpper(p.Command) {
		case "", "ALL", "UPDATE":
		case "INSERT":
			if p.Using != "" {
				bad("policy %.80q is for INSERT and has USING; new rows are checked by WITH CHECK", p.Name)
			}
		case "SELECT", "DELETE":
			if p.Check != "" {
				bad("policy %.80q is for %s and has WITH CHECK; rows that are there are checked by USING", p.Name, strings.ToUpper(p.Command))
			}
		default:
			bad("policy %.80q is for %.80q; it can be ALL, SELECT, INSERT, UPDATE or DELETE", p.Name, p.Command)
		}
		t := c.securedTable(p.Table, p.Origin, object, fmt.Sprintf("policy %.80q", p.Name))
		if t == nil {
			continue
		}
		// A script may well declare a policy that waits for row security; dumps do.
		if p.Language != schema.SQL && !(t.RowSecurity != nil && t.RowSecurity.Enabled) && !enabled[tk] {
			c.missing("RLS002", p.Origin, object, "policy %.80q has no effect: row security of table %q is not enabled", p.Name, t.object)
		}
		for _, x := range []struct{ what, expr string }{{"USING", p.Using}, {"WITH CHECK", p.Check}} {
			if x.expr != "" {
				c.expression(text{rule: "RLS001", what: x.what, expr: x.expr, of: t, queries: true, truth: true, at: p.Origin, object: object})
			}
		}
	}
}

// securedTable finds the table that row security is for.
func (c *checker) securedTable(n schema.Name, at schema.Origin, object, what string) *table {
	r := c.relation(n)
	switch {
	case r == nil:
		c.missing("RLS001", at, object, "%s is for table %.80q, which is not declared%s", what, c.show(n), c.nearTable(n))
		return nil
	case r.table == nil:
		c.problem("RLS001", at, object, "%s is for %.80q, which is a %s; it can only be for a table", what, c.show(n), r.kind)
		return nil
	}
	return r.table
}

// privileges are those that can be granted on each kind of object, in PostgreSQL and
// what is like it.
var privileges = map[string][]string{
	"TABLE":      {"SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER", "MAINTAIN"},
	"SEQUENCE":   {"USAGE", "SELECT", "UPDATE"},
	"SCHEMA":     {"CREATE", "USAGE"},
	"FUNCTION":   {"EXECUTE"},
	"PROCEDURE":  {"EXECUTE"},
	"ROUTINE":    {"EXECUTE"},
	"TYPE":       {"USAGE"},
	"DOMAIN":     {"USAGE"},
	"LANGUAGE":   {"USAGE"},
	"DATABASE":   {"CREATE", "CONNECT", "TEMPORARY", "TEMP"},
	"TABLESPACE": {"CREATE"},
}

// columnPrivileges are those that can be granted on columns.
var columnPrivileges = []string{"SELECT", "INSERT", "UPDATE", "REFERENCES", "ALL", "ALL PRIVILEGES"}

// checkGrants checks grants: the privileges and what they are on (ROL001).
func (c *checker) checkGrants(_ context.Context) {
	for _, g := range c.db.Grants {
		on := strings.ToUpper(g.On)
		if on == "" {
			on = "TABLE"
		}
		object := c.show(g.Object)
		if on == "SCHEMA" {
			object = g.Object.Name
		}
		if c.d.PostgresFamily() && g.WithOption && slices.ContainsFunc(g.Roles, func(r string) bool { return strings.EqualFold(r, "public") }) {
			c.problem("ROL001", g.Origin, object, "grant on %.80q to PUBLIC has the grant option; only roles can have that", object)
		}
		known, listed := privileges[on]
		if c.d.PostgresFamily() && listed {
			if r := c.relation(g.Object); on == "TABLE" && r != nil && r.kind == "sequence" {
				known = slices.Concat(known, privileges["SEQUENCE"])
			}
			for _, p := range g.Privileges {
				c.privilege(g, p, known, object, on)
			}
		}
		c.grantTarget(g, on, object)
	}
}

func (c *checker) privilege(g *schema.Grant, privilege string, known []string, object, on string) {
	bad := func(format string, args ...any) { c.problem("ROL001", g.Origin, object, format, args...) }
	name, columns, listed := strings.Cut(privilege, "(")
	name = strings.ToUpper(strings.TrimSpace(name))
	switch {
	case name == "ALL" || name == "ALL PRIVILEGES":
	case !slices.Contains(known, name):
		bad("privilege %.80q cannot be granted on a %s; use %s", name, strings.ToLower(on), strings.Join(append(slices.Clone(known), "ALL"), ", "))
		return
	case name == "MAINTAIN" && c.d == dialect.Postgres && c.version.Before("17.0"):
		bad("privilege MAINTAIN is known from PostgreSQL 17 on")
		return
	}
	if !listed {
		return
	}
	if !slices.Contains(columnPrivileges, name) {
		bad("privilege %.80q cannot be granted on columns", name)
		return
	}
	t := c.table(g.Object)
	if t == nil || t.open {
		return
	}
	for column := range strings.SplitSeq(strings.TrimSuffix(strings.TrimSpace(columns), ")"), ",") {
		column = unquoteName(column)
		if c.column(t, column) == nil && c.column(t, strings.ToLower(column)) == nil {
			c.missing("ROL001", g.Origin, object, "grant names column %.80q, which table %q does not declare%s", column, t.object, c.nearColumn(t, column))
		}
	}
}

// grantTarget checks that the object of a grant is declared. What an extension brings
// is not, and PostgreSQL's own objects are not.
func (c *checker) grantTarget(g *schema.Grant, on, object string) {
	if reservedSchema(c.d, g.Object.Schema) {
		return
	}
	undeclared := func(what, near string) {
		c.missing("ROL001", g.Origin, object, "grant on %s %.80q, which is not declared%s", what, object, near)
	}
	r := c.relation(g.Object)
	switch on {
	case "TABLE":
		if r == nil && c.catalog.byKey[c.catalog.key(g.Object)] == nil && !c.catalog.elsewhere(c.catalog.key(g.Object), g.Object.Schema != "") {
			undeclared("table", c.nearTable(g.Object))
		}
	case "SEQUENCE":
		s := c.catalog.byKey[c.catalog.key(g.Object)]
		switch {
		case r != nil && r.kind != "sequence":
			c.problem("ROL001", g.Origin, object, "grant on sequence %.80q, which is a %s", object, r.kind)
		case s == nil && c.d.PostgresFamily():
			// The sequence of a column may have a name that only the database knows.
			if !strings.HasSuffix(g.Object.Name, "_seq") || !c.hasCounting(g.Object) {
				undeclared("sequence", "")
			}
		}
	case "SCHEMA":
		if c.d.PostgresFamily() && !c.catalog.schemas[g.Object.Name] && g.Object.Name != c.d.DefaultSchema() && !reservedSchema(c.d, g.Object.Name) &&
			!slices.ContainsFunc(c.db.Schemas, func(s *schema.Namespace) bool { return s.Name == g.Object.Name }) {
			undeclared("schema", "")
		}
	case "TYPE", "DOMAIN":
		u := c.types[c.key(g.Object)]
		switch {
		case !c.d.PostgresFamily() || len(c.db.Extensions) > 0:
		case !c.mayBeType(g.Object):
			undeclared(strings.ToLower(on), "")
		case on == "DOMAIN" && u.kind != "" && u.kind != "domain":
			c.problem("ROL001", g.Origin, object, "grant on domain %.80q, which is another kind of type", object)
		}
	case "LANGUAGE":
		if why := c.unknownLanguage(g.Object.Name); why != "" && c.d.PostgresFamily() {
			undeclared("language", "")
		}
	case "FUNCTION", "PROCEDURE", "ROUTINE":
		if len(c.db.Extensions) == 0 && !c.routineNames()[c.catalog.key(g.Object)] {
			undeclared(strings.ToLower(on), "")
		}
	}
}

// routineNames are the names of everything that can be called: what the model does not
// take apart may be.
func (c *checker) routineNames() map[schema.Name]bool {
	if c.routines == nil {
		c.routines = map[schema.Name]bool{}
		for _, r := range c.db.Routines {
			c.routines[c.catalog.key(r.Name)] = true
		}
		for _, v := range c.db.Verbatim {
			c.routines[c.catalog.key(v.Name)] = true
		}
	}
	return c.routines
}

// hasCounting reports whether a table whose name begins the sequence's has a column
// that numbers its rows.
func (c *checker) hasCounting(sequence schema.Name) bool {
	for _, t := range c.tables {
		if c.key(t.Name).Schema == c.key(sequence).Schema && slices.ContainsFunc(t.Columns, c.counts) {
			return true
		}
	}
	return false
}

// extensionTypes are types that PostgreSQL has from extensions.
var extensionTypes = map[string]string{
	"citext": "citext", "vector": "vector", "halfvec": "vector", "sparsevec": "vector", "hstore": "hstore",
	"ltree": "ltree", "lquery": "ltree", "ltxtquery": "ltree", "geometry": "postgis", "geography": "postgis",
	"cube": "cube", "isbn": "isn", "isbn13": "isn", "seg": "seg",
}

// checkExtensions finds types of extensions that are not declared (EXT001).
func (c *checker) checkExtensions(_ context.Context) {
	declared := map[string]bool{}
	for _, x := range c.db.Extensions {
		declared[strings.ToLower(x.Name)] = true
	}
	need := func(t schema.Type, at schema.Origin, object string) {
		ext := extensionTypes[strings.ToLower(t.Name)]
		if ext == "" || declared[ext] || c.userType(t).kind != "" {
			return
		}
		if slices.ContainsFunc(c.db.Verbatim, func(v *schema.Verbatim) bool { return strings.EqualFold(v.Name.Name, t.Name) }) {
			return // a type of the author's own
		}
		c.missing("EXT001", at, object, "type %.80q comes from extension %q, which is not declared", t.Text, ext)
	}
	for _, t := range c.tables {
		for _, col := range t.Columns {
			need(col.Type, col.Origin, t.object+"."+col.Name)
		}
	}
	for _, x := range c.db.Domains {
		need(x.Type, x.Origin, c.show(x.Name))
	}
}
