// Package yamldoc reads the one YAML document of a text into nodes that know their
// places. Texts come from strangers and the parser underneath is not ours: its
// memory grows with the square of the brackets that are open, its time with the
// square of the keys of a mapping, and it recurses. A text is therefore held
// against bounds before it is parsed, and a panic is an error of the text.
package yamldoc

import (
	"errors"
	"fmt"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Limits of a text.
const (
	MaxSize    = 1 << 20 // bytes
	MaxNesting = 50      // of mappings and lists, and of aliases of aliases
	maxOpen    = 100     // brackets that are open at once, in texts and comments too
	maxKeys    = 1000    // of one mapping
)

// Error says what is wrong with a text and where: line and column begin with 1, and
// are 0 where the whole text is meant.
type Error struct {
	Message      string
	Line, Column int
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Message
	}
	return fmt.Sprintf("%s (line %d, column %d)", e.Message, e.Line, e.Column)
}

func fault(at *token.Token, message string) *Error {
	e := &Error{Message: message}
	if at != nil && at.Position != nil {
		e.Line, e.Column = at.Position.Line, at.Position.Column
	}
	return e
}

// Document is the document of a text.
type Document struct {
	Body    ast.Node // nil where there is none
	anchors anchors
}

// Parse reads a text. A key that stands twice in a mapping is no error here; who
// reads the mapping has to look.
func Parse(text string) (doc *Document, err *Error) {
	if len(text) > MaxSize {
		return nil, &Error{Message: fmt.Sprintf("the YAML has %d bytes, at most %d are read", len(text), MaxSize)}
	}
	if tooOpen(text) {
		return nil, &Error{Message: fmt.Sprintf("more than %d brackets are opened and not closed", maxOpen)}
	}
	defer func() {
		if recover() != nil {
			doc, err = nil, &Error{Message: "this is not YAML"}
		}
	}()
	tokens := lexer.Tokenize(text)
	if t, message := tooMuch(tokens); t != nil {
		return nil, fault(t, message)
	}
	file, failure := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if failure != nil {
		// Its own text comes with an excerpt of ours, which may hold a secret.
		var placed interface {
			GetMessage() string
			GetToken() *token.Token
		}
		if !errors.As(failure, &placed) {
			return nil, &Error{Message: "this is not YAML"}
		}
		return nil, fault(placed.GetToken(), "this is not YAML: "+placed.GetMessage())
	}
	doc = &Document{anchors: anchors{}}
	for _, d := range file.Docs {
		if d.Body == nil || d.Body.Type() == ast.DirectiveType || d.Body.Type() == ast.CommentType {
			continue
		}
		if doc.Body != nil {
			return nil, fault(Start(d.Body), "one document is allowed, this is the second")
		}
		doc.Body = d.Body
	}
	if doc.Body != nil {
		ast.Walk(doc.anchors, doc.Body)
	}
	return doc, nil
}

// Plain takes tags, anchors and aliases away; nil where nothing is left, with an
// error if that is a fault.
func (d *Document) Plain(n ast.Node) (ast.Node, *Error) {
	for range MaxNesting {
		switch x := n.(type) {
		case *ast.AnchorNode:
			n = x.Value
		case *ast.TagNode:
			n = x.Value
		case *ast.AliasNode:
			target, ok := d.anchors[x.Value.String()]
			if !ok {
				return nil, fault(Start(x), "the alias has no anchor")
			}
			n = target
		default:
			return n, nil
		}
	}
	return nil, fault(Start(n), "aliases go round in circles")
}

// Pairs are the pairs of a mapping, and false of anything else; n is plain.
func Pairs(n ast.Node) ([]*ast.MappingValueNode, bool) {
	switch x := n.(type) {
	case *ast.MappingNode:
		return x.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{x}, true
	}
	return nil, false
}

// Scalar is the text of a single value as it is written, and false of nothing, a
// mapping or a list; n is plain.
func Scalar(n ast.Node) (string, bool) {
	switch x := n.(type) {
	case *ast.StringNode:
		return x.Value, true
	case *ast.LiteralNode:
		return x.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return x.GetToken().Value, true
	}
	return "", false
}

// Start is the first token of a value.
func Start(n ast.Node) *token.Token {
	switch x := n.(type) {
	case nil:
		return nil
	case *ast.MappingNode:
		if len(x.Values) > 0 && !x.IsFlowStyle {
			return Start(x.Values[0])
		}
	case *ast.MappingValueNode:
		return Start(x.Key)
	}
	return n.GetToken()
}

// Key is a key as it is meant, without quotes.
func Key(p *ast.MappingValueNode) string {
	var key ast.Node = p.Key
	if m, ok := key.(*ast.MappingKeyNode); ok {
		key = m.Value
	}
	if key == nil || key.GetToken() == nil {
		return ""
	}
	return key.GetToken().Value
}

type anchors map[string]ast.Node

// Visit remembers the anchors, for the aliases that stand for them.
func (a anchors) Visit(n ast.Node) ast.Visitor {
	if x, ok := n.(*ast.AnchorNode); ok {
		a[x.Name.String()] = x.Value
	}
	return a
}
