package render

import (
	"errors"
	"fmt"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// userType is a declared type; the row of a table or view is one, too.
type userType struct {
	name schema.Name
	kind string       // for messages: enum, domain, composite type, …
	enum *schema.Enum // nil for other kinds
	node *node        // of the statement that makes it; nil while there is none
}

func (j *job) userTypes() map[schema.Name]*userType {
	types := map[schema.Name]*userType{}
	add := func(t *userType) {
		if key := t.name.In(j.schema); types[key] == nil {
			types[key] = t
		}
	}
	for _, e := range j.db.Enums {
		add(&userType{name: e.Name, kind: "enum", enum: e})
	}
	for _, d := range j.db.Domains {
		add(&userType{name: d.Name, kind: "domain"})
	}
	for _, c := range j.db.Composites {
		add(&userType{name: c.Name, kind: "composite type"})
	}
	for _, r := range j.db.Ranges {
		add(&userType{name: r.Name, kind: "range type"})
		if r.Multirange != "" {
			add(&userType{name: schema.Name{Schema: r.Schema, Name: r.Multirange}, kind: "range type"})
		}
	}
	for _, v := range j.db.Verbatim {
		if v.Kind == "TYPE" {
			add(&userType{name: v.Name, kind: "type"})
		}
	}
	if j.d.PostgresFamily() {
		for _, t := range j.db.Tables {
			add(&userType{name: t.Name, kind: "table"})
		}
		for _, v := range j.db.Views {
			add(&userType{name: v.Name, kind: "view"})
		}
	}
	return types
}

// userType returns the declared type that a type names, nil if there is none.
func (j *job) userType(t schema.Type) *userType {
	name := schema.Name{Schema: t.Schema, Name: t.Name}.In(j.schema)
	if u := j.types[name]; u != nil || t.Quoted {
		return u
	}
	return j.types[schema.Name{Schema: strings.ToLower(name.Schema), Name: strings.ToLower(name.Name)}]
}

// builtin returns what a type that is no declared one becomes. Native says that it is in
// the database's own words.
func (j *job) builtin(t schema.Type, native bool) (dialect.Mapped, error) {
	if native {
		if own, ok := j.d.SpellType(t, j.v); ok {
			return dialect.Mapped{SQL: own}, nil
		}
		return dialect.Mapped{}, &dialect.TypeError{Rule: "TYP001", Reason: fmt.Sprintf("type %.80q is no type of %s and is not declared", t.Text, j.d)}
	}
	return j.d.MapType(t, j.v)
}

// typeProblem reports a type that the dialect cannot hold.
func (j *job) typeProblem(err error, object string, at schema.Origin) {
	rule := finding.Rule("TYP001")
	if te, ok := errors.AsType[*dialect.TypeError](err); ok {
		rule = te.Rule
	}
	j.problem(finding.Schema, rule, object, at, "%q: %s", object, err.Error())
}
