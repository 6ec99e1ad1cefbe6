package sqltree

import "strings"

// shape is what is known of a type that has parts. A nil shape is a type of which
// nothing is known: JSON, a map, a type of the user's.
type shape struct {
	fields []shapeField // of a struct or composite type
	elem   *shape       // of an array: that of an element
	array  bool
}

type shapeField struct {
	name string
	of   *shape
}

// shapeOf reads a type: STRUCT<a INT64, b ARRAY<STRING>>, STRUCT(a INT, b INT[])[],
// Array(Tuple(a String, b UInt8)).
func (s *Schema) shapeOf(t TypeName) *shape {
	if len(t.Name.Parts) == 0 {
		return nil
	}
	var sh *shape
	if d := find(s, s.types, s.dialect, t.Name); d != nil {
		sh = d.of
	} else if r := find(s, s.byKey, s.dialect, t.Name); r != nil && s.dialect == Postgres {
		sh = &shape{} // the type of a table's rows
		for _, c := range r.Columns {
			sh.fields = append(sh.fields, shapeField{c, r.shapes[c]})
		}
	} else if len(t.Name.Parts) == 1 {
		sh = s.shapeNamed(t.Name.Last().Name, t.Args, 0)
	}
	return arrays(sh, t.Array)
}

// arrays wraps a shape into that many dimensions.
func arrays(sh *shape, dimensions int) *shape {
	for ; dimensions > 0; dimensions-- {
		sh = &shape{array: true, elem: sh}
	}
	return sh
}

const maxTypeDepth = 50

func (s *Schema) shapeNamed(name string, args []string, depth int) *shape {
	if depth > maxTypeDepth {
		return nil
	}
	switch strings.ToUpper(name) {
	case "ARRAY", "LIST":
		if len(args) != 1 {
			return nil
		}
		return &shape{array: true, elem: s.shapeText(args[0], depth+1)}
	case "NULLABLE", "LOWCARDINALITY":
		if len(args) != 1 {
			return nil
		}
		return s.shapeText(args[0], depth+1)
	case "STRUCT", "ROW", "TUPLE", "NESTED":
		sh := &shape{}
		for _, arg := range args {
			name, rest := cutName(strings.TrimSpace(arg))
			if strings.TrimSpace(rest) == "" {
				return nil // a field without a name
			}
			sh.fields = append(sh.fields, shapeField{name, s.shapeText(rest, depth+1)})
		}
		return sh
	}
	if scalarTypes[strings.ToUpper(name)] {
		return &shape{}
	}
	id := Ident{Name: name}
	if t := find(s, s.types, s.dialect, Name{Parts: []Ident{id}}); t != nil {
		return t.of
	}
	return nil
}

// scalarTypes are types without parts, in the dialects that have structs.
var scalarTypes = func() map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(`
		BOOL BOOLEAN BYTES BLOB BYTEA BIGINT INT INTEGER SMALLINT TINYINT HUGEINT UBIGINT UINTEGER USMALLINT UTINYINT
		INT8 INT16 INT32 INT64 INT128 INT256 UINT8 UINT16 UINT32 UINT64 UINT128 UINT256 FLOAT FLOAT32 FLOAT64 DOUBLE REAL
		NUMERIC BIGNUMERIC DECIMAL DECIMAL32 DECIMAL64 DECIMAL128 STRING FIXEDSTRING VARCHAR TEXT CHAR UUID IPV4 IPV6
		DATE DATE32 DATETIME DATETIME64 TIME TIMESTAMP TIMESTAMPTZ INTERVAL ENUM ENUM8 ENUM16 GEOGRAPHY`) {
		m[n] = true
	}
	return m
}()

// shapeText reads a type from its text.
func (s *Schema) shapeText(text string, depth int) *shape {
	name, rest := cutName(strings.TrimSpace(text))
	var args []string
	rest = strings.TrimSpace(rest)
	if strings.HasPrefix(rest, "<") || strings.HasPrefix(rest, "(") {
		end := closing(rest)
		if end < 0 {
			return nil
		}
		args, rest = splitArgs(rest[1:end]), strings.TrimSpace(rest[end+1:])
	}
	sh := s.shapeNamed(name, args, depth)
	for strings.HasPrefix(rest, "[") {
		end := strings.IndexByte(rest, ']')
		if end < 0 {
			return nil
		}
		sh, rest = &shape{array: true, elem: sh}, strings.TrimSpace(rest[end+1:])
	}
	return sh
}

// cutName cuts the name off that a text begins with, without its quotes.
func cutName(text string) (name, rest string) {
	if text != "" && strings.IndexByte("`\"", text[0]) >= 0 {
		if end := strings.IndexByte(text[1:], text[0]); end >= 0 {
			return text[1 : 1+end], text[end+2:]
		}
	}
	end := strings.IndexAny(text, " \t\r\n<([")
	if end < 0 {
		return text, ""
	}
	return text[:end], text[end:]
}

// closing is the place of the bracket that closes the first one, or -1.
func closing(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '<', '(', '[':
			depth++
		case '>', ')', ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// splitArgs splits at commas outside of brackets.
func splitArgs(text string) []string {
	var args []string
	depth, start := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '<', '(', '[':
			depth++
		case '>', ')', ']':
			depth--
		case ',':
			if depth == 0 {
				args, start = append(args, text[start:i]), i+1
			}
		}
	}
	return append(args, text[start:])
}

// shaped gives a value the parts that its type says it has.
func (r *resolver) shaped(v value, sh *shape, name string) value {
	if sh == nil {
		return v
	}
	inner := combine(Expression, v)
	if sh.array {
		if sh.elem != nil {
			e := r.shaped(inner, sh.elem, name)
			v.elem = &e
		}
		return v
	}
	if len(sh.fields) > 0 {
		v.row = &source{key: r.d.key(name), name: name, ordered: true}
		for _, f := range sh.fields {
			v.row.fields = append(v.row.fields, field{key: r.d.key(f.name), name: f.name, val: r.shaped(inner, f.of, f.name)})
		}
	}
	return v
}

func isNumber(s string) bool { return strings.Trim(s, "0123456789") == "" }

// path follows the parts of a reference behind its column into the column's type,
// and reports the one that the type does not have.
func (r *resolver) path(use *ColumnUse, v value, parts []Ident) value {
	for _, id := range parts {
		if v.row == nil || isNumber(id.Name) { // a tuple's element
			break
		}
		f, ok := v.row.find(r.d.Fold(id))
		switch {
		case ok:
			v = f.val
			continue
		case !v.row.open:
			use.Status, use.At, use.Candidates = Unknown, id, r.nearColumns(id, names(v.row))
		}
		return value{undecided: "field that its type does not have"}
	}
	return combine(Expression, v)
}
