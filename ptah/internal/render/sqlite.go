package render

import (
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// sqlite writes for SQLite, whose statements are checked as they are used: what a view
// or a trigger needs may come behind it.
type sqlite struct {
	*job
	relations map[schema.Name]*node
}

func writeSQLite(j *job) {
	s := &sqlite{job: j, relations: map[schema.Name]*node{}}
	for _, t := range j.db.Tables {
		s.relations[s.key(t.Name)] = s.table(t)
	}
	for _, v := range j.db.Views {
		columns := ""
		if len(v.Columns) > 0 {
			columns = s.list(v.Columns)
		}
		s.relations[s.key(v.Name)] = s.add(phaseView, v.Name, v.Origin, clauses("CREATE VIEW", s.ident(v.Name), columns, "AS")+"\n"+text(v.Body)+";")
	}
	for _, t := range j.db.Tables {
		n := s.relations[s.key(t.Name)]
		for _, c := range t.Constraints {
			if c.Reference != nil {
				n.after(s.relations[s.key(c.Reference.Table)], nice)
			}
		}
		if t.Virtual != "" { // it may keep its text in another table
			words(t.Virtual, s.d, func(w word) { n.after(s.relations[s.key(schema.Name{Name: w.name})], should) })
		}
	}
	for _, v := range j.db.Views {
		if m, ok := s.mentionsOf(v.Body); ok {
			for _, r := range m.relations {
				s.relations[s.key(v.Name)].after(s.relations[s.key(r)], must)
			}
		}
	}
	for _, t := range j.db.Triggers {
		s.trigger(t)
	}
	for _, v := range j.db.Verbatim {
		s.add(phaseLast, v.Name, v.Origin, declared(v.Text))
	}
}

func (s *sqlite) key(n schema.Name) schema.Name { return n.Folded(s.schema, s.d.Key) }

// ident writes the name of a table or view; that of the schema main goes without saying.
func (s *sqlite) ident(n schema.Name) string { return s.quote(n.Name) }

// table adds a table with its indexes.
func (s *sqlite) table(t *schema.Table) *node {
	for _, x := range t.Indexes {
		s.index(t, x)
	}
	if t.Virtual != "" {
		return s.add(phaseTable, t.Name, t.Origin, statement("CREATE VIRTUAL TABLE", s.ident(t.Name), "USING", text(t.Virtual)))
	}
	own := s.own(t)
	var lines []string
	for _, c := range t.Columns {
		lines = append(lines, s.column(t, c, own[c]))
	}
	for _, first := range []bool{true, false} { // primary keys come first
		for _, c := range own[nil] {
			if (c.Kind == schema.PrimaryKey) == first {
				lines = append(lines, s.constraint(c, nil))
			}
		}
	}
	var options []string
	if t.Strict {
		options = append(options, "STRICT")
	}
	if t.WithoutRowID {
		options = append(options, "WITHOUT ROWID")
	}
	if custom := text(t.Custom); custom != "" {
		options = append(options, custom)
	}
	return s.add(phaseTable, t.Name, t.Origin, statement("CREATE TABLE", s.ident(t.Name), block(lines), strings.Join(options, ", ")))
}

// own returns the constraints that are written with each column, and under nil those that
// stand by themselves.
func (s *sqlite) own(t *schema.Table) map[*schema.Column][]*schema.Constraint {
	own := map[*schema.Column][]*schema.Constraint{}
	for _, c := range t.Constraints {
		column := s.columnOf(t, c)
		own[column] = append(own[column], c)
	}
	return own
}

// columnOf returns the column that a constraint is written with, nil if it stands by
// itself: those that were declared so, and the key of a column that counts up.
func (s *sqlite) columnOf(t *schema.Table, c *schema.Constraint) *schema.Column {
	keys := parts(c)
	if len(keys) != 1 || keys[0].Collation != "" {
		return nil
	}
	for _, column := range t.Columns {
		if s.d.Key(column.Name) == s.d.Key(keys[0].Column) && (c.Inline || c.Kind == schema.PrimaryKey && s.counts(column)) {
			return column
		}
	}
	return nil
}

// parts are the columns of a key or foreign key with what is said of each.
func parts(c *schema.Constraint) []schema.IndexKey {
	if len(c.Keys) > 0 {
		return c.Keys
	}
	keys := make([]schema.IndexKey, len(c.Columns))
	for i, name := range c.Columns {
		keys[i] = schema.IndexKey{Column: name}
	}
	return keys
}

// counts reports whether a column is declared to be counted up.
func (s *sqlite) counts(c *schema.Column) bool {
	if c.AutoIncrement || c.Native {
		return c.AutoIncrement
	}
	m, err := s.d.MapType(c.Type, s.v)
	return err == nil && m.Auto
}

// column writes a column with the constraints that belong to it.
func (s *sqlite) column(t *schema.Table, c *schema.Column, own []*schema.Constraint) string {
	object, at := t.Name.String()+"."+c.Name, at(c.Origin, t.Origin)
	m, values := s.columnType(t, c, object, at)
	collation := c.Collation
	if collation == "" {
		collation = m.Collation
	}
	clause := []string{s.quote(c.Name), m.SQL, given(collation != "", "COLLATE "+s.quote(collation))}
	of := func(kind schema.ConstraintKind) (list []*schema.Constraint) {
		for _, k := range own {
			if k.Kind == kind {
				list = append(list, k)
			}
		}
		return list
	}
	primary := of(schema.PrimaryKey)
	rowID := len(primary) > 0 && strings.EqualFold(m.SQL, "INTEGER") && !t.WithoutRowID
	if s.counts(c) {
		if !rowID {
			s.problem(finding.Schema, "IDN001", object, at, "column %q is counted up; sqlite counts only a column that is the whole primary key and has type INTEGER", object)
		}
	}
	for _, k := range primary {
		clause = append(clause, s.constraint(k, c), given(s.counts(c), "AUTOINCREMENT"))
	}
	inKey := slices.ContainsFunc(t.Constraints, func(k *schema.Constraint) bool {
		return k.Kind == schema.PrimaryKey && slices.ContainsFunc(parts(k), func(x schema.IndexKey) bool { return s.d.Key(x.Column) == s.d.Key(c.Name) })
	})
	if c.NotNull && (c.Native || !rowID) || inKey && !c.Native && !rowID {
		clause = append(clause, "NOT NULL")
		for _, o := range c.Options {
			if o.Key == "NOT NULL ON CONFLICT" {
				clause = append(clause, "ON CONFLICT "+o.Value)
			}
		}
	}
	for _, k := range of(schema.Unique) {
		clause = append(clause, s.constraint(k, c))
	}
	clause = append(clause, s.defaultOf(c, object, at))
	if g := c.Generated; g != nil {
		kind := "VIRTUAL"
		if g.Stored {
			kind = "STORED"
		}
		clause = append(clause, "GENERATED ALWAYS AS", parens(g.Expr), kind)
	}
	if len(values) > 0 {
		clause = append(clause, "CHECK ("+s.quote(c.Name)+" IN "+s.values(values)+")")
	}
	for _, k := range of(schema.Check) {
		clause = append(clause, s.constraint(k, c))
	}
	for _, k := range of(schema.ForeignKey) {
		clause = append(clause, s.constraint(k, c))
	}
	return clauses(clause...)
}

// values writes a list of texts in parentheses.
func (j *job) values(values []string) string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = j.d.String(v)
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// columnType returns the type of a column, and the values of an enum.
func (s *sqlite) columnType(t *schema.Table, c *schema.Column, object string, at schema.Origin) (m dialect.Mapped, values []string) {
	if c.Native {
		return dialect.Mapped{SQL: c.Type.Text}, nil
	}
	if values, ok := s.enumValues(c.Type); ok {
		return dialect.Mapped{SQL: "TEXT"}, values
	}
	m, ok := s.portableType(c.Type, object, at)
	if strict := t.Strict || strings.Contains(strings.ToUpper(t.Custom), "STRICT"); ok && strict && strings.HasPrefix(m.SQL, "NUMERIC") {
		s.problem(finding.Schema, "TYP001", object, at, "column %q has type %s; a STRICT table of sqlite has no such type; use REAL or TEXT", object, c.Type.Text)
	}
	return m, nil
}

func (s *sqlite) defaultOf(c *schema.Column, object string, at schema.Origin) string {
	d := c.Default
	switch {
	case d == nil:
		return ""
	case c.Native && !d.Literal:
		return "DEFAULT " + text(d.Text)
	case d.Literal:
		return "DEFAULT " + s.literal(d.Text, c.Type)
	}
	switch portableDefault(d.Text) {
	case "now":
		return "DEFAULT CURRENT_TIMESTAMP"
	case "date":
		return "DEFAULT CURRENT_DATE"
	case "uuid":
		s.problem(finding.Schema, "DEF003", object, at, "column %q has default %s; sqlite has no function for it; let the application make the value", object, d.Text)
	}
	return "DEFAULT " + parens(d.Text)
}

// constraint writes a constraint, with its column or, where that is nil, for the table.
func (s *sqlite) constraint(c *schema.Constraint, column *schema.Column) string {
	name := s.constraintName(c)
	if c.Implicit || column != nil && column.Native {
		name = c.Name // SQLite needs none
	}
	name = given(name != "", "CONSTRAINT "+s.quote(name))
	conflict := given(c.Conflict != "", "ON CONFLICT "+c.Conflict)
	switch c.Kind {
	case schema.PrimaryKey, schema.Unique:
		keys := make([]string, 0, 1)
		desc := ""
		for _, k := range parts(c) {
			keys = append(keys, s.indexKey(k))
			desc = given(k.Desc, "DESC")
		}
		if column != nil {
			return clauses(name, string(c.Kind), desc, conflict)
		}
		return clauses(name, string(c.Kind), "("+strings.Join(keys, ", ")+")", conflict)
	case schema.Check:
		return clauses(name, "CHECK", parens(c.Expr), conflict)
	}
	r := c.Reference
	if r == nil {
		return ""
	}
	clause := []string{name}
	if column == nil {
		clause = append(clause, "FOREIGN KEY", s.list(c.Columns))
	}
	clause = append(clause, "REFERENCES", s.ident(r.Table))
	if len(r.Columns) > 0 {
		clause = append(clause, s.list(r.Columns))
	}
	clause = append(clause, given(r.OnDelete != "", "ON DELETE "+r.OnDelete), given(r.OnUpdate != "", "ON UPDATE "+r.OnUpdate),
		given(r.Match != "" && r.Match != "SIMPLE", "MATCH "+r.Match), deferrable(c))
	return clauses(clause...)
}

func (s *sqlite) indexKey(k schema.IndexKey) string {
	key := s.quote(k.Column)
	if k.Column == "" {
		key = text(k.Expr)
	}
	return clauses(key, given(k.Collation != "", "COLLATE "+s.quote(k.Collation)), given(k.Desc, "DESC"))
}

func (s *sqlite) index(t *schema.Table, x *schema.Index) {
	name := s.indexName(x)
	if x.Method != "" || x.Kind != "" {
		s.problem(finding.Index, "IDX004", name, x.Origin, "index %q has type %q; sqlite has one sort of index; drop the type or scope the index with dialects=", name, x.Kind+x.Method)
	}
	keys := make([]string, len(x.Keys))
	for i, k := range x.Keys {
		keys[i] = s.indexKey(k)
	}
	p := phaseIndex
	if x.Unique {
		p = phaseUniqueIndex
	}
	s.add(p, t.Name, x.Origin, statement("CREATE", given(x.Unique, "UNIQUE"), "INDEX", s.quote(name), "ON", s.ident(t.Name), "("+strings.Join(keys, ", ")+")",
		given(x.Where != "", "WHERE "+text(x.Where))))
}

func (s *sqlite) trigger(t *schema.Trigger) {
	if t.Declared != "" {
		s.add(phaseTrigger, t.Table, t.Origin, declared(t.Declared))
		return
	}
	if len(t.Events) != 1 || t.Events[0] == "TRUNCATE" {
		s.problem(finding.Schema, "TRG001", t.Name, t.Origin, "trigger %q is for %s; sqlite takes one of INSERT, UPDATE and DELETE; declare one trigger for each", t.Name, strings.Join(t.Events, " OR "))
	}
	if t.ForEach == "STATEMENT" {
		s.problem(finding.Schema, "TRG001", t.Name, t.Origin, "trigger %q is FOR EACH STATEMENT; sqlite has triggers for each row only", t.Name)
	}
	s.add(phaseTrigger, t.Table, t.Origin, clauses("CREATE TRIGGER", s.quote(t.Name), t.Timing, strings.Join(t.Events, " OR "), "ON", s.ident(t.Table),
		"FOR EACH ROW")+"\n"+blockBody(t.Body)+";")
}

// blockBody is the body of a trigger or routine between BEGIN and END, which are added to
// one without them.
func blockBody(body string) string {
	body = strings.TrimRight(text(body), "; \n")
	if upper := strings.ToUpper(body); strings.HasPrefix(upper, "BEGIN") && strings.HasSuffix(upper, "END") {
		return body
	}
	return "BEGIN\n" + body + ";\nEND"
}
