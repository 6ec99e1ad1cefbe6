package arrow

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/mem"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/input"
)

// maxRows is the most rows of a table.
const maxRows = math.MaxInt32

// container is an Arrow file or stream whose metadata has been read and checked:
// every extent lies inside the file and every batch describes all fields. The
// buffers themselves are still on disk.
type container struct {
	src     input.Source
	scratch *ledger
	fields  []*field
	layout  map[*field]place // of every field of every level
	size    counts           // nodes, buffers and views of one batch
	batches []*batch
	dicts   map[int64][]dictBatch // by dictionary, in order of the file
	rows    int
}

// batch is the metadata of a record batch or of the values of a dictionary.
type batch struct {
	what  string // "record batch 3", "dictionary 1", for messages
	rows  int64
	nodes []node
	bufs  []extent
	views []int // views[i]: data buffers of the first i view fields together
	codec codec
	old   bool // metadata version 4, in which unions have validity bitmaps
}

type node struct{ length, nulls int64 }

// extent is a run of bytes of the file.
type extent struct{ off, len int64 }

// dictBatch is one message about a dictionary. It holds for the record batches
// from number before on.
type dictBatch struct {
	*batch
	delta  bool
	before int
}

// counts are the parts of a batch that a run of fields takes up. Buffers of view
// fields, whose number varies from batch to batch, are not in buffers.
type counts struct{ nodes, buffers, views int }

// place says where the parts of a field are found in a batch.
type place struct {
	start counts
	old   int // buffers that version 4 has in addition before the field
}

// ledger keeps the budget informed of buffers in flight. Its memory is returned
// by release.
type ledger struct {
	budget *mem.Budget
	held   int64
}

func (l *ledger) take(n int64) error {
	if err := l.budget.Reserve(n); err != nil {
		return err
	}
	l.held += n
	return nil
}

func (l *ledger) release() {
	l.budget.Release(l.held)
	l.held = 0
}

// open reads the metadata of src.
func open(src input.Source, budget *mem.Budget) (*container, error) {
	if src.Size == 0 {
		return nil, input.Empty(src.Name)
	}
	c := &container{src: src, scratch: &ledger{budget: budget}, dicts: map[int64][]dictBatch{}, layout: map[*field]place{}}
	head := make([]byte, min(8, src.Size))
	if err := src.ReadAt(head, 0); err != nil {
		return nil, err
	}
	var err error
	switch {
	case bytes.HasPrefix(head, []byte("FEA1")):
		return nil, input.Errorf("'%s' is a Feather file of version 1, which Vectro does not read; write it again as version 2 (Arrow IPC).", src.Name)
	case bytes.HasPrefix(head, []byte("ARROW1")):
		err = c.openFile()
	case isMessage(head):
		err = c.openStream()
	default:
		return nil, input.Errorf("'%s' is not an Arrow file: it begins with neither ARROW1 nor an Arrow message.", src.Name)
	}
	return c, err
}

// isMessage reports whether a stream can begin so: with the marker of a message,
// or with a plausible length as writers before Arrow 0.15 put there.
func isMessage(head []byte) bool {
	if len(head) < 4 {
		return false
	}
	n := binary.LittleEndian.Uint32(head)
	return n == math.MaxUint32 || n > 8 && n < 1<<24
}

// damaged words what is wrong with the file.
func (c *container) damaged(format string, args ...any) error {
	return input.Errorf("'%s' is damaged: %s.", c.src.Name, fmt.Sprintf(format, args...))
}

// read returns the bytes of e, which lies inside the file.
func (c *container) read(l *ledger, e extent) ([]byte, error) {
	if err := l.take(e.len); err != nil {
		return nil, err
	}
	b := make([]byte, e.len)
	return b, c.src.ReadAt(b, e.off)
}

const (
	fileStart = 8  // "ARROW1" and padding
	fileEnd   = 10 // length of the footer and "ARROW1"
	blockSize = 24 // a Block in the footer
)

func (c *container) openFile() error {
	size := c.src.Size
	end := make([]byte, fileEnd)
	if size < fileStart+fileEnd {
		return c.damaged("it ends after %d bytes, before its footer", size)
	}
	if err := c.src.ReadAt(end, size-fileEnd); err != nil {
		return err
	}
	if string(end[4:]) != "ARROW1" {
		return c.damaged("it ends without the mark of a complete Arrow file; it was probably cut off")
	}
	n := int64(int32(binary.LittleEndian.Uint32(end)))
	if n <= 0 || n > size-fileStart-fileEnd {
		return c.damaged("its footer claims %d bytes, the file has %d", n, size)
	}
	bodyEnd := size - fileEnd - n
	b, err := c.read(c.scratch, extent{bodyEnd, n})
	if err != nil {
		return err
	}
	footer := &flat{b: b}
	root := footer.root()
	if err := c.checkVersion(root.i16(0, 0), "footer"); err != nil {
		return err
	}
	schema, ok := root.table(1)
	if !ok {
		return c.damaged("its footer has no schema")
	}
	if err := c.setSchema(schema); err != nil {
		return err
	}
	dicts, err := c.blocks(root, 2, bodyEnd, "dictionary")
	if err != nil {
		return err
	}
	batches, err := c.blocks(root, 3, bodyEnd, "record batch")
	if err != nil {
		return err
	}
	if footer.bad {
		return c.damaged("its footer is not well formed")
	}
	if err := c.checkApart(append(slices.Clone(dicts), batches...)); err != nil {
		return err
	}
	for i, b := range dicts {
		if err := c.readBlock(b, fmt.Sprintf("dictionary block %d", i+1), dictionaryMessage); err != nil {
			return err
		}
	}
	for i, b := range batches {
		if err := c.readBlock(b, fmt.Sprintf("record batch %d", i+1), recordMessage); err != nil {
			return err
		}
	}
	return nil
}

// block is where the footer says that a message lies: its metadata with prefix
// and padding, and its body after it.
type block struct{ off, meta, body int64 }

func (c *container) blocks(footer table, i int, bodyEnd int64, what string) ([]block, error) {
	start, n := footer.vector(i, blockSize)
	list := make([]block, n)
	for j := range list {
		p := start + j*blockSize
		b := block{footer.f.i64(p), int64(int32(footer.f.u32(p + 8))), footer.f.i64(p + 16)}
		if b.off < fileStart || b.meta < 8 || b.body < 0 || b.off > bodyEnd || b.meta > bodyEnd-b.off || b.body > bodyEnd-b.off-b.meta {
			return nil, c.damaged("its footer puts %s %d at byte %d with %d + %d bytes, outside the file", what, j+1, b.off, b.meta, b.body)
		}
		list[j] = b
	}
	return list, nil
}

// checkApart refuses blocks that share bytes, with which a small file could
// unfold into a large table.
func (c *container) checkApart(list []block) error {
	slices.SortFunc(list, func(a, b block) int { return cmp.Compare(a.off, b.off) })
	for i := 1; i < len(list); i++ {
		if a := list[i-1]; a.off+a.meta+a.body > list[i].off {
			return c.damaged("its footer has two blocks that overlap at byte %d", list[i].off)
		}
	}
	return nil
}

// readBlock reads the message at b, which must be of type want.
func (c *container) readBlock(b block, what string, want uint8) error {
	meta, err := c.read(c.scratch, extent{b.off, b.meta})
	if err != nil {
		return err
	}
	prefix := 4
	if binary.LittleEndian.Uint32(meta) == math.MaxUint32 {
		prefix = 8
	}
	n := int64(int32(binary.LittleEndian.Uint32(meta[prefix-4:])))
	if n <= 0 || n > b.meta-int64(prefix) {
		return c.damaged("%s at byte %d claims %d bytes of metadata; its block has %d", what, b.off, n, b.meta)
	}
	return c.message(meta[prefix:prefix+int(n)], extent{b.off + b.meta, b.body}, what, want)
}

// openStream reads messages until the mark of the end, or the end of the file
// between two messages.
func (c *container) openStream() error {
	size := c.src.Size
	var dicts, batches int
	for off := int64(0); off < size; {
		prefix := make([]byte, min(8, size-off))
		if err := c.src.ReadAt(prefix, off); err != nil {
			return err
		}
		at := off
		var n int64
		switch {
		case len(prefix) >= 4 && binary.LittleEndian.Uint32(prefix) != math.MaxUint32:
			n = int64(int32(binary.LittleEndian.Uint32(prefix)))
			off += 4
		case len(prefix) == 8:
			n = int64(int32(binary.LittleEndian.Uint32(prefix[4:])))
			off += 8
		default:
			return c.damaged("it ends within the message at byte %d", at)
		}
		if n == 0 {
			break
		}
		if n < 0 {
			return c.damaged("the message at byte %d claims a negative length", at)
		}
		if n > size-off {
			return c.damaged("it ends within the message at byte %d, which claims %d bytes of metadata", at, n)
		}
		meta, err := c.read(c.scratch, extent{off, n})
		if err != nil {
			return err
		}
		off += n
		f := &flat{b: meta}
		root := f.root()
		kind, body := root.u8(1, 0), root.i64(3, 0)
		if f.bad || body < 0 {
			return c.damaged("the message at byte %d is not well formed", at)
		}
		if body > size-off {
			return c.damaged("it ends within the message at byte %d, which claims %d bytes of data", at, body)
		}
		what := ""
		switch {
		case c.fields == nil && kind != schemaMessage:
			return c.damaged("its first message is not a schema")
		case kind == schemaMessage && at > 0:
			return c.damaged("it has a second schema at byte %d", at)
		case kind == dictionaryMessage:
			dicts++
			what = fmt.Sprintf("dictionary block %d", dicts)
		case kind == recordMessage:
			batches++
			what = fmt.Sprintf("record batch %d", batches)
		}
		if err := c.message(meta, extent{off, body}, what, kind); err != nil {
			return err
		}
		off += body
	}
	if c.fields == nil {
		return c.damaged("it has no schema")
	}
	return nil
}

// Types of messages, as the format numbers them.
const (
	schemaMessage uint8 = iota + 1
	dictionaryMessage
	recordMessage
)

// message takes in one message whose body is known to lie inside the file.
func (c *container) message(meta []byte, body extent, what string, want uint8) error {
	f := &flat{b: meta}
	root := f.root()
	if kind := root.u8(1, 0); f.bad || kind != want {
		return c.damaged("%s is a message of type %d instead of %d", what, kind, want)
	}
	if n := root.i64(3, 0); n != body.len {
		return c.damaged("%s claims %d bytes of data; its block has %d", what, n, body.len)
	}
	version := root.i16(0, 0)
	if err := c.checkVersion(version, cmp.Or(what, "schema")); err != nil {
		return err
	}
	header, ok := root.table(2)
	if !ok {
		return c.damaged("%s has no content", cmp.Or(what, "the schema"))
	}
	switch want {
	case schemaMessage:
		return c.setSchema(header)
	case dictionaryMessage:
		return c.addDictionary(header, body, what, version)
	case recordMessage:
		return c.addBatch(header, body, what, version)
	}
	return c.damaged("the message at byte %d has type %d; tables have schemas, dictionaries and record batches", body.off, want)
}

const oldVersion, newVersion = 3, 4 // metadata versions V4 and V5

func (c *container) checkVersion(v int16, what string) error {
	if v != oldVersion && v != newVersion {
		return c.damaged("the %s has metadata version V%d; Vectro reads V4 and V5", what, int(v)+1)
	}
	return nil
}

func (c *container) setSchema(t table) error {
	fields, err := readSchema(t)
	if err != nil {
		return input.Errorf("'%s' cannot be read: %s.", c.src.Name, err)
	}
	if len(fields) == 0 {
		return input.Errorf("'%s' has no columns.", c.src.Name)
	}
	c.fields = fields
	old := 0
	placeFields(fields, c.layout, &c.size, &old)
	return nil
}

// placeFields records where the parts of fields begin, in the order of the format:
// a field, then its children.
func placeFields(fields []*field, layout map[*field]place, at *counts, old *int) {
	for _, f := range fields {
		layout[f] = place{*at, *old}
		at.nodes++
		if f.dict != nil {
			at.buffers += 2
			// The children belong to the dictionary's values, which are laid out
			// as a batch of their own.
			continue
		}
		switch f.typ {
		case nullType, runEndType:
		case structType, fixedListType:
			at.buffers++
		case unionType:
			at.buffers++
			if f.dense {
				at.buffers++
			}
			*old++
		case utf8Type, binaryType, largeUtf8Type, largeBinaryType, listViewType, largeListViewType:
			at.buffers += 3
		case utf8ViewType, binaryViewType:
			at.buffers += 2
			at.views++
		default:
			at.buffers += 2
		}
		placeFields(f.kids, layout, at, old)
	}
}

func (c *container) addBatch(t table, body extent, what string, version int16) error {
	b, err := c.readBatch(t, body, what, version)
	if err != nil {
		return err
	}
	if err := c.checkParts(b, c.size); err != nil {
		return err
	}
	if b.rows > maxRows-int64(c.rows) {
		return c.damaged("%s claims %d rows; a table has at most %d", what, b.rows, maxRows)
	}
	c.rows += int(b.rows)
	c.batches = append(c.batches, b)
	return nil
}

func (c *container) addDictionary(t table, body extent, what string, version int16) error {
	data, ok := t.table(1)
	if !ok {
		return c.damaged("%s has no values", what)
	}
	id, delta := t.i64(0, 0), t.u8(2, 0) != 0
	b, err := c.readBatch(data, body, what, version)
	if err != nil {
		return err
	}
	if b.rows > maxRows {
		return c.damaged("%s claims %d values; a dictionary has at most %d", what, b.rows, maxRows)
	}
	if delta && len(c.dicts[id]) == 0 {
		return c.damaged("%s adds to dictionary %d, which does not exist yet", what, id)
	}
	c.dicts[id] = append(c.dicts[id], dictBatch{b, delta, len(c.batches)})
	return nil
}

// checkParts makes sure that b has the parts that fields of that size take up.
func (c *container) checkParts(b *batch, size counts) error {
	if len(b.nodes) < size.nodes {
		return c.damaged("%s describes %d fields instead of %d", b.what, len(b.nodes), size.nodes)
	}
	if len(b.views)-1 < size.views {
		return c.damaged("%s says for %d view columns instead of %d how many buffers they have", b.what, len(b.views)-1, size.views)
	}
	if want := size.buffers + b.views[size.views]; len(b.bufs) < want {
		return c.damaged("%s has %d buffers instead of %d", b.what, len(b.bufs), want)
	}
	return nil
}

// readBatch reads a RecordBatch table and checks its extents against body.
func (c *container) readBatch(t table, body extent, what string, version int16) (*batch, error) {
	b := &batch{what: what, rows: t.i64(0, 0), old: version == oldVersion}
	start, n := t.vector(1, 16)
	if err := c.scratch.take(int64(n) * 16); err != nil {
		return nil, err
	}
	b.nodes = make([]node, n)
	for i := range b.nodes {
		p := start + 16*i
		b.nodes[i] = node{t.f.i64(p), t.f.i64(p + 8)}
		if nd := b.nodes[i]; nd.length < 0 || nd.nulls < 0 || nd.nulls > nd.length {
			return nil, c.damaged("%s has a field of %d values of which %d are missing", what, nd.length, nd.nulls)
		}
	}
	start, n = t.vector(2, 16)
	if err := c.scratch.take(int64(n) * 16); err != nil {
		return nil, err
	}
	b.bufs = make([]extent, n)
	for i := range b.bufs {
		p := start + 16*i
		e := extent{t.f.i64(p), t.f.i64(p + 8)}
		if e.off < 0 || e.len < 0 || e.off > body.len || e.len > body.len-e.off {
			return nil, c.damaged("%s puts buffer %d at byte %d with %d bytes; its data has %d", what, i+1, e.off, e.len, body.len)
		}
		b.bufs[i] = extent{body.off + e.off, e.len}
	}
	var err error
	if b.codec, err = c.readCodec(t, what); err != nil {
		return nil, err
	}
	start, n = t.vector(4, 8)
	b.views = make([]int, n+1)
	for i := range n {
		v := t.f.i64(start + 8*i)
		if v < 0 || v > int64(len(b.bufs)) {
			return nil, c.damaged("%s claims %d buffers for a view column", what, v)
		}
		b.views[i+1] = b.views[i] + int(v)
	}
	if t.f == nil || t.f.bad || b.rows < 0 {
		return nil, c.damaged("%s is not well formed", what)
	}
	return b, nil
}

func (c *container) readCodec(t table, what string) (codec, error) {
	compression, ok := t.table(3)
	if !ok {
		return plain, nil
	}
	if method := compression.u8(1, 0); method != 0 {
		return 0, c.damaged("%s is compressed by method %d, which the Arrow format does not know", what, method)
	}
	switch k := compression.u8(0, 0); k {
	case 0:
		return lz4Frame, nil
	case 1:
		return zstdFrame, nil
	default:
		return 0, c.damaged("%s is compressed with codec %d; the Arrow format has LZ4 and ZSTD", what, k)
	}
}
