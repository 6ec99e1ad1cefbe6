// Package dbt reads what dbt leaves in a project's target folder: the manifest
// (schema versions 4 to 12), the catalog, the semantic manifest and the run
// results. Files are decoded as streams, and only what the server answers from
// is kept: macros, for one, are most of a manifest and stay unread.
//
// Its types are close to dbt's own; package semantic makes a semantic layer of
// them. Nothing here touches a database, and nothing changes once it is read,
// so a [Project] may be used from many goroutines.
package dbt
