// Package backend is what the server needs of a database: rows of a statement as
// they come, what a statement would read, and the names and types of relations.
//
// The engines are in sub-packages. They answer alike: the same cells for the same
// values ([Cells]) and the same errors ([Error]), so that nothing above them has to
// know which one it talks to. Whether a statement may run at all is not decided
// here; an engine is opened so that it can only be read all the same.
package backend

import (
	"context"
	"time"
)

// Kind is an engine.
type Kind string

// The engines.
const (
	DuckDB     Kind = "duckdb"
	ClickHouse Kind = "clickhouse"
)

// Backend is a database. It is safe for concurrent use. Errors are of type [*Error].
type Backend interface {
	Kind() Kind
	// Version is that of the engine.
	Version(ctx context.Context) (string, error)
	Ping(ctx context.Context) error
	// Query starts a statement. Its rows must be closed; the end of ctx stops it.
	Query(ctx context.Context, s Statement, l Limits) (Rows, error)
	// Check has the engine plan a statement and runs nothing. What does more than
	// read is refused with code [Rejected].
	Check(ctx context.Context, s Statement) error
	// Estimate says what a statement would read.
	Estimate(ctx context.Context, s Statement) (Estimate, error)
	// Databases are the engine's databases (ClickHouse) or schemas (DuckDB), sorted,
	// without those of the engine itself.
	Databases(ctx context.Context) ([]string, error)
	// Tables are those of a database, sorted by name, without their columns.
	Tables(ctx context.Context, database string) ([]Table, error)
	// Describe is a table with its columns. One that is not there is an [*Error]
	// with code [NotFound] and near names.
	Describe(ctx context.Context, database, table string) (*Table, error)
	// Writable says why the connection could change data; empty when it cannot.
	Writable(ctx context.Context) (string, error)
	Close() error
}

// Statement is one statement of the engine's SQL.
type Statement struct {
	SQL string
	// Database is the one of names without a database: a schema of DuckDB. Empty is
	// the connection's.
	Database string
	Args     []Arg
	// ID is the identifier under which the engine knows the query, where it has any.
	ID string
	// Tag is a comment for the engine's log.
	Tag string
}

// Arg is the value of a parameter: nil, a bool, int64, float64 or string. An
// argument without a name is the one at its place: $1 of DuckDB, p1 of ClickHouse.
type Arg struct {
	Name  string
	Value any
}

// Limits bound one statement. Zero is no bound.
type Limits struct {
	// Rows are the rows that will be read at most, with the one that proves that
	// there are more. An engine may stop there; the reader has to.
	Rows  int
	Bytes int64 // of the result
	// Timeout is what an engine is told to give up after, beside the context.
	Timeout time.Duration
}

// Column is a column of a result.
type Column struct {
	Name string
	Type string // in the engine's words
}

// Rows are the rows of a running statement.
type Rows interface {
	Columns() []Column
	// Next is the next row; io.EOF after the last.
	Next() ([]any, error)
	// Warnings are the codes of what happened to cells and settings so far, sorted.
	Warnings() []string
	// Close stops the statement and frees its connection.
	Close() error
}

// Estimate is what a statement would read.
type Estimate struct {
	Rows  int64 `json:"rows"`
	Bytes int64 `json:"bytes,omitempty"` // 0: not known
	// Tables are those that are read, the largest first.
	Tables []string `json:"tables,omitempty"`
}

// Table is a table or view.
type Table struct {
	Database, Name string
	View           bool
	Engine         string // of ClickHouse
	// Rows and Bytes are estimates; -1: not known.
	Rows, Bytes int64
	// Partition are the columns that data are cut or sorted by, as far as the engine says.
	Partition []string
	Columns   []TableColumn
}

// TableColumn is a column of a table.
type TableColumn struct {
	Name, Type string
	Nullable   bool
	// Default is the expression of its default, or what kind of default it is.
	Default string
	Comment string
}
