package mcpkit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/quartet-mcp/quartet/mcpkit/internal/wire"
)

// farewell is how long the end of a session may take after the last answer:
// handlers that were cancelled return, queued answers are written.
const farewell = 800 * time.Millisecond

// errHandlersRunning is the end of a session that left handlers behind.
var errHandlersRunning = errors.New("calls were still running when their time was over")

// Serve runs the server over one transport until the client closes its side or
// ctx ends, and returns when the session is over.
//
// When ctx ends, new requests are refused, what was accepted may take
// [Limits].Drain, then the rest is answered with an error and cancelled. When
// the input ends first the same happens, and the end of ctx during that time
// shortens it to one second. Calls of a tool marked Uninterruptible are waited
// for all the same. Serve returns at most a second after that, also when a
// handler ignores its context. It returns nil in all these cases; an error
// means that the transport could not be connected or that the answers could
// not be delivered.
//
// The graceful end needs [Stdio]. On another transport the end of ctx closes
// the session, which waits for running handlers, at most Limits.Drain.
func Serve(ctx context.Context, s *Server, t mcp.Transport) error {
	return serve(ctx, s, t, nil)
}

// serve is [Serve] with a second signal: each value from hurry shortens the
// drain to one second.
func serve(ctx context.Context, s *Server, t mcp.Transport, hurry <-chan os.Signal) error {
	if stdio, ok := t.(*Stdio); ok {
		stdio.withServer(s)
	}
	tap := &tapTransport{Transport: t}
	session, err := s.sdk.Connect(context.WithoutCancel(ctx), tap, nil)
	if err != nil {
		return fmt.Errorf("connecting: %w", err)
	}
	conn, ok := tap.conn.(*wire.Conn)
	if !ok {
		return serveForeign(ctx, s, session)
	}
	over := make(chan struct{})
	go func() {
		_ = session.Wait() // conn knows better why it ended
		close(over)
	}()
	for stop := ctx.Done(); ; {
		select {
		case <-stop:
			conn.Stop()
			stop = nil
			continue
		case <-hurry:
			conn.Stop()
			continue
		case <-conn.Released():
		case <-over:
		}
		break
	}

	// Everything is answered. The answers are still to be written, and handlers
	// that were given up end with their context, or not.
	if err := conn.Close(); err != nil {
		s.log.Debug("closing the input", "error", err)
	}
	bound, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
	defer cancel()
	err = conn.Flush(bound)
	select {
	case <-over:
	case <-bound.Done():
		s.log.Warn(errHandlersRunning.Error())
	}
	return err
}

// serveForeign waits for the session of a transport that is not ours.
func serveForeign(ctx context.Context, s *Server, session *mcp.ServerSession) error {
	over := make(chan error, 1)
	go func() { over <- session.Wait() }()
	select {
	case err := <-over:
		return err
	case <-ctx.Done():
	}
	go func() { _ = session.Close() }() // waits for handlers without a bound; over says how it ended
	select {
	case err := <-over:
		return err
	case <-time.After(s.opts.Limits.Drain):
		return errHandlersRunning
	}
}

// tapTransport keeps the connection that a transport made.
type tapTransport struct {
	mcp.Transport
	conn mcp.Connection
}

func (t *tapTransport) Connect(ctx context.Context) (mcp.Connection, error) {
	conn, err := t.Transport.Connect(ctx)
	t.conn = conn
	return conn, err
}

// RunOptions say how [Run] offers a server. The zero value means stdio.
type RunOptions struct {
	Transport string      // "stdio", also when empty, or "http"
	HTTP      HTTPOptions // for the transport "http"
}

// Run offers the server as a process does: over stdio or HTTP, until the client
// closes its side, ctx ends, or SIGTERM or SIGINT arrives. The first signal
// means what the end of ctx means to [Serve]; a second one leaves what is
// unfinished one second. It returns nil after an orderly end.
func Run(ctx context.Context, s *Server, opts RunOptions) error {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	stopIgnoring := ignoreBrokenPipes()
	defer stopIgnoring()

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	hurry := make(chan os.Signal)
	done := make(chan struct{})
	defer close(done)
	go func() {
		for first := true; ; first = false {
			select {
			case sig := <-signals:
				s.log.Info("stopping", "signal", sig.String())
				if first {
					cancel()
					continue
				}
				select {
				case hurry <- sig:
				case <-done:
				}
			case <-done:
				return
			}
		}
	}()

	switch opts.Transport {
	case "", "stdio":
		return serve(ctx, s, &Stdio{}, hurry)
	case "http":
		return serveHTTP(ctx, s, opts.HTTP, hurry)
	}
	return fmt.Errorf("unknown transport %q; use stdio or http", opts.Transport)
}
