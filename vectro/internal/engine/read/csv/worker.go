package csv

import (
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/charset"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/column"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/input"
)

// worker has what one goroutine needs to parse blocks.
type worker struct {
	r       *reader
	win     input.Window
	tok     tokenizer        // over what win has in hand
	parsers []*column.Parser // by column of the table, made on first use
	held    int64            // bytes accounted for
}

// workers returns new workers, one for each thread.
func (r *reader) workers() []*worker {
	ws := make([]*worker, r.opt.Threads)
	for i := range ws {
		ws[i] = r.worker()
	}
	return ws
}

func (r *reader) worker() *worker {
	return &worker{r: r, win: input.Window{Src: r.src}, parsers: make([]*column.Parser, len(r.names))}
}

// bytes returns the memory that w holds.
func (w *worker) bytes() int64 {
	n := int64(cap(w.win.Data)) + batchCells*8
	for _, p := range w.parsers {
		if p != nil {
			n += p.Bytes()
		}
	}
	return n
}

// more takes further bytes in hand.
func (w *worker) more(pos int) error {
	err := w.win.More(pos)
	w.tok.data, w.tok.eof = w.win.Data, w.win.EOF()
	return err
}

// load takes bytes [from, to) of the file in hand.
func (w *worker) load(from, to int64) error {
	err := w.win.Load(from, to)
	w.tok.delim, w.tok.newline = w.r.delim, w.r.newline
	w.tok.data, w.tok.eof = w.win.Data, w.win.EOF()
	return err
}

func (w *worker) line(pos int) int64 { return w.win.Line(pos, w.r.newline) }

// record reads the record at pos, taking more bytes in hand as it needs.
func (w *worker) record(pos int) (fields, next int, err error) {
	for {
		fields, next, at, what := w.tok.record(pos)
		switch {
		case what == complete && next-pos <= input.MaxRecord:
			return fields, next, nil
		case what == unclosed, what == cutOff && at >= 0 && len(w.win.Data)-at > input.MaxRecord:
			return 0, 0, input.Errorf("a quote opened on line %d of '%s' is never closed.", w.line(at), w.r.src.Name)
		case what == complete, len(w.win.Data)-pos > input.MaxRecord:
			return 0, 0, input.Errorf("the record on line %d of '%s' is longer than 64 MiB, the most that Vectro reads.", w.line(pos), w.r.src.Name)
		}
		if err := w.more(pos); err != nil {
			return 0, 0, err
		}
	}
}

// account takes memory for what w holds by now.
func (w *worker) account() error {
	held := w.bytes()
	n := held - w.held
	w.held = held
	return w.r.scratch.Grow(n)
}

// columns chooses which of n fields are cut out: those of cols, into slots in that
// order.
func (w *worker) columns(cols []int, n int) {
	t := &w.tok
	t.slot = make([]int32, n)
	for i := range t.slot {
		t.slot[i] = -1
	}
	for s, c := range cols {
		t.slot[c] = int32(s)
	}
	if cap(t.cells) < len(cols) {
		t.cells = make([][]column.Cell, len(cols))
	}
	t.cells = t.cells[:len(cols)]
	t.reset()
}

// parsed is what parse makes of a block.
type parsed struct {
	pieces []*column.Piece // one for each column asked for
	rows   int
	ragged int
}

// parse parses the given columns of the records that begin in block b; only those
// that begin in its first limit bytes, if limit is not 0. In that case the
// evidence alone is of use.
func (w *worker) parse(b int, cols []int, targets []column.Target, limit int64) (parsed, error) {
	pos, end, err := w.begin(b, limit)
	if err != nil {
		return parsed{}, err
	}
	for _, c := range cols {
		if w.parsers[c] == nil {
			w.parsers[c] = &column.Parser{Semicolon: w.r.delim == ';'}
		}
		w.parsers[c].Reset(targets[c])
	}
	var out parsed
	out.rows, out.ragged, err = w.run(cols, pos, end)
	if err != nil {
		return out, err
	}
	var failed []int
	for _, c := range cols {
		if w.parsers[c].Failed() {
			failed = append(failed, c)
		}
	}
	out.pieces = make([]*column.Piece, 0, len(cols))
	if len(failed) > 0 && limit == 0 {
		for _, c := range failed {
			w.parsers[c].Reset(column.Label)
		}
		if _, _, err = w.run(failed, pos, end); err != nil {
			return out, err
		}
	}
	for _, c := range cols {
		out.pieces = append(out.pieces, w.parsers[c].Piece())
	}
	return out, nil
}

// begin takes block b in hand and returns where in data its first record begins
// and before where its last one does.
func (w *worker) begin(b int, limit int64) (pos, end int, err error) {
	from, to := w.r.bounds(b)
	if limit > 0 {
		to = min(to, from+limit)
	}
	look := from
	if b > 0 {
		look-- // is there a line end in front?
	}
	if err := w.load(look, min(to+input.Lookahead, w.r.src.Size)); err != nil {
		return 0, 0, err
	}
	end = int(to - look)
	if b == 0 {
		return 0, end, nil
	}
	s := w.r.states[b]
	if s == outside && w.win.Data[0] == w.r.newline {
		return 1, end, nil
	}
	pos, ok := w.tok.recordEnd(1, s, w.win.Data[0])
	if !ok {
		pos = end // the record fills the block and more
	}
	return pos, end, nil
}

// run cuts the records that begin in data[pos:end] into cells and gives those of
// cols to their parsers.
func (w *worker) run(cols []int, pos, end int) (rows, ragged int, err error) {
	w.columns(cols, len(w.r.names))
	w.tok.ragged = 0
	most := min(batchRows, max(8, batchCells/len(w.r.names)))
	for pos < end {
		w.tok.reset()
		from, n := pos, 0
		for n < most && pos < end {
			if blank := w.tok.blank(pos); blank > 0 {
				pos += blank
				continue
			}
			if _, pos, err = w.record(pos); err != nil {
				return 0, 0, err
			}
			n++
		}
		batch := column.Batch{
			Data: w.win.Data, Arena: w.tok.arena,
			Clean: charset.Clean(w.win.Data[from:pos], w.r.coding), Coding: w.r.coding,
		}
		for s, c := range cols {
			w.parsers[c].Add(&batch, w.tok.cells[s])
		}
		rows += n
		// Not once a block: short records of many columns need far more memory than
		// they have bytes.
		if err := w.account(); err != nil {
			return 0, 0, err
		}
	}
	return rows, w.tok.ragged, nil
}
