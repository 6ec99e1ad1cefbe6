package column

import "github.com/quartet-mcp/quartet/vectro/internal/engine/dates"

// parseParts reads D sep M sep YYYY with one or two digits in the first two parts.
func parseParts(s []byte, sep byte) (first, second, year int, ok bool) {
	first, i := parsePart(s, 0)
	if i == 0 || i >= len(s) || s[i] != sep {
		return 0, 0, 0, false
	}
	second, j := parsePart(s, i+1)
	if j == 0 || j >= len(s) || s[j] != sep || len(s) != j+5 {
		return 0, 0, 0, false
	}
	for _, c := range s[j+1:] {
		if c < '0' || c > '9' {
			return 0, 0, 0, false
		}
		year = year*10 + int(c-'0')
	}
	return first, second, year, true
}

// parsePart reads one or two digits at i and returns where they end, or 0.
func parsePart(s []byte, i int) (v, end int) {
	start := i
	for ; i < len(s) && i < start+2 && s[i] >= '0' && s[i] <= '9'; i++ {
		v = v*10 + int(s[i]-'0')
	}
	if i == start {
		return 0, 0
	}
	return v, i
}

// parseDotted reads DD.MM.YYYY as a day number.
func parseDotted(s []byte) (day int64, ok bool) {
	d, m, y, ok := parseParts(s, '.')
	if !ok || !dates.ValidDate(y, m, d) {
		return 0, false
	}
	return dates.FromCivil(y, m, d), true
}

// parseSlash reads a date with slashes that exists in at least one order.
func parseSlash(s []byte) (packed int64, f facts, ok bool) {
	a, b, y, ok := parseParts(s, '/')
	if !ok {
		return 0, 0, false
	}
	f = sawSlash
	if a > 12 {
		f |= sawFirst13
	}
	if b > 12 {
		f |= sawSecond13
	}
	if !dates.ValidDate(y, a, b) {
		f |= notMonthDay
	}
	if !dates.ValidDate(y, b, a) {
		f |= notDayMonth
	}
	return packSlash(a, b, y), f, f&(notMonthDay|notDayMonth) != notMonthDay|notDayMonth
}

// parseCondensed reads YYYYMMDD as a day number.
func parseCondensed(s []byte) (day int64, ok bool) {
	if len(s) != 8 {
		return 0, false
	}
	v := 0
	for _, c := range s {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = v*10 + int(c-'0')
	}
	y, m, d := v/10000, v/100%100, v%100
	if !dates.ValidDate(y, m, d) {
		return 0, false
	}
	return dates.FromCivil(y, m, d), true
}

// Days that int64 nanoseconds can hold whole.
const (
	nanoMinDay = -106_751
	nanoMaxDay = 106_750
)

// momentFacts says what m shows about its column.
func momentFacts(m dates.Moment) facts {
	var f facts
	if m.Time {
		f |= sawTime
		if m.Zone {
			f |= sawZone
		} else {
			f |= sawNoZone
		}
		if m.Nanos%1000 != 0 {
			f |= sawNanos
		}
	}
	if m.Day < nanoMinDay || m.Day > nanoMaxDay {
		f |= sawFarDay
	}
	return f
}
