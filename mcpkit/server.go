package mcpkit

import (
	"context"
	"log/slog"
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
	// means all of them. Naming one that mcpkit does not know is a panic in [New].
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
	// message, then what would work. It is called for every error, those that
	// mcpkit raises itself included, and must be safe for concurrent use.
	ErrorText func(ctx context.Context, tool string, err *Error) string

	// Visible hides tools: one for which it returns false is left out of the
	// list and refused exactly as a tool that does not exist. Nil shows all.
	Visible func(ctx context.Context, tool string) bool

	// NoOutputSchemas leaves the output schemas out of the tool list.
	NoOutputSchemas bool

	// Middleware wraps every request that the server receives; the first is
	// the outermost. mcpkit's own recovery from panics stays outside of them.
	Middleware []mcp.Middleware
}

// Server is an MCP server. Create it with [New], add tools with [Add], run it
// with [Run] or [Serve]. Its methods are safe for concurrent use; Add is meant
// for the time before the first connection.
type Server struct {
	sdk  *mcp.Server
	info Info
	opts Options
	log  *slog.Logger

	tools []string // names in registration order
}

// New returns a server without tools. A nil opts means the defaults.
func New(info Info, opts *Options) *Server {
	if opts == nil {
		opts = &Options{}
	}
	s := &Server{info: info, opts: *opts}
	s.log = s.opts.Logger
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.opts.Limits = s.opts.Limits.withDefaults()
	if s.opts.WarningsKey == "" {
		s.opts.WarningsKey = info.Name + "/warnings"
	}
	if s.opts.ErrorKey == "" {
		s.opts.ErrorKey = info.Name + "/error"
	}
	s.sdk = mcp.NewServer(&mcp.Implementation{Name: info.Name, Title: info.Title, Version: info.Version}, &mcp.ServerOptions{
		Instructions: info.Instructions,
		Logger:       s.log,
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
	})
	return s
}

// SDK returns the SDK's server underneath, for what mcpkit leaves to it:
// resources, prompts, sessions.
func (s *Server) SDK() *mcp.Server { return s.sdk }
