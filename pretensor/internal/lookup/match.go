package lookup

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/datakit/search"
	"github.com/quartet-mcp/quartet/datakit/search/analysis"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
)

const (
	maxDescription = 400   // characters
	maxSnippet     = 200   // characters, with the marks
	maxPassage     = 4_000 // characters that a snippet is looked for in
	maxMatched     = 20    // places that a hit tells of
	mark           = "**"
)

// matcher finds out which words of documents answered a question.
type matcher struct {
	results *search.Results // nil: no words were looked for
	spell   *speller
	known   map[word][]search.Way // what was found out already
}

type word struct {
	text         string
	joined, name bool
}

func newMatcher(r *search.Results, s *speller) *matcher {
	return &matcher{results: r, spell: s, known: map[word][]search.Way{}}
}

// part is a text of a document under the label that an answer gives it.
type part struct {
	label string
	text  string
	name  bool // a name, whose plain words count, too
}

// span is a word of a text that answers words of the question.
type span struct {
	start, end int
	ways       []search.Way
}

// hit describes what was found.
func (m *matcher) hit(p place, score float64) Hit {
	c := p.in.catalog
	h := Hit{Catalog: c, Table: p.table, Entity: p.entity, NodeType: p.nodeType(), Score: score, Matched: []string{}}
	var parts, passages []part
	if p.table >= 0 {
		h.Name = c.Name(p.table)
		h.Description = description(p.in.facts(p.table), c.Tables[p.table].Comment)
		parts, passages = p.in.parts(p.table)
	} else {
		e := &c.Entities[p.entity]
		h.Name, h.Description = e.Name, e.Description
		parts = []part{{"name", e.Name, true}, {"description", e.Description, false}}
		passages = []part{parts[1], parts[0]}
	}
	h.Description = clean(h.Description, maxDescription)

	// Where a document has a word of the question itself, its synonyms and the like
	// add nothing.
	best := map[int]float64{}
	spans := make([][]span, len(parts))
	for i, part := range parts {
		spans[i] = m.spans(part)
		for _, s := range spans[i] {
			for _, w := range s.ways {
				best[w.Word] = max(best[w.Word], w.Weight)
			}
		}
	}
	for i, part := range parts {
		if len(h.Matched) < maxMatched && slices.ContainsFunc(spans[i], func(s span) bool { return s.counts(best) }) &&
			!slices.Contains(h.Matched, part.label) {
			h.Matched = append(h.Matched, part.label)
		}
	}
	h.Snippet = m.snippet(passages, best)
	return h
}

// description is the text that describes a table.
func description(f *catalog.Facts, comment string) string {
	if f.Description != "" {
		return f.Description
	}
	return comment
}

// parts are the texts of a table as answers name them, and the passages that may
// stand for it, in the order of preference.
func (in *connection) parts(table int) (parts, passages []part) {
	c := in.catalog
	t := &c.Tables[table]
	f := in.facts(table)
	parts = append(parts, part{"name", c.Name(table), true})
	for _, a := range in.aliases[table] {
		parts = append(parts, part{"alias", a, true})
	}
	for _, d := range []string{description(f, t.Comment), t.Comment} {
		parts = append(parts, part{"description", d, false})
		passages = append(passages, part{"", d, false})
	}
	columns := make([]string, len(t.Columns))
	for i := range t.Columns {
		columns[i] = t.Columns[i].Name
		parts = append(parts, part{"column:" + columns[i], columns[i], true})
	}
	for i := range t.Columns {
		column := &t.Columns[i]
		if column.Comment != "" {
			parts = append(parts, part{"column_comment:" + column.Name, column.Comment, false})
			passages = append(passages, part{"", column.Name + ": " + column.Comment, false})
		}
	}
	passages = append(passages, part{"", listed(columns), true}, part{"", listed(f.Tags), false}, part{"", c.Name(table), true},
		part{"", listed(in.aliases[table]), true})
	for _, tag := range f.Tags {
		parts = append(parts, part{"tag", tag, false})
	}
	for _, e := range in.entities[table] {
		parts = append(parts, part{"entity", e, false})
	}
	if k := in.cluster[table]; k >= 0 {
		parts = append(parts, part{"cluster", c.Clusters[k].Label, false}, part{"cluster", firstWords(c.Clusters[k].Description, clusterWords), false})
	}
	for i := range t.Columns {
		column := &t.Columns[i]
		for _, label := range column.Enum {
			parts = append(parts, part{"enum", label, false})
		}
		if len(column.Enum) > 0 {
			passages = append(passages, part{"", column.Name + ": " + listed(column.Enum), false})
		}
	}
	return parts, passages
}

// listed are names one after the other, as many as a snippet is looked for in.
func listed(names []string) string {
	var b strings.Builder
	for i, name := range names {
		if b.Len() >= maxPassage {
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(name)
	}
	return b.String()
}

// spans finds the words of a text that answer the question.
func (m *matcher) spans(p part) []span {
	if m.results == nil || p.text == "" {
		return nil
	}
	var spans []span
	for _, t := range analysis.Split(bounded(p.text)) {
		key := word{t.Text, t.Joined, p.name}
		ways, ok := m.known[key]
		if !ok {
			ways = m.ways(t, p.name)
			m.known[key] = ways
		}
		if len(ways) == 0 {
			continue
		}
		// The whole of an identifier comes after its words, and covers them.
		for len(spans) > 0 && spans[len(spans)-1].start >= t.Start {
			ways = append(slices.Clone(ways), spans[len(spans)-1].ways...)
			spans = spans[:len(spans)-1]
		}
		spans = append(spans, span{t.Start, t.End, ways})
	}
	return spans
}

func (m *matcher) ways(t analysis.Token, name bool) []search.Way {
	var ways []search.Way
	if w, ok := m.results.Way(t); ok {
		ways = append(ways, w)
	}
	if name && !t.Joined {
		for _, plain := range m.spell.words.Spell(t.Text) {
			if w, ok := m.results.Way(analysis.Token{Text: plain}); ok {
				ways = append(ways, w)
			}
		}
	}
	return ways
}

// counts reports whether there is nothing better in the document for a word of the
// question.
func (s span) counts(best map[int]float64) bool {
	return slices.ContainsFunc(s.ways, func(w search.Way) bool { return w.Weight >= best[w.Word] })
}

// snippet is the passage that answers most words of the question, the first of
// several; without any, the first that there is.
func (m *matcher) snippet(passages []part, best map[int]float64) string {
	chosen, most := "", -1.0
	for _, p := range passages {
		p.text = clean(p.text, maxPassage)
		if p.text == "" {
			continue
		}
		spans := slices.DeleteFunc(m.spans(p), func(s span) bool { return !s.counts(best) })
		from, to, worth := window(p.text, spans)
		if worth > most {
			chosen, most = excerpt(p.text, spans, from, to), worth
		}
	}
	return chosen
}

// window finds the spans that fit into a snippet together and answer most.
func window(text string, spans []span) (from, to int, worth float64) {
	for i := range spans {
		found := map[int]float64{}
		sum := 0.0
		j := i
		for ; j < len(spans); j++ {
			if utf8.RuneCountInString(text[spans[i].start:spans[j].end])+2*len(mark)*(j-i+1)+2 > maxSnippet {
				break
			}
			for _, w := range spans[j].ways {
				if w.Weight > found[w.Word] {
					sum += w.Weight - found[w.Word]
					found[w.Word] = w.Weight
				}
			}
		}
		if sum > worth {
			from, to, worth = i, j, sum
		}
		if j == len(spans) {
			break // what begins later holds no more
		}
	}
	return from, to, worth
}

// excerpt cuts a text around spans[from:to], as whole words as far as they fit, and
// marks those.
func excerpt(text string, spans []span, from, to int) string {
	if from == to {
		return clean(text, maxSnippet)
	}
	chosen := spans[from:to]
	room := maxSnippet - 2*len(mark)*len(chosen)
	if len(chosen) == len(spans) && utf8.RuneCountInString(text) <= room {
		return marked(text, 0, len(text), chosen)
	}
	// The spans beside those chosen, which would be there without marks, stay out.
	first, last := 0, len(text)
	if from > 0 {
		first = spans[from-1].end
	}
	if to < len(spans) {
		last = spans[to].start
	}
	start, end := chosen[0].start, chosen[len(chosen)-1].end
	room -= 2 + utf8.RuneCountInString(text[start:end]) // 2 for the ellipses
	lead := back(text[first:start], room/3)
	room -= utf8.RuneCountInString(text[start-lead : start])
	start -= lead
	end += ahead(text[end:last], room)
	b := marked(text, start, end, chosen)
	if start > 0 {
		b = "…" + b
	}
	if end < len(text) {
		b += "…"
	}
	return b
}

// back is how many bytes at the end of a text are whole words of at most n
// characters.
func back(text string, n int) int {
	size := 0
	whole := 0
	for n > 0 && size < len(text) {
		r, w := utf8.DecodeLastRuneInString(text[:len(text)-size])
		if r == ' ' {
			whole = size
		}
		size += w
		n--
	}
	if size == len(text) {
		return size
	}
	return whole
}

// ahead is how many bytes at the beginning of a text are whole words of at most n
// characters.
func ahead(text string, n int) int {
	size, whole := 0, 0
	for n > 0 && size < len(text) {
		r, w := utf8.DecodeRuneInString(text[size:])
		if r == ' ' {
			whole = size
		}
		size += w
		n--
	}
	if size == len(text) {
		return size
	}
	return whole
}

// marked writes text[start:end] with the spans marked. Those that only a sign joins,
// as within an identifier, are marked as one.
func marked(text string, start, end int, spans []span) string {
	var b strings.Builder
	at := start
	for i := 0; i < len(spans); i++ {
		s := spans[i]
		for i+1 < len(spans) && (text[s.end:spans[i+1].start] == "_" || text[s.end:spans[i+1].start] == "") {
			i++
			s.end = spans[i].end
		}
		b.WriteString(text[at:s.start])
		b.WriteString(mark)
		b.WriteString(text[s.start:s.end])
		b.WriteString(mark)
		at = s.end
	}
	b.WriteString(text[at:end])
	return b.String()
}

// clean is a text on one line, without what a reader cannot see, in at most n
// characters.
func clean(text string, n int) string {
	text = names.Clean(text)
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	for i := range text {
		if n--; n == 0 {
			return strings.TrimRight(text[:i], " ") + "…"
		}
	}
	return text
}
