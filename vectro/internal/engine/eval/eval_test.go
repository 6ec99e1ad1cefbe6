package eval

import (
	"testing"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/vector"
)

func bind(t testing.TB, op string, args ...plan.Expr) plan.Expr {
	t.Helper()
	e, err := plan.Bind(op, args)
	if err != nil {
		t.Fatalf("Bind(%s): %v", op, err)
	}
	return e
}

func TestSmoke(t *testing.T) {
	d := col.NewDict()
	for _, l := range []string{"EU", "NA", "eu"} {
		d.Add([]byte(l))
	}
	region := &plan.Column{Index: 0, Field: plan.Field{Name: "region", Type: plan.Type{Base: plan.String}}}
	price := &plan.Column{Index: 1, Field: plan.Field{Name: "price", Type: plan.Type{Base: plan.Float}}}
	b := &vector.Batch{N: 4, Cols: []*vector.Vec{
		{T: region.Type(), N: 4, Codes: []uint32{0, 1, 2, 0}, Dict: d, Valid: col.Bitmap{7}},
		{T: price.Type(), N: 4, F: []float64{1, 2, 3, 4}},
	}}
	e := bind(t, "if", bind(t, "and", bind(t, "eq", bind(t, "upper", region), plan.NewString("EU")), bind(t, "gt", price, plan.NewInt(1))),
		bind(t, "concat", region, plan.NewString("!"), price), plan.NewString("-"))
	p, err := Compile(e)
	if err != nil {
		t.Fatal(err)
	}
	v := p.NewState().Eval(b)
	for i, want := range []string{"-", "-", "eu!3", "-"} {
		if got := v.Value(i); got.S != want {
			t.Errorf("row %d: %+v, want %q", i, got, want)
		}
	}
}
