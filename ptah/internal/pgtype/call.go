package pgtype

import (
	"slices"
	"strconv"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
)

// newer are functions that servers behind version 15 have, or have in more forms: for the
// types or for the number of arguments behind the colon.
var newer = readNewer(`any_value array_reverse array_sample array_shuffle array_sort bytea casefold crc32 crc32c date_add date_subtract
	erf erfc gamma generate_series:4 icu_unicode_version json_strip_nulls:2 jsonb_strip_nulls:2 lgamma max:bytea,record min:bytea,record
	random:2 random_normal reverse:bytea system_user timezone:1 to_bin to_oct to_regtypemod unicode_assigned unicode_version
	uuid_extract_timestamp uuid_extract_version uuidv4 uuidv7 has_largeobject_privilege xid8 xmltext`)

func readNewer(text string) map[string]string {
	m := map[string]string{}
	for word := range strings.FieldsSeq(text) {
		name, forms, _ := strings.Cut(word, ":")
		m[name] = forms
	}
	return m
}

// isNewer reports whether a call may be one of a function of a newer server.
func isNewer(name string, args []*Type) bool {
	forms, ok := newer[name]
	if !ok || forms == "" {
		return ok || strings.HasPrefix(name, "pg_")
	}
	for form := range strings.SplitSeq(forms, ",") {
		if form == strconv.Itoa(len(args)) {
			return true
		}
		for _, a := range args {
			if a == nil || a.plain().key == form || form == "record" && rowLike(a) {
				return true
			}
		}
	}
	return false
}

// special calls have a syntax of their own; what they give is not looked at.
var special = strings.Fields(`xmlconcat xmlelement xmlforest xmlparse xmlpi xmlroot xmlserialize xmlagg json_object json_array json_arrayagg json_objectagg
	json_value json_query json_exists json_scalar json_serialize json merge_action treat`)

// call finds the type of a call.
func (c *checker) call(e *sqltree.Func, sc *scope) value {
	id := e.Name.Last()
	name := fold(id)
	if len(e.Name.Parts) == 1 && !id.Quoted {
		if v, ok := c.construct(e, name, sc); ok {
			return v
		}
	}
	inner := sc
	over := e.Over != nil
	list, known := c.functionsOf(e.Name)
	if !over && c.isAggregate(e.Name, list) {
		c.aggregate(e, sc)
		inner = sc.with(clause{name: "the call of an aggregate", agg: true, window: true, set: true})
	} else if over {
		inner = sc.with(clause{name: "the call of a window function", window: true, set: true, agg: sc.clause.agg})
	}
	values := c.exprs(e.Args, inner)
	if e.Distinct {
		for i, v := range values {
			c.ordered(e.Args[i], v.typ, "DISTINCT")
		}
	}
	for _, o := range e.OrderBy {
		v := c.expr(o.Expr, inner)
		c.ordered(o.Expr, v.typ, "ORDER BY")
		if list != nil && list[0].order != 'n' && list[0].Kind == 'a' {
			values = append(values, v)
		}
	}
	if e.Filter != nil {
		c.condition(e.Filter, c.expr(e.Filter, inner), "FILTER")
	}
	if over {
		c.window(e.Over, sc)
	}
	if e.ArgNames != nil || len(special) > 0 && len(e.Name.Parts) == 1 && slices.Contains(special, name) {
		return unclear
	}
	if !known && len(list) == 0 {
		return unclear
	}
	args := types(values)
	known = known && !isNewer(name, args)
	shown := func() string { return name + "(" + listed(args) + ")" }
	if len(list) == 0 {
		if t := c.functionCast(e, values); t != nil || len(args) == 1 && mayBeField(args[0]) {
			return value{typ: t}
		}
		if x := c.extensionWith(name); x != "" {
			return c.fail(e, "function %s does not exist; extension %s has it, declare that", shown(), x)
		}
		return c.fail(e, "function %s does not exist", shown())
	}
	nodes := make([]sqltree.Node, len(e.Args))
	for i, a := range e.Args {
		nodes[i] = a
	}
	if c.explicitVariadic(e) || name == "substring" && len(args) == 2 && c.hasFor(e) {
		return unclear
	}
	found, how := c.pick(list, args, e, values)
	switch {
	case how == undecided:
		if known {
			return value{typ: found.result}
		}
		return unclear
	case how != chosen && !known:
		return unclear
	case how == none:
		if len(args) == 1 && mayBeField(args[0]) {
			return unclear
		}
		return c.fail(e, "function %s does not exist; cast an argument to what it takes", shown())
	case how == ambiguous:
		return c.fail(e, "function %s is not unique; cast its arguments", shown())
	}
	c.places(e, found.fn, sc)
	if found.fn != nil && found.fn.order == 'h' {
		return value{typ: found.result}
	}
	return value{typ: c.take(e, found, nodes, values)}
}

// mayBeField reports whether f(x) may be the field f of a row x.
func mayBeField(t *Type) bool { return t == nil || rowLike(t) }

// functionsOf are the functions that a name can mean; known is false if there may be
// others.
func (c *checker) functionsOf(name sqltree.Name) (list []*Function, known bool) {
	last := fold(name.Last())
	n := len(name.Parts)
	switch {
	case n == 1:
		list = append(slices.Clip(Functions(last)), c.declared.Functions(name)...)
	case n == 2 && fold(name.Parts[0]) == "pg_catalog":
		list = Functions(last)
	default:
		list = c.declared.Functions(name)
	}
	return list, !c.declared.Others(name)
}

// pick chooses among functions.
func (c *checker) pick(list []*Function, args []*Type, e *sqltree.Func, values []value) (candidate, verdict) {
	for _, f := range list {
		if f.Kind == 'a' && f.order != 'n' && e.OrderBy == nil {
			list = slices.DeleteFunc(slices.Clone(list), func(f *Function) bool { return f.Kind == 'a' })
			if len(list) == 0 {
				return candidate{}, undecided
			}
			break
		}
	}
	found, how := c.choose(candidatesOf(list, len(args)), args)
	if how == chosen && equal(found.params, args) || how == undecided {
		return found, how
	}
	if t := c.functionCast(e, values); t != nil {
		return candidate{params: args, result: t}, chosen
	}
	return found, how
}

// candidatesOf are the functions that take so many arguments. Of those with the same
// parameters the first counts, and one whose parameters are so many only because the
// last is repeated does not.
func candidatesOf(list []*Function, n int) []candidate {
	candidates := make([]candidate, 0, len(list))
	for _, variadic := range []bool{false, true} {
		for _, f := range list {
			x, ok := candidateOf(f, n)
			if ok && f.Variadic == variadic && !slices.ContainsFunc(candidates, func(y candidate) bool { return equal(x.params, y.params) && n > 0 }) {
				candidates = append(candidates, x)
			}
		}
	}
	return candidates
}

// candidateOf is a function with as many parameters as there are arguments.
func candidateOf(f *Function, n int) (candidate, bool) {
	params := f.Args
	switch {
	case n == len(params) && !f.Variadic:
	case n < len(params) && n >= len(params)-f.Defaults:
		params = params[:n]
	case f.Variadic && n >= len(params):
		last := params[len(params)-1]
		if last != nil {
			switch last.key {
			case "any":
			case "anyarray":
				last = builtin().types["anyelement"]
			case "anycompatiblearray":
				last = builtin().types["anycompatible"]
			default:
				last = last.elem
			}
		}
		params = slices.Clip(params[:len(params)-1])
		for len(params) < n {
			params = append(params, last)
		}
	default:
		return candidate{}, false
	}
	return candidate{params: params, result: f.Returns, fn: f}, true
}

// functionCast is the type that a call means which is a cast: int4(x).
func (c *checker) functionCast(e *sqltree.Func, values []value) *Type {
	if len(values) != 1 || e.Star || values[0].typ == nil {
		return nil
	}
	t := c.typeOf(sqltree.TypeName{Name: sqltree.Name{Parts: quotedParts(e.Name)}})
	from := values[0].typ
	if t == nil || t.kind == 'p' {
		return nil
	}
	if !from.is("unknown") {
		a, b := from.plain(), t.plain()
		if _, ok := c.casts[cast{a, b}]; !ok && a != b && (b.category != 'S' && a.category != 'S' || rowLike(a) && b.category == 'S') {
			return nil
		}
	}
	c.become(e, values[0], t)
	return t
}

// quotedParts are the parts of a name of which only the exact one counts.
func quotedParts(n sqltree.Name) []sqltree.Ident {
	parts := make([]sqltree.Ident, len(n.Parts))
	for i, p := range n.Parts {
		parts[i] = sqltree.Ident{Span: p.Span, Name: fold(p), Quoted: true}
	}
	return parts
}

// explicitVariadic reports whether VARIADIC stands before the last argument.
func (c *checker) explicitVariadic(e *sqltree.Func) bool {
	n := len(e.Args)
	if n == 0 {
		return false
	}
	before := e.Name.End
	if n > 1 {
		before = e.Args[n-2].Pos().End
	}
	return strings.Contains(strings.ToLower(c.source(before, e.Args[n-1].Pos().Start)), "variadic")
}

// hasFor reports whether a substring is written with FOR alone, where a first argument
// and a cast are the grammar's own.
func (c *checker) hasFor(e *sqltree.Func) bool {
	return strings.Contains(strings.ToLower(c.source(e.Args[0].Pos().End, e.Args[1].Pos().Start)), "for")
}

// construct checks what looks like a call and is a part of the language.
func (c *checker) construct(e *sqltree.Func, name string, sc *scope) (value, bool) {
	switch name {
	case "coalesce", "greatest", "least":
		inner := sc.with(clause{name: strings.ToUpper(name), set: true, agg: sc.clause.agg, window: sc.clause.window})
		return value{typ: c.unify(e.Args, c.exprs(e.Args, inner), strings.ToUpper(name))}, true
	case "nullif":
		if len(e.Args) != 2 {
			return unclear, true
		}
		v := c.exprs(e.Args, sc)
		t := c.operate(e, "=", &v[0], &v[1])
		if t != nil && t != c.types["bool"] {
			return unclear, true
		}
		if v[0].typ.is("unknown") {
			return unclear, true
		}
		return value{typ: v[0].typ.plain()}, true
	case "grouping":
		c.exprs(e.Args, sc)
		return c.of("int4"), true
	}
	return unclear, false
}

// invoke finds the type of a call of a built-in function that the grammar made.
func (c *checker) invoke(at sqltree.Node, name string, nodes []sqltree.Node, values []value) value {
	args := types(values)
	found, how := c.choose(candidatesOf(Functions(name), len(args)), args)
	id := sqltree.Name{Parts: []sqltree.Ident{{Name: name, Quoted: true}}}
	switch {
	case how == undecided:
		return value{typ: found.result}
	case how != chosen && c.declared.Others(id):
		return unclear
	case how != chosen:
		what := map[string]string{"timezone": "AT TIME ZONE", "overlaps": "OVERLAPS", "like_escape": "ESCAPE", "similar_to_escape": "SIMILAR TO"}[name]
		return c.fail(at, "%s does not take %s; cast an operand", what, listed(args))
	}
	return value{typ: c.take(at, found, nodes, values)}
}

// aggregate notes the call of an aggregate, and says where it is not allowed. One that
// takes rows of an outer query belongs to that.
func (c *checker) aggregate(e *sqltree.Func, sc *scope) {
	if !sc.owns(e) {
		return
	}
	if sc.clause.agg {
		c.fail(e, "aggregate %s is not allowed in %s", fold(e.Name.Last()), sc.clause.name)
	}
	if c.aggregates == nil {
		c.aggregates = map[*sqltree.Func]*scope{}
	}
	c.aggregates[e] = sc.top()
}

// isAggregate reports whether all that a name can mean are aggregates.
func (c *checker) isAggregate(name sqltree.Name, list []*Function) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(f *Function) bool { return f.Kind != 'a' }) && !c.declared.Others(name)
}

// mayAggregate reports whether a call may be one of an aggregate.
func (c *checker) mayAggregate(e *sqltree.Func) bool {
	if e.Over != nil {
		return false
	}
	list, known := c.functionsOf(e.Name)
	return !known || isNewer(fold(e.Name.Last()), nil) || e.Aggregate || slices.Contains(special, fold(e.Name.Last())) || slices.ContainsFunc(list, func(f *Function) bool { return f.Kind == 'a' })
}

// places says where window functions and functions of several rows are not allowed.
func (c *checker) places(e *sqltree.Func, f *Function, sc *scope) {
	if f == nil {
		return
	}
	name := fold(e.Name.Last())
	switch {
	case e.Over != nil && f.Kind == 'f':
		c.fail(e, "%s has OVER, and is no window function", name)
	case e.Over == nil && f.Kind == 'w':
		c.fail(e, "window function %s needs OVER", name)
	case (e.Distinct || e.Filter != nil) && f.Kind == 'f':
		c.fail(e, "%s is no aggregate, and has %s", name, map[bool]string{true: "DISTINCT", false: "FILTER"}[e.Distinct])
	case e.Over != nil && sc.clause.window:
		c.fail(e, "window function %s is not allowed in %s", name, sc.clause.name)
	case f.Set && sc.clause.set:
		c.fail(e, "%s returns several rows, and is not allowed in %s", name, sc.clause.name)
	}
}
