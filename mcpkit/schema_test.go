package mcpkit

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
)

// schemaOf parses a schema written as JSON.
func schemaOf(tb testing.TB, text string) *jsonschema.Schema {
	tb.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		tb.Fatalf("%v in %s", err, text)
	}
	return &s
}

func TestCheckSchema(t *testing.T) {
	wrap := func(property string) string {
		return `{"type":"object","additionalProperties":false,"properties":{"a":` + property + `}}`
	}
	tests := []struct{ name, schema, want string }{
		{"no arguments", `{"type":"object","properties":{},"additionalProperties":false}`, ""},
		{"scalar", wrap(`{"type":"string","description":"a"}`), ""},
		{"list", wrap(`{"type":"array","description":"a","items":{"type":"string"}}`), ""},
		{"union", wrap(`{"description":"a","anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]}`), ""},
		{"map", wrap(`{"type":"object","description":"a","additionalProperties":{"type":"string","enum":["x"]}}`), ""},
		{"open object", wrap(`{"type":"object","description":"a"}`), ""},
		{"nested", wrap(`{"type":"object","description":"a","additionalProperties":false,"required":["b"],"properties":{"b":{"type":"integer","description":"b","minimum":0}}}`), ""},

		{"no type at the root", `{"properties":{}}`, "/: the type at the root must be object"},
		{"no properties", `{"type":"object","additionalProperties":false}`, "/: the root needs properties, if only an empty map of them"},
		{"open root", `{"type":"object","properties":{}}`, "/: the root needs additionalProperties false"},
		{"anyOf at the root", `{"type":"object","properties":{},"additionalProperties":false,"anyOf":[{"type":"object"},{"type":"object"}]}`, "/: no anyOf at the root"},
		{"oneOf at the root", `{"type":"object","properties":{},"additionalProperties":false,"oneOf":[{"type":"object"}]}`, "/: oneOf is outside the portable subset"},
		{"$ref", wrap(`{"$ref":"#/$defs/x","description":"a","type":"string"}`), "/properties/a: $ref is outside the portable subset"},
		{"$defs", `{"type":"object","properties":{},"additionalProperties":false,"$defs":{"x":{"type":"string"}}}`, "/: $defs is outside the portable subset"},
		{"type list", wrap(`{"type":["null","array"],"description":"a","items":{"type":"string"}}`), "/properties/a: a list of types is not portable; use anyOf with one complete schema per type"},
		{"no type", wrap(`{"description":"a"}`), "/properties/a: the schema has no type"},
		{"true", wrap(`true`), "/properties/a: the property has no description\n/properties/a: the schema has no type"},
		{"false", wrap(`false`), "/properties/a: the property has no description\n/properties/a: not is outside the portable subset\n/properties/a: the schema has no type"},
		{"array without items", wrap(`{"type":"array","description":"a"}`), "/properties/a: the array has no items"},
		{"untyped items", wrap(`{"type":"array","description":"a","items":{"minimum":1}}`), "/properties/a/items: the schema has no type"},
		{"untyped map", wrap(`{"type":"object","description":"a","additionalProperties":{"minLength":1}}`), "/properties/a/additionalProperties: the schema has no type"},
		{"untyped branch", wrap(`{"description":"a","anyOf":[{"type":"string"},{"minimum":1}]}`), "/properties/a/anyOf/1: the schema has no type"},
		{"union of one", wrap(`{"description":"a","anyOf":[{"type":"string"}]}`), "/properties/a: a union needs at least two branches"},
		{"union with a type", wrap(`{"description":"a","type":"string","anyOf":[{"type":"string"},{"type":"number"}]}`), "/properties/a: a union holds its branches and nothing else that constrains"},
		{"no description", wrap(`{"type":"string"}`), "/properties/a: the property has no description"},
		{"nested without a description", wrap(`{"type":"object","description":"a","properties":{"b/c":{"type":"string"}}}`), "/properties/a/properties/b~1c: the property has no description"},
		{"null", wrap(`{"type":"null","description":"a"}`), "/properties/a: null is no argument: one that is not given is left out"},
		{"made-up type", wrap(`{"type":"int","description":"a"}`), `/properties/a: "int" is no JSON type`},
		{"required of nothing", `{"type":"object","properties":{},"additionalProperties":false,"required":["b"]}`, `/: required names "b", which is no property`},
		{"patternProperties", wrap(`{"type":"object","description":"a","patternProperties":{"x":{"type":"string"}}}`), "/properties/a: patternProperties is outside the portable subset"},
		{"prefixItems", wrap(`{"type":"array","description":"a","prefixItems":[{"type":"string"}],"items":{"type":"string"}}`), "/properties/a: prefixItems is outside the portable subset"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if err := errors.Join(CheckSchema(schemaOf(t, tt.schema))...); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
	if errs := CheckSchema(nil); len(errs) != 1 {
		t.Errorf("CheckSchema(nil) = %v", errs)
	}
	self := &jsonschema.Schema{Type: "array", Description: "a"}
	self.Items = self
	root := &jsonschema.Schema{Type: "object", AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}, Properties: map[string]*jsonschema.Schema{"a": self}}
	if errs := CheckSchema(root); len(errs) != 1 || !strings.Contains(errs[0].Error(), "contains itself") {
		t.Errorf("a schema that contains itself: %v", errs)
	}
}

// statedType states its own schema.
type statedType chan int

func (statedType) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Enum: []any{"x", "y"}}
}

type embedded struct {
	Base string `json:"base" jsonschema:"the base"`
}

type everything struct {
	embedded
	Text     string                `json:"text" jsonschema:"a text" minLength:"1" maxLength:"9" pattern:"^[a-z]+$"`
	Pointer  *int                  `json:"pointer" jsonschema:"a pointer"`
	List     []string              `json:"list" jsonschema:"a list" enum:"a,b" minItems:"1" maxItems:"3"`
	Lists    [][]int               `json:"lists,omitempty" jsonschema:"a list of lists"`
	Map      map[string][]string   `json:"map,omitempty" jsonschema:"a map"`
	Any      any                   `json:"any,omitempty" jsonschema:"any scalar"`
	Open     map[string]any        `json:"open,omitempty" jsonschema:"a map of any"`
	Raw      json.RawMessage       `json:"raw,omitempty" jsonschema:"raw"`
	Number   json.Number           `json:"number,omitempty" jsonschema:"a number of any length"`
	Bytes    []byte                `json:"bytes,omitempty" jsonschema:"bytes"`
	Time     time.Time             `json:"time,omitzero" jsonschema:"a time"`
	Stated   statedType            `json:"stated,omitzero" jsonschema:"stated"`
	Either   Strings               `json:"either,omitempty" jsonschema:"one or many"`
	Limit    int                   `json:"limit" jsonschema:"a limit" default:"50" minimum:"0" maximum:"500"`
	Kind     string                `json:"kind,omitempty" jsonschema:"a kind" enum:"a,b" default:"a"`
	Nested   []embedded            `json:"nested,omitempty" jsonschema:"objects"`
	ByName   map[string]*embedded  `json:"by_name,omitempty" jsonschema:"objects by name"`
	Hidden   string                `json:"-"`
	lower    string                //nolint:unused // what is not exported is not published
	Pointers []*float64            `json:"pointers,omitempty" jsonschema:"numbers that may be missing"`
	_        map[string]chan<- int // nor does it have to have a JSON form
}

func TestInferSchema_Arguments(t *testing.T) {
	s := inferSchema(reflect.TypeFor[everything](), false)
	if errs := CheckSchema(s); errs != nil {
		t.Errorf("the inferred schema is not portable: %v", errs)
	}
	got, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	want := compact(t, `{"type":"object","properties":{
		"base":{"type":"string","description":"the base"},
		"text":{"type":"string","description":"a text","minLength":1,"maxLength":9,"pattern":"^[a-z]+$"},
		"pointer":{"type":"integer","description":"a pointer"},
		"list":{"type":"array","items":{"type":"string","enum":["a","b"]},"description":"a list","minItems":1,"maxItems":3},
		"lists":{"type":"array","items":{"type":"array","items":{"type":"integer"}},"description":"a list of lists"},
		"map":{"type":"object","description":"a map","additionalProperties":{"type":"array","items":{"type":"string"}}},
		"any":{"description":"any scalar","anyOf":[{"type":"string"},{"type":"number"},{"type":"boolean"}]},
		"open":{"type":"object","description":"a map of any","additionalProperties":{"anyOf":[{"type":"string"},{"type":"number"},{"type":"boolean"}]}},
		"raw":{"type":"object","description":"raw"},
		"number":{"type":"number","description":"a number of any length"},
		"bytes":{"type":"string","description":"bytes"},
		"time":{"type":"string","description":"a time"},
		"stated":{"type":"string","description":"stated","enum":["x","y"]},
		"either":{"description":"one or many","anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]},
		"limit":{"type":"integer","description":"a limit","default":50,"minimum":0,"maximum":500},
		"kind":{"type":"string","description":"a kind","default":"a","enum":["a","b"]},
		"nested":{"type":"array","items":{"type":"object","properties":{"base":{"type":"string","description":"the base"}},"required":["base"],"additionalProperties":false},"description":"objects"},
		"by_name":{"type":"object","description":"objects by name","additionalProperties":{"type":"object","properties":{"base":{"type":"string","description":"the base"}},"required":["base"],"additionalProperties":false}},
		"pointers":{"type":"array","items":{"type":"number"},"description":"numbers that may be missing"}
	},"required":["base","text","list"],"additionalProperties":false}`)
	var a, b any
	if json.Unmarshal(got, &a) != nil || json.Unmarshal([]byte(want), &b) != nil {
		t.Fatal("not JSON")
	}
	if diff := cmp.Diff(b, a); diff != "" {
		t.Errorf("schema differs:\n%s", diff)
	}
	if got := s.PropertyOrder; got[0] != "base" || got[len(got)-1] != "pointers" {
		t.Errorf("order = %q", got)
	}
}

func TestInferSchema_Results(t *testing.T) {
	s := inferSchema(reflect.TypeFor[everything](), true)
	if errs := checkOutputSchema(s); errs != nil {
		t.Errorf("the inferred schema is not portable: %v", errs)
	}
	for name, want := range map[string]string{
		"pointer":  `{"description":"a pointer","anyOf":[{"type":"integer"},{"type":"null"}]}`,
		"open":     `{"type":"object","description":"a map of any"}`,
		"any":      `{"description":"any scalar","anyOf":[{"type":"string"},{"type":"number"},{"type":"boolean"},{"type":"null"},{"type":"object"},{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"number"},{"type":"boolean"},{"type":"null"},{"type":"object"}]}}]}`,
		"pointers": `{"type":"array","description":"numbers that may be missing","items":{"anyOf":[{"type":"number"},{"type":"null"}]}}`,
	} {
		data, err := json.Marshal(s.Properties[name])
		if err != nil {
			t.Fatal(err)
		}
		var a, b any
		if json.Unmarshal(data, &a) != nil || json.Unmarshal([]byte(want), &b) != nil {
			t.Fatal("not JSON")
		}
		if diff := cmp.Diff(b, a); diff != "" {
			t.Errorf("%s differs:\n%s", name, diff)
		}
	}
}

func TestInferSchema_IsTheSameEveryTime(t *testing.T) {
	first, err := json.Marshal(inferSchema(reflect.TypeFor[everything](), false))
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		again, err := json.Marshal(inferSchema(reflect.TypeFor[everything](), false))
		if err != nil {
			t.Fatal(err)
		}
		if string(again) != string(first) {
			t.Fatalf("%s\n%s", first, again)
		}
	}
}
