package mcpkit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"pgregory.net/rapid"
)

func newTestDecoder(tb testing.TB, r OutOfRange) *decoder {
	tb.Helper()
	t := reflect.TypeFor[queryArgs]()
	d, err := newDecoder("query", t, inferSchema(t, false), r, false)
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

func ptr[T any](v T) *T { return &v }

func TestDecode_Accepts(t *testing.T) {
	d := newTestDecoder(t, Refuse)
	base := queryArgs{Table: "t", Limit: 50}
	with := func(edit func(*queryArgs)) queryArgs { a := base; edit(&a); return a }
	tests := []struct {
		name, args string
		want       queryArgs
	}{
		{"only what is required", `{"table":"t"}`, base},
		{"null for an optional argument is absent", `{"table":"t","filter":null,"limit":null,"like":null,"seed":null,"types":null,"group_by":null}`, base},
		{"zero is not absent", `{"table":"t","limit":0,"seed":0}`, with(func(a *queryArgs) { a.Limit = 0; a.Seed = ptr(uint64(0)) })},
		{"whole number", `{"table":"t","limit":10}`, with(func(a *queryArgs) { a.Limit = 10 })},
		{"whole number with a fraction of zero", `{"table":"t","limit":10.0}`, with(func(a *queryArgs) { a.Limit = 10 })},
		{"whole number as a power", `{"table":"t","limit":1e1}`, with(func(a *queryArgs) { a.Limit = 10 })},
		{"whole number as text", `{"table":"t","limit":"10"}`, with(func(a *queryArgs) { a.Limit = 10 })},
		{"whole number as text with a fraction of zero", `{"table":"t","limit":"10.0"}`, with(func(a *queryArgs) { a.Limit = 10 })},
		{"minus zero", `{"table":"t","limit":-0,"id":-0.0}`, with(func(a *queryArgs) { a.Limit = 0 })},
		{"large whole number as text", `{"table":"t","id":"9007199254740993"}`, with(func(a *queryArgs) { a.ID = 9007199254740993 })},
		{"one string", `{"table":"t","group_by":"a"}`, with(func(a *queryArgs) { a.GroupBy = Strings{"a"} })},
		{"list of strings", `{"table":"t","group_by":["a","b"]}`, with(func(a *queryArgs) { a.GroupBy = Strings{"a", "b"} })},
		{"map", `{"table":"t","types":{"a b":"number","c":"text"}}`, with(func(a *queryArgs) { a.Types = map[string]string{"a b": "number", "c": "text"} })},
		{"nested object, integer of any type", `{"table":"t","like":{"column":"id","value":9007199254740993}}`, with(func(a *queryArgs) { a.Like = &likeArgs{"id", int64(9007199254740993)} })},
		{"nested object, uint64 of any type", `{"table":"t","like":{"column":"id","value":18446744073709551615}}`, with(func(a *queryArgs) { a.Like = &likeArgs{"id", uint64(math.MaxUint64)} })},
		{"nested object, fraction of any type", `{"table":"t","like":{"column":"id","value":1.5}}`, with(func(a *queryArgs) { a.Like = &likeArgs{"id", 1.5} })},
		{"nested object, more digits than any type has", `{"table":"t","like":{"column":"id","value":123456789012345678901234567890}}`, with(func(a *queryArgs) { a.Like = &likeArgs{"id", json.Number("123456789012345678901234567890")} })},
		{"nested object, large power", `{"table":"t","like":{"column":"id","value":1e300}}`, with(func(a *queryArgs) { a.Like = &likeArgs{"id", 1e300} })},
		{"nested object, text that looks like a number", `{"table":"t","like":{"column":"id","value":"10"}}`, with(func(a *queryArgs) { a.Like = &likeArgs{"id", "10"} })},
		{"list of numbers", `{"table":"t","vector":[1,2.5,-3e-2]}`, with(func(a *queryArgs) { a.Vector = []float64{1, 2.5, -0.03} })},
		{"white space", " {\n\"table\" :\t\"t\" } ", base},
		{"one of the allowed values", `{"table":"t","order":"desc"}`, with(func(a *queryArgs) { a.Order = "desc" })},
		{"escapes", `{"table":"\u0074\n","filter":"\ud83d\ude00"}`, with(func(a *queryArgs) { a.Table = "t\n"; a.Filter = "😀" })},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got queryArgs
			if _, err := d.decode(json.RawMessage(tt.args), &got); err != nil {
				t.Fatalf("decode(%s): %v", tt.args, err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("decode(%s) differs:\n%s", tt.args, diff)
			}
		})
	}
}

func TestDecode_Refuses(t *testing.T) {
	d := newTestDecoder(t, Refuse)
	tests := []struct{ name, args, code, field, want string }{
		// Unknown names come first, whatever else is wrong.
		{"unknown, near a known one", `{"tabel":"t"}`, "unknown_argument", "tabel", "query has no argument 'tabel'; did you mean 'table'?"},
		{"unknown, and the required one is missing", `{"source":"t"}`, "unknown_argument", "source", "query has no argument 'source'; did you mean 'table'?"},
		{"unknown, near one that was given", `{"table":"t","tablee":"t"}`, "unknown_argument", "tablee", "query has no argument 'tablee'; its arguments are 'table', 'filter', 'group_by', 'types', 'limit', 'order', 'like', 'vector', 'seed', 'exact', 'id', 'small' and 'ratio'"},
		{"unknown before wrong type", `{"table":5,"lmit":1}`, "unknown_argument", "lmit", "query has no argument 'lmit'; did you mean 'limit'?"},
		{"another case is unknown", `{"TABLE":"t"}`, "unknown_argument", "TABLE", "query has no argument 'TABLE'; did you mean 'table'?"},
		{"unknown null", `{"table":"t","zzzz":null}`, "unknown_argument", "zzzz", "query has no argument 'zzzz'; its arguments are 'table', 'filter', 'group_by', 'types', 'limit', 'order', 'like', 'vector', 'seed', 'exact', 'id', 'small' and 'ratio'"},
		{"unknown in a nested object", `{"table":"t","like":{"colum":"a","value":1}}`, "unknown_argument", "like.colum", "like has no field 'colum'; did you mean 'column'?"},
		{"unknown that looks known", `{"table":"t","limit\u200b":1}`, "unknown_argument", "limit", "query has no argument 'limit'; did you mean 'limit', without spaces around it and characters that do not show?"},
		{"none of the allowed values, yet looks like one", `{"table":"t","order":" asc"}`, "invalid_value", "order", `order must be "asc" or "desc", not the text "asc"; did you mean "asc", without spaces around it and characters that do not show?`},
		{"unknown with control characters", `{"table":"t","fil\u0000\n\u202eter":1}`, "unknown_argument", "fil ter", "query has no argument 'fil ter'; did you mean 'filter'?"},
		// Then what is missing.
		{"missing", `{}`, "missing_argument", "table", "query needs the argument 'table'; give it as text"},
		{"null for a required argument", `{"table":null}`, "missing_argument", "table", "query needs the argument 'table'; give it as text"},
		{"missing before wrong type", `{"limit":"ten"}`, "missing_argument", "table", "query needs the argument 'table'; give it as text"},
		{"missing in a nested object", `{"table":"t","like":{}}`, "missing_argument", "like.column", "like needs the fields 'column' and 'value'"},
		{"null in a nested object", `{"table":"t","like":{"column":"a","value":null}}`, "missing_argument", "like.value", "like needs the field 'value'; give it as text, a number or true or false"},
		// Then types.
		{"text for a whole number", `{"table":"t","limit":"ten"}`, "wrong_type", "limit", `limit must be a whole number, not the text "ten"`},
		{"fraction", `{"table":"t","limit":1.5}`, "wrong_type", "limit", "limit must be a whole number, not the number 1.5"},
		{"fraction as text", `{"table":"t","limit":"1.5"}`, "wrong_type", "limit", `limit must be a whole number, not the text "1.5"`},
		{"text with space", `{"table":"t","limit":" 10"}`, "wrong_type", "limit", `limit must be a whole number, not the text "10"`},
		{"empty text", `{"table":"t","limit":""}`, "wrong_type", "limit", `limit must be a whole number, not the text ""`},
		{"hexadecimal text", `{"table":"t","limit":"0x10"}`, "wrong_type", "limit", `limit must be a whole number, not the text "0x10"`},
		{"true for a whole number", `{"table":"t","limit":true}`, "wrong_type", "limit", "limit must be a whole number, not true"},
		{"list for a whole number", `{"table":"t","limit":[1]}`, "wrong_type", "limit", "limit must be a whole number, not the list [1]"},
		{"object for a text", `{"table":{"a":1}}`, "wrong_type", "table", `table must be text, not the object {"a":1}`},
		{"number for a text", `{"table":5}`, "wrong_type", "table", "table must be text, not the number 5"},
		{"text for true or false", `{"table":"t","exact":"true"}`, "wrong_type", "exact", `exact must be true or false, not the text "true"`},
		{"text for a number", `{"table":"t","ratio":"1.5"}`, "wrong_type", "ratio", `ratio must be a number, not the text "1.5"`},
		{"number for a union", `{"table":"t","group_by":5}`, "wrong_type", "group_by", "group_by must be text or a list of text, not the number 5"},
		{"wrong entry of a union", `{"table":"t","group_by":["a",5]}`, "wrong_type", "group_by[1]", "group_by[1] must be text, not the number 5"},
		{"null entry", `{"table":"t","group_by":["a",null]}`, "wrong_type", "group_by[1]", "group_by[1] must be text, not null"},
		{"list for a scalar", `{"table":"t","like":{"column":"a","value":[1]}}`, "wrong_type", "like.value", "like.value must be text, a number or true or false, not the list [1]"},
		{"wrong value of a map", `{"table":"t","types":{"unit price":1}}`, "wrong_type", `types["unit price"]`, `types["unit price"] must be text, not the number 1`},
		{"null value of a map", `{"table":"t","types":{"a":null}}`, "wrong_type", "types.a", "types.a must be text, not null"},
		{"wrong entry of a list", `{"table":"t","vector":[1,"2"]}`, "wrong_type", "vector[1]", `vector[1] must be a number, not the text "2"`},
		{"list for an object", `{"table":"t","like":[]}`, "wrong_type", "like", "like must be an object, not the list []"},
		{"long text is cut", `{"table":"t","limit":"` + strings.Repeat("x", 100) + `"}`, "wrong_type", "limit", `limit must be a whole number, not the text "` + strings.Repeat("x", 77) + `…"`},
		// Then the rules of the value.
		{"below the range", `{"table":"t","limit":-1}`, "out_of_range", "limit", "limit must be between 0 and 500, got -1"},
		{"above the range", `{"table":"t","limit":501}`, "out_of_range", "limit", "limit must be between 0 and 500, got 501"},
		{"above the range as text", `{"table":"t","limit":"501"}`, "out_of_range", "limit", "limit must be between 0 and 500, got 501"},
		{"far above the range", `{"table":"t","limit":1e99}`, "out_of_range", "limit", "limit must be between 0 and 500, got 1" + strings.Repeat("0", 76) + "…"},
		{"below zero for a uint64", `{"table":"t","seed":-1}`, "out_of_range", "seed", "seed must be at least 0, got -1"},
		{"beyond an int64", `{"table":"t","id":9223372036854775808}`, "out_of_range", "id", "id must be a whole number between -9223372036854775808 and 9223372036854775807, got 9223372036854775808"},
		{"beyond an int8", `{"table":"t","small":128}`, "out_of_range", "small", "small must be between -128 and 127, got 128"},
		{"beyond a float64, in a list", `{"table":"t","vector":[1,1e400]}`, "out_of_range", "vector[1]", "vector[1] must be a number of 64 bits, got 1e400"},
		{"beyond a float64", `{"table":"t","ratio":1e400}`, "out_of_range", "ratio", "ratio must be a number of 64 bits, got 1e400"},
		{"beyond counting", `{"table":"t","ratio":1e999999999}`, "out_of_range", "ratio", "ratio must be a number of 64 bits, got 1e999999999"},
		{"beyond counting for a whole number", `{"table":"t","limit":1e999999999}`, "wrong_type", "limit", "limit must be a whole number, not the number 1e999999999"},
		{"empty", `{"table":""}`, "invalid_value", "table", "table must not be empty"},
		{"too long", `{"table":"` + strings.Repeat("é", 21) + `"}`, "invalid_value", "table", "table must have at most 20 characters, got 21"},
		{"none of the allowed values", `{"table":"t","order":"dsc"}`, "invalid_value", "order", `order must be "asc" or "desc", not the text "dsc"; did you mean "asc"?`},
		// And JSON itself.
		{"the same name twice", `{"table":"a","table":"b"}`, "duplicate_argument", "table", "query was given 'table' twice; give it once"},
		{"the same name twice, written in two ways", `{"table":"a","t\u0061ble":"b"}`, "duplicate_argument", "table", "query was given 'table' twice; give it once"},
		{"the same name twice, nested", `{"table":"a","like":{"column":"a","column":"b","value":1}}`, "duplicate_argument", "like.column", "query was given 'like.column' twice; give it once"},
		{"the same name twice, in a list", `{"table":"t","group_by":["a",{"x":{"b c":1,"b c":2}}]}`, "duplicate_argument", `group_by[1].x["b c"]`, `query was given 'group_by[1].x["b c"]' twice; give it once`},
		{"nested too deep", `{"table":"t","vector":` + strings.Repeat("[", 1100) + strings.Repeat("]", 1100) + `}`, "invalid_value", "", "reading the arguments of query: nested more than 1000 deep"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := d.decode(json.RawMessage(tt.args), new(queryArgs))
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("decode(%s) = %v, want an *Error", tt.args, err)
			}
			if e.Error() != tt.want || e.Code != tt.code || e.Field != tt.field || e.Kind != InvalidArgument {
				t.Errorf("decode(%s)\ngot  %s %q %q\nwant %s %q %q", tt.args, e.Code, e.Field, e.Error(), tt.code, tt.field, tt.want)
			}
		})
	}
}

func TestDecode_ArgumentsThatAreNoObject(t *testing.T) {
	d := newTestDecoder(t, Refuse)
	for _, args := range []string{`[]`, `"{}"`, `5`, `true`, ` [1]`} {
		if _, err := d.decode(json.RawMessage(args), new(queryArgs)); !errors.Is(err, errNotObject) {
			t.Errorf("decode(%s) = %v", args, err)
		}
	}
}

func TestDecode_OutOfRange(t *testing.T) {
	tests := []struct {
		name  string
		mode  OutOfRange
		limit string
		want  int
		noted []clamped
		err   string
	}{
		{"clamped from above", Clamp, "900", 500, []clamped{{"limit", "900", "500"}}, ""},
		{"clamped from below", Clamp, "-3", 0, []clamped{{"limit", "-3", "0"}}, ""},
		{"inside", Clamp, "7", 7, nil, ""},
		{"on the bound", Clamp, "500", 500, nil, ""},
		{"capped", Cap, "900", 500, nil, ""},
		{"capped, as text", Cap, `"900"`, 500, nil, ""},
		{"cap refuses below", Cap, "-1", 0, nil, "limit must be between 0 and 500, got -1"},
		{"cap refuses fractions", Cap, "900.5", 0, nil, "limit must be a whole number, not the number 900.5"},
		{"capped beyond 64 bits", Cap, "99999999999999999999", 500, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got queryArgs
			noted, err := newTestDecoder(t, tt.mode).decode(json.RawMessage(`{"table":"t","limit":`+tt.limit+`}`), &got)
			if tt.err != "" {
				if err == nil || err.Error() != tt.err {
					t.Errorf("error = %v, want %s", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got.Limit != tt.want || !slices.Equal(noted, tt.noted) {
				t.Errorf("limit %d, noted %v, want %d, %v", got.Limit, noted, tt.want, tt.noted)
			}
		})
	}
}

func TestDecode_KeywordsSetByRefine(t *testing.T) {
	type args struct {
		N     float64           `json:"n,omitempty" jsonschema:"n"`
		List  []string          `json:"list,omitempty" jsonschema:"list"`
		Map   map[string]string `json:"map,omitempty" jsonschema:"map"`
		Const string            `json:"const,omitempty" jsonschema:"const"`
		Level int               `json:"level,omitempty" jsonschema:"level"`
		Word  string            `json:"word,omitempty" jsonschema:"word"`
	}
	typ := reflect.TypeFor[args]()
	s := inferSchema(typ, false)
	s.Properties["n"].ExclusiveMinimum = ptr(0.0)
	s.Properties["n"].ExclusiveMaximum = ptr(1.0)
	s.Properties["n"].MultipleOf = ptr(0.1)
	s.Properties["list"].UniqueItems = true
	s.Properties["list"].MinItems = ptr(1)
	s.Properties["list"].MaxItems = ptr(3)
	s.Properties["map"].MinProperties = ptr(1)
	s.Properties["map"].MaxProperties = ptr(2)
	s.Properties["const"].Const = ptr[any]("yes")
	s.Properties["level"].Enum = []any{1, 2.0, int64(3)}
	s.Properties["word"].Pattern = "^[a-z]+$"
	s.Properties["word"].MinLength = ptr(2)
	d, err := newDecoder("do", typ, s, Refuse, false)
	if err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		`{"n":0.3,"list":["a","b"],"map":{"a":"b"},"const":"yes","level":2,"word":"ab"}`: "",
		`{"n":0}`:                        "n must be above 0 and below 1, got 0",
		`{"n":1}`:                        "n must be above 0 and below 1, got 1",
		`{"n":0.25}`:                     "n must be a multiple of 0.1, got 0.25",
		`{"list":[]}`:                    "list must have at least 1 entry, got 0",
		`{"list":["a","b","a"]}`:         "list[2] repeats list[0]; give it once",
		`{"list":["1","2","3","4"]}`:     "list must have at most 3 entries, got 4",
		`{"map":{}}`:                     "map must have at least 1 field, got 0",
		`{"map":{"a":"","b":"","c":""}}`: "map must have at most 2 fields, got 3",
		`{"const":"no"}`:                 `const must be "yes", not the text "no"`,
		`{"level":4}`:                    "level must be 1, 2 or 3, not the number 4",
		`{"level":3}`:                    "",
		`{"word":"a"}`:                   "word must have at least 2 characters, got 1",
		`{"word":"Ab"}`:                  `word must match ^[a-z]+$, got "Ab"`,
	} {
		got := ""
		if _, err := d.decode(json.RawMessage(args), reflect.New(typ).Interface()); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}

// A bound is what the schema says in decimal, and not the float64 next to it.
func TestDecode_BoundsAreDecimal(t *testing.T) {
	type args struct {
		X float64 `json:"x,omitempty" jsonschema:"x" minimum:"0.1" maximum:"0.7"`
	}
	typ := reflect.TypeFor[args]()
	d, err := newDecoder("do", typ, inferSchema(typ, false), Refuse, false)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{
		"0.1": true, "0.10": true, "1e-1": true, "0.7": true, "0.70000": true, "0.3": true,
		"0.0999999999999999999999": false, "0.7000000000000000000001": false, "0": false, "1e400": false, "-0.1": false,
	} {
		_, err := d.decode(json.RawMessage(`{"x":`+text+`}`), new(args))
		if got := err == nil; got != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestDecode_CallsDoNotShareDefaults(t *testing.T) {
	type args struct {
		List []string `json:"list,omitempty" jsonschema:"list" default:"[\"a\",\"b\"]"`
	}
	typ := reflect.TypeFor[args]()
	d, err := newDecoder("do", typ, inferSchema(typ, false), Refuse, false)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		var got args
		if _, err := d.decode(nil, &got); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.List, []string{"a", "b"}) {
			t.Fatalf("default = %q", got.List)
		}
		got.List[0] = "changed"
	}
}

// jsonValue draws any JSON value that a caller may send.
func jsonValue(depth int) *rapid.Generator[any] {
	scalar := rapid.OneOf(
		rapid.Map(rapid.StringMatching(`[a-z0-9."\\é]{0,6}`), func(s string) any { return s }),
		rapid.Map(rapid.Int64(), func(n int64) any { return json.Number(strconv.FormatInt(n, 10)) }),
		rapid.Map(rapid.Int64Range(-2, 600), func(n int64) any { return json.Number(strconv.FormatInt(n, 10)) }),
		rapid.Map(rapid.Float64Range(-1e6, 1e6), func(f float64) any { return json.Number(strconv.FormatFloat(f, 'g', -1, 64)) }),
		rapid.SampledFrom([]any{nil, true, false, "asc", "10", "t", json.Number("10.0"), json.Number("1e2"), json.Number("18446744073709551615")}),
	)
	if depth == 0 {
		return scalar
	}
	return rapid.OneOf(scalar,
		rapid.Map(rapid.SliceOfN(jsonValue(depth-1), 0, 3), func(l []any) any { return l }),
		rapid.Map(rapid.MapOfN(rapid.SampledFrom([]string{"column", "value", "a", "unit price"}), jsonValue(depth-1), 0, 3), func(m map[string]any) any { return m }),
	)
}

// TestDecode_AgreesWithTheSchema compares the decoder with an independent
// validator: what the schema allows is accepted and arrives unchanged, and what
// is accepted beyond it is one of the three leniencies that are promised.
func TestDecode_AgreesWithTheSchema(t *testing.T) {
	d := newTestDecoder(t, Refuse)
	resolved, err := d.schema.Resolve(&jsonschema.ResolveOptions{})
	if err != nil {
		t.Fatal(err)
	}
	keys := append(names(d.schema), "tabel", "x")
	args := rapid.MapOfN(rapid.SampledFrom(keys), jsonValue(2), 0, 4)
	accepted, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		m := args.Draw(t, "args")
		if rapid.Bool().Draw(t, "with table") {
			m["table"] = "t"
		}
		raw, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := parseJSON(raw)
		if err != nil {
			t.Fatal(err)
		}
		valid := resolved.Validate(plainTree(tree)) == nil
		var got queryArgs
		_, err = d.decode(raw, &got)
		if err == nil {
			accepted++
		} else {
			refused++
		}
		var e *Error
		switch {
		case err != nil && (!errors.As(err, &e) || e.Message == "" || e.Kind != InvalidArgument):
			t.Fatalf("decode(%s) = %#v", raw, err)
		case valid && err != nil && !strings.Contains(e.Message, "whole number between"): // Go's own bounds
			t.Fatalf("the schema allows %s, the decoder says %v", raw, err)
		case !valid && err == nil && !lenient(m):
			t.Fatalf("the schema refuses %s, the decoder takes it as %+v", raw, got)
		}
	})
	if accepted == 0 || refused == 0 {
		t.Errorf("%d accepted, %d refused: the property was not exercised", accepted, refused)
	}
}

// lenient reports whether v uses what is allowed beyond the schema: null for
// absent, a whole number as text.
func lenient(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return textNumber.MatchString(v)
	case map[string]any:
		for _, e := range v {
			if lenient(e) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, lenient)
	}
	return false
}

func TestDecode_RoundTrip(t *testing.T) {
	d := newTestDecoder(t, Refuse)
	text := rapid.StringMatching(`[a-zé"\\ ]{1,20}`)
	rapid.Check(t, func(t *rapid.T) {
		want := queryArgs{
			Table:  text.Draw(t, "table"),
			Filter: rapid.String().Draw(t, "filter"),
			Limit:  rapid.IntRange(1, 500).Draw(t, "limit"),
			Order:  rapid.SampledFrom([]string{"asc", "desc"}).Draw(t, "order"),
			ID:     rapid.Int64().Draw(t, "id"),
			Small:  rapid.Int8().Draw(t, "small"),
			Seed:   ptr(rapid.Uint64().Draw(t, "seed")),
			Ratio:  rapid.Float64Range(-1e300, 1e300).Draw(t, "ratio"),
			Exact:  rapid.Bool().Draw(t, "exact"),
			Vector: rapid.SliceOfN(rapid.Float64Range(-1, 1), 1, 5).Draw(t, "vector"),
			Like: &likeArgs{text.Draw(t, "column"), rapid.OneOf(
				rapid.Map(rapid.Int64(), func(n int64) any { return n }),
				rapid.Map(text, func(s string) any { return s }),
			).Draw(t, "value")},
			Types:   rapid.MapOfN(text, text, 1, 3).Draw(t, "types"),
			GroupBy: rapid.SliceOfN(text, 1, 3).Draw(t, "group_by"),
		}
		want.Filter = strings.ToValidUTF8(want.Filter, "\ufffd")
		raw, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got queryArgs
		if _, err := d.decode(raw, &got); err != nil {
			t.Fatalf("decode(%s): %v", raw, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s differs:\n%s", raw, diff)
		}
	})
}

func TestNativeNumbers(t *testing.T) {
	type inner struct{ V any }
	type outer struct {
		inner
		A    any
		List []any
		Map  map[string]any
		Deep map[string][]inner
		P    *inner
		Nil  *inner
		Text string
	}
	v := outer{
		inner: inner{json.Number("1")}, A: []any{json.Number("2"), map[string]any{"x": json.Number("2.5")}},
		List: []any{json.Number("18446744073709551615")}, Map: map[string]any{"k": json.Number("-3")},
		Deep: map[string][]inner{"d": {{json.Number("1e400")}}}, P: &inner{json.Number("4")}, Text: "5",
	}
	nativeNumbers(reflect.ValueOf(&v))
	want := outer{
		inner: inner{json.Number("1")}, A: []any{int64(2), map[string]any{"x": 2.5}},
		List: []any{uint64(math.MaxUint64)}, Map: map[string]any{"k": int64(-3)},
		Deep: map[string][]inner{"d": {{json.Number("1e400")}}}, P: &inner{int64(4)}, Text: "5",
	}
	want.V = v.V // an embedded struct that is not exported may or may not be reachable
	if fmt.Sprint(v.V) != "1" {
		t.Errorf("embedded value = %v", v.V)
	}
	if diff := cmp.Diff(want, v, cmp.AllowUnexported(outer{})); diff != "" {
		t.Errorf("differs:\n%s", diff)
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"table":"t","limit":10.0,"group_by":["a"],"like":{"column":"a","value":1}}`, `{"table":null}`, `{"tabel":1,"tabel":2}`,
		`[]`, `null`, ``, `{`, `{"table":"\ud800"}`, `{"limit":1e999999999}`, `{"types":{"":""}}`, `{"id":-0}`, "{\"table\":\"\xff\"}",
		`{"table":"t","vector":[[[[1]]]]}`, `{"table":"t"} {}`,
	} {
		f.Add([]byte(seed))
	}
	d := newTestDecoder(f, Clamp)
	f.Fuzz(func(t *testing.T, raw []byte) {
		var got queryArgs
		_, err := d.decode(raw, &got)
		if err == nil {
			if got.Table == "" || got.Limit < 0 || got.Limit > 500 {
				t.Errorf("decode(%q) = %+v breaks the rules", raw, got)
			}
			return
		}
		var e *Error
		if !errors.Is(err, errNotObject) && !errors.As(err, &e) {
			t.Errorf("decode(%q) = %#v", raw, err)
		}
		if e != nil {
			if len(e.Error()) > 4096 || strings.ContainsAny(e.Error(), "\n\x00\u202e") {
				t.Errorf("decode(%q) says %q", raw, e.Error())
			}
			if m, err := e.machine(); err != nil || !json.Valid(m) {
				t.Errorf("machine form %s, %v", m, err)
			}
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	d := newTestDecoder(b, Refuse)
	vector := make([]float64, 384)
	for i := range vector {
		vector[i] = 1 / float64(i+3)
	}
	data, err := json.Marshal(vector)
	if err != nil {
		b.Fatal(err)
	}
	for name, raw := range map[string]string{
		"small": `{"table":"orders","filter":"price > 10","group_by":["region"],"limit":10}`, "vector": `{"table":"docs","vector":` + string(data) + `}`,
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				var in queryArgs
				if _, err := d.decode(json.RawMessage(raw), &in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestEncode_DoesNotChangeWhatItIsGiven(t *testing.T) {
	type inner struct {
		List []string `json:"list"`
	}
	shared := &inner{}
	value := map[string]any{"a": []inner{{}}, "b": shared, "c": map[string][]int{"d": nil}, "e": [2][]int{{1}}, "f": (*inner)(nil)}
	got, err := encode(value)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"a":[{"list":[]}],"b":{"list":[]},"c":{"d":[]},"e":[[1],[]],"f":null}`; string(got) != want {
		t.Errorf("encode = %s\nwant     %s", got, want)
	}
	if shared.List != nil || value["a"].([]inner)[0].List != nil || value["c"].(map[string][]int)["d"] != nil {
		t.Error("encode changed its argument")
	}
}

func TestEncode_LeavesOutWhatTagsLeaveOut(t *testing.T) {
	type value struct {
		Empty []int          `json:"empty,omitempty"`
		Zero  []int          `json:"zero,omitzero"`
		Skip  []int          `json:"-"`
		Kept  map[string]int `json:"kept"`
		Raw   json.RawMessage
		lower []int
	}
	got, err := encode(&value{lower: nil, Raw: json.RawMessage(`{"b":1,"a":[]}`)})
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"kept":{},"Raw":{"b":1,"a":[]}}`; string(got) != want {
		t.Errorf("encode = %s, want %s", got, want)
	}
}

func TestEncode_CycleIsAnErrorAndNotTheEnd(t *testing.T) {
	cycle := map[string]any{}
	cycle["self"] = cycle
	if _, err := encode(cycle); err == nil {
		t.Error("a cycle was encoded")
	}
	// With several ways around, looking at all of them would never end.
	maze := map[string]any{}
	maze["left"], maze["right"], maze["both"] = maze, maze, []any{maze, maze, nil}
	if _, err := encode(maze); err == nil {
		t.Error("a cycle of several ways was encoded")
	}
	type node struct {
		Left, Right *node
		Rows        []int
	}
	knot := &node{}
	knot.Left, knot.Right = knot, knot
	if _, err := encode(knot); err == nil {
		t.Error("a cycle of pointers was encoded")
	}
}

func TestWriteJSON_IsWhatParseJSONReads(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw, err := json.Marshal(jsonValue(3).Draw(t, "value"))
		if err != nil {
			t.Fatal(err)
		}
		v, err := parseJSON(raw)
		if err != nil {
			t.Fatal(err)
		}
		var buf bytes.Buffer
		writeJSON(&buf, v)
		if !bytes.Equal(buf.Bytes(), raw) {
			t.Fatalf("%s became %s", raw, buf.Bytes())
		}
	})
}

// evenArgument is an argument type with a rule of its own.
type evenArgument int

func (e *evenArgument) UnmarshalJSON(data []byte) error {
	n, err := strconv.Atoi(string(data))
	if err != nil {
		return err
	}
	switch {
	case n < 0:
		return Errorf(Denied, "%d is not for you", n)
	case n%2 != 0:
		return fmt.Errorf("%d is odd", n)
	}
	*e = evenArgument(n)
	return nil
}

func (evenArgument) JSONSchema() *jsonschema.Schema { return &jsonschema.Schema{Type: "integer"} }

func TestDecode_TypesWithRulesOfTheirOwn(t *testing.T) {
	type args struct {
		Even    evenArgument     `json:"even,omitempty" jsonschema:"an even number"`
		Level   int              `json:"level,omitempty" jsonschema:"a level" enum:"1,2,4"`
		Numbers []float64        `json:"numbers,omitempty" jsonschema:"numbers"`
		Wholes  []int64          `json:"wholes,omitempty" jsonschema:"whole numbers"`
		Objects []likeArgs       `json:"objects,omitempty" jsonschema:"objects"`
		Counts  map[string]int64 `json:"counts,omitempty" jsonschema:"counts"`
		Points  []struct {
			X float32 `json:"x" jsonschema:"x"`
		} `json:"points,omitempty" jsonschema:"points"`
		Lists [][]string `json:"lists,omitempty" jsonschema:"lists"`
		Big   uint64     `json:"big,omitempty" jsonschema:"large"`
		Union any        `json:"union,omitempty" jsonschema:"one of many"`
	}
	typ := reflect.TypeFor[args]()
	s := inferSchema(typ, false)
	s.Properties["union"].AnyOf = []*jsonschema.Schema{{Type: "boolean"}, {Type: "integer", Maximum: ptr(5.0)}, {Type: "object"}, {Type: "array", Items: &jsonschema.Schema{Type: "boolean"}}}
	d, err := newDecoder("do", typ, s, Refuse, false)
	if err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		`{"even":4,"level":2,"big":18446744073709551615}`: "",
		`{"even":3}`:                          "reading the arguments of do: 3 is odd",
		`{"even":-1}`:                         "-1 is not for you",
		`{"level":3}`:                         "level must be 1, 2 or 4, not the number 3",
		`{"numbers":"1"}`:                     `numbers must be a list of numbers, not the text "1"`,
		`{"wholes":"1"}`:                      `wholes must be a list of whole numbers, not the text "1"`,
		`{"wholes":[1,99999999999999999999]}`: "wholes[1] must be a whole number between -9223372036854775808 and 9223372036854775807, got 99999999999999999999",
		`{"counts":{"a":1,"b c":"99999999999999999999"}}`:     `counts["b c"] must be a whole number between -9223372036854775808 and 9223372036854775807, got 99999999999999999999`,
		`{"points":[{"x":1},{"x":1e39}]}`:                     "points[1].x must be a number of 32 bits, got 1e39",
		`{"points":[{"x":1` + strings.Repeat("0", 39) + `}]}`: "points[0].x must be a number of 32 bits, got 1" + strings.Repeat("0", 39),
		`{"objects":{}}`:                             "objects must be a list of objects, not the object {}",
		`{"lists":"a"}`:                              `lists must be a list, not the text "a"`,
		`{"lists":[["a"],"b"]}`:                      `lists[1] must be a list of text, not the text "b"`,
		`{"big":18446744073709551616}`:               "big must be a whole number between 0 and 18446744073709551615, got 18446744073709551616",
		`{"union":"5"}`:                              "",
		`{"union":{"any":[1,null]}}`:                 "",
		`{"union":6}`:                                "union must be at most 5, got 6",
		`{"union":[true,1]}`:                         "union[1] must be true or false, not the number 1",
		`{"union":"x"}`:                              `union must be true or false, a whole number, an object or a list, not the text "x"`,
		`{"union":1.5}`:                              "union must be true or false, a whole number, an object or a list, not the number 1.5",
		`{"union":` + strings.Repeat("9", 401) + `}`: "union must be at most 5, got " + strings.Repeat("9", 77) + "…",
	} {
		got := ""
		if _, err := d.decode(json.RawMessage(args), reflect.New(typ).Interface()); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%.80s: %q, want %q", args, got, want)
		}
	}
}

func TestDecode_ManyNamesAreNotAllListed(t *testing.T) {
	s := &jsonschema.Schema{Type: "object", AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}, Properties: map[string]*jsonschema.Schema{}}
	for i := range 25 {
		s.Properties[fmt.Sprintf("argument_%02d", i)] = &jsonschema.Schema{Type: "string", Description: "a"}
	}
	d, err := newDecoder("do", reflect.TypeFor[struct{}](), s, Refuse, false)
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.decode(json.RawMessage(`{"x":1}`), new(struct{}))
	contains(t, err.Error(), "'argument_19' and 5 more")
}

// With Trim, blanks count only where they can mean something.
func TestDecode_Trim(t *testing.T) {
	type args struct {
		Text   string  `json:"text" jsonschema:"a text"`
		Other  string  `json:"other,omitempty" jsonschema:"a text"`
		Word   string  `json:"word,omitempty" jsonschema:"a word" enum:"read,write"`
		Number int     `json:"number,omitempty" jsonschema:"a number" minimum:"1" maximum:"9" default:"3"`
		Float  float64 `json:"float,omitempty" jsonschema:"a number"`
	}
	typ := reflect.TypeFor[args]()
	tests := []struct {
		args          string
		trim, without any // the arguments, or the code of the refusal
	}{
		{`{"text":" a ","other":" b "}`, args{Text: " a ", Other: " b ", Number: 3}, args{Text: " a ", Other: " b ", Number: 3}},
		{`{"text":"","other":" ","word":"","number":""}`, args{Number: 3}, "invalid_value"},
		{`{"text":"a","word":" read\n","number":" 4 "}`, args{Text: "a", Word: "read", Number: 4}, "invalid_value"},
		{`{"text":"a","number":"x"}`, "wrong_type", "wrong_type"},
		{`{"other":"a"}`, "missing_argument", "missing_argument"},
	}
	for _, test := range tests {
		for _, trim := range []bool{true, false} {
			d, err := newDecoder("do", typ, inferSchema(typ, false), Refuse, trim)
			if err != nil {
				t.Fatal(err)
			}
			var got args
			var result any
			_, err = d.decode(json.RawMessage(test.args), &got)
			var e *Error
			if result = got; errors.As(err, &e) {
				result = e.Code
			}
			want := test.without
			if trim {
				want = test.trim
			}
			if result != want {
				t.Errorf("%s, trim %v: %+v, want %+v", test.args, trim, result, want)
			}
		}
	}
}
