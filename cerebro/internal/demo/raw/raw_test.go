package raw

import (
	"database/sql/driver"
	"slices"
	"testing"
	"time"
)

func TestUTC(t *testing.T) {
	for _, tt := range []struct{ local, want string }{
		{"2024-01-01 00:30", "2023-12-31 23:30"},
		{"2024-03-31 01:59", "2024-03-31 00:59"},
		{"2024-03-31 03:00", "2024-03-31 01:00"},
		{"2024-07-15 12:00", "2024-07-15 10:00"},
		{"2024-10-27 01:59", "2024-10-26 23:59"},
		{"2024-10-27 03:00", "2024-10-27 02:00"},
		{"2025-12-31 23:59", "2025-12-31 22:59"},
	} {
		at, err := time.Parse("2006-01-02 15:04", tt.local)
		if err != nil {
			t.Fatal(err)
		}
		if got := utc(moment(at.Sub(FirstDay) / time.Second)).time().Format("2006-01-02 15:04"); got != tt.want {
			t.Errorf("%s is %s in UTC, want %s", tt.local, got, tt.want)
		}
	}
}

func TestDays(t *testing.T) {
	if got := date(days - 1); !got.Equal(LastDay) {
		t.Errorf("the last of %d days is %v, want %v", days, got, LastDay)
	}
}

// Rows fit their columns, come out the same when read again, and nothing happens
// outside of the two years but sign-ups, subscriptions, areas and products before them.
func TestTables(t *testing.T) {
	before := []string{"signed_up_at", "started_on", "ended_on", "opened_on", "launched_on"}
	for _, table := range Tables() {
		t.Run(table.Name, func(t *testing.T) {
			var first [][]driver.Value
			for row := range table.Rows {
				if len(row) != len(table.Columns) {
					t.Fatalf("%d values for %d columns", len(row), len(table.Columns))
				}
				if len(first) < 5000 {
					first = append(first, slices.Clone(row))
				}
				for i, v := range row {
					at, ok := v.(time.Time)
					if !ok {
						continue
					}
					name := table.Columns[i].Name
					if at.Before(utc(0).time()) && !slices.Contains(before, name) {
						t.Fatalf("%s is %v, before the data", name, at)
					}
					if !at.Before(end.time().Add(time.Hour)) && name != "promised_at" && name != "launched_on" {
						t.Fatalf("%s is %v, after the data", name, at)
					}
				}
			}
			n := 0
			for row := range table.Rows {
				if n == len(first) {
					break
				}
				if !slices.Equal(row, first[n]) {
					t.Fatalf("row %d is %v, and was %v", n, row, first[n])
				}
				n++
			}
			if n == 0 {
				t.Error("no rows")
			}
		})
	}
}

// Draws follow their weights, and what weighs nothing is not drawn.
func TestDice(t *testing.T) {
	d := newDice(99)
	weights := []int{0, 3, 0, 1, 0}
	for name, draw := range map[string]func() int{
		"pick": func() int { return d.pick(weights) },
		"spin": func() int { return d.spin(newWheel(weights)) },
	} {
		var got [5]int
		for range 4000 {
			got[draw()]++
		}
		if got[0]+got[2]+got[4] > 0 || got[1] < 2800 || got[1] > 3200 {
			t.Errorf("%s by %v: %v", name, weights, got)
		}
	}
	for range 1000 {
		if n := d.skewed(5, 9); n < 5 || n > 9 {
			t.Fatalf("skewed(5, 9) = %d", n)
		}
		if n := d.about(1000, 100); n < 900 || n > 1100 {
			t.Fatalf("about(1000, 100) = %d", n)
		}
	}
}
