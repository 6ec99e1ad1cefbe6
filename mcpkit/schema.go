package mcpkit

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// CheckSchema reports where s leaves the portable subset of JSON Schema, the
// part that strict clients accept as the arguments of a tool:
//
//   - an object at the root, with properties (possibly none) and with
//     additionalProperties false; no anyOf there;
//   - every schema has exactly one type, or is a union: anyOf of at least two
//     branches that each have a type;
//   - every property has a description, every array has items, a map is an
//     object whose additionalProperties has a type;
//   - no $ref and $defs, no type lists, no true or false in place of a schema,
//     and none of oneOf, allOf, not, if, prefixItems, contains,
//     patternProperties, dependent… and unevaluated…;
//   - no null: an argument that is not given is left out.
//
// Each error starts with the JSON pointer of the place. The errors come in a
// fixed order; nil means that the schema is portable.
func CheckSchema(s *jsonschema.Schema) []error {
	c := checker{}
	c.root(s)
	return c.errs
}

// checkOutputSchema is [CheckSchema] for the results of a tool, which may be
// open where data decides the shape, and may hold null.
func checkOutputSchema(s *jsonschema.Schema) []error {
	c := checker{output: true}
	c.root(s)
	return c.errs
}

type checker struct {
	output bool
	errs   []error
}

func (c *checker) errorf(at, format string, args ...any) {
	if at == "" {
		at = "/"
	}
	c.errs = append(c.errs, fmt.Errorf("%s: %s", at, fmt.Sprintf(format, args...)))
}

func (c *checker) root(s *jsonschema.Schema) {
	if s == nil {
		c.errorf("", "there is no schema")
		return
	}
	if s.Type != "object" {
		c.errorf("", "the type at the root must be object")
		return
	}
	if s.Properties == nil && !c.output {
		c.errorf("", "the root needs properties, if only an empty map of them")
	}
	if !isFalse(s.AdditionalProperties) && !c.output {
		c.errorf("", "the root needs additionalProperties false")
	}
	c.schema("", s, map[*jsonschema.Schema]bool{})
}

// schema checks s and what it holds. on are the schemas above it: a schema
// that holds itself has no JSON form.
func (c *checker) schema(at string, s *jsonschema.Schema, on map[*jsonschema.Schema]bool) {
	if s == nil {
		c.errorf(at, "there is no schema")
		return
	}
	if on[s] {
		c.errorf(at, "the schema contains itself")
		return
	}
	on[s] = true
	defer delete(on, s)

	for _, keyword := range foreignKeywords(s) {
		c.errorf(at, "%s is outside the portable subset", keyword)
	}
	switch {
	case len(s.Types) > 0:
		c.errorf(at, "a list of types is not portable; use anyOf with one complete schema per type")
	case s.AnyOf != nil:
		c.union(at, s, on)
	case s.Type == "":
		c.errorf(at, "the schema has no type")
	case s.Type == "null":
		if !c.output {
			c.errorf(at, "null is no argument: one that is not given is left out")
		}
	case s.Type == "array":
		if s.Items == nil {
			c.errorf(at, "the array has no items")
		} else {
			c.schema(at+"/items", s.Items, on)
		}
	case s.Type == "object":
		c.object(at, s, on)
	case s.Type != "string" && s.Type != "integer" && s.Type != "number" && s.Type != "boolean":
		c.errorf(at, "%q is no JSON type", s.Type)
	}
}

func (c *checker) union(at string, s *jsonschema.Schema, on map[*jsonschema.Schema]bool) {
	if at == "" {
		c.errorf(at, "no anyOf at the root")
		return
	}
	if s.Type != "" || s.Properties != nil || s.Items != nil || s.AdditionalProperties != nil {
		c.errorf(at, "a union holds its branches and nothing else that constrains")
	}
	if len(s.AnyOf) < 2 {
		c.errorf(at, "a union needs at least two branches")
	}
	for i, branch := range s.AnyOf {
		c.schema(at+"/anyOf/"+strconv.Itoa(i), branch, on)
	}
}

func (c *checker) object(at string, s *jsonschema.Schema, on map[*jsonschema.Schema]bool) {
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p, here := s.Properties[name], at+"/properties/"+escapePointer(name)
		if p != nil && strings.TrimSpace(p.Description) == "" {
			c.errorf(here, "the property has no description")
		}
		c.schema(here, p, on)
	}
	for _, name := range s.Required {
		if s.Properties[name] == nil {
			c.errorf(at, "required names %q, which is no property", name)
		}
	}
	if a := s.AdditionalProperties; a != nil && !isFalse(a) {
		c.schema(at+"/additionalProperties", a, on)
	}
}

// foreignKeywords lists the keywords of s that are outside the portable subset.
func foreignKeywords(s *jsonschema.Schema) []string {
	var found []string
	add := func(present bool, keyword string) {
		if present {
			found = append(found, keyword)
		}
	}
	add(s.ID != "", "$id")
	add(s.Ref != "", "$ref")
	add(s.Defs != nil, "$defs")
	add(s.Definitions != nil, "definitions")
	add(s.Anchor != "", "$anchor")
	add(s.DynamicAnchor != "", "$dynamicAnchor")
	add(s.DynamicRef != "", "$dynamicRef")
	add(s.Vocabulary != nil, "$vocabulary")
	add(s.DependencySchemas != nil || s.DependencyStrings != nil, "dependencies")
	add(s.PrefixItems != nil, "prefixItems")
	add(s.ItemsArray != nil, "a list of items")
	add(s.AdditionalItems != nil, "additionalItems")
	add(s.Contains != nil, "contains")
	add(s.MinContains != nil, "minContains")
	add(s.MaxContains != nil, "maxContains")
	add(s.UnevaluatedItems != nil, "unevaluatedItems")
	add(s.DependentRequired != nil, "dependentRequired")
	add(s.PatternProperties != nil, "patternProperties")
	add(s.PropertyNames != nil, "propertyNames")
	add(s.UnevaluatedProperties != nil, "unevaluatedProperties")
	add(s.AllOf != nil, "allOf")
	add(s.OneOf != nil, "oneOf")
	add(s.Not != nil, "not")
	add(s.If != nil, "if")
	add(s.Then != nil, "then")
	add(s.Else != nil, "else")
	add(s.DependentSchemas != nil, "dependentSchemas")
	add(s.ContentSchema != nil, "contentSchema")
	return found
}

// isFalse reports whether s is the schema that nothing satisfies, which
// jsonschema-go writes as {"not": {}}.
func isFalse(s *jsonschema.Schema) bool {
	return s != nil && s.Not != nil && reflect.DeepEqual(s, &jsonschema.Schema{Not: &jsonschema.Schema{}})
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

func escapePointer(name string) string { return pointerEscapes.Replace(name) }

// A schemer is a type that states its own schema, in place of the one inferred
// from its Go shape.
type schemer interface{ JSONSchema() *jsonschema.Schema }

// Strings is an argument that may be one string or a list of strings. It is
// nil when the argument was not given.
type Strings []string

// JSONSchema is the union of a string and a list of strings.
func (Strings) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
		{Type: "string"},
		{Type: "array", Items: &jsonschema.Schema{Type: "string"}},
	}}
}

// UnmarshalJSON takes a string as a list of one.
func (s *Strings) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		*s = make(Strings, 1)
		return json.Unmarshal(data, &(*s)[0])
	}
	return json.Unmarshal(data, (*[]string)(s))
}

var (
	rawMessageType = reflect.TypeFor[json.RawMessage]()
	schemerType    = reflect.TypeFor[schemer]()
)

// knownSchemas are the schemas of types whose JSON form is not their Go shape.
func knownSchemas() map[reflect.Type]*jsonschema.Schema {
	return map[reflect.Type]*jsonschema.Schema{
		rawMessageType:                 {Type: "object"},
		reflect.TypeFor[json.Number](): {Type: "number"},
		reflect.TypeFor[[]byte]():      {Type: "string"},
	}
}

// inferSchema infers the portable schema of the arguments or the result type t.
// It panics where the type has no JSON form or a tag is wrong: both are
// mistakes of the program.
func inferSchema(t reflect.Type, output bool) *jsonschema.Schema {
	known := knownSchemas()
	statedSchemas(t, known, map[reflect.Type]bool{})
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: known})
	if err != nil {
		panic(fmt.Sprintf("mcpkit: inferring the schema of %v: %v", t, err))
	}
	p := porter{known: known, output: output}
	p.rewrite(t, s)
	if s.Type == "object" && s.Properties == nil && !output {
		s.Properties = map[string]*jsonschema.Schema{}
	}
	return s
}

// statedSchemas adds the schemas of the types in t that state their own.
func statedSchemas(t reflect.Type, known map[reflect.Type]*jsonschema.Schema, seen map[reflect.Type]bool) {
	if seen[t] || known[t] != nil {
		return
	}
	seen[t] = true
	if t.Kind() != reflect.Interface && t.Kind() != reflect.Pointer {
		if p := reflect.PointerTo(t); p.Implements(schemerType) {
			known[t] = reflect.New(t).Interface().(schemer).JSONSchema()
			return
		}
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		statedSchemas(t.Elem(), known, seen)
	case reflect.Struct:
		for _, f := range reflect.VisibleFields(t) {
			statedSchemas(f.Type, known, seen)
		}
	}
}

// porter rewrites an inferred schema into the portable subset. It walks the
// schema along the Go type it was inferred from, because the schema alone does
// not tell a pointer from a slice or an open map from a typed one.
type porter struct {
	known  map[reflect.Type]*jsonschema.Schema
	output bool
}

func (p *porter) rewrite(t reflect.Type, s *jsonschema.Schema) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	// jsonschema-go writes "X or null" as a list of types.
	if len(s.Types) > 0 {
		types := slices.DeleteFunc(slices.Clone(s.Types), func(t string) bool { return t == "null" })
		s.Types = nil
		if len(types) == 1 {
			s.Type = types[0]
		}
	}
	if p.known[t] != nil {
		return
	}
	switch t.Kind() {
	case reflect.Interface:
		s.AnyOf = p.anyValue()
	case reflect.Slice, reflect.Array:
		p.rewrite(t.Elem(), s.Items)
		s.Items = p.nullable(t.Elem(), s.Items)
	case reflect.Map:
		if t.Elem().Kind() == reflect.Interface && p.output {
			s.AdditionalProperties = nil // data decides the shape
			return
		}
		p.rewrite(t.Elem(), s.AdditionalProperties)
		s.AdditionalProperties = p.nullable(t.Elem(), s.AdditionalProperties)
	case reflect.Struct:
		if s.Type != "object" { // a type of the standard library with a form of its own
			return
		}
		if s.Properties == nil {
			s.Properties = map[string]*jsonschema.Schema{}
		}
		for _, f := range jsonFields(t) {
			prop := s.Properties[f.name]
			if prop == nil {
				continue
			}
			p.rewrite(f.Type, prop)
			if err := applyTags(f.StructField, prop); err != nil {
				panic(fmt.Sprintf("mcpkit: %v.%s: %v", t, f.Name, err))
			}
			if !p.output && (f.Type.Kind() == reflect.Pointer || prop.Default != nil) {
				s.Required = slices.DeleteFunc(s.Required, func(name string) bool { return name == f.name })
			}
			if slices.Contains(s.Required, f.name) {
				s.Properties[f.name] = p.nullable(f.Type, prop)
			}
		}
		if len(s.Required) == 0 {
			s.Required = nil
		}
	}
}

// anyValue is the union for a value of any type: a scalar among arguments, any
// JSON value in a result.
func (p *porter) anyValue() []*jsonschema.Schema {
	branches := []*jsonschema.Schema{{Type: "string"}, {Type: "number"}, {Type: "boolean"}}
	if p.output {
		branches = append(branches,
			&jsonschema.Schema{Type: "null"},
			&jsonschema.Schema{Type: "object"},
			&jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
				{Type: "string"}, {Type: "number"}, {Type: "boolean"}, {Type: "null"}, {Type: "object"},
			}}})
	}
	return branches
}

// nullable is the schema of a value of type t in a result, where a nil pointer
// is encoded as null.
func (p *porter) nullable(t reflect.Type, s *jsonschema.Schema) *jsonschema.Schema {
	if !p.output || t.Kind() != reflect.Pointer {
		return s
	}
	if s.AnyOf != nil {
		s.AnyOf = append(s.AnyOf, &jsonschema.Schema{Type: "null"})
		return s
	}
	description := s.Description
	s.Description = ""
	return &jsonschema.Schema{Description: description, AnyOf: []*jsonschema.Schema{s, {Type: "null"}}}
}

// jsonField is a struct field and the name it has in JSON.
type jsonField struct {
	reflect.StructField
	name string
}

// jsonFields lists the fields of a struct that jsonschema-go makes properties
// of, the promoted ones included.
func jsonFields(t reflect.Type) []jsonField {
	var fields []jsonField
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || !f.IsExported() || f.Tag.Get("json") == "-" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		fields = append(fields, jsonField{f, name})
	}
	return fields
}

// applyTags puts the struct tags named like keywords of JSON Schema into the
// schema of their field: default, enum (values separated by commas), minimum,
// maximum, minLength, maxLength, minItems, maxItems, pattern.
func applyTags(f reflect.StructField, s *jsonschema.Schema) error {
	for _, keyword := range []string{"minimum", "maximum"} {
		tag, ok := f.Tag.Lookup(keyword)
		if !ok {
			continue
		}
		v, err := strconv.ParseFloat(tag, 64)
		if err != nil {
			return fmt.Errorf("the tag %s:%q is not a number", keyword, tag)
		}
		if keyword == "minimum" {
			s.Minimum = &v
		} else {
			s.Maximum = &v
		}
	}
	for keyword, field := range map[string]**int{
		"minLength": &s.MinLength, "maxLength": &s.MaxLength, "minItems": &s.MinItems, "maxItems": &s.MaxItems,
	} {
		tag, ok := f.Tag.Lookup(keyword)
		if !ok {
			continue
		}
		v, err := strconv.Atoi(tag)
		if err != nil {
			return fmt.Errorf("the tag %s:%q is not a whole number", keyword, tag)
		}
		*field = &v
	}
	if tag, ok := f.Tag.Lookup("pattern"); ok {
		if _, err := regexp.Compile(tag); err != nil {
			return fmt.Errorf("the tag pattern:%q: %w", tag, err)
		}
		s.Pattern = tag
	}
	if tag, ok := f.Tag.Lookup("enum"); ok {
		on := s
		if s.Type == "array" {
			on = s.Items // the enum of a list is that of its entries
		}
		for _, v := range strings.Split(tag, ",") {
			value, err := tagValue(on, v)
			if err != nil {
				return fmt.Errorf("the tag enum:%q: %w", tag, err)
			}
			on.Enum = append(on.Enum, value)
		}
	}
	if tag, ok := f.Tag.Lookup("default"); ok {
		if s.Type == "string" {
			data, err := json.Marshal(tag)
			if err != nil {
				return err
			}
			s.Default = data
		} else if !json.Valid([]byte(tag)) {
			return fmt.Errorf("the tag default:%q is not JSON", tag)
		} else {
			s.Default = json.RawMessage(tag)
		}
	}
	return nil
}

// tagValue reads one value of an enum tag in the type of the schema.
func tagValue(s *jsonschema.Schema, text string) (any, error) {
	if s.Type == "string" {
		return text, nil
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return nil, fmt.Errorf("%q is no %s", text, s.Type)
	}
	return v, nil
}
