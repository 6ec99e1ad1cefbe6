// Package mysql parses the SQL of MySQL and MariaDB into the tree of package
// sqltree.
//
// Two parsers read each statement, each of them once. TiDB's grammar, a full one of
// MySQL 8, decides whether it is accepted. Its tree cannot carry ours: it says where
// few of its nodes stand, drops parentheses, flattens set operations without their
// precedence and rewrites operators into calls. The tree is therefore that of
// package generic, which reads the same text with exact positions; that both saw
// the same relations and columns is checked for every query and change of rows, and
// the tests compare the structure of expressions. A statement that TiDB's grammar
// refuses or that the two disagree on is an error of [Parse] and [ParseMariaDB], and
// one with a note in the script of [ParseLenient], which package parse calls.
//
// What MySQL or MariaDB has and TiDB's grammar has not is listed at [Parse].
//
// A statement may have [generic.MaxTokens] tokens. At that limit the two trees take
// 0.4 to 1 GB, measured as the peak of a process that parses one statement: 980 MB
// for a list of table names (2 MB of text), 830 MB for one of columns, 480 MB for
// assignments. A dump of 10 MB with INSERTs of 1 MB takes 280 MB.
package mysql
