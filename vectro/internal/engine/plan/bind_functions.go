package plan

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/caret"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/dates"
)

// function is an entry of the registry: an operator or function and its overloads.
type function struct {
	name     string // as documented
	op       string // canonical: name in lower case
	min, max int    // number of arguments; max < 0: any
	hidden   bool   // an operator, or what only SQL's syntax or this package asks for
	bind     func(bindCall) (Expr, error)
}

type functions struct {
	byName map[string]*function // by op and by alias
	names  []string             // what a person may call, sorted
}

// registry is filled by init, since binders themselves call Bind.
var registry functions

func init() {
	registry.byName = map[string]*function{}
	for _, f := range slices.Concat(operators(), mathFunctions(), textFunctions(), dateFunctions(), conditionFunctions(), castFunctions()) {
		f.op = strings.ToLower(f.name)
		registry.byName[f.op] = f
		if !f.hidden {
			registry.names = append(registry.names, f.name)
		}
	}
	for alias, op := range aliases {
		registry.byName[alias] = registry.byName[op]
		registry.names = append(registry.names, alias)
	}
	registry.names = append(registry.names, "today", "now")
	slices.Sort(registry.names)
}

// aliases are further names of functions, most of them PostgreSQL's.
var aliases = map[string]string{
	"ceiling": "ceil", "power": "pow", "sgn": "sign",
	"char_length": "length", "character_length": "length", "substring": "substr", "position": "indexof",
	"strpos": "indexof", "btrim": "trim", "starts_with": "startswith", "ends_with": "endswith",
	"regexp_like": "matches", "regexp_matches": "matches", "regexp_substr": "extract",
	"date_trunc": "datetrunc", "dayofmonth": "day", "isodow": "weekday", "weekofyear": "week",
	"ifnull": "ifmissing", "nvl": "ifmissing",
}

// IsFunction reports whether name, in any case, is a function that may be called
// in either language. Operators are not.
func IsFunction(name string) bool {
	n := strings.ToLower(name)
	if n == "today" || n == "now" {
		return true
	}
	f := registry.byName[n]
	return f != nil && !f.hidden || aliases[n] != ""
}

// Functions returns the names of all functions as documented, aliases included,
// sorted.
func Functions() []string { return slices.Clone(registry.names) }

// Ops returns the canonical name of every operator and function that Bind knows,
// sorted, those without a name in a language included.
func Ops() []string {
	var ops []string
	for _, f := range registry.byName {
		ops = append(ops, f.op)
	}
	slices.Sort(ops)
	return slices.Compact(ops)
}

func operators() []*function {
	op := func(name string, n int, bind func(bindCall) (Expr, error)) *function {
		return &function{name: name, min: n, max: n, hidden: true, bind: bind}
	}
	return []*function{
		op("add", 2, bindArithmetic), op("sub", 2, bindArithmetic), op("mul", 2, bindArithmetic),
		op("neg", 1, bindNeg),
		op("eq", 2, bindCompare), op("ne", 2, bindCompare),
		op("lt", 2, bindCompare), op("le", 2, bindCompare), op("gt", 2, bindCompare), op("ge", 2, bindCompare),
		op("distinct", 2, bindCompare), op("notdistinct", 2, bindCompare),
		op("and", 2, bindLogic), op("or", 2, bindLogic), op("not", 1, bindLogic),
		op("isnull", 1, bindIsNull), op("notnull", 1, bindIsNull),
		{name: "in", min: 2, max: -1, hidden: true, bind: bindIn},
		op("between", 3, bindBetween),
		{name: "like", min: 2, max: 3, hidden: true, bind: bindLike},
		{name: "ilike", min: 2, max: 3, hidden: true, bind: bindLike},
		{name: "similar", min: 2, max: 3, hidden: true, bind: bindLike},
		op("div", 2, bindDivide),
	}
}

func bindArithmetic(c bindCall) (Expr, error) {
	a, b := c.args[0], c.args[1]
	ta, tb := a.Type().Base, b.Type().Base
	if c.op == "add" && (ta == String || tb == String) && (ta == String || ta == Null) && (tb == String || tb == Null) {
		return Bind("concat", c.args)
	}
	for i, e := range c.args {
		if !e.Type().Numeric() && !isNull(e) {
			return nil, cannotCombine(c, i)
		}
	}
	if ta == Int && tb == Int {
		sa, sb := boundsOf(a), boundsOf(b)
		var r span
		var ok bool
		switch c.op {
		case "add":
			r, ok = sa.add(sb)
		case "sub":
			r, ok = sa.sub(sb)
		case "mul":
			r, ok = sa.mul(sb)
		}
		if ok {
			return c.makeInt(r.lo, r.hi), nil
		}
	}
	if c.whole() {
		n := magnitudes(c.args) + 1
		if c.op == "mul" {
			n = productBits(a, b)
		}
		if e, ok := c.makeHuge(n); ok {
			return e, nil
		}
	}
	for i := range c.args {
		if err := c.float(i); err != nil {
			return nil, err
		}
	}
	return c.make(Float), nil
}

// verbs are the words for operators in refusals.
var verbs = map[string]string{"add": "add", "sub": "subtract", "mul": "multiply", "div": "divide", "mod": "divide", "pow": "raise"}

func cannotCombine(c bindCall, at int) error {
	a, b := c.args[0], c.args[1]
	ta, tb := a.Type().Base, b.Type().Base
	var text, hint words
	switch c.op {
	case "add":
		text = say("cannot add %s and %s", describe(a), describe(b))
	case "sub":
		text = say("cannot subtract %s from %s", describe(b), describe(a))
	case "pow":
		text = say("cannot raise %s to %s", describe(a), describe(b))
	default:
		text = say("cannot %s %s by %s", verbs[c.op], describe(a), describe(b))
	}
	switch {
	case ta == Date && tb == Date && c.op == "sub":
		hint = say("; diff(%s, %s, 'days') counts the days between", shown(a), shown(b))
	case ta == Date && b.Type().Numeric() && c.op == "add":
		hint = say("; write addDays(%s, %s)", shown(a), shown(b))
	case ta == Date && b.Type().Numeric() && c.op == "sub":
		hint = say("; write addDays(%s, -%s)", shown(a), operandText(b))
	case c.op == "add" && (ta == String) != (tb == String):
		hint = say("; concat(%s, %s) joins them as text", shown(a), shown(b))
	case c.args[at].Type().Base == String && !isLiteral(c.args[at]):
		hint = say("; toNumber(%s) reads text as a number", operandText(c.args[at]))
	case c.args[at].Type().Base == Bool:
		hint = say("; %s makes a number of a condition", asNumber(c.args[at]))
	}
	return refusal(at, "%s%s", text, hint)
}

func bindNeg(c bindCall) (Expr, error) {
	if err := c.number(0); err != nil {
		return nil, c.refuse(0, "cannot negate %s", describe(c.args[0]))
	}
	if l, ok := c.args[0].(*Literal); ok {
		switch l.Value.Base {
		case Null:
			return l, nil
		case Float:
			return NewFloat(-l.Value.F), nil
		case Int:
			if l.Value.I != math.MinInt64 {
				return NewInt(-l.Value.I), nil
			}
		}
	}
	if c.args[0].Type().Base == Int {
		if r, ok := boundsOf(c.args[0]).neg(); ok {
			return c.makeInt(r.lo, r.hi), nil
		}
	}
	return c.hugeOrFloat(0)
}

// hugeOrFloat returns the call of c.op, of one argument, in 128 bits, with results
// of more bits than that, else in float64.
func (c bindCall) hugeOrFloat(more int) (Expr, error) {
	if c.whole() {
		if e, ok := c.makeHuge(magnitudes(c.args) + more); ok {
			return e, nil
		}
	}
	for i := range c.args {
		if err := c.float(i); err != nil {
			return nil, err
		}
	}
	return c.make(Float), nil
}

// bindDivide is the operator "/": real division whatever the operands.
func bindDivide(c bindCall) (Expr, error) {
	for i, e := range c.args {
		if !e.Type().Numeric() && !isNull(e) {
			return nil, cannotCombine(c, i)
		}
		c.args[i] = castTo(e, Type{Base: Float})
	}
	return c.make(Float), nil
}

func bindLogic(c bindCall) (Expr, error) {
	for i := range c.args {
		if err := c.bool(i); err != nil {
			return nil, err
		}
	}
	return c.make(Bool), nil
}

func bindIsNull(c bindCall) (Expr, error) {
	if isNull(c.args[0]) {
		return NewBool(c.op == "isnull"), nil
	}
	return c.make(Bool), nil
}

// bindLike binds SQL's patterns: like and ilike (% and _), similar (SIMILAR TO).
// The third argument is the escape character, by default a backslash; an empty one
// means none.
func bindLike(c bindCall) (Expr, error) {
	if err := c.texts(0, 3); err != nil {
		return nil, err
	}
	if len(c.args) == 3 {
		s, ok := stringLiteral(c.args[2])
		if !ok || len([]rune(s)) > 1 {
			return nil, c.refuse(2, "ESCAPE needs one character in quotes")
		}
	}
	if p, ok := stringLiteral(c.args[1]); ok && c.op == "similar" {
		escape := `\`
		if len(c.args) == 3 {
			escape, _ = stringLiteral(c.args[2])
		}
		if _, err := regexp.Compile(SimilarPattern(p, escape)); err != nil {
			return nil, badPattern(c, 1, p, err)
		}
	}
	return c.make(Bool), nil
}

func badPattern(c bindCall, arg int, pattern string, err error) error {
	why := err.Error()
	if i := strings.Index(why, ": "); i >= 0 { // "error parsing regexp: "
		why = why[i+2:]
	}
	return c.refuse(arg, "%s is not a regular expression (RE2): %s", caret.Quote(pattern), caret.Clean(why))
}

func mathFunctions() []*function {
	fs := []*function{
		{name: "abs", min: 1, max: 1, bind: bindAbs},
		{name: "sign", min: 1, max: 1, bind: func(c bindCall) (Expr, error) {
			if err := c.exactNumber(0); err != nil {
				return nil, err
			}
			return c.makeInt(-1, 1), nil
		}},
		{name: "round", min: 1, max: 2, bind: bindRound},
		{name: "trunc", min: 1, max: 2, bind: bindTrunc},
		{name: "log", min: 1, max: 2, bind: bindFloats},
		{name: "pow", min: 2, max: 2, bind: bindPow},
		{name: "atan2", min: 2, max: 2, bind: bindFloats},
		{name: "mod", min: 2, max: 2, bind: bindMod},
		{name: "quo", min: 2, max: 2, hidden: true, bind: bindQuo},
		{name: "least", min: 1, max: -1, bind: bindExtreme},
		{name: "greatest", min: 1, max: -1, bind: bindExtreme},
		{name: "sqlleast", min: 1, max: -1, hidden: true, bind: bindExtreme},
		{name: "sqlgreatest", min: 1, max: -1, hidden: true, bind: bindExtreme},
		{name: "clamp", min: 3, max: 3, bind: bindClamp},
		{name: "pi", bind: func(bindCall) (Expr, error) { return NewFloat(math.Pi), nil }},
		{name: "e", bind: func(bindCall) (Expr, error) { return NewFloat(math.E), nil }},
		{name: "isFinite", min: 1, max: 1, bind: func(c bindCall) (Expr, error) {
			if err := c.float(0); err != nil {
				return nil, err
			}
			return c.make(Bool), nil
		}},
		{name: "bucket", min: 2, max: 3, bind: bindBucket},
	}
	for _, name := range []string{"floor", "ceil"} {
		fs = append(fs, &function{name: name, min: 1, max: 1, bind: func(c bindCall) (Expr, error) {
			if err := c.number(0); err != nil {
				return nil, err
			}
			if c.args[0].Type().Base != Float {
				return c.args[0], nil
			}
			return c.make(Float), nil
		}})
	}
	for _, name := range []string{"sqrt", "cbrt", "exp", "ln", "log2", "log10", "sin", "cos", "tan", "asin", "acos", "atan",
		"sinh", "cosh", "tanh", "degrees", "radians"} {
		fs = append(fs, &function{name: name, min: 1, max: 1, bind: bindFloats})
	}
	return fs
}

// exactNumber checks that argument i is a number and makes a Huge a Float.
func (c bindCall) exactNumber(i int) error {
	if err := c.number(i); err != nil {
		return err
	}
	if c.args[i].Type().Base == Huge {
		c.args[i] = castFloat(c.args[i])
	}
	return nil
}

// bindFloats is for functions from floats to a float.
func bindFloats(c bindCall) (Expr, error) {
	for i := range c.args {
		if err := c.float(i); err != nil {
			return nil, err
		}
	}
	return c.make(Float), nil
}

func bindAbs(c bindCall) (Expr, error) {
	if err := c.number(0); err != nil {
		return nil, err
	}
	if c.args[0].Type().Base == Int {
		if r, ok := boundsOf(c.args[0]).abs(); ok {
			return c.makeInt(r.lo, r.hi), nil
		}
	}
	return c.hugeOrFloat(0)
}

// bindRound: digits after the point, before it when negative; half away from zero.
// Whole numbers stay exact.
func bindRound(c bindCall) (Expr, error) {
	digits, constant, err := c.digits()
	if err != nil {
		return nil, err
	}
	x := c.args[0]
	if isWhole(x) && constant && digits >= 0 {
		return x, nil
	}
	if unit, ok := tenTo(digits); ok && constant && x.Type().Base == Int {
		r := boundsOf(x)
		lo, ok1 := roundTo(r.lo, unit)
		hi, ok2 := roundTo(r.hi, unit)
		if ok1 && ok2 {
			return c.makeInt(lo, hi), nil
		}
	}
	return c.roundWhole(1)
}

// digits checks the arguments of round and trunc and returns the second; constant
// tells whether it is a literal, or absent and so 0.
func (c bindCall) digits() (n int64, constant bool, err error) {
	if err := c.number(0); err != nil {
		return 0, false, err
	}
	if len(c.args) == 1 {
		return 0, true, nil
	}
	if err := c.int(1); err != nil {
		return 0, false, err
	}
	n, constant = intLiteral(c.args[1])
	return n, constant, nil
}

// tenTo returns ten to the power of -digits, for negative digits, if it fits.
func tenTo(digits int64) (int64, bool) {
	if digits >= 0 || digits < -18 {
		return 0, false
	}
	return powInt(10, -digits)
}

// roundWhole binds round or trunc in 128 bits where x is a whole number, else in
// float64. Rounding may add more bits.
func (c bindCall) roundWhole(more int) (Expr, error) {
	if x := c.args[0]; isWhole(x) && magnitude(x)+more <= hugeBits {
		c.args[0] = castHuge(x)
		return &Call{Op: c.op, Args: c.args, T: Type{Base: Huge}, Bits: magnitude(x) + more}, nil
	}
	c.args[0] = castFloat(c.args[0])
	return c.make(Float), nil
}

// roundTo rounds v half away from zero to a multiple of unit, if that fits.
func roundTo(v, unit int64) (int64, bool) {
	rest := v % unit
	v -= rest
	switch {
	case rest >= unit/2: // a power of ten is even
		return addInt(v, unit)
	case -rest >= unit/2:
		return subInt(v, unit)
	}
	return v, true
}

// bindTrunc cuts a number's digits off, or a date down to a unit.
func bindTrunc(c bindCall) (Expr, error) {
	if c.args[0].Type().Base == Date || len(c.args) == 2 && c.args[1].Type().Base == String {
		if len(c.args) != 2 {
			return nil, c.refuse(-1, "trunc of a date needs its unit: %s", quoted(dates.TruncUnits()))
		}
		return Bind("datetrunc", c.args)
	}
	digits, constant, err := c.digits()
	if err != nil {
		return nil, err
	}
	x := c.args[0]
	if isWhole(x) && constant && digits >= 0 {
		return x, nil
	}
	if unit, ok := tenTo(digits); ok && constant && x.Type().Base == Int {
		r := boundsOf(x)
		return c.makeInt(r.lo-r.lo%unit, r.hi-r.hi%unit), nil
	}
	return c.roundWhole(0)
}

// bindPow is exact for whole numbers to a constant power where the result fits.
func bindPow(c bindCall) (Expr, error) {
	for i, e := range c.args {
		if !e.Type().Numeric() && !isNull(e) {
			return nil, cannotCombine(c, i)
		}
	}
	if n, ok := intLiteral(c.args[1]); ok && c.args[0].Type().Base == Int && n >= 0 && n <= 63 {
		r := boundsOf(c.args[0])
		lo, ok1 := powInt(r.lo, n)
		hi, ok2 := powInt(r.hi, n)
		if ok1 && ok2 {
			if n%2 == 0 && n > 0 {
				m, _ := r.abs()
				lo, hi = 0, max(lo, hi)
				if m.lo > 0 {
					lo, _ = powInt(m.lo, n)
				}
			}
			c.args[1] = NewInt(n)
			return c.makeInt(lo, hi), nil
		}
	}
	if n, ok := intLiteral(c.args[1]); ok && isWhole(c.args[0]) && n >= 0 && n <= hugeBits {
		if size := magnitude(c.args[0]) * int(n); size <= hugeBits {
			c.args[0], c.args[1] = castHuge(c.args[0]), NewInt(n)
			return &Call{Op: c.op, Args: c.args, T: Type{Base: Huge}, Bits: max(size, 1)}, nil
		}
	}
	return bindFloats(c)
}

func bindMod(c bindCall) (Expr, error) {
	for i, e := range c.args {
		if !e.Type().Numeric() && !isNull(e) {
			return nil, cannotCombine(c, i)
		}
	}
	if c.args[0].Type().Base == Int && c.args[1].Type().Base == Int {
		r := boundsOf(c.args[0]).mod(boundsOf(c.args[1]))
		return c.makeInt(r.lo, r.hi), nil
	}
	if c.whole() {
		if e, ok := c.makeHuge(magnitude(c.args[0])); ok {
			return e, nil
		}
	}
	return bindFloats(c)
}

// bindQuo is SQL's function div(a, b): whole division toward zero. Its canonical
// name is quo, since div is the operator "/"; see [Env.Call].
func bindQuo(c bindCall) (Expr, error) {
	if err := c.number(0); err != nil {
		return nil, err
	}
	if err := c.number(1); err != nil {
		return nil, err
	}
	if c.args[0].Type().Base == Int && c.args[1].Type().Base == Int {
		if r, ok := boundsOf(c.args[0]).quo(boundsOf(c.args[1])); ok {
			return c.makeInt(r.lo, r.hi), nil
		}
	}
	if c.whole() {
		if e, ok := c.makeHuge(magnitude(c.args[0])); ok {
			return e, nil
		}
	}
	return bindFloats(c)
}

func all(n int) []int {
	at := make([]int, n)
	for i := range at {
		at[i] = i
	}
	return at
}

// bindExtreme binds least and greatest, missing when any argument is, and their
// SQL twins sqlleast and sqlgreatest, which pass over missing arguments.
func bindExtreme(c bindCall) (Expr, error) {
	t, err := c.unify(all(len(c.args)))
	if err != nil {
		return nil, err
	}
	return c.extreme(t)
}

func (c bindCall) extreme(t Type) (Expr, error) {
	switch {
	case t.Base == Null:
		return NewNull(), nil
	case len(c.args) == 1:
		return c.args[0], nil
	}
	call := &Call{Op: c.op, Args: c.args, T: t}
	if t.Base == Huge {
		call.Bits = magnitudes(c.args)
	}
	if t.Base == Int || t.Base == Date {
		r := boundsOf(c.args[0])
		for _, a := range c.args[1:] {
			b := boundsOf(a)
			switch c.op {
			case "least":
				r = span{min(r.lo, b.lo), min(r.hi, b.hi)}
			case "greatest":
				r = span{max(r.lo, b.lo), max(r.hi, b.hi)}
			default:
				r = r.union(b)
			}
		}
		call.setBounds(r, c.args)
	}
	return call, nil
}

// setBounds records r, unless an argument of a Date call has no bounds.
func (x *Call) setBounds(r span, args []Expr) {
	if x.T.Base == Date {
		for _, a := range args {
			if _, _, ok := Bounds(a); !ok {
				return
			}
		}
	}
	x.Lo, x.Hi = r.lo, r.hi
}

// bindClamp is clamp(x, lo, hi) = least(greatest(x, lo), hi).
func bindClamp(c bindCall) (Expr, error) {
	if _, err := c.unify(all(3)); err != nil {
		return nil, err
	}
	low, err := Bind("greatest", c.args[:2])
	if err != nil {
		return nil, err
	}
	return Bind("least", []Expr{low, c.args[2]})
}

// bindBucket is the start of the interval of that width that x lies in.
func bindBucket(c bindCall) (Expr, error) {
	for i := range c.args {
		if err := c.number(i); err != nil {
			return nil, err
		}
	}
	if len(c.args) == 2 {
		c.args = append(c.args, NewInt(0))
	}
	if l, ok := c.args[1].(*Literal); ok {
		if l.Value.Base == Int && l.Value.I <= 0 || l.Value.Base == Float && l.Value.F <= 0 {
			return nil, c.refuse(1, "bucket needs a width above 0, not %s", shown(l))
		}
	}
	width, wok := intLiteral(c.args[1])
	origin, ook := intLiteral(c.args[2])
	if c.args[0].Type().Base == Int && wok && ook {
		r := boundsOf(c.args[0])
		off, ok := r.sub(span{origin, origin})
		if ok {
			lo, ok1 := mulInt(floorDiv(off.lo, width), width)
			hi, ok2 := mulInt(floorDiv(off.hi, width), width)
			res, ok3 := span{lo, hi}.add(span{origin, origin})
			if ok1 && ok2 && ok3 {
				c.args[1], c.args[2] = NewInt(width), NewInt(origin)
				return c.makeInt(res.lo, res.hi), nil
			}
		}
	}
	return c.hugeOrFloat(2)
}

func conditionFunctions() []*function {
	return []*function{
		{name: "if", min: 3, max: 3, bind: bindCase},
		{name: "case", min: 2, max: -1, bind: bindCase},
		{name: "coalesce", min: 1, max: -1, bind: bindCoalesce},
		{name: "ifMissing", min: 2, max: 2, bind: bindCoalesce},
		{name: "isMissing", min: 1, max: 1, bind: func(c bindCall) (Expr, error) { return Bind("isnull", c.args) }},
		{name: "nullIf", min: 2, max: 2, bind: bindNullIf},
	}
}

// bindCase binds case(c1, v1, …, else); without else it is missing.
func bindCase(c bindCall) (Expr, error) {
	if len(c.args)%2 == 0 {
		c.args = append(c.args, NewNull())
	}
	n := len(c.args)
	values := []int{}
	for i := 0; i+1 < n; i += 2 {
		if err := c.bool(i); err != nil {
			return nil, err
		}
		values = append(values, i+1)
	}
	t, err := c.unify(append(values, n-1))
	if err != nil {
		return nil, err
	}
	if t.Base == Null {
		return NewNull(), nil
	}
	call := &Call{Op: "case", Args: c.args, T: t}
	results := []Expr{}
	r, first := span{}, true
	for _, i := range append(values, n-1) {
		if isMissing(c.args[i]) {
			continue
		}
		results = append(results, c.args[i])
		if b := boundsOf(c.args[i]); first {
			r, first = b, false
		} else {
			r = r.union(b)
		}
	}
	if t.Base == Int || t.Base == Date {
		call.setBounds(r, results)
	}
	if t.Base == Huge {
		call.Bits = magnitudes(results)
	}
	return call, nil
}

func bindCoalesce(c bindCall) (Expr, error) {
	t, err := c.unify(all(len(c.args)))
	if err != nil {
		return nil, err
	}
	c.op = "coalesce"
	args := slices.DeleteFunc(c.args, isMissing)
	switch {
	case t.Base == Null:
		return NewNull(), nil
	case len(args) == 0:
		return &Literal{T: t}, nil
	case len(args) == 1:
		return args[0], nil
	}
	call := &Call{Op: c.op, Args: args, T: t}
	if t.Base == Int || t.Base == Date {
		r := boundsOf(args[0])
		for _, a := range args[1:] {
			r = r.union(boundsOf(a))
		}
		call.setBounds(r, args)
	}
	if t.Base == Huge {
		call.Bits = magnitudes(args)
	}
	return call, nil
}

// bindNullIf: a, but missing where a == b is true. A date literal stands for its
// first instant here, since b is a value.
func bindNullIf(c bindCall) (Expr, error) {
	a, b := c.args[0], c.args[1]
	t := a.Type()
	if isNull(a) || isMissing(b) {
		return a, nil
	}
	if s, ok := stringLiteral(b); ok && t.Base == Date {
		d, err := dateLiteral(s, 1)
		if err != nil {
			return nil, err
		}
		b = d
	}
	switch u := b.Type(); {
	case t.Base == Date && u.Base == Date:
		if d := castUnit(b, t); u.Unit <= t.Unit {
			b = d
		} else if !isLiteral(b) {
			return nil, c.refuse(1, "nullIf cannot compare %s with the finer %s", describe(a), describe(b))
		} else if dates.Convert(d.(*Literal).Value.I, t.Unit, u.Unit) != b.(*Literal).Value.I {
			return a, nil // a time of day that no value of a has
		} else {
			b = d
		}
	case isFlagged(a) && u.Base == Bool && isLiteral(b):
		b = NewString(Format(b))
	}
	eq, err := compare("eq", a, b, 0, 1)
	if err != nil {
		return nil, err
	}
	other := eq.(*Call).Args[1]
	if x := eq.(*Call).Args[0]; x != a && (!isLiteral(a) || x.Type().Base != t.Base) {
		// The comparison would convert a (a flagged category), or exchange the two.
		return nil, cannotCompare(a, b, 0, 1, nil)
	}
	r := boundsOf(a)
	call := &Call{Op: "nullif", Args: []Expr{a, other}, T: t, Lo: r.lo, Hi: r.hi}
	if t.Base == Huge {
		call.Bits = magnitude(a)
	}
	return call, nil
}

func quoted(names []string) string {
	return "'" + strings.Join(names, "', '") + "'"
}

func castFunctions() []*function {
	return []*function{
		{name: "toNumber", min: 1, max: 1, bind: bindToNumber},
		{name: "toText", min: 1, max: 1, bind: bindToText},
		{name: "toBool", min: 1, max: 1, hidden: true, bind: bindToBool},
		{name: "toInt", min: 1, max: 1, hidden: true, bind: bindToInt},
		{name: "toFloat", min: 1, max: 1, hidden: true, bind: func(c bindCall) (Expr, error) {
			e, err := bindToNumber(c)
			if err != nil {
				return nil, err
			}
			return castFloat(e), nil
		}},
		{name: "finite", min: 1, max: 1, hidden: true, bind: bindFloats},
		{name: "toDate", min: 1, max: 1, hidden: true, bind: bindToDate},
		{name: "toTimestamp", min: 1, max: 1, hidden: true, bind: bindToDate},
	}
}

// bindToNumber reads text as a number, true as 1 and false as 0.
func bindToNumber(c bindCall) (Expr, error) {
	e := c.args[0]
	if isFlagged(e) {
		e = flaggedToBool(e)
	}
	switch e.Type().Base {
	case Null:
		return &Literal{T: Type{Base: Float}}, nil
	case Int, Huge, Float:
		return e, nil
	case Bool:
		return &Call{Op: "tonumber", Args: []Expr{e}, T: Type{Base: Int}, Lo: 0, Hi: 1}, nil
	case String:
		c.op = "tonumber"
		return c.make(Float), nil
	}
	return nil, c.refuse(0, "%s needs text or a number, not %s", c.name, describe(e))
}

func bindToText(c bindCall) (Expr, error) {
	switch c.args[0].Type().Base {
	case Null:
		return &Literal{T: Type{Base: String}}, nil
	case String:
		return c.args[0], nil
	}
	return c.make(String), nil
}

func bindToBool(c bindCall) (Expr, error) {
	e := c.args[0]
	switch {
	case isNull(e):
		return &Literal{T: Type{Base: Bool}}, nil
	case e.Type().Base == Bool:
		return e, nil
	case e.Type().Numeric():
		return Bind("ne", []Expr{e, NewInt(0)})
	case e.Type().Base == String:
		return c.make(Bool), nil
	}
	return nil, c.refuse(0, "%s cannot become true or false", describe(e))
}

// bindToInt is SQL's cast to a whole number: half to even, as PostgreSQL rounds
// double precision; text is read as a number first; what does not fit is missing.
func bindToInt(c bindCall) (Expr, error) {
	if c.args[0].Type().Base == String && !isFlagged(c.args[0]) { // not through a float
		return c.makeInt(math.MinInt64, math.MaxInt64), nil
	}
	e, err := bindToNumber(c)
	if err != nil {
		return nil, err
	}
	if e.Type().Base == Int {
		return e, nil
	}
	c.args = []Expr{e} // e may hold the old slice
	return c.makeInt(math.MinInt64, math.MaxInt64), nil
}

// bindToDate is SQL's cast to DATE (toDate: whole days) or TIMESTAMP (toTimestamp).
func bindToDate(c bindCall) (Expr, error) {
	t := Type{Base: Date}
	if c.op == "totimestamp" {
		t.Unit = col.Micro
	}
	e := c.args[0]
	if s, ok := stringLiteral(e); ok {
		d, err := dateLiteral(s, 0)
		if err != nil {
			return nil, err
		}
		t.Zone = d.T.Zone && t.Unit != col.Day
		return castUnit(d, t), nil
	}
	switch e.Type().Base {
	case Null:
		return &Literal{T: t}, nil
	case Date:
		t.Zone = e.Type().Zone && t.Unit != col.Day
		if c.op == "totimestamp" {
			t.Unit = max(t.Unit, e.Type().Unit)
		}
		return castUnit(e, t), nil
	case String:
		call := c.make(Date)
		call.T = t
		return call, nil
	}
	return nil, c.refuse(0, "%s cannot become a date", describe(e))
}
