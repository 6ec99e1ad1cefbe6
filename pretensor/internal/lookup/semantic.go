package lookup

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/pretensor/internal/embed"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// Why there is no ranking by meaning, beside [embed.NotConfigured] and
// [embed.Disabled].
const (
	NoVectors      = "no_vectors"
	ModelMismatch  = "model_mismatch"
	EmbedderFailed = "embedder_failed"
)

// Why [Index.Similar] found what it found.
const (
	SimilarNearest     = "nearest_by_embedding"
	SimilarNoEmbedding = "no_embedding"
	SimilarDisabled    = "disabled"
	SimilarNone        = "none_above_floor"
	SimilarError       = "error"
)

// similarFloor is the cosine from which on two tables are called similar.
const similarFloor = 0.3

// Near is a table near a question or another table. Its score is the cosine.
type Near struct {
	Hit
	Cluster int // its place in Catalog.Clusters, or -1
}

// Meaning is the tables nearest to a question, or why there are none.
type Meaning struct {
	Reason string // empty: there is a ranking, if an empty one
	Hits   []Near // nearest first, then by name; never nil
}

// Semantic ranks tables by the cosine of their vectors and the question's. cluster is
// the number in the id of a cluster, to which the ranking is confined; nil for none.
// Whether there are vectors to compare with is found out before the question is
// embedded.
func (x *Index) Semantic(ctx context.Context, e *embed.Embedder, q Question, cluster *int) (*Meaning, error) {
	question, reason, err := x.embed(ctx, e, q)
	if err != nil {
		return nil, err
	}
	m := &Meaning{Reason: reason, Hits: []Near{}}
	if reason != "" {
		return m, nil
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	m.Hits = x.tables(x.near(q, question, q.Limit, cluster))
	return m, nil
}

// Similar finds the k tables most like a table of the same connection, nearest
// first, and says why there are none; a k of 0 or less finds all.
func (x *Index) Similar(e *embed.Embedder, connection string, table, k int) (hits []Near, reason string) {
	if e.Reason() == embed.Disabled {
		return []Near{}, SimilarDisabled
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	in := x.connections[connection]
	if in == nil || table < 0 || table >= in.catalog.Len() {
		return []Near{}, SimilarError
	}
	if !in.embedded[table] {
		return []Near{}, SimilarNoEmbedding
	}
	if k > 0 {
		k += slack
	}
	v := &in.catalog.Vectors
	ranking, err := in.vectors.Rank(v.Model, v.Tables[table], k, func(id string) bool { return id != in.ids[table] })
	if err != nil {
		return []Near{}, SimilarError
	}
	var near []ranked
	for _, r := range ranking {
		if r.Score >= similarFloor {
			near = append(near, ranked{r.ID, model.Round(r.Score)})
		}
	}
	if len(near) == 0 {
		return []Near{}, SimilarNone
	}
	slices.SortFunc(near, compare)
	return x.tables(first(near, k-slack)), SimilarNearest
}

// embedded is the vector of a question and the model that made it.
type embedded struct {
	model  string
	vector []float32
}

// embed embeds a question if there are vectors to compare it with, else it says why
// not. Its error is that ctx ended. No lock is held while the provider works.
func (x *Index) embed(ctx context.Context, e *embed.Embedder, q Question) (embedded, string, error) {
	if reason := e.Reason(); reason != "" {
		return embedded{}, reason, nil
	}
	p := e.Provider()
	model := p.Model()
	if reason := x.probe(q, model, 0); reason != "" {
		return embedded{}, reason, nil
	}
	vector, err := e.Question(ctx, q.Text)
	if ctx.Err() != nil {
		return embedded{}, "", ctx.Err()
	}
	if err != nil || len(vector) == 0 {
		return embedded{}, EmbedderFailed, nil //nolint:nilerr // a reason is a result here
	}
	return embedded{model, vector}, x.probe(q, model, len(vector)), nil
}

// probe says why none of the asked connections has vectors of a model and, unless it
// is 0, a dimension. A connection of which everything was hidden has an empty
// ranking, not none.
func (x *Index) probe(q Question, model string, dim int) string {
	x.mu.RLock()
	defer x.mu.RUnlock()
	wanted := q.wanted()
	reason := NoVectors
	for _, in := range x.connections {
		if in.vectors == nil || !wanted(in) || in.vectors.Len() == 0 && in.catalog.Len() > 0 {
			continue
		}
		if in.vectors.Model() == model && (dim == 0 || in.vectors.Dim() == dim) {
			return ""
		}
		if in.vectors.Len() > 0 {
			reason = ModelMismatch
		}
	}
	return reason
}

// near ranks the tables of the asked connections by their cosine with the question:
// the k best, then by name and connection.
func (x *Index) near(q Question, question embedded, k int, cluster *int) []ranked {
	ask := k
	if k > 0 {
		ask += slack
	}
	wanted := q.wanted()
	var near []ranked
	for _, in := range x.connections {
		if in.vectors == nil || !wanted(in) {
			continue
		}
		var keep func(id string) bool
		if cluster != nil {
			keep = func(id string) bool {
				i := in.cluster[x.places[id].table]
				return i >= 0 && in.catalog.Clusters[i].Number == *cluster
			}
		}
		// What is refused is of another model or dimension.
		ranking, err := in.vectors.Rank(question.model, question.vector, ask, keep)
		if err != nil {
			continue
		}
		for _, r := range ranking {
			near = append(near, ranked{r.ID, model.Round(r.Score)})
		}
	}
	name := func(r ranked) string {
		p := x.places[r.id]
		return p.in.catalog.Name(p.table)
	}
	slices.SortFunc(near, func(a, b ranked) int {
		if c := cmp.Compare(b.score, a.score); c != 0 {
			return c
		}
		return cmp.Or(strings.Compare(name(a), name(b)), strings.Compare(a.id, b.id))
	})
	return first(near, k)
}

// tables makes hits of tables that no words were looked for in.
func (x *Index) tables(near []ranked) []Near {
	hits := make([]Near, len(near))
	m := newMatcher(nil, x.spell)
	for i, n := range near {
		p := x.places[n.id]
		hits[i] = Near{Hit: m.hit(p, n.score), Cluster: p.in.cluster[p.table]}
	}
	return hits
}
