package tools

import (
	"context"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/vectro/internal/engine"
)

// This file defines list_tables, which names the loaded tables.

type listTablesArgs struct{}

type listTablesResult struct {
	Tables []listedTable `json:"tables" jsonschema:"the loaded tables, in load order"`
	timed
}

type listedTable struct {
	Table   string         `json:"table" jsonschema:"the name to use in other calls"`
	Source  string         `json:"source" jsonschema:"the path it was loaded from"`
	Rows    int            `json:"rows" jsonschema:"number of rows"`
	Columns object[string] `json:"columns"`
}

func listTables(sv *Service) mcpkit.Tool[listTablesArgs, listTablesResult] {
	return mcpkit.Tool[listTablesArgs, listTablesResult]{
		Name:  "list_tables",
		Title: "List the loaded tables",
		Description: "Use it to see which tables are loaded and what columns they have. " +
			"Returns every table with its source path, number of rows, and the kind of each column.",
		Hints: mcpkit.Hints{ReadOnly: true, Idempotent: true},
		Refine: func(_, out *jsonschema.Schema) {
			out.Properties["tables"].Items.Properties["columns"] = columnKinds()
		},
		Handle: handle(sv, "list_tables", func(_ context.Context, e *engine.Engine, _ listTablesArgs) (listTablesResult, error) {
			res := listTablesResult{Tables: []listedTable{}}
			for _, t := range e.Tables() {
				res.Tables = append(res.Tables, listedTable{Table: t.Name, Source: t.Source, Rows: t.Rows, Columns: kinds(t.Columns)})
			}
			return res, nil
		}),
	}
}
