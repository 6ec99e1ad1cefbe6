package mcpkit

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// progressEvery is the least time between two progress notifications of a call.
const progressEvery = 100 * time.Millisecond

// progress is the state of the progress notifications of one call.
type progress struct {
	sending atomic.Bool // guards the fields below without a lock held over a write
	last    time.Time
	done    float64
	sent    bool
}

// Progress tells the client how far the call that ctx belongs to has come, in
// any unit; total is 0 when it is not known. It costs next to nothing and may
// be called often and by several goroutines at once: nothing is sent unless the
// client asked for it, more than ten times a second, for a value that is not
// above the last one sent, or after the call has ended.
func Progress(ctx context.Context, done, total float64, message string) {
	c, r := callFrom(ctx), requestFrom(ctx)
	if c == nil || r == nil || ctx.Err() != nil {
		return
	}
	req, ok := r.req.(*mcp.CallToolRequest)
	if !ok || req.Params == nil || req.Session == nil {
		return
	}
	token := req.Params.GetProgressToken()
	switch token.(type) {
	case string, float64, int64, int: // what a token may be
	default:
		return
	}
	// Whoever comes while a notification is being written has nothing to add:
	// a slow client must not make the workers of a call wait for each other.
	if !c.progress.sending.CompareAndSwap(false, true) {
		return
	}
	defer c.progress.sending.Store(false)
	p := &c.progress
	now := time.Now()
	if p.sent && (now.Sub(p.last) < progressEvery || done <= p.done) {
		return
	}
	c.mu.Lock()
	returned := c.returned
	c.mu.Unlock()
	if returned {
		return
	}
	p.sent, p.last, p.done = true, now, done
	// An error here means that the connection is gone, which the call learns
	// from its context.
	_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
		ProgressToken: token, Progress: done, Total: total, Message: message,
	})
}
