// Package semantic makes a semantic layer of a dbt project and plans questions
// about it.
//
// [Build] takes what package dbt read and gives a [Layer]: semantic models with
// entities, dimensions and measures, and metrics, each of which is resolved to a
// formula over atoms. An [Atom] is one aggregation over one model: a measure with
// its filters, and how it is shifted or accumulated in time. What cannot be
// resolved stays in the layer with the reason why it cannot run.
//
// [Layer.Plan] takes a [Request] (metrics, dimensions, a grain, a range of time,
// filters) and decides how it can be answered without counting a row twice:
// which branches are aggregated on which model, and over which joins a dimension
// reaches each of them. Package metricsql prints a [Plan] as SQL.
//
// Nothing here touches a database. A Layer never changes, so it may be used from
// many goroutines.
package semantic
