package generic

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// Limits of the tree, beside those of the text.
const (
	// maxDepth bounds the recursion of the parser, which for brackets goes at
	// most three levels a bracket.
	maxDepth = 3 * maxNested
	// maxHeight bounds how far a chain of operators leans to one side. The tree
	// as a whole is held to [sqltree.MaxDepth] when it is built; this refuses a
	// chain where it becomes too long.
	maxHeight = 2000
)

// Parse parses a text of any number of statements, separated by semicolons. An
// empty statement is none. Every error is a [*sqltree.SyntaxError]. It is safe
// for concurrent use.
//
// Text with template tags ({{ … }}, {% … %}) is parsed with each {{ … }} as an
// unchecked name or value; a statement that does not parse so is an
// [sqltree.Other] of kind TEMPLATE with a note.
//
// Refused are a text longer than [MaxLength], one that is not UTF-8 or has a NUL
// byte, and a statement of more than [MaxTokens] tokens, nested deeper than 500
// brackets, with more than 2,000 operators in a row, or whose tree would have more
// than [sqltree.MaxDepth] levels.
func Parse(d sqltree.Dialect, text string) (*sqltree.Script, error) {
	if err := check(text); err != nil {
		return nil, err
	}
	r := rulesOf(d)
	s, err := parse(d, r, text)
	if err != nil && d == sqltree.Generic && strings.IndexByte(text, '\\') >= 0 {
		// A text of no known dialect may mean backslashes either way.
		r.backslash = true
		if s, err2 := parse(d, r, text); err2 == nil {
			return s, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

func parse(d sqltree.Dialect, r rules, text string) (*sqltree.Script, *sqltree.SyntaxError) {
	l := lex(r, text)
	if l.err != nil {
		return nil, l.err
	}
	p := &parser{
		rules: r, d: d, text: text, toks: l.toks, templates: l.templates,
		free: unreserved[d], last: len(l.toks) - endTokens, script: &sqltree.Script{Text: text, Dialect: d, Notes: l.notes},
	}
	if p.free == nil {
		p.free = unreserved[sqltree.Generic]
	}
	p.lexed = len(l.notes)
	p.run()
	if p.err != nil {
		return nil, sqltree.NewSyntaxError(text, p.err.at, p.err.message)
	}
	slices.SortStableFunc(p.script.Notes, func(a, b sqltree.Note) int { return a.Start - b.Start })
	return p.script, nil
}

// failure is an error whose line is not counted yet: most are those of attempts,
// which nobody sees.
type failure struct {
	at      span
	message string
}

// parser reads tokens. After an error it stands at the end of the text, where
// every production comes to its end quickly; the first error counts.
type parser struct {
	rules
	d         sqltree.Dialect
	text      string
	toks      []token
	i         int
	last      int // the first token of the end
	err       *failure
	script    *sqltree.Script
	templates bool
	lexed     int    // notes of the lexer, which come first among the script's
	free      []bool // words that are names in this dialect

	depth  int
	height int // of the expressions since the innermost chain began
	cases  int // CASE expressions that are open
	args   int // calls whose arguments are open
	// closed: the colon and the question mark belong to what is around the
	// expression, a slice or a struct.
	closed  bool
	ternary int
	// noCollate: COLLATE belongs to the column and not to its default.
	noCollate bool
	// options: name = value in arguments names one (table functions).
	options int
	// others are conditions of the SELECT at hand that no clause of its own holds.
	others []sqltree.Expr
	// scalars are the names that WITH gives to expressions (ClickHouse).
	scalars map[string]bool
	// added are columns of the action at hand behind its first.
	added []sqltree.ColumnDef
	// variables are the names, in lower case, that DECLARE gives to values.
	variables []string

	// Nodes come from slabs: most of a large text are columns and literals.
	columns  []sqltree.Column
	idents   []sqltree.Ident
	literals []sqltree.Literal
}

// run parses the statements.
func (p *parser) run() {
	for p.err == nil {
		p.i = min(p.i, p.last)
		for p.accept(";") {
		}
		// Tags without a statement of their own, such as {{ config() }}.
		first := p.i
		for p.kind() == templateToken {
			p.i++
		}
		if p.i > first && (p.kind() == endToken || p.is(";")) {
			p.script.Statements = append(p.script.Statements, &sqltree.Other{Span: p.from(int(p.toks[first].start)), Kind: "TEMPLATE"})
			continue
		}
		if p.kind() == endToken {
			return
		}
		notes := len(p.script.Notes)
		s := p.statement()
		if p.err == nil && !p.is(";") && p.kind() != endToken {
			p.unexpected("the end of the statement")
		}
		if p.err == nil {
			if n := sqltree.TooDeep(s); n != nil {
				p.fail(n.Pos(), fmt.Sprintf("statement nests too deeply (more than %d levels)", sqltree.MaxDepth))
			}
		}
		if p.err != nil && p.templates && p.template(first) {
			p.err = nil
			p.script.Notes = p.script.Notes[:notes]
			s = p.skipTemplate(first)
		}
		if p.err == nil {
			p.script.Statements = append(p.script.Statements, s)
		}
		p.scalars = nil
	}
}

// statementEnd returns the token that ends the statement around a token.
func (p *parser) statementEnd(i int) int {
	for p.toks[i].kind != endToken && !p.isAt(i, ";") {
		i++
	}
	return i
}

// template reports whether a statement stands in a text with template tags in
// or beside it, so that its real text is not known.
func (p *parser) template(first int) bool {
	from, to := 0, int(p.toks[p.statementEnd(first)].start)
	if first > 0 {
		from = int(p.toks[first-1].end)
	}
	tags := p.script.Notes[:p.lexed] // in the order of the text
	i := sort.Search(len(tags), func(i int) bool { return tags[i].Start >= from })
	return i < len(tags) && tags[i].End <= to
}

func (p *parser) skipTemplate(first int) sqltree.Statement {
	p.i = p.statementEnd(first)
	s := &sqltree.Other{Span: p.from(int(p.toks[first].start)), Kind: "TEMPLATE"}
	p.note(s.Span, "statement depends on its template tags and is not read")
	return s
}

func (p *parser) note(at span, message string) {
	p.script.Notes = append(p.script.Notes, sqltree.Note{Span: at, Message: message})
}

// ---- tokens

func (p *parser) kind() kind { return p.toks[p.i].kind }

// word returns the keyword or symbol at the cursor; "" for anything else.
func (p *parser) word() string { return spellings[p.toks[p.i].word] }

// wordAt is word n tokens further on.
func (p *parser) wordAt(n int) string {
	return spellings[p.toks[p.i+n].word]
}

func (p *parser) is(word string) bool { return spellings[p.toks[p.i].word] == word }

// reserved reports whether token i is a word that cannot be a name here.
func (p *parser) reserved(i int) bool {
	w := p.toks[i].word
	return class[w]&notOperand != 0 && !p.free[w]
}

func (p *parser) isAt(i int, word string) bool {
	return i < len(p.toks) && spellings[p.toks[i].word] == word
}

// are reports whether the words stand at the cursor.
func (p *parser) are(words ...string) bool {
	for n, w := range words {
		if !p.isAt(p.i+n, w) {
			return false
		}
	}
	return true
}

func (p *parser) isAny(words ...string) bool {
	w := p.word()
	if w == "" {
		return false
	}
	for _, x := range words {
		if w == x {
			return true
		}
	}
	return false
}

// accept passes over the words if all of them stand at the cursor.
func (p *parser) accept(words ...string) bool {
	if !p.are(words...) {
		return false
	}
	p.i += len(words)
	return true
}

func (p *parser) acceptAny(words ...string) bool {
	if !p.isAny(words...) {
		return false
	}
	p.i++
	return true
}

func (p *parser) expect(words ...string) bool {
	for _, w := range words {
		if !p.is(w) {
			if isLetter(w[0]) {
				p.unexpected(w)
			} else {
				p.unexpected(fmt.Sprintf("%q", w))
			}
			return false
		}
		p.i++
	}
	return true
}

// text of token i.
func (p *parser) textAt(i int) string { return p.text[p.toks[i].start:p.toks[i].end] }

func (p *parser) start() int { return int(p.toks[p.i].start) }

// from returns the span from start to the end of the last token read.
func (p *parser) from(start int) span {
	end := start
	if p.i > 0 {
		end = int(p.toks[p.i-1].end)
	}
	return span{Start: start, End: max(start, end)}
}

func (p *parser) fail(at span, message string) {
	if p.err == nil {
		p.err = &failure{at, message}
	}
	p.i = p.last
}

func (p *parser) unexpected(want string) {
	t := p.toks[p.i]
	at := span{Start: int(t.start), End: int(t.end)}
	found := quote(p.text[t.start:t.end])
	if t.kind == endToken {
		found = "the end of the text"
		if p.i > 0 {
			at.Start = int(p.toks[p.i-1].end)
			at.End = at.Start
		}
	} else if p.is(";") {
		found = "the end of the statement"
	}
	p.fail(at, "expected "+want+", found "+found)
}

// attempt runs a production whose failure is no error: it reports whether it came
// to its end, and goes back to where it began if not.
func (p *parser) attempt(read func()) bool {
	if p.err != nil {
		return false
	}
	i, notes, height, others := p.i, len(p.script.Notes), p.height, p.others
	read()
	if p.err == nil {
		return true
	}
	p.err, p.i, p.height, p.others = nil, i, height, others
	p.script.Notes = p.script.Notes[:notes]
	return false
}

func (p *parser) enter() bool {
	p.depth++
	p.i = min(p.i, p.last)
	if p.depth > maxDepth {
		t := p.toks[p.i]
		p.fail(span{Start: int(t.start), End: int(t.end)}, "text nests too deeply")
	}
	return p.err == nil
}

func (p *parser) leave() { p.depth-- }

// touching reports whether token i begins where the one before it ends.
func (p *parser) touching(i int) bool {
	return i > 0 && i < len(p.toks) && p.toks[i].start == p.toks[i-1].end
}

// one passes over a word that nothing depends on.
func (p *parser) one() {
	if p.kind() != wordToken {
		p.unexpected("a word")
		return
	}
	p.i++
}

// skip passes over one token, or a bracket with all it encloses.
func (p *parser) skip() {
	if m := p.toks[p.i].match; m > int32(p.i) {
		p.i = int(m)
	}
	if p.kind() != endToken {
		p.i++
	}
}

// atEnd reports whether the statement, or the bracket around, ends here.
func (p *parser) atEnd() bool {
	return p.kind() == endToken || p.isAny(";", ")", "]", "}")
}

// skipList passes over everything to a comma or the end.
func (p *parser) skipList() {
	for !p.atEnd() && !p.is(",") {
		p.skip()
	}
}

// skipStatement passes over the rest of the statement.
func (p *parser) skipStatement() {
	for p.kind() != endToken && !p.is(";") {
		p.skip()
	}
}

// queryAt reports whether token i is a parenthesis around a query, which may
// stand in more parentheses or begin with one: ((SELECT 1) UNION SELECT 2).
func (p *parser) queryAt(i int) bool {
	if i >= len(p.toks) || !p.isAt(i, "(") {
		return false
	}
	if known := p.toks[i].query; known != 0 {
		return known == 2
	}
	// Find the innermost of a run of parentheses, then decide outwards.
	last := i
	for p.isAt(last+1, "(") && p.toks[last+1].query == 0 {
		last++
	}
	for j := last; j >= i; j-- {
		is := false
		switch spellings[p.toks[j+1].word] {
		case "SELECT":
			is = true
		case "WITH":
			is = p.toks[j+2].kind != symbolToken || (p.isAt(j+2, "(") || p.isAt(j+2, "[")) && !p.pipes
		case "VALUES":
			is = p.isAt(j+2, "(") && !p.proposedValue(j+1) || p.isAt(j+2, "ROW") && p.isAt(j+3, "(")
		case "TABLE":
			is = p.toks[j+2].kind == wordToken || p.toks[j+2].kind == quotedToken
		case "FROM", "PIVOT", "UNPIVOT", "PIVOT_WIDER", "PIVOT_LONGER":
			is = p.fromFirst && (p.toks[j+2].kind != symbolToken || p.isAt(j+2, "("))
		case "DESCRIBE", "SHOW", "SUMMARIZE":
			is = p.pathTables && p.toks[j+2].kind != symbolToken
		case "INSERT", "UPDATE", "DELETE", "MERGE":
			is = p.toks[j+2].kind != symbolToken
		case "(":
			if p.toks[j+1].query == 2 {
				switch spellings[p.toks[p.toks[j+1].match+1].word] {
				case "UNION", "INTERSECT", "EXCEPT", "ORDER", "LIMIT", "OFFSET", "FETCH", ")", "|>":
					is = true
				case "MINUS":
					is = p.minus
				}
			}
		}
		p.toks[j].query = 1
		if is {
			p.toks[j].query = 2
		}
	}
	return p.toks[i].query == 2
}

// proposedValue reports whether VALUES at token i is MySQL's function for the
// value that would be inserted.
func (p *parser) proposedValue(i int) bool {
	if p.d != sqltree.MySQL && p.d != sqltree.MariaDB {
		return false
	}
	end := int(p.toks[i+1].match)
	switch spellings[p.toks[end+1].word] {
	case ")":
		return p.toks[i+2].kind != stringToken && p.toks[i+2].kind != numberToken && (end == i+3 || p.isAt(i+3, "."))
	case ",", "UNION", "EXCEPT", "INTERSECT", "MINUS", "ORDER", "LIMIT":
		return false
	}
	return true
}

// ---- names

// identAt makes an identifier of token i.
func (p *parser) identAt(i int) sqltree.Ident {
	t := p.toks[i]
	text := p.text[t.start:t.end]
	id := sqltree.Ident{Span: span{Start: int(t.start), End: int(t.end)}, Name: text}
	switch t.kind {
	case quotedToken:
		id.Quoted = true
		id.Name = p.unquoteName(text)
	case stringToken:
		id.Quoted = true
		id.Name = p.stringValue(text)
	}
	return id
}

func (p *parser) unquoteName(s string) string {
	q := s[0]
	switch q {
	case '[':
		return strings.ReplaceAll(s[1:len(s)-1], "]]", "]")
	case 'u', 'U':
		return unicodeEscapes(s)
	}
	in := s[1 : len(s)-1]
	if strings.IndexByte(in, q) >= 0 {
		in = strings.ReplaceAll(in, string([]byte{q, q}), string([]byte{q}))
	}
	if (p.clickhouse || p.tripleString) && strings.IndexByte(in, '\\') >= 0 {
		in = p.unescape(in)
	}
	return in
}

// isName reports whether the token at the cursor can be a name.
func (p *parser) isName() bool {
	switch p.kind() {
	case wordToken, quotedToken, templateToken:
		return true
	case stringToken:
		// A dialect in which "…" is a string may still mean a name.
		return p.doubleString && p.text[p.toks[p.i].start] == '"' && p.isStringName()
	}
	return false
}

// isStringName reports whether the token at the cursor is a plain string, which
// some dialects take for a name.
func (p *parser) isStringName() bool {
	c := p.text[min(int(p.toks[p.i].start), len(p.text)-1)]
	return p.kind() == stringToken && (c == '\'' || c == '"') && p.toks[p.i].end-p.toks[p.i].start > 2
}

// ident reads one identifier.
func (p *parser) ident() sqltree.Ident {
	if !p.isName() {
		p.unexpected("a name")
		return sqltree.Ident{}
	}
	p.i++
	return p.identAt(p.i - 1)
}

// behindDot reads the identifier behind a dot or colon: any word, but one that
// begins a clause only if it touches.
func (p *parser) behindDot() sqltree.Ident {
	if p.reserved(p.i) && !p.touching(p.i) {
		p.unexpected("a name")
		return sqltree.Ident{}
	}
	return p.ident()
}

func (p *parser) identPtr() *sqltree.Ident {
	id := p.ident()
	return &id
}

// name reads a qualified name.
func (p *parser) name() sqltree.Name {
	start := p.start()
	var parts []sqltree.Ident
	if p.isStringName() && p.d != sqltree.Postgres {
		// CREATE TABLE 'x' of SQLite.
		p.i++
		parts = append(parts, p.identAt(p.i-1))
	} else {
		parts = append(parts, p.ident())
	}
	for p.is(".") && p.err == nil {
		p.i++
		if p.is(".") { // database..table
			continue
		}
		if p.kind() == paramToken || p.kind() == numberToken || p.isStringName() {
			p.i++
			parts = append(parts, p.identAt(p.i-1))
			continue
		}
		parts = append(parts, p.behindDot())
	}
	return sqltree.Name{Span: p.from(start), Parts: parts}
}

func (p *parser) namePtr() *sqltree.Name {
	n := p.name()
	return &n
}

// identList reads (a, b, …). A name may have a path, a type or an order behind it,
// which is passed over.
func (p *parser) identList() []sqltree.Ident {
	p.expect("(")
	var ids []sqltree.Ident
	for p.err == nil && !p.is(")") {
		if p.isStringName() {
			p.i++
			ids = append(ids, p.identAt(p.i-1))
		} else {
			ids = append(ids, p.ident())
		}
		if p.is(".") && p.clickhouse {
			// A column of a nested structure: n.a is its name.
			last := &ids[len(ids)-1]
			for p.accept(".") {
				id := p.ident()
				last.End = id.End
				last.Name += "." + id.Name
			}
		}
		for p.err == nil && (p.is(".") || p.is("[")) {
			if p.accept(".") {
				// In MySQL a qualifier; elsewhere a path into the column.
				if id := p.ident(); p.stringAlias {
					ids[len(ids)-1] = id
				}
				continue
			}
			p.skip()
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
	return ids
}

// tokenSpan returns the span of token i.
func (p *parser) tokenSpan(i int) span {
	return span{Start: int(p.toks[i].start), End: int(p.toks[i].end)}
}

// upper returns the text of tokens a to b in upper case, with single spaces.
func (p *parser) upper(a, b int) string {
	var s strings.Builder
	for i := a; i < b; i++ {
		if i > a {
			s.WriteByte(' ')
		}
		s.WriteString(strings.ToUpper(p.textAt(i)))
	}
	return s.String()
}

// textFrom returns the text between a start and the cursor.
func (p *parser) textFrom(start int) string {
	s := p.from(start)
	return p.text[s.Start:s.End]
}
