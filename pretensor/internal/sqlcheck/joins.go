package sqlcheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/datakit/sqltree"
	"github.com/quartet-mcp/quartet/pretensor/internal/catalog"
	"github.com/quartet-mcp/quartet/pretensor/internal/model"
	"github.com/quartet-mcp/quartet/pretensor/internal/names"
	"github.com/quartet-mcp/quartet/pretensor/internal/types"
)

// certain is the confidence from which an inferred join counts as one.
const certain = 0.5

// A pair is an equality of columns of two tables.
type pair struct {
	left, right             int
	leftColumn, rightColumn string
	at                      int
	correlated              bool
}

// joins judges the equalities between columns of two tables. All those between the
// same two relations are judged together: a composite key needs several.
func (k *checker) joins(r *sqltree.Resolution) {
	type relations struct{ left, right string }
	var order []relations
	groups := map[relations][]pair{}
	for _, j := range r.Joins {
		left, ok1 := k.base(j.Left)
		right, ok2 := k.base(j.Right)
		if !ok1 || !ok2 || left == right {
			continue // a view, a table that is not indexed, a self join
		}
		p := pair{left, right, j.Left.Column, j.Right.Column, j.Start, j.Correlated}
		g := relations{j.LeftOf, j.RightOf}
		if other := (relations{j.RightOf, j.LeftOf}); groups[other] != nil {
			g = other
			p = pair{right, left, p.rightColumn, p.leftColumn, p.at, p.correlated}
		}
		if groups[g] == nil {
			order = append(order, g)
		}
		groups[g] = append(groups[g], p)
	}
	for _, g := range order {
		k.group(groups[g])
	}
}

// missingKeys suggests how tables are joined where the condition of a join names a
// column that one of them does not have, and nothing else joins them.
func (k *checker) missingKeys(st sqltree.Statement, r *sqltree.Resolution) {
	sqltree.Walk(st, func(n sqltree.Node) bool {
		j, ok := n.(*sqltree.Join)
		if !ok || j.On == nil {
			return true
		}
		on := j.On.Pos()
		var whole, broken []int // tables whose columns are there, and not there
		for _, u := range r.Columns {
			i, ok := k.sql.Table(u.Table)
			if !ok || u.Start < on.Start || u.End > on.End {
				continue
			}
			if u.Status == sqltree.Unknown {
				broken = append(broken, i)
			} else {
				whole = append(whole, i)
			}
		}
		for _, a := range broken {
			for _, b := range slices.Concat(whole, broken) {
				if a != b && !k.joined(r, a, b) {
					k.route(k.c.Between(a, b), pair{left: a, right: b})
				}
			}
		}
		return true
	})
}

// joined reports whether a statement equates columns of two tables that are there.
func (k *checker) joined(r *sqltree.Resolution, a, b int) bool {
	return slices.ContainsFunc(r.Joins, func(j sqltree.JoinPair) bool {
		left, _ := k.base(j.Left)
		right, _ := k.base(j.Right)
		return left == a && right == b || left == b && right == a
	})
}

// base is the table that a column of the catalog belongs to. A view that stands for
// one table is judged as that table; other views have no keys and are not judged.
func (k *checker) base(b sqltree.BaseColumn) (int, bool) {
	i, err := k.c.Find(model.Qualify(quoted(b.Schema), quoted(b.Table)))
	if err != nil {
		// A partition is judged as its table.
		return k.sql.Table(k.sql.Relation(k.d, sqltree.Name{Parts: []sqltree.Ident{{Name: b.Schema, Quoted: true}, {Name: b.Table, Quoted: true}}}))
	}
	if s := k.c.ShadowOf(i); s >= 0 && k.c.Column(s, b.Column) >= 0 {
		i = s
	}
	return i, !k.c.Tables[i].IsView()
}

// quoted keeps a name with dots in one part.
func quoted(s string) string {
	if s == "" {
		return ""
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}

// group judges the equalities between two relations, which are of the same tables.
func (k *checker) group(pairs []pair) {
	a, b := pairs[0].left, pairs[0].right
	between := k.c.Between(a, b)
	for _, p := range pairs {
		if p.left != a || p.right != b {
			continue // a CTE that joins several tables under one name
		}
		if e := k.matching(between, p); e != nil {
			k.judgeMatch(e, pairs, p)
			continue
		}
		k.judgeOther(between, p)
	}
}

// matching is the most certain edge that has the pair.
func (k *checker) matching(between []int, p pair) *catalog.Edge {
	for _, id := range between {
		e := k.c.Edge(id)
		for i := range e.FromColumns {
			if k.isPair(e, i, p) {
				return e
			}
		}
	}
	return nil
}

// isPair reports whether the i-th columns of an edge are those of a pair.
func (k *checker) isPair(e *catalog.Edge, i int, p pair) bool {
	from, to := p.leftColumn, p.rightColumn
	if e.From != p.left {
		from, to = to, from
	}
	return k.c.Fold(e.FromColumns[i]) == k.c.Fold(from) && k.c.Fold(e.ToColumns[i]) == k.c.Fold(to)
}

func (k *checker) judgeMatch(e *catalog.Edge, pairs []pair, p pair) {
	if e.Confidence < certain {
		k.warn("the join of %s is only a guess (confidence %.2f)", k.show(p), e.Confidence)
		return
	}
	var missing []string
	for i := range e.FromColumns {
		if !slices.ContainsFunc(pairs, func(q pair) bool { return k.isPair(e, i, q) }) {
			missing = append(missing, fmt.Sprintf("%s.%s = %s.%s", k.c.Name(e.From), e.FromColumns[i], k.c.Name(e.To), e.ToColumns[i]))
		}
	}
	if len(missing) > 0 {
		k.warn("the join of %s is part of a key of several columns; missing: %s", k.show(p), strings.Join(missing, " AND "))
	}
}

func (k *checker) judgeOther(between []int, p pair) {
	left, right := k.family(p.left, p.leftColumn), k.family(p.right, p.rightColumn)
	if conflict(left, right) {
		k.invalid(p, fmt.Sprintf("type mismatch: %s is %s, %s is %s", k.column(p.left, p.leftColumn), left, k.column(p.right, p.rightColumn), right))
		k.route(between, p)
		return
	}
	switch {
	case len(between) == 0 && (k.isKey(p.left, p.leftColumn) || k.isKey(p.right, p.rightColumn)) && left == right:
		// The shape of a key that nobody declared.
		k.warn("the join of %s is unverified: one side is a key, and no key or inferred join says that the other refers to it", k.show(p))
	case k.siblings(p), left == right && left != types.Unknown && names.Normal(p.leftColumn) == names.Normal(p.rightColumn):
		k.warn("the join of %s is unverified: no key joins these columns directly", k.show(p))
	case len(between) > 0:
		k.warn("the join of %s is unusual: the tables are related on other columns", k.show(p))
		k.route(between, p)
	case p.correlated:
		// A subquery may compare what no key joins: the two are not joined by it.
		k.warn("no key or inferred join relates the tables of %s", k.show(p))
	default:
		k.invalid(p, "no key or inferred join relates these tables")
		k.route(between, p)
	}
}

// conflict reports whether values of two type families can never be equal.
func conflict(a, b types.Family) bool {
	if a == b || a == types.Unknown || b == types.Unknown {
		return false
	}
	text := func(f types.Family) bool { return f == types.String || f == types.UUID || f == types.JSON }
	return !(text(a) && text(b))
}

func (k *checker) family(table int, column string) types.Family {
	i := k.c.Column(table, column)
	if i < 0 {
		return types.Unknown
	}
	return types.ColumnFamily(k.c.Dialect, &k.c.Tables[table].Columns[i])
}

// isKey reports whether a column alone identifies a row of its table.
func (k *checker) isKey(table int, column string) bool {
	i := k.c.Column(table, column)
	return i >= 0 && k.c.Tables[table].IsKey([]string{k.c.Tables[table].Columns[i].Name})
}

// siblings reports whether both columns refer to the same column of a third table.
func (k *checker) siblings(p pair) bool {
	for _, x := range k.parents(p.left, p.leftColumn) {
		if slices.Contains(k.parents(p.right, p.rightColumn), x) {
			return true
		}
	}
	return false
}

// parents are the columns that a column refers to with certainty, and itself.
func (k *checker) parents(table int, column string) []string {
	out := []string{k.column(table, column)}
	for _, id := range k.c.Out(table) {
		e := k.c.Edge(id)
		for i, c := range e.FromColumns {
			if e.Confidence >= certain && k.c.Fold(c) == k.c.Fold(column) {
				out = append(out, k.column(e.To, e.ToColumns[i]))
			}
		}
	}
	return out
}

func (k *checker) invalid(p pair, message string) {
	k.report.InvalidJoins = append(k.report.InvalidJoins, InvalidJoin{
		LeftTable: k.c.Name(p.left), RightTable: k.c.Name(p.right), LeftColumn: p.leftColumn, RightColumn: p.rightColumn,
		Message: message, Severity: "error",
	})
	k.diagnose("invalid_join", k.show(p), p.at, message, nil)
}

// route suggests how the tables of a pair are joined: on the columns of an edge, or
// through one or two tables between them.
func (k *checker) route(between []int, p pair) {
	if len(between) > 0 {
		k.suggest("Join %s and %s on %s.", k.c.Name(p.left), k.c.Name(p.right), k.on(k.c.Edge(between[0])))
		return
	}
	path := k.shortest(p.left, p.right, 3)
	if path == nil {
		return
	}
	steps := make([]string, len(path))
	for i, id := range path {
		steps[i] = k.on(k.c.Edge(id))
	}
	k.suggest("Join %s to %s through %s.", k.c.Name(p.left), k.c.Name(p.right), strings.Join(steps, ", then "))
}

func (k *checker) on(e *catalog.Edge) string {
	parts := make([]string, len(e.FromColumns))
	for i := range e.FromColumns {
		parts[i] = fmt.Sprintf("%s = %s", k.column(e.From, e.FromColumns[i]), k.column(e.To, e.ToColumns[i]))
	}
	return strings.Join(parts, " AND ")
}

// shortest is the shortest way of certain edges between two tables, with at most
// that many of them; nil if there is none. Hidden tables are no way.
func (k *checker) shortest(from, to, most int) []int {
	type step struct{ table, edge, before int }
	queue := []step{{from, -1, -1}}
	seen := map[int]bool{from: true}
	depth := map[int]int{from: 0}
	for q := 0; q < len(queue); q++ {
		s := queue[q]
		if s.table == to {
			var path []int
			for ; s.before >= 0; s = queue[s.before] {
				path = append(path, s.edge)
			}
			slices.Reverse(path)
			return path
		}
		if depth[s.table] == most {
			continue
		}
		for _, id := range slices.Concat(k.c.Out(s.table), k.c.In(s.table)) {
			e := k.c.Edge(id)
			next := e.From + e.To - s.table
			if e.Confidence < certain || seen[next] {
				continue
			}
			seen[next], depth[next] = true, depth[s.table]+1
			queue = append(queue, step{next, id, q})
		}
	}
	return nil
}

func (k *checker) column(table int, column string) string { return k.c.Name(table) + "." + column }

func (k *checker) show(p pair) string {
	return k.column(p.left, p.leftColumn) + " = " + k.column(p.right, p.rightColumn)
}
