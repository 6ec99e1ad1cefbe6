// Package parse chooses the front end that parses a text of a dialect. It
// imports all of them, the C parser of PostgreSQL too: a program that needs one
// dialect alone imports that front end instead.
package parse
