package exec

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/big"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// This file answers plans a row at a time, from the documentation of package plan
// and nothing of this package, to compare with.

type row = []plan.Value

var missing = plan.Value{}

func isMissing(v plan.Value) bool { return v.Base == plan.Null }

func naiveTable(t *col.Table) []row {
	rows := make([]row, t.Rows)
	for i := range rows {
		rows[i] = make(row, len(t.Columns))
	}
	for k, c := range t.Columns {
		at := 0
		for _, ch := range c.Chunks {
			for i := range ch.Len {
				if ch.Valid.Get(i) {
					rows[at][k] = naiveCell(c, ch, i)
				}
				at++
			}
		}
	}
	return rows
}

func naiveCell(c *col.Column, ch *col.Chunk, i int) plan.Value {
	base := plan.Int
	if c.Kind == col.Date {
		base = plan.Date
	}
	text := plan.String
	if c.Kind == col.Text {
		text = plan.Text
	}
	switch d := ch.Data.(type) {
	case []int8:
		return plan.Value{Base: base, I: int64(d[i])}
	case []int16:
		return plan.Value{Base: base, I: int64(d[i])}
	case []int32:
		return plan.Value{Base: base, I: int64(d[i])}
	case []int64:
		return plan.Value{Base: base, I: d[i]}
	case []float64:
		return plan.Value{Base: plan.Float, F: d[i]}
	case []uint8:
		return plan.Value{Base: text, S: c.Dict.Label(uint32(d[i]))}
	case []uint16:
		return plan.Value{Base: text, S: c.Dict.Label(uint32(d[i]))}
	case []uint32:
		return plan.Value{Base: text, S: c.Dict.Label(d[i])}
	case col.Strings:
		return plan.Value{Base: text, S: d.At(i)}
	}
	panic("naive: data")
}

func naive(n plan.Node) []row {
	switch n := n.(type) {
	case *plan.Scan:
		var out []row
		for _, r := range naiveTable(n.Table) {
			x := make(row, len(n.Columns))
			for i, c := range n.Columns {
				x[i] = r[c]
			}
			out = append(out, x)
		}
		return out
	case *plan.Values:
		var out []row
		for _, r := range n.Rows {
			out = append(out, slices.Clone(r))
		}
		return out
	case *plan.Filter:
		var out []row
		for _, r := range naive(n.In) {
			if truth(scalar(n.Cond, r)) {
				out = append(out, r)
			}
		}
		return out
	case *plan.Project:
		var out []row
		for _, r := range naive(n.In) {
			x := make(row, len(n.Exprs))
			for i, e := range n.Exprs {
				x[i] = scalar(e, r)
			}
			out = append(out, x)
		}
		return out
	case *plan.Sort:
		out := naive(n.In)
		sort.SliceStable(out, func(i, j int) bool {
			for _, k := range n.Keys {
				a, b := scalar(k.Expr, out[i]), scalar(k.Expr, out[j])
				if isMissing(a) != isMissing(b) {
					return isMissing(a) == k.NullsFirst
				}
				if isMissing(a) {
					continue
				}
				c := order(a, b)
				if k.Desc {
					c = -c
				}
				if c != 0 {
					return c < 0
				}
			}
			return false
		})
		return out
	case *plan.Limit:
		out := naive(n.In)
		out = out[min(n.Offset, int64(len(out))):]
		if n.Count >= 0 {
			out = out[:min(n.Count, int64(len(out)))]
		}
		return out
	case *plan.Distinct:
		var out []row
		seen := map[string]bool{}
		for _, r := range naive(n.In) {
			k := keyText(r)
			if !seen[k] {
				seen[k] = true
				out = append(out, r)
			}
		}
		return out
	case *plan.Aggregate:
		return naiveGroups(n)
	case *plan.Join:
		return naiveJoin(n)
	}
	panic("naive: node")
}

func naiveJoin(n *plan.Join) []row {
	left, right := naive(n.Left), naive(n.Right)
	width := len(n.Right.Schema())
	var out []row
	for _, l := range left {
		found := false
		for _, r := range right {
			match := true
			for k := range n.LeftKeys {
				a, b := scalar(n.LeftKeys[k], l), scalar(n.RightKeys[k], r)
				match = match && !isMissing(a) && !isMissing(b) && order(a, b) == 0
			}
			both := append(slices.Clone(l), r...)
			if match && (n.Residual == nil || truth(scalar(n.Residual, both))) {
				found = true
				out = append(out, both)
			}
		}
		if !found && n.Kind == plan.Left {
			out = append(out, append(slices.Clone(l), make(row, width)...))
		}
	}
	return out
}

func naiveGroups(n *plan.Aggregate) []row {
	type group struct {
		key  row
		rows []row
	}
	var groups []*group
	at := map[string]*group{}
	for _, r := range naive(n.In) {
		key := make(row, len(n.Keys))
		for i, k := range n.Keys {
			key[i] = scalar(k, r)
		}
		g := at[keyText(key)]
		if g == nil {
			g = &group{key: key}
			at[keyText(key)] = g
			groups = append(groups, g)
		}
		g.rows = append(g.rows, r)
	}
	if len(n.Keys) == 0 && len(groups) == 0 {
		groups = append(groups, &group{})
	}
	sort.SliceStable(groups, func(i, j int) bool {
		for k := range n.Keys {
			a, b := groups[i].key[k], groups[j].key[k]
			if isMissing(a) != isMissing(b) {
				return isMissing(b)
			}
			if !isMissing(a) {
				if c := order(a, b); c != 0 {
					return c < 0
				}
			}
		}
		return false
	})
	var out []row
	for _, g := range groups {
		r := g.key
		for i := range n.Aggs {
			r = append(r, naiveAggregate(&n.Aggs[i], g.rows))
		}
		out = append(out, r)
	}
	return out
}

func naiveAggregate(a *plan.Agg, rows []row) plan.Value {
	var args []row
	args = make([]row, 0, len(rows))
	count := 0
	for _, r := range rows {
		if a.Filter != nil && !truth(scalar(a.Filter, r)) {
			continue
		}
		x := make(row, len(a.Args))
		ok := true
		for i, e := range a.Args {
			x[i] = scalar(e, r)
			ok = ok && !isMissing(x[i])
		}
		if ok {
			args = append(args, x)
			count++
		}
	}
	if a.Distinct {
		seen := map[string]bool{}
		var kept []row
		for _, x := range args {
			if k := keyText(x[:1]); !seen[k] {
				seen[k] = true
				kept = append(kept, x)
			}
		}
		args = kept
		sort.SliceStable(args, func(i, j int) bool { return order(args[i][0], args[j][0]) < 0 })
	}
	sorted := slices.Clone(args)
	if len(a.Args) > 0 {
		sort.SliceStable(sorted, func(i, j int) bool { return order(sorted[i][0], sorted[j][0]) < 0 })
	}
	n := len(args)
	f := func(x float64) plan.Value {
		if math.IsNaN(x) {
			return missing
		}
		return plan.Value{Base: plan.Float, F: x}
	}
	whole := func(n int) plan.Value { return plan.Value{Base: plan.Int, I: int64(n)} }
	switch a.Fn {
	case plan.AggCount:
		return whole(count)
	case plan.AggCountDistinct, plan.AggApproxDistinct:
		seen := map[string]bool{}
		for _, x := range args {
			seen[keyText(x)] = true
		}
		return whole(len(seen))
	}
	if n == 0 && (a.Fn != plan.AggSum || !a.ZeroSum) {
		return missing
	}
	switch a.Fn {
	case plan.AggSum, plan.AggMean:
		if a.Args[0].Type().Base == plan.Float {
			s := 0.0
			for _, x := range args {
				s += x[0].F
			}
			if a.Fn == plan.AggMean {
				s /= float64(n)
			}
			return f(s)
		}
		s := new(big.Int)
		for _, x := range args {
			s.Add(s, bigOf(x[0]))
		}
		if a.Fn == plan.AggMean {
			q, _ := new(big.Rat).SetFrac(s, big.NewInt(int64(n))).Float64()
			return f(q)
		}
		if a.T.Base == plan.Int {
			return plan.Value{Base: plan.Int, I: s.Int64()}
		}
		return hugeOf(s)
	case plan.AggMin:
		return sorted[0][0]
	case plan.AggMax:
		return sorted[n-1][0]
	case plan.AggFirst:
		return args[0][0]
	case plan.AggLast:
		return args[n-1][0]
	case plan.AggMode:
		best, most := missing, 0
		for i := 0; i < n; {
			j := i
			for j < n && order(sorted[i][0], sorted[j][0]) == 0 {
				j++
			}
			if j-i > most {
				best, most = sorted[i][0], j-i
			}
			i = j
		}
		return best
	case plan.AggMedian, plan.AggQuantile:
		p := 0.5
		if a.Fn == plan.AggQuantile {
			p = args[0][1].F
		}
		at := p * float64(n-1)
		lo := int(math.Floor(at))
		x := number(sorted[lo][0])
		if lo+1 < n {
			x += (number(sorted[lo+1][0]) - x) * (at - float64(lo))
		}
		return f(x)
	case plan.AggQuantileDisc:
		k := max(0, int(math.Ceil(args[0][1].F*float64(n)))-1)
		return sorted[k][0]
	case plan.AggStddev, plan.AggStddevPop, plan.AggVariance, plan.AggVariancePop:
		mean, m2 := 0.0, 0.0
		for _, x := range args {
			mean += x[0].F
		}
		mean /= float64(n)
		for _, x := range args {
			m2 += (x[0].F - mean) * (x[0].F - mean)
		}
		d := float64(n)
		if a.Fn == plan.AggStddev || a.Fn == plan.AggVariance {
			d--
		}
		if d == 0 {
			return missing
		}
		v := m2 / d
		if a.Fn == plan.AggStddev || a.Fn == plan.AggStddevPop {
			v = math.Sqrt(v)
		}
		return f(v)
	case plan.AggAny, plan.AggAll, plan.AggShare:
		yes := 0
		for _, x := range args {
			yes += int(x[0].I)
		}
		switch a.Fn {
		case plan.AggAny:
			return boolean(yes > 0)
		case plan.AggAll:
			return boolean(yes == n)
		}
		return f(float64(yes) / float64(n))
	case plan.AggStringAgg:
		var parts []string
		for _, x := range args {
			parts = append(parts, x[0].S)
		}
		return plan.Value{Base: plan.String, S: strings.Join(parts, args[0][1].S)}
	case plan.AggCorr, plan.AggCovarPop, plan.AggCovarSamp, plan.AggRegrSlope, plan.AggRegrIntercept:
		my, mx := 0.0, 0.0
		for _, x := range args {
			my += x[0].F
			mx += x[1].F
		}
		my, mx = my/float64(n), mx/float64(n)
		var sxx, syy, sxy float64
		for _, x := range args {
			dy, dx := x[0].F-my, x[1].F-mx
			sxx, syy, sxy = sxx+dx*dx, syy+dy*dy, sxy+dx*dy
		}
		switch a.Fn {
		case plan.AggCorr:
			return f(sxy / math.Sqrt(sxx*syy))
		case plan.AggCovarPop:
			return f(sxy / float64(n))
		case plan.AggCovarSamp:
			if n == 1 {
				return missing
			}
			return f(sxy / float64(n-1))
		case plan.AggRegrSlope:
			if sxx == 0 {
				return missing
			}
			return f(sxy / sxx)
		}
		if sxx == 0 {
			return missing
		}
		return f(my - sxy/sxx*mx)
	}
	panic("naive: aggregate " + a.Fn)
}

func bigOf(v plan.Value) *big.Int {
	if v.Base == plan.Int {
		return big.NewInt(v.I)
	}
	return plan.HugeInt(v)
}

func hugeOf(s *big.Int) plan.Value {
	m := new(big.Int).And(s, new(big.Int).SetUint64(math.MaxUint64))
	hi := new(big.Int).Rsh(s, 64)
	return plan.Value{Base: plan.Huge, I: int64(m.Uint64()), Hi: hi.Int64()}
}

func boolean(b bool) plan.Value {
	v := plan.Value{Base: plan.Bool}
	if b {
		v.I = 1
	}
	return v
}

func truth(v plan.Value) bool { return v.Base == plan.Bool && v.I == 1 }

// order compares present values of one kind.
func order(a, b plan.Value) int {
	if a.Base == plan.Float && b.Base == plan.Float {
		return cmp.Compare(a.F, b.F)
	}
	if a.Base == plan.Float || b.Base == plan.Float {
		return exact(a).Cmp(exact(b))
	}
	switch a.Base {
	case plan.Huge:
		return plan.HugeInt(a).Cmp(plan.HugeInt(b))
	case plan.String, plan.Text:
		return strings.Compare(a.S, b.S)
	}
	return cmp.Compare(a.I, b.I)
}

// exact returns a number, which may be infinite, without rounding.
func exact(v plan.Value) *big.Float {
	if v.Base == plan.Float {
		return big.NewFloat(v.F)
	}
	return new(big.Float).SetPrec(200).SetInt(bigOf(v))
}

func number(v plan.Value) float64 {
	switch v.Base {
	case plan.Int:
		return float64(v.I)
	case plan.Huge:
		f, _ := new(big.Float).SetInt(plan.HugeInt(v)).Float64()
		return f
	}
	return v.F
}

func keyText(r row) string {
	var b []byte
	for _, v := range r {
		b = append(b, byte(v.Base))
		for _, w := range []uint64{uint64(v.I), uint64(v.Hi), math.Float64bits(v.F + 0), uint64(len(v.S))} {
			b = binary.LittleEndian.AppendUint64(b, w)
		}
		b = append(b, v.S...)
	}
	return string(b)
}

// scalar computes the few operators that the tests use.
func scalar(e plan.Expr, r row) plan.Value {
	switch x := e.(type) {
	case *plan.Column:
		return r[x.Index]
	case *plan.Literal:
		return x.Value
	}
	x := e.(*plan.Call)
	args := make(row, len(x.Args))
	none := false
	for i, a := range x.Args {
		args[i] = scalar(a, r)
		none = none || isMissing(args[i])
	}
	switch x.Op {
	case "and", "or":
		stop := x.Op == "or"
		unknown := false
		for _, a := range args {
			switch {
			case isMissing(a):
				unknown = true
			case truth(a) == stop:
				return boolean(stop)
			}
		}
		if unknown {
			return missing
		}
		return boolean(!stop)
	case "isnull":
		return boolean(isMissing(args[0]))
	case "notnull":
		return boolean(!isMissing(args[0]))
	case "coalesce":
		for _, a := range args {
			if !isMissing(a) {
				return a
			}
		}
		return missing
	}
	if none {
		return missing
	}
	switch x.Op {
	case "not":
		return boolean(!truth(args[0]))
	case "eq":
		return boolean(order(args[0], args[1]) == 0)
	case "ne":
		return boolean(order(args[0], args[1]) != 0)
	case "lt":
		return boolean(order(args[0], args[1]) < 0)
	case "le":
		return boolean(order(args[0], args[1]) <= 0)
	case "gt":
		return boolean(order(args[0], args[1]) > 0)
	case "ge":
		return boolean(order(args[0], args[1]) >= 0)
	case "add", "sub", "mul":
		if x.T.Base == plan.Int {
			a, b := args[0].I, args[1].I
			return plan.Value{Base: plan.Int, I: map[string]int64{"add": a + b, "sub": a - b, "mul": a * b}[x.Op]}
		}
		a, b := number(args[0]), number(args[1])
		return plan.Value{Base: plan.Float, F: map[string]float64{"add": a + b, "sub": a - b, "mul": a * b}[x.Op]}
	case "tofloat":
		return plan.Value{Base: plan.Float, F: number(args[0])}
	case "tobool":
		return boolean(args[0].S == "true")
	case "upper":
		return plan.Value{Base: plan.String, S: strings.ToUpper(args[0].S)}
	case "concat":
		s := ""
		for _, a := range args {
			s += a.S
		}
		return plan.Value{Base: plan.String, S: s}
	case "yearmonth":
		return plan.Value{Base: plan.String, S: time.Unix(args[0].I*86400, 0).UTC().Format("2006-01")}
	case "month":
		return plan.Value{Base: plan.Int, I: int64(time.Unix(args[0].I*86400, 0).UTC().Month())}
	}
	panic("naive: operator " + x.Op)
}
