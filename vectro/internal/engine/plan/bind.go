package plan

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/quartet-mcp/quartet/mcpkit/nearest"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/caret"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/dates"
)

// Env is what an expression may know of the call it is part of.
type Env struct {
	Now time.Time // what today() and now() mean, fixed for the call
}

// Call binds a function as a person wrote it. It differs from [Bind] in three
// things: operators have no name here; div is SQL's whole division, not the operator
// "/"; and there are today(), a day, and now(), a point in time, both in UTC and
// given as literals.
func (v Env) Call(name string, args []Expr) (Expr, error) {
	op := strings.ToLower(name)
	switch op {
	case "today", "now":
		if err := checkCount(op, len(args), 0, 0); err != nil {
			return nil, err
		}
		now := v.Now.UTC()
		if op == "today" {
			return NewDate(floorDiv(now.Unix(), 86_400), Type{Base: Date, Unit: col.Day}), nil
		}
		return NewDate(now.UnixMicro(), Type{Base: Date, Unit: col.Micro, Zone: true}), nil
	case "div":
		op = "quo"
	default:
		if !IsFunction(op) {
			return nil, unknownFunction(name)
		}
	}
	return Bind(op, args)
}

// Bind applies the operator or function called op (in any case; canonical names
// and aliases are those of the registry) to args: it checks their number, converts
// what may be converted without being asked, chooses the overload and the type of
// the result, and folds what is needed to do so. args is not changed. A refusal is
// a [*BindError].
//
// Comparisons: a literal among the two operands becomes the second. A date
// literal of a month or a year turns eq into between, ne into its negation, and
// the others into a comparison with the first or last instant of the span. A
// comparison with the bare null is unknown, as in SQL; a language in which
// x == null asks for missing values binds isnull and notnull.
//
// No argument stands twice in the result: an expression is a tree unless the caller
// gave the same expression to several calls.
func Bind(op string, args []Expr) (Expr, error) {
	name := strings.ToLower(op)
	f := registry.byName[name]
	if f == nil {
		return nil, unknownFunction(op)
	}
	called := f.name
	switch {
	case aliases[name] != "":
		called = name // as it was asked for
	case f.hidden && publicNames[name] != "":
		called = publicNames[name]
	}
	if err := checkCount(called, len(args), f.min, f.max); err != nil {
		return nil, err
	}
	for i, a := range args {
		if a.Type().Base == Text {
			return nil, freeText(i, a)
		}
	}
	return f.bind(bindCall{name: called, op: f.op, args: append([]Expr(nil), args...)})
}

func unknownFunction(name string) error {
	msg := "unknown function " + caret.Quote(name)
	if best := nearest.Best(name, append(Functions(), Aggregates()...)); best != "" {
		msg += "; did you mean " + caret.Quote(best) + "?"
	}
	return refusal(-1, "%s", msg)
}

func checkCount(name string, n, lo, hi int) error {
	if n >= lo && (hi < 0 || n <= hi) {
		return nil
	}
	var want string
	switch {
	case lo == hi && lo == 0:
		want = "no arguments"
	case lo == hi && lo == 1:
		want = "1 argument"
	case lo == hi:
		want = fmt.Sprintf("%d arguments", lo)
	case hi < 0 && lo == 1:
		want = "at least 1 argument"
	case hi < 0:
		want = fmt.Sprintf("at least %d arguments", lo)
	case hi == lo+1:
		want = fmt.Sprintf("%d or %d arguments", lo, hi)
	default:
		want = fmt.Sprintf("%d to %d arguments", lo, hi)
	}
	return refusal(-1, "%s takes %s, not %d", name, want, n)
}

func freeText(arg int, e Expr) error {
	what := Format(e)
	if c, ok := e.(*Column); ok {
		what = c.Field.Name
	}
	return refusal(arg, "%s is free text (loaded with types 'string') and cannot be used in an expression", caret.Quote(what))
}

// ToBool makes e usable as a condition: a Bool as it is, a boolean-flagged
// category as a Bool, the bare null as unknown. Anything else is refused with an
// offer of what to write.
func ToBool(e Expr) (Expr, error) {
	t := e.Type()
	switch {
	case t.Base == Bool:
		return e, nil
	case isNull(e):
		return &Literal{T: Type{Base: Bool}}, nil
	case isFlagged(e):
		return flaggedToBool(e), nil
	case t.Base == Text:
		return nil, freeText(0, e)
	case t.Numeric():
		return nil, refusal(0, "%s is not a condition; write %s %s 0", describe(e), operandText(e), either("!=", "<>"))
	}
	return nil, refusal(0, "%s is not a condition; compare it with a value", describe(e))
}

// NewInt returns a whole number as a literal.
func NewInt(v int64) *Literal {
	return &Literal{Value: Value{Base: Int, I: v}, T: Type{Base: Int}}
}

// NewFloat returns a number as a literal; NaN is missing.
func NewFloat(v float64) *Literal {
	if v != v {
		return &Literal{T: Type{Base: Float}}
	}
	return &Literal{Value: Value{Base: Float, F: v}, T: Type{Base: Float}}
}

// NewNumber reads a number, as the languages and JSON spell it, as a literal. Whole
// numbers within int64 are exact; others are the nearest double, beyond the largest
// ±Inf, as reading a file has it. One of digits alone keeps them in Value.S: what is
// too large to be exact may be meant as a label, an identifier for example.
func NewNumber(text string) *Literal {
	if v, err := strconv.ParseInt(text, 10, 64); err == nil {
		return NewInt(v)
	}
	f, _ := strconv.ParseFloat(text, 64)
	l := NewFloat(f)
	if digits := strings.TrimPrefix(text, "-"); strings.Trim(digits, "0123456789") == "" {
		l.Value.S = text
	}
	return l
}

// NewString returns text as a literal.
func NewString(s string) *Literal {
	return &Literal{Value: Value{Base: String, S: s}, T: Type{Base: String}}
}

// NewBool returns true or false as a literal.
func NewBool(b bool) *Literal {
	l := &Literal{Value: Value{Base: Bool}, T: Type{Base: Bool}}
	if b {
		l.Value.I = 1
	}
	return l
}

// NewDate returns v, counted in t's unit, as a literal of type t.
func NewDate(v int64, t Type) *Literal {
	return &Literal{Value: Value{Base: Date, I: v}, T: t}
}

// NewNull returns the bare null, which takes the type of what stands beside it.
func NewNull() *Literal { return &Literal{} }

// NewField describes a result column that holds e: its type, the bounds of its
// values, and whether it is a boolean-flagged category.
func NewField(name string, e Expr) Field {
	f := Field{Name: name, Type: e.Type()}
	if lo, hi, ok := Bounds(e); ok {
		f.Lo, f.Hi = lo, hi
	}
	if f.Type.Base == Huge {
		f.Bits = magnitude(e)
	}
	f.Bool = isFlagged(e)
	f.Inf = mayBeInf(e)
	return f
}

// bindCall is one call on its way to becoming an expression. args belongs to it.
type bindCall struct {
	name string // as documented, for messages
	op   string
	args []Expr
}

func (c bindCall) refuse(arg int, format string, a ...any) error {
	return refusal(arg, format, a...)
}

// make returns the call of c.op with result base b.
func (c bindCall) make(b Base) *Call { return &Call{Op: c.op, Args: c.args, T: Type{Base: b}} }

// makeInt returns the call of c.op with an Int result within lo and hi.
func (c bindCall) makeInt(lo, hi int64) *Call {
	return &Call{Op: c.op, Args: c.args, T: Type{Base: Int}, Lo: lo, Hi: hi}
}

// makeHuge returns the call of c.op in 128 bits, with results below 2^n in size; ok
// is false where those may not be enough or an argument is no whole number.
func (c bindCall) makeHuge(n int) (e Expr, ok bool) {
	if n > hugeBits || !c.whole() {
		return nil, false
	}
	for i, a := range c.args {
		c.args[i] = castHuge(a)
	}
	return &Call{Op: c.op, Args: c.args, T: Type{Base: Huge}, Bits: n}, true
}

// whole reports whether all arguments are whole numbers.
func (c bindCall) whole() bool {
	for _, a := range c.args {
		if !isWhole(a) {
			return false
		}
	}
	return true
}

func isWhole(e Expr) bool { return e.Type().Base == Int || e.Type().Base == Huge }

// number checks that argument i is a number.
func (c bindCall) number(i int) error {
	e := c.args[i]
	if isNull(e) {
		c.args[i] = &Literal{T: Type{Base: Float}}
		return nil
	}
	if e.Type().Numeric() {
		return nil
	}
	var hint words
	switch {
	case e.Type().Base == String:
		if _, lit := e.(*Literal); !lit {
			hint = say("; toNumber(%s) reads text as a number", operandText(e))
		}
	case e.Type().Base == Bool:
		hint = say("; %s makes one of a condition", asNumber(e))
	}
	return c.refuse(i, "%s needs a number, not %s%s", c.name, describe(e), hint)
}

// float makes argument i a Float.
func (c bindCall) float(i int) error {
	if err := c.number(i); err != nil {
		return err
	}
	c.args[i] = castFloat(c.args[i])
	return nil
}

// int makes argument i an Int; a fraction is cut off.
func (c bindCall) int(i int) error {
	if err := c.number(i); err != nil {
		return err
	}
	c.args[i] = truncInt(c.args[i])
	return nil
}

// text checks that argument i is text.
func (c bindCall) text(i int) error {
	e := c.args[i]
	switch {
	case isNull(e):
		c.args[i] = &Literal{T: Type{Base: String}}
		return nil
	case e.Type().Base == String:
		return nil
	}
	return c.refuse(i, "%s needs text, not %s; toText(%s) writes it as text", c.name, describe(e), shown(e))
}

// texts checks arguments from to to-1.
func (c bindCall) texts(from, to int) error {
	for i := from; i < min(to, len(c.args)); i++ {
		if err := c.text(i); err != nil {
			return err
		}
	}
	return nil
}

// date makes argument i a date; a text literal is read as one.
func (c bindCall) date(i int) error {
	e := c.args[i]
	switch {
	case isNull(e):
		c.args[i] = &Literal{T: Type{Base: Date}}
		return nil
	case e.Type().Base == Date:
		return nil
	}
	if s, ok := stringLiteral(e); ok {
		d, err := dateLiteral(s, i)
		if err != nil {
			return err
		}
		c.args[i] = d
		return nil
	}
	var hint words
	if e.Type().Base == String {
		hint = say("; date(%s) reads text as a date", operandText(e))
	}
	return c.refuse(i, "%s needs a date, not %s%s", c.name, describe(e), hint)
}

// bool makes argument i a Bool.
func (c bindCall) bool(i int) error {
	e, err := ToBool(c.args[i])
	if err != nil {
		return argAt(err, i, i)
	}
	c.args[i] = e
	return nil
}

func isNull(e Expr) bool {
	l, ok := e.(*Literal)
	return ok && l.T.Base == Null
}

func isLiteral(e Expr) bool { _, ok := e.(*Literal); return ok }

// isMissing reports whether e is a missing literal, typed or not.
func isMissing(e Expr) bool {
	l, ok := e.(*Literal)
	return ok && l.Value.Base == Null
}

func isFlagged(e Expr) bool {
	c, ok := e.(*Column)
	return ok && c.Field.Bool && c.Field.Type.Base == String
}

func flaggedToBool(e Expr) Expr { return &Call{Op: "tobool", Args: []Expr{e}, T: Type{Base: Bool}} }

func stringLiteral(e Expr) (string, bool) {
	l, ok := e.(*Literal)
	if !ok || l.Value.Base != String {
		return "", false
	}
	return l.Value.S, true
}

// intLiteral returns the value of a whole-number literal.
func intLiteral(e Expr) (int64, bool) {
	l, ok := e.(*Literal)
	if !ok {
		return 0, false
	}
	switch l.Value.Base {
	case Int:
		return l.Value.I, true
	case Float:
		return exactInt(l.Value.F)
	}
	return 0, false
}

// exactInt returns f as an int64 if it is one.
func exactInt(f float64) (int64, bool) {
	if f != math.Trunc(f) || f < -1<<63 || f >= 1<<63 {
		return 0, false
	}
	return int64(f), true
}

// exactFloat returns v as a float64 if it is one.
func exactFloat(v int64) (float64, bool) {
	f := float64(v)
	back, ok := exactInt(f)
	return f, ok && back == v
}

func castFloat(e Expr) Expr {
	if e.Type().Base == Float {
		return e
	}
	if l, ok := e.(*Literal); ok {
		switch l.Value.Base {
		case Null:
			return &Literal{T: Type{Base: Float}}
		case Int:
			return NewFloat(float64(l.Value.I))
		}
	}
	return &Call{Op: "tofloat", Args: []Expr{e}, T: Type{Base: Float}}
}

func castHuge(e Expr) Expr {
	if e.Type().Base == Huge {
		return e
	}
	if l, ok := e.(*Literal); ok {
		v := l.Value
		if v.Base == Int {
			v = Value{Base: Huge, I: v.I, Hi: v.I >> 63}
		}
		return &Literal{Value: v, T: Type{Base: Huge}}
	}
	return &Call{Op: "tohuge", Args: []Expr{e}, T: Type{Base: Huge}, Bits: magnitude(e)}
}

// truncInt cuts the fraction of a number off; what does not fit int64 is missing.
func truncInt(e Expr) Expr {
	if e.Type().Base == Int {
		return e
	}
	if l, ok := e.(*Literal); ok && l.Value.Base == Float {
		if v, ok := exactInt(math.Trunc(l.Value.F)); ok {
			return NewInt(v)
		}
		return &Literal{T: Type{Base: Int}}
	}
	if isMissing(e) {
		return &Literal{T: Type{Base: Int}}
	}
	return &Call{Op: "truncint", Args: []Expr{e}, T: Type{Base: Int}, Lo: math.MinInt64, Hi: math.MaxInt64}
}

// unify makes all args one type: all numbers (Int, else Huge, else Float), all
// text, all dates (the finest unit), or all conditions. Bare nulls take that type.
// A text literal among dates is read as a date, a flagged category among
// conditions as a condition.
func (c bindCall) unify(at []int) (Type, error) {
	var t Type
	first := -1
	anyDate, anyBool := false, false
	for _, i := range at {
		anyDate = anyDate || c.args[i].Type().Base == Date
		anyBool = anyBool || c.args[i].Type().Base == Bool
	}
	for _, i := range at {
		e := c.args[i]
		if isNull(e) {
			continue
		}
		if s, ok := stringLiteral(e); ok && anyDate {
			d, err := dateLiteral(s, i)
			if err != nil {
				return t, err
			}
			e = d
		}
		if anyBool && isFlagged(e) {
			e = flaggedToBool(e)
		}
		c.args[i] = e
		u := e.Type()
		switch {
		case first < 0:
			t, first = u, i
		case t.Numeric() && u.Numeric():
			t.Base = max(t.Base, u.Base) // Int < Huge < Float
		case t.Base != u.Base:
			return t, c.refuse(i, "%s mixes %s with %s; all its values must be of one kind", c.name, describe(c.args[first]), describe(e))
		case t.Base == Date:
			t.Unit = max(t.Unit, u.Unit)
			t.Zone = t.Zone || u.Zone
		}
	}
	for _, i := range at {
		c.args[i] = castTo(c.args[i], t)
	}
	return t, nil
}

// castTo converts e to t where unify found that it can be.
func castTo(e Expr, t Type) Expr {
	switch {
	case isNull(e):
		return &Literal{T: t}
	case t.Base == Float:
		return castFloat(e)
	case t.Base == Huge:
		return castHuge(e)
	case t.Base == Date:
		return castUnit(e, t)
	}
	return e
}

// castUnit counts a date in another unit.
func castUnit(e Expr, t Type) Expr {
	from := e.Type()
	if l, ok := e.(*Literal); ok {
		if l.Value.Base == Null {
			return &Literal{T: t}
		}
		return NewDate(dates.Convert(l.Value.I, from.Unit, t.Unit), t)
	}
	if from.Unit == t.Unit {
		return e
	}
	return &Call{Op: "tounit", Args: []Expr{e}, T: t}
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}
