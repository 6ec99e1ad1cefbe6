// Package repolint holds the repository's own rules, as functions over its
// files. Its tests run each rule over the repository, and over a small tree
// that breaks it: a rule that cannot fail proves nothing.
//
// The rules read source text and nothing else; they need no type information
// and build nothing. [Rules] is the list.
package repolint
