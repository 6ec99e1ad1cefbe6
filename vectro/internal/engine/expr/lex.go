package expr

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/caret"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/ident"
)

type tokenKind uint8

const (
	tokEnd    tokenKind = iota
	tokOp               // an operator, bracket or comma; word holds its spelling
	tokWord             // an identifier or keyword; word holds it as written
	tokName             // a name in backquotes or square brackets; word holds the name
	tokNumber           // word holds the number as written
	tokString           // word holds the text
)

type token struct {
	kind       tokenKind
	start, end int
	word       string
}

// operators, the longest first where one begins with another.
var operators = []string{
	"===", "!==", "==", "!=", "<>", "<=", ">=", "&&", "||", "**",
	"=", "<", ">", "+", "-", "*", "/", "%", "^", "!", "?", ":", "(", ")", ",",
}

// lexer cuts a text into tokens, one at a time.
type lexer struct {
	text string
	at   int
}

func (l *lexer) next() (token, *Error) {
	for l.at < len(l.text) {
		r, n := utf8.DecodeRuneInString(l.text[l.at:])
		if !unicode.IsSpace(r) {
			break
		}
		l.at += n
	}
	start := l.at
	if start == len(l.text) {
		return token{tokEnd, start, start, ""}, nil
	}
	r, _ := utf8.DecodeRuneInString(l.text[start:])
	rest := l.text[start:]
	switch {
	case isDigit(r), r == '.' && len(rest) > 1 && isDigit(rune(rest[1])):
		return l.number()
	case ident.Start(r):
		n := strings.IndexFunc(rest, func(r rune) bool { return !ident.Part(r) })
		if n < 0 {
			n = len(rest)
		}
		l.at += n
		return token{tokWord, start, l.at, rest[:n]}, nil
	case r == '\'' || r == '"':
		return l.string(byte(r))
	case r == '`':
		return l.backquoted()
	case r == '[':
		n := strings.IndexByte(rest, ']')
		if n < 0 {
			return token{}, fail(l.text, start, "the name that '[' opens is never closed; end it with ']'")
		}
		return l.name(start, start+n+1, rest[1:n])
	}
	for _, op := range operators {
		if strings.HasPrefix(rest, op) {
			l.at += len(op)
			return token{tokOp, start, l.at, op}, nil
		}
	}
	hint := ""
	switch r {
	case '&':
		hint = "; and is written '&&'"
	case '|':
		hint = "; or is written '||'"
	case ';':
		hint = "; give one expression"
	case '‘', '’', '“', '”', '„', '«', '»', '´':
		hint = "; text is written in straight quotes: 'EU'"
	default:
		if plain := plainSign(r); plain != "" {
			hint = "; it is written " + plain
		}
	}
	return token{}, fail(l.text, start, fmt.Sprintf("unexpected %s%s", caret.Quote(string(r)), hint))
}

// plainSign returns how the language writes a sign of mathematics, or "".
func plainSign(r rune) string {
	switch r {
	case '≥':
		return ">="
	case '≤':
		return "<="
	case '≠':
		return "!="
	case '−', '–', '—':
		return "-"
	case '×', '·', '⋅':
		return "*"
	case '÷':
		return "/"
	case '∧':
		return "&&"
	case '∨':
		return "||"
	case '¬':
		return "!"
	}
	return ""
}

func (l *lexer) name(start, end int, name string) (token, *Error) {
	if name == "" {
		return token{}, fail(l.text, start, "empty column name")
	}
	l.at = end
	return token{tokName, start, end, name}, nil
}

// backquoted reads `a name`, in which two backquotes stand for one.
func (l *lexer) backquoted() (token, *Error) {
	start := l.at
	var b strings.Builder
	for i := start + 1; i < len(l.text); i++ {
		c := l.text[i]
		if c == '`' {
			if i+1 == len(l.text) || l.text[i+1] != '`' {
				return l.name(start, i+1, b.String())
			}
			i++
		}
		b.WriteByte(c)
	}
	return token{}, fail(l.text, start, "the name that '`' opens is never closed; end it with '`'")
}

// string reads a quoted text: a doubled quote is a quote, a backslash escapes.
func (l *lexer) string(quote byte) (token, *Error) {
	start := l.at
	var b strings.Builder
	for i := start + 1; i < len(l.text); i++ {
		switch c := l.text[i]; c {
		case quote:
			if i+1 < len(l.text) && l.text[i+1] == quote {
				b.WriteByte(quote)
				i++
				continue
			}
			l.at = i + 1
			return token{tokString, start, l.at, b.String()}, nil
		case '\\':
			r, n, ok := escape(l.text[i:])
			if !ok {
				_, size := utf8.DecodeRuneInString(l.text[min(i+1, len(l.text)):])
				return token{}, fail(l.text, i, fmt.Sprintf(
					`unknown escape %s; a backslash itself is written '\\'`, caret.Quote(l.text[i:i+1+size])))
			}
			b.WriteRune(r)
			i += n - 1
		default:
			b.WriteByte(c)
		}
	}
	return token{}, fail(l.text, start, fmt.Sprintf("the text that %c opens is never closed", quote))
}

// escape reads the escape that s begins with and returns its length in bytes.
func escape(s string) (r rune, n int, ok bool) {
	if len(s) < 2 {
		return 0, 0, false
	}
	switch s[1] {
	case 'n':
		return '\n', 2, true
	case 't':
		return '\t', 2, true
	case '\\', '\'', '"':
		return rune(s[1]), 2, true
	case 'u':
		r, ok := hex4(s[2:])
		if !ok {
			return 0, 0, false
		}
		if !utf16.IsSurrogate(r) {
			return r, 6, true
		}
		// A character beyond U+FFFF is written as a pair.
		if len(s) < 12 || s[6] != '\\' || s[7] != 'u' {
			return 0, 0, false
		}
		low, ok := hex4(s[8:])
		if r = utf16.DecodeRune(r, low); !ok || r == utf8.RuneError {
			return 0, 0, false
		}
		return r, 12, true
	}
	return 0, 0, false
}

func hex4(s string) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	var r rune
	for _, c := range []byte(s[:4]) {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// number reads digits with an optional fraction and exponent, or 0x and hex digits.
func (l *lexer) number() (token, *Error) {
	start := l.at
	s := l.text[start:]
	i := 0
	run := func(ok func(rune) bool) bool {
		from := i
		for i < len(s) && ok(rune(s[i])) {
			i++
		}
		return i > from
	}
	good := true
	if len(s) > 1 && s[0] == '0' && s[1]|0x20 == 'x' {
		i = 2
		good = run(isHex)
	} else {
		run(isDigit)
		if i < len(s) && s[i] == '.' {
			i++
			good = run(isDigit)
		}
		if good && i < len(s) && s[i]|0x20 == 'e' {
			i++
			if i < len(s) && (s[i] == '+' || s[i] == '-') {
				i++
			}
			good = run(isDigit)
		}
	}
	end := i
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !ident.Part(r) {
			break
		}
		i += n
	}
	if !good || i > end {
		return token{}, fail(l.text, start, fmt.Sprintf(
			"%s is not a number; text is written in quotes, a column name that begins with a digit in backquotes", caret.Quote(s[:i])))
	}
	l.at = start + end
	return token{tokNumber, start, l.at, s[:end]}, nil
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

func isHex(r rune) bool { return isDigit(r) || r|0x20 >= 'a' && r|0x20 <= 'f' }
