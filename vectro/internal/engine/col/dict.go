package col

import (
	"hash/maphash"
	"slices"
	"sync"
	"unsafe"
)

// Dict maps the labels of one column to codes 0, 1, 2, … in order of first
// sight. Open addressing over one byte arena; the hash of every label is kept, so
// growing never touches the labels. Add is for one goroutine; once published the
// other methods may be called concurrently.
type Dict struct {
	off    []uint32 // label c is arena[off[c]:off[c+1]]
	arena  []byte
	hashes []uint64
	slots  []uint32 // code+1, 0 for empty; len is a power of two

	rankOnce sync.Once
	rank     []uint32
}

// One seed for the process: the hash decides only where a label sits in the
// slots, never a code or an order.
var dictSeed = maphash.MakeSeed()

// NewDict returns an empty dictionary.
func NewDict() *Dict {
	return &Dict{off: []uint32{0}, slots: make([]uint32, 16)}
}

// Len returns the number of labels.
func (d *Dict) Len() int { return len(d.hashes) }

// Label returns the label of code c, which must be < Len. It shares the
// dictionary's memory.
func (d *Dict) Label(c uint32) string {
	b := d.arena[d.off[c]:d.off[c+1]]
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// Lookup returns the code of label, if it is present.
func (d *Dict) Lookup(label string) (code uint32, ok bool) {
	h := maphash.String(dictSeed, label)
	mask := uint64(len(d.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		s := d.slots[i]
		if s == 0 {
			return 0, false
		}
		if d.hashes[s-1] == h && d.Label(s-1) == label {
			return s - 1, true
		}
	}
}

// Add returns the code of label, giving it the next one if it is new. The label
// is copied. It returns false, and adds nothing, when the labels together would
// exceed 4 GiB or 2^32-1 in number.
func (d *Dict) Add(label []byte) (code uint32, ok bool) {
	h := maphash.Bytes(dictSeed, label)
	mask := uint64(len(d.slots) - 1)
	i := h & mask
	for ; d.slots[i] != 0; i = (i + 1) & mask {
		s := d.slots[i]
		if d.hashes[s-1] == h && d.Label(s-1) == string(label) {
			return s - 1, true
		}
	}
	if uint64(len(d.arena))+uint64(len(label)) > 1<<32-1 || len(d.hashes) == 1<<32-2 {
		return 0, false
	}
	code = uint32(len(d.hashes))
	// Doubling: append alone grows large slices by a quarter, which for a long
	// dictionary would copy every label four times.
	if need := len(d.arena) + len(label); need > cap(d.arena) {
		d.arena = slices.Grow(d.arena, max(need, 2*cap(d.arena))-len(d.arena))
	}
	if len(d.hashes) == cap(d.hashes) {
		d.hashes = slices.Grow(d.hashes, len(d.hashes)+1)
		d.off = slices.Grow(d.off, len(d.off)+1)
	}
	d.arena = append(d.arena, label...)
	d.off = append(d.off, uint32(len(d.arena)))
	d.hashes = append(d.hashes, h)
	d.slots[i] = code + 1
	if len(d.hashes)*2 > len(d.slots) {
		d.grow()
	}
	return code, true
}

func (d *Dict) grow() {
	slots := make([]uint32, len(d.slots)*2)
	mask := uint64(len(slots) - 1)
	for c, h := range d.hashes {
		i := h & mask
		for slots[i] != 0 {
			i = (i + 1) & mask
		}
		slots[i] = uint32(c) + 1
	}
	d.slots = slots
}

// Rank returns, per code, the position of its label when the labels are sorted
// by code point (which is the order of UTF-8 bytes). Computed once.
func (d *Dict) Rank() []uint32 {
	d.rankOnce.Do(func() {
		codes := make([]uint32, d.Len())
		for i := range codes {
			codes[i] = uint32(i)
		}
		slices.SortFunc(codes, func(a, b uint32) int {
			if d.Label(a) < d.Label(b) {
				return -1
			}
			return 1 // labels are distinct
		})
		d.rank = make([]uint32, len(codes))
		for pos, c := range codes {
			d.rank[c] = uint32(pos)
		}
	})
	return d.rank
}

// Bytes returns the memory that the dictionary holds.
func (d *Dict) Bytes() int64 {
	return int64(cap(d.arena)) + int64(cap(d.off))*4 + int64(cap(d.hashes))*8 + int64(len(d.slots))*4
}
