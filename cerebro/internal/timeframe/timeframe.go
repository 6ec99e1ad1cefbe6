// Package timeframe understands spans of time: those that a request states, as in
// {"last": "28 days"}, and those that a question says in words, as in "since March".
//
// Days are those of the project's time zone: times are wall clocks, given in UTC,
// and today is the day there.
package timeframe

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/quartet-mcp/quartet/cerebro/internal/semantic"
)

// Range is a span of time as a request states it: from Start on and before End,
// or the Last complete periods before today.
type Range struct {
	Start string `json:"start,omitempty" jsonschema:"first day, such as 2025-01-31"`
	End   string `json:"end,omitempty" jsonschema:"the day after the last one"`
	Last  string `json:"last,omitempty" jsonschema:"complete periods back from today, such as 28 days or 3 months"`
}

// IsZero says that nothing is stated.
func (r Range) IsZero() bool { return r == Range{} }

var last = regexp.MustCompile(`^\s*(\d+)\s*(hour|day|week|month|quarter|year)s?\s*$`)

// Resolve gives the span that a range means on a day.
func (r Range) Resolve(today time.Time) (semantic.Range, error) {
	var out semantic.Range
	if r.Last != "" {
		if r.Start != "" || r.End != "" {
			return out, fmt.Errorf("time_range has last beside start or end; give one or the other")
		}
		m := last.FindStringSubmatch(strings.ToLower(r.Last))
		if m == nil {
			return out, fmt.Errorf("time_range.last is %q; it is a number and a unit, such as \"28 days\" or \"3 months\"", r.Last)
		}
		n, err := strconv.Atoi(m[1])
		if err != nil || n < 1 || n > 10000 {
			return out, fmt.Errorf("time_range.last is %q; the number is 1 to 10000", r.Last)
		}
		g := semantic.Grain(m[2])
		end := g.Truncate(today)
		return semantic.Range{Start: g.Add(end, -n), End: end}, nil
	}
	var err error
	if out.Start, err = day("start", r.Start); err != nil {
		return out, err
	}
	if out.End, err = day("end", r.End); err != nil {
		return out, err
	}
	if !out.Start.IsZero() && !out.End.IsZero() && !out.Start.Before(out.End) {
		return out, fmt.Errorf("time_range starts at %s and ends before %s; the end is the day after the last one", r.Start, r.End)
	}
	return out, nil
}

func day(name, s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	t, _, ok := semantic.ParseTime(s)
	if !ok {
		return t, fmt.Errorf("time_range.%s is %q; it is a date such as 2025-01-31", name, s)
	}
	return t, nil
}

// Found is what a question says of time.
type Found struct {
	Range Range
	// Grain is by what the question groups, empty when it does not say.
	Grain semantic.Grain
}

var months = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}

const (
	unit  = `(hour|day|week|month|quarter|year)s?`
	month = `(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)`
)

var (
	lastN     = regexp.MustCompile(`\b(?:last|past|previous|trailing|recent)\s+(\d+|two|three|four|five|six|seven|ten|twelve)\s+` + unit + `\b`)
	lastOne   = regexp.MustCompile(`\b(?:last|past|previous)\s+` + unit + `\b`)
	thisOne   = regexp.MustCompile(`\b(?:this|current)\s+(week|month|quarter|year)\b`)
	toDate    = regexp.MustCompile(`\b(week|month|quarter|year)[- ]to[- ]date\b`)
	toDateTag = regexp.MustCompile(`\b([wmqy])td\b`)
	quarterOf = regexp.MustCompile(`\bq([1-4])(?:\s+(?:of\s+)?(\d{4}))?\b`)
	monthOf   = regexp.MustCompile(`\b(?:in|for|during|of)\s+` + month + `(?:\s+(\d{4}))?\b`)
	monthYear = regexp.MustCompile(`\b` + month + `\s+(\d{4})\b`)
	since     = regexp.MustCompile(`\bsince\s+(?:` + month + `(?:\s+(\d{4}))?|(\d{4}-\d{2}-\d{2})|(\d{4}))(?:\s|$|[,.?!])`)
	yearOf    = regexp.MustCompile(`\b(?:in|for|during|of)\s+(20\d\d|19\d\d)\b`)
	between   = regexp.MustCompile(`\b(?:from|between)\s+(\d{4}-\d{2}-\d{2})\s+(?:to|and|until|till)\s+(\d{4}-\d{2}-\d{2})\b`)
	yesterday = regexp.MustCompile(`\byesterday\b`)
	todayWord = regexp.MustCompile(`\btoday\b`)
)

var numbers = map[string]int{"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10, "twelve": 12}

// grains are the words that say by what a question groups, the first that occurs counts.
var grains = []struct {
	words *regexp.Regexp
	grain semantic.Grain
}{
	{regexp.MustCompile(`\b(hourly|(?:by|per|each|every) hour)\b`), semantic.Hour},
	{regexp.MustCompile(`\b(daily|(?:by|per|each|every) day|day by day)\b`), semantic.Day},
	{regexp.MustCompile(`\b(weekly|(?:by|per|each|every) week|week by week)\b`), semantic.Week},
	{regexp.MustCompile(`\b(monthly|(?:by|per|each|every) month|month by month|month over month)\b`), semantic.Month},
	{regexp.MustCompile(`\b(quarterly|(?:by|per|each|every) quarter)\b`), semantic.Quarter},
	{regexp.MustCompile(`\b(yearly|annually|(?:by|per|each|every) year|year over year)\b`), semantic.Year},
	{regexp.MustCompile(`\b(trend|over time|development|evolution)\b`), semantic.Day},
}

// Find reads what a question says of time. What is not sure is left out: no range
// is better than a wrong one.
func Find(question string, today time.Time) Found {
	q := strings.Join(strings.Fields(strings.ToLower(question)), " ")
	var f Found
	for _, g := range grains {
		if g.words.MatchString(q) {
			f.Grain = g.grain
			break
		}
	}
	f.Range = find(q, today)
	return f
}

func find(q string, today time.Time) Range {
	date := func(t time.Time) string { return t.Format(time.DateOnly) }
	from := func(g semantic.Grain, t time.Time) Range {
		s := g.Truncate(t)
		return Range{Start: date(s), End: date(g.Add(s, 1))}
	}
	if m := between.FindStringSubmatch(q); m != nil {
		if e, err := time.Parse(time.DateOnly, m[2]); err == nil {
			return Range{Start: m[1], End: date(e.AddDate(0, 0, 1))}
		}
	}
	if m := lastN.FindStringSubmatch(q); m != nil {
		n := numbers[m[1]]
		if n == 0 {
			n, _ = strconv.Atoi(m[1])
		}
		if n > 0 && n <= 10000 {
			return Range{Last: count(n, m[2])}
		}
		return Range{}
	}
	if m := lastOne.FindStringSubmatch(q); m != nil {
		return Range{Last: count(1, m[1])}
	}
	if m := toDate.FindStringSubmatch(q); m != nil {
		return Range{Start: date(semantic.Grain(m[1]).Truncate(today))}
	}
	if m := toDateTag.FindStringSubmatch(q); m != nil {
		g := map[string]semantic.Grain{"w": semantic.Week, "m": semantic.Month, "q": semantic.Quarter, "y": semantic.Year}[m[1]]
		return Range{Start: date(g.Truncate(today))}
	}
	if m := thisOne.FindStringSubmatch(q); m != nil {
		return Range{Start: date(semantic.Grain(m[1]).Truncate(today))}
	}
	if m := quarterOf.FindStringSubmatch(q); m != nil {
		n, _ := strconv.Atoi(m[1])
		y, given := year(m[2], today)
		start := time.Date(y, time.Month(3*n-2), 1, 0, 0, 0, 0, time.UTC)
		if !given && start.After(today) {
			start = start.AddDate(-1, 0, 0)
		}
		return from(semantic.Quarter, start)
	}
	if m := since.FindStringSubmatch(q); m != nil {
		switch {
		case m[3] != "":
			return Range{Start: m[3]}
		case m[4] != "":
			return Range{Start: m[4] + "-01-01"}
		}
		return Range{Start: date(monthStart(m[1], m[2], today))}
	}
	if m := monthYear.FindStringSubmatch(q); m != nil {
		return from(semantic.Month, monthStart(m[1], m[2], today))
	}
	if m := monthOf.FindStringSubmatch(q); m != nil {
		return from(semantic.Month, monthStart(m[1], m[2], today))
	}
	if m := yearOf.FindStringSubmatch(q); m != nil {
		y, _ := strconv.Atoi(m[1])
		return from(semantic.Year, time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC))
	}
	if yesterday.MatchString(q) {
		return Range{Last: "1 day"}
	}
	if todayWord.MatchString(q) {
		return Range{Start: date(today)}
	}
	return Range{}
}

func count(n int, unit string) string {
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d %s", n, unit)
}

func year(s string, today time.Time) (int, bool) {
	if y, err := strconv.Atoi(s); err == nil {
		return y, true
	}
	return today.Year(), false
}

// monthStart gives the first day of a month: of the year that is named, else of its latest occurrence.
func monthStart(name, y string, today time.Time) time.Time {
	m := 0
	for i, long := range months {
		if strings.HasPrefix(long, name[:3]) {
			m = i + 1
		}
	}
	at, given := year(y, today)
	start := time.Date(at, time.Month(m), 1, 0, 0, 0, 0, time.UTC)
	if !given && start.After(today) {
		start = start.AddDate(-1, 0, 0)
	}
	return start
}
