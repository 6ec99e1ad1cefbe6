package wordvec

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func builtin(t testing.TB) *Builtin {
	t.Helper()
	b, err := NewBuiltin()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func vector(t testing.TB, text string) []float32 {
	t.Helper()
	v, err := builtin(t).Embed(context.Background(), []string{text})
	if err != nil {
		t.Fatal(err)
	}
	return v[0]
}

// The file is exactly what the pruning program makes of the package that it names.
func TestBuiltin_Asset(t *testing.T) {
	const want = "99f2d55446b884e5f11d47bd85f277a72475b737d3c18c4f375044f51445ac07"
	sum := sha256.Sum256(gloveWords)
	if got := hex.EncodeToString(sum[:]); got != want {
		t.Errorf("words.bin has checksum %s, want %s", got, want)
	}
	b := builtin(t)
	if len(b.rows) != 50_000 || b.Dim() != 100 || b.Model() != BuiltinModel {
		t.Errorf("%d words of %d dimensions, model %q", len(b.rows), b.Dim(), b.Model())
	}
	if b.rows["the"] != 0 || b.rows["of"] != 1 {
		t.Errorf("the most frequent words are at %d and %d, want 0 and 1", b.rows["the"], b.rows["of"])
	}
	for _, want := range []string{"Public Domain Dedication", "MIT License", "GRAYPE"} {
		if !strings.Contains(Licenses(), want) {
			t.Errorf("Licenses() does not mention %q", want)
		}
	}
}

// Signed bytes keep the direction of a vector: each is still of length 1.
func TestBuiltin_WordsHaveLengthOne(t *testing.T) {
	b := builtin(t)
	for row := range b.factors {
		var square float64
		for _, q := range b.vectors[row*b.dim : (row+1)*b.dim] {
			x := float64(b.factors[row]) * float64(int8(q))
			square += x * x
		}
		if math.Abs(math.Sqrt(square)-1) > 0.01 {
			t.Fatalf("row %d has length %v", row, math.Sqrt(square))
		}
	}
}

// Two rows as the package states them, up to what a byte can hold.
func TestBuiltin_VectorsAreThoseOfThePackage(t *testing.T) {
	b := builtin(t)
	for word, first := range map[string][]float64{
		"the": {-0.038194, -0.24487, 0.72812, -0.39961, 0.083172},
	} {
		const length = 5.821154 // of the whole vector, from the package
		row := int(b.rows[word])
		for i, want := range first {
			got := float64(b.factors[row]) * float64(int8(b.vectors[row*b.dim+i]))
			if math.Abs(got-want/length) > float64(b.factors[row])*0.51 {
				t.Errorf("component %d of %q = %v, want %v", i, word, got, want/length)
			}
		}
	}
}

func TestBuiltin_AliasesStandForKnownWords(t *testing.T) {
	b := builtin(t)
	for short, words := range aliases {
		if len(words) == 0 {
			t.Errorf("alias %q stands for nothing", short)
		}
		for _, w := range words {
			if _, ok := b.rows[w]; !ok {
				t.Errorf("alias %q stands for %q, which is not in the vocabulary", short, w)
			}
		}
	}
	if strings.Count(aliasTable, ":") != len(aliases) {
		t.Errorf("the table has %d lines and %d aliases: one is given twice", strings.Count(aliasTable, ":"), len(aliases))
	}
	for _, w := range strings.Fields(structuralWords) {
		if _, ok := b.rows[w]; !ok {
			t.Errorf("structural word %q is not in the vocabulary", w)
		}
	}
	for _, w := range []string{"sku", "kpi", "mrr", "arpu", "gmv", "arr", "ltv", "cac", "po", "qty", "amt", "dob", "acct", "cust"} {
		if len(aliases[w]) == 0 {
			t.Errorf("no alias for %q", w)
		}
	}
}

// Texts of one meaning are nearer than texts of another, whatever the spelling.
func TestBuiltin_NearAndFar(t *testing.T) {
	for _, tc := range []struct{ text, near, far string }{
		{"customer", "clients", "warehouse"},
		{"cust_addr", "address of a customer", "sensor temperature"},
		{"qty", "quantity", "employee"},
		{"mrr", "recurring monthly revenue", "patient"},
		{"salary", "wages paid to employees", "shipping of parcels"},
		{"lineitem", "item line", "physician"},
		{"HTTPServerErrors", "server error", "vacation"},
		{"refunds", "money returned to the buyer", "weather station"},
	} {
		v := vector(t, tc.text)
		if near, far := dot(v, vector(t, tc.near)), dot(v, vector(t, tc.far)); near < far+0.2 {
			t.Errorf("%q is at %.2f from %q and %.2f from %q", tc.text, near, tc.near, far, tc.far)
		}
	}
	for a, b := range map[string]string{"cust": "customer", "Customers": "customers", "the customer": "customer", "customer_customer": "customer", "customer 2024": "customer", "lineitem": "line item"} {
		if s := dot(vector(t, a), vector(t, b)); s < 0.9999 {
			t.Errorf("%q and %q are at %v, want 1", a, b, s)
		}
	}
}

func TestBuiltin_Embed(t *testing.T) {
	b := builtin(t)
	texts := []string{"orders of customers", "", "zzqx 123 !?", "orders of customers"}
	vectors, err := b.Embed(context.Background(), texts)
	if err != nil {
		t.Fatal(err)
	}
	if len(vectors) != len(texts) {
		t.Fatalf("%d vectors for %d texts", len(vectors), len(texts))
	}
	if diff := cmp.Diff(vectors[0], vectors[3]); diff != "" {
		t.Errorf("equal texts differ:\n%s", diff)
	}
	for i, want := range []float64{1, 0, 0, 1} {
		var square float64
		for _, x := range vectors[i] {
			square += float64(x) * float64(x)
		}
		if len(vectors[i]) != b.Dim() || math.Abs(math.Sqrt(square)-want) > 1e-5 {
			t.Errorf("vector of %q: %d dimensions, length %v, want %v", texts[i], len(vectors[i]), math.Sqrt(square), want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := b.Embed(ctx, texts); err == nil {
		t.Error("Embed with an ended context gave no error")
	}
	// Hostile texts are texts.
	if _, err := b.Embed(context.Background(), []string{"\x00\xff\u202e", strings.Repeat("x", 1<<20), strings.Repeat("word ", 100_000)}); err != nil {
		t.Error(err)
	}
}

func TestBuiltin_Unknown(t *testing.T) {
	got := builtin(t).Unknown("the cust_qty xqzzv: lineitem XQZZV 2024 b frobnitzes, refundable customers")
	if diff := cmp.Diff(got, []string{"xqzzv", "frobnitzes"}); diff != "" {
		t.Errorf("Unknown (-got +want):\n%s", diff)
	}
	if got := builtin(t).Unknown("customer"); got == nil || len(got) != 0 {
		t.Errorf("Unknown of a known word = %#v, want an empty list", got)
	}
}

func TestParseWords_Refuses(t *testing.T) {
	good := append([]byte("QWV1\x02\x00\x00\x00\x01\x00\x00\x00"+"\x00\x00\x80\x3f\x00\x00\x80\x3f"+"\x01\xff"), "a\nb"...)
	if b, err := parseWords(good); err != nil || b.rows["b"] != 1 || b.dim != 1 {
		t.Fatalf("parseWords of a small file: %v, %v", b, err)
	}
	for name, data := range map[string][]byte{
		"empty":             nil,
		"other format":      []byte("QWV2" + string(good[4:])),
		"cut":               good[:len(good)-4],
		"no words":          good[:22],
		"too many words":    append(good[:len(good):len(good)], "\nc"...),
		"a word twice":      append(good[:len(good)-1:len(good)], 'a'),
		"impossible counts": []byte("QWV1\xff\xff\xff\xff\xff\xff\xff\xff" + string(good[12:])),
	} {
		if _, err := parseWords(data); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := parseWords(gloveWords); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEmbed(b *testing.B) {
	p := builtin(b)
	for name, text := range map[string]string{
		"question": "how many members quit their monthly membership last quarter and why",
		"table":    "shop.customers: customer_id, first_name, last_name, email, phone, birth_date, country_code, created_at — People and companies that buy from us",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := p.Embed(context.Background(), []string{text}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRank10000(b *testing.B) {
	p := builtin(b)
	x, err := NewIndex(p.Model(), p.Dim())
	if err != nil {
		b.Fatal(err)
	}
	words := make([]string, 0, len(p.rows))
	for w := range p.rows {
		words = append(words, w)
	}
	for i := range 10_000 {
		v := vector(b, words[i]+" "+words[i+10_000]+" "+words[i+20_000])
		if err := x.Add(p.Model(), fmt.Sprint("table", i), v); err != nil {
			b.Fatal(err)
		}
	}
	q := vector(b, "customers who cancelled")
	for b.Loop() {
		if _, err := x.Rank(p.Model(), q, 40, nil); err != nil {
			b.Fatal(err)
		}
	}
}
