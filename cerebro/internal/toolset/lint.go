package toolset

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/cerebro/internal/words"
)

// Finding is something wrong with the tools' descriptions.
type Finding struct {
	Severity string `json:"severity"` // error or warning
	Rule     string `json:"rule"`
	Tool     string `json:"tool"` // empty for the list as a whole
	Message  string `json:"message"`
}

// Limits of the list that is advertised under lean core, in bytes.
const (
	MaxLean       = 18_000 // without the schemas of results
	MaxLeanOutput = 30_000 // with them
)

// alike is from which overlap of words on two tools are hard to tell apart.
const alike = 0.8

// Lint checks the registered tools. Custom tools are not asked for what nobody
// wrote, such as tags; names and schemas must hold for them too. Whole says that
// all tools are there, so that the core set can be checked.
func Lint(defs []*Definition, whole bool) []Finding {
	l := linter{}
	seen := map[string]string{}
	core := []string{}
	for _, d := range defs {
		for _, n := range append([]string{d.Name}, d.Meta.Aliases...) {
			if other, twice := seen[n]; twice {
				l.hard("duplicate_name", d.Name, "the name %q is that of %s already", n, other)
			}
			seen[n] = d.Name
		}
		if d.Meta.Tier == Core {
			core = append(core, d.Name)
		}
		l.definition(d)
	}
	if whole {
		slices.Sort(core)
		want := slices.Sorted(slices.Values(CoreNames))
		for _, n := range want {
			if !slices.Contains(core, n) {
				l.hard("core_set", n, "is a core tool by name and not of the tier core")
			}
		}
		for _, n := range core {
			if !slices.Contains(want, n) {
				l.hard("core_set", n, "is of the tier core and no core tool by name")
			}
		}
		l.sizes(defs)
	}
	l.overlaps(defs)
	return l.findings
}

type linter struct{ findings []Finding }

func (l *linter) hard(rule, tool, format string, args ...any) {
	l.findings = append(l.findings, Finding{"error", rule, tool, fmt.Sprintf(format, args...)})
}

func (l *linter) definition(d *Definition) {
	m := &d.Meta
	if !NamePattern.MatchString(d.Name) {
		l.hard("name", d.Name, "a name is of the form %s", NamePattern)
	}
	if _, known := Static(d.Name); !known && !d.Custom && (m.Risk == "" || m.Domain == "") {
		l.hard("unclassified", d.Name, "stands neither in the table of tools nor states its domain and risk")
	}
	if m.Domain != "" && !m.Domain.Valid() {
		l.hard("unknown_domain", d.Name, "the domain %q is none of %s", m.Domain, join(Domains))
	}
	if m.Risk != "" && !slices.Contains(Risks, m.Risk) {
		l.hard("unknown_risk", d.Name, "the risk %q is none of %s", m.Risk, join(Risks))
	}
	if d.Custom && m.Tier == Core {
		l.hard("custom_core", d.Name, "a custom tool cannot be of the tier core")
	}
	if !d.Custom {
		l.described(d)
	}
	if m.Deprecated != nil && m.Deprecated.Replacement == "" {
		l.hard("deprecated", d.Name, "is deprecated without a replacement")
	}
	if m.Risk == ReadOnly && (m.Gate == ReportGate || m.Network) {
		l.hard("risk", d.Name, "is %s, and writes a report or reaches beyond the server", m.Risk)
	}
	l.schema(d.Name, "", d.Input)
}

func (l *linter) described(d *Definition) {
	if d.Meta.Title == "" {
		l.hard("title", d.Name, "has no title")
	}
	if len(d.Meta.Tags) < 2 {
		l.hard("tags", d.Name, "has %d tags; at least two are needed to be found", len(d.Meta.Tags))
	}
	first, _, _ := strings.Cut(strings.TrimSpace(d.Description), "\n")
	switch r := []rune(first); {
	case len(r) == 0:
		l.hard("description", d.Name, "has no description")
	case len(r) > maxSummary:
		l.hard("description", d.Name, "the first line of the description has %d characters, more than %d", len(r), maxSummary)
	case !strings.HasSuffix(first, "."):
		l.hard("description", d.Name, "the first line of the description is no sentence")
	}
}

// schema checks that each property is described, those of objects within as well.
func (l *linter) schema(tool, at string, raw json.RawMessage) {
	var s struct {
		Properties map[string]json.RawMessage `json:"properties"`
		Items      json.RawMessage            `json:"items"`
	}
	if len(raw) == 0 {
		return
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		if at == "" {
			l.hard("schema", tool, "the schema of the arguments is no object: %v", err)
		}
		return
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		var p struct {
			Description string `json:"description"`
		}
		if json.Unmarshal(s.Properties[name], &p) != nil || p.Description == "" {
			l.hard("schema", tool, "the argument %s has no description", at+name)
		}
		l.schema(tool, at+name+".", s.Properties[name])
	}
	l.schema(tool, at, s.Items)
}

func (l *linter) sizes(defs []*Definition) {
	lean := NewSurface(true, nil)
	shown := slices.DeleteFunc(slices.Clone(defs), func(d *Definition) bool { return !lean.Advertised(d, Viewer{}) })
	if n := Measure(shown, false).Bytes; n > MaxLean {
		l.hard("lean_size", "", "the lean list is %d bytes without the schemas of results, more than %d", n, MaxLean)
	}
	if n := Measure(shown, true).Bytes; n > MaxLeanOutput {
		l.hard("lean_size", "", "the lean list is %d bytes with the schemas of results, more than %d", n, MaxLeanOutput)
	}
}

// overlaps warns of pairs that share most of the words of the shorter one.
func (l *linter) overlaps(defs []*Definition) {
	sets := make([]map[string]bool, len(defs))
	for i, d := range defs {
		sets[i] = map[string]bool{}
		for _, w := range words.Query(d.Name + " " + strings.Join(d.Meta.Tags, " ") + " " + d.Summary()) {
			sets[i][w] = true
		}
	}
	for i := range sets {
		for j := range sets[:i] {
			common := 0
			for w := range sets[i] {
				if sets[j][w] {
					common++
				}
			}
			all := len(sets[i]) + len(sets[j]) - common
			if all > 0 && float64(common) > alike*float64(all) {
				l.findings = append(l.findings, Finding{"warning", "alike", defs[i].Name, "name, tags and summary are nearly those of " + defs[j].Name})
			}
		}
	}
}

func join[T ~string](list []T) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return strings.Join(out, ", ")
}
