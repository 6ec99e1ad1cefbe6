package semantic_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quartet-mcp/quartet/cerebro/internal/dbt"
	"github.com/quartet-mcp/quartet/cerebro/internal/semantic"
)

func open(t testing.TB, name string) *os.File {
	t.Helper()
	f, err := os.Open("testdata/shop/" + name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// shop reads the test project; edit may change its semantic manifest.
func shop(t testing.TB, tier semantic.DefaultTier, edit func(*dbt.Project)) *semantic.Layer {
	t.Helper()
	p, err := dbt.ReadManifest(open(t, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.AddCatalog(open(t, "catalog.json")); err != nil {
		t.Fatal(err)
	}
	s, err := dbt.ReadSemanticManifest(open(t, "semantic_manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	p.Semantics = *s
	if edit != nil {
		edit(p)
	}
	return semantic.Build(p, tier)
}

func spec(p *dbt.Project, name string) *dbt.MetricSpec {
	for _, m := range p.Semantics.Metrics {
		if m.Name == name {
			return m
		}
	}
	panic(name)
}

func TestBuild_Shop(t *testing.T) {
	l := shop(t, semantic.Auto, nil)
	for _, f := range l.Findings {
		t.Errorf("%+v", f)
	}
	for _, m := range l.Metrics {
		if !m.Executable || m.Root == nil || m.Hash == "" {
			t.Errorf("%s: executable %t, %s", m.Name, m.Executable, m.Reason)
		}
	}
	for name, want := range map[string]string{"revenue": "full", "stock": "semi", "aov": "none", "buyers": "none", "cumulative_revenue": "none", "paid_orders": "full"} {
		if got := l.Metric(name).Additivity(); got != want {
			t.Errorf("%s adds up %s, want %s", name, got, want)
		}
	}
	if again := shop(t, semantic.Auto, nil); again.Metric("growth").Hash != l.Metric("growth").Hash {
		t.Error("the same definition has two hashes")
	}
	changed := shop(t, semantic.Auto, func(p *dbt.Project) { spec(p, "revenue").Measure.Filters = []string{"{{ Dimension('order__paid') }}"} })
	for _, name := range []string{"revenue", "aov", "growth", "doubled_aov"} {
		if changed.Metric(name).Hash == l.Metric(name).Hash {
			t.Errorf("%s keeps its hash although its definition changed", name)
		}
	}
	if changed.Metric("units").Hash != l.Metric("units").Hash {
		t.Error("units has another hash although nothing of it changed")
	}
}

func TestBuild_Tiers(t *testing.T) {
	tier := func(m dbt.Meta, v string) dbt.Meta {
		if m == nil {
			m = dbt.Meta{}
		}
		m[dbt.MetaTier] = v
		return m
	}
	models := func(p *dbt.Project) {
		for _, m := range p.Semantics.Models {
			m.Meta = tier(m.Meta, "approved")
		}
	}
	state := func(l *semantic.Layer, name string) string {
		m := l.Metric(name)
		switch {
		case m.Executable:
			return "runs"
		case m.CandidateOnly:
			return "candidate"
		}
		return "never"
	}
	for _, c := range []struct {
		name string
		tier semantic.DefaultTier
		edit func(*dbt.Project)
		want string // of revenue, orders, aov
	}{
		{"a project without tiers", semantic.Auto, nil, "runs runs runs"},
		{"one tier makes the others candidates", semantic.Auto, func(p *dbt.Project) { models(p); spec(p, "revenue").Meta = tier(nil, "approved") }, "runs candidate candidate"},
		{"everything is approved", "approved", func(p *dbt.Project) { spec(p, "revenue").Meta = tier(nil, "candidate") }, "candidate runs candidate"},
		{"blocked", "approved", func(p *dbt.Project) { spec(p, "orders").Meta = tier(nil, "blocked") }, "runs never never"},
		{"the model is no more than a candidate", "approved", func(p *dbt.Project) {
			for _, m := range p.Semantics.Models {
				if m.Name == "orders" {
					m.Meta = tier(nil, "candidate")
				}
			}
		}, "never never never"},
		{"the relation is gone", semantic.Auto, func(p *dbt.Project) {
			for _, m := range p.Semantics.Models {
				if m.Name == "orders" {
					m.Relation.Name = "gone"
				}
			}
		}, "never never never"},
	} {
		l := shop(t, c.tier, c.edit)
		if got := fmt.Sprint(state(l, "revenue"), " ", state(l, "orders"), " ", state(l, "aov")); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// What cannot be resolved says why, and leaves the rest alone.
func TestBuild_Broken(t *testing.T) {
	for name, c := range map[string]struct {
		edit func(*dbt.MetricSpec)
		of   string
		want string
	}{
		"no measure":         {func(m *dbt.MetricSpec) { m.Measure.Name = "amonut" }, "revenue", `measure "amonut"`},
		"made of itself":     {func(m *dbt.MetricSpec) { m.Numerator.Name = "aov" }, "aov", "made of itself: aov → aov"},
		"no input":           {func(m *dbt.MetricSpec) { m.Denominator.Name = "x" }, "aov", `no metric "x"`},
		"a template":         {func(m *dbt.MetricSpec) { m.Filters = []string{"{{ var('x') }} = 1"} }, "revenue", "{{ var('x') }}"},
		"a template's block": {func(m *dbt.MetricSpec) { m.Filters = []string{"{% if x %} a {% endif %}"} }, "revenue", "not understood"},
		"two statements":     {func(m *dbt.MetricSpec) { m.Filters = []string{"1 = 1; DROP TABLE x"} }, "revenue", "not a condition"},
		"a closed bracket":   {func(m *dbt.MetricSpec) { m.Filters = []string{"1 = 1) OR (1 = 1"} }, "revenue", "not a condition"},
		"a query":            {func(m *dbt.MetricSpec) { m.Filters = []string{"1 IN (SELECT 1 FROM x)"} }, "revenue", "not a condition"},
		"an unknown input":   {func(m *dbt.MetricSpec) { m.Expr = "gross - net" }, "net", `"net", which is no input`},
		"no expression":      {func(m *dbt.MetricSpec) { m.Expr = "gross - " }, "net", "not an expression"},
		"a window of 0 days": {func(m *dbt.MetricSpec) { m.Window.Count = 0 }, "revenue_7d", "window"},
		"no such dimension":  {func(m *dbt.MetricSpec) { m.Filters = []string{"{{ Dimension('order__x') }} = 1"} }, "revenue", ""},
		"conversion":         {func(m *dbt.MetricSpec) { m.Type = "conversion" }, "revenue", "conversion"},
		"stock accumulated":  {func(m *dbt.MetricSpec) { m.Measure.Name = "stock_last" }, "revenue_7d", "must not be added up over time"},
	} {
		l := shop(t, semantic.Auto, func(p *dbt.Project) { c.edit(spec(p, c.of)) })
		m := l.Metric(c.of)
		if c.want == "" {
			continue
		}
		if m.Executable || !strings.Contains(m.Reason, c.want) {
			t.Errorf("%s: executable %t, %q, want %q", name, m.Executable, m.Reason, c.want)
		}
		if c.of != "revenue" && !l.Metric("revenue").Executable {
			t.Errorf("%s: revenue does not run any more: %s", name, l.Metric("revenue").Reason)
		}
	}
}

func TestPlan_Refused(t *testing.T) {
	l := shop(t, semantic.Auto, nil)
	day := func(s string) time.Time { d, _, _ := semantic.ParseTime(s); return d }
	for name, c := range map[string]struct {
		request semantic.Request
		code    semantic.Code
		want    []string
	}{
		"no metric":           {semantic.Request{}, semantic.PlanningError, []string{"1 to 10"}},
		"an unknown one":      {semantic.Request{Metrics: []string{"revnue"}}, semantic.NotFound, []string{`"revnue"`, "did you mean revenue"}},
		"an unknown way":      {semantic.Request{Metrics: []string{"revenue"}, Dimensions: []string{"colour"}}, semantic.DimensionUnsupported, []string{"orders", "colour", "customer__region", "status"}},
		"ambiguous":           {semantic.Request{Metrics: []string{"revenue"}, Dimensions: []string{"region"}}, semantic.Ambiguous, []string{"customer__region, store__region"}},
		"rows would multiply": {semantic.Request{Metrics: []string{"revenue"}, Dimensions: []string{"product"}}, semantic.DimensionUnsupported, []string{"orders → items", "one_to_many"}},
		"customers by status": {semantic.Request{Metrics: []string{"customers"}, Dimensions: []string{"status"}}, semantic.DimensionUnsupported, []string{"one_to_many"}},
		"not on both sides":   {semantic.Request{Metrics: []string{"revenue", "tickets"}, Dimensions: []string{"status"}}, semantic.DimensionUnsupported, []string{"orders: ", "tickets: ", "shared by all: ", "country"}},
		"too fine":            {semantic.Request{Metrics: []string{"tickets"}, Grain: semantic.Hour}, semantic.DimensionUnsupported, []string{"by hour", "the finest grain is day"}},
		"no such grain":       {semantic.Request{Metrics: []string{"tickets"}, Grain: "fortnight"}, semantic.PlanningError, []string{"fortnight"}},
		"a grain of a text":   {semantic.Request{Metrics: []string{"revenue"}, Dimensions: []string{"status__month"}}, semantic.DimensionUnsupported, []string{"is no time"}},
		"growth without time": {semantic.Request{Metrics: []string{"growth"}}, semantic.PlanningError, []string{"time_grain or a time_range"}},
		"an operator":         {semantic.Request{Metrics: []string{"revenue"}, Filters: []semantic.Condition{{Field: "status", Op: "like", Value: "x"}}}, semantic.FilterInvalid, []string{`"like"`, "starts_with"}},
		"a text as number":    {semantic.Request{Metrics: []string{"revenue"}, Filters: []semantic.Condition{{Field: "revenue", Op: ">", Value: "much"}}}, semantic.FilterInvalid, []string{"number", "much"}},
		"a number as boolean": {semantic.Request{Metrics: []string{"revenue"}, Filters: []semantic.Condition{{Field: "paid", Op: "=", Value: json.Number("7")}}}, semantic.FilterInvalid, []string{"boolean"}},
		"a date":              {semantic.Request{Metrics: []string{"customers"}, Filters: []semantic.Condition{{Field: "joined", Op: ">", Value: "yesterday"}}}, semantic.FilterInvalid, []string{"date", "yesterday"}},
		"null":                {semantic.Request{Metrics: []string{"revenue"}, Filters: []semantic.Condition{{Field: "status", Op: "="}}}, semantic.FilterInvalid, []string{"is_null"}},
		"an empty list":       {semantic.Request{Metrics: []string{"revenue"}, Filters: []semantic.Condition{{Field: "status", Op: "in", Value: []any{}}}}, semantic.FilterInvalid, []string{"list"}},
		"one end of two":      {semantic.Request{Metrics: []string{"revenue"}, Filters: []semantic.Condition{{Field: "revenue", Op: "between", Value: []any{json.Number("1")}}}}, semantic.FilterInvalid, []string{"two values"}},
		"history cut off":     {semantic.Request{Metrics: []string{"revenue_7d"}, Grain: semantic.Day, Filters: []semantic.Condition{{Field: "ordered_at", Op: ">", Value: "2025-01-01"}}}, semantic.FilterInvalid, []string{"time_range"}},
		"an unknown order":    {semantic.Request{Metrics: []string{"revenue"}, OrderBy: []string{"-profit"}}, semantic.PlanningError, []string{"profit", "revenue"}},
		"no time at all":      {semantic.Request{Metrics: []string{"item_revenue"}, Range: semantic.Range{Start: day("2025-01-01")}}, semantic.DimensionUnsupported, []string{"no time dimension"}},
	} {
		_, err := l.Plan(c.request)
		var e *semantic.Error
		if !errors.As(err, &e) || e.Code != c.code {
			t.Errorf("%s: got %v, want %s", name, err, c.code)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %q does not say %q", name, err, w)
			}
		}
	}
}

func TestPlan_Modes(t *testing.T) {
	l := shop(t, semantic.Auto, nil)
	for _, c := range []struct {
		request semantic.Request
		mode    string
		columns string
	}{
		{semantic.Request{Metrics: []string{"revenue"}, Dimensions: []string{"status"}}, "single_model", "status revenue"},
		{semantic.Request{Metrics: []string{"revenue", "aov"}, Grain: semantic.Month}, "single_model", "month revenue orders aov"},
		{semantic.Request{Metrics: []string{"aov"}, Dimensions: []string{"country", "date"}}, "enriched_single_model", "country date revenue orders aov"},
		{semantic.Request{Metrics: []string{"aov", "tickets"}}, "multi_branch", "revenue orders aov tickets"},
		{semantic.Request{Metrics: []string{"growth"}, Dimensions: []string{"order__ordered_at__month"}}, "multi_branch", "order__ordered_at__month growth"},
		{semantic.Request{Metrics: []string{"revenue"}, Dimensions: []string{"ordered_at"}, Grain: semantic.Week}, "single_model", "ordered_at revenue"},
		{semantic.Request{Metrics: []string{"revenue", "revenue"}, Dimensions: []string{"status", "status"}}, "single_model", "status revenue"},
	} {
		p, err := l.Plan(c.request)
		if err != nil {
			t.Errorf("%v: %v", c.request, err)
			continue
		}
		if got := strings.Join(p.Columns(), " "); p.Mode != c.mode || got != c.columns {
			t.Errorf("%v: %s, %s; want %s, %s", c.request, p.Mode, got, c.mode, c.columns)
		}
	}
}

func TestAxes(t *testing.T) {
	l := shop(t, semantic.Auto, nil)
	var names []string
	for _, a := range l.Axes(l.Model("items")) {
		names = append(names, a.Name)
	}
	want := []string{"big", "city", "country", "customer__region", "joined", "ordered_at", "paid", "product", "status", "store__region"}
	if !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
}

func TestGrain(t *testing.T) {
	for _, c := range []struct {
		grain     semantic.Grain
		at, start string
		n         int
		moved     string
	}{
		{semantic.Week, "2025-01-01", "2024-12-30", 1, "2025-01-06"},
		{semantic.Week, "2024-12-29", "2024-12-23", -1, "2024-12-16"},
		{semantic.Month, "2024-02-29", "2024-02-01", 12, "2025-02-01"},
		{semantic.Quarter, "2025-12-31", "2025-10-01", 1, "2026-01-01"},
		{semantic.Year, "2025-12-31", "2025-01-01", -1, "2024-01-01"},
		{semantic.Day, "2025-03-30", "2025-03-30", 1, "2025-03-31"},
	} {
		at, _, _ := semantic.ParseTime(c.at)
		start := c.grain.Truncate(at)
		if got := start.Format(time.DateOnly); got != c.start {
			t.Errorf("%s of %s starts at %s, want %s", c.grain, c.at, got, c.start)
		}
		if got := c.grain.Add(start, c.n).Format(time.DateOnly); got != c.moved {
			t.Errorf("%s %+d %s is %s, want %s", c.start, c.n, c.grain, got, c.moved)
		}
	}
	end, _, _ := semantic.ParseTime("2025-03-31")
	if got := semantic.Month.Add(end, -1).Format(time.DateOnly); got != "2025-02-28" {
		t.Errorf("a month before 2025-03-31 is %s", got)
	}
}
