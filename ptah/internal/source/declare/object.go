package declare

import (
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// name is the name of what a spec declares, with its schema.
func (s *Spec) name() schema.Name {
	return schema.Name{Schema: s.Text("schema"), Name: s.Text("name")}
}

// at is where an attribute is given.
func (s *Spec) at(attr string) schema.Origin {
	at := s.Origin
	if line := s.line(attr); line > 0 {
		at.Line = line
	}
	return at
}

// AddObject adds what a spec declares, of any kind but Table, Field and Embedded. Home is
// the table that it is declared with, nil of none: indexes, constraints and triggers are
// of that table unless they name another, and none has to name its schema.
func (u *Unit) AddObject(home *schema.Table, s *Spec) {
	switch s.Kind {
	case Index:
		u.addIndex(home, s)
	case Constraint:
		u.addConstraint(home, s)
	case Trigger:
		u.addTrigger(home, s)
	case Grant:
		u.addGrant(home, s)
	case RowSecurity:
		u.addRowSecurity(home, s)
	case Policy:
		u.addPolicy(home, s)
	case Data:
		u.addData(home, s)
	default:
		u.addNamed(s)
	}
}

// addNamed adds an object that the database knows by its name alone, once.
func (u *Unit) addNamed(s *Spec) {
	db, n, comment, at := u.DB, s.name(), s.Text("comment"), s.Origin
	signature := "" // routines of one name differ by it
	if s.Kind == Function || s.Kind == Procedure {
		signature = s.routine().Signature()
	}
	if !u.isFirst(s, n.String(), n.Schema, n.Name, signature) {
		return
	}
	switch s.Kind {
	case Namespace:
		db.Schemas = append(db.Schemas, &schema.Namespace{Name: n.Name, Comment: comment, Origin: at})
	case Extension:
		db.Extensions = append(db.Extensions, &schema.Extension{
			Name: n.Name, Schema: n.Schema, Version: s.Text("version"), IfNotExists: !s.Off("if_not_exists"), Comment: comment, Origin: at,
		})
	case Enum:
		db.Enums = append(db.Enums, &schema.Enum{Name: n, Values: s.List("values"), Comment: comment, Origin: at})
	case Domain:
		if d := s.domain(); d != nil {
			db.Domains = append(db.Domains, d)
		}
	case Composite:
		db.Composites = append(db.Composites, s.composite())
	case Range:
		if subtype, ok := s.typ("subtype"); ok {
			db.Ranges = append(db.Ranges, &schema.Range{
				Name: n, Subtype: subtype, SubtypeOpclass: s.Text("subtype_opclass"), SubtypeDiff: s.Text("subtype_diff"),
				Collation: s.Text("collation"), Canonical: s.Text("canonical"), Comment: comment, Origin: at,
			})
		}
	case Sequence:
		if seq := s.sequence(); seq != nil {
			db.Sequences = append(db.Sequences, seq)
		}
	case Function, Procedure:
		db.Routines = append(db.Routines, s.routine())
	case View, MatView:
		db.Views = append(db.Views, s.view())
	case Role:
		if s.Text("password") != "" {
			u.Warn(s.at("password"), finding.PlaintextPassword,
				"role %.80q has a password in plain text; whoever reads the file can use it: leave it out and set it in the database", n.Name)
		}
		db.Roles = append(db.Roles, &schema.Role{
			Name: n.Name, Login: s.On("login"), Superuser: s.On("superuser"), CreateDB: s.On("createdb"), CreateRole: s.On("createrole"),
			Replication: s.On("replication"), NoInherit: s.Off("inherit"), Password: s.Text("password"), Comment: comment, Origin: at,
		})
	}
}

func (s *Spec) domain() *schema.Domain {
	t, ok := s.typ("type")
	if !ok {
		return nil
	}
	d := &schema.Domain{
		Name: s.name(), Type: t, NotNull: s.On("not_null"), Default: s.sqlDefault(), Comment: s.Text("comment"), Origin: s.Origin,
	}
	if s.Has("check") {
		d.Checks = []*schema.Constraint{{Kind: schema.Check, Expr: s.Text("check"), Origin: s.at("check")}}
	}
	return d
}

func (s *Spec) composite() *schema.Composite {
	c := &schema.Composite{Name: s.name(), Comment: s.Text("comment"), Origin: s.Origin}
	for _, pair := range s.List("fields") {
		field, text, ok := strings.Cut(pair, ":")
		field = strings.TrimSpace(field)
		typ, err := schema.ParseType(text)
		switch {
		case !ok || field == "":
			s.Fail(s.line("fields"), "SRC003", "has a bad %q: %.80q is not of the form name:type", "fields", pair)
		case err != nil:
			s.Fail(s.line("fields"), "SRC003", "has a bad %q: %v", "fields", err)
		default:
			c.Fields = append(c.Fields, schema.Field{Name: field, Type: typ})
		}
	}
	return c
}

func (s *Spec) sequence() *schema.Sequence {
	seq := &schema.Sequence{
		Name: s.name(), As: s.Text("as"), IfNotExists: s.On("if_not_exists"), Comment: s.Text("comment"), Origin: s.Origin,
		SequenceOptions: schema.SequenceOptions{
			Start: s.Number("start"), Increment: s.Number("increment"), Min: s.Number("minvalue"), Max: s.Number("maxvalue"),
			Cache: s.Number("cache"), Cycle: s.On("cycle"),
		},
	}
	if s.Has("owned_by") {
		owner, err := columnOf(s.Text("owned_by"))
		if err != nil {
			s.Fail(s.line("owned_by"), "SRC003", "has a bad %q: %v", "owned_by", err)
			return nil
		}
		seq.OwnedBy = owner
	}
	return seq
}

func (s *Spec) routine() *schema.Routine {
	r := &schema.Routine{
		Name: s.name(), Procedure: s.Kind == Procedure, Params: params(s.List("params")), Returns: s.Text("returns"),
		Language: s.Text("language"), Security: s.Text("security"), Volatility: s.Text("volatility"), Body: s.Text("body"),
		Comment: s.Text("comment"), Origin: s.Origin,
	}
	// The other databases have one language, which is not named.
	if r.Language == "" && s.unit.Dialect.PostgresFamily() {
		r.Language = "plpgsql"
	}
	return r
}

func (s *Spec) view() *schema.View {
	v := &schema.View{
		Name: s.name(), Materialized: s.Kind == MatView, Body: strings.TrimRight(s.Text("body"), "; \t\r\n"), Refresh: s.Text("refresh"),
		Comment: s.Text("comment"), Origin: s.Origin,
	}
	switch check := s.Text("with_check"); check {
	case "true":
		v.CheckOption = "CASCADED" // as in SQL, where nothing is said
	case "CASCADED", "LOCAL":
		v.CheckOption = check
	}
	return v
}

func (u *Unit) addTrigger(home *schema.Table, s *Spec) {
	t := &schema.Trigger{
		Name: s.Text("name"), Timing: s.Text("timing"), Events: events(s.Text("event")), ForEach: s.Text("for"), Body: s.Text("body"),
		Comment: s.Text("comment"), Origin: s.Origin,
	}
	if t.ForEach == "" {
		t.ForEach = "ROW" // what every database has
		if len(t.Events) == 1 && t.Events[0] == "TRUNCATE" {
			t.ForEach = "STATEMENT"
		}
	}
	if _, ok := s.home(home, &t.Table); ok && u.isFirstOf(s, t.Table, t.Name) {
		u.DB.Triggers = append(u.DB.Triggers, t)
	}
}

func (u *Unit) addGrant(home *schema.Table, s *Spec) {
	g := &schema.Grant{
		Privileges: privileges(s.List("privileges")), Roles: s.List("role"), WithOption: s.On("with_option"),
		Comment: s.Text("comment"), Origin: s.Origin,
	}
	for _, on := range []string{"on_table", "on_schema", "on_sequence"} {
		if s.get(on) == nil {
			continue
		}
		if g.On != "" {
			s.Fail(s.line(on), "SRC003", "is on several objects; give one of %q, %q and %q", "on_table", "on_schema", "on_sequence")
			return
		}
		g.On = strings.ToUpper(strings.TrimPrefix(on, "on_"))
		if on == "on_schema" {
			g.Object.Name = s.Text(on)
		} else if n, ok := s.table(on, home); ok {
			g.Object = n
		} else {
			return
		}
	}
	if g.On == "" {
		s.Fail(0, "SRC003", "needs one of %q, %q and %q", "on_table", "on_schema", "on_sequence")
		return
	}
	u.DB.Grants = append(u.DB.Grants, g)
}

func (u *Unit) addRowSecurity(home *schema.Table, s *Spec) {
	if n, ok := s.table("table", home); ok && u.isFirst(s, n.String(), n.Schema, n.Name) {
		u.DB.RowSecurity = append(u.DB.RowSecurity, &schema.RowSecurity{
			Table: n, Enabled: true, Force: s.On("force"), Comment: s.Text("comment"), Origin: s.Origin,
		})
	}
}

func (u *Unit) addPolicy(home *schema.Table, s *Spec) {
	if n, ok := s.table("table", home); ok && u.isFirstOf(s, n, s.Text("name")) {
		u.DB.Policies = append(u.DB.Policies, &schema.Policy{
			Name: s.Text("name"), Table: n, Restrictive: s.Text("as") == "RESTRICTIVE", Command: s.Text("for"), Roles: s.List("to"),
			Using: s.Text("using"), Check: s.Text("with_check"), Comment: s.Text("comment"), Origin: s.Origin,
		})
	}
}

func (u *Unit) addData(home *schema.Table, s *Spec) {
	n, ok := s.table("table", home)
	if !ok {
		return
	}
	if n.Schema == "" {
		n.Schema = s.Text("schema")
	}
	u.DB.Data = append(u.DB.Data, &schema.Data{Table: n, Key: s.Text("key"), File: s.Text("file"), Origin: s.Origin})
}
