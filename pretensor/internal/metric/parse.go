package metric

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
	"github.com/quartet-mcp/quartet/mcpkit/nearest"
)

// Limits of the text.
const (
	MaxSize     = 1 << 20 // bytes
	maxProblems = 20      // that are reported
	maxOpen     = 100     // brackets that are open at once, in texts and comments too
	maxKeys     = 1000    // of one mapping
	maxNesting  = 50      // of mappings and lists; the grammar itself needs ten
	maxValues   = 200_000 // that are read, those of aliases each time they are used
	maxQuoted   = 80      // bytes of a value in a message
)

// Parse reads a semantic layer. The error is an [*Error] of [ParseFailed].
func Parse(text string) (*Layer, error) {
	d := &decoder{anchors: map[string]ast.Node{}}
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
	anchors  map[string]ast.Node
	problems []*Error
	values   int
	full     bool // there were too many values; what is left is not read
}

// fail notes a fault of a value.
func (d *decoder) fail(n ast.Node, path, format string, a ...any) {
	d.note(start(n), &Error{Message: fmt.Sprintf(format, a...), Path: path})
}

// note notes a fault at a token, which may be nil.
func (d *decoder) note(at *token.Token, e *Error) {
	e.Code = ParseFailed
	if e.Candidates == nil {
		e.Candidates = []string{}
	}
	if at != nil && at.Position != nil {
		e.Line, e.Column = at.Position.Line, at.Position.Column
	}
	d.problems = append(d.problems, e)
}

// start is the first token of a value.
func start(n ast.Node) *token.Token {
	switch x := n.(type) {
	case nil:
		return nil
	case *ast.MappingNode:
		if len(x.Values) > 0 && !x.IsFlowStyle {
			return start(x.Values[0])
		}
	case *ast.MappingValueNode:
		return start(x.Key)
	}
	return n.GetToken()
}

// document is the only document of a text; nil where there is none.
func (d *decoder) document(text string) (body ast.Node) {
	if len(text) > MaxSize {
		d.fail(nil, "", "the YAML has %d bytes, at most %d are read", len(text), MaxSize)
		return nil
	}
	if tooOpen(text) {
		d.fail(nil, "", "more than %d brackets are opened and not closed", maxOpen)
		return nil
	}
	defer func() {
		// The parser is not ours; what it cannot digest is an error of the text.
		if recover() != nil {
			d.fail(nil, "", "this is not YAML")
			body = nil
		}
	}()
	tokens := lexer.Tokenize(text)
	if t, message := tooMuch(tokens); t != nil {
		d.note(t, &Error{Message: message})
		return nil
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		var placed interface {
			GetMessage() string
			GetToken() *token.Token
		}
		if errors.As(err, &placed) {
			d.note(placed.GetToken(), &Error{Message: "this is not YAML: " + placed.GetMessage()})
		} else {
			d.note(nil, &Error{Message: "this is not YAML"})
		}
		return nil
	}
	for _, doc := range file.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.DirectiveType || doc.Body.Type() == ast.CommentType {
			continue
		}
		if body != nil {
			d.fail(doc.Body, "", "one document is allowed, this is the second")
			return nil
		}
		body = doc.Body
	}
	if body == nil {
		d.fail(nil, "", "the YAML is empty; it needs domains with entities and metrics")
		return nil
	}
	ast.Walk(anchors(d.anchors), body)
	return body
}

// tooOpen reports whether brackets, wherever they stand, are nested deeper than the
// tokenizer can take: its memory grows with the square of the depth.
func tooOpen(text string) bool {
	open := 0
	for i := range len(text) {
		switch text[i] {
		case '[', '{':
			if open++; open > maxOpen {
				return true
			}
		case ']', '}':
			open = max(0, open-1)
		}
	}
	return false
}

// tooMuch finds the token at which a text is nested deeper, or has more keys in one
// mapping, than anything of the grammar, and says so. The parser recurses, and a
// stack that is full ends the process; its time grows with the square of the keys.
func tooMuch(tokens token.Tokens) (*token.Token, string) {
	const deep = "this is nested too deeply"
	type mapping struct{ column, keys int }
	var flow []int      // of each open bracket, the entries of a mapping so far; -1 of a list
	var block []mapping // that are open, outside of brackets
	run := 0
	for _, t := range tokens {
		at := t.Position
		if at == nil {
			continue
		}
		leave := func(column int) {
			for len(block) > 0 && block[len(block)-1].column > column {
				block = block[:len(block)-1]
			}
		}
		switch t.Type {
		case token.MappingStartType:
			flow = append(flow, 0)
		case token.SequenceStartType:
			flow = append(flow, -1)
		case token.MappingEndType, token.SequenceEndType:
			flow = flow[:max(0, len(flow)-1)]
		case token.CollectEntryType:
			if n := len(flow) - 1; n >= 0 && flow[n] >= 0 {
				if flow[n]++; flow[n] > maxKeys {
					return t, fmt.Sprintf("a mapping has more than %d keys", maxKeys)
				}
			}
		case token.SequenceEntryType, token.MappingKeyType, token.TagType, token.AnchorType, token.MappingValueType:
			// Each of these can open a level; a value ends the run of them.
			run++
			switch {
			case len(flow) > 0:
			case t.Type == token.SequenceEntryType:
				leave(at.Column)
			case t.Type == token.MappingValueType && t.Prev != nil && t.Prev.Position != nil:
				column := t.Prev.Position.Column
				leave(column)
				if n := len(block) - 1; n < 0 || block[n].column < column {
					block = append(block, mapping{column, 0})
				}
				m := &block[len(block)-1]
				if m.keys++; m.keys > maxKeys {
					return t, fmt.Sprintf("a mapping has more than %d keys", maxKeys)
				}
			}
		default:
			if at.IndentLevel > maxNesting {
				return t, deep
			}
			if t.Next == nil || t.Next.Type != token.MappingValueType {
				run = 0
			}
		}
		if len(flow) > maxNesting || run > 2*maxNesting {
			return t, deep
		}
	}
	return nil, ""
}

type anchors map[string]ast.Node

// Visit remembers the anchors, for the aliases that stand for them.
func (a anchors) Visit(n ast.Node) ast.Visitor {
	if x, ok := n.(*ast.AnchorNode); ok {
		a[x.Name.String()] = x.Value
	}
	return a
}

// plain takes tags, anchors and aliases away; nil where nothing is left.
func (d *decoder) plain(n ast.Node, path string) ast.Node {
	for range maxNesting {
		switch x := n.(type) {
		case *ast.AnchorNode:
			n = x.Value
		case *ast.TagNode:
			n = x.Value
		case *ast.AliasNode:
			target, ok := d.anchors[x.Value.String()]
			if !ok {
				d.fail(x, path, "the alias has no anchor")
				return nil
			}
			n = target
		default:
			return n
		}
	}
	d.fail(n, path, "aliases go round in circles")
	return nil
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
	var pairs []*ast.MappingValueNode
	plain := d.plain(n, path)
	switch x := plain.(type) {
	case nil:
		return
	case *ast.MappingNode:
		pairs = x.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{x}
	default:
		d.fail(x, path, "this must be a mapping of keys to values")
		return
	}
	known := make([]string, 0, len(keys))
	for k := range keys {
		known = append(known, k)
	}
	slices.Sort(known)
	seen := map[string]bool{}
	for _, p := range pairs {
		key := keyText(p)
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
			d.note(start(p.Key), &Error{Message: message, Path: at, Candidates: near})
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

// keyText is a key as it is meant, without quotes.
func keyText(p *ast.MappingValueNode) string {
	var key ast.Node = p.Key
	if m, ok := key.(*ast.MappingKeyNode); ok {
		key = m.Value
	}
	if key == nil || key.GetToken() == nil {
		return ""
	}
	return key.GetToken().Value
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
	switch x := d.plain(n, path).(type) {
	case *ast.StringNode:
		return x.Value, true
	case *ast.LiteralNode:
		return x.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return x.GetToken().Value, true
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
			d.note(start(n), &Error{Path: path, Candidates: nearest.Find(s, words, 3),
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
	if at := start(d.plain(n, path)); at != nil && at.Position != nil {
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
