package vec

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// matrix builds an embedding as a reader would; a nil row is one without a vector.
func matrix(dim int, rows ...[]float32) *col.Embedding {
	e := col.NewEmbedding("v", dim, len(rows))
	for i, r := range rows {
		if r != nil {
			e.Set(i, r)
		}
	}
	return e
}

// cosine is the definition, in float64.
func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	return ab / math.Sqrt(aa) / math.Sqrt(bb)
}

func rowsOf(hits []Hit) []int {
	rows := []int{}
	for _, h := range hits {
		rows = append(rows, h.Row)
	}
	return rows
}

func search(t *testing.T, e *col.Embedding, q []float32, k int, keep col.Bitmap, self int) []Hit {
	t.Helper()
	hits, err := Search(context.Background(), e, q, k, keep, self, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return hits
}

func TestSearch_RanksAndTies(t *testing.T) {
	e := matrix(2, []float32{0, 1}, []float32{2, 0}, nil, []float32{1, 0}, []float32{0, 0}, []float32{-1, 0}, []float32{4, 0})
	even := col.NewBitmap(7)
	for i := 0; i < 7; i += 2 {
		even.Set(i)
	}
	tests := []struct {
		name string
		k    int
		keep col.Bitmap
		self int
		want []int
	}{
		{"equal scores in table order", 3, nil, -1, []int{1, 3, 6}},
		{"k cuts a tie in table order", 2, nil, -1, []int{1, 3}},
		{"k beyond the table; no vector and zeros stay out", 100, nil, -1, []int{1, 3, 6, 0, 5}},
		{"self first before equal ones", 3, nil, 6, []int{6, 1, 3}},
		{"self alone", 1, nil, 6, []int{6}},
		{"filter before top k", 2, even, -1, []int{6, 0}},
		{"self filtered out", 3, even, 3, []int{6, 0}},
		{"no row kept", 3, col.NewBitmap(7), 3, []int{}},
		{"k zero", 0, nil, -1, []int{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			hits := search(t, e, []float32{1, 0}, tt.k, tt.keep, tt.self)
			if got := rowsOf(hits); !slices.Equal(got, tt.want) {
				t.Errorf("rows = %v, want %v", got, tt.want)
			}
			if tt.self >= 0 && len(hits) > 0 && hits[0].Row == tt.self && hits[0].Score != 1 {
				t.Errorf("score of self = %v, want exactly 1", hits[0].Score)
			}
		})
	}
	hits := search(t, e, []float32{1, 0}, 7, nil, -1)
	for i, want := range []float64{1, 1, 1, 0, -1} {
		if hits[i].Score != want {
			t.Errorf("score %d = %v, want %v", i, hits[i].Score, want)
		}
	}
}

func TestSearch_Refusals(t *testing.T) {
	e := matrix(3, []float32{1, 2, 3})
	tests := []struct {
		query []float32
		want  string
	}{
		{[]float32{0, 0, 0}, "vector is all zeros, which has no direction."},
		{[]float32{1, 2}, "vector has 2 numbers; the table stores 3."},
		{nil, "vector has 0 numbers; the table stores 3."},
		{[]float32{1, float32(math.NaN()), 0}, "vector has a number at position 2 that is not finite as a 32-bit float."},
		{[]float32{1, 0, float32(math.Inf(-1))}, "vector has a number at position 3 that is not finite as a 32-bit float."},
	}
	for _, tt := range tests {
		_, err := Search(context.Background(), e, tt.query, 1, nil, -1, Options{})
		if err == nil || err.Error() != tt.want {
			t.Errorf("Search(%v): error %v, want %q", tt.query, err, tt.want)
		}
	}
}

func TestSearch_EmptyTable(t *testing.T) {
	if hits := search(t, matrix(2), []float32{1, 0}, 5, nil, -1); len(hits) != 0 {
		t.Errorf("hits = %v, want none", hits)
	}
}

func TestSearch_ExtremeMagnitudes(t *testing.T) {
	const huge, tiny = math.MaxFloat32, math.SmallestNonzeroFloat32
	dim := 1500 // more than one block of the dot product
	fill := func(x float32) []float32 { return slices.Repeat([]float32{x}, dim) }
	half := fill(huge)
	clear(half[dim/2:])
	e := matrix(dim, fill(-huge), half, fill(huge), fill(1e-37), fill(1e-30))
	for _, q := range [][]float32{fill(huge), fill(tiny), fill(1)} {
		hits := search(t, e, q, 5, nil, -1)
		if got, want := rowsOf(hits), []int{2, 3, 4, 1, 0}; !slices.Equal(got[3:], want[3:]) {
			t.Errorf("rows = %v, want %v", got, want)
		}
		for _, h := range hits {
			want := cosine(q, e.Row(h.Row))
			if !(math.Abs(h.Score-want) < 1e-5) {
				t.Errorf("query of %g, row %d: score %v, want %v", q[0], h.Row, h.Score, want)
			}
		}
	}
}

func TestSearch_Cancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	e := random(20_000, 64)
	_, err := Search(ctx, e, e.Row(0), 3, nil, -1, Options{Threads: 3})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want %v", err, context.Canceled)
	}
}

// TestSearch_AgreesWithDefinition compares with the definition over small tables
// of few distinct values, which makes ties, zero rows and equal vectors common.
func TestSearch_AgreesWithDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dim := rapid.IntRange(1, 20).Draw(t, "dim")
		n := rapid.IntRange(0, 300).Draw(t, "rows")
		value := rapid.Map(rapid.IntRange(-2, 2), func(i int) float32 { return float32(i) })
		if rapid.Bool().Draw(t, "fractions") {
			value = rapid.Float32Range(-10, 10)
		}
		vector := rapid.SliceOfN(value, dim, dim)
		rows := make([][]float32, n)
		for i := range rows {
			if rapid.IntRange(0, 9).Draw(t, "absent") > 0 {
				rows[i] = vector.Draw(t, "row")
			}
		}
		e := matrix(dim, rows...)
		var keep col.Bitmap
		if rapid.Bool().Draw(t, "filter") {
			keep = col.NewBitmap(n)
			for i := range rows {
				if rapid.Bool().Draw(t, "keep") {
					keep.Set(i)
				}
			}
		}
		self := rapid.IntRange(-1, n-1).Draw(t, "self")
		var query []float32
		if self >= 0 && rows[self] != nil {
			query = rows[self]
		} else {
			self, query = -1, vector.Draw(t, "query")
		}
		if norm(query) == 0 {
			t.Skip("a zero query is refused")
		}
		k := rapid.IntRange(1, n+3).Draw(t, "k")

		got, err := Search(context.Background(), e, query, k, keep, self, Options{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		threaded, err := Search(context.Background(), e, query, k, keep, self, Options{Threads: 4})
		if err != nil || !slices.Equal(got, threaded) {
			t.Fatalf("four threads give %v (%v), one gives %v", threaded, err, got)
		}

		want := map[int]float64{} // every row that qualifies
		for i, r := range rows {
			if r != nil && norm(r) > 0 && keep.Get(i) {
				want[i] = cosine(query, r)
			}
		}
		if len(got) != min(k, len(want)) {
			t.Fatalf("%d hits, want %d", len(got), min(k, len(want)))
		}
		seen := map[int]bool{}
		for i, h := range got {
			w, ok := want[h.Row]
			if !ok || seen[h.Row] || math.Abs(h.Score-w) > 1e-5 {
				t.Fatalf("hit %d is %v; cosine %v, qualifies %v, seen %v", i, h, w, ok, seen[h.Row])
			}
			seen[h.Row] = true
			if i > 0 && i-1 >= b2i(self >= 0) && order(got[i-1], h) >= 0 {
				t.Fatalf("hits %d and %d out of order: %v", i-1, i, got)
			}
		}
		if self >= 0 && keep.Get(self) && (got[0] != Hit{Row: self, Score: 1}) {
			t.Fatalf("first hit %v, want row %d with 1", got[0], self)
		}
		// Whatever was left out is not better than what was returned.
		if len(got) > 0 {
			last := got[len(got)-1]
			for i, w := range want {
				if !seen[i] && w > last.Score+1e-5 {
					t.Fatalf("row %d with %v was left out; the last hit is %v", i, w, last)
				}
			}
		}
	})
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestDot_LongVectorsKeepPrecision(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 7, 8, 9, 1023, 1024, 1025, 5000} {
		a, b := make([]float32, n), make([]float32, n)
		var want float64
		for i := range a {
			a[i], b[i] = r.Float32(), r.Float32()
			want += float64(a[i]) * float64(b[i])
		}
		if got := dot(a, b); math.Abs(got-want) > 1e-6*(want+1) {
			t.Errorf("dot of %d = %v, want %v", n, got, want)
		}
	}
}

// TestSearch_ThreadsDoNotShow runs a table of many ranges.
func TestSearch_ThreadsDoNotShow(t *testing.T) {
	e := random(30_000, 48)
	e.Set(20_000, e.Row(5)) // equal vectors in different ranges
	want := search(t, e, e.Row(5), 200, nil, -1)
	if want[0].Row != 5 || want[1].Row != 20_000 {
		t.Errorf("first hits %v, want rows 5 and 20000", want[:2])
	}
	for threads := 2; threads <= 9; threads++ {
		got, err := Search(context.Background(), e, e.Row(5), 200, nil, -1, Options{Threads: threads})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%d threads: other hits than one thread (%v)", threads, err)
		}
	}
}

func random(n, dim int) *col.Embedding {
	r := rand.New(rand.NewPCG(uint64(n), uint64(dim)))
	e := col.NewEmbedding("v", dim, n)
	v := make([]float32, dim)
	for i := range n {
		for j := range v {
			v[j] = float32(r.NormFloat64())
		}
		e.Set(i, v)
	}
	return e
}

func BenchmarkSearch(b *testing.B) {
	e := random(100_000, 384)
	q := e.Row(77)
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("100k×384/threads=%d", threads), func(b *testing.B) {
			b.SetBytes(int64(len(e.Data)) * 4)
			for b.Loop() {
				if _, err := Search(context.Background(), e, q, 10, nil, -1, Options{Threads: threads}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
