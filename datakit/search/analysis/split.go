// Package analysis turns text and identifiers into the words that search and
// word vectors compare: it splits snake_case, camelCase, HTTPServer, order-id,
// schema.table and address2, folds case and accents, knows which words carry no
// meaning, and reduces words to stems. It is the one home of these rules, so
// that a question and a column name always break at the same places.
//
// The package holds no state, ranks nothing and is safe for concurrent use.
package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// MaxTokenBytes is the length at which the text of a [Token] is cut. Longer
// runs are encoded data rather than words; cutting them bounds every index
// that is built from tokens.
const MaxTokenBytes = 64

// A Token is one word of a text.
type Token struct {
	// Text is the word in lower case without accents, letters and digits only,
	// never empty, at most [MaxTokenBytes] long.
	Text string
	// Start and End are byte offsets into the text that was split.
	Start, End int
	// Joined marks the whole of an identifier whose parts precede it:
	// "order_id" gives order, id and then the joined orderid, so that both
	// spellings find each other.
	Joined bool
}

// Split returns the words of text in order. Words end at everything that is
// neither a letter nor a digit, between letters and digits, and at the humps of
// camelCase; a run of capitals is one word ("HTTPServer" is http, server) and
// keeps a plural s ("userIDs" is user, ids). Parts of one identifier (separated
// by a hump, a digit, "_" or "-") are followed by a joined token. Apostrophes
// within a word are left out. Invalid UTF-8 and control characters separate
// words; text without a letter or digit gives nil.
func Split(text string) []Token {
	s := splitter{text: text}
	s.run()
	if len(s.tokens) == 0 {
		return nil
	}
	return s.tokens
}

// Terms returns the tokens of text without stop words; when every word is a
// stop word, all are kept.
func Terms(text string) []Token {
	all := Split(text)
	kept := make([]Token, 0, len(all))
	words := 0
	for _, t := range all {
		if t.Joined {
			kept = append(kept, t)
			continue
		}
		if !IsStopWord(t.Text) {
			kept = append(kept, t)
			words++
		}
	}
	if words == 0 {
		return all
	}
	return kept
}

// Words returns the text of the words of text, stop words included and joined
// tokens left out.
func Words(text string) []string {
	tokens := Split(text)
	words := make([]string, 0, len(tokens))
	for _, t := range tokens {
		if !t.Joined {
			words = append(words, t.Text)
		}
	}
	return words
}

// The kinds of rune that decide where words end.
type kind uint8

const (
	separator kind = iota
	connector      // "_" and "-": separates words, keeps the identifier together
	apostrophe
	mark // combining: belongs to the letter before it
	digit
	lower // letters without case count as lower
	upper
)

// asciiKinds spares the common case every decision.
var asciiKinds = func() (kinds [utf8.RuneSelf]kind) {
	for c := range kinds {
		switch {
		case 'a' <= c && c <= 'z':
			kinds[c] = lower
		case 'A' <= c && c <= 'Z':
			kinds[c] = upper
		case '0' <= c && c <= '9':
			kinds[c] = digit
		case c == '_' || c == '-':
			kinds[c] = connector
		case c == '\'':
			kinds[c] = apostrophe
		}
	}
	return kinds
}()

func kindOf(r rune) kind {
	switch {
	case r < utf8.RuneSelf:
		return asciiKinds[r]
	case r == '’':
		return apostrophe
	case r == utf8.RuneError:
		return separator
	case unicode.IsUpper(r) || unicode.IsTitle(r):
		return upper
	case unicode.IsLetter(r):
		return lower
	case unicode.IsDigit(r):
		return digit
	case unicode.Is(unicode.Mn, r):
		return mark
	}
	return separator
}

// maxParts bounds the words of one joined token: longer runs are sentences
// written with hyphens or dashed lines, not names.
const maxParts = 8

type splitter struct {
	text   string
	tokens []Token

	start int  // of the current word, valid when last is not separator
	last  kind // of the current word's last letter, digit or apostrophe; separator between words

	first   int // index of the current identifier's first token
	idStart int // byte offset where the identifier begins
}

func (s *splitter) run() {
	s.tokens = make([]Token, 0, len(s.text)/6+1)
	for i := 0; i < len(s.text); {
		r, size := rune(s.text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s.text[i:])
		}
		switch k := kindOf(r); k {
		case separator:
			s.endWord(i)
			s.endIdentifier()
		case connector:
			s.endWord(i)
		case mark:
			// A mark on nothing is noise; within a word it goes with its letter.
		case apostrophe:
			next, _ := utf8.DecodeRuneInString(s.text[i+size:])
			if (s.last != lower && s.last != upper) || (kindOf(next) != lower && kindOf(next) != upper) {
				s.endWord(i)
				s.endIdentifier()
				break
			}
			s.last = apostrophe
		default:
			if s.last != separator && s.breaksBefore(k, i+size) {
				s.endWord(i)
			}
			if s.last == separator {
				s.start = i
				if s.first == len(s.tokens) {
					s.idStart = i
				}
			}
			s.last = k
		}
		i += size
	}
	s.endWord(len(s.text))
	s.endIdentifier()
}

// breaksBefore reports whether a letter or digit of kind k begins a new word
// after the current one; rest is the offset of the text behind it.
func (s *splitter) breaksBefore(k kind, rest int) bool {
	if s.last == apostrophe {
		return false
	}
	if (s.last == digit) != (k == digit) {
		return true
	}
	if k != upper {
		return false
	}
	if s.last == lower {
		return true
	}
	// Within capitals the last one begins a word when a small letter follows
	// (HTTP|Server), unless that letter is the plural of the capitals (IDs).
	next, size := utf8.DecodeRuneInString(s.text[rest:])
	if size == 0 || kindOf(next) != lower {
		return false
	}
	if next == 's' {
		after, size := utf8.DecodeRuneInString(s.text[rest+size:])
		if size == 0 || kindOf(after) != lower {
			return false
		}
	}
	return true
}

func (s *splitter) endWord(end int) {
	if s.last == separator {
		return
	}
	s.last = separator
	// "ﷺ" and its like fold into thousands of bytes per rune at worst; cutting
	// before folding as well keeps the work in proportion to the text.
	if word := cut(Fold(cut(s.text[s.start:end], 4*MaxTokenBytes)), MaxTokenBytes); word != "" {
		s.tokens = append(s.tokens, Token{Text: word, Start: s.start, End: end})
	}
}

func (s *splitter) endIdentifier() {
	parts := s.tokens[s.first:]
	if len(parts) > 1 && len(parts) <= maxParts {
		var b strings.Builder
		for _, p := range parts {
			b.WriteString(p.Text)
		}
		s.tokens = append(s.tokens, Token{
			Text:   cut(b.String(), MaxTokenBytes),
			Start:  s.idStart,
			End:    parts[len(parts)-1].End,
			Joined: true,
		})
	}
	s.first = len(s.tokens)
}

// cut shortens s to at most n bytes without splitting a rune.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// Fold returns s in lower case with accents removed and compatibility forms
// (ligatures, full-width letters and digits) spelled plainly. What is then
// neither letter nor digit is left out.
func Fold(s string) string {
	plain := true
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9') {
			plain = false
			break
		}
	}
	if plain {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	ascii := true
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			b.WriteByte(c)
		case 'A' <= c && c <= 'Z':
			b.WriteByte(c + 'a' - 'A')
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	if ascii {
		return b.String()
	}
	b.Reset()
	for _, r := range norm.NFKD.String(s) {
		r = unicode.ToLower(r)
		if spelled, ok := spellings[r]; ok {
			b.WriteString(spelled)
			continue
		}
		if (unicode.IsLetter(r) || unicode.IsDigit(r)) && r != utf8.RuneError {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// spellings are the letters that Unicode does not decompose although they are
// written without their stroke where keyboards lack them.
var spellings = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'đ': "d", 'ð': "d", 'ħ': "h", 'ı': "i", 'ł': "l", 'þ': "th", 'ŧ': "t",
}
