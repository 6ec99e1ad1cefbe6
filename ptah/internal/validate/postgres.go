package validate

import (
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/plain"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// hasVerbatim reports whether objects of a kind are declared that are kept as text.
func (c *checker) hasVerbatim(kind string) bool {
	return slices.ContainsFunc(c.db.Verbatim, func(v *schema.Verbatim) bool { return v.Kind == kind })
}

// notTruth says what a condition of PostgreSQL is that cannot be true or false; empty
// where it may be. Only columns and numbers are looked at: the types of other
// expressions are not known here.
func (c *checker) notTruth(e sqltree.Expr, x text) string {
	if !x.truth || !c.d.PostgresFamily() || c.hasVerbatim("CAST") {
		return ""
	}
	switch e := e.(type) {
	case *sqltree.Literal:
		if e.Kind == sqltree.NumberLiteral {
			return "a number"
		}
	case *sqltree.Op:
		if e.Name == "AND" || e.Name == "OR" || e.Name == "NOT" {
			for _, arg := range e.Args {
				if why := c.notTruth(arg, x); why != "" {
					return why
				}
			}
		}
	case *sqltree.Column:
		if x.of == nil || len(e.Parts) != 1 {
			break
		}
		col := c.column(x.of, sqltree.Postgres.Fold(e.Parts[0]))
		if col == nil {
			break
		}
		if dt, known := c.typeOf(col); known && (dt.name != "boolean" || dt.array > 0) {
			return "of type " + typeText(col)
		}
	}
	return ""
}

// changing returns the name of a function or value in an expression that is not the
// same for the same arguments; empty: none that is known.
func (c *checker) changing(e sqltree.Expr) string {
	if !c.d.PostgresFamily() && c.d != dialect.SQLite {
		return ""
	}
	found := ""
	sqltree.Walk(e, func(n sqltree.Node) bool {
		switch n := n.(type) {
		case *sqltree.Literal: // CURRENT_TIMESTAMP and its like
			if n.Kind == sqltree.OtherLiteral && slices.Contains(changingValues, n.Value) {
				found = n.Value
			}
		case *sqltree.Func:
			name := strings.ToLower(n.Name.Last().Name)
			known := changingFunctions
			if c.d == dialect.SQLite {
				known = sqliteChanging
			}
			if slices.Contains(known, name) && (len(n.Name.Parts) == 1 || strings.EqualFold(n.Name.Parts[0].Name, "pg_catalog")) &&
				!slices.ContainsFunc(c.db.Routines, func(r *schema.Routine) bool { return r.Name.Name == name }) {
				found = name + "()"
			}
		}
		return found == ""
	})
	return found
}

// changingValues are values that are written without parentheses; SQLite has the first
// ones of them.
var changingValues = []string{"CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP",
	"CURRENT_USER", "CURRENT_ROLE", "SESSION_USER", "USER", "CURRENT_CATALOG", "CURRENT_SCHEMA"}

// changingFunctions are functions of PostgreSQL of which no variant is immutable: a
// selection of those that people try.
var changingFunctions = strings.Fields(`random now clock_timestamp statement_timestamp transaction_timestamp timeofday gen_random_uuid
	nextval currval lastval setval current_setting current_database current_schema version txid_current
	concat concat_ws format to_char to_date to_number array_to_string to_json to_jsonb row_to_json`)

// sqliteChanging are those that SQLite does not take where an index is made. Others,
// such as date('now'), it finds out about when there are rows.
var sqliteChanging = []string{"random", "randomblob", "changes", "total_changes", "last_insert_rowid"}

// checkDefaultNames finds a default that names a column, which PostgreSQL and SQLite do
// not have (DEF003).
func (c *checker) checkDefaultNames(col *schema.Column, object string) {
	def := col.Default
	sqlite := c.d == dialect.SQLite
	switch {
	case !c.reads() || !c.d.PostgresFamily() && !sqlite:
		return
	case sqlite && col.Native && !strings.HasPrefix(strings.TrimSpace(def.Text), "("):
		return // a word by itself is a text
	}
	e := c.parseExpr(def.Text).expr
	if e == nil {
		return
	}
	if c.d.PostgresFamily() {
		why := forbidden(e, false)
		if why == "" {
			why = c.misplaced(e)
		}
		if why != "" {
			c.problem("DEF003", col.Origin, object, "default %.80q of column %.80q has %s, which is not allowed there", plain.Visible(def.Text), col.Name, why)
			return
		}
	}
	name := ""
	sqltree.Walk(e, func(n sqltree.Node) bool {
		if n, ok := n.(*sqltree.Column); ok {
			name = written(n.Parts)
		}
		return name == ""
	})
	if name != "" {
		c.problem("DEF003", col.Origin, object, "default %.80q of column %.80q names column %.80q; %s has no columns in defaults", plain.Visible(def.Text), col.Name, name, c.d)
	}
}

// checkCasts finds types in a view that nothing declares (TYP001). Where there is an
// extension it may bring them.
func (c *checker) checkCasts(v *view) {
	if !c.d.PostgresFamily() || len(c.db.Extensions) > 0 {
		return
	}
	reported := map[schema.Name]bool{}
	sqltree.Walk(v.query, func(n sqltree.Node) bool {
		cast, ok := n.(*sqltree.Cast)
		if !ok || len(cast.Type.Name.Parts) == 0 || len(cast.Type.Name.Parts) > 2 {
			return true
		}
		parts := cast.Type.Name.Parts
		name := schema.Name{Name: sqltree.Postgres.Fold(parts[len(parts)-1])}
		if len(parts) == 2 {
			name.Schema = sqltree.Postgres.Fold(parts[0])
		}
		if reported[name] || c.mayBeType(name) {
			return true
		}
		reported[name] = true
		c.missing("TYP001", v.Origin, v.object, "view %q casts to type %.80q, which is not declared", v.object, name.String())
		return true
	})
}

// mayBeType reports whether PostgreSQL may know a type.
func (c *checker) mayBeType(n schema.Name) bool {
	switch {
	case n.Schema == "pg_catalog", n.Schema == "information_schema", n.Schema == "" && dialect.PostgresBuiltin(n.Name),
		n.Schema == "" && (strings.HasPrefix(n.Name, "_") || strings.HasPrefix(n.Name, "pg_") || strings.HasPrefix(n.Name, "any") || strings.HasPrefix(n.Name, "reg")),
		extensionTypes[n.Name] != "", len(n.Name) > dialect.MaxNameBytes,
		c.types[c.key(n)].kind != "", c.relation(n) != nil:
		return true
	case n.Schema == "" && slices.Contains([]string{"unknown", "record", "cstring", "void", "trigger", "event_trigger", "internal", "language_handler"}, n.Name):
		return true
	}
	// In another schema of the search path, or a type that is kept as text.
	return n.Schema == "" && slices.ContainsFunc(c.db.Schemas, func(s *schema.Namespace) bool {
		return c.types[c.key(schema.Name{Schema: s.Name, Name: n.Name})].kind != ""
	}) ||
		slices.ContainsFunc(c.db.Verbatim, func(v *schema.Verbatim) bool { return v.Name.Name == n.Name })
}
