package exec

import (
	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/vector"
)

// source is a sequence of rows that can be read in batches and fetched by
// number. Rows come in units (what a worker takes at a time) of batches; numbers
// ascend in the order of the rows. A source is immutable and safe for concurrent
// use; the buffers given to it are the caller's.
type source interface {
	columns() int
	rows() int64
	units() int
	// unit returns the number of rows of unit u; its batches are vector.Size rows
	// each but the last.
	unit(u int) int
	// number returns the number of the first row of batch b of unit u; the rows of a
	// batch are numbered on from there.
	number(u, b int) int64
	// load reads a column of batch b of unit u: all rows, or those listed in sel,
	// closed up.
	load(dst *vector.Buffer, column, u, b int, sel []uint16)
	// gather fetches rows by number; -1 gives a missing value.
	gather(dst *vector.Buffer, column int, numbers []int64)
}

func batches(rows int) int { return (rows + vector.Size - 1) / vector.Size }

// tableSource reads a table. Row numbers are chunk<<chunkBits | row.
type tableSource struct {
	scan   *plan.Scan
	lens   []int // rows per chunk
	cols   []tableColumn
	nbRows int64
}

// chunkBits numbers the rows within a chunk, which has at most col.ChunkRows of them.
const chunkBits = 17

type tableColumn struct {
	t   plan.Type
	col *col.Column
	raw any // [][]T, the chunks' data with its type found once
}

func newTableSource(n *plan.Scan) *tableSource {
	s := &tableSource{scan: n, nbRows: int64(n.Table.Rows)}
	for i, pos := range n.Columns {
		c := n.Table.Columns[pos]
		s.cols = append(s.cols, tableColumn{t: n.Out[i].Type, col: c, raw: rawChunks(c)})
	}
	// A scan may read no column at all (count()); the table's first column still
	// tells how its rows are cut.
	if len(n.Table.Columns) > 0 {
		for _, ch := range n.Table.Columns[0].Chunks {
			s.lens = append(s.lens, ch.Len)
		}
	} else {
		for left := n.Table.Rows; left > 0; left -= col.ChunkRows {
			s.lens = append(s.lens, min(left, col.ChunkRows))
		}
	}
	return s
}

func typedChunks[T any](c *col.Column) [][]T {
	out := make([][]T, len(c.Chunks))
	for i, ch := range c.Chunks {
		out[i] = ch.Data.([]T)
	}
	return out
}

func rawChunks(c *col.Column) any {
	if len(c.Chunks) == 0 {
		return nil
	}
	switch c.Chunks[0].Data.(type) {
	case []int8:
		return typedChunks[int8](c)
	case []int16:
		return typedChunks[int16](c)
	case []int32:
		return typedChunks[int32](c)
	case []int64:
		return typedChunks[int64](c)
	case []float64:
		return typedChunks[float64](c)
	case []uint8:
		return typedChunks[uint8](c)
	case []uint16:
		return typedChunks[uint16](c)
	case []uint32:
		return typedChunks[uint32](c)
	}
	strs := make([]col.Strings, len(c.Chunks))
	for i, ch := range c.Chunks {
		strs[i] = ch.Data.(col.Strings)
	}
	return strs
}

func (s *tableSource) columns() int          { return len(s.cols) }
func (s *tableSource) rows() int64           { return s.nbRows }
func (s *tableSource) units() int            { return len(s.lens) }
func (s *tableSource) unit(u int) int        { return s.lens[u] }
func (s *tableSource) number(u, b int) int64 { return int64(u)<<chunkBits | int64(b)*vector.Size }

type integer interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32
}

// widen copies src to dst in dst's type: all, or the rows of sel.
func widen[D, S integer](dst []D, src []S, sel []uint16) {
	if sel == nil {
		dst = dst[:len(src)]
		for i, x := range src {
			dst[i] = D(x)
		}
		return
	}
	dst = dst[:len(sel)]
	for i, r := range sel {
		dst[i] = D(src[r])
	}
}

func (s *tableSource) load(dst *vector.Buffer, column, u, b int, sel []uint16) {
	c := &s.cols[column]
	lo := b * vector.Size
	n := min(vector.Size, s.lens[u]-lo)
	hi := lo + n
	out := n
	if sel != nil {
		out = len(sel)
	}
	dst.Reset(c.t, out)
	switch raw := c.raw.(type) {
	case [][]int8:
		widen(dst.Ints(out), raw[u][lo:hi], sel)
	case [][]int16:
		widen(dst.Ints(out), raw[u][lo:hi], sel)
	case [][]int32:
		widen(dst.Ints(out), raw[u][lo:hi], sel)
	case [][]int64:
		if sel == nil {
			dst.I = raw[u][lo:hi:hi]
		} else {
			widen(dst.Ints(out), raw[u][lo:hi], sel)
		}
	case [][]float64:
		if sel == nil {
			dst.F = raw[u][lo:hi:hi]
		} else {
			src, f := raw[u][lo:hi], dst.Floats(out)
			for i, r := range sel {
				f[i] = src[r]
			}
		}
	case [][]uint8:
		widen(dst.CodesOf(c.col.Dict, out), raw[u][lo:hi], sel)
	case [][]uint16:
		widen(dst.CodesOf(c.col.Dict, out), raw[u][lo:hi], sel)
	case [][]uint32:
		if sel == nil {
			dst.Dict, dst.Codes = c.col.Dict, raw[u][lo:hi:hi]
		} else {
			widen(dst.CodesOf(c.col.Dict, out), raw[u][lo:hi], sel)
		}
	case []col.Strings:
		src, str := raw[u], dst.Strs(out)
		if sel == nil {
			for i := range str {
				str[i] = src.At(lo + i)
			}
		} else {
			for i, r := range sel {
				str[i] = src.At(lo + int(r))
			}
		}
	}
	valid := c.col.Chunks[u].Valid
	if valid == nil {
		return
	}
	valid = valid[lo/64 : (hi+63)/64]
	if sel != nil {
		dst.TakeValid(valid, sel)
	} else {
		dst.Valid = vector.Trim(valid, n)
	}
}

const rowMask = 1<<chunkBits - 1

// pickRaw fetches rows by number; a missing one (-1) leaves dst as it is.
func pickRaw[D, S integer](dst []D, raw [][]S, numbers []int64) {
	dst = dst[:len(numbers)]
	for i, id := range numbers {
		if id >= 0 {
			dst[i] = D(raw[id>>chunkBits][id&rowMask])
		} else {
			dst[i] = 0
		}
	}
}

func (s *tableSource) gather(dst *vector.Buffer, column int, numbers []int64) {
	c := &s.cols[column]
	n := len(numbers)
	dst.Reset(c.t, n)
	switch raw := c.raw.(type) {
	case nil: // a table without rows
		blank(dst, c.t, c.col.Dict, n)
	case [][]int8:
		pickRaw(dst.Ints(n), raw, numbers)
	case [][]int16:
		pickRaw(dst.Ints(n), raw, numbers)
	case [][]int32:
		pickRaw(dst.Ints(n), raw, numbers)
	case [][]int64:
		pickRaw(dst.Ints(n), raw, numbers)
	case [][]float64:
		f := dst.Floats(n)
		for i, id := range numbers {
			if id >= 0 {
				f[i] = raw[id>>chunkBits][id&rowMask]
			} else {
				f[i] = 0
			}
		}
	case [][]uint8:
		pickRaw(dst.CodesOf(c.col.Dict, n), raw, numbers)
	case [][]uint16:
		pickRaw(dst.CodesOf(c.col.Dict, n), raw, numbers)
	case [][]uint32:
		pickRaw(dst.CodesOf(c.col.Dict, n), raw, numbers)
	case []col.Strings:
		str := dst.Strs(n)
		for i, id := range numbers {
			if id >= 0 {
				str[i] = raw[id>>chunkBits].At(int(id & rowMask))
			} else {
				str[i] = ""
			}
		}
	}
	chunks := c.col.Chunks
	validBy(dst, numbers, func(id int64) bool {
		return chunks[id>>chunkBits].Valid.Get(int(id & rowMask))
	}, c.col.Stats().Missing > 0)
}

// validBy sets dst.Valid from the numbers: -1 is missing and, if any row may be,
// so are those that present denies.
func validBy(dst *vector.Buffer, numbers []int64, present func(int64) bool, any bool) {
	lost := any
	if !lost {
		for _, id := range numbers {
			if id < 0 {
				lost = true
				break
			}
		}
	}
	if !lost {
		return
	}
	w := dst.Bits(len(numbers))
	for i, id := range numbers {
		if id >= 0 && (!any || present(id)) {
			w.Set(i)
		}
	}
	dst.Valid = vector.Trim(w, len(numbers))
}

// blank makes dst n missing values of type t.
func blank(dst *vector.Buffer, t plan.Type, d *col.Dict, n int) {
	dst.Reset(t, n)
	switch t.Base {
	case plan.Int, plan.Date:
		clear(dst.Ints(n))
	case plan.Huge:
		clear(dst.Ints(n))
		clear(dst.Highs(n))
	case plan.Float:
		clear(dst.Floats(n))
	case plan.Bool:
		clear(dst.Bools(n))
	case plan.String, plan.Text:
		// A code of 0 is valid only where the dictionary has a label.
		if d != nil && d.Len() > 0 {
			clear(dst.CodesOf(d, n))
		} else {
			clear(dst.Strs(n))
		}
	}
	dst.Bits(n)
}
