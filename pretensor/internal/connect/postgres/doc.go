// Package postgres reads the structure of a PostgreSQL database, version 12 or
// later, from its system catalog.
//
// [Open] makes the only connection. It is read-only, and one introspection is one
// repeatable-read, read-only transaction of at most fifteen statements, so that
// what it finds was true at one moment. Everything comes from pg_catalog, never
// from information_schema: that hides what the user does not own, and mixes up
// constraints of one name on two tables. The statements run with pg_catalog as
// the only schema of the search path, so that no function or operator of the
// database can be called in place of a system one, and expressions print the same
// for every user.
//
// No user table is read unless statistics are to be sampled; then, after the
// catalog's transaction, each readable table is read by one bounded statement.
package postgres
