package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/cerebro/internal/config"
	"github.com/quartet-mcp/quartet/cerebro/internal/route"
)

// Call is a tool call that mends something.
type Call struct {
	Tool string         `json:"tool"`
	Args map[string]any `json:"args"`
}

// Gap is something that is missing before a step may follow.
type Gap struct {
	Rule    string `json:"rule"`
	Message string `json:"message"`
	Fix     *Call  `json:"fix,omitempty"`
}

// Blocked is the error of a gate that is shut: everything that is missing.
type Blocked struct {
	Gaps []Gap
	// Next is the call to make first, nil when there is none to name.
	Next *Call
	// Closing is said behind the list.
	Closing string
}

func (b *Blocked) Error() string {
	var s strings.Builder
	if len(b.Gaps) == 1 {
		s.WriteString(b.Gaps[0].Message)
	} else {
		fmt.Fprintf(&s, "%d things are missing:", len(b.Gaps))
		for _, g := range b.Gaps {
			s.WriteString("\n- " + g.Message)
		}
	}
	if b.Closing != "" {
		s.WriteString("\n" + b.Closing)
	}
	return s.String()
}

// Rules are what the gates ask for.
type Rules struct {
	config.Gates
	// Semantic says that there is a semantic layer to be asked first.
	Semantic bool
}

func call(tool string, pairs ...any) *Call {
	c := &Call{Tool: tool, Args: map[string]any{}}
	for i := 0; i+1 < len(pairs); i += 2 {
		c.Args[pairs[i].(string)] = pairs[i+1]
	}
	return c
}

// Discovery decides whether models may be searched by words. It is asked before
// anything is scored. metrics are approved ones that fit the same words.
func (s *State) Discovery(r Rules, query string, metrics []string) *Blocked {
	if !r.Semantic || r.Discovery != "block" || strings.TrimSpace(query) == "" {
		return nil
	}
	d := s.Snapshot()
	if d.FindRan || d.PreflightRan {
		return nil
	}
	m := "search for models by words only after find has looked for an approved metric: run find(query, mode=\"answer\") or preflight_analytics_request first"
	if len(metrics) > 0 {
		m += "; approved metrics that fit: " + strings.Join(metrics[:min(3, len(metrics))], ", ")
	}
	next := call("find", "query", query, "mode", "answer")
	return &Blocked{Gaps: []Gap{{"discovery", m, next}}, Next: next}
}

// ChartKind is how a chart gets its numbers, and how much has to be known before.
type ChartKind int

// The kinds of charts.
const (
	RawChart         ChartKind = iota // quick_chart, generate_chart, generate_charts
	QuickMetricChart                  // quick_metric_chart
	MetricChart                       // generate_metric_charts
)

// Chart decides whether a chart may be drawn.
func (s *State) Chart(r Rules, kind ChartKind) *Blocked {
	if !r.Chart {
		return nil
	}
	d := s.Snapshot()
	if r.Semantic {
		if b := d.preflight(route.Chart); b != nil {
			return b
		}
		if kind != RawChart && d.PreflightWay != route.Ready && d.PreflightWay != route.Hybrid {
			next := call("discover_models", "query", "…")
			return &Blocked{Gaps: []Gap{{"route", fmt.Sprintf("the preflight found no approved metric (route %s), so there is none to chart: discover_models → describe_table → generate_chart", d.PreflightWay), next}}, Next: next}
		}
		if kind == RawChart && d.PreflightWay == route.Ready && d.Path != HybridPath && !d.SemanticTried {
			next := call("quick_metric_chart", "metrics", []string{"…"})
			return &Blocked{Gaps: []Gap{{"route_redirect", "approved coverage exists: use quick_metric_chart, generate_metric_charts or query_metrics first; SQL of your own is for what they do not cover", next}}, Next: next}
		}
	}
	if kind == QuickMetricChart {
		return nil
	}
	return blocked(d.depth(r), "")
}

// preflight says that one is missing.
func (d *Snapshot) preflight(mode route.Mode) *Blocked {
	if d.PreflightRan {
		return nil
	}
	next := call("preflight_analytics_request", "query", "…", "mode", string(mode))
	m := fmt.Sprintf("run preflight_analytics_request(query, mode=%q) first", mode)
	if d.FindRan {
		m += "; a find does not count, in any mode"
	}
	return &Blocked{Gaps: []Gap{{"preflight", m, next}}, Next: next}
}

// depth lists what has not been looked at yet.
func (d *Snapshot) depth(r Rules) []Gap {
	var gaps []Gap
	if d.Searches == 0 && !d.FindRan {
		gaps = append(gaps, Gap{"discovery_search", "look for what there is: discover_metrics(query), discover_models(query) or find(query)", call("discover_metrics", "query", "…")})
	}
	least := r.MinModelsLite
	if d.PreflightMode == route.Report {
		least = r.MinModels
	}
	if n := len(d.Explored); n < least {
		gaps = append(gaps, Gap{"models_detailed", fmt.Sprintf("read the details of %d more models or metrics (%d of %d): get_metric_details(metric_name) or get_model_details(model_name)", least-n, n, least), call("get_model_details", "model_name", "…")})
	}
	if n := len(d.Verified); n < r.MinTables {
		gaps = append(gaps, Gap{"tables_verified", fmt.Sprintf("verify %d more tables (%d of %d): describe_table(table), or a query of it", r.MinTables-n, n, r.MinTables), call("describe_table", "table", "…")})
	}
	return gaps
}

func blocked(gaps []Gap, closing string) *Blocked {
	if len(gaps) == 0 {
		return nil
	}
	return &Blocked{Gaps: gaps, Next: gaps[0].Fix, Closing: closing}
}

// Report decides whether a report may be made, and what to say of one that may.
// quality are gaps that package chart found in the charts' SQL.
func (s *State) Report(r Rules, quality []Gap) (b *Blocked, warnings []string) {
	warnings = []string{}
	if !r.Chart {
		return nil, warnings
	}
	const closing = "do not abandon the report: fix all of it in one pass, then retry"
	d := s.Snapshot()
	if r.Semantic {
		if b := d.preflight(route.Report); b != nil {
			return b, warnings
		}
		if r.ReportExplicit && d.PreflightMode != route.Report {
			next := call("preflight_analytics_request", "query", "…", "mode", "report")
			return &Blocked{Gaps: []Gap{{"report_mode", fmt.Sprintf("this was routed as %s: the answer or the charts are what was asked for; run the preflight again with mode=\"report\" only if the user asked for a report", d.PreflightMode), next}}, Next: next}, warnings
		}
		if d.Path == SemanticOnly && !d.SemanticTried {
			next := call("query_metrics", "metrics", []string{"…"})
			return &Blocked{Gaps: []Gap{{"semantic_execution", "approved metrics cover this, and none has been queried: query_metrics or generate_metric_charts first", next}}, Next: next}, warnings
		}
	}
	gaps := append(d.composition(r), quality...)
	gaps = append(gaps, d.coverage(r)...)
	if d.Statistical == 0 {
		warnings = append(warnings, "no query looked at a distribution (median, percentile, deviation)")
	}
	if d.Correlation == 0 && len(d.Charts) >= 3 {
		warnings = append(warnings, "no query looked at a correlation")
	}
	if d.Queries < 5 {
		warnings = append(warnings, fmt.Sprintf("only %d queries were run; five or more make a report safer", d.Queries))
	}
	return blocked(gaps, closing), warnings
}

func (d *Snapshot) composition(r Rules) []Gap {
	var gaps []Gap
	has := func(types ...string) bool {
		return slices.ContainsFunc(d.Charts, func(c Chart) bool { return slices.Contains(types, c.Type) })
	}
	if n := len(d.Charts); n < r.MinCharts {
		gaps = append(gaps, Gap{"min_charts", fmt.Sprintf("make %d more charts (%d of %d)", r.MinCharts-n, n, r.MinCharts), call("generate_metric_charts", "charts", []any{})})
	}
	if r.Diversity && !has("line", "area", "bar", "pie") {
		gaps = append(gaps, Gap{"chart_diversity", "add a trend (line, area) or a breakdown (bar, pie)", call("generate_metric_charts", "charts", []any{})})
	}
	if n := d.Queries; n < r.MinQueries {
		gaps = append(gaps, Gap{"exploratory_queries", fmt.Sprintf("run %d more exploratory queries (%d of %d): query_metrics or execute_query", r.MinQueries-n, n, r.MinQueries), call("query_metrics", "metrics", []string{"…"})})
	}
	if r.Breakdown && !has("pie", "treemap", "heatmap", "sankey") && !slices.ContainsFunc(d.Charts, func(c Chart) bool { return c.Series }) {
		gaps = append(gaps, Gap{"dimensional_breakdown", "break one chart down by a dimension: a series_field, or a pie, treemap, heatmap or sankey", call("generate_metric_charts", "charts", []any{})})
	}
	if r.Relational && !has("scatter", "heatmap") && d.Correlation == 0 {
		gaps = append(gaps, Gap{"relational_chart", "relate two measures: a scatter or heatmap, or a query with corr()", call("generate_charts", "charts", []any{})})
	}
	return gaps
}

func (d *Snapshot) coverage(r Rules) []Gap {
	if !r.Coverage {
		return nil
	}
	var open []string
	for _, m := range d.Discovered {
		_, read := slices.BinarySearch(d.Explored, m)
		_, queried := slices.BinarySearch(d.Verified, m)
		if _, excluded := d.Excluded[m]; !read && !queried && !excluded {
			open = append(open, m)
		}
	}
	if len(open) == 0 {
		return nil
	}
	return []Gap{{"coverage", fmt.Sprintf("%d discovered models were neither read, queried nor excluded: %s; read them, or exclude them with a reason",
		len(open), strings.Join(open[:min(10, len(open))], ", ")), call("exclude_all_discovered_except", "keep", []string{}, "reason", "…")}}
}
