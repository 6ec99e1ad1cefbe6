// Package datakit is the root of what several products know about data and
// nothing about the Model Context Protocol: SQL trees with scopes and lineage,
// search, and word vectors. Its packages are not part of this tree yet.
package datakit
