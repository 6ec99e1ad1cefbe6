package yamlsrc

import (
	"fmt"

	"go.yaml.in/yaml/v4"

	"github.com/quartet-mcp/quartet/ptah/internal/source/declare"
)

// spec reads a declaration: its keys, and the parts that it has under some of them. ok is
// false, with a problem, if it is none.
func (r *reader) spec(s section, e entry, owner string) (spec *declare.Spec, parts map[string]entry, ok bool) {
	n, ok := r.resolve(e.value)
	if !ok {
		return nil, nil, false
	}
	title := s.kind.Name
	switch {
	case e.key == "":
	case owner != "":
		title = fmt.Sprintf("%s %.80q of table %.80q", title, e.key, owner)
	default:
		title = fmt.Sprintf("%s %.80q", title, e.key)
	}
	spec = r.NewSpec(s.kind, r.at(e.line), title)
	if s.kind == declare.Field {
		spec.Owner = owner
	}
	entries := []entry{}
	switch {
	case isNull(n):
	case n.Kind == yaml.SequenceNode && s.list != "":
		entries = append(entries, entry{key: s.list, line: e.line, value: n})
	default:
		if entries, ok = r.mapping(n, title); !ok {
			return nil, nil, false
		}
	}
	r.name(spec, s, e, entries)
	parts = map[string]entry{}
	for _, e := range entries {
		if e.key == "platform" || e.key == "overrides" {
			if old, twice := parts["platform"]; twice {
				spec.Fail(e.line, "SRC003", "has both %q and %q, which are the same; give one", old.key, e.key)
				continue
			}
			parts["platform"] = e
			r.overrides(spec, e)
			continue
		}
		a := spec.Attr(e.line, e.key)
		if a == nil {
			continue
		}
		if a.Type != declare.Section {
			r.set(spec, a, e, func(raw declare.Raw) { spec.Set(e.key, raw) })
			continue
		}
		spec.Set(e.key, declare.Raw{Line: e.line})
		if _, twice := parts[a.Name]; !twice {
			parts[a.Name] = e
		}
	}
	return spec, parts, true
}

// name gives a declaration the name that it stands under, unless it has one of its own.
func (r *reader) name(spec *declare.Spec, s section, e entry, entries []entry) {
	if s.self == "" || e.key == "" {
		return
	}
	for _, own := range entries {
		if own.key == s.self {
			return
		}
	}
	spec.Set(s.self, declare.Raw{Line: e.line, Text: e.key, Form: declare.Quoted})
}

// overrides reads what is different in single dialects.
func (r *reader) overrides(spec *declare.Spec, e entry) {
	dialects, _ := r.mapping(e.value, e.key)
	for _, d := range dialects {
		keys, _ := r.mapping(d.value, e.key+" of "+d.key)
		for _, e := range keys {
			if a := spec.Attr(e.line, e.key); a != nil {
				r.set(spec, a, e, func(raw declare.Raw) { spec.SetFor(d.key, e.key, raw) })
			}
		}
	}
}

// set reads the value of an attribute and passes it on.
func (r *reader) set(spec *declare.Spec, a *declare.Attr, e entry, pass func(declare.Raw)) {
	n, ok := r.resolve(e.value)
	if !ok {
		return
	}
	raw := declare.Raw{Line: e.line}
	switch n.Kind {
	case yaml.ScalarNode:
		raw.Text, raw.Form = n.Value, form(n)
	case yaml.SequenceNode:
		raw.List, raw.Form = []string{}, declare.Listed
		for _, item := range n.Content {
			item, ok := r.resolve(item)
			if !ok {
				return
			}
			if item.Kind != yaml.ScalarNode || isNull(item) {
				spec.Fail(item.Line, "SRC003", "has a bad %q: its list holds texts and nothing else", e.key)
				return
			}
			raw.List = append(raw.List, item.Value)
		}
	default:
		pairs, ok := r.mapping(n, e.key)
		if !ok {
			return
		}
		if a.Type != declare.Pairs {
			spec.Fail(e.line, "SRC003", "has a bad %q: it is one value or a list, not a mapping", e.key)
			return
		}
		raw.List, raw.Form = []string{}, declare.Listed
		for _, p := range pairs {
			value, ok := r.resolve(p.value)
			if !ok {
				return
			}
			if value.Kind != yaml.ScalarNode || isNull(value) {
				spec.Fail(p.line, "SRC003", "has a bad %q: %.80q leads to a text and nothing else", e.key, p.key)
				return
			}
			raw.List = append(raw.List, p.key+a.Sep+value.Value)
		}
	}
	pass(raw)
}

// form is how a scalar is written.
func form(n *yaml.Node) declare.Form {
	switch {
	case isNull(n):
		return declare.Null
	case n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return declare.Quoted
	}
	return declare.Plain
}
