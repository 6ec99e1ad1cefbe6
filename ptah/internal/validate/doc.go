// Package validate finds what is wrong with a declared schema: every rule of the list
// in docs/reference/validation-rules.md that it breaks, without a database.
//
// The rules here are about meaning: names that are not declared or clash, keys that are
// none, types that do not fit, texts that do not parse. That a dialect cannot hold a
// feature at all is for the renderer to say; a schema is valid if neither finds a
// problem.
//
// Rules follow what the database does when the schema is made: each is tested against
// PostgreSQL, MariaDB and SQLite in both directions. Where only the database can know
// (what a function returns, what an extension brings) nothing is claimed. Some declare
// a mistake what a database lets pass, because the author cannot have meant it; those
// are for annotations and YAML, or say so.
package validate
