// Package sqltree turns SQL of any dialect into one query tree, binds every name
// in it to a catalog, and follows every output column back to the base columns
// that feed it.
//
// A front end (packages postgres, mysql and generic below) parses a
// text into a [Script] of [Statement]s with byte-exact positions. [Resolve] binds
// the names of a statement against a [Catalog] and says where the values of its
// output come from. None of this touches a database.
package sqltree
