package arrow

import (
	"fmt"
	"strings"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/input"
)

// Limits on the schema, which bound the work that a small file can ask for.
const (
	maxFields = 65_536 // fields of all levels
	maxDepth  = 64     // levels of nesting
)

// typeID is the format's own number for a type.
type typeID uint8

const (
	nullType typeID = iota + 1
	intType
	floatType
	binaryType
	utf8Type
	boolType
	decimalType
	dateType
	timeType
	timestampType
	intervalType
	listType
	structType
	unionType
	fixedBinaryType
	fixedListType
	mapType
	durationType
	largeBinaryType
	largeUtf8Type
	largeListType
	runEndType
	binaryViewType
	utf8ViewType
	listViewType
	largeListViewType
)

// Units of time, dates, timestamps and durations.
const (
	seconds uint8 = iota
	millis
	micros
	nanos
	days // of a date
)

// field is a column, or a part of one, as the schema describes it.
type field struct {
	name   string
	typ    typeID
	bits   int  // width of an int, float, decimal or time
	signed bool // of an int
	unit   uint8
	zone   bool // a timestamp with a time zone, which the format stores in UTC
	scale  int  // of a decimal
	size   int  // bytes of a fixed-size binary, values of a fixed-size list
	dense  bool // of a union
	kids   []*field
	dict   *encoding // the field is stored as indices into a dictionary
	ext    string    // name of the extension type
}

// encoding says how a field refers to its dictionary.
type encoding struct {
	id     int64
	bits   int
	signed bool
}

// String names the type for a message: list<struct>, dictionary<utf8>.
func (f *field) String() string {
	if f.ext != "" {
		g := *f
		g.ext = ""
		return fmt.Sprintf("extension %s of %s", f.ext, &g)
	}
	if f.dict != nil {
		g := *f
		g.dict = nil
		return fmt.Sprintf("dictionary<%s>", &g)
	}
	switch f.typ {
	case intType:
		if f.signed {
			return fmt.Sprintf("int%d", f.bits)
		}
		return fmt.Sprintf("uint%d", f.bits)
	case floatType:
		return fmt.Sprintf("float%d", f.bits)
	case decimalType:
		return fmt.Sprintf("decimal%d", f.bits)
	case dateType:
		if f.unit == days {
			return "date32"
		}
		return "date64"
	case timeType:
		return fmt.Sprintf("time%d", f.bits)
	case fixedBinaryType:
		return fmt.Sprintf("fixed_size_binary[%d]", f.size)
	case structType:
		return "struct"
	case unionType:
		if f.dense {
			return "dense_union"
		}
		return "sparse_union"
	case listType, largeListType, listViewType, largeListViewType, fixedListType, mapType:
		return fmt.Sprintf("%s<%s>", typeNames[f.typ], f.kids[0])
	case runEndType:
		return fmt.Sprintf("run_end_encoded<%s>", f.kids[1])
	}
	return typeNames[f.typ]
}

var typeNames = map[typeID]string{
	nullType: "null", binaryType: "binary", utf8Type: "utf8", boolType: "bool", timestampType: "timestamp",
	intervalType: "interval", listType: "list", fixedListType: "fixed_size_list", mapType: "map",
	durationType: "duration", largeBinaryType: "large_binary", largeUtf8Type: "large_utf8",
	largeListType: "large_list", binaryViewType: "binary_view", utf8ViewType: "utf8_view",
	listViewType: "list_view", largeListViewType: "large_list_view",
}

// schemaReader turns the flatbuffer form of a schema into fields.
type schemaReader struct {
	flat *flat
	left int // fields that may still be visited
}

// readSchema reads the table of a Schema.
func readSchema(t table) ([]*field, error) {
	if t.i16(0, 0) != 0 {
		return nil, fmt.Errorf("the file was written in big-endian byte order; write it again on a little-endian machine")
	}
	r := &schemaReader{flat: t.f, left: maxFields}
	fields, err := r.fields(t, 1, 1)
	if err == nil && t.f.bad {
		err = fmt.Errorf("its schema is damaged")
	}
	return fields, err
}

// fields reads the vector of Fields in field i of t.
func (r *schemaReader) fields(t table, i, depth int) ([]*field, error) {
	start, n := t.vector(i, 4)
	if n == 0 {
		return nil, nil
	}
	if depth > maxDepth {
		return nil, fmt.Errorf("its schema nests types more than %d levels deep", maxDepth)
	}
	if r.left -= n; r.left < 0 {
		return nil, fmt.Errorf("its schema has more than %d fields", maxFields)
	}
	fields := make([]*field, n)
	for j := range fields {
		f, err := r.field(r.flat.follow(start+4*j), depth)
		if err != nil {
			return nil, err
		}
		if r.flat.bad {
			return nil, fmt.Errorf("its schema is damaged at field %d of level %d", j+1, depth)
		}
		fields[j] = f
	}
	return fields, nil
}

func (r *schemaReader) field(t table, depth int) (*field, error) {
	name := t.text(0)
	if len(name) > input.MaxName {
		return nil, fmt.Errorf("it has a field name of %d bytes; Vectro takes up to 1,024", len(name))
	}
	f := &field{name: strings.ToValidUTF8(string(name), "\uFFFD"), typ: typeID(t.u8(2, 0))}
	typ, _ := t.table(3)
	if enc, ok := t.table(4); ok {
		f.dict = &encoding{id: enc.i64(0, 0), bits: 32, signed: true}
		if index, ok := enc.table(1); ok {
			f.dict.bits, f.dict.signed = int(index.i32(0, 0)), index.u8(1, 0) != 0
		}
		if !intWidth(f.dict.bits) {
			return nil, fmt.Errorf("column %q has dictionary indices of %d bits", f.name, f.dict.bits)
		}
	}
	kids, err := r.fields(t, 5, depth+1)
	if err != nil {
		return nil, err
	}
	f.kids = kids
	r.readExtension(t, f)
	return f, f.describe(typ)
}

// readExtension looks for the name of an extension type in the field's metadata.
func (r *schemaReader) readExtension(t table, f *field) {
	start, n := t.vector(6, 4)
	for i := range n {
		if kv := r.flat.follow(start + 4*i); string(kv.text(0)) == "ARROW:extension:name" {
			name := kv.text(1)
			f.ext = strings.ToValidUTF8(string(name[:min(len(name), input.MaxName)]), "\uFFFD")
		}
		if r.flat.bad {
			return
		}
	}
}

// describe fills in what the type's own table says and checks that the type is
// one of the format's.
func (f *field) describe(t table) error {
	wrong := func(what string, n int) error {
		return fmt.Errorf("column %q has a %s of %d, which the Arrow format does not know", f.name, what, n)
	}
	switch f.typ {
	case intType:
		f.bits, f.signed = int(t.i32(0, 0)), t.u8(1, 0) != 0
		if !intWidth(f.bits) {
			return wrong("integer width", f.bits)
		}
	case floatType:
		p := int(t.i16(0, 0))
		if p < 0 || p > 2 {
			return wrong("floating-point precision", p)
		}
		f.bits = 16 << p
	case decimalType:
		f.scale, f.bits = int(t.i32(1, 0)), int(t.i32(2, 128))
		if f.bits != 32 && f.bits != 64 && f.bits != 128 && f.bits != 256 {
			return wrong("decimal width", f.bits)
		}
	case dateType:
		f.unit = days
		if t.i16(0, 1) != 0 {
			f.unit = millis
		}
	case timeType:
		f.bits = int(t.i32(1, 32))
		if f.bits != 32 && f.bits != 64 {
			return wrong("time width", f.bits)
		}
		return f.timeUnit(t.i16(0, 1), wrong)
	case timestampType:
		f.zone = len(t.text(1)) > 0
		return f.timeUnit(t.i16(0, 0), wrong)
	case durationType:
		return f.timeUnit(t.i16(0, 1), wrong)
	case intervalType:
		f.size = 4
		if u := t.i16(0, 0); u == 1 {
			f.size = 8
		} else if u == 2 {
			f.size = 16
		}
	case fixedBinaryType, fixedListType:
		f.size = int(t.i32(0, 0))
		if f.size < 0 {
			return wrong("size", f.size)
		}
	case unionType:
		f.dense = t.i16(0, 0) == 1
	case nullType, binaryType, utf8Type, boolType, structType, listType, mapType, largeBinaryType, largeUtf8Type,
		largeListType, runEndType, binaryViewType, utf8ViewType, listViewType, largeListViewType:
	default:
		return wrong("type", int(f.typ))
	}
	want := -1 // any number of children
	switch f.typ {
	case listType, largeListType, listViewType, largeListViewType, fixedListType, mapType:
		want = 1
	case runEndType:
		want = 2
	case structType, unionType:
	default:
		want = 0
	}
	if want >= 0 && len(f.kids) != want {
		return fmt.Errorf("column %q is a %s with %d child fields instead of %d", f.name, typeNames[f.typ], len(f.kids), want)
	}
	if f.typ == runEndType {
		e := f.kids[0]
		if e.typ != intType || !e.signed || e.bits < 16 || e.dict != nil {
			return fmt.Errorf("column %q has run ends of type %s; the format has int16, int32 and int64", f.name, e)
		}
	}
	return nil
}

func (f *field) timeUnit(u int16, wrong func(string, int) error) error {
	if u < 0 || u > int16(nanos) {
		return wrong("time unit", int(u))
	}
	f.unit = uint8(u)
	return nil
}

func intWidth(bits int) bool { return bits == 8 || bits == 16 || bits == 32 || bits == 64 }
