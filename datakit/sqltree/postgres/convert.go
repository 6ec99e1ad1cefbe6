package postgres

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// conv converts one statement: it walks the grammar's tree and keeps a cursor on
// the tokens.
//
// A method that converts a node finds the cursor at or before the node's first
// token and leaves it behind its last one. Token indexes are absolute; a pair of
// them is a range without its end, as of a slice.
type conv struct {
	text string
	toks []token
	base int // where the text that the grammar saw begins
	i    int // the cursor
	end  int // of the statement's tokens

	extra []sqltree.Statement // the elements of CREATE SCHEMA
}

// mismatch is the panic of a conversion that cannot go on.
type mismatch struct {
	at      span
	message string
}

// fail is for a tree and tokens that disagree.
func (c *conv) fail(want string) {
	at := span{Start: len(c.text), End: len(c.text)}
	if c.i < len(c.toks) {
		at = c.span(c.i, c.i+1)
	}
	panic(mismatch{at, "this PostgreSQL syntax is not supported here: expected " + want})
}

// refuse is for what the server does not take, and the library does: it lets
// parameters stand in more places, for texts whose constants were replaced.
func (c *conv) refuse() {
	panic(mismatch{c.span(c.i, c.i+1), fmt.Sprintf("syntax error at or near %q", c.tokenText(c.i))})
}

// span returns the text's span of tokens a to b.
func (c *conv) span(a, b int) span {
	if b <= a {
		b = a + 1
	}
	return span{Start: int(c.toks[a].start), End: int(c.toks[b-1].end)}
}

func (c *conv) tokenText(i int) string { return c.text[c.toks[i].start:c.toks[i].end] }

// is tells whether token i is the keyword, given in upper case.
func (c *conv) is(i int, word string) bool {
	if i < 0 || i >= c.end || c.toks[i].kind != wordToken || int(c.toks[i].end-c.toks[i].start) != len(word) {
		return false
	}
	return strings.EqualFold(c.tokenText(i), word)
}

// words tells whether the keywords stand at token i.
func (c *conv) words(i int, words ...string) bool {
	for k, w := range words {
		if !c.is(i+k, w) {
			return false
		}
	}
	return true
}

// punct tells whether token i is the character.
func (c *conv) punct(i int, ch byte) bool {
	return i >= 0 && i < c.end && c.toks[i].kind == punctToken && c.toks[i].ch == ch
}

// op tells whether token i is the operator.
func (c *conv) op(i int, op string) bool {
	return i >= 0 && i < c.end && c.toks[i].kind == opToken && c.tokenText(i) == op
}

// accept passes over keywords if they stand at the cursor.
func (c *conv) accept(words ...string) bool {
	if !c.words(c.i, words...) {
		return false
	}
	c.i += len(words)
	return true
}

// acceptAny passes over one of the keywords.
func (c *conv) acceptAny(words ...string) bool {
	for _, w := range words {
		if c.accept(w) {
			return true
		}
	}
	return false
}

func (c *conv) expect(words ...string) {
	if !c.accept(words...) {
		c.fail(strings.Join(words, " "))
	}
}

func (c *conv) acceptPunct(ch byte) bool {
	if !c.punct(c.i, ch) {
		return false
	}
	c.i++
	return true
}

func (c *conv) expectPunct(ch byte) {
	if !c.acceptPunct(ch) {
		c.fail(string(rune(ch)))
	}
}

// match returns the index of the bracket that belongs to the one at i.
func (c *conv) match(i int) int {
	m := int(c.toks[i].match)
	if m < 0 {
		c.fail("a bracket")
	}
	return m
}

// index returns the token that begins at a location of the tree.
func (c *conv) index(loc int) int {
	pos := int32(c.base + loc)
	i := c.i
	for n := 0; i < c.end && c.toks[i].start < pos && n < 16; n++ {
		i++
	}
	if i >= c.end || c.toks[i].start != pos {
		i = sort.Search(c.end, func(k int) bool { return c.toks[k].start >= pos })
	}
	if loc < 0 || i >= c.end || c.toks[i].start != pos {
		c.fail("a token at " + strconv.Itoa(c.base+loc))
	}
	return i
}

// seek puts the cursor on the token at a location.
func (c *conv) seek(loc int) { c.i = c.index(loc) }

// skipOpen passes over opening parentheses.
func (c *conv) skipOpen() {
	for c.punct(c.i, '(') {
		c.i++
	}
}

// isIdent tells whether token i can be an identifier: any word may, where the
// grammar says so.
func (c *conv) isIdent(i int) bool {
	return i >= 0 && i < c.end && (c.toks[i].kind == wordToken || c.toks[i].kind == quotedToken)
}

// identAt returns token i as an identifier.
func (c *conv) identAt(i int) sqltree.Ident {
	if !c.isIdent(i) {
		c.i = i
		c.fail("an identifier")
	}
	text := c.tokenText(i)
	id := sqltree.Ident{Span: c.span(i, i+1), Name: text}
	if c.toks[i].kind == quotedToken {
		id.Quoted = true
		id.Name = unquote(text)
	}
	return id
}

func (c *conv) ident() sqltree.Ident {
	id := c.identAt(c.i)
	c.i++
	return id
}

func (c *conv) identPtr() *sqltree.Ident {
	id := c.ident()
	return &id
}

// name reads a qualified name.
func (c *conv) name() sqltree.Name {
	first := c.i
	parts := []sqltree.Ident{c.ident()}
	for c.punct(c.i, '.') && c.isIdent(c.i+1) {
		c.i++
		parts = append(parts, c.ident())
	}
	return sqltree.Name{Span: c.span(first, c.i), Parts: parts}
}

func (c *conv) namePtr() *sqltree.Name {
	n := c.name()
	return &n
}

// identList reads (a, b, …).
func (c *conv) identList() []sqltree.Ident {
	c.expectPunct('(')
	var ids []sqltree.Ident
	for !c.acceptPunct(')') {
		ids = append(ids, c.ident())
		if !c.punct(c.i, ')') {
			c.expectPunct(',')
		}
	}
	return ids
}

// elements returns the ranges of a list: tokens a to b split at commas that
// stand in no brackets. An empty range has none.
func (c *conv) elements(a, b int) [][2]int {
	if a >= b {
		return nil
	}
	var out [][2]int
	start := a
	for i := a; i < b; i++ {
		switch {
		case c.toks[i].match > int32(i):
			i = int(c.toks[i].match)
		case c.punct(i, ','):
			out = append(out, [2]int{start, i})
			start = i + 1
		}
	}
	return append(out, [2]int{start, b})
}

// find returns the first place in a to b, outside of brackets, where the
// keywords stand; b if there is none.
func (c *conv) find(a, b int, words ...string) int {
	for i := a; i < b; i++ {
		if c.toks[i].match > int32(i) {
			i = int(c.toks[i].match)
			continue
		}
		if c.words(i, words...) {
			return i
		}
	}
	return b
}

// unquote takes the quotes off "…" and U&"…".
func unquote(s string) string {
	if s[0] == '"' {
		return strings.ReplaceAll(s[1:len(s)-1], `""`, `"`)
	}
	// U&"…" with an optional UESCAPE 'c' behind.
	escape := byte('\\')
	end := strings.LastIndexByte(s, '"')
	if rest := s[end+1:]; len(rest) >= 3 {
		escape = rest[len(rest)-2]
	}
	s = strings.ReplaceAll(s[3:end], `""`, `"`)
	var b strings.Builder
	var high rune
	for i := 0; i < len(s); i++ {
		if s[i] != escape || i+1 >= len(s) {
			b.WriteByte(s[i])
			continue
		}
		if s[i+1] == escape {
			b.WriteByte(escape)
			i++
			continue
		}
		digits, skip := 4, 0
		if s[i+1] == '+' {
			digits, skip = 6, 1
		}
		from := i + 1 + skip
		if from+digits > len(s) {
			b.WriteByte(s[i])
			continue
		}
		v, err := strconv.ParseUint(s[from:from+digits], 16, 32)
		if err != nil {
			b.WriteByte(s[i])
			continue
		}
		i = from + digits - 1
		switch r := rune(v); {
		case r >= 0xd800 && r < 0xdc00:
			high = r
		case r >= 0xdc00 && r < 0xe000 && high != 0:
			b.WriteRune((high-0xd800)<<10 + (r - 0xdc00) + 0x10000)
			high = 0
		case utf8.ValidRune(r):
			b.WriteRune(r)
		}
	}
	return b.String()
}

// upper returns the words of tokens a to b in upper case.
func (c *conv) upper(a, b int) string {
	words := make([]string, 0, b-a)
	for i := a; i < b; i++ {
		words = append(words, strings.ToUpper(c.tokenText(i)))
	}
	return strings.Join(words, " ")
}

// statement converts a statement at the cursor.
func (c *conv) statement(n node) sqltree.Statement {
	tag, inner := n.tag()
	switch tag {
	case "SelectStmt":
		q, _ := c.query(inner)
		return q
	case "InsertStmt":
		return c.insert(inner)
	case "UpdateStmt":
		return c.update(inner)
	case "DeleteStmt":
		return c.delete(inner)
	case "MergeStmt":
		return c.merge(inner)
	}
	return c.utility(tag, inner)
}

// unsupported is for node types that the grammar can return and this package
// does not know.
func (c *conv) unsupported(what, tag string) {
	c.fail(fmt.Sprintf("%s of a known type, got %s", what, tag))
}
