// Package analyze finds out which places of a source repository read or write
// which tables of a connection. It runs no code: files are cut into tokens,
// string literals that hold SQL are parsed, and calls of query builders and
// object mappers are recognised by their shape.
//
// [Run] walks a folder and returns a [Report]: [Consumer]s (places in the code) and
// [Edge]s (what they do to a table). No text of a query leaves the package; a
// consumer has a fingerprint of it.
//
// A language is one file that declares a language value: its extensions, its lexer
// and its rules. Everything else (concatenation, holes, what a literal is used
// for, opt-out comments, names and confidences) is shared. See languages.
package analyze
