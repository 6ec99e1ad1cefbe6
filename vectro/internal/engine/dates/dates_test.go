package dates

import (
	"testing"
	"time"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
)

func TestCivil_AgreesWithTimePackage(t *testing.T) {
	if got := FromCivil(1, 1, 1); got != MinDay {
		t.Errorf("FromCivil(1,1,1) = %d, want %d", got, MinDay)
	}
	if got := FromCivil(9999, 12, 31); got != MaxDay {
		t.Errorf("FromCivil(9999,12,31) = %d, want %d", got, MaxDay)
	}
	for day := int64(MinDay); day <= MaxDay; day += 13 {
		want := time.Unix(day*86400, 0).UTC()
		y, m, d := Civil(day)
		if y != want.Year() || m != int(want.Month()) || d != want.Day() {
			t.Fatalf("Civil(%d) = %d-%d-%d, want %s", day, y, m, d, want.Format(time.DateOnly))
		}
		if got := FromCivil(y, m, d); got != day {
			t.Fatalf("FromCivil(%d,%d,%d) = %d, want %d", y, m, d, got, day)
		}
	}
}

func TestParseISO(t *testing.T) {
	tests := []struct {
		in, want string // want is the text back, "" for a refusal
	}{
		{"2024-02-29", "2024-02-29"},
		{"2024/02/29", "2024-02-29"},
		{"2023-02-29", ""},
		{"0000-01-01", ""},
		{"0001-01-01", "0001-01-01"},
		{"9999-12-31", "9999-12-31"},
		{"2024-2-9", ""},
		{"2024-02/09", ""},
		{"2024-02-10T12:30", "2024-02-10T12:30:00"},
		{"2024-02-10 12:30:05", "2024-02-10T12:30:05"},
		{"2024-02-10T12:30:05.5", "2024-02-10T12:30:05.500"},
		{"2024-02-10T12:30:05.000001", "2024-02-10T12:30:05.000001"},
		{"2024-02-10T12:30:05.123456789Z", "2024-02-10T12:30:05.123456789Z"},
		{"2024-02-10T12:30:05.1234567890", ""},
		{"2024-02-10T12:30:05.", ""},
		{"2024-01-01T01:00:00+02:00", "2023-12-31T23:00:00Z"},
		{"2024-01-01T01:00:00-0530", "2024-01-01T06:30:00Z"},
		{"2024-01-01T01:00+02", "2023-12-31T23:00:00Z"},
		{"2024-01-01T24:00:00", "2024-01-02T00:00:00"},
		{"2024-01-01T24:00:01", ""},
		{"2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"},
		{"9999-12-31T24:00:00", ""},
		{"2024-01-01T", ""},
		{"2024-01-01 ", ""},
		{"2024-01-01T10", ""},
		{"2024-01-01T10:00:00+2:00", ""},
		{"2024-01-01T10:00:00 +02:00", ""},
		{"1969-12-31T23:59:59.999", "1969-12-31T23:59:59.999"},
	}
	for _, tt := range tests {
		m, ok := ParseISO(tt.in)
		got := ""
		if ok {
			u := m.Unit()
			got = string(Append(nil, m.In(u), u, !m.Time, m.Zone))
		}
		if got != tt.want {
			t.Errorf("ParseISO(%q) reads as %q, want %q", tt.in, got, tt.want)
		}
		if b, bok := ParseISO([]byte(tt.in)); b != m || bok != ok {
			t.Errorf("ParseISO of bytes and of string disagree on %q", tt.in)
		}
	}
}

func TestConvert_RoundsDownAndSaturates(t *testing.T) {
	tests := []struct {
		v        int64
		from, to col.Unit
		want     int64
	}{
		{1, col.Day, col.Micro, MicrosPerDay},
		{-1, col.Micro, col.Day, -1},
		{MicrosPerDay, col.Micro, col.Day, 1},
		{MaxDay, col.Day, col.Nano, 1<<63 - 1},
		{MinDay, col.Day, col.Nano, -1 << 63},
		{1999, col.Nano, col.Micro, 1},
	}
	for _, tt := range tests {
		if got := Convert(tt.v, tt.from, tt.to); got != tt.want {
			t.Errorf("Convert(%d, %d, %d) = %d, want %d", tt.v, tt.from, tt.to, got, tt.want)
		}
	}
}

func FuzzParseISO(f *testing.F) {
	for _, s := range []string{"2024-02-10T12:30:05.5+02:00", "2024-02-10", "x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m, ok := ParseISO(s)
		if !ok {
			return
		}
		u := m.Unit()
		text := Append(nil, m.In(u), u, !m.Time, m.Zone)
		if back, ok := ParseISO(text); u != col.Nano && (!ok || back != m) {
			t.Errorf("%q reads as %+v, written %q, read back %+v (%v)", s, m, text, back, ok)
		}
	})
}
