package sqlsrc

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// createRole declares a role.
func (in *postgres) createRole(w *words) error {
	w.accept("CREATE")
	user := w.accept("USER")
	if !user {
		w.acceptAny("ROLE", "GROUP")
	}
	r := &schema.Role{Origin: in.here(), Login: user}
	r.Name = w.ident()
	w.accept("WITH")
	if err := in.roleOptions(r, w); err != nil {
		return err
	}
	if old := in.role(r.Name); old != nil {
		return twice("role", r.Name, old.Origin)
	}
	in.db.Roles = append(in.db.Roles, r)
	return nil
}

func (in *postgres) role(name string) *schema.Role {
	return in.roles.find(nil, in.db.Roles, dialect.Cut(name), anyOf)
}

// roleOptions applies the options of CREATE and ALTER ROLE.
func (in *postgres) roleOptions(r *schema.Role, w *words) error {
	flags := []struct {
		on, off string
		flag    *bool
	}{
		{"LOGIN", "NOLOGIN", &r.Login}, {"SUPERUSER", "NOSUPERUSER", &r.Superuser}, {"CREATEDB", "NOCREATEDB", &r.CreateDB},
		{"CREATEROLE", "NOCREATEROLE", &r.CreateRole}, {"REPLICATION", "NOREPLICATION", &r.Replication},
		{"BYPASSRLS", "NOBYPASSRLS", &r.BypassRLS}, {"NOINHERIT", "INHERIT", &r.NoInherit},
	}
options:
	for !w.done() {
		for _, f := range flags {
			if w.accept(f.on) {
				*f.flag = true
				continue options
			}
			if w.accept(f.off) {
				*f.flag = false
				continue options
			}
		}
		switch {
		case w.accept("ENCRYPTED", "PASSWORD"), w.accept("PASSWORD"):
			r.Password = ""
			if !w.accept("NULL") {
				r.Password = w.value()
				in.rep.Warn(finding.PlaintextPassword, "schema file %s:%d: role %s has a password", in.piece.shown, in.line(in.at), quoted(r.Name))
			}
		case w.accept("CONNECTION", "LIMIT"):
			in.roleOption(r, "CONNECTION LIMIT", w.value())
		case w.accept("VALID", "UNTIL"):
			in.roleOption(r, "VALID UNTIL", in.d.String(w.value()))
		case w.accept("IN", "ROLE"), w.accept("IN", "GROUP"):
			r.MemberOf = append(r.MemberOf, w.idents()...)
		case w.accept("ROLE"), w.accept("USER"):
			for _, member := range w.idents() {
				if err := in.joinRole(member, r.Name); err != nil {
					return err
				}
			}
		case w.accept("SYSID"):
			w.value()
		default:
			return unkept("the option "+w.upper(w.i, min(w.i+1, len(w.toks)))+" of a role", "")
		}
	}
	return nil
}

func (in *postgres) roleOption(r *schema.Role, key, value string) {
	for i := range r.Options {
		if r.Options[i].Key == key {
			r.Options[i].Value = value
			return
		}
	}
	r.Options = append(r.Options, schema.Option{Key: key, Value: value})
}

// joinRole makes a role a member of another one.
func (in *postgres) joinRole(member, of string) error {
	r := in.role(member)
	if r == nil {
		return undeclared("role", member)
	}
	if !contains(r.MemberOf, of) {
		r.MemberOf = append(r.MemberOf, of)
	}
	return nil
}

// alterRole executes ALTER ROLE. Settings of a role are kept as they are written.
func (in *postgres) alterRole(w *words) error {
	w.accept("ALTER")
	group := w.acceptAny("ROLE", "USER", "GROUP") == "GROUP"
	name := w.ident()
	r := in.role(name)
	settings := w.find("SET") < len(w.toks) || w.find("RESET") < len(w.toks)
	switch {
	case settings:
		in.db.Verbatim = append(in.db.Verbatim, &schema.Verbatim{Kind: "ALTER ROLE", Name: schema.Name{Name: name}, Text: w.span(0, len(w.toks)), Origin: in.here()})
		return nil
	case r == nil:
		return undeclared("role", name)
	case w.accept("RENAME", "TO"):
		return in.renameRole(r, w.ident())
	case group:
		add := w.accept("ADD", "USER")
		if !add {
			w.accept("DROP", "USER")
		}
		for _, member := range w.idents() {
			m := in.role(member)
			if m == nil {
				return undeclared("role", member)
			}
			m.MemberOf = without(m.MemberOf, name)
			if add {
				m.MemberOf = append(m.MemberOf, name)
			}
		}
		return nil
	}
	w.accept("WITH")
	return in.roleOptions(r, w)
}

func (in *postgres) renameRole(r *schema.Role, to string) error {
	if old := in.role(to); old != nil {
		return twice("role", to, old.Origin)
	}
	from := r.Name
	follow := func(list []string) {
		for i := range list {
			if in.same(list[i], from) {
				list[i] = to
			}
		}
	}
	r.Name = to
	in.roles.forget(nil)
	for _, other := range in.db.Roles {
		follow(other.MemberOf)
	}
	for _, g := range in.db.Grants {
		follow(g.Roles)
	}
	for _, p := range in.db.Policies {
		follow(p.Roles)
	}
	return nil
}

// createPolicy declares a policy of row security.
func (in *postgres) createPolicy(w *words) error {
	w.accept("CREATE", "POLICY")
	p := &schema.Policy{Name: w.ident(), Origin: in.here()}
	w.accept("ON")
	p.Table = in.reference(w.name())
	if w.accept("AS") {
		p.Restrictive = w.accept("RESTRICTIVE")
		w.accept("PERMISSIVE")
	}
	if w.accept("FOR") {
		p.Command = w.upper(w.i, w.i+1)
		w.i++
	}
	in.policyParts(p, w)
	if old := in.policy(p.Table, p.Name); old != nil {
		return twice("policy", p.Name, old.Origin)
	}
	in.db.Policies = append(in.db.Policies, p)
	return nil
}

// policyParts reads what both CREATE and ALTER POLICY can say.
func (in *postgres) policyParts(p *schema.Policy, w *words) {
	if w.accept("TO") {
		p.Roles = w.roles()
	}
	if w.accept("USING") {
		p.Using = in.policyExpr(w)
	}
	if w.accept("WITH", "CHECK") {
		p.Check = in.policyExpr(w)
	}
}

// policyExpr reads an expression in brackets.
func (in *postgres) policyExpr(w *words) string {
	text := w.group()
	if in.strays() {
		text, _ = in.editExpr(text, func(e sqltree.Expr) []edit { return in.qualifications(e) })
	}
	return text
}

// roles reads a list of roles. PUBLIC is everybody.
func (w *words) roles() []string {
	var list []string
	for {
		w.accept("GROUP")
		if w.accept("PUBLIC") {
			list = append(list, "PUBLIC")
		} else if s := w.acceptAny("CURRENT_USER", "SESSION_USER", "CURRENT_ROLE"); s != "" {
			list = append(list, s)
		} else {
			list = append(list, w.ident())
		}
		if !w.acceptPunct(',') {
			return list
		}
	}
}

func (in *postgres) policy(table schema.Name, name string) *schema.Policy {
	for _, p := range in.db.Policies {
		if in.same(p.Name, name) && in.key(p.Table) == in.key(table) {
			return p
		}
	}
	return nil
}

func (in *postgres) alterPolicy(w *words) error {
	w.accept("ALTER", "POLICY")
	w.accept("IF", "EXISTS")
	name := w.ident()
	w.accept("ON")
	table := in.reference(w.name())
	p := in.policy(table, name)
	if p == nil {
		return undeclared("policy", name)
	}
	in.policyParts(p, w)
	return nil
}

// grant executes GRANT and REVOKE.
func (in *postgres) grant(w *words, revoke bool) error {
	w.i++
	if w.find("ON") == len(w.toks) {
		return in.membership(w, revoke)
	}
	g := schema.Grant{On: "TABLE", Origin: in.here()}
	optionOnly := w.accept("GRANT", "OPTION", "FOR")
	for {
		g.Privileges = append(g.Privileges, in.privilege(w))
		if !w.acceptPunct(',') {
			break
		}
	}
	w.accept("ON")
	objects, err := in.grantObjects(&g, w)
	if err != nil {
		return err
	}
	if !w.accept("TO") {
		w.accept("FROM")
	}
	g.Roles = w.roles()
	g.WithOption = w.accept("WITH", "GRANT", "OPTION")
	if w.accept("GRANTED", "BY") && w.acceptAny("CURRENT_USER", "CURRENT_ROLE", "SESSION_USER") == "" {
		return unkept("GRANTED BY", "")
	}
	for _, o := range objects {
		one := g
		one.Object, one.Signature = o.name, o.signature
		one.Privileges, one.Roles = slices.Clone(g.Privileges), slices.Clone(g.Roles)
		switch {
		case revoke && optionOnly:
			in.revokeOption(&one)
		case revoke:
			in.revoke(&one)
		default:
			in.db.Grants = append(in.db.Grants, &one)
		}
	}
	return nil
}

// privilege reads SELECT, or SELECT (a, b).
func (in *postgres) privilege(w *words) string {
	start := w.i
	for !w.done() && !w.punct(',') && !w.punct('(') && !w.is("ON") {
		w.i++
	}
	p := w.upper(start, w.i)
	if p == "ALL PRIVILEGES" {
		p = "ALL"
	}
	if w.punct('(') {
		columns := w.columns()
		for i, c := range columns {
			columns[i] = in.d.Quote(c)
		}
		p += " (" + strings.Join(columns, ", ") + ")"
	}
	return p
}

type grantObject struct {
	name      schema.Name
	signature string
}

// grantObjects reads what the privileges are on.
func (in *postgres) grantObjects(g *schema.Grant, w *words) ([]grantObject, error) {
	if w.accept("ALL") {
		return in.allInSchema(g, w)
	}
	kind := "TABLE"
	for _, k := range []string{"TABLE", "SEQUENCE", "SCHEMA", "FUNCTION", "PROCEDURE", "ROUTINE", "TYPE", "DOMAIN", "LANGUAGE", "FOREIGN DATA WRAPPER", "FOREIGN SERVER"} {
		if w.accept(strings.Fields(k)...) {
			kind = k
			break
		}
	}
	for _, other := range []string{"DATABASE", "TABLESPACE", "PARAMETER", "LARGE OBJECT"} {
		if kind == "TABLE" && w.is(strings.Fields(other)...) && !w.isAt(w.i+1, "TO") {
			return nil, unkept("a privilege on a "+strings.ToLower(other), "it belongs to no schema")
		}
	}
	g.On = kind
	var list []grantObject
	for {
		o, err := in.grantObject(g, w)
		if err != nil {
			return nil, err
		}
		list = append(list, o)
		if !w.acceptPunct(',') {
			return list, nil
		}
	}
}

func (in *postgres) grantObject(g *schema.Grant, w *words) (grantObject, error) {
	switch g.On {
	case "TABLE", "SEQUENCE":
		n := w.name()
		if r := in.relation(n); r != nil && r.kind == "SEQUENCE" {
			g.On = "SEQUENCE"
		}
		return grantObject{name: in.reference(n)}, nil
	case "FUNCTION", "PROCEDURE", "ROUTINE":
		start := w.i
		n := w.name()
		end := w.i
		args := w.group()
		given := w.i > end
		w.i = start
		r, _ := in.routineNamed(w)
		if r == nil {
			if n.Schema == "" {
				n = in.reference(n)
			}
			return grantObject{n, args}, nil
		}
		if !given {
			args = in.routineArgs(r)
		}
		return grantObject{r.model.Name, args}, nil
	case "TYPE", "DOMAIN":
		n := w.name()
		if u := find(in, in.types, n); u != nil {
			n = u.name
		}
		return grantObject{name: n}, nil
	}
	return grantObject{name: schema.Name{Name: w.ident()}}, nil
}

// routineArgs are the types of the parameters that calls give, as text.
func (in *postgres) routineArgs(r *routine) string {
	var args []string
	for _, p := range r.model.Params {
		if p.Mode != "OUT" {
			args = append(args, strings.TrimSpace(p.Mode+" "+p.Type))
		}
	}
	return strings.Join(args, ", ")
}

// allInSchema are the objects of ALL TABLES IN SCHEMA and the like: those that are
// declared by now.
func (in *postgres) allInSchema(g *schema.Grant, w *words) ([]grantObject, error) {
	what := w.upper(w.i, w.i+1)
	w.i++
	w.accept("IN", "SCHEMA")
	var list []grantObject
	for _, s := range w.idents() {
		k := in.key(schema.Name{Schema: s})
		inside := func(n schema.Name) bool { return in.key(n).schema == k.schema }
		switch what {
		case "TABLES":
			for _, t := range in.db.Tables {
				if inside(t.Name) {
					list = append(list, grantObject{name: t.Name})
				}
			}
			for _, v := range in.db.Views {
				if inside(v.Name) {
					list = append(list, grantObject{name: v.Name})
				}
			}
		case "SEQUENCES":
			g.On = "SEQUENCE"
			for _, r := range in.sequences() {
				if inside(r.name) {
					list = append(list, grantObject{name: r.name})
				}
			}
		default:
			g.On = strings.TrimSuffix(what, "S")
			for _, f := range in.db.Routines {
				if inside(f.Name) && (what == "ROUTINES" || f.Procedure == (what == "PROCEDURES")) {
					for _, r := range in.routines[in.key(f.Name)] {
						if r.model == f {
							list = append(list, grantObject{f.Name, in.routineArgs(r)})
						}
					}
				}
			}
		}
	}
	return list, nil
}

// sequences are all sequences, those of columns too, in the order of their names.
func (in *postgres) sequences() []*relation {
	var list []*relation
	for _, r := range in.relations {
		if r.kind == "SEQUENCE" {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b *relation) int { return strings.Compare(a.name.String(), b.name.String()) })
	return list
}

// revoke takes privileges away. What no earlier statement gives is kept, because the
// server gives some without being told.
func (in *postgres) revoke(r *schema.Grant) {
	var left []string // roles that keep something to be taken away
	for _, role := range r.Roles {
		taken := false
		for _, g := range slices.Clone(in.db.Grants) {
			if !g.Revoke && in.sameObject(g, r) && contains(g.Roles, role) {
				if one := in.narrowed(g, r.Privileges, role); one {
					taken = true
				}
			}
		}
		if !taken || role == "PUBLIC" {
			left = append(left, role)
		}
	}
	if len(left) > 0 {
		r.Roles, r.Revoke = left, true
		in.db.Grants = append(in.db.Grants, r)
	}
}

// narrowed takes privileges of a role out of a grant, and reports whether nothing is left
// to be revoked of them.
func (in *postgres) narrowed(g *schema.Grant, revoked []string, role string) bool {
	all := contains(revoked, "ALL")
	if contains(g.Privileges, "ALL") && !all {
		return false
	}
	kept := slices.DeleteFunc(slices.Clone(g.Privileges), func(p string) bool { return all || contains(revoked, p) })
	if len(kept) == len(g.Privileges) {
		return false
	}
	at := slices.Index(in.db.Grants, g)
	var parts []*schema.Grant
	if others := without(slices.Clone(g.Roles), role); len(others) > 0 {
		rest := *g
		rest.Roles = others
		parts = append(parts, &rest)
	}
	if len(kept) > 0 {
		rest := *g
		rest.Roles, rest.Privileges = []string{role}, kept
		parts = append(parts, &rest)
	}
	in.db.Grants = slices.Replace(in.db.Grants, at, at+1, parts...)
	return true
}

func (in *postgres) sameObject(a, b *schema.Grant) bool {
	return a.On == b.On && in.key(a.Object) == in.key(b.Object) && slices.Equal(in.signature(a.Signature), in.signature(b.Signature))
}

// revokeOption executes REVOKE GRANT OPTION FOR. Where no grant is just what is taken
// back, it is kept as it is.
func (in *postgres) revokeOption(r *schema.Grant) {
	for _, g := range in.db.Grants {
		if !g.Revoke && g.WithOption && in.sameObject(g, r) && slices.Equal(g.Roles, r.Roles) && (slices.Equal(g.Privileges, r.Privileges) || contains(r.Privileges, "ALL")) {
			g.WithOption = false
			return
		}
	}
	r.Revoke, r.WithOption = true, true
	in.db.Grants = append(in.db.Grants, r)
}

// membership executes GRANT role TO role. What a role of the model does not hold is kept
// as it is written.
func (in *postgres) membership(w *words, revoke bool) error {
	optionOnly := !w.done() && (w.isAt(w.i+1, "OPTION", "FOR"))
	if optionOnly {
		return unkept("REVOKE … OPTION FOR a role", "")
	}
	groups := w.idents()
	if !w.accept("TO") {
		w.accept("FROM")
	}
	members := w.roles()
	plain := w.done() || w.accept("GRANTED", "BY")
	for _, member := range members {
		r := in.role(member)
		for _, group := range groups {
			switch {
			case revoke && (r == nil || !contains(r.MemberOf, group)):
				return refused("SRC006", member, "role %s is no member of %s", quoted(member), quoted(group))
			case revoke:
				r.MemberOf = without(r.MemberOf, group)
			case r != nil && plain:
				if err := in.joinRole(member, group); err != nil {
					return err
				}
			default:
				text := fmt.Sprintf("GRANT %s TO %s", in.d.Quote(group), in.d.Quote(member))
				if !plain {
					text += " " + w.span(w.i, len(w.toks))
				}
				in.db.Verbatim = append(in.db.Verbatim, &schema.Verbatim{Kind: "GRANT", Name: schema.Name{Name: group}, Text: text, Origin: in.here()})
			}
		}
	}
	return nil
}

// regrant lets grants follow an object that gets another name.
func (in *postgres) regrant(on string, old, to schema.Name) {
	for _, g := range in.db.Grants {
		same := g.On == on || on == "FUNCTION" && (g.On == "PROCEDURE" || g.On == "ROUTINE") || on == "TYPE" && g.On == "DOMAIN" || on == "TABLE" && g.On == "SEQUENCE"
		if same && in.key(g.Object) == in.key(old) {
			g.Object = to
		}
	}
}
