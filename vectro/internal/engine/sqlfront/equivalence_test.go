package sqlfront

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/quartet-mcp/quartet/vectro/internal/engine/col"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/exec"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/plan"
	"github.com/quartet-mcp/quartet/vectro/internal/engine/query"
	"pgregory.net/rapid"
)

// pair is one expression in both languages.
type pair struct{ expr, sql string }

// genTable draws a small table with missing values and ties.
func genTable(t *rapid.T) *col.Table {
	n := rapid.IntRange(0, 40).Draw(t, "rows")
	column := func(name string, f col.Field, vals []any, make func(col.Field, ...any) *col.Column) *col.Column {
		f.Name = name
		drawn := rapid.SliceOfN(rapid.SampledFrom(append(vals, nil)), n, n).Draw(t, name)
		return make(f, drawn...)
	}
	return &col.Table{Name: "t", Rows: n, Columns: []*col.Column{
		column("id", num(""), []any{1, 2, 3, 4, 5}, ints),
		column("qty", num(""), []any{0, -7, 3, 1 << 40, -1 << 40, 2}, ints),
		column("price", num(""), []any{0.0, 1.5, -2.25, 1e300, 3.0}, func(f col.Field, vals ...any) *col.Column { return floats(f.Name, vals...) }),
		column("region", cat(""), []any{"EU", "NA", "it's", ""}, labels),
		column("active", col.Field{Kind: col.Category, Bool: true}, []any{"true", "false"}, labels),
		column("day", col.Field{Kind: col.Date, Unit: col.Day}, []any{19723, 19754, 20089}, ints),
	}}
}

func genNumber(t *rapid.T, depth int) pair {
	if depth == 0 {
		return rapid.SampledFrom([]pair{{"id", "id"}, {"qty", "qty"}, {"price", "price"}, {"2", "2"}, {"-3.5", "-3.5"}, {"0", "0"}}).Draw(t, "number")
	}
	a, b := genNumber(t, depth-1), genNumber(t, depth-1)
	both := func(e, s string) pair { return pair{fmt.Sprintf(e, a.expr, b.expr), fmt.Sprintf(s, a.sql, b.sql)} }
	switch rapid.IntRange(0, 9).Draw(t, "op") {
	case 0:
		return both("(%s + %s)", "(%s + %s)")
	case 1:
		return both("(%s - %s)", "(%s - %s)")
	case 2:
		return both("(%s * %s)", "(%s * %s)")
	case 3:
		return both("(%s / %s)", "(%s / %s)")
	case 4:
		return both("(%s %% %s)", "(%s %% %s)")
	case 5:
		return both("coalesce(%s, %s)", "coalesce(%s, %s)")
	case 6:
		c := genCondition(t, depth-1)
		return pair{
			fmt.Sprintf("(%s ? %s : %s)", c.expr, a.expr, b.expr),
			fmt.Sprintf("CASE WHEN %s THEN %s ELSE %s END", c.sql, a.sql, b.sql),
		}
	case 7:
		return pair{"abs(" + a.expr + ")", "abs(" + a.sql + ")"}
	case 8:
		return pair{"year(day)", "extract(year FROM day)"}
	}
	return a
}

func genCondition(t *rapid.T, depth int) pair {
	if depth == 0 {
		return rapid.SampledFrom([]pair{
			{"active", "active"}, {"region == 'EU'", "region = 'EU'"}, {"region in ('NA', 'it''s')", "region IN ('NA', 'it''s')"},
			{"day >= '2024-02-01'", "day >= DATE '2024-02-01'"}, {"id not in (1, 2)", "id NOT IN (1, 2)"},
			{"region == null", "region IS NULL"}, {"price != null", "price IS NOT NULL"}, {"region < 'F'", "region < 'F'"},
			{"region not in ('EU', null)", "region NOT IN ('EU', NULL)"}, {"1 in (2, null)", "1 IN (2, NULL)"}, {"id in (null)", "id IN (NULL)"},
		}).Draw(t, "condition")
	}
	switch rapid.IntRange(0, 4).Draw(t, "op") {
	case 0, 1:
		op := rapid.SampledFrom([]pair{{"==", "="}, {"!=", "<>"}, {"<", "<"}, {"<=", "<="}, {">", ">"}, {">=", ">="}}).Draw(t, "compare")
		a, b := genNumber(t, depth-1), genNumber(t, depth-1)
		return pair{fmt.Sprintf("(%s %s %s)", a.expr, op.expr, b.expr), fmt.Sprintf("(%s %s %s)", a.sql, op.sql, b.sql)}
	case 2:
		x, lo, hi := genNumber(t, depth-1), genNumber(t, 0), genNumber(t, 0)
		return pair{
			fmt.Sprintf("(%s between %s and %s)", x.expr, lo.expr, hi.expr),
			fmt.Sprintf("(%s BETWEEN %s AND %s)", x.sql, lo.sql, hi.sql),
		}
	case 3:
		a := genCondition(t, depth-1)
		return pair{"!(" + a.expr + ")", "NOT (" + a.sql + ")"}
	}
	op := rapid.SampledFrom([]pair{{"&&", "AND"}, {"||", "OR"}}).Draw(t, "logic")
	a, b := genCondition(t, depth-1), genCondition(t, depth-1)
	return pair{fmt.Sprintf("(%s %s %s)", a.expr, op.expr, b.expr), fmt.Sprintf("(%s %s %s)", a.sql, op.sql, b.sql)}
}

// genAggregate draws an aggregate. A sum over no values is 0 in the query tool and
// NULL in SQL, the one documented difference.
func genAggregate(t *rapid.T) pair {
	x := genNumber(t, 1)
	switch rapid.IntRange(0, 7).Draw(t, "aggregate") {
	case 0:
		return pair{"count()", "count(*)"}
	case 1:
		c := genCondition(t, 1)
		return pair{"count(" + c.expr + ")", "count(*) FILTER (WHERE " + c.sql + ")"}
	case 2:
		return pair{"sum(" + x.expr + ")", "CASE WHEN count(" + x.sql + ") = 0 THEN 0 ELSE sum(" + x.sql + ") END"}
	case 3:
		return pair{"mean(" + x.expr + ")", "avg(" + x.sql + ")"}
	case 4:
		return pair{"min(" + x.expr + ")", "min(" + x.sql + ")"}
	case 5:
		return pair{"max(region)", "max(region)"}
	case 6:
		return pair{"countDistinct(" + x.expr + ")", "count(DISTINCT " + x.sql + ")"}
	}
	c := genCondition(t, 0)
	return pair{"mean(" + x.expr + " where " + c.expr + ")", "avg(" + x.sql + ") FILTER (WHERE " + c.sql + ")"}
}

// The query tool and SQL give the same answer to the same question.
func TestQueryAndSQLAgree(t *testing.T) {
	keys := []pair{{"region", "region"}, {"active", "active"}, {"id", "id"}, {"year(day)", "extract(year FROM day)"}, {"qty % 3", "qty % 3"}}
	rapid.Check(t, func(t *rapid.T) {
		table := genTable(t)
		var q query.Question
		var list, group, order []string
		where := ""
		if rapid.Bool().Draw(t, "filtered") {
			c := genCondition(t, 2)
			q.Filter, where = c.expr, " WHERE "+c.sql
		}
		for i := range rapid.IntRange(0, 3).Draw(t, "aggregates") {
			a := genAggregate(t)
			name := fmt.Sprintf("a%d", i)
			q.Aggregates = append(q.Aggregates, query.Named{Name: name, Text: a.expr})
			list = append(list, a.sql+" AS "+name)
		}
		if len(q.Aggregates) > 0 {
			for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(keys)-1), 0, 2, rapid.ID[int]).Draw(t, "keys") {
				q.GroupBy = append(q.GroupBy, keys[i].expr)
				group = append(group, keys[i].sql)
				list = append(list[:len(group)-1], append([]string{fmt.Sprintf("%s AS %q", keys[i].sql, keys[i].expr)}, list[len(group)-1:]...)...)
			}
		}
		add := func(entry pair) {
			if rapid.Bool().Draw(t, "descending") {
				q.Sort, order = append(q.Sort, "-"+entry.expr), append(order, entry.sql+" DESC NULLS LAST")
			} else {
				q.Sort, order = append(q.Sort, entry.expr), append(order, entry.sql+" NULLS LAST")
			}
		}
		if len(q.Aggregates) == 0 {
			list = []string{"*"}
			for range rapid.IntRange(0, 2).Draw(t, "sort") {
				x := genNumber(t, 1)
				add(pair{x.expr + " + 0", x.sql + " + 0"}) // SQL takes a number alone for a position
			}
		} else {
			if rapid.Bool().Draw(t, "sorted") {
				add(pair{"a0", "a0"})
			}
			for _, k := range group { // what the query tool does by itself
				order = append(order, k+" NULLS LAST")
			}
		}
		text := "SELECT " + strings.Join(list, ", ") + " FROM t" + where
		if len(group) > 0 {
			text += " GROUP BY " + strings.Join(group, ", ")
		}
		if len(order) > 0 {
			text += " ORDER BY " + strings.Join(order, ", ")
		}
		left, err := query.Plan(table, q, env)
		if err != nil {
			t.Fatalf("query %+v: %v", q, err)
		}
		right, err := Plan(text, func(string) (*col.Table, error) { return table, nil }, env)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		a, b := answer(t, left), answer(t, right)
		if a != b {
			t.Fatalf("query %+v\n%s\nsql %s\n%s", q, a, text, b)
		}
	})
}

func answer(t *rapid.T, n plan.Node) string {
	res, err := exec.Run(context.Background(), n, exec.Options{Threads: 2, Limit: -1})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range res.Schema {
		b.WriteString(f.Name + "|")
	}
	for _, r := range res.Rows {
		b.WriteByte('\n')
		for i, v := range r {
			b.WriteString(show(v, res.Schema[i].Type) + "|")
		}
	}
	return b.String()
}

// TestFormatSQL_ReadsBack plans a condition, writes it as SQL, and plans that.
func TestFormatSQL_ReadsBack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		table := genTable(rt)
		read := func(cond string) plan.Expr {
			n, err := Plan("SELECT id FROM t WHERE "+cond, func(string) (*col.Table, error) { return table, nil }, env)
			if err != nil {
				rt.Fatalf("%s: %v", cond, err)
			}
			f, ok := n.(*plan.Project).In.(*plan.Filter)
			if !ok {
				rt.Fatalf("%s has no filter", cond)
			}
			return f.Cond
		}
		e := read(genCondition(rt, 3).sql)
		text := plan.FormatSQL(e)
		if again := read(text); plan.FormatSQL(again) != text {
			rt.Fatalf("%s reads back as %s", text, plan.FormatSQL(again))
		}
	})
}
