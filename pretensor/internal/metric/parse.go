package metric

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/quartet-mcp/quartet/mcpkit/nearest"
	"github.com/quartet-mcp/quartet/pretensor/internal/yamldoc"
)

// Limits of the text, beside those of yamldoc.
const (
	maxProblems = 20      // that are reported
	maxValues   = 200_000 // that are read, those of aliases each time they are used
	maxQuoted   = 80      // bytes of a value in a message
)

// Parse reads a semantic layer. The error is an [*Error] of [ParseFailed].
func Parse(text string) (*Layer, error) {
	d := &decoder{}
	l := &Layer{}
	if body := d.document(text); body != nil {
		d.layer(body, l)
	}
	if len(d.problems) == 0 {
		return l, nil
	}
	slices.SortStableFunc(d.problems, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	first := *d.problems[0]
	first.Problems = d.problems[:min(len(d.problems), maxProblems)]
	return nil, &first
}

// decoder reads one text and collects what is wrong with it.
type decoder struct {
	doc      *yamldoc.Document
	problems []*Error
	values   int
	full     bool // there were too many values; what is left is not read
}

// fail notes a fault of a value.
func (d *decoder) fail(n ast.Node, path, format string, a ...any) {
	d.note(n, &Error{Message: fmt.Sprintf(format, a...), Path: path})
}

// note notes a fault of a value, which may be nil.
func (d *decoder) note(n ast.Node, e *Error) {
	if at := yamldoc.Start(n); at != nil && at.Position != nil {
		e.Line, e.Column = at.Position.Line, at.Position.Column
	}
	d.add(e)
}

// fault notes a fault of the YAML.
func (d *decoder) fault(err *yamldoc.Error, path string) {
	d.add(&Error{Message: err.Message, Path: path, Line: err.Line, Column: err.Column})
}

func (d *decoder) add(e *Error) {
	e.Code = ParseFailed
	if e.Candidates == nil {
		e.Candidates = []string{}
	}
	d.problems = append(d.problems, e)
}

// document is the only document of a text; nil where there is none.
func (d *decoder) document(text string) ast.Node {
	doc, err := yamldoc.Parse(text)
	switch {
	case err != nil:
		d.fault(err, "")
		return nil
	case doc.Body == nil:
		d.fail(nil, "", "the YAML is empty; it needs domains with entities and metrics")
		return nil
	}
	d.doc = doc
	return doc.Body
}

// plain takes tags, anchors and aliases away; nil where nothing is left.
func (d *decoder) plain(n ast.Node, path string) ast.Node {
	plain, err := d.doc.Plain(n)
	if err != nil {
		d.fault(err, path)
	}
	return plain
}

// room counts a value; aliases of aliases may stand for more than can be read.
func (d *decoder) room(n ast.Node, path string) bool {
	if d.values++; d.values > maxValues && !d.full {
		d.full = true
		d.fail(n, path, "there are more than %d values", maxValues)
	}
	return !d.full
}

// A reader reads a value; path is where it stands.
type reader func(n ast.Node, path string)

// mapping reads a mapping by its keys; those of required must be there.
func (d *decoder) mapping(n ast.Node, path string, required []string, keys map[string]reader) {
	if !d.room(n, path) {
		return
	}
	plain := d.plain(n, path)
	if plain == nil {
		return
	}
	pairs, ok := yamldoc.Pairs(plain)
	if !ok {
		d.fail(plain, path, "this must be a mapping of keys to values")
		return
	}
	known := make([]string, 0, len(keys))
	for k := range keys {
		known = append(known, k)
	}
	slices.Sort(known)
	seen := map[string]bool{}
	for _, p := range pairs {
		key := yamldoc.Key(p)
		at := join(path, quotable(key))
		read, ok := keys[key]
		switch {
		case seen[key]:
			d.fail(p.Key, at, "the key stands here a second time")
		case !ok:
			near := nearest.Find(key, known, 3)
			message := "unknown key; known are " + strings.Join(known, ", ")
			if len(near) > 0 {
				message = fmt.Sprintf("unknown key; did you mean %q?", near[0])
			}
			d.note(p.Key, &Error{Message: message, Path: at, Candidates: near})
		default:
			read(p.Value, at)
		}
		seen[key] = true
	}
	for _, key := range required {
		if !seen[key] {
			d.fail(plain, join(path, key), "this key is required")
		}
	}
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// list reads the items of a list; null is an empty one.
func (d *decoder) list(item reader) reader {
	return func(n ast.Node, path string) {
		switch x := d.plain(n, path).(type) {
		case nil, *ast.NullNode:
		case *ast.SequenceNode:
			for i, v := range x.Values {
				if !d.room(v, path) {
					return
				}
				item(v, path+"["+strconv.Itoa(i)+"]")
			}
		default:
			d.fail(n, path, "this must be a list")
		}
	}
}

// scalar is the text of a single value; false for none, which it reports.
func (d *decoder) scalar(n ast.Node, path string) (string, bool) {
	if !d.room(n, path) {
		return "", false
	}
	plain := d.plain(n, path)
	if s, ok := yamldoc.Scalar(plain); ok {
		return s, true
	}
	switch plain.(type) {
	case nil:
		return "", false
	case *ast.NullNode:
		d.fail(n, path, "this is empty")
		return "", false
	}
	d.fail(n, path, "this must be a single value, not a list or mapping")
	return "", false
}

// text reads a text that must not be empty; blanks around it do not count.
func (d *decoder) text(into *string) reader {
	return func(n ast.Node, path string) {
		s, ok := d.scalar(n, path)
		if *into = strings.TrimSpace(s); ok && *into == "" {
			d.fail(n, path, "this is empty")
		}
	}
}

func (d *decoder) texts(into *[]string) reader {
	return d.list(func(n ast.Node, path string) {
		var s string
		if d.text(&s)(n, path); s != "" {
			*into = append(*into, s)
		}
	})
}

// oneOf reads one of a few words.
func (d *decoder) oneOf(into *string, words []string) reader {
	return func(n ast.Node, path string) {
		s, ok := d.scalar(n, path)
		if !ok {
			return
		}
		if *into = s; !slices.Contains(words, s) {
			d.note(n, &Error{Path: path, Candidates: nearest.Find(s, words, 3),
				Message: fmt.Sprintf("this must be one of %s, got %q", strings.Join(words, ", "), quotable(s))})
		}
	}
}

// quotable shortens a text for a message.
func quotable(s string) string {
	if len(s) > maxQuoted {
		s = strings.ToValidUTF8(s[:maxQuoted], "") + "…"
	}
	return s
}

func (d *decoder) layer(n ast.Node, l *Layer) {
	any := func(ast.Node, string) {}
	d.mapping(n, "", []string{"domains"}, map[string]reader{
		"connection_name": d.text(&l.Connection),
		"domains":         d.list(func(n ast.Node, path string) { l.Domains = append(l.Domains, d.domain(n, path, l)) }),
		"format_defaults": func(n ast.Node, path string) {
			keys := map[string]reader{"chart_preferences": any}
			for _, t := range formatTypes {
				keys[t] = d.format(false)
			}
			d.mapping(n, path, nil, keys)
		},
	})
}

func (d *decoder) domain(n ast.Node, path string, l *Layer) (out Domain) {
	names := map[string]bool{}
	d.mapping(n, path, []string{"name", "description", "entities"}, map[string]reader{
		"name": d.text(&out.Name), "description": d.text(&out.Description),
		"entities": d.list(func(n ast.Node, path string) {
			e := d.entity(n, path)
			d.once(names, n, path, "entity", e.Name)
			out.Entities = append(out.Entities, e)
		}),
	})
	if slices.ContainsFunc(l.Domains, func(other Domain) bool { return other.Name == out.Name && out.Name != "" }) {
		d.fail(n, path+".name", "there is another domain %q", quotable(out.Name))
	}
	return out
}

// once refuses a name that was there before.
func (d *decoder) once(seen map[string]bool, n ast.Node, path, what, name string) {
	if seen[name] && name != "" {
		d.fail(n, path+".name", "there is another %s %q here", what, quotable(name))
	}
	seen[name] = true
}

func (d *decoder) entity(n ast.Node, path string) (out Entity) {
	attributes, metrics := map[string]bool{}, map[string]bool{}
	d.mapping(n, path, []string{"name", "description", "source_table"}, map[string]reader{
		"name": d.text(&out.Name), "description": d.text(&out.Description), "source_table": d.text(&out.SourceTable),
		"attributes": d.list(func(n ast.Node, path string) {
			var a Attribute
			d.mapping(n, path, []string{"name", "description"}, map[string]reader{
				"name": d.text(&a.Name), "description": d.text(&a.Description), "role": d.oneOf(&a.Role, roles),
				"source_column": d.text(&a.SourceColumn), "format_config": d.format(true),
			})
			d.once(attributes, n, path, "attribute", a.Name)
			a.SourceColumn = cmp.Or(a.SourceColumn, a.Name)
			out.Attributes = append(out.Attributes, a)
		}),
		"joins": d.list(func(n ast.Node, path string) {
			j := Join{Type: joinTypes[0]}
			d.mapping(n, path, []string{"to", "on"}, map[string]reader{
				"to": d.text(&j.To), "on": d.text(&j.On), "type": d.oneOf(&j.Type, joinTypes),
			})
			out.Joins = append(out.Joins, j)
		}),
		"metrics": d.list(func(n ast.Node, path string) {
			m := d.metric(n, path)
			d.once(metrics, n, path, "metric", m.Name)
			out.Metrics = append(out.Metrics, m)
		}),
	})
	return out
}

func (d *decoder) metric(n ast.Node, path string) Metric {
	m := Metric{Path: path}
	if at := yamldoc.Start(d.plain(n, path)); at != nil && at.Position != nil {
		m.Line, m.Column = at.Position.Line, at.Position.Column
	}
	d.mapping(n, path, []string{"name", "description", "type"}, map[string]reader{
		"name": d.text(&m.Name), "description": d.text(&m.Description), "type": d.oneOf(&m.Type, metricTypes),
		"field": d.text(&m.Field), "filters": d.texts(&m.Filters), "dimensions": d.texts(&m.Dimensions),
		"time_dimension": d.text(&m.TimeDimension), "granularity": d.oneOf(&m.Granularity, granularities),
		"numerator": d.text(&m.Numerator), "denominator": d.text(&m.Denominator), "expression": d.text(&m.Expression),
	})
	if m.Type == Count && m.Field == "*" {
		m.Field = ""
	}
	need := func(key, value string) {
		if value == "" {
			d.fail(n, path+"."+key, "this key is required for a metric of type %s", m.Type)
		}
	}
	switch m.Type {
	case CountDistinct, Sum, Average, Min, Max:
		need("field", m.Field)
	case Ratio:
		need("numerator", m.Numerator)
		need("denominator", m.Denominator)
	case Derived:
		need("expression", m.Expression)
	}
	if m.Granularity != "" && m.TimeDimension == "" && m.Type != Derived {
		d.fail(n, path+".time_dimension", "this key is required where there is a granularity")
	}
	return m
}

// format checks how values are to be shown, which SQL does not depend on.
func (d *decoder) format(typed bool) reader {
	return func(n ast.Node, path string) {
		var s string
		blank := func(n ast.Node, path string) { d.scalar(n, path) } // a separator may be a blank
		keys := map[string]reader{
			"symbol": blank, "thousands_separator": blank, "suffix": blank, "prefix": blank, "format_string": d.text(&s),
			"position": d.oneOf(&s, positions),
			"decimals": func(n ast.Node, path string) {
				text, ok := d.scalar(n, path)
				if v, err := strconv.Atoi(text); ok && (err != nil || v < 0 || v > 20) {
					d.fail(n, path, "this must be a whole number from 0 to 20, got %q", quotable(text))
				}
			},
		}
		var required []string
		if typed {
			required = []string{"format_type"}
			keys["format_type"] = d.oneOf(&s, formatTypes)
		}
		d.mapping(n, path, required, keys)
	}
}
