package diff

import (
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// privilege is one privilege of one role on one object.
type privilege struct {
	on, signature, role, name string
	object                    schema.Name
}

// standing is what is said of a privilege.
type standing uint8

const (
	usual    standing = iota // nothing: what the database gives by itself
	revoked                  // what the database gives by itself is taken away
	granted                  // it is given
	passable                 // with the right to give it to others
)

// privilegesOf lists the privileges that a state speaks of, in the order of the grants.
func (d *differ) privilegesOf(grants []*schema.Grant) (list []privilege, stand map[privilege]standing) {
	stand = map[privilege]standing{}
	for _, g := range grants {
		for _, role := range g.Roles {
			for _, name := range g.Privileges {
				p := privilege{g.On, g.Signature, role, name, g.Object.In(d.o.Dialect.DefaultSchema())}
				if g.On == "SCHEMA" {
					p.object = schema.Name{Name: g.Object.Name}
				}
				if _, seen := stand[p]; !seen {
					list = append(list, p)
				}
				switch {
				case g.Revoke:
					stand[p] = revoked
				case g.WithOption:
					stand[p] = passable
				default:
					stand[p] = max(stand[p], granted)
				}
			}
		}
	}
	return list, stand
}

// privileges returns what takes privileges away, which comes first, and what gives them.
func (d *differ) privileges() (away, given []string) {
	before, was := d.privilegesOf(d.from.grants)
	after, is := d.privilegesOf(d.to.grants)
	var take, give []*schema.Grant
	for _, p := range before {
		if d.lost(p) {
			continue // with its object
		}
		switch {
		case was[p] == passable && is[p] == granted:
			take = append(take, p.grant(true, true))
		case was[p] >= granted && is[p] < granted:
			take = append(take, p.grant(true, false))
		case was[p] == revoked && is[p] == usual:
			give = append(give, p.grant(false, false))
		}
	}
	for _, p := range after {
		old := was[p]
		if d.lost(p) {
			old = usual
		}
		switch {
		case is[p] == revoked && old != revoked:
			give = append(give, p.grant(true, false))
		case is[p] >= granted && is[p] > old:
			give = append(give, p.grant(false, is[p] == passable))
		}
	}
	return d.written(take), d.written(give)
}

// lost reports whether the object of a privilege is dropped, and with it the privilege.
func (d *differ) lost(p privilege) bool {
	o := d.from.grantedOn(p)
	return o != nil && (d.gone(o) || d.goesAlong(o))
}

// grantedOn returns the object that a privilege is on, nil if it is not known.
func (s *state) grantedOn(p privilege) *object {
	switch p.on {
	case "SCHEMA":
		return s.byKey[s.key("schema", p.object)]
	case "SEQUENCE":
		return s.byKey[s.key("sequence", p.object)]
	case "FUNCTION", "PROCEDURE", "ROUTINE":
		p.object.Name += "(" + p.signature + ")"
		return s.byKey[s.key("routine", p.object)]
	}
	return s.byKey[s.relation(p.object)]
}

func (p privilege) grant(revoke, option bool) *schema.Grant {
	return &schema.Grant{Privileges: []string{p.name}, On: p.on, Object: p.object, Signature: p.signature, Roles: []string{p.role}, Revoke: revoke, WithOption: option}
}

// written writes grants, those that differ in the privilege alone as one statement.
func (d *differ) written(grants []*schema.Grant) []string {
	var merged []*schema.Grant
	for _, g := range grants {
		if n := len(merged); n > 0 {
			if last := merged[n-1]; last.On == g.On && last.Object == g.Object && last.Signature == g.Signature && last.Roles[0] == g.Roles[0] && last.Revoke == g.Revoke && last.WithOption == g.WithOption {
				last.Privileges = append(last.Privileges, g.Privileges...)
				continue
			}
		}
		merged = append(merged, g)
	}
	if len(merged) == 0 {
		return nil
	}
	object := &object{kind: "grants", add: func(db *schema.Database) { db.Grants = append(db.Grants, merged...) }}
	return d.to.render(d.rep, object)
}
