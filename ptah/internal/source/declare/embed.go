package declare

import (
	"slices"

	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// CheckMode reports attributes of an embedded struct that its mode does not have.
func (s *Spec) CheckMode() {
	allowed := []string{"mode", "nullable", "comment"}
	switch s.Text("mode") {
	case "inline":
		allowed = append(allowed, "prefix")
	case "json":
		allowed = append(allowed, "name", "type")
	case "relation":
		allowed = append(allowed, "field", "ref", "type", "on_delete", "on_update")
	}
	for _, v := range s.values {
		if !slices.Contains(allowed, v.attr.Name) {
			s.Fail(v.line, "SRC003", "has mode %q, which has no %q", s.Text("mode"), v.name)
		}
	}
}

// JSON is the column that holds a struct embedded in mode json. Its name is the given one
// unless the spec has another; nil, with a problem, if its type is none.
func (u *Unit) JSON(s *Spec, name string) *Column {
	c := &Column{proto: schema.Column{
		Name: name, NotNull: !s.On("nullable"), Nullable: s.On("nullable"), Comment: s.Text("comment"), Origin: s.Origin,
	}}
	if s.Has("name") {
		c.proto.Name = s.Text("name")
	}
	if !s.Has("type") {
		c.proto.Type = schema.Type{Name: "JSONB", Text: "JSONB"}
		return c
	}
	var ok bool
	if c.proto.Type, ok = s.typ("type"); !ok {
		return nil
	}
	return c
}

// Relation is the column that stands for a struct embedded in mode relation: a foreign
// key. Its type is that of the column it refers to, which typeOf knows, unless the spec
// has one. It is nil, with a problem, if the spec says too little.
func (u *Unit) Relation(s *Spec, typeOf func(t schema.Name, column string) (schema.Type, bool)) *Column {
	for _, need := range []string{"field", "ref"} {
		if s.get(need) == nil {
			s.Fail(0, "SRC003", "has mode %q, which needs %q", "relation", need)
			return nil
		}
	}
	ref, err := reference(s.Text("ref"))
	if err != nil {
		s.Fail(s.line("ref"), "FK001", "has a bad %q: %v", "ref", err)
		return nil
	}
	ref.OnDelete, ref.OnUpdate = s.Text("on_delete"), s.Text("on_update")
	c := &Column{
		proto: schema.Column{
			Name: s.Text("field"), NotNull: !s.On("nullable"), Nullable: s.On("nullable"), Comment: s.Text("comment"), Origin: s.Origin,
		},
		foreign: &schema.Constraint{Kind: schema.ForeignKey, Reference: ref, Origin: s.at("ref")},
	}
	if s.Has("type") {
		var ok bool
		if c.proto.Type, ok = s.typ("type"); !ok {
			return nil
		}
		return c
	}
	t, ok := typeOf(ref.Table, ref.Columns[0])
	if !ok {
		s.Fail(s.line("ref"), "SRC003", "needs %q: no table with the column %.80q is declared in these files", "type", s.Text("ref"))
		return nil
	}
	c.proto.Type = counted(t)
	return c
}

// counted is the type of values that a type counts up, which it is for columns that refer
// to them.
func counted(t schema.Type) schema.Type {
	names := map[string]string{
		"smallserial": "SMALLINT", "serial2": "SMALLINT", "serial": "INTEGER", "serial4": "INTEGER", "bigserial": "BIGINT", "serial8": "BIGINT",
	}
	if name := names[t.Base()]; name != "" {
		return schema.Type{Name: name, Text: name}
	}
	return t
}
