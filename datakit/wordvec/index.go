package wordvec

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// ErrModelMismatch is returned when vectors of two models, or of two dimensions,
// would be compared.
var ErrModelMismatch = errors.New("vectors of different models cannot be compared")

// Index ranks vectors of one model by cosine similarity, comparing the query
// with each of them. Any number of [Index.Rank] may run at once, none of them
// during an [Index.Add].
type Index struct {
	model   string
	dim     int
	ids     []string
	vectors []float32 // of length 1, one after another
}

// Ranked is one entry of a ranking.
type Ranked struct {
	ID string
	// Score is the cosine of the angle to the query, from -1 to 1.
	Score float64
}

// NewIndex returns an empty index for vectors of the model and dimension.
func NewIndex(model string, dim int) (*Index, error) {
	if model == "" || dim < 1 {
		return nil, fmt.Errorf("an index needs a model and a dimension of at least 1, got %q and %d", model, dim)
	}
	return &Index{model: model, dim: dim}, nil
}

// Model returns the model whose vectors the index holds.
func (x *Index) Model() string { return x.model }

// Dim returns the dimension of the vectors.
func (x *Index) Dim() int { return x.dim }

// Len returns the number of vectors.
func (x *Index) Len() int { return len(x.ids) }

// Add puts a copy of a vector that model made into the index. A vector of
// another model or dimension is refused with [ErrModelMismatch], one that holds
// a NaN or an infinity with another error. The zero vector, which is like
// nothing, is left out. IDs are not checked for repetition.
func (x *Index) Add(model, id string, vector []float32) error {
	zero, err := x.check(model, vector)
	if err != nil {
		return fmt.Errorf("adding the vector of %q: %w", id, err)
	}
	if zero {
		return nil
	}
	x.ids = append(x.ids, id)
	x.vectors = append(x.vectors, vector...)
	normalise(x.vectors[len(x.vectors)-x.dim:])
	return nil
}

func (x *Index) check(model string, vector []float32) (zero bool, err error) {
	if model != x.model {
		return false, fmt.Errorf("%w: %q and %q", ErrModelMismatch, model, x.model)
	}
	if len(vector) != x.dim {
		return false, fmt.Errorf("%w: %d dimensions and %d", ErrModelMismatch, len(vector), x.dim)
	}
	zero = true
	for _, v := range vector {
		if v != 0 {
			zero = false
		}
		if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
			return false, fmt.Errorf("a component is %v", v)
		}
	}
	return zero, nil
}

// Rank returns the k vectors most like query, which model made, in descending
// order of score, equal scores in ascending order of ID; k of 0 or less returns
// all. Only IDs for which keep returns true are considered; nil keeps all. A
// zero query is like nothing and gives an empty ranking.
func (x *Index) Rank(model string, query []float32, k int, keep func(id string) bool) ([]Ranked, error) {
	ranking := []Ranked{}
	zero, err := x.check(model, query)
	if err != nil {
		return nil, fmt.Errorf("ranking: %w", err)
	}
	if zero {
		return ranking, nil
	}
	query = slices.Clone(query)
	normalise(query)
	better := func(a, b Ranked) int {
		if c := cmp.Compare(b.Score, a.Score); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	}
	worst := math.Inf(-1) // what an entry must score once there are enough
	for i, id := range x.ids {
		score := float64(dot(query, x.vectors[i*x.dim:(i+1)*x.dim]))
		if score < worst || keep != nil && !keep(id) {
			continue
		}
		ranking = append(ranking, Ranked{id, score})
		// Cutting to the best so far, each time there are twice as many, spares
		// sorting everything.
		if k > 0 && len(ranking) >= 2*k && len(ranking) >= 128 {
			slices.SortFunc(ranking, better)
			ranking = ranking[:k]
			worst = ranking[k-1].Score
		}
	}
	slices.SortFunc(ranking, better)
	if k > 0 && len(ranking) > k {
		ranking = ranking[:k]
	}
	for i := range ranking {
		// Rounding must not make a vector more than equal to itself.
		ranking[i].Score = max(-1, min(1, ranking[i].Score))
	}
	return ranking, nil
}

// dot is the inner product of vectors of one length, in four sums that the
// processor can work on at once.
func dot(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float32
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}
