package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/quartet-mcp/quartet/datakit/search/analysis"
)

// The parameters of BM25.
const (
	k1 = 1.2
	b  = 0.75
)

// A Hit is a document that matched.
type Hit struct {
	ID    string
	Score float64
	// Fields names the fields that hold a match, in the order of [Config.Fields].
	Fields []string
	// Words counts the words of the question that matched, see [Results.Words].
	Words int
	// Named: the question holds all words of a value of a title field.
	Named bool
}

// Results is the answer to a question.
type Results struct {
	// Hits holds the best documents in descending order of score, equal scores
	// in ascending order of ID. Never nil.
	Hits []Hit
	// Total counts the documents that matched, before the limit.
	Total int
	// Words counts the distinct words of the question that were looked for, stop
	// words left out. 0 means that the question held no word at all.
	Words int
	// Ignored counts the distinct words beyond [MaxTerms] that were not looked for.
	Ignored int

	stemming analysis.Stemming
	ways     map[sought]Way
}

// A Way is how a word of a document answers the question.
type Way struct {
	// Word tells the words of the question apart; it has no other meaning.
	Word int
	// Weight is 1 for the word itself and its other forms, less for a prefix, a
	// corrected spelling or a synonym.
	Weight float64
}

// sought is a word that was looked for and found somewhere in the index.
type sought struct {
	text string
	stem bool
}

// Way returns how a word of a document, as [analysis.Split] gives it, was looked
// for, the way of the greatest weight if there are several. It is false for a word
// that was not: so a caller learns which words of a document to show as matching.
func (r *Results) Way(t analysis.Token) (Way, bool) {
	way, ok := r.ways[sought{text: t.Text}]
	if t.Joined || len(r.ways) == 0 || r.stemming == analysis.Off {
		return way, ok
	}
	if w, found := r.ways[sought{r.stemming.Stem(t.Text), true}]; found && (!ok || w.Weight > way.Weight) {
		return w, true
	}
	return way, ok
}

// Search ranks the documents that hold at least one word of the question. The
// question is plain text, whatever signs it holds; there is no query syntax. A
// limit of 0 or less returns all that match.
func (x *Index) Search(ctx context.Context, question string, limit int) (*Results, error) {
	return x.SearchWhere(ctx, question, limit, nil)
}

// SearchWhere is [Index.Search] among the documents for whose ID keep returns
// true; nil keeps all. Keep must not call the index. What is left out still
// counts for how rare a word is.
func (x *Index) SearchWhere(ctx context.Context, question string, limit int, keep func(id string) bool) (*Results, error) {
	var results *Results
	err := x.search(ctx, func(s *store) error {
		q := query{ctx: ctx, index: x, store: s, counts: x.counts.Get().(*counts)}
		defer x.counts.Put(q.counts)
		var err error
		results, err = q.run(question, limit, keep)
		return err
	})
	if err != nil {
		return nil, err
	}
	return results, nil
}

// A term is one way to find a word of the question.
type term struct {
	text   string
	stem   bool // look among the stems
	weight float64
}

type query struct {
	ctx   context.Context
	index *Index
	store *store
	*counts
	posting index.TermFieldDoc

	current int // number of the word that is looked for
	ways    map[sought]Way
	stems   map[string]bool // of the question's words
}

// counts is what a query counts by document number. It is large, so that one query
// hands it to another.
type counts struct {
	score  []float64
	fields []uint64 // bit set of the fields that matched
	words  []int    // words matched, joined ones not counted

	tf      []float64 // of the current term
	best    []float64 // of the current word
	touched []int     // document numbers with a tf
	reached []int     // document numbers with a best
}

// begin makes all counts of n documents zero.
func (c *counts) begin(n int) {
	c.score, c.tf, c.best = zeros(c.score, n), zeros(c.tf, n), zeros(c.best, n)
	c.fields, c.words = zeros(c.fields, n), zeros(c.words, n)
	c.touched, c.reached = c.touched[:0], c.reached[:0]
}

func zeros[T float64 | uint64 | int](list []T, n int) []T {
	if cap(list) < n {
		return make([]T, n)
	}
	list = list[:n]
	clear(list)
	return list
}

func (q *query) run(question string, limit int, keep func(string) bool) (*Results, error) {
	q.ways = make(map[sought]Way)
	results := &Results{Hits: []Hit{}, stemming: q.index.config.Stemming, ways: q.ways}
	words, ignored := distinct(question)
	results.Ignored = ignored
	n := len(q.store.entries)
	q.begin(n)
	for _, t := range words {
		if !t.Joined {
			results.Words++
		}
	}
	if len(words) == 0 || n == 0 {
		return results, nil
	}

	last := -1 // of the words, for the prefix
	for i, t := range words {
		if !t.Joined {
			last = i
		}
	}
	fuzzy := 0
	for i, t := range words {
		if err := q.ctx.Err(); err != nil {
			return nil, err
		}
		q.current = i
		if err := q.word(t, i == last, &fuzzy); err != nil {
			return nil, fmt.Errorf("searching: %w", err)
		}
	}
	q.stems = make(map[string]bool)
	for _, stem := range q.index.config.stems(words) {
		q.stems[stem] = true
	}
	q.rank(results, strings.Join(analysis.Words(question), " "), limit, keep)
	return results, nil
}

// distinct returns the words of the question, each once, at its last place so
// that the last word stays the last.
func distinct(question string) (words []analysis.Token, ignored int) {
	type key struct {
		text   string
		joined bool
	}
	tokens := analysis.Terms(question)
	lastAt := make(map[key]int)
	for i, t := range tokens {
		lastAt[key{t.Text, t.Joined}] = i
	}
	counted := 0
	for i, t := range tokens {
		if lastAt[key{t.Text, t.Joined}] != i {
			continue
		}
		if counted >= MaxTerms {
			if !t.Joined {
				ignored++
			}
			continue
		}
		if !t.Joined {
			counted++
		}
		words = append(words, t)
	}
	return words, ignored
}

// word looks for one word of the question and adds what it scores: in each
// document the best of its terms, since to find a word, its stem and a synonym
// in one place is not three findings. A joined identifier adds to documents that
// spell it so, beside its parts.
func (q *query) word(t analysis.Token, last bool, fuzzy *int) error {
	c := &q.index.config
	if err := q.term(term{text: t.Text, weight: 1}); err != nil {
		return err
	}
	if t.Joined {
		q.settle(false)
		return nil
	}
	stem := c.Stemming.Stem(t.Text)
	if c.Stemming != analysis.Off {
		if err := q.term(term{text: stem, stem: true, weight: 1}); err != nil {
			return err
		}
	}
	found := len(q.reached) > 0
	letters := utf8.RuneCountInString(t.Text)
	if last && c.PrefixWeight > 0 && letters >= minPrefixLetters {
		dictionary := func(field string) (index.FieldDict, error) {
			return q.store.reader.FieldDictPrefix(field, []byte(t.Text))
		}
		if err := q.expand(t.Text, c.PrefixWeight, false, dictionary); err != nil {
			return err
		}
	}
	if !found && c.FuzzyWeight > 0 && letters >= minFuzzyLetters && *fuzzy < maxFuzzy {
		*fuzzy++
		reader, ok := q.store.reader.(index.IndexReaderFuzzy)
		if !ok {
			return fmt.Errorf("reader %T has no fuzzy dictionary", q.store.reader)
		}
		// One edit away from "custmer" is "customer", but not the "customers" that
		// tables are called, and the other way round.
		forms := []string{t.Text}
		if c.Stemming != analysis.Off {
			forms = append(forms, t.Text+"s")
			if singular := analysis.Light.Stem(t.Text); singular != t.Text {
				forms[1] = singular
			}
		}
		for _, form := range forms {
			dictionary := func(field string) (index.FieldDict, error) {
				return reader.FieldDictFuzzy(field, form, 1, "")
			}
			if err := q.expand(t.Text, c.FuzzyWeight, true, dictionary); err != nil {
				return err
			}
		}
	}
	if c.SynonymWeight > 0 {
		for _, s := range q.index.synonyms[analysis.Porter.Stem(t.Text)] {
			if err := q.term(term{text: s, weight: c.SynonymWeight}); err != nil {
				return err
			}
			if c.Stemming == analysis.Off {
				continue
			}
			if err := q.term(term{text: c.Stemming.Stem(s), stem: true, weight: c.SynonymWeight}); err != nil {
				return err
			}
		}
	}
	q.settle(true)
	return nil
}

// expand looks for the words that dictionary lists beside text, in ascending
// order and as long as they are few, and for their other forms if stems is set.
func (q *query) expand(text string, weight float64, stems bool, dictionary func(field string) (index.FieldDict, error)) error {
	var found []string
	for _, f := range q.index.config.Fields {
		dict, err := dictionary(wordField(f.Name))
		if err != nil {
			return err
		}
		for {
			e, err := dict.Next()
			if err != nil {
				return err
			}
			if e == nil {
				break
			}
			if e.Term != text {
				found = append(found, strings.Clone(e.Term))
			}
		}
		if err := dict.Close(); err != nil {
			return err
		}
	}
	slices.Sort(found)
	used := 0
	for _, w := range slices.Compact(found) {
		if used == maxExpansions {
			break
		}
		// Dictionaries keep words of deleted documents; those must not use up the
		// places, lest the answer depend on what the index held before.
		matched, err := q.live(term{text: w, weight: weight})
		if err != nil {
			return err
		}
		if !matched {
			continue
		}
		used++
		if stems && q.index.config.Stemming != analysis.Off {
			if err := q.term(term{text: q.index.config.Stemming.Stem(w), stem: true, weight: weight}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (q *query) term(t term) error {
	_, err := q.live(t)
	return err
}

// live scores one term in every document that holds it, keeps the best score of
// the current word, and reports whether there was such a document.
func (q *query) live(t term) (bool, error) {
	q.touched = q.touched[:0]
	for i, f := range q.index.config.Fields {
		name := wordField(f.Name)
		if t.stem {
			name = stemField(f.Name)
		}
		if err := q.postings(t.text, name, i); err != nil {
			return false, err
		}
	}
	df, n := float64(len(q.touched)), float64(q.store.live)
	idf := math.Log(1 + (n-df+0.5)/(df+0.5))
	for _, d := range q.touched {
		s := t.weight * idf * q.tf[d] * (k1 + 1) / (k1 + q.tf[d])
		q.tf[d] = 0
		if q.best[d] == 0 {
			q.reached = append(q.reached, d)
		}
		q.best[d] = max(q.best[d], s)
	}
	if len(q.touched) == 0 {
		return false, nil
	}
	key := sought{t.text, t.stem}
	if w, ok := q.ways[key]; !ok || t.weight > w.Weight {
		q.ways[key] = Way{Word: q.current, Weight: t.weight}
	}
	return true, nil
}

// postings adds the weighted count of a term in one field to the tf of each
// document.
func (q *query) postings(text, name string, field int) (err error) {
	r, err := q.store.reader.TermFieldReader(q.ctx, []byte(text), name, true, false, false)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := r.Close(); err == nil {
			err = cerr
		}
	}()
	factors, bit := q.store.factors[field], uint64(1)<<field
	for {
		p, err := r.Next(&q.posting)
		if err != nil {
			return err
		}
		if p == nil {
			return nil
		}
		d := int(p.ID.Value())
		if q.tf[d] == 0 {
			q.touched = append(q.touched, d)
		}
		q.tf[d] += float64(p.Freq) * factors[d]
		q.fields[d] |= bit
	}
}

// holds reports whether the question holds all of some stems.
func (q *query) holds(stems []string) bool {
	for _, s := range stems {
		if !q.stems[s] {
			return false
		}
	}
	return true
}

// settle adds the scores of the current word to the documents' and makes ready
// for the next.
func (q *query) settle(counts bool) {
	for _, d := range q.reached {
		q.score[d] += q.best[d]
		q.best[d] = 0
		if counts {
			q.words[d]++
		}
	}
	q.reached = q.reached[:0]
}

// rank applies bonuses and weights and fills in the best hits.
func (q *query) rank(results *Results, title string, limit int, keep func(string) bool) {
	c := &q.index.config
	type scored struct {
		doc   int
		score float64
	}
	better := func(x, y scored) int {
		if o := cmp.Compare(y.score, x.score); o != 0 {
			return o
		}
		return strings.Compare(q.store.entries[x.doc].id, q.store.entries[y.doc].id)
	}
	var top []scored
	worst := 0.0 // what a hit must score once there are enough
	for d, score := range q.score {
		e := q.store.entries[d]
		if score == 0 || keep != nil && !keep(e.id) {
			continue
		}
		results.Total++
		if q.words[d] == results.Words {
			score *= c.AllBonus
			// A title that equals the question holds all its words.
			if slices.Contains(e.titles, title) {
				score *= c.TitleBonus
			}
		}
		score *= e.weight
		if score*max(1, c.NamedBonus) < worst {
			continue // whatever it is called
		}
		if slices.ContainsFunc(e.named, q.holds) {
			score *= c.NamedBonus
		}
		if score < worst {
			continue
		}
		top = append(top, scored{d, score})
		// Cutting to the best so far, each time there are twice as many, spares
		// sorting every match.
		if limit > 0 && len(top) >= 2*limit && len(top) >= 128 {
			slices.SortFunc(top, better)
			top = top[:limit]
			worst = top[limit-1].score
		}
	}
	slices.SortFunc(top, better)
	if limit > 0 && len(top) > limit {
		top = top[:limit]
	}
	for _, t := range top {
		h := Hit{ID: q.store.entries[t.doc].id, Score: t.score, Words: q.words[t.doc], Named: slices.ContainsFunc(q.store.entries[t.doc].named, q.holds)}
		for set := q.fields[t.doc]; set != 0; set &= set - 1 {
			h.Fields = append(h.Fields, c.Fields[bits.TrailingZeros64(set)].Name)
		}
		results.Hits = append(results.Hits, h)
	}
}
