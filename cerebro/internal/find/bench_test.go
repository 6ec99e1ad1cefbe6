package find_test

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/quartet-mcp/quartet/cerebro/internal/catalog"
	"github.com/quartet-mcp/quartet/cerebro/internal/demo"
	"github.com/quartet-mcp/quartet/cerebro/internal/find"
	"github.com/quartet-mcp/quartet/cerebro/internal/toolset"
)

// orchard is the demo project.
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

// everything is a registry of all tools in the table.
func everything(t testing.TB) *toolset.Registry {
	t.Helper()
	r := toolset.NewRegistry()
	for _, n := range toolset.StaticNames() {
		m, _ := toolset.Static(n)
		if err := r.Add(toolset.Definition{Name: n, Description: m.Summary, Meta: m, Input: json.RawMessage(`{"type":"object","properties":{}}`)}); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// The benchmark must not fall below these figures.
func TestBench(t *testing.T) {
	cases := find.Suite()
	if len(cases) != 40 {
		t.Fatalf("the suite has %d questions", len(cases))
	}
	s, err := find.Bench(t.Context(), find.New(everything(t), true), orchard(t), cases)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", s)
	for _, m := range s.Misses {
		t.Log(m)
	}
	for name, f := range map[string][2]float64{
		"actions": {s.Action.Of(), 0.95}, "modes": {s.Mode.Of(), 0.95}, "questions without a metric": {s.None.Of(), 1},
		"metrics, recall@1": {s.Metrics.First, 0.85}, "metrics, MRR": {s.Metrics.MRR, 0.90},
		"tools, recall@1": {s.Tools.First, 0.45}, "tools, recall@3": {s.Tools.Third, 0.78}, "tools, MRR": {s.Tools.MRR, 0.60},
	} {
		if f[0] < f[1] {
			t.Errorf("%s: %.3f, want at least %.3f", name, f[0], f[1])
		}
	}
}
