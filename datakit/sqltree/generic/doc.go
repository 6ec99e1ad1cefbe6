// Package generic parses SQL of many dialects into the tree of package sqltree
// with one tolerant recursive-descent parser: SQLite, DuckDB, Snowflake,
// BigQuery, ClickHouse and standard SQL, and text of the other dialects that
// their own front ends refuse (placeholders, templates, newer syntax).
//
// It is written for understanding text that some database accepts, not for
// judging it: what a dialect's grammar forbids and nothing could misread is let
// through, and a part whose syntax it does not know becomes a
// [sqltree.Unchecked] or [sqltree.Opaque] region with a [sqltree.Note] in the
// script instead of an error. What cannot be SQL of any dialect is an error with
// its place: brackets that do not match, strings and comments that never end,
// missing operands, clauses twice or out of order, words left over behind a
// statement.
//
// The text is cut into tokens once, brackets matched, and then read from left to
// right; the few places where one token does not decide look at the matching
// bracket, so time grows with the length of the text alone.
//
// Memory is bounded by [MaxTokens] for a statement, with which the peak of a process
// is 0.2 to 0.5 GB (lists of columns or tables, 2 to 4 MB of text), and by
// [MaxLength] for the text. A dump of 10 MB with INSERTs of 1 MB takes 220 MB.
package generic
