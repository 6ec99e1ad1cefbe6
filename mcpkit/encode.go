package mcpkit

import (
	"bytes"
	"encoding"
	"encoding/json"
	"reflect"
	"strings"
	"sync"
)

// encode writes v as compact JSON: fields in the order of the struct, map keys
// sorted, nil slices and maps as [] and {} at any depth, and < > & as they are.
// It does not change v, nor anything v points to.
func encode(v any) (json.RawMessage, error) {
	if rv := reflect.ValueOf(v); rv.IsValid() && mayHoldNil(rv.Type()) {
		if filled, changed := fillNil(rv, 0); changed {
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

// maxFill bounds how deep fillNil looks; encoding/json reports deeper values,
// which are cycles.
const maxFill = 1000

// fillNil returns v with its nil slices and maps replaced by empty ones, and
// whether there were any. It copies what it changes: results often share
// slices and maps with caches and snapshots that other calls are reading.
func fillNil(v reflect.Value, depth int) (reflect.Value, bool) {
	t := v.Type()
	if depth > maxFill || !mayHoldNil(t) {
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
		return fillElements(v, depth)
	case reflect.Map:
		if v.IsNil() {
			return reflect.MakeMap(t), true
		}
		if !mayHoldNil(t.Elem()) {
			return v, false
		}
		return fillMap(v, depth)
	case reflect.Struct:
		return fillStruct(v, depth)
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return v, false
		}
		e, changed := fillNil(v.Elem(), depth+1)
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

func fillElements(v reflect.Value, depth int) (reflect.Value, bool) {
	var out reflect.Value
	for i := range v.Len() {
		e, changed := fillNil(v.Index(i), depth+1)
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

func fillMap(v reflect.Value, depth int) (reflect.Value, bool) {
	var out reflect.Value
	for it := v.MapRange(); it.Next(); {
		e, changed := fillNil(it.Value(), depth+1)
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

func fillStruct(v reflect.Value, depth int) (reflect.Value, bool) {
	var out reflect.Value
	t := v.Type()
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() {
			continue
		}
		// A nil that omitzero leaves out must stay nil to be left out.
		if omitsZero(f) && v.Field(i).IsZero() {
			continue
		}
		e, changed := fillNil(v.Field(i), depth+1)
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
