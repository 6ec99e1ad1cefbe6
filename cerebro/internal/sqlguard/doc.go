// Package sqlguard decides whether a statement that a client wrote may run: one
// statement, of a kind that reads, over relations of allowed databases, with
// functions that compute and do nothing else.
//
// [New] takes the policy of a project and [Guard.Check] judges a text under it.
// Everything is allowed by name: kinds of statements, words of the grammar,
// functions, databases. Nothing is looked for as forbidden, so a column called
// update_time or a string with DROP in it is as good as any other.
//
// The text is read twice. The parser of package sqltree makes a tree of it, which
// tells relations, functions and conditions; it is a tolerant parser, made to
// understand what some database accepts, and may pass over what it does not know.
// Therefore the guard cuts the text into tokens itself, as the engine does, and
// asks that every name and string among them is a leaf of the tree, and every other
// word one of those that only join such leaves. What one of the two readings has
// and the other has not is refused.
//
// The guard touches no database. A backend still opens its engine read-only: this
// package is the wall that explains itself, not the only one.
package sqlguard
