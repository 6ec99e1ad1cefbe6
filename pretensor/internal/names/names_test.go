package names

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestTokens(t *testing.T) {
	tests := []struct{ name, want string }{
		{"", ""}, {"__", ""}, {"id", "id"},
		{"customer_id", "customer id"}, {"customerId", "customer id"}, {"CustomerID", "customer id"}, {"CUSTOMER_ID", "customer id"},
		{"customer-id", "customer id"}, {"Customer Id", "customer id"}, {"customer.id", "customer id"},
		{"HTTPServer", "http server"}, {"userIDs", "user ids"}, {"IDs", "ids"}, {"XMLBlob2", "xml blob 2"},
		{"address2", "address 2"}, {"line2text", "line 2 text"}, {"_private", "private"}, {"o_orderkey", "o orderkey"},
		{"GrößeID", "größe id"}, {"ÉtéÀVenir", "été à venir"}, {"名前", "名前"}, {"aB", "a b"}, {"ABs", "abs"}, {"IsActive", "is active"},
	}
	for _, test := range tests {
		if got := strings.Join(Tokens(test.name), " "); got != test.want {
			t.Errorf("Tokens(%q) = %q, want %q", test.name, got, test.want)
		}
	}
}

func TestTokens_KeepEveryLetter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[A-Za-z0-9_ .-]{0,20}`).Draw(t, "name")
		plain := strings.ToLower(strings.NewReplacer("_", "", " ", "", ".", "", "-", "").Replace(name))
		if got := Normal(name); got != plain {
			t.Fatalf("Normal(%q) = %q, want %q", name, got, plain)
		}
		again := Tokens(strings.Join(Tokens(name), "_"))
		if diff := cmp.Diff(Tokens(name), again); diff != "" {
			t.Fatalf("splitting the tokens of %q again:\n%s", name, diff)
		}
	})
}

func TestSingularPlural(t *testing.T) {
	tests := []struct{ singular, plural string }{
		{"customer", "customers"}, {"category", "categories"}, {"address", "addresses"}, {"box", "boxes"}, {"match", "matches"},
		{"person", "people"}, {"child", "children"}, {"status", "statuses"}, {"bus", "buses"}, {"alias", "aliases"},
		{"movie", "movies"}, {"index", "indices"}, {"analysis", "analyses"}, {"criterion", "criteria"}, {"series", "series"},
		{"day", "days"}, {"key", "keys"}, {"house", "houses"}, {"size", "sizes"}, {"cache", "caches"}, {"class", "classes"},
		{"tie", "ties"}, {"staff", "staff"}, {"sale", "sales"}, {"inventory", "inventories"}, {"leaf", "leaves"}, {"menu", "menus"},
	}
	for _, test := range tests {
		if got := Singular(test.plural); got != test.singular {
			t.Errorf("Singular(%q) = %q, want %q", test.plural, got, test.singular)
		}
		if got := Singular(test.singular); got != test.singular {
			t.Errorf("Singular(%q) = %q, want it unchanged", test.singular, got)
		}
		if got := Plural(test.singular); got != test.plural {
			t.Errorf("Plural(%q) = %q, want %q", test.singular, got, test.plural)
		}
	}
	for p, s := range irregular {
		if got := Singular(s); got != s {
			t.Errorf("Singular(%q) = %q: the singular of %q must stay", s, got, p)
		}
	}
	if len(irregular) < 40 {
		t.Errorf("%d irregular words, want at least 40", len(irregular))
	}
}

func TestCount(t *testing.T) {
	for _, test := range []struct {
		n           int
		thing, want string
	}{
		{0, "column", "0 columns"}, {1, "column", "1 column"}, {12, "foreign key", "12 foreign keys"},
		{1, "index", "1 index"}, {2, "index", "2 indexes"}, {2, "class", "2 classes"}, {3, "match", "3 matches"},
	} {
		if got := Count(test.n, test.thing); got != test.want {
			t.Errorf("Count(%d, %q) = %q, want %q", test.n, test.thing, got, test.want)
		}
	}
}

func TestStem(t *testing.T) {
	for _, group := range [][]string{
		{"customer", "customers", "Customers", "dim_customer", "stg_customers", "tbl_customer", "FactCustomer", "v_customers"},
		{"order_item", "OrderItems", "fct_order_items"},
		{"person", "people"},
		{"sales_2024", "sale_2024"},
	} {
		want := Stem(Bare(Tokens(group[0])))
		for _, name := range group[1:] {
			if got := Stem(Bare(Tokens(name))); got != want {
				t.Errorf("stem of %q is %q, want that of %q: %q", name, got, group[0], want)
			}
		}
	}
	for _, name := range []string{"dim", "t1", "raw"} {
		if got := Stem(Bare(Tokens(name))); got != name {
			t.Errorf("stem of %q is %q, want it whole", name, got)
		}
	}
}

func TestColumnPrefix(t *testing.T) {
	tests := []struct{ name, columns, want string }{
		{"tpch", "o_orderkey o_custkey o_orderstatus o_comment", "o"},
		{"camel case", "psPartKey psSuppKey psAvailQty", "ps"},
		{"two columns are too few", "o_orderkey o_custkey", ""},
		{"four of five", "ab_a ab_b ab_c ab_d other", "ab"},
		{"three of four are 75 %", "ab_a ab_b ab_c other", ""},
		{"five letters are a word", "order_id order_date order_total", ""},
		{"a number is no prefix", "1_a 1_b 1_c", ""},
		{"the token alone does not carry it", "ab ab_a ab_b", ""},
		{"none", "id name price", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var columns [][]string
			for _, c := range strings.Fields(test.columns) {
				columns = append(columns, Tokens(c))
			}
			if got := ColumnPrefix(columns); got != test.want {
				t.Errorf("ColumnPrefix(%s) = %q, want %q", test.columns, got, test.want)
			}
		})
	}
}
