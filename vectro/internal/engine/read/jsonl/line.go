package jsonl

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/column"
)

// field is one member of a line's object.
type field struct {
	key     span
	value   column.Cell
	numbers int // of an array of numbers and nothing else: how many; else -1
	vector  span
}

// span is a run of bytes in the block, or in the arena.
type span struct {
	from, to int
	arena    bool
}

// fault says why a line is no JSON object.
type fault struct {
	at   int // in data
	what string
}

// scanner reads lines. It accepts exactly RFC 8259 but for bytes that are not
// UTF-8, which pass. It does not recurse, so depth costs memory of one byte a level
// and nothing else.
type scanner struct {
	data  []byte  // of the block
	end   int     // of the line
	arena []byte  // strings with escapes, nested values with blanks; of the batch
	out   []field // of the line
	stack []byte
}

func (s *scanner) space(i int) int {
	for i < s.end {
		switch s.data[i] {
		case ' ', '\t', '\r', '\n':
			i++
		default:
			return i
		}
	}
	return i
}

// at returns the byte at i, 0 at the end of the line (which is no JSON).
func (s *scanner) at(i int) byte {
	if i < s.end {
		return s.data[i]
	}
	return 0
}

// object reads the line data[i:end] into s.out. Bytes in the arena that a faulty
// line leaves behind are harmless.
func (s *scanner) object(i, end int) *fault {
	s.end, s.out = end, s.out[:0]
	i = s.space(i)
	if s.at(i) != '{' {
		return &fault{i, "an object '{…}' expected"}
	}
	i = s.space(i + 1)
	if s.at(i) == '}' {
		return s.nothing(i + 1)
	}
	for {
		if s.at(i) != '"' {
			return &fault{i, "a key in double quotes expected"}
		}
		stop, escaped, f := s.str(i)
		if f != nil {
			return f
		}
		fld := field{key: s.text(i, stop, escaped), numbers: -1}
		i = s.space(stop)
		if s.at(i) != ':' {
			return &fault{i, "':' expected after a key"}
		}
		i, f = s.value(s.space(i+1), &fld)
		if f != nil {
			return f
		}
		s.out = append(s.out, fld)
		i = s.space(i)
		switch s.at(i) {
		case ',':
			i = s.space(i + 1)
		case '}':
			return s.nothing(i + 1)
		default:
			return &fault{i, "',' or '}' expected after a value"}
		}
	}
}

func (s *scanner) nothing(i int) *fault {
	if i = s.space(i); i < s.end {
		return &fault{i, "something follows the object"}
	}
	return nil
}

// value reads a value of a field and returns where it ends.
func (s *scanner) value(i int, fld *field) (int, *fault) {
	switch c := s.at(i); c {
	case '"':
		stop, escaped, f := s.str(i)
		if f == nil {
			t := s.text(i, stop, escaped)
			fld.value = t.cell(column.String)
		}
		return stop, f
	case '{', '[':
		stop, blanks, numbers, f := s.nested(i)
		if f != nil {
			return stop, f
		}
		t := span{from: i, to: stop}
		fld.vector = t
		if blanks {
			t = s.compact(i, stop)
		}
		fld.numbers = numbers
		fld.value = t.cell(column.Nested)
		return stop, nil
	case 't', 'f', 'n':
		stop, f := s.word(i)
		if f == nil {
			form := column.Bool
			if c == 'n' {
				form = column.Absent
			}
			fld.value = column.InData(form, i, stop-i)
		}
		return stop, f
	default:
		stop, f := s.number(i)
		if f == nil {
			fld.value = column.InData(column.Number, i, stop-i)
		}
		return stop, f
	}
}

func (p span) cell(form column.Form) column.Cell {
	if p.arena {
		return column.InArena(form, p.from, p.to-p.from)
	}
	return column.InData(form, p.from, p.to-p.from)
}

// bytes returns what p stands for.
func (s *scanner) bytes(p span) []byte {
	if p.arena {
		return s.arena[p.from:p.to]
	}
	return s.data[p.from:p.to]
}

// word reads true, false or null.
func (s *scanner) word(i int) (int, *fault) {
	for _, w := range []string{"true", "false", "null"} {
		if bytes.HasPrefix(s.data[i:s.end], []byte(w)) {
			return i + len(w), nil
		}
	}
	return i, &fault{i, "a value expected"}
}

// number reads a number.
func (s *scanner) number(i int) (int, *fault) {
	start := i
	if s.at(i) == '-' {
		i++
	}
	switch c := s.at(i); {
	case c == '0':
		i++
	case c >= '1' && c <= '9':
		i = s.digits(i)
	case i == start:
		return i, &fault{i, "a value expected"}
	default:
		return i, &fault{i, "a digit expected"}
	}
	if s.at(i) == '.' {
		if i++; s.digits(i) == i {
			return i, &fault{i, "a digit expected"}
		}
		i = s.digits(i)
	}
	if c := s.at(i); c == 'e' || c == 'E' {
		i++
		if c := s.at(i); c == '+' || c == '-' {
			i++
		}
		if s.digits(i) == i {
			return i, &fault{i, "a digit expected"}
		}
		i = s.digits(i)
	}
	return i, nil
}

func (s *scanner) digits(i int) int {
	for i < s.end && s.data[i]-'0' <= 9 {
		i++
	}
	return i
}

// str checks the string whose opening quote is at i and returns the position
// after its closing quote.
func (s *scanner) str(i int) (stop int, escaped bool, f *fault) {
	i++
	for {
		i = s.plain(i)
		switch c := s.at(i); {
		case i >= s.end:
			return i, false, &fault{i, "a string is not closed"}
		case c == '"':
			return i + 1, escaped, nil
		case c != '\\':
			return i, false, &fault{i, "a control character in a string"}
		}
		escaped = true
		switch s.at(i + 1) {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			i += 2
		case 'u':
			if _, ok := s.hex(i + 2); !ok {
				return i, false, &fault{i, "four hexadecimal digits expected after \\u"}
			}
			i += 6
		default:
			return i, false, &fault{i, "an unknown escape in a string"}
		}
	}
}

// plain skips characters that stand for themselves, eight at a time.
func (s *scanner) plain(i int) int {
	const low, high = 0x0101010101010101, 0x8080808080808080
	data := s.data[:s.end]
	for i+8 <= len(data) {
		w := binary.LittleEndian.Uint64(data[i:])
		q, b := w^'"'*low, w^'\\'*low
		// The lowest marked byte is exact; a borrow can only mark bytes above it.
		m := ((q-low)&^q | (b-low)&^b | (w-0x20*low)&^w) & high
		if m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
		i += 8
	}
	for i < len(data) && data[i] != '"' && data[i] != '\\' && data[i] >= 0x20 {
		i++
	}
	return i
}

// hex reads four hexadecimal digits.
func (s *scanner) hex(i int) (rune, bool) {
	if i+4 > s.end {
		return 0, false
	}
	v, err := strconv.ParseUint(string(s.data[i:i+4]), 16, 16)
	return rune(v), err == nil
}

// text returns the contents of the string with quotes data[i:stop].
func (s *scanner) text(i, stop int, escaped bool) span {
	if !escaped {
		return span{from: i + 1, to: stop - 1}
	}
	from := len(s.arena)
	for i++; i < stop-1; {
		c := s.data[i]
		if c != '\\' {
			s.arena = append(s.arena, c)
			i++
			continue
		}
		c = s.data[i+1]
		i += 2
		switch c {
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'u':
			r, _ := s.hex(i)
			i += 4
			if utf16.IsSurrogate(r) {
				// Half a pair alone becomes U+FFFD.
				pair := rune(utf8.RuneError)
				if s.data[i] == '\\' && s.data[i+1] == 'u' {
					second, _ := s.hex(i + 2)
					pair = utf16.DecodeRune(r, second)
				}
				if r = pair; pair != utf8.RuneError {
					i += 6
				}
			}
			s.arena = utf8.AppendRune(s.arena, r)
			continue
		}
		s.arena = append(s.arena, c)
	}
	return span{from, len(s.arena), true}
}

// What may come next inside a nested value.
type expect uint8

const (
	aValue expect = iota
	aValueOrEnd
	aKey
	aKeyOrEnd
	aCommaOrEnd
)

// nested checks the object or array that begins at i and returns where it ends,
// whether it has blanks between its tokens, and how many numbers it has if it is
// an array of numbers and nothing else, -1 if not.
func (s *scanner) nested(i int) (stop int, blanks bool, numbers int, f *fault) {
	s.stack = s.stack[:0]
	next := aValue
	flat := s.data[i] == '['
	for {
		if j := s.space(i); j != i {
			blanks = true
			i = j
		}
		c := s.at(i)
		switch {
		case (next == aValueOrEnd || next == aCommaOrEnd) && c == ']' && s.stack[len(s.stack)-1] == '[',
			(next == aKeyOrEnd || next == aCommaOrEnd) && c == '}' && s.stack[len(s.stack)-1] == '{':
			i++
			s.stack = s.stack[:len(s.stack)-1]
			if len(s.stack) == 0 {
				if !flat {
					numbers = -1
				}
				return i, blanks, numbers, nil
			}
			next = aCommaOrEnd
		case next == aCommaOrEnd:
			if c != ',' {
				return i, false, 0, &fault{i, "',' or an end expected after a nested value"}
			}
			i++
			next = aValue
			if s.stack[len(s.stack)-1] == '{' {
				next = aKey
			}
		case next == aKey || next == aKeyOrEnd:
			if c != '"' {
				return i, false, 0, &fault{i, "a key in double quotes expected"}
			}
			if i, _, f = s.str(i); f != nil {
				return i, false, 0, f
			}
			if j := s.space(i); j != i {
				blanks = true
				i = j
			}
			if s.at(i) != ':' {
				return i, false, 0, &fault{i, "':' expected after a key"}
			}
			i++
			next = aValue
		case c == '[' || c == '{':
			flat = flat && len(s.stack) == 0
			s.stack = append(s.stack, c)
			i++
			next = aValueOrEnd
			if c == '{' {
				next = aKeyOrEnd
			}
		default:
			next = aCommaOrEnd
			switch c {
			case '"':
				flat = false
				i, _, f = s.str(i)
			case 't', 'f', 'n':
				flat = false
				i, f = s.word(i)
			default:
				numbers++
				i, f = s.number(i)
			}
			if f != nil {
				return i, false, 0, f
			}
		}
	}
}

// compact copies a valid nested value without the blanks between its tokens.
func (s *scanner) compact(i, stop int) span {
	from := len(s.arena)
	for i < stop {
		switch c := s.data[i]; c {
		case ' ', '\t', '\r', '\n':
			i++
		case '"':
			end, _, _ := s.str(i)
			s.arena = append(s.arena, s.data[i:end]...)
			i = end
		default:
			s.arena = append(s.arena, c)
			i++
		}
	}
	return span{from, len(s.arena), true}
}
