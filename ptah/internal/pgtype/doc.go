// Package pgtype finds the types of expressions and queries of PostgreSQL as the server
// does when an object is made, and says where it would refuse them.
//
// How operators, functions, stored values and set operations find their types is as the
// PostgreSQL manual has it, chapter 10 (Type Conversion); what a query may group by,
// chapter 7.2. The facts that this works on, the types, casts, operators and functions
// of the server and of the extensions that come with it, were read from the catalog of a
// PostgreSQL 15 server; TestFacts reads them again and compares.
//
// A type that is not known is [Undecided], and nothing that touches it is reported. So
// is everything that a newer server, an extension or a declaration that is kept as text
// could make right.
package pgtype
