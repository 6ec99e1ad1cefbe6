// Package lineage follows the columns of declared views and routines back to the
// columns of tables that feed them.
//
// [Trace] never guesses: a column of a view has edges from all base columns whose values
// can reach it, or it is undecided with a reason, or it is a constant and is in neither
// list. Reading of SQL, scopes and stars is datakit's (package sqltree); this package
// makes its catalog of the declarations, finds the order in which views are resolved, so
// that each is resolved once however many stand on it, and says what came out in the
// names of the declarations.
package lineage

import (
	"cmp"
	"context"
	"slices"

	"github.com/quartet-mcp/quartet/ptah/internal/dialect"
	"github.com/quartet-mcp/quartet/ptah/internal/schema"
)

// Result is what [Trace] finds. The lists are sorted, have no duplicates and are never
// nil. Names are as declared, with their schema if that is not the dialect's default.
type Result struct {
	Edges      []Edge      `json:"edges" jsonschema:"which base columns feed which view columns"`
	Undecided  []Undecided `json:"undecided" jsonschema:"views and columns whose sources are not known"`
	Routines   Routines    `json:"routines" jsonschema:"what functions, procedures and triggers do"`
	References []Reference `json:"references" jsonschema:"columns that shape a view without feeding a value"`
}

// Edge says that values of a table's column can reach a view's.
type Edge struct {
	FromTable  string `json:"from_table" jsonschema:"the base table"`
	FromColumn string `json:"from_column" jsonschema:"its column"`
	ToView     string `json:"to_view" jsonschema:"the view"`
	ToColumn   string `json:"to_column" jsonschema:"the column that it feeds"`
}

// Undecided is a view, or one column of it, whose sources are not known. It has no edges.
type Undecided struct {
	View   string `json:"view" jsonschema:"the view"`
	Reason string `json:"reason" jsonschema:"why it is not decided"`
	Column string `json:"column,omitempty" jsonschema:"the column, where the others of the view are decided"`
}

// Role is the way in which a column decides about the rows of a view.
type Role string

// The roles: WHERE, HAVING, QUALIFY and the right side of EXCEPT filter; ON, USING and
// NATURAL join; GROUP BY and DISTINCT ON group; ORDER BY orders.
const (
	Filter Role = "filter"
	Join   Role = "join"
	Group  Role = "group"
	Order  Role = "order"
)

// Reference says that a table's column decides about the rows of a view, be it in the
// view's own text or in that of a view that it reads.
type Reference struct {
	Table  string `json:"table" jsonschema:"the base table"`
	Column string `json:"column" jsonschema:"its column"`
	View   string `json:"view" jsonschema:"the view"`
	Role   Role   `json:"role" jsonschema:"filter, join, group or order"`
}

// Routines is what functions, procedures and triggers do.
type Routines struct {
	Edges     []RoutineEdge      `json:"edges" jsonschema:"which base columns feed what a function returns"`
	Reads     []Access           `json:"reads" jsonschema:"columns that routines read"`
	Writes    []Access           `json:"writes" jsonschema:"columns that routines write"`
	Undecided []UndecidedRoutine `json:"undecided" jsonschema:"routines whose lists may lack something"`
}

// Kind is the kind of a routine.
type Kind string

// The kinds.
const (
	Function  Kind = "function"
	Procedure Kind = "procedure"
	Trigger   Kind = "trigger"
)

// RoutineEdge says that values of a table's column can reach what a routine in SQL
// returns.
type RoutineEdge struct {
	FromTable  string `json:"from_table" jsonschema:"the base table"`
	FromColumn string `json:"from_column" jsonschema:"its column"`
	ToRoutine  string `json:"to_routine" jsonschema:"the routine"`
	Kind       Kind   `json:"kind" jsonschema:"function, procedure or trigger"`
}

// Access is a column that a statement of a routine reads or writes. Column is empty
// where a statement is about whole rows.
type Access struct {
	Table     string    `json:"table" jsonschema:"the table"`
	Column    string    `json:"column" jsonschema:"the column; empty where the statement is about whole rows"`
	ByRoutine string    `json:"by_routine" jsonschema:"the routine"`
	Kind      Kind      `json:"kind" jsonschema:"function, procedure or trigger"`
	Statement Statement `json:"statement" jsonschema:"select, insert, update, delete, merge or truncate"`
}

// Statement is the kind of a statement.
type Statement string

// The kinds.
const (
	Select   Statement = "select"
	Insert   Statement = "insert"
	Update   Statement = "update"
	Delete   Statement = "delete"
	Merge    Statement = "merge"
	Truncate Statement = "truncate"
)

// UndecidedRoutine is a routine whose lists may lack something.
type UndecidedRoutine struct {
	Routine string `json:"routine" jsonschema:"the routine"`
	Reason  string `json:"reason" jsonschema:"what the lists may lack"`
	Kind    Kind   `json:"kind" jsonschema:"function, procedure or trigger"`
}

// What one call may cost.
const (
	maxViews = 20_000
	maxBody  = 5 << 20 // bytes of one view or routine
	// maxEdges bounds the answer: a few views of a megabyte can have more edges than
	// memory holds. Beyond it views and routines are undecided.
	maxEdges = 500_000
)

// Trace follows the views and routines of a schema that was read for the dialect. The
// schema is only read. Where the context ends, the result is not complete: look at the
// context's error before using it.
func Trace(ctx context.Context, db *schema.Database, d dialect.Dialect) *Result {
	t := newTracer(db, d)
	t.views(ctx, db.Views)
	t.routines(ctx, db)
	return t.result()
}

// result sorts what was found.
func (t *tracer) result() *Result {
	r := &t.found
	r.Edges = sorted(r.Edges, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(a.ToView, b.ToView), cmp.Compare(a.ToColumn, b.ToColumn),
			cmp.Compare(a.FromTable, b.FromTable), cmp.Compare(a.FromColumn, b.FromColumn))
	})
	r.Undecided = sorted(r.Undecided, func(a, b Undecided) int {
		return cmp.Or(cmp.Compare(a.View, b.View), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Reason, b.Reason))
	})
	r.References = sorted(r.References, func(a, b Reference) int {
		return cmp.Or(cmp.Compare(a.View, b.View), cmp.Compare(a.Table, b.Table), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Role, b.Role))
	})
	in := &r.Routines
	in.Edges = sorted(in.Edges, func(a, b RoutineEdge) int {
		return cmp.Or(cmp.Compare(a.ToRoutine, b.ToRoutine), cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.FromTable, b.FromTable), cmp.Compare(a.FromColumn, b.FromColumn))
	})
	for _, list := range []*[]Access{&in.Reads, &in.Writes} {
		*list = sorted(*list, func(a, b Access) int {
			return cmp.Or(cmp.Compare(a.ByRoutine, b.ByRoutine), cmp.Compare(a.Kind, b.Kind),
				cmp.Compare(a.Table, b.Table), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Statement, b.Statement))
		})
	}
	in.Undecided = sorted(in.Undecided, func(a, b UndecidedRoutine) int {
		return cmp.Or(cmp.Compare(a.Routine, b.Routine), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Reason, b.Reason))
	})
	return r
}

// sorted sorts a list and takes duplicates out; it is never nil.
func sorted[T comparable](list []T, compare func(a, b T) int) []T {
	if list == nil {
		return []T{}
	}
	slices.SortFunc(list, compare)
	return slices.Compact(list)
}
