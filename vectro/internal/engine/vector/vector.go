// Package vector holds the batches that flow between operators: up to [Size]
// rows, one [Vec] a column, and a selection.
package vector

import (
	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// Size is the most rows a batch holds.
const Size = 2048

// Vec is a run of N values of one type. Which slice is filled depends on T.Base:
//
//	Int, Date      I
//	Huge           I (low 64 bits) and Hi (high)
//	Float          F, never NaN where valid; I, if not nil, the whole number that F rounds, or 0
//	Bool           B
//	String         Codes with Dict, or S where Dict is nil
//	Text           S
//	Null           nothing; every value is missing
//
// Where Valid says a value is missing, the slice holds an arbitrary one (a code
// below Dict.Len, or 0). A Vec belongs to whoever made it until the batch has
// been consumed; slices may alias a table and must not be written then.
type Vec struct {
	T     plan.Type
	N     int
	Valid col.Bitmap // nil: all present
	I     []int64
	Hi    []int64
	F     []float64
	B     []bool
	S     []string
	Codes []uint32
	Dict  *col.Dict
}

// Str returns string i of a String or Text vector that is present.
func (v *Vec) Str(i int) string {
	if v.Dict != nil {
		return v.Dict.Label(v.Codes[i])
	}
	return v.S[i]
}

// Value returns value i.
func (v *Vec) Value(i int) plan.Value {
	if v.T.Base == plan.Null || !v.Valid.Get(i) {
		return plan.Value{}
	}
	x := plan.Value{Base: v.T.Base}
	switch v.T.Base {
	case plan.Int, plan.Date:
		x.I = v.I[i]
	case plan.Huge:
		x.I, x.Hi = v.I[i], v.Hi[i]
	case plan.Float:
		x.F = v.F[i]
		if v.I != nil {
			x.I = v.I[i]
		}
	case plan.Bool:
		if v.B[i] {
			x.I = 1
		}
	case plan.String, plan.Text:
		x.S = v.Str(i)
	}
	return x
}

// Batch is up to [Size] rows. Every Vec has the same N. Sel, if not nil, lists
// the rows that count, ascending; expressions are computed for all rows (they
// have no effects and cannot fail), consumers look at the selected ones.
type Batch struct {
	N    int
	Sel  []uint16
	Cols []*Vec
}

// Rows returns the number of selected rows.
func (b *Batch) Rows() int {
	if b.Sel != nil {
		return len(b.Sel)
	}
	return b.N
}
