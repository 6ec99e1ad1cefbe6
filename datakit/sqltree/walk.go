package sqltree

import "slices"

// MaxDepth is the most levels that the tree of a statement has: what a front end
// would return with more is a [*SyntaxError] instead. Recursion over a tree
// therefore needs no guard of its own: it is over long before the stack is.
const MaxDepth = 2500

// Walk calls visit for n and everything below it, parents first and siblings in
// the order of [Children]; where visit returns false the node's children are
// left out. A nil node is not visited. It takes trees of any depth.
func Walk(n Node, visit func(Node) bool) {
	if n == nil {
		return
	}
	stack := []Node{n} // what is still to be visited, the next one last
	push := func(c Node) { stack = append(stack, c) }
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !visit(n) {
			continue
		}
		first := len(stack)
		eachChild(n, push)
		slices.Reverse(stack[first:])
	}
}

// TooDeep returns the first node of a tree that stands deeper in it than
// [MaxDepth] levels, the root being at level 1; nil if there is none. It takes
// trees of any depth.
func TooDeep(n Node) Node {
	type place struct {
		node  Node
		level int
	}
	stack := []place{{n, 1}}
	level := 0
	push := func(c Node) { stack = append(stack, place{c, level}) }
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if at.level > MaxDepth {
			return at.node
		}
		first := len(stack)
		level = at.level + 1
		eachChild(at.node, push)
		slices.Reverse(stack[first:])
	}
	return nil
}

// Inspect is [Walk] over all statements of a script.
func Inspect(s *Script, visit func(Node) bool) {
	for _, st := range s.Statements {
		Walk(st, visit)
	}
}

// Children returns the nodes directly below n, roughly in the order of the text:
// statements, queries, entries of FROM, expressions, and the parts of them that
// have a place of their own. Parts that the tree holds by value come as pointers
// into it (*SelectItem, *OrderItem, *Name, *Ident, …), so that a visitor tells
// all nodes apart by pointer types. Spans that are no nodes (the bound of a
// partition) are not included.
func Children(n Node) []Node {
	var out []Node
	eachChild(n, func(c Node) { out = append(out, c) })
	return out
}

func eachChild(n Node, f func(Node)) {
	w := walker{f}
	switch n := n.(type) {
	case *Ident, *Literal, *Param, *Unchecked, *Option:
	case *Name:
		w.idents(n.Parts)

	case *Query:
		w.with(n.With)
		node(w, n.Body)
		each(w, n.OrderBy)
		nodes(w, n.Limit)
		ptr(w, n.Into)
		w.names(n.Locks)
	case *With:
		for _, c := range n.CTEs {
			f(c)
		}
	case *CTE:
		w.ident(&n.Name)
		w.idents(n.Columns)
		node(w, n.Body)
		node(w, n.Scalar)
		w.idents(n.Added)
	case *Select:
		nodes(w, n.DistinctOn)
		each(w, n.Items)
		nodes(w, n.From)
		node(w, n.Where)
		nodes(w, n.GroupBy)
		node(w, n.Having)
		each(w, n.Windows)
		node(w, n.Qualify)
		nodes(w, n.Other)
	case *SelectItem:
		node(w, n.Expr)
		ptr(w, n.Alias)
	case *SetOp:
		node(w, n.Left)
		node(w, n.Right)
	case *Values:
		for _, row := range n.Rows {
			nodes(w, row)
		}
	case *OrderItem:
		node(w, n.Expr)
	case *WindowDef:
		ptr(w, n.Name)
		ptr(w, n.Base)
		nodes(w, n.Partition)
		each(w, n.OrderBy)
		nodes(w, n.Frame)

	case *TableRef:
		w.name(&n.Name)
		w.alias(&n.Alias)
	case *Derived:
		node(w, n.Query)
		w.alias(&n.Alias)
	case *TableFunc:
		nodes(w, n.Calls)
		w.idents(n.Defined)
		w.alias(&n.Alias)
		ptr(w, n.Offset)
	case *Join:
		node(w, n.Left)
		node(w, n.Right)
		node(w, n.On)
		w.idents(n.Using)
		ptr(w, n.UsingAlias)
		w.alias(&n.Alias)
	case *Opaque:
		nodes(w, n.Inputs)
		nodes(w, n.Exprs)
		w.alias(&n.Alias)

	case *Column:
		w.idents(n.Parts)
	case *Star:
		w.idents(n.Qualifier)
		w.idents(n.Except)
		each(w, n.Replace)
		each(w, n.Rename)
		node(w, n.Filter)
	case *Func:
		w.name(&n.Name)
		nodes(w, n.Args)
		each(w, n.OrderBy)
		node(w, n.Filter)
		ptr(w, n.Over)
	case *Op:
		nodes(w, n.Args)
	case *Cast:
		node(w, n.Arg)
		w.typeName(&n.Type)
	case *TypeName:
		w.name(&n.Name)
	case *Subquery:
		node(w, n.Left)
		ptr(w, n.Query)
	case *Lambda:
		w.idents(n.Params)
		node(w, n.Body)
	case *Named:
		node(w, n.Arg)
		w.ident(&n.Alias)

	case *Insert:
		w.with(n.With)
		f(&n.Table)
		w.idents(n.Columns)
		ptr(w, n.Source)
		each(w, n.Set)
		w.idents(n.RowColumns)
		ptr(w, n.Conflict)
		each(w, n.Returning)
	case *InsertAll:
		each(w, n.Branches)
		ptr(w, n.Source)
	case *InsertBranch:
		node(w, n.When)
		f(&n.Table)
		w.idents(n.Columns)
		nodes(w, n.Values)
	case *Conflict:
		nodes(w, n.Target)
		node(w, n.TargetWhere)
		ptr(w, n.Constraint)
		each(w, n.Set)
		node(w, n.Where)
		ptr(w, n.Next)
	case *Assignment:
		each(w, n.Targets)
		node(w, n.Value)
	case *Update:
		w.with(n.With)
		nodes(w, n.Tables)
		each(w, n.Set)
		nodes(w, n.From)
		node(w, n.Where)
		each(w, n.OrderBy)
		node(w, n.Limit)
		each(w, n.Returning)
	case *Delete:
		w.with(n.With)
		w.names(n.Targets)
		nodes(w, n.From)
		nodes(w, n.Using)
		node(w, n.Where)
		each(w, n.OrderBy)
		node(w, n.Limit)
		each(w, n.Returning)
	case *Merge:
		w.with(n.With)
		f(&n.Target)
		node(w, n.Source)
		node(w, n.On)
		w.idents(n.Using)
		each(w, n.Whens)
		each(w, n.Returning)
	case *MergeWhen:
		node(w, n.Cond)
		w.idents(n.Columns)
		nodes(w, n.Values)
		each(w, n.Set)

	case *CreateTable:
		w.name(&n.Name)
		each(w, n.Columns)
		each(w, n.Constraints)
		nodes(w, n.Indexes)
		w.names(n.Like)
		w.names(n.Inherits)
		ptr(w, n.PartitionOf)
		ptr(w, n.As)
		w.idents(n.AsColumns)
		each(w, n.Options)
	case *ColumnDef:
		w.ident(&n.Name)
		w.typeName(&n.Type)
		ptr(w, n.Collation)
		each(w, n.Constraints)
	case *Constraint:
		ptr(w, n.Name)
		w.idents(n.Columns)
		each(w, n.Keys)
		node(w, n.Expr)
		ptr(w, n.RefTable)
		w.idents(n.RefColumns)
		w.idents(n.SetColumns)
		w.idents(n.Include)
		node(w, n.Where)
		each(w, n.Options)
	case *IndexKey:
		node(w, n.Expr)
		ptr(w, n.Collation)
		ptr(w, n.OpClass)
	case *CreateIndex:
		ptr(w, n.Name)
		w.name(&n.Table)
		each(w, n.Keys)
		w.idents(n.Include)
		node(w, n.Where)
		each(w, n.Options)
	case *CreateView:
		w.name(&n.Name)
		w.idents(n.Columns)
		ptr(w, n.To)
		each(w, n.Options)
		ptr(w, n.Query)
	case *CreateType:
		w.name(&n.Name)
		each(w, n.Attributes)
		w.typeName(&n.Base)
		ptr(w, n.Collation)
		each(w, n.Constraints)
		ptr(w, n.Query)
	case *CreateSequence:
		w.name(&n.Name)
		each(w, n.Options)
	case *CreateFunction:
		w.name(&n.Name)
		each(w, n.Params)
		if n.Returns != nil {
			w.typeName(n.Returns)
		}
		each(w, n.Table)
		nodes(w, n.Statements)
		node(w, n.Return)
	case *Parameter:
		ptr(w, n.Name)
		w.typeName(&n.Type)
	case *CreateTrigger:
		w.ident(&n.Name)
		w.idents(n.Columns)
		w.name(&n.Table)
		node(w, n.When)
		ptr(w, n.Function)
		nodes(w, n.Body)
	case *Comment:
		w.name(&n.Name)
	case *AlterTable:
		w.name(&n.Table)
		each(w, n.Actions)
	case *AlterAction:
		ptr(w, n.Column)
		ptr(w, n.Name)
		ptr(w, n.NewName)
		ptr(w, n.Constraint)
		ptr(w, n.Index)
		node(w, n.Expr)
		ptr(w, n.Other)
	case *Drop:
		w.names(n.Names)
	case *Truncate:
		w.names(n.Tables)
	case *Explain:
		node(w, n.Statement)
	case *Other:
		ptr(w, n.Name)
		w.names(n.Relations)
		w.idents(n.Columns)
		nodes(w, n.Exprs)
		node(w, n.Inner)
	}
}

// walker hands the children that are there to f: absent parts, which are nil
// pointers, nil interfaces or zero names, are left out.
type walker struct{ f func(Node) }

func (w walker) with(x *With) {
	if x != nil {
		w.f(x)
	}
}

func (w walker) ident(x *Ident) {
	if *x != (Ident{}) {
		w.f(x)
	}
}

func (w walker) idents(xs []Ident) { each(w, xs) }

func (w walker) name(x *Name) {
	if len(x.Parts) > 0 {
		w.f(x)
	}
}

func (w walker) names(xs []Name) { each(w, xs) }

func (w walker) typeName(x *TypeName) {
	if len(x.Name.Parts) > 0 {
		w.f(x)
	}
}

func (w walker) alias(a *Alias) {
	ptr(w, a.Name)
	w.idents(a.Columns)
}

// node hands over a child held as an interface.
func node[T interface {
	comparable
	Node
}](w walker, x T) {
	var none T
	if x != none {
		w.f(x)
	}
}

func nodes[T interface {
	comparable
	Node
}](w walker, xs []T) {
	for _, x := range xs {
		node(w, x)
	}
}

// pointer is the constraint of a node that the tree holds by value.
type pointer[T any] interface {
	*T
	Node
}

func ptr[T any, P pointer[T]](w walker, x P) {
	if x != nil {
		w.f(x)
	}
}

func each[T any, P pointer[T]](w walker, xs []T) {
	for i := range xs {
		w.f(P(&xs[i]))
	}
}
