package expr

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/caret"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/ident"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// Limits of one expression.
const (
	MaxBytes   = 64 << 10 // of text
	MaxNesting = 200      // of brackets, calls and prefix operators
	MaxNodes   = 10_000   // values, operators and calls
)

// Kind tells nodes apart.
type Kind uint8

// The kinds of a node.
const (
	Literal  Kind = iota // Value
	Name                 // Op is the column's name as written, without quotes
	Operator             // Op is the name that plan.Bind knows: "add", "eq", "in", "between", "if", …
	Function             // Op is the function's or aggregate's name as written
)

// Node is one piece of a parsed expression. Start and End are its byte offsets in
// the text; At is where a message about it points: the operator's sign for an
// infix operator, else Start.
type Node struct {
	Kind           Kind
	Op             string
	Args           []*Node
	Where          *Node // of an aggregate with a where tail, else nil
	Value          plan.Value
	Quoted         bool // a Name in backquotes, square brackets or col('…')
	Start, End, At int
}

// Tree is a parsed expression. It is immutable.
type Tree struct {
	Text string
	Root *Node
}

// Parse parses an expression. The error is an [*Error].
func Parse(text string) (*Tree, error) {
	switch {
	case len(text) > MaxBytes:
		return nil, fail(text, MaxBytes, fmt.Sprintf("the expression is longer than %d KiB", MaxBytes>>10))
	case !utf8.ValidString(text):
		return nil, fail(text, invalidAt(text), "the text is not valid UTF-8")
	case strings.IndexByte(text, 0) >= 0:
		return nil, fail(text, strings.IndexByte(text, 0), "the text has a NUL character")
	}
	p := &parser{lexer: lexer{text: text}, depth: -1} // the whole is no nesting
	root, err := p.all()
	if err != nil {
		return nil, err
	}
	return &Tree{text, root}, nil
}

func invalidAt(s string) int {
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			return i
		}
	}
	return len(s)
}

// parser is a precedence-climbing (Pratt) parser. Its recursion follows brackets,
// calls and prefix operators only, and is bounded by MaxNesting.
type parser struct {
	lexer
	tok   token
	prev  token // the token before tok; prev.end is 0 at the start
	depth int
	nodes int
	ahead *token // a token read in advance
}

// level is how tightly an infix operator binds.
type level int

const (
	lowest level = iota
	orLevel
	andLevel
	notLevel // prefix
	compareLevel
	addLevel
	mulLevel
	unaryLevel // prefix
	powLevel
)

type infix struct {
	level level
	op    string
}

var infixes = map[string]infix{
	"||": {orLevel, "or"}, "&&": {andLevel, "and"},
	"==": {compareLevel, "eq"}, "=": {compareLevel, "eq"}, "===": {compareLevel, "eq"},
	"!=": {compareLevel, "ne"}, "!==": {compareLevel, "ne"}, "<>": {compareLevel, "ne"},
	"<": {compareLevel, "lt"}, "<=": {compareLevel, "le"}, ">": {compareLevel, "gt"}, ">=": {compareLevel, "ge"},
	"+": {addLevel, "add"}, "-": {addLevel, "sub"},
	"*": {mulLevel, "mul"}, "/": {mulLevel, "div"}, "%": {mulLevel, "mod"},
	"^": {powLevel, "pow"}, "**": {powLevel, "pow"},
}

// infix returns the infix operator that the current token is. "not" counts as one
// where "in" or "between" follows.
func (p *parser) infix() (infix, bool) {
	switch p.tok.kind {
	case tokOp:
		in, ok := infixes[p.tok.word]
		return in, ok
	case tokWord:
		switch strings.ToLower(p.tok.word) {
		case "or":
			return infix{orLevel, "or"}, true
		case "and":
			return infix{andLevel, "and"}, true
		case "in", "between":
			return infix{compareLevel, strings.ToLower(p.tok.word)}, true
		case "not":
			return infix{compareLevel, "not"}, true
		}
	}
	return infix{}, false
}

func (p *parser) all() (*Node, *Error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	if p.tok.kind == tokEnd {
		return nil, fail(p.text, 0, "the expression is empty; write a column, a value or a function of them")
	}
	n, err := p.ternary()
	if err != nil {
		return nil, err
	}
	if p.tok.kind != tokEnd {
		return nil, p.unexpected()
	}
	return n, nil
}

func (p *parser) advance() *Error {
	p.prev = p.tok
	if p.ahead != nil {
		p.tok, p.ahead = *p.ahead, nil
		return nil
	}
	t, err := p.next()
	if err != nil {
		return err
	}
	p.tok = t
	return nil
}

// peek returns the token after the current one.
func (p *parser) peek() (token, *Error) {
	if p.ahead == nil {
		t, err := p.next()
		if err != nil {
			return t, err
		}
		p.ahead = &t
	}
	return *p.ahead, nil
}

func (p *parser) is(op string) bool { return p.tok.kind == tokOp && p.tok.word == op }

func (p *parser) isWord(w string) bool {
	return p.tok.kind == tokWord && strings.EqualFold(p.tok.word, w)
}

// enter counts one level of nesting; leave undoes it.
func (p *parser) enter() *Error {
	if p.depth++; p.depth > MaxNesting {
		return fail(p.text, p.tok.start, fmt.Sprintf("the expression is nested more than %d deep", MaxNesting))
	}
	return nil
}

func (p *parser) leave() { p.depth-- }

func (p *parser) node(n *Node) (*Node, *Error) {
	if p.nodes++; p.nodes > MaxNodes {
		return nil, fail(p.text, n.At, fmt.Sprintf("the expression has more than %d parts", MaxNodes))
	}
	return n, nil
}

func (p *parser) operator(op string, at int, args ...*Node) (*Node, *Error) {
	start := min(at, args[0].Start)
	return p.node(&Node{Kind: Operator, Op: op, Args: args, At: at, Start: start, End: p.prev.end})
}

// ternary parses c ? a : b, which groups to the right; a chain of them is read in
// a loop.
func (p *parser) ternary() (*Node, *Error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	type branch struct {
		cond, then *Node
		at         int
	}
	var branches []branch
	n, err := p.binary(lowest)
	for err == nil && p.is("?") {
		b := branch{cond: n, at: p.tok.start}
		if err = p.advance(); err != nil {
			return nil, err
		}
		if b.then, err = p.ternary(); err != nil {
			return nil, err
		}
		if !p.is(":") {
			return nil, p.expected("':' of the '?' before it")
		}
		if err = p.advance(); err != nil {
			return nil, err
		}
		branches = append(branches, b)
		n, err = p.binary(lowest)
	}
	for i := len(branches) - 1; err == nil && i >= 0; i-- {
		b := branches[i]
		n, err = p.operator("if", b.at, b.cond, b.then, n)
	}
	return n, err
}

// binary parses operators that bind more tightly than outer.
func (p *parser) binary(outer level) (*Node, *Error) {
	left, err := p.prefix(outer)
	if err != nil {
		return nil, err
	}
	compared := false
	for {
		in, ok := p.infix()
		if !ok || in.level <= outer {
			return left, nil
		}
		if in.level == compareLevel {
			if compared {
				return nil, p.chained(left)
			}
			compared = true
		}
		at := p.tok.start
		switch in.op {
		case "in", "between", "not":
			left, err = p.membership(left, at)
		case "pow": // groups to the right, and takes a signed exponent
			var right *Node
			if right, err = p.operand(unaryLevel); err == nil {
				left, err = p.operator(in.op, at, left, right)
			}
		default:
			var right *Node
			if right, err = p.operand(in.level); err == nil {
				left, err = p.operator(in.op, at, left, right)
			}
		}
		if err != nil {
			return nil, err
		}
	}
}

// operand moves past an operator and parses what stands to its right.
func (p *parser) operand(l level) (*Node, *Error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	if l != unaryLevel {
		return p.binary(l)
	}
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	return p.binary(unaryLevel)
}

// prefix parses prefix operators and the value that they apply to.
func (p *parser) prefix(outer level) (*Node, *Error) {
	at := p.tok.start
	switch {
	case (p.is("!") || p.isWord("not")) && outer < compareLevel:
		if err := p.enter(); err != nil {
			return nil, err
		}
		defer p.leave()
		arg, err := p.operand(notLevel)
		if err != nil {
			return nil, err
		}
		return p.operator("not", at, arg)
	case p.is("-") || p.is("+"):
		minus := p.is("-")
		arg, err := p.operand(unaryLevel)
		if err != nil {
			return nil, err
		}
		number := arg.Kind == Literal && (arg.Value.Base == plan.Int || arg.Value.Base == plan.Float)
		switch {
		case number && minus:
			return p.negative(arg, at), nil
		case number:
			return arg, nil
		case minus:
			return p.operator("neg", at, arg)
		}
		return p.operator("pos", at, arg)
	}
	return p.primary()
}

// negative makes a number negative. The most negative integer is the one whose
// positive twin is no integer.
func (p *parser) negative(n *Node, at int) *Node {
	c := *n
	c.Start, c.At, c.End = at, at, p.prev.end
	switch {
	case n.Value.Base == plan.Float && n.Value.F == -math.MinInt64 && p.text[n.Start:n.End] == "9223372036854775808":
		c.Value = plan.Value{Base: plan.Int, I: math.MinInt64}
	case n.Value.Base == plan.Float:
		c.Value.F = -n.Value.F
	case n.Value.I == math.MinInt64:
		c.Value = plan.Value{Base: plan.Float, F: -math.MinInt64}
	default:
		c.Value.I = -n.Value.I
	}
	return &c
}

// membership parses [not] in (…) and [not] between … and …
func (p *parser) membership(x *Node, at int) (*Node, *Error) {
	not := p.isWord("not")
	if not {
		if err := p.advance(); err != nil {
			return nil, err
		}
	}
	var n *Node
	var err *Error
	switch {
	case p.isWord("in"):
		n, err = p.in(x, at)
	case p.isWord("between"):
		n, err = p.between(x, at)
	default:
		return nil, p.expected("'in' or 'between'")
	}
	if err != nil || !not {
		return n, err
	}
	return p.operator("not", at, n)
}

func (p *parser) in(x *Node, at int) (*Node, *Error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	if !p.is("(") {
		return nil, p.expected("'('")
	}
	open := p.tok.start
	args := []*Node{x}
	for {
		if err := p.advance(); err != nil {
			return nil, err
		}
		v, err := p.member()
		if err != nil {
			return nil, err
		}
		args = append(args, v)
		if p.is(",") {
			continue
		}
		if err := p.closing(open); err != nil {
			return nil, err
		}
		return p.operator("in", at, args...)
	}
}

// member parses one value of an in list: a literal, for numbers with a sign.
func (p *parser) member() (*Node, *Error) {
	t := p.tok
	if t.kind == tokWord && !ident.Keyword(t.word) || t.kind == tokName {
		if next, err := p.peek(); err == nil && next.word == "(" && next.kind == tokOp {
			return nil, fail(p.text, t.start, "in takes values only; compare with == and || for anything else")
		}
		return nil, fail(p.text, t.start, fmt.Sprintf(
			"in takes values, not the name %s; for the label write %s in quotes", caret.Quote(t.word), caret.Quote(t.word)))
	}
	n, err := p.prefix(unaryLevel)
	if err != nil {
		return nil, err
	}
	if n.Kind != Literal {
		return nil, fail(p.text, n.Start, "in takes values only; compare with == and || for anything else")
	}
	return n, nil
}

func (p *parser) between(x *Node, at int) (*Node, *Error) {
	lo, err := p.operand(compareLevel)
	if err != nil {
		return nil, err
	}
	if !p.isWord("and") {
		return nil, p.expected("'and' of 'between'")
	}
	hi, err := p.operand(compareLevel)
	if err != nil {
		return nil, err
	}
	return p.operator("between", at, x, lo, hi)
}

// chained refuses a < b < c with the offer of what was probably meant.
func (p *parser) chained(left *Node) *Error {
	at := p.tok.start
	hint := "a < b && b < c"
	second := p.tok.word
	if isComparison(left) && p.tok.kind == tokOp {
		if last, err := p.operand(compareLevel); err == nil {
			middle := p.source(left.Args[1])
			hint = fmt.Sprintf("%s && %s %s %s", p.source(left), middle, second, p.source(last))
		}
	}
	if utf8.RuneCountInString(hint) > 120 || strings.ContainsAny(hint, "\n\r") {
		hint = "a < b && b < c"
	}
	return fail(p.text, at, "comparisons do not chain; write "+hint)
}

func (p *parser) source(n *Node) string { return p.text[n.Start:n.End] }

// primary parses a value, a name, a call or an expression in brackets.
func (p *parser) primary() (*Node, *Error) {
	t := p.tok
	n := &Node{Start: t.start, End: t.end, At: t.start}
	switch {
	case t.kind == tokNumber:
		n.Value = number(t.word)
	case t.kind == tokString:
		n.Value = plan.Value{Base: plan.String, S: t.word}
	case t.kind == tokName:
		n.Kind, n.Op, n.Quoted = Name, t.word, true
	case p.is("("):
		if err := p.advance(); err != nil {
			return nil, err
		}
		inner, err := p.ternary()
		if err != nil {
			return nil, err
		}
		// The brackets belong to the text of what they hold, which an offered
		// correction repeats; the node is shared with nothing yet.
		if err := p.closing(t.start); err != nil {
			return nil, err
		}
		inner.Start, inner.End = t.start, p.prev.end
		return inner, nil
	case t.kind == tokWord && ident.Keyword(t.word):
		switch strings.ToLower(t.word) {
		case "true":
			n.Value = plan.Value{Base: plan.Bool, I: 1}
		case "false":
			n.Value = plan.Value{Base: plan.Bool}
		case "null":
		default:
			return nil, p.expectedValue()
		}
	case t.kind == tokWord:
		if err := p.advance(); err != nil {
			return nil, err
		}
		if p.is("(") {
			return p.call(t)
		}
		n.Kind, n.Op = Name, t.word
		return p.node(n)
	default:
		return nil, p.expectedValue()
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	return p.node(n)
}

// call parses the arguments of a call whose name has been read.
func (p *parser) call(name token) (*Node, *Error) {
	open := p.tok.start
	if err := p.advance(); err != nil {
		return nil, err
	}
	n := &Node{Kind: Function, Op: name.word, Start: name.start, At: name.start}
	if p.is("*") {
		return nil, fail(p.text, p.tok.start, fmt.Sprintf("%s(*) is SQL; write %[1]s()", name.word))
	}
	tail, err := p.whereFollows()
	if err != nil {
		return nil, err
	}
	for !p.is(")") && !tail {
		arg, err := p.ternary()
		if err != nil {
			return nil, err
		}
		n.Args = append(n.Args, arg)
		if tail = p.isWord("where"); tail || p.is(")") {
			break
		}
		if !p.is(",") {
			if p.prev.kind == tokWord && strings.EqualFold(p.prev.word, "distinct") && strings.EqualFold(name.word, "count") {
				return nil, fail(p.text, name.start, "count(DISTINCT …) is SQL; write countDistinct(…)")
			}
			return nil, p.expected(fmt.Sprintf("',' or ')' in the call of %s", caret.Quote(name.word)))
		}
		if err := p.advance(); err != nil {
			return nil, err
		}
		if p.is(")") {
			return nil, p.expectedValue()
		}
	}
	if tail {
		if err := p.advance(); err != nil {
			return nil, err
		}
		if n.Where, err = p.ternary(); err != nil {
			return nil, err
		}
	}
	if err := p.closing(open); err != nil {
		return nil, err
	}
	n.End = p.prev.end
	if strings.EqualFold(n.Op, "col") {
		if len(n.Args) != 1 || n.Where != nil || n.Args[0].Kind != Literal || n.Args[0].Value.Base != plan.String {
			return nil, fail(p.text, n.At, "col takes one column name in quotes; write col('unit price')")
		}
		if s := n.Args[0].Value.S; s == "" || strings.IndexByte(s, 0) >= 0 {
			return nil, fail(p.text, n.Args[0].At, "a column name is not empty and has no NUL character")
		}
		n = &Node{Kind: Name, Op: n.Args[0].Value.S, Quoted: true, Start: n.Start, End: n.End, At: n.At}
	}
	return p.node(n)
}

// whereFollows reports whether the current token is the where of count(where …)
// rather than a column of that name.
func (p *parser) whereFollows() (bool, *Error) {
	if !p.isWord("where") {
		return false, nil
	}
	t, err := p.peek()
	if err != nil {
		return false, err
	}
	switch t.kind {
	case tokName, tokNumber, tokString:
		return true, nil
	case tokWord:
		switch strings.ToLower(t.word) {
		case "and", "or", "in", "between", "where":
			return false, nil
		case "not": // where not in (…) asks about a column; where not x is a tail
			return false, nil
		}
		return true, nil
	}
	return t.kind == tokOp && (t.word == "(" || t.word == "!"), nil
}

// closing moves past the ')' that ends what was opened at open.
func (p *parser) closing(open int) *Error {
	if !p.is(")") {
		return p.expected(fmt.Sprintf("')' for the '(' at position %d", caret.Position(p.text, open)))
	}
	return p.advance()
}

func isComparison(n *Node) bool {
	switch n.Op {
	case "eq", "ne", "lt", "le", "gt", "ge":
		return n.Kind == Operator
	}
	return false
}

// number reads a number token; whole numbers within int64 are exact.
func number(word string) plan.Value {
	if hex, ok := strings.CutPrefix(strings.ToLower(word), "0x"); ok {
		if v, err := strconv.ParseInt(hex, 16, 64); err == nil {
			return plan.Value{Base: plan.Int, I: v}
		}
		word += "p0"
	}
	return plan.NewNumber(word).Value
}

// expectedValue is the error where a value should stand.
func (p *parser) expectedValue() *Error {
	switch {
	case p.prev.end > 0:
		return fail(p.text, p.tok.start, fmt.Sprintf("expected a value after %s", caret.Quote(p.text[p.prev.start:p.prev.end])))
	case p.tok.kind == tokEnd:
		return fail(p.text, p.tok.start, "expected a value")
	}
	return fail(p.text, p.tok.start, fmt.Sprintf("expected a value before %s", caret.Quote(p.tok.word)))
}

func (p *parser) expected(what string) *Error {
	found := "the end"
	if p.tok.kind != tokEnd {
		found = caret.Quote(p.text[p.tok.start:p.tok.end])
	}
	return fail(p.text, p.tok.start, fmt.Sprintf("expected %s, found %s", what, found))
}

// spellings tells how the language writes what SQL and other languages write as
// a word between two values.
var spellings = map[string]string{
	"is":     "a missing value is tested with == null or != null",
	"like":   "use contains(x, 'a'), startsWith(x, 'a') or matches(x, '^a')",
	"ilike":  "use contains(lower(x), 'a') or matches(x, '(?i)^a')",
	"mod":    "the remainder is written %",
	"div":    "whole division is written trunc(a / b)",
	"as":     "names are given outside of the expression",
	"asc":    "ascending is the default; a leading - sorts the other way",
	"desc":   "a leading - sorts the other way",
	"where":  "where stands inside an aggregate's brackets: sum(x where y > 0)",
	"equals": "equality is written ==",
	"xor":    "write a != b",
	"order":  "rows are ordered outside of the expression",
	"group":  "rows are grouped outside of the expression",
	"limit":  "rows are limited outside of the expression",
}

// unexpected is the error where an operator or the end should stand.
func (p *parser) unexpected() *Error {
	t := p.tok
	message := fmt.Sprintf("unexpected %s", caret.Quote(p.text[t.start:t.end]))
	if hint := spellings[strings.ToLower(t.word)]; t.kind == tokWord && hint != "" {
		return fail(p.text, t.start, message+"; "+hint)
	}
	switch {
	case p.is(")"):
		return fail(p.text, t.start, message+"; no '(' is open")
	case p.is(",") && p.prev.kind == tokNumber && groupOfThree(p.text[t.end:]):
		return fail(p.text, t.start, message+"; numbers are written without it")
	case p.is(","):
		return fail(p.text, t.start, message+"; give one expression")
	case p.is("!"):
		return fail(p.text, t.start, message+"; inequality is written !=")
	}
	message += "; an operator such as + or && is missing before it"
	if p.prev.kind == tokWord && t.kind == tokWord {
		message += fmt.Sprintf("; a name with blanks is written `%s`", caret.Clean(p.text[p.prev.start:t.end]))
	}
	return fail(p.text, t.start, message)
}

// groupOfThree reports whether s begins with three digits and no more.
func groupOfThree(s string) bool {
	n := 0
	for n < len(s) && isDigit(rune(s[n])) {
		n++
	}
	return n == 3
}
