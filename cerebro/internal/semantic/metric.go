package semantic

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/cerebro/internal/dbt"
)

// Metric is a metric with the formula that gives its value.
type Metric struct {
	Name, Label, Description string
	Type                     string // simple, ratio, derived, cumulative, conversion
	Tier                     Tier
	Module, Owner            string
	Unit, Format             string
	Synonyms                 []string
	Tags                     []string
	Private                  bool // hidden from every tool

	Spec *dbt.MetricSpec
	// Formula is nil when the definition cannot be resolved; Reason says why.
	Formula Formula
	// Root is the model of the first atom, Roots those of all, without repetition.
	Root  *Model
	Roots []*Model
	// Inputs are the metrics and measures that the definition names.
	Inputs []string

	// Dimensions limits what the metric may be grouped by; nil allows all that can be reached.
	Dimensions []string
	// Grains limits the grains; nil allows all that the data has.
	Grains []Grain

	// Executable says that the metric runs without further ado. One that is only
	// a candidate may be run on request, when CandidateOnly is true.
	Executable    bool
	CandidateOnly bool
	Reason        string // why it is not executable
	// Hash changes when anything that the value depends on does.
	Hash string
}

// Formula computes a metric from atoms: an [*Atom], a [*Ratio] or a [*Derived].
type Formula interface{ isFormula() }

// Ratio is a numerator over a denominator; over zero it is null.
type Ratio struct{ Numerator, Denominator Formula }

// Derived is an expression over inputs.
type Derived struct {
	Inputs []Formula
	Parts  []Part[int] // holes are indexes of Inputs
}

// Atom is one aggregation over one model.
type Atom struct {
	Measure *Measure
	Filters []Filter // all hold
	// Offset moves the atom back in time: the value of an earlier period.
	Offset *dbt.Window
	// ToGrain gives the value at the start of the period that lies around.
	ToGrain Grain
	// Cumulative accumulates over time; nil for a plain aggregation.
	Cumulative *Cumulative
	// Fill stands for null; nil leaves null.
	Fill *float64
	// Spine asks for a row in every period, filled or not.
	Spine bool
}

// Cumulative says over which time an atom accumulates. Without window and grain it is all time.
type Cumulative struct {
	Window *dbt.Window
	ToDate Grain
	Pick   string // first, last or average: which of a period's days counts
}

func (*Atom) isFormula()    {}
func (*Ratio) isFormula()   {}
func (*Derived) isFormula() {}

// Atoms are all atoms of a formula, in the order of the text.
func Atoms(f Formula) []*Atom {
	switch f := f.(type) {
	case *Atom:
		return []*Atom{f}
	case *Ratio:
		return append(Atoms(f.Numerator), Atoms(f.Denominator)...)
	case *Derived:
		var out []*Atom
		for _, in := range f.Inputs {
			out = append(out, Atoms(in)...)
		}
		return out
	}
	return nil
}

// Additivity says how a metric's values over parts add up: full, semi (not over
// time) or none.
func (m *Metric) Additivity() string {
	a, ok := m.Formula.(*Atom)
	switch {
	case !ok || a.Cumulative != nil || a.Offset != nil || a.ToGrain != "":
		return "none"
	case a.Measure.Additive():
		return "full"
	case a.Measure.NonAdditive != nil && a.Measure.Agg == "sum":
		return "semi"
	}
	return "none"
}

// names are the normalised forms that the metric is called by.
func (m *Metric) names() []string {
	out := []string{Normalize(m.Name), Normalize(m.Label)}
	for _, s := range m.Synonyms {
		out = append(out, Normalize(s))
	}
	return out
}

// MaxNesting is how deeply metrics may be made of metrics.
const MaxNesting = 5

// resolver makes metrics of their definitions.
type resolver struct {
	layer    *Layer
	specs    map[string]*dbt.MetricSpec
	fallback Tier
}

func (r *resolver) metric(name string) *Metric {
	if m := r.layer.metrics[name]; m != nil {
		return m
	}
	s := r.specs[name]
	object := "metric:" + name
	m := &Metric{
		Name: name, Label: cmp.Or(s.Label, title(name)), Description: s.Description, Type: s.Type, Owner: s.Owner, Spec: s,
		Unit: s.Meta.Text(dbt.MetaUnit), Format: s.Meta.Text(dbt.MetaFormat), Synonyms: s.Meta.Texts(dbt.MetaSynonyms), Tags: s.Tags,
		Dimensions: s.Meta.Texts(dbt.MetaDimensions), Private: s.Meta.Text(dbt.MetaPrivacy) == "internal",
	}
	r.layer.metrics[name] = m
	for _, o := range s.Meta.Odd() {
		r.layer.find("warning", "odd_meta", object, "%s", o)
	}
	for _, g := range s.Meta.Texts(dbt.MetaGrains) {
		if Grain(g).Valid() {
			m.Grains = append(m.Grains, Grain(g))
		} else {
			r.layer.find("warning", "unknown_grain", object, "supported_time_grains holds %q", g)
		}
	}
	m.Tier = r.layer.tier(s.Meta, r.fallback, object)
	f, err := r.formula(name, nil, 0)
	if err != nil {
		m.Reason = err.Error()
		r.layer.find("error", "metric", object, "%v", err)
	} else {
		m.Formula = f
		for _, a := range Atoms(f) {
			if !slices.Contains(m.Roots, a.Measure.Model) {
				m.Roots = append(m.Roots, a.Measure.Model)
			}
		}
		m.Root = m.Roots[0]
	}
	m.Inputs = inputs(s)
	if m.Root != nil {
		m.Module = m.Root.Module()
		m.Owner = cmp.Or(m.Owner, m.Root.Owner)
	}
	m.Module = cmp.Or(s.Meta.Text(dbt.MetaModule), m.Module)
	m.Hash = hash(m)
	r.executable(m)
	return m
}

// executable applies the rules of tiers.
func (r *resolver) executable(m *Metric) {
	if m.Formula == nil {
		return
	}
	tier := m.Tier
	for _, name := range m.Inputs {
		if s := r.specs[name]; s != nil && name != m.Name {
			in := r.metric(name)
			switch {
			case in.Tier == Blocked || tier == Blocked:
				tier = Blocked
			case in.Tier == Candidate || in.CandidateOnly:
				tier = Candidate
			}
			if tier == Blocked && m.Reason == "" {
				m.Reason = fmt.Sprintf("its input %s is blocked", name)
			}
		}
	}
	for _, root := range m.Roots {
		switch {
		case root.Missing != "":
			m.Reason = root.Missing
			return
		case root.Private == "internal":
			m.Reason = fmt.Sprintf("its model %s is internal", root.Name)
			return
		case root.Tier != Approved:
			m.Reason = fmt.Sprintf("its model %s is not approved (%s)", root.Name, root.Tier)
			return
		}
	}
	switch tier {
	case Approved:
		m.Executable = true
	case Candidate:
		m.CandidateOnly = true
		m.Reason = "it is a candidate, not approved yet"
	default:
		m.Reason = cmp.Or(m.Reason, "it is blocked")
	}
}

func inputs(s *dbt.MetricSpec) []string {
	var out []string
	add := func(in *dbt.MetricInput) {
		if in != nil && !slices.Contains(out, in.Name) {
			out = append(out, in.Name)
		}
	}
	add(s.Measure)
	add(s.Numerator)
	add(s.Denominator)
	add(s.CumulativeOf)
	for i := range s.Inputs {
		add(&s.Inputs[i])
	}
	return out
}

// formula resolves a metric. The path holds the metrics on the way, so that a
// metric made of itself is told.
func (r *resolver) formula(name string, path []string, depth int) (Formula, error) {
	s := r.specs[name]
	if s == nil {
		return nil, fmt.Errorf("there is no metric %q", name)
	}
	if slices.Contains(path, name) {
		return nil, fmt.Errorf("it is made of itself: %s", strings.Join(append(path, name), " → "))
	}
	if depth > MaxNesting {
		return nil, fmt.Errorf("metrics are nested more than %d deep: %s", MaxNesting, strings.Join(path, " → "))
	}
	path = append(slices.Clone(path), name)
	own, err := parseFilters(s.Filters)
	if err != nil {
		return nil, err
	}
	var f Formula
	switch s.Type {
	case "simple":
		f, err = r.atom(s)
	case "cumulative":
		f, err = r.cumulative(s, path, depth)
	case "ratio":
		f, err = r.ratio(s, path, depth)
	case "derived":
		f, err = r.derived(s, path, depth)
	case "conversion":
		return nil, fmt.Errorf("conversion metrics are listed and cannot be run")
	default:
		return nil, fmt.Errorf("its type %q is none of simple, ratio, derived and cumulative", s.Type)
	}
	if err != nil {
		return nil, err
	}
	return filtered(f, own), nil
}

func parseFilters(texts []string) ([]Filter, error) {
	var out []Filter
	for _, t := range texts {
		f, err := parseFilter(t)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// change gives a formula whose atoms are changed copies.
func change(f Formula, to func(*Atom)) Formula {
	switch f := f.(type) {
	case *Atom:
		c := *f
		to(&c)
		return &c
	case *Ratio:
		return &Ratio{change(f.Numerator, to), change(f.Denominator, to)}
	case *Derived:
		c := &Derived{Parts: f.Parts}
		for _, in := range f.Inputs {
			c.Inputs = append(c.Inputs, change(in, to))
		}
		return c
	}
	return f
}

func filtered(f Formula, more []Filter) Formula {
	if len(more) == 0 {
		return f
	}
	return change(f, func(a *Atom) { a.Filters = append(slices.Clone(a.Filters), more...) })
}

func (r *resolver) atom(s *dbt.MetricSpec) (Formula, error) {
	if s.Measure == nil {
		return nil, fmt.Errorf("it names no measure")
	}
	x, err := r.measure(s)
	if err != nil {
		return nil, err
	}
	fs, err := parseFilters(s.Measure.Filters)
	if err != nil {
		return nil, err
	}
	return &Atom{Measure: x, Filters: fs, Fill: s.Measure.FillNullsWith, Spine: s.Measure.JoinToTimeSpine}, nil
}

// measure finds the measure of a simple or cumulative metric, or makes the one
// that stands in the metric itself.
func (r *resolver) measure(s *dbt.MetricSpec) (*Measure, error) {
	if s.Inline != nil {
		m := r.layer.models[s.Inline.Model]
		if m == nil {
			return nil, fmt.Errorf("there is no semantic model %q", s.Inline.Model)
		}
		return m.measure(s.Inline.Measure)
	}
	var found *Measure
	for _, m := range r.layer.Models {
		x := m.Measure(s.Measure.Name)
		if x == nil {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("the measure %q is in two semantic models, %s and %s", s.Measure.Name, found.Model.Name, m.Name)
		}
		found = x
	}
	if found == nil {
		return nil, fmt.Errorf("no semantic model has a measure %q that can be used", s.Measure.Name)
	}
	return found, nil
}

func (r *resolver) cumulative(s *dbt.MetricSpec, path []string, depth int) (Formula, error) {
	c := &Cumulative{Window: s.Window, ToDate: Grain(s.GrainToDate), Pick: cmp.Or(s.PeriodAgg, "first")}
	switch {
	case c.Window != nil && c.ToDate != "":
		return nil, fmt.Errorf("it has both a window and a grain to date")
	case c.ToDate != "" && (!c.ToDate.Valid() || c.ToDate == Hour):
		return nil, fmt.Errorf("its grain to date is %q", c.ToDate)
	case c.Window != nil && (c.Window.Count < 1 || !Grain(c.Window.Grain).Valid() || c.Window.Grain == "hour"):
		return nil, fmt.Errorf("its window is %q", c.Window)
	case c.Pick != "first" && c.Pick != "last" && c.Pick != "average":
		return nil, fmt.Errorf("its period_agg %q is none of first, last and average", c.Pick)
	}
	var f Formula
	var err error
	if s.CumulativeOf != nil {
		f, err = r.input(s.CumulativeOf, path, depth)
	} else {
		f, err = r.atom(s)
	}
	if err != nil {
		return nil, err
	}
	a, ok := f.(*Atom)
	if !ok || a.Cumulative != nil || a.Offset != nil || a.ToGrain != "" {
		return nil, fmt.Errorf("only a simple metric can be accumulated")
	}
	if a.Measure.NonAdditive != nil {
		return nil, fmt.Errorf("the measure %q must not be added up over time, so it cannot be accumulated", a.Measure.Name)
	}
	if a.Measure.Time == "" {
		return nil, fmt.Errorf("the measure %q has no time dimension to accumulate over", a.Measure.Name)
	}
	return change(a, func(a *Atom) { a.Cumulative = c }), nil
}

func (r *resolver) ratio(s *dbt.MetricSpec, path []string, depth int) (Formula, error) {
	if s.Numerator == nil || s.Denominator == nil {
		return nil, fmt.Errorf("it lacks a numerator or a denominator")
	}
	n, err := r.input(s.Numerator, path, depth)
	if err != nil {
		return nil, err
	}
	d, err := r.input(s.Denominator, path, depth)
	if err != nil {
		return nil, err
	}
	return &Ratio{n, d}, nil
}

func (r *resolver) derived(s *dbt.MetricSpec, path []string, depth int) (Formula, error) {
	if len(s.Inputs) == 0 {
		return nil, fmt.Errorf("it has no input metrics")
	}
	f := &Derived{}
	index := map[string]int{}
	for i := range s.Inputs {
		in := &s.Inputs[i]
		name := cmp.Or(in.Alias, in.Name)
		if _, twice := index[name]; twice {
			return nil, fmt.Errorf("two of its inputs are called %q; give one an alias", name)
		}
		index[name] = i
		g, err := r.input(in, path, depth)
		if err != nil {
			return nil, err
		}
		f.Inputs = append(f.Inputs, g)
	}
	parts, err := combine(s.Expr, index)
	if err != nil {
		return nil, err
	}
	f.Parts = parts
	return f, nil
}

// input resolves a metric that is used by another, with what the other adds.
func (r *resolver) input(in *dbt.MetricInput, path []string, depth int) (Formula, error) {
	f, err := r.formula(in.Name, path, depth+1)
	if err != nil {
		return nil, fmt.Errorf("input %s: %w", in.Name, err)
	}
	more, err := parseFilters(in.Filters)
	if err != nil {
		return nil, err
	}
	f = filtered(f, more)
	if in.OffsetWindow == nil && in.OffsetToGrain == "" {
		return f, nil
	}
	to := Grain(in.OffsetToGrain)
	if in.OffsetWindow != nil && !Grain(in.OffsetWindow.Grain).Valid() || in.OffsetWindow == nil && !to.Valid() {
		return nil, fmt.Errorf("input %s has an offset that is not understood", in.Name)
	}
	for _, a := range Atoms(f) {
		switch {
		case a.Offset != nil || a.ToGrain != "":
			return nil, fmt.Errorf("input %s is offset twice", in.Name)
		case a.Measure.Time == "":
			return nil, fmt.Errorf("input %s is offset, and its measure %s has no time dimension", in.Name, a.Measure.Name)
		}
	}
	return change(f, func(a *Atom) { a.Offset, a.ToGrain = in.OffsetWindow, to }), nil
}

// hash digests what a metric's value depends on: its definition and those of the
// measures, filters and relations that it leads to.
func hash(m *Metric) string {
	type atom struct {
		Relation        dbt.Relation
		Agg, Expr, Time string
		Percentile      float64
		Discrete        bool
		NonAdditive     string
		Filters         []string
		Offset          *dbt.Window
		ToGrain         Grain
		Cumulative      *Cumulative
		Fill            *float64
	}
	d := struct {
		Type, Expr string
		Atoms      []atom
		Reason     string
	}{Type: m.Type, Expr: m.Spec.Expr}
	if m.Formula == nil {
		d.Reason = m.Reason
	}
	for _, a := range Atoms(m.Formula) {
		x := atom{
			Relation: a.Measure.Model.Relation, Agg: a.Measure.Agg, Expr: a.Measure.Expr, Percentile: a.Measure.Percentile,
			Discrete: a.Measure.Discrete, Offset: a.Offset, ToGrain: a.ToGrain, Cumulative: a.Cumulative, Fill: a.Fill,
		}
		if t := a.Measure.Model.Dimension(a.Measure.Time); t != nil {
			x.Time = t.Expr
		}
		if n := a.Measure.NonAdditive; n != nil {
			x.NonAdditive = fmt.Sprint(n.Dimension.Expr, n.Last)
			for _, g := range n.Groupings {
				x.NonAdditive += "," + g.Expr
			}
		}
		for _, f := range a.Filters {
			x.Filters = append(x.Filters, f.Text)
		}
		d.Atoms = append(d.Atoms, x)
	}
	b, err := json.Marshal(d)
	if err != nil {
		panic(err) // nothing above can fail to marshal
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}
