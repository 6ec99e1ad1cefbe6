package exec

import (
	"context"
	"errors"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/mem"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// Options are what a call may use.
type Options struct {
	Threads int         // workers; below 1: as many as the process may use
	Limit   int         // most rows to build; below 0: all
	Budget  *mem.Budget // memory for scratch and rows; nil: no limit
	// Progress, if not nil, is told after every unit of work how many rows of how
	// many have been read. total grows as later stages begin. It is never called
	// concurrently and must be quick.
	Progress func(done, total int64)
}

// Result is the answer to a plan.
type Result struct {
	Schema plan.Schema
	Total  int64          // rows of the full answer, exactly
	Rows   [][]plan.Value // the first of them, at most Options.Limit
}

// Run computes the answer to n. The same plan gives the same answer, bit for bit,
// with any number of threads. All memory of the budget is given back when it
// returns; the rows are the caller's. If ctx ends first, Run returns its cause
// within a few milliseconds of work.
func Run(ctx context.Context, n plan.Node, o Options) (*Result, error) {
	c, release := newCall(ctx, o)
	defer release()
	r, total, err := c.fetch(ctx, optimize(n), int64(max(-1, o.Limit)), true)
	if err != nil {
		return nil, c.failure(ctx, err)
	}
	res := &Result{Schema: n.Schema(), Total: total, Rows: make([][]plan.Value, 0, r.total)}
	if err := c.grow(r.total * int64(len(r.cols)) * 64); err != nil {
		return nil, err
	}
	for b, rows := range r.lens {
		if c.stop.Load() {
			return nil, c.failure(ctx, errStopped)
		}
		cells := make([]plan.Value, rows*len(r.cols))
		for i := range rows {
			row := cells[:len(r.cols):len(r.cols)]
			cells = cells[len(r.cols):]
			for k := range r.cols {
				row[k] = r.cols[k].batches[b].Value(i)
			}
			res.Rows = append(res.Rows, row)
		}
	}
	return res, nil
}

// failure is the error that a caller sees.
func (c *call) failure(ctx context.Context, err error) error {
	if errors.Is(err, errStopped) {
		return context.Cause(ctx)
	}
	return err
}
