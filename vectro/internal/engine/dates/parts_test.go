package dates

import (
	"math"
	"testing"
	"time"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
)

func TestParseSpan(t *testing.T) {
	text := func(day int64) string { return string(Append(nil, day, col.Day, true, false)) }
	tests := []struct{ in, first, next string }{
		{"2024", "2024-01-01", "2025-01-01"},
		{"2024-02", "2024-02-01", "2024-03-01"},
		{"2024/12", "2024-12-01", "2025-01-01"},
		{"9999", "9999-01-01", "10000-01-01"},
		{"2024-02-29", "2024-02-29", ""},
		{"2024-13", "", ""},
		{"2024-1", "", ""},
		{"0000", "", ""},
		{"20x4", "", ""},
		{"2024_02", "", ""},
		{"", "", ""},
	}
	for _, tt := range tests {
		m, next, ok := ParseSpan(tt.in)
		first, after := "", ""
		if ok {
			first = text(m.Day)
		}
		if next != 0 {
			after = text(next)
		}
		if first != tt.first || after != tt.next {
			t.Errorf("ParseSpan(%q) = %q to %q, want %q to %q", tt.in, first, after, tt.first, tt.next)
		}
	}
}

func TestPart_AgreesWithTimePackage(t *testing.T) {
	for day := int64(MinDay); day <= MaxDay; day += 29 {
		at := time.Unix(day*86_400+45_296, 123_456_000).UTC()
		v := at.UnixMicro()
		isoYear, week := at.ISOWeek()
		for f, want := range map[Field]int{Year: at.Year(), Month: int(at.Month()), DayOfMonth: at.Day(), Dow: int(at.Weekday()), Hour: at.Hour(),
			Minute: at.Minute(), Second: at.Second(), DayOfYear: at.YearDay(), Week: week, ISOYear: isoYear, Milliseconds: at.Second()*1000 + 123} {
			if got := Part(f, v, col.Micro); got != int64(want) {
				t.Fatalf("part %d of %s = %d, want %d", f, at, got, want)
			}
		}
	}
}

func TestAdd_StaysWithinTheCalendarAndTheUnit(t *testing.T) {
	micro := func(s string) int64 {
		m, ok := ParseISO(s)
		if !ok {
			t.Fatal(s)
		}
		return m.In(col.Micro)
	}
	if _, ok := AddDays(MaxDay, col.Day, 1); ok {
		t.Error("a day after 9999-12-31")
	}
	if v, ok := AddDays(math.MinInt64+5, col.Nano, 0); !ok || v != math.MinInt64+5 {
		t.Errorf("the first nanoseconds: %d, %v", v, ok)
	}
	if _, ok := AddDays(math.MinInt64+5, col.Nano, -1); ok {
		t.Error("a day before the first nanosecond")
	}
	if _, ok := AddDays(math.MaxInt64, col.Nano, 1); ok {
		t.Error("a day after the last nanosecond")
	}
	if v, ok := AddMonths(micro("2024-08-31T01:02:03"), col.Micro, -6); !ok || v != micro("2024-02-29T01:02:03") {
		t.Errorf("AddMonths: %d, %v", v, ok)
	}
	if _, ok := AddMonths(0, col.Day, math.MinInt64); ok {
		t.Error("months out of any range")
	}
	if v, ok := AddMicros(micro("2024-01-01T00:00:00"), col.Micro, -MicrosPerDay-1); !ok || v != micro("2023-12-30T23:59:59.999999") {
		t.Errorf("AddMicros: %d, %v", v, ok)
	}
	if _, ok := Diff(math.MaxInt64, 0, col.Micro, "days"); ok {
		t.Error("the difference to a date beyond the calendar")
	}
}

func TestPattern_WrittenAndReadBack(t *testing.T) {
	const p = `DD"th of "FMMonth YYYY, HH24:MI:SS.US`
	if bad, ok := CheckParsePattern(p); !ok {
		t.Fatalf("refused at %q", bad)
	}
	for day := int64(MinDay); day <= MaxDay; day += 1_237 {
		v := day*MicrosPerDay + (day&0xffff)*1_000_003
		s := string(AppendPattern(nil, v, col.Micro, p))
		m, ok := ParsePattern(s, p)
		if !ok || m.In(col.Micro) != v {
			t.Fatalf("%s reads back as %d (%v), want %d", s, m.In(col.Micro), ok, v)
		}
	}
}

func TestCheckPattern(t *testing.T) {
	for p, want := range map[string]string{"YYYY-MM-DD": "", "YYYY-MM-DDTHH24:MI": "", `"week" IW`: "", "yyyy": "", "Wert": "Wert", "YYYY xyz": "xyz", "": ""} {
		bad, ok := CheckPattern(p)
		if ok != (want == "") || bad != want {
			t.Errorf("CheckPattern(%q) = %q, %v", p, bad, ok)
		}
	}
	if bad, ok := CheckParsePattern("IYYY-IW"); ok || bad != "IYYY" {
		t.Errorf("CheckParsePattern of weeks = %q, %v", bad, ok)
	}
}

func FuzzParsePattern(f *testing.F) {
	f.Add("05.03.2024", "DD.MM.YYYY")
	f.Add("5 Mar 24 02:07 pm", "DD Mon YY HH12:MI AM")
	f.Fuzz(func(t *testing.T, s, p string) {
		if _, ok := CheckParsePattern(p); !ok {
			return
		}
		m, ok := ParsePattern(s, p)
		if ok && (m.Day < MinDay || m.Day > MaxDay || m.Nanos < 0 || m.Nanos >= NanosPerDay) {
			t.Errorf("%q by %q gives %+v", s, p, m)
		}
		AppendPattern(nil, 0, col.Day, p)
	})
}
