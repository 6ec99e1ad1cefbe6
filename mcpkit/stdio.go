package mcpkit

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/quartet-mcp/quartet/mcpkit/internal/wire"
)

// Stdio is a transport over the standard input and output of the process, one
// message a line. It answers every line that is no request and goes on with the
// next, finishes accepted calls when the input ends, and keeps numbers and ids
// as they were written.
//
// When it connects it takes descriptor 1 for itself: the transport keeps a
// duplicate, and descriptor 1 points at standard error from then on, so that a
// stray print, of a C library too, cannot corrupt the stream. This happens once
// in a process and is not undone.
//
// The zero value is ready. It works with [Serve] and with the SDK's own Run;
// Serve fills fields that are zero from the server's options. Like every
// transport it connects once.
type Stdio struct {
	// In and Out take the place of standard input and output, for tests and
	// for other pairs of streams; descriptor 1 is then left alone, unless Out
	// is nil. If In is an [io.Closer] it is closed at the end.
	In  io.Reader
	Out io.Writer

	// Line is the longest message line in bytes; zero means 16 MiB.
	Line int
	// Drain is how long accepted calls may take once the input has ended;
	// zero means 5 seconds. What is unfinished then is answered with -32603.
	Drain time.Duration

	Logger *slog.Logger // nil means none

	await func(tool string) bool // tools waited for beyond Drain
}

var _ mcp.Transport = (*Stdio)(nil)

// Connect implements [mcp.Transport].
func (t *Stdio) Connect(context.Context) (mcp.Connection, error) {
	limits := Limits{Line: t.Line, Drain: t.Drain}.withDefaults()
	cfg := wire.Config{
		In: t.In, Out: t.Out, Line: limits.Line, Drain: limits.Drain, Await: t.await, Logger: t.Logger,
		Extra: func(received time.Time) any {
			return &mcp.RequestExtra{Header: receivedHeaders(received)}
		},
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.In == nil {
		// Without its Close: closing a descriptor does not end a read of it.
		cfg.In = struct{ io.Reader }{os.Stdin}
	}
	if cfg.Out == nil {
		out, err := takeStdout()
		if err != nil {
			return nil, fmt.Errorf("taking standard output: %w", err)
		}
		cfg.Out = out
	}
	return wire.New(cfg), nil
}

// withServer fills what is zero from the options of s.
func (t *Stdio) withServer(s *Server) {
	if t.Line == 0 {
		t.Line = s.opts.Limits.Line
	}
	if t.Drain == 0 {
		t.Drain = s.opts.Limits.Drain
	}
	if t.Logger == nil {
		t.Logger = s.log
	}
	t.await = func(tool string) bool { return s.uninterruptible[tool] }
}

// takeStdout returns the standard output the process was started with and
// points descriptor 1 at standard error.
var takeStdout = sync.OnceValues(divertStdout)
