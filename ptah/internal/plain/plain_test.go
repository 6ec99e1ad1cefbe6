package plain

import (
	"strings"
	"testing"
)

func TestLine(t *testing.T) {
	for in, want := range map[string]string{
		"":                        "",
		"plain":                   "plain",
		"  two\r\n\tlines\n":      "two lines",
		"a\x1b[31mred\x00":        "a[31mred",
		"abc\u202Edcba\u2066x":    "abcdcbax", // bidi override and isolate
		"zero\u200bwidth\ufeff":   "zerowidth",
		"tag\U000E0041\U000E007F": "tag",
		"line\u2028sep\u0085x":    "line sep x",
		"bad\xffbyte":             "bad\uFFFDbyte",
		"ünï – 漢字":                "ünï – 漢字",
		strings.Repeat("ä", 21):   strings.Repeat("ä", 19) + "…",
	} {
		if got := Line(in, 20); got != want {
			t.Errorf("Line(%q) = %q, want %q", in, got, want)
		}
	}
	if got := Line("abc", 0); got != "" {
		t.Errorf("Line of no characters = %q", got)
	}
}

func TestText(t *testing.T) {
	if got, want := Text("\na\r\nb\x07\tc\u202e\n\n", 100), "a\nb c"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := Text("one\ntwo\nthree", 8), "one\ntwo…"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain  text":                      "plain  text",
		"a\u202eb\tc\nd\x1b[0m":            "ab c d[0m",
		"漢字":                               "漢字",
		strings.Repeat("long ", 1000):      strings.Repeat("long ", 1000),
		"bad\xff" + strings.Repeat("x", 9): "bad\uFFFDxxxxxxxxx",
	} {
		if got := Visible(in); got != want {
			t.Errorf("Visible(%q) = %q, want %q", in, got, want)
		}
	}
}
