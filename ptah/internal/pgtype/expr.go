package pgtype

import (
	"slices"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// expr finds the type of an expression.
func (c *checker) expr(e sqltree.Expr, sc *scope) value {
	switch e := e.(type) {
	case *sqltree.Literal:
		return c.literal(e)
	case *sqltree.Column:
		if col, _ := sc.column(e.Parts); col != nil {
			return value{typ: col.typ}
		}
		return unclear
	case *sqltree.Cast:
		return c.cast(e, sc)
	case *sqltree.Func:
		return c.call(e, sc)
	case *sqltree.Op:
		return c.op(e, sc)
	case *sqltree.Subquery:
		return c.subquery(e, sc)
	}
	return unclear
}

func (c *checker) exprs(list []sqltree.Expr, sc *scope) []value {
	values := make([]value, len(list))
	for i, e := range list {
		values[i] = c.expr(e, sc)
	}
	return values
}

// valueWords are the types of values that are written without parentheses.
var valueWords = map[string]string{
	"CURRENT_DATE": "date", "CURRENT_TIME": "timetz", "CURRENT_TIMESTAMP": "timestamptz", "LOCALTIME": "time", "LOCALTIMESTAMP": "timestamp",
	"CURRENT_USER": "name", "CURRENT_ROLE": "name", "SESSION_USER": "name", "USER": "name", "CURRENT_CATALOG": "name", "CURRENT_SCHEMA": "name", "SYSTEM_USER": "text",
}

func (c *checker) literal(l *sqltree.Literal) value {
	switch l.Kind {
	case sqltree.NullLiteral:
		return c.of("unknown")
	case sqltree.BoolLiteral:
		return c.of("bool")
	case sqltree.NumberLiteral:
		return c.number(l.Value)
	case sqltree.StringLiteral:
		if text := c.source(l.Start, l.End); text != "" && strings.ContainsRune("nN", rune(text[0])) {
			return c.of("bpchar")
		}
		return value{c.types["unknown"], &l.Value}
	}
	text := c.source(l.Start, l.End)
	words, _, quoted := strings.Cut(text, "'")
	switch {
	case !quoted:
		if name, ok := valueWords[l.Value]; ok {
			return c.of(name)
		}
		return unclear
	case strings.EqualFold(words, "b") || strings.EqualFold(words, "x"):
		return c.of("bit")
	}
	// DATE '2020-01-01'. A type with more to it than its name is not looked at.
	t := Builtin(strings.ToLower(strings.Join(strings.Fields(words), " ")), false, nil)
	if t != nil {
		c.become(l, value{c.types["unknown"], &l.Value}, t)
	}
	return value{typ: t}
}

func (c *checker) number(text string) value {
	text = strings.ReplaceAll(text, "_", "")
	if n, err := strconv.ParseInt(text, 0, 64); err == nil || strings.Trim(text, "-0123456789") == "" {
		if strings.Trim(text, "-0123456789") == "" { // 010 is ten
			n, err = strconv.ParseInt(text, 10, 64)
		}
		switch {
		case err != nil:
			return c.of("numeric")
		case n == int64(int32(n)):
			return c.of("int4")
		default:
			return c.of("int8")
		}
	}
	return c.of("numeric")
}

func (c *checker) cast(e *sqltree.Cast, sc *scope) value {
	t := c.typeOf(e.Type)
	if op, ok := e.Arg.(*sqltree.Op); ok && op.Name == "ARRAY" && t != nil && t.plain().elem != nil {
		c.elements(op, t.plain().elem, sc)
		return value{typ: t}
	}
	v := c.expr(e.Arg, sc)
	if t == nil {
		return unclear
	}
	if v.typ != nil && !c.coercible(v.typ, t, explicit) {
		return c.fail(e, "cannot cast type %s to %s", nameOf(v.typ), nameOf(t))
	}
	c.become(e, v, t)
	return value{typ: t}
}

// elements casts those of an array.
func (c *checker) elements(op *sqltree.Op, t *Type, sc *scope) {
	for _, a := range op.Args {
		if inner, ok := a.(*sqltree.Op); ok && inner.Name == "ARRAY" {
			c.elements(inner, t, sc)
			continue
		}
		v := c.expr(a, sc)
		to := t
		if v.typ != nil && v.typ.plain().elem != nil {
			to = ArrayOf(t)
		}
		if v.typ != nil && !c.coercible(v.typ, to, explicit) {
			c.fail(a, "cannot cast type %s to %s", nameOf(v.typ), nameOf(to))
		}
		c.become(a, v, t)
	}
}

// patterns are the operators behind LIKE and its like.
var patterns = map[string]string{
	"LIKE": "~~", "NOT LIKE": "!~~", "ILIKE": "~~*", "NOT ILIKE": "!~~*", "SIMILAR TO": "~", "NOT SIMILAR TO": "!~",
}

var comparisons = []string{"=", "<>", "<", "<=", ">", ">="}

func (c *checker) op(e *sqltree.Op, sc *scope) value {
	boolean := c.of("bool")
	args := e.Args
	name := e.Name
	switch name {
	case "AND", "OR", "NOT":
		for _, a := range args {
			c.condition(a, c.expr(a, sc), "the operand of "+name)
		}
		return boolean
	case "IS TRUE", "IS NOT TRUE", "IS FALSE", "IS NOT FALSE", "IS UNKNOWN", "IS NOT UNKNOWN":
		c.condition(args[0], c.expr(args[0], sc), "the operand of "+name)
		return boolean
	case "IS NULL", "IS NOT NULL":
		c.exprs(args, sc)
		return boolean
	case "IS DISTINCT FROM", "IS NOT DISTINCT FROM":
		if !isNull(args[0]) && !isNull(args[1]) {
			c.compare(e, "=", args[0], args[1], sc)
		}
		return boolean
	case "BETWEEN", "NOT BETWEEN":
		c.compare(e, ">=", args[0], args[1], sc)
		c.compare(e, "<=", args[0], args[2], sc)
		return boolean
	case "BETWEEN SYMMETRIC", "NOT BETWEEN SYMMETRIC":
		return boolean
	case "IN", "NOT IN":
		c.in(e, sc)
		return boolean
	case "CASE":
		return c.caseOf(e, sc)
	case "ARRAY":
		return c.array(e, sc)
	case "ROW":
		c.exprs(args, sc)
		return c.of("record")
	case "COLLATE":
		v := c.expr(args[0], sc)
		if v.typ != nil && !v.typ.is("unknown") && !v.typ.collatable {
			return c.fail(e, "type %s has no collations", nameOf(v.typ))
		}
		return v
	case "[]", "[:]":
		return c.subscript(e, sc)
	case ".":
		return c.field(e, sc)
	case "AT TIME ZONE":
		v := c.exprs([]sqltree.Expr{args[1], args[0]}, sc)
		return c.invoke(e, "timezone", []sqltree.Node{args[1], args[0]}, v)
	case "OVERLAPS":
		if v := c.exprs(args, sc); len(v) == 4 {
			return c.invoke(e, "overlaps", []sqltree.Node{args[0], args[1], args[2], args[3]}, v)
		}
		return boolean
	case "LIKE", "NOT LIKE", "ILIKE", "NOT ILIKE", "SIMILAR TO", "NOT SIMILAR TO":
		v := c.exprs(args, sc)
		if len(v) == 3 || strings.HasSuffix(name, "SIMILAR TO") {
			escape := "like_escape"
			if strings.HasSuffix(name, "SIMILAR TO") {
				escape = "similar_to_escape"
			}
			nodes := []sqltree.Node{args[1], args[len(args)-1]}
			v[1] = c.invoke(e, escape, nodes, v[1:])
		}
		return value{typ: c.operate(e, patterns[name], &v[0], &v[1])}
	case "AT LOCAL", "IS NORMALIZED", "IS NOT NORMALIZED", ".*", "CURRENT OF", "ROLLUP", "CUBE", "GROUPING SETS":
		c.exprs(args, sc)
		return unclear
	}
	switch symbol, word, _ := strings.Cut(name, " "); {
	case strings.HasPrefix(name, "IS "): // JSON, DOCUMENT
		c.exprs(args, sc)
		return boolean
	case word == "ANY" || word == "SOME" || word == "ALL":
		v := c.exprs(args, sc)
		c.each(e, symbol, word, v[0], v[1])
		return boolean
	case word != "":
		c.exprs(args, sc)
		return unclear
	}
	if len(args) == 2 {
		return value{typ: c.compare(e, name, args[0], args[1], sc)}
	}
	if len(args) == 1 {
		v := c.expr(args[0], sc)
		return value{typ: c.operate(e, name, nil, &v)}
	}
	return unclear
}

func isNull(e sqltree.Expr) bool {
	l, ok := e.(*sqltree.Literal)
	return ok && l.Kind == sqltree.NullLiteral
}

func isRow(e sqltree.Expr) (*sqltree.Op, bool) {
	op, ok := e.(*sqltree.Op)
	return op, ok && op.Name == "ROW"
}

// compare finds the type of an operator between two expressions, which may be rows.
func (c *checker) compare(at sqltree.Node, name string, left, right sqltree.Expr, sc *scope) *Type {
	l, lrow := isRow(left)
	r, rrow := isRow(right)
	if lrow && rrow && slices.Contains(comparisons, name) {
		if len(l.Args) != len(r.Args) {
			return c.fail(at, "the rows have %d and %d values", len(l.Args), len(r.Args)).typ
		}
		for i := range l.Args {
			c.compare(at, name, l.Args[i], r.Args[i], sc)
		}
		return c.types["bool"]
	}
	a, b := c.expr(left, sc), c.expr(right, sc)
	if _, sub := right.(*sqltree.Subquery); lrow || rrow || sub && lrow {
		return nil
	}
	return c.operate(at, name, &a, &b)
}

// in checks a list behind IN: its constants are brought to one type with the left side
// if they have one, the others are compared one by one.
func (c *checker) in(e *sqltree.Op, sc *scope) {
	left, items := e.Args[0], e.Args[1:]
	if _, ok := isRow(left); ok {
		for _, item := range items {
			c.compare(e, "=", left, item, sc)
		}
		return
	}
	lv := c.expr(left, sc)
	values := c.exprs(items, sc)
	var constants []int
	for i, item := range items {
		if !mentionsColumn(item) {
			constants = append(constants, i)
		}
	}
	together := map[int]bool{}
	if len(constants) > 1 {
		list := []*Type{lv.typ}
		for _, i := range constants {
			list = append(list, values[i].typ)
		}
		t, clash := c.common(list)
		fits := clash == nil && t != nil && !t.is("record") && ArrayOf(t) != nil && t.elem == nil
		for _, x := range list {
			fits = fits && c.coercible(x, t, implicit)
		}
		if clash == nil && t == nil {
			return
		}
		if fits {
			for _, i := range constants {
				together[i] = true
				c.become(items[i], values[i], t)
			}
			c.operate(e, "=", &lv, &value{typ: t})
		}
	}
	for i := range items {
		if !together[i] {
			c.operate(e, "=", &lv, &values[i])
		}
	}
}

func mentionsColumn(e sqltree.Expr) bool {
	found := false
	sqltree.Walk(e, func(n sqltree.Node) bool {
		_, ok := n.(*sqltree.Column)
		found = found || ok
		return !found
	})
	return found
}

// each checks x = ANY (array).
func (c *checker) each(at sqltree.Node, name, word string, left, right value) {
	if left.typ == nil || right.typ == nil {
		return
	}
	elem := value{typ: right.typ}
	if !right.typ.is("unknown") {
		if right.typ.plain().elem == nil {
			c.fail(at, "%s %s needs an array on its right side, and that is of type %s", name, word, nameOf(right.typ))
			return
		}
		elem.typ = right.typ.plain().elem
	}
	t := c.operate(at, name, &left, &elem)
	if t != nil && t != c.types["bool"] {
		c.fail(at, "%s %s needs an operator that is true or false, and %s gives %s", name, word, name, nameOf(t))
	}
	if right.text != nil && left.typ.elem == nil && !left.typ.is("unknown") {
		c.become(at, right, ArrayOf(left.typ))
	}
}

// caseOf finds the type of CASE. Whether it compares a first value is in its text.
func (c *checker) caseOf(e *sqltree.Op, sc *scope) value {
	args := e.Args
	inner := sc.with(clause{name: "CASE", set: true, agg: sc.clause.agg, window: sc.clause.window, nested: sc.clause.nested})
	text := c.source(e.Start, e.End)
	if len(text) < len("CASE WHEN") {
		return unclear
	}
	subject := !strings.EqualFold(firstWord(text[len("CASE"):]), "when")
	var compared value
	if subject {
		compared = c.expr(args[0], inner)
		if compared.typ.is("unknown") {
			compared = c.of("text")
		}
		args = args[1:]
	}
	var nodes []sqltree.Expr
	var results []value
	if len(args)%2 == 1 {
		last := args[len(args)-1]
		nodes, results = append(nodes, last), append(results, c.expr(last, inner))
		args = args[:len(args)-1]
	}
	for i := 0; i+1 < len(args); i += 2 {
		when := c.expr(args[i], inner)
		if subject {
			c.condition(args[i], value{typ: c.operate(args[i], "=", &compared, &when)}, "the comparison of CASE")
		} else {
			c.condition(args[i], when, "the condition of CASE")
		}
		nodes, results = append(nodes, args[i+1]), append(results, c.expr(args[i+1], inner))
	}
	return value{typ: c.unify(nodes, results, "CASE")}
}

// firstWord is the first word of a text, behind blanks and comments.
func firstWord(text string) string {
	for {
		text = strings.TrimLeft(text, " \t\r\n\f\v")
		switch {
		case strings.HasPrefix(text, "--"):
			_, text, _ = strings.Cut(text, "\n")
		case strings.HasPrefix(text, "/*"):
			depth := 0
			for {
				switch {
				case strings.HasPrefix(text, "/*"):
					depth++
					text = text[2:]
				case strings.HasPrefix(text, "*/"):
					depth--
					text = text[2:]
				case text == "":
					return ""
				default:
					text = text[1:]
				}
				if depth == 0 {
					break
				}
			}
		default:
			end := strings.IndexFunc(text, func(r rune) bool {
				return !(r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z')
			})
			if end < 0 {
				end = len(text)
			}
			return text[:end]
		}
	}
}

func (c *checker) array(e *sqltree.Op, sc *scope) value {
	if len(e.Args) == 0 {
		if sc.clause.nested {
			return unclear
		}
		return c.fail(e, "the type of an empty array is not known; cast it, as in ARRAY[]::integer[]")
	}
	inner := sc.with(sc.clause)
	inner.clause.nested = true
	values := c.exprs(e.Args, inner)
	t := c.unify(e.Args, values, "ARRAY")
	if t == nil {
		return unclear
	}
	if t.plain().elem == nil && t.array == nil {
		return c.fail(e, "there are no arrays of type %s", nameOf(t))
	}
	return value{typ: ArrayOf(t)}
}

func (c *checker) subscript(e *sqltree.Op, sc *scope) value {
	// Subscripts behind one another are one access: a[1][2] is an element of a. If one of
	// them is a slice, all are.
	of, at, slice := e.Args[0], e.Args[1:], e.Name == "[:]"
	for {
		inner, ok := of.(*sqltree.Op)
		if !ok || inner.Name != "[]" && inner.Name != "[:]" {
			break
		}
		of, at, slice = inner.Args[0], slices.Concat(inner.Args[1:], at), slice || inner.Name == "[:]"
	}
	v := c.expr(of, sc)
	index := c.exprs(at, sc)
	if v.typ == nil || v.typ.is("unknown") {
		return unclear
	}
	t := v.typ.plain()
	switch {
	case t.is("jsonb"):
		for i, x := range index {
			if x.typ != nil && !c.coercible(x.typ, c.types["int4"], implicit) && !c.coercible(x.typ, c.types["text"], implicit) {
				return c.fail(at[i], "a subscript of jsonb must be integer or text, and this is of type %s", nameOf(x.typ))
			}
		}
		if slice {
			return c.fail(e, "jsonb has no slices")
		}
		return value{typ: t}
	case t.elem == nil && t.part != nil && t.kind == 'b':
		return value{typ: t.part}
	case t.elem == nil:
		return c.fail(e, "type %s has no subscripts", nameOf(v.typ))
	}
	for i, x := range index {
		if x.typ != nil && !c.coercible(x.typ, c.types["int4"], assignment) {
			return c.fail(at[i], "an array's subscript must be integer, and this is of type %s", nameOf(x.typ))
		}
		c.become(at[i], x, c.types["int4"])
	}
	if slice {
		return value{typ: t}
	}
	return value{typ: t.elem}
}

func (c *checker) field(e *sqltree.Op, sc *scope) value {
	v := c.expr(e.Args[0], sc)
	l, ok := e.Args[1].(*sqltree.Literal)
	if v.typ == nil || !ok || !v.typ.plain().fieldsKnown {
		return unclear
	}
	for _, f := range v.typ.plain().fields {
		if f.Name == l.Value || f.Name == strings.ToLower(l.Value) {
			return value{typ: f.Type}
		}
	}
	return unclear
}

// subquery checks a query in an expression and what it is compared with.
func (c *checker) subquery(e *sqltree.Subquery, sc *scope) value {
	out := c.query(e.Query, sc, sc.ctes, false)
	switch e.Kind {
	case sqltree.ExistsSubquery:
		return c.of("bool")
	case sqltree.InSubquery:
		c.member(e, out, sc)
		return c.of("bool")
	}
	if out.open {
		return unclear
	}
	if len(out.columns) != 1 {
		return c.fail(e, "the subquery must have one column, and has %d", len(out.columns))
	}
	t := out.columns[0].typ
	if e.Kind == sqltree.ArraySubquery {
		t = ArrayOf(t)
	}
	return value{typ: t}
}

// member checks x IN (SELECT …) and x < ALL (SELECT …).
func (c *checker) member(e *sqltree.Subquery, out output, sc *scope) {
	left := []sqltree.Expr{e.Left}
	if row, ok := isRow(e.Left); ok {
		left = row.Args
	}
	values := c.exprs(left, sc)
	if out.open {
		return
	}
	if len(values) != len(out.columns) {
		c.fail(e, "the subquery has %d columns and is compared with %d", len(out.columns), len(values))
		return
	}
	operator := strings.TrimSpace(c.source(e.Left.Pos().End, e.Query.Start))
	operator = strings.TrimLeft(operator, ") \t\r\n")
	name := "="
	if end := strings.IndexAny(operator, " \t\r\n(aAsS"); end > 0 && !strings.ContainsAny(operator[:end], "iInNoOlL-/") {
		name = operator[:end]
	} else if word := firstWord(operator); !strings.EqualFold(word, "in") && !strings.EqualFold(word, "not") {
		return
	} else if strings.Contains(strings.ToUpper(operator), "LIKE") {
		return
	}
	for i, v := range values {
		col := value{typ: out.columns[i].typ}
		t := c.operate(e, name, &v, &col)
		if t != nil && t != c.types["bool"] {
			c.fail(e, "%s gives %s, and not true or false", name, nameOf(t))
		}
	}
}
