package semantic

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/mcpkit/nearest"
)

// Plan says how a request is answered. Branches are aggregated one by one, each
// on its own model, and combined on the dimensions.
type Plan struct {
	Mode     string // single_model, enriched_single_model or multi_branch
	Dims     []Dim
	Values   []Value
	Branches []*Branch
	Range    Range
	Having   []Having
	Order    []Order
	Limit    int

	Rejected []Rejected // joins that would have reached a dimension and are unsafe
}

// Dim is a column that the result is grouped by.
type Dim struct {
	Name string
	// Grain is set for times.
	Grain Grain
	// Metric says that it is the time that metrics are counted by, in every branch its own.
	Metric bool
}

// Value is a column of a metric.
type Value struct {
	Metric *Metric
	// Requested is false for the parts of a ratio, which are shown beside it.
	Requested bool
	Formula   Formula // over the atoms of the branches
}

// Branch is one aggregation over one model and what is joined to it.
type Branch struct {
	Model *Model
	Time  *Dimension // that the atoms are counted by; nil when no time is needed
	Joins []Join     // an edge stands behind the one that it goes on from
	Dims  []Bound    // one for each Dim of the plan
	Where []Where
	Uses  []Use
}

// Join leads from the branch's model (From is -1) or an earlier join on.
type Join struct {
	Edge *Edge
	From int
}

// Bound is a dimension as a branch reaches it: of the branch's model (Join is -1) or of a joined one.
type Bound struct {
	Join  int
	Expr  string // SQL over the model's columns
	Grain Grain  // to truncate to; empty for none
	Kind  Kind
	Clock Clock
}

// Where is a condition of the request, bound to a branch.
type Where struct {
	On     Bound
	Op     string
	Values []Literal
	Text   string // for people
}

// Use is an atom with its filters bound.
type Use struct {
	Atom    *Atom
	Filters []BoundFilter
}

// BoundFilter is a filter of a definition whose references are bound.
type BoundFilter struct {
	Text  string
	Parts []Part[Bound]
}

// Having is a condition on a metric's value.
type Having struct {
	Value  int // index of Plan.Values
	Op     string
	Values []Literal
	Text   string
}

// Order is a column that rows are ordered by; dimensions come first in the count.
type Order struct {
	Column int
	Desc   bool
}

// Place gives the branch and the index in it where an atom is computed.
func (p *Plan) Place(a *Atom) (branch, use int) {
	for i, b := range p.Branches {
		for j, u := range b.Uses {
			if u.Atom == a {
				return i, j
			}
		}
	}
	return -1, -1
}

// Columns are the names of the result's columns.
func (p *Plan) Columns() []string {
	out := make([]string, 0, len(p.Dims)+len(p.Values))
	for _, d := range p.Dims {
		out = append(out, d.Name)
	}
	for _, v := range p.Values {
		out = append(out, v.Metric.Name)
	}
	return out
}

// MetricTime is the index of the dimension that is the metrics' time, or -1.
func (p *Plan) MetricTime() int {
	return slices.IndexFunc(p.Dims, func(d Dim) bool { return d.Metric })
}

// MaxMetrics and MaxDimensions bound a request.
const (
	MaxMetrics    = 10
	MaxDimensions = 6
)

// Plan decides how a request is answered. Errors are [*Error]s.
func (l *Layer) Plan(r Request) (*Plan, error) {
	k := planner{layer: l, request: r, plan: &Plan{Range: r.Range, Limit: r.Limit}, reached: map[*Model][]Path{}}
	for _, step := range []func() error{k.metrics, k.dimensions, k.branches, k.filters, k.order} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	switch {
	case len(k.plan.Branches) > 1:
		k.plan.Mode = "multi_branch"
	case len(k.plan.Branches[0].Joins) > 0:
		k.plan.Mode = "enriched_single_model"
	default:
		k.plan.Mode = "single_model"
	}
	return k.plan, nil
}

type planner struct {
	layer   *Layer
	request Request
	plan    *Plan
	names   []dimName // parallel to plan.Dims
	reached map[*Model][]Path
}

// Find gives the metric of a name, label or synonym. Errors are [*Error]s.
func (l *Layer) Find(name string) (*Metric, error) {
	found := slices.DeleteFunc(slices.Clone(l.Named(name)), func(m *Metric) bool { return m.Private })
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		var names []string
		for _, m := range l.Metrics {
			if !m.Private {
				names = append(names, m.Name)
			}
		}
		hint := ""
		if near := nearest.Find(name, names, 5); len(near) > 0 {
			hint = "did you mean " + strings.Join(near, ", ") + "?"
		}
		return nil, fail(NotFound, hint, "there is no metric %q", cut(name))
	}
	var names []string
	for _, m := range found {
		names = append(names, m.Name)
	}
	return nil, fail(Ambiguous, "name one of them", "%q means several metrics: %s", cut(name), strings.Join(names, ", "))
}

func cut(s string) string {
	if r := []rune(s); len(r) > 80 {
		return string(r[:80]) + "…"
	}
	return s
}

func (k *planner) metrics() error {
	r := &k.request
	if len(r.Metrics) == 0 || len(r.Metrics) > MaxMetrics {
		return fail(PlanningError, "", "metrics takes 1 to %d names, got %d", MaxMetrics, len(r.Metrics))
	}
	for _, name := range r.Metrics {
		m, err := k.layer.Find(name)
		if err != nil {
			return err
		}
		if err := runnable(m, r.AllowCandidate); err != nil {
			return err
		}
		if s := m.Spec; s.Type == "ratio" {
			k.part(s.Numerator.Name, len(s.Numerator.Filters) > 0)
			k.part(s.Denominator.Name, len(s.Denominator.Filters) > 0)
		}
		k.value(m, true)
	}
	return nil
}

func runnable(m *Metric, candidates bool) error {
	switch {
	case m.Executable, m.CandidateOnly && candidates:
		return nil
	case m.CandidateOnly:
		return fail(NotApproved, "pass allow_candidate=true to run it all the same", "the metric %q is of the tier candidate, not approved", m.Name)
	case m.Formula == nil:
		return fail(PlanningError, "", "the metric %q cannot be run: %s", m.Name, m.Reason)
	}
	return fail(NotApproved, "", "the metric %q is not executable: %s", m.Name, m.Reason)
}

// part shows an input of a ratio beside it, so that a reader can check the division.
func (k *planner) part(name string, changed bool) {
	if m := k.layer.Metric(name); m != nil && !changed && !m.Private && runnable(m, k.request.AllowCandidate) == nil {
		k.value(m, false)
	}
}

func (k *planner) value(m *Metric, requested bool) {
	for i, v := range k.plan.Values {
		if v.Metric == m {
			k.plan.Values[i].Requested = v.Requested || requested
			return
		}
	}
	k.plan.Values = append(k.plan.Values, Value{m, requested, m.Formula})
}

// dimName is the name of a dimension in its parts.
type dimName struct {
	text     string
	entities []string
	name     string
	grain    Grain
	metric   bool // the metrics' own time
}

// parse takes the name of a dimension apart: entity__…__name__grain.
func parse(text string) dimName {
	d := dimName{text: text}
	parts := strings.Split(text, "__")
	if n := len(parts); n > 1 && Grain(parts[n-1]).Valid() {
		d.grain, parts = Grain(parts[n-1]), parts[:n-1]
	}
	d.name, d.entities = parts[len(parts)-1], parts[:len(parts)-1]
	if len(parts) == 1 {
		switch {
		case d.name == "metric_time":
			d.metric = true
		case d.grain == "" && Grain(d.name).Valid():
			d.metric, d.grain = true, Grain(d.name)
		}
	}
	return d
}

func (k *planner) dimensions() error {
	r := &k.request
	if len(r.Dimensions) > MaxDimensions {
		return fail(PlanningError, "", "dimensions takes up to %d names, got %d", MaxDimensions, len(r.Dimensions))
	}
	if r.Grain != "" && !r.Grain.Valid() {
		return fail(PlanningError, "", "time_grain %q is none of hour, day, week, month, quarter and year", cut(string(r.Grain)))
	}
	timed := false
	for _, text := range r.Dimensions {
		d := parse(strings.TrimSpace(text))
		d = k.own(d)
		if d.metric || k.isTime(d) {
			if d.grain == "" {
				d.grain = r.Grain
			}
			timed = timed || r.Grain == "" || d.grain == r.Grain
		}
		if slices.ContainsFunc(k.names, func(o dimName) bool { return o.text == d.text || o.metric && d.metric && o.grain == d.grain }) {
			continue
		}
		k.names = append(k.names, d)
	}
	if r.Grain != "" && !timed {
		k.names = append([]dimName{{text: string(r.Grain), metric: true, grain: r.Grain}}, k.names...)
	}
	for _, n := range k.names {
		k.plan.Dims = append(k.plan.Dims, Dim{Name: n.text, Grain: n.grain, Metric: n.metric})
	}
	return nil
}

// own finds out whether a name means the time that all metrics are counted by,
// and whether a grain's name is rather a dimension of all their models.
func (k *planner) own(d dimName) dimName {
	atoms := k.atoms()
	all := func(is func(*Model, *Dimension) bool) bool {
		return len(atoms) > 0 && !slices.ContainsFunc(atoms, func(a *Atom) bool {
			m := a.Measure.Model
			return !is(m, m.Dimension(a.Measure.Time))
		})
	}
	switch {
	case d.metric && len(d.entities) == 0 && d.name != "metric_time":
		// A dimension called month that is no time, such as the name of a month.
		if all(func(m *Model, _ *Dimension) bool { x := m.Dimension(d.name); return x != nil && !x.Time }) {
			d.metric, d.grain = false, ""
		}
	case len(d.entities) == 0 && d.name == "date":
		if !slices.ContainsFunc(atoms, func(a *Atom) bool { return a.Measure.Model.Dimension("date") != nil }) {
			d.metric = true
		}
	}
	if !d.metric && all(func(m *Model, t *Dimension) bool {
		return t != nil && t.Name == d.name && (len(d.entities) == 0 || len(d.entities) == 1 && d.entities[0] == m.Primary)
	}) {
		d.metric = true
	}
	return d
}

// isTime says that a name that is not the metrics' time is a time dimension of the first branch's model.
func (k *planner) isTime(d dimName) bool {
	for _, a := range k.atoms() {
		if b, _, err := k.bind(a.Measure.Model, d); err == nil {
			return b.dim != nil && b.dim.Time
		}
	}
	return false
}

func (k *planner) atoms() []*Atom {
	var out []*Atom
	for _, v := range k.plan.Values {
		out = append(out, Atoms(v.Formula)...)
	}
	return out
}

// target is what a name is bound to, before the joins are laid into a branch.
type target struct {
	dim    *Dimension // nil for an entity's key
	entity *Entity
	path   Path
}

func (k *planner) paths(m *Model) []Path {
	p, ok := k.reached[m]
	if !ok {
		p, _ = reach(m)
		k.reached[m] = p
	}
	return p
}

// bind finds what a name means for a model: its own dimension or key, else that of
// the cheapest safe join. Two different ones of equal cost are an error.
func (k *planner) bind(from *Model, d dimName) (target, int, error) {
	var best []target
	for _, p := range k.paths(from) {
		if len(best) > 0 && (p.cost() != best[0].path.cost() || len(p) != len(best[0].path)) {
			break
		}
		m := p.end(from)
		if !d.names(m, p) {
			continue
		}
		if x := m.Dimension(d.name); x != nil {
			best = append(best, target{dim: x, path: p})
		} else if e := m.Entity(d.name); e != nil && len(p) == 0 {
			best = append(best, target{entity: e, path: p})
		}
		if len(p) == 0 && len(best) > 0 {
			break
		}
	}
	switch len(best) {
	case 0:
		return target{}, 0, fail(DimensionUnsupported, "", "%s has no dimension %q", from.Name, cut(d.text))
	case 1:
		return best[0], 1, nil
	}
	var names []string
	for _, t := range best {
		names = append(names, t.path[len(t.path)-1].Name+"__"+t.dim.Name)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) == 1 {
		return target{}, len(best), fail(Ambiguous, "", "%q can be reached from %s in %d ways of the same cost: by %s and by %s",
			cut(d.text), from.Name, len(best), strings.Join(best[0].path.Names(), " → "), strings.Join(best[1].path.Names(), " → "))
	}
	return target{}, len(best), fail(Ambiguous, "name one of "+strings.Join(names, ", "), "%q is ambiguous for %s", cut(d.text), from.Name)
}

// names says whether the entities before a name lead to the end of a path.
func (d dimName) names(m *Model, p Path) bool {
	switch {
	case len(d.entities) == 0:
		return true
	case len(p) == 0:
		return len(d.entities) == 1 && m.Primary == d.entities[0]
	}
	for i, e := range d.entities {
		at := len(p) - len(d.entities) + i
		if at < 0 { // the path may start with the model's own key
			continue
		}
		if p[at].Name != e {
			return false
		}
	}
	return true
}

// branches groups the atoms, and binds dimensions and definitions' filters to each branch.
func (k *planner) branches() error {
	byKey := map[string]*Branch{}
	timed := k.plan.MetricTime() >= 0 || !k.plan.Range.IsZero()
	canonical := map[string]*Atom{}
	for i := range k.plan.Values {
		v := &k.plan.Values[i]
		var err error
		// Equal atoms of different metrics are computed once.
		v.Formula = unify(v.Formula, canonical)
		for _, a := range Atoms(v.Formula) {
			needs := timed || a.Offset != nil || a.ToGrain != "" || a.Cumulative != nil
			var t *Dimension
			if needs {
				if t = a.Measure.Model.Dimension(a.Measure.Time); t == nil {
					return fail(DimensionUnsupported, "", "the metric %q has no time: its measure %s of %s has no time dimension", v.Metric.Name, a.Measure.Name, a.Measure.Model.Name)
				}
			}
			if err = k.timing(v.Metric, a, t); err != nil {
				return err
			}
			key := branchKey(a, t)
			b := byKey[key]
			if b == nil {
				b = &Branch{Model: a.Measure.Model, Time: t}
				byKey[key] = b
				k.plan.Branches = append(k.plan.Branches, b)
				if err := k.bindDims(b, v.Metric); err != nil {
					return err
				}
			}
			if slices.ContainsFunc(b.Uses, func(u Use) bool { return u.Atom == a }) {
				continue
			}
			u := Use{Atom: a}
			for _, f := range a.Filters {
				bf, err := k.bindFilter(b, f)
				if err != nil {
					return fail(PlanningError, "", "the metric %q cannot be run: %v", v.Metric.Name, err)
				}
				u.Filters = append(u.Filters, bf)
			}
			b.Uses = append(b.Uses, u)
		}
		if err := k.allowed(v.Metric); err != nil {
			return err
		}
	}
	return nil
}

// unify replaces atoms that compute the same by one.
func unify(f Formula, canonical map[string]*Atom) Formula {
	switch f := f.(type) {
	case *Atom:
		key := atomKey(f)
		if canonical[key] == nil {
			canonical[key] = f
		}
		return canonical[key]
	case *Ratio:
		return &Ratio{unify(f.Numerator, canonical), unify(f.Denominator, canonical)}
	case *Derived:
		c := &Derived{Parts: f.Parts}
		for _, in := range f.Inputs {
			c.Inputs = append(c.Inputs, unify(in, canonical))
		}
		return c
	}
	return f
}

func atomKey(a *Atom) string {
	var filters []string
	for _, f := range a.Filters {
		filters = append(filters, f.Text)
	}
	b, err := json.Marshal([]any{a.Measure.Model.Name, a.Measure.Name, a.Measure.Expr, a.Measure.Agg, filters, a.Offset, a.ToGrain, a.Cumulative, a.Fill, a.Spine})
	if err != nil {
		panic(err) // all of it is plain data
	}
	return string(b)
}

// branchKey tells branches apart: what is moved or accumulated in time is
// aggregated by itself.
func branchKey(a *Atom, t *Dimension) string {
	name := ""
	if t != nil {
		name = t.Name
	}
	b, err := json.Marshal([]any{a.Measure.Model.Name, name, a.Offset, a.ToGrain, a.Cumulative})
	if err != nil {
		panic(err) // all of it is plain data
	}
	return string(b)
}

// timing checks that a metric can be grouped by the time that is asked for.
func (k *planner) timing(m *Metric, a *Atom, t *Dimension) error {
	i := k.plan.MetricTime()
	if a.Offset != nil && i < 0 && k.plan.Range.IsZero() {
		return fail(PlanningError, "give a time_grain or a time_range", "the metric %q compares with an earlier time, and the request has no time", m.Name)
	}
	if a.ToGrain != "" && i < 0 {
		return fail(PlanningError, "give a time_grain", "the metric %q compares with the start of the %s, and the request has no time", m.Name, a.ToGrain)
	}
	if i < 0 || t == nil {
		return nil
	}
	d := &k.plan.Dims[i]
	if d.Grain == "" {
		d.Grain = t.Grain
		k.names[i].grain = t.Grain
	}
	least := t.Grain
	if a.Cumulative != nil && least.Finer(Day) {
		least = Day
	}
	switch {
	case d.Grain.Finer(least):
		return fail(DimensionUnsupported, "the finest grain is "+string(least), "the metric %q has no values by %s", m.Name, d.Grain)
	case len(m.Grains) > 0 && !slices.Contains(m.Grains, d.Grain):
		return fail(DimensionUnsupported, "its grains are "+join(m.Grains), "the metric %q is not to be grouped by %s", m.Name, d.Grain)
	case a.ToGrain != "" && a.ToGrain.Finer(d.Grain):
		return fail(PlanningError, "use a finer time_grain", "the metric %q compares with the start of the %s, which lies inside of a %s", m.Name, a.ToGrain, d.Grain)
	}
	return nil
}

func join[T ~string](list []T) string {
	s := make([]string, len(list))
	for i, v := range list {
		s[i] = string(v)
	}
	return strings.Join(s, ", ")
}

// allowed checks the dimensions that a metric's author allows.
func (k *planner) allowed(m *Metric) error {
	if m.Dimensions == nil {
		return nil
	}
	for i, d := range k.plan.Dims {
		n := k.names[i]
		if d.Metric || slices.Contains(m.Dimensions, n.name) || slices.Contains(m.Dimensions, n.text) ||
			len(n.entities) > 0 && slices.Contains(m.Dimensions, n.entities[len(n.entities)-1]+"__"+n.name) {
			continue
		}
		return fail(DimensionUnsupported, "it allows "+strings.Join(m.Dimensions, ", "), "the metric %q is not to be grouped by %q", m.Name, d.Name)
	}
	return nil
}

// bindDims binds the plan's dimensions to a branch, and says what would work where one is out of reach.
func (k *planner) bindDims(b *Branch, m *Metric) error {
	for i, n := range k.names {
		if n.metric {
			b.Dims = append(b.Dims, Bound{Join: -1, Expr: b.Time.Expr, Grain: k.plan.Dims[i].Grain, Kind: b.Time.Kind(), Clock: b.Time.Clock()})
			continue
		}
		t, _, err := k.bind(b.Model, n)
		if err != nil {
			return k.outOfReach(b, m, n, err)
		}
		if t.dim != nil && t.dim.Private {
			return fail(DimensionUnsupported, "", "the dimension %q is private: its values are not shown", n.text)
		}
		x := k.lay(b, t)
		if t.dim != nil && t.dim.Time {
			if x.Grain = cmp.Or(n.grain, t.dim.Grain); x.Grain.Finer(t.dim.Grain) {
				return fail(DimensionUnsupported, "the finest grain is "+string(t.dim.Grain), "the dimension %q has no values by %s", n.text, x.Grain)
			}
			k.plan.Dims[i].Grain = x.Grain
		} else if n.grain != "" {
			return fail(DimensionUnsupported, "", "the dimension %q is no time, so it has no %s", n.text, n.grain)
		}
		b.Dims = append(b.Dims, x)
	}
	return nil
}

// outOfReach makes the error of a dimension that a branch does not reach, and
// notes the joins that would lead there and multiply rows.
func (k *planner) outOfReach(b *Branch, m *Metric, n dimName, err error) error {
	e, ok := err.(*Error) //nolint:errorlint // bind gives no other
	if !ok || e.Code != DimensionUnsupported {
		return err
	}
	_, unsafe := reach(b.Model)
	why := ""
	for _, u := range unsafe {
		end := u.path.end(b.Model)
		if d := end.Dimension(n.name); d != nil && n.names(end, u.path) {
			k.plan.Rejected = append(k.plan.Rejected, Rejected{u.path.Names(), u.why})
			if why == "" {
				why = fmt.Sprintf("; the way %s is refused: %s", strings.Join(u.path.Names(), " → "), u.why)
			}
		}
	}
	return fail(DimensionUnsupported, k.axes(), "the metric %q of %s cannot be grouped or filtered by %q%s", m.Name, b.Model.Name, cut(n.text), why)
}

// axes says what each model of the request can be grouped by, and what all can.
func (k *planner) axes() string {
	var models []*Model
	for _, a := range k.atoms() {
		if !slices.Contains(models, a.Measure.Model) {
			models = append(models, a.Measure.Model)
		}
	}
	var parts []string
	var shared []string
	for i, m := range models {
		var names []string
		for _, x := range k.layer.Axes(m) {
			names = append(names, x.Name)
		}
		if i == 0 {
			shared = names
		} else {
			shared = slices.DeleteFunc(slices.Clone(shared), func(s string) bool { return !slices.Contains(names, s) })
		}
		if len(names) > 20 {
			names = append(names[:20:20], fmt.Sprintf("… %d more", len(names)-20))
		}
		parts = append(parts, m.Name+": "+strings.Join(names, ", "))
	}
	s := "it can be by " + strings.Join(parts, "; ")
	if len(models) > 1 {
		if len(shared) == 0 {
			shared = []string{"none"}
		}
		s += "; shared by all: " + strings.Join(shared, ", ")
	}
	return s
}

// Axis is a dimension that a model's rows can be grouped by.
type Axis struct {
	Name      string // as a request may call it without being ambiguous
	Dimension *Dimension
	Path      Path // empty for the model's own
}

// Axes lists what a model reaches: its own dimensions, and those over safe joins,
// sorted by name. A name that means several things comes with its entity.
func (l *Layer) Axes(m *Model) []Axis {
	paths, _ := reach(m)
	k := planner{layer: l, reached: map[*Model][]Path{m: paths}}
	var out []Axis
	seen := map[*Dimension]bool{}
	for _, p := range paths {
		for _, d := range p.end(m).Dimensions {
			if seen[d] || d.Private {
				continue
			}
			name := d.Name
			if t, _, err := k.bind(m, parse(name)); err != nil || t.dim != d {
				if len(p) == 0 {
					continue
				}
				name = p[len(p)-1].Name + "__" + d.Name
				if t, _, err := k.bind(m, parse(name)); err != nil || t.dim != d {
					continue
				}
			}
			seen[d] = true
			out = append(out, Axis{name, d, p})
		}
	}
	slices.SortFunc(out, func(a, b Axis) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// lay puts the joins that lead to a target into a branch, once each.
func (k *planner) lay(b *Branch, t target) Bound {
	at := -1
	for _, e := range t.path {
		i := slices.IndexFunc(b.Joins, func(j Join) bool { return j.Edge == e && j.From == at })
		if i < 0 {
			i = len(b.Joins)
			b.Joins = append(b.Joins, Join{e, at})
		}
		at = i
	}
	if t.dim == nil {
		return Bound{Join: at, Expr: t.entity.Expr, Kind: Unknown}
	}
	return Bound{Join: at, Expr: t.dim.Expr, Kind: t.dim.Kind(), Clock: t.dim.Clock()}
}

func (k *planner) bindFilter(b *Branch, f Filter) (BoundFilter, error) {
	out := BoundFilter{Text: f.Text}
	for _, p := range f.Parts {
		if p.Hole == nil {
			out.Parts = append(out.Parts, Part[Bound]{SQL: p.SQL})
			continue
		}
		r := p.Hole
		var x Bound
		if len(r.Entities) == 0 && r.Name == "metric_time" {
			if b.Time == nil {
				return out, fmt.Errorf("its filter names metric_time, and the model %s has none here", b.Model.Name)
			}
			x = Bound{Join: -1, Expr: b.Time.Expr, Kind: b.Time.Kind(), Clock: b.Time.Clock()}
		} else {
			t, _, err := k.bind(b.Model, dimName{text: strings.Join(append(slices.Clone(r.Entities), r.Name), "__"), entities: r.Entities, name: r.Name})
			if err != nil {
				return out, err
			}
			x = k.lay(b, t)
		}
		x.Grain = r.Grain
		out.Parts = append(out.Parts, Part[Bound]{Hole: &x})
	}
	return out, nil
}

// filters binds the request's conditions: those on metrics to values, the others to every branch.
func (k *planner) filters() error {
	for _, c := range k.request.Filters {
		if !slices.Contains(Operators, c.Op) {
			return fail(FilterInvalid, "", "the filter on %q has the operator %q; there are %s", cut(c.Field), cut(c.Op), strings.Join(Operators, ", "))
		}
		text := c.String()
		if i := slices.IndexFunc(k.plan.Values, func(v Value) bool { return v.Metric.Name == c.Field }); i >= 0 {
			values, err := c.literals(Number)
			if err != nil {
				return fail(FilterInvalid, "", "the filter on %q: %v", c.Field, err)
			}
			k.plan.Having = append(k.plan.Having, Having{i, c.Op, values, text})
			continue
		}
		n := k.own(parse(strings.TrimSpace(c.Field)))
		for _, b := range k.plan.Branches {
			t, err := k.filterTarget(b, n, c)
			if err != nil {
				return err
			}
			x := k.lay(b, t)
			if t.dim != nil && t.dim.Private {
				return fail(DimensionUnsupported, "", "the dimension %q is private: it cannot be filtered by", n.text)
			}
			if n.grain != "" {
				if !t.dim.isTime() {
					return fail(FilterInvalid, "", "%q is no time, so it has no %s", n.text, n.grain)
				}
				x.Grain = n.grain
			}
			values, err := c.literals(x.Kind)
			if err != nil {
				return fail(FilterInvalid, "", "the filter on %q: %v", cut(c.Field), err)
			}
			b.Where = append(b.Where, Where{x, c.Op, values, text})
		}
	}
	return nil
}

// filterTarget binds the field of a condition to a branch. The metrics' own time
// can be filtered by where a value is of the rows of its own period alone.
func (k *planner) filterTarget(b *Branch, n dimName, c Condition) (target, error) {
	if n.metric {
		a := b.Uses[0].Atom
		if a.Offset != nil || a.ToGrain != "" || a.Cumulative != nil {
			return target{}, fail(FilterInvalid, "use time_range", "the filter on %q would cut off what the metric %q needs of other times", cut(c.Field), k.first(b).Name)
		}
		d := b.Model.Dimension(a.Measure.Time)
		if d == nil {
			return target{}, fail(DimensionUnsupported, "", "the metric %q has no time", k.first(b).Name)
		}
		return target{dim: d}, nil
	}
	t, _, err := k.bind(b.Model, n)
	if err != nil {
		return target{}, k.outOfReach(b, k.first(b), n, err)
	}
	return t, nil
}

func (d *Dimension) isTime() bool { return d != nil && d.Time }

// first is a metric that a branch serves.
func (k *planner) first(b *Branch) *Metric {
	for _, v := range k.plan.Values {
		if slices.Contains(Atoms(v.Formula), b.Uses[0].Atom) {
			return v.Metric
		}
	}
	return k.plan.Values[0].Metric
}

// String writes a condition as people do.
func (c Condition) String() string {
	if c.Value == nil {
		return c.Field + " " + strings.ReplaceAll(c.Op, "_", " ")
	}
	return cut(c.Field + " " + strings.ReplaceAll(c.Op, "_", " ") + " " + show(c.Value))
}

func (k *planner) order() error {
	columns := k.plan.Columns()
	used := map[int]bool{}
	add := func(i int, desc bool) {
		if !used[i] {
			used[i] = true
			k.plan.Order = append(k.plan.Order, Order{i, desc})
		}
	}
	for _, o := range k.request.OrderBy {
		name, desc := strings.CutPrefix(strings.TrimSpace(o), "-")
		i := slices.Index(columns, name)
		if i < 0 {
			if m, err := k.layer.Find(name); err == nil {
				i = slices.Index(columns, m.Name)
			}
		}
		if i < 0 {
			return fail(PlanningError, "", "order_by %q is no column of the result; there are %s", cut(o), strings.Join(columns, ", "))
		}
		add(i, desc)
	}
	if len(k.plan.Order) == 0 {
		switch t := slices.IndexFunc(k.plan.Dims, func(d Dim) bool { return d.Grain != "" }); {
		case t >= 0:
			add(t, true)
		case len(k.plan.Dims) > 0:
			add(len(k.plan.Dims)+slices.IndexFunc(k.plan.Values, func(v Value) bool { return v.Requested }), true)
		}
	}
	// The rest of the dimensions makes the order of rows the same every time.
	for i := range k.plan.Dims {
		add(i, false)
	}
	return nil
}
