package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"math"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/vectro/internal/engine"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// This file defines search_similar, which ranks rows by the cosine similarity of
// their embeddings.

type searchSimilarArgs struct {
	Table  string    `json:"table" jsonschema:"a table with embeddings"`
	Like   *like     `json:"like,omitempty" jsonschema:"the row to compare with, found by a column's value"`
	Vector []float64 `json:"vector,omitempty" jsonschema:"an embedding of the stored length"`
	K      int       `json:"k,omitempty" jsonschema:"rows to return; above 500 counts as 500" minimum:"1" maximum:"500" default:"10"`
	Filter string    `json:"filter,omitempty" jsonschema:"which rows may be returned: an expression, e.g. year >= 2020"`
}

type like struct {
	Column string          `json:"column" jsonschema:"the column to look in"`
	Value  json.RawMessage `json:"value"`
}

type searchSimilarResult struct {
	Returned int               `json:"returned" jsonschema:"number of rows in this result"`
	Rows     []json.RawMessage `json:"rows"`
	Hints    []string          `json:"hints,omitempty" jsonschema:"labels of the filter that the table does not have"`
	timed
}

func (r searchSimilarResult) returnedRows() []json.RawMessage { return r.Rows }

func searchSimilar(sv *Service) mcpkit.Tool[searchSimilarArgs, searchSimilarResult] {
	return mcpkit.Tool[searchSimilarArgs, searchSimilarResult]{
		Name:  "search_similar",
		Title: "Find similar rows",
		Description: "Use it on a table loaded from lines that carry an embedding, to find the rows most similar to one of them (like) or to a vector. " +
			"Give exactly one of like and vector. Returns k rows (10 unless said otherwise, at most 500), best first, each with the table's columns and score, " +
			"the cosine similarity. A row found through like is among the results, unless the filter leaves it out.",
		Hints:      mcpkit.Hints{ReadOnly: true, Idempotent: true},
		OutOfRange: mcpkit.Cap,
		Refine: func(in, out *jsonschema.Schema) {
			in.Properties["like"].Properties["value"] = &jsonschema.Schema{
				Description: "the value to find; the first row that has it counts",
				AnyOf:       []*jsonschema.Schema{{Type: "string"}, {Type: "number"}, {Type: "boolean"}},
			}
			out.Properties["rows"] = rowList("the rows, best first, each with its score")
		},
		Handle: handle(sv, "search_similar", func(ctx context.Context, e *engine.Engine, in searchSimilarArgs) (searchSimilarResult, error) {
			req := engine.SimilarRequest{Table: in.Table, K: in.K, Filter: in.Filter}
			switch {
			case in.Like != nil && in.Vector != nil:
				return searchSimilarResult{}, mcpkit.Errorf(mcpkit.InvalidArgument, "give like or vector, not both")
			case in.Vector != nil:
				vector, err := floats(in.Vector)
				if err != nil {
					return searchSimilarResult{}, err
				}
				req.Vector = vector
			case in.Like != nil:
				value, err := literal(in.Like.Value)
				if err != nil {
					return searchSimilarResult{}, err
				}
				req.Like = engine.Like{Column: in.Like.Column, Value: value}
			default:
				return searchSimilarResult{}, mcpkit.Errorf(mcpkit.InvalidArgument, "give like or vector: the row or the numbers to compare with")
			}
			s, err := e.Similar(ctx, req, progress(ctx))
			if err != nil {
				return searchSimilarResult{}, err
			}
			rows := sv.encoder().rows(withScore(s))
			return searchSimilarResult{Returned: len(rows), Rows: rows, Hints: sv.hints(s.Hints)}, nil
		}),
	}
}

// withScore puts the score, rounded to six decimals, behind the columns. A
// column of that name gives way.
func withScore(s *engine.Similar) engine.Rows {
	var keep []int
	r := engine.Rows{Values: make([][]plan.Value, len(s.Values))}
	for i, f := range s.Schema {
		if f.Name != "score" {
			keep = append(keep, i)
			r.Schema = append(r.Schema, f)
		}
	}
	r.Schema = append(r.Schema, plan.Field{Name: "score", Type: plan.Type{Base: plan.Float}})
	for i, row := range s.Values {
		for _, j := range keep {
			r.Values[i] = append(r.Values[i], row[j])
		}
		score := math.Round(s.Scores[i]*1e6) / 1e6
		r.Values[i] = append(r.Values[i], plan.Value{Base: plan.Float, F: score})
	}
	return r
}

func floats(in []float64) ([]float32, error) {
	out := make([]float32, len(in))
	for i, x := range in {
		out[i] = float32(x)
		if math.IsInf(float64(out[i]), 0) {
			return nil, mcpkit.Errorf(mcpkit.InvalidArgument, "vector[%d] is %g, which a 32-bit number cannot hold", i, x)
		}
	}
	return out, nil
}

// literal reads a JSON scalar, whole numbers exactly.
func literal(data json.RawMessage) (*plan.Literal, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case string:
		return plan.NewString(v), nil
	case bool:
		return plan.NewBool(v), nil
	case json.Number:
		return plan.NewNumber(v.String()), nil
	}
	return nil, mcpkit.Errorf(mcpkit.InvalidArgument, "like.value must be text, a number or true or false")
}
