package tools

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/ptah/internal/code"
	"github.com/quartet-mcp/quartet/ptah/internal/finding"
	"github.com/quartet-mcp/quartet/ptah/internal/policy"
)

// This file defines search_docs, which finds passages of ptah's own documentation.

type searchDocsArgs struct {
	Query string `json:"query" jsonschema:"words of the question, 1 to 400 characters"`
	Limit int    `json:"limit,omitempty" jsonschema:"the most passages to return" default:"5" minimum:"1" maximum:"20"`
}

type searchDocsResult struct {
	Passages      []docPassage `json:"passages" jsonschema:"the passages that answer best, best first; empty where the documentation does not cover the question"`
	Documents     int          `json:"documents" jsonschema:"how many documents were searched"`
	Documentation docBuild     `json:"documentation" jsonschema:"which documentation it is"`
}

type docPassage struct {
	Path    string `json:"path" jsonschema:"the document"`
	Heading string `json:"heading" jsonschema:"the headings above the passage, joined by >"`
	Text    string `json:"text" jsonschema:"the passage"`
}

type docBuild struct {
	Version string `json:"version" jsonschema:"the version of ptah that it belongs to"`
	Commit  string `json:"commit" jsonschema:"the commit that it was built from"`
}

const maxQuery = 400

func searchDocs(sv *Service) mcpkit.Tool[searchDocsArgs, *searchDocsResult] {
	return mcpkit.Tool[searchDocsArgs, *searchDocsResult]{
		Name: "search_docs", Title: "Search the documentation",
		Description: "Use this to look up how ptah works: annotations, YAML keys, SQL files, dialects, rules, configuration, permissions. " +
			"It returns passages of ptah's documentation with their document and headings, best first, and none where the documentation does not cover the question.",
		Hints: readOnly,
		Handle: func(ctx context.Context, args searchDocsArgs) (*searchDocsResult, error) {
			return perform(ctx, sv, plainly(policy.SearchDocs), func(ctx context.Context, _ *finding.Report) (*searchDocsResult, error) {
				return sv.searchDocs(ctx, args)
			})
		},
	}
}

func (sv *Service) searchDocs(ctx context.Context, args searchDocsArgs) (*searchDocsResult, error) {
	query := strings.TrimSpace(args.Query)
	if n := utf8.RuneCountInString(query); n == 0 || n > maxQuery {
		return nil, code.New(code.InvalidRequest, "query must have 1 to %d characters, got %d", maxQuery, n)
	}
	found, err := sv.Docs.Search(ctx, query, args.Limit)
	if err != nil {
		return nil, err
	}
	result := &searchDocsResult{Passages: []docPassage{}, Documents: sv.Docs.Documents(), Documentation: docBuild(sv.Build)}
	for _, p := range found {
		result.Passages = append(result.Passages, docPassage{p.Path, p.Heading, p.Text})
	}
	return result, nil
}
