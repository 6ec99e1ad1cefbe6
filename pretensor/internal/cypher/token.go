package cypher

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Kind says what a token is.
type Kind uint8

// The kinds of tokens. White space and comments are no tokens.
const (
	Word      Kind = iota // a bare word: a keyword or a name
	Backtick              // a name in backticks
	String                // '…' or "…"
	Number                // digits with a fraction and an exponent
	Parameter             // $name
	Punct                 // one character of punctuation, or ..
)

// Token is a piece of a query.
type Token struct {
	Kind       Kind
	Text       string // as written
	Start, End int    // byte offsets: text[Start:End]
}

// Word returns the word in the form in which keywords are compared: NFKC, upper
// case. It is empty for other kinds.
func (t Token) Word() string {
	if t.Kind != Word {
		return ""
	}
	return fold(t.Text)
}

// Name returns the name of a word, of a name in backticks, or of a parameter.
func (t Token) Name() string {
	switch t.Kind {
	case Backtick:
		return strings.ReplaceAll(t.Text[1:len(t.Text)-1], "``", "`")
	case Parameter:
		return strings.Trim(t.Text[1:], "`")
	default:
		return t.Text
	}
}

func fold(word string) string { return strings.ToUpper(norm.NFKC.String(word)) }

// Scan splits a query into its tokens. It knows exactly what the engine's lexer
// knows where the two could disagree about what is text and what is code, and
// refuses the rest: an unknown escape, a control character, a lone carriage
// return, an invisible character outside strings, anything unterminated. The error
// is a *Rejection.
func Scan(text string) ([]Token, error) {
	if !utf8.ValidString(text) {
		return nil, reject(text, invalidAt(text), "", "the query is not valid UTF-8")
	}
	s := scanner{text: text}
	for s.pos < len(s.text) {
		if err := s.next(); err != nil {
			return nil, err
		}
	}
	return s.tokens, nil
}

func invalidAt(text string) int {
	for i, r := range text {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
				return i
			}
		}
	}
	return len(text)
}

type scanner struct {
	text   string
	pos    int
	tokens []Token
}

func (s *scanner) emit(kind Kind, end int) {
	s.tokens = append(s.tokens, Token{kind, s.text[s.pos:end], s.pos, end})
	s.pos = end
}

func (s *scanner) next() error {
	r, size := utf8.DecodeRuneInString(s.text[s.pos:])
	rest := s.text[s.pos:]
	switch {
	case strings.HasPrefix(rest, "//"):
		return s.lineComment()
	case strings.HasPrefix(rest, "/*"):
		end := strings.Index(rest[2:], "*/")
		if end < 0 {
			return reject(s.text, s.pos, "/*", "the comment has no end")
		}
		if err := s.clean(s.pos, s.pos+2+end); err != nil {
			return err
		}
		s.pos += end + 4
	case r == '\'' || r == '"':
		return s.quoted(byte(r))
	case r == '`':
		return s.backtick()
	case r == '$':
		return s.parameter()
	case r >= '0' && r <= '9':
		s.number()
	case wordStart(r):
		s.emit(Word, s.wordEnd(s.pos))
	case r == '\r' || unicode.IsControl(r):
		if err := s.clean(s.pos, s.pos+size); err != nil {
			return err
		}
		s.pos += size
	case unicode.IsSpace(r):
		s.pos += size
	case strings.HasPrefix(rest, ".."):
		s.emit(Punct, s.pos+2)
	case r < utf8.RuneSelf && unicode.IsPrint(r) && r != '#' && r != '@' && r != '\\' && r != '?':
		s.emit(Punct, s.pos+1)
	default:
		return reject(s.text, s.pos, string(r), "the character means nothing here")
	}
	return nil
}

// clean refuses control characters in text[start:end] but tab, line feed, and the
// carriage return before one.
func (s *scanner) clean(start, end int) error {
	for i, r := range s.text[start:end] {
		at := start + i
		switch {
		case r == '\t' || r == '\n':
		case r == '\r' && strings.HasPrefix(s.text[at+1:], "\n"):
		case unicode.IsControl(r):
			return reject(s.text, at, fmt.Sprintf("U+%04X", r), "control characters are not allowed")
		}
	}
	return nil
}

func (s *scanner) lineComment() error {
	end := strings.IndexByte(s.text[s.pos:], '\n')
	if end < 0 {
		end = len(s.text)
	} else {
		end += s.pos + 1
	}
	if err := s.clean(s.pos, end); err != nil {
		return err
	}
	s.pos = end
	return nil
}

// quoted reads a string. The escapes are the engine's; it takes a quote after an
// unknown one for the end of a token that no rule has.
func (s *scanner) quoted(quote byte) error {
	for i := s.pos + 1; i < len(s.text); i++ {
		switch c := s.text[i]; c {
		case quote:
			if err := s.clean(s.pos, i); err != nil {
				return err
			}
			s.emit(String, i+1)
			return nil
		case '\\':
			n := escape(s.text[i+1:])
			if n == 0 {
				return reject(s.text, i, "\\", `the string has an unknown escape; \\ \' \" \b \f \n \r \t \uHHHH \UHHHHHHHH are known`)
			}
			i += n
		}
	}
	return reject(s.text, s.pos, string(quote), "the string has no end")
}

// escape returns the length of the escape that text begins with, after the
// backslash; 0 if there is none.
func escape(text string) int {
	if text == "" {
		return 0
	}
	var digits int
	switch text[0] {
	case '\\', '\'', '"', 'b', 'B', 'f', 'F', 'n', 'N', 'r', 'R', 't', 'T':
		return 1
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	default:
		return 0
	}
	if len(text) < 1+digits {
		return 0
	}
	for _, c := range []byte(text[1 : 1+digits]) {
		if !strings.ContainsRune("0123456789abcdefABCDEF", rune(c)) {
			return 0
		}
	}
	return 1 + digits
}

// backtick reads a name in backticks; two backticks inside stand for one.
func (s *scanner) backtick() error {
	for i := s.pos + 1; i < len(s.text); i++ {
		if s.text[i] != '`' {
			continue
		}
		if strings.HasPrefix(s.text[i+1:], "`") {
			i++
			continue
		}
		if err := s.clean(s.pos, i); err != nil {
			return err
		}
		if i == s.pos+1 {
			return reject(s.text, s.pos, "``", "the name in backticks is empty")
		}
		s.emit(Backtick, i+1)
		return nil
	}
	return reject(s.text, s.pos, "`", "the name in backticks has no end")
}

func (s *scanner) parameter() error {
	end := s.wordEnd(s.pos + 1)
	if end == s.pos+1 {
		return reject(s.text, s.pos, "$", "a parameter's name must follow")
	}
	s.emit(Parameter, end)
	return nil
}

// number reads digits, a fraction and an exponent. What follows is a token of its
// own, also without a space: 1CREATE is a number and a word.
func (s *scanner) number() {
	digits := func(i int) int {
		for i < len(s.text) && s.text[i] >= '0' && s.text[i] <= '9' {
			i++
		}
		return i
	}
	end := digits(s.pos)
	if strings.HasPrefix(s.text[end:], ".") {
		if fraction := digits(end + 1); fraction > end+1 {
			end = fraction
		}
	}
	if end < len(s.text) && (s.text[end] == 'e' || s.text[end] == 'E') {
		start := end + 1
		if start < len(s.text) && (s.text[start] == '-' || s.text[start] == '+') {
			start++
		}
		if exponent := digits(start); exponent > start {
			end = exponent
		}
	}
	s.emit(Number, end)
}

func wordStart(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.Is(unicode.Nl, r) || unicode.Is(unicode.Pc, r)
}

func (s *scanner) wordEnd(from int) int {
	for i, r := range s.text[from:] {
		if !wordStart(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !unicode.Is(unicode.Sc, r) {
			return from + i
		}
	}
	return len(s.text)
}

// Parameters returns the tokens of the parameters that a query names, in the order
// of the text. The error is a *Rejection.
func Parameters(text string) ([]Token, error) {
	tokens, err := Scan(text)
	if err != nil {
		return nil, err
	}
	params := []Token{}
	for _, t := range tokens {
		if t.Kind == Parameter {
			params = append(params, t)
		}
	}
	return params, nil
}
