package expr

import (
	"errors"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"pgregory.net/rapid"
)

// dump writes a tree with every operator as a prefix call, so that a test sees
// how it was grouped.
func dump(n *Node) string {
	var b strings.Builder
	switch n.Kind {
	case Literal:
		return literal(n.Value)
	case Name:
		return n.Op
	case Function:
		b.WriteString(n.Op + "(")
	case Operator:
		b.WriteString("(" + n.Op)
	}
	for i, a := range n.Args {
		if i > 0 || n.Kind == Operator {
			b.WriteByte(' ')
		}
		b.WriteString(dump(a))
	}
	if n.Where != nil {
		b.WriteString(" where " + dump(n.Where))
	}
	return b.String() + ")"
}

func TestParse(t *testing.T) {
	tests := []struct{ text, want string }{
		{"a", "a"},
		{"  a\n", "a"},
		{"a.b_$1", "a.b_$1"},
		{"größe", "größe"},
		{"`unit price`", "unit price"},
		{"`a``b`", "a`b"},
		{"[unit price]", "unit price"},
		{"col('unit price')", "unit price"},
		{`COL("a")`, "a"},
		{"`and`", "and"},
		{"TRUE", "true"},
		{"False", "false"},
		{"nUlL", "null"},
		{"0", "0"},
		{"007", "7"},
		{"1.50", "1.5"},
		{".5", "0.5"},
		{"1e3", "1000.0"},
		{"1E-2", "0.01"},
		{"2.5e+1", "25.0"},
		{"0xff", "255"},
		{"0XFF", "255"},
		{"9007199254740993", "9007199254740993"},
		{"9223372036854775807", "9223372036854775807"},
		{"9223372036854775808", "9.223372036854776e+18"},
		{"-9223372036854775808", "-9223372036854775808"},
		{"- -9223372036854775808", "9.223372036854776e+18"},
		{"0xffffffffffffffff", "1.8446744073709552e+19"},
		{"1e999", "1e999"},
		{"'it''s'", `'it\'s'`},
		{`"say ""hi"""`, `'say "hi"'`},
		{`'a\n\t\\\'\"b'`, `'a\n\t\\\'"b'`},
		{`'\u00e9\ud83d\ude00'`, "'é😀'"},
		{"'a\nb'", `'a\nb'`},
		{"-2^2", "(neg (pow 2 2))"},
		{"(-2)^2", "(pow -2 2)"},
		{"2^3^2", "(pow 2 (pow 3 2))"},
		{"2**3**2", "(pow 2 (pow 3 2))"},
		{"2^-3", "(pow 2 -3)"},
		{"2^-a^2", "(pow 2 (neg (pow a 2)))"},
		{"-a*b", "(mul (neg a) b)"},
		{"+a", "(pos a)"},
		{"+5", "5"},
		{"--5", "5"},
		{"--a", "(neg (neg a))"},
		{"a-b-c", "(sub (sub a b) c)"},
		{"a-(b-c)", "(sub a (sub b c))"},
		{"a+b*c%d/e", "(add a (div (mod (mul b c) d) e))"},
		{"a - -5", "(sub a -5)"},
		{"a == b", "(eq a b)"},
		{"a = b", "(eq a b)"},
		{"a === b", "(eq a b)"},
		{"a != b", "(ne a b)"},
		{"a !== b", "(ne a b)"},
		{"a <> b", "(ne a b)"},
		{"a<b", "(lt a b)"},
		{"a<=b", "(le a b)"},
		{"a>b", "(gt a b)"},
		{"a>=b", "(ge a b)"},
		{"(a<b)==c", "(eq (lt a b) c)"},
		{"a+1<b*2", "(lt (add a 1) (mul b 2))"},
		{"a && b || c && d", "(or (and a b) (and c d))"},
		{"a AND b Or c", "(or (and a b) c)"},
		{"a || b || c", "(or (or a b) c)"},
		{"!a && b", "(and (not a) b)"},
		{"not a == b", "(not (eq a b))"},
		{"!!a", "(not (not a))"},
		{"!(a)", "(not a)"},
		{"a in ('x', \"y\")", "(in a 'x' 'y')"},
		{"a+1 in (1, -2, +3, null, true)", "(in (add a 1) 1 -2 3 null true)"},
		{"a not in (1)", "(not (in a 1))"},
		{"not a not in (1)", "(not (not (in a 1)))"},
		{"a between 1 and 5 and b", "(and (between a 1 5) b)"},
		{"a NOT BETWEEN b-1 AND b+1 || c", "(or (not (between a (sub b 1) (add b 1))) c)"},
		{"a ? b : c", "(if a b c)"},
		{"a ? b : c ? d : e", "(if a b (if c d e))"},
		{"a ? b ? c : d : e", "(if a (if b c d) e)"},
		{"a || b ? c : d", "(if (or a b) c d)"},
		{"f()", "f()"},
		{"f(a, b+1, g(c))", "f(a (add b 1) g(c))"},
		{"year (day)", "year(day)"},
		{"sum(price where region == 'EU')", "sum(price where (eq region 'EU'))"},
		{"count(where a > 1)", "count( where (gt a 1))"},
		{"count(where (a))", "count( where a)"},
		{"sum(where)", "sum(where)"},
		{"sum(where * 2)", "sum((mul where 2))"},
		{"sum(where where where > 1)", "sum(where where (gt where 1))"},
		{"sum(price*qty)/sum(qty)", "(div sum((mul price qty)) sum(qty))"},
		{"in_stock", "in_stock"},
		{"notes", "notes"},
		{"$x", "$x"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			tree, err := Parse(tt.text)
			if err != nil {
				t.Fatalf("Parse(%q): %v", tt.text, err)
			}
			if got := dump(tree.Root); got != tt.want {
				t.Errorf("Parse(%q) = %s, want %s", tt.text, got, tt.want)
			}
			again, err := Parse(tree.String())
			if err != nil {
				t.Fatalf("Parse(%q), printed from %q: %v", tree.String(), tt.text, err)
			}
			if got := dump(again.Root); got != tt.want {
				t.Errorf("%q printed as %q reads as %s", tt.text, tree.String(), got)
			}
		})
	}
}

func TestParse_Refused(t *testing.T) {
	tests := []struct {
		text string
		want string // the first line
	}{
		{"", "the expression is empty at position 1; write a column, a value or a function of them"},
		{" ", "the expression is empty at position 1; write a column, a value or a function of them"},
		{"a &&", "expected a value after '&&' at position 5"},
		{"a && ", "expected a value after '&&' at position 6"},
		{"a == == b", "expected a value after '==' at position 6"},
		{"* 2", "expected a value before '*' at position 1"},
		{"and", "expected a value before 'and' at position 1"},
		{"a + !b", "expected a value after '+' at position 5"},
		{"(a", "expected ')' for the '(' at position 1, found the end at position 3"},
		{"(a b)", "expected ')' for the '(' at position 1, found 'b' at position 4"},
		{"f(a b)", "expected ',' or ')' in the call of 'f', found 'b' at position 5"},
		{"f(a,)", "expected a value after ',' at position 5"},
		{"f(,a)", "expected a value after '(' at position 3"},
		{"a)", "unexpected ')' at position 2; no '(' is open"},
		{"a, b", "unexpected ',' at position 2; give one expression"},
		{"a b", "unexpected 'b' at position 3; an operator such as + or && is missing before it; a name with blanks is written `a b`"},
		{"a 5", "unexpected '5' at position 3; an operator such as + or && is missing before it"},
		{"a > 1,000", "unexpected ',' at position 6; numbers are written without it"},
		{"a > 1,00", "unexpected ',' at position 6; give one expression"},
		{"a > 1 order", "unexpected 'order' at position 7; rows are ordered outside of the expression"},
		{"a == ‘x’", "unexpected '‘' at position 6; text is written in straight quotes: 'EU'"},
		{"a == “x”", "unexpected '“' at position 6; text is written in straight quotes: 'EU'"},
		{"a ≥ 1", "unexpected '≥' at position 3; it is written >="},
		{"a ≠ −1", "unexpected '≠' at position 3; it is written !="},
		{"a × b", "unexpected '×' at position 3; it is written *"},
		{"count(DISTINCT a)", "count(DISTINCT …) is SQL at position 1; write countDistinct(…)"},
		{"a is null", "unexpected 'is' at position 3; a missing value is tested with == null or != null"},
		{"a like 'x%'", "unexpected 'like' at position 3; use contains(x, 'a'), startsWith(x, 'a') or matches(x, '^a')"},
		{"a < b < c", "comparisons do not chain at position 7; write a < b && b < c"},
		{"1 <= x+1 < f(y)", "comparisons do not chain at position 10; write 1 <= x+1 && x+1 < f(y)"},
		{"(a) == b == (c)", "comparisons do not chain at position 10; write (a) == b && b == (c)"},
		{"a in (1) == b", "comparisons do not chain at position 10; write a < b && b < c"},
		{"a < b in (1)", "comparisons do not chain at position 7; write a < b && b < c"},
		{"a ? b", "expected ':' of the '?' before it, found the end at position 6"},
		{"a in 1", "expected '(', found '1' at position 6"},
		{"a in ()", "expected a value after '(' at position 7"},
		{"a in (EU)", "in takes values, not the name 'EU' at position 7; for the label write 'EU' in quotes"},
		{"a in (f(1))", "in takes values only at position 7; compare with == and || for anything else"},
		{"a in (1+2)", "expected ')' for the '(' at position 6, found '+' at position 8"},
		{"a not b", "expected 'in' or 'between', found 'b' at position 7"},
		{"a between 1", "expected 'and' of 'between', found the end at position 12"},
		{"a & b", "unexpected '&' at position 3; and is written '&&'"},
		{"a | b", "unexpected '|' at position 3; or is written '||'"},
		{"a; b", "unexpected ';' at position 2; give one expression"},
		{"a # b", "unexpected '#' at position 3"},
		{"'abc", "the text that ' opens is never closed at position 1"},
		{`"abc`, `the text that " opens is never closed at position 1`},
		{`'a\d'`, `unknown escape '\d' at position 3; a backslash itself is written '\\'`},
		{`'\ud83d'`, `unknown escape '\u' at position 2; a backslash itself is written '\\'`},
		{"`abc", "the name that '`' opens is never closed at position 1; end it with '`'"},
		{"[abc", "the name that '[' opens is never closed at position 1; end it with ']'"},
		{"[]", "empty column name at position 1"},
		{"``", "empty column name at position 1"},
		{"1abc", "'1abc' is not a number at position 1; text is written in quotes, a column name that begins with a digit in backquotes"},
		{"1.", "'1.' is not a number at position 1; text is written in quotes, a column name that begins with a digit in backquotes"},
		{"1.2.3", "'1.2.3' is not a number at position 1; text is written in quotes, a column name that begins with a digit in backquotes"},
		{"1e", "'1e' is not a number at position 1; text is written in quotes, a column name that begins with a digit in backquotes"},
		{"0x", "'0x' is not a number at position 1; text is written in quotes, a column name that begins with a digit in backquotes"},
		{"count(*)", "count(*) is SQL at position 7; write count()"},
		{"col(a)", "col takes one column name in quotes at position 1; write col('unit price')"},
		{"col('')", "a column name is not empty and has no NUL character at position 5"},
		{`col('\u0000')`, "a column name is not empty and has no NUL character at position 5"},
		{"a\x00b", "the text has a NUL character at position 2"},
		{"a\xff", "the text is not valid UTF-8 at position 2"},
		{"é > 'x", "the text that ' opens is never closed at position 5"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			_, err := Parse(tt.text)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("Parse(%q) = %v, want an *Error", tt.text, err)
			}
			if got, _, _ := strings.Cut(err.Error(), "\n"); got != tt.want {
				t.Errorf("Parse(%q):\n got %s\nwant %s", tt.text, got, tt.want)
			}
		})
	}
}

func TestParse_CaretForm(t *testing.T) {
	_, err := Parse("price > 1 &&")
	want := "expected a value after '&&' at position 13\n  price > 1 &&\n              ^"
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

// Every limit has a text just within it and one just beyond.
func TestParse_Limits(t *testing.T) {
	wrap := func(open, x, close string, n int) string {
		return strings.Repeat(open, n) + x + strings.Repeat(close, n)
	}
	tests := []struct {
		name             string
		within, beyond   string
		wantErrorBeginsX string
	}{
		{"bytes", "'" + strings.Repeat("x", MaxBytes-2) + "'", "'" + strings.Repeat("x", MaxBytes-1) + "'", "the expression is longer than 64 KiB"},
		{"brackets", wrap("(", "a", ")", 200), wrap("(", "a", ")", 201), "the expression is nested more than 200 deep"},
		{"calls", wrap("f(", "a", ")", 200), wrap("f(", "a", ")", 201), "the expression is nested more than 200 deep"},
		{"not", wrap("!", "a", "", 200), wrap("!", "a", "", 201), "the expression is nested more than 200 deep"},
		{"minus", wrap("-", "a", "", 200), wrap("-", "a", "", 201), "the expression is nested more than 200 deep"},
		{"power", wrap("a^", "a", "", 200), wrap("a^", "a", "", 201), "the expression is nested more than 200 deep"},
		{"inner ternary", wrap("a?", "a", ":a", 200), wrap("a?", "a", ":a", 201), "the expression is nested more than 200 deep"},
		{"nodes", wrap("a+", "a", "", 4999), wrap("a+", "a", "", 5000), "the expression has more than 10000 parts"},
		{"ternary chain", wrap("a?b:", "c", "", 3333), wrap("a?b:", "c", "", 3334), "the expression has more than 10000 parts"},
		{"list", "a in (" + wrap("1,", "1", "", 9997) + ")", "a in (" + wrap("1,", "1", "", 9998) + ")", "the expression has more than 10000 parts"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tree, err := Parse(tt.within)
			if err != nil {
				t.Fatalf("within: %.200v", err)
			}
			if s := tree.String(); s == "" {
				t.Error("printed as nothing")
			}
			if _, err = Parse(tt.beyond); err == nil || !strings.HasPrefix(err.Error(), tt.wantErrorBeginsX) {
				t.Errorf("beyond: %.200v, want %s", err, tt.wantErrorBeginsX)
			}
		})
	}
}

// genNode draws a tree that a text can mean.
func genNode(t *rapid.T, depth int) *Node {
	if depth == 0 || rapid.IntRange(0, 3).Draw(t, "leaf") == 0 {
		return genLeaf(t)
	}
	sub := func() *Node { return genNode(t, depth-1) }
	op := rapid.SampledFrom([]string{
		"or", "and", "eq", "ne", "lt", "le", "gt", "ge", "add", "sub", "mul", "div", "mod", "pow",
		"not", "neg", "pos", "in", "between", "if", "f",
	}).Draw(t, "op")
	n := &Node{Kind: Operator, Op: op}
	switch op {
	case "not":
		n.Args = []*Node{sub()}
	case "neg", "pos":
		arg := sub()
		if arg.Kind == Literal && (arg.Value.Base == plan.Int || arg.Value.Base == plan.Float) {
			return arg
		}
		n.Args = []*Node{arg}
	case "in":
		n.Args = []*Node{sub()}
		for range rapid.IntRange(1, 3).Draw(t, "members") {
			n.Args = append(n.Args, &Node{Value: genValue(t)})
		}
	case "between", "if":
		n.Args = []*Node{sub(), sub(), sub()}
	case "f":
		n.Kind = Function
		for range rapid.IntRange(0, 3).Draw(t, "args") {
			n.Args = append(n.Args, sub())
		}
		if rapid.Bool().Draw(t, "where") {
			n.Where = sub()
		}
	default:
		n.Args = []*Node{sub(), sub()}
	}
	return n
}

func genLeaf(t *rapid.T) *Node {
	if rapid.Bool().Draw(t, "name") {
		name := rapid.OneOf(
			rapid.SampledFrom([]string{"a", "where", "and", "col", "x.y", "1a", "`", "]", "a b", "é", "null"}),
			rapid.StringN(1, 5, -1),
		).Filter(func(s string) bool { return !strings.ContainsRune(s, 0) }).Draw(t, "n")
		return &Node{Kind: Name, Op: name}
	}
	return &Node{Value: genValue(t)}
}

func genValue(t *rapid.T) plan.Value {
	switch rapid.IntRange(0, 4).Draw(t, "base") {
	case 0:
		return plan.Value{}
	case 1:
		return plan.Value{Base: plan.Bool, I: rapid.Int64Range(0, 1).Draw(t, "bool")}
	case 2:
		return plan.Value{Base: plan.Int, I: rapid.Int64().Draw(t, "int")}
	case 3:
		return plan.Value{Base: plan.Float, F: rapid.Float64().Draw(t, "float")}
	}
	return plan.Value{Base: plan.String, S: rapid.String().Draw(t, "text")}
}

func TestPrintParse_RoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		root := genNode(t, 5)
		text := (&Tree{Root: root}).String()
		tree, err := Parse(text)
		if err != nil {
			t.Fatalf("%s printed as %q: %v", dump(root), text, err)
		}
		if got, want := dump(tree.Root), dump(root); got != want {
			t.Fatalf("%q reads as %s, want %s", text, got, want)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"region == 'EU' && price > 100", "sum(price*qty where qty > 0)/sum(qty)", "a ? b : c ? d : e", "-2^-x**3",
		"`a``b` not in (-1, 'it''s', null) or [c d] between 1 and 2", `'\u00e9\n' + "x"`, "0xff % .5e-3", "count(where !x)",
		"a < b < c", "((((", "'", "`", "[", "\\", "1e999", "a\xff", "not not not", "col('x')", "col('')", "é.ß$ <> 9223372036854775808",
		"", " \t\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tree, err := Parse(text)
		if err != nil {
			var e *Error
			lines := 3 // the message, the text, the caret
			if strings.TrimSpace(text) == "" {
				lines = 1 // there is no text to show
			}
			if !errors.As(err, &e) || e.Pos < 1 || e.Message == "" || strings.Count(err.Error(), "\n") != lines-1 {
				t.Fatalf("Parse(%q): %T %v", text, err, err)
			}
			return
		}
		again, err := Parse(tree.String())
		if err != nil {
			// The canonical form may be longer than the limit, nothing else.
			if strings.Contains(err.Error(), "longer than") || strings.Contains(err.Error(), "nested more") {
				return
			}
			t.Fatalf("Parse(%q), printed from %q: %v", tree.String(), text, err)
		}
		if a, b := dump(tree.Root), dump(again.Root); a != b {
			t.Fatalf("%q is %s, printed it is %s", text, a, b)
		}
		checkSpans(t, text, tree.Root)
	})
}

// checkSpans checks that every node's text lies in the whole and holds its parts.
func checkSpans(t *testing.T, text string, n *Node) {
	if n.Start < 0 || n.End > len(text) || n.Start >= n.End || n.At < n.Start || n.At >= n.End {
		t.Fatalf("%q: %s spans %d to %d, at %d", text, dump(n), n.Start, n.End, n.At)
	}
	for _, a := range append(n.Args[:len(n.Args):len(n.Args)], n.Where) {
		if a == nil {
			continue
		}
		if a.Start < n.Start || a.End > n.End {
			t.Fatalf("%q: %s is outside of %s", text, dump(a), dump(n))
		}
		checkSpans(t, text, a)
	}
}
