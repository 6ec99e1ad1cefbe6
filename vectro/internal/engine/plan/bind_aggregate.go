package plan

import (
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/mcpkit/nearest"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/caret"
)

// The canonical names of aggregates, as in [Agg.Fn]. All skip missing values; all
// but AggCount, AggCountDistinct and AggApproxDistinct (0) are missing when there is
// no value, AggSum 0 then if its ZeroSum is set.
const (
	AggCount          = "count"          // rows, or with an argument its present values
	AggSum            = "sum"            // number; exact for whole numbers
	AggMean           = "mean"           // number → Float
	AggMin            = "min"            // number, date, text
	AggMax            = "max"            // number, date, text
	AggCountDistinct  = "countdistinct"  // anything → Int
	AggApproxDistinct = "approxdistinct" // anything → Int, about 1 % off
	AggMedian         = "median"         // Int or Float → Float; between the two middle ones
	AggQuantile       = "quantile"       // Int or Float, literal p in [0, 1] → Float; linear between ranks
	AggQuantileDisc   = "quantiledisc"   // number, date, text, literal p → that type; an actual value
	AggStddev         = "stddev"         // Float → Float; sample (n-1), missing below two values
	AggStddevPop      = "stddevpop"      // Float → Float
	AggVariance       = "variance"       // Float → Float; sample
	AggVariancePop    = "variancepop"    // Float → Float
	AggFirst          = "first"          // the first present value in the input's order
	AggLast           = "last"           // the last present value
	AggMode           = "mode"           // most frequent value; the least of equally frequent ones
	AggAny            = "any"            // Bool → Bool: some value is true
	AggAll            = "all"            // Bool → Bool: every value is true
	AggShare          = "share"          // Bool → Float: true values / present values
	AggCorr           = "corr"           // Float y, Float x → Float, over rows with both, as the four below
	AggCovarPop       = "covarpop"       // population covariance
	AggCovarSamp      = "covarsamp"      // sample covariance
	AggRegrSlope      = "regrslope"      // of y over x
	AggRegrIntercept  = "regrintercept"
	AggStringAgg      = "stringagg" // text, literal separator → text, in the input's order
)

// AggOptions are what surrounds an aggregate call.
type AggOptions struct {
	Filter   Expr // nil, or a condition: the rows that count
	Distinct bool // each value once
	ZeroSum  bool // a sum over no values is 0 (the query tool), not missing (SQL)
	// Rows bounds the number of input rows; it decides whether a sum of whole
	// numbers fits int64. 0 or less: unknown.
	Rows int64
}

type aggregate struct {
	name     string
	min, max int
	hidden   bool
	bind     func(c bindCall, a *Agg, o AggOptions) error
}

// aggregates is filled by init, since messages name aggregates.
var aggregates []aggregate

func init() {
	aggregates = []aggregate{
		{name: "count", min: 0, max: 1, bind: aggCount},
		{name: "countValues", min: 1, max: 1, hidden: true, bind: aggCount},
		{name: "sum", min: 1, max: 1, bind: aggSum},
		{name: "mean", min: 1, max: 1, bind: func(c bindCall, a *Agg, o AggOptions) error {
			a.T = Type{Base: Float}
			if err := c.number(0); err != nil {
				return err
			}
			c.fitSum(o)
			return nil
		}},
		{name: "min", min: 1, max: 1, bind: aggSame},
		{name: "max", min: 1, max: 1, bind: aggSame},
		{name: "countDistinct", min: 1, max: 1, bind: aggDistinct},
		{name: "approxDistinct", min: 1, max: 1, bind: aggDistinct},
		{name: "median", min: 1, max: 1, bind: aggMiddle},
		{name: "quantile", min: 2, max: 2, bind: aggQuantile},
		{name: "quantileDisc", min: 2, max: 2, hidden: true, bind: aggQuantile},
		{name: "stddev", min: 1, max: 1, bind: aggFloats},
		{name: "stddevPop", min: 1, max: 1, bind: aggFloats},
		{name: "variance", min: 1, max: 1, bind: aggFloats},
		{name: "variancePop", min: 1, max: 1, bind: aggFloats},
		{name: "first", min: 1, max: 1, bind: aggSame},
		{name: "last", min: 1, max: 1, bind: aggSame},
		{name: "mode", min: 1, max: 1, bind: aggSame},
		{name: "any", min: 1, max: 1, bind: aggBool},
		{name: "all", min: 1, max: 1, bind: aggBool},
		{name: "share", min: 1, max: 1, bind: aggBool},
		{name: "corr", min: 2, max: 2, bind: aggFloats},
		{name: "covarPop", min: 2, max: 2, bind: aggFloats},
		{name: "covarSamp", min: 2, max: 2, bind: aggFloats},
		{name: "regrSlope", min: 2, max: 2, bind: aggFloats},
		{name: "regrIntercept", min: 2, max: 2, bind: aggFloats},
		{name: "stringAgg", min: 2, max: 2, bind: func(c bindCall, a *Agg, _ AggOptions) error {
			a.T = Type{Base: String}
			if err := c.text(0); err != nil {
				return err
			}
			if _, ok := stringLiteral(c.args[1]); !ok {
				return c.refuse(1, "%s needs its separator in quotes", c.name)
			}
			return nil
		}},
	}
}

// aggregateAliases are SQL's names.
var aggregateAliases = map[string]string{
	"avg": "mean", "stddev_samp": "stddev", "stddev_pop": "stddevpop", "var_samp": "variance", "var_pop": "variancepop",
	"variance_pop": "variancepop", "any_value": "first", "bool_or": "any", "bool_and": "all", "every": "all",
	"covar_pop": "covarpop", "covar_samp": "covarsamp", "regr_slope": "regrslope", "regr_intercept": "regrintercept",
	"string_agg": "stringagg", "percentile_cont": "quantile", "percentile_disc": "quantiledisc",
	"approx_count_distinct": "approxdistinct", "first_value": "first", "last_value": "last",
}

// findAggregate returns the entry of a name or alias in any case, or nil.
func findAggregate(name string) *aggregate {
	n := strings.ToLower(name)
	if op := aggregateAliases[n]; op != "" {
		n = op
	}
	for i := range aggregates {
		if strings.ToLower(aggregates[i].name) == n {
			return &aggregates[i]
		}
	}
	return nil
}

// IsAggregate reports whether name, in any case, is an aggregate. first_value and
// last_value are, in SQL, window functions; they count as aggregates here.
func IsAggregate(name string) bool {
	f := findAggregate(name)
	return f != nil && (!f.hidden || aggregateAliases[strings.ToLower(name)] != "")
}

// Aggregates returns the names of all aggregates as documented, aliases included,
// sorted.
func Aggregates() []string {
	var names []string
	for _, f := range aggregates {
		if !f.hidden {
			names = append(names, f.name)
		}
	}
	for alias := range aggregateAliases {
		names = append(names, alias)
	}
	slices.Sort(names)
	return names
}

// BindAggregate applies an aggregate to args, chooses its type and converts what
// Bind would. count(cond) becomes a count of the rows that satisfy cond; SQL's
// count(x), which counts the present values of a condition too, is countValues.
// Distinct is dropped where it changes nothing, and count with it becomes
// countdistinct. A refusal is a [*BindError].
func BindAggregate(fn string, args []Expr, o AggOptions) (Agg, error) {
	f := findAggregate(fn)
	if f == nil {
		msg := "unknown aggregate " + caret.Quote(fn)
		if best := nearest.Best(fn, Aggregates()); best != "" {
			msg += "; did you mean " + caret.Quote(best) + "?"
		}
		return Agg{}, refusal(-1, "%s", msg)
	}
	called := f.name
	switch n := strings.ToLower(fn); {
	case aggregateAliases[n] != "":
		called = n // as it was asked for
	case n == "countvalues":
		called = AggCount
	}
	if err := checkCount(called, len(args), f.min, f.max); err != nil {
		return Agg{}, err
	}
	c := bindCall{name: called, op: strings.ToLower(f.name), args: slices.Clone(args)}
	for i, e := range args {
		if e.Type().Base == Text {
			return Agg{}, freeText(i, e)
		}
	}
	a := Agg{Fn: c.op, Distinct: o.Distinct}
	if o.Filter != nil {
		cond, err := ToBool(o.Filter)
		if err != nil {
			return Agg{}, err
		}
		a.Filter = cond
	}
	if err := f.bind(c, &a, o); err != nil {
		return Agg{}, err
	}
	if a.Args == nil && len(c.args) > 0 && a.Fn != AggCount {
		a.Args = c.args
	}
	switch a.Fn {
	case AggMin, AggMax, AggAny, AggAll, AggFirst, AggCountDistinct, AggApproxDistinct:
		a.Distinct = false
	case AggCount:
		a.Distinct = a.Distinct && len(a.Args) > 0
	}
	return a, nil
}

func (o AggOptions) maxRows() int64 {
	if o.Rows <= 0 {
		return math.MaxInt64
	}
	return o.Rows
}

func aggCount(c bindCall, a *Agg, o AggOptions) error {
	a.Fn, a.T = AggCount, Type{Base: Int}
	a.Lo, a.Hi = 0, o.maxRows()
	if len(c.args) == 0 {
		return nil
	}
	e := c.args[0]
	if c.op == AggCount && !o.Distinct && (e.Type().Base == Bool || isFlagged(e)) {
		cond, err := ToBool(e)
		if err != nil {
			return err
		}
		if a.Filter != nil {
			cond = &Call{Op: "and", Args: []Expr{a.Filter, cond}, T: Type{Base: Bool}}
		}
		a.Filter = cond
		return nil
	}
	a.Args = []Expr{e}
	if o.Distinct {
		a.Fn = AggCountDistinct
	}
	return nil
}

func aggSum(c bindCall, a *Agg, o AggOptions) error {
	e := c.args[0]
	if e.Type().Base == Bool || isFlagged(e) {
		return c.refuse(0, "sum needs a number, not %s; %s counts the rows where it holds", describe(e), countWhere(e))
	}
	if err := c.number(0); err != nil {
		return err
	}
	a.ZeroSum = o.ZeroSum
	n := c.fitSum(o)
	a.T = c.args[0].Type()
	if a.T.Base == Huge {
		a.Bits = n
	}
	if a.T.Base != Int {
		return nil
	}
	r := boundsOf(c.args[0])
	rows := o.maxRows()
	lo, ok1 := mulInt(min(r.lo, 0), rows)
	hi, ok2 := mulInt(max(r.hi, 0), rows)
	if !ok1 || !ok2 {
		a.T.Base, a.Bits = Huge, n
		return nil
	}
	a.Lo, a.Hi = lo, hi
	return nil
}

// fitSum makes the argument of a sum or mean a Float where it is a Huge whose sum
// might not fit 128 bits, and returns the bits of the sum of a whole number.
func (c bindCall) fitSum(o AggOptions) int {
	x := c.args[0]
	if !isWhole(x) {
		return 0
	}
	n := magnitude(x) + bits.Len64(uint64(o.maxRows()))
	if n <= hugeBits {
		return n
	}
	if x.Type().Base == Huge && knownBits(x) > 0 {
		c.args[0] = castFloat(x)
	}
	return hugeBits
}

// aggSame is for aggregates that return one of the values.
func aggSame(c bindCall, a *Agg, _ AggOptions) error {
	e := c.args[0]
	a.T = e.Type()
	if a.T.Base == Bool && (c.op == AggMin || c.op == AggMax) {
		return c.refuse(0, "%s needs a number, a date or text, not %s", c.name, describe(e))
	}
	a.Lo, a.Hi, _ = Bounds(e)
	if a.T.Base == Huge {
		a.Bits = magnitude(e)
	}
	a.Bool = isFlagged(e)
	return nil
}

func aggDistinct(c bindCall, a *Agg, o AggOptions) error {
	a.T = Type{Base: Int}
	a.Lo, a.Hi = 0, o.maxRows()
	return nil
}

func aggFloats(c bindCall, a *Agg, _ AggOptions) error {
	a.T = Type{Base: Float}
	for i := range c.args {
		if err := c.float(i); err != nil {
			return err
		}
	}
	return nil
}

// aggMiddle is for quantiles, which may lie between two values but keep one that is
// a whole number exact.
func aggMiddle(c bindCall, a *Agg, _ AggOptions) error {
	a.T = Type{Base: Float}
	if c.args[0].Type().Base == Int {
		return nil
	}
	return c.float(0)
}

func aggQuantile(c bindCall, a *Agg, o AggOptions) error {
	// SQL's percentile_cont(p) WITHIN GROUP (ORDER BY x) comes as (x, p) too.
	l, ok := c.args[1].(*Literal)
	if !ok || !l.T.Numeric() || l.Value.Base == Null {
		return c.refuse(1, "%s needs a number from 0 to 1, e.g. %s(x, 0.9)", c.name, c.name)
	}
	p := castFloat(l).(*Literal)
	if p.Value.F < 0 || p.Value.F > 1 {
		return c.refuse(1, "%s needs a number from 0 to 1, not %s", c.name, shown(l))
	}
	c.args[1] = p
	if c.op == AggQuantileDisc {
		return aggSame(c, a, o)
	}
	return aggMiddle(c, a, o)
}

func aggBool(c bindCall, a *Agg, _ AggOptions) error {
	a.T = Type{Base: Bool}
	if c.op == AggShare {
		a.T.Base = Float
	}
	return c.bool(0)
}

// Field describes the result column of the aggregate.
func (a Agg) Field(name string) Field {
	return Field{Name: name, Type: a.T, Lo: a.Lo, Hi: a.Hi, Bits: a.Bits, Bool: a.Bool}
}
