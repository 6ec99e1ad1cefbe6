package csv

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/column"
)

// tokenizer cuts records into cells, a batch of records at a time.
type tokenizer struct {
	delim, newline byte

	data []byte
	eof  bool // data ends where the file does

	slot  []int32         // field → index into cells, or -1
	cells [][]column.Cell // by slot, one cell a record of the batch
	arena []byte          // of the batch

	ragged int // records with too few or too many cells
}

// outcome says why a record could not be read.
type outcome uint8

const (
	complete outcome = iota
	cutOff           // the record goes on after data
	unclosed         // a quote is not closed before the end of the file
)

// reset empties the batch.
func (t *tokenizer) reset() {
	for i := range t.cells {
		t.cells[i] = t.cells[i][:0]
	}
	t.arena = t.arena[:0]
}

// blank returns the length of the empty line at pos, or 0.
func (t *tokenizer) blank(pos int) int {
	switch c := t.data[pos]; {
	case c == t.newline:
		return 1
	case c != '\r' || t.newline != '\n':
		return 0
	case pos+1 < len(t.data):
		if t.data[pos+1] == '\n' {
			return 2
		}
	case t.eof:
		return 1
	}
	return 0
}

// record reads the record that begins at pos, where no blank line is, into the
// batch, and returns the number of its fields and where the next line begins.
// When the outcome is not complete, the batch is as before, and at is the position
// of the quote that is still open at the end of data, or -1.
func (t *tokenizer) record(pos int) (fields, next, at int, what outcome) {
	data := t.data
	mark := len(t.arena)
	k := 0
	for {
		var cell column.Cell
		var end int // of the field: a delimiter, a newline or the end of data
		at = -1
		if pos < len(data) && data[pos] == '"' {
			at = pos
			cell, end, what = t.quoted(pos)
		} else {
			cell, end, what = t.bare(pos)
		}
		if what != complete {
			t.undo(k, mark)
			return 0, 0, at, what
		}
		if k < len(t.slot) {
			if s := t.slot[k]; s >= 0 {
				t.cells[s] = append(t.cells[s], cell)
			}
		}
		k++
		if end == len(data) || data[end] == t.newline {
			pos = min(end+1, len(data))
			break
		}
		pos = end + 1
	}
	for missing := k; missing < len(t.slot); missing++ {
		if s := t.slot[missing]; s >= 0 {
			t.cells[s] = append(t.cells[s], column.Cell{})
		}
	}
	if k != len(t.slot) {
		t.ragged++
	}
	return k, pos, at, complete
}

// undo takes the first k cells of an unfinished record back.
func (t *tokenizer) undo(k, arena int) {
	for i := range min(k, len(t.slot)) {
		if s := t.slot[i]; s >= 0 {
			t.cells[s] = t.cells[s][:len(t.cells[s])-1]
		}
	}
	t.arena = t.arena[:arena]
}

// bare reads a field that does not begin with a quote.
func (t *tokenizer) bare(pos int) (cell column.Cell, end int, what outcome) {
	end = t.fieldEnd(pos)
	if end == len(t.data) && !t.eof {
		return cell, 0, cutOff
	}
	stop := t.trimReturn(pos, end)
	return column.InData(column.Plain, pos, stop-pos), end, complete
}

// trimReturn takes the '\r' of a line end off a field that is data[pos:end].
func (t *tokenizer) trimReturn(pos, end int) int {
	if t.newline == '\n' && end > pos && t.data[end-1] == '\r' && (end == len(t.data) || t.data[end] == '\n') {
		return end - 1
	}
	return end
}

// fieldEnd returns the position of the next delimiter or newline from pos, or
// the end of data. It looks at eight bytes at a time.
func (t *tokenizer) fieldEnd(pos int) int {
	const low, high = 0x0101010101010101, 0x8080808080808080
	data := t.data
	d, n := uint64(t.delim)*low, uint64(t.newline)*low
	for pos+8 <= len(data) {
		w := binary.LittleEndian.Uint64(data[pos:])
		x, y := w^d, w^n
		// The lowest marked byte is exact; a borrow can only mark bytes above it.
		if m := ((x-low)&^x | (y-low)&^y) & high; m != 0 {
			return pos + bits.TrailingZeros64(m)>>3
		}
		pos += 8
	}
	for ; pos < len(data); pos++ {
		if c := data[pos]; c == t.delim || c == t.newline {
			return pos
		}
	}
	return pos
}

// quoted reads a field that begins with a quote.
func (t *tokenizer) quoted(pos int) (cell column.Cell, end int, what outcome) {
	data := t.data
	start := pos + 1
	doubled := false
	i := start
	for {
		q := bytes.IndexByte(data[i:], '"')
		if q < 0 {
			if t.eof {
				return cell, 0, unclosed
			}
			return cell, 0, cutOff
		}
		i += q + 1
		if i == len(data) {
			if !t.eof {
				return cell, 0, cutOff
			}
			break
		}
		if data[i] != '"' {
			break
		}
		doubled = true
		i++
	}
	closing := i - 1
	end = i
	if i < len(data) && data[i] != t.delim && data[i] != t.newline {
		end = t.fieldEnd(i)
		if end == len(data) && !t.eof {
			return cell, 0, cutOff
		}
	}
	rest := data[i:t.trimReturn(i, end)]
	if !doubled && len(rest) == 0 {
		return column.InData(column.Plain, start, closing-start), end, complete
	}
	from := len(t.arena)
	for s := data[start:closing]; ; {
		q := bytes.IndexByte(s, '"')
		if q < 0 {
			t.arena = append(t.arena, s...)
			break
		}
		t.arena = append(t.arena, s[:q+1]...)
		s = s[q+2:]
	}
	t.arena = append(t.arena, rest...)
	return column.InArena(column.Plain, from, len(t.arena)-from), end, complete
}

// recordEnd returns where the line after the record that is under way at pos
// begins, s being the state there and before the byte in front of pos; ok is
// false when the record goes on after data.
func (t *tokenizer) recordEnd(pos int, s state, before byte) (next int, ok bool) {
	data := t.data
	for ; pos < len(data); pos++ {
		c := data[pos]
		switch {
		case s == inside:
			q := bytes.IndexByte(data[pos:], '"')
			if q < 0 {
				return len(data), t.eof
			}
			pos += q
			s = pending
		case s == pending && c == '"':
			s = inside
		case c == t.newline:
			return pos + 1, true
		case c == '"' && s == outside && (before == t.delim || before == t.newline):
			s = inside
		default:
			s = outside
		}
		before = data[pos]
	}
	return len(data), t.eof
}
