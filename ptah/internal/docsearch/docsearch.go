// Package docsearch finds passages of the documentation by the words of a question.
//
// Pages are cut at their headings into passages. They are ranked by BM25 over text and
// headings, a word of a heading counting three times. A passage qualifies only if it has
// at least half of the question's words, so that a question which the documentation does
// not cover has no answer instead of the nearest noise.
package docsearch

import (
	"context"
	"fmt"
	"io/fs"
	"strconv"
	"sync"

	"github.com/quartet-mcp/quartet/datakit/search"
)

// headingBoost is how often a word of a heading counts.
const headingBoost = 3

// Index is the searchable documentation. It is safe for concurrent use. The words are
// indexed by the first search.
type Index struct {
	passages  []Passage
	documents int
	ready     func() (*search.Index, error)
}

// New reads the pages of a file system.
func New(pages fs.FS) (*Index, error) {
	all, documents, err := passages(pages)
	if err != nil {
		return nil, fmt.Errorf("reading the documentation: %w", err)
	}
	x := &Index{passages: all, documents: documents}
	x.ready = sync.OnceValues(x.build)
	return x, nil
}

// Documents counts the pages, Passages their parts.
func (x *Index) Documents() int { return x.documents }

// Passages counts the parts of the pages.
func (x *Index) Passages() int { return len(x.passages) }

func (x *Index) build() (*search.Index, error) {
	const off = -1
	index, err := search.New(search.Config{
		Fields:      []search.Field{{Name: "heading", Boost: headingBoost}, {Name: "text"}},
		FuzzyWeight: off, PrefixWeight: off, SynonymWeight: off, TitleBonus: off, AllBonus: off,
	})
	if err != nil {
		return nil, err
	}
	docs := make([]search.Document, len(x.passages))
	for i, p := range x.passages {
		docs[i] = search.Document{ID: x.id(i), Fields: map[string][]string{"heading": {p.Heading}, "text": {p.Text}}}
	}
	if err := index.Index(docs...); err != nil {
		return nil, err
	}
	return index, index.Commit()
}

// id makes equal scores come in the order of path and heading; the number tells apart
// what one heading was split into.
func (x *Index) id(i int) string {
	p := x.passages[i]
	return fmt.Sprintf("%s\x00%s\x00%06d", p.Path, p.Heading, i)
}

// Search returns at most limit passages, the best first; never nil.
func (x *Index) Search(ctx context.Context, question string, limit int) ([]Passage, error) {
	index, err := x.ready()
	if err != nil {
		return nil, fmt.Errorf("indexing the documentation: %w", err)
	}
	results, err := index.Search(ctx, question, 0)
	if err != nil {
		return nil, fmt.Errorf("searching the documentation: %w", err)
	}
	found := []Passage{}
	for _, hit := range results.Hits {
		if len(found) == limit {
			break
		}
		if 2*hit.Words < results.Words {
			continue
		}
		n, err := strconv.Atoi(hit.ID[len(hit.ID)-6:])
		if err != nil {
			return nil, fmt.Errorf("searching the documentation: %w", err)
		}
		found = append(found, x.passages[n])
	}
	return found, nil
}
