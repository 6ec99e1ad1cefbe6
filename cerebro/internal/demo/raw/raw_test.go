package raw

import (
	"testing"
	"time"
)

func TestCount(t *testing.T) {
	start := time.Now()
	history()
	t.Log("history", time.Since(start))
	for _, tab := range Tables() {
		start := time.Now()
		n := 0
		for row := range tab.Rows {
			if len(row) != len(tab.Columns) {
				t.Fatalf("%s: %d values for %d columns", tab.Name, len(row), len(tab.Columns))
			}
			n++
		}
		t.Log(tab.Name, n, time.Since(start))
	}
}
