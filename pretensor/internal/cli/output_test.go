package cli

import (
	"strings"
	"testing"
	"time"
)

func TestAge(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "just now", 59 * time.Second: "just now", time.Minute: "1 minute", 59 * time.Minute: "59 minutes", time.Hour: "1 hour", 23 * time.Hour: "23 hours",
		24 * time.Hour: "1 day", 9*24*time.Hour + 23*time.Hour: "9 days",
	} {
		if got := age(d); got != want {
			t.Errorf("age(%v) = %s, want %s", d, got, want)
		}
	}
}

func TestShown(t *testing.T) {
	for text, want := range map[string]string{"lst": `"lst"`, "postgresql://u:p@h/d": "that value", "u:p@h": "that value", "password=x": "that value"} {
		if got := shown(text); got != want {
			t.Errorf("shown(%q) = %s, want %s", text, got, want)
		}
	}
	if got := shown(strings.Repeat("x", 100)); len([]rune(got)) != 62 {
		t.Errorf("%s", got)
	}
}
