package tools

import (
	"context"
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/vectro/internal/engine"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// This file defines describe_table, which summarises every column of a table.

type describeTableArgs struct {
	Table string `json:"table" jsonschema:"a loaded table"`
}

type describeTableResult struct {
	Table   string                  `json:"table" jsonschema:"the table's name"`
	Rows    int                     `json:"rows" jsonschema:"number of rows"`
	Columns object[json.RawMessage] `json:"columns"`
	timed
}

func describeTable(sv *Service) mcpkit.Tool[describeTableArgs, describeTableResult] {
	return mcpkit.Tool[describeTableArgs, describeTableResult]{
		Name:  "describe_table",
		Title: "Describe a table",
		Description: "Use it before filtering or grouping, to see what the columns hold. Returns per column its kind and, for numbers, " +
			"how many values there are and how many are missing, min, max and mean; for categories the number of labels and the ten most frequent; " +
			"for dates the first and the last.",
		Hints: mcpkit.Hints{ReadOnly: true, Idempotent: true},
		Refine: func(_, out *jsonschema.Schema) {
			out.Properties["columns"] = &jsonschema.Schema{
				Type:        "object",
				Description: "per column: number {kind, n, min, max, mean, missing}, category {kind, distinct, most_common}, date {kind, min, max, missing}, text {kind}",
				AdditionalProperties: &jsonschema.Schema{
					Type:     "object",
					Required: []string{"kind"},
					Properties: map[string]*jsonschema.Schema{
						"kind": {Type: "string", Description: "what the column holds", Enum: []any{"number", "category", "date", "text"}},
					},
				},
			}
		},
		Handle: handle(sv, "describe_table", func(ctx context.Context, e *engine.Engine, in describeTableArgs) (describeTableResult, error) {
			d, err := e.Describe(ctx, in.Table, progress(ctx))
			if err != nil {
				return describeTableResult{}, err
			}
			res := describeTableResult{Table: d.Table, Rows: d.Rows, Columns: object[json.RawMessage]{}}
			for _, c := range d.Columns {
				summary, err := sv.encoder().summary(c).MarshalJSON()
				if err != nil {
					return describeTableResult{}, err
				}
				res.Columns = append(res.Columns, member[json.RawMessage]{c.Name, summary})
			}
			return res, nil
		}),
	}
}

// summary lists the fields that the product page gives for a column of its kind.
func (e encoder) summary(c engine.ColumnDescription) object[any] {
	f := plan.Field{Name: c.Name, Type: c.Type}
	cell := func(v plan.Value) json.RawMessage { return e.value(nil, v, f) }
	o := object[any]{{"kind", c.Kind.String()}}
	switch c.Kind {
	case col.Number:
		return append(o, object[any]{{"n", c.Present}, {"min", cell(c.Min)}, {"max", cell(c.Max)}, {"mean", cell(c.Mean)}, {"missing", c.Missing}}...)
	case col.Date:
		return append(o, object[any]{{"min", cell(c.Min)}, {"max", cell(c.Max)}, {"missing", c.Missing}}...)
	case col.Category:
		count := "rows"
		if c.Name == count {
			count = "rows_1"
		}
		common := make([]object[any], len(c.MostCommon))
		for i, l := range c.MostCommon {
			common[i] = object[any]{{c.Name, cell(l.Label)}, {count, l.Rows}}
		}
		return append(o, object[any]{{"distinct", c.Distinct}, {"most_common", common}}...)
	}
	return o
}
