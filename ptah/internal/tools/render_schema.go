package tools

import (
	"context"

	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/policy"
)

// This file defines render_schema, which returns the statements that make a declared
// schema.

type renderSchemaResult struct {
	Dialect    string   `json:"dialect" jsonschema:"the dialect's canonical name"`
	Statements []string `json:"statements" jsonschema:"one statement each, ending in a semicolon; executed in order on an empty database they make the schema"`
	Notice     string   `json:"notice" jsonschema:"how to read the texts of this answer"`
}

func renderSchema(sv *Service) mcpkit.Tool[sourceArgs, *renderSchemaResult] {
	return mcpkit.Tool[sourceArgs, *renderSchemaResult]{
		Name: "render_schema", Title: "Render a declared schema",
		Description: "Use this to get the DDL of a schema declared in Go annotations, YAML or SQL files for one database dialect. " +
			"It returns statements in dependency order for an empty database. Nothing is executed. " +
			"What the dialect cannot hold is refused by name, never left out; validate_schema then lists every problem. " +
			"Files are read inside the configured schema source roots only.",
		Hints: readOnly, Refine: listDialects,
		Handle: func(ctx context.Context, args sourceArgs) (*renderSchemaResult, error) {
			return perform(ctx, sv, plainly(policy.RenderSchema), func(ctx context.Context, rep *finding.Report) (*renderSchemaResult, error) {
				answer, err := sv.Reader.Render(ctx, args.request(), rep)
				if err != nil {
					return nil, err
				}
				return &renderSchemaResult{Dialect: string(answer.Dialect), Statements: answer.Statements, Notice: notice}, nil
			})
		},
	}
}
