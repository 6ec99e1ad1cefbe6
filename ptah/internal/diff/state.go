package diff

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/render"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// object is what a database has statements to make and to drop.
type object struct {
	kind  string // table, view, foreign key, …
	key   string // its identity in a state
	name  schema.Name
	owner string // the key of the table or view that it belongs to
	at    schema.Origin
	value any // what the schema says of it

	create   []string // what makes it, without its comments
	comments []comment
	drop     string
	uses     string // the text in which it may name others
	body     string // of a routine of PostgreSQL, where it is looked at as it runs
	early    bool   // it is dropped before the tables change, and made after
	add      func(*schema.Database)
}

// comment is a statement COMMENT ON of PostgreSQL.
type comment struct{ target, statement string }

func (o *object) text() string { return strings.Join(o.create, "\n") }

// String names the object for people.
func (o *object) String() string {
	if v, ok := o.value.(*schema.Verbatim); ok {
		return fmt.Sprintf("%s %q", strings.ToLower(v.Kind), v.Name.String())
	}
	return fmt.Sprintf("%s %q", o.kind, o.name.String())
}

// isKey reports whether a foreign key may refer to what the object makes unique.
func (o *object) isKey() bool {
	switch v := o.value.(type) {
	case *schema.Constraint:
		return v.Kind == schema.PrimaryKey || v.Kind == schema.Unique
	case *schema.Index:
		return v.Unique
	}
	return false
}

// state is everything that one state of the database has.
type state struct {
	ctx     context.Context
	o       render.Options
	rep     *finding.Report
	parts   *render.Parts
	objects []*object
	byKey   map[string]*object
	keys    map[string][]*object // what foreign keys may refer to, by the table
	grants  []*schema.Grant
}

func (d *differ) read(db *schema.Database) *state {
	s := &state{ctx: d.ctx, o: d.o, rep: d.rep, byKey: map[string]*object{}, keys: map[string][]*object{}, grants: db.Grants}
	s.parts = render.NewParts(d.ctx, db, d.o, d.rep)
	for _, x := range db.Schemas {
		s.put(&object{kind: "schema", name: schema.Name{Name: x.Name}, at: x.Origin, value: x, drop: "DROP SCHEMA " + s.quote(x.Name),
			add: func(db *schema.Database) { db.Schemas = append(db.Schemas, x) }})
	}
	for _, x := range db.Extensions {
		s.put(&object{kind: "extension", name: schema.Name{Name: x.Name}, at: x.Origin, value: x, drop: "DROP EXTENSION " + s.quote(x.Name),
			add: func(db *schema.Database) { db.Extensions = append(db.Extensions, x) }})
	}
	s.types(db)
	for _, x := range db.Sequences {
		alone := *x
		alone.OwnedBy = nil // its column may not be there yet
		o := s.put(&object{kind: "sequence", name: x.Name, at: x.Origin, value: x, drop: "DROP SEQUENCE " + s.parts.Name(x.Name),
			add: func(db *schema.Database) { db.Sequences = append(db.Sequences, &alone) }})
		o.create = append(o.create, s.owns(o)...)
	}
	for _, t := range db.Tables {
		s.table(t)
	}
	for _, v := range db.Views {
		s.view(v)
	}
	for _, r := range db.Routines {
		s.routine(r)
	}
	for _, t := range db.Triggers {
		drop, name := "DROP TRIGGER "+s.quote(t.Name), schema.Name{Name: t.Name}
		if s.o.Dialect.PostgresFamily() {
			drop += " ON " + s.parts.Name(t.Table)
			name = schema.Name{Schema: t.Table.String(), Name: t.Name}
		}
		s.put(&object{kind: "trigger", name: name, owner: s.relation(t.Table), at: t.Origin, value: t, early: true, drop: drop,
			add: func(db *schema.Database) { db.Triggers = append(db.Triggers, t) }})
	}
	for _, p := range db.Policies {
		s.put(&object{kind: "policy", name: schema.Name{Schema: p.Table.String(), Name: p.Name}, owner: s.relation(p.Table), at: p.Origin, value: p, early: true,
			drop: "DROP POLICY " + s.quote(p.Name) + " ON " + s.parts.Name(p.Table),
			add:  func(db *schema.Database) { db.Policies = append(db.Policies, p) }})
	}
	for _, v := range db.Verbatim {
		s.verbatim(v)
	}
	return s
}

// put adds an object, with the statements that make it.
func (s *state) put(o *object) *object {
	o.key = s.key(o.kind, o.name)
	if s.byKey[o.key] != nil { // a foreign state; the database itself would not have both
		return o
	}
	if o.create == nil {
		o.create, o.comments = s.alone(o)
	}
	if o.uses == "" {
		o.uses = o.text()
	}
	o.drop += ";"
	if o.isKey() {
		s.keys[o.owner] = append(s.keys[o.owner], o)
	}
	s.objects = append(s.objects, o)
	s.byKey[o.key] = o
	return o
}

// alone returns the statements of an object, as if the database had nothing else.
func (s *state) alone(o *object) (create []string, comments []comment) {
	var rep finding.Report // what the dialect cannot hold is said once it is made
	for _, sql := range s.render(&rep, o) {
		if target, ok := commentTarget(sql); ok && s.o.Dialect.PostgresFamily() {
			comments = append(comments, comment{target, sql})
		} else {
			create = append(create, sql)
		}
	}
	return create, comments
}

// commentTarget takes COMMENT ON x IS 'y' apart: COMMENT ON x IS.
func commentTarget(sql string) (target string, ok bool) {
	if !strings.HasPrefix(sql, "COMMENT ON ") {
		return "", false
	}
	const is = " IS "
	quoted := false
	for i := range len(sql) {
		if sql[i] == '"' {
			quoted = !quoted
		}
		if !quoted && strings.HasPrefix(sql[i:], is) {
			return sql[:i+len(is)], true
		}
	}
	return "", false
}

// render returns the statements that make objects, in the order of what they need.
func (s *state) render(rep *finding.Report, objects ...*object) []string {
	db := &schema.Database{Partial: true}
	schemas := map[string]bool{}
	for _, o := range objects {
		o.add(db)
		if o.kind == "schema" {
			schemas["CREATE SCHEMA "+s.quote(o.name.Name)+";"] = true
		}
	}
	return slices.DeleteFunc(render.Render(s.ctx, db, s.o, rep), func(sql string) bool {
		// The schema of an object is made with it where it is not declared.
		return strings.HasPrefix(sql, "CREATE SCHEMA ") && !schemas[sql]
	})
}

// rendered is render for statements that are part of the answer.
func (s *state) rendered(objects []*object) []string {
	if len(objects) == 0 {
		return nil
	}
	return s.render(s.rep, objects...)
}

// reversed puts objects in the order in which they can be dropped: those that need others
// come before these.
func (s *state) reversed(objects []*object) []*object {
	if len(objects) < 2 || objects[0].add == nil { // parts of tables do not need each other
		return objects
	}
	var rep finding.Report
	at := map[string]int{}
	for i, sql := range s.render(&rep, objects...) {
		if _, seen := at[sql]; !seen {
			at[sql] = i
		}
	}
	place := func(o *object) int {
		if len(o.create) == 0 {
			return 0
		}
		return at[o.create[0]]
	}
	sorted := slices.Clone(objects)
	slices.SortStableFunc(sorted, func(a, b *object) int { return place(b) - place(a) })
	return sorted
}

func (s *state) some(want func(*object) bool) []*object {
	var list []*object
	for _, o := range s.objects {
		if want(o) {
			list = append(list, o)
		}
	}
	return list
}

func (s *state) quote(name string) string { return s.o.Dialect.Quote(name) }

// name is a name as the database compares it.
func (s *state) name(n schema.Name) schema.Name {
	return n.Folded(s.o.Dialect.DefaultSchema(), s.o.Dialect.TableKey)
}

func (s *state) key(kind string, n schema.Name) string {
	n = s.name(n)
	return kind + "\x00" + n.Schema + "\x00" + n.Name
}

// relation is the key of the table or view of a name.
func (s *state) relation(n schema.Name) string {
	if view := s.key("view", n); s.byKey[view] != nil {
		return view
	}
	return s.key("table", n)
}

func (s *state) types(db *schema.Database) {
	for _, x := range db.Enums {
		s.put(&object{kind: "enum", name: x.Name, at: x.Origin, value: x, drop: "DROP TYPE " + s.parts.Name(x.Name),
			add: func(db *schema.Database) { db.Enums = append(db.Enums, x) }})
	}
	for _, x := range db.Domains {
		s.put(&object{kind: "domain", name: x.Name, at: x.Origin, value: x, drop: "DROP DOMAIN " + s.parts.Name(x.Name),
			add: func(db *schema.Database) { db.Domains = append(db.Domains, x) }})
	}
	for _, x := range db.Composites {
		s.put(&object{kind: "composite", name: x.Name, at: x.Origin, value: x, drop: "DROP TYPE " + s.parts.Name(x.Name),
			add: func(db *schema.Database) { db.Composites = append(db.Composites, x) }})
	}
	for _, x := range db.Ranges {
		s.put(&object{kind: "range", name: x.Name, at: x.Origin, value: x, drop: "DROP TYPE " + s.parts.Name(x.Name),
			add: func(db *schema.Database) { db.Ranges = append(db.Ranges, x) }})
	}
}

// table adds a table, and what it has that is made by statements of its own.
func (s *state) table(t *schema.Table) {
	bare := *t
	bare.Constraints = nil
	for _, c := range t.Constraints {
		if c.Kind != schema.ForeignKey || s.o.Dialect == dialect.SQLite {
			bare.Constraints = append(bare.Constraints, c)
		}
	}
	drop := "DROP TABLE "
	if t.Foreign != "" {
		drop = "DROP FOREIGN TABLE "
	}
	o := s.put(&object{kind: "table", name: t.Name, at: t.Origin, value: t, drop: drop + s.parts.Name(t.Name),
		add: func(db *schema.Database) { db.Tables = append(db.Tables, &bare) }})
	o.comments = slices.DeleteFunc(o.comments, ofConstraint)
	d := s.o.Dialect
	for _, c := range t.Constraints {
		kind := "constraint"
		drop := s.alterTable(t) + " DROP CONSTRAINT "
		switch {
		case c.Kind == schema.ForeignKey && d != dialect.SQLite:
			kind = "foreign key"
			if d.MySQLFamily() {
				drop = s.alterTable(t) + " DROP FOREIGN KEY "
			}
		case !d.PostgresFamily():
			continue // altered with the table
		}
		name := s.parts.ConstraintName(t, c)
		s.put(&object{kind: kind, name: schema.Name{Schema: t.Name.String(), Name: name}, owner: o.key, at: c.Origin, value: c, early: true,
			create: []string{s.alterTable(t) + " ADD " + s.parts.Constraint(t, c) + ";"}, drop: drop + s.quote(name), comments: s.constraintComment(t, name, c.Comment)})
	}
	if !d.MySQLFamily() {
		s.indexes(t.Name, t.Indexes, o)
	}
}

func (s *state) alterTable(t *schema.Table) string { return "ALTER TABLE " + s.parts.Name(t.Name) }

func (s *state) indexes(on schema.Name, list []*schema.Index, owner *object) {
	for _, x := range list {
		name := schema.Name{Schema: on.Schema, Name: s.parts.IndexName(x)}
		o := &object{kind: "index", name: name, owner: owner.key, at: x.Origin, value: x, early: true, drop: "DROP INDEX " + s.parts.Name(name)}
		for _, sql := range s.parts.Index(on, x) {
			if target, ok := commentTarget(sql); ok {
				o.comments = append(o.comments, comment{target, sql})
			} else {
				o.create = append(o.create, sql)
			}
		}
		s.put(o)
	}
}

// view adds a view. The indexes of a materialised one are objects of their own.
func (s *state) view(v *schema.View) {
	drop := "DROP VIEW "
	if v.Materialized {
		drop = "DROP MATERIALIZED VIEW "
	}
	bare := *v
	bare.Indexes = nil
	o := s.put(&object{kind: "view", name: v.Name, at: v.Origin, value: v, early: true, drop: drop + s.parts.Name(v.Name),
		add: func(db *schema.Database) { db.Views = append(db.Views, &bare) }})
	o.add = func(db *schema.Database) { db.Views = append(db.Views, v) }
	if !s.o.Dialect.MySQLFamily() {
		s.indexes(v.Name, v.Indexes, o)
	}
}

func (s *state) routine(r *schema.Routine) {
	kind := "FUNCTION"
	switch {
	case r.Aggregate:
		kind = "AGGREGATE"
	case r.Procedure:
		kind = "PROCEDURE"
	}
	drop, name := "DROP "+kind+" "+s.parts.Name(r.Name), r.Name
	if s.o.Dialect.PostgresFamily() {
		signature := s.parts.Signature(r)
		drop, name.Name = drop+signature, r.Name.Name+signature
	} else {
		name.Name = kind + " " + name.Name // a function and a procedure may have one name
	}
	bare := *r
	bare.Unchecked = false // the whole list of statements knows better
	o := s.put(&object{kind: "routine", name: name, at: r.Origin, value: r, drop: drop,
		add: func(db *schema.Database) { db.Routines = append(db.Routines, &bare) }})
	o.name = r.Name
	// A body in quotes is looked at as it runs.
	if head, body, quoted := strings.Cut(o.uses, "\nAS $"); quoted && s.o.Dialect.PostgresFamily() {
		o.uses, o.body = head, body
	}
}

// atTables are the kinds of statements kept as they are that are about tables; the others
// are like types.
var atTables = []string{"RULE", "STATISTICS", "EVENT"}

func (s *state) verbatim(v *schema.Verbatim) {
	named := v.CommentOn
	if named == "" {
		named = s.parts.Name(v.Name)
	}
	o := &object{kind: "verbatim", name: schema.Name{Schema: v.Kind, Name: named}, at: v.Origin, value: v, early: slices.Contains(atTables, v.Kind),
		drop: "DROP " + v.Kind + " " + named, add: func(db *schema.Database) { db.Verbatim = append(db.Verbatim, v) }}
	if trigger, table, ok := strings.Cut(v.CommentOn, " ON "); ok && v.Kind == "ALTER TRIGGER" {
		o.early, o.drop = true, "ALTER TABLE "+table+" ENABLE TRIGGER "+trigger
	}
	if target, ok := commentTarget(v.Text); ok {
		o.name.Name, o.early, o.drop = target, true, target+"NULL"
	}
	if column, _, ok := strings.Cut(v.Text, " SET DEFAULT "); ok && v.Kind == "ALTER VIEW" {
		o.name.Name, o.owner, o.early, o.drop = column, s.key("view", v.Name), true, column+" DROP DEFAULT"
	}
	s.put(o)
}

// owns returns the statement that gives a sequence to its column.
func (s *state) owns(o *object) []string {
	x := o.value.(*schema.Sequence)
	if x.OwnedBy == nil {
		return nil
	}
	return []string{"ALTER SEQUENCE " + s.parts.Name(x.Name) + " OWNED BY " + s.parts.Name(x.OwnedBy.Table) + "." + s.quote(x.OwnedBy.Column) + ";"}
}

// called returns the routines that tables and domains call, with those that these call:
// they have to be there before the tables, and as long as these.
func (s *state) called() map[string]bool {
	called := map[string]bool{}
	var texts []string
	for _, o := range s.objects {
		if slices.Contains([]string{"table", "constraint", "index", "domain"}, o.kind) {
			texts = append(texts, o.uses)
		}
	}
	for len(texts) > 0 {
		text := texts[0]
		texts = texts[1:]
		for _, o := range s.objects {
			if o.kind == "routine" && !called[o.key] && names(text, o.name.Name) {
				called[o.key] = true
				texts = append(texts, o.uses)
			}
		}
	}
	return called
}
