// Package corpus holds statements of every dialect, as people write them, and
// measures on them what the parsers and the resolver are worth: how many
// statements parse, how many false errors they get, and how many wrong names are
// found. The database itself is the judge where it can be had: PostgreSQL,
// MariaDB, SQLite and DuckDB say of each statement whether its names are right.
//
// A folder testdata/<dialect>/<catalog> has schema.sql, which declares tables
// and views, and any number of other .sql files with statements over them. A
// statement ends with a semicolon at the end of a line that an empty line (or the
// end of the file) follows. Files of testdata/lineage hold what some of the
// statements read, write and show, checked by hand.
package corpus
