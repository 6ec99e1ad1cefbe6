package chart

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Kind is what a column holds.
type Kind int

// The kinds of columns.
const (
	Text Kind = iota
	Number
	Time
	Bool
)

// Column is a column of a result.
type Column struct {
	Name   string
	Kind   Kind
	Format string // of a metric: currency, percent, integer, …; empty when not known
}

// Data is a result. A cell is nil, a string, a bool or a number of any Go type;
// numbers that JSON cannot hold may be strings, times are strings of ISO 8601.
type Data struct {
	Columns []Column
	Rows    [][]any
}

func (d *Data) names() []string {
	out := make([]string, len(d.Columns))
	for i, c := range d.Columns {
		out[i] = c.Name
	}
	return out
}

// column finds a column by its name; -1 when there is none.
func (d *Data) column(name string) int {
	i := slices.IndexFunc(d.Columns, func(c Column) bool { return c.Name == name })
	if i < 0 {
		i = slices.IndexFunc(d.Columns, func(c Column) bool { return strings.EqualFold(c.Name, name) })
	}
	return i
}

// numbers are the indexes of columns of numbers.
func (d *Data) numbers() []int {
	var out []int
	for i, c := range d.Columns {
		if c.Kind == Number {
			out = append(out, i)
		}
	}
	return out
}

// number reads a cell as a number; false for null and what is none.
func number(v any) (float64, bool) {
	var f float64
	switch v := v.(type) {
	case float64:
		f = v
	case int64:
		f = float64(v)
	case int:
		f = float64(v)
	case json.Number:
		x, err := v.Float64()
		if err != nil {
			return 0, false
		}
		f = x
	case string:
		x, err := strconv.ParseFloat(v, 64)
		if err != nil {
			return 0, false
		}
		f = x
	default:
		return 0, false
	}
	return f, !math.IsNaN(f) && !math.IsInf(f, 0)
}

// exact is a number as it goes into the option: null, or the digits of the cell.
func exact(v any) any {
	if _, ok := number(v); !ok {
		return nil
	}
	switch v := v.(type) {
	case string:
		return json.Number(strings.TrimPrefix(v, "+"))
	case float64:
		return v
	}
	return v
}

// label is a cell as a category.
func label(v any) string {
	switch v := v.(type) {
	case nil:
		return "(none)"
	case string:
		return v
	}
	return fmt.Sprint(v)
}

// when reads a cell as a time, for sorting.
func when(v any) (time.Time, bool) {
	s, ok := v.(string)
	if !ok {
		return time.Time{}, false
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
