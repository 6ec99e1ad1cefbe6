package source

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// Same reports whether two models, each of one object, mean the same although they are
// written differently, as a table in YAML and in SQL is.
type Same func(a, b *schema.Database) bool

// merge joins the models of several sources. An object that two of them declare is kept
// once if both say the same, and is a problem if they do not.
type merge struct {
	d    dialect.Dialect
	same Same
	rep  *finding.Report
	db   *schema.Database
	seen map[string]any // the first declaration of each object
}

func newMerge(d dialect.Dialect, same Same, rep *finding.Report) *merge {
	return &merge{d: d, same: same, rep: rep, db: &schema.Database{}, seen: map[string]any{}}
}

// add merges the model of the next source.
func (m *merge) add(db *schema.Database) {
	m.db.Partial = m.db.Partial || db.Partial
	key := m.d.Key
	named := func(n schema.Name) string {
		n = n.Folded(m.d.DefaultSchema(), m.d.TableKey)
		return n.Schema + "\x00" + n.Name
	}
	join(m, &m.db.Schemas, db.Schemas, "schema", func(x *schema.Namespace) string { return key(x.Name) })
	join(m, &m.db.Extensions, db.Extensions, "extension", func(x *schema.Extension) string { return key(x.Name) })
	join(m, &m.db.Enums, db.Enums, "enum", func(x *schema.Enum) string { return named(x.Name) })
	join(m, &m.db.Domains, db.Domains, "domain", func(x *schema.Domain) string { return named(x.Name) })
	join(m, &m.db.Composites, db.Composites, "composite type", func(x *schema.Composite) string { return named(x.Name) })
	join(m, &m.db.Ranges, db.Ranges, "range type", func(x *schema.Range) string { return named(x.Name) })
	join(m, &m.db.Sequences, db.Sequences, "sequence", func(x *schema.Sequence) string { return named(x.Name) })
	join(m, &m.db.Tables, db.Tables, "table", func(x *schema.Table) string { return named(x.Name) })
	join(m, &m.db.Views, db.Views, "view", func(x *schema.View) string { return named(x.Name) })
	join(m, &m.db.Routines, db.Routines, "routine", func(x *schema.Routine) string { return named(x.Name) + "\x00" + x.Signature() })
	join(m, &m.db.Triggers, db.Triggers, "trigger", func(x *schema.Trigger) string { return named(x.Table) + "\x00" + key(x.Name) })
	join(m, &m.db.Policies, db.Policies, "policy", func(x *schema.Policy) string { return named(x.Table) + "\x00" + key(x.Name) })
	join(m, &m.db.Roles, db.Roles, "role", func(x *schema.Role) string { return key(x.Name) })
	join(m, &m.db.Verbatim, db.Verbatim, "object", func(x *schema.Verbatim) string {
		if x.Name.Name == "" {
			return x.Kind + "\x00\x00" + x.Text
		}
		return x.Kind + "\x00" + named(x.Name) + "\x00" + x.CommentOn
	})
	join(m, &m.db.Indexes, db.Indexes, "index", func(x *schema.Index) string {
		return named(x.Table) + "\x00" + key(x.Name) + unnamed(x.Name, x)
	})
	join(m, &m.db.Constraints, db.Constraints, "constraint", func(x *schema.Constraint) string {
		return named(x.Table) + "\x00" + key(x.Name) + unnamed(x.Name, x)
	})
	join(m, &m.db.RowSecurity, db.RowSecurity, "row security", func(x *schema.RowSecurity) string { return named(x.Table) })
	join(m, &m.db.Grants, db.Grants, "grant", func(x *schema.Grant) string { return described(x) })
	join(m, &m.db.Data, db.Data, "data", func(x *schema.Data) string { return described(x) })
}

// unnamed tells things without a name apart by what they say.
func unnamed(name string, x any) string {
	if name != "" {
		return ""
	}
	return described(x)
}

// join appends the objects of a source to those that stand already. Two of one source
// are the business of its loader and of the validation.
func join[T any](m *merge, into *[]*T, from []*T, kind string, id func(*T) string) {
	mine := map[string]bool{}
	for _, x := range from {
		k := kind + "\x00" + id(x)
		old, declared := m.seen[k]
		if !declared {
			m.seen[k] = x
			mine[k] = true
		}
		if !declared || mine[k] {
			*into = append(*into, x)
			continue
		}
		if equal(reflect.ValueOf(old), reflect.ValueOf(x)) || m.same != nil && alone(x) != nil && m.same(alone(old), alone(x)) {
			continue
		}
		at, name := originOf(x), nameOf(x)
		m.rep.Problem(finding.Problem{
			Kind: finding.Source, Rule: "SRC007", Object: name, Path: at.Path, Line: at.Line,
			Message: fmt.Sprintf("%s %q is declared differently at %s", kind, name, originOf(old)),
		})
	}
}

var originType = reflect.TypeFor[schema.Origin]()

// equal compares two models but for where they are declared. Lists that are nil and
// empty are alike.
func equal(a, b reflect.Value) bool {
	if a.Type() != b.Type() {
		return false
	}
	switch a.Kind() {
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return equal(a.Elem(), b.Elem())
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !equal(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		if a.Type() == originType {
			return true
		}
		for i := range a.NumField() {
			if !equal(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	}
	return a.Equal(b)
}

func originOf(x any) schema.Origin {
	return reflect.ValueOf(x).Elem().FieldByName("Origin").Interface().(schema.Origin)
}

// nameOf is the name of an object as people write it.
func nameOf(x any) string {
	field := reflect.ValueOf(x).Elem().FieldByName("Name")
	if !field.IsValid() {
		return ""
	}
	switch name := field.Interface().(type) {
	case string:
		return name
	case schema.Name:
		return name.String()
	}
	return ""
}

// described is what an object says, its place left out.
func described(x any) string {
	v := reflect.ValueOf(x).Elem()
	var b strings.Builder
	for i := range v.NumField() {
		if v.Type().Field(i).Type != originType {
			fmt.Fprintf(&b, "%v\x00", v.Field(i).Interface())
		}
	}
	return b.String()
}

// alone is a model of one object that can be declared in several languages; the model
// of another is empty.
func alone(x any) *schema.Database {
	switch x := x.(type) {
	case *schema.Enum:
		return &schema.Database{Enums: []*schema.Enum{x}}
	case *schema.Table:
		return &schema.Database{Tables: []*schema.Table{x}}
	case *schema.View:
		return &schema.Database{Views: []*schema.View{x}}
	case *schema.Sequence:
		return &schema.Database{Sequences: []*schema.Sequence{x}}
	}
	return nil
}
