// Package catalog holds what the server knows of the project: dbt's artifacts, the
// semantic layer made of them, and the project's constants.
//
// A [Snapshot] is one consistent reading, which never changes. [Catalog] hands out
// the newest one and replaces it when the artifacts change: files when their time or
// size does, addresses when a poll brings something else. A reading that fails, as it
// does while dbt is writing, leaves the last good snapshot in place and is told as
// [Catalog.Stale].
package catalog
