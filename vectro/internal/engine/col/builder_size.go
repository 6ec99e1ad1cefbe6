package col

// The Bytes methods say what a builder holds so far, for the budget: finished
// chunks, the chunk in progress and the dictionary. They walk the finished chunks,
// so ask once a chunk, not once a row.

// Bytes returns the memory that the builder holds.
func (b *IntBuilder) Bytes() int64 { return chunkBytes(b.chunks) + int64(cap(b.vals))*8 }

// Bytes returns the memory that the builder holds.
func (b *FloatBuilder) Bytes() int64 { return chunkBytes(b.chunks) + int64(cap(b.vals))*8 }

// Bytes returns the memory that the builder holds.
func (b *TextBuilder) Bytes() int64 {
	return chunkBytes(b.chunks) + int64(cap(b.off))*4 + int64(cap(b.buf))
}

// Bytes returns the memory that the builder holds.
func (b *LabelBuilder) Bytes() int64 {
	n := chunkBytes(b.chunks) + int64(cap(b.codes))*4
	if b.dict != nil {
		n += b.dict.Bytes()
	}
	if b.text != nil {
		n += b.text.Bytes()
	}
	return n
}

func chunkBytes(chunks []*Chunk) int64 {
	var n int64
	for _, c := range chunks {
		n += c.Bytes()
	}
	return n
}
