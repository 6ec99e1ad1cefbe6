package render

import (
	"fmt"
	"slices"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// spanner writes for Spanner in GoogleSQL.
type spanner struct{ *standard }

func writeSpanner(j *job) {
	s := &spanner{newStandard(j)}
	s.write(s)
}

func (s *spanner) namespace(n *schema.Namespace) string {
	return statement("CREATE SCHEMA", s.quote(n.Name))
}

func (s *spanner) column(t *schema.Table, c *schema.Column) string {
	object, at := t.Name.String()+"."+c.Name, at(c.Origin, t.Origin)
	m, values := s.columnType(c, object, at)
	if len(values) > 0 {
		m.SQL = fmt.Sprintf("STRING(%d)", longest(values))
		s.checks = append(s.checks, s.ownCheck(t, c, s.oneOf(c, values)))
	}
	clause := []string{s.quote(c.Name), m.SQL, given(s.notNull(t, c), "NOT NULL")}
	if value := s.defaultOf(c, object, at); value != "" {
		clause = append(clause, "DEFAULT", enclose(value))
	}
	if c.Generated != nil {
		clause = append(clause, "AS", parens(c.Generated.Expr), "STORED")
	}
	return clauses(append(clause, columnOption(c, "OPTIONS"))...)
}

// constraint adds a unique index for a unique constraint, of which there are none. As in
// other databases, rows with NULL are not compared.
func (s *spanner) constraint(t *schema.Table, c *schema.Constraint) string {
	switch c.Kind {
	case schema.Check:
		return s.check(s.constraintName(c), c.Expr)
	case schema.Unique:
		name := c.Name
		if name == "" {
			name = s.fresh(t.Name, func(mark string) string {
				return dialect.GeneratedName(t.Name.Name, dialect.JoinedColumns(c.Columns), "key"+mark)
			})
		}
		x := &schema.Index{Name: name, Unique: true, Keys: parts(c), Origin: c.Origin}
		if slices.ContainsFunc(t.Columns, func(col *schema.Column) bool { return slices.Contains(c.Columns, col.Name) && !s.notNull(t, col) }) {
			x.Kind = "NULL_FILTERED"
		}
		s.index(t, x)
	}
	return ""
}

func (s *spanner) table(t *schema.Table) string {
	s.ownOptions(t, "INTERLEAVE IN PARENT", "INTERLEAVE IN", "ROW DELETION POLICY")
	if !slices.ContainsFunc(t.Constraints, func(c *schema.Constraint) bool { return c.Kind == schema.PrimaryKey }) {
		s.noKey(t)
	}
	sql := "PRIMARY KEY " + s.keyList(primaryKey(t))
	for _, o := range t.Options {
		sql += ", " + clauses(o.Key, text(o.Value))
	}
	return sql
}

// noKey refuses a table without a primary key.
func (s *standard) noKey(t *schema.Table) {
	s.problem(finding.Schema, "TBL007", t.Name.String(), t.Origin, "table %q has no primary key, which %s needs; declare one", t.Name.String(), s.d)
}

func (s *spanner) index(t *schema.Table, x *schema.Index) string {
	name := s.ref(schema.Name{Schema: t.Schema, Name: s.indexName(x)})
	tail := ""
	if len(x.Include) > 0 {
		tail = " STORING " + s.list(x.Include)
	}
	for _, o := range x.Options {
		s.belongs(o.Key == "INTERLEAVE IN", true, subject{"index", s.indexName(x), x.Origin, "IDX004"}, fmt.Sprintf("has option %q", o.Key))
		tail += ", " + clauses(o.Key, o.Value)
	}
	s.createIndex(t, x, name, s.indexSort(x, "NULL_FILTERED"), tail)
	return ""
}

func (s *spanner) action(on, action string) (string, bool) {
	switch {
	case on == "ON DELETE" && (action == "CASCADE" || action == "NO ACTION"):
		return on + " " + action, true
	case action == "NO ACTION":
		return "", true // what goes without saying and cannot be said
	}
	return "", false
}

func (s *spanner) view(v *schema.View) string {
	s.namesColumns(v)
	security := "INVOKER"
	for _, o := range s.viewOptions(v, "SQL SECURITY") {
		security = o.Value
	}
	return s.query(v, "CREATE VIEW", s.ref(v.Name), "SQL SECURITY", security)
}

// namesColumns refuses a view with a list of columns.
func (s *standard) namesColumns(v *schema.View) {
	if len(v.Columns) > 0 {
		s.problem(finding.Schema, "VW006", v.Name.String(), v.Origin, "view %q has a list of columns, which %s does not take; name them in the query", v.Name.String(), s.d)
	}
}

func (s *spanner) comments() {}
