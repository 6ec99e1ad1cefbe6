package render

import (
	"slices"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// postgres writes for PostgreSQL.
type postgres struct {
	*job
	relations  map[schema.Name]*node // tables and views
	routines   map[string][]*node    // by name without schema
	models     map[*node]*schema.Routine
	schemas    map[string]*node
	extensions map[string]*node
	operators  []*node                               // and their families
	kept       map[string][]*node                    // statements in their author's words, by name
	whole      map[schema.Name]*node                 // indexes of a table with all its partitions
	parts      []part                                // indexes, which may become parts of others
	unchecked  []func()                              // for routines whose bodies the server may not be able to check
	searches   map[string][]*node                    // text search configurations and what changes them, by name
	shells     map[schema.Name]*node                 // base types as their functions need them
	latest     map[string]*node                      // the last statement about what is kept so
	parents    map[schema.Name]bool                  // indexes that keys of partitions become parts of
	keys       []key                                 // that are added to their tables
	behind     map[any][]*node                       // the functions behind which a check or column default comes
	explicit   map[schema.ColumnRef]*schema.Sequence // of serial columns whose sequence is declared by itself
}

// key is a key that is added to its table by a statement of its own.
type key struct {
	node       *node
	table      *schema.Table
	constraint *schema.Constraint
}

// writePostgres adds everything that is declared: first the objects, then what they need.
func writePostgres(j *job) {
	p := &postgres{job: j, relations: map[schema.Name]*node{}, routines: map[string][]*node{}, models: map[*node]*schema.Routine{}, explicit: map[schema.ColumnRef]*schema.Sequence{}, behind: map[any][]*node{}, kept: map[string][]*node{}, latest: map[string]*node{}, searches: map[string][]*node{}, whole: map[schema.Name]*node{}, shells: map[schema.Name]*node{}}
	p.attachParents()
	p.namespaces()
	p.loadExtensions()
	p.sequences()
	p.declareTypes()
	p.roles()
	var later []func()
	for _, r := range j.db.Routines {
		later = append(later, p.routine(r))
	}
	for _, v := range j.db.Verbatim {
		later = append(later, p.verbatim(v))
	}
	for _, t := range j.db.Tables {
		later = append(later, p.table(t))
	}
	for _, v := range j.db.Views {
		later = append(later, p.view(v))
	}
	p.typeNeeds()
	for _, needs := range later {
		needs()
	}
	for _, t := range j.db.Tables {
		p.tableStatements(t)
	}
	p.attachParts()
	p.keyNeeds()
	for _, t := range j.db.Triggers {
		p.trigger(t)
	}
	p.security()
	p.grants()
	for _, check := range p.unchecked {
		check()
	}
}

// comment adds COMMENT ON for an object or a part of it.
func (p *postgres) comment(of schema.Name, kind, object, comment string) {
	if comment != "" {
		p.add(phaseComment, of, schema.Origin{}, p.commentOn(kind, object, comment))
	}
}

func (p *postgres) commentOn(kind, object, comment string) string {
	return statement("COMMENT ON", kind, object, "IS", p.d.String(comment))
}

// namespaces adds the schemas that are declared, and those that objects are declared in.
func (p *postgres) namespaces() {
	p.schemas = map[string]*node{"": nil, "public": nil, "pg_catalog": nil, "information_schema": nil}
	add := func(name string, at schema.Origin) {
		if _, ok := p.schemas[name]; !ok {
			p.schemas[name] = p.add(phaseSchema, schema.Name{Name: name}, at, statement("CREATE SCHEMA", p.quote(name)))
		}
	}
	for _, n := range p.db.Schemas {
		add(n.Name, n.Origin)
		p.comment(schema.Name{Name: n.Name}, "SCHEMA", p.quote(n.Name), n.Comment)
	}
	for _, name := range p.usedSchemas() {
		add(name, schema.Origin{})
	}
}

// usedSchemas are the schemas that objects are declared in.
func (j *job) usedSchemas() []string {
	var names []string
	for _, x := range j.db.Extensions {
		names = append(names, x.Schema)
	}
	for key := range j.types {
		names = append(names, key.Schema)
	}
	for _, s := range j.db.Sequences {
		names = append(names, s.Schema)
	}
	for _, t := range j.db.Tables {
		names = append(names, t.Schema)
	}
	for _, v := range j.db.Views {
		names = append(names, v.Schema)
	}
	for _, r := range j.db.Routines {
		names = append(names, r.Schema)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// extensionNeeds are extensions that cannot be made before another one.
var extensionNeeds = map[string]string{
	"earthdistance": "cube", "pgrouting": "postgis", "postgis_raster": "postgis", "postgis_topology": "postgis",
	"postgis_sfcgal": "postgis", "postgis_tiger_geocoder": "postgis", "vectorscale": "vector", "pgroonga_database": "pgroonga",
	"jsonb_plperl": "plperl", "jsonb_plpython3u": "plpython3u", "hstore_plperl": "plperl", "hstore_plpython3u": "plpython3u",
}

func (p *postgres) loadExtensions() {
	p.extensions = map[string]*node{}
	for _, x := range p.db.Extensions {
		if x.Name == "plpgsql" && !x.IfNotExists {
			continue // every database has it
		}
		p.extensions[x.Name] = p.add(phaseExtension, schema.Name{Name: x.Name}, x.Origin, statement("CREATE EXTENSION", given(x.IfNotExists, "IF NOT EXISTS"), p.quote(x.Name),
			given(x.Schema != "", "SCHEMA "+p.quote(x.Schema)), given(x.Version != "", "VERSION "+p.d.String(x.Version))))
		p.comment(schema.Name{Name: x.Name}, "EXTENSION", p.quote(x.Name), x.Comment)
	}
	for _, x := range p.db.Extensions {
		if n := p.extensions[x.Name]; n != nil {
			n.after(p.extensions[extensionNeeds[x.Name]], must)
		}
	}
}

func (p *postgres) sequences() {
	serial := p.serialColumns()
	for _, s := range p.db.Sequences {
		if s.OwnedBy != nil {
			ref := schema.ColumnRef{Table: s.OwnedBy.Table.In(p.schema), Column: s.OwnedBy.Column}
			if as := serial[ref]; as != "" {
				p.explicit[ref] = s
				if s.As == "" {
					withType := *s
					withType.As = as
					s = &withType
				}
			}
		}
		p.add(phaseSequence, s.Name, s.Origin, statement("CREATE", given(s.Unlogged, "UNLOGGED"), "SEQUENCE", p.ref(s.Name),
			given(s.As != "", "AS "+s.As), sequenceOptions(s.SequenceOptions)))
		if s.OwnedBy != nil {
			p.add(phaseOwner, s.Name, s.Origin, statement("ALTER SEQUENCE", p.ref(s.Name), "OWNED BY", p.ref(s.OwnedBy.Table)+"."+p.quote(s.OwnedBy.Column)))
		}
		p.comment(s.Name, "SEQUENCE", p.ref(s.Name), s.Comment)
	}
}

// serialColumns are the serial columns and the types of their numbers, where a sequence
// is declared that belongs to a column at all.
func (p *postgres) serialColumns() map[schema.ColumnRef]string {
	if !slices.ContainsFunc(p.db.Sequences, func(s *schema.Sequence) bool { return s.OwnedBy != nil }) {
		return nil
	}
	serial := map[schema.ColumnRef]string{}
	for _, t := range p.db.Tables {
		for _, c := range t.Columns {
			if as := serialTypes[p.columnType(t, c, nil)]; as != "" {
				serial[schema.ColumnRef{Table: t.In(p.schema), Column: c.Name}] = strings.ToLower(as)
			}
		}
	}
	return serial
}

// serialTypes are the types behind the serial ones.
var serialTypes = map[string]string{"SMALLSERIAL": "SMALLINT", "SERIAL": "INTEGER", "BIGSERIAL": "BIGINT"}

func sequenceOptions(o schema.SequenceOptions) string {
	number := func(word string, n *int64) string {
		if n == nil {
			return ""
		}
		return word + " " + strconv.FormatInt(*n, 10)
	}
	return clauses(number("START WITH", o.Start), number("INCREMENT BY", o.Increment), number("MINVALUE", o.Min), number("MAXVALUE", o.Max),
		number("CACHE", o.Cache), given(o.Cycle, "CYCLE"))
}

// collate writes a collation: a name, or text with its own quotes.
func (p *postgres) collate(name string) string {
	switch {
	case name == "":
		return ""
	case strings.Contains(name, `"`):
		return "COLLATE " + name
	}
	return "COLLATE " + p.quote(name)
}

// typeOf writes a type. The problem of one that cannot be had is about an object, which
// is nil where problems do not matter now.
func (p *postgres) typeOf(t schema.Type, native bool, object string, at *schema.Origin) string {
	if t.Text == "" && t.Name == "" {
		return ""
	}
	m, err := p.builtin(t, native)
	if err == nil {
		return m.SQL
	}
	if u := p.userType(t); u != nil {
		return p.ref(u.name) + strings.Repeat("[]", t.Array)
	}
	if sql, ok := p.extensionType(t); ok {
		return sql
	}
	if at != nil {
		p.typeProblem(err, object, *at)
	}
	return t.Text
}

// extensionTypes are the types of extensions that are often used; that the extension is
// declared is no matter of rendering.
var extensionTypes = strings.Fields(`citext hstore ltree lquery ltxtquery vector halfvec sparsevec geometry geography box2d box3d
	raster topogeometry cube seg isbn isbn13 issn issn13 ismn ismn13 ean13 upc semver hll query_int`)

// extensionType writes a type that an extension brings: a known one, or any if there is
// an extension that may have it.
func (p *postgres) extensionType(t schema.Type) (string, bool) {
	bare := t
	bare.Schema = ""
	if !slices.Contains(extensionTypes, strings.ToLower(t.Name)) && len(p.db.Extensions) == 0 && !p.db.Partial || strings.Contains(bare.Base(), " ") {
		return "", false
	}
	name := t.Name
	if !t.Quoted {
		name = strings.ToLower(name)
	}
	sql := name
	if t.Quoted || t.Schema != "" {
		sql = p.ref(schema.Name{Schema: t.Schema, Name: name})
	}
	if len(t.Args) > 0 {
		sql += "(" + strings.Join(t.Args, ",") + ")"
	}
	return sql + strings.Repeat("[]", t.Array), true
}

// columnType writes the type of a column; at is where problems are reported, nil nowhere.
func (p *postgres) columnType(t *schema.Table, c *schema.Column, at *schema.Origin) string {
	object := t.Name.String() + "." + c.Name
	sql := p.typeOf(c.Type, c.Native, object, at)
	if c.AutoIncrement && serialTypes[sql] == "" {
		for serial, of := range serialTypes {
			if of == sql {
				return serial
			}
		}
		if at != nil {
			p.problem(finding.Schema, "IDN001", object, *at, "auto-increment column %q has type %s; %s counts only SMALLINT, INTEGER and BIGINT up", object, sql, p.d)
		}
	}
	return sql
}

func (p *postgres) enum(u *userType) {
	labels := make([]string, len(u.enum.Values))
	for i, v := range u.enum.Values {
		labels[i] = p.d.String(v)
	}
	u.node = p.add(phaseEnum, u.name, u.enum.Origin, statement("CREATE TYPE", p.ref(u.name), "AS ENUM", "("+strings.Join(labels, ", ")+")"))
	p.comment(u.name, "TYPE", p.ref(u.name), u.enum.Comment)
}

// declareTypes adds the types but for the needs of those that are made of others.
func (p *postgres) declareTypes() {
	for _, e := range p.db.Enums {
		if u := p.types[e.In(p.schema)]; u.enum == e {
			p.enum(u)
		}
	}
	for _, d := range p.db.Domains {
		native := d.Language == schema.SQL
		parts := []string{"CREATE DOMAIN", p.ref(d.Name), "AS", p.typeOf(d.Type, native, d.Name.String(), &d.Origin), p.collate(d.Collation),
			p.defaultOf(d.Default, d.Type, native), given(d.NotNull, "NOT NULL")}
		for _, c := range d.Checks {
			name := p.constraintName(c)
			sql := clauses("CONSTRAINT", p.quote(name), "CHECK", parens(c.Expr))
			if !c.NotValid {
				parts = append(parts, sql)
			} else {
				p.add(phaseConstraint, d.Name, c.Origin, statement("ALTER DOMAIN", p.ref(d.Name), "ADD", sql, "NOT VALID"))
			}
			p.comment(d.Name, "CONSTRAINT", p.quote(name)+" ON DOMAIN "+p.ref(d.Name), c.Comment)
		}
		p.types[d.Name.In(p.schema)].node = p.add(phaseType, d.Name, d.Origin, statement(parts...))
		p.comment(d.Name, "DOMAIN", p.ref(d.Name), d.Comment)
	}
	for _, c := range p.db.Composites {
		lines := make([]string, len(c.Fields))
		for i, f := range c.Fields {
			lines[i] = clauses(p.quote(f.Name), p.typeOf(f.Type, c.Language == schema.SQL, c.Name.String()+"."+f.Name, &c.Origin), p.collate(f.Collation))
			p.comment(c.Name, "COLUMN", p.ref(c.Name)+"."+p.quote(f.Name), f.Comment)
		}
		p.types[c.Name.In(p.schema)].node = p.add(phaseType, c.Name, c.Origin, statement("CREATE TYPE", p.ref(c.Name), "AS", block(lines)))
		p.comment(c.Name, "TYPE", p.ref(c.Name), c.Comment)
	}
	for _, r := range p.db.Ranges {
		options := []string{"SUBTYPE = " + p.typeOf(r.Subtype, r.Language == schema.SQL, r.Name.String(), &r.Origin)}
		for _, o := range []schema.Option{{Key: "SUBTYPE_OPCLASS", Value: r.SubtypeOpclass}, {Key: "CANONICAL", Value: r.Canonical}, {Key: "SUBTYPE_DIFF", Value: r.SubtypeDiff}} {
			if o.Value != "" {
				options = append(options, o.Key+" = "+o.Value)
			}
		}
		if r.Collation != "" {
			options = append(options, "COLLATION = "+strings.TrimPrefix(p.collate(r.Collation), "COLLATE "))
		}
		if r.Multirange != "" {
			options = append(options, "MULTIRANGE_TYPE_NAME = "+p.ref(schema.Name{Schema: r.Schema, Name: r.Multirange}))
		}
		u := p.types[r.In(p.schema)]
		u.node = p.add(phaseType, r.Name, r.Origin, statement("CREATE TYPE", p.ref(r.Name), "AS RANGE", "("+strings.Join(options, ", ")+")"))
		if r.Multirange != "" {
			p.types[schema.Name{Schema: r.Schema, Name: r.Multirange}.In(p.schema)].node = u.node
		}
		p.comment(r.Name, "TYPE", p.ref(r.Name), r.Comment)
	}
}

// typeNeeds says which types and functions the types need.
func (p *postgres) typeNeeds() {
	for _, d := range p.db.Domains {
		n := p.types[d.Name.In(p.schema)].node
		p.needsType(n, d.Type)
		p.needsDefault(n, d.Default)
		for _, c := range d.Checks {
			p.needsCalls(n, c.Expr)
		}
	}
	for _, c := range p.db.Composites {
		for _, f := range c.Fields {
			p.needsType(p.types[c.Name.In(p.schema)].node, f.Type)
		}
	}
	for _, r := range p.db.Ranges {
		n := p.types[r.Name.In(p.schema)].node
		p.needsType(n, r.Subtype)
		for _, f := range []string{r.Canonical, r.SubtypeDiff} {
			p.needsWords(n, f)
		}
	}
}

// needsType says that n needs a type, if it is a declared one.
func (p *postgres) needsType(n *node, t schema.Type) {
	if u := p.userType(t); u != nil && n != nil {
		n.after(u.node, must)
	}
}

// needsCalls says that n needs the functions that an expression calls, and the text search
// configurations that it names in its strings.
func (p *postgres) needsCalls(n *node, expr string) {
	p.calls(expr, p.routines, func(f *node) { n.after(f, must) })
	if len(p.searches) == 0 || expr == "" {
		return
	}
	lexemes(expr, p.d, func(word) {}, func(text string) {
		words(text, p.d, func(w word) {
			for _, c := range p.searches[p.fold(w.name, w.quoted)] {
				n.after(c, must)
			}
		})
	})
}

func (p *postgres) needsDefault(n *node, d *schema.Default) {
	if d != nil && !d.Literal {
		p.needsCalls(n, d.Text)
	}
}

// needsWords says that n should come after everything that a word of a text may mean.
func (p *postgres) needsWords(n *node, sql string) {
	words(sql, p.d, func(w word) {
		name := p.fold(w.name, w.quoted)
		for _, f := range p.routines[name] {
			n.after(f, should)
		}
		n.after(p.relations[schema.Name{Name: name}.In(p.schema)], should)
		if u := p.types[schema.Name{Name: name}.In(p.schema)]; u != nil {
			n.after(u.node, should)
		}
		for _, v := range p.kept[name] {
			n.after(v, should)
		}
	})
}

// needsMentions says that n needs what a statement names.
func (p *postgres) needsMentions(n *node, m mentions, how need) {
	for _, r := range m.relations {
		n.after(p.relations[r.In(p.schema)], how)
	}
	for _, f := range m.functions {
		for _, r := range p.routines[f.Name.Name] {
			if f.takes(p.models[r]) && (f.Schema == "" || f.In(p.schema).Schema == r.name.In(p.schema).Schema) {
				n.after(r, how)
			}
		}
	}
	for _, c := range m.columns {
		for _, r := range p.routines[c.Name] {
			if model := p.models[r]; model != nil && len(model.Params) == 1 {
				n.after(r, should)
			}
		}
	}
	for _, text := range m.classes {
		n.after(p.relations[p.named(text).In(p.schema)], how)
	}
	for _, t := range m.types {
		n.after(p.shells[t.In(p.schema)], must)
		if u := p.types[t.In(p.schema)]; u != nil {
			n.after(u.node, how)
		}
	}
}

// defaultOf writes DEFAULT and the value.
func (p *postgres) defaultOf(d *schema.Default, t schema.Type, native bool) string {
	switch {
	case d == nil:
		return ""
	case d.Literal:
		return "DEFAULT " + p.literal(d.Text, t)
	}
	return "DEFAULT " + text(d.Text)
}

// block writes lines between parentheses, each with its comma.
func block(lines []string) string {
	if len(lines) == 0 {
		return "()"
	}
	return "(\n  " + strings.Join(lines, ",\n  ") + "\n)"
}

func (p *postgres) roles() {
	for _, r := range p.db.Roles {
		options := []string{}
		for _, o := range []struct {
			on   bool
			word string
		}{{r.Login, "LOGIN"}, {r.Superuser, "SUPERUSER"}, {r.CreateDB, "CREATEDB"}, {r.CreateRole, "CREATEROLE"},
			{r.Replication, "REPLICATION"}, {r.BypassRLS, "BYPASSRLS"}, {r.NoInherit, "NOINHERIT"}} {
			if o.on {
				options = append(options, o.word)
			}
		}
		for _, o := range r.Options {
			options = append(options, clauses(o.Key, o.Value))
		}
		if r.Password != "" && p.o.Passwords {
			options = append(options, "PASSWORD "+p.d.String(r.Password))
		}
		p.add(phaseRole, schema.Name{Name: r.Name}, r.Origin, statement("CREATE ROLE", p.quote(r.Name), given(len(options) > 0, "WITH"), strings.Join(options, " ")))
		for _, group := range r.MemberOf {
			p.add(phaseGrant, schema.Name{}, r.Origin, statement("GRANT", p.quote(group), "TO", p.quote(r.Name)))
		}
		p.comment(schema.Name{Name: r.Name}, "ROLE", p.quote(r.Name), r.Comment)
	}
}

// grantee writes the name of a role; PUBLIC and the like are no names.
func (p *postgres) grantee(role string) string {
	switch strings.ToUpper(role) {
	case "PUBLIC", "CURRENT_USER", "CURRENT_ROLE", "SESSION_USER":
		return strings.ToUpper(role)
	}
	return p.quote(role)
}

func (p *postgres) grantees(roles []string) string {
	list := make([]string, len(roles))
	for i, r := range roles {
		list[i] = p.grantee(r)
	}
	return strings.Join(list, ", ")
}

func (p *postgres) grants() {
	for _, g := range p.db.Grants {
		object := p.ref(g.Object)
		switch g.On {
		case "SCHEMA", "DATABASE", "LANGUAGE", "FOREIGN DATA WRAPPER", "FOREIGN SERVER", "TABLESPACE":
			object = p.quote(g.Object.Name)
		case "FUNCTION", "PROCEDURE", "ROUTINE":
			object += "(" + g.Signature + ")"
		}
		privileges := strings.Join(g.Privileges, ", ")
		if g.Revoke {
			p.add(phaseGrant, schema.Name{}, g.Origin, statement("REVOKE", given(g.WithOption, "GRANT OPTION FOR"), privileges, "ON", g.On, object, "FROM", p.grantees(g.Roles)))
			continue
		}
		p.add(phaseGrant, schema.Name{}, g.Origin, statement("GRANT", privileges, "ON", g.On, object, "TO", p.grantees(g.Roles), given(g.WithOption, "WITH GRANT OPTION")))
	}
}

// security adds row security and its policies.
func (p *postgres) security() {
	for _, t := range p.db.Tables {
		if r := t.RowSecurity; r != nil {
			p.add(phaseSecurity, t.Name, r.Origin, p.rowSecurity(r, t.Name)...)
		}
	}
	for _, r := range p.db.Policies {
		n := schema.Name{Schema: r.Table.Schema, Name: r.Table.Name}
		parts := []string{"CREATE POLICY", p.quote(r.Name), "ON", p.ref(r.Table), given(r.Restrictive, "AS RESTRICTIVE"),
			given(r.Command != "" && r.Command != "ALL", "FOR "+r.Command), given(len(r.Roles) > 0, "TO "+p.grantees(r.Roles))}
		if r.Using != "" {
			parts = append(parts, "USING", parens(r.Using))
		}
		if r.Check != "" {
			parts = append(parts, "WITH CHECK", parens(r.Check))
		}
		p.add(phaseSecurity, n, r.Origin, statement(parts...))
		p.comment(r.Table, "POLICY", p.quote(r.Name)+" ON "+p.ref(r.Table), r.Comment)
	}
}

func (p *postgres) rowSecurity(r *schema.RowSecurity, table schema.Name) []string {
	var list []string
	if r.Enabled {
		list = append(list, statement("ALTER TABLE", p.ref(table), "ENABLE ROW LEVEL SECURITY"))
	}
	if r.Force {
		list = append(list, statement("ALTER TABLE", p.ref(table), "FORCE ROW LEVEL SECURITY"))
	}
	if r.Comment != "" {
		p.rep.Warn(finding.SkippedDeclaration, "%s: the comment of the row security of table %q has no place in %s", r.Origin, table.String(), p.d)
	}
	return list
}
