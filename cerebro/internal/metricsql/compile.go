package metricsql

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/quartet-mcp/quartet/cerebro/internal/dbt"
	"github.com/quartet-mcp/quartet/cerebro/internal/semantic"
)

// Options are what printing depends on beside the plan.
type Options struct {
	Dialect Dialect
	// Zone is the project's time zone; nil is UTC. Times of relations are in UTC.
	Zone *time.Location
}

// Statement is one SELECT.
type Statement struct {
	SQL string
	// Args are the values of parameters 1, 2, … in order.
	Args []Arg
	// Display is the statement with the values written into it.
	Display string
	Columns []string
}

// Arg is the value of a parameter: an int64, float64, bool or string. Dates and
// times are strings in the form of ISO 8601.
type Arg struct {
	Kind  semantic.Kind
	Value any
}

// Compile prints a plan. The same plan gives the same bytes.
func Compile(p *semantic.Plan, o Options) *Statement {
	c := &compiler{plan: p, d: o.Dialect, zone: o.Zone}
	if c.zone == time.UTC {
		c.zone = nil
	}
	text := c.numbered(c.statement())
	s := &Statement{Columns: p.Columns()}
	for _, l := range c.args {
		a := Arg{Kind: l.Kind, Value: l.Text}
		switch l.Kind {
		case semantic.Number:
			if n, err := strconv.ParseInt(l.Text, 10, 64); err == nil {
				a.Value = n
			} else if f, err := strconv.ParseFloat(l.Text, 64); err == nil {
				a.Value = f
			}
		case semantic.Bool:
			a.Value = l.Text == "true"
		}
		s.Args = append(s.Args, a)
	}
	hole := func(write func(n int) string) string {
		return marker.ReplaceAllStringFunc(text, func(m string) string {
			n, err := strconv.Atoi(strings.Trim(m, "\x00"))
			if err != nil {
				panic(err) // markers are ours
			}
			return write(n)
		})
	}
	s.SQL = hole(func(n int) string {
		_, whole := s.Args[n-1].Value.(int64)
		return c.d.parameter(n, c.args[n-1].Kind, whole)
	})
	s.Display = hole(func(n int) string { return c.d.literal(c.args[n-1]) })
	return s
}

// marker stands for a parameter while the text grows. No SQL of authors holds a NUL byte.
var marker = regexp.MustCompile("\x00[0-9]+\x00")

type compiler struct {
	plan *semantic.Plan
	d    Dialect
	zone *time.Location
	args []semantic.Literal
}

// numbered counts the parameters in the order of the text, without those that it does not have.
func (c *compiler) numbered(text string) string {
	all := c.args
	c.args = nil
	number := map[string]string{}
	return marker.ReplaceAllStringFunc(text, func(m string) string {
		if _, ok := number[m]; !ok {
			n, err := strconv.Atoi(strings.Trim(m, "\x00"))
			if err != nil {
				panic(err) // markers are ours
			}
			c.args = append(c.args, all[n-1])
			number[m] = fmt.Sprintf("\x00%d\x00", len(c.args))
		}
		return number[m]
	})
}

func (c *compiler) param(l semantic.Literal) string {
	for i, a := range c.args {
		if a == l {
			return fmt.Sprintf("\x00%d\x00", i+1)
		}
	}
	c.args = append(c.args, l)
	return fmt.Sprintf("\x00%d\x00", len(c.args))
}

// bound gives a time as a parameter. A column of dates is compared with a date
// where the time is one; times of relations are in UTC.
func (c *compiler) bound(t time.Time, k semantic.Kind) string {
	if k == semantic.Date && t.Equal(semantic.Day.Truncate(t)) {
		return c.param(semantic.Literal{Kind: semantic.Date, Text: t.Format(time.DateOnly)})
	}
	return c.param(semantic.Literal{Kind: semantic.Timestamp, Text: c.utc(t).Format("2006-01-02 15:04:05.999999")})
}

// utc takes a wall clock of the project's zone to UTC.
func (c *compiler) utc(t time.Time) time.Time {
	if c.zone == nil {
		return t
	}
	y, m, d := t.Date()
	return time.Date(y, m, d, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), c.zone).UTC()
}

// clock takes a time of a relation to the project's wall clock.
func (c *compiler) clock(x string, k semantic.Clock) string {
	if c.zone == nil || k == semantic.AsIs {
		return x
	}
	return c.d.zone(c.zone.String(), x, k == semantic.Instant)
}

func (c *compiler) relation(r dbt.Relation) string {
	name := c.d.quote(r.Name)
	if r.Schema != "" {
		name = c.d.quote(r.Schema) + "." + name
	}
	return name
}

// statement combines the branches.
func (c *compiler) statement() string {
	p := c.plan
	var with []string
	for i, b := range p.Branches {
		with = append(with, fmt.Sprintf("b%d AS (\n%s\n)", i, indent(newBranch(c, b).text())))
	}
	from := "b0"
	key := func(i int) string { return fmt.Sprintf("b0.d%d", i) }
	single := len(p.Branches) == 1 && !moved(p.Branches[0]) && !c.spined()
	if !single {
		from, key = c.combined(&with)
	}
	var columns []string
	for i, d := range p.Dims {
		columns = append(columns, key(i)+" AS "+c.d.quote(d.Name))
	}
	for _, v := range p.Values {
		columns = append(columns, c.formula(v.Formula)+" AS "+c.d.quote(v.Metric.Name))
	}
	q := "SELECT\n  " + strings.Join(columns, ",\n  ") + "\nFROM " + from
	if len(p.Having) > 0 {
		var conditions []string
		for _, h := range p.Having {
			conditions = append(conditions, c.d.condition("r."+c.d.quote(p.Values[h.Value].Metric.Name), h.Op, c.values(h.Values)))
		}
		var names []string
		for _, n := range p.Columns() {
			names = append(names, "r."+c.d.quote(n)+" AS "+c.d.quote(n))
		}
		q = "SELECT " + strings.Join(names, ", ") + "\nFROM (\n" + indent(q) + "\n) AS r\nWHERE " + strings.Join(conditions, " AND ")
	}
	if len(p.Order) > 0 {
		names := p.Columns()
		var keys []string
		for _, o := range p.Order {
			k := c.d.quote(names[o.Column])
			if o.Desc {
				k += " DESC"
			}
			keys = append(keys, k+" NULLS LAST")
		}
		q += "\nORDER BY " + strings.Join(keys, ", ")
	}
	if p.Limit > 0 {
		q += "\nLIMIT " + strconv.Itoa(p.Limit)
	}
	return "WITH " + strings.Join(with, ",\n") + "\n" + q
}

func indent(s string) string { return "  " + strings.ReplaceAll(s, "\n", "\n  ") }

func (c *compiler) values(list []semantic.Literal) []string {
	var out []string
	for _, l := range list {
		out = append(out, c.param(l))
	}
	return out
}

// moved says that a branch's values belong to other periods than its own.
func moved(b *semantic.Branch) bool {
	a := b.Uses[0].Atom
	return a.Offset != nil || a.ToGrain != ""
}

// spined says that periods without rows are asked for.
func (c *compiler) spined() bool {
	if c.plan.MetricTime() < 0 {
		return false
	}
	return slices.ContainsFunc(c.plan.Branches, func(b *semantic.Branch) bool {
		return slices.ContainsFunc(b.Uses, func(u semantic.Use) bool { return u.Atom.Spine })
	})
}

// combined joins the branches on the keys that any of them has. It gives what
// stands behind FROM, and the columns of keys.
func (c *compiler) combined(with *[]string) (string, func(int) string) {
	p := c.plan
	t := p.MetricTime()
	if len(p.Dims) == 0 {
		var all []string
		for i := range p.Branches {
			all = append(all, fmt.Sprintf("b%d", i))
		}
		return strings.Join(all, " CROSS JOIN "), nil
	}
	list := func(of string) string {
		var out []string
		for i := range p.Dims {
			out = append(out, fmt.Sprintf("%s.d%d AS d%d", of, i, i))
		}
		return strings.Join(out, ", ")
	}
	var parts []string
	for i, b := range p.Branches {
		if t < 0 || !moved(b) {
			parts = append(parts, fmt.Sprintf("SELECT %s FROM b%d", list(fmt.Sprintf("b%d", i)), i))
		}
	}
	if len(parts) == 0 { // everything is of earlier times: the times that it belongs to
		for i, b := range p.Branches {
			parts = append(parts, c.later(i, b, t))
		}
	}
	keys := strings.Join(parts, "\nUNION DISTINCT\n")
	if c.d == DuckDB {
		keys = strings.Join(parts, "\nUNION\n")
	}
	if len(parts) == 1 {
		keys = strings.Replace(keys, "SELECT ", "SELECT DISTINCT ", 1)
	}
	*with = append(*with, "k AS (\n"+indent(keys)+"\n)")
	name := "k"
	if c.spined() {
		*with = append(*with, "s AS (\n"+indent(c.spine(t))+"\n)")
		name = "s"
	}
	from := name
	for i, b := range p.Branches {
		var on []string
		for j := range p.Dims {
			left := fmt.Sprintf("%s.d%d", name, j)
			if j == t {
				left = c.shifted(left, b, p.Dims[t].Grain)
			}
			on = append(on, fmt.Sprintf("%s IS NOT DISTINCT FROM b%d.d%d", left, i, j))
		}
		from += fmt.Sprintf("\nLEFT JOIN b%d ON %s", i, strings.Join(on, " AND "))
	}
	return from, func(i int) string { return fmt.Sprintf("%s.d%d", name, i) }
}

// shifted gives the period of a branch that belongs to one of the result.
func (c *compiler) shifted(x string, b *semantic.Branch, g semantic.Grain) string {
	a := b.Uses[0].Atom
	switch {
	case a.Offset != nil:
		return c.d.trunc(g, c.d.move(x, -a.Offset.Count, semantic.Grain(a.Offset.Grain)))
	case a.ToGrain != "":
		return c.d.trunc(g, c.d.trunc(a.ToGrain, x))
	}
	return x
}

// later lists the periods to which the values of a branch belong, within the range that is asked for.
func (c *compiler) later(i int, b *semantic.Branch, t int) string {
	p := c.plan
	var columns []string
	for j, d := range p.Dims {
		x := fmt.Sprintf("b%d.d%d", i, j)
		if a := b.Uses[0].Atom; j == t && a.Offset != nil {
			x = c.d.trunc(d.Grain, c.d.move(x, a.Offset.Count, semantic.Grain(a.Offset.Grain)))
		}
		columns = append(columns, fmt.Sprintf("%s AS d%d", x, j))
	}
	q := fmt.Sprintf("SELECT %s FROM b%d", strings.Join(columns, ", "), i)
	var where []string
	day := func(t time.Time) string {
		return c.param(semantic.Literal{Kind: semantic.Date, Text: t.Format(time.DateOnly)})
	}
	if r := p.Range; !r.Start.IsZero() {
		where = append(where, fmt.Sprintf("q.d%d >= %s", t, day(p.Dims[t].Grain.Truncate(r.Start))))
	}
	if r := p.Range; !r.End.IsZero() {
		where = append(where, fmt.Sprintf("q.d%d < %s", t, day(r.End)))
	}
	if len(where) == 0 {
		return q
	}
	return "SELECT * FROM (" + q + ") AS q WHERE " + strings.Join(where, " AND ")
}

// spine gives every period of the range, with each combination of the other dimensions.
func (c *compiler) spine(t int) string {
	p := c.plan
	g := p.Dims[t].Grain
	end := func(at time.Time, aggregate string) string {
		if at.IsZero() {
			return fmt.Sprintf("(SELECT %s(k.d%d) FROM k)", aggregate, t)
		}
		return c.param(semantic.Literal{Kind: semantic.Date, Text: at.Format(time.DateOnly)})
	}
	from, to := p.Range.Start, p.Range.End
	if !from.IsZero() {
		from = g.Truncate(from)
	}
	if !to.IsZero() {
		to = g.Truncate(to.Add(-time.Microsecond))
	}
	series := c.d.series(end(from, "min"), end(to, "max"), g, fmt.Sprintf("d%d", t))
	if len(p.Dims) == 1 {
		return series
	}
	var others, columns []string
	for i := range p.Dims {
		if i == t {
			columns = append(columns, fmt.Sprintf("t.d%d AS d%d", i, i))
			continue
		}
		others = append(others, fmt.Sprintf("k.d%d AS d%d", i, i))
		columns = append(columns, fmt.Sprintf("o.d%d AS d%d", i, i))
	}
	return fmt.Sprintf("SELECT %s\nFROM (%s) AS t\nCROSS JOIN (SELECT DISTINCT %s FROM k) AS o", strings.Join(columns, ", "), series, strings.Join(others, ", "))
}

// formula prints a metric's value over the branches.
func (c *compiler) formula(f semantic.Formula) string {
	switch f := f.(type) {
	case *semantic.Atom:
		i, j := c.plan.Place(f)
		x := fmt.Sprintf("b%d.a%d", i, j)
		if f.Fill != nil {
			x = "coalesce(" + x + ", " + strconv.FormatFloat(*f.Fill, 'f', -1, 64) + ")"
		}
		return x
	case *semantic.Ratio:
		n, d := c.formula(f.Numerator), c.formula(f.Denominator)
		return c.d.double(n) + " / nullif(" + c.d.double(d) + ", 0)"
	case *semantic.Derived:
		// Engines divide integers and decimals differently, floating-point numbers alike.
		divides := slices.ContainsFunc(f.Parts, func(p semantic.Part[int]) bool { return p.Hole == nil && strings.Contains(p.SQL, "/") })
		var b strings.Builder
		b.WriteString("(")
		for _, p := range f.Parts {
			if p.Hole == nil {
				b.WriteString(p.SQL)
				continue
			}
			x := c.formula(f.Inputs[*p.Hole])
			if divides {
				x = c.d.double(x)
			}
			b.WriteString("(" + x + ")")
		}
		b.WriteString(")")
		return b.String()
	}
	return "NULL"
}
