// Package plan is the one typed logical plan in which both of vectro's languages
// meet: the expression language of query (package expr) and SQL (package
// sqlfront) build it, package exec runs it, another backend may print it.
//
// Scalar expressions are [Column], [Literal] and [Call]; relational nodes are
// [Scan], [Values], [Filter], [Project], [Aggregate], [Join], [Distinct], [Sort]
// and [Limit]. Nodes are made by [Bind] and [BindAggregate], which check and
// choose types, so that the same question means the same in either language.
// A plan is immutable once built.
package plan

import (
	"math"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/caret"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
)

// Base is the basic type of a value.
type Base uint8

// The basic types. Missing is one notion for all of them; there is no NaN.
const (
	Null   Base = iota // the literal null alone, before it takes a type
	Bool               // true, false, unknown (missing)
	Int                // int64, exact
	Huge               // 128-bit whole number: what is computed of integers and may pass int64
	Float              // float64; ±Inf are values, NaN is missing
	Date               // int64 in the type's Unit
	String             // a category's label, or computed text
	Text               // free text: may be returned, nothing else
)

// Type is the type of an expression or of a result column.
type Type struct {
	Base Base
	Unit col.Unit // of a Date
	Zone bool     // of a Date: shown with Z
}

// Numeric reports whether values of t are numbers.
func (t Type) Numeric() bool { return t.Base == Int || t.Base == Huge || t.Base == Float }

// String names the type for a person: number, text, date, true/false, free text, null.
func (t Type) String() string {
	switch t.Base {
	case Int, Huge, Float:
		return "number"
	case Date:
		return "date"
	case String:
		return "text"
	case Bool:
		return "true/false"
	case Text:
		return "free text"
	}
	return "null"
}

// Value is one scalar. The zero Value is missing.
type Value struct {
	Base Base  // Null: missing
	I    int64 // Int and Date; Bool as 0 or 1; low half of Huge (as bits); of a Float, if not 0, the whole number that F rounds
	Hi   int64 // high half of Huge
	F    float64
	S    string // String; of a Float literal beyond 64 bits the digits that were written
}

// Expr is a typed scalar expression over the rows of one input.
type Expr interface {
	Type() Type
	isExpr()
}

// Column is the input's column at Index.
type Column struct {
	Index int
	Field Field
}

// Type returns the column's type.
func (c *Column) Type() Type { return c.Field.Type }

// Literal is a constant. A missing literal may carry a type.
type Literal struct {
	Value Value
	T     Type
}

// Type returns the literal's type.
func (l *Literal) Type() Type { return l.T }

// Call applies a function or operator of the registry to arguments whose types
// are exactly those of one of its overloads; make it with [Bind].
type Call struct {
	Op   string // canonical lower-case name: "add", "eq", "lower", "case", …
	Args []Expr
	T    Type
	// Lo and Hi bound the values of an Int call, and of a Date call where known (see
	// [Bounds]).
	Lo, Hi int64
	// Bits bounds the values of a Huge call: each is below 2^Bits in size. 0 if unknown.
	Bits int
}

// Type returns the call's result type.
func (c *Call) Type() Type { return c.T }

func (*Column) isExpr()  {}
func (*Literal) isExpr() {}
func (*Call) isExpr()    {}

// Field is a column of a node's output.
type Field struct {
	Name string
	Type Type
	// Lo and Hi bound the values of an Int column, from statistics: arithmetic on
	// integers stays in int64 where its result is sure to fit, and is done in
	// 128 bits elsewhere; only what might not fit those is done in float64. Of a
	// Date column they may be known too, in its unit; both 0 means that they are not.
	Lo, Hi int64
	// Bits bounds the values of a Huge column as [Call.Bits] does.
	Bits int
	// Inf says that a Float column may hold ±Inf.
	Inf bool
	// Table is the alias the column belongs to, for qualified names; "" if none.
	Table string
	// Agg is the aggregate that a column of [Grouping.Add] stands for, else nil.
	Agg *Agg
	// Bool marks a String column that is a boolean-flagged category ("true"/"false").
	Bool bool
}

// Schema is the output of a node, in order.
type Schema []Field

// Node is a relational operator.
type Node interface {
	Schema() Schema
	isNode()
}

// Scan reads the columns of a table at the given positions.
type Scan struct {
	Table   *col.Table
	Columns []int
	Out     Schema
}

// Values is a constant relation; with one row and no column it is the input of a
// SELECT without FROM.
type Values struct {
	Rows [][]Value
	Out  Schema
}

// Filter keeps the rows for which Cond is true (not false, not unknown).
type Filter struct {
	In   Node
	Cond Expr
}

// Project computes one expression per output column.
type Project struct {
	In    Node
	Exprs []Expr
	Out   Schema
}

// Aggregate groups by Keys and computes Aggs per group; without Keys it has
// exactly one output row. Output: keys, then aggregates. Missing key values form
// one group. Without a Sort above, groups come ordered by key: ascending,
// strings by code point, missing last.
type Aggregate struct {
	In   Node
	Keys []Expr
	Aggs []Agg
	Out  Schema
}

// Agg is one aggregate call; make it with [BindAggregate].
type Agg struct {
	Fn       string // canonical name: "count", "sum", "mean", "min", "max", "countdistinct", …
	Args     []Expr // over the Aggregate's input; empty for count()
	Filter   Expr   // nil, or a Bool: rows that count
	Distinct bool
	// ZeroSum makes a sum over no values 0 (the query tool) rather than missing (SQL).
	ZeroSum bool
	T       Type
	// Lo and Hi bound an Int result, and a Date's where known; Bool says that the
	// result is a label of a boolean-flagged category.
	Lo, Hi int64
	Bits   int // bounds a Huge result as [Call.Bits] does
	Bool   bool
}

// JoinKind says which unmatched rows a join keeps.
type JoinKind uint8

// The join kinds.
const (
	Inner JoinKind = iota
	Left           // unmatched left rows, with the right side missing
)

// Join pairs rows whose keys are equal (missing keys match nothing) and for which
// Residual is true. Output: left columns, then right columns, in the order of
// the left rows and, per left row, of the right rows.
type Join struct {
	Left, Right         Node
	Kind                JoinKind
	LeftKeys, RightKeys []Expr // same length and types, pairwise; empty: every pair
	Residual            Expr   // nil, or a Bool over the output
	Out                 Schema
}

// Distinct keeps the first of equal rows (missing equals missing).
type Distinct struct{ In Node }

// SortKey orders by one expression over the input.
type SortKey struct {
	Expr       Expr
	Desc       bool
	NullsFirst bool
}

// Sort orders rows; ties keep the input's order.
type Sort struct {
	In   Node
	Keys []SortKey
}

// Limit passes Count rows after skipping Offset. Count < 0 means all.
type Limit struct {
	In            Node
	Offset, Count int64
}

func (n *Scan) Schema() Schema      { return n.Out }
func (n *Values) Schema() Schema    { return n.Out }
func (n *Filter) Schema() Schema    { return n.In.Schema() }
func (n *Project) Schema() Schema   { return n.Out }
func (n *Aggregate) Schema() Schema { return n.Out }
func (n *Join) Schema() Schema      { return n.Out }
func (n *Distinct) Schema() Schema  { return n.In.Schema() }
func (n *Sort) Schema() Schema      { return n.In.Schema() }
func (n *Limit) Schema() Schema     { return n.In.Schema() }

func (*Scan) isNode()      {}
func (*Values) isNode()    {}
func (*Filter) isNode()    {}
func (*Project) isNode()   {}
func (*Aggregate) isNode() {}
func (*Join) isNode()      {}
func (*Distinct) isNode()  {}
func (*Sort) isNode()      {}
func (*Limit) isNode()     {}

// NewScan returns a scan of all columns of t, named and typed from the table.
// alias becomes Field.Table.
func NewScan(t *col.Table, alias string) *Scan {
	s := &Scan{Table: t}
	for i, c := range t.Columns {
		s.Columns = append(s.Columns, i)
		s.Out = append(s.Out, FieldOf(c, alias))
	}
	return s
}

// FieldOf returns the plan's view of a stored column. A boolean-flagged category
// has type String with Bool set; [Bind] turns it into a Bool where one is wanted.
func FieldOf(c *col.Column, alias string) Field {
	f := Field{Name: c.Name, Table: alias, Bool: c.Bool}
	switch c.Kind {
	case col.Number:
		f.Type.Base = Int
		if len(c.Chunks) > 0 {
			if _, float := c.Chunks[0].Data.([]float64); float {
				f.Type.Base = Float
			}
		}
		if f.Type.Base == Int {
			s := c.Stats()
			f.Lo, f.Hi = s.Lo, s.Hi
		} else {
			s := c.Stats()
			f.Inf = math.IsInf(s.LoF, 0) || math.IsInf(s.HiF, 0)
		}
	case col.Category:
		f.Type.Base = String
	case col.Date:
		f.Type = Type{Base: Date, Unit: c.Unit, Zone: c.Zone}
		s := c.Stats()
		f.Lo, f.Hi = s.Lo, s.Hi
	case col.Text:
		f.Type.Base = Text
	}
	return f
}

// BindError says why a call was refused. Arg is the position of the argument at
// fault, or -1 for the call itself, so that a parser can point at its text.
// Message has no position and reads on its own:
// "round takes 1 or 2 arguments, not 3". SQL is the message with names, conditions
// and advice written as SQL has them.
type BindError struct {
	Arg          int
	Message, SQL string
}

func (e *BindError) Error() string { return caret.Line(e.Message) }
