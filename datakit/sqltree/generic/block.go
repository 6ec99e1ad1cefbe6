package generic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// ParseRoutine finds the static SQL in a routine: text is a whole CREATE FUNCTION,
// PROCEDURE or TRIGGER, or its body alone, in the procedural language of the dialect
// (SQL/PSM, PL/pgSQL, PL/SQL, T-SQL). It is a search, not a grammar: control flow is
// passed over, and what stands in it is returned in the order of the text, as
//
//   - the queries and statements that change rows, without the variables of INTO,
//   - an [sqltree.Other] for a value: its Kind is the word before it (IF, RETURN, …),
//     or SET for an assignment, whose target is its Name.
//
// Text that is put together at run time is not read. A statement that begins as one of
// SQL and does not parse is left out with a note in the script. The errors are those of
// [Parse] about the text as a whole: brackets and strings that do not end, its limits.
func ParseRoutine(d sqltree.Dialect, text string) (*sqltree.Script, error) {
	if err := check(text); err != nil {
		return nil, err
	}
	r := rulesOf(d)
	l := lex(r, text)
	if l.err != nil {
		return nil, l.err
	}
	p := &parser{rules: r, d: d, text: text, free: unreserved[d], script: &sqltree.Script{Text: text, Dialect: d}}
	p.toks = p.procedural(l.toks)
	p.last = len(p.toks) - endTokens
	p.header()
	for p.kind() != endToken {
		p.step()
	}
	return p.script, nil
}

// procedural prepares the tokens of a routine for the parser of plain SQL, which takes
// any word behind a table for its alias: where control flow goes on, the statement
// before it ends with a semicolon of no width. The variables of INTO, which may stand in
// many places of a query, are taken out, and so are the colons of :NEW and :OLD.
func (p *parser) procedural(toks []token) []token {
	semicolon := ids[";"]
	out := make([]token, 0, len(toks)+len(toks)/8)
	at := make([]int32, len(toks)) // where a token has gone
	var cases []bool               // CASEs that are open; true: of an expression
	word := func(i int) string {
		if i < 0 {
			return ""
		}
		return spellings[toks[i].word]
	}
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		at[i] = int32(len(out))
		before := word(i - 1)
		barrier := false
		if t.kind == wordToken && before != "." {
			switch w := spellings[t.word]; w {
			case "CASE":
				if before != "END" {
					inside := len(cases) > 0 && cases[len(cases)-1]
					cases = append(cases, inside || !opens[before] && i > 0)
				}
			case "END":
				switch n := len(cases); {
				case n > 0 && cases[n-1]:
					cases = cases[:n-1]
				default:
					if n > 0 && word(i+1) == "CASE" {
						cases = cases[:n-1]
					}
					barrier = true
				}
			case "LOOP":
				barrier = true
			case "DO":
				barrier = p.d != sqltree.Postgres && p.d != sqltree.SQLite // where it belongs to ON CONFLICT
			case "INTO":
				if p.d != sqltree.SQLite && p.d != sqltree.ClickHouse && !fills[before] {
					if end := variables(toks, i+1); end > 0 {
						for ; i+1 < end; i++ {
							at[i+1] = int32(len(out))
						}
						continue
					}
				}
			case "INSERT", "UPDATE", "DELETE", "DECLARE", "EXEC", "EXECUTE", "WHILE", "BEGIN", "RETURN", "IF":
				// T-SQL needs no semicolons.
				barrier = p.d == sqltree.Generic && !opens[before] && !joins[before]
			}
		}
		if spellings[t.word] == ":" && (word(i+1) == "NEW" || word(i+1) == "OLD") && toks[i+1].start == t.end {
			continue
		}
		if barrier {
			out = append(out, token{start: t.start, end: t.start, match: -1, word: semicolon, kind: symbolToken})
			at[i] = int32(len(out))
		}
		out = append(out, t)
	}
	for i := range out {
		if m := out[i].match; m >= 0 {
			out[i].match = at[m]
		}
	}
	return out
}

var (
	// opens are the words behind which a statement begins.
	opens = words(`; THEN ELSE BEGIN LOOP DO REPEAT : >>`)
	// fills are the words before an INTO that names a table.
	fills = words(`INSERT REPLACE MERGE IGNORE LOW_PRIORITY HIGH_PRIORITY DELAYED OVERWRITE TOP )`)
	// joins are words before a word that begins no statement there.
	joins = words(`FOR ON OR AFTER BEFORE OF , AS INSTEAD END`)
)

func words(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

// variables returns the token behind a list of variables that begins with token i, 0 if
// there is none.
func variables(toks []token, i int) int {
	if spellings[toks[i].word] == "STRICT" {
		i++
	}
	for {
		if k := toks[i].kind; k != wordToken && k != quotedToken && k != paramToken {
			return 0
		}
		i++
		for spellings[toks[i].word] == "." && (toks[i+1].kind == wordToken || toks[i+1].kind == quotedToken) {
			i += 2
		}
		for spellings[toks[i].word] == "[" && toks[i].match > int32(i) {
			i = int(toks[i].match) + 1
		}
		if spellings[toks[i].word] != "," {
			return i
		}
		i++
	}
}

// header passes over what stands before the body of CREATE.
func (p *parser) header() {
	if !p.is("CREATE") {
		return
	}
	for p.kind() != endToken && !p.isAny("FUNCTION", "PROCEDURE", "TRIGGER") {
		p.skip()
	}
	if p.accept("TRIGGER") {
		p.triggerHeader()
		return
	}
	p.i++
	p.i = min(p.i, p.last)
	for p.kind() != endToken && !p.isAny(";", "BEGIN", "DECLARE", "RETURN", "SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE", "WITH", "SET", "IF", "CASE",
		"WHILE", "REPEAT", "LOOP", "CALL", "TRUNCATE") {
		if p.acceptAny("AS", "IS") {
			return
		}
		p.skip()
	}
}

func (p *parser) triggerHeader() {
	for p.kind() != endToken && !p.is("ON") {
		p.skip()
	}
	p.i++
	p.i = min(p.i, p.last)
	p.attempt(func() { p.name() })
	for {
		before := spellings[p.toks[p.i-1].word]
		switch {
		case p.isAny("FOR", "EACH", "ROW", "STATEMENT", "AFTER", "BEFORE", "INSTEAD", "OF", "OR", ","),
			p.isAny("INSERT", "UPDATE", "DELETE") && (before == "FOR" || before == "AFTER" || before == "BEFORE" || before == "OF" || before == "OR" || before == ","),
			p.is(";") && p.toks[p.i].start == p.toks[p.i].end: // before a word of T-SQL
			p.i++
		case p.kind() == wordToken && (strings.EqualFold(p.textAt(p.i), "FOLLOWS") || strings.EqualFold(p.textAt(p.i), "PRECEDES")):
			p.i += 2
		case p.kind() == wordToken && strings.EqualFold(p.textAt(p.i), "REFERENCING"):
			for p.kind() != endToken && !p.isAny("FOR", "WHEN", "BEGIN", "DECLARE", ";") {
				p.skip()
			}
		case p.is("WHEN"):
			p.value("WHEN")
		case p.accept("AS"):
			return
		default:
			return
		}
	}
}

// step reads what stands at the cursor, or passes over one token.
func (p *parser) step() {
	w, next := p.word(), p.wordAt(1)
	behind := "" // the word before
	if p.i > 0 {
		behind = spellings[p.toks[p.i-1].word]
	}
	starts := p.i == 0 || opens[behind]
	switch {
	case p.kind() != wordToken && p.kind() != quotedToken && p.kind() != paramToken:
		if w == ":=" {
			p.value("SET")
			return
		}
		p.i++
	case behind == ".":
		p.i++
	case p.assigns(starts):
		p.assignment()
	case w == "SELECT", w == "INSERT", w == "UPDATE", w == "DELETE", w == "MERGE", w == "TRUNCATE",
		w == "REPLACE" && (next == "INTO" || starts && next != "("),
		w == "WITH" && (next == "RECURSIVE" || p.wordAt(2) == "AS" && p.isAt(p.i+3, "(") || p.wordAt(2) == "("):
		p.found(p.statement)
	case strings.EqualFold(p.textAt(p.i), "PERFORM"):
		p.toks[p.i].word = ids["SELECT"] // which it is, but for the result
		p.found(p.statement)
	case w == "CREATE", w == "ALTER", w == "DROP", w == "GRANT", w == "REVOKE", w == "COMMENT" && next == "ON":
		p.skipStatement()
	case w == "END":
		p.i++
		p.acceptAny("IF", "LOOP", "CASE", "WHILE", "REPEAT")
	case w == "SET":
		p.i++
		for p.assigns(true) {
			p.assignment()
			if !p.accept(",") {
				break
			}
		}
	case w == "RETURN" && (strings.EqualFold(p.textAt(p.i+1), "QUERY") || next == "NEXT" || next == "" && p.toks[p.i+1].kind == endToken || next == ";"):
		p.i += 2
		p.i = min(p.i, p.last)
	case w == "IF", w == "ELSEIF", w == "WHILE", w == "UNTIL", w == "WHEN", w == "RETURN", w == "CASE" && next != "WHEN",
		w == "CALL", w == "EXEC", w == "EXECUTE", w == "DEFAULT", strings.EqualFold(p.textAt(p.i), "ELSIF"):
		p.value(strings.ToUpper(p.textAt(p.i)))
	case (w == "NEW" || w == "OLD") && next == ".":
		p.expression("", p.i+1)
	default:
		p.i++
	}
}

// assigns reports whether a name stands at the cursor and := behind it, or, where a
// statement begins, =.
func (p *parser) assigns(starts bool) bool {
	i := p.i
	for {
		if k := p.toks[i].kind; k != wordToken && k != quotedToken && k != paramToken {
			return false
		}
		i++
		for p.isAt(i, "[") && p.toks[i].match > int32(i) {
			i = int(p.toks[i].match) + 1
		}
		if !p.isAt(i, ".") {
			break
		}
		i++
	}
	return p.isAt(i, ":=") || starts && p.isAt(i, "=")
}

// assignment reads name := value.
func (p *parser) assignment() {
	start := p.i
	target := sqltree.Name{Span: p.tokenSpan(p.i)}
	for !p.isAny(":=", "=") {
		if k := p.kind(); k != symbolToken {
			id := p.identAt(p.i)
			target.Parts, target.End = append(target.Parts, id), id.End
		}
		p.skip()
	}
	count := len(p.script.Statements)
	p.value("SET")
	if len(p.script.Statements) == count {
		// The value could not be read, and the target is assigned to all the same.
		p.script.Statements = append(p.script.Statements, &sqltree.Other{Span: p.tokenSpan(start), Kind: "SET"})
	}
	p.script.Statements[count].(*sqltree.Other).Name = &target
}

// value passes over a word and reads the expression behind it. There may be none.
func (p *parser) value(word string) {
	p.i++
	p.expression(word, p.i)
}

// expression reads the expression at the cursor, and goes on at token next at least where
// there is none.
func (p *parser) expression(word string, next int) {
	saved := *p
	at := p.start()
	e := p.expr()
	s := &sqltree.Other{Span: p.from(at), Kind: word, Exprs: []sqltree.Expr{e}}
	if p.err == nil && sqltree.TooDeep(s) == nil {
		p.script.Statements = append(p.script.Statements, s)
		return
	}
	failed := p.err
	*p = saved
	p.resume(failed, next)
}

// found adds the statement at the cursor, or a note where it does not parse.
func (p *parser) found(read func() sqltree.Statement) {
	saved := *p
	s := read()
	if p.err == nil {
		if n := sqltree.TooDeep(s); n != nil {
			p.fail(n.Pos(), fmt.Sprintf("statement nests too deeply (more than %d levels)", sqltree.MaxDepth))
		}
	}
	if p.err == nil {
		p.script.Statements = append(p.script.Statements, s)
		p.i = max(p.i, saved.i+1)
		return
	}
	failed := p.err
	*p = saved
	p.note(failed.at, failed.message)
	p.resume(failed, p.i+1)
}

// resume goes on where reading failed, at token next at least: what has been read once is
// not read again, so that time grows with the length of the text alone.
func (p *parser) resume(failed *failure, next int) {
	next = min(next, p.last)
	if failed != nil {
		next += slices.IndexFunc(p.toks[next:], func(t token) bool { return int(t.start) >= failed.at.Start || t.kind == endToken })
	}
	p.i = next
}
