package mcpkit

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
)

// encode writes v as compact JSON: fields in the order of the struct, map keys
// sorted, nil slices and maps as [] and {} at any depth, and < > & as they are.
// It does not change v, nor anything v points to.
func encode(v any) (json.RawMessage, error) {
	if rv := reflect.ValueOf(v); rv.IsValid() && mayHoldNil(rv.Type()) {
		var f filler
		filled, changed := f.fill(rv, 0)
		if f.tooDeep {
			return nil, fmt.Errorf("a value of type %T nests too deep or contains itself", v)
		}
		if changed {
			v = filled.Interface()
		}
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// maxFill bounds how deep a value nests, in Go's terms: a pointer or interface is
// a level, too. What is deeper is a cycle, or nothing that a client could read.
const maxFill = 1000

// filler replaces nil slices and maps by empty ones.
type filler struct {
	// tooDeep ends the walk for good: in a cycle of several ways, going on
	// with the others would take exponential time.
	tooDeep bool
}

// fill returns v with its nil slices and maps replaced by empty ones, and
// whether there were any. It copies what it changes: results often share
// slices and maps with caches and snapshots that other calls are reading.
func (f *filler) fill(v reflect.Value, depth int) (reflect.Value, bool) {
	t := v.Type()
	f.tooDeep = f.tooDeep || depth > maxFill
	if f.tooDeep || !mayHoldNil(t) {
		return v, false
	}
	switch t.Kind() {
	case reflect.Slice:
		if v.IsNil() {
			return reflect.MakeSlice(t, 0, 0), true
		}
		fallthrough
	case reflect.Array:
		if !mayHoldNil(t.Elem()) {
			return v, false
		}
		return f.elements(v, depth)
	case reflect.Map:
		if v.IsNil() {
			return reflect.MakeMap(t), true
		}
		if !mayHoldNil(t.Elem()) {
			return v, false
		}
		return f.entries(v, depth)
	case reflect.Struct:
		return f.fields(v, depth)
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return v, false
		}
		e, changed := f.fill(v.Elem(), depth+1)
		if !changed {
			return v, false
		}
		if t.Kind() == reflect.Interface {
			out := reflect.New(t).Elem()
			out.Set(e)
			return out, true
		}
		out := reflect.New(t.Elem())
		out.Elem().Set(e)
		return out, true
	}
	return v, false
}

func (f *filler) elements(v reflect.Value, depth int) (reflect.Value, bool) {
	var out reflect.Value
	for i := range v.Len() {
		e, changed := f.fill(v.Index(i), depth+1)
		if !changed {
			continue
		}
		if !out.IsValid() {
			out = reflect.New(v.Type()).Elem()
			if v.Kind() == reflect.Slice {
				out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			}
			reflect.Copy(out, v)
		}
		out.Index(i).Set(e)
	}
	if !out.IsValid() {
		return v, false
	}
	return out, true
}

func (f *filler) entries(v reflect.Value, depth int) (reflect.Value, bool) {
	var out reflect.Value
	for it := v.MapRange(); it.Next(); {
		e, changed := f.fill(it.Value(), depth+1)
		if !changed {
			continue
		}
		if !out.IsValid() {
			out = reflect.MakeMapWithSize(v.Type(), v.Len())
			for all := v.MapRange(); all.Next(); {
				out.SetMapIndex(all.Key(), all.Value())
			}
		}
		out.SetMapIndex(it.Key(), e)
	}
	if !out.IsValid() {
		return v, false
	}
	return out, true
}

func (f *filler) fields(v reflect.Value, depth int) (reflect.Value, bool) {
	var out reflect.Value
	t := v.Type()
	for i := range t.NumField() {
		field := t.Field(i)
		if !field.IsExported() {
			continue
		}
		// A nil that omitzero leaves out must stay nil to be left out.
		if omitsZero(field) && v.Field(i).IsZero() {
			continue
		}
		e, changed := f.fill(v.Field(i), depth+1)
		if !changed {
			continue
		}
		if !out.IsValid() {
			out = reflect.New(t).Elem()
			out.Set(v)
		}
		out.Field(i).Set(e)
	}
	if !out.IsValid() {
		return v, false
	}
	return out, true
}

func omitsZero(f reflect.StructField) bool {
	_, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	for options != "" {
		var option string
		if option, options, _ = strings.Cut(options, ","); option == "omitzero" {
			return true
		}
	}
	return false
}

var (
	marshalerType     = reflect.TypeFor[json.Marshaler]()
	textMarshalerType = reflect.TypeFor[encoding.TextMarshaler]()

	holdsNil sync.Map // reflect.Type → bool, the answers of mayHoldNil
)

// mayHoldNil reports whether a value of type t can hold a nil slice or map that
// encoding/json would write as null. Types that write themselves are left alone.
func mayHoldNil(t reflect.Type) bool {
	if known, ok := holdsNil.Load(t); ok {
		return known.(bool)
	}
	answer := findNil(t, map[reflect.Type]bool{})
	holdsNil.Store(t, answer)
	return answer
}

func findNil(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if t.Kind() != reflect.Interface && t.Kind() != reflect.Pointer {
		if p := reflect.PointerTo(t); p.Implements(marshalerType) || p.Implements(textMarshalerType) {
			return false
		}
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Map, reflect.Interface:
		return true
	case reflect.Pointer, reflect.Array:
		return findNil(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && findNil(f.Type, seen) {
				return true
			}
		}
	}
	return false
}
