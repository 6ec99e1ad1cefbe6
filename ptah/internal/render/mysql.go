package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// mysql writes for MySQL and MariaDB.
type mysql struct {
	*job
	relations map[schema.Name]*node
	routines  map[string][]*node
	tables    map[schema.Name]*schema.Table
}

func writeMySQL(j *job) {
	m := &mysql{job: j, relations: map[schema.Name]*node{}, routines: map[string][]*node{}, tables: map[schema.Name]*schema.Table{}}
	for _, n := range j.db.Schemas {
		m.add(phaseSchema, schema.Name{Name: n.Name}, n.Origin, statement("CREATE SCHEMA", m.quote(n.Name)))
		m.noComment(n.Comment, "schema", n.Name, n.Origin)
	}
	for _, e := range j.db.Enums {
		m.noComment(e.Comment, "enum", e.Name.String(), e.Origin)
	}
	for _, s := range j.db.Sequences {
		m.sequence(s)
	}
	for _, r := range j.db.Roles {
		m.add(phaseRole, schema.Name{Name: r.Name}, r.Origin, statement("CREATE ROLE", m.quote(r.Name)))
		for _, group := range r.MemberOf {
			m.add(phaseGrant, schema.Name{}, r.Origin, statement("GRANT", m.quote(group), "TO", m.quote(r.Name)))
		}
		m.noComment(r.Comment, "role", r.Name, r.Origin)
	}
	for _, t := range j.db.Tables {
		m.tables[t.Name] = t
	}
	for _, t := range j.db.Tables {
		m.relations[t.Name] = m.table(t)
	}
	for _, r := range j.db.Routines {
		key := strings.ToLower(r.Name.Name)
		m.routines[key] = append(m.routines[key], m.routine(r))
	}
	for _, v := range j.db.Views {
		m.relations[v.Name] = m.view(v)
	}
	m.needsOfRelations()
	for _, t := range j.db.Triggers {
		m.trigger(t)
	}
	for _, v := range j.db.Verbatim {
		m.add(phaseLast, v.Name, v.Origin, declared(v.Text))
	}
}

// noComment warns of a comment on something that has none here.
func (j *job) noComment(comment, kind, object string, at schema.Origin) {
	if comment != "" {
		j.rep.Warn(finding.SkippedDeclaration, "%s: the comment of %s %q has no place in %s", at, kind, object, j.d)
	}
}

func (m *mysql) needsOfRelations() {
	for _, t := range m.db.Tables {
		for _, c := range t.Constraints {
			if c.Reference != nil {
				m.relations[t.Name].after(m.relations[c.Reference.Table], nice)
			}
		}
	}
	// Names of tables compare as written here, which the parser's fold hides.
	folded := map[schema.Name]*node{}
	for _, t := range m.db.Tables {
		folded[t.Folded("", strings.ToLower)] = m.relations[t.Name]
	}
	for _, v := range m.db.Views {
		folded[v.Folded("", strings.ToLower)] = m.relations[v.Name]
	}
	for _, v := range m.db.Views {
		mentions, ok := m.mentionsOf(v.Body)
		if !ok {
			continue
		}
		for _, r := range mentions.relations {
			if r.Schema == "" {
				r.Schema = strings.ToLower(v.Schema)
			}
			m.relations[v.Name].after(folded[r], must)
		}
		for _, f := range mentions.functions {
			for _, n := range m.routines[f.Name.Name] {
				m.relations[v.Name].after(n, must)
			}
		}
	}
}

func (m *mysql) sequence(s *schema.Sequence) {
	if s.OwnedBy != nil || s.Unlogged {
		m.problem(finding.Schema, "SEQ001", s.Name.String(), s.Origin, "sequence %q belongs to a column or is unlogged; sequences of %s do not", s.Name.String(), m.d)
	}
	m.add(phaseSequence, s.Name, s.Origin, statement("CREATE SEQUENCE", m.ref(s.Name), given(s.As != "", "AS "+s.As), sequenceOptions(s.SequenceOptions)))
	m.noComment(s.Comment, "sequence", s.Name.String(), s.Origin)
}

func (m *mysql) table(t *schema.Table) *node {
	var lines []string
	for _, c := range t.Columns {
		lines = append(lines, m.column(t, c))
	}
	for _, first := range []bool{true, false} {
		for _, c := range t.Constraints {
			if (c.Kind == schema.PrimaryKey) == first {
				if line := m.constraint(t, c); line != "" {
					lines = append(lines, line)
				}
			}
			if !first && c.Kind == schema.ForeignKey && c.Reference != nil {
				if sql := m.foreignKey(t, c, !m.countsUp(t, c)); sql != "" {
					m.add(phaseConstraint, t.Name, at(c.Origin, t.Origin), statement("ALTER TABLE", m.ref(t.Name), "ADD", sql))
				}
			}
			if !first && c.Kind != schema.Unique {
				m.noComment(c.Comment, "constraint", constraintObject(t, c), at(c.Origin, t.Origin))
			}
		}
	}
	for _, p := range t.Periods {
		lines = append(lines, clauses("PERIOD FOR", m.periodName(p.Name), m.list([]string{p.From, p.To})))
	}
	for _, x := range t.Indexes {
		if m.serves(t, x) {
			continue
		}
		if m.keysCounter(t, x) {
			lines = append(lines, clauses(given(x.Unique, "UNIQUE"), "KEY", m.quote(m.indexName(x)), m.indexKeys(x.Keys), m.indexOptions(x)))
		} else {
			m.index(t, x)
		}
	}
	return m.add(phaseTable, t.Name, t.Origin, statement("CREATE TABLE", m.ref(t.Name), block(lines), m.tableOptions(t), text(t.Custom),
		given(t.PartitionBy != "", "PARTITION BY "+text(t.PartitionBy))))
}

// periodName writes the name of a period; that of the server's own is no name.
func (m *mysql) periodName(name string) string {
	if strings.EqualFold(name, "system_time") {
		return "SYSTEM_TIME"
	}
	return m.quote(name)
}

func (m *mysql) tableOptions(t *schema.Table) string {
	engine := t.Engine
	if engine == "" {
		engine = "InnoDB"
	}
	options := []string{"ENGINE=" + engine}
	for _, c := range t.Columns {
		if c.Identity != nil && c.Identity.Start != nil && *c.Identity.Start != 1 {
			options = append(options, "AUTO_INCREMENT="+strconv.FormatInt(*c.Identity.Start, 10))
		}
	}
	options = append(options, given(t.Charset != "", "DEFAULT CHARSET="+t.Charset), given(t.Collation != "", "COLLATE="+t.Collation))
	for _, o := range t.Options {
		options = append(options, o.Key+given(o.Value != "", "="+o.Value))
	}
	return clauses(append(options, given(t.Comment != "", "COMMENT="+m.d.String(t.Comment)))...)
}

// checkOfColumn returns the column that a check is written with, empty for one of its own:
// MariaDB has checks of columns, which have no name.
func (m *mysql) checkOfColumn(t *schema.Table, c *schema.Constraint) string {
	if m.d != dialect.MariaDB || !c.Inline || c.Name != "" || len(c.Columns) != 1 {
		return ""
	}
	for _, column := range t.Columns {
		if column.Native && column.Name == c.Columns[0] {
			return column.Name
		}
	}
	return ""
}

// withColumn reports whether a key is written with its column.
func (m *mysql) withColumn(t *schema.Table, c *schema.Constraint, column string) bool {
	keys := parts(c)
	plain := c.Inline && len(keys) == 1 && keys[0].Length == 0 && !keys[0].Desc && c.Method == "" && c.Comment == "" && m.d.Key(keys[0].Column) == m.d.Key(column)
	switch c.Kind {
	case schema.PrimaryKey:
		return plain
	case schema.Unique:
		// A column that is said to be both gets one key.
		primary := slices.ContainsFunc(t.Constraints, func(k *schema.Constraint) bool { return k.Kind == schema.PrimaryKey && m.withColumn(t, k, column) })
		return plain && !primary && (c.Name == "" || c.Implicit && c.Name == keys[0].Column)
	}
	return false
}

func (m *mysql) column(t *schema.Table, c *schema.Column) string {
	object, at := t.Name.String()+"."+c.Name, at(c.Origin, t.Origin)
	mapped := m.columnType(c, object, at)
	collation := c.Collation
	if collation == "" {
		collation = mapped.Collation
	}
	var primary, unique, inKey bool
	for _, k := range t.Constraints {
		primary = primary || k.Kind == schema.PrimaryKey && m.withColumn(t, k, c.Name)
		unique = unique || k.Kind == schema.Unique && m.withColumn(t, k, c.Name)
		inKey = inKey || k.Kind == schema.PrimaryKey && slices.ContainsFunc(parts(k), func(x schema.IndexKey) bool { return m.d.Key(x.Column) == m.d.Key(c.Name) })
	}
	behindType, options := "", c.Options
	if len(options) > 0 && options[0].Key == "BINARY" {
		behindType, options = "BINARY", options[1:]
	}
	clause := []string{m.quote(c.Name), mapped.SQL, behindType, given(c.Charset != "", "CHARACTER SET "+c.Charset), given(collation != "", "COLLATE "+collation)}
	clause = append(clause, given(c.RowPeriod != "", "GENERATED ALWAYS AS ROW "+c.RowPeriod))
	if g := c.Generated; g != nil {
		kind := "VIRTUAL"
		if g.Stored {
			kind = "STORED"
		}
		clause = append(clause, "GENERATED ALWAYS AS", parens(g.Expr), kind)
	}
	notNull := c.NotNull || inKey
	if notNull && c.Generated != nil && m.d == dialect.MariaDB {
		if c.NotNull {
			m.problem(finding.Schema, "GEN001", object, at, "generated column %q is NOT NULL, which mariadb does not take; drop not_null or add a check", object)
		}
		notNull = false
	}
	clause = append(clause, given(notNull, "NOT NULL"),
		// TIMESTAMP alone is NOT NULL with a default of its own in many configurations.
		given(!notNull && (c.Nullable || strings.HasPrefix(mapped.SQL, "TIMESTAMP")) && c.Generated == nil && c.RowPeriod == "", "NULL"),
		m.defaultOf(c, mapped, object, at), given(c.OnUpdate != "", "ON UPDATE "+strings.TrimPrefix(c.OnUpdate, "ON UPDATE ")),
		given(c.AutoIncrement || mapped.Auto || c.Identity != nil, "AUTO_INCREMENT"), given(c.Invisible, "INVISIBLE"),
		given(primary, "PRIMARY KEY"), given(unique, "UNIQUE"))
	for _, o := range options {
		between := " "
		if o.Key == "COMPRESSED" || o.Key == "REF_SYSTEM_ID" {
			between = "="
		}
		clause = append(clause, o.Key+given(o.Value != "", between+o.Value))
	}
	clause = append(clause, given(c.Comment != "", "COMMENT "+m.d.String(c.Comment)))
	for _, k := range t.Constraints {
		if k.Kind == schema.Check && m.checkOfColumn(t, k) == c.Name {
			clause = append(clause, "CHECK", parens(k.Expr))
		}
	}
	if counted := c.AutoIncrement || c.Identity != nil; counted && !c.Native && dialect.ClassOf(c.Type) != dialect.NumberClass {
		m.problem(finding.Schema, "IDN001", object, at, "column %q is counted up and has type %s; %s counts numbers up", object, c.Type.Text, m.d)
	}
	m.identity(c, object, at)
	return clauses(clause...)
}

// identity refuses what a counter cannot do.
func (m *mysql) identity(c *schema.Column, object string, at schema.Origin) {
	i := c.Identity
	if i == nil {
		return
	}
	if i.Increment != nil && *i.Increment != 1 || i.Min != nil || i.Max != nil || i.Cache != nil || i.Cycle || i.Raw != "" {
		m.problem(finding.Schema, "IDN001", object, at, "identity column %q has options; %s has the first number only, and counts by 1", object, m.d)
	}
}

func (m *mysql) columnType(c *schema.Column, object string, at schema.Origin) dialect.Mapped {
	if !c.Native {
		if values, ok := m.enumValues(c.Type); ok {
			return dialect.Mapped{SQL: "ENUM" + m.values(values)}
		}
		mapped, _ := m.portableType(c.Type, object, at)
		return mapped
	}
	mapped, err := m.builtin(c.Type, true)
	if err != nil {
		m.typeProblem(err, object, at)
	}
	return mapped
}

// defaultOf writes DEFAULT and the value.
func (m *mysql) defaultOf(c *schema.Column, mapped dialect.Mapped, object string, at schema.Origin) string {
	d := c.Default
	if d == nil {
		return ""
	}
	if c.Native && !d.Literal {
		return "DEFAULT " + text(d.Text)
	}
	long := strings.HasSuffix(mapped.SQL, "TEXT") || strings.HasSuffix(mapped.SQL, "BLOB") || mapped.SQL == "JSON" || strings.HasPrefix(mapped.SQL, "TEXT(")
	var value string
	switch {
	case d.Literal:
		value = m.literal(d.Text, c.Type)
		if !long || value == "NULL" {
			return "DEFAULT " + value
		}
		value = "(" + value + ")"
	default:
		var plain bool
		if value, plain = m.portableDefault(d.Text, mapped.SQL); plain {
			return "DEFAULT " + value
		}
	}
	if has, since := m.d.Has(dialect.ExpressionDefaults, m.v); !has {
		m.problem(finding.Schema, "DEF003", object, at, "column %q has a default that is an expression for its type; %s takes those from version %s on", object, m.d, since)
	}
	return "DEFAULT " + value
}

// portableDefault writes a default that is an expression. plain is true where no version
// needs parentheses for it.
func (m *mysql) portableDefault(expr, sqlType string) (value string, plain bool) {
	kind := portableDefault(expr)
	if kind == "now" {
		for _, moment := range []string{"DATETIME", "TIMESTAMP"} {
			if digits, ok := strings.CutPrefix(sqlType, moment); ok {
				return "CURRENT_TIMESTAMP" + digits, true
			}
		}
		return "(CURRENT_TIMESTAMP)", false
	}
	switch kind {
	case "date":
		return "(CURRENT_DATE)", false
	case "uuid":
		return "(UUID())", false
	}
	return parens(expr), false
}

// constraint writes a constraint in the parentheses of its table; empty for one that is
// written elsewhere.
func (m *mysql) constraint(t *schema.Table, c *schema.Constraint) string {
	switch c.Kind {
	case schema.PrimaryKey, schema.Unique:
		if slices.ContainsFunc(t.Columns, func(x *schema.Column) bool { return m.withColumn(t, c, x.Name) }) {
			return ""
		}
		keys := m.indexKeys(parts(c))
		if c.WithoutOverlaps != "" {
			keys = strings.TrimSuffix(keys, ")") + ", " + m.quote(c.WithoutOverlaps) + " WITHOUT OVERLAPS)"
		}
		options := clauses(given(c.Method != "", "USING "+strings.ToUpper(c.Method)), given(c.Comment != "", "COMMENT "+m.d.String(c.Comment)))
		if c.Kind == schema.PrimaryKey {
			return clauses("PRIMARY KEY", keys, options)
		}
		return clauses("UNIQUE KEY", m.quote(m.constraintName(c)), keys, options)
	case schema.Check:
		if m.checkOfColumn(t, c) != "" {
			return ""
		}
		return clauses("CONSTRAINT", m.quote(m.constraintName(c)), "CHECK", parens(c.Expr), given(c.NotEnforced, "NOT ENFORCED"))
	}
	return ""
}

// engineKeeps reports whether a table's engine keeps foreign keys.
func engineKeeps(t *schema.Table) bool {
	switch strings.ToLower(t.Engine) {
	case "", "innodb", "xtradb", "ndb", "ndbcluster":
		return true
	}
	return false
}

// foreignKey writes a foreign key as it stands behind ADD, with its name or without one;
// empty if it cannot be had.
func (m *mysql) foreignKey(t *schema.Table, c *schema.Constraint, named bool) string {
	r, object, at := c.Reference, constraintObject(t, c), at(c.Origin, t.Origin)
	target := m.tables[m.near(t, r.Table)]
	for _, side := range []*schema.Table{t, target} {
		if side != nil && !engineKeeps(side) {
			m.problem(finding.Schema, "FK009", object, at, "foreign key of %q needs engine InnoDB; table %q has %s, which keeps none", object, side.Name.String(), side.Engine)
			return ""
		}
	}
	if r.Match != "" && r.Match != "SIMPLE" {
		m.problem(finding.Schema, "FK007", object, at, "foreign key of %q says MATCH %s, with which %s would drop its actions; drop it", object, r.Match, m.d)
	}
	columns := r.Columns
	if len(columns) == 0 && target != nil {
		for _, k := range target.Constraints {
			if k.Kind == schema.PrimaryKey {
				for _, x := range parts(k) {
					columns = append(columns, x.Column)
				}
			}
		}
	}
	return clauses(given(named, "CONSTRAINT "+m.quote(m.constraintName(c))), "FOREIGN KEY", m.list(c.Columns), "REFERENCES", m.ref(r.Table), m.list(columns),
		given(r.OnDelete != "", "ON DELETE "+r.OnDelete), given(r.OnUpdate != "", "ON UPDATE "+r.OnUpdate))
}

// serves reports whether the server makes an index of that name by itself for a foreign key.
func (m *mysql) serves(t *schema.Table, x *schema.Index) bool {
	return x.Implicit && !x.Unique && x.Kind == "" && slices.ContainsFunc(t.Constraints, func(c *schema.Constraint) bool {
		if c.Kind != schema.ForeignKey || len(c.Columns) != len(x.Keys) {
			return false
		}
		for i, name := range c.Columns {
			if x.Keys[i] != (schema.IndexKey{Column: name}) {
				return false
			}
		}
		if m.countsUp(t, c) {
			return x.Name == c.Columns[0]
		}
		return x.Name == m.constraintName(c)
	})
}

// countsUp reports whether the server gives a foreign key its name without being told: the
// number behind those that it numbered before. The index that it makes for a foreign key
// without a name has that of the column.
func (m *mysql) countsUp(t *schema.Table, c *schema.Constraint) bool {
	number := 1
	for _, o := range t.Constraints {
		if o == c {
			return c.Implicit && c.Name == fmt.Sprintf("%s_ibfk_%d", t.Name.Name, number)
		}
		if o.Kind == schema.ForeignKey {
			if !o.Implicit {
				if strings.HasPrefix(o.Name, t.Name.Name+"_ibfk_") {
					return false
				}
				continue
			}
			number++
		}
	}
	return false
}

// near returns the name of the table that a table refers to: one without a schema is in
// the same one.
func (m *mysql) near(t *schema.Table, n schema.Name) schema.Name {
	if n.Schema == "" {
		n.Schema = t.Schema
	}
	return n
}

func (m *mysql) indexKeys(keys []schema.IndexKey) string {
	list := make([]string, len(keys))
	for i, k := range keys {
		key := m.quote(k.Column)
		if k.Column == "" {
			key = parens(k.Expr)
		}
		if k.Length > 0 {
			key += "(" + strconv.Itoa(k.Length) + ")"
		}
		list[i] = clauses(key, given(k.Desc, "DESC"))
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// keysCounter reports whether an index has to be made with its table, as the one that a
// column needs to be counted up.
func (m *mysql) keysCounter(t *schema.Table, x *schema.Index) bool {
	if len(x.Keys) == 0 || x.Kind != "" {
		return false
	}
	first := m.d.Key(x.Keys[0].Column)
	for _, c := range t.Constraints {
		if keys := parts(c); (c.Kind == schema.PrimaryKey || c.Kind == schema.Unique) && len(keys) > 0 && m.d.Key(keys[0].Column) == first {
			return false
		}
	}
	return slices.ContainsFunc(t.Columns, func(c *schema.Column) bool {
		counted := c.AutoIncrement || c.Identity != nil
		if !counted && !c.Native {
			mapped, err := m.d.MapType(c.Type, m.v)
			counted = err == nil && mapped.Auto
		}
		return counted && m.d.Key(c.Name) == first
	})
}

// indexSort returns what stands before INDEX and what behind its keys, of the kind and
// method of an index.
func (m *mysql) indexSort(x *schema.Index) (kind, using string) {
	switch sort := strings.ToUpper(x.Kind + x.Method); sort {
	case "":
		return given(x.Unique, "UNIQUE"), ""
	case "FULLTEXT", "SPATIAL":
		return sort, ""
	case "BTREE", "HASH", "RTREE":
		return given(x.Unique, "UNIQUE"), "USING " + sort
	default:
		name := m.indexName(x)
		m.problem(finding.Index, "IDX004", name, x.Origin, "index %q has type %q; %s has BTREE, HASH, FULLTEXT and SPATIAL", name, x.Kind+x.Method, m.d)
	}
	return "", ""
}

func (m *mysql) indexOptions(x *schema.Index) string {
	_, using := m.indexSort(x)
	options := []string{using}
	for _, o := range x.Options {
		options = append(options, clauses(o.Key, o.Value))
	}
	hidden := "INVISIBLE"
	if m.d == dialect.MariaDB {
		hidden = "IGNORED"
	}
	return clauses(append(options, given(x.Comment != "", "COMMENT "+m.d.String(x.Comment)), given(x.Invisible, hidden))...)
}

// index adds an index. All come before the foreign keys, which need some of them.
func (m *mysql) index(t *schema.Table, x *schema.Index) {
	kind, _ := m.indexSort(x)
	m.add(phaseUniqueIndex, t.Name, x.Origin, statement("CREATE", kind, "INDEX", m.quote(m.indexName(x)), "ON", m.ref(t.Name), m.indexKeys(x.Keys), m.indexOptions(x)))
}

func (m *mysql) view(v *schema.View) *node {
	var how []string
	for _, o := range v.Options {
		how = append(how, o.Key+given(o.Value != "" && strings.EqualFold(o.Key, "ALGORITHM"), "=")+given(o.Value != "" && !strings.EqualFold(o.Key, "ALGORITHM"), " ")+o.Value)
	}
	columns := ""
	if len(v.Columns) > 0 {
		columns = m.list(v.Columns)
	}
	sql := clauses("CREATE", clauses(how...), "VIEW", m.ref(v.Name), columns, "AS") + "\n" + text(v.Body)
	if v.CheckOption != "" {
		sql = strings.TrimSuffix(sql, "\n") + "\nWITH " + v.CheckOption + " CHECK OPTION"
	}
	m.noComment(v.Comment, "view", v.Name.String(), v.Origin)
	return m.add(phaseView, v.Name, v.Origin, sql+";")
}

func (m *mysql) routine(r *schema.Routine) *node {
	if r.Declared != "" {
		return m.add(phaseRoutine, r.Name, r.Origin, declared(r.Declared))
	}
	name := r.Name.String()
	if r.Language != "" && !strings.EqualFold(r.Language, "sql") {
		m.problem(finding.Schema, "RTN002", name, r.Origin, "routine %q is written in %s; %s runs sql only; scope it with dialects= or set its language", name, r.Language, m.d)
	}
	params := make([]string, len(r.Params))
	for i, a := range r.Params {
		if a.Default != "" || a.Mode == "VARIADIC" {
			m.problem(finding.Schema, "RTN002", name, r.Origin, "parameter %q of routine %q has a default or is variadic, which %s does not take", a.Name, name, m.d)
		}
		mode := ""
		if r.Procedure {
			mode = a.Mode
		}
		params[i] = clauses(mode, m.quote(a.Name), m.routineType(a.Type, name, r.Origin))
	}
	returns := ""
	if !r.Procedure {
		returns = "RETURNS " + m.routineType(r.Returns, name, r.Origin)
	}
	facts := map[string]string{"IMMUTABLE": "DETERMINISTIC", "STABLE": "READS SQL DATA"}[strings.ToUpper(r.Volatility)]
	kind := "FUNCTION"
	if r.Procedure {
		kind = "PROCEDURE"
	}
	return m.add(phaseRoutine, r.Name, r.Origin, clauses("CREATE", kind, m.ref(r.Name)+"("+strings.Join(params, ", ")+")", returns, facts,
		given(r.Security != "", "SQL SECURITY "+r.Security), given(r.Comment != "", "COMMENT "+m.d.String(r.Comment)))+"\n"+routineBody(r.Body)+";")
}

// routineBody is a body that is one statement, or BEGIN … END.
func routineBody(body string) string {
	trimmed := strings.TrimRight(text(body), "; \n")
	if strings.HasPrefix(strings.ToUpper(trimmed), "RETURN ") && !strings.Contains(trimmed, ";") {
		return trimmed
	}
	return blockBody(body)
}

func (m *mysql) routineType(sql, routine string, at schema.Origin) string {
	t, err := schema.ParseType(sql)
	if err != nil {
		m.problem(finding.Schema, "TYP001", routine, at, "routine %q: %s", routine, err.Error())
		return sql
	}
	mapped, _ := m.portableType(t, routine, at)
	return mapped.SQL
}

func (m *mysql) trigger(t *schema.Trigger) {
	m.noComment(t.Comment, "trigger", t.Name, t.Origin)
	if t.Declared != "" {
		m.add(phaseTrigger, t.Table, t.Origin, declared(t.Declared))
		return
	}
	refuse := func(format string, args ...any) {
		m.problem(finding.Schema, "TRG001", t.Name, t.Origin, "trigger %q %s", t.Name, fmt.Sprintf(format, args...))
	}
	if len(t.Events) != 1 || !slices.Contains([]string{"INSERT", "UPDATE", "DELETE"}, t.Events[0]) {
		refuse("is for %s; %s takes one of INSERT, UPDATE and DELETE; declare one trigger for each", strings.Join(t.Events, " OR "), m.d)
	}
	if t.Timing == "INSTEAD OF" {
		refuse("is INSTEAD OF; %s has BEFORE and AFTER", m.d)
	}
	if t.ForEach == "STATEMENT" {
		refuse("is FOR EACH STATEMENT; %s has triggers for each row only", m.d)
	}
	m.add(phaseTrigger, t.Table, t.Origin, clauses("CREATE TRIGGER", m.ref(schema.Name{Schema: t.Table.Schema, Name: t.Name}), t.Timing, strings.Join(t.Events, " OR "),
		"ON", m.ref(t.Table), "FOR EACH ROW")+"\n"+blockBody(t.Body)+";")
}
