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
	Logger *slog.Logger
	Limits Limits
}

// Limits holds every bound in one place. A zero field takes its default.
type Limits struct {
	Line     int           // longest message line in bytes; default 16 MiB
	Result   int           // longest result text in characters; default 48,000
	Rows     int           // most rows in one result; default 500
	Parallel int           // tool calls running at once; default 8
	Call     time.Duration // longest tool call; default none
	Drain    time.Duration // time to finish accepted calls at the end; default 5 s
}

// Server is an MCP server. Create it with [New], add tools with [Add].
type Server struct {
	sdk  *mcp.Server
	info Info
	opts Options
}

// New returns a server without tools. A nil opts means the defaults.
func New(info Info, opts *Options) *Server {
	if opts == nil {
		opts = &Options{}
	}
	s := &Server{info: info, opts: *opts}
	s.sdk = mcp.NewServer(&mcp.Implementation{Name: info.Name, Title: info.Title, Version: info.Version}, nil)
	return s
}

// SDK returns the SDK's server underneath.
func (s *Server) SDK() *mcp.Server { return s.sdk }

var _ = context.Background
