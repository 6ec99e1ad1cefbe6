// Package exec runs a logical plan ([plan.Node]) over tables in memory.
//
// A plan becomes pipelines. A pipeline reads a source (a table or rows computed
// before) in units of a chunk, batch by batch of at most [vector.Size] rows,
// through steps (filter, projection, probe of a join) into a sink (grouping,
// sorting, collecting). Units are handed out to the workers of a call one by one;
// a sink keeps what it learns per unit or per run of units and puts it together
// in the order of the units, so that an answer never depends on the number of
// workers or on their timing.
//
// Only columns that are used are read. Where rows can be found again by number
// (a table, an intermediate result), sorting and limiting carry keys and row
// numbers, and the other columns are fetched for the rows of the answer alone.
//
// Scratch that grows with the data is taken from the call's [mem.Budget] and
// given back when the call ends, however it ends. Nothing is spilled to disk.
//
// The entry points are [Run], [Materialize] and [Select]; they may be called
// concurrently. Expressions cannot fail at run time, so the errors of a call are
// a [MemoryError], a [LimitError], the cause of its context, and plans that this package was
// never given by package plan.
package exec
