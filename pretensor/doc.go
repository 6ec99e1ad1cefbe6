// Package pretensor is the root of the schema graph server, which indexes the
// structure of databases, never their rows, and answers how tables join, whether SQL
// is valid and what a change breaks. The program is cmd/pretensor, its commands are
// in internal/cli, its tools in internal/tools.
package pretensor
