// Package demo is the bundled project orchard: a dbt project of an invented
// online grocer, and the artifacts that dbt would make of it.
//
// The project is kept as its author would keep it, in SQL and YAML under
// project/. [Open] reads it; [Project.Artifacts] writes manifest, catalog,
// semantic manifest and run results from it, the same bytes every time. The
// rows come from package raw, and package build makes a DuckDB file of both.
// Nothing here needs a database, so tests of other packages can use the artifacts
// without one.
package demo
