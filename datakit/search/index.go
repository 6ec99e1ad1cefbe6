package search

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	bleveanalysis "github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/document"
	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"

	"github.com/quartet-mcp/quartet/datakit/search/analysis"
)

// ErrClosed is returned by every method of a closed [Index] that reads or writes
// documents and returns an error: all but Close, Len and IDs.
var ErrClosed = errors.New("search index is closed")

// A Document is what an [Index] finds.
type Document struct {
	// ID names the document within the index. Not empty.
	ID string
	// Fields holds the values of each field; a field may be absent. Values are
	// split apart from one another: each column name is a value of its own.
	Fields map[string][]string
	// Weight multiplies the document's score, for what is known about it beside
	// its words. 0 means 1.
	Weight float64
}

// Index is a set of documents that can be searched. It is safe for concurrent
// use; a search sees all writes that returned before it began.
//
// Writes are gathered and indexed together by the next search or [Index.Commit],
// so that building document by document costs the same as in one call.
type Index struct {
	config   Config
	fields   map[string]int // position in config.Fields
	synonyms map[string][]string
	counts   sync.Pool // of *counts

	mu      sync.RWMutex
	closed  bool
	docs    map[string]*entry
	pending map[string]*entry // written since the last commit; nil for deleted
	store   store
}

// entry is a document as analysed.
type entry struct {
	id      string
	weight  float64
	lengths []int      // words per field
	words   []string   // per field: words and joined identifiers, separated by spaces
	stems   []string   // per field, empty without stemming
	titles  []string   // values of title fields, words separated by spaces
	named   [][]string // the stems of each value of title fields, without stop words
}

// New returns an empty index. Close it to end its goroutines.
func New(config Config) (*Index, error) {
	config, err := config.normalised()
	if err != nil {
		return nil, err
	}
	x := &Index{
		config:  config,
		fields:  make(map[string]int, len(config.Fields)),
		docs:    make(map[string]*entry),
		pending: make(map[string]*entry),
		counts:  sync.Pool{New: func() any { return new(counts) }},
	}
	for i, f := range config.Fields {
		x.fields[f.Name] = i
	}
	if x.synonyms, err = synonyms(config.Synonyms); err != nil {
		return nil, err
	}
	if x.store, err = openStore(); err != nil {
		return nil, err
	}
	return x, nil
}

// Index adds documents, each replacing the one of the same ID. When one of them
// is refused, none is taken. Of two with the same ID in one call the later stands.
func (x *Index) Index(docs ...Document) error {
	entries := make([]*entry, len(docs))
	for i, d := range docs {
		e, err := x.analyse(d)
		if err != nil {
			return err
		}
		entries[i] = e
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed {
		return ErrClosed
	}
	for _, e := range entries {
		x.docs[e.id] = e
		x.pending[e.id] = e
	}
	return nil
}

// Delete removes documents; an ID that is not in the index is no error.
func (x *Index) Delete(ids ...string) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed {
		return ErrClosed
	}
	for _, id := range ids {
		if _, ok := x.docs[id]; ok {
			delete(x.docs, id)
			x.pending[id] = nil
		}
	}
	return nil
}

// Len returns the number of documents, 0 after Close.
func (x *Index) Len() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return len(x.docs)
}

// Commit indexes what was written since the last search, so that the next one
// need not.
func (x *Index) Commit() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed {
		return ErrClosed
	}
	return x.commit()
}

// Close ends the index and releases all it holds. Searches that run are waited
// for. Closing twice is no error.
func (x *Index) Close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed {
		return nil
	}
	x.closed = true
	x.docs, x.pending = nil, nil
	return x.store.close()
}

// analyse splits the values of a document into words.
func (x *Index) analyse(d Document) (*entry, error) {
	if d.ID == "" {
		return nil, errors.New("a document needs an ID")
	}
	if d.Weight == 0 {
		d.Weight = 1
	}
	if !(d.Weight > 0) || d.Weight > 1e6 {
		return nil, fmt.Errorf("weight of document %q must be above 0 and at most 1000000, got %v", d.ID, d.Weight)
	}
	for name := range d.Fields {
		if _, ok := x.fields[name]; !ok {
			return nil, fmt.Errorf("document %q has a field %q, which the index does not declare", d.ID, name)
		}
	}
	n := len(x.config.Fields)
	e := &entry{id: d.ID, weight: d.Weight, lengths: make([]int, n), words: make([]string, n), stems: make([]string, n)}
	for i, f := range x.config.Fields {
		var words, stems strings.Builder
		for _, value := range d.Fields[f.Name] {
			for _, t := range analysis.Terms(value) {
				words.WriteString(t.Text)
				words.WriteByte(' ')
				if t.Joined {
					// A second spelling of words that were counted already.
					continue
				}
				e.lengths[i]++
				if x.config.Stemming != analysis.Off {
					stems.WriteString(x.config.Stemming.Stem(t.Text))
					stems.WriteByte(' ')
				}
			}
			if f.Title {
				if title := strings.Join(analysis.Words(value), " "); title != "" {
					e.titles = append(e.titles, title)
				}
				if stems := x.config.stems(analysis.Terms(value)); len(stems) > 0 && x.config.NamedBonus != 1 {
					e.named = append(e.named, stems)
				}
			}
		}
		e.words[i], e.stems[i] = words.String(), stems.String()
	}
	return e, nil
}

// commit brings the store up to date. The caller holds the write lock.
func (x *Index) commit() error {
	if len(x.pending) == 0 {
		return nil
	}
	if err := x.store.apply(x.config.Fields, x.pending, x.docs); err != nil {
		return err
	}
	clear(x.pending)
	return nil
}

// store is a scorch index in memory and what is known about its documents.
type store struct {
	queue    *index.AnalysisQueue
	scorch   index.Index
	reader   index.IndexReader
	segments []*segment
	holder   map[string]*segment // by document ID

	entries []*entry    // by document number; nil for dead ones
	live    int         // entries that are not nil
	factors [][]float64 // by field and document number: boost / (1 − b + b·length/average)
}

// segment is what one write left: the documents that are still its own and how
// many it had at first.
type segment struct {
	live map[string]struct{}
	size int
}

func openStore() (store, error) {
	queue := index.NewAnalysisQueue(1)
	s, err := scorch.NewScorch(scorch.Name, map[string]any{"path": ""}, queue)
	if err == nil {
		err = s.Open()
	}
	if err != nil {
		queue.Close()
		return store{}, fmt.Errorf("opening the search index: %w", err)
	}
	return store{queue: queue, scorch: s, holder: make(map[string]*segment)}, nil
}

func (s *store) close() error {
	var err error
	if s.reader != nil {
		err = s.reader.Close()
	}
	err = errors.Join(err, s.scorch.Close())
	s.queue.Close()
	if err != nil {
		return fmt.Errorf("closing the search index: %w", err)
	}
	return nil
}

// apply writes the changes and reads the store's documents anew; docs are all
// documents as they are afterwards.
//
// Scorch merges segments on disk only: in memory every write would add one for
// good, and leave the postings of what it replaced. But it drops a segment that
// has no document left. So a write takes with it the documents of segments that
// are no larger than itself or more than half dead, which keeps the segments few
// (their sizes more than double from one to the next) and the dead fewer than
// the living.
func (s *store) apply(fields []Field, changes, docs map[string]*entry) error {
	batch := index.NewBatch()
	written := make(map[string]struct{})
	left := make(map[*segment]int) // documents of older segments that are replaced or deleted
	for id, e := range changes {
		if h := s.holder[id]; h != nil {
			left[h]++
		}
		if e == nil {
			batch.Delete(id)
		} else {
			written[id] = struct{}{}
		}
	}
	kept := slices.Clone(s.segments)
	for again := true; again; {
		again = false
		kept = slices.DeleteFunc(kept, func(g *segment) bool {
			if live := len(g.live) - left[g]; live > len(written) && 2*live > g.size {
				return false
			}
			for id := range g.live {
				if _, changed := changes[id]; !changed {
					written[id] = struct{}{}
					again = true
				}
			}
			return true
		})
	}
	for id := range written {
		batch.Update(docs[id].document(fields))
	}
	if err := s.scorch.Batch(batch); err != nil {
		return fmt.Errorf("indexing documents: %w", err)
	}
	for id := range changes {
		if h := s.holder[id]; h != nil {
			delete(h.live, id)
			delete(s.holder, id)
		}
	}
	s.segments = kept
	if len(written) > 0 {
		g := &segment{live: written, size: len(written)}
		s.segments = append(s.segments, g)
		for id := range written {
			s.holder[id] = g
		}
	}
	reader, err := s.scorch.Reader()
	if err != nil {
		return fmt.Errorf("reading the search index: %w", err)
	}
	if s.reader != nil {
		err = s.reader.Close()
	}
	s.reader = reader
	if err != nil {
		return fmt.Errorf("reading the search index: %w", err)
	}
	return s.load(fields, docs)
}

// document is the entry as bleve takes it.
func (e *entry) document(fields []Field) index.Document {
	d := document.NewDocument(e.id)
	add := func(name, text string) {
		if text != "" {
			d.AddField(document.NewTextFieldCustom(name, nil, []byte(text), index.IndexField, spaced{}))
		}
	}
	for i, f := range fields {
		add(wordField(f.Name), e.words[i])
		add(stemField(f.Name), e.stems[i])
	}
	return d
}

// load learns the number of each document and the weight of its fields.
func (s *store) load(fields []Field, docs map[string]*entry) error {
	numbers, err := s.reader.DocIDReaderAll()
	if err != nil {
		return fmt.Errorf("reading the search index: %w", err)
	}
	defer func() { _ = numbers.Close() }() // of an index in memory; there is nothing to lose
	s.entries, s.live = s.entries[:0], 0
	for {
		number, err := numbers.Next()
		if err != nil {
			return fmt.Errorf("reading the search index: %w", err)
		}
		if number == nil {
			break
		}
		id, err := s.reader.ExternalID(number)
		if err != nil {
			return fmt.Errorf("reading the search index: %w", err)
		}
		n := int(number.Value())
		for len(s.entries) <= n {
			s.entries = append(s.entries, nil)
		}
		s.entries[n] = docs[id]
		s.live++
	}

	s.factors = make([][]float64, len(fields))
	for i, f := range fields {
		// The average is over the documents that have the field at all: a field
		// that most lack is not long wherever it is present.
		words, holders := 0, 0
		for _, e := range s.entries {
			if e != nil && e.lengths[i] > 0 {
				words += e.lengths[i]
				holders++
			}
		}
		s.factors[i] = make([]float64, len(s.entries))
		if holders == 0 {
			continue
		}
		average := float64(words) / float64(holders)
		for n, e := range s.entries {
			if e != nil {
				s.factors[i][n] = f.Boost / (1 - b + b*float64(e.lengths[i])/average)
			}
		}
	}
	return nil
}

// Words and stems live in fields of their own, so that a stem is never taken for
// the word that happens to be spelt like it.
func wordField(name string) string { return name }
func stemField(name string) string { return name + "\x00stem" }

// spaced is the analyzer that bleve sees: the texts it is given were split
// already, into terms separated by spaces.
type spaced struct{}

func (spaced) Analyze(text []byte) bleveanalysis.TokenStream {
	n := bytes.Count(text, []byte{' '}) + 1
	slab := make([]bleveanalysis.Token, 0, n)
	tokens := make(bleveanalysis.TokenStream, 0, n)
	for start := 0; start < len(text); {
		end := start
		for end < len(text) && text[end] != ' ' {
			end++
		}
		if end > start {
			slab = append(slab, bleveanalysis.Token{Term: text[start:end], Start: start, End: end, Position: len(tokens) + 1})
			tokens = append(tokens, &slab[len(slab)-1])
		}
		start = end + 1
	}
	return tokens
}

// IDs returns the IDs of all documents in ascending order, none after Close.
func (x *Index) IDs() []string {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return slices.Sorted(maps.Keys(x.docs))
}

// search runs f with the store up to date and protected from writes.
func (x *Index) search(ctx context.Context, f func(*store) error) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		x.mu.RLock()
		if x.closed {
			x.mu.RUnlock()
			return ErrClosed
		}
		if len(x.pending) == 0 {
			defer x.mu.RUnlock()
			return f(&x.store)
		}
		x.mu.RUnlock()
		if err := x.Commit(); err != nil {
			return err
		}
	}
}
