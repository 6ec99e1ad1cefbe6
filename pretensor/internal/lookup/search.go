package lookup

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/search"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/embed"
	"github.com/quartet-mcp/quartet/pretensor/internal/graph"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
)

// Question is what is looked for, and where.
type Question struct {
	Text        string   // plain text, without any syntax
	Connections []string // nil: all
	Limit       int      // of the hits; 0 or less: all
}

// Answer is what was found.
type Answer struct {
	Hits  []Hit // best first; never nil
	Total int   // matches before the limit
	// Words is how many words of the question were looked for; 0: it had none.
	Words int
	// Ignored is how many words came after those that a question may have.
	Ignored int
}

// Hit is a table or an entity that was found. Its texts are on one line, without
// what a reader cannot see.
type Hit struct {
	Catalog     *catalog.Catalog
	Table       int // -1 for an entity
	Entity      int // -1 for a table
	NodeType    string
	Name        string
	Description string // at most 400 characters
	// Snippet is the passage that fits the question best, with the matching words
	// between asterisks, **so**; at most 200 characters.
	Snippet string
	Score   float64 // rounded to 4 decimals
	// Matched says where words were found: name, alias, description, column:NAME,
	// column_comment:NAME, tag, entity, cluster, enum. Never nil.
	Matched []string
}

// slack is how many hits more than asked for are put in order: those whose scores
// are equal only when rounded are ordered as equals.
const slack = 16

// ranked is a document and its score, rounded.
type ranked struct {
	id    string
	score float64
}

// Search ranks by keywords: by score, then tables before entities, then by
// connection and name.
func (x *Index) Search(ctx context.Context, q Question) (*Answer, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.keyword(ctx, q)
}

func (x *Index) keyword(ctx context.Context, q Question) (*Answer, error) {
	r, found, err := x.find(ctx, q, q.Limit, func(string, place) bool { return true })
	if err != nil {
		return nil, err
	}
	return x.answer(r, found, r.Total), nil
}

// find ranks the documents of the asked connections for which also is true.
func (x *Index) find(ctx context.Context, q Question, limit int, also func(string, place) bool) (*search.Results, []ranked, error) {
	ask := limit
	if limit > 0 {
		ask += slack
	}
	wanted := q.wanted()
	r, err := x.words.SearchWhere(ctx, q.Text, ask, func(id string) bool {
		p, ok := x.places[id]
		return ok && wanted(p.in) && also(id, p)
	})
	if err != nil {
		return nil, nil, err
	}
	found := make([]ranked, len(r.Hits))
	for i, h := range r.Hits {
		found[i] = ranked{h.ID, model.Round(h.Score)}
	}
	slices.SortFunc(found, compare)
	return r, first(found, limit), nil
}

// compare orders by score, then by id.
func compare(a, b ranked) int {
	return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.id, b.id))
}

func first(list []ranked, n int) []ranked {
	if n > 0 && len(list) > n {
		return list[:n]
	}
	return list
}

// wanted reports whether a connection is one of those asked for.
func (q *Question) wanted() func(*connection) bool {
	if q.Connections == nil {
		return func(*connection) bool { return true }
	}
	names := make(map[string]bool, len(q.Connections))
	for _, n := range q.Connections {
		names[n] = true
	}
	return func(in *connection) bool { return names[in.catalog.Connection] }
}

// answer makes hits of what was found.
func (x *Index) answer(r *search.Results, found []ranked, total int) *Answer {
	a := &Answer{Hits: make([]Hit, len(found)), Total: total, Words: r.Words, Ignored: r.Ignored}
	m := newMatcher(r, x.spell)
	for i, f := range found {
		a.Hits[i] = m.hit(x.places[f.id], f.score)
	}
	return a
}

// Fused merges the keyword ranking with that of [Index.Semantic] by reciprocal rank,
// and with that of the tables which the question names, and reports true. Entities, which have no vectors, keep their rank among the
// keyword hits and score by it alone. Where there are no vectors to compare, or the
// question cannot be embedded, the answer is that of Search, and false.
func (x *Index) Fused(ctx context.Context, e *embed.Embedder, q Question) (*Answer, bool, error) {
	question, reason, err := x.embed(ctx, e, q)
	if err != nil {
		return nil, false, err
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	var near []ranked
	if reason == "" {
		k := 0
		if q.Limit > 0 {
			k = max(20, 4*q.Limit)
		}
		near = x.near(q, question, k, nil)
	}
	if len(near) == 0 {
		a, err := x.keyword(ctx, q)
		return a, false, err
	}

	// Those of the near tables that no word found count beside the keyword matches.
	unmatched := make(map[string]bool, len(near))
	for _, n := range near {
		unmatched[n.id] = true
	}
	// Most of the best are tables. An entity that is not among these would come after
	// more tables than are asked for.
	r, found, err := x.find(ctx, q, 6*q.Limit, func(id string, _ place) bool {
		delete(unmatched, id)
		return true
	})
	if err != nil {
		return nil, false, err
	}
	hits := r.Hits
	tables := slices.DeleteFunc(slices.Clone(found), func(f ranked) bool { return x.places[f.id].entity >= 0 })
	if len(tables) < 4*q.Limit && len(found) < r.Total {
		var more *search.Results
		more, tables, err = x.find(ctx, q, 4*q.Limit, func(_ string, p place) bool { return p.table >= 0 })
		if err != nil {
			return nil, false, err
		}
		hits = more.Hits
	}
	tables = first(tables, 4*q.Limit)
	called := map[string]bool{}
	for _, h := range hits {
		called[h.ID] = h.Named
	}
	keywords := make([]string, len(tables))
	var named []string
	for i, t := range tables {
		keywords[i] = t.id
		if called[t.id] {
			named = append(named, t.id)
		}
	}
	list := fuse(keywords, near, named)
	for i, f := range found {
		if x.places[f.id].entity >= 0 {
			list = append(list, ranked{f.id, 1 / float64(search.FusionConstant+i+1)})
		}
	}
	// Stable: what Fuse put in order stays in it, and tables before entities.
	slices.SortStableFunc(list, func(a, b ranked) int { return cmp.Compare(b.score, a.score) })
	list = first(list, q.Limit)
	for i := range list {
		list[i].score = model.Round(list[i].score)
	}
	return x.answer(r, list, r.Total+len(unmatched)), true, nil
}

// fuse merges rankings of tables by reciprocal rank: that of the keywords, which
// decides between equals, that of the meaning, and that of the tables which the
// question calls by their names: whoever names a table wants it. Tables that mean the same have one rank, so that many copies of a table, as
// one per month, do not push down all others.
func fuse(keywords []string, meaning []ranked, named []string) []ranked {
	ranks := make(map[string]int, len(keywords))
	scores := make(map[string]float64, len(keywords)+len(meaning))
	for i, id := range keywords {
		ranks[id] = i + 1
		scores[id] = 1 / float64(search.FusionConstant+i+1)
	}
	rank := 0
	for i, m := range meaning {
		if i == 0 || model.Round(m.score) != model.Round(meaning[i-1].score) {
			rank++
		}
		scores[m.id] += 1 / float64(search.FusionConstant+rank)
	}
	for i, id := range named {
		scores[id] += 1 / float64(search.FusionConstant+i+1)
	}
	list := make([]ranked, 0, len(scores))
	for id, score := range scores {
		list = append(list, ranked{id, score})
	}
	slices.SortFunc(list, func(a, b ranked) int {
		// A rank of 0, for none, becomes the largest number.
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(uint(ranks[a.id]-1), uint(ranks[b.id]-1)), cmp.Compare(a.id, b.id))
	})
	return list
}

// nodeType is the label of what was found.
func (p place) nodeType() string {
	if p.table >= 0 {
		return graph.SchemaTable
	}
	return graph.Entity
}
