package plan

import "slices"

// Unify converts args to one type, as the values of a column of a constant
// relation must have: numbers to Int, else Huge, else Float, dates to the finest
// unit. Bare nulls take that type. what names the place for the refusal, a
// [*BindError]: values of different kinds.
func Unify(what string, args []Expr) ([]Expr, Type, error) {
	c := bindCall{name: what, args: slices.Clone(args)}
	t, err := c.unify(all(len(args)))
	return c.args, t, err
}
