package session_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quartet-mcp/quartet/cerebro/internal/config"
	"github.com/quartet-mcp/quartet/cerebro/internal/route"
	"github.com/quartet-mcp/quartet/cerebro/internal/session"
)

func rules(t *testing.T, semantic bool, env ...string) session.Rules {
	t.Helper()
	m := map[string]string{}
	for i := 0; i < len(env); i += 2 {
		m[env[i]] = env[i+1]
	}
	c, err := config.Load(config.Flags{}, func(n string) (string, bool) { v, ok := m[n]; return v, ok })
	if err != nil {
		t.Fatal(err)
	}
	return session.Rules{Gates: c.Gates, Semantic: semantic}
}

func fresh() *session.State { return session.NewStore(time.Hour, time.Now).Scope("x") }

func names(b *session.Blocked) string {
	if b == nil {
		return ""
	}
	var out []string
	for _, g := range b.Gaps {
		out = append(out, g.Rule)
	}
	return strings.Join(out, " ")
}

// The chart gate, cell by cell: what was done before, and what is missing for each kind.
func TestChart(t *testing.T) {
	depth := func(s *session.State) {
		s.Searched("a")
		s.Explored("a")
		s.Verified("a")
	}
	for _, c := range []struct {
		name                string
		semantic            bool
		before              func(*session.State)
		raw, quick, metrics string
	}{
		{"nothing", true, func(*session.State) {}, "preflight", "preflight", "preflight"},
		{"a find in answer mode", true, func(s *session.State) { s.Found(route.Ready, route.Answer) }, "preflight", "preflight", "preflight"},
		{"a find in chart mode", true, func(s *session.State) { s.Found(route.Ready, route.Chart) }, "preflight", "preflight", "preflight"},
		{"ready", true, func(s *session.State) { s.Preflight(route.Ready, route.Chart, "") }, "route_redirect", "", "discovery_search models_detailed tables_verified"},
		{"ready and deep", true, func(s *session.State) { s.Preflight(route.Ready, route.Chart, ""); depth(s) }, "route_redirect", "", ""},
		{"ready, deep and tried", true, func(s *session.State) { s.Preflight(route.Ready, route.Chart, ""); depth(s); s.Tried() }, "", "", ""},
		{"hybrid", true, func(s *session.State) { s.Preflight(route.Hybrid, route.Answer, ""); depth(s) }, "", "", ""},
		{"hybrid, a find is a search", true, func(s *session.State) {
			s.Preflight(route.Hybrid, route.Chart, "")
			s.Found(route.Hybrid, route.Answer)
		}, "models_detailed tables_verified", "", "models_detailed tables_verified"},
		{"a gap", true, func(s *session.State) { s.Preflight(route.Gap, route.Chart, ""); depth(s) }, "", "route", "route"},
		{"unavailable", true, func(s *session.State) { s.Preflight(route.Unavailable, route.Chart, "") }, "discovery_search models_detailed tables_verified", "route", "route"},
		{"report asks for three models", true, func(s *session.State) { s.Preflight(route.Hybrid, route.Report, ""); depth(s) }, "models_detailed", "", "models_detailed"},
		{"no semantic layer", false, func(*session.State) {}, "discovery_search models_detailed tables_verified", "", "discovery_search models_detailed tables_verified"},
	} {
		s := fresh()
		c.before(s)
		r := rules(t, c.semantic)
		for kind, want := range map[session.ChartKind]string{session.RawChart: c.raw, session.QuickMetricChart: c.quick, session.MetricChart: c.metrics} {
			if got := names(s.Chart(r, kind)); got != want {
				t.Errorf("%s, kind %d: %q, want %q", c.name, kind, got, want)
			}
			if b := s.Chart(rules(t, c.semantic, "ENFORCE_CHART_PRECONDITIONS", "false"), kind); b != nil {
				t.Errorf("%s: the gate is off, and it says %v", c.name, b)
			}
		}
	}
}

func TestDiscovery(t *testing.T) {
	block := rules(t, true)
	if b := fresh().Discovery(block, "orders", []string{"a", "b", "c", "d"}); b == nil || b.Next.Tool != "find" || !strings.HasSuffix(b.Error(), "a, b, c") {
		t.Errorf("got %v", b)
	}
	for name, ok := range map[string]*session.Blocked{
		"no words": fresh().Discovery(block, " ", nil), "no layer": fresh().Discovery(rules(t, false), "x", nil), "off": fresh().Discovery(rules(t, true, "DISCOVERY_GATE", "off"), "x", nil),
		"auto": fresh().Discovery(rules(t, true, "DISCOVERY_GATE", "auto"), "x", nil),
	} {
		if ok != nil {
			t.Errorf("%s: %v", name, ok)
		}
	}
	s := fresh()
	if s.Found(route.Gap, route.Chart); s.Discovery(block, "x", nil) == nil {
		t.Error("a find in chart mode opened discovery")
	}
	if s.Found(route.Gap, route.Answer); s.Discovery(block, "x", nil) != nil {
		t.Error("a find in answer mode did not open discovery")
	}
	s = fresh()
	if s.Preflight(route.Gap, route.Report, ""); s.Discovery(block, "x", nil) != nil {
		t.Error("a preflight did not open discovery")
	}
}

func TestReport(t *testing.T) {
	r := rules(t, true)
	s := fresh()
	step := func(what, want string) {
		t.Helper()
		b, _ := s.Report(r, nil)
		if got := names(b); got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	step("nothing", "preflight")
	s.Found(route.Ready, route.Answer)
	step("a find", "preflight")
	s.Preflight(route.Ready, route.Chart, "")
	step("a preflight for a chart", "report_mode")
	s.Preflight(route.Ready, route.Report, "")
	step("a preflight for a report", "semantic_execution")
	s.Found(route.Ready, route.Answer)
	step("a find afterwards changes nothing", "semantic_execution")
	s.Measured("fct_orders")
	s.Searched("m1", "m2")
	step("one query", "min_charts chart_diversity exploratory_queries dimensional_breakdown relational_chart coverage")
	s.Measured("m2")
	s.Excluded("old", "m1")
	s.Charted(session.Chart{ID: "chart_1", Type: "line", Series: true})
	s.Charted(session.Chart{ID: "chart_2", Type: "bar"})
	step("two charts", "min_charts relational_chart")
	s.Charted(session.Chart{ID: "chart_3", Type: "scatter"})
	step("three charts", "")
	b, _ := s.Report(r, []session.Gap{{Rule: "stock_flow", Message: "x"}})
	if names(b) != "stock_flow" || !strings.Contains(b.Error(), "do not abandon the report") {
		t.Errorf("got %v", b)
	}
	_, warnings := s.Report(r, nil)
	if len(warnings) != 3 {
		t.Errorf("got %v", warnings)
	}
	// A new analysis keeps what was looked at, and counts charts anew.
	s.Preflight(route.Ready, route.Report, "")
	if d := s.Snapshot(); d.Queries != 2 || len(d.Verified) != 2 || len(d.Charts) != 0 || len(d.Discovered) != 0 || len(d.Excluded) != 0 {
		t.Errorf("%+v", d)
	}
}

func TestStore(t *testing.T) {
	now := time.Unix(0, 0)
	st := session.NewStore(time.Minute, func() time.Time { return now })
	st.Scope("a").Found(route.Ready, route.Answer)
	if st.Scope("b").Snapshot().FindRan || !st.Scope("a").Snapshot().FindRan {
		t.Error("scopes are not apart")
	}
	handle, s := st.Mint("anna")
	s.Found(route.Ready, route.Answer)
	if got, ok := st.Handle(handle, "anna"); !ok || got != s {
		t.Error("the handle is not known")
	}
	if _, ok := st.Handle(handle, "bert"); ok {
		t.Error("another subject has the handle")
	}
	if _, ok := st.Handle("a", ""); ok {
		t.Error("a connection's key serves as a handle")
	}
	if other, _ := st.Mint("anna"); other == handle || len(handle) != 32 {
		t.Errorf("handles %s and %s", handle, other)
	}
	now = now.Add(50 * time.Second)
	st.Scope("a")
	now = now.Add(50 * time.Second)
	if n := st.Len(); n != 1 {
		t.Errorf("%d scopes are kept, want the one that was seen", n)
	}
	if _, ok := st.Handle(handle, "anna"); ok {
		t.Error("the handle has not expired")
	}
	for i := range session.MaxScopes + 10 {
		st.Scope(fmt.Sprint(i))
	}
	if n := st.Len(); n != session.MaxScopes {
		t.Errorf("%d scopes are kept", n)
	}
}

func TestState_Concurrent(t *testing.T) {
	st := session.NewStore(time.Hour, time.Now)
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			s := st.Scope("x")
			s.Queried(true, false, fmt.Sprintf("t%02d", i))
			s.Chart(session.Rules{}, session.RawChart)
			s.Unhide("a", fmt.Sprint(i))
			s.Snapshot()
		})
	}
	wg.Wait()
	if d := st.Scope("x").Snapshot(); d.Queries != 50 || len(d.Verified) != 50 || d.Verified[7] != "t07" || len(d.Unhidden) != 51 {
		t.Errorf("%+v", d)
	}
}
