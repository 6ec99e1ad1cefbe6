package sqlsrc

import (
	"cmp"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	pgsql "github.com/quartet-mcp/quartet/datakit/sqltree/postgres"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// createType declares an enum, a composite, a range, a domain or a base type.
func (in *postgres) createType(st *sqltree.CreateType) error {
	name, err := in.declared(in.parts(st.Name))
	if err != nil {
		return err
	}
	u := &userType{kind: st.Kind, name: name, origin: in.here()}
	old := in.types[in.key(name)]
	if old != nil && (old.verbatim == nil || st.Kind != "OTHER") {
		return in.taking("type", name, "type", old.name, old.origin)
	}
	if old != nil { // a shell, which is filled now
		in.db.Verbatim = without(in.db.Verbatim, old.verbatim)
	}
	switch st.Kind {
	case "ENUM":
		u.enum = &schema.Enum{Name: name, Values: st.Labels, Origin: u.origin}
		in.db.Enums = append(in.db.Enums, u.enum)
	case "DOMAIN":
		if u.domain, err = in.createDomain(st, name); err != nil {
			return err
		}
	case "COMPOSITE":
		u.composite = &schema.Composite{Name: name, Origin: u.origin}
		for i := range st.Attributes {
			f, err := in.field(&st.Attributes[i])
			if err != nil {
				return err
			}
			u.composite.Fields = append(u.composite.Fields, f)
		}
		if r := in.taken(name); r != nil {
			return in.taking("type", name, r.kind, r.name, r.origin)
		}
		u.kind = "TYPE"
		in.db.Composites = append(in.db.Composites, u.composite)
		in.addRelation(&relation{kind: "TYPE", name: name, composite: u.composite, origin: u.origin})
	case "RANGE":
		if u.rng, err = in.createRange(st, name); err != nil {
			return err
		}
	default:
		u.kind = "BASE"
		u.verbatim = &schema.Verbatim{Kind: "TYPE", Name: name, Origin: u.origin}
		edits := append(in.loosely(sqltree.Span{Start: st.Name.End, End: st.End}), in.naming(st.Name, name))
		u.verbatim.Text = in.edited(st.Span, edits)
		u.verbatim.CommentOn = in.quote(name)
		in.db.Verbatim = append(in.db.Verbatim, u.verbatim)
	}
	in.types[in.key(name)] = u
	in.granted("TYPE", name, "")
	return nil
}

// naming is the edit that writes the name of a new object as the model has it.
func (in *postgres) naming(n sqltree.Name, name schema.Name) edit {
	return edit{n.Span, in.quote(name)}
}

// field is an attribute of a composite type.
func (in *postgres) field(d *sqltree.ColumnDef) (schema.Field, error) {
	f := schema.Field{Name: in.fold(d.Name)}
	var err error
	f.Type, err = in.typeOf(d.Type)
	if d.Collation != nil {
		f.Collation = in.collation(*d.Collation)
	}
	return f, err
}

func (in *postgres) createDomain(st *sqltree.CreateType, name schema.Name) (*schema.Domain, error) {
	d := &schema.Domain{Name: name, Origin: in.here()}
	var err error
	if d.Type, err = in.typeOf(st.Base); err != nil {
		return nil, err
	}
	if st.Collation != nil {
		d.Collation = in.collation(*st.Collation)
	}
	for i := range st.Constraints {
		if err := in.domainConstraint(d, &st.Constraints[i]); err != nil {
			return nil, err
		}
	}
	in.db.Domains = append(in.db.Domains, d)
	return d, nil
}

func (in *postgres) domainConstraint(d *schema.Domain, k *sqltree.Constraint) error {
	switch k.Kind {
	case sqltree.NotNull:
		d.NotNull = true
	case sqltree.Nullable:
	case sqltree.Default:
		d.Default = &schema.Default{Text: in.behind(k, "DEFAULT")}
	case sqltree.Check:
		name := ""
		if k.Name != nil {
			name = in.fold(*k.Name)
		}
		return in.domainCheck(d, name, in.bracketed(k.Span, "CHECK", k.Expr), in.origin(k.Start))
	default:
		return unkept("a constraint "+string(k.Kind)+" of a domain", "")
	}
	return nil
}

func (in *postgres) domainCheck(d *schema.Domain, name, expr string, at schema.Origin) error {
	c := &schema.Constraint{Kind: schema.Check, Name: name, Expr: expr, Origin: at}
	if c.Name == "" {
		c.Name, c.Implicit = in.constraintName(d.Name, "", "check"), true
	} else if in.domainCheckOf(d, name) >= 0 {
		return twice("constraint", name, d.Origin)
	}
	in.constraints[in.key(schema.Name{Schema: d.Schema, Name: c.Name})]++
	d.Checks = append(d.Checks, c)
	return nil
}

func (in *postgres) domainCheckOf(d *schema.Domain, name string) int {
	return slices.IndexFunc(d.Checks, func(c *schema.Constraint) bool { return in.same(c.Name, name) })
}

func (in *postgres) createRange(st *sqltree.CreateType, name schema.Name) (*schema.Range, error) {
	r := &schema.Range{Name: name, Origin: in.here()}
	var err error
	if r.Subtype, err = in.typeOf(st.Base); err != nil {
		return nil, err
	}
	w := in.words(sqltree.Span{Start: st.Name.End, End: st.End})
	w.accept("AS", "RANGE")
	w.acceptPunct('(')
	for !w.done() && !w.punct(')') {
		option := strings.ToLower(w.ident())
		w.i++ // =
		start := w.i
		for !w.done() && !w.punct(',') && !w.punct(')') {
			w.i = w.end(w.i)
		}
		value := w.span(start, w.i)
		switch option {
		case "subtype":
		case "subtype_opclass":
			r.SubtypeOpclass = value
		case "subtype_diff":
			r.SubtypeDiff = in.functionName(value)
		case "collation":
			r.Collation = value
		case "canonical":
			r.Canonical = in.functionName(value)
		case "multirange_type_name":
			n := in.wordsOf(value).name()
			if n.Schema != "" && in.key(n).schema != in.key(name).schema {
				return nil, unkept("a multirange type in another schema than its range", "")
			}
			r.Multirange = n.Name
		default:
			return nil, unkept("the option "+quoted(option)+" of a range type", "")
		}
		w.acceptPunct(',')
	}
	n := schema.Name{Schema: name.Schema, Name: cmp.Or(r.Multirange, multirangeName(name.Name))}
	in.types[in.key(n)] = &userType{kind: "RANGE", name: n, rng: r, origin: r.Origin}
	in.db.Ranges = append(in.db.Ranges, r)
	return r, nil
}

// multirangeName is the name that the server gives the multirange of a range type.
func multirangeName(name string) string {
	if i := strings.Index(name, "range"); i >= 0 {
		return dialect.Cut(name[:i] + "multi" + name[i:])
	}
	return dialect.CutTo(name, dialect.MaxNameBytes-len("_multirange")) + "_multirange"
}

// functionName qualifies the name of a function that is found through the search path.
func (in *postgres) functionName(text string) string {
	n := in.wordsOf(text).name()
	if f := find(in, in.routines, n); n.Schema == "" && len(f) > 0 && !in.isDefault(f[0].model.Schema) {
		return in.quote(f[0].model.Name)
	}
	return text
}

// createSequence declares a sequence.
func (in *postgres) createSequence(st *sqltree.CreateSequence) error {
	name, err := in.declared(in.parts(st.Name))
	if err != nil {
		return err
	}
	s := &schema.Sequence{Name: name, Origin: in.here()}
	w := in.words(st.Span)
	w.accept("CREATE")
	if w.acceptAny("TEMP", "TEMPORARY") != "" {
		return unkept("CREATE TEMPORARY SEQUENCE", temporary)
	}
	s.Unlogged = w.accept("UNLOGGED")
	if old := in.taken(name); old != nil {
		if st.IfNotExists {
			return in.exists("SEQUENCE", name.String(), old.origin)
		}
		return in.taking("sequence", name, old.kind, old.name, old.origin)
	}
	for _, o := range st.Options {
		if err := in.setSequence(s, o.Key, o.Value); err != nil {
			return err
		}
	}
	in.db.Sequences = append(in.db.Sequences, s)
	in.addRelation(&relation{kind: "SEQUENCE", name: name, sequence: s, origin: s.Origin})
	in.granted("SEQUENCE", name, "")
	return nil
}

// setSequence applies an option of CREATE or ALTER SEQUENCE.
func (in *postgres) setSequence(s *schema.Sequence, option, value string) error {
	switch option {
	case "AS":
		s.As = strings.ToLower(strings.Join(strings.Fields(value), " "))
	case "OWNED BY":
		parts := in.wordsOf(value).parts()
		n := len(parts)
		if n == 1 { // NONE
			s.OwnedBy = nil
			return nil
		}
		owner := schema.Name{Name: parts[n-2]}
		if n > 2 {
			owner.Schema = parts[n-3]
		}
		s.OwnedBy = &schema.ColumnRef{Table: in.reference(owner), Column: parts[n-1]}
	case "RESTART":
		in.skip("ALTER SEQUENCE … RESTART")
	default:
		ok, err := in.sequenceOption(&s.SequenceOptions, option, value)
		if err != nil {
			return err
		}
		if !ok {
			return unkept("the option "+option+" of a sequence", "")
		}
	}
	return nil
}

// sequenceOption applies an option that identity columns have too.
func (in *postgres) sequenceOption(o *schema.SequenceOptions, option, value string) (known bool, err error) {
	var number **int64
	switch option {
	case "START":
		number = &o.Start
	case "INCREMENT", "INCREMENT BY":
		number = &o.Increment
	case "MINVALUE":
		number = &o.Min
	case "MAXVALUE":
		number = &o.Max
	case "CACHE":
		number = &o.Cache
	case "NO MINVALUE":
		o.Min = nil
		return true, nil
	case "NO MAXVALUE":
		o.Max = nil
		return true, nil
	case "CYCLE", "NO CYCLE":
		o.Cycle = option == "CYCLE"
		return true, nil
	default:
		return false, nil
	}
	v, ok := integer(value)
	if !ok {
		return true, refused("SRC002", "", "%s of a sequence is a whole number of 64 bits, not %s", option, quoted(value))
	}
	*number = &v
	return true, nil
}

// addSequences makes the sequences known that the server makes for columns of a new table.
func (in *postgres) addSequences(t *schema.Table) {
	for _, c := range t.Columns {
		in.addSequence(t, c)
	}
}

func (in *postgres) addSequence(t *schema.Table, c *schema.Column) {
	if c.Identity == nil && (serials[c.Type.Base()] == "" || c.Type.Array > 0) || c.Inherited && c.Identity == nil {
		return
	}
	name := schema.Name{Schema: t.Schema}
	if c.Identity != nil && c.Identity.Sequence != "" {
		name = in.wordsOf(c.Identity.Sequence).name()
	} else {
		name.Name = in.relationName(t.Name, c.Name, "seq", false)
	}
	r := &relation{kind: "SEQUENCE", name: name, table: t, column: c, origin: c.Origin}
	in.addRelation(r)
	in.granted("SEQUENCE", name, "")
	if name.Name != dialect.GeneratedName(t.Name.Name, c.Name, "seq") {
		in.pinSequence(r) // something had the usual name first
	}
}

// implied is the sequence that the server makes for a column, nil if there is none.
func (in *postgres) implied(t *schema.Table, c *schema.Column) *relation {
	name := schema.Name{Schema: t.Schema, Name: dialect.GeneratedName(t.Name.Name, c.Name, "seq")}
	if r := in.relations[in.key(name)]; r != nil && r.column == c {
		return r
	}
	if c.Identity == nil && serials[c.Type.Base()] == "" {
		return nil
	}
	for _, r := range in.relations { // it has another name: at most one entry is the column's
		if r.column == c {
			return r
		}
	}
	return nil
}

// explicit makes the sequence of a serial column one that stands for itself, so that it
// can have what the column's type does not say.
func (in *postgres) explicit(r *relation) *schema.Sequence {
	base := serials[r.column.Type.Base()]
	s := &schema.Sequence{Name: r.name, OwnedBy: &schema.ColumnRef{Table: r.table.Name, Column: r.column.Name}, Origin: r.origin}
	if base != "bigint" {
		s.As = base
	}
	r.column.Type, _ = schema.ParseType(base)
	r.column.Default = &schema.Default{Text: "nextval(" + in.d.String(in.quote(r.name)) + ")"}
	in.db.Sequences = append(in.db.Sequences, s)
	r.sequence, r.table, r.column = s, nil, nil
	return s
}

// counts makes the sequences of serial columns explicit with which an expression counts:
// they have to be there before it.
func (in *postgres) counts(expr string) {
	for _, r := range in.counted(expr) {
		if r.column != nil && r.column.Identity == nil {
			in.explicit(r)
		}
	}
}

// counted are the sequences that an expression names in its strings.
func (in *postgres) counted(expr string) []*relation {
	if !strings.Contains(strings.ToLower(expr), "nextval") {
		return nil
	}
	var list []*relation
	w := in.wordsOf(expr)
	for i, t := range w.toks {
		if t.Kind != pgsql.String {
			continue
		}
		if r := in.relation(in.wordsOf(stringValue(w.textOf(i))).name()); r != nil && r.kind == "SEQUENCE" {
			list = append(list, r)
		}
	}
	return list
}

// alterType executes ALTER TYPE of a type as a whole.
func (in *postgres) alterType(w *words) error {
	w.accept("ALTER", "TYPE")
	n := w.name()
	u := find(in, in.types, n)
	if u == nil {
		return undeclared("type", n.String())
	}
	return in.moveType(u, w, "ALTER TYPE")
}

// moveType executes RENAME TO and SET SCHEMA of a type.
func (in *postgres) moveType(u *userType, w *words, statement string) error {
	to := u.name
	switch {
	case w.accept("RENAME", "TO"):
		to.Name = w.ident()
	case w.accept("SET", "SCHEMA"):
		to.Schema = w.ident()
	default:
		return unkept(statement+" … "+w.upper(w.i, min(w.i+2, len(w.toks))), "")
	}
	if old := in.types[in.key(to)]; old != nil {
		return in.taking("type", to, "type", old.name, old.origin)
	}
	if u.verbatim != nil {
		return unkept(statement+" of a base type", "declare it under its new name")
	}
	err := in.follow("type "+quoted(u.name.String()), []string{u.name.Name}, func(t target) (schema.Name, bool) {
		return to, (t.kind == toType || t.kind == toRelation && t.column == "") && t.of == in.key(u.name)
	})
	if err != nil {
		return err
	}
	delete(in.types, in.key(u.name))
	if u.composite != nil {
		if r := in.taken(u.name); r != nil {
			in.removeRelation(in.key(u.name))
			r.name = to
			in.addRelation(r)
		}
	}
	old := u.name
	u.name = to
	in.types[in.key(to)] = u
	switch {
	case u.enum != nil:
		u.enum.Name = to
	case u.domain != nil:
		u.domain.Name = to
	case u.composite != nil:
		u.composite.Name = to
	case u.rng != nil:
		u.rng.Name = to
	}
	in.retype(old, to)
	return nil
}

// retype lets the columns and the like follow a type that gets another name.
func (in *postgres) retype(old, to schema.Name) {
	from := in.key(old)
	in.eachType(func(t *schema.Type) {
		if !t.Quoted || in.key(schema.Name{Schema: t.Schema, Name: t.Name}) != from {
			return
		}
		rest := strings.TrimPrefix(t.Text, in.quote(schema.Name{Schema: t.Schema, Name: t.Name}))
		t.Schema, t.Name, t.Text = to.Schema, to.Name, in.quote(to)+rest
	})
	for _, t := range in.db.Tables {
		if t.Of != nil && in.key(*t.Of) == from {
			*t.Of = to
		}
	}
	in.regrant("TYPE", old, to)
}

// eachType calls f for the types of everything that has one.
func (in *postgres) eachType(f func(*schema.Type)) {
	for _, t := range in.db.Tables {
		for _, c := range t.Columns {
			f(&c.Type)
		}
	}
	for _, d := range in.db.Domains {
		f(&d.Type)
	}
	for _, c := range in.db.Composites {
		for i := range c.Fields {
			f(&c.Fields[i].Type)
		}
	}
	for _, r := range in.db.Ranges {
		f(&r.Subtype)
	}
}

// alterEnum executes ADD VALUE and RENAME VALUE.
func (in *postgres) alterEnum(st *sqltree.AlterTable, e *schema.Enum) error {
	a := st.Actions[0]
	var labels []string
	order := ""
	switch x := a.Expr.(type) {
	case *sqltree.Literal:
		labels = []string{x.Value}
	case *sqltree.Op:
		order = x.Name
		for _, arg := range x.Args {
			labels = append(labels, arg.(*sqltree.Literal).Value)
		}
	}
	missing := func(label string) error {
		return refused("SRC006", e.Name.String(), "type %s has no value %s", quoted(e.Name.String()), quoted(label))
	}
	at := slices.Index(e.Values, labels[0])
	if a.Kind == "RENAME VALUE" {
		switch {
		case at < 0:
			return missing(labels[0])
		case slices.Contains(e.Values, labels[1]):
			return refused("SRC007", e.Name.String(), "type %s has the value %s already", quoted(e.Name.String()), quoted(labels[1]))
		}
		e.Values[at] = labels[1]
		return nil
	}
	if at >= 0 {
		if w := in.words(a.Span); w.find("IF", "NOT", "EXISTS") < len(w.toks) {
			in.skip("ALTER TYPE … ADD VALUE IF NOT EXISTS of " + quoted(labels[0]))
			return nil
		}
		return refused("SRC007", e.Name.String(), "type %s has the value %s already", quoted(e.Name.String()), quoted(labels[0]))
	}
	place := len(e.Values)
	if order != "" {
		if place = slices.Index(e.Values, labels[1]); place < 0 {
			return missing(labels[1])
		}
		if order == "AFTER" {
			place++
		}
	}
	e.Values = slices.Insert(e.Values, place, labels[0])
	return nil
}

// alterComposite executes the actions on the attributes of a composite type.
func (in *postgres) alterComposite(st *sqltree.AlterTable, c *schema.Composite) error {
	for i := range st.Actions {
		a := &st.Actions[i]
		if a.Kind == "OWNER TO" {
			in.skip("ALTER TYPE … OWNER TO")
			continue
		}
		if a.Name == nil {
			return unkept("ALTER TYPE … "+a.Kind, "")
		}
		name := in.fold(*a.Name)
		at := slices.IndexFunc(c.Fields, func(f schema.Field) bool { return in.same(f.Name, name) })
		if at < 0 && a.Kind != "ADD COLUMN" {
			if a.IfExists {
				in.skip("DROP ATTRIBUTE IF EXISTS of " + quoted(name) + ", which is not declared,")
				continue
			}
			return undeclared("attribute", c.Name.String()+"."+name)
		}
		switch a.Kind {
		case "ADD COLUMN":
			f, err := in.field(a.Column)
			if err != nil {
				return err
			}
			if at >= 0 {
				return refused("SRC007", c.Name.String(), "attribute %s of type %s is declared twice", quoted(name), quoted(c.Name.String()))
			}
			c.Fields = append(c.Fields, f)
		case "DROP COLUMN":
			c.Fields = slices.Delete(c.Fields, at, at+1)
		case "SET TYPE":
			f, err := in.field(a.Column)
			if err != nil {
				return err
			}
			f.Comment = c.Fields[at].Comment
			c.Fields[at] = f
		case "RENAME COLUMN":
			if err := in.unnamedAttribute(c, name); err != nil {
				return err
			}
			c.Fields[at].Name = in.fold(*a.NewName)
		default:
			return unkept("ALTER TYPE … "+a.Kind, "")
		}
	}
	return nil
}

// unnamedAttribute refuses to rename an attribute that a text may name: one that also names
// the type, or a table that has it.
func (in *postgres) unnamedAttribute(c *schema.Composite, name string) error {
	words := []string{c.Name.Name}
	for _, t := range in.db.Tables {
		if slices.ContainsFunc(t.Columns, func(col *schema.Column) bool { return in.isOf(col.Type, in.key(c.Name)) }) {
			words = append(words, t.Name.Name)
		}
	}
	for _, w := range in.wordings() {
		about := slices.ContainsFunc(words, func(word string) bool {
			return in.mentions(word, *w.text) || w.table != nil && in.same(w.table.Name.Name, word)
		})
		if about && in.mentions(name, *w.text) {
			return refused("SRC005", c.Name.String(), "renaming attribute %s of type %s, which %s %s names, is not supported as a declaration; declare it under its new name",
				quoted(name), quoted(c.Name.String()), w.what, quoted(w.name))
		}
	}
	return nil
}

// isOf reports whether a type is a declared one, or an array of it.
func (in *postgres) isOf(t schema.Type, of key) bool {
	return t.Quoted && in.key(schema.Name{Schema: t.Schema, Name: t.Name}) == of
}

// alterDomain executes ALTER DOMAIN.
func (in *postgres) alterDomain(st *sqltree.Other, w *words) error {
	w.accept("ALTER", "DOMAIN")
	n := w.name()
	u := find(in, in.types, n)
	if u == nil || u.domain == nil {
		return undeclared("domain", n.String())
	}
	d := u.domain
	expr := func() string {
		s := sqltree.Span{Start: w.base + w.toks[min(w.i, len(w.toks)-1)].Start, End: st.End}
		return in.edited(s, in.loosely(s))
	}
	switch {
	case w.accept("SET", "DEFAULT"):
		d.Default = &schema.Default{Text: expr()}
	case w.accept("DROP", "DEFAULT"):
		d.Default = nil
	case w.accept("SET", "NOT", "NULL"):
		d.NotNull = true
	case w.accept("DROP", "NOT", "NULL"):
		d.NotNull = false
	case w.accept("ADD"):
		name := ""
		if w.accept("CONSTRAINT") {
			name = w.ident()
		}
		if !w.accept("CHECK") {
			if w.accept("NOT", "NULL") {
				d.NotNull = true
				return nil
			}
			return unkept("ALTER DOMAIN … ADD "+w.upper(w.i, min(w.i+1, len(w.toks))), "")
		}
		if err := in.domainCheck(d, name, w.group(), in.here()); err != nil {
			return err
		}
		d.Checks[len(d.Checks)-1].NotValid = w.accept("NOT", "VALID")
	case w.accept("VALIDATE", "CONSTRAINT"), w.is("RENAME", "CONSTRAINT"), w.is("DROP", "CONSTRAINT"):
		return in.alterDomainCheck(d, w)
	default:
		return in.moveType(u, w, "ALTER DOMAIN")
	}
	return nil
}

func (in *postgres) alterDomainCheck(d *schema.Domain, w *words) error {
	rename := w.accept("RENAME", "CONSTRAINT")
	drop := w.accept("DROP", "CONSTRAINT")
	ifExists := w.accept("IF", "EXISTS")
	name := w.ident()
	at := in.domainCheckOf(d, name)
	if at < 0 {
		if ifExists {
			in.skip("DROP CONSTRAINT IF EXISTS of " + quoted(name) + ", which is not declared,")
			return nil
		}
		return undeclared("constraint", name)
	}
	c := d.Checks[at]
	in.constraints[in.key(schema.Name{Schema: d.Schema, Name: c.Name})]--
	switch {
	case drop:
		d.Checks = slices.Delete(d.Checks, at, at+1)
		return nil
	case rename && w.accept("TO"):
		c.Name, c.Implicit = w.ident(), false
	default:
		c.NotValid = false
	}
	in.constraints[in.key(schema.Name{Schema: d.Schema, Name: c.Name})]++
	return nil
}
