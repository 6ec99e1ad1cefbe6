// Package schematest writes schemas and findings down as text, for tests that compare
// what was read with what was expected.
package schematest

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// Dump writes everything that a schema holds but where it was declared: a line for each
// object, in the order of the model, the parts of an object indented below it. What is
// zero is left out; an empty list that is not nil is zero as well. The form follows the
// model by reflection, so that no field is ever forgotten:
//
//	table "orders" Comment="One row per order"
//	  column "total" Type="NUMERIC(12,2)" NotNull Default={Literal Text="0"}
func Dump(db *schema.Database) string { return write(db, false) }

// DumpPlaced is [Dump] with the place of each object behind it: # orders.yaml:3.
func DumpPlaced(db *schema.Database) string { return write(db, true) }

// Findings writes the problems and warnings of a report, a line for each.
func Findings(rep *finding.Report) string {
	var b strings.Builder
	for _, p := range rep.Problems() {
		fmt.Fprintf(&b, "%s %s\n", p.Kind, p)
	}
	for _, w := range rep.Warnings() {
		for _, line := range w.Objects {
			fmt.Fprintf(&b, "warning %s: %s\n", w.Category, line)
		}
	}
	return b.String()
}

func write(db *schema.Database, places bool) string {
	d := dumper{places: places}
	v := reflect.ValueOf(db).Elem()
	if head := d.inline(v); head != "" {
		d.b.WriteString("database " + head + "\n")
	}
	d.objects(v, "")
	return d.b.String()
}

type dumper struct {
	b      strings.Builder
	places bool
}

var (
	nameType   = reflect.TypeFor[schema.Name]()
	typeType   = reflect.TypeFor[schema.Type]()
	originType = reflect.TypeFor[schema.Origin]()
)

// isObject reports whether values of a type have lines of their own: pointers to what
// has a place.
func isObject(t reflect.Type) bool {
	if t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct {
		return false
	}
	_, ok := t.Elem().FieldByName("Origin")
	return ok
}

// objects writes the objects that a struct holds, each with its own below it.
func (d *dumper) objects(v reflect.Value, indent string) {
	for i := range v.NumField() {
		f := v.Field(i)
		switch {
		case isObject(f.Type()) && !f.IsNil():
			d.object(f.Elem(), indent)
		case f.Kind() == reflect.Slice && isObject(f.Type().Elem()):
			for j := range f.Len() {
				d.object(f.Index(j).Elem(), indent)
			}
		}
	}
}

func (d *dumper) object(v reflect.Value, indent string) {
	d.b.WriteString(indent + strings.ToLower(v.Type().Name()))
	if text := d.inline(v); text != "" {
		d.b.WriteString(" " + text)
	}
	if o := v.FieldByName("Origin").Interface().(schema.Origin); d.places && o != (schema.Origin{}) {
		d.b.WriteString(" # " + o.String())
	}
	d.b.WriteByte('\n')
	d.objects(v, indent+"  ")
}

// inline writes the fields of a struct that are no objects: its name first and alone.
func (d *dumper) inline(v reflect.Value) string {
	var parts []string
	for i := range v.NumField() {
		field, f := v.Type().Field(i), v.Field(i)
		if f.Type() == originType || isObject(f.Type()) || f.Kind() == reflect.Slice && isObject(f.Type().Elem()) {
			continue
		}
		if f.Kind() == reflect.Slice && f.Len() == 0 || f.IsZero() {
			continue
		}
		switch {
		case field.Name == "Name":
			parts = append([]string{d.value(f)}, parts...)
		case f.Kind() == reflect.Bool:
			parts = append(parts, field.Name)
		case field.Anonymous && f.Type() != nameType:
			parts = append(parts, d.inline(f))
		default:
			parts = append(parts, field.Name+"="+d.value(f))
		}
	}
	return strings.Join(parts, " ")
}

func (d *dumper) value(v reflect.Value) string {
	switch v.Type() {
	case nameType:
		return fmt.Sprintf("%q", v.Interface().(schema.Name).String())
	case typeType:
		t := v.Interface().(schema.Type)
		if t.Native {
			return fmt.Sprintf("native:%q", t.Text)
		}
		return fmt.Sprintf("%q", t.Text)
	}
	switch v.Kind() {
	case reflect.Pointer:
		return d.value(v.Elem())
	case reflect.Struct:
		return "{" + d.inline(v) + "}"
	case reflect.Slice:
		list := make([]string, v.Len())
		for i := range list {
			list[i] = d.value(v.Index(i))
		}
		return "[" + strings.Join(list, " ") + "]"
	case reflect.String:
		return fmt.Sprintf("%q", v.String())
	}
	return fmt.Sprint(v.Interface())
}
