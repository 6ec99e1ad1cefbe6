package arrow

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/mem"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/input"
)

// array is one field of one batch in memory, checked so that every value from 0
// to n-1 can be decoded without another look at the bounds.
type array struct {
	f     *field
	n     int
	valid col.Bitmap // nil: all present
	data  []byte     // values, indices, bytes of strings, type of views
	offs  []byte     // offsets, or the sizes' offsets of a list view
	sizes []byte     // of a list view
	views [][]byte   // data buffers of a view array
	kids  []*array
}

// errCorrupt marks an error as one of the file, to be worded with the place.
type corruptError struct{ error }

func corrupt(format string, args ...any) error { return corruptError{fmt.Errorf(format, args...)} }

// loader reads arrays of one batch.
type loader struct {
	c      *container
	b      *batch
	layout map[*field]place
	l      *ledger
	bytes  func(n int64) // told how much was read
}

// buffer reads buffer i of field f.
func (r *loader) buffer(f *field, i int) ([]byte, error) {
	p := r.layout[f]
	at := p.start.buffers + r.b.views[p.start.views] + i
	if r.b.old {
		at += p.old
	}
	e := r.b.bufs[at]
	if e.len == 0 {
		return nil, nil
	}
	b, err := r.c.read(r.l, e)
	if err != nil {
		return nil, err
	}
	r.bytes(e.len)
	out, err := unpack(b, r.b.codec, r.l)
	if err != nil {
		var exceeded *mem.ExceededError
		if errors.As(err, &exceeded) {
			return nil, err
		}
		return nil, corruptError{err}
	}
	return out, nil
}

// open reads the node and the validity of f, which must have want values or, if
// want is negative, any number up to the limit.
func (r *loader) open(f *field, want int) (*array, error) {
	nd := r.b.nodes[r.layout[f].start.nodes]
	if want >= 0 && nd.length != int64(want) {
		return nil, corrupt("it has %d values where %d are needed", nd.length, want)
	}
	if f.typ == nullType && nd.length > maxRows || nd.length > math.MaxInt64/64 {
		return nil, corrupt("it claims %d values", nd.length)
	}
	a := &array{f: f, n: int(nd.length)}
	if f.dict == nil && (f.typ == nullType || f.typ == runEndType || f.typ == unionType) || nd.nulls == 0 {
		return a, nil
	}
	b, err := r.buffer(f, 0)
	if err != nil {
		return nil, err
	}
	if int64(len(b)) < bitBytes(nd.length) {
		return nil, corrupt("its validity bitmap has %d bytes, %d values need %d", len(b), nd.length, bitBytes(nd.length))
	}
	if err := r.l.take(int64(len(b))); err != nil {
		return nil, err
	}
	a.valid = bitmap(b, a.n)
	return a, nil
}

func bitBytes(n int64) int64 { return (n + 7) / 8 }

// bitmap copies the first n bits of b.
func bitmap(b []byte, n int) col.Bitmap {
	m := col.NewBitmap(n)
	b = b[:bitBytes(int64(n))]
	full := len(b) / 8
	for i := range full {
		m[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	for i, x := range b[8*full:] {
		m[full] |= uint64(x) << (8 * i)
	}
	if n&63 != 0 {
		m[len(m)-1] &= 1<<(n&63) - 1
	}
	return m
}

// load reads field f of the batch whole; see open for want. It can be asked for
// every type that a column is made of: not for unions, maps and structs.
func (r *loader) load(f *field, want int) (*array, error) {
	a, err := r.open(f, want)
	if err != nil {
		return nil, err
	}
	if f.dict != nil {
		return a, r.fixed(a, f.dict.bits)
	}
	switch f.typ {
	case nullType:
		if err := r.l.take(bitBytes(int64(a.n))); err != nil {
			return nil, err
		}
		a.valid = col.NewBitmap(a.n)
		return a, nil
	case boolType:
		return a, r.fixed(a, 1)
	case utf8Type, binaryType:
		return a, r.variable(a, 4)
	case largeUtf8Type, largeBinaryType:
		return a, r.variable(a, 8)
	case utf8ViewType, binaryViewType:
		return a, r.viewed(a)
	case runEndType:
		return a, r.runEnds(a)
	case listType, largeListType, listViewType, largeListViewType, fixedListType:
		return a, r.list(a)
	}
	return a, r.fixed(a, f.width())
}

// width returns the bits of a value of fixed width.
func (f *field) width() int {
	switch f.typ {
	case boolType:
		return 1
	case intType, floatType, decimalType, timeType:
		return f.bits
	case dateType:
		if f.unit == days {
			return 32
		}
		return 64
	case timestampType, durationType:
		return 64
	}
	panic("arrow: not a type of fixed width: " + f.String())
}

func (r *loader) fixed(a *array, bits int) error {
	var err error
	if a.data, err = r.buffer(a.f, 1); err != nil {
		return err
	}
	if need := (int64(a.n)*int64(bits) + 7) / 8; need > int64(len(a.data)) || int64(a.n) > int64(len(a.data))*8 {
		return corrupt("its values have %d bytes, %d values need %d", len(a.data), a.n, need)
	}
	return nil
}

// variable reads offsets of size bytes and the bytes that they cut into strings.
func (r *loader) variable(a *array, size int) (err error) {
	if a.offs, err = r.buffer(a.f, 1); err != nil {
		return err
	}
	if a.data, err = r.buffer(a.f, 2); err != nil {
		return err
	}
	_, err = checkOffsets(a.offs, size, a.n, int64(len(a.data)))
	return err
}

// checkOffsets makes sure that n+1 offsets of size bytes are there, never fall
// and stay within limit. It returns the last one.
func checkOffsets(offs []byte, size, n int, limit int64) (last int64, err error) {
	if n == 0 {
		return 0, nil // writers may leave the single 0 out
	}
	if int64(n) >= int64(len(offs)/size) {
		return 0, corrupt("its offsets have %d bytes, too few for %d values", len(offs), n)
	}
	for i := range n + 1 {
		o := offset(offs, size, i)
		if o < last || o > limit {
			return 0, corrupt("offset %d is %d, outside %d to %d", i+1, o, last, limit)
		}
		last = o
	}
	return last, nil
}

func offset(offs []byte, size, i int) int64 {
	if size == 4 {
		return int64(int32(binary.LittleEndian.Uint32(offs[4*i:])))
	}
	return int64(binary.LittleEndian.Uint64(offs[8*i:]))
}

// A view is 16 bytes: the length, then either up to 12 bytes of content or four
// bytes of it, the number of a data buffer and an offset into that.
const (
	viewSize   = 16
	viewInline = 12
)

func (r *loader) viewed(a *array) error {
	if err := r.fixed(a, viewSize*8); err != nil {
		return err
	}
	p := r.layout[a.f].start.views
	for i := range r.b.views[p+1] - r.b.views[p] {
		b, err := r.buffer(a.f, 2+i)
		if err != nil {
			return err
		}
		a.views = append(a.views, b)
	}
	for i := range a.n {
		if !a.valid.Get(i) {
			continue
		}
		v := a.data[viewSize*i:]
		n := int64(int32(binary.LittleEndian.Uint32(v)))
		if n < 0 {
			return corrupt("value %d has the length %d", i+1, n)
		}
		if n <= viewInline {
			continue
		}
		buf, off := int64(int32(binary.LittleEndian.Uint32(v[8:]))), int64(int32(binary.LittleEndian.Uint32(v[12:])))
		if buf < 0 || buf >= int64(len(a.views)) {
			return corrupt("value %d lies in data buffer %d of %d", i+1, buf+1, len(a.views))
		}
		if off < 0 || off > int64(len(a.views[buf]))-n {
			return corrupt("value %d lies at byte %d with %d bytes; its data buffer has %d", i+1, off, n, len(a.views[buf]))
		}
	}
	return nil
}

// str returns string i of a utf8 or binary array.
func (a *array) str(i int) []byte {
	switch a.f.typ {
	case utf8Type, binaryType:
		return a.data[offset(a.offs, 4, i):offset(a.offs, 4, i+1)]
	case largeUtf8Type, largeBinaryType:
		return a.data[offset(a.offs, 8, i):offset(a.offs, 8, i+1)]
	}
	v := a.data[viewSize*i : viewSize*(i+1)]
	n := int(binary.LittleEndian.Uint32(v))
	if n <= viewInline {
		return v[4 : 4+n]
	}
	off := int(binary.LittleEndian.Uint32(v[12:]))
	return a.views[binary.LittleEndian.Uint32(v[8:])][off : off+n]
}

// runEnds reads a run-end encoded array: kids[0] are the ends, rising to at least
// n, kids[1] the values.
func (r *loader) runEnds(a *array) error {
	ends, err := r.load(a.f.kids[0], -1)
	if err != nil {
		return err
	}
	if ends.valid != nil {
		return corrupt("it has missing run ends")
	}
	values, err := r.load(a.f.kids[1], -1)
	if err != nil {
		return err
	}
	if values.n < ends.n {
		return corrupt("it has %d runs but %d values", ends.n, values.n)
	}
	last := int64(0)
	for i := range ends.n {
		e := ends.integer(i)
		if e <= last {
			return corrupt("run %d ends at %d, not after %d", i+1, e, last)
		}
		last = e
	}
	if last < int64(a.n) {
		return corrupt("its runs end at %d, before its %d values do", last, a.n)
	}
	a.kids = []*array{ends, values}
	return nil
}

// list reads a list of any layout. kids[0] holds the values of all lists.
func (r *loader) list(a *array) (err error) {
	size := 4
	if a.f.typ == largeListType || a.f.typ == largeListViewType {
		size = 8
	}
	if a.f.typ != fixedListType {
		if a.offs, err = r.buffer(a.f, 1); err != nil {
			return err
		}
	}
	if a.f.typ == listViewType || a.f.typ == largeListViewType {
		if a.sizes, err = r.buffer(a.f, 2); err != nil {
			return err
		}
	}
	kid, err := r.load(a.f.kids[0], -1)
	if err != nil {
		return err
	}
	a.kids = []*array{kid}
	switch a.f.typ {
	case fixedListType:
		if a.f.size > 0 && a.n > kid.n/a.f.size {
			return corrupt("%d lists of %d need more than its %d values", a.n, a.f.size, kid.n)
		}
	case listType, largeListType:
		_, err = checkOffsets(a.offs, size, a.n, int64(kid.n))
	default:
		if a.n > len(a.offs)/size || a.n > len(a.sizes)/size {
			return corrupt("its offsets and sizes have %d and %d bytes, too few for %d values", len(a.offs), len(a.sizes), a.n)
		}
		for i := range a.n {
			o, n := offset(a.offs, size, i), offset(a.sizes, size, i)
			if a.valid.Get(i) && (o < 0 || n < 0 || o > int64(kid.n)-n) {
				return corrupt("list %d lies at %d with %d values; there are %d", i+1, o, n, kid.n)
			}
		}
	}
	return err
}

// span returns where list i lies among the values of kids[0]. It is arbitrary
// for a missing list of a view.
func (a *array) span(i int) (start, n int) {
	switch a.f.typ {
	case fixedListType:
		return i * a.f.size, a.f.size
	case listType:
		o := offset(a.offs, 4, i)
		return int(o), int(offset(a.offs, 4, i+1) - o)
	case largeListType:
		o := offset(a.offs, 8, i)
		return int(o), int(offset(a.offs, 8, i+1) - o)
	case listViewType:
		return int(offset(a.offs, 4, i)), int(offset(a.sizes, 4, i))
	}
	return int(offset(a.offs, 8, i)), int(offset(a.sizes, 8, i))
}

// integer returns value i of an int array; of a uint64 above int64 the low bits.
func (a *array) integer(i int) int64 { return integer(a.data, i, a.f.bits, a.f.signed) }

func integer(b []byte, i, bits int, signed bool) int64 {
	switch bits {
	case 8:
		if signed {
			return int64(int8(b[i]))
		}
		return int64(b[i])
	case 16:
		x := binary.LittleEndian.Uint16(b[2*i:])
		if signed {
			return int64(int16(x))
		}
		return int64(x)
	case 32:
		x := binary.LittleEndian.Uint32(b[4*i:])
		if signed {
			return int64(int32(x))
		}
		return int64(x)
	}
	return int64(binary.LittleEndian.Uint64(b[8*i:]))
}

// float returns value i of a float array.
func (a *array) float(i int) float64 {
	switch a.f.bits {
	case 16:
		return half(binary.LittleEndian.Uint16(a.data[2*i:]))
	case 32:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(a.data[4*i:])))
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(a.data[8*i:]))
}

// half converts an IEEE 754 binary16.
func half(x uint16) float64 {
	exp, frac := int(x>>10&31), float64(x&1023)
	var f float64
	switch exp {
	case 0:
		f = math.Ldexp(frac, -24)
	case 31:
		f = math.Inf(1)
		if frac != 0 {
			f = math.NaN()
		}
	default:
		f = math.Ldexp(frac+1024, exp-25)
	}
	if x>>15 == 1 {
		f = -f
	}
	return f
}

// where adds to an error of the file the place where it is.
func (c *container) where(err error, b *batch, column string) error {
	var bad corruptError
	if errors.As(err, &bad) {
		return input.Errorf("'%s' is damaged: %s, column '%s': %s.", c.src.Name, b.what, column, bad)
	}
	return err
}
