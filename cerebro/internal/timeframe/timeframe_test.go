package timeframe_test

import (
	"strings"
	"testing"
	"time"

	"github.com/quartet-mcp/quartet/cerebro/internal/semantic"
	"github.com/quartet-mcp/quartet/cerebro/internal/timeframe"
)

var today = time.Date(2025, 11, 19, 0, 0, 0, 0, time.UTC) // a Wednesday

func TestFind(t *testing.T) {
	for q, want := range map[string]timeframe.Found{
		"revenue":                                   {},
		"revenue last week":                         {Range: timeframe.Range{Last: "1 week"}},
		"how was the last one":                      {},
		"Orders of the LAST  30 days":               {Range: timeframe.Range{Last: "30 days"}},
		"past three months by region":               {Range: timeframe.Range{Last: "3 months"}},
		"orders this month":                         {Range: timeframe.Range{Start: "2025-11-01"}},
		"year to date revenue":                      {Range: timeframe.Range{Start: "2025-01-01"}},
		"revenue ytd":                               {Range: timeframe.Range{Start: "2025-01-01"}},
		"revenue in Q3 2025":                        {Range: timeframe.Range{Start: "2025-07-01", End: "2025-10-01"}},
		"revenue in q4":                             {Range: timeframe.Range{Start: "2025-10-01", End: "2026-01-01"}},
		"churn since March":                         {Range: timeframe.Range{Start: "2025-03-01"}},
		"churn since December":                      {Range: timeframe.Range{Start: "2024-12-01"}},
		"churn since 2024":                          {Range: timeframe.Range{Start: "2024-01-01"}},
		"orders in may":                             {Range: timeframe.Range{Start: "2025-05-01", End: "2025-06-01"}},
		"may I see the orders":                      {},
		"orders for February 2024":                  {Range: timeframe.Range{Start: "2024-02-01", End: "2024-03-01"}},
		"revenue in 2024":                           {Range: timeframe.Range{Start: "2024-01-01", End: "2025-01-01"}},
		"between 2025-01-01 and 2025-01-31 revenue": {Range: timeframe.Range{Start: "2025-01-01", End: "2025-02-01"}},
		"orders yesterday":                          {Range: timeframe.Range{Last: "1 day"}},
		"monthly revenue":                           {Grain: semantic.Month},
		"revenue trend":                             {Grain: semantic.Day},
		"weekly sessions last quarter":              {Grain: semantic.Week, Range: timeframe.Range{Last: "1 quarter"}},
	} {
		if got := timeframe.Find(q, today); got != want {
			t.Errorf("%s: got %+v, want %+v", q, got, want)
		}
	}
}

func TestResolve(t *testing.T) {
	for _, c := range []struct {
		in         timeframe.Range
		start, end string
		err        string
	}{
		{timeframe.Range{Last: "3 months"}, "2025-08-01", "2025-11-01", ""},
		{timeframe.Range{Last: "1 week"}, "2025-11-10", "2025-11-17", ""},
		{timeframe.Range{Last: "28 Days"}, "2025-10-22", "2025-11-19", ""},
		{timeframe.Range{Start: "2025-01-31"}, "2025-01-31", "", ""},
		{timeframe.Range{}, "", "", ""},
		{timeframe.Range{Last: "many days"}, "", "", "a number and a unit"},
		{timeframe.Range{Last: "0 days"}, "", "", "1 to 10000"},
		{timeframe.Range{Last: "1 day", Start: "2025-01-01"}, "", "", "one or the other"},
		{timeframe.Range{Start: "31.1.2025"}, "", "", "time_range.start"},
		{timeframe.Range{Start: "2025-02-01", End: "2025-02-01"}, "", "", "the day after the last one"},
	} {
		got, err := c.in.Resolve(today)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%+v: got %v, want %q", c.in, err, c.err)
			}
			continue
		}
		show := func(t time.Time) string {
			if t.IsZero() {
				return ""
			}
			return t.Format(time.DateOnly)
		}
		if err != nil || show(got.Start) != c.start || show(got.End) != c.end {
			t.Errorf("%+v: got %v %v", c.in, got, err)
		}
	}
}
