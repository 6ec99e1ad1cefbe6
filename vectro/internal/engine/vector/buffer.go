package vector

import (
	"math/bits"
	"unsafe"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// Buffer is a Vec together with storage of its own. Between uses the Vec's slices
// may alias a table or another Vec; what is written always goes to the storage,
// so an alias is never overwritten. The zero Buffer is ready. One goroutine only.
type Buffer struct {
	Vec
	ints  []int64
	highs []int64
	flts  []float64
	bools []bool
	strs  []string
	codes []uint32
	valid col.Bitmap
}

func sized[T any](s *[]T, n int) []T {
	if cap(*s) < n {
		*s = make([]T, max(n, min(Size, 2*n)))
	}
	return (*s)[:n]
}

// Reset makes the buffer an empty vector of n rows of type t, all present, and
// drops every alias.
func (b *Buffer) Reset(t plan.Type, n int) { b.Vec = Vec{T: t, N: n} }

// Ints points I to n writable numbers and returns them. So do the functions below
// with their slices.
func (b *Buffer) Ints(n int) []int64 { b.I = sized(&b.ints, n); return b.I }

// Highs points Hi to n writable numbers.
func (b *Buffer) Highs(n int) []int64 { b.Hi = sized(&b.highs, n); return b.Hi }

// Floats points F to n writable numbers.
func (b *Buffer) Floats(n int) []float64 { b.F = sized(&b.flts, n); return b.F }

// Bools points B to n writable values.
func (b *Buffer) Bools(n int) []bool { b.B = sized(&b.bools, n); return b.B }

// Strs points S to n writable strings.
func (b *Buffer) Strs(n int) []string { b.S = sized(&b.strs, n); return b.S }

// CodesOf points Codes to n writable codes of d.
func (b *Buffer) CodesOf(d *col.Dict, n int) []uint32 {
	b.Dict, b.Codes = d, sized(&b.codes, n)
	return b.Codes
}

// Bits points Valid to a writable bitmap of n rows, all missing.
func (b *Buffer) Bits(n int) col.Bitmap {
	w := sized((*[]uint64)(&b.valid), (n+63)/64)
	clear(w)
	b.Valid = w
	return b.Valid
}

func pick[T any](dst, src []T, rows []uint16) {
	dst = dst[:len(rows)]
	for i, r := range rows {
		dst[i] = src[r]
	}
}

// Take makes b a copy of the given rows of v, in that order.
func (b *Buffer) Take(v *Vec, rows []uint16) {
	n := len(rows)
	b.Reset(v.T, n)
	switch v.T.Base {
	case plan.Int, plan.Date:
		pick(b.Ints(n), v.I, rows)
	case plan.Huge:
		pick(b.Ints(n), v.I, rows)
		pick(b.Highs(n), v.Hi, rows)
	case plan.Float:
		pick(b.Floats(n), v.F, rows)
		if v.I != nil {
			pick(b.Ints(n), v.I, rows)
		}
	case plan.Bool:
		pick(b.Bools(n), v.B, rows)
	case plan.String, plan.Text:
		if v.Dict != nil {
			pick(b.CodesOf(v.Dict, n), v.Codes, rows)
		} else {
			pick(b.Strs(n), v.S, rows)
		}
	}
	b.TakeValid(v.Valid, rows)
}

// TakeValid sets Valid to the given rows of valid.
func (b *Buffer) TakeValid(valid col.Bitmap, rows []uint16) {
	b.Valid = nil
	if valid == nil {
		return
	}
	w := b.Bits(len(rows))
	for i, r := range rows {
		w[i>>6] |= (valid[r>>6] >> (r & 63) & 1) << (i & 63)
	}
	b.Valid = Trim(w, len(rows))
}

// Trim returns valid, or nil when all of its n rows are present.
func Trim(valid col.Bitmap, n int) col.Bitmap {
	c := 0
	for _, w := range valid[:(n+63)/64] {
		c += bits.OnesCount64(w)
	}
	if c == n {
		return nil
	}
	return valid
}

// Identity is the selection of every row of a full batch; Identity[:n] that of n
// rows. It must not be written.
var Identity = func() []uint16 {
	s := make([]uint16, Size)
	for i := range s {
		s[i] = uint16(i)
	}
	return s
}()

// Present writes the rows of sel (nil: rows 0 to n-1) that valid marks as present
// to dst and returns them. dst must have room for all; it may be sel[:0].
func Present(dst, sel []uint16, n int, valid col.Bitmap) []uint16 {
	if sel == nil {
		sel = Identity[:n]
	}
	dst = dst[:len(sel)]
	k := 0
	for _, r := range sel {
		dst[k] = r
		k += int(valid[r>>6] >> (r & 63) & 1)
	}
	return dst[:k]
}

// True is Present for the rows where the condition v is true: neither false nor
// missing.
func True(dst, sel []uint16, n int, v *Vec) []uint16 {
	if v.T.Base == plan.Null {
		return dst[:0]
	}
	if v.Valid != nil {
		sel = Present(dst, sel, n, v.Valid)
	} else if sel == nil {
		sel = Identity[:n]
	}
	dst = dst[:len(sel)]
	k := 0
	for _, r := range sel {
		dst[k] = r
		k += int(*(*uint8)(unsafe.Pointer(&v.B[r]))) // a bool is 0 or 1
	}
	return dst[:k]
}
