package generic

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

type span = sqltree.Span

type kind uint8

const (
	endToken kind = iota
	wordToken
	quotedToken // a quoted name
	stringToken
	numberToken
	paramToken    // a placeholder that is one token: $1, @x, ${x}
	symbolToken   // operators and punctuation
	templateToken // {{ … }}, with the characters of a name that touch it
	dataToken     // rows behind INSERT … FORMAT x
)

// token is a piece of the text.
type token struct {
	start, end int32
	match      int32 // of a bracket: the index of its counterpart
	word       uint16
	kind       kind
	// query caches whether a parenthesis encloses a query: 0 not known, 1 no, 2 yes.
	query uint8
}

// The most that one text may have.
const (
	// MaxLength is the longest text that [Parse] takes, in bytes.
	MaxLength = 16 << 20
	// MaxTokens is the most tokens that one statement may have; see the package
	// comment for what it costs.
	MaxTokens = 2_000_000
	maxNested = 500
)

type lexer struct {
	rules
	text  string
	pos   int
	toks  []token
	open  []int32 // brackets that are open
	notes []sqltree.Note
	// first is the index of the first token of the statement at hand.
	first     int
	delim     string // what ends a statement instead of a semicolon
	condition bool   // inside /*! … */
	templates bool   // the text has template tags
	err       *sqltree.SyntaxError
}

func (l *lexer) fail(start, end int, message string) {
	if l.err == nil {
		l.err = sqltree.NewSyntaxError(l.text, span{Start: start, End: end}, message)
	}
	l.pos = len(l.text)
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isLetter(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80
}
func isWord(c byte) bool { return isLetter(c) || isDigit(c) || c == '$' }
func isHex(c byte) bool  { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

// at returns the byte at i, 0 outside of the text.
func (l *lexer) at(i int) byte {
	if i >= 0 && i < len(l.text) {
		return l.text[i]
	}
	return 0
}

// check refuses what no front end takes.
func check(text string) *sqltree.SyntaxError {
	if len(text) > MaxLength {
		return sqltree.NewSyntaxError(text, span{Start: MaxLength, End: MaxLength},
			fmt.Sprintf("text of %d bytes is longer than %d", len(text), MaxLength))
	}
	if i := strings.IndexByte(text, 0); i >= 0 {
		return sqltree.NewSyntaxError(text, span{Start: i, End: i + 1}, "text has a NUL byte")
	}
	if !utf8.ValidString(text) {
		i := 0
		for i < len(text) {
			r, size := utf8.DecodeRuneInString(text[i:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			i += size
		}
		return sqltree.NewSyntaxError(text, span{Start: i, End: i + 1}, "text is not valid UTF-8")
	}
	return nil
}

// endTokens is how many tokens mark the end of a text: as many as the parser
// looks ahead, so that it need not ask whether they are there.
const endTokens = 16

// lex cuts a text into tokens; endTokens of kind endToken follow them.
func lex(r rules, text string) *lexer {
	l := &lexer{rules: r, text: text}
	if strings.HasPrefix(text, "\ufeff") {
		l.pos = 3
	}
	return l.run()
}

// run cuts the text from the cursor on.
func (l *lexer) run() *lexer {
	text := l.text
	l.toks = make([]token, 0, (len(text)-l.pos)/4+8)
	for {
		l.space()
		if l.pos >= len(text) || l.err != nil {
			break
		}
		l.token()
	}
	if len(l.open) > 0 && l.err == nil {
		l.unclosed()
	}
	for range endTokens {
		l.toks = append(l.toks, token{start: int32(len(text)), end: int32(len(text)), match: -1})
	}
	return l
}

func (l *lexer) unclosed() {
	t := l.toks[l.open[len(l.open)-1]]
	l.fail(int(t.start), int(t.end), fmt.Sprintf("bracket %q is never closed", l.text[t.start:t.end]))
}

// space passes over white space, comments and template tags without a value.
func (l *lexer) space() {
	for l.pos < len(l.text) {
		c := l.text[l.pos]
		switch {
		case isSpace(c):
			l.pos++
		case c == '-' && l.at(l.pos+1) == '-':
			if l.dashSpace && l.pos+2 < len(l.text) && l.text[l.pos+2] > ' ' {
				return
			}
			l.line()
		case c == '#' && l.hashComment,
			c == '#' && l.clickhouse && (l.at(l.pos+1) == ' ' || l.at(l.pos+1) == '!'),
			c == '/' && l.at(l.pos+1) == '/' && l.slashComment:
			l.line()
		case c == '/' && l.at(l.pos+1) == '*':
			l.comment()
		case c == '*' && l.condition && l.at(l.pos+1) == '/':
			l.condition = false
			l.pos += 2
		case c == '{' && l.at(l.pos+1) == '%':
			l.tag("%}", "template tag is never closed", "template tag is not evaluated")
		case c == '{' && l.at(l.pos+1) == '#' && l.at(l.pos+2) == ' ':
			l.tag("#}", "template comment is never closed", "")
		default:
			return
		}
	}
}

func (l *lexer) line() {
	if n := strings.IndexByte(l.text[l.pos:], '\n'); n >= 0 {
		l.pos += n + 1
	} else {
		l.pos = len(l.text)
	}
}

func (l *lexer) tag(end, unclosed, note string) {
	n := strings.Index(l.text[l.pos+2:], end)
	if n < 0 {
		l.fail(l.pos, l.pos+2, unclosed)
		return
	}
	start := l.pos
	l.pos += 2 + n + len(end)
	if note != "" {
		l.templates = true
		l.notes = append(l.notes, sqltree.Note{Span: span{Start: start, End: l.pos}, Message: note})
	}
}

func (l *lexer) comment() {
	start := l.pos
	if l.conditional {
		i := start + 2
		if l.at(i) == 'M' {
			i++
		}
		if l.at(i) == '!' {
			for i++; isDigit(l.at(i)); i++ {
			}
			l.pos, l.condition = i, true
			return
		}
	}
	level := 0
	for i := start; i < len(l.text); {
		switch {
		case l.text[i] == '/' && l.at(i+1) == '*' && (level == 0 || l.nestedComments):
			level++
			i += 2
		case l.text[i] == '*' && l.at(i+1) == '/':
			level--
			i += 2
			if level == 0 {
				l.pos = i
				return
			}
		default:
			i++
		}
	}
	if l.openComment {
		l.pos = len(l.text)
		return
	}
	l.fail(start, start+2, "comment is never closed")
}

func (l *lexer) add(k kind, start, end int) {
	l.toks = append(l.toks, token{start: int32(start), end: int32(end), match: -1, kind: k})
	l.pos = end
	if len(l.toks)-l.first > MaxTokens {
		l.fail(start, end, fmt.Sprintf("statement has more than %d tokens", MaxTokens))
	}
}

// touches reports whether the last token ends where the next one begins and can
// be an operand, so that a dot or bracket there belongs to it.
func (l *lexer) touches() bool {
	if len(l.toks) == 0 {
		return false
	}
	t := l.toks[len(l.toks)-1]
	return int(t.end) == l.pos && l.operand(t)
}

// operand reports whether a token can end an operand.
func (l *lexer) operand(t token) bool {
	switch t.kind {
	case wordToken:
		return class[t.word]&notOperand == 0
	case symbolToken:
		s := spellings[t.word]
		return s == ")" || s == "]" || s == "}"
	}
	return t.kind != endToken
}

func (l *lexer) token() {
	start := l.pos
	c := l.text[start]
	if l.delim != "" && strings.HasPrefix(l.text[start:], l.delim) {
		l.semicolon(start, start+len(l.delim))
		return
	}
	switch {
	case isLetter(c):
		l.lexWord()
	case isDigit(c):
		l.number()
	case c == '.' && isDigit(l.at(start+1)):
		if !l.touches() {
			l.number()
			return
		}
		l.symbol(start, ".")
		end := start + 1
		for end < len(l.text) && isWord(l.text[end]) {
			end++
		}
		k := numberToken
		for _, b := range []byte(l.text[start+1 : end]) {
			if !isDigit(b) {
				k = wordToken
			}
		}
		l.add(k, start+1, end)
	case c == '\'':
		l.str(start, start, l.backslash)
	case c == '"' && l.doubleString:
		l.str(start, start, true)
	case c == '"' || c == '`':
		l.quoted(start, start)
	case c == '[' && l.brackets:
		n := strings.IndexByte(l.text[start:], ']')
		if n < 0 {
			l.fail(start, start+1, "quoted name is never closed")
			return
		}
		l.add(quotedToken, start, start+n+1)
	case c == '[' && l.mixedBrackets && l.bracketName():
	case c == '$':
		l.dollar()
	case c == '@' && l.atName():
		end := start + 1
		if c := l.at(end); c == '@' || c == '~' || c == '%' {
			end++
		}
		if q := l.at(end); q == '`' || q == '\'' || q == '"' {
			n := strings.IndexByte(l.text[end+1:], q)
			if n < 0 {
				l.fail(start, end+1, "quoted name is never closed")
				return
			}
			end += n + 2
		} else {
			for end < len(l.text) && (isWord(l.text[end]) || l.text[end] == '.' && l.at(start+1) == '@' && isLetter(l.at(end+1))) {
				end++
			}
		}
		l.add(paramToken, start, end)
	case c == '{' && l.at(start+1) == '{':
		l.template(start)
	case c == '#' && l.at(start+1) == '{':
		l.braced(start)
	case c == '#' && l.batches && isLetter(l.at(start+1)) && !l.touches():
		end := start + 1
		for end < len(l.text) && isWord(l.text[end]) {
			end++
		}
		l.add(wordToken, start, end)
	default:
		l.operator(start)
	}
}

// atName reports whether @ at the cursor begins a variable or parameter.
func (l *lexer) atName() bool {
	next := l.at(l.pos + 1)
	if l.clickhouse {
		return false
	}
	if l.atOperators {
		return isLetter(next) && (l.pos == 0 || strings.IndexByte("!#%&*+/?@^|~<>-", l.text[l.pos-1]) < 0)
	}
	if l.stages && (next == '~' || next == '%') {
		return true
	}
	return isWord(next) || next == '@' || next == '`' || next == '\'' || next == '"'
}

// bracketName takes the quoted name that [ begins, if it does: where no operand
// stands before it, and nothing but words to the next ]. A doubled ] before a letter
// stands for one, if the name ends behind it; elsewhere the second ends a list.
func (l *lexer) bracketName() bool {
	if n := len(l.toks); n > 0 && l.operand(l.toks[n-1]) && l.toks[n-1].kind != numberToken {
		return false
	}
	i := l.pos + 1
	if !isLetter(l.at(i)) {
		return false
	}
	end := 0 // where the name ends if it has no doubled ]
	for {
		for i < len(l.text) && (isWord(l.text[i]) || l.text[i] == ' ' || l.text[i] == '-' || l.text[i] == '#') {
			i++
		}
		if l.at(i) != ']' {
			break
		}
		if l.at(i+1) != ']' || !isLetter(l.at(i+2)) {
			end = i + 1
			break
		}
		if end == 0 {
			end = i + 1
		}
		i += 2
	}
	if end > 0 {
		l.add(quotedToken, l.pos, end)
	}
	return end > 0
}

func (l *lexer) lexWord() {
	start := l.pos
	c := l.text[start]
	switch next := l.at(start + 1); {
	case next == '\'' || next == '"' && l.tripleString:
		switch c | 0x20 {
		case 'e':
			l.str(start, start+1, true)
			return
		case 'b', 'x', 'n', 'r':
			l.str(start, start+1, l.backslash)
			return
		}
	case next == '&' && c|0x20 == 'u' && l.at(start+2) == '\'':
		l.str(start, start+2, false)
		l.uescape()
		return
	case next == '&' && c|0x20 == 'u' && l.at(start+2) == '"' && !l.doubleString:
		l.quoted(start, start+2)
		l.uescape()
		return
	case l.tripleString && (c|0x20 == 'r' && next|0x20 == 'b' || c|0x20 == 'b' && next|0x20 == 'r') && (l.at(start+2) == '\'' || l.at(start+2) == '"'):
		l.str(start, start+2, true)
		return
	}
	end := start + 1
	for end < len(l.text) && isWord(l.text[end]) {
		end++
	}
	if l.delim != "" {
		// The client's delimiter may stand right behind a word: END$$.
		if at := strings.Index(l.text[start+1:end], l.delim); at >= 0 {
			end = start + 1 + at
		}
	}
	if l.at(end) == '{' && l.at(end+1) == '{' {
		l.template(start)
		return
	}
	l.add(wordToken, start, end)
	t := &l.toks[len(l.toks)-1]
	t.word = lookup(l.text[start:end])
	switch spellings[t.word] {
	case "FORMAT":
		if l.clickhouse {
			l.rows()
		}
	case "DELIMITER":
		if l.delimiter && len(l.toks)-1 == l.first {
			l.setDelimiter(start, end)
		}
	case "GO":
		if l.batches && len(l.open) == 0 && strings.TrimSpace(l.lineOf(start)) == l.text[start:end] {
			l.toks = l.toks[:len(l.toks)-1]
			l.semicolon(start, end)
		}
	}
}

// lineOf returns the line around a position.
func (l *lexer) lineOf(i int) string {
	from := strings.LastIndexByte(l.text[:i], '\n') + 1
	to := len(l.text)
	if n := strings.IndexByte(l.text[i:], '\n'); n >= 0 {
		to = i + n
	}
	return l.text[from:to]
}

// rows takes what follows INSERT … FORMAT x as data, to the end of the text.
func (l *lexer) rows() {
	if spellings[l.toks[l.first].word] != "INSERT" || len(l.open) > 0 {
		return
	}
	i := l.pos
	for i < len(l.text) && isSpace(l.text[i]) {
		i++
	}
	from := i
	for i < len(l.text) && isWord(l.text[i]) {
		i++
	}
	if i == from || strings.EqualFold(l.text[from:i], "values") {
		return
	}
	l.add(wordToken, from, i)
	if strings.TrimSpace(l.text[i:]) != "" {
		l.add(dataToken, i, len(l.text))
	}
}

// setDelimiter reads DELIMITER x, which is no statement but a line for a client.
func (l *lexer) setDelimiter(start, end int) {
	l.line()
	d := strings.TrimSpace(l.text[end:l.pos])
	l.toks = l.toks[:len(l.toks)-1]
	if d == ";" || d == "" {
		d = ""
	}
	l.delim = d
}

func (l *lexer) number() {
	start := l.pos
	i := start
	if l.dashNames && l.at(start-1) == '-' && isWord(l.at(start-2)) {
		// my-project-2.set.table
		for i < len(l.text) && isWord(l.text[i]) {
			i++
		}
		l.add(numberToken, start, i)
		return
	}
	if l.text[i] == '0' && (l.at(i+1)|0x20 == 'x' || l.at(i+1)|0x20 == 'b' || l.at(i+1)|0x20 == 'o') && isHex(l.at(i+2)) {
		for i += 2; i < len(l.text) && (isHex(l.text[i]) || l.text[i] == '_'); i++ {
		}
	} else {
		digits := func() {
			for i < len(l.text) && (isDigit(l.text[i]) || l.text[i] == '_' && isDigit(l.at(i+1))) {
				i++
			}
		}
		digits()
		if l.at(i) == '.' && l.at(i+1) != '.' && !(isLetter(l.at(i+1)) && l.at(i+1)|0x20 != 'e') {
			i++
			digits()
		}
		if l.at(i)|0x20 == 'e' {
			j := i + 1
			if l.at(j) == '+' || l.at(j) == '-' {
				j++
			}
			if isDigit(l.at(j)) {
				i = j
				digits()
			}
		}
	}
	if isLetter(l.at(i)) {
		end := i
		for end < len(l.text) && isWord(l.text[end]) {
			end++
		}
		if l.digitNames && strings.IndexByte(l.text[start:i], '.') < 0 {
			l.add(wordToken, start, end)
			return
		}
		l.fail(start, end, fmt.Sprintf("number %s is followed by letters", quote(l.text[start:end])))
		return
	}
	l.add(numberToken, start, i)
}

// str reads a string that begins at start and whose quote is at open.
func (l *lexer) str(start, open int, backslash bool) {
	q := l.text[open]
	if l.tripleString && l.at(open+1) == q && l.at(open+2) == q {
		for i := open + 3; i+2 < len(l.text); i++ {
			if l.text[i] == '\\' {
				i++
				continue
			}
			if l.text[i] == q && l.text[i+1] == q && l.text[i+2] == q {
				l.add(stringToken, start, i+3)
				return
			}
		}
		l.fail(start, open+3, "string is never closed")
		return
	}
	for i := open + 1; i < len(l.text); i++ {
		switch c := l.text[i]; {
		case c == '\\' && backslash:
			i++
		case c != q:
		case l.at(i+1) == q && !l.tripleString:
			i++
		default:
			l.add(stringToken, start, i+1)
			return
		}
	}
	l.fail(start, open+1, "string is never closed")
}

// uescape takes the UESCAPE 'c' that may follow U&'…' into its token.
func (l *lexer) uescape() {
	end := l.pos
	l.space()
	if n := l.pos + len("uescape"); n < len(l.text) && strings.EqualFold(l.text[l.pos:n], "uescape") {
		l.pos = n
		l.space()
		if l.at(l.pos) == '\'' && l.at(l.pos+2) == '\'' {
			end = l.pos + 3
			l.toks[len(l.toks)-1].end = int32(end)
		}
	}
	l.pos = end
}

// quoted reads a quoted name that begins at start and whose quote is at open.
func (l *lexer) quoted(start, open int) {
	q := l.text[open]
	for i := open + 1; i < len(l.text); i++ {
		switch c := l.text[i]; {
		case c == '\\' && (l.clickhouse || l.tripleString):
			i++
		case c != q:
		case l.at(i+1) == q:
			i++
		default:
			l.add(quotedToken, start, i+1)
			return
		}
	}
	l.fail(start, open+1, "quoted name is never closed")
}

// dollar reads $1, $name, ${name}, $$…$$ and $tag$…$tag$.
func (l *lexer) dollar() {
	start := l.pos
	i := start + 1
	if l.at(i) == '{' {
		l.braced(start)
		return
	}
	if l.dollarWords && (isLetter(l.at(i)) || l.at(i) == '$') {
		for i < len(l.text) && isWord(l.text[i]) {
			i++
		}
		l.add(wordToken, start, i)
		return
	}
	for i < len(l.text) && l.text[i] != '$' && isWord(l.text[i]) {
		i++
	}
	if l.at(i) == '$' && l.dollarStrings && !isDigit(l.at(start+1)) {
		tag := l.text[start : i+1]
		n := strings.Index(l.text[i+1:], tag)
		if n >= 0 {
			l.add(stringToken, start, i+1+n+len(tag))
			return
		}
		if tag == "$$" || !l.dollarNames {
			l.fail(start, i+1, "string "+tag+" is never closed")
			return
		}
	}
	if i == start+1 && l.stages && len(l.open) > 0 {
		l.symbol(start, "$") // the end of a pattern of MATCH_RECOGNIZE
		return
	}
	if i == start+1 {
		l.fail(start, start+1, `unexpected character "$"`)
		return
	}
	l.add(paramToken, start, i)
}

// braced reads ${name} and #{name}.
func (l *lexer) braced(start int) {
	n := strings.IndexByte(l.text[start:], '}')
	if n < 0 {
		l.fail(start, start+2, "placeholder is never closed")
		return
	}
	l.add(paramToken, start, start+n+1)
}

// template reads {{ … }} with the characters of a name on both sides.
func (l *lexer) template(start int) {
	i := start
	for {
		for i < len(l.text) && isWord(l.text[i]) {
			i++
		}
		if !strings.HasPrefix(l.text[min(i, len(l.text)):], "{{") {
			break
		}
		n := strings.Index(l.text[i+2:], "}}")
		if n < 0 {
			l.fail(i, i+2, "template tag is never closed")
			return
		}
		i += 2 + n + 2
		for l.at(i) == '}' {
			i++
		}
	}
	l.templates = true
	l.notes = append(l.notes, sqltree.Note{Span: span{Start: start, End: i}, Message: "template tag is not evaluated"})
	l.add(templateToken, start, i)
}

func (l *lexer) semicolon(start, end int) {
	if len(l.open) > 0 {
		l.unclosed()
		return
	}
	l.symbol(start, ";")
	l.toks[len(l.toks)-1].end = int32(end)
	l.pos = end
	l.first = len(l.toks)
}

func (l *lexer) symbol(start int, s string) {
	l.add(symbolToken, start, start+len(s))
	l.toks[len(l.toks)-1].word = ids[s]
}

func (l *lexer) operator(start int) {
	rest := l.text[start:]
	for _, s := range operators[l.text[start]] {
		if !strings.HasPrefix(rest, s) || l.foreign(s, rest) {
			continue
		}
		switch s {
		case "(", "[", "{":
			l.open = append(l.open, int32(len(l.toks)))
			if len(l.open) > maxNested {
				l.fail(start, start+1, fmt.Sprintf("brackets nest deeper than %d", maxNested))
				return
			}
		case ")", "]", "}":
			if len(l.open) == 0 {
				l.fail(start, start+1, fmt.Sprintf("bracket %q closes nothing", s))
				return
			}
			o := l.open[len(l.open)-1]
			if want := closing[spellings[l.toks[o].word]]; want != s {
				l.fail(start, start+1, fmt.Sprintf("bracket %q closes %q", s, spellings[l.toks[o].word]))
				return
			}
			l.open = l.open[:len(l.open)-1]
			l.symbol(start, s)
			i := int32(len(l.toks) - 1)
			l.toks[i].match, l.toks[o].match = o, i
			return
		case ";":
			if l.delim == "" {
				l.semicolon(start, start+1)
			} else {
				// It ends a statement inside a routine, which nobody looks into.
				l.add(symbolToken, start, start+1)
			}
			return
		}
		l.symbol(start, s)
		return
	}
	_, size := utf8.DecodeRuneInString(rest)
	l.fail(start, start+size, "unexpected character "+quote(rest[:size]))
}

var closing = map[string]string{"(": ")", "[": "]", "{": "}"}

// foreign reports whether an operator is not one in this dialect, so that its
// characters are several tokens.
func (l *lexer) foreign(s, rest string) bool {
	switch s {
	case "?|", "?&", "?-", "?#", "?||", "?-|":
		return !l.questionOps
	case "<@", "@>", "@@", "@@@", "@?", "@-@", "^@", "~=":
		return !l.atOperators
	case "<%", "<<%", "<%>":
		// a <%s
		return !l.atOperators || strings.HasPrefix(rest[len(s):], "s") && !isWord(l.at(l.pos+len(s)+1)) || strings.HasPrefix(rest[len(s):], "(")
	case "#", "##", "#>", "#>>", "#-":
		return !l.atOperators
	case "|>":
		return l.clickhouse
	case "//":
		return l.slashComment
	}
	return false
}

// quote quotes a piece of the text for a message, cut at 40 bytes.
func quote(s string) string {
	if len(s) > 40 {
		cut := 40
		for !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	return fmt.Sprintf("%q", s)
}
