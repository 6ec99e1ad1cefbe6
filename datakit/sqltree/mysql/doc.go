// Package mysql parses the SQL of MySQL and MariaDB into the tree of package
// sqltree.
//
// Two parsers read each statement. TiDB's grammar, a full one of MySQL 8, decides
// whether it is accepted. Its tree cannot carry ours: it says where few of its
// nodes stand, drops parentheses, flattens set operations without their
// precedence and rewrites operators into calls. The tree is therefore that of
// package generic, which reads the same text with exact positions; that both saw
// the same relations is checked for every statement, and the tests compare the
// structure of expressions. A statement that the two disagree on is an error.
//
// What MySQL or MariaDB has and TiDB's grammar has not is listed at [Parse].
package mysql
