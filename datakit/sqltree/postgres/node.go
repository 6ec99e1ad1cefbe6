package postgres

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// tree holds the grammar's parse tree, which comes as JSON: the library prints
// JSON in a third of the time of its other form. All values stand in one slice.
type tree struct{ vals []value }

// value is one JSON value.
type value struct {
	key   string // in its object, as it stands in the JSON
	raw   string // of a string, without quotes and still escaped; of a number or boolean
	first int32  // of an object or array: the first value in it; 0: none
	next  int32  // the next value in the same object or array; 0: none
}

// node is a value of a tree. The zero node is an absent one: it has no fields,
// no elements, the empty string and the number 0.
type node struct {
	t *tree
	i int32
}

// read fills the tree from JSON that the library made. What was in it before is
// no longer valid.
func (t *tree) read(json string) {
	t.vals = append(slices.Grow(t.vals[:0], len(json)/20), value{})
	r := jsonReader{json: json, t: t}
	r.value("")
}

// release lets go of the JSON, and of more storage than is worth keeping.
func (t *tree) release() {
	if cap(t.vals) > 1<<16 {
		t.vals = nil
	}
	clear(t.vals)
}

func (t *tree) root() node { return node{t, 1} }

type jsonReader struct {
	json string
	pos  int
	t    *tree
}

// value reads the value at pos and returns its index.
func (r *jsonReader) value(key string) int32 {
	i := int32(len(r.t.vals))
	r.t.vals = append(r.t.vals, value{key: key})
	switch c := r.json[r.pos]; c {
	case '{', '[':
		r.pos++
		var last int32
		for r.json[r.pos] != c+2 {
			if r.json[r.pos] == ',' {
				r.pos++
				continue
			}
			name := ""
			if c == '{' {
				name = r.str()
				r.pos++ // the colon
			}
			v := r.value(name)
			if last == 0 {
				r.t.vals[i].first = v
			} else {
				r.t.vals[last].next = v
			}
			last = v
		}
		r.pos++
	case '"':
		r.t.vals[i].raw = r.str()
	default:
		start := r.pos
		for r.json[r.pos] != ',' && r.json[r.pos] != '}' && r.json[r.pos] != ']' {
			r.pos++
		}
		r.t.vals[i].raw = r.json[start:r.pos]
	}
	return i
}

// str reads a string and leaves its escapes as they are.
func (r *jsonReader) str() string {
	start := r.pos + 1
	i := start
	for r.json[i] != '"' {
		if r.json[i] == '\\' {
			i++
		}
		i++
	}
	r.pos = i + 1
	return r.json[start:i]
}

func (n node) ok() bool { return n.i != 0 }

func (n node) val() *value { return &n.t.vals[n.i] }

// get returns a field.
func (n node) get(key string) node {
	if n.i == 0 {
		return node{}
	}
	for i := n.val().first; i != 0; i = n.t.vals[i].next {
		if n.t.vals[i].key == key {
			return node{n.t, i}
		}
	}
	return node{}
}

// first and next go through the elements of an array.
func (n node) first() node {
	if n.i == 0 || n.val().first == 0 {
		return node{}
	}
	return node{n.t, n.val().first}
}

func (n node) next() node {
	if n.i == 0 || n.val().next == 0 {
		return node{}
	}
	return node{n.t, n.val().next}
}

// len returns the number of elements.
func (n node) len() int {
	k := 0
	for e := n.first(); e.ok(); e = e.next() {
		k++
	}
	return k
}

// last returns the last element.
func (n node) last() node {
	var last node
	for e := n.first(); e.ok(); e = e.next() {
		last = e
	}
	return last
}

// tag takes the wrapper off a node of any type: {"ColumnRef": {…}}. An empty
// object, which stands for a missing node, has the tag "".
func (n node) tag() (string, node) {
	f := n.first()
	if !f.ok() {
		return "", node{}
	}
	return f.val().key, f
}

// as returns the node inside its wrapper if it is of that type.
func (n node) as(tag string) node {
	if t, inner := n.tag(); t == tag {
		return inner
	}
	return node{}
}

// str returns a string with its escapes taken off, and numbers and words as
// they are.
func (n node) str() string {
	if n.i == 0 {
		return ""
	}
	raw := n.val().raw
	if strings.IndexByte(raw, '\\') < 0 {
		return raw
	}
	return unescapeJSON(raw)
}

func unescapeJSON(raw string) string {
	b := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 == len(raw) {
			b = append(b, raw[i])
			continue
		}
		i++
		switch raw[i] {
		case 'b':
			b = append(b, '\b')
		case 'f':
			b = append(b, '\f')
		case 'n':
			b = append(b, '\n')
		case 'r':
			b = append(b, '\r')
		case 't':
			b = append(b, '\t')
		case 'u':
			if i+4 < len(raw) {
				if v, err := strconv.ParseUint(raw[i+1:i+5], 16, 32); err == nil {
					b = utf8.AppendRune(b, rune(v))
				}
				i += 4
			}
		default:
			b = append(b, raw[i])
		}
	}
	return string(b)
}

// is tells whether a field that holds a word has this one.
func (n node) is(word string) bool { return n.i != 0 && n.val().raw == word }

func (n node) bool() bool { return n.is("true") }

// loc returns the location of a node; -1 where it has none.
func (n node) loc() int {
	l := n.get("location")
	if !l.ok() {
		return 0
	}
	v, err := strconv.Atoi(l.val().raw)
	if err != nil {
		return -1
	}
	return v
}
