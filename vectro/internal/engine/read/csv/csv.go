package csv

import (
	"bytes"
	"context"
	"strings"
	"sync/atomic"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/mem"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/charset"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/column"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/input"
)

const (
	headSize    = 1 << 20  // judged for encoding, line ends and delimiter
	blockSize   = 4 << 20  // at least
	sampleSize  = 64 << 10 // of the first block and of every sampled one
	sampleCount = 16
	batchCells  = 1 << 17 // cells tokenized before they are parsed
	batchRows   = 1024    // at most
)

// Read loads a CSV file, or a TSV file when tabs is set. Mistakes in the file or
// in opt.Types are [*input.Error].
func Read(ctx context.Context, src input.Source, tabs bool, opt input.Options) (*input.Result, error) {
	return read(ctx, src, tabs, opt.WithDefaults(), 0)
}

// read is Read with a given block size; 0: by the number of columns.
func read(ctx context.Context, src input.Source, tabs bool, opt input.Options, block int64) (*input.Result, error) {
	r := &reader{src: src, opt: opt, fileSize: src.Size}
	r.scratch.Budget = opt.Lease.Budget
	defer r.scratch.Close()
	if err := r.open(ctx, tabs); err != nil {
		return nil, err
	}
	r.block = block
	if block == 0 {
		// A piece of a column has a fixed cost; wide tables get larger blocks.
		r.block = max(blockSize, int64(len(r.names))*4096)
	}
	r.blocks = int((r.src.Size - r.start + r.block - 1) / r.block)
	for _, step := range []func(context.Context) error{r.findQuotes, r.sample, r.parse, r.again} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return r.merge(ctx)
}

// reader is one load.
type reader struct {
	src      input.Source // as UTF-8 or Windows-1252
	opt      input.Options
	fileSize int64     // of the file itself
	scratch  mem.Lease // for what the load needs beside the table

	coding         charset.Encoding
	delim, newline byte
	start          int64 // where the first record of data begins
	names          []string
	replaced       int // damaged names

	block   int64
	blocks  int
	states  []state         // at the beginning of each block
	targets []column.Target // what each column is parsed as
	pieces  [][]*column.Piece
	rows    []int // of each block
	ragged  atomic.Int64
}

// open learns how the file is written, and its header.
func (r *reader) open(ctx context.Context, tabs bool) error {
	if r.src.Size == 0 {
		return input.Empty(r.src.Name)
	}
	head, err := r.head()
	if err != nil {
		return err
	}
	enc, mark := charset.Detect(head, int64(len(head)) == r.src.Size)
	switch {
	case enc == charset.UTF16LE || enc == charset.UTF16BE:
		if r.src, err = charset.Decode(ctx, r.src, enc, mark, r.opt.Threads, &r.scratch); err != nil {
			return err
		}
		if head, err = r.head(); err != nil {
			return err
		}
		enc, mark = charset.UTF8, 0
	case enc == charset.UTF32:
		return input.Errorf("'%s' is written in UTF-32; Vectro reads CSV in UTF-8, in Windows-1252, and in UTF-16 with a byte order mark.", r.src.Name)
	case mark == 0 && bytes.IndexByte(head, 0) >= 0:
		return input.Errorf("'%s' holds NUL bytes, so it is not text; Vectro reads CSV in UTF-8, in Windows-1252, and in UTF-16 with a byte order mark.", r.src.Name)
	}
	r.coding = enc
	r.newline = '\n'
	if bytes.IndexByte(head, '\n') < 0 && bytes.IndexByte(head, '\r') >= 0 {
		r.newline = '\r'
	}
	delim, n := separator(head[mark:])
	switch {
	case n > 0:
		r.delim, mark = delim, mark+n
	case tabs:
		r.delim = '\t'
	default:
		r.delim = sniff(head[mark:], r.newline, int64(len(head)) == r.src.Size)
	}
	return r.header(int64(mark))
}

// separator reads the first line sep=; that spreadsheets write to name the
// delimiter, and returns it with the length of the line, or 0 if there is none.
func separator(head []byte) (delim byte, n int) {
	end := bytes.IndexAny(head, "\r\n")
	if end < 0 {
		return 0, 0
	}
	line := head[:end]
	if len(line) == len(`"sep=;"`) && line[0] == '"' && line[len(line)-1] == '"' {
		line = line[1 : len(line)-1]
	}
	if len(line) != len("sep=;") || !strings.EqualFold(string(line[:4]), "sep=") || strings.IndexByte(",;\t|", line[4]) < 0 {
		return 0, 0
	}
	if head[end] == '\r' && end+1 < len(head) && head[end+1] == '\n' {
		end++
	}
	return line[4], end + 1
}

func (r *reader) head() ([]byte, error) {
	head := make([]byte, min(r.src.Size, headSize))
	return head, r.src.ReadAt(head, 0)
}

// sniff returns the delimiter that gives the most of the first 200 records the
// same number of fields, of at least two; on a tie the one that leaves the fewest
// other records, which a comma inside of quoted text would make, then the comma.
func sniff(head []byte, newline byte, whole bool) byte {
	best, most, others := byte(','), 0, 0
	for _, delim := range []byte{',', ';', '\t', '|'} {
		t := tokenizer{delim: delim, newline: newline, data: head, eof: whole}
		counts := map[int]int{}
		equal, n := 0, 0
		for pos := 0; pos < len(head) && n < 200; {
			if b := t.blank(pos); b > 0 {
				pos += b
				continue
			}
			fields, next, _, what := t.record(pos)
			if what != complete {
				break
			}
			t.reset()
			if fields > 1 {
				counts[fields]++
				equal = max(equal, counts[fields])
			}
			pos = next
			n++
		}
		if equal > most || equal > 0 && equal == most && n-equal < others {
			best, most, others = delim, equal, n-equal
		}
	}
	return best
}

// header reads the first record, from offset off.
func (r *reader) header(off int64) error {
	w := r.worker()
	if err := w.load(off, min(off+headSize, r.src.Size)); err != nil {
		return err
	}
	pos := 0
	for {
		if pos == len(w.win.Data) {
			if w.win.EOF() {
				return input.Empty(r.src.Name)
			}
			next := w.win.Off + int64(pos)
			if err := w.load(next, min(next+headSize, r.src.Size)); err != nil {
				return err
			}
			pos = 0
		}
		n := w.tok.blank(pos)
		if n == 0 {
			break
		}
		pos += n
	}
	fields, _, err := w.record(pos)
	if err != nil {
		return err
	}
	if fields > input.MaxColumns {
		return input.Errorf("line %d of '%s' has %d columns; Vectro reads up to 16,384.", w.line(pos), r.src.Name, fields)
	}
	w.columns(all(fields), fields)
	_, next, err := w.record(pos)
	if err != nil {
		return err
	}
	batch := column.Batch{Data: w.win.Data, Arena: w.tok.arena}
	raw := make([]string, fields)
	present, values := 0, 0
	for i := range raw {
		cell := batch.Bytes(w.tok.cells[i][0])
		if len(cell) > 0 {
			present++
			if column.Value(cell, r.delim == ';') {
				values++
			}
		}
		name, damaged := charset.Repair(nil, cell, r.coding)
		if damaged {
			r.replaced++
		}
		raw[i] = strings.TrimSpace(string(name))
	}
	if present > 0 && values == present { // data
		clear(raw)
		next = pos
		r.replaced = 0
	}
	r.start = w.win.Off + int64(next)
	r.names, err = input.Names(r.src.Name, raw)
	if err != nil {
		return err
	}
	kinds, err := input.Kinds(r.names, r.opt.Types)
	if err != nil {
		return err
	}
	r.targets = make([]column.Target, len(kinds))
	for i, k := range kinds {
		r.targets[i] = column.Forced(k)
	}
	return nil
}

func all(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// bounds returns where block b begins and ends.
func (r *reader) bounds(b int) (from, to int64) {
	from = r.start + int64(b)*r.block
	return from, min(from+r.block, r.src.Size)
}

// findQuotes is the first pass: the state at the beginning of every block.
func (r *reader) findQuotes(ctx context.Context) error {
	r.states = make([]state, r.blocks)
	if r.blocks < 2 {
		return nil
	}
	effects := make([]quoteEffect, r.blocks)
	workers := r.workers()
	err := input.Each(ctx, len(workers), r.blocks-1, func(w, b int) error {
		from, to := r.bounds(b)
		before := r.newline
		look := from
		if b > 0 {
			look--
		}
		if err := workers[w].load(look, to); err != nil {
			return err
		}
		data := workers[w].win.Data
		if b > 0 {
			before, data = data[0], data[1:]
		}
		effects[b] = effectOf(data, before, r.delim, r.newline)
		return nil
	})
	for b := 1; b < r.blocks; b++ {
		r.states[b] = effects[b-1][r.states[b-1]]
	}
	return err
}

// sample makes the first guess about every column, from the first block and 16
// others. It only saves work: a wrong guess is found out.
func (r *reader) sample(ctx context.Context) error {
	if r.blocks < 3 {
		return nil
	}
	from := make([]int, 0, sampleCount+1)
	for i := range min(sampleCount, r.blocks) {
		from = append(from, i*r.blocks/min(sampleCount, r.blocks))
	}
	seen := make([][]*column.Piece, len(from))
	workers := r.workers()
	err := input.Each(ctx, len(workers), len(from), func(w, i int) error {
		res, err := workers[w].parse(from[i], all(len(r.names)), r.targets, sampleSize)
		seen[i] = res.pieces
		return err
	})
	if err != nil {
		return err
	}
	for _, w := range workers {
		r.scratch.Shrink(w.held)
	}
	for c := range r.names {
		var e column.Evidence
		for _, pieces := range seen {
			e.Join(pieces[c].Evidence)
		}
		r.targets[c] = column.Guess(e)
	}
	return nil
}

// parse is the second pass: every cell of every block.
func (r *reader) parse(ctx context.Context) error {
	r.pieces = make([][]*column.Piece, r.blocks)
	r.rows = make([]int, r.blocks)
	progress := input.Progress{Total: r.fileSize, Report: r.opt.Progress}
	labels := make([]atomic.Bool, len(r.names)) // columns that any block found to be labels
	workers := r.workers()
	err := input.Each(ctx, len(workers), r.blocks, func(w, b int) error {
		targets := make([]column.Target, len(r.targets))
		for c, t := range r.targets {
			if !t.Settled() && labels[c].Load() {
				t = column.Label
			}
			targets[c] = t
		}
		res, err := workers[w].parse(b, all(len(r.names)), targets, 0)
		if err != nil {
			return err
		}
		for c, p := range res.pieces {
			if p.Evidence.Contradicted() {
				labels[c].Store(true)
			}
		}
		r.pieces[b], r.rows[b] = res.pieces, res.rows
		r.ragged.Add(int64(res.ragged))
		from, to := r.bounds(b)
		progress.Add(int64(float64(to-from) / float64(r.src.Size) * float64(r.fileSize)))
		return r.account(res.pieces)
	})
	if err != nil {
		return err
	}
	progress.Add(r.fileSize)
	return nil
}

// account takes memory for pieces.
func (r *reader) account(pieces []*column.Piece) error {
	var n int64
	for _, p := range pieces {
		n += p.Bytes()
	}
	return r.scratch.Grow(n)
}

// again decides about every column and makes the pieces anew that were made under
// another belief.
func (r *reader) again(ctx context.Context) error {
	redo := make([][]int, r.blocks) // columns of each block
	for c, name := range r.names {
		e := r.targets[c].Evidence()
		for _, pieces := range r.pieces {
			e.Join(pieces[c].Evidence)
		}
		t, err := column.Resolve(e, name)
		if err != nil {
			return err
		}
		r.targets[c] = t
		for b, pieces := range r.pieces {
			if !t.Suits(pieces[c]) {
				redo[b] = append(redo[b], c)
			}
		}
	}
	var blocks []int
	for b, cols := range redo {
		if len(cols) > 0 {
			blocks = append(blocks, b)
		}
	}
	workers := r.workers()
	return input.Each(ctx, len(workers), len(blocks), func(w, i int) error {
		b := blocks[i]
		res, err := workers[w].parse(b, redo[b], r.targets, 0)
		if err != nil {
			return err
		}
		for i, c := range redo[b] {
			p := res.pieces[i]
			if res.rows != r.rows[b] || !r.targets[c].Suits(p) {
				return input.Errorf("'%s' changed while it was read; load it again.", r.src.Name)
			}
			r.scratch.Shrink(r.pieces[b][c].Bytes())
			r.pieces[b][c] = p
		}
		return r.account(res.pieces)
	})
}

// merge joins the pieces to the table.
func (r *reader) merge(ctx context.Context) (*input.Result, error) {
	table := &col.Table{Columns: make([]*col.Column, len(r.names))}
	for _, n := range r.rows {
		table.Rows += n
	}
	unparsed := make([]int, len(r.names))
	replaced := make([]int, len(r.names))
	err := input.Each(ctx, r.opt.Threads, len(r.names), func(_, c int) error {
		pieces := make([]*column.Piece, r.blocks)
		var size int64
		for b := range pieces {
			p := r.pieces[b][c]
			pieces[b], r.pieces[b][c] = p, nil
			unparsed[c] += p.Unparsed
			replaced[c] += p.Replaced
			size += p.Bytes()
		}
		made, err := column.Merge(pieces, r.targets[c], r.names[c], nil)
		if err != nil {
			return input.Errorf("column '%s' of '%s': %v.", r.names[c], r.src.Name, err)
		}
		table.Columns[c] = made
		r.scratch.Shrink(size)
		return r.opt.Lease.Grow(made.Bytes())
	})
	if err != nil {
		return nil, err
	}
	res := &input.Result{Table: table, Ragged: int(r.ragged.Load()), Replaced: r.replaced}
	for c, name := range r.names {
		res.Replaced += replaced[c]
		if unparsed[c] > 0 {
			if res.Unparsed == nil {
				res.Unparsed = map[string]int{}
			}
			res.Unparsed[name] = unparsed[c]
		}
	}
	return res, nil
}
