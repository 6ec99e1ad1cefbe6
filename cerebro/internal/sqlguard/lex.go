package sqlguard

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

type kind uint8

const (
	word   kind = iota // a keyword or a name without quotes
	quoted             // a name in quotes
	str                // a string
	number
	symbol // one byte of an operator or of punctuation
)

type token struct {
	kind       kind
	start, end int
	// upper is the text of a word and of a symbol, words in upper case.
	upper string
}

// maxNested is how deep brackets may nest. Both engines give up at some depth that
// they do not say; no question comes near this one.
const maxNested = 120

// lexer cuts a text into tokens as the engine does. What the engine takes for
// something that its reader would not see is refused: control characters, blanks
// and quotes of Unicode outside of strings.
type lexer struct {
	*check
	pos  int
	toks []token
	open []byte
}

func (c *check) lex() []token {
	if len(c.text) > c.maxLength {
		c.reject(c.maxLength, "the statement has %d bytes, and %d are allowed", len(c.text), c.maxLength)
		return nil
	}
	l := &lexer{check: c, toks: make([]token, 0, len(c.text)/4+4)}
	for c.err == nil && l.space() {
		l.next()
	}
	if c.err == nil && len(l.open) > 0 {
		l.reject(len(l.text), "a bracket is never closed")
	}
	return l.toks
}

func (l *lexer) at(i int) byte {
	if i < len(l.text) {
		return l.text[i]
	}
	return 0
}

// has reports whether s stands at the cursor.
func (l *lexer) has(s string) bool { return strings.HasPrefix(l.text[l.pos:], s) }

// space passes over blanks and comments, and reports whether a token follows.
func (l *lexer) space() bool {
	for l.pos < len(l.text) && l.err == nil {
		switch c := l.text[l.pos]; {
		case c == ' ', c == '\t', c == '\n', c == '\r', c == '\f':
			l.pos++
		case l.has("--"), l.dialect == ClickHouse && (l.has("#!") || l.has("# ")):
			n := strings.IndexByte(l.text[l.pos:], '\n')
			if n < 0 {
				n = len(l.text) - l.pos
			}
			l.comment(l.pos + n)
		case l.has("/*"):
			l.block()
		default:
			return true
		}
	}
	return false
}

// comment passes over a comment. A carriage return ends one of a line for DuckDB and
// not for others, and text that runs the other way hides what it is.
func (l *lexer) comment(end int) {
	for i, r := range l.text[l.pos:end] {
		if r == '\r' && l.text[l.pos] != '/' && l.pos+i+1 < end || hidden(r) {
			l.reject(l.pos+i, "a comment has a character that hides what follows it (%U)", r)
			return
		}
	}
	l.pos = end
}

// block passes over a comment in slashes and stars, which others may stand in.
func (l *lexer) block() {
	level := 0
	for i := l.pos; i+1 < len(l.text); i++ {
		switch l.text[i : i+2] {
		case "/*":
			level++
			i++
		case "*/":
			level--
			if i++; level == 0 {
				l.comment(i + 1)
				return
			}
		}
	}
	l.reject(l.pos, "a comment is never closed")
}

// hidden reports whether a character is one that a reader does not see.
func hidden(r rune) bool {
	return r == utf8.RuneError || r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != '\f' || r == 0x7f || unicode.Is(unicode.Bidi_Control, r)
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= utf8.RuneSelf }
func digit(c byte) bool  { return c >= '0' && c <= '9' }
func inWord(c byte) bool { return letter(c) || digit(c) || c == '$' }
func (l *lexer) rest(i int) int {
	for i < len(l.text) && inWord(l.text[i]) {
		i++
	}
	return i
}

// next cuts one token.
func (l *lexer) next() {
	c := l.text[l.pos]
	switch {
	case c == '\'':
		l.quote(str, l.pos, l.dialect == ClickHouse)
	case c == '"', c == '`' && l.dialect == ClickHouse:
		l.quote(quoted, l.pos, l.dialect == ClickHouse)
	case c == '$':
		l.dollar()
	case digit(c):
		l.number()
	case letter(c):
		l.word()
	default:
		l.symbol(c)
	}
}

func (l *lexer) add(k kind, end int) {
	t := token{kind: k, start: l.pos, end: end}
	if k == word || k == symbol {
		t.upper = strings.ToUpper(l.text[l.pos:end])
	}
	l.toks = append(l.toks, t)
	l.pos = end
}

// quote cuts a string or a name in quotes, whose quote stands at i. A name with an
// escape is refused: it would have to be read as the engine does to be known.
func (l *lexer) quote(k kind, i int, escapes bool) {
	q := l.text[i]
	for i++; i < len(l.text); i++ {
		switch c := l.text[i]; {
		case c == 0:
			l.reject(i, "the text has a NUL byte")
			return
		case c == '\\' && escapes:
			if k == quoted {
				l.reject(i, "a name has an escape")
				return
			}
			i++
		case c == q && l.at(i+1) == q:
			i++
		case c == q:
			if !utf8.ValidString(l.text[l.pos:i]) {
				l.reject(l.pos, "the text is not valid UTF-8")
				return
			}
			l.add(k, i+1)
			return
		}
	}
	l.reject(l.pos, "a string or name is never closed")
}

// dollar cuts $$…$$, $tag$…$tag$, $1 and $name.
func (l *lexer) dollar() {
	end := l.pos + 1
	for end < len(l.text) && (letter(l.text[end]) || digit(l.text[end])) {
		end++
	}
	if l.at(end) != '$' {
		if end == l.pos+1 {
			l.reject(l.pos, "a dollar sign stands alone")
			return
		}
		l.add(number, end)
		return
	}
	tag := l.text[l.pos : end+1]
	n := strings.Index(l.text[end+1:], tag)
	switch {
	case n < 0:
		l.reject(l.pos, "a string or name is never closed")
	case strings.IndexByte(l.text[l.pos:end+1+n], 0) >= 0 || !utf8.ValidString(l.text[l.pos:end+1+n]):
		l.reject(l.pos, "the text has a NUL byte or is not valid UTF-8")
	default:
		l.add(str, end+1+n+len(tag))
	}
}

// number cuts a number. Digits with letters that are no number may be a name.
func (l *lexer) number() {
	end := l.rest(l.pos)
	text := lower(l.text[l.pos:end])
	k := word
	switch {
	case strings.HasPrefix(text, "0x") && strings.Trim(text[2:], "0123456789abcdef_") == "",
		strings.HasPrefix(text, "0b") && strings.Trim(text[2:], "01_") == "",
		strings.HasPrefix(text, "0o") && strings.Trim(text[2:], "01234567_") == "",
		strings.Trim(text, "0123456789_") == "":
		k = number
	default:
		mantissa, exponent, ok := strings.Cut(text, "e")
		if ok && strings.Trim(mantissa+exponent, "0123456789_") == "" {
			k = number
		}
	}
	if k == word {
		l.reject(l.pos, "%q is no number", cut(text))
		return
	}
	l.add(number, end)
}

func (l *lexer) word() {
	end := l.rest(l.pos)
	text := l.text[l.pos:end]
	for i, r := range text {
		if r >= utf8.RuneSelf && (l.dialect == ClickHouse || !unicode.In(r, unicode.Letter, unicode.Mark, unicode.Digit)) {
			l.reject(l.pos+i, "character %U stands outside of quotes", r)
			return
		}
	}
	if l.at(end) == '\'' {
		l.prefixed(text, end)
		return
	}
	if (text == "u" || text == "U") && l.at(end) == '&' && (l.at(end+1) == '\'' || l.at(end+1) == '"') {
		l.reject(l.pos, "strings and names with Unicode escapes are not taken")
		return
	}
	l.add(word, end)
}

// prefixed cuts a string with a letter before it. Words of more letters may touch a
// string: DATE'2026-01-01'.
func (l *lexer) prefixed(text string, end int) {
	switch text {
	case "e", "E":
		if l.dialect == DuckDB {
			l.quote(str, end, true)
			return
		}
	case "x", "X", "b", "B", "n", "N":
		l.quote(str, end, false)
		return
	}
	l.add(word, end)
}

var closing = map[byte]byte{'(': ')', '[': ']', '{': '}'}

func (l *lexer) symbol(c byte) {
	switch c {
	case '(', '[', '{':
		l.open = append(l.open, closing[c])
		if len(l.open) > maxNested {
			l.reject(l.pos, "brackets nest deeper than %d", maxNested)
			return
		}
	case ')', ']', '}':
		if len(l.open) == 0 || l.open[len(l.open)-1] != c {
			l.reject(l.pos, "a bracket is closed that is not open")
			return
		}
		l.open = l.open[:len(l.open)-1]
	case '+', '-', '*', '/', '%', '^', '<', '>', '=', '!', '~', '|', '&', ',', ';', '.', ':', '?', '@', '#':
	default:
		l.reject(l.pos, "character %U stands outside of quotes", rune(c))
		return
	}
	l.add(symbol, l.pos+1)
}
