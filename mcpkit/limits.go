package mcpkit

import (
	"context"
	"time"
)

// Limits holds every bound in one place. A zero field takes its default.
type Limits struct {
	Line     int           // longest message line in bytes; default 16 MiB
	Result   int           // longest result in characters; default 48,000; see [Cutter]
	Rows     int           // most rows in one result, for the handlers to observe; default 500
	Parallel int           // tool calls running at once, the others wait in order; default 8
	Call     time.Duration // longest tool call, from the start of its handler; default none
	Drain    time.Duration // time to finish accepted calls at the end; default 5 s
}

func (l Limits) withDefaults() Limits {
	if l.Line <= 0 {
		l.Line = 16 << 20
	}
	if l.Result <= 0 {
		l.Result = 48_000
	}
	if l.Rows <= 0 {
		l.Rows = 500
	}
	if l.Parallel <= 0 {
		l.Parallel = 8
	}
	if l.Drain <= 0 {
		l.Drain = 5 * time.Second
	}
	return l
}

// Limits returns the limits of the server with the defaults filled in.
func (s *Server) Limits() Limits { return s.opts.Limits }

// acquire waits for a free slot; a channel serves its waiters in order of
// arrival. The returned function gives the slot back.
func (s *Server) acquire(ctx context.Context) (release func(), err error) {
	select {
	case s.slots <- struct{}{}:
		return func() { <-s.slots }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
