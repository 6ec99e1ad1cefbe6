package sqltree

// Status says what became of a name.
type Status uint8

// What becomes of a name.
const (
	Bound     Status = iota
	Unknown          // nothing in scope has it, and everything in scope is known
	Ambiguous        // several relations of the innermost scope that has it have it
	Undecided        // a relation whose columns are not known may have it
)

// Resolution is what [Resolve] finds out about a statement. Slices are in the
// order of the text; nothing is nil where a list is promised empty.
type Resolution struct {
	Tables  []TableUse
	Columns []ColumnUse
	Joins   []JoinPair
	Output  []OutputColumn // of a query, or of RETURNING; of CREATE TABLE AS and CREATE VIEW their query's, of
	// CREATE FUNCTION that of its last statement
	// References are the base columns that decide which rows there are, how they
	// are grouped and ordered, without feeding a value: WHERE, ON, USING, GROUP BY,
	// HAVING, QUALIFY, ORDER BY, DISTINCT ON. Sorted, without duplicates.
	References []BaseColumn
	// Roles say in which ways each of References decides.
	Roles []Roles
	// Undecided says why the whole output is not known, if it is not.
	Undecided string
}

// Roles is a set of ways in which a column decides about rows.
type Roles uint8

// The ways: which rows there are (WHERE, HAVING, QUALIFY, the right side of EXCEPT),
// which of them go together (ON, USING, NATURAL), how they are grouped (GROUP BY,
// DISTINCT ON) and ordered.
const (
	Filters Roles = 1 << iota
	Joins
	Groups
	Orders
)

// TableUse is a relation that the statement reads or writes.
type TableUse struct {
	Span               // of the name
	Name     Name      // as written
	Relation *Relation // nil unless Bound
	Status   Status
	Written  bool // target of INSERT, UPDATE, DELETE, MERGE, DDL
	// Mentioned: it is only named, and no row of it is read or written: REFERENCES,
	// LIKE, COMMENT ON, DESCRIBE.
	Mentioned bool
	// Through names the view that reads it, when it does not stand in the text
	// itself; empty for what does.
	Through string
	// Candidates are near names of an unknown one, the nearest first, at most five.
	Candidates []string
}

// ColumnUse is a reference to a column.
type ColumnUse struct {
	Span   // of the whole reference
	Parts  []Ident
	Status Status
	// At is the part that is unknown: the qualifier or the column.
	At         Ident
	Sources    []BaseColumn // the base columns it stands for, if Bound
	Written    bool         // a target of SET or of INSERT's column list
	Candidates []string     // for Unknown: near names; for Ambiguous: the relations that have it
	// Relation is the alias or name of the relation it was found in, or, if its
	// qualifier names one, was looked for in. Table is that relation, where it is one
	// of the catalog.
	Relation string
	Table    *Relation
}

// BaseColumn is a column of a relation of the catalog.
type BaseColumn struct{ Schema, Table, Column string }

// JoinPair is an equality of two base columns that joins two relations, found in
// ON, USING, NATURAL or WHERE, traced through CTEs and derived tables where a
// column passes unchanged.
type JoinPair struct {
	Span
	Left, Right BaseColumn
	// LeftOf and RightOf are the aliases of the joined relations: two uses of one
	// table have the same BaseColumn and different aliases.
	LeftOf, RightOf string
	Kind            JoinKind
	// Correlated: one side is of a query around the one that compares them.
	Correlated bool
}

// Feed says how a base column reaches an output column, the strongest way first.
type Feed uint8

// The ways.
const (
	Direct     Feed = iota // unchanged
	Expression             // through operators and functions of one row
	Aggregated             // through an aggregate or window function
)

// Source is a base column that feeds an output column.
type Source struct {
	BaseColumn
	Feed Feed
}

// OutputColumn is one column of a statement's result.
type OutputColumn struct {
	Name    string // "" where the dialect gives none
	Span    Span   // of its expression; for a star's columns the star
	Sources []Source
	// Undecided says why the sources are not known; empty if they are. Constants
	// have no sources and are decided.
	Undecided string
}
