package declare

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/mcpkit/nearest"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// Spec is one declaration: a kind and the values of its attributes. Attributes that are
// not given have zero values.
type Spec struct {
	Kind *Kind
	schema.Origin
	// Directive and Key are what the declaration stands under: one in Go, the other in
	// YAML, where things in lists have none.
	Directive, Key string
	// Owner is the table, or the Go struct, that a part belongs to.
	Owner string

	unit   *Unit
	values []value
	meant  []string // attributes that were given under wrong names
	bad    bool     // it cannot be used
}

// value is the value of an attribute.
type value struct {
	attr    *Attr
	name    string          // under which it was given: the attribute's or its alias
	dialect dialect.Dialect // of an override; empty: of all
	line    int
	text    string
	list    []string
	number  int64
	on      bool
	null    bool // it is nothing, explicitly
	bad     bool // it is a mistake, which is reported
}

// Raw is a value as it is written.
type Raw struct {
	Line int
	Text string
	List []string // of a list in brackets, which is not taken apart
	Form Form
}

// Form is how a value is written.
type Form uint8

// The forms.
const (
	Plain  Form = iota // a text that may stand for a number or a truth
	Quoted             // a text that is nothing else
	Listed             // Raw.List
	Bare               // nothing but the name of the attribute
	Null               // nothing, explicitly
	Wrong              // Raw.Text says what is wrong; empty: that is reported
)

// NewSpec returns a spec without attributes; about so many will be given.
func (u *Unit) NewSpec(k *Kind, at schema.Origin, attrs int) *Spec {
	return &Spec{Kind: k, Origin: at, unit: u, values: make([]value, 0, attrs)}
}

// Title is how messages call the declaration: ptah:schema:table, or table "orders".
func (s *Spec) Title() string {
	switch {
	case s.Directive != "":
		return s.Directive
	case s.Key == "":
		return s.Kind.Name
	case s.Owner != "":
		return fmt.Sprintf("%s %.80q of table %.80q", s.Kind.Name, s.Key, s.Owner)
	}
	return fmt.Sprintf("%s %.80q", s.Kind.Name, s.Key)
}

// noun is what an attribute is called in the language of the source.
func (s *Spec) noun() string {
	if s.Language == schema.YAML {
		return "key"
	}
	return "attribute"
}

// Object is the name of what is declared, as problems give it.
func (s *Spec) Object() string {
	name := s.name().String()
	if s.Kind.Part && s.Owner != "" && name != "" {
		return s.Owner + "." + name
	}
	return name
}

// Fail reports a mistake in a line of the declaration, 0 for its first.
func (s *Spec) Fail(line int, rule finding.Rule, format string, args ...any) {
	at := s.Origin
	if line > 0 {
		at.Line = line
	}
	s.unit.Problem(at, rule, s.Object(), "%s %s", s.Title(), fmt.Sprintf(format, args...))
}

// advice is what to do instead of what people expect there to be.
var advice = map[*Kind]map[string]string{
	Field: {
		"nullable":    `columns can be null unless "not_null" is given`,
		"primary_key": `a column that is the key is "primary"; a key of several columns is the "primary_key" of the table`,
		"references":  `it is "foreign", with table(column)`,
	},
	MatView: {
		"refresh_strategy": `a view is not refreshed by its declaration; refresh it with a job of yours, or in ClickHouse say "refresh"`,
	},
}

// Unknown reports an attribute that the kind does not have.
func (s *Spec) Unknown(line int, name string) {
	if a := advice[s.Kind][name]; a != "" {
		s.Fail(line, "SRC003", "has no %s %q: %s", s.noun(), name, a)
		return
	}
	near := nearest.Best(name, s.Kind.names(s.Language == schema.YAML))
	s.meant = append(s.meant, near)
	switch {
	case near != "" && s.Kind == Role:
		// What is no attribute may be a part of a password that is not quoted well.
		s.Fail(line, "SRC003", "has an unknown %s; did you mean %q?", s.noun(), near)
	case near != "":
		s.Fail(line, "SRC003", "has no %s %.80q; did you mean %q?", s.noun(), name, near)
	case s.Kind == Role:
		s.Fail(line, "SRC003", "has an unknown %s", s.noun())
	default:
		s.Fail(line, "SRC003", "has no %s %.80q", s.noun(), name)
	}
}

// Attr finds an attribute by its name or alias; nil, and a problem, if there is none.
func (s *Spec) Attr(line int, name string) *Attr {
	a := s.Kind.byName[name]
	if a == nil || a.YAML && s.Language != schema.YAML {
		s.Unknown(line, name)
		return nil
	}
	return a
}

// Set gives an attribute, under its name or alias, a value for all dialects.
func (s *Spec) Set(name string, raw Raw) {
	if a := s.Attr(raw.Line, name); a != nil {
		s.set("", a, name, raw)
	}
}

// SetFor gives an attribute a value for one dialect, which is named as people do.
func (s *Spec) SetFor(dialectName, name string, raw Raw) {
	d, err := dialect.Parse(dialectName)
	if err != nil {
		s.Fail(raw.Line, "SRC003", "has overrides for an %s", err)
		return
	}
	a := s.Attr(raw.Line, name)
	switch {
	case a == nil:
	case a.Name == "dialects" || a.Type == Section || a.Name == "struct_name" || a.Name == "field_name":
		s.Fail(raw.Line, "SRC003", "cannot override %q for one dialect", name)
	default:
		s.set(d, a, name, raw)
	}
}

func (s *Spec) set(d dialect.Dialect, a *Attr, name string, raw Raw) {
	for _, v := range s.values {
		if v.attr != a || v.dialect != d {
			continue
		}
		if v.name != name {
			s.Fail(raw.Line, "SRC003", "has both %q and %q, which are the same; give one", a.Name, a.Alias)
		} else {
			s.Fail(raw.Line, "SRC003", "repeats the %s %q", s.noun(), name)
		}
		return
	}
	v := value{attr: a, name: name, dialect: d, line: raw.Line}
	wrong := v.parse(raw)
	if wrong != "" {
		s.Fail(raw.Line, cmp.Or(a.Rule, "SRC003"), "has a bad %q: %s", name, wrong)
	}
	if wrong != "" || raw.Form == Wrong {
		s.bad = s.bad || a.Required
		v.bad = true
	}
	s.values = append(s.values, v)
}

// parse reads a value by the type of its attribute and says what is wrong with it.
func (v *value) parse(raw Raw) (wrong string) {
	a := v.attr
	switch {
	case raw.Form == Wrong:
		return raw.Text
	case raw.Form == Null && a.Name == "default":
		v.null = true
		return ""
	case raw.Form == Null:
		return "it has no value"
	case raw.Form == Bare && (a.Type == Bool || slices.Contains(a.Words, "true")):
		raw.Text = "true"
	case raw.Form == Bare:
		return "it needs a value"
	case raw.Form == Listed && a.Type < Names && a.Name != "event":
		return "it is one value, not a list"
	}
	v.text = raw.Text
	switch a.Type {
	case Text, Section:
	case Expr:
		if raw.Form == Listed { // the events of a trigger
			v.text = strings.Join(raw.List, " OR ")
		}
		if v.text = strings.TrimSpace(v.text); v.text == "" {
			return "it is empty"
		}
	case Bool:
		on, err := strconv.ParseBool(strings.ToLower(raw.Text))
		if err != nil || len(raw.Text) < 4 || raw.Form == Quoted {
			return fmt.Sprintf("it is true or false, not %.80q", raw.Text)
		}
		v.on, v.text = on, ""
	case Int:
		n, err := strconv.ParseInt(raw.Text, 10, 64)
		if err != nil || raw.Form == Quoted {
			return fmt.Sprintf("it is a whole number, not %.80q", raw.Text)
		}
		v.number, v.text = n, ""
	case Word:
		word := strings.Join(strings.Fields(strings.ReplaceAll(raw.Text, "_", " ")), " ")
		i := slices.IndexFunc(a.Words, func(w string) bool { return strings.EqualFold(w, word) })
		if i < 0 {
			return fmt.Sprintf("it is %s, not %.80q", oneOf(a.Words), raw.Text)
		}
		v.text = a.Words[i]
	default:
		v.list, v.text = raw.List, ""
		if raw.Form != Listed {
			v.list = split(raw.Text, a.Type == Exprs || a.Type == Pairs)
			if slices.Contains(v.list, "") {
				return "an element of the list is empty"
			}
		}
		if a.Type != Labels && slices.ContainsFunc(v.list, blank) {
			return "an element of the list is empty"
		}
		if len(v.list) == 0 && !a.Empty {
			return "the list is empty"
		}
	}
	return ""
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }

func oneOf(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// Done ends the declaration: overrides for the dialect that the schema is read for take
// the place of what they override. It reports whether the declaration counts: it is
// complete, and it is not for other dialects only, of which a warning tells.
func (s *Spec) Done() bool {
	s.override()
	for i := range s.Kind.Attrs {
		a := &s.Kind.Attrs[i]
		if !a.Required || s.get(a.Name) != nil {
			continue
		}
		s.bad = true
		if !slices.Contains(s.meant, a.Name) {
			s.Fail(0, "SRC003", "needs the %s %q", s.noun(), a.Name)
		}
	}
	inScope := s.inScope()
	if s.bad {
		s.unit.DB.Partial = true
	}
	return inScope && !s.bad
}

func (s *Spec) override() {
	if !slices.ContainsFunc(s.values, func(v value) bool { return v.dialect != "" }) {
		return
	}
	kept := s.values[:0:0]
	for _, v := range s.values {
		if v.dialect == "" && !s.overridden(v.attr) {
			kept = append(kept, v)
		}
	}
	for _, v := range s.values {
		if v.dialect == s.unit.Dialect {
			kept = append(kept, v)
		}
	}
	s.values = kept
}

// overridden reports whether an override takes the place of an attribute. One of the type
// takes that of a list of values as well, which is a part of the type.
func (s *Spec) overridden(a *Attr) bool {
	return slices.ContainsFunc(s.values, func(v value) bool {
		return v.dialect == s.unit.Dialect && (v.attr == a || v.attr.Not == a.Name || v.attr.Name == "type" && a.Name == "enum")
	})
}

func (s *Spec) inScope() bool {
	v := s.given("dialects")
	if v == nil {
		return true
	}
	found := false
	for _, name := range v.list {
		d, err := dialect.Parse(name)
		if err != nil {
			s.Fail(v.line, "SCP001", "is scoped to an %s", err)
			s.bad = true
			return true
		}
		found = found || d == s.unit.Dialect
	}
	if !found {
		s.unit.Warn(s.Origin, finding.DialectScopedObject, "%s%s is declared for %s and left out for %s",
			s.Kind.Name, s.named(), strings.Join(v.list, ", "), s.unit.Dialect)
	}
	return found
}

func (s *Spec) named() string {
	for _, a := range []string{"name", "table", "on_table"} {
		if name := s.Text(a); name != "" {
			return fmt.Sprintf(" %.80q", name)
		}
	}
	return ""
}

// says reports whether two declarations of a kind say the same.
func (s *Spec) says(other *Spec) bool {
	for i := range s.Kind.Attrs {
		name := s.Kind.Attrs[i].Name
		a, b := s.get(name), other.get(name)
		switch {
		case a == nil && b == nil, name == "dialects":
		case a == nil || b == nil || a.text != b.text || a.on != b.on || a.number != b.number || a.null != b.null || !slices.Equal(a.list, b.list):
			return false
		}
	}
	return s.Kind != Table // the columns are not in the spec
}

func (s *Spec) get(name string) *value {
	for i := range s.values {
		if s.values[i].attr.Name == name {
			return &s.values[i]
		}
	}
	return nil
}

// given returns the value of an attribute; nil if it has none that can be used.
func (s *Spec) given(name string) *value {
	if v := s.get(name); v != nil && !v.null && !v.bad {
		return v
	}
	return nil
}

// Has reports whether an attribute is given.
func (s *Spec) Has(name string) bool { return s.given(name) != nil }

// Text is the text of an attribute.
func (s *Spec) Text(name string) string {
	if v := s.given(name); v != nil {
		return v.text
	}
	return ""
}

// List is the list that an attribute holds.
func (s *Spec) List(name string) []string {
	if v := s.given(name); v != nil {
		return v.list
	}
	return nil
}

// On reports whether an attribute is true.
func (s *Spec) On(name string) bool {
	v := s.given(name)
	return v != nil && v.on
}

// Off reports whether an attribute is given and false.
func (s *Spec) Off(name string) bool {
	v := s.given(name)
	return v != nil && !v.on
}

// Number is the number of an attribute; nil if it is not given.
func (s *Spec) Number(name string) *int64 {
	if v := s.given(name); v != nil {
		n := v.number
		return &n
	}
	return nil
}

// line is where an attribute is given; 0 if it is not.
func (s *Spec) line(name string) int {
	if v := s.get(name); v != nil {
		return v.line
	}
	return 0
}
