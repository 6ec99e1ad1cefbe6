// Package dates converts between calendar dates and the numbers that columns
// store: days, microseconds or nanoseconds since 1970-01-01T00:00:00 UTC in the
// proleptic Gregorian calendar, years 0001 to 9999.
package dates

import (
	"math"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
)

// Units per day and per second.
const (
	MicrosPerDay    = 86_400_000_000
	NanosPerDay     = 86_400_000_000_000
	MicrosPerSecond = 1_000_000
	NanosPerSecond  = 1_000_000_000
)

// MinDay and MaxDay are 0001-01-01 and 9999-12-31.
const (
	MinDay = -719_162
	MaxDay = 2_932_896
)

// PerDay returns how many of unit make a day.
func PerDay(u col.Unit) int64 {
	switch u {
	case col.Micro:
		return MicrosPerDay
	case col.Nano:
		return NanosPerDay
	}
	return 1
}

// FromCivil returns the day number of a calendar date. Month and day may be out
// of their ranges by any amount of days, months must be 1 to 12.
// The arithmetic on 400-year eras is Howard Hinnant's "days_from_civil".
func FromCivil(year, month, day int) int64 {
	y := int64(year)
	if month <= 2 {
		y--
	}
	era := floorDiv(y, 400)
	yoe := y - era*400
	m := int64(month)
	if m > 2 {
		m -= 3
	} else {
		m += 9
	}
	doy := (153*m+2)/5 + int64(day) - 1
	doe := yoe*365 + yoe/4 - yoe/100 + doy
	return era*146_097 + doe - 719_468
}

// Civil returns the calendar date of a day number ("civil_from_days").
func Civil(days int64) (year, month, day int) {
	z := days + 719_468
	era := floorDiv(z, 146_097)
	doe := z - era*146_097
	yoe := (doe - doe/1460 + doe/36_524 - doe/146_096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	day = int(doy - (153*mp+2)/5 + 1)
	month = int(mp + 3)
	if month > 12 {
		month -= 12
	}
	year = int(yoe + era*400)
	if month <= 2 {
		year++
	}
	return year, month, day
}

// DaysIn returns the number of days of a month.
func DaysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// Split cuts a value of unit u into its day number and the part of the day, in u.
func Split(v int64, u col.Unit) (day, rest int64) {
	per := PerDay(u)
	day = floorDiv(v, per)
	return day, v - day*per
}

// Convert changes the unit of v. Finer to coarser rounds down; a day or a
// microsecond too far away for nanoseconds becomes the nearest int64.
func Convert(v int64, from, to col.Unit) int64 {
	if from == to {
		return v
	}
	a, b := PerDay(from), PerDay(to)
	if a > b {
		return floorDiv(v, a/b)
	}
	f := b / a
	if v > math.MaxInt64/f {
		return math.MaxInt64
	}
	if v < math.MinInt64/f {
		return math.MinInt64
	}
	return v * f
}

// Moment is a parsed date or point in time.
type Moment struct {
	Day   int64 // day number, UTC when Zone is set
	Nanos int64 // nanoseconds into the day
	Time  bool  // a time of day was given
	Zone  bool  // a zone or offset was given; Day and Nanos are in UTC
}

// Unit returns the coarsest unit that holds m exactly.
func (m Moment) Unit() col.Unit {
	switch {
	case !m.Time:
		return col.Day
	case m.Nanos%1000 == 0:
		return col.Micro
	}
	return col.Nano
}

// In returns m counted in unit u, rounded down; as [Convert] for far values.
func (m Moment) In(u col.Unit) int64 {
	switch u {
	case col.Day:
		return m.Day
	case col.Micro:
		return m.Day*MicrosPerDay + floorDiv(m.Nanos, 1000)
	}
	if m.Day > math.MaxInt64/NanosPerDay-1 {
		return math.MaxInt64
	}
	if m.Day < math.MinInt64/NanosPerDay+1 {
		return math.MinInt64
	}
	return m.Day*NanosPerDay + m.Nanos
}

// ParseISO reads an ISO 8601 calendar date with an optional time: YYYY-MM-DD or
// YYYY/MM/DD, then T or one space, hh:mm or hh:mm:ss with up to nine fraction
// digits after '.' or ',', then nothing, Z, ±hh, ±hhmm or ±hh:mm. 24:00:00 is the
// next midnight; a leap second :60 counts as the following second. The whole
// text must match; years run from 0001 to 9999.
func ParseISO[T ~string | ~[]byte](s T) (Moment, bool) {
	var m Moment
	if len(s) < 10 {
		return m, false
	}
	y, ok1 := digits(s, 0, 4)
	mo, ok2 := digits(s, 5, 2)
	d, ok3 := digits(s, 8, 2)
	sep := s[4]
	if !ok1 || !ok2 || !ok3 || (sep != '-' && sep != '/') || s[7] != sep {
		return m, false
	}
	if !ValidDate(y, mo, d) {
		return m, false
	}
	m.Day = FromCivil(y, mo, d)
	if len(s) == 10 {
		return m, true
	}
	if s[10] != 'T' && s[10] != 't' && s[10] != ' ' {
		return m, false
	}
	return parseTime(s, 11, m)
}

func parseTime[T ~string | ~[]byte](s T, i int, m Moment) (Moment, bool) {
	h, ok1 := digits(s, i, 2)
	mi, ok2 := digits(s, i+3, 2)
	if !ok1 || !ok2 || s[i+2] != ':' || h > 24 || mi > 59 {
		return m, false
	}
	i += 5
	sec, frac := 0, int64(0)
	if i < len(s) && s[i] == ':' {
		var ok bool
		if sec, ok = digits(s, i+1, 2); !ok || sec > 60 {
			return m, false
		}
		i += 3
		if i < len(s) && (s[i] == '.' || s[i] == ',') {
			i++
			start, scale := i, int64(NanosPerSecond)
			for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
				if i-start == 9 {
					return m, false
				}
				scale /= 10
				frac += int64(s[i]-'0') * scale
			}
			if i == start {
				return m, false
			}
		}
	}
	if h == 24 && (mi != 0 || sec != 0 || frac != 0) {
		return m, false
	}
	m.Time = true
	nanos := (int64(h)*3600+int64(mi)*60+int64(sec))*NanosPerSecond + frac
	if i < len(s) {
		off, ok := parseOffset(s, i)
		if !ok {
			return m, false
		}
		m.Zone = true
		nanos -= int64(off) * NanosPerSecond
	}
	carry := floorDiv(nanos, NanosPerDay)
	m.Day += carry
	m.Nanos = nanos - carry*NanosPerDay
	return m, m.Day >= MinDay && m.Day <= MaxDay
}

// parseOffset reads Z, ±hh, ±hhmm or ±hh:mm to the end of s, in seconds.
func parseOffset[T ~string | ~[]byte](s T, i int) (seconds int, ok bool) {
	rest := len(s) - i
	if s[i] == 'Z' || s[i] == 'z' {
		return 0, rest == 1
	}
	sign := 1
	switch s[i] {
	case '+':
	case '-':
		sign = -1
	default:
		return 0, false
	}
	h, ok1 := digits(s, i+1, 2)
	m, ok2 := 0, true
	switch rest {
	case 3:
	case 5:
		m, ok2 = digits(s, i+3, 2)
	case 6:
		m, ok2 = digits(s, i+4, 2)
		ok2 = ok2 && s[i+3] == ':'
	default:
		return 0, false
	}
	return sign * (h*3600 + m*60), ok1 && ok2 && h <= 18 && m <= 59
}

// ValidDate reports whether the calendar has that date, years 1 to 9999.
func ValidDate(year, month, day int) bool {
	return year >= 1 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= DaysIn(year, month)
}

// digits reads exactly n decimal digits at i.
func digits[T ~string | ~[]byte](s T, i, n int) (int, bool) {
	if i+n > len(s) {
		return 0, false
	}
	v := 0
	for _, c := range []byte(s[i : i+n]) {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = v*10 + int(c-'0')
	}
	return v, true
}

// Append writes v as ISO text: the date alone when wholeDays is set, else date,
// T, time, fraction digits only if needed (3, 6 or 9), and Z when zone is set.
func Append(dst []byte, v int64, u col.Unit, wholeDays, zone bool) []byte {
	day, rest := Split(v, u)
	y, m, d := Civil(day)
	if y < 0 {
		dst, y = append(dst, '-'), -y
	}
	dst = pad(dst, int64(y), 4)
	dst = pad(append(dst, '-'), int64(m), 2)
	dst = pad(append(dst, '-'), int64(d), 2)
	if wholeDays {
		return dst
	}
	nanos := rest
	if u == col.Micro {
		nanos *= 1000
	}
	secs, frac := nanos/NanosPerSecond, nanos%NanosPerSecond
	dst = pad(append(dst, 'T'), secs/3600, 2)
	dst = pad(append(dst, ':'), secs/60%60, 2)
	dst = pad(append(dst, ':'), secs%60, 2)
	switch {
	case frac == 0:
	case frac%1_000_000 == 0:
		dst = pad(append(dst, '.'), frac/1_000_000, 3)
	case frac%1000 == 0:
		dst = pad(append(dst, '.'), frac/1000, 6)
	default:
		dst = pad(append(dst, '.'), frac, 9)
	}
	if zone {
		dst = append(dst, 'Z')
	}
	return dst
}

// pad writes n ≥ 0 with at least width digits.
func pad(dst []byte, n int64, width int) []byte {
	var b [20]byte
	i := len(b)
	for ; n > 0 || width > 0; width-- {
		i--
		b[i] = byte('0' + n%10)
		n /= 10
	}
	return append(dst, b[i:]...)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
