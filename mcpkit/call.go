package mcpkit

import (
	"context"
	"log/slog"
	"reflect"
	"strconv"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// request is what mcpkit knows of any request while it is served.
type request struct {
	req      mcp.Request
	received time.Time
	trace    []slog.Attr
}

// call is what mcpkit knows of one tool call while it runs.
type call struct {
	mu       sync.Mutex
	returned bool // the handler is back; what comes now comes too late
	warnings []Warning
	meta     mcp.Meta
	progress progress
}

type (
	requestKey struct{}
	callKey    struct{}
)

func requestFrom(ctx context.Context) *request {
	r, _ := ctx.Value(requestKey{}).(*request)
	return r
}

func callFrom(ctx context.Context) *call {
	c, _ := ctx.Value(callKey{}).(*call)
	return c
}

// Request returns the SDK's request that ctx belongs to, nil outside of one.
// It gives what mcpkit does not repeat: the session, the HTTP headers, the
// authenticated user, the protocol version, the client's _meta.
func Request(ctx context.Context) mcp.Request {
	if r := requestFrom(ctx); r != nil {
		return r.req
	}
	return nil
}

// SetMeta sets a field in the _meta of the answer to the call that ctx belongs
// to, whether it becomes a result or an error. The value is encoded as JSON
// after the handler has returned. It may be called by several goroutines at
// once; it does nothing outside of a call.
func SetMeta(ctx context.Context, key string, value any) {
	c := callFrom(ctx)
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.returned {
		return
	}
	if c.meta == nil {
		c.meta = mcp.Meta{}
	}
	c.meta[key] = value
}

// finish ends the collecting of warnings and meta and returns what there is.
func (c *call) finish() ([]Warning, mcp.Meta) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.returned = true
	return c.warnings, c.meta
}

// callAttrs are the log attributes of a call: the tool, the trace keys that the
// client sent, then more.
func callAttrs(ctx context.Context, tool string, more ...slog.Attr) []slog.Attr {
	attrs := []slog.Attr{slog.String("tool", tool)}
	if r := requestFrom(ctx); r != nil {
		attrs = append(attrs, r.trace...)
	}
	return append(attrs, more...)
}

// traceKeys are the fields of _meta that carry a trace context.
var traceKeys = []string{"traceparent", "tracestate", "baggage"}

// traceAttrs takes the trace context out of a request for the log. The values
// come from outside, so they are cut and cleaned.
func traceAttrs(req mcp.Request) []slog.Attr {
	var attrs []slog.Attr
	meta := metaOf(req)
	for _, key := range traceKeys {
		if v, ok := meta[key].(string); ok && v != "" {
			attrs = append(attrs, slog.String(key, Untrusted(v).Cut(512)))
		}
	}
	return attrs
}

// metaOf returns the _meta of a request, nil when there is none. The params of
// a request may be a typed nil, on which GetMeta would panic.
func metaOf(req mcp.Request) map[string]any {
	p := req.GetParams()
	if v := reflect.ValueOf(p); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil
	}
	return p.GetMeta()
}

// receivedHeader carries the time at which a transport read the request, in
// Unix nanoseconds, from the transport to [receivedAt]. The SDK hands the
// header of a request through; it has no other field for it.
const receivedHeader = "Mcpkit-Received"

// receivedAt is when the transport read the request. A transport that does not
// say so, or says nonsense, makes it now.
func receivedAt(req mcp.Request, now time.Time) time.Time {
	extra := req.GetExtra()
	if extra == nil || extra.Header == nil {
		return now
	}
	ns, err := strconv.ParseInt(extra.Header.Get(receivedHeader), 10, 64)
	if err != nil {
		return now
	}
	if at := time.Unix(0, ns); at.Before(now) && now.Sub(at) < 24*time.Hour {
		return at
	}
	return now
}
