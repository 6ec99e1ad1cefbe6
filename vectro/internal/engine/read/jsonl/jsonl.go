// Package jsonl reads files of JSON lines, one object a line, into tables.
//
// A file is read in blocks by all workers. Every line is checked in full before
// any of it counts (line.go); keys become columns in order of first sight;
// package column gives the values their types. A field with an array of numbers
// becomes the table's embedding. The result is the same for any size of blocks and
// any number of workers.
package jsonl

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/mem"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/charset"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/column"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/input"
)

const (
	headSize  = 4
	blockSize = 4 << 20
	batchRows = 1024

	minVector  = 2   // numbers that make an array an embedding
	judgeLines = 100 // that decide about its length
)

// Read loads a file of JSON lines. Mistakes in the file or in opt.Types are
// [*input.Error]. A field that opt.Types names is never taken for an embedding.
func Read(ctx context.Context, src input.Source, opt input.Options) (*input.Result, error) {
	return read(ctx, src, opt.WithDefaults(), blockSize)
}

// read is Read with a given block size.
func read(ctx context.Context, src input.Source, opt input.Options, block int64) (*input.Result, error) {
	r := &reader{src: src, opt: opt, fileSize: src.Size, block: block}
	r.scratch.Budget = opt.Lease.Budget
	defer r.scratch.Close()
	if err := r.open(ctx); err != nil {
		return nil, err
	}
	if err := r.parse(ctx); err != nil {
		return nil, err
	}
	if err := r.again(ctx); err != nil {
		return nil, err
	}
	return r.merge(ctx)
}

// reader is one load.
type reader struct {
	src      input.Source // as UTF-8
	opt      input.Options
	fileSize int64     // of the file itself
	scratch  mem.Lease // for what the load needs beside the table

	start  int64 // after the byte order mark
	block  int64
	blocks []*parsed
	belief belief

	mu     sync.Mutex
	labels map[string]bool // columns that any block found to be labels

	names   []string // of the columns, as the keys are
	targets []column.Target
	pieces  [][]*column.Piece // by column, then by block; nil where a block has no such key
}

// belief is what has to be known before lines can be parsed but depends on all of
// them: the first pass begins with what the first block says, and is repeated in
// the rare case that the whole file says something else.
type belief struct {
	vector string // the embedding's field; hasVector says that there is one
	has    bool
	dim    int
	kinds  map[string]input.Kind // the caller's choices, by key
}

func (b belief) equal(o belief) bool {
	return b.vector == o.vector && b.has == o.has && b.dim == o.dim && maps.Equal(b.kinds, o.kinds)
}

func (r *reader) open(ctx context.Context) error {
	head := make([]byte, min(r.src.Size, headSize))
	if err := r.src.ReadAt(head, 0); err != nil {
		return err
	}
	enc, mark := charset.Detect(head, true)
	if enc == charset.UTF16LE || enc == charset.UTF16BE {
		var err error
		if r.src, err = charset.Decode(ctx, r.src, enc, mark, r.opt.Threads, &r.scratch); err != nil {
			return err
		}
		mark = 0
	}
	if enc == charset.UTF32 {
		return input.Errorf("'%s' is written in UTF-32; Vectro reads JSON lines in UTF-8, and in UTF-16 with a byte order mark.", r.src.Name)
	}
	r.start = int64(mark)
	if r.src.Size == r.start {
		return input.Empty(r.src.Name)
	}
	return nil
}

// parse parses all lines, once more if the first belief was wrong.
func (r *reader) parse(ctx context.Context) error {
	n := int((r.src.Size - r.start + r.block - 1) / r.block)
	r.labels = map[string]bool{}
	before := r.scratch.Held()
	first, err := r.worker().parse(ctx, 0, nil)
	if err != nil {
		return err
	}
	r.blocks = []*parsed{first}
	now, err := r.judge(n == 1)
	if err != nil {
		return err
	}
	progress := input.Progress{Total: r.fileSize, Report: r.opt.Progress}
	share := float64(r.fileSize) / float64(r.src.Size)
	for done := n == 1 && now.equal(r.belief); !done; done = now.equal(r.belief) {
		r.belief = now
		r.blocks = make([]*parsed, n)
		clear(r.labels)
		if err := r.scratch.Resize(before); err != nil {
			return err
		}
		workers := r.workers()
		err := input.Each(ctx, len(workers), n, func(w, b int) error {
			res, err := workers[w].parse(ctx, b, nil)
			if err != nil {
				return err
			}
			r.blocks[b] = res
			progress.Add(int64(float64(r.block) * share))
			return r.account(res)
		})
		if err != nil {
			return err
		}
		if now, err = r.judge(true); err != nil {
			return err
		}
	}
	progress.Add(r.fileSize)
	return nil
}

// account takes memory for a block's result.
func (r *reader) account(res *parsed) error {
	n := res.vectorBytes()
	for _, p := range res.pieces {
		n += p.Bytes()
	}
	return r.scratch.Grow(n)
}

// judge returns what the blocks parsed so far say. whole says that these are all:
// then the columns are known as well, and a name in opt.Types that is none of them
// is an error.
func (r *reader) judge(whole bool) (belief, error) {
	var b belief
	asked, err := r.asked(whole)
	if err != nil {
		return b, err
	}
	b.kinds = asked
	order, info := r.fields()
	for _, name := range order {
		f := info[name]
		if _, named := b.kinds[name]; named || f.first != isVector {
			continue
		}
		b.vector, b.has = name, true
		b.dim = majority(f.lengths)
		break
	}
	return b, nil
}

// fields joins what the blocks say about the fields of all valid lines.
func (r *reader) fields() (order []string, info map[string]fieldInfo) {
	info = map[string]fieldInfo{}
	for _, blk := range r.blocks {
		for _, f := range blk.fields {
			have, ok := info[f.name]
			if !ok {
				order = append(order, f.name)
				have.name = f.name
			}
			if have.first == unseen {
				have.first = f.first
			}
			have.lengths = append(have.lengths, f.lengths...)
			if len(have.lengths) > judgeLines {
				have.lengths = have.lengths[:judgeLines]
			}
			info[f.name] = have
		}
	}
	return order, info
}

// asked matches opt.Types to keys.
func (r *reader) asked(whole bool) (map[string]input.Kind, error) {
	out := map[string]input.Kind{}
	if len(r.opt.Types) == 0 {
		return out, nil
	}
	order, _ := r.fields()
	if !whole {
		// A name that the first block does not have may come later.
		for name, word := range r.opt.Types {
			kinds, err := input.Kinds(order, map[string]string{name: word})
			if err != nil {
				continue
			}
			for i, k := range kinds {
				if k != input.Auto {
					out[order[i]] = k
				}
			}
		}
		return out, nil
	}
	kinds, err := input.Kinds(order, r.opt.Types)
	for i, k := range kinds {
		if k != input.Auto {
			out[order[i]] = k
		}
	}
	return out, err
}

// majority returns the most frequent of lengths, the one seen first on a tie.
func majority(lengths []int) int {
	count := map[int]int{}
	most := 0
	for _, n := range lengths {
		count[n]++
		most = max(most, count[n])
	}
	return lengths[slices.IndexFunc(lengths, func(n int) bool { return count[n] == most })]
}

// target is what to parse a column as.
func (r *reader) target(name string) column.Target {
	if k, ok := r.belief.kinds[name]; ok {
		return column.Forced(k)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.labels[name] {
		return column.Label
	}
	return column.Target{}
}

func (r *reader) foundLabel(name string) {
	r.mu.Lock()
	r.labels[name] = true
	r.mu.Unlock()
}

// again decides about every column and makes the pieces anew that were made under
// another belief.
func (r *reader) again(ctx context.Context) error {
	index := map[string]int{}
	for b, blk := range r.blocks {
		for i, name := range blk.names {
			c, ok := index[name]
			if !ok {
				c = len(r.names)
				index[name] = c
				r.names = append(r.names, name)
				r.pieces = append(r.pieces, make([]*column.Piece, len(r.blocks)))
			}
			r.pieces[c][b] = blk.pieces[i]
		}
		blk.names, blk.pieces = nil, nil
	}
	if err := r.complain(); err != nil {
		return err
	}
	r.targets = make([]column.Target, len(r.names))
	redo := make([]map[string]column.Target, len(r.blocks))
	for c, name := range r.names {
		var e column.Evidence
		for _, p := range r.pieces[c] {
			if p != nil {
				e.Join(p.Evidence)
			}
		}
		t, err := column.Resolve(e, name)
		if err != nil {
			return err
		}
		r.targets[c] = t
		for b, p := range r.pieces[c] {
			if p != nil && !t.Suits(p) {
				if redo[b] == nil {
					redo[b] = map[string]column.Target{}
				}
				redo[b][name] = t
			}
		}
	}
	var blocks []int
	for b, cols := range redo {
		if cols != nil {
			blocks = append(blocks, b)
		}
	}
	workers := r.workers()
	return input.Each(ctx, len(workers), len(blocks), func(w, i int) error {
		b := blocks[i]
		res, err := workers[w].parse(ctx, b, redo[b])
		if err != nil {
			return err
		}
		ok := res.rows == r.blocks[b].rows && len(res.names) == len(redo[b])
		for i, name := range res.names {
			c := index[name]
			ok = ok && r.targets[c].Suits(res.pieces[i])
			r.pieces[c][b] = res.pieces[i]
		}
		if !ok {
			return input.Errorf("'%s' changed while it was read; load it again.", r.src.Name)
		}
		return r.account(res)
	})
}

// complain refuses a file of which nothing can be used.
func (r *reader) complain() error {
	rows, skipped := 0, 0
	for _, blk := range r.blocks {
		rows += blk.rows
		skipped += blk.skipped
	}
	switch {
	case rows == 0 && skipped == 0:
		return input.Empty(r.src.Name)
	case rows == 0:
		return input.Errorf("'%s' has no line that can be read as an object; %s.", r.src.Name, r.skipReason())
	case len(r.names) == 0 && !r.belief.has:
		return input.Errorf("no line of '%s' has a field.", r.src.Name)
	case len(r.names) > input.MaxColumns:
		return input.Errorf("the lines of '%s' have %d different keys; Vectro reads up to 16,384 columns.", r.src.Name, len(r.names))
	}
	return nil
}

// skipReason tells of the first line that was skipped.
func (r *reader) skipReason() string {
	line := 0
	for _, blk := range r.blocks {
		if blk.skipped > 0 {
			return fmt.Sprintf("line %d: %s", line+blk.skipLine, blk.skipReason)
		}
		line += blk.lines
	}
	return ""
}

// merge joins the pieces to the table.
func (r *reader) merge(ctx context.Context) (*input.Result, error) {
	res := &input.Result{Table: &col.Table{Columns: make([]*col.Column, len(r.names))}, SkipReason: r.skipReason()}
	for _, blk := range r.blocks {
		res.Table.Rows += blk.rows
		res.Skipped += blk.skipped
	}
	names := slices.Clone(r.names)
	for i, name := range names {
		names[i] = clean(name)
	}
	names, err := input.Names(r.src.Name, names)
	if err != nil {
		return nil, err
	}
	unparsed := make([]int, len(names))
	replaced := make([]int, len(names))
	err = input.Each(ctx, r.opt.Threads, len(names), func(_, c int) error {
		var size int64
		for _, p := range r.pieces[c] {
			if p != nil {
				unparsed[c] += p.Unparsed
				replaced[c] += p.Replaced
				size += p.Bytes()
			}
		}
		made, err := column.Merge(r.pieces[c], r.targets[c], names[c], func(b int) int { return r.blocks[b].rows })
		if err != nil {
			return input.Errorf("column '%s' of '%s': %v.", names[c], r.src.Name, err)
		}
		res.Table.Columns[c] = made
		r.scratch.Shrink(size)
		return r.opt.Lease.Grow(made.Bytes())
	})
	if err != nil {
		return nil, err
	}
	for c, name := range names {
		res.Replaced += replaced[c]
		if unparsed[c] > 0 {
			if res.Unparsed == nil {
				res.Unparsed = map[string]int{}
			}
			res.Unparsed[name] = unparsed[c]
		}
	}
	if r.belief.has {
		res.Table.Embedding, err = r.embedding(res.Table.Rows)
	}
	return res, err
}

// clean returns a key as valid UTF-8.
func clean(key string) string {
	b, _ := charset.Repair(nil, []byte(key), charset.UTF8)
	return string(b)
}

// embedding joins the vectors to one matrix.
func (r *reader) embedding(rows int) (*col.Embedding, error) {
	stride := int64(r.belief.dim+15) &^ 15
	need := int64(rows)*(stride*4+4) + int64(rows)/8 + 8
	if err := r.opt.Lease.Grow(need); err != nil {
		return nil, err
	}
	e := col.NewEmbedding(clean(r.belief.vector), r.belief.dim, rows)
	row := 0
	for _, blk := range r.blocks {
		for i, at := range blk.vectorRows {
			e.Set(row+int(at), blk.vectors[i*r.belief.dim:(i+1)*r.belief.dim])
		}
		row += blk.rows
		r.scratch.Shrink(blk.vectorBytes())
		blk.vectors, blk.vectorRows = nil, nil
	}
	e.Seal(rows)
	r.opt.Lease.Shrink(need - e.Bytes())
	return e, nil
}
