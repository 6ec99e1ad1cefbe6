package chart

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Types are the types of charts.
var Types = []string{"line", "area", "bar", "pie", "funnel", "treemap", "numberDisplay", "scatter", "heatmap", "calendar", "gauge", "sankey", "graph"}

// Limits of what one chart shows.
const (
	MaxSeries  = 20
	MaxSlices  = 30
	MaxPoints  = 5000
	MaxCells   = 10_000
	MaxLinks   = 300
	maxYears   = 3
	otherLabel = "Other"
)

// Spec is what a chart is asked to be. Empty fields are chosen.
type Spec struct {
	Type   string
	X      string
	Y      string // a column, or several with commas between
	Change string // of a numberDisplay: the column of the change
	Series string
	Title  string
	// Time is the column of the metrics' time, for x; empty when there is none.
	Time string
}

// Chart is a chart that was built.
type Chart struct {
	Type     string
	Title    string
	X        string
	Y        []string
	Change   string
	Series   string
	Points   int // data points that are shown
	Option   json.RawMessage
	Reading  string // what the data say in a line
	Warnings []string
}

// Error is a result that does not have the shape of a chart.
type Error struct{ Message string }

func (e *Error) Error() string { return e.Message }

func fail(format string, args ...any) *Error { return &Error{fmt.Sprintf(format, args...)} }

// Build makes a chart. Errors are [*Error]s.
func Build(d Data, s Spec) (*Chart, error) {
	if !slices.Contains(Types, s.Type) {
		return nil, fail("chart_type %q is none of %s", s.Type, strings.Join(Types, ", "))
	}
	if len(d.Rows) == 0 {
		return nil, fail("the query gave no rows, so there is nothing to chart")
	}
	b := builder{d: d, s: s, chart: &Chart{Type: s.Type, Title: s.Title, Warnings: []string{}}}
	if err := b.fields(); err != nil {
		return nil, err
	}
	var err error
	switch s.Type {
	case "line", "area", "bar":
		err = b.cartesian()
	case "pie", "funnel", "treemap":
		err = b.parts()
	case "numberDisplay":
		err = b.number()
	case "scatter":
		err = b.scatter()
	case "heatmap":
		err = b.heatmap()
	case "calendar":
		err = b.calendar()
	case "gauge":
		err = b.gauge()
	case "sankey", "graph":
		err = b.links()
	}
	if err != nil {
		return nil, err
	}
	c := b.chart
	for _, i := range b.y {
		c.Y = append(c.Y, d.Columns[i].Name)
	}
	if b.x >= 0 {
		c.X = d.Columns[b.x].Name
	}
	if b.series >= 0 {
		c.Series = d.Columns[b.series].Name
	}
	if s.Title != "" {
		b.option.Title = &title{s.Title}
	}
	b.option.Aria = aria{Enabled: true, Label: &ariaL{c.Reading}}
	b.option.Color = Light
	if c.Option, err = json.Marshal(b.option); err != nil {
		return nil, fail("the chart's data cannot be written: %v", err)
	}
	return c, nil
}

type builder struct {
	d      Data
	s      Spec
	chart  *Chart
	option Option
	x      int
	y      []int
	series int
}

func (b *builder) warn(format string, args ...any) {
	b.chart.Warnings = append(b.chart.Warnings, fmt.Sprintf(format, args...))
}

// field finds a column that is asked for.
func (b *builder) field(argument, name string) (int, error) {
	i := b.d.column(name)
	if i < 0 {
		return 0, fail("%s %q is no column of the result; there are %s", argument, name, strings.Join(b.d.names(), ", "))
	}
	return i, nil
}

// fields resolves the columns that are asked for, and chooses the others.
func (b *builder) fields() error {
	b.x, b.series = -1, -1
	var err error
	if b.s.X != "" {
		if b.x, err = b.field("x_field", b.s.X); err != nil {
			return err
		}
	}
	if b.s.Series != "" {
		if b.series, err = b.field("series_field", b.s.Series); err != nil {
			return err
		}
	}
	for _, name := range strings.Split(b.s.Y, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		i, err := b.field("y_field", name)
		if err != nil {
			return err
		}
		if !slices.Contains(b.y, i) {
			b.y = append(b.y, i)
		}
	}
	for _, i := range b.y {
		if b.d.Columns[i].Kind != Number && b.s.Type != "heatmap" {
			return fail("y_field %q holds no numbers; columns with numbers: %s", b.d.Columns[i].Name, list(b.numberNames()))
		}
	}
	return nil
}

func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func (b *builder) numberNames() []string {
	var out []string
	for _, i := range b.d.numbers() {
		out = append(out, b.d.Columns[i].Name)
	}
	return out
}

// taken says that a column already has a role.
func (b *builder) taken(i int) bool { return i == b.x || i == b.series || slices.Contains(b.y, i) }

// chooseX takes the metrics' time, else the first column that is no number, else the first.
func (b *builder) chooseX() {
	if b.x >= 0 {
		return
	}
	if i := b.d.column(b.s.Time); b.s.Time != "" && i >= 0 && !b.taken(i) {
		b.x = i
		return
	}
	for _, kinds := range [][]Kind{{Time}, {Text, Bool}, {Number}} {
		for i, c := range b.d.Columns {
			if slices.Contains(kinds, c.Kind) && !b.taken(i) {
				b.x = i
				return
			}
		}
	}
}

// chooseY takes the only number that is left; several have to be chosen from.
func (b *builder) chooseY(all bool) error {
	if len(b.y) > 0 {
		return nil
	}
	for _, i := range b.d.numbers() {
		if !b.taken(i) {
			b.y = append(b.y, i)
		}
	}
	switch {
	case len(b.y) == 0:
		return fail("a %s needs a column of numbers; the columns are %s", b.s.Type, strings.Join(b.d.names(), ", "))
	case len(b.y) > 1 && !all:
		names := b.numberNames()
		b.y = nil
		return fail("a %s shows one number, and the result has several: %s; name one as y_field", b.s.Type, strings.Join(names, ", "))
	}
	return nil
}

// cartesian makes lines, areas and bars.
func (b *builder) cartesian() error {
	b.chooseX()
	if len(b.y) == 0 {
		numbers := slices.DeleteFunc(b.d.numbers(), b.taken)
		switch len(numbers) {
		case 0:
			return fail("a %s needs a column of numbers beside x; the columns are %s", b.s.Type, strings.Join(b.d.names(), ", "))
		case 1:
			b.y = numbers
		default:
			// More columns are not drawn on their own: what they measure may not fit on one axis.
			names := make([]string, len(numbers))
			for i, n := range numbers {
				names[i] = b.d.Columns[n].Name
			}
			return fail("the result has several columns of numbers: %s; name those to draw as y_field, with commas between", strings.Join(names, ", "))
		}
	}
	if b.x < 0 {
		return fail("a %s needs a column for x beside %s", b.s.Type, b.d.Columns[b.y[0]].Name)
	}
	if b.series < 0 && len(b.y) == 1 { // one further dimension tells series apart
		var rest []int
		for i, c := range b.d.Columns {
			if c.Kind != Number && !b.taken(i) {
				rest = append(rest, i)
			}
		}
		if len(rest) == 1 && b.repeats() {
			b.series = rest[0]
		}
	}
	if b.series >= 0 && len(b.y) > 1 {
		return fail("series_field splits one number; y_field names %d", len(b.y))
	}
	timed := b.d.Columns[b.x].Kind == Time
	xs := b.categories(b.x, timed)
	index := map[string]int{}
	for i, x := range xs {
		index[x] = i
	}
	type line struct {
		name   string
		values []any
		sum    float64
	}
	var lines []*line
	at := map[string]*line{}
	get := func(name string) *line {
		if at[name] == nil {
			at[name] = &line{name: name, values: make([]any, len(xs))}
			lines = append(lines, at[name])
		}
		return at[name]
	}
	twice := 0
	for _, r := range b.d.Rows {
		for _, y := range b.y {
			name := b.d.Columns[y].Name
			if b.series >= 0 {
				name = label(r[b.series])
			}
			l := get(name)
			i := index[label(r[b.x])]
			if l.values[i] != nil {
				twice++
			}
			l.values[i] = exact(r[y])
			if f, ok := number(r[y]); ok {
				l.sum += f
			}
		}
	}
	if twice > 0 {
		same := b.d.Columns[b.x].Name
		if b.series >= 0 {
			same += " and " + b.d.Columns[b.series].Name
		}
		return fail("%d rows have the same %s; aggregate them in the query, or name a series_field", twice, same)
	}
	if len(lines) > MaxSeries {
		slices.SortStableFunc(lines, func(x, y *line) int { return cmp.Compare(y.sum, x.sum) })
		other := &line{name: otherLabel, values: make([]any, len(xs))}
		for _, l := range lines[MaxSeries-1:] {
			for i, v := range l.values {
				if f, ok := number(v); ok {
					sum, _ := number(other.values[i])
					other.values[i] = sum + f
				}
			}
		}
		b.warn("%d series are drawn as one, %q: the %d with the largest sums are shown", len(lines)-MaxSeries+1, otherLabel, MaxSeries-1)
		lines = append(lines[:MaxSeries-1], other)
	}
	b.option.Tooltip = &tooltip{"axis"}
	b.option.Grid = &grid{true}
	b.option.YAxis = &axis{Type: "value"}
	b.option.XAxis = &axis{Type: "category", Name: b.d.Columns[b.x].Name, Data: xs}
	if timed {
		b.option.XAxis = &axis{Type: "time", Name: b.d.Columns[b.x].Name}
	}
	no := false
	var names []string
	for _, l := range lines {
		s := series{Type: "line", Name: l.name}
		if b.s.Type == "bar" {
			s.Type = "bar"
		} else {
			s.ConnectNulls = &no
		}
		if b.s.Type == "area" {
			s.Area = &struct{}{}
		}
		if timed {
			points := make([][]any, len(xs))
			for i, x := range xs {
				points[i] = []any{x, l.values[i]}
			}
			s.Data = points
		} else {
			s.Data = l.values
		}
		b.option.Series = append(b.option.Series, s)
		names = append(names, l.name)
	}
	if len(names) > 1 {
		b.option.Legend = &legend{"scroll", names}
	}
	b.chart.Points = len(b.d.Rows) * len(b.y)
	b.format(b.y[0])
	b.read(b.x, b.y[0], xs)
	return nil
}

// repeats says that a value of x occurs more than once.
func (b *builder) repeats() bool {
	seen := map[string]bool{}
	for _, r := range b.d.Rows {
		k := label(r[b.x])
		if seen[k] {
			return true
		}
		seen[k] = true
	}
	return false
}

// categories are the distinct values of a column: times in their order, others as they come.
func (b *builder) categories(column int, timed bool) []string {
	var out []string
	seen := map[string]bool{}
	for _, r := range b.d.Rows {
		if k := label(r[column]); !seen[k] {
			seen[k] = true
			out = append(out, k)
		}
	}
	if timed {
		slices.SortStableFunc(out, func(a, b string) int {
			x, okX := when(a)
			y, okY := when(b)
			if okX && okY {
				return x.Compare(y)
			}
			return strings.Compare(a, b)
		})
	}
	return out
}

func (b *builder) format(y int) {
	if f := b.d.Columns[y].Format; f != "" {
		b.option.Formats = &formatting{Y: f}
	}
}

// read says the first and last value, and the smallest and largest one.
func (b *builder) read(x, y int, order []string) {
	type point struct {
		x string
		v float64
		s string
	}
	var points []point
	for _, r := range b.d.Rows {
		if f, ok := number(r[y]); ok {
			points = append(points, point{label(r[x]), f, fmt.Sprint(exact(r[y]))})
		}
	}
	name := b.d.Columns[y].Name
	if len(points) == 0 {
		b.chart.Reading = name + " has no values"
		return
	}
	rank := map[string]int{}
	for i, o := range order {
		rank[o] = i
	}
	slices.SortStableFunc(points, func(a, c point) int { return cmp.Compare(rank[a.x], rank[c.x]) })
	low, high := points[0], points[0]
	for _, p := range points {
		if p.v < low.v {
			low = p
		}
		if p.v > high.v {
			high = p
		}
	}
	first, last := points[0], points[len(points)-1]
	b.chart.Reading = fmt.Sprintf("%s: first %s (%s), last %s (%s), lowest %s (%s), highest %s (%s)",
		name, first.s, first.x, last.s, last.x, low.s, low.x, high.s, high.x)
}

// parts makes pies, funnels and treemaps.
func (b *builder) parts() error {
	b.chooseX()
	if err := b.chooseY(false); err != nil {
		return err
	}
	if b.x < 0 || len(b.y) != 1 {
		return fail("a %s needs one column of categories and one of numbers; the columns are %s", b.s.Type, strings.Join(b.d.names(), ", "))
	}
	var slicesOf []named
	var sums []float64
	for _, r := range b.d.Rows {
		f, ok := number(r[b.y[0]])
		if !ok {
			continue
		}
		if f < 0 {
			return fail("a %s shows parts of a whole, and %s of %s is %v", b.s.Type, b.d.Columns[b.y[0]].Name, label(r[b.x]), r[b.y[0]])
		}
		slicesOf = append(slicesOf, named{label(r[b.x]), exact(r[b.y[0]])})
		sums = append(sums, f)
	}
	if len(slicesOf) > MaxSlices {
		order := make([]int, len(sums))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(sums[y], sums[x]) })
		var kept []named
		rest := 0.0
		for n, i := range order {
			if n < MaxSlices-1 {
				kept = append(kept, slicesOf[i])
			} else {
				rest += sums[i]
			}
		}
		folded := len(order) - MaxSlices + 1
		b.warn("%d small parts are one, %q", folded, fmt.Sprintf("%s (%d)", otherLabel, folded))
		slicesOf = append(kept, named{fmt.Sprintf("%s (%d)", otherLabel, folded), rest})
	}
	b.option.Tooltip = &tooltip{"item"}
	b.option.Series = []series{{Type: b.s.Type, Name: b.d.Columns[b.y[0]].Name, Data: slicesOf}}
	if b.s.Type != "treemap" {
		var names []string
		for _, s := range slicesOf {
			names = append(names, s.Name)
		}
		b.option.Legend = &legend{"scroll", names}
	}
	b.chart.Points = len(slicesOf)
	b.format(b.y[0])
	b.read(b.x, b.y[0], b.categories(b.x, false))
	return nil
}

func (b *builder) one() error {
	if len(b.d.Rows) != 1 {
		return fail("a %s shows one row, and the query gave %d; aggregate it or choose another chart_type", b.s.Type, len(b.d.Rows))
	}
	return b.chooseY(false)
}

func (b *builder) number() error {
	if b.s.Change != "" { // it is no candidate for the number itself
		i, err := b.field("change_field", b.s.Change)
		if err != nil {
			return err
		}
		b.chart.Change = b.d.Columns[i].Name
		b.series = i
	}
	if err := b.one(); err != nil {
		return err
	}
	y := b.y[0]
	n := &bigNumber{Label: cmp.Or(b.s.Title, b.d.Columns[y].Name), Value: exact(b.d.Rows[0][y]), Format: b.d.Columns[y].Format}
	if b.chart.Change != "" {
		n.Change = exact(b.d.Rows[0][b.series])
		b.series = -1
	}
	b.option.Number = n
	b.option.Series = []series{}
	b.chart.Points = 1
	b.chart.Reading = fmt.Sprintf("%s is %v", b.d.Columns[y].Name, orNone(n.Value))
	return nil
}

func orNone(v any) any {
	if v == nil {
		return "not known"
	}
	return v
}

func (b *builder) gauge() error {
	if err := b.one(); err != nil {
		return err
	}
	y := b.y[0]
	s := series{Type: "gauge", Data: []named{{b.d.Columns[y].Name, exact(b.d.Rows[0][y])}}}
	if i := b.d.column("min"); i >= 0 && i != y {
		s.Min = exact(b.d.Rows[0][i])
	}
	if i := b.d.column("max"); i >= 0 && i != y {
		s.Max = exact(b.d.Rows[0][i])
	}
	b.option.Series = []series{s}
	b.chart.Points = 1
	b.format(y)
	b.chart.Reading = fmt.Sprintf("%s is %v", b.d.Columns[y].Name, orNone(exact(b.d.Rows[0][y])))
	return nil
}

func (b *builder) scatter() error {
	numbers := slices.DeleteFunc(b.d.numbers(), b.taken)
	if b.x < 0 && len(numbers) > 0 {
		b.x, numbers = numbers[0], numbers[1:]
	}
	if len(b.y) == 0 && len(numbers) > 0 {
		b.y, numbers = numbers[:1:1], numbers[1:]
	}
	if b.x < 0 || len(b.y) == 0 || b.d.Columns[b.x].Kind != Number {
		return fail("a scatter needs two columns of numbers; there are %s", list(b.numberNames()))
	}
	size := -1
	if len(b.y) > 1 {
		size = b.y[1]
		b.y = b.y[:1]
	} else if len(numbers) == 1 {
		size = numbers[0]
	}
	rows := b.d.Rows
	if len(rows) > MaxPoints { // evenly, so that the shape stays
		sampled := make([][]any, MaxPoints)
		for i := range sampled {
			sampled[i] = rows[i*len(rows)/MaxPoints]
		}
		b.warn("%d of %d points are shown, evenly chosen", MaxPoints, len(rows))
		rows = sampled
	}
	groups := map[string][][]any{}
	var names []string
	for _, r := range rows {
		name := ""
		if b.series >= 0 {
			name = label(r[b.series])
		}
		x, y := exact(r[b.x]), exact(r[b.y[0]])
		if x == nil || y == nil {
			continue
		}
		p := []any{x, y}
		if size >= 0 {
			p = append(p, exact(r[size]))
		}
		if _, ok := groups[name]; !ok {
			names = append(names, name)
		}
		groups[name] = append(groups[name], p)
		b.chart.Points++
	}
	if len(names) > MaxSeries {
		for _, n := range names[MaxSeries-1:] {
			groups[otherLabel] = append(groups[otherLabel], groups[n]...)
		}
		b.warn("%d series are drawn as one, %q", len(names)-MaxSeries+1, otherLabel)
		names = append(names[:MaxSeries-1:MaxSeries-1], otherLabel)
	}
	for _, n := range names {
		b.option.Series = append(b.option.Series, series{Type: "scatter", Name: n, Data: groups[n]})
	}
	if b.chart.Points == 0 {
		return fail("no row has both %s and %s", b.d.Columns[b.x].Name, b.d.Columns[b.y[0]].Name)
	}
	if b.series >= 0 {
		b.option.Legend = &legend{"scroll", names}
	}
	b.option.Tooltip = &tooltip{"item"}
	b.option.Grid = &grid{true}
	b.option.XAxis = &axis{Type: "value", Name: b.d.Columns[b.x].Name}
	b.option.YAxis = &axis{Type: "value", Name: b.d.Columns[b.y[0]].Name}
	b.format(b.y[0])
	b.chart.Reading = fmt.Sprintf("%d points of %s over %s", b.chart.Points, b.d.Columns[b.y[0]].Name, b.d.Columns[b.x].Name)
	return nil
}

func (b *builder) heatmap() error {
	var value = -1
	var across []int
	for _, i := range b.y { // y may name the second axis or the number
		if b.d.Columns[i].Kind == Number && value < 0 {
			value = i
		} else {
			across = append(across, i)
		}
	}
	b.y = nil
	if b.series >= 0 {
		across = append(across, b.series)
		b.series = -1
	}
	for i, c := range b.d.Columns {
		switch {
		case i == b.x || i == value || slices.Contains(across, i):
		case c.Kind != Number && b.x < 0:
			b.x = i
		case c.Kind != Number && len(across) == 0:
			across = append(across, i)
		case c.Kind == Number && value < 0:
			value = i
		}
	}
	if b.x < 0 || len(across) == 0 || value < 0 {
		return fail("a heatmap needs two columns of categories and one of numbers; the columns are %s", strings.Join(b.d.names(), ", "))
	}
	v := across[0]
	xs := b.categories(b.x, b.d.Columns[b.x].Kind == Time)
	ys := b.categories(v, b.d.Columns[v].Kind == Time)
	if len(xs)*len(ys) > MaxCells {
		return fail("the heatmap would have %d × %d cells, and up to %d are shown; filter or group more coarsely", len(xs), len(ys), MaxCells)
	}
	var cells [][]any
	low, high, some := 0.0, 0.0, false
	for _, r := range b.d.Rows {
		f, ok := number(r[value])
		if ok && (!some || f < low) {
			low = f
		}
		if ok && (!some || f > high) {
			high = f
		}
		some = some || ok
		cells = append(cells, []any{slices.Index(xs, label(r[b.x])), slices.Index(ys, label(r[v])), exact(r[value])})
	}
	b.y = []int{value}
	b.option.Tooltip = &tooltip{"item"}
	b.option.Grid = &grid{true}
	b.option.XAxis = &axis{Type: "category", Name: b.d.Columns[b.x].Name, Data: xs}
	b.option.YAxis = &axis{Type: "category", Name: b.d.Columns[v].Name, Data: ys}
	b.option.VisualMap = &visualMap{low, high}
	b.option.Series = []series{{Type: "heatmap", Name: b.d.Columns[value].Name, Data: cells}}
	b.chart.Points = len(cells)
	b.format(value)
	b.chart.Reading = fmt.Sprintf("%s by %s and %s, from %v to %v", b.d.Columns[value].Name, b.d.Columns[b.x].Name, b.d.Columns[v].Name, low, high)
	return nil
}

func (b *builder) calendar() error {
	if b.x < 0 {
		b.chooseX()
	}
	if err := b.chooseY(false); err != nil {
		return err
	}
	if b.x < 0 || b.d.Columns[b.x].Kind != Time {
		return fail("a calendar needs a column of dates; the columns are %s", strings.Join(b.d.names(), ", "))
	}
	days := b.categories(b.x, true)
	first, ok1 := when(days[0])
	last, ok2 := when(days[len(days)-1])
	if !ok1 || !ok2 {
		return fail("a calendar needs dates, and %s holds %q", b.d.Columns[b.x].Name, days[0])
	}
	if last.After(first.AddDate(maxYears, 0, 0)) {
		return fail("a calendar shows up to %d years, and the dates run from %s to %s", maxYears, first.Format(time.DateOnly), last.Format(time.DateOnly))
	}
	var points [][]any
	low, high, some := 0.0, 0.0, false
	for _, r := range b.d.Rows {
		f, ok := number(r[b.y[0]])
		if ok && (!some || f < low) {
			low = f
		}
		if ok && (!some || f > high) {
			high = f
		}
		some = some || ok
		points = append(points, []any{label(r[b.x]), exact(r[b.y[0]])})
	}
	b.option.Tooltip = &tooltip{"item"}
	b.option.VisualMap = &visualMap{low, high}
	b.option.Calendar = &calendar{[]string{first.Format(time.DateOnly), last.Format(time.DateOnly)}}
	b.option.Series = []series{{Type: "heatmap", Coordinate: "calendar", Data: points}}
	b.chart.Points = len(points)
	b.format(b.y[0])
	b.read(b.x, b.y[0], days)
	return nil
}

func (b *builder) links() error {
	source, target := b.d.column("source"), b.d.column("target")
	if b.x >= 0 {
		source = b.x
	}
	if b.series >= 0 {
		target = b.series
	}
	for i, c := range b.d.Columns {
		if c.Kind == Number {
			continue
		}
		switch {
		case source < 0 && i != target:
			source = i
		case target < 0 && i != source:
			target = i
		}
	}
	if err := b.chooseY(false); err != nil {
		return err
	}
	if source < 0 || target < 0 {
		return fail("a %s needs a source, a target and a number; the columns are %s", b.s.Type, strings.Join(b.d.names(), ", "))
	}
	if len(b.d.Rows) > MaxLinks {
		return fail("a %s shows up to %d links, and the query gave %d; keep the largest", b.s.Type, MaxLinks, len(b.d.Rows))
	}
	var nodes []node
	seen := map[string]bool{}
	var links []edge
	next := map[string][]string{}
	for _, r := range b.d.Rows {
		l := edge{label(r[source]), label(r[target]), exact(r[b.y[0]])}
		for _, n := range []string{l.Source, l.Target} {
			if !seen[n] {
				seen[n] = true
				nodes = append(nodes, node{n})
			}
		}
		next[l.Source] = append(next[l.Source], l.Target)
		links = append(links, l)
	}
	if b.s.Type == "sankey" {
		if c := cycle(nodes, next); c != nil {
			return fail("a sankey flows one way, and these links go round: %s", strings.Join(c, " → "))
		}
	}
	s := series{Type: b.s.Type, Data: nodes, Links: links}
	if b.s.Type == "graph" {
		s.Layout, s.Roam = "force", true
	}
	b.x, b.series = source, target
	b.option.Tooltip = &tooltip{"item"}
	b.option.Series = []series{s}
	b.chart.Points = len(links)
	b.format(b.y[0])
	b.chart.Reading = fmt.Sprintf("%d links between %d nodes", len(links), len(nodes))
	return nil
}

// cycle finds a way that comes back to where it began.
func cycle(nodes []node, next map[string][]string) []string {
	const onWay, done = 1, 2
	state := map[string]int{}
	var way []string
	var visit func(n string) []string
	visit = func(n string) []string {
		state[n] = onWay
		way = append(way, n)
		for _, t := range next[n] {
			switch state[t] {
			case onWay:
				return append(slices.Clone(way[slices.Index(way, t):]), t)
			case 0:
				if c := visit(t); c != nil {
					return c
				}
			}
		}
		way = way[:len(way)-1]
		state[n] = done
		return nil
	}
	for _, n := range nodes {
		if state[n.Name] == 0 {
			if c := visit(n.Name); c != nil {
				return c
			}
		}
	}
	return nil
}
