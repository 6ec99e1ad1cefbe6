package find

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/cerebro/internal/route"
)

// Action is the call to make next.
type Action struct {
	Tool string         `json:"tool"`
	Args map[string]any `json:"args"`
	// Call is the call as one would write it.
	Call       string     `json:"call"`
	Why        string     `json:"why"`
	Advertised bool       `json:"advertised"`
	LoadFirst  *LoadFirst `json:"load_first,omitempty"`
}

// LoadFirst is the call by which a tool that is not advertised becomes so.
type LoadFirst struct {
	Tool string         `json:"tool"`
	Args map[string]any `json:"args"`
}

// action decides what to recommend.
func (s *question) action() Action {
	if s.mode == route.Answer && s.overrides {
		if a, ok := s.override(); ok {
			return a
		}
	}
	r := s.route
	switch s.mode {
	case route.Chart, route.Report:
		next := r.Next(s.mode)
		return act("preflight_analytics_request", map[string]any{"query": s.text, "mode": string(s.mode)},
			fmt.Sprintf("A %s needs the preflight first; %s follows it.", s.mode, next))
	}
	switch r.Way {
	case route.Ready:
		return act("query_metrics", s.metricArgs(), "An approved metric covers this; answer directly, no preflight needed.")
	case route.Hybrid:
		return act("query_metrics", s.metricArgs(),
			"An approved metric covers a part of this; answer that directly. Not covered: "+strings.Join(r.Uncovered, ", ")+" — look for it with discover_models after that.")
	case route.Unavailable:
		return act("discover_models", s.discover(), "The semantic layer is not available"+because(s.reason)+"; look for models: discover_models → describe_table → execute_query.")
	}
	return act("discover_models", s.discover(), "No approved metric covers this; look for models: discover_models → describe_table → execute_query.")
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return " (" + reason + ")"
}

func act(tool string, args map[string]any, why string) Action {
	return Action{Tool: tool, Args: args, Call: Call(tool, args), Why: why}
}

// discovered is how many models the recommended discovery describes.
const discovered = 5

func (s *question) discover() map[string]any {
	return map[string]any{"query": s.text, "detail_top_n": discovered}
}

// How many metrics and dimensions one call asks for, and from which lead on the best
// metric stands alone.
const (
	maxMetrics = 3
	maxDims    = 3
	clearLead  = 20
)

// metricArgs are the arguments of query_metrics for the accepted metrics.
func (s *question) metricArgs() map[string]any {
	r := s.route
	dims := r.Dimensions[:min(maxDims, len(r.Dimensions))]
	names := []string{}
	for i, m := range r.Metrics(maxMetrics) {
		if i > 0 && (r.Accepted[0].Score-r.Accepted[1].Score >= clearLead || !s.grouped(m.Name, dims)) {
			continue
		}
		names = append(names, m.Name)
	}
	args := map[string]any{"metrics": names}
	if len(dims) > 0 {
		args["dimensions"] = dims
	}
	if r.Grain != "" {
		args["time_grain"] = string(r.Grain)
	}
	if !r.Range.IsZero() {
		span := map[string]any{}
		for k, v := range map[string]string{"start": r.Range.Start, "end": r.Range.End, "last": r.Range.Last} {
			if v != "" {
				span[k] = v
			}
		}
		args["time_range"] = span
	}
	return args
}

// grouped says that a metric can be grouped by all dimensions.
func (s *question) grouped(metric string, dims []string) bool {
	if s.snapshot == nil || s.snapshot.Route == nil {
		return false
	}
	has := s.snapshot.Route.Dimensions(metric)
	return !slices.ContainsFunc(dims, func(d string) bool { return !slices.Contains(has, d) })
}

// What asks for something else than numbers or models. Each is plain enough that a
// question about the project's numbers does not sound like it.
var (
	askStatus = regexp.MustCompile(`\b(?:server|system|cerebro|backend|service|connection|warehouse connection|database connection)\b.*\b(?:healthy|health|status|up|running|working|alive|reachable|ok|okay|down|diagnostics?)\b|` +
		`\b(?:status|health|diagnostics?) of (?:the |this )?(?:server|system|cerebro|backend|service|connection)\b|` +
		`\bis (?:everything|it all) (?:working|up|running|ok|okay|healthy)\b|^\s*(?:health ?check|system health)\s*\??\s*$`)
	askHelp = regexp.MustCompile(`\bwhat (?:can|could) (?:you|this server|cerebro|this) (?:do|help)\b|\b(?:what|which) tools (?:are|do you|exist|can)\b|^\s*help(?: me)?\s*[?!.]*\s*$|` +
		`\bhow (?:do|can|should) i (?:use|work with|get started with) (?:you|this|cerebro|the server|these tools)\b|\bhow does (?:cerebro|this server) work\b|\bget(?:ting)? started\b`)
	askVerify = regexp.MustCompile(`\b(?:verify|double[- ]?check|fact[- ]?check|sanity[- ]?check|validate|check|confirm)\b.*\b(?:numbers|figures|claims?|arithmetic|maths?|calculations?|sums)\b|` +
		`\b(?:verify|double[- ]?check|fact[- ]?check|sanity[- ]?check|confirm|check) (?:that|whether|if)\b.*\d|` +
		`\bare (?:these|those|my|the) (?:numbers|figures|calculations?) (?:right|correct|true|ok)\b`)
	askSQL     = regexp.MustCompile(`\b(?:sql|query (?:behind|for|of)|compiled query)\b`)
	askMeaning = regexp.MustCompile(`\bdefin(?:e|ed|es|ition|itions)\b|\bwhat (?:does|do|is meant by)\b.*\bmeans?\b|\bmeant by\b|\bmeaning of\b|\bformula\b|` +
		`\bhow (?:is|are|do (?:we|you)) (?:\S+ ){0,6}?(?:calculated?|computed?|measured?|derived?|worked out)\b|\bhow (?:do|does) (?:we|you|one) (?:calculate|compute|measure|derive)\b|\bwhat counts as\b`)
	toolWord = regexp.MustCompile(`[a-z][a-z0-9]*(?:_[a-z0-9]+)+`)
)

// override looks for requests that name a tool or plainly ask for one.
func (s *question) override() (Action, bool) {
	q := strings.ToLower(s.text)
	for _, w := range toolWord.FindAllString(q, -1) {
		if t := s.tools.byName[w]; t != nil {
			return act(t.Name, map[string]any{}, "The request names this tool."), true
		}
	}
	known := func(name string) bool { return s.tools.byName[name] != nil }
	switch {
	case known("verify_numbers") && askVerify.MatchString(q):
		return act("verify_numbers", map[string]any{}, "Numbers are checked here before they are told; give the claims."), true
	case known("system_status") && askStatus.MatchString(q):
		return act("system_status", map[string]any{}, "This tells whether the server and what it depends on are in order."), true
	case known("get_help") && askHelp.MatchString(q):
		return act("get_help", map[string]any{}, "This explains what the server can do and how."), true
	}
	if len(s.route.Accepted) == 0 {
		return Action{}, false
	}
	metric := s.route.Accepted[0].Metric
	switch {
	case known("explain_metric_query") && askSQL.MatchString(q):
		return act("explain_metric_query", s.metricArgs(), "This shows the SQL of "+metric.Label+" without running it."), true
	case known("get_metric_details") && askMeaning.MatchString(q):
		return act("get_metric_details", map[string]any{"metric_name": metric.Name}, "This tells how "+metric.Label+" is defined."), true
	}
	return Action{}, false
}

// argumentOrder is how arguments stand in a call; others follow by name.
var argumentOrder = []string{"metrics", "metric_name", "dimensions", "time_grain", "time_range", "query", "mode", "names", "start", "end", "last"}

// Call writes a call as one would in Python.
func Call(tool string, args map[string]any) string {
	var b strings.Builder
	b.WriteString(tool + "(")
	for i, k := range ordered(args) {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(k + "=")
		literal(&b, args[k])
	}
	b.WriteString(")")
	return b.String()
}

func ordered(args map[string]any) []string {
	keys := slices.Sorted(maps.Keys(args))
	rank := func(k string) int {
		if i := slices.Index(argumentOrder, k); i >= 0 {
			return i
		}
		return len(argumentOrder)
	}
	slices.SortStableFunc(keys, func(a, b string) int { return rank(a) - rank(b) })
	return keys
}

func literal(b *strings.Builder, v any) {
	switch v := v.(type) {
	case string:
		b.WriteString(quote(v))
	case bool:
		if v {
			b.WriteString("True")
		} else {
			b.WriteString("False")
		}
	case nil:
		b.WriteString("None")
	case []string:
		b.WriteString("[")
		for i, s := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(quote(s))
		}
		b.WriteString("]")
	case map[string]any:
		b.WriteString("{")
		for i, k := range ordered(v) {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(quote(k) + ": ")
			literal(b, v[k])
		}
		b.WriteString("}")
	case json.Number, int, int64, float64:
		fmt.Fprint(b, v)
	default:
		fmt.Fprintf(b, "%v", v)
	}
}

// quote writes a string between single quotes.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for _, r := range s {
		switch {
		case r == '\'' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('\'')
	return b.String()
}

// maxRequired is how many arguments the sketch of a call names.
const maxRequired = 5

// sketch is a call with its arguments left open.
func sketch(t *tool) string {
	required := t.Required()
	for i, r := range required {
		required[i] = r + "=…"
	}
	return t.Name + "(" + strings.Join(required[:min(maxRequired, len(required))], ", ") + ")"
}
