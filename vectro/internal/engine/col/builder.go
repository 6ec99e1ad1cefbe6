package col

import (
	"math"
	"slices"
	"unsafe"
)

// Builders collect the values of one column in row order, cut them into chunks
// of [ChunkRows] and choose the storage at the end: [IntBuilder] for whole
// numbers and dates, [FloatBuilder] for other numbers, [LabelBuilder] for
// categories, [TextBuilder] for text and for labels that shall stay strings. The
// zero value of each is ready for use, for one goroutine; after Column it is
// spent.

// Integer is a whole number as sources deliver them.
type Integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32
}

// Code is a width of dictionary codes.
type Code interface{ uint8 | uint16 | uint32 }

// When a category is stored as plain strings rather than as codes.
const (
	maxLabels  = 1 << 20 // more labels than this
	minPresent = 1 << 16 // never for fewer values that are not missing

	// EarlyRows is after how many rows [LabelBuilder] judges for the first time.
	EarlyRows = 8 * ChunkRows
)

// validity is the bitmap of the chunk in progress; nil while nothing is missing.
type validity struct{ bits Bitmap }

// need makes the bitmap real, because a row is missing; if it was not, the first n
// rows are present. Bits from n on are zero, which is missing.
func (v *validity) need(n int) {
	if v.bits != nil {
		return
	}
	v.bits = NewBitmap(ChunkRows)
	setRange(v.bits, 0, n)
}

// present marks rows [n, n+count).
func (v *validity) present(n, count int) {
	if v.bits != nil {
		setRange(v.bits, n, count)
	}
}

// copy takes rows [from, from+count) of valid as rows [n, n+count).
func (v *validity) copy(n int, valid Bitmap, from, count int) {
	if valid == nil {
		v.present(n, count)
		return
	}
	v.need(n)
	copyBits(v.bits, n, valid, from, count)
}

// take returns the bitmap of a finished chunk of n rows and starts anew. It is
// nil when nothing is missing.
func (v *validity) take(n int) Bitmap {
	b := v.bits
	v.bits = nil
	if b == nil || b.Count(n) == n {
		return nil
	}
	if n == ChunkRows {
		return b
	}
	return append(Bitmap(nil), b[:(n+63)/64]...)
}

func setRange(b Bitmap, from, count int) {
	for count > 0 {
		bit := from & 63
		k := min(64-bit, count)
		b[from>>6] |= ones(k) << bit
		from += k
		count -= k
	}
}

func ones(k int) uint64 { return math.MaxUint64 >> (64 - k) } // 1 ≤ k ≤ 64

// copyBits ors bits [sfrom, sfrom+count) of src into dst at dfrom, where dst is zero.
func copyBits(dst Bitmap, dfrom int, src Bitmap, sfrom, count int) {
	for count > 0 {
		bit := dfrom & 63
		k := min(64-bit, count)
		w := src[sfrom>>6] >> (sfrom & 63)
		if have := 64 - sfrom&63; have < k {
			w |= src[sfrom>>6+1] << have
		}
		dst[dfrom>>6] |= w & ones(k) << bit
		dfrom += k
		sfrom += k
		count -= k
	}
}

// IntBuilder builds a column of whole numbers in the narrowest of int8, int16,
// int32 and int64 that holds them, or of dates in int32 (days) or int64.
type IntBuilder struct {
	vals   []int64
	valid  validity
	chunks []*Chunk
	width  int // bytes of the widest chunk
}

// Append adds a value.
func (b *IntBuilder) Append(v int64) {
	b.valid.present(len(b.vals), 1)
	b.vals = append(b.vals, v)
	if len(b.vals) == ChunkRows {
		b.flush()
	}
}

// AppendMissing adds n missing values.
func (b *IntBuilder) AppendMissing(n int) {
	for n > 0 {
		have := len(b.vals)
		k := min(n, ChunkRows-have)
		b.valid.need(have)
		b.vals = extend(b.vals, k)
		n -= k
		if len(b.vals) == ChunkRows {
			b.flush()
		}
	}
}

// AppendInts adds vals. valid says which are present, from its bit 0; nil: all.
func AppendInts[T Integer](b *IntBuilder, vals []T, valid Bitmap) {
	for from := 0; from < len(vals); {
		have := len(b.vals)
		k := min(len(vals)-from, ChunkRows-have)
		b.valid.copy(have, valid, from, k)
		b.vals = extend(b.vals, k)
		out := b.vals[have:]
		for i, v := range vals[from : from+k] {
			out[i] = int64(v)
		}
		if valid != nil {
			for i := range out { // what is missing must not widen the storage
				if !valid.Get(from + i) {
					out[i] = 0
				}
			}
		}
		from += k
		if len(b.vals) == ChunkRows {
			b.flush()
		}
	}
}

func (b *IntBuilder) flush() {
	n := len(b.vals)
	w := widthOf(b.vals)
	b.chunks = append(b.chunks, &Chunk{Len: n, Valid: b.valid.take(n), Data: narrowInts(b.vals, w)})
	b.width = max(b.width, w)
	b.vals = b.vals[:0]
}

// Column returns the column. Field.Kind is Number or Date.
func (b *IntBuilder) Column(f Field) *Column {
	if len(b.vals) > 0 {
		b.flush()
	}
	width := max(b.width, 1)
	if f.Kind == Date {
		width = 8
		if f.Unit == Day {
			width = 4
		}
	}
	for _, c := range b.chunks {
		c.Data = widenInts(c.Data, width)
	}
	return &Column{Field: f, Chunks: b.chunks}
}

// widthOf returns the bytes of the narrowest integer that holds all of vals.
func widthOf(vals []int64) int {
	var lo, hi int64
	for _, v := range vals {
		lo, hi = min(lo, v), max(hi, v)
	}
	return Width(lo, hi)
}

// Width returns the bytes of the narrowest signed integer that holds lo to hi: 1, 2, 4 or 8.
func Width(lo, hi int64) int {
	switch {
	case lo >= math.MinInt8 && hi <= math.MaxInt8:
		return 1
	case lo >= math.MinInt16 && hi <= math.MaxInt16:
		return 2
	case lo >= math.MinInt32 && hi <= math.MaxInt32:
		return 4
	}
	return 8
}

func narrowInts(vals []int64, width int) any {
	switch width {
	case 1:
		return convert[int64, int8](vals)
	case 2:
		return convert[int64, int16](vals)
	case 4:
		return convert[int64, int32](vals)
	}
	return convert[int64, int64](vals)
}

func widenInts(data any, width int) any {
	switch d := data.(type) {
	case []int8:
		return resizeInts(d, 1, width)
	case []int16:
		return resizeInts(d, 2, width)
	case []int32:
		return resizeInts(d, 4, width)
	case []int64:
		return resizeInts(d, 8, width)
	}
	panic("col: not whole numbers")
}

func resizeInts[T Integer](d []T, have, want int) any {
	switch {
	case have == want:
		return d
	case want == 2:
		return convert[T, int16](d)
	case want == 4:
		return convert[T, int32](d)
	}
	return convert[T, int64](d)
}

func convert[A, B Integer](in []A) []B {
	out := make([]B, len(in))
	for i, v := range in {
		out[i] = B(v)
	}
	return out
}

// extend lengthens s by n zeros.
func extend[T any](s []T, n int) []T {
	have := len(s)
	if cap(s)-have >= n {
		s = s[:have+n]
		clear(s[have:])
		return s
	}
	return append(s, make([]T, n)...)
}

// FloatBuilder builds a column of float64. NaN counts as missing.
type FloatBuilder struct {
	vals   []float64
	valid  validity
	chunks []*Chunk
}

// Append adds a value.
func (b *FloatBuilder) Append(v float64) {
	n := len(b.vals)
	if v != v {
		b.valid.need(n)
	} else {
		b.valid.present(n, 1)
	}
	b.vals = append(b.vals, v)
	if len(b.vals) == ChunkRows {
		b.flush()
	}
}

// AppendMissing adds n missing values.
func (b *FloatBuilder) AppendMissing(n int) {
	for n > 0 {
		have := len(b.vals)
		k := min(n, ChunkRows-have)
		b.valid.need(have)
		b.vals = extend(b.vals, k)
		n -= k
		if len(b.vals) == ChunkRows {
			b.flush()
		}
	}
}

// AppendFloats adds vals. valid says which are present, from its bit 0; nil: all
// but NaN.
func AppendFloats[T Integer | float32 | float64](b *FloatBuilder, vals []T, valid Bitmap) {
	for from := 0; from < len(vals); {
		have := len(b.vals)
		k := min(len(vals)-from, ChunkRows-have)
		b.valid.copy(have, valid, from, k)
		b.vals = extend(b.vals, k)
		out := b.vals[have:]
		for i, v := range vals[from : from+k] {
			f := float64(v)
			out[i] = f
			if f != f {
				b.valid.need(have + k)
				b.valid.bits.Clear(have + i)
			}
		}
		from += k
		if len(b.vals) == ChunkRows {
			b.flush()
		}
	}
}

func (b *FloatBuilder) flush() {
	n := len(b.vals)
	b.chunks = append(b.chunks, &Chunk{Len: n, Valid: b.valid.take(n), Data: b.vals[:n:n]})
	b.vals = nil
}

// Column returns the column.
func (b *FloatBuilder) Column(f Field) *Column {
	if len(b.vals) > 0 {
		b.vals = append(make([]float64, 0, len(b.vals)), b.vals...)
		b.flush()
	}
	return &Column{Field: f, Chunks: b.chunks}
}

// TextBuilder builds a column of byte strings, which must be valid UTF-8.
type TextBuilder struct {
	off    []uint32
	buf    []byte
	valid  validity
	chunks []*Chunk
	err    error
}

// Append adds a copy of s.
func (b *TextBuilder) Append(s []byte) {
	if uint64(len(b.buf))+uint64(len(s)) > math.MaxUint32 {
		b.err = errLongChunk
		s = nil
	}
	b.valid.present(b.n(), 1)
	if need := len(b.buf) + len(s); need > cap(b.buf) {
		b.buf = slices.Grow(b.buf, max(need, 2*cap(b.buf))-len(b.buf))
	}
	b.buf = append(b.buf, s...)
	b.end()
}

// AppendMissing adds n missing values.
func (b *TextBuilder) AppendMissing(n int) {
	for range n {
		b.valid.need(b.n())
		b.end()
	}
}

// AppendStrings adds the strings of s. valid says which are present, from its bit
// 0; nil: all.
func (b *TextBuilder) AppendStrings(s Strings, valid Bitmap) {
	for from := 0; from < s.Len(); {
		have := b.n()
		k := min(s.Len()-from, ChunkRows-have)
		bytes := s.Buf[s.Off[from]:s.Off[from+k]]
		if uint64(len(b.buf))+uint64(len(bytes)) > math.MaxUint32 {
			b.err = errLongChunk
			return
		}
		b.valid.copy(have, valid, from, k)
		if b.off == nil {
			b.off = append(b.off, 0)
		}
		shift := uint32(len(b.buf)) - s.Off[from]
		for _, o := range s.Off[from+1 : from+k+1] {
			b.off = append(b.off, o+shift)
		}
		b.buf = append(b.buf, bytes...)
		from += k
		if b.n() == ChunkRows {
			b.flush()
		}
	}
}

func (b *TextBuilder) n() int { return max(0, len(b.off)-1) }

func (b *TextBuilder) end() {
	if b.off == nil {
		b.off = append(b.off, 0)
	}
	b.off = append(b.off, uint32(len(b.buf)))
	if b.n() == ChunkRows {
		b.flush()
	}
}

func (b *TextBuilder) flush() {
	n := b.n()
	s := Strings{Off: clip(b.off), Buf: clip(b.buf)}
	b.chunks = append(b.chunks, &Chunk{Len: n, Valid: b.valid.take(n), Data: s})
	b.off = make([]uint32, 1, min(cap(b.off), ChunkRows+1))
	b.buf = make([]byte, 0, len(s.Buf)+len(s.Buf)/32)
}

// Column returns the column, or an error when one chunk's strings together have
// more than 4 GiB.
func (b *TextBuilder) Column(f Field) (*Column, error) {
	if b.n() > 0 {
		b.flush()
	}
	return &Column{Field: f, Chunks: b.chunks}, b.err
}

// clip returns s without much unused capacity.
func clip[T any](s []T) []T {
	if cap(s)-len(s) <= cap(s)/16 {
		return s[:len(s):len(s)]
	}
	return append(make([]T, 0, len(s)), s...)
}

type textError string

func (e textError) Error() string { return string(e) }

const errLongChunk = textError("131,072 rows of one column hold more than 4 GiB of text")

// LabelBuilder builds a category: codes into a dictionary in order of first
// sight, or strings when the labels repeat too little for that to pay
// ([PlainLabels], judged after the first [EarlyRows] rows and at the end).
type LabelBuilder struct {
	dict    *Dict
	codes   []uint32
	valid   validity
	chunks  []*Chunk
	present int // values in chunks
	width   int
	remap   map[*Dict][]uint32 // code of a foreign dictionary → own code + 1
	text    *TextBuilder       // takes over from dict when it is given up
}

// PlainLabels reports whether a category with so many labels among so many present
// values is better stored as strings than as codes: there are more than 2^20
// labels, or at least 65,536 values of which more than half are distinct.
func PlainLabels(labels, present int) bool {
	return labels > maxLabels || present >= minPresent && labels > present/2
}

// NewPlainLabels returns a builder that stores strings from the start, for a caller
// who knows that the first [EarlyRows] rows are such ([PlainLabels]), so
// that hashing them into a dictionary would be in vain.
func NewPlainLabels() *LabelBuilder { return &LabelBuilder{text: &TextBuilder{}} }

func (b *LabelBuilder) room() {
	if b.dict == nil {
		b.dict = NewDict()
	}
}

// Append adds a copy of label.
func (b *LabelBuilder) Append(label []byte) {
	if b.text != nil {
		b.text.Append(label)
		return
	}
	b.room()
	code, ok := b.dict.Add(label)
	if !ok {
		b.giveUp()
		b.text.Append(label)
		return
	}
	b.valid.present(len(b.codes), 1)
	b.push(code)
}

func (b *LabelBuilder) push(code uint32) {
	b.codes = append(b.codes, code)
	if len(b.codes) == ChunkRows {
		b.flush()
	}
}

// AppendMissing adds n missing values.
func (b *LabelBuilder) AppendMissing(n int) {
	for ; n > 0; n-- {
		if b.text != nil {
			b.text.AppendMissing(n)
			return
		}
		b.valid.need(len(b.codes))
		b.push(0)
	}
}

// AppendStrings adds the strings of s. valid says which are present, from its bit
// 0; nil: all.
func (b *LabelBuilder) AppendStrings(s Strings, valid Bitmap) {
	for i := range s.Len() {
		if b.text != nil && i == 0 {
			b.text.AppendStrings(s, valid)
			return
		}
		if valid.Get(i) {
			b.Append(s.Buf[s.Off[i]:s.Off[i+1]])
		} else {
			b.AppendMissing(1)
		}
	}
}

// AppendCodes adds the labels that codes stand for in src, which must not change
// any more and must hold every present code. valid says which are present, from
// its bit 0; nil: all.
func AppendCodes[T Integer](b *LabelBuilder, src *Dict, codes []T, valid Bitmap) {
	if b.text != nil {
		expand(b.text, src, codes, valid)
		return
	}
	b.room()
	remap := b.remap[src]
	if len(remap) < src.Len() {
		remap = append(remap, make([]uint32, src.Len()-len(remap))...)
		if b.remap == nil {
			b.remap = map[*Dict][]uint32{}
		}
		b.remap[src] = remap
	}
	for i, c := range codes {
		if valid != nil && !valid.Get(i) {
			b.AppendMissing(1)
			continue
		}
		if b.text == nil && remap[c] == 0 {
			if code, ok := b.dict.Add(src.bytes(uint32(c))); ok {
				remap[c] = code + 1
			} else {
				b.giveUp()
			}
		}
		if b.text != nil {
			b.text.Append(src.bytes(uint32(c)))
			continue
		}
		b.valid.present(len(b.codes), 1)
		b.push(remap[c] - 1)
	}
}

func (b *LabelBuilder) flush() {
	b.room() // there may have been missing values only
	n := len(b.codes)
	var hi uint32
	for _, c := range b.codes {
		hi = max(hi, c)
	}
	w := codeWidth(hi)
	c := &Chunk{Len: n, Valid: b.valid.take(n), Data: narrowCodes(b.codes, w)}
	b.chunks = append(b.chunks, c)
	b.present += c.Valid.Count(n)
	b.width = max(b.width, w)
	b.codes = b.codes[:0]
	if b.dict.Len() > maxLabels || len(b.chunks)*ChunkRows == EarlyRows && PlainLabels(b.dict.Len(), b.present) {
		b.giveUp()
	}
}

// giveUp turns everything so far into strings and leaves the rest to b.text.
func (b *LabelBuilder) giveUp() {
	b.text = &TextBuilder{}
	for i, c := range b.chunks {
		switch d := c.Data.(type) {
		case []uint8:
			expand(b.text, b.dict, d, c.Valid)
		case []uint16:
			expand(b.text, b.dict, d, c.Valid)
		case []uint32:
			expand(b.text, b.dict, d, c.Valid)
		}
		b.chunks[i] = nil // its memory may go as the strings come
	}
	if n := len(b.codes); n > 0 {
		expand(b.text, b.dict, b.codes, b.valid.take(n))
	}
	b.dict, b.codes, b.chunks, b.remap = nil, nil, nil, nil
}

func expand[T Integer](t *TextBuilder, d *Dict, codes []T, valid Bitmap) {
	for i, c := range codes {
		if valid.Get(i) {
			t.Append(d.bytes(uint32(c)))
		} else {
			t.AppendMissing(1)
		}
	}
}

// Column returns the column, or an error when it had to be stored as strings and
// one chunk's strings together have more than 4 GiB.
func (b *LabelBuilder) Column(f Field) (*Column, error) {
	if b.text != nil {
		return b.text.Column(f)
	}
	b.room()
	if len(b.codes) > 0 {
		b.flush()
	}
	if b.text == nil && !f.Bool && PlainLabels(b.dict.Len(), b.present) {
		b.giveUp()
	}
	if b.text != nil {
		return b.text.Column(f)
	}
	width := max(b.width, 1)
	for _, c := range b.chunks {
		c.Data = widenCodes(c.Data, width)
	}
	b.dict.clip()
	return &Column{Field: f, Dict: b.dict, Chunks: b.chunks}, nil
}

func codeWidth(hi uint32) int {
	switch {
	case hi <= math.MaxUint8:
		return 1
	case hi <= math.MaxUint16:
		return 2
	}
	return 4
}

// NarrowCodes returns a copy of codes in the narrowest of []uint8, []uint16 and
// []uint32 that holds them.
func NarrowCodes(codes []uint32) any {
	var hi uint32
	for _, c := range codes {
		hi = max(hi, c)
	}
	return narrowCodes(codes, codeWidth(hi))
}

// NarrowInts returns a copy of vals in the narrowest of []int8, []int16, []int32
// and []int64 that holds them.
func NarrowInts(vals []int64) any { return narrowInts(vals, widthOf(vals)) }

func narrowCodes(codes []uint32, width int) any {
	switch width {
	case 1:
		return convert[uint32, uint8](codes)
	case 2:
		return convert[uint32, uint16](codes)
	}
	return convert[uint32, uint32](codes)
}

func widenCodes(data any, width int) any {
	switch d := data.(type) {
	case []uint8:
		return resizeCodes(d, 1, width)
	case []uint16:
		return resizeCodes(d, 2, width)
	case []uint32:
		return d
	}
	panic("col: not codes")
}

func resizeCodes[T Code](d []T, have, want int) any {
	switch {
	case have == want:
		return d
	case want == 2:
		return convert[T, uint16](d)
	}
	return convert[T, uint32](d)
}

// bytes returns the label of code c, which the caller must not change.
func (d *Dict) bytes(c uint32) []byte { return d.arena[d.off[c]:d.off[c+1]:d.off[c+1]] }

// clip drops unused capacity of a dictionary that is complete.
func (d *Dict) clip() { d.off, d.arena, d.hashes = clip(d.off), clip(d.arena), clip(d.hashes) }

// AlignedFloats returns n zeros that begin on a 64-byte boundary, the size of a
// cache line and of the widest vector register.
func AlignedFloats(n int) []float32 {
	if n == 0 {
		return []float32{}
	}
	s := make([]float32, n+15)
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(s)))/4) & 15
	return s[skip : skip+n : skip+n]
}

// NewEmbedding returns a matrix of rows vectors of dim numbers, all missing, with
// rows that begin on 64-byte boundaries. Fill it with [Embedding.Set].
func NewEmbedding(field string, dim, rows int) *Embedding {
	stride := (dim + 15) &^ 15
	return &Embedding{
		Field: field, Dim: dim, Stride: stride,
		Data: AlignedFloats(rows * stride),
		Inv:  make([]float32, rows),
		Has:  NewBitmap(rows),
	}
}

// Set makes vec, Dim finite numbers, the vector of row i. Sets of rows in
// different words of Has (64 rows) may run concurrently.
func (e *Embedding) Set(i int, vec []float32) {
	copy(e.Row(i), vec)
	e.Has.Set(i)
	var sum float64
	for _, x := range vec {
		sum += float64(x) * float64(x)
	}
	// The inverse of a norm below 2^-128 is no float32: such a vector counts as zeros.
	if inv := 1 / math.Sqrt(sum); inv <= math.MaxFloat32 {
		e.Inv[i] = float32(inv)
	}
}

// Seal drops Has when every one of the rows has a vector.
func (e *Embedding) Seal(rows int) {
	if e.Has.Count(rows) == rows {
		e.Has = nil
	}
}
