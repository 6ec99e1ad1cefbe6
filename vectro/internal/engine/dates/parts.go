package dates

import (
	"math"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
)

// ParseSpan reads what a person writes for a date: an ISO date or point in time as
// [ParseISO] does, or a month (2024-03, 2024/03) or year (2024). For those m is the
// first instant and next the day after the last; for a point next is 0.
func ParseSpan(s string) (m Moment, next int64, ok bool) {
	if len(s) != 4 && len(s) != 7 {
		m, ok = ParseISO(s)
		return m, 0, ok
	}
	year, ok := digits(s, 0, 4)
	month, last := 1, 12
	if len(s) == 7 && ok {
		month, ok = digits(s, 5, 2)
		ok = ok && (s[4] == '-' || s[4] == '/')
		last = month
	}
	if !ok || !ValidDate(year, month, 1) {
		return m, 0, false
	}
	m.Day = FromCivil(year, month, 1)
	next = FromCivil(year, last, DaysIn(year, last)) + 1
	return m, next, true
}

// Field is a part of a date that is a whole number.
type Field uint8

// The parts. Weekday counts from Monday = 1, Dow from Sunday = 0; Week and ISOYear
// are ISO 8601's; Century and Millennium begin with the years 1, 101, … and 1001, ….
// Milliseconds and Microseconds include the seconds of the minute.
const (
	Year Field = iota
	Quarter
	Month
	DayOfMonth
	Weekday
	Hour
	Minute
	Second
	Week
	DayOfYear
	Dow
	ISOYear
	Decade
	Century
	Millennium
	Milliseconds
	Microseconds
)

// InRange reports whether v, counted in u, lies in the years 0001 to 9999.
func InRange(v int64, u col.Unit) bool {
	day, _ := Split(v, u)
	return day >= MinDay && day <= MaxDay
}

// Part returns a part of a date counted in u.
func Part(f Field, v int64, u col.Unit) int64 {
	day, rest := Split(v, u)
	if f == Weekday || f == Dow {
		w := day + 3 // 1970-01-01 was a Thursday
		w -= floorDiv(w, 7) * 7
		if f == Dow {
			return (w + 1) % 7
		}
		return w + 1
	}
	switch f {
	case Hour, Minute, Second, Milliseconds, Microseconds:
		perSecond := PerDay(u) / 86_400
		if perSecond == 0 {
			return 0
		}
		secs := rest / perSecond
		switch f {
		case Hour:
			return secs / 3600
		case Minute:
			return secs / 60 % 60
		case Second:
			return secs % 60
		case Milliseconds:
			return rest % (60 * perSecond) / (perSecond / 1000)
		}
		return rest % (60 * perSecond) / (perSecond / 1_000_000)
	}
	year, month, d := Civil(day)
	switch f {
	case Year:
		return int64(year)
	case Quarter:
		return int64(month+2) / 3
	case Month:
		return int64(month)
	case DayOfMonth:
		return int64(d)
	case DayOfYear:
		return day - FromCivil(year, 1, 1) + 1
	case Decade:
		return floorDiv(int64(year), 10)
	case Century:
		return int64(year+99) / 100
	case Millennium:
		return int64(year+999) / 1000
	}
	isoYear, week := ISOWeek(day)
	if f == Week {
		return int64(week)
	}
	return int64(isoYear)
}

// ISOWeek returns the ISO 8601 year and week of a day number.
func ISOWeek(day int64) (year, week int) {
	thursday := day + 4 - Part(Weekday, day, col.Day)
	year, _, _ = Civil(thursday)
	return year, int((thursday-FromCivil(year, 1, 1))/7) + 1
}

// TruncUnit is a unit that dates are cut down to, the longest first.
type TruncUnit uint8

// The units of [Trunc].
const (
	YearUnit TruncUnit = iota
	QuarterUnit
	MonthUnit
	WeekUnit // Monday
	DayUnit
	HourUnit
	MinuteUnit
	SecondUnit
	MillisecondUnit
)

var truncNames = []string{"year", "quarter", "month", "week", "day", "hour", "minute", "second", "millisecond"}

// TruncUnits returns the names of the units of [Trunc].
func TruncUnits() []string { return truncNames }

// ParseTruncUnit returns the unit of that name.
func ParseTruncUnit(name string) (TruncUnit, bool) {
	for i, n := range truncNames {
		if n == name {
			return TruncUnit(i), true
		}
	}
	return 0, false
}

// Trunc cuts v, counted in from, down to the start of a unit and counts it in to. It
// returns false when that start lies outside the years 0001 to 9999.
func Trunc(v int64, from col.Unit, unit TruncUnit, to col.Unit) (int64, bool) {
	day, rest := Split(v, from)
	if day < MinDay || day > MaxDay {
		return 0, false
	}
	if unit > DayUnit {
		per := PerDay(from)
		var step int64
		switch unit {
		case HourUnit:
			step = per / 24
		case MinuteUnit:
			step = per / 1440
		case SecondUnit:
			step = per / 86_400
		default:
			step = per / 86_400_000
		}
		if step > 1 {
			over := rest % step
			if v < math.MinInt64+over { // the first, incomplete hour of nanoseconds
				return 0, false
			}
			v -= over
		}
		return Convert(v, from, to), true
	}
	switch unit {
	case WeekUnit:
		day -= Part(Weekday, day, col.Day) - 1
	case DayUnit:
	default:
		y, m, _ := Civil(day)
		switch unit {
		case YearUnit:
			m = 1
		case QuarterUnit:
			m -= (m - 1) % 3
		}
		day = FromCivil(y, m, 1)
	}
	return Convert(day, col.Day, to), day >= MinDay
}

// AddDays returns v, counted in u, n days later; false outside the years 0001 to
// 9999 or beyond what u can hold.
func AddDays(v int64, u col.Unit, n int64) (int64, bool) {
	day, rest := Split(v, u)
	if n < MinDay-MaxDay || n > MaxDay-MinDay {
		return 0, false
	}
	return join(day+n, rest, u)
}

// AddMonths returns v, counted in u, n calendar months later; a day that the month
// does not have becomes its last. False as for [AddDays].
func AddMonths(v int64, u col.Unit, n int64) (int64, bool) {
	day, rest := Split(v, u)
	if n < -120_000 || n > 120_000 || day < MinDay || day > MaxDay {
		return 0, false
	}
	y, m, d := Civil(day)
	months := int64(y)*12 + int64(m) - 1 + n
	year := floorDiv(months, 12)
	if year < 1 || year > 9999 {
		return 0, false
	}
	month := int(months-year*12) + 1
	return join(FromCivil(int(year), month, min(d, DaysIn(int(year), month))), rest, u)
}

// AddMicros returns v, counted in microseconds or nanoseconds, n microseconds
// later; false as for [AddDays].
func AddMicros(v int64, u col.Unit, n int64) (int64, bool) {
	day, rest := Split(v, u)
	days := floorDiv(n, MicrosPerDay)
	n -= days * MicrosPerDay
	if u == col.Nano {
		n *= 1000
	}
	rest += n
	carry := floorDiv(rest, PerDay(u))
	return join(day+days+carry, rest-carry*PerDay(u), u)
}

func join(day, rest int64, u col.Unit) (int64, bool) {
	if day < MinDay || day > MaxDay {
		return 0, false
	}
	per := PerDay(u)
	if day < 0 { // so that the product below is nearer to 0 than the sum
		day, rest = day+1, rest-per
	}
	v := Convert(day, col.Day, u)
	if u == col.Nano && (v == math.MaxInt64 || v == math.MinInt64 || rest > 0 && v > math.MaxInt64-rest || rest < 0 && v < math.MinInt64-rest) {
		return 0, false // too far away for nanoseconds
	}
	return v + rest, true
}

var diffNames = []string{"years", "quarters", "months", "weeks", "days", "hours", "minutes", "seconds", "milliseconds", "microseconds"}

// DiffUnits returns the names of the units of [Diff].
func DiffUnits() []string { return diffNames }

// unitMicros is the length of the units from weeks on.
var unitMicros = map[string]int64{
	"weeks": 7 * MicrosPerDay, "days": MicrosPerDay, "hours": MicrosPerDay / 24, "minutes": 60 * MicrosPerSecond,
	"seconds": MicrosPerSecond, "milliseconds": 1000, "microseconds": 1,
}

// DiffBounds returns the least and greatest result of [Diff] in that unit.
func DiffBounds(unit string) (lo, hi int64) {
	hi = 120_000 // months in 9,999 years, and a little
	if m := unitMicros[unit]; m != 0 {
		hi = (MaxDay - MinDay + 1) * (MicrosPerDay / m)
		if unit == "weeks" {
			hi = MaxDay - MinDay
		}
	}
	return -hi, hi
}

// Diff returns a minus b, both counted in u, in whole units of one of [DiffUnits],
// cut toward zero: a month is whole when the day and time of day of the earlier
// date are reached. It returns false outside the years 0001 to 9999.
func Diff(a, b int64, u col.Unit, unit string) (int64, bool) {
	if !InRange(a, u) || !InRange(b, u) {
		return 0, false
	}
	if m := unitMicros[unit]; m != 0 {
		da, ra := Split(a, u)
		db, rb := Split(b, u)
		switch u {
		case col.Day:
			return (da - db) * MicrosPerDay / m, true
		case col.Micro:
			return ((da-db)*MicrosPerDay + ra - rb) / m, true
		}
		// Whole microseconds between, cut toward zero, from the exact nanoseconds.
		days, nanos := da-db, ra-rb
		if days > 0 && nanos < 0 {
			days, nanos = days-1, nanos+NanosPerDay
		}
		if days < 0 && nanos > 0 {
			days, nanos = days+1, nanos-NanosPerDay
		}
		return (days*MicrosPerDay + nanos/1000) / m, true
	}
	sign := int64(1)
	if a < b {
		a, b, sign = b, a, -1
	}
	da, ra := Split(a, u)
	db, rb := Split(b, u)
	ya, ma, dayA := Civil(da)
	yb, mb, dayB := Civil(db)
	months := int64(ya-yb)*12 + int64(ma-mb)
	if dayA < dayB || dayA == dayB && ra < rb {
		months--
	}
	switch unit {
	case "years":
		months /= 12
	case "quarters":
		months /= 3
	}
	return sign * months, true
}
