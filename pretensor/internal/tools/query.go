package tools

import (
	"cmp"
	"context"
	"fmt"

	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/pretensor/internal/embed"
	"github.com/quartet-mcp/quartet/pretensor/internal/lookup"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
)

// This file defines query, which finds tables and entities by the words of a question.

type queryArgs struct {
	Q     string `json:"q" jsonschema:"what is looked for, in plain words"`
	DB    string `json:"db,omitempty" jsonschema:"only this connection; without it all are searched"`
	Limit int    `json:"limit,omitempty" jsonschema:"most hits" default:"10" minimum:"1" maximum:"50"`
}

type queryResult struct {
	Query   string     `json:"query" jsonschema:"q as given"`
	DB      *string    `json:"db" jsonschema:"db as given; null: all were searched"`
	Results []queryHit `json:"results" jsonschema:"the best first"`
	Rerank  string     `json:"rerank,omitempty" jsonschema:"rrf: words and meaning were ranked together"`
	Total   int        `json:"total" jsonschema:"how many there are before the limit"`
	Cut     bool       `json:"truncated,omitempty" jsonschema:"whether hits were left out for want of room"`
	warned
}

type queryHit struct {
	NodeType    string   `json:"node_type" jsonschema:"SchemaTable or Entity"`
	Name        string   `json:"name" jsonschema:"qualified name of the table, or the entity's"`
	Database    string   `json:"database_name" jsonschema:"the database's own name"`
	Connection  string   `json:"connection_name" jsonschema:"the connection, as other tools take it"`
	Description string   `json:"description" jsonschema:"what is said of it"`
	Snippet     string   `json:"snippet" jsonschema:"the passage that fits best, with its words **so**"`
	Score       float64  `json:"score" jsonschema:"higher is better, within this answer"`
	Matched     []string `json:"matched" jsonschema:"where words were found: name, alias, description, column:NAME, column_comment:NAME, tag, entity, cluster, enum"`
	Role        string   `json:"role,omitempty" jsonschema:"of a table: fact, dimension, junction and others"`
	Rows        *int64   `json:"row_count,omitempty" jsonschema:"of a table, if known"`
}

func (r *queryResult) RowCount() int { return len(r.Results) }

func (r *queryResult) CutRows(n int) {
	if !r.Cut {
		r.Cut = true
		r.note(leftOut("limit"))
	}
	r.Results = r.Results[:n]
}

func query(sv *Service) mcpkit.Tool[queryArgs, queryResult] {
	return mcpkit.Tool[queryArgs, queryResult]{
		Name:  "query",
		Title: "Search tables by keywords",
		Description: "Use it first, when the question is known but not the tables: it searches names, other names, descriptions, columns, comments, tags and enum labels. " +
			"Returns the best tables and entities with a snippet, where words matched, role and row count; pass a hit's name to context. " +
			"Finds no values of rows. Forgives plurals, camel case and small typing errors.",
		Hints:      readOnly,
		OutOfRange: mcpkit.Clamp,
		Handle: func(ctx context.Context, in queryArgs) (queryResult, error) {
			if err := asked("q", in.Q); err != nil {
				return queryResult{}, err
			}
			r := queryResult{Query: in.Q, DB: echo(in.DB), Results: []queryHit{}}
			s, err := sv.search(ctx, in.DB)
			if err != nil {
				return queryResult{}, err
			}
			a, fused, err := sv.Lookup.Fused(ctx, sv.Embedder, lookup.Question{Text: in.Q, Connections: s.names(), Limit: in.Limit})
			if err != nil {
				return queryResult{}, err
			}
			if a.Words == 0 {
				return queryResult{}, noWords("q", in.Q)
			}
			if fused {
				r.Rerank = "rrf"
			}
			r.Total = a.Total
			for _, h := range a.Hits {
				r.Results = append(r.Results, hitOf(h))
			}
			if a.Ignored > 0 {
				warn(ctx, fmt.Sprintf("only the first %s of q were looked for", names.Count(a.Words, "word")))
			}
			sv.warnStaleHits(ctx, s, a.Hits)
			if s.visible() == 0 {
				s.warnNothing(ctx)
			} else if len(r.Results) == 0 {
				warn(ctx, noHits(s, sv.Embedder))
			}
			return r, nil
		},
	}
}

// hitOf is a hit as the answer shows it.
func hitOf(h lookup.Hit) queryHit {
	c := h.Catalog
	out := queryHit{
		NodeType: h.NodeType, Name: h.Name, Database: cmp.Or(c.Database, c.Connection), Connection: c.Connection, Description: h.Description,
		Snippet: h.Snippet, Score: model.Round(h.Score), Matched: h.Matched,
	}
	if h.Table >= 0 {
		out.Role = c.Facts[h.Table].Role
		out.Rows, _ = rows(&c.Tables[h.Table])
	}
	return out
}

// noHits says what to try where no word was found.
func noHits(s searched, e *embed.Embedder) string {
	if p := e.Provider(); p != nil {
		for _, d := range s.databases {
			if d.Vectors.Model == p.Model() && len(d.Vectors.Tables) > 0 {
				return "no table has any of these words; semantic_search looks for what they mean"
			}
		}
	}
	return "no table has any of these words; try others, or see what there is with list_databases"
}
