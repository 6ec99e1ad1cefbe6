package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// sqlserver writes for SQL Server. Each statement is a batch of its own.
type sqlserver struct{ *standard }

func writeSQLServer(j *job) {
	s := &sqlserver{newStandard(j)}
	for _, q := range j.db.Sequences {
		s.createSequence(q, clauses(given(q.As != "", "AS "+q.As), sequenceOptions(q.SequenceOptions)))
	}
	s.write(s)
}

func (s *sqlserver) namespace(n *schema.Namespace) string {
	return statement("CREATE SCHEMA", s.quote(n.Name))
}

func (s *sqlserver) column(t *schema.Table, c *schema.Column) string {
	object, at := t.Name.String()+"."+c.Name, at(c.Origin, t.Origin)
	clause := []string{s.quote(c.Name)}
	var own []string
	if g := c.Generated; g != nil {
		if c.NotNull && !g.Stored {
			s.problem(finding.Schema, "GEN001", object, at, "generated column %q is NOT NULL and not stored; sqlserver takes that of stored ones only; set generated_kind to stored", object)
		}
		clause = append(clause, "AS", parens(g.Expr), given(g.Stored, "PERSISTED"))
	} else {
		m, values := s.columnType(c, object, at)
		if len(values) > 0 {
			m.SQL = fmt.Sprintf("NVARCHAR(%d)", longest(values))
			own = append(own, s.ownCheck(t, c, s.oneOf(c, values)))
		}
		if m.Check != "" {
			own = append(own, s.ownCheck(t, c, strings.ReplaceAll(m.Check, "{}", s.quote(c.Name))))
		}
		clause = append(clause, m.SQL, given(c.Collation != "", "COLLATE "+c.Collation))
		if s.counts(c, m, object, at) {
			clause = append(clause, s.identity(c, object, at))
		}
	}
	for _, key := range columnOptions[s.d] {
		clause = append(clause, columnOption(c, key))
	}
	for _, k := range s.own(t, c, schema.PrimaryKey) {
		clause = append(clause, "PRIMARY KEY", s.cluster(t, k))
	}
	notNull := s.notNull(t, c) && (c.Generated == nil || c.Generated.Stored)
	clause = append(clause, given(notNull, "NOT NULL"), given(c.Nullable && !notNull, "NULL"))
	for _, k := range s.own(t, c, schema.Unique) {
		clause = append(clause, "UNIQUE", k.Method)
	}
	if value := s.defaultOf(c, object, at); value != "" {
		clause = append(clause, "DEFAULT", s.zoned(c, clause[1], value))
	}
	for _, k := range s.own(t, c, schema.Check) {
		own = append(own, s.check(s.constraintName(k), k.Expr))
	}
	return clauses(append(clause, own...)...)
}

// zoned is the default of a column of a type: the time of now has a zone where the column
// has one.
func (s *sqlserver) zoned(c *schema.Column, sqlType, value string) string {
	if !c.Native && !c.Default.Literal && portableDefault(c.Default.Text) == "now" && strings.HasPrefix(sqlType, "DATETIMEOFFSET") {
		return "SYSDATETIMEOFFSET()"
	}
	return value
}

// identity writes where a column begins to count, and its steps.
func (s *sqlserver) identity(c *schema.Column, object string, at schema.Origin) string {
	start, step := int64(1), int64(1)
	if i := c.Identity; i != nil {
		if i.Min != nil || i.Max != nil || i.Cache != nil || i.Cycle || i.Raw != "" || i.Sequence != "" {
			s.problem(finding.Schema, "IDN001", object, at, "identity column %q has options other than its start and its steps, which sqlserver does not take", object)
		}
		if i.Start != nil {
			start = *i.Start
		}
		if i.Increment != nil {
			step = *i.Increment
		}
	}
	return fmt.Sprintf("IDENTITY(%d,%d)", start, step)
}

// cluster says whether a primary key orders the rows, which only one key or index of a
// table can.
func (s *sqlserver) cluster(t *schema.Table, c *schema.Constraint) string {
	if c.Method == "" && slices.ContainsFunc(t.Indexes, func(x *schema.Index) bool { return x.Kind == "CLUSTERED" }) {
		return "NONCLUSTERED"
	}
	return strings.ToUpper(c.Method)
}

func (s *sqlserver) constraint(t *schema.Table, c *schema.Constraint) string {
	if s.withColumn(t, c) {
		return ""
	}
	name := s.constraintName(c)
	named := given(name != "", "CONSTRAINT "+s.quote(name))
	switch c.Kind {
	case schema.PrimaryKey:
		return clauses(named, "PRIMARY KEY", s.cluster(t, c), s.keyList(parts(c)))
	case schema.Unique:
		return clauses(named, "UNIQUE", strings.ToUpper(c.Method), s.keyList(parts(c)))
	case schema.Check:
		if c.NotValid {
			s.add(phaseConstraint, t.Name, c.Origin, statement("ALTER TABLE", s.ref(t.Name), "WITH NOCHECK ADD", s.check(name, c.Expr)))
			return ""
		}
		return s.check(name, c.Expr)
	}
	return ""
}

func (s *sqlserver) table(t *schema.Table) string {
	s.ownOptions(t)
	return ""
}

func (s *sqlserver) index(t *schema.Table, x *schema.Index) string {
	sort := s.indexSort(x, "CLUSTERED", "NONCLUSTERED")
	tail := ""
	if len(x.Include) > 0 {
		tail = " INCLUDE " + s.list(x.Include)
	}
	tail += given(x.Where != "", " WHERE "+text(x.Where))
	s.createIndex(t, x, s.quote(s.indexName(x)), given(sort == "CLUSTERED", sort), tail)
	return ""
}

// action writes NO ACTION for RESTRICT: the two differ for constraints that are checked
// later, of which there are none.
func (s *sqlserver) action(on, action string) (string, bool) {
	if action == "RESTRICT" {
		action = "NO ACTION"
	}
	return on + " " + action, true
}

func (s *sqlserver) view(v *schema.View) string {
	var options []string
	for _, o := range s.viewOptions(v, "SCHEMABINDING", "VIEW_METADATA", "ENCRYPTION") {
		options = append(options, o.Key)
	}
	return s.query(v, "CREATE VIEW", s.ref(v.Name), s.viewColumns(v), given(len(options) > 0, "WITH "+strings.Join(options, ", ")))
}

func (s *sqlserver) comments() {
	for _, n := range s.db.Schemas {
		s.describe(schema.Name{Schema: n.Name}, n.Comment, "", "", "")
	}
	for _, q := range s.db.Sequences {
		s.describe(q.Name, q.Comment, "SEQUENCE", "", "")
	}
	for _, t := range s.db.Tables {
		s.describe(t.Name, t.Comment, "TABLE", "", "")
		for _, c := range t.Columns {
			s.describe(t.Name, c.Comment, "TABLE", "COLUMN", c.Name)
		}
		for _, c := range t.Constraints {
			name := s.constraintName(c)
			if name == "" {
				s.noComment(c.Comment, "constraint", constraintObject(t, c), at(c.Origin, t.Origin))
				continue
			}
			s.describe(t.Name, c.Comment, "TABLE", "CONSTRAINT", name)
		}
		for _, x := range t.Indexes {
			if x.Comment != "" { // behind the index
				s.add(phaseLast, t.Name, x.Origin, s.property(t.Name, x.Comment, "TABLE", "INDEX", s.indexName(x)))
			}
		}
	}
	for _, v := range s.db.Views {
		s.describe(v.Name, v.Comment, "VIEW", "", "")
		for _, c := range v.Comments {
			s.describe(v.Name, c.Value, "VIEW", "COLUMN", c.Key)
		}
	}
}

// describe adds the comment of an object of a kind, or of a part of it.
func (s *sqlserver) describe(of schema.Name, comment, kind, partKind, part string) {
	if comment != "" {
		s.add(phaseComment, of, schema.Origin{}, s.property(of, comment, kind, partKind, part))
	}
}

// property writes the call that keeps a comment.
func (s *sqlserver) property(of schema.Name, comment, kind, partKind, part string) string {
	args := []string{"@name = " + s.national("MS_Description"), "@value = " + s.national(comment)}
	for i, level := range []struct{ kind, name string }{{"SCHEMA", of.In(s.schema).Schema}, {kind, of.Name}, {partKind, part}} {
		if level.kind != "" {
			args = append(args, fmt.Sprintf("@level%dtype = %s, @level%dname = %s", i, s.national(level.kind), i, s.national(level.name)))
		}
	}
	return statement("EXEC sp_addextendedproperty", strings.Join(args, ", "))
}

// national writes a text of all characters.
func (s *sqlserver) national(text string) string {
	return "N'" + strings.ReplaceAll(text, "'", "''") + "'"
}
