package mcpkit

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Tool describes one tool and is meant to be written as a literal. In is a
// struct of the arguments, Out of the result; their json tags give the names,
// their jsonschema tags the descriptions. A field with omitempty, omitzero or
// a pointer type is optional, and a null or absent argument leaves it zero.
type Tool[In, Out any] struct {
	Name        string
	Title       string
	Description string // when to use the tool, what comes back, limits; ≤ 700 characters
	Hints       Hints
	Meta        map[string]any // the _meta of the definition

	// OutOfRange says what happens to a number outside the minimum and
	// maximum that the schema states.
	OutOfRange OutOfRange

	// Uninterruptible marks a tool whose running calls are waited for at the
	// end of the server, beyond [Limits].Drain.
	Uninterruptible bool

	// Refine edits the schemas inferred from In and Out: defaults, ranges,
	// enums. It runs once, at start-up. Nil leaves them as they are.
	Refine func(in, out *jsonschema.Schema)

	// Handle does the work. It may run many times at once. Its context ends
	// when the caller cancels, or [Limits].Call has passed.
	Handle func(ctx context.Context, in In) (Out, error)
}

// Hints tell clients how careful to be with a tool. All four are always sent.
type Hints struct {
	ReadOnly    bool // changes nothing
	Destructive bool // may take away what was there
	Idempotent  bool // calling again with the same arguments changes nothing more
	OpenWorld   bool // reaches beyond this server
}

// OutOfRange says what happens to a number outside its stated range.
type OutOfRange int

const (
	// Refuse answers with an error that names the range.
	Refuse OutOfRange = iota
	// Clamp takes the nearest bound and warns, category "clamped".
	Clamp
	// Cap takes a number above the maximum as the maximum, without a word,
	// and refuses one below the minimum.
	Cap
)

// Finisher is a result that learns how long its call took: from the reading of
// the request to the start of encoding. Finish is called once, on a pointer to
// the result, after the handler returned without an error.
type Finisher interface{ Finish(elapsed time.Duration) }

// Texter is a result with a text of its own, which takes the place of the JSON
// in the text block.
type Texter interface{ ToolText() string }

// Add registers a tool. It panics when the definition is not usable: a bad or
// duplicate name, no description, no handler, a schema that [CheckSchema]
// refuses. These are mistakes of the program, found at its first start.
func Add[In, Out any](s *Server, t Tool[In, Out]) {
	if slices.Contains(s.tools, t.Name) {
		panic(fmt.Sprintf("mcpkit: tool %q is added twice", t.Name))
	}
	in, out := inferSchema[In](), inferSchema[Out]()
	if t.Refine != nil {
		t.Refine(in, out)
	}
	def := &mcp.Tool{
		Name: t.Name, Title: t.Title, Description: t.Description, Meta: t.Meta,
		InputSchema: in, OutputSchema: out,
		Annotations: &mcp.ToolAnnotations{
			ReadOnlyHint: t.Hints.ReadOnly, DestructiveHint: &t.Hints.Destructive,
			IdempotentHint: t.Hints.Idempotent, OpenWorldHint: &t.Hints.OpenWorld,
		},
	}
	if s.opts.NoOutputSchemas {
		def.OutputSchema = nil
	}
	s.tools = append(s.tools, t.Name)
	s.sdk.AddTool(def, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		start := time.Now()
		var args In
		dec := json.NewDecoder(bytes.NewReader(req.Params.Arguments))
		dec.DisallowUnknownFields()
		if len(req.Params.Arguments) > 0 {
			if err := dec.Decode(&args); err != nil {
				return errorResult(Errorf(InvalidArgument, "reading arguments: %w", err)), nil
			}
		}
		res, err := t.Handle(ctx, args)
		if err != nil {
			return errorResult(err), nil
		}
		if f, ok := any(&res).(Finisher); ok {
			f.Finish(time.Since(start))
		}
		data, err := json.Marshal(res)
		if err != nil {
			return nil, err
		}
		return &mcp.CallToolResult{
			Content:           []mcp.Content{&mcp.TextContent{Text: string(data)}},
			StructuredContent: json.RawMessage(data),
		}, nil
	})
}

func errorResult(err error) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: err.Error()}}}
}

func inferSchema[T any]() *jsonschema.Schema {
	s, err := jsonschema.For[T](nil)
	if err != nil {
		panic("mcpkit: " + err.Error())
	}
	return s
}
