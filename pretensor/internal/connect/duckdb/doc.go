// Package duckdb reads the structure of DuckDB files. [Open] opens a file for
// reading only, in an engine that can neither load extensions nor reach any other
// file, and [Connector.Introspect] reads its catalog with a fixed number of
// statements.
//
// Fields of a STRUCT are columns that name their parent; they follow it in the order
// of the type and have its ordinal. With more than one file the schemas' names begin
// with that of their file: catalog.schema.
package duckdb
