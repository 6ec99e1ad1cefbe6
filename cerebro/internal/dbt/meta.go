package dbt

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Meta is the object `cerebro` below `meta` of a node, column, semantic model or
// metric. Values of another shape than asked for count as absent: meta is the
// author's, and a wrong one must not stop the server; [Meta.Odd] tells of them.
type Meta map[string]any

// The keys that the server reads.
const (
	MetaTier          = "quality_tier"
	MetaModule        = "module"
	MetaOwner         = "owner"
	MetaSynonyms      = "question_synonyms"
	MetaDimensions    = "allowed_dimensions"
	MetaGrains        = "supported_time_grains"
	MetaUnit          = "unit"
	MetaFormat        = "format"
	MetaRequireFilter = "require_filter"
	MetaRowScale      = "row_scale"
	MetaPrivacy       = "privacy"
	MetaRelationships = "relationships"
	MetaFreshness     = "freshness"
	MetaLabel         = "label"
)

var metaShapes = map[string]string{
	MetaTier: "string", MetaModule: "string", MetaOwner: "string", MetaSynonyms: "list", MetaDimensions: "list",
	MetaGrains: "list", MetaUnit: "string", MetaFormat: "string", MetaRequireFilter: "list", MetaRowScale: "number",
	MetaPrivacy: "string", MetaRelationships: "objects", MetaFreshness: "object", MetaLabel: "string",
}

// Text gives a string, empty when there is none.
func (m Meta) Text(key string) string { s, _ := m[key].(string); return s }

// Texts gives a list of strings; a single string is a list of one.
func (m Meta) Texts(key string) []string {
	switch v := m[key].(type) {
	case string:
		return []string{v}
	case []any:
		out := make([]string, 0, len(v))
		for _, e := range v {
			if s, ok := e.(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	return nil
}

// Number gives a number and whether there is one.
func (m Meta) Number(key string) (float64, bool) { f, ok := m[key].(float64); return f, ok }

// Object gives an object, nil when there is none.
func (m Meta) Object(key string) Meta { o, _ := m[key].(map[string]any); return o }

// Objects gives a list of objects.
func (m Meta) Objects(key string) []Meta {
	l, _ := m[key].([]any)
	var out []Meta
	for _, e := range l {
		if o, ok := e.(map[string]any); ok {
			out = append(out, o)
		}
	}
	return out
}

// Odd lists values that do not have the shape of their key, sorted by key.
func (m Meta) Odd() []string {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(m)) {
		want, known := metaShapes[key]
		if !known || m[key] == nil {
			continue
		}
		ok := false
		switch v := m[key].(type) {
		case string:
			ok = want == "string" || want == "list"
		case float64:
			ok = want == "number"
		case map[string]any:
			ok = want == "object"
		case []any:
			switch want {
			case "list":
				ok = len(m.Texts(key)) == len(v)
			case "objects":
				ok = len(m.Objects(key)) == len(v)
			}
		}
		if !ok {
			out = append(out, fmt.Sprintf("meta.cerebro.%s is not a %s", key, want))
		}
	}
	return out
}

// metaOf merges the places where dbt keeps meta: the node's own, and its config's, which wins.
func metaOf(raws ...json.RawMessage) (cerebro Meta, owner string) {
	for _, raw := range raws {
		var m struct {
			Owner   any             `json:"owner"`
			Cerebro json.RawMessage `json:"cerebro"`
		}
		if len(raw) == 0 || json.Unmarshal(raw, &m) != nil {
			continue
		}
		if s := ownerName(m.Owner); s != "" {
			owner = s
		}
		var c map[string]any
		if len(m.Cerebro) > 0 && json.Unmarshal(m.Cerebro, &c) == nil {
			if cerebro == nil {
				cerebro = Meta{}
			}
			maps.Copy(cerebro, c)
		}
	}
	if s := cerebro.Text(MetaOwner); s != "" {
		owner = s
	}
	return cerebro, owner
}

// ownerName reads a string, or the name or address of an object.
func ownerName(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case map[string]any:
		for _, k := range []string{"name", "email"} {
			switch s := v[k].(type) {
			case string:
				if s != "" {
					return s
				}
			case []any:
				if len(s) > 0 {
					if first, ok := s[0].(string); ok {
						return first
					}
				}
			}
		}
	}
	return ""
}
