package plan

import (
	"strings"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/dates"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/ident"
)

// sqlInfix spells the operators between two operands.
var sqlInfix = map[string]string{
	"add": "+", "sub": "-", "mul": "*", "div": "/", "mod": "%", "pow": "^", "concat": "||", "sqlconcat": "||",
	"and": "AND", "or": "OR", "eq": "=", "ne": "<>", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
	"distinct": "IS DISTINCT FROM", "notdistinct": "IS NOT DISTINCT FROM", "like": "LIKE", "ilike": "ILIKE", "similar": "SIMILAR TO",
}

// publicNames are what a person calls functions that have no name of their own.
var publicNames = map[string]string{"quo": "div", "sqlleast": "least", "sqlgreatest": "greatest", "sqlconcat": "concat"}

// sqlCasts are the conversions that SQL writes as a cast.
var sqlCasts = map[string]string{"toint": "bigint", "tobool": "boolean", "todate": "date", "totimestamp": "timestamp"}

// sqlAggregates are the names of aggregates where SQL has others.
var sqlAggregates = map[string]string{
	AggMean: "avg", AggStddevPop: "stddev_pop", AggVariancePop: "var_pop", AggAny: "bool_or", AggAll: "bool_and",
	AggCovarPop: "covar_pop", AggCovarSamp: "covar_samp", AggRegrSlope: "regr_slope", AggRegrIntercept: "regr_intercept", AggStringAgg: "string_agg",
}

// FormatSQL writes e as SQL has it, for messages about a statement; otherwise it is
// as [Format].
func FormatSQL(e Expr) string {
	var b strings.Builder
	formatSQL(&b, e, false)
	return b.String()
}

func formatSQL(b *strings.Builder, e Expr, operand bool) {
	if b.Len() > 1<<12 {
		b.WriteString("…")
		return
	}
	switch x := e.(type) {
	case *Column:
		if x.Field.Agg != nil {
			b.WriteString(sqlAgg(*x.Field.Agg))
			return
		}
		b.WriteString(ident.QuoteSQL(x.Field.Name))
	case *Literal:
		sqlLiteral(b, x)
	case *Call:
		sqlCall(b, x, operand)
	}
}

func sqlLiteral(b *strings.Builder, l *Literal) {
	switch l.Value.Base {
	case Null:
		b.WriteString("NULL")
	case Date:
		if l.T.Unit == col.Day {
			b.WriteString("DATE '")
		} else {
			b.WriteString("TIMESTAMP '")
		}
		b.Write(dates.Append(nil, l.Value.I, l.T.Unit, l.T.Unit == col.Day, l.T.Zone))
		b.WriteByte('\'')
	case String:
		b.WriteString("'" + strings.ReplaceAll(l.Value.S, "'", "''") + "'")
	default:
		formatLiteral(b, l)
	}
}

func sqlCall(b *strings.Builder, x *Call, operand bool) {
	if silent[x.Op] && !(x.Op == "tobool" && !isFlagged(x.Args[0])) {
		formatSQL(b, x.Args[0], operand)
		return
	}
	open := func() {
		if operand {
			b.WriteByte('(')
		}
	}
	shut := func() {
		if operand {
			b.WriteByte(')')
		}
	}
	list := func(args []Expr) {
		for i, a := range args {
			b.WriteString(comma(i))
			formatSQL(b, a, false)
		}
	}
	if sign := sqlInfix[x.Op]; sign != "" && (len(x.Args) == 2 || sign == "||") {
		open()
		for i, a := range x.Args {
			if i > 0 {
				b.WriteString(" " + sign + " ")
			}
			formatSQL(b, a, true)
		}
		shut()
		return
	}
	switch x.Op {
	case "neg":
		b.WriteByte('-')
		formatSQL(b, x.Args[0], true)
	case "not":
		open()
		b.WriteString("NOT ")
		formatSQL(b, x.Args[0], true)
		shut()
	case "isnull", "notnull":
		open()
		formatSQL(b, x.Args[0], true)
		b.WriteString(map[string]string{"isnull": " IS NULL", "notnull": " IS NOT NULL"}[x.Op])
		shut()
	case "in":
		open()
		formatSQL(b, x.Args[0], true)
		b.WriteString(" IN (")
		list(x.Args[1:])
		b.WriteByte(')')
		shut()
	case "between":
		open()
		formatSQL(b, x.Args[0], true)
		b.WriteString(" BETWEEN ")
		formatSQL(b, x.Args[1], true)
		b.WriteString(" AND ")
		formatSQL(b, x.Args[2], true)
		shut()
	case "inranges":
		open()
		for i := 1; i+1 < len(x.Args); i += 2 {
			if i > 1 {
				b.WriteString(" OR ")
			}
			formatSQL(b, &Call{Op: "between", Args: []Expr{x.Args[0], x.Args[i], x.Args[i+1]}, T: x.T}, true)
		}
		shut()
	case "case":
		b.WriteString("CASE")
		n := len(x.Args)
		for i := 0; i+1 < n; i += 2 {
			b.WriteString(" WHEN ")
			formatSQL(b, x.Args[i], false)
			b.WriteString(" THEN ")
			formatSQL(b, x.Args[i+1], false)
		}
		b.WriteString(" ELSE ")
		formatSQL(b, x.Args[n-1], false)
		b.WriteString(" END")
	case "datetrunc":
		b.WriteString("date_trunc(")
		list([]Expr{x.Args[1], x.Args[0]})
		b.WriteByte(')')
	default:
		if t := sqlCasts[x.Op]; t != "" {
			b.WriteString("CAST(")
			list(x.Args)
			b.WriteString(" AS " + t + ")")
			return
		}
		for field, op := range datePartOps {
			if op == x.Op && registry.byName[op].hidden {
				b.WriteString("date_part('" + field + "', ")
				list(x.Args)
				b.WriteByte(')')
				return
			}
		}
		name := x.Op
		if f := registry.byName[x.Op]; f != nil {
			name = f.name
		}
		if p := publicNames[x.Op]; p != "" {
			name = p
		}
		b.WriteString(name + "(")
		list(x.Args)
		b.WriteByte(')')
	}
}

// sqlAgg writes an aggregate as SQL has it.
func sqlAgg(a Agg) string {
	var b strings.Builder
	list := func(args []Expr) {
		for i, e := range args {
			b.WriteString(comma(i))
			formatSQL(&b, e, false)
		}
	}
	switch {
	case a.Fn == AggCount && len(a.Args) == 0:
		b.WriteString("count(*)")
	case a.Fn == AggCountDistinct:
		b.WriteString("count(DISTINCT ")
		list(a.Args)
		b.WriteByte(')')
	case a.Fn == AggQuantile || a.Fn == AggQuantileDisc:
		b.WriteString(map[string]string{AggQuantile: "percentile_cont(", AggQuantileDisc: "percentile_disc("}[a.Fn])
		list(a.Args[1:])
		b.WriteString(") WITHIN GROUP (ORDER BY ")
		list(a.Args[:1])
		b.WriteByte(')')
	default:
		name := a.Fn
		if f := findAggregate(a.Fn); f != nil {
			name = f.name
		}
		if s := sqlAggregates[a.Fn]; s != "" {
			name = s
		}
		b.WriteString(name + "(")
		if a.Distinct {
			b.WriteString("DISTINCT ")
		}
		list(a.Args)
		b.WriteByte(')')
	}
	if a.Filter != nil {
		b.WriteString(" FILTER (WHERE ")
		formatSQL(&b, a.Filter, false)
		b.WriteByte(')')
	}
	return b.String()
}
