package mcpkit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/quartet-mcp/quartet/mcpkit/nearest"
)

// receive is the outermost middleware: it notes the time and the trace of a
// request, keeps a panic from ending the process, and sees to it that every
// request has an answer and every error a code of JSON-RPC.
func (s *Server) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
		ctx = context.WithValue(ctx, requestKey{}, &request{
			req: req, received: receivedAt(req, time.Now()), trace: traceAttrs(req),
		})
		if p, ok := req.GetParams().(*mcp.InitializeParams); ok && p != nil && p.ProtocolVersion >= statelessVersion {
			// The SDK negotiates an older version, yet answers as in the one
			// that was asked for; so it must not hear of it.
			p.ProtocolVersion = ""
		}
		f := guard(func() {
			if res, err = next(ctx, method, req); err != nil {
				res, err = nil, s.coded(ctx, method, err)
			}
		})
		if f != nil {
			e, ref := fault(s.info.Name)
			s.log.LogAttrs(ctx, slog.LevelError, f.what+" in a request",
				slog.String("method", method), slog.String("reference", ref), slog.Any("panic", f.value), slog.String("stack", f.stack))
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: e.Message}
		}
		return res, err
	}
}

// fall is how a function ended that did not return.
type fall struct {
	what  string // "panic" or "runtime.Goexit"
	value any    // of the panic
	stack string
}

// guard runs f and says how it ended, nil when it returned. It runs f in a
// goroutine of its own, because runtime.Goexit (which a test's FailNow is, too)
// cannot be recovered from: it would take the goroutine of the SDK along, and
// with it the answer.
func guard(f func()) (end *fall) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		returned := false
		defer func() {
			if returned {
				return
			}
			end = &fall{what: "runtime.Goexit", value: recover(), stack: string(debug.Stack())}
			if end.value != nil { // that of panic(nil) is a runtime.PanicNilError
				end.what = "panic"
			}
		}()
		f()
		returned = true
	}()
	<-done
	return end
}

// coded gives an error without a code one. The SDK sends such errors with code
// 0, which is none of JSON-RPC's.
func (s *Server) coded(ctx context.Context, method string, err error) error {
	var wire *jsonrpc.Error
	if errors.As(err, &wire) && wire.Code != 0 {
		return err
	}
	if method == "initialize" { // a second one, which is all that fails there
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: err.Error()}
	}
	var e *Error
	if errors.As(err, &e) && e.Kind != Internal { // a resource or prompt handler's own words
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: e.Error()}
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: method + " was cancelled"}
	}
	e, ref := fault(method)
	s.log.LogAttrs(ctx, slog.LevelError, "internal fault", slog.String("method", method), slog.String("reference", ref), slog.Any("error", err))
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: e.Message}
}

// toolRequests is the innermost middleware: it lists tools in registration
// order and without the hidden ones, and refuses tools that do not exist.
func (s *Server) toolRequests(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch r := req.(type) {
		case *mcp.ListToolsRequest:
			res, err := next(ctx, method, req)
			if err != nil {
				return nil, err
			}
			list, ok := res.(*mcp.ListToolsResult)
			if !ok || list == nil {
				return res, nil
			}
			return s.arrange(ctx, list), nil
		case *mcp.CallToolRequest:
			if r.Params.Name == "" {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "tools/call needs the name of a tool"}
			}
			if !s.visible(ctx, r.Params.Name) {
				return nil, s.unknownTool(ctx, r.Params.Name)
			}
			res, err := next(ctx, method, req)
			if err != nil && s.tool(r.Params.Name) == nil && isUnknownTool(err, r.Params.Name) {
				return nil, s.unknownTool(ctx, r.Params.Name)
			}
			return res, err
		}
		return next(ctx, method, req)
	}
}

func (s *Server) visible(ctx context.Context, name string) bool {
	return s.opts.Visible == nil || s.opts.Visible(ctx, name)
}

// arrange returns a copy of the SDK's list, which is sorted by name and whose
// tools other sessions share.
func (s *Server) arrange(ctx context.Context, list *mcp.ListToolsResult) *mcp.ListToolsResult {
	s.mu.RLock()
	place := make(map[string]int, len(s.tools))
	for i, t := range s.tools {
		place[t.def.Name] = i + 1
	}
	s.mu.RUnlock()
	out := *list
	out.Tools = make([]*mcp.Tool, 0, len(list.Tools))
	for _, t := range list.Tools {
		if s.visible(ctx, t.Name) {
			out.Tools = append(out.Tools, s.published(t))
		}
	}
	slices.SortStableFunc(out.Tools, func(a, b *mcp.Tool) int {
		// Tools that were added through the SDK come last, by name.
		return cmp.Compare(cmp.Or(place[a.Name], maxTools+1), cmp.Or(place[b.Name], maxTools+1))
	})
	return &out
}

// isUnknownTool reports whether err is the SDK's answer that it has no such tool.
func isUnknownTool(err error, name string) bool {
	var wire *jsonrpc.Error
	return errors.As(err, &wire) && wire.Code == jsonrpc.CodeInvalidParams && wire.Message == fmt.Sprintf("unknown tool %q", name)
}

// unknownTool is the one answer for tools that do not exist and for those that
// are hidden; it names the nearest ones that can be seen.
func (s *Server) unknownTool(ctx context.Context, name string) error {
	var known []string
	for _, t := range s.Tools() {
		if s.visible(ctx, t.Name) {
			known = append(known, t.Name)
		}
	}
	message := "Unknown tool: " + Untrusted(name).String()
	if near := nearest.Find(name, known, 3); near != nil {
		message += ". Did you mean " + listWords(near, "or") + unseen(name, near[0]) + "?"
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: message}
}
