package eval

import (
	"encoding/binary"
	"unsafe"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/vector"
)

// both sets o's validity to the rows that are present in a and in b.
func both(o *vector.Buffer, a, b *vector.Vec) {
	switch {
	case a.Valid == nil && b.Valid == nil:
		return
	case a.Valid == nil:
		as(o, b)
	case b.Valid == nil:
		as(o, a)
	default:
		w := o.Bits(o.N)
		va, vb := a.Valid[:len(w)], b.Valid[:len(w)]
		for i := range w {
			w[i] = va[i] & vb[i]
		}
	}
}

// as sets o's validity to a's. It is copied: a's slot may be reused before o's.
func as(o *vector.Buffer, a *vector.Vec) {
	if a.Valid == nil {
		return
	}
	w := o.Bits(o.N)
	copy(w, a.Valid[:len(w)])
}

// narrow sets o's validity to the rows that are present in all of vs.
func narrow(o *vector.Buffer, vs []*vector.Vec) {
	for _, v := range vs {
		if v.Valid == nil {
			continue
		}
		if o.Valid == nil {
			as(o, v)
			continue
		}
		w := o.Valid
		for i := range w {
			w[i] &= v.Valid[i]
		}
	}
}

// bitsOf returns o's validity for clearing bits in.
func bitsOf(o *vector.Buffer) col.Bitmap {
	if o.Valid == nil {
		ones(o.Bits(o.N), o.N)
	}
	return o.Valid
}

// ones sets the first n bits.
func ones(w []uint64, n int) {
	for i := range w[:n>>6] {
		w[i] = ^uint64(0)
	}
	clear(w[n>>6:])
	if r := n & 63; r != 0 {
		w[n>>6] = 1<<r - 1
	}
}

// trimTail clears the bits past n.
func trimTail(w []uint64, n int) {
	if r := n & 63; r != 0 {
		w[n>>6] &= 1<<r - 1
	}
}

// noNaN marks the NaN in o's floats as missing.
func noNaN(o *vector.Buffer) {
	valid := bitsOf(o)
	for i, f := range o.F {
		if f != f {
			valid.Clear(i)
		}
	}
}

// bytesOf views conditions as bytes, each 0 or 1.
func bytesOf(b []bool) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(b))), len(b))
}

// pack writes conditions as bits, the first as the lowest.
func pack(dst []uint64, b []bool) {
	clear(dst)
	bytes := bytesOf(b)
	i := 0
	for ; i+8 <= len(bytes); i += 8 {
		// The product moves bit 0 of byte j to bit 56+j; no two terms meet.
		x := binary.LittleEndian.Uint64(bytes[i:]) * 0x0102040810204080 >> 56
		dst[i>>6] |= x << (i & 63)
	}
	for ; i < len(bytes); i++ {
		dst[i>>6] |= uint64(bytes[i]) << (i & 63)
	}
}

// andBools writes a && b.
func andBools(o, a, b []bool) {
	x, y, z := bytesOf(a)[:len(o)], bytesOf(b)[:len(o)], bytesOf(o)
	i := 0
	for ; i+8 <= len(z); i += 8 {
		binary.LittleEndian.PutUint64(z[i:], binary.LittleEndian.Uint64(x[i:])&binary.LittleEndian.Uint64(y[i:]))
	}
	for ; i < len(z); i++ {
		z[i] = x[i] & y[i]
	}
}

// orBools writes a || b.
func orBools(o, a, b []bool) {
	x, y, z := bytesOf(a)[:len(o)], bytesOf(b)[:len(o)], bytesOf(o)
	i := 0
	for ; i+8 <= len(z); i += 8 {
		binary.LittleEndian.PutUint64(z[i:], binary.LittleEndian.Uint64(x[i:])|binary.LittleEndian.Uint64(y[i:]))
	}
	for ; i < len(z); i++ {
		z[i] = x[i] | y[i]
	}
}

// bits returns the k-th scratch bitmap for the state's batch.
func (s *State) bits(k int) []uint64 {
	if s.words[k] == nil {
		s.words[k] = make([]uint64, (vector.Size+63)/64)
	}
	return s.words[k][:(s.n+63)/64]
}

// truth returns, as bits, the rows where v is true.
func (s *State) truth(k int, v *vector.Vec) []uint64 {
	w := s.bits(k)
	pack(w, v.B[:s.n])
	if v.Valid != nil {
		for i := range w {
			w[i] &= v.Valid[i]
		}
	}
	return w
}
