package sqlfront

import (
	"fmt"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/caret"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// query plans a SELECT or VALUES.
func (p *planner) query(s *pg.SelectStmt, ctes *cte) (plan.Node, error) {
	if err := only(s, "distinct_clause", "target_list", "from_clause", "where_clause", "group_clause", "having_clause",
		"values_lists", "sort_clause", "limit_offset", "limit_count", "limit_option", "with_clause", "op", "all", "larg", "rarg"); err != nil {
		return nil, err
	}
	switch s.Op {
	case pg.SetOperation_SETOP_NONE:
	case pg.SetOperation_SETOP_UNION:
		return nil, unsupported("UNION", "Run one query per part.")
	case pg.SetOperation_SETOP_INTERSECT:
		return nil, unsupported("INTERSECT", "Join the tables on the columns that must agree.")
	case pg.SetOperation_SETOP_EXCEPT:
		return nil, unsupported("EXCEPT", "Use LEFT JOIN and keep the rows WHERE the right side IS NULL.")
	default:
		return nil, unsupported("A set operation", "")
	}
	inner, err := p.with(s.WithClause, ctes)
	if err != nil {
		return nil, err
	}
	var n plan.Node
	if len(s.ValuesLists) > 0 {
		n, err = p.values(s)
	} else {
		n, err = p.selectFrom(s, inner)
	}
	if err == nil {
		err = p.checkUnread(inner, ctes)
	}
	if err != nil {
		return nil, err
	}
	return p.limit(n, s)
}

// output is one column of the result.
type output struct {
	name  string    // in the result
	given string    // as SELECT has it, which another column may share
	expr  plan.Expr // over the input and, for aggregates, the grouping's columns
}

// selection is the state of planning one SELECT.
type selection struct {
	*planner
	stmt    *pg.SelectStmt
	scope   *scope
	group   *plan.Grouping
	where   map[*plan.Column]int32 // where columns stand in the text
	outputs []output
}

func (p *planner) selectFrom(s *pg.SelectStmt, ctes *cte) (plan.Node, error) {
	src, err := p.from(s.FromClause, ctes)
	if err != nil {
		return nil, err
	}
	if s.WhereClause != nil {
		b := &binder{p: p, scope: &src.scope, clause: "WHERE", names: givenNames(s)}
		cond, err := b.condition(s.WhereClause)
		if err != nil {
			return nil, err
		}
		src.conds = conjuncts(cond, src.conds)
	}
	node := src.node()
	q := &selection{
		planner: p, stmt: s, scope: &src.scope, where: map[*plan.Column]int32{},
		group: &plan.Grouping{In: src.schema, Rows: mostRows(node)},
	}
	return q.plan(node)
}

// givenNames returns the names of the select list that are written with AS.
func givenNames(s *pg.SelectStmt) []string {
	var names []string
	for _, n := range s.TargetList {
		if name := n.GetResTarget().GetName(); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// binder returns a binder for a clause in which aggregates may stand.
func (q *selection) binder(clause string) *binder {
	return &binder{p: q.planner, scope: q.scope, group: q.group, where: q.where, clause: clause}
}

// plan plans what follows FROM and WHERE. Everything is bound over the input
// first; whether the query groups is known only then.
func (q *selection) plan(node plan.Node) (plan.Node, error) {
	s := q.stmt
	if err := q.targets(); err != nil {
		return nil, err
	}
	if err := q.keys(); err != nil {
		return nil, err
	}
	var having plan.Expr
	if s.HavingClause != nil {
		var err error
		b := q.binder("HAVING")
		b.names = givenNames(s)
		if having, err = b.condition(s.HavingClause); err != nil {
			return nil, err
		}
	}
	sort, err := q.order()
	if err != nil {
		return nil, err
	}
	if len(q.group.Aggs) > 0 || len(s.GroupClause) > 0 || having != nil {
		if having, err = q.regroup(having, sort); err != nil {
			return nil, err
		}
		node = q.group.Node(node)
	}
	if having != nil {
		node = &plan.Filter{In: node, Cond: having}
	}
	return q.project(node, sort)
}

// regroup rewrites all that was bound over single rows into terms of groups.
func (q *selection) regroup(having plan.Expr, sort []plan.SortKey) (plan.Expr, error) {
	for i := range q.outputs {
		e, err := q.grouped(q.outputs[i].expr)
		if err != nil {
			return nil, err
		}
		q.outputs[i].expr = e
	}
	for i := range sort {
		e, err := q.grouped(sort[i].Expr)
		if err != nil {
			return nil, err
		}
		sort[i].Expr = e
	}
	if having == nil {
		return nil, nil
	}
	return q.grouped(having)
}

func (q *selection) grouped(e plan.Expr) (plan.Expr, error) {
	r, c := q.group.Rewrite(e)
	if c == nil {
		return r, nil
	}
	at, ok := q.where[c]
	if !ok {
		at = -1
	}
	return nil, q.fail(at, "column %q must stand in GROUP BY or inside an aggregate such as min(%s)", caret.Clean(c.Field.Name), quoteName(c.Field.Name))
}

// targets binds the select list.
func (q *selection) targets() error {
	var names []string
	for _, n := range q.stmt.TargetList {
		t := n.GetResTarget()
		if err := only(t, "name", "val"); err != nil {
			return err
		}
		if columns, err := q.stars(t); err != nil {
			return err
		} else if columns != nil {
			for _, c := range columns {
				names = append(names, c.Field.Name)
				q.outputs = append(q.outputs, output{given: c.Field.Name, expr: c})
			}
			continue
		}
		e, err := q.binder("SELECT").bind(t.Val)
		if err != nil {
			return err
		}
		name := q.outputName(t, e)
		if e.Type().Base == plan.Null {
			e = &plan.Literal{T: plan.Type{Base: plan.String}} // PostgreSQL: what nothing decides is text
		}
		names = append(names, name)
		q.outputs = append(q.outputs, output{given: name, expr: e})
	}
	if len(names) == 0 {
		return refuse("SELECT without columns returns nothing; name some, or write *.")
	}
	for i, name := range distinctNames(names) {
		q.outputs[i].name = name
	}
	return nil
}

// stars returns the columns that * or t.* stands for; nil if it is neither.
func (q *selection) stars(t *pg.ResTarget) ([]*plan.Column, error) {
	ref := t.Val.GetColumnRef()
	if ref == nil || ref.Fields[len(ref.Fields)-1].GetAStar() == nil {
		return nil, nil
	}
	if t.Name != "" {
		return nil, q.fail(ref.Location, "* cannot be named with AS")
	}
	if len(q.scope.aliases) == 0 {
		return nil, q.fail(ref.Location, "SELECT * needs a FROM clause")
	}
	at := q.scope.star
	if len(ref.Fields) > 1 {
		alias, err := q.alias(q.scope, q.idents(ref.Location, stringsOf(ref.Fields[:len(ref.Fields)-1])), ref.Location)
		if err != nil {
			return nil, err
		}
		at = nil
		for i, f := range q.scope.schema {
			if f.Table == alias {
				at = append(at, i)
			}
		}
	}
	columns := []*plan.Column{}
	for _, i := range at {
		c := &plan.Column{Index: i, Field: q.scope.schema[i]}
		q.where[c] = ref.Location
		columns = append(columns, c)
	}
	return columns, nil
}

// outputName names a column of the result as PostgreSQL does; a column by itself
// keeps the name it has in its table.
func (q *selection) outputName(t *pg.ResTarget, e plan.Expr) string {
	if t.Name != "" {
		return t.Name
	}
	if c, ok := e.(*plan.Column); ok && t.Val.GetColumnRef() != nil {
		return c.Field.Name
	}
	if name, _ := figureName(t.Val); name != "" {
		return name
	}
	return "?column?"
}

// figureName follows PostgreSQL's rule for columns without AS. A weak name gives
// way to that of a cast or CASE around it.
func figureName(n *pg.Node) (name string, strong bool) {
	last := func(names []*pg.Node) string { return names[len(names)-1].GetString_().GetSval() }
	switch x := n.GetNode().(type) {
	case *pg.Node_ColumnRef:
		return last(x.ColumnRef.Fields), true
	case *pg.Node_FuncCall:
		return last(x.FuncCall.Funcname), true
	case *pg.Node_AExpr:
		if x.AExpr.Kind == pg.A_Expr_Kind_AEXPR_NULLIF {
			return "nullif", true
		}
	case *pg.Node_TypeCast:
		if name, strong = figureName(x.TypeCast.Arg); strong {
			return name, true
		}
		return last(x.TypeCast.TypeName.Names), false
	case *pg.Node_CaseExpr:
		if name, strong = figureName(x.CaseExpr.Defresult); strong {
			return name, true
		}
		return "case", false
	case *pg.Node_CoalesceExpr:
		return "coalesce", true
	case *pg.Node_MinMaxExpr:
		if x.MinMaxExpr.Op == pg.MinMaxOp_IS_LEAST {
			return "least", true
		}
		return "greatest", true
	case *pg.Node_SqlvalueFunction:
		return strings.ToLower(strings.TrimPrefix(x.SqlvalueFunction.Op.String(), "SVFOP_")), true
	}
	return "", false
}

// keys binds GROUP BY: expressions over the input, positions in the select list,
// and names, of which those of the input come first.
func (q *selection) keys() error {
	b := q.binder("GROUP BY")
	b.group = nil
	for _, n := range q.stmt.GroupClause {
		if n.GetGroupingSet() != nil {
			return refuseNode(n)
		}
		constant := n.GetAConst() != nil
		var key plan.Expr
		var err error
		if !constant {
			key, err = b.bind(n)
		}
		if constant || err != nil {
			o, namedErr := q.named(n, "GROUP BY")
			switch {
			case namedErr != nil:
				return namedErr
			case o == nil:
				return err
			}
			key = o.expr
			if used := columns(key); len(used) > 0 && used[len(used)-1] >= len(q.group.In) {
				return q.fail(location(n), "GROUP BY names %q, which is an aggregate; group by what the rows have", caret.Clean(o.name))
			}
		}
		if err := q.usable(key, n); err != nil {
			return err
		}
		q.group.Keys = append(q.group.Keys, key)
	}
	return nil
}

// named returns the output that an entry of GROUP BY or ORDER BY means by its
// position or name; nil if it is an expression.
func (q *selection) named(n *pg.Node, clause string) (*output, error) {
	if c := n.GetAConst(); c != nil {
		pos, ok := c.GetVal().(*pg.A_Const_Ival)
		if !ok {
			return nil, q.fail(c.Location, "a constant in %s must be a position in the select list", clause)
		}
		i := int(pos.Ival.GetIval())
		if i < 1 || i > len(q.outputs) {
			return nil, q.fail(c.Location, "%s position %d is not in the select list, which has %d", clause, i, len(q.outputs))
		}
		return &q.outputs[i-1], nil
	}
	ref := n.GetColumnRef()
	if ref == nil || len(ref.Fields) != 1 || ref.Fields[0].GetString_() == nil {
		return nil, nil
	}
	id := q.idents(ref.Location, stringsOf(ref.Fields))[0]
	names := make([]string, len(q.outputs))
	for i, o := range q.outputs {
		names[i] = o.given
	}
	hits := match(id, names)
	for _, h := range hits[min(1, len(hits)):] {
		if !plan.Equal(q.outputs[h].expr, q.outputs[hits[0]].expr) {
			return nil, q.fail(ref.Location, "%s %s is ambiguous in the select list", clause, id)
		}
	}
	if len(hits) == 0 {
		return nil, nil
	}
	return &q.outputs[hits[0]], nil
}

// usable refuses free text where values are compared.
func (q *selection) usable(e plan.Expr, n *pg.Node) error {
	if c, ok := e.(*plan.Column); ok && c.Field.Type.Base == plan.Text {
		return q.fail(location(n), "%q is free text (loaded with types 'string') and can only be selected", caret.Clean(c.Field.Name))
	}
	return nil
}

// order binds ORDER BY: positions, names of outputs, else expressions over the
// input.
func (q *selection) order() ([]plan.SortKey, error) {
	var keys []plan.SortKey
	for _, n := range q.stmt.SortClause {
		s := n.GetSortBy()
		if err := only(s, "node", "sortby_dir", "sortby_nulls"); err != nil {
			return nil, err
		}
		k := plan.SortKey{}
		switch s.SortbyDir {
		case pg.SortByDir_SORTBY_DEFAULT, pg.SortByDir_SORTBY_ASC:
		case pg.SortByDir_SORTBY_DESC:
			k.Desc = true
		default:
			return nil, unsupported("ORDER BY … USING", "Write ASC or DESC.")
		}
		switch s.SortbyNulls {
		case pg.SortByNulls_SORTBY_NULLS_DEFAULT:
			k.NullsFirst = k.Desc // PostgreSQL: missing values count as the largest
		case pg.SortByNulls_SORTBY_NULLS_FIRST:
			k.NullsFirst = true
		case pg.SortByNulls_SORTBY_NULLS_LAST:
		default:
			return nil, unsupported("This order of NULLs", "Write NULLS FIRST or NULLS LAST.")
		}
		o, err := q.named(s.Node, "ORDER BY")
		if err != nil {
			return nil, err
		}
		if o != nil {
			k.Expr = o.expr
		} else if k.Expr, err = q.binder("ORDER BY").bind(s.Node); err != nil {
			return nil, err
		}
		if err := q.usable(k.Expr, s.Node); err != nil {
			return nil, err
		}
		keys = append(keys, k)
	}
	return keys, nil
}

// project orders the rows and computes the select list; with DISTINCT the order
// is among what is left, so it must be by outputs.
func (q *selection) project(node plan.Node, sort []plan.SortKey) (plan.Node, error) {
	distinct, err := q.distinct()
	if err != nil {
		return nil, err
	}
	proj := &plan.Project{}
	for _, o := range q.outputs {
		proj.Exprs = append(proj.Exprs, o.expr)
		proj.Out = append(proj.Out, plan.NewField(o.name, o.expr))
	}
	if !distinct {
		if len(sort) > 0 {
			node = &plan.Sort{In: node, Keys: sort}
		}
		if same(proj, node.Schema()) {
			return node, nil
		}
		proj.In = node
		return proj, nil
	}
	for i, o := range q.outputs {
		if o.expr.Type().Base == plan.Text {
			return nil, refuse("SELECT DISTINCT compares its columns, but %q is free text (loaded with types 'string').", caret.Clean(proj.Out[i].Name))
		}
	}
	for i, k := range sort {
		at := -1
		for c, o := range q.outputs {
			if plan.Equal(o.expr, k.Expr) {
				at = c
				break
			}
		}
		if at < 0 {
			return nil, q.fail(location(q.stmt.SortClause[i].GetSortBy().Node), "with SELECT DISTINCT, ORDER BY must name columns of the select list")
		}
		sort[i].Expr = &plan.Column{Index: at, Field: proj.Out[at]}
	}
	proj.In = node
	for i, e := range proj.Exprs {
		proj.Exprs[i] = plan.Finite(e)
	}
	node = &plan.Distinct{In: proj}
	if len(sort) > 0 {
		node = &plan.Sort{In: node, Keys: sort}
	}
	return node, nil
}

// same reports whether a projection returns its input as it is.
func same(p *plan.Project, in plan.Schema) bool {
	if len(p.Exprs) != len(in) {
		return false
	}
	for i, e := range p.Exprs {
		if c, ok := e.(*plan.Column); !ok || c.Index != i || p.Out[i].Name != in[i].Name {
			return false
		}
	}
	return true
}

func (q *selection) distinct() (bool, error) {
	switch d := q.stmt.DistinctClause; {
	case len(d) == 0:
		return false, nil
	case len(d) == 1 && d[0].GetNode() == nil:
		return true, nil
	}
	return false, unsupported("DISTINCT ON", "Use GROUP BY with min, max or first.")
}

// values plans VALUES (…), (…).
func (p *planner) values(s *pg.SelectStmt) (plan.Node, error) {
	if err := only(s, "values_lists", "sort_clause", "limit_offset", "limit_count", "limit_option", "with_clause", "op"); err != nil {
		return nil, err
	}
	b := &binder{p: p, scope: &scope{}, clause: "VALUES"}
	var rows [][]plan.Expr
	for _, list := range s.ValuesLists {
		items := list.GetList().GetItems()
		row := make([]plan.Expr, len(items))
		for i, n := range items {
			e, err := b.bind(n)
			if err != nil {
				return nil, err
			}
			l, ok := p.constant(e)
			if !ok {
				return nil, p.fail(location(n), "VALUES takes constants")
			}
			row[i] = l
		}
		if len(rows) > 0 && len(row) != len(rows[0]) {
			return nil, refuse("The lists of VALUES must have equal lengths; the first has %d, another %d.", len(rows[0]), len(row))
		}
		rows = append(rows, row)
	}
	v := &plan.Values{Rows: make([][]plan.Value, len(rows))}
	column := make([]plan.Expr, len(rows))
	for c := range rows[0] {
		for r := range rows {
			column[r] = rows[r][c]
		}
		unified, t, err := plan.Unify(fmt.Sprintf("column %d of VALUES", c+1), column)
		if err != nil {
			return nil, refuse("%s.", inSQL(err))
		}
		if t.Base == plan.Null {
			t.Base = plan.String
		}
		f := plan.Field{Name: fmt.Sprintf("column%d", c+1), Type: t}
		for r, e := range unified {
			l := e.(*plan.Literal)
			v.Rows[r] = append(v.Rows[r], l.Value)
			if lo, _, ok := plan.Bounds(l); ok && l.Value.Base != plan.Null {
				f.Lo, f.Hi = min(f.Lo, lo), max(f.Hi, lo)
			}
		}
		v.Out = append(v.Out, f)
	}
	q := &selection{planner: p, stmt: s, scope: &scope{}, where: map[*plan.Column]int32{}}
	for i, f := range v.Out {
		q.outputs = append(q.outputs, output{name: f.Name, given: f.Name, expr: &plan.Column{Index: i, Field: f}})
	}
	sort, err := q.order()
	if err != nil || len(sort) == 0 {
		return v, err
	}
	return &plan.Sort{In: v, Keys: sort}, nil
}

// limit applies LIMIT, OFFSET and FETCH FIRST.
func (p *planner) limit(n plan.Node, s *pg.SelectStmt) (plan.Node, error) {
	switch s.LimitOption {
	case pg.LimitOption_LIMIT_OPTION_DEFAULT, pg.LimitOption_LIMIT_OPTION_COUNT:
	case pg.LimitOption_LIMIT_OPTION_WITH_TIES:
		return nil, unsupported("FETCH FIRST … WITH TIES", "Write ROWS ONLY.")
	default:
		return nil, unsupported("This form of LIMIT", "Write LIMIT and a number.")
	}
	count, err := p.rows(s.LimitCount, "LIMIT", -1)
	if err != nil {
		return nil, err
	}
	offset, err := p.rows(s.LimitOffset, "OFFSET", 0)
	if err != nil {
		return nil, err
	}
	if count < 0 && offset == 0 {
		return n, nil
	}
	return &plan.Limit{In: n, Count: count, Offset: offset}, nil
}

// rows reads a number of rows; NULL, ALL and nothing mean none was given.
func (p *planner) rows(n *pg.Node, clause string, none int64) (int64, error) {
	if n == nil {
		return none, nil
	}
	b := &binder{p: p, scope: &scope{}, clause: clause}
	e, err := b.bind(n)
	if err != nil {
		return 0, err
	}
	l, ok := p.constant(e)
	switch {
	case ok && l.Value.Base == plan.Null:
		return none, nil
	case !ok || l.Value.Base != plan.Int || l.Value.I < 0:
		return 0, p.fail(location(n), "%s takes a whole number that is not negative", clause)
	}
	return l.Value.I, nil
}
