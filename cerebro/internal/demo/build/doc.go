// Package build makes the demo warehouse: a DuckDB file with the source tables of
// package raw and the models of package demo, with dbt's artifacts beside it.
package build
