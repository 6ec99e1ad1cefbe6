package arrow

import "encoding/binary"

// flat is a flatbuffer from an untrusted file. Every access is checked against
// its bounds; one that leaves them sets bad and yields zero, so that a caller
// decodes a whole message and asks once whether it can be believed. Nothing is
// copied, and a vector can only be walked if its elements are really there.
type flat struct {
	b   []byte
	bad bool
}

// at returns n bytes at pos, or nil and sets bad.
func (f *flat) at(pos, n int) []byte {
	if pos < 0 || n < 0 || pos > len(f.b)-n {
		f.bad = true
		return nil
	}
	return f.b[pos : pos+n]
}

func (f *flat) u8(pos int) uint8 {
	if b := f.at(pos, 1); b != nil {
		return b[0]
	}
	return 0
}

func (f *flat) u16(pos int) uint16 {
	if b := f.at(pos, 2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (f *flat) u32(pos int) uint32 {
	if b := f.at(pos, 4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (f *flat) i64(pos int) int64 {
	if b := f.at(pos, 8); b != nil {
		return int64(binary.LittleEndian.Uint64(b))
	}
	return 0
}

// root returns the table that the buffer starts with.
func (f *flat) root() table { return f.follow(0) }

// follow returns the table that the offset at pos leads to. Offsets only lead
// forward, so tables cannot form a cycle; they can share parts, which is why the
// number of tables that a schema may visit is limited where it is read.
func (f *flat) follow(pos int) table { return table{f, pos + int(f.u32(pos))} }

// table is one table of a flatbuffer. The zero table has no fields.
type table struct {
	f   *flat
	pos int
}

// slot returns the position of field i, or -1 where the table leaves it out.
func (t table) slot(i int) int {
	if t.f == nil {
		return -1
	}
	vtable := t.pos - int(int32(t.f.u32(t.pos)))
	entry := 4 + 2*i
	if entry+2 > int(t.f.u16(vtable)) {
		return -1
	}
	off := int(t.f.u16(vtable + entry))
	if off == 0 {
		return -1
	}
	return t.pos + off
}

func (t table) u8(i int, absent uint8) uint8 {
	if p := t.slot(i); p >= 0 {
		return t.f.u8(p)
	}
	return absent
}

func (t table) i16(i int, absent int16) int16 {
	if p := t.slot(i); p >= 0 {
		return int16(t.f.u16(p))
	}
	return absent
}

func (t table) i32(i int, absent int32) int32 {
	if p := t.slot(i); p >= 0 {
		return int32(t.f.u32(p))
	}
	return absent
}

func (t table) i64(i int, absent int64) int64 {
	if p := t.slot(i); p >= 0 {
		return t.f.i64(p)
	}
	return absent
}

// table returns the table in field i and whether there is one.
func (t table) table(i int) (table, bool) {
	p := t.slot(i)
	if p < 0 {
		return table{}, false
	}
	return t.f.follow(p), true
}

// vector returns where the elements of the vector in field i begin and how many
// elements of size bytes there are; none where the field is left out.
func (t table) vector(i, size int) (start, n int) {
	p := t.slot(i)
	if p < 0 {
		return 0, 0
	}
	p += int(t.f.u32(p))
	n = int(t.f.u32(p))
	if t.f.at(p+4, 0) == nil || n > (len(t.f.b)-p-4)/size {
		t.f.bad = true
		return 0, 0
	}
	return p + 4, n
}

// text returns the string in field i, sharing the buffer's memory.
func (t table) text(i int) []byte {
	p, n := t.vector(i, 1)
	if n == 0 {
		return nil
	}
	return t.f.at(p, n)
}
