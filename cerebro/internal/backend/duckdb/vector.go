package duckdb

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unsafe"

	bindings "github.com/duckdb/duckdb-go-bindings"

	"github.com/quartet-mcp/quartet/cerebro/internal/backend"
)

// shape is a type of the engine, taken apart once for a result.
type shape struct {
	id       bindings.Type
	name     string
	internal bindings.Type // of decimals and enumerations
	scale    int
	words    []string // of an enumeration, and the names of a structure's or union's parts
	parts    []*shape
	length   int // of an array
}

func shapeOf(t bindings.LogicalType) *shape {
	s := &shape{id: bindings.GetTypeId(t)}
	child := func(t bindings.LogicalType) *shape {
		defer bindings.DestroyLogicalType(&t)
		return shapeOf(t)
	}
	s.name = names[s.id]
	switch s.id {
	case bindings.TypeDecimal:
		s.internal, s.scale = bindings.DecimalInternalType(t), int(bindings.DecimalScale(t))
		s.name = "DECIMAL(" + strconv.Itoa(int(bindings.DecimalWidth(t))) + "," + strconv.Itoa(s.scale) + ")"
	case bindings.TypeEnum:
		s.internal = bindings.EnumInternalType(t)
		for i := range bindings.EnumDictionarySize(t) {
			s.words = append(s.words, bindings.EnumDictionaryValue(t, bindings.IdxT(i)))
		}
	case bindings.TypeList:
		s.parts = []*shape{child(bindings.ListTypeChildType(t))}
		s.name = s.parts[0].name + "[]"
	case bindings.TypeArray:
		s.parts, s.length = []*shape{child(bindings.ArrayTypeChildType(t))}, int(bindings.ArrayTypeArraySize(t))
		s.name = s.parts[0].name + "[" + strconv.Itoa(s.length) + "]"
	case bindings.TypeMap:
		s.parts = []*shape{child(bindings.MapTypeKeyType(t)), child(bindings.MapTypeValueType(t))}
		s.name = "MAP(" + s.parts[0].name + ", " + s.parts[1].name + ")"
	case bindings.TypeStruct:
		for i := range bindings.StructTypeChildCount(t) {
			s.words = append(s.words, bindings.StructTypeChildName(t, i))
			s.parts = append(s.parts, child(bindings.StructTypeChildType(t, i)))
		}
		s.name = "STRUCT(" + s.list() + ")"
	case bindings.TypeUnion:
		for i := range bindings.UnionTypeMemberCount(t) {
			s.words = append(s.words, bindings.UnionTypeMemberName(t, i))
			s.parts = append(s.parts, child(bindings.UnionTypeMemberType(t, i)))
		}
		s.name = "UNION(" + s.list() + ")"
	}
	if alias := bindings.LogicalTypeGetAlias(t); alias != "" {
		s.name = alias
	}
	return s
}

func (s *shape) list() string {
	out := make([]string, len(s.parts))
	for i, p := range s.parts {
		out[i] = s.words[i] + " " + p.name
	}
	return strings.Join(out, ", ")
}

var names = map[bindings.Type]string{
	bindings.TypeBoolean: "BOOLEAN", bindings.TypeTinyInt: "TINYINT", bindings.TypeSmallInt: "SMALLINT", bindings.TypeInteger: "INTEGER",
	bindings.TypeBigInt: "BIGINT", bindings.TypeUTinyInt: "UTINYINT", bindings.TypeUSmallInt: "USMALLINT", bindings.TypeUInteger: "UINTEGER",
	bindings.TypeUBigInt: "UBIGINT", bindings.TypeFloat: "FLOAT", bindings.TypeDouble: "DOUBLE", bindings.TypeTimestamp: "TIMESTAMP",
	bindings.TypeDate: "DATE", bindings.TypeTime: "TIME", bindings.TypeInterval: "INTERVAL", bindings.TypeHugeInt: "HUGEINT",
	bindings.TypeUHugeInt: "UHUGEINT", bindings.TypeVarchar: "VARCHAR", bindings.TypeBlob: "BLOB", bindings.TypeTimestampS: "TIMESTAMP_S",
	bindings.TypeTimestampMS: "TIMESTAMP_MS", bindings.TypeTimestampNS: "TIMESTAMP_NS", bindings.TypeEnum: "ENUM", bindings.TypeUUID: "UUID",
	bindings.TypeBit: "BIT", bindings.TypeTimeTZ: "TIME WITH TIME ZONE", bindings.TypeTimestampTZ: "TIMESTAMP WITH TIME ZONE",
	bindings.TypeBigNum: "BIGNUM", bindings.TypeSQLNull: "NULL", bindings.TypeAny: "ANY", bindings.TypeTimeNS: "TIME_NS",
}

// vector is a column of a chunk. Its memory is the engine's.
type vector struct {
	*shape
	data, validity unsafe.Pointer
	parts          []vector
}

func open(v bindings.Vector, s *shape) vector {
	out := vector{shape: s, data: bindings.VectorGetData(v), validity: bindings.VectorGetValidity(v)}
	switch s.id {
	case bindings.TypeList:
		out.parts = []vector{open(bindings.ListVectorGetChild(v), s.parts[0])}
	case bindings.TypeArray:
		out.parts = []vector{open(bindings.ArrayVectorGetChild(v), s.parts[0])}
	case bindings.TypeMap: // a list of structures
		entry := bindings.ListVectorGetChild(v)
		out.parts = []vector{open(bindings.StructVectorGetChild(entry, 0), s.parts[0]), open(bindings.StructVectorGetChild(entry, 1), s.parts[1])}
	case bindings.TypeStruct:
		for i, p := range s.parts {
			out.parts = append(out.parts, open(bindings.StructVectorGetChild(v, bindings.IdxT(i)), p))
		}
	case bindings.TypeUnion: // a structure: which part it is, then the parts
		out.parts = []vector{open(bindings.StructVectorGetChild(v, 0), &shape{id: bindings.TypeUTinyInt})}
		for i, p := range s.parts {
			out.parts = append(out.parts, open(bindings.StructVectorGetChild(v, bindings.IdxT(i+1)), p))
		}
	}
	return out
}

func get[T any](v *vector, row int) T { return unsafe.Slice((*T)(v.data), row+1)[row] }

// null reads the mask of rows that have a value; without one all have.
func (v *vector) null(row int) bool {
	if v.validity == nil {
		return false
	}
	return unsafe.Slice((*uint64)(v.validity), row/64+1)[row/64]&(1<<(row%64)) == 0
}

// text is a string or blob, in the engine's memory: a length and either up to twelve
// bytes or a prefix and a pointer.
func (v *vector) text(row int) string {
	at := unsafe.Add(v.data, row*16)
	n := int(*(*uint32)(at))
	if n <= 12 {
		return unsafe.String((*byte)(unsafe.Add(at, 4)), n)
	}
	return unsafe.String(*(**byte)(unsafe.Add(at, 8)), n)
}

// huge is a whole number of 128 bits.
func (v *vector) huge(row int, signed bool) *big.Int {
	h := get[[2]uint64](v, row)
	n := new(big.Int)
	if signed {
		n.SetInt64(int64(h[1]))
	} else {
		n.SetUint64(h[1])
	}
	return n.Lsh(n, 64).Add(n, new(big.Int).SetUint64(h[0]))
}

// whole is the number below a decimal.
func (v *vector) whole(row int) *big.Int {
	switch v.internal {
	case bindings.TypeSmallInt:
		return big.NewInt(int64(get[int16](v, row)))
	case bindings.TypeInteger:
		return big.NewInt(int64(get[int32](v, row)))
	case bindings.TypeBigInt:
		return big.NewInt(get[int64](v, row))
	}
	return v.huge(row, true)
}

// cell is a value for clients.
func (v *vector) cell(c *backend.Cells, row int) any {
	switch out := v.value(c, row).(type) {
	case []any, backend.Object:
		return c.Nested(out)
	default:
		return out
	}
}

func (v *vector) value(c *backend.Cells, row int) any {
	if v.null(row) {
		return nil
	}
	switch v.id {
	case bindings.TypeBoolean:
		return get[uint8](v, row) != 0
	case bindings.TypeTinyInt:
		return c.Int(int64(get[int8](v, row)))
	case bindings.TypeSmallInt:
		return c.Int(int64(get[int16](v, row)))
	case bindings.TypeInteger:
		return c.Int(int64(get[int32](v, row)))
	case bindings.TypeBigInt:
		return c.Int(get[int64](v, row))
	case bindings.TypeUTinyInt:
		return c.Uint(uint64(get[uint8](v, row)))
	case bindings.TypeUSmallInt:
		return c.Uint(uint64(get[uint16](v, row)))
	case bindings.TypeUInteger:
		return c.Uint(uint64(get[uint32](v, row)))
	case bindings.TypeUBigInt:
		return c.Uint(get[uint64](v, row))
	case bindings.TypeHugeInt:
		return c.Big(v.huge(row, true))
	case bindings.TypeUHugeInt:
		return c.Big(v.huge(row, false))
	case bindings.TypeBigNum:
		return c.Big(bignum(v.text(row)))
	case bindings.TypeFloat:
		return c.Float32(get[float32](v, row))
	case bindings.TypeDouble:
		return c.Float(get[float64](v, row))
	case bindings.TypeDecimal:
		return c.Decimal(v.whole(row), v.scale)
	case bindings.TypeVarchar:
		return c.Text(v.text(row))
	case bindings.TypeBlob:
		return c.Bytes([]byte(v.text(row)))
	case bindings.TypeBit:
		return c.Text(bits(v.text(row)))
	case bindings.TypeUUID:
		return uuid(v.huge(row, true))
	case bindings.TypeEnum:
		return c.Text(v.words[v.tag(row, v.internal)])
	case bindings.TypeDate, bindings.TypeTime, bindings.TypeTimeTZ, bindings.TypeTimeNS, bindings.TypeInterval,
		bindings.TypeTimestamp, bindings.TypeTimestampTZ, bindings.TypeTimestampS, bindings.TypeTimestampMS, bindings.TypeTimestampNS:
		return v.time(c, row)
	}
	return v.nested(c, row)
}

// time is a value of one of the types of time. The ends of the range stand for infinity.
func (v *vector) time(c *backend.Cells, row int) any {
	switch v.id {
	case bindings.TypeDate:
		d := get[int32](v, row)
		if d == math.MaxInt32 || d == -math.MaxInt32 {
			return c.Null()
		}
		return c.Date(time.Unix(0, 0).UTC().AddDate(0, 0, int(d)))
	case bindings.TypeTime:
		return c.Clock(time.Duration(get[int64](v, row)) * time.Microsecond)
	case bindings.TypeTimeNS:
		return c.Clock(time.Duration(get[int64](v, row)))
	case bindings.TypeTimeTZ: // microseconds above 24 bits of an offset from the largest one
		n := get[uint64](v, row)
		offset := 16*3600 - 1 - int(n&(1<<24-1))
		at := time.Unix(0, 0).UTC().Add(time.Duration(n>>24) * time.Microsecond)
		return at.Format("15:04:05.999999") + time.Unix(0, 0).In(time.FixedZone("", offset)).Format("-07:00")
	case bindings.TypeInterval:
		at := unsafe.Add(v.data, row*16)
		return interval(*(*int32)(at), *(*int32)(unsafe.Add(at, 4)), *(*int64)(unsafe.Add(at, 8)))
	}
	n := get[int64](v, row)
	if n == math.MaxInt64 || n == -math.MaxInt64 {
		return c.Null()
	}
	switch v.id {
	case bindings.TypeTimestampS:
		return c.Timestamp(time.Unix(n, 0))
	case bindings.TypeTimestampMS:
		return c.Timestamp(time.UnixMilli(n))
	case bindings.TypeTimestampNS:
		return c.Timestamp(time.Unix(0, n))
	}
	return c.Timestamp(time.UnixMicro(n))
}

// tag is a number that chooses one of several.
func (v *vector) tag(row int, t bindings.Type) int {
	switch t {
	case bindings.TypeUTinyInt:
		return int(get[uint8](v, row))
	case bindings.TypeUSmallInt:
		return int(get[uint16](v, row))
	}
	return int(get[uint32](v, row))
}

// nested is a value of several; its parts are not cut one by one, but as a whole.
func (v *vector) nested(c *backend.Cells, row int) any {
	list := func(start, n int) any {
		out := make([]any, 0, min(n, backend.MaxCell))
		// A list of more parts than a cell has characters is cut anyway.
		for i := range min(n, backend.MaxCell) {
			out = append(out, v.parts[0].value(c, start+i))
		}
		return out
	}
	switch v.id {
	case bindings.TypeList:
		at := get[[2]uint64](v, row)
		return list(int(at[0]), int(at[1]))
	case bindings.TypeArray:
		return list(row*v.length, v.length)
	case bindings.TypeMap:
		at := get[[2]uint64](v, row)
		out := backend.Object{}
		for i := range min(int(at[1]), backend.MaxCell) {
			out = append(out, backend.Field{Name: key(v.parts[0].value(c, int(at[0])+i)), Value: v.parts[1].value(c, int(at[0])+i)})
		}
		return out
	case bindings.TypeStruct:
		out := backend.Object{}
		for i := range v.parts {
			out = append(out, backend.Field{Name: v.words[i], Value: v.parts[i].value(c, row)})
		}
		return out
	case bindings.TypeUnion:
		return v.parts[1+v.parts[0].tag(row, bindings.TypeUTinyInt)].value(c, row)
	}
	return nil
}
