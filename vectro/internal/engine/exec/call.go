package exec

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/caret"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/mem"
)

// call is the state that the operators of one request share.
type call struct {
	threads  int
	lease    mem.Lease
	stop     atomic.Bool // set when the request's context ends
	progress progress
}

// newCall readies a call; release must be called when it is over.
func newCall(ctx context.Context, o Options) (c *call, release func()) {
	c = &call{threads: o.Threads}
	if c.threads < 1 {
		c.threads = runtime.GOMAXPROCS(0)
	}
	c.lease.Budget = o.Budget
	c.progress.report = o.Progress
	if ctx.Err() != nil { // AfterFunc would tell only a moment later
		c.stop.Store(true)
	}
	detach := context.AfterFunc(ctx, func() { c.stop.Store(true) })
	return c, func() {
		detach()
		c.lease.Close()
	}
}

// errStopped ends the work of a worker when the call's context has ended or
// another worker has failed; callers see the context's cause or that failure.
var errStopped = errors.New("stopped")

// grow takes n bytes of the budget for scratch.
func (c *call) grow(n int64) error {
	if n <= 0 {
		return nil
	}
	err := c.lease.Grow(n)
	var full *mem.ExceededError
	if errors.As(err, &full) {
		return &MemoryError{Need: c.lease.Held() + full.Need, Free: c.lease.Held() + full.Free, Limit: full.Limit, cause: full}
	}
	return err
}

// shrink gives n bytes back before the call ends.
func (c *call) shrink(n int64) { c.lease.Shrink(n) }

// MemoryError refuses a request whose scratch does not fit the budget. It wraps
// the budget's [mem.ExceededError].
type MemoryError struct {
	Need  int64 // bytes of scratch asked for so far; the whole request may need more
	Free  int64 // bytes that were free when the request began
	Limit int64 // of the budget
	cause error
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("This needs about %s; %s are free. Drop a table, filter more, or group by fewer columns.",
		mem.Size(e.Need), mem.Size(e.Free))
}

func (e *MemoryError) Unwrap() error { return e.cause }

// LimitError refuses a request that is larger than this package can hold, however
// much memory there is.
type LimitError struct{ Message string }

func (e *LimitError) Error() string { return caret.Line(e.Message) }

// Texts and rows are numbered with 32 bits.
var (
	errTooMuchText = &LimitError{"This needs more than 4 GiB of distinct text. Filter more, or use fewer columns of text."}
	errTooManyRows = &LimitError{"More than 4 billion rows cannot be sorted, grouped or joined at once. Filter more."}
)

// WorkerPanic is what a panic in a worker becomes: it is raised again, with the
// worker's stack, on the goroutine that made the request once all workers have
// ended.
type WorkerPanic struct {
	Value any
	Stack []byte
}

func (p *WorkerPanic) Error() string { return fmt.Sprintf("%v\n\nworker stack:\n%s", p.Value, p.Stack) }

// parallel calls work(unit) for each of the units on the call's workers, in
// ascending order of their start, and waits for all workers. newWorker makes the
// function that one worker uses for all its units. The first error stops the
// others from taking further units.
//
// The workers are goroutines of this request alone: the Go scheduler shares the
// processors among requests, and a worker yields after every unit, so requests
// take turns by unit and a short one is never queued behind a whole long one.
func (c *call) parallel(ctx context.Context, units int, newWorker func() func(unit int) error) error {
	if c.stop.Load() {
		return context.Cause(ctx)
	}
	var (
		next   atomic.Int64
		failed atomic.Bool
		once   sync.Once
		first  error
		crash  *WorkerPanic
	)
	fail := func(err error, p *WorkerPanic) {
		once.Do(func() { first, crash = err, p })
		failed.Store(true)
	}
	run := func() {
		defer func() {
			if v := recover(); v != nil {
				p, ok := v.(*WorkerPanic)
				if !ok {
					p = &WorkerPanic{Value: v, Stack: debug.Stack()}
				}
				fail(nil, p)
			}
		}()
		var work func(int) error
		for {
			unit := int(next.Add(1)) - 1
			if unit >= units || failed.Load() {
				return
			}
			if c.stop.Load() {
				fail(errStopped, nil)
				return
			}
			if work == nil {
				work = newWorker()
			}
			if err := work(unit); err != nil {
				fail(err, nil)
				return
			}
			runtime.Gosched()
		}
	}
	if n := min(c.threads, units); n <= 1 {
		run()
	} else {
		var wg sync.WaitGroup
		for range n {
			wg.Go(run)
		}
		wg.Wait()
	}
	switch {
	case crash != nil:
		panic(crash)
	case errors.Is(first, errStopped):
		return context.Cause(ctx)
	}
	return first
}

// progress adds up the rows of the pipelines that a call has begun and done.
type progress struct {
	report      func(done, total int64)
	mu          sync.Mutex
	done, total int64
}

func (p *progress) add(done, total int64) {
	if p.report == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += done
	p.total += total
	p.report(p.done, p.total)
}
