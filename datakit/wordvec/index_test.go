package wordvec

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newIndex(t testing.TB, dim int) *Index {
	t.Helper()
	x, err := NewIndex("m/1", dim)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestIndex_RefusesToMix(t *testing.T) {
	x := newIndex(t, 2)
	if err := x.Add("m/1", "a", []float32{1, 0}); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name   string
		model  string
		vector []float32
		want   string
	}{
		{"another model", "m/2", []float32{1, 0}, `vectors of different models cannot be compared: "m/2" and "m/1"`},
		{"another dimension", "m/1", []float32{1, 0, 0}, "vectors of different models cannot be compared: 3 dimensions and 2"},
		{"no vector", "m/1", nil, "vectors of different models cannot be compared: 0 dimensions and 2"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := x.Add(tc.model, "b", tc.vector)
			if !errors.Is(err, ErrModelMismatch) || err.Error() != `adding the vector of "b": `+tc.want {
				t.Errorf("Add: %v, want %s", err, tc.want)
			}
			_, err = x.Rank(tc.model, tc.vector, 1, nil)
			if !errors.Is(err, ErrModelMismatch) || err.Error() != "ranking: "+tc.want {
				t.Errorf("Rank: %v, want %s", err, tc.want)
			}
		})
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		v := []float32{1, float32(bad)}
		if err := x.Add("m/1", "b", v); err == nil || errors.Is(err, ErrModelMismatch) {
			t.Errorf("Add of %v: %v", v, err)
		}
		if _, err := x.Rank("m/1", v, 1, nil); err == nil {
			t.Errorf("Rank of %v gave no error", v)
		}
	}
	if x.Len() != 1 || x.Model() != "m/1" || x.Dim() != 2 {
		t.Errorf("Len %d, Model %q, Dim %d", x.Len(), x.Model(), x.Dim())
	}
	for _, bad := range []struct {
		model string
		dim   int
	}{{"", 2}, {"m", 0}, {"m", -1}} {
		if _, err := NewIndex(bad.model, bad.dim); err == nil {
			t.Errorf("NewIndex(%q, %d) gave no error", bad.model, bad.dim)
		}
	}
}

func TestIndex_Rank(t *testing.T) {
	x := newIndex(t, 2)
	for id, v := range map[string][]float32{"east": {3, 0}, "north": {0, 5}, "west": {-1, 0}, "northeast": {2, 2}, "east too": {0.5, 0}, "nothing": {0, 0}} {
		if err := x.Add("m/1", id, v); err != nil {
			t.Fatal(err)
		}
	}
	rank := func(q []float32, k int, keep func(string) bool) string {
		t.Helper()
		r, err := x.Rank("m/1", q, k, keep)
		if err != nil {
			t.Fatal(err)
		}
		var s []string
		for _, e := range r {
			s = append(s, fmt.Sprintf("%s %.4f", e.ID, e.Score))
		}
		return strings.Join(s, ", ")
	}
	query := []float32{7, 0}
	for _, tc := range []struct {
		name string
		k    int
		keep func(string) bool
		want string
	}{
		{"all", 0, nil, "east 1.0000, east too 1.0000, northeast 0.7071, north 0.0000, west -1.0000"},
		{"the best", 3, nil, "east 1.0000, east too 1.0000, northeast 0.7071"},
		{"some", 2, func(id string) bool { return !strings.HasPrefix(id, "east") }, "northeast 0.7071, north 0.0000"},
		{"none", 2, func(string) bool { return false }, ""},
	} {
		if got := rank(query, tc.k, tc.keep); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
	if got := rank([]float32{0, 0}, 0, nil); got != "" {
		t.Errorf("the zero query ranks %s", got)
	}
	if !slices.Equal(query, []float32{7, 0}) {
		t.Errorf("Rank changed the query to %v", query)
	}
}

// Cutting early gives the same as sorting everything.
func TestIndex_RankOfMany(t *testing.T) {
	x := newIndex(t, 5)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 3000 {
		v := make([]float32, 5)
		for d := range v {
			v[d] = float32(rng.IntN(5) - 2) // few values, many equal scores
		}
		if err := x.Add("m/1", fmt.Sprintf("t%d", rng.IntN(1e6)*3000+i), v); err != nil {
			t.Fatal(err)
		}
	}
	query := []float32{1, -2, 0.5, 0, 3}
	all, err := x.Rank("m/1", query, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []int{1, 10, 63, 64, 65, 500, 2999, 5000} {
		got, err := x.Rank("m/1", query, k, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(got, all[:min(k, len(all))]); diff != "" {
			t.Errorf("k = %d (-got +want):\n%s", k, diff)
		}
	}
}

func TestDot(t *testing.T) {
	for n := range 9 {
		var a, b []float32
		var want float32
		for i := range n {
			a, b = append(a, float32(i+1)), append(b, float32(2*i-3))
			want += float32(i+1) * float32(2*i-3)
		}
		if got := dot(a, b); got != want {
			t.Errorf("dot of %d components = %v, want %v", n, got, want)
		}
	}
}
