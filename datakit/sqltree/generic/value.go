package generic

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// stringValue takes prefix, quotes and escapes off a string token.
func (p *parser) stringValue(s string) string {
	i := 0
	raw, escapes := false, p.backslash
	if len(s) > 2 && s[0]|0x20 == 'u' && s[1] == '&' {
		return unicodeEscapes(s)
	}
	for i < len(s) && s[i] != '\'' && s[i] != '"' && s[i] != '$' {
		switch s[i] | 0x20 {
		case 'r':
			raw = true
		case 'e':
			escapes = true
		}
		i++
	}
	if i >= len(s) {
		return s
	}
	if s[i] == '$' {
		n := i + 1 + strings.IndexByte(s[i+1:], '$') + 1
		return s[n : len(s)-(n-i)]
	}
	s = s[i:]
	q := s[0]
	if p.tripleString && len(s) >= 6 && s[1] == q && s[2] == q {
		s = s[3 : len(s)-3]
	} else {
		s = s[1 : len(s)-1]
		if strings.IndexByte(s, q) >= 0 {
			s = strings.ReplaceAll(s, string([]byte{q, q}), string([]byte{q}))
		}
	}
	if escapes && !raw && strings.IndexByte(s, '\\') >= 0 {
		s = p.unescape(s)
	}
	return s
}

// unicodeEscapes takes the quotes off U&'…' and U&"…", which may have a UESCAPE
// 'c' behind them.
func unicodeEscapes(s string) string {
	escape := byte('\\')
	q := s[2]
	end := strings.LastIndexByte(s, q)
	if q == '\'' && len(s) > 4 && s[end-2] == '\'' && strings.Contains(strings.ToUpper(s), "UESCAPE") {
		escape = s[end-1]
		end = strings.LastIndexByte(s[:end-2], q)
	} else if rest := s[end+1:]; len(rest) >= 3 {
		escape = rest[len(rest)-2]
	}
	s = strings.ReplaceAll(s[3:max(end, 3)], string([]byte{q, q}), string([]byte{q}))
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != escape || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		from, digits := i+1, 4
		if s[from] == '+' {
			from, digits = from+1, 6
		}
		if from+digits <= len(s) {
			if v, err := strconv.ParseUint(s[from:from+digits], 16, 32); err == nil && utf8.ValidRune(rune(v)) {
				b.WriteRune(rune(v))
				i = from + digits - 1
				continue
			}
		}
		if s[i+1] == escape {
			i++
		}
		b.WriteByte(escape)
	}
	return b.String()
}

// unescape replaces backslash escapes; one that is not known stands for the
// character behind the backslash.
func (p *parser) unescape(s string) string {
	mysql := p.d == sqltree.MySQL || p.d == sqltree.MariaDB
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		c := s[i]
		if mysql && strings.IndexByte("fxuU", c) >= 0 {
			b.WriteByte(c) // no escapes there
			continue
		}
		switch c {
		case 'Z':
			if mysql {
				c = 0x1a
			}
			b.WriteByte(c)
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'b':
			b.WriteByte('\b')
		case 'f':
			b.WriteByte('\f')
		case '0':
			b.WriteByte(0)
		case 'x', 'u', 'U':
			digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
			if i+1+digits <= len(s) {
				v, err := strconv.ParseUint(s[i+1:i+1+digits], 16, 32)
				if err == nil && (v < 0x80 || c != 'x' && utf8.ValidRune(rune(v))) {
					b.WriteRune(rune(v))
					i += digits
					continue
				}
			}
			b.WriteByte(c)
		case '%', '_':
			// They keep the backslash: it is the pattern's.
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
