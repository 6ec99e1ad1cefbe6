package sqlsrc

import (
	"context"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	pgsql "github.com/quartet-mcp/quartet/datakit/sqltree/postgres"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// isRelative reports whether scripts are for a relative of PostgreSQL, which takes clauses
// that PostgreSQL's grammar does not take.
func (in *postgres) isRelative() bool {
	return in.d == dialect.CockroachDB || in.d == dialect.YugabyteDB
}

// mark is a clause that was taken out of a statement, from the element of a table, or the
// statement, that begins at a byte of the text.
type mark struct {
	at     int
	clause string
}

// relative rewrites a statement into one that PostgreSQL's grammar takes.
type relative struct {
	*words
	edits []edit
	marks []mark
	// indexes are the statements that make the indexes which stood in a table.
	indexes []piece
}

// relativePart executes one statement of a relative of PostgreSQL.
func (in *postgres) relativePart(ctx context.Context, text string, base int) {
	in.text, in.base = text, base
	line := in.line(0)
	whole, lines := in.piece, in.lines
	defer func() { in.piece, in.lines, in.marks = whole, lines, nil }()
	r := &relative{words: in.wordsOf(text)}
	if len(r.toks) > 0 {
		in.at = r.toks[0].Start
	}
	if err := r.rewrite(); err != nil {
		in.report(err)
		return
	}
	text = r.apply(in)
	in.piece = piece{text: text, shown: whole.shown, line: line}
	in.text, in.base, in.lines = text, 0, nil
	in.parsed(text)
	for _, x := range r.indexes {
		x.line += line - 1
		in.piece, in.lines = x, nil
		in.relativePart(ctx, x.text, 0)
	}
}

// apply carries the edits out and hands the marks to the interpreter.
func (r *relative) apply(in *postgres) string {
	in.marks = map[mark]bool{}
	for _, m := range r.marks {
		at := m.at
		for _, e := range r.edits {
			if e.End <= m.at {
				at += len(e.text) - (e.End - e.Start)
			}
		}
		in.marks[mark{at, m.clause}] = true
	}
	return edited(r.text, sqltree.Span{End: len(r.text)}, r.edits)
}

// marked reports whether a clause was taken out of what begins at a byte of the text.
func (in *postgres) marked(at int, clause string) bool { return in.marks[mark{at, clause}] }

// replace puts a text in the place of tokens a to b. The lines behind stay where they are.
func (r *relative) replace(a, b int, text string) {
	s := sqltree.Span{Start: r.toks[a].Start, End: r.toks[b-1].End}
	r.edits = append(r.edits, edit{s, text + strings.Repeat("\n", strings.Count(r.text[s.Start:s.End], "\n"))})
}

// skip warns of a clause that says how rows are stored, not what they are.
func (r *relative) skip(i int, what string) {
	r.in.at = r.toks[i].Start
	r.in.skip(what)
}

// rewrite rewrites the statement: a table or an index and, in all, the casts that
// CockroachDB writes with three colons.
func (r *relative) rewrite() error {
	for i := 1; i < len(r.toks); i++ {
		if r.textOf(i) == ":" && r.textOf(i-1) == "::" {
			r.replace(i, i+1, "")
		}
	}
	switch {
	case !r.accept("CREATE"):
		return nil
	case r.acceptAny("UNIQUE") != "" || r.is("INDEX") || r.is("INVERTED"):
		return r.index()
	}
	for r.acceptAny("TEMP", "TEMPORARY", "UNLOGGED") != "" {
	}
	if r.accept("TABLE") {
		return r.table()
	}
	return nil
}

// index rewrites CREATE INDEX.
func (r *relative) index() error {
	if r.is("INVERTED") {
		r.clause(r.i, r.i+1, 0, "INVERTED")
		r.i++
	}
	r.i = r.find("ON")
	for !r.done() && !r.punct('(') {
		r.i++
	}
	if r.done() {
		return nil
	}
	if err := r.keys(r.i); err != nil {
		return err
	}
	r.i = r.end(r.i)
	return r.tail(len(r.toks), 0)
}

// tail rewrites what follows the key of an index or constraint, up to a token. first is
// the first token of the statement or element.
func (r *relative) tail(to, first int) error {
	for i := r.i; i < to; i = r.end(i) {
		switch {
		case r.isAt(i, "USING", "HASH"):
			end := i + 2
			if r.isAt(end, "WITH") && end+1 < to { // how many buckets there are is up to the server
				end = r.end(end + 1)
			}
			r.clause(i, end, first, "HASH")
		case r.isAt(i, "STORING"):
			r.replace(i, i+1, "INCLUDE")
		case r.isAt(i, "NOT", "VISIBLE"):
			r.clause(i, i+2, first, "INVISIBLE")
		case r.isAt(i, "INTERLEAVE"), r.isAt(i, "LOCALITY"):
			return unkept(r.upper(i, i+1)+" of CockroachDB", "")
		case r.isAt(i, "WITH") && i+1 < to:
			r.plainOptions(i + 1)
		case r.isAt(i, "SPLIT", "INTO"), r.isAt(i, "SPLIT", "AT"):
			end := i + 4 // INTO n TABLETS
			if r.isAt(i+1, "AT") && i+3 < to {
				end = r.end(i + 3)
			}
			r.skip(i, "SPLIT of YugabyteDB")
			r.replace(i, min(end, to), "")
			return nil
		}
	}
	return nil
}

// plainOptions takes the casts off the values of options.
func (r *relative) plainOptions(open int) {
	for i := open + 1; i < r.toks[open].Match; i++ {
		if r.textOf(i) != "::" {
			continue
		}
		end := i + 1
		for end < r.toks[open].Match && r.textOf(end) != "," {
			end++
		}
		r.edits = slices.DeleteFunc(r.edits, func(e edit) bool { return e.Start >= r.toks[i].Start && e.End <= r.toks[end-1].End })
		r.replace(i, end, "")
		i = end
	}
}

// clause takes tokens a to b out and marks what begins at token first.
func (r *relative) clause(a, b, first int, clause string) {
	r.replace(a, b, "")
	r.marks = append(r.marks, mark{r.toks[first].Start, clause})
}

// keys rewrites the key of an index or a constraint, which opens at a token. The order of
// a key in YugabyteDB is by hash for the first column, unless it says otherwise.
func (r *relative) keys(open int) error {
	yugabyte := r.in.d == dialect.YugabyteDB
	close := r.toks[open].Match
	for i, n := open+1, 0; i < close; i = r.end(i) {
		switch {
		case r.textOf(i) == ",":
			n++
		case yugabyte && r.isAt(i, "HASH") && i > open+1:
			if n > 0 || r.textOf(i-1) == ")" {
				return unkept("a key of several columns by HASH of YugabyteDB", "")
			}
			r.replace(i, i+1, "")
		case yugabyte && n == 0 && i > open+1 && r.isAt(i, "ASC"): // DESC says so by itself
			return unkept("a key by range of YugabyteDB", "")
		}
	}
	return nil
}

// constraintKeys is keys for a constraint, in whose key PostgreSQL takes no order.
func (r *relative) constraintKeys(open int) error {
	if err := r.keys(open); err != nil {
		return err
	}
	for i := open + 1; i < r.toks[open].Match; i = r.end(i) {
		if r.isAt(i, "ASC") {
			r.replace(i, i+1, "")
		} else if r.isAt(i, "DESC") {
			return unkept("a constraint whose key is in descending order", "declare a unique index")
		}
	}
	return nil
}

// table rewrites CREATE TABLE.
func (r *relative) table() error {
	r.accept("IF", "NOT", "EXISTS")
	start := r.i
	r.name()
	name := r.span(start, min(r.i, len(r.toks)))
	if !r.punct('(') || r.toks[r.i].Match < 0 {
		return nil
	}
	open, close := r.i, r.toks[r.i].Match
	kept := 0
	for a := open + 1; a < close; {
		b := a
		for b < close && r.textOf(b) != "," {
			b = r.end(b)
		}
		keep, err := r.element(name, a, b)
		switch {
		case err != nil:
			return err
		case keep:
			kept++
		case kept > 0: // with the comma before it
			r.replace(a-1, b, "")
		default:
			r.replace(a, min(b+1, close), "")
		}
		a = b + 1
	}
	r.i = close + 1
	return r.tail(len(r.toks), 0)
}

// element rewrites an element of a table, and reports whether it stays in it.
func (r *relative) element(table string, a, b int) (keep bool, err error) {
	r.i = a
	if r.accept("CONSTRAINT") {
		r.ident()
	}
	switch {
	case a == b:
		return true, nil
	case r.is("FAMILY"):
		r.skip(a, "FAMILY of CockroachDB")
		return false, nil
	case r.is("INDEX"), r.is("INVERTED", "INDEX"), r.is("UNIQUE", "INDEX"), r.is("UNIQUE", "INVERTED", "INDEX"):
		if r.in.d == dialect.CockroachDB {
			r.indexOf(table, a, b)
			return false, nil
		}
	case r.is("PRIMARY", "KEY"), r.is("UNIQUE"):
		for r.i < b && !r.punct('(') {
			r.i++
		}
		if r.i < b {
			if err := r.constraintKeys(r.i); err != nil {
				return true, err
			}
			r.i = r.end(r.i)
		}
		return true, r.tail(b, a)
	case r.is("CHECK"), r.is("FOREIGN", "KEY"), r.is("EXCLUDE"), r.is("LIKE"):
		return true, nil
	}
	return true, r.columnOf(a, b)
}

// indexOf makes a statement of an index that stands in a table.
func (r *relative) indexOf(table string, a, b int) {
	head := "CREATE "
	for r.i = a; ; {
		word := r.acceptAny("UNIQUE", "INVERTED", "INDEX")
		if word == "" {
			break
		}
		head += word + " "
	}
	if !r.punct('(') {
		start := r.i
		r.ident()
		head += r.span(start, r.i) + " "
	}
	line := 1 + strings.Count(r.text[:r.toks[a].Start], "\n")
	r.indexes = append(r.indexes, piece{text: head + "ON " + table + " " + r.span(r.i, b), shown: r.in.piece.shown, line: line})
}

// columnOf rewrites a column.
func (r *relative) columnOf(a, b int) error {
	for i := a + 1; i < b; i = r.end(i) {
		switch {
		case r.isAt(i, "FAMILY"), r.isAt(i, "CREATE", "FAMILY"), r.isAt(i, "CREATE", "IF", "NOT", "EXISTS", "FAMILY"):
			end := i
			for !r.isAt(end, "FAMILY") {
				end++
			}
			r.skip(i, "FAMILY of CockroachDB")
			r.replace(i, min(end+2, b), "")
			i = end
		case r.isAt(i, "NOT", "VISIBLE"):
			r.clause(i, i+2, a, "INVISIBLE")
			i++
		case r.isAt(i, "PRIMARY", "KEY", "USING", "HASH"):
			r.clause(i+2, i+4, i, "HASH")
			i += 3
		case r.isAt(i, "ON", "UPDATE") && !r.references(a, i):
			return unkept("ON UPDATE of a column of CockroachDB", "")
		case r.isAt(i, "AS") && i+1 < b && r.textOf(i+1) == "(" && !r.isAt(i-1, "ALWAYS"):
			r.replace(i, i+1, "GENERATED ALWAYS AS")
			i++
		case r.isAt(i, "VIRTUAL") && r.textOf(i-1) == ")":
			r.replace(i, i+1, "STORED")
			r.marks = append(r.marks, mark{r.toks[a].Start, "VIRTUAL"})
		}
	}
	return nil
}

// references reports whether a REFERENCES stands between two tokens.
func (r *relative) references(a, b int) bool {
	return slices.ContainsFunc(r.toks[a:b], func(t pgsql.Token) bool { return strings.EqualFold(r.text[t.Start:t.End], "REFERENCES") })
}

// ttl are the options of a table of CockroachDB that say how long rows live.
func ttl(options []schema.Option) (ttl, others []schema.Option) {
	for _, o := range options {
		switch {
		case strings.EqualFold(o.Key, "ttl"): // it only says that there are others
		case strings.HasPrefix(strings.ToLower(o.Key), "ttl_"):
			ttl = append(ttl, o)
		default:
			others = append(others, o)
		}
	}
	return ttl, others
}
