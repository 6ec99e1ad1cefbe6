package analyze

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Kinds of tokens.
type tokenKind uint8

const (
	ident tokenKind = iota + 1 // names and keywords
	str                        // a string literal
	punct                      // an operator, one or more characters
	other                      // numbers, characters, regular expressions
)

// A token is a piece of source. Comments are kept apart.
type token struct {
	kind       tokenKind
	text       string // as written; of a string nothing
	start, end int
	first      bool // nothing but blanks stands before it on its line
	parts      []part
}

// A part of a string literal: text with escapes resolved, or a hole, which only
// the running program can fill.
type part struct {
	text string
	hole bool
}

type comment struct{ start, end int }

// A scanner is what the lexers share: a cursor and what they found. All of them
// take any bytes and end.
type scanner struct {
	src      string
	i        int
	toks     []token
	comments []comment
	newline  bool // only blanks since the last line break
}

// newScanner makes room for a token every six bytes, which is what code has.
func newScanner(src string) *scanner {
	return &scanner{src: src, newline: true, toks: make([]token, 0, len(src)/6+16)}
}

func (s *scanner) has(prefix string) bool { return strings.HasPrefix(s.src[s.i:], prefix) }

// at is a byte relative to the cursor, 0 outside.
func (s *scanner) at(n int) byte {
	if s.i+n < len(s.src) && s.i+n >= 0 {
		return s.src[s.i+n]
	}
	return 0
}

func (s *scanner) emit(k tokenKind, start int, parts []part) {
	t := token{kind: k, start: start, end: s.i, first: s.newline, parts: parts}
	if k != str {
		t.text = s.src[start:s.i]
	}
	s.toks = append(s.toks, t)
	s.newline = false
}

// blank passes over a blank and reports whether there was one.
func (s *scanner) blank() bool {
	switch s.src[s.i] {
	case '\n':
		s.newline = true
	case ' ', '\t', '\r', '\f', '\v':
	default:
		return false
	}
	s.i++
	return true
}

// lineComment passes over a comment up to the end of its line.
func (s *scanner) lineComment() {
	start := s.i
	s.i = len(s.src)
	if n := strings.IndexByte(s.src[start:], '\n'); n >= 0 {
		s.i = start + n
	}
	s.comments = append(s.comments, comment{start, s.i})
}

// blockComment passes over a comment up to its end mark, or that of the source.
func (s *scanner) blockComment(end string) {
	start := s.i
	s.i = len(s.src)
	if n := strings.Index(s.src[min(start+2, len(s.src)):], end); n >= 0 {
		s.i = start + 2 + n + len(end)
	}
	s.comments = append(s.comments, comment{start, s.i})
}

func letter(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// word passes over a name with the extra characters.
func (s *scanner) word(extra string) {
	for s.i < len(s.src) && (letter(s.src[s.i]) || digit(s.src[s.i]) || strings.IndexByte(extra, s.src[s.i]) >= 0) {
		s.i++
	}
}

// operator passes over the longest of ops at the cursor, else one character.
func (s *scanner) operator(ops ...string) {
	start := s.i
	s.i++
	for _, op := range ops {
		if strings.HasPrefix(s.src[start:], op) {
			s.i = start + len(op)
			break
		}
	}
	s.emit(punct, start, nil)
}

// literal builds the parts of a string.
type literal struct {
	parts []part
	text  strings.Builder
}

func (l *literal) hole() {
	l.flush()
	l.parts = append(l.parts, part{hole: true})
}

func (l *literal) flush() {
	if l.text.Len() > 0 {
		l.parts = append(l.parts, part{text: l.text.String()})
		l.text.Reset()
	}
}

func (l *literal) done() []part {
	l.flush()
	return l.parts
}

// escape reads a backslash and what belongs to it.
func (s *scanner) escape(l *literal) {
	s.i++
	if s.i >= len(s.src) {
		return
	}
	c := s.src[s.i]
	s.i++
	switch c {
	case 'n', 'r':
		l.text.WriteByte('\n')
	case 't', 'v', 'f':
		l.text.WriteByte(' ')
	case '\r', '\n': // continues the line
		if c == '\r' && s.at(0) == '\n' {
			s.i++
		}
	case 'x', 'u', 'U':
		n := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
		if s.i+n <= len(s.src) {
			if v, err := strconv.ParseUint(s.src[s.i:s.i+n], 16, 32); err == nil {
				l.text.WriteRune(rune(v))
				s.i += n
				return
			}
		}
		l.text.WriteByte('?')
	default:
		l.text.WriteByte(c)
	}
}

// nested passes over code up to the brace that closes it, the cursor being behind
// the opening one. Strings in it are passed over with skip, which is called at
// every quote. It looks at most limit bytes ahead and reports whether the brace was
// found.
func (s *scanner) nested(quotes string, limit int, skip func()) bool {
	whole := s.src
	if limit < len(s.src)-s.i {
		s.src = s.src[:s.i+limit]
	}
	defer func() { s.src = whole }()
	depth := 1
	for s.i < len(s.src) {
		c := s.src[s.i]
		switch {
		case c == '{':
			depth++
		case c == '}':
			depth--
			if depth == 0 {
				s.i++
				return true
			}
		case strings.IndexByte(quotes, c) >= 0:
			before := s.i
			skip()
			if s.i > before {
				continue
			}
		}
		s.i++
	}
	return false
}
