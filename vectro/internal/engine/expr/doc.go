// Package expr is vectro's expression language: a small language of arithmetic,
// comparison, functions and aggregates over the columns of one table, without
// effects.
//
// [Parse] turns a text into a [Tree]; [Tree.Bind] turns the tree into a typed
// [plan.Expr] over a schema. [Compile] and [CompileFilter] do both for the common
// cases. Every refusal is an [*Error], which says what is wrong and where, and
// shows the place.
//
// Names of columns match exactly, else as the only one that differs in case
// alone. Keywords and functions match in any case. What functions and operators
// exist and which types they take is decided by [plan.Bind].
package expr
