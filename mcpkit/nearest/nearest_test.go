package nearest_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/quartet-mcp/quartet/mcpkit/nearest"
	"pgregory.net/rapid"
)

func TestBest(t *testing.T) {
	tests := []struct {
		name       string
		asked      string
		candidates []string
		want       string
	}{
		{"one letter off", "ordrs", []string{"customers", "orders"}, "orders"},
		{"swap counts once", "qurey", []string{"query"}, "query"},
		{"case alone wins over an edit", "eu", []string{"el", "EU"}, "EU"},
		{"unicode case", "ÜBER", []string{"über"}, "über"},
		{"a separator", "groupBy", []string{"sort", "group_by"}, "group_by"},
		{"a third of a long name", "customer_adresses_v1", []string{"customer_addresses_v12"}, "customer_addresses_v12"},
		{"too far", "file", []string{"path"}, ""},
		{"nothing shared", "k", []string{"id"}, ""},
		{"the name itself is no suggestion", "a1", []string{"a1"}, ""},
		{"empty name", "", []string{"a"}, ""},
		{"empty candidate", "a", []string{""}, ""},
		{"no candidates", "a", nil, ""},
		{"ties go by name", "col", []string{"coz", "coa"}, "coa"},
		{"ties prefer the same case", "Cola", []string{"colb", "Colb"}, "Colb"},
		{"invalid UTF-8", "ord\xffers", []string{"orders"}, "orders"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := nearest.Best(tt.asked, tt.candidates); got != tt.want {
				t.Errorf("Best(%q, %q) = %q, want %q", tt.asked, tt.candidates, got, tt.want)
			}
		})
	}
}

func TestFind_BestFirstAndBounded(t *testing.T) {
	got := nearest.Find("name", []string{"names", "nome", "NAME", "other", "name", "nome"}, 2)
	if want := []string{"NAME", "names"}; !slices.Equal(got, want) {
		t.Errorf("Find = %q, want %q", got, want)
	}
	if got := nearest.Find("name", []string{"names"}, 0); got != nil {
		t.Errorf("Find with room for none = %q", got)
	}
}

func TestDistance(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "abc", 0}, {"ab", "ba", 1}, {"ca", "abc", 3},
		{"kitten", "sitting", 3}, {"äö", "öä", 1}, {"A", "a", 1},
	}
	for _, tt := range tests {
		if got := nearest.Distance(tt.a, tt.b); got != tt.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

// plain is the textbook recurrence over a whole matrix.
func plain(a, b string) int {
	x, y := []rune(a), []rune(b)
	d := make([][]int, len(x)+1)
	for i := range d {
		d[i] = make([]int, len(y)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(x)][len(y)]
}

func TestProperties(t *testing.T) {
	word := rapid.StringMatching(`[abAB_é]{0,14}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		if got, want := nearest.Distance(a, b), plain(a, b); got != want {
			t.Fatalf("Distance(%q, %q) = %d, want %d", a, b, got, want)
		}
		if nearest.Distance(a, b) != nearest.Distance(b, a) {
			t.Fatalf("Distance(%q, %q) is not symmetric", a, b)
		}
		// What is near is exactly what the rule says, by the plain distance.
		la, lb := strings.Map(unicode.ToLower, a), strings.Map(unicode.ToLower, b)
		n := len([]rune(a))
		d := plain(la, lb)
		near := a != "" && b != "" && a != b && (d == 0 || d <= max(2, n/3) && d < max(n, len([]rune(b))))
		if got := nearest.Best(a, []string{b}) == b && b != ""; got != near {
			t.Fatalf("%q near %q = %v, want %v (distance %d)", b, a, got, near, d)
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		asked := word.Draw(t, "asked")
		names := rapid.SliceOf(word).Draw(t, "names")
		want := nearest.Find(asked, names, 3)
		shuffled := slices.Clone(names)
		rng := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "seed")))
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if got := nearest.Find(asked, shuffled, 3); !slices.Equal(got, want) {
			t.Fatalf("Find(%q) depends on the order: %q and %q", asked, got, want)
		}
	})
}

func TestFind_LongNamesAreMatchedByCaseOnly(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	if got := nearest.Best(long, []string{long + "y"}); got != "" {
		t.Errorf("a name of 1 MiB was compared by distance")
	}
	if got := nearest.Best(long, []string{strings.ToUpper(long)}); got == "" {
		t.Errorf("a name of 1 MiB was not matched by case")
	}
}

func FuzzFind(f *testing.F) {
	f.Add("ordrs", "orders", "customers")
	f.Add("", "\x00", "\xff\xfe")
	f.Add("ſ", "S", "s")
	f.Fuzz(func(t *testing.T, asked, one, two string) {
		known := []string{one, two}
		for _, got := range nearest.Find(asked, known, 2) {
			if got == asked || !slices.Contains(known, got) {
				t.Errorf("Find(%q, %q) suggests %q", asked, known, got)
			}
		}
	})
}

func BenchmarkFind(b *testing.B) {
	names := make([]string, 100_000)
	for i := range names {
		names[i] = fmt.Sprintf("customer_address_%06d", i)
	}
	for b.Loop() {
		nearest.Find("custmer_addrss_031415", names, 3)
	}
}

func ExampleBest() {
	fmt.Println(nearest.Best("quary", []string{"query", "sql", "load_file"}))
	// Output: query
}
