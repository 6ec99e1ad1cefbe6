package names

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestIDPart(t *testing.T) {
	tests := []struct{ name, want string }{
		{"", ""}, {"orders", "orders"}, {"a:b", "a:b"}, {"100%", "100%"}, {"%A", "%A"},
		{"a::b", "a%3A%3Ab"}, {"a:::b", "a%3A%3A:b"}, {"a:", "a%3A"}, {":a", "%3Aa"}, {":", "%3A"}, {"::", "%3A%3A"}, {":::", "%3A%3A%3A"},
		{"%3A%3A", "%253A%253A"}, {"%3A", "%253A"}, {"%253A", "%25253A"}, {"%25", "%2525"},
	}
	for _, test := range tests {
		if got := IDPart(test.name); got != test.want {
			t.Errorf("IDPart(%q) = %q, want %q", test.name, got, test.want)
		}
	}
}

func TestIDPart_IDsOfDifferentNamesDiffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`(:|%|3A|25|a){0,5}`)
		a, b := [2]string{name.Draw(t, "a0"), name.Draw(t, "a1")}, [2]string{name.Draw(t, "b0"), name.Draw(t, "b1")}
		idA, idB := IDPart(a[0])+"::"+IDPart(a[1]), IDPart(b[0])+"::"+IDPart(b[1])
		if (a == b) != (idA == idB) {
			t.Fatalf("%q has the id %q, and %q has %q", a, idA, b, idB)
		}
		if parts := strings.Split(idA, "::"); len(parts) != 2 {
			t.Fatalf("the id %q of %q has %d parts", idA, a, len(parts))
		}
	})
}
