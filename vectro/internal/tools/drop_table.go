package tools

import (
	"context"

	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/vectro/internal/engine"
)

// This file defines drop_table, which unloads a table.

type dropTableArgs struct {
	Table string `json:"table" jsonschema:"the table to unload"`
}

type dropTableResult struct {
	Dropped string `json:"dropped" jsonschema:"the name of the table that was unloaded"`
	timed
}

func dropTable(sv *Service) mcpkit.Tool[dropTableArgs, dropTableResult] {
	return mcpkit.Tool[dropTableArgs, dropTableResult]{
		Name:  "drop_table",
		Title: "Unload a table",
		Description: "Use it when a table is no longer needed. Frees the table's memory, its added columns and its " +
			"embeddings; the file it came from stays as it is. Returns the name of the dropped table.",
		Hints: mcpkit.Hints{Destructive: true, Idempotent: true},
		Handle: handle(sv, "drop_table", func(_ context.Context, e *engine.Engine, in dropTableArgs) (dropTableResult, error) {
			name, err := e.Drop(in.Table)
			return dropTableResult{Dropped: name}, err
		}),
	}
}
