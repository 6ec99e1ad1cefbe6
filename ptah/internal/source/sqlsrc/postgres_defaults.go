package sqlsrc

import (
	"slices"

	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// defaultGrant is what ALTER DEFAULT PRIVILEGES gives on objects that are made later.
type defaultGrant struct {
	schema.Grant
	schemas []string // in which; empty: in all
}

// defaultPrivileges notes what later statements grant without saying so. What is for the
// objects of a certain role is not for those of the script: nothing says who runs it.
func (in *postgres) defaultPrivileges(w *words) {
	d := defaultGrant{}
	w.accept("ALTER", "DEFAULT", "PRIVILEGES")
	for {
		if w.accept("IN", "SCHEMA") {
			d.schemas = w.idents()
		} else if w.accept("FOR", "ROLE") || w.accept("FOR", "USER") {
			return
		} else {
			break
		}
	}
	d.Revoke = w.accept("REVOKE")
	w.accept("GRANT")
	if w.accept("GRANT", "OPTION", "FOR") {
		return
	}
	for {
		d.Privileges = append(d.Privileges, in.privilege(w))
		if !w.acceptPunct(',') {
			break
		}
	}
	w.accept("ON")
	d.On = map[string]string{"TABLES": "TABLE", "SEQUENCES": "SEQUENCE", "FUNCTIONS": "FUNCTION", "ROUTINES": "FUNCTION", "TYPES": "TYPE", "SCHEMAS": "SCHEMA"}[w.upper(w.i, w.i+1)]
	w.i++
	if !w.accept("TO") {
		w.accept("FROM")
	}
	d.Roles = w.roles()
	d.WithOption = w.accept("WITH", "GRANT", "OPTION")
	in.defaults = append(in.defaults, d)
}

// granted grants what the default privileges say for a new object: those for all schemas,
// and besides them those for its schema, which take nothing of the others away.
func (in *postgres) granted(on string, name schema.Name, signature string) {
	if len(in.defaults) == 0 {
		return
	}
	in.grantedBy(on, name, signature, func(d defaultGrant) bool { return len(d.schemas) == 0 })
	everywhere := in.db.Grants
	in.db.Grants = nil
	in.grantedBy(on, name, signature, func(d defaultGrant) bool { return contains(d.schemas, in.key(name).schema) })
	here := slices.DeleteFunc(in.db.Grants, func(g *schema.Grant) bool { return g.Revoke })
	in.db.Grants = append(everywhere, here...)
}

// grantedBy executes some of the default privileges for a new object.
func (in *postgres) grantedBy(on string, name schema.Name, signature string, applies func(defaultGrant) bool) {
	for _, d := range in.defaults {
		if d.On != on || !applies(d) {
			continue
		}
		g := d.Grant
		g.Privileges, g.Roles = slices.Clone(d.Privileges), slices.Clone(d.Roles)
		g.Object, g.Signature, g.Origin = name, signature, in.here()
		if g.Revoke {
			g.Revoke = false
			in.revoke(&g)
		} else {
			in.db.Grants = append(in.db.Grants, &g)
		}
	}
}
