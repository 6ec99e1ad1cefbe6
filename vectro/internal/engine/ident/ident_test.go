package ident

import "testing"

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"price": "price", "größe": "größe", "_x": "_x", "$a1": "$a1", "o.price": "o.price",
		"": "``", "1st": "`1st`", ".x": "`.x`", "unit price": "`unit price`", "a`b": "`a``b`", "a\xffb": "`a\xffb`",
		"in": "`in`", "NULL": "`NULL`", "index": "index",
	} {
		if got := Quote(in); got != want {
			t.Errorf("Quote(%q) = %s, want %s", in, got, want)
		}
	}
}
