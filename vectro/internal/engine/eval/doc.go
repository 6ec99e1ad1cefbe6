// Package eval computes scalar expressions ([plan.Expr]) over batches of rows.
//
// [Compile] turns an expression into a [Program]: a flat list of steps, each a loop
// over the slices of a whole vector, chosen once for the types at hand. A [State]
// runs the program for one worker and owns all scratch; arithmetic, comparison and
// logic allocate nothing per batch.
//
// What depends on one dictionary column alone (or on one column of days within
// known bounds) is computed once per label (per day) and looked up by code; text
// computed that way stays dictionary-coded, with a dictionary of its own. Constant
// parts are computed at compile time.
//
// Expressions have no effects and cannot fail: every row of a batch is computed,
// selected or not, and what has no value (0/0, a date in the year 10000, text over
// [MaxText]) is missing.
package eval
