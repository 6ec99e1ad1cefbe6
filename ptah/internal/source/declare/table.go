package declare

import (
	"slices"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// Table adds a table that is declared by a spec, still without columns; nil if the model
// has it already.
func (u *Unit) Table(s *Spec) *schema.Table {
	n := s.name()
	if !u.isFirst(s, n.String(), n.Schema, n.Name) {
		return nil
	}
	t := &schema.Table{
		Name: n, Comment: s.Text("comment"), Engine: s.Text("engine"), Custom: s.Text("custom"),
		Struct: s.Text("struct_name"), TTL: s.ttl(), Origin: s.Origin,
	}
	if s.On("rls_enabled") {
		t.RowSecurity = &schema.RowSecurity{Table: n, Enabled: true, Origin: s.Origin}
	}
	u.DB.Tables = append(u.DB.Tables, t)
	return t
}

// TableKeys adds the key and the checks that a table's own spec declares. They follow
// those of its columns.
func (u *Unit) TableKeys(t *schema.Table, s *Spec) {
	if columns := s.List("primary_key"); columns != nil {
		t.Constraints = append(t.Constraints, &schema.Constraint{Kind: schema.PrimaryKey, Columns: columns, Origin: s.at("primary_key")})
	}
	for _, check := range s.List("checks") {
		t.Constraints = append(t.Constraints, &schema.Constraint{Kind: schema.Check, Expr: check, Origin: s.at("checks")})
	}
}

// ttl returns the options of CockroachDB by which rows end, in its own words.
func (s *Spec) ttl() []schema.Option {
	var options []schema.Option
	for i := range s.Kind.Attrs {
		a := &s.Kind.Attrs[i]
		v := s.given(a.Name)
		if v == nil || !strings.HasPrefix(a.Name, "ttl_") {
			continue
		}
		text := dialect.CockroachDB.String(v.text)
		switch a.Type {
		case Int:
			text = strconv.FormatInt(v.number, 10)
		case Bool:
			text = strconv.FormatBool(v.on)
		}
		options = append(options, schema.Option{Key: a.Name, Value: text})
	}
	return options
}

// Column is a column that is declared once and may be part of several tables: those that
// embed the struct of its field.
type Column struct {
	proto     schema.Column
	primary   bool
	unique    bool
	index     bool
	check     *schema.Constraint
	foreign   *schema.Constraint
	enum      string // the name of its own enum; empty: it has none
	enumLabel []string
	taken     bool // proto is part of a table
}

// Column reads a spec of kind Field; it is nil, with a problem, if its type is none. Owner
// and field name the struct and its field, or what stands for them, for the name of an
// enum.
func (u *Unit) Column(s *Spec, owner, field string) *Column {
	t, ok := s.typ("type")
	if !ok {
		return nil
	}
	c := &Column{
		proto: schema.Column{
			Name: s.Text("name"), Type: t, Comment: s.Text("comment"), Charset: s.Text("charset"), Collation: s.Text("collate"),
			NotNull: s.On("not_null") || s.Off("nullable") || s.On("primary"), Nullable: s.On("nullable") || s.Off("not_null"),
			AutoIncrement: s.On("auto_increment"), UniqueExpr: s.Text("unique_expr"), Default: s.sqlDefault(), Origin: s.Origin,
		},
		primary: s.On("primary"), unique: s.On("unique"), index: s.On("index"),
	}
	if a, b := s.given("not_null"), s.given("nullable"); a != nil && b != nil && a.on == b.on {
		s.Fail(b.line, "SRC003", "contradicts itself: %q and %q are both %t", "not_null", "nullable", a.on)
	}
	c.enumType(s, owner, field)
	c.proto.Generated = s.generated()
	c.proto.Identity = s.identity()
	s.needs("check", "check_name")
	if s.Has("check") {
		c.check = &schema.Constraint{Kind: schema.Check, Name: s.Text("check_name"), Inline: true, Expr: s.Text("check"), Origin: s.at("check")}
	}
	s.needs("foreign", "foreign_key_name", "on_delete", "on_update")
	if s.Has("foreign") {
		ref, err := reference(s.Text("foreign"))
		if err != nil {
			s.Fail(s.line("foreign"), "FK001", "has a bad %q: %v", "foreign", err)
			return c
		}
		ref.OnDelete, ref.OnUpdate = s.Text("on_delete"), s.Text("on_update")
		c.foreign = &schema.Constraint{Kind: schema.ForeignKey, Name: s.Text("foreign_key_name"), Inline: true, Reference: ref, Origin: s.at("foreign")}
	}
	return c
}

// enumType reads the labels of a column whose type is a list of its own.
func (c *Column) enumType(s *Spec, owner, field string) {
	isEnum := c.proto.Type.Base() == "enum" && len(c.proto.Type.Args) == 0
	switch {
	case s.Has("enum") && !isEnum:
		s.Fail(s.line("enum"), "SRC003", "has labels in %q, but its type is %.80q; the type of such a column is ENUM", "enum", s.Text("type"))
	case isEnum && s.get("enum") == nil:
		s.Fail(s.line("type"), "SRC003", "has the type ENUM without labels; list them in %q, or name a declared enum", "enum")
	case isEnum:
		c.enumLabel = s.List("enum")
		c.enum = strings.ToLower("enum_" + owner + "_" + field)
	}
}

// generated reads how a column is computed.
func (s *Spec) generated() *schema.Generated {
	s.needs("generated", "generated_kind", "stored")
	if !s.Has("generated") {
		return nil
	}
	g := &schema.Generated{Expr: s.Text("generated"), Stored: s.On("stored") || s.Text("generated_kind") == "stored"}
	g.Unsaid = !s.Has("stored") && !s.Has("generated_kind")
	if s.Has("stored") && s.Has("generated_kind") && s.On("stored") != (s.Text("generated_kind") == "stored") {
		s.Fail(s.line("stored"), "SRC003", "contradicts itself: %q is %q and %q is %t", "generated_kind", s.Text("generated_kind"), "stored", s.On("stored"))
	}
	return g
}

func (s *Spec) identity() *schema.Identity {
	s.needs("identity_generation", "identity_start", "identity_increment", "identity_options")
	if !s.Has("identity_generation") {
		return nil
	}
	return &schema.Identity{
		Always: s.Text("identity_generation") == "ALWAYS", Raw: s.Text("identity_options"),
		SequenceOptions: schema.SequenceOptions{Start: s.Number("identity_start"), Increment: s.Number("identity_increment")},
	}
}

// needs reports attributes that say something only beside another.
func (s *Spec) needs(main string, others ...string) {
	if s.get(main) != nil {
		return
	}
	for _, o := range others {
		if s.Has(o) {
			s.Fail(s.line(o), "SRC003", "has %q without %q", o, main)
		}
	}
}

// sqlDefault reads default and default_expr.
func (s *Spec) sqlDefault() *schema.Default {
	literal, expr := s.get("default"), s.given("default_expr")
	switch {
	case literal != nil && expr != nil:
		s.Fail(expr.line, "DEF002", "has both %q and %q; a value has one default", "default", "default_expr")
	case expr != nil:
		return &schema.Default{Text: expr.text}
	case literal == nil || literal.bad:
		return nil
	case literal.null:
		return &schema.Default{Text: "NULL"}
	}
	return &schema.Default{Literal: true, Text: literal.text}
}

// typ reads a data type; ok is false, with a problem, if it is none. One that is blank is
// left to the validation.
func (s *Spec) typ(attr string) (t schema.Type, ok bool) {
	text := strings.TrimSpace(s.Text(attr))
	if text == "" {
		return schema.Type{}, true
	}
	t, err := schema.ParseType(text)
	if err != nil {
		s.Fail(s.line(attr), "SRC003", "has a bad %q: %v", attr, err)
		s.unit.DB.Partial = true
	}
	t.Native = s.get(attr).dialect != ""
	return t, err == nil
}

// Use says how a column becomes part of a table by way of an embedded struct.
type Use struct {
	Prefix   string // of its name
	Nullable bool   // it may be null unless it is the primary key
	Comment  string // of a column without one
}

// Type is the column's type, and ok whether it is one that a column that refers to it
// can have as well.
func (c *Column) Type() (t schema.Type, ok bool) { return c.proto.Type, c.enum == "" }

// Name is the column's name.
func (c *Column) Name() string { return c.proto.Name }

// AddColumn adds a column to a table.
func (u *Unit) AddColumn(t *schema.Table, c *Column, use Use) {
	col := &c.proto
	if c.taken || c.enum != "" || use != (Use{}) {
		another := c.proto
		col = &another
	} else {
		c.taken = true // most columns are part of one table, and need no copy
	}
	col.Name = use.Prefix + col.Name
	if use.Nullable && !c.primary {
		col.NotNull = false
	}
	if col.Comment == "" {
		col.Comment = use.Comment
	}
	if c.enum != "" {
		u.addEnum(t, c, col)
	}
	t.Columns = append(t.Columns, col)

	add := func(k *schema.Constraint) {
		k.Inline, k.Columns = true, []string{col.Name}
		t.Constraints = append(t.Constraints, k)
	}
	if c.primary {
		add(&schema.Constraint{Kind: schema.PrimaryKey, Origin: col.Origin})
	}
	if c.unique {
		add(&schema.Constraint{Kind: schema.Unique, Origin: col.Origin})
	}
	if c.check != nil {
		k := *c.check
		add(&k)
	}
	if c.foreign != nil {
		k, ref := *c.foreign, *c.foreign.Reference
		k.Reference = &ref
		add(&k)
	}
	if c.index {
		t.Indexes = append(t.Indexes, &schema.Index{Table: t.Name, Keys: []schema.IndexKey{{Column: col.Name}}, Origin: col.Origin})
	}
}

// addEnum gives a column the type of its own labels, in the schema of its table.
func (u *Unit) addEnum(t *schema.Table, c *Column, col *schema.Column) {
	n := schema.Name{Schema: t.Schema, Name: c.enum}
	col.Enum = c.enumLabel
	col.Type = schema.Type{Schema: n.Schema, Name: n.Name, Quoted: true, Text: n.String()}
	if !u.enums[n] {
		u.enums[n] = true
		u.DB.Enums = append(u.DB.Enums, &schema.Enum{Name: n, Values: c.enumLabel, Inline: true, Origin: c.proto.Origin})
	}
}

// addIndex adds an index: to the table that it is declared with, nil of none, or to one
// that it names.
func (u *Unit) addIndex(t *schema.Table, s *Spec) {
	x := &schema.Index{
		Name: s.Text("name"), Comment: s.Text("comment"), Unique: s.On("unique"), Where: s.Text("where"),
		Include: s.List("include"), NullsNotDistinct: s.Off("nulls_distinct"), Origin: s.Origin,
	}
	x.Kind, x.Method = indexType(s.Text("type"))
	if n := s.Number("granularity"); n != nil {
		x.Granularity = *n
	}
	for _, text := range s.List("fields") {
		x.Keys = append(x.Keys, indexKey(text))
	}
	s.opclasses(x)
	home, ok := s.home(t, &x.Table)
	switch {
	case !ok || !u.isFirstOf(s, x.Table, x.Name):
	case home != nil:
		home.Indexes = append(home.Indexes, x)
	default:
		u.DB.Indexes = append(u.DB.Indexes, x)
	}
}

// indexType tells kinds of indexes, which stand before INDEX, from methods.
func indexType(text string) (kind, method string) {
	switch upper := strings.ToUpper(text); upper {
	case "FULLTEXT", "SPATIAL", "CLUSTERED", "NONCLUSTERED", "NULL_FILTERED", "BITMAP":
		return upper, ""
	}
	return "", strings.ToLower(text)
}

// opclasses gives the parts of an index their operator classes.
func (s *Spec) opclasses(x *schema.Index) {
	for _, pair := range s.List("ops") {
		key, class, ok := strings.Cut(pair, "=")
		key, class = strings.TrimSpace(key), strings.TrimSpace(class)
		if !ok || key == "" || class == "" {
			s.Fail(s.line("ops"), "SRC003", "has a bad %q: %.80q is not of the form column=operator_class", "ops", pair)
			continue
		}
		found := false
		for i, text := range s.List("fields") {
			if k := &x.Keys[i]; k.Column == key || k.Column == "" && (text == key || k.Expr == bare(key)) {
				k.Opclass, found = class, true
			}
		}
		if !found {
			s.Fail(s.line("ops"), "SRC003", "gives %.80q an operator class in %q, but it is not in %q", key, "ops", "fields")
		}
	}
}

// home finds the table that a part belongs to: the one that it is declared with, or
// another that it names, which is returned in n alone. ok is false if there is none.
func (s *Spec) home(t *schema.Table, n *schema.Name) (home *schema.Table, ok bool) {
	if s.get("table") == nil {
		if t == nil {
			s.Fail(0, "SRC003", "needs the %s %q", s.noun(), "table")
			s.unit.DB.Partial = true
			return nil, false
		}
		*n = t.Name
		return t, true
	}
	if *n, ok = s.table("table", t); ok && t != nil && *n == t.Name {
		return t, true
	}
	return nil, ok
}

// table reads an attribute that names a table, which may be the one that the spec is
// declared with, without its schema. ok is false, with a problem, if it names none.
func (s *Spec) table(attr string, home *schema.Table) (n schema.Name, ok bool) {
	n, err := tableName(s.Text(attr))
	switch {
	case err != nil:
		s.Fail(s.line(attr), "SRC003", "has a bad %q: %v", attr, err)
	case home != nil && n == schema.Name{Name: home.Name.Name}:
		n = home.Name
	}
	return n, err == nil
}

// IsPartOf reports whether a spec that is declared with a table declares a part of it.
func IsPartOf(s, table *Spec) bool {
	attr := "table"
	if s.Kind == Grant {
		attr = "on_table"
	}
	if s.get(attr) == nil {
		return s.Kind == Index || s.Kind == Constraint || s.Kind == Trigger
	}
	n, err := tableName(s.Text(attr))
	return err == nil && (n == table.name() || n == schema.Name{Name: table.Text("name")})
}

// addConstraint adds a constraint: to the table that it is declared with, nil of none,
// or to one that it names.
func (u *Unit) addConstraint(t *schema.Table, s *Spec) {
	k := s.constraint()
	if k == nil {
		return
	}
	home, ok := s.home(t, &k.Table)
	switch {
	case !ok || !u.isFirstOf(s, k.Table, k.Name):
	case home != nil:
		home.Constraints = append(home.Constraints, k)
	default:
		u.DB.Constraints = append(u.DB.Constraints, k)
	}
}

// ofConstraint lists what a constraint of a kind can have beside its name and table.
var ofConstraint = map[schema.ConstraintKind][]string{
	schema.Check:      {"check"},
	schema.Unique:     {"columns", "include", "nulls_distinct"},
	schema.PrimaryKey: {"columns", "include"},
	schema.ForeignKey: {"columns", "foreign_table", "foreign_columns", "on_delete", "on_update"},
	schema.Exclude:    {"elements", "using", "condition", "include"},
}

// constraint reads a constraint; nil, and a problem, if it says too little.
func (s *Spec) constraint() *schema.Constraint {
	k := &schema.Constraint{
		Kind: schema.ConstraintKind(s.Text("type")), Name: s.Text("name"), Comment: s.Text("comment"), Origin: s.Origin,
		Columns: s.List("columns"), Expr: s.Text("check"), Method: strings.ToLower(s.Text("using")),
		Where: s.Text("condition"), Include: s.List("include"), NullsNotDistinct: s.Off("nulls_distinct"),
	}
	allowed := append([]string{"name", "type", "table", "comment", "dialects"}, ofConstraint[k.Kind]...)
	for _, v := range s.values {
		if !slices.Contains(allowed, v.attr.Name) {
			s.Fail(v.line, "SRC003", "is of type %s, which has no %q", k.Kind, v.name)
		}
	}
	for _, need := range []struct {
		kind schema.ConstraintKind
		attr string
		rule finding.Rule
	}{
		{schema.Check, "check", "SRC003"},
		{schema.Unique, "columns", "UNQ001"},
		{schema.PrimaryKey, "columns", "TBL003"},
		{schema.ForeignKey, "columns", "FK002"},
		{schema.ForeignKey, "foreign_table", "FK001"},
		{schema.Exclude, "elements", "EXC001"},
	} {
		v := s.get(need.attr)
		if k.Kind != need.kind || v != nil && (v.bad || v.text != "" || len(v.list) > 0) {
			continue
		}
		s.Fail(s.line(need.attr), need.rule, "is of type %s, which needs %q", k.Kind, need.attr)
		return nil
	}
	switch k.Kind {
	case schema.ForeignKey:
		table, err := tableName(s.Text("foreign_table"))
		if err != nil {
			s.Fail(s.line("foreign_table"), "FK001", "has a bad %q: %v", "foreign_table", err)
			return nil
		}
		k.Reference = &schema.Reference{
			Table: table, Columns: s.List("foreign_columns"), OnDelete: s.Text("on_delete"), OnUpdate: s.Text("on_update"),
		}
	case schema.Exclude:
		for _, text := range s.List("elements") {
			key, err := excluded(text)
			if err != nil {
				s.Fail(s.line("elements"), "SRC003", "has a bad %q: %v", "elements", err)
				return nil
			}
			k.Keys = append(k.Keys, key)
		}
	}
	return k
}
