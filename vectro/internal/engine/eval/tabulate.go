package eval

import (
	"strings"
	"sync"
	"sync/atomic"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/vector"
)

// maxDays is the longest range of days that is tabulated: 179 years.
const maxDays = 1 << 16

// calendar are the operators that take calendar arithmetic or write text, so that
// doing them once per day and looking the rest up pays.
var calendar = map[string]bool{
	"year": true, "quarter": true, "month": true, "day": true, "weekday": true, "week": true, "dayofyear": true, "dow": true,
	"isoyear": true, "decade": true, "century": true, "millennium": true, "yearmonth": true, "datetrunc": true,
	"addmonths": true, "diff": true, "to_char": true, "totext": true,
}

// domain is a part of a program that depends on one column of few values: labels of
// a dictionary, or days within bounds. It is computed once per value by a program of
// its own, whose results the rows look up.
type domain struct {
	sub    *Program
	column int
	t      plan.Type // of the column
	lo, n  int64     // days: the first and how many

	rows atomic.Int64 // seen without a table

	mu     sync.Mutex
	tables map[*col.Dict]*table // nil Dict: days
}

// table holds a result per value, and last the result for a missing value.
type table struct {
	vector.Vec
	holes   bool // the result for some value is missing
	missing bool // the result for a missing value is present
}

// domainState is what a worker knows of a domain.
type domainState struct {
	sub   *State
	batch vector.Batch
	dict  *col.Dict
	table *table // the domain's for dict
}

// tabulate emits a look-up in place of x, which depends on one column, where that
// is worth it.
func (c *compiler) tabulate(x *plan.Call, in info) (operand, bool) {
	d := &domain{column: in.column.Index, t: in.column.Field.Type, tables: map[*col.Dict]*table{}}
	switch {
	case d.t.Base == plan.String:
		if simpleTest(x) {
			return operand{}, false
		}
	case d.t.Base == plan.Date && d.t.Unit == col.Day && in.dates:
		lo, hi, ok := plan.Bounds(in.column)
		if !ok || hi < lo || hi-lo >= maxDays {
			return operand{}, false
		}
		d.lo, d.n = lo, hi-lo+1
	default:
		return operand{}, false
	}
	sub, err := compile(x, false)
	if err != nil {
		return operand{}, false // compile has checked the whole expression
	}
	d.sub = sub
	k := len(c.p.doms)
	c.p.doms = append(c.p.doms, d)
	o := c.slot()
	c.emit(func(s *State) { d.eval(s, k, s.result(o, x.T)) })
	return o, true
}

// simpleTest reports whether x is a test of a bare column that codes and validity
// answer without any table.
func simpleTest(x *plan.Call) bool {
	if _, ok := x.Args[0].(*plan.Column); !ok {
		return false
	}
	switch x.Op {
	case "isnull", "notnull":
		return true
	case "in":
		for _, a := range x.Args[1:] {
			if _, ok := a.(*plan.Literal); !ok {
				return false
			}
		}
		return true
	case "eq", "ne":
		_, ok := x.Args[1].(*plan.Literal)
		return ok
	}
	return false
}

func (d *domain) eval(s *State, k int, r *vector.Buffer) {
	st := &s.doms[k]
	if st.sub == nil {
		st.sub = d.sub.NewState()
		st.batch.Cols = make([]*vector.Vec, d.column+1)
	}
	v := s.b.Cols[d.column]
	t := d.tableFor(st, v, s.n)
	if t == nil || d.n > 0 && !d.inside(s, v) {
		st.batch.N, st.batch.Cols[d.column] = s.n, v
		out := st.sub.Eval(&st.batch)
		// The sub-state is used once per batch, so its result lives as long as ours.
		r.Vec = *out
		return
	}
	look(r, t, s.indexes(d, v, t))
	if v.Valid == nil || t.missing {
		return // nothing is missing, or indexes leads missing rows to the last entry
	}
	narrow(r, []*vector.Vec{v})
}

// size returns the number of values: the table has one entry more, for missing.
func (d *domain) size(v *vector.Vec) int64 {
	if d.n > 0 {
		return d.n
	}
	return int64(v.Dict.Len())
}

// tableFor returns the table for v, or nil where computing row by row is cheaper so
// far: a table of many labels for a handful of rows would be waste.
func (d *domain) tableFor(st *domainState, v *vector.Vec, n int) *table {
	if d.n == 0 && v.Dict == nil {
		return nil
	}
	if st.table != nil && st.dict == v.Dict {
		return st.table
	}
	size := d.size(v)
	d.mu.Lock()
	defer d.mu.Unlock()
	t := d.tables[v.Dict]
	if t == nil {
		if seen := d.rows.Add(int64(n)); int64(n)*512 < size && seen*16 < size {
			return nil
		}
		t = d.build(v.Dict, size)
		if len(d.tables) >= 4 {
			clear(d.tables) // a stream of dictionaries must not pile up
		}
		d.tables[v.Dict] = t
	}
	st.dict, st.table = v.Dict, t
	return t
}

// build computes the sub-program for every value and for a missing one.
func (d *domain) build(dict *col.Dict, size int64) *table {
	t := &table{Vec: vector.Vec{T: d.sub.t, N: int(size) + 1, Valid: col.NewBitmap(int(size) + 1)}}
	out := &t.Vec
	state := d.sub.NewState()
	var in vector.Buffer
	b := vector.Batch{Cols: make([]*vector.Vec, d.column+1)}
	b.Cols[d.column] = &in.Vec
	if out.T.Base == plan.String {
		out.Dict = col.NewDict()
	}
	for at := int64(0); at <= size; at += vector.Size {
		n := int(min(vector.Size, size+1-at))
		in.Reset(d.t, n)
		last := at+int64(n) == size+1
		values := n
		if last {
			values--
			ones(in.Bits(n), values)
		}
		if d.n > 0 {
			days := in.Ints(n)
			for i := range days {
				days[i] = d.lo + at + int64(i)
			}
		} else {
			labels := in.Strs(n)
			for i := range values {
				labels[i] = dict.Label(uint32(at) + uint32(i))
			}
			if last {
				labels[values] = ""
			}
		}
		b.N = n
		appendVec(out, state.Eval(&b), n, int(at), maxTableDict)
	}
	t.missing = out.Valid.Get(int(size))
	present := out.Valid.Count(out.N)
	if t.missing {
		present--
	}
	t.holes = present < int(size)
	return t
}

// maxTableDict is the most memory that a table's dictionary takes; beyond it the
// table holds plain strings.
const maxTableDict = 1 << 30

// appendVec appends n values of v to out, the first of which becomes value at. Text
// becomes codes as long as the dictionary takes less than room bytes.
func appendVec(out, v *vector.Vec, n, at int, room int64) {
	for i := range n {
		if v.Valid.Get(i) {
			out.Valid.Set(at + i)
		}
	}
	switch out.T.Base {
	case plan.Int, plan.Date:
		out.I = append(out.I, v.I[:n]...)
	case plan.Huge:
		out.I = append(out.I, v.I[:n]...)
		out.Hi = append(out.Hi, v.Hi[:n]...)
	case plan.Float:
		out.F = append(out.F, v.F[:n]...)
	case plan.Bool:
		out.B = append(out.B, v.B[:n]...)
	case plan.String:
		for i := range n {
			text := ""
			if out.Valid.Get(at + i) {
				text = v.Str(i)
			}
			if out.Dict == nil {
				out.S = append(out.S, strings.Clone(text))
				continue
			}
			code, ok := uint32(0), true
			if out.Valid.Get(at + i) {
				if ok = out.Dict.Bytes() < room; ok {
					code, ok = out.Dict.Add([]byte(text))
				}
			}
			out.Codes = append(out.Codes, code)
			if !ok {
				spell(out)
				out.S[at+i] = strings.Clone(text)
			}
		}
	}
}

// spell turns codes into strings.
func spell(v *vector.Vec) {
	v.S = make([]string, len(v.Codes))
	for i, c := range v.Codes {
		if v.Valid.Get(i) && int(c) < v.Dict.Len() {
			v.S[i] = v.Dict.Label(c)
		}
	}
	v.Dict, v.Codes = nil, nil
}

// inside reports whether every present day of v is within the domain. It is, unless
// someone gave a column wrong bounds; then the rows are computed one by one.
func (d *domain) inside(s *State, v *vector.Vec) bool {
	days := v.I[:s.n]
	outside := false
	for _, day := range days {
		if uint64(day-d.lo) >= uint64(d.n) {
			outside = true
		}
	}
	if !outside {
		return true
	}
	for i, day := range days {
		if uint64(day-d.lo) >= uint64(d.n) && v.Valid.Get(i) {
			return false
		}
	}
	return true
}

// indexes returns where in the table each row looks.
func (s *State) indexes(d *domain, v *vector.Vec, t *table) []uint32 {
	last := uint32(t.N - 1)
	missingMatters := v.Valid != nil && t.missing
	if d.n == 0 && !missingMatters {
		return v.Codes[:s.n]
	}
	if s.index == nil {
		s.index = make([]uint32, vector.Size)
	}
	index := s.index[:s.n]
	if d.n == 0 {
		copy(index, v.Codes[:s.n])
	} else {
		days := v.I[:s.n]
		for i := range index {
			index[i] = min(uint32(uint64(days[i]-d.lo)), last)
		}
	}
	if missingMatters {
		for i := range index {
			if !v.Valid.Get(i) {
				index[i] = last
			}
		}
	}
	return index
}

// look fills r with the table's entries.
func look(r *vector.Buffer, table *table, index []uint32) {
	n := len(index)
	switch table.T.Base {
	case plan.Int, plan.Date:
		gather(r.Ints(n), table.I, index)
	case plan.Huge:
		gather(r.Ints(n), table.I, index)
		gather(r.Highs(n), table.Hi, index)
	case plan.Float:
		gather(r.Floats(n), table.F, index)
	case plan.Bool:
		gather(r.Bools(n), table.B, index)
	case plan.String:
		if table.Dict != nil {
			gather(r.CodesOf(table.Dict, n), table.Codes, index)
		} else {
			gather(r.Strs(n), table.S, index)
		}
	}
	if !table.holes {
		return
	}
	w := r.Bits(n)
	for i, k := range index {
		w[i>>6] |= (table.Valid[k>>6] >> (k & 63) & 1) << (i & 63)
	}
}

func gather[T any](o, table []T, index []uint32) {
	for i, k := range index {
		o[i] = table[k]
	}
}
