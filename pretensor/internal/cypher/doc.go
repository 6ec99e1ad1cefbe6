// Package cypher decides whether a query that somebody else wrote may run on a
// graph: it must only read, and read nothing but the graph. [Check] is the guard;
// [Scan] is the tokenizer that it is built on, and [Parameters] lists the
// parameters of a query.
//
// The guard works on tokens, not on the text, so that a word inside a string, a
// comment, a property or a quoted name is not mistaken for a command, and a command
// is not hidden by them. It is an allow list three times over: of the word that a
// query begins with, of the functions that it calls, and of the procedures after
// CALL. It does not parse: what it lets pass may still be no query, which the engine
// says. It is one of several layers; the engine opens the graph read-only besides.
package cypher
