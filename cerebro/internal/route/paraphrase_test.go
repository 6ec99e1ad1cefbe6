package route_test

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/cerebro/internal/catalog"
	"github.com/quartet-mcp/quartet/cerebro/internal/demo"
	"github.com/quartet-mcp/quartet/cerebro/internal/route"
)

// orchard is the routing of the demo project, and what the project says of itself.
func orchard(t testing.TB) *catalog.Snapshot {
	t.Helper()
	a, err := demo.MakeArtifacts()
	if err != nil {
		t.Fatal(err)
	}
	files := a.Files()
	f, err := demo.Files().Open("dbt_project.yml")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(f); err != nil {
		t.Fatal(err)
	}
	files["dbt_project.yml"] = b.Bytes()
	c := catalog.New(catalog.Options{Demo: files, Semantic: true})
	if _, err := c.Load(context.Background()); err != nil {
		t.Fatal(err)
	}
	return c.Current()
}

type paraphrase struct {
	text    string
	metrics []string // none when the project does not have it
}

func paraphrases(t testing.TB) (tuning, heldOut []paraphrase) {
	t.Helper()
	text, err := os.ReadFile("testdata/paraphrases.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
		q, want, ok := strings.Cut(s.Text(), " | ")
		if !ok || strings.HasPrefix(q, "#") {
			continue
		}
		p := paraphrase{text: q}
		if want != "-" {
			p.metrics = strings.Split(want, ", ")
		}
		if n++; n%2 == 1 {
			tuning = append(tuning, p)
		} else {
			heldOut = append(heldOut, p)
		}
	}
	return tuning, heldOut
}

type figures struct {
	first, reciprocal float64 // of questions that a metric answers: the best accepted one is right; 1/rank of the right one
	refused           float64 // of the others: no metric is accepted
}

func measure(t testing.TB, x *route.Index, questions []paraphrase) figures {
	var f figures
	has, hasNot := 0.0, 0.0
	for _, q := range questions {
		r := x.Route(q.text)
		var got []string
		for _, s := range r.Accepted {
			got = append(got, s.Metric.Name)
		}
		if q.metrics == nil {
			hasNot++
			if len(got) == 0 {
				f.refused++
			} else if testing.Verbose() {
				t.Logf("ACCEPTED %q: %v", q.text, got)
			}
			continue
		}
		has++
		i := slices.IndexFunc(got, func(m string) bool { return slices.Contains(q.metrics, m) })
		if i >= 0 {
			f.reciprocal += 1 / float64(i+1)
		}
		if i == 0 {
			f.first++
		} else if testing.Verbose() {
			near := []string{}
			for _, s := range r.Near {
				near = append(near, s.Metric.Name)
			}
			t.Logf("%q: got %v, want %v; near %v", q.text, got, q.metrics, near)
		}
	}
	return figures{f.first / has, f.reciprocal / has, f.refused / hasNot}
}

// Paraphrases are found, and what the project does not have is not: on the questions
// that the figures were tuned on, and on those that they were not.
func TestRoute_Paraphrases(t *testing.T) {
	tuning, heldOut := paraphrases(t)
	x := orchard(t).Route
	for name, set := range map[string]struct {
		questions []paraphrase
		least     figures
	}{
		"tuning":   {tuning, figures{0.83, 0.83, 0.93}},
		"held out": {heldOut, figures{0.80, 0.80, 0.90}},
	} {
		got := measure(t, x, set.questions)
		t.Logf("%s: %+v", name, got)
		if got.first < set.least.first || got.reciprocal < set.least.reciprocal || got.refused < set.least.refused {
			t.Errorf("%s: %+v, want at least %+v", name, got, set.least)
		}
	}
}

func TestRoute_RunsOfWords(t *testing.T) {
	x := orchard(t).Route
	for question, want := range map[string]string{
		"revenue this month to date":      "revenue_mtd",
		"28 day active customers":         "active_customers_28d",
		"revenue growth month over month": "revenue_growth_mom",
		"revenue of the month":            "revenue",
	} {
		if r := x.Route(question); len(r.Accepted) == 0 || r.Accepted[0].Metric.Name != want {
			t.Errorf("%q: %v, want %s", question, r.Metrics(3), want)
		}
	}
}

func TestResult_Next(t *testing.T) {
	x := orchard(t).Route
	for _, tc := range []struct {
		question string
		mode     route.Mode
		want     string
	}{
		{"revenue", route.Answer, "query_metrics"},
		{"revenue", route.Chart, "quick_metric_chart"},
		{"revenue", route.Report, "generate_metric_charts"},
		{"employees", route.Chart, "discover_models"},
		{"tickets and revenue", route.Report, "discover_metrics"},
	} {
		if got := x.Route(tc.question).Next(tc.mode); got != tc.want {
			t.Errorf("%q as %s: %s, want %s", tc.question, tc.mode, got, tc.want)
		}
	}
	if got := route.New(nil, route.Config{}).Route("revenue").Next(route.Answer); got != "discover_models" {
		t.Error(got)
	}
}
