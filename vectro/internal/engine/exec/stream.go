package exec

import (
	"context"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/eval"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/vector"
)

// stream is a pipeline without its sink: a source, the condition its rows must
// meet, then steps.
type stream struct {
	src   source
	tests []predicate   // of a table
	cond  *eval.Program // over the source's columns, besides tests; nil: nothing more
	uses  []int         // the columns that cond reads
	skip  func(unit int) bool
	steps []step
	cols  []column // of the output
}

// push takes a batch. The batch and its vectors belong to the caller again when
// push returns; the callee may change its Sel.
type push func(b *vector.Batch) error

// step is one operator of a stream after its condition.
type step interface {
	// needs returns which input columns must be there so that those output columns
	// that need marks can be made.
	needs(need []bool) []bool
	// attach returns a worker's function for the step, which passes its output on.
	attach(need []bool, next push) push
}

// sink is where a stream's rows end up. worker makes the part of one worker.
type sink interface {
	// needs marks the columns of the stream's output that the sink reads.
	needs() []bool
	// run returns how many consecutive units, of so many, a worker takes at a time:
	// a run. It must not depend on the number of workers.
	run(units int) int
	worker(scan *scanner) sinkWorker
}

// sinkWorker gets the batches of one run after another, runs in ascending order.
type sinkWorker interface {
	begin(run int) error
	push(b *vector.Batch) error
	end(run int) error
}

// all reports whether every row of the source gets to the steps.
func (s *stream) all() bool { return s.cond == nil && s.tests == nil }

// needs returns the columns that are needed before each step so that those that
// out marks can be made, and out itself last.
func (s *stream) needs(out []bool) [][]bool {
	need := make([][]bool, len(s.steps)+1)
	need[len(s.steps)] = out
	for i := len(s.steps) - 1; i >= 0; i-- {
		need[i] = s.steps[i].needs(need[i+1])
	}
	return need
}

// chain returns what a worker's scanner passes its batches to: the steps, then out.
func (s *stream) chain(scan *scanner, need [][]bool, out push) push {
	if len(s.steps) == 0 {
		return out
	}
	next := func(b *vector.Batch) error {
		err := out(b)
		scan.sent += int64(b.N)
		return err
	}
	for i := len(s.steps) - 1; i >= 0; i-- {
		next = s.steps[i].attach(need[i+1], next)
	}
	return next
}

// run drives the stream's rows into the sink, on all workers.
func (c *call) run(ctx context.Context, s *stream, k sink) error {
	need := s.needs(k.needs())
	c.progress.add(0, s.src.rows())
	units := s.src.units()
	length := k.run(units)
	return c.parallel(ctx, (units+length-1)/length, func() func(int) error {
		scan := newScanner(c, s, need[0])
		w := k.worker(scan)
		next := s.chain(scan, need, w.push)
		return func(run int) error {
			if err := w.begin(run); err != nil {
				return err
			}
			for unit := run * length; unit < min((run+1)*length, units); unit++ {
				if s.skip == nil || !s.skip(unit) {
					if err := scan.unit(unit, next); err != nil {
						return err
					}
				}
				c.progress.add(int64(s.src.unit(unit)), 0)
			}
			return w.end(run)
		}
	})
}

// scanner is a worker's reader of a stream's source. It evaluates the condition
// on the columns that it reads and loads the others only where rows are left.
type scanner struct {
	c      *call
	src    source
	table  *tableSource // that tests is about
	tests  []predicate
	cond   *eval.State
	all    bool   // there is neither
	uses   []int  // columns of the condition
	need   []bool // columns of the output
	rest   []int  // columns of the output that the condition does not read
	both   []int  // those that it does
	bufs   []vector.Buffer
	tight  []vector.Buffer // closed-up copies of the condition's columns
	batch  vector.Batch
	kept   []uint16
	passed []uint16 // rows that passed the tests

	// Where the rows of the batch now pushed come from: row i is number
	// base + picked[i], or base + i if picked is nil.
	base   int64
	picked []uint16
	done   bool // set by a sink that needs no more of this unit

	// Where steps come between, rows are numbered as they leave the last of them:
	// by unit, batch of the source, and place among all that the batch has become.
	steps bool
	place int64 // of the batch of the source
	sent  int64 // rows that it has become so far
}

// The parts of a number given after steps: unit, batch (of a unit of at most
// unitBatches), place.
const (
	placeBits = 36
	batchBits = 6
)

func newScanner(c *call, s *stream, need []bool) *scanner {
	k := s.src.columns()
	sc := &scanner{c: c, src: s.src, tests: s.tests, all: s.all(), uses: s.uses, need: need, bufs: make([]vector.Buffer, k), steps: len(s.steps) > 0}
	if s.tests != nil {
		sc.table = s.src.(*tableSource)
		sc.passed = make([]uint16, vector.Size)
	}
	sc.kept = make([]uint16, 0, vector.Size)
	sc.batch.Cols = make([]*vector.Vec, k)
	read := make([]bool, k)
	if s.cond != nil {
		sc.cond = s.cond.NewState()
		sc.tight = make([]vector.Buffer, k)
		for _, i := range s.uses {
			read[i] = true
		}
	}
	for i := range k {
		switch {
		case need[i] && read[i]:
			sc.both = append(sc.both, i)
		case need[i]:
			sc.rest = append(sc.rest, i)
		}
	}
	return sc
}

// number returns the number of row i of the batch that the sink is being given:
// the source's own or, after steps, one for [call.refetch]. Numbers ascend in the
// order of the rows.
func (s *scanner) number(i uint16) int64 {
	if s.steps {
		return s.place + s.sent + int64(i)
	}
	if s.picked != nil {
		return s.base + int64(s.picked[i])
	}
	return s.base + int64(i)
}

// sparse is the share of a batch's rows, one in so many, below which the rows
// that passed the condition are closed up: expressions and later operators then
// work on few rows instead of skipping many.
const sparse = 3

func (s *scanner) unit(u int, next push) error {
	rows := s.src.unit(u)
	s.done = false
	for b := range batches(rows) {
		if s.c.stop.Load() {
			return errStopped
		}
		if err := s.one(u, b, next); err != nil || s.done {
			return err
		}
	}
	return nil
}

// one reads batch b of unit u.
func (s *scanner) one(u, b int, next push) error {
	n := min(vector.Size, s.src.unit(u)-b*vector.Size)
	s.base, s.picked = s.src.number(u, b), nil
	s.place, s.sent = int64(u)<<(placeBits+batchBits)|int64(b)<<placeBits, 0
	batch := &s.batch
	batch.N, batch.Sel = n, nil
	if len(s.tests) > 0 {
		for i := range s.tests {
			batch.Sel = s.table.test(&s.tests[i], s.passed[:0], batch.Sel, u, b)
			if len(batch.Sel) == 0 {
				break
			}
		}
		if len(batch.Sel) == 0 {
			return nil
		}
		if len(batch.Sel) == n {
			batch.Sel = nil
		}
	}
	var closed []uint16
	if batch.Sel != nil && len(batch.Sel) < n/sparse {
		// Few are left: the condition, too, is computed for them alone.
		closed = append(s.kept[:0], batch.Sel...)
		batch.N, batch.Sel, s.picked = len(closed), nil, closed
	}
	if s.cond != nil {
		for _, i := range s.uses {
			s.src.load(&s.bufs[i], i, u, b, closed)
			batch.Cols[i] = &s.bufs[i].Vec
		}
		s.cond.Filter(batch)
		if len(batch.Sel) == 0 {
			return nil
		}
		if len(batch.Sel) < batch.N/sparse {
			for _, i := range s.both {
				s.tight[i].Take(&s.bufs[i].Vec, batch.Sel)
				batch.Cols[i] = &s.tight[i].Vec
			}
			if closed == nil {
				closed = append(s.kept[:0], batch.Sel...)
			} else {
				for i, r := range batch.Sel { // ascending, so i ≤ r
					closed[i] = closed[r]
				}
				closed = closed[:len(batch.Sel)]
			}
			batch.N, batch.Sel, s.picked = len(closed), nil, closed
		}
	}
	for _, i := range s.rest {
		s.src.load(&s.bufs[i], i, u, b, closed)
		batch.Cols[i] = &s.bufs[i].Vec
	}
	return next(batch)
}

// filterStep keeps the rows that meet a condition.
type filterStep struct {
	cond *eval.Program
	uses []int
}

func (f *filterStep) needs(need []bool) []bool {
	in := append([]bool(nil), need...)
	for _, i := range f.uses {
		in[i] = true
	}
	return in
}

func (f *filterStep) attach(_ []bool, next push) push {
	cond := f.cond.NewState()
	return func(b *vector.Batch) error {
		cond.Filter(b)
		if b.Rows() == 0 {
			return nil
		}
		return next(b)
	}
}

// projectStep computes one expression per output column.
type projectStep struct {
	progs  []*eval.Program
	direct []int   // the input column that an output column merely repeats, or -1
	uses   [][]int // per output column
	width  int     // of the input
}

func newProjectStep(exprs []plan.Expr, width int) (*projectStep, error) {
	p := &projectStep{width: width}
	for _, e := range exprs {
		at := -1
		var prog *eval.Program
		if c, ok := e.(*plan.Column); ok {
			at = c.Index
		} else {
			var err error
			if prog, err = eval.Compile(e); err != nil {
				return nil, err
			}
		}
		p.progs = append(p.progs, prog)
		p.direct = append(p.direct, at)
		p.uses = append(p.uses, columnsOf(e))
	}
	return p, nil
}

func (p *projectStep) needs(need []bool) []bool {
	in := make([]bool, p.width)
	for i, on := range need {
		if on {
			for _, c := range p.uses[i] {
				in[c] = true
			}
		}
	}
	return in
}

func (p *projectStep) attach(need []bool, next push) push {
	states := make([]*eval.State, len(p.progs))
	for i, prog := range p.progs {
		if prog != nil && need[i] {
			states[i] = prog.NewState()
		}
	}
	out := vector.Batch{Cols: make([]*vector.Vec, len(p.progs))}
	return func(b *vector.Batch) error {
		out.N, out.Sel = b.N, b.Sel
		for i, st := range states {
			switch {
			case st != nil:
				out.Cols[i] = st.Eval(b)
			case need[i]:
				out.Cols[i] = b.Cols[p.direct[i]]
			}
		}
		return next(&out)
	}
}

// columnsOf returns the input columns that e reads, ascending.
func columnsOf(e plan.Expr) []int {
	var out []int
	walk(e, func(c *plan.Column) {
		for i, x := range out {
			if x == c.Index {
				return
			}
			if x > c.Index {
				out = append(out, 0)
				copy(out[i+1:], out[i:])
				out[i] = c.Index
				return
			}
		}
		out = append(out, c.Index)
	})
	return out
}

// walk visits the columns that e reads, each place that reads one. Parts that an
// expression holds several times (it may be a graph) are visited once.
func walk(e plan.Expr, visit func(*plan.Column)) {
	var seen map[*plan.Call]bool
	var step func(e plan.Expr)
	step = func(e plan.Expr) {
		switch x := e.(type) {
		case *plan.Column:
			visit(x)
		case *plan.Call:
			if seen[x] {
				return
			}
			if seen == nil {
				seen = map[*plan.Call]bool{}
			}
			seen[x] = true
			for _, a := range x.Args {
				step(a)
			}
		}
	}
	step(e)
}

// rewrite returns e with every column replaced; parts without columns are shared
// with e, and so are, among each other, parts that e holds several times.
func rewrite(e plan.Expr, column func(*plan.Column) plan.Expr) plan.Expr {
	var done map[*plan.Call]plan.Expr
	var step func(e plan.Expr) plan.Expr
	step = func(e plan.Expr) plan.Expr {
		switch x := e.(type) {
		case *plan.Column:
			return column(x)
		case *plan.Call:
			if r, ok := done[x]; ok {
				return r
			}
			args := make([]plan.Expr, len(x.Args))
			same := true
			for i, a := range x.Args {
				args[i] = step(a)
				same = same && args[i] == a
			}
			r := e
			if !same {
				y := *x
				y.Args = args
				r = &y
			}
			if done == nil {
				done = map[*plan.Call]plan.Expr{}
			}
			done[x] = r
			return r
		}
		return e
	}
	return step(e)
}
