package sqlfront

import (
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/caret"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
)

// source is a FROM item, or several that are joined by inner joins. Those are
// kept apart until the WHERE clause is known: its conditions filter single parts
// and join others.
type source struct {
	scope
	parts []part
	conds []plan.Expr // conditions over the scope's columns that every row meets
}

// part is one input of a source; its columns are the scope's from first on, in
// order.
type part struct {
	node  plan.Node
	first int
}

func newSource(n plan.Node, s scope) *source { return &source{s, []part{{n, 0}}, nil} }

// cte is a query of a WITH clause, in scope together with its outer ones.
type cte struct {
	name  string
	query *pg.CommonTableExpr
	outer *cte // what the query itself may name
	read  bool // something names it
}

// with returns the queries that a WITH clause adds to those in scope.
func (p *planner) with(w *pg.WithClause, ctes *cte) (*cte, error) {
	if w == nil {
		return ctes, nil
	}
	if err := only(w, "ctes"); err != nil {
		return nil, err
	}
	own := map[string]bool{}
	for _, n := range w.Ctes {
		q := n.GetCommonTableExpr()
		if err := only(q, "ctename", "aliascolnames", "ctematerialized", "ctequery"); err != nil {
			return nil, err
		}
		if own[q.Ctename] {
			return nil, p.fail(q.Location, "WITH names %q twice", q.Ctename)
		}
		own[q.Ctename] = true
		if q.Ctequery.GetSelectStmt() == nil {
			return nil, p.notSelect(q.Ctequery)
		}
		ctes = &cte{name: q.Ctename, query: q, outer: ctes}
	}
	return ctes, nil
}

// checkUnread plans the queries of a WITH clause that nothing names, for their
// mistakes. inner is what the clause made of outer.
func (p *planner) checkUnread(inner, outer *cte) error {
	for c := inner; c != outer; c = c.outer {
		if c.read {
			continue
		}
		if _, err := p.query(c.query.Ctequery.GetSelectStmt(), c.outer); err != nil {
			return err
		}
	}
	return nil
}

// from plans a FROM clause: its items are joined without a condition.
func (p *planner) from(items []*pg.Node, ctes *cte) (*source, error) {
	if len(items) == 0 {
		return newSource(&plan.Values{Rows: [][]plan.Value{{}}, Out: plan.Schema{}}, scope{}), nil
	}
	var all *source
	for _, n := range items {
		s, err := p.item(n, ctes)
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = s
		} else if all, err = p.cross(all, s); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (p *planner) item(n *pg.Node, ctes *cte) (*source, error) {
	switch x := n.Node.(type) {
	case *pg.Node_RangeVar:
		return p.table(x.RangeVar, ctes)
	case *pg.Node_RangeSubselect:
		return p.subselect(x.RangeSubselect, ctes)
	case *pg.Node_JoinExpr:
		return p.join(x.JoinExpr, ctes)
	case *pg.Node_RangeFunction:
		return nil, p.rangeFunction(x.RangeFunction)
	}
	return nil, refuseNode(n)
}

// count bounds what one statement reads; WITH queries are planned anew wherever
// they are named.
func (p *planner) count() error {
	if p.tables++; p.tables > MaxTables {
		return refuse("The query reads more than %d tables and subqueries, counting each WITH query as often as it is named.", MaxTables)
	}
	return nil
}

func (p *planner) table(r *pg.RangeVar, ctes *cte) (*source, error) {
	if err := only(r, "schemaname", "relname", "inh", "relpersistence", "alias"); err != nil {
		return nil, err
	}
	if !r.Inh {
		return nil, unsupported("FROM ONLY", "Leave ONLY out.")
	}
	if r.Relpersistence != "p" {
		return nil, unsupported("A temporary table", "")
	}
	if err := p.count(); err != nil {
		return nil, err
	}
	parts := []string{r.Relname}
	if r.Schemaname != "" {
		parts = []string{r.Schemaname, r.Relname}
	}
	ids := p.idents(r.Location, parts)
	id := ids[len(ids)-1]
	if r.Schemaname != "" && !isDefaultSchema(r.Schemaname) {
		name := r.Schemaname + "." + id.name
		if isSystemName(r.Schemaname) {
			return nil, systemTable(name)
		}
		return nil, p.fail(r.Location, "there is no schema %q; write the table's name alone: %s", r.Schemaname, quoteName(id.name))
	}
	if r.Schemaname == "" {
		for c := ctes; c != nil; c = c.outer {
			if strings.EqualFold(c.name, id.name) {
				c.read = true
				n, err := p.query(c.query.Ctequery.GetSelectStmt(), c.outer)
				if err != nil {
					return nil, err
				}
				return p.derived(n, c.name, stringsOf(c.query.Aliascolnames), r.Alias)
			}
		}
	}
	t, err := p.lookup(id.name)
	if err != nil {
		if isSystemName(id.name) {
			return nil, systemTable(id.name)
		}
		return nil, err
	}
	alias := t.Name
	if r.Alias != nil {
		alias = r.Alias.Aliasname
	}
	scan := plan.NewScan(t, alias)
	return p.named(scan, alias, r.Alias)
}

func isSystemName(name string) bool {
	n := strings.ToLower(name)
	return n == "information_schema" || strings.HasPrefix(n, "pg_") || strings.HasPrefix(n, "sqlite_") || strings.HasPrefix(n, "duckdb_")
}

func systemTable(name string) error {
	return refuse("%s is not here; list_tables and describe_table show the tables.", caret.Clean(name))
}

// derived is the source of a planned query under its name, whose columns a WITH
// query or an alias may name anew.
func (p *planner) derived(n plan.Node, name string, columns []string, a *pg.Alias) (*source, error) {
	s := newScope(name, n.Schema())
	if len(columns) > len(s.schema) {
		return nil, refuse("%q has %d columns, but %d names are given for them.", name, len(s.schema), len(columns))
	}
	for i, c := range columns {
		s.schema[i].Name = c
	}
	src := newSource(n, s)
	if a == nil {
		return src, nil
	}
	return p.rename(src, a.Aliasname, a)
}

func (p *planner) named(n plan.Node, alias string, a *pg.Alias) (*source, error) {
	return p.rename(newSource(n, newScope(alias, n.Schema())), alias, a)
}

// rename gives a source of one table its alias and the alias' column names.
func (p *planner) rename(s *source, alias string, a *pg.Alias) (*source, error) {
	var columns []string
	if a != nil {
		if err := only(a, "aliasname", "colnames"); err != nil {
			return nil, err
		}
		columns = stringsOf(a.Colnames)
	}
	if len(columns) > len(s.schema) {
		return nil, refuse("%q has %d columns, but %d names are given for them.", alias, len(s.schema), len(columns))
	}
	s.aliases = []string{alias}
	s.schema = slices.Clone(s.schema)
	for i := range s.schema {
		s.schema[i].Table = alias
		if i < len(columns) {
			s.schema[i].Name = columns[i]
		}
	}
	return s, nil
}

func (p *planner) subselect(r *pg.RangeSubselect, ctes *cte) (*source, error) {
	if err := only(r, "subquery", "alias"); err != nil {
		return nil, err
	}
	if err := p.count(); err != nil {
		return nil, err
	}
	q := r.Subquery.GetSelectStmt()
	if q == nil {
		return nil, p.notSelect(r.Subquery)
	}
	n, err := p.query(q, ctes)
	if err != nil {
		return nil, err
	}
	return p.derived(n, "", nil, r.Alias)
}

// rangeFunction refuses a function in FROM, in the words for what was wanted.
func (p *planner) rangeFunction(r *pg.RangeFunction) error {
	if err := only(r, "functions", "alias", "coldeflist", "is_rowsfrom", "ordinality"); err != nil {
		return err
	}
	for _, n := range r.Functions {
		list := n.GetList().GetItems()
		if len(list) == 0 {
			continue
		}
		call := list[0].GetFuncCall()
		if call == nil {
			return refuseNode(list[0])
		}
		names := stringsOf(call.Funcname)
		name := names[len(names)-1]
		switch name {
		case "generate_series", "unnest", "json_each", "json_array_elements", "regexp_split_to_table", "string_to_table":
			return unsupported("A function in FROM ("+name+")", "Read a table.")
		}
		return unknownFunction(name)
	}
	return unsupported("A function in FROM", "Read a table.")
}

// cross pairs all rows of two sources; conditions on both may come later.
func (p *planner) cross(a, b *source) (*source, error) {
	for _, alias := range b.aliases {
		if alias != "" && slices.Contains(a.aliases, alias) {
			return nil, refuse("FROM has two tables called %q; give each its own alias.", alias)
		}
	}
	n := len(a.schema)
	s := &source{scope: a.beside(b.scope), parts: slices.Clone(a.parts), conds: slices.Clone(a.conds)}
	for _, q := range b.parts {
		s.parts = append(s.parts, part{q.node, q.first + n})
	}
	for _, c := range b.conds {
		s.conds = append(s.conds, shift(c, n))
	}
	return s, nil
}

func (p *planner) join(j *pg.JoinExpr, ctes *cte) (*source, error) {
	if err := only(j, "jointype", "is_natural", "larg", "rarg", "using_clause", "quals"); err != nil {
		return nil, err
	}
	switch j.Jointype {
	case pg.JoinType_JOIN_INNER, pg.JoinType_JOIN_LEFT, pg.JoinType_JOIN_RIGHT:
	case pg.JoinType_JOIN_FULL:
		return nil, unsupported("FULL JOIN", "Use LEFT JOIN, once from each side.")
	default:
		return nil, unsupported("This kind of join", "Use JOIN or LEFT JOIN.")
	}
	left, err := p.item(j.Larg, ctes)
	if err != nil {
		return nil, err
	}
	right, err := p.item(j.Rarg, ctes)
	if err != nil {
		return nil, err
	}
	both, err := p.cross(left, right)
	if err != nil {
		return nil, err
	}
	using := stringsOf(j.UsingClause)
	if j.IsNatural {
		using = common(left, right)
	}
	conds, err := p.using(both, left, right, using, j)
	if err != nil {
		return nil, err
	}
	if j.Quals != nil {
		b := &binder{p: p, scope: &both.scope, clause: "ON"}
		cond, err := b.condition(j.Quals)
		if err != nil {
			return nil, err
		}
		conds = conjuncts(cond, conds)
	}
	if j.Jointype == pg.JoinType_JOIN_INNER {
		both.conds = append(both.conds, conds...)
		return both, nil
	}
	return outer(both, left, right, conds, j.Jointype == pg.JoinType_JOIN_RIGHT), nil
}

// common returns the names of the columns that both sides of NATURAL JOIN have.
func common(left, right *source) []string {
	var names []string
	for _, i := range left.star {
		name := left.schema[i].Name
		for _, k := range right.star {
			if right.schema[k].Name == name {
				names = append(names, name)
				break
			}
		}
	}
	return names
}

// using returns the conditions of USING, and makes one column of each pair: the
// left side's, of RIGHT JOIN the right side's, which comes first in *.
func (p *planner) using(both, left, right *source, names []string, j *pg.JoinExpr) ([]plan.Expr, error) {
	var conds []plan.Expr
	var first []int
	n := len(left.schema)
	for _, name := range names {
		l, err := p.column(&left.scope, []ident{{name: name}}, -1)
		if err != nil {
			return nil, err
		}
		r, err := p.column(&right.scope, []ident{{name: name}}, -1)
		if err != nil {
			return nil, err
		}
		r.Index += n
		cond, err := plan.Bind("eq", []plan.Expr{l, r})
		if err != nil {
			return nil, refuse("USING (%s): %s.", quoteName(name), inSQL(err))
		}
		conds = append(conds, cond)
		keep, drop := l.Index, r.Index
		if j.Jointype == pg.JoinType_JOIN_RIGHT {
			keep, drop = drop, keep
		}
		both.hidden = slices.Clone(both.hidden)
		both.hidden[drop] = true
		first = append(first, keep)
	}
	rest := slices.DeleteFunc(both.star, func(i int) bool { return both.hidden[i] || slices.Contains(first, i) })
	both.star = append(first, rest...)
	return conds, nil
}
