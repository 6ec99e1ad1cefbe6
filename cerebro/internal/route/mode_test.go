package route_test

import (
	"testing"

	"github.com/quartet-mcp/quartet/cerebro/internal/route"
)

func TestModeOf(t *testing.T) {
	for q, want := range map[string]route.Mode{
		"revenue by region":                     route.Answer,
		"plot weekly sessions":                  route.Chart,
		"Visualise the churn":                   route.Chart,
		"a heatmap of orders":                   route.Chart,
		"write a report on churn":               route.Report,
		"a dashboard with a chart of revenue":   route.Report,
		"a deep-dive into refunds":              route.Report,
		"written analysis of margins":           route.Report,
		"photograph sales":                      route.Answer,
		"graphite prices":                       route.Answer,
		"reported orders":                       route.Answer,
		"orders by reporting line":              route.Answer,
		"graph of dependencies":                 route.Answer,
		"the lineage graph of fct_orders":       route.Answer,
		"report on bugs in checkout":            route.Answer,
		"how many reports were sent":            route.Answer,
		"how many charts do we have":            route.Answer,
		"revenue by region, no chart please":    route.Answer,
		"revenue without a chart":               route.Answer,
		"don't plot it, just the orders":        route.Answer,
		"don’t draw a chart, just the orders":   route.Answer,
		"no report, but a chart of the revenue": route.Chart,
		"":                                      route.Answer,
	} {
		if got := route.ModeOf(q); got != want {
			t.Errorf("%q: got %s, want %s", q, got, want)
		}
	}
}
