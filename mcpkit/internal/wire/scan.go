package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// maxDepth is how deep the arrays and objects of a message may nest. It equals
// the bound of the SDK's own decoder, which refuses anything deeper with an
// error that repeats the whole message.
const maxDepth = 1000

var errUTF8 = errors.New("the line is not valid UTF-8")

// span is a part of a text: data[start:end].
type span struct{ start, end int }

func (s span) of(data []byte) []byte { return data[s.start:s.end] }

// member is one name and value of an object; name includes its quotes.
type member struct{ name, value span }

// document is what scan finds out about a JSON text: the outermost value and,
// one level below, its members or elements.
type document struct {
	kind     byte     // '{', '[', '"', '0' for numbers, 't', 'f', 'n'
	members  []member // of an object
	elements []span   // of an array
	depth    int      // deepest nesting
}

// scan checks that data is exactly one JSON text in valid UTF-8. Unlike
// encoding/json it keeps the spans of the members, duplicates included, and
// puts no bound on nesting: a message that is too deep still has an id to be
// answered with. It needs one byte of memory for each open array or object.
func scan(data []byte) (document, error) {
	var doc document
	if !utf8.Valid(data) {
		return doc, errUTF8
	}
	const (
		value    = iota // a value must follow
		valueEnd        // a value or the end of the array
		name            // a member name must follow
		nameEnd         // a member name or the end of the object
		colon           // the colon after a name
		next            // a comma, or the end of what is open
	)
	var (
		open  []byte // the arrays and objects we are in
		state = value
		cur   member // the member or element under way at the first level
		i     int
	)
	closed := func(at int) { // a value has ended before offset at
		if len(open) == 1 {
			cur.value.end = at
			if open[0] == '{' {
				doc.members = append(doc.members, cur)
			} else {
				doc.elements = append(doc.elements, cur.value)
			}
		}
		state = next
	}
	for {
		for i < len(data) && isSpace(data[i]) {
			i++
		}
		if i == len(data) {
			if state == next && len(open) == 0 {
				return doc, nil
			}
			return doc, errors.New("unexpected end of the line")
		}
		c := data[i]
		switch {
		case (state == nameEnd && c == '}') || (state == valueEnd && c == ']') ||
			(state == next && len(open) > 0 && c == open[len(open)-1]+2): // '{'+2 is '}', '['+2 is ']'
			open = open[:len(open)-1]
			i++
			closed(i)

		case state == next && len(open) > 0 && c == ',':
			i++
			if state = value; open[len(open)-1] == '{' {
				state = name
			}

		case state == name || state == nameEnd:
			end, err := scanString(data, i)
			if err != nil {
				return doc, err
			}
			if len(open) == 1 {
				cur.name = span{i, end}
			}
			i, state = end, colon

		case state == colon && c == ':':
			i++
			state = value

		case state == value || state == valueEnd:
			if len(open) == 1 {
				cur.value.start = i
			}
			if len(open) == 0 {
				doc.kind = c
				if c == '-' || isDigit(c) {
					doc.kind = '0'
				}
			}
			if c == '{' || c == '[' {
				open = append(open, c)
				doc.depth = max(doc.depth, len(open))
				i++
				if state = valueEnd; c == '{' {
					state = nameEnd
				}
				continue
			}
			end, err := scanScalar(data, i)
			if err != nil {
				return doc, err
			}
			i = end
			closed(i)

		default:
			return doc, unexpected(data, i)
		}
	}
}

// scanScalar returns the end of the string, number or literal that starts at i.
func scanScalar(data []byte, i int) (int, error) {
	switch c := data[i]; {
	case c == '"':
		return scanString(data, i)
	case c == '-' || isDigit(c):
		return scanNumber(data, i)
	}
	for _, word := range []string{"true", "false", "null"} {
		if bytes.HasPrefix(data[i:], []byte(word)) {
			return i + len(word), nil
		}
	}
	return 0, unexpected(data, i)
}

// scanString returns the end of the string that starts at i. A lone surrogate
// escape is part of the grammar, so it is let through.
func scanString(data []byte, i int) (int, error) {
	if data[i] != '"' {
		return 0, unexpected(data, i)
	}
	for i++; i < len(data); i++ {
		switch c := data[i]; {
		case c == '"':
			return i + 1, nil
		case c < ' ':
			return 0, fmt.Errorf("control character %#02x in a string at byte %d", c, i)
		case c == '\\':
			i++
			if i == len(data) {
				break
			}
			switch data[i] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			case 'u':
				for range 4 {
					i++
					if i == len(data) || !isHex(data[i]) {
						return 0, fmt.Errorf("bad escape in a string at byte %d", i)
					}
				}
			default:
				return 0, fmt.Errorf("bad escape in a string at byte %d", i)
			}
		}
	}
	return 0, errors.New("unexpected end of the line in a string")
}

// scanNumber returns the end of the number that starts at i.
func scanNumber(data []byte, i int) (int, error) {
	digits := func() bool {
		start := i
		for i < len(data) && isDigit(data[i]) {
			i++
		}
		return i > start
	}
	if data[i] == '-' {
		i++
	}
	if i < len(data) && data[i] == '0' {
		i++
	} else if !digits() {
		return 0, unexpected(data, i)
	}
	if i < len(data) && data[i] == '.' {
		i++
		if !digits() {
			return 0, unexpected(data, i)
		}
	}
	if i < len(data) && (data[i] == 'e' || data[i] == 'E') {
		i++
		if i < len(data) && (data[i] == '+' || data[i] == '-') {
			i++
		}
		if !digits() {
			return 0, unexpected(data, i)
		}
	}
	return i, nil
}

func unexpected(data []byte, i int) error {
	if i >= len(data) {
		return errors.New("unexpected end of the line")
	}
	r, _ := utf8.DecodeRune(data[i:])
	return fmt.Errorf("unexpected %q at byte %d", r, i)
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isHex(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// find returns the value of the member of that name; the last one wins, as in
// encoding/json.
func (d document) find(data []byte, name string) (span, bool) {
	for i := len(d.members) - 1; i >= 0; i-- {
		if text(d.members[i].name.of(data)) == name {
			return d.members[i].value, true
		}
	}
	return span{}, false
}

// text decodes a JSON string that scan has accepted.
func text(quoted []byte) string {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	var s string
	_ = json.Unmarshal(quoted, &s) // cannot fail on a scanned string; a lone surrogate becomes U+FFFD
	return s
}

// splice returns data with the span replaced. It never writes into data.
func splice(data []byte, at span, with string) []byte {
	out := make([]byte, 0, len(data)-(at.end-at.start)+len(with))
	out = append(out, data[:at.start]...)
	out = append(out, with...)
	return append(out, data[at.end:]...)
}
