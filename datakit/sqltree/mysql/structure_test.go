package mysql

import (
	"strings"
	"testing"

	"github.com/pingcap/tidb/pkg/parser"
	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/opcode"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// expressions are read by both parsers, which have to agree on what belongs to
// what: MySQL's operators bind otherwise than those of other databases.
var expressions = []string{
	"a OR b AND c", "a AND b OR c", "a OR b XOR c AND d", "a XOR b OR c", "NOT a AND b", "NOT a = b", "!a = b", "!a + b", "NOT a IS NULL",
	"a || b && c", "a = b || c = d", "a + b || c", "a = b && c = d",
	"a = b = c", "a = b <=> c", "a < b = c", "a <> b AND c != d", "a + b = c - d",
	"a + b * c", "a * b + c", "a - b - c", "a / b * c", "a DIV b MOD c", "a % b * c", "a - b DIV c",
	"a | b & c", "a & b | c", "a | b = c", "a & b = c", "a << b + c", "a + b << c", "a << b & c", "a ^ b * c", "a * b ^ c", "a ^ b ^ c", "a | b ^ c", "a << b << c",
	"-a + b", "-a * b", "-a ^ b", "~a & b", "- - a", "a * -b", "-a IS NULL",
	"a BETWEEN b AND c AND d", "a BETWEEN b + 1 AND c | d", "NOT a BETWEEN b AND c", "a NOT BETWEEN b AND c OR d",
	"a IN (b, c) AND d", "a + b IN (c)", "NOT a IN (b)", "a NOT IN (b) OR c", "a = b IN (c)",
	"a LIKE b AND c", "a LIKE b OR c LIKE d", "NOT a LIKE b", "a + b LIKE c", "a = b LIKE c", "a REGEXP b AND c", "a NOT REGEXP b",
	"a IS NULL AND b IS NOT NULL", "a = b IS NULL", "a + b IS NULL", "a IS TRUE OR b", "a OR b IS NULL",
	"(a OR b) AND c", "a AND (b OR c)", "(a + b) * c", "((a))", "(a AND b) AND c", "a = (b = c)",
	"CASE WHEN a THEN b ELSE c END + d", "a COLLATE utf8mb4_bin = b", "BINARY a = b", "BINARY a + b",
	"a + INTERVAL b DAY", "a + INTERVAL b DAY > c", "a - INTERVAL b + c DAY",
}

func TestParse_StructureOfExpressions(t *testing.T) {
	for _, e := range expressions {
		sql := "SELECT " + e + " FROM t"
		stmts, _, err := parser.New().ParseSQL(sql)
		if err != nil {
			t.Errorf("TiDB refuses %q: %v", e, err)
			continue
		}
		s, err := Parse(sql)
		if err != nil {
			t.Errorf("Parse(%q): %v", sql, err)
			continue
		}
		want := tidbShape(stmts[0].(*ast.SelectStmt).Fields.Fields[0].Expr)
		got := shape(s.Statements[0].(*sqltree.Query).Body.(*sqltree.Select).Items[0].Expr)
		if got != want {
			t.Errorf("%s is read as %s, want %s", e, got, want)
		}
	}
}

func list(op string, args []string) string { return "(" + op + " " + strings.Join(args, " ") + ")" }

// flat puts a chain of AND or OR into one list.
func flat(op string, args []string) string {
	var out []string
	for _, a := range args {
		if inner, ok := strings.CutPrefix(a, "("+op+" "); ok {
			a = strings.TrimSuffix(inner, ")")
		}
		out = append(out, a)
	}
	return list(op, out)
}

func shape(e sqltree.Expr) string {
	switch e := e.(type) {
	case *sqltree.Column:
		return e.Parts[0].Name
	case *sqltree.Literal:
		return e.Value
	case *sqltree.Cast:
		return list("CAST", []string{shape(e.Arg)})
	case *sqltree.Op:
		var args []string
		for _, a := range e.Args {
			args = append(args, shape(a))
		}
		name := e.Name
		switch name {
		case "&&":
			name = "AND"
		case "||":
			name = "OR"
		case "!=":
			name = "<>"
		case "MOD":
			name = "%"
		case "BINARY":
			name = "CAST"
		}
		if name == "INTERVAL" {
			return strings.Join(args, " ")
		}
		if name == "AND" || name == "OR" {
			return flat(name, args)
		}
		return list(name, args)
	}
	return "?"
}

func tidbShape(e ast.ExprNode) string {
	not := func(n bool, name string) string {
		if n {
			return "NOT " + name
		}
		return name
	}
	switch e := e.(type) {
	case *ast.ColumnNameExpr:
		return e.Name.Name.O
	case *ast.ParenthesesExpr:
		return tidbShape(e.Expr)
	case ast.ValueExpr:
		var b strings.Builder
		e.Format(&b)
		return b.String()
	case *ast.BinaryOperationExpr:
		args := []string{tidbShape(e.L), tidbShape(e.R)}
		name := map[opcode.Op]string{
			opcode.LogicAnd: "AND", opcode.LogicOr: "OR", opcode.LogicXor: "XOR", opcode.EQ: "=", opcode.NE: "<>", opcode.LT: "<", opcode.GT: ">",
			opcode.NullEQ: "<=>", opcode.Plus: "+", opcode.Minus: "-", opcode.Mul: "*", opcode.Div: "/", opcode.IntDiv: "DIV", opcode.Mod: "%",
			opcode.Or: "|", opcode.And: "&", opcode.Xor: "^", opcode.LeftShift: "<<", opcode.RightShift: ">>",
		}[e.Op]
		if name == "AND" || name == "OR" {
			return flat(name, args)
		}
		return list(name, args)
	case *ast.UnaryOperationExpr:
		name := map[opcode.Op]string{opcode.Not: "NOT", opcode.Not2: "!", opcode.Minus: "-", opcode.BitNeg: "~"}[e.Op]
		return list(name, []string{tidbShape(e.V)})
	case *ast.IsNullExpr:
		name := "IS NULL"
		if e.Not {
			name = "IS NOT NULL"
		}
		return list(name, []string{tidbShape(e.Expr)})
	case *ast.IsTruthExpr:
		return list("IS TRUE", []string{tidbShape(e.Expr)})
	case *ast.BetweenExpr:
		return list(not(e.Not, "BETWEEN"), []string{tidbShape(e.Expr), tidbShape(e.Left), tidbShape(e.Right)})
	case *ast.PatternInExpr:
		args := []string{tidbShape(e.Expr)}
		for _, x := range e.List {
			args = append(args, tidbShape(x))
		}
		return list(not(e.Not, "IN"), args)
	case *ast.PatternLikeOrIlikeExpr:
		return list(not(e.Not, "LIKE"), []string{tidbShape(e.Expr), tidbShape(e.Pattern)})
	case *ast.PatternRegexpExpr:
		return list(not(e.Not, "REGEXP"), []string{tidbShape(e.Expr), tidbShape(e.Pattern)})
	case *ast.CaseExpr:
		w := e.WhenClauses[0]
		return list("CASE", []string{tidbShape(w.Expr), tidbShape(w.Result), tidbShape(e.ElseClause)})
	case *ast.SetCollationExpr:
		return list("COLLATE", []string{tidbShape(e.Expr)})
	case *ast.FuncCastExpr:
		return list("CAST", []string{tidbShape(e.Expr)})
	case *ast.FuncCallExpr:
		name := map[string]string{"date_add": "+", "date_sub": "-"}[e.FnName.L]
		return list(name, []string{tidbShape(e.Args[0]), tidbShape(e.Args[1])})
	}
	return "?"
}
