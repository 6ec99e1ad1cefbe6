package semantic

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/quartet-mcp/quartet/cerebro/internal/dbt"
)

// Tier says how far a model or metric is trusted.
type Tier string

// The tiers. What is blocked never runs.
const (
	Approved  Tier = "approved"
	Candidate Tier = "candidate"
	Blocked   Tier = "blocked"
)

// DefaultTier says what tier an object has that names none: [Approved],
// [Candidate], or Auto, which is approved in a project that names no tier at
// all, so that a plain dbt project works as it is, and candidate otherwise.
type DefaultTier string

// Auto is the usual [DefaultTier].
const Auto DefaultTier = "auto"

// Layer is the semantic layer of a project. Lists are sorted by name.
type Layer struct {
	Models  []*Model
	Metrics []*Metric
	Project *dbt.Project
	// Findings are what is wrong or odd with the layer; none of it stops the rest from working.
	Findings []Finding

	models  map[string]*Model
	metrics map[string]*Metric
	names   map[string][]*Metric // by normalised name, label and synonym
}

// Finding is something wrong with an object of the layer.
type Finding struct {
	Severity string `json:"severity"` // error or warning
	Rule     string `json:"rule"`
	Object   string `json:"object"` // such as metric:revenue
	Message  string `json:"message"`
}

// Model is a semantic model: the meaning of one relation's columns.
type Model struct {
	Name, Label, Description string
	// Node is what dbt knows of the relation; nil when it does not know it.
	Node       *dbt.Node
	Relation   dbt.Relation
	Tier       Tier
	Owner      string
	Entities   []*Entity
	Dimensions []*Dimension
	Measures   []*Measure
	// DefaultTime names the time dimension of measures that name none.
	DefaultTime string
	// Primary is the name of the entity that tells rows apart, empty when there is none.
	Primary string
	// Missing says why the relation cannot be read, empty when it can.
	Missing string
	// Private is dbt.MetaPrivacy of the model's node: empty, internal or restricted.
	Private string

	edges []*Edge
}

// Module is that of the model's node.
func (m *Model) Module() string {
	if m.Node == nil {
		return ""
	}
	return m.Node.Module
}

// Entity is a key of a model.
type Entity struct {
	Name string
	Type string // primary, unique, foreign or natural
	Expr string // SQL
}

// Single says that no two rows have the same key.
func (e *Entity) Single() bool { return e.Type == "primary" || e.Type == "unique" }

// Dimension is what a model's rows can be grouped and filtered by.
type Dimension struct {
	Name, Label, Description string
	Model                    *Model
	Time                     bool
	Expr                     string // SQL
	Grain                    Grain  // of a time dimension: how fine its values are
	Partition                bool
	Column                   *dbt.Column // when the expression is a plain column that is known
	Private                  bool

	truth bool // the expression is a condition
}

// Qualified is the dimension's name behind that of its model's primary entity.
func (d *Dimension) Qualified() string {
	if d.Model.Primary == "" {
		return d.Name
	}
	return d.Model.Primary + "__" + d.Name
}

// Measure is an aggregation over a model's rows.
type Measure struct {
	Name, Description string
	Model             *Model
	Agg               string // one of Aggregations
	Expr              string // SQL; "1" counts rows
	Percentile        float64
	Discrete          bool
	Time              string // the time dimension, empty when the model has none
	NonAdditive       *NonAdditive
	Column            *dbt.Column // when the expression is a plain column that is known
}

// NonAdditive says along which time a measure must not be summed: of each group
// only the last (or first) value counts.
type NonAdditive struct {
	Dimension *Dimension
	Last      bool
	Groupings []*Entity // keys that are picked for one by one
}

// Aggregations are the names that a measure's agg may have.
var Aggregations = []string{"sum", "count", "count_distinct", "min", "max", "average", "median", "percentile", "sum_boolean"}

// Additive says whether sums of the aggregation over parts are the whole's value.
func (m *Measure) Additive() bool {
	switch m.Agg {
	case "sum", "count", "sum_boolean":
		return m.NonAdditive == nil
	}
	return false
}

// Dimension finds a dimension by its name.
func (m *Model) Dimension(name string) *Dimension {
	for _, d := range m.Dimensions {
		if d.Name == name {
			return d
		}
	}
	return nil
}

// Entity finds an entity by its name.
func (m *Model) Entity(name string) *Entity {
	for _, e := range m.Entities {
		if e.Name == name {
			return e
		}
	}
	return nil
}

// Measure finds a measure by its name.
func (m *Model) Measure(name string) *Measure {
	for _, x := range m.Measures {
		if x.Name == name {
			return x
		}
	}
	return nil
}

// Model finds a semantic model by its name.
func (l *Layer) Model(name string) *Model { return l.models[name] }

// Metric finds a metric by its exact name.
func (l *Layer) Metric(name string) *Metric { return l.metrics[name] }

// Named finds metrics by name, label or synonym, without regard to case and to
// the difference between blanks, underscores and hyphens. An exact name alone counts where it fits.
func (l *Layer) Named(name string) []*Metric {
	if m := l.metrics[name]; m != nil {
		return []*Metric{m}
	}
	return l.names[Normalize(name)]
}

// Normalize gives the form in which names and synonyms are compared.
func Normalize(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return r == ' ' || r == '_' || r == '-' || r == '\t' || r == '\n'
	}), " ")
}

// Build makes the layer of a project.
func Build(p *dbt.Project, tier DefaultTier) *Layer {
	l := &Layer{Project: p, models: map[string]*Model{}, metrics: map[string]*Metric{}, names: map[string][]*Metric{}}
	fallback := Tier(tier)
	if tier == Auto || tier == "" {
		fallback = Approved
		if anyTier(p) {
			fallback = Candidate
		}
	}
	for _, s := range p.Semantics.Models {
		if l.models[s.Name] != nil {
			l.find("error", "duplicate_name", "semantic_model:"+s.Name, "there is more than one semantic model of this name")
			continue
		}
		m := l.model(s, fallback)
		l.models[s.Name] = m
		l.Models = append(l.Models, m)
	}
	l.connect()
	specs := map[string]*dbt.MetricSpec{}
	for _, s := range p.Semantics.Metrics {
		if specs[s.Name] != nil {
			l.find("error", "duplicate_name", "metric:"+s.Name, "there is more than one metric of this name")
			continue
		}
		specs[s.Name] = s
	}
	r := resolver{layer: l, specs: specs, fallback: fallback}
	for _, s := range p.Semantics.Metrics {
		if specs[s.Name] == s {
			l.Metrics = append(l.Metrics, r.metric(s.Name))
		}
	}
	for _, m := range l.Metrics {
		for _, name := range m.names() {
			if !slices.Contains(l.names[name], m) {
				l.names[name] = append(l.names[name], m)
			}
		}
	}
	slices.SortStableFunc(l.Findings, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.Object, b.Object), strings.Compare(a.Rule, b.Rule), strings.Compare(a.Message, b.Message))
	})
	return l
}

func (l *Layer) find(severity, rule, object, format string, args ...any) {
	l.Findings = append(l.Findings, Finding{severity, rule, object, fmt.Sprintf(format, args...)})
}

func anyTier(p *dbt.Project) bool {
	for _, m := range p.Semantics.Models {
		if m.Meta.Text(dbt.MetaTier) != "" {
			return true
		}
	}
	for _, m := range p.Semantics.Metrics {
		if m.Meta.Text(dbt.MetaTier) != "" {
			return true
		}
	}
	return false
}

func (l *Layer) tier(meta dbt.Meta, fallback Tier, object string) Tier {
	switch t := Tier(meta.Text(dbt.MetaTier)); t {
	case Approved, Candidate, Blocked:
		return t
	case "":
		return fallback
	default:
		l.find("error", "unknown_tier", object, "quality_tier %q is none of approved, candidate and blocked; taken as candidate", t)
		return Candidate
	}
}

func (l *Layer) model(s *dbt.SemanticModel, fallback Tier) *Model {
	object := "semantic_model:" + s.Name
	m := &Model{
		Name: s.Name, Label: cmp.Or(s.Label, title(s.Name)), Description: s.Description, Relation: s.Relation, Owner: s.Owner,
		Node: l.node(s.Relation), DefaultTime: s.DefaultTime, Primary: s.PrimaryEntity,
	}
	for _, o := range s.Meta.Odd() {
		l.find("warning", "odd_meta", object, "%s", o)
	}
	m.Tier = l.tier(s.Meta, fallback, object)
	switch {
	case m.Node == nil:
		m.Missing = "relation_missing: the manifest has no " + s.Relation.String()
	case m.Node.Ephemeral():
		m.Missing = "relation_missing: " + m.Node.Name + " is ephemeral and has no relation"
	}
	if m.Missing != "" {
		l.find("error", "relation_missing", object, "%s", m.Missing)
	}
	if m.Node != nil {
		m.Private = m.Node.Meta.Text(dbt.MetaPrivacy)
	}
	for _, e := range s.Entities {
		m.Entities = append(m.Entities, &Entity{e.Name, e.Type, cmp.Or(e.Expr, e.Name)})
		if e.Type == "primary" {
			m.Primary = e.Name
		}
	}
	for _, d := range s.Dimensions {
		x := &Dimension{
			Name: d.Name, Label: cmp.Or(d.Meta.Text(dbt.MetaLabel), d.Label, title(d.Name)), Description: d.Description, Model: m,
			Time: d.Type == "time", Expr: cmp.Or(d.Expr, d.Name), Partition: d.Partition,
		}
		if x.Time {
			x.Grain = Grain(cmp.Or(d.Grain, "day"))
			if !x.Grain.Valid() {
				l.find("warning", "unknown_grain", object, "dimension %s has the grain %q; taken as day", d.Name, d.Grain)
				x.Grain = Day
			}
		}
		x.Column = m.column(x.Expr)
		x.truth = x.Column == nil && truth(x.Expr)
		if x.Column != nil && x.Description == "" {
			x.Description = x.Column.Description
		}
		x.Private = d.Meta.Text(dbt.MetaPrivacy) != "" || x.Column != nil && x.Column.Meta.Text(dbt.MetaPrivacy) != ""
		m.Dimensions = append(m.Dimensions, x)
	}
	for _, e := range s.Measures {
		x, err := m.measure(e)
		if err != nil {
			l.find("error", "measure", object, "measure %s: %v", e.Name, err)
			continue
		}
		m.Measures = append(m.Measures, x)
	}
	slices.SortFunc(m.Dimensions, func(a, b *Dimension) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(m.Measures, func(a, b *Measure) int { return strings.Compare(a.Name, b.Name) })
	return m
}

// node finds what dbt knows of a relation. The database's name is left out of
// the comparison: a project may have been built into another file than is served.
func (l *Layer) node(r dbt.Relation) *dbt.Node {
	for _, n := range l.Project.Named(r.Name) {
		if strings.EqualFold(n.Relation.Name, r.Name) && (r.Schema == "" || strings.EqualFold(n.Relation.Schema, r.Schema)) {
			return n
		}
	}
	return nil
}

// column finds the column that an expression is, nil when it is more or not known.
func (m *Model) column(expr string) *dbt.Column {
	if m.Node == nil {
		return nil
	}
	return m.Node.Column(strings.Trim(strings.TrimSpace(expr), "\"`"))
}

func (m *Model) measure(e dbt.MeasureSpec) (*Measure, error) {
	agg := e.Agg
	if agg == "avg" {
		agg = "average"
	}
	if !slices.Contains(Aggregations, agg) {
		return nil, fmt.Errorf("agg %q is none of %s", e.Agg, strings.Join(Aggregations, ", "))
	}
	x := &Measure{
		Name: e.Name, Description: e.Description, Model: m, Agg: agg, Expr: cmp.Or(e.Expr, e.Name), Discrete: e.Discrete,
		Time: cmp.Or(e.Time, m.DefaultTime),
	}
	x.Column = m.column(x.Expr)
	if err := expression(x.Expr); err != nil {
		return nil, err
	}
	if agg == "percentile" {
		if e.Percentile == nil {
			return nil, fmt.Errorf("agg is percentile, and agg_params.percentile is not given")
		}
		if x.Percentile = *e.Percentile; x.Percentile < 0 || x.Percentile > 1 {
			return nil, fmt.Errorf("percentile %v is not between 0 and 1", x.Percentile)
		}
	}
	if x.Time != "" {
		if d := m.Dimension(x.Time); d == nil || !d.Time {
			return nil, fmt.Errorf("its time dimension %q is none of the model's", x.Time)
		}
	}
	if n := e.NonAdditive; n != nil {
		d := m.Dimension(n.Dimension)
		if d == nil || !d.Time {
			return nil, fmt.Errorf("its non-additive dimension %q is no time dimension of the model", n.Dimension)
		}
		x.NonAdditive = &NonAdditive{Dimension: d, Last: n.Pick == "max"}
		for _, g := range n.Groupings {
			key := m.Entity(g)
			if key == nil {
				// MetricFlow knows entities here; a dimension serves as well.
				dim := m.Dimension(g)
				if dim == nil {
					return nil, fmt.Errorf("its window grouping %q is no entity of the model", g)
				}
				key = &Entity{Name: dim.Name, Expr: dim.Expr}
			}
			x.NonAdditive.Groupings = append(x.NonAdditive.Groupings, key)
		}
	}
	return x, nil
}

// title makes "Web sessions" of web_sessions.
func title(name string) string {
	s := strings.TrimSpace(strings.ReplaceAll(name, "_", " "))
	if s == "" {
		return name
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
