package tools

import (
	"context"

	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/ptah/internal/declared"
	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/policy"
)

// This file defines validate_schema, which says whether a declared schema holds for a
// dialect, and everything that is wrong with it.

// SchemaProblems is what validate_schema answers.
type SchemaProblems struct {
	Dialect  string          `json:"dialect" jsonschema:"the dialect's canonical name"`
	Valid    bool            `json:"valid" jsonschema:"whether the schema can be rendered for the dialect and its database takes it"`
	Problems []schemaProblem `json:"problems" jsonschema:"everything that is wrong, by file and line"`
	Notice   string          `json:"notice" jsonschema:"how to read the texts of this answer"`
}

type schemaProblem struct {
	Dialect string `json:"dialect" jsonschema:"the dialect's canonical name"`
	Kind    string `json:"kind" jsonschema:"source, index or schema"`
	Rule    string `json:"rule" jsonschema:"the stable code of the rule, such as FK003"`
	Message string `json:"message" jsonschema:"what is wrong and what would be right"`
	Object  string `json:"object,omitempty" jsonschema:"the object that breaks the rule"`
	Path    string `json:"path,omitempty" jsonschema:"the file that declares it"`
	Line    int    `json:"line,omitempty" jsonschema:"the line in that file"`
}

func validateSchema(sv *Service) mcpkit.Tool[sourceArgs, *SchemaProblems] {
	return mcpkit.Tool[sourceArgs, *SchemaProblems]{
		Name: "validate_schema", Title: "Validate a declared schema",
		Description: "Use this to find out whether a schema declared in Go annotations, YAML or SQL files holds for one database dialect. " +
			"It returns valid and all problems at once, each with a rule code, the object, the file and the line; valid means that render_schema succeeds. " +
			"Files are read inside the configured schema source roots only; no database is contacted. At most 256 entries and 1,000 problems.",
		Hints: readOnly, Refine: listDialects,
		Handle: func(ctx context.Context, args sourceArgs) (*SchemaProblems, error) {
			return perform(ctx, sv, plainly(policy.ValidateSchema), func(ctx context.Context, rep *finding.Report) (*SchemaProblems, error) {
				answer, err := sv.Reader.Check(ctx, args.request(), rep)
				if err != nil {
					return nil, err
				}
				return Problems(answer.Dialect, rep.Problems()), nil
			})
		},
	}
}

// Problems is the answer for what was found out about a schema.
func Problems(d dialect.Dialect, found []finding.Problem) *SchemaProblems {
	result := &SchemaProblems{Dialect: string(d), Valid: len(found) == 0, Problems: []schemaProblem{}, Notice: notice}
	for _, p := range declared.Capped(found) {
		result.Problems = append(result.Problems, schemaProblem{
			Dialect: string(d), Kind: string(p.Kind), Rule: string(p.Rule), Message: p.Message, Object: p.Object, Path: p.Path, Line: p.Line,
		})
	}
	return result
}
