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

// Index is the searchable documentation. It is safe for concurrent use. The pages are read
// when something is asked of them, and their words indexed by the first search: most who
// start a server never ask.
type Index struct {
	read  func() (corpus, error)
	ready func() (*search.Index, error)
}

// New makes the pages of a file system searchable.
func New(pages fs.FS) *Index {
	x := &Index{read: sync.OnceValues(func() (corpus, error) { return readPages(pages) })}
	x.ready = sync.OnceValues(x.build)
	return x
}

// Documents counts the pages that can be read.
func (x *Index) Documents() int {
	c, _ := x.read() // what cannot be read is not there; a search says why
	return c.documents
}

// Passages counts the parts of the pages.
func (x *Index) Passages() int {
	c, _ := x.read()
	return len(c.passages)
}

func (x *Index) build() (*search.Index, error) {
	c, err := x.read()
	if err != nil {
		return nil, err
	}
	const off = -1
	index, err := search.New(search.Config{
		Fields:      []search.Field{{Name: "heading", Boost: headingBoost}, {Name: "text"}},
		FuzzyWeight: off, PrefixWeight: off, SynonymWeight: off, TitleBonus: off, AllBonus: off,
	})
	if err != nil {
		return nil, err
	}
	docs := make([]search.Document, len(c.passages))
	for i, p := range c.passages {
		docs[i] = search.Document{ID: c.id(i), Fields: map[string][]string{"heading": {p.Heading}, "text": {p.Text}}}
	}
	if err := index.Index(docs...); err != nil {
		return nil, err
	}
	return index, index.Commit()
}

// id makes equal scores come in the order of path and heading; the number tells apart
// what one heading was split into.
func (c corpus) id(i int) string {
	p := c.passages[i]
	return fmt.Sprintf("%s\x00%s\x00%06d", p.Path, p.Heading, i)
}

// Search returns at most limit passages, the best first; never nil.
func (x *Index) Search(ctx context.Context, question string, limit int) ([]Passage, error) {
	index, err := x.ready()
	if err != nil {
		return nil, fmt.Errorf("indexing the documentation: %w", err)
	}
	c, err := x.read()
	if err != nil {
		return nil, fmt.Errorf("reading the documentation: %w", err)
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
		found = append(found, c.passages[n])
	}
	return found, nil
}
