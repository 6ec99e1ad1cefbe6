package eval

import (
	"unsafe"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/vector"
)

// MaxText is the longest text, in bytes, that a joining, replacing or padding
// function makes; a longer result is missing. Nesting such functions would
// otherwise let a short expression fill the memory.
const MaxText = 256 << 10

// row is how functions of text and dates see the arguments of one row, all present.
type row struct {
	i    int
	vecs []*vector.Vec
	strs [][]string
}

func (r *row) text(k int) string  { return r.strs[k][r.i] }
func (r *row) int(k int) int64    { return r.vecs[k].I[r.i] }
func (r *row) has(k int) bool     { return k < len(r.vecs) }
func (r *row) present(k int) bool { return r.vecs[k].Valid.Get(r.i) }

// The places that results of type T go to.
func floatOut(b *vector.Buffer, n int) []float64 { return b.Floats(n) }
func intOut(b *vector.Buffer, n int) []int64     { return b.Ints(n) }
func boolOut(b *vector.Buffer, n int) []bool     { return b.Bools(n) }
func textOut(b *vector.Buffer, n int) []string   { return b.Strs(n) }

// rows returns the builder of a function that is computed row by row, where every
// argument is present; f's second result false means missing.
func rows[T any](place func(*vector.Buffer, int) []T, f func(*State, *row) (T, bool)) builder {
	return func(c *compiler, x *plan.Call) operand {
		in := c.args(x)
		o, t := c.slot(), x.T
		isText := make([]bool, len(in))
		for i, a := range x.Args {
			isText[i] = a.Type().Base == plan.String
		}
		c.emit(func(s *State) {
			r := s.result(o, t)
			a := s.rowOf(in, isText)
			narrow(r, a.vecs)
			out := place(r, s.n)
			for i := range out {
				var zero T
				if !r.Valid.Get(i) {
					out[i] = zero
					continue
				}
				a.i = i
				v, ok := f(s, a)
				if !ok {
					bitsOf(r).Clear(i)
					v = zero
				}
				out[i] = v
			}
		})
		c.release(in...)
		return o
	}
}

// rowOf readies the state's row for those operands.
func (s *State) rowOf(in []operand, isText []bool) *row {
	r := &s.row
	for len(r.vecs) < len(in) {
		r.vecs, r.strs = append(r.vecs, nil), append(r.strs, nil)
	}
	r.vecs, r.strs = r.vecs[:len(in)], r.strs[:len(in)]
	for k, o := range in {
		r.vecs[k], r.strs[k] = s.vec(o), nil
		if isText[k] {
			r.strs[k] = s.texts(k, r.vecs[k])
		}
	}
	return r
}

// from returns what has been appended to s.buf from start on, as a string that is
// valid until the next batch. (When buf grows, what was returned before keeps the
// old memory alive.)
func (s *State) from(start int) string {
	b := s.buf[start:]
	return unsafe.String(unsafe.SliceData(b), len(b))
}
