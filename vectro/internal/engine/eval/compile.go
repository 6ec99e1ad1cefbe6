package eval

import (
	"fmt"
	"math"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/vector"
)

// Program is a compiled expression. It is immutable (what it caches is behind a
// lock) and may be shared by any number of States.
type Program struct {
	t      plan.Type
	steps  []step
	out    operand
	slots  int
	consts []constant
	doms   []*domain
}

// Type returns the type of the program's results.
func (p *Program) Type() plan.Type { return p.t }

// A step computes one operator for all rows of the state's batch.
type step func(s *State)

// operand says where a vector comes from.
type operand struct {
	from source
	i    int
}

type source uint8

const (
	fromSlot   source = iota // the result of an earlier step
	fromColumn               // a column of the batch
	fromConst                // a constant
)

// constant is a literal; vec repeats it vector.Size times where a step wants that.
type constant struct {
	val plan.Value
	t   plan.Type
	vec *vector.Vec
}

type compiler struct {
	p    *Program
	free []int // slots that no pending step reads
	// An expression may reach the compiler as a graph: a part that several parents
	// share is computed once, into a slot that is never reused.
	shared map[*plan.Call]bool
	done   map[*plan.Call]operand
	pinned map[int]bool // the slots of shared parts
	info   map[*plan.Call]info
	consts map[constKey]operand
}

type constKey struct {
	val  plan.Value
	bits uint64 // of a float: 0 and -0 are equal as values
	t    plan.Type
	dict *col.Dict
}

// info tells what an expression depends on.
type info struct {
	columns int          // 0, 1 or 2 for more
	column  *plan.Column // if columns is 1
	dates   bool         // it holds a calendar computation, worth doing once per day
}

func (a info) merge(b info) info {
	r := info{columns: a.columns, column: a.column, dates: a.dates || b.dates}
	switch {
	case b.columns == 0:
	case a.columns == 0:
		r.columns, r.column = b.columns, b.column
	case b.columns == 2 || a.columns == 2 || a.column.Index != b.column.Index:
		r.columns, r.column = 2, nil
	}
	return r
}

// builder emits the steps of one operator and returns where its result is.
type builder func(c *compiler, x *plan.Call) operand

// builders holds the operators by canonical name; filled by init, because builders
// compile their arguments.
var builders map[string]builder

func init() {
	builders = map[string]builder{}
	for _, m := range []map[string]builder{arithmeticBuilders, compareBuilders, logicBuilders, chooseBuilders, castBuilders, textBuilders, dateBuilders} {
		for op, b := range m {
			builders[op] = b
		}
	}
}

// Compile prepares e, which [plan.Bind] made. It fails on an operator that this
// package does not know, which is a programmer's mistake.
func Compile(e plan.Expr) (*Program, error) { return compile(e, true) }

// compile is Compile; tables tells whether parts may be computed once per label.
func compile(e plan.Expr, tables bool) (*Program, error) {
	c := &compiler{
		p: &Program{t: e.Type()}, shared: map[*plan.Call]bool{}, done: map[*plan.Call]operand{},
		pinned: map[int]bool{}, info: map[*plan.Call]info{}, consts: map[constKey]operand{},
	}
	if err := c.analyse(e); err != nil {
		return nil, err
	}
	if !tables {
		for x, in := range c.info {
			in.columns = 2
			c.info[x] = in
		}
	}
	c.p.out = c.expr(e)
	if c.p.out.from == fromConst {
		c.wide(c.p.out)
	}
	return c.p, nil
}

// analyse finds what every part depends on and which parts are shared.
func (c *compiler) analyse(e plan.Expr) error {
	x, ok := e.(*plan.Call)
	if !ok {
		return nil
	}
	if _, seen := c.info[x]; seen {
		c.shared[x] = true
		return nil
	}
	if builders[x.Op] == nil {
		return fmt.Errorf("eval: no operator %q", x.Op)
	}
	in := info{dates: calendar[x.Op]}
	for _, a := range x.Args {
		if err := c.analyse(a); err != nil {
			return err
		}
		in = in.merge(c.dependsOn(a))
	}
	c.info[x] = in
	return nil
}

func (c *compiler) dependsOn(e plan.Expr) info {
	switch x := e.(type) {
	case *plan.Column:
		return info{columns: 1, column: x}
	case *plan.Call:
		return c.info[x]
	}
	return info{}
}

// expr emits the steps of e.
func (c *compiler) expr(e plan.Expr) operand {
	switch x := e.(type) {
	case *plan.Column:
		return operand{fromColumn, x.Index}
	case *plan.Literal:
		return c.constant(x.Value, x.T)
	}
	x := e.(*plan.Call)
	if o, ok := c.done[x]; ok {
		return o
	}
	o := c.call(x)
	if c.shared[x] {
		c.done[x] = o
		if o.from == fromSlot {
			c.pinned[o.i] = true
		}
	}
	return o
}

func (c *compiler) call(x *plan.Call) operand {
	in := c.info[x]
	if in.columns == 0 {
		if v, ok := fold(x); ok {
			return c.constant(v, x.T)
		}
	}
	if in.columns == 1 {
		if o, ok := c.tabulate(x, in); ok {
			return o
		}
	}
	if x.T.Base == plan.Huge {
		if b := hugeBuilders[x.Op]; b != nil {
			return b(c, x)
		}
	}
	return builders[x.Op](c, x)
}

// fold computes a call without columns.
func fold(x *plan.Call) (plan.Value, bool) {
	p, err := compile(x, false)
	if err != nil {
		return plan.Value{}, false
	}
	v := p.NewState().Eval(&vector.Batch{N: 1}).Value(0)
	return cloneValue(v), true
}

// Constant computes an expression without columns. ok is false for one with columns.
func Constant(e plan.Expr) (v plan.Value, ok bool) {
	switch x := e.(type) {
	case *plan.Literal:
		return x.Value, true
	case *plan.Call:
		c := &compiler{info: map[*plan.Call]info{}, shared: map[*plan.Call]bool{}}
		if c.analyse(x) != nil || c.info[x].columns != 0 {
			return v, false
		}
		return fold(x)
	}
	return v, false
}

// constant returns the operand of a literal.
func (c *compiler) constant(v plan.Value, t plan.Type) operand {
	if v.Base == plan.Null {
		v = plan.Value{}
	}
	k := constKey{val: v, bits: math.Float64bits(v.F), t: t}
	if o, ok := c.consts[k]; ok {
		return o
	}
	o := operand{fromConst, len(c.p.consts)}
	c.p.consts = append(c.p.consts, constant{val: v, t: t})
	c.consts[k] = o
	return o
}

// value returns the literal that o stands for, if it is one.
func (c *compiler) value(o operand) (plan.Value, bool) {
	if o.from != fromConst {
		return plan.Value{}, false
	}
	return c.p.consts[o.i].val, true
}

// wide sees to it that o, if constant, can be read as a vector.
func (c *compiler) wide(o operand) operand {
	if o.from == fromConst && c.p.consts[o.i].vec == nil {
		k := &c.p.consts[o.i]
		k.vec = repeat(k.val, k.t)
	}
	return o
}

// repeat returns vector.Size copies of v.
func repeat(v plan.Value, t plan.Type) *vector.Vec {
	var b vector.Buffer
	n := vector.Size
	b.Reset(t, n)
	fill := func(s []int64, x int64) {
		for i := range s {
			s[i] = x
		}
	}
	switch t.Base {
	case plan.Int, plan.Date:
		fill(b.Ints(n), v.I)
	case plan.Huge:
		fill(b.Ints(n), v.I)
		fill(b.Highs(n), v.Hi)
	case plan.Float:
		for i, f := 0, b.Floats(n); i < n; i++ {
			f[i] = v.F
		}
	case plan.Bool:
		for i, f := 0, b.Bools(n); i < n; i++ {
			f[i] = v.I != 0
		}
	case plan.String, plan.Text:
		for i, f := 0, b.Strs(n); i < n; i++ {
			f[i] = v.S
		}
	}
	if v.Base == plan.Null {
		b.Bits(n)
	}
	return &b.Vec
}

// args emits the steps of all arguments, which can then be read as vectors.
func (c *compiler) args(x *plan.Call) []operand {
	ops := make([]operand, len(x.Args))
	for i, a := range x.Args {
		ops[i] = c.wide(c.expr(a))
	}
	return ops
}

// slot returns a slot for a result.
func (c *compiler) slot() operand {
	if n := len(c.free); n > 0 {
		i := c.free[n-1]
		c.free = c.free[:n-1]
		return operand{fromSlot, i}
	}
	c.p.slots++
	return operand{fromSlot, c.p.slots - 1}
}

// release gives the slots of consumed operands back. The slot of the step that
// consumed them must have been taken before.
func (c *compiler) release(ops ...operand) {
	for _, o := range ops {
		if o.from == fromSlot && !c.pinned[o.i] {
			c.free = append(c.free, o.i)
		}
	}
}

func (c *compiler) emit(f step) { c.p.steps = append(c.p.steps, f) }

// State runs a [Program] for one goroutine at a time.
type State struct {
	p     *Program
	b     *vector.Batch
	n     int
	slots []vector.Buffer
	doms  []domainState
	out   vector.Vec
	sel   []uint16

	strs  [][]string // dictionary columns written out, by argument
	row   row
	index []uint32
	words [3][]uint64 // conditions as bits
	buf   []byte      // text computed for this batch
	res   regexps
	sets  map[codeSetKey]*codeSet
}

// NewState returns scratch for one worker.
func (p *Program) NewState() *State {
	return &State{p: p, slots: make([]vector.Buffer, p.slots), doms: make([]domainState, len(p.doms))}
}

// keepText is the most text scratch that is kept from one batch to the next.
const keepText = 4 << 20

// Eval computes the expression for all b.N rows. The result has N = b.N; it, and
// the text in it, is valid until the next Eval or Filter of s. It may share memory
// with the batch and must not be written.
func (s *State) Eval(b *vector.Batch) *vector.Vec {
	s.b, s.n = b, b.N
	if cap(s.buf) > keepText {
		s.buf = nil
	}
	s.buf = s.buf[:0]
	for _, step := range s.p.steps {
		step(s)
	}
	if s.p.out.from != fromConst {
		return s.vec(s.p.out)
	}
	s.out = *s.p.consts[s.p.out.i].vec
	cutVec(&s.out, s.n)
	return &s.out
}

// cutVec shortens a constant's vector to n values.
func cutVec(v *vector.Vec, n int) {
	v.N = n
	v.I, v.Hi, v.F, v.B, v.S, v.Codes = upto(v.I, n), upto(v.Hi, n), upto(v.F, n), upto(v.B, n), upto(v.S, n), upto(v.Codes, n)
	if v.Valid != nil {
		v.Valid = v.Valid[:(n+63)/64] // of a missing constant: no bit is set
	}
}

func upto[T any](s []T, n int) []T {
	if s == nil {
		return nil
	}
	return s[:n]
}

// Filter narrows b.Sel to the rows for which the program, of type Bool, is true. The
// new selection belongs to s until its next Eval or Filter.
func (s *State) Filter(b *vector.Batch) {
	v := s.Eval(b)
	if s.sel == nil {
		s.sel = make([]uint16, 0, vector.Size)
	}
	// b.Sel may be s.sel itself, from an earlier use of the batch; True narrows in place.
	s.sel = vector.True(s.sel[:0], b.Sel, b.N, v)
	b.Sel = s.sel
}

// vec returns the vector of an operand; for a constant that is one of vector.Size
// values, so kernels go by s.n.
func (s *State) vec(o operand) *vector.Vec {
	switch o.from {
	case fromSlot:
		return &s.slots[o.i].Vec
	case fromColumn:
		return s.b.Cols[o.i]
	}
	return s.p.consts[o.i].vec
}

// result readies the slot of a step for s.n values of type t.
func (s *State) result(o operand, t plan.Type) *vector.Buffer {
	b := &s.slots[o.i]
	b.Reset(t, s.n)
	return b
}

// cloneValue makes v independent of scratch memory.
func cloneValue(v plan.Value) plan.Value {
	v.S = string(append([]byte(nil), v.S...))
	return v
}
