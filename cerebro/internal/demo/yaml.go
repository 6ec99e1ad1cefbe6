package demo

import (
	"fmt"

	"go.yaml.in/yaml/v4"
)

// The types of this file are the parts of dbt's YAML that the project uses. A key
// that is none of them is an error, so nothing in the project is silently ignored.

type yamlFile struct {
	Version        int
	Sources        []*yamlSource
	Models         []*Model
	Exposures      []*yamlExposure
	SemanticModels []*SemanticModel `yaml:"semantic_models"`
	Metrics        []*Metric
}

type yamlProject struct {
	Name    string
	Version string
	Config  int `yaml:"config-version"`
	Profile string
	Paths   []string `yaml:"model-paths"`
	Target  string   `yaml:"target-path"`
	Models  map[string]map[string]string
	Vars    map[string]any
}

// object is a JSON object.
type object = map[string]any

type yamlConfig struct {
	Materialized string
	Tags         []string
	Meta         object
	Freshness    *freshness
}

type freshness struct {
	Warn  *period `yaml:"warn_after"`
	Error *period `yaml:"error_after"`
}

type period struct {
	Count  int
	Period string
}

// Column is a documented column.
type Column struct {
	Name, Description string
	Config            yamlConfig
	Granularity       string
	Tests             []testSpec `yaml:"data_tests"`

	docs []string
}

type yamlSource struct {
	Name, Description, Schema, Loader string
	Config                            yamlConfig
	Tables                            []*Table
}

type yamlExposure struct {
	Name, Label, Type, Maturity, URL, Description string
	Owner                                         struct{ Name, Email string }
	Config                                        yamlConfig
	DependsOn                                     []string `yaml:"depends_on"`

	file string
}

// testSpec is the name of a test, or an object of a name and arguments.
type testSpec struct {
	name string
	args object
}

func (t *testSpec) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		t.name = n.Value
		return nil
	}
	var m map[string]struct{ Arguments object }
	if err := n.Decode(&m); err != nil {
		return err
	}
	if len(m) != 1 {
		return fmt.Errorf("line %d: a test has one name", n.Line)
	}
	for name, v := range m {
		t.name, t.args = name, v.Arguments
	}
	return nil
}

// Entity, Dimension and Measure are parts of a semantic model.
type (
	Entity    struct{ Name, Type, Expr string }
	Dimension struct {
		Name, Label, Type, Expr, Description string
		Partition                            bool `yaml:"is_partition"`
		Config                               yamlConfig
		TypeParams                           struct {
			Grain string `yaml:"time_granularity"`
		} `yaml:"type_params"`
	}
	Measure struct {
		Name, Label, Agg, Expr, Description string
		AggParams                           *struct {
			Percentile float64
			Discrete   bool `yaml:"use_discrete_percentile"`
		} `yaml:"agg_params"`
		NonAdditive *struct {
			Name      string
			Choice    string   `yaml:"window_choice"`
			Groupings []string `yaml:"window_groupings"`
		} `yaml:"non_additive_dimension"`
	}
)

// SemanticModel says what can be measured in a model and by what.
type SemanticModel struct {
	Name, Label, Description string
	ModelRef                 string `yaml:"model"`
	PrimaryEntity            string `yaml:"primary_entity"`
	Defaults                 struct {
		Time string `yaml:"agg_time_dimension"`
	}
	Config     yamlConfig
	Entities   []Entity
	Dimensions []Dimension
	Measures   []Measure

	// Model is the model that ModelRef names.
	Model *Model `yaml:"-"`
	file  string
}

// Input is a measure or metric that a metric is made of.
type Input struct {
	Name, Filter, Alias string
	Offset              string   `yaml:"offset_window"`
	Fill                *float64 `yaml:"fill_nulls_with"`
	TimeSpine           bool     `yaml:"join_to_timespine"`
}

// UnmarshalYAML takes a bare name, too.
func (i *Input) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		i.Name = n.Value
		return nil
	}
	type plain Input
	return n.Decode((*plain)(i))
}

// Metric is a metric of the project.
type Metric struct {
	Name, Label, Description, Type, Filter string
	TypeParams                             struct {
		Measure     *Input
		Numerator   *Input
		Denominator *Input
		Expr        string
		Metrics     []*Input
		Cumulative  struct {
			Window      string
			GrainToDate string `yaml:"grain_to_date"`
			PeriodAgg   string `yaml:"period_agg"`
		} `yaml:"cumulative_type_params"`
	} `yaml:"type_params"`
	Config yamlConfig

	file string
}
