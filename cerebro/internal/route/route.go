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
	meanings *meanings
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
	said     said
	kind     kind
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

// Next is the tool that follows the preflight of a chart or report, or answers.
func (r *Result) Next(mode Mode) string {
	switch {
	case r.Way == Gap || r.Way == Unavailable:
		return "discover_models"
	case mode == Chart && len(r.Accepted) == 1:
		return "quick_metric_chart"
	case mode == Report && len(r.Accepted) == 1 && r.Way == Ready:
		return "generate_metric_charts"
	case mode == Answer && len(r.Accepted) == 1:
		return "query_metrics"
	}
	return "discover_metrics"
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
	x := &Index{layer: l, config: c, weight: map[string]float64{}, specific: map[string]bool{}, meanings: newMeanings()}
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
		e.said = x.meanings.read(append([]string{m.Name, m.Label}, m.Synonyms...), m.Description)
		e.kind = kindOfMetric(m)
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
	span := timeframe.Find(text, x.config.Today())
	r := &Result{Way: Unavailable, Accepted: []Scored{}, Near: []Scored{}, Covered: []string{}, Uncovered: []string{}, Dimensions: []string{}, Grain: span.Grain, Range: span.Range}
	if x.layer == nil {
		return r
	}
	q := question{words.Phrase(text), words.Query(text)}
	found := x.weigh(text, q, func(m *semantic.Metric) bool { return m.Executable })
	x.acceptAlike(found)
	for _, c := range found {
		switch {
		case c.accepted:
			r.Accepted = append(r.Accepted, Scored{c.metric, c.score})
		case c.score > 0:
			r.Near = append(r.Near, Scored{c.metric, c.score})
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
	for _, c := range x.weigh(text, q, func(m *semantic.Metric) bool { return m.Executable || candidates && m.CandidateOnly }) {
		if c.score > 0 {
			out = append(out, Scored{c.metric, c.score})
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

// candidate is a metric and what speaks for it.
type candidate struct {
	*entry
	score    float64
	accepted bool
	words    float64 // what the words alone give
	like     float64
	fits     bool
}

// How meaning takes part. Words decide first: likeness orders what they accept, and
// accepts by itself only what is plainly meant and what they did not see.
const (
	likeWeight = 30.0 // of a likeness, in points
	likeNear   = 0.5  // from which on a metric without a common word is near
	likeAlone  = 0.72 // from which on a metric is accepted where words accept none
	likeBeside = 0.65 // and where they accept another one
	likeAhead  = 0.05 // that is less like by this
	likeSpread = 0.05 // how far behind the best another may be
	likeBonus  = 20.0 // of one that is accepted beside others
)

// approved is what a metric earns by being so.
const approved = 20.0

// weigh scores the metrics that are to be considered.
func (x *Index) weigh(text string, q question, consider func(*semantic.Metric) bool) []candidate {
	out := make([]candidate, 0, len(x.metrics))
	asked := x.meanings.compare(text)
	for i := range x.metrics {
		e := &x.metrics[i]
		if !consider(e.metric) {
			continue
		}
		c := candidate{entry: e, like: e.likeness(&asked), fits: x.fits(e, q)}
		c.words, c.accepted = x.score(e, q)
		if c.words > 0 || c.like >= likeNear {
			c.score = c.words + likeWeight*c.like
		}
		out = append(out, c)
	}
	return out
}

// acceptAlike accepts what the question means and its words do not say.
func (x *Index) acceptAlike(found []candidate) {
	any, best, said := false, 0.0, 0.0
	for _, c := range found {
		if c.fits {
			best = max(best, c.like)
		}
		if c.accepted {
			any, said = true, max(said, c.like)
		}
	}
	for i := range found {
		c := &found[i]
		alone := !any && c.like >= likeAlone
		beside := any && c.like >= likeBeside && c.like >= said+likeAhead
		if c.accepted || !c.fits || c.like < best-likeSpread || !alone && !beside {
			continue
		}
		c.accepted = true
		if beside {
			c.score += likeBonus
		}
		if c.words == 0 && c.metric.Tier == semantic.Approved {
			c.score += approved
		}
	}
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
	for _, t := range e.run(q) {
		bonus += x.weight[t]
		overlap++
		only = t
	}
	if base == 0 && bonus == 0 {
		return 0, false
	}
	score := base + bonus
	if e.metric.Tier == semantic.Approved {
		score += approved
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

// run gives the words of the longest run that the question shares with one of the
// metric's names and that do not count by themselves, such as month and date of
// "month to date". Grammar alone is no run.
func (e *entry) run(q question) []string {
	var best []string
	for _, n := range e.names {
		name := strings.Fields(n)
		for i := range name {
			for j := len(name); j >= i+2 && j-i > len(best); j-- {
				part := name[i:j]
				if strings.Contains(q.phrase, " "+strings.Join(part, " ")+" ") && slices.ContainsFunc(part, telling) {
					best = part
				}
			}
		}
	}
	var out []string
	for _, t := range best {
		if telling(t) && !slices.Contains(q.tokens, t) && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

func telling(t string) bool { return !words.Grammar(t) }

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

// Dimensions are the names of what a metric may be grouped by.
func (x *Index) Dimensions(metric string) []string {
	out := []string{}
	for i := range x.metrics {
		if e := &x.metrics[i]; e.metric.Name == metric {
			for _, a := range e.dimAxes {
				out = append(out, a.Name)
			}
		}
	}
	return out
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
