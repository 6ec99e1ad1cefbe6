package tools

import (
	"context"
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/vectro/internal/engine"
	question "github.com/quartet-mcp/quartet/vectro/internal/engine/query"
)

// This file defines query, which answers a question about one table without SQL.

type queryArgs struct {
	Table      string         `json:"table" jsonschema:"a loaded table"`
	Filter     string         `json:"filter,omitempty" jsonschema:"which rows: an expression, e.g. region == 'EU' && price > 100"`
	Aggregates object[string] `json:"aggregates,omitempty"`
	GroupBy    mcpkit.Strings `json:"group_by,omitempty" jsonschema:"columns to aggregate by; needs aggregates"`
	Sort       mcpkit.Strings `json:"sort,omitempty" jsonschema:"columns, aggregate names or expressions to order by; a leading - for largest first"`
	Limit      int            `json:"limit,omitempty" jsonschema:"rows to return; above 500 counts as 500" minimum:"0" maximum:"500" default:"50"`
}

// queryResult has one count: groups when grouped, matching_rows when neither
// grouped nor aggregated, none for totals.
type queryResult struct {
	Groups       *int64            `json:"groups,omitempty" jsonschema:"number of groups, when group_by was given"`
	MatchingRows *int64            `json:"matching_rows,omitempty" jsonschema:"number of rows that match, when no aggregates were given"`
	Returned     *int              `json:"returned,omitempty" jsonschema:"number of rows in this result"`
	Rows         []json.RawMessage `json:"rows"`
	Hints        []string          `json:"hints,omitempty" jsonschema:"labels of the filter that the table does not have"`
	timed
}

func (r queryResult) returnedRows() []json.RawMessage { return r.Rows }

func query(sv *Service) mcpkit.Tool[queryArgs, queryResult] {
	return mcpkit.Tool[queryArgs, queryResult]{
		Name:  "query",
		Title: "Ask about one table",
		Description: "Use it for any question about one table: which rows match, totals, totals per group, the largest ones. " +
			"filter, aggregates and sort are expressions over the columns, e.g. region == 'EU' && price > 100 or sum(price * qty); text goes in quotes. " +
			"Returns the groups, the totals or the matching rows, and how many there are; at most 500 rows, 50 unless limit says otherwise. " +
			"Use describe_table first to see columns and labels, sql for joins.",
		Hints:      mcpkit.Hints{ReadOnly: true, Idempotent: true},
		OutOfRange: mcpkit.Cap,
		Refine: func(in, out *jsonschema.Schema) {
			in.Properties["aggregates"] = &jsonschema.Schema{
				Type:        "object",
				Description: "what to compute, by the name it gets: {\"total\": \"sum(price)\"}; sum, mean, min, max, count(), count(condition), countDistinct",
				AdditionalProperties: &jsonschema.Schema{
					Type: "string", Description: "an aggregate, e.g. sum(price * qty)",
				},
			}
			between(1, 16, in.Properties["group_by"])
			between(1, 16, in.Properties["sort"])
			out.Properties["rows"] = rowList("the groups, the totals, or the matching rows")
		},
		Handle: handle(sv, "query", func(ctx context.Context, e *engine.Engine, in queryArgs) (queryResult, error) {
			q := question.Question{Filter: in.Filter, GroupBy: in.GroupBy, Sort: in.Sort, Limit: in.Limit}
			for _, m := range in.Aggregates {
				q.Aggregates = append(q.Aggregates, question.Named{Name: m.Name, Text: m.Value})
			}
			a, err := e.Query(ctx, in.Table, q, progress(ctx))
			if err != nil {
				return queryResult{}, err
			}
			res := queryResult{Rows: sv.encoder().rows(a.Rows), Hints: sv.hints(a.Hints)}
			returned := len(res.Rows)
			switch {
			case len(in.GroupBy) > 0:
				res.Groups, res.Returned = &a.Total, &returned
			case len(in.Aggregates) == 0:
				res.MatchingRows, res.Returned = &a.Total, &returned
			}
			return res, nil
		}),
	}
}

// between bounds the length of the list in a [mcpkit.Strings] argument.
func between(lo, hi int, s *jsonschema.Schema) {
	for _, branch := range s.AnyOf {
		if branch.Type == "array" {
			branch.MinItems, branch.MaxItems = &lo, &hi
		}
	}
}
