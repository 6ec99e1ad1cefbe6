package engine

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/caret"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/exec"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/expr"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/vec"
)

// SimilarRequest asks for the rows nearest to a vector, or to the row found by
// Like when Vector is nil.
type SimilarRequest struct {
	Table  string
	Like   Like
	Vector []float32
	K      int
	Filter string
}

// Like finds a row: the first one whose column equals the value.
type Like struct {
	Column string
	Value  *plan.Literal
}

// Similar is the answer: rows in order of falling score, and their scores.
type Similar struct {
	Rows
	Scores []float64
	Hints  []string // as in [Answer]
}

// Similar ranks the rows of a table by cosine similarity.
func (e *Engine) Similar(ctx context.Context, req SimilarRequest, progress func(done, total int64)) (*Similar, error) {
	s, err := e.acquire(req.Table)
	if err != nil {
		return nil, err
	}
	defer s.release()
	emb := s.Embedding
	if emb == nil {
		return nil, &Error{Code: "no_embeddings", Message: fmt.Sprintf(
			"%s has no embeddings; load a .jsonl file whose lines carry an array of numbers.", caret.Quote(s.Name))}
	}
	scan := plan.NewScan(s.Table, "")
	schema := scan.Schema()
	var keep col.Bitmap
	var missed []string
	if req.Filter != "" {
		cond, err := expr.CompileFilter(req.Filter, schema, e.env())
		if err != nil {
			return nil, err
		}
		if keep, err = exec.Select(ctx, s.Table, cond, e.run(0, progress)); err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(keep, func(word uint64) bool { return word != 0 }) {
			missed = hints(&plan.Filter{In: scan, Cond: cond})
		}
	}
	query, self := req.Vector, -1
	if query == nil {
		if self, err = e.rowLike(ctx, s.Table, schema, req.Like); err != nil {
			return nil, err
		}
		switch {
		case !emb.Has.Get(self):
			return nil, &Error{Code: "no_embedding", Message: "The row found by like has no embedding (line was without one)."}
		case emb.Inv[self] == 0:
			return nil, &Error{Code: "no_direction", Message: "The embedding of the row found by like is all zeros, which has no direction."}
		}
		query = emb.Row(self)
	} else if len(query) != emb.Dim {
		return nil, &Error{Code: "wrong_dimension", Message: fmt.Sprintf("vector has %d numbers; the table stores %d.", len(query), emb.Dim)}
	}
	hits, err := vec.Search(ctx, emb, query, req.K, keep, self, vec.Options{Threads: e.opts.Threads})
	if err != nil {
		return nil, err
	}
	rows := make([]int, len(hits))
	scores := make([]float64, len(hits))
	for i, h := range hits {
		rows[i], scores[i] = h.Row, h.Score
	}
	return &Similar{Rows: fetch(s.Table, rows), Scores: scores, Hints: missed}, nil
}

// rowLike returns the first row whose column equals the value.
func (e *Engine) rowLike(ctx context.Context, t *col.Table, schema plan.Schema, like Like) (int, error) {
	i, err := expr.FindColumn(like.Column, schema)
	if err != nil {
		return 0, err
	}
	eq, err := plan.Bind("eq", []plan.Expr{&plan.Column{Index: i, Field: schema[i]}, like.Value})
	if err != nil {
		return 0, err
	}
	match, err := exec.Select(ctx, t, eq, e.run(0, nil))
	if err != nil {
		return 0, err
	}
	for w, word := range match {
		if word != 0 {
			return w*64 + bits.TrailingZeros64(word), nil
		}
	}
	return 0, &Error{Code: "no_row", Message: fmt.Sprintf("No row of %s has %s = %s.", caret.Quote(t.Name), caret.Clean(schema[i].Name), caret.Clean(plan.Format(like.Value)))}
}
