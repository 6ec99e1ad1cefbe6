package expr

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/ident"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// String returns the expression in one canonical spelling, with the brackets it
// needs and no others. It parses to the same tree, which tests of the parser use.
func (t *Tree) String() string {
	var b strings.Builder
	t.Root.print(&b, lowest-1)
	return b.String()
}

// signs are the canonical spellings of infix operators.
var signs = map[string]string{
	"or": "||", "and": "&&", "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
	"add": "+", "sub": "-", "mul": "*", "div": "/", "mod": "%", "pow": "^",
}

// print writes n where operators that bind no more tightly than outer need brackets.
func (n *Node) print(b *strings.Builder, outer level) {
	own := n.level()
	if own <= outer {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	switch n.Kind {
	case Literal:
		b.WriteString(literal(n.Value))
	case Name:
		b.WriteString(ident.Quote(n.Op))
	case Function:
		b.WriteString(n.Op)
		b.WriteByte('(')
		printList(b, n.Args)
		if n.Where != nil {
			if len(n.Args) > 0 {
				b.WriteByte(' ')
			}
			// In brackets, the word before it cannot be taken for a column.
			b.WriteString("where (")
			n.Where.print(b, lowest-1)
			b.WriteByte(')')
		}
		b.WriteByte(')')
	case Operator:
		n.printOperator(b, own)
	}
}

func (n *Node) printOperator(b *strings.Builder, own level) {
	switch n.Op {
	case "if":
		n.Args[0].print(b, lowest)
		b.WriteString(" ? ")
		n.Args[1].print(b, lowest-1)
		b.WriteString(" : ")
		n.Args[2].print(b, lowest-1)
	case "not":
		b.WriteByte('!')
		outer := compareLevel // !(a == b) needs no brackets, but reads better
		if n.Args[0].level() == notLevel {
			outer = notLevel - 1
		}
		n.Args[0].print(b, outer)
	case "neg", "pos":
		b.WriteString(map[string]string{"neg": "-", "pos": "+"}[n.Op])
		n.Args[0].print(b, unaryLevel-1)
	case "in":
		n.Args[0].print(b, own)
		b.WriteString(" in (")
		printList(b, n.Args[1:])
		b.WriteByte(')')
	case "between":
		n.Args[0].print(b, own)
		b.WriteString(" between ")
		n.Args[1].print(b, own)
		b.WriteString(" and ")
		n.Args[2].print(b, own)
	case "pow":
		n.Args[0].print(b, powLevel)
		b.WriteString(" ^ ")
		n.Args[1].print(b, unaryLevel-1)
	default:
		left := own - 1
		if own == compareLevel { // does not chain
			left = own
		}
		n.Args[0].print(b, left)
		fmt.Fprintf(b, " %s ", signs[n.Op])
		n.Args[1].print(b, own)
	}
}

func printList(b *strings.Builder, args []*Node) {
	for i, a := range args {
		if i > 0 {
			b.WriteString(", ")
		}
		a.print(b, lowest-1)
	}
}

// level returns how tightly the outermost operator of n binds. The ternary is at
// lowest, one that never needs brackets above all others.
func (n *Node) level() level {
	switch n.Kind {
	case Operator:
		switch n.Op {
		case "if":
			return lowest
		case "not":
			return notLevel
		case "neg", "pos":
			return unaryLevel
		case "in", "between":
			return compareLevel
		}
		return infixes[signs[n.Op]].level
	case Literal:
		if v := n.Value; v.Base == plan.Int && v.I < 0 || v.Base == plan.Float && math.Signbit(v.F) {
			return unaryLevel
		}
	}
	return powLevel + 1
}

func literal(v plan.Value) string {
	switch v.Base {
	case plan.Int:
		return strconv.FormatInt(v.I, 10)
	case plan.Float:
		switch {
		case math.IsInf(v.F, 1):
			return "1e999"
		case math.IsInf(v.F, -1):
			return "-1e999"
		}
		s := strconv.FormatFloat(v.F, 'g', -1, 64)
		if !strings.ContainsAny(s, ".e") {
			s += ".0" // or it would read as an exact whole number
		}
		return s
	case plan.Bool:
		return strconv.FormatBool(v.I != 0)
	case plan.String:
		return quoteText(v.S)
	}
	return "null"
}

func quoteText(s string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for _, r := range s {
		switch {
		case r == '\'' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsControl(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('\'')
	return b.String()
}
