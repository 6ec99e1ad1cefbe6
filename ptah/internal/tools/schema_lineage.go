package tools

import (
	"context"

	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/lineage"
	"github.com/quartet-mcp/quartet/ptah/internal/policy"
)

// This file defines schema_lineage, which says which base columns feed the columns of
// views and routines.

type schemaLineageResult struct {
	lineage.Result
	Notice string `json:"notice" jsonschema:"how to read the texts of this answer"`
}

func schemaLineage(sv *Service) mcpkit.Tool[sourceArgs, *schemaLineageResult] {
	return mcpkit.Tool[sourceArgs, *schemaLineageResult]{
		Name: "schema_lineage", Title: "Trace columns of views to base columns",
		Description: "Use this to learn which base table columns feed each view column of a declared schema, and what breaks when a column changes. " +
			"It returns proven edges through joins, CTEs, set operations and views on views; undecided columns with the reason; " +
			"what routines read and write; and references: columns that filter, join, group or order a view without feeding a value. " +
			"A constant column is in neither list. No database is contacted.",
		Hints: readOnly, Refine: listDialects,
		Handle: func(ctx context.Context, args sourceArgs) (*schemaLineageResult, error) {
			return perform(ctx, sv, plainly(policy.TraceLineage), func(ctx context.Context, rep *finding.Report) (*schemaLineageResult, error) {
				result, err := sv.Reader.Lineage(ctx, args.request(), rep)
				if err != nil {
					return nil, err
				}
				return &schemaLineageResult{Result: *result, Notice: notice}, nil
			})
		},
	}
}
