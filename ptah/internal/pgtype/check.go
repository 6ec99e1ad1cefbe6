package pgtype

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// Catalog is what a schema declares. Names are as written; folding is its business.
type Catalog interface {
	// Type returns a declared type, [Undecided] if it is not known.
	Type(name sqltree.Name) *Type
	// Relation returns a table or view, nil if it is not known.
	Relation(name sqltree.Name) *Relation
	// Functions returns the declared functions of a name.
	Functions(name sqltree.Name) []*Function
	// Others reports whether there may be functions or operators of a name that
	// Functions does not return.
	Others(name sqltree.Name) bool
}

// Relation is a table or view.
type Relation struct {
	Columns []Field
	Open    bool  // it may have others
	Row     *Type // of its rows
	// Key has the places of the columns of a primary key that rows may be grouped by.
	Key []int
}

// Error is what the server would not take.
type Error struct {
	At      sqltree.Span // in the text
	Message string
}

func (e *Error) Error() string { return e.Message }

// Use says what becomes of the value of an expression.
type Use struct {
	Condition bool  // it is true or false
	Assign    *Type // it is stored in a column of the type
}

// From is a relation under a name.
type From struct {
	Name string
	*Relation
}

// Expr finds what is wrong with the types of an expression over the columns of some
// relations; text is what it was parsed from.
func Expr(cat Catalog, text string, e sqltree.Expr, from []From, use Use) *Error {
	c := &checker{catalog: builtin(), declared: cat, text: text}
	sc := &scope{}
	for _, f := range from {
		sc.sources = append(sc.sources, sourceOf(f.Relation, f.Name))
	}
	v := c.expr(e, sc)
	switch {
	case use.Condition:
		c.condition(e, v, "it")
	case use.Assign != nil:
		c.assign(e, v, use.Assign)
	}
	return c.err
}

// Query finds what is wrong with the types of a query, and returns the columns that it
// has if they are known. names are those that a list in front of it gives them.
func Query(cat Catalog, text string, q *sqltree.Query, names []string) (*Relation, *Error) {
	c := &checker{catalog: builtin(), declared: cat, text: text}
	out := c.query(q, nil, nil, false)
	rel := &Relation{Open: out.open || c.err != nil}
	for i, o := range out.columns {
		name := o.name
		if i < len(names) {
			name = names[i]
		}
		rel.Open = rel.Open || name == ""
		rel.Columns = append(rel.Columns, Field{name, o.typ})
	}
	return rel, c.err
}

// checker works on one text. It keeps the first error, as the server does.
type checker struct {
	*catalog
	declared Catalog
	text     string
	err      *Error
	// aggregates are the calls of aggregate functions, with the scope that they are of.
	aggregates map[*sqltree.Func]*scope
}

// value is what is known about the value of an expression.
type value struct {
	typ *Type
	// text is that of a literal whose type is still unknown.
	text *string
}

var unclear = value{}

func (c *checker) of(name string) value { return value{typ: c.types[name]} }

func (c *checker) fail(n sqltree.Node, format string, args ...any) value {
	if c.err == nil {
		c.err = &Error{n.Pos(), fmt.Sprintf(format, args...)}
	}
	return unclear
}

// source returns the text between two places, empty if they are not in it.
func (c *checker) source(start, end int) string {
	if start < 0 || end > len(c.text) || start > end {
		return ""
	}
	return c.text[start:end]
}

// nameOf is the name of a type in messages.
func nameOf(t *Type) string {
	if t == nil {
		return "?"
	}
	return t.Name
}

func types(values []value) []*Type {
	list := make([]*Type, len(values))
	for i, v := range values {
		list[i] = v.typ
	}
	return list
}

func listed(types []*Type) string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = nameOf(t)
	}
	return strings.Join(names, ", ")
}

// become brings a value to a type. The text of a literal must be one of the type.
func (c *checker) become(at sqltree.Node, v value, t *Type) {
	if v.text != nil && !accepts(*v.text, t) {
		c.fail(at, "%.40q is no value of type %s", *v.text, nameOf(t))
	}
}

// condition says that a value is neither true nor false.
func (c *checker) condition(at sqltree.Node, v value, what string) {
	b := c.types["bool"]
	if v.typ != nil && !c.coercible(v.typ, b, assignment) {
		c.fail(at, "%s must be of type boolean, and is of type %s", what, nameOf(v.typ))
		return
	}
	c.become(at, v, b)
}

// assign says that a value cannot be stored in a column.
func (c *checker) assign(at sqltree.Node, v value, t *Type) {
	if v.typ != nil && !c.coercible(v.typ, t, assignment) {
		c.fail(at, "it is of type %s, and the column of type %s; cast it", nameOf(v.typ), nameOf(t))
		return
	}
	c.become(at, v, t)
}

// typeOf is the type that a name means.
func (c *checker) typeOf(t sqltree.TypeName) *Type {
	parts := t.Name.Parts
	var found *Type
	switch {
	case len(parts) == 1:
		p := parts[0]
		name := p.Name
		if !p.Quoted {
			name = strings.ToLower(strings.Join(strings.Fields(name), " "))
		}
		found = Builtin(name, p.Quoted, t.Args)
	case len(parts) == 2 && fold(parts[0]) == "pg_catalog":
		found = Builtin(fold(parts[1]), true, nil)
	}
	if found == nil && len(parts) > 0 {
		found = c.declared.Type(t.Name)
	}
	if t.Array > 0 {
		found = ArrayOf(found)
	}
	return found
}

func fold(id sqltree.Ident) string { return sqltree.Postgres.Fold(id) }

// unify brings values to one type, as CASE, UNION and ARRAY do.
func (c *checker) unify(nodes []sqltree.Expr, values []value, what string) *Type {
	t, clash := c.common(types(values))
	if clash != nil {
		for i, v := range values {
			if v.typ.plain() == clash {
				c.fail(nodes[i], "%s types %s and %s cannot be matched; cast one of them", what, nameOf(t), nameOf(v.typ))
				return nil
			}
		}
	}
	if t == nil {
		return nil
	}
	for i, v := range values {
		if !c.coercible(v.typ, t, implicit) {
			c.fail(nodes[i], "%s cannot turn type %s into %s; cast it", what, nameOf(v.typ), nameOf(t))
			return nil
		}
		c.become(nodes[i], v, t)
	}
	return t
}

// operate finds the operator of a name for two operands, or one behind it if left is nil.
func (c *checker) operate(at sqltree.Node, name string, left, right *value) *Type {
	values := []value{*right}
	if left != nil {
		values = []value{*left, *right}
	}
	args := types(values)
	list := c.operatorsOf(operator{name, len(values)})
	how := chosen
	found, exact := sameTypes(list, args)
	if !exact {
		found, how = c.choose(list, args)
	}
	others := func() bool {
		return c.declared.Others(sqltree.Name{Parts: []sqltree.Ident{{Name: name, Quoted: true}}})
	}
	shown := func() string {
		if left == nil {
			return name + " " + nameOf(args[0])
		}
		return nameOf(args[0]) + " " + name + " " + nameOf(args[1])
	}
	switch {
	case how == undecided:
		if len(list) == 0 || others() {
			return nil
		}
		return found.result
	case how != chosen && others():
		return nil
	case how == none && len(args) == 2:
		return c.fail(at, "operator does not exist: %s; cast one side", shown()).typ
	case how == none:
		return c.fail(at, "operator does not exist: %s; cast the operand", shown()).typ
	case how == ambiguous:
		return c.fail(at, "operator is not unique: %s; cast the operands", shown()).typ
	}
	return c.take(at, found, []sqltree.Node{at, at}, values)
}

// sameTypes looks for an operator of exactly these operands; an unknown one is taken for
// what the other is, also under a domain.
func sameTypes(list []candidate, args []*Type) (candidate, bool) {
	if len(args) != 2 || args[0] == nil || args[1] == nil {
		return candidate{}, false
	}
	args = slices.Clone(args)
	guess := false
	switch {
	case args[0].is("unknown"):
		args[0], guess = args[1], true
	case args[1].is("unknown"):
		args[1], guess = args[0], true
	}
	for range 2 {
		for _, x := range list {
			if equal(x.params, args) {
				return x, true
			}
		}
		if !guess || args[0].plain() == args[0] {
			break
		}
		args[0] = args[0].plain()
		args[1] = args[0]
	}
	return candidate{}, false
}

// take brings the arguments to the parameters of what was chosen, and returns its result.
func (c *checker) take(at sqltree.Node, x candidate, nodes []sqltree.Node, values []value) *Type {
	poly := x.result.polymorphic()
	for _, p := range x.params {
		poly = poly || p.polymorphic()
	}
	var bound map[string]*Type
	if poly {
		var ok bool
		if bound, ok = c.bind(x.params, types(values)); !ok {
			return nil
		}
	}
	for i, p := range x.params {
		if p.polymorphic() {
			p = bound[p.key]
		}
		if i < len(nodes) {
			c.become(nodes[i], values[i], p)
		}
	}
	switch r := x.result; {
	case r.polymorphic():
		return bound[r.key]
	case r != nil && r.kind == 'p' && !r.is("record") && !r.is("void"):
		return nil
	default:
		return r
	}
}
