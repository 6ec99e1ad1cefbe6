package dates

import (
	"slices"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
)

// PatternNames lists, for messages, what [AppendPattern] understands.
const PatternNames = "YYYY YY Q MM Month Mon DD DDD Day Dy D ID IYYY IW WW HH24 HH12 HH MI SS MS US AM PM FM and text in double quotes"

// patterns are the tokens of to_char, longer before their prefixes.
var patterns = []string{
	"YYYY", "YY", "Q", "MM", "MONTH", "Month", "month", "MON", "Mon", "mon", "DDD", "DD", "DAY", "Day", "day", "DY", "Dy", "dy", "D",
	"IYYY", "IW", "ID", "WW", "HH24", "HH12", "HH", "MI", "SS", "MS", "US", "AM", "PM", "am", "pm", "FM",
}

var (
	monthNames = []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
	dayNames   = []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}
)

// nextPattern returns the token at the start of p, or literal text and its length.
func nextPattern(p string) (token, literal string, n int) {
	if p[0] == '"' {
		if end := strings.IndexByte(p[1:], '"'); end >= 0 {
			return "", p[1 : 1+end], end + 2
		}
	}
	for _, t := range patterns {
		if strings.HasPrefix(p, t) {
			return t, "", len(t)
		}
	}
	// Numeric tokens are the same in either case.
	for _, t := range patterns {
		if len(p) >= len(t) && strings.EqualFold(p[:len(t)], t) && strings.ToUpper(t) == t {
			return t, "", len(t)
		}
	}
	return "", p[:1], 1
}

// CheckPattern reports whether every letter of a to_char pattern belongs to a token
// or to quoted text (a T between date and time is allowed); if not, bad is where it
// goes wrong.
func CheckPattern(p string) (bad string, ok bool) {
	for len(p) > 0 {
		token, literal, n := nextPattern(p)
		c := p[0]
		if token == "" && n == 1 && literal != "T" && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') {
			return p, false
		}
		p = p[n:]
	}
	return "", true
}

// AppendPattern writes v, counted in u, after a pattern of PostgreSQL's to_char that
// [CheckPattern] accepts. As there, names are padded with blanks to nine letters
// unless FM stands before them.
func AppendPattern(dst []byte, v int64, u col.Unit, p string) []byte {
	day, _ := Split(v, u)
	y, m, d := Civil(day)
	part := func(f Field) int64 { return Part(f, v, u) }
	fill := true
	number := func(n int64, width int) {
		s := strconv.FormatInt(n, 10)
		if fill {
			for i := len(s); i < width; i++ {
				dst = append(dst, '0')
			}
		}
		dst = append(dst, s...)
	}
	name := func(token, s string, short bool) {
		if short {
			s = s[:3]
		}
		switch {
		case token == strings.ToUpper(token):
			s = strings.ToUpper(s)
		case token == strings.ToLower(token):
			s = strings.ToLower(s)
		}
		dst = append(dst, s...)
		if fill && !short {
			for i := len(s); i < 9; i++ {
				dst = append(dst, ' ')
			}
		}
	}
	for len(p) > 0 {
		token, literal, n := nextPattern(p)
		p = p[n:]
		if token == "FM" {
			fill = false
			continue
		}
		switch token {
		case "":
			dst = append(dst, literal...)
		case "YYYY":
			number(int64(y), 4)
		case "YY":
			number(int64(y%100), 2)
		case "Q":
			number(part(Quarter), 1)
		case "MM":
			number(int64(m), 2)
		case "MONTH", "Month", "month":
			name(token, monthNames[m-1], false)
		case "MON", "Mon", "mon":
			name(token, monthNames[m-1], true)
		case "DDD":
			number(part(DayOfYear), 3)
		case "DD":
			number(int64(d), 2)
		case "DAY", "Day", "day":
			name(token, dayNames[part(Weekday)-1], false)
		case "DY", "Dy", "dy":
			name(token, dayNames[part(Weekday)-1], true)
		case "D":
			number(part(Dow)+1, 1)
		case "ID":
			number(part(Weekday), 1)
		case "IYYY":
			number(part(ISOYear), 4)
		case "IW":
			number(part(Week), 2)
		case "WW":
			number((part(DayOfYear)-1)/7+1, 2)
		case "HH24":
			number(part(Hour), 2)
		case "HH12", "HH":
			number((part(Hour)+11)%12+1, 2)
		case "MI":
			number(part(Minute), 2)
		case "SS":
			number(part(Second), 2)
		case "MS":
			number(part(Milliseconds)%1000, 3)
		case "US":
			number(part(Microseconds)%1_000_000, 6)
		default: // AM, PM, am, pm
			s := "AM"
			if part(Hour) >= 12 {
				s = "PM"
			}
			if token == strings.ToLower(token) {
				s = strings.ToLower(s)
			}
			dst = append(dst, s...)
		}
		fill = true
	}
	return dst
}

// unparsable are the tokens that [ParsePattern] does not read: they do not make a date.
var unparsable = []string{"Q", "D", "ID", "IYYY", "IW", "WW"}

// CheckParsePattern is [CheckPattern] for patterns that are to be read by
// [ParsePattern].
func CheckParsePattern(p string) (bad string, ok bool) {
	if bad, ok := CheckPattern(p); !ok {
		return bad, false
	}
	for len(p) > 0 {
		token, _, n := nextPattern(p)
		if slices.Contains(unparsable, token) {
			return token, false
		}
		p = p[n:]
	}
	return "", true
}

// reader takes the parts of a date off the front of a text.
type reader struct {
	s    string
	fail bool
}

// number reads up to width digits, at least one.
func (r *reader) number(width int) int {
	n, i := 0, 0
	for ; i < min(width, len(r.s)) && r.s[i] >= '0' && r.s[i] <= '9'; i++ {
		n = n*10 + int(r.s[i]-'0')
	}
	r.fail = r.fail || i == 0
	r.s = r.s[i:]
	return n
}

// name reads one of names, cut to its first letters, and returns its position.
func (r *reader) name(names []string, letters int) int {
	for i, n := range names {
		n = n[:min(letters, len(n))]
		if len(r.s) >= len(n) && strings.EqualFold(r.s[:len(n)], n) {
			r.s = r.s[len(n):]
			return i
		}
	}
	r.fail = true
	return 0
}

func (r *reader) blanks() { r.s = strings.TrimLeft(r.s, " ") }

// literal reads text that stands for itself; a blank stands for any number of them.
func (r *reader) literal(t string) {
	if t == " " {
		r.blanks()
		return
	}
	rest, ok := strings.CutPrefix(r.s, t)
	r.s, r.fail = rest, r.fail || !ok
}

// ParsePattern reads s after a pattern that [CheckParsePattern] accepts, as
// PostgreSQL's to_date and to_timestamp do: numbers of up to the token's width,
// names in any case, other characters for themselves. The whole text must match.
// Parts that the pattern lacks are those of 0001-01-01T00:00:00; years of two digits
// are those from 1970 to 2069.
func ParsePattern(s, p string) (m Moment, ok bool) {
	r := reader{s: strings.TrimSpace(s)}
	year, month, day, dayOfYear := 1, 1, 1, 0
	hour, minute, second, nanos := 0, 0, 0, 0
	twelve, half := false, 0 // a clock of 12 hours, and its half
	for len(p) > 0 && !r.fail {
		token, literal, n := nextPattern(p)
		p = p[n:]
		switch token {
		case "":
			r.literal(literal)
		case "YYYY":
			year = r.number(4)
		case "YY":
			if year = r.number(2) + 1900; year < 1970 {
				year += 100
			}
		case "MM":
			month = r.number(2)
		case "MONTH", "Month", "month":
			month = r.name(monthNames, 9) + 1
			r.blanks()
		case "MON", "Mon", "mon":
			month = r.name(monthNames, 3) + 1
		case "DD":
			day = r.number(2)
		case "DDD":
			dayOfYear = r.number(3)
		case "DAY", "Day", "day":
			r.name(dayNames, 9)
			r.blanks()
		case "DY", "Dy", "dy":
			r.name(dayNames, 3)
		case "HH24":
			hour = r.number(2)
		case "HH12", "HH":
			hour, twelve = r.number(2), true
		case "MI":
			minute = r.number(2)
		case "SS":
			second = r.number(2)
		case "MS", "US":
			before := len(r.s)
			nanos = r.number(map[string]int{"MS": 3, "US": 6}[token])
			for digits := before - len(r.s); digits < 9; digits++ {
				nanos *= 10
			}
		case "AM", "PM", "am", "pm":
			half = r.name([]string{"AM", "PM"}, 2)
		}
	}
	if r.fail || r.s != "" || !ValidDate(year, month, day) || minute > 59 || second > 59 {
		return m, false
	}
	if twelve {
		if hour < 1 || hour > 12 {
			return m, false
		}
		hour = hour%12 + 12*half
	}
	m.Day = FromCivil(year, month, day)
	if dayOfYear > 0 {
		m.Day = FromCivil(year, 1, 1) + int64(dayOfYear) - 1
		if y, _, _ := Civil(m.Day); y != year {
			return m, false
		}
	}
	m.Nanos = (int64(hour)*3600+int64(minute)*60+int64(second))*NanosPerSecond + int64(nanos)
	m.Time = m.Nanos != 0
	return m, hour < 24
}
