package wordvec

import (
	"strings"
	"testing"
)

func TestBuiltin_Spell(t *testing.T) {
	b := builtin(t)
	for word, want := range map[string]string{
		"acct": "account", "custkey": "customer key", "acctbal": "account balance", "salesorderheader": "sales order header",
		"billofmaterials": "bill of materials", "creditcardid": "credit card id", "lineitem": "line item", "businessentityid": "business entity id",
		"vindividualcustomer": "v individual customer", "subtotal": "sub total", "productsubcategories": "product subcategories",
		// Words as they are, and what is no word.
		"customer": "", "customers": "", "inventory": "", "xqzvkjw": "", "x": "", "": "", "größe": "", "order2go": "",
		strings.Repeat("order", 100): "",
	} {
		if got := strings.Join(b.Spell(word), " "); got != want {
			t.Errorf("Spell(%q) = %q, want %q", word, got, want)
		}
	}
}

func BenchmarkSpell(b *testing.B) {
	w := builtin(b)
	for b.Loop() {
		w.Spell("productmodelproductdescriptionculture")
	}
}
