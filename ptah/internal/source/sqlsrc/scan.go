package sqlsrc

import (
	"strings"
	"unicode/utf8"
)

// tokenKind is the sort of a token.
type tokenKind uint8

const (
	endToken tokenKind = iota
	wordToken
	nameToken // a quoted name
	textToken // a string
	numberToken
	variableToken  // @x, @@x, #x of SQL Server
	symbolToken    // one character
	separatorToken // what ends a statement: a semicolon, a delimiter
	batchToken     // what ends a batch: GO, the slash of Oracle
)

// token is a piece of a text.
type token struct {
	kind       tokenKind
	start, end int
}

// lexicon is how a dialect writes tokens.
type lexicon struct {
	backslash    bool   // '…' takes backslash escapes
	doubleText   bool   // "…" is a text
	backtick     bool   // `…` is a name
	brackets     bool   // […] is a name
	doubled      bool   // ]] in […] is one
	nameEscapes  bool   // \ escapes in quoted names
	hash         bool   // # begins a comment
	dashSpace    bool   // -- begins a comment only before white space
	nested       bool   // block comments nest
	openComment  bool   // a block comment may lack its end
	digitNames   bool   // 1st is a name
	dollarTexts  bool   // $tag$…$tag$
	tripleTexts  bool   // '''…''' and """…"""
	alternative  bool   // q'[…]'
	delimiters   bool   // DELIMITER lines
	batchWord    string // alone on a line ends a batch
	textPrefixes string // letters that may stand before a text
}

// lexError is a token that does not end.
type lexError struct {
	at      int
	message string
}

type scanner struct {
	lexicon
	text  string
	pos   int
	delim string // of DELIMITER; empty: the semicolon
	toks  []token
	err   *lexError
}

// scan cuts a text into tokens. With an error they go up to it.
func scan(lx lexicon, text string) ([]token, *lexError) {
	s := &scanner{lexicon: lx, text: text, toks: make([]token, 0, len(text)/5)}
	for s.err == nil {
		s.space()
		if s.pos >= len(text) || s.err != nil {
			break
		}
		s.token()
	}
	return s.toks, s.err
}

func (s *scanner) at(i int) byte {
	if i >= 0 && i < len(s.text) {
		return s.text[i]
	}
	return 0
}

func (s *scanner) fail(at int, message string) {
	s.err = &lexError{at, message}
	s.pos = len(s.text)
}

func isBlank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isLetter(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80
}
func isWord(c byte) bool { return isLetter(c) || isDigit(c) || c == '$' }

// space passes over white space and comments.
func (s *scanner) space() {
	for s.pos < len(s.text) {
		c, next := s.text[s.pos], s.at(s.pos+1)
		switch {
		case isBlank(c):
			s.pos++
		case s.delim != "" && strings.HasPrefix(s.text[s.pos:], s.delim):
			return // even one that would begin a comment
		case c == '-' && next == '-' && !(s.dashSpace && s.pos+2 < len(s.text) && s.text[s.pos+2] > ' '), c == '#' && s.hash:
			s.pos = s.lineEnd(s.pos)
		case c == '/' && next == '*':
			s.comment()
		default:
			return
		}
	}
}

func (s *scanner) lineEnd(i int) int {
	if n := strings.IndexByte(s.text[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(s.text)
}

func (s *scanner) comment() {
	start, level := s.pos, 0
	for i := start; i < len(s.text); {
		switch {
		case s.text[i] == '/' && s.at(i+1) == '*' && (level == 0 || s.nested):
			level++
			i += 2
		case s.text[i] == '*' && s.at(i+1) == '/':
			level--
			i += 2
			if level == 0 {
				s.pos = i
				return
			}
		default:
			i++
		}
	}
	if s.openComment {
		s.pos = len(s.text)
		return
	}
	s.fail(start, "a comment does not end")
}

func (s *scanner) add(kind tokenKind, end int) {
	s.toks = append(s.toks, token{kind, s.pos, end})
	s.pos = end
}

func (s *scanner) token() {
	c, next := s.text[s.pos], s.at(s.pos+1)
	switch {
	case s.delim != "" && strings.HasPrefix(s.text[s.pos:], s.delim):
		s.add(separatorToken, s.pos+len(s.delim))
	case c == ';' && s.delim == "":
		s.add(separatorToken, s.pos+1)
	case c == '\'' || c == '"' && s.doubleText:
		s.quoted(textToken, s.pos, s.backslash)
	case c == '"', c == '`' && s.backtick:
		s.quoted(nameToken, s.pos, s.nameEscapes)
	case c == '[' && s.brackets:
		s.bracketed()
	case next == '\'' && c|0x20 == 'q' && s.alternative:
		s.alternativeText()
	case (next == '\'' || next == '"' && s.doubleText) && strings.IndexByte(s.textPrefixes, c|0x20) >= 0 && isLetter(c):
		s.quoted(textToken, s.pos+1, s.backslash)
	case isLetter(c), c == '$' && s.digitNames && isWord(next):
		s.word()
	case isDigit(c), c == '.' && isDigit(next) && !s.touchesName():
		s.number()
	case c == '@' || c == '#' && isLetter(next):
		s.variable()
	case c == '$' && s.dollarTexts:
		s.dollarText()
	case c == '/' && s.batchWord == "/" && strings.TrimSpace(s.line()) == "/":
		s.add(batchToken, s.pos+1)
	default:
		_, size := utf8.DecodeRuneInString(s.text[s.pos:])
		s.add(symbolToken, s.pos+size)
	}
}

// touchesName reports whether the last token ends here and is a name, so that a dot
// qualifies it.
func (s *scanner) touchesName() bool {
	if len(s.toks) == 0 {
		return false
	}
	last := s.toks[len(s.toks)-1]
	return last.end == s.pos && (last.kind == wordToken || last.kind == nameToken)
}

// line returns the line around the cursor.
func (s *scanner) line() string {
	return s.text[strings.LastIndexByte(s.text[:s.pos], '\n')+1 : s.lineEnd(s.pos)]
}

// quoted reads what is quoted by the mark at open; it may have a prefix.
func (s *scanner) quoted(kind tokenKind, open int, backslash bool) {
	mark := s.text[open]
	if s.tripleTexts && kind == textToken && s.at(open+1) == mark && s.at(open+2) == mark {
		end := strings.Index(s.text[open+3:], s.text[open:open+3])
		if end < 0 {
			s.fail(s.pos, "a text does not end")
			return
		}
		s.add(kind, open+3+end+3)
		return
	}
	for i := open + 1; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == '\\' && backslash:
			i++
		case c != mark:
		case s.at(i+1) == mark:
			i++
		default:
			s.add(kind, i+1)
			return
		}
	}
	what := "a text"
	if kind == nameToken {
		what = "a quoted name"
	}
	s.fail(s.pos, what+" does not end")
}

func (s *scanner) bracketed() {
	for i := s.pos + 1; i < len(s.text); i++ {
		if s.text[i] != ']' {
			continue
		}
		if s.doubled && s.at(i+1) == ']' {
			i++
			continue
		}
		s.add(nameToken, i+1)
		return
	}
	s.fail(s.pos, "a quoted name does not end")
}

// alternativeText reads q'[…]' of Oracle.
func (s *scanner) alternativeText() {
	if s.pos+2 >= len(s.text) {
		s.fail(s.pos, "a text does not end")
		return
	}
	_, size := utf8.DecodeRuneInString(s.text[s.pos+2:])
	shut := s.text[s.pos+2 : s.pos+2+size]
	if i := strings.Index("([{<", shut); i >= 0 {
		shut = ")]}>"[i : i+1]
	}
	n := strings.Index(s.text[s.pos+2+size:], shut+"'")
	if n < 0 {
		s.fail(s.pos, "a text does not end")
		return
	}
	s.add(textToken, s.pos+2+size+n+len(shut)+1)
}

func (s *scanner) dollarText() {
	i := s.pos + 1
	for i < len(s.text) && isWord(s.text[i]) && s.text[i] != '$' {
		i++
	}
	if s.at(i) != '$' {
		s.add(symbolToken, s.pos+1)
		return
	}
	tag := s.text[s.pos : i+1]
	n := strings.Index(s.text[i+1:], tag)
	if n < 0 {
		s.fail(s.pos, "a text does not end")
		return
	}
	s.add(textToken, i+1+n+len(tag))
}

// wordEnd returns the end of the word that begins at i.
func (s *scanner) wordEnd(i int) int {
	for i++; i < len(s.text) && isWord(s.text[i]); i++ {
		if s.delim != "" && strings.HasPrefix(s.text[i:], s.delim) {
			break
		}
	}
	return i
}

func (s *scanner) word() {
	end := s.wordEnd(s.pos)
	word := s.text[s.pos:end]
	switch {
	case s.delimiters && len(word) == len("DELIMITER") && strings.EqualFold(word, "DELIMITER") && s.betweenStatements():
		line := s.lineEnd(end)
		s.delim = strings.TrimSpace(s.text[end:line])
		if s.delim == ";" {
			s.delim = ""
		}
		s.pos = line
	case s.batchWord != "" && strings.EqualFold(word, s.batchWord) && s.batchLine():
		s.add(batchToken, s.lineEnd(s.pos))
	default:
		s.add(wordToken, end)
	}
}

func (s *scanner) betweenStatements() bool {
	return len(s.toks) == 0 || s.toks[len(s.toks)-1].kind == separatorToken
}

// batchLine reports whether the line at the cursor is GO, or GO with a count.
func (s *scanner) batchLine() bool {
	f := strings.Fields(s.line())
	return len(f) > 0 && strings.EqualFold(f[0], s.batchWord) &&
		(len(f) == 1 || strings.HasPrefix(f[1], "--") || len(f) == 2 && strings.Trim(f[1], "0123456789") == "")
}

func (s *scanner) number() {
	i := s.pos
	if s.text[i] == '0' && s.at(i+1)|0x20 == 'x' {
		i = s.wordEnd(i)
	} else {
		digits := func() {
			for isDigit(s.at(i)) {
				i++
			}
		}
		digits()
		if s.at(i) == '.' && s.at(i+1) != '.' {
			i++
			digits()
		}
		if s.at(i)|0x20 == 'e' && (isDigit(s.at(i+1)) || (s.at(i+1) == '+' || s.at(i+1) == '-') && isDigit(s.at(i+2))) {
			i += 2
			digits()
		}
	}
	if s.digitNames && i < len(s.text) && isLetter(s.text[i]) && strings.IndexByte(s.text[s.pos:i], '.') < 0 {
		s.add(wordToken, s.wordEnd(i))
		return
	}
	s.add(numberToken, i)
}

func (s *scanner) variable() {
	i := s.pos
	for s.at(i) == '@' || s.at(i) == '#' {
		i++
	}
	for i < len(s.text) && isWord(s.text[i]) {
		i++
	}
	s.add(variableToken, i)
}
