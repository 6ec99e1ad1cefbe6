package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/vectro/internal/engine"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/mem"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/read/input"
)

// This file defines load_file, which loads a file of the data folder into a table.

type loadFileArgs struct {
	Path  string         `json:"path" jsonschema:"the file, relative to the data folder" minLength:"1"`
	Name  string         `json:"name,omitempty" jsonschema:"the table name for later calls; default: the file name without its extension" minLength:"1" maxLength:"128"`
	Types object[string] `json:"types,omitempty"`
}

type loadFileResult struct {
	Table          string            `json:"table" jsonschema:"the name to use in other calls"`
	Rows           int               `json:"rows" jsonschema:"number of rows"`
	Columns        object[string]    `json:"columns"`
	Sample         []json.RawMessage `json:"sample"`
	Embedding      *embedding        `json:"embedding,omitempty" jsonschema:"the vectors for search_similar, if the file carries them"`
	SkippedLines   int               `json:"skipped_lines,omitempty" jsonschema:"lines that could not be read"`
	RaggedLines    int               `json:"ragged_lines,omitempty" jsonschema:"lines with too few or too many cells"`
	Unparsed       object[int]       `json:"unparsed,omitempty"`
	InvalidUTF8    int               `json:"invalid_utf8,omitempty" jsonschema:"cells in which bytes that are no UTF-8 were replaced"`
	SkippedColumns []skippedColumn   `json:"skipped_columns,omitempty" jsonschema:"columns of the file that the table lacks"`
	timed
}

type embedding struct {
	Field string `json:"field" jsonschema:"its name in the file"`
	Dim   int    `json:"dim" jsonschema:"numbers in a vector"`
}

type skippedColumn struct {
	Name   string `json:"name" jsonschema:"the column's name"`
	Reason string `json:"reason" jsonschema:"why it cannot be read"`
}

func (r loadFileResult) returnedRows() []json.RawMessage { return r.Sample }

func loadFile(sv *Service) mcpkit.Tool[loadFileArgs, loadFileResult] {
	return mcpkit.Tool[loadFileArgs, loadFileResult]{
		Name:  "load_file",
		Title: "Load a file into a table",
		Description: "Use it first: it reads a file of the data folder into a named table, replacing a table of that name. " +
			"Reads .csv, .tsv, .jsonl, .ndjson, .arrow, .feather and .ipc up to 2 GB. Text columns become categories, which can be filtered and grouped; " +
			"an array of numbers in JSON lines becomes an embedding for search_similar. Returns the number of rows, the kind of each column and the first 5 rows.",
		Hints: mcpkit.Hints{Idempotent: true},
		Refine: func(in, out *jsonschema.Schema) {
			in.Properties["types"] = &jsonschema.Schema{
				Type:        "object",
				Description: "column kinds that override what the file suggests: number, category, date, or string (free text, returned but not filtered; text means the same)",
				AdditionalProperties: &jsonschema.Schema{
					Type: "string", Description: "the kind of the column", Enum: []any{"number", "category", "string", "date", "text"},
				},
			}
			out.Properties["columns"] = columnKinds()
			out.Properties["sample"] = rowList("the first 5 rows")
			out.Properties["unparsed"] = &jsonschema.Schema{
				Type: "object", Description: "cells per column of types that did not fit the kind and are missing now",
				AdditionalProperties: &jsonschema.Schema{Type: "integer"},
			}
		},
		Handle: handle(sv, "load_file", func(ctx context.Context, e *engine.Engine, in loadFileArgs) (loadFileResult, error) {
			types := map[string]string{}
			for _, m := range in.Types {
				types[m.Name] = m.Value
			}
			l, err := sv.load(ctx, e, in.Path, in.Name, types)
			if err != nil {
				return loadFileResult{}, err
			}
			res := loadFileResult{
				Table: l.Name, Rows: l.Rows, Columns: kinds(l.Columns), Sample: sv.encoder().rows(l.Sample),
				SkippedLines: l.Read.Skipped, RaggedLines: l.Read.Ragged, Unparsed: counts(l.Read.Unparsed),
				InvalidUTF8: l.Read.Replaced,
			}
			for _, c := range l.Read.SkippedColumns {
				res.SkippedColumns = append(res.SkippedColumns, skippedColumn(c))
			}
			if emb := l.Read.Table.Embedding; emb != nil {
				res.Embedding = &embedding{Field: emb.Field, Dim: emb.Dim}
			}
			return res, nil
		}),
	}
}

// load reads a file of the data folder into a table of e.
func (sv *Service) load(ctx context.Context, e *engine.Engine, path, name string, types map[string]string) (*engine.Loaded, error) {
	f, size, err := sv.open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return e.Load(ctx, engine.LoadRequest{
		Source: input.Source{Name: path, R: f, Size: size}, Name: name, Types: types,
		Progress: report(ctx, 0, func(done, total int64) string {
			return fmt.Sprintf("read %s of %s", mem.Size(done), mem.Size(total))
		}),
	})
}

// Preload loads a file before the first call, for the caller on stdio.
func (sv *Service) Preload(ctx context.Context, path, name string) error {
	_, err := sv.load(ctx, sv.Engines.For(ctx), path, name, nil)
	return err
}

// counts orders a map of counts by name.
func counts(m map[string]int) object[int] {
	var o object[int]
	for _, name := range slices.Sorted(maps.Keys(m)) {
		o = append(o, member[int]{name, m[name]})
	}
	return o
}
