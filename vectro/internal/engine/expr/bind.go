package expr

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/mcpkit/nearest"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/caret"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/ident"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// Scope is what an expression may refer to.
type Scope struct {
	Schema plan.Schema
	Env    plan.Env
	// Arg names what the expression is for, as the tool calls it ("filter"), where
	// a message says that an aggregate does not belong there.
	Arg string
	// Group collects the aggregates of an expression; where it is nil aggregates
	// are refused. The result is then still to be rewritten, see [plan.Grouping].
	Group *plan.Grouping
	// ZeroSum makes a sum over no values 0.
	ZeroSum bool
	// Named holds further names, which come before the columns: those of results.
	Named []Named
}

// Named is an expression that has a name.
type Named struct {
	Name string
	Expr plan.Expr
}

// Bound is a bound expression that remembers where its columns stand in the text.
type Bound struct {
	plan.Expr
	Aggregates int // how many aggregate calls it has
	tree       *Tree
	where      map[*plan.Column]*Node
}

// Refuse returns an [*Error] about the column c of the expression; a column that
// the expression does not have is taken to be the whole of it.
func (b *Bound) Refuse(c *plan.Column, message string) error {
	n := b.where[c]
	if n == nil {
		n = b.tree.Root
	}
	return fail(b.tree.Text, n.Start, message)
}

// Bind resolves names and types. The error is an [*Error].
func (t *Tree) Bind(s *Scope) (*Bound, error) {
	b := &binder{Scope: s, tree: t, where: map[*plan.Column]*Node{}}
	e, err := b.bind(t.Root)
	if err != nil {
		return nil, err
	}
	return &Bound{e, b.aggregates, t, b.where}, nil
}

// Condition is [Tree.Bind] for an expression that has to be true or false.
func (t *Tree) Condition(s *Scope) (*Bound, error) {
	b, err := t.Bind(s)
	if err != nil {
		return nil, err
	}
	if b.Expr, err = plan.ToBool(b.Expr); err != nil {
		return nil, fail(t.Text, t.Root.Start, err.Error())
	}
	return b, nil
}

// Knows reports whether name, as a whole, is the name of a column or of a named
// expression.
func (s *Scope) Knows(name string) bool { return s.named(name) != nil || lookup(name, s.Schema) >= 0 }

// NameTree returns the tree of a name that needs no quotes, since it stands alone.
func NameTree(name string) *Tree {
	return &Tree{name, &Node{Kind: Name, Op: name, End: len(name)}}
}

// Compile parses text, given as the argument expression, and binds it over the
// columns of schema.
func Compile(text string, schema plan.Schema, env plan.Env) (plan.Expr, error) {
	t, err := Parse(text)
	if err != nil {
		return nil, err
	}
	b, err := t.Bind(&Scope{Schema: schema, Env: env, Arg: "expression"})
	if err != nil {
		return nil, err
	}
	return b.Expr, nil
}

// CompileFilter is [Compile] for the argument filter: the result is a Bool. An
// empty text is no filter, for which it returns nil.
func CompileFilter(text string, schema plan.Schema, env plan.Env) (plan.Expr, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	t, err := Parse(text)
	if err != nil {
		return nil, err
	}
	b, err := t.Condition(&Scope{Schema: schema, Env: env, Arg: "filter"})
	if err != nil {
		return nil, err
	}
	return b.Expr, nil
}

// FindColumn returns the position of the column called name: exactly, else the
// only one that differs in case alone. Otherwise the error names what was
// probably meant.
func FindColumn(name string, schema plan.Schema) (int, error) {
	if i := lookup(name, schema); i >= 0 {
		return i, nil
	}
	message, candidates := unknownColumn(name, schema, caret.Quote)
	return -1, &NameError{Message: message, Candidates: candidates}
}

// NameError says that a name given by itself is not that of a column.
type NameError struct {
	Message    string
	Candidates []string // names that were probably meant, the nearest first
}

func (e *NameError) Error() string { return caret.Line(e.Message) }

func lookup(name string, schema plan.Schema) int {
	found := -1
	for i, f := range schema {
		if f.Name == name {
			return i
		}
		if strings.EqualFold(f.Name, name) {
			if found >= 0 {
				found = len(schema)
			} else {
				found = i
			}
		}
	}
	if found == len(schema) {
		return -1
	}
	return found
}

// unknownColumn words the refusal of a name, with what was probably meant, as show
// writes it, or else the names there are.
func unknownColumn(name string, schema plan.Schema, show func(string) string) (message string, candidates []string) {
	names := make([]string, len(schema))
	for i, f := range schema {
		names[i] = f.Name
	}
	folded := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !strings.EqualFold(n, name) })
	if len(folded) > 1 {
		return fmt.Sprintf("column %s is ambiguous; the table has %s, which must be written so", caret.Quote(name), list(folded)), folded
	}
	message = "unknown column " + caret.Quote(name)
	if _, last, ok := cutLast(name, "."); ok {
		if i := slices.Index(names, last); i >= 0 { // table.column
			return message + "; did you mean " + show(last) + "?", []string{last}
		}
	}
	candidates = nearest.Find(name, names, 3)
	if len(candidates) > 0 {
		return message + "; did you mean " + show(candidates[0]) + "?", candidates
	}
	return message + "; the columns are " + list(names), nil
}

// written offers a name in quotes, or, if it cannot stand for itself, as it has to
// be written.
func written(name string) string {
	if q := ident.Quote(name); q != name {
		return caret.Clean(q)
	}
	return caret.Quote(name)
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// list writes up to 20 names as expressions would.
func list(names []string) string {
	const most = 20
	rest := ""
	if len(names) > most {
		rest = fmt.Sprintf(" and %d more", len(names)-most)
		names = names[:most]
	}
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = caret.Clean(ident.Quote(n))
	}
	return strings.Join(quoted, ", ") + rest
}

// binder turns nodes into typed expressions. Its recursion is bounded by the
// limits of the parser.
type binder struct {
	*Scope
	tree       *Tree
	where      map[*plan.Column]*Node
	aggregates int
	inAgg      string // the aggregate whose arguments are being bound, as written
}

func (b *binder) fail(n *Node, message string) *Error { return fail(b.tree.Text, n.At, message) }

// bind returns an *Error as error, so that a nil one stays nil.
func (b *binder) bind(n *Node) (plan.Expr, error) {
	switch n.Kind {
	case Literal:
		return &plan.Literal{Value: n.Value, T: plan.Type{Base: n.Value.Base}}, nil
	case Name:
		return b.name(n)
	case Function:
		return b.function(n)
	}
	switch {
	case isComparison(n):
		return b.comparison(n)
	case n.Op == "pos":
		return b.positive(n)
	}
	return b.call(n.Op, n, n.Args)
}

func (b *binder) name(n *Node) (plan.Expr, error) {
	var c *plan.Column
	if e := b.named(n.Op); e != nil && b.inAgg == "" {
		col, ok := e.(*plan.Column)
		if !ok {
			return e, nil
		}
		c = &plan.Column{Index: col.Index, Field: col.Field}
	} else if i := lookup(n.Op, b.Schema); i >= 0 {
		c = &plan.Column{Index: i, Field: b.Schema[i]}
	} else {
		return nil, b.unknown(n)
	}
	if c.Field.Type.Base == plan.Text {
		return nil, b.fail(n, caret.Quote(c.Field.Name)+" is free text (loaded with types 'string') and cannot be used in an expression")
	}
	b.where[c] = n
	return c, nil
}

// named looks name up among the named expressions: exactly, else the only one
// that differs in case alone.
func (s *Scope) named(name string) plan.Expr {
	var found plan.Expr
	hits := 0
	for _, d := range s.Named {
		if d.Name == name {
			return d.Expr
		}
		if strings.EqualFold(d.Name, name) {
			found = d.Expr
			hits++
		}
	}
	if hits == 1 {
		return found
	}
	return nil
}

func (b *binder) unknown(n *Node) *Error {
	schema := b.Schema
	for _, d := range b.Named {
		schema = append(schema[:len(schema):len(schema)], plan.Field{Name: d.Name})
	}
	message, candidates := unknownColumn(n.Op, schema, written)
	if b.Group != nil && !n.Quoted && plan.IsAggregate(n.Op) {
		message = fmt.Sprintf("unknown column %s; the aggregate is written %s()", caret.Quote(n.Op), n.Op)
	}
	err := b.fail(n, message)
	err.Candidates = candidates
	err.unknown = n
	return err
}

// call binds args and applies the operator op to them.
func (b *binder) call(op string, n *Node, args []*Node) (plan.Expr, error) {
	bound, err := b.bindAll(args)
	if err != nil {
		return nil, err
	}
	return b.apply(op, n, args, bound)
}

func (b *binder) bindAll(args []*Node) ([]plan.Expr, error) {
	bound := make([]plan.Expr, len(args))
	for i, a := range args {
		e, err := b.bind(a)
		if err != nil {
			return nil, err
		}
		bound[i] = e
	}
	return bound, nil
}

// apply applies the operator op to arguments that are bound; args are their nodes.
func (b *binder) apply(op string, n *Node, args []*Node, bound []plan.Expr) (plan.Expr, error) {
	e, err := plan.Bind(op, bound)
	if err != nil {
		return nil, b.refused(err, n, args)
	}
	return e, nil
}

// refused places an error of plan.Bind: at the argument at fault if it names one.
func (b *binder) refused(err error, n *Node, args []*Node) error {
	at := n.At
	var be *plan.BindError
	if errors.As(err, &be) && be.Arg >= 0 && be.Arg < len(args) {
		at = args[be.Arg].Start
	}
	return fail(b.tree.Text, at, err.Error())
}

// comparison binds a comparison; x == null and x != null test for missing values.
func (b *binder) comparison(n *Node) (plan.Expr, error) {
	if test := map[string]string{"eq": "isnull", "ne": "notnull"}[n.Op]; test != "" {
		for i, a := range n.Args {
			if isNull(a) {
				return b.call(test, n, n.Args[1-i:2-i])
			}
		}
	}
	bound := make([]plan.Expr, 2)
	for i, a := range n.Args {
		e, err := b.bind(a)
		if err != nil {
			return nil, b.labelHint(err, a, n.Args[1-i])
		}
		bound[i] = e
	}
	return b.apply(n.Op, n, n.Args, bound)
}

func isNull(n *Node) bool { return n.Kind == Literal && n.Value.Base == plan.Null }

// labelHint adds to the error about an unknown bare word that is compared with
// text that it may have been meant as a label.
func (b *binder) labelHint(err error, n, other *Node) error {
	var e *Error
	if !errors.As(err, &e) || e.unknown != n || n.Quoted {
		return err
	}
	x, otherErr := b.bind(other)
	if otherErr != nil || x.Type().Base != plan.String && x.Type().Base != plan.Date {
		return err
	}
	hint := fmt.Sprintf("for the label write %s in quotes", caret.Quote(n.Op))
	if x.Type().Base == plan.Date {
		hint = fmt.Sprintf("a date is written in quotes, %s", caret.Quote("2024-01-31"))
	}
	if len(e.Candidates) > 0 {
		hint += fmt.Sprintf("; did you mean the column %s?", written(e.Candidates[0]))
	}
	c := *e
	c.Hint = hint
	return &c
}

func (b *binder) positive(n *Node) (plan.Expr, error) {
	e, err := b.bind(n.Args[0])
	if err != nil {
		return nil, err
	}
	// Its refusal is that of the minus sign; the value is the operand itself.
	if _, err := b.apply("neg", n, n.Args, []plan.Expr{e}); err != nil {
		return nil, err
	}
	return e, nil
}

func (b *binder) function(n *Node) (plan.Expr, error) {
	if plan.IsAggregate(n.Op) && (b.Group != nil || !plan.IsFunction(n.Op)) {
		return b.aggregate(n)
	}
	if n.Where != nil {
		return nil, fail(b.tree.Text, n.Where.Start, fmt.Sprintf("%s is no aggregate and takes no where", caret.Quote(n.Op)))
	}
	args, err := b.bindAll(n.Args)
	if err != nil {
		return nil, err
	}
	e, err := b.Env.Call(n.Op, args)
	if err != nil {
		return nil, b.refused(err, n, n.Args)
	}
	return e, nil
}

func (b *binder) aggregate(n *Node) (plan.Expr, error) {
	switch {
	case b.inAgg != "":
		return nil, b.fail(n, fmt.Sprintf("%s is an aggregate; it cannot stand inside the aggregate %s", caret.Quote(n.Op), caret.Quote(b.inAgg)))
	case b.Group == nil:
		return nil, b.fail(n, fmt.Sprintf("%s is an aggregate; it belongs in aggregates, not in %s", caret.Quote(n.Op), b.Arg))
	}
	b.inAgg = n.Op
	defer func() { b.inAgg = "" }()
	args, err := b.bindAll(n.Args)
	if err != nil {
		return nil, err
	}
	opt := plan.AggOptions{ZeroSum: b.ZeroSum, Rows: b.Group.Rows}
	if n.Where != nil {
		if opt.Filter, err = b.bind(n.Where); err != nil {
			return nil, err
		}
		if opt.Filter, err = plan.ToBool(opt.Filter); err != nil {
			return nil, fail(b.tree.Text, n.Where.Start, err.Error())
		}
	}
	agg, err := plan.BindAggregate(n.Op, args, opt)
	if err != nil {
		return nil, b.refused(err, n, n.Args)
	}
	b.aggregates++
	c := b.Group.Add(agg)
	b.where[c] = n
	return c, nil
}
