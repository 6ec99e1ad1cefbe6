package toolset_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/quartet-mcp/quartet/cerebro/internal/toolset"
)

// definitions are all tools of the table up to a phase.
func definitions(phase int) []*toolset.Definition {
	var out []*toolset.Definition
	for _, n := range toolset.StaticNames() {
		if m, _ := toolset.Static(n); m.Phase <= phase {
			out = append(out, &toolset.Definition{Name: n, Description: m.Summary, Meta: m, Input: json.RawMessage(`{"type":"object","properties":{}}`)})
		}
	}
	return out
}

func TestStatic(t *testing.T) {
	if n := len(definitions(0)); n != 26 {
		t.Errorf("phase 0 has %d tools, want 26", n)
	}
	byDomain := map[toolset.Domain]int{}
	for _, d := range definitions(3) {
		byDomain[d.Meta.Domain]++
	}
	want := map[toolset.Domain]int{
		toolset.Discovery: 16, toolset.Semantic: 12, toolset.Schema: 5, toolset.Query: 19, toolset.Visualization: 15,
		toolset.Reporting: 9, toolset.General: 11, toolset.Governance: 19,
	}
	if diff := cmp.Diff(byDomain, want); diff != "" {
		t.Errorf("tools by domain (-got +want):\n%s", diff)
	}
	if len(toolset.CoreNames) != 18 {
		t.Errorf("%d core tools", len(toolset.CoreNames))
	}
	for _, f := range toolset.Lint(definitions(3), true) {
		t.Errorf("%+v", f)
	}
}

func TestMeta_Hints(t *testing.T) {
	for name, want := range map[string]toolset.Hints{
		"query_metrics":        {ReadOnly: true, Idempotent: true},
		"quick_chart":          {ReadOnly: true},
		"generate_report":      {},
		"load_tools":           {Idempotent: true},
		"delete_saved_query":   {Destructive: true, Idempotent: true},
		"invoke_tool":          {OpenWorld: true},
		"export_query_results": {},
	} {
		m, ok := toolset.Static(name)
		if got := m.Hints(); !ok || got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

func TestSwitches(t *testing.T) {
	core := func(s toolset.Switches) (names []string) {
		for _, n := range toolset.CoreNames {
			if m, _ := toolset.Static(n); s.Admit(n, &m) {
				names = append(names, n)
			}
		}
		return names
	}
	if got := core(toolset.Switches{NoLayer: true}); len(got) != 11 {
		t.Errorf("without the semantic layer %d core tools remain: %v", len(got), got)
	}
	if got := core(toolset.Switches{Domains: []string{"schema", "query"}, Exclude: []string{"execute_query"}}); !slices.Equal(got, []string{"describe_table"}) {
		t.Error(got)
	}
	if got := core(toolset.Switches{ReadOnly: true}); slices.Contains(got, "generate_report") || !slices.Contains(got, "quick_chart") {
		t.Error(got)
	}
}

func TestSurface(t *testing.T) {
	advertised := func(s *toolset.Surface, v toolset.Viewer) (names []string) {
		for _, d := range definitions(3) {
			if s.Advertised(d, v) {
				names = append(names, d.Name)
			}
		}
		return names
	}
	s := toolset.NewSurface(true, []string{"list"})
	if got := advertised(s, toolset.Viewer{}); len(got) != 19 {
		t.Errorf("lean: %v", got)
	}
	if got := advertised(s, toolset.Viewer{Shown: []string{"discover_models"}, Views: true}); len(got) != 23 {
		t.Errorf("own session and views: %v", got)
	}
	if got := s.Show("discover_models", "save_query", "discover_models"); !slices.Equal(got, []string{"discover_models", "save_query"}) {
		t.Error(got)
	}
	if got := s.Show("save_query"); len(got) != 0 {
		t.Error(got)
	}
	if got := advertised(s, toolset.Viewer{}); len(got) != 21 {
		t.Errorf("with what was loaded: %v", got)
	}
	if got := s.Hide("save_query", "profile_table"); !slices.Equal(got, []string{"save_query"}) {
		t.Error(got)
	}
	if got := advertised(toolset.NewSurface(false, nil), toolset.Viewer{}); len(got) != len(definitions(3))-3 {
		t.Errorf("the full list has %d", len(got))
	}
}

func TestRegistry(t *testing.T) {
	r := toolset.NewRegistry()
	if err := r.Add(toolset.Definition{Name: "one", Meta: toolset.Meta{Aliases: []string{"uno"}}}); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []toolset.Definition{{Name: "one"}, {Name: "uno"}, {Name: "Two"}, {Name: "two", Meta: toolset.Meta{Aliases: []string{"one"}}}, {}} {
		if r.Add(bad) == nil {
			t.Errorf("%q was taken", bad.Name)
		}
	}
	_, before := r.All()
	if err := r.Add(toolset.Definition{Name: "two", Input: json.RawMessage(`{"required":["b","a"]}`)}); err != nil {
		t.Fatal(err)
	}
	if _, after := r.All(); after == before {
		t.Error("the number stays although the tools changed")
	}
	if got := r.Get("two").Required(); !slices.Equal(got, []string{"b", "a"}) {
		t.Error(got)
	}
	if !r.Remove("uno") || r.Remove("one") || r.Get("uno") != nil || !slices.Equal(r.Names(), []string{"two"}) {
		t.Error(r.Names())
	}
}

func TestInfer(t *testing.T) {
	for name, want := range map[string]toolset.Domain{
		"storyteller_status": toolset.Storyteller, "contract_explore": toolset.Web3, "rpc_call": toolset.Web3, "resolve_address": toolset.Web3,
		"start_research_project": toolset.Research, "my_chart": toolset.Visualization, "sales_dashboard": toolset.Reporting,
		"metric_x": toolset.Semantic, "model_y": toolset.Discovery, "read_docs": toolset.Discovery, "a_table": toolset.Schema, "run_sql": toolset.Query,
		"audit_it": toolset.Governance, "open_sesame": toolset.Visualization, "list_pets": toolset.General, "get_pet": toolset.Discovery, "pets": toolset.Discovery,
	} {
		if got := toolset.Infer(name, "", toolset.ReadOnly).Domain; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for risk, want := range map[toolset.Risk]toolset.Domain{
		toolset.ServerState: toolset.Governance, toolset.Destructive: toolset.Governance, toolset.ExternalRead: toolset.Web3, toolset.AppOnly: toolset.Visualization, "odd": toolset.Discovery,
	} {
		if got := toolset.Infer("pets", "", risk).Domain; got != want {
			t.Errorf("risk %s: %s, want %s", risk, got, want)
		}
	}
	m := toolset.Infer("pets", "\n  Top suppliers by Spend, per the suppliers' region and a very long tail of other words follows here now again.\nMore.", toolset.ReadOnly)
	if want := []string{"suppliers", "spend", "region", "very", "long", "tail", "other", "words"}; len(m.Tags) != 8 || m.Tags[0] != want[0] || m.Tags[1] != want[1] {
		t.Errorf("tags %v", m.Tags)
	}
	if toolset.Infer("", "", "").Domain != toolset.Discovery {
		t.Error("an empty name")
	}
}

func TestLint(t *testing.T) {
	good := func() *toolset.Definition {
		return &toolset.Definition{
			Name: "count_pets", Description: "Count the pets of a household.\nMore.",
			Meta:  toolset.Meta{Title: "Count pets", Domain: toolset.Query, Risk: toolset.ReadOnly, Tags: []string{"pets", "count"}},
			Input: json.RawMessage(`{"type":"object","properties":{"home":{"type":"string","description":"which"}}}`),
		}
	}
	if f := toolset.Lint([]*toolset.Definition{good()}, false); len(f) > 0 {
		t.Fatalf("%+v", f)
	}
	for rule, spoil := range map[string]func(d *toolset.Definition){
		"name":           func(d *toolset.Definition) { d.Name = "Count Pets" },
		"unclassified":   func(d *toolset.Definition) { d.Meta.Domain, d.Meta.Risk = "", "" },
		"unknown_domain": func(d *toolset.Definition) { d.Meta.Domain = "pets" },
		"unknown_risk":   func(d *toolset.Definition) { d.Meta.Risk = "pets" },
		"title":          func(d *toolset.Definition) { d.Meta.Title = "" },
		"tags":           func(d *toolset.Definition) { d.Meta.Tags = []string{"pets"} },
		"description":    func(d *toolset.Definition) { d.Description = "counts pets" },
		"deprecated":     func(d *toolset.Definition) { d.Meta.Deprecated = &toolset.Deprecated{} },
		"risk":           func(d *toolset.Definition) { d.Meta.Network = true },
		"schema": func(d *toolset.Definition) {
			d.Input = json.RawMessage(`{"properties":{"homes":{"type":"array","description":"which","items":{"properties":{"street":{"type":"string"}}}}}}`)
		},
		"custom_core":    func(d *toolset.Definition) { d.Custom, d.Meta.Tier = true, toolset.Core },
		"duplicate_name": func(d *toolset.Definition) { d.Meta.Aliases = []string{"count_pets"} },
	} {
		d := good()
		spoil(d)
		f := toolset.Lint([]*toolset.Definition{d}, false)
		if len(f) != 1 || f[0].Rule != rule || f[0].Severity != "error" {
			t.Errorf("%s: %+v", rule, f)
		}
	}
	custom := good()
	custom.Custom, custom.Meta = true, toolset.Meta{}
	if f := toolset.Lint([]*toolset.Definition{custom}, false); len(f) > 0 {
		t.Errorf("a custom tool: %+v", f)
	}
	other := good()
	other.Name = "count_the_pets"
	if f := toolset.Lint([]*toolset.Definition{good(), other}, false); len(f) != 1 || f[0].Rule != "alike" || f[0].Severity != "warning" {
		t.Errorf("two that are alike: %+v", f)
	}
	if f := toolset.Lint([]*toolset.Definition{good()}, true); len(f) != 18 {
		t.Errorf("a list without core tools: %d findings", len(f))
	}
	long := definitions(0)
	for _, d := range long {
		d.Description += "\n" + strings.Repeat("long ", 200)
	}
	if f := toolset.Lint(long, true); len(f) != 1 || f[0].Rule != "lean_size" {
		t.Errorf("a long list: %+v", f)
	}
}

func TestMeasure(t *testing.T) {
	defs := definitions(0)
	for _, d := range defs {
		d.Output = json.RawMessage(`{"type":"object"}`)
	}
	without, with := toolset.Measure(defs, false), toolset.Measure(defs, true)
	if without.Tools != 26 || without.Bytes >= with.Bytes || without.CharTokens < without.Bytes/5 || without.WordTokens == 0 {
		t.Errorf("%+v %+v", without, with)
	}
}
