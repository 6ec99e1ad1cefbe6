// Package pool runs queries on graph files in child processes. The graph engine is a
// C++ library: a query that only reads may still take all memory outside of the
// engine's own limit, never end, or crash. In a child that is the end of the child.
//
// A [Pool] starts the program that it runs in once more, with [ChildArg] as the first
// argument; the program hands over to [Child] before it does anything else. A child
// has one graph file open for reading and answers one query at a time. It gets its
// requests on standard input and answers on a descriptor of its own, so that what a
// library prints is lost and does no harm. It has none of the parent's environment,
// its home is an empty folder that is removed after it, and it can write no file.
//
// The pool kills a child whose query is over its time, whose caller has gone, or that
// takes too much memory, and starts another for the next query. That the query only
// reads is not its business: see package cypher. Memory is watched on Linux alone;
// elsewhere nothing but the engine's own limit holds.
package pool

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/quartet-mcp/quartet/pretensor/internal/graph/kuzu"
)

// ChildArg is the first argument of a child.
const ChildArg = "graph-worker"

// Errors of [Pool.Query] beside those of package kuzu.
var (
	ErrBusy        = errors.New("too many queries are waiting")
	ErrClosed      = errors.New("the pool is closed")
	ErrDied        = errors.New("the graph engine stopped")
	ErrMemory      = errors.New("the query needs more memory than it may have")
	ErrUnreadable  = errors.New("the graph cannot be opened")
	ErrUnavailable = errors.New("the graph engine does not start")
)

// Options of a pool. The zero value of a field is its default.
type Options struct {
	Executable string        // the program, which has to hand over to [Child]; empty: the running one
	Dir        string        // where the children's folders are made; empty: the system's
	Children   int           // at most; default 2
	Waiting    int           // callers that wait for a child at most; default 8
	Memory     int64         // bytes that a child may have resident; default 1 GiB
	Idle       time.Duration // after which a child without a query ends; default 1 min
	Log        *slog.Logger  // nil is silent
}

// Bounds that are not options.
const (
	grace      = 100 * time.Millisecond // that waiting and starting may add to the time limit of a query
	startLimit = 10 * time.Second       // for a child to be ready
	watchEvery = 25 * time.Millisecond
)

// Graph is the graph that a query is for. Key is the generation of the file at Path:
// with another key the file is opened anew.
type Graph struct{ Key, Path string }

// Pool is a set of children. It may be used by several goroutines.
type Pool struct {
	o       Options
	closing chan struct{}
	slots   chan struct{} // one for each child that is in use, starting or ending
	work    sync.WaitGroup
	forks   starter

	mu     sync.Mutex
	closed bool
	calls  int               // that run or wait
	idle   []*child          // the one used last at the end
	latest map[string]string // by path, the key that was asked for last
}

// New returns a pool, which starts no child before the first query.
func New(o Options) *Pool {
	if o.Children == 0 {
		o.Children = 2
	}
	if o.Waiting == 0 {
		o.Waiting = 8
	}
	if o.Memory == 0 {
		o.Memory = 1 << 30
	}
	if o.Idle == 0 {
		o.Idle = time.Minute
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Pool{o: o, closing: make(chan struct{}), slots: make(chan struct{}, o.Children), latest: map[string]string{}}
}

// Query runs a query, which must have passed [cypher.Check], in a child. The time
// limit in o counts from now: it holds for waiting too, and the answer is there at
// most 250 ms after it. Each value of the result is a [json.RawMessage] of what
// [kuzu.Reader.Query] describes. Rows for which the answer has no room are left out.
// Parameters are not supported.
//
// Errors are those above, kuzu.ErrNotFound, kuzu.ErrTimeout, a *kuzu.Error of the
// engine, and that of ctx.
func (p *Pool) Query(ctx context.Context, g Graph, text string, o kuzu.Options) (*kuzu.Result, error) {
	if len(o.Params) > 0 {
		return nil, errors.New("a query of a pool has no parameters")
	}
	path, err := filepath.Abs(g.Path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	g.Path = path
	if err := p.begin(g); err != nil {
		return nil, err
	}
	defer p.finish()

	e := end{ctx: ctx, closing: p.closing}
	var last time.Time
	if o.Timeout > 0 {
		last = time.Now().Add(o.Timeout + grace)
		timer := time.NewTimer(o.Timeout + grace)
		defer timer.Stop()
		e.time = timer.C
	}
	if err := p.enter(e); err != nil {
		return nil, err
	}
	c, err := p.take(g)
	if err != nil {
		<-p.slots
		return nil, err
	}
	if err := p.ready(c, e); err != nil {
		return nil, err
	}
	limit := o.Timeout
	if limit > 0 {
		limit = min(limit, time.Until(last))
		timer := time.NewTimer(limit)
		defer timer.Stop()
		e.time = timer.C
	}
	return p.run(c, e, text, o, limit)
}

// end is what ends a call before its answer.
type end struct {
	ctx     context.Context
	closing <-chan struct{}
	time    <-chan time.Time
}

// begin counts a call in and lets children of an older generation of its graph go.
func (p *Pool) begin(g Graph) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.closed:
		return ErrClosed
	case p.calls == p.o.Children+p.o.Waiting:
		return ErrBusy
	}
	p.calls++
	p.work.Add(1)
	p.latest[g.Path] = g.Key
	p.idle = slices.DeleteFunc(p.idle, func(c *child) bool {
		old := c.graph.Path == g.Path && c.graph.Key != g.Key
		if old {
			c.kill()
		}
		return old
	})
	return nil
}

func (p *Pool) finish() {
	p.mu.Lock()
	p.calls--
	p.mu.Unlock()
	p.work.Done()
}

// enter waits for a slot.
func (p *Pool) enter(e end) error {
	select {
	case p.slots <- struct{}{}:
		return nil
	case <-e.ctx.Done():
		return e.ctx.Err()
	case <-e.time:
		return kuzu.ErrTimeout
	case <-e.closing:
		return ErrClosed
	}
}

// take gives a slot's holder an idle child of a graph, or starts one.
func (p *Pool) take(g Graph) (*child, error) {
	p.mu.Lock()
	for i, c := range slices.Backward(p.idle) {
		if c.graph == g && c.idle.Stop() {
			p.idle = slices.Delete(p.idle, i, i+1)
			p.mu.Unlock()
			return c, nil
		}
	}
	var other []*child
	for len(p.idle) > 0 && len(p.slots)+len(p.idle) > p.o.Children {
		other = append(other, p.idle[0])
		p.idle[0].kill()
		p.idle = slices.Delete(p.idle, 0, 1)
	}
	p.mu.Unlock()
	for _, c := range other {
		<-c.gone
	}
	return p.start(g)
}

// ready waits until a child can be asked. When it fails the child's slot is free or
// will be.
func (p *Pool) ready(c *child, e end) error {
	select {
	case <-c.ready:
	default:
		var err error
		select {
		case <-c.ready:
		case <-e.ctx.Done():
			err = e.ctx.Err()
		case <-e.time:
			err = kuzu.ErrTimeout
		case <-e.closing:
			p.drop(c)
			return ErrClosed
		}
		if err != nil {
			// The next caller will want it.
			p.work.Go(func() {
				select {
				case <-c.ready:
				case <-p.closing:
				}
				p.put(c)
			})
			return err
		}
	}
	if c.failed != nil {
		p.drop(c)
	}
	return c.failed
}

// run asks a child.
func (p *Pool) run(c *child, e end, text string, o kuzu.Options, limit time.Duration) (*kuzu.Result, error) {
	switch err := c.ask(request{Text: text, MaxRows: o.MaxRows, MaxCell: o.MaxCell}, limit); {
	case errors.Is(err, kuzu.ErrTimeout):
		p.drop(c)
		return nil, err
	case err != nil:
		p.drop(c)
		return nil, fmt.Errorf("%w: %w", ErrDied, err)
	}
	watch := time.NewTicker(watchEvery)
	defer watch.Stop()
	for {
		var err error
		select {
		case a, ok := <-c.answers:
			if ok && a.ID == c.asked {
				p.put(c)
				return a.result()
			}
			p.drop(c)
			<-c.gone
			p.o.Log.Warn("a graph worker died", "state", c.cmd.ProcessState.String(), "said", c.said.String())
			return nil, ErrDied
		case <-watch.C:
			if resident(c.pid()) <= p.o.Memory {
				continue
			}
			err = ErrMemory
		case <-e.ctx.Done():
			err = e.ctx.Err()
		case <-e.time:
			err = kuzu.ErrTimeout
		case <-e.closing:
			err = ErrClosed
		}
		p.drop(c)
		return nil, err
	}
}

// put makes a child idle, if it can be of use, and frees its slot.
func (p *Pool) put(c *child) {
	p.mu.Lock()
	// One that holds much memory gives it back by ending.
	if p.closed || c.ended() || p.latest[c.graph.Path] != c.graph.Key || resident(c.pid()) > p.o.Memory/2 {
		p.mu.Unlock()
		p.drop(c)
		return
	}
	defer p.mu.Unlock()
	c.idle = time.AfterFunc(p.o.Idle, func() { p.expire(c) })
	p.idle = append(p.idle, c)
	<-p.slots
}

// expire ends a child that was idle for long, or has died.
func (p *Pool) expire(c *child) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.idle, c); i >= 0 {
		p.idle = slices.Delete(p.idle, i, i+1)
		c.idle.Stop()
		c.kill()
	}
}

// drop ends a child. Its slot is free when it is gone.
func (p *Pool) drop(c *child) {
	c.kill()
	p.work.Go(func() {
		<-c.gone
		<-p.slots
	})
}

func (p *Pool) closes() bool {
	select {
	case <-p.closing:
		return true
	default:
		return false
	}
}

// Close ends all children and the calls that wait for them, and returns when they are
// gone. It may be called more than once.
func (p *Pool) Close() {
	p.mu.Lock()
	if !p.closed {
		p.closed = true
		close(p.closing)
		for _, c := range p.idle {
			c.idle.Stop()
			c.kill()
		}
		p.idle = nil
	}
	p.mu.Unlock()
	p.work.Wait()
	p.forks.stop()
}
