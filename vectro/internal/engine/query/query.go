// Package query turns a question about one table, as the query tool asks it, into
// a plan: which rows, which aggregates per which groups, in which order.
package query

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/caret"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/expr"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/ident"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// Question is what the query tool was asked.
type Question struct {
	Filter     string  // a condition; empty: every row
	Aggregates []Named // in the order of the result
	GroupBy    []string
	Sort       []string
	Limit      int // rows wanted. The plan has no limit: who runs it counts all rows and builds these.
}

// Named is an expression under the name that the result gives it.
type Named struct{ Name, Text string }

// Shape is which of the three kinds of answer a question has.
type Shape uint8

// The shapes of an answer.
const (
	Rows   Shape = iota // matching rows, with every column of the table
	Totals              // one row of aggregates
	Groups              // one row a group
)

// Shape returns the shape of the answer.
func (q *Question) Shape() Shape {
	switch {
	case len(q.GroupBy) > 0:
		return Groups
	case len(q.Aggregates) > 0:
		return Totals
	}
	return Rows
}

// Error is a mistake in a question that is none of its expressions'.
type Error struct{ Message string }

func (e *Error) Error() string { return caret.Line(e.Message) }

func refuse(format string, a ...any) error { return &Error{fmt.Sprintf(format, a...)} }

// Plan returns the plan of the question over t, whose rows are the whole answer:
// without Sort in table order, groups by key. A mistake is an [*Error] or an
// [*expr.Error].
func Plan(t *col.Table, q Question, env plan.Env) (plan.Node, error) {
	p := &planner{q: q, env: env, rows: int64(t.Rows)}
	scan := plan.NewScan(t, "")
	p.schema, p.node = scan.Out, scan
	cond, err := expr.CompileFilter(q.Filter, p.schema, env)
	if err != nil {
		return nil, err
	}
	if cond != nil {
		p.node = &plan.Filter{In: p.node, Cond: cond}
	}
	if q.Shape() == Rows {
		err = p.sortRows()
	} else {
		err = p.groups()
	}
	if err != nil {
		return nil, err
	}
	return p.node, nil
}

type planner struct {
	q      Question
	env    plan.Env
	rows   int64
	schema plan.Schema // of the table
	node   plan.Node   // the plan so far
}

// sortRows orders matching rows.
func (p *planner) sortRows() error {
	var keys []plan.SortKey
	for _, entry := range p.q.Sort {
		text, desc, err := sortEntry(entry)
		if err != nil {
			return err
		}
		b, err := bindText(text, &expr.Scope{Schema: p.schema, Env: p.env, Arg: "sort"})
		if err != nil {
			return err
		}
		keys = append(keys, plan.SortKey{Expr: b.Expr, Desc: desc})
	}
	p.sort(keys)
	return nil
}

func (p *planner) sort(keys []plan.SortKey) {
	if len(keys) > 0 {
		p.node = &plan.Sort{In: p.node, Keys: keys}
	}
}

// sortEntry takes the leading minus off an entry.
func sortEntry(entry string) (text string, desc bool, err error) {
	text, desc = strings.CutPrefix(strings.TrimSpace(entry), "-")
	if text = strings.TrimSpace(text); text == "" {
		return "", false, refuse("sort has an empty entry; name a column, an aggregate or an expression")
	}
	return text, desc, nil
}

// bindText binds text as the name of a column or a named expression, else as an
// expression.
func bindText(text string, s *expr.Scope) (*expr.Bound, error) {
	t := expr.NameTree(text)
	if !s.Knows(text) {
		var err error
		if t, err = expr.Parse(text); err != nil {
			if list := namesOf(text, s); list != "" {
				return nil, refuse("%s has several entries in one; give a list: [%s]", s.Arg, list)
			}
			return nil, err
		}
	}
	return t.Bind(s)
}

// namesOf returns the entries of text as the strings of a JSON list if it is
// several names with commas between them, else "".
func namesOf(text string, s *expr.Scope) string {
	parts := strings.Split(text, ",")
	if len(parts) == 1 {
		return ""
	}
	for i, part := range parts {
		part = strings.TrimSpace(part)
		if !s.Knows(strings.TrimSpace(strings.TrimPrefix(part, "-"))) {
			return ""
		}
		parts[i] = `"` + caret.Clean(part) + `"`
	}
	return strings.Join(parts, ", ")
}

// MaxAggregates bounds the aggregates of one question: names are compared with one
// another, and no row with more is of use.
const MaxAggregates = 1_000

// groups plans totals and groups: the table's rows, aggregated, ordered, and
// given the columns of the result.
func (p *planner) groups() error {
	q := &p.q
	if len(q.Aggregates) == 0 {
		return refuse(`group_by needs aggregates, e.g. {"n": "count()"}.`)
	}
	if len(q.Aggregates) > MaxAggregates {
		return refuse("aggregates has %d entries; the most is %d", len(q.Aggregates), MaxAggregates)
	}
	g := &plan.Grouping{In: p.schema, Rows: p.rows}
	names, err := p.keys(g)
	if err != nil {
		return err
	}
	outputs, err := p.aggregates(g, names)
	if err != nil {
		return err
	}
	var keys []plan.SortKey
	for _, entry := range q.Sort {
		text, desc, err := sortEntry(entry)
		if err != nil {
			return err
		}
		e, err := p.overGroups(text, &expr.Scope{
			Schema: p.schema, Env: p.env, Arg: "sort", Group: g, ZeroSum: true, Named: outputs,
		})
		if err != nil {
			return err
		}
		keys = append(keys, plan.SortKey{Expr: e, Desc: desc})
	}
	var exprs []plan.Expr
	var out plan.Schema
	for _, o := range outputs {
		e, _ := g.Rewrite(o.Expr) // checked when it was bound
		exprs = append(exprs, e)
		out = append(out, plan.NewField(o.Name, e))
	}
	p.node = g.Node(p.node)
	p.sort(keys)
	p.node = &plan.Project{In: p.node, Exprs: exprs, Out: out}
	return nil
}

// keys binds group_by and returns the names of the keys in the result: the
// column's own, for an expression its text as given.
func (p *planner) keys(g *plan.Grouping) (names []expr.Named, err error) {
	for _, text := range p.q.GroupBy {
		text = strings.TrimSpace(text)
		if text == "" {
			return nil, refuse("group_by has an empty entry; name a column or an expression")
		}
		b, err := bindText(text, &expr.Scope{Schema: p.schema, Env: p.env, Arg: "group_by"})
		if err != nil {
			return nil, err
		}
		name := text
		if c, ok := b.Expr.(*plan.Column); ok {
			name = c.Field.Name
		}
		for i, n := range names {
			if n.Name == name || plan.Equal(g.Keys[i], b.Expr) {
				return nil, refuse("group_by names %s twice", caret.Quote(text))
			}
		}
		g.Keys = append(g.Keys, b.Expr)
		names = append(names, expr.Named{Name: name, Expr: b.Expr})
	}
	return names, nil
}

// aggregates binds the aggregates and returns the columns of the result, keys
// first.
func (p *planner) aggregates(g *plan.Grouping, outputs []expr.Named) ([]expr.Named, error) {
	keys := len(outputs)
	for _, a := range p.q.Aggregates {
		switch i := slices.IndexFunc(outputs, func(o expr.Named) bool { return o.Name == a.Name }); {
		case a.Name == "":
			return nil, refuse("aggregates has an empty name; name what %s is", caret.Quote(a.Text))
		case strings.TrimSpace(a.Text) == "":
			return nil, refuse("the aggregate %s is empty; write e.g. sum(x), mean(x) or count()", caret.Quote(a.Name))
		case i >= keys:
			return nil, refuse("aggregates names %s twice", caret.Quote(a.Name))
		case i >= 0:
			return nil, refuse("the aggregate %s has the name of a group_by key; give it another", caret.Quote(a.Name))
		}
		t, err := expr.Parse(a.Text)
		if err != nil {
			return nil, err
		}
		b, err := t.Bind(&expr.Scope{Schema: p.schema, Env: p.env, Arg: "aggregates", Group: g, ZeroSum: true})
		if err != nil {
			return nil, err
		}
		if b.Aggregates == 0 {
			return nil, refuse("the aggregate %s is %s, which aggregates nothing; write e.g. sum(x), mean(x) or count()",
				caret.Quote(a.Name), caret.Quote(a.Text))
		}
		if err := p.grouped(g, b); err != nil {
			return nil, err
		}
		outputs = append(outputs, expr.Named{Name: a.Name, Expr: b.Expr})
	}
	return outputs, nil
}

// overGroups binds a sort entry over keys and aggregates.
func (p *planner) overGroups(text string, s *expr.Scope) (plan.Expr, error) {
	b, err := bindText(text, s)
	if err != nil {
		return nil, err
	}
	if err := p.grouped(s.Group, b); err != nil {
		return nil, err
	}
	e, _ := s.Group.Rewrite(b.Expr)
	return e, nil
}

// grouped refuses an expression over groups that uses a column of single rows.
func (p *planner) grouped(g *plan.Grouping, b *expr.Bound) error {
	_, c := g.Rewrite(b.Expr)
	if c == nil {
		return nil
	}
	name := ident.Quote(c.Field.Name)
	return b.Refuse(c, fmt.Sprintf("%s has many values in a group; aggregate it, e.g. min(%s), or name it in group_by", caret.Quote(c.Field.Name), name))
}
