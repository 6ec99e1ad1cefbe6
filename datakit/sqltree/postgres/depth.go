package postgres

// The parser and the code that prints its tree are C and recurse without a
// guard; a text nested deeply enough ends the process. What they may see is
// therefore limited by the tokens alone: brackets and CASE nest, and a chain of
// operators, joins or set operations nests to the left by one level each.
const (
	maxNesting = 500
	maxChain   = 5000
)

// depth estimates, from above, how deep the tree of a statement will be.
type depth struct {
	frames []frame
	top    frame
	nested int // brackets and CASE that are open
	chain  int // links of all frames together
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
		return l.fail(int(t.start), int(t.end), "nested too deeply (more than 500 levels)")
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

// chained counts an operator, given as "", or a word in upper case.
func (d *depth) chained(l *lexer, word string) error {
	switch word {
	case "AND", "OR", "SELECT", "WHERE", "ON", "WHEN", "THEN", "ELSE", "VALUES":
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
		d.top.links++
	default:
		return nil
	}
	d.chain++
	if d.chain > maxChain {
		t := l.toks[len(l.toks)-1]
		return l.fail(int(t.start), int(t.end), "too many operators in a row (more than 5000)")
	}
	return nil
}
