package route

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/quartet-mcp/quartet/cerebro/internal/words"
	"github.com/quartet-mcp/quartet/datakit/search/analysis"
	"github.com/quartet-mcp/quartet/datakit/wordvec"
)

// meanings compares the words of questions with those of metrics by what they mean:
// equal words and forms of one word first, then families of words, then word vectors.
// Words are added while an index is prepared; after that it is safe for concurrent use.
type meanings struct {
	builtin *wordvec.Builtin // nil when the vectors cannot be read: then forms and families alone count
	ids     map[string]int
	words   []meaning
	groups  map[string][]int // families by the stem of a word

	mu   sync.Mutex
	near map[string][]likeness // by word of a question
}

type meaning struct {
	stem   string
	groups []int
	vector []float32 // nil when the word is not known
}

// likeness is a word, by number, and how like another it is, from 0 to 1.
type likeness struct {
	id    int
	value float32
}

// What words are alike by, beside being equal.
const (
	sameStem   = 0.95
	sameFamily = 0.85
	byChance   = 0.35 // vectors that are no nearer than this mean different things
)

// Bounds on what one question costs, and on what is kept of questions.
const (
	maxWords = 32
	maxNear  = 4096
)

func newMeanings() *meanings {
	m := &meanings{ids: map[string]int{}, groups: map[string][]int{}, near: map[string][]likeness{}}
	if b, err := wordvec.NewBuiltin(); err == nil {
		m.builtin = b
	}
	for i, family := range families {
		for w := range strings.FieldsSeq(family) {
			if stem := analysis.Porter.Stem(w); !slices.Contains(m.groups[stem], i) {
				m.groups[stem] = append(m.groups[stem], i)
			}
		}
	}
	return m
}

func (m *meanings) of(w string) meaning {
	stem := analysis.Porter.Stem(w)
	out := meaning{stem: stem, groups: m.groups[stem]}
	if m.builtin == nil {
		return out
	}
	v, err := m.builtin.Embed(context.Background(), []string{w})
	if err == nil && slices.ContainsFunc(v[0], func(f float32) bool { return f != 0 }) {
		out.vector = v[0]
	}
	return out
}

// add gives a word of a metric its number.
func (m *meanings) add(w string) int {
	if id, ok := m.ids[w]; ok {
		return id
	}
	m.ids[w] = len(m.words)
	m.words = append(m.words, m.of(w))
	return len(m.words) - 1
}

// weight says how much a word tells: the less, the more frequent it is in English.
func (m *meanings) weight(w string) float64 {
	if m.builtin != nil {
		if f := m.builtin.Weight(w); f > 0 {
			return f
		}
	}
	return 1
}

// like gives the words of metrics that a word is like.
func (m *meanings) like(w string) []likeness {
	m.mu.Lock()
	out, ok := m.near[w]
	m.mu.Unlock()
	if ok {
		return out
	}
	is := m.of(w)
	same, known := m.ids[w]
	for id := range m.words {
		var v float32
		if known && id == same {
			v = 1
		} else {
			v = is.like(&m.words[id])
		}
		if v > 0 {
			out = append(out, likeness{id, v})
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.near) >= maxNear {
		clear(m.near)
	}
	m.near[w] = out
	return out
}

func (m *meaning) like(other *meaning) float32 {
	if m.stem == other.stem {
		return sameStem
	}
	var v float32
	if m.vector != nil && other.vector != nil {
		for i, x := range other.vector {
			v += x * m.vector[i]
		}
		if v <= byChance {
			v = 0
		}
	}
	if v < sameFamily && slices.ContainsFunc(m.groups, func(g int) bool { return slices.Contains(other.groups, g) }) {
		return sameFamily
	}
	return v
}

// said is what a metric is called and described by, as numbers of words.
type said struct {
	names [][]int
	named []int // the words of all names
	about []int // the words of the description that no name has
}

func (m *meanings) read(names []string, description string) said {
	var s said
	for _, n := range names {
		var name []int
		for _, w := range content(n) {
			id := m.add(w)
			name = append(name, id)
			if !slices.Contains(s.named, id) {
				s.named = append(s.named, id)
			}
		}
		if len(name) > 0 {
			s.names = append(s.names, name)
		}
	}
	for _, w := range content(description) {
		if id := m.add(w); !slices.Contains(s.named, id) && !slices.Contains(s.about, id) {
			s.about = append(s.about, id)
		}
	}
	return s
}

// content gives the words of a text that mean something, each once.
func content(text string) []string {
	var out []string
	for _, w := range words.Plain(text) {
		if !words.Grammar(w) && strings.Trim(w, "0123456789") != "" && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// compared is a question whose words have been compared with those of all metrics.
type compared struct {
	kind    kind
	tokens  []string // of its words
	weights []float64
	like    [][]float32 // by word of the question and word of the metrics
}

func (m *meanings) compare(text string) compared {
	c := compared{kind: kindOf(text)}
	for _, w := range content(text) {
		t := words.Singular(w)
		if words.Stop(t) || silent[w] {
			continue
		}
		if len(c.tokens) == maxWords {
			break
		}
		c.tokens = append(c.tokens, t)
		c.weights = append(c.weights, m.weight(w))
		row := make([]float32, len(m.words))
		for _, l := range m.like(w) {
			row[l.id] = l.value
		}
		c.like = append(c.like, row)
	}
	return c
}

// How a likeness comes about. The figures are tuned on one half of the questions in
// testdata; the other half tells how well they hold.
const (
	aboutFactor = 0.7  // words of the description count less than those of names
	knowsPart   = 0.7  // of what the metric knows of the question; the rest is what the question has of a name
	rightKind   = 1.05 // the metric gives the sort of number that is asked for
	wrongKind   = 0.8
)

// likeness says how well a metric fits a question by meaning, from 0 to about 1.
func (e *entry) likeness(c *compared) float64 {
	var sum, total float64
	for i, row := range c.like {
		var best float32
		for _, id := range e.said.named {
			best = max(best, row[id])
		}
		for _, id := range e.said.about {
			best = max(best, aboutFactor*row[id])
		}
		if e.dims[c.tokens[i]] && best < 0.9 {
			continue // the word names what to group by
		}
		sum += c.weights[i] * float64(best)
		total += c.weights[i]
	}
	if total == 0 {
		return 0
	}
	var named float64
	for _, name := range e.said.names {
		var n float64
		for _, id := range name {
			var best float32
			for _, row := range c.like {
				best = max(best, row[id])
			}
			n += float64(best)
		}
		named = max(named, n/float64(len(name)))
	}
	l := knowsPart*sum/total + (1-knowsPart)*named
	switch c.kind.matches(e.kind) {
	case 1:
		l *= rightKind
	case -1:
		l *= wrongKind
	}
	return l
}
