package mcpkit

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Info is the identity of a server, as clients see it.
type Info struct {
	Name         string // the programmatic name, e.g. "vectro"
	Title        string // the name people read, e.g. "Vectro"
	Version      string
	Instructions string // one paragraph on how to use the tools together
}

// Options tune a server. The zero value is a safe default.
type Options struct {
	// Logger receives the server's log; nil means none. Never give it a
	// handler that writes to stdout, which belongs to the protocol.
	Logger *slog.Logger

	Limits Limits

	// ProtocolVersions narrows the protocol versions the server speaks; empty
	// means all of them. One that the SDK does not know is a panic in [New].
	ProtocolVersions []string

	// ListTTL tells clients of the stateless revision how long they may keep
	// the tool list; zero means that they have to ask again.
	ListTTL time.Duration

	// WarningsKey names the _meta field that carries the warnings of a call.
	// Empty means "<server name>/warnings".
	WarningsKey string

	// WarningsIn says where warnings go: into the answer, or to the handler.
	WarningsIn WarningsIn

	// ErrorKey names the _meta field that carries the machine-readable form
	// of an error. Empty means "<server name>/error".
	ErrorKey string

	// ErrorText renders the one text block of an error result; nil means the
	// message, then what would work. It is called for every error result,
	// those that mcpkit raises itself included (see [Error] for their codes),
	// and must be safe for concurrent use.
	ErrorText func(ctx context.Context, tool string, err *Error) string

	// ErrorValue, if not nil, replaces the machine-readable form of an error by
	// the JSON of what it returns, which is also the text block unless ErrorText
	// is set. What is said of calls of ErrorText holds for it.
	ErrorValue func(ctx context.Context, tool string, err *Error) any

	// Trim takes the blanks around a word of an enum and around a number given as
	// text for nothing, and a text of nothing but blanks for an optional argument
	// as its absence. Other texts stay as they are: blanks in them may count.
	Trim bool

	// Visible hides tools: one for which it returns false is left out of the
	// list, refused as a tool that does not exist, and never suggested. Nil
	// shows all, and tells clients that the list cannot change. It must be
	// quick and safe for concurrent use.
	Visible func(ctx context.Context, tool string) bool

	// NoOutputSchemas leaves the output schemas out of the tool list.
	NoOutputSchemas bool

	// SDKOptions, if not nil, edits the options of the SDK's server right
	// before it is made: handlers of completions and of resource
	// subscriptions can be given in no other way, nor can capabilities be
	// declared that the SDK does not infer, such as extensions, or resources
	// whose list never changes. Capabilities is not nil and has Tools.
	SDKOptions func(*mcp.ServerOptions)

	// Middleware wraps every request that the server receives; the first is
	// the outermost. mcpkit's recovery from panics stays outside of them, the
	// hiding of tools inside.
	Middleware []mcp.Middleware
}

// Server is an MCP server. Create it with [New], add tools with [Add], then run it
// with [Main], [Run] or [Serve]. Its methods are safe for concurrent use.
type Server struct {
	sdk  *mcp.Server
	info Info
	opts Options // as given, with the defaults filled in
	log  *slog.Logger

	slots     chan struct{} // one element per running call
	noOutputs atomic.Bool   // leave output schemas out of the list

	checkResults bool // check every result against its schema, as with invariants

	mu    sync.RWMutex
	tools []*tool // in registration order

	// uninterruptible names the tools that the end of the server waits for.
	// It is written by Add alone, before the server runs.
	uninterruptible map[string]bool
}

// New returns a server without tools. A nil opts means the defaults.
func New(info Info, opts *Options) *Server {
	if opts == nil {
		opts = &Options{}
	}
	s := &Server{info: info, opts: *opts, log: opts.Logger, uninterruptible: map[string]bool{}}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.opts.Limits = opts.Limits.withDefaults()
	if s.opts.WarningsKey == "" {
		s.opts.WarningsKey = info.Name + "/warnings"
	}
	if s.opts.ErrorKey == "" {
		s.opts.ErrorKey = info.Name + "/error"
	}
	s.slots = make(chan struct{}, s.opts.Limits.Parallel)
	s.noOutputs.Store(opts.NoOutputSchemas)
	sdkOptions := &mcp.ServerOptions{
		Instructions: info.Instructions,
		Logger:       s.log,
		PageSize:     maxTools,
		// In full, because the SDK would otherwise advertise logging, and a
		// tool list that may change.
		Capabilities:              &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{ListChanged: opts.Visible != nil}},
		SetCacheable:              s.setCacheable,
		SupportedProtocolVersions: opts.ProtocolVersions,
	}
	if opts.SDKOptions != nil {
		opts.SDKOptions(sdkOptions)
	}
	s.sdk = mcp.NewServer(&mcp.Implementation{Name: info.Name, Title: info.Title, Version: info.Version}, sdkOptions)
	s.sdk.AddReceivingMiddleware(slices.Concat(
		[]mcp.Middleware{s.receive},
		opts.Middleware,
		[]mcp.Middleware{s.toolRequests, s.intake},
	)...)
	return s
}

// maxTools is the page size of the tool list. Tools are put into registration
// order after paging, so they have to be on one page.
const maxTools = 1 << 20

// SDK returns the SDK's server underneath, for what mcpkit leaves to it:
// resources, prompts, sessions. Tools added through it bypass mcpkit's checks.
func (s *Server) SDK() *mcp.Server { return s.sdk }

// setCacheable states how long a tool list may be kept, and by whom.
func (s *Server) setCacheable(_ context.Context, req mcp.Request, c *mcp.Cacheable) {
	if _, ok := req.(*mcp.ListToolsRequest); !ok {
		return
	}
	c.TTLMs = int(s.opts.ListTTL.Milliseconds())
	if s.opts.Visible != nil {
		c.CacheScope = "private" // what is visible may depend on who asks
	}
}

// tool returns the tool of that name that was added with [Add], or nil.
func (s *Server) tool(name string) *tool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, t := range s.tools {
		if t.def.Name == name {
			return t
		}
	}
	return nil
}

func (s *Server) register(t *tool) {
	s.mu.Lock()
	s.tools = append(s.tools, t)
	s.mu.Unlock()
	s.sdk.AddTool(t.def, t.handler)
}

// Tools returns the definitions of all tools added with [Add], hidden ones
// included, in registration order and as clients get them. They are copies,
// but share their schemas and annotations, which must not be changed.
func (s *Server) Tools() []*mcp.Tool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	defs := make([]*mcp.Tool, len(s.tools))
	for i, t := range s.tools {
		defs[i] = s.published(t.def)
	}
	return defs
}

// published is a copy of a definition as clients get it.
func (s *Server) published(def *mcp.Tool) *mcp.Tool {
	out := *def
	if s.noOutputs.Load() {
		out.OutputSchema = nil
	}
	return &out
}

// omitOutputSchemas leaves the output schemas out of the tool list from now on.
func (s *Server) omitOutputSchemas() { s.noOutputs.Store(true) }

// ToolsChanged tells the connected clients that the tool list has changed,
// after [Options].Visible began to answer differently. Several calls in quick
// succession become one notification.
func (s *Server) ToolsChanged() {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if len(s.tools) > 0 {
		// The SDK has no call for it, but notifies when a tool is replaced.
		s.sdk.AddTool(s.tools[0].def, s.tools[0].handler)
	}
}
