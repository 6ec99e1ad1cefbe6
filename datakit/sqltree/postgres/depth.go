package postgres

import (
	"fmt"
	"strings"
)

// The parser and the code that prints its tree are C and recurse without a
// guard; a text nested deeply enough ends the process. What they may see is
// therefore limited by the tokens alone: brackets and CASE nest, and a chain of
// operators, joins or set operations nests to the left by one level each. Fields
// and subscripts behind a value are a list in the grammar's tree, and nest in ours.
//
// The count is from above as far as the grammar is concerned, and leaves room in
// [sqltree.MaxDepth] for brackets around the longest chain.
const (
	maxNesting = 500
	maxChain   = 2000
)

// depth estimates, from above, how deep the tree of a statement will be.
type depth struct {
	frames []frame
	top    frame
	nested int // brackets and CASE that are open
	chain  int // links of all frames together
	// field is set behind a dot that takes a field of a value: the next dot does so
	// too if only a name stands between.
	field bool
}

// frame counts what is chained inside one pair of brackets.
type frame struct {
	links int  // operators since the last comma or clause
	sets  int  // joins and set operations
	cased bool // opened by CASE
}

// opened enters a bracket.
func (d *depth) opened(l *lexer) error {
	d.frames = append(d.frames, d.top)
	d.top = frame{}
	return d.deeper(l)
}

func (d *depth) deeper(l *lexer) error {
	d.nested++
	if d.nested > maxNesting {
		t := l.toks[len(l.toks)-1]
		return l.fail(int(t.start), int(t.end), fmt.Sprintf("nested too deeply (more than %d levels)", maxNesting))
	}
	return nil
}

// closed leaves a bracket, and with it every CASE that is open in it.
func (d *depth) closed() {
	for len(d.frames) > 0 {
		cased := d.top.cased
		d.pop()
		if !cased {
			return
		}
	}
}

func (d *depth) pop() {
	d.chain -= d.top.links + d.top.sets
	d.top = d.frames[len(d.frames)-1]
	d.frames = d.frames[:len(d.frames)-1]
	d.nested--
}

// next begins another element or clause, whose operators nest anew.
func (d *depth) next() {
	d.chain -= d.top.links
	d.top.links = 0
}

// reset begins another statement.
func (d *depth) reset() { *d = depth{frames: d.frames[:0]} }

// behind tells whether the n-th token before the last one is one of the characters.
func (l *lexer) behind(n int, chars string) bool {
	i := len(l.toks) - 1 - n
	return i >= l.first && l.toks[i].kind == punctToken && strings.IndexByte(chars, l.toks[i].ch) >= 0
}

// indirect counts a [ that has been read, and a dot if it takes a field of a value
// instead of going on with a name.
func (d *depth) indirect(l *lexer, c byte) error {
	if c == '.' {
		value := len(l.toks) > 1 && l.toks[len(l.toks)-2].kind == paramToken
		d.field = value || l.behind(1, ")]") || d.field && l.behind(2, ".")
		if !d.field {
			return nil
		}
	}
	return d.link(l)
}

// chained counts an operator, given as "", or a word in upper case. Behind a dot
// every word is a name.
func (d *depth) chained(l *lexer, word string) error {
	if word != "" && l.behind(1, ".") {
		return nil
	}
	switch word {
	case "AND", "OR", "SELECT", "WHERE", "ON", "WHEN", "THEN", "ELSE":
		d.next()
		return nil
	case "CASE":
		d.frames = append(d.frames, d.top)
		d.top = frame{cased: true}
		return d.deeper(l)
	case "END":
		if d.top.cased {
			d.pop()
		}
		return nil
	case "JOIN", "UNION", "INTERSECT", "EXCEPT":
		d.top.sets++
	case "", "NOT", "IS", "ISNULL", "NOTNULL", "IN", "LIKE", "ILIKE", "SIMILAR", "BETWEEN", "COLLATE", "AT", "OVERLAPS", "OPERATOR":
		return d.link(l)
	default:
		return nil
	}
	return d.linked(l)
}

// link counts a link of the chain at hand.
func (d *depth) link(l *lexer) error {
	d.top.links++
	return d.linked(l)
}

func (d *depth) linked(l *lexer) error {
	d.chain++
	if d.chain > maxChain {
		t := l.toks[len(l.toks)-1]
		return l.fail(int(t.start), int(t.end), fmt.Sprintf("too many operators in a row (more than %d)", maxChain))
	}
	return nil
}
