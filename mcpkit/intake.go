package mcpkit

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// intake is the innermost middleware: what has to happen to a request of every
// transport right before the SDK handles it.
func (s *Server) intake(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if call, ok := req.(*mcp.CallToolRequest); ok && call.Params != nil {
			// The SDK does not survive null arguments of a tool with defaults.
			if args := bytes.TrimSpace(call.Params.Arguments); len(args) == 0 || string(args) == "null" {
				call.Params.Arguments = json.RawMessage("{}")
			}
			if end, ok := ctx.Value(shutdownKey{}).(*shutdown); ok {
				var leave func()
				ctx, leave = end.enter(ctx, call.Session.ID(), s.uninterruptible[call.Params.Name])
				defer leave()
			}
		}
		return next(ctx, method, req)
	}
}

// receivedHeaders tells [receivedAt] when a transport read a request.
func receivedHeaders(at time.Time) http.Header {
	return http.Header{receivedHeader: {strconv.FormatInt(at.UnixNano(), 10)}}
}

// shutdownKey is the context key under which a transport offers its [shutdown].
type shutdownKey struct{}

// shutdown ends the tool calls of a transport that has no way to cancel them by
// itself: over HTTP a call outlives the request that brought it.
type shutdown struct {
	halted context.Context
	halt   context.CancelFunc // cancels the calls that may be interrupted

	mu    sync.Mutex
	idle  sync.Cond
	kept  int                                     // running calls that may not be
	calls map[string]map[*context.CancelFunc]bool // by session, those that may
}

func newShutdown() *shutdown {
	d := &shutdown{calls: map[string]map[*context.CancelFunc]bool{}}
	d.halted, d.halt = context.WithCancel(context.Background())
	d.idle.L = &d.mu
	return d
}

// enter is called at the start of a call, the function it returns at the end.
func (d *shutdown) enter(ctx context.Context, session string, keep bool) (context.Context, func()) {
	if !keep {
		ctx, cancel := context.WithCancel(ctx)
		stop := context.AfterFunc(d.halted, cancel)
		d.mu.Lock()
		if d.calls[session] == nil {
			d.calls[session] = map[*context.CancelFunc]bool{}
		}
		d.calls[session][&cancel] = true
		d.mu.Unlock()
		return ctx, func() {
			stop()
			cancel()
			d.mu.Lock()
			delete(d.calls[session], &cancel)
			if len(d.calls[session]) == 0 {
				delete(d.calls, session)
			}
			d.mu.Unlock()
		}
	}
	d.mu.Lock()
	d.kept++
	d.mu.Unlock()
	return ctx, func() {
		d.mu.Lock()
		d.kept--
		d.mu.Unlock()
		d.idle.Broadcast()
	}
}

// endSession cancels the calls of a session that may be interrupted. Ending a
// session waits for its calls, and the client that ends it has given them up.
func (d *shutdown) endSession(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for cancel := range d.calls[id] {
		(*cancel)()
	}
}

// wait returns when no call is running that may not be interrupted.
func (d *shutdown) wait() {
	d.mu.Lock()
	for d.kept > 0 {
		d.idle.Wait()
	}
	d.mu.Unlock()
}
