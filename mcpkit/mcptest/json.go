package mcptest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// node is a JSON value that keeps what encoding/json throws away: the order of
// the members of an object and the literal of every scalar. So 1 and 1.0 stay
// different, and 9007199254740993 stays itself.
type node struct {
	kind    kind
	raw     string   // scalars: the literal as written
	text    string   // strings: the decoded text
	members []member // objects
	items   []*node  // arrays
}

type kind byte

const (
	kindNull kind = iota
	kindBool
	kindNumber
	kindString
	kindArray
	kindObject
)

func (k kind) String() string {
	return [...]string{"null", "boolean", "number", "string", "array", "object"}[k]
}

type member struct {
	raw   string // the key as written, quotes included
	key   string
	value *node
}

// parseJSON reads exactly one JSON value. Beyond the grammar it refuses invalid
// UTF-8 and objects that name a key twice, which readers understand differently.
func parseJSON(data []byte) (*node, error) { return one(parseStream(data)) }

// parseTwins is parseJSON for input of which objects may name a key twice.
func parseTwins(data []byte) (*node, error) { return one(parse(data, true)) }

func one(values []*node, err error) (*node, error) {
	if err != nil {
		return nil, err
	}
	if len(values) != 1 {
		return nil, fmt.Errorf("%d JSON values, want one", len(values))
	}
	return values[0], nil
}

// parseStream reads JSON values separated by white space, each as strictly as
// parseJSON.
func parseStream(data []byte) ([]*node, error) { return parse(data, false) }

func parse(data []byte, twins bool) ([]*node, error) {
	if !utf8.Valid(data) {
		return nil, errors.New("invalid UTF-8")
	}
	p := &parser{data: data, dec: json.NewDecoder(bytes.NewReader(data)), twins: twins}
	p.dec.UseNumber()
	var values []*node
	for {
		n, err := p.value()
		if errors.Is(err, io.EOF) && n == nil {
			return values, nil
		}
		if err != nil {
			return nil, err
		}
		values = append(values, n)
	}
}

type parser struct {
	data  []byte
	dec   *json.Decoder
	twins bool // keys may be given twice
}

// token returns the next token and its literal. The decoder's offset before a
// token stands in front of the separators that precede it.
func (p *parser) token() (json.Token, string, error) {
	from := p.dec.InputOffset()
	t, err := p.dec.Token()
	if err != nil {
		return nil, "", err
	}
	return t, strings.TrimLeft(string(p.data[from:p.dec.InputOffset()]), " \t\r\n,:"), nil
}

// value returns io.EOF with a nil node at the end of the input, and another
// error where the input ends inside a value.
func (p *parser) value() (*node, error) {
	t, raw, err := p.token()
	if err != nil {
		return nil, err
	}
	return p.rest(t, raw)
}

func (p *parser) rest(t json.Token, raw string) (*node, error) {
	switch t := t.(type) {
	case nil:
		return &node{kind: kindNull, raw: raw}, nil
	case bool:
		return &node{kind: kindBool, raw: raw}, nil
	case json.Number:
		return &node{kind: kindNumber, raw: raw}, nil
	case string:
		return &node{kind: kindString, raw: raw, text: t}, nil
	case json.Delim:
		if t == '{' {
			return p.object()
		}
		return p.array()
	}
	return nil, fmt.Errorf("unexpected token %v", t)
}

func (p *parser) object() (*node, error) {
	n := &node{kind: kindObject}
	seen := map[string]bool{}
	for {
		t, raw, err := p.token()
		if err != nil {
			return n, unexpectedEOF(err)
		}
		if t == json.Delim('}') {
			return n, nil
		}
		key := t.(string) // the decoder lets nothing else stand here
		if seen[key] && !p.twins {
			return n, fmt.Errorf("the key %q is given twice", key)
		}
		seen[key] = true
		v, err := p.value()
		if err != nil {
			return n, unexpectedEOF(err)
		}
		n.members = append(n.members, member{raw: raw, key: key, value: v})
	}
}

func (p *parser) array() (*node, error) {
	n := &node{kind: kindArray}
	for {
		t, raw, err := p.token()
		if err != nil {
			return n, unexpectedEOF(err)
		}
		if t == json.Delim(']') {
			return n, nil
		}
		v, err := p.rest(t, raw)
		if err != nil {
			return n, err
		}
		n.items = append(n.items, v)
	}
}

func unexpectedEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func stringNode(s string) *node {
	raw, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always has a JSON form
	}
	return &node{kind: kindString, raw: string(raw), text: s}
}

// mustParse is for JSON written in this package.
func mustParse(s string) *node {
	n, err := parseJSON([]byte(s))
	if err != nil {
		panic(fmt.Sprintf("mcptest: %v in %s", err, s))
	}
	return n
}

// get returns the member of an object, or nil. It may be called on nil.
func (n *node) get(path ...string) *node {
	for _, key := range path {
		if n == nil || n.kind != kindObject {
			return nil
		}
		i := slices.IndexFunc(n.members, func(m member) bool { return m.key == key })
		if i < 0 {
			return nil
		}
		n = n.members[i].value
	}
	return n
}

// isString reports whether n is the string s. It may be called on nil.
func (n *node) isString(s string) bool {
	return n != nil && n.kind == kindString && n.text == s
}

// set adds a member to an object, or replaces its value.
func (n *node) set(key string, v *node) {
	for i := range n.members {
		if n.members[i].key == key {
			n.members[i].value = v
			return
		}
	}
	n.members = append(n.members, member{raw: stringNode(key).raw, key: key, value: v})
}

// remove deletes a member of an object.
func (n *node) remove(key string) {
	n.members = slices.DeleteFunc(n.members, func(m member) bool { return m.key == key })
}

// clone copies objects and arrays down to their scalars.
func (n *node) clone() *node {
	c := *n
	c.members = slices.Clone(n.members)
	for i := range c.members {
		c.members[i].value = c.members[i].value.clone()
	}
	c.items = slices.Clone(n.items)
	for i := range c.items {
		c.items[i] = c.items[i].clone()
	}
	return &c
}

// String is the compact JSON text; literals and the order of members are kept.
func (n *node) String() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

func (n *node) write(b *strings.Builder) {
	switch n.kind {
	case kindObject:
		b.WriteByte('{')
		for i, m := range n.members {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(m.raw)
			b.WriteByte(':')
			m.value.write(b)
		}
		b.WriteByte('}')
	case kindArray:
		b.WriteByte('[')
		for i, v := range n.items {
			if i > 0 {
				b.WriteByte(',')
			}
			v.write(b)
		}
		b.WriteByte(']')
	default:
		b.WriteString(n.raw)
	}
}

// equal reports whether two values are the same exact JSON: literals of
// numbers and the order of members count, the escaping of strings does not.
func equal(a, b *node) bool {
	if a.kind != b.kind || len(a.members) != len(b.members) || len(a.items) != len(b.items) {
		return false
	}
	for i := range a.members {
		if a.members[i].key != b.members[i].key || !equal(a.members[i].value, b.members[i].value) {
			return false
		}
	}
	for i := range a.items {
		if !equal(a.items[i], b.items[i]) {
			return false
		}
	}
	if a.kind == kindString {
		return a.text == b.text
	}
	return a.raw == b.raw
}

// pointer is a parsed JSON pointer (RFC 6901) in which a step "*" stands for
// every item of an array and every member of an object.
type pointer []string

var (
	unescapePointer = strings.NewReplacer("~1", "/", "~0", "~")
	escapePointer   = strings.NewReplacer("~", "~0", "/", "~1")
)

func parsePointer(s string) (pointer, error) {
	if !strings.HasPrefix(s, "/") {
		return nil, fmt.Errorf("JSON pointer %q does not begin with /", s)
	}
	steps := strings.Split(s[1:], "/")
	for i := range steps {
		steps[i] = unescapePointer.Replace(steps[i])
	}
	return steps, nil
}

func (p pointer) String() string {
	var b strings.Builder
	for _, step := range p {
		b.WriteByte('/')
		b.WriteString(escapePointer.Replace(step))
	}
	return b.String()
}

// covers reports whether the pointer, which may hold "*", names the place at.
func (p pointer) covers(at pointer) bool {
	if len(p) != len(at) {
		return false
	}
	for i := range p {
		if p[i] != "*" && p[i] != at[i] {
			return false
		}
	}
	return true
}

// child returns p extended by one step, sharing nothing with p.
func (p pointer) child(step string) pointer {
	return append(slices.Clone(p), step)
}

// walk calls f for the node and everything below it, in document order.
func (n *node) walk(at pointer, f func(at pointer, n *node)) {
	f(at, n)
	for _, m := range n.members {
		m.value.walk(at.child(m.key), f)
	}
	for i, v := range n.items {
		v.walk(at.child(strconv.Itoa(i)), f)
	}
}
