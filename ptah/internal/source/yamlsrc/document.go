package yamlsrc

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"
)

const (
	maxDepth    = 100    // of mappings and lists in one another; a schema needs eight
	maxExpanded = 10_000 // nodes that aliases stand for
)

// entry is a key of a mapping and its value.
type entry struct {
	key   string
	line  int
	value *yaml.Node
}

var null = yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// document parses a text and returns its one document; ok is false, with a problem, if
// it cannot be read. Texts come from strangers: whatever the parser makes of them, it
// ends as a problem.
func (r *reader) document(text string) (root *yaml.Node, ok bool) {
	defer func() {
		if recover() != nil {
			r.Problem(r.at(0), "SRC002", "", "this is not YAML")
			root, ok = nil, false
		}
	}()
	loader, err := yaml.NewLoader(strings.NewReader(text), yaml.WithPlugin(loaderlimits.New(loaderlimits.DepthValue(maxDepth))))
	if err != nil {
		panic(err) // the options are ours
	}
	var first, second yaml.Node
	if err := loader.Load(&first); errors.Is(err, io.EOF) {
		return &null, true
	} else if err != nil {
		r.broken(err)
		return nil, false
	}
	switch err := loader.Load(&second); {
	case err == nil:
		r.Problem(r.at(second.Line), "SRC002", "", "one document is allowed, this is the second")
		return nil, false
	case !errors.Is(err, io.EOF):
		r.broken(err)
		return nil, false
	}
	if first.Kind != yaml.DocumentNode || len(first.Content) != 1 {
		return &null, true
	}
	return first.Content[0], r.boundAliases(first.Content[0])
}

// broken reports a text that is no YAML. The parser's message has no part of the text.
func (r *reader) broken(err error) {
	var at *yaml.LoadError
	if !errors.As(err, &at) {
		r.Problem(r.at(0), "SRC002", "", "this is not YAML")
		return
	}
	message := at.Message
	if at.ContextMsg != "" {
		message = at.ContextMsg + ": " + message
	}
	r.Problem(r.at(at.Mark.Line), "SRC002", "", "this is not YAML: %s", message)
}

// boundAliases refuses a document whose aliases stand for too much, or for themselves.
func (r *reader) boundAliases(root *yaml.Node) bool {
	sizes := map[*yaml.Node]int{} // of what anchors name; -1 while it is being counted
	expanded := 0
	var size func(n *yaml.Node) (nodes int, wrong string, line int)
	size = func(n *yaml.Node) (int, string, int) {
		if n.Kind == yaml.AliasNode {
			of, known := sizes[n.Alias]
			switch {
			case !known || of < 0:
				return 0, "the alias stands for itself", n.Line
			case expanded+of > maxExpanded:
				return 0, fmt.Sprintf("aliases stand for more than %d nodes", maxExpanded), n.Line
			}
			expanded += of
			return of, "", 0
		}
		if n.Anchor != "" {
			sizes[n] = -1
		}
		nodes := 1
		for _, part := range n.Content {
			of, wrong, line := size(part)
			if wrong != "" {
				return 0, wrong, line
			}
			nodes += of
		}
		if n.Anchor != "" {
			sizes[n] = nodes
		}
		return nodes, "", 0
	}
	_, wrong, line := size(root)
	if wrong != "" {
		r.Problem(r.at(line), "SRC002", "", "%s", wrong)
	}
	return wrong == ""
}

// tags are those that a value may be marked with.
var tags = []string{"!!str", "!!int", "!!float", "!!bool", "!!null", "!!map", "!!seq", "!"}

// resolve follows aliases; ok is false, with a problem, for a value with a tag of its own.
func (r *reader) resolve(n *yaml.Node) (plain *yaml.Node, ok bool) {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Style&yaml.TaggedStyle != 0 && !slices.Contains(tags, n.Tag) {
		r.refuse(n.Line, "the tag %.80q is not known", n.Tag)
		return nil, false
	}
	return n, true
}

// mapping returns the entries of a mapping; of nothing there are none. ok is false, with a
// problem in which the mapping is called what, if it is something else. A key that stands
// twice counts once.
func (r *reader) mapping(n *yaml.Node, what func() string) (entries []entry, ok bool) {
	n, ok = r.resolve(n)
	if !ok || isNull(n) {
		return nil, ok
	}
	if n.Kind != yaml.MappingNode {
		r.refuse(n.Line, "%s is a mapping of keys to values, not %s", what(), kindName(n))
		return nil, false
	}
	entries = make([]entry, 0, len(n.Content)/2)
	var seen map[string]bool
	if len(n.Content) > 40 {
		seen = make(map[string]bool, len(n.Content)/2)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, ok := r.resolve(n.Content[i])
		line := n.Content[i].Line
		switch {
		case !ok:
		case key.Kind != yaml.ScalarNode || isNull(key):
			r.refuse(line, "%s has a key that is no text", what())
		case key.Tag == "!!merge":
			r.refuse(line, "%s merges another mapping with <<, which is not read; write its keys out, or use an alias for a whole value", what())
		case seen[key.Value] || seen == nil && slices.ContainsFunc(entries, func(e entry) bool { return e.key == key.Value }):
			r.refuse(line, "%s has the key %.80q twice", what(), key.Value)
		default:
			if seen != nil {
				seen[key.Value] = true
			}
			entries = append(entries, entry{key.Value, line, n.Content[i+1]})
		}
	}
	return entries, true
}

// quoted is a name for messages.
func quoted(key string) func() string { return func() string { return fmt.Sprintf("%.80q", key) } }

func kindName(n *yaml.Node) string {
	if n.Kind == yaml.SequenceNode {
		return "a list"
	}
	return "a single value"
}
