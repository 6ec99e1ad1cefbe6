package plan

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/dates"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/ident"
)

// infix spells the operators that stand between two operands.
var infix = map[string]string{
	"add": "+", "sub": "-", "mul": "*", "div": "/", "mod": "%", "pow": "^",
	"and": "&&", "or": "||", "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
}

// silent are the conversions that Bind inserts unasked.
var silent = map[string]bool{"tofloat": true, "tohuge": true, "tounit": true, "truncint": true, "tobool": true, "finite": true}

// Format writes e in the expression language, for messages and plans: every
// operand that is itself an operator stands in brackets, conversions that Bind
// inserted do not show.
func Format(e Expr) string {
	var b strings.Builder
	format(&b, e, false)
	return b.String()
}

func format(b *strings.Builder, e Expr, operand bool) {
	// The text ends up in a message; a huge expression is cut there anyway.
	if b.Len() > 1<<12 {
		b.WriteString("…")
		return
	}
	switch x := e.(type) {
	case *Column:
		if x.Field.Agg != nil {
			b.WriteString(formatAgg(*x.Field.Agg))
			return
		}
		b.WriteString(ident.Quote(x.Field.Name))
	case *Literal:
		formatLiteral(b, x)
	case *Call:
		if silent[x.Op] {
			format(b, x.Args[0], operand)
			return
		}
		if sign := infix[x.Op]; sign != "" && len(x.Args) == 2 {
			if operand {
				b.WriteByte('(')
			}
			format(b, x.Args[0], true)
			b.WriteString(" " + sign + " ")
			format(b, x.Args[1], true)
			if operand {
				b.WriteByte(')')
			}
			return
		}
		switch x.Op {
		case "neg", "not":
			b.WriteByte(map[string]byte{"neg": '-', "not": '!'}[x.Op])
			format(b, x.Args[0], true)
			return
		case "case":
			if len(x.Args) == 3 {
				b.WriteString("if")
				break
			}
			b.WriteString("case")
		default:
			name := x.Op
			if f := registry.byName[x.Op]; f != nil {
				name = f.name
			}
			b.WriteString(name)
		}
		b.WriteByte('(')
		for i, a := range x.Args {
			if i > 0 {
				b.WriteString(", ")
			}
			format(b, a, false)
		}
		b.WriteByte(')')
	}
}

func formatLiteral(b *strings.Builder, l *Literal) {
	v := l.Value
	switch v.Base {
	case Null:
		b.WriteString("null")
	case Bool:
		b.WriteString(strconv.FormatBool(v.I != 0))
	case Date:
		b.WriteByte('\'')
		b.Write(dates.Append(nil, v.I, l.T.Unit, l.T.Unit == col.Day, l.T.Zone))
		b.WriteByte('\'')
	case String:
		b.WriteByte('\'')
		b.WriteString(strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`, "\t", `\t`).Replace(v.S))
		b.WriteByte('\'')
	default:
		if v.S != "" { // what was written says more than the value
			b.WriteString(v.S)
			return
		}
		b.Write(AppendNumber(nil, v))
	}
}

// AppendNumber writes an Int, Huge or Float value as text: whole numbers digit for
// digit; a Float as the shortest decimal that reads back to the same value, without
// exponent from 1e-6 to below 1e21, -0 as 0, and Infinity or -Infinity. Of any other
// value it writes nothing.
func AppendNumber(dst []byte, v Value) []byte {
	switch v.Base {
	case Int:
		return strconv.AppendInt(dst, v.I, 10)
	case Huge:
		return HugeInt(v).Append(dst, 10)
	case Float:
		if v.I != 0 && float64(v.I) == v.F {
			return strconv.AppendInt(dst, v.I, 10)
		}
		return appendFloat(dst, v.F)
	}
	return dst
}

func appendFloat(dst []byte, f float64) []byte {
	a := math.Abs(f)
	switch {
	case f == 0:
		return append(dst, '0')
	case math.IsInf(f, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(f, -1):
		return append(dst, "-Infinity"...)
	case a >= 1e-6 && a < 1e21:
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	// JSON and JavaScript write 1e-7, not 1e-07.
	if n := len(dst); dst[n-2] == '0' && dst[n-4] == 'e' {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}

// HugeInt returns the value of a Huge as a big integer.
func HugeInt(v Value) *big.Int {
	x := big.NewInt(v.Hi)
	x.Lsh(x, 64)
	return x.Add(x, new(big.Int).SetUint64(uint64(v.I)))
}
