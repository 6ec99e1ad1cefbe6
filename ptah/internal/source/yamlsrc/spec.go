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
	var entries []entry
	spec = r.NewSpec(s.kind, r.at(e.line), len(n.Content)/2+1)
	spec.Key, spec.Owner = e.key, owner
	switch {
	case isNull(n):
	case n.Kind == yaml.SequenceNode && s.list != "":
		entries = append(entries, entry{key: s.list, line: e.line, value: n})
	default:
		if entries, ok = r.mapping(n, spec.Title); !ok {
			return nil, nil, false
		}
	}
	r.name(spec, s, e, entries)
	if s.kind == declare.Table {
		parts = map[string]entry{}
	}
	overrides := ""
	for _, e := range entries {
		if e.key == "platform" || e.key == "overrides" {
			if overrides != "" {
				spec.Fail(e.line, "SRC003", "has both %q and %q, which are the same; give one", overrides, e.key)
				continue
			}
			overrides = e.key
			r.overrides(spec, e)
			continue
		}
		if !s.kind.Has(e.key) && n.Style&yaml.FlowStyle != 0 && isNull(e.value) {
			spec.Fail(e.line, "SRC003", "has no key %.80q; between braces a comma ends a value, so a text with one stands in quotes", e.key)
			continue
		}
		a := spec.Attr(e.line, e.key)
		if a == nil {
			continue
		}
		spec.Set(e.key, r.raw(a, e))
		if _, twice := parts[a.Name]; !twice && a.Type == declare.Section {
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
	dialects, _ := r.mapping(e.value, quoted(e.key))
	for _, d := range dialects {
		keys, _ := r.mapping(d.value, func() string { return fmt.Sprintf("%q of %.80q", e.key, d.key) })
		for _, e := range keys {
			if a := spec.Attr(e.line, e.key); a != nil {
				spec.SetFor(d.key, e.key, r.raw(a, e))
			}
		}
	}
}

// raw reads the value of an attribute as it is written.
func (r *reader) raw(a *declare.Attr, e entry) declare.Raw {
	raw := declare.Raw{Line: e.line, Form: declare.Wrong}
	n, ok := r.resolve(e.value)
	switch {
	case !ok || a.Type == declare.Section:
	case n.Kind == yaml.ScalarNode:
		raw.Text, raw.Form = n.Value, form(n)
	case n.Kind == yaml.SequenceNode:
		list := []string{}
		for _, item := range n.Content {
			text, ok := r.text(item)
			if !ok {
				raw.Text = "its list holds texts and nothing else"
				return raw
			}
			list = append(list, text)
		}
		raw.List, raw.Form = list, declare.Listed
	case a.Type != declare.Pairs:
		raw.Text = "it is one value or a list, not a mapping"
	default:
		pairs, ok := r.mapping(n, quoted(e.key))
		if !ok {
			return raw
		}
		list := []string{}
		for _, p := range pairs {
			text, ok := r.text(p.value)
			if !ok {
				raw.Text = fmt.Sprintf("%.80q leads to a text and nothing else", p.key)
				return raw
			}
			list = append(list, p.key+a.Sep+text)
		}
		raw.List, raw.Form = list, declare.Listed
	}
	return raw
}

// text is the text of a scalar; ok is false for anything else.
func (r *reader) text(n *yaml.Node) (text string, ok bool) {
	n, ok = r.resolve(n)
	if !ok || n.Kind != yaml.ScalarNode || isNull(n) {
		return "", false
	}
	return n.Value, true
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
