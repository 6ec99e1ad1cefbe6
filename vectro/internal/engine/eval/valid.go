package eval

import (
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

// pack writes the first n conditions as bits.
func pack(dst []uint64, b []bool) {
	n := len(b)
	for w := range dst {
		var x uint64
		part := b[w*64 : min(n, w*64+64)]
		for i, t := range part {
			var bit uint64
			if t {
				bit = 1
			}
			x |= bit << (i & 63)
		}
		dst[w] = x
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
