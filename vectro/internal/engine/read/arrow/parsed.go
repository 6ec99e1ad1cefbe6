package arrow

import (
	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/column"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/input"
)

// maxParsed is the most bytes of a string that are looked at for a number or a
// date. No longer string is one.
const maxParsed = 1024

// parsed collects a column of strings that the caller wants as numbers or dates,
// by the rules that CSV files have for that.
type parsed struct {
	parser column.Parser
	target column.Target
	pieces []*column.Piece
	bytes  int64 // of pieces
	cells  []column.Cell
	buf    []byte
}

// reset begins the column anew under what is known about it.
func (p *parsed) reset(t column.Target) { *p = parsed{target: t} }

// append parses rows [from, from+n).
func (p *parsed) append(r *columnReader, w *walk, direct bool, from, n int, valid col.Bitmap) {
	p.cells, p.buf = p.cells[:0], p.buf[:0]
	for i := range n {
		if !valid.Get(i) {
			p.cells = append(p.cells, column.InData(column.Absent, 0, 0))
			continue
		}
		a, j := r.at(w, direct, from, i)
		s := a.str(j)
		s = s[:min(len(s), maxParsed+1)]
		p.cells = append(p.cells, column.InData(column.Plain, len(p.buf), len(s)))
		p.buf = append(p.buf, s...)
	}
	p.parser.Reset(p.target)
	p.parser.Add(&column.Batch{Data: p.buf}, p.cells)
	piece := p.parser.Piece()
	p.pieces = append(p.pieces, piece)
	p.bytes += piece.Bytes()
}

// finish returns the column and the number of cells that did not parse. It asks
// for another attempt when cells late in the column say how to read earlier ones.
func (p *parsed) finish(name string) (c *col.Column, unparsed int, again bool, err error) {
	var seen column.Evidence
	for i, piece := range p.pieces {
		if i == 0 {
			seen = piece.Evidence
		} else {
			seen.Join(piece.Evidence)
		}
	}
	if len(p.pieces) == 0 {
		c, err = column.Merge(nil, p.target, name, nil)
		return c, 0, false, err
	}
	t, err := column.Resolve(seen, name)
	if err != nil {
		return nil, 0, false, err
	}
	for _, piece := range p.pieces {
		if !t.Suits(piece) && t != p.target {
			p.target = t
			return nil, 0, true, nil
		}
		unparsed += piece.Unparsed
	}
	c, err = column.Merge(p.pieces, t, name, nil)
	return c, unparsed, false, err
}

// forced reports whether the leaf is of strings and the caller wants numbers or dates.
func (r *columnReader) forced() bool {
	return r.leaf.class == labels && (r.kind == input.Number || r.kind == input.Date)
}
