package find

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/quartet-mcp/quartet/cerebro/internal/toolset"
	"github.com/quartet-mcp/quartet/cerebro/internal/words"
	"github.com/quartet-mcp/quartet/datakit/search"
)

// tools is the corpus of the tools that can be found, and its index. It never changes.
type tools struct {
	changes   uint64 // of the registry when it was read
	signature [sha256.Size]byte
	list      []*tool
	byName    map[string]*tool
	index     *search.Index
}

type tool struct {
	*toolset.Definition
	name  string // cut as questions are
	parts []string
}

// gently is what core tools are preferred by.
const gently = 0.75

// silent are parts of names that say nothing of what a tool is for.
var silent = []string{"get", "and", "all", "the"}

// eligible are the tools that may be found: those that serve views are for no model.
func eligible(all []*toolset.Definition) []*tool {
	var out []*tool
	for _, d := range all {
		if !d.Meta.AppOnly() {
			tokens := words.Tokens(d.Name)
			out = append(out, &tool{d, strings.Join(tokens, " "), tokens})
		}
	}
	slices.SortFunc(out, func(a, b *tool) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// sign says what the index depends on.
func sign(list []*tool) (sum [sha256.Size]byte) {
	h := sha256.New()
	for _, t := range list {
		fmt.Fprintf(h, "%q %q %q %q %q\n", t.Name, t.Meta.Title, t.Summary(), t.Meta.Tags, t.Meta.Domain)
	}
	h.Sum(sum[:0])
	return sum
}

func buildTools(list []*tool) (*tools, error) {
	index, err := search.New(plainBM25(
		search.Field{Name: "name", Boost: 3}, search.Field{Name: "tags", Boost: 2}, search.Field{Name: "summary", Boost: 1}, search.Field{Name: "domain", Boost: 0.5},
	))
	if err != nil {
		return nil, err
	}
	c := &tools{list: list, byName: map[string]*tool{}, index: index}
	docs := make([]search.Document, len(list))
	for i, t := range list {
		c.byName[t.Name] = t
		docs[i] = search.Document{ID: t.Name, Fields: map[string][]string{
			"name": cut(t.Name, t.Meta.Title), "tags": cut(t.Meta.Tags...), "summary": cut(t.Summary()), "domain": cut(string(t.Meta.Domain)),
		}}
	}
	if err := cmp.Or(index.Index(docs...), index.Commit()); err != nil {
		_ = index.Close()
		return nil, err
	}
	return c, nil
}

// rank gives the tools that have anything to do with a question, best first.
func (c *tools) rank(ctx context.Context, a asked) ([]*tool, error) {
	scores := make(map[string]float64, len(c.list))
	if a.query != "" {
		hits, err := c.index.Search(ctx, a.query, 0)
		if err != nil {
			return nil, err
		}
		for _, h := range hits.Hits {
			scores[h.ID] = full * h.Score / hits.Hits[0].Score
		}
	}
	var out []*tool
	for _, t := range c.list {
		s := scores[t.Name] + a.bonus(t.name)
		for i, w := range a.tokens {
			if len([]rune(w)) > 2 && !words.Grammar(w) && !slices.Contains(silent, w) && slices.Contains(t.parts, w) && !slices.Contains(a.tokens[:i], w) {
				s++
			}
		}
		if s <= 0 {
			continue
		}
		if t.Meta.Tier == toolset.Core {
			s += gently
		}
		scores[t.Name] = s
		out = append(out, t)
	}
	slices.SortFunc(out, func(a, b *tool) int {
		return cmp.Or(cmp.Compare(scores[b.Name], scores[a.Name]), strings.Compare(a.Name, b.Name))
	})
	return out, nil
}

// corpus hands out the tools' index and keeps it in step with a registry.
type corpus struct {
	registry *toolset.Registry
	current  atomic.Pointer[tools]
	rebuilds atomic.Int64

	mu sync.Mutex // of a rebuild
}

// get gives an index of the tools that are registered now. While one caller builds
// it anew the others are served the old one; only before the first do all wait.
func (c *corpus) get() (*tools, error) {
	list, changes := c.registry.All()
	old := c.current.Load()
	if old != nil && old.changes == changes {
		return old, nil
	}
	if old == nil {
		c.mu.Lock()
	} else if !c.mu.TryLock() {
		return old, nil
	}
	defer c.mu.Unlock()
	old = c.current.Load()
	if old != nil && old.changes == changes {
		return old, nil
	}
	fit := eligible(list)
	signature := sign(fit)
	fresh := &tools{}
	if old != nil && old.signature == signature {
		// What is searched is the same; schemas may be others.
		*fresh = *old
		fresh.list, fresh.byName = fit, map[string]*tool{}
		for _, t := range fit {
			fresh.byName[t.Name] = t
		}
	} else {
		built, err := buildTools(fit)
		if err != nil {
			return nil, fmt.Errorf("index of the tools: %w", err)
		}
		fresh = built
		c.rebuilds.Add(1)
	}
	fresh.changes, fresh.signature = changes, signature
	c.current.Store(fresh)
	return fresh, nil
}
