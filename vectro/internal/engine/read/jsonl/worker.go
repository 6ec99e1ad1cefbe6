package jsonl

import (
	"bytes"
	"context"
	"fmt"
	"math"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/charset"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/column"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/input"
)

// parsed is what a block says.
type parsed struct {
	rows  int
	lines int // line ends, of the lines that begin in the block

	skipped    int
	skipLine   int // of the first skipped line, from 1 in the block
	skipReason string

	names  []string // keys of the rows in order of first sight
	pieces []*column.Piece
	fields []fieldInfo // of all valid lines, the skipped ones too

	vectors    []float32
	vectorRows []uint32 // in the block
}

func (p *parsed) vectorBytes() int64 {
	return int64(cap(p.vectors))*4 + int64(cap(p.vectorRows))*4
}

// fieldInfo is what decides whether a field is the embedding.
type fieldInfo struct {
	name    string
	first   firstValue
	lengths []int // of its first arrays of numbers
}

// firstValue is what a field's first value that is not null is.
type firstValue uint8

const (
	unseen firstValue = iota
	isVector
	isOther
)

// key is a worker's view of one field.
type key struct {
	name   string
	info   fieldInfo
	seen   bool // in a valid line of the block
	row    bool // in a row of the block
	parser *column.Parser
	rows   int           // that the parser has; what it lacks is missing
	cells  []column.Cell // of the batch
}

// worker has what one goroutine needs to parse blocks.
type worker struct {
	r    *reader
	win  input.Window
	scan scanner
	keys map[string]*key // by key as the file has it
	held int64           // bytes accounted for

	// Of the block.
	only map[string]column.Target // nil: all columns
	seen []*key                   // in order of first sight
	cols []*key
	out  *parsed
	rows int    // before the batch
	n    int    // in the batch
	last []*key // of the previous line: the next has mostly the same, in the same order
	line []*key
}

func (r *reader) worker() *worker {
	return &worker{r: r, win: input.Window{Src: r.src}, keys: map[string]*key{}}
}

// workers returns new workers, one for each thread.
func (r *reader) workers() []*worker {
	ws := make([]*worker, r.opt.Threads)
	for i := range ws {
		ws[i] = r.worker()
	}
	return ws
}

// bytes returns the memory that w holds.
func (w *worker) bytes() int64 {
	n := int64(cap(w.win.Data) + cap(w.scan.arena) + cap(w.scan.stack))
	if w.out != nil {
		n += w.out.vectorBytes()
	}
	for _, k := range w.keys {
		n += int64(cap(k.cells))*8 + int64(len(k.name)) + 256
		if k.parser != nil {
			n += k.parser.Bytes()
		}
	}
	return n
}

// account takes memory for what w holds by now.
func (w *worker) account() error {
	held := w.bytes()
	n := held - w.held
	w.held = held
	return w.r.scratch.Grow(n)
}

// parse parses the lines that begin in block b: all of their columns, or those of
// only, as it says.
func (w *worker) parse(ctx context.Context, b int, only map[string]column.Target) (*parsed, error) {
	from := w.r.start + int64(b)*w.r.block
	to := min(from+w.r.block, w.r.src.Size)
	look := from
	if b > 0 {
		look-- // is there a line end in front?
	}
	if err := w.win.Load(look, min(to+input.Lookahead, w.r.src.Size)); err != nil {
		return nil, err
	}
	pos, end := 0, int(to-look)
	if b > 0 {
		if nl := bytes.IndexByte(w.win.Data[:end], '\n'); nl >= 0 {
			pos = nl + 1
		} else {
			pos = end // the line fills the block and more
		}
	}
	w.only = only
	if err := w.run(ctx, pos, end); err != nil {
		return nil, err
	}
	out := w.out
	w.out = nil // it is the caller's
	failed := map[string]column.Target{}
	for _, k := range w.cols {
		if k.parser.Failed() {
			failed[k.name] = column.Label
			w.r.foundLabel(k.name)
		}
	}
	for _, k := range w.cols {
		out.names = append(out.names, k.name)
		out.pieces = append(out.pieces, k.parser.Piece())
	}
	for _, k := range w.seen {
		out.fields = append(out.fields, k.info)
	}
	if len(failed) > 0 {
		w.only = failed
		if err := w.run(ctx, pos, end); err != nil {
			return nil, err
		}
		again := map[string]*column.Piece{}
		for _, k := range w.cols {
			again[k.name] = k.parser.Piece()
		}
		for i, name := range out.names {
			if p := again[name]; p != nil {
				out.pieces[i] = p
			}
		}
	}
	return out, nil
}

// run parses the lines that begin in data[pos:end].
func (w *worker) run(ctx context.Context, pos, end int) error {
	for _, k := range w.keys {
		k.seen, k.row, k.info = false, false, fieldInfo{name: k.name}
	}
	w.seen, w.cols, w.out, w.rows = w.seen[:0], w.cols[:0], &parsed{}, 0
	w.last, w.line = w.last[:0], w.line[:0]
	for pos < end {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		w.scan.arena = w.scan.arena[:0]
		w.n = 0
		from := pos
		for w.n < batchRows && pos < end {
			stop, err := w.lineEnd(pos)
			if err != nil {
				return err
			}
			w.out.lines++
			if err := w.add(pos, stop); err != nil {
				return err
			}
			pos = stop + 1
		}
		batch := column.Batch{Data: w.win.Data, Arena: w.scan.arena}
		// The arena has bytes of the block and what escapes stand for, which is UTF-8.
		batch.Clean = charset.Clean(w.win.Data[from:min(pos, len(w.win.Data))], charset.UTF8)
		for _, k := range w.cols {
			if len(k.cells) == 0 {
				continue
			}
			k.parser.AddMissing(w.rows - k.rows)
			k.parser.Add(&batch, k.cells)
			k.rows = w.rows + len(k.cells)
			k.cells = k.cells[:0]
		}
		w.rows += w.n
		if err := w.account(); err != nil {
			return err
		}
	}
	// Lines with few of many keys need far more memory than they have bytes.
	for i, k := range w.cols {
		if i%64 == 63 {
			if err := w.account(); err != nil {
				return err
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
		}
		k.parser.AddMissing(w.rows - k.rows)
	}
	if err := w.account(); err != nil {
		return err
	}
	w.out.rows = w.rows
	return nil
}

// lineEnd returns the position of the line end, or of the end of the file, after
// pos.
func (w *worker) lineEnd(pos int) (int, error) {
	for from := pos; ; {
		nl := bytes.IndexByte(w.win.Data[from:], '\n')
		if nl >= 0 && from+nl-pos <= input.MaxRecord {
			return from + nl, nil
		}
		from = len(w.win.Data)
		switch {
		case nl >= 0 || from-pos > input.MaxRecord:
			return 0, input.Errorf("line %d of '%s' is longer than 64 MiB, the most that Vectro reads.", w.win.Line(pos, '\n'), w.r.src.Name)
		case w.win.EOF():
			return from, nil
		}
		if err := w.win.More(pos); err != nil {
			return 0, err
		}
	}
}

// add takes the line data[pos:stop] into the batch.
func (w *worker) add(pos, stop int) error {
	w.scan.data = w.win.Data
	w.scan.end = stop
	if w.scan.space(pos) == stop {
		return nil // blank
	}
	if f := w.scan.object(pos, stop); f != nil {
		w.skip(fmt.Sprintf("%s at byte %d", f.what, f.at-pos+1))
		return nil
	}
	w.line = w.line[:0]
	for i := range w.scan.out {
		k, err := w.key(i, pos)
		if err != nil {
			return err
		}
		w.line = append(w.line, k)
		k.look(&w.scan.out[i])
		if !k.seen {
			k.seen = true
			w.seen = append(w.seen, k)
		}
	}
	w.last, w.line = w.line, w.last
	if !w.vector() {
		return nil
	}
	for i, k := range w.last {
		if w.r.belief.has && k.name == w.r.belief.vector {
			continue
		}
		if !k.row && !w.column(k) {
			continue
		}
		if len(w.cols) > input.MaxColumns+1 { // one may turn out to be the embedding
			return input.Errorf("line %d of '%s' brings the %d-th different key; Vectro reads up to 16,384 columns.", w.win.Line(pos, '\n'), w.r.src.Name, len(w.cols))
		}
		for len(k.cells) < w.n {
			k.cells = append(k.cells, column.InData(column.Absent, 0, 0))
		}
		// Of a key that a line has twice the last value counts.
		k.cells = append(k.cells[:w.n], w.scan.out[i].value)
	}
	w.n++
	return nil
}

func (w *worker) skip(reason string) {
	if w.out.skipped == 0 {
		w.out.skipLine, w.out.skipReason = w.out.lines, reason
	}
	w.out.skipped++
}

// key returns the key of the line's i-th field.
func (w *worker) key(i, pos int) (*key, error) {
	raw := w.scan.bytes(w.scan.out[i].key)
	if i < len(w.last) && w.last[i].name == string(raw) {
		return w.last[i], nil
	}
	if k := w.keys[string(raw)]; k != nil {
		return k, nil
	}
	switch {
	case len(raw) > input.MaxName:
		return nil, input.Errorf("line %d of '%s' has a key of %d bytes; Vectro takes up to 1,024.", w.win.Line(pos, '\n'), w.r.src.Name, len(raw))
	case len(w.keys) > 2*input.MaxColumns:
		// Lines that were skipped may have brought keys that are no columns.
		return nil, input.Errorf("line %d of '%s' brings the %d-th different key; Vectro reads up to 16,384 columns.", w.win.Line(pos, '\n'), w.r.src.Name, len(w.keys)+1)
	}
	k := &key{name: string(raw)}
	k.info.name = k.name
	w.keys[k.name] = k
	return k, nil
}

// look notes what a value says about whether its field is the embedding.
func (k *key) look(f *field) {
	if f.value.IsAbsent() {
		return
	}
	vector := f.numbers >= minVector
	if k.info.first == unseen {
		k.info.first = isOther
		if vector {
			k.info.first = isVector
		}
	}
	if vector && len(k.info.lengths) < judgeLines {
		k.info.lengths = append(k.info.lengths, f.numbers)
	}
}

// column begins a column, or returns false if it is none of those to parse.
func (w *worker) column(k *key) bool {
	target, wanted := w.only[k.name]
	if w.only != nil && !wanted {
		return false
	}
	if w.only == nil {
		target = w.r.target(k.name)
	}
	k.row = true
	k.cells = k.cells[:0]
	if k.parser == nil {
		k.parser = new(column.Parser)
	}
	k.parser.Reset(target)
	k.rows = 0
	w.cols = append(w.cols, k)
	return true
}

// vector takes the line's vector, if it has one. It skips the line and returns
// false if the vector is not like the others.
func (w *worker) vector() bool {
	if !w.r.belief.has {
		return true
	}
	var f *field
	for i, k := range w.last {
		if k.name == w.r.belief.vector {
			f = &w.scan.out[i]
		}
	}
	if f == nil || f.value.IsAbsent() {
		return true
	}
	if f.numbers != w.r.belief.dim {
		what := "is no array of numbers"
		if f.numbers >= 0 {
			what = fmt.Sprintf("has %d numbers instead of %d", f.numbers, w.r.belief.dim)
		}
		w.skip(fmt.Sprintf("'%s' %s", clean(w.r.belief.vector), what))
		return false
	}
	at := len(w.out.vectors)
	s := w.scan.bytes(f.vector) // known to be numbers, commas, blanks and the brackets
	for i := 1; i < len(s); {
		if s[i] <= ' ' || s[i] == ',' || s[i] == ']' {
			i++
			continue
		}
		from := i
		for s[i] > ' ' && s[i] != ',' && s[i] != ']' {
			i++
		}
		x := column.Float(s[from:i])
		if math.Abs(x) > math.MaxFloat32 {
			w.out.vectors = w.out.vectors[:at]
			w.skip(fmt.Sprintf("'%s' has a number beyond the range of 32-bit floats", clean(w.r.belief.vector)))
			return false
		}
		w.out.vectors = append(w.out.vectors, float32(x))
	}
	w.out.vectorRows = append(w.out.vectorRows, uint32(w.rows+w.n))
	return true
}
