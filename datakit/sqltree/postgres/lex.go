package postgres

import (
	"fmt"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// tokenKind is the kind of a token.
type tokenKind uint8

const (
	wordToken   tokenKind = iota // a keyword or unquoted identifier
	quotedToken                  // "…", U&"…"
	stringToken                  // '…' in all its forms, $$…$$
	numberToken
	paramToken // $1
	opToken    // an operator, also :: := =>
	punctToken // ( ) [ ] , ; . :
	metaToken  // a psql meta-command with its arguments
)

// token is a piece of the text.
type token struct {
	start, end int32
	match      int32 // of a bracket: the index of its counterpart; else -1
	kind       tokenKind
	ch         byte // of punctuation: the character
}

type span = sqltree.Span

// brk is a place between statements. The grammar sees the text up to end, and
// again from resume on; token is the index of the first token from there on.
type brk struct{ end, resume, token int }

// lexer cuts a text into tokens as PostgreSQL's scanner does, and a script for
// psql into statements as psql does: it recognises meta-commands and rows of
// COPY, which the grammar never sees.
type lexer struct {
	text string
	pos  int
	toks []token
	open []int32 // indexes of the brackets that are open

	breaks []brk
	// first is the index of the first token of the statement at hand.
	first int
	// words of the statement at hand that lead it, as far as they matter.
	lead [4]string
	// begins counts BEGIN and CASE that are open in the body of a routine.
	begins int
	// rows is set after COPY … FROM stdin; its rows follow at the next line.
	rows bool
	full error // the statement at hand has too many tokens
	depth
}

func (l *lexer) fail(start, end int, message string) error {
	return sqltree.NewSyntaxError(l.text, span{Start: start, End: end}, message)
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isLetter(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80
}
func isWord(c byte) bool { return isLetter(c) || isDigit(c) || c == '$' }

const opChars = "~!@#^&|`?+-*/%<>="

func isOp(c byte) bool { return strings.IndexByte(opChars, c) >= 0 }

// at returns the byte at i, 0 beyond the text.
func (l *lexer) at(i int) byte {
	if i < len(l.text) {
		return l.text[i]
	}
	return 0
}

// lex cuts the text.
func lex(text string) (*lexer, error) {
	l, err := lexPart(text)
	if err != nil {
		return nil, err
	}
	return l, nil
}

// lexPart is lex, which also returns what there is before an error.
func lexPart(text string) (*lexer, error) {
	l := &lexer{text: text, toks: make([]token, 0, len(text)/4+8)}
	for {
		if err := l.space(); err != nil {
			return l, err
		}
		if l.pos >= len(text) {
			break
		}
		if err := l.token(); err != nil {
			return l, err
		}
		if l.full != nil {
			return l, l.full
		}
	}
	if len(l.open) > 0 {
		t := l.toks[l.open[len(l.open)-1]]
		return l, l.fail(int(t.start), int(t.end), "bracket is never closed")
	}
	return l, nil
}

// space passes over white space, comments and the rows of COPY.
func (l *lexer) space() error {
	for l.pos < len(l.text) {
		switch c := l.text[l.pos]; {
		case c == '\n' && l.rows:
			l.pos++
			if err := l.copyRows(); err != nil {
				return err
			}
		case isSpace(c):
			l.pos++
		case c == '-' && l.at(l.pos+1) == '-':
			l.pos = l.lineEnd(l.pos)
		case c == '/' && l.at(l.pos+1) == '*':
			end, ok := l.comment(l.pos)
			if !ok {
				return l.fail(l.pos, l.pos+2, "comment is never closed")
			}
			l.pos = end
		default:
			return nil
		}
	}
	return nil
}

// lineEnd returns where the line of i ends, before its newline.
func (l *lexer) lineEnd(i int) int {
	for i < len(l.text) && l.text[i] != '\n' && l.text[i] != '\r' {
		i++
	}
	return i
}

// comment returns the end of the comment at i; comments nest.
func (l *lexer) comment(i int) (end int, ok bool) {
	for level := 0; i < len(l.text); {
		switch {
		case l.text[i] == '/' && l.at(i+1) == '*':
			level++
			i += 2
		case l.text[i] == '*' && l.at(i+1) == '/':
			level--
			i += 2
			if level == 0 {
				return i, true
			}
		default:
			i++
		}
	}
	return i, false
}

// copyRows passes over the rows of COPY, which end at a line with \. alone. The
// line has to be there: without it everything to the end of the text would pass
// unseen. Only white space may follow COPY instead.
func (l *lexer) copyRows() error {
	l.rows = false
	start := l.pos
	for i := start; i < len(l.text); {
		end := len(l.text)
		if n := strings.IndexByte(l.text[i:], '\n'); n >= 0 {
			end = i + n
		}
		if strings.TrimSuffix(l.text[i:end], "\r") == `\.` {
			l.breaks = append(l.breaks, brk{start, end, len(l.toks)})
			l.pos = end
			return nil
		}
		i = end + 1
	}
	if strings.TrimSpace(l.text[start:]) == "" {
		return nil
	}
	return l.fail(start, l.lineEnd(start), `rows of COPY … FROM stdin have no closing line \.`)
}

func (l *lexer) token() error {
	start := l.pos
	c := l.text[start]
	switch {
	case isLetter(c):
		return l.word()
	case isDigit(c), c == '.' && isDigit(l.at(start+1)):
		l.number()
		l.add(numberToken, start)
		return nil
	case c == '\'':
		return l.quoted(start, start, '\'', false)
	case c == '"':
		return l.quoted(start, start, '"', false)
	case c == '$':
		return l.dollar()
	case c == '\\':
		return l.meta()
	case c == ':' && (l.at(start+1) == ':' || l.at(start+1) == '='), c == '.' && l.at(start+1) == '.':
		l.pos += 2
		l.add(opToken, start)
		return l.chained(l, "")
	case strings.IndexByte("()[],;.:", c) >= 0:
		l.pos++
		return l.punct(start, c)
	case isOp(c):
		l.operator()
		l.add(opToken, start)
		return l.chained(l, "")
	}
	return l.fail(start, start+1, "unexpected character "+quoteByte(c))
}

func quoteByte(c byte) string {
	if c < ' ' || c == 0x7f {
		const hex = "0123456789abcdef"
		return `\x` + string([]byte{hex[c>>4], hex[c&15]})
	}
	return `"` + string(rune(c)) + `"`
}

func (l *lexer) add(kind tokenKind, start int) {
	l.toks = append(l.toks, token{start: int32(start), end: int32(l.pos), match: -1, kind: kind})
	if len(l.toks)-l.first > MaxTokens && l.full == nil {
		l.full = l.fail(start, l.pos, fmt.Sprintf("statement has more than %d tokens", MaxTokens))
	}
}

// word reads an identifier, a keyword, or a string with a prefix.
func (l *lexer) word() error {
	start := l.pos
	c := l.text[start]
	switch next := l.at(start + 1); {
	case next == '\'' && strings.IndexByte("eEbBxXnN", c) >= 0:
		return l.quoted(start, start+1, '\'', c|0x20 == 'e')
	case next == '&' && c|0x20 == 'u' && l.at(start+2) == '\'':
		return l.quoted(start, start+2, '\'', false)
	case next == '&' && c|0x20 == 'u' && l.at(start+2) == '"':
		return l.quoted(start, start+2, '"', false)
	}
	i := start + 1
	for i < len(l.text) && isWord(l.text[i]) {
		i++
	}
	l.pos = i
	l.add(wordToken, start)
	return l.keyword(l.text[start:i])
}

// keyword keeps track of what the words of a statement say about its end and
// its depth.
func (l *lexer) keyword(word string) error {
	if n := len(l.toks) - 1 - l.first; n < len(l.lead) {
		l.lead[n] = strings.ToUpper(word)
	}
	if len(word) > maxKeyword {
		return nil
	}
	var buf [maxKeyword]byte
	upper := upperASCII(buf[:0], word)
	if l.inRoutine() && len(l.open) == 0 {
		switch string(upper) {
		case "BEGIN":
			l.begins++
		case "CASE":
			if l.begins > 0 {
				l.begins++
			}
		case "END":
			if l.begins > 0 {
				l.begins--
			}
		}
	}
	return l.chained(l, string(upper))
}

// inRoutine tells whether the statement at hand is CREATE [OR REPLACE] FUNCTION
// or PROCEDURE, whose body may hold statements of its own.
func (l *lexer) inRoutine() bool {
	if l.lead[0] != "CREATE" {
		return false
	}
	kind := l.lead[1]
	if kind == "OR" && l.lead[2] == "REPLACE" {
		kind = l.lead[3]
	}
	return kind == "FUNCTION" || kind == "PROCEDURE"
}

// number reads a number: integers also in other bases, and with underscores.
func (l *lexer) number() {
	i := l.pos
	if l.text[i] == '0' && strings.IndexByte("xXoObB", l.at(i+1)) >= 0 && i+1 < len(l.text) {
		j := i + 2
		for j < len(l.text) && (isDigit(l.text[j]) || l.text[j] == '_' || l.text[j]|0x20 >= 'a' && l.text[j]|0x20 <= 'f') {
			j++
		}
		if j > i+2 {
			l.pos = j
			return
		}
	}
	digits := func() {
		for i < len(l.text) && (isDigit(l.text[i]) || l.text[i] == '_' && isDigit(l.at(i+1))) {
			i++
		}
	}
	digits()
	if l.at(i) == '.' && l.at(i+1) != '.' {
		i++
		if isDigit(l.at(i)) {
			digits()
		}
	}
	if c := l.at(i); c == 'e' || c == 'E' {
		j := i + 1
		if s := l.at(j); s == '+' || s == '-' {
			j++
		}
		if isDigit(l.at(j)) {
			i = j
			digits()
		}
	}
	l.pos = i
}

// quoted reads what begins at start and whose opening quote is at open.
func (l *lexer) quoted(start, open int, quote byte, backslash bool) error {
	i := open + 1
	for i < len(l.text) {
		switch c := l.text[i]; {
		case backslash && c == '\\':
			i += 2
		case c != quote:
			i++
		case l.at(i+1) == quote:
			i += 2
		default:
			i++
			if quote == '\'' {
				if next, ok := l.continued(i); ok {
					i = next
					continue
				}
			}
			l.pos = i
			kind := stringToken
			if quote == '"' {
				kind = quotedToken
			}
			if open == start+2 {
				l.uescape()
			}
			l.add(kind, start)
			return nil
		}
	}
	what := "string"
	if quote == '"' {
		what = "quoted identifier"
	}
	return l.fail(start, open+1, what+" is never closed")
}

// continued tells whether the string that was closed before i goes on: white
// space with a newline in it, then a quote. It returns the place after the quote.
func (l *lexer) continued(i int) (int, bool) {
	newline := false
	for i < len(l.text) {
		switch c := l.text[i]; {
		case c == '\n' || c == '\r':
			newline = true
			i++
		case isSpace(c):
			i++
		case c == '-' && l.at(i+1) == '-' && newline:
			i = l.lineEnd(i)
		default:
			return i + 1, newline && c == '\''
		}
	}
	return i, false
}

// uescape takes the UESCAPE 'c' that may follow U&'…' into the token.
func (l *lexer) uescape() {
	save := l.pos
	end := l.pos
	if l.space() == nil && len(l.text)-l.pos >= 7 && strings.EqualFold(l.text[l.pos:l.pos+7], "uescape") {
		l.pos += 7
		if l.space() == nil && l.at(l.pos) == '\'' && l.at(l.pos+2) == '\'' {
			end = l.pos + 3
		}
	}
	l.pos = max(end, save)
}

// dollar reads $1 or $tag$…$tag$.
func (l *lexer) dollar() error {
	start := l.pos
	i := start + 1
	if isDigit(l.at(i)) {
		for isDigit(l.at(i)) {
			i++
		}
		l.pos = i
		l.add(paramToken, start)
		return nil
	}
	for i < len(l.text) && l.text[i] != '$' && isWord(l.text[i]) {
		i++
	}
	if l.at(i) != '$' {
		return l.fail(start, start+1, `unexpected character "$"`)
	}
	tag := l.text[start : i+1]
	n := strings.Index(l.text[i+1:], tag)
	if n < 0 {
		return l.fail(start, i+1, "string "+tag+" is never closed")
	}
	l.pos = i + 1 + n + len(tag)
	l.add(stringToken, start)
	return nil
}

// operator reads an operator: as long as it goes, but not into a comment, and
// without a + or - at its end unless it holds one of ~!@#^&|`?%.
func (l *lexer) operator() {
	i := l.pos
	special := false
	for i < len(l.text) && isOp(l.text[i]) {
		if i > l.pos && (l.text[i] == '-' && l.at(i+1) == '-' || l.text[i] == '/' && l.at(i+1) == '*') {
			break
		}
		if strings.IndexByte("~!@#^&|`?%", l.text[i]) >= 0 {
			special = true
		}
		i++
	}
	if !special {
		for i > l.pos+1 && (l.text[i-1] == '+' || l.text[i-1] == '-') {
			i--
		}
	}
	l.pos = i
}

func (l *lexer) punct(start int, c byte) error {
	l.add(punctToken, start)
	i := int32(len(l.toks) - 1)
	l.toks[i].ch = c
	switch c {
	case '(', '[':
		if c == '[' {
			if err := l.indirect(l, c); err != nil {
				return err
			}
		}
		l.open = append(l.open, i)
		return l.opened(l)
	case ')', ']':
		want := byte('(')
		if c == ']' {
			want = '['
		}
		if len(l.open) == 0 || l.toks[l.open[len(l.open)-1]].ch != want {
			return l.fail(start, start+1, `"`+string(rune(c))+`" closes nothing`)
		}
		o := l.open[len(l.open)-1]
		l.open = l.open[:len(l.open)-1]
		l.toks[i].match, l.toks[o].match = o, i
		l.closed()
	case '.':
		return l.indirect(l, c)
	case ',':
		l.next()
	case ';':
		if len(l.open) == 0 && l.begins == 0 {
			l.endStatement(int(i))
			l.breaks = append(l.breaks, brk{l.pos, l.pos, len(l.toks)})
		} else {
			l.next()
		}
	}
	return nil
}

// endStatement is called at the end of a statement: at its semicolon, whose
// index is end, or before a meta-command.
func (l *lexer) endStatement(end int) {
	if l.lead[0] == "COPY" && l.copiesIn(end) {
		l.rows = true
	}
	l.first = len(l.toks)
	l.lead = [4]string{}
	l.begins = 0
	l.reset()
}

// copiesIn tells whether the COPY statement at hand reads rows that follow it:
// COPY … FROM stdin.
func (l *lexer) copiesIn(end int) bool {
	for i := l.first; i+1 < end; i++ {
		if l.toks[i].match > int32(i) {
			i = int(l.toks[i].match)
			continue
		}
		if l.toks[i].kind == wordToken && strings.EqualFold(l.textOf(i), "from") {
			next := l.textOf(i + 1)
			return strings.EqualFold(next, "stdin") || strings.EqualFold(next, "stdout")
		}
	}
	return false
}

func (l *lexer) textOf(i int) string { return l.text[l.toks[i].start:l.toks[i].end] }

// meta reads a psql meta-command: between statements, to the end of its line;
// one that sends the statement (\g, \gset, \gexec, …) may also stand in its
// semicolon's place.
func (l *lexer) meta() error {
	start := l.pos
	end := l.lineEnd(start)
	name := start + 1
	for name < end && !isSpace(l.text[name]) {
		name++
	}
	if name == start+1 {
		return l.fail(start, start+1, `unexpected character "\"`)
	}
	if len(l.toks) > l.first {
		switch command := l.text[start+1 : name]; {
		case len(l.open) > 0, command[0] != 'g' && command != "watch" && command != "crosstabview":
			return l.fail(start, name, "meta-command "+l.text[start:name]+" stands inside a statement")
		}
	}
	for end > start && isSpace(l.text[end-1]) {
		end--
	}
	l.pos = end
	l.endStatement(len(l.toks))
	l.add(metaToken, start)
	l.first = len(l.toks)
	l.breaks = append(l.breaks, brk{start, end, len(l.toks)})
	return nil
}

// maxKeyword is the length of the longest word that matters here.
const maxKeyword = 12

func upperASCII(to []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		to = append(to, c)
	}
	return to
}
