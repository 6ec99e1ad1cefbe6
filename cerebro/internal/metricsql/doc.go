// Package metricsql prints a plan of package semantic as one SELECT, for DuckDB
// or ClickHouse, so that both give the same numbers.
//
// A branch is printed from the inside out: each relation becomes a subquery with
// just the expressions that are needed, under names of ours, so that what authors
// wrote is never mixed with other tables' columns; joined, filtered and grouped
// around that. Branches become common table expressions, which are combined on
// the dimensions with null-safe joins.
//
// Values of requests are always parameters. [Statement.Display] has them written
// into the text, for people.
package metricsql
