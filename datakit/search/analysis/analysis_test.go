package analysis_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/datakit/search/analysis"
)

// spell writes tokens as words, the joined ones in brackets.
func spell(tokens []analysis.Token) string {
	words := make([]string, len(tokens))
	for i, t := range tokens {
		words[i] = t.Text
		if t.Joined {
			words[i] = "[" + t.Text + "]"
		}
	}
	return strings.Join(words, " ")
}

func TestSplit(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"snake case", "customer_order_lines", "customer order lines [customerorderlines]"},
		{"upper snake case", "CUSTOMER_ID", "customer id [customerid]"},
		{"camel case", "customerOrderLines", "customer order lines [customerorderlines]"},
		{"capitals before a word", "HTTPServer", "http server [httpserver]"},
		{"capitals at the end", "parseHTTP", "parse http [parsehttp]"},
		{"capitals with a plural", "userIDs", "user ids [userids]"},
		{"capitals with a plural before a word", "URLsSeen", "urls seen [urlsseen]"},
		{"capitals before a word that begins with s", "HTTPServers", "http servers [httpservers]"},
		{"digits", "address2", "address 2 [address2]"},
		{"digits within", "sha256sum", "sha 256 sum [sha256sum]"},
		{"kebab case", "order-line-item", "order line item [orderlineitem]"},
		{"dots separate identifiers", "public.order_lines.id", "public order lines [orderlines] id"},
		{"leading and trailing underscores", "__private__", "private"},
		{"doubled separators", "a__b--c", "a b c [abc]"},
		{"prose", "Total amount, in cents (without tax).", "total amount in cents without tax"},
		{"apostrophes", "the customer's O’Brien 'quoted'", "the customers obrien quoted"},
		{"precomposed accents", "Qualité_été", "qualite ete [qualiteete]"},
		{"combining accents", "Qualite\u0301", "qualite"},
		{"letters with strokes", "Straße Ærø Łódź", "strasse aero lodz"},
		{"ligature and full width", "ﬁnance ＡＢＣ１", "finance abc 1 [abc1]"},
		{"other scripts", "Заказ_клиента 注文", "заказ клиента [заказклиента] 注文"},
		{"dotted capital i", "İstanbul", "istanbul"},
		{"nothing", "", ""},
		{"punctuation only", " _-.,;!?()\t\n", ""},
		{"control characters", "a\x00b\x1bc", "a b c"},
		{"invalid UTF-8", "a\xffb", "a b"},
		{"mark on nothing", "\u0301abc", "abc"},
		{"too many parts to be a name", "a-b-c-d-e-f-g-h-i", "a b c d e f g h i"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := spell(analysis.Split(tc.in)); got != tc.want {
				t.Errorf("Split(%q) = %q, want %q", tc.in, got, tc.want)
			}
		})
	}
}

func TestSplit_Offsets(t *testing.T) {
	text := "é.orderID, Zoë's"
	var got []string
	for _, tok := range analysis.Split(text) {
		got = append(got, text[tok.Start:tok.End])
	}
	want := []string{"é", "order", "ID", "orderID", "Zoë's"}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("words by offset (-got +want):\n%s", diff)
	}
}

func TestSplit_LongWordsAreCut(t *testing.T) {
	for _, in := range []string{strings.Repeat("x", 1000), strings.Repeat("é", 1000), strings.Repeat("注", 1000), strings.Repeat("ﷺ", 1000)} {
		tokens := analysis.Split(in)
		if len(tokens) != 1 {
			t.Fatalf("Split(%.9q…) gave %d tokens, want 1", in, len(tokens))
		}
		if text := tokens[0].Text; len(text) > analysis.MaxTokenBytes || !utf8.ValidString(text) {
			t.Errorf("Split(%.9q…) = %q, %d bytes; want valid text of at most %d", in, text, len(text), analysis.MaxTokenBytes)
		}
		if tokens[0].End != len(in) {
			t.Errorf("Split(%.9q…) ends at %d, want %d", in, tokens[0].End, len(in))
		}
	}
}

func TestTerms_StopWords(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"dropped", "which of the customers are in Berlin", "customers berlin"},
		{"kept when nothing else is left", "who is it", "who is it"},
		{"kept within a joined token", "date_of_birth", "date birth [dateofbirth]"},
		{"only stop words in one identifier", "is_on", "is on [ison]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := spell(analysis.Terms(tc.in)); got != tc.want {
				t.Errorf("Terms(%q) = %q, want %q", tc.in, got, tc.want)
			}
		})
	}
}

func TestWords(t *testing.T) {
	got := analysis.Words("the order_id")
	if diff := cmp.Diff(got, []string{"the", "order", "id"}); diff != "" {
		t.Errorf("Words (-got +want):\n%s", diff)
	}
}

func TestStem(t *testing.T) {
	for _, tc := range []struct {
		how      analysis.Stemming
		in, want string
	}{
		{analysis.Porter, "orders", "order"},
		{analysis.Porter, "ordering", "order"},
		{analysis.Porter, "categories", "categori"},
		{analysis.Porter, "category", "categori"},
		{analysis.Porter, "relational", "relat"},
		{analysis.Porter, "is", "is"},
		{analysis.Porter, "заказы", "заказы"},
		{analysis.Porter, "2024", "2024"},
		{analysis.Light, "categories", "category"},
		{analysis.Light, "dies", "die"},
		{analysis.Light, "orders", "order"},
		{analysis.Light, "address", "address"},
		{analysis.Light, "gas", "gas"},
		{analysis.Light, "ordering", "ordering"},
		{analysis.Off, "orders", "orders"},
	} {
		if got := tc.how.Stem(tc.in); got != tc.want {
			t.Errorf("%v.Stem(%q) = %q, want %q", tc.how, tc.in, got, tc.want)
		}
	}
}

func FuzzSplit(f *testing.F) {
	for _, seed := range []string{"", "customer_id", "HTTPServer2URLs", "naïve-façade’s", "a\x00\xff_b", "ﷺ½①İ", "x'y'z", strings.Repeat("Ab1", 50)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, tok := range analysis.Split(text) {
			if tok.Start >= tok.End || tok.End > len(text) {
				t.Fatalf("token %+v lies outside the %d bytes of the text", tok, len(text))
			}
			if !tok.Joined {
				if tok.Start < end {
					t.Fatalf("token %+v begins before the last one ended at %d", tok, end)
				}
				end = tok.End
			}
			if tok.Text == "" || len(tok.Text) > analysis.MaxTokenBytes || !utf8.ValidString(tok.Text) {
				t.Fatalf("token text %q", tok.Text)
			}
			for _, r := range tok.Text {
				if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
					t.Fatalf("token %q holds %q, neither letter nor digit", tok.Text, r)
				}
			}
			// Folding again changes nothing, so a word found in the index can be
			// typed as a question.
			if again := analysis.Fold(tok.Text); again != tok.Text {
				t.Fatalf("Fold(%q) = %q", tok.Text, again)
			}
			for _, how := range []analysis.Stemming{analysis.Porter, analysis.Light, analysis.Off} {
				if how.Stem(tok.Text) == "" {
					t.Fatalf("%v.Stem(%q) is empty", how, tok.Text)
				}
			}
		}
	})
}

func BenchmarkSplit(b *testing.B) {
	const text = "sales.customer_order_lines: orderId, productSKU, unit_price, qty, discountPct — lines of an order, one per product"
	b.ReportAllocs()
	for b.Loop() {
		analysis.Split(text)
	}
}
