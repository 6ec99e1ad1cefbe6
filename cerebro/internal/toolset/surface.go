package toolset

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
)

// Switches say which tools are registered at all; the narrower always wins.
type Switches struct {
	// Domains are those allowed; empty allows all.
	Domains []string
	// Exclude are names that are left out whatever else is said.
	Exclude []string
	// ReadOnly leaves out every tool that writes.
	ReadOnly bool
	// NoLayer leaves out the tools that need the semantic layer.
	NoLayer bool
}

// Admit says whether a tool is to be registered.
func (s *Switches) Admit(name string, m *Meta) bool {
	switch {
	case slices.Contains(s.Exclude, name),
		len(s.Domains) > 0 && !slices.Contains(s.Domains, string(m.Domain)),
		s.ReadOnly && !m.Hints().ReadOnly,
		s.NoLayer && m.Layer:
		return false
	}
	return true
}

// Surface decides which registered tools are advertised. What it hides can still be
// called by name. It is safe for concurrent use.
type Surface struct {
	lean  bool
	extra []string

	mu    sync.RWMutex
	shown map[string]bool // in this process, by request
}

// NewSurface makes the surface: lean shows the core tools, those of extra, and what
// is asked for; otherwise all are shown.
func NewSurface(lean bool, extra []string) *Surface {
	return &Surface{lean: lean, extra: extra, shown: map[string]bool{}}
}

// Lean says whether the surface hides anything.
func (s *Surface) Lean() bool { return s.lean }

// Viewer is who looks at the list of tools.
type Viewer struct {
	// Shown are the names that the viewer's own session asked for.
	Shown []string
	// Views says that the client can show views, and so needs the tools that serve them.
	Views bool
}

// Advertised says whether a viewer sees a tool.
func (s *Surface) Advertised(d *Definition, v Viewer) bool {
	switch {
	case d.Meta.AppOnly():
		return v.Views
	case !s.lean, d.Meta.Tier == Core, slices.Contains(s.extra, d.Name), slices.Contains(v.Shown, d.Name):
		return true
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.shown[d.Name]
}

// Show makes tools seen by every session and gives those that were not shown before.
func (s *Surface) Show(names ...string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	fresh := []string{}
	for _, n := range names {
		if !s.shown[n] {
			s.shown[n] = true
			fresh = append(fresh, n)
		}
	}
	return fresh
}

// Hide undoes Show and gives those that were shown.
func (s *Surface) Hide(names ...string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	gone := []string{}
	for _, n := range names {
		if s.shown[n] {
			delete(s.shown, n)
			gone = append(gone, n)
		}
	}
	return gone
}

// Size is how long a list of tools is.
type Size struct {
	Tools int `json:"tools"`
	Bytes int `json:"bytes"`
	// Tokens are estimates: a quarter of the characters, and 1.3 for each word.
	CharTokens int `json:"tokens_by_chars"`
	WordTokens int `json:"tokens_by_words"`
}

// Measure gives the size of a list as tools/list sends it, with or without the schemas of results.
func Measure(defs []*Definition, outputs bool) Size {
	list := []wire{}
	for _, d := range defs {
		list = append(list, d.wire(outputs))
	}
	text, err := json.Marshal(list)
	if err != nil {
		return Size{Tools: len(defs)}
	}
	return Size{Tools: len(defs), Bytes: len(text), CharTokens: EstimateTokens(string(text)), WordTokens: 13 * len(strings.FieldsFunc(string(text), between)) / 10}
}

// EstimateTokens estimates the tokens of a text by its characters.
func EstimateTokens(text string) int { return (len([]rune(text)) + 3) / 4 }

// between says that a character of JSON separates words.
func between(r rune) bool { return strings.ContainsRune(" \n\t{}[]\":,", r) }

// wire is a tool as clients get it.
type wire struct {
	Name        string          `json:"name"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description"`
	Input       json.RawMessage `json:"inputSchema,omitempty"`
	Output      json.RawMessage `json:"outputSchema,omitempty"`
	Annotations struct {
		Title       string `json:"title,omitempty"`
		ReadOnly    bool   `json:"readOnlyHint"`
		Destructive bool   `json:"destructiveHint"`
		Idempotent  bool   `json:"idempotentHint"`
		OpenWorld   bool   `json:"openWorldHint"`
	} `json:"annotations"`
	Meta map[string]any `json:"_meta"`
}

func (d *Definition) wire(output bool) wire {
	h := d.Meta.Hints()
	w := wire{Name: d.Name, Title: d.Meta.Title, Description: d.Description, Input: d.Input, Meta: d.Meta.Wire()}
	w.Annotations.ReadOnly, w.Annotations.Destructive, w.Annotations.Idempotent, w.Annotations.OpenWorld = h.ReadOnly, h.Destructive, h.Idempotent, h.OpenWorld
	if output {
		w.Output = d.Output
	}
	return w
}

// Wire is what a definition's _meta says of the tool.
func (m *Meta) Wire() map[string]any {
	out := map[string]any{
		"cerebro/domain": m.Domain, "cerebro/tier": m.Tier, "cerebro/tags": m.Tags, "cerebro/risk": m.Risk,
	}
	if m.Deprecated != nil {
		out["cerebro/deprecated"] = map[string]string{"replacement": m.Deprecated.Replacement, "since": m.Deprecated.Since}
	}
	if m.AppOnly() {
		out["ui"] = map[string]any{"visibility": []string{"app"}}
	}
	return out
}
