package tools

import (
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/vectro/internal/engine"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/dates"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// maxRowBytes bounds the JSON of the rows of one result; rows beyond it are left
// out, and the result's "returned" tells.
const maxRowBytes = 8 << 20

// encoder turns rows into JSON objects with keys in column order.
type encoder struct {
	maxText int // longest string in characters, 0 for no bound
}

// rows encodes as many rows as fit [maxRowBytes].
func (e encoder) rows(r engine.Rows) []json.RawMessage {
	keys := e.keys(r.Schema)
	out := make([]json.RawMessage, 0, len(r.Values))
	size := 0
	for _, row := range r.Values {
		b := e.row(nil, keys, r.Schema, row)
		if size += len(b) + 1; size > maxRowBytes {
			break
		}
		out = append(out, b)
	}
	return out
}

// keys returns the member names, encoded with the colon that follows.
func (e encoder) keys(s plan.Schema) [][]byte {
	keys := make([][]byte, len(s))
	for i, f := range s {
		keys[i] = append(appendString(nil, f.Name), ':')
	}
	return keys
}

func (e encoder) row(b []byte, keys [][]byte, s plan.Schema, row []plan.Value) []byte {
	b = append(b, '{')
	for i, v := range row {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, keys[i]...)
		b = e.value(b, v, s[i])
	}
	return append(b, '}')
}

// value appends one cell: null for a missing or infinite one.
func (e encoder) value(b []byte, v plan.Value, f plan.Field) []byte {
	switch v.Base {
	case plan.Float:
		if math.IsInf(v.F, 0) || math.IsNaN(v.F) { // JSON has neither
			break
		}
		return plan.AppendNumber(b, v)
	case plan.Int, plan.Huge:
		return plan.AppendNumber(b, v)
	case plan.Bool:
		return strconv.AppendBool(b, v.I != 0)
	case plan.Date:
		b = append(b, '"')
		b = dates.Append(b, v.I, f.Type.Unit, f.Type.Unit == 0, f.Type.Zone)
		return append(b, '"')
	case plan.String, plan.Text:
		if f.Bool && (v.S == "true" || v.S == "false") {
			return append(b, v.S...)
		}
		return appendString(b, e.cut(v.S))
	}
	return append(b, "null"...)
}

// cut shortens a string to maxText characters.
func (e encoder) cut(s string) string {
	if e.maxText <= 0 || len(s) <= e.maxText {
		return s
	}
	n := 0
	for i := range s {
		if n == e.maxText {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

// appendString writes a JSON string. Invalid UTF-8 becomes U+FFFD.
func appendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				b = append(append(b, s[start:i]...), "\uFFFD"...)
				start = i + 1
			}
			i += n
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		b = append(b, s[start:i]...)
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\r':
			b = append(b, '\\', 'r')
		case '\t':
			b = append(b, '\\', 't')
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		start = i
	}
	return append(append(b, s[start:]...), '"')
}
