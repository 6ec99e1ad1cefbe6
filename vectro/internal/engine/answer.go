package engine

import (
	"context"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/exec"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/query"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/sqlfront"
)

// Answer is what a question came to. Total counts the rows of the whole answer,
// of which Rows holds the first.
type Answer struct {
	Rows
	Total int64
	Hints []string // labels that a filter compared with and that do not exist
}

// Query answers a question about one table.
func (e *Engine) Query(ctx context.Context, table string, q query.Question, progress func(done, total int64)) (*Answer, error) {
	s, err := e.acquire(table)
	if err != nil {
		return nil, err
	}
	defer s.release()
	node, err := query.Plan(s.Table, q, e.env())
	if err != nil {
		return nil, err
	}
	return e.answer(ctx, node, q.Limit, progress)
}

// SQL answers one SELECT over the tables with at most limit rows.
func (e *Engine) SQL(ctx context.Context, text string, limit int, progress func(done, total int64)) (*Answer, error) {
	held := map[string]*snapshot{}
	defer func() {
		for _, s := range held {
			s.release()
		}
	}()
	node, err := sqlfront.Plan(text, func(name string) (*col.Table, error) {
		s, err := e.acquire(name)
		if err != nil {
			return nil, err
		}
		// One statement sees one state of a table, however often it names it.
		if first := held[s.Name]; first != nil {
			s.release()
			return first.Table, nil
		}
		held[s.Name] = s
		return s.Table, nil
	}, e.env())
	if err != nil {
		return nil, err
	}
	return e.answer(ctx, node, limit, progress)
}

func (e *Engine) answer(ctx context.Context, node plan.Node, limit int, progress func(done, total int64)) (*Answer, error) {
	res, err := exec.Run(ctx, node, e.run(limit, progress))
	if err != nil {
		return nil, err
	}
	a := &Answer{Rows: Rows{Schema: res.Schema, Values: res.Rows}, Total: res.Total}
	a.Hints = hints(node)
	if len(a.Hints) == 0 {
		return a, nil
	}
	matched := res.Total
	if in := totalled(node); in != nil { // totals are one row, also of nothing
		res, err := exec.Run(ctx, in, e.run(0, nil))
		if err != nil {
			return nil, err
		}
		matched = res.Total
	}
	if matched > 0 {
		a.Hints = nil
	}
	return a, nil
}

// totalled returns what n computes totals of, or nil if it does not.
func totalled(n plan.Node) plan.Node {
	switch n := n.(type) {
	case *plan.Aggregate:
		if len(n.Keys) == 0 {
			return n.In
		}
	case *plan.Project:
		return totalled(n.In)
	case *plan.Sort:
		return totalled(n.In)
	case *plan.Limit:
		return totalled(n.In)
	}
	return nil
}
