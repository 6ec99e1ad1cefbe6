// Package postgres parses PostgreSQL's SQL into the tree of package sqltree.
//
// PostgreSQL's own grammar (libpg_query, PostgreSQL 17) decides what is accepted
// and what it means; this is the only package that imports it. Its tree says
// where most nodes begin, and nothing about where they end or how names were
// spelled. The conversion therefore walks the grammar's tree and the tokens of
// the text side by side: the tree says what comes next, the tokens say where it
// stands. All positions are byte offsets into the text as given, and the span of
// an identifier holds its spelling with its quotes.
//
// The grammar's tree is many times larger than ours, and than the text. A statement
// may have [MaxTokens] tokens: at that limit the peak of a process that parses one
// is 0.4 to 0.9 GB (370 MB for rows of VALUES, 740 MB for a list of columns, 910 MB
// for one of typed strings). A dump of 10 MB with INSERTs of 1 MB takes 420 MB.
//
// Besides plain SQL a text may be a script for psql, as pg_dump writes it; see
// [Parse].
package postgres
