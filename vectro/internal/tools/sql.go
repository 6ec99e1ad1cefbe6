package tools

import (
	"context"
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/vectro/internal/engine"
)

// This file defines sql, which runs one SELECT over the loaded tables.

// maxRows is the most rows that any tool returns.
const maxRows = 500

type sqlArgs struct {
	Query string `json:"query" jsonschema:"one SELECT statement over the loaded tables by their names; text in single quotes"`
}

type sqlResult struct {
	RowsInAnswer int64             `json:"rows_in_answer" jsonschema:"number of rows the query has"`
	Returned     int               `json:"returned" jsonschema:"number of rows in this result"`
	Rows         []json.RawMessage `json:"rows"`
	Hints        []string          `json:"hints,omitempty" jsonschema:"labels of the conditions that the table does not have"`
	timed
}

func (r sqlResult) returnedRows() []json.RawMessage { return r.Rows }

func sql(sv *Service) mcpkit.Tool[sqlArgs, sqlResult] {
	return mcpkit.Tool[sqlArgs, sqlResult]{
		Name:  "sql",
		Title: "Run an SQL SELECT",
		Description: "Use it for joins and for questions that query cannot ask. Runs one read-only SELECT (PostgreSQL grammar; / is real division) " +
			"over the loaded tables. Returns at most 500 rows, and rows_in_answer says how many the query has: " +
			"aggregate, filter or add LIMIT rather than fetching rows.",
		Hints: mcpkit.Hints{ReadOnly: true, Idempotent: true},
		Refine: func(_, out *jsonschema.Schema) {
			out.Properties["rows"] = rowList("the rows, keys in the order of the SELECT list")
		},
		Handle: handle(sv, "sql", func(ctx context.Context, e *engine.Engine, in sqlArgs) (sqlResult, error) {
			a, err := e.SQL(ctx, in.Query, maxRows, progress(ctx))
			if err != nil {
				return sqlResult{}, err
			}
			rows := sv.encoder().rows(a.Rows)
			return sqlResult{RowsInAnswer: a.Total, Returned: len(rows), Rows: rows, Hints: sv.hints(a.Hints)}, nil
		}),
	}
}
