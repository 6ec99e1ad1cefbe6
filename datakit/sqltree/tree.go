package sqltree

// Span is a piece of the text, as byte offsets: Text[Start:End].
type Span struct{ Start, End int }

// Pos returns the span itself; it makes every node that embeds a Span a [Node].
func (s Span) Pos() Span { return s }

// Node is anything with a place in the text.
type Node interface{ Pos() Span }

// Ident is one part of a name, with quotes and escapes taken off.
type Ident struct {
	Span
	Name   string
	Quoted bool
}

// Name is a possibly qualified name: column, table, schema.table,
// catalog.schema.table.
type Name struct {
	Span
	Parts []Ident
}

// Last returns the name without its qualifiers.
func (n Name) Last() Ident { return n.Parts[len(n.Parts)-1] }

// Script is a parsed text.
type Script struct {
	Text       string
	Dialect    Dialect
	Statements []Statement
	// Notes are about parts that were passed over, in the order of the text.
	Notes []Note
}

// Note is a remark about a part of the text that a front end let pass without
// reading it: there the tree has an [Unchecked] or [Opaque] node, or nothing.
type Note struct {
	Span
	Message string
}

// Statement is a whole statement.
type Statement interface {
	Node
	isStatement()
}

// Query is SELECT, VALUES or TABLE with what may stand around them. It is a
// statement, and the body of subqueries, CTEs and views.
type Query struct {
	Span
	With    *With // nil without
	Body    Body
	OrderBy []OrderItem
	Limit   []Expr // LIMIT, OFFSET, FETCH and LIMIT BY, in the order of the text
	Into    *Name  // SELECT INTO, nil without
	Locks   []Name // FOR UPDATE OF
}

// Body is what a query computes before ORDER BY and LIMIT: a [Select], a
// [SetOp], a [Values], or a [Query] in parentheses.
type Body interface {
	Node
	isBody()
}

// With holds the common table expressions of a statement.
type With struct {
	Span
	Recursive bool
	CTEs      []*CTE
}

// CTE is one common table expression.
type CTE struct {
	Span
	Name    Ident
	Columns []Ident
	Body    Statement // a *Query, or a data-modifying statement with RETURNING
	// Scalar is set instead of Body where a dialect names an expression:
	// WITH expr AS name (ClickHouse).
	Scalar Expr
	// Added are the columns that SEARCH and CYCLE clauses add to the output.
	Added []Ident
}

// Select is one SELECT.
type Select struct {
	Span
	Distinct   bool
	DistinctOn []Expr
	Items      []SelectItem
	From       []TableExpr // a comma list; empty without FROM
	Where      Expr
	GroupBy    []Expr // grouping sets, ROLLUP and CUBE are [Op]s over their members
	GroupAll   bool   // GROUP BY ALL
	Having     Expr
	Windows    []WindowDef
	Qualify    Expr
	Other      []Expr // PREWHERE, START WITH, CONNECT BY: conditions that influence rows
}

// SelectItem is one entry of a select list or of RETURNING.
type SelectItem struct {
	Span
	Expr  Expr // a [Star] for * and t.*
	Alias *Ident
}

// SetOp combines two bodies by position.
type SetOp struct {
	Span
	Op          string // UNION, INTERSECT, EXCEPT
	All         bool
	ByName      bool // DuckDB's UNION BY NAME
	Left, Right Body
}

// Values is VALUES (…), (…).
type Values struct {
	Span
	Rows [][]Expr
}

// OrderItem is one entry of ORDER BY.
type OrderItem struct {
	Span
	Expr Expr
	Desc bool
	All  bool // ORDER BY ALL
}

// WindowDef is a window's definition, named in a WINDOW clause or inline.
type WindowDef struct {
	Span
	Name      *Ident // in a WINDOW clause
	Base      *Ident // the window it builds on: OVER w, OVER (w …)
	Partition []Expr
	OrderBy   []OrderItem
	Frame     []Expr // the bounds' expressions
}

// TableExpr is an entry of FROM.
type TableExpr interface {
	Node
	isTable()
}

// Alias is the name that an entry of FROM gets, and those of its columns.
type Alias struct {
	Name    *Ident
	Columns []Ident
}

// TableRef names a table, a view or a CTE.
type TableRef struct {
	Span
	Name  Name
	Alias Alias
	Only  bool // ONLY t: without the tables that inherit from it
}

// Derived is a subquery in FROM.
type Derived struct {
	Span
	Query   Statement // a *Query; data-modifying statements where a dialect has them
	Lateral bool
	Alias   Alias
}

// TableFunc is a function in FROM: unnest, generate_series, JSON_TABLE, …
// ROWS FROM and the like have several Calls.
type TableFunc struct {
	Span
	Calls      []Expr // usually one *Func
	Lateral    bool   // it may see the entries before it even where this is false
	Ordinality bool
	Offset     *Ident // BigQuery's name of the ordinality: WITH OFFSET AS name
	// Defined lists output columns that the text itself defines, as in
	// f() AS t(a int, b text), JSON_TABLE … COLUMNS, or OPENJSON … WITH.
	Defined []Ident
	Alias   Alias
}

// JoinKind is the kind of a join.
type JoinKind string

// The kinds. Others of a dialect (ASOF, SEMI, ANTI, POSITIONAL, ARRAY) are given
// by their word.
const (
	InnerJoin JoinKind = "INNER"
	LeftJoin  JoinKind = "LEFT"
	RightJoin JoinKind = "RIGHT"
	FullJoin  JoinKind = "FULL"
	CrossJoin JoinKind = "CROSS"
)

// Join joins two entries.
type Join struct {
	Span
	Kind        JoinKind
	Natural     bool
	Left, Right TableExpr
	On          Expr
	Using       []Ident
	UsingAlias  *Ident // JOIN … USING (…) AS x
	Alias       Alias  // of a join in parentheses: (a JOIN b …) AS x
}

// Opaque is a part of FROM that the parser understands well enough to pass over,
// not to say which columns it has: PIVOT, MATCH_RECOGNIZE, a dialect's own forms.
type Opaque struct {
	Span
	Inputs []TableExpr // what it reads
	Exprs  []Expr      // over the columns of Inputs: PIVOT's and UNPIVOT's ON, USING, FOR, GROUP BY
	// Mentions: it reads no rows of its inputs: DESCRIBE t.
	Mentions bool
	Alias    Alias
}

// Expr is a scalar expression.
type Expr interface {
	Node
	isExpr()
}

// Column refers to a column: c, t.c, s.t.c; in some dialects the tail of Parts is
// a path into a nested value, which only resolution can tell.
type Column struct {
	Span
	Parts []Ident
}

// Star is * or t.*.
type Star struct {
	Span
	Qualifier []Ident
	Except    []Ident      // * EXCEPT/EXCLUDE (…)
	Replace   []SelectItem // * REPLACE (expr AS c)
	Rename    []SelectItem // * RENAME (a AS b): a *Column and its new name
	Filter    Expr         // COLUMNS('regex') and the like: which columns is not known
}

// LiteralKind says what a literal is.
type LiteralKind uint8

// The kinds of literals.
const (
	NullLiteral LiteralKind = iota
	BoolLiteral
	NumberLiteral
	StringLiteral
	OtherLiteral // bit strings, DATE '…', INTERVAL '…', DEFAULT, CURRENT_DATE
)

// Literal is a constant. Value is the text with quotes and escapes taken off.
type Literal struct {
	Span
	Kind  LiteralKind
	Value string
}

// Param is a placeholder: $1, ?, :name, @name, %s, {name:Type}.
type Param struct {
	Span
	Name string // "1", "name"; empty for ?
}

// Func is a call.
type Func struct {
	Span
	Name     Name
	Args     []Expr
	ArgNames []string // of named arguments, parallel to Args; nil without any
	Star     bool     // count(*)
	Distinct bool
	OrderBy  []OrderItem // inside the call, and WITHIN GROUP
	Filter   Expr
	Over     *WindowDef // nil: not a window function
	// Known to be so by the grammar; a name alone does not tell.
	Aggregate bool
}

// Op is everything that computes one value from others and is no call: operators,
// CASE, BETWEEN, IN (list), array and row constructors, subscripts, field access,
// AT TIME ZONE, grouping sets. Name is the operator or keyword in upper case;
// [] is a subscript, [:] a slice, . a field (an OtherLiteral with its name) and .*
// all fields of a value.
type Op struct {
	Span
	Name string
	Args []Expr // those present, in the order of the text
}

// Cast converts a value to a type.
type Cast struct {
	Span
	Arg  Expr
	Type TypeName
}

// SubqueryKind says what a subquery in an expression yields.
type SubqueryKind string

// The kinds of subqueries.
const (
	ScalarSubquery SubqueryKind = "SCALAR"
	ExistsSubquery SubqueryKind = "EXISTS"
	InSubquery     SubqueryKind = "IN"    // Left [NOT] IN (…), = ANY (…), < ALL (…)
	ArraySubquery  SubqueryKind = "ARRAY" // ARRAY(SELECT …)
)

// Subquery is a query inside an expression.
type Subquery struct {
	Span
	Kind  SubqueryKind
	Left  Expr // of InSubquery
	Query *Query
}

// Lambda is x -> f(x): its parameters hide columns of the same name inside.
type Lambda struct {
	Span
	Params []Ident
	Body   Expr
}

// Named is an expression with an alias inside an expression, where a dialect lets
// later ones refer to it: f(a AS x) of ClickHouse.
type Named struct {
	Span
	Arg   Expr
	Alias Ident
}

// Unchecked is a part that the parser passed over: nothing in it is resolved,
// and nothing about it is claimed.
type Unchecked struct{ Span }

// TypeName is the name of a data type with its modifiers.
type TypeName struct {
	Span
	Name  Name
	Args  []string // as written: 10, 2 of numeric(10,2)
	Array int      // dimensions
}

// Assignment is SET target = value. A row assignment has several targets.
type Assignment struct {
	Span
	Targets []Column
	Value   Expr // a *Subquery or row Op for several targets; nil for DEFAULT
}

// Insert is INSERT and REPLACE.
type Insert struct {
	Span
	With    *With
	Table   TableRef
	Columns []Ident
	ByName  bool         // DuckDB's BY NAME: the source's columns name their targets
	Source  *Query       // VALUES, SELECT; nil for DEFAULT VALUES and INSERT … SET
	Set     []Assignment // MySQL's INSERT … SET
	// RowColumns name the proposed row's columns in the order of Columns, where
	// MySQL's row alias has a list: VALUES (1, 2) AS new(m, n).
	RowColumns []Ident
	Conflict   *Conflict
	Returning  []SelectItem
}

// InsertAll is INSERT ALL and INSERT FIRST of Snowflake and Oracle: one query whose
// rows go to several tables.
type InsertAll struct {
	Span
	Branches []InsertBranch
	Source   *Query
}

// InsertBranch is one INTO of INSERT ALL.
type InsertBranch struct {
	Span
	When    Expr // of the first branch behind a WHEN
	Table   TableRef
	Columns []Ident
	Values  []Expr // over the columns of the source; empty: its columns in order
}

// Conflict is ON CONFLICT and ON DUPLICATE KEY UPDATE.
type Conflict struct {
	Span
	Target      []Expr // index expressions
	TargetWhere Expr
	Constraint  *Ident
	Set         []Assignment
	Where       Expr
	// Excluded is the name under which Set sees the proposed row: excluded, the
	// row alias of MySQL; empty where only VALUES(c) reaches it.
	Excluded string
	Next     *Conflict // SQLite lets several follow one another
}

// Update is UPDATE.
type Update struct {
	Span
	With      *With
	Tables    []TableExpr // the target, or MySQL's joined targets
	Set       []Assignment
	From      []TableExpr
	Where     Expr
	OrderBy   []OrderItem
	Limit     Expr
	Returning []SelectItem
}

// Delete is DELETE.
type Delete struct {
	Span
	With      *With
	Targets   []Name      // MySQL's multi-table form: names of entries of From; else empty
	From      []TableExpr // the target first
	Using     []TableExpr
	Where     Expr
	OrderBy   []OrderItem
	Limit     Expr
	Returning []SelectItem
}

// Merge is MERGE.
type Merge struct {
	Span
	With      *With
	Target    TableRef
	Source    TableExpr
	On        Expr
	Using     []Ident // DuckDB's USING (a, b) instead of ON
	Whens     []MergeWhen
	Returning []SelectItem
}

// MergeWhen is one WHEN clause. Insert and Set are both empty for DELETE and DO NOTHING.
type MergeWhen struct {
	Span
	Matched  bool
	BySource bool // WHEN NOT MATCHED BY SOURCE
	Cond     Expr
	Columns  []Ident // of INSERT
	Values   []Expr  // of INSERT
	Set      []Assignment
}

func (*Query) isStatement()     {}
func (*InsertAll) isStatement() {}
func (*Insert) isStatement()    {}
func (*Update) isStatement()    {}
func (*Delete) isStatement()    {}
func (*Merge) isStatement()     {}

func (*Select) isBody() {}
func (*SetOp) isBody()  {}
func (*Values) isBody() {}
func (*Query) isBody()  {}

func (*TableRef) isTable()  {}
func (*Derived) isTable()   {}
func (*TableFunc) isTable() {}
func (*Join) isTable()      {}
func (*Opaque) isTable()    {}

func (*Column) isExpr()    {}
func (*Star) isExpr()      {}
func (*Literal) isExpr()   {}
func (*Param) isExpr()     {}
func (*Func) isExpr()      {}
func (*Op) isExpr()        {}
func (*Cast) isExpr()      {}
func (*Subquery) isExpr()  {}
func (*Lambda) isExpr()    {}
func (*Named) isExpr()     {}
func (*Unchecked) isExpr() {}
