package model

import (
	"slices"
	"testing"
)

func TestTokens_Layout(t *testing.T) {
	const text = `SELECT c.id, 'a  B' AS "name", "Odd""x" FROM shop.customers c WHERE n >= 1.5`
	for _, same := range []string{
		"select c . id,'a  B' as name,\"Odd\"\"x\"\n\tFROM shop.customers /* of all */ c -- who buys\nWHERE n>=1.5 ;\n",
		"SELECT c.`id`, 'a  B' AS `name`, \"Odd\"\"x\" FROM \"shop\".\"customers\" c WHERE n >= 1.5",
	} {
		if got, want := Tokens(same), Tokens(text); !slices.Equal(got, want) {
			t.Errorf("Tokens(%q) = %q, want %q", same, got, want)
		}
	}
	for _, other := range []string{
		`SELECT c.id, 'a B' AS "name", "Odd""x" FROM shop.customers c WHERE n >= 1.5`,
		`SELECT c.id, 'a  b' AS "name", "Odd""x" FROM shop.customers c WHERE n >= 1.5`,
		`SELECT c.id, 'a  B' AS "name", "odd""x" FROM shop.customers c WHERE n >= 1.5`,
		`SELECT c.id, 'a  B' AS "name", "Odd""x" FROM shop.customers c WHERE n >= 1`,
		`SELECT c.id, 'a  B' AS "name", "Odd""x" FROM shop.customers c WHERE n >= 1.5 OR true`,
	} {
		if HashTokens(Tokens(other)) == HashTokens(Tokens(text)) {
			t.Errorf("%q has the hash of %q", other, text)
		}
	}
	for _, cut := range []string{"", "'", "\"", "a /*", "--", "a 'b", ";", "\x00\xff"} {
		Tokens(cut)
	}
}
