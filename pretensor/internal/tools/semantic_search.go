package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"github.com/quartet-mcp/quartet/mcpkit"
	"github.com/quartet-mcp/quartet/mcpkit/nearest"
	"github.com/quartet-mcp/quartet/pretensor/internal/embed"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph/fill"
	"github.com/quartet-mcp/quartet/pretensor/internal/lookup"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
)

// This file defines semantic_search, which finds tables by the meaning of a question.

type semanticSearchArgs struct {
	Query    string `json:"query" jsonschema:"what is looked for, in plain words"`
	K        int    `json:"k,omitempty" jsonschema:"most hits" default:"10" minimum:"1" maximum:"50"`
	Database string `json:"database,omitempty" jsonschema:"only this connection; without it all are searched"`
	Cluster  string `json:"cluster,omitempty" jsonschema:"only this cluster: its id, or its label if no other has it"`
}

type semanticSearchResult struct {
	Mode     string        `json:"mode" jsonschema:"semantic, or fallback_bm25 where there is nothing to compare with"`
	Hint     string        `json:"hint,omitempty" jsonschema:"of fallback_bm25: what to do instead"`
	Reason   string        `json:"reason,omitempty" jsonschema:"of fallback_bm25: not_configured, disabled, no_vectors, model_mismatch or embedder_failed"`
	Query    string        `json:"query" jsonschema:"as given"`
	Database *string       `json:"database" jsonschema:"as given; null: all were searched"`
	Cluster  *string       `json:"cluster" jsonschema:"id of the cluster; null: all were searched"`
	Results  []semanticHit `json:"results" jsonschema:"the nearest first"`
	Cut      bool          `json:"truncated,omitempty" jsonschema:"whether hits were left out for want of room"`
	Total    int           `json:"total_results,omitempty" jsonschema:"how many there are, if some were left out"`
	warned
}

type semanticHit struct {
	NodeType    string  `json:"node_type" jsonschema:"SchemaTable"`
	Name        string  `json:"name" jsonschema:"qualified name of the table"`
	Database    string  `json:"database_name" jsonschema:"the database's own name"`
	Connection  string  `json:"connection_name" jsonschema:"the connection, as other tools take it"`
	Description string  `json:"description" jsonschema:"what is said of it"`
	Snippet     string  `json:"snippet" jsonschema:"its beginning"`
	Score       float64 `json:"score" jsonschema:"cosine of the two vectors, -1 to 1"`
	ClusterID   *string `json:"cluster_id" jsonschema:"its cluster; null: none"`
}

// MarshalJSON writes the fields of a fallback in the order that is documented for it.
func (r semanticSearchResult) MarshalJSON() ([]byte, error) {
	type plain semanticSearchResult
	if r.Reason == "" {
		return json.Marshal(plain(r))
	}
	return json.Marshal(struct {
		Mode     string        `json:"mode"`
		Hint     string        `json:"hint"`
		Reason   string        `json:"reason"`
		Results  []semanticHit `json:"results"`
		Query    string        `json:"query"`
		Database *string       `json:"database"`
		Cluster  *string       `json:"cluster"`
		warned
	}{r.Mode, r.Hint, r.Reason, r.Results, r.Query, r.Database, r.Cluster, r.warned})
}

func (r *semanticSearchResult) RowCount() int { return len(r.Results) }

func (r *semanticSearchResult) CutRows(n int) {
	if !r.Cut {
		r.Cut, r.Total = true, len(r.Results)
		r.note(leftOut("k"))
	}
	r.Results = r.Results[:n]
}

// semanticHints say what to do where there is no ranking by meaning.
var semanticHints = map[string]string{
	embed.NotConfigured:   "No embedding provider is set. Set embeddings.provider and reindex, or call the query tool.",
	embed.Disabled:        "Embeddings are turned off. Unset PRETENSOR_EMBEDDINGS_DISABLED, or call the query tool.",
	lookup.NoVectors:      "No table vectors are stored. Set embeddings.provider and reindex, or call the query tool.",
	lookup.ModelMismatch:  "The stored table vectors are of another model. Reindex with the one that is set, or call the query tool.",
	lookup.EmbedderFailed: "The embedding provider gave no vector for the question. Try again, or call the query tool.",
}

func semanticSearch(sv *Service) mcpkit.Tool[semanticSearchArgs, semanticSearchResult] {
	return mcpkit.Tool[semanticSearchArgs, semanticSearchResult]{
		Name:  "semantic_search",
		Title: "Search tables by meaning",
		Description: "Use it when query finds nothing because the tables are named in other words than the question. Compares the meaning of the question with that of each table and " +
			"returns the nearest tables with their cosine and cluster_id. Needs table vectors: without them mode is fallback_bm25, results is empty, and hint says what to do.",
		Hints:      readOnly,
		OutOfRange: mcpkit.Clamp,
		Handle: func(ctx context.Context, in semanticSearchArgs) (semanticSearchResult, error) {
			if err := asked("query", in.Query); err != nil {
				return semanticSearchResult{}, err
			}
			r := semanticSearchResult{Mode: "semantic", Query: in.Query, Database: echo(in.Database), Results: []semanticHit{}}
			s, err := sv.search(ctx, in.Database)
			if err != nil {
				return semanticSearchResult{}, err
			}
			var number *int
			if name := strings.TrimSpace(in.Cluster); name != "" {
				d, n, err := s.cluster(name)
				if err != nil {
					return semanticSearchResult{}, err
				}
				id := fill.ClusterID(d.Connection, n)
				s, number, r.Cluster = searched{[]database{d}}, &n, &id
			}
			m, err := sv.Lookup.Semantic(ctx, sv.Embedder, lookup.Question{Text: in.Query, Connections: s.names(), Limit: in.K}, number)
			if err != nil {
				return semanticSearchResult{}, err
			}
			if m.Reason != "" {
				r.Mode, r.Reason, r.Hint = "fallback_bm25", m.Reason, semanticHints[m.Reason]
				return r, nil
			}
			hits := make([]lookup.Hit, len(m.Hits))
			for i, h := range m.Hits {
				c := h.Catalog
				out := semanticHit{
					NodeType: h.NodeType, Name: h.Name, Database: cmp.Or(c.Database, c.Connection), Connection: c.Connection, Description: h.Description,
					Snippet: h.Snippet, Score: model.Round(h.Score),
				}
				if h.Cluster >= 0 {
					id := fill.ClusterID(c.Connection, c.Clusters[h.Cluster].Number)
					out.ClusterID = &id
				}
				r.Results = append(r.Results, out)
				hits[i] = h.Hit
			}
			sv.warnStaleHits(ctx, s, hits)
			s.warnNothing(ctx)
			return r, nil
		},
	}
}

// cluster finds the cluster of an id, or of a label that only one has.
func (s searched) cluster(name string) (d database, number int, err error) {
	var byLabel []string // ids of the clusters of that label
	var known []string
	for _, in := range s.databases {
		for i := range in.Clusters {
			k := &in.Clusters[i]
			id := fill.ClusterID(in.Connection, k.Number)
			if id == name {
				return in, k.Number, nil
			}
			if strings.EqualFold(k.Label, name) {
				d, number = in, k.Number
				byLabel = append(byLabel, id)
			}
			known = append(known, id, k.Label)
		}
	}
	switch len(byLabel) {
	case 1:
		return d, number, nil
	case 0:
		return database{}, 0, fault(mcpkit.NotFound, invalidArgument, "Give the cluster_id that context shows.", nearest.Find(name, known, 5),
			"There is no cluster '%s'.", mcpkit.Untrusted(name))
	}
	return database{}, 0, fault(mcpkit.Ambiguous, invalidArgument, "Give one of their ids.", byLabel[:min(len(byLabel), 5)],
		"%s have the label '%s'.", names.Count(len(byLabel), "cluster"), mcpkit.Untrusted(name))
}
