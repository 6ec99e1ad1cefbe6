package find

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/quartet-mcp/quartet/cerebro/internal/catalog"
	"github.com/quartet-mcp/quartet/cerebro/internal/route"
	"github.com/quartet-mcp/quartet/cerebro/internal/timeframe"
	"github.com/quartet-mcp/quartet/cerebro/internal/toolset"
)

// Finder answers questions. It is safe for concurrent use.
type Finder struct {
	corpus    corpus
	overrides bool

	mu     sync.Mutex
	models map[string]*slot // by hash of a snapshot; the newest two
	recent []string
}

// slot is an index of models that is built once.
type slot struct {
	once   sync.Once
	models *Models
	err    error
}

// New makes a finder of the tools of a registry. Overrides let a question that names
// a tool, or plainly asks for one, go straight there.
func New(r *toolset.Registry, overrides bool) *Finder {
	return &Finder{corpus: corpus{registry: r}, overrides: overrides, models: map[string]*slot{}}
}

// Limits of a request.
const (
	DefaultLimit = 8
	MaxLimit     = 25
	MaxQuery     = 1000 // characters
)

// Request is a question and the state that it is asked in.
type Request struct {
	Query string
	Mode  route.Mode // Auto and the empty one infer it
	Limit int        // 0 is DefaultLimit
	// Snapshot is the project; nil when none could be read.
	Snapshot *catalog.Snapshot
	// Reason says why there is no semantic layer, empty when it is not known.
	Reason string
	// Advertised says whether the client sees a tool; nil when it sees all.
	Advertised func(*toolset.Definition) bool
}

// Answer is what fits a question, and what to call next.
type Answer struct {
	Query     string           `json:"query"`
	Mode      route.Mode       `json:"mode"`
	Resolved  route.Mode       `json:"resolved_mode"`
	Route     route.Way        `json:"route"`
	Tools     []ToolEntry      `json:"top_tools"`
	Metrics   []MetricEntry    `json:"top_metrics"`
	Models    []ModelEntry     `json:"top_models"`
	Action    Action           `json:"recommended_action"`
	Range     *timeframe.Range `json:"time_range,omitempty"`
	Covered   []string         `json:"covered_topics"`
	Uncovered []string         `json:"uncovered_topics"`
}

// ToolEntry is a tool in an answer.
type ToolEntry struct {
	Name       string         `json:"name"`
	Title      string         `json:"title"`
	Summary    string         `json:"summary"`
	Call       string         `json:"call"`
	Domain     toolset.Domain `json:"domain"`
	Tier       toolset.Tier   `json:"tier"`
	Advertised bool           `json:"advertised"`
}

// MetricEntry is a metric in an answer.
type MetricEntry struct {
	Name          string `json:"name"`
	Label         string `json:"label"`
	Executable    bool   `json:"executable"`
	LowConfidence bool   `json:"low_confidence,omitempty"`
}

// ModelEntry is a model in an answer.
type ModelEntry struct {
	Name        string `json:"name"`
	Title       string `json:"title"`
	Module      string `json:"module"`
	Tier        string `json:"tier"`
	Description string `json:"description"`
}

// question is a request on its way to an answer.
type question struct {
	text      string
	mode      route.Mode
	reason    string
	overrides bool
	snapshot  *catalog.Snapshot
	route     *route.Result
	tools     *tools
}

// Find answers a request. A query that is empty or too long and a limit out of range
// are errors of the caller's and refused.
func (f *Finder) Find(ctx context.Context, r Request) (*Answer, error) {
	text := strings.TrimSpace(strings.ToValidUTF8(r.Query, ""))
	r.Limit, r.Mode = cmp.Or(r.Limit, DefaultLimit), cmp.Or(r.Mode, route.Auto)
	switch n := len([]rune(text)); {
	case n == 0:
		return nil, fmt.Errorf("query is empty; say in a few words what you want to know")
	case n > MaxQuery:
		return nil, fmt.Errorf("query has %d characters; %d are the most", n, MaxQuery)
	case r.Limit < 1 || r.Limit > MaxLimit:
		return nil, fmt.Errorf("limit is %d; it is 1 to %d", r.Limit, MaxLimit)
	case !slices.Contains([]route.Mode{route.Auto, route.Answer, route.Chart, route.Report}, r.Mode):
		return nil, fmt.Errorf("mode %q is none of answer, chart, report and auto", r.Mode)
	}
	q := question{text: text, mode: r.Mode, reason: r.Reason, overrides: f.overrides, snapshot: r.Snapshot}
	if q.mode == route.Auto {
		q.mode = route.ModeOf(text)
	}
	q.route = unavailable(text)
	if r.Snapshot != nil && r.Snapshot.Route != nil {
		q.route = r.Snapshot.Route.Route(text)
	}
	var err error
	if q.tools, err = f.corpus.get(); err != nil {
		return nil, err
	}
	a := &Answer{
		Query: text, Mode: r.Mode, Resolved: q.mode, Route: q.route.Way, Metrics: metrics(q.route, r.Limit), Models: []ModelEntry{},
		Covered: q.route.Covered, Uncovered: q.route.Uncovered, Action: q.action(),
	}
	if !q.route.Range.IsZero() {
		span := q.route.Range
		a.Range = &span
	}
	advertised := func(t *tool) bool { return r.Advertised == nil || r.Advertised(t.Definition) }
	if t := q.tools.byName[a.Action.Tool]; t != nil {
		a.Action.Advertised = advertised(t)
	}
	if !a.Action.Advertised {
		a.Action.LoadFirst = &LoadFirst{Tool: "load_tools", Args: map[string]any{"names": []string{a.Action.Tool}}}
	}
	words := ask(text)
	ranked, err := q.tools.rank(ctx, words)
	if err != nil {
		return nil, err
	}
	for _, t := range q.pin(a.Action.Tool, ranked) {
		if len(a.Tools) < r.Limit {
			a.Tools = append(a.Tools, ToolEntry{t.Name, t.Meta.Title, t.Summary(), sketch(t), t.Meta.Domain, t.Meta.Tier, advertised(t)})
		}
	}
	if a.Tools == nil {
		a.Tools = []ToolEntry{}
	}
	if r.Snapshot != nil && r.Snapshot.Project != nil {
		models, err := f.ModelIndex(r.Snapshot)
		if err != nil {
			return nil, err
		}
		hits, err := models.Search(ctx, text, r.Limit, nil)
		if err != nil {
			return nil, err
		}
		for _, h := range hits {
			a.Models = append(a.Models, ModelEntry{h.Node.Name, title(h.Node.Name), h.Node.Module, models.Status(h.Node), toolset.Cut(flat(h.Node.Description), maxDescription)})
		}
	}
	return a, nil
}

// unavailable is the routing without a semantic layer.
func unavailable(text string) *route.Result { return route.New(nil, route.Config{}).Route(text) }

// maxAccepted is how many accepted metrics an answer names.
const maxAccepted = 5

func metrics(r *route.Result, limit int) []MetricEntry {
	out := []MetricEntry{}
	for _, m := range r.Metrics(min(limit, maxAccepted)) {
		out = append(out, MetricEntry{m.Name, m.Label, m.Executable, false})
	}
	for _, s := range r.Near {
		out = append(out, MetricEntry{s.Metric.Name, s.Metric.Label, s.Metric.Executable, true})
	}
	return out
}

// pin puts what can be acted on before what is merely similar.
func (s *question) pin(recommended string, ranked []*tool) []*tool {
	pins := []string{recommended}
	switch {
	case s.mode == route.Chart || s.mode == route.Report:
		pins = append(pins, "query_metrics", s.route.Next(s.mode), "generate_metric_charts")
	case s.route.Way == route.Ready || s.route.Way == route.Hybrid:
		pins = append(pins, "query_metrics", "get_metric_details", "explain_metric_query")
	default:
		pins = append(pins, "discover_models", "describe_table", "execute_query")
	}
	var out []*tool
	for _, name := range pins {
		if t := s.tools.byName[name]; t != nil && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	for _, t := range ranked {
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// keptIndexes is how many snapshots' models are kept: a call that began before a
// reload still finds its own.
const keptIndexes = 2

// ModelIndex is the index of a snapshot's models. The first call for a snapshot
// builds it; all tools that search models share it.
func (f *Finder) ModelIndex(s *catalog.Snapshot) (*Models, error) {
	f.mu.Lock()
	x := f.models[s.Hash]
	if x == nil {
		x = &slot{}
		f.models[s.Hash] = x
		f.recent = append(f.recent, s.Hash)
		if len(f.recent) > keptIndexes {
			// Searches may still run in it, so it is left to the collector.
			delete(f.models, f.recent[0])
			f.recent = f.recent[1:]
		}
	}
	f.mu.Unlock()
	x.once.Do(func() { x.models, x.err = NewModels(s.Project, s.Layer) })
	return x.models, x.err
}

// Rebuilds counts how often the index of the tools was built.
func (f *Finder) Rebuilds() int { return int(f.corpus.rebuilds.Load()) }

// maxDescription is how many characters of a model's description an answer has.
const maxDescription = 160

// flat puts a text on one line.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }

// title makes "Fct orders" of fct_orders.
func title(name string) string {
	r := []rune(strings.TrimSpace(strings.ReplaceAll(name, "_", " ")))
	if len(r) == 0 {
		return name
	}
	r[0] = unicode.ToUpper(r[0])
	return string(r)
}

// Bounds on the text of an answer, in characters.
const (
	maxText = 1500
)

// ToolText tells the answer in words: the action first, then what else fits.
func (a *Answer) ToolText() string {
	var b strings.Builder
	fmt.Fprintf(&b, "**Next: `%s`**\n%s\n", toolset.Cut(a.Action.Call, 500), toolset.Cut(a.Action.Why, 300))
	if a.Action.LoadFirst != nil {
		fmt.Fprintf(&b, "It is not in the list of tools: call `%s` first, or call it by name.\n", Call(a.Action.LoadFirst.Tool, a.Action.LoadFirst.Args))
	}
	fmt.Fprintf(&b, "Route: %s (mode %s).\n", a.Route, a.Resolved)
	line := func(head string, names []string) {
		if len(names) == 0 {
			return
		}
		s := head + strings.Join(names, ", ") + "\n"
		for len([]rune(b.String()))+len([]rune(s)) > maxText && len(names) > 1 {
			names = names[:len(names)-1]
			s = head + strings.Join(names, ", ") + ", …\n"
		}
		if len([]rune(b.String()))+len([]rune(s)) <= maxText {
			b.WriteString(s)
		}
	}
	var sure, near, models, tools []string
	for _, m := range a.Metrics {
		if m.LowConfidence {
			near = append(near, m.Name)
		} else {
			sure = append(sure, fmt.Sprintf("%s (%s)", m.Name, m.Label))
		}
	}
	for _, m := range a.Models {
		models = append(models, m.Name)
	}
	for _, t := range a.Tools {
		tools = append(tools, t.Name)
	}
	line("Metrics: ", sure)
	line("Metrics that are only near (low confidence): ", near)
	line("Models: ", models)
	line("Tools: ", tools)
	return strings.TrimRight(b.String(), "\n")
}
