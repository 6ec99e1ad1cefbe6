package mcpkit

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/quartet-mcp/quartet/mcpkit/nearest"
)

// This file turns the raw arguments of a call into the argument type of its
// tool, in four steps: read the JSON into a tree without losing a digit, check
// the tree against the published schema, bring it into the one form that the
// schema means, and let encoding/json fill the Go value from that. The schema
// is the portable subset, so the checks below are all the keywords there are.

// errNotObject is the one mistake in the arguments that is no tool result but
// a malformed request.
var errNotObject = errors.New("arguments must be an object")

// maxNesting bounds how deep arguments nest.
const maxNesting = 1000

// decoder decodes the arguments of one tool. It is immutable and safe for
// concurrent use.
type decoder struct {
	tool       string
	schema     *jsonschema.Schema
	outOfRange OutOfRange
	trim       bool // as Options.Trim
	patterns   map[string]*regexp.Regexp
	defaults   map[*jsonschema.Schema][]defaultValue // by the schema of the object
	numbers    map[*jsonschema.Schema]reflect.Type   // the Go types that numbers go into
	hasAny     bool                                  // the type holds values of any type
}

// defaultValue is what an absent property is taken as.
type defaultValue struct {
	name  string
	value any
}

// clamped is a number that was brought into its range.
type clamped struct {
	path  string
	given string
	taken string
}

func newDecoder(tool string, t reflect.Type, schema *jsonschema.Schema, r OutOfRange, trim bool) (*decoder, error) {
	d := &decoder{
		tool: tool, schema: schema, outOfRange: r, trim: trim, hasAny: holdsInterface(t, nil),
		patterns: map[string]*regexp.Regexp{}, defaults: map[*jsonschema.Schema][]defaultValue{},
		numbers: map[*jsonschema.Schema]reflect.Type{},
	}
	if err := d.compile(schema); err != nil {
		return nil, err
	}
	d.collectNumbers(t, schema)
	return d, d.collectDefaults(t, schema)
}

// compile compiles the patterns in s and below.
func (d *decoder) compile(s *jsonschema.Schema) error {
	if s == nil {
		return nil
	}
	if s.Pattern != "" && d.patterns[s.Pattern] == nil {
		re, err := regexp.Compile(s.Pattern)
		if err != nil {
			return err
		}
		d.patterns[s.Pattern] = re
	}
	below := append([]*jsonschema.Schema{s.Items, s.AdditionalProperties}, s.AnyOf...)
	for _, p := range s.Properties {
		below = append(below, p)
	}
	for _, b := range below {
		if err := d.compile(b); err != nil {
			return err
		}
	}
	return nil
}

var (
	unmarshalerType     = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// collectNumbers notes which Go types the numbers go into, because these hold
// less than the schema lets through.
func (d *decoder) collectNumbers(t reflect.Type, s *jsonschema.Schema) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if p := reflect.PointerTo(t); s == nil || p.Implements(unmarshalerType) || p.Implements(textUnmarshalerType) {
		return
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		d.collectNumbers(t.Elem(), s.Items)
	case reflect.Map:
		d.collectNumbers(t.Elem(), s.AdditionalProperties)
	case reflect.Struct:
		for _, f := range jsonFields(t) {
			d.collectNumbers(f.Type, s.Properties[f.name])
		}
	default:
		if s.Type == "integer" || s.Type == "number" {
			d.numbers[s] = t
		}
	}
}

// holds reports whether a number fits into the Go type t.
func holds(t reflect.Type, n json.Number) bool {
	var err error
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		_, err = strconv.ParseInt(n.String(), 10, t.Bits())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		_, err = strconv.ParseUint(n.String(), 10, t.Bits())
	case reflect.Float32, reflect.Float64:
		// Embeddings are long: only what could be too large is looked at. The
		// largest float32 has 39 digits.
		if len(n) >= 39 || strings.ContainsAny(n.String(), "eE") {
			_, err = strconv.ParseFloat(n.String(), t.Bits())
		}
	}
	return err == nil
}

// collectDefaults finds the defaults to apply: those of fields that are no
// pointers. A pointer field stays nil when its argument is absent, which is
// how a tool tells the two apart.
func (d *decoder) collectDefaults(t reflect.Type, s *jsonschema.Schema) error {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		if t.Kind() == reflect.Slice && s != nil {
			s = s.Items
		}
		if t.Kind() == reflect.Map && s != nil {
			s = s.AdditionalProperties
		}
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || s == nil || s.Properties == nil {
		return nil
	}
	for _, f := range jsonFields(t) {
		p := s.Properties[f.name]
		if p == nil {
			continue
		}
		if p.Default != nil && f.Type.Kind() != reflect.Pointer {
			v, err := parseJSON(p.Default)
			if err != nil {
				return fmt.Errorf("the default of %s: %w", f.name, err)
			}
			c := check{decoder: d}
			if v, err = c.value(v, p, f.name); err != nil {
				return fmt.Errorf("the default of %s: %w", f.name, err)
			}
			d.defaults[s] = append(d.defaults[s], defaultValue{f.name, v})
		}
		if err := d.collectDefaults(f.Type, p); err != nil {
			return err
		}
	}
	return nil
}

// decode fills into, a pointer to the argument type, from raw. The error is
// [errNotObject], or an *Error on the first mistake found.
func (d *decoder) decode(raw json.RawMessage, into any) ([]clamped, error) {
	tree, err := parseArguments(d.tool, raw)
	if err != nil {
		return nil, err
	}
	c := check{decoder: d}
	v, err := c.value(tree, d.schema, "")
	if err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	writeJSON(&buf, v)
	dec := json.NewDecoder(&buf)
	dec.UseNumber()
	if err := dec.Decode(into); err != nil {
		return nil, d.misfit(err)
	}
	if d.hasAny {
		nativeNumbers(reflect.ValueOf(into))
	}
	return c.clamped, nil
}

// misfit explains a value that fits the schema but not the Go type, whose rules
// its own UnmarshalJSON may have.
func (d *decoder) misfit(err error) error {
	var te *json.UnmarshalTypeError
	if !errors.As(err, &te) {
		var e *Error
		if errors.As(err, &e) {
			return e
		}
		return &Error{Kind: InvalidArgument, Code: "invalid_value", Message: fmt.Sprintf("reading the arguments of %s: %v", d.tool, err), Err: err}
	}
	return tooLarge(te.Field, te.Type, strings.TrimPrefix(te.Value, "number "))
}

// tooLarge is the error of a number that its Go type does not hold.
func tooLarge(path string, t reflect.Type, given string) *Error {
	var want string
	switch bits := t.Bits; t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		want = fmt.Sprintf("a whole number between %d and %d", int64(-1)<<(bits()-1), int64(1)<<(bits()-1)-1)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		want = fmt.Sprintf("a whole number between 0 and %d", ^uint64(0)>>(64-bits()))
	case reflect.Float32:
		want = "a number of 32 bits"
	default:
		want = "a number of 64 bits"
	}
	return &Error{
		Kind: InvalidArgument, Code: "out_of_range", Field: path,
		Message: fmt.Sprintf("%s must be %s, got %s", path, want, Untrusted(given)),
	}
}

// object is a JSON object in the order in which it came.
type object struct {
	keys   []string
	values map[string]any
}

// duplicateKey is the error of a key that comes twice in one object. The steps
// to it are collected on the way out, innermost first: an object key or an index.
type duplicateKey struct{ steps []any }

func (e *duplicateKey) Error() string { return e.path() + " comes twice" }

func (e *duplicateKey) path() string {
	path := ""
	for _, step := range slices.Backward(e.steps) {
		switch step := step.(type) {
		case string:
			path = join(path, step)
		case int:
			path = index(path, step)
		}
	}
	return path
}

// within notes the step that led to an error.
func within(step any, err error) error {
	var dup *duplicateKey
	if errors.As(err, &dup) {
		dup.steps = append(dup.steps, step)
	}
	return err
}

// parseArguments reads raw arguments. Absent and null mean none.
func parseArguments(tool string, raw json.RawMessage) (*object, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		return &object{}, nil
	}
	if raw[0] != '{' {
		return nil, errNotObject
	}
	v, err := parseJSON(raw)
	var dup *duplicateKey
	if errors.As(err, &dup) {
		// Which of the two is meant cannot be known, and whoever looked at the
		// call before may have taken the other one.
		at := dup.path()
		return nil, &Error{
			Kind: InvalidArgument, Code: "duplicate_argument", Field: at,
			Message: fmt.Sprintf("%s was given '%s' twice", tool, at), Fix: "give it once",
		}
	}
	if err != nil {
		return nil, &Error{Kind: InvalidArgument, Code: "invalid_value", Message: fmt.Sprintf("reading the arguments of %s: %v", tool, err)}
	}
	return v.(*object), nil
}

// parseJSON reads one JSON value into *object, []any, string, json.Number,
// bool and nil.
func parseJSON(data []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	v, err := parseValue(dec, 0)
	if err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("there is more than one JSON value")
	}
	return v, nil
}

func parseValue(dec *json.Decoder, depth int) (any, error) {
	if depth > maxNesting {
		return nil, fmt.Errorf("nested more than %d deep", maxNesting)
	}
	tok, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch tok {
	case json.Delim('{'):
		o := &object{values: map[string]any{}}
		for dec.More() {
			tok, err := dec.Token()
			if err != nil {
				return nil, err
			}
			key := tok.(string)
			if _, ok := o.values[key]; ok {
				return nil, &duplicateKey{[]any{key}}
			}
			v, err := parseValue(dec, depth+1)
			if err != nil {
				return nil, within(key, err)
			}
			o.keys = append(o.keys, key)
			o.values[key] = v
		}
		_, err := dec.Token()
		return o, err
	case json.Delim('['):
		list := []any{}
		for i := 0; dec.More(); i++ {
			v, err := parseValue(dec, depth+1)
			if err != nil {
				return nil, within(i, err)
			}
			list = append(list, v)
		}
		_, err := dec.Token()
		return list, err
	}
	return tok, nil
}

// isPlainName reports whether a name can stand behind a dot: a letter or _, then
// letters, numbers and _. A regular expression of these classes would cost a
// millisecond at every start of the process.
func isPlainName(s string) bool {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsNumber(r)) {
			return false
		}
	}
	return s != ""
}

// join and index extend the path that names a place in the arguments:
// "types.day", `types["unit price"]`, "group_by[1]".
func join(path, key string) string {
	key = Untrusted(key).String()
	switch {
	case path == "":
		return key
	case isPlainName(key):
		return path + "." + key
	}
	return fmt.Sprintf("%s[%q]", path, key)
}

func index(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// writeJSON writes what parseJSON reads.
func writeJSON(buf *bytes.Buffer, v any) {
	switch v := v.(type) {
	case *object:
		buf.WriteByte('{')
		for i, key := range v.keys {
			if i > 0 {
				buf.WriteByte(',')
			}
			writeJSON(buf, key)
			buf.WriteByte(':')
			writeJSON(buf, v.values[key])
		}
		buf.WriteByte('}')
	case []any:
		buf.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				buf.WriteByte(',')
			}
			writeJSON(buf, e)
		}
		buf.WriteByte(']')
	case json.Number:
		buf.WriteString(v.String())
	default:
		data, _ := json.Marshal(v) // a string, a bool or nil: cannot fail
		buf.Write(data)
	}
}

// check is one pass over the arguments of one call.
type check struct {
	*decoder
	clamped []clamped
}

func (c *check) fail(code, path, fix, format string, args ...any) *Error {
	return &Error{Kind: InvalidArgument, Code: code, Field: path, Message: fmt.Sprintf(format, args...), Fix: fix}
}

// value checks v against s and returns it in the form that s means.
func (c *check) value(v any, s *jsonschema.Schema, path string) (any, error) {
	if s.AnyOf != nil {
		return c.union(v, s, path)
	}
	switch s.Type {
	case "object":
		if o, ok := v.(*object); ok {
			return c.object(o, s, path)
		}
	case "array":
		if list, ok := v.([]any); ok {
			return c.array(list, s, path)
		}
	case "string":
		if text, ok := v.(string); ok {
			return text, c.text(text, s, path)
		}
	case "integer":
		if n, ok := wholeNumber(v); ok {
			return c.number(n, s, path)
		}
	case "number":
		if n, ok := v.(json.Number); ok {
			return c.number(n, s, path)
		}
	case "boolean":
		if b, ok := v.(bool); ok {
			return b, c.oneOf(b, s, path)
		}
	case "null":
		if v == nil {
			return nil, nil
		}
	}
	return nil, c.wrongType(v, s, path)
}

func (c *check) wrongType(v any, s *jsonschema.Schema, path string) *Error {
	e := c.fail("wrong_type", path, "", "%s must be %s, not %s", path, typeWords(s), valueWords(v))
	e.Data = map[string]any{"expected": typeWords(s)}
	return e
}

// union takes the first branch that fits. When none does, the mistake is that
// of the one branch with the JSON type of v, if there is one.
func (c *check) union(v any, s *jsonschema.Schema, path string) (any, error) {
	var near error
	for _, exact := range []bool{true, false} { // "10" is a text before it is a number
		for _, branch := range s.AnyOf {
			if exact != sameType(v, branch) {
				continue
			}
			mark := len(c.clamped)
			got, err := c.value(v, branch, path)
			if err == nil {
				return got, nil
			}
			c.clamped = c.clamped[:mark]
			if exact && near == nil {
				near = err
			}
		}
	}
	if near != nil {
		return nil, near
	}
	return nil, c.wrongType(v, s, path)
}

// sameType reports whether v has the JSON type of s, without any leniency.
func sameType(v any, s *jsonschema.Schema) bool {
	switch v := v.(type) {
	case *object:
		return s.Type == "object"
	case []any:
		return s.Type == "array"
	case string:
		return s.Type == "string"
	case bool:
		return s.Type == "boolean"
	case json.Number:
		_, whole := wholeNumber(v)
		return s.Type == "number" || s.Type == "integer" && whole
	}
	return s.Type == "null"
}

// object checks in the order in which a caller repairs: names that do not
// exist, names that are missing, then the values.
func (c *check) object(o *object, s *jsonschema.Schema, path string) (any, error) {
	closed := isFalse(s.AdditionalProperties)
	if closed {
		for _, key := range o.keys {
			if s.Properties[key] == nil {
				return nil, c.unknown(o, key, s, path)
			}
		}
	}
	given := func(name string) bool { return o.values[name] != nil }
	var missing []string
	for _, name := range s.Required {
		if !given(name) && !nullFits(o, name, s) {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return nil, c.missing(missing, s, path)
	}

	out := &object{values: make(map[string]any, len(o.keys))}
	set := func(key string, v any) {
		out.keys = append(out.keys, key)
		out.values[key] = v
	}
	for _, key := range o.keys {
		v := o.values[key]
		at := join(path, key)
		p := s.Properties[key]
		switch {
		case p == nil && s.AdditionalProperties == nil: // an open object
			set(key, v)
			continue
		case p == nil:
			p = s.AdditionalProperties
		case v == nil && !nullFits(o, key, s): // a null argument is an absent one
			continue
		}
		if text, ok := v.(string); ok && c.trim {
			bare := strings.TrimSpace(text)
			if bare == "" && !slices.Contains(s.Required, key) {
				continue
			}
			if p.Type != "string" || p.Enum != nil {
				v = bare
			}
		}
		got, err := c.value(v, p, at)
		if err != nil {
			return nil, err
		}
		set(key, got)
	}
	for _, d := range c.defaults[s] {
		if _, ok := out.values[d.name]; !ok {
			set(d.name, d.value)
		}
	}
	if n := len(o.keys); s.MinProperties != nil && n < *s.MinProperties {
		return nil, c.fail("invalid_value", path, "", "%s must have at least %s, got %d", c.place(path), plural(*s.MinProperties, "field"), n)
	} else if s.MaxProperties != nil && n > *s.MaxProperties {
		return nil, c.fail("invalid_value", path, "", "%s must have at most %s, got %d", c.place(path), plural(*s.MaxProperties, "field"), n)
	}
	return out, nil
}

// nullFits reports whether the property is there as a null that its schema
// takes for a value.
func nullFits(o *object, name string, s *jsonschema.Schema) bool {
	v, there := o.values[name]
	p := s.Properties[name]
	return there && v == nil && p != nil &&
		(p.Type == "null" || slices.ContainsFunc(p.AnyOf, func(b *jsonschema.Schema) bool { return b.Type == "null" }))
}

// place is what a message calls the object at path: the tool at the root.
func (c *check) place(path string) string {
	if path == "" {
		return c.tool
	}
	return path
}

// names lists the properties of s in the order in which they are published.
func names(s *jsonschema.Schema) []string {
	var list []string
	for _, name := range s.PropertyOrder {
		if s.Properties[name] != nil && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	var rest []string
	for name := range s.Properties {
		if !slices.Contains(list, name) {
			rest = append(rest, name)
		}
	}
	slices.Sort(rest)
	return append(list, rest...)
}

// maxNames is how many names a message lists.
const maxNames = 20

func (c *check) unknown(o *object, key string, s *jsonschema.Schema, path string) *Error {
	word := "argument"
	if path != "" {
		word = "field"
	}
	known := names(s)
	free := slices.DeleteFunc(slices.Clone(known), func(name string) bool { _, ok := o.values[name]; return ok })
	near := nearest.Find(key, free, 3)
	if near == nil {
		// A required name that is missing is what an unknown one stands for,
		// when there is no doubt which: 'file' for 'path'.
		var missing []string
		for _, name := range s.Required {
			if o.values[name] == nil {
				missing = append(missing, name)
			}
		}
		if len(missing) == 1 {
			near = missing
		}
	}
	e := c.fail("unknown_argument", join(path, key), "", "%s has no %s '%s'", c.place(path), word, Untrusted(key))
	e.Data = map[string]any{"known": known}
	switch {
	case near != nil:
		e.Fix = fmt.Sprintf("did you mean '%s'%s?", near[0], unseen(key, near[0]))
		e.Data["candidates"] = near
	case len(known) == 0:
		e.Fix = "it takes none"
		e.Data["known"] = []string{}
	default:
		e.Fix = fmt.Sprintf("its %ss are %s", word, listWords(quoted(known), "and"))
	}
	return e
}

func (c *check) missing(missing []string, s *jsonschema.Schema, path string) *Error {
	word := "argument"
	if path != "" {
		word = "field"
	}
	if len(missing) > 1 {
		word += "s"
	}
	fix := ""
	if len(missing) == 1 {
		fix = "give it as " + typeWords(s.Properties[missing[0]])
	}
	e := c.fail("missing_argument", join(path, missing[0]), fix, "%s needs the %s %s", c.place(path), word, listWords(quoted(missing), "and"))
	e.Data = map[string]any{"missing": missing}
	return e
}

func (c *check) array(list []any, s *jsonschema.Schema, path string) (any, error) {
	if s.MinItems != nil && len(list) < *s.MinItems {
		return nil, c.fail("invalid_value", path, "", "%s must have at least %s, got %d", path, plural(*s.MinItems, "entry"), len(list))
	}
	if s.MaxItems != nil && len(list) > *s.MaxItems {
		return nil, c.fail("invalid_value", path, "", "%s must have at most %s, got %d", path, plural(*s.MaxItems, "entry"), len(list))
	}
	out := make([]any, len(list))
	seen := map[string]int{}
	for i, v := range list {
		got, err := c.value(v, s.Items, index(path, i))
		if err != nil {
			return nil, err
		}
		out[i] = got
		if s.UniqueItems {
			var buf bytes.Buffer
			writeJSON(&buf, got)
			if first, dup := seen[buf.String()]; dup {
				return nil, c.fail("invalid_value", index(path, i), "give it once", "%s repeats %s", index(path, i), index(path, first))
			}
			seen[buf.String()] = i
		}
	}
	return out, nil
}

func (c *check) text(text string, s *jsonschema.Schema, path string) error {
	n := utf8.RuneCountInString(text)
	switch {
	case s.MinLength != nil && n < *s.MinLength && n == 0:
		return c.fail("invalid_value", path, "", "%s must not be empty", path)
	case s.MinLength != nil && n < *s.MinLength:
		return c.fail("invalid_value", path, "", "%s must have at least %s, got %d", path, plural(*s.MinLength, "character"), n)
	case s.MaxLength != nil && n > *s.MaxLength:
		return c.fail("invalid_value", path, "", "%s must have at most %s, got %d", path, plural(*s.MaxLength, "character"), n)
	case s.Pattern != "" && !c.patterns[s.Pattern].MatchString(text):
		return c.fail("invalid_value", path, "", "%s must match %s, got %q", path, s.Pattern, Untrusted(text))
	}
	return c.oneOf(text, s, path)
}

// oneOf checks enum and const.
func (c *check) oneOf(v any, s *jsonschema.Schema, path string) error {
	allowed := s.Enum
	if s.Const != nil {
		allowed = []any{*s.Const}
	}
	if allowed == nil || slices.ContainsFunc(allowed, func(a any) bool { return equalScalar(a, v) }) {
		return nil
	}
	var words, texts []string
	for _, a := range allowed {
		if text, ok := a.(string); ok {
			texts = append(texts, text)
			words = append(words, strconv.Quote(text))
		} else {
			words = append(words, fmt.Sprint(a))
		}
	}
	fix := ""
	if text, ok := v.(string); ok {
		if near := nearest.Best(text, texts); near != "" {
			fix = fmt.Sprintf("did you mean %q%s?", near, unseen(text, near))
		}
	}
	e := c.fail("invalid_value", path, fix, "%s must be %s, not %s", path, listWords(words, "or"), valueWords(v))
	e.Data = map[string]any{"allowed": allowed}
	return e
}

// equalScalar compares a value of a schema with one of the arguments.
func equalScalar(a, v any) bool {
	n, ok := v.(json.Number)
	if !ok {
		return a == v
	}
	x, ok1 := rational(fmt.Sprint(a))
	y, ok2 := rational(n.String())
	return ok1 && ok2 && x.Cmp(y) == 0
}

func (c *check) number(n json.Number, s *jsonschema.Schema, path string) (any, error) {
	v, err := c.rules(n, s, path)
	if err != nil {
		return nil, err
	}
	if t := c.numbers[s]; t != nil && !holds(t, v) {
		return nil, tooLarge(path, t, v.String())
	}
	return v, nil
}

// rules checks a number against s and returns it, or what it is taken as.
func (c *check) rules(n json.Number, s *jsonschema.Schema, path string) (json.Number, error) {
	if s.Minimum == nil && s.Maximum == nil && s.ExclusiveMinimum == nil && s.ExclusiveMaximum == nil &&
		s.MultipleOf == nil && s.Enum == nil && s.Const == nil {
		return n, nil // embeddings are long, and exact arithmetic is slow
	}
	if clearlyInside(n, s) {
		return n, c.oneOf(n, s, path)
	}
	given := Untrusted(n).String()
	below, above, known := compareRange(n, s)
	if !known { // larger than any bound could be: the sign decides
		below, above = s.Minimum != nil && n[0] == '-', s.Maximum != nil && n[0] != '-'
	}
	switch {
	case below && c.outOfRange == Clamp:
		n = c.clamp(path, given, *s.Minimum)
	case above && c.outOfRange == Clamp:
		n = c.clamp(path, given, *s.Maximum)
	case above && c.outOfRange == Cap:
		n = json.Number(formatBound(*s.Maximum))
	case below || above:
		return "", c.outside(path, given, s)
	}
	x, ok := rational(n.String())
	if ok && (s.ExclusiveMinimum != nil && x.Cmp(exact(*s.ExclusiveMinimum)) <= 0 || s.ExclusiveMaximum != nil && x.Cmp(exact(*s.ExclusiveMaximum)) >= 0) {
		return "", c.outside(path, given, s)
	}
	if ok && s.MultipleOf != nil && *s.MultipleOf > 0 {
		if !new(big.Rat).Quo(x, exact(*s.MultipleOf)).IsInt() {
			return "", c.fail("invalid_value", path, "", "%s must be a multiple of %s, got %s", path, formatBound(*s.MultipleOf), given)
		}
	}
	return n, c.oneOf(n, s, path)
}

// clearlyInside reports whether n is in the range of s, without exact arithmetic:
// rounding keeps the order, so what is strictly inside as a float64 is inside.
// It says no when it cannot tell.
func clearlyInside(n json.Number, s *jsonschema.Schema) bool {
	f, err := n.Float64()
	above := func(bound *float64) bool { return bound == nil || f > *bound }
	below := func(bound *float64) bool { return bound == nil || f < *bound }
	return err == nil && s.MultipleOf == nil && above(s.Minimum) && above(s.ExclusiveMinimum) && below(s.Maximum) && below(s.ExclusiveMaximum)
}

// clamp takes a bound in place of the number given, and notes it.
func (c *check) clamp(path, given string, bound float64) json.Number {
	taken := formatBound(bound)
	c.clamped = append(c.clamped, clamped{path, given, taken})
	return json.Number(taken)
}

func (c *check) outside(path, given string, s *jsonschema.Schema) *Error {
	var low, high string
	if s.Minimum != nil {
		low = "at least " + formatBound(*s.Minimum)
	} else if s.ExclusiveMinimum != nil {
		low = "above " + formatBound(*s.ExclusiveMinimum)
	}
	if s.Maximum != nil {
		high = "at most " + formatBound(*s.Maximum)
	} else if s.ExclusiveMaximum != nil {
		high = "below " + formatBound(*s.ExclusiveMaximum)
	}
	rule := low + high
	if low != "" && high != "" {
		rule = low + " and " + high
		if s.Minimum != nil && s.Maximum != nil {
			rule = "between " + formatBound(*s.Minimum) + " and " + formatBound(*s.Maximum)
		}
	}
	e := c.fail("out_of_range", path, "", "%s must be %s, got %s", path, rule, given)
	e.Data = map[string]any{}
	if s.Minimum != nil {
		e.Data["minimum"] = json.RawMessage(formatBound(*s.Minimum))
	}
	if s.Maximum != nil {
		e.Data["maximum"] = json.RawMessage(formatBound(*s.Maximum))
	}
	return e
}

// formatBound writes a bound of a schema as a person would.
func formatBound(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e21 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// compareRange compares n with the minimum and maximum of s. It is not known
// when n has more digits than are worth counting.
func compareRange(n json.Number, s *jsonschema.Schema) (below, above, known bool) {
	x, ok := rational(n.String())
	if !ok {
		return false, false, false
	}
	below = s.Minimum != nil && x.Cmp(exact(*s.Minimum)) < 0
	above = s.Maximum != nil && x.Cmp(exact(*s.Maximum)) > 0
	return below, above, true
}

// exact is the value of a bound in decimal, as a reader of the schema takes it:
// 0.1 is one tenth, and not the float64 next to it.
func exact(f float64) *big.Rat {
	if r, ok := rational(strconv.FormatFloat(f, 'g', -1, 64)); ok {
		return r
	}
	return new(big.Rat)
}

// maxDigits bounds the digits and the exponent of the numbers that are
// computed with exactly; a float64 has 309 digits at most. Without it the nine
// characters 1e9999999 would cost gigabytes.
const maxDigits = 400

// rational is the exact value of a JSON number.
func rational(n string) (*big.Rat, bool) {
	mantissa, exp, _ := strings.Cut(strings.ToLower(n), "e")
	if len(mantissa) > maxDigits {
		return nil, false
	}
	if exp != "" {
		if e, err := strconv.Atoi(exp); err != nil || e > maxDigits || e < -maxDigits {
			return nil, false
		}
	}
	return new(big.Rat).SetString(n)
}

// textNumber is a text that is taken for a whole number.
var textNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.0+)?$`)

// wholeNumber returns v as a whole number in plain digits: 10, 10.0, 1e1 and
// "10" are all 10.
func wholeNumber(v any) (json.Number, bool) {
	var n string
	switch v := v.(type) {
	case json.Number:
		n = v.String()
	case string:
		if len(v) > maxDigits || !textNumber.MatchString(v) {
			return "", false
		}
		n = v
	default:
		return "", false
	}
	if !strings.ContainsAny(n, ".eE") && n != "-0" {
		return json.Number(n), true
	}
	x, ok := rational(n)
	if !ok || !x.IsInt() {
		return "", false
	}
	return json.Number(x.Num().String()), true
}

// typeWords says what a schema wants.
func typeWords(s *jsonschema.Schema) string {
	if s == nil {
		return "a value"
	}
	if s.AnyOf != nil {
		var words []string
		for _, b := range s.AnyOf {
			words = append(words, typeWords(b))
		}
		return listWords(words, "or")
	}
	switch s.Type {
	case "string":
		return "text"
	case "integer":
		return "a whole number"
	case "number":
		return "a number"
	case "boolean":
		return "true or false"
	case "object":
		return "an object"
	case "array":
		switch s.Items.Type {
		case "string":
			return "a list of text"
		case "integer":
			return "a list of whole numbers"
		case "number":
			return "a list of numbers"
		case "object":
			return "a list of objects"
		}
		return "a list"
	}
	return s.Type
}

// valueWords shows a value of the arguments in prose.
func valueWords(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case string:
		return fmt.Sprintf("the text %q", Untrusted(v))
	case json.Number:
		return "the number " + Untrusted(v).String()
	}
	word := "the object "
	if _, ok := v.([]any); ok {
		word = "the list "
	}
	var buf bytes.Buffer
	writeJSON(&buf, v)
	return word + Untrusted(buf.String()).String()
}

// listWords writes "a, b and c", at most maxNames of them.
func listWords(words []string, conjunction string) string {
	if n := len(words); n > maxNames {
		return fmt.Sprintf("%s and %d more", strings.Join(words[:maxNames], ", "), n-maxNames)
	}
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " " + conjunction + " " + words[n-1]
	}
	return strings.Join(words, "")
}

// unseen completes a suggestion that looks like what was given: prose shows
// neither of them with the spaces and characters in which they differ.
func unseen(given, near string) string {
	if Untrusted(given).String() != Untrusted(near).String() {
		return ""
	}
	return ", without spaces around it and characters that do not show"
}

func quoted(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = "'" + name + "'"
	}
	return out
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	if strings.HasSuffix(word, "y") {
		word = strings.TrimSuffix(word, "y") + "ie"
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// holdsInterface reports whether a value of type t can hold values of any type.
func holdsInterface(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	if seen == nil {
		seen = map[reflect.Type]bool{}
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return holdsInterface(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() || f.Anonymous {
				if holdsInterface(f.Type, seen) {
					return true
				}
			}
		}
	}
	return false
}

// nativeNumbers replaces the json.Numbers that v holds in values of any type:
// whole numbers by int64 or uint64, others by float64. Whole numbers beyond 64
// bits and numbers beyond a float64 stay json.Numbers. v is reached through a
// pointer.
func nativeNumbers(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			nativeNumbers(v.Elem())
		}
	case reflect.Interface:
		if !v.IsNil() && v.CanSet() && v.NumMethod() == 0 {
			v.Set(reflect.ValueOf(nativeValue(v.Interface())))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() || v.Type().Field(i).Anonymous {
				nativeNumbers(f)
			}
		}
	case reflect.Slice, reflect.Array:
		if holdsInterface(v.Type().Elem(), nil) {
			for i := range v.Len() {
				nativeNumbers(v.Index(i))
			}
		}
	case reflect.Map:
		if !holdsInterface(v.Type().Elem(), nil) {
			return
		}
		for _, key := range v.MapKeys() {
			e := reflect.New(v.Type().Elem()).Elem()
			e.Set(v.MapIndex(key))
			nativeNumbers(e)
			v.SetMapIndex(key, e)
		}
	}
}

func nativeValue(v any) any {
	switch v := v.(type) {
	case json.Number:
		return nativeNumber(v)
	case []any:
		for i := range v {
			v[i] = nativeValue(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = nativeValue(v[key])
		}
	}
	return v
}

func nativeNumber(n json.Number) any {
	if whole, ok := wholeNumber(n); ok {
		if i, err := strconv.ParseInt(whole.String(), 10, 64); err == nil {
			return i
		}
		if u, err := strconv.ParseUint(whole.String(), 10, 64); err == nil {
			return u
		}
		if !strings.ContainsAny(n.String(), ".eE") {
			return n // digits that no type holds
		}
	}
	f, err := strconv.ParseFloat(n.String(), 64)
	if err != nil {
		return n
	}
	return f
}
