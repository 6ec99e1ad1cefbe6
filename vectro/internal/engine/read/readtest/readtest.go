// Package readtest helps tests to look at tables, value by value.
package readtest

import (
	"bytes"
	"fmt"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/dates"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/input"
)

// Source is an opened file of the given name and content.
func Source(name, content string) input.Source {
	return input.Source{Name: name, R: bytes.NewReader([]byte(content)), Size: int64(len(content))}
}

// Values returns the values of a column in row order: nil for a missing one, else
// int64, float64, a label or text as string, a date as ISO text. It panics when
// the column breaks a rule of package col.
func Values(c *col.Column) []any {
	var out []any
	for i, ch := range c.Chunks {
		if i < len(c.Chunks)-1 && ch.Len != col.ChunkRows {
			panic(fmt.Sprintf("chunk %d has %d rows", i, ch.Len))
		}
		if ch.Valid != nil {
			if got := ch.Valid.Count(ch.Len); got == ch.Len || len(ch.Valid) != (ch.Len+63)/64 {
				panic(fmt.Sprintf("chunk %d has %d words of validity for %d rows, %d of them present", i, len(ch.Valid), ch.Len, got))
			}
			if tail := ch.Len & 63; tail != 0 && ch.Valid[len(ch.Valid)-1]>>tail != 0 {
				panic("validity past the last row")
			}
		}
		if fmt.Sprintf("%T", ch.Data) != fmt.Sprintf("%T", c.Chunks[0].Data) {
			panic("chunks of different types")
		}
		for row := range ch.Len {
			if !ch.Valid.Get(row) {
				out = append(out, nil)
				continue
			}
			out = append(out, value(c, ch, row))
		}
	}
	return out
}

func value(c *col.Column, ch *col.Chunk, row int) any {
	var whole int64
	switch d := ch.Data.(type) {
	case []int8:
		whole = int64(d[row])
	case []int16:
		whole = int64(d[row])
	case []int32:
		whole = int64(d[row])
	case []int64:
		whole = d[row]
	case []float64:
		if d[row] != d[row] {
			panic("a NaN that is not missing")
		}
		return d[row]
	case []uint8:
		return c.Dict.Label(uint32(d[row]))
	case []uint16:
		return c.Dict.Label(uint32(d[row]))
	case []uint32:
		return c.Dict.Label(d[row])
	case col.Strings:
		if d.Len() != ch.Len {
			panic("wrong number of strings")
		}
		return d.At(row)
	default:
		panic(fmt.Sprintf("data of type %T", d))
	}
	if c.Kind == col.Date {
		return string(dates.Append(nil, whole, c.Unit, c.Unit == col.Day, c.Zone))
	}
	return whole
}

// Table returns the names of a table's columns, their kinds with "bool" for
// flagged categories, and its rows.
func Table(t *col.Table) (names, kinds []string, rows [][]any) {
	rows = make([][]any, t.Rows)
	for _, c := range t.Columns {
		names = append(names, c.Name)
		kind := c.Kind.String()
		if c.Bool {
			kind = "bool"
		}
		kinds = append(kinds, kind)
		vals := Values(c)
		if len(vals) != t.Rows {
			panic(fmt.Sprintf("column %s has %d of %d rows", c.Name, len(vals), t.Rows))
		}
		for i, v := range vals {
			rows[i] = append(rows[i], v)
		}
	}
	return names, kinds, rows
}
