package mysql

import (
	"strconv"
	"strings"

	"github.com/pingcap/tidb/pkg/parser/charset"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// texts are two copies of a text of the same length, so that a place in one is
// the same place in the others.
type texts struct {
	// live has what the server executes: of conditional comments (/*! … */) the
	// content without its delimiters, or nothing where the version does not match.
	live string
	// bare is live without any comments, with another collation in the place of those
	// that TiDB does not know, and refuses, and of strings side by side, which are
	// one, with the first alone: TiDB's time for them grows with their square.
	bare string
}

// Live returns what the server executes of a text: the content of its conditional
// comments (/*! … */) without their delimiters, and blanks for those whose version is
// not the server's. The result has the length and the lines of the text.
func Live(d sqltree.Dialect, text string) string { return makeTexts(text, d == sqltree.MariaDB).live }

// Versions up to which the content of a conditional comment is executed. Higher
// ones are used for what should never be.
const (
	mysqlVersion   = 99998
	mariadbVersion = 999998
)

// executes tells whether the server executes the content of a conditional
// comment: /*!80000 … */ or, with m, /*M!100100 … */. MariaDB leaves out what is
// for MySQL 5.7 and later.
func executes(mariadb, m bool, version int) bool {
	switch {
	case m:
		return mariadb && version <= mariadbVersion
	case mariadb:
		return version < 50700 || version >= 100000 && version <= mariadbVersion
	}
	return version <= mysqlVersion
}

// scanner writes the copies; a nil slice is still equal to the text.
type scanner struct {
	text       string
	live, bare []byte
	mariadb    bool
	// open counts the conditional comments that are open.
	open int
	// collation is set behind COLLATE, whose name follows.
	collation bool
	// collations are those that TiDB was asked for, which is slow, and whether it
	// knows them.
	collations map[string]bool
	// literal is set behind a string.
	literal bool
}

// texts makes the copies. A string or comment without end is left to the parsers
// to complain about.
func makeTexts(text string, mariadb bool) texts {
	s := &scanner{text: text, mariadb: mariadb}
	s.scan()
	t := texts{live: text, bare: text}
	if s.live != nil {
		t.live = string(s.live)
	}
	if s.bare != nil {
		t.bare = string(s.bare)
	}
	return t
}

func (s *scanner) at(i int) byte {
	if i < len(s.text) {
		return s.text[i]
	}
	return 0
}

// blank overwrites with spaces, but for the ends of lines: in bare, and where the
// text is not executed in live too.
func (s *scanner) blank(from, to int, inLive bool) {
	for _, b := range []*[]byte{&s.bare, &s.live} {
		if b == &s.live && !inLive {
			continue
		}
		if *b == nil {
			*b = []byte(s.text)
		}
		for i := from; i < to; i++ {
			if c := (*b)[i]; c != '\n' && c != '\r' {
				(*b)[i] = ' '
			}
		}
	}
}

func (s *scanner) scan() {
	for i := 0; i < len(s.text); {
		c := s.text[i]
		switch {
		case c == '\'' || c == '"' || c == '`':
			end := quotedEnd(s.text, i)
			if c != '`' && s.literal {
				s.blank(i, end, false)
			} else {
				s.word(i, end)
			}
			s.literal = c != '`'
			i = end
		case c == '#', c == '-' && s.at(i+1) == '-' && s.at(i+2) <= ' ':
			end := len(s.text)
			if n := strings.IndexByte(s.text[i:], '\n'); n >= 0 {
				end = i + n
			}
			s.blank(i, end, false)
			i = end
		case c == '/' && s.at(i+1) == '*':
			i = s.comment(i)
		case c == '*' && s.at(i+1) == '/' && s.open > 0:
			s.open--
			s.blank(i, i+2, true)
			i += 2
		case wordByte(c):
			end := i + 1
			for end < len(s.text) && wordByte(s.text[end]) {
				end++
			}
			s.word(i, end)
			s.literal = false
			i = end
		default:
			if c > ' ' && c != '=' {
				s.collation = false
			}
			s.literal = s.literal && c <= ' '
			i++
		}
	}
}

func wordByte(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c >= 0x80
}

// word is called for words and quoted tokens.
func (s *scanner) word(from, to int) {
	if s.collation {
		s.collation = false
		const any = "utf8_bin"
		name := strings.Trim(s.text[from:to], "'\"`")
		known, asked := s.collations[name]
		if !asked {
			_, err := charset.GetCollationByName(name)
			known = err == nil
			if s.collations == nil {
				s.collations = map[string]bool{}
			}
			s.collations[name] = known
		}
		if !known && to-from >= len(any) {
			s.blank(from, to, false)
			copy(s.bare[from:], any)
		}
		return
	}
	switch word := s.text[from:to]; len(word) {
	case len("COLLATE"):
		s.collation = strings.EqualFold(word, "COLLATE")
	case len("DISTINCTROW"):
		if strings.EqualFold(word, "DISTINCTROW") { // another word for DISTINCT
			s.blank(from+len("DISTINCT"), to, true)
		}
	}
}

// quotedEnd returns the end of what is quoted from i on.
func quotedEnd[T string | []byte](text T, i int) int {
	quote := text[i]
	for i++; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && quote != '`':
			i++
		case c == quote && i+1 < len(text) && text[i+1] == quote:
			i++
		case c == quote:
			return i + 1
		}
	}
	return len(text)
}

// comment passes over a plain comment, or over the opening of a conditional one
// that is executed.
func (s *scanner) comment(start int) int {
	i := start + 2
	m := s.at(i) == 'M' && s.at(i+1) == '!'
	if m {
		i++
	}
	if s.at(i) == '!' {
		digits := i + 1
		for i = digits; i < digits+6 && s.at(i) >= '0' && s.at(i) <= '9'; i++ {
		}
		version, _ := strconv.Atoi(s.text[digits:i])
		if executes(s.mariadb, m, version) {
			s.open++
			s.blank(start, i, true)
			return i
		}
		end := s.commentEnd(i)
		s.blank(start, end, true)
		return end
	}
	end := s.commentEnd(i)
	s.blank(start, end, false)
	return end
}

func (s *scanner) commentEnd(i int) int {
	if n := strings.Index(s.text[i:], "*/"); n >= 0 {
		return i + n + 2
	}
	return i
}
