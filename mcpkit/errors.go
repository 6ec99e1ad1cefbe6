package mcpkit

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Kind says what sort of thing went wrong. It is also the code that clients
// see of an error that has no code of its own.
type Kind string

// The kinds of errors. [Internal] is what every error becomes that is no [Error].
const (
	InvalidArgument Kind = "invalid_argument" // the call breaks a rule of its arguments
	NotFound        Kind = "not_found"        // a thing the call names does not exist
	Ambiguous       Kind = "ambiguous"        // a name in the call fits several things
	Conflict        Kind = "conflict"         // the state of things forbids it now
	Expired         Kind = "expired"          // a handle was good once
	Denied          Kind = "denied"           // a rule forbids it
	TooLarge        Kind = "too_large"        // over a limit
	Unavailable     Kind = "unavailable"      // something outside does not answer, or not in time
	Internal        Kind = "internal"         // a fault of the server
)

// Error is a mistake that the caller of a tool can read and act on. A handler
// returns it, wrapped or not, and mcpkit makes the answer of it: a result with
// isError and one text block, and under [Options].ErrorKey in its _meta the
// object {code, field?, hint?, …Data}. An error of another type is a fault of
// the server: the caller sees a reference, the log the error.
//
// The errors that mcpkit raises itself have these codes: unknown_argument,
// missing_argument, duplicate_argument, wrong_type, out_of_range,
// invalid_value (a rule of the schema other than the range), result_too_large,
// timeout, cancelled, internal; and those of [Root.Open].
type Error struct {
	Kind    Kind
	Code    string         // the product's own stable code; empty means the kind
	Field   string         // the argument at fault, with its path: "group_by[1]"
	Message string         // what is wrong, with the offending value
	Fix     string         // what would work
	Data    map[string]any // further fields of the machine-readable form
	Err     error          // the cause, for the log; callers never see it
}

// Errorf returns an error of the kind with a message. A %w verb sets the cause
// as in [fmt.Errorf]; the text of the cause then is part of the message, which
// callers do see.
func Errorf(kind Kind, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Kind: kind, Message: err.Error(), Err: errors.Unwrap(err)}
}

// Error returns the message, then what would work.
func (e *Error) Error() string {
	if e.Fix == "" {
		return e.Message
	}
	if e.Message == "" {
		return e.Fix
	}
	return e.Message + "; " + e.Fix
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// code is what the machine-readable form calls the error.
func (e *Error) code() string {
	if e.Code != "" {
		return e.Code
	}
	if e.Kind == "" {
		return string(Internal)
	}
	return string(e.Kind)
}

// machine is the machine-readable form: the fixed fields first, then the
// fields of Data by name. A field of Data cannot take the place of a fixed one.
func (e *Error) machine() (json.RawMessage, error) {
	type field struct {
		name  string
		value any
	}
	fields := []field{{"code", e.code()}}
	if e.Field != "" {
		fields = append(fields, field{"field", e.Field})
	}
	if e.Fix != "" {
		fields = append(fields, field{"hint", e.Fix})
	}
	fixed := map[string]bool{"code": true, "field": e.Field != "", "hint": e.Fix != ""}
	for _, name := range slices.Sorted(maps.Keys(e.Data)) {
		if !fixed[name] {
			fields = append(fields, field{name, e.Data[name]})
		}
	}
	var buf bytes.Buffer
	buf.WriteByte('{')
	for i, f := range fields {
		name, err := json.Marshal(f.name)
		if err != nil {
			return nil, err
		}
		value, err := encode(f.value)
		if err != nil {
			return nil, fmt.Errorf("encoding %s of an error: %w", f.name, err)
		}
		if i > 0 {
			buf.WriteByte(',')
		}
		buf.Write(name)
		buf.WriteByte(':')
		buf.Write(value)
	}
	buf.WriteByte('}')
	return buf.Bytes(), nil
}

// asError returns the Error in err's chain. Any other error is a fault of the
// server, of which the caller learns a reference to the log and no more.
func (s *Server) asError(ctx context.Context, tool string, err error) *Error {
	var e *Error
	if errors.As(err, &e) && e != nil {
		if e.Err != nil {
			s.log.LogAttrs(ctx, slog.LevelDebug, "tool error", callAttrs(ctx, tool, slog.String("code", e.code()), slog.Any("cause", e.Err))...)
		}
		return e
	}
	e, ref := fault(tool)
	s.log.LogAttrs(ctx, slog.LevelError, "internal fault", callAttrs(ctx, tool, slog.String("reference", ref), slog.Any("error", err))...)
	return e
}

// fault makes the error that a caller sees of a fault of the server.
func fault(tool string) (e *Error, ref string) {
	ref = rand.Text()[:12]
	return &Error{
		Kind: Internal, Code: string(Internal),
		Message: fmt.Sprintf("%s hit an internal fault, reference %s", tool, ref),
		Fix:     "the server's log has the details under this reference",
		Data:    map[string]any{"reference": ref},
	}, ref
}

// errorResult makes the answer of an error.
func (s *Server) errorResult(ctx context.Context, tool string, err error) *mcp.CallToolResult {
	e := s.asError(ctx, tool, err)
	text := e.Error()
	if s.opts.ErrorText != nil {
		text = s.opts.ErrorText(ctx, tool, e)
	}
	machine, merr := e.machine()
	if s.opts.ErrorValue != nil {
		machine, merr = encode(s.opts.ErrorValue(ctx, tool, e))
		if s.opts.ErrorText == nil && merr == nil {
			text = string(machine)
		}
	}
	if merr != nil {
		s.log.LogAttrs(ctx, slog.LevelError, "internal fault", callAttrs(ctx, tool, slog.Any("error", merr))...)
		machine, _ = (&Error{Kind: e.Kind, Code: e.Code, Field: e.Field, Fix: e.Fix}).machine()
	}
	return &mcp.CallToolResult{
		IsError: true,
		Content: []mcp.Content{&mcp.TextContent{Text: text}},
		Meta:    mcp.Meta{s.opts.ErrorKey: machine},
	}
}
