package semantic

import (
	"slices"
	"time"
)

// Grain is a length of time that values are grouped by.
type Grain string

// The grains, from fine to coarse.
const (
	Hour    Grain = "hour"
	Day     Grain = "day"
	Week    Grain = "week" // from Monday on, as ISO 8601 has it
	Month   Grain = "month"
	Quarter Grain = "quarter"
	Year    Grain = "year"
)

// Grains are all grains, from fine to coarse.
var Grains = []Grain{Hour, Day, Week, Month, Quarter, Year}

// Valid says whether the grain is one of [Grains].
func (g Grain) Valid() bool { return slices.Contains(Grains, g) }

// Finer says whether g is shorter than h.
func (g Grain) Finer(h Grain) bool { return slices.Index(Grains, g) < slices.Index(Grains, h) }

// Truncate gives the start of the period that a time lies in, on the time's own clock.
func (g Grain) Truncate(t time.Time) time.Time {
	y, m, d := t.Date()
	switch g {
	case Hour:
		return time.Date(y, m, d, t.Hour(), 0, 0, 0, t.Location())
	case Week:
		d -= (int(t.Weekday()) + 6) % 7
	case Month:
		d = 1
	case Quarter:
		m, d = m-(m-1)%3, 1
	case Year:
		m, d = 1, 1
	}
	return time.Date(y, m, d, 0, 0, 0, 0, t.Location())
}

// Add moves the start of a period by a number of periods. A day that the month
// reached does not have becomes its last, as in SQL.
func (g Grain) Add(t time.Time, n int) time.Time {
	months := 0
	switch g {
	case Hour:
		return t.Add(time.Duration(n) * time.Hour)
	case Day:
		return t.AddDate(0, 0, n)
	case Week:
		return t.AddDate(0, 0, 7*n)
	case Month:
		months = n
	case Quarter:
		months = 3 * n
	case Year:
		months = 12 * n
	}
	y, m, d := t.Date()
	first := time.Date(y, m+time.Month(months), 1, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), t.Location())
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(d, last)-1)
}
