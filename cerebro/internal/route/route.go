package route

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/quartet-mcp/quartet/cerebro/internal/semantic"
	"github.com/quartet-mcp/quartet/cerebro/internal/timeframe"
	"github.com/quartet-mcp/quartet/cerebro/internal/words"
)

// Way is how a question can be answered.
type Way string

// The ways: approved metrics cover it, cover a part of it, or none does; or there
// is no semantic layer.
const (
	Ready       Way = "semantic_ready"
	Hybrid      Way = "hybrid_ready"
	Gap         Way = "semantic_coverage_gap"
	Unavailable Way = "semantic_unavailable"
)

// Config is what a project says of its questions.
type Config struct {
	// Specific are words that a metric must know to be meant, such as "refund".
	Specific []string
	// Today is the day in the project's time zone.
	Today func() time.Time
}

// Index is a semantic layer prepared for questions. It never changes.
type Index struct {
	layer    *semantic.Layer
	config   Config
	metrics  []entry
	weight   map[string]float64 // of topical words
	modules  []string
	specific map[string]bool
}

type entry struct {
	metric   *semantic.Metric
	name     string   // of the metric, as a phrase
	names    []string // name, label and synonyms, as phrases
	blob     string   // everything that is said of it
	topical  map[string]bool
	other    map[string]bool // words of the description alone
	dims     map[string]bool // words of the dimensions that it can be grouped by
	dimAxes  []semantic.Axis
	complete map[string]bool // names of one word
}

// Scored is a metric and how well a question fits it.
type Scored struct {
	Metric *semantic.Metric
	Score  float64
}

// Result is where a question leads.
type Result struct {
	Way      Way
	Accepted []Scored // best first
	// Near are the best three when none is accepted and some are similar.
	Near               []Scored
	Covered, Uncovered []string
	// Dimensions, Grain and Range are for the first metric; Grain and Range are empty when the question does not say.
	Dimensions []string
	Grain      semantic.Grain
	Range      timeframe.Range
}

// Metrics are the accepted metrics, up to a limit.
func (r *Result) Metrics(limit int) []*semantic.Metric {
	out := []*semantic.Metric{}
	for _, s := range r.Accepted[:min(limit, len(r.Accepted))] {
		out = append(out, s.Metric)
	}
	return out
}

// New prepares a layer. A nil layer gives an index whose way is always [Unavailable].
func New(l *semantic.Layer, c Config) *Index {
	x := &Index{layer: l, config: c, weight: map[string]float64{}, specific: map[string]bool{}}
	if c.Today == nil {
		x.config.Today = func() time.Time { return semantic.Day.Truncate(time.Now().UTC()) }
	}
	for _, w := range c.Specific {
		for _, t := range words.Tokens(w) {
			x.specific[t] = true
		}
	}
	if l == nil {
		return x
	}
	df := map[string]int{}
	axes := map[*semantic.Model][]semantic.Axis{}
	for _, m := range l.Metrics {
		if m.Private || m.Formula == nil {
			continue
		}
		e := entry{metric: m, name: words.Phrase(m.Name), topical: map[string]bool{}, other: map[string]bool{}, dims: map[string]bool{}, complete: map[string]bool{}}
		for _, n := range append([]string{m.Name, m.Label}, m.Synonyms...) {
			p := words.Phrase(n)
			if !slices.Contains(e.names, p) {
				e.names = append(e.names, p)
			}
			tokens := words.Tokens(n)
			if len(tokens) == 1 {
				e.complete[tokens[0]] = true
			}
			for _, t := range tokens {
				e.topical[t] = true
			}
		}
		for _, t := range words.Tokens(m.Description) {
			if !e.topical[t] {
				e.other[t] = true
			}
		}
		e.blob = strings.Join(e.names, "") + words.Phrase(m.Description) + words.Phrase(m.Module)
		if _, ok := axes[m.Root]; !ok {
			axes[m.Root] = l.Axes(m.Root)
		}
		e.dimAxes = allowed(m, axes[m.Root])
		for _, a := range e.dimAxes {
			for _, t := range append(words.Tokens(a.Name), words.Tokens(a.Dimension.Label)...) {
				e.dims[t] = true
			}
		}
		for t := range e.topical {
			df[t]++
		}
		x.metrics = append(x.metrics, e)
		if m.Module != "" && !slices.Contains(x.modules, m.Module) {
			x.modules = append(x.modules, m.Module)
		}
	}
	n := float64(len(x.metrics))
	for t, d := range df {
		x.weight[t] = min(15, max(5, 5*(math.Log((n+1)/(float64(d)+1))+1)))
	}
	return x
}

// allowed are the axes that a metric may be grouped by.
func allowed(m *semantic.Metric, axes []semantic.Axis) []semantic.Axis {
	if m.Dimensions == nil {
		return axes
	}
	var out []semantic.Axis
	for _, a := range axes {
		if a.Dimension.Time || slices.Contains(m.Dimensions, a.Name) || slices.Contains(m.Dimensions, a.Dimension.Name) || slices.Contains(m.Dimensions, a.Dimension.Qualified()) {
			out = append(out, a)
		}
	}
	return out
}

// question is a question cut up once.
type question struct {
	phrase string   // all its tokens
	tokens []string // without stop words
}

// Route decides about a question. Candidate metrics never take part; see [Index.Nearest].
func (x *Index) Route(text string) *Result {
	found := timeframe.Find(text, x.config.Today())
	r := &Result{Way: Unavailable, Accepted: []Scored{}, Near: []Scored{}, Covered: []string{}, Uncovered: []string{}, Dimensions: []string{}, Grain: found.Grain, Range: found.Range}
	if x.layer == nil {
		return r
	}
	q := question{words.Phrase(text), words.Query(text)}
	for i := range x.metrics {
		e := &x.metrics[i]
		if !e.metric.Executable {
			continue
		}
		s, ok := x.score(e, q)
		switch {
		case ok:
			r.Accepted = append(r.Accepted, Scored{e.metric, s})
		case s > 0:
			r.Near = append(r.Near, Scored{e.metric, s})
		}
	}
	sort(r.Accepted)
	sort(r.Near)
	if len(r.Accepted) > 0 {
		r.Near = []Scored{}
	} else {
		r.Near = r.Near[:min(3, len(r.Near))]
	}
	x.cover(r, q)
	if len(r.Accepted) > 0 {
		x.shape(r, q)
	}
	return r
}

func sort(s []Scored) {
	slices.SortFunc(s, func(a, b Scored) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Metric.Name, b.Metric.Name))
	})
}

// Nearest lists metrics by how well a text fits them, approved ones first; candidates
// count when they are asked for. Acceptance plays no part.
func (x *Index) Nearest(text string, candidates bool, limit int) []Scored {
	q := question{words.Phrase(text), words.Query(text)}
	out := []Scored{}
	for i := range x.metrics {
		e := &x.metrics[i]
		if !e.metric.Executable && !(candidates && e.metric.CandidateOnly) {
			continue
		}
		if s, _ := x.score(e, q); s > 0 {
			out = append(out, Scored{e.metric, s})
		}
	}
	slices.SortStableFunc(out, func(a, b Scored) int {
		rank := func(s Scored) int {
			if s.Metric.Executable {
				return 0
			}
			return 1
		}
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.Score, a.Score), strings.Compare(a.Metric.Name, b.Metric.Name))
	})
	return out[:min(limit, len(out))]
}

// score says how well a question fits a metric, and whether that is enough.
func (x *Index) score(e *entry, q question) (float64, bool) {
	base := 0.0
	strong := false
	switch {
	case q.phrase == e.name:
		base, strong = 100, true
	case slices.Contains(e.names, q.phrase):
		base, strong = 90, true
	case strings.HasPrefix(e.name, strings.TrimSuffix(q.phrase, " ")):
		base = 50
	case strings.Contains(e.blob, q.phrase):
		base = 25
	}
	bonus, overlap := 0.0, 0
	var only string
	for _, t := range q.tokens {
		switch {
		case e.topical[t]:
			bonus += x.weight[t]
			overlap++
			only = t
		case e.other[t]:
			bonus += min(2, 0.25*max(5, x.weight[t]))
		}
	}
	if base == 0 && bonus == 0 {
		return 0, false
	}
	score := base + bonus
	if e.metric.Tier == semantic.Approved {
		score += 20
	}
	if m := e.metric.Module; m != "" && strings.Contains(q.phrase, words.Phrase(m)) {
		score += 15
	}
	for _, n := range e.names {
		strong = strong || strings.Count(n, " ") > 2 && strings.Contains(q.phrase, n)
	}
	switch {
	case !x.fits(e, q):
		return score, false
	case overlap == 1 && base < 90 && !strong:
		// One common word is no evidence unless it is all that the metric is called.
		return score, e.complete[only]
	}
	return score, strong || overlap > 0 && score >= 30 || score >= 20 && overlap >= 2
}

// fits says that the metric knows every specific word of the question.
func (x *Index) fits(e *entry, q question) bool {
	for _, t := range q.tokens {
		if x.specific[t] && !e.topical[t] && !e.other[t] && !e.dims[t] {
			return false
		}
	}
	return true
}

// cover says which topics the accepted metrics cover, and decides the way.
func (x *Index) cover(r *Result, q question) {
	known := map[string]bool{}
	for _, s := range r.Accepted {
		r.Covered = append(r.Covered, s.Metric.Label)
		e := x.entry(s.Metric)
		for _, set := range []map[string]bool{e.topical, e.other, e.dims} {
			for t := range set {
				known[t] = true
			}
		}
	}
	for _, t := range q.tokens {
		if len([]rune(t)) > 2 && !known[t] && !words.Stop(t) {
			r.Uncovered = append(r.Uncovered, t)
		}
	}
	switch {
	case len(r.Accepted) == 0:
		r.Way = Gap
	case len(r.Uncovered) > 0:
		r.Way = Hybrid
	default:
		r.Way = Ready
	}
}

func (x *Index) entry(m *semantic.Metric) *entry {
	i := slices.IndexFunc(x.metrics, func(e entry) bool { return e.metric == m })
	return &x.metrics[i]
}

// shape infers the dimensions that a question names for the best metric, and fits
// the grain to what the metric has.
func (x *Index) shape(r *Result, q question) {
	m := r.Accepted[0].Metric
	e := x.entry(m)
	for _, a := range e.dimAxes {
		if a.Dimension.Time {
			continue
		}
		for _, n := range []string{a.Dimension.Name, a.Dimension.Label, a.Name} {
			p := words.Phrase(n)
			// A word that names the metric itself says nothing of its dimensions.
			if strings.Contains(q.phrase, p) && !named(e, q, p) {
				if !slices.Contains(r.Dimensions, a.Name) {
					r.Dimensions = append(r.Dimensions, a.Name)
				}
				break
			}
		}
	}
	order(r.Dimensions, q.phrase)
	if r.Grain == "" || r.Grain == semantic.Day && len(m.Grains) == 0 {
		return
	}
	if len(m.Grains) > 0 && !slices.Contains(m.Grains, r.Grain) {
		r.Grain = m.Grains[0]
	}
}

// named says that a phrase occurs in the question only as a part of one of the metric's names.
func named(e *entry, q question, p string) bool {
	rest := q.phrase
	for _, n := range e.names {
		if strings.Count(n, " ") > 2 {
			rest = strings.ReplaceAll(rest, n, " ")
		}
	}
	return !strings.Contains(rest, p)
}

// order sorts dimensions by where the question names them.
func order(dims []string, phrase string) {
	slices.SortStableFunc(dims, func(a, b string) int {
		return cmp.Compare(strings.Index(phrase, words.Phrase(a)), strings.Index(phrase, words.Phrase(b)))
	})
}
