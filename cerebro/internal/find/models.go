package find

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/cerebro/internal/dbt"
	"github.com/quartet-mcp/quartet/cerebro/internal/semantic"
	"github.com/quartet-mcp/quartet/cerebro/internal/words"
	"github.com/quartet-mcp/quartet/datakit/search"
)

// Models is an index of a project's models. It never changes and is safe for
// concurrent use.
type Models struct {
	index  *search.Index
	byID   map[string]*dbt.Node
	names  []named
	status map[string]semantic.Tier // by id of a node
}

type named struct{ id, name string }

// ModelHit is a model and how well it fits.
type ModelHit struct {
	Node  *dbt.Node
	Score float64
	// Fields that match: name, tags, columns, owner, module, description, path.
	Fields []string
}

// NewModels indexes the models of a project. The layer says which have a semantic
// model; it may be nil.
func NewModels(p *dbt.Project, l *semantic.Layer) (*Models, error) {
	config := plainBM25(
		search.Field{Name: "name", Boost: 3},
		search.Field{Name: "tags", Boost: 1.5}, search.Field{Name: "columns", Boost: 1.5}, search.Field{Name: "owner", Boost: 1.5}, search.Field{Name: "module", Boost: 1.5},
		search.Field{Name: "description", Boost: 1}, search.Field{Name: "path", Boost: 1},
	)
	// A word that is nowhere is looked for one letter away.
	config.FuzzyWeight = 0.5
	index, err := search.New(config)
	if err != nil {
		return nil, err
	}
	m := &Models{index: index, byID: map[string]*dbt.Node{}, status: map[string]semantic.Tier{}}
	var docs []search.Document
	for _, n := range p.Nodes {
		if n.Kind != dbt.Model {
			continue
		}
		m.byID[n.ID] = n
		m.names = append(m.names, named{n.ID, strings.Join(words.Tokens(n.Name), " ")})
		columns := make([]string, 0, len(n.Columns))
		for _, c := range n.Columns {
			columns = append(columns, c.Name)
		}
		docs = append(docs, search.Document{ID: n.ID, Fields: map[string][]string{
			"name": cut(n.Name), "tags": cut(n.Tags...), "columns": cut(columns...), "owner": cut(n.Owner), "module": cut(n.Module),
			"description": cut(n.Description), "path": cut(n.Path),
		}})
	}
	if l != nil {
		for _, s := range l.Models {
			if s.Node != nil {
				m.status[s.Node.ID] = s.Tier
			}
		}
	}
	if err := cmp.Or(index.Index(docs...), index.Commit()); err != nil {
		_ = index.Close()
		return nil, fmt.Errorf("index of the models: %w", err)
	}
	return m, nil
}

// Close releases the index.
func (m *Models) Close() error { return m.index.Close() }

// DocsOnly is the status of a model without a semantic model.
const DocsOnly = "docs_only"

// Status is the tier of a model's semantic model, or docs_only.
func (m *Models) Status(n *dbt.Node) string { return cmp.Or(string(m.status[n.ID]), DocsOnly) }

// Search ranks the models by how well they fit a question; keep limits which count,
// nil keeps all.
func (m *Models) Search(ctx context.Context, question string, limit int, keep func(*dbt.Node) bool) ([]ModelHit, error) {
	a := ask(question)
	best := map[string]ModelHit{}
	if a.query != "" {
		hits, err := m.index.SearchWhere(ctx, a.query, 0, func(id string) bool { return keep == nil || keep(m.byID[id]) })
		if err != nil {
			return nil, err
		}
		for _, h := range hits.Hits {
			best[h.ID] = ModelHit{m.byID[h.ID], full * h.Score / hits.Hits[0].Score, h.Fields}
		}
	}
	for _, n := range m.names {
		bonus := a.bonus(n.name)
		if bonus == 0 || keep != nil && !keep(m.byID[n.id]) {
			continue
		}
		h := best[n.id]
		h.Node, h.Score = m.byID[n.id], h.Score+bonus
		if !slices.Contains(h.Fields, "name") {
			h.Fields = append([]string{"name"}, h.Fields...)
		}
		best[n.id] = h
	}
	out := make([]ModelHit, 0, len(best))
	for _, h := range best {
		out = append(out, h)
	}
	slices.SortFunc(out, func(a, b ModelHit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Node.Name, b.Node.Name), strings.Compare(a.Node.ID, b.Node.ID))
	})
	return out[:min(limit, len(out))], nil
}
