// Package lookup finds tables and entities by the words of a question, by its
// meaning, or by both.
//
// An [Index] holds the catalogs of all connections together, so that the scores of
// one answer compare. [Index.Search] ranks by keywords, [Index.Semantic] by the
// cosine of vectors, [Index.Fused] merges the two rankings and falls back to
// keywords alone, and [Index.Similar] finds the tables nearest to a table. The
// ranking itself is that of datakit/search and datakit/wordvec; this package says
// what of a catalog is searched and shows why a hit is one.
//
// It answers from names, comments, descriptions and enum labels. Statistics, which
// may hold values of rows, and the text of views are never part of the index.
package lookup

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/quartet-mcp/quartet/datakit/search"
	"github.com/quartet-mcp/quartet/datakit/wordvec"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
)

// Index finds tables and entities of the catalogs that were put into it. It is safe
// for concurrent use: searches go on while a catalog is put in, and see all of the
// old one or all of the new.
type Index struct {
	words *search.Index
	spell *speller

	change sync.Mutex // held by what changes the index, from its beginning to its end
	turn   int        // makes the ids of two catalogs of one connection differ

	mu          sync.RWMutex // of what follows
	connections map[string]*connection
	places      map[string]place // by id in words
}

// connection is a catalog as it is indexed.
type connection struct {
	catalog  *catalog.Catalog
	cluster  []int      // of each table: its place in Clusters, or -1
	aliases  [][]string // of each table: its other names, then the views that stand for it
	entities [][]string // of each table: the names of those that it is part of
	ids      []string   // of the tables, then of the entities
	vectors  *wordvec.Index
	embedded []bool // tables that have a vector in vectors
}

// connect finds what the tables of a catalog belong to.
func connect(c *catalog.Catalog) *connection {
	n := c.Len()
	in := &connection{catalog: c, cluster: make([]int, n), aliases: make([][]string, n), entities: make([][]string, n)}
	for i := range c.Tables {
		in.cluster[i] = -1
		in.aliases[i] = append(in.aliases[i], in.facts(i).Aliases...)
	}
	for i := range c.Tables {
		if base := c.ShadowOf(i); base >= 0 {
			in.aliases[base] = append(in.aliases[base], c.Tables[i].Name)
		}
	}
	for i := range c.Clusters {
		for _, t := range c.Clusters[i].Tables {
			in.cluster[t] = i
		}
	}
	for _, e := range c.Entities {
		for _, t := range e.Tables {
			in.entities[t] = append(in.entities[t], e.Name)
		}
	}
	return in
}

// facts are what is known of a table beside its structure.
func (in *connection) facts(table int) *catalog.Facts {
	if table < len(in.catalog.Facts) {
		return &in.catalog.Facts[table]
	}
	return &catalog.Facts{}
}

// place says what an id stands for.
type place struct {
	in     *connection
	table  int // -1 for an entity
	entity int // -1 for a table
}

// New returns an empty index. Close it.
func New() (*Index, error) {
	words, err := wordvec.NewBuiltin()
	if err != nil {
		return nil, fmt.Errorf("opening the search: %w", err)
	}
	x, err := search.New(search.Config{Fields: fields(), Synonyms: search.BusinessSynonyms(), NamedBonus: namedBonus})
	if err != nil {
		return nil, fmt.Errorf("opening the search: %w", err)
	}
	return &Index{
		words: x, spell: &speller{words: words}, connections: map[string]*connection{}, places: map[string]place{},
	}, nil
}

// Close releases the index; searches that run are waited for.
func (x *Index) Close() error { return x.words.Close() }

// Put makes c the catalog of its connection. It does nothing if it is already. When
// ctx ends before c can be searched the index stays as it was; the end is looked at
// between the steps, the longest of which takes a second for 10,000 tables.
func (x *Index) Put(ctx context.Context, c *catalog.Catalog) error {
	x.change.Lock()
	defer x.change.Unlock()
	x.mu.RLock()
	old := x.connections[c.Connection]
	x.mu.RUnlock()
	if old != nil && old.catalog == c {
		return nil
	}

	// The new documents are searched by nobody before places has them.
	x.turn++
	fresh := connect(c)
	docs := x.spell.documents(fresh, x.turn)
	fresh.embed()
	err := ctx.Err()
	if err == nil {
		err = x.words.Index(docs...)
	}
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		err = x.words.Commit()
	}
	if err != nil {
		_ = x.words.Delete(fresh.ids...) // fails on a closed index alone, which has nothing
		return fmt.Errorf("indexing %q for search: %w", c.Connection, err)
	}
	x.mu.Lock()
	x.connections[c.Connection] = fresh
	for i, id := range fresh.ids {
		p := place{in: fresh, table: i, entity: -1}
		if i >= c.Len() {
			p.table, p.entity = -1, i-c.Len()
		}
		x.places[id] = p
	}
	err = x.drop(old)
	x.mu.Unlock()
	if err == nil {
		err = x.words.Commit()
	}
	if err != nil {
		return fmt.Errorf("indexing %q for search: %w", c.Connection, err)
	}
	return nil
}

// drop takes what is no longer a connection's out of the index. The caller holds
// both locks.
func (x *Index) drop(old *connection) error {
	if old == nil {
		return nil
	}
	for _, id := range old.ids {
		delete(x.places, id)
	}
	return x.words.Delete(old.ids...)
}

// Remove takes a connection out of the index, if it is there.
func (x *Index) Remove(connection string) error {
	x.change.Lock()
	defer x.change.Unlock()
	return x.remove(connection)
}

func (x *Index) remove(connection string) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	old := x.connections[connection]
	delete(x.connections, connection)
	if err := x.drop(old); err != nil {
		return fmt.Errorf("taking %q out of the search: %w", connection, err)
	}
	return nil
}

// Keep takes all other connections out of the index.
func (x *Index) Keep(connections []string) error {
	x.change.Lock()
	defer x.change.Unlock()
	x.mu.RLock()
	var gone []string
	for name := range x.connections {
		if !slices.Contains(connections, name) {
			gone = append(gone, name)
		}
	}
	x.mu.RUnlock()
	slices.Sort(gone)
	for _, name := range gone {
		if err := x.remove(name); err != nil {
			return err
		}
	}
	return nil
}

// embed puts a catalog's vectors, if it has any, under the ids of its tables. A vector
// that is none of its model, as only a damaged file has it, is left out.
func (in *connection) embed() {
	in.embedded = make([]bool, in.catalog.Len())
	v := &in.catalog.Vectors
	x, err := wordvec.NewIndex(v.Model, v.Dim)
	if err != nil {
		return // there are none
	}
	for i, vector := range v.Tables {
		if i >= in.catalog.Len() || vector == nil {
			continue
		}
		before := x.Len()
		_ = x.Add(v.Model, in.ids[i], vector)
		in.embedded[i] = x.Len() > before
	}
	in.vectors = x
}
