package engine

import (
	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// Rows is a small answer: one value per column and row.
type Rows struct {
	Schema plan.Schema
	Values [][]plan.Value
}

// head returns the first n rows of a table, fewer if it has fewer.
func head(t *col.Table, n int) Rows {
	rows := make([]int, min(n, t.Rows))
	for i := range rows {
		rows[i] = i
	}
	return fetch(t, rows)
}

// fetch returns the given rows of a table, all columns.
func fetch(t *col.Table, rows []int) Rows {
	r := Rows{Schema: plan.NewScan(t, "").Schema(), Values: make([][]plan.Value, len(rows))}
	for i := range r.Values {
		r.Values[i] = make([]plan.Value, len(t.Columns))
	}
	for j, c := range t.Columns {
		for i, row := range rows {
			r.Values[i][j] = value(c, r.Schema[j].Type.Base, row)
		}
	}
	return r
}

// value reads one cell.
func value(c *col.Column, base plan.Base, row int) plan.Value {
	k := 0
	for row >= c.Chunks[k].Len {
		row -= c.Chunks[k].Len
		k++
	}
	ch := c.Chunks[k]
	if !ch.Valid.Get(row) {
		return plan.Value{}
	}
	v := plan.Value{Base: base}
	switch d := ch.Data.(type) {
	case []int8:
		v.I = int64(d[row])
	case []int16:
		v.I = int64(d[row])
	case []int32:
		v.I = int64(d[row])
	case []int64:
		v.I = d[row]
	case []float64:
		v.F = d[row]
	case []uint8:
		v.S = c.Dict.Label(uint32(d[row]))
	case []uint16:
		v.S = c.Dict.Label(uint32(d[row]))
	case []uint32:
		v.S = c.Dict.Label(d[row])
	case col.Strings:
		v.S = d.At(row)
	}
	return v
}
