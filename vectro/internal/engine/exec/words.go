package exec

import (
	"encoding/binary"
	"math"
	"math/rand/v2"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/vector"
)

// A word is a value as a uint64 under which equal values of one column are equal:
// the bits of numbers and dates, the number of a string.

// interner gives the strings of one column numbers. Where every batch has codes
// of one dictionary those are the numbers; else strings are collected in a
// dictionary of the interner's own, the labels of a foreign dictionary once each.
type interner struct {
	shared *col.Dict
	own    *col.Dict
	maps   map[*col.Dict][]uint32 // foreign code → own code + 1
	buf    []byte
	full   bool // more distinct text than a dictionary holds
}

func newInterner(shared *col.Dict) *interner {
	t := &interner{shared: shared}
	if shared == nil {
		t.own = col.NewDict()
	}
	return t
}

// dict returns the dictionary whose codes the words are.
func (t *interner) dict() *col.Dict {
	if t.shared != nil {
		return t.shared
	}
	return t.own
}

func (t *interner) bytes() int64 {
	if t == nil || t.own == nil {
		return 0
	}
	n := t.own.Bytes()
	for _, m := range t.maps {
		n += bytesOf(m)
	}
	return n
}

func (t *interner) add(s string) uint32 {
	t.buf = append(t.buf[:0], s...)
	code, ok := t.own.Add(t.buf)
	if !ok {
		t.full = true
	}
	return code
}

// mapping returns the table from codes of d to own codes + 1, zero where unknown.
func (t *interner) mapping(d *col.Dict) []uint32 {
	m := t.maps[d]
	if len(m) < d.Len() {
		m = append(m, make([]uint32, d.Len()-len(m))...)
		if t.maps == nil {
			t.maps = map[*col.Dict][]uint32{}
		}
		t.maps[d] = m
	}
	return m
}

// codes writes the numbers of the strings of v at the rows of sel to dst, stride
// words apart.
func (t *interner) codes(dst []uint64, stride int, v *vector.Vec, sel []uint16) {
	switch {
	case t.shared != nil:
		for _, r := range sel {
			dst[int(r)*stride] = uint64(v.Codes[r])
		}
	case v.Dict != nil && v.Dict.Len() > 0:
		m := t.mapping(v.Dict)
		for _, r := range sel {
			c := v.Codes[r]
			own := m[c]
			if own == 0 && v.Valid.Get(int(r)) {
				own = t.add(v.Dict.Label(c)) + 1
				m[c] = own
			}
			dst[int(r)*stride] = uint64(own - 1)
		}
	default:
		for _, r := range sel {
			if v.Valid.Get(int(r)) {
				dst[int(r)*stride] = uint64(t.add(v.Str(int(r))))
			}
		}
	}
}

// hugeBytes writes 128-bit numbers as strings that sort like them.
type hugeBytes [16]byte

func (b *hugeBytes) of(v *vector.Vec, r uint16) string {
	binary.BigEndian.PutUint64(b[:8], uint64(v.Hi[r])^1<<63)
	binary.BigEndian.PutUint64(b[8:], uint64(v.I[r]))
	return string(b[:])
}

// interned reports whether words of type t are numbers of an interner.
func interned(t plan.Type) bool {
	return t.Base == plan.String || t.Base == plan.Text || t.Base == plan.Huge
}

// encode writes the words of v at the rows of sel (which must be given) to
// dst[row*stride]. Words of missing values are arbitrary.
func encode(dst []uint64, stride int, v *vector.Vec, sel []uint16, t *interner) {
	switch v.T.Base {
	case plan.Int, plan.Date:
		for _, r := range sel {
			dst[int(r)*stride] = uint64(v.I[r])
		}
	case plan.Float:
		for _, r := range sel {
			dst[int(r)*stride] = math.Float64bits(v.F[r] + 0) // -0 + 0 is 0
		}
	case plan.Bool:
		for _, r := range sel {
			w := uint64(0)
			if v.B[r] {
				w = 1
			}
			dst[int(r)*stride] = w
		}
	case plan.Huge:
		var b hugeBytes
		for _, r := range sel {
			dst[int(r)*stride] = uint64(t.add(b.of(v, r)))
		}
	case plan.String, plan.Text:
		t.codes(dst, stride, v, sel)
	default:
		for _, r := range sel {
			dst[int(r)*stride] = 0
		}
	}
}

// decode fills a vector of type t from words, stride apart from dst[at]: the
// reverse of encode.
func decode(t plan.Type, words []uint64, stride, at, n int, in *interner) vector.Vec {
	v := vector.Vec{T: t, N: n}
	switch t.Base {
	case plan.Int, plan.Date:
		v.I = make([]int64, n)
		for i := range v.I {
			v.I[i] = int64(words[i*stride+at])
		}
	case plan.Float:
		v.F = make([]float64, n)
		for i := range v.F {
			v.F[i] = math.Float64frombits(words[i*stride+at])
		}
	case plan.Bool:
		v.B = make([]bool, n)
		for i := range v.B {
			v.B[i] = words[i*stride+at] == 1
		}
	case plan.Huge:
		v.I, v.Hi = make([]int64, n), make([]int64, n)
		for i := range v.I {
			if c := words[i*stride+at]; c < uint64(in.own.Len()) {
				b := []byte(in.own.Label(uint32(c)))
				v.Hi[i] = int64(binary.BigEndian.Uint64(b) ^ 1<<63)
				v.I[i] = int64(binary.BigEndian.Uint64(b[8:]))
			}
		}
	case plan.String, plan.Text:
		d := in.dict()
		if t.Base == plan.Text {
			v.S = make([]string, n)
		} else {
			v.Dict, v.Codes = d, make([]uint32, n)
		}
		for i := range n {
			c := words[i*stride+at]
			if c >= uint64(d.Len()) {
				continue // of a missing value
			}
			if v.S != nil {
				v.S[i] = d.Label(uint32(c))
			} else {
				v.Codes[i] = uint32(c)
			}
		}
	}
	return v
}

// wordTable numbers distinct keys of stride words 0, 1, 2, … in order of first
// sight. Open addressing; a slot of a one-word key holds the key itself, so that a
// look-up touches one place in memory.
type wordTable struct {
	stride int
	keys   []uint64 // stride words per number
	ones   []oneSlot
	many   []manySlot
	mask   uint64
}

type oneSlot struct {
	key uint64
	id  uint32 // number + 1; 0: empty
}

type manySlot struct {
	tag uint32 // upper half of the hash
	id  uint32
}

// The seeds differ from process to process, so that no file can be made to collide.
var seed, factor = rand.Uint64(), rand.Uint64() | 1

func fold(h uint64) uint64 {
	h *= factor
	return h ^ h>>32
}

// spread sees to it that both ends of a hash depend on all of it: tables use the
// lower end, partitions the upper.
func spread(h uint64) uint64 {
	h *= 0x9e3779b97f4a7c15
	return h ^ h>>29
}

func hash1(w uint64) uint64 { return spread(fold(w ^ seed)) }

func hashN(words []uint64) uint64 {
	h := seed
	for _, w := range words {
		h = fold(h ^ w)
	}
	return spread(h)
}

// hashKey is the hash that a table takes of a key.
func hashKey(key []uint64) uint64 {
	if len(key) == 1 {
		return hash1(key[0])
	}
	return hashN(key)
}

func newWordTable(stride int) *wordTable {
	t := &wordTable{stride: stride}
	t.setSlots(64)
	return t
}

func (t *wordTable) setSlots(n int) {
	t.mask = uint64(n - 1)
	if t.stride == 1 {
		t.ones = make([]oneSlot, n)
	} else {
		t.many = make([]manySlot, n)
	}
}

func (t *wordTable) len() int { return len(t.keys) / max(1, t.stride) }

func (t *wordTable) bytes() int64 { return bytesOf(t.keys) + bytesOf(t.ones) + bytesOf(t.many) }

func (t *wordTable) key(id uint32) []uint64 {
	return t.keys[int(id)*t.stride : (int(id)+1)*t.stride]
}

// empty drops all keys but keeps the room for looking keys up. The old keys belong
// to whoever has them.
func (t *wordTable) empty() {
	t.keys = nil
	clear(t.ones)
	clear(t.many)
}

// reserve makes room for n more keys, so that insert need not.
func (t *wordTable) reserve(n int) {
	want := t.len() + n
	size := int(t.mask) + 1
	if want*2 <= size {
		return
	}
	for want*2 > size {
		size *= 2
	}
	t.setSlots(size)
	if t.stride == 1 {
		for i, k := range t.keys {
			at := hash1(k) & t.mask
			for t.ones[at].id != 0 {
				at = (at + 1) & t.mask
			}
			t.ones[at] = oneSlot{k, uint32(i) + 1}
		}
		return
	}
	for i := range t.len() {
		h := hashN(t.key(uint32(i)))
		at := h & t.mask
		for t.many[at].id != 0 {
			at = (at + 1) & t.mask
		}
		t.many[at] = manySlot{uint32(h >> 32), uint32(i) + 1}
	}
}

// insert returns the number of key, whose hash is h; reserve must have been called.
func (t *wordTable) insert(key []uint64, h uint64) uint32 {
	at := h & t.mask
	if t.stride == 1 {
		k := key[0]
		for {
			s := &t.ones[at]
			if s.id == 0 {
				t.keys = append(t.keys, k)
				*s = oneSlot{k, uint32(len(t.keys))}
				return s.id - 1
			}
			if s.key == k {
				return s.id - 1
			}
			at = (at + 1) & t.mask
		}
	}
	tag := uint32(h >> 32)
	for {
		s := &t.many[at]
		if s.id == 0 {
			t.keys = append(t.keys, key...)
			*s = manySlot{tag, uint32(t.len())}
			return s.id - 1
		}
		if s.tag == tag && same(t.keys[int(s.id-1)*t.stride:], key) {
			return s.id - 1
		}
		at = (at + 1) & t.mask
	}
}

// find returns the number of key, or false.
func (t *wordTable) find(key []uint64, h uint64) (uint32, bool) {
	at := h & t.mask
	if t.stride == 1 {
		for {
			s := t.ones[at]
			if s.id == 0 || s.key == key[0] {
				return s.id - 1, s.id != 0
			}
			at = (at + 1) & t.mask
		}
	}
	tag := uint32(h >> 32)
	for {
		s := t.many[at]
		if s.id == 0 {
			return 0, false
		}
		if s.tag == tag && same(t.keys[int(s.id-1)*t.stride:], key) {
			return s.id - 1, true
		}
		at = (at + 1) & t.mask
	}
}

func same(a, b []uint64) bool {
	for i, x := range b {
		if a[i] != x {
			return false
		}
	}
	return true
}

// append numbers the rows of sel on, whether their keys are new or not, and writes
// the numbers to ids. The table cannot look keys up after it.
func (t *wordTable) append(ids []uint32, words []uint64, sel []uint16) {
	t.forget()
	n := uint32(t.len())
	for i, r := range sel {
		ids[r] = n + uint32(i)
		t.keys = append(t.keys, words[int(r)*t.stride:(int(r)+1)*t.stride]...)
	}
}

// forget drops what is only needed to look keys up.
func (t *wordTable) forget() { t.ones, t.many = nil, nil }

// assign writes the numbers of the keys of the rows of sel to ids. words holds
// stride words per row.
func (t *wordTable) assign(ids []uint32, words []uint64, sel []uint16) {
	t.reserve(len(sel))
	if t.stride == 1 {
		for _, r := range sel {
			k := words[r]
			at := hash1(k) & t.mask
			for {
				s := &t.ones[at]
				if s.key == k && s.id != 0 {
					ids[r] = s.id - 1
					break
				}
				if s.id == 0 {
					t.keys = append(t.keys, k)
					*s = oneSlot{k, uint32(len(t.keys))}
					ids[r] = s.id - 1
					break
				}
				at = (at + 1) & t.mask
			}
		}
		return
	}
	for _, r := range sel {
		key := words[int(r)*t.stride : (int(r)+1)*t.stride]
		ids[r] = t.insert(key, hashN(key))
	}
}
