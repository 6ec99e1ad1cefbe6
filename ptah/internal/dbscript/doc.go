// Package dbscript writes the structure of a live database down as a script of SQL, in the
// database's own words, so that it can be read like any other declared schema. What a
// database describes itself (definitions of views, constraints, functions) is taken from
// it as it is; the rest is put together from its catalogs. Rows are never read.
package dbscript

import "strings"

// Script is the structure of a database.
type Script struct {
	Text string
	// Missing names what the database holds and the script does not, a line each.
	Missing []string
}

// writer collects statements.
type writer struct{ b strings.Builder }

// add appends a statement, its semicolon added where it has none.
func (w *writer) add(statement string) {
	w.b.WriteString(strings.TrimRight(statement, "; \n"))
	w.b.WriteString(";\n")
}
