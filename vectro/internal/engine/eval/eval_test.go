package eval

import (
	"fmt"
	"strings"
	"sync"
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

func mustCompile(t testing.TB, e plan.Expr) *Program {
	t.Helper()
	p, err := Compile(e)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The columns of the tests and benchmarks below, full batches without gaps.
var (
	regionCol = &plan.Column{Index: 0, Field: plan.Field{Name: "region", Type: plan.Type{Base: plan.String}}}
	priceCol  = &plan.Column{Index: 1, Field: plan.Field{Name: "price", Type: plan.Type{Base: plan.Float}}}
	qtyCol    = &plan.Column{Index: 2, Field: plan.Field{Name: "qty", Type: plan.Type{Base: plan.Int}, Lo: 0, Hi: 50}}
	dayCol    = &plan.Column{Index: 3, Field: plan.Field{Name: "day", Type: plan.Type{Base: plan.Date, Unit: col.Day}, Lo: 18_000, Hi: 19_999}}
	noteCol   = &plan.Column{Index: 4, Field: plan.Field{Name: "note", Type: plan.Type{Base: plan.String}}}
)

func labelDict(n int) *col.Dict {
	d := col.NewDict()
	for i := range n {
		d.Add(fmt.Appendf(nil, "label %d", i))
	}
	return d
}

// fullBatch returns a batch of vector.Size rows; gaps leaves every seventh value out.
func fullBatch(d *col.Dict, gaps bool) *vector.Batch {
	n := vector.Size
	b := &vector.Batch{N: n}
	for _, c := range []*plan.Column{regionCol, priceCol, qtyCol, dayCol, noteCol} {
		v := &vector.Vec{T: c.Type(), N: n}
		for i := range n {
			switch c {
			case regionCol:
				v.Dict, v.Codes = d, append(v.Codes, uint32(i*31%d.Len()))
			case priceCol:
				v.F = append(v.F, float64(i*37%1000)/8)
			case qtyCol:
				v.I = append(v.I, int64(i%51))
			case dayCol:
				v.I = append(v.I, 18_000+int64(i*13%2000))
			case noteCol:
				v.S = append(v.S, fmt.Sprintf("note %d about things", i))
			}
		}
		if gaps {
			v.Valid = col.NewBitmap(n)
			for i := range n {
				if i%7 != 0 {
					v.Valid.Set(i)
				}
			}
		}
		b.Cols = append(b.Cols, v)
	}
	return b
}

// questions are the expressions that are measured and held to allocate nothing.
func questions(t testing.TB) map[string]plan.Expr {
	gt := bind(t, "gt", priceCol, plan.NewInt(100))
	return map[string]plan.Expr{
		"price*qty":                    bind(t, "mul", priceCol, qtyCol),
		"price*0.9+1":                  bind(t, "add", bind(t, "mul", priceCol, plan.NewFloat(0.9)), plan.NewInt(1)),
		"qty+qty":                      bind(t, "add", qtyCol, qtyCol),
		"price>100":                    gt,
		"price>100&&qty<10":            bind(t, "and", gt, bind(t, "lt", qtyCol, plan.NewInt(10))),
		"region==lit":                  bind(t, "eq", regionCol, plan.NewString("label 3")),
		"region in 3":                  bind(t, "in", regionCol, plan.NewString("label 3"), plan.NewString("label 5"), plan.NewString("label 7")),
		"contains(region)":             bind(t, "contains", regionCol, plan.NewString("3")),
		"upper(region)":                bind(t, "upper", regionCol),
		"yearMonth(day)":               bind(t, "yearmonth", dayCol),
		"day>=2023":                    bind(t, "ge", dayCol, plan.NewString("2023")),
		"day==2023-03":                 bind(t, "eq", dayCol, plan.NewString("2023-03")),
		"price>100?'high':'low'":       bind(t, "if", gt, plan.NewString("high"), plan.NewString("low")),
		"coalesce(price,0)":            bind(t, "coalesce", priceCol, plan.NewInt(0)),
		"isMissing(price)":             bind(t, "ismissing", priceCol),
		"note contains":                bind(t, "contains", noteCol, plan.NewString("77 about")),
		"note like":                    bind(t, "like", noteCol, plan.NewString("%77%things")),
		"price between 10 and 20":      bind(t, "between", priceCol, plan.NewInt(10), plan.NewInt(20)),
		"round(price,1)":               bind(t, "round", priceCol, plan.NewInt(1)),
		"sqrt(price)/(qty+1)":          bind(t, "div", bind(t, "sqrt", priceCol), bind(t, "add", qtyCol, plan.NewInt(1))),
		"!(price>100)||region==lit":    bind(t, "or", bind(t, "not", gt), bind(t, "eq", regionCol, plan.NewString("label 3"))),
		"substr(note,1,4)":             bind(t, "substr", noteCol, plan.NewInt(1), plan.NewInt(4)),
		"concat(note,'!')":             bind(t, "concat", noteCol, plan.NewString("!")),
		"toText(qty)":                  bind(t, "totext", qtyCol),
		"least(price,qty)":             bind(t, "least", priceCol, qtyCol),
		"year(day)*100+month(day)":     bind(t, "add", bind(t, "mul", bind(t, "year", dayCol), plan.NewInt(100)), bind(t, "month", dayCol)),
		"addDays(day,qty)>'2020-01-1x": bind(t, "gt", bind(t, "adddays", dayCol, qtyCol), plan.NewString("2020-01-10")),
	}
}

func TestEval_AllocatesNothingInSteadyState(t *testing.T) {
	d := labelDict(1000)
	for name, e := range questions(t) {
		for _, gaps := range []bool{false, true} {
			b := fullBatch(d, gaps)
			s := mustCompile(t, e).NewState()
			run := func() {
				if e.Type().Base == plan.Bool {
					b.Sel = nil
					s.Filter(b)
					return
				}
				s.Eval(b)
			}
			run()
			run()
			if n := testing.AllocsPerRun(20, run); n > 0 {
				t.Errorf("%s (gaps %v) allocates %v times per batch", name, gaps, n)
			}
		}
	}
}

func BenchmarkEval(b *testing.B) {
	d := labelDict(1000)
	for name, e := range questions(b) {
		batch := fullBatch(d, false)
		b.Run(name, func(b *testing.B) {
			s := mustCompile(b, e).NewState()
			s.Eval(batch)
			b.ReportAllocs()
			for b.Loop() {
				s.Eval(batch)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/vector.Size, "ns/row")
		})
	}
}

func TestEval_LabelsAreComputedOnce(t *testing.T) {
	d := col.NewDict()
	for _, l := range []string{"EU", "eu", "NA"} {
		d.Add([]byte(l))
	}
	b := fullBatch(d, true)
	p := mustCompile(t, bind(t, "upper", regionCol))
	v := p.NewState().Eval(b)
	if v.Dict == nil || v.Dict == d || v.Dict.Len() != 2 {
		t.Fatalf("upper(region) is coded in %v, want a dictionary of its own with 2 labels", v.Dict)
	}
	if w := p.NewState().Eval(b); w.Dict != v.Dict {
		t.Error("another state of the program uses another dictionary")
	}
	// Labels and missing values take part in choices too.
	e := bind(t, "coalesce", bind(t, "nullif", regionCol, plan.NewString("NA")), plan.NewString("none"))
	v = mustCompile(t, e).NewState().Eval(b)
	if v.Dict == nil || v.Dict.Len() != 3 || v.Valid != nil {
		t.Fatalf("coalesce of labels: dictionary %v, validity %v", v.Dict, v.Valid)
	}
	for i := range b.N {
		want := "none"
		if b.Cols[0].Valid.Get(i) && b.Cols[0].Str(i) != "NA" {
			want = b.Cols[0].Str(i)
		}
		if got := v.Str(i); got != want {
			t.Fatalf("row %d: %q, want %q", i, got, want)
		}
	}
}

func TestEval_FewRowsOfManyLabelsBuildNoTable(t *testing.T) {
	d := labelDict(200_000)
	b := fullBatch(d, false)
	b.N = 10
	p := mustCompile(t, bind(t, "upper", regionCol))
	s := p.NewState()
	if v := s.Eval(b); v.Dict != nil || v.S[3] != "LABEL 93" || v.N != 10 {
		t.Errorf("ten rows: dictionary %v, text %q", v.Dict, v.S)
	}
	b.N = vector.Size
	if v := s.Eval(b); v.Dict == nil || v.Str(3) != "LABEL 93" {
		t.Error("a full batch is not coded")
	}
}

func TestEval_DaysOutsideTheBoundsAreStillRight(t *testing.T) {
	b := fullBatch(labelDict(3), false)
	v := mustCompile(t, bind(t, "yearmonth", dayCol)).NewState().Eval(b)
	if v.Dict == nil {
		t.Fatal("yearMonth of a bounded column is not coded")
	}
	b.Cols[3].I[5] = 0 // the bounds promised nothing before 18000
	v = mustCompile(t, bind(t, "yearmonth", dayCol)).NewState().Eval(b)
	if got := v.Str(5); got != "1970-01" {
		t.Errorf("row 5: %q, want 1970-01", got)
	}
	if got := v.Str(0); got != "2019-04" {
		t.Errorf("row 0: %q, want 2019-04", got)
	}
}

func TestProgram_IsShared(t *testing.T) {
	d := labelDict(5000)
	e := bind(t, "and", bind(t, "contains", bind(t, "upper", regionCol), plan.NewString("7")),
		bind(t, "eq", bind(t, "yearmonth", dayCol), plan.NewString("2020-02")))
	p := mustCompile(t, e)
	want := fmt.Sprint(mustCompile(t, e).NewState().Eval(fullBatch(d, true)).B)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			s := p.NewState()
			b := fullBatch(d, true)
			for range 5 {
				if got := fmt.Sprint(s.Eval(b).B); got != want {
					t.Error("a worker got another answer")
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestCompile_LongAndSharedExpressions(t *testing.T) {
	// A chain of 10,000 operators needs few slots.
	e := plan.Expr(priceCol)
	for range 10_000 {
		e = bind(t, "add", e, plan.NewInt(1))
	}
	p := mustCompile(t, e)
	b := fullBatch(labelDict(3), false)
	if v := p.NewState().Eval(b); v.F[1] != 37.0/8+10_000 {
		t.Errorf("chain: %v", v.F[1])
	}
	if p.slots > 4 {
		t.Errorf("a chain takes %d slots", p.slots)
	}
	// A part that both operands share is computed once: otherwise this would take
	// 2^200 steps.
	e = priceCol
	for range 200 {
		e = bind(t, "greatest", bind(t, "sub", e, plan.NewFloat(0.5)), e)
	}
	p = mustCompile(t, e)
	if v := p.NewState().Eval(b); v.F[1] != 37.0/8 {
		t.Errorf("shared: %v", v.F[1])
	}
	if len(p.steps) > 1000 {
		t.Errorf("%d steps", len(p.steps))
	}
}

func TestConstant(t *testing.T) {
	if v, ok := Constant(bind(t, "concat", plan.NewString("a"), bind(t, "add", plan.NewInt(1), plan.NewInt(2)))); !ok || v.S != "a3" {
		t.Errorf("got %+v, %v", v, ok)
	}
	if v, ok := Constant(plan.NewNull()); !ok || v.Base != plan.Null {
		t.Errorf("null: got %+v, %v", v, ok)
	}
	if _, ok := Constant(bind(t, "add", priceCol, plan.NewInt(1))); ok {
		t.Error("an expression with a column is no constant")
	}
	if _, ok := Constant(priceCol); ok {
		t.Error("a column is no constant")
	}
}

func TestEval_ConstantsAndColumnsHaveTheLengthOfTheBatch(t *testing.T) {
	b := fullBatch(labelDict(3), true)
	b.N = 100
	for i := range b.Cols {
		v := *b.Cols[i]
		v.N = 100
		b.Cols[i] = &v
	}
	for _, e := range []plan.Expr{plan.NewInt(5), plan.NewNull(), plan.NewString("x"), priceCol,
		bind(t, "concat", plan.NewString("a"), plan.NewString("b"))} {
		if v := mustCompile(t, e).NewState().Eval(b); v.N != 100 {
			t.Errorf("%s: %d values", plan.Format(e), v.N)
		}
	}
	if v := mustCompile(t, plan.NewNull()).NewState().Eval(b); v.Value(99).Base != plan.Null {
		t.Error("null is not missing")
	}
}

func TestCompile_UnknownOperator(t *testing.T) {
	_, err := Compile(&plan.Call{Op: "frobnicate", T: plan.Type{Base: plan.Int}})
	if err == nil || !strings.Contains(err.Error(), "frobnicate") {
		t.Errorf("got %v", err)
	}
}

func TestEval_TextOfOneBatchDoesNotLeakIntoTheNext(t *testing.T) {
	s := mustCompile(t, bind(t, "concat", noteCol, plan.NewString("-"), priceCol)).NewState()
	b := fullBatch(labelDict(3), false)
	first := s.Eval(b).Value(0)
	if first.S != "note 0 about things-0" {
		t.Fatalf("got %q", first.S)
	}
	if got := s.Eval(b).Value(2047).S; got != "note 2047 about things-92.375" {
		t.Errorf("got %q", got)
	}
}

func TestEval_RegexpsFromDataAreBounded(t *testing.T) {
	e := bind(t, "matches", plan.NewString("about"), noteCol)
	s := mustCompile(t, e).NewState()
	b := fullBatch(labelDict(3), false)
	b.Cols[4].S[7] = "("
	v := s.Eval(b)
	if len(s.res) > maxRegexps {
		t.Errorf("%d patterns are remembered", len(s.res))
	}
	if v.Value(7).Base != plan.Null {
		t.Error("a bad pattern gives an answer")
	}
}

func TestAppendVec_SpellsTextOutWhenTheDictionaryIsFull(t *testing.T) {
	n := 300
	out := &vector.Vec{T: plan.Type{Base: plan.String}, N: n, Valid: col.NewBitmap(n), Dict: col.NewDict()}
	for at := 0; at < n; at += 100 {
		v := &vector.Vec{T: out.T, N: 100, Valid: col.NewBitmap(100)}
		for i := range 100 {
			v.S = append(v.S, fmt.Sprint("text ", at+i))
			if i%9 != 0 {
				v.Valid.Set(i)
			}
		}
		appendVec(out, v, 100, at, 5000)
	}
	if out.Dict != nil || len(out.S) != n {
		t.Fatalf("dictionary %v, %d strings", out.Dict, len(out.S))
	}
	for i := range n {
		if ok := i%100%9 != 0; ok != out.Valid.Get(i) || ok && out.Str(i) != fmt.Sprint("text ", i) {
			t.Errorf("value %d: %q, present %v", i, out.S[i], out.Valid.Get(i))
		}
	}
}

func TestEval_LongListOfLabels(t *testing.T) {
	items := []plan.Expr{regionCol}
	for i := range 12 {
		items = append(items, plan.NewString(fmt.Sprint("label ", i*80)))
	}
	p := mustCompile(t, bind(t, "in", items...))
	if p.Type().Base != plan.Bool {
		t.Errorf("type %v", p.Type())
	}
	s := p.NewState()
	// More dictionaries than are remembered, and the first again.
	for k := range 20 {
		d := labelDict(1000 - k%19)
		b := fullBatch(d, false)
		v := s.Eval(b)
		for i := range b.N {
			label := b.Cols[0].Str(i)
			var n int
			fmt.Sscanf(label, "label %d", &n)
			if want := n%80 == 0 && n <= 880; v.B[i] != want {
				t.Fatalf("%s: %v", label, v.B[i])
			}
		}
	}
}

func TestEval_ColumnsThatShareADictionaryCompareByRank(t *testing.T) {
	d := labelDict(100)
	b := fullBatch(d, false)
	other := *b.Cols[0]
	other.Codes = nil
	for i := range b.N {
		other.Codes = append(other.Codes, uint32(i*7%100))
	}
	b.Cols[4] = &other
	for _, op := range []string{"eq", "ne", "lt", "le", "gt", "ge"} {
		v := mustCompile(t, bind(t, op, regionCol, noteCol)).NewState().Eval(b)
		for i := range b.N {
			if want := holds(op, strings.Compare(b.Cols[0].Str(i), other.Str(i))); v.B[i] != want {
				t.Fatalf("%q %s %q = %v", b.Cols[0].Str(i), op, other.Str(i), v.B[i])
			}
		}
	}
}
