package render

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// standard is what the writers share of databases for which tables, keys, indexes and
// views are written, and everything else is refused by name.
type standard struct {
	*job
	relations map[schema.Name]*node // by folded names
	// checks are constraints that the column being written brings along, where they
	// cannot stand with it.
	checks []string
}

// speaker is the part of a writer that is a dialect's own.
type speaker interface {
	// namespace writes the statement that makes a schema.
	namespace(n *schema.Namespace) string
	column(t *schema.Table, c *schema.Column) string
	// constraint writes a constraint in the parentheses of its table, empty if it stands
	// elsewhere.
	constraint(t *schema.Table, c *schema.Constraint) string
	// table writes what stands behind the parentheses.
	table(t *schema.Table) string
	// index returns a line in the parentheses of the table, empty if it has added a
	// statement.
	index(t *schema.Table, x *schema.Index) string
	// action writes an action of a foreign key, with the words before it, and reports
	// whether the dialect has it.
	action(on, action string) (sql string, ok bool)
	view(v *schema.View) string
	// comments adds the statements of comments that are not written with their objects.
	comments()
}

func newStandard(j *job) *standard {
	return &standard{job: j, relations: map[schema.Name]*node{}}
}

func (s *standard) key(n schema.Name) schema.Name { return n.Folded(s.schema, strings.ToLower) }

// write adds everything that is declared.
func (s *standard) write(d speaker) {
	s.unwritten()
	s.namespaces(d)
	for _, e := range s.db.Enums {
		s.noComment(e.Comment, "enum", e.Name.String(), e.Origin)
	}
	for _, t := range s.db.Tables {
		s.relations[s.key(t.Name)] = s.createTable(d, t)
	}
	for _, v := range s.db.Views {
		s.relations[s.key(v.Name)] = s.add(phaseView, v.Name, v.Origin, d.view(v))
		for _, x := range v.Indexes {
			d.index(&schema.Table{Name: v.Name}, x)
		}
	}
	s.needsOfRelations()
	d.comments()
}

// namespaces adds the schemas that are declared, and those that objects are declared in.
func (s *standard) namespaces(d speaker) {
	if has, _ := s.d.Has(dialect.Schemas, s.v); !has {
		return
	}
	made := map[string]bool{"": true, s.schema: true}
	add := func(n *schema.Namespace) {
		if !made[n.Name] {
			made[n.Name] = true
			s.add(phaseSchema, schema.Name{Name: n.Name}, n.Origin, d.namespace(n))
		}
	}
	for _, n := range s.db.Schemas {
		add(n)
	}
	for _, name := range s.usedSchemas() {
		add(&schema.Namespace{Name: name})
	}
}

// unwritten refuses what the database may have and is not written for it.
func (s *standard) unwritten() {
	refuse := func(f dialect.Feature, kind, object string, rule finding.Rule, at schema.Origin) {
		if has, _ := s.d.Has(f, s.v); has {
			s.problem(finding.Schema, rule, object, at, "%s %q is declared; %s are not written for %s; scope it with dialects= or drop it", kind, object, f, s.d)
		}
	}
	for _, r := range s.db.Routines {
		refuse(dialect.Routines, "routine", r.Name.String(), "RTN002", r.Origin)
	}
	for _, t := range s.db.Triggers {
		refuse(dialect.Triggers, "trigger", t.Name, "TRG001", t.Origin)
	}
	for _, r := range s.db.Roles {
		refuse(dialect.Roles, "role", r.Name, "ROL001", r.Origin)
	}
	for _, g := range s.db.Grants {
		refuse(dialect.Grants, "grant on", g.Object.String(), "ROL001", g.Origin)
	}
	for _, v := range s.db.Verbatim {
		if _, kept := clickhousePhases[v.Kind]; kept && s.d == dialect.ClickHouse {
			continue
		}
		s.problem(finding.Schema, "TBL007", v.Name.String(), v.Origin, "%s %q is declared; it is not written for %s; scope it with dialects= or drop it", strings.ToLower(v.Kind), v.Name.String(), s.d)
	}
}

// createTable adds a table with its indexes and foreign keys.
func (s *standard) createTable(d speaker, t *schema.Table) *node {
	s.belongs(s.d.PostgresFamily(), t.Partition != nil, subject{"table", t.Name.String(), t.Origin, "TBL007"}, "is a partition of another table")
	s.checks = nil
	var lines []string
	for _, c := range t.Columns {
		s.plainColumn(t, c)
		lines = append(lines, d.column(t, c))
	}
	lines = append(lines, s.checks...)
	var indexes []string
	for _, x := range t.Indexes {
		s.plainIndex(x)
		if line := d.index(t, x); line != "" {
			indexes = append(indexes, line)
		}
	}
	var primary, others []string
	for _, c := range t.Constraints {
		s.plainConstraint(t, c)
		if c.Kind == schema.ForeignKey {
			s.addForeignKey(d, t, c)
			continue
		}
		line := d.constraint(t, c)
		switch {
		case line == "":
		case c.Kind == schema.PrimaryKey:
			primary = append(primary, line)
		default:
			others = append(others, line)
		}
	}
	return s.add(phaseTable, t.Name, t.Origin, statement("CREATE TABLE", s.ref(t.Name), block(slices.Concat(lines, indexes, primary, others)), d.table(t), text(t.Custom)))
}

// ownOptions refuses the options of a table that are none of the dialect's.
func (s *standard) ownOptions(t *schema.Table, own ...string) {
	for _, o := range t.Options {
		s.belongs(slices.Contains(own, o.Key), true, subject{"table", t.Name.String(), t.Origin, "TBL007"}, fmt.Sprintf("has option %q", o.Key))
	}
}

// columnOptions are the options of columns that each dialect has, in the order in which
// they are written.
var columnOptions = map[dialect.Dialect][]string{
	dialect.SQLServer:  {"SPARSE", "ROWGUIDCOL", "HIDDEN"},
	dialect.ClickHouse: {"EPHEMERAL", "CODEC", "STATISTICS", "TTL", "SETTINGS"},
	dialect.Spanner:    {"OPTIONS"},
}

// plainColumn refuses what no column of the dialect has.
func (s *standard) plainColumn(t *schema.Table, c *schema.Column) {
	of := subject{"column", t.Name.String() + "." + c.Name, at(c.Origin, t.Origin), "TBL007"}
	for _, o := range c.Options {
		s.belongs(slices.Contains(columnOptions[s.d], o.Key), true, of, fmt.Sprintf("has option %q", o.Key))
	}
	s.belongs(s.d != dialect.Spanner && s.d != dialect.YDB, c.Collation != "", of, "has a collation")
	if c.Generated != nil && c.Generated.Unsaid {
		stored, _ := s.d.Has(dialect.GeneratedStored, s.v)
		if virtual, _ := s.d.Has(dialect.GeneratedVirtual, s.v); !stored && !virtual {
			of.rule = "GEN001"
			s.needs(dialect.GeneratedStored, of, "is generated")
		}
	}
}

// columnOption writes an option of a column, empty if it has none of that name.
func columnOption(c *schema.Column, key string) string {
	for _, o := range c.Options {
		if o.Key == key {
			return clauses(o.Key, o.Value)
		}
	}
	return ""
}

// plainKeys refuses what no key of the dialect says of its parts.
func (s *standard) plainKeys(keys []schema.IndexKey, of subject) {
	for _, k := range keys {
		s.belongs(false, k.Collation != "", of, "has a collation for a part of its key")
		s.belongs(false, k.With != "", of, "has an operator for a part of its key")
	}
}

func (s *standard) plainConstraint(t *schema.Table, c *schema.Constraint) {
	of := subject{strings.ToLower(string(c.Kind)), constraintObject(t, c), at(c.Origin, t.Origin), "CON001"}
	s.belongs(false, len(c.Options) > 0 || c.Tablespace != "" || c.AttachTo != nil, of, "says how it is stored")
	s.belongs(s.d == dialect.SQLServer, c.Method != "", of, fmt.Sprintf("has type %q", c.Method))
	s.plainKeys(c.Keys, of)
	// A key of ClickHouse is what rows are sorted by.
	s.belongs(s.d == dialect.ClickHouse, slices.ContainsFunc(c.Keys, func(k schema.IndexKey) bool { return k.Column == "" }), of, "is on an expression")
	s.belongs(s.d == dialect.SQLServer || s.d == dialect.Spanner && c.Kind == schema.PrimaryKey,
		slices.ContainsFunc(c.Keys, func(k schema.IndexKey) bool { return k.Desc }), of, "is in descending order")
	s.belongs(s.d == dialect.Spanner && c.Kind == schema.ForeignKey || s.d == dialect.ClickHouse, c.NotEnforced, of, "is NOT ENFORCED")
	s.belongs(false, len(c.Include) > 0, of, "has INCLUDE columns")
}

func (s *standard) plainIndex(x *schema.Index) {
	of := subject{"index", s.indexName(x), x.Origin, "IDX004"}
	s.belongs(false, x.Tablespace != "" || x.Invalid, of, "says how it is stored")
	s.belongs(s.d == dialect.Spanner, len(x.Options) > 0, of, "has options")
	s.plainKeys(x.Keys, of)
}

// indexSort reports whether an index is of one of the sorts that a dialect has; an index
// of no sort is one.
func (s *standard) indexSort(x *schema.Index, sorts ...string) string {
	sort := strings.ToUpper(x.Kind + x.Method)
	if sort == "" || slices.Contains(sorts, sort) {
		return sort
	}
	has := "has one sort of index"
	if len(sorts) > 0 {
		has = "has " + strings.Join(sorts, " and ")
	}
	s.problem(finding.Index, "IDX004", s.indexName(x), x.Origin, "index %q has type %q; %s %s; drop the type or scope the index with dialects=", s.indexName(x), x.Kind+x.Method, s.d, has)
	return ""
}

// keyList writes the parts of a key in parentheses.
func (s *standard) keyList(keys []schema.IndexKey) string {
	list := make([]string, len(keys))
	for i, k := range keys {
		list[i] = s.quote(k.Column)
		if k.Column == "" {
			list[i] = text(k.Expr)
		}
		list[i] = clauses(list[i], given(k.Desc, "DESC"))
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// createIndex adds the statement of an index; tail follows the key.
func (s *standard) createIndex(t *schema.Table, x *schema.Index, name, kind, tail string) {
	p := phaseIndex
	if x.Unique {
		p = phaseUniqueIndex
	}
	if n := s.relations[s.key(t.Name)]; n != nil && n.phase == phaseView {
		p = phaseIndex
	}
	s.add(p, t.Name, x.Origin, clauses("CREATE", given(x.Unique, "UNIQUE"), kind, "INDEX", name, "ON", s.ref(t.Name), s.keyList(x.Keys))+tail+";")
}

// columnType writes the type of a column; values are those of an enum, which has none.
func (s *standard) columnType(c *schema.Column, object string, at schema.Origin) (m dialect.Mapped, values []string) {
	if !c.Native {
		if values, ok := s.enumValues(c.Type); ok {
			return m, values
		}
		m, _ = s.portableType(c.Type, object, at)
		return m, nil
	}
	m, err := s.builtin(c.Type, true)
	if err != nil {
		s.typeProblem(err, object, at)
	}
	return m, nil
}

// counts reports whether a column of a mapped type is to be counted up, and refuses that
// where its type is none of numbers.
func (s *standard) counts(c *schema.Column, m dialect.Mapped, object string, at schema.Origin) bool {
	counted := c.AutoIncrement || c.Identity != nil
	if counted && !c.Native && dialect.ClassOf(c.Type) != dialect.NumberClass {
		s.problem(finding.Schema, "IDN001", object, at, "column %q is counted up and has type %s; %s counts numbers up", object, c.Type.Text, s.d)
	}
	return counted || m.Auto
}

// primaryKey returns the parts of a table's primary key.
func primaryKey(t *schema.Table) []schema.IndexKey {
	var keys []schema.IndexKey
	for _, c := range t.Constraints {
		if c.Kind == schema.PrimaryKey {
			keys = append(keys, parts(c)...)
		}
	}
	return keys
}

func (s *standard) inPrimaryKey(t *schema.Table, c *schema.Column) bool {
	return slices.ContainsFunc(primaryKey(t), func(k schema.IndexKey) bool { return k.Column != "" && s.d.Key(k.Column) == s.d.Key(c.Name) })
}

// notNull reports whether a column takes no NULL. In the databases' own words a key says
// so by itself, where it does.
func (s *standard) notNull(t *schema.Table, c *schema.Column) bool {
	return c.NotNull || !c.Native && s.inPrimaryKey(t, c)
}

// withColumn reports whether a constraint is written with its column: keys without a name
// and checks that were declared so.
func (s *standard) withColumn(t *schema.Table, c *schema.Constraint) bool {
	if !c.Inline || len(c.Columns) != 1 || c.NotValid || c.Name != "" && c.Kind != schema.Check {
		return false
	}
	key := s.d.Key(c.Columns[0])
	return slices.ContainsFunc(t.Columns, func(x *schema.Column) bool { return s.d.Key(x.Name) == key })
}

// own returns the constraints of a kind that are written with a column.
func (s *standard) own(t *schema.Table, column *schema.Column, kind schema.ConstraintKind) (list []*schema.Constraint) {
	key := s.d.Key(column.Name)
	for _, c := range t.Constraints {
		if c.Kind == kind && c.Inline && len(c.Columns) == 1 && s.d.Key(c.Columns[0]) == key && s.withColumn(t, c) {
			list = append(list, c)
		}
	}
	return list
}

// check writes a check, which always has a name.
func (s *standard) check(name, expr string) string {
	return clauses("CONSTRAINT", s.quote(name), "CHECK", parens(expr))
}

// ownCheck writes the check that a column has because of its type.
func (s *standard) ownCheck(t *schema.Table, c *schema.Column, expr string) string {
	return s.check(s.fresh(t.Name, func(mark string) string { return dialect.GeneratedName(t.Name.Name, c.Name, "check"+mark) }), expr)
}

// oneOf is the condition that a column has one of the values of an enum.
func (s *standard) oneOf(c *schema.Column, values []string) string {
	return s.quote(c.Name) + " IN " + s.values(values)
}

// longest is the length of the longest of the values of an enum, in characters.
func longest(values []string) int {
	most := 1
	for _, v := range values {
		most = max(most, utf8.RuneCountInString(v))
	}
	return most
}

// defaults are what the portable expressions are in each dialect; an empty one cannot be
// had.
var defaults = map[dialect.Dialect]map[string]string{
	dialect.SQLServer:  {"now": "SYSDATETIME()", "date": "(CAST(SYSDATETIME() AS DATE))", "uuid": "NEWID()"},
	dialect.ClickHouse: {"now": "now()", "date": "today()", "uuid": "generateUUIDv4()"},
	dialect.Spanner:    {"now": "CURRENT_TIMESTAMP()", "date": "CURRENT_DATE()", "uuid": "GENERATE_UUID()"},
	dialect.Oracle:     {"now": "CURRENT_TIMESTAMP", "date": "CURRENT_DATE", "uuid": "SYS_GUID()"},
}

// defaultOf returns the default of a column, empty without one.
func (s *standard) defaultOf(c *schema.Column, object string, at schema.Origin) string {
	d := c.Default
	switch {
	case d == nil:
		return ""
	case d.Literal:
		return s.literal(d.Text, c.Type)
	case c.Native:
		return text(d.Text)
	}
	if has, _ := s.d.Has(dialect.ExpressionDefaults, s.v); !has {
		s.problem(finding.Schema, "DEF003", object, at, "column %q has default %s; %s takes values only; let the application make the value", object, d.Text, s.d)
	}
	if own := defaults[s.d][portableDefault(d.Text)]; own != "" {
		return own
	}
	return text(d.Text)
}

// enclose puts an expression in parentheses, unless it is in some.
func enclose(expr string) string {
	if expr == "" || strings.HasPrefix(expr, "(") && closes(expr) == len(expr) {
		return expr
	}
	return parens(expr)
}

// closes returns the place behind the parenthesis that closes the one with which a text
// begins, 0 if there is none.
func closes(sql string) int {
	depth := 0
	for i := 0; i < len(sql); i++ {
		switch sql[i] {
		case '\'', '"', '`':
			i = quotedEnd(sql, i, false) - 1
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// addForeignKey adds the statement of a foreign key.
func (s *standard) addForeignKey(d speaker, t *schema.Table, c *schema.Constraint) {
	r, object, at := c.Reference, constraintObject(t, c), at(c.Origin, t.Origin)
	if has, _ := s.d.Has(dialect.ForeignKeys, s.v); !has || r == nil {
		return
	}
	if r.Match != "" && r.Match != "SIMPLE" {
		s.problem(finding.Schema, "FK007", object, at, "foreign key of %q says MATCH %s, which %s does not have; drop it", object, r.Match, s.d)
	}
	columns := r.Columns
	if len(columns) == 0 {
		if target := s.db.Table(r.Table, s.schema); target != nil {
			for _, k := range primaryKey(target) {
				columns = append(columns, k.Column)
			}
		}
	}
	clause := []string{"CONSTRAINT", s.quote(s.constraintName(c)), "FOREIGN KEY", s.list(c.Columns), "REFERENCES", s.ref(r.Table)}
	if len(columns) > 0 {
		clause = append(clause, s.list(columns))
	}
	for _, a := range []struct{ on, action string }{{"ON DELETE", r.OnDelete}, {"ON UPDATE", r.OnUpdate}} {
		if a.action == "" {
			continue
		}
		sql, ok := d.action(a.on, a.action)
		if !ok {
			s.problem(finding.Schema, "FK007", object, at, "foreign key of %q has %s %s, which %s does not have; use another action or drop it", object, a.on, a.action, s.d)
		}
		clause = append(clause, sql)
	}
	clause = append(clause, deferrable(c), given(c.NotEnforced, "NOT ENFORCED"), given(c.NotValid && s.d == dialect.Oracle, "ENABLE NOVALIDATE"))
	s.add(phaseConstraint, t.Name, at, statement("ALTER TABLE", s.ref(t.Name), given(c.NotValid && s.d == dialect.SQLServer, "WITH NOCHECK"), "ADD", clauses(clause...)))
}

// needsOfRelations lets what a table or view names come before it.
func (s *standard) needsOfRelations() {
	for _, t := range s.db.Tables {
		n := s.relations[s.key(t.Name)]
		for _, c := range t.Constraints {
			if c.Reference != nil {
				n.after(s.relations[s.key(c.Reference.Table)], nice)
			}
		}
		for _, o := range t.Options {
			if strings.HasPrefix(o.Key, "INTERLEAVE") {
				words(o.Value, s.d, func(w word) {
					n.after(s.relations[s.key(schema.Name{Schema: t.Schema, Name: w.name})], should)
					n.after(s.relations[s.key(schema.Name{Name: w.name})], should)
				})
			}
		}
	}
	for _, v := range s.db.Views {
		n := s.relations[s.key(v.Name)]
		if v.To != nil {
			n.after(s.relations[s.key(*v.To)], must)
		}
		if m, ok := s.mentionsOf(v.Body); ok {
			for _, r := range m.relations {
				n.after(s.relations[s.key(r)], must)
			}
			continue
		}
		before := ""
		words(v.Body, s.d, func(w word) {
			name := schema.Name{Name: w.name}
			if w.dot {
				name.Schema = before
			}
			n.after(s.relations[s.key(name)], should)
			before = w.name
		})
	}
}

// viewColumns writes the list of columns of a view.
func (s *standard) viewColumns(v *schema.View) string {
	if len(v.Columns) == 0 {
		return ""
	}
	return s.list(v.Columns)
}

// viewOptions returns the options of a view that the dialect has, and refuses others.
func (s *standard) viewOptions(v *schema.View, own ...string) []schema.Option {
	var list []schema.Option
	for _, o := range v.Options {
		if slices.Contains(own, o.Key) {
			list = append(list, o)
		} else {
			s.belongs(false, true, subject{"view", v.Name.String(), v.Origin, "VW006"}, fmt.Sprintf("has option %q", o.Key))
		}
	}
	return list
}

// query writes what follows the head of a view.
func (s *standard) query(v *schema.View, head ...string) string {
	sql := clauses(append(head, "AS")...) + "\n" + text(v.Body)
	if v.CheckOption == "LOCAL" {
		s.problem(finding.Schema, "VW006", v.Name.String(), v.Origin, "view %q has a local check option; %s has only one that reaches the views below; use CASCADED", v.Name.String(), s.d)
	}
	if v.CheckOption != "" {
		sql = strings.TrimSuffix(sql, "\n") + "\nWITH CHECK OPTION"
	}
	return sql + ";"
}

// createSequence adds a sequence with what is said of its numbers.
func (s *standard) createSequence(q *schema.Sequence, numbers string) {
	if q.OwnedBy != nil || q.Unlogged {
		s.problem(finding.Schema, "SEQ001", q.Name.String(), q.Origin, "sequence %q belongs to a column or is unlogged; sequences of %s do not", q.Name.String(), s.d)
	}
	s.add(phaseSequence, q.Name, q.Origin, statement("CREATE SEQUENCE", s.ref(q.Name), numbers))
}
