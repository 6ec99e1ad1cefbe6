package tools

import (
	"context"
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/vectro/internal/engine"
)

// This file defines add_column, which extends a table by a computed column.

type addColumnArgs struct {
	Table      string `json:"table" jsonschema:"a loaded table"`
	Name       string `json:"name" jsonschema:"the new column"`
	Expression string `json:"expression" jsonschema:"how to compute it, e.g. price * qty * (1 - discount)"`
}

type addColumnResult struct {
	Table   string            `json:"table" jsonschema:"the table's name"`
	Columns object[string]    `json:"columns"`
	Sample  []json.RawMessage `json:"sample"`
	timed
}

func (r addColumnResult) returnedRows() []json.RawMessage { return r.Sample }

func addColumn(sv *Service) mcpkit.Tool[addColumnArgs, addColumnResult] {
	return mcpkit.Tool[addColumnArgs, addColumnResult]{
		Name:  "add_column",
		Title: "Add a computed column",
		Description: "Use it when several questions need the same computed value; for a single question write the expression in query or sql instead. " +
			"Computes the expression for every row of a table in memory. A column that was computed earlier is replaced, a loaded one never. " +
			"Returns the table's columns and its first 3 rows.",
		Hints: mcpkit.Hints{Idempotent: true},
		Refine: func(_, out *jsonschema.Schema) {
			out.Properties["columns"] = columnKinds()
			out.Properties["sample"] = rowList("the first 3 rows")
		},
		Handle: handle(sv, "add_column", func(ctx context.Context, e *engine.Engine, in addColumnArgs) (addColumnResult, error) {
			t, err := e.AddColumn(ctx, in.Table, in.Name, in.Expression, progress(ctx))
			if err != nil {
				return addColumnResult{}, err
			}
			return addColumnResult{Table: t.Name, Columns: kinds(t.Columns), Sample: sv.encoder().rows(t.Sample)}, nil
		}),
	}
}
