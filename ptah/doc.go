// Package ptah is the root of the declared-schema server: it will read schemas
// declared in Go, YAML and SQL, render them per dialect and trace views to base
// columns. The server is not part of this tree yet.
package ptah
