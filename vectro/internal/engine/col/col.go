// Package col holds tables in memory: columns cut into chunks of [ChunkRows]
// rows, numbers in the narrowest storage that holds them, categories as codes
// into one dictionary per column.
//
// A [Table] and everything it refers to is immutable once it is published;
// statistics and rank arrays are computed on first use behind a lock. A changed
// table (an added column) is a new Table that shares the old columns.
package col

import (
	"math/bits"
	"strings"
	"unsafe"
)

// ChunkRows is the number of rows of every chunk of a column but the last.
const ChunkRows = 131_072

// Kind is what a user sees of a column.
type Kind uint8

// The kinds of a column.
const (
	Number   Kind = iota
	Category      // labels that can be filtered and grouped
	Date          // a day or a point in time
	Text          // free text: returned, never filtered
)

// String returns the kind as tools spell it: number, category, date or text.
func (k Kind) String() string {
	return [...]string{"number", "category", "date", "text"}[k]
}

// Unit is the resolution of stored dates.
type Unit uint8

// The units of a date, all counted from 1970-01-01T00:00:00 UTC.
const (
	Day   Unit = iota // whole days
	Micro             // microseconds
	Nano              // nanoseconds
)

// Field describes a column.
type Field struct {
	Name string
	Kind Kind
	Bool bool // a category with the labels "true" and "false" only, shown as JSON booleans
	Zone bool // a date whose source carried a zone or offset; stored in UTC and shown with Z
	Unit Unit // of a date
}

// Table is a named, immutable set of columns of equal length.
type Table struct {
	Name      string
	Source    string // the path as the caller wrote it
	Rows      int
	Columns   []*Column
	Embedding *Embedding // nil if the table has none
}

// Index returns the position of the column of exactly that name, or -1.
func (t *Table) Index(name string) int {
	for i, c := range t.Columns {
		if c.Name == name {
			return i
		}
	}
	return -1
}

// Lookup returns the position of the column called name: exactly, else the only
// one that differs in case alone, else -1.
func (t *Table) Lookup(name string) int {
	if i := t.Index(name); i >= 0 {
		return i
	}
	found := -1
	for i, c := range t.Columns {
		if strings.EqualFold(c.Name, name) {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}

// Bytes returns the memory that the table's columns and embedding hold.
func (t *Table) Bytes() int64 {
	var n int64
	for _, c := range t.Columns {
		n += c.Bytes()
	}
	if t.Embedding != nil {
		n += t.Embedding.Bytes()
	}
	return n
}

// Column is one column of a table. All chunks have the same type of Data.
type Column struct {
	Field
	Dict   *Dict // of a category stored as codes, else nil
	Chunks []*Chunk

	stats columnStats
}

// Rows returns the number of rows.
func (c *Column) Rows() int {
	n := 0
	for _, ch := range c.Chunks {
		n += ch.Len
	}
	return n
}

// Bytes returns the memory that the column holds.
func (c *Column) Bytes() int64 {
	var n int64
	for _, ch := range c.Chunks {
		n += ch.Bytes()
	}
	if c.Dict != nil {
		n += c.Dict.Bytes()
	}
	return n
}

// Chunk is a run of at most [ChunkRows] values. Data is one of
//
//	[]int8 []int16 []int32 []int64   whole numbers; dates in the field's Unit (int32 or int64)
//	[]float64                        numbers
//	[]uint8 []uint16 []uint32        codes into the column's dictionary
//	Strings                          labels of a category without a dictionary, and text
//
// Where Valid says that a value is missing, Data holds an arbitrary one.
// A missing number is always marked in Valid: Data holds no NaN that Valid calls present.
type Chunk struct {
	Len   int
	Valid Bitmap // nil: no value is missing
	Data  any
}

// Bytes returns the memory that the chunk holds.
func (c *Chunk) Bytes() int64 {
	n := int64(len(c.Valid)) * 8
	switch d := c.Data.(type) {
	case []int8:
		n += int64(len(d))
	case []int16:
		n += int64(len(d)) * 2
	case []int32:
		n += int64(len(d)) * 4
	case []int64:
		n += int64(len(d)) * 8
	case []float64:
		n += int64(len(d)) * 8
	case []uint8:
		n += int64(len(d))
	case []uint16:
		n += int64(len(d)) * 2
	case []uint32:
		n += int64(len(d)) * 4
	case Strings:
		n += int64(len(d.Off))*4 + int64(len(d.Buf))
	}
	return n
}

// Bitmap holds one bit a row, the lowest bit of the first word first; a set bit
// marks a present value. Bits past the last row are zero.
type Bitmap []uint64

// NewBitmap returns a bitmap of n rows, all missing.
func NewBitmap(n int) Bitmap { return make(Bitmap, (n+63)/64) }

// Get reports whether row i is present. A nil bitmap has every row present.
func (b Bitmap) Get(i int) bool { return b == nil || b[i>>6]>>(i&63)&1 == 1 }

// Set marks row i as present.
func (b Bitmap) Set(i int) { b[i>>6] |= 1 << (i & 63) }

// Clear marks row i as missing.
func (b Bitmap) Clear(i int) { b[i>>6] &^= 1 << (i & 63) }

// Count returns the number of present rows among the first n.
func (b Bitmap) Count(n int) int {
	if b == nil {
		return n
	}
	c := 0
	for _, w := range b {
		c += bits.OnesCount64(w)
	}
	return c
}

// Strings is a run of byte strings: string i is Buf[Off[i]:Off[i+1]], valid UTF-8.
type Strings struct {
	Off []uint32
	Buf []byte
}

// Len returns the number of strings.
func (s Strings) Len() int { return max(0, len(s.Off)-1) }

// At returns string i. It shares memory with Buf, which never changes.
func (s Strings) At(i int) string {
	b := s.Buf[s.Off[i]:s.Off[i+1]]
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// Embedding is a matrix of float32 vectors, one a row of the table.
type Embedding struct {
	Field  string    // the name it had in the file
	Dim    int       // numbers in a vector
	Stride int       // numbers from the start of one vector to the next, ≥ Dim; the rest is zero
	Data   []float32 // row-major, Rows × Stride
	Inv    []float32 // 1/‖v‖ a row; 0 for a row without a vector or with a vector of zeros
	Has    Bitmap    // which rows have a vector; nil: all
}

// Bytes returns the memory that the matrix holds.
func (e *Embedding) Bytes() int64 {
	return int64(len(e.Data))*4 + int64(len(e.Inv))*4 + int64(len(e.Has))*8
}

// Row returns the vector of row i, Dim numbers that share the matrix's memory.
func (e *Embedding) Row(i int) []float32 { return e.Data[i*e.Stride : i*e.Stride+e.Dim] }
