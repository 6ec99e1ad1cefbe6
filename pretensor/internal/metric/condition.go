package metric

import (
	"errors"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/datakit/sqltree/parse"
)

// condition is a boolean expression of the YAML.
type condition struct {
	text string
	expr sqltree.Expr // its spans are offsets in text
	// columns are the references to columns outside of subqueries.
	columns []*sqltree.Column
	from    int // what to take off a span
}

// probe is the statement in which a condition is parsed.
const probe = "SELECT 1 FROM t WHERE "

// parseCondition parses one boolean expression. It is parsed with and without
// parentheses around it: only what is one expression both times cannot reach out
// of the parentheses that it will stand in.
func parseCondition(d sqltree.Dialect, text string) (*condition, error) {
	if _, err := where(d, probe+text); err != nil {
		return nil, err
	}
	expr, err := where(d, probe+"("+text+")")
	if err != nil {
		return nil, err
	}
	c := &condition{text: text, expr: expr, from: len(probe) + 1}
	if err := c.walk(expr, false); err != nil {
		return nil, err
	}
	switch e := expr.(type) {
	case *sqltree.Literal:
		if e.Kind == sqltree.StringLiteral || e.Kind == sqltree.NumberLiteral {
			return nil, errors.New("it is a value, not a condition")
		}
	case *sqltree.Op:
		if slices.Contains([]string{"+", "-", "*", "/", "%", "||", "ROW"}, e.Name) {
			return nil, errors.New("it is a value, not a condition")
		}
	}
	return c, nil
}

// where is the condition of a probe that has nothing else.
func where(d sqltree.Dialect, text string) (sqltree.Expr, error) {
	script, err := parse.Parse(d, text)
	if err != nil {
		var syntax *sqltree.SyntaxError
		if errors.As(err, &syntax) {
			return nil, errors.New("it is not a boolean expression: " + syntax.Message)
		}
		return nil, err
	}
	if len(script.Statements) != 1 {
		return nil, errors.New("it is more than one expression: there is a semicolon")
	}
	q, ok := script.Statements[0].(*sqltree.Query)
	if !ok {
		return nil, errors.New("it is not a boolean expression")
	}
	s, ok := q.Body.(*sqltree.Select)
	if !ok || q.With != nil || q.OrderBy != nil || q.Limit != nil || q.Into != nil || q.Locks != nil || s.Where == nil || len(s.From) != 1 ||
		len(s.GroupBy) > 0 || s.GroupAll || s.Having != nil || len(s.Windows) > 0 || s.Qualify != nil || len(s.Other) > 0 {
		return nil, errors.New("it is more than one boolean expression: it goes on with another clause")
	}
	return s.Where, nil
}

// aggregates are the functions of many rows that a condition may not have.
var aggregates = []string{"count", "sum", "avg", "min", "max", "group_concat", "string_agg", "array_agg", "median", "stddev", "variance"}

// walk collects the columns and refuses what a condition may not have.
func (c *condition) walk(n sqltree.Node, inside bool) error {
	var err error
	sqltree.Walk(n, func(n sqltree.Node) bool {
		if err != nil {
			return false
		}
		switch x := n.(type) {
		case *sqltree.Subquery:
			if x.Left != nil {
				err = c.walk(x.Left, inside)
			}
			if err == nil && x.Query != nil {
				err = c.walk(x.Query, true)
			}
			return false
		case *sqltree.Column:
			if !inside {
				c.columns = append(c.columns, x)
			}
		case *sqltree.Lambda:
			return false // its names may be its own
		case *sqltree.Unchecked:
			if strings.HasPrefix(c.text[x.Start-c.from:], "{") {
				err = errors.New("it has a template tag, and nothing would fill it in")
			}
		case *sqltree.Param:
			err = errors.New("it has a placeholder, and nothing would give it a value")
		case *sqltree.Insert, *sqltree.Update, *sqltree.Delete, *sqltree.Merge, *sqltree.Truncate:
			err = errors.New("it changes data")
		case *sqltree.Query:
			if x.Into != nil {
				err = errors.New("it changes data")
			}
		case *sqltree.Func:
			name := strings.ToLower(x.Name.Last().Name)
			several := (name == "min" || name == "max") && len(x.Args) > 1
			if !inside && (x.Over != nil || x.Aggregate || slices.Contains(aggregates, name) && !several) {
				err = errors.New("it has the aggregate or window function " + name + ", which works on many rows")
			}
		}
		return err == nil
	})
	return err
}

// rewrite is the text with some of its columns written otherwise; to returns the
// new text of a column, or "" to leave it.
func (c *condition) rewrite(to func(*sqltree.Column) string) string {
	columns := slices.Clone(c.columns)
	slices.SortFunc(columns, func(a, b *sqltree.Column) int { return a.Start - b.Start })
	var b strings.Builder
	done := 0
	for _, col := range columns {
		text := to(col)
		if text == "" {
			continue
		}
		b.WriteString(c.text[done : col.Start-c.from])
		b.WriteString(text)
		done = col.End - c.from
	}
	b.WriteString(c.text[done:])
	return b.String()
}

// equalities calls found for each pair of columns that the condition says are
// equal, as parts of it that must all hold. It reports whether there is nothing
// else.
func equalities(e sqltree.Expr, found func(a, b *sqltree.Column)) bool {
	op, ok := e.(*sqltree.Op)
	if !ok {
		return false
	}
	switch op.Name {
	case "AND":
		all := true
		for _, a := range op.Args {
			all = equalities(a, found) && all
		}
		return all
	case "=":
		if len(op.Args) == 2 {
			a, ok1 := op.Args[0].(*sqltree.Column)
			b, ok2 := op.Args[1].(*sqltree.Column)
			if ok1 && ok2 {
				found(a, b)
				return true
			}
		}
	}
	return false
}
