package dbt

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Semantics is the semantic part of a project as its author wrote it, taken from
// the semantic manifest or, where there is none, from the manifest.
type Semantics struct {
	Models       []*SemanticModel
	Metrics      []*MetricSpec
	SavedQueries []*SavedQuery
	TimeSpines   []TimeSpine
}

func (s *Semantics) sort() {
	slices.SortFunc(s.Models, func(a, b *SemanticModel) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(s.Metrics, func(a, b *MetricSpec) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(s.SavedQueries, func(a, b *SavedQuery) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(s.TimeSpines, func(a, b TimeSpine) int { return strings.Compare(a.Relation.String(), b.Relation.String()) })
}

// SemanticModel says what the columns of one relation mean.
type SemanticModel struct {
	Name, Label, Description string
	Relation                 Relation
	PrimaryEntity            string // where no entity of type primary is declared
	DefaultTime              string // defaults.agg_time_dimension
	Entities                 []EntitySpec
	Dimensions               []DimensionSpec
	Measures                 []MeasureSpec
	Meta                     Meta
	Owner                    string
}

// EntitySpec is a key. Expr is empty where the column has the entity's name.
type EntitySpec struct{ Name, Type, Expr string }

// DimensionSpec is what rows can be grouped and filtered by.
type DimensionSpec struct {
	Name, Label, Description string
	Type                     string // categorical or time
	Expr                     string
	Grain                    string // of a time dimension
	Partition                bool
	Meta                     Meta
}

// MeasureSpec is an aggregation over rows.
type MeasureSpec struct {
	Name, Label, Description string
	Agg                      string
	Expr                     string
	Time                     string // agg_time_dimension
	Percentile               *float64
	Discrete                 bool
	NonAdditive              *NonAdditive
	CreateMetric             bool
}

// NonAdditive says along which dimension a measure must not be summed.
type NonAdditive struct {
	Dimension string
	Pick      string // min or max: the first or last value counts
	Groupings []string
}

// MetricSpec is a metric as declared.
type MetricSpec struct {
	Name, Label, Description string
	Type                     string // simple, ratio, derived, cumulative, conversion
	Meta                     Meta
	Owner                    string
	Tags                     []string
	Filters                  []string // templates, all of which hold
	Measure                  *MetricInput
	// Inline is the aggregation of a metric that has no measure.
	Inline                 *InlineMeasure
	Numerator, Denominator *MetricInput
	Expr                   string
	Inputs                 []MetricInput
	Window                 *Window
	GrainToDate            string
	PeriodAgg              string // first, last or average; empty is first
	CumulativeOf           *MetricInput
	Grain                  string // the metric's own least grain, empty for that of its data
}

// MetricInput is a measure or metric that a metric uses.
type MetricInput struct {
	Name, Alias     string
	Filters         []string
	OffsetWindow    *Window
	OffsetToGrain   string
	FillNullsWith   *float64
	JoinToTimeSpine bool
}

// InlineMeasure is a measure that stands in the metric itself.
type InlineMeasure struct {
	Model   string // the semantic model
	Measure MeasureSpec
}

// Window is a span of time.
type Window struct {
	Count int
	Grain string
}

func (w Window) String() string { return fmt.Sprintf("%d %s", w.Count, w.Grain) }

// TimeSpine is a relation with one row per day (or another grain).
type TimeSpine struct {
	Relation Relation
	Column   string
	Grain    string
}

// SavedQuery is a query of metrics that the project keeps.
type SavedQuery struct {
	Name, Label, Description string
	Metrics, GroupBy         []string
}

// ReadSemanticManifest reads semantic_manifest.json.
func ReadSemanticManifest(r io.Reader) (*Semantics, error) {
	s := &Semantics{}
	found := false
	err := object(r, func(d *json.Decoder, key string) error {
		switch key {
		case "semantic_models":
			found = true
			return elements(d, s.model)
		case "metrics":
			return elements(d, s.metric)
		case "saved_queries":
			return elements(d, s.savedQuery)
		case "project_configuration":
			return s.configuration(d)
		}
		return skip(d)
	})
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, fmt.Errorf("not a semantic manifest: it has no semantic_models")
	}
	s.sort()
	return s, nil
}

// elements reads an array, or null.
func elements(d *json.Decoder, each func(json.RawMessage) error) error {
	t, err := d.Token()
	if err != nil || t == nil {
		return err
	}
	if t != json.Delim('[') {
		return fmt.Errorf("%v where a list should stand", t)
	}
	for i := 0; d.More(); i++ {
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		if err := each(raw); err != nil {
			return fmt.Errorf("element %d: %w", i, err)
		}
	}
	_, err = d.Token()
	return err
}

func (p *Project) semanticModel(_ string, raw json.RawMessage) error { return p.Semantics.model(raw) }

// metric takes one of the manifest. Before schema version 10 a metric has its SQL
// in itself and no type_params.
func (p *Project) metric(_ string, raw json.RawMessage) error {
	var j struct {
		Name       string          `json:"name"`
		TypeParams json.RawMessage `json:"type_params"`
	}
	if err := json.Unmarshal(raw, &j); err != nil {
		return err
	}
	if len(j.TypeParams) == 0 || string(j.TypeParams) == "null" {
		p.OldMetrics = append(p.OldMetrics, j.Name)
		return nil
	}
	return p.Semantics.metric(raw)
}

type jsonConfig struct {
	Meta    json.RawMessage `json:"meta"`
	Enabled *bool           `json:"enabled"`
	Group   string          `json:"group"`
}

func (s *Semantics) model(raw json.RawMessage) error {
	var j struct {
		Name         string `json:"name"`
		Label        string `json:"label"`
		Description  string `json:"description"`
		NodeRelation struct {
			Alias    string `json:"alias"`
			Schema   string `json:"schema_name"`
			Database string `json:"database"`
		} `json:"node_relation"`
		PrimaryEntity string `json:"primary_entity"`
		Defaults      struct {
			Time string `json:"agg_time_dimension"`
		} `json:"defaults"`
		Entities []struct {
			Name string `json:"name"`
			Type string `json:"type"`
			Expr text   `json:"expr"`
		} `json:"entities"`
		Dimensions []struct {
			Name        string `json:"name"`
			Label       string `json:"label"`
			Description string `json:"description"`
			Type        string `json:"type"`
			Expr        text   `json:"expr"`
			Partition   bool   `json:"is_partition"`
			TypeParams  struct {
				Grain string `json:"time_granularity"`
			} `json:"type_params"`
			Meta   json.RawMessage `json:"meta"`
			Config jsonConfig      `json:"config"`
		} `json:"dimensions"`
		Measures []jsonMeasure   `json:"measures"`
		Meta     json.RawMessage `json:"meta"`
		Config   jsonConfig      `json:"config"`
		Group    string          `json:"group"`
	}
	if err := json.Unmarshal(raw, &j); err != nil {
		return err
	}
	if off(j.Config) {
		return nil
	}
	m := &SemanticModel{
		Name: j.Name, Label: j.Label, Description: strings.TrimSpace(j.Description), PrimaryEntity: j.PrimaryEntity,
		Relation:    Relation{j.NodeRelation.Database, j.NodeRelation.Schema, j.NodeRelation.Alias},
		DefaultTime: j.Defaults.Time,
	}
	m.Meta, m.Owner = metaOf(j.Meta, j.Config.Meta)
	m.Owner = first(m.Owner, j.Group, j.Config.Group)
	for _, e := range j.Entities {
		m.Entities = append(m.Entities, EntitySpec{e.Name, strings.ToLower(e.Type), string(e.Expr)})
	}
	for _, d := range j.Dimensions {
		spec := DimensionSpec{
			Name: d.Name, Label: d.Label, Description: strings.TrimSpace(d.Description), Type: strings.ToLower(d.Type),
			Expr: string(d.Expr), Grain: strings.ToLower(d.TypeParams.Grain), Partition: d.Partition,
		}
		spec.Meta, _ = metaOf(d.Meta, d.Config.Meta)
		m.Dimensions = append(m.Dimensions, spec)
	}
	for _, e := range j.Measures {
		m.Measures = append(m.Measures, e.spec())
	}
	s.Models = append(s.Models, m)
	return nil
}

func off(c jsonConfig) bool { return c.Enabled != nil && !*c.Enabled }

type jsonAggParams struct {
	Percentile *float64 `json:"percentile"`
	Discrete   bool     `json:"use_discrete_percentile"`
}

type jsonNonAdditive struct {
	Name      string   `json:"name"`
	Pick      string   `json:"window_choice"`
	Groupings []string `json:"window_groupings"`
}

func (n *jsonNonAdditive) spec() *NonAdditive {
	if n == nil || n.Name == "" {
		return nil
	}
	return &NonAdditive{Dimension: n.Name, Pick: first(strings.ToLower(n.Pick), "min"), Groupings: n.Groupings}
}

type jsonMeasure struct {
	Name        string           `json:"name"`
	Label       string           `json:"label"`
	Description string           `json:"description"`
	Agg         string           `json:"agg"`
	Expr        text             `json:"expr"`
	Time        string           `json:"agg_time_dimension"`
	AggParams   *jsonAggParams   `json:"agg_params"`
	NonAdditive *jsonNonAdditive `json:"non_additive_dimension"`
	Create      bool             `json:"create_metric"`
}

func (j jsonMeasure) spec() MeasureSpec {
	m := MeasureSpec{
		Name: j.Name, Label: j.Label, Description: strings.TrimSpace(j.Description), Agg: strings.ToLower(j.Agg),
		Expr: string(j.Expr), Time: j.Time, NonAdditive: j.NonAdditive.spec(), CreateMetric: j.Create,
	}
	if a := j.AggParams; a != nil {
		m.Percentile, m.Discrete = a.Percentile, a.Discrete
	}
	return m
}

// text takes a string, a number or a boolean, as YAML authors write them in expr.
type text string

func (t *text) UnmarshalJSON(b []byte) error {
	b = bytes.TrimSpace(b)
	if len(b) > 0 && b[0] == '"' {
		var s string
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
		*t = text(s)
		return nil
	}
	if string(b) != "null" {
		*t = text(b)
	}
	return nil
}

// filters takes a string, a list of strings, or dbt's object with the same inside.
type filters []string

func (f *filters) UnmarshalJSON(b []byte) error {
	b = bytes.TrimSpace(b)
	switch {
	case len(b) == 0 || string(b) == "null":
		return nil
	case b[0] == '"':
		var s string
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
		*f = append(*f, strings.TrimSpace(s))
		return nil
	case b[0] == '[':
		var l []filters
		if err := json.Unmarshal(b, &l); err != nil {
			return err
		}
		for _, e := range l {
			*f = append(*f, e...)
		}
		return nil
	}
	var o struct {
		Where    filters `json:"where_filters"`
		Template *string `json:"where_sql_template"`
	}
	if err := json.Unmarshal(b, &o); err != nil {
		return err
	}
	*f = append(*f, o.Where...)
	if o.Template != nil {
		*f = append(*f, strings.TrimSpace(*o.Template))
	}
	return nil
}

// window takes {count, granularity} or "28 days".
type window struct{ Window }

func (w *window) UnmarshalJSON(b []byte) error {
	if b = bytes.TrimSpace(b); len(b) > 0 && b[0] == '"' {
		var s string
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
		if _, err := fmt.Sscanf(s, "%d %s", &w.Count, &w.Grain); err != nil {
			return fmt.Errorf("%q is not a window such as \"28 days\"", s)
		}
	} else {
		var o struct {
			Count int    `json:"count"`
			Grain string `json:"granularity"`
		}
		if err := json.Unmarshal(b, &o); err != nil {
			return err
		}
		w.Count, w.Grain = o.Count, o.Grain
	}
	w.Grain = strings.TrimSuffix(strings.ToLower(w.Grain), "s")
	return nil
}

func (w *window) spec() *Window {
	if w == nil || w.Grain == "" {
		return nil
	}
	return &Window{w.Count, w.Grain}
}

// input takes the name alone or an object.
type input struct{ MetricInput }

func (i *input) UnmarshalJSON(b []byte) error {
	if b = bytes.TrimSpace(b); len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &i.Name)
	}
	var o struct {
		Name     string   `json:"name"`
		Alias    string   `json:"alias"`
		Filter   filters  `json:"filter"`
		Offset   *window  `json:"offset_window"`
		ToGrain  string   `json:"offset_to_grain"`
		Fill     *float64 `json:"fill_nulls_with"`
		TimeJoin bool     `json:"join_to_timespine"`
	}
	if err := json.Unmarshal(b, &o); err != nil {
		return err
	}
	i.MetricInput = MetricInput{
		Name: o.Name, Alias: o.Alias, Filters: o.Filter, OffsetWindow: o.Offset.spec(), OffsetToGrain: strings.ToLower(o.ToGrain),
		FillNullsWith: o.Fill, JoinToTimeSpine: o.TimeJoin,
	}
	return nil
}

func (i *input) spec() *MetricInput {
	if i == nil || i.Name == "" {
		return nil
	}
	return &i.MetricInput
}

func (s *Semantics) metric(raw json.RawMessage) error {
	var j struct {
		Name        string          `json:"name"`
		Label       string          `json:"label"`
		Description string          `json:"description"`
		Type        string          `json:"type"`
		Filter      filters         `json:"filter"`
		Meta        json.RawMessage `json:"meta"`
		Config      jsonConfig      `json:"config"`
		Group       string          `json:"group"`
		Tags        []string        `json:"tags"`
		Grain       string          `json:"time_granularity"`
		TypeParams  struct {
			Measure     *input  `json:"measure"`
			Numerator   *input  `json:"numerator"`
			Denominator *input  `json:"denominator"`
			Expr        text    `json:"expr"`
			Metrics     []input `json:"metrics"`
			Window      *window `json:"window"`
			GrainToDate string  `json:"grain_to_date"`
			Cumulative  *struct {
				Window      *window `json:"window"`
				GrainToDate string  `json:"grain_to_date"`
				PeriodAgg   string  `json:"period_agg"`
				Metric      *input  `json:"metric"`
			} `json:"cumulative_type_params"`
			Aggregation *struct {
				Model       string           `json:"semantic_model"`
				Agg         string           `json:"agg"`
				AggParams   *jsonAggParams   `json:"agg_params"`
				Time        string           `json:"agg_time_dimension"`
				NonAdditive *jsonNonAdditive `json:"non_additive_dimension"`
				Expr        text             `json:"expr"`
			} `json:"metric_aggregation_params"`
			TimeJoin  bool     `json:"join_to_timespine"`
			FillNulls *float64 `json:"fill_nulls_with"`
		} `json:"type_params"`
	}
	if err := json.Unmarshal(raw, &j); err != nil {
		return err
	}
	if off(j.Config) {
		return nil
	}
	t := j.TypeParams
	m := &MetricSpec{
		Name: j.Name, Label: j.Label, Description: strings.TrimSpace(j.Description), Type: strings.ToLower(j.Type),
		Filters: j.Filter, Tags: j.Tags, Grain: strings.ToLower(j.Grain),
		Measure: t.Measure.spec(), Numerator: t.Numerator.spec(), Denominator: t.Denominator.spec(),
		Expr: string(t.Expr), Window: t.Window.spec(), GrainToDate: strings.ToLower(t.GrainToDate),
	}
	slices.Sort(m.Tags)
	m.Meta, m.Owner = metaOf(j.Meta, j.Config.Meta)
	m.Owner = first(m.Owner, j.Group, j.Config.Group)
	for _, in := range t.Metrics {
		m.Inputs = append(m.Inputs, in.MetricInput)
	}
	if c := t.Cumulative; c != nil {
		if w := c.Window.spec(); w != nil {
			m.Window = w
		}
		m.GrainToDate = first(strings.ToLower(c.GrainToDate), m.GrainToDate)
		m.PeriodAgg = strings.ToLower(c.PeriodAgg)
		m.CumulativeOf = c.Metric.spec()
	}
	if a := t.Aggregation; a != nil && a.Agg != "" && m.Measure == nil {
		m.Inline = &InlineMeasure{Model: a.Model, Measure: jsonMeasure{
			Name: j.Name, Agg: a.Agg, Expr: first(a.Expr, t.Expr), Time: a.Time, AggParams: a.AggParams, NonAdditive: a.NonAdditive,
		}.spec()}
		m.Measure = &MetricInput{Name: j.Name, FillNullsWith: t.FillNulls, JoinToTimeSpine: t.TimeJoin}
	}
	s.Metrics = append(s.Metrics, m)
	return nil
}

func (s *Semantics) savedQuery(raw json.RawMessage) error {
	var j struct {
		Name        string `json:"name"`
		Label       string `json:"label"`
		Description string `json:"description"`
		Params      struct {
			Metrics []string `json:"metrics"`
			GroupBy []string `json:"group_by"`
		} `json:"query_params"`
	}
	if err := json.Unmarshal(raw, &j); err != nil {
		return err
	}
	s.SavedQueries = append(s.SavedQueries, &SavedQuery{j.Name, j.Label, strings.TrimSpace(j.Description), j.Params.Metrics, j.Params.GroupBy})
	return nil
}

func (s *Semantics) configuration(d *json.Decoder) error {
	type relation struct {
		Alias    string `json:"alias"`
		Schema   string `json:"schema_name"`
		Database string `json:"database"`
	}
	var j struct {
		Spines []struct {
			Relation relation `json:"node_relation"`
			Column   struct {
				Name  string `json:"name"`
				Grain string `json:"time_granularity"`
			} `json:"primary_column"`
		} `json:"time_spines"`
		// The form before dbt 1.9.
		Tables []struct {
			Location string `json:"location"`
			Column   string `json:"column_name"`
			Grain    string `json:"grain"`
		} `json:"time_spine_table_configurations"`
	}
	if err := d.Decode(&j); err != nil {
		return err
	}
	for _, t := range j.Spines {
		s.TimeSpines = append(s.TimeSpines, TimeSpine{
			Relation{t.Relation.Database, t.Relation.Schema, t.Relation.Alias}, t.Column.Name, strings.ToLower(t.Column.Grain),
		})
	}
	if len(s.TimeSpines) > 0 {
		return nil
	}
	for _, t := range j.Tables {
		s.TimeSpines = append(s.TimeSpines, TimeSpine{location(t.Location), t.Column, strings.ToLower(t.Grain)})
	}
	return nil
}

// location reads a quoted or plain name of up to three parts.
func location(s string) Relation {
	var parts []string
	for _, p := range strings.Split(s, ".") {
		parts = append(parts, strings.Trim(p, "\"`"))
	}
	for len(parts) < 3 {
		parts = append([]string{""}, parts...)
	}
	n := len(parts)
	return Relation{parts[n-3], parts[n-2], parts[n-1]}
}
