// Package csv reads CSV and TSV files into tables.
//
// A file is read in blocks by all workers. A first pass looks at quotes alone and
// learns for every block whether it begins inside a quoted cell (quotes.go); with
// that, a block's records can be cut into cells (tokenize.go) without knowing the
// blocks before it. Package column gives the cells their types. The result is the
// same for any size of blocks and any number of workers.
//
// The syntax is RFC 4180, read forgivingly: a quote inside a cell that did not
// begin with one is a character like others, text after a closing quote belongs to
// the cell, blank lines do not count, short records are filled up and the surplus
// of long ones is ignored.
package csv
