// Package pretensor is the root of the schema graph server: it will index the
// structure of databases, never their rows, and answer how tables join, whether
// SQL is valid and what a change breaks. The server is not part of this tree yet.
package pretensor
