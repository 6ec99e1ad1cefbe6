package wordvec

import (
	"context"
	"math"
)

// A Provider makes vectors of one model. Providers are safe for concurrent use.
type Provider interface {
	// Embed returns one vector of length 1 per text, in the order of the texts;
	// a text that holds nothing the model knows gets the zero vector. With an
	// error it may return the vectors it has, nil in place of the others.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	// Model names the model and its revision; vectors are comparable only when
	// it is equal.
	Model() string
	// Dim is the dimension of the vectors, 0 when it is not known yet.
	Dim() int
}

var (
	_ Provider = (*Builtin)(nil)
	_ Provider = (*HTTP)(nil)
)

// normalise scales v to length 1 in place; the zero vector stays.
func normalise(v []float32) {
	var square float64
	for _, x := range v {
		square += float64(x) * float64(x)
	}
	if square == 0 {
		return
	}
	f := 1 / math.Sqrt(square)
	for i, x := range v {
		v[i] = float32(float64(x) * f)
	}
}
