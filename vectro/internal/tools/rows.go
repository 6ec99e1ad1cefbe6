package tools

import (
	"encoding/json"
	"math"
	"math/big"
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
	case plan.Int:
		return strconv.AppendInt(b, v.I, 10)
	case plan.Huge:
		return hugeInt(v).Append(b, 10)
	case plan.Float:
		return appendFloat(b, v.F)
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

// hugeInt returns a 128-bit two's complement number.
func hugeInt(v plan.Value) *big.Int {
	n := big.NewInt(v.Hi)
	n.Lsh(n, 64)
	return n.Add(n, new(big.Int).SetUint64(uint64(v.I)))
}

// appendFloat writes the shortest decimal that reads back to the same double:
// whole numbers below 1e21 without exponent, −0 as 0, what JSON lacks as null.
func appendFloat(b []byte, f float64) []byte {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return append(b, "null"...)
	}
	if f == 0 {
		return append(b, '0')
	}
	if a := math.Abs(f); a >= 1e-6 && a < 1e21 {
		return strconv.AppendFloat(b, f, 'f', -1, 64)
	}
	b = strconv.AppendFloat(b, f, 'e', -1, 64)
	// 1e-07 → 1e-7, as JSON writers of other languages have it.
	if n := len(b); n >= 4 && b[n-4] == 'e' && b[n-2] == '0' {
		b[n-2] = b[n-1]
		b = b[:n-1]
	}
	return b
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
