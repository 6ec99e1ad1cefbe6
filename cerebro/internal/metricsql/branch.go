package metricsql

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/quartet-mcp/quartet/cerebro/internal/semantic"
)

// branch prints one aggregation. Its columns are d0, d1, … for the plan's
// dimensions and a0, a1, … for its atoms.
type branch struct {
	*compiler
	b       *semantic.Branch
	columns map[int][]string // by join: the expressions that are needed of its model
	time    int              // index of the metrics' time among the dimensions, or -1
	shared  []string         // texts of filters that all atoms have
}

func newBranch(c *compiler, b *semantic.Branch) *branch {
	x := &branch{compiler: c, b: b, columns: map[int][]string{}, time: c.plan.MetricTime()}
	for _, f := range b.Uses[0].Filters {
		in := func(u semantic.Use) bool {
			return slices.ContainsFunc(u.Filters, func(o semantic.BoundFilter) bool { return o.Text == f.Text })
		}
		if !slices.ContainsFunc(b.Uses, func(u semantic.Use) bool { return !in(u) }) && !slices.Contains(x.shared, f.Text) {
			x.shared = append(x.shared, f.Text)
		}
	}
	return x
}

func (x *branch) text() string {
	if x.b.Uses[0].Atom.Cumulative != nil {
		return x.cumulative()
	}
	return x.plain()
}

// column names an expression of a model in the subquery that is its relation.
func (x *branch) column(join int, expr string) string {
	i := slices.Index(x.columns[join], expr)
	if i < 0 {
		i = len(x.columns[join])
		x.columns[join] = append(x.columns[join], expr)
	}
	return fmt.Sprintf("%s.q%d", alias(join), i)
}

func alias(join int) string {
	if join < 0 {
		return "t"
	}
	return fmt.Sprintf("j%d", join)
}

// at prints a dimension where it stands in a row.
func (x *branch) at(b semantic.Bound) string {
	c := x.clock(x.column(b.Join, b.Expr), b.Clock)
	if b.Grain != "" {
		c = x.d.trunc(b.Grain, c)
	}
	if x.d == ClickHouse && b.Kind == semantic.Bool {
		c = "CAST(" + c + " AS Nullable(Bool))" // a comparison gives a number
	}
	return c
}

func (x *branch) filter(f semantic.BoundFilter) string {
	var s strings.Builder
	for _, p := range f.Parts {
		if p.Hole == nil {
			s.WriteString(p.SQL)
		} else {
			s.WriteString(x.at(*p.Hole))
		}
	}
	return "(" + strings.TrimSpace(s.String()) + ")"
}

// own are the conditions of an atom that not all atoms of the branch have.
func (x *branch) own(u semantic.Use) []string {
	var out []string
	for _, f := range u.Filters {
		if !slices.Contains(x.shared, f.Text) {
			out = append(out, x.filter(f))
		}
	}
	return out
}

// span is the time whose rows count, moved by the atoms' offset where the result
// has no periods, and cut to none where they are found by period.
func (x *branch) span() semantic.Range {
	r := x.plan.Range
	a := x.b.Uses[0].Atom
	back := func(t time.Time) time.Time {
		if t.IsZero() {
			return t
		}
		return semantic.Grain(a.Offset.Grain).Add(t, -a.Offset.Count)
	}
	switch {
	case a.Offset != nil && x.time < 0:
		return semantic.Range{Start: back(r.Start), End: back(r.End)}
	case a.Offset != nil:
		// Whole periods, so that each is compared with all of the earlier one.
		g := x.plan.Dims[x.time].Grain
		out := semantic.Range{}
		if !r.Start.IsZero() {
			out.Start = g.Truncate(back(g.Truncate(r.Start)))
		}
		if !r.End.IsZero() {
			out.End = g.Add(g.Truncate(back(r.End)), 1)
		}
		return out
	case a.ToGrain != "":
		out := semantic.Range{End: r.End}
		if !r.Start.IsZero() {
			out.Start = a.ToGrain.Truncate(r.Start)
		}
		return out
	}
	return r
}

// rows is the query of the rows that count: dimensions d0, …; values m0, …; the
// conditions f0, … of those atoms that have their own; and for times that must not be
// added up n0, …, with the keys g0_0, … that they are picked by.
func (x *branch) rows(span semantic.Range, day bool) string {
	var columns []string
	for i, d := range x.b.Dims {
		if i == x.time && day {
			d.Grain = semantic.Day
		}
		columns = append(columns, fmt.Sprintf("%s AS d%d", x.at(d), i))
	}
	if day && x.time < 0 {
		columns = append(columns, x.d.trunc(semantic.Day, x.clock(x.column(-1, x.b.Time.Expr), x.b.Time.Clock()))+" AS day")
	}
	var where, any []string
	for i, u := range x.b.Uses {
		columns = append(columns, fmt.Sprintf("%s AS m%d", x.value(u.Atom.Measure), i))
		own := x.own(u)
		if len(own) > 0 {
			columns = append(columns, fmt.Sprintf("%s AS f%d", strings.Join(own, " AND "), i))
			any = append(any, strings.Join(own, " AND "))
		}
		if n := u.Atom.Measure.NonAdditive; n != nil {
			columns = append(columns, fmt.Sprintf("%s AS n%d", x.d.trunc(n.Dimension.Grain, x.clock(x.column(-1, n.Dimension.Expr), n.Dimension.Clock())), i))
			for j, g := range n.Groupings {
				columns = append(columns, fmt.Sprintf("%s AS g%d_%d", x.column(-1, g.Expr), i, j))
			}
		}
	}
	for _, f := range x.b.Uses[0].Filters {
		if slices.Contains(x.shared, f.Text) {
			where = append(where, x.filter(f))
		}
	}
	if len(any) == len(x.b.Uses) { // rows that no atom counts make no groups
		where = append(where, "("+strings.Join(any, " OR ")+")")
	}
	for _, w := range x.b.Where {
		where = append(where, x.where(w))
	}
	if x.b.Time != nil {
		t := x.column(-1, x.b.Time.Expr)
		if !span.Start.IsZero() {
			where = append(where, t+" >= "+x.bound(span.Start, x.b.Time.Kind()))
		}
		if !span.End.IsZero() {
			where = append(where, t+" < "+x.bound(span.End, x.b.Time.Kind()))
		}
	}
	// The joins' keys ask for further columns, so they are printed before the sources.
	var joins []string
	for i, j := range x.b.Joins {
		var on []string
		for _, k := range j.Edge.Keys {
			on = append(on, x.column(j.From, k.From)+" = "+x.column(i, k.To))
		}
		kind := "LEFT JOIN"
		if j.Edge.Inner {
			kind = "INNER JOIN"
		}
		joins = append(joins, kind+" \x01"+fmt.Sprint(i)+"\x01 ON "+strings.Join(on, " AND "))
	}
	q := "SELECT " + strings.Join(columns, ",\n  ") + "\nFROM " + x.source(-1, x.b.Model)
	for i, j := range joins {
		q += "\n" + strings.Replace(j, "\x01"+fmt.Sprint(i)+"\x01", x.source(i, x.b.Joins[i].Edge.To), 1)
	}
	if len(where) > 0 {
		q += "\nWHERE " + strings.Join(where, "\n  AND ")
	}
	return q
}

// source is a model's relation as a subquery of what is needed.
func (x *branch) source(join int, m *semantic.Model) string {
	exprs := x.columns[join]
	if len(exprs) == 0 {
		exprs = []string{"1"}
	}
	var columns []string
	for i, e := range exprs {
		columns = append(columns, fmt.Sprintf("%s AS q%d", e, i))
	}
	return fmt.Sprintf("(SELECT %s FROM %s AS %s) AS %s", strings.Join(columns, ", "), x.relation(m.Relation), x.d.quote(m.Relation.Name), alias(join))
}

// value is what a measure aggregates, in a row.
func (x *branch) value(m *semantic.Measure) string {
	v := x.column(-1, m.Expr)
	switch {
	case m.Agg == "sum_boolean":
		v = "CASE WHEN " + v + " THEN 1 ELSE 0 END"
	case m.Agg == "median" || m.Agg == "percentile":
		v = x.d.double(v) // DuckDB would round a decimal to its scale
	case x.d == ClickHouse && m.Agg == "sum" && m.Column != nil && whole(m.Column.Type):
		v = "toInt128(" + v + ")" // a sum of 64-bit integers would wrap around
	}
	if x.d == ClickHouse && m.Agg != "count" && m.Agg != "count_distinct" {
		v = "toNullable(" + v + ")" // so that nothing gives null, and not 0
	}
	return v
}

// whole says that a column type is one of integers.
func whole(t string) bool {
	t = strings.ToLower(t)
	return strings.Contains(t, "int") && !strings.Contains(t, "interval")
}

func (x *branch) where(w semantic.Where) string {
	c := x.column(w.On.Join, w.On.Expr)
	if w.On.Grain != "" {
		return x.d.condition(x.at(w.On), w.Op, x.values(w.Values))
	}
	var values []string
	for _, l := range w.Values {
		if t, _, ok := semantic.ParseTime(l.Text); ok && l.Kind == semantic.Timestamp && w.On.Clock != semantic.AsIs {
			l.Text = x.utc(t).Format("2006-01-02 15:04:05.999999")
		}
		values = append(values, x.param(l))
	}
	return x.d.condition(c, w.Op, values)
}

// plain groups the rows.
func (x *branch) plain() string {
	rows := x.rows(x.span(), false)
	alias := "r"
	var windows []string
	for i, u := range x.b.Uses {
		n := u.Atom.Measure.NonAdditive
		if n == nil {
			continue
		}
		pick, by := "min", []string{}
		if n.Last {
			pick = "max"
		}
		if x.time >= 0 {
			by = append(by, fmt.Sprintf("r.d%d", x.time))
		}
		for j := range n.Groupings {
			by = append(by, fmt.Sprintf("r.g%d_%d", i, j))
		}
		counted := fmt.Sprintf("r.n%d", i)
		if len(x.own(u)) > 0 {
			counted = fmt.Sprintf("CASE WHEN r.f%d THEN r.n%d END", i, i)
		}
		over := ""
		if len(by) > 0 {
			over = "PARTITION BY " + strings.Join(by, ", ")
		}
		windows = append(windows, fmt.Sprintf("%s(%s) OVER (%s) AS w%d", pick, counted, over, i))
	}
	from := "(\n" + indent(rows) + "\n) AS r"
	if len(windows) > 0 {
		from = "(\n" + indent("SELECT r.*, "+strings.Join(windows, ", ")+"\nFROM "+from) + "\n) AS w"
		alias = "w"
	}
	var columns, group []string
	for i := range x.b.Dims {
		columns = append(columns, fmt.Sprintf("%s.d%d AS d%d", alias, i, i))
		group = append(group, fmt.Sprintf("%s.d%d", alias, i))
	}
	for i, u := range x.b.Uses {
		var when []string
		if len(x.own(u)) > 0 {
			when = append(when, fmt.Sprintf("%s.f%d", alias, i))
		}
		if u.Atom.Measure.NonAdditive != nil {
			when = append(when, fmt.Sprintf("%s.n%d = %s.w%d", alias, i, alias, i))
		}
		columns = append(columns, x.d.aggregate(u.Atom.Measure, fmt.Sprintf("%s.m%d", alias, i), strings.Join(when, " AND "))+fmt.Sprintf(" AS a%d", i))
	}
	q := "SELECT " + strings.Join(columns, ", ") + "\nFROM " + from
	if len(group) > 0 {
		q += "\nGROUP BY " + strings.Join(group, ", ")
	}
	return q
}

// merged says how values of days are put together, empty when they cannot be.
func merged(m *semantic.Measure) string {
	switch m.Agg {
	case "sum", "count", "sum_boolean":
		return "sum"
	case "min", "max":
		return m.Agg
	}
	return ""
}

// cumulative accumulates over days, and picks a day of each period.
//
// Where all values can be put together from days, a window function runs over a
// grid of every day with every combination of the other dimensions. Others
// (distinct counts, medians, averages) and windows of months meet the rows of
// their days in a join.
func (x *branch) cumulative() string {
	c := x.b.Uses[0].Atom.Cumulative
	r := x.plan.Range
	span := semantic.Range{End: r.End}
	if !r.Start.IsZero() {
		first := semantic.Day.Truncate(r.Start)
		switch {
		case x.time < 0 && !r.End.IsZero(): // the value at the end of the range
			first = semantic.Day.Truncate(r.End.Add(-time.Microsecond))
			span.Start = earliest(c, first)
		default:
			span.Start = earliest(c, first)
		}
	}
	day := "day"
	if x.time >= 0 {
		day = fmt.Sprintf("d%d", x.time)
	}
	var others []int
	for i := range x.b.Dims {
		if i != x.time {
			others = append(others, i)
		}
	}
	grid := c.Window == nil || c.Window.Grain == "day" || c.Window.Grain == "week"
	for _, u := range x.b.Uses {
		grid = grid && merged(u.Atom.Measure) != ""
	}
	rows := x.rows(span, true)
	dims := func(of string, name bool) string {
		s := ""
		for _, i := range others {
			s += fmt.Sprintf(", %s.d%d", of, i)
			if name {
				s += fmt.Sprintf(" AS d%d", i)
			}
		}
		return s
	}
	filtered := func(i int) string {
		if len(x.own(x.b.Uses[i])) == 0 {
			return ""
		}
		return fmt.Sprintf("x.f%d", i)
	}
	// Days of the result.
	low, high := "(SELECT min(x.day) FROM x)", "(SELECT max(x.day) FROM x)"
	date := func(t time.Time) string {
		return x.param(semantic.Literal{Kind: semantic.Date, Text: t.Format(time.DateOnly)})
	}
	from := low
	if !r.Start.IsZero() {
		from = date(semantic.Day.Truncate(r.Start))
	}
	if !r.End.IsZero() {
		high = date(semantic.Day.Truncate(r.End.Add(-time.Microsecond)))
	}
	if x.time < 0 {
		from = high
	}
	q := "WITH x AS (\n" + indent("SELECT r.*, r."+day+" AS day FROM (\n"+indent(rows)+"\n) AS r") + "\n),\n"
	if x.time < 0 {
		q = "WITH x AS (\n" + indent(rows) + "\n),\n"
	}
	if grid {
		q += x.grid(c, dims, filtered, low, high)
	} else {
		q += x.meet(c, dims, filtered, from, high)
	}
	// v has a value for every day; now the days of the result, and one of each period.
	where := []string{fmt.Sprintf("v.day >= %s", from), fmt.Sprintf("v.day <= %s", high)}
	var some []string
	for i := range x.b.Uses {
		some = append(some, fmt.Sprintf("v.a%d IS NOT NULL", i))
	}
	where = append(where, "("+strings.Join(some, " OR ")+")")
	grain := semantic.Day
	if x.time >= 0 {
		grain = x.b.Dims[x.time].Grain
	}
	var columns, group []string
	for i := range x.b.Dims {
		col := fmt.Sprintf("v.d%d", i)
		if i == x.time {
			col = "v.day"
			if grain != semantic.Day {
				col = x.d.trunc(grain, "v.day")
			}
		}
		columns = append(columns, fmt.Sprintf("%s AS d%d", col, i))
		group = append(group, col)
	}
	picked := x.time >= 0 && grain != semantic.Day
	for i := range x.b.Uses {
		v := fmt.Sprintf("v.a%d", i)
		if picked {
			v = x.d.pick(c.Pick, v, "v.day")
		}
		columns = append(columns, fmt.Sprintf("%s AS a%d", v, i))
	}
	q += "SELECT " + strings.Join(columns, ", ") + "\nFROM v\nWHERE " + strings.Join(where, " AND ")
	if picked {
		q += "\nGROUP BY " + strings.Join(group, ", ")
	}
	return q
}

// earliest is the first time that a day's value depends on; zero for all time.
func earliest(c *semantic.Cumulative, day time.Time) time.Time {
	switch {
	case c.Window != nil:
		return semantic.Day.Add(semantic.Grain(c.Window.Grain).Add(day, -c.Window.Count), 1)
	case c.ToDate != "":
		return c.ToDate.Truncate(day)
	}
	return time.Time{}
}

// grid is v by a window function over all days.
func (x *branch) grid(c *semantic.Cumulative, dims func(string, bool) string, filtered func(int) string, low, high string) string {
	var daily, names []string
	for i, u := range x.b.Uses {
		daily = append(daily, x.d.aggregate(u.Atom.Measure, fmt.Sprintf("x.m%d", i), filtered(i))+fmt.Sprintf(" AS p%d", i))
		names = append(names, merged(u.Atom.Measure))
	}
	q := "y AS (\n" + indent("SELECT x.day AS day"+dims("x", true)+", "+strings.Join(daily, ", ")+"\nFROM x GROUP BY x.day"+dims("x", false)) + "\n),\n"
	q += "s AS (" + x.d.series(low, high, semantic.Day, "day") + "),\n"
	var on strings.Builder
	on.WriteString("y.day = s.day")
	grid := "s"
	if k := strings.TrimPrefix(dims("y", true), ", "); k != "" {
		grid += "\nCROSS JOIN (SELECT DISTINCT " + k + " FROM y) AS k"
		for i := range x.b.Dims {
			if i != x.time {
				fmt.Fprintf(&on, " AND y.d%d IS NOT DISTINCT FROM k.d%d", i, i)
			}
		}
	}
	grid += "\nLEFT JOIN y ON " + on.String()
	over := ""
	var by []string
	if k := strings.TrimPrefix(dims("k", false), ", "); k != "" {
		by = append(by, k)
	}
	if c.ToDate != "" {
		by = append(by, x.d.trunc(c.ToDate, "s.day"))
	}
	if len(by) > 0 {
		over = "PARTITION BY " + strings.Join(by, ", ") + " "
	}
	frame := "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"
	if c.Window != nil {
		n := c.Window.Count
		if c.Window.Grain == "week" {
			n *= 7
		}
		frame = fmt.Sprintf("ROWS BETWEEN %d PRECEDING AND CURRENT ROW", n-1)
	}
	columns := "s.day AS day" + dims("k", true)
	for i := range x.b.Uses {
		columns += fmt.Sprintf(", %s(y.p%d) OVER (%sORDER BY s.day %s) AS a%d", names[i], i, over, frame, i)
	}
	return q + "v AS (\n" + indent("SELECT "+columns+"\nFROM "+grid) + "\n)\n"
}

// meet is v by a join of each day with the rows that it depends on.
func (x *branch) meet(c *semantic.Cumulative, dims func(string, bool) string, filtered func(int) string, from, to string) string {
	var columns []string
	for i, u := range x.b.Uses {
		columns = append(columns, x.d.aggregate(u.Atom.Measure, fmt.Sprintf("x.m%d", i), filtered(i))+fmt.Sprintf(" AS a%d", i))
	}
	where := "x.day <= s.day"
	switch {
	case c.Window != nil:
		where += " AND x.day > " + x.d.move("s.day", -c.Window.Count, semantic.Grain(c.Window.Grain))
	case c.ToDate != "":
		where += " AND x.day >= " + x.d.trunc(c.ToDate, "s.day")
	}
	return "s AS (" + x.d.series(from, to, semantic.Day, "day") + "),\nv AS (\n" + indent("SELECT s.day AS day"+dims("x", true)+", "+strings.Join(columns, ", ")+
		"\nFROM s CROSS JOIN x\nWHERE "+where+"\nGROUP BY s.day"+dims("x", false)) + "\n)\n"
}
