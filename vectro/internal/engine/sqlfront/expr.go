package sqlfront

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/caret"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/eval"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// binder turns expressions of one clause into typed ones over a scope.
type binder struct {
	p      *planner
	scope  *scope
	group  *plan.Grouping         // nil where aggregates may not stand
	where  map[*plan.Column]int32 // notes where columns stand, if not nil
	clause string                 // for messages
	names  []string               // of the select list, which this clause does not see
	inAgg  string                 // the aggregate whose arguments are being bound
}

// constant folds an expression without columns.
func (p *planner) constant(e plan.Expr) (*plan.Literal, bool) {
	v, ok := eval.Constant(e)
	return &plan.Literal{Value: v, T: e.Type()}, ok
}

// condition binds an expression that has to be true or false.
func (b *binder) condition(n *pg.Node) (plan.Expr, error) {
	e, err := b.bind(n)
	if err != nil {
		return nil, err
	}
	if e, err = plan.ToBool(e); err != nil {
		return nil, b.p.fail(location(n), "%s: %s", b.clause, inSQL(err))
	}
	return e, nil
}

func (b *binder) bindAll(nodes []*pg.Node) ([]plan.Expr, error) {
	out := make([]plan.Expr, len(nodes))
	for i, n := range nodes {
		e, err := b.bind(n)
		if err != nil {
			return nil, err
		}
		out[i] = e
	}
	return out, nil
}

// apply applies an operator of the plan to arguments that stand at nodes.
func (b *binder) apply(op string, args []plan.Expr, at int32, nodes ...*pg.Node) (plan.Expr, error) {
	e, err := plan.Bind(op, args)
	if err != nil {
		return nil, b.refused(err, at, nodes)
	}
	return e, nil
}

// refused places an error of the plan: at the argument at fault, else at the call.
func (b *binder) refused(err error, at int32, nodes []*pg.Node) error {
	var be *plan.BindError
	if !errors.As(err, &be) {
		return err
	}
	if be.Arg >= 0 && be.Arg < len(nodes) {
		if l := location(nodes[be.Arg]); l >= 0 {
			at = l
		}
	}
	return b.p.fail(at, "%s", be.SQL)
}

// inSQL returns the text of an error of the plan, written for SQL.
func inSQL(err error) string {
	var be *plan.BindError
	if errors.As(err, &be) {
		return be.SQL
	}
	return err.Error()
}

// bind binds one expression. Its recursion is bounded by the limits of the text.
func (b *binder) bind(n *pg.Node) (plan.Expr, error) {
	switch x := n.GetNode().(type) {
	case *pg.Node_ColumnRef:
		return b.column(x.ColumnRef)
	case *pg.Node_AConst:
		return b.constant(x.AConst)
	case *pg.Node_AExpr:
		return b.operator(x.AExpr)
	case *pg.Node_BoolExpr:
		return b.logic(x.BoolExpr)
	case *pg.Node_NullTest:
		return b.nullTest(x.NullTest)
	case *pg.Node_BooleanTest:
		return b.booleanTest(x.BooleanTest)
	case *pg.Node_CaseExpr:
		return b.caseExpr(x.CaseExpr)
	case *pg.Node_CoalesceExpr:
		if err := only(x.CoalesceExpr, "args"); err != nil {
			return nil, err
		}
		return b.call("coalesce", x.CoalesceExpr.Location, x.CoalesceExpr.Args)
	case *pg.Node_MinMaxExpr:
		if err := only(x.MinMaxExpr, "op", "args"); err != nil {
			return nil, err
		}
		op := "sqlgreatest"
		if x.MinMaxExpr.Op == pg.MinMaxOp_IS_LEAST {
			op = "sqlleast"
		}
		return b.call(op, x.MinMaxExpr.Location, x.MinMaxExpr.Args)
	case *pg.Node_TypeCast:
		return b.cast(x.TypeCast)
	case *pg.Node_FuncCall:
		return b.function(x.FuncCall)
	case *pg.Node_SqlvalueFunction:
		return b.valueFunction(x.SqlvalueFunction)
	case *pg.Node_ParamRef:
		return nil, b.p.parameter(x.ParamRef)
	}
	return nil, refuseNode(n)
}

// call binds nodes and applies an operator of the plan to them.
func (b *binder) call(op string, at int32, nodes []*pg.Node) (plan.Expr, error) {
	args, err := b.bindAll(nodes)
	if err != nil {
		return nil, err
	}
	return b.apply(op, args, at, nodes...)
}

func (p *planner) parameter(r *pg.ParamRef) error {
	name := "?"
	if r.Number > 0 {
		name = fmt.Sprintf("$%d", r.Number)
	}
	return refuse("Write the value in place of %s.", name)
}

func (b *binder) column(r *pg.ColumnRef) (plan.Expr, error) {
	if err := only(r, "fields"); err != nil {
		return nil, err
	}
	for _, f := range r.Fields {
		if f.GetAStar() != nil {
			return nil, b.p.fail(r.Location, "* stands in the select list and in count(*) only")
		}
		if f.GetString_() == nil {
			return nil, refuseNode(f)
		}
	}
	ids := b.p.idents(r.Location, stringsOf(r.Fields))
	c, err := b.p.column(b.scope, ids, r.Location)
	if err != nil {
		if len(ids) == 1 && match(ids[0], b.names) != nil {
			return nil, b.p.fail(r.Location, "no column %s; it is a name of the select list, which %s does not see: repeat its expression", ids[0], b.clause)
		}
		return nil, err
	}
	if b.where != nil {
		b.where[c] = r.Location
	}
	return c, nil
}

func (b *binder) constant(c *pg.A_Const) (plan.Expr, error) {
	if c.Isnull {
		return plan.NewNull(), nil
	}
	switch v := c.Val.(type) {
	case *pg.A_Const_Ival:
		return plan.NewInt(int64(v.Ival.GetIval())), nil
	case *pg.A_Const_Fval:
		return number(v.Fval.GetFval()), nil
	case *pg.A_Const_Boolval:
		return plan.NewBool(v.Boolval.GetBoolval()), nil
	case *pg.A_Const_Sval:
		return plan.NewString(v.Sval.GetSval()), nil
	}
	return nil, unsupported("A bit string", "Write a number.")
}

// number reads a number that does not fit the parser's 32 bits, with an optional
// minus; as [plan.NewNumber] has it.
func number(s string) *plan.Literal {
	s = strings.ReplaceAll(s, "_", "")
	if d := strings.TrimPrefix(s, "-"); len(d) > 2 && d[0] == '0' && strings.ContainsAny(d[1:2], "xXoObB") {
		if n, ok := new(big.Int).SetString(s, 0); ok { // the prefix tells the base
			if n.IsInt64() {
				return plan.NewInt(n.Int64())
			}
			f, _ := new(big.Float).SetInt(n).Float64()
			return plan.NewFloat(f)
		}
	}
	return plan.NewNumber(s)
}

func (b *binder) logic(x *pg.BoolExpr) (plan.Expr, error) {
	if err := only(x, "boolop", "args"); err != nil {
		return nil, err
	}
	op := map[pg.BoolExprType]string{
		pg.BoolExprType_AND_EXPR: "and", pg.BoolExprType_OR_EXPR: "or", pg.BoolExprType_NOT_EXPR: "not",
	}[x.Boolop]
	if op == "not" {
		return b.call(op, x.Location, x.Args)
	}
	var all plan.Expr
	for _, n := range x.Args {
		e, err := b.bind(n)
		if err == nil {
			if e, err = plan.ToBool(e); err != nil {
				err = b.p.fail(location(n), "%s", inSQL(err))
			}
		}
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = e
		} else if all, err = b.apply(op, []plan.Expr{all, e}, x.Location); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (b *binder) nullTest(x *pg.NullTest) (plan.Expr, error) {
	if err := only(x, "arg", "nulltesttype"); err != nil {
		return nil, err
	}
	op := "isnull"
	if x.Nulltesttype == pg.NullTestType_IS_NOT_NULL {
		op = "notnull"
	}
	return b.call(op, x.Location, []*pg.Node{x.Arg})
}

// booleanTest is IS [NOT] TRUE, FALSE or UNKNOWN, which are never unknown.
func (b *binder) booleanTest(x *pg.BooleanTest) (plan.Expr, error) {
	if err := only(x, "arg", "booltesttype"); err != nil {
		return nil, err
	}
	e, err := b.condition(x.Arg)
	if err != nil {
		return nil, err
	}
	switch x.Booltesttype {
	case pg.BoolTestType_IS_TRUE:
		return b.apply("notdistinct", []plan.Expr{e, plan.NewBool(true)}, x.Location)
	case pg.BoolTestType_IS_NOT_TRUE:
		return b.apply("distinct", []plan.Expr{e, plan.NewBool(true)}, x.Location)
	case pg.BoolTestType_IS_FALSE:
		return b.apply("notdistinct", []plan.Expr{e, plan.NewBool(false)}, x.Location)
	case pg.BoolTestType_IS_NOT_FALSE:
		return b.apply("distinct", []plan.Expr{e, plan.NewBool(false)}, x.Location)
	case pg.BoolTestType_IS_UNKNOWN:
		return b.apply("isnull", []plan.Expr{e}, x.Location)
	case pg.BoolTestType_IS_NOT_UNKNOWN:
		return b.apply("notnull", []plan.Expr{e}, x.Location)
	}
	return nil, unsupported("This test of a condition", "")
}

// caseExpr binds both forms of CASE.
func (b *binder) caseExpr(x *pg.CaseExpr) (plan.Expr, error) {
	if err := only(x, "arg", "args", "defresult"); err != nil {
		return nil, err
	}
	var args []plan.Expr
	var nodes []*pg.Node
	for _, n := range x.Args {
		w := n.GetCaseWhen()
		if err := only(w, "expr", "result"); err != nil {
			return nil, err
		}
		cond, err := b.bind(w.Expr)
		if err != nil {
			return nil, err
		}
		if x.Arg != nil {
			arg, err := b.bind(x.Arg)
			if err != nil {
				return nil, err
			}
			if cond, err = b.apply("eq", []plan.Expr{arg, cond}, location(w.Expr), x.Arg, w.Expr); err != nil {
				return nil, err
			}
		}
		result, err := b.bind(w.Result)
		if err != nil {
			return nil, err
		}
		args, nodes = append(args, cond, result), append(nodes, w.Expr, w.Result)
	}
	if x.Defresult != nil {
		e, err := b.bind(x.Defresult)
		if err != nil {
			return nil, err
		}
		args, nodes = append(args, e), append(nodes, x.Defresult)
	}
	return b.apply("case", args, x.Location, nodes...)
}

// infix maps SQL's operators to the plan's.
var infix = map[string]string{
	"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "mod", "^": "pow",
	"=": "eq", "<>": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge",
}

// operatorHints say what is written instead of operators that SQL does not have.
var operatorHints = map[string]string{
	"==": "Equality is written =.", "&&": "Write AND.", "!": "Write NOT.", "!!": "Write NOT.",
	"`": `Names are written in double quotes: "unit price".`, "**": "The power is written ^.", "//": "Whole division is written div(a, b).",
}

func (b *binder) operator(x *pg.A_Expr) (plan.Expr, error) {
	if err := only(x, "kind", "name", "lexpr", "rexpr"); err != nil {
		return nil, err
	}
	sign := ""
	if len(x.Name) == 1 {
		sign = x.Name[0].GetString_().GetSval()
	}
	both := []*pg.Node{x.Lexpr, x.Rexpr}
	switch x.Kind {
	case pg.A_Expr_Kind_AEXPR_OP:
		return b.plain(x, sign)
	case pg.A_Expr_Kind_AEXPR_DISTINCT:
		return b.call("distinct", x.Location, both)
	case pg.A_Expr_Kind_AEXPR_NOT_DISTINCT:
		return b.call("notdistinct", x.Location, both)
	case pg.A_Expr_Kind_AEXPR_NULLIF:
		return b.call("nullif", x.Location, both)
	case pg.A_Expr_Kind_AEXPR_IN:
		return b.in(x, sign == "<>")
	case pg.A_Expr_Kind_AEXPR_LIKE:
		return b.like(x, "like", sign == "!~~")
	case pg.A_Expr_Kind_AEXPR_ILIKE:
		return b.like(x, "ilike", sign == "!~~*")
	case pg.A_Expr_Kind_AEXPR_SIMILAR:
		return b.like(x, "similar", sign == "!~")
	case pg.A_Expr_Kind_AEXPR_BETWEEN, pg.A_Expr_Kind_AEXPR_NOT_BETWEEN,
		pg.A_Expr_Kind_AEXPR_BETWEEN_SYM, pg.A_Expr_Kind_AEXPR_NOT_BETWEEN_SYM:
		return b.between(x)
	case pg.A_Expr_Kind_AEXPR_OP_ANY, pg.A_Expr_Kind_AEXPR_OP_ALL:
		return nil, unsupported("ANY or ALL of an array", "Write a list: x IN (1, 2).")
	}
	return nil, unsupported("This operator", "")
}

// plain binds an operator between two operands or before one.
func (b *binder) plain(x *pg.A_Expr, sign string) (plan.Expr, error) {
	if x.Lexpr == nil {
		return b.prefix(x, sign)
	}
	if e, ok, err := b.addInterval(x, sign); ok || err != nil {
		return e, err
	}
	args, err := b.bindAll([]*pg.Node{x.Lexpr, x.Rexpr})
	if err != nil {
		return nil, err
	}
	if sign == "+" || sign == "-" {
		if e, ok, err := b.dateArithmetic(x, sign, args); ok || err != nil {
			return e, err
		}
	}
	op := infix[sign]
	switch sign {
	case "||":
		op = "concat"
	case "~", "~*", "!~", "!~*":
		return b.regex(x, sign, args)
	}
	if op == "" {
		return nil, unsupported(fmt.Sprintf("The operator %s", operatorName(x, sign)), operatorHints[sign])
	}
	return b.apply(op, args, x.Location, x.Lexpr, x.Rexpr)
}

func operatorName(x *pg.A_Expr, sign string) string {
	if sign != "" {
		return sign
	}
	return "OPERATOR(" + strings.Join(stringsOf(x.Name), ".") + ")"
}

func (b *binder) prefix(x *pg.A_Expr, sign string) (plan.Expr, error) {
	switch sign {
	case "-", "+":
	default:
		return nil, unsupported(fmt.Sprintf("The operator %s before a value", operatorName(x, sign)), operatorHints[sign])
	}
	// Only with its sign does the most negative whole number fit.
	if f := x.Rexpr.GetAConst().GetFval(); f != nil && sign == "-" {
		return number("-" + f.GetFval()), nil
	}
	e, err := b.bind(x.Rexpr)
	if err != nil {
		return nil, err
	}
	neg, err := b.apply("neg", []plan.Expr{e}, x.Location, x.Rexpr)
	if err != nil || sign == "-" {
		return neg, err
	}
	return e, nil
}

// regex binds ~ and its relatives; ~* ignores case.
func (b *binder) regex(x *pg.A_Expr, sign string, args []plan.Expr) (plan.Expr, error) {
	if strings.HasSuffix(sign, "*") {
		l, ok := args[1].(*plan.Literal)
		if !ok || l.Value.Base != plan.String {
			return nil, b.p.fail(location(x.Rexpr), "%s needs its pattern in quotes", sign)
		}
		args[1] = plan.NewString("(?i)" + l.Value.S)
	}
	e, err := b.apply("matches", args, x.Location, x.Lexpr, x.Rexpr)
	if err != nil || sign[0] != '!' {
		return e, err
	}
	return b.apply("not", []plan.Expr{e}, x.Location)
}

// in binds a list of values. A NULL in it makes what is not found unknown.
func (b *binder) in(x *pg.A_Expr, not bool) (plan.Expr, error) {
	list := x.Rexpr.GetList()
	if list == nil {
		return nil, refuseNode(x.Rexpr)
	}
	nodes := append([]*pg.Node{x.Lexpr}, list.Items...)
	e, err := b.call("in", x.Location, nodes)
	if err != nil || !not {
		return e, err
	}
	return b.apply("not", []plan.Expr{e}, x.Location)
}

// like binds LIKE, ILIKE and SIMILAR TO, whose ESCAPE the parser hides in a call.
func (b *binder) like(x *pg.A_Expr, op string, not bool) (plan.Expr, error) {
	nodes := []*pg.Node{x.Lexpr, x.Rexpr}
	if f := x.Rexpr.GetFuncCall(); f != nil {
		switch names := stringsOf(f.Funcname); names[len(names)-1] {
		case "like_escape", "similar_to_escape":
			if len(names) == 2 && names[0] == "pg_catalog" {
				if err := only(f, "funcname", "args", "funcformat"); err != nil {
					return nil, err
				}
				nodes = append(nodes[:1], f.Args...)
			}
		}
	}
	e, err := b.call(op, x.Location, nodes)
	if err != nil || !not {
		return e, err
	}
	return b.apply("not", []plan.Expr{e}, x.Location)
}

func (b *binder) between(x *pg.A_Expr) (plan.Expr, error) {
	ends := x.Rexpr.GetList().GetItems()
	if len(ends) != 2 {
		return nil, refuseNode(x.Rexpr)
	}
	e, err := b.call("between", x.Location, []*pg.Node{x.Lexpr, ends[0], ends[1]})
	if err != nil {
		return nil, err
	}
	symmetric := x.Kind == pg.A_Expr_Kind_AEXPR_BETWEEN_SYM || x.Kind == pg.A_Expr_Kind_AEXPR_NOT_BETWEEN_SYM
	if symmetric {
		other, err := b.call("between", x.Location, []*pg.Node{x.Lexpr, ends[1], ends[0]})
		if err != nil {
			return nil, err
		}
		if e, err = b.apply("or", []plan.Expr{e, other}, x.Location); err != nil {
			return nil, err
		}
	}
	if x.Kind == pg.A_Expr_Kind_AEXPR_NOT_BETWEEN || x.Kind == pg.A_Expr_Kind_AEXPR_NOT_BETWEEN_SYM {
		return b.apply("not", []plan.Expr{e}, x.Location)
	}
	return e, nil
}

// cast binds CAST, ::, and literals such as DATE '2024-01-31'.
func (b *binder) cast(x *pg.TypeCast) (plan.Expr, error) {
	if err := only(x, "arg", "type_name"); err != nil {
		return nil, err
	}
	t := x.TypeName
	if err := only(t, "names", "typmods", "typemod"); err != nil {
		return nil, err
	}
	name := typeName(t)
	var mods []int64
	for _, n := range t.Typmods {
		i, ok := n.GetAConst().GetVal().(*pg.A_Const_Ival)
		if !ok {
			return nil, unsupported("This length of a type", "")
		}
		mods = append(mods, int64(i.Ival.GetIval()))
	}
	if name == "interval" {
		return nil, unsupported("INTERVAL other than beside + or - and a date", "Use addDays, addMonths or diff.")
	}
	op := map[string]string{
		"int2": "toint", "int4": "toint", "int8": "toint", "integer": "toint", "bigint": "toint", "int": "toint",
		"float4": "tofloat", "float8": "tofloat", "real": "tofloat", "numeric": "tonumber", "decimal": "tonumber",
		"text": "totext", "varchar": "totext", "string": "totext", "bool": "tobool", "boolean": "tobool",
		"date": "todate", "timestamp": "totimestamp", "timestamptz": "totimestamp", "datetime": "totimestamp", "double": "tofloat",
	}[name]
	if op == "" {
		return nil, unsupported("The type "+caret.Clean(name), "Use bigint, double precision, numeric, text, boolean, date or timestamp.")
	}
	e, err := b.bind(x.Arg)
	if err != nil {
		return nil, err
	}
	at := x.Location
	arg := e
	if e, err = b.apply(op, []plan.Expr{e}, at, x.Arg); err != nil {
		return nil, err
	}
	switch {
	case len(mods) == 0:
	case name == "numeric" && len(mods) <= 2:
		e, err = b.numeric(e, mods, at)
	case name == "varchar" && len(mods) == 1:
		e, err = b.apply("left", []plan.Expr{e, plan.NewInt(mods[0])}, at)
	default:
		return nil, unsupported(fmt.Sprintf("A length of the type %s", caret.Clean(name)), "Leave it out.")
	}
	if n := intBits[name]; n > 0 && err == nil {
		e, err = b.within(e, -1<<(n-1), 1<<(n-1)-1, at)
	}
	if err != nil {
		return nil, err
	}
	return e, b.checkCast(arg, e, op, typeWords(name, mods), x.Arg)
}

// intBits are the sizes of the whole numbers that are smaller than int64.
var intBits = map[string]int{"int2": 16, "smallint": 16, "int4": 32, "int": 32, "integer": 32}

// typeWords names a type for a message.
func typeWords(name string, mods []int64) string {
	if w := map[string]string{"int2": "smallint", "int4": "integer", "int": "integer", "int8": "bigint", "float8": "double precision"}[name]; w != "" {
		name = w
	}
	for i, m := range mods {
		name += fmt.Sprintf("%s%d", []string{"(", ", "}[min(i, 1)], m)
	}
	if len(mods) > 0 {
		name += ")"
	}
	return name
}

// within makes whole numbers outside of lo to hi missing.
func (b *binder) within(e plan.Expr, lo, hi int64, at int32) (plan.Expr, error) {
	if l, h, ok := plan.Bounds(e); ok && lo <= l && h <= hi {
		return e, nil
	}
	fits, err := b.apply("between", []plan.Expr{e, plan.NewInt(lo), plan.NewInt(hi)}, at)
	if err != nil {
		return nil, err
	}
	out, err := b.apply("case", []plan.Expr{fits, e, plan.NewNull()}, at)
	if c, ok := out.(*plan.Call); ok {
		c.Lo, c.Hi = max(c.Lo, lo), min(c.Hi, hi)
	}
	return out, err
}

func typeName(t *pg.TypeName) string {
	names := stringsOf(t.Names)
	if len(names) == 2 && names[0] == "pg_catalog" {
		names = names[1:]
	}
	return strings.ToLower(strings.Join(names, "."))
}

// checkCast refuses to cast a constant that the type cannot read or does not hold.
// In a row such a value becomes missing; here it is a mistake that can be told.
func (b *binder) checkCast(arg, e plan.Expr, op, name string, n *pg.Node) error {
	from, ok := b.p.constant(arg)
	if !ok || from.Value.Base == plan.Null {
		return nil
	}
	if to, ok := b.p.constant(e); !ok || to.Value.Base != plan.Null {
		return nil
	}
	text := caret.Clean(plan.FormatSQL(from))
	if from.Value.Base == plan.String {
		text = "'" + caret.Clean(from.Value.S) + "'"
		switch _, number := plan.ParseNumber(from.Value.S); {
		case op == "tobool":
			return b.p.fail(location(n), "%s is neither true nor false", text)
		case op == "todate" || op == "totimestamp":
			return b.p.fail(location(n), "%s is not a date", text)
		case !number:
			return b.p.fail(location(n), "%s is not a number", text)
		}
	}
	return b.p.fail(location(n), "%s does not fit the type %s", text, name)
}

// numeric rounds to numeric(precision, scale). What has more digits before the
// point than fit is missing.
func (b *binder) numeric(e plan.Expr, mods []int64, at int32) (plan.Expr, error) {
	precision, scale := mods[0], int64(0)
	if len(mods) == 2 {
		scale = mods[1]
	}
	if precision < 1 || precision > 38 || scale < 0 || scale > precision {
		return nil, b.p.fail(at, "numeric takes a precision from 1 to 38 and a scale from 0 to the precision")
	}
	round, err := b.apply("round", []plan.Expr{e, plan.NewInt(scale)}, at)
	if err != nil {
		return nil, err
	}
	abs, err := b.apply("abs", []plan.Expr{round}, at)
	if err != nil {
		return nil, err
	}
	fits, err := b.apply("lt", []plan.Expr{abs, plan.NewFloat(math.Pow10(int(precision - scale)))}, at)
	if err != nil {
		return nil, err
	}
	return b.apply("case", []plan.Expr{fits, round, plan.NewNull()}, at)
}

// valueFunction binds CURRENT_DATE and its relatives.
func (b *binder) valueFunction(x *pg.SQLValueFunction) (plan.Expr, error) {
	if err := only(x, "op", "typmod"); err != nil {
		return nil, err
	}
	var name string
	switch x.Op {
	case pg.SQLValueFunctionOp_SVFOP_CURRENT_DATE:
		name = "today"
	case pg.SQLValueFunctionOp_SVFOP_CURRENT_TIMESTAMP, pg.SQLValueFunctionOp_SVFOP_LOCALTIMESTAMP:
		name = "now"
	default:
		word := strings.TrimSuffix(strings.TrimPrefix(x.Op.String(), "SVFOP_"), "_N")
		if word == "USER" {
			return nil, unsupported(word, `A column of that name is written "user".`)
		}
		return nil, unsupported(word, "CURRENT_DATE and CURRENT_TIMESTAMP are there.")
	}
	e, err := b.p.env.Call(name, nil)
	if err != nil {
		return nil, err
	}
	if x.Op == pg.SQLValueFunctionOp_SVFOP_LOCALTIMESTAMP {
		return plan.NewDate(e.(*plan.Literal).Value.I, plan.Type{Base: plan.Date, Unit: col.Micro}), nil
	}
	return e, nil
}

// location returns where an expression begins, as a byte offset, or -1.
func location(n *pg.Node) int32 {
	first := func(at int32, of ...*pg.Node) int32 {
		for _, o := range of {
			if l := location(o); l >= 0 && (at < 0 || l < at) {
				at = l
			}
		}
		return at
	}
	switch x := n.GetNode().(type) {
	case *pg.Node_ColumnRef:
		return x.ColumnRef.Location
	case *pg.Node_AConst:
		return x.AConst.Location
	case *pg.Node_ParamRef:
		return x.ParamRef.Location
	case *pg.Node_AExpr:
		return first(x.AExpr.Location, x.AExpr.Lexpr)
	case *pg.Node_BoolExpr:
		return first(x.BoolExpr.Location, x.BoolExpr.Args...)
	case *pg.Node_NullTest:
		return first(x.NullTest.Location, x.NullTest.Arg)
	case *pg.Node_BooleanTest:
		return first(x.BooleanTest.Location, x.BooleanTest.Arg)
	case *pg.Node_CaseExpr:
		return x.CaseExpr.Location
	case *pg.Node_CoalesceExpr:
		return x.CoalesceExpr.Location
	case *pg.Node_MinMaxExpr:
		return x.MinMaxExpr.Location
	case *pg.Node_TypeCast:
		return first(x.TypeCast.Location, x.TypeCast.Arg)
	case *pg.Node_FuncCall:
		return x.FuncCall.Location
	case *pg.Node_SqlvalueFunction:
		return x.SqlvalueFunction.Location
	}
	return -1
}
