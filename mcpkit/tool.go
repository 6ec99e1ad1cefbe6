package mcpkit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/quartet-mcp/quartet/mcpkit/internal/invariants"
)

// Tool describes one tool and is meant to be written as a literal.
//
// In is a struct of the arguments, Out of the result. Their json tags give the
// names and their jsonschema tags the descriptions; the tags default, enum,
// minimum, maximum, minLength, maxLength, minItems, maxItems and pattern mean
// what the keywords of JSON Schema mean. An argument is optional when its field
// has omitempty, omitzero, a default or a pointer type. An absent or null one
// takes the default that the schema states, else it leaves the field zero; a
// pointer field takes no default, so that nil tells "not given".
//
// A field of type any is a scalar among arguments, any JSON value in a result;
// a map[string]any or json.RawMessage in a result is an object of any shape;
// [Strings] is one string or a list of them. A type with a method
// JSONSchema() *jsonschema.Schema states its own schema.
//
// Out may implement [Finisher], [Texter] and [Cutter].
type Tool[In, Out any] struct {
	Name        string // ^[a-z][a-z0-9_]{0,39}$
	Title       string
	Description string // when to use the tool, what comes back, limits; at most 700 characters
	Hints       Hints
	Meta        map[string]any // the _meta of the definition

	// OutOfRange says what happens to a number outside the minimum and
	// maximum that the schema states.
	OutOfRange OutOfRange

	// Uninterruptible marks a tool whose running calls are waited for at the
	// end of the server beyond [Limits].Drain, until they return.
	Uninterruptible bool

	// Refine edits the schemas inferred from In and Out where tags do not
	// reach. It runs once, in [Add]. Nil leaves them as they are.
	Refine func(in, out *jsonschema.Schema)

	// Handle does the work. It may run many times at once. Its context ends
	// when the caller cancels or [Limits].Call has passed; Handle must return
	// soon after. A panic in it ends that call alone.
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
	// Clamp takes the nearest bound and warns, with the category "clamped"
	// and the name of the argument as the object.
	Clamp
	// Cap takes a number above the maximum as the maximum, without a word,
	// and refuses one below the minimum.
	Cap
)

// Finisher is a result that tells how long its call took. Finish is called
// once, on a pointer to the result, after the handler has returned without an
// error; elapsed runs from the reading of the request to the start of encoding.
type Finisher interface{ Finish(elapsed time.Duration) }

// Texter is a result with a text of its own, which takes the place of the JSON
// in the text block. The structured content stays what it is.
type Texter interface{ ToolText() string }

// Cutter is a result that can leave out rows. One that is longer than
// [Limits].Result is cut to fewer rows until it fits; a result that is no
// Cutter, or too long without any row, becomes an error of kind TooLarge.
type Cutter interface {
	// RowCount is how many rows the result has now.
	RowCount() int
	// CutRows keeps the first n rows, fewer than there are, and states in the
	// result's own fields how many exist and how to ask for less. It must not
	// change rows that other calls share.
	CutRows(n int)
}

var toolName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)

// maxDescription is the most characters a tool's description has.
const maxDescription = 700

// tool is a registered tool.
type tool struct {
	def     *mcp.Tool // never changed after Add; copies go out
	handler mcp.ToolHandler
}

// Add registers a tool; clients see tools in the order in which they were
// added. Call it before the server runs. It panics when the definition is not
// usable: a bad or duplicate name, no description or one that is too long, no
// handler, a type without a JSON form, a schema that [CheckSchema] refuses.
// These are mistakes of the program, found at its first start.
func Add[In, Out any](s *Server, t Tool[In, Out]) {
	fail := func(format string, args ...any) {
		panic(fmt.Sprintf("mcpkit: tool %q: %s", t.Name, fmt.Sprintf(format, args...)))
	}
	switch n := utf8.RuneCountInString(t.Description); {
	case !toolName.MatchString(t.Name):
		fail("the name does not match %s", toolName)
	case s.tool(t.Name) != nil:
		fail("it is added twice")
	case strings.TrimSpace(t.Description) == "":
		fail("it has no description")
	case n > maxDescription:
		fail("the description has %d characters, at most %d are allowed", n, maxDescription)
	case t.Handle == nil:
		fail("it has no handler")
	case t.OutOfRange < Refuse || t.OutOfRange > Cap:
		fail("OutOfRange %d is none of Refuse, Clamp and Cap", t.OutOfRange)
	}
	inType, outType := reflect.TypeFor[In](), reflect.TypeFor[Out]()
	if inType.Kind() != reflect.Struct {
		fail("the arguments are a %v, not a struct", inType)
	}
	in, out := inferSchema(inType, false), inferSchema(outType, true)
	if t.Refine != nil {
		t.Refine(in, out)
	}
	defaultsAreOptional(in)
	if err := errors.Join(CheckSchema(in)...); err != nil {
		fail("the input schema is not portable:\n%v", err)
	}
	if err := errors.Join(checkOutputSchema(out)...); err != nil {
		fail("the output schema is not portable:\n%v", err)
	}
	// Marshalled here and once: every list has the same bytes, and the schema
	// that is published cannot drift from the one that is checked.
	inJSON, err := json.Marshal(in)
	if err != nil {
		fail("encoding the input schema: %v", err)
	}
	outJSON, err := json.Marshal(out)
	if err != nil {
		fail("encoding the output schema: %v", err)
	}
	decoder, err := newDecoder(t.Name, inType, in, t.OutOfRange, s.opts.Trim)
	if err != nil {
		fail("the input schema: %v", err)
	}
	// The decoder has checked the defaults that it applies; this checks all.
	if _, err := in.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true}); err != nil {
		fail("the input schema: %v", err)
	}
	resolved, err := out.Resolve(nil)
	if err != nil {
		fail("the output schema: %v", err)
	}

	if t.Uninterruptible {
		s.uninterruptible[t.Name] = true
	}
	run := runner[In, Out]{server: s, tool: t, decoder: decoder, output: resolved}
	s.register(&tool{
		def: &mcp.Tool{
			Name: t.Name, Title: t.Title, Description: t.Description, Meta: t.Meta,
			InputSchema: json.RawMessage(inJSON), OutputSchema: json.RawMessage(outJSON),
			Annotations: &mcp.ToolAnnotations{
				ReadOnlyHint: t.Hints.ReadOnly, DestructiveHint: &t.Hints.Destructive,
				IdempotentHint: t.Hints.Idempotent, OpenWorldHint: &t.Hints.OpenWorld,
			},
		},
		handler: run.call,
	})
}

// defaultsAreOptional takes arguments with a default off the list of required
// ones: being both would be a contradiction.
func defaultsAreOptional(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	s.Required = slices.DeleteFunc(s.Required, func(name string) bool {
		return s.Properties[name] != nil && s.Properties[name].Default != nil
	})
	for _, p := range s.Properties {
		defaultsAreOptional(p)
	}
	defaultsAreOptional(s.Items)
}

// runner runs the calls of one tool.
type runner[In, Out any] struct {
	server  *Server
	tool    Tool[In, Out]
	decoder *decoder
	output  *jsonschema.Resolved
}

// call is the SDK's handler of the tool.
func (r *runner[In, Out]) call(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	s, name, c := r.server, r.tool.Name, &call{}
	ctx = context.WithValue(ctx, callKey{}, c)
	if r := requestFrom(ctx); r == nil { // called past the middleware, by the SDK's own means
		ctx = context.WithValue(ctx, requestKey{}, &request{req: req, received: time.Now()})
	} else if r.req != mcp.Request(req) { // the SDK calls again, with responses to an [InputRequired]
		again := *r
		again.req = req
		ctx = context.WithValue(ctx, requestKey{}, &again)
	}
	received := requestFrom(ctx).received

	release, err := s.acquire(ctx)
	if err != nil {
		return s.errorResult(ctx, name, r.stopped(ctx, err)), nil
	}
	defer release()

	res, err := r.guarded(ctx, req, received)
	if err != nil || res.InputRequests != nil {
		return res, err
	}
	warnings, meta := c.finish()
	for key, value := range meta {
		data, err := encode(value)
		if err != nil {
			return s.errorResult(ctx, name, fmt.Errorf("encoding the _meta field %s: %w", key, err)), nil
		}
		if res.Meta == nil {
			res.Meta = mcp.Meta{}
		}
		if _, taken := res.Meta[key]; !taken {
			res.Meta[key] = data
		}
	}
	s.addWarnings(ctx, name, res, warnings)
	s.log.LogAttrs(ctx, slog.LevelDebug, "tool call", callAttrs(ctx, name,
		slog.Bool("error", res.IsError), slog.Duration("took", time.Since(received)))...)
	return res, nil
}

// guarded makes the result of a call, also of one that fails. A panic of the
// tool's code, its error's methods included, becomes an error like any other.
func (r *runner[In, Out]) guarded(ctx context.Context, req *mcp.CallToolRequest, received time.Time) (res *mcp.CallToolResult, err error) {
	f := guard(func() {
		res, err = r.answer(ctx, req, received)
		if errors.Is(err, errNotObject) {
			err = &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "arguments must be an object"}
		} else if input := inputResult(err); input != nil {
			res, err = input, nil
		} else if err != nil {
			res, err = r.server.errorResult(ctx, r.tool.Name, err), nil
		}
	})
	if f == nil {
		return res, err
	}
	e, ref := fault(r.tool.Name)
	r.server.log.LogAttrs(ctx, slog.LevelError, f.what+" in a tool", callAttrs(ctx, r.tool.Name,
		slog.String("reference", ref), slog.Any("panic", f.value), slog.String("stack", f.stack))...)
	return r.server.errorResult(ctx, r.tool.Name, e), nil
}

// answer decodes the arguments, runs the handler and encodes its result.
func (r *runner[In, Out]) answer(ctx context.Context, req *mcp.CallToolRequest, received time.Time) (*mcp.CallToolResult, error) {
	var in In
	clamps, err := r.decoder.decode(req.Params.Arguments, &in)
	if err != nil {
		return nil, err
	}
	warnClamped(ctx, clamps)

	if limit := r.server.opts.Limits.Call; limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, errCallTimeout)
		defer cancel()
	}
	out, err := r.tool.Handle(ctx, in)
	if err != nil {
		return nil, r.stopped(ctx, err)
	}
	return r.result(&out, time.Since(received))
}

var errCallTimeout = errors.New("the call ran too long")

// stopped explains an error that comes from the end of the call's context. A
// handler that found something else to say has the word.
func (r *runner[In, Out]) stopped(ctx context.Context, err error) error {
	var e *Error
	if ctx.Err() == nil || errors.As(err, &e) {
		return err
	}
	cause := context.Cause(ctx)
	if !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, cause) {
		return err
	}
	if errors.Is(cause, errCallTimeout) {
		return &Error{
			Kind: Unavailable, Code: "timeout", Err: err,
			Message: fmt.Sprintf("%s was stopped after %v, the limit for one call", r.tool.Name, r.server.opts.Limits.Call),
			Fix:     "ask for less at a time",
		}
	}
	return &Error{Kind: Unavailable, Code: "cancelled", Message: r.tool.Name + " was cancelled", Err: err}
}

// warnClamped notes the numbers that were brought into their range.
func warnClamped(ctx context.Context, clamps []clamped) {
	var parts []string
	for _, c := range clamps[:min(len(clamps), maxNames)] {
		parts = append(parts, fmt.Sprintf("%s %s is out of range and was taken as %s", c.path, c.given, c.taken))
	}
	message := strings.Join(parts, "; ")
	if n := len(clamps) - len(parts); n > 0 {
		message += fmt.Sprintf("; and %d more", n)
	}
	for _, c := range clamps {
		Warn(ctx, Warning{Category: "clamped", Message: message, Object: c.path})
	}
}

// result encodes what the handler returned, once: the text block and the
// structured content are the same bytes.
func (r *runner[In, Out]) result(out *Out, elapsed time.Duration) (*mcp.CallToolResult, error) {
	if f, ok := implementing[Finisher](out); ok {
		f.Finish(elapsed)
	}
	data, text, err := r.encode(out)
	if err != nil {
		return nil, err
	}
	limit := r.server.opts.Limits.Result
	for size := longest(data, text); size > limit; size = longest(data, text) {
		cutter, ok := implementing[Cutter](out)
		if !ok || cutter.RowCount() == 0 {
			return nil, &Error{
				Kind: TooLarge, Code: "result_too_large",
				Message: fmt.Sprintf("the result of %s has %d characters, at most %d are sent", r.tool.Name, size, limit),
				Fix:     "ask for less",
			}
		}
		// Rows are about equally long, so the share that fits is known; two
		// percent less, because the rest of the result does not shrink.
		rows := cutter.RowCount()
		cutter.CutRows(min(rows-1, int(float64(rows)*float64(limit)/float64(size)*0.98)))
		if cutter.RowCount() >= rows {
			return nil, fmt.Errorf("%T.CutRows did not leave out rows", *out)
		}
		if data, text, err = r.encode(out); err != nil {
			return nil, err
		}
	}
	if invariants.Enabled || r.server.checkResults {
		if err := r.fits(data); err != nil {
			return nil, err
		}
	}
	return &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: text}},
		StructuredContent: data,
	}, nil
}

// longest is the length in characters of the longer form of a result.
func longest(data []byte, text string) int {
	return max(utf8.RuneCount(data), utf8.RuneCountInString(text))
}

// encode returns the result as JSON, and its text.
func (r *runner[In, Out]) encode(out *Out) (json.RawMessage, string, error) {
	data, err := encode(out)
	if err != nil {
		return nil, "", fmt.Errorf("encoding the result: %w", err)
	}
	if string(data) == "null" {
		return nil, "", errors.New("the handler returned neither a result nor an error")
	}
	if t, ok := implementing[Texter](out); ok {
		return data, t.ToolText(), nil
	}
	return data, string(data), nil
}

// implementing returns a result as an I: by the pointer to it, or by itself
// when it is a pointer already.
func implementing[I, Out any](out *Out) (I, bool) {
	if i, ok := any(out).(I); ok {
		return i, true
	}
	i, ok := any(*out).(I)
	return i, ok
}

// fits checks a result against the published schema.
func (r *runner[In, Out]) fits(data json.RawMessage) error {
	tree, err := parseJSON(data)
	if err != nil {
		return fmt.Errorf("reading the result back: %w", err)
	}
	if err := r.output.Validate(plainTree(tree)); err != nil {
		return fmt.Errorf("the result does not fit its published schema: %w", err)
	}
	return nil
}

// plainTree brings what parseJSON reads into the types that jsonschema-go
// validates: it would take a json.Number for a string.
func plainTree(v any) any {
	switch v := v.(type) {
	case *object:
		m := make(map[string]any, len(v.keys))
		for key, e := range v.values {
			m[key] = plainTree(e)
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = plainTree(e)
		}
		return list
	case json.Number:
		n := nativeNumber(v)
		if _, huge := n.(json.Number); huge {
			f, _ := v.Float64()
			return f
		}
		return n
	}
	return v
}
