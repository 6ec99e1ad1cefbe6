package pgtype

import "strings"

// Type is a data type. Types are compared by identity.
type Type struct {
	Name string // as messages show it

	key         string // the name in the catalog
	kind        byte   // b: base, e: enum, d: domain, c: composite, r: range, m: multirange, p: pseudo
	category    byte   // as in pg_type.typcategory
	preferred   bool
	collatable  bool
	sortable    bool // it has an order
	hashable    bool
	elem        *Type // of an array
	array       *Type // that has it as elements; nil: none
	part        *Type // of a range what it is over, of a multirange the range, of a point and the like what [] gives
	base        *Type // of a domain
	labels      []string
	fields      []Field
	fieldsKnown bool
}

// Undecided is the type of what is not known.
var Undecided *Type

// Field is an attribute of a composite type, or a column.
type Field struct {
	Name string
	Type *Type
}

// arrayType makes the array type of t.
func (t *Type) arrayType() *Type {
	t.array = &Type{
		Name: t.Name + "[]", key: "_" + t.key, kind: 'b', category: 'A', elem: t,
		collatable: t.collatable, sortable: t.sortable, hashable: t.hashable,
	}
	return t.array
}

func declared(t *Type) *Type {
	t.key = t.Name
	t.arrayType()
	return t
}

// NewEnum returns an enum type with its labels.
func NewEnum(name string, labels []string) *Type {
	return declared(&Type{Name: name, kind: 'e', category: 'E', labels: labels, sortable: true, hashable: true})
}

// NewDomain returns a domain over a type, which is [Undecided] if that is.
func NewDomain(name string, over *Type) *Type {
	if over == nil {
		return nil
	}
	t := &Type{Name: name, kind: 'd', category: over.category, base: over, collatable: over.collatable, sortable: over.sortable, hashable: over.hashable}
	return declared(t)
}

// NewComposite returns a row type; [Type.SetFields] says what it has.
func NewComposite(name string) *Type {
	return declared(&Type{Name: name, kind: 'c', category: 'C', sortable: true, hashable: true})
}

// SetFields sets the fields of a composite type.
func (t *Type) SetFields(fields []Field) { t.fields, t.fieldsKnown = fields, true }

// NewRange returns a range type over a type, which is [Undecided] if that is.
func NewRange(name string, over *Type) *Type {
	if over == nil {
		return nil
	}
	return declared(&Type{Name: name, kind: 'r', category: 'R', part: over, sortable: true, hashable: over.hashable})
}

// ArrayOf returns the array type over a type.
func ArrayOf(t *Type) *Type {
	if t == nil || t.elem != nil { // arrays of arrays are arrays of more dimensions
		return t
	}
	return t.array
}

// plain is the type under a domain.
func (t *Type) plain() *Type {
	for t != nil && t.base != nil {
		t = t.base
	}
	return t
}

// spellings are the names that the language has for types, other than those of the
// catalog.
var spellings = map[string]string{
	"int": "int4", "integer": "int4", "smallint": "int2", "bigint": "int8", "real": "float4", "float": "float8", "double precision": "float8",
	"decimal": "numeric", "dec": "numeric", "boolean": "bool",
	"char": "bpchar", "character": "bpchar", "nchar": "bpchar", "national character": "bpchar", "national char": "bpchar",
	"character varying": "varchar", "char varying": "varchar", "national character varying": "varchar", "national char varying": "varchar", "nchar varying": "varchar",
	"bit varying": "varbit", "time without time zone": "time", "time with time zone": "timetz",
	"timestamp without time zone": "timestamp", "timestamp with time zone": "timestamptz",
	"serial": "int4", "serial4": "int4", "smallserial": "int2", "serial2": "int2", "bigserial": "int8", "serial8": "int8",
}

// Builtin returns a type of the server by its name in lower case, be it that of the
// language or that of the catalog; [Undecided] if there is none. Of a quoted name only
// that of the catalog counts.
func Builtin(name string, quoted bool, args []string) *Type {
	types := builtin().types
	if !quoted {
		if strings.HasPrefix(name, "interval ") {
			name = "interval"
		}
		if name == "float" && len(args) == 1 && len(args[0]) <= 2 && (len(args[0]) == 1 || args[0] < "25") {
			name = "real"
		}
		if word, ok := spellings[name]; ok {
			name = word
		}
	}
	return types[name]
}
