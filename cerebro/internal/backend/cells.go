package backend

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"strings"
	"time"
)

// The warnings that cells give.
const (
	NonFinite = "non_finite_value"
	CellCut   = "cell_truncated"
)

// MaxCell is how many characters of a cell are shown.
const MaxCell = 4000

// safe is the largest whole number that every client reads exactly.
const safe = 1 << 53

// Cells makes cells of values, the same on every engine, and keeps what had to be
// said about them. A cell is nil, a bool, an int64, a float64, a json.Number, a
// string, or for
// nested values a []any or an [Object] of these.
type Cells struct{ nonFinite, cut bool }

// Warnings are the codes of what happened to cells so far, sorted.
func (c *Cells) Warnings() []string {
	var out []string
	if c.cut {
		out = append(out, CellCut)
	}
	if c.nonFinite {
		out = append(out, NonFinite)
	}
	return out
}

// Null is the cell of a value that is not a finite one.
func (c *Cells) Null() any {
	c.nonFinite = true
	return nil
}

// Int is a whole number: a text where clients would round it.
func (c *Cells) Int(n int64) any {
	if n > safe || n < -safe {
		return big.NewInt(n).String()
	}
	return n
}

// Uint is a whole number that is not negative.
func (c *Cells) Uint(n uint64) any {
	if n > safe {
		return new(big.Int).SetUint64(n).String()
	}
	return int64(n)
}

// Big is a whole number of any size.
func (c *Cells) Big(n *big.Int) any {
	if n.IsInt64() {
		return c.Int(n.Int64())
	}
	return n.String()
}

// Float is a number, or null with a warning when it is none.
func (c *Cells) Float(f float64) any {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return c.Null()
	}
	if f == 0 {
		return 0.0 // not -0
	}
	return f
}

// Float32 is a number with the digits of its own precision.
func (c *Cells) Float32(f float32) any {
	v := float64(f)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return c.Null()
	}
	if v == 0 {
		return 0.0
	}
	return json.Number(shortest(f))
}

func shortest(f float32) string {
	b, err := json.Marshal(f)
	if err != nil {
		return "0" // finite numbers have no error
	}
	return string(b)
}

// Decimal is an exact number of unscaled × 10^-scale, as a text.
func (c *Cells) Decimal(unscaled *big.Int, scale int) any {
	digits := new(big.Int).Abs(unscaled).String()
	if scale > 0 {
		if len(digits) <= scale {
			digits = strings.Repeat("0", scale-len(digits)+1) + digits
		}
		digits = digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
	}
	if unscaled.Sign() < 0 {
		digits = "-" + digits
	}
	return digits
}

// Date is a day.
func (c *Cells) Date(t time.Time) any { return t.Format(time.DateOnly) }

// Timestamp is an instant, in UTC.
func (c *Cells) Timestamp(t time.Time) any { return t.UTC().Format(time.RFC3339Nano) }

// Clock is a time of day.
func (c *Cells) Clock(sinceMidnight time.Duration) any {
	return time.Unix(0, 0).UTC().Add(sinceMidnight).Format("15:04:05.999999999")
}

// Bytes is a text of hexadecimal digits.
func (c *Cells) Bytes(b []byte) any {
	if len(b) > MaxCell {
		b = b[:MaxCell] // more of it is cut anyway
	}
	return c.Text("0x" + hex.EncodeToString(b))
}

// Text is a text, of which no memory is shared with the engine. Bytes that are not
// UTF-8 are shown as U+FFFD.
func (c *Cells) Text(s string) any {
	if len(s) > MaxCell*4 {
		s, c.cut = s[:MaxCell*4], true // no need to look at what is cut off
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	short := cut(s, MaxCell)
	if len(short) != len(s) {
		c.cut = true
	}
	return strings.Clone(short)
}

// Nested is a list or an [Object], or its JSON, cut, when it is too long.
func (c *Cells) Nested(v any) any {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return c.Null() // cells have no error
	}
	if text.Len() <= MaxCell {
		return v
	}
	if s := strings.TrimSpace(text.String()); len(cut(s, MaxCell)) != len(s) {
		return c.Text(s)
	}
	return v
}

// Object is a nested value of named cells, in the engine's order.
type Object []Field

// Field is one of an [Object].
type Field struct {
	Name  string
	Value any
}

// MarshalJSON keeps the order.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(f.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(f.Value)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Size is about how many bytes a row of cells takes as JSON.
func Size(row []any) int64 {
	n := int64(2)
	for _, v := range row {
		n++
		switch v := v.(type) {
		case nil:
			n += 4
		case bool:
			n += 5
		case string:
			n += int64(len(v)) + 2
		case int64, float64, json.Number:
			n += 8
		default:
			if text, err := json.Marshal(v); err == nil {
				n += int64(len(text))
			}
		}
	}
	return n
}

// Sorted joins warnings, each once, sorted.
func Sorted(lists ...[]string) []string {
	out := slices.Concat(lists...)
	slices.Sort(out)
	return slices.Compact(out)
}
