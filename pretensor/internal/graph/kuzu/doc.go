// Package kuzu stores and reads the graph of a database's structure with the
// engine of that name. It is the only package that imports the engine, which is a
// C++ library: what could end the process is handled here and nowhere else.
//
// A graph is one file. [Build] makes it, or makes a new version of it, beside the
// old one and puts it in its place when it is whole. A reader that has the old file
// open goes on reading it. Writers exclude each other by a lock file. [Open] opens a
// graph for reading; a [Reader] may be used by any number of goroutines, each query
// on a connection of its own.
//
// Everything of the engine is closed before a function returns, results before
// their connection and connections before their database, because a finalizer that
// comes later is a crash. No object of the engine leaves the package.
//
// Known limits of the binding: dates, times and intervals inside lists, maps and
// nodes are exact only between the years 1678 and 2262 (those that are a column of
// the result are always exact), and a binary value with a zero byte can be read
// only as a column of its own; elsewhere it is an error.
package kuzu
